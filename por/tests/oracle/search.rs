//! The states of an abstract program, each visited once.
use crate::code::Op;
use crate::program::Program;
use crate::toy::{Fault, Toy};
use por::{Decisions, Livelocks, Move, Rest, System, ThreadId, current_variants};
use std::collections::{BTreeMap, BTreeSet};

/// What can be reached: faults, and states in which nobody can move.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Reached {
    pub faults: BTreeSet<Fault>,
    pub ends: BTreeSet<u128>,
    /// How many states there are in all.
    pub states: usize,
    /// Livelocks that may end, in a deadlock.
    pub passing: BTreeSet<Fault>,
}

/// Visits every state once. `None` if there are more than `limit`.
pub fn search(program: &Program, limit: usize) -> Option<Reached> {
    search_from(Toy::without_classes(program), limit)
}

impl Reached {
    fn note_livelock(&mut self, toy: &mut Toy) {
        if let Some((fault, may_end)) = livelock(toy) {
            (if may_end { &mut self.passing } else { &mut self.faults }).insert(fault);
        }
    }

    /// Whether an engine that has found this instead has lost nothing. Of livelocks that lead to one another, since a
    /// thread may keep a mutex that others wait for, one has to be found.
    pub fn is_shown_by(&self, found: &Reached) -> bool {
        let spins = |fault: &Fault| match fault {
            Fault::Livelock { spinning } => Some(BTreeSet::from_iter(spinning.clone())),
            _ => None,
        };
        let shows = |fault: &Fault, other: &Fault| match (spins(fault), spins(other)) {
            (Some(all), Some(some)) => some.is_subset(&all),
            _ => fault == other,
        };
        let Reached { faults, ends, states, passing: _ } = found;
        (ends, states) == (&self.ends, &self.states)
            && faults.iter().all(|fault| self.faults.contains(fault) || self.passing.contains(fault))
            && self.faults.iter().all(|fault| faults.iter().any(|other| shows(fault, other)))
    }
}

/// With how few actions each fault can be shown. `None` if there are more than `limit` states.
pub fn shortest(program: &Program, limit: usize) -> Option<BTreeMap<Fault, usize>> {
    let mut first = Toy::without_classes(program);
    let mut all: BTreeMap<Fault, usize> = first.start().fault.into_iter().map(|fault| (*fault, 0)).collect();
    let mut known = BTreeSet::from([first.key()]);
    let mut level = vec![first];
    for length in 0.. {
        let mut next = Vec::new();
        for mut toy in level {
            let moves = possible(&mut toy);
            let ending = if moves.is_empty() { toy.ending().1.faults } else { Vec::new() };
            for fault in ending.into_iter().chain(livelock(&mut toy).map(|(fault, _)| fault)) {
                all.entry(fault).or_insert(length);
            }
            for step in moves {
                let mut toy = toy.clone();
                if let Some(fault) = toy.execute(step.thread, step.label).fault {
                    all.entry(*fault).or_insert(length + 1);
                }
                if known.insert(toy.key()) {
                    next.push(toy);
                }
            }
        }
        if next.is_empty() {
            return Some(all);
        }
        if known.len() > limit {
            return None;
        }
        level = next;
    }
    unreachable!("the loop has no end")
}

/// As [`search`] for all inputs, one after the other.
pub fn search_by_input(program: &Program, limit: usize) -> Option<Reached> {
    let mut all = Reached::default();
    for input in 0..8 {
        let Reached { faults, ends, passing, states: _ } =
            search_from(Toy::without_classes(program).with_input(input), limit)?;
        all.faults.extend(faults);
        all.ends.extend(ends);
        all.passing.extend(passing);
    }
    Some(all)
}

fn search_from(mut toy: Toy, limit: usize) -> Option<Reached> {
    let mut reached = Reached::default();
    reached.faults.extend(toy.start().fault.map(|fault| *fault));
    reached.note_livelock(&mut toy);
    let mut known = BTreeSet::from([toy.key()]);
    let mut path: Vec<Vec<Move>> = vec![moves(&mut toy, &mut reached)];
    while let Some(open) = path.last_mut() {
        let Some(step) = open.pop() else {
            path.pop();
            if !path.is_empty() {
                toy.undo();
            }
            continue;
        };
        toy.mark();
        reached.faults.extend(toy.execute(step.thread, step.label).fault.map(|fault| *fault));
        if known.insert(toy.key()) {
            reached.note_livelock(&mut toy);
            if known.len() > limit {
                return None;
            }
            let next = moves(&mut toy, &mut reached);
            path.push(next);
        } else {
            toy.undo();
        }
    }
    reached.states = known.len();
    Some(reached)
}

/// The livelock of a state: in no state that can be reached from it does anything differ but where threads stand, and
/// which mutexes they hold that they waited for. Some threads spin: in each of these states they can move, or wait for
/// a mutex that another thread holds there and that is free in one of them. The flag: in one of them nobody can move.
fn livelock(toy: &mut Toy) -> Option<(Fault, bool)> {
    let (shared, moving) = (toy.shared_and_ended(), possible(toy));
    let (mut blocked, mut free) = (BTreeSet::new(), BTreeSet::new());
    let mut see = |toy: &Toy, moves: &[Move]| {
        let holders = toy.holders();
        free.extend((0..holders.len()).filter(|&mutex| holders[mutex].is_none()));
        for thread in (0..toy.threads()).map(ThreadId).filter(|thread| moves.iter().all(|step| step.thread != *thread))
        {
            let awaited = match toy.operation(thread) {
                Some(&Op::Lock(mutex)) => Some(usize::from(mutex)),
                _ => None,
            };
            blocked.insert((thread, awaited.filter(|&mutex| holders[mutex] != Some(thread))));
        }
    };
    see(toy, &moving);
    let mut known = BTreeSet::from([toy.key()]);
    let mut path = vec![moving.clone()];
    let mut is_one = !moving.is_empty();
    let mut may_end = false;
    while let Some(open) = path.last_mut() {
        match open.pop() {
            Some(step) => {
                toy.mark();
                let may_lock = matches!(toy.operation(step.thread), Some(Op::Lock(_) | Op::Unlock(_)));
                let holders = toy.holders();
                let fault = toy.execute(step.thread, step.label).fault;
                is_one &= fault.is_none() && toy.shared_and_ended() == shared;
                is_one &= may_lock || toy.holders() == holders;
                let next = if is_one && known.insert(toy.key()) { Some(possible(toy)) } else { None };
                if let Some(next) = &next {
                    see(toy, next);
                    may_end |= next.is_empty();
                }
                path.push(next.unwrap_or_default());
            }
            None => {
                path.pop();
                if !path.is_empty() {
                    toy.undo();
                }
            }
        }
    }
    let waits = |awaited: Option<usize>| awaited.is_none_or(|mutex| !free.contains(&mutex));
    let stuck: BTreeSet<ThreadId> =
        blocked.into_iter().filter(|(_, on)| waits(*on)).map(|(thread, _)| thread).collect();
    let threads: Vec<ThreadId> = (0..toy.threads()).map(ThreadId).filter(|thread| !stuck.contains(thread)).collect();
    let fault = if is_one { toy.stuck(Rest::Seen(&threads)).faults.pop() } else { None };
    fault.map(|fault| (fault, may_end))
}

/// What can happen next; the end of an execution is noted.
fn moves(toy: &mut Toy, reached: &mut Reached) -> Vec<Move> {
    let all = possible(toy);
    if all.is_empty() {
        reached.faults.extend(toy.ending().1.faults);
        reached.ends.insert(toy.key());
    }
    all
}

/// What can happen next.
fn possible(toy: &mut Toy) -> Vec<Move> {
    let mut all = Vec::new();
    for thread in (0..toy.threads()).map(ThreadId) {
        let mut variants = Vec::new();
        current_variants(toy, thread, &mut variants);
        variants.retain(|variant| toy.is_feasible(thread, variant.label));
        all.extend(variants.iter().map(|v| Move { thread, label: v.label }));
    }
    all
}
