//! Other engines beside the usual one: which of them answers.
use crate::run::Files;
use crate::signals::interrupted;
use serde_json::Value;

/// The report about a program of the suite, which is safe.
fn safe(program: &str, options: &str) -> Value {
    let program = format!("{}/testsuite/{program}.c", env!("CARGO_MANIFEST_DIR"));
    let done = Files::new(&[]).run(&format!("--format json {options} {program}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    serde_json::from_str(&done.out).expect("it is JSON")
}

fn stop_flag(options: &str) -> Value {
    safe("scaling/stop_flag", options)
}

/// 138,948 states, and more than 100,000 actions of the other engines, which are not through then.
#[test]
fn a_program_with_few_states_is_answered_by_states() {
    let beside = safe("bench/spin/buffer", "--hunt off -DN=3");
    assert_eq!(beside["engine"], "states");
    let alone = safe("bench/spin/buffer", "--engine states -DN=3");
    assert_eq!(beside["stats"]["states"], alone["stats"]["states"]);
}

/// The orders of the stores to a flag do not count for `observers`: 2ⁿ - 1 executions, and thousands with cutoffs.
#[test]
fn a_program_with_a_flag_is_answered_by_observers() {
    let report = stop_flag("-DN=7");
    // (2^7 - 1, of which those are the same in which as many threads have seen the flag.)
    assert_eq!((&report["engine"], &report["stats"]["executions"]), (&"observers".into(), &7.into()));
}

/// (`executions` of the best engine, by the closed forms of these programs; where it is `observers`, up to exchange of
/// threads that are alike.)
#[test]
fn the_default_takes_no_more_executions_than_the_best_engine() {
    type Family = (&'static str, u64, &'static str, fn(u64) -> u64);
    let families: [Family; 10] = [
        ("last_write", 2, "observers", |n| n),
        ("floating_read", 2, "observers", |n| n * 2_u64.pow(n as u32 - 1) + 1),
        ("stop_flag", 2, "observers", |n| n),
        ("await_count", 2, "observers", |_| 1),
        ("barrier_by_hand", 2, "observers", |_| 1),
        ("readers", 2, "unfolding", |n| 2_u64.pow(n as u32)),
        ("locks", 2, "observers", |_| 1),
        ("cas_lock", 2, "observers", |_| 1),
        ("ticket_lock", 2, "observers", |_| 1),
        ("assume_flag", 2, "unfolding", |_| 1),
    ];
    for (family, first, engine, most) in families {
        for n in first..=6 {
            let report = safe(&format!("scaling/{family}"), &format!("-DN={n}"));
            let [executions, blocked] = ["executions", "blocked"].map(|name| report["stats"][name].as_u64().unwrap());
            assert!(executions <= most(n) && blocked == 0, "{family} {n}, usually {engine}: {report}");
        }
    }
}

#[test]
fn an_engine_that_is_asked_for_is_alone() {
    let report = stop_flag("--engine unfolding -DN=7");
    assert_eq!((&report["engine"], &report["stats"]["states"]), (&"unfolding".into(), &Value::Null));
}

/// A program of the suite, with two processors: both engines begin at once.
fn side_by_side(program: &str, options: &str) -> (Option<i32>, Value) {
    let program = format!("{}/testsuite/{program}", env!("CARGO_MANIFEST_DIR"));
    let done = Files::new(&[]).run(&format!("--jobs 2 --debug-jobs --format json {options} {program}"));
    (done.code, serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}")))
}

/// Millions of executions, and states that take seconds.
#[test]
fn side_by_side_few_states_come_first() {
    let (code, report) = side_by_side("bench/spin/buffer.c", "--hunt off -DN=3");
    assert_eq!((code, &report["engine"]), (Some(0), &"states".into()), "{report}");
    assert_eq!((&report["stats"]["jobs"], &report["stats"]["one_job"]), (&2.into(), &Value::Null));
    assert_eq!(report["reason"], Value::Null);
}

/// Seven pairs have 128 executions, and more states than are kept.
#[test]
fn side_by_side_few_executions_come_first() {
    let (code, report) = side_by_side("scaling/pairs.c", "-DN=7");
    assert_eq!((code, &report["engine"]), (Some(0), &"unfolding".into()), "{report}");
    assert_eq!((&report["stats"]["executions"], &report["stats"]["states"]), (&128.into(), &Value::Null));
    assert_eq!(report["stats"]["jobs"], 2);
}

/// Whoever finds it, it is the same bug, with a schedule that was replayed.
#[test]
fn side_by_side_bugs_are_found() {
    let options = "--hunt off";
    let (code, report) = side_by_side("states/buffers.c", &format!("{options} -DFAMILY=2 -DANY_SLOT"));
    assert_eq!((code, &report["verdict"]), (Some(1), &"unsafe".into()), "{report}");
    assert!(report["violations"][0]["trace"].as_array().is_some_and(|trace| !trace.is_empty()));
}

#[test]
fn side_by_side_both_are_interrupted() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/bench/spin/filter.c");
    let files = Files::new(&[]);
    let line = format!("--jobs 2 --debug-jobs --hunt off --format json -DN=6 {program}");
    let done = interrupted(files.command(&line), "INT");
    assert_eq!(done.code, Some(3), "{done:?}");
    let report: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((&report["reason"], &report["stats"]["jobs"]), (&"interrupted".into(), &2.into()));
}

/// All processors there are, from the start on: here the words are those of the default.
#[test]
fn side_by_side_with_all_processors() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/scaling/stop_flag.c");
    let done = Files::new(&[]).run(&format!("--jobs auto --debug-jobs --format json -DN=8 {program}"));
    let report: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((done.code, &report["verdict"], &report["stats"]["one_job"]), (Some(0), &"safe".into(), &Value::Null));
    let there = std::thread::available_parallelism().map_or(1, usize::from);
    let used = report["stats"]["jobs"].as_u64().unwrap_or(1);
    assert!(used <= there as u64, "{report}");
}

/// With a limit of the time of all processors there is one, and with checkpoints too, unless there are to be more.
#[test]
fn some_options_leave_one_processor() {
    let files = Files::new(&[]);
    for (options, jobs) in [("--cpu-limit 1m", None), ("--cpu-limit 1m --jobs 2", Some(2))] {
        let line = format!("--debug-jobs --format json -DN=7 {options}");
        let line = if jobs.is_none() { format!("--jobs auto {line}") } else { line };
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/scaling/stop_flag.c");
        let done = files.run(&format!("{line} {program}"));
        let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"));
        assert_eq!(report["stats"]["jobs"].as_u64(), jobs, "{report}");
    }
}
