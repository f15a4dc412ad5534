//! `--state-bits`: the engine `states` keeps less than all of each state.
use crate::run::Files;
use serde_json::Value;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/scaling/stop_flag.c");

/// The report about eight threads that set a flag while one looks at it, which has 109,228 states.
fn stop_flag(options: &str) -> Value {
    let done = Files::new(&[]).run(&format!("--format json --stats --engine states -DN=8 {options} {PROGRAM}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    serde_json::from_str(&done.out).expect("it is JSON")
}

fn assumptions(report: &Value) -> Vec<&str> {
    let names = report["assumptions"].as_array().expect("a list").iter().map(|name| name.as_str().expect("a text"));
    names.filter(|name| name.starts_with("state-bits")).collect()
}

/// 109,228² to 2⁷³ is 1.26·10⁻¹², and 12 of 20 bytes are left of a slot. (Beside that there is the way.)
#[test]
fn a_safe_with_fewer_bits_names_the_odds() {
    let (all, half) = (stop_flag(""), stop_flag("--state-bits 64"));
    assert_eq!(all["stats"]["states"], half["stats"]["states"]);
    assert!(assumptions(&all).is_empty());
    assert_eq!(assumptions(&half), ["state-bits: 64 (odds of a state left out: at most 1.3e-12)"]);
    let bytes = |report: &Value| report["stats"]["engine"]["most_memory_bytes"].as_u64().expect("a number");
    let (all, half) = (bytes(&all), bytes(&half));
    assert!(half * 4 < all * 3, "{half} of {all} bytes");
}

#[test]
fn the_text_names_them_too() {
    let done = Files::new(&[]).run(&format!("--engine states --state-bits 32 -DN=4 {PROGRAM}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    // 428² to 2⁴¹.
    assert!(done.out.contains("state-bits: 32 (odds of a state left out: at most 8.3e-8)"), "{done:?}");
}

#[test]
fn only_the_engine_that_keeps_states_can_keep_less() {
    let done = Files::new(&[]).run(&format!("--state-bits 64 {PROGRAM}"));
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("add `--engine states`"), "{done:?}");
}
