//! The code as the fast loop wants it: instructions with their constants and widths built in, and short sequences that
//! occur in every loop as one.
//!
//! There is one [`Op`] per instruction, at the same index, so that places in the code mean the same in both forms. An
//! operation that stands for several instructions stands at the first of them; the others have their own at their own
//! places, for jumps into the middle and for going on after a stop there.
//!
//! An operation sees its frame through a window of [`WINDOW`] slots and names them by one byte, so that no access of a
//! register has to be checked. The last slot of the window always holds 0: what has no base, no index or no variable
//! part names that one, and so there is one form where there would be four. A function whose frame does not fit has no
//! operations of its own, only [`Op::Plain`].
mod fuse;
mod parts;
mod prepare;
#[cfg(test)]
mod tests;

pub(crate) use parts::{Bits, Near, One, Paths, Place, Reg, Shift, Source, Test, TestI, Two, WINDOW, Widen};
pub(crate) use prepare::{one_by_one, prepare};

use frontend::ir::{AddressUse, FloatOp};

/// An operation of the fast loop. A name with `I` has a constant on the right; a number is that of the bits of
/// arithmetic or of the bytes of an access.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Op {
    /// An instruction without a form of its own here.
    Plain,
    /// An instruction that only the complete form can do: calls, returns, atomic accesses.
    Complete,
    Add32(Two),
    Add32I(One),
    Add64(Two),
    Add64I(One),
    Sub32(Two),
    Sub64(Two),
    Mul32(Two),
    Mul64(Two),
    And(Bits),
    Or(Bits),
    Xor(Bits),
    AndI {
        dst: Reg,
        a: Reg,
        b: u64,
    },
    ShlI(Shift),
    LShrI(Shift),
    /// Double precision: addition, subtraction, multiplication.
    Float64 {
        op: FloatOp,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Copy {
        dst: Reg,
        a: Reg,
    },
    Set {
        dst: Reg,
        value: u64,
    },
    Widen(Widen),
    /// Any other sign extension: `spare` bits above the sign, and the mask of the result.
    Sext {
        dst: Reg,
        a: Reg,
        spare: u8,
        mask: u64,
    },
    Offset {
        dst: Reg,
        near: Near,
    },
    Address {
        dst: Reg,
        place: Place,
    },
    UseAddress {
        what: AddressUse,
        a: Reg,
        b: Reg,
    },
    /// The result is the opposite if `not`.
    Equal {
        not: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    EqualI {
        not: bool,
        dst: Reg,
        a: Reg,
        b: u64,
    },
    Ult {
        not: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    UltI {
        not: bool,
        dst: Reg,
        a: Reg,
        b: u64,
    },
    Slt32 {
        not: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Slt32I {
        not: bool,
        dst: Reg,
        a: Reg,
        b: u64,
    },
    Slt64 {
        not: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Slt64I {
        not: bool,
        dst: Reg,
        a: Reg,
        b: u64,
    },
    Load1 {
        dst: Reg,
        near: Near,
    },
    Load2 {
        dst: Reg,
        near: Near,
    },
    Load4 {
        dst: Reg,
        near: Near,
    },
    Load8 {
        dst: Reg,
        near: Near,
    },
    Store1 {
        near: Near,
        value: Source,
    },
    Store2 {
        near: Near,
        value: Source,
    },
    Store4 {
        near: Near,
        value: Source,
    },
    Store8 {
        near: Near,
        value: Source,
    },
    LoadAt1 {
        dst: Reg,
        place: Place,
    },
    LoadAt2 {
        dst: Reg,
        place: Place,
    },
    LoadAt4 {
        dst: Reg,
        place: Place,
    },
    LoadAt8 {
        dst: Reg,
        place: Place,
    },
    StoreAt1 {
        place: Place,
        value: Source,
    },
    StoreAt2 {
        place: Place,
        value: Source,
    },
    StoreAt4 {
        place: Place,
        value: Source,
    },
    StoreAt8 {
        place: Place,
        value: Source,
    },
    Jump {
        target: u32,
    },
    Branch {
        condition: Reg,
        paths: Paths,
    },
    BranchEq(Test),
    BranchEqI(TestI),
    BranchUlt(Test),
    BranchUltI(TestI),
    BranchSlt32(Test),
    BranchSlt32I(TestI),
    BranchSlt64(Test),
    BranchSlt64I(TestI),
    // --- several in one ---
    WidenAdd64 {
        widen: Widen,
        add: Two,
    },
    WidenAdd64Slt64 {
        widen: Widen,
        add: Two,
        test: Test,
    },
    WidenAdd64Slt64I {
        widen: Widen,
        add: Two,
        test: TestI,
    },
    /// The index of the place is what was widened.
    WidenAddress {
        a: Reg,
        dst: Reg,
        place: Place,
    },
    WidenLoadAt1 {
        a: Reg,
        dst: Reg,
        place: Place,
    },
    WidenLoadAt2 {
        a: Reg,
        dst: Reg,
        place: Place,
    },
    WidenLoadAt4 {
        a: Reg,
        dst: Reg,
        place: Place,
    },
    WidenLoadAt8 {
        a: Reg,
        dst: Reg,
        place: Place,
    },
    /// An element of a row of a matrix: the address of the row, whose index was widened, and a load there at `column`,
    /// which is widened too.
    WidenRowLoadAt4 {
        a: Reg,
        row: Reg,
        place: Place,
        column: Widen,
        scale: u16,
        dst: Reg,
    },
    WidenRowLoadAt8 {
        a: Reg,
        row: Reg,
        place: Place,
        column: Widen,
        scale: u16,
        dst: Reg,
    },
    /// What is decided need not depend on what was loaded.
    WidenLoadAt1Eq {
        a: Reg,
        dst: Reg,
        place: Place,
        test: Test,
    },
    WidenLoadAt4Eq {
        a: Reg,
        dst: Reg,
        place: Place,
        test: Test,
    },
    WidenLoadAt4Slt32 {
        a: Reg,
        dst: Reg,
        place: Place,
        test: Test,
    },
    WidenStoreAt1 {
        a: Reg,
        place: Place,
        value: Source,
    },
    WidenStoreAt2 {
        a: Reg,
        place: Place,
        value: Source,
    },
    WidenStoreAt4 {
        a: Reg,
        place: Place,
        value: Source,
    },
    WidenStoreAt8 {
        a: Reg,
        place: Place,
        value: Source,
    },
    /// Counting, and the comparison of what was counted.
    Count32 {
        nsw: bool,
        step: i16,
        a: Reg,
        b: Reg,
        paths: Paths,
    },
    Count32I {
        nsw: bool,
        step: i16,
        a: Reg,
        b: u64,
        paths: Paths,
    },
    Count64 {
        nsw: bool,
        step: i16,
        a: Reg,
        b: Reg,
        paths: Paths,
    },
    Count64I {
        nsw: bool,
        step: i16,
        a: Reg,
        b: u64,
        paths: Paths,
    },
    AddJump32I {
        add: One,
        target: u32,
    },
    MulAdd32 {
        mul: Two,
        add: Two,
    },
    /// The comparison, and the decision on its result.
    Slt32Branch {
        not: bool,
        dst: Reg,
        a: Reg,
        b: Reg,
        paths: Paths,
    },
}

const _: () = assert!(std::mem::size_of::<Op>() <= 32);
