//! Engines beside the usual one: [`turns`] with one processor, a [`portfolio`] with several.
//!
//! Which engine a program suits is seen by exploring it: one has few states and millions of executions, another one few
//! executions and millions of states, a third one so many events in conflict that sequences are the better way. So the
//! usual engine begins, and most programs come to their end before anything else happens. When it has taken long,
//! others explore the program too, from its start. The first certain answer counts.
//!
//! Each has a machine of its own, which knows what explorations have learned by then, and hears of nothing but its own
//! listener ([`guest`]). It ends with one of three results. *Everything was explored and nothing is wrong*: the program
//! is safe, for the reason for which it is with that engine alone. *Something is wrong*: that is confirmed as ever, and
//! the exploration starts again with that engine, for a shorter way to it. *Neither*: the usual engine goes on where it
//! was.
mod guest;
mod portfolio;
#[cfg(test)]
mod tests;
mod turns;

use super::findings::Shared;
use crate::request::{Request, Workers};
use interp::Machine;
use interp::fault::Fault;
use por::jobs::divides;
use por::{Engine, Move, Options, Reduction};
use portfolio::Portfolio;
use std::sync::Arc;
use turns::Turns;

/// Actions of the usual engine before anything happens beside it.
const FIRST: u64 = 100_000;

/// States that are kept without much ado.
pub(super) const MANY: u64 = 2_000_000;

/// About how many bytes a state takes, with the way to it.
const BYTES: u64 = 64;

/// Actions of one execution after which `optimal` gives up beside the usual engine: it may have no end.
const LONG: u64 = 20_000;

/// What explores beside the usual engine.
pub(super) struct Beside {
    /// As long as there is no portfolio.
    turns: Turns,
    portfolio: Option<Portfolio>,
}

/// An answer, and the engine that has it.
pub(super) struct Answer {
    /// The engine.
    pub engine: Engine,
    /// What it has found.
    pub found: Found,
}

/// What came of an exploration.
pub(super) enum Found {
    /// Everything was explored, and nothing is wrong. (The machine has done it.)
    Safe(Box<(Machine, por::Statistics)>),
    /// Something is: the machine that has met it, and the way to it.
    Bug(Box<(Machine, Fault, Vec<Move>)>),
}

impl Beside {
    /// For what is asked for, unless only one engine is to explore it. (What is suppressed must be told from what is
    /// not, which the recorder does.)
    pub(super) fn new(request: &Request, shared: Arc<Shared>) -> Option<Self> {
        if !request.others_beside || !request.suppressions.is_empty() {
            return None;
        }
        let asked = &request.exploration;
        let most = request.limits.memory.map_or(MANY, |memory| MANY.min(memory / 8 / BYTES));
        let turns = Turns::new(states(asked, most), Arc::clone(&shared));
        let Workers { most: processors, patience, .. } = request.workers;
        let portfolio = (processors > 1 && !divides(asked.engine)).then(|| {
            let engines =
                vec![states(asked, most), optimal(&Options { max_depth: LONG.min(asked.max_depth), ..asked.clone() })];
            Portfolio::new(engines, processors - 1, patience, shared)
        });
        Some(Beside { turns, portfolio })
    }

    /// How many processors it has used at a time.
    pub(super) fn used(&self) -> usize {
        self.portfolio.as_ref().map_or(0, Portfolio::used)
    }

    /// Whether it may use any.
    pub(super) fn has_portfolio(&self) -> bool {
        self.portfolio.is_some()
    }

    /// The answer, if there is one after so many actions of the usual engine. The machine was not started.
    pub(super) fn answer(&mut self, pristine: &Machine, actions: u64) -> Option<Answer> {
        match &mut self.portfolio {
            Some(portfolio) if portfolio.is_due(actions) => portfolio.answer(pristine),
            _ => self.turns.answer(pristine, actions),
        }
    }

    /// No answer is needed any more: nobody waits until all have ended.
    pub(super) fn dismiss(&self) {
        self.portfolio.iter().for_each(Portfolio::dismiss);
    }

    /// No answer is needed any more.
    pub(super) fn end(&mut self) {
        self.turns.end();
        self.portfolio.iter_mut().for_each(Portfolio::end);
    }

    /// The usual engine begins with another layout of memory. What was explored so far says nothing of that.
    pub(super) fn begin_anew(&mut self) {
        self.portfolio.iter_mut().for_each(Portfolio::begin_anew);
    }
}

/// An exploration of so many states at most.
pub(super) fn states(asked: &Options, most: u64) -> Options {
    Options { engine: Engine::States, max_states: Some(most), ..alone(asked) }
}

/// An exploration by `optimal`.
pub(super) fn optimal(asked: &Options) -> Options {
    Options { engine: Engine::Dpor(Reduction::Optimal), ..alone(asked) }
}

/// Without what only the unfolding has.
fn alone(asked: &Options) -> Options {
    Options { cutoffs: None, prefix: None, verify_states: None, ..asked.clone() }
}
