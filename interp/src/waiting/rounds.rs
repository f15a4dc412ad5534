//! Rounds: several actions of a thread, with sections of locks among them, that lead back to where they began.
//!
//! A worker looks at a flag and then for something to do under a lock, again and again, until the flag is set. No code
//! has to be understood for that. The actions of the thread since it stood there last were a *round in vain* if
//!
//! * all of them were quiet: they read, lock or unlock, and what the thread did after each of them has changed nothing
//!   in memory;
//! * the locks are as they were, and the thread holds none;
//! * the thread is as it was: it stands before the same operation with the same live slots (the *state* of a
//!   [`Round`]).
//!
//! Then it goes no further in this execution (`in_vain` of [`Pending`]), which does not count at its end. Why nothing
//! is lost is said in [`super::polling`]: a turn is there what a round is here, but that each action of a round is one
//! of its own, which the schedule of a fault may have. Rounds without locks are turns of loops that wait.
//!
//! Whether a thread goes on follows from what it has done itself, so that it is the same in all sequences of one
//! execution.
use crate::fingerprint::{Term, TermNumbers, words};
use crate::machine::Machine;
use crate::operation::{OnLock, Operation};
use crate::sync::SyncState;
use crate::sync::footprint::lane;
use crate::sync::read_write::WRITER;
use crate::thread::{Header, Pending, Status};
use frontend::ir::{FuncId, Function};
use por::ThreadId;

/// Where a thread stood behind one of its actions, as far as it may have gone round since.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    /// How many actions the thread had executed.
    behind: u32,
    /// The action that has created it. (A thread may have the number of one that is over, whose actions count on.)
    creator: Option<(ThreadId, u32)>,
    /// How many threads it had joined as part of actions.
    joined: u32,
    /// What it was then; `None` where no round begins.
    state: Option<u128>,
    /// What the last of these actions has changed; `None` if it was not quiet.
    change: Option<u128>,
    /// It has locked something.
    has_locked: bool,
    /// What it has read, if it was an atomic load.
    read: Option<u128>,
}

/// Which instructions of a function lie in loops, by index.
#[derive(Clone, Debug)]
pub(crate) struct InLoops(Box<[bool]>);

impl InLoops {
    /// Finds them. (Code that jumps back to a place goes round from there to the jump.)
    pub(crate) fn new(function: &Function) -> InLoops {
        let mut all = vec![false; function.code.len()];
        for (pc, _) in function.code.iter().enumerate().filter(|(_, inst)| inst.is_terminator()) {
            let back = function.targets(pc, &[]).into_iter().map(|target| target.0 as usize).filter(|&to| to <= pc);
            back.for_each(|to| all[to..=pc].fill(true));
        }
        InLoops(all.into())
    }
}

impl Machine {
    /// Whether rounds in vain are looked for in the exploration.
    fn looks_for_rounds(&self) -> bool {
        self.exploration.polls
            && self.exploration.marks
            && !self.program.tries_locks
            && !self.program.cancels
            && self.program.block_object.is_none()
            && !self.learned.unordered
            && !self.learned.clock
            && !self.learned.waits_for_nothing
            && self.looks_for_races()
            && !self.has_terms()
    }

    /// The thread is about to execute its next action.
    pub(crate) fn begin_in_round(&mut self, thread: ThreadId) {
        let events = self.thread(thread).header.events;
        let rounds = &mut self.state.threads[thread.index()].rounds;
        // (What was undone was left where it is.)
        let keep = rounds.iter().rposition(|round| round.behind <= events).map_or(0, |last| last + 1);
        rounds.truncate(if events == 0 { 0 } else { keep });
        if events == 0 && self.looks_for_rounds() && self.may_begin_round(thread) {
            let round = self.round(thread, None, false);
            self.state.threads[thread.index()].rounds.push(round);
        }
    }

    /// The current thread has executed an action and stands before its next one: if it has gone round in vain, it goes
    /// no further.
    pub(crate) fn end_in_round(&mut self, executed: &Pending) {
        let me = self.segment.current;
        let in_loop = || self.looks_for_rounds() && self.is_in_loop(me);
        if self.thread(me).header.status != Status::Alive || self.segment.fault.is_some() || !in_loop() {
            return;
        }
        let lock = executed.operation.lock();
        let reads = matches!(executed.operation, Operation::AtomicLoad { .. } | Operation::Load { .. });
        let (is_quiet, has_locked) = (reads || lock.is_some(), lock == Some(OnLock::Takes));
        let change = if is_quiet && !executed.in_block { self.quiet_change() } else { None };
        let read = self.segment.last_action.as_ref().and_then(|action| action.read);
        let round = Round { read, ..self.round(me, change, has_locked) };
        self.state.threads[me.index()].rounds.push(round);
        if self.begin_of_round(me).is_some() {
            self.note_polls_widely();
            let pending = self.thread_mut(me).header.pending.as_mut().expect("a round begins before an operation");
            pending.in_vain = true;
        }
    }

    fn round(&mut self, thread: ThreadId, change: Option<u128>, has_locked: bool) -> Round {
        let state = self.may_begin_round(thread).then(|| self.control(thread, None, TermNumbers::Count));
        let Header { events, .. } = self.thread(thread).header;
        let (joined, creator) = (self.thread(thread).joined.len() as u32, self.thread(thread).rare.creator);
        Round { behind: events, creator, joined, state, change, has_locked, read: None }
    }

    /// If the last actions of the thread were a round in vain: where in the list is what it was before them.
    fn begin_of_round(&self, thread: ThreadId) -> Option<usize> {
        let (now, before) = self.thread(thread).rounds.split_last()?;
        let (state, mut sum) = (now.state?, now.change?);
        let (mut behind, mut has_locked) = (now.behind, now.has_locked);
        for (index, round) in before.iter().enumerate().rev() {
            if round.behind + 1 != behind || (round.creator, round.joined) != (now.creator, now.joined) {
                return None;
            }
            if round.state == Some(state) && sum == 0 && has_locked {
                return Some(index);
            }
            sum = sum.wrapping_add(round.change?);
            has_locked |= round.has_locked;
            behind = round.behind;
        }
        None
    }

    /// The term of what is known of the last actions of the thread, as far as a round may go back to one of them.
    pub(crate) fn term_of_rounds(&self, id: ThreadId) -> u128 {
        let thread = self.thread(id);
        if thread.header.status != Status::Alive || thread.rounds.is_empty() || !self.looks_for_rounds() {
            return 0;
        }
        let mut behind = thread.header.events;
        let last = thread.rounds.iter().rposition(|round| round.behind <= behind);
        let from = (thread.rare.creator, thread.joined.len() as u32);
        let (mut any, mut over) = (false, false);
        let term = words(Term::Rounds, |words| {
            words.add(id.0);
            for round in thread.rounds[..last.map_or(0, |last| last + 1)].iter().rev() {
                if over || round.behind != behind || (round.creator, round.joined) != from {
                    break;
                }
                words.add((round.state, round.change, round.has_locked, round.read));
                any = true;
                over = round.change.is_none() || behind == 0;
                behind = behind.wrapping_sub(1);
            }
        });
        if any { term } else { 0 }
    }

    /// Whether a thread that has gone round in vain may do so again from here. (It does not if what it reads first is
    /// no longer what it was.)
    pub(super) fn goes_round_on(&self, thread: ThreadId) -> bool {
        let operation = self.thread(thread).header.pending.map(|pending| pending.operation);
        let Some(Operation::AtomicLoad { address, size, .. }) = operation else { return true };
        let first = self.begin_of_round(thread).and_then(|begin| self.thread(thread).rounds[begin + 1].read);
        first.is_none_or(|first| self.peek_atomic(address, size) == first)
    }

    /// Whether a round may begin where the thread stands: before an operation in a loop that a round may have.
    fn may_begin_round(&self, thread: ThreadId) -> bool {
        let Header { holds, block, pending, .. } = &self.thread(thread).header;
        let begins = |pending: &Pending| {
            let operation = matches!(
                pending.operation,
                Operation::AtomicLoad { .. }
                    | Operation::Load { .. }
                    | Operation::MutexLock { .. }
                    | Operation::SpinLock { .. }
                    | Operation::ReadLock { .. }
                    | Operation::WriteLock { .. }
            );
            operation && !pending.in_block
        };
        *holds == 0 && *block == 0 && pending.as_ref().is_some_and(begins) && self.is_in_loop(thread)
    }

    /// Whether the thread is in a loop.
    fn is_in_loop(&self, thread: ThreadId) -> bool {
        let in_loop = |function: FuncId, pc: u32| self.program.in_loops(function).0.get(pc as usize) == Some(&true);
        self.thread(thread).frames.iter().any(|frame| in_loop(frame.function, frame.pc))
    }

    /// How the current action has changed locks, and which variables of functions there are, if nothing else was
    /// changed. (A lock that was never used is free. Of a read-write lock only what the thread itself has of it counts:
    /// others may read under it meanwhile.)
    fn quiet_change(&self) -> Option<u128> {
        let variables = self.state.memory.changed_lives_of_variables();
        if self.changed_beside_objects(TermNumbers::Count) != variables {
            return None;
        }
        let mine = lane(self.segment.current);
        let changes = self.log.changed_syncs(&self.state.sync).map(|(object, old, new)| {
            let own = |state| match state {
                SyncState::ReadWrite { word } => SyncState::ReadWrite { word: word & (mine | WRITER) },
                other => other,
            };
            let term = |state| words(Term::Sync, |words| words.add((object.0, own(state))));
            let used = |state, other| if state == SyncState::Unused { free(other) } else { state };
            term(used(new, old)).wrapping_sub(term(used(old, new)))
        });
        Some(changes.fold(variables, u128::wrapping_add))
    }
}

/// The lock, held by nobody.
fn free(lock: SyncState) -> SyncState {
    match lock {
        SyncState::Mutex { kind, held: _, health } => SyncState::Mutex { kind, held: None, health },
        SyncState::ReadWrite { word: _ } => SyncState::ReadWrite { word: 0 },
        SyncState::Spin { held: _ } => SyncState::Spin { held: None },
        other => other,
    }
}
