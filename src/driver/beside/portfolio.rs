//! Engines side by side, each with processors of its own.
//!
//! At the time of the first turn, or somewhat later ([`Patience`]), the first engine that waits gets a processor;
//! `optimal` gets all that are left, as it can divide its work. Each goes on until one has the answer, or until it
//! gives up: there are too many states, or an execution may have no end. Then the next one has its processors.
//!
//! Which of them answers is a matter of time. The answer is not: each is certain.
//!
//! They take memory that the usual engine may need. So none begins while memory is short, and all end when it is
//! ([`Shared::is_crowded`]).
use super::super::findings::Shared;
use super::super::{PATIENCE, STACK_BYTES, start};
use super::guest::{Guest, TooMany};
use super::{Answer, FIRST, Found};
use crate::request::Patience;
use interp::Machine;
use por::Options;
use por::jobs::{Jobs, divides};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// How long it may take an engine to stop.
const GRACE: Duration = Duration::from_secs(2);

/// The engines, and the processors for them.
pub(super) struct Portfolio {
    engines: Vec<Options>,
    processors: usize,
    patience: Patience,
    begin: Instant,
    shared: Arc<Shared>,
    /// Those that have not begun.
    waiting: VecDeque<Options>,
    running: Vec<Running>,
    used: usize,
}

/// An engine on a thread of its own, which ends when this does.
struct Running {
    options: Options,
    processors: usize,
    end: Arc<AtomicBool>,
    result: Receiver<Result<Option<Found>, String>>,
}

impl Running {
    /// What it has answered. An error: nothing so far.
    fn said(&self) -> Result<Option<Found>, TryRecvError> {
        match self.result.try_recv() {
            Err(TryRecvError::Empty) => Err(TryRecvError::Empty),
            Err(TryRecvError::Disconnected) => Ok(None),
            Ok(Ok(found)) => Ok(found),
            // (The answer may still come from one that nobody has asked for less.)
            Ok(Err(panic)) => {
                tracing::warn!(panic, engine = ?self.options.engine, "an engine beside the usual one broke");
                Ok(None)
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        // (It is not to go on while the process ends. What it says does not matter any more.)
        let _ = self.result.recv_timeout(GRACE);
    }
}

impl Portfolio {
    /// Explorations with these options, for so many processors.
    pub(super) fn new(engines: Vec<Options>, processors: usize, patience: Patience, shared: Arc<Shared>) -> Self {
        let (begin, waiting) = (Instant::now(), engines.iter().cloned().collect());
        Portfolio { engines, processors, patience, begin, shared, waiting, running: Vec::new(), used: 0 }
    }

    /// Most processors that were in use at a time.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Whether its time has come, after so many actions of the usual engine.
    pub(super) fn is_due(&self, actions: u64) -> bool {
        self.used > 0
            || match self.patience {
                Patience::None => true,
                Patience::Moment => actions >= FIRST,
                Patience::Long => actions >= FIRST && self.begin.elapsed() >= PATIENCE,
            }
    }

    /// The answer, if there is one; engines for which there are processors begin.
    pub(super) fn answer(&mut self, pristine: &Machine) -> Option<Answer> {
        let mut at = 0;
        while let Some(running) = self.running.get(at) {
            match running.said() {
                Err(_) => at += 1,
                Ok(found) => {
                    let engine = self.running.remove(at).options.engine;
                    if let Some(found) = found {
                        self.end();
                        return Some(Answer { engine, found });
                    }
                }
            }
        }
        while !self.shared.is_crowded.load(Ordering::Relaxed)
            && self.in_use() < self.processors
            && let Some(options) = self.waiting.pop_front()
        {
            // (It is the usual engine of a program that reads inputs.)
            if !(divides(options.engine) && pristine.reads_inputs()) {
                self.begin(options, pristine);
            }
        }
        None
    }

    /// Processors that are in use.
    pub(super) fn in_use(&self) -> usize {
        self.running.iter().map(|running| running.processors).sum()
    }

    /// Whether no answer can come any more.
    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    fn begin(&mut self, options: Options, pristine: &Machine) {
        let can_share = divides(options.engine) && pristine.may_have_companions().is_ok();
        let processors = if can_share { self.processors - self.in_use() } else { 1 };
        let end = Arc::new(AtomicBool::new(false));
        let (theirs, shared, pristine) = (Arc::clone(&end), Arc::clone(&self.shared), pristine.for_another_processor());
        let asked = options.clone();
        let jobs = Jobs { workers: processors, patience: Duration::ZERO, stack: STACK_BYTES };
        shared.guests.fetch_add(1, Ordering::Relaxed);
        let started = start(move || {
            let _leaves = Leaves(Arc::clone(&shared));
            let found = Guest::new(&pristine, &shared, &theirs, None).explore(&asked, jobs);
            found.unwrap_or_else(|TooMany| None)
        });
        match started {
            Ok(result) => {
                self.running.push(Running { options, processors, end, result });
                self.used = self.used.max(self.in_use());
            }
            // (Where there can be no other thread, the usual engine goes on alone.)
            Err(_) => drop(self.shared.guests.fetch_sub(1, Ordering::Relaxed)),
        }
    }

    /// All are to end.
    pub(super) fn dismiss(&self) {
        self.running.iter().for_each(|running| running.end.store(true, Ordering::Relaxed));
    }

    /// All end.
    pub(super) fn end(&mut self) {
        self.waiting.clear();
        self.dismiss();
        self.running.clear();
    }

    /// As if it were the beginning.
    pub(super) fn begin_anew(&mut self) {
        self.end();
        self.waiting.extend(self.engines.iter().cloned());
    }
}

/// Counts one out when it is over, however that is.
struct Leaves(Arc<Shared>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.guests.fetch_sub(1, Ordering::Relaxed);
    }
}
