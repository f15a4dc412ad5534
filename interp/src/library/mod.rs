//! Calls of library models: what they see of the machine, and what comes of what they answer.
mod call;
pub(crate) mod data;
mod errno;
pub(crate) mod global;
pub mod hooks;
mod pages;
mod passing;
pub(crate) mod thunk;

use crate::library::hooks::{Finish, Model, ModelError, ModelResult, Outcome};
use crate::machine::{Callee, Machine};
use crate::memory::{Attempt, Mode};
use crate::step::{Flow, Halt};
use crate::thread::{After, Resume};
use frontend::ir::FuncId;
use std::hash::{Hash, Hasher};

/// The second half of a model, as part of how a thread goes on. In fingerprints it is known by where it lies in this
/// executable, for its address is another one in each process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecondHalf(pub(crate) Finish);

impl PartialEq for SecondHalf {
    fn eq(&self, other: &Self) -> bool {
        self.0 as usize == other.0 as usize
    }
}

impl Eq for SecondHalf {}

impl Hash for SecondHalf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let here: fn() = SecondHalf::is_here;
        (self.0 as usize).wrapping_sub(here as usize).hash(state);
    }
}

impl SecondHalf {
    /// Something in this executable.
    fn is_here() {}
}

/// One call of a model.
pub(crate) struct LibraryCall<'a> {
    machine: &'a mut Machine,
    callee: FuncId,
    /// The function that calls, and the number of the call in it.
    caller: FuncId,
    site: u32,
    /// Something was changed: nothing can be decided any more.
    changed: bool,
}

impl Machine {
    /// Lets a model do the call at which the frame on top stands.
    pub(crate) fn call_model(&mut self, callee: FuncId, model: Model) -> Result<Flow, Halt> {
        let in_block = self.thread(self.segment.current).header.block > 0;
        if let Some(flow) = self.settle_arguments(callee)? {
            return Ok(flow);
        }
        let effect = match model(&mut self.library_call(callee)) {
            Err(ModelError::Undecided) => {
                let operation = self.segment.undecided.take().expect("a model says what is undecided");
                return Ok(Flow::Before(operation, Resume::Model));
            }
            effect => effect?,
        };
        let flow = self.take_effect(effect)?;
        if in_block && self.thread(self.segment.current).header.block == 0 && matches!(flow, Flow::Next) {
            return Ok(Flow::BlockOver);
        }
        Ok(flow)
    }

    /// Lets the second half of a model go on behind its operation.
    pub(crate) fn finish_model(&mut self, finish: Finish, outcome: Outcome) -> Result<Flow, Halt> {
        let (callee, _, _) = self.standing_call()?;
        let mut call = self.library_call(callee);
        // What came of the operation would be gone.
        call.changed = true;
        let effect = finish(&mut call, outcome)?;
        self.take_effect(effect)
    }

    /// Lets its model do the call at which the frame on top stands, behind a test for cancellation.
    pub(crate) fn call_standing_model(&mut self) -> Result<Flow, Halt> {
        let (callee, _, _) = self.standing_call()?;
        match self.program.callees[callee.index()] {
            Callee::Model(model) | Callee::Point(model, _) => self.call_model(callee, model),
            Callee::Defined | Callee::Block | Callee::External(..) | Callee::Unmodelled => {
                unreachable!("a cancellation point has a model")
            }
        }
    }

    pub(crate) fn take_effect(&mut self, effect: ModelResult) -> Result<Flow, Halt> {
        match effect {
            ModelResult::Return(words) => {
                self.finish_instruction(words, [0; 2], true);
                Ok(Flow::Next)
            }
            ModelResult::Data(data) => {
                let (word, mark) = data.marked();
                self.finish_instruction([word, 0], [mark, 0], true);
                Ok(Flow::Next)
            }
            ModelResult::Operate(operation) => Ok(Flow::Before(operation, Resume::Result)),
            ModelResult::Then { operation, finish } => Ok(Flow::Before(operation, Resume::Finish(SecondHalf(finish)))),
            ModelResult::Tail { function, arguments } => {
                let function = self.function_at(function)?;
                self.enter_root(function, &arguments, After::Call)?;
                Ok(Flow::Next)
            }
            ModelResult::SaveContext { buffer } => self.save_context(buffer),
            ModelResult::RestoreContext { buffer, value } => self.restore_context(buffer, value),
            ModelResult::Exit { status } => self.begin_exit(status),
            ModelResult::Never => {
                self.stop_current();
                Ok(Flow::Over)
            }
        }
    }

    /// Callee, caller and call site of the call at which the frame on top stands.
    fn standing_call(&self) -> Result<(FuncId, FuncId, u32), Halt> {
        let frame = self.thread(self.segment.current).top();
        let code = &self.program.module.functions[frame.function.index()].code;
        match code[frame.pc as usize] {
            frontend::ir::Inst::Call { site, callee } => Ok((callee, frame.function, site)),
            frontend::ir::Inst::CallIndirect { site, callee } => {
                Ok((self.function_at(self.get(callee))?, frame.function, site))
            }
            other => unreachable!("a model is called by a call, not by {other:?}"),
        }
    }

    pub(crate) fn library_call(&mut self, callee: FuncId) -> LibraryCall<'_> {
        let frame = self.thread(self.segment.current).top();
        let (caller, pc) = (frame.function, frame.pc as usize);
        let site = self.program.module.functions[caller.index()].code[pc].call_site();
        let site = site.expect("a model is called by a call");
        LibraryCall { machine: self, callee, caller, site, changed: false }
    }

    /// The checks of an operation on a synchronisation object of that many bytes.
    pub(crate) fn synchronise(&mut self, address: u64, bytes: u64) -> Result<(), Halt> {
        let origin = self.origin(Mode::Synchronising);
        Ok(self.state.memory.touch(&origin, Attempt::Synchronise, address, bytes)?)
    }
}
