//! Which engines explore a program, one after the other, and how far, if the user leaves it to us.
//!
//! For a program that reads inputs: cutoffs know nothing of inputs. Without them the engine `optimal` explores no
//! execution twice, but does not come to an end where one has none. So it is given up when an execution has gone on for
//! long; then states are visited, each once. If these are too many, `optimal` goes on without such a limit.
//!
//! Beside any of them others explore the program ([`super::beside`]). One that finds something wrong explores it alone.
use super::beside::{self, optimal, sequences, states};
use por::{Engine, Options, Reduction};

/// Actions of an execution that may have no end.
const LONG: u64 = 2_000;

/// States after which `optimal` goes on instead.
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
    /// This one, which has found something wrong beside the one before.
    Found(Engine),
    /// What was asked for, with nothing beside it.
    Alone,
}

impl Turn {
    /// The first one for a program that reads inputs, if the engine is ours to choose.
    pub(super) fn first(asked: &Options) -> Turn {
        if asked.cutoffs.is_some() { Turn::Short } else { Turn::Long }
    }

    /// What comes after this one, which has met its limit.
    pub(super) fn next(self, reads_inputs: bool) -> Option<Turn> {
        match self {
            Turn::Short => Some(Turn::States),
            Turn::States => Some(Turn::Long),
            Turn::Found(_) => Some(if reads_inputs { Turn::Long } else { Turn::Alone }),
            Turn::Asked | Turn::Long | Turn::Alone => None,
        }
    }

    /// Whether others explore beside this one.
    pub(super) fn has_company(self) -> bool {
        matches!(self, Turn::Asked | Turn::Short | Turn::Long)
    }

    /// How a program is explored then. If it reads inputs, there are no cutoffs.
    pub(super) fn exploration(self, asked: &Options, reads_inputs: bool) -> Options {
        let options = match reads_inputs {
            true => Options { cutoffs: None, prefix: None, verify_states: None, ..asked.clone() },
            false => asked.clone(),
        };
        match self {
            Turn::Asked | Turn::Alone => options,
            Turn::Short => Options { max_depth: LONG.min(asked.max_depth), ..optimal(asked) },
            Turn::States => states(asked, MANY),
            Turn::Found(Engine::States) => states(asked, beside::MANY),
            Turn::Found(engine) => sequences(asked, engine),
            Turn::Long => optimal(asked),
        }
    }
}

/// The name of an engine, as for `--engine`.
pub(super) fn name(engine: Engine) -> &'static str {
    match engine {
        Engine::Unfolding => "unfolding",
        Engine::Dpor(Reduction::Source) => "source",
        Engine::Dpor(Reduction::Optimal) => "optimal",
        Engine::Dpor(Reduction::Observers) => "observers",
        Engine::States => "states",
        Engine::Naive => "naive",
    }
}
