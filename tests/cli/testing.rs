//! `verify test`: many programs, and what is expected of them.
use crate::machines::{conforms, report_schema, sarif_schema};
use crate::run::{DEADLOCK, Done, ENDLESS, Files, LOCKED, RACE, done};
use crate::signals::interrupted;
use serde_json::Value;

/// A project with a harness for each outcome.
fn project() -> Files {
    let config = r#"
[defaults]
time-limit = "1m"

[[harness]]
name = "locked"
inputs = ["locked.c"]

[[harness]]
name = "known race"
inputs = "race.c"
expect = "unsafe(data-race)"
reason = "to be mended"

[[harness]]
name = "given up"
inputs = "locked.c"
options = ["--max-executions", "1"]
expect = "unknown"

[[harness]]
name = "race"
inputs = "race.c"

[[harness]]
name = "another bug"
inputs = "deadlock.c"
expect = "unsafe(data-race)"

[[harness]]
name = "limited"
inputs = "locked.c"
options = ["--max-executions=1"]

[[harness]]
name = "arguments"
inputs = "arguments.c"
options = ["-DCOUNT=3", "--cflags", "-Wno-everything"]
args = ["one", "two"]

[[harness]]
name = "missing"
inputs = "missing.c"
"#;
    let arguments = "#include <assert.h>\nint main(int n, char **v) { assert(n == COUNT); return v == 0; }\n";
    let files = [("verify.toml", config), ("locked.c", LOCKED), ("race.c", RACE), ("deadlock.c", DEADLOCK)];
    Files::new(&[&files[..], &[("arguments.c", arguments)]].concat())
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn outcomes() {
    let files = project();
    let done =
        files.run("test --format json --jobs 2 --report junit=x.xml --report sarif=x.sarif --report github=x.txt");
    assert_eq!(done.code, Some(1), "{done:?}");
    let result = json(&done);
    let outcomes: Vec<(&str, &str)> = result["harnesses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|harness| (harness["name"].as_str().unwrap(), harness["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(
        outcomes,
        [
            ("locked", "passed"),
            ("known race", "passed"),
            ("given up", "passed"),
            ("race", "failed"),
            ("another bug", "failed"),
            ("limited", "unknown"),
            ("arguments", "passed"),
            ("missing", "error"),
        ]
    );
    assert_eq!(result["summary"], serde_json::json!({"passed": 4, "failed": 2, "unknown": 1, "error": 1}));
    assert_eq!(result["harnesses"][1]["reason"], "to be mended");
    assert_eq!(result["harnesses"][4]["message"], "expected unsafe(data-race), found unsafe (deadlock)");
    assert_eq!(result["harnesses"][7]["report"], Value::Null);
    let schema = report_schema();
    for harness in &result["harnesses"].as_array().unwrap()[..7] {
        conforms(&schema, &harness["report"]);
    }
    assert_eq!(done.err.lines().count(), 8, "a line for each: {done:?}");

    let read = |name: &str| std::fs::read_to_string(files.path(name)).unwrap();
    let suites = junit_parser::from_reader(read("x.xml").as_bytes()).unwrap();
    assert_eq!((suites.tests, suites.failures, suites.errors, suites.skipped), (8, 2, 2, 0));
    let sarif: Value = serde_json::from_str(&read("x.sarif")).unwrap();
    conforms(&sarif_schema(), &sarif);
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(rules, ["data-race", "deadlock"], "what is expected is no result");
    assert_eq!(read("x.txt").lines().filter(|line| line.starts_with("::warning title=limited::unknown")).count(), 1);
}

#[test]
fn text_for_people() {
    let files = project();
    let done = files.run("test --filter race --filter limited");
    assert_eq!(done.code, Some(1));
    let line = |start: &str| done.out.lines().any(|line| line.starts_with(start));
    assert!(line("passed  known race ("), "{done:?}");
    assert!(line("failed  race (") && line("== race") && line("bug: data race on `c`"), "{done:?}");
    assert!(line("unknown limited (") && !line("passed  locked"), "{done:?}");
    assert!(line("1 passed, 1 failed, 1 unknown of 3 in "), "{done:?}");
}

#[test]
fn exit_codes() {
    let files = project();
    for (arguments, code) in [
        ("--filter known", 0),
        ("--filter given", 0),
        ("--filter limited", 3),
        ("--filter limited --fail-on violation", 0),
        ("--filter missing", 2),
        ("--filter missing --fail-on none", 2),
        ("--filter another --fail-on unknown", 0),
        ("--filter nothing", 2),
        ("--format jsonl", 2),
        ("missing/", 2),
        ("--jobs 0", 2),
        ("--list", 0),
    ] {
        assert_eq!(files.run(&format!("test {arguments}")).code, Some(code), "{arguments}");
    }
    assert_eq!(files.run("test --list").out.lines().count(), 8);
}

#[test]
fn directories_lists_and_files() {
    let files = Files::new(&[("list", "# Two programs.\n\nsub/b.c\na.c\n")]);
    files.write("a.c", LOCKED);
    files.write("sub/b.c", LOCKED);
    files.write("sub/notes.txt", "");
    files.write("sub/.hidden/c.c", RACE);
    let names = |arguments: &str| files.run(&format!("test --list {arguments}")).out;
    assert_eq!(names("."), "./a.c\n./sub/b.c\n");
    assert_eq!(names("list"), "sub/b.c\na.c\n");
    assert_eq!(names("a.c sub"), "a.c\nsub/b.c\n");
    assert_eq!(names("sub/.hidden"), "sub/.hidden/c.c\n", "what is hidden has to be named");
    assert_eq!(files.run("test sub -- --max-executions 1").code, Some(3), "options for each check");
    assert_eq!(files.run("test -q .").out.lines().count(), 2, "nothing but the sums");
    assert_eq!(files.run("test").code, Some(2), "there is no verify.toml");
}

#[test]
fn names_are_only_shown() {
    let config = "[[harness]]\nname = \"a\\u001B[2J\\n::stop-commands::x\"\ninputs = \"a.c\"\n";
    let files = Files::new(&[("verify.toml", config), ("a.c", RACE)]);
    for arguments in ["", "--list", "--format github", "--format json"] {
        let done = files.run(&format!("test {arguments}"));
        assert!(!done.out.contains('\x1b') && !done.err.contains('\x1b'), "{arguments}: {done:?}");
        assert!(!(done.out + &done.err).contains("\n::stop"), "{arguments}");
    }
    assert_eq!(files.run("test --list").out, "a\\x1b[2J\\n::stop-commands::x\n");
}

#[test]
fn links_are_followed() {
    let files = Files::new(&[("verify.toml", "")]);
    files.write("real/a.c", LOCKED);
    files.write("tests/b.c", LOCKED);
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, files.path(name)).unwrap();
    link("../real", "tests/link");
    link("..", "real/back");
    link("nowhere", "tests/dangling");
    assert_eq!(files.run("test --list tests").out, "tests/b.c\ntests/link/a.c\n");
    link("nowhere", "tests/gone.c");
    assert_eq!(files.run("test tests").code, Some(2), "a program that cannot be read is no program that is safe");
}

#[test]
fn what_stands_for_nothing_is_a_mistake() {
    let files = Files::new(&[("verify.toml", ""), ("list", "# Nothing yet.\n"), ("a.c", LOCKED)]);
    files.write("empty/notes.txt", "");
    for arguments in ["a.c empty", "empty a.c", "a.c list", "a.c --filter a --filter b"] {
        let done = files.run(&format!("test {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {done:?}");
    }
    assert!(files.run("test a.c empty").err.starts_with("error: empty: there is no program there\n"));
    let filtered = files.run("test a.c --filter a --filter b");
    assert!(filtered.err.starts_with("error: none of 1 names contains `b`"), "{filtered:?}");
}

#[test]
fn settings_that_would_check_nothing() {
    let files = project();
    let with = |variable: &str, arguments: &str| {
        let mut command = files.command(&format!("test {arguments}"));
        command.envs(variable.split_once('='));
        done(command.output().unwrap())
    };
    for variable in ["VERIFY_LIST=true", "VERIFY_PRINT_IR=true", "VERIFY_FAIL_ON="] {
        let done = with(variable, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{variable}: {done:?}");
    }
    // What is left out is said.
    let filtered = with("VERIFY_FILTER=known", "");
    assert_eq!(filtered.code, Some(0), "{filtered:?}");
    assert!(filtered.out.ends_with("\n1 of 8 harnesses chosen by --filter\n"), "{filtered:?}");
    let filtered = with("VERIFY_FILTER=known", "--format json");
    assert_eq!(json(&filtered)["left_out"], 7);
    assert!(filtered.err.ends_with("\n1 of 8 harnesses chosen by --filter\n"), "{filtered:?}");
    assert_eq!(json(&files.run("test --format json --filter locked --filter a --filter i"))["left_out"], 0);
}

#[test]
fn one_file_for_many_harnesses() {
    let config = "[defaults]\nsave-trace = \"bug.trace\"\n[[harness]]\nname = \"a\"\ninputs = \"a.c\"\n\
                  [[harness]]\nname = \"b\"\ninputs = \"a.c\"\n";
    let files = Files::new(&[("verify.toml", config), ("a.c", RACE)]);
    let refused = |arguments: &str| {
        let done = files.run(&format!("test {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {done:?}");
        assert!(done.err.contains("2 harnesses would write one file"), "{done:?}");
    };
    refused("");
    assert_eq!(files.run("test --filter a").code, Some(1));
    assert!(files.path("bug.trace").exists());
    files.write("verify.toml", &config.replace("save-trace", "checkpoint"));
    refused("");
    files.write("verify.toml", &config.replace("[defaults]\nsave-trace = \"bug.trace\"\n", ""));
    refused("-- --save-trace=x");
    refused("-- --checkpoint x");
    assert_eq!(files.run("test").code, Some(1));
}

#[test]
fn an_interrupted_run_is_no_success() {
    let files = Files::new(&[("a.c", ENDLESS), ("b.c", ENDLESS)]);
    for (arguments, code) in [
        ("test a.c b.c --jobs 1 --fail-on violation", 3),
        ("test a.c b.c --jobs 1", 3),
        ("test a.c b.c --jobs 1 --fail-on none", 0),
        ("a.c --fail-on violation", 3),
        ("a.c --fail-on none", 0),
    ] {
        let done = interrupted(files.command(arguments), "TERM");
        assert_eq!(done.code, Some(code), "{arguments}: {done:?}");
    }
}

#[test]
fn a_child_that_dies_hurts_no_other() {
    // A compiler that kills the process that runs it.
    let files = Files::new(&[("a.c", LOCKED), ("killer", "#!/bin/sh\nkill -KILL $PPID\n")]);
    let script = files.path("killer");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let config = format!(
        "[[harness]]\nname = \"dies\"\ninputs = \"a.c\"\noptions = [\"--clang={}\"]\n[[harness]]\nname = \"lives\"\ninputs = \"a.c\"\n",
        script.display()
    );
    files.write("verify.toml", &config);
    let done = files.run("test --format json --jobs 1");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert_eq!(files.run("test --jobs 1 --fail-on violation").code, Some(3), "nobody knows whether there is a bug");
    let result = json(&done);
    assert_eq!(result["harnesses"][0]["outcome"], "unknown");
    let message = result["harnesses"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("the process ended without an answer (signal: 9"), "{message}");
    assert_eq!(result["harnesses"][1]["outcome"], "passed");
}

#[test]
fn from_below_the_project() {
    let files = project();
    files.write(".git/HEAD", "");
    files.write("deep/er/x", "");
    let mut command = files.command("test --filter race --report github=here.txt");
    let done = done(command.current_dir(files.path("deep/er")).output().unwrap());
    assert_eq!(done.code, Some(1), "{done:?}");
    // Places are those that one sees from the file, and reports go where one is.
    let github = std::fs::read_to_string(files.path("deep/er/here.txt")).unwrap();
    assert!(github.starts_with("::error file=race.c,line=4,"), "{github}");
}

#[test]
fn suppressions_count_for_all_harnesses_together() {
    let config = r#"
[[harness]]
name = "race"
inputs = "race.c"
[[harness]]
name = "locked"
inputs = "locked.c"
[[suppress]]
kind = "data-race"
message = "on `c`"
reason = "a statistic"
[[suppress]]
kind = "leak"
function = "main"
reason = "outdated"
"#;
    let files = Files::new(&[("verify.toml", config), ("locked.c", LOCKED), ("race.c", RACE)]);
    let done = files.run("test");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("2 passed, 1 suppressed of 2 in "), "{done:?}");
    assert_eq!(done.err.lines().count(), 1, "{done:?}");
    assert!(done.err.contains("verify.toml:12: this suppression matched nothing (outdated)"), "{done:?}");
}
