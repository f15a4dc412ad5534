//! Selectively uniform random walk (ZWBM25): the orders of a small set Δ of actions are sampled uniformly, and every
//! schedule stays possible.
//!
//! Each thread has a weight: how many actions of Δ it and the threads that it creates still have before them, as an
//! earlier sample has shown. The thread that takes the next action of Δ, the *intended* one, is drawn in proportion to
//! the weights, as the first letter of a word is that is drawn uniformly among those with so many letters of each kind.
//! Otherwise any thread goes on; one that stands before an action of Δ and is not intended is set aside until the
//! intended one has taken its.
//!
//! Δ is what may touch one object that threads race on, drawn anew for each sample, or all such objects.
//!
//! Deviations. Weights come from the last sample, which may have been another program as it were; so one that has
//! become 0 counts as 1 where its thread does stand before an action of Δ, and no schedule is lost. A thread that
//! cannot move is not intended.
use super::board::Board;
use super::known::Known;
use super::random::Random;
use super::sampler::{Choice, Pick};
use crate::system::{Accesses, ObjectId, ThreadId};

/// The state of a walk.
#[derive(Debug)]
pub(super) struct Surw {
    /// Δ: what may touch one of these.
    objects: Vec<ObjectId>,
    weights: Vec<u64>,
    intended: Option<ThreadId>,
    aside: Vec<ThreadId>,
}

impl Surw {
    pub(super) fn new(known: &Known, random: &mut Random) -> Self {
        let count = known.racing();
        // One more than there are: all of them.
        let drawn = random.below(count as u64 + 1) as usize;
        Surw::about(known, if drawn == count { 0..count } else { drawn..drawn + 1 })
    }

    /// Δ is what may touch these objects of those that race.
    pub(super) fn about(known: &Known, objects: std::ops::Range<usize>) -> Self {
        let weights = known.weights(objects.clone());
        let objects = objects.map(|index| known.object(index)).collect();
        Surw { objects, weights, intended: None, aside: Vec::new() }
    }

    fn is_in_delta(&self, thread: ThreadId, board: &Board) -> bool {
        board.footprint(thread).iter().any(|access| self.objects.contains(&access.object))
    }

    fn weight(&self, thread: ThreadId) -> u64 {
        self.weights.get(thread.index()).copied().unwrap_or(0)
    }

    fn weight_mut(&mut self, thread: ThreadId) -> &mut u64 {
        if self.weights.len() <= thread.index() {
            self.weights.resize(thread.index() + 1, 0);
        }
        &mut self.weights[thread.index()]
    }

    fn begin_anew(&mut self) {
        self.aside.clear();
        self.intended = None;
    }
}

impl Pick for Surw {
    fn pick(&mut self, board: &Board, _: u128, random: &mut Random) -> Choice {
        let enabled = board.enabled();
        loop {
            let mut free: Vec<ThreadId> = enabled.iter().copied().filter(|t| !self.aside.contains(t)).collect();
            if free.is_empty() {
                self.begin_anew();
                free.extend(enabled);
            }
            let thread = random.pick(&free);
            if !self.is_in_delta(thread, board) {
                return Choice::Thread(thread);
            }
            let intended = self.intended.filter(|intended| enabled.contains(intended)).unwrap_or_else(|| {
                let stands = |t: ThreadId| u64::from(self.is_in_delta(t, board));
                let weights = enabled.iter().map(|&t| self.weight(t).max(stands(t)));
                enabled[random.weighted(weights).expect("the thread itself has a weight")]
            });
            self.intended = Some(intended);
            if thread == intended {
                return Choice::Thread(thread);
            }
            self.aside.push(thread);
        }
    }

    fn executes(&mut self, thread: ThreadId, board: &Board, _: &Accesses, _: &mut Random) {
        if self.is_in_delta(thread, board) {
            let weight = self.weight_mut(thread);
            *weight = weight.saturating_sub(1);
            self.begin_anew();
        }
    }

    fn created(&mut self, parent: ThreadId, child: ThreadId, random: &mut Random) {
        let (all, own) = (self.weight(parent), self.weight(child));
        *self.weight_mut(parent) = all.saturating_sub(own);
        if self.intended == Some(parent) && random.below(all.max(own).max(1)) < own {
            self.intended = Some(child);
        }
    }
}
