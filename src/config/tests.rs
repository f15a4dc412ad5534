use super::*;
use crate::report::case::Expected;

fn parse(text: &str) -> Result<Config, UsageError> {
    Config::parse("verify.toml", text, Path::new("lib"))
}

#[test]
fn everything() {
    let config = parse(
        r#"
[defaults]
time-limit = "5m"
max-executions = 1_000
keep-going = true
define = ["N=2", "DEBUG"]
include = "include"
file = ["input.txt", "x=data/y"]
checkpoint = "run.checkpoint"
save-trace = "bug.trace"
cflags = []

[[harness]]
name = "queue"
inputs = ["queue.c", "-odd.c"]
options = ["-DN=3", "--cflags", "-Wall"]
args = ["2"]
expect = "unsafe(data-race)"
reason = "known since 2020"

[[suppress]]
kind = "data-race"
function = "log_*"
reason = "counters may be off"
"#,
    )
    .unwrap();
    let defaults: Vec<(&str, Vec<&str>)> = config
        .defaults
        .iter()
        .map(|default| (default.name.as_str(), default.values.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        defaults,
        [
            ("time-limit", vec!["5m"]),
            ("max-executions", vec!["1000"]),
            ("keep-going", vec!["true"]),
            ("define", vec!["N=2", "DEBUG"]),
            ("include", vec!["lib/include"]),
            ("file", vec!["input.txt=lib/input.txt", "x=lib/data/y"]),
            ("checkpoint", vec!["lib/run.checkpoint"]),
            ("save-trace", vec!["lib/bug.trace"]),
            ("cflags", vec![]),
        ]
    );
    let harness = &config.harnesses[0];
    assert_eq!(harness.expected, Expected::Unsafe(Some(Kind::DataRace)));
    assert_eq!(harness.words(&["-k".to_owned()]).join(" "), "queue.c ./-odd.c -DN=3 --cflags -Wall -k -- 2");
    assert_eq!(config.suppressions[0].origin, "verify.toml:21");
}

#[test]
fn mistakes_say_where_and_what_to_do() {
    for (text, message, hint) in [
        ("[defaults]\ntime-limt = 5", "verify.toml:2: unknown key `time-limt`", "did you mean `time-limit`?"),
        ("[harnes]\n", "verify.toml:1: unknown key `harnes`", "did you mean `harness`?"),
        ("\n[[suppress]]\nknd = \"leak\"", "verify.toml:3: unknown key `knd`", "did you mean `kind`?"),
        ("[defaults]\nengine = \"fast\"", "verify.toml:2: invalid value 'fast'", "--engine"),
        ("[defaults]\nkeep-going = \"yes\"", "verify.toml:2: `keep-going` is on or off", "keep-going = true"),
        ("[defaults]\ntime-limit = true", "verify.toml:2: `time-limit` takes a value", "time-limit = \"…\""),
        ("[defaults]\ntime-limit = 1.5", "verify.toml:2: `time-limit` is nothing", "a number"),
        ("[defaults]\nconfig = \"x\"", "verify.toml:2: unknown key `config`", ""),
        ("[defaults]\nlist = true", "verify.toml:2: unknown key `list`", ""),
        ("[defaults]\n\nfail-on = []", "verify.toml:3: `fail-on` has no value", "leave it out"),
        ("[defaults]\ncheck = []", "verify.toml:2: `check` has no value", "check = ["),
        ("[defaults]\nm32 = true\nm64 = true", "verify.toml:3: `m64` and `m32` exclude each other", "leave out one"),
        ("[defaults]\nverbose = true\nquiet = true", "verify.toml:3: `quiet` and `verbose` exclude each other", ""),
        ("[defaults\n", "verify.toml:1: ", "toml.io"),
        ("[[harness]]\ninputs = \"a.c\"", "verify.toml:1: `name` is missing", "name = "),
        ("[[harness]]\nname = \"a\"", "verify.toml:1: the harness `a` cannot be run", "inputs"),
        ("[[harness]]\nname = \"a\"\ninputs = 3", "verify.toml:3: `inputs` must be", "inputs = ["),
        (
            "[[harness]]\nname = \"a\"\ninputs = \"a.c\"\nexpect = \"fine\"",
            "verify.toml:4: `fine` is no verdict",
            "expect = ",
        ),
        (
            "[[harness]]\nname = \"a\"\ninputs = \"a.c\"\noptions = [\"--nonsense\"]",
            "verify.toml:1: the harness `a` cannot be run: unexpected argument '--nonsense'",
            "options",
        ),
        (
            "[[harness]]\nname = \"a\"\ninputs = \"a.c\"\noptions = [\"--format=json\"]",
            "verify.toml:4: `--format` is not for one harness alone",
            "verify test",
        ),
        (
            "[[harness]]\nname = \"a\"\ninputs = \"a.c\"\n[[harness]]\nname = \"a\"\ninputs = \"b.c\"",
            "verify.toml:4: there are two harnesses `a`",
            "verify.toml:1",
        ),
        ("[[suppress]]\nkind = \"leak\"\nfile = \"a.c\"", "verify.toml:1: `reason` is missing", "reason = "),
        ("[[suppress]]\nkind = \"leak\"\nreason = \"x\"", "verify.toml:1: this suppresses every bug", "`function`"),
        ("[[suppress]]\nkind = \"race\"\nreason = \"x\"", "verify.toml:2: `race` is no kind", "data-race"),
        ("[[suppress]]\nkind = \"leak\"\nfile = \"[\"\nreason = \"x\"", "verify.toml:3: `[` is no pattern", "anything"),
        (
            "[[suppress]]\nkind = \"leak\"\nmessage = \"\"\nreason = \"x\"",
            "verify.toml:3: `message` is empty",
            "leave it out",
        ),
        ("[[suppress]]\nkind = \"leak\"\nfile = \" \"\nreason = \"x\"", "verify.toml:3: `file` is empty", ""),
        ("suppress = 3", "verify.toml:1: `suppress` must be a list", "[[suppress]]"),
        ("defaults = 3", "verify.toml:1: `defaults` must be a table", "[defaults]"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
        assert!(error.hint.contains(hint), "{text}: {}", error.hint);
    }
}

#[test]
fn the_nearest_file_within_the_repository() {
    let directory = tempfile::tempdir().unwrap();
    let make = |path: &str| std::fs::create_dir_all(directory.path().join(path)).unwrap();
    let find = |path: &str| nearest(&directory.path().join(path));
    make("repository/.git");
    make("repository/a/b");
    std::fs::write(directory.path().join(NAME), "").unwrap();
    assert_eq!(find("repository/a/b"), None, "what is above the repository does not count");
    std::fs::write(directory.path().join("repository").join(NAME), "").unwrap();
    assert_eq!(find("repository/a/b"), Some("../../verify.toml".into()));
    assert_eq!(find("repository"), Some("verify.toml".into()));
    make("elsewhere/a");
    assert_eq!(find("elsewhere/a"), None, "nor does what is above, where there is no repository");
    assert_eq!(find(""), Some("verify.toml".into()));
}

#[test]
fn suppressions_of_everything() {
    let entry = |keys: &str| format!("[[suppress]]\nkind = \"leak\"\nreason = \"x\"\n{keys}\n");
    for (keys, count) in [
        ("function = \"*\"", 1),
        ("file = \"**\"\nfunction = \"*\"", 1),
        ("file = \"*.c\"", 0),
        ("function = \"*\"\nfile = \"a.c\"", 0),
        ("function = \"*\"\nmessage = \"x\"", 0),
    ] {
        let warnings = too_wide(&parse(&entry(keys)).unwrap().suppressions);
        assert_eq!(warnings.len(), count, "{keys}: {warnings:?}");
    }
}
