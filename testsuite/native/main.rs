//! Random concurrent C programs that are safe, as this tool says, are run natively again and again: nothing may fail.
//!
//! Before every statement comes a random delay. Compilers, levels of optimisation, allocators and their settings vary;
//! with `SANITIZERS=1` (as `scripts/fuzz` sets it) ThreadSanitizer and AddressSanitizer are among them. Programs whose
//! "safe" assumes sequential consistency are left out. `VERIFY_PROGRAMS`, `VERIFY_SEED` and `NATIVE_RUNS` choose how
//! many programs, which, and how often each is run in each of two ways.

#[path = "../fuzz/around.rs"]
#[allow(dead_code, reason = "the other test uses the rest of what is shared")]
mod around;
mod build;
#[path = "../../por/tests/oracle/campaign.rs"]
#[allow(unreachable_pub, reason = "it is shared with another test")]
mod campaign;
#[path = "../fuzz/generate/mod.rs"]
#[allow(dead_code, reason = "the other test uses the rest of what is shared")]
mod generate;
#[path = "../fuzz/program.rs"]
#[allow(dead_code, reason = "the other test uses the rest of what is shared")]
mod program;
#[path = "../fuzz/render.rs"]
#[allow(dead_code, reason = "the other test uses the rest of what is shared")]
mod render;
#[path = "../fuzz/spins.rs"]
mod spins;

use build::{PLAINLY, SANITIZED, Way};
use campaign::{programs, setting};
use interp::fault::Fault;
use interp::{Assumption, Machine, Options};
use por::{Ending, Flow, Listener, Move, Outcome};
use program::{Program, Rounds, Statement};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Programs that compilers compile at once.
const BATCH: u64 = 50;
/// Executions beyond which a program is left out.
const MOST: u64 = 2_000;

#[test]
fn what_is_safe_never_fails() {
    let (programs, first) = (programs("VERIFY_PROGRAMS", [30, 60]), setting("VERIFY_SEED", 0));
    let times = setting("NATIVE_RUNS", 20);
    let (seeds, runs) = (AtomicU64::new(0), AtomicU64::new(0));
    campaign::run("safe concurrent C programs, natively", first, programs, |batch| {
        let begin = first.wrapping_add(batch * BATCH);
        let (safe, ran) = run_batch(begin..begin.wrapping_add(BATCH), batch, times);
        seeds.fetch_add(BATCH, Ordering::Relaxed);
        runs.fetch_add(ran, Ordering::Relaxed);
        safe
    });
    let (seeds, runs) = (seeds.into_inner(), runs.into_inner());
    println!("{runs} native runs of the safe ones among {seeds} programs");
    assert!(runs >= programs * times, "too few runs");
}

/// How many of these programs are safe, and how many native runs of them there were.
fn run_batch(seeds: Range<u64>, batch: u64, times: u64) -> (u64, u64) {
    let generate = [generate::program, generate::ending, generate::stores][(batch % 3) as usize];
    let programs: Vec<Program> = seeds.clone().map(generate).filter(|program| !is_ours(program)).collect();
    let rounds = if batch.is_multiple_of(2) { Rounds::Two } else { Rounds::Any };
    let text = program::unit(&programs, rounds);
    let safe = safe(&text, programs.len());
    if safe.is_empty() {
        return (0, 0);
    }
    let other = PLAINLY[(batch % PLAINLY.len() as u64) as usize];
    let sanitized = SANITIZED[(batch % SANITIZED.len() as u64) as usize];
    let next = PLAINLY[((batch + 3) % PLAINLY.len() as u64) as usize];
    let ways = [other, if setting("SANITIZERS", 0) != 0 { sanitized } else { next }];
    let mut runs = 0;
    for way in ways {
        let (some, times): (Vec<usize>, u64) = match way.tsan {
            // (It takes ten times as long, and finds what is unordered whenever that comes.)
            true => (safe.iter().copied().filter(|at| !fences(&programs[*at])).collect(), times.div_ceil(10)),
            false => (safe.clone(), times),
        };
        for ran in build::run(&text, &some, times, way) {
            runs += ran.times;
            if let Some(failure) = ran.failure {
                fail(seeds, &programs[ran.number], rounds, way, &failure);
            }
        }
    }
    (safe.len() as u64, runs)
}

/// Whether it is one for this tool alone: atomic blocks are nothing that a machine could run.
fn is_ours(program: &Program) -> bool {
    program.has(|s| matches!(s, Statement::Block { .. } | Statement::Permuted { block: true, .. }))
}

/// Whether ThreadSanitizer would not understand it.
fn fences(program: &Program) -> bool {
    program.has(|s| matches!(s, Statement::Fence { .. }))
}

fn fail(seeds: Range<u64>, program: &Program, rounds: Rounds, way: Way, failure: &str) -> ! {
    let text = program::unit(std::slice::from_ref(program), rounds);
    panic!("VERIFY_SEED={}, {way:?}: called safe, but: {failure}\n{text}", seeds.start);
}

/// Numbers of the programs that are safe whatever the orders of atomic accesses are.
fn safe(text: &str, count: usize) -> Vec<usize> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, text).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend::Options::default());
    let module = Arc::new(loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).module);
    let registry = runtime_model::registry();
    let is_safe = |number: &usize| {
        let arguments = vec!["program".to_owned(); number + 1];
        let machine = Machine::new(Arc::clone(&module), registry, Options { arguments, ..Options::default() });
        explored(machine.expect("it can be run"))
    };
    (0..count).filter(is_safe).collect()
}

fn explored(mut machine: Machine) -> bool {
    loop {
        let mut running = machine.clone();
        let mut safe = Safe(true);
        let options = por::Options { max_executions: Some(MOST), max_depth: 2_000, ..por::Options::default() };
        match interp::engines::explore(&mut running, &options, &mut safe).0 {
            Outcome::Restart => machine.learn_from(&running),
            outcome => {
                let strong = running.assumptions().all(|assumed| assumed != Assumption::SequentialConsistency);
                return safe.0 && strong && outcome == Outcome::Complete;
            }
        }
    }
}

/// Whether nothing was found so far.
struct Safe(bool);

impl Listener<Machine> for Safe {
    fn execution(&mut self, _: &Machine, _: Ending, _: &[Move]) -> Flow {
        Flow::Continue
    }

    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        self.0 = false;
        Flow::Stop
    }

    fn unknown(&mut self, _: String) -> Flow {
        self.0 = false;
        Flow::Stop
    }
}
