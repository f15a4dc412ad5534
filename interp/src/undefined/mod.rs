//! Undefined bits: which of them come out of an instruction, given those that go in.
//!
//! A slot's shadow has a bit set for each bit of the slot that was never given a value. Masks, shifts and copies are
//! followed bit by bit, because bit-fields are written and read that way; any other result is undefined altogether
//! if something that goes into it is. Undefined bits may be computed with, passed on and copied; deciding on one, or
//! using one as an address, is a violation.
//!
//! A single-bit result (a comparison) is undefined in all bits of its slot, so that it stays so as a `_Bool` in memory.
pub(crate) mod partial_bytes;
pub(crate) mod unwritten;

use crate::value::{mask, sign_extend, sign_extend_wide, truncate};
use frontend::ir::{Bin, CastKind, Inst, IntOp, Operand, Slot, Visitor, WideOp, flags, slots_of_bits};

/// The shadow of a slot that holds a term instead of a value, see [`crate::symbolic`]. All of its bytes are undefined.
/// No bits that are undefined are ever marked so: see [`plain`].
pub(crate) const SYMBOLIC: u64 = 0x9d5b_a7e3_c16f_f32d;

/// A shadow of bits without a value.
pub(crate) fn plain(shadow: u64) -> u64 {
    if shadow == SYMBOLIC { u64::MAX } else { shadow }
}

/// The registers of a frame with their shadows.
pub(crate) struct View<'a> {
    /// Constants and slots of all frames.
    pub(crate) slots: &'a mut [u64],
    /// First slot of the frame.
    pub(crate) base: u32,
    /// As `slots`.
    pub(crate) shadows: &'a mut [u64],
    /// How many shadows are not 0.
    pub(crate) undefined: &'a mut u32,
}

impl View<'_> {
    /// The undefined bits of an operand.
    pub(crate) fn shadow(&self, operand: Operand) -> u64 {
        operand.as_slot().map_or(0, |slot| self.shadows[(self.base + slot.0) as usize])
    }

    /// The operand's value.
    fn value(&self, operand: Operand) -> u64 {
        match operand.as_slot() {
            Some(slot) => self.slots[(self.base + slot.0) as usize],
            None => self.slots[(operand.0 & 0x7fff_ffff) as usize],
        }
    }

    /// The value of an operand of two slots, and its undefined bits.
    fn both(&self, operand: Operand) -> (u128, u128) {
        let whole = |of: fn(&Self, Operand) -> u64| {
            u128::from(of(self, operand)) | u128::from(of(self, operand.offset(1))) << 64
        };
        (whole(Self::value), whole(Self::shadow))
    }

    /// Sets the undefined bits of two slots.
    fn mark_both(&mut self, slot: Slot, shadow: u128) {
        self.mark(slot, plain(shadow as u64));
        self.mark(Slot(slot.0 + 1), plain((shadow >> 64) as u64));
    }

    /// Sets the undefined bits of a slot.
    pub(crate) fn mark(&mut self, slot: Slot, shadow: u64) {
        let place = &mut self.shadows[(self.base + slot.0) as usize];
        *self.undefined += u32::from(shadow != 0);
        *self.undefined -= u32::from(*place != 0);
        *place = shadow;
    }
}

/// Whether the instruction is a decision: it must not depend on undefined bits.
fn decides(inst: Inst) -> bool {
    matches!(inst, Inst::Branch { .. } | Inst::BranchICmp { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. })
}

/// Settles the shadows of the results of an instruction before the fast loop executes it. False, with nothing changed:
/// it is to be executed in its complete form, because undefined bits go into memory, or decide, or because the fast
/// loop may yet leave it undone, and settling twice is not the same as once.
pub(crate) fn settle(view: &mut View<'_>, inst: Inst, checked: bool) -> bool {
    // If nothing undefined goes into an instruction, its results are defined (or said not to be then).
    match operands(inst) {
        Some((reads, write)) => {
            if reads.into_iter().all(|operand| view.shadow(operand) == 0) {
                if let Some(slot) = write {
                    view.mark(slot, 0);
                }
                return true;
            }
        }
        None => {
            if !reads_undefined(view, inst) {
                write_all(view, inst, 0);
                return true;
            }
        }
    }
    is_simple(inst, checked) && !reads_term(view, inst) && propagate(view, inst)
}

/// Whether a slot that the instruction reads holds a term.
pub(crate) fn reads_term(view: &View<'_>, inst: Inst) -> bool {
    reads(view, inst, |shadow| shadow == SYMBOLIC)
}

/// What the commonest instructions read and write: the same as [`Inst::visit`] says, only quicker.
#[inline]
fn operands(inst: Inst) -> Option<([Operand; 3], Option<Slot>)> {
    let none = Operand::constant(0);
    Some(match inst {
        Inst::Add(b)
        | Inst::Sub(b)
        | Inst::Mul(b)
        | Inst::And(b)
        | Inst::Or(b)
        | Inst::Xor(b)
        | Inst::Shl(b)
        | Inst::LShr(b)
        | Inst::AShr(b)
        | Inst::UDiv(b)
        | Inst::SDiv(b)
        | Inst::URem(b)
        | Inst::SRem(b) => ([b.a, b.b, none], Some(b.dst)),
        Inst::ICmp { dst, a, b, .. } => ([a, b, none], Some(dst)),
        Inst::Trunc { dst, a, .. } | Inst::Sext { dst, a, .. } | Inst::Copy { dst, a } => ([a, none, none], Some(dst)),
        Inst::Select { dst, c, a, b } => ([a, b, c], Some(dst)),
        Inst::Address { dst, base, index, .. } | Inst::LoadIndexed { dst, base, index, .. } => {
            ([base, index, none], Some(dst))
        }
        Inst::AddressOffset { dst, base, .. } => ([base, none, none], Some(dst)),
        Inst::Load8 { dst, address, .. }
        | Inst::Load16 { dst, address, .. }
        | Inst::Load32 { dst, address, .. }
        | Inst::Load64 { dst, address, .. } => ([address, none, none], Some(dst)),
        Inst::Store8 { address, value, .. }
        | Inst::Store16 { address, value, .. }
        | Inst::Store32 { address, value, .. }
        | Inst::Store64 { address, value, .. } => ([address, value, none], None),
        Inst::StoreIndexed { base, index, value, .. } => ([base, index, value], None),
        Inst::Branch { condition, .. } => ([condition, none, none], None),
        Inst::BranchICmp { a, b, .. } => ([a, b, none], None),
        Inst::Jump { .. } => ([none; 3], None),
        _ => return None,
    })
}

/// Whether the fast loop does this instruction without any "unless".
fn is_simple(inst: Inst, checked: bool) -> bool {
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) => !checked || b.flags & flags::NSW == 0,
        Inst::And(_)
        | Inst::Or(_)
        | Inst::Xor(_)
        | Inst::ICmp { .. }
        | Inst::Trunc { .. }
        | Inst::Sext { .. }
        | Inst::Copy { .. }
        | Inst::CopyN { .. }
        | Inst::Select { .. }
        | Inst::Address { .. }
        | Inst::AddressOffset { .. } => true,
        other => decides(other),
    }
}

/// Whether the instruction may be an error for one value of what is undefined in its operands, and none for another
/// one. `checked`: the flags whose violation is an error, `nsw` if overflow is looked for.
pub(crate) fn may_fail(view: &View<'_>, inst: Inst, checked: u8) -> bool {
    let undefined = |operand: Operand, slots: u32| {
        (0..slots).map(|i| view.shadow(operand.offset(i))).any(|shadow| shadow != 0 && shadow != SYMBOLIC)
    };
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) => {
            b.flags & checked & flags::NSW != 0 && (undefined(b.a, 1) || undefined(b.b, 1))
        }
        Inst::Shl(b) | Inst::LShr(b) | Inst::AShr(b) | Inst::UDiv(b) | Inst::URem(b) => undefined(b.b, 1),
        Inst::SDiv(b) | Inst::SRem(b) => {
            undefined(b.b, 1) || undefined(b.a, 1) && sign_extend(b.width, view.value(b.b)) == -1
        }
        Inst::Wide { op: WideOp::Add | WideOp::Sub | WideOp::Mul, flags, a, b, .. } => {
            flags & checked & flags::NSW != 0 && (undefined(a, 2) || undefined(b, 2))
        }
        Inst::Wide { op: WideOp::Shl | WideOp::LShr | WideOp::AShr | WideOp::UDiv | WideOp::URem, b, .. } => {
            undefined(b, 2)
        }
        Inst::Wide { op: WideOp::SDiv | WideOp::SRem, width, a, b, .. } => {
            undefined(b, 2) || undefined(a, 2) && sign_extend_wide(width, view.both(b).0) == -1
        }
        Inst::Int { op: IntOp::SShlSat | IntOp::UShlSat, b, .. } => checked & flags::NSW != 0 && undefined(b, 1),
        Inst::Cast { kind: CastKind::FloatToSigned | CastKind::FloatToUnsigned, from, a, .. } => {
            checked & flags::NSW != 0 && undefined(a, slots_of_bits(u32::from(from)))
        }
        _ => false,
    }
}

/// Settles the shadows of the results of an instruction that only computes on registers. False, with nothing changed:
/// the instruction decides on an undefined value.
pub(crate) fn propagate(view: &mut View<'_>, inst: Inst) -> bool {
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) => {
            let both = view.shadow(b.a) | view.shadow(b.b);
            // A carry only travels upwards.
            binary(view, b, if both == 0 { 0 } else { u64::MAX << both.trailing_zeros() });
        }
        Inst::And(b) => {
            let (x, y) = (view.shadow(b.a), view.shadow(b.b));
            binary(view, b, x & (view.value(b.b) | y) | y & (view.value(b.a) | x));
        }
        Inst::Or(b) => {
            let (x, y) = (view.shadow(b.a), view.shadow(b.b));
            binary(view, b, x & (!view.value(b.b) | y) | y & (!view.value(b.a) | x));
        }
        Inst::Xor(b) => binary(view, b, view.shadow(b.a) | view.shadow(b.b)),
        Inst::Shl(b) | Inst::LShr(b) | Inst::AShr(b) => {
            let (shadow, count) = (view.shadow(b.a), view.value(b.b));
            let shifted = match inst {
                _ if view.shadow(b.b) != 0 => u64::MAX,
                _ if shadow == 0 || count >= u64::from(b.width) => 0,
                Inst::Shl(_) => shadow << count,
                Inst::LShr(_) => truncate(b.width, shadow) >> count,
                _ => (sign_extend(b.width, shadow) >> count) as u64,
            };
            binary(view, b, shifted);
        }
        Inst::Wide { op, width, dst, a, b, .. } => {
            let shadow = wide(op, width, view.both(a), view.both(b));
            view.mark_both(dst, mask(width, shadow));
        }
        Inst::Cast { kind: CastKind::WideTrunc, to, dst, a, .. } => {
            let shadow = mask(to, view.both(a).1);
            if to > 64 { view.mark_both(dst, shadow) } else { view.mark(dst, plain(shadow as u64)) }
        }
        Inst::Trunc { width, dst, a } => {
            let shadow = narrowed(width, view.shadow(a));
            view.mark(dst, shadow);
        }
        Inst::Sext { from, to, dst, a } => {
            let shadow = narrowed(to, sign_extend(from, view.shadow(a)) as u64);
            view.mark(dst, shadow);
        }
        Inst::Copy { dst, a } => {
            let shadow = view.shadow(a);
            view.mark(dst, shadow);
        }
        Inst::CopyN { n, dst, a } => {
            for i in 0..n {
                let shadow = view.shadow(a.offset(i));
                view.mark(Slot(dst.0 + i), shadow);
            }
        }
        Inst::Select { dst, c, a, b } => {
            let chosen = if view.value(c) & 1 != 0 { a } else { b };
            let shadow = if view.shadow(c) != 0 { u64::MAX } else { view.shadow(chosen) };
            view.mark(dst, shadow);
        }
        // (That it is undefined because of what `c` is, its execution says.)
        Inst::Poison { dst, a, c } => {
            let shadow = if view.shadow(c) != 0 { u64::MAX } else { view.shadow(a) };
            view.mark(dst, shadow);
        }
        other => {
            let any = reads_undefined(view, other);
            if any && decides(other) {
                return false;
            }
            let shadow = if any { u64::MAX } else { 0 };
            write_all(view, other, shadow);
        }
    }
    true
}

fn binary(view: &mut View<'_>, bin: Bin, shadow: u64) {
    view.mark(bin.dst, narrowed(bin.width, shadow));
}

/// The undefined bits of the result of an operation on values with their undefined bits. Bit-fields may be parts of
/// such values.
fn wide(op: WideOp, width: u8, (a, x): (u128, u128), (b, y): (u128, u128)) -> u128 {
    match op {
        WideOp::And => x & (b | y) | y & (a | x),
        WideOp::Or => x & (!b | y) | y & (!a | x),
        WideOp::Xor => x | y,
        WideOp::Shl if y == 0 && b < u128::from(width) => x << b,
        WideOp::LShr if y == 0 && b < u128::from(width) => x >> b,
        WideOp::AShr if y == 0 && b < u128::from(width) => (sign_extend_wide(width, x) >> b) as u128,
        _ if x | y == 0 => 0,
        _ => u128::MAX,
    }
}

/// A shadow as that of a value of `width` bits.
fn narrowed(width: u8, shadow: u64) -> u64 {
    let inside = truncate(width, shadow);
    if width == 1 && inside != 0 { u64::MAX } else { plain(inside) }
}

/// Whether anything that the instruction reads is undefined.
fn reads_undefined(view: &View<'_>, inst: Inst) -> bool {
    reads(view, inst, |shadow| shadow != 0)
}

/// Whether a slot that the instruction reads has such a shadow.
fn reads(view: &View<'_>, mut inst: Inst, wanted: fn(u64) -> bool) -> bool {
    struct Reads<'v, 'a> {
        view: &'v View<'a>,
        wanted: fn(u64) -> bool,
        any: bool,
    }
    impl Visitor for Reads<'_, '_> {
        fn read(&mut self, operand: &mut Operand, slots: u32) {
            self.any |= (0..slots).any(|i| (self.wanted)(self.view.shadow(operand.offset(i))));
        }
        fn write(&mut self, _: &mut Slot, _: u32) {}
    }
    let mut reads = Reads { view, wanted, any: false };
    inst.visit(&mut reads);
    reads.any
}

/// Sets the shadow of everything that the instruction writes.
pub(crate) fn write_all(view: &mut View<'_>, mut inst: Inst, shadow: u64) {
    struct Writes<'v, 'a> {
        view: &'v mut View<'a>,
        shadow: u64,
    }
    impl Visitor for Writes<'_, '_> {
        fn read(&mut self, _: &mut Operand, _: u32) {}
        fn write(&mut self, slot: &mut Slot, slots: u32) {
            for i in 0..slots {
                self.view.mark(Slot(slot.0 + i), self.shadow);
            }
        }
    }
    inst.visit(&mut Writes { view, shadow });
}

/// Which bits are undefined in a value of bytes, those in the mask having never been written.
pub(crate) fn shadow_of_bytes(unwritten: u8) -> u64 {
    por::Lanes::Bytes.bits(u64::from(unwritten))
}

/// Which bytes of a value are undefined, in part or altogether.
pub(crate) fn unwritten_bytes(shadow: u64) -> u8 {
    if shadow == 0 {
        return 0;
    }
    (0..8).filter(|i| shadow >> (8 * i) & 0xff != 0).fold(0, |mask, i| mask | 1 << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shadow of the result of `inst` on slots 0 and 1, result in slot 2.
    fn result(inst: Inst, values: [u64; 2], shadows: [u64; 2]) -> u64 {
        let mut slots = [values[0], values[1], 0];
        let mut all = [shadows[0], shadows[1], 0];
        let mut undefined = all.iter().filter(|s| **s != 0).count() as u32;
        let mut view = View { slots: &mut slots, base: 0, shadows: &mut all, undefined: &mut undefined };
        assert!(propagate(&mut view, inst));
        assert_eq!(undefined, all.iter().filter(|s| **s != 0).count() as u32);
        all[2]
    }

    fn bin(width: u8) -> Bin {
        Bin { width, flags: 0, dst: Slot(2), a: Operand::slot(Slot(0)), b: Operand::slot(Slot(1)) }
    }

    #[test]
    fn masks_and_shifts_are_exact() {
        // A bit-field of three bits is written into an undefined byte, then read.
        assert_eq!(result(Inst::And(bin(8)), [0, 0xf8], [0xff, 0]), 0xf8);
        assert_eq!(result(Inst::Or(bin(8)), [0, 5], [0xf8, 0]), 0xf8);
        assert_eq!(result(Inst::Or(bin(8)), [0, 8], [0xf8, 0]), 0xf0);
        assert_eq!(result(Inst::Shl(bin(8)), [5, 5], [0xf8, 0]), 0);
        assert_eq!(result(Inst::AShr(bin(8)), [5, 5], [0x80, 0]), 0xfc);
        assert_eq!(result(Inst::LShr(bin(8)), [5, 5], [0x80, 0]), 0x04);
        assert_eq!(result(Inst::Shl(bin(8)), [5, 5], [0, 1]), 0xff);
        assert_eq!(result(Inst::Add(bin(16)), [0, 0], [0x10, 0]), 0xfff0);
    }

    #[test]
    fn a_value_is_undefined_if_it_is_unknown_whether_it_is() {
        let (a, c) = (Operand::slot(Slot(0)), Operand::slot(Slot(1)));
        let inst = Inst::Poison { dst: Slot(2), a, c };
        assert_eq!(result(inst, [7, 0], [0xf0, 0]), 0xf0);
        assert_eq!(result(inst, [7, 0], [0, 1]), u64::MAX);
    }

    #[test]
    fn the_quick_operands_are_those_of_the_visitor() {
        let (a, b, c, dst) = (Operand::slot(Slot(0)), Operand::slot(Slot(1)), Operand::slot(Slot(2)), Slot(3));
        let bin = Bin { width: 8, flags: 0, dst, a, b };
        let (predicate, width, offset, size, scale) = (frontend::ir::IntPredicate::Eq, 8, 0, 4, 4);
        let pc = frontend::ir::Pc(0);
        let all = [
            Inst::Add(bin),
            Inst::SRem(bin),
            Inst::ICmp { predicate, width, dst, a, b },
            Inst::Trunc { width, dst, a },
            Inst::Copy { dst, a },
            Inst::Select { dst, c, a, b },
            Inst::Address { dst, base: a, index: b, scale: 4, offset },
            Inst::LoadIndexed { size, scale, dst, base: a, index: b, offset },
            Inst::AddressOffset { dst, base: a, offset: 0 },
            Inst::Load32 { dst, address: a, offset },
            Inst::Store16 { address: a, offset, value: b },
            Inst::StoreIndexed { size, scale, base: a, index: b, offset, value: c },
            Inst::Branch { condition: a, then: pc, otherwise: pc },
            Inst::BranchICmp { predicate, width, a, b, then: pc, otherwise: pc },
            Inst::Jump { target: pc },
        ];
        struct Seen(Vec<u32>, Vec<u32>);
        impl Visitor for Seen {
            fn read(&mut self, operand: &mut Operand, slots: u32) {
                assert_eq!(slots, 1);
                self.0.push(operand.0);
            }
            fn write(&mut self, slot: &mut Slot, slots: u32) {
                assert_eq!(slots, 1);
                self.1.push(slot.0);
            }
        }
        for mut inst in all {
            let (reads, write) = operands(inst).expect("it is one of the commonest");
            let mut reads: Vec<u32> = reads.iter().filter(|o| o.as_slot().is_some()).map(|o| o.0).collect();
            let mut seen = Seen(Vec::new(), Vec::new());
            inst.visit(&mut seen);
            reads.sort_unstable();
            seen.0.sort_unstable();
            assert_eq!((reads, write.map(|s| s.0).into_iter().collect::<Vec<_>>()), (seen.0, seen.1), "{inst:?}");
        }
    }

    #[test]
    fn decisions_are_refused() {
        let operand = Operand::slot(Slot(0));
        let branch = Inst::Branch { condition: operand, then: frontend::ir::Pc(0), otherwise: frontend::ir::Pc(0) };
        let (mut slots, mut shadows, mut undefined) = ([0], [1], 1);
        let mut view = View { slots: &mut slots, base: 0, shadows: &mut shadows, undefined: &mut undefined };
        assert!(!propagate(&mut view, branch));
        view.mark(Slot(0), 0);
        assert!(propagate(&mut view, branch));
        assert_eq!(undefined, 0);
    }

    #[test]
    fn bytes_and_bits() {
        assert_eq!(shadow_of_bytes(0b101), 0xff00ff);
        assert_eq!(unwritten_bytes(0xff00ff), 0b101);
        assert_eq!(unwritten_bytes(0x0fff_0001), 0b1101);
    }
}
