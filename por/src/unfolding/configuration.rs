//! The current configuration C: which events, in which order they were added, and per thread and per object what came
//! last. Adding and removing an event is O(its accesses).
use super::event::{AccessId, BOTTOM, EventAccess, EventId, Parent, Unfolding};
use crate::system::{Access, ObjectId, ThreadId};

/// How far back the first obstacle of an event is looked for.
const OBSTACLES: usize = 64;

/// The events of C that touch one object, in the order in which they were added (a linearisation of their causal
/// order). Accesses that write are kept apart from those that only read, so that a read among many reads costs nothing.
#[derive(Default)]
struct ObjectHistory {
    writers: Vec<Writer>,
    readers: Vec<AccessId>,
    /// The last stage in which the history has changed.
    changed: u32,
    /// How many writers and readers have been in the history throughout that stage.
    kept: (u32, u32),
    /// The events that were in the history when that stage began, and have left it since.
    left: Vec<EventId>,
}

impl ObjectHistory {
    /// Called before the history changes.
    #[inline]
    fn change(&mut self, stage: u32) {
        if self.changed != stage {
            self.changed = stage;
            self.kept = (self.writers.len() as u32, self.readers.len() as u32);
            self.left.clear();
        }
    }

    /// An event has left. `len` accesses of the same sort (writers or readers) are still in the history; all of them
    /// were added before its access.
    #[inline]
    fn leave(kept: &mut u32, left: &mut Vec<EventId>, len: usize, id: EventId) {
        if len < *kept as usize {
            *kept = len as u32;
            left.push(id);
        }
    }
}

#[derive(Clone, Copy)]
struct Writer {
    access: AccessId,
    /// How many readers the history had when this writer was added.
    readers: u32,
}

/// What an action depends on directly: filled by [`Configuration::frontier`].
#[derive(Default)]
pub(crate) struct Frontier {
    /// Last dependent event of each other thread that the thread predecessor does not know, sorted by thread.
    pub(crate) predecessors: Vec<EventId>,
    /// Last writers of the touched lanes, as (index of the access, writer, lanes).
    pub(crate) parents: Vec<(u8, Parent, u64)>,
}

/// What has changed in a stage, see [`Configuration::changes`]. An event may have left and come again.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) come: Vec<EventId>,
    pub(crate) left: Vec<EventId>,
}

impl Frontier {
    fn clear(&mut self) {
        self.predecessors.clear();
        self.parents.clear();
    }
}

/// The set C.
pub(crate) struct Configuration {
    trail: Vec<EventId>,
    /// Those that settle something of the data.
    settling: Vec<EventId>,
    /// Per thread its last event in C (its creation, if it has not acted yet); `None` if it does not exist.
    last: Vec<Option<EventId>>,
    /// Per thread its events in C.
    threads: Vec<Vec<EventId>>,
    objects: Vec<ObjectHistory>,
    /// Stretches of the exploration, as its user counts them: see [`Configuration::changed`].
    stage: u32,
    /// How many events of the trail have been in C throughout the stage.
    kept: usize,
    /// Whether it is unknown which events were in C when the stage began.
    anew: bool,
}

impl Configuration {
    /// {⊥}.
    pub(crate) fn new() -> Self {
        Configuration {
            trail: Vec::new(),
            settling: Vec::new(),
            last: vec![Some(BOTTOM)],
            threads: vec![Vec::new()],
            objects: Vec::new(),
            stage: 1,
            kept: 0,
            anew: true,
        }
    }

    /// The events in the order in which they were added, without ⊥.
    pub(crate) fn trail(&self) -> &[EventId] {
        &self.trail
    }

    /// Those of them that settle something of the data.
    pub(crate) fn settling(&self) -> &[EventId] {
        &self.settling
    }

    /// The last event of a thread, or the one that created it.
    pub(crate) fn last(&self, thread: ThreadId) -> Option<EventId> {
        self.last.get(thread.index()).copied().flatten()
    }

    /// The event of C that is number `depth` of its thread, counted from 1.
    pub(crate) fn event_of(&self, thread: usize, depth: u32) -> EventId {
        self.threads[thread][depth as usize - 1]
    }

    /// Adds an event. Its predecessors must be in C, and nothing in conflict with it.
    pub(crate) fn push(&mut self, unfolding: &mut Unfolding, id: EventId) {
        let event = unfolding.event_mut(id);
        event.in_configuration = true;
        self.last[event.thread.index()] = Some(id);
        self.threads[event.thread.index()].push(id);
        if event.constraint.is_some() {
            self.settling.push(id);
        }
        if let Some(child) = event.created {
            self.set_last(child, Some(id));
        }
        self.trail.push(id);
        self.push_accesses(unfolding, id);
    }

    #[inline(always)]
    fn push_accesses(&mut self, unfolding: &Unfolding, id: EventId) {
        let (first, accesses) = unfolding.accesses(id);
        for (index, EventAccess { access, .. }) in (first..).zip(accesses) {
            let stage = self.stage;
            let history = self.object_mut(access.object);
            history.change(stage);
            if access.writes != 0 {
                history.writers.push(Writer { access: AccessId(index), readers: history.readers.len() as u32 });
            } else {
                history.readers.push(AccessId(index));
            }
        }
    }

    /// Removes the event that was added last.
    pub(crate) fn pop(&mut self, unfolding: &mut Unfolding) -> EventId {
        let id = self.trail.pop().expect("only events that were added are removed");
        unfolding.release(id);
        let event = unfolding.event_mut(id);
        event.in_configuration = false;
        if event.constraint.is_some() {
            self.settling.pop();
        }
        // The first event of a thread stands behind its creation, which is what `last` goes back to.
        self.last[event.thread.index()] = Some(event.before);
        self.threads[event.thread.index()].pop();
        if let Some(child) = event.created {
            let before = self.threads[child.index()].last().copied();
            self.set_last(child, before);
        }
        self.kept = self.kept.min(self.trail.len());
        for EventAccess { access, .. } in unfolding.accesses(id).1 {
            let history = &mut self.objects[access.object.index()];
            history.change(self.stage);
            let ObjectHistory { writers, readers, kept, left, .. } = history;
            if access.writes != 0 {
                writers.pop();
                ObjectHistory::leave(&mut kept.0, left, writers.len(), id);
            } else {
                readers.pop();
                ObjectHistory::leave(&mut kept.1, left, readers.len(), id);
            }
        }
        id
    }

    /// Notes which thread the event added last has created: known only once it has been executed.
    pub(crate) fn created(&mut self, unfolding: &mut Unfolding, id: EventId, child: ThreadId) {
        unfolding.event_mut(id).created = Some(child);
        self.set_last(child, Some(id));
    }

    fn set_last(&mut self, thread: ThreadId, to: Option<EventId>) {
        if self.last.len() <= thread.index() {
            self.last.resize(thread.index() + 1, None);
            self.threads.resize_with(thread.index() + 1, Vec::new);
        }
        self.last[thread.index()] = to;
    }

    /// A new stage begins.
    pub(crate) fn next_stage(&mut self) {
        self.stage += 1;
        self.kept = self.trail.len();
        self.anew = false;
    }

    /// How many events of the trail have been there throughout the stage.
    pub(crate) fn kept(&self) -> usize {
        self.kept
    }

    /// The events that touch one of these objects and have come to C in this stage, or left it.
    pub(crate) fn changes(&self, unfolding: &Unfolding, accesses: &[Access], out: &mut Changes) {
        out.come.clear();
        out.left.clear();
        for access in accesses {
            let history = self.objects.get(access.object.index());
            let Some(history) = history.filter(|history| history.changed == self.stage) else { continue };
            let (writers, readers) = history.kept;
            let writers = history.writers[writers as usize..].iter().map(|writer| writer.access);
            let new = writers.chain(history.readers[readers as usize..].iter().copied());
            out.come.extend(new.map(|access| unfolding.access(access).event));
            out.left.extend(&history.left);
        }
    }

    /// Whether the events of C that touch one of these objects are, in this stage, not the same all the time.
    pub(crate) fn changed(&self, accesses: &[Access]) -> bool {
        let history = |access: &Access| self.objects.get(access.object.index());
        self.anew || accesses.iter().filter_map(history).any(|history| history.changed == self.stage)
    }

    #[inline(always)]
    fn object_mut(&mut self, object: ObjectId) -> &mut ObjectHistory {
        if self.objects.len() <= object.index() {
            self.objects.resize_with(object.index() + 1, ObjectHistory::default);
        }
        &mut self.objects[object.index()]
    }

    /// The lanes of an object that events of C write.
    pub(crate) fn written(&self, unfolding: &Unfolding, object: ObjectId) -> u64 {
        let writers = self.objects.get(object.index()).into_iter().flat_map(|history| &history.writers);
        writers.fold(0, |lanes, writer| lanes | unfolding.access(writer.access).access.writes)
    }

    /// What an action of `thread`, standing behind `before`, depends on among the events of C for which `keep` holds.
    /// With `keep` always true this is its history at C; with another causally closed part H of C, its history at H.
    /// `joined`: the last events of the threads that it has joined since `before`.
    pub(crate) fn frontier(
        &self,
        unfolding: &Unfolding,
        (before, joined): (EventId, &[EventId]),
        accesses: &[Access],
        keep: impl Fn(EventId) -> bool,
        out: &mut Frontier,
    ) {
        out.clear();
        joined.iter().for_each(|&last| add_predecessor(unfolding, before, last, out));
        for (index, access) in accesses.iter().enumerate() {
            self.frontier_of(unfolding, before, index as u8, access, &keep, out);
        }
        out.predecessors.sort_unstable_by_key(|&id| unfolding.event(id).thread);
    }

    /// Walks the object's history backwards until every touched lane has met its last writer. Lanes not yet met are
    /// `open`: an access counts if it meets an open lane. (This is a function of H and not of the order of C: accesses
    /// to one lane of which one writes are ordered.)
    fn frontier_of(
        &self,
        unfolding: &Unfolding,
        before: EventId,
        index: u8,
        access: &Access,
        keep: &impl Fn(EventId) -> bool,
        out: &mut Frontier,
    ) {
        let mut open = access.touched();
        if let Some(history) = self.objects.get(access.object.index()) {
            let mut upper = history.readers.len();
            for writer in history.writers.iter().rev() {
                let lower = writer.readers as usize;
                self.readers(unfolding, before, access.writes & open, &history.readers[lower..upper], keep, out);
                upper = lower;
                let other = unfolding.access(writer.access);
                let covered = other.access.writes & open;
                if (covered | (other.access.reads & access.writes & open)) != 0 && keep(other.event) {
                    add_predecessor(unfolding, before, other.event, out);
                    if covered != 0 {
                        out.parents.push((index, Parent::Write(writer.access), covered));
                        open &= !covered;
                        if open == 0 {
                            return;
                        }
                    }
                }
            }
            self.readers(unfolding, before, access.writes & open, &history.readers[..upper], keep, out);
        }
        out.parents.push((index, Parent::Initial, open));
    }

    fn readers(
        &self,
        unfolding: &Unfolding,
        before: EventId,
        written: u64,
        readers: &[AccessId],
        keep: &impl Fn(EventId) -> bool,
        out: &mut Frontier,
    ) {
        if written == 0 {
            return;
        }
        for &reader in readers.iter().rev() {
            let other = unfolding.access(reader);
            if other.access.reads & written != 0 && keep(other.event) {
                add_predecessor(unfolding, before, other.event, out);
            }
        }
    }

    /// An event of C in conflict with one whose causes are all in C but which is not in C itself: as a rule the first
    /// such event of a thread or object, which stays in C longest. Without any it can be added: its thread stands where
    /// it must, and no event outside its history is dependent with it.
    pub(crate) fn obstacle(&self, unfolding: &Unfolding, id: EventId) -> Option<EventId> {
        let event = unfolding.event(id);
        let mut last = self.last(event.thread)?;
        if last != event.before {
            for _ in 0..OBSTACLES {
                let before = unfolding.event(last).before;
                if before == event.before {
                    break;
                }
                last = before;
            }
            return Some(last);
        }
        unfolding.access_ids(id).find_map(|access| self.obstacle_at(unfolding, id, &unfolding.access(access).access))
    }

    /// The same for one access. Accesses to a lane of which one writes are in one causal order, so that everything
    /// before the event's last writers is in its history.
    fn obstacle_at(&self, unfolding: &Unfolding, id: EventId, access: &Access) -> Option<EventId> {
        let history = self.objects.get(access.object.index())?;
        let mut open = access.touched();
        let mut first = None;
        let mut found = 0;
        let mut upper = history.readers.len();
        for writer in history.writers.iter().map(Some).rev().chain(std::iter::once(None)) {
            let lower = writer.map_or(0, |writer| writer.readers as usize);
            if access.writes & open != 0 {
                for &reader in history.readers[lower..upper].iter().rev() {
                    let other = unfolding.access(reader);
                    if other.access.reads & access.writes & open != 0 && !unfolding.includes(id, other.event) {
                        first = Some(other.event);
                    }
                }
                upper = lower;
            }
            let Some(writer) = writer else { break };
            let other = unfolding.access(writer.access);
            let common = other.access.writes & open;
            if common | (other.access.reads & access.writes & open) == 0 {
                continue;
            }
            if !unfolding.includes(id, other.event) {
                first = Some(other.event);
                found += 1;
                if found == OBSTACLES {
                    break;
                }
            } else {
                open &= !common;
                if open == 0 {
                    break;
                }
            }
        }
        first
    }

    /// The word that an object has at the state of H, the part of C for which `keep` holds, in the lanes `touched`,
    /// given its word at the state of C. `own`: the event in C that the operation of which this is an access happened
    /// as; it is not in H. Then what it found is what counts, and not what is there now: not all that changes a word is
    /// an event. Memory is also written plainly, and freed, where nothing else can happen at the same time.
    pub(crate) fn word_at(
        &self,
        unfolding: &Unfolding,
        access: &Access,
        (current, own): (u64, Option<EventId>),
        keep: impl Fn(EventId) -> bool,
    ) -> u64 {
        let of_own = own.into_iter().flat_map(|own| unfolding.access_ids(own)).map(|id| unfolding.access(id));
        let found = of_own.into_iter().find(|other| other.access.object == access.object);
        let (before, found) = found.map_or((0, 0), |other| (other.word_before, other.access.reads));
        let bits = access.lanes.bits(found);
        let mut word = (current & !bits) | (before & bits);
        let mut open = access.touched();
        let Some(history) = self.objects.get(access.object.index()) else {
            return word;
        };
        for writer in history.writers.iter().rev() {
            let other = unfolding.access(writer.access);
            let covered = other.access.writes & open;
            if covered == 0 {
                continue;
            }
            if keep(other.event) {
                open &= !covered;
                if open == 0 {
                    break;
                }
            } else {
                // (What comes after the event that happened has not changed what that found.)
                let is_later = own.is_some_and(|own| unfolding.includes(other.event, own));
                let bits = access.lanes.bits(if is_later { covered & !found } else { covered });
                word = (word & !bits) | (other.word_before & bits);
            }
        }
        word
    }

    /// After the unfolding has been compacted.
    pub(crate) fn rename(&mut self, unfolding: &Unfolding, map: &[Option<EventId>]) {
        self.kept = 0;
        let new = |id: EventId| map[id.index()].expect("the configuration is kept");
        for id in &mut self.trail {
            *id = new(*id);
        }
        for id in &mut self.settling {
            *id = new(*id);
        }
        for last in self.last.iter_mut().flatten() {
            *last = new(*last);
        }
        for id in self.threads.iter_mut().flatten() {
            *id = new(*id);
        }
        for history in &mut self.objects {
            *history = ObjectHistory { changed: self.stage, ..ObjectHistory::default() };
        }
        for i in 0..self.trail.len() {
            self.push_accesses(unfolding, self.trail[i]);
        }
    }
}

fn add_predecessor(unfolding: &Unfolding, before: EventId, id: EventId, out: &mut Frontier) {
    if unfolding.includes(before, id) {
        return;
    }
    let thread = unfolding.event(id).thread;
    match out.predecessors.iter_mut().find(|p| unfolding.event(**p).thread == thread) {
        Some(known) => {
            if unfolding.event(*known).depth < unfolding.event(id).depth {
                *known = id;
            }
        }
        None => out.predecessors.push(id),
    }
}
