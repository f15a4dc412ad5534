//! Ends of threads and joins as parts of the actions before them.
//!
//! A thread that ends after an action does so in that action, and a thread that joins another one does that as soon as
//! it can, in whatever action lets it come to that: its own, behind which the join is its next operation, or the last
//! one of the thread that it waits for. Nothing else can come of an end or a join, as long as nobody but the thread
//! that joins takes notice of the end. So this does to the order of actions what local steps do: nothing.
//!
//! **Happens-before.** The next action of the thread that joins comes after all that the joined threads have done: see
//! [`por::System::joined`].
//!
//! **What an action changes** must be a function of its own history. The local steps behind a join come after what the
//! joined thread did, and so they count as a part of the *next* action of the thread that joins, together with what the
//! joined thread did behind its own last action. A state is that of a configuration before the last local steps of each
//! thread; all of these, and the ends and joins among them, follow from it.
//!
//! **What is left alone.** The end of the first thread, which may be the end of the process; that of a thread that has
//! executed no action, that leaves locks held, or that comes to it by a join (the thread that joins it would come after
//! several threads): these are actions. So are all ends and joins of a program in which somebody takes
//! notice of them otherwise: by detaching or cancelling threads, or by ending the process although a thread was not
//! joined. That is learned, and the exploration starts again. Neither is it done where the order of ends is in the
//! state of the machine by more than happens-before (journals of races), with atomic blocks, inputs, or the clock.
//!
//! Of several threads that join the same one, one does so at once; the others misuse the library, and that is found. If
//! misuse is not checked, the exploration starts again with all ends and joins as actions, for the order of the joins
//! matters then. It learns of that when a second thread joins: one that waits for the same thread can do so at once.
use crate::machine::Machine;
use crate::operation::Operation;
use crate::step::{Flow, Halt};
use crate::thread::{Header, NO_OBJECT, Pending, Resume, Status};
use por::{Change, Move, ThreadId};

/// A join that was part of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    /// How many actions the thread that joined had executed.
    pub(crate) behind: u32,
    /// The thread that was joined, and how many it had.
    pub(crate) thread: ThreadId,
    pub(crate) events: u32,
    /// What the join has changed, with the local steps behind it and those of the joined thread behind its last action.
    /// (Of several joins in a row the last one has all that the thread itself has changed.)
    change: u128,
}

impl Machine {
    /// From now on ends and joins are actions, or not, as the engine asks and as was learned. The machine was not
    /// started yet.
    pub(crate) fn settle_ends(&mut self) {
        let is_fixed = self.learned.clock
            || self.learned.handed_over
            || self.learned.unordered && self.exploration.compares_states && self.looks_for_races()
            || self.learned.ends_matter
            || self.program.block_object.is_some()
            || self.program.cancels
            || self.has_terms();
        self.exploration.merges_ends = self.program.options.merge_ends && self.exploration.asks_for_joined && !is_fixed;
    }

    /// Whether ends of threads and joins are parts of other actions.
    pub fn merges_ends(&self) -> bool {
        self.exploration.merges_ends
    }

    /// Somebody takes notice of the end of a thread, or of there being none, and does not join it.
    pub(crate) fn note_end_matters(&mut self) {
        if self.exploration.merges_ends && !self.learned.ends_matter {
            self.segment.restart = true;
        }
        self.learned.ends_matter = true;
    }

    /// The current thread ends the process: nobody has joined some thread.
    pub(crate) fn note_unjoined(&mut self) {
        let others = (0..self.state.process.threads).map(ThreadId).filter(|thread| *thread != self.segment.current);
        let mut others = others.map(|thread| self.thread(thread));
        if others.any(|other| other.header.status != Status::Absent && !other.claim.claimed) {
            self.note_end_matters();
        }
    }

    /// The threads that this one has joined behind its last action, the last one first.
    pub(crate) fn joined_by(&self, thread: ThreadId) -> impl Iterator<Item = &Joined> {
        let thread = self.thread(thread);
        let behind = thread.header.events;
        thread.joined.iter().rev().take_while(move |joined| joined.behind == behind)
    }

    /// What counts as changed by the thread's current action because of the joins before it.
    pub(crate) fn change_by_joins(&self, thread: ThreadId) -> u128 {
        let thread = self.thread(thread);
        let behind = thread.header.events.wrapping_sub(1);
        let joined = thread.joined.iter().rev().take_while(|joined| joined.behind == behind);
        joined.fold(0, |sum, joined| sum.wrapping_add(joined.change))
    }

    /// The current thread has executed an action, which changed that. If it is to end, it ends; and whoever can join a
    /// thread now does so.
    pub(crate) fn go_on_to_ends(&mut self, change: Option<&Change>) {
        let me = self.segment.current;
        let last_action = self.segment.last_action.take();
        if self.stands_before_end(me) {
            self.end_in_action(me, change);
        }
        for thread in [self.joiner_behind(me), self.segment.created].into_iter().flatten() {
            while let Some(target) = self.can_join(thread) {
                if self.segment.fault.is_some() {
                    // (An action has one fault. As an action of its own the join would come after nothing.)
                    self.note_end_matters();
                    break;
                }
                self.join_in_action(thread, target);
            }
        }
        self.segment.current = me;
        self.segment.last_action = last_action;
    }

    /// Whether the thread ends next, in a way that only a thread that joins it could notice.
    fn stands_before_end(&self, thread: ThreadId) -> bool {
        let header = &self.thread(thread).header;
        let is_end = |pending: &Pending| {
            matches!(pending.operation, Operation::ThreadExit { .. })
                && pending.objects[1] == NO_OBJECT
                && !pending.in_block
        };
        let is_alive = header.status == Status::Alive && header.block == 0 && header.holds == 0;
        thread != ThreadId(0) && is_alive && header.pending.as_ref().is_some_and(is_end)
    }

    /// The thread that the thread joins next, if that one is over and there for it.
    fn can_join(&self, thread: ThreadId) -> Option<ThreadId> {
        let header = &self.thread(thread).header;
        let pending = header.pending.as_ref().filter(|_| header.status == Status::Alive && header.block == 0)?;
        let Operation::Join { handle, .. } = pending.operation else { return None };
        let target = self.is_over(handle).filter(|target| *target != thread)?;
        (!pending.in_block && pending.objects[1] == NO_OBJECT).then_some(target)
    }

    /// The thread with that handle, if it is over and nobody has joined or detached it.
    fn is_over(&self, handle: u64) -> Option<ThreadId> {
        let target = self.thread_of_handle(handle)?;
        let other = self.thread(target);
        (other.header.status == Status::Exited && !other.claim.claimed).then_some(target)
    }

    /// The thread that may be able to join another one now that this one has executed an action: itself, or if it has
    /// ended the one that waits for that.
    fn joiner_behind(&self, thread: ThreadId) -> Option<ThreadId> {
        let mut all = (0..self.state.process.threads).map(ThreadId);
        match self.thread(thread).header.status {
            Status::Exited => all.find(|&other| self.can_join(other) == Some(thread)),
            _ => Some(thread),
        }
    }

    /// The end of the current thread, behind an action that changed that.
    fn end_in_action(&mut self, me: ThreadId, change: Option<&Change>) {
        let before = self.changed_so_far();
        self.execute_in_action(me);
        let Some(Change { control, local, .. }) = change else { return };
        let term = self.term_of_ended(me);
        let changed = self.changed_so_far().wrapping_sub(before);
        self.rare_mut(me).left = local.wrapping_add(changed).wrapping_add(term).wrapping_sub(*control);
    }

    fn join_in_action(&mut self, thread: ThreadId, target: ThreadId) {
        let before = self.changed_so_far();
        self.log.save_thread(thread, &mut self.state.threads[thread.index()]);
        self.note_joined(thread, target);
        self.segment.joins_on = true;
        self.execute_in_action(thread);
        self.segment.joins_on = false;
        let change = self.changed_so_far().wrapping_sub(before);
        let joined = self.state.threads[thread.index()].joined.last_mut().expect("it was added");
        joined.change = joined.change.wrapping_add(change);
    }

    /// The thread joins that one as part of an action. What this changes is added to the last such join behind the same
    /// action: only the sum counts.
    fn note_joined(&mut self, thread: ThreadId, target: ThreadId) {
        let Header { events: behind, .. } = self.thread(thread).header;
        let Header { events, .. } = self.thread(target).header;
        let left = if self.says_changes() { self.thread(target).rare.left } else { 0 };
        self.log.note_join(thread);
        self.state.threads[thread.index()].joined.push(Joined { behind, thread: target, events, change: left });
    }

    /// The current thread, behind a join that was part of an action, comes to the next one: if it can join that thread,
    /// too, it does so at once. Whether it goes on with its next instruction then, as [`Machine::goes_on`] says.
    ///
    /// That is what would happen if it first stood before the operation: [`Machine::can_join`] would say so,
    /// [`Machine::join_in_action`] would do the same, and nothing comes in between. (The thread is in no atomic block
    /// and in no critical section, for a visible operation begins those, and cannot be cancelled. The thread that is
    /// over has executed its end, so it has a number as an object. A join is no turn of a loop that waits.)
    #[inline(never)]
    pub(crate) fn join_on(&mut self, operation: &Operation, resume: Resume) -> Result<Option<bool>, Halt> {
        let Operation::Join { handle, result, c11 } = *operation else { return Ok(None) };
        if !self.segment.joins_on || self.segment.fault.is_some() {
            return Ok(None);
        }
        let Some(target) = self.is_over(handle) else { return Ok(None) };
        let me = self.segment.current;
        self.note_handle_named(target, true);
        self.note_joined(me, target);
        self.enter_segment(me);
        let flow = match self.perform_join((handle, result), c11, resume)? {
            Some(rest) => Flow::Rest(rest),
            None => self.resume(resume, [0; 2], true, [0; 2])?,
        };
        self.goes_on(flow).map(Some)
    }

    /// The thread executes the operation before which it stands, and the local steps behind it.
    fn execute_in_action(&mut self, thread: ThreadId) {
        self.enter_segment(thread);
        let pending = self.thread_mut(thread).header.pending.take().expect("it stands before an operation");
        let result = self.carry_out(&pending, 0).and_then(|flow| self.go_on(flow));
        self.settle(result);
    }

    /// The events without which the local steps of these threads behind those events did not happen: those of threads
    /// that were joined in between.
    pub(crate) fn with_joined(&self, mut involved: Vec<(ThreadId, u32)>, faulty: ThreadId) -> Vec<(ThreadId, u32)> {
        if !self.exploration.merges_ends {
            return involved;
        }
        if self.joined_by(faulty).next().is_some() {
            involved.push(self.event_of(faulty, self.thread(faulty).header.events));
        }
        let joins = |thread: ThreadId| self.thread(thread).joined.iter().map(move |joined| (thread, joined));
        let all = (0..self.state.process.threads).map(ThreadId).flat_map(joins);
        // (Steps of a thread before its first action belong to its creation.)
        let behind = all.filter(|(thread, joined)| involved.contains(&self.event_of(*thread, joined.behind)));
        let more: Vec<_> = behind.map(|(_, joined)| self.event_of(joined.thread, joined.events)).collect();
        involved.extend(more);
        involved
    }

    /// The schedule as a machine takes it for which ends and joins are actions. This one is such a machine, and was not
    /// started yet. From a move on that it cannot take, the schedule is as it was: no replay goes beyond that.
    pub fn with_ends(&self, schedule: &[Move]) -> Vec<Move> {
        let mut machine = self.clone();
        let mut moves = Vec::with_capacity(2 * schedule.len());
        let mut variants = Vec::new();
        por::System::start(&mut machine);
        for (at, &step) in schedule.iter().enumerate() {
            let me = step.thread;
            variants.clear();
            por::current_variants(&machine, me, &mut variants);
            if !variants.iter().any(|variant| variant.label == step.label) {
                // (A thread that is alone may have done that already.)
                if !machine.is_left_alone() {
                    moves.extend_from_slice(&schedule[at..]);
                }
                break;
            }
            moves.push(step);
            let created = por::System::execute(&mut machine, me, step.label).created;
            let mut go_on = |machine: &mut Machine, thread: ThreadId| {
                moves.push(Move { thread, label: 0 });
                por::System::execute(machine, thread, 0);
            };
            if machine.stands_before_end(me) {
                go_on(&mut machine, me);
            }
            for thread in [machine.joiner_behind(me), created].into_iter().flatten() {
                while machine.can_join(thread).is_some() {
                    go_on(&mut machine, thread);
                }
            }
            machine.go_on_alone(&mut moves);
        }
        moves
    }
}
