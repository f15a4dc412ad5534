//! LLVM's intrinsic functions.
mod float;
mod integer;
mod memory;

use super::function::{Body, Leaf};
use super::llvm::Value;
use super::{Refusal, Res};
use crate::ir::{Bin, Inst, IntPredicate, Operand, Ordering};

impl Body<'_> {
    /// A call of the intrinsic `name` (without the types at its end).
    pub(super) fn intrinsic(&mut self, inst: Value, name: &str) -> Res<()> {
        let Some(name) = name.strip_prefix("llvm.") else {
            return Err(Refusal(format!("the intrinsic {name}")));
        };
        if is_silent(name) {
            return Ok(());
        }
        if is_pure(name) && !inst.is_used() {
            return Ok(());
        }
        if let Some(done) = self.memory_intrinsic(inst, name) {
            return done;
        }
        if let Some(done) = self.integer_intrinsic(inst, name) {
            return done;
        }
        if let Some(done) = self.float_intrinsic(inst, name) {
            return done;
        }
        if let Some(done) = self.masked_intrinsic(inst, name) {
            return done;
        }
        if let Some(operation) = name.strip_prefix("vector.reduce.") {
            return self.reduce(inst, operation);
        }
        if let Some(done) = self.vector_intrinsic(inst, name) {
            return done;
        }
        match name {
            "trap" | "debugtrap" | "ubsantrap" => {
                self.emit(Inst::Trap);
                Ok(())
            }
            "is.constant" => {
                let constant = inst.operand(0).as_u64().is_some();
                let answer = self.number(u64::from(constant));
                self.alias(inst, [Leaf::At(answer)].into());
                Ok(())
            }
            "objectsize" => {
                // Unknown: the largest number if the maximum was asked for, else 0.
                let bits = self.bits(inst)?;
                let minimum = inst.operand(1).as_u64() == Some(1);
                let answer = if minimum { self.number(0) } else { self.all_ones(bits) };
                self.alias(inst, [Leaf::At(answer)].into());
                Ok(())
            }
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "ptr.annotation"
            | "annotation"
            | "arithmetic.fence" => {
                let leaves = self.leaves(inst.operand(0))?;
                self.alias(inst, leaves);
                Ok(())
            }
            "invariant.start" => {
                let shape = self.shape(inst)?;
                self.alias(inst, vec![Leaf::Undef; shape.leaves.len()].into());
                Ok(())
            }
            "ptrmask" => self.ptrmask(inst),
            "assume" => self.assume(inst.operand(0)),
            // What _mm_pause and the like are.
            "x86.sse2.pause" => {
                self.emit(Inst::Nop);
                Ok(())
            }
            "readcyclecounter" | "readsteadycounter" | "x86.rdtsc" => {
                let cycles = self.model_call("__verify_cycles");
                self.alias(inst, [Leaf::At(cycles)].into());
                Ok(())
            }
            "x86.rdtscp" => {
                let (cycles, processor) = (self.model_call("__verify_cycles"), self.number(0));
                self.alias(inst, [Leaf::At(cycles), Leaf::At(processor)].into());
                Ok(())
            }
            "x86.xgetbv" => {
                let nothing = self.model_call("__verify_no_features");
                self.alias(inst, [Leaf::At(nothing)].into());
                Ok(())
            }
            "thread.pointer" if self.context.x86 => {
                let thread = self.thread_pointer();
                self.alias(inst, [Leaf::At(thread)].into());
                Ok(())
            }
            "x86.sse2.mfence" => self.thread_fence(Ordering::SeqCst),
            "x86.sse2.lfence" => self.thread_fence(Ordering::Acquire),
            "x86.sse.sfence" => self.thread_fence(Ordering::Release),
            _ => Err(Refusal(format!("the intrinsic llvm.{name}"))),
        }
    }

    /// Control never comes here if the condition does not hold. (What else an assumption says, of pointers, is not
    /// looked at.)
    fn assume(&mut self, condition: Value) -> Res<()> {
        if condition.as_u64() == Some(1) {
            return Ok(());
        }
        let condition = self.operand(condition)?;
        let (broken, behind) = (self.label(), self.label());
        self.branch_on(condition, behind, broken);
        self.bind(broken);
        self.emit(Inst::Unreachable);
        self.bind(behind);
        Ok(())
    }

    fn thread_fence(&mut self, ordering: Ordering) -> Res<()> {
        self.emit(Inst::Fence { ordering, compiler_only: false });
        Ok(())
    }

    fn ptrmask(&mut self, inst: Value) -> Res<()> {
        let bits = self.bits(inst)?;
        if self.bits(inst.operand(1))? != bits {
            return Err(Refusal(format!("the intrinsic {}", inst.text())));
        }
        let (a, b) = (self.elements(inst.operand(0))?, self.elements(inst.operand(1))?);
        let dst = self.define(inst)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.emit(Inst::And(Bin { width: bits as u8, flags: 0, dst, a, b }));
        }
        Ok(())
    }

    /// Compares into a fresh slot.
    pub(super) fn fresh_compare(&mut self, predicate: IntPredicate, bits: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.unit(1);
        self.compare(predicate, bits, dst, a, b);
        Operand::slot(dst)
    }
}

/// Says something to the optimiser or the debugger, and does nothing.
fn is_silent(name: &str) -> bool {
    name.starts_with("dbg.")
        || matches!(
            name,
            "donothing"
                | "sideeffect"
                | "var.annotation"
                | "experimental.noalias.scope.decl"
                | "prefetch"
                | "pseudoprobe"
                | "clear_cache"
                | "codeview.annotation"
                | "invariant.end"
                | "fake.use"
        )
}

/// Can be left out when the result is not used.
fn is_pure(name: &str) -> bool {
    matches!(
        name,
        "is.constant"
            | "objectsize"
            | "expect"
            | "expect.with.probability"
            | "threadlocal.address"
            | "ctpop"
            | "ctlz"
            | "cttz"
            | "bswap"
            | "bitreverse"
            | "smin"
            | "smax"
            | "umin"
            | "umax"
            | "fshl"
            | "fshr"
            | "ptrmask"
            | "frameaddress"
            | "returnaddress"
            | "invariant.start"
            | "fabs"
            | "sqrt"
            | "fma"
            | "fmuladd"
    ) || name.ends_with(".with.overflow")
        || name.ends_with(".sat")
}
