//! Reports for the tests of formats.
use super::{Frame, Place, Profile, Related, Report, Stack, Statistics, Step, Thread, Verdict, Violation};
use interp::fault::Kind;

/// A race between two threads that count.
pub(crate) fn race() -> Report {
    let (main, first, second) = (thread(0, "main"), thread(1, "count"), thread(2, "count"));
    let step = |thread: &Thread, action: &str, line, value: Option<&str>| Step {
        thread: thread.clone(),
        action: action.to_owned(),
        place: Some(place("main", line)),
        value: value.map(str::to_owned),
        effect: super::Effect::None,
        holds: Vec::new(),
        after: Vec::new(),
    };
    let violation = Violation {
        kind: Kind::DataRace,
        rule: None,
        message: "data race on `c`: read by thread 2 and write by thread 1, which nothing orders".to_owned(),
        place: Some(place("count", 5)),
        thread: second.clone(),
        related: vec![
            Related {
                message: "conflicting write by thread 1".to_owned(),
                thread: Some(first.clone()),
                place: Some(place("count", 6)),
                frames: vec![frame("count", Some(6))],
            },
            Related {
                message: "the program was started here".to_owned(),
                thread: None,
                place: None,
                frames: Vec::new(),
            },
        ],
        stacks: vec![
            Stack { thread: second, frames: vec![frame("add", Some(5)), frame("count", Some(9))] },
            Stack { thread: first, frames: vec![frame("count", Some(6))] },
            Stack { thread: main.clone(), frames: vec![frame("main", None)] },
        ],
        trace: vec![
            step(&main, "creates a thread that runs the function `count`", 20, Some("as thread 1")),
            step(&main, "creates a thread that runs the function `count`", 21, None),
        ],
        output: Some("hello".to_owned()),
        replay: None,
    };
    Report {
        verdict: Verdict::Unsafe,
        reasons: Vec::new(),
        stopped_early: true,
        assumptions: vec!["allocation-succeeds".to_owned(), "sequential-consistency".to_owned()],
        violations: vec![violation],
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
    }
}

/// Figures as `--stats` adds them.
pub(crate) fn profile() -> Profile {
    Profile { time: vec![("loading", 0.1234), ("machine", 0.4)], engine: vec![("events_made", 12_345)] }
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
