//! `setjmp` and `longjmp`: contexts that a thread has saved and may go back to.
//!
//! What lives in memory keeps its value, as C has it; what the frame keeps in slots across the call is saved here,
//! since its slots may be used otherwise until the second return. (Functions that call `setjmp` keep their variables in
//! memory, see `frontend`'s passes, so slots hold nothing but values of expressions.) A context is known by the address
//! of its buffer and is forgotten when its frame is taken away. The buffer itself holds the number of the thread that
//! filled it, so that reading one that was never filled, or while another thread fills it, is noticed like any other
//! access.
use crate::machine::Machine;
use crate::step::{Flow, Halt};
use crate::thread::After;
use crate::verdict::fault::Kind;
use frontend::ir::{Operand, Slot};

/// A place to come back to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Context {
    /// How many frames are below its own.
    pub(crate) frame: u32,
    /// Address of the buffer.
    pub(crate) buffer: u64,
    /// The call that saved it.
    pub(crate) pc: u32,
    /// Stack objects of the thread at that time.
    pub(crate) allocas: u32,
    /// Depth of atomic blocks at that time.
    pub(crate) block: u32,
    /// The slots that are read after the call: which, value, undefined bits.
    pub(crate) slots: Vec<(Slot, u64, u64)>,
}

impl Machine {
    /// Saves the context of the call at which the frame on top stands, which then returns 0.
    pub(crate) fn save_context(&mut self, buffer: u64) -> Result<Flow, Halt> {
        let me = self.segment.current;
        self.note_own_number();
        self.store(buffer, self.program.pointer_bytes, buffer, 0)?;
        self.store(
            buffer.wrapping_add(self.program.pointer_bytes),
            self.program.pointer_bytes,
            u64::from(me.0) + 1,
            0,
        )?;
        let top = *self.thread(me).top();
        let live = self.lifelong.live.at(&self.program.module, top.function, top.pc, true).to_vec();
        let slots = live.iter().map(|slot| (*slot, Operand::slot(*slot)));
        let slots = slots.map(|(slot, operand)| (slot, self.get(operand), self.shadow(operand))).collect();
        let thread = self.thread(me);
        let context = Context {
            frame: thread.frames.len() as u32 - 1,
            buffer,
            pc: top.pc,
            allocas: thread.allocas.len() as u32,
            block: thread.header.block,
            slots,
        };
        let contexts = &mut self.rare_mut(me).contexts;
        contexts.retain(|other| other.buffer != buffer);
        let place = contexts.partition_point(|other| (other.frame, other.buffer) < (context.frame, buffer));
        contexts.insert(place, context);
        self.finish_instruction([0, 0], [0; 2], true);
        Ok(Flow::Next)
    }

    /// Goes back to the context saved in a buffer: the call that saved it returns once more, with `value`. Frames above
    /// end with their stack objects.
    pub(crate) fn restore_context(&mut self, buffer: u64, value: u64) -> Result<Flow, Halt> {
        let context = self.context(buffer)?;
        let me = self.segment.current;
        let thread = self.thread(me);
        let left = &thread.frames[context.frame as usize + 1..];
        if thread.header.block != context.block || left.iter().any(|frame| frame.block) {
            return Err(Halt::unknown(format!("a jump out of an atomic block is not modelled{}", self.at())));
        }
        if left.iter().any(|frame| frame.after != After::Call) {
            return Err(Halt::unknown(format!(
                "a jump out of a function that runs at exit is not modelled{}",
                self.at()
            )));
        }
        // (One by one: a frame that comes to be on top is remembered with its objects.)
        while self.thread(me).frames.len() as u32 > context.frame + 1 {
            let first = self.thread(me).top().allocas;
            self.end_allocas(first as usize)?;
            self.pop_frame();
        }
        self.end_allocas(context.allocas as usize)?;
        self.thread_mut(me).top_mut().pc = context.pc;
        for (slot, value, undefined) in context.slots {
            self.set(slot, value);
            self.mark_undefined(slot, undefined);
        }
        self.finish_instruction([value, 0], [0; 2], true);
        self.segment.spin.turn();
        Ok(Flow::Next)
    }

    /// The context saved in a buffer.
    fn context(&mut self, buffer: u64) -> Result<Context, Halt> {
        let (saved, undefined) = self.load(buffer, self.program.pointer_bytes)?;
        let (owner, more_undefined) =
            self.load(buffer.wrapping_add(self.program.pointer_bytes), self.program.pointer_bytes)?;
        if undefined | more_undefined != 0 {
            return Err(Halt::fault(Kind::Uninitialised, "a jump to a context that was never saved"));
        }
        if saved == 0 {
            return Err(Halt::fault(Kind::Misuse, "a jump to a context that was never saved"));
        }
        if owner != u64::from(self.segment.current.0) + 1 {
            return Err(Halt::fault(Kind::Misuse, "a jump to a context that another thread saved"));
        }
        if saved != buffer {
            return Err(Halt::unknown(format!("a jump to a copy of a saved context is not modelled{}", self.at())));
        }
        let contexts = &self.thread(self.segment.current).rare.contexts;
        let found = contexts.iter().find(|context| context.buffer == buffer).cloned();
        found.ok_or_else(|| Halt::fault(Kind::Misuse, "a jump into a function that has returned"))
    }
}
