//! Formats for machines: each is checked against its schema, on real programs with every kind of bug.
//!
//! JUnit's XML has no official schema, and those that go around contradict one another; so a reader that others use
//! must understand it, which is what counts.
use crate::run::{Done, ENDLESS, Files, LOCKED, RACE, command, done};
use jsonschema::Validator;
use junit_parser::TestStatus;
use serde_json::Value;
use std::path::Path;

/// Programs below testsuite/, with further options and the verdict, or the kind of bug.
const PROGRAMS: [(&str, &str, &str); 14] = [
    ("testsuite/programs/lazy.c", "", "assertion"),
    ("testsuite/abort/abort.c", "-DACTION=abort()", "abort"),
    ("testsuite/race/one_side_locked.c", "", "data-race"),
    ("testsuite/deadlock/main_gone.c", "", "deadlock"),
    ("testsuite/protocols/stuck_spin.c", "-DHASTY", "livelock"),
    ("testsuite/abort/endless_loop.c", "-DSTEP=0", "endless-loop"),
    ("testsuite/memory/closed_stream.c", "", "memory"),
    ("testsuite/memory/uninitialised_branch.c", "-DGET=malloc(sizeof(int))", "uninitialised"),
    ("testsuite/leak/several.c", "-k", "leak"),
    ("testsuite/overflow/between_threads.c", "", "overflow"),
    ("testsuite/misuse/wait_without_lock.c", "", "misuse"),
    ("testsuite/unknown/fork.c", "", "unknown"),
    ("testsuite/deadlock/main_gone.c", "--max-executions 1 --check assertion", "unknown"),
    ("examples/bank_fixed.c", "--stats", "safe"),
];

fn schema(text: &str) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(text).expect("the schema is JSON")).expect("it is a schema")
}

/// Says all that is wrong with a value.
#[track_caller]
pub(crate) fn conforms(schema: &Validator, value: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// That of the JSON report.
pub(crate) fn report_schema() -> Validator {
    closed_schema(include_str!("../../docs/schema/report-1.schema.json"))
}

/// A schema of ours that allows no more keys than it names.
pub(crate) fn closed_schema(text: &str) -> Validator {
    let mut text = serde_json::from_str(text).expect("it is JSON");
    close(&mut text);
    schema(&text.to_string())
}

/// Readers of reports allow keys that they do not know; a key of ours that the schema does not name is a mistake.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.values_mut().for_each(close);
            if entries.contains_key("type") && entries.contains_key("properties") {
                entries.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// That of SARIF. One of its patterns has a bracket too many, which only lenient readers of regular expressions
/// forgive.
pub(crate) fn sarif_schema() -> Validator {
    let text = include_str!("../data/sarif-schema-2.1.0.json");
    let (wrong, right) = ("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}$");
    assert!(text.contains(wrong));
    schema(&text.replace(wrong, right))
}

/// Checks a program of this repository; reports go to the directory.
fn check(files: &Files, program: &str, options: &str) -> Done {
    let mut command = command(Path::new(env!("CARGO_MANIFEST_DIR")));
    command.args(["--no-config", "--format", "json", program]).args(options.split_whitespace());
    for format in ["sarif", "junit", "github", "jsonl"] {
        command.arg("--report").arg(format!("{format}={}", files.path(format).display()));
    }
    done(command.output().expect("verify starts"))
}

#[test]
fn every_kind_of_bug_in_every_format() {
    let (report_schema, sarif_schema) = (report_schema(), sarif_schema());
    let files = Files::new(&[]);
    for (program, options, expected) in PROGRAMS {
        let done = check(&files, program, options);
        let report = json(&done.out);
        conforms(&report_schema, &report);
        let read = |name: &str| std::fs::read_to_string(files.path(name)).expect("the report was written");
        let violations = report["violations"].as_array().unwrap();
        let kinds: Vec<&str> = violations.iter().map(|violation| violation["kind"].as_str().unwrap()).collect();
        let found = kinds.first().copied().unwrap_or_else(|| report["verdict"].as_str().unwrap());
        assert_eq!(found, expected, "{program}: {done:?}");

        let sarif = json(&read("sarif"));
        conforms(&sarif_schema, &sarif);
        let run = &sarif["runs"][0];
        let results = run["results"].as_array().unwrap();
        let rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
        assert_eq!(rules, kinds, "{program}");
        for (result, violation) in results.iter().zip(violations) {
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            assert_eq!(uri, program, "relative to the current directory");
            let flows = result["codeFlows"][0]["threadFlows"].as_array();
            let steps: usize =
                flows.into_iter().flatten().map(|flow| flow["locations"].as_array().unwrap().len()).sum();
            assert_eq!(steps, violation["trace"].as_array().unwrap().len(), "{program}");
        }
        let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
        assert_eq!(notifications.len(), usize::from(expected == "unknown"), "{program}: {notifications:?}");

        let text = read("junit");
        let suites = junit_parser::from_reader(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        let suite = &suites.suites[0];
        let status = &suite.cases[0].status;
        let as_expected = match expected {
            "safe" => matches!(status, TestStatus::Success),
            "unknown" => matches!(status, TestStatus::Error(error) if error.error_type == "unknown"),
            kind => matches!(status, TestStatus::Failure(failure) if failure.failure_type == kind),
        };
        assert!(as_expected && suite.cases.len() == 1, "{program}: {text}");

        let level = if expected == "unknown" { "::warning " } else { "::error " };
        let github = read("github");
        assert_eq!(github.lines().filter(|line| line.starts_with(level)).count(), github.lines().count(), "{github}");
        assert_eq!(github.lines().count(), violations.len() + usize::from(expected == "unknown"), "{github}");

        let lines: Vec<Value> = read("jsonl").lines().map(json).collect();
        assert_eq!(lines.len(), violations.len() + 2, "{lines:?}");
        let mut last = lines.last().unwrap().clone();
        assert_eq!(last.as_object_mut().unwrap().remove("event"), Some("result".into()));
        assert_eq!(last, report, "{program}");
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let files = Files::new(&[("a.c", RACE)]);
    let report = json(&files.run("--format json a.c").out);
    let schema = report_schema();
    conforms(&schema, &report);
    let broken = |change: fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        !schema.is_valid(&report)
    };
    assert!(broken(|report| report["verdict"] = "safe".into()), "a proof with a bug");
    assert!(broken(|report| report["verdict"] = "unknown".into()), "unknown without a reason");
    assert!(broken(|report| report["more"] = 1.into()));
    assert!(broken(|report| report["violations"][0]["kind"] = "race".into()));
    assert!(broken(|report| report["violations"][0]["location"]["line"] = 0.into()));
    assert!(broken(|report| drop(report.as_object_mut().unwrap().remove("stats"))));
}

#[test]
fn fingerprints_survive_lines_that_move() {
    let fingerprint = |program: &str| {
        let files = Files::new(&[("a.c", program)]);
        let sarif = json(&files.run("--format sarif a.c").out);
        let result = &sarif["runs"][0]["results"][0];
        let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
        (result["partialFingerprints"].to_string(), line)
    };
    let (before, line) = fingerprint(RACE);
    assert_eq!(fingerprint(&format!("// One.\n// Two.\n{RACE}")), (before.clone(), line + 2));
    assert_ne!(fingerprint(&RACE.replace("add", "sub")).0, before);
}

#[test]
fn json_lines_come_while_the_exploration_goes_on() {
    use std::io::{BufRead, BufReader};
    // The race is found at once, and with it all else would take for ever.
    let program = ENDLESS.replace("void *work(void *p) {", "int c;\nvoid *work(void *p) {\n  c++;");
    let files = Files::new(&[("a.c", &program)]);
    let mut command = files.command("-k --format jsonl --max-steps 1000000 a.c");
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut events = Vec::new();
    let mut interrupted = false;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let event = json(&line.unwrap());
        events.push(event["event"].as_str().unwrap().to_owned());
        if event["event"] == "progress" && !interrupted {
            assert!(event["executions"].is_u64() && event["seconds"].as_f64().unwrap() >= 1.0, "{event}");
            // The violation came before the end: the program was not told to stop until now.
            assert!(events.contains(&"violation".to_owned()), "{events:?}");
            interrupted = true;
            let id = child.id().to_string();
            assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        }
        if event["event"] == "result" {
            assert_eq!(event["verdict"], "unsafe");
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(interrupted, "{events:?}");
    assert_eq!(events.first().map(String::as_str), Some("start"));
    assert_eq!(events.last().map(String::as_str), Some("result"));
    assert_eq!(events.iter().filter(|event| *event == "violation").count(), 1, "{events:?}");
}

#[test]
fn what_fails() {
    let files = Files::new(&[("race.c", RACE), ("locked.c", LOCKED)]);
    for (arguments, code) in [
        ("race.c", 1),
        ("race.c --fail-on violation", 1),
        ("race.c --fail-on unknown", 0),
        ("race.c --fail-on none", 0),
        ("locked.c --max-executions 1", 3),
        ("locked.c --max-executions 1 --fail-on violation", 0),
        ("locked.c --max-executions 1 --fail-on unknown", 3),
        ("locked.c --max-executions 1 --fail-on violation,unknown", 3),
        ("locked.c --max-executions 1 --fail-on none", 0),
        ("locked.c", 0),
        ("locked.c --fail-on none,unknown", 2),
        ("locked.c --fail-on never", 2),
        ("missing.c --fail-on none", 2),
    ] {
        assert_eq!(files.run(arguments).code, Some(code), "{arguments}");
    }
}
