//! The concurrency relation, kept between histories.
//!
//! Rod10 relates enriched conditions (§3.5): ρ = ⟨c, H⟩ ∥ ρ′ = ⟨c′, H′⟩ iff ¬(H # H′), and neither history consumes the
//! condition of the other. Two facts let one row for each *history* say this for all of its conditions:
//!
//! - Let ¬(H # H′), neither inside the other. Then all conditions that H generates or reads are concurrent with
//!   all those of H′. For if x ∈ H′ consumes a condition that e generates or reads, then e ↗ x, so e ∈ H′, or
//!   H′ ⊑ H ∪ H′ would not hold; and as H ⊑ H ∪ H′, H = H′⟦e⟧ is inside H′.
//! - Let H be inside H′, that is, H = H′⟦e⟧. Then ⟨c, H⟩ ∥ ⟨c′, H′⟩ iff H′ does not consume c, which the clock of H′
//!   says.
//!
//! So the row of h says of other histories that they are *beside* h, or *above* it while at least one of the conditions
//! that h generates or reads is still there. Histories get numbers in the order in which they come, so rows grow at
//! their ends and stay sorted. A row has a [`Block`] for each 32 numbers among which there is one: few if it is sparse,
//! and two bits for a history if it is dense.

/// Numbers of a block.
const BITS: u32 = 32;

/// Which of 32 histories are beside another one, and which are above it.
#[derive(Clone, Copy, Default)]
pub(super) struct Block {
    /// The first one's number, divided by 32.
    index: u32,
    beside: u32,
    above: u32,
}

impl Block {
    /// Blocks of all histories up to one, as if all were above.
    pub(super) fn all(last: u32) -> Vec<Block> {
        let block = |index| {
            let rest = last - index * BITS;
            Block { index, beside: 0, above: if rest >= BITS - 1 { u32::MAX } else { (1 << (rest + 1)) - 1 } }
        };
        (0..=last / BITS).map(block).collect()
    }

    /// The histories that are in both rows, and above in either.
    fn and(self, other: Block) -> Block {
        let both = (self.beside | self.above) & (other.beside | other.above);
        let above = (self.above | other.above) & both;
        Block { index: self.index, beside: both & !above, above }
    }

    /// All of it as beside, but for those of which this does not hold.
    fn filtered(self, keep: &Keep<impl Fn(u32) -> bool, impl Fn(u32) -> bool>) -> Block {
        let dropped = |mask: u32, keep: &dyn Fn(u32) -> bool| {
            bits(mask).filter(|bit| !keep(self.index * BITS + bit)).fold(0, |mask, bit| mask | 1 << bit)
        };
        let above = self.above & !dropped(self.above, &keep.above);
        let beside = match &keep.beside {
            Some(keep) => self.beside & !dropped(self.beside, keep),
            None => self.beside,
        };
        Block { index: self.index, beside: beside | above, above: 0 }
    }

    fn has(self, history: u32) -> bool {
        self.index == history / BITS && (self.beside | self.above) >> (history % BITS) & 1 == 1
    }
}

/// The bits of a mask.
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < BITS).then_some(bit)
    })
}

/// The histories that a row has beside its own.
pub(super) fn beside(row: &[Block]) -> impl Iterator<Item = u32> + '_ {
    row.iter().flat_map(|block| bits(block.beside).map(|bit| block.index * BITS + bit))
}

/// What must hold of a history that is above any of a family, and of one that is beside all of it; if anything must.
pub(super) struct Keep<A, B> {
    pub(super) above: A,
    pub(super) beside: Option<B>,
}

/// What several rows have in common and is to be kept.
pub(super) fn intersection(
    mut rows: Vec<&[Block]>,
    keep: Keep<impl Fn(u32) -> bool, impl Fn(u32) -> bool>,
) -> Vec<Block> {
    rows.sort_by_key(|row| row.len());
    let mut others: Vec<Cursor<'_>> = rows[1..].iter().map(|row| Cursor(row)).collect();
    let mut common = Vec::new();
    'blocks: for block in rows[0] {
        let mut block = *block;
        for other in &mut others {
            match other.seek(block.index) {
                Some(other) => block = block.and(other),
                None => continue 'blocks,
            }
        }
        let block = block.filtered(&keep);
        if block.beside != 0 {
            common.push(block);
        }
    }
    common
}

/// One row for each history.
pub(super) struct Rows {
    rows: Vec<Vec<Block>>,
    entries: usize,
    blocks: usize,
}

impl Rows {
    pub(super) fn new() -> Self {
        Rows { rows: Vec::new(), entries: 0, blocks: 0 }
    }

    pub(super) fn of(&self, history: u32) -> &[Block] {
        &self.rows[history as usize]
    }

    /// The row of the next history; it enters those of the others.
    pub(super) fn push(&mut self, row: Vec<Block>, below: &[u32]) {
        let history = self.rows.len() as u32;
        for other in beside(&row) {
            self.last_block(other, history).beside |= 1 << (history % BITS);
        }
        for &other in below {
            self.last_block(other, history).above |= 1 << (history % BITS);
        }
        self.entries += 2 * beside(&row).count() + below.len();
        self.blocks += row.len();
        self.rows.push(row);
    }

    /// The block of a row in which a history is that comes after all others.
    fn last_block(&mut self, row: u32, history: u32) -> &mut Block {
        let row = &mut self.rows[row as usize];
        let index = history / BITS;
        if row.last().is_none_or(|last| last.index != index) {
            row.push(Block { index, ..Block::default() });
            self.blocks += 1;
        }
        row.last_mut().expect("it has a block")
    }

    /// Whether two different histories are beside one another, or the later one is above the other.
    pub(super) fn related(&self, a: u32, b: u32) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let (down, up) = (self.of(high), self.of(low));
        // What is beside is in both rows; it is looked for in the shorter one first.
        if up.len() > 4 * down.len() && has(down, low) {
            return true;
        }
        has(up, high)
    }

    /// Entries in all rows.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// Bytes that this takes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Vec<Block>>() + self.blocks * size_of::<Block>() * 3 / 2
    }
}

fn has(row: &[Block], history: u32) -> bool {
    let at = row.partition_point(|block| block.index < history / BITS);
    row.get(at).is_some_and(|block| block.has(history))
}

/// Goes through a row in order.
struct Cursor<'a>(&'a [Block]);

impl Cursor<'_> {
    /// The block with an index, which is greater than the one asked for before. Looks farther and farther ahead, so
    /// that what is passed over costs its logarithm.
    fn seek(&mut self, index: u32) -> Option<Block> {
        let row = self.0;
        let mut ahead = 1;
        while ahead < row.len() && row[ahead].index < index {
            ahead *= 2;
        }
        let (from, to) = (ahead / 2, (ahead + 1).min(row.len()));
        let at = from + row[from..to].partition_point(|block| block.index < index);
        self.0 = &row[at..];
        self.0.first().copied().filter(|block| block.index == index)
    }
}
