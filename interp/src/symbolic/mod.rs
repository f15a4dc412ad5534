//! Symbolic data: inputs that may have any value, and what is computed from them.
//!
//! **Where terms are.** A slot, or a byte of memory, that depends on inputs is *marked as if it had no value*, with a
//! mark of its own ([`SYMBOLIC`]), and holds a [`Term`] instead of a value. Whatever knows nothing of terms meets what
//! it takes for undefined bits, and does what it does about these: it refuses. So no value of an input can be taken for
//! a concrete one by code that was forgotten, and programs without inputs run as if all this were not there. What knows
//! of terms asks first: [`step`] before every instruction that reads a marked slot, [`call`] before every library
//! model, `partial` for bytes. A value that is both undefined and symbolic is undefined. Bytes without a value beside
//! those of a term (the padding of a structure that is passed in a register) are an input of their own, which moves
//! with them; where more is done with it, the verdict is unknown.
//!
//! **Decisions.** Where control, an address or anything else that must be concrete depends on inputs, the thread stops
//! before an operation that touches nothing, [`Operation::Decide`](crate::operation::Operation): "which value does this
//! term have?", with a label for each candidate. A condition has two. The constraint that the chosen value puts on the
//! inputs is added to the *path*. A label is feasible if its constraint can hold together with the path
//! ([`por::System::is_feasible`]).
//!
//! **What a thread does is a function of its own past**, as ever: whether it stops before a decision, and which
//! candidates that has, is worked out from the term and from what this thread, and those that created it before, have
//! decided; never from what others have. Only feasibility looks at the whole path.
//!
//! **Names of inputs** are the reading thread's number and how many it had read before, so they do not depend on the
//! schedule.
//!
//! **A violation** is reported with values of all inputs, found by the solver for the whole path. It is confirmed by a
//! machine that is given these values ([`Machine::fix_inputs`]), has no terms at all, and takes the schedule without
//! the decisions.
//!
//! **States** with terms are compared as wholes, up to names of inputs ([`state`]). Cutoffs compare what single events
//! lead to, which that cannot be told of; so they are off where inputs are read. The first input that is read in an
//! exploration that does not know of inputs makes it start again ([`crate::machine::Learned::reads_inputs`]).
mod address;
mod arithmetic;
mod bytes;
mod call;
mod decide;
mod exchange;
mod length;
mod overflow;
mod path;
mod report;
mod state;
mod step;
mod table;

pub use call::TermUse;
pub use decide::is_decision;
pub(crate) use decide::label as label_of_decision;
pub use path::InputValue;
pub(crate) use path::{Path, Symbols};
pub(crate) use report::no_values;

use crate::machine::Machine;
use crate::step::Halt;
use crate::term::{Op, Term};
use crate::undefined::{SYMBOLIC, plain};
use crate::value::truncate;
use frontend::ir::{Operand, Slot};

/// The marks and words of a term in the two words of an operation, or of a load.
pub(crate) fn is_symbolic(undefined: [u64; 2]) -> bool {
    undefined.contains(&SYMBOLIC)
}

impl Machine {
    /// The term in a slot, if there is one.
    pub(crate) fn term_in(&self, operand: Operand) -> Option<Term> {
        (self.shadow(operand) == SYMBOLIC).then(|| Term(self.get(operand) as u32))
    }

    /// A slot as a term of up to 64 bits.
    fn narrow_term(&mut self, operand: Operand, width: u8) -> Result<Term, Halt> {
        let value = self.get(operand);
        match self.shadow(operand) {
            SYMBOLIC => Ok(self.fit(Term(value as u32), width)),
            0 => Ok(self.terms().constant(truncate(width, value).into(), width)),
            _ => Err(self.mixed()),
        }
    }

    /// One or two slots as a term of up to 128 bits, all of which have a value.
    fn term(&mut self, operand: Operand, width: u8) -> Result<Term, Halt> {
        let term = self.moved_term(operand, width)?;
        if self.lifelong.symbols.lacks_value(term) { Err(self.mixed()) } else { Ok(term) }
    }

    /// The same where bits are only moved, so that some may lack a value.
    fn moved_term(&mut self, operand: Operand, width: u8) -> Result<Term, Halt> {
        if width <= 64 {
            return self.narrow_term(operand, width);
        }
        let low = self.narrow_term(operand, 64)?;
        let high = self.narrow_term(operand.offset(1), width - 64)?;
        Ok(self.terms().concat(high, low))
    }

    /// A term in that many bits: zeros in front, or none of its first bits.
    pub(crate) fn fit(&mut self, term: Term, width: u8) -> Term {
        let terms = &mut self.lifelong.symbols.terms;
        if terms.width(term) > width { terms.extract(term, 0, width) } else { terms.zext(term, width) }
    }

    /// Puts a term into one or two slots.
    fn put(&mut self, slot: Slot, term: Term) {
        let width = self.terms().width(term);
        if width <= 64 {
            return self.put_narrow(slot, term);
        }
        let low = self.terms().extract(term, 0, 64);
        let high = self.terms().extract(term, 64, width - 64);
        self.put_narrow(slot, low);
        self.put_narrow(Slot(slot.0 + 1), high);
    }

    /// Puts a term of up to 64 bits into a slot.
    pub(crate) fn put_narrow(&mut self, slot: Slot, term: Term) {
        match self.terms().constant_value(term) {
            Some(value) => {
                self.set(slot, value as u64);
                self.mark_undefined(slot, 0);
            }
            None => {
                self.set(slot, term.0.into());
                self.mark_undefined(slot, SYMBOLIC);
            }
        }
    }

    /// Puts a word with its mark into a slot, as far as `mask` goes.
    pub(crate) fn put_marked(&mut self, slot: Slot, word: u64, mark: u64, mask: u64) {
        if mark == SYMBOLIC && mask != 0 {
            let width = (64 - mask.leading_zeros()) as u8;
            let term = self.fit(Term(word as u32), width);
            return self.put_narrow(slot, term);
        }
        self.set(slot, word & mask);
        self.mark_undefined(slot, plain(mark & mask));
    }

    pub(crate) fn terms(&mut self) -> &mut crate::term::Terms {
        &mut self.lifelong.symbols.terms
    }

    fn operation_on(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.lifelong.symbols.terms.binary(op, a, b)
    }

    /// Inputs and bits without a value have met.
    pub(crate) fn mixed(&self) -> Halt {
        let what = "a value is made of inputs and of bits that were never written";
        Halt::unknown(format!("not supported on symbolic data: {what}{}", self.at()))
    }

    /// Something that knows nothing of terms is given one.
    pub(crate) fn symbolic(&self, what: &str) -> Halt {
        Halt::unknown(format!("not supported on symbolic data: {what} depends on inputs{}", self.at()))
    }
}
