//! The documents tell the truth: their programs are the files that they name, and their commands print what is shown.
//!
//! Of the blocks in README.md and docs/, by the first word behind the three backticks:
//! - `console` has commands, each behind `$ `, and what they print. A shell runs them in order, in a directory that
//!   they may write to and that has the directories of the repository.
//! - `sh` has only commands, one a line. They must be right, whatever they find.
//! - `c FILE` is that file, or a part of it.
//! - A block without a word needs a reason in the line before, `<!-- not run: … -->`. So do commands that no test can
//!   run.
//!
//! With VERIFY_BLESS=1 what is shown is replaced by what is printed, and empty programs are filled in.
use crate::run::{Done, command, done};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What separates the outputs of commands.
const END: char = '\u{1}';

#[test]
fn readme_and_manual() {
    let pages = documents().into_iter().filter(|page| !slow(page));
    check(&pages.collect::<Vec<_>>());
}

#[test]
fn tutorial() {
    check(&[root().join("docs/tutorial.md")]);
}

#[test]
fn kinds_of_bugs() {
    let pages = documents().into_iter().filter(|page| page.parent() == Some(&root().join("docs/kinds")));
    let pages: Vec<PathBuf> = pages.collect();
    assert_eq!(pages.len(), interp::fault::Kind::ALL.len());
    check(&pages);
}

#[test]
fn a_wrong_document_is_noticed() {
    for (wrong, complaint) in [
        ("```console\n$ echo 1\n2\n```\n", "echo 1"),
        ("```console\n$ exit 3\n$ echo 1\n1\n```\n", "does not come to its end"),
        ("```console\nverify a.c\n```\n", "no command"),
        ("```sh\nverify nowhere.c\n```\n", "exit code 2"),
        ("```sh\nno-such-command\n```\n", "exit code 127"),
        ("```c examples/bank.c\nint mine;\n```\n", "is not a part of examples/bank.c"),
        ("```\nanything\n```\n", "not run: REASON"),
        ("<!-- not run: -->\n```\nanything\n```\n", "not run: REASON"),
        ("```json\n$ verify a.c\n```\n", "hides a command"),
    ] {
        let problem = match rewritten(wrong) {
            Ok(right) => difference(wrong, &right),
            Err(problem) => problem,
        };
        assert!(problem.contains(complaint), "{wrong}: {problem}");
    }
    let right =
        "```console\n$ false\n$ echo $?; echo 2 >&2\n1\n2\n```\n<!-- not run: why -->\n```\napt-get install x\n```\n";
    assert_eq!(rewritten(right).as_deref(), Ok(right));
}

#[test]
fn links_lead_somewhere() {
    for page in documents() {
        let text = std::fs::read_to_string(&page).expect("a document");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            let (file, part) = target.split_once('#').unwrap_or((target, ""));
            if file.contains("://") {
                continue;
            }
            let to = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(to.exists(), "{}: {target}", page.display());
            if !part.is_empty() {
                let text = std::fs::read_to_string(&to).expect("a document");
                let found = text.lines().filter(|line| line.starts_with('#')).any(|line| anchor(line) == part);
                assert!(found, "{}: {target}", page.display());
            }
        }
    }
}

#[test]
fn every_option_is_documented() {
    let manual = include_str!("../../docs/cli.md");
    let help = run("--help").out;
    let options: Vec<&str> = help
        .split("Examples:")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|word| word.split('=').next().unwrap_or_default())
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-'))
        .filter(|word| word.starts_with('-') && word.len() > 1 && *word != "--")
        .collect();
    assert!(options.len() > 30, "{help}");
    for option in options {
        assert!(manual.contains(option), "{option} is not in docs/cli.md");
    }
}

#[test]
fn every_kind_of_bug_is_documented() {
    let manual = include_str!("../../docs/cli.md");
    for kind in interp::fault::Kind::ALL {
        assert!(manual.contains(&format!("| [`{0}`](kinds/{0}.md) |", kind.name())), "{}", kind.name());
    }
}

#[test]
fn every_assumption_is_documented() {
    let semantics = include_str!("../../docs/semantics.md");
    let table = semantics.split("## What \"safe\" assumes").nth(1).expect("the heading");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let mut named: Vec<&str> = rows.map(|(name, _)| name).collect();
    named.sort_unstable();
    // What verify.toml says not to report, what was not looked for, and what the engine keeps of states, is no
    // assumption of the machine's.
    named.retain(|name| !["stub: …", "suppressed: …", "not-looked-for: …", "state-bits: …"].contains(name));
    assert_eq!(named, interp::Assumption::ALL.map(interp::Assumption::name));
}

fn run(arguments: &str) -> Done {
    done(command(root()).args(arguments.split_whitespace()).output().expect("verify starts"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and all of docs/.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    for directory in ["docs", "docs/kinds"] {
        let entries = std::fs::read_dir(root().join(directory)).expect("a directory");
        found.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    found.sort();
    found
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches(['#', ' ']).chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Whether a document has a test of its own.
fn slow(page: &Path) -> bool {
    page.ends_with("docs/tutorial.md") || page.parent() == Some(&root().join("docs/kinds"))
}

fn check(pages: &[PathBuf]) {
    let mut problems = String::new();
    for page in pages {
        let text = std::fs::read_to_string(page).expect("a document");
        let name = page.strip_prefix(root()).expect("it is in the repository").display();
        match rewritten(&text) {
            Ok(right) if unmeasured(&right) == unmeasured(&text) => {}
            Ok(right) if std::env::var_os("VERIFY_BLESS").is_some() => std::fs::write(page, right).expect("it is ours"),
            Ok(right) => writeln!(problems, "{name}: {}", difference(&text, &right)).expect("text"),
            Err(problem) => writeln!(problems, "{name}: {problem}").expect("text"),
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

/// The document as it should be.
fn rewritten(text: &str) -> Result<String, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for name in ["docs", "examples", "testsuite"] {
        std::os::unix::fs::symlink(root().join(name), directory.path().join(name)).expect("a link");
    }
    let mut out = String::new();
    let mut before = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(out, "{line}").expect("text");
        if let Some(words) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            out += &inside(words, &block, before, directory.path()).map_err(|e| format!("```{words}: {e}"))?;
            out += "```\n";
        }
        before = line;
    }
    Ok(out)
}

/// What belongs into a block: `before` is the line before it.
fn inside(words: &str, block: &[&str], before: &str, directory: &Path) -> Result<String, String> {
    let same = || block.iter().map(|line| format!("{line}\n")).collect::<String>();
    let reason = before.strip_prefix("<!-- not run:").and_then(|rest| rest.strip_suffix("-->"));
    if reason.is_some_and(|reason| !reason.trim().is_empty()) {
        return Ok(same());
    }
    match words.split_once(' ').unwrap_or((words, "")) {
        ("", _) => Err("is this run? Say `console` or `sh`, or put <!-- not run: REASON --> before it".to_owned()),
        ("console", _) => session(block, directory),
        ("sh", _) => commands(block, directory).map(|()| same()),
        ("c", file) if !file.is_empty() => {
            let content = std::fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))?;
            match content.contains(&same()) {
                true if block.is_empty() => Ok(content),
                true => Ok(same()),
                false => Err(format!("this is not a part of {file}")),
            }
        }
        _ if block.iter().any(|line| line.starts_with("$ ")) => Err("it hides a command".to_owned()),
        _ => Ok(same()),
    }
}

/// Commands with what they print.
fn session(block: &[&str], directory: &Path) -> Result<String, String> {
    let commands: Vec<&str> = block.iter().filter_map(|line| line.strip_prefix("$ ")).collect();
    if block.first().is_none_or(|line| !line.starts_with("$ ")) {
        return Err("no command at its beginning".to_owned());
    }
    let script = commands.iter().map(|command| format!("{command}\n_code=$?; printf '{END}'; (exit $_code)\n"));
    let out = shell(&script.collect::<String>(), directory).out;
    let outputs: Vec<&str> = out.split_terminator(END).collect();
    if outputs.len() != commands.len() {
        return Err(format!("it does not come to its end: {out}"));
    }
    Ok(commands.iter().zip(outputs).map(|(command, output)| format!("$ {command}\n{output}")).collect())
}

/// Commands that need only be right.
fn commands(block: &[&str], directory: &Path) -> Result<(), String> {
    for line in block {
        let done = shell(line, directory);
        if !matches!(done.code, Some(0 | 1 | 3)) {
            return Err(format!("{line}: exit code {}: {}", done.code.unwrap_or(-1), done.out));
        }
    }
    Ok(())
}

/// A script, with this `verify` on the path, and both outputs as they come. `scripts/verify` is the same, and builds it
/// first.
fn shell(script: &str, directory: &Path) -> Done {
    let verify = Path::new(env!("CARGO_BIN_EXE_verify")).parent().expect("it is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(directory).env_remove("NO_COLOR").env("COLUMNS", "100").env("VERIFY_JOBS", "1");
    shell.env("PATH", format!("{}:{path}", verify.display()));
    shell.arg("-c").arg(format!("exec 2>&1\n{}", script.replace("scripts/verify ", "verify ")));
    done(shell.output().expect("a shell"))
}

/// Without the end of the lines of statistics, and whole lines, that are measured.
fn unmeasured(text: &str) -> String {
    const LAST_COUNT: &str = " instructions, ";
    let is_measured = |line: &&str| line.ends_with('B') && line.split(" s, ").next().is_some_and(is_number);
    let text = text.lines().filter(|line| !is_measured(line)).collect::<Vec<_>>().join("\n");
    let line = |line: &str| match line.split_once(LAST_COUNT) {
        Some((counts, measured)) if measured.split(", engine").next().is_some_and(|it| it.ends_with('B')) => {
            format!("{counts}{LAST_COUNT}{}\n", measured.split_once(", engine").map_or("", |(_, engine)| engine))
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// The first line that is not the same.
fn difference(is: &str, should: &str) -> String {
    let (is, should) = (unmeasured(is), unmeasured(should));
    let (mut left, mut right, mut command) = (is.lines(), should.lines(), "");
    loop {
        match (left.next(), right.next()) {
            (a, b) if a != b => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("(the end)"));
                return format!(
                    "below `{command}`\n  is:     {a}\n  should: {b}\nVERIFY_BLESS=1 puts that right\n{should}"
                );
            }
            (Some(line), _) => command = if line.starts_with("$ ") { line } else { command },
            (None, _) => return "no difference".to_owned(),
        }
    }
}
