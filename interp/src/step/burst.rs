//! The fast loop.
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::quick::{Op, Paths, Place, Widen};
use frontend::ir::{FloatOp, Operand, Pc, Slot, flags};

impl Registers<'_> {
    #[inline(always)]
    fn place(&self, place: Place, rules: Rules) -> u64 {
        let scaled = self.at(place.index).wrapping_mul(u64::from(place.scale));
        self.get(place.base).wrapping_add(scaled).wrapping_add_signed(i64::from(place.offset)) & rules.mask
    }

    #[inline(always)]
    fn offset(&self, address: Operand, offset: i32, rules: Rules) -> u64 {
        self.get(address).wrapping_add_signed(i64::from(offset)) & rules.mask
    }

    /// Widens an index; the place has to be looked at afterwards.
    #[inline(always)]
    fn widen(&mut self, widen: Widen) {
        let value = i64::from(self.at(widen.a) as i32);
        self.set(widen.dst, value as u64);
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

#[inline(always)]
fn choose(holds: bool, paths: Paths) -> Pc {
    if holds { paths.then } else { paths.otherwise }
}

impl Machine {
    /// Executes what is common and simple in the frame on top of the current thread, up to the first instruction that
    /// is neither. Returns at the latest when the watch for endless loops wants to look.
    pub(super) fn burst(&mut self) {
        let rules = Rules { mask: self.pointer_mask, checked: self.checked_flags & flags::NSW != 0 };
        let limit = self.step_limit;
        let memory = &mut self.memory;
        let thread = &mut self.threads[self.current.index()];
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &self.module.functions[frame.function.index()];
        let ops = &self.quick[frame.function.index()][..];
        let mut r = Registers { slots: &mut thread.regs[..], base: frame.base };
        let frame_slots = frame.base as usize..(frame.base + frame.slots) as usize;
        let mut pc = frame.pc;
        let mut turns = self.spin.turns_left();
        // The number of instructions executed is this plus `pc`, so that only jumps have to count.
        let mut skew = self.instructions.wrapping_sub(u64::from(pc));

        macro_rules! next {
            () => {
                pc += 1
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let target: Pc = $target;
                let back = target.0 <= pc;
                skew = skew.wrapping_add(u64::from(pc) + 1).wrapping_sub(u64::from(target.0));
                pc = target.0;
                if back {
                    turns -= 1;
                    if turns == 0 {
                        turns = u32::from(self.spin.passes(pc, &r.slots[frame_slots.clone()]));
                    }
                    if turns == 0 || skew.wrapping_add(u64::from(pc)) > limit {
                        break;
                    }
                }
            }};
        }
        macro_rules! access {
            ($done:expr) => {{
                if !$done {
                    break;
                }
                next!();
            }};
        }
        // Arithmetic of 32 and 64 bits.
        macro_rules! compute {
            ($nsw:expr, $dst:expr, $operation:expr) => {{
                let (value, over) = $operation;
                if over && $nsw {
                    break;
                }
                r.set($dst, value as u64);
                next!();
            }};
        }
        macro_rules! compute32 {
            ($nsw:expr, $dst:expr, $operation:expr) => {{
                let (value, over): (i32, bool) = $operation;
                compute!($nsw, $dst, (value as u32, over))
            }};
        }
        macro_rules! widen {
            ($dst:expr, $a:expr) => {{
                r.widen(Widen { dst: $dst, a: $a });
                next!();
            }};
        }
        loop {
            match ops[pc as usize] {
                Op::Plain => match plain(&mut r, &function.switches, rules, function.code[pc as usize]) {
                    Next::On => next!(),
                    Next::At(target) => jump!(target),
                    Next::Stop => break,
                },
                Op::Add32 { nsw, dst, a, b } => compute32!(nsw, dst, (r.at(a) as i32).overflowing_add(r.at(b) as i32)),
                Op::Sub32 { nsw, dst, a, b } => compute32!(nsw, dst, (r.at(a) as i32).overflowing_sub(r.at(b) as i32)),
                Op::Mul32 { nsw, dst, a, b } => compute32!(nsw, dst, (r.at(a) as i32).overflowing_mul(r.at(b) as i32)),
                Op::Add32I { nsw, dst, a, b } => compute32!(nsw, dst, (r.at(a) as i32).overflowing_add(b as i32)),
                Op::Add64 { nsw, dst, a, b } => compute!(nsw, dst, (r.at(a) as i64).overflowing_add(r.at(b) as i64)),
                Op::Sub64 { nsw, dst, a, b } => compute!(nsw, dst, (r.at(a) as i64).overflowing_sub(r.at(b) as i64)),
                Op::Mul64 { nsw, dst, a, b } => compute!(nsw, dst, (r.at(a) as i64).overflowing_mul(r.at(b) as i64)),
                Op::Add64I { nsw, dst, a, b } => compute!(nsw, dst, (r.at(a) as i64).overflowing_add(b as i64)),
                Op::Float64 { op, dst, a, b } => {
                    let (a, b) = (f64::from_bits(r.at(a)), f64::from_bits(r.at(b)));
                    let result = match op {
                        FloatOp::Add => a + b,
                        FloatOp::Sub => a - b,
                        _ => a * b,
                    };
                    // Which NaN it is, is a question for the complete form.
                    if result.is_nan() {
                        break;
                    }
                    r.set(dst, result.to_bits());
                    next!();
                }
                Op::Copy { dst, a } => {
                    let value = r.get(a);
                    r.set(dst, value);
                    next!();
                }
                Op::Widen(Widen { dst, a }) => widen!(dst, a),
                Op::Address { dst, place } => {
                    let address = r.place(place, rules);
                    r.set(dst, address);
                    next!();
                }
                Op::AddressOffset { dst, base, offset } => {
                    let address = r.at(base).wrapping_add_signed(offset) & rules.mask;
                    r.set(dst, address);
                    next!();
                }
                Op::Load1 { dst, address, offset } => {
                    let address = r.offset(address, offset, rules);
                    access!(load::<1>(&mut r, memory, dst, address))
                }
                Op::Load2 { dst, address, offset } => {
                    let address = r.offset(address, offset, rules);
                    access!(load::<2>(&mut r, memory, dst, address))
                }
                Op::Load4 { dst, address, offset } => {
                    let address = r.offset(address, offset, rules);
                    access!(load::<4>(&mut r, memory, dst, address))
                }
                Op::Load8 { dst, address, offset } => {
                    let address = r.offset(address, offset, rules);
                    access!(load::<8>(&mut r, memory, dst, address))
                }
                Op::Store1 { address, offset, value } => {
                    access!(memory.fast_store::<1>(r.offset(address, offset, rules), r.get(value)))
                }
                Op::Store2 { address, offset, value } => {
                    access!(memory.fast_store::<2>(r.offset(address, offset, rules), r.get(value)))
                }
                Op::Store4 { address, offset, value } => {
                    access!(memory.fast_store::<4>(r.offset(address, offset, rules), r.get(value)))
                }
                Op::Store8 { address, offset, value } => {
                    access!(memory.fast_store::<8>(r.offset(address, offset, rules), r.get(value)))
                }
                Op::LoadAt1 { dst, place } => {
                    let address = r.place(place, rules);
                    access!(load::<1>(&mut r, memory, dst, address))
                }
                Op::LoadAt2 { dst, place } => {
                    let address = r.place(place, rules);
                    access!(load::<2>(&mut r, memory, dst, address))
                }
                Op::LoadAt4 { dst, place } => {
                    let address = r.place(place, rules);
                    access!(load::<4>(&mut r, memory, dst, address))
                }
                Op::LoadAt8 { dst, place } => {
                    let address = r.place(place, rules);
                    access!(load::<8>(&mut r, memory, dst, address))
                }
                Op::StoreAt1 { place, value } => access!(memory.fast_store::<1>(r.place(place, rules), r.get(value))),
                Op::StoreAt2 { place, value } => access!(memory.fast_store::<2>(r.place(place, rules), r.get(value))),
                Op::StoreAt4 { place, value } => access!(memory.fast_store::<4>(r.place(place, rules), r.get(value))),
                Op::StoreAt8 { place, value } => access!(memory.fast_store::<8>(r.place(place, rules), r.get(value))),
                Op::Jump { target } => jump!(target),
                Op::Branch { condition, paths } => jump!(choose(r.at(condition) & 1 != 0, paths)),
                Op::BranchEq { a, b, paths } => jump!(choose(r.at(a) == r.at(b), paths)),
                Op::BranchEqI { a, b, paths } => jump!(choose(r.at(a) == b, paths)),
                Op::BranchUlt { a, b, paths } => jump!(choose(r.at(a) < r.at(b), paths)),
                Op::BranchUltI { a, b, paths } => jump!(choose(r.at(a) < b, paths)),
                Op::BranchSlt32 { a, b, paths } => jump!(choose((r.at(a) as i32) < r.at(b) as i32, paths)),
                Op::BranchSlt32I { a, b, paths } => jump!(choose((r.at(a) as i32) < b, paths)),
                Op::BranchSlt64 { a, b, paths } => jump!(choose((r.at(a) as i64) < r.at(b) as i64, paths)),
                Op::BranchSlt64I { a, b, paths } => jump!(choose((r.at(a) as i64) < b, paths)),
                Op::WidenAdd64 { nsw, widen: Widen { dst: wide, a: narrow }, dst, a, b } => {
                    widen!(wide, narrow);
                    compute!(nsw, dst, (r.at(a) as i64).overflowing_add(r.at(b) as i64));
                }
                Op::WidenAddress { a, dst, place } => {
                    widen!(place.index, a);
                    let address = r.place(place, rules);
                    r.set(dst, address);
                    next!();
                }
                Op::WidenLoadAt1 { a, dst, place } => {
                    widen!(place.index, a);
                    let address = r.place(place, rules);
                    access!(load::<1>(&mut r, memory, dst, address))
                }
                Op::WidenLoadAt2 { a, dst, place } => {
                    widen!(place.index, a);
                    let address = r.place(place, rules);
                    access!(load::<2>(&mut r, memory, dst, address))
                }
                Op::WidenLoadAt4 { a, dst, place } => {
                    widen!(place.index, a);
                    let address = r.place(place, rules);
                    access!(load::<4>(&mut r, memory, dst, address))
                }
                Op::WidenLoadAt8 { a, dst, place } => {
                    widen!(place.index, a);
                    let address = r.place(place, rules);
                    access!(load::<8>(&mut r, memory, dst, address))
                }
                Op::WidenStoreAt1 { a, place, value } => {
                    widen!(place.index, a);
                    access!(memory.fast_store::<1>(r.place(place, rules), r.get(value)))
                }
                Op::WidenStoreAt2 { a, place, value } => {
                    widen!(place.index, a);
                    access!(memory.fast_store::<2>(r.place(place, rules), r.get(value)))
                }
                Op::WidenStoreAt4 { a, place, value } => {
                    widen!(place.index, a);
                    access!(memory.fast_store::<4>(r.place(place, rules), r.get(value)))
                }
                Op::WidenStoreAt8 { a, place, value } => {
                    widen!(place.index, a);
                    access!(memory.fast_store::<8>(r.place(place, rules), r.get(value)))
                }
                Op::Count32 { nsw, step, a, b, paths } => {
                    compute32!(nsw, a, (r.at(a) as i32).overflowing_add(i32::from(step)));
                    jump!(choose((r.at(a) as i32) < r.at(b) as i32, paths));
                }
                Op::Count32I { nsw, step, a, b, paths } => {
                    compute32!(nsw, a, (r.at(a) as i32).overflowing_add(i32::from(step)));
                    jump!(choose((r.at(a) as i32) < b, paths));
                }
                Op::Count64 { nsw, step, a, b, paths } => {
                    compute!(nsw, a, (r.at(a) as i64).overflowing_add(i64::from(step)));
                    jump!(choose((r.at(a) as i64) < r.at(b) as i64, paths));
                }
                Op::Count64I { nsw, step, a, b, paths } => {
                    compute!(nsw, a, (r.at(a) as i64).overflowing_add(i64::from(step)));
                    jump!(choose((r.at(a) as i64) < b, paths));
                }
            }
        }
        frame.pc = pc;
        self.instructions = skew.wrapping_add(u64::from(pc));
        self.spin.turned(turns);
    }
}
