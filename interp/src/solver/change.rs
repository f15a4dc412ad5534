//! Models made of others: where only one constraint does not hold, an input is changed so that it does.
use crate::term::{Input, Model, Node, Op, Term, Terms, ones};
use crate::value::mask;
use std::collections::BTreeMap;

/// How many changes are tried.
const MOST: usize = 12;

/// How many terms are looked at for them.
const STEPS: usize = 256;

/// A model like that one, in which the constraints hold, but in which the last one does, too.
pub(super) fn changed(terms: &Terms, constraints: &[Term], last: Term, model: &mut Model) -> Option<Model> {
    let mut change = Change { terms, model, found: Vec::new(), steps: 0 };
    change.want(last, true);
    let Change { model, found, .. } = change;
    found.into_iter().take(MOST).find_map(|(input, value)| {
        let mut model = model.overlaid(&Model::new(BTreeMap::from([(input, value)])));
        let mut all = std::iter::once(&last).chain(constraints);
        all.all(|constraint| terms.value(*constraint, &mut model) != 0).then_some(model)
    })
}

struct Change<'a> {
    terms: &'a Terms,
    model: &'a mut Model,
    /// Inputs with values that might do.
    found: Vec<(Input, u128)>,
    steps: usize,
}

impl Change<'_> {
    fn value(&mut self, term: Term) -> u128 {
        self.terms.value(term, self.model)
    }

    fn is_enough(&mut self) -> bool {
        self.steps += 1;
        self.steps > STEPS || self.found.len() >= MOST
    }

    /// A single bit should be that.
    fn want(&mut self, bit: Term, truth: bool) {
        if self.is_enough() || (self.value(bit) != 0) == truth {
            return;
        }
        let Node::Binary(op, a, b) = self.terms.node(bit) else { return self.aim(bit, truth.into()) };
        let width = self.terms.width(a);
        let (x, y) = (self.value(a), self.value(b));
        let up = |value: u128| mask(width, value.wrapping_add(1));
        let down = |value: u128| mask(width, value.wrapping_sub(1));
        match (op, truth) {
            (Op::Eq, true) | (Op::Ult | Op::Slt, false) => {
                self.aim(a, y);
                self.aim(b, x);
            }
            (Op::Eq, false) => {
                for (term, value) in [(a, up(x)), (a, down(x)), (b, up(y)), (b, down(y))] {
                    self.aim(term, value);
                }
            }
            (Op::Ult | Op::Slt, true) => {
                let least = if op == Op::Slt { 1 << (width - 1) } else { 0 };
                let most = down(least);
                for (term, value) in [(a, down(y)), (b, up(x)), (a, least), (b, most)] {
                    self.aim(term, value);
                }
            }
            (Op::And | Op::Or, _) if width == 1 => {
                self.want(a, truth);
                self.want(b, truth);
            }
            (Op::Xor, _) if width == 1 => {
                self.want(a, x == 0);
                self.want(b, y == 0);
            }
            _ => self.aim(bit, truth.into()),
        }
    }

    /// A term should have that value: which input has to be what, if all others stay.
    fn aim(&mut self, term: Term, wanted: u128) {
        let (mut term, mut wanted) = (term, wanted);
        loop {
            if self.is_enough() {
                return;
            }
            let width = self.terms.width(term);
            (term, wanted) = match self.terms.node(term) {
                Node::Constant(_) => return,
                Node::Input(input) => return self.found.push((input, wanted)),
                Node::Zext(a) | Node::Sext(a) => (a, mask(self.terms.width(a), wanted)),
                Node::Extract { low, of } => {
                    let rest = self.value(of) & !(ones(width) << low);
                    (of, rest | wanted << low)
                }
                Node::Concat(a, b) => {
                    let shift = self.terms.width(b);
                    self.aim(b, wanted & ones(shift));
                    (a, wanted >> shift)
                }
                Node::Ite(c, a, b) => {
                    let truth = self.value(c) != 0;
                    self.want(c, !truth);
                    (if truth { a } else { b }, wanted)
                }
                Node::Binary(op, ..) if op.compares() => return self.want(term, wanted != 0),
                Node::Binary(op, a, b) => {
                    let (x, y) = (self.value(a), self.value(b));
                    if let Some(value) = operand(op, width, wanted, y, x, false) {
                        self.aim(b, value);
                    }
                    match operand(op, width, wanted, x, y, true) {
                        Some(value) => (a, value),
                        None => return,
                    }
                }
            };
        }
    }
}

/// What an operand should be, which is `own` now, if the other one stays. (It need not be the right one.)
fn operand(op: Op, width: u8, wanted: u128, own: u128, other: u128, first: bool) -> Option<u128> {
    let value = match op {
        Op::Add => wanted.wrapping_sub(other),
        Op::Sub if first => wanted.wrapping_add(other),
        Op::Sub => other.wrapping_sub(wanted),
        Op::Xor => wanted ^ other,
        Op::And => own & !other | wanted,
        Op::Or => wanted & !other | own & other,
        Op::Mul => wanted.checked_div(other)?,
        Op::UDiv if first => wanted.wrapping_mul(other),
        Op::URem if first => (own - own.checked_rem(other)?).wrapping_add(wanted),
        Op::Shl if first && other < u128::from(width) => wanted >> other,
        Op::LShr if first && other < u128::from(width) => wanted << other | own & ((1 << other) - 1),
        _ => return None,
    };
    Some(mask(width, value))
}
