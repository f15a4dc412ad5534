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
        let mut word = current;
        let mut open = access.touched();
        let Some(history) = self.objects.get(access.object.index()) else { return word };
        if self.updates && history.iter().any(|&(position, _)| self.events[position as usize].action.is_update()) {
            // From the first one on: what an update found is not what it finds without those before it.
            for &(position, index) in history.iter().rev() {
                let event = &self.events[position as usize];
                let other = self.table.accesses(event.action)[usize::from(index)];
                let bits = other.lanes.bits(other.touched());
                word = (word & !bits) | (event.words[usize::from(index)][0] & bits);
            }
            // (What was found after all that came before it is what is found, whatever else has written there.)
            let mut all = true;
            for &(position, index) in history {
                let event = &self.events[position as usize];
                if all && (keep(position) || own == Some(position)) {
                    let other = self.table.accesses(event.action)[usize::from(index)];
                    let bits = other.lanes.bits(other.touched());
                    word = (word & !bits) | (event.words[usize::from(index)][0] & bits);
                }
                all &= keep(position);
                if keep(position) {
                    word = self.word_behind(position, access.object, word, &updated);
                }
            }
            return word;
        }
        let (before, found) = own.and_then(|own| self.found(own, access.object)).unwrap_or((0, 0));
        let replace = |word: u64, lanes: u64, by: u64| {
            let bits = access.lanes.bits(lanes);
            (word & !bits) | (by & bits)
        };
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
