//! One instruction with everything that can happen to it.
use super::{Flow, Halt};
use crate::machine::Machine;
use crate::options::Uninitialised;
use crate::thread::Resume;
use crate::undefined::{self, View};
use crate::verdict::fault::Kind;
use frontend::ir::{Inst, Operand, Slot, Visitor};

impl Machine {
    /// Executes the instruction at which the frame on top of the current thread stands.
    pub(crate) fn step(&mut self) -> Result<Flow, Halt> {
        let frame = self.thread(self.segment.current).top();
        let inst = self.program.module.functions[frame.function.index()].code[frame.pc as usize];
        if let Some(coverage) = &self.program.coverage {
            coverage.note(frame.function, frame.pc as usize);
        }
        self.lifelong.instructions += 1;
        if self.thread(self.segment.current).tracks() {
            if undefined::reads_term(&self.view(), inst)
                && let Some(flow) = self.step_on_terms(inst)?
            {
                return Ok(flow);
            }
            self.follow(inst)?;
        }
        match inst {
            Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::BranchICmp { .. }
            | Inst::Switch { .. }
            | Inst::IndirectJump { .. } => self.jump(inst),
            Inst::Return { n, value } => self.leave(value, n),
            Inst::Call { site, callee } => self.call(site, callee),
            Inst::CallIndirect { site, callee } => {
                let callee = self.function_at(self.get(callee))?;
                self.call(site, callee)
            }
            // The first access of each stretch to any place comes here: it is not asked first whether it is arithmetic.
            Inst::Load8 { .. }
            | Inst::Load16 { .. }
            | Inst::Load32 { .. }
            | Inst::Load64 { .. }
            | Inst::LoadIndexed { .. }
            | Inst::Store8 { .. }
            | Inst::Store16 { .. }
            | Inst::Store32 { .. }
            | Inst::Store64 { .. }
            | Inst::StoreIndexed { .. } => self.access_memory(inst),
            Inst::AtomicLoad { .. }
            | Inst::AtomicStore { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CompareExchange { .. } => {
                let operation = self.thread(self.segment.current).atomic_operation(&self.program.module);
                let operation = operation.expect("the thread stands at an atomic instruction");
                Ok(Flow::Before(operation, Resume::Instruction))
            }
            Inst::Trap => Err(Halt::fault(Kind::Abort, "the program traps")),
            Inst::Unreachable => {
                Err(Halt::fault(Kind::Abort, "control reaches a place that the program declares unreachable"))
            }
            Inst::Unsupported { reason } => {
                let frame = self.thread(self.segment.current).top();
                let function = &self.program.module.functions[frame.function.index()];
                let reason = function.unsupported[reason as usize].clone();
                Err(Halt::unknown(format!("not supported: {reason}{}", self.at())))
            }
            _ => {
                if !self.compute(inst)? {
                    return self.access_memory(inst);
                }
                self.advance();
                Ok(Flow::Next)
            }
        }
    }

    /// Executes an instruction that accesses memory, or stands before the action that it begins with.
    fn access_memory(&mut self, inst: Inst) -> Result<Flow, Halt> {
        if self.state.memory.has_visible()
            && let Some(flow) = self.begin_visibly(inst)?
        {
            return Ok(flow);
        }
        self.access(inst)?;
        self.advance();
        Ok(Flow::Next)
    }

    /// Executes a return, once the ends of variables that are actions have happened.
    fn leave(&mut self, value: Operand, n: u32) -> Result<Flow, Halt> {
        let keep = self.thread(self.segment.current).top().allocas as usize;
        match self.state.memory.has_visible().then(|| self.end_visibly(keep)).flatten() {
            Some(flow) => Ok(flow),
            None => self.return_from(value, n),
        }
    }

    /// Undefined bits of an operand in the frame on top.
    pub(crate) fn shadow(&self, operand: Operand) -> u64 {
        let thread = self.thread(self.segment.current);
        match operand.as_slot() {
            Some(slot) if thread.tracks() => thread.shadows[(thread.top().base + slot.0) as usize],
            _ => 0,
        }
    }

    /// Sets the undefined bits of a slot of the frame on top.
    pub(crate) fn mark_undefined(&mut self, slot: Slot, shadow: u64) {
        if shadow == 0 && !self.thread(self.segment.current).tracks() {
            return;
        }
        let mut view = self.view();
        view.mark(slot, shadow);
    }

    /// The registers of the frame on top with their shadows, which exist from now on.
    pub(crate) fn view(&mut self) -> View<'_> {
        let thread = &mut self.state.threads[self.segment.current.index()];
        if thread.shadows.is_empty() {
            thread.shadows.resize(thread.regs.len(), 0);
        }
        View {
            base: thread.frames.last().expect("a running thread has a frame").base,
            slots: &mut thread.regs,
            shadows: &mut thread.shadows,
            undefined: &mut thread.header.undefined,
        }
    }

    /// Settles what an instruction does to undefined bits, and objects if it must not be given any. What comes out of
    /// memory, of vectors at a run-time index and of calls is settled where it comes out.
    fn follow(&mut self, inst: Inst) -> Result<(), Halt> {
        match inst {
            Inst::Store8 { address, .. }
            | Inst::Store16 { address, .. }
            | Inst::Store32 { address, .. }
            | Inst::Store64 { address, .. }
            | Inst::StoreBits { address, .. } => self.defined(address, "an address"),
            Inst::StoreIndexed { base, index, .. } => {
                self.defined(base, "an address")?;
                self.defined(index, "an address")
            }
            Inst::MemSet { to, len, .. } => {
                self.defined(to, "an address")?;
                self.defined(len, "a length")
            }
            Inst::ExtractDynamic { index, .. } | Inst::InsertDynamic { index, .. } => self.defined(index, "an index"),
            Inst::Load8 { .. }
            | Inst::Load16 { .. }
            | Inst::Load32 { .. }
            | Inst::Load64 { .. }
            | Inst::LoadBits { .. }
            | Inst::LoadIndexed { .. }
            | Inst::MemCopy { .. }
            | Inst::MemMove { .. }
            | Inst::Alloca { .. }
            | Inst::LifetimeStart { .. }
            | Inst::LifetimeEnd { .. }
            | Inst::StackRestore { .. }
            | Inst::VaStart { .. }
            | Inst::VaEnd { .. }
            | Inst::VaCopy { .. }
            | Inst::VaArg { .. } => {
                self.all_defined(inst, "an address or a length")?;
                undefined::write_all(&mut self.view(), inst, 0);
                Ok(())
            }
            // What they do with values, their actions say.
            Inst::AtomicLoad { address, .. }
            | Inst::AtomicStore { address, .. }
            | Inst::AtomicRmw { address, .. }
            | Inst::CompareExchange { address, .. } => self.defined(address, "an address"),
            Inst::CallIndirect { callee, .. } => self.defined(callee, "the function to call"),
            Inst::Undef { .. } | Inst::Freeze { .. } | Inst::Return { .. } | Inst::Call { .. } => Ok(()),
            other => {
                // By default they are followed to where something depends on them. If they count as values, it does
                // here.
                let counts = self.program.options.uninitialised != Uninitialised::Error;
                let checked = self.program.checked_flags;
                if counts && undefined::may_fail(&self.view(), other, checked) {
                    return Err(undefined("whether there is a result"));
                }
                if undefined::propagate(&mut self.view(), other) { Ok(()) } else { Err(undefined("a decision")) }
            }
        }
    }

    fn defined(&self, operand: Operand, what: &str) -> Result<(), Halt> {
        match self.shadow(operand) {
            0 => Ok(()),
            undefined::SYMBOLIC => Err(self.symbolic(what)),
            _ => Err(undefined(what)),
        }
    }

    fn all_defined(&mut self, mut inst: Inst, what: &str) -> Result<(), Halt> {
        struct Reads<'a>(&'a Machine, bool);
        impl Visitor for Reads<'_> {
            fn read(&mut self, operand: &mut Operand, slots: u32) {
                self.1 |= (0..slots).any(|i| self.0.shadow(operand.offset(i)) != 0);
            }
            fn write(&mut self, _: &mut Slot, _: u32) {}
        }
        let mut reads = Reads(self, false);
        inst.visit(&mut reads);
        match reads.1 {
            true if undefined::reads_term(&self.view(), inst) => Err(self.symbolic(what)),
            true => Err(undefined(what)),
            false => Ok(()),
        }
    }
}

/// Something depends on bits that were never given a value.
pub(crate) fn undefined(what: &str) -> Halt {
    Halt::fault(Kind::Uninitialised, format!("{what} depends on a value that was never written"))
}
