//! What all jobs have found together.
use super::super::checkpoint::Bug;
use super::super::findings::Findings;
use super::super::replay::Recording;
use super::super::suppression::Met;
use super::Product;
use crate::report::{Answering, Reason, Statistics, Suppressed};
use std::collections::BTreeSet;

/// All of it, without what jobs of earlier starts have counted.
#[derive(Default)]
pub(super) struct Collected {
    bugs: Vec<(Bug, Option<Recording>)>,
    others: bool,
    reasons: Vec<Reason>,
    suppressed: Vec<Suppressed>,
    met: Met,
    assumptions: BTreeSet<String>,
    /// Of this start.
    pub(super) statistics: por::Statistics,
    instructions: u64,
    /// Jobs that were done.
    pub(super) jobs: u64,
    /// The time that they took together.
    pub(super) seconds: f64,
}

impl Collected {
    /// Adds what came of a job. What a bug is called decides which of two equal ones stays: the one with fewer moves,
    /// else the one whose schedule reads first, so that the order in which jobs are done does not matter.
    pub(super) fn add(&mut self, product: &mut Product) {
        let recordings = std::mem::take(&mut product.recordings);
        let mut recordings = recordings.into_iter();
        for bug in std::mem::take(&mut product.bugs) {
            let new = (bug, recordings.next());
            match self.bugs.iter_mut().find(|(old, _)| old.identity == new.0.identity) {
                Some(old) if rank(&new.0) < rank(&old.0) => *old = new,
                Some(_) => {}
                None => self.bugs.push(new),
            }
        }
        self.others |= product.others;
        self.note(std::mem::take(&mut product.reasons));
        for suppressed in std::mem::take(&mut product.suppressed) {
            if !self.suppressed.contains(&suppressed) {
                self.suppressed.push(suppressed);
            }
        }
        self.met.merge(std::mem::take(&mut product.met));
        self.assumptions.extend(std::mem::take(&mut product.assumptions));
        self.statistics = por::Statistics::sum([&self.statistics, &product.statistics].into_iter());
        self.instructions += product.instructions;
        self.jobs += 1;
        self.seconds += product.seconds;
    }

    pub(super) fn note(&mut self, reasons: impl IntoIterator<Item = Reason>) {
        for reason in reasons {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }

    /// The exploration starts again.
    pub(super) fn start_again(&mut self) {
        self.statistics = por::Statistics::default();
    }

    pub(super) fn has_bugs(&self) -> bool {
        !self.bugs.is_empty()
    }

    /// As one exploration would say it.
    pub(super) fn findings(mut self, restarts: u64, promoted: u64, answered: Answering, complete: bool) -> Findings {
        self.suppressed.sort_by_cached_key(|suppressed| format!("{suppressed:?}"));
        self.reasons.sort_by_cached_key(|reason| format!("{reason:?}"));
        let counted = self.statistics;
        let statistics = Statistics {
            executions: counted.executions,
            blocked: counted.blocked,
            pruned: counted.pruned,
            events: counted.events,
            threads: counted.threads,
            ends: counted.ends(),
            promoted,
            restarts,
            instructions: self.instructions,
            ..Statistics::default()
        };
        let (bugs, recordings): (Vec<Bug>, Vec<Option<Recording>>) = self.bugs.into_iter().unzip();
        Findings {
            violations: bugs.into_iter().map(|bug| bug.violation).collect(),
            recordings: recordings.into_iter().flatten().collect(),
            suppressed: self.suppressed,
            unknown: self.reasons,
            complete,
            others: self.others,
            assumptions: self.assumptions.into_iter().chain(self.met.assumptions().cloned()).collect(),
            statistics,
            work: counted.work,
            answered: Some(answered),
            ..Findings::default()
        }
    }
}

/// What decides between two schedules of a bug.
fn rank(bug: &Bug) -> (usize, String) {
    (bug.length, format!("{:?} {:?}", bug.violation.message, bug.violation.trace))
}
