//! Bugs that `verify.toml` says not to report.
//!
//! They are told apart by all that a suppression looks at: of two bugs at one place, with different messages, only one
//! may be meant.
use super::demangle::demangled;
use super::describe;
use crate::config::suppress::{Subject, Suppression};
use crate::report::{Suppressed, Violation};
use interp::Machine;
use interp::fault::{Fault, Kind};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Knows which bugs are not to be reported, and which of them were met.
pub(crate) struct Suppressor {
    suppressions: Arc<[Suppression]>,
    pub(super) met: Met,
}

/// What was met, and confirmed.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Met {
    subjects: FxHashSet<Subject>,
    assumptions: BTreeSet<String>,
}

impl Met {
    /// What a "safe" leaves out of account.
    pub(super) fn assumptions(&self) -> impl Iterator<Item = &String> {
        self.assumptions.iter()
    }

    /// Adds what another exploration has met.
    pub(super) fn merge(&mut self, other: Met) {
        self.subjects.extend(other.subjects);
        self.assumptions.extend(other.assumptions);
    }
}

/// A bug that is not to be reported.
pub(crate) struct Hushed {
    subject: Subject,
    /// Which suppression says so.
    suppression: usize,
}

impl Suppressor {
    /// One that has met none yet.
    pub(crate) fn new(suppressions: Arc<[Suppression]>) -> Self {
        Suppressor { suppressions, met: Met::default() }
    }

    /// Whether a fault is not to be reported.
    pub(crate) fn hushes(&self, machine: &Machine, fault: &Fault) -> Option<Hushed> {
        if self.suppressions.is_empty() {
            return None;
        }
        let module = machine.module();
        let at = |stack| describe::innermost(&describe::frames(module, stack));
        let mut places = Vec::from_iter(at(&fault.stack));
        if matches!(fault.kind, Kind::DataRace | Kind::Deadlock) {
            places.extend(fault.related.iter().filter_map(|related| at(&related.stack)));
        }
        let subject = Subject { kind: fault.kind, message: demangled(&fault.message), places };
        let suppression = self.suppressions.iter().position(|suppression| suppression.covers(&subject))?;
        Some(Hushed { subject, suppression })
    }

    /// Whether none like it was confirmed yet.
    pub(crate) fn is_new(&self, hushed: &Hushed) -> bool {
        !self.met.subjects.contains(&hushed.subject)
    }

    /// Remembers one that was confirmed.
    pub(crate) fn add(&mut self, hushed: Hushed, violation: Violation) -> Suppressed {
        let Hushed { subject, suppression } = hushed;
        self.met.assumptions.insert(subject.assumption());
        self.met.subjects.insert(subject);
        Suppressed {
            suppression,
            kind: violation.kind,
            message: violation.message,
            place: violation.place,
            reason: self.suppressions[suppression].reason.clone(),
        }
    }

    /// What is not known for certain any more, because the execution ends at the fault where the program itself would
    /// go on. `promotes`: what races is explored as if it were atomic. All other kinds end the process, or all that its
    /// threads can do.
    pub(crate) fn hidden(&self, hushed: &Hushed, fault: &Fault, promotes: bool) -> Option<String> {
        let subject = &hushed.subject;
        match fault.kind {
            Kind::DataRace if fault.raced.is_some() && promotes => {
                let memory = subject.memory();
                let mut covering = self.suppressions.iter().filter(|suppression| suppression.covers(subject));
                let covered = covering.any(|suppression| suppression.covers_memory_of(subject));
                (!covered)
                    .then(|| format!("other races on the memory of a suppressed one were not looked for ({memory})"))
            }
            Kind::DataRace | Kind::Memory | Kind::Uninitialised | Kind::Overflow | Kind::Misuse => {
                Some(format!("what follows a suppressed bug was not explored ({})", subject.message))
            }
            Kind::Assertion | Kind::Abort | Kind::Deadlock | Kind::Livelock | Kind::EndlessLoop | Kind::Leak => None,
        }
    }

    /// What a "safe" leaves out of account.
    pub(crate) fn assumptions(&self) -> impl Iterator<Item = &String> {
        self.met.assumptions.iter()
    }
}
