//! Every rule of simplification, and all that is known of values, against plain evaluation.
use super::eval::apply;
use super::{Input, Model, Node, Op, Term, Terms, ones};
use crate::value::{mask, sign_extend_wide};
use random::Random;
use std::collections::BTreeMap;

/// How a term was asked for, as opposed to what was made of it.
#[derive(Clone, Debug)]
enum Recipe {
    Constant(u128, u8),
    Input(u32, u8),
    Binary(Op, Box<Recipe>, Box<Recipe>),
    Zext(Box<Recipe>, u8),
    Sext(Box<Recipe>, u8),
    Extract(Box<Recipe>, u8, u8),
    Concat(Box<Recipe>, Box<Recipe>),
    Ite(Box<Recipe>, Box<Recipe>, Box<Recipe>),
}

impl Recipe {
    fn width(&self) -> u8 {
        match self {
            Recipe::Constant(_, width) | Recipe::Input(_, width) => *width,
            Recipe::Binary(op, a, _) => {
                if op.compares() {
                    1
                } else {
                    a.width()
                }
            }
            Recipe::Zext(_, width) | Recipe::Sext(_, width) | Recipe::Extract(_, _, width) => *width,
            Recipe::Concat(a, b) => a.width() + b.width(),
            Recipe::Ite(_, a, _) => a.width(),
        }
    }

    fn make(&self, terms: &mut Terms) -> Term {
        match self {
            Recipe::Constant(value, width) => terms.constant(*value, *width),
            Recipe::Input(input, width) => terms.input(Input(*input), *width),
            Recipe::Binary(op, a, b) => {
                let (a, b) = (a.make(terms), b.make(terms));
                terms.binary(*op, a, b)
            }
            Recipe::Zext(a, width) => {
                let a = a.make(terms);
                terms.zext(a, *width)
            }
            Recipe::Sext(a, width) => {
                let a = a.make(terms);
                terms.sext(a, *width)
            }
            Recipe::Extract(a, low, width) => {
                let a = a.make(terms);
                terms.extract(a, *low, *width)
            }
            Recipe::Concat(a, b) => {
                let (a, b) = (a.make(terms), b.make(terms));
                terms.concat(a, b)
            }
            Recipe::Ite(c, a, b) => {
                let (c, a, b) = (c.make(terms), a.make(terms), b.make(terms));
                terms.ite(c, a, b)
            }
        }
    }

    fn value(&self, inputs: &[u128]) -> u128 {
        match self {
            Recipe::Constant(value, width) => mask(*width, *value),
            Recipe::Input(input, width) => mask(*width, inputs[*input as usize]),
            Recipe::Binary(op, a, b) => apply(*op, a.width(), a.value(inputs), b.value(inputs)),
            Recipe::Zext(a, _) => a.value(inputs),
            Recipe::Sext(a, width) => mask(*width, sign_extend_wide(a.width(), a.value(inputs)) as u128),
            Recipe::Extract(a, low, width) => mask(*width, a.value(inputs) >> low),
            Recipe::Concat(a, b) => a.value(inputs) << b.width() | b.value(inputs),
            Recipe::Ite(c, a, b) => {
                if c.value(inputs) != 0 {
                    a.value(inputs)
                } else {
                    b.value(inputs)
                }
            }
        }
    }
}

/// Makes recipes over two inputs of `bits` bits each.
struct Kitchen {
    random: Random,
    bits: u8,
}

impl Kitchen {
    fn recipe(&mut self, width: u8, depth: u32) -> Recipe {
        if depth == 0 || self.random.below(8) == 0 {
            return self.leaf(width);
        }
        let below = depth - 1;
        match self.random.below(10) {
            0..=3 => {
                let op = Op::ALL[self.random.below(13) as usize];
                Recipe::Binary(op, Box::new(self.recipe(width, below)), Box::new(self.recipe(width, below)))
            }
            4 if width == 1 => {
                let op = [Op::Eq, Op::Ult, Op::Slt][self.random.below(3) as usize];
                let wide = 1 + self.random.below(u64::from(self.bits.min(126)) + 2) as u8;
                Recipe::Binary(op, Box::new(self.recipe(wide, below)), Box::new(self.recipe(wide, below)))
            }
            5 if width > 1 => {
                let from = 1 + self.random.below(u64::from(width) - 1) as u8;
                let inner = Box::new(self.recipe(from, below));
                if self.random.below(2) == 0 { Recipe::Zext(inner, width) } else { Recipe::Sext(inner, width) }
            }
            6 if width > 1 => {
                let low = 1 + self.random.below(u64::from(width) - 1) as u8;
                Recipe::Concat(Box::new(self.recipe(width - low, below)), Box::new(self.recipe(low, below)))
            }
            7 if width < 100 => {
                let low = self.random.below(4) as u8;
                let more = self.random.below(3) as u8;
                Recipe::Extract(Box::new(self.recipe(width + low + more, below)), low, width)
            }
            8 => {
                let c = Box::new(self.recipe(1, below));
                Recipe::Ite(c, Box::new(self.recipe(width, below)), Box::new(self.recipe(width, below)))
            }
            _ => self.leaf(width),
        }
    }

    fn leaf(&mut self, width: u8) -> Recipe {
        if self.random.below(3) == 0 {
            let value = match self.random.below(4) {
                0 => u128::from(self.random.below(4)),
                1 => u128::MAX - u128::from(self.random.below(3)),
                2 => 1 << self.random.below(u64::from(width)),
                _ => u128::from(self.random.below(u64::MAX)) << 64 | u128::from(self.random.below(u64::MAX)),
            };
            return Recipe::Constant(mask(width, value), width);
        }
        let input = self.random.below(2) as u32;
        let leaf = Recipe::Input(input, self.bits);
        match width.cmp(&self.bits) {
            std::cmp::Ordering::Equal => leaf,
            std::cmp::Ordering::Less => Recipe::Extract(Box::new(leaf), 0, width),
            std::cmp::Ordering::Greater => Recipe::Zext(Box::new(leaf), width),
        }
    }
}

fn check(terms: &Terms, recipe: &Recipe, term: Term, inputs: [u128; 2]) {
    let values: BTreeMap<Input, u128> = (0..).map(Input).zip(inputs).collect();
    let (found, wanted) = (terms.value(term, &mut Model::new(values)), recipe.value(&inputs));
    assert_eq!(found, wanted, "{recipe:?} with {inputs:x?} became {:?}", terms.node(term));
    assert!(terms.facts(term).contain(wanted), "{wanted:x} is not in {:x?} of {recipe:?}", terms.facts(term));
}

#[test]
fn terms_of_small_inputs_mean_what_was_asked_for() {
    for bits in 1..=3 {
        let mut kitchen = Kitchen { random: Random(100 + u64::from(bits)), bits };
        for _ in 0..6000 {
            let width = 1 + kitchen.random.below(u64::from(bits) + 3) as u8;
            let recipe = kitchen.recipe(width, 4);
            let mut terms = Terms::default();
            let term = recipe.make(&mut terms);
            assert_eq!(terms.width(term), width);
            for all in 0..1u128 << (2 * bits) {
                check(&terms, &recipe, term, [all & ones(bits), all >> bits]);
            }
        }
    }
}

#[test]
fn terms_of_wide_inputs_mean_what_was_asked_for() {
    for bits in [8, 31, 32, 64, 127, 128] {
        let mut kitchen = Kitchen { random: Random(u64::from(bits)), bits };
        let mut terms = Terms::default();
        for _ in 0..1500 {
            let recipe = kitchen.recipe(bits, 4);
            let term = recipe.make(&mut terms);
            for _ in 0..12 {
                let mut any = || match kitchen.random.below(3) {
                    0 => mask(bits, u128::from(kitchen.random.below(5)).wrapping_sub(2)),
                    1 => mask(bits, 1 << kitchen.random.below(u64::from(bits))),
                    _ => mask(bits, u128::from(kitchen.random.below(u64::MAX)) * 0x1_0000_0001_0000_0003),
                };
                check(&terms, &recipe, term, [any(), any()]);
            }
        }
    }
}

#[test]
fn the_forms_that_programs_lead_to_are_simple() {
    let mut terms = Terms::default();
    let x = terms.input(Input(0), 32);
    // What a comparison leaves in an int is the comparison.
    let one = terms.constant(1, 32);
    let is_one = terms.binary(Op::Eq, x, one);
    let wide = terms.zext(is_one, 32);
    let zero = terms.constant(0, 32);
    let back = terms.binary(Op::Eq, wide, zero);
    let not = terms.not(back);
    assert_eq!(not, is_one);
    // The bytes of a value, put together again.
    let bytes: Vec<Term> = (0..4).map(|i| terms.extract(x, 8 * i, 8)).collect();
    let low = terms.concat(bytes[1], bytes[0]);
    let high = terms.concat(bytes[3], bytes[2]);
    assert_eq!(terms.concat(high, low), x);
    let (third, second) = (terms.concat(bytes[2], low), terms.concat(bytes[3], bytes[2]));
    assert_eq!(terms.concat(bytes[3], third), x);
    assert_ne!(second, x);
    // A mask bounds what an index can be.
    let seven = terms.constant(7, 32);
    let index = terms.binary(Op::And, x, seven);
    let wide = terms.sext(index, 64);
    assert_eq!(terms.facts(wide).high, 7);
    let eight = terms.constant(8, 64);
    let inside = terms.binary(Op::Ult, wide, eight);
    assert_eq!(terms.constant_value(inside), Some(1));
    assert_eq!(*terms.inputs(wide), [Input(0)]);
    assert!(matches!(terms.node(x), Node::Input(Input(0))));
}

/// A sum of n inputs has n terms; the inputs of each of them would be n² numbers.
#[test]
fn large_sets_of_inputs_are_found_when_asked_for() {
    let mut terms = Terms::default();
    let inputs: Vec<Input> = (0..200).rev().map(Input).collect();
    let mut sum = terms.input(inputs[0], 32);
    for (number, input) in inputs.iter().enumerate().skip(1) {
        let next = terms.input(*input, 32);
        sum = terms.binary(Op::Add, sum, next);
        let mut wanted = inputs[..=number].to_vec();
        wanted.sort_unstable();
        assert_eq!(*terms.inputs(sum), wanted);
        assert_eq!(terms.first_input(sum), Some(*input));
    }
    let twice = terms.binary(Op::Mul, sum, sum);
    assert_eq!(terms.inputs(twice), terms.inputs(sum));
    assert!(terms.sets.iter().all(|set| set.len() <= super::LARGEST_SET));
}
