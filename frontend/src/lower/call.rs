//! Calls and variadic arguments.
use super::function::Body;
use super::llvm::{Kind, Value};
use super::types::{LeafType, Scalar, Shape};
use super::{Refusal, Res};
use crate::ir::{Arg, CallSite, Inst, Operand, Slot};
use llvm_sys::LLVMOpcode;

impl Body<'_> {
    /// call, and what of invoke and callbr is a call.
    pub(super) fn call(&mut self, inst: Value) -> Res<()> {
        let mut callee = inst.callee();
        while callee.kind() == Kind::Alias && matches!(callee.aliasee().kind(), Kind::Alias | Kind::Function) {
            callee = callee.aliasee();
        }
        if callee.kind() == Kind::InlineAsm {
            return self.inline_asm(inst, callee);
        }
        if let Some(name) = callee.intrinsic() {
            return self.intrinsic(inst, &name);
        }
        let known = self.context.functions.get(&callee).copied();
        let target = match known {
            Some(_) => None,
            None => Some(self.operand(callee)?),
        };
        if inst.is_forwarding() {
            return Err(Refusal("a tail call that hands on variadic arguments".into()));
        }
        let ty = inst.call_type();
        let mut args = Vec::new();
        let mut arguments = inst.arguments().into_iter().enumerate().peekable();
        while let Some((index, argument)) = arguments.next() {
            let variadic = index as u32 >= ty.param_count();
            match arguments.next_if(|(_, next)| variadic && self.are_halves(argument, *next)) {
                Some((_, high)) => args.push(self.joined(argument, high)?),
                None => args.push(self.argument(inst, index as u32, argument, variadic)?),
            }
        }
        let shape = self.shape(inst)?;
        let result_slots = shape.slots(&self.context.types);
        let dst = if result_slots > 0 && inst.is_used() { Some(self.define_together(inst, 0)?) } else { None };
        let result_masks = shape.masks(&self.context.types);
        self.calls.push(CallSite { args, dst, result_slots, result_masks, fixed_args: ty.param_count() });
        let site = self.calls.len() as u32 - 1;
        self.emit(match (known, target) {
            (Some(callee), _) => Inst::Call { site, callee },
            (None, Some(callee)) => Inst::CallIndirect { site, callee },
            (None, None) => return Err(Refusal("a call of nothing".into())),
        });
        Ok(())
    }

    fn argument(&mut self, call: Value, index: u32, argument: Value, variadic: bool) -> Res<Arg> {
        let layout = self.context.types.layout;
        if let Some((ty, align)) = call.byval(index) {
            let size = layout.size(ty);
            let value = self.pointer(argument)?;
            let byval = Some((size, align.max(layout.align(ty))));
            return Ok(Arg { value, slots: 1, bytes: size as u32, byval });
        }
        let shape = self.shape(argument)?;
        let bytes = shape.size as u32;
        let (value, slots) =
            if variadic && shape.leaves.len() > 1 { self.as_words(argument, &shape)? } else { self.gather(argument)? };
        Ok(Arg { value, slots, bytes, byval: None })
    }

    /// Whether clang has split an integer of 128 bits, as the ABI does if it goes through registers. Here all variable arguments
    /// go through memory, where it is aligned as a whole.
    fn are_halves(&self, low: Value, high: Value) -> bool {
        let from = |half: Value| {
            let is = |value: Value, opcode| value.kind() == Kind::Instruction && value.opcode() == opcode;
            let address = Some(half).filter(|half| is(*half, LLVMOpcode::LLVMLoad))?.operand(0);
            let base = Some(address).filter(|address| is(*address, LLVMOpcode::LLVMGetElementPtr))?.operand(0);
            Some(base).filter(|base| is(*base, LLVMOpcode::LLVMAlloca))
        };
        let whole = |base: Value| self.context.types.scalar(base.allocated_type()).ok() == Some(Scalar::Int(128));
        low != high && from(low).is_some_and(|base| whole(base) && from(high) == Some(base))
    }

    /// The integer whose halves these are.
    fn joined(&mut self, low: Value, high: Value) -> Res<Arg> {
        let halves = [self.leaves(low)?, self.leaves(high)?].concat();
        let first = self.unit(2);
        for (i, half) in (0..).zip(halves) {
            self.copy(Slot(first.0 + i), half, 1);
        }
        Ok(Arg { value: Operand::slot(first), slots: 2, bytes: 16, byval: None })
    }

    /// A vector or aggregate that goes through memory as a row of 8-byte words.
    fn as_words(&mut self, argument: Value, shape: &Shape) -> Res<(Operand, u32)> {
        let bits: u32 = shape.leaves.iter().map(|leaf| self.context.types.bits(leaf.scalar)).sum();
        if u64::from(bits) != shape.size * 8 || !bits.is_multiple_of(8) {
            return Err(Refusal(format!("a variadic argument of type {}", argument.ty().text())));
        }
        let words = (0..bits.div_ceil(64))
            .map(|i| LeafType { scalar: Scalar::Int((bits - 64 * i).min(64)), offset: u64::from(8 * i) });
        let words = Shape { leaves: words.collect(), size: shape.size, packed: None };
        let leaves = self.leaves(argument)?;
        let leaves = self.repack(&leaves, shape, &words)?;
        let slots = leaves.len() as u32;
        let first = self.unit(slots);
        for (i, leaf) in leaves.into_iter().enumerate() {
            self.copy(Slot(first.0 + i as u32), leaf, 1);
        }
        Ok((Operand::slot(first), slots))
    }

    /// LLVM's va_arg instruction.
    pub(super) fn va_arg(&mut self, inst: Value) -> Res<()> {
        self.known_va_list()?;
        let bits = self.context.types.bits(self.context.types.scalar(inst.ty())?) as u8;
        let ap = self.pointer(inst.operand(0))?;
        let dst = self.define_one(inst)?;
        self.emit(Inst::VaArg { bits, dst, ap });
        Ok(())
    }

    /// Refused where we do not know what a va_list looks like.
    pub(super) fn known_va_list(&self) -> Res<()> {
        if self.context.x86 {
            return Ok(());
        }
        Err(Refusal("variadic arguments on this target".into()))
    }
}
