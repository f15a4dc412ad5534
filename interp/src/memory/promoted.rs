//! Memory whose plain accesses are visible actions.
//!
//! Plain memory is local until it races. A place that did is *promoted*: from then on a thread that accesses it plainly
//! stands before an action, as for an atomic access. A place is bytes of the objects of one kind that were allocated at
//! one place of the program, never an address, so that a loop which allocates promotes once.
//!
//! An object with such bytes is out of bounds for the fast paths: their limits in its header are 0. The complete forms
//! refuse to access promoted bytes as part of something that is not an action ([`AccessError::Promoted`]), so none can
//! be forgotten: what the machine does not split into actions makes the verdict unknown. As long as only one thread has
//! ever existed, promoted bytes are like all others.
//!
//! Bytes of a synchronisation object are not promoted where only its end races with operations on it: that end becomes
//! an action then, and whoever operates on what is in the object reads its life ([`RaceLocation::end`]).
use super::access::pieces;
use super::object::{Header, Life};
use super::{AccessError, Attempt, Memory, MemoryError, ObjectKind, StackId};
use crate::race::RaceLocation;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is promoted, as memory looks it up.
#[derive(Clone, Default, Debug)]
pub(super) struct Promoted {
    /// Where in `ranges` the bytes of an object of that kind, if a block allocated there, are listed.
    sites: FxHashMap<(ObjectKind, StackId), u32>,
    /// First and last byte of each range. Entry 0 is for objects that have none.
    ranges: Vec<Vec<(u64, u64)>>,
    /// Every plain access to what several threads can reach is an action of its own, promoted or not.
    everything: bool,
}

/// What is promoted of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Visibility {
    /// Which of [`Promoted::ranges`] are the object's; 0 is none.
    site: u32,
    /// Plain accesses of all its bytes are actions.
    whole: bool,
}

impl Visibility {
    /// Whether any access to the object may be an action.
    #[inline]
    pub(super) fn any(self) -> bool {
        self.site != 0 || self.whole
    }

    /// Whether some of its bytes are promoted.
    pub(super) fn is_promoted(self) -> bool {
        self.site != 0
    }
}

/// What objects have in common that are promoted together: of a variable it does not matter which code called its
/// function.
pub(super) fn origin_of(kind: ObjectKind, allocated: StackId) -> (ObjectKind, StackId) {
    (kind, if kind == ObjectKind::Heap { allocated } else { StackId::EMPTY })
}

impl Promoted {
    fn new(locations: &BTreeSet<RaceLocation>, everything: bool) -> Self {
        let mut promoted = Promoted { ranges: vec![Vec::new()], everything, ..Promoted::default() };
        for location in locations {
            let next = promoted.ranges.len() as u32;
            let site = *promoted.sites.entry(origin_of(location.kind, location.allocated)).or_insert(next);
            if site == next {
                promoted.ranges.push(Vec::new());
            }
            promoted.ranges[site as usize].push((location.first, location.last));
        }
        promoted
    }

    /// Whether the ends of such objects are to be actions although none of their bytes need be promoted.
    pub(super) fn ends(&self, visibility: Visibility) -> bool {
        let ranges = self.ranges.get(visibility.site as usize);
        ranges.is_some_and(|ranges| ranges.iter().any(|(first, last)| first > last))
    }

    /// Whether any access may be an action.
    pub(super) fn is_used(&self) -> bool {
        self.everything || !self.sites.is_empty()
    }

    /// What is promoted of an object of that kind that is allocated there.
    pub(super) fn of(&self, kind: ObjectKind, allocated: StackId) -> Visibility {
        if !self.is_used() {
            return Visibility::default();
        }
        let shared = matches!(kind, ObjectKind::Global(_) | ObjectKind::Heap | ObjectKind::Stack(..));
        Visibility {
            site: self.sites.get(&origin_of(kind, allocated)).copied().unwrap_or(0),
            whole: self.everything && shared,
        }
    }

    /// The promoted ones of `len` bytes from `first` on, at most 64.
    fn bytes(&self, visibility: Visibility, first: u64, len: u64) -> u64 {
        let Some(ranges) = self.ranges.get(visibility.site as usize) else { return 0 };
        let last = first + len - 1;
        let common = ranges.iter().map(|range| (range.0.max(first), range.1.min(last))).filter(|(from, to)| from <= to);
        common.fold(0, |mask, (from, to)| mask | (u64::MAX >> (63 - (to - from))) << (from - first))
    }
}

impl Memory {
    /// From now on these places are promoted; `everything`: plain accesses to all that several threads can reach are
    /// actions.
    pub(crate) fn promote(&mut self, locations: &BTreeSet<RaceLocation>, everything: bool) {
        self.promoted = Promoted::new(locations, everything);
        for object in &mut self.objects[1..] {
            let header = &mut object.header;
            let constant = header.life == Life::Live && header.is_constant();
            header.visibility = match constant {
                true => Visibility::default(),
                false => self.promoted.of(header.kind, header.allocated.stack),
            };
            header.set_limits(constant);
        }
    }

    /// Whether there may be plain accesses that are actions.
    #[inline]
    pub(crate) fn has_visible(&self) -> bool {
        self.race.checking() && self.promoted.is_used()
    }

    /// How many places are promoted.
    pub(crate) fn promoted_places(&self) -> usize {
        self.promoted.ranges.iter().map(Vec::len).sum()
    }

    /// Whether any plain access to a variable of that kind may be an action.
    pub(crate) fn may_have_visible(&self, kind: ObjectKind) -> bool {
        self.promoted.of(kind, StackId::EMPTY).any()
    }

    /// Whether a plain access to these bytes is an action. Also where the object is dead: a thread that comes to an
    /// access does not know yet what others, which nothing orders with it, have done.
    pub(crate) fn is_visible(&self, address: u64, size: u64) -> bool {
        self.visible_bytes(address, size) != 0
    }

    /// Which of at most 64 bytes are accessed by actions only: the promoted ones, or all those that are meant to be.
    pub(crate) fn visible_bytes(&self, address: u64, size: u64) -> u64 {
        match self.visible_object(address) {
            Some(header) if header.visibility.whole => {
                let left = header.size.saturating_sub(address.wrapping_sub(header.base)).min(size);
                if left == 0 { 0 } else { u64::MAX >> (64 - left) }
            }
            _ => self.promoted_bytes(address, size),
        }
    }

    /// Which of at most 64 bytes are promoted.
    pub(crate) fn promoted_bytes(&self, address: u64, size: u64) -> u64 {
        match self.visible_object(address) {
            Some(header) if size > 0 => self.promoted.bytes(header.visibility, address.wrapping_sub(header.base), size),
            _ => 0,
        }
    }

    /// Whether the object at the address, dead or alive, has promoted bytes and can end.
    pub(crate) fn is_promoted_mortal(&self, address: u64) -> bool {
        let header = self.visible_object(address);
        header.is_some_and(|header| header.visibility.site != 0 && !matches!(header.kind, ObjectKind::Global(_)))
    }

    /// Whether two addresses are of different objects that both have promoted bytes and can end.
    pub(crate) fn lives_apart(&self, one: u64, other: u64) -> bool {
        self.is_promoted_mortal(one)
            && self.is_promoted_mortal(other)
            && self.space.object(one) != self.space.object(other)
    }

    /// The same if it is alive, in its scope: its end is an action.
    pub(crate) fn ends_visibly(&self, address: u64) -> bool {
        self.is_promoted_mortal(address) && self.objects[self.space.object(address) as usize].header.life == Life::Live
    }

    /// How many of `len` bytes come before the first that is accessed by actions only.
    pub(crate) fn local_bytes(&self, address: u64, len: u64) -> u64 {
        let Some(header) = self.visible_object(address) else { return len };
        let offset = address.wrapping_sub(header.base);
        let first = pieces(offset, len.min(header.size.saturating_sub(offset))).find_map(|piece| {
            let bytes = self.visible_bytes(address + piece.position as u64, piece.len as u64);
            (bytes != 0).then(|| piece.position as u64 + u64::from(bytes.trailing_zeros()))
        });
        first.unwrap_or(len)
    }

    /// The object at the address if accesses to it may be actions.
    #[inline]
    fn visible_object(&self, address: u64) -> Option<&Header> {
        if !self.race.checking() {
            return None;
        }
        let header = &self.objects[self.space.object(address) as usize].header;
        let inside = address.wrapping_sub(header.base) < header.size;
        (header.visibility.any() && inside).then_some(header)
    }

    /// If an access came too late because of a free, or the end of a variable, that nothing orders with it: the place
    /// that would have raced if it had come first, unless that is promoted.
    pub(crate) fn raced_with_end(&self, error: &MemoryError) -> Option<RaceLocation> {
        let MemoryError { attempt, address, size, .. } = *error;
        if attempt == Attempt::Synchronise || !self.came_after_end(address) {
            return None;
        }
        let header = &self.objects[self.space.object(address) as usize].header;
        let offset = address.wrapping_sub(header.base);
        let promoted = if size == 0 { self.is_promoted_mortal(address) } else { self.is_visible_part(address, size) };
        let last = (offset + size.max(1) - 1).min(header.size - 1);
        let place = RaceLocation { kind: header.kind, allocated: header.allocated.stack, first: offset, last };
        (!promoted).then_some(place)
    }

    /// The same for an operation on a synchronisation object, which reads the life of what that is in if its end is an
    /// action.
    pub(crate) fn operation_raced_with_end(&self, error: &MemoryError) -> Option<RaceLocation> {
        let address = error.address;
        let late = error.attempt == Attempt::Synchronise && self.came_after_end(address);
        let header = &self.objects[self.space.object(address) as usize].header;
        let place = RaceLocation { kind: header.kind, allocated: header.allocated.stack, first: 0, last: 0 };
        (late && !self.is_promoted_mortal(address)).then(|| place.end())
    }

    /// Whether the object at the address has ended, and nothing orders that with what the current thread does.
    fn came_after_end(&self, address: u64) -> bool {
        let header = &self.objects[self.space.object(address) as usize].header;
        let ended = header.life != Life::Live && address.wrapping_sub(header.base) < header.size;
        ended && self.race.checking() && !self.race.knows(header.freed.thread, header.freed_at)
    }

    /// Whether any of the bytes is promoted.
    fn is_visible_part(&self, address: u64, size: u64) -> bool {
        (0..size).step_by(64).any(|start| self.promoted_bytes(address + start, (size - start).min(64)) != 0)
    }

    /// The promoted ones of some bytes of a chunk, to be accessed by an action or not.
    #[inline]
    pub(super) fn promoted_part(&self, object: usize, start: u64, bytes: u64) -> u64 {
        let visibility = self.objects[object].header.visibility;
        if visibility.any() { self.promoted.bytes(visibility, start, 64) & bytes } else { 0 }
    }

    /// The first promoted byte of an object.
    pub(super) fn first_promoted(&self, object: usize) -> Option<u64> {
        let header = &self.objects[object].header;
        let ranges = self.promoted.ranges.get(header.visibility.site as usize)?;
        ranges.iter().map(|(first, _)| *first).min().filter(|first| *first < header.size)
    }

    /// Something accesses promoted bytes and is no action.
    #[cold]
    pub(super) fn not_an_action(&self, object: usize, offset: u64) -> AccessError {
        AccessError::Promoted { address: self.objects[object].header.base + offset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::hooks::Content;
    use crate::memory::tests::empty;
    use crate::memory::{Mode, Origin, Quarantine, Request};
    use crate::race::RaceModel;
    use frontend::ir::DataModel;
    use por::ThreadId;

    const SITE: StackId = StackId::EMPTY;

    fn by(thread: u32, mode: Mode) -> Origin {
        Origin { thread: ThreadId(thread), event: 0, stack: SITE, mode }
    }

    /// A memory in which bytes 4…70 of heap blocks are promoted, and such a block of 100 bytes.
    fn promoted() -> (Memory, u64) {
        let mut memory = Memory::new(&empty(DataModel::Lp64), RaceModel::C11, Quarantine::SHORT, 0);
        memory.race.start(ThreadId(0));
        let place = RaceLocation { kind: ObjectKind::Heap, allocated: SITE, first: 4, last: 70 };
        memory.promote(&BTreeSet::from([place]), false);
        let request = Request { kind: ObjectKind::Heap, size: 100, align: 8, content: Content::Zero };
        let block = memory.allocate(&by(0, Mode::Plain), request).expect("fits");
        (memory, block)
    }

    #[test]
    fn only_actions_access_promoted_bytes() {
        let (mut memory, block) = promoted();
        memory.store(&by(0, Mode::Plain), block + 8, 4, 1).expect("there is one thread only");
        assert!(!memory.is_visible(block + 8, 4));
        memory.race.fork(ThreadId(0), ThreadId(1));
        for (offset, size, bytes) in [(0, 4, 0), (2, 4, 0b1100), (64, 8, 0x7f), (71, 8, 0), (96, 8, 0), (0, 64, !0xf)] {
            assert_eq!(memory.visible_bytes(block + offset, size), bytes, "{offset}");
        }
        assert_eq!(memory.fast_load::<4>(block), None);
        assert!(!memory.fast_store::<4>(block, 1));
        let plain = by(0, Mode::Plain);
        assert_eq!(memory.load(&plain, block, 4).map(|loaded| loaded.value), Ok(0));
        assert_eq!(memory.load(&plain, block + 2, 4), Err(AccessError::Promoted { address: block + 4 }));
        assert_eq!(memory.free(&plain, block), Err(AccessError::Promoted { address: block + 4 }));
        assert_eq!(memory.store(&by(0, Mode::Visible), block + 8, 4, 2), Ok(()));
        assert_eq!((memory.local_bytes(block, 100), memory.local_bytes(block + 71, 29)), (4, 29));
    }

    #[test]
    fn actions_race_only_where_nothing_is_promoted() {
        let (mut memory, block) = promoted();
        memory.race.fork(ThreadId(0), ThreadId(1));
        memory.race.enter(ThreadId(0));
        memory.store(&by(0, Mode::Visible), block + 64, 8, 1).expect("nobody else was there");
        memory.race.enter(ThreadId(1));
        let mine = by(1, Mode::Visible);
        assert_eq!(memory.store(&mine, block + 63, 8, 1), Ok(()));
        let Err(AccessError::Race(race)) = memory.store(&mine, block + 64, 8, 1) else { panic!("byte 71 races") };
        assert_eq!((race.location.first, race.location.last), (71, 71));
    }

    #[test]
    fn what_has_ended_is_still_promoted() {
        let (mut memory, block) = promoted();
        memory.race.fork(ThreadId(0), ThreadId(1));
        assert!(memory.ends_visibly(block));
        memory.race.enter(ThreadId(0));
        memory.free(&by(0, Mode::Visible), block).expect("an action frees it");
        assert!(memory.is_visible(block + 8, 4) && memory.is_promoted_mortal(block) && !memory.ends_visibly(block));
        memory.race.enter(ThreadId(1));
        for (offset, place) in [(8, None), (80, Some((80, 83)))] {
            let Err(AccessError::Memory(error)) = memory.load(&by(1, Mode::Visible), block + offset, 4) else {
                panic!("it was freed")
            };
            assert_eq!(memory.raced_with_end(&error).map(|place| (place.first, place.last)), place);
        }
    }

    #[test]
    fn what_orders_the_end_makes_it_no_race() {
        let (mut memory, block) = promoted();
        memory.race.fork(ThreadId(0), ThreadId(1));
        memory.race.enter(ThreadId(1));
        memory.free(&by(1, Mode::Visible), block).expect("an action frees it");
        memory.race.join(ThreadId(0), ThreadId(1));
        memory.race.enter(ThreadId(0));
        let Err(AccessError::Memory(error)) = memory.load(&by(0, Mode::Plain), block + 80, 4) else {
            panic!("it was freed")
        };
        assert_eq!(memory.raced_with_end(&error), None);
    }
}
