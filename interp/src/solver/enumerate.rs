//! Without a solver: trying all values of the inputs, if these are few and small.
use super::{Answer, Solver};
use crate::term::{Input, Model, Term, Terms};

/// How many bits the inputs may have together.
const MOST_BITS: u32 = 16;

/// Tries all values.
#[derive(Default, Debug)]
pub struct Enumeration {
    constraints: Vec<Term>,
    levels: Vec<usize>,
}

impl Solver for Enumeration {
    fn push(&mut self) {
        self.levels.push(self.constraints.len());
    }

    fn pop(&mut self) {
        let level = self.levels.pop().expect("every pop has its push");
        self.constraints.truncate(level);
    }

    fn assert(&mut self, _: &Terms, constraint: Term) {
        self.constraints.push(constraint);
    }

    fn check(&mut self, terms: &Terms, inputs: &[(Input, u8)]) -> Answer {
        let bits = bits(inputs);
        enumerate(terms, &self.constraints, inputs, MOST_BITS).unwrap_or_else(|| {
            Answer::Unknown(format!("there is no solver, and the inputs in question have {bits} bits"))
        })
    }
}

fn bits(inputs: &[(Input, u8)]) -> u32 {
    inputs.iter().map(|(_, width)| u32::from(*width)).sum()
}

/// Tries all values of these inputs; `None` if they have more bits than that.
pub(super) fn enumerate(terms: &Terms, constraints: &[Term], inputs: &[(Input, u8)], most: u32) -> Option<Answer> {
    let bits = bits(inputs);
    if bits > most {
        return None;
    }
    for all in 0..1u128 << bits {
        let mut rest = all;
        let value = |&(input, width): &(Input, u8)| {
            let value = crate::value::mask(width, rest);
            rest >>= width;
            (input, value)
        };
        let mut model = Model::new(inputs.iter().map(value).collect());
        if constraints.iter().all(|constraint| terms.value(*constraint, &mut model) != 0) {
            return Some(Answer::Sat(model));
        }
    }
    Some(Answer::Unsat)
}
