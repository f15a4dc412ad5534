//! What is known of a term's value, whatever the inputs are.
use super::{Node, Op, Term, Terms, ones};

/// Known bits and an interval. Each possible value v has `v & zeros == 0`, `v & ones == ones` and `low <= v <= high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// Bits that are always 0.
    pub(crate) zeros: u128,
    /// Bits that are always 1.
    pub(crate) ones: u128,
    /// No value is less.
    pub(crate) low: u128,
    /// No value is more.
    pub(crate) high: u128,
}

impl Facts {
    /// Nothing is known.
    pub(crate) fn nothing(width: u8) -> Facts {
        Facts { zeros: !ones(width), ones: 0, low: 0, high: ones(width) }
    }

    /// That value.
    pub(crate) fn exactly(value: u128) -> Facts {
        Facts { zeros: !value, ones: value, low: value, high: value }
    }

    /// Whether no value is possible.
    pub(crate) fn is_contradiction(self) -> bool {
        self.low > self.high || self.zeros & self.ones != 0
    }

    /// The value, if there is only one.
    pub(crate) fn only_value(self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether the value is possible as far as is known.
    pub(crate) fn contain(self, value: u128) -> bool {
        value & self.zeros == 0 && value & self.ones == self.ones && (self.low..=self.high).contains(&value)
    }

    /// Whether the bit is known, and what it is.
    pub(crate) fn bit(self, bit: u8) -> Option<bool> {
        match (self.zeros >> bit & 1 != 0, self.ones >> bit & 1 != 0) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }

    /// How many of the lowest bits are always 0.
    pub(crate) fn trailing_zeros(self) -> u32 {
        self.zeros.trailing_ones()
    }

    /// Only these bits are known.
    pub(crate) fn bits(zeros: u128, ones: u128) -> Facts {
        Facts { zeros, ones, low: 0, high: u128::MAX }
    }

    /// Only this interval is known.
    pub(crate) fn interval(low: u128, high: u128) -> Facts {
        Facts { zeros: 0, ones: 0, low, high }
    }

    /// Both hold.
    pub(crate) fn and(self, other: Facts) -> Facts {
        Facts {
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// One of them holds.
    pub(crate) fn or(self, other: Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The same, with what bits and interval say of one another.
    pub(crate) fn settled(mut self) -> Facts {
        self.low = self.low.max(self.ones);
        self.high = self.high.min(!self.zeros);
        // The bits above the highest in which the ends differ are the same between them.
        let same = u128::MAX.checked_shl(128 - (self.low ^ self.high).leading_zeros()).unwrap_or(0);
        self.ones |= self.low & same;
        self.zeros |= !self.low & same;
        self
    }

    /// What is known of a term of that width made of that, whatever its inputs are.
    pub(crate) fn of(terms: &Terms, node: Node, width: u8) -> Facts {
        Facts::with(terms, node, width, |term| terms.facts(term))
    }

    /// The same, if that is known of its parts.
    pub(crate) fn with(terms: &Terms, node: Node, width: u8, fact: impl Fn(Term) -> Facts) -> Facts {
        let all = Facts::nothing(width);
        let known = match node {
            Node::Constant(value) => return Facts::exactly(value),
            Node::Input(_) => all,
            Node::Zext(a) => fact(a),
            Node::Sext(a) => sext(fact(a), terms.width(a), width),
            Node::Extract { low, of } => {
                let Facts { zeros, ones: set, high, .. } = fact(of);
                let bits = Facts::bits(zeros >> low, set >> low & ones(width));
                // What has only so many bits keeps its interval.
                if low == 0 && high <= ones(width) { bits.and(fact(of)) } else { bits }
            }
            Node::Concat(a, b) => {
                let shift = terms.width(b);
                let (a, b) = (fact(a), fact(b));
                let low_zeros = b.zeros & ones(shift);
                let bits = Facts::bits(a.zeros << shift | low_zeros, a.ones << shift | b.ones);
                bits.and(Facts::interval(a.low << shift | b.low, a.high << shift | b.high))
            }
            Node::Ite(_, a, b) => fact(a).or(fact(b)),
            Node::Binary(op, a, b) => binary(op, width, fact(a), fact(b)),
        };
        known.and(all).settled()
    }
}

fn sext(a: Facts, from: u8, width: u8) -> Facts {
    let front = ones(width) & !ones(from);
    match a.bit(from - 1) {
        Some(false) => a,
        Some(true) => {
            let bits = Facts::bits(a.zeros & ones(from), a.ones | front);
            bits.and(Facts::interval(a.low | front, a.high | front))
        }
        None => Facts::bits(a.zeros & ones(from), a.ones),
    }
}

fn binary(op: Op, width: u8, a: Facts, b: Facts) -> Facts {
    let nothing = Facts::nothing(width);
    let top = ones(width);
    // The lowest bits that are 0 in the result, at least.
    let tail = |zeros: u32| Facts::bits(u128::MAX.checked_shl(zeros).map_or(u128::MAX, |rest| !rest), 0);
    match op {
        Op::And => Facts::bits(a.zeros | b.zeros, a.ones & b.ones).and(Facts::interval(0, a.high.min(b.high))),
        Op::Or => Facts::bits(a.zeros & b.zeros, a.ones | b.ones).and(Facts::interval(a.low.max(b.low), u128::MAX)),
        Op::Xor => Facts::bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        Op::Add => {
            let low = tail(a.trailing_zeros().min(b.trailing_zeros()));
            match a.high.checked_add(b.high) {
                Some(high) if high <= top => low.and(Facts::interval(a.low + b.low, high)),
                _ => low,
            }
        }
        Op::Sub => {
            let low = tail(a.trailing_zeros().min(b.trailing_zeros()));
            if a.low >= b.high { low.and(Facts::interval(a.low - b.high, a.high - b.low)) } else { low }
        }
        Op::Mul => {
            let low = tail((a.trailing_zeros() + b.trailing_zeros()).min(128));
            match a.high.checked_mul(b.high) {
                Some(high) if high <= top => low.and(Facts::interval(a.low * b.low, high)),
                _ => low,
            }
        }
        Op::UDiv if b.low > 0 => Facts::interval(a.low / b.high, a.high / b.low),
        Op::URem if b.low > 0 => Facts::interval(0, a.high.min(b.high - 1)),
        Op::LShr => Facts::interval(0, a.high),
        _ => nothing,
    }
}
