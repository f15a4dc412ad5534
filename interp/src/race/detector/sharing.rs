//! Memory for which it matters to later accesses what happens before what.
//!
//! Two accesses of different threads are a race, if nothing orders them, only if they are of kinds that conflict: one
//! writes, and they are not both atomic, nor both of operations on synchronisation objects. What is accessed by one
//! thread only, or only read, or only atomically, races with nothing, in whatever order things happen. So an engine
//! that compares states need not tell apart states by the order of such accesses.
//!
//! Which memory is accessed in ways that conflict is noticed here, by place and not by execution: once both accesses
//! have been executed at all, in whatever executions. Then the exploration starts again, and the order of accesses
//! there is part of the state. Before that no two states were taken for one that differ by the order of accesses that
//! could race: if they could, they would have been executed.
use super::Detector;
use crate::memory::Origin;
use crate::race::shadow::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// No thread, and more than one.
const NONE: u32 = u32::MAX;
const MANY: u32 = u32::MAX - 1;

/// What is known of all executions.
#[derive(Clone, Debug, Default)]
pub(super) struct Sharing {
    /// It is looked for. Otherwise all order matters.
    on: bool,
    /// All order matters all the same.
    all: bool,
    /// By address of 64 bytes and kind of access: which thread has made such accesses.
    accesses: FxHashMap<u64, [u32; AccessKind::ALL.len()]>,
    /// Where order matters.
    shared: FxHashSet<u64>,
    /// What has come to be one of them.
    new: Vec<u64>,
}

impl Detector {
    /// From now on it is noticed where accesses conflict. That they do is known of these places, or (`all`) taken to be
    /// so everywhere.
    pub(crate) fn look_for_sharing(&mut self, known: &BTreeSet<u64>, all: bool) {
        self.sharing = Sharing { on: true, all, shared: known.iter().copied().collect(), ..Sharing::default() };
    }

    /// From now on it is not.
    pub(crate) fn stop_looking_for_sharing(&mut self) {
        self.sharing = Sharing::default();
    }

    /// Where accesses were found to conflict since this was asked last.
    pub(crate) fn take_shared(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.sharing.new)
    }

    /// Whether there is any.
    pub(crate) fn has_shared(&self) -> bool {
        !self.sharing.new.is_empty()
    }

    /// Takes over what another detector has seen of other executions of the same program.
    pub(crate) fn note_sharing_of(&mut self, other: &Detector) {
        let Sharing { on, all, accesses, shared, new } = &mut self.sharing;
        if !*on || *all {
            return;
        }
        for (address, theirs) in &other.sharing.accesses {
            let threads = accesses.entry(*address).or_insert([NONE; AccessKind::ALL.len()]);
            for (ours, theirs) in threads.iter_mut().zip(theirs) {
                *ours = match *ours {
                    NONE => *theirs,
                    one if *theirs == NONE || *theirs == one => one,
                    _ => MANY,
                };
            }
            let kinds = || AccessKind::ALL.into_iter().zip(*threads).filter(|(_, thread)| *thread != NONE);
            let conflict = |(one, thread): (AccessKind, u32)| {
                kinds().any(|(two, other)| one.conflicts(two) && (thread != other || thread == MANY))
            };
            if !shared.contains(address) && kinds().any(conflict) {
                shared.insert(*address);
                new.push(*address);
            }
        }
    }

    /// Notes an access of 64 bytes at that address. Whether the order of accesses there matters.
    #[inline]
    pub(crate) fn note_sharing(&mut self, address: u64, origin: &Origin, write: bool) -> bool {
        let Sharing { on, all, accesses, shared, new } = &mut self.sharing;
        if !*on || *all || shared.contains(&address) {
            return true;
        }
        let kind = AccessKind::new(origin.mode, write);
        let (me, threads) = (origin.thread.0, accesses.entry(address).or_insert([NONE; AccessKind::ALL.len()]));
        let mine = &mut threads[kind as usize];
        if *mine != me && *mine != MANY {
            *mine = if *mine == NONE { me } else { MANY };
        }
        let conflicts = |(other, thread): (AccessKind, u32)| kind.conflicts(other) && thread != NONE && thread != me;
        if AccessKind::ALL.into_iter().zip(*threads).any(conflicts) {
            shared.insert(address);
            new.push(address);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Mode, StackId};
    use crate::race::RaceModel;
    use por::ThreadId;

    /// An access: by whom, how, whether it writes.
    type Made = (u32, Mode, bool);

    fn note(detector: &mut Detector, (thread, mode, write): Made) {
        let origin = Origin { thread: ThreadId(thread), event: 0, stack: StackId::EMPTY, mode };
        detector.note_sharing(0x1000, &origin, write);
    }

    /// Two detectors that see half of the accesses each come to what one comes to that sees all.
    #[test]
    fn two_see_together_what_one_sees() {
        let modes = [Mode::Plain, Mode::Atomic, Mode::Visible];
        let kinds = || modes.into_iter().flat_map(|mode| [(mode, false), (mode, true)]);
        let made: Vec<Made> =
            (0..2).flat_map(|thread| kinds().map(move |(mode, write)| (thread, mode, write))).collect();
        let mut conflicts = 0;
        for first in &made {
            for second in &made {
                for third in &made {
                    let [mut one, mut two, mut all] = [(); 3].map(|()| {
                        let mut detector = Detector::new(RaceModel::C11);
                        detector.look_for_sharing(&BTreeSet::new(), false);
                        detector
                    });
                    [first, second, third].into_iter().for_each(|access| note(&mut all, *access));
                    [first, second].into_iter().for_each(|access| note(&mut one, *access));
                    note(&mut two, *third);
                    one.note_sharing_of(&two);
                    assert_eq!(one.has_shared(), all.has_shared(), "{first:?} {second:?} {third:?}");
                    conflicts += usize::from(all.has_shared());
                }
            }
        }
        assert!(conflicts > 100, "{conflicts}");
    }
}
