//! The fingerprint of the whole current state, for an engine that visits each state once.
//!
//! It has three parts.
//! - *What is a sum.* Each action adds what it changed of everything but the threads, and finds the terms of the
//!   threads anew that it may have changed, so that this costs what was touched. (A thread that was joined is taken out
//!   again by what joining it changed.) Which blocks of a thread's others have freed, as far as it knows, is added when
//!   the fingerprint is asked for.
//! - *What is ordered*, where races are looked for and memory is accessed in ways that conflict, and who else knows of
//!   blocks that were freed by another thread than their own: see [`crate::race`], whose journal of each action is
//!   read here at once.
//! - *What depends on inputs*: see [`crate::symbolic`]. Neither of the first two has numbers of terms in it.
//!
//! Each is a sum of well-mixed terms, of kinds that are its own. So is the whole.
use super::{Term, words};
use crate::machine::Machine;
use crate::memory::Ignored;
use crate::undo::trail::Trail;
use por::{Fingerprints, ThreadId};

/// The sum of all changes since the start, and the terms of threads.
#[derive(Clone, Default, Debug)]
pub(crate) struct RunningSum {
    /// Without those of terms of threads.
    sum: u128,
    /// The terms of threads, by number, as they were after the last action that may have changed them; and their sum.
    threads: Vec<u128>,
    all_threads: u128,
    /// What was there before, action by action.
    log: Trail<Before>,
    marks: u32,
    /// Whether the last action changed the sum, otherwise than by taking a lock or giving one back.
    changed: bool,
    /// The terms of all threads were found once, before the first mark. Since then each action finds those that it may
    /// have changed.
    complete: bool,
}

/// What something was.
#[derive(Clone, Copy, Debug)]
enum Before {
    Sum(u128),
    Thread(u32, u128),
}

impl RunningSum {
    pub(crate) fn mark(&mut self) {
        self.marks += 1;
    }

    pub(crate) fn undo(&mut self) {
        let RunningSum { sum, threads, all_threads, log, marks, changed: _, complete: _ } = self;
        log.take_back(*marks, |old| match *old {
            Before::Sum(old) => *sum = old,
            Before::Thread(number, old) => {
                let term = &mut threads[number as usize];
                *all_threads = all_threads.wrapping_sub(*term).wrapping_add(old);
                *term = old;
            }
        });
        self.marks = self.marks.checked_sub(1).expect("every undo has its mark");
    }

    /// Adds a change. The second one is the part of it that is only about which locks a thread holds, and about
    /// variables that are as good as registers.
    fn add(&mut self, change: u128, idle: u128) {
        self.changed = change != idle;
        if change != 0 {
            self.log.push(self.marks, Before::Sum(self.sum));
            self.sum = self.sum.wrapping_add(change);
        }
    }

    /// The term of a thread is this.
    fn set_thread(&mut self, number: u32, term: u128) {
        let index = number as usize;
        if self.threads.len() <= index {
            self.threads.resize(index + 1, 0);
        }
        let old = std::mem::replace(&mut self.threads[index], term);
        if old != term {
            self.log.push(self.marks, Before::Thread(number, old));
            self.all_threads = self.all_threads.wrapping_sub(old).wrapping_add(term);
        }
    }
}

/// How many pieces of 64 bytes may be told apart by whether threads access them in ways that conflict.
const MOST_SHARED: usize = 200;

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
        (self.exploration.states, self.exploration.silent) = (true, true);
        let all = self.learned.shared.len() > MOST_SHARED;
        self.state.memory.race.look_for_sharing(&self.learned.shared, all);
        if self.orders_states() || self.learned.handed_over {
            self.state.memory.race.read_journals();
        }
    }

    /// See [`por::Fingerprints::follow_from_here`]. What is told apart by more than a state says is left alone: inputs,
    /// threads of which one stands for others, sections that are one action, words of which it is guessed that nobody
    /// looks at them.
    pub(crate) fn follow_exact_states(&mut self) -> bool {
        let may_be_known = !self.has_terms()
            && self.program.block_object.is_none()
            && !self.exploration.effects
            && !self.exploration.symmetry
            && !self.has_quiet_sections()
            && self.learned.counted.is_empty()
            && !self.learned.clock
            && !self.learned.handed_over;
        if may_be_known {
            self.begin_states();
            self.exploration.exact = true;
            self.follow_changes(true);
        }
        may_be_known
    }

    /// See [`por::Fingerprints::follow_no_more`].
    pub(crate) fn follow_no_more(&mut self) {
        (self.exploration.states, self.exploration.silent, self.exploration.exact) = (false, false, false);
        self.follow_changes(false);
        self.state.memory.race.read_journals_no_more();
    }

    /// Fingerprints say nothing of what tallies hold, unless they are exact.
    pub(crate) fn leave_tallies_out(&mut self) {
        match self.exploration.exact {
            true => self.state.memory.leave_out(&Ignored::default()),
            false => self.state.memory.leave_out(self.program.tallies().unsigned()),
        }
    }

    /// Whether what is ordered is part of a state.
    pub(crate) fn orders_states(&self) -> bool {
        self.looks_for_races() && !self.learned.shared.is_empty()
    }

    /// Notes where threads access memory in ways that conflict: what was visited before did not know.
    pub(crate) fn note_shared(&mut self) {
        if self.state.memory.race.has_shared() {
            let shared = self.state.memory.race.take_shared();
            self.learned.shared.extend(shared);
            self.segment.restart |= self.exploration.states && self.looks_for_races();
        }
    }

    /// The current action is over: what it changed is added.
    pub(crate) fn follow_state(&mut self) {
        if !self.exploration.states || !self.follows() {
            return;
        }
        let (change, of_lock) = (self.changed(TermNumbers::LeftOut), self.changed_of_lock());
        let of_confined = if change == of_lock { 0 } else { self.changed_of_confined() };
        self.state.sum.add(change, of_lock.wrapping_add(of_confined));
        self.follow_threads();
        let ids = &self.state.memory.ids;
        self.state.memory.race.read_journal(|object| ids.key(object));
    }

    /// See [`por::Fingerprints::changed_more_than_its_thread`].
    pub(crate) fn last_action_changed_the_sum(&self) -> bool {
        // (An action that reads or decides an input does not spin: the next one may do something else.)
        let inputs = self.segment.following.inputs != 0;
        self.exploration.states && self.follows() && (self.state.sum.changed || inputs)
    }

    /// See [`por::Livelocks::shared`]. (Numbers of terms are in what is added, and not in this.)
    pub(crate) fn shared_state(&self) -> Option<u128> {
        (self.exploration.states && self.follows() && !self.has_terms()).then_some(self.state.sum.sum)
    }

    /// The terms of the threads that the current action may have changed. What changes of a thread is saved before,
    /// once since the last mark, and then has its stamp; so has what was made.
    fn follow_threads(&mut self) {
        let stamp = self.log.stamp();
        let count = self.state.process.threads;
        // (Mostly that is the one thread that has acted.)
        if self.state.sum.complete
            && let Some(thread) = self.log.only_thread()
        {
            let term = self.control(thread, None, TermNumbers::LeftOut);
            return self.state.sum.set_thread(thread.0, term);
        }
        for number in 0..count.max(self.state.sum.threads.len() as u32) {
            let term = match self.state.threads.get(number as usize) {
                Some(thread) if number < count => {
                    let known = self.state.sum.threads.get(number as usize).is_some_and(|term| *term != 0);
                    if known && thread.stamp != stamp && thread.rare_stamp != stamp {
                        continue;
                    }
                    self.control(ThreadId(number), None, TermNumbers::LeftOut)
                }
                _ => 0,
            };
            self.state.sum.set_thread(number, term);
        }
    }

    /// See [`por::Fingerprints::state`]. None is given where too much depends on inputs.
    pub(crate) fn fingerprint_of_state(&mut self) -> Option<u128> {
        if !self.exploration.states || !self.exploration.follows {
            return None;
        }
        if self.log.stamp() == 0 {
            // Before the first mark nothing is added up.
            self.follow_threads();
            self.state.sum.complete = true;
        }
        self.fingerprint_with(self.state.sum.all_threads)
    }

    /// The same, with the terms of threads found anew.
    pub(crate) fn fingerprint_from_scratch(&mut self) -> Option<u128> {
        if !self.exploration.states || !self.exploration.follows {
            return None;
        }
        let threads = (0..self.state.process.threads).map(ThreadId);
        let threads = threads.map(|id| self.control(id, None, TermNumbers::LeftOut)).fold(0, u128::wrapping_add);
        self.fingerprint_with(threads)
    }

    fn fingerprint_with(&mut self, threads: u128) -> Option<u128> {
        let order = self.state.memory.race.order();
        let inputs = if self.has_terms() { self.what_depends_on_inputs()? } else { 0 };
        let mut sum = self.state.sum.sum.wrapping_add(threads).wrapping_add(order).wrapping_add(inputs);
        if self.exploration.exact {
            // (The same address may have had another number before.)
            if self.state.memory.ids.has_renewed() {
                return None;
            }
            let rounds = (0..self.state.process.threads).map(|id| self.term_of_rounds(ThreadId(id)));
            sum = rounds.fold(sum, u128::wrapping_add);
        }
        if self.state.memory.has_handed_over() {
            for id in 0..self.state.process.threads {
                let blocks = self.state.memory.known_handed_over(ThreadId(id));
                if !blocks.is_empty() {
                    sum = sum.wrapping_add(words(Term::KnownHandedOver, |words| words.add((id, blocks))));
                }
            }
        }
        Some(sum)
    }
}
