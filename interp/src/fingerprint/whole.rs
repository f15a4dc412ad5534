//! The fingerprint of the whole current state, for an engine that visits each state once.
//!
//! It has three parts.
//! - *What is a sum.* Each action adds what it changed of everything but the threads, so that this costs what was touched. The
//!   terms of threads are added when the fingerprint is asked for. (One that was joined is taken out again by what
//!   joining it changed.)
//! - *What is ordered*, where races are looked for: see [`crate::race`], whose journal of each action is read here at once.
//! - *What depends on inputs*: see [`crate::symbolic`]. Neither of the first two has numbers of terms in it.
use super::{Term, name_of_object, words};
use crate::machine::Machine;
use crate::undo::trail::Trail;
use por::ThreadId;

/// The sum of all changes since the start, without those of terms of threads.
#[derive(Clone, Default, Debug)]
pub(crate) struct RunningSum {
    sum: u128,
    /// What it was before, action by action.
    log: Trail<u128>,
    marks: u32,
    /// Whether the last action changed it.
    changed: bool,
}

impl RunningSum {
    pub(crate) fn mark(&mut self) {
        self.marks += 1;
    }

    pub(crate) fn undo(&mut self) {
        self.log.take_back(self.marks, |old| self.sum = *old);
        self.marks = self.marks.checked_sub(1).expect("every undo has its mark");
    }

    fn add(&mut self, change: u128) {
        self.changed = change != 0;
        self.log.push(self.marks, self.sum);
        self.sum = self.sum.wrapping_add(change);
    }
}

/// Whether numbers of terms are part of what is hashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TermNumbers {
    /// They are: states of one execution are compared.
    Count,
    /// They are not. What depends on inputs is said elsewhere.
    LeftOut,
}

impl Machine {
    /// See [`por::Fingerprints::follow_states`].
    pub(crate) fn begin_states(&mut self) {
        self.exploration.states = true;
        self.state.memory.race.read_journals();
    }

    /// The current action is over: what it changed is added.
    pub(crate) fn follow_state(&mut self) {
        if !self.exploration.states || !self.follows() {
            return;
        }
        let change = self.changed(TermNumbers::LeftOut);
        self.state.sum.add(change);
        let ids = &self.state.memory.ids;
        self.state.memory.race.read_journal(|object| (name_of_object(ids, object), ids.key(object)));
    }

    /// See [`por::Fingerprints::changed_more_than_its_thread`].
    pub(crate) fn last_action_changed_the_sum(&self) -> bool {
        self.exploration.states && self.follows() && self.state.sum.changed
    }

    /// See [`por::Fingerprints::state`]. None is given where too much depends on inputs.
    pub(crate) fn fingerprint_of_state(&mut self) -> Option<u128> {
        if !self.exploration.states || !self.exploration.follows {
            return None;
        }
        let threads = (0..self.state.process.threads).map(ThreadId);
        let threads = threads.map(|id| self.control(id, None, TermNumbers::LeftOut)).fold(0, u128::wrapping_add);
        let ids = &self.state.memory.ids;
        let order = self.state.memory.race.order(|object| name_of_object(ids, object));
        let inputs = if self.has_terms() { self.what_depends_on_inputs()? } else { 0 };
        let sum = self.state.sum.sum.wrapping_add(threads);
        Some(words(Term::State, |words| words.add((sum, order, inputs))))
    }
}
