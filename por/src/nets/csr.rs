//! Lists of numbers, one after the other.

/// Lists that never change once they are there.
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn new() -> Self {
        Lists { ends: Vec::new(), items: Vec::new() }
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(u32::try_from(self.items.len()).expect("fewer than 2^32 items"));
    }

    pub(super) fn get(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[index] as usize]
    }

    /// Puts other lists after these.
    pub(super) fn append(&mut self, other: &Lists) {
        let before = self.items.len() as u32;
        self.items.extend(&other.items);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Bytes that this takes.
    pub(super) fn bytes(&self) -> usize {
        (self.ends.capacity() + self.items.capacity()) * 4
    }
}
