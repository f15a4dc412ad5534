//! Answers that were given before.
use super::Answer;
use super::change::changed;
use crate::term::{Model, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many models are tried.
const MODELS: usize = 64;

/// How many of them are changed.
const BASES: usize = 4;

/// How many sets that cannot hold are looked at for being part of another.
const CORES: usize = 64;

/// How many answers are kept.
const ANSWERS: usize = 1 << 20;

/// What is remembered.
#[derive(Default, Debug)]
pub(super) struct Cache {
    /// The last models, the newest first.
    models: VecDeque<Model>,
    /// Sets of constraints, sorted, that can hold together or not.
    answers: FxHashMap<Box<[Term]>, bool>,
    /// The last of those that cannot.
    cores: VecDeque<Box<[Term]>>,
}

impl Cache {
    /// A model that was found before and in which all constraints hold. It becomes the newest.
    pub(super) fn model(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Model> {
        let holds = |model: &mut Model| constraints.iter().all(|constraint| terms.value(*constraint, model) != 0);
        let index = self.models.iter_mut().position(holds)?;
        let model = self.models.remove(index)?;
        self.models.push_front(model.clone());
        Some(model)
    }

    /// A model that was made of one that was found before.
    pub(super) fn changed(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Model> {
        let (&last, others) = constraints.split_last()?;
        let holds = |model: &mut Model| others.iter().all(|constraint| terms.value(*constraint, model) != 0);
        let fitting = self.models.iter_mut().filter_map(|model| holds(model).then_some(model));
        fitting.take(BASES).find_map(|model| changed(terms, others, last, model))
    }

    /// Whether it is known that the constraints, which are sorted, cannot hold together.
    pub(super) fn is_unsatisfiable(&self, sorted: &[Term]) -> bool {
        if self.answers.get(sorted) == Some(&false) {
            return true;
        }
        self.cores.iter().any(|core| core.iter().all(|constraint| sorted.binary_search(constraint).is_ok()))
    }

    /// Remembers an answer.
    pub(super) fn keep(&mut self, sorted: &[Term], answer: &Answer) {
        match answer {
            Answer::Sat(model) => {
                self.models.truncate(MODELS - 1);
                self.models.push_front(model.clone());
            }
            Answer::Unsat => {
                if self.answers.len() >= ANSWERS {
                    self.answers.clear();
                }
                self.answers.insert(sorted.into(), false);
                self.cores.truncate(CORES - 1);
                self.cores.push_front(sorted.into());
            }
            Answer::Unknown(_) => {}
        }
    }
}
