//! Each row of the tables of docs/undefined.md names programs whose headers say the same as the row.
//!
//! What a row claims is read from its second column: "bug" with kinds, "undefined" (which is found as `uninitialised`),
//! "unknown", or nothing of these: then its programs are safe. There is a case for each claim, no case that
//! contradicts, and one that is safe, the repaired twin.

use crate::header::{Case, KINDS, Verdict, parse};
use std::path::Path;

/// Name and body of each.
pub(crate) const TESTS: &[(&str, fn())] =
    &[("each_undefined_row_is_tested", each_row_is_tested), ("undefined_rows_are_compared", rows_are_compared)];

fn each_row_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/undefined.md")).expect("docs/undefined.md");
    let problems: Vec<String> =
        rows(&text).into_iter().filter_map(|row| check(&root.join("testsuite"), row).err()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(rows(&text).len() >= 55, "the tables are read");
}

fn rows_are_compared() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite");
    for (row, complaint) in [
        ("| a | undefined | |", "no test"),
        ("| a | undefined | `nowhere` |", "no program"),
        ("| a | undefined | `declared@nothing` |", "no revision"),
        ("| a | bug `memory` | `declared@shl_nsw` `declared_kept` |", "no program is memory"),
        ("| a | undefined | `declared@shl_nsw` |", "safe"),
        ("| a | undefined; unknown if it is wide | `declared@shl_nsw` `declared_kept` |", "unknown"),
        ("| a | defined | `declared@shl_nsw` `declared_kept` |", "uninitialised"),
        ("| a | undefined |", "three columns"),
    ] {
        let table = format!("| operation | what is done | tests |\n| --- | --- | --- |\n{row}\n");
        let problem = rows(&table).into_iter().map(|row| check(&suite, row)).next().expect("a row");
        assert!(problem.as_ref().is_err_and(|problem| problem.contains(complaint)), "{row}: {problem:?}");
    }
}

/// The rows of all tables, without their heads.
fn rows(text: &str) -> Vec<&str> {
    let is_head = |line: &str| line.starts_with("| operation") || line.starts_with("| ---");
    text.lines().filter(|line| line.starts_with('|') && !is_head(line)).collect()
}

/// What a row says of itself against what its programs say.
fn check(suite: &Path, row: &str) -> Result<(), String> {
    let columns: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [_, done, tests] = columns[..] else { return Err(format!("three columns expected: {row}")) };
    let complain = |problem: String| format!("{problem}: {row}");
    let mut found: Vec<String> = Vec::new();
    for name in quoted(tests) {
        found.extend(cases(suite, name).map_err(complain)?.iter().map(verdict));
    }
    if found.is_empty() {
        return Err(complain("no test is named".into()));
    }
    let mut wanted = claims(done);
    wanted.push("safe".into());
    let missing = wanted.iter().find(|claim| !found.contains(claim));
    let surplus = found.iter().find(|verdict| !wanted.contains(verdict));
    match (missing, surplus) {
        (Some(claim), _) => Err(complain(format!("no program is {claim}"))),
        (_, Some(verdict)) => Err(complain(format!("a program is {verdict}, which the row does not say"))),
        (None, None) => Ok(()),
    }
}

/// What a row says happens.
fn claims(done: &str) -> Vec<String> {
    let mut claims: Vec<String> = quoted(done).filter(|word| KINDS.contains(word)).map(str::to_owned).collect();
    let mut words = done.split(|letter: char| !letter.is_alphanumeric());
    if words.clone().any(|word| word == "undefined") {
        claims.push("uninitialised".into());
    }
    if words.any(|word| word == "unknown") {
        claims.push("unknown".into());
    }
    claims
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn verdict(case: &Case) -> String {
    match &case.verdict {
        Verdict::Safe => "safe".into(),
        Verdict::Unsafe(kind) => kind.clone(),
        Verdict::Unknown(_) => "unknown".into(),
    }
}

/// The cases of `[directory/]program[@revision,revision…]`.
fn cases(suite: &Path, name: &str) -> Result<Vec<Case>, String> {
    let (program, revisions) = match name.split_once('@') {
        Some((program, revisions)) => (program, Some(revisions)),
        None => (name, None),
    };
    let file = if program.contains('/') { format!("{program}.c") } else { format!("undefined/{program}.c") };
    let path = suite.join(&file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("no program {file} ({error})"))?;
    let all = parse(&path, &text).map_err(|error| format!("{file}: {error}"))?;
    let Some(revisions) = revisions else { return Ok(all) };
    let one = |revision: &str| all.iter().find(|case| case.revision == revision).cloned();
    revisions
        .split(',')
        .map(|revision| one(revision).ok_or_else(|| format!("{file} has no revision {revision}")))
        .collect()
}
