//! What is checked of one case: its own expectations first, then that every way of exploring agrees.

use crate::header::{Case, Verdict};
use crate::run::{Answer, Violation, native, replay, shown_output, verify_as_users_do};
use crate::session::{Session, limits_memory};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Checks a case; a known bug must still be one.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    match (check_all(case), &case.known_bug) {
        (result, None) => result,
        (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some(bug)) => Err(format!("holds now; remove `//@ known-bug: {bug}`")),
    }
}

fn check_all(case: &Case) -> Result<(), String> {
    let mut session = Session::begin()?;
    let alone = is_checked_alone(case);
    let first = if alone { verify_as_users_do(case)? } else { session.ask(case, 0, &[])? };
    expected(case, &first).map_err(|e| format!("{e}\n  default options: {}", first.text))?;
    engines(case, &mut session)?;
    side_by_side(case, &mut session, &first)?;
    certificate(case, &mut session)?;
    // The same again, in a process that has done many other things before.
    let again = match first.verdict == "unsafe" && is_replayed(case) {
        true => saved_and_replayed(case, &mut session)?,
        false => session.ask(case, 0, &[])?,
    };
    if first.text != again.text {
        return Err(format!("two runs differ:\n  {}\n  {}", first.text, again.text));
    }
    session.end();
    if let Some(text) = &case.output {
        let shown = shown_output(case)?;
        if !shown.contains(text) {
            return Err(format!("`{text}` is not in the output:\n{shown}"));
        }
    }
    if case.native && is_drawn(case, "native", 3) {
        native(case)?;
    }
    Ok(())
}

/// Whether these are the tests of `scripts/test full`.
fn is_full() -> bool {
    std::env::var_os("VERIFY_TESTS").is_some_and(|tests| tests == "full")
}

/// Whether an engine explores the case, apart from what else the case says of it: not in the ordinary tests if it takes
/// long.
fn has_time_for(case: &Case, engine: &str) -> bool {
    is_full() || !case.slow.iter().any(|slow| slow == engine)
}

/// Whether the case has a process of its own as well, as users have: in the ordinary tests one case of eight; in the
/// full ones each.
fn is_checked_alone(case: &Case) -> bool {
    is_drawn(case, "alone", 8)
}

/// Whether what is found is saved, and taken again by another process: in the ordinary tests for one case of four.
/// (What exploring has taught the machine, and what is saved of that, are two things.)
fn is_replayed(case: &Case) -> bool {
    is_drawn(case, "replayed", 4)
}

/// Whether the case is one of so many that are checked in this way in the ordinary tests.
fn is_drawn(case: &Case, way: &str, of: u64) -> bool {
    is_full() || lot(case, way).is_multiple_of(of)
}

/// Whether the ordinary tests take this way, numbered from 0, for the case; the full ones take all of them.
fn is_taken(case: &Case, which: &str, way: u64, of: u64) -> bool {
    is_full() || lot(case, which) % of == way
}

/// A number that the case's name draws, always the same one.
fn lot(case: &Case, what: &str) -> u64 {
    let path = case.path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&case.path);
    let mut hasher = DefaultHasher::new();
    (what, path.as_os_str().as_encoded_bytes(), &case.revision).hash(&mut hasher);
    hasher.finish()
}

/// The answer to a run that saves its schedule, which another process then takes again.
fn saved_and_replayed(case: &Case, session: &mut Session) -> Result<Answer, String> {
    let directory = tempfile::tempdir().map_err(|e| format!("no temporary directory: {e}"))?;
    let file = directory.path().join("bug.trace");
    let name = file.to_str().ok_or("the temporary directory has a strange name")?;
    let answer = session.ask(case, 0, &["--save-trace", name])?;
    let replayed = replay(&file)?;
    match replayed.found == answer.found {
        true => Ok(answer),
        false => Err(format!("the replay differs:\n  {}\n  {}", answer.text, replayed.text)),
    }
}

/// The verdict, its kind and its lines, and what it rests on.
fn expected(case: &Case, answer: &Answer) -> Result<(), String> {
    let named = |name: &&String| answer.assumptions.contains(*name);
    if let Some(name) = case.assumes.iter().find(|name| !named(name)) {
        return Err(format!("the assumption {name} is not named"));
    }
    if let Some(name) = case.assumes_not.iter().find(named) {
        return Err(format!("the assumption {name} is named"));
    }
    match &case.verdict {
        Verdict::Safe if answer.verdict == "safe" => Ok(()),
        Verdict::Unknown(part) if answer.verdict == "unknown" => match answer.reason.contains(part.as_str()) {
            true => Ok(()),
            false => Err(format!("unknown for another reason: {}", answer.reason)),
        },
        Verdict::Unsafe(kind) if answer.verdict == "unsafe" => {
            if !answer.violations.iter().any(|v| v.kind == *kind) {
                return Err(format!("unsafe, but not `{kind}`: {:?}", answer.violations));
            }
            match answer.violations.iter().find(|v| !marked(case, v)) {
                Some(stray) => Err(format!("unexpected {} in line {}", stray.kind, stray.line)),
                None => Ok(()),
            }
        }
        wanted => Err(format!("verdict {} instead of {wanted:?}: {}", answer.verdict, answer.reason)),
    }
}

fn marked(case: &Case, violation: &Violation) -> bool {
    case.marks.iter().any(|m| m.kind == violation.kind && m.line == violation.line)
}

/// Whether a kind of violation has one place. A race has two and a deadlock many, and which of them is named depends
/// on the order in which an engine happens to execute independent actions.
fn has_one_place(kind: &str) -> bool {
    kind != "data-race" && kind != "deadlock"
}

/// Engines side by side: whichever answers, the answer is the same, though it may be another one of several bugs. (In
/// the ordinary tests one case of eight is asked.)
fn side_by_side(case: &Case, session: &mut Session, usual: &Answer) -> Result<(), String> {
    if limits_memory(case) || !is_drawn(case, "side by side", 8) {
        return Ok(());
    }
    let answer = session.ask(case, 0, &["--jobs", "3", "--debug-jobs"])?;
    let is_right = answer.verdict == usual.verdict
        && answer.violations.iter().all(|violation| marked(case, violation))
        && (answer.verdict != "unknown" || expected(case, &answer).is_ok());
    if is_right { Ok(()) } else { Err(format!("side by side: {}", answer.text)) }
}

/// Everything explored, by every engine. (Of several settings of an engine, and of the two engines that go all ways,
/// the ordinary tests take one at most: which, the case's name draws. A feature has several programs, so that it meets
/// them all.)
fn engines(case: &Case, session: &mut Session) -> Result<(), String> {
    if let Some(most) = case.samples {
        return samples(case, session, most);
    }
    if case.states_only {
        return states_alone(case, session);
    }
    if !case.ends {
        return endless(case, session);
    }
    let all = ["--keep-going", "--engine", "unfolding", "--cutoffs", "off"];
    let optimal = run(session, case, 0, "optimal", &[&all[..], &["--alternatives", "optimal"]].concat())?;
    counts(case, &optimal).map_err(|e| format!("{e}\n  optimal alternatives: {}", optimal.text))?;
    complete(case, &optimal)?;
    for order in 1..case.orders {
        let permuted = run(session, case, order, "permuted", &[&all[..], &["--alternatives", "optimal"]].concat())?;
        counts(case, &permuted).map_err(|e| format!("{e}\n  -DORDER={order}: {}", permuted.text))?;
        // After a race, which thread stops depends on who comes second, and with it what happens later.
        let names: &[_] = if races(&optimal) { &["executions"] } else { &["executions", "events"] };
        for name in names {
            same(name, &optimal, &permuted).map_err(|e| format!("-DORDER={order}: {e}"))?;
        }
    }
    for (way, k) in [(0, "1"), (1, "2")] {
        if !is_taken(case, "alternatives", way, 4) {
            continue;
        }
        let partial = run(session, case, 0, "partial", &[&all[..], &["--alternatives", k]].concat())?;
        agree(&optimal, &partial).map_err(|e| format!("--alternatives {k}: {e}"))?;
        let at_all = partial.count("executions")? + partial.count("blocked")?;
        if at_all < optimal.count("executions")? {
            return Err(format!("--alternatives {k} explores only {at_all}: {}", partial.text));
        }
    }
    for (way, k) in [(0, "1"), (1, "optimal")] {
        if !is_taken(case, "cutoffs", way, 4) {
            continue;
        }
        let options = ["--keep-going", "--debug-states=2000", "--cutoffs", "on", "--alternatives", k];
        let cut = run(session, case, 0, "cutoffs", &options)?;
        agree(&optimal, &cut).map_err(|e| format!("--cutoffs on --alternatives {k}: {e}"))?;
        if cut.count("executions")? > optimal.count("executions")? && k == "optimal" {
            return Err(format!("more executions with cutoffs: {}", cut.text));
        }
    }
    sequences(case, session, &optimal)?;
    let (by_interleavings, by_states) =
        (case.naive && has_time_for(case, "naive"), case.states && has_time_for(case, "states"));
    if by_interleavings && (!by_states || is_taken(case, "all ways", 0, 2)) {
        let naive = run(session, case, 0, "naive", &["--keep-going", "--engine", "naive"])?;
        agree(&optimal, &naive).map_err(|e| format!("naive engine: {e}"))?;
        if naive.count("executions")? < optimal.count("executions")? {
            return Err(format!("fewer interleavings than executions: {}", naive.text));
        }
    }
    if by_interleavings && !is_taken(case, "all ways", 1, 2) {
        return Ok(());
    }
    states(case, session, &optimal)
}

/// What is safe has a certificate, which holds: a walk through all states finds nothing either. There is none only for
/// these reasons.
fn certificate(case: &Case, session: &mut Session) -> Result<(), String> {
    // (What takes the engine `states` long has too many states for the ordinary tests.)
    let is_long = case.states_only || !has_time_for(case, "states");
    let is_asked = is_drawn(case, "certificate", 3) && (is_full() || !is_long);
    if case.verdict != Verdict::Safe || !case.states || !is_asked {
        return Ok(());
    }
    let most = if is_full() { "1000000" } else { "20000" };
    let file = tempfile::NamedTempFile::new().map_err(|e| format!("no temporary file: {e}"))?;
    let name = file.path().to_str().ok_or("the temporary directory has a strange name")?;
    let answer = run(session, case, 0, "certified", &["--certify", name, "--certify-states", most])?;
    if let Some(reason) = answer.certificate["reason"].as_str() {
        let usual = ["there are more than", "cannot be told apart", "--layouts", "bugs are suppressed"];
        return match usual.iter().any(|usual| reason.contains(usual)) {
            true => Ok(()),
            false => Err(format!("no certificate: {reason}")),
        };
    }
    let checked = session.certificate(case, name)?;
    match checked["verdict"] == "safe" && checked["stats"]["states"] == answer.certificate["states"] {
        true => Ok(()),
        false => Err(format!("the certificate ({}) does not hold: {checked}", answer.certificate)),
    }
}

/// Seeds with which samples are counted.
const SEEDS: usize = 20;

/// Samples alone find the bug, with each seed, and soon with most of them.
fn samples(case: &Case, session: &mut Session, most: u64) -> Result<(), String> {
    let mut needed = Vec::new();
    for seed in 0..SEEDS {
        let seed = seed.to_string();
        needed.push(run(session, case, 0, "samples", &["--hunt", "only", "--seed", &seed])?.count("samples")?);
    }
    needed.sort_unstable();
    let median = needed[SEEDS / 2 - 1];
    if median > most { Err(format!("the bug takes {needed:?} samples; the median is to be {most}")) } else { Ok(()) }
}

/// Each state once.
fn states(case: &Case, session: &mut Session, other: &Answer) -> Result<(), String> {
    if !case.states || !has_time_for(case, "states") {
        return Ok(());
    }
    let answer = run(session, case, 0, "states", &["--keep-going", "--engine", "states"])?;
    agree(other, &answer).map_err(|e| format!("--engine states: {e}"))?;
    complete(case, &answer).map_err(|e| format!("--engine states: {e}"))
}

/// Each state once, in depth, in breadth, and with all actions between states.
fn states_alone(case: &Case, session: &mut Session) -> Result<(), String> {
    let depth = run(session, case, 0, "depth", &["--keep-going"])?;
    complete(case, &depth)?;
    for (what, option) in [("breadth", &["--shortest"][..]), ("all actions", &["--sleep-sets", "off"])] {
        let other = run(session, case, 0, what, &[&["--keep-going"], option].concat())?;
        agree(&depth, &other).map_err(|e| format!("{what}: {e}"))?;
        same("states", &depth, &other).map_err(|e| format!("{what}: {e}"))?;
    }
    Ok(())
}

/// The engines that explore sequences against the unfolding with optimal alternatives.
fn sequences(case: &Case, session: &mut Session, unfolding: &Answer) -> Result<(), String> {
    // (Where executions are not counted one of them will do, the one that leaves out most: the oracle compares them
    // all.)
    let known = if case.executions.is_none() { 2 } else { 0 };
    for (way, engine) in [(0, "source"), (1, "optimal"), (2, "observers")].into_iter().skip(known) {
        if engine != "observers" && !is_taken(case, "sequences", way, 2) {
            continue;
        }
        let wrong = |e| format!("--engine {engine}: {e}");
        let answer = run(session, case, 0, engine, &["--keep-going", "--engine", engine])?;
        agree(unfolding, &answer).map_err(wrong)?;
        complete(case, &answer).map_err(wrong)?;
        let [most, explored, blocked] = [
            unfolding.count("executions")? + unfolding.count("pruned")?,
            answer.count("executions")? + answer.count("pruned")?,
            if case.blocked { 0 } else { answer.count("blocked")? },
        ];
        // (After a race, which thread stops depends on who comes second, and with it what happens later.)
        let right = races(unfolding)
            || match engine {
                "source" => explored == most,
                "optimal" => explored == most && blocked == 0,
                // (Who fails an assumption waits with the others, by default.)
                _ => answer.count("executions")? <= unfolding.count("executions")? && blocked == 0,
            };
        if !right {
            return Err(wrong(format!("{explored} executions, {blocked} blocked, instead of {most}: {}", answer.text)));
        }
        // Three workers explore as many, unless executions end at races. (In the ordinary tests one case of eight
        // is asked.)
        if engine != "source" && !limits_memory(case) && is_checked_alone(case) {
            let wrong = |e| format!("--engine {engine} --jobs 3: {e}");
            let jobs = ["--keep-going", "--engine", engine, "--jobs", "3", "--debug-jobs"];
            let shared = run(session, case, 0, engine, &jobs)?;
            agree(&answer, &shared).map_err(wrong)?;
            for count in ["executions", "pruned", "blocked"].into_iter().filter(|_| !races(unfolding)) {
                same(count, &answer, &shared).map_err(wrong)?;
            }
        }
        if let Some(wanted) = case.observers.filter(|_| engine == "observers")
            && answer.count("executions")? != wanted
        {
            return Err(wrong(format!("{} executions instead of {wanted}", answer.count("executions")?)));
        }
        if engine == "observers" && (case.alike.is_some() || is_checked_alone(case)) {
            up_to_exchange(case, session, &answer).map_err(|e| format!("--symmetry on: {e}"))?;
        }
    }
    Ok(())
}

/// Threads that nothing tells apart, up to exchange.
fn up_to_exchange(case: &Case, session: &mut Session, apart: &Answer) -> Result<(), String> {
    let answer = run(session, case, 0, "symmetry", &["--keep-going", "--engine", "observers", "--symmetry", "on"])?;
    agree(apart, &answer)?;
    complete(case, &answer)?;
    let [executions, most] = [answer.count("executions")?, apart.count("executions")?];
    let right = races(apart) || executions <= most && (case.blocked || answer.count("blocked")? == 0);
    if !right {
        return Err(format!("{executions} executions instead of {most}: {}", answer.text));
    }
    let Some(wanted) = case.alike else { return Ok(()) };
    let optimal = run(session, case, 0, "symmetry", &["--keep-going", "--engine", "optimal", "--symmetry", "on"])?;
    let [executions, blocked] = [optimal.count("executions")?, optimal.count("blocked")?];
    let right = races(apart) || (executions, blocked) == (wanted, 0);
    if right { Ok(()) } else { Err(format!("{executions} executions, {blocked} blocked, instead of {wanted}")) }
}

/// With cutoffs alone; once with fingerprints checked. Which events are cut depends on the order of exploration, so
/// only violations are compared.
fn endless(case: &Case, session: &mut Session) -> Result<(), String> {
    let all = ["--keep-going", "--cutoffs", "on", "--alternatives"];
    let optimal = run(session, case, 0, "optimal", &[&all[..], &["optimal"]].concat())?;
    complete(case, &optimal)?;
    for (way, k, more) in [(0, "1", &[][..]), (1, "2", &["--debug-states=2000"])] {
        if !is_taken(case, "alternatives", way, 2) {
            continue;
        }
        let partial = run(session, case, 0, "partial", &[&all[..], &[k], more].concat())?;
        agree(&optimal, &partial).map_err(|e| format!("--alternatives {k}: {e}"))?;
    }
    for order in 1..case.orders {
        let permuted = run(session, case, order, "permuted", &[&all[..], &["optimal"]].concat())?;
        agree(&optimal, &permuted).map_err(|e| format!("-DORDER={order}: {e}"))?;
    }
    states(case, session, &optimal)?;
    case.awaits.map_or(Ok(()), |wanted| awaits(case, session, &optimal, wanted))
}

/// Where threads that spin wait, executions do have an end.
fn awaits(case: &Case, session: &mut Session, cutoffs: &Answer, wanted: u64) -> Result<(), String> {
    let unfolding = &["--cutoffs", "off", "--awaits", "on", "--alternatives", "optimal"][..];
    for engine in ["unfolding", "source", "optimal", "observers"] {
        let wrong = |e| format!("--engine {engine}, awaits: {e}");
        let more = if engine == "unfolding" { unfolding } else { &[] };
        let answer = run(session, case, 0, engine, &[&["--keep-going", "--engine", engine], more].concat())?;
        agree(cutoffs, &answer).map_err(wrong)?;
        let [executions, pruned, blocked] =
            [answer.count("executions")?, answer.count("pruned")?, answer.count("blocked")?];
        let wanted = if engine == "observers" { case.observers.unwrap_or(wanted) } else { wanted };
        // (After a race, who stops depends on who comes second.)
        let counts =
            executions == wanted && pruned == case.in_vain.unwrap_or(0) && (blocked == 0 || engine == "source");
        if !counts && !races(&answer) {
            return Err(wrong(format!(
                "{executions} executions, {pruned} pruned, {blocked} blocked instead of {wanted}, {} pruned",
                case.in_vain.unwrap_or(0)
            )));
        }
    }
    Ok(())
}

fn run(session: &mut Session, case: &Case, order: u32, what: &str, options: &[&str]) -> Result<Answer, String> {
    let answer = session.ask(case, order, options)?;
    expected(case, &answer).map_err(|e| format!("{what}: {e}\n  {options:?}: {}", answer.text))?;
    Ok(answer)
}

/// The numbers that the header states, and none blocked unless it says so.
fn counts(case: &Case, answer: &Answer) -> Result<(), String> {
    let wanted = [
        ("executions", case.executions),
        ("pruned", case.pruned),
        ("paths", case.paths),
        ("events", case.events),
        ("promoted", case.promoted),
        ("blocked", (!case.blocked).then_some(0)),
    ];
    for (name, wanted) in wanted {
        if let Some(wanted) = wanted
            && answer.count(name)? != wanted
        {
            return Err(format!("{name}: {} instead of {wanted}", answer.count(name)?));
        }
    }
    Ok(())
}

fn same(name: &str, one: &Answer, other: &Answer) -> Result<(), String> {
    match one.count(name)? == other.count(name)? {
        true => Ok(()),
        false => Err(format!("{name}: {} and {}", one.count(name)?, other.count(name)?)),
    }
}

/// Every marked line is reported when exploration goes on after a violation. (A free that races with a use may show as
/// either, and a race that is marked beside the verdict's violation need not show.)
fn complete(case: &Case, answer: &Answer) -> Result<(), String> {
    for mark in &case.marks {
        let reported = |v: &Violation| v.kind == mark.kind && (v.line == mark.line || !has_one_place(&v.kind));
        let may_hide = mark.kind == "data-race" && case.verdict != Verdict::Unsafe(mark.kind.clone());
        if !may_hide && !answer.violations.iter().any(reported) {
            return Err(format!("the {} in line {} is not reported: {}", mark.kind, mark.line, answer.text));
        }
    }
    Ok(())
}

fn races(answer: &Answer) -> bool {
    answer.violations.iter().any(|v| v.kind == "data-race")
}

/// Two engines found the same. After a race the threads concerned stop, and which of them comes second is not told
/// apart by the reductions, so beside a race only the verdict counts.
fn agree(one: &Answer, other: &Answer) -> Result<(), String> {
    let kinds = |a: &Answer| a.violations.iter().map(|v| v.kind.clone()).collect::<BTreeSet<_>>();
    let places = |a: &Answer| -> BTreeSet<Violation> {
        a.violation_set().into_iter().filter(|v| has_one_place(&v.kind)).collect()
    };
    let equal = races(one) || races(other) || kinds(one) == kinds(other) && places(one) == places(other);
    match equal && one.verdict == other.verdict {
        true => Ok(()),
        false => Err(format!("disagrees:\n  {}\n  {}", one.text, other.text)),
    }
}
