//! A digest of the contents.
use super::object::{CHUNK, Life, Object};
use super::pages::Pages;
use super::{Memory, ObjectKind};

impl Memory {
    /// A digest of all objects whose addresses are in use: bases, sizes, kinds, bytes and which of them were written.
    pub fn digest(&self) -> u128 {
        // A sum, since the order of the list is that of the execution.
        let objects = self.objects.iter().filter(|object| object.header.life != Life::Dead);
        objects.map(|object| digest(object, &self.pages)).fold(0, u128::wrapping_add)
    }

    /// The words of the object at an address that are not 0: each with its offset.
    pub(crate) fn words(&self, address: u64) -> impl Iterator<Item = (usize, u64)> {
        let chunks = self.pages.chunks(&self.objects[self.space.object(address) as usize].contents);
        let words = chunks.flat_map(|(index, chunk)| {
            let words = chunk.data.chunks_exact(8).enumerate();
            words.map(move |(word, bytes)| {
                (index * CHUNK + 8 * word, u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
            })
        });
        words.filter(|(_, word)| *word != 0)
    }
}

fn digest(object: &Object, pages: &Pages) -> u128 {
    let header = &object.header;
    let mut state = Mixer::default();
    state.add(header.base);
    state.add(header.size);
    state.add(u64::from(header.life == Life::Live));
    state.add(match header.kind {
        ObjectKind::Global(id) => u64::from(id.0) << 3,
        ObjectKind::ThreadLocal(id) => u64::from(id.0) << 3 | 1,
        ObjectKind::Stack(function, variable) => u64::from(function.0) << 35 | u64::from(variable) << 3 | 2,
        ObjectKind::Argument(function) => u64::from(function.0) << 3 | 3,
        ObjectKind::Variadic(function) => u64::from(function.0) << 3 | 4,
        ObjectKind::Heap => 5,
        ObjectKind::Internal(what) => (what as u64) << 3 | 6,
    });
    state.add(object.contents.fresh());
    let changed = pages.chunks(&object.contents).filter(|(_, chunk)| !object.contents.is_fresh(chunk));
    for (index, chunk) in changed.filter(|_| header.life == Life::Live) {
        state.add(index as u64);
        state.add(chunk.written);
        for word in chunk.data.chunks_exact(8) {
            state.add(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
    }
    state.finish()
}

/// Mixes words into 128 bits.
#[derive(Default)]
struct Mixer {
    low: u64,
    high: u64,
}

impl Mixer {
    fn add(&mut self, word: u64) {
        self.low = scramble(self.low ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.high = scramble(self.high.rotate_left(29).wrapping_add(word) ^ 0xd1b5_4a32_d192_ed03);
    }

    fn finish(&self) -> u128 {
        u128::from(scramble(self.high ^ self.low.rotate_left(32))) << 64 | u128::from(scramble(self.low))
    }
}

/// A bijection in which every bit of the argument matters for every bit of the result (the finaliser of SplitMix64).
fn scramble(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
