//! The way to a violation, as both formats tell it: the same threads by the same numbers.
//!
//! Threads are numbered in the order of their creation, so that a number means one thread, whatever became of the
//! others (the machine uses numbers again).
use crate::report::{Effect, Place, Thread, Violation};
use std::collections::BTreeMap;

/// The way to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Path {
    /// What happens, in this order.
    pub moves: Vec<Move>,
    /// Where it ends: the place of the violation; for a data race the two accesses, the one that the schedule executes
    /// first.
    pub targets: Vec<Target>,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The thread that does it.
    pub thread: u32,
    /// Where, if known.
    pub place: Option<Place>,
    /// What it is.
    pub event: Event,
}

/// Kinds of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// None of the others.
    Step,
    /// A function of the program's environment returns a value of many.
    Chooses {
        /// The value.
        value: i128,
    },
    /// A thread begins.
    Creates {
        /// Its number.
        thread: u32,
        /// The function that it runs, if known.
        routine: Option<String>,
    },
    /// The thread is over.
    Ends {
        /// The function that it ran, if known.
        routine: Option<String>,
    },
}

/// A thread at the end of the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// Which one.
    pub thread: u32,
    /// Where it stands, if known.
    pub place: Option<Place>,
}

impl Path {
    /// The way to a violation, which may be a race.
    pub(super) fn new(violation: &Violation, race: bool) -> Path {
        let mut numbers = BTreeMap::from([(0, 0)]);
        let mut created = 0;
        let mut moves = Vec::new();
        for step in &violation.trace {
            let thread = number(&numbers, &step.thread);
            let event = match &step.effect {
                Effect::None | Effect::Waits | Effect::Wakes(_) => Event::Step,
                // (The library's own calls are not in the program.)
                Effect::Chooses { value, .. } if step.library.is_none() => Event::Chooses { value: *value },
                Effect::Chooses { .. } => Event::Step,
                Effect::Ends => Event::Ends { routine: step.thread.routine.clone() },
                Effect::Creates(new) => {
                    created += 1;
                    numbers.insert(new.number, created);
                    Event::Creates { thread: created, routine: new.routine.clone() }
                }
            };
            moves.push(Move { thread, place: step.place.clone(), event });
        }
        let last = Target { thread: number(&numbers, &violation.thread), place: violation.place.clone() };
        let other = violation.related.iter().find_map(|related| {
            let thread = related.thread.as_ref().filter(|thread| thread.number != violation.thread.number)?;
            Some(Target { thread: number(&numbers, thread), place: related.place.clone() })
        });
        let other = other.filter(|_| race);
        Path { moves, targets: other.into_iter().chain([last]).collect() }
    }
}

fn number(numbers: &BTreeMap<u32, u32>, thread: &Thread) -> u32 {
    numbers.get(&thread.number).copied().unwrap_or(thread.number)
}
