//! Values that depend on the program's inputs, as terms.
//!
//! A [`Term`] is a bit-vector of 1 to 128 bits: a constant, an input, or an operation on smaller terms. Terms are
//! *hash-consed* in an arena: equal terms have equal numbers, so that comparing two costs nothing. The arena only
//! grows; going back in the exploration leaves it alone, because a term says the same in every state.
//!
//! Each term is simplified where it is made ([`build`]), and comes with what is known of its value whatever the inputs
//! are: bits that are always 0 or always 1, and the smallest interval of unsigned numbers that is cheap to find
//! ([`fact`]). A term of which that leaves one value is a constant.
//!
//! The meaning is that of SMT-LIB, so that a solver and [`Terms::value`] agree: arithmetic wraps, a shift by the width
//! or more gives 0 or the sign, a division by zero gives all ones and leaves the dividend as remainder. (The machine
//! never asks for the last: it decides first whether a divisor is zero.)
mod build;
mod eval;
mod fact;
#[cfg(test)]
mod tests;

pub use eval::Model;
pub(crate) use eval::apply;
pub(crate) use fact::Facts;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A term, as its number in the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Term(pub(crate) u32);

/// An input: something that the program reads and that may be anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Input(pub(crate) u32);

impl Input {
    /// The input of that number.
    pub fn new(number: u32) -> Input {
        Input(number)
    }
}

/// Operations on two terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Signed quotient, rounded towards zero.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left.
    Shl,
    /// Shift to the right, zeros come in.
    LShr,
    /// Shift to the right, the sign comes in.
    AShr,
    /// Whether both are the same: one bit.
    Eq,
    /// Unsigned less: one bit.
    Ult,
    /// Signed less: one bit.
    Slt,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 16] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::Eq,
        Op::Ult,
        Op::Slt,
    ];

    /// Whether the result is one bit.
    pub fn compares(self) -> bool {
        matches!(self, Op::Eq | Op::Ult | Op::Slt)
    }

    /// Whether the order of the operands makes no difference.
    fn commutes(self) -> bool {
        matches!(self, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq)
    }
}

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// That value.
    Constant(u128),
    /// That input.
    Input(Input),
    /// An operation on two terms of the same width.
    Binary(Op, Term, Term),
    /// Zeros in front.
    Zext(Term),
    /// Copies of the sign in front.
    Sext(Term),
    /// As many bits as the term has, from bit `low` on.
    Extract {
        /// The lowest bit.
        low: u8,
        /// Of what.
        of: Term,
    },
    /// The first in front of the second.
    Concat(Term, Term),
    /// The second if the first, a single bit, is 1; else the third.
    Ite(Term, Term, Term),
}

impl Node {
    /// The terms that it is made of.
    pub(crate) fn parts(self) -> impl Iterator<Item = Term> {
        let parts = match self {
            Node::Constant(_) | Node::Input(_) => [None; 3],
            Node::Zext(a) | Node::Sext(a) | Node::Extract { of: a, .. } => [Some(a), None, None],
            Node::Binary(_, a, b) | Node::Concat(a, b) => [Some(a), Some(b), None],
            Node::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        parts.into_iter().flatten()
    }
}

/// Sets of more inputs are not kept, but found when they are asked for: a sum of n inputs would take n² numbers
/// otherwise.
const LARGEST_SET: usize = 64;

/// Stands for a set that is not kept.
const LARGE: u32 = u32::MAX;

/// A term with what is known of it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    width: u8,
    /// The set of its inputs, in [`Terms::sets`], or [`LARGE`].
    inputs: u32,
    /// The first of its inputs.
    first: Option<Input>,
    facts: Facts,
}

/// The arena.
#[derive(Clone, Debug)]
pub struct Terms {
    entries: Vec<Entry>,
    numbers: FxHashMap<(Node, u8), Term>,
    /// Sets of inputs, sorted; the first one is empty.
    sets: Vec<Box<[Input]>>,
    set_numbers: FxHashMap<Box<[Input]>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    /// The width of each input, by its number; 0 if it has not occurred.
    input_widths: Vec<u8>,
}

impl Default for Terms {
    fn default() -> Self {
        let nothing: Box<[Input]> = Box::default();
        Terms {
            entries: Vec::new(),
            numbers: FxHashMap::default(),
            sets: vec![nothing.clone()],
            set_numbers: [(nothing, 0)].into_iter().collect(),
            unions: FxHashMap::default(),
            input_widths: Vec::new(),
        }
    }
}

impl Terms {
    /// How many bits it has.
    pub fn width(&self, term: Term) -> u8 {
        self.entries[term.0 as usize].width
    }

    /// What it is made of.
    pub fn node(&self, term: Term) -> Node {
        self.entries[term.0 as usize].node
    }

    /// Its value, if that is the same for all inputs.
    pub fn constant_value(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The inputs that occur in it, sorted.
    pub fn inputs(&self, term: Term) -> Cow<'_, [Input]> {
        match self.set_of(term) {
            Some(set) => Cow::Borrowed(set),
            None => Cow::Owned(self.large_set(term)),
        }
    }

    /// The first one of these.
    pub fn first_input(&self, term: Term) -> Option<Input> {
        self.entries[term.0 as usize].first
    }

    /// The inputs that occur in it, if they are few.
    fn set_of(&self, term: Term) -> Option<&[Input]> {
        let number = self.entries[term.0 as usize].inputs;
        (number != LARGE).then(|| &*self.sets[number as usize])
    }

    fn large_set(&self, term: Term) -> Vec<Input> {
        let mut inputs = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            match self.set_of(next) {
                Some(set) => inputs.extend(set),
                None => open.extend(self.node(next).parts().filter(|part| seen.insert(*part))),
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// How many bits an input has that occurs in some term.
    pub fn input_width(&self, input: Input) -> u8 {
        self.input_widths[input.0 as usize]
    }

    /// What is known of its value.
    pub(crate) fn facts(&self, term: Term) -> Facts {
        self.entries[term.0 as usize].facts
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The terms from that number on, each with its width.
    #[cfg(feature = "z3")]
    pub(crate) fn since(&self, from: usize) -> impl Iterator<Item = (Node, u8)> {
        self.entries[from..].iter().map(|entry| (entry.node, entry.width))
    }

    /// The number of a term made of that, as it is.
    fn intern(&mut self, node: Node, width: u8) -> Term {
        if let Some(&known) = self.numbers.get(&(node, width)) {
            return known;
        }
        let facts = Facts::of(self, node, width);
        if let (Some(value), false) = (facts.only_value(), matches!(node, Node::Constant(_))) {
            return self.constant(value, width);
        }
        let inputs = match node {
            Node::Input(input) => self.set(Box::new([input])),
            _ => node.parts().fold(0, |all, part| {
                let more = self.entries[part.0 as usize].inputs;
                self.union(all, more)
            }),
        };
        let first = match node {
            Node::Input(input) => Some(input),
            _ => node.parts().filter_map(|part| self.first_input(part)).min(),
        };
        let term = Term(u32::try_from(self.entries.len()).expect("there are fewer terms than that"));
        self.entries.push(Entry { node, width, inputs, first, facts });
        self.numbers.insert((node, width), term);
        term
    }

    fn set(&mut self, inputs: Box<[Input]>) -> u32 {
        if let Some(&known) = self.set_numbers.get(&inputs) {
            return known;
        }
        let number = self.sets.len() as u32;
        self.sets.push(inputs.clone());
        self.set_numbers.insert(inputs, number);
        number
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        if a == LARGE || b == LARGE {
            return LARGE;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let mut all: Vec<Input> = self.sets[a as usize].iter().chain(&self.sets[b as usize]).copied().collect();
        all.sort_unstable();
        all.dedup();
        let number = if all.len() > LARGEST_SET { LARGE } else { self.set(all.into()) };
        self.unions.insert(pair, number);
        number
    }
}

/// All bits of a value of that many bits.
pub(crate) fn ones(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}
