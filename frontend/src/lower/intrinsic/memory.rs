//! Intrinsics about memory, the stack and variadic arguments.
use crate::ir::{Inst, Operand};
use crate::lower::address::Address;
use crate::lower::function::{Body, Leaf};
use crate::lower::llvm::{Kind, Value};
use crate::lower::types::Scalar;
use crate::lower::{Refusal, Res};

impl Body<'_> {
    /// Lowers the intrinsic if it is about memory.
    pub(super) fn memory_intrinsic(&mut self, inst: Value, name: &str) -> Option<Res<()>> {
        Some(match name {
            "memcpy" | "memcpy.inline" => {
                self.three_words(inst).map(|[to, from, len]| self.emit(Inst::MemCopy { to, from, len }))
            }
            "memmove" => self.three_words(inst).map(|[to, from, len]| self.emit(Inst::MemMove { to, from, len })),
            "memset" | "memset.inline" => {
                self.three_words(inst).map(|[to, value, len]| self.emit(Inst::MemSet { to, value, len }))
            }
            "lifetime.start" => self.pointer(inst.operand(1)).map(|address| self.emit(Inst::LifetimeStart { address })),
            "lifetime.end" => self.pointer(inst.operand(1)).map(|address| self.emit(Inst::LifetimeEnd { address })),
            "va_start" => self.va(inst).map(|ap| self.emit(Inst::VaStart { ap })),
            "va_end" => self.va(inst).map(|ap| self.emit(Inst::VaEnd { ap })),
            "va_copy" => self.va_copy(inst),
            "threadlocal.address" => self.thread_local(inst),
            "stacksave" => self.define_one(inst).map(|dst| self.emit(Inst::StackSave { dst })),
            "stackrestore" => self.operand(inst.operand(0)).map(|saved| self.emit(Inst::StackRestore { saved })),
            "frameaddress" | "returnaddress" | "addressofreturnaddress" | "sponentry" => {
                self.define_one(inst).map(|dst| self.emit(Inst::FrameAddress { dst }))
            }
            "load.relative" => self.load_relative(inst),
            _ => return None,
        })
    }

    fn three_words(&mut self, inst: Value) -> Res<[Operand; 3]> {
        for pointer in [inst.operand(0), inst.operand(1)] {
            self.ordinary(pointer)?;
        }
        Ok([self.operand(inst.operand(0))?, self.operand(inst.operand(1))?, self.operand(inst.operand(2))?])
    }

    fn va(&mut self, inst: Value) -> Res<Operand> {
        self.known_va_list()?;
        self.pointer(inst.operand(0))
    }

    fn va_copy(&mut self, inst: Value) -> Res<()> {
        let to = self.va(inst)?;
        let from = self.pointer(inst.operand(1))?;
        self.emit(Inst::VaCopy { to, from });
        Ok(())
    }

    fn thread_local(&mut self, inst: Value) -> Res<()> {
        let mut variable = inst.operand(0);
        while variable.kind() == Kind::Alias {
            variable = variable.aliasee();
        }
        let global = self.context.globals.get(&variable).copied();
        let global = global.ok_or_else(|| Refusal(format!("thread-local {}", inst.operand(0).text())))?;
        let dst = self.define_one(inst)?;
        self.emit(Inst::ThreadLocal { dst, global });
        Ok(())
    }

    /// The base plus the 32-bit offset that is stored at the base plus an index.
    fn load_relative(&mut self, inst: Value) -> Res<()> {
        let base = self.pointer(inst.operand(0))?;
        let index = self.word_index(inst.operand(1))?;
        let (offset, extended) = (self.unit(1), self.unit(1));
        let address = Address { base, index: Some((index, 1)), offset: 0 };
        self.load_scalar(Scalar::Int(32), offset, address);
        let pointer_bits = self.context.types.pointer_bits as u8;
        let distance = if pointer_bits > 32 {
            self.emit(Inst::Sext { from: 32, to: pointer_bits, dst: extended, a: Operand::slot(offset) });
            extended
        } else {
            offset
        };
        let dst = self.define_one(inst)?;
        self.emit(Inst::Address { dst, base, index: Operand::slot(distance), scale: 1, offset: 0 });
        Ok(())
    }

    fn word_index(&mut self, index: Value) -> Res<Operand> {
        let leaf: Leaf = self.leaves(index)?[0];
        self.index(index, leaf)
    }
}
