//! Calls and variadic arguments.
use super::function::Body;
use super::llvm::{Kind, Type, Value};
use super::types::{LeafType, Scalar, Shape};
use super::{Refusal, Res};
use crate::ir::{Arg, CallSite, Float, Inst, Operand, Registers, Slot};
use llvm_sys::LLVMTypeKind;

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
        for (index, argument) in (0..).zip(inst.arguments()) {
            if index >= ty.param_count() && is_aggregate(argument.ty()) {
                self.scattered(argument, &mut args)?;
            } else {
                args.push(self.argument(inst, index, argument, index >= ty.param_count())?);
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
            let align = align.max(layout.align(ty));
            let (byval, align) = (Some((size, align)), align as u32);
            return Ok(Arg { value, slots: 1, bytes: size as u32, byval, align, registers: Registers::default() });
        }
        let shape = self.shape(argument)?;
        let is_vector = argument.ty().is_vector();
        let registers = match is_vector {
            true => Registers { general: 0, vector: u8::from(!variadic || shape.size <= 16) },
            false => registers(shape.leaves.iter().map(|leaf| leaf.scalar)),
        };
        // On i386, of what is passed directly only vectors are aligned.
        let aligned = is_vector || self.context.types.pointer_bits == 64;
        let align = if aligned { layout.align(argument.ty()) as u32 } else { 1 };
        let bytes = shape.size as u32;
        let (value, slots) =
            if variadic && shape.leaves.len() > 1 { self.as_words(argument, &shape)? } else { self.gather(argument)? };
        Ok(Arg { value, slots, bytes, byval: None, align, registers })
    }

    /// The leaves of a variable argument that is an aggregate: LLVM passes each as if it were an argument of its own.
    fn scattered(&mut self, argument: Value, args: &mut Vec<Arg>) -> Res<()> {
        let shape = self.shape(argument)?;
        if has_vector(argument.ty()) {
            return Err(Refusal(format!("a variadic argument of type {}", argument.ty().text())));
        }
        for (&value, leaf) in self.leaves(argument)?.iter().zip(&shape.leaves) {
            let slots = self.context.types.slots(leaf.scalar);
            let bytes = self.context.types.bits(leaf.scalar).div_ceil(8);
            let first = self.unit(slots);
            self.copy(first, value, slots);
            // Of scalars only the largest need more than the eight bytes of a slot.
            let align = if bytes > 8 && self.context.types.pointer_bits == 64 { 16 } else { 1 };
            let registers = registers([leaf.scalar]);
            args.push(Arg { value: Operand::slot(first), slots, bytes, byval: None, align, registers });
        }
        Ok(())
    }

    /// A vector that goes through memory as a row of 8-byte words.
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
        let scalar = self.context.types.scalar(inst.ty())?;
        let (bits, registers) = (self.context.types.bits(scalar) as u8, registers([scalar]));
        let ap = self.pointer(inst.operand(0))?;
        let dst = self.define_one(inst)?;
        self.emit(Inst::VaArg { bits, registers, dst, ap });
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

/// The registers that values of these types are passed in.
fn registers(scalars: impl IntoIterator<Item = Scalar>) -> Registers {
    let mut all = Registers::default();
    for scalar in scalars {
        match scalar {
            Scalar::Int(bits) => all.general = all.general.saturating_add(bits.div_ceil(64) as u8),
            Scalar::Pointer => all.general = all.general.saturating_add(1),
            Scalar::Float(Float::F80) => {}
            Scalar::Float(_) | Scalar::Opaque(_) => all.vector = all.vector.saturating_add(1),
        }
    }
    all
}

fn is_aggregate(ty: Type) -> bool {
    matches!(ty.kind(), LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind)
}

/// Whether a part of a type is a vector.
fn has_vector(ty: Type) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMArrayTypeKind => has_vector(ty.element()),
        LLVMTypeKind::LLVMStructTypeKind => (0..ty.len() as u32).any(|i| has_vector(ty.field(i))),
        _ => ty.is_vector(),
    }
}
