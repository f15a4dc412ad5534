//! Fingerprints: how each action changes the state, for the cutoffs of the explorer.
//!
//! The state is a sum of terms, see [`por::Change`]. What is in it:
//! - memory: every byte of a live object that was ever written, every live object, and what decides which addresses new
//!   objects get;
//! - mutexes, condition variables (a term for each waiting thread), other synchronisation objects, atomic blocks,
//!   functions registered for the end;
//! - threads: their frames with instruction, live slots and stack objects, and whatever else of theirs is read again.
//!
//! What is not in it: what tallies hold (see `waiting::tally`), places in the source, how many events a thread has
//! executed, what was printed, dead slots, bytes that were never written. Changes come from the undo log, which has
//! what was before; so a state is never walked through.
//!
//! The *terms of threads* are absolute, those of everything else differences. A thread that has ended and was joined is
//! taken out of the sum: it leaves nothing behind.
mod control;
pub(crate) mod live;
mod term;
mod whole;

pub(crate) use live::LiveSlots;
pub(crate) use term::{Words, byte, words};
pub(crate) use whole::{RunningSum, TermNumbers};

use crate::machine::{Machine, State};
use crate::memory::{ObjectIds, ObjectKey, ObjectKind, Role};
use crate::step::Flow;
use crate::sync::SyncState;
use crate::thread::{Pending, Status, Thread};
use por::{Change, ObjectId, ThreadId};

/// What tells one kind of term from another.
#[derive(Clone, Copy, Hash)]
pub(crate) enum Term {
    Thread,
    Object,
    Frontier,
    Queue,
    NextDead,
    HandedOver,
    PartialByte,
    Mutex,
    Waiting,
    Sync,
    Lane,
    ClosedLane,
    AtExit,
    Detached,
    Cancelled,
    Order,
    QueueName,
    Freed,
    KnownHandedOver,
    Input,
    Symbolic,
    Inputs,
    Mapping,
    Rounds,
    Stack,
}

/// What has been found out of the current action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Following {
    /// The term of the thread that the action created, and what its first steps changed.
    child: (u128, u128),
    /// What joining and detaching changed.
    claims: u128,
    /// What was read or decided of inputs: whoever does that does not spin.
    inputs: u128,
    /// The action waits for a lock until it gets it, or gives one back.
    locks: bool,
    /// What [`Machine::accesses_to_keep`] was before the action.
    accesses: u64,
    /// The change up to the end of an atomic block, which is the end of the action.
    middle: Option<Middle>,
}

/// The change up to the end of the visible action.
#[derive(Clone, Debug)]
pub(crate) struct Middle {
    action: u128,
    control: u128,
    keep: bool,
}

impl Machine {
    /// Whether changes are followed: only since a mark is it known what was before.
    fn follows(&self) -> bool {
        self.exploration.follows && self.log.stamp() > 0
    }

    /// Whether it is said how the current action changes the state.
    pub(crate) fn says_changes(&self) -> bool {
        self.follows() && !self.exploration.silent
    }

    /// An action begins.
    pub(crate) fn begin_change(&mut self, pending: &Pending) {
        self.state.memory.race.begin_page();
        self.state.memory.race.begin_action(self.thread(self.segment.current).header.block > 0);
        self.segment.following.middle = None;
        self.segment.block_stores.clear();
        if self.follows() {
            self.segment.following.child = (0, 0);
            self.segment.following.claims = 0;
            self.segment.following.inputs = 0;
            let block = self.thread(self.segment.current).header.block;
            self.segment.following.locks = pending.operation.lock().is_some() && !pending.in_block && block == 0;
        }
        if self.says_changes() {
            self.segment.following.accesses = self.accesses_to_keep();
        }
    }

    /// What the current action leaves behind is not ordered as the events are: it depends on one of another thread that
    /// does not happen before it; or it accesses memory behind something that it releases, which those who learn of
    /// that do not know of. What is ordered is not in the fingerprint then.
    pub(crate) fn note_unordered(&mut self) {
        if !self.learned.unordered {
            self.learned.unordered = true;
            let left_out = self.exploration.relied_on && !self.exploration.states;
            let polls = self.learned.polls_widely;
            self.segment.restart |= left_out && self.looks_for_races() || polls;
        }
    }

    /// The clock is read, which is not in the fingerprint.
    pub(crate) fn note_clock(&mut self) {
        self.tell_apart();
        if self.exploration.usually.is_some() {
            // (So a thread that looks at the clock does not spin: it may find another time.)
            self.follow_input();
        }
        if !self.learned.clock {
            self.learned.clock = true;
            // (Other machines that explore the same may have left orders out.)
            let others = self.exploration.company && self.exploration.effects;
            let commuted = self.lifelong.has_set || self.lifelong.commuted || others;
            let matters = self.exploration.relied_on || self.has_quiet_sections() || self.merges_ends() || commuted;
            self.segment.restart |= matters || self.learned.polls_widely;
        }
    }

    /// How many accesses there were with which local steps of other threads may race.
    fn accesses_to_keep(&self) -> u64 {
        self.state.memory.race.plain_accesses() + self.state.memory.race.mixed_accesses()
    }

    /// Notes which objects turned out to be accessed both plainly and atomically: what was explored before did not
    /// know.
    pub(crate) fn note_mixed(&mut self) {
        if self.state.memory.race.mixed().len() > self.learned.mixed.len() {
            self.learned.mixed = self.state.memory.race.mixed().clone();
            self.segment.restart |= self.exploration.follows;
        }
    }

    /// Notes that a thread frees blocks of another one, whose addresses are used again once that one knows: who knows
    /// of it, and may tell it, is part of a state.
    pub(crate) fn note_handed_over(&mut self) {
        if !self.learned.handed_over && self.state.memory.has_handed_over() {
            self.learned.handed_over = true;
            self.segment.restart |= self.exploration.relied_on || self.has_quiet_sections() || self.merges_ends();
        }
    }

    /// Runs the first steps of a thread that the current action creates.
    pub(crate) fn follow_child(&mut self, child: ThreadId, run: impl FnOnce(&mut Machine)) {
        if self.segment.twin.child_waits() {
            return;
        }
        let action = self.state.memory.race.begin_child();
        self.follow_steps_of(child, run);
        self.state.memory.race.end_child(action);
    }

    fn follow_steps_of(&mut self, child: ThreadId, run: impl FnOnce(&mut Machine)) {
        if !self.says_changes() {
            return run(self);
        }
        let control = self.control(child, None, TermNumbers::Count);
        let before = self.changed(TermNumbers::Count);
        run(self);
        self.segment.following.child = (control, self.changed(TermNumbers::Count).wrapping_sub(before));
    }

    /// The visible action is over; its thread goes on like that. `None` if nobody wants to know, or if the action goes
    /// on in what follows, since it is an atomic block.
    pub(crate) fn middle_of_change(&mut self, flow: Option<&Flow>) -> Option<Middle> {
        let is_in_block = self.thread(self.segment.current).header.block > 0;
        if flow.is_some() && (is_in_block || self.is_in_quiet_section()) {
            return None;
        }
        self.state.memory.race.begin_local();
        if !self.says_changes() {
            return None;
        }
        let (child, child_local) = self.segment.following.child;
        let changed = self.changed(TermNumbers::Count).wrapping_add(self.segment.following.inputs);
        let action = changed.wrapping_sub(child_local).wrapping_add(child);
        let keep = self.accesses_to_keep() != self.segment.following.accesses;
        Some(Middle { action, control: self.control(self.segment.current, flow, TermNumbers::Count), keep })
    }

    /// An atomic block has ended, and with it the action. True: its thread goes on.
    pub(crate) fn leave_action(&mut self) -> bool {
        self.segment.following.middle = self.middle_of_change(Some(&Flow::Next));
        !self.segment.twin.own_waits(self.segment.current, Flow::Next)
    }

    /// A quiet section has ended, and with it the action; its thread goes on like that, if it does.
    pub(crate) fn end_section_action(&mut self, flow: Flow) -> Option<Flow> {
        self.segment.following.middle = self.middle_of_change(Some(&flow));
        (!self.segment.twin.own_waits(self.segment.current, flow)).then_some(flow)
    }

    /// The thread stands before its next operation, or is over.
    pub(crate) fn end_change(&mut self, middle: Option<Middle>) -> Option<Change> {
        if self.state.memory.race.action_was_mixed_up() {
            self.note_unordered();
        }
        if !self.says_changes() {
            return None;
        }
        let middle = middle.or_else(|| self.segment.following.middle.take()).or_else(|| {
            let middle = self.middle_of_change(None)?;
            Some(Middle { keep: true, ..middle })
        })?;
        let (child, child_local) = self.segment.following.child;
        let changed = self.changed(TermNumbers::Count).wrapping_add(self.segment.following.inputs);
        let all = changed.wrapping_sub(child_local).wrapping_add(child);
        let Middle { action, control, keep } = middle;
        // (Nobody else asks for that.)
        let (lock, confined, own) = match self.exploration.usually {
            Some(_) => (self.changed_of_lock(), self.changed_of_confined(), self.changed_of_scratch()),
            None => (0, 0, 0),
        };
        Some(Change { action, lock, control, local: all.wrapping_sub(action), confined, own, child, child_local, keep })
    }

    /// The part of what the current action changes that is about confined variables (see `waiting::confined`).
    pub(super) fn changed_of_confined(&self) -> u128 {
        self.state.memory.changed_contents(|kind| match kind {
            ObjectKind::Stack(function, info) => self.program.confined(function).has(info),
            _ => false,
        })
    }

    /// That about scratch variables that are no confined ones (see `waiting::scratch`): only local steps of their
    /// function access them.
    fn changed_of_scratch(&self) -> u128 {
        self.state.memory.changed_contents(|kind| match kind {
            ObjectKind::Stack(function, info) => {
                self.program.scratch(function).has(info) && !self.program.confined(function).has(info)
            }
            _ => false,
        })
    }

    /// The part of what the current action changes that is only about which locks its thread holds. (Of a robust mutex
    /// it matters to others whether a thread has ended with it.)
    fn changed_of_lock(&self) -> u128 {
        if !self.segment.following.locks {
            return 0;
        }
        let changes = self.log.changed_syncs(&self.state.sync).filter(|(_, old, new)| old.is_as_healthy_as(*new));
        changes.fold(0u128, |sum, (object, old, new)| {
            sum.wrapping_add(sync_term(self, object, new)).wrapping_sub(sync_term(self, object, old))
        })
    }

    /// What has changed since the last mark, but for the terms of threads that still count.
    fn changed(&self, numbers: TermNumbers) -> u128 {
        // All fields are named, so that none can be forgotten. Threads have terms of their own; output decides nothing.
        // (What was decided is said where it is seen what it is about.)
        let State { memory: _, partial: _, threads: _, sync, process: _, path: _, sum: _, output: _ } = &self.state;
        let mut sum = self.segment.following.claims;
        for (object, old, new) in self.log.changed_syncs(sync) {
            sum = sum.wrapping_add(sync_term(self, object, new)).wrapping_sub(sync_term(self, object, old));
        }
        // What was in memory that is gone cannot be used any more.
        if self.state.memory.has_changed_lives() && !self.lifelong.sync_in_memory.is_empty() {
            let lives = self.state.memory.ended_lives();
            for object in lives.filter_map(|life| self.lifelong.sync_in_memory.get(&life)).flatten() {
                sum = sum.wrapping_sub(sync_term(self, *object, self.sync_state(*object)));
            }
        }
        sum.wrapping_add(self.changed_beside_objects(numbers))
    }

    /// The part of that which is not about synchronisation objects, nor about joining and detaching.
    pub(crate) fn changed_beside_objects(&self, numbers: TermNumbers) -> u128 {
        let State { memory, partial, process, .. } = &self.state;
        memory
            .changed()
            .wrapping_add(partial.changed(numbers))
            .wrapping_add(self.log.changed_process(process, |lane| self.exploration.blocks.name(lane)))
    }

    /// What the current action has changed so far, if that is followed.
    pub(crate) fn changed_so_far(&self) -> u128 {
        if self.says_changes() { self.changed(TermNumbers::Count) } else { 0 }
    }

    /// The term of a thread that has ended.
    pub(crate) fn term_of_ended(&mut self, thread: ThreadId) -> u128 {
        self.control(thread, None, TermNumbers::LeftOut)
    }

    /// The thread was joined, which takes it out of the state.
    pub(crate) fn follow_join(&mut self, thread: ThreadId) {
        if self.follows() {
            let control = self.control(thread, None, TermNumbers::LeftOut);
            self.segment.following.claims = self.segment.following.claims.wrapping_sub(control);
        }
    }

    /// A thread begins, perhaps with the number of one that was joined. What joining took out of the whole state counts
    /// no more. (With cutoffs each thread's share of the sum says that.)
    pub(crate) fn follow_new_thread(&mut self, thread: ThreadId) {
        let was_joined = |thread: &Thread| thread.header.status == Status::Exited;
        if self.exploration.states && self.follows() && self.state.threads.get(thread.index()).is_some_and(was_joined) {
            let control = self.control(thread, None, TermNumbers::LeftOut);
            self.segment.following.claims = self.segment.following.claims.wrapping_add(control);
        }
    }

    /// Whether a thread is asked to end changes.
    pub(crate) fn follow_claim(&mut self, change: u128) {
        if self.follows() {
            self.segment.following.claims = self.segment.following.claims.wrapping_add(change);
        }
    }

    /// An input is read, or something is decided about inputs.
    pub(crate) fn follow_input(&mut self) {
        if self.follows() {
            let event = self.thread(self.segment.current).header.events;
            self.segment.following.inputs = words(Term::Input, |words| words.add((self.segment.current.0, event)));
        }
    }

    /// The thread is detached.
    pub(crate) fn follow_detach(&mut self, thread: ThreadId) {
        if self.follows() {
            let detached = words(Term::Detached, |words| words.add(thread.0));
            self.segment.following.claims = self.segment.following.claims.wrapping_add(detached);
        }
    }

    /// See [`por::System::name`].
    pub(crate) fn name_of_object(&self, object: ObjectId) -> u64 {
        name_of_object(&self.state.memory.ids, object)
    }
}

/// See [`por::System::name`].
pub(crate) fn name_of_object(ids: &ObjectIds, object: ObjectId) -> u64 {
    name_of(ids.key(object))
}

/// The name of an object that is that.
pub(crate) fn name_of(key: ObjectKey) -> u64 {
    match key {
        // Its offsets are numbers, which would get in the way of addresses behind it.
        ObjectKey::InMemory { role: Role::Queue | Role::Futex | Role::Section, base, generation: _, offset } => {
            words(Term::QueueName, |words| words.add((base, offset))) as u64
        }
        ObjectKey::InMemory { role, base, generation: _, offset } => base.wrapping_add(offset) << 3 | role as u64,
        ObjectKey::Thread(thread) => 1 << 63 | u64::from(thread) << 2,
        ObjectKey::Process(number) => 1 << 63 | u64::from(number) << 2 | 1,
        ObjectKey::Line(thread) => 1 << 63 | u64::from(thread) << 2 | 3,
        ObjectKey::Freed { class, part } => words(Term::Freed, |words| words.add((class, part))) as u64,
    }
}

/// The term of a word of which independent actions change different lanes: one for each.
fn lanes_term(name: u64, word: u64) -> u128 {
    let lanes = (0..64).filter(|lane| word >> lane & 1 != 0);
    lanes.map(|lane| words(Term::Lane, |words| words.add((name, lane)))).fold(0, u128::wrapping_add)
}

/// The term of a synchronisation object in live memory. One that nobody waits for is as good as unused.
fn sync_term(machine: &Machine, object: ObjectId, state: SyncState) -> u128 {
    let name = machine.name_of_object(object);
    match state {
        SyncState::Unused => 0,
        SyncState::Mutex { .. } => words(Term::Mutex, |words| words.add((name, state))),
        SyncState::Condition { waiting, mutex } => (0..64)
            .filter(|thread| waiting >> thread & 1 != 0)
            .map(|thread| words(Term::Waiting, |words| words.add((name, thread, machine.name_of_object(mutex)))))
            .fold(0, u128::wrapping_add),
        SyncState::Spin { .. }
        | SyncState::Semaphore { .. }
        | SyncState::Once(_)
        | SyncState::Message(_)
        | SyncState::Requeued { .. }
        | SyncState::FreedBlock { .. } => words(Term::Sync, |words| words.add((name, state))),
        SyncState::ReadWrite { word }
        | SyncState::Queue { word }
        | SyncState::Futex { waiting: word }
        | SyncState::Freed { lanes: word } => lanes_term(name, word),
        SyncState::Barrier { lanes, count } => {
            lanes_term(name, lanes).wrapping_add(words(Term::Sync, |words| words.add((name, count))))
        }
    }
}
