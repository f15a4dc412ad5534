//! The concurrency relation, kept between histories.
//!
//! The paper relates enriched conditions (§3.5): ρ = ⟨c, H⟩ ∥ ρ′ = ⟨c′, H′⟩ iff ¬(H # H′), and neither history consumes the
//! condition of the other. Two facts let one row for each *history* say this for all of its conditions:
//!
//! - Let ¬(H # H′), neither inside the other. Then all conditions that H generates or reads are concurrent with
//!   all those of H′. For if x ∈ H′ consumes a condition that e generates or reads, then e ↗ x, so e ∈ H′, or
//!   H′ ⊑ H ∪ H′ would not hold; and as H ⊑ H ∪ H′, H = H′⟦e⟧ is inside H′.
//! - Let H be inside H′, that is, H = H′⟦e⟧. Then ⟨c, H⟩ ∥ ⟨c′, H′⟩ iff H′ does not consume c, which the clock of H′ says.
//!
//! So the row of h has a bit for each entry: whether that history is *beside* h, or *above* it while at least one of
//! the conditions that h generates or reads is still there. Histories get numbers in the order in which they come, so rows
//! grow at their ends, and stay sorted.

/// An entry of a row: a history, and whether it is above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u32);

impl Entry {
    pub(super) fn beside(history: u32) -> Self {
        Entry(history << 1)
    }

    pub(super) fn above(history: u32) -> Self {
        Entry(history << 1 | 1)
    }

    pub(super) fn history(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_above(self) -> bool {
        self.0 & 1 == 1
    }
}

/// One row for each history.
pub(super) struct Rows {
    rows: Vec<Vec<Entry>>,
    entries: usize,
}

impl Rows {
    pub(super) fn new() -> Self {
        Rows { rows: Vec::new(), entries: 0 }
    }

    pub(super) fn of(&self, history: u32) -> &[Entry] {
        &self.rows[history as usize]
    }

    /// The row of the next history; it enters those of the others.
    pub(super) fn push(&mut self, beside: &[Entry], below: &[u32]) {
        let history = self.rows.len() as u32;
        for entry in beside {
            self.rows[entry.history() as usize].push(Entry::beside(history));
        }
        for &other in below {
            self.rows[other as usize].push(Entry::above(history));
        }
        let mut row = Vec::with_capacity(beside.len());
        row.extend_from_slice(beside);
        self.entries += 2 * beside.len() + below.len();
        self.rows.push(row);
    }

    /// Whether two different histories are beside one another, or the later one is above the other.
    pub(super) fn related(&self, a: u32, b: u32) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let (down, up) = (self.of(high), self.of(low));
        // What is beside is in both rows; it is looked for in the shorter one first.
        if up.len() > 4 * down.len() && find(down, low).is_some() {
            return true;
        }
        find(up, high).is_some()
    }

    /// Entries in all rows.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// Bytes that this takes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Vec<Entry>>() + self.entries * size_of::<Entry>() * 3 / 2
    }
}

fn find(row: &[Entry], history: u32) -> Option<Entry> {
    let index = row.partition_point(|entry| entry.history() < history);
    row.get(index).copied().filter(|entry| entry.history() == history)
}

/// Goes through a row in order.
pub(super) struct Cursor<'a>(pub(super) &'a [Entry]);

impl Cursor<'_> {
    /// The entry of a history, which is greater than the one asked for before. Looks farther and farther ahead, so
    /// that what is passed over costs its logarithm.
    pub(super) fn seek(&mut self, history: u32) -> Option<Entry> {
        let row = self.0;
        let mut ahead = 1;
        while ahead < row.len() && row[ahead].history() < history {
            ahead *= 2;
        }
        let (from, to) = (ahead / 2, (ahead + 1).min(row.len()));
        let index = from + row[from..to].partition_point(|entry| entry.history() < history);
        self.0 = &row[index..];
        self.0.first().copied().filter(|entry| entry.history() == history)
    }
}
