//! The engine `states` beside the usual one: which of them answers.
use crate::run::Files;
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
