//! What action.yml and docs/ci.md tell CI systems to run, run.
use crate::run::{DEADLOCK, Done, Files, LOCKED, RACE, done};
use std::path::Path;
use std::process::Command;

const CONFIG: &str = "
[[harness]]
name = \"locked\"
inputs = \"locked.c\"
[[harness]]
name = \"race\"
inputs = \"race.c\"
";

/// Runs the job of a system on a project.
fn job(system: &str, files: &Files, inputs: &[&str]) -> Done {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tool = Path::new(env!("CARGO_BIN_EXE_verify")).parent().unwrap().to_owned();
    let path = std::env::join_paths(
        std::iter::once(tool).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new(root.join("scripts/ci-example"));
    command.arg(system).arg(files.path("")).args(inputs).env("PATH", path.unwrap());
    done(command.output().expect("python3 is there"))
}

fn project() -> Files {
    Files::new(&[("verify.toml", CONFIG), ("locked.c", LOCKED), ("race.c", RACE), ("deadlock.c", DEADLOCK)])
}

#[test]
fn github() {
    let files = project();
    let read = |name: &str| std::fs::read_to_string(files.path(name)).unwrap_or_default();
    let job = |inputs: &[&str]| job("github", &files, inputs);
    let failed = job(&[]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.out.contains("\n::error file=race.c,line=4,col=4,title=verify%3A data-race::"), "{failed:?}");
    assert!(read("ci/summary.md").starts_with("## verify: bugs found\n\n~~~~\n"), "{failed:?}");
    assert!(read("ci/summary.md").contains("1 passed, 1 failed of 2 in "), "{failed:?}");
    assert_eq!(read("ci/output"), "exit-code=1\n");
    let sarif: serde_json::Value = serde_json::from_str(&read("verify.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert!(read("verify.xml").contains("<testcase name=\"race\""));

    assert_eq!(job(&["arguments=--filter locked"]).code, Some(0));
    assert_eq!(job(&["fail-on=none"]).code, Some(0));
    let check = job(&["command=check", "arguments=-k 'deadlock.c'", "sarif-file=out.sarif"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    assert!(read("out.sarif").contains("\"ruleId\":\"deadlock\""));
    assert_eq!(job(&["arguments=missing/"]).code, Some(2));
}

#[test]
fn gitlab() {
    let files = project();
    let failed = job("gitlab", &files, &[]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let xml = std::fs::read_to_string(files.path("verify.xml")).unwrap();
    let suites = junit_parser::from_reader(xml.as_bytes()).unwrap();
    assert_eq!((suites.tests, suites.failures), (2, 1));
    files.write("race.c", LOCKED);
    assert_eq!(job("gitlab", &files, &[]).code, Some(0));
}
