//! Well-mixed terms.
use super::Term;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::xxh3_128;

/// Collects what a term is about.
#[derive(Default)]
pub(crate) struct Words(Vec<u8>);

impl Words {
    /// Adds something to what the term is about.
    pub(crate) fn add(&mut self, item: impl Hash) {
        item.hash(self);
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("only the bytes are wanted")
    }
}

/// The term of that kind that is about what `collect` adds.
pub(crate) fn words(kind: Term, collect: impl FnOnce(&mut Words)) -> u128 {
    // (One that is found while another one is finds no room, and makes some.)
    let mut words = Words(ROOM.take());
    words.0.clear();
    words.add(kind);
    collect(&mut words);
    let term = xxh3_128(&words.0);
    ROOM.set(words.0);
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
