//! The code as the fast loop wants it: instructions with their constants and widths built in, and short sequences that
//! occur in every loop as one.
//!
//! There is one [`Op`] per instruction, at the same index, so that places in the code mean the same in both forms. An
//! operation that stands for several instructions stands at the first of them; the others have their own at their own
//! places, for jumps into the middle and for going on after a stop there.
mod fuse;
mod prepare;
#[cfg(test)]
mod tests;

pub(crate) use prepare::prepare;

use frontend::ir::{FloatOp, Operand, Pc, Slot};

/// The two ways behind a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Paths {
    /// Where to go if it holds.
    pub(crate) then: Pc,
    /// Where to go if not.
    pub(crate) otherwise: Pc,
}

/// An address `base + index·scale + offset`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) base: Operand,
    pub(crate) index: Slot,
    pub(crate) scale: u16,
    pub(crate) offset: i32,
}

/// A sign extension from 32 to 64 bits that comes first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Widen {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
}

/// An operation of the fast loop. `nsw`: signed overflow is looked for. A name with `I` has a constant on the right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Op {
    /// An instruction without a form of its own here.
    Plain,
    Add32 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Add32I {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: u32,
    },
    Add64 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Add64I {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: u64,
    },
    Sub32 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Sub64 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Mul32 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Mul64 {
        nsw: bool,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Double precision: addition, subtraction, multiplication.
    Float64 {
        op: FloatOp,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Copy {
        dst: Slot,
        a: Operand,
    },
    Widen(Widen),
    Address {
        dst: Slot,
        place: Place,
    },
    AddressOffset {
        dst: Slot,
        base: Slot,
        offset: i64,
    },
    Load1 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load2 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load4 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load8 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Store1 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store2 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store4 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store8 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    LoadAt1 {
        dst: Slot,
        place: Place,
    },
    LoadAt2 {
        dst: Slot,
        place: Place,
    },
    LoadAt4 {
        dst: Slot,
        place: Place,
    },
    LoadAt8 {
        dst: Slot,
        place: Place,
    },
    StoreAt1 {
        place: Place,
        value: Operand,
    },
    StoreAt2 {
        place: Place,
        value: Operand,
    },
    StoreAt4 {
        place: Place,
        value: Operand,
    },
    StoreAt8 {
        place: Place,
        value: Operand,
    },
    Jump {
        target: Pc,
    },
    Branch {
        condition: Slot,
        paths: Paths,
    },
    BranchEq {
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    BranchEqI {
        a: Slot,
        b: u64,
        paths: Paths,
    },
    BranchUlt {
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    BranchUltI {
        a: Slot,
        b: u64,
        paths: Paths,
    },
    BranchSlt32 {
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    BranchSlt32I {
        a: Slot,
        b: i32,
        paths: Paths,
    },
    BranchSlt64 {
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    BranchSlt64I {
        a: Slot,
        b: i64,
        paths: Paths,
    },
    // --- several in one ---
    WidenAdd64 {
        nsw: bool,
        widen: Widen,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// The index of the place is what was widened.
    WidenAddress {
        a: Slot,
        dst: Slot,
        place: Place,
    },
    WidenLoadAt1 {
        a: Slot,
        dst: Slot,
        place: Place,
    },
    WidenLoadAt2 {
        a: Slot,
        dst: Slot,
        place: Place,
    },
    WidenLoadAt4 {
        a: Slot,
        dst: Slot,
        place: Place,
    },
    WidenLoadAt8 {
        a: Slot,
        dst: Slot,
        place: Place,
    },
    WidenStoreAt1 {
        a: Slot,
        place: Place,
        value: Operand,
    },
    WidenStoreAt2 {
        a: Slot,
        place: Place,
        value: Operand,
    },
    WidenStoreAt4 {
        a: Slot,
        place: Place,
        value: Operand,
    },
    WidenStoreAt8 {
        a: Slot,
        place: Place,
        value: Operand,
    },
    /// Counting, and the comparison of what was counted.
    Count32 {
        nsw: bool,
        step: i16,
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    Count32I {
        nsw: bool,
        step: i16,
        a: Slot,
        b: i32,
        paths: Paths,
    },
    Count64 {
        nsw: bool,
        step: i16,
        a: Slot,
        b: Slot,
        paths: Paths,
    },
    Count64I {
        nsw: bool,
        step: i16,
        a: Slot,
        b: i64,
        paths: Paths,
    },
}

const _: () = assert!(std::mem::size_of::<Op>() <= 32);
