//! What constraints say of terms: known bits and intervals, from constraints down to inputs, and up again to others.
//!
//! Nothing is lost by knowing less: if no value is left for a term, the constraints cannot hold together, and else it
//! is not known whether they can.
use crate::term::{Facts, Node, Op, Term, Terms, apply, ones};
use crate::value::mask;
use rustc_hash::FxHashMap;

/// How many constraints are looked at, the last ones.
const MOST: usize = 64;

/// How often, for what is learned from one of them may matter to one before.
const ROUNDS: usize = 2;

/// How many terms are learned about in all.
const STEPS: usize = 4096;

/// What is known if some constraints hold.
pub(super) struct Given<'a> {
    terms: &'a Terms,
    /// By term, what is known besides what follows from its parts.
    known: FxHashMap<Term, Facts>,
    /// What follows, as far as it was worked out since something was learned.
    all: FxHashMap<Term, Facts>,
    /// What is yet to be learned.
    open: Vec<(Term, Facts)>,
    steps: usize,
}

/// The constraints cannot hold together.
struct Contradiction;

impl<'a> Given<'a> {
    /// Whether it is seen that the constraints cannot hold together.
    pub(super) fn excludes(terms: &'a Terms, constraints: &[Term]) -> bool {
        let known = FxHashMap::default();
        let mut given = Given { terms, known, all: FxHashMap::default(), open: Vec::new(), steps: STEPS };
        let last = &constraints[constraints.len().saturating_sub(MOST)..];
        (0..ROUNDS).any(|_| last.iter().any(|constraint| given.learn(*constraint).is_err()))
    }

    /// What is known of a term.
    fn facts(&mut self, term: Term) -> Result<Facts, Contradiction> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.all.contains_key(&next) {
                open.pop();
                continue;
            }
            let before = open.len();
            let node = self.terms.node(next);
            open.extend(node.parts().filter(|part| !self.all.contains_key(part)));
            if open.len() == before {
                let facts = self.work_out(next, node);
                if facts.is_contradiction() {
                    return Err(Contradiction);
                }
                self.all.insert(next, facts);
                open.pop();
            }
        }
        Ok(self.all[&term])
    }

    /// What is known of a term if that is known of its parts.
    fn work_out(&self, term: Term, node: Node) -> Facts {
        let width = self.terms.width(term);
        let of = |part: Term| self.all[&part];
        let made = match node {
            Node::Binary(op, a, b) => match (of(a).only_value(), of(b).only_value()) {
                (Some(x), Some(y)) => Facts::exactly(apply(op, self.terms.width(a), x, y)),
                _ if op.compares() => compared(op, self.terms.width(a), of(a), of(b))
                    .map_or_else(|| Facts::nothing(1), |truth| Facts::exactly(truth.into())),
                _ => Facts::with(self.terms, node, width, of),
            },
            Node::Ite(c, a, b) => match of(c).only_value() {
                Some(0) => of(b),
                Some(_) => of(a),
                None => of(a).or(of(b)),
            },
            _ => Facts::with(self.terms, node, width, of),
        };
        let known = self.known.get(&term).copied().unwrap_or(Facts::nothing(width));
        made.and(known).and(self.terms.facts(term)).settled()
    }

    /// Learns that a single bit is 1.
    fn learn(&mut self, bit: Term) -> Result<(), Contradiction> {
        self.open.push((bit, Facts::exactly(1)));
        while let Some((term, news)) = self.open.pop() {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                self.open.clear();
                return Ok(());
            }
            let old = self.facts(term)?;
            let now = old.and(news).settled();
            if now.is_contradiction() {
                return Err(Contradiction);
            }
            if now != old {
                self.known.insert(term, now);
                self.all.clear();
            }
            // (What a truth value says of its parts may have become more, though it is the same.)
            if now != old || self.terms.width(term) == 1 {
                self.spread(term, now)?;
            }
        }
        Ok(())
    }

    /// What the facts about a term say of its parts.
    fn spread(&mut self, term: Term, now: Facts) -> Result<(), Contradiction> {
        let width = |part: Term| self.terms.width(part);
        match self.terms.node(term) {
            Node::Constant(_) | Node::Input(_) => {}
            Node::Zext(a) => self.open.push((a, now)),
            Node::Sext(a) => {
                let own = ones(width(a));
                let bits = Facts::bits(now.zeros & own, now.ones & own);
                let is_positive = now.high <= own >> 1;
                let news = if is_positive { bits.and(Facts::interval(now.low, now.high)) } else { bits };
                self.open.push((a, news));
            }
            Node::Extract { low, of } => {
                let own = ones(width(term));
                self.open.push((of, Facts::bits((now.zeros & own) << low, now.ones << low)));
            }
            Node::Concat(a, b) => {
                let shift = width(b);
                let own = ones(shift);
                let front = Facts::bits(now.zeros >> shift, now.ones >> shift);
                let back = Facts::bits(now.zeros & own, now.ones & own);
                self.open.push((a, front.and(Facts::interval(now.low >> shift, now.high >> shift))));
                self.open.push((b, back));
            }
            Node::Ite(c, a, b) => {
                let can = |facts: Facts| !facts.and(now).settled().is_contradiction();
                match (can(self.facts(a)?), can(self.facts(b)?)) {
                    (false, false) => return Err(Contradiction),
                    (true, false) => self.open.extend([(c, Facts::exactly(1)), (a, now)]),
                    (false, true) => self.open.extend([(c, Facts::exactly(0)), (b, now)]),
                    (true, true) => {}
                }
            }
            Node::Binary(op, a, b) => {
                let (x, y) = (self.facts(a)?, self.facts(b)?);
                let width = width(a);
                if op.compares() {
                    let Some(truth) = now.only_value() else { return Ok(()) };
                    let (of_a, of_b) = comparison(op, width, truth != 0, x, y).ok_or(Contradiction)?;
                    self.open.extend([(a, of_a), (b, of_b)]);
                } else {
                    let of_a = operand(op, width, now, x, y).ok_or(Contradiction)?;
                    self.open.push((a, of_a));
                    let of_b = match op {
                        // b = a - result.
                        Op::Sub => match (x.only_value(), now.only_value()) {
                            (Some(x), Some(now)) => Facts::exactly(mask(width, x.wrapping_sub(now))),
                            _ => return Ok(()),
                        },
                        Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul => {
                            operand(op, width, now, y, x).ok_or(Contradiction)?
                        }
                        _ => return Ok(()),
                    };
                    self.open.push((b, of_b));
                }
            }
        }
        Ok(())
    }
}

/// What is known of the first operand, given the result; `None`: there is no such operand.
fn operand(op: Op, width: u8, now: Facts, a: Facts, b: Facts) -> Option<Facts> {
    let top = ones(width);
    Some(match op {
        Op::And => Facts::bits(now.zeros & b.ones, now.ones),
        Op::Or => Facts::bits(now.zeros, now.ones & b.zeros),
        Op::Xor => Facts::bits(now.zeros & b.zeros | now.ones & b.ones, now.ones & b.zeros | now.zeros & b.ones),
        Op::Add | Op::Sub => match (now.only_value(), b.only_value()) {
            (Some(now), Some(b)) if op == Op::Add => Facts::exactly(mask(width, now.wrapping_sub(b))),
            (Some(now), Some(b)) => Facts::exactly(mask(width, now.wrapping_add(b))),
            _ if op == Op::Add && a.high.checked_add(b.high).is_some_and(|high| high <= top) => {
                Facts::interval(now.low.saturating_sub(b.high), now.high.checked_sub(b.low)?)
            }
            _ => Facts::nothing(width),
        },
        Op::Mul if b.low > 0 && a.high.checked_mul(b.high).is_some_and(|high| high <= top) => {
            Facts::interval(now.low.div_ceil(b.high), now.high / b.low)
        }
        _ => Facts::nothing(width),
    })
}

/// Whether a comparison holds, if that is known.
fn compared(op: Op, width: u8, a: Facts, b: Facts) -> Option<bool> {
    if op == Op::Eq {
        return a.and(b).settled().is_contradiction().then_some(false);
    }
    let (a, b) =
        if op == Op::Slt { (ordered(width, a), ordered(width, b)) } else { ((a.low, a.high), (b.low, b.high)) };
    match () {
        () if a.1 < b.0 => Some(true),
        () if a.0 >= b.1 => Some(false),
        () => None,
    }
}

/// What is known of both operands, given whether the comparison holds; `None`: there are none.
fn comparison(op: Op, width: u8, truth: bool, a: Facts, b: Facts) -> Option<(Facts, Facts)> {
    if op == Op::Eq {
        return Some(if truth { (b, a) } else { (other_than(width, b, a), other_than(width, a, b)) });
    }
    let signed = op == Op::Slt;
    let (x, y) = if signed { (ordered(width, a), ordered(width, b)) } else { ((a.low, a.high), (b.low, b.high)) };
    let (of_a, of_b) = match truth {
        true => ((0, y.1.checked_sub(1)?), (x.0.checked_add(1).filter(|low| *low <= ones(width))?, ones(width))),
        false => ((y.0, ones(width)), (0, x.1)),
    };
    let back = |(low, high)| if signed { unordered(width, low, high) } else { Facts::interval(low, high) };
    Some((back(of_a), back(of_b)))
}

/// What is known of that value by its not being the other one.
fn other_than(width: u8, other: Facts, value: Facts) -> Facts {
    match other.only_value() {
        Some(other) if value.low == other && other < ones(width) => Facts::interval(other + 1, ones(width)),
        Some(other) if value.high == other && other > 0 => Facts::interval(0, other - 1),
        _ => Facts::nothing(width),
    }
}

/// The interval of signed numbers, moved so that the least one is 0.
fn ordered(width: u8, facts: Facts) -> (u128, u128) {
    let sign = 1 << (width - 1);
    match facts.low >= sign || facts.high < sign {
        true => (facts.low ^ sign, facts.high ^ sign),
        false => (0, ones(width)),
    }
}

/// The facts that such an interval means.
fn unordered(width: u8, low: u128, high: u128) -> Facts {
    let sign = 1 << (width - 1);
    match low >= sign || high < sign {
        true => Facts::interval(low ^ sign, high ^ sign),
        false => Facts::nothing(width),
    }
}
