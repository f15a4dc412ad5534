//! What library models read of the program: values, and terms where these depend on inputs.
//!
//! A model that says so ([`Registered::on_data`](super::hooks::Registered::on_data)) is one for both. It computes with
//! [`Data`]: with values as ever, and on terms without any decision. Where it must know, it asks
//! [`Call::decide`](super::hooks::Call::decide), which gives the call up until its thread has decided; the call then
//! begins anew, and comes further. So a model decides first, and changes something only then: what it has read so far
//! it reads again, and a call that is made again is the same call.
use super::LibraryCall;
use crate::hooks::{ModelError, Sign};
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::Operation;
use crate::term::{Op, Term, apply};
use crate::undefined::SYMBOLIC;
use crate::value::{mask, sign_extend_wide};
use frontend::ir::Arg;

/// Up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Data {
    /// That value, in so many bits.
    Known(u128, u8),
    /// That term, which has so many bits.
    Term(Term, u8),
}

impl Data {
    /// The lowest bits of a value.
    #[inline]
    pub fn known(value: u128, bits: u8) -> Data {
        Data::Known(mask(bits, value), bits)
    }

    /// How many bits it has.
    #[inline]
    pub fn bits(self) -> u8 {
        match self {
            Data::Known(_, bits) | Data::Term(_, bits) => bits,
        }
    }

    /// The value, unless that depends on inputs.
    #[inline]
    pub fn value(self) -> Option<u128> {
        match self {
            Data::Known(value, _) => Some(value),
            Data::Term(..) => None,
        }
    }

    /// What a slot or memory has for it: a word and its mark.
    pub fn marked(self) -> (u64, u64) {
        match self {
            Data::Known(value, _) => (value as u64, 0),
            Data::Term(term, _) => (term.0.into(), SYMBOLIC),
        }
    }
}

/// Bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    /// These.
    Known(Vec<u8>),
    /// Some of them depend on inputs.
    Data(Vec<Data>),
}

impl Text {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Text::Known(bytes) => bytes.len(),
            Text::Data(bytes) => bytes.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    pub fn at(&self, index: usize) -> Data {
        match self {
            Text::Known(bytes) => Data::Known(bytes[index].into(), 8),
            Text::Data(bytes) => bytes[index],
        }
    }

    /// All of another one behind.
    pub fn append(&mut self, other: &Text) {
        match (&mut *self, other) {
            (Text::Known(bytes), Text::Known(more)) => bytes.extend_from_slice(more),
            _ => (0..other.len()).for_each(|index| self.push(other.at(index))),
        }
    }

    /// That many of the first ones.
    pub fn truncate(&mut self, len: usize) {
        match self {
            Text::Known(bytes) => bytes.truncate(len),
            Text::Data(bytes) => bytes.truncate(len),
        }
    }

    /// As the user is shown it: a question mark for what depends on inputs.
    pub fn shown(&self) -> Vec<u8> {
        (0..self.len()).map(|index| self.at(index).value().map_or(b'?', |byte| byte as u8)).collect()
    }

    /// One more.
    pub fn push(&mut self, byte: Data) {
        match (&mut *self, byte) {
            (Text::Known(bytes), Data::Known(value, _)) => bytes.push(value as u8),
            (Text::Data(bytes), byte) => bytes.push(byte),
            (Text::Known(bytes), byte) => {
                let known = bytes.iter().map(|byte| Data::Known((*byte).into(), 8));
                *self = Text::Data(known.chain([byte]).collect());
            }
        }
    }
}

impl Machine {
    fn term_of_data(&mut self, data: Data) -> Term {
        match data {
            Data::Known(value, bits) => self.terms().constant(value, bits),
            Data::Term(term, _) => term,
        }
    }

    fn data(&mut self, term: Term) -> Data {
        let bits = self.terms().width(term);
        match self.terms().constant_value(term) {
            Some(value) => Data::Known(value, bits),
            None => Data::Term(term, bits),
        }
    }

    pub(super) fn compute_data(&mut self, op: Op, a: Data, b: Data) -> Data {
        if let (Data::Known(x, bits), Data::Known(y, _)) = (a, b) {
            return Data::Known(apply(op, bits, x, y), if op.compares() { 1 } else { bits });
        }
        let (a, b) = (self.term_of_data(a), self.term_of_data(b));
        let result = self.terms().binary(op, a, b);
        self.data(result)
    }

    pub(super) fn choose_data(&mut self, condition: Data, a: Data, b: Data) -> Data {
        let Data::Term(condition, _) = condition else { return if condition.value() == Some(0) { b } else { a } };
        let (a, b) = (self.term_of_data(a), self.term_of_data(b));
        let result = self.terms().ite(condition, a, b);
        self.data(result)
    }

    pub(super) fn resize_data(&mut self, data: Data, bits: u8, sign: Sign) -> Data {
        match (data, sign) {
            (Data::Known(value, from), Sign::Signed) if from < bits => {
                Data::known(sign_extend_wide(from, value) as u128, bits)
            }
            (Data::Known(value, _), _) => Data::known(value, bits),
            (Data::Term(term, from), Sign::Signed) if from < bits => {
                let result = self.terms().sext(term, bits);
                self.data(result)
            }
            (Data::Term(term, _), _) => {
                let result = self.fit(term, bits);
                self.data(result)
            }
        }
    }
}

impl LibraryCall<'_> {
    /// What memory or a slot has, as data. (What has no value at all is no business of this.)
    fn as_data(&mut self, (word, mark): (u64, u64), bits: u8) -> Result<Data, ModelError> {
        if mark != SYMBOLIC {
            return Ok(Data::known(word.into(), bits));
        }
        let term = self.machine.term_of_word(word, bits).map_err(|halt| self.stop(halt))?;
        Ok(self.machine.data(term))
    }

    pub(super) fn data_of_argument(&mut self, index: usize, bits: u8) -> Result<Data, ModelError> {
        let Some(arg) = self.arg(index).filter(|arg| arg.slots > 0) else { return Ok(Data::Known(0, bits)) };
        let marked = (self.machine.get(arg.value), self.machine.shadow(arg.value));
        if ![0, SYMBOLIC].contains(&marked.1) {
            super::hooks::Call::require_initialised(self, index)?;
        }
        self.as_data(marked, bits)
    }

    /// Makes an argument concrete of which a model asks for the value.
    pub(super) fn settle_argument(&mut self, index: usize, arg: Arg) -> Result<(), ModelError> {
        if self.machine.program.takes[self.callee.index()] != crate::symbolic::TermUse::Data {
            return Ok(());
        }
        for operand in (0..arg.slots).map(|i| arg.value.offset(i)) {
            if self.machine.shadow(operand) != SYMBOLIC {
                continue;
            }
            let what = format!("argument {} of `{}`", index + 1, super::hooks::Call::name(self));
            let settled = self.machine.settle_argument(operand, &what).map_err(|halt| self.stop(halt))?;
            if let Some(operation) = settled {
                return Err(self.undecided(operation));
            }
        }
        Ok(())
    }

    pub(super) fn settle_length(&mut self, index: usize, places: &[u64]) -> Result<(), ModelError> {
        if let Some(arg) = self.arg(index).filter(|arg| arg.slots > 0 && self.machine.shadow(arg.value) == SYMBOLIC) {
            let what = format!("argument {} of `{}`", index + 1, super::hooks::Call::name(self));
            let settled = self.machine.settle_range(arg.value, places, &what).map_err(|halt| self.stop(halt))?;
            if let Some(operation) = settled {
                return Err(self.undecided(operation));
            }
        }
        super::hooks::Call::require_initialised(self, index)
    }

    pub(super) fn load_as_data(&mut self, address: u64, size: u64) -> Result<Data, ModelError> {
        let marked = self.machine.load(address, size).map_err(|e| self.stop(e))?;
        if marked.1 == 0 {
            return Ok(Data::Known(marked.0.into(), 8 * size as u8));
        }
        self.written(![0, SYMBOLIC].contains(&marked.1))?;
        if marked.1 == SYMBOLIC {
            self.all_written_or_terms(address, size)?;
        }
        self.as_data(marked, 8 * size as u8)
    }

    /// Objects to bytes that were never written where that counts as an input: a new one each time, and a call may be
    /// made again.
    fn all_written_or_terms(&mut self, address: u64, size: u64) -> Result<(), ModelError> {
        let memory = &self.machine.state.memory;
        let gaps = (0..size).map(|i| address.wrapping_add(i)).filter(|at| !memory.is_written(*at));
        let mut gaps = gaps.filter(|at| self.machine.terms_in_memory(*at, 1, 1).is_none());
        match gaps.next() {
            Some(_) => Err(self.reads_terms()),
            None => Ok(()),
        }
    }

    /// All bytes are read, whatever they are.
    pub(super) fn load_bytes_as_data(&mut self, address: u64, len: u64) -> Result<Text, ModelError> {
        self.machine.note_read(address, len);
        let origin = self.machine.origin(Mode::Plain);
        let mut bytes = Vec::new();
        let result = self.machine.state.memory.load_bytes(&origin, address, len, &mut bytes);
        let Some(unwritten) = self.checked(result)? else { return Ok(Text::Known(bytes)) };
        let mut text = Text::Known(bytes[..unwritten as usize].to_vec());
        for offset in unwritten..len {
            let byte = self.load_as_data(address.wrapping_add(offset), 1)?;
            text.push(byte);
        }
        Ok(text)
    }

    /// Reads up to the end and no further; what is known is read at once.
    pub(super) fn load_text(&mut self, address: u64) -> Result<Text, ModelError> {
        let mut text = Text::Known(Vec::new());
        loop {
            let next = address.wrapping_add(text.len() as u64);
            let origin = self.machine.origin(Mode::Plain);
            let mut bytes = Vec::new();
            let result = self.machine.state.memory.load_string(&origin, next, &mut bytes);
            self.machine.note_read(next, bytes.len() as u64 + 1);
            let unwritten = self.checked(result)?;
            match &mut text {
                Text::Known(known) if known.is_empty() => *known = bytes,
                _ => bytes.iter().for_each(|byte| text.push(Data::Known((*byte).into(), 8))),
            }
            let Some(gap) = unwritten else { return Ok(text) };
            let byte = self.load_as_data(next.wrapping_add(gap), 1)?;
            let ends = self.machine.compute_data(Op::Eq, byte, Data::Known(0, 8));
            if self.decide_data(ends)? {
                return Ok(text);
            }
            text.push(byte);
        }
    }

    pub(super) fn decide_data(&mut self, condition: Data) -> Result<bool, ModelError> {
        match condition {
            Data::Known(value, _) => Ok(value != 0),
            Data::Term(bit, _) => match self.machine.settle_bit(bit).map_err(|halt| self.stop(halt))? {
                Ok(truth) => Ok(truth),
                Err(operation) => Err(self.undecided(operation)),
            },
        }
    }

    fn undecided(&mut self, operation: Operation) -> ModelError {
        assert!(!self.changed, "a model decides before it changes something");
        self.machine.segment.undecided = Some(operation);
        ModelError::Undecided
    }
}
