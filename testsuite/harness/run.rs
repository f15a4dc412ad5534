//! Runs the tool, the C compiler and compiled programs, each under a time limit, and reads what the tool prints.

use crate::header::Case;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// No single run may take longer.
const LIMIT: Duration = Duration::from_secs(60);

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

/// Runs `verify --format json` on a case as a user does, with these further options.
pub(crate) fn verify_as_users_do(case: &Case, options: &[&str]) -> Result<Answer, String> {
    answer_of(tool(case, 0, &[&["--format", "json"], options].concat()))
}

/// Where the bitcode of all cases is kept until the tests have ended.
pub(crate) static BITCODE: OnceLock<PathBuf> = OnceLock::new();

/// The same, with this order of creation; what clang has made of the program before serves again.
pub(crate) fn verify(case: &Case, order: u32, options: &[&str]) -> Result<Answer, String> {
    let clang = ["--clang", concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/harness/clang-once")];
    let mut command = tool(case, order, &[&["--format", "json"], &clang[..], options].concat());
    command.env("CLANG_ONCE", BITCODE.get().ok_or("nobody said where bitcode is kept")?);
    answer_of(command)
}

fn answer_of(mut command: Command) -> Result<Answer, String> {
    let shown = format!("{command:?}");
    let finished = finish(&mut command)?;
    answer(&finished).map_err(|e| format!("{e}\n  {shown}\n{}{}", finished.stdout, finished.stderr))
}

/// Runs `verify replay --format json` on what `--save-trace` wrote.
pub(crate) fn replay(trace: &Path) -> Result<Answer, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(["replay", "--format", "json"]).arg(trace);
    let finished = finish(&mut command)?;
    answer(&finished).map_err(|e| format!("replay: {e}\n{}{}", finished.stdout, finished.stderr))
}

/// Runs `verify --show-output` on a case and returns all that it prints.
pub(crate) fn shown_output(case: &Case) -> Result<String, String> {
    let finished = finish(&mut tool(case, 0, &["--show-output"]))?;
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

/// The command line of the tool: options, file, what goes to clang, what goes to the program.
fn tool(case: &Case, order: u32, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(options).args(&case.args).arg(&case.path).args(&case.also);
    let flags = c_flags(case, order);
    if !flags.is_empty() {
        command.arg("--cflags").args(flags);
    }
    if !case.argv.is_empty() {
        command.arg("--").args(&case.argv);
    }
    command
}

fn c_flags(case: &Case, order: u32) -> Vec<String> {
    let mut flags = case.cflags.clone();
    if case.orders > 1 {
        flags.push(format!("-DORDER={order}"));
    }
    flags
}

/// Reads the JSON and checks that the exit code fits.
fn answer(finished: &Finished) -> Result<Answer, String> {
    let mut json: Value = serde_json::from_str(&finished.stdout).map_err(|e| format!("no JSON: {e}"))?;
    for violation in json["violations"].as_array_mut().into_iter().flatten() {
        // Where it was saved says nothing about it.
        violation.as_object_mut().map(|violation| violation.remove("replay"));
    }
    let verdict = json["verdict"].as_str().ok_or("no verdict")?.to_string();
    let code = match verdict.as_str() {
        "safe" => 0,
        "unsafe" => 1,
        "unknown" => 3,
        other => return Err(format!("verdict `{other}`")),
    };
    if finished.status.code() != Some(code) {
        return Err(format!("verdict {verdict}, but {}", finished.status));
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

fn reader(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is what there is to show.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child) -> Result<ExitStatus, String> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(status);
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("still running after {} s", LIMIT.as_secs()));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
