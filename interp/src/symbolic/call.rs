//! Library models and terms: reading inputs, and what is done about arguments that are terms.
use super::decide::Settled;
use crate::library::hooks::{ModelResult, Sign};
use crate::machine::Machine;
use crate::operation::{Operation, Source};
use crate::step::{Flow, Halt};
use crate::term::{Op, Term};
use frontend::ir::{Arg, FuncId, Operand};

/// What a model may be given terms for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TermUse {
    /// Nothing: arguments must be concrete.
    #[default]
    Nothing,
    /// It only asks whether its first argument is 0.
    Truth,
    /// Whatever it reads as [`Data`](crate::hooks::Data).
    Data,
}

impl Machine {
    /// What reading an input comes to, if inputs are not chosen from a range.
    pub(crate) fn read_input(&mut self, bits: u8, sign: Sign, source: Source) -> Option<Result<ModelResult, String>> {
        // (Beside a range, symbolic data is for what was never written.)
        let options = &self.program.options;
        if options.nondet > 0 || self.exploration.inputs.is_none() && options.symbolic.is_none() {
            return None;
        }
        let me = self.segment.current;
        if let Some(inputs) = &self.exploration.inputs {
            let number = self.thread(me).rare.inputs;
            // What is not mentioned stands in no constraint.
            let given = |number| inputs.iter().find(|input| (input.thread, input.number) == (me, number));
            let parts = [Some(number), (bits > 64).then_some(number + 1)].map(|number| number.and_then(given));
            let [value, high] = parts.map(|part| part.map_or(0, |input| input.value));
            let (matters, signed) = (parts.iter().any(Option::is_some), sign == Sign::Signed);
            self.rare_mut(me).inputs += words_of(bits);
            return Some(Ok(ModelResult::Operate(Operation::Given { value, high, bits, signed, matters, source })));
        }
        if !self.learned.reads_inputs {
            self.learned.reads_inputs = true;
            self.segment.restart = true;
        }
        Some(Ok(ModelResult::Operate(Operation::Input { bits, source })))
    }

    /// Executes the reading of an input: its term, or two of them if it has more than 64 bits, each of which is an
    /// input of its own.
    pub(crate) fn perform_input(&mut self, bits: u8, source: Source) -> [u64; 2] {
        let me = self.segment.current;
        let rare = self.rare_mut(me);
        let number = rare.inputs;
        rare.inputs += words_of(bits);
        self.follow_input();
        let term = self.lifelong.symbols.input(me, number, bits.min(64));
        if let Some((is_zero, is_byte)) = self.known_of_input(term, source) {
            // It is no decision, for there is nothing else that it could be.
            self.add_to_path(is_zero, 0, is_byte);
        }
        let high = (bits > 64).then(|| self.lifelong.symbols.input(me, number + 1, bits - 64));
        [term.0.into(), high.map_or(0, |high| high.0.into())]
    }

    /// What is known of an input that is read: whether it is 0, which it is not, and that it is not.
    pub(super) fn known_of_input(&mut self, term: Term, source: Source) -> Option<(Term, Term)> {
        if !matches!(source, Source::ArgumentByte { .. }) {
            return None;
        }
        let width = self.terms().width(term);
        let zero = self.terms().constant(0, width);
        let is_zero = self.operation_on(Op::Eq, term, zero);
        let is_byte = self.terms().not(is_zero);
        Some((is_zero, is_byte))
    }

    /// Sees to it that a model is given no term of which it does not know.
    pub(crate) fn settle_arguments(&mut self, callee: FuncId) -> Result<Option<Flow>, Halt> {
        if !self.thread(self.segment.current).tracks() {
            return Ok(None);
        }
        self.segment.truth = None;
        let program = std::sync::Arc::clone(&self.program);
        let (name, takes) = (&program.module.functions[callee.index()].name, program.takes[callee.index()]);
        if takes == TermUse::Data {
            return Ok(None);
        }
        let top = self.thread(self.segment.current).top();
        let caller = &program.module.functions[top.function.index()];
        let site = caller.code[top.pc as usize].call_site().expect("a model is called by a call");
        let site = &caller.calls[site as usize];
        for (index, &Arg { value, slots, .. }) in site.args.iter().enumerate() {
            for operand in (0..slots).map(|i| value.offset(i)) {
                let Some(term) = self.term_in(operand) else { continue };
                let flow = if takes == TermUse::Truth && index == 0 {
                    match self.truth_of(term)? {
                        Ok(truth) => {
                            self.segment.truth = Some(truth);
                            None
                        }
                        Err(flow) => Some(flow),
                    }
                } else {
                    match self.concretise(operand, &format!("argument {} of `{name}`", index + 1))? {
                        Settled::Is(()) => None,
                        Settled::Not(flow) => Some(flow),
                    }
                };
                if flow.is_some() {
                    return Ok(flow);
                }
            }
        }
        Ok(None)
    }

    /// Makes an argument concrete for a model that may be given terms; the decision that has to come before.
    pub(crate) fn settle_argument(&mut self, operand: Operand, what: &str) -> Result<Option<Operation>, Halt> {
        Ok(match self.concretise(operand, what)? {
            Settled::Is(()) => None,
            Settled::Not(flow) => Some(decision(flow)),
        })
    }

    /// Makes an argument concrete that is the length of ranges at these addresses.
    pub(crate) fn settle_range(&mut self, len: Operand, at: &[u64], what: &str) -> Result<Option<Operation>, Halt> {
        Ok(match self.settle_length(len, at, what)? {
            Settled::Is(()) => None,
            Settled::Not(flow) => Some(decision(flow)),
        })
    }

    /// Whether a single bit is 1, or the decision that has to come before.
    pub(crate) fn settle_bit(&mut self, bit: Term) -> Result<Result<bool, Operation>, Halt> {
        Ok(match self.truth(bit)? {
            Settled::Is(truth) => Ok(truth),
            Settled::Not(flow) => Err(decision(flow)),
        })
    }

    /// A word with its mark, as the term that it is.
    pub(crate) fn term_of_word(&mut self, word: u64, bits: u8) -> Result<Term, Halt> {
        let term = Term(word as u32);
        if self.lifelong.symbols.lacks_value(term) { Err(self.mixed()) } else { Ok(self.fit(term, bits)) }
    }

    /// Whether a term is not 0.
    fn truth_of(&mut self, term: Term) -> Result<Result<bool, Flow>, Halt> {
        if self.lifelong.symbols.lacks_value(term) {
            return Err(self.mixed());
        }
        let width = self.terms().width(term);
        let zero = self.terms().constant(0, width);
        let is_zero = self.operation_on(Op::Eq, term, zero);
        Ok(match self.truth(is_zero)? {
            Settled::Is(zero) => Ok(!zero),
            Settled::Not(flow) => Err(flow),
        })
    }
}

/// How many inputs of up to 64 bits that many bits are.
fn words_of(bits: u8) -> u32 {
    if bits > 64 { 2 } else { 1 }
}

/// The decision before which a thread stops.
fn decision(flow: Flow) -> Operation {
    match flow {
        Flow::Before(operation, _) => operation,
        _ => unreachable!("what is not settled is decided"),
    }
}
