//! The fast loop.
use crate::machine::Machine;
use crate::memory::Memory;
use crate::tracking;
use crate::value::{compare, sign_extend, truncate};
use frontend::ir::{Bin, Inst, Operand, Pc, Slot, flags};

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
    fn binary(&mut self, bin: Bin, operation: impl Fn(u64, u64) -> u64) {
        let value = operation(self.get(bin.a), self.get(bin.b));
        self.set(bin.dst, truncate(bin.width, value));
    }

    /// The same with a check for signed overflow; false if there is one.
    #[inline(always)]
    fn checked(&mut self, bin: Bin, operation: impl Fn(i64, i64) -> (i64, bool)) -> bool {
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

#[inline(always)]
fn load<const SIZE: usize>(r: &mut Registers<'_>, memory: &mut Memory, dst: Slot, address: u64) -> bool {
    match memory.fast_load::<SIZE>(address) {
        Some(value) => {
            r.set(dst, value);
            true
        }
        None => false,
    }
}

/// The target of a switch.
#[inline]
pub(super) fn switch_target(table: &frontend::ir::SwitchTable, value: u64) -> Pc {
    match table.cases.binary_search_by_key(&value, |case| case.0) {
        Ok(index) => table.cases[index].1,
        Err(_) => table.default,
    }
}

impl Machine {
    /// Executes what is common and simple in the frame on top of the current thread, up to the first instruction that
    /// is neither. Returns at the latest when the watch for endless loops wants to look.
    pub(super) fn burst<const TRACK: bool>(&mut self) {
        let mask = self.pointer_mask;
        let checked = self.checked_flags & flags::NSW != 0;
        let limit = self.step_limit;
        let memory = &mut self.memory;
        let thread = &mut self.threads[self.current.index()];
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &self.module.functions[frame.function.index()];
        let code = &function.code[..];
        let undefined = &mut thread.header.undefined;
        let shadows = &mut thread.shadows[..];
        let mut r = Registers { slots: &mut thread.regs[..], base: frame.base };
        let mut pc = frame.pc;
        let mut executed = 0u64;
        let mut turns = self.spin.turns_left();

        macro_rules! next {
            () => {{
                executed += 1;
                pc += 1;
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                executed += 1;
                let target: Pc = $target;
                let back = target.0 <= pc;
                pc = target.0;
                if back {
                    turns -= 1;
                    if turns == 0 || self.instructions + executed > limit {
                        break;
                    }
                    if TRACK && *undefined == 0 {
                        break;
                    }
                }
            }};
        }
        macro_rules! access {
            ($done:expr) => {{
                // With undefined bits around, the complete forms follow them into memory and out of it.
                if TRACK || !$done {
                    break;
                }
                next!();
            }};
        }
        loop {
            let inst = code[pc as usize];
            if TRACK {
                if !tracking::is_simple(inst, checked) {
                    break;
                }
                let mut view = tracking::View { slots: r.slots, base: r.base, shadows, undefined };
                if !tracking::propagate(&mut view, inst) {
                    break;
                }
            }
            match inst {
                Inst::Add(b) if checked && b.flags & flags::NSW != 0 => {
                    if !r.checked(b, |x, y| x.overflowing_add(y)) {
                        break;
                    }
                    next!();
                }
                Inst::Sub(b) if checked && b.flags & flags::NSW != 0 => {
                    if !r.checked(b, |x, y| x.overflowing_sub(y)) {
                        break;
                    }
                    next!();
                }
                Inst::Mul(b) if checked && b.flags & flags::NSW != 0 => {
                    if !r.checked(b, |x, y| x.overflowing_mul(y)) {
                        break;
                    }
                    next!();
                }
                Inst::Add(b) => {
                    r.binary(b, u64::wrapping_add);
                    next!();
                }
                Inst::Sub(b) => {
                    r.binary(b, u64::wrapping_sub);
                    next!();
                }
                Inst::Mul(b) => {
                    r.binary(b, u64::wrapping_mul);
                    next!();
                }
                Inst::And(b) => {
                    r.binary(b, |x, y| x & y);
                    next!();
                }
                Inst::Or(b) => {
                    r.binary(b, |x, y| x | y);
                    next!();
                }
                Inst::Xor(b) => {
                    r.binary(b, |x, y| x ^ y);
                    next!();
                }
                Inst::Shl(b) if r.get(b.b) < u64::from(b.width) => {
                    r.binary(b, |x, y| x << y);
                    next!();
                }
                Inst::LShr(b) if r.get(b.b) < u64::from(b.width) => {
                    r.binary(b, |x, y| x >> y);
                    next!();
                }
                Inst::AShr(b) if r.get(b.b) < u64::from(b.width) => {
                    r.binary(b, |x, y| (sign_extend(b.width, x) >> y) as u64);
                    next!();
                }
                Inst::UDiv(b) if r.get(b.b) != 0 => {
                    r.binary(b, |x, y| x / y);
                    next!();
                }
                Inst::URem(b) if r.get(b.b) != 0 => {
                    r.binary(b, |x, y| x % y);
                    next!();
                }
                // A divisor that is neither 0 nor -1 has a quotient.
                Inst::SDiv(b) if r.get(b.b).wrapping_add(1) & truncate(b.width, u64::MAX) > 1 => {
                    r.binary(b, |x, y| (sign_extend(b.width, x) / sign_extend(b.width, y)) as u64);
                    next!();
                }
                Inst::SRem(b) if r.get(b.b).wrapping_add(1) & truncate(b.width, u64::MAX) > 1 => {
                    r.binary(b, |x, y| (sign_extend(b.width, x) % sign_extend(b.width, y)) as u64);
                    next!();
                }
                Inst::ICmp { predicate, width, dst, a, b } => {
                    let result = compare(predicate, width, r.get(a), r.get(b));
                    r.set(dst, u64::from(result));
                    next!();
                }
                Inst::Trunc { width, dst, a } => {
                    let value = truncate(width, r.get(a));
                    r.set(dst, value);
                    next!();
                }
                Inst::Sext { from, to, dst, a } => {
                    let value = truncate(to, sign_extend(from, r.get(a)) as u64);
                    r.set(dst, value);
                    next!();
                }
                Inst::Copy { dst, a } => {
                    let value = r.get(a);
                    r.set(dst, value);
                    next!();
                }
                Inst::CopyN { n, dst, a } => {
                    for i in 0..n {
                        let value = r.get(a.offset(i));
                        r.set(Slot(dst.0 + i), value);
                    }
                    next!();
                }
                Inst::Select { dst, c, a, b } => {
                    let value = if r.get(c) & 1 != 0 { r.get(a) } else { r.get(b) };
                    r.set(dst, value);
                    next!();
                }
                Inst::Address { dst, base, index, scale, offset } => {
                    let scaled = r.get(index).wrapping_mul(u64::from(scale));
                    let value = r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset));
                    r.set(dst, value & mask);
                    next!();
                }
                Inst::AddressOffset { dst, base, offset } => {
                    let value = r.get(base).wrapping_add_signed(offset) & mask;
                    r.set(dst, value);
                    next!();
                }
                Inst::Load8 { dst, address, offset } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(load::<1>(&mut r, memory, dst, address));
                }
                Inst::Load16 { dst, address, offset } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(load::<2>(&mut r, memory, dst, address));
                }
                Inst::Load32 { dst, address, offset } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(load::<4>(&mut r, memory, dst, address));
                }
                Inst::Load64 { dst, address, offset } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(load::<8>(&mut r, memory, dst, address));
                }
                Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
                    let scaled = r.get(index).wrapping_mul(u64::from(scale));
                    let address = r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(match size {
                        1 => load::<1>(&mut r, memory, dst, address),
                        2 => load::<2>(&mut r, memory, dst, address),
                        4 => load::<4>(&mut r, memory, dst, address),
                        _ => load::<8>(&mut r, memory, dst, address),
                    });
                }
                Inst::Store8 { address, offset, value } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(memory.fast_store::<1>(address, r.get(value)));
                }
                Inst::Store16 { address, offset, value } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(memory.fast_store::<2>(address, r.get(value)));
                }
                Inst::Store32 { address, offset, value } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(memory.fast_store::<4>(address, r.get(value)));
                }
                Inst::Store64 { address, offset, value } => {
                    let address = r.get(address).wrapping_add_signed(i64::from(offset)) & mask;
                    access!(memory.fast_store::<8>(address, r.get(value)));
                }
                Inst::StoreIndexed { size, scale, base, index, offset, value } => {
                    let scaled = r.get(index).wrapping_mul(u64::from(scale));
                    let address = r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset)) & mask;
                    let value = r.get(value);
                    access!(match size {
                        1 => memory.fast_store::<1>(address, value),
                        2 => memory.fast_store::<2>(address, value),
                        4 => memory.fast_store::<4>(address, value),
                        _ => memory.fast_store::<8>(address, value),
                    });
                }
                Inst::Jump { target } => jump!(target),
                Inst::Branch { condition, then, otherwise } => {
                    jump!(if r.get(condition) & 1 != 0 { then } else { otherwise });
                }
                Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                    jump!(if compare(predicate, width, r.get(a), r.get(b)) { then } else { otherwise });
                }
                Inst::Switch { table, width: _, value } => {
                    jump!(switch_target(&function.switches[table as usize], r.get(value)));
                }
                Inst::Nop => next!(),
                _ => break,
            }
        }
        frame.pc = pc;
        self.instructions += executed;
        self.spin.turned(turns);
    }
}
