//! `--jobs`: several workers, and the words where there can be only one.
use crate::run::{Done, Files};
use crate::signals::interrupted;
use serde_json::Value;

/// Threads that add to one place without a lock between the steps: many executions, and an assertion that some of them
/// fail.
const ADDS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *add(void *unused) { int old = n; n = old + 1; return unused; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(n == N || !BUG);
}
";

fn report(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn the_executions_are_those_of_one_worker() {
    let files = Files::new(&[("a.c", ADDS)]);
    for engine in ["optimal", "observers", "source"] {
        for (bug, code) in [(0, 0), (1, 1)] {
            let line = format!("--engine {engine} --keep-going --format json a.c -DN=4 -DBUG={bug}");
            let one = files.run(&format!("--jobs 1 {line}"));
            assert_eq!(one.code, Some(code), "{one:?}");
            let one = report(&one);
            assert_eq!((&one["stats"]["jobs"], &one["stats"]["one_job"]), (&Value::Null, &Value::Null));
            for jobs in [2, 3, 8] {
                let many = files.run(&format!("--jobs {jobs} --debug-jobs {line}"));
                assert_eq!(many.code, Some(code), "{many:?}");
                let many = report(&many);
                assert_eq!(many["stats"]["executions"], one["stats"]["executions"], "{engine}, {jobs}");
                assert_eq!(many["stats"]["jobs"], jobs);
                let place = |report: &Value| {
                    let all = report["violations"].as_array().expect("a list").clone();
                    all.iter().map(|bug| (bug["kind"].clone(), bug["location"]["line"].clone())).collect::<Vec<_>>()
                };
                assert_eq!(place(&many), place(&one));
            }
        }
    }
}

#[test]
fn what_is_found_first_can_be_replayed() {
    let files = Files::new(&[("a.c", ADDS)]);
    let done = files.run("--engine optimal --jobs 4 --debug-jobs --save-trace bug.trace a.c -DN=4 -DBUG=1");
    assert_eq!(done.code, Some(1), "{done:?}");
    let again = files.run("replay bug.trace");
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn limits_are_those_of_all_together() {
    let files = Files::new(&[("a.c", ADDS)]);
    let done = files.run("--engine optimal --jobs 3 --debug-jobs --max-executions 100 --format json a.c -DN=5 -DBUG=0");
    assert_eq!(done.code, Some(3), "{done:?}");
    let report = report(&done);
    assert_eq!(report["reason"], "limit of 100 executions reached");
    assert_eq!((&report["stats"]["executions"], &report["stats"]["jobs"]), (&100.into(), &3.into()));
}

#[test]
fn interruptions_end_all_of_them() {
    let files = Files::new(&[("a.c", ADDS)]);
    let line = "--engine optimal --jobs 3 --debug-jobs --hunt off --format json a.c -DN=9 -DBUG=0";
    let done = interrupted(files.command(line), "INT");
    assert_eq!(done.code, Some(3), "{done:?}");
    let report = report(&done);
    assert_eq!(report["reason"], "interrupted");
    assert_eq!(report["stats"]["jobs"], 3);
}

#[test]
fn it_is_said_why_there_is_only_one() {
    let blocks = "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); int n;
                  int main(void) { __VERIFIER_atomic_begin(); n++; __VERIFIER_atomic_end(); }";
    let files = Files::new(&[("a.c", "int main(void) { return 0; }"), ("blocks.c", blocks), ("adds.c", ADDS)]);
    let done = files.run("--engine unfolding --jobs 2 a.c");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("--jobs has no effect: the engine `unfolding` works alone"), "{done:?}");
    for (line, reason) in [
        ("--engine states a.c", "the engine `states` works alone"),
        ("--engine optimal --debug-jobs blocks.c", "the program has atomic blocks"),
    ] {
        let done = files.run(&format!("--jobs 2 --format json {line}"));
        assert_eq!(done.code, Some(0), "{done:?}");
        let said = report(&done)["stats"]["one_job"].as_str().map(str::to_owned).unwrap_or_default();
        assert!(said.starts_with(reason), "{done:?}");
    }
    // Nothing is said of what nobody asked for, nor of what is over before others would come.
    for line in ["a.c", "--jobs 1 a.c", "--engine optimal --jobs 2 a.c"] {
        let done = files.run(line);
        assert!(!done.out.contains("--jobs"), "{done:?}");
    }
}

#[test]
fn there_is_at_least_one() {
    let done = Files::new(&[("a.c", "int main(void) { return 0; }")]).run("--jobs 0 a.c");
    assert_eq!(done.code, Some(2), "{done:?}");
}
