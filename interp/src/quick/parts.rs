//! What operations are made of.

/// Slots that an operation can name, with the one that is always 0.
pub(crate) const WINDOW: usize = 1 << u8::BITS;

/// A slot of the frame, or [`Reg::ZERO`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reg(pub(crate) u8);

impl Reg {
    /// Holds 0.
    pub(crate) const ZERO: Reg = Reg(u8::MAX);
}

/// The two ways behind a comparison: indices in the code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Paths {
    /// Where to go if it holds.
    pub(crate) then: u32,
    /// Where to go if not.
    pub(crate) otherwise: u32,
}

/// An address `base + offset`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Near {
    pub(crate) base: Reg,
    pub(crate) offset: u64,
}

/// An address `base + index·scale + offset`; `base + offset` belongs to the same object as the base.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) base: Reg,
    pub(crate) index: Reg,
    pub(crate) scale: u16,
    pub(crate) offset: u64,
}

/// What is stored: `slot + plus`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) slot: Reg,
    pub(crate) plus: i32,
}

/// A sign extension from 32 to 64 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Widen {
    pub(crate) dst: Reg,
    pub(crate) a: Reg,
}

/// Arithmetic on two slots. `nsw`: signed overflow is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Two {
    pub(crate) nsw: bool,
    pub(crate) dst: Reg,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
}

/// Arithmetic on a slot and a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct One {
    pub(crate) nsw: bool,
    pub(crate) dst: Reg,
    pub(crate) a: Reg,
    pub(crate) b: u64,
}

/// A decision on two slots.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Test {
    pub(crate) a: Reg,
    pub(crate) b: Reg,
    pub(crate) paths: Paths,
}

/// A decision on a slot and a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TestI {
    pub(crate) a: Reg,
    pub(crate) b: u64,
    pub(crate) paths: Paths,
}

/// A bitwise operation; the mask is that of the type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bits {
    pub(crate) dst: Reg,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
    pub(crate) mask: u64,
}

/// A shift by a constant, and the mask of the type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shift {
    pub(crate) dst: Reg,
    pub(crate) a: Reg,
    pub(crate) by: u8,
    pub(crate) mask: u64,
}
