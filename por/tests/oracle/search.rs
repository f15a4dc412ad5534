//! The states of an abstract program, each visited once.
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
}

/// Visits every state once. `None` if there are more than `limit`.
pub fn search(program: &Program, limit: usize) -> Option<Reached> {
    search_from(Toy::without_classes(program), limit)
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
            for fault in ending.into_iter().chain(livelock(&mut toy)) {
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
        let Reached { faults, ends, states: _ } = search_from(Toy::without_classes(program).with_input(input), limit)?;
        all.faults.extend(faults);
        all.ends.extend(ends);
    }
    Some(all)
}

fn search_from(mut toy: Toy, limit: usize) -> Option<Reached> {
    let mut reached = Reached::default();
    reached.faults.extend(toy.start().fault.map(|fault| *fault));
    reached.faults.extend(livelock(&mut toy));
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
            reached.faults.extend(livelock(&mut toy));
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

/// The livelock of a state: in no state that can be reached from it does anything differ but where threads stand that
/// will go on in one for ever.
fn livelock(toy: &mut Toy) -> Option<Fault> {
    let movers = |moves: &[Move]| moves.iter().map(|step| step.thread).collect::<BTreeSet<ThreadId>>();
    let (shared, moving) = (toy.shared_and_ended(), possible(toy));
    let mut spinning = movers(&moving);
    let mut known = BTreeSet::from([toy.key()]);
    let mut path = vec![moving.clone()];
    let mut is_one = !moving.is_empty();
    while let Some(open) = path.last_mut() {
        match open.pop() {
            Some(step) => {
                toy.mark();
                let fault = toy.execute(step.thread, step.label).fault;
                is_one &= fault.is_none() && toy.shared_and_ended() == shared;
                let next = if is_one && known.insert(toy.key()) { Some(possible(toy)) } else { None };
                if let Some(next) = &next {
                    spinning = &spinning & &movers(next);
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
    let threads: Vec<ThreadId> = spinning.into_iter().collect();
    if is_one { toy.stuck(Rest::Seen(&threads)).faults.pop() } else { None }
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
