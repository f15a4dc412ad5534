//! Weak initials, one action at a time.
//!
//! p is a weak initial of u if some continuation of u is equivalent to a sequence that begins with p. Without observers:
//! iff p happens in u and depends on nothing before it there, or it does not and depends on nothing in u. With them, p
//! may also pass writes that go unobserved, like itself; if it happens in u, nobody may then read what it wrote.
use super::action::{Action, Relation, Table};

/// The claim that an action is a weak initial of a sequence, which is told action by action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) action: Action,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// It has not happened. `passed`: a write has that must go unobserved, or stay behind it.
    Ahead { passed: bool },
    /// It has happened behind such a write: as long as nobody reads what is left of it, they could change places.
    Behind { open: u64 },
}

/// What is known of a claim now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// True if the sequence ends here.
    Holds,
    /// True whatever comes.
    Certain,
    /// Not true, whatever comes.
    Refuted,
}

impl Claim {
    pub(super) fn new(action: Action) -> Self {
        Claim { action, state: State::Ahead { passed: false } }
    }

    /// Whether it relies on writes going unobserved.
    pub(super) fn has_passed(&self) -> bool {
        matches!(self.state, State::Ahead { passed: true } | State::Behind { .. })
    }

    /// Whether it claims that of an action that has not happened.
    pub(super) fn is_ahead_of(&self, action: Action) -> bool {
        matches!(self.state, State::Ahead { .. }) && self.action == action
    }

    /// The next action of the sequence.
    pub(super) fn step(&mut self, table: &Table, next: Action) -> Verdict {
        match &mut self.state {
            State::Ahead { passed } if next.thread == self.action.thread => {
                if next != self.action {
                    Verdict::Refuted
                } else if *passed {
                    self.state = State::Behind { open: table.written(next).writes };
                    Verdict::Holds
                } else {
                    Verdict::Certain
                }
            }
            State::Ahead { passed } => match table.relation(self.action, next) {
                Relation::Dependent => Verdict::Refuted,
                Relation::IfObserved => {
                    *passed = true;
                    Verdict::Holds
                }
                Relation::Independent => Verdict::Holds,
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

    /// How many of these actions refute it; `None` if all of them do not.
    pub(super) fn refuted_by(mut self, table: &Table, sequence: &[Action]) -> Option<usize> {
        for (index, &next) in sequence.iter().enumerate() {
            match self.step(table, next) {
                Verdict::Holds => {}
                Verdict::Certain => return None,
                Verdict::Refuted => return Some(index + 1),
            }
        }
        None
    }
}
