//! What has been decided, and what is known of inputs.
use crate::fingerprint::{self, words};
use crate::solver::{Backend, Chain, Settings};
use crate::term::{Input, Term, Terms};
use crate::undo::trail::Trail;
use por::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The value of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputValue {
    /// The thread that reads it.
    pub thread: ThreadId,
    /// How many it has read before.
    pub number: u32,
    /// Its bits.
    pub value: u64,
}

/// What was decided about a term, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decision {
    pub(crate) thread: ThreadId,
    /// The number of that event among its thread's.
    pub(crate) event: u32,
    term: Term,
    /// That the term has this value: a single bit.
    pub(crate) constraint: Term,
    /// The inputs that are part of the constraint.
    inputs: Arc<[Input]>,
}

/// All decisions of the current execution, in their order. They can hold together.
#[derive(Clone, Default, Debug)]
pub(crate) struct Path {
    decisions: Vec<Decision>,
    /// How long the list was when it grew.
    lengths: Trail<()>,
    /// By thread and term: the value, and the number of the event that decided it.
    known: FxHashMap<(ThreadId, Term), (u128, u32)>,
    /// By input: the numbers of the decisions whose constraints it is part of.
    about: FxHashMap<Input, Vec<u32>>,
    /// Compare-exchanges that only looked, by thread and the number of that event among its thread's.
    looks: Trail<(ThreadId, u32)>,
    marks: u32,
}

impl Path {
    pub(crate) fn mark(&mut self) {
        self.marks += 1;
    }

    pub(crate) fn undo(&mut self) {
        let marks = self.marks;
        self.marks = marks.checked_sub(1).expect("every undo has its mark");
        while self.lengths.pop(marks).is_some() {
            let decision = self.decisions.pop().expect("it was added");
            self.known.remove(&(decision.thread, decision.term));
            let last = self.decisions.len() as u32;
            for input in decision.inputs.iter() {
                let about = self.about.get_mut(input).expect("it was added there");
                assert_eq!(about.pop(), Some(last), "decisions are taken back in their order");
            }
        }
        while self.looks.pop(marks).is_some() {}
    }

    /// An event of a thread was a look.
    pub(super) fn look(&mut self, thread: ThreadId, event: u32) {
        self.looks.push(self.marks, (thread, event));
    }

    /// The events that were looks.
    pub(super) fn looks(&self) -> impl Iterator<Item = (ThreadId, u32)> {
        self.looks.since(0).copied()
    }

    /// Adds a decision about a term of which this thread has decided nothing.
    pub(super) fn add(
        &mut self,
        terms: &Terms,
        (thread, event): (ThreadId, u32),
        term: Term,
        value: u128,
        constraint: Term,
    ) {
        let inputs: Arc<[Input]> = terms.inputs(constraint).into();
        let number = self.decisions.len() as u32;
        for input in inputs.iter() {
            self.about.entry(*input).or_default().push(number);
        }
        let old = self.known.insert((thread, term), (value, event));
        assert!(old.is_none(), "a thread decides about a term once");
        self.decisions.push(Decision { thread, event, term, constraint, inputs });
        self.lengths.push(self.marks, ());
    }

    /// What tells it from other paths of the same exploration: who has decided what, in whichever order of the threads.
    pub(super) fn identity(&self) -> u128 {
        let one = |decision: &Decision| {
            let what = (decision.thread.0, decision.term.0, decision.constraint.0);
            words(fingerprint::Term::Symbolic, |words| words.add(what))
        };
        self.decisions.iter().map(one).fold(0, u128::wrapping_add)
    }

    /// What a thread has decided about a term, and by which of its events.
    pub(super) fn known(&self, thread: ThreadId, term: Term) -> Option<(u128, u32)> {
        self.known.get(&(thread, term)).copied()
    }

    /// What a thread has decided by an event, if that is the last of its decisions: the term and its value.
    pub(super) fn decided_by(&self, thread: ThreadId, event: u32) -> Option<(Term, u128)> {
        let last = self.decisions.iter().rev().find(|decision| decision.thread == thread);
        let term = last.filter(|decision| decision.event == event)?.term;
        Some((term, self.known(thread, term)?.0))
    }

    /// All decisions.
    pub(super) fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The constraints that share inputs with these, directly or by way of others, in their order.
    pub(super) fn about(&self, inputs: impl Iterator<Item = Input>) -> Vec<Term> {
        let mut open: Vec<Input> = inputs.collect();
        let mut seen: FxHashSet<Input> = open.iter().copied().collect();
        let mut numbers = BTreeSet::new();
        while let Some(input) = open.pop() {
            for number in self.about.get(&input).into_iter().flatten() {
                if numbers.insert(*number) {
                    let more = self.decisions[*number as usize].inputs.iter();
                    open.extend(more.filter(|input| seen.insert(**input)));
                }
            }
        }
        let mut constraints: Vec<Term> =
            numbers.into_iter().map(|number| self.decisions[number as usize].constraint).collect();
        let mut known = FxHashSet::default();
        constraints.retain(|constraint| known.insert(*constraint));
        constraints
    }

    /// All constraints.
    pub(super) fn constraints(&self) -> Vec<Term> {
        self.decisions.iter().map(|decision| decision.constraint).collect()
    }
}

/// Values that a term may have: by how the question was asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Question {
    pub(super) term: Term,
    /// What the thread has decided before.
    pub(super) given: Box<[Term]>,
}

/// Terms, and what was found out about them: nothing of it depends on the state.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    pub(crate) terms: Terms,
    /// A byte that was never written, as part of a larger term.
    pub(super) no_value: Term,
    pub(super) chain: Chain,
    numbers: FxHashMap<(ThreadId, u32, u8), Input>,
    /// By input: who reads it, how many it has read before, and its width.
    pub(super) inputs: Vec<(ThreadId, u32, u8)>,
    /// Candidates of decisions.
    lists: Vec<Arc<[u128]>>,
    list_numbers: FxHashMap<Arc<[u128]>, u32>,
    /// The object to which an address belongs that is a term: one of its addresses.
    pub(super) homes: FxHashMap<Term, u64>,
    /// By a term that numbers outcomes from 0 on: what has to hold for each of them, which is that the term has this
    /// value, said more simply.
    pub(super) outcomes: FxHashMap<Term, Arc<[Term]>>,
    /// Candidates that the solver has found; `None`: too many.
    pub(super) candidates: FxHashMap<Question, Option<u32>>,
}

/// What stands for a byte without a value in a term.
const NO_VALUE: Input = Input(0);

impl Default for Symbols {
    fn default() -> Self {
        Symbols::new(Settings { backend: Backend::None, ..Settings::default() })
    }
}

impl Symbols {
    /// None so far.
    pub(crate) fn new(settings: Settings) -> Self {
        let mut terms = Terms::default();
        // No thread reads it.
        let no_value = terms.input(NO_VALUE, 8);
        Symbols {
            terms,
            no_value,
            chain: Chain::new(settings),
            numbers: FxHashMap::default(),
            inputs: vec![(ThreadId(u32::MAX), 0, 8)],
            lists: Vec::new(),
            list_numbers: FxHashMap::default(),
            homes: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            candidates: FxHashMap::default(),
        }
    }

    /// The term of an input. A thread that takes another way may read one of another width.
    pub(super) fn input(&mut self, thread: ThreadId, number: u32, width: u8) -> Term {
        let next = Input(self.inputs.len() as u32);
        let input = *self.numbers.entry((thread, number, width)).or_insert(next);
        if input == next {
            self.inputs.push((thread, number, width));
        }
        self.terms.input(input, width)
    }

    /// Whether bytes without a value are part of a term.
    pub(super) fn lacks_value(&self, term: Term) -> bool {
        self.terms.first_input(term) == Some(NO_VALUE)
    }

    /// The number of a list of candidates.
    pub(super) fn list(&mut self, values: &[u128]) -> u32 {
        if let Some(&known) = self.list_numbers.get(values) {
            return known;
        }
        let (number, values): (u32, Arc<[u128]>) = (self.lists.len() as u32, values.into());
        self.lists.push(Arc::clone(&values));
        self.list_numbers.insert(values, number);
        number
    }

    /// The candidates of that number.
    pub(super) fn values(&self, list: u32) -> &[u128] {
        &self.lists[list as usize]
    }
}
