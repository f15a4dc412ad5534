//! Instructions that only compute on registers (of memory only objects' places matter to them) or jump, when nothing
//! about them is out of the ordinary.
use super::registers::Registers;
use crate::memory::Memory;
use crate::value::{compare, compare_float, float, sign_extend, truncate};
use frontend::ir::{Float, Inst, Pc, Slot, SwitchTable, flags};

/// What the fast loops have to know of the settings.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The bits that an address has.
    pub(super) mask: u64,
    /// Signed overflow is looked for.
    pub(super) checked: bool,
}

/// How it goes on.
pub(super) enum Next {
    /// With the next instruction.
    On,
    /// There.
    At(Pc),
    /// Nothing has been done: this is for the complete form.
    Stop,
}

/// The target of a switch.
#[inline]
pub(super) fn switch_target(table: &SwitchTable, value: u64) -> Pc {
    match table.cases.binary_search_by_key(&value, |case| case.0) {
        Ok(index) => table.cases[index].1,
        Err(_) => table.default,
    }
}

/// Executes an instruction, if it is one of those.
pub(super) fn plain(
    r: &mut Registers<'_>,
    memory: &mut Memory,
    switches: &[SwitchTable],
    rules: Rules,
    inst: Inst,
) -> Next {
    match inst {
        Inst::Add(b) if rules.checked && b.flags & flags::NSW != 0 => {
            if !r.checked(b, |x, y| x.overflowing_add(y)) {
                return Next::Stop;
            }
        }
        Inst::Sub(b) if rules.checked && b.flags & flags::NSW != 0 => {
            if !r.checked(b, |x, y| x.overflowing_sub(y)) {
                return Next::Stop;
            }
        }
        Inst::Mul(b) if rules.checked && b.flags & flags::NSW != 0 => {
            if !r.checked(b, |x, y| x.overflowing_mul(y)) {
                return Next::Stop;
            }
        }
        Inst::Add(b) => r.binary(b, u64::wrapping_add),
        Inst::Sub(b) => r.binary(b, u64::wrapping_sub),
        Inst::Mul(b) => r.binary(b, u64::wrapping_mul),
        Inst::And(b) => r.binary(b, |x, y| x & y),
        Inst::Or(b) => r.binary(b, |x, y| x | y),
        Inst::Xor(b) => r.binary(b, |x, y| x ^ y),
        Inst::Shl(b) if r.get(b.b) < u64::from(b.width) => r.binary(b, |x, y| x << y),
        Inst::LShr(b) if r.get(b.b) < u64::from(b.width) => r.binary(b, |x, y| x >> y),
        Inst::AShr(b) if r.get(b.b) < u64::from(b.width) => r.binary(b, |x, y| (sign_extend(b.width, x) >> y) as u64),
        Inst::UDiv(b) if r.get(b.b) != 0 => r.binary(b, |x, y| x / y),
        Inst::URem(b) if r.get(b.b) != 0 => r.binary(b, |x, y| x % y),
        // A divisor that is neither 0 nor -1 has a quotient.
        Inst::SDiv(b) if r.get(b.b).wrapping_add(1) & truncate(b.width, u64::MAX) > 1 => {
            r.binary(b, |x, y| (sign_extend(b.width, x) / sign_extend(b.width, y)) as u64)
        }
        Inst::SRem(b) if r.get(b.b).wrapping_add(1) & truncate(b.width, u64::MAX) > 1 => {
            r.binary(b, |x, y| (sign_extend(b.width, x) % sign_extend(b.width, y)) as u64)
        }
        Inst::ICmp { predicate, width, dst, a, b } => {
            let result = compare(predicate, width, r.get(a), r.get(b));
            r.set(dst, u64::from(result));
        }
        Inst::Trunc { width, dst, a } => {
            let value = truncate(width, r.get(a));
            r.set(dst, value);
        }
        Inst::Sext { from, to, dst, a } => {
            let value = truncate(to, sign_extend(from, r.get(a)) as u64);
            r.set(dst, value);
        }
        Inst::Copy { dst, a } => {
            let value = r.get(a);
            r.set(dst, value);
        }
        Inst::CopyN { n, dst, a } => {
            for i in 0..n {
                let value = r.get(a.offset(i));
                r.set(Slot(dst.0 + i), value);
            }
        }
        Inst::Select { dst, c, a, b } => {
            let value = if r.get(c) & 1 != 0 { r.get(a) } else { r.get(b) };
            r.set(dst, value);
        }
        Inst::Address { dst, base, index, scale, offset } => {
            let scaled = r.get(index).wrapping_mul(u64::from(scale));
            let value = r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset));
            let value = memory.derive(r.get(base), value & rules.mask);
            r.set(dst, value);
        }
        Inst::AddressOffset { dst, base, offset } => {
            let value = memory.derive(r.get(base), r.get(base).wrapping_add_signed(offset) & rules.mask);
            r.set(dst, value);
        }
        Inst::Float { op, format, dst, a, b } if format != Float::F80 => {
            let Some(result) = float(op, format, r.get(a).into(), r.get(b).into()) else {
                return Next::Stop;
            };
            r.set(dst, result as u64);
        }
        Inst::FCmp { predicate, format, dst, a, b } if format != Float::F80 => {
            let result = compare_float(predicate, format, r.get(a).into(), r.get(b).into());
            r.set(dst, u64::from(result));
        }
        Inst::Jump { target } => return Next::At(target),
        Inst::Branch { condition, then, otherwise } => {
            return Next::At(if r.get(condition) & 1 != 0 { then } else { otherwise });
        }
        Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
            return Next::At(if compare(predicate, width, r.get(a), r.get(b)) { then } else { otherwise });
        }
        Inst::Switch { table, width: _, value } => {
            return Next::At(switch_target(&switches[table as usize], r.get(value)));
        }
        Inst::Nop => {}
        _ => return Next::Stop,
    }
    Next::On
}
