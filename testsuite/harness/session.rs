//! One process of the tool that answers again and again: the program of a case is compiled and loaded once, however
//! many ways there are to explore it. `src/batch.rs` is the other end.
//!
//! A process that has answered all that a case asks is kept for the next case: to start one takes as long as many of
//! them do. If anything is wrong with a case, its process ends with it.

use crate::header::Case;
use crate::run::{Answer, LIMIT, answer, reader, words};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

/// Processes that are kept for the next case.
static IDLE: Mutex<Vec<Session>> = Mutex::new(Vec::new());

/// Whether the case is about a limit of memory.
pub(crate) fn limits_memory(case: &Case) -> bool {
    case.args.iter().any(|argument| argument == "--memory-limit")
}

/// A process that waits for lines of options.
pub(crate) struct Session {
    child: Child,
    questions: Option<ChildStdin>,
    answers: Receiver<String>,
    errors: Option<thread::JoinHandle<String>>,
}

impl Session {
    /// One that is idle, or a new one.
    pub(crate) fn begin() -> Result<Self, String> {
        let idle = IDLE.lock().expect("no thread panics there").pop();
        idle.map_or_else(Session::start, Ok)
    }

    fn start() -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
        command.arg("__batch").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start verify: {e}"))?;
        let questions = child.stdin.take();
        let errors = Some(reader(child.stderr.take().expect("is piped")));
        let lines = BufReader::new(child.stdout.take().expect("is piped")).lines();
        let (sender, answers) = channel();
        thread::spawn(move || {
            // The receiver is gone when the case has ended.
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Session { child, questions, answers, errors })
    }

    /// The answer to `verify --format json` with these options, for this order of creation. An error ends the session.
    ///
    /// (A process keeps memory that threads had which have ended, so with a limit of memory each answer takes a new
    /// one.)
    pub(crate) fn ask(&mut self, case: &Case, order: u32, options: &[&str]) -> Result<Answer, String> {
        if limits_memory(case) {
            *self = Session::start()?;
        }
        let line = words(case, order, &[&["--format", "json"], options].concat());
        let (code, json) = self.say(&line)?;
        answer(code, &json).map_err(|e| format!("{e}\n  {line:?}\n{json}"))
    }

    /// Sends a line of words: the exit code, and what is printed.
    fn say(&mut self, line: &[String]) -> Result<(i32, String), String> {
        let line = serde_json::to_string(line).map_err(|e| e.to_string())?;
        let questions = self.questions.as_mut().ok_or("the session has ended")?;
        // A process that has died before it reads gives no answer either, and that says more.
        let _ = writeln!(questions, "{line}").and_then(|()| questions.flush());
        match self.answers.recv_timeout(LIMIT) {
            Ok(text) => {
                let (code, json) = text.split_once(' ').ok_or_else(|| format!("no exit code: {text}"))?;
                Ok((code.parse().map_err(|_| format!("no exit code: {text}"))?, json.to_owned()))
            }
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Err(format!("still running after {} s: {line}", LIMIT.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let (status, said) = self.finish();
                Err(format!("no answer, {status:?}: {line}\n{said}"))
            }
        }
    }

    /// What `verify certificate --format json` says of a certificate of this case. An error ends the session.
    pub(crate) fn certificate(&mut self, case: &Case, file: &str) -> Result<Value, String> {
        let mut line = words(case, 0, &["--format", "json"]);
        line.splice(0..0, ["certificate".to_owned(), file.to_owned()]);
        let (_, text) = self.say(&line)?;
        serde_json::from_str(&text).map_err(|e| format!("no JSON: {e}: {text}"))
    }

    /// It has answered everything, and is kept for the next case.
    pub(crate) fn end(self) {
        IDLE.lock().expect("no thread panics there").push(self);
    }

    /// Ends those that are kept; anything but exit code 0 is an error.
    pub(crate) fn end_all() -> Result<(), String> {
        let idle = std::mem::take(&mut *IDLE.lock().expect("no thread panics there"));
        idle.into_iter().try_for_each(|mut session| match session.finish() {
            (Ok(status), _) if status.success() => Ok(()),
            (status, said) => Err(format!("a session ends with {status:?}\n{said}")),
        })
    }

    /// Lets it end: how it did, and what it complained of.
    fn finish(&mut self) -> (std::io::Result<ExitStatus>, String) {
        self.questions = None;
        let status = self.child.wait();
        (status, self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
