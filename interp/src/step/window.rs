//! The registers of the running frame as the operations of the fast loop see them.
use crate::quick::{Near, Place, Reg, Source, WINDOW, Widen};

/// An address, and one of the object from which it was computed.
#[derive(Clone, Copy)]
pub(super) struct Derived {
    pub(super) from: u64,
    pub(super) address: u64,
}

/// The first slots of the frame; the last one of the window holds 0.
pub(super) struct Window<'a>(&'a mut [u64; WINDOW]);

impl<'a> Window<'a> {
    /// The window on a frame that begins at `base`.
    #[inline(always)]
    pub(super) fn new(slots: &'a mut [u64], base: usize) -> Self {
        Window(slots[base..].first_chunk_mut().expect("there is room for a window behind every frame"))
    }

    /// Makes the last slot what it has to be.
    pub(super) fn clear_zero(&mut self) {
        self.set(Reg::ZERO, 0);
    }

    #[inline(always)]
    pub(super) fn get(&self, reg: Reg) -> u64 {
        self.0[usize::from(reg.0)]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, reg: Reg, value: u64) {
        self.0[usize::from(reg.0)] = value;
    }

    /// The value as a signed integer of 32 bits.
    #[inline(always)]
    pub(super) fn int(&self, reg: Reg) -> i32 {
        self.get(reg) as i32
    }

    /// The value as a signed integer of 64 bits.
    #[inline(always)]
    pub(super) fn long(&self, reg: Reg) -> i64 {
        self.get(reg) as i64
    }

    /// The value as a double.
    #[inline(always)]
    pub(super) fn double(&self, reg: Reg) -> f64 {
        f64::from_bits(self.get(reg))
    }

    #[inline(always)]
    pub(super) fn near(&self, near: Near, mask: u64) -> u64 {
        self.get(near.base).wrapping_add(near.offset) & mask
    }

    #[inline(always)]
    pub(super) fn place(&self, place: Place, mask: u64) -> Derived {
        let scaled = self.get(place.index).wrapping_mul(u64::from(place.scale));
        let from = self.get(place.base).wrapping_add(place.offset);
        Derived { from, address: from.wrapping_add(scaled) & mask }
    }

    #[inline(always)]
    pub(super) fn source(&self, source: Source) -> u64 {
        self.get(source.slot).wrapping_add_signed(i64::from(source.plus))
    }

    #[inline(always)]
    pub(super) fn widen(&mut self, Widen { dst, a }: Widen) {
        self.set(dst, i64::from(self.int(a)) as u64);
    }
}
