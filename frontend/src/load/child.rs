//! Reading foreign files where a crash of LLVM does no harm.
//!
//! The child parses and verifies each file and writes what it understood as fresh bitcode; the parent reads only that,
//! so no foreign byte reaches its LLVM. If the child dies, or does not end, the file that it was at is corrupt.
use super::read::{self, Rejection, first_line};
use crate::{Error, pass};
use inkwell::context::Context;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// The hidden first argument. Then follow pairs of a file to read and a file to write.
const HIDDEN: &str = "__read-bitcode";

// Exit codes of the child; LLVM's own fatal errors end with 1 or by a signal.
const DONE: u8 = 0;
const FILE: u8 = 40;
const PARSE: u8 = 41;
const VERIFY: u8 = 42;

/// To be called first by the `main` of an executable that reads foreign files in a child process
/// ([`Reader::Isolated`](super::Reader::Isolated)): if `arguments` (those of the process, its name included) are the
/// hidden ones, does the child's work and returns the exit code to end with at once.
pub fn child_main(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(HIDDEN)) {
        return None;
    }
    let mut code = DONE;
    while let (Some(from), Some(to)) = (arguments.next(), arguments.next()) {
        if let Err(rejection) = copy(Path::new(&from), Path::new(&to)) {
            let (stage, reason) = match rejection {
                Rejection::File(reason) => (FILE, reason),
                Rejection::Parse(reason) => (PARSE, reason),
                Rejection::Verify(reason) => (VERIFY, reason),
            };
            // Without a reader of the reason the exit code still says enough.
            let _ = std::io::stdout().write_all(reason.as_bytes());
            code = stage;
            break;
        }
    }
    Some(ExitCode::from(code))
}

fn copy(from: &Path, to: &Path) -> Result<(), Rejection> {
    // Nothing is freed on purpose: the process ends at once, and freeing is where corrupt modules crash for no gain.
    let context = Box::leak(Box::new(Context::create()));
    let module = std::mem::ManuallyDrop::new(read::module(context, from)?);
    let bitcode = std::mem::ManuallyDrop::new(module.write_bitcode_to_memory());
    // A rehearsal: LLVM's passes, too, may crash or loop on what its verifier lets pass, such as types in debug
    // information that are made of themselves.
    if let Err(error) = pass::run(&module, false) {
        return Err(Rejection::Verify(error.to_string()));
    }
    // Written in one go at the very end: that the file exists means that the input was read.
    std::fs::write(to, bitcode.as_slice()).map_err(|error| Rejection::File(error.to_string()))
}

/// A file to read, and where its copy goes.
pub(super) struct Job {
    /// The name by which the user knows the file.
    pub(super) name: PathBuf,
    /// The foreign file.
    pub(super) from: PathBuf,
    /// The bitcode to write.
    pub(super) to: PathBuf,
    /// Whether the foreign file is textual IR.
    pub(super) textual: bool,
}

/// Has `executable` do the jobs in a child process; `scratch` is a directory for its output.
pub(super) fn run(executable: &Path, jobs: &[Job], scratch: &Path) -> Result<(), Error> {
    let system = |source| Error::System { what: format!("cannot run {} to read files", executable.display()), source };
    let (out, err) = (scratch.join("reader.out"), scratch.join("reader.err"));
    let mut command = Command::new(executable);
    command.arg(HIDDEN).args(jobs.iter().flat_map(|job| [&job.from, &job.to]));
    command.stdin(Stdio::null());
    command.stdout(File::create(&out).map_err(system)?).stderr(File::create(&err).map_err(system)?);
    let bytes: u64 = jobs.iter().filter_map(|job| job.from.metadata().ok()).map(|data| data.len()).sum();
    let limit = PATIENCE + Duration::from_secs(bytes / BYTES_PER_SECOND);
    let status = wait(command.spawn().map_err(system)?, limit).map_err(system)?;
    let Some(job) = jobs.iter().find(|job| !job.to.exists()) else { return Ok(()) };

    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let rejection = |make: fn(String) -> Rejection| Err(read::explain(&job.name, make(text(&out)), job.textual));
    let path = job.name.clone();
    let Some(status) = status else {
        return Err(Error::Corrupt { path, reason: format!("LLVM did not end reading it within {limit:?}") });
    };
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(FILE) => rejection(Rejection::File),
        Some(PARSE) => rejection(Rejection::Parse),
        Some(VERIFY) => rejection(Rejection::Verify),
        Some(DONE) => {
            let what = format!("{} does not know how to read files for its parent", executable.display());
            Err(Error::System { what, source: std::io::Error::other("it ended without a word") })
        }
        _ => Err(crash(path, status, &text(&err))),
    }
}

/// LLVM ends the process, too, when textual IR with debug information breaks the rules for modules.
fn crash(path: PathBuf, status: ExitStatus, stderr: &str) -> Error {
    if stderr.contains("Broken module found") {
        return Error::Invalid { path, reason: first_line(stderr) };
    }
    let fatal = stderr.lines().find_map(|line| line.strip_prefix("LLVM ERROR: "));
    let how = fatal.map_or_else(|| status.to_string(), first_line);
    Error::Corrupt { path, reason: format!("LLVM crashed while reading it: {how}") }
}

/// Time that any file may take: reading is fast, but a corrupt file can have it loop.
const PATIENCE: Duration = Duration::from_secs(20);
/// Further time by size; LLVM reads at least ten times as fast.
const BYTES_PER_SECOND: u64 = 1 << 20;

/// Waits for the child, but not longer than `limit`: then it is stopped, and there is no status.
fn wait(mut child: Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_does_not_end_is_stopped() {
        let child = Command::new("sleep").arg("1000").spawn().expect("sleep starts");
        let status = wait(child, Duration::from_millis(20)).expect("waiting works");
        assert_eq!(status, None);
    }

    #[test]
    fn other_arguments_are_left_alone() {
        assert!(child_main(["verify".into(), "a.c".into()]).is_none());
        assert!(child_main(["verify".into()]).is_none());
    }
}
