//! What runs have in common that differ in nothing that counts.
use por::{Accesses, Effect, ThreadId};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Which effects count: of stores, which overwrite, of flips of bits, which come to the same in any order, and of
/// stores that are sets, for they store what all others store there.
pub type Effects = [bool; 3];

/// All of them.
pub const ALL: Effects = [true; 3];

/// An action of a run.
#[derive(Clone, Debug)]
pub struct Logged {
    pub thread: ThreadId,
    pub label: u32,
    pub accesses: Accesses,
    /// What it does if sets do not count.
    pub effect: Effect,
    /// Whether it is one.
    pub sets: bool,
    /// Hash of its history.
    pub name: u64,
}

/// The class of a run if stores to the same bytes are ordered only where somebody reads what one of them
/// wrote, and flips not with one another, and sets with reads only that come before the first of them: the set of its
/// actions, of their ordered pairs, and of who sees what set.
pub fn observed_class(run: &Run<'_>, [stores, flips, sets]: Effects) -> u64 {
    let Run { log, names, pairs } = run;
    let is_set = |action: &Logged| sets && action.sets;
    // Whether an earlier set of the bytes that are set at `set` is seen at `at`.
    let sees = |at: usize, set: usize| log[..at].iter().any(|x| is_set(x) && x.accesses == log[set].accesses);
    let overlap = |write: &Logged, other: &Logged| {
        let written = write.accesses[0];
        let other = other.accesses.iter().find(|access| access.object == written.object);
        other.map_or((0, 0), |other| (other.reads & written.writes, other.writes & written.writes))
    };
    let is_observed = |at: usize| {
        let mut left = log[at].accesses[0].writes;
        log[at + 1..].iter().any(|later| {
            let (reads, writes) = overlap(&log[at], later);
            let read = reads & left != 0;
            left &= !writes;
            read
        })
    };
    let observed: Vec<bool> =
        (0..log.len()).map(|at| log[at].effect == Effect::Overwrites && is_observed(at)).collect();
    let mut class = names.iter().fold(0u64, |sum, name| sum.wrapping_add(mix(*name)));
    for &(i, j) in pairs {
        let (first, second) = (&log[i], &log[j]);
        if is_set(first) {
            // The first of them tells for all.
            if !is_set(second) && !sees(i, i) {
                class = class.wrapping_add(mix(hash(&(names[j], first.accesses))));
            }
            continue;
        }
        if first.thread == second.thread || is_set(second) && sees(i, j) {
            continue;
        }
        let alike = first.effect == second.effect && first.accesses == second.accesses;
        let commute = match first.effect {
            Effect::Ordered | Effect::Sets => false,
            Effect::Overwrites => stores && !observed[i] && !observed[j],
            Effect::Updates(_) => flips,
        };
        if !(alike && commute) {
            class = class.wrapping_add(mix(names[i] ^ mix(names[j])));
        }
    }
    class
}

/// A run, and what its classes are made of.
pub struct Run<'a> {
    log: &'a [Logged],
    pub names: Vec<u64>,
    /// Those that depend on one another if no effect counts.
    pairs: Vec<(usize, usize)>,
}

impl<'a> Run<'a> {
    pub fn new(log: &'a [Logged]) -> Self {
        let before = |j: usize| (0..j).filter(move |&i| depends(&log[i], &log[j])).map(move |i| (i, j));
        Run { log, names: names(log), pairs: (0..log.len()).flat_map(before).collect() }
    }
}

/// Names of a run's actions that do not say what came before.
fn names(log: &[Logged]) -> Vec<u64> {
    let mut counts = [0u8; 64];
    let name = |Logged { thread, label, accesses, .. }: &Logged| {
        counts[thread.index()] += 1;
        hash(&(thread, counts[thread.index()], label, accesses))
    };
    log.iter().map(name).collect()
}

fn depends(x: &Logged, y: &Logged) -> bool {
    x.accesses.iter().any(|x| y.accesses.iter().any(|y| x.depends(y)))
}

/// Whether the action there and the next one may be swapped, if sets count and nothing else.
pub fn can_swap(log: &[Logged], at: usize) -> bool {
    let (x, y) = (&log[at], &log[at + 1]);
    let set = if x.sets { x } else { y };
    let is_set = log[..at].iter().any(|earlier| earlier.sets && earlier.accesses == set.accesses);
    x.thread != y.thread && (!depends(x, y) || x.sets && y.sets || set.sets && is_set)
}

pub fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Spreads a name over 64 bits, so that sums of names are as good as sets.
pub fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ x >> 29
}
