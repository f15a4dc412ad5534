//! What action.yml and docs/ci.md tell CI systems to run, run as they would: the commands are taken from these files.
use crate::run::{DEADLOCK, Done, Files, LOCKED, RACE, command, done};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

const CONFIG: &str = "
[[harness]]
name = \"locked\"
inputs = \"locked.c\"
[[harness]]
name = \"race\"
inputs = \"race.c\"
";

fn project() -> Files {
    let files =
        Files::new(&[("verify.toml", CONFIG), ("locked.c", LOCKED), ("race.c", RACE), ("deadlock.c", DEADLOCK)]);
    // What a runner shows of a job, and what its steps hand on.
    files.write("runner/summary", "");
    files.write("runner/output", "");
    files
}

/// A shell that runs a script in a directory of the project, with the tool on the PATH.
fn shell(files: &Files, directory: &str, script: &str, variables: &BTreeMap<String, String>) -> Done {
    let tool = Path::new(env!("CARGO_BIN_EXE_verify")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tool).chain(std::env::split_paths(&others))).unwrap();
    let clean = command(&files.path(directory));
    let mut shell = std::process::Command::new("bash");
    // As runners start it.
    shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(files.path(directory));
    for (name, _) in clean.get_envs().filter(|(_, value)| value.is_none()) {
        shell.env_remove(name);
    }
    shell.envs(variables).env("PATH", path);
    shell.env("GITHUB_STEP_SUMMARY", files.path("runner/summary")).env("GITHUB_OUTPUT", files.path("runner/output"));
    done(shell.output().expect("bash starts"))
}

#[derive(Deserialize)]
struct Action {
    inputs: BTreeMap<String, Input>,
    runs: Runs,
}

#[derive(Deserialize)]
struct Input {
    default: String,
}

#[derive(Deserialize)]
struct Runs {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    run: Option<String>,
    uses: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(rename = "working-directory")]
    directory: Option<String>,
    #[serde(default)]
    with: BTreeMap<String, String>,
}

/// The text with the values of expressions such as `${{ inputs.command }}`.
fn filled(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (name, after) = after.split_once("}}").expect("an expression ends");
        out += before;
        out += values.get(name.trim()).unwrap_or_else(|| panic!("{name} is no value"));
        rest = after;
    }
    out + rest
}

/// The steps of the action that are commands, until one fails; and the file that the last step uploads.
fn github(files: &Files, given: &[(&str, &str)]) -> (Done, String) {
    let action: Action = serde_saphyr::from_str(include_str!("../../action.yml")).expect("it is an action");
    let mut values: BTreeMap<String, String> =
        action.inputs.into_iter().map(|(name, input)| (format!("inputs.{name}"), input.default)).collect();
    for (name, value) in given {
        let old = values.insert(format!("inputs.{name}"), (*value).to_owned());
        assert!(old.is_some(), "the action has no input {name}");
    }
    values.insert("github.action_path".to_owned(), env!("CARGO_MANIFEST_DIR").to_owned());
    let mut last = None;
    let mut uploaded = String::new();
    for step in action.runs.steps {
        match (step.run, step.uses) {
            (Some(script), _) if last.as_ref().is_none_or(|done: &Done| done.code == Some(0)) => {
                let variables = step.env.iter().map(|(name, text)| (name.clone(), filled(text, &values))).collect();
                let directory = filled(step.directory.as_deref().unwrap_or("."), &values);
                last = Some(shell(files, &directory, &script, &variables));
            }
            (Some(_), _) => {}
            (None, uses) => {
                assert!(uses.expect("a step does something").starts_with("github/codeql-action/upload-sarif@"));
                uploaded = filled(&step.with["sarif_file"], &values);
            }
        }
    }
    (last.expect("there are commands"), uploaded)
}

#[test]
fn the_action() {
    let files = project();
    let read = |name: &str| std::fs::read_to_string(files.path(name)).unwrap_or_default();
    let (failed, uploaded) = github(&files, &[]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.out.contains("\n::error file=race.c,line=4,col=4,title=verify%3A data-race::"), "{failed:?}");
    assert!(read("runner/summary").starts_with("## verify: bugs found\n\n~~~~\n"), "{failed:?}");
    assert!(read("runner/summary").contains("1 passed, 1 failed of 2 in "), "{failed:?}");
    assert_eq!(read("runner/output"), "exit-code=1\n");
    let sarif: serde_json::Value = serde_json::from_str(&read(&uploaded)).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert!(read("verify.xml").contains("<testcase name=\"race\""));
    assert_eq!(github(&files, &[("fail-on", "none")]).0.code, Some(0));
    assert_eq!(github(&files, &[("arguments", "--filter locked")]).0.code, Some(0));
    let (mistaken, _) = github(&files, &[("arguments", "missing/")]);
    assert_eq!(mistaken.code, Some(2), "{mistaken:?}");
    // What cannot be read is not left out: all would be checked, or less than was meant.
    let (broken, _) = github(&files, &[("arguments", "--filter 'locked")]);
    assert!(broken.code == Some(2) && !broken.out.contains("passed"), "{broken:?}");
    assert!(read("runner/output").ends_with("\nexit-code=2\n"), "{broken:?}");
}

#[test]
fn the_action_with_one_program_elsewhere() {
    let files = project();
    files.write("below/a deadlock.c", DEADLOCK);
    let inputs = [
        ("command", "check"),
        ("arguments", "-k 'a deadlock.c' -- 1"),
        ("sarif-file", "out.sarif"),
        ("working-directory", "below"),
    ];
    let (done, uploaded) = github(&files, &inputs);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(std::fs::read_to_string(files.path(&uploaded)).unwrap().contains("\"ruleId\":\"deadlock\""));
}

#[derive(Deserialize)]
struct Pipeline {
    verify: Job,
}

#[derive(Deserialize)]
struct Job {
    script: Vec<String>,
    artifacts: Artifacts,
}

#[derive(Deserialize)]
struct Artifacts {
    paths: Vec<String>,
    reports: BTreeMap<String, String>,
}

#[test]
fn the_job_for_gitlab() {
    let (_, section) = include_str!("../../docs/ci.md").split_once("\n## GitLab\n").expect("there is such a section");
    let (_, block) = section.split_once("```yaml\n").expect("with an example");
    let (text, _) = block.split_once("```").expect("that ends");
    let Job { script, artifacts } = serde_saphyr::from_str::<Pipeline>(text).expect("it is a job").verify;
    let files = project();
    let run = || shell(&files, ".", &script.join("\n"), &BTreeMap::new());
    let failed = run();
    assert_eq!(failed.code, Some(1), "{failed:?}");
    for name in artifacts.paths.iter().chain(artifacts.reports.values()) {
        assert!(files.path(name).is_file(), "{name}");
    }
    let xml = std::fs::read_to_string(files.path(&artifacts.reports["junit"])).unwrap();
    let suites = junit_parser::from_reader(xml.as_bytes()).unwrap();
    assert_eq!((suites.tests, suites.failures), (2, 1));
    files.write("race.c", LOCKED);
    assert_eq!(run().code, Some(0));
}
