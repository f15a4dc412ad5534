//! A solver that is started when it is first needed, and whose stack keeps what one question has in common with the
//! last one.
use super::{Answer, Backend, Solver};
use crate::term::{Input, Term, Terms};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The solver, with what it was told.
#[derive(Default)]
pub(super) struct Stack {
    /// (Machines are shared by threads; a solver need not be.)
    solver: Mutex<Option<Box<dyn Solver>>>,
    /// Each constraint is on a level of its own.
    constraints: Vec<Term>,
}

impl Stack {
    /// Whether the constraints can hold together, as the solver of that kind says. A model is one in which they do.
    pub(super) fn ask(
        &mut self,
        (backend, limit): (&Backend, Duration),
        terms: &Terms,
        constraints: &[Term],
        inputs: &[(Input, u8)],
    ) -> Answer {
        let solver = self.solver.get_mut().unwrap_or_else(PoisonError::into_inner);
        let solver = solver.get_or_insert_with(|| backend.start(limit));
        let common = self.constraints.iter().zip(constraints).take_while(|(a, b)| a == b).count();
        for _ in common..self.constraints.len() {
            solver.pop();
        }
        self.constraints.truncate(common);
        for &constraint in &constraints[common..] {
            solver.push();
            solver.assert(terms, constraint);
            self.constraints.push(constraint);
        }
        let mut answer = solver.check(terms, inputs);
        if let Answer::Sat(model) = &mut answer
            && !constraints.iter().all(|constraint| terms.value(*constraint, model) != 0)
        {
            answer = Answer::Unknown("the solver gives a model in which the constraints do not hold".to_owned());
        }
        answer
    }
}
