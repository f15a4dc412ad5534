//! Reports for the tests of formats.
use super::case::{Case, Expected};
use super::{
    Event, Frame, Narrowed, Place, Profile, Reason, Related, Report, Stack, Statistics, Step, Suppressed, Thread,
    Unfolding, Verdict, Violation,
};
use interp::fault::Kind;

/// A race between two threads that count.
pub(crate) fn race() -> Report {
    let (main, first, second) = (thread(0, "main"), thread(1, "count"), thread(2, "count"));
    let step = |thread: &Thread, action: &str, line, created: &Thread, after: &[usize]| Step {
        thread: thread.clone(),
        action: action.to_owned(),
        library: None,
        place: Some(place("main", line)),
        value: Some(format!("as thread {}", created.number)),
        access: None,
        effect: super::Effect::Creates(created.clone()),
        holds: Vec::new(),
        after: Some(after.to_vec()),
    };
    let violation = Violation {
        kind: Kind::DataRace,
        rule: None,
        rests_on_unwritten: false,
        message: "data race on `c`: read by thread 2 and write by thread 1, which nothing orders".to_owned(),
        place: Some(place("count", 5)),
        thread: second.clone(),
        related: vec![
            Related {
                message: "conflicting write by thread 1".to_owned(),
                thread: Some(first.clone()),
                steps: Some(0),
                place: Some(place("count", 6)),
                frames: vec![frame("count", Some(6))],
                waits_for: Vec::new(),
            },
            Related {
                message: "the program was started here".to_owned(),
                thread: None,
                steps: None,
                place: None,
                frames: Vec::new(),
                waits_for: Vec::new(),
            },
        ],
        stacks: vec![
            Stack { thread: second.clone(), frames: vec![frame("add", Some(5)), frame("count", Some(9))] },
            Stack { thread: first.clone(), frames: vec![frame("count", Some(6))] },
            Stack { thread: main.clone(), frames: vec![frame("main", None)] },
        ],
        trace: vec![
            step(&main, "creates a thread that runs the function `count`", 20, &first, &[]),
            step(&main, "creates a thread that runs the function `count`", 21, &second, &[0]),
        ],
        given: None,
        output: Some("hello".to_owned()),
        replay: None,
    };
    Report {
        verdict: Verdict::Unsafe,
        reasons: Vec::new(),
        stopped_early: true,
        sampling: None,
        code: None,
        is_accepted: false,
        checkpoint: None,
        advice: Vec::new(),
        assumptions: vec!["allocation-succeeds".to_owned(), "sequential-consistency".to_owned()],
        narrowed: None,
        violations: vec![violation],
        suppressed: Vec::new(),
        statistics: Statistics {
            executions: 1234,
            blocked: 2,
            events: 2468,
            threads: 3,
            instructions: 1_000_000,
            seconds: 0.12345,
            peak_memory_bytes: 20 << 20,
            ..Statistics::default()
        },
        profile: None,
        answered: None,
        certificate: None,
        unfolding: None,
    }
}

/// Two threads that take two locks in two orders.
pub(crate) fn deadlock() -> Report {
    let (main, other) = (thread(0, "main"), thread(1, "other"));
    let step = |thread: &Thread, action: &str, line, effect, holds: &[&str], after: &[usize]| Step {
        thread: thread.clone(),
        action: action.to_owned(),
        library: None,
        place: Some(place("main", line)),
        value: None,
        access: None,
        effect,
        holds: holds.iter().map(|lock| (*lock).to_owned()).collect(),
        after: Some(after.to_vec()),
    };
    let waits = |thread: &Thread, lock: &str, line, other: &Thread| Related {
        message: format!("{} waits for mutex `{lock}`", thread.name),
        thread: Some(thread.clone()),
        steps: None,
        place: Some(place("main", line)),
        frames: vec![frame("main", Some(line))],
        waits_for: vec![other.clone()],
    };
    let related = vec![waits(&main, "b", 14, &other), waits(&other, "a", 5, &main)];
    let sentences: Vec<&str> = related.iter().map(|related| related.message.as_str()).collect();
    let violation = Violation {
        kind: Kind::Deadlock,
        message: sentences.join("; "),
        place: Some(place("main", 14)),
        thread: main.clone(),
        stacks: Vec::new(),
        trace: vec![
            step(&main, "creates a thread", 12, super::Effect::Creates(other.clone()), &[], &[]),
            step(&main, "locks mutex `a`", 13, super::Effect::None, &["`a`"], &[0]),
            step(&other, "locks mutex `b`", 4, super::Effect::None, &["`b`"], &[0]),
        ],
        related,
        ..race().violations.remove(0)
    };
    Report { violations: vec![violation], ..race() }
}

/// Two writers, of which the second one leads to a known state.
pub(crate) fn unfolding() -> Unfolding {
    let steps = deadlock().violations.remove(0).trace.into_iter();
    let events = steps.enumerate().map(|(at, step)| Event { step, cutoff: at == 2 });
    Unfolding { events: events.collect(), conflicts: vec![(1, 2)] }
}

/// A proof.
pub(crate) fn safe() -> Report {
    Report { verdict: Verdict::Safe, violations: Vec::new(), ..race() }
}

/// A bug that is not to be reported.
pub(crate) fn suppressed() -> Suppressed {
    let Violation { kind, message, place, .. } = race().violations.remove(0);
    Suppressed { suppression: 0, kind, message, place, reason: "a statistic".to_owned() }
}

/// No answer.
pub(crate) fn unknown() -> Report {
    Report { verdict: Verdict::Unknown, reasons: vec![Reason::Interrupted], ..safe() }
}

/// A program of which a report says this, where a proof was expected.
pub(crate) fn case(report: Report) -> Case {
    Case { name: "race.c".to_owned(), expected: Expected::Safe, result: Ok(Box::new(report)), seconds: 0.12345 }
}

/// Figures as `--stats` adds them.
pub(crate) fn profile() -> Profile {
    Profile {
        time: vec![("loading", 0.1234), ("machine", 0.4)],
        engine: vec![("events_made", 12_345)],
        orders: vec![("`lock`".to_owned(), 7)],
    }
}

fn thread(number: u32, function: &str) -> Thread {
    Thread { number, name: format!("thread {number} (`{function}`)"), routine: Some(function.to_owned()) }
}

fn place(function: &str, line: u32) -> Place {
    Place { file: "/src/race.c".to_owned(), line, column: 3, function: function.to_owned() }
}

fn frame(function: &str, line: Option<u32>) -> Frame {
    Frame { function: function.to_owned(), place: line.map(|line| place(function, line)) }
}

/// Two kinds of bugs were not looked for.
pub(crate) fn narrowed() -> Narrowed {
    let left_out = vec![Kind::DataRace, Kind::Leak];
    let looked_for = Kind::ALL.into_iter().filter(|kind| !left_out.contains(kind)).collect();
    Narrowed { looked_for, left_out, origin: None }
}
