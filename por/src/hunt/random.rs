//! Random numbers: the same seed gives the same samples for ever. (So no crate of others, whose numbers a new version
//! may change: counts of samples are compared from version to version.)

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Numbers that have nothing to do with those of other seeds.
    pub(super) fn new(seed: u64) -> Self {
        let mut first = Random(seed);
        Random(first.number())
    }

    /// Any number.
    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, each with the same odds, but for a deviation of less than `n` to 2⁶⁴.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(n)) >> 64) as u64
    }

    /// One of the items, of which there must be one.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// The index of one of the weights, each with odds in proportion to it; `None` if all are 0.
    pub(super) fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let all: u64 = weights.clone().sum();
        let mut at = if all == 0 { return None } else { self.below(all) };
        for (index, weight) in weights.enumerate() {
            match at.checked_sub(weight) {
                Some(rest) => at = rest,
                None => return Some(index),
            }
        }
        unreachable!("the number is below the sum of the weights")
    }
}
