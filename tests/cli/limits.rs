//! Limits, and how a run is stopped from outside.
use crate::run::{Done, ENDLESS, Files, done};
use crate::signals::{interrupted, interrupted_by};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn start(files: &Files, arguments: &str) -> Child {
    let mut command = files.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("verify starts")
}

fn finish(child: Child) -> Done {
    done(child.wait_with_output().expect("verify ends"))
}

#[test]
fn time() {
    let files = Files::new(&[("a.c", ENDLESS)]);
    let done = files.run("--time-limit 1s a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: time limit of 1s reached\n"), "{done:?}");
    assert!(done.out.contains("hint: raise --time-limit"), "{done:?}");
}

#[test]
fn memory() {
    let files = Files::new(&[("a.c", ENDLESS)]);
    let done = files.run("--memory-limit 1M a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: memory limit of 1 MB reached\n"), "{done:?}");
}

/// 1.6 million states, no two of them the same, take 400 MB. All of them may be forgotten.
#[test]
fn memory_that_can_be_done_without() {
    let files = Files::new(&[("a.c", include_str!("../../testsuite/scaling/distinct_states.c"))]);
    let done = files.run("--memory-limit 125M --stats --format json a.c -DN=10");
    assert_eq!(done.code, Some(0), "{done:?}");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert!(report["stats"]["engine"]["purges"].as_u64() > Some(0), "{done:?}");
    assert!(report["stats"]["peak_memory_bytes"].as_u64() < Some(145 << 20), "{done:?}");
}

/// One execution that never ends and never repeats itself is needed as a whole.
#[test]
fn memory_that_cannot() {
    let program = "#include <stdatomic.h>\natomic_ulong n;\nint main(void) { for (;;) n++; }";
    let done = Files::new(&[("a.c", program)]).run("--memory-limit 200M a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: memory limit of 200 MB reached\n"), "{done:?}");
}

/// What the solver and its caches hold counts, too: there are 2^32 ways, each with another constraint.
#[test]
fn memory_for_inputs() {
    let program = "extern unsigned __VERIFIER_nondet_uint(void);
      int main(void) { unsigned n = __VERIFIER_nondet_uint(); while (n != 0) n--; }";
    for engine in ["optimal", "unfolding"] {
        let done = Files::new(&[("a.c", program)]).run(&format!("--memory-limit 110M a.c --engine {engine}"));
        assert_eq!(done.code, Some(3), "{done:?}");
        assert!(done.out.starts_with("unknown: memory limit of 110 MB reached\n"), "{done:?}");
    }
}

#[test]
fn executions() {
    let files = Files::new(&[("a.c", ENDLESS)]);
    let done = files.run("--max-executions 5000 --cutoffs off --format json a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["reason"], "limit of 5,000 executions reached");
    let stats = &report["stats"];
    let total: u64 = ["executions", "blocked", "pruned"].iter().map(|key| stats[key].as_u64().unwrap()).sum();
    assert_eq!(total, 5000);
}

#[test]
fn steps() {
    // Each turn differs, so only a budget ends it.
    let files = Files::new(&[("a.c", "unsigned long n; int main(void) { for (;;) n++; }")]);
    let done = files.run("--max-steps 100000 a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: "), "{done:?}");
}

/// A time limit ends even a step that takes for ever.
#[test]
fn time_in_the_middle_of_a_step() {
    let files = Files::new(&[("a.c", "unsigned long n; int main(void) { for (;;) n++; }")]);
    let begin = Instant::now();
    let done = files.run("--max-steps 1000000000000000 --time-limit 1s a.c");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.starts_with("unknown: time limit of 1s reached\n"), "{done:?}");
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn ctrl_c_and_termination() {
    for name in ["INT", "TERM"] {
        let files = Files::new(&[("a.c", ENDLESS)]);
        let done = interrupted(files.command("a.c --format json"), name);
        assert_eq!(done.code, Some(3), "{done:?}");
        let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!(report["verdict"], "unknown");
        assert_eq!(report["reason"], "interrupted");
        assert!(report["stats"]["executions"].as_u64().unwrap() > 0, "{done:?}");
    }
}

/// `timeout` sends one signal to the process, and one to all of its group.
#[test]
fn two_signals_at_once_are_one() {
    let files = Files::new(&[("a.c", ENDLESS)]);
    let done = interrupted_by(files.command("a.c --format json"), &["TERM", "TERM", "TERM"]);
    assert_eq!(done.code, Some(3), "{done:?}");
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("there is a report");
    assert_eq!(report["reason"], "interrupted");
}

#[test]
fn a_closed_pipe() {
    let files = Files::new(&[("a.c", crate::run::RACE)]);
    let mut child = start(&files, "a.c");
    drop(child.stdout.take());
    let done = finish(child);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(done.err, "");
}

#[test]
fn a_full_disk() {
    let files = Files::new(&[("a.c", crate::run::RACE)]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = files.command("a.c").stdout(full).output().unwrap();
    let done = done(output);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: cannot write the result: "), "{done:?}");
}
