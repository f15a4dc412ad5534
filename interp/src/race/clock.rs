//! Vector clocks in an arena that grows at its end and is cut back there.
//!
//! A clock is never changed once made, so a thread, a lock and a location can hold the same one, and a join whose
//! result is one of its operands makes none.
use por::ThreadId;

/// A clock in the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct ClockId(u32);

impl ClockId {
    /// The clock that knows nothing.
    pub(super) const NONE: ClockId = ClockId(0);
}

/// The arena: each clock is its length followed by its components, which are 0 beyond it; the last one is not.
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
    #[inline]
    pub(super) fn components(&self, clock: ClockId) -> &[u32] {
        let start = clock.0 as usize;
        let len = self.words[start] as usize;
        &self.words[start + 1..start + 1 + len]
    }

    /// One component.
    pub(super) fn component(&self, clock: ClockId, thread: ThreadId) -> u32 {
        self.components(clock).get(thread.index()).copied().unwrap_or(0)
    }

    /// All components added up.
    pub(super) fn sum(&self, clock: ClockId) -> u64 {
        self.components(clock).iter().map(|&c| u64::from(c)).sum()
    }

    /// The least clock that knows what both know.
    pub(super) fn join(&mut self, a: ClockId, b: ClockId) -> ClockId {
        if a == b || b == ClockId::NONE {
            return a;
        }
        let (x, y) = (self.components(a), self.components(b));
        // What is beyond the shorter one counts too: the last component of a clock is never 0.
        let (mut more, mut less) = (x.len() > y.len(), x.len() < y.len());
        for (x, y) in x.iter().zip(y) {
            more |= x > y;
            less |= x < y;
        }
        match (more, less) {
            (_, false) => a,
            (false, true) => b,
            (true, true) => self.maximum(a, b),
        }
    }

    /// What both know, and of one thread up to `value` besides, as a new clock.
    pub(super) fn join_and_raise(&mut self, a: ClockId, b: ClockId, thread: ThreadId, value: u32) -> ClockId {
        let new = self.maximum(a, b);
        let start = new.0 as usize + 1;
        let known = &mut self.words[start - 1..];
        match known.get_mut(thread.index() + 1) {
            Some(component) => *component = value.max(*component),
            None if value > 0 => {
                known[0] = thread.0 + 1;
                self.words.resize(start + thread.index(), 0);
                self.words.push(value);
            }
            None => {}
        }
        new
    }

    /// The components' maxima, as a new clock.
    fn maximum(&mut self, a: ClockId, b: ClockId) -> ClockId {
        let (long, short) = if self.components(a).len() < self.components(b).len() { (b, a) } else { (a, b) };
        let new = self.copy(long);
        let (old, joined) = self.words.split_at_mut(new.0 as usize);
        let start = short.0 as usize + 1;
        let short = &old[start..start + old[start - 1] as usize];
        for (joined, &other) in joined[1..].iter_mut().zip(short) {
            *joined = other.max(*joined);
        }
        new
    }

    /// The clock with one component raised to `value`.
    pub(super) fn raise(&mut self, clock: ClockId, thread: ThreadId, value: u32) -> ClockId {
        let known = self.components(clock);
        let len = known.len();
        if known.get(thread.index()).copied().unwrap_or(0) >= value {
            return clock;
        }
        let new = self.copy(clock);
        let start = new.0 as usize + 1;
        if thread.index() < len {
            self.words[start + thread.index()] = value;
        } else {
            self.words[start - 1] = thread.0 + 1;
            self.words.extend((len..thread.index()).map(|_| 0));
            self.words.push(value);
        }
        new
    }

    /// A copy at the end of the arena.
    fn copy(&mut self, clock: ClockId) -> ClockId {
        let id = u32::try_from(self.words.len()).expect("fewer than 2^32 words of clocks");
        let start = clock.0 as usize;
        self.words.extend_from_within(start..start + 1 + self.words[start] as usize);
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
        assert_eq!(clocks.components(both), [3, 2, 5]);
        assert_eq!(clocks.join(both, a), both);
        assert_eq!(clocks.join(b, both), both);
        assert_eq!(clocks.join(ClockId::NONE, b), b);
        assert_eq!(clocks.component(both, ThreadId(7)), 0);
    }

    #[test]
    fn join_and_raise_does_both() {
        for (thread, value) in [(0, 0), (0, 9), (1, 1), (2, 6), (3, 1), (5, 2), (5, 0)] {
            let mut clocks = Clocks::default();
            let a = clock(&mut clocks, &[3, 0, 5]);
            let b = clock(&mut clocks, &[1, 2]);
            for (a, b) in [(a, b), (b, a), (a, ClockId::NONE), (ClockId::NONE, b), (b, b)] {
                let both = clocks.join_and_raise(a, b, ThreadId(thread), value);
                let expected = clocks.join(a, b);
                let expected = clocks.raise(expected, ThreadId(thread), value);
                assert_eq!(clocks.components(both), clocks.components(expected));
            }
        }
    }

    #[test]
    fn raising_leaves_the_old_clock_alone() {
        let mut clocks = Clocks::default();
        let a = clock(&mut clocks, &[3]);
        let len = clocks.len();
        let b = clocks.raise(a, ThreadId(2), 4);
        assert_eq!(clocks.components(a), [3]);
        assert_eq!(clocks.components(b), [3, 0, 4]);
        assert_eq!(clocks.raise(b, ThreadId(2), 4), b);
        clocks.truncate(len);
        assert_eq!(clocks.components(a), [3]);
    }
}
