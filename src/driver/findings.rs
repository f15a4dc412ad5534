//! What an exploration has found so far, shared by its own thread with the one that watches it.
use super::profile::Current;
use super::replay::Recording;
use crate::report::{Answering, Reason, Sampling, Statistics, Suppressed, Unfolding, Violation, Written};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

/// What the exploration gave, complete or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Each distinct one once.
    pub violations: Vec<Violation>,
    /// Those that are not to be reported.
    pub suppressed: Vec<Suppressed>,
    /// How each can be shown again, if that is to be saved.
    pub recordings: Vec<Recording>,
    /// Each distinct reason once, in the order in which they were met.
    pub unknown: Vec<Reason>,
    /// Everything was explored.
    pub complete: bool,
    /// There are bugs that nobody asked for, since one is enough, or something that could hide some.
    pub others: bool,
    /// The file from which the exploration can go on, if it was ended.
    pub checkpoint: Option<String>,
    /// What a "safe" would rest on, sorted.
    pub assumptions: Vec<String>,
    /// What samples have shown, if any were taken.
    pub sampling: Option<Sampling>,
    /// Without the measurements.
    pub statistics: Statistics,
    /// How often the engine did what; known at the end.
    pub work: por::Work,
    /// How questions about inputs were answered, if any were asked; known at the end.
    pub questions: Option<interp::solver::Counters>,
    /// The engine that came to its end; known at the end.
    pub answered: Option<Answering>,
    /// The certificate, if one was asked for and the program is safe; else why there is none.
    pub certificate: Option<Result<Written, String>>,
    /// The events, if they are to be shown; known at the end.
    pub unfolding: Option<Result<Unfolding, String>>,
}

impl Findings {
    /// Puts bugs into the order in which they are told, shortest first, whoever has found which of them when.
    pub(crate) fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.violations.len()).collect();
        order.sort_by_cached_key(|&at| {
            let Violation { message, trace, .. } = &self.violations[at];
            (trace.len(), format!("{message:?} {trace:?}"))
        });
        self.violations = order.iter().map(|&at| self.violations[at].clone()).collect();
        if self.recordings.len() == order.len() {
            self.recordings = order.iter().map(|&at| self.recordings[at].clone()).collect();
        }
    }
}

/// What the two threads have in common.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Asks the explorer to end.
    pub stop: AtomicBool,
    /// Longest execution so far, for the progress line.
    pub depth: AtomicU64,
    /// States of the certificate so far.
    pub certified: AtomicU64,
    /// Engines that explore beside the usual one.
    pub guests: AtomicUsize,
    /// There is too little memory for them.
    pub is_crowded: AtomicBool,
    /// What the explorer is at, if that is measured.
    pub phase: Current,
    /// How often two actions on an object were put into another order, by its name, if that is counted.
    pub orders: Mutex<Vec<(String, u64)>>,
    /// Instructions that all executions have together, each from its start, if that is measured.
    pub from_start: AtomicU64,
    findings: Mutex<Findings>,
}

impl Shared {
    /// What is known so far.
    pub(crate) fn findings(&self) -> Findings {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The counters so far.
    pub(crate) fn statistics(&self) -> Statistics {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).statistics
    }

    /// The violations that were found after so many others.
    pub(crate) fn violations_after(&self, known: usize) -> Vec<Violation> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).violations[known..].to_vec()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Findings)) {
        change(&mut self.findings.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
