//! Wrong certificates are refused: those that are made of right ones, and those of programs that are not safe.
mod workers;

use crate::cli::low::{Arguments, Command};
use crate::driver::certify::{self, Conclusion};
use crate::driver::{self, Loaded, Outcome, Signals};
use crate::report::Report;
use crate::request::{Certify, Request};
use certificate::{Certificate, Listed, MAGIC, States, Workers};
use clap::Parser;
use frontend::ir::Module;
use interp::fault::Kind;
use por::{Fingerprints, Move, Needs, System, ThreadId, current_variants};
use random::Random;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Instant;
use xxhash_rust::xxh3::xxh3_64;

/// How many wrong certificates are made of each program.
const MOST: usize = 300;

/// A program that was loaded, and how it is to be explored.
struct Program {
    request: Request,
    module: Arc<Module>,
    signals: Signals,
}

impl Program {
    fn new(words: &str) -> Self {
        let request = request(words);
        let signals = driver::ready().expect("signals can be caught");
        match driver::load(&request, Instant::now(), &signals, |_| {}) {
            Ok(Loaded::Module(module)) => Program { request, module, signals },
            other => panic!("{words}: {:?}", other.err()),
        }
    }

    fn report(&self, certify: Option<Certify>) -> Report {
        let request = Request { certify, ..self.request.clone() };
        match driver::run_loaded(&request, &self.module, Instant::now(), &self.signals, None) {
            Ok(Outcome::Report(report, _)) => *report,
            other => panic!("{other:?}"),
        }
    }

    fn certificate(&self) -> Certificate {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let report = self.report(Some(Certify { file: file.path().to_owned(), most_states: 100_000 }));
        assert!(matches!(report.certificate, Some(Ok(_))), "{:?} {:?}", report.reasons, report.certificate);
        Certificate::read(&std::fs::read(file.path()).expect("it can be read")).expect("it is a certificate")
    }

    /// Why it is refused; `None` if it holds.
    fn refuses(&self, certificate: Certificate) -> Option<String> {
        self.refuses_with(&self.request, certificate)
    }

    /// Why several workers refuse it, without one who is asked after them. Portions are small, so that each of them
    /// looks at states here and there, in an order that differs from run to run.
    fn several_refuse(&self, certificate: &Certificate, portion: u32) -> Option<String> {
        let workers = Workers { most: 3, portion, stack: 16 << 20 };
        certify::refused_by(&self.request, Arc::clone(&self.module), certificate, workers)
    }

    fn refuses_with(&self, request: &Request, certificate: Certificate) -> Option<String> {
        let module = Arc::clone(&self.module);
        match certify::check(request, module, certificate, Instant::now(), &self.signals) {
            Ok(Conclusion::Holds(..)) => None,
            Ok(Conclusion::Refused(reason)) => Some(reason),
            other => panic!("{other:?}"),
        }
    }
}

fn request(words: &str) -> Request {
    let words = std::iter::once("verify").chain(words.split_whitespace()).map(Into::into);
    let typed = Arguments::try_parse_from(crate::cli::compiler_spellings(words)).expect("it can be parsed");
    let Command::Check(check) = typed.into_command() else { panic!("another command") };
    Request::new(*check).expect("it means something")
}

fn listed(states: &States) -> Vec<Listed> {
    (0..states.len() as u32).map(|number| states.get(number)).collect()
}

fn list(all: &[Listed]) -> Option<States> {
    let mut states = States::default();
    all.iter().all(|state| states.push(*state)).then_some(states)
}

/// All actions of a program: from which state which one leads where. Found along the ways of a right list, each from
/// the start.
fn actions(program: &Program, certificate: &Certificate) -> FxHashMap<(u128, ThreadId, u32), u128> {
    let all = listed(&certificate.states);
    let mut actions = FxHashMap::default();
    for (number, state) in all.iter().enumerate() {
        let mut way = Vec::new();
        let mut at = number;
        while let Some((before, action)) = all[at].way {
            way.push(action);
            at = before as usize;
        }
        let mut machine = certify::told(&program.request, Arc::clone(&program.module), certificate);
        machine.prepare(Needs { states: true, ..Needs::default() });
        machine.follow_states();
        machine.start();
        for action in way.iter().rev() {
            machine.mark();
            machine.execute(action.thread, action.label);
        }
        assert_eq!(machine.state(), Some(state.fingerprint));
        for thread in (0..machine.threads()).map(ThreadId) {
            let mut variants = Vec::new();
            current_variants(&machine, thread, &mut variants);
            for variant in variants {
                machine.mark();
                machine.execute(thread, variant.label);
                actions.insert((state.fingerprint, thread, variant.label), machine.state().expect("a fingerprint"));
                machine.undo();
            }
        }
    }
    actions
}

/// Whether a list says the truth: it has all states, each once, the start first, and each way is one.
fn is_true(all: &[Listed], right: &[Listed], actions: &FxHashMap<(u128, ThreadId, u32), u128>) -> bool {
    let set = |all: &[Listed]| all.iter().map(|state| state.fingerprint).collect::<FxHashSet<u128>>();
    let is_way = |state: &Listed| match state.way {
        None => state.fingerprint == right[0].fingerprint,
        Some((before, action)) => {
            let from = (all[before as usize].fingerprint, action.thread, action.label);
            actions.get(&from) == Some(&state.fingerprint)
        }
    };
    all.len() == right.len() && set(all) == set(right) && all.iter().all(is_way)
}

/// A list that is made of another one, most likely a wrong one. `None` where there is none of that sort.
fn changed(random: &mut Random, right: &[Listed]) -> Option<(&'static str, Vec<Listed>)> {
    let mut all = right.to_vec();
    let count = all.len() as u64;
    let any = |random: &mut Random| random.below(count) as usize;
    let later = |random: &mut Random| 1 + random.below(count - 1) as usize;
    let what = match random.below(8) {
        0 => {
            let gone = later(random);
            let before = all[gone].way?.0;
            all.remove(gone);
            for (parent, _) in all.iter_mut().filter_map(|state| state.way.as_mut()) {
                *parent = match *parent as usize {
                    other if other == gone => before,
                    other if other > gone => other as u32 - 1,
                    other => other as u32,
                };
            }
            "a state is left out"
        }
        1 => {
            all[any(random)].fingerprint ^= 1 << random.below(128);
            "a bit of a fingerprint is flipped"
        }
        2 => {
            let at = later(random);
            all[at].way.as_mut()?.0 = random.below(at as u64) as u32;
            "a predecessor is another one"
        }
        3 => {
            let (at, other) = (later(random), later(random));
            all[at].way.as_mut()?.1 = right[other].way?.1;
            "a move is another one"
        }
        4 => {
            let at = later(random);
            all[at].way.as_mut()?.1.label ^= 1 << random.below(4);
            "a label is another one"
        }
        5 => {
            let (one, other) = (any(random), any(random));
            let fingerprint = all[one].fingerprint;
            all[one].fingerprint = std::mem::replace(&mut all[other].fingerprint, fingerprint);
            "two successors are exchanged"
        }
        6 => {
            let fingerprint = u128::from(random.number()) << 64 | u128::from(random.number());
            let action = Move { thread: ThreadId(random.below(3) as u32), label: 0 };
            all.push(Listed { fingerprint, way: Some((any(random) as u32, action)) });
            "there is a state too many"
        }
        _ => {
            let again = all[any(random)].fingerprint;
            let at = later(random);
            all[at].fingerprint = again;
            "a successor is another one"
        }
    };
    Some((what, all))
}

/// Of 1,200 certificates that are made at random of right ones by small changes, each is refused unless it is right
/// after all, and those are few: by one worker, and by three.
#[test]
fn changed_lists_are_refused() {
    let mut refused: FxHashMap<&str, usize> = FxHashMap::default();
    for (seed, words) in
        ["examples/peterson.c", "examples/queue.c", "examples/bank_fixed.c", "examples/lost_update_fixed.c"]
            .into_iter()
            .zip(1..)
            .map(|(words, seed)| (seed, words))
    {
        let program = Program::new(words);
        let certificate = program.certificate();
        assert_eq!(program.refuses(certificate.clone()), None, "{words}");
        assert_eq!(program.several_refuse(&certificate, 1), None, "{words}");
        let right = listed(&certificate.states);
        let actions = actions(&program, &certificate);
        assert!(is_true(&right, &right, &actions), "{words}");
        let mut random = Random::new(seed);
        let (mut wrong, mut tried) = (0, 0);
        while wrong < MOST {
            tried += 1;
            let Some((what, all)) = changed(&mut random, &right) else { continue };
            let Some(states) = list(&all) else { continue };
            let is_right = is_true(&all, &right, &actions);
            let other = Certificate { states, ..certificate.clone() };
            let portion = 1 + random.below(20) as u32;
            let several = program.several_refuse(&other, portion);
            assert_eq!(several.is_none(), is_right, "{words}, seed {seed}, {what} (try {tried}), three: {several:?}");
            let reason = program.refuses(other);
            assert_eq!(reason.is_none(), is_right, "{words}, seed {seed}, {what} (try {tried}): {reason:?}");
            if !is_right {
                wrong += 1;
                *refused.entry(what).or_default() += 1;
            }
        }
        assert!(tried < 2 * MOST, "{words}: {tried}");
    }
    let all: usize = refused.values().sum();
    println!("{all} changed lists were refused: {refused:?}");
    assert!(all >= 1_000 && refused.values().all(|count| *count >= 50), "{refused:?}");
}

/// Files that are cut off, changed or made up are no certificates; with the right checksum they are refused when they
/// are checked.
#[test]
fn damaged_files_are_refused() {
    let program = Program::new("examples/bank_fixed.c");
    let certificate = program.certificate();
    let (bytes, right) = (certificate.write(), listed(&certificate.states));
    let actions = actions(&program, &certificate);
    let mut random = Random::new(23);
    for length in (0..bytes.len()).filter(|_| random.once_in(5)).collect::<Vec<_>>() {
        assert!(Certificate::read(&bytes[..length]).is_err(), "the first {length} bytes");
    }
    for _ in 0..300 {
        let mut other = bytes.clone();
        other[random.below(bytes.len() as u64) as usize] ^= 1 << random.below(8);
        assert!(Certificate::read(&other).is_err());
    }
    for length in [0, 10, 100, 1000, 10_000] {
        let garbage = |random: &mut Random| (0..length).map(|_| random.number() as u8).collect::<Vec<u8>>();
        assert!(Certificate::read(&garbage(&mut random)).is_err());
        assert!(Certificate::read(&[MAGIC, &garbage(&mut random)].concat()).is_err());
        let content = garbage(&mut random);
        assert!(Certificate::read(&[MAGIC, &xxh3_64(&content).to_le_bytes(), &content].concat()).is_err());
    }
    assert!(Certificate::read(&[&bytes[..], b"x"].concat()).is_err());
    assert!(Certificate::read(&[b"verify certificate 9\n", &bytes[MAGIC.len()..]].concat()).is_err());
    // One bit of the content with the right checksum, where that is still a list.
    let start = MAGIC.len() + 8;
    let mut wrong = 0;
    for _ in 0..600 {
        let mut content = bytes[start..].to_vec();
        content[random.below((bytes.len() - start) as u64) as usize] ^= 1 << random.below(8);
        let file = [MAGIC, &xxh3_64(&content).to_le_bytes(), &content].concat();
        let Ok(other) = Certificate::read(&file) else { continue };
        if other.states != certificate.states {
            // (A way may lead to before the start, which a list cannot even say.)
            let count = other.states.len() as u32;
            let fits =
                std::panic::catch_unwind(|| (0..count).map(|number| other.states.get(number)).collect::<Vec<_>>());
            let is_right = fits.is_ok_and(|all| {
                all.iter().zip(0..).all(|(state, number)| state.way.is_none_or(|(before, _)| before < number))
                    && is_true(&all, &right, &actions)
            });
            let claim = certificate.claim.clone();
            let reason = program.refuses(Certificate { claim, states: other.states });
            assert_eq!(reason.is_none(), is_right, "{reason:?}");
            wrong += usize::from(!is_right);
        }
    }
    assert!(wrong >= 100, "{wrong}");
}

/// What a certificate claims is what is asked.
#[test]
fn other_claims_are_refused() {
    let program = Program::new("examples/queue.c");
    let certificate = program.certificate();
    for other in ["examples/bank_fixed.c", "examples/queue.c -DBROKEN", "examples/queue.c -O1"] {
        let other = Program::new(other);
        let reason = other.refuses(certificate.clone()).expect("another program");
        assert!(reason.contains("another program"), "{reason}");
        // Neither does it hold with a hash that was put right.
        if let Ok(forged) = certify::forge(&other.request, Arc::clone(&other.module)) {
            let claim = certificate::Claim { code: forged.claim.code, ..certificate.claim.clone() };
            let reason = other.refuses(Certificate { claim, ..certificate.clone() });
            assert!(reason.is_some() || forged.states == certificate.states, "{reason:?}");
        }
    }
    for options in [
        "--check assertion",
        "--race-model sc",
        "--leaks all",
        "--spurious-wakeups",
        "--interference sync",
        "--interference all",
        "--max-steps 1000",
        "--nondet 2",
        "--symbolic off",
        "--uninitialised zero",
        "--reuse off",
        "--env A=B",
        "--file verify.toml=Cargo.toml",
        "--symbolic-stdin 1",
    ] {
        let asked = request(&format!("examples/queue.c {options}"));
        let reason = program.refuses_with(&asked, certificate.clone()).expect(options);
        assert!(reason.contains("other options"), "{options}: {reason}");
    }
    // How it is explored does not matter.
    for options in ["--engine states", "--engine optimal", "--keep-going", "--cutoffs off", "--alternatives 2"] {
        let asked = request(&format!("examples/queue.c {options}"));
        assert_eq!(program.refuses_with(&asked, certificate.clone()), None, "{options}");
    }
    let mut fewer = certificate.clone();
    fewer.claim.assumptions.pop().expect("there are some");
    let mut more = certificate.clone();
    more.claim.assumptions.push("the-moon-is-full".to_owned());
    let mut settings = certificate.clone();
    settings.claim.settings.pop();
    // With spurious wake-ups there are other states, whatever the claim says.
    let asked = request("examples/queue.c --spurious-wakeups");
    let mut said = certificate.clone();
    said.claim
        .settings
        .iter_mut()
        .filter(|(name, _)| name == "spurious-wakeups")
        .for_each(|(_, value)| *value = "true".into());
    for (what, request, wrong) in [
        ("an assumption too few", &program.request, fewer),
        ("one too many", &program.request, more),
        ("a setting too few", &program.request, settings),
        ("a setting that is not so", &asked, said),
    ] {
        assert!(program.refuses_with(request, wrong).is_some(), "{what}");
    }
}

/// Programs of each kind of bug are refused, though their certificates have all states; the repaired ones are not.
#[test]
fn programs_that_are_wrong_are_refused() {
    for kind in Kind::ALL.map(Kind::name) {
        let program = Program::new(&format!("examples/kinds/{kind}.c"));
        let forged = certify::forge(&program.request, Arc::clone(&program.module)).expect(kind);
        if let Some(reason) = program.several_refuse(&forged, 1) {
            assert!(reason.contains("the program is wrong"), "{kind}: {reason}");
        } else {
            panic!("three do not find {kind}");
        }
        let reason = program.refuses(forged).unwrap_or_else(|| panic!("{kind} is not found"));
        assert!(reason.contains("the program is wrong") && reason.ends_with(&format!("({kind})")), "{kind}: {reason}");
        let program = Program::new(&format!("examples/kinds/{kind}-fixed.c"));
        let certificate = program.certificate();
        assert_eq!(program.several_refuse(&certificate, 1), None, "{kind}");
        assert_eq!(program.refuses(certificate), None, "{kind}");
    }
}

/// Bugs of which no single state knows are refused, and what only looks like one is not.
#[test]
fn what_goes_on_for_ever_is_found() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.c");
    for (text, refusal) in [(HELD, Some("cancel")), (SPINS_A_WHILE, None), (SERVES, None), (SPINS, Some("livelock"))] {
        std::fs::write(&file, text).expect("it can be written");
        let program = Program::new(file.to_str().expect("a plain name"));
        let forged = certify::forge(&program.request, Arc::clone(&program.module));
        let reason = match forged {
            Ok(forged) => {
                let several = program.several_refuse(&forged, 1);
                assert_eq!(several.is_some(), refusal.is_some(), "{text}: {several:?}");
                program.refuses(forged)
            }
            Err(reason) => Some(reason),
        };
        let fits = match (&reason, refusal) {
            (Some(reason), Some(part)) => reason.contains(part),
            (reason, refusal) => reason.is_none() && refusal.is_none(),
        };
        assert!(fits, "{text}: {reason:?}");
    }
}

#[test]
fn options_for_engines_are_none_for_the_walk() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, SPINS_FOR_TWO).expect("it can be written");
    let file = file.to_str().expect("a plain name");
    let (waits, runs) = (Program::new(&format!("--awaits assumptions {file}")), Program::new(file));
    let (one, other) = (waits.certificate(), runs.certificate());
    assert_eq!(one.states.len(), other.states.len());
    assert_eq!((runs.refuses(one), waits.refuses(other)), (None, None));
}

/// Two threads join one another, and a third one goes on that might cancel them and does not.
const HELD: &str = "
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_t first, second;
atomic_int go, turns;
void *one(void *p) { while (!go); pthread_join(second, 0); return p; }
void *two(void *p) { while (!go); pthread_join(first, 0); return p; }
int main(int argc, char **argv) {
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  go = 1;
  for (;;) {
    turns = !turns;
    if (argc > 1) pthread_cancel(first);
  }
}";

/// A thread spins until another one has set a flag.
const SPINS_A_WHILE: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *set(void *p) { flag = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  while (!flag);
  pthread_join(t, 0);
}";

/// A thread spins until another one has set both of two flags.
const SPINS_FOR_TWO: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int one, two;
void *set(void *p) { one = 1; two = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  while (!one || !two);
  pthread_join(t, 0);
}";

/// Two threads wake one another for ever.
const SERVES: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn;
void *serve(void *p) {
  for (;;) { while (turn != 1); turn = 0; }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  for (;;) { while (turn != 0); turn = 1; }
}";

/// Nobody sets the flag.
const SPINS: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, other;
void *set(void *p) { other = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  while (!flag);
  pthread_join(t, 0);
}";
