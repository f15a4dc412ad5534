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
const ANSWERS: usize = 1 << 18;

/// What is remembered.
#[derive(Default, Debug)]
pub(super) struct Cache {
    /// The last models, the newest first.
    models: VecDeque<Model>,
    /// Sets of constraints, sorted, with a model in which they hold; without one they cannot hold together.
    answers: FxHashMap<Box<[Term]>, Option<Model>>,
    /// The last of those that have none.
    cores: VecDeque<Box<[Term]>>,
}

impl Cache {
    /// A model that was found before and in which all constraints hold. It becomes the newest.
    pub(super) fn model(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Model> {
        // (The last one is the question, which is likelier not to hold.)
        let holds = |model: &mut Model| constraints.iter().rev().all(|constraint| terms.value(*constraint, model) != 0);
        let index = self.models.iter_mut().position(holds)?;
        // (This one keeps what terms it was asked for.)
        let model = self.models.remove(index)?;
        let found = model.clone();
        self.models.push_front(model);
        Some(found)
    }

    /// A model that was made of one that was found before.
    pub(super) fn changed(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Model> {
        let (&last, others) = constraints.split_last()?;
        let holds = |model: &mut Model| others.iter().all(|constraint| terms.value(*constraint, model) != 0);
        let fitting = self.models.iter_mut().filter_map(|model| holds(model).then_some(model));
        fitting.take(BASES).find_map(|model| changed(terms, others, last, model))
    }

    /// The answer to a question about the same constraints, which are sorted.
    pub(super) fn answer(&self, sorted: &[Term]) -> Option<Answer> {
        let answer = self.answers.get(sorted)?.as_ref();
        Some(answer.map_or(Answer::Unsat, |model| Answer::Sat(model.clone())))
    }

    /// Whether some of the constraints, which are sorted, are known to be impossible together.
    pub(super) fn is_unsatisfiable(&self, sorted: &[Term]) -> bool {
        self.cores.iter().any(|core| core.iter().all(|constraint| sorted.binary_search(constraint).is_ok()))
    }

    /// Remembers an answer that took more than looking it up.
    pub(super) fn keep(&mut self, sorted: &[Term], answer: &Answer) {
        match answer {
            Answer::Sat(model) => {
                self.models.truncate(MODELS - 1);
                self.models.push_front(model.clone());
            }
            Answer::Unsat => {
                self.cores.truncate(CORES - 1);
                self.cores.push_front(sorted.into());
            }
            Answer::Unknown(_) => {}
        }
        self.keep_answer(sorted, answer);
    }

    /// Remembers an answer to this very question.
    pub(super) fn keep_answer(&mut self, sorted: &[Term], answer: &Answer) {
        let model = match answer {
            Answer::Sat(model) => Some(model.clone()),
            Answer::Unsat => None,
            Answer::Unknown(_) => return,
        };
        if self.answers.len() >= ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(sorted.into(), model);
    }
}
