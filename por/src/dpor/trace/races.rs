//! The races of E by number, and which of them are settled.
use super::Trace;
use std::ops::Range;

impl<Op> Trace<Op> {
    /// Events of other threads that come last before an event and on which it depends directly: what it races with.
    pub(in crate::dpor) fn predecessors(&self, position: u32) -> &[u32] {
        &self.predecessors[self.races(position)]
    }

    /// The races of an event, by number. The first event of each is in [`Trace::race`].
    pub(in crate::dpor) fn races(&self, position: u32) -> Range<usize> {
        let start = position.checked_sub(1).map_or(0, |last| self.events[last as usize].predecessors);
        start as usize..self.events[position as usize].predecessors as usize
    }

    /// The first event of a race, unless the race is settled.
    pub(in crate::dpor) fn race(&self, number: usize) -> Option<u32> {
        (!self.settled[number]).then_some(self.predecessors[number])
    }

    /// The events from the first one on that is a choice or has a race that is not settled.
    pub(in crate::dpor) fn undone(&mut self) -> Range<u32> {
        let is_done = |at: u32| !self.event(at).choice && self.settled[self.races(at)].iter().all(|settled| *settled);
        self.done = (self.done..self.len() as u32).find(|&at| !is_done(at)).unwrap_or(self.len() as u32);
        self.done..self.len() as u32
    }

    /// Nothing new comes of reversing the race, whatever comes after its second event. That holds until what happens
    /// before that event is another.
    pub(in crate::dpor) fn settle(&mut self, number: usize) {
        self.settled[number] = true;
    }
}
