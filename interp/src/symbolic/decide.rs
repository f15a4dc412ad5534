//! Decisions: which value a term has.
use super::path::Question;
use crate::machine::Machine;
use crate::operation::Operation;
use crate::solver::Answer;
use crate::step::{Flow, Halt};
use crate::term::{Node, Op, Term};
use crate::thread::Resume;
use frontend::ir::{Operand, Slot};
use por::{Constraint, ThreadId};

/// The most values that are told apart one by one.
const MOST_VALUES: usize = 64;

/// Labels of decisions begin here, so that a schedule shows which moves are decisions.
const FIRST_LABEL: u32 = 1 << 30;

/// The label of the candidate of that number.
pub(crate) fn label(candidate: u32) -> u32 {
    FIRST_LABEL + candidate
}

/// Whether a move of that label is a decision, which a machine with fixed inputs does not take.
pub fn is_decision(label: u32) -> bool {
    label >= FIRST_LABEL
}

/// What is known of a value where it has to be concrete.
#[must_use]
pub(super) enum Settled<T> {
    /// That.
    Is(T),
    /// The thread has to decide first.
    Not(Flow),
}

impl Machine {
    /// Whether a single bit is 1.
    pub(super) fn truth(&mut self, bit: Term) -> Result<Settled<bool>, Halt> {
        // A condition and its opposite are one question.
        let (bit, wanted) = match self.terms().node(bit) {
            Node::Binary(Op::Xor, inner, one) if self.terms().constant_value(one).is_some() => (inner, 0),
            _ => (bit, 1),
        };
        let list = self.lifelong.symbols.list(&[0, 1]);
        Ok(match self.settle_value(bit, list) {
            Settled::Is(value) => Settled::Is(value == wanted),
            Settled::Not(flow) => Settled::Not(flow),
        })
    }

    /// The value of a term, one of this list.
    pub(super) fn settle_value(&mut self, term: Term, list: u32) -> Settled<u128> {
        if let Some(value) = self.terms().constant_value(term) {
            return Settled::Is(value);
        }
        if let Some(value) = self.decided(self.segment.current, term) {
            return Settled::Is(value);
        }
        let count = self.lifelong.symbols.values(list).len() as u32;
        Settled::Not(Flow::Before(Operation::Decide { term, list, count }, Resume::Again))
    }

    /// What a thread, or those that created it before they did, decided about a term.
    fn decided(&self, thread: ThreadId, term: Term) -> Option<u128> {
        let (mut thread, mut last) = (thread, u32::MAX);
        loop {
            match self.state.path.known(thread, term) {
                Some((value, event)) if event <= last => return Some(value),
                _ => (thread, last) = self.thread(thread).rare.creator?,
            }
        }
    }

    /// All that a thread, and those that created it before they did, decided.
    fn own_constraints(&self, thread: ThreadId) -> Vec<Term> {
        let mut line = vec![(thread, u32::MAX)];
        let mut next = self.thread(thread).rare.creator;
        while let Some((creator, event)) = next {
            line.push((creator, event));
            next = self.thread(creator).rare.creator;
        }
        let own = |thread, event| line.iter().any(|&(by, last)| by == thread && event <= last);
        let decisions = self.state.path.decisions().iter();
        let mut all: Vec<Term> = decisions.filter(|d| own(d.thread, d.event)).map(|d| d.constraint).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Makes a slot concrete that holds a term of few values: each is a candidate of a decision.
    pub(super) fn concretise(&mut self, operand: Operand, what: &str) -> Result<Settled<()>, Halt> {
        let Some(term) = self.term_in(operand) else { return Ok(Settled::Is(())) };
        if self.lifelong.symbols.lacks_value(term) {
            return Err(self.mixed());
        }
        if let Some(value) = self.decided(self.segment.current, term) {
            self.make_concrete(operand, value);
            return Ok(Settled::Is(()));
        }
        let Some(list) = self.candidates(term)? else {
            let reason = format!("{what} depends on inputs, and may have more than {MOST_VALUES} values");
            return Err(Halt::unknown(format!("limit: {reason}{}", self.at())));
        };
        if let &[value] = self.lifelong.symbols.values(list) {
            self.make_concrete(operand, value);
            return Ok(Settled::Is(()));
        }
        Ok(match self.settle_value(term, list) {
            Settled::Is(value) => {
                self.make_concrete(operand, value);
                Settled::Is(())
            }
            Settled::Not(flow) => Settled::Not(flow),
        })
    }

    /// Whether the values of a term can be told apart one by one.
    pub(super) fn has_few_values(&mut self, term: Term) -> Result<bool, Halt> {
        if self.lifelong.symbols.lacks_value(term) {
            return Err(self.mixed());
        }
        Ok(self.decided(self.segment.current, term).is_some() || self.candidates(term)?.is_some())
    }

    pub(super) fn make_concrete(&mut self, operand: Operand, value: u128) {
        let slot = Slot(operand.as_slot().expect("constants are no terms").0);
        self.set(slot, value as u64);
        self.mark_undefined(slot, 0);
    }

    /// The values that a term may have after what this thread has decided; `None` if there are too many. A function of
    /// these.
    fn candidates(&mut self, term: Term) -> Result<Option<u32>, Halt> {
        let facts = self.terms().facts(term);
        if facts.high - facts.low < MOST_VALUES as u128 {
            let values: Vec<u128> = (facts.low..=facts.high).filter(|value| facts.contain(*value)).collect();
            return Ok(Some(self.lifelong.symbols.list(&values)));
        }
        let given: Box<[Term]> = self.own_constraints(self.segment.current).into();
        let question = Question { term, given };
        if let Some(&known) = self.lifelong.symbols.candidates.get(&question) {
            return Ok(known);
        }
        let mut values = Vec::new();
        let mut constraints = question.given.to_vec();
        let symbols = &mut self.lifelong.symbols;
        let found = loop {
            // (A constraint that mentions the term, and holds for each of its values, so that a model has one.)
            let width = symbols.terms.width(term);
            let mut other = symbols.terms.truth(true);
            for value in &values {
                let value = symbols.terms.constant(*value, width);
                let equal = symbols.terms.binary(Op::Eq, term, value);
                let differs = symbols.terms.not(equal);
                other = symbols.terms.binary(Op::And, other, differs);
            }
            constraints.truncate(question.given.len());
            constraints.push(other);
            match symbols.chain.model(&symbols.terms, &constraints) {
                Answer::Sat(mut model) => values.push(symbols.terms.value(term, &mut model)),
                Answer::Unsat => break true,
                Answer::Unknown(reason) => return Err(Halt::unknown(format!("solver: {reason}{}", self.at()))),
            }
            if values.len() > MOST_VALUES {
                break false;
            }
        };
        values.sort_unstable();
        let list = found.then(|| symbols.list(&values));
        symbols.candidates.insert(question, list);
        Ok(list)
    }

    /// That a term has the candidate's value.
    fn constraint(&mut self, term: Term, list: u32, candidate: u32) -> (u128, Term) {
        let value = self.lifelong.symbols.values(list)[candidate as usize];
        let outcomes = self.lifelong.symbols.outcomes.get(&term);
        if let Some(outcome) = outcomes.and_then(|all| all.get(usize::try_from(value).ok()?)) {
            return (value, *outcome);
        }
        let width = self.terms().width(term);
        let constant = self.terms().constant(value, width);
        (value, self.operation_on(Op::Eq, term, constant))
    }

    /// Whether the constraint can hold together with the path.
    fn feasible(&mut self, constraint: Term) -> Answer {
        let symbols = &mut self.lifelong.symbols;
        let path = self.state.path.about(symbols.terms.inputs(constraint).iter().copied());
        symbols.chain.check(&symbols.terms, &path, constraint)
    }

    /// See [`por::System::is_feasible`]. What nobody knows may be so; the verdict says that it is not known where it is
    /// executed.
    pub(crate) fn is_feasible_label(&mut self, thread: ThreadId, label: u32) -> bool {
        let pending = self.thread(thread).header.pending.map(|pending| pending.operation);
        let Some(Operation::Decide { term, list, .. }) = pending else { return true };
        let (_, constraint) = self.constraint(term, list, label - FIRST_LABEL);
        !matches!(self.feasible(constraint), Answer::Unsat)
    }

    /// See [`por::Decisions::constraint`].
    pub(crate) fn constraint_of_label(&mut self, thread: ThreadId, label: u32) -> Option<Constraint> {
        if !self.has_terms() {
            return None;
        }
        let constraint = match self.thread(thread).header.pending?.operation {
            Operation::Decide { term, list, .. } => self.constraint(term, list, label - FIRST_LABEL).1,
            Operation::Input { bits, source } => {
                let term = self.lifelong.symbols.input(thread, self.thread(thread).rare.inputs, bits.min(64));
                self.known_of_input(term, source)?.1
            }
            _ => return None,
        };
        Some(Constraint(constraint.0))
    }

    /// See [`por::Decisions::can_hold`]. What nobody knows may be so, as in [`Machine::is_feasible_label`].
    pub(crate) fn constraint_can_hold(&mut self, others: &[Constraint], constraint: Constraint) -> bool {
        let symbols = &mut self.lifelong.symbols;
        let others: Vec<Term> = others.iter().map(|other| Term(other.0)).collect();
        !matches!(symbols.chain.check(&symbols.terms, &others, Term(constraint.0)), Answer::Unsat)
    }

    /// Executes a decision.
    pub(crate) fn perform_decision(&mut self, term: Term, list: u32, label: u32) -> Result<(), Halt> {
        self.lifelong.symbols.chain.decided();
        let (value, constraint) = self.constraint(term, list, label - FIRST_LABEL);
        match self.feasible(constraint) {
            Answer::Sat(_) => {}
            Answer::Unsat => return Err(Halt::unknown("this engine does not know of symbolic data")),
            Answer::Unknown(reason) => self.note_unknown(format!("solver: {reason}{}", self.at())),
        }
        self.add_to_path(term, value, constraint);
        self.follow_input();
        Ok(())
    }

    pub(super) fn add_to_path(&mut self, term: Term, value: u128, constraint: Term) {
        let me = self.segment.current;
        let event = self.thread(me).header.events;
        self.state.path.add(&self.lifelong.symbols.terms, (me, event), term, value, constraint);
    }

    /// Makes a slot concrete by one of its values, of which the verdict then says that it is only one.
    pub(super) fn pin(&mut self, operand: Operand, what: &str) -> Result<(), Halt> {
        let Some(term) = self.term_in(operand) else { return Ok(()) };
        if self.lifelong.symbols.lacks_value(term) {
            return Err(self.mixed());
        }
        if let Some(value) = self.decided(self.segment.current, term) {
            self.make_concrete(operand, value);
            return Ok(());
        }
        let path = self.state.path.constraints();
        let symbols = &mut self.lifelong.symbols;
        let value = match symbols.chain.model(&symbols.terms, &path) {
            Answer::Sat(mut model) => symbols.terms.value(term, &mut model),
            Answer::Unsat => return Err(Halt::unknown("the path has become infeasible")),
            Answer::Unknown(reason) => return Err(Halt::unknown(format!("solver: {reason}{}", self.at()))),
        };
        let width = symbols.terms.width(term);
        let constant = symbols.terms.constant(value, width);
        let constraint = symbols.terms.binary(Op::Eq, term, constant);
        self.add_to_path(term, value, constraint);
        self.make_concrete(operand, value);
        self.note_unknown(format!("limit: {what}; only one of its values is explored{}", self.at()));
        Ok(())
    }
}
