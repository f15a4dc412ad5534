//! The tool itself, with an input that may be anything: what it must never do, and the smallest input with which it
//! does.

use crate::input::Input;
use crate::seeds::Form;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// Reading ends after 20 seconds, exploring after 5; the rest is for a busy machine.
const LIMIT: Duration = Duration::from_secs(45);
const OPTIONS: &str = "--time-limit 5s --memory-limit 1G --max-executions 100 --max-steps 100000";
/// Runs that a failing input is worth to make it smaller.
const RUNS: u32 = 400;

/// What is wrong with what the tool does with an input, if anything.
pub(crate) fn failure(input: &Input, scratch: &Path) -> Option<String> {
    let path = scratch.join(format!("whole-{}.{}", std::process::id(), input.form.extension()));
    std::fs::write(&path, &input.bytes).expect("the input can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(OPTIONS.split(' ')).arg(&path).arg("--cflags").arg("-w").args(&input.flags);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tool can be started");
    let mut out = child.stdout.take().expect("it is a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        out.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let Some(status) = child.wait_timeout(LIMIT).expect("it is our child") else {
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        return Some(format!("no end within {LIMIT:?}"));
    };
    let text = reader.join().expect("reading does not fail").unwrap_or_default();
    if let Some(line) = text.lines().find(|line| line.contains("internal error")) {
        return Some(line.trim().to_owned());
    }
    (!matches!(status.code(), Some(0..=3))).then(|| status.to_string())
}

/// Takes lines out as long as the tool still fails.
pub(crate) fn shrink(input: Input, failing: impl Fn(&Input) -> bool) -> Input {
    if input.form == Form::Bitcode || std::str::from_utf8(&input.bytes).is_err() {
        return input;
    }
    let mut lines: Vec<Vec<u8>> = input.bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let made = |lines: &[Vec<u8>]| Input { bytes: lines.concat(), ..input.clone() };
    let mut runs = 0;
    let mut size = lines.len().div_ceil(2);
    while size > 0 && runs < RUNS {
        let mut at = 0;
        while at < lines.len() && runs < RUNS {
            let mut fewer = lines.clone();
            fewer.drain(at..(at + size).min(lines.len()));
            runs += 1;
            match failing(&made(&fewer)) {
                true => lines = fewer,
                false => at += size,
            }
        }
        size /= 2;
    }
    made(&lines)
}
