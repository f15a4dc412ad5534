//! Weak initials, one action at a time.
//!
//! p is a weak initial of u if some continuation of u is equivalent to a sequence that begins with p. Without
//! observers: iff p happens in u and depends on nothing before it there, or it does not and depends on nothing in u.
//! With them, p may also pass writes that go unobserved, like itself; if it happens in u, no other action may then read
//! what it wrote.
//!
//! An action that sets a place may pass an action that sees the place set by another one, and one that saw the place
//! set where the claim was made may pass all that set it: see [`super::same_value`].
use super::action::{Action, Place, Relation, Table};

/// The claim that an action is a weak initial of a sequence. The actions of the sequence are passed one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeakInitial {
    pub(super) action: Action,
    /// The length of the prefix of E at which that is claimed.
    pub(super) at: u32,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// The action has not happened. `passed`: a write has happened that must go unobserved, or stay after the action.
    /// `is_set`: another action has set the place that the action sets.
    Ahead { passed: bool, is_set: bool },
    /// It has happened after such a write: as long as no action reads what is left of it, they could change places.
    Behind { open: u64 },
}

/// What is known of a claim now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// The claim is true if the sequence ends here.
    Holds,
    /// The claim is true, whatever comes next.
    Certain,
    /// The claim is false, whatever comes next.
    Refuted,
}

impl WeakInitial {
    pub(super) fn new(action: Action, at: u32) -> Self {
        WeakInitial { action, at, state: State::Ahead { passed: false, is_set: false } }
    }

    /// Whether the claim is about this action, and the action has not happened yet.
    pub(super) fn is_ahead_of(&self, action: Action) -> bool {
        matches!(self.state, State::Ahead { .. }) && self.action == action
    }

    /// The next action of the sequence. `was_set`: whether a place was set already where the claim was made.
    pub(super) fn step(&mut self, table: &Table, next: Action, was_set: impl Fn(Place) -> bool) -> Verdict {
        match &mut self.state {
            State::Ahead { passed, .. } if next.thread == self.action.thread => {
                if next != self.action {
                    Verdict::Refuted
                } else if *passed {
                    self.state = State::Behind { open: table.written(next).writes };
                    Verdict::Holds
                } else {
                    Verdict::Certain
                }
            }
            State::Ahead { passed, is_set } => match table.relation(self.action, next) {
                Relation::Dependent => {
                    let place = self.action.place().or(next.place());
                    if *is_set || place.is_some_and(was_set) { Verdict::Holds } else { Verdict::Refuted }
                }
                Relation::IfObserved => {
                    *passed = true;
                    Verdict::Holds
                }
                Relation::Independent => {
                    *is_set |= next.place().is_some() && next.place() == self.action.place();
                    Verdict::Holds
                }
            },
            State::Behind { open } => {
                let (reads, writes) = table.overlap(self.action, next);
                if reads & *open != 0 {
                    return Verdict::Refuted;
                }
                *open &= !writes;
                if *open == 0 { Verdict::Certain } else { Verdict::Holds }
            }
        }
    }

    /// How many of these actions refute it (`Err`), or show that it holds whatever comes; more than there are if their
    /// end does.
    pub(super) fn refuted_by(
        mut self,
        table: &Table,
        sequence: &[Action],
        was_set: impl Fn(Place) -> bool,
    ) -> Result<usize, usize> {
        let mut rest = sequence.iter();
        while let Some(&next) = self.next_with_a_say(table, &mut rest, |next| *next) {
            match self.step(table, next, &was_set) {
                Verdict::Holds => {}
                Verdict::Certain => return Ok(sequence.len() - rest.len()),
                Verdict::Refuted => return Err(sequence.len() - rest.len()),
            }
        }
        Ok(usize::MAX)
    }

    /// The first of these that the claim need be asked about: [`WeakInitial::step`] would pass those before it with
    /// nothing changed. (They are of other threads, and independent of an action that is ordered with all others.)
    #[inline]
    pub(super) fn next_with_a_say<'a, T>(
        &self,
        table: &Table,
        rest: &mut std::slice::Iter<'a, T>,
        action: impl Fn(&T) -> Action,
    ) -> Option<&'a T> {
        if !self.action.is_ordered() {
            return rest.next();
        }
        // (Neighbours often touch the same. An action of the same thread is in front of none.)
        let (mut last, mut conflicts) = (self.action, true);
        rest.find(|next| {
            let next = action(next);
            if next.thread == self.action.thread {
                return true;
            }
            if last.thread == self.action.thread || !next.touches_the_same(last) {
                (last, conflicts) = (next, table.conflicts(self.action, next));
            }
            conflicts
        })
    }
}
