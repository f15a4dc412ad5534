//! `verify test`: many programs, and what is expected of them.
use crate::machines::{conforms, report_schema, sarif_schema};
use crate::run::{DEADLOCK, Done, Files, LOCKED, RACE, done};
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
    assert_eq!(files.run("test sub -- --max-executions 1").code, Some(3), "options for each check");
    assert_eq!(files.run("test -q .").out.lines().count(), 2, "nothing but the sums");
    assert_eq!(files.run("test").code, Some(2), "there is no verify.toml");
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
