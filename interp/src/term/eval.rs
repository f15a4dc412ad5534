//! The value of a term for given inputs.
use super::{Input, Node, Op, Term, Terms, ones};
use crate::value::{mask, sign_extend_wide};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of inputs. Those that are not mentioned are 0.
#[derive(Default, Debug)]
pub struct Model {
    values: Arc<BTreeMap<Input, u128>>,
    /// Terms that were asked for, and their parts.
    known: FxHashMap<Term, u128>,
}

impl Clone for Model {
    /// With the same values; what terms have been asked for is not known of it.
    fn clone(&self) -> Self {
        Model { values: Arc::clone(&self.values), known: FxHashMap::default() }
    }
}

impl Model {
    /// The model with these values.
    pub fn new(values: BTreeMap<Input, u128>) -> Self {
        Model { values: Arc::new(values), known: FxHashMap::default() }
    }

    /// The value of an input.
    pub fn input(&self, input: Input) -> u128 {
        self.values.get(&input).copied().unwrap_or(0)
    }

    /// The values that are mentioned.
    pub fn values(&self) -> &BTreeMap<Input, u128> {
        &self.values
    }

    /// The same, but for the inputs that the other one mentions.
    pub fn overlaid(&self, other: &Model) -> Model {
        let mut values = (*self.values).clone();
        values.extend(other.values());
        Model::new(values)
    }
}

impl Terms {
    /// The value of a term for these inputs.
    pub fn value(&self, term: Term, model: &mut Model) -> u128 {
        if let Some(&known) = model.known.get(&term) {
            return known;
        }
        // Terms may be deep, so this does not call itself.
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if model.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.node(next).parts().filter(|part| !model.known.contains_key(part)));
            if open.len() == before {
                let value = self.compute(next, model);
                model.known.insert(next, value);
                open.pop();
            }
        }
        model.known[&term]
    }

    /// The value of a term whose parts are known.
    fn compute(&self, term: Term, model: &Model) -> u128 {
        let of = |part: Term| model.known[&part];
        let width = self.width(term);
        match self.node(term) {
            Node::Constant(value) => value,
            Node::Input(input) => mask(width, model.input(input)),
            Node::Binary(op, a, b) => apply(op, self.width(a), of(a), of(b)),
            Node::Zext(a) => of(a),
            Node::Sext(a) => mask(width, sign_extend_wide(self.width(a), of(a)) as u128),
            Node::Extract { low, of: a } => of(a) >> low & ones(width),
            Node::Concat(a, b) => of(a) << self.width(b) | of(b),
            Node::Ite(c, a, b) => {
                if of(c) != 0 {
                    of(a)
                } else {
                    of(b)
                }
            }
        }
    }
}

/// An operation on two values of that width.
pub(crate) fn apply(op: Op, width: u8, a: u128, b: u128) -> u128 {
    let (x, y) = (sign_extend_wide(width, a), sign_extend_wide(width, b));
    let count = (b < u128::from(width)).then_some(b as u32);
    let result = match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if y == 0 => {
            if x < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::SDiv => x.wrapping_div(y) as u128,
        Op::SRem if y == 0 => a,
        Op::SRem => x.wrapping_rem(y) as u128,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => count.map_or(0, |n| a << n),
        Op::LShr => count.map_or(0, |n| a >> n),
        Op::AShr => (x >> count.unwrap_or(127)) as u128,
        Op::Eq => return u128::from(a == b),
        Op::Ult => return u128::from(a < b),
        Op::Slt => return u128::from(x < y),
    };
    mask(width, result)
}
