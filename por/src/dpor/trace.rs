//! E: what has happened, and what happens before what in it.
mod races;
mod words;

use super::action::{Action, Relation, Table};
use super::same_value::SameValue;
use crate::system::{Access, Accesses, ObjectId, ThreadId};
use std::ops::Range;
use std::rc::Rc;

/// No position.
pub(super) const NOWHERE: u32 = u32::MAX;

/// An event of E.
pub(super) struct Event<Op> {
    pub(super) action: Action,
    /// The operation of the event. Other variants of it may be possible elsewhere.
    pub(super) operation: Rc<Op>,
    /// Whether it is a choice: one of several variants, or an event that touches less than its operation could.
    pub(super) choice: bool,
    /// Its number in its thread, from 1.
    pub(super) number: u32,
    /// The position of the event after which its thread stood: its own last one, or the one that created it.
    pub(super) before: u32,
    /// Where the positions of the last events of the threads that its thread had joined since then end in the list of
    /// all.
    joined: u32,
    /// The words of the objects that it accesses, before it and after it.
    pub(super) words: [[u64; 2]; Accesses::CAPACITY],
    /// The position of the first event that reads what it wrote. (Of blind events only.)
    pub(super) listener: u32,
    /// Where its direct predecessors end in the list of all.
    predecessors: u32,
}

/// The sequence with its relation. Positions count from 0.
pub(super) struct Trace<Op> {
    pub(super) table: Table,
    /// Whether writes are ordered only where they are observed.
    pub(super) observers: bool,
    /// Whether E has had updates.
    updates: bool,
    events: Vec<Event<Op>>,
    /// Positions of each thread's events.
    threads: Vec<Vec<u32>>,
    /// The events that created each thread: how many events it had by then, each time more, and where. A thread may
    /// be created again once it is over and was joined.
    creators: Vec<Vec<(u32, u32)>>,
    /// The threads that were created, in that order, each with the position of the event that created it.
    created: Vec<(ThreadId, u32)>,
    /// By object: the events that access it, with the number of the access.
    pub(super) objects: Vec<Vec<(u32, u8)>>,
    /// Those of them that write. (A thread that spins reads thousands of times, and no read depends on a read.)
    writes: Vec<Vec<(u32, u8)>>,
    /// By object: the events that set places there.
    pub(super) sets: Vec<Vec<SameValue>>,
    /// By event: how many events of each thread happen before it or are it. Up to date for the first `ordered` events.
    clocks: Vec<u32>,
    stride: usize,
    ordered: usize,
    /// The position of the first event that sees a place set for which there is more than one that sets it, when that
    /// was brought up to date: it happens after one of them, and none happens before it.
    loose: u32,
    /// The events in other threads that come last before each event and on which it depends directly.
    predecessors: Vec<u32>,
    /// The last events of threads that were joined, of each event after those of the one before it.
    joined: Vec<u32>,
    /// For each entry of `predecessors`, that is, for each race, whether it is settled: see [`Trace::settle`].
    settled: Vec<bool>,
    /// So many events have no race that is not settled, and are no choices.
    done: u32,
    /// Blind events with the position of their first listener, in the order of that.
    observed: Vec<(u32, u32)>,
    /// Buffers.
    found: Vec<u32>,
    own: Vec<u32>,
}

/// A list of accesses of a thread that stands behind an event.
#[derive(Clone, Copy)]
pub(super) struct Reach<'a> {
    pub(super) thread: ThreadId,
    pub(super) accesses: &'a [Access],
    /// The action that makes them, if not all that it depends on is ordered with it.
    pub(super) action: Option<Action>,
    /// It is observed.
    pub(super) observed: bool,
    /// Only events before this position are looked at.
    pub(super) end: u32,
}

impl<Op> Trace<Op> {
    pub(super) fn new(observers: bool) -> Self {
        Trace {
            table: Table::new(observers),
            observers,
            updates: false,
            events: Vec::new(),
            threads: Vec::new(),
            creators: Vec::new(),
            created: Vec::new(),
            objects: Vec::new(),
            writes: Vec::new(),
            sets: Vec::new(),
            clocks: Vec::new(),
            stride: 4,
            ordered: 0,
            loose: NOWHERE,
            predecessors: Vec::new(),
            joined: Vec::new(),
            settled: Vec::new(),
            done: 0,
            observed: Vec::new(),
            found: Vec::new(),
            own: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn event(&self, position: u32) -> &Event<Op> {
        &self.events[position as usize]
    }

    pub(super) fn actions(&self) -> impl Iterator<Item = Action> {
        self.events.iter().map(|event| event.action)
    }

    /// The position after which the thread stands.
    pub(super) fn last(&self, thread: ThreadId) -> u32 {
        let own = self.threads.get(thread.index()).and_then(|own| own.last().copied());
        let creation = self.creators.get(thread.index()).and_then(|creations| creations.last());
        match (own, creation) {
            (Some(own), Some(&(_, creation))) => own.max(creation),
            (Some(at), None) | (None, Some(&(_, at))) => at,
            (None, None) => NOWHERE,
        }
    }

    /// The position after which the thread stands with so many events: the last one of these, or its creation after
    /// that.
    pub(super) fn numbered(&self, thread: ThreadId, number: u32) -> u32 {
        let creations = self.creators.get(thread.index()).map_or(&[][..], Vec::as_slice);
        let creation = creations.binary_search_by_key(&number, |(events, _)| *events).ok();
        let creation = creation.map(|index| creations[index].1);
        let own = self.threads.get(thread.index());
        let event = || number.checked_sub(1).and_then(|index| own?.get(index as usize).copied());
        creation.or_else(event).unwrap_or(NOWHERE)
    }

    /// Appends an event that is about to be executed, after its thread has joined these: what it will access has these
    /// words. Returns an object that does not hold what was set there.
    pub(super) fn push(
        &mut self,
        action: Action,
        (operation, choice, joined): (Rc<Op>, bool, &[ThreadId]),
        word: impl Fn(ObjectId) -> u64,
    ) -> Option<ObjectId> {
        let at = self.events.len() as u32;
        let before = self.last(action.thread);
        let threads = action.thread.index() + 1;
        if self.threads.len() < threads {
            self.threads.resize_with(threads, Vec::new);
        }
        let own = &mut self.threads[action.thread.index()];
        own.push(at);
        let number = own.len() as u32;
        if self.observers {
            self.observe(action, at);
            self.updates |= action.is_update();
        }
        let mut words = [[0; 2]; Accesses::CAPACITY];
        for (index, access) in self.table.accesses(action).iter().enumerate() {
            if self.objects.len() <= access.object.index() {
                self.objects.resize_with(access.object.index() + 1, Vec::new);
                self.writes.resize_with(access.object.index() + 1, Vec::new);
            }
            self.objects[access.object.index()].push((at, index as u8));
            if access.writes != 0 {
                self.writes[access.object.index()].push((at, index as u8));
            }
            words[index][0] = word(access.object);
        }
        for &thread in joined {
            let last = self.last(thread);
            self.joined.push(last);
        }
        let (listener, predecessors, joined) = (NOWHERE, 0, self.joined.len() as u32);
        self.events.push(Event { action, operation, choice, number, before, joined, words, listener, predecessors });
        if self.observers { self.note_sets(at) } else { None }
    }

    /// The event appended last has been executed, and has created a thread or not.
    pub(super) fn executed(&mut self, created: Option<ThreadId>, word: impl Fn(ObjectId) -> u64) {
        let at = self.events.len() as u32 - 1;
        if let Some(child) = created {
            if self.creators.len() <= child.index() {
                self.creators.resize_with(child.index() + 1, Vec::new);
            }
            let events = self.threads.get(child.index()).map_or(0, |own| own.len() as u32);
            self.creators[child.index()].push((events, at));
            self.created.push((child, at));
        }
        let event = self.events.last_mut().expect("one was appended");
        for (words, access) in event.words.iter_mut().zip(self.table.accesses(event.action).iter()) {
            words[1] = word(access.object);
        }
    }

    /// Takes the last event back.
    pub(super) fn pop(&mut self) -> Action {
        let event = self.events.pop().expect("there is an event to go back to before");
        let at = self.events.len() as u32;
        self.joined.truncate(self.events.last().map_or(0, |last| last.joined as usize));
        self.threads[event.action.thread.index()].pop();
        if let Some(&(child, creation)) = self.created.last()
            && creation == at
        {
            self.creators[child.index()].pop();
            self.created.pop();
        }
        for access in self.table.accesses(event.action).iter() {
            self.objects[access.object.index()].pop();
            if access.writes != 0 {
                self.writes[access.object.index()].pop();
            }
            self.sets.get_mut(access.object.index()).into_iter().flatten().for_each(|sets| sets.pop(at));
        }
        self.ordered = self.ordered.min(at as usize);
        while let Some(&(write, listener)) = self.observed.last()
            && listener == at
        {
            self.observed.pop();
            if write != at {
                self.events[write as usize].listener = NOWHERE;
                self.ordered = self.ordered.min(write as usize);
            }
        }
        event.action
    }

    /// The lanes of an object that events write.
    pub(super) fn written(&self, object: ObjectId) -> u64 {
        let events = self.writes.get(object.index()).into_iter().flatten();
        events
            .map(|&(at, index)| self.table.accesses(self.event(at).action)[usize::from(index)].writes)
            .fold(0, |a, b| a | b)
    }

    /// Notes whose writes the next event observes.
    fn observe(&mut self, action: Action, at: u32) {
        for access in self.table.accesses(action).iter().filter(|access| access.reads != 0) {
            let Some(history) = self.writes.get(access.object.index()) else { continue };
            let mut open = access.reads;
            for &(position, index) in history.iter().rev() {
                let event = &mut self.events[position as usize];
                let writes = self.table.accesses(event.action)[usize::from(index)].writes & open;
                if writes != 0 && event.action.is_blind() && event.listener == NOWHERE {
                    event.listener = at;
                    self.observed.push((position, at));
                    self.ordered = self.ordered.min(position as usize);
                }
                open &= !writes;
                if open == 0 {
                    break;
                }
            }
        }
    }

    /// Brings the relation up to date, and says how many events it has looked at.
    pub(super) fn order(&mut self) -> usize {
        if self.threads.len() > self.stride {
            self.stride = self.threads.len().next_power_of_two();
            self.ordered = 0;
        }
        self.clocks.resize(self.stride * self.events.len(), 0);
        // What happens before a loose event depends on later events.
        let loose = self.first_loose();
        self.ordered = self.ordered.min(loose.min(self.loose) as usize);
        self.loose = loose;
        let looked_at = if self.is_loose() {
            self.clocks[self.ordered * self.stride..].fill(u32::MAX);
            let mut rounds = 1;
            while self.order_rest() {
                rounds += 1;
            }
            rounds * self.rest()
        } else {
            self.order_rest();
            self.rest()
        };
        self.ordered = self.events.len();
        looked_at
    }

    /// How many events are not up to date.
    fn rest(&self) -> usize {
        self.events.len() - self.ordered
    }

    /// Orders events beyond those that are up to date by what is known, and says whether more is known now.
    fn order_rest(&mut self) -> bool {
        let known = self.ordered.checked_sub(1).map_or(0, |last| self.events[last].predecessors);
        self.predecessors.truncate(known as usize);
        self.settled.truncate(known as usize);
        self.done = self.done.min(self.ordered as u32);
        let mut changed = false;
        for at in self.ordered..self.events.len() {
            changed |= self.order_event(at as u32);
        }
        changed
    }

    fn order_event(&mut self, at: u32) -> bool {
        let Event { action, number, before, listener, .. } = self.events[at as usize];
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let reach = Reach {
            thread: action.thread,
            accesses: self.table.accesses(action),
            action: (action.is_blind() || action.is_update()).then_some(action),
            observed: listener != NOWHERE,
            end: at,
        };
        self.dependent(reach, |_| true, |p| self.add_last(&mut found, p));
        // The events that come last: neither the thread nor another event among them knows them.
        for &p in &found {
            let Event { action: Action { thread, .. }, number, .. } = self.events[p as usize];
            let is_in = |of: u32| self.clock(of)[thread.index()] >= number;
            let was_joined = self.joined(at).iter().any(|&last| is_in(last));
            let is_known = before != NOWHERE && is_in(before);
            if !is_known && !was_joined && !found.iter().any(|&q| q != p && is_in(q)) {
                self.predecessors.push(p);
            }
        }
        self.settled.resize(self.predecessors.len(), false);
        self.events[at as usize].predecessors = self.predecessors.len() as u32;
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        match before {
            NOWHERE => own.resize(self.stride, 0),
            before => own.extend_from_slice(self.clock(before)),
        }
        for &p in found.iter().chain(self.joined(at)) {
            for (mine, theirs) in own.iter_mut().zip(self.clock(p)) {
                *mine = (*mine).max(*theirs);
            }
        }
        for sets in self.seen(self.table.accesses(action), at) {
            // One of those that set it happens before, so whatever happens before all of them. (Which is known if one
            // is.)
            let is_known = |event: &Event<Op>| own[event.action.thread.index()] >= event.number;
            if sets.events.iter().any(|&set| is_known(self.event(set))) {
                continue;
            }
            for (thread, mine) in own.iter_mut().enumerate() {
                let least = sets.events.iter().map(|&set| self.clock(set)[thread]).min();
                *mine = (*mine).max(least.expect("somebody set it"));
            }
        }
        own[action.thread.index()] = number;
        let clock = &mut self.clocks[at as usize * self.stride..][..self.stride];
        let changed = *clock != own[..];
        clock.copy_from_slice(&own);
        (self.found, self.own) = (found, own);
        changed
    }

    /// Whether there are loose events.
    pub(super) fn is_loose(&self) -> bool {
        self.loose != NOWHERE
    }

    fn clock(&self, position: u32) -> &[u32] {
        &self.clocks[position as usize * self.stride..][..self.stride]
    }

    /// Whether `a` is `b` or happens before it.
    pub(super) fn includes(&self, b: u32, a: u32) -> bool {
        let event = &self.events[a as usize];
        self.clock(b)[event.action.thread.index()] >= event.number
    }

    /// The actions in that range of events that `p` does not happen before, each with whether it is `b`, if there is
    /// one, or happens before it.
    pub(super) fn split_without(&self, p: u32, range: Range<u32>, b: u32) -> impl Iterator<Item = (Action, bool)> {
        let Event { action: Action { thread, .. }, number, .. } = self.events[p as usize];
        let range = range.start as usize..range.end as usize;
        let clocks = self.clocks[range.start * self.stride..range.end * self.stride].chunks_exact(self.stride);
        let known = if b == NOWHERE { &[] } else { self.clock(b) };
        let kept = self.events[range].iter().zip(clocks).filter(move |(_, clock)| clock[thread.index()] < number);
        kept.map(move |(event, _)| {
            let known = known.get(event.action.thread.index());
            (event.action, known.is_some_and(|&known| known >= event.number))
        })
    }

    /// Whether `a` is known to a thread that stands behind `before`.
    pub(super) fn knows(&self, before: u32, a: u32) -> bool {
        before != NOWHERE && self.includes(before, a)
    }

    /// The last events of the threads that the thread of an event had joined since its event before.
    pub(super) fn joined(&self, position: u32) -> &[u32] {
        let start = position.checked_sub(1).map_or(0, |last| self.events[last as usize].joined);
        &self.joined[start as usize..self.events[position as usize].joined as usize]
    }

    /// Tells of events that these accesses depend on, for which `keep` holds: at least of those that do not happen
    /// before another one of them. Not of those that set a place: see [`Trace::seen`].
    pub(super) fn dependent(&self, reach: Reach<'_>, keep: impl Fn(u32) -> bool, mut tell: impl FnMut(u32)) {
        for access in reach.accesses {
            let all = if access.writes == 0 { &self.writes } else { &self.objects };
            let Some(history) = all.get(access.object.index()) else { continue };
            let mut open = access.touched();
            // An event that sets a place depends only on the events that saw it unset.
            let end = self.first_set(access).map_or(reach.end, |first| first.min(reach.end));
            let known = history.partition_point(|&(position, _)| position < end);
            for &(position, index) in history[..known].iter().rev() {
                let event = &self.events[position as usize];
                let other = self.table.accesses(event.action)[usize::from(index)];
                let touched = other.touched() & open;
                if touched == 0 || !keep(position) {
                    continue;
                }
                let observed = event.listener != NOWHERE;
                let is_set = event.action.place().is_some();
                if !is_set && event.action.thread != reach.thread && self.depends(access, &other, open) {
                    match reach.action.map(|action| self.table.relation(action, event.action)) {
                        Some(Relation::Independent) => {}
                        Some(Relation::IfObserved) if !observed && !reach.observed => {}
                        _ => tell(position),
                    }
                }
                // What comes before a write happens before it, unless it is another one, and no event sees their order,
                // or another update. (Where one sets a place, only others do.)
                open &= match event.action {
                    action if action.is_update() => u64::MAX,
                    action if action.is_blind() && !observed => !(other.writes & access.reads),
                    _ => !other.writes,
                };
                if open == 0 {
                    break;
                }
            }
        }
    }

    /// The events that read what is left of a blind write.
    pub(super) fn readers(&self, write: u32) -> Vec<u32> {
        let written = self.table.written(self.events[write as usize].action);
        let mut open = written.writes;
        let mut readers = Vec::new();
        let history = &self.objects[written.object.index()];
        let first = history.partition_point(|&(position, _)| position <= write);
        for &(position, index) in &history[first..] {
            let access = self.table.accesses(self.events[position as usize].action)[usize::from(index)];
            if access.reads & open != 0 {
                readers.push(position);
            }
            // (Updates read it in any order.)
            if !self.events[position as usize].action.is_update() {
                open &= !access.writes;
            }
            if open == 0 {
                break;
            }
        }
        readers
    }

    fn depends(&self, access: &Access, other: &Access, open: u64) -> bool {
        (access.writes & (other.reads | other.writes) | access.reads & other.writes) & open != 0
    }
}

#[cfg(test)]
mod tests;
