//! Well-mixed terms.
use super::Term;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::xxh3_128;

/// Collects what a term is about: bytes, of which the first `used` count.
#[derive(Default)]
pub(crate) struct Words {
    bytes: Vec<u8>,
    used: usize,
}

/// How many bytes there is room for at first.
const ROOM_AT_FIRST: usize = 256;

impl Words {
    /// Adds something to what the term is about.
    #[inline]
    pub(crate) fn add(&mut self, item: impl Hash) {
        item.hash(self);
    }

    /// Adds as many bytes as the type says, which costs no call.
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        let end = self.used + N;
        if end > self.bytes.len() {
            self.make_room(end);
        }
        *self.bytes[self.used..].first_chunk_mut().expect("there is room") = bytes;
        self.used = end;
    }

    #[cold]
    fn make_room(&mut self, bytes: usize) {
        self.bytes.resize((2 * bytes).max(ROOM_AT_FIRST), 0);
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        let end = self.used + bytes.len();
        if end > self.bytes.len() {
            self.make_room(end);
        }
        self.bytes[self.used..end].copy_from_slice(bytes);
        self.used = end;
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.put([number]);
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.put(number.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        unreachable!("only the bytes are wanted")
    }
}

/// The term of that kind that is about what `collect` adds.
#[inline]
pub(crate) fn words(kind: Term, collect: impl FnOnce(&mut Words)) -> u128 {
    // (One that is found while another one is finds no room, and makes some.)
    let mut words = Words { bytes: ROOM.take(), used: 0 };
    words.put([kind as u8]);
    collect(&mut words);
    let term = xxh3_128(&words.bytes[..words.used]);
    ROOM.set(words.bytes);
    term
}

thread_local! {
    /// Room for what a term is about.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The term of a byte of memory that has that value, or was never written.
pub(crate) fn byte(address: u64, value: Option<u8>) -> u128 {
    let value = value.map_or(256, u64::from);
    let low = scramble(address.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (value << 55 | 1));
    let high = scramble(address.wrapping_add(value << 47) ^ 0xd1b5_4a32_d192_ed03);
    u128::from(high) << 64 | u128::from(low)
}

/// A bijection in which every bit of the argument matters for every bit of the result (the finaliser of SplitMix64).
fn scramble(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
