//! The programs as the machine at hand runs them.
use crate::program::DRIVER;
use std::path::Path;
use std::process::{Command, Stdio};

/// A compiler and its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    pub(crate) compiler: &'static str,
    pub(crate) options: &'static [&'static str],
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// What it printed, with what sanitizers say.
    pub(crate) output: String,
    /// Its exit code, unless a signal ended it.
    pub(crate) status: Option<u8>,
    pub(crate) signal: Option<u8>,
}

impl Run {
    /// What went wrong, if something did: the words of a sanitizer, or how it ended.
    pub(crate) fn error(&self) -> Option<String> {
        const SIGNS: [&str; 4] =
            ["runtime error: ", "ERROR: AddressSanitizer: ", "MemorySanitizer: ", "*** stack smashing"];
        let found = SIGNS.iter().find_map(|sign| self.output.split_once(sign));
        let said = found.map(|(_, rest)| rest.lines().next().unwrap_or("").to_owned());
        said.or_else(|| self.signal.map(|signal| format!("signal {signal}")))
    }
}

/// Builds and runs all programs of a text; `Err` says why it cannot be compiled.
pub(crate) fn run(text: &str, build: Build, wide: bool) -> Result<Vec<Run>, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("programs.c"), text).expect("it can be written");
    std::fs::write(path("driver.c"), DRIVER).expect("it can be written");
    // (Sanitizers of the programs, not of the driver, whose compilation they would only slow down.)
    let mut command = Command::new(build.compiler);
    // With 32 bits, numbers have the precision of their types with SSE2 only.
    let target: &[&str] = if wide { &["-m64"] } else { &["-m32", "-msse2", "-mfpmath=sse"] };
    command.args(["-w", "-std=gnu17", "-DNATIVE"]).args(target);
    command.args(build.options).arg("-o").arg(path("programs"));
    command.args([path("programs.c"), path("driver.c")]).args(["-lm", "-latomic"]);
    let compiled = command.output().expect("the compiler can be started");
    if !compiled.status.success() {
        return Err(format!("{}: {}", build.compiler, String::from_utf8_lossy(&compiled.stderr)));
    }
    Ok(execute(&path("programs")))
}

/// The lines of a text with errors.
pub(crate) fn rejected(text: &str, wide: bool) -> Vec<usize> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, text).expect("it can be written");
    let mut command = Command::new("clang-19");
    command.args(["-w", "-std=gnu17", "-fsyntax-only", "-ferror-limit=0", if wide { "-m64" } else { "-m32" }]);
    let output = command.arg(&path).output().expect("the compiler can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter(|line| line.contains("error: "));
    errors.filter_map(|line| line.split_once("programs.c:")?.1.split(':').next()?.parse().ok()).collect()
}

fn execute(program: &Path) -> Vec<Run> {
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", "detect_leaks=0:symbolize=0:detect_stack_use_after_return=1:strict_string_checks=0");
    command.env("UBSAN_OPTIONS", "symbolize=0").env("MSAN_OPTIONS", "symbolize=0");
    let output = command.stdin(Stdio::null()).output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split("\n@@ begins ").skip(1).map(outcome).collect()
}

fn outcome(text: &str) -> Run {
    let (_, rest) = text.split_once('\n').expect("the end of the line");
    let (output, end) = rest.rsplit_once("\n@@ ends ").expect("how it ended");
    let mut words = end.split_whitespace().skip(1);
    let how = words.next().expect("how");
    let number: u8 = words.next().and_then(|word| word.parse().ok()).expect("a number");
    let (status, signal) = if how == "exit" { (Some(number), None) } else { (None, Some(number)) };
    Run { output: output.to_owned(), status, signal }
}
