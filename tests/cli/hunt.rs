//! Samples of schedules, what they cover, and which code was reached.
use crate::run::Files;
use serde_json::Value;

/// Two threads that add under a lock; a function that is never called.
const SAFE: &str = r"#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;
int never(void) {
  return 7;
}
void *add(void *p) {
  pthread_mutex_lock(&m);
  if (++c > 2)
    c = never();
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
}
";

fn json(out: &str) -> Value {
    serde_json::from_str(out).expect("the report is JSON")
}

#[test]
fn samples_alone_prove_nothing() {
    let files = Files::new(&[("a.c", SAFE)]);
    let done = files.run("--hunt only a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: only "), "{done:?}");
    assert!(done.out.contains("so far: all schedules with at most "), "{done:?}");
    assert!(done.out.contains("hint: leave out --hunt only for a proof"), "{done:?}");
}

#[test]
fn a_gate_may_be_content_with_preemptions() {
    let files = Files::new(&[("a.c", SAFE)]);
    let done = files.run("--hunt only --accept preemptions=3 --format json a.c");
    assert_eq!(done.code, Some(0), "{done:?}");
    let report = json(&done.out);
    assert_eq!((&report["verdict"], &report["coverage"]["accepted"]), (&"unknown".into(), &true.into()));
    // Sixteen samples say nothing of them.
    let done = files.run("--hunt only --hunt-executions 16 --accept preemptions=3 a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    // A check among many has passed then.
    let done = files.run("test a.c --accept preemptions=3 -- --hunt only");
    assert!(done.code == Some(0) && done.out.contains("accepted, although unknown"), "{done:?}");
    assert_eq!(files.run("test a.c -- --hunt only").code, Some(3));
    // A bug stays one.
    let files = Files::new(&[("a.c", crate::run::RACE)]);
    let done = files.run("--hunt only --accept preemptions=0 a.c");
    assert_eq!(done.code, Some(1), "{done:?}");
}

#[test]
fn the_same_seed_finds_the_same() {
    let files = Files::new(&[("a.c", include_str!("../../testsuite/hunt/account.c"))]);
    files.write("threads_of.h", include_str!("../../testsuite/hunt/threads_of.h"));
    let samples = |seed: &str| {
        let done = files.run(&format!("--hunt only --seed {seed} --format json a.c"));
        assert_eq!(done.code, Some(1), "{done:?}");
        json(&done.out)["stats"]["samples"].as_u64().expect("samples are counted")
    };
    assert_eq!(samples("5"), samples("5"));
    let different: std::collections::BTreeSet<u64> = ["1", "2", "3", "4", "5"].map(samples).into();
    assert!(different.len() > 1, "{different:?}");
}

#[test]
fn what_contradicts_is_refused() {
    let files = Files::new(&[("a.c", SAFE)]);
    for arguments in [
        "--hunt off --hunt-executions 5 a.c",
        "--hunt sometimes a.c",
        "--hunt off --accept preemptions=2 a.c",
        "--accept 2 a.c",
        "--coverage xml=a a.c",
    ] {
        let done = files.run(arguments);
        assert_eq!(done.code, Some(2), "{arguments}: {done:?}");
    }
}

#[test]
fn code_that_was_reached() {
    let files = Files::new(&[("a.c", SAFE)]);
    for engine in ["unfolding", "optimal", "states", "naive"] {
        let done =
            files.run(&format!("--engine {engine} --coverage lcov=a.lcov --coverage html=a.html --format json a.c"));
        assert_eq!(done.code, Some(0), "{done:?}");
        let lcov = std::fs::read_to_string(files.path("a.lcov")).expect("it is written");
        for line in ["FNDA:0,never", "FNDA:1,add", "FNDA:1,main", "DA:5,0", "DA:10,0", "DA:11,1", "LH:"] {
            assert!(lcov.contains(line), "{engine}: {line} is missing in\n{lcov}");
        }
        let page = std::fs::read_to_string(files.path("a.html")).expect("it is written");
        assert!(page.contains("<span class=\"no\">    c = never();</span>"), "{page}");
        let code = &json(&done.out)["coverage"]["code"];
        assert_eq!(code["unreached_functions"][0]["name"], "never");
    }
}
