//! Places that race and are not reported: they are muted, or collected to be promoted.
use super::Detector;
use crate::memory::{Origin, StackId};
use crate::race::RaceLocation;
use por::ThreadId;

impl Detector {
    /// No race there is reported any more.
    pub fn mute(&mut self, location: RaceLocation) {
        self.muted.insert(location);
    }

    /// From now on no race is reported: the places are collected.
    pub(crate) fn collect(&mut self) {
        self.collected = Some((Vec::new(), StackId::EMPTY));
    }

    /// The places collected since this was last asked.
    pub(crate) fn take_collected(&mut self) -> Vec<RaceLocation> {
        self.collected.as_mut().map(|(places, _)| std::mem::take(places)).unwrap_or_default()
    }

    /// Whether any were.
    pub(crate) fn has_collected(&self) -> bool {
        self.collected.as_ref().is_some_and(|(places, _)| !places.is_empty())
    }

    /// Whether a race there, of which `origin` is the second access, is not reported. Collects the place if that is to
    /// be done.
    pub(crate) fn overlooks(&mut self, location: RaceLocation, origin: &Origin) -> bool {
        if self.muted.contains(&location) {
            return true;
        }
        let Some((places, stack)) = &mut self.collected else { return false };
        let alike = |first: &RaceLocation| (first.kind, first.allocated) == (location.kind, location.allocated);
        if places.first().is_none_or(|first| alike(first) && *stack == origin.stack) {
            *stack = origin.stack;
            places.push(location);
            self.muted.insert(location);
        }
        true
    }

    /// The thread's own component of its clock.
    pub(crate) fn time(&self, thread: ThreadId) -> u32 {
        self.threads.get(thread.index()).map_or(0, |state| state.epoch)
    }

    /// Whether what `thread` did at that time of its own happens before what the thread that runs does now.
    pub(crate) fn knows(&self, thread: ThreadId, time: u32) -> bool {
        thread == self.current || self.known().get(thread.index()).is_some_and(|known| *known >= time)
    }
}
