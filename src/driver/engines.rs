//! Which engines explore a program that reads inputs, and how far, if the user leaves it to us.
//!
//! Cutoffs know nothing of inputs. Without them the engine `optimal` explores no execution twice, but does not come to an end where
//! one has none. So it is given up when an execution has gone on for long; then states are visited, each once. If these are
//! too many, `optimal` goes on without such a limit.
use por::{Engine, Options, Reduction};

/// Actions of an execution that may have no end.
const LONG: u64 = 2_000;

/// States that are kept without much ado.
const MANY: u64 = 2_000_000;

/// What is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// What was asked for.
    Asked,
    /// `optimal`, up to long executions.
    Short,
    /// `states`, up to many.
    States,
    /// `optimal`.
    Long,
}

impl Turn {
    /// The first one for a program that reads inputs.
    pub(super) fn first(asked: &Options) -> Turn {
        match (asked.engine, asked.cutoffs) {
            (Engine::Unfolding, Some(_)) => Turn::Short,
            (Engine::Unfolding, None) => Turn::Long,
            _ => Turn::Asked,
        }
    }

    /// What comes behind this one, which has met its limit.
    pub(super) fn next(self) -> Option<Turn> {
        match self {
            Turn::Short => Some(Turn::States),
            Turn::States => Some(Turn::Long),
            Turn::Asked | Turn::Long => None,
        }
    }

    /// How a program that reads inputs is explored then. There are no cutoffs.
    pub(super) fn exploration(self, asked: &Options) -> Options {
        let options = Options { cutoffs: None, prefix: None, verify_states: None, ..asked.clone() };
        let optimal = Engine::Dpor(Reduction::Optimal);
        match self {
            Turn::Asked => options,
            Turn::Short => Options { engine: optimal, max_depth: LONG.min(asked.max_depth), ..options },
            Turn::States => Options { engine: Engine::States, max_states: Some(MANY), ..options },
            Turn::Long => Options { engine: optimal, ..options },
        }
    }
}
