//! Probabilistic concurrency testing (BKMN10): threads have distinct random priorities, and the largest one of those
//! that can move goes on. Before d-1 steps, drawn among the k of an execution, the thread that would go on gets a
//! priority below all others. A bug of depth d in a program of n threads is met with odds of at least 1 to n·k^(d-1) in
//! each sample.
//!
//! k is the length of the longest sample so far. Deviation: a thread that goes on for very long, as one that spins
//! does, falls below the others as well, else nobody else would ever move.
use super::board::Board;
use super::random::Random;
use super::sampler::{Choice, Pick};
use crate::system::ThreadId;
use crate::turns::LONG;

/// d.
pub(super) const DEPTH: u32 = 3;

/// The state of a sample.
#[derive(Debug)]
pub(super) struct Pct {
    /// By thread. Those that were lowered are below [`Pct::LOWERED`].
    priorities: Vec<Option<u64>>,
    /// The steps before which a thread is lowered, the last one first.
    changes: Vec<u64>,
    steps: u64,
    next_lowest: u64,
    last: Option<ThreadId>,
    turn: u32,
}

impl Pct {
    const LOWERED: u64 = 1 << 32;

    pub(super) fn new(length: u64, depth: u32, random: &mut Random) -> Self {
        let mut changes: Vec<u64> = (1..depth).map(|_| random.below(length.max(1))).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Pct { priorities: Vec::new(), changes, steps: 0, next_lowest: Self::LOWERED, last: None, turn: 0 }
    }

    fn highest(&mut self, board: &Board, random: &mut Random) -> ThreadId {
        let drawn = |random: &mut Random| random.number() | Self::LOWERED << 1;
        let mut priority = |t: ThreadId| *self.priorities[t.index()].get_or_insert_with(|| drawn(random));
        board.enabled().iter().map(|&t| (priority(t), t)).max().expect("a thread can move").1
    }

    fn lower(&mut self, thread: ThreadId) {
        self.next_lowest -= 1;
        self.priorities[thread.index()] = Some(self.next_lowest);
        self.turn = 0;
    }
}

impl Pick for Pct {
    fn pick(&mut self, board: &Board, _: u128, random: &mut Random) -> Choice {
        self.priorities.resize(self.priorities.len().max(board.threads()), None);
        let mut thread = self.highest(board, random);
        while self.changes.last().is_some_and(|at| *at <= self.steps) {
            self.changes.pop();
            self.lower(thread);
            thread = self.highest(board, random);
        }
        if self.last == Some(thread) && self.turn >= LONG {
            self.lower(thread);
            thread = self.highest(board, random);
        }
        self.turn = if self.last == Some(thread) { self.turn + 1 } else { 1 };
        self.last = Some(thread);
        self.steps += 1;
        Choice::Thread(thread)
    }
}
