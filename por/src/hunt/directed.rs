//! Races, reversed one by one at places of the code. The idea is that of race-directed testing (Sen08) and of the
//! abstract schedules of WSHR24: what was seen to come first is made to wait.
//!
//! A *reversal* (p, q) is a pair of places such that, in some sample, an action at p was followed by one at q of
//! another thread, and either could have come first: a race. A sample that is to reverse it holds threads that come to
//! p back, each until another thread has taken an action at q that depends on what it would do there. Where only
//! threads that are held back can move, one of them goes on nevertheless. Apart from that, a thread goes on for as long
//! as it can; then one of the places where others stand is drawn, and one of the threads there. So a hundred threads
//! that are about to do the same weigh as much as a single one that does something else, and the number of reversals
//! bounds that of preemptions.
//!
//! **Order.** A sample without reversals first; then those with one more reversal than a sample that has shown its
//! race, with the random numbers of that, so that everything up to there happens again. Races that were not seen before
//! come first, and among these reads of what another thread has written, because reading it too early is the commonest
//! bug. When nothing is left, it begins anew with another seed, and with more reversals at a time: one, two, three,
//! one, …
//!
//! Every schedule stays possible only because other samplers take turns with this one.
use super::board::Board;
use super::past::Race;
use super::random::Random;
use super::sampler::{Choice, Pick};
use crate::system::{Accesses, ThreadId};
use crate::turns::LONG;
use rustc_hash::FxHashSet;

/// A race that is to happen the other way round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Reversal {
    /// Where threads are held back.
    pub(super) first: u64,
    /// Where another thread goes first.
    pub(super) second: u64,
}

/// How many reversals may be combined, though their races were seen before.
const MOST_REVERSALS: usize = 3;

/// How many samples with one seed, at most.
const ONE_SEED: u32 = 64;

/// A sample that is planned.
#[derive(Clone, Debug)]
struct Plan {
    seed: u64,
    reversals: Vec<Reversal>,
}

/// What was tried, and what is planned.
#[derive(Debug)]
pub(super) struct Directed {
    random: Random,
    /// The next one last.
    plans: Vec<Plan>,
    /// Reversals of the races that were seen since the seed was drawn.
    seen: FxHashSet<Reversal>,
    tried: FxHashSet<Vec<Reversal>>,
    /// How many reversals are combined with this seed.
    bound: usize,
    left: u32,
    current: Plan,
}

impl Directed {
    pub(super) fn new(seed: u64) -> Self {
        let none = Plan { seed: 0, reversals: Vec::new() };
        let (seen, tried) = (FxHashSet::default(), FxHashSet::default());
        Directed { random: Random::new(seed), plans: Vec::new(), seen, tried, bound: 0, left: 0, current: none }
    }

    /// The next sample, and its random numbers.
    pub(super) fn next(&mut self) -> (Held, Random) {
        if self.plans.is_empty() || self.left == 0 {
            self.plans.clear();
            self.seen.clear();
            self.tried.clear();
            self.bound = self.bound % MOST_REVERSALS + 1;
            self.left = ONE_SEED;
            self.plans.push(Plan { seed: self.random.number(), reversals: Vec::new() });
        }
        self.left -= 1;
        self.current = self.plans.pop().expect("there is a plan");
        (Held::new(self.current.reversals.clone()), Random::new(self.current.seed))
    }

    /// The sample has shown these races.
    pub(super) fn shows(&mut self, mut races: Vec<Race>) {
        let mut seen = FxHashSet::default();
        races.retain(|race| race.reversal.first != race.reversal.second && seen.insert(race.reversal));
        let mut new = Vec::new();
        for Race { reversal: race, reads } in races {
            let is_new = self.seen.insert(race);
            let Plan { seed, reversals } = &self.current;
            let back = Reversal { first: race.second, second: race.first };
            let is_vain = reversals.contains(&race) || reversals.contains(&back);
            if is_vain || !(is_new || reversals.len() < self.bound) {
                continue;
            }
            let mut reversals = reversals.clone();
            reversals.push(race);
            reversals.sort_unstable();
            if self.tried.insert(reversals.clone()) {
                new.push((is_new, reads, Plan { seed: *seed, reversals }));
            }
        }
        // Those that are new last, in any order.
        for at in (1..new.len()).rev() {
            new.swap(at, self.random.below(at as u64 + 1) as usize);
        }
        new.sort_by_key(|(is_new, reads, _)| (*is_new, *reads));
        let (new, old): (Vec<_>, Vec<_>) = new.into_iter().partition(|(is_new, ..)| *is_new);
        let plan = |(_, _, plan)| plan;
        self.plans.splice(0..0, old.into_iter().map(plan));
        self.plans.extend(new.into_iter().map(plan));
    }
}

/// The state of a sample.
#[derive(Debug)]
pub(super) struct Held {
    reversals: Vec<Reversal>,
    /// By thread: another one has gone first where this one stands.
    free: Vec<bool>,
    last: Option<ThreadId>,
    turn: u32,
}

impl Held {
    fn new(reversals: Vec<Reversal>) -> Self {
        Held { reversals, free: Vec::new(), last: None, turn: 0 }
    }

    fn is_held(&self, thread: ThreadId, board: &Board) -> bool {
        let place = board.place(thread);
        !self.free[thread.index()] && self.reversals.iter().any(|reversal| reversal.first == place)
    }

    /// One of the threads, each place having the same odds.
    fn draw(threads: &[ThreadId], board: &Board, random: &mut Random) -> ThreadId {
        let mut places: Vec<u64> = Vec::new();
        for thread in threads {
            let place = board.place(*thread);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let place = random.pick(&places);
        let there: Vec<ThreadId> = threads.iter().copied().filter(|t| board.place(*t) == place).collect();
        random.pick(&there)
    }
}

impl Pick for Held {
    fn pick(&mut self, board: &Board, _: u128, random: &mut Random) -> Choice {
        self.free.resize(self.free.len().max(board.threads()), false);
        let enabled = board.enabled();
        let free: Vec<ThreadId> = match self.reversals.is_empty() {
            true => enabled.to_vec(),
            false => enabled.iter().copied().filter(|t| !self.is_held(*t, board)).collect(),
        };
        let among = if free.is_empty() { enabled } else { &free };
        let stays = self.last.filter(|last| self.turn < LONG && among.contains(last) && !free.is_empty());
        let thread = stays.unwrap_or_else(|| Self::draw(among, board, random));
        self.turn = if self.last == Some(thread) { self.turn + 1 } else { 1 };
        if self.turn > LONG {
            self.turn = 1;
        }
        self.last = Some(thread);
        Choice::Thread(thread)
    }

    fn executes(&mut self, thread: ThreadId, board: &Board, accesses: &Accesses, _: &mut Random) {
        let place = board.place(thread);
        self.free[thread.index()] = false;
        for reversal in self.reversals.iter().filter(|reversal| reversal.second == place) {
            for other in board.enabled().iter().filter(|other| **other != thread) {
                let meets = |own: &crate::Access| accesses.iter().any(|access| access.depends(own));
                if board.place(*other) == reversal.first && board.footprint(*other).iter().any(meets) {
                    self.free[other.index()] = true;
                }
            }
        }
    }
}
