//! The constraints that matter to a question.
//!
//! Constraints that share no input, not even by way of others, say nothing about one another: if each such group can
//! hold, all can. The constraints of a path can hold together, so a further one can hold with them if it can hold with
//! its group.
use crate::term::{Input, Term, Terms};
use std::collections::BTreeSet;

/// Those of the constraints that share inputs with a term, directly or by way of others, in their order.
pub(super) fn connected(terms: &Terms, constraints: &[Term], with: Term) -> Vec<Term> {
    let mut inputs: BTreeSet<Input> = terms.inputs(with).iter().copied().collect();
    let mut taken = vec![false; constraints.len()];
    loop {
        let mut grown = false;
        for (constraint, taken) in constraints.iter().zip(&mut taken).filter(|(_, taken)| !**taken) {
            let mine = terms.inputs(*constraint);
            if mine.iter().any(|input| inputs.contains(input)) {
                *taken = true;
                grown = true;
                inputs.extend(&*mine);
            }
        }
        if !grown {
            break;
        }
    }
    constraints.iter().zip(taken).filter(|(_, taken)| *taken).map(|(constraint, _)| *constraint).collect()
}

/// The inputs of constraints, sorted, with their widths.
pub(super) fn inputs(terms: &Terms, constraints: &[Term]) -> Vec<(Input, u8)> {
    let all: BTreeSet<Input> =
        constraints.iter().flat_map(|constraint| terms.inputs(*constraint).into_owned()).collect();
    all.into_iter().map(|input| (input, terms.input_width(input))).collect()
}
