//! The registers of the running frame.
use crate::value::{sign_extend, truncate};
use frontend::ir::{Bin, Operand, Slot};

/// The registers as the running frame sees them: constants at the bottom, its slots from `base` on.
pub(super) struct Registers<'a> {
    pub(super) slots: &'a mut [u64],
    pub(super) base: u32,
}

impl Registers<'_> {
    #[inline(always)]
    pub(super) fn get(&self, operand: Operand) -> u64 {
        // All ones for a constant, whose index is absolute; without a branch, because it is the commonest thing here.
        let constant = ((operand.0 as i32) >> 31) as u32;
        let index = (operand.0 & 0x7fff_ffff) + (self.base & !constant);
        self.slots[index as usize]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, slot: Slot, value: u64) {
        self.slots[(self.base + slot.0) as usize] = value;
    }

    #[inline(always)]
    pub(super) fn binary(&mut self, bin: Bin, operation: impl Fn(u64, u64) -> u64) {
        let value = operation(self.get(bin.a), self.get(bin.b));
        self.set(bin.dst, truncate(bin.width, value));
    }

    /// The same with a check for signed overflow; false if there is one.
    #[inline(always)]
    pub(super) fn checked(&mut self, bin: Bin, operation: impl Fn(i64, i64) -> (i64, bool)) -> bool {
        let (a, b) = (sign_extend(bin.width, self.get(bin.a)), sign_extend(bin.width, self.get(bin.b)));
        let (value, over) = operation(a, b);
        let result = truncate(bin.width, value as u64);
        if over || sign_extend(bin.width, result) != value {
            return false;
        }
        self.set(bin.dst, result);
        true
    }
}
