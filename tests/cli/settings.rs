//! Where settings come from: the command line, the environment, `verify.toml`; and bugs that are not to be reported.
use crate::run::{Done, Files, LOCKED, RACE, done};
use serde_json::Value;

/// A race of three functions on one variable, and another one.
const RACES: &str = r"#include <pthread.h>
int c, d;
void *f(void *p) { c++; return p; }
void *g(void *p) { c += 2; d = 1; return p; }
void *h(void *p) { c += 3; d = 2; return p; }
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_create(&v, 0, h, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
}
";

/// Entries of the file: the keys of one are separated by `|`, the entries by `;`.
fn suppress(entries: &str) -> String {
    let entry = |keys: &str| format!("[[suppress]]\nreason = \"known\"\n{}\n", keys.trim().replace(" | ", "\n"));
    entries.split(';').map(entry).collect()
}

/// Checks a program with these suppressions.
fn with(program: &str, entries: &str, arguments: &str) -> Done {
    let files = Files::new(&[("a.c", program), ("verify.toml", &suppress(entries))]);
    files.run(&format!("a.c --format json {arguments}"))
}

fn report(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn the_command_line_comes_before_the_environment_before_the_file() {
    let files = Files::new(&[("a.c", LOCKED), ("verify.toml", "[defaults]\nmax-executions = 1\n")]);
    let reason = |done: Done| report(&done)["reason"].as_str().map(str::to_owned);
    let limit = |count: &str| Some(format!("limit of {count} reached"));
    let run = |arguments: &str, variable: Option<&str>| {
        let mut command = files.command(&format!("a.c --engine naive --format json {arguments}"));
        command.envs(variable.map(|value| ("VERIFY_MAX_EXECUTIONS", value)));
        reason(done(command.output().unwrap()))
    };
    assert_eq!(run("", None), limit("1 execution"));
    assert_eq!(run("", Some("2")), limit("2 executions"));
    assert_eq!(run("--max-executions 3", Some("2")), limit("3 executions"));
    assert_eq!(run("--max-executions 3", None), limit("3 executions"));
    assert_eq!(run("--no-config", None), None);
    assert_eq!(run("--no-config", Some("1")), limit("1 execution"));
}

#[test]
fn what_is_said_later_drops_what_it_excludes() {
    let size = "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); }\n";
    let run = |settings: &str, variable: &str, arguments: &str| {
        let config = format!("[defaults]\n{settings}\n");
        let files = Files::new(&[("a.c", size), ("verify.toml", &config), ("other.toml", "[defaults]\nm32 = true\n")]);
        let mut command = files.command(&format!("a.c {arguments}"));
        command.envs(variable.split_once('='));
        done(command.output().unwrap())
    };
    let code = |settings, variable, arguments| run(settings, variable, arguments).code;
    assert_eq!(code("m32 = true", "", ""), Some(0));
    assert_eq!(code("m32 = true", "", "-m64"), Some(1), "the command line before the file");
    assert_eq!(code("m32 = true", "VERIFY_M64=true", ""), Some(1), "the environment before the file");
    assert_eq!(code("", "VERIFY_M32=true", "-m64"), Some(1), "the command line before the environment");
    assert_eq!(code("m64 = true", "VERIFY_M32=true", ""), Some(0));
    assert_eq!(code("m32 = true", "VERIFY_M64=false", ""), Some(0), "who says no excludes nothing");
    assert_eq!(code("", "VERIFY_NO_CONFIG=true", "--config other.toml"), Some(0), "a file that is named is read");
    // Neither is said later.
    assert_eq!(code("m32 = true\nm64 = true", "", ""), Some(2));
    let files = Files::new(&[("a.c", RACE), ("verify.toml", "[defaults]\nkeep-going = true\n")]);
    let stopped = |done: Done| done.out.contains("--keep-going reports every distinct one");
    assert!(stopped(files.run("a.c --minimise")) && !stopped(files.run("a.c")));
    let stacks = |done: Done| done.out.contains("The schedule that leads there:");
    assert!(stacks(run("quiet = true", "", "-v")) && !stacks(run("verbose = true", "VERIFY_QUIET=true", "")));
}

#[test]
fn what_settings_leave_out_is_said() {
    let files = Files::new(&[("a.c", RACE), ("verify.toml", "[defaults]\ncheck = [\"assertion\"]\n")]);
    let text = files.run("a.c");
    assert_eq!(text.code, Some(0), "{text:?}");
    assert!(text.out.contains(" executions were explored; looked for: assertion (verify.toml)\n"), "{text:?}");
    assert!(files.run("a.c -q").out.ends_with("; looked for: assertion (verify.toml)\n"));
    let left_out = |done: &Value| {
        let all = done["assumptions"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
        all.filter(|name| name.starts_with("not-looked-for: ")).collect::<Vec<_>>()
    };
    let assumed = left_out(&report(&files.run("a.c --format json")));
    assert!(assumed.len() == 1 && assumed[0].contains("data-race, deadlock"), "{assumed:?}");
    let tested: Value = serde_json::from_str(&files.run("test a.c --format json").out).unwrap();
    assert_eq!(left_out(&tested["harnesses"][0]["report"]), assumed);
    assert!(files.run("test a.c").out.ends_with("\nlooked for: assertion (verify.toml), in 1 of 1\n"));
    let mut command = files.command("a.c --no-config -q");
    let variable = done(command.env("VERIFY_CHECK", "assertion,leak").output().unwrap());
    assert!(variable.out.ends_with("; looked for: assertion, leak (VERIFY_CHECK)\n"), "{variable:?}");
    let typed = files.run("a.c -q --check abort");
    assert!(typed.out.ends_with("; looked for: abort\n"), "{typed:?}");
    let counted = Files::new(&[("a.c", LOCKED), ("verify.toml", "[defaults]\nuninitialised = \"zero\"\n")]);
    let said = |options: &str| counted.run(&format!("a.c -q {options}")).out;
    assert!(said("").ends_with("; not looked for: uninitialised (verify.toml)\n"), "{}", said(""));
    assert!(said("--uninitialised any").ends_with("; not looked for: uninitialised\n"));
    assert!(!said("--uninitialised error").contains("looked for"));
    let all = files.run("a.c -q --no-config");
    assert!(all.code == Some(1) && !all.out.contains("looked for"), "{all:?}");
}

#[test]
fn files_from_above_and_by_name() {
    let files = Files::new(&[("verify.toml", "[defaults]\ninclude = \"inc\"\n"), ("other.toml", "")]);
    files.write(".git/HEAD", "");
    files.write("inc/it.h", "int main(void) { return 0; }\n");
    files.write("src/deep/a.c", "#include <it.h>\n");
    let run = |arguments: &str| {
        let mut command = files.command(arguments);
        done(command.current_dir(files.path("src/deep")).output().unwrap())
    };
    assert_eq!(run("a.c").code, Some(0), "paths in the file start where it stands");
    assert_eq!(run("a.c --config ../../other.toml").code, Some(2));
    assert_eq!(run("a.c --no-config").code, Some(2));
    let missing = run("a.c --config missing.toml");
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.starts_with("error: missing.toml: cannot be read"), "{missing:?}");
}

#[test]
fn mistakes_in_the_file_are_input_errors() {
    let files = Files::new(&[("a.c", LOCKED), ("verify.toml", "[defaults]\n\ntime-limt = \"5m\"\n")]);
    let done = files.run("a.c");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert_eq!(done.err, "error: verify.toml:3: unknown key `time-limt`\nhint: did you mean `time-limit`?\n");
    assert_eq!(files.run("a.c --no-config").code, Some(0));
}

#[test]
fn svcomp_has_settings_of_its_own() {
    let files = Files::new(&[("verify.toml", "nonsense = 1\n"), ("a.i", "int main(void) { return 0; }\n")]);
    files.write("p.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let mut command = files.command("svcomp --no-witness --property p.prp a.i");
    let done = done(command.env("VERIFY_TIME_LIMIT", "1ms").env("VERIFY_KEEP_GOING", "true").output().unwrap());
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[test]
fn a_suppressed_race_of_a_variable() {
    let done = with(RACE, "kind = \"data-race\" | message = \"on `c`\"", "");
    let report = report(&done);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(report["verdict"], "safe");
    let assumptions: Vec<&str> =
        report["assumptions"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(assumptions.contains(&"suppressed: data race on `c`"), "{assumptions:?}");
    assert_eq!(report["suppressed"][0]["reason"], "known");
    assert_eq!(done.err, "");
    let files = Files::new(&[("a.c", RACE), ("verify.toml", &suppress("kind = \"data-race\" | message = \"on `c`\""))]);
    let text = files.run("a.c").out;
    assert!(text.starts_with("safe: ") && text.contains(", 1 bug suppressed\n"), "{text}");
    assert!(text.contains("\nsuppressed: data race on `c`"), "{text}");
}

#[test]
fn the_exploration_goes_on_after_it() {
    let done = with(RACES, "kind = \"data-race\" | message = \"on `c`\"", "");
    let report = report(&done);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(report["violations"][0]["message"].as_str().unwrap().contains("on `d`"), "{report}");
    assert_eq!(report["violations"].as_array().unwrap().len(), 1);
    let all =
        with(RACES, "kind = \"data-race\" | message = \"on `c`\"; kind = \"data-race\" | message = \"on `d`\"", "");
    assert_eq!(all.code, Some(0), "{all:?}");
}

#[test]
fn what_a_suppression_may_hide_makes_the_verdict_unknown() {
    // The race of `g` and `h` on the same variable is not found after the one of `f`.
    let done = with(RACES, "kind = \"data-race\" | function = \"f\"; kind = \"data-race\" | message = \"on `d`\"", "");
    let reason = report(&done)["reason"].to_string();
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(reason.contains("other races on the memory of a suppressed one"), "{reason}");
    // Undefined behaviour ends the execution.
    let program = "#include <stdlib.h>\n#include <assert.h>\nint main(void) { char *p = malloc(1); free(p); free(p); assert(0); }";
    let done = with(program, "kind = \"memory\" | function = \"main\"", "");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(report(&done)["reason"].to_string().contains("what follows a suppressed bug"), "{done:?}");
    // Nothing follows a failed assertion.
    let program = "#include <assert.h>\nint main(void) { assert(0); }";
    let done = with(program, "kind = \"assertion\" | function = \"main\"", "");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(report(&done)["assumptions"], serde_json::json!(["suppressed: assertion in `main`"]));
}

#[test]
fn one_place_with_two_messages_is_two_bugs() {
    // Which of the two values comes last is a matter of the schedule; the assertion is one.
    let program = r"#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char *p, *q;
int which;
void *f(void *x) { pthread_mutex_lock(&m); which = 1; pthread_mutex_unlock(&m); return x; }
int main(void) {
  pthread_t t;
  p = malloc(1);
  q = malloc(2);
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  char *r = which ? p : q;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  r[7] = 1;
  free(p);
  free(q);
}
";
    let messages: Vec<String> = {
        let files = Files::new(&[("a.c", program)]);
        let report = report(&files.run("a.c --format json"));
        report["violations"].as_array().unwrap().iter().map(|v| v["message"].as_str().unwrap().to_owned()).collect()
    };
    let done = with(program, &format!("kind = \"memory\" | message = \"{}\"", messages[0]), "");
    let other = report(&done);
    assert_eq!(done.code, Some(1), "{messages:?}: {done:?}");
    assert_ne!(other["violations"][0]["message"], messages[0].as_str());
}

#[test]
fn a_suppressed_bug_behind_the_end_of_the_process_is_none() {
    // After the end of the process there is no write; before it there is, and what follows that was not explored.
    let program = r"#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x;
void *f(void *p) { atomic_load(&x); int *q = 0; *q = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); atomic_store(&x, 1); exit(0); }
";
    for engine in ["naive", "unfolding"] {
        let done = with(program, "kind = \"memory\" | function = \"f\"", &format!("--engine {engine} --cutoffs off"));
        assert_eq!(done.code, Some(3), "{engine}: {done:?}");
        assert!(report(&done)["reason"].to_string().contains("what follows a suppressed bug"), "{engine}: {done:?}");
    }
}

#[test]
fn what_is_not_known_beside_a_bug_is_said() {
    // The bug is found before the call, or after it; while a shorter schedule is looked for, the other one is met.
    for condition in ["", "!"] {
        let program = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int unknown_function(void);
atomic_int x;
void *f(void *p) { if (CONDITION atomic_load(&x)) unknown_function(); else assert(0); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); atomic_store(&x, 1); pthread_join(t, 0); }
"
        .replace("CONDITION", condition);
        let files =
            Files::new(&[("a.c", &program), ("verify.toml", &suppress("kind = \"overflow\" | function = \"g\""))]);
        let done = files.run("a.c");
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.out.contains("there may be more bugs"), "{done:?}");
        assert_eq!(done.err, "", "nobody knows whether it would match");
    }
}

#[test]
fn suppressions_that_match_nothing_are_named() {
    let unused = "kind = \"leak\" | file = \"a.c\"";
    let done = with(LOCKED, unused, "");
    assert_eq!(done.code, Some(0));
    assert!(done.err.starts_with("warning: verify.toml:1: this suppression matched nothing (known)"), "{done:?}");
    // Where not all was explored, it is not known.
    assert_eq!(with(RACE, unused, "").err, "");
    assert_eq!(with(LOCKED, unused, "--max-executions 1").err, "");
}

#[test]
fn volatile_accesses_are_what_the_settings_say() {
    let program = RACE.replace("int c", "volatile int c");
    let files = Files::new(&[("a.c", &program), ("verify.toml", "[defaults]\nvolatile = \"atomic\"\n")]);
    let plain = files.run("a.c --no-config");
    assert_eq!(plain.code, Some(1), "{plain:?}");
    assert!(plain.out.contains("a volatile access orders nothing in C; `--volatile atomic` counts it"), "{plain:?}");
    let atomic = files.run("a.c");
    assert_eq!(atomic.code, Some(0), "{atomic:?}");
    assert!(atomic.out.contains("volatile-is-atomic"), "{atomic:?}");
    // What is no volatile access says nothing of them.
    let files = Files::new(&[("a.c", RACE)]);
    assert!(!files.run("a.c").out.contains("volatile"));
    assert!(!files.run("a.c --check assertion --volatile atomic").out.contains("volatile"));
}

#[test]
fn other_kinds_are_decided_beside_a_suppressed_race() {
    let suppressed = "kind = \"data-race\" | message = \"on `c`\"";
    for (wanted, kind) in [("c == 2", Some("assertion")), ("c >= 1", None)] {
        let program = RACE.replace("int main", "#include <assert.h>\nint main");
        let end = program.rfind('}').expect("it has a main");
        let program = format!("{}  assert({wanted});\n}}\n", &program[..end]);
        let done = with(&program, suppressed, "");
        assert_eq!(report(&done)["violations"][0]["kind"].as_str(), kind, "{done:?}");
        assert_eq!(done.code, Some(kind.is_some().into()), "{done:?}");
    }
}

#[test]
fn kinds_are_named_or_taken_away() {
    let files = Files::new(&[("a.c", RACE), ("verify.toml", "[defaults]\ncheck = \"-data-race\"\n")]);
    let done = files.run("a.c -q");
    assert!(done.out.ends_with("; not looked for: data-race (verify.toml)\n"), "{done:?}");
    for typed in ["--check -data-race", "--check=-data-race", "--check -leak,-data-race"] {
        let done = files.run(&format!("a.c -q --no-config {typed}"));
        assert!(done.code == Some(0) && done.out.contains("; not looked for: data-race"), "{done:?}");
    }
    let mixed = files.run("a.c --check leak,-data-race");
    assert!(mixed.code == Some(2) && mixed.err.contains("to look for and others not to look for"), "{mixed:?}");
    let wrong = files.run("a.c --check -races");
    assert!(wrong.code == Some(2) && wrong.err.contains("data-race"), "{wrong:?}");
}
