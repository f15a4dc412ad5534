//! Some tests of one executable, run one after the other by one process.
use crate::executable::Executable;
use std::fmt::Write;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Some tests of one executable.
pub(crate) struct Piece<'a> {
    /// The executable.
    pub(crate) executable: &'a Executable,
    /// Their names.
    pub(crate) tests: Vec<&'a str>,
}

/// What came of a piece.
pub(crate) struct Outcome {
    /// The name of the executable.
    pub(crate) executable: String,
    /// All that it printed.
    pub(crate) output: String,
    /// Seconds that it took.
    pub(crate) seconds: f64,
    /// How many tests passed, as it says itself.
    pub(crate) passed: usize,
    /// Each test with its time.
    pub(crate) durations: Vec<(String, Duration)>,
    /// How many tests there are.
    wanted: usize,
    /// Why the process is not to be believed, if it is not.
    problem: Option<String>,
}

impl Outcome {
    /// Tests that did not pass: those that failed, and those that never ended.
    pub(crate) fn failed(&self) -> usize {
        // A process may fail although all its tests have passed.
        (self.wanted - self.passed.min(self.wanted)).max(usize::from(self.problem.is_some()))
    }

    /// Whether all is well.
    pub(crate) fn is_success(&self) -> bool {
        self.failed() == 0
    }

    /// What is wrong: its failures, as it lists them itself.
    pub(crate) fn failure(&self) -> String {
        let problem = self.problem.as_deref().unwrap_or("not all tests passed");
        let mut text = format!("{}: {problem}\n", self.executable);
        for line in self.output.lines().filter(|line| line.starts_with("test ") && line.ends_with("FAILED")) {
            writeln!(text, "  {line}").expect("a string takes everything");
        }
        text
    }
}

impl Piece<'_> {
    /// Runs it.
    pub(crate) fn run(&self) -> Outcome {
        let begin = Instant::now();
        let mut outcome = Outcome {
            executable: self.executable.name.clone(),
            output: String::new(),
            seconds: 0.0,
            passed: 0,
            durations: Vec::new(),
            wanted: self.tests.len(),
            problem: None,
        };
        outcome.problem = self.process(&mut outcome).err();
        outcome.seconds = begin.elapsed().as_secs_f64();
        outcome
    }

    fn process(&self, outcome: &mut Outcome) -> Result<(), String> {
        let mut command = self.executable.command();
        // What a test prints is shown too: which random programs there were.
        command.args(["--test-threads=1", "--show-output"]);
        if self.tests.len() < self.executable.tests.len() {
            command.arg("--exact").args(&self.tests);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot be started: {e}"))?;
        let out = child.stdout.take().expect("is piped");
        let mut err = child.stderr.take().expect("is piped");
        let errors = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is what there is to show.
            let _ = err.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        listen(BufReader::new(out), outcome);
        outcome.output += &errors.join().unwrap_or_default();
        let status = child.wait().map_err(|e| format!("cannot be waited for: {e}"))?;
        if status.success() { Ok(()) } else { Err(status.to_string()) }
    }
}

/// Reads what an executable prints while it prints it. Its tests run one after the other, so that the time between the
/// ends of two is the time of the second.
fn listen(mut out: impl BufRead, outcome: &mut Outcome) {
    let (mut last, mut current) = (Instant::now(), None);
    let mut bytes = Vec::new();
    while out.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        let words = line.trim_end();
        if let Some((name, _)) = words.strip_prefix("test ").and_then(|rest| rest.split_once(" ...")) {
            // (Some executables pad names to the width of the longest one.)
            current = Some(name.trim_end().trim_end_matches(" - should panic").to_owned());
        }
        if (words.ends_with("ok") || words.ends_with("FAILED"))
            && let Some(test) = current.take()
        {
            outcome.durations.push((test, last.elapsed()));
            last = Instant::now();
        }
        if let Some(counts) = words.strip_prefix("test result: ") {
            outcome.passed += passed(counts);
        }
        outcome.output += &line;
    }
}

/// The number of those that passed, of a line like `ok. 7 passed; 0 failed; …`.
fn passed(counts: &str) -> usize {
    let before = counts.split_once(" passed").map_or("", |(before, _)| before);
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str, wanted: usize) -> Outcome {
        let mut outcome = Outcome {
            executable: "some".to_owned(),
            output: String::new(),
            seconds: 0.0,
            passed: 0,
            durations: Vec::new(),
            wanted,
            problem: None,
        };
        listen(text.as_bytes(), &mut outcome);
        outcome
    }

    #[test]
    fn what_is_printed_is_understood() {
        let text = "running 3 tests\ntest a::b ... ok\ntest c - should panic ... some words\nok\ntest d ... FAILED\n\n\
                    test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.03s\n";
        let outcome = outcome(text, 3);
        let names: Vec<&str> = outcome.durations.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a::b", "c", "d"]);
        assert_eq!((outcome.passed, outcome.failed(), outcome.is_success()), (2, 1, false));
        assert!(outcome.failure().contains("test d ... FAILED"));
        assert_eq!(outcome.output, text);
    }

    #[test]
    fn a_test_that_does_not_run_is_a_failure() {
        let text = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert!(outcome(text, 2).is_success());
        assert_eq!(outcome(text, 3).failed(), 1);
        assert_eq!(outcome("", 3).failed(), 3);
    }
}
