//! An engine beside the usual one, on a thread of its own.
use super::super::findings::Shared;
use super::super::{STACK_BYTES, start};
use super::Found;
use super::allowance::Allowance;
use super::guest::{Guest, TooMany};
use interp::Machine;
use por::jobs::{Jobs, divides};
use por::{Engine, Options};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

/// How long it may take an engine to stop.
const GRACE: Duration = Duration::from_secs(2);

/// One that was chosen to explore beside the usual engine.
pub(super) struct Companion {
    pub(super) options: Options,
    /// Actions of the usual engine before its first turn.
    pub(super) first: u64,
    /// Actions that it was granted so far.
    pub(super) granted: u64,
    run: Run,
}

enum Run {
    /// It has not begun.
    Waits,
    Runs(Running),
    /// It has come to no answer.
    Over,
}

/// It ends when this does.
struct Running {
    processors: usize,
    allowance: Arc<Allowance>,
    result: Receiver<Result<Option<Found>, String>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.allowance.dismiss();
        // (It is not to go on while the process ends. What it says does not matter any more.)
        let _ = self.result.recv_timeout(GRACE);
    }
}

impl Companion {
    /// It has its first turn after so many actions of the usual engine.
    pub(super) fn new(options: Options, first: u64) -> Self {
        Companion { options, first, granted: 0, run: Run::Waits }
    }

    /// What it has found, if it has just come to an end with an answer.
    pub(super) fn answer(&mut self) -> Option<Found> {
        let Run::Runs(running) = &self.run else { return None };
        match running.result.try_recv() {
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => self.ends(Ok(None)),
            Ok(result) => self.ends(result),
        }
    }

    /// Waits until it has taken what it may, or has come to an end, and perhaps to an answer.
    pub(super) fn wait(&mut self) -> Option<Found> {
        let Run::Runs(running) = &self.run else { return None };
        if !running.allowance.wait() {
            return None;
        }
        let result = running.result.recv();
        self.ends(result.unwrap_or(Ok(None)))
    }

    fn ends(&mut self, result: Result<Option<Found>, String>) -> Option<Found> {
        self.run = Run::Over;
        // (The answer may still come from an engine that nobody has asked for less.)
        result.unwrap_or_else(|panic| {
            tracing::warn!(panic, engine = ?self.engine(), "an engine beside the usual one broke");
            None
        })
    }

    pub(super) fn engine(&self) -> Engine {
        self.options.engine
    }

    /// Whether it has not come to an end.
    pub(super) fn may_answer(&self) -> bool {
        !matches!(self.run, Run::Over)
    }

    /// How many processors it uses now.
    pub(super) fn in_use(&self) -> usize {
        match &self.run {
            Run::Runs(running) if !running.allowance.rests() => running.processors,
            _ => 0,
        }
    }

    /// Whether it could do something with a processor.
    pub(super) fn is_idle(&self) -> bool {
        match &self.run {
            Run::Waits => true,
            Run::Runs(running) => running.allowance.rests(),
            Run::Over => false,
        }
    }

    /// Whether it has found so far that it saves something: see [`Allowance::saves`].
    pub(super) fn saves(&self) -> bool {
        !matches!(&self.run, Run::Runs(running) if !running.allowance.saves())
    }

    /// The most processors that it can use.
    pub(super) fn most_processors(&self, pristine: &Machine, free: usize) -> usize {
        if divides(self.engine()) && pristine.may_have_companions().is_ok() { free } else { 1 }
    }

    /// It may take so many actions in all; `None`: as many as it likes. It begins if it has not.
    pub(super) fn grant(&mut self, most: Option<u64>, processors: usize, pristine: &Machine, shared: &Arc<Shared>) {
        // (For a program that reads inputs the usual engine is one that explores sequences, too.)
        if matches!(self.run, Run::Waits) && divides(self.engine()) && pristine.reads_inputs() {
            self.run = Run::Over;
        }
        self.granted = self.granted.max(most.unwrap_or(u64::MAX));
        match &self.run {
            // (It begins anew: one that is alone cannot become several.)
            Run::Runs(running) if processors > running.processors => self.begin(most, processors, pristine, shared),
            Run::Runs(running) => running.allowance.grant(most),
            Run::Waits => self.begin(most, processors, pristine, shared),
            Run::Over => {}
        }
    }

    fn begin(&mut self, most: Option<u64>, processors: usize, pristine: &Machine, shared: &Arc<Shared>) {
        self.run = Run::Over;
        let allowance = Arc::new(Allowance::new(most));
        let pristine = if most.is_none() { pristine.for_another_processor() } else { pristine.clone() };
        let jobs = Jobs { workers: processors, patience: Duration::ZERO, stack: STACK_BYTES };
        let leaves = Leaves::new(Arc::clone(shared), Arc::clone(&allowance));
        let options = self.options.clone();
        let started = start(move || {
            let found = Guest::new(&pristine, &leaves.shared, &leaves.allowance).explore(&options, jobs);
            found.unwrap_or_else(|TooMany| None)
        });
        // (Where there can be no other thread, the usual engine goes on alone.)
        if let Ok(result) = started {
            self.run = Run::Runs(Running { processors, allowance, result });
        }
    }

    /// It is to end.
    pub(super) fn dismiss(&self) {
        if let Run::Runs(running) = &self.run {
            running.allowance.dismiss();
        }
    }

    /// It has ended.
    pub(super) fn end(&mut self) {
        self.run = Run::Over;
    }

    /// As if it were the beginning.
    pub(super) fn begin_anew(&mut self) {
        (self.run, self.granted) = (Run::Waits, 0);
    }
}

/// Counts one out when it is over, however that is, before its answer is there.
struct Leaves {
    shared: Arc<Shared>,
    allowance: Arc<Allowance>,
}

impl Leaves {
    fn new(shared: Arc<Shared>, allowance: Arc<Allowance>) -> Self {
        shared.guests.fetch_add(1, Ordering::Relaxed);
        Leaves { shared, allowance }
    }
}

impl Drop for Leaves {
    fn drop(&mut self) {
        self.shared.guests.fetch_sub(1, Ordering::Relaxed);
        self.allowance.end();
    }
}
