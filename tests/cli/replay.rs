//! `--save-trace` and `verify replay`.
use crate::run::{self, DEADLOCK, Done, Files, LOCKED, RACE};

/// An assertion that fails in either of two threads.
const TWO_BUGS: &str = r"#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *p) {
  pthread_mutex_lock(&m);
  assert(p);
  return p;
}
void *other(void *p) {
  pthread_mutex_lock(&n);
  assert(p);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
";

/// Everything but the statistics and the hints behind them.
fn bug(done: &Done) -> &str {
    done.out.rsplit_once("\n\n").expect("statistics follow").0
}

#[test]
fn the_same_report_again() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    let first = files.run("a.c --save-trace bug.trace");
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!(bug(&first).ends_with("\nto see it again: verify replay bug.trace"), "{first:?}");
    let again = files.run("replay bug.trace");
    assert_eq!((again.code, again.err.as_str()), (Some(1), ""), "{again:?}");
    assert_eq!(bug(&first), bug(&again));
    let json = |line: &str| -> serde_json::Value { serde_json::from_str(&files.run(line).out).unwrap() };
    let first = json("a.c --format json --save-trace bug.trace");
    let again = json("replay --format json --report text=report.txt bug.trace");
    assert_eq!(first["violations"], again["violations"]);
    assert_eq!(again["violations"][0]["replay"], "verify replay bug.trace");
    assert!(std::fs::read_to_string(files.path("report.txt")).unwrap().starts_with("bug: deadlock"));
}

#[test]
fn from_elsewhere() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    files.run("a.c --save-trace bug.trace");
    let elsewhere = Files::new(&[("a.c", LOCKED)]);
    let trace = files.path("bug.trace").display().to_string();
    // Where it was saved, or where it is said to be.
    assert_eq!(elsewhere.run(&format!("replay {trace}")).code, Some(1));
    let other = elsewhere.run(&format!("replay -C . {trace}"));
    assert_eq!(other.code, Some(2));
    assert!(
        other.err.starts_with("error: a.c has changed since the trace was saved\nhint: run verify again"),
        "{other:?}"
    );
}

#[test]
fn several_violations() {
    let files = Files::new(&[("a.c", TWO_BUGS)]);
    let first = files.run("a.c -k --save-trace bug.trace");
    let count = first.out.matches("\nto see it again: ").count();
    assert!(count > 1, "{first:?}");
    assert!(first.out.contains("to see it again: verify replay --violation 2 bug.trace\n"), "{first:?}");
    assert_eq!(bug(&files.run("replay bug.trace")), bug(&first));
    let second = files.run("replay --violation 2 bug.trace");
    assert!(second.out.matches("bug: ").count() == 1 && first.out.contains(bug(&second)), "{second:?}");
    let none = files.run("replay --violation 9 bug.trace");
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains(&format!("there are {count}")), "{none:?}");
}

#[test]
fn nothing_to_save() {
    let files = Files::new(&[("a.c", LOCKED)]);
    assert_eq!(files.run("a.c --save-trace bug.trace").code, Some(0));
    assert!(!files.path("bug.trace").exists());
    let files = Files::new(&[("a.c", RACE)]);
    let unwritable = files.run("a.c --save-trace no/such/bug.trace");
    assert_eq!(unwritable.code, Some(2));
    assert!(unwritable.out.starts_with("bug: ") && unwritable.err.contains("no/such/bug.trace: cannot be written"));
}

#[test]
fn what_has_changed() {
    let files = Files::new(&[("a.c", DEADLOCK), ("in", "1")]);
    files.run("a.c --stdin in --save-trace bug.trace");
    std::fs::write(files.path("a.c"), format!("// One line more.\n{DEADLOCK}")).unwrap();
    let changed = files.run("replay bug.trace");
    assert_eq!(changed.code, Some(2));
    assert!(changed.err.contains("a.c has changed since the trace was saved"), "{changed:?}");
    let forced = files.run("replay --force bug.trace");
    assert!(forced.code == Some(1) && forced.out.contains("a.c:15"), "{forced:?}");
    // A program in which the schedule leads nowhere.
    std::fs::write(files.path("a.c"), LOCKED).unwrap();
    let lost = files.run("replay --force bug.trace");
    assert_eq!(lost.code, Some(2));
    assert!(lost.err.contains("does not lead to the violation"), "{lost:?}");
    // What the program finds belongs to it.
    std::fs::write(files.path("a.c"), DEADLOCK).unwrap();
    assert_eq!(files.run("replay bug.trace").code, Some(1));
    std::fs::write(files.path("in"), "2").unwrap();
    let input = files.run("replay bug.trace");
    assert!(input.code == Some(2) && input.err.contains("does it find other files?"), "{input:?}");
}

#[test]
fn builds_of_strangers() {
    let build = r#"[{"directory": ".", "file": "a.c", "command": "cc -c a.c -o a.o"}]"#;
    let files = Files::new(&[("a.c", DEADLOCK), ("cc.json", build), ("x.c", "-fplugin=x.so a.c\n")]);
    assert_eq!(files.run("--compdb cc.json --save-trace bug.trace").code, Some(1));
    assert_eq!(files.run("replay bug.trace").code, Some(1));
    files.write("cc.json", &build.replace("-c a.c", "-c a.c -fplugin=./evil.so"));
    refused(&files, "bug.trace", "`-fplugin=./evil.so`");
    files.write("cc.json", &build.replace("-c a.c", "-c a.c -I @x.c"));
    refused(&files, "bug.trace", "`@x.c`");
    let trusted = files.run("replay --trust bug.trace");
    assert!(trusted.code == Some(2) && trusted.err.contains(" failed\n"), "clang complains: {trusted:?}");
}

#[test]
fn what_the_search_was_to_fail_for_does_not_matter() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    assert_eq!(files.run("a.c --fail-on none --save-trace bug.trace").code, Some(0));
    assert_eq!(files.run("replay bug.trace").code, Some(1));
}

#[test]
fn files_that_are_none() {
    let files = Files::new(&[("a.c", DEADLOCK), ("empty", ""), ("list", "[1]"), ("number", "{\"format\": 7}")]);
    for (name, says) in [
        ("missing", "cannot be read"),
        (".", "cannot be read"),
        ("empty", "is no trace"),
        ("list", "is no trace"),
        ("number", "has format 7"),
    ] {
        refused(&files, name, says);
    }
}

#[test]
fn files_that_were_changed() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    files.run("a.c --save-trace bug.trace");
    let good = std::fs::read_to_string(files.path("bug.trace")).unwrap();
    let first = good.find("\"moves\"").expect("it has moves");
    let promoted = |bytes: &str| format!("\"promoted\": [{{\"object\": {{\"global\": \"{bytes}}}]");
    for (from, to, says) in [
        ("\"violations\"", "\"violation\"".to_owned(), "is no trace"),
        ("\"version\": \"", "\"version\": \"9".to_owned(), "was saved by verify 9"),
        ("\"a.c\"", "\"--nonsense\"".to_owned(), "is none of `verify check`"),
        ("\"a.c\"", "\"a.c\", \"--clang\", \"./evil\"".to_owned(), "`--clang ./evil`"),
        ("\"a.c\"", "\"a.c\", \"--cflags\", \"-fplugin=x.so\"".to_owned(), "`-fplugin=x.so`"),
        ("\"promoted\": []", promoted("z\"}, \"bytes\": [0, 3]"), "the variable `z`"),
        ("\"promoted\": []", promoted("a\"}, \"bytes\": [9, 3]"), "is no trace"),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        std::fs::write(files.path("bad"), good.replacen(from, &to, 1)).unwrap();
        refused(&files, "bad", says);
    }
    for (from, to) in [("\"label\": 0", "\"label\": 9"), ("\"thread\": 0", "\"thread\": 4000000000")] {
        let moves = good[first..].replacen(from, to, 1);
        std::fs::write(files.path("bad"), good[..first].to_owned() + &moves).unwrap();
        refused(&files, "bad", "cannot be repeated");
    }
}

fn refused(files: &Files, name: &str, says: &str) {
    let done = files.run(&format!("replay {name}"));
    assert_eq!(done.code, Some(2), "{name}: {done:?}");
    assert!(done.err.starts_with("error: ") && done.err.contains(says), "{says}: {done:?}");
}

/// Saves what is wrong with a program of the test suite, and has the real program show it.
fn native(program: &str, options: &str) -> Done {
    let suite = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite").join(program);
    let files = Files::new(&[]);
    let found = files.run(&format!("{} {options} --save-trace bug.trace", suite.display()));
    assert_eq!(found.code, Some(1), "{found:?}");
    files.run("replay --native bug.trace")
}

fn happens(done: &Done, what: &str) {
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("\nnative: it happens: ") && done.out.contains(what), "{done:?}");
}

#[test]
fn natively_an_assertion() {
    happens(&native("assertion/lost_update.c", ""), "assertion `balance == 2` failed");
}

#[test]
fn natively_a_deadlock() {
    happens(&native("deadlock/three_locks_cycle.c", ""), "thread 3 in pthread_mutex_lock");
}

#[test]
fn natively_a_lost_wake_up() {
    happens(&native("deadlock/lost_signal.c", ""), "thread 1 in pthread_cond_wait");
}

#[test]
fn natively_a_freed_block() {
    let program = "#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *p;
void *use(void *q) {
  pthread_mutex_lock(&m);
  *p = 1;
  pthread_mutex_unlock(&m);
  return q;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, use, 0);
  pthread_mutex_lock(&m);
  free(p);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
";
    let files = Files::new(&[("a.c", program)]);
    files.run("a.c --save-trace bug.trace");
    happens(&files.run("replay --native bug.trace"), "thread 1 writes 4 bytes at offset 0 of a block of 4 bytes");
}

#[test]
fn natively_atomics() {
    happens(&native("assertion/dekker_flags.c", "-DRUDE -DORDER=0"), "failed at ");
}

#[test]
fn natively_a_reader_writer_lock() {
    happens(&native("programs/cache.c", "-DTRUST"), "failed at ");
}

#[test]
fn natively_not() {
    let files = Files::new(&[("a.c", "#include <stdlib.h>\nvoid *p; int main(void) { p = malloc(1); p = 0; }")]);
    files.run("a.c --save-trace bug.trace");
    let done = files.run("replay --native bug.trace");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(
        done.out.ends_with("native: cannot be shown: a real program shows nothing of a violation of kind leak\n"),
        "{done:?}"
    );
}

/// What a barrier tells whom is learned by exploring, and stands in the file.
#[test]
fn a_barrier_tells_a_thread_that_does_not_look() {
    let files = Files::new(&[("a.c", include_str!("../../testsuite/pthread/barrier_told_unasked.c"))]);
    let found = files.run("a.c --save-trace bug.trace");
    assert_eq!(found.code, Some(1), "{found:?}");
    let again = files.run("replay bug.trace");
    assert_eq!(again.code, Some(1), "{again:?}");
}

/// Whether addresses and thread numbers are used again is a matter of the engine that answered, not of the one that was
/// asked for.
#[test]
fn another_engine_has_answered() {
    let files = Files::new(&[("a.c", include_str!("../../testsuite/ends/number_used_again.c"))]);
    let found = files.run("a.c --save-trace bug.trace");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains("engine observers"), "not what this test is for: {found:?}");
    let again = files.run("replay bug.trace");
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn natively_another_failure() {
    // The real program finds a file that the model does not have, or ends where the model does not.
    let program = |condition: &str, wrong: &str, other: &str| {
        format!(
            "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <limits.h>\nint main(void) {{\n  \
             volatile int x = INT_MAX;\n  int *p = 0;\n  FILE *f = fopen(\"/etc/passwd\", \"r\");\n  \
             if ({condition}) {{ {wrong}; }}\n  else {{ {other}; }}\n  return x && p;\n}}\n"
        )
    };
    let outcome = |condition: &str, wrong: &str, other: &str| {
        let files = Files::new(&[("a.c", &program(condition, wrong, other))]);
        let found = files.run("a.c --save-trace bug.trace");
        assert_eq!(found.code, Some(1), "{wrong}: {found:?}");
        files.run("replay --native bug.trace")
    };
    let more = [
        ("assert(!\"one\")", "abort()"),
        ("abort()", "assert(!\"other\")"),
        ("x = x + 1", "abort()"),
        ("abort()", "abort()"),
        ("abort()", "*p = 1"),
    ];
    let all = [
        ("assert(!\"one\")", "assert(!\"other\")"),
        ("*p = 1", "abort()"),
        ("x = x + 1", "*p = 1"),
        ("p = malloc(4); free(p); free(p)", "p = malloc(4); free(p); *p = 1"),
    ];
    for (wrong, other) in all.into_iter().chain(more.into_iter().filter(|_| run::is_full())) {
        let done = outcome("!f", wrong, other);
        assert_eq!(done.code, Some(3), "{wrong}, {other}: {done:?}");
        assert!(done.out.contains("\nnative: cannot be shown: "), "{done:?}");
    }
    // Where it does not depend on the file.
    for wrong in ["assert(!\n\"one\")", "abort()", "*p = 1", "x = x + 1", "p = malloc(4); free(p); free(p)"] {
        happens(&outcome("f || !f", wrong, ""), "");
    }
}

#[test]
fn natively_a_race() {
    let files = Files::new(&[("a.c", RACE)]);
    files.run("a.c --save-trace bug.trace");
    happens(&files.run("replay --native bug.trace"), " and at the same time, thread ");
}
