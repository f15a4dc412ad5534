//! Runs the tool, the C compiler and compiled programs, each under a time limit, and reads what the tool prints.

use crate::header::Case;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;
use wait_timeout::ChildExt;

/// No single run may take longer, and no single answer. (The longest takes some ten seconds on an idle machine.)
pub(crate) const LIMIT: Duration = Duration::from_secs(240);

/// What a process printed and how it ended.
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// A place and a kind: what a violation is identified by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Violation {
    /// The kind.
    pub(crate) kind: String,
    /// The line, 0 if unknown.
    pub(crate) line: u64,
}

/// The tool's answer in the form of JSON.
pub(crate) struct Answer {
    /// safe, unsafe or unknown.
    pub(crate) verdict: String,
    /// Why it is unknown.
    pub(crate) reason: String,
    /// Kinds and lines of the violations, in the order in which they are printed.
    pub(crate) violations: Vec<Violation>,
    /// The same with everything that is said of them.
    pub(crate) found: Value,
    /// What is said of the certificate, if one was asked for.
    pub(crate) certificate: Value,
    /// Names of the assumptions.
    pub(crate) assumptions: Vec<String>,
    /// The number of this name among the statistics.
    pub(crate) stats: Value,
    /// The whole text, measurements blotted out.
    pub(crate) text: String,
}

impl Answer {
    /// A counter.
    pub(crate) fn count(&self, name: &str) -> Result<u64, String> {
        self.stats[name].as_u64().ok_or_else(|| format!("the statistics lack `{name}`"))
    }

    /// The violations without order.
    pub(crate) fn violation_set(&self) -> BTreeSet<Violation> {
        self.violations.iter().cloned().collect()
    }
}

/// Runs `verify --format json` on a case as a user does.
pub(crate) fn verify_as_users_do(case: &Case) -> Result<Answer, String> {
    let mut command = tool(case, &["--format", "json"]);
    let shown = format!("{command:?}");
    let finished = finish(&mut command)?;
    let code = finished.status.code().ok_or_else(|| format!("{}\n  {shown}", finished.status));
    code.and_then(|code| answer(code, &finished.stdout))
        .map_err(|e| format!("{e}\n  {shown}\n{}{}", finished.stdout, finished.stderr))
}

/// Runs `verify replay --format json` on what `--save-trace` wrote.
pub(crate) fn replay(trace: &Path) -> Result<Answer, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(["replay", "--format", "json"]).arg(trace);
    let finished = finish(&mut command)?;
    let code = finished.status.code().ok_or_else(|| finished.status.to_string());
    code.and_then(|code| answer(code, &finished.stdout))
        .map_err(|e| format!("replay: {e}\n{}{}", finished.stdout, finished.stderr))
}

/// Runs `verify --show-output` on a case and returns all that it prints.
pub(crate) fn shown_output(case: &Case) -> Result<String, String> {
    let finished = finish(&mut tool(case, &["--show-output"]))?;
    Ok(finished.stdout + &finished.stderr)
}

/// Compiles a case with the system's C compiler and runs it; anything but exit code 0 is an error.
pub(crate) fn native(case: &Case) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| format!("no temporary directory: {e}"))?;
    let program = directory.path().join("program");
    let is_cxx = case.path.extension().is_some_and(|extension| extension == "cpp");
    let mut compiler = Command::new(if is_cxx { "c++" } else { "cc" });
    compiler.args(["-pthread", "-w", "-o"]).arg(&program).arg(&case.path).args(&case.also).args(c_flags(case, 0));
    compiler.args(case.args.iter().filter(|a| ["-m32", "-m64"].contains(&a.as_str()))).args(["-lm", "-latomic"]);
    expect_success("cc", &mut compiler)?;
    expect_success("the native program", Command::new(&program).args(&case.argv))
}

fn expect_success(what: &str, command: &mut Command) -> Result<(), String> {
    let finished = finish(command)?;
    match finished.status.success() {
        true => Ok(()),
        false => Err(format!("{what}: {}\n{}{}", finished.status, finished.stdout, finished.stderr)),
    }
}

/// The tool, as a user starts it on a case.
fn tool(case: &Case, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(words(case, 0, options));
    command
}

/// The words that follow `verify`: options, files, what goes to clang, what goes to the program.
pub(crate) fn words(case: &Case, order: u32, options: &[&str]) -> Vec<String> {
    let engine: &[&str] = if case.states_only { &["--engine", "states"] } else { &[] };
    let options = options.iter().chain(engine).map(|option| (*option).to_owned());
    let mut words: Vec<String> = options.chain(case.args.clone()).collect();
    // (Which engine answers would be a matter of time.)
    if !words.iter().any(|word| word.starts_with("--jobs")) {
        words.push("--jobs=1".to_owned());
    }
    words.extend(std::iter::once(&case.path).chain(&case.also).map(|file| file.display().to_string()));
    let flags = c_flags(case, order);
    if !flags.is_empty() {
        words.push("--cflags".to_owned());
        words.extend(flags);
    }
    if !case.argv.is_empty() {
        words.push("--".to_owned());
        words.extend(case.argv.clone());
    }
    words
}

fn c_flags(case: &Case, order: u32) -> Vec<String> {
    let mut flags = case.cflags.clone();
    if case.orders > 1 {
        flags.push(format!("-DORDER={order}"));
    }
    flags
}

/// Reads the JSON and checks that the exit code fits.
pub(crate) fn answer(code: i32, text: &str) -> Result<Answer, String> {
    let mut json: Value = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
    for violation in json["violations"].as_array_mut().into_iter().flatten() {
        // Where it was saved says nothing about it.
        violation.as_object_mut().map(|violation| violation.remove("replay"));
    }
    let verdict = json["verdict"].as_str().ok_or("no verdict")?.to_string();
    let fitting = match verdict.as_str() {
        "safe" => 0,
        "unsafe" => 1,
        "unknown" => 3,
        other => return Err(format!("verdict `{other}`")),
    };
    if code != fitting {
        return Err(format!("verdict {verdict}, but exit code {code}"));
    }
    let violations = json["violations"].as_array().ok_or("no violations")?;
    if violations.is_empty() == (verdict == "unsafe") {
        return Err(format!("verdict {verdict} with {} violations", violations.len()));
    }
    let place = |v: &Value| Violation {
        kind: v["kind"].as_str().unwrap_or_default().to_string(),
        line: v["location"]["line"].as_u64().unwrap_or(0),
    };
    Ok(Answer {
        verdict,
        reason: json["reason"].as_str().unwrap_or_default().to_string(),
        violations: violations.iter().map(place).collect(),
        found: json["violations"].clone(),
        certificate: json["certificate"].clone(),
        assumptions: json["assumptions"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|name| Some(name.as_str()?.into()))
            .collect(),
        stats: json["stats"].clone(),
        text: without_measurements(json),
    })
}

/// Seconds and memory differ from run to run; nothing else may.
fn without_measurements(mut json: Value) -> String {
    for name in ["seconds", "peak_memory_bytes"] {
        json["stats"][name] = Value::Null;
    }
    json.to_string()
}

/// Runs a command to its end, or kills it at the time limit.
fn finish(command: &mut Command) -> Result<Finished, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("cannot start {:?}: {e}", Path::new(command.get_program())))?;
    let stdout = reader(child.stdout.take().expect("is piped"));
    let stderr = reader(child.stderr.take().expect("is piped"));
    let status = wait(&mut child).map_err(|e| format!("{e}: {command:?}"))?;
    let text = |reader: thread::JoinHandle<String>| reader.join().expect("a reader does not panic");
    Ok(Finished { status, stdout: text(stdout), stderr: text(stderr) })
}

/// Reads a pipe to its end.
pub(crate) fn reader(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is what there is to show.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child) -> Result<ExitStatus, String> {
    if let Some(status) = child.wait_timeout(LIMIT).map_err(|e| e.to_string())? {
        return Ok(status);
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("still running after {} s", LIMIT.as_secs()))
}
