//! Many long vectors of numbers, of which each differs from some earlier one in a few places only.
//!
//! A vector is kept as numbers of blocks, and blocks are shared: to unite vectors (to take the greater number at each
//! index) costs little where both have the same block, and the result shares what it can.

/// Numbers of a block.
const BLOCK: usize = 16;

type Block = [u32; BLOCK];

/// Stands for a block that only a [`Union`] has.
const OWN: u32 = u32::MAX;

/// Vectors of one length.
pub(super) struct Clocks {
    /// Blocks of a vector.
    width: usize,
    blocks: Vec<Block>,
    /// Of each block, the sum of its numbers.
    sums: Vec<u32>,
    /// The numbers of the blocks of all vectors, `width` for each.
    vectors: Vec<u32>,
}

/// A vector in the making: the greatest numbers of some of the vectors.
#[derive(Clone, Default)]
pub(super) struct Union {
    ids: Vec<u32>,
    own: Vec<Block>,
}

impl Clocks {
    /// No vectors yet, for vectors of this length.
    pub(super) fn new(length: usize) -> Self {
        Clocks { width: length.div_ceil(BLOCK), blocks: vec![[0; BLOCK]], sums: vec![0], vectors: Vec::new() }
    }

    /// A number of a vector.
    #[inline]
    pub(super) fn get(&self, vector: u32, index: u32) -> u32 {
        let block = self.vectors[vector as usize * self.width + index as usize / BLOCK];
        self.blocks[block as usize][index as usize % BLOCK]
    }

    fn vector(&self, vector: u32) -> &[u32] {
        &self.vectors[vector as usize * self.width..][..self.width]
    }

    /// Starts a union with one vector, or with zeros.
    pub(super) fn start(&self, union: &mut Union, first: Option<u32>) {
        union.ids.clear();
        union.own.resize(self.width, [0; BLOCK]);
        match first {
            Some(vector) => union.ids.extend_from_slice(self.vector(vector)),
            None => union.ids.resize(self.width, 0),
        }
    }

    /// Takes a further vector into the union.
    pub(super) fn unite(&self, union: &mut Union, vector: u32) {
        for (index, &theirs) in self.vector(vector).iter().enumerate() {
            let ours = union.ids[index];
            if ours == theirs || theirs == 0 {
                continue;
            }
            let b = &self.blocks[theirs as usize];
            let a = if ours == OWN { &union.own[index] } else { &self.blocks[ours as usize] };
            let mut greatest = *a;
            for (number, other) in greatest.iter_mut().zip(b) {
                *number = (*number).max(*other);
            }
            if greatest == *b {
                union.ids[index] = theirs;
            } else if greatest != *a {
                union.own[index] = greatest;
                union.ids[index] = OWN;
            }
        }
    }

    /// A block of a union.
    #[inline]
    pub(super) fn block<'a>(&'a self, union: &'a Union, index: usize) -> &'a Block {
        let id = union.ids[index];
        if id == OWN { &union.own[index] } else { &self.blocks[id as usize] }
    }

    /// A number of a union.
    #[inline]
    pub(super) fn of(&self, union: &Union, index: u32) -> u32 {
        self.block(union, index as usize / BLOCK)[index as usize % BLOCK]
    }

    /// Changes a number of a union.
    pub(super) fn set(&self, union: &mut Union, index: u32, number: u32) {
        let block = index as usize / BLOCK;
        if union.ids[block] != OWN {
            union.own[block] = self.blocks[union.ids[block] as usize];
            union.ids[block] = OWN;
        }
        union.own[block][index as usize % BLOCK] = number;
    }

    /// The sum of a union's numbers.
    pub(super) fn sum(&self, union: &Union) -> u32 {
        let sum = |(index, &id): (usize, &u32)| match id {
            OWN => union.own[index].iter().sum(),
            id => self.sums[id as usize],
        };
        union.ids.iter().enumerate().map(sum).sum()
    }

    /// Which numbers of a union are not zero and even, a bit for each; sixteen at a time.
    pub(super) fn even(&self, union: &Union, index: usize) -> u16 {
        let block = self.block(union, index);
        block.iter().enumerate().fold(0, |mask, (bit, &number)| mask | u16::from(number != 0 && number & 1 == 0) << bit)
    }

    /// The first index, with both numbers, at which two unions differ.
    pub(super) fn difference(&self, a: &Union, b: &Union) -> Option<(u32, u32)> {
        (0..self.width).find_map(|index| {
            if a.ids[index] == b.ids[index] && a.ids[index] != OWN {
                return None;
            }
            let pairs = self.block(a, index).iter().zip(self.block(b, index));
            pairs.map(|(a, b)| (*a, *b)).find(|(a, b)| a != b)
        })
    }

    /// How many blocks a vector has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Keeps the union as the next vector.
    pub(super) fn push(&mut self, union: &Union) {
        for (index, &id) in union.ids.iter().enumerate() {
            if id == OWN {
                self.vectors.push(u32::try_from(self.blocks.len()).expect("fewer than 2^32 blocks"));
                self.sums.push(union.own[index].iter().fold(0, |sum, number| number.wrapping_add(sum)));
                self.blocks.push(union.own[index]);
            } else {
                self.vectors.push(id);
            }
        }
    }

    /// Bytes that this takes.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + (self.sums.capacity() + self.vectors.capacity()) * 4
    }
}
