//! Instructions that access memory, in all generality.
use super::Halt;
use crate::library::hooks::Content;
use crate::machine::Machine;
use crate::memory::{Mode, ObjectKind, Request};
use crate::value::truncate;
use crate::verdict::fault::Kind;
use frontend::ir::{GlobalId, Inst, Operand, Slot};

impl Machine {
    /// Executes an instruction that accesses memory or makes or ends objects.
    pub(super) fn access(&mut self, inst: Inst) -> Result<(), Halt> {
        if let Some((dst, bits, address)) = self.loaded(inst) {
            return self.load_bits(dst, bits, address);
        }
        if let Some((value, bits, address)) = self.stored(inst) {
            return self.store_bits(value, bits, address);
        }
        match inst {
            Inst::MemCopy { to, from, len } => {
                let (to, from, len) = (self.get(to), self.get(from), self.get(len));
                if to != from && to.abs_diff(from) < len {
                    return Err(Halt::fault(Kind::Memory, "memcpy of overlapping ranges"));
                }
                self.copy(to, from, len)
            }
            Inst::MemMove { to, from, len } => self.copy(self.get(to), self.get(from), self.get(len)),
            Inst::MemSet { to, value, len } => {
                let undefined = self.shadow(value) as u8;
                self.fill(self.get(to), self.get(len), self.get(value) as u8, undefined)
            }
            Inst::Alloca { info, dst, count } => self.alloca(info, dst, self.get(count)),
            Inst::LifetimeStart { address } => {
                let (origin, address) = (self.origin(Mode::Plain), self.get(address));
                self.state.memory.lifetime_start(&origin, address)?;
                self.begin_content(Mode::Plain, address)
            }
            Inst::LifetimeEnd { address } => {
                let origin = self.origin(Mode::Plain);
                Ok(self.state.memory.lifetime_end(&origin, self.get(address))?)
            }
            Inst::StackSave { dst } => {
                let depth = self.thread(self.segment.current).allocas.len() as u64;
                self.set(dst, depth);
                self.mark_undefined(dst, 0);
                Ok(())
            }
            Inst::StackRestore { saved } => self.end_allocas(self.get(saved) as usize),
            Inst::ThreadLocal { dst, global } => {
                let address = self.thread_local(global)?;
                self.set(dst, address);
                self.mark_undefined(dst, 0);
                Ok(())
            }
            Inst::FrameAddress { dst } => {
                // In the first page: not null, and no object will ever be there.
                self.set(dst, 16);
                self.mark_undefined(dst, 0);
                Ok(())
            }
            Inst::Fence { ordering, compiler_only } => {
                if !compiler_only {
                    self.state.memory.race.fence(self.segment.current, ordering);
                    // What was checked before the fence must be checked again after it.
                    self.state.memory.race.enter(self.segment.current);
                }
                Ok(())
            }
            other => self.variadic(other),
        }
    }

    /// Loads a value of that many bits, undefined bits and all.
    pub(super) fn load_bits(&mut self, dst: Slot, bits: u8, address: u64) -> Result<(), Halt> {
        let bytes = u64::from(bits).div_ceil(8);
        let (low, shadow) = self.load(address, bytes.min(8))?;
        if bits <= 64 && shadow == 0 {
            self.set(dst, truncate(bits, low));
            self.mark_undefined(dst, 0);
            return Ok(());
        }
        let high = if bytes > 8 { self.load((address + 8) & self.program.pointer_mask, bytes - 8)? } else { (0, 0) };
        self.put_loaded(dst, bits, [low, high.0], [shadow, high.1]);
        Ok(())
    }

    /// Stores a value of that many bits.
    fn store_bits(&mut self, value: Operand, bits: u8, address: u64) -> Result<(), Halt> {
        let bytes = u64::from(bits).div_ceil(8);
        let (low, shadow) = (self.get(value), self.shadow(value));
        self.store(address, bytes.min(8), low, shadow)?;
        if bytes > 8 {
            let (high, shadow) = (self.get(value.offset(1)), self.shadow(value.offset(1)));
            self.store((address + 8) & self.program.pointer_mask, bytes - 8, high, shadow)?;
        }
        Ok(())
    }

    /// memmove as the current thread.
    pub(crate) fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), Halt> {
        if len == 0 {
            return Ok(());
        }
        self.note_read(from, len);
        let origin = self.origin(Mode::Plain);
        self.state.memory.copy(&origin, to, from, len)?;
        self.copy_partial(to, from, len);
        Ok(())
    }

    /// memset as the current thread; `undefined` are the bits of the byte that have no value.
    pub(crate) fn fill(&mut self, to: u64, len: u64, value: u8, undefined: u8) -> Result<(), Halt> {
        if len == 0 {
            return Ok(());
        }
        let origin = self.origin(Mode::Plain);
        if undefined == 0 {
            self.state.memory.fill(&origin, to, value, len)?;
        } else {
            self.state.memory.store_unwritten(&origin, to, len)?;
            self.forget_partial(to, len);
        }
        Ok(())
    }

    /// What a variable holds whose life begins.
    pub(crate) fn begin_content(&mut self, mode: Mode, address: u64) -> Result<(), Halt> {
        let Some(object) = self.state.memory.object_at(address) else { return Ok(()) };
        self.forget_partial(address, object.size);
        if self.unwritten_is_zero() && object.base == address && matches!(object.kind, ObjectKind::Stack(..)) {
            let origin = self.origin(mode);
            self.state.memory.fill(&origin, address, 0, object.size)?;
        }
        Ok(())
    }

    fn alloca(&mut self, info: u32, dst: Slot, count: u64) -> Result<(), Halt> {
        let function = self.thread(self.segment.current).top().function;
        let alloca = &self.program.module.functions[function.index()].allocas[info as usize];
        let size = alloca.size.checked_mul(count).filter(|size| *size <= self.program.pointer_mask / 2);
        let align = alloca.align;
        let Some(size) = size else {
            return Err(Halt::fault(Kind::Memory, "an array on the stack has an impossible size"));
        };
        let request = Request {
            kind: ObjectKind::Stack(function, info),
            size,
            align,
            content: self.new_content(Content::Unwritten),
        };
        let address = self.stack_object(request)?;
        self.set(dst, address);
        self.mark_undefined(dst, 0);
        Ok(())
    }

    /// A new object that ends with the frame on top.
    pub(crate) fn stack_object(&mut self, request: Request) -> Result<u64, Halt> {
        let origin = self.origin(Mode::Plain);
        let address = self.state.memory.allocate(&origin, request)?;
        self.thread_mut(self.segment.current).allocas.push(address);
        Ok(address)
    }

    /// Ends all stack objects of the current thread but the first `keep`.
    pub(crate) fn end_allocas(&mut self, keep: usize) -> Result<(), Halt> {
        if self.thread(self.segment.current).allocas.len() <= keep {
            return Ok(());
        }
        let origin = self.origin(Mode::Plain);
        while self.thread(self.segment.current).allocas.len() > keep {
            let address = self.thread_mut(self.segment.current).allocas.pop().expect("there are more than that");
            self.state.memory.end(&origin, address)?;
        }
        Ok(())
    }

    /// Address of the current thread's copy of a thread-local variable, which begins to exist at its first use.
    fn thread_local(&mut self, global: GlobalId) -> Result<u64, Halt> {
        let index = global.index();
        let known = self.thread(self.segment.current).rare.locals.get(index).copied().unwrap_or(0);
        if known != 0 {
            return Ok(known);
        }
        let program = std::sync::Arc::clone(&self.program);
        let variable = &program.module.globals[index];
        let Some(initial) = &variable.initial else {
            let name = &variable.name;
            return Err(Halt::unknown(format!("the variable `{name}` is declared but defined nowhere")));
        };
        let origin = self.origin(Mode::Plain);
        let request = Request {
            kind: ObjectKind::ThreadLocal(global),
            size: variable.size,
            align: variable.align,
            content: Content::Zero,
        };
        let address = self.state.memory.allocate(&origin, request)?;
        let image = crate::machine::layout::image(&program.module, &mut self.state.memory, &program.globals, initial);
        self.state.memory.poke(address, &image);
        let locals = &mut self.rare_mut(self.segment.current).locals;
        if locals.len() <= index {
            locals.resize(index + 1, 0);
        }
        locals[index] = address;
        Ok(address)
    }
}
