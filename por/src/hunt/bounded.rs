//! Schedules in the order of their preemptions (MQ07): first all without any, then all with one, and so on.
//!
//! A *preemption* is a switch to another thread while the last one could go on; where it cannot, any thread may go on
//! for nothing. The bound orders what is tried and cuts nothing: each place where one more preemption is possible is
//! kept for the next bound.
//!
//! **Known states.** Schedules of one [class](super::class) lead to one state. So a schedule is left where it comes to
//! a state that one with as few preemptions has come to, with the same last thread: all that follows was taken from
//! there, or is kept. As bounds only grow, no schedule of fewer preemptions comes later.
//!
//! When nothing of a bound is left, **all schedules with so many preemptions were taken**, but for those that differ in
//! the order of independent actions. That is not said where a schedule was given up because it is too long or meets
//! what is not modelled, or where more is kept than memory should hold.
use super::board::Board;
use super::random::Random;
use super::sampler::{Choice, Pick};
use crate::system::{Move, ThreadId};
use rustc_hash::FxHashSet;

/// How many moves, and how many schedules that are kept, are too many.
const MOST: usize = 1 << 20;

/// What was tried, and what is left.
#[derive(Debug)]
pub(super) struct Bounded {
    /// All moves that lead to what is left: a tree, each with the one before it.
    moves: Vec<(u32, Move)>,
    /// What is left with as many preemptions as the bound, and with one more.
    now: Vec<Left>,
    later: Vec<Left>,
    bound: u32,
    complete: Option<u32>,
    seen: FxHashSet<(u128, Option<ThreadId>)>,
    has_begun: bool,
    has_given_up: bool,
    /// Of the current schedule: the moves that are to be repeated, the next one last.
    repeats: Vec<Move>,
    /// The last move, and its thread.
    at: u32,
    last: Option<ThreadId>,
}

/// A move that is left to take.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// After this one.
    after: u32,
    step: Move,
}

/// Before the first move.
const ROOT: u32 = u32::MAX;

impl Default for Bounded {
    fn default() -> Self {
        Bounded {
            moves: Vec::new(),
            now: Vec::new(),
            later: Vec::new(),
            bound: 0,
            complete: None,
            seen: FxHashSet::default(),
            has_begun: false,
            has_given_up: false,
            repeats: Vec::new(),
            at: ROOT,
            last: None,
        }
    }
}

impl Bounded {
    /// Begins with the next schedule; false if nothing is left, or more than can be kept.
    pub(super) fn begin(&mut self) -> bool {
        self.repeats.clear();
        (self.at, self.last) = (ROOT, None);
        if self.has_given_up {
            return false;
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            return true;
        }
        if self.now.is_empty() {
            self.complete = Some(self.bound);
            if self.later.is_empty() {
                return false;
            }
            self.bound += 1;
            std::mem::swap(&mut self.now, &mut self.later);
        }
        let Left { after, step } = self.now.pop().expect("something is left");
        self.repeats.push(step);
        let mut at = after;
        while at != ROOT {
            let (before, step) = self.moves[at as usize];
            self.repeats.push(step);
            at = before;
        }
        self.at = after;
        true
    }

    /// All schedules with so many preemptions were taken.
    pub(super) fn complete(&self) -> Option<u32> {
        self.complete
    }

    /// Whether all schedules were taken.
    pub(super) fn is_exhausted(&self) -> bool {
        self.complete.is_some() && self.now.is_empty() && self.later.is_empty() && !self.has_given_up
    }

    /// Whether more was left than could be kept, or a schedule was not taken to its end.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    /// The current schedule was not taken to its end.
    pub(super) fn give_up(&mut self) {
        self.has_given_up = true;
        (self.now, self.later, self.moves) = (Vec::new(), Vec::new(), Vec::new());
    }

    fn take(&mut self, step: Move) {
        self.moves.push((self.at, step));
        self.at = self.moves.len() as u32 - 1;
        self.last = Some(step.thread);
    }
}

/// The variant with that label of what a thread stands before.
fn choice(board: &Board, step: Move) -> Choice {
    let variant = board.variants(step.thread).iter().position(|variant| variant.label == step.label);
    Choice::Variant(step.thread, variant.expect("the same moves lead to the same state"))
}

impl Pick for Bounded {
    fn pick(&mut self, board: &Board, class: u128, _: &mut Random) -> Choice {
        if let Some(step) = self.repeats.pop() {
            self.last = Some(step.thread);
            if self.repeats.is_empty() {
                self.take(step);
            }
            return choice(board, step);
        }
        if !self.seen.insert((class, self.last)) {
            return Choice::Leave;
        }
        let steps = |thread: ThreadId| board.variants(thread).iter().map(move |v| Move { thread, label: v.label });
        let goes_on = self.last.filter(|last| board.enabled().contains(last));
        let all = board.enabled().iter().flat_map(|&thread| steps(thread));
        let (free, costly): (Vec<Move>, Vec<Move>) = match goes_on {
            Some(last) => all.partition(|step| step.thread == last),
            None => (all.collect(), Vec::new()),
        };
        let left = |step: &Move| Left { after: self.at, step: *step };
        self.later.extend(costly.iter().map(left));
        self.now.extend(free[1..].iter().map(left));
        self.take(free[0]);
        if self.moves.len() + self.now.len() + self.later.len() > MOST {
            self.give_up();
            return Choice::Leave;
        }
        choice(board, free[0])
    }
}
