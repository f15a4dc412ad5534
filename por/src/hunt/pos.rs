//! Partial order sampling (YYG18): each pending action has a random priority, and the largest one of those that are
//! possible is taken. Behind it, the actions that depend on it, and so race with it, draw new ones. So what has lost a
//! race does not win the next one for that.
use super::board::Board;
use super::random::Random;
use super::sampler::{Choice, Pick};
use crate::system::{Accesses, ThreadId};

/// By thread: the priority of its pending action, if it has drawn one.
#[derive(Default, Debug)]
pub(super) struct Pos(Vec<Option<u64>>);

impl Pick for Pos {
    fn pick(&mut self, board: &Board, _: u128, random: &mut Random) -> Choice {
        self.0.resize(self.0.len().max(board.threads()), None);
        let mut priority = |thread: ThreadId| *self.0[thread.index()].get_or_insert_with(|| random.number());
        let drawn = board.enabled().iter().map(|&thread| (priority(thread), thread));
        Choice::Thread(drawn.max().expect("a thread can move").1)
    }

    fn executes(&mut self, thread: ThreadId, board: &Board, accesses: &Accesses, _: &mut Random) {
        self.0[thread.index()] = None;
        for other in (0..board.threads() as u32).map(ThreadId) {
            let races = |own: &crate::Access| accesses.iter().any(|access| access.depends(own));
            if board.footprint(other).iter().any(races) {
                self.0[other.index()] = None;
            }
        }
    }
}
