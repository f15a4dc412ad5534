//! Whether constraints on inputs can hold together.
//!
//! [`Chain`] is what the machine asks. It answers what it can by itself (what is known of a term, models that were
//! found before, answers that were given before), and only asks about the constraints that share inputs with the
//! question. What is left goes to a [`Solver`].
//!
//! **What an answer is worth.** A model is evaluated before it is believed, so a solver that is wrong about
//! *satisfiable* is found out. That something is *unsatisfiable* is believed, unless there is a second solver
//! ([`Settings::second`]), which is asked again whatever has said so. A solver that crashes, hangs, runs out of
//! its time or talks nonsense leads to [`Answer::Unknown`], and that makes the verdict at best unknown.
mod cache;
mod chain;
mod change;
mod enumerate;
mod given;
mod slice;
mod smtlib;
mod stack;
#[cfg(test)]
mod tests;
#[cfg(feature = "z3")]
mod z3;

pub use chain::{Chain, Counters};
pub use enumerate::Enumeration;
pub use smtlib::Pipe;
#[cfg(feature = "z3")]
pub use z3::Z3;

use crate::term::{Input, Model, Term, Terms};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Whether constraints can hold together.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They can, with these inputs.
    Sat(Model),
    /// They cannot.
    Unsat,
    /// It is not known, for this reason.
    Unknown(String),
}

/// A stack of constraints, and whether all of them can hold together. A constraint is a single bit that is to be 1.
pub trait Solver: Send {
    /// Begins a new level.
    fn push(&mut self);
    /// Forgets the last level with its constraints.
    fn pop(&mut self);
    /// Adds a constraint to the last level. Terms keep their meaning between calls, for the arena only grows.
    fn assert(&mut self, terms: &Terms, constraint: Term);
    /// Whether all constraints can hold together; a model has a value for each of these inputs.
    fn check(&mut self, terms: &Terms, inputs: &[(Input, u8)]) -> Answer;
}

/// Which solver to use.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Backend {
    /// The library of z3, if this binary has it; else none.
    #[default]
    Default,
    /// Trying all values of few and small inputs.
    None,
    /// A program that reads SMT-LIB from its standard input: its command line.
    Command(Vec<String>),
}

/// How constraints are solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// What is asked last.
    pub backend: Backend,
    /// How long it may think about one question.
    pub limit: Duration,
    /// What has to agree that constraints cannot hold together.
    pub second: Option<Backend>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { backend: Backend::Default, limit: Duration::from_secs(10), second: None }
    }
}

impl Backend {
    /// A solver of that kind, which may think so long about one question.
    pub fn start(&self, limit: Duration) -> Box<dyn Solver> {
        match self {
            #[cfg(feature = "z3")]
            Backend::Default => Box::new(Z3::new(limit)),
            Backend::Command(command) => Box::new(Pipe::new(command.clone(), limit)),
            #[cfg(not(feature = "z3"))]
            Backend::Default => Box::new(Enumeration::default()),
            Backend::None => Box::new(Enumeration::default()),
        }
    }
}
