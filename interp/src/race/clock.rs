//! Vector clocks in an arena that grows at its end and is cut back there.
//!
//! A clock is never changed once made, so a thread, a lock and a location can hold the same one, and a join whose
//! result is one of its operands makes none.
use por::ThreadId;

/// A clock in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct ClockId(u32);

impl ClockId {
    /// The clock that knows nothing.
    pub(super) const NONE: ClockId = ClockId(0);
}

/// The arena: each clock is its length followed by its components, which are 0 beyond it.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    words: Vec<u32>,
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks { words: vec![0] }
    }
}

impl Clocks {
    /// How much there is; to go back to with [`Clocks::truncate`].
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Forgets all clocks made since.
    pub(super) fn truncate(&mut self, len: usize) {
        self.words.truncate(len);
    }

    /// The components.
    fn slice(&self, clock: ClockId) -> &[u32] {
        let start = clock.0 as usize;
        let len = self.words[start] as usize;
        &self.words[start + 1..start + 1 + len]
    }

    /// One component.
    pub(super) fn component(&self, clock: ClockId, thread: ThreadId) -> u32 {
        self.slice(clock).get(thread.index()).copied().unwrap_or(0)
    }

    /// All components added up.
    pub(super) fn sum(&self, clock: ClockId) -> u64 {
        self.slice(clock).iter().map(|&c| u64::from(c)).sum()
    }

    /// Whether every component of `a` is at most that of `b`.
    fn less_or_equal(&self, a: ClockId, b: ClockId) -> bool {
        let (a, b) = (self.slice(a), self.slice(b));
        a.iter().enumerate().all(|(i, &x)| x <= b.get(i).copied().unwrap_or(0))
    }

    /// The least clock that knows what both know.
    pub(super) fn join(&mut self, a: ClockId, b: ClockId) -> ClockId {
        if a == b || self.less_or_equal(b, a) {
            return a;
        }
        if self.less_or_equal(a, b) {
            return b;
        }
        let (x, y) = (self.slice(a).len(), self.slice(b).len());
        let new = self.begin(x.max(y));
        for i in 0..x.max(y) {
            let left = if i < x { self.words[a.0 as usize + 1 + i] } else { 0 };
            let right = if i < y { self.words[b.0 as usize + 1 + i] } else { 0 };
            self.words.push(left.max(right));
        }
        new
    }

    /// The clock with one component raised to `value`.
    pub(super) fn raise(&mut self, clock: ClockId, thread: ThreadId, value: u32) -> ClockId {
        if self.component(clock, thread) >= value {
            return clock;
        }
        let old = self.slice(clock).len();
        let new = self.begin(old.max(thread.index() + 1));
        let start = clock.0 as usize + 1;
        self.words.extend_from_within(start..start + old);
        self.words.resize(new.0 as usize + 1 + old.max(thread.index() + 1), 0);
        self.words[new.0 as usize + 1 + thread.index()] = value;
        new
    }

    /// Starts a new clock of that many components.
    fn begin(&mut self, len: usize) -> ClockId {
        let id = u32::try_from(self.words.len()).expect("fewer than 2^32 words of clocks");
        self.words.push(len as u32);
        ClockId(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(clocks: &mut Clocks, components: &[u32]) -> ClockId {
        let mut id = ClockId::NONE;
        for (i, &c) in components.iter().enumerate() {
            id = clocks.raise(id, ThreadId(i as u32), c);
        }
        id
    }

    #[test]
    fn join_is_the_componentwise_maximum() {
        let mut clocks = Clocks::default();
        let a = clock(&mut clocks, &[3, 0, 5]);
        let b = clock(&mut clocks, &[1, 2]);
        let both = clocks.join(a, b);
        assert_eq!(clocks.slice(both), [3, 2, 5]);
        assert_eq!(clocks.join(both, a), both);
        assert_eq!(clocks.join(b, both), both);
        assert_eq!(clocks.join(ClockId::NONE, b), b);
        assert_eq!(clocks.component(both, ThreadId(7)), 0);
    }

    #[test]
    fn raising_leaves_the_old_clock_alone() {
        let mut clocks = Clocks::default();
        let a = clock(&mut clocks, &[3]);
        let len = clocks.len();
        let b = clocks.raise(a, ThreadId(2), 4);
        assert_eq!(clocks.slice(a), [3]);
        assert_eq!(clocks.slice(b), [3, 0, 4]);
        assert_eq!(clocks.raise(b, ThreadId(2), 4), b);
        clocks.truncate(len);
        assert_eq!(clocks.slice(a), [3]);
    }
}
