//! When arithmetic on terms does not fit.
use crate::machine::Machine;
use crate::term::{Op, Term, Terms, ones};
use crate::value::sign_extend_wide;
use frontend::ir::OverflowOp;

impl Machine {
    /// Whether the result of an operation on two terms does not fit into as many bits: a single bit.
    pub(super) fn overflows(&mut self, op: OverflowOp, a: Term, b: Term) -> Term {
        let terms = &mut self.lifelong.symbols.terms;
        let width = terms.width(a);
        for (factor, other) in [(a, b), (b, a)] {
            if let (true, Some(factor)) =
                (matches!(op, OverflowOp::UMul | OverflowOp::SMul), terms.constant_value(factor))
            {
                return overflows_with_factor(terms, op, factor, other);
            }
        }
        if width > 64 {
            return self.overflows_wide(op, a, b);
        }
        let (operation, signed) = match op {
            OverflowOp::SAdd => (Op::Add, true),
            OverflowOp::SSub => (Op::Sub, true),
            OverflowOp::SMul => (Op::Mul, true),
            OverflowOp::UAdd => (Op::Add, false),
            OverflowOp::USub => return terms.binary(Op::Ult, a, b),
            OverflowOp::UMul => (Op::Mul, false),
        };
        // Wide enough for every result.
        let wide = if operation == Op::Mul { 2 * width } else { width + 1 };
        let (a, b) = match signed {
            true => (terms.sext(a, wide), terms.sext(b, wide)),
            false => (terms.zext(a, wide), terms.zext(b, wide)),
        };
        let whole = terms.binary(operation, a, b);
        let low = terms.extract(whole, 0, width);
        let back = if signed { terms.sext(low, wide) } else { terms.zext(low, wide) };
        let fits = terms.binary(Op::Eq, whole, back);
        terms.not(fits)
    }

    /// The same where there are no terms that every result fits into.
    fn overflows_wide(&mut self, op: OverflowOp, a: Term, b: Term) -> Term {
        let terms = &mut self.lifelong.symbols.terms;
        let width = terms.width(a);
        let negative = |terms: &mut Terms, term| terms.extract(term, width - 1, 1);
        match op {
            OverflowOp::UAdd => {
                let sum = terms.binary(Op::Add, a, b);
                terms.binary(Op::Ult, sum, a)
            }
            OverflowOp::USub => terms.binary(Op::Ult, a, b),
            // Two numbers of one sign have a sum of the other one; a difference as little.
            OverflowOp::SAdd => {
                let sum = terms.binary(Op::Add, a, b);
                let (first, second) = (terms.binary(Op::Xor, a, sum), terms.binary(Op::Xor, b, sum));
                let both = terms.binary(Op::And, first, second);
                negative(terms, both)
            }
            OverflowOp::SSub => {
                let difference = terms.binary(Op::Sub, a, b);
                let (first, second) = (terms.binary(Op::Xor, a, b), terms.binary(Op::Xor, a, difference));
                let both = terms.binary(Op::And, first, second);
                negative(terms, both)
            }
            // A product that fits gives back the one factor when it is divided by the other one. (By -1 the least
            // number gives itself.)
            OverflowOp::UMul | OverflowOp::SMul => {
                let (zero, minus) = (terms.constant(0, width), terms.constant(u128::MAX, width));
                let product = terms.binary(Op::Mul, a, b);
                let quotient = terms.binary(if op == OverflowOp::UMul { Op::UDiv } else { Op::SDiv }, product, a);
                let (is_zero, same) = (terms.binary(Op::Eq, a, zero), terms.binary(Op::Eq, quotient, b));
                let mut fits = terms.binary(Op::Or, is_zero, same);
                if op == OverflowOp::SMul {
                    let least = terms.constant(1 << (width - 1), width);
                    let (p, q) = (terms.binary(Op::Eq, a, minus), terms.binary(Op::Eq, b, least));
                    let (both, before) = (terms.binary(Op::And, p, q), fits);
                    let neither = terms.not(both);
                    fits = terms.binary(Op::And, before, neither);
                }
                terms.not(fits)
            }
        }
    }
}

/// Whether the product of a constant and a term does not fit: the term lies outside of an interval.
fn overflows_with_factor(terms: &mut Terms, op: OverflowOp, factor: u128, other: Term) -> Term {
    let width = terms.width(other);
    if op == OverflowOp::UMul {
        let Some(most) = ones(width).checked_div(factor) else { return terms.truth(false) };
        let most = terms.constant(most, width);
        return terms.binary(Op::Ult, most, other);
    }
    let (factor, top) = (sign_extend_wide(width, factor), ones(width) >> 1);
    let (least, most) = (-(top as i128) - 1, top as i128);
    let (low, high) = match factor {
        0 => return terms.truth(false),
        -1 => (-most, most),
        1.. => (least / factor, most / factor),
        _ => (most / factor, least / factor),
    };
    let (low, high) = (terms.constant(low as u128, width), terms.constant(high as u128, width));
    let (below, above) = (terms.binary(Op::Slt, other, low), terms.binary(Op::Slt, high, other));
    terms.binary(Op::Or, below, above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Input, Model};

    #[test]
    fn products_with_a_constant() {
        let mut terms = Terms::default();
        let x = terms.input(Input::new(0), 6);
        for (factor, value) in (0..64).flat_map(|factor| (0..64).map(move |value| (factor, value))) {
            let mut of = |op| {
                let over = overflows_with_factor(&mut terms, op, factor, x);
                terms.value(over, &mut Model::new([(Input::new(0), value)].into())) != 0
            };
            assert_eq!(of(OverflowOp::UMul), factor * value >= 64, "{factor} · {value}");
            let product = sign_extend_wide(6, factor) * sign_extend_wide(6, value);
            assert_eq!(of(OverflowOp::SMul), !(-32..32).contains(&product), "{factor} · {value}");
        }
    }
}
