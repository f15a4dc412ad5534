//! What the main thread does while the other one explores: limits, signals, progress.
//!
//! The explorer is asked to stop and does so at its next poll. One that is in the middle of a very long step is not
//! waited for: what is known by then is reported.
use super::Listener;
use super::certify;
use super::findings::{Findings, Shared};
use super::progress::{Progress, line};
use crate::report::jsonl::Event;
use crate::report::text::Detail;
use crate::report::{Reason, Statistics};
use crate::request::{Limits, Request};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals as Incoming;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often limits and signals are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How often a listener hears how far the exploration is.
const NEWS: Duration = Duration::from_secs(1);

/// How long the explorer may take to stop.
const GRACE: Duration = Duration::from_secs(2);

/// What comes so soon after the first signal is the same one: `timeout` sends one to the process, and one to its group.
const SAME: Duration = Duration::from_secs(1);

/// Signals that end the exploration, and nothing else.
#[derive(Debug)]
pub(crate) struct Signals(Arc<AtomicBool>);

impl Signals {
    /// From now on SIGINT and SIGTERM are remembered. One that comes more than a second after the first one ends the
    /// process at once, with the exit code of "unknown".
    pub(crate) fn catch() -> std::io::Result<Self> {
        let (flag, mut signals) = (Arc::new(AtomicBool::new(false)), Incoming::new([SIGINT, SIGTERM])?);
        let caught = Arc::clone(&flag);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut first: Option<Instant> = None;
            for _ in signals.forever() {
                caught.store(true, Ordering::Relaxed);
                if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                    signal_hook::low_level::exit(3);
                }
            }
        })?;
        Ok(Signals(flag))
    }

    /// Whether one came.
    pub(crate) fn caught(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How work came to its end.
#[derive(Debug)]
pub(crate) struct Ended<T> {
    /// Its result; nothing if it did not answer in time, or broke.
    pub result: Option<T>,
    /// Why it was ended, or broke.
    pub reason: Option<Reason>,
}

/// Waits for work, and has it stopped at a limit or a signal, unless `relieved` says that there will be less of what is
/// too much; `meanwhile` is called now and then, until it is stopped.
pub(crate) fn wait<T>(
    limits: &Limits,
    started: Instant,
    signals: &Signals,
    result: &Receiver<Result<T, String>>,
    stop: &AtomicBool,
    mut relieved: impl FnMut(&Reason) -> bool,
    mut meanwhile: impl FnMut(),
) -> Ended<T> {
    let mut asked: Option<(Instant, Reason)> = None;
    loop {
        match result.recv_timeout(TICK) {
            Ok(Ok(result)) => return Ended { result: Some(result), reason: asked.map(|(_, reason)| reason) },
            Ok(Err(panic)) => return Ended { result: None, reason: Some(Reason::Internal(panic)) },
            Err(RecvTimeoutError::Disconnected) => {
                let reason = Reason::Internal("the exploring thread ended without a result".to_owned());
                return Ended { result: None, reason: Some(reason) };
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some((since, reason)) = &asked {
            if since.elapsed() > GRACE {
                return Ended { result: None, reason: Some(reason.clone()) };
            }
            continue;
        }
        meanwhile();
        if let Some(reason) = limit(limits, started, signals)
            && !relieved(&reason)
        {
            stop.store(true, Ordering::Relaxed);
            asked = Some((Instant::now(), reason));
        }
    }
}

/// Waits for the explorer.
pub(crate) fn watch(
    request: &Request,
    started: Instant,
    signals: &Signals,
    shared: &Shared,
    result: &Receiver<Result<Findings, String>>,
    mut listener: Listener<'_>,
) -> Ended<Findings> {
    let mut progress = Progress::new(request.output.detail == Detail::Brief);
    let (mut told, mut last) = (0, Instant::now());
    let mut crowded = None;
    let relieved = |reason: &Reason| relieved(shared, reason, *crowded.get_or_insert_with(Instant::now));
    let ended = wait(&request.limits, started, signals, result, &shared.stop, relieved, || {
        if is_getting_crowded(&request.limits) {
            shared.is_crowded.store(true, Ordering::Relaxed);
        }
        if let Some(listener) = &mut listener {
            let found = shared.violations_after(told);
            found.iter().for_each(|violation| listener(Event::Violation(violation)));
            told += found.len();
            if last.elapsed() >= NEWS {
                last = Instant::now();
                let seconds = started.elapsed().as_secs_f64();
                listener(Event::Progress(&Statistics { seconds, ..shared.statistics() }));
            }
        }
        let depth = || shared.depth.load(Ordering::Relaxed);
        progress.show(|elapsed| match shared.certified.load(Ordering::Relaxed) {
            0 => line(&shared.statistics(), depth(), elapsed),
            states => certify::line(states, elapsed),
        });
    });
    progress.finish();
    // A limit that was met while the last step completed the exploration does not matter.
    let complete = ended.result.as_ref().is_some_and(|findings| findings.complete);
    Ended { reason: ended.reason.filter(|_| !complete), ..ended }
}

/// Whether engines beside the usual one take memory that it will need: what they give back is not all there at once.
fn is_getting_crowded(limits: &Limits) -> bool {
    limits.memory.is_some_and(|limit| memory("VmRSS:") > limit / 4 * 3)
}

/// Has engines beside the usual one give back what they take of the memory. Whether there is a hope of that.
fn relieved(shared: &Shared, reason: &Reason, since: Instant) -> bool {
    let is_memory = matches!(reason, Reason::MemoryLimit(_));
    if is_memory {
        shared.is_crowded.store(true, Ordering::Relaxed);
    }
    is_memory && shared.guests.load(Ordering::Relaxed) > 0 && since.elapsed() < GRACE
}

pub(crate) fn limit(limits: &Limits, started: Instant, signals: &Signals) -> Option<Reason> {
    if signals.caught() {
        return Some(Reason::Interrupted);
    }
    if let Some(limit) = limits.time
        && started.elapsed() >= limit
    {
        return Some(Reason::TimeLimit(limit));
    }
    if let Some(limit) = limits.cpu
        && processor_time() >= limit
    {
        return Some(Reason::CpuLimit(limit));
    }
    match limits.memory {
        Some(limit) if memory("VmRSS:") > limit => Some(Reason::MemoryLimit(limit)),
        _ => None,
    }
}

/// Most memory that this process has had, in bytes.
pub(crate) fn peak_memory() -> u64 {
    memory("VmHWM:")
}

/// Processor time of this process and of the children that have ended; none where the system does not say.
fn processor_time() -> Duration {
    /// Linux counts in hundredths of a second here, whatever its own clock does.
    const TICK: Duration = Duration::from_millis(10);
    let statistics = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program comes second, in parentheses, and may contain anything; fields 14 to 17 are the times.
    let fields = statistics.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u32 = fields.skip(11).take(4).filter_map(|field| field.parse::<u32>().ok()).sum();
    TICK * ticks
}

/// An entry of the system's table of this process, in bytes; 0 where there is none.
fn memory(entry: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(entry));
    let kilobytes: Option<u64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use crate::driver::findings::Shared;
    use crate::report::Reason;
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    #[test]
    fn memory_may_be_given_back() {
        let (shared, now) = (Shared::default(), Instant::now());
        let too_much = Reason::MemoryLimit(1);
        shared.guests.store(1, Ordering::Relaxed);
        assert!(!super::relieved(&shared, &Reason::Interrupted, now) && !shared.is_crowded.load(Ordering::Relaxed));
        assert!(super::relieved(&shared, &too_much, now) && shared.is_crowded.load(Ordering::Relaxed));
        let long_ago = now.checked_sub(super::GRACE + Duration::from_secs(1)).expect("the clock is older");
        assert!(!super::relieved(&shared, &too_much, long_ago));
        shared.guests.store(0, Ordering::Relaxed);
        assert!(!super::relieved(&shared, &too_much, now), "nobody has any");
    }

    #[test]
    fn memory_is_measured() {
        let block = vec![1_u8; 8 << 20];
        assert!(super::peak_memory() > block.len() as u64);
        assert_eq!(super::memory("VmNothing:"), 0);
    }

    #[test]
    fn processor_time_is_measured() {
        let before = super::processor_time();
        let started = std::time::Instant::now();
        while super::processor_time() < before + std::time::Duration::from_millis(50) {
            assert!(started.elapsed().as_secs() < 60, "{before:?}");
        }
    }
}
