//! The operations of the fast loop.
use super::window::{Derived, Window};
use crate::memory::Memory;
use crate::quick::{Bits, Near, One, Op, Place, Reg, Shift, Source, Test, TestI, Two, Widen};
use frontend::ir::FloatOp;

/// How far the current thread has come.
pub(super) struct Cursor {
    /// Index of the next instruction.
    pub(super) pc: usize,
    /// The number of instructions executed is this plus `pc`, so that only jumps have to count.
    pub(super) skew: u64,
    /// Turns (jumps back) before the next pause.
    pub(super) quiet: u32,
}

impl Cursor {
    /// Goes on there instead of after the instruction. Whether a pause is due.
    pub(super) fn jump(&mut self, target: usize) -> bool {
        self.skew = self.skew.wrapping_add(self.pc as u64 + 1).wrapping_sub(target as u64);
        let back = target <= self.pc;
        self.pc = target;
        self.quiet -= u32::from(back);
        back && self.quiet == 0
    }

    /// The number of instructions executed.
    pub(super) fn executed(&self) -> u64 {
        self.skew.wrapping_add(self.pc as u64)
    }
}

/// Why the operations stop.
pub(super) enum Pause {
    /// There have been enough turns.
    Turns,
    /// The next instruction is none for them.
    Stop,
    /// Only the complete form can do the next instruction.
    Complete,
}

/// What the operations work on.
struct State<'a> {
    window: Window<'a>,
    memory: &'a mut Memory,
}

impl State<'_> {
    #[inline(always)]
    fn put(&mut self, dst: Reg, value: Option<u64>) -> bool {
        match value {
            Some(value) => {
                self.window.set(dst, value);
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn load_near<const SIZE: usize>(&mut self, dst: Reg, near: Near) -> bool {
        self.put(dst, self.memory.fast_load::<SIZE>(self.window.near(near, self.memory.address_mask())))
    }

    #[inline(always)]
    fn load_at<const SIZE: usize>(&mut self, dst: Reg, place: Place) -> bool {
        let Derived { from, address } = self.window.place(place, self.memory.address_mask());
        self.put(dst, self.memory.fast_load_from::<SIZE>(from, address))
    }

    #[inline(always)]
    fn store_near<const SIZE: usize>(&mut self, near: Near, value: Source) -> bool {
        self.memory.fast_store::<SIZE>(self.window.near(near, self.memory.address_mask()), self.window.source(value))
    }

    #[inline(always)]
    fn store_at<const SIZE: usize>(&mut self, place: Place, value: Source) -> bool {
        let Derived { from, address } = self.window.place(place, self.memory.address_mask());
        self.memory.fast_store_from::<SIZE>(from, address, self.window.source(value))
    }

    #[inline(always)]
    fn derive(&mut self, Derived { from, address }: Derived) -> u64 {
        self.memory.derive(from, address)
    }
}

/// Executes operations until one of them declines, in which case nothing of it has been done, or for as many turns as
/// the cursor says. This is where the time goes, so it holds no more than what the processor has registers for.
#[inline(never)]
pub(super) fn operate(ops: &[Op], cursor: &mut Cursor, window: Window<'_>, memory: &mut Memory) -> Pause {
    // The operations from the next one on.
    let mut rest = &ops[cursor.pc..];
    // The number of instructions executed, and of those to come.
    let mut skew = cursor.skew.wrapping_add(ops.len() as u64);
    let mut quiet = cursor.quiet;
    let mut s = State { window, memory };
    let pause = loop {
        macro_rules! next {
            () => {
                rest = &rest[1..]
            };
        }
        macro_rules! jump {
            ($target:expr) => {{
                let behind = rest.len() - 1;
                rest = &ops[$target as usize..];
                let by = rest.len().wrapping_sub(behind);
                skew = skew.wrapping_add(by as u64);
                if by as isize > 0 {
                    quiet -= 1;
                    if quiet == 0 {
                        break Pause::Turns;
                    }
                }
            }};
        }
        // A jump that the processor predicts, not a choice between two targets: the operation behind it must not have
        // to wait for the comparison. The black box, which does nothing, keeps the compiler from making it a choice.
        macro_rules! branch {
            ($holds:expr, $paths:expr) => {{
                if $holds {
                    jump!($paths.then)
                } else {
                    std::hint::black_box(());
                    jump!($paths.otherwise)
                }
            }};
        }
        macro_rules! access {
            ($done:expr) => {{
                if !$done {
                    break Pause::Stop;
                }
                next!();
            }};
        }
        // Arithmetic of 32 and 64 bits.
        macro_rules! compute {
            ($nsw:expr, $dst:expr, $operation:expr) => {{
                let (value, over) = $operation;
                if over && $nsw {
                    break Pause::Stop;
                }
                s.window.set($dst, value as u64);
                next!();
            }};
        }
        macro_rules! compute32 {
            ($nsw:expr, $dst:expr, $operation:expr) => {{
                let (value, over): (i32, bool) = $operation;
                compute!($nsw, $dst, (value as u32, over))
            }};
        }
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value = $value;
                s.window.set($dst, value);
                next!();
            }};
        }
        macro_rules! widen {
            ($widen:expr) => {{
                s.window.widen($widen);
                next!();
            }};
        }
        macro_rules! compare {
            ($not:expr, $dst:expr, $holds:expr) => {{
                let holds: bool = $holds;
                set!($dst, u64::from(holds ^ $not))
            }};
        }
        let Some(op) = rest.first() else {
            break Pause::Stop;
        };
        match *op {
            Op::Plain => break Pause::Stop,
            Op::Complete => break Pause::Complete,
            Op::Add32(Two { nsw, dst, a, b }) => {
                compute32!(nsw, dst, s.window.int(a).overflowing_add(s.window.int(b)))
            }
            Op::Sub32(Two { nsw, dst, a, b }) => {
                compute32!(nsw, dst, s.window.int(a).overflowing_sub(s.window.int(b)))
            }
            Op::Mul32(Two { nsw, dst, a, b }) => {
                compute32!(nsw, dst, s.window.int(a).overflowing_mul(s.window.int(b)))
            }
            Op::Add32I(One { nsw, dst, a, b }) => {
                compute32!(nsw, dst, s.window.int(a).overflowing_add(b as i32))
            }
            Op::Add64(Two { nsw, dst, a, b }) => {
                compute!(nsw, dst, s.window.long(a).overflowing_add(s.window.long(b)))
            }
            Op::Sub64(Two { nsw, dst, a, b }) => {
                compute!(nsw, dst, s.window.long(a).overflowing_sub(s.window.long(b)))
            }
            Op::Mul64(Two { nsw, dst, a, b }) => {
                compute!(nsw, dst, s.window.long(a).overflowing_mul(s.window.long(b)))
            }
            Op::Add64I(One { nsw, dst, a, b }) => {
                compute!(nsw, dst, s.window.long(a).overflowing_add(b as i64))
            }
            Op::And(Bits { dst, a, b, mask }) => set!(dst, s.window.get(a) & s.window.get(b) & mask),
            Op::Or(Bits { dst, a, b, mask }) => set!(dst, (s.window.get(a) | s.window.get(b)) & mask),
            Op::Xor(Bits { dst, a, b, mask }) => set!(dst, (s.window.get(a) ^ s.window.get(b)) & mask),
            Op::AndI { dst, a, b } => set!(dst, s.window.get(a) & b),
            Op::ShlI(Shift { dst, a, by, mask }) => set!(dst, s.window.get(a) << (by & 63) & mask),
            Op::LShrI(Shift { dst, a, by, mask }) => set!(dst, s.window.get(a) >> (by & 63) & mask),
            Op::Float64 { op, dst, a, b } => {
                let (a, b) = (s.window.double(a), s.window.double(b));
                let result = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    _ => a * b,
                };
                // Which NaN it is, is a question for the complete form.
                if result.is_nan() {
                    break Pause::Stop;
                }
                set!(dst, result.to_bits())
            }
            Op::Copy { dst, a } => set!(dst, s.window.get(a)),
            Op::Set { dst, value } => set!(dst, value),
            Op::Widen(widen) => widen!(widen),
            Op::Sext { dst, a, spare, mask } => {
                set!(dst, (s.window.long(a) << (spare & 63) >> (spare & 63)) as u64 & mask)
            }
            Op::Offset { dst, near } => {
                let derived =
                    Derived { from: s.window.get(near.base), address: s.window.near(near, s.memory.address_mask()) };
                set!(dst, s.derive(derived))
            }
            Op::Address { dst, place } => set!(dst, s.derive(s.window.place(place, s.memory.address_mask()))),
            Op::UseAddress { what, a, b } => {
                s.memory.use_address(what, s.window.get(a), s.window.get(b));
                next!();
            }
            Op::Equal { not, dst, a, b } => compare!(not, dst, s.window.get(a) == s.window.get(b)),
            Op::EqualI { not, dst, a, b } => compare!(not, dst, s.window.get(a) == b),
            Op::Ult { not, dst, a, b } => compare!(not, dst, s.window.get(a) < s.window.get(b)),
            Op::UltI { not, dst, a, b } => compare!(not, dst, s.window.get(a) < b),
            Op::Slt32 { not, dst, a, b } => compare!(not, dst, s.window.int(a) < s.window.int(b)),
            Op::Slt32I { not, dst, a, b } => compare!(not, dst, s.window.int(a) < b as i32),
            Op::Slt64 { not, dst, a, b } => compare!(not, dst, s.window.long(a) < s.window.long(b)),
            Op::Slt64I { not, dst, a, b } => compare!(not, dst, s.window.long(a) < b as i64),
            Op::Load1 { dst, near } => access!(s.load_near::<1>(dst, near)),
            Op::Load2 { dst, near } => access!(s.load_near::<2>(dst, near)),
            Op::Load4 { dst, near } => access!(s.load_near::<4>(dst, near)),
            Op::Load8 { dst, near } => access!(s.load_near::<8>(dst, near)),
            Op::Store1 { near, value } => access!(s.store_near::<1>(near, value)),
            Op::Store2 { near, value } => access!(s.store_near::<2>(near, value)),
            Op::Store4 { near, value } => access!(s.store_near::<4>(near, value)),
            Op::Store8 { near, value } => access!(s.store_near::<8>(near, value)),
            Op::LoadAt1 { dst, place } => access!(s.load_at::<1>(dst, place)),
            Op::LoadAt2 { dst, place } => access!(s.load_at::<2>(dst, place)),
            Op::LoadAt4 { dst, place } => access!(s.load_at::<4>(dst, place)),
            Op::LoadAt8 { dst, place } => access!(s.load_at::<8>(dst, place)),
            Op::StoreAt1 { place, value } => access!(s.store_at::<1>(place, value)),
            Op::StoreAt2 { place, value } => access!(s.store_at::<2>(place, value)),
            Op::StoreAt4 { place, value } => access!(s.store_at::<4>(place, value)),
            Op::StoreAt8 { place, value } => access!(s.store_at::<8>(place, value)),
            Op::Jump { target } => jump!(target),
            Op::Branch { condition, paths } => branch!(s.window.get(condition) & 1 != 0, paths),
            Op::BranchEq(Test { a, b, paths }) => branch!(s.window.get(a) == s.window.get(b), paths),
            Op::BranchEqI(TestI { a, b, paths }) => branch!(s.window.get(a) == b, paths),
            Op::BranchUlt(Test { a, b, paths }) => branch!(s.window.get(a) < s.window.get(b), paths),
            Op::BranchUltI(TestI { a, b, paths }) => branch!(s.window.get(a) < b, paths),
            Op::BranchSlt32(Test { a, b, paths }) => branch!(s.window.int(a) < s.window.int(b), paths),
            Op::BranchSlt32I(TestI { a, b, paths }) => branch!(s.window.int(a) < b as i32, paths),
            Op::BranchSlt64(Test { a, b, paths }) => branch!(s.window.long(a) < s.window.long(b), paths),
            Op::BranchSlt64I(TestI { a, b, paths }) => branch!(s.window.long(a) < b as i64, paths),
            Op::WidenAdd64 { widen, add: Two { nsw, dst, a, b } } => {
                widen!(widen);
                compute!(nsw, dst, s.window.long(a).overflowing_add(s.window.long(b)));
            }
            Op::WidenAdd64Slt64 { widen, add: Two { nsw, dst, a, b }, test } => {
                widen!(widen);
                compute!(nsw, dst, s.window.long(a).overflowing_add(s.window.long(b)));
                branch!(s.window.long(test.a) < s.window.long(test.b), test.paths)
            }
            Op::WidenAdd64Slt64I { widen, add: Two { nsw, dst, a, b }, test } => {
                widen!(widen);
                compute!(nsw, dst, s.window.long(a).overflowing_add(s.window.long(b)));
                branch!(s.window.long(test.a) < test.b as i64, test.paths)
            }
            Op::WidenAddress { a, dst, place } => {
                widen!(Widen { dst: place.index, a });
                set!(dst, s.derive(s.window.place(place, s.memory.address_mask())))
            }
            Op::WidenLoadAt1 { a, dst, place } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<1>(dst, place))
            }
            Op::WidenLoadAt2 { a, dst, place } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<2>(dst, place))
            }
            Op::WidenLoadAt4 { a, dst, place } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<4>(dst, place))
            }
            Op::WidenLoadAt8 { a, dst, place } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<8>(dst, place))
            }
            Op::WidenRowLoadAt4 { a, row, place, column, scale, dst } => {
                widen!(Widen { dst: place.index, a });
                set!(row, s.derive(s.window.place(place, s.memory.address_mask())));
                widen!(column);
                access!(s.load_at::<4>(dst, Place { base: row, index: column.dst, scale, offset: 0 }))
            }
            Op::WidenRowLoadAt8 { a, row, place, column, scale, dst } => {
                widen!(Widen { dst: place.index, a });
                set!(row, s.derive(s.window.place(place, s.memory.address_mask())));
                widen!(column);
                access!(s.load_at::<8>(dst, Place { base: row, index: column.dst, scale, offset: 0 }))
            }
            Op::WidenLoadAt1Eq { a, dst, place, test } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<1>(dst, place));
                branch!(s.window.get(test.a) == s.window.get(test.b), test.paths)
            }
            Op::WidenLoadAt4Eq { a, dst, place, test } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<4>(dst, place));
                branch!(s.window.get(test.a) == s.window.get(test.b), test.paths)
            }
            Op::WidenLoadAt4Slt32 { a, dst, place, test } => {
                widen!(Widen { dst: place.index, a });
                access!(s.load_at::<4>(dst, place));
                branch!(s.window.int(test.a) < s.window.int(test.b), test.paths)
            }
            Op::WidenStoreAt1 { a, place, value } => {
                widen!(Widen { dst: place.index, a });
                access!(s.store_at::<1>(place, value))
            }
            Op::WidenStoreAt2 { a, place, value } => {
                widen!(Widen { dst: place.index, a });
                access!(s.store_at::<2>(place, value))
            }
            Op::WidenStoreAt4 { a, place, value } => {
                widen!(Widen { dst: place.index, a });
                access!(s.store_at::<4>(place, value))
            }
            Op::WidenStoreAt8 { a, place, value } => {
                widen!(Widen { dst: place.index, a });
                access!(s.store_at::<8>(place, value))
            }
            Op::Count32 { nsw, step, a, b, paths } => {
                compute32!(nsw, a, s.window.int(a).overflowing_add(i32::from(step)));
                branch!(s.window.int(a) < s.window.int(b), paths)
            }
            Op::Count32I { nsw, step, a, b, paths } => {
                compute32!(nsw, a, s.window.int(a).overflowing_add(i32::from(step)));
                branch!(s.window.int(a) < b as i32, paths)
            }
            Op::Count64 { nsw, step, a, b, paths } => {
                compute!(nsw, a, s.window.long(a).overflowing_add(i64::from(step)));
                branch!(s.window.long(a) < s.window.long(b), paths)
            }
            Op::Count64I { nsw, step, a, b, paths } => {
                compute!(nsw, a, s.window.long(a).overflowing_add(i64::from(step)));
                branch!(s.window.long(a) < b as i64, paths)
            }
            Op::AddJump32I { add: One { nsw, dst, a, b }, target } => {
                compute32!(nsw, dst, s.window.int(a).overflowing_add(b as i32));
                jump!(target)
            }
            Op::MulAdd32 { mul, add } => {
                compute32!(mul.nsw, mul.dst, s.window.int(mul.a).overflowing_mul(s.window.int(mul.b)));
                compute32!(add.nsw, add.dst, s.window.int(add.a).overflowing_add(s.window.int(add.b)))
            }
            Op::Slt32Branch { not, dst, a, b, paths } => {
                compare!(not, dst, s.window.int(a) < s.window.int(b));
                branch!(s.window.get(dst) != 0, paths)
            }
        }
    };
    cursor.pc = ops.len() - rest.len();
    cursor.skew = skew.wrapping_sub(ops.len() as u64);
    cursor.quiet = quiet;
    pause
}
