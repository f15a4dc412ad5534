//! The words of objects after a part of E.
//!
//! Not all that changes a word is an event: memory is also written plainly, and freed, where nothing else can happen at
//! the same time. So the word after all of E says little of an operation that happened earlier. What it found then is
//! what counts: all that changed that since comes after it.
use super::Trace;
use crate::system::{Access, ObjectId};

impl<Op> Trace<Op> {
    /// The word of an object after the events for which `keep` holds, given its word after all of E, and what updates
    /// make of words. `own`: the event that the operation of which this is an access happened as, which is not kept.
    pub(in crate::dpor) fn word(
        &self,
        access: &Access,
        (current, own): (u64, Option<u32>),
        keep: impl Fn(u32) -> bool,
        updated: impl Fn(&Op, u64) -> u64,
    ) -> u64 {
        let Some(history) = self.objects.get(access.object.index()) else { return current };
        if self.updates && history.iter().any(|&(position, _)| self.events[position as usize].action.is_update()) {
            return self.word_by_updates(access.object, (current, own), keep, updated);
        }
        let (mut word, mut open) = (current, access.touched());
        let (before, found) = own.and_then(|own| self.found(own, access.object)).unwrap_or((0, 0));
        let replace = |word: u64, lanes: u64, by: u64| replaced(word, access.lanes.bits(lanes), by);
        word = replace(word, found, before);
        for &(position, index) in self.writes[access.object.index()].iter().rev() {
            let event = &self.events[position as usize];
            let other = self.table.accesses(event.action)[usize::from(index)];
            let covered = other.writes & open;
            if covered == 0 {
                continue;
            }
            let [before, behind] = event.words[usize::from(index)];
            let is_later = own.is_some_and(|own| position >= own);
            if keep(position) {
                // (It may have been left behind by another one that sets the place, and that is not kept.)
                word = if is_later { replace(word, covered & found, behind) } else { word };
                open &= !covered;
                if open == 0 {
                    break;
                }
            } else {
                word = replace(word, if is_later { covered & !found } else { covered }, before);
            }
        }
        word
    }

    /// The same where there are updates: from the first event on, for what an update found is not what it finds without
    /// those before it. A lane is *whole* as long as all that has written it is kept, or as something kept has written
    /// it that is no update: there an event, kept or not, found what is there.
    fn word_by_updates(
        &self,
        object: ObjectId,
        (current, own): (u64, Option<u32>),
        keep: impl Fn(u32) -> bool,
        updated: impl Fn(&Op, u64) -> u64,
    ) -> u64 {
        let (mut word, mut whole) = (current, u64::MAX);
        // What the operation itself has found, later events do not.
        let mut found = 0;
        for &(position, index) in &self.objects[object.index()] {
            let event = &self.events[position as usize];
            let Access { lanes, reads, writes, .. } = self.table.accesses(event.action)[usize::from(index)];
            let [before, _] = event.words[usize::from(index)];
            word = replaced(word, lanes.bits((reads | writes) & whole & !found), before);
            if own == Some(position) {
                found = reads & whole;
            }
            if keep(position) {
                word = self.word_behind(position, object, word, &updated);
                whole |= if event.action.is_update() { 0 } else { writes };
            } else {
                whole &= !writes;
            }
        }
        // (What comes after all of E finds what is there now.)
        let lanes = self.objects[object.index()].first().map(|&(position, index)| {
            self.table.accesses(self.events[position as usize].action)[usize::from(index)].lanes
        });
        match lanes.filter(|_| own.is_none()) {
            Some(lanes) => replaced(word, lanes.bits(whole), current),
            None => word,
        }
    }

    /// What an event found at an object, and in which lanes it read it.
    fn found(&self, at: u32, object: ObjectId) -> Option<(u64, u64)> {
        let event = &self.events[at as usize];
        let accesses = self.table.accesses(event.action).iter().zip(&event.words);
        let mut found = accesses.filter(|(access, _)| access.object == object);
        found.next().map(|(access, [before, _])| (*before, access.reads))
    }

    /// What an event leaves in an object whose word was this before.
    pub(in crate::dpor) fn word_behind(
        &self,
        position: u32,
        object: ObjectId,
        word: u64,
        updated: impl Fn(&Op, u64) -> u64,
    ) -> u64 {
        let event = &self.events[position as usize];
        if event.action.is_update() && self.table.written(event.action).object == object {
            return updated(&event.operation, word);
        }
        let accesses = self.table.accesses(event.action);
        let written = accesses.iter().zip(&event.words).find(|(access, _)| access.object == object);
        written.map_or(word, |(access, [_, behind])| {
            let bits = access.lanes.bits(access.writes);
            (word & !bits) | (behind & bits)
        })
    }
}

/// The word with these bits of another one.
fn replaced(word: u64, bits: u64, by: u64) -> u64 {
    (word & !bits) | (by & bits)
}
