//! What picks the thread that goes on, and the samplers that need no more than a few lines.
use super::board::Board;
use super::known::Known;
use super::random::Random;
use crate::system::{Accesses, ThreadId};
use serde::{Deserialize, Serialize};

/// The ways to sample, by their names in the literature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Sampler {
    /// Races are reversed one by one, at places of the code: [`super::directed`].
    Directed,
    /// In the order of preemptions: [`super::bounded`].
    Bounded,
    /// Selectively uniform random walk: [`super::surw`].
    Surw,
    /// Partial order sampling: [`super::pos`].
    Pos,
    /// Probabilistic concurrency testing, with two changes of priority: [`super::pct`].
    Pct,
    /// Random walk: each time, each thread that can move has the same odds.
    Walk,
}

impl Sampler {
    /// All of them.
    pub const ALL: [Sampler; 6] =
        [Sampler::Directed, Sampler::Bounded, Sampler::Surw, Sampler::Pos, Sampler::Pct, Sampler::Walk];

    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Sampler::Directed => "directed",
            Sampler::Bounded => "bounded",
            Sampler::Surw => "surw",
            Sampler::Pos => "pos",
            Sampler::Pct => "pct",
            Sampler::Walk => "walk",
        }
    }
}

/// What happens next in a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// This thread goes on, in any way.
    Thread(ThreadId),
    /// It goes on by the variant with that index.
    Variant(ThreadId, usize),
    /// What follows is known.
    Leave,
}

/// Picks threads throughout one sample. The default methods are for those that need not hear of it.
pub(super) trait Pick {
    /// One of the threads that can move, of which there is at least one, after events of that class.
    fn pick(&mut self, board: &Board, class: u128, random: &mut Random) -> Choice;

    /// The thread is about to execute what it stands before, and will touch this.
    fn executes(&mut self, thread: ThreadId, board: &Board, accesses: &Accesses, random: &mut Random) {
        let _ = (thread, board, accesses, random);
    }

    /// That has created a thread.
    fn created(&mut self, parent: ThreadId, child: ThreadId, random: &mut Random) {
        let _ = (parent, child, random);
    }
}

/// The random walk.
#[derive(Debug)]
pub(super) struct Walk;

impl Pick for Walk {
    fn pick(&mut self, board: &Board, _: u128, random: &mut Random) -> Choice {
        Choice::Thread(random.pick(board.enabled()))
    }
}

/// Samplers that are made anew for each sample; `None` for the others.
pub(super) fn fresh(sampler: Sampler, known: &Known, random: &mut Random) -> Option<Box<dyn Pick>> {
    Some(match sampler {
        Sampler::Directed | Sampler::Bounded => return None,
        Sampler::Surw => Box::new(super::surw::Surw::new(known, random)),
        Sampler::Pos => Box::new(super::pos::Pos::default()),
        Sampler::Pct => Box::new(super::pct::Pct::new(known.length, super::pct::DEPTH, random)),
        Sampler::Walk => Box::new(Walk),
    })
}
