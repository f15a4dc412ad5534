//! Running a thread from one visible action to the next.
//!
//! There are two ways through an instruction. [`Machine::burst`] is a tight loop over what is common and simple; it
//! returns in front of whatever it does not do itself. [`Machine::step`] then carries out that one instruction, with
//! all checks, stacks and reasons. [`Machine::tracked_burst`] is the loop while there are undefined bits to be
//! followed.
mod arith;
mod burst;
mod call;
mod control;
mod first_access;
mod memory;
mod operate;
mod plain;
mod registers;
mod slow;
mod tracked;
mod variadic;
mod visible;
mod window;

use crate::library::SecondHalf;
use crate::library::hooks::{ModelError, Outcome};
use crate::machine::Machine;
use crate::memory::AccessError;
use crate::operation::Operation;
use crate::thread::Resume;
use crate::verdict::fault::Kind;
use frontend::ir::{Operand, Slot};

/// How a thread goes on after an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flow {
    /// With the instruction at which its frame on top stands.
    Next,
    /// Not before this visible operation has happened.
    Before(Operation, Resume),
    /// Not at all.
    Over,
    /// With the rest of the instruction after its action.
    Rest(Rest),
    /// Like `Next`; the instruction was the end of an atomic block, and with it of the action.
    BlockOver,
}

/// The local work of a thread after an action, before its next instruction. It is no part of the action: no thread that
/// learns of the action learns of that.
#[derive(Clone, Copy, Hash, Debug)]
pub(crate) enum Rest {
    /// The second half of the model that raised the operation.
    Finish(SecondHalf, Outcome),
    /// What an action on a thread has found out is stored; then the call goes on.
    HandOver { address: u64, size: u8, value: u64, undefined: u64, resume: Resume },
    /// The rest of a copy.
    Copy { to: u64, from: u64, len: u64 },
    /// The rest of a fill.
    Fill { to: u64, len: u64, value: u8, undefined: u8 },
    /// The call at which the thread stands, by its model.
    Model,
    /// The call of a routine that is to run once.
    CallOnce { control: u64, routine: u64 },
}

/// Why an instruction could not be carried out.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// As a model puts it.
    ModelError(ModelError),
    /// As memory puts it.
    Access(AccessError),
    /// The thread runs in circles for ever, and it was not asked whether it does.
    Silent,
}

impl From<ModelError> for Halt {
    fn from(stop: ModelError) -> Self {
        Halt::ModelError(stop)
    }
}

impl From<AccessError> for Halt {
    fn from(error: AccessError) -> Self {
        Halt::Access(error)
    }
}

impl Halt {
    /// A violation.
    pub(crate) fn fault(kind: Kind, message: impl Into<String>) -> Halt {
        Halt::ModelError(ModelError::Fault { kind, message: message.into(), related: Vec::new() })
    }

    /// A limit or a gap.
    pub(crate) fn unknown(reason: impl Into<String>) -> Halt {
        Halt::ModelError(ModelError::Unknown(reason.into()))
    }
}

impl Machine {
    /// Runs the current thread until it stands before a visible operation, which becomes its pending one, or is over.
    pub(crate) fn run(&mut self) -> Result<(), Halt> {
        loop {
            self.burst_now()?;
            if self.lifelong.instructions > self.segment.step_limit {
                return Err(self.too_long());
            }
            if self.segment.spin.due() {
                self.look_for_spinning()?;
                if !self.segment.spin.observing() {
                    continue;
                }
            }
            let result = self.step();
            // By far the commonest, and the others are large.
            if matches!(result, Ok(Flow::Next)) {
                continue;
            }
            if !self.goes_on(result?)? {
                return Ok(());
            }
        }
    }

    /// Takes the current thread to its next instruction; false: it stands before an operation, or is over.
    pub(crate) fn goes_on(&mut self, flow: Flow) -> Result<bool, Halt> {
        match flow {
            Flow::Next => Ok(true),
            Flow::Over => Ok(false),
            Flow::Before(operation, resume) => match self.join_on(&operation, resume)? {
                Some(goes_on) => Ok(goes_on),
                None => match self.await_operation(operation, resume)? {
                    Some(flow) => self.goes_on_from(flow),
                    None => Ok(false),
                },
            },
            flow => self.goes_on_from(flow),
        }
    }

    fn goes_on_from(&mut self, mut flow: Flow) -> Result<bool, Halt> {
        loop {
            flow = match flow {
                Flow::Next => return Ok(true),
                Flow::Before(operation, resume) => match self.await_operation(operation, resume)? {
                    Some(flow) => flow,
                    None => return Ok(false),
                },
                Flow::Over => return Ok(false),
                Flow::Rest(rest) => self.do_rest(rest)?,
                Flow::BlockOver => return Ok(self.leave_action()),
            }
        }
    }

    fn do_rest(&mut self, rest: Rest) -> Result<Flow, Halt> {
        match rest {
            Rest::Finish(SecondHalf(finish), outcome) => self.finish_model(finish, outcome),
            Rest::HandOver { address, size, value, undefined, resume } => {
                self.hand_over((address, size), (value, undefined), resume)
            }
            Rest::Copy { to, from, len } => self.copy_on(to, from, len),
            Rest::Fill { to, len, value, undefined } => self.fill_on(to, len, value, undefined),
            Rest::Model => self.call_standing_model(),
            Rest::CallOnce { control, routine } => self.call_once(control, routine),
        }
    }

    /// The fast loop that fits the state of the current thread.
    fn burst_now(&mut self) -> Result<(), AccessError> {
        // (The fast loops look at a turn that they count, and this one was counted.)
        if self.segment.spin.observing() || self.segment.spin.due() {
            return Ok(());
        }
        if self.thread(self.segment.current).tracks() {
            self.tracked_burst();
            return Ok(());
        }
        self.burst()
    }

    #[cold]
    fn too_long(&self) -> Halt {
        let limit = self.program.options.max_steps;
        Halt::unknown(format!("step limit: a thread ran {limit} instructions without a visible action"))
    }

    /// Index of what an operand names in the registers of the current thread.
    fn index(&self, operand: Operand) -> usize {
        match operand.as_slot() {
            Some(slot) => self.slot_index(slot),
            None => (operand.0 & 0x7fff_ffff) as usize,
        }
    }

    fn slot_index(&self, slot: Slot) -> usize {
        (self.thread(self.segment.current).top().base + slot.0) as usize
    }

    /// The value of an operand in the frame on top of the current thread.
    pub(crate) fn get(&self, operand: Operand) -> u64 {
        self.thread(self.segment.current).regs[self.index(operand)]
    }

    /// The value of an operand of two slots.
    pub(crate) fn get_wide(&self, operand: Operand) -> u128 {
        u128::from(self.get(operand)) | u128::from(self.get(operand.offset(1))) << 64
    }

    /// The value of an operand of `bits` bits.
    pub(crate) fn get_bits(&self, operand: Operand, bits: u8) -> u128 {
        if bits > 64 { self.get_wide(operand) } else { u128::from(self.get(operand)) }
    }

    /// Puts a value into a slot of the frame on top.
    pub(crate) fn set(&mut self, slot: Slot, value: u64) {
        let index = self.slot_index(slot);
        self.thread_mut(self.segment.current).regs[index] = value;
    }

    /// Puts a value of `bits` bits into one or two slots.
    pub(crate) fn set_bits(&mut self, slot: Slot, bits: u8, value: u128) {
        self.set(slot, value as u64);
        if bits > 64 {
            self.set(Slot(slot.0 + 1), (value >> 64) as u64);
        }
    }

    /// The frame on top goes on with the next instruction.
    pub(crate) fn advance(&mut self) {
        self.thread_mut(self.segment.current).top_mut().pc += 1;
    }
}
