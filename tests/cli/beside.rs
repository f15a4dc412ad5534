//! Other engines beside the usual one: which of them answers.
use crate::run::Files;
use crate::signals::interrupted;
use serde_json::Value;

/// The report about n threads that set a flag while one looks at it.
fn stop_flag(options: &str) -> Value {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/scaling/stop_flag.c");
    let done = Files::new(&[]).run(&format!("--format json {options} {program}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    serde_json::from_str(&done.out).expect("it is JSON")
}

/// Seven threads have some 6,000 executions with cutoffs, and more than 100,000 actions to find them. The states take
/// fewer.
#[test]
fn a_program_with_few_states_is_answered_by_states() {
    let beside = stop_flag("-DN=7");
    assert_eq!(beside["engine"], "states");
    let alone = stop_flag("--engine states -DN=7");
    assert_eq!(beside["stats"]["states"], alone["stats"]["states"]);
}

#[test]
fn what_ends_before_the_first_turn_is_not() {
    let report = stop_flag("-DN=3");
    assert_eq!((&report["engine"], &report["stats"]["states"]), (&"unfolding".into(), &Value::Null));
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

/// Nine threads have a tenth of a million executions with cutoffs, and states for which these take seconds.
#[test]
fn side_by_side_few_states_come_first() {
    let (code, report) = side_by_side("scaling/stop_flag.c", "-DN=9");
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
