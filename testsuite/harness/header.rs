//! The `//@ key: value` lines at the head of a test program, and the `//~ kind` marks in it.
//!
//! Keys: see [`KEYS`]. Both may be restricted to some revisions: `//@[n2] executions: 2`, `//~[n2 n3] deadlock`.
//! Unknown keys are errors, for a misspelt expectation would otherwise pass for ever.

use std::path::{Path, PathBuf};

/// Every key with what it means; the documentation of the test suite is this table.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("verdict", "safe, unsafe(KIND) or unknown(PART OF THE REASON); needed in every program"),
    ("executions", "number of maximal configurations (optimal alternatives, no cutoffs); needs `source`"),
    ("pruned", "number of executions ended by a failed assume; needs `source`"),
    ("paths", "number of different decisions about inputs that executions make; needs `source`"),
    ("events", "number of different events; needs `source`"),
    ("promoted", "number of racy places whose accesses are visible; needs `source`"),
    ("alike", "number of executions with `--engine optimal --symmetry on`; needs `source`"),
    ("observers", "number of executions with `--engine observers`; needs `source`"),
    (
        "awaits",
        "number of executions if threads that spin wait instead (optimal, none blocked); needs `source` and `cutoffs`",
    ),
    (
        "in-vain",
        "number of executions besides in which a thread has read too early or polled, in vain; goes with `awaits`",
    ),
    (
        "samples",
        "at most so many samples with --hunt only until the bug is found, as the median over 20 seeds; nothing is explored to the end",
    ),
    ("source", "where the numbers come from"),
    ("revisions", "names; the program is one case per name"),
    ("cflags", "handed to clang, and to cc for a native run"),
    ("args", "further options of verify"),
    ("argv", "arguments of the program"),
    ("also", "a further source file, linked in"),
    ("part-of", "this file is no program but belongs to that one"),
    ("orders", "compile with -DORDER=0…N-1, which permutes the creation of threads: same answer, same counts"),
    ("output", "with --show-output this text is printed"),
    ("assumes", "assumptions that the answer names"),
    ("assumes-not", "assumptions that it does not name"),
    ("native", "run: compiled with cc -pthread, the program runs and exits with 0"),
    ("blocked", "some: threads decide about a common input, which may block executions that were planned"),
    ("naive", "no: too many interleavings for the naive engine"),
    ("cutoffs", "needed: executions have no end; nothing is run without cutoffs, nor by the naive engine"),
    ("states", "no: there is no end of states, as where something counts for ever, or there are far too many"),
    (
        "engine",
        "states: no other engine ends in reasonable time, so this one is asked for, in all its ways, and no other",
    ),
    ("slow", "engines that take long here, and are run by `scripts/test full` only: naive, states"),
    ("known-bug", "the expectation does not hold yet, and why; fails as soon as it holds"),
];

/// The kinds of violation.
pub(crate) const KINDS: &[&str] = &[
    "assertion",
    "abort",
    "data-race",
    "deadlock",
    "livelock",
    "endless-loop",
    "memory",
    "uninitialised",
    "leak",
    "overflow",
    "misuse",
];

/// The expected verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Proved.
    Safe,
    /// A violation of this kind.
    Unsafe(String),
    /// No answer, for a reason that contains this text.
    Unknown(String),
}

/// A line on which a violation must be reported.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mark {
    /// Counted from 1.
    pub(crate) line: u64,
    /// Its kind.
    pub(crate) kind: String,
}

/// One program in one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    /// The C file.
    pub(crate) path: PathBuf,
    /// Name of the revision, empty if the program has none.
    pub(crate) revision: String,
    /// What must come out.
    pub(crate) verdict: Verdict,
    /// See [`KEYS`].
    pub(crate) executions: Option<u64>,
    /// See [`KEYS`].
    pub(crate) pruned: Option<u64>,
    /// See [`KEYS`].
    pub(crate) paths: Option<u64>,
    /// See [`KEYS`].
    pub(crate) events: Option<u64>,
    /// See [`KEYS`].
    pub(crate) promoted: Option<u64>,
    /// See [`KEYS`].
    pub(crate) alike: Option<u64>,
    /// See [`KEYS`].
    pub(crate) observers: Option<u64>,
    /// See [`KEYS`].
    pub(crate) awaits: Option<u64>,
    pub(crate) in_vain: Option<u64>,
    /// See [`KEYS`].
    pub(crate) samples: Option<u64>,
    /// See [`KEYS`].
    pub(crate) cflags: Vec<String>,
    /// See [`KEYS`].
    pub(crate) args: Vec<String>,
    /// See [`KEYS`].
    pub(crate) argv: Vec<String>,
    /// See [`KEYS`].
    pub(crate) also: Vec<PathBuf>,
    /// Number of creation orders; 1 if the program has only one.
    pub(crate) orders: u32,
    /// See [`KEYS`].
    pub(crate) output: Option<String>,
    /// See [`KEYS`].
    pub(crate) assumes: Vec<String>,
    /// See [`KEYS`].
    pub(crate) assumes_not: Vec<String>,
    /// Whether to run it natively too.
    pub(crate) native: bool,
    /// Executions may be blocked.
    pub(crate) blocked: bool,
    /// Whether the naive engine can explore it.
    pub(crate) naive: bool,
    /// Whether the engine `states` can explore it.
    pub(crate) states: bool,
    /// Whether the engine `states` is the only one that can.
    pub(crate) states_only: bool,
    /// See [`KEYS`].
    pub(crate) slow: Vec<String>,
    /// Whether exploration ends without cutoffs.
    pub(crate) ends: bool,
    /// See [`KEYS`].
    pub(crate) known_bug: Option<String>,
    /// Where violations must be reported.
    pub(crate) marks: Vec<Mark>,
}

/// Reads the header of a program: its cases, none if the file belongs to another program.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let lines = directives(text)?;
    if lines.iter().any(|d| d.key == "part-of") {
        return Ok(Vec::new());
    }
    let mut revisions: Vec<&str> = Vec::new();
    for directive in lines.iter().filter(|d| d.key == "revisions") {
        revisions.extend(directive.value.split_whitespace());
    }
    let marks = marks(text)?;
    let named = lines.iter().map(|d| (d.line, &d.revisions)).chain(marks.iter().map(|m| (m.mark.line, &m.revisions)));
    for (line, names) in named {
        if let Some(wrong) = names.iter().find(|name| !revisions.contains(name)) {
            return Err(format!("line {line}: no revision `{wrong}`"));
        }
    }
    if revisions.is_empty() {
        revisions.push("");
    }
    revisions.iter().map(|revision| case(path, revision, &lines, &marks)).collect()
}

/// A line `//@[revisions] key: value`.
struct Directive<'a> {
    line: u64,
    /// Empty: for all revisions.
    revisions: Vec<&'a str>,
    key: &'a str,
    value: &'a str,
}

/// A mark `//~[revisions] kind`.
struct Restricted<'a> {
    /// Empty: for all revisions.
    revisions: Vec<&'a str>,
    mark: Mark,
}

fn directives(text: &str) -> Result<Vec<Directive<'_>>, String> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let Some(rest) = content.trim_start().strip_prefix("//@") else {
            continue;
        };
        let (revisions, rest) = restriction(rest, line)?;
        let (key, value) = rest.split_once(':').ok_or_else(|| format!("line {line}: `//@ key: value` expected"))?;
        let (key, value) = (key.trim(), value.trim());
        if !KEYS.iter().any(|(name, _)| *name == key) {
            return Err(format!("line {line}: unknown key `{key}`"));
        }
        if value.is_empty() {
            return Err(format!("line {line}: `{key}` has no value"));
        }
        found.push(Directive { line, revisions, key, value });
    }
    Ok(found)
}

fn marks(text: &str) -> Result<Vec<Restricted<'_>>, String> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for mark in content.split("//~").skip(1) {
            let (revisions, kind) = restriction(mark, line)?;
            let kind = kind.split_whitespace().next().unwrap_or_default();
            if !KINDS.contains(&kind) {
                return Err(format!("line {line}: `{kind}` is no kind of violation"));
            }
            found.push(Restricted { revisions, mark: Mark { line, kind: kind.to_string() } });
        }
    }
    Ok(found)
}

/// Splits `[revisions] rest`.
fn restriction(text: &str, line: u64) -> Result<(Vec<&str>, &str), String> {
    let Some(rest) = text.strip_prefix('[') else {
        return Ok((Vec::new(), text));
    };
    let (names, rest) = rest.split_once(']').ok_or_else(|| format!("line {line}: `]` is missing"))?;
    Ok((names.split_whitespace().collect(), rest))
}

/// Puts one case together.
fn case(path: &Path, revision: &str, lines: &[Directive<'_>], marks: &[Restricted<'_>]) -> Result<Case, String> {
    let values = |key: &str| -> Vec<&str> {
        let of_case =
            lines.iter().filter(|d| d.key == key && (d.revisions.is_empty() || d.revisions.contains(&revision)));
        of_case.map(|d| d.value).collect()
    };
    let words = |key: &str| values(key).iter().flat_map(|v| v.split_whitespace()).map(String::from).collect();
    // The value of a revision goes before the common one.
    let single = |key: &str| -> Result<Option<&str>, String> {
        let own: Vec<_> = lines.iter().filter(|d| d.key == key && d.revisions.contains(&revision)).collect();
        let common: Vec<_> = lines.iter().filter(|d| d.key == key && d.revisions.is_empty()).collect();
        let candidates = if own.is_empty() { common } else { own };
        match candidates[..] {
            [] => Ok(None),
            [one] => Ok(Some(one.value)),
            [_, second, ..] => Err(format!("line {}: `{key}` a second time", second.line)),
        }
    };
    let number = |key: &str| -> Result<Option<u64>, String> {
        let parse = |v: &str| v.parse().map_err(|_| format!("`{key}: {v}` is no number"));
        single(key)?.map(parse).transpose()
    };
    let choice = |key: &str, word: &str| -> Result<bool, String> {
        match single(key)? {
            None => Ok(false),
            Some(value) if value == word => Ok(true),
            Some(value) => Err(format!("`{key}: {value}`: only `{word}` has a meaning")),
        }
    };
    let place = path.parent().unwrap_or(Path::new("."));
    let case = Case {
        path: path.to_path_buf(),
        revision: revision.to_string(),
        verdict: verdict(single("verdict")?.ok_or("`//@ verdict:` is missing")?)?,
        executions: number("executions")?,
        pruned: number("pruned")?,
        paths: number("paths")?,
        events: number("events")?,
        promoted: number("promoted")?,
        alike: number("alike")?,
        observers: number("observers")?,
        awaits: number("awaits")?,
        in_vain: number("in-vain")?,
        samples: number("samples")?,
        cflags: words("cflags"),
        args: words("args"),
        argv: words("argv"),
        also: values("also").iter().map(|file| place.join(file)).collect(),
        orders: number("orders")?.unwrap_or(1) as u32,
        output: single("output")?.map(String::from),
        assumes: words("assumes"),
        assumes_not: words("assumes-not"),
        native: choice("native", "run")?,
        blocked: choice("blocked", "some")?,
        naive: !choice("naive", "no")?,
        states: !choice("states", "no")?,
        states_only: choice("engine", "states")?,
        slow: words("slow"),
        ends: !choice("cutoffs", "needed")?,
        known_bug: single("known-bug")?.map(String::from),
        marks: marks
            .iter()
            .filter(|m| m.revisions.is_empty() || m.revisions.contains(&revision))
            .map(|m| m.mark.clone())
            .collect(),
    };
    let without_waiting =
        [case.executions, case.pruned, case.paths, case.events, case.promoted].iter().any(Option::is_some);
    let counted = without_waiting || case.observers.is_some() || case.awaits.is_some();
    if counted && single("source")?.is_none() {
        return Err("a number needs a `//@ source:` that says where it comes from".into());
    }
    if without_waiting && !case.ends {
        return Err("numbers are those without cutoffs, which this program needs".into());
    }
    if case.awaits.is_some() && case.ends || case.observers.is_some() && !case.ends && case.awaits.is_none() {
        return Err("`awaits` goes with `cutoffs: needed`, and `observers` there with `awaits`".into());
    }
    if case.in_vain.is_some() && case.awaits.is_none() {
        return Err("`in-vain` goes with `awaits`".into());
    }
    if case.states_only && (counted || case.orders > 1 || !case.states) {
        return Err("`engine: states`: executions are not counted then, and nothing else is explored".into());
    }
    if case.samples.is_some() && (counted || case.orders > 1 || !matches!(case.verdict, Verdict::Unsafe(_))) {
        return Err("`samples` is for bugs, and nothing is explored to the end then".into());
    }
    let may_be_left_out = [("naive", case.naive), ("states", case.states)];
    if let Some(engine) = case.slow.iter().find(|engine| !may_be_left_out.contains(&(engine.as_str(), true))) {
        return Err(format!("`slow: {engine}`: that is no engine that would be run and may be left out"));
    }
    match &case.verdict {
        Verdict::Unsafe(kind) if !case.marks.iter().any(|m| m.kind == *kind) => {
            Err(format!("no line is marked with `//~ {kind}`"))
        }
        Verdict::Safe if !case.marks.is_empty() => Err("a safe program has a `//~` mark".into()),
        _ => Ok(case),
    }
}

fn verdict(text: &str) -> Result<Verdict, String> {
    let within = |name: &str| text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
    if text == "safe" {
        return Ok(Verdict::Safe);
    }
    if let Some(kind) = within("unsafe") {
        return match KINDS.contains(&kind) {
            true => Ok(Verdict::Unsafe(kind.to_string())),
            false => Err(format!("`{kind}` is no kind of violation")),
        };
    }
    match within("unknown") {
        Some("") => Err("`unknown(…)` needs a part of the reason".into()),
        Some(reason) => Ok(Verdict::Unknown(reason.to_string())),
        None => Err(format!("`{text}` is no verdict")),
    }
}
