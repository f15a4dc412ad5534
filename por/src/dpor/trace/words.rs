//! The words of objects after a part of E.
use super::Trace;
use crate::system::{Access, ObjectId};

impl<Op> Trace<Op> {
    /// The word of an object after the events for which `keep` holds, given its word after all of E, and what updates
    /// make of words.
    pub(in crate::dpor) fn word(
        &self,
        access: &Access,
        current: u64,
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
            let kept = history.iter().filter(|&&(position, _)| keep(position));
            return kept.fold(word, |word, &(position, _)| self.word_behind(position, access.object, word, &updated));
        }
        for &(position, index) in self.writes[access.object.index()].iter().rev() {
            let event = &self.events[position as usize];
            let other = self.table.accesses(event.action)[usize::from(index)];
            let covered = other.writes & open;
            if covered == 0 {
                continue;
            }
            if keep(position) {
                open &= !covered;
                if open == 0 {
                    break;
                }
            } else {
                let bits = access.lanes.bits(covered);
                word = (word & !bits) | (event.words[usize::from(index)][0] & bits);
            }
        }
        word
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
