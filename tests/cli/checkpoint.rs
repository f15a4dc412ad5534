//! `--checkpoint` and `--resume`: whatever ends a run, the next one goes on, and the last one says what one alone
//! would.
use crate::run::{self, Files, LOCKED};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;

/// Seven threads that each take a lock once: 7! orders, and in some of them the assertion fails if it is looked at.
const ORDERS: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int hidden;
static int last;
static void *take(void *p) {
  pthread_mutex_lock(&m);
  last = (int)(long)p;
  pthread_mutex_unlock(&m);
  atomic_load_explicit(&hidden, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t[7];
  for (long i = 0; i < 7; i++) pthread_create(&t[i], 0, take, (void *)i);
  for (int i = 0; i < 7; i++) pthread_join(t[i], 0);
#ifdef WRONG
  assert(last != 3);
#endif
}
";

/// Two threads come to their first blocks of the heap in any order. In one order, with one schedule, the assertion
/// fails.
const ADDRESSES: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static atomic_int late;
static atomic_int *_Atomic published;
static int next(void) {
  pthread_mutex_lock(&m);
  int n = turn++;
  pthread_mutex_unlock(&m);
  return n;
}
static void *look(void *p) {
  int n = next();
  atomic_int *own = malloc(sizeof *own);
  atomic_init(own, 0);
  if (n == 1 && atomic_load(&late)) {
    atomic_int *other = atomic_load(&published);
    if (other) assert(atomic_load(other) == 1);
  }
  free(own);
  return p;
}
static void *publish(void *p) {
  next();
  atomic_int *own = malloc(sizeof *own);
  atomic_init(own, 0);
  atomic_store(&published, own);
  atomic_store(own, 1);
  return p;
}
static void *delay(void *p) {
  atomic_store(&late, 1);
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, look, 0);
  pthread_create(&t[1], 0, publish, 0);
  pthread_create(&t[2], 0, delay, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  free(atomic_load(&published));
}
";

/// The report without what differs from run to run.
fn facts(json: &str) -> Value {
    let mut report: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    for key in ["seconds", "peak_memory_bytes"] {
        report["stats"][key] = Value::Null;
    }
    report
}

/// Runs with a checkpoint, and kills the process again and again; how often it had to be, and what the last one says.
fn killed_again_and_again(files: &Files, options: &str) -> (u32, Value) {
    let line = format!("a.c --format json --checkpoint state --checkpoint-interval 1ms --resume {options}");
    let written = || std::fs::metadata(files.path("state")).and_then(|state| state.modified()).ok();
    for kills in 0.. {
        let before = written();
        let mut command = files.command(&line);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // A few times it is killed soon after a checkpoint, then it may come to its end.
        while kills < KILLS && written() == before && child.try_wait().expect("it can be waited for").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(7 * u64::from(kills)));
        if kills < KILLS && child.try_wait().expect("it can be waited for").is_none() {
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            continue;
        }
        let output = child.wait_with_output().expect("it ends");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        return (kills, facts(&String::from_utf8_lossy(&output.stdout)));
    }
    unreachable!("it comes to its end")
}

/// How often a run is killed.
const KILLS: u32 = 5;

#[test]
fn a_run_that_is_killed_loses_nothing() {
    for options in ["--cutoffs off", "-k --cutoffs off -DWRONG"] {
        let files = Files::new(&[("a.c", ORDERS)]);
        let expected = facts(&files.run(&format!("a.c --format json {options}")).out);
        let (kills, found) = killed_again_and_again(&files, options);
        assert_eq!(found, expected, "{options}, killed {kills} times");
        assert!(kills > 0, "{options}: it was never killed behind a checkpoint");
        assert!(!std::path::Path::new(&files.path("state")).exists(), "{options}: what is over needs no checkpoint");
    }
}

#[test]
fn objects_keep_their_addresses() {
    for options in ["--cutoffs off", "-k --cutoffs off", "--engine unfolding"] {
        let files = Files::new(&[("a.c", ADDRESSES)]);
        let line = format!("a.c --format json {options}");
        let expected = facts(&files.run(&line).out);
        assert_eq!(expected["verdict"], "unsafe", "{options}");
        // (The ordinary tests interrupt after every second one.)
        for executions in (1..).step_by(if run::is_full() { 1 } else { 2 }) {
            let done = files.run(&format!("{line} --checkpoint state --debug-checkpoint {executions}"));
            if !files.path("state").exists() {
                assert!(executions > 3, "{options}: {done:?}");
                break;
            }
            let rest = files.run(&format!("{line} --checkpoint state --resume"));
            assert_eq!(facts(&rest.out), expected, "{options}, interrupted after {executions} executions");
        }
        // And with an interruption after each.
        let again = || files.run(&format!("{line} --checkpoint state --resume --debug-checkpoint 1"));
        let last = std::iter::repeat_with(again).find(|_| !files.path("state").exists()).expect("it comes to its end");
        assert_eq!(facts(&last.out), expected, "{options}, interrupted after each execution");
    }
}

/// Whether a proof that two turns are alike takes too long depends on which was looked for first.
#[test]
fn loops_wait_as_before() {
    let counts = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, flag, other;
static int turns(int count) {
  while (!flag) {
    for (int k = 0; k < 200; k++);
    if (count < 130) count++;
    if (count > 130) return 1;
  }
  return 0;
}
static void *set(void *a) { x = 1; return a; }
static void *release(void *a) { other = 1; flag = 1; other = 2; return a; }
static void *wait(void *a) { int left = turns(x == FIRST ? 0 : 60); assert(!left && other); return a; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, set, 0), pthread_create(&b, 0, wait, 0), pthread_create(&c, 0, release, 0);
  pthread_join(a, 0), pthread_join(b, 0), pthread_join(c, 0);
}
";
    let files = Files::new(&[("a.c", counts)]);
    for first in [0, 1] {
        let line = format!("a.c --format json --engine unfolding -DFIRST={first}");
        let expected = facts(&files.run(&line).out);
        for executions in [10, 40, 70] {
            let done = files.run(&format!("{line} --checkpoint state --debug-checkpoint {executions}"));
            if files.path("state").exists() {
                let rest = files.run(&format!("{line} --checkpoint state --resume"));
                assert_eq!(facts(&rest.out), expected, "{first}, after {executions} executions: {done:?}");
            }
        }
    }
}

#[test]
fn an_interruption_says_how_to_go_on() {
    let files = Files::new(&[("a.c", ORDERS)]);
    let done = files.run("a.c --cutoffs off --debug-checkpoint 100 --checkpoint state");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.contains("hint: the same with --resume goes on from state"), "{done:?}");
    let rest = files.run("a.c --cutoffs off --checkpoint state --resume");
    assert!(rest.out.contains("safe: all 5,040 executions were explored"), "{rest:?}");
}

#[test]
fn nothing_is_overwritten_but_checkpoints_that_are_of_no_use() {
    let files = Files::new(&[("a.c", ORDERS), ("b.c", LOCKED), ("notes", "mine"), ("reserved", "")]);
    for options in ["", "--resume"] {
        let done = files.run(&format!("b.c --checkpoint notes {options}"));
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("notes: it is no checkpoint") && done.err.contains("name another file"), "{done:?}");
        assert_eq!(std::fs::read_to_string(files.path("notes")).unwrap(), "mine");
        assert_eq!(files.run(&format!("b.c --checkpoint reserved {options}")).code, Some(0));
    }
    // Nor anything that is no file.
    let done = files.run("b.c --checkpoint .");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains(".: it is no checkpoint"), "{done:?}");
    let interrupted = "a.c --cutoffs off --checkpoint state --debug-checkpoint 100";
    assert_eq!(files.run(interrupted).code, Some(3));
    let state = std::fs::read(files.path("state")).unwrap();
    let done = files.run("a.c --cutoffs off --checkpoint state");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("add --resume to go on from it, or remove it to begin anew"), "{done:?}");
    // Another exploration has its answer before it would write one.
    let done = files.run("b.c --checkpoint state");
    assert_eq!(done.code, Some(0), "{done:?}");
    // Another one is ended before, and cannot go on from there.
    let done = files.run("a.c --cutoffs off -DWRONG --max-executions 1 --checkpoint state");
    assert!(!done.out.contains("--resume"), "{done:?}");
    assert_eq!(std::fs::read(files.path("state")).unwrap(), state);
    let done = files.run("a.c --checkpoint state --debug-checkpoint 1");
    assert!(done.out.contains("the same with --resume goes on from state"), "{done:?}");
    assert_ne!(std::fs::read(files.path("state")).unwrap(), state);
}

#[test]
fn checkpoints_that_do_not_fit() {
    let files = Files::new(&[("a.c", ORDERS), ("b.c", LOCKED)]);
    let done = files.run("a.c --cutoffs off --debug-checkpoint 100 --checkpoint state");
    assert_eq!(done.code, Some(3), "{done:?}");
    for (line, reason) in [
        ("b.c --cutoffs off --checkpoint state --resume", "the program has changed since it was written"),
        ("a.c --checkpoint state --resume", "the options have changed since it was written"),
        ("a.c --checkpoint a.c --resume", "it is no checkpoint of this version of verify"),
    ] {
        let done = files.run(line);
        assert_eq!(done.code, Some(2), "{line}: {done:?}");
        assert!(done.err.contains(reason), "{line}: {done:?}");
    }
    let mut bytes = std::fs::read(files.path("state")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(files.path("broken"), &bytes).unwrap();
    std::fs::write(files.path("short"), &bytes[..25]).unwrap();
    for file in ["broken", "short"] {
        let done = files.run(&format!("a.c --cutoffs off --checkpoint {file} --resume"));
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains("it is cut off") && done.err.contains("leave out --resume"), "{done:?}");
    }
    let done = files.run("a.c --engine naive --checkpoint state");
    assert_eq!(done.code, Some(2), "{done:?}");
}
