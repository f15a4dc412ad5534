//! Exit codes and verdicts.
use crate::run::{DEADLOCK, Files, LOCKED, RACE};

#[track_caller]
fn check(program: &str, arguments: &str, code: i32, first: &str) {
    let files = Files::new(&[("a.c", program)]);
    let done = files.run(&format!("{arguments} a.c"));
    assert_eq!(done.code, Some(code), "{done:?}");
    assert!(done.out.starts_with(first), "{done:?}");
}

#[test]
fn safe_is_0() {
    check(LOCKED, "", 0, "safe: all 2 executions were explored\n");
    check(LOCKED, "check", 0, "safe: ");
    check("int main(void) { return 3; }", "", 0, "safe: the only execution was explored\n");
}

#[test]
fn safe_because_nothing_counts() {
    let why = "an assumption fails, or a wait is in vain";
    let assume = "void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); }";
    check(assume, "", 0, &format!("safe: the only execution does not count: {why}\n"));
    let choose = "_Bool __VERIFIER_nondet_bool(void); void __VERIFIER_assume(int);
        int main(void) { int i = __VERIFIER_nondet_bool(); if (i) i++; __VERIFIER_assume(i > 5); }";
    check(choose, "--engine source", 0, &format!("safe: none of 2 executions counts: {why}\n"));
}

#[test]
fn a_bug_is_1() {
    check(RACE, "", 1, "bug: data race on `c`");
    check(DEADLOCK, "", 1, "bug: deadlock: ");
    check("#include <assert.h>\nint main(void) { assert(0); }", "", 1, "bug: assertion `0` fails");
    check("#include <stdlib.h>\nint main(void) { abort(); }", "", 1, "bug: ");
}

#[test]
fn unknown_is_3() {
    check("int strange(void); int main(void) { return strange(); }", "", 3, "unknown: ");
    check(LOCKED, "--max-executions 1", 3, "unknown: limit of 1 execution reached");
}

#[test]
fn every_engine_agrees() {
    for engine in ["auto", "unfolding", "naive", "unfolding --alternatives 2", "unfolding --alternatives optimal"] {
        check(LOCKED, &format!("--engine {engine}"), 0, "safe: ");
        check(DEADLOCK, &format!("--engine {engine}"), 1, "bug: deadlock");
    }
}

#[test]
fn orders_of_cutoffs_agree() {
    for order in ["erv", "size"] {
        check(LOCKED, &format!("--cutoff-order {order}"), 0, "safe: ");
        check(DEADLOCK, &format!("--cutoff-order {order}"), 1, "bug: deadlock");
    }
    // Whichever thread comes first, the state is the same: only the total order cuts one of them.
    let files = Files::new(&[("a.c", LOCKED)]);
    let cutoffs = |order| {
        let done = files.run(&format!("--cutoff-order {order} --format json a.c"));
        serde_json::from_str::<serde_json::Value>(&done.out).unwrap()["stats"]["cutoffs"].as_u64()
    };
    assert_eq!((cutoffs("erv"), cutoffs("size")), (Some(1), Some(0)));
}

#[test]
fn what_is_not_checked_is_not_reported() {
    check(DEADLOCK, "--check assertion,data-race", 0, "safe: ");
    check("#include <assert.h>\nint main(void) { assert(0); }", "--check deadlock", 0, "safe: ");
    // Schedules that differ in the order of racing accesses are explored, unless that is switched off.
    let unfolding = "--engine unfolding --cutoffs on --check assertion";
    check(RACE, unfolding, 0, "safe: all 4 executions");
    check(RACE, &format!("{unfolding} --interference all"), 0, "safe: all 4 executions");
    check(RACE, "--check assertion --interference sync", 3, "unknown: data race on `c`");
}

#[test]
fn what_is_behind_a_race_without_promotion_is_no_internal_error() {
    let program = r"#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static struct { atomic_int x, y; } both;
static void *copy(void *p) {
  int copy[2];
  memcpy(copy, &both, sizeof copy);
  if (p) both.y = 1;
  return 0;
}
static void *look(void *p) {
  (void)both.y;
  atomic_store_explicit(&both.y, 2, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, copy, &both);
  pthread_create(&t[1], 0, look, 0);
  pthread_create(&t[2], 0, copy, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}";
    let files = Files::new(&[("a.c", program)]);
    let done = files.run("--keep-going --interference sync --alternatives optimal --cutoffs off a.c");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("behind a data race") && !done.out.contains("internal error"), "{done:?}");
    let done = files.run("--keep-going a.c");
    assert!(done.code == Some(1) && !done.out.contains("behind a data race"), "{done:?}");
}

#[test]
fn keep_going_finds_every_bug_once() {
    let program = r"#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int first;
void *work(void *p) {
  pthread_mutex_lock(&m);
  if (!first) first = 1; else assert(first == 2);
  pthread_mutex_unlock(&m);
  return p;
}
int racy;
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
";
    let files = Files::new(&[("a.c", program)]);
    let done = files.run("-k -q a.c");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(done.out, "a.c:7:31: bug: assertion `first == 2` fails\n");
}

/// Threads that create threads: a schedule names them as the exploration met them, in whatever order it runs.
#[test]
fn schedules_of_grandchildren_are_replayed() {
    let program = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
atomic_int order;
void *leaf(void *p) {
  assert(atomic_fetch_add(&order, 1) != 0 || (intptr_t)p != 2);
  return 0;
}
void *node(void *p) {
  pthread_t t;
  pthread_create(&t, 0, leaf, p);
  pthread_join(t, 0);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], 0, node, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
";
    check(program, "", 1, "bug: assertion `");
    check(program, "--engine naive", 1, "bug: assertion `");
}

#[test]
fn arguments_for_main() {
    let program = r#"#include <assert.h>
#include <string.h>
int main(int argc, char **argv) { assert(argc == 3); assert(!strcmp(argv[1], "-x")); assert(argv[2][0] != 'b'); }
"#;
    let files = Files::new(&[("a.c", program)]);
    assert_eq!(files.run("a.c -- -x a").code, Some(0));
    assert_eq!(files.run("a.c -- -x b").code, Some(1));
}

#[test]
fn compiler_options() {
    let program = "#include <assert.h>\n#include \"n.h\"\nint main(void) { assert(sizeof(long) == N); }";
    let files = Files::new(&[("a.c", program), ("n.h", ""), ("f.h", "#define N 4\n")]);
    assert_eq!(files.run("a.c -DN=8 -I.").code, Some(0));
    assert_eq!(files.run("a.c -DN=8 -m32").code, Some(1));
    assert_eq!(files.run("a.c -DN=4 -m32 -std=c99 -O1").code, Some(0));
    assert_eq!(files.run("a.c -m32 --cflags -include f.h --").code, Some(0));
}

#[test]
fn several_inputs_are_linked() {
    let files =
        Files::new(&[("a.c", "int f(void); int main(void) { return 1 / f(); }"), ("b.c", "int f(void) { return 0; }")]);
    let done = files.run("a.c b.c");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("division by zero"), "{done:?}");
    assert_eq!(files.run("a.c").code, Some(3));
}

#[test]
fn what_the_program_prints() {
    let program = "#include <stdio.h>\n#include <assert.h>\nint main(void) { printf(\"value %d\\n\", 42); assert(0); }";
    let files = Files::new(&[("a.c", program)]);
    assert!(files.run("--show-output a.c").out.contains("value 42\n"));
    assert!(!files.run("a.c").out.contains("value 42\n"));
}

/// What was never written counts as any value: a report says which it was, and a replay shows it again.
#[test]
fn values_that_were_never_written() {
    let program = "#include <assert.h>\n\
                   int main(void) {\n  unsigned x;\n  assert(x * 2 != 14 || x > 7);\n}\n";
    let files = Files::new(&[("a.c", program)]);
    let found = files.run("a.c --uninitialised any --save-trace t.json");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(
        found.out.contains("  unsigned x;") && found.out.contains("reads 7 where nothing was written"),
        "{found:?}"
    );
    let again = files.run("replay t.json");
    assert!(again.code == Some(1) && again.out.contains("reads 7 where nothing was written"), "{again:?}");
    let zero = files.run("a.c --uninitialised zero");
    assert!(zero.code == Some(0) && zero.out.contains("zero-uninitialised"), "{zero:?}");
    // A deadlock ends with what each thread waits for; what a loop reads is not told a hundred times.
    let program = "#include <pthread.h>\n\
                   static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
                   static void both(pthread_mutex_t *one, pthread_mutex_t *other) {\n\
                   pthread_mutex_lock(one);\n  pthread_mutex_lock(other);\n\
                   pthread_mutex_unlock(other);\n  pthread_mutex_unlock(one);\n}\n\
                   static void *run(void *arg) {\n  both(&b, &a);\n  return arg;\n}\n\
                   int main(void) {\n  unsigned x[1];\n  int all = 1;\n  pthread_t thread;\n\
                   for (int i = 0; i < 300; i++)\n    all &= x[0] == 7;\n\
                   pthread_create(&thread, 0, run, 0);\n  if (all)\n    both(&a, &b);\n\
                   pthread_join(thread, 0);\n}\n";
    let files = Files::new(&[("a.c", program)]);
    let stuck = files.run("a.c --uninitialised any");
    let (before, schedule) = stuck.out.split_once("The schedule").expect("a schedule");
    assert_eq!(stuck.code, Some(1));
    assert_eq!(before.matches("reads 7 where nothing was written").count(), 1, "{stuck:?}");
    assert!(schedule.contains("waits for mutex `b`") && !schedule.contains("nothing was written"), "{stuck:?}");
}
