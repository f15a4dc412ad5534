//! The races of E, and what reverses them.
//!
//! A *race* is a pair (p, e) of events of different threads, dependent, with nothing between them. It is reversed by a
//! sequence of the events that p does not happen before, followed by the operation of e. The operation may be blocked
//! there (a lock of which only the release was left out). Then the events that it directly depends on are left out as
//! well, and so on.
//!
//! An operation that is blocked in the end is treated like an event after all of E. An event that is a *choice* (one of
//! several variants, or one that touches less than its operation could) is, besides, treated like a pending operation
//! after all that it does not happen before: the variants that are possible there, and those after the reversal of a
//! race.
//!
//! How an operation that is blocked, or a choice, is reversed: see [`super::reversal`].
//!
//! Of several events that set a place, none alone is in a race with an event that sees it set, but all of them are
//! together: see [`super::same_value`].
//!
//! Two blind writes race only if the second one is observed. That race is reversed by lines 6–8 of Alg. 1: what the
//! first does not happen before, the second, the first, what happens after both and observes nothing of them, and the
//! listener.
use super::action::{Action, Relation};
use super::known::Sequential;
use super::same_value::{Kept, SameValue};
use super::trace::{NOWHERE, Reach, Trace};
use super::walk::Walk;
use crate::system::{Access, Accesses, ObjectId, ThreadId, Variant};
use crate::{Listener, Outcome};
use std::rc::Rc;

/// How often the listener is asked whether to go on, in events looked at.
const POLL_INTERVAL: u64 = 1 << 16;

/// The same for events that have no races: their number times the length of the execution.
const LONGEST_UNPOLLED: usize = 1 << 20;

/// An operation of which other variants are looked for.
pub(super) struct Pending<Op> {
    pub(super) thread: ThreadId,
    /// The position in E of the event that its thread stands behind.
    pub(super) before: u32,
    /// The positions of the last events of the threads that it has joined since then.
    pub(super) joined: Vec<u32>,
    pub(super) operation: Rc<Op>,
    pub(super) footprint: Accesses,
    /// The position of the event as which it happened; `None` if it is pending.
    pub(super) happened: Option<u32>,
    /// The same if it happened in the only way that was possible, and in order with all that it depends on,
    /// except blind writes. All that comes after that place is independent of it, or happens after it, or could as well
    /// come before it and is seen by no other event. So the events that it races with, and its results without some of
    /// them, were decided by then.
    pub(super) at: Option<u32>,
}

impl<S: Sequential, O: Listener<S>> Walk<'_, S, O> {
    /// At the end of an execution: plans what reverses its races.
    pub(super) fn reverse_races(&mut self) -> Result<(), Outcome> {
        self.look_at(self.trace.len());
        let looked_at = self.trace.order();
        self.look_at(looked_at);
        let mut dropped = Vec::new();
        let sees_sets = self.trace.has_sets();
        let (mut polled, mut unpolled) = (self.statistics.work.looked_at, 0);
        let undone = if sees_sets { 0..self.trace.len() as u32 } else { self.trace.undone() };
        for at in undone {
            // (What sees places set takes time, too, also where no race comes of it.)
            unpolled += self.trace.len();
            if self.statistics.work.looked_at - polled >= POLL_INTERVAL || unpolled >= LONGEST_UNPOLLED {
                (polled, unpolled) = (self.statistics.work.looked_at, 0);
                self.poll()?;
            }
            for number in self.trace.races(at) {
                let Some(p) = self.trace.race(number) else { continue };
                if self.reverse_race(p, at, &mut dropped) {
                    self.trace.settle(number);
                }
            }
            if sees_sets {
                self.unset_places(at, &mut dropped);
            }
            if self.trace.event(at).choice {
                let pending = self.happened(at);
                dropped.push(at);
                self.reverse_once(&pending, Some(at), &mut dropped);
                self.reverse_all(&pending, &mut dropped);
                dropped.pop();
            }
        }
        let threads = if self.system.is_over() { 0 } else { self.system.threads() };
        for thread in (0..threads).map(ThreadId) {
            if let Some(operation) = self.system.operation_to_keep(thread) {
                let footprint = self.system.footprint(thread);
                let before = self.trace.last(thread);
                let joined = self.system.joined(thread).into_iter().map(|joined| self.trace.last(joined)).collect();
                let pending = Pending { thread, before, joined, operation, footprint, happened: None, at: None };
                self.reverse_all(&pending, &mut dropped);
            }
        }
        Ok(())
    }

    pub(super) fn look_at(&mut self, events: usize) {
        self.statistics.work.looked_at += events as u64;
    }

    /// The operation of an event.
    fn happened(&self, at: u32) -> Pending<S::Operation> {
        let event = self.trace.event(at);
        // (An event that is no choice accesses all that its operation could.)
        let footprint = if event.choice {
            self.system.pure().footprint(event.action.thread, &event.operation)
        } else {
            *self.trace.table.accesses(event.action)
        };
        let is_loose = event.action.is_update() || event.action.place().is_some() || self.trace.is_loose();
        let joined = self.trace.joined(at).to_vec();
        let decided = (!event.choice && !is_loose).then_some(at);
        let (action, before, operation) = (event.action, event.before, Rc::clone(&event.operation));
        Pending { thread: action.thread, before, joined, operation, footprint, happened: Some(at), at: decided }
    }

    /// Returns whether the race is settled.
    fn reverse_race(&mut self, p: u32, at: u32, dropped: &mut Vec<u32>) -> bool {
        let (first, second) = (self.trace.event(p).action, self.trace.event(at));
        if self.trace.table.relation(first, second.action) == Relation::IfObserved {
            self.statistics.work.races += 1;
            self.look_at(self.trace.len());
            self.reverse_observed(p, at);
            return false;
        }
        let awaited = |access: &Access| self.system.pure().awaits(&second.operation, access);
        if self.trace.table.accesses(first).iter().any(awaited) {
            return true;
        }
        self.statistics.work.races += 1;
        if let Some(settled) = self.reverse_as_it_was(p, at) {
            return settled;
        }
        let pending = self.happened(at);
        dropped.push(p);
        let settled = self.reverse_once(&pending, None, dropped);
        dropped.pop();
        settled && pending.at.is_some()
    }

    /// What [`Walk::reverse_once`] does with a race, found in one go through E, if without its first event the second
    /// one happens in the only way in which it did with it. `None`, and nothing done, if that is not so, or not known.
    ///
    /// What the operation depends on, of what is kept, is what happens before the event. (Of two blind writes of the
    /// same the order is open if nobody sees it. But the first event, on which one of them depends, is one on which the
    /// other depends, too: so that happens before the first event, or after it and is not kept. What sees a place set
    /// is left out here.)
    ///
    /// It may be blocked without that event: by the lock, if that is the unlock of a mutex. If there is one event on
    /// which it depends directly then, and the first one comes after that, both are left out by leaving out that one.
    fn reverse_as_it_was(&mut self, p: u32, at: u32) -> Option<bool> {
        let (trace, event) = (&self.trace, self.trace.event(at));
        if event.choice || event.action.is_update() || trace.is_loose() {
            return None;
        }
        if trace.seen(trace.table.accesses(event.action), at).next().is_some() {
            return None;
        }
        let (mut first, mut needs) = (p, at);
        while self.is_blocked_without(first, at)? {
            first = self.only_cause(first, at)?;
            // (What comes between the two may be known to the first one of the race only.)
            needs = self.trace.event(at).before;
        }
        Some(self.plan_as_it_was(first, at, needs))
    }

    /// Whether without that event, and all that comes after it, the other one is blocked. `None` if it is not, but not
    /// possible in the same way only.
    fn is_blocked_without(&mut self, p: u32, at: u32) -> Option<bool> {
        let (trace, event) = (&self.trace, self.trace.event(at));
        let footprint = trace.table.accesses(event.action);
        let is_kept = |x| !trace.includes(x, p);
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(footprint.iter()) {
            let updated = |operation: &S::Operation, word| self.system.pure().word_after_update(operation, word);
            *word = trace.word(access, (self.system.word(access.object), Some(at)), is_kept, updated);
        }
        self.variants.clear();
        let (thread, words) = (event.action.thread, &words[..footprint.len()]);
        self.system.pure().variants(thread, &event.operation, footprint, words, &mut self.variants);
        match &self.variants[..] {
            [] => Some(true),
            [variant] if trace.table.is_variant(event.action, variant) => Some(false),
            _ => None,
        }
    }

    /// The event on which another one depends directly, without that one and what comes after it: if it is the only
    /// one, and that one comes after it.
    fn only_cause(&self, p: u32, at: u32) -> Option<u32> {
        let (trace, event) = (&self.trace, self.trace.event(at));
        let accesses = trace.table.accesses(event.action);
        let is_simple = trace.joined(at).is_empty() && trace.is_ordered(accesses);
        if !is_simple || trace.has_sets() || self.system.pure().picks(&event.operation) {
            return None;
        }
        let (mut cause, mut is_only) = (None, true);
        let reach =
            Reach { thread: event.action.thread, accesses, action: None, observed: true, end: trace.len() as u32 };
        trace.dependent(
            reach,
            |x| !trace.includes(x, p),
            |x| is_only &= trace.knows(event.before, x) || *cause.get_or_insert(x) == x,
        );
        cause.filter(|&cause| is_only && trace.includes(p, cause))
    }

    /// Plans what reverses the race of an event with one without which it happens in the only way in which it did. What
    /// it needs, of what is kept, is that event, if there is one, and what happens before that.
    fn plan_as_it_was(&mut self, p: u32, at: u32, needs: u32) -> bool {
        self.look_at(self.trace.len());
        let (mut sequence, mut others) = (std::mem::take(&mut self.sequence), std::mem::take(&mut self.others));
        sequence.clear();
        others.clear();
        let (trace, event) = (&self.trace, self.trace.event(at));
        let causes = trace.split_without(p, p..at, needs);
        for (action, is_cause) in causes {
            (if is_cause { &mut sequence } else { &mut others }).push(action);
        }
        sequence.push(event.action);
        sequence.extend_from_slice(&others);
        let shared = if event.action.place().is_some() { 0 } else { sequence.len() };
        sequence.extend(trace.split_without(p, at..trace.len() as u32, at).map(|(action, _)| action));
        // (All of them would take half of the time of the tests.)
        debug_assert!(
            self.statistics.work.races % 16 != 1 || self.is_reversal(&sequence, shared, p, at),
            "the same as by what the operation depends on"
        );
        let settled = self.plan(p, &sequence, shared) && shared != 0;
        (self.sequence, self.others) = (sequence, others);
        settled
    }

    /// Whether this is the sequence that reverses a race, as in [`Walk::plan_behind`].
    fn is_reversal(&self, sequence: &[Action], shared: usize, p: u32, at: u32) -> bool {
        let pending = self.happened(at);
        let [first, rest] = self.around(&pending, &pending.footprint, &self.trace.kept(&[p]));
        let positions = || first.iter().chain([&at]).chain(&rest);
        let is_same = sequence.iter().copied().eq(positions().map(|&x| self.trace.event(x).action));
        is_same && shared == pending.at.map_or(0, |at| first.len() + 1 + rest.partition_point(|&x| x < at))
    }

    /// Reverses the races of an event with all that set a place that it sees set.
    fn unset_places(&mut self, at: u32, dropped: &mut Vec<u32>) {
        let accesses = *self.trace.table.accesses(self.trace.event(at).action);
        let groups =
            |sets: &SameValue| sets.events.iter().copied().filter(|&set| !self.trace.includes(set, at)).collect();
        let groups: Vec<Vec<u32>> = self.trace.seen(&accesses, at).map(groups).collect();
        for group in groups {
            dropped.extend(group);
            // If something else that it needs is not kept, it is reversed against that.
            let kept = self.trace.kept(dropped);
            if self.trace.predecessors(at).iter().all(|&p| self.trace.keeps(&kept, p)) {
                self.statistics.work.races += 1;
                let pending = self.happened(at);
                self.reverse_once(&pending, None, dropped);
            }
            dropped.clear();
        }
    }

    /// Plans the action after that part of E. It comes as early there as it can, so that what need not be done again
    /// after it comes in the same order as before.
    pub(super) fn plan_behind(
        &mut self,
        pending: &Pending<S::Operation>,
        action: Action,
        accesses: &[Access],
        kept: &Kept<'_>,
        start: u32,
    ) -> bool {
        let [first, rest] = self.around(pending, accesses, kept);
        // What E begins with up to `pending.at` has all of it decided, see there, but for what is not kept with what
        // comes after.
        let shared = pending.at.filter(|&at| *accesses == *pending.footprint && first.iter().all(|&x| x < at));
        let shared = shared.map_or(0, |at| first.len() + 1 + rest.partition_point(|&x| x < at));
        self.plan_all(start, &first, action, &rest, shared)
    }

    /// What is kept, with all before such an action that has to be.
    fn around(&self, pending: &Pending<S::Operation>, accesses: &[Access], kept: &Kept<'_>) -> [Vec<u32>; 2] {
        let mut causes = self.last_dependent(pending, accesses, kept);
        let seen = self.trace.seen(accesses, self.trace.len() as u32);
        causes.extend(seen.filter_map(|sets| self.trace.first_kept(kept, sets)));
        causes.extend(pending.joined.iter().filter(|&&last| last != NOWHERE));
        self.trace.sort(kept, pending.before, &causes)
    }

    /// Plans events with an action between them.
    fn plan_all(&mut self, start: u32, first: &[u32], action: Action, rest: &[u32], shared: usize) -> bool {
        let mut sequence = std::mem::take(&mut self.sequence);
        sequence.clear();
        sequence.extend(first.iter().map(|&x| self.trace.event(x).action));
        sequence.push(action);
        sequence.extend(rest.iter().map(|&x| self.trace.event(x).action));
        let settled = self.plan(start, &sequence, shared);
        self.sequence = sequence;
        settled
    }

    pub(super) fn action(&mut self, pending: &Pending<S::Operation>, variant: &Variant) -> Action {
        let happened = pending.happened.map(|at| self.trace.event(at).action);
        if let Some(action) = happened.filter(|&action| self.trace.table.is_variant(action, variant)) {
            return action;
        }
        let effect = self.system.pure().effect(&pending.operation);
        self.trace.table.action(pending.thread, variant.label, &variant.accesses, effect)
    }

    /// What the pending operation could do after the part of E that `dropped` leaves.
    pub(super) fn variants_at(&self, pending: &Pending<S::Operation>, kept: &Kept<'_>, variants: &mut Vec<Variant>) {
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(pending.footprint.iter()) {
            let current = self.system.word(access.object);
            let updated = |operation: &S::Operation, word| self.system.pure().word_after_update(operation, word);
            *word = self.trace.word(access, (current, pending.happened), |x| self.trace.keeps(kept, x), updated);
        }
        self.variants_of(pending, &words, variants);
    }

    fn variants_of(&self, pending: &Pending<S::Operation>, words: &[u64], variants: &mut Vec<Variant>) {
        variants.clear();
        let Pending { thread, operation, footprint, .. } = pending;
        self.system.pure().variants(*thread, operation, footprint, &words[..footprint.len()], variants);
    }

    /// What has to be dropped so that the operation comes earlier: the last events of the part of E that an action with
    /// these accesses depends on, each alone, and all together that set a place that it would see set.
    pub(super) fn races(&self, pending: &Pending<S::Operation>, accesses: &[Access], kept: &Kept<'_>) -> Vec<Vec<u32>> {
        let last = self.last_dependent(pending, accesses, kept).into_iter().map(|p| vec![p]);
        let remain =
            |sets: &SameValue| sets.events.iter().copied().filter(|&set| self.trace.keeps(kept, set)).collect();
        let groups = self.trace.seen(accesses, self.trace.len() as u32).map(remain);
        last.chain(groups.filter(|group: &Vec<u32>| !group.is_empty())).collect()
    }

    /// The last events of the part that an action with these accesses depends on, and that its thread does not know.
    fn last_dependent(&self, pending: &Pending<S::Operation>, accesses: &[Access], kept: &Kept<'_>) -> Vec<u32> {
        let end = self.trace.len() as u32;
        let reach = Reach { thread: pending.thread, accesses, action: None, observed: true, end };
        let mut all = Vec::new();
        let keep = |x| self.trace.keeps(kept, x);
        let was_joined = |x: u32| pending.joined.iter().any(|&last| self.trace.knows(last, x));
        let new = |x: &u32| !self.trace.knows(pending.before, *x) && !was_joined(*x);
        let mut add = |x| self.trace.add_last(&mut all, x);
        self.trace.dependent(reach, keep, |x| Some(x).filter(new).into_iter().for_each(&mut add));
        if all.len() <= 1 {
            return all;
        }
        all.sort_unstable();
        let is_last = |p: &&u32| !all.iter().any(|q| q != *p && self.trace.includes(*q, **p));
        all.iter().filter(is_last).copied().collect()
    }

    /// Lines 6–8: two writes of which the second is observed.
    fn reverse_observed(&mut self, p: u32, at: u32) {
        let listener = self.trace.event(at).listener;
        debug_assert_ne!(listener, NOWHERE, "unobserved writes do not race");
        let readers = self.trace.readers(at);
        let [positions, rest] = self.swap(p, at, listener, &readers);
        // The listener reads something else now, and so it may be another variant, which comes after all that depends
        // on it.
        let pending = self.happened(listener);
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(pending.footprint.iter()) {
            let updated = |operation: &S::Operation, word| self.system.pure().word_after_update(operation, word);
            let found = (self.system.word(access.object), pending.happened);
            let before = self.trace.word(access, found, |x| x < p, updated);
            let behind = |word, &x: &u32| self.trace.word_behind(x, access.object, word, updated);
            *word = positions.iter().chain(&rest).fold(before, behind);
        }
        let mut variants = Vec::new();
        self.variants_of(&pending, &words, &mut variants);
        for variant in variants {
            let action = self.action(&pending, &variant);
            let first = rest.iter().rposition(|&x| self.trace.table.conflicts(self.trace.event(x).action, action));
            let (more, rest) = rest.split_at(first.map_or(0, |last| last + 1));
            let positions: Vec<u32> = positions.iter().chain(more).copied().collect();
            self.plan_all(p, &positions, action, rest, 0);
        }
    }

    /// What remains of E without those that read the second of two writes, from the first one on, with that after the
    /// second: what the listener needs, and the rest.
    fn swap(&self, p: u32, at: u32, listener: u32, readers: &[u32]) -> [Vec<u32>; 2] {
        if self.trace.is_loose() {
            let mut order = self.trace.nothing();
            self.trace.go_on(&mut order, &[p]);
            [at, p].into_iter().for_each(|x| order.push(x));
            self.trace.go_on(&mut order, readers);
            let event = self.trace.event(listener);
            let accesses = self.trace.table.accesses(event.action);
            let sets = self.trace.seen(accesses, listener).filter_map(|sets| self.trace.first_of(&order, sets));
            let direct = self.trace.predecessors(listener).iter().chain(self.trace.joined(listener));
            let needed = direct.copied().chain(sets).chain([event.before, at, p]);
            return self.trace.split(&order, p, needed);
        }
        let behind = |x: &u32| self.trace.includes(*x, p);
        let unseen = |x: &u32| *x != p && *x != at && !readers.iter().any(|&r| self.trace.includes(*x, r));
        let cause = |x: &u32| self.trace.includes(listener, *x);
        // What the listener needs comes first, see above.
        let all = || p..self.trace.len() as u32;
        let mut positions: Vec<u32> = all().filter(|x| !behind(x) && cause(x)).collect();
        positions.extend([at, p]);
        positions.extend(all().filter(|x| behind(x) && unseen(x) && cause(x)));
        [positions, all().filter(|x| !cause(x) && (!behind(x) || unseen(x))).collect()]
    }
}

impl<Op> Trace<Op> {
    /// Whether the order of all that was done to what an action accesses is known: nobody leaves it open.
    pub(super) fn is_ordered(&self, accesses: &[Access]) -> bool {
        let histories = accesses.iter().filter_map(|access| self.objects.get(access.object.index()));
        !self.observers || histories.flatten().all(|&(position, _)| self.event(position).action.is_ordered())
    }

    /// The object because of which a sequence does not go with the event at that position, unless it is a choice.
    pub(super) fn reversed(&self, at: u32, sequence: &[Action]) -> Option<ObjectId> {
        let first = self.event(at).action;
        let others = sequence.iter().filter(|other| other.thread != first.thread);
        let accesses = |action| self.table.accesses(action).iter();
        let pairs = others.flat_map(|&other| accesses(first).flat_map(move |a| accesses(other).map(move |b| (a, b))));
        pairs.filter(|(a, b)| a.depends(b)).map(|(a, _)| a.object).next()
    }

    /// Adds an event to a list that has the last one of each thread. That one knows the others, which may be thousands:
    /// of a thread that reads until another one writes.
    pub(super) fn add_last(&self, list: &mut Vec<u32>, position: u32) {
        let thread = |position: u32| self.event(position).action.thread;
        match list.iter().position(|&known| thread(known) == thread(position)) {
            Some(index) if list[index] >= position => return,
            Some(index) => _ = list.remove(index),
            None => {}
        }
        list.push(position);
    }
}
