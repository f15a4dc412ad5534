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

/// Of two blocks that one call has allocated, one gets its first value from a thread, or loses it, in some orders only;
/// for the other one two threads wait.
const FIRST_VALUE: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_assume(int);
static atomic_int x, count, began[6];
static atomic_int *places[2];
static void *first_value(void *a) { int none; if (x) atomic_store(places[1], VALUE); return a; }
static void *begin(void *a) { x = 1; return a; }
static void *wait(void *a) { began[(long)a] = 1; __VERIFIER_assume(*places[0] == 2); int got = count; return got > 100 ? 0 : a; }
static void *write(void *a) { count++; *places[0] = 1; count++; *places[0] = 2; count++; return a; }
static void *add(void *a) { for (int i = 0; i < 4; i++) count++; return a; }
int main(void) {
  void *(*const all[])(void *) = {begin, first_value, wait, write, add, wait};
  pthread_t t[6];
  for (int i = 0; i < 2; i++) places[i] = malloc(sizeof(atomic_int));
  for (int i = 0; i < FILLED; i++) atomic_init(places[i], 0);
  for (long i = 0; i < 6; i++) pthread_create(&t[i], 0, all[i], (void *)i);
  for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
  for (int i = 0; i < 2; i++) free(places[i]);
}
";

/// One thread allocates a block that it waits for, another one a block that it gives its first value, in some orders
/// only: which of the calls comes first is another matter for each worker.
const OWN_BLOCKS: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_assume(int);
static atomic_int x, count;
static atomic_int *_Atomic shared;
static void *first_value(void *a) {
  int first = atomic_exchange(&x, 1);
  atomic_int *block = malloc(sizeof *block);
  if (first == 0) atomic_store(block, 1);
  free(block);
  return a;
}
static void *wait(void *a) {
  atomic_exchange(&x, 2);
  atomic_int *block = malloc(sizeof *block);
  atomic_init(block, 0);
  shared = block;
  __VERIFIER_assume(*block == 2);
  free(block);
  return a;
}
static void *write(void *a) {
  atomic_int *block = shared;
  while (!block) block = shared;
  *block = 1, *block = 2;
  return a;
}
static void *add(void *a) { for (int i = 0; i < 7; i++) atomic_fetch_add(&count, 1); return a; }
int main(void) {
  void *(*const all[])(void *) = {first_value, wait, write, add, add};
  pthread_t t[5];
  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, all[i], 0);
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
}
";

/// Two functions that call one another, of which each worker meets another one first.
const IN_TURN: &str = "#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
static atomic_int x, for_a, for_b, count;
static int f(int n);
static int g(int n) { return f(n - 1) * 3 + 1; }
static int f(int n) { if (n <= 0) return n + 7; return g(n - 1) + n; }
static void *a(void *p) { x = 1; int seen = for_a; long r = f(0); __VERIFIER_assume(seen); return (void *)r; }
static void *b(void *p) { x = 2; int seen = for_b; long r = g(1); __VERIFIER_assume(seen); return (void *)r; }
static void *set(void *p) { count++; for_a = 1; count++; for_b = 1; count++; return p; }
static void *add(void *p) { for (int i = 0; i < 4; i++) count++; return p; }
int main(void) {
  void *(*const all[])(void *) = ORDER;
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, all[i], 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
";

/// Threads poll for two words under a mutex.
const POLLS: &str = "#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int jobs, closed;
static atomic_int taken;
static int take(void) {
  pthread_mutex_lock(&m);
  int result = jobs ? 1 : closed ? -1 : 0;
  if (result > 0) jobs--;
  pthread_mutex_unlock(&m);
  return result;
}
static void *work(void *a) {
  for (int got; (got = take()) >= 0;) if (got) { taken++; (void)taken; }
  return a;
}
static void give(int *to) { pthread_mutex_lock(&m); ++*to; pthread_mutex_unlock(&m); }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  give(&jobs);
  give(&jobs);
  give(&closed);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
";

/// Verdict, executions, and pruned ones.
fn counts(done: &Done) -> [Value; 3] {
    let report = report(done);
    [&report["verdict"], &report["stats"]["executions"], &report["stats"]["pruned"]].map(Value::clone)
}

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

/// What the first worker learns without a restart, the others know, and what another one learns makes all start again:
/// that a value is taken away keeps all from waiting for what the same call has allocated. That one is given does not.
#[test]
fn all_workers_wait_for_the_same() {
    let files = Files::new(&[("a.c", FIRST_VALUE)]);
    for engine in ["optimal", "source"] {
        for (flags, pruned) in [("-DVALUE=none -DFILLED=2", 1400), ("-DVALUE=5 -DFILLED=1", 0)] {
            for jobs in [1, 2, 3, 8, 8] {
                let line = format!("--jobs {jobs} --debug-jobs --engine {engine} --format json a.c {flags}");
                let done = files.run(&line);
                let expected = [Value::from("safe"), Value::from(1232), Value::from(pruned)];
                assert_eq!(counts(&done), expected, "{line}: {done:?}");
            }
        }
    }
}

/// A thread that has polled in vain while the first worker was alone does so for the others, too.
#[test]
fn all_workers_poll_alike() {
    let files = Files::new(&[("a.c", POLLS)]);
    let run = |jobs: u32| {
        let done = files.run(&format!("--jobs {jobs} --debug-jobs --engine optimal --format json a.c"));
        assert_eq!(done.code, Some(0), "{jobs}: {done:?}");
        counts(&done)
    };
    let alone = run(1);
    assert!(alone[2].as_u64() > Some(0), "{alone:?}");
    for jobs in [2, 3, 8, 8] {
        assert_eq!(run(jobs), alone, "{jobs}");
    }
}

/// The first worker is alone for a while, and the others are told what it has learned by then.
#[test]
fn what_is_told_to_others_means_the_same_there() {
    let files = Files::new(&[("a.c", OWN_BLOCKS)]);
    let run = |jobs: u32| files.run(&format!("--jobs {jobs} --engine source --format json a.c"));
    let expected = counts(&run(1));
    assert_eq!(expected[0], Value::from("safe"));
    for jobs in [2, 8] {
        let done = run(jobs);
        assert_eq!(counts(&done), expected, "{jobs}: {done:?}");
    }
}

#[test]
fn what_is_known_of_the_code_does_not_depend_on_what_was_asked_first() {
    let files = Files::new(&[("a.c", IN_TURN)]);
    let mut expected = None;
    for order in ["{a,b,set,add}", "{set,b,a,add}"] {
        for (engine, jobs) in [("source", 1), ("source", 2), ("optimal", 1), ("optimal", 8), ("optimal", 8)] {
            let done =
                files.run(&format!("--jobs {jobs} --debug-jobs --engine {engine} --format json a.c -DORDER={order}"));
            let counts = counts(&done);
            assert_eq!(*expected.get_or_insert(counts.clone()), counts, "{order}, {engine}, {jobs}: {done:?}");
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
