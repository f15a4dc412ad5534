//! Making terms: each is simplified by rules that hold for all values.
//!
//! Forms that terms are brought to: constants are the second operand of what commutes; moving bits around (shifts by
//! constants, masks of low bits) is extraction, concatenation and extension; concatenations lean to the right; a
//! comparison is made of `Eq`, `Ult` and `Slt` only, and its negation is `Xor` with 1. The rules are tried from top to
//! bottom, and what they make is simplified again. Each makes a term with fewer operations, or one that is nearer to
//! these forms.
use super::eval::apply;
use super::{Input, Node, Op, Term, Terms, ones};
use crate::value::{mask, sign_extend_wide};

/// Constants between which a term may choose that is computed with as these.
const MOST_CHOICES: u32 = 32;

impl Terms {
    /// That value, of 1 to 128 bits.
    pub fn constant(&mut self, value: u128, width: u8) -> Term {
        self.intern(Node::Constant(mask(width, value)), width)
    }

    /// That input. The same one always has the same width.
    pub fn input(&mut self, input: Input, width: u8) -> Term {
        let index = input.0 as usize;
        if self.input_widths.len() <= index {
            self.input_widths.resize(index + 1, 0);
        }
        debug_assert!([0, width].contains(&self.input_widths[index]), "an input has one width");
        self.input_widths[index] = width;
        self.intern(Node::Input(input), width)
    }

    /// 0 or 1, one bit.
    pub fn truth(&mut self, value: bool) -> Term {
        self.constant(u128::from(value), 1)
    }

    /// The opposite of a single bit.
    pub fn not(&mut self, a: Term) -> Term {
        let one = self.truth(true);
        self.binary(Op::Xor, a, one)
    }

    /// An operation on two terms of the same width.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands of {op:?}");
        let result = if op.compares() { 1 } else { width };
        let (x, y) = (self.constant_value(a), self.constant_value(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.constant(apply(op, width, x, y), result);
        }
        // Constants behind, else the older term in front.
        let (a, b) = match op.commutes() && (x.is_some() || y.is_none() && b < a) {
            true => (b, a),
            false => (a, b),
        };
        let simpler = match self.constant_value(b) {
            Some(constant) => self.with_constant(op, a, constant, width),
            None => self.with_term(op, a, b, width),
        };
        simpler.unwrap_or_else(|| self.intern(Node::Binary(op, a, b), result))
    }

    /// Zeros in front, up to that width.
    pub fn zext(&mut self, a: Term, width: u8) -> Term {
        match self.node(a) {
            _ if self.width(a) == width => a,
            Node::Constant(value) => self.constant(value, width),
            Node::Zext(inner) => self.zext(inner, width),
            Node::Ite(c, x, y) if self.is_table(a) => {
                let (x, y) = (self.zext(x, width), self.zext(y, width));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Zext(a), width),
        }
    }

    /// Copies of the sign in front, up to that width.
    pub fn sext(&mut self, a: Term, width: u8) -> Term {
        let from = self.width(a);
        match self.node(a) {
            _ if from == width => a,
            Node::Constant(value) => self.constant(sign_extend_wide(from, value) as u128, width),
            _ if self.facts(a).bit(from - 1) == Some(false) => self.zext(a, width),
            Node::Sext(inner) => self.sext(inner, width),
            Node::Ite(c, x, y) if self.is_table(a) => {
                let (x, y) = (self.sext(x, width), self.sext(y, width));
                self.ite(c, x, y)
            }
            _ => self.intern(Node::Sext(a), width),
        }
    }

    /// `width` bits from bit `low` on.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        let from = self.width(a);
        debug_assert!(width > 0 && low + width <= from, "{width} bits from {low} on of {from}");
        if width == from {
            return a;
        }
        match self.node(a) {
            Node::Constant(value) => self.constant(value >> low, width),
            Node::Extract { low: inner, of } => self.extract(of, inner + low, width),
            Node::Concat(high, rest) => {
                let shift = self.width(rest);
                if low >= shift {
                    self.extract(high, low - shift, width)
                } else if low + width <= shift {
                    self.extract(rest, low, width)
                } else {
                    let rest = self.extract(rest, low, shift - low);
                    let high = self.extract(high, 0, low + width - shift);
                    self.concat(high, rest)
                }
            }
            Node::Zext(inner) => match self.width(inner) {
                have if low + width <= have => self.extract(inner, low, width),
                have if low >= have => self.constant(0, width),
                have => {
                    let part = self.extract(inner, low, have - low);
                    self.zext(part, width)
                }
            },
            Node::Sext(inner) => match self.width(inner) {
                have if low + width <= have => self.extract(inner, low, width),
                have if low < have => {
                    let part = self.extract(inner, low, have - low);
                    self.sext(part, width)
                }
                have => {
                    let sign = self.extract(inner, have - 1, 1);
                    self.sext(sign, width)
                }
            },
            Node::Ite(c, x, y) if self.is_table(a) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                self.ite(c, x, y)
            }
            Node::Binary(op @ (Op::And | Op::Or | Op::Xor), x, y) => self.narrowed(op, (x, y), low, width),
            // Low bits do not know of higher ones.
            Node::Binary(op @ (Op::Add | Op::Sub | Op::Mul), x, y)
                if low == 0 && [x, y].iter().any(|part| self.is_extended(*part)) =>
            {
                self.narrowed(op, (x, y), 0, width)
            }
            _ => self.intern(Node::Extract { low, of: a }, width),
        }
    }

    /// The first in front of the second.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        let shift = self.width(low);
        match (self.node(high), self.node(low)) {
            (Node::Constant(x), Node::Constant(y)) => self.constant(x << shift | y, width),
            (Node::Constant(0), _) => self.zext(low, width),
            (Node::Concat(first, second), _) => {
                let rest = self.concat(second, low);
                self.concat(first, rest)
            }
            (Node::Extract { low: above, of: a }, Node::Extract { low: below, of: b })
                if a == b && above == below + shift =>
            {
                self.extract(a, below, width)
            }
            (Node::Extract { low: above, of: a }, Node::Concat(second, rest)) => match self.node(second) {
                Node::Extract { low: below, of: b } if a == b && above == below + self.width(second) => {
                    let both = self.width(high) + self.width(second);
                    let front = self.extract(a, below, both);
                    self.concat(front, rest)
                }
                _ => self.intern(Node::Concat(high, low), width),
            },
            _ => self.intern(Node::Concat(high, low), width),
        }
    }

    /// `a` if the single bit `c` is 1, else `b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!((self.width(c), width), (1, self.width(b)));
        if let Some(value) = self.constant_value(c) {
            return if value != 0 { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Binary(Op::Xor, inner, one) = self.node(c)
            && self.constant_value(one).is_some()
        {
            return self.ite(inner, b, a);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(1), Some(0)) => self.zext(c, width),
            (Some(0), Some(1)) => {
                let c = self.not(c);
                self.zext(c, width)
            }
            _ => self.intern(Node::Ite(c, a, b), width),
        }
    }

    /// Whether it is a choice between constants, not too many: what is done with it is done with these.
    fn is_table(&self, a: Term) -> bool {
        let (mut open, mut left) = (vec![a], MOST_CHOICES);
        while let Some(next) = open.pop() {
            match self.node(next) {
                Node::Constant(_) if left > 0 => left -= 1,
                Node::Ite(_, x, y) => open.extend([x, y]),
                _ => return false,
            }
        }
        true
    }

    /// Whether narrowing it makes it smaller.
    fn is_extended(&self, a: Term) -> bool {
        matches!(self.node(a), Node::Zext(_) | Node::Sext(_) | Node::Constant(_))
    }

    fn narrowed(&mut self, op: Op, (x, y): (Term, Term), low: u8, width: u8) -> Term {
        let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
        self.binary(op, x, y)
    }

    /// A simpler term for an operation on two terms of which the second is no constant.
    fn with_term(&mut self, op: Op, a: Term, b: Term, width: u8) -> Option<Term> {
        if a == b {
            return match op {
                Op::Sub | Op::Xor => Some(self.constant(0, width)),
                Op::And | Op::Or => Some(a),
                Op::Eq => Some(self.truth(true)),
                Op::Ult | Op::Slt => Some(self.truth(false)),
                _ => None,
            };
        }
        if let Some(x) = self.constant_value(a) {
            match (op, x) {
                (Op::Shl | Op::LShr | Op::AShr, 0) => return Some(a),
                // 0 < b: b is not 0.
                (Op::Ult, 0) => {
                    let equal = self.binary(Op::Eq, b, a);
                    return Some(self.not(equal));
                }
                (Op::Slt, _) => {
                    if let Some(narrow) = self.narrow_signed(b, x, width) {
                        return Some(match narrow {
                            Err(below) => self.truth(!below),
                            Ok((inner, x)) => {
                                let x = self.constant(x, self.width(inner));
                                self.binary(Op::Slt, x, inner)
                            }
                        });
                    }
                }
                _ => {}
            }
        }
        if let Some(decided) = self.decided(op, a, b, width) {
            return Some(decided);
        }
        match (op, self.node(a), self.node(b)) {
            // (x + y) - x
            (Op::Sub, Node::Binary(Op::Add, x, y), _) if x == b => Some(y),
            (Op::Sub, Node::Binary(Op::Add, x, y), _) if y == b => Some(x),
            (Op::Eq | Op::Ult, Node::Zext(x), Node::Zext(y)) if self.width(x) == self.width(y) => {
                Some(self.binary(op, x, y))
            }
            (Op::Eq | Op::Ult | Op::Slt, Node::Sext(x), Node::Sext(y)) if self.width(x) == self.width(y) => {
                Some(self.binary(op, x, y))
            }
            _ => None,
        }
    }

    /// A simpler term for an operation on a term and a constant.
    fn with_constant(&mut self, op: Op, a: Term, y: u128, width: u8) -> Option<Term> {
        let top = ones(width);
        let zero = |terms: &mut Terms| Some(terms.constant(0, width));
        match (op, y) {
            (Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::AShr, 0) => return Some(a),
            (Op::Mul | Op::UDiv | Op::SDiv, 1) if width > 1 || op != Op::SDiv => return Some(a),
            (Op::Mul | Op::And, 0) => return zero(self),
            (Op::URem, 1) => return zero(self),
            (Op::And, _) if y == top => return Some(a),
            (Op::Or, _) if y == top => return Some(self.constant(y, width)),
            (Op::Ult, 0) => return Some(self.truth(false)),
            (Op::Ult, 1) => {
                let zero = self.constant(0, width);
                return Some(self.binary(Op::Eq, a, zero));
            }
            (Op::Sub, _) => {
                let minus = self.constant(y.wrapping_neg(), width);
                return Some(self.binary(Op::Add, a, minus));
            }
            (Op::Mul, _) if y.is_power_of_two() => {
                let count = self.constant(y.trailing_zeros().into(), width);
                return Some(self.binary(Op::Shl, a, count));
            }
            (Op::UDiv, _) if y.is_power_of_two() => {
                let count = self.constant(y.trailing_zeros().into(), width);
                return Some(self.binary(Op::LShr, a, count));
            }
            (Op::URem, _) if y.is_power_of_two() => {
                let low = self.constant(y - 1, width);
                return Some(self.binary(Op::And, a, low));
            }
            (Op::Shl | Op::LShr, _) if y >= width.into() => return zero(self),
            (Op::Shl, _) => {
                let kept = self.extract(a, 0, width - y as u8);
                let zeros = self.constant(0, y as u8);
                return Some(self.concat(kept, zeros));
            }
            (Op::LShr, _) => {
                let kept = self.extract(a, y as u8, width - y as u8);
                return Some(self.zext(kept, width));
            }
            (Op::AShr, _) => {
                let y = y.min(u128::from(width) - 1) as u8;
                let kept = self.extract(a, y, width - y);
                return Some(self.sext(kept, width));
            }
            // A mask of the lowest bits.
            (Op::And, _) if y & (y + 1) == 0 => {
                let kept = self.extract(a, 0, y.trailing_ones() as u8);
                return Some(self.zext(kept, width));
            }
            // All bits that are not kept are 0 anyway.
            (Op::And, _) if (y | self.facts(a).zeros) & top == top => return Some(a),
            _ => {}
        }
        let b = self.constant(y, width);
        if let Some(decided) = self.decided(op, a, b, width) {
            return Some(decided);
        }
        self.through_constant(op, a, y, width)
    }

    /// The same, looking at what the term is made of.
    fn through_constant(&mut self, op: Op, a: Term, y: u128, width: u8) -> Option<Term> {
        match (op, self.node(a)) {
            (Op::Add | Op::And | Op::Or | Op::Xor, Node::Binary(inner, x, second)) if inner == op => {
                let other = self.constant_value(second)?;
                let both = self.constant(apply(op, width, other, y), width);
                Some(self.binary(op, x, both))
            }
            (_, Node::Ite(c, p, q)) if self.is_table(a) => {
                let b = self.constant(y, width);
                let (p, q) = (self.binary(op, p, b), self.binary(op, q, b));
                Some(self.ite(c, p, q))
            }
            (Op::Eq, node) => self.equals(a, node, y, width),
            (Op::Ult, Node::Zext(x)) => {
                // (A constant that is too large has been decided by what is known of `a`.)
                let y = self.constant(y, self.width(x));
                Some(self.binary(Op::Ult, x, y))
            }
            (Op::Slt, _) => {
                let narrow = self.narrow_signed(a, y, width)?;
                Some(match narrow {
                    Err(below) => self.truth(below),
                    Ok((inner, y)) => {
                        let y = self.constant(y, self.width(inner));
                        self.binary(Op::Slt, inner, y)
                    }
                })
            }
            _ => None,
        }
    }

    /// For a sign-extended term that is compared with a constant: the term that was extended and the constant in its
    /// width; or whether the term is less than the constant, if that is out of its reach.
    fn narrow_signed(&self, a: Term, constant: u128, width: u8) -> Option<Result<(Term, u128), bool>> {
        let Node::Sext(inner) = self.node(a) else { return None };
        let (from, constant) = (self.width(inner), sign_extend_wide(width, constant));
        let most = (ones(from) >> 1) as i128;
        Some(match constant {
            _ if constant > most => Err(true),
            _ if constant < -most - 1 => Err(false),
            _ => Ok((inner, mask(from, constant as u128))),
        })
    }

    /// Whether a term is that constant.
    fn equals(&mut self, a: Term, node: Node, y: u128, width: u8) -> Option<Term> {
        match node {
            _ if width == 1 => Some(if y == 1 { a } else { self.not(a) }),
            Node::Zext(x) => {
                let y = self.constant(y, self.width(x));
                Some(self.binary(Op::Eq, x, y))
            }
            Node::Sext(x) => {
                let from = self.width(x);
                if mask(width, sign_extend_wide(from, mask(from, y)) as u128) != y {
                    return Some(self.truth(false));
                }
                let y = self.constant(y, from);
                Some(self.binary(Op::Eq, x, y))
            }
            Node::Concat(high, low) => {
                let shift = self.width(low);
                let (p, q) = (self.constant(y >> shift, self.width(high)), self.constant(y, shift));
                let (p, q) = (self.binary(Op::Eq, high, p), self.binary(Op::Eq, low, q));
                Some(self.binary(Op::And, p, q))
            }
            Node::Binary(Op::Sub, p, q) if y == 0 => Some(self.binary(Op::Eq, p, q)),
            Node::Binary(op @ (Op::Add | Op::Xor), x, second) => {
                let other = self.constant_value(second)?;
                let rest = if op == Op::Add { y.wrapping_sub(other) } else { y ^ other };
                let rest = self.constant(rest, width);
                Some(self.binary(Op::Eq, x, rest))
            }
            Node::Ite(c, p, q) => {
                let (first, chosen, other, c) = match (self.constant_value(p), self.constant_value(q)) {
                    (Some(first), _) => (first, p, q, c),
                    (_, Some(first)) => (first, q, p, self.not(c)),
                    _ => return None,
                };
                debug_assert_ne!(chosen, other);
                let y_term = self.constant(y, width);
                let otherwise = self.binary(Op::Eq, other, y_term);
                Some(if first == y {
                    self.binary(Op::Or, c, otherwise)
                } else {
                    let c = self.not(c);
                    self.binary(Op::And, c, otherwise)
                })
            }
            _ => None,
        }
    }

    /// A comparison that what is known of its operands decides.
    fn decided(&mut self, op: Op, a: Term, b: Term, width: u8) -> Option<Term> {
        let (x, y) = (self.facts(a), self.facts(b));
        let result = match op {
            Op::Eq => {
                let differ = (x.zeros & y.ones | x.ones & y.zeros) != 0 || x.high < y.low || y.high < x.low;
                differ.then_some(false)?
            }
            Op::Ult if x.high < y.low => true,
            Op::Ult if x.low >= y.high => false,
            Op::Slt => match (x.bit(width - 1), y.bit(width - 1)) {
                (Some(true), Some(false)) => true,
                (Some(false), Some(true)) => false,
                // Of the same sign, signed and unsigned order are one.
                (Some(p), Some(q)) if p == q => return Some(self.binary(Op::Ult, a, b)),
                _ => return None,
            },
            _ => return None,
        };
        Some(self.truth(result))
    }
}
