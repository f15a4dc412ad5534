//! Work in processes of its own: several of this program at once, so that none can hurt another.
use crate::driver::Signals;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often a process is looked at.
const TICK: Duration = Duration::from_millis(10);

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How, or why it never began.
    pub status: std::io::Result<ExitStatus>,
    /// What it wrote to standard output.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
    /// Time taken, to the millisecond.
    pub seconds: f64,
}

/// Runs a process for each piece of work, `jobs` at a time, and hands over each result as it comes. Those that take
/// longer than the limit, and all after a signal, are ended; the latter give no result.
pub(crate) fn all<T: Sync>(
    work: &[T],
    jobs: usize,
    limit: Option<Duration>,
    signals: &Signals,
    command: impl Fn(&T) -> Command + Sync,
    mut ended: impl FnMut(&T, Ended),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(work.len()) {
            let (sender, next, command) = (sender.clone(), &next, &command);
            scope.spawn(move || {
                while let Some(piece) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match run(command(piece), limit, signals) {
                        // The receiver is there until all threads have ended.
                        Some(result) => drop(sender.send((piece, result))),
                        None => return,
                    }
                }
            });
        }
        drop(sender);
        receiver.iter().for_each(|(piece, result)| ended(piece, result));
    });
}

/// Runs one process to its end; nothing after a signal.
fn run(mut command: Command, limit: Option<Duration>, signals: &Signals) -> Option<Ended> {
    if signals.caught() {
        return None;
    }
    let started = Instant::now();
    let seconds = || (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => {
            let (out, err) = (String::new(), String::new());
            return Some(Ended { status: Err(error), out, err, seconds: seconds() });
        }
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    // A pipe holds little: somebody has to read both of them until the end.
    std::thread::scope(|scope| {
        let out = scope.spawn(|| text(out));
        let err = scope.spawn(|| text(err));
        let mut late = false;
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(Ok(status)),
                Err(error) => break Some(Err(error)),
                Ok(None) if signals.caught() => {
                    end(&mut child);
                    break None;
                }
                Ok(None) if !late && limit.is_some_and(|limit| started.elapsed() > limit) => {
                    late = true;
                    end(&mut child);
                }
                Ok(None) => std::thread::sleep(TICK),
            }
        };
        let seconds = seconds();
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        status.map(|status| Ended { status, out, err, seconds })
    })
}

/// All that comes out of a pipe.
fn text(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What is cut off is no report, and the reader notices that.
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Ends a process and waits for that.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
