//! Solvers that fail: the answer is "unknown" with the reason, and never "safe".
use crate::run::{Done, Files, done};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// No input fails: no square ends in 2. But nothing simpler than a solver knows that.
const SAFE: &str = "#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x < 1000)
    assert(x * x != 990002);
}
";

/// 995 fails.
const BROKEN: &str = "#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x < 1000)
    assert(x * x != 990025);
}
";

/// A solver that does this when it is asked, and `values` when it is asked for values.
fn asked(answer: &str, values: &str) -> String {
    format!("while read line; do case $line in '(check-sat)') {answer};; *get-value*) {values};; esac; done")
}

/// Checks both programs with a solver that is this shell script, which is found on the `PATH`.
fn with_solver(script: &str, options: &str) -> [Done; 2] {
    let files = Files::new(&[("safe.c", SAFE), ("broken.c", BROKEN)]);
    files.write("bin/fake", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(files.path("bin/fake"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", files.path("bin").display(), std::env::var("PATH").unwrap());
    ["safe.c", "broken.c"].map(|program| {
        let mut command = files.command(&format!("--solver smtlib:fake {options} {program}"));
        done(command.env("PATH", &path).output().unwrap())
    })
}

#[track_caller]
fn fails(script: &str, options: &str, reason: &str) {
    let start = Instant::now();
    for done in with_solver(script, options) {
        assert_eq!(done.code, Some(3), "{script}: {done:?}");
        let text = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.starts_with("unknown: solver: ") && text.contains(reason), "{script}: {done:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{script} holds everybody up");
}

/// With a solver that knows nothing, the programs are unknown, and so a wrong verdict would come from the solver.
#[test]
fn a_solver_that_knows_nothing() {
    fails(&asked("echo unknown", "exit"), "", "`fake` does not know");
}

#[test]
fn a_solver_that_ends() {
    fails("exit 3", "", "the solver `fake` fails: it");
    fails("kill -SEGV $$", "", "the solver `fake` fails: it");
    fails(&asked("kill -KILL $$", "exit"), "", "the solver `fake` fails: it has ended");
    fails(&asked("echo sat", "kill -KILL $$"), "", "the solver `fake` fails: it has ended");
    fails(&asked("echo sat", "printf '((i1 #x0000'; exit"), "", "the solver `fake` fails: ");
}

#[test]
fn a_solver_that_is_too_slow() {
    fails("exec sleep 100", "--solver-time 100ms", "the solver `fake` fails: its time is over");
    fails(&asked("exec sleep 100", "exit"), "--solver-time 100ms", "its time is over");
    fails(&asked("printf sa; exec sleep 100", "exit"), "--solver-time 100ms", "its time is over");
    fails(&asked("echo sat", "exec sleep 100"), "--solver-time 100ms", "its time is over");
}

#[test]
fn a_solver_that_talks_nonsense() {
    fails(&asked("echo maybe", "exit"), "", "`maybe` is no answer");
    fails(&asked("echo '(error \"no logic\")'", "exit"), "", "`(error \"no logic\")` is no answer");
    fails(&asked("echo sat", "echo 7"), "", "what should be values is not");
    fails(&asked("echo sat", "echo '((i1 seven))'"), "", "nonsense: `((i1 seven))`");
    // 33 bits.
    fails(&asked("echo sat", "echo '((i1 #b100000000000000000000000000000000))'"), "", "nonsense");
    fails("cat", "", "is no answer");
    fails("exec yes", "", "`y` is no answer");
}

/// 1000 is not below 1000.
#[test]
fn a_solver_with_a_wrong_model() {
    let reason = "the solver gives a model in which the constraints do not hold";
    fails(&asked("echo sat", "echo '((i1 #x000003e8))'"), "", reason);
}

/// A solver that says truly that 995 fails, and then crashes, has shown a bug all the same. (No smaller number is found
/// then.)
#[test]
fn a_bug_needs_no_more_than_its_values() {
    let [_, broken] = with_solver(&asked("echo sat", "echo '((i1 #x000003e3))'"), "");
    assert_eq!(broken.code, Some(1), "{broken:?}");
    assert!(broken.out.contains("reads the input 995"), "{broken:?}");
}

/// A solver that lies about what is impossible is believed, but not if there is a second one, which knows better.
#[test]
fn a_solver_that_lies() {
    let lie = "while read line; do case $line in *bvmul*) lies=1;; *get-value*) echo '((i1 #x00000000))';; \
               '(check-sat)') if [ $lies ]; then echo unsat; else echo sat; fi;; esac; done";
    let [_, broken] = with_solver(lie, "");
    assert_eq!(broken.code, Some(0), "nothing is there to find it out: {broken:?}");
    let [safe, broken] = with_solver(lie, "--second-solver z3");
    // (Of the first program it says, without knowing, what is true.)
    assert_eq!((safe.code, broken.code), (Some(0), Some(3)), "{safe:?} {broken:?}");
    let text = broken.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the second solver finds values where the first one says that there are none"), "{text}");
}

/// A mistake on the command line, and not a matter of the program.
#[test]
fn a_solver_that_is_not_there() {
    let files = Files::new(&[("safe.c", SAFE)]);
    for name in ["no-such-solver", "./no-such-solver -in", "./safe.c"] {
        let mut command = files.command("safe.c --solver");
        let done = done(command.arg(format!("smtlib:{name}")).output().unwrap());
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{done:?}");
        let program = name.split(' ').next().unwrap();
        assert!(done.err.starts_with(&format!("error: --solver: there is no program `{program}`")), "{done:?}");
    }
}
