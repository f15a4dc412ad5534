//! Where what the program does depends on the numbers of addresses, and not only on which object they belong to and
//! which comes first in it: instructions of our own tell the machine, which looks at the values.
//!
//! These uses of a number tell nothing about the layout of memory: a copy, the way back to a pointer, a constant
//! distance within the object, the difference to another address of the object, bits in which all addresses agree.
//! Everything else is looked at. Between addresses, order and difference matter if the objects differ, and equality
//! where one of them is past the end of its object, or where one object has died, whose address the other may be given.
//! Of the bytes of an address in memory it matters what a hash function makes of them, and which of two ranges `memcmp`
//! puts first. Library code of ours stands for that of the target, whose use of addresses is its own affair: nothing is
//! looked at there. Where the code says that two pointers come from the same one, nothing is looked at.
use super::Res;
use super::function::Body;
use super::llvm::{Kind, LLVMIntPredicate, LLVMOpcode, TypeKind, Value};
use super::number::{is_constant_number, variable};
use crate::ir::{AddressUse, Inst};
use rustc_hash::FxHashSet;

/// Added to a number, this much is a tag in bits that every address has clear.
const TAGS: u64 = 16;

/// Numbers up to this, or that far below 0, are no addresses whatever the layout.
const NEAR_NULL: u64 = 4096;

impl Body<'_> {
    /// Says in front of an instruction how it uses the numbers of addresses.
    pub(super) fn reliance(&mut self, inst: Value) {
        if self.function.has_own_attribute(crate::load::LIBRARY) {
            return;
        }
        // What cannot be lowered is said with the instruction itself.
        let _ = self.uses_of_numbers(inst);
    }

    fn uses_of_numbers(&mut self, inst: Value) -> Res<()> {
        use LLVMOpcode::*;
        match inst.opcode() {
            LLVMICmp if inst.operand(0).ty().is_pointer() => self.pointers_compared(inst),
            LLVMPtrToInt if self.bits(inst)? < self.context.types.pointer_bits => {
                let (a, b) = (self.operand(inst.operand(0))?, self.all_ones(self.bits(inst)?));
                self.emit(Inst::UseAddress { what: AddressUse::Mask, a, b });
                Ok(())
            }
            LLVMCall if inst.callee().intrinsic().as_deref() == Some("llvm.ptrmask") => {
                self.mark(AddressUse::Mask, inst.operand(0), inst.operand(1))
            }
            LLVMLoad => self.bytes_loaded(inst),
            // (A program may declare it with other parameters.)
            LLVMCall if inst.callee().name() == "memcmp" && inst.operands() == 4 => self.bytes_compared(inst),
            _ if self.numbers.is_empty() && !(0..inst.operands()).any(|i| is_constant_number(inst.operand(i))) => {
                Ok(())
            }
            LLVMICmp => self.numbers_compared(inst),
            LLVMAdd => self.combined(AddressUse::Sum, inst),
            LLVMSub => self.combined(AddressUse::Difference, inst),
            LLVMXor => self.combined(AddressUse::ExclusiveOr, inst),
            LLVMOr => self.combined(AddressUse::Or, inst),
            LLVMAnd => self.masked(inst),
            LLVMTrunc if self.is_number(inst.operand(0)) => {
                self.low_bits(inst.operand(0), 1u64.checked_shl(inst.ty().int_bits()).unwrap_or(0).wrapping_sub(1))
            }
            LLVMURem if inst.operand(1).as_u64().is_some_and(u64::is_power_of_two) => {
                self.low_bits(inst.operand(0), inst.operand(1).as_u64().unwrap_or(1) - 1)
            }
            LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr | LLVMUIToFP
            | LLVMSIToFP | LLVMBitCast => self.whole(inst),
            LLVMCall => match inst.callee().intrinsic() {
                Some(name) if computes(&name) => self.whole(inst),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether a value may be the number of an address.
    fn is_number(&self, value: Value) -> bool {
        self.numbers.contains(&value) || is_constant_number(value)
    }

    fn mark(&mut self, what: AddressUse, a: Value, b: Value) -> Res<()> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        self.emit(Inst::UseAddress { what, a, b });
        Ok(())
    }

    /// All bits of every operand matter.
    fn whole(&mut self, inst: Value) -> Res<()> {
        for i in 0..inst.operands() {
            let operand = inst.operand(i);
            if self.is_number(operand) {
                self.mark(AddressUse::Whole, operand, operand)?;
            }
        }
        Ok(())
    }

    /// Only these bits of a number matter.
    fn low_bits(&mut self, number: Value, bits: u64) -> Res<()> {
        if !self.is_number(number) || self.bits(number)? > 64 {
            return Ok(());
        }
        let (a, b) = (self.operand(number)?, self.number(bits));
        self.emit(Inst::UseAddress { what: AddressUse::Mask, a, b });
        Ok(())
    }

    fn masked(&mut self, inst: Value) -> Res<()> {
        for (number, mask) in [(inst.operand(0), inst.operand(1)), (inst.operand(1), inst.operand(0))] {
            if self.is_number(number) {
                self.mark(AddressUse::Mask, number, mask)?;
            }
        }
        Ok(())
    }

    /// One or two bytes are loaded, which may be a part of an address: that matters if they become a part of a number.
    fn bytes_loaded(&mut self, load: Value) -> Res<()> {
        if load.ty().kind() != TypeKind::LLVMIntegerTypeKind || !matches!(load.ty().int_bits(), 8 | 16) {
            return Ok(());
        }
        if !is_mixed(load) {
            return Ok(());
        }
        let address = self.address(load.operand(0))?;
        let (a, b) = (self.materialise(address), self.number(u64::from(load.ty().int_bits() / 8)));
        self.emit(Inst::UseAddress { what: AddressUse::Bytes, a, b });
        Ok(())
    }

    /// Two ranges of bytes are compared, not only for equality.
    fn bytes_compared(&mut self, call: Value) -> Res<()> {
        let zero = |value: Value| value.as_u64() == Some(0);
        let tests = |user: Value| {
            user.kind() == Kind::Instruction
                && user.opcode() == LLVMOpcode::LLVMICmp
                && is_equality(user)
                && (zero(user.operand(0)) || zero(user.operand(1)))
        };
        if call.users().all(tests) {
            return Ok(());
        }
        self.mark(AddressUse::Bytes, call.operand(0), call.operand(2))?;
        self.mark(AddressUse::Bytes, call.operand(1), call.operand(2))
    }

    /// Two numbers become one, which may be an address again.
    fn combined(&mut self, what: AddressUse, inst: Value) -> Res<()> {
        let (a, b) = (inst.operand(0), inst.operand(1));
        let small = |value: Value| value.as_i64().is_some_and(|number| number.unsigned_abs() < TAGS);
        let used = self.is_number(a) || self.is_number(b);
        if !used
            || small(a)
            || small(b)
            || what == AddressUse::Difference && same_origin(through_number(a), through_number(b))
        {
            return Ok(());
        }
        // Two addresses that are combined for good, not to get one back with the other.
        if what == AddressUse::ExclusiveOr && inst.users().any(|user| !gives_back(user)) {
            return self.whole(inst);
        }
        self.mark(what, a, b)
    }

    fn numbers_compared(&mut self, inst: Value) -> Res<()> {
        let (a, b) = (inst.operand(0), inst.operand(1));
        let far = |value: Value| value.as_i64().is_some_and(|number| number.unsigned_abs() <= NEAR_NULL);
        let used = self.is_number(a) || self.is_number(b);
        if !used || far(a) || far(b) || same_origin(through_number(a), through_number(b)) {
            return Ok(());
        }
        let number = a.as_u64().is_some() || b.as_u64().is_some();
        match is_equality(inst) {
            true if number => Ok(()),
            true => self.mark(AddressUse::Equality, a, b),
            false if number => self.whole(inst),
            false => self.mark(AddressUse::Order, a, b),
        }
    }

    fn pointers_compared(&mut self, inst: Value) -> Res<()> {
        let (a, b) = (inst.operand(0), inst.operand(1));
        if [a, b].iter().any(|pointer| pointer.kind() == Kind::Null) || same_origin(a, b) {
            return Ok(());
        }
        match is_equality(inst) {
            true => self.mark(AddressUse::Equality, a, b),
            false => self.mark(AddressUse::Order, a, b),
        }
    }
}

fn is_equality(inst: Value) -> bool {
    matches!(inst.int_predicate(), LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE)
}

/// Whether a number becomes a part of another one in such a way that all its bits matter, as in hash functions.
fn is_mixed(number: Value) -> bool {
    use LLVMOpcode::*;
    let mut open = vec![number];
    let mut seen = FxHashSet::default();
    while let Some(value) = open.pop() {
        for user in value.users().filter(|user| user.kind() == Kind::Instruction) {
            match user.opcode() {
                LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr => return true,
                LLVMZExt | LLVMSExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMXor | LLVMOr | LLVMAnd | LLVMPHI
                | LLVMSelect | LLVMFreeze
                    if seen.insert(user) =>
                {
                    open.push(user);
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether an intrinsic computes with the bits of its operands.
fn computes(name: &str) -> bool {
    let kinds = ["ctpop", "ctlz", "cttz", "bswap", "bitreverse", "abs", "fsh", "smin", "smax", "umin", "umax"];
    let more = ["uadd.sat", "sadd.sat", "usub.sat", "ssub.sat", "umul", "smul", "sshl.sat", "ushl.sat"];
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    kinds.iter().chain(&more).any(|kind| name.starts_with(kind))
}

/// Whether the combination of two addresses only serves to get one back with the help of the other.
fn gives_back(user: Value) -> bool {
    use LLVMOpcode::*;
    user.kind() == Kind::Instruction
        && match user.opcode() {
            LLVMStore | LLVMIntToPtr | LLVMRet => true,
            LLVMXor => user.users().all(gives_back),
            LLVMICmp => is_equality(user),
            _ => false,
        }
}

/// The pointer whose number it is, if it is one.
fn through_number(value: Value) -> Value {
    match value.kind() {
        Kind::Instruction | Kind::Expression if value.opcode() == LLVMOpcode::LLVMPtrToInt => value.operand(0),
        _ => value,
    }
}

/// Whether two pointers are computed from the same one: then they point into one object.
fn same_origin(a: Value, b: Value) -> bool {
    origin(a, &mut Vec::new()).is_some_and(|origin_of_a| origin(b, &mut Vec::new()) == Some(origin_of_a))
}

/// What a pointer is computed from. `None`: only from phis that were seen, which are being looked at.
fn origin(pointer: Value, seen: &mut Vec<Value>) -> Option<Value> {
    let pointer = variable(pointer);
    if pointer.kind() != Kind::Instruction || !pointer.is_phi() {
        return Some(pointer);
    }
    if seen.contains(&pointer) {
        return None;
    }
    seen.push(pointer);
    let mut common = None;
    for i in 0..pointer.operands() {
        match (common, origin(pointer.operand(i), seen)) {
            (_, None) => {}
            (None, found) => common = found,
            (Some(known), Some(found)) if known == found => {}
            _ => return Some(pointer),
        }
    }
    common.or(Some(pointer))
}
