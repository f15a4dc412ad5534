//! Values that were never written, where they do not count as bugs ([`Uninitialised`]).
//!
//! They have no value, as ever, until something depends on one. Then the exploration starts again ([`Learned`]), and
//! from there on
//! - `zero`: memory that would be unwritten when it comes into being holds zeros, and "safe" says so,
//! - `any`: a load of bytes that were never written reads an input ([`crate::symbolic`]), a new one each time. (LLVM
//!   lets each load of such memory see something else.) All of their values are explored, so "safe" assumes nothing.
//!
//! Local variables that are registers are given a place in memory by the frontend, from which they get what they hold
//! before they are written, once for each life. What else is undefined, such as results that operations do not have
//! (poison), stays so, and so do bytes that a library function or an atomic operation reads: if something depends on
//! that, it is no bug that is looked for, and the verdict is unknown, as of all undefined behaviour that is not looked
//! for.
//!
//! [`Learned`]: crate::machine::Learned
use crate::library::hooks::Content;
use crate::machine::Machine;
use crate::operation::Source;
use crate::options::Uninitialised;
use crate::term::{Op, Term};
use crate::undefined::SYMBOLIC;
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::StackFrame;
use por::ThreadId;

impl Machine {
    /// Something depends on what was never written. Whether it counts as something, the next exploration knows.
    pub(crate) fn note_unwritten(&mut self) {
        let options = &self.program.options;
        let counts = match options.uninitialised {
            Uninitialised::Error => false,
            Uninitialised::Any => options.symbolic.is_some(),
            Uninitialised::Zero => true,
        };
        if counts && !self.learned.uses_unwritten {
            self.learned.uses_unwritten = true;
            self.segment.restart = true;
        }
    }

    /// What was never written counts as the options say: an exploration has met something that depends on it.
    pub fn uses_unwritten(&self) -> bool {
        self.learned.uses_unwritten
    }

    /// Lets it count. The machine was not started yet.
    pub fn use_unwritten(&mut self) {
        self.learned.uses_unwritten = true;
    }

    /// Whether what this machine does, which has fixed inputs, may be due to what was never written.
    pub fn rests_on_unwritten(&self) -> bool {
        self.unwritten_is_any() && self.exploration.inputs.as_ref().is_some_and(|inputs| !inputs.is_empty())
    }

    /// What was read where nothing was written, as far as it matters to what this machine does, which has fixed inputs.
    pub fn unwritten_reads(&self) -> &[UnwrittenRead] {
        &self.lifelong.unwritten_reads
    }

    fn unwritten_is_any(&self) -> bool {
        self.learned.uses_unwritten && self.program.options.uninitialised == Uninitialised::Any
    }

    /// Memory that was never written holds zeros.
    pub(crate) fn unwritten_is_zero(&self) -> bool {
        self.learned.uses_unwritten && self.program.options.uninitialised == Uninitialised::Zero
    }

    pub(crate) fn zero_assumed(&self) -> Option<Assumption> {
        self.unwritten_is_zero().then_some(Assumption::ZeroUninitialised)
    }

    /// What a new object holds of which the program says that it holds this.
    pub(crate) fn new_content(&self, content: Content) -> Content {
        if self.unwritten_is_zero() { Content::Zero } else { content }
    }

    /// What a load of bytes comes to of which some bits were never written.
    pub(crate) fn load_unwritten(&mut self, size: u64, value: u64, shadow: u64) -> (u64, u64) {
        match self.any_bits(size) {
            None => (value, crate::undefined::plain(shadow)),
            Some(AnyBits::Fixed(bits)) => {
                let whole = value & !shadow | bits.unwrap_or(0) & shadow;
                if bits.is_some() {
                    let thread = self.segment.current;
                    let read = UnwrittenRead { thread, value: whole, stack: self.stack(thread) };
                    self.lifelong.unwritten_reads.push(read);
                }
                (whole, 0)
            }
            Some(AnyBits::Input(input)) => {
                let width = 8 * size as u8;
                let terms = self.terms();
                let (known, unknown) =
                    (terms.constant((value & !shadow).into(), width), terms.constant(shadow.into(), width));
                let some = terms.binary(Op::And, input, unknown);
                let whole = terms.binary(Op::Or, some, known);
                match terms.constant_value(whole) {
                    Some(value) => (value as u64, 0),
                    None => (whole.0.into(), SYMBOLIC),
                }
            }
        }
    }

    /// A new input of that many bytes, if what was never written counts as one.
    pub(crate) fn any_bits(&mut self, size: u64) -> Option<AnyBits> {
        if !self.unwritten_is_any() {
            return None;
        }
        let me = self.segment.current;
        if let Some(inputs) = &self.exploration.inputs {
            let number = self.thread(me).rare.inputs;
            let value = inputs.iter().find(|input| (input.thread, input.number) == (me, number));
            let value = value.map(|input| input.value);
            self.rare_mut(me).inputs += 1;
            return Some(AnyBits::Fixed(value));
        }
        if !self.learned.reads_inputs {
            self.learned.reads_inputs = true;
            self.segment.restart = true;
        }
        Some(AnyBits::Input(Term(self.perform_input(8 * size as u8, Source::Call)[0] as u32)))
    }
}

/// A load from where nothing was written, and what it gave.
#[derive(Clone, Debug)]
pub struct UnwrittenRead {
    /// The thread that loads.
    pub thread: ThreadId,
    /// All that was loaded.
    pub value: u64,
    /// Where, innermost first.
    pub stack: Vec<StackFrame>,
}

/// What was never written, and may be anything.
pub(crate) enum AnyBits {
    /// In this execution it is that, if it matters.
    Fixed(Option<u64>),
    /// An input.
    Input(Term),
}
