//! Schedules as partial orders: which moves depend on which, and the order that is easiest to read.
//!
//! All orders of the same moves that keep dependent ones in place lead to the same state; people follow best the one in
//! which threads take turns least often.
use crate::{Accesses, Lanes, Move, ObjectId, System, current_variants};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many ways to begin are looked at; beyond that, the thread that comes farthest goes on.
const WAYS: usize = 20_000;

/// For each move of a schedule the earlier moves that it depends on, without those that others of these depend on:
/// first the one before it in its thread (or the creation of that), then those of other threads. `None` if the schedule
/// is none of this system, which stands in its initial state.
pub fn dependencies<S: System>(system: &mut S, schedule: &[Move]) -> Option<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<usize>> = Vec::with_capacity(schedule.len());
    // By thread: its last move, or the one that created it; and what of each thread is in the past of each move.
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    let mut clocks: Vec<FxHashMap<u32, usize>> = Vec::with_capacity(schedule.len());
    let mut lanes = LaneTable::default();
    system.start();
    let mut variants = Vec::new();
    for (at, step) in schedule.iter().enumerate() {
        variants.clear();
        current_variants(system, step.thread, &mut variants);
        let variant = variants.iter().find(|variant| variant.label == step.label)?;
        let accesses = variant.accesses;
        let own = last.get(&step.thread.0).copied();
        let mut others = lanes.conflicts(&accesses);
        others.retain(|other| Some(*other) != own);
        // The later ones first: whatever they are behind need not be said.
        others.sort_unstable_by(|a, b| b.cmp(a));
        others.dedup();
        let mut clock = own.map(|own| clocks[own].clone()).unwrap_or_default();
        let mut direct: Vec<usize> = own.into_iter().collect();
        for other in others {
            let thread = schedule[other].thread.0;
            if clock.get(&thread).is_some_and(|known| *known >= other) {
                continue;
            }
            for (thread, known) in &clocks[other] {
                let mine = clock.entry(*thread).or_insert(*known);
                *mine = (*mine).max(*known);
            }
            direct.push(other);
        }
        clock.insert(step.thread.0, at);
        clocks.push(clock);
        all.push(direct);
        lanes.add(at, &accesses);
        last.insert(step.thread.0, at);
        if let Some(created) = system.execute(step.thread, step.label).created {
            last.insert(created.0, at);
        }
    }
    Some(all)
}

/// The same moves in an order with the fewest changes of thread, as places in the schedule: among all orders that keep
/// to the dependencies and end with the same move, if these are not too many, else one that is good.
pub fn with_few_switches(schedule: &[Move], dependencies: &[Vec<usize>]) -> Vec<usize> {
    let threads = Turns::new(schedule, dependencies);
    threads.shortest().unwrap_or_else(|| threads.greedy())
}

/// Who touched the lanes of objects last.
#[derive(Default)]
pub(crate) struct LaneTable(FxHashMap<(ObjectId, u32), (Option<usize>, Vec<usize>)>);

impl LaneTable {
    /// The moves with which an action of these accesses may not change places.
    pub(crate) fn conflicts(&self, accesses: &Accesses) -> Vec<usize> {
        let mut found = Vec::new();
        for access in accesses.iter() {
            for lane in lanes_of(access.lanes, access.touched()) {
                let Some((writer, readers)) = self.0.get(&(access.object, lane)) else { continue };
                found.extend(writer);
                if access.writes >> lane & 1 != 0 {
                    found.extend(readers);
                }
            }
        }
        found
    }

    pub(crate) fn add(&mut self, at: usize, accesses: &Accesses) {
        for access in accesses.iter() {
            for lane in lanes_of(access.lanes, access.touched()) {
                let (writer, readers) = self.0.entry((access.object, lane)).or_default();
                if access.writes >> lane & 1 != 0 {
                    *writer = Some(at);
                    readers.clear();
                } else {
                    readers.push(at);
                }
            }
        }
    }
}

fn lanes_of(lanes: Lanes, mask: u64) -> impl Iterator<Item = u32> {
    let count = match lanes {
        Lanes::Bits => 64,
        Lanes::Bytes => 8,
        Lanes::Whole => 1,
    };
    (0..count).filter(move |lane| mask >> lane & 1 != 0)
}

/// The moves of each thread, to be put one behind the other.
struct Turns<'a> {
    dependencies: &'a [Vec<usize>],
    /// By thread, in the order of their first moves: their moves.
    moves: Vec<Vec<usize>>,
    /// By move: whose it is, and which of its own.
    place: Vec<(usize, usize)>,
}

/// How many moves of each thread were made.
type Made = Vec<u32>;

impl<'a> Turns<'a> {
    fn new(schedule: &[Move], dependencies: &'a [Vec<usize>]) -> Self {
        let mut names: Vec<u32> = Vec::new();
        let mut moves: Vec<Vec<usize>> = Vec::new();
        let mut place = Vec::new();
        for (at, step) in schedule.iter().enumerate() {
            let thread = names.iter().position(|name| *name == step.thread.0).unwrap_or_else(|| {
                names.push(step.thread.0);
                moves.push(Vec::new());
                names.len() - 1
            });
            place.push((thread, moves[thread].len()));
            moves[thread].push(at);
        }
        Turns { dependencies, moves, place }
    }

    /// What is made when the thread goes on for as long as it can. (To go on never hurts: nobody waits for it to stop.)
    fn run(&self, made: &Made, thread: usize) -> Made {
        let mut made = made.clone();
        let total: usize = made.iter().map(|made| *made as usize).sum();
        let mut left = self.place.len() - total;
        for &at in &self.moves[thread][made[thread] as usize..] {
            let ready = self.dependencies[at].iter().all(|before| {
                let (thread, index) = self.place[*before];
                index < made[thread] as usize
            });
            // The last move stays the last.
            if !ready || (at + 1 == self.place.len() && left > 1) {
                break;
            }
            made[thread] += 1;
            left -= 1;
        }
        made
    }

    fn is_whole(&self, made: &Made) -> bool {
        made.iter().zip(&self.moves).all(|(made, moves)| *made as usize == moves.len())
    }

    fn shortest(&self) -> Option<Vec<usize>> {
        let start: Made = vec![0; self.moves.len()];
        let mut from: FxHashMap<Made, (Made, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([start.clone()]);
        while let Some(made) = queue.pop_front() {
            if self.is_whole(&made) {
                let mut turns = Vec::new();
                let mut at = made;
                while at != start {
                    let (before, thread) = from[&at].clone();
                    turns.push((before.clone(), at, thread));
                    at = before;
                }
                return Some(turns.iter().rev().flat_map(|(a, b, thread)| self.between(a, b, *thread)).collect());
            }
            for thread in 0..self.moves.len() {
                let next = self.run(&made, thread);
                if next != made && next != start && !from.contains_key(&next) {
                    from.insert(next.clone(), (made.clone(), thread));
                    queue.push_back(next);
                }
            }
            if from.len() > WAYS {
                return None;
            }
        }
        None
    }

    fn greedy(&self) -> Vec<usize> {
        let mut made: Made = vec![0; self.moves.len()];
        let mut order = Vec::with_capacity(self.place.len());
        while !self.is_whole(&made) {
            let ways = (0..self.moves.len()).map(|thread| (thread, self.run(&made, thread)));
            let best = ways.max_by_key(|(thread, next)| (next[*thread] - made[*thread], usize::MAX - thread));
            let (thread, next) = best.expect("there is a thread");
            assert!(next != made, "a schedule keeps to its dependencies");
            order.extend(self.between(&made, &next, thread));
            made = next;
        }
        order
    }

    fn between(&self, made: &Made, next: &Made, thread: usize) -> Vec<usize> {
        self.moves[thread][made[thread] as usize..next[thread] as usize].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadId;

    fn schedule(threads: &[u32]) -> Vec<Move> {
        threads.iter().map(|thread| Move { thread: ThreadId(*thread), label: 0 }).collect()
    }

    fn threads(schedule: &[Move], order: &[usize]) -> Vec<u32> {
        order.iter().map(|at| schedule[*at].thread.0).collect()
    }

    #[test]
    fn independent_threads_run_one_after_the_other() {
        let schedule = schedule(&[0, 1, 0, 1, 0, 1]);
        let program_order = [vec![], vec![], vec![0], vec![1], vec![2], vec![3]];
        assert_eq!(threads(&schedule, &with_few_switches(&schedule, &program_order)), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn dependencies_are_kept() {
        // The last move of 0 needs the first of 1, and so the creation of 1 by 0.
        let schedule = schedule(&[0, 1, 0, 1, 0]);
        let needs = [vec![], vec![0], vec![0], vec![1], vec![2, 1]];
        let order = with_few_switches(&schedule, &needs);
        assert_eq!(order.last(), Some(&4));
        assert_eq!(threads(&schedule, &order), [0, 0, 1, 1, 0]);
    }

    /// Greed would run 1 first, which comes farther, and change threads once more.
    #[test]
    fn looking_ahead_is_better_than_greed() {
        let schedule = schedule(&[0, 1, 1, 2, 2, 2, 1, 2]);
        let needs = [vec![], vec![], vec![1], vec![0], vec![3], vec![4], vec![2, 5], vec![5, 6]];
        let order = with_few_switches(&schedule, &needs);
        let switches = |order: &[usize]| threads(&schedule, order).windows(2).filter(|pair| pair[0] != pair[1]).count();
        let greedy = Turns::new(&schedule, &needs).greedy();
        assert_eq!((switches(&order), switches(&greedy)), (3, 4), "{order:?} {greedy:?}");
        for (place, at) in order.iter().enumerate() {
            assert!(needs[*at].iter().all(|before| order[..place].contains(before)), "{order:?}");
        }
    }
}
