//! What is asked before a solver is.
use super::cache::Cache;
use super::enumerate::enumerate;
use super::given::Given;
use super::slice::{connected, inputs};
use super::stack::Stack;
use super::{Answer, Settings};
use crate::term::{Input, Model, Term, Terms};
use std::time::{Duration, Instant};

/// Inputs of so many bits together are tried out sooner than a solver is asked.
const FEW_BITS: u32 = 8;

/// How many questions were answered by which stage.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Decisions that were executed.
    pub decisions: u64,
    /// All questions.
    pub asked: u64,
    /// By what is known of terms: bits and intervals, also those that the path implies.
    pub by_facts: u64,
    /// By a model that was found before.
    pub by_models: u64,
    /// By an earlier answer.
    pub by_cache: u64,
    /// By trying all values.
    pub by_trying: u64,
    /// By a model that was found before, with an input or two changed.
    pub by_changes: u64,
    /// By the solver.
    pub by_solver: u64,
    /// Not answered by a solver.
    pub unknown: u64,
    /// Answers "impossible" that the second solver has confirmed.
    pub confirmed: u64,
    /// Time in the solvers.
    pub time: Duration,
}

/// All stages, the solver last.
pub struct Chain {
    settings: Settings,
    solver: Stack,
    second: Stack,
    cache: Cache,
    counters: Counters,
}

impl Clone for Chain {
    /// With the same settings, and nothing remembered.
    fn clone(&self) -> Self {
        Chain::new(self.settings.clone())
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chain").field("settings", &self.settings).field("counters", &self.counters).finish()
    }
}

impl Chain {
    /// A chain with that solver at its end.
    pub fn new(settings: Settings) -> Self {
        let (solver, second) = (Stack::default(), Stack::default());
        Chain { settings, solver, second, cache: Cache::default(), counters: Counters::default() }
    }

    /// How many questions were answered by which stage.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// A decision is executed.
    pub fn decided(&mut self) {
        self.counters.decisions += 1;
    }

    /// Whether a constraint can hold together with those of a path, which can hold together. A model has values for the
    /// inputs that matter to the question.
    pub fn check(&mut self, terms: &Terms, path: &[Term], question: Term) -> Answer {
        self.counters.asked += 1;
        match terms.constant_value(question) {
            Some(0) => {
                self.counters.by_facts += 1;
                return Answer::Unsat;
            }
            Some(_) => {
                self.counters.by_facts += 1;
                return Answer::Sat(Model::default());
            }
            None => {}
        }
        let mut constraints = connected(terms, path, question);
        constraints.push(question);
        self.solve(terms, &constraints)
    }

    /// Values of all inputs that occur in the constraints, in which all of them hold.
    pub fn model(&mut self, terms: &Terms, path: &[Term]) -> Answer {
        let mut rest: Vec<Term> = path.to_vec();
        let mut all = Model::default();
        while let Some(&first) = rest.first() {
            let group = connected(terms, &rest, first);
            let answer = if group.is_empty() {
                // It has no input.
                rest.retain(|other| *other != first);
                match terms.constant_value(first) {
                    Some(0) => return Answer::Unsat,
                    _ => continue,
                }
            } else {
                self.counters.asked += 1;
                self.solve(terms, &group)
            };
            match answer {
                Answer::Sat(model) => {
                    // What else was remembered with it may not hold.
                    let mine = inputs(terms, &group).into_iter().map(|(input, _)| (input, model.input(input)));
                    all = all.overlaid(&Model::new(mine.collect()));
                }
                other => return other,
            }
            rest.retain(|other| !group.contains(other));
        }
        Answer::Sat(all)
    }

    /// As [`Chain::model`], with inputs as near to 0 as can be found one after the other, the first ones first.
    pub fn small_model(&mut self, terms: &mut Terms, path: &[Term], order: &[(Input, u8)]) -> Answer {
        let mut path = path.to_vec();
        for &(input, width) in order {
            let term = terms.input(input, width);
            let zero = terms.constant(0, width);
            let is_zero = terms.binary(crate::term::Op::Eq, term, zero);
            if matches!(self.check(terms, &path, is_zero), Answer::Sat(_)) {
                path.push(is_zero);
                continue;
            }
            self.shrink(terms, &mut path, (term, width));
        }
        self.model(terms, &path)
    }

    /// Makes an input that cannot be 0 as small as it can be, or, as a negative number, as near to 0.
    fn shrink(&mut self, terms: &mut Terms, path: &mut Vec<Term>, (term, width): (Term, u8)) {
        use crate::term::Op;
        for negative in [false, true] {
            let distance = if negative {
                let zero = terms.constant(0, width);
                terms.binary(Op::Sub, zero, term)
            } else {
                term
            };
            // The smallest distance lies in low..=high if it lies in the lower half at all.
            let (mut low, mut high) = (1u128, crate::term::ones(width) >> 1);
            let within = |terms: &mut Terms, most: u128| {
                let bound = terms.constant(most, width);
                let more = terms.binary(Op::Ult, bound, distance);
                terms.not(more)
            };
            let half = within(terms, high);
            if !matches!(self.check(terms, path, half), Answer::Sat(_)) {
                continue;
            }
            while low < high {
                let middle = low + (high - low) / 2;
                let bound = within(terms, middle);
                match self.check(terms, path, bound) {
                    Answer::Sat(_) => high = middle,
                    Answer::Unsat => low = middle + 1,
                    Answer::Unknown(_) => break,
                }
            }
            let bound = within(terms, high);
            path.push(bound);
            return;
        }
    }

    fn solve(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let mut sorted = constraints.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if let Some(answer) = self.cache.answer(&sorted) {
            self.counters.by_cache += 1;
            return answer;
        }
        if let Some(model) = self.cache.model(terms, constraints) {
            self.counters.by_models += 1;
            let answer = Answer::Sat(model);
            self.cache.keep_answer(&sorted, &answer);
            return answer;
        }
        if self.cache.is_unsatisfiable(&sorted) {
            self.counters.by_cache += 1;
            self.cache.keep_answer(&sorted, &Answer::Unsat);
            return Answer::Unsat;
        }
        let inputs = inputs(terms, &sorted);
        let answer = if Given::excludes(terms, constraints) {
            self.counters.by_facts += 1;
            Answer::Unsat
        } else if let Some(answer) = enumerate(terms, &sorted, &inputs, FEW_BITS) {
            self.counters.by_trying += 1;
            answer
        } else if let Some(model) = self.cache.changed(terms, constraints) {
            self.counters.by_changes += 1;
            Answer::Sat(model)
        } else {
            self.ask(terms, constraints, &inputs)
        };
        let answer = match answer {
            Answer::Unsat => self.confirm(terms, constraints, &inputs),
            other => other,
        };
        self.cache.keep(&sorted, &answer);
        answer
    }

    /// Asks the solver.
    fn ask(&mut self, terms: &Terms, constraints: &[Term], inputs: &[(Input, u8)]) -> Answer {
        let start = Instant::now();
        let kind = (&self.settings.backend, self.settings.limit);
        let answer = self.solver.ask(kind, terms, constraints, inputs);
        self.counters.time += start.elapsed();
        match answer {
            Answer::Unknown(_) => self.counters.unknown += 1,
            _ => self.counters.by_solver += 1,
        }
        answer
    }

    /// What is said to be impossible, asked again of the second solver, if there is one.
    fn confirm(&mut self, terms: &Terms, constraints: &[Term], inputs: &[(Input, u8)]) -> Answer {
        let Some(backend) = &self.settings.second else { return Answer::Unsat };
        let start = Instant::now();
        let answer = self.second.ask((backend, self.settings.limit), terms, constraints, inputs);
        self.counters.time += start.elapsed();
        match answer {
            Answer::Unsat => {
                self.counters.confirmed += 1;
                Answer::Unsat
            }
            Answer::Sat(_) => Answer::Unknown(
                "the second solver finds values where the first one says that there are none".to_owned(),
            ),
            Answer::Unknown(reason) => Answer::Unknown(format!("the second solver: {reason}")),
        }
    }
}
