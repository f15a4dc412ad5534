//! Deadlocks: at the end of an execution, threads are left that wait for one another.
use crate::machine::Machine;
use crate::memory::{ObjectKey, ObjectKind};
use crate::operation::{Operation, Patience};
use crate::sync::SyncState;
use crate::sync::once::Once;
use crate::sync::perform::{AFTER_ASSUMPTION, AFTER_EXIT};
use crate::sync::read_write::{WRITER, holders};
use crate::thread::{NO_OBJECT, Status};
use crate::verdict::fault::{Fault, Kind, Related};
use crate::waiting::Wait;
use por::{ObjectId, Rest, ThreadId};

/// What messages say of a thread that only reads memory that no thread will change.
pub(super) const SPINS: &str = "spins for ever, since nobody is left to change what it reads";

/// Why threads that wait for one another are not called a deadlock.
const NOBODY_CANCELS: &str =
    "whether a thread that goes on ever cancels one of those that wait for one another was not found out";

/// The threads that hold a lock.
#[derive(Clone, Copy)]
enum Holders {
    Nobody,
    One(ThreadId),
    /// Those of a read-write lock with this word.
    Readers(u64),
}

impl Holders {
    fn iter(self) -> impl Iterator<Item = ThreadId> {
        let (one, word) = match self {
            Holders::Nobody => (None, 0),
            Holders::One(thread) => (Some(thread), 0),
            Holders::Readers(word) => (None, word),
        };
        one.into_iter().chain(holders(word))
    }
}

impl Machine {
    /// The fault if no thread can move any more. If the process has ended, or a thread has stopped that might have
    /// helped, only threads that wait for one another are a fault. So it is where threads have polled in vain, unless
    /// it is known that all would do so again for ever: these are given then, but for those that are blocked at that.
    pub(super) fn deadlock(&self, polling: Option<&[ThreadId]>) -> Option<Fault> {
        if let Some(fault) = self.waits_at_what_is_gone() {
            return Some(fault);
        }
        if !self.is_countable() || self.is_pruned() && polling.is_none() {
            return self.circle_of_all();
        }
        let polling = polling.unwrap_or_default();
        let waiting = self.alive();
        if !polling.is_empty() || waiting.iter().any(|thread| self.spins(*thread)) {
            return self.circle_of_all().or_else(|| self.livelock(polling));
        }
        if !self.program.options.checks.contains(Kind::Deadlock) {
            return None;
        }
        let circle = self.circle(&waiting);
        let first = self.cause(circle.as_deref().unwrap_or(&waiting))?;
        Some(self.fault_of_waiting(Kind::Deadlock, first, &waiting, |thread| self.waits_for(thread)))
    }

    /// The fault although some threads go on: others wait for one another, or all that are not blocked spin. The second
    /// result says why this is not known, if it is not.
    pub(crate) fn stuck_threads(&self, rest: Rest<'_>) -> (Option<Fault>, Option<String>) {
        if let Some(fault) = self.waits_at_what_is_gone() {
            return (Some(fault), None);
        }
        let circle = self.circle_of_all();
        if circle.is_some() && self.may_be_cut(rest) {
            // Otherwise the fault is still found when all is seen.
            let is_over = matches!(rest, Rest::Seen(_));
            return (None, is_over.then(|| NOBODY_CANCELS.to_owned()));
        }
        let spinning = rest.spinning();
        if circle.is_some() || spinning.is_empty() || !self.is_countable() {
            (circle, None)
        } else {
            (self.livelock(spinning), None)
        }
    }

    /// Whether threads wait for one another, and it is still to be seen whether a thread that goes on cancels one of
    /// them.
    pub(crate) fn waits_to_be_cut(&self) -> bool {
        self.program.cancels && self.circle_of_all().is_some() && self.may_be_cut(Rest::ToBeSeen)
    }

    /// Whether a thread that goes on might cancel one of those that wait for one another: to wait for a thread's end is
    /// a cancellation point. Threads that only spin cancel no thread.
    fn may_be_cut(&self, rest: Rest<'_>) -> bool {
        let settled = matches!(rest, Rest::Settled(_)) || !rest.spinning().is_empty();
        let mut circle = self.circle(&self.alive()).into_iter().flatten();
        self.program.cancels && !settled && circle.any(|thread| self.joins(thread))
    }

    /// Whether the execution does not count: an assumption has failed, or will fail; or a thread waits in the middle of
    /// a turn that it has begun too early. (The execution in which it begins that turn later counts.) Or a thread has
    /// polled in vain.
    pub(crate) fn is_pruned(&self) -> bool {
        self.is_impossible() || self.living().any(|thread| self.has_polled_in_vain(thread))
    }

    /// The same but for the last: the execution is one of the program, as far as it goes, if threads have polled in
    /// vain. (Perhaps none counts: a thread may do so for ever.)
    fn is_impossible(&self) -> bool {
        let fails = |thread| !self.has_polled_in_vain(thread) && self.why_it_waits(thread) == Some(Wait::Fails);
        let does_not_count = |thread| fails(thread) || self.has_read_too_early(thread);
        self.state.process.pruned || self.living().any(does_not_count)
    }

    /// Threads that wait for one another, whatever the others do. Some of the others may have ended the process or
    /// failed an assumption since. The threads still waited for one another in time if they do so without that step:
    /// nothing else depends on it.
    fn circle_of_all(&self) -> Option<Fault> {
        if !self.program.options.checks.contains(Kind::Deadlock) || !self.may_wait_in_a_circle() {
            return None;
        }
        let circle = self.circle(&self.alive())?;
        // A thread that stopped might have cancelled one that waits for another's end.
        if self.state.process.stopped > 0 && self.program.cancels && circle.iter().any(|thread| self.joins(*thread)) {
            return None;
        }
        let first = self.cause(&circle)?;
        let mut fault = self.fault_of_waiting(Kind::Deadlock, first, &circle, |thread| self.waits_for(thread));
        if self.state.process.ended.is_some() || self.state.process.pruned {
            fault.involved = self.events_before_end(None);
            fault.after_end = true;
        }
        Some(fault)
    }

    /// A thread that waits for a lock in memory whose life has ended: whether it began to wait before that or is only
    /// about to, it uses what is gone.
    fn waits_at_what_is_gone(&self) -> Option<Fault> {
        if !self.program.options.checks.contains(Kind::Memory) || self.is_impossible() {
            return None;
        }
        let first = self.living().find(|thread| self.is_at_what_is_gone(*thread))?;
        let says = |thread| format!("{}, whose life has ended", self.waits_for(thread));
        let mut fault = self.fault_of_waiting(Kind::Memory, first, &[first], says);
        fault.message = format!("use after free: {}", fault.message);
        if self.state.process.ended.is_some() {
            fault.involved = self.events_before_end(None);
            fault.after_end = true;
        }
        Some(fault)
    }

    /// Whether there may be such a thread.
    pub(crate) fn may_wait_at_what_is_gone(&self) -> bool {
        self.living().any(|thread| self.is_at_what_is_gone(thread))
    }

    fn is_at_what_is_gone(&self, thread: ThreadId) -> bool {
        let Some(pending) = self.thread(thread).header.pending else { return false };
        let waits = matches!(
            pending.operation,
            Operation::MutexLock { patience: Patience::Forever, .. }
                | Operation::SpinLock { patience: Patience::Forever, .. }
                | Operation::ReadLock { patience: Patience::Forever, .. }
                | Operation::WriteLock { patience: Patience::Forever, .. }
                | Operation::SemaphoreWait { patience: Patience::Forever, .. }
        );
        if !waits || pending.objects[0] == NO_OBJECT {
            return false;
        }
        let ObjectKey::InMemory { base, generation, .. } = self.state.memory.ids.key(pending.objects[0]) else {
            return false;
        };
        let Some(object) = self.state.memory.object_at(base) else { return false };
        let of_main = |kind| match kind {
            // (Its end is that of the process.)
            ObjectKind::Stack(function, _) => self.program.module.functions[function.index()].name == "main",
            _ => false,
        };
        let is_gone = object.generation > generation || object.generation == generation && !object.live;
        is_gone && !of_main(object.kind)
    }

    /// The events of all threads, without those that end the process (but for those of `ender`) or fail an assumption.
    pub(crate) fn events_before_end(&self, ender: Option<ThreadId>) -> Vec<(ThreadId, u32)> {
        let threads = (0..self.state.process.threads).map(ThreadId);
        let too_many = |t: ThreadId| u32::from(Some(t) != ender && self.has_ended_all(t));
        threads.map(|t| (t, self.thread(t).header.events.saturating_sub(too_many(t)))).collect()
    }

    /// Whether the last action of the thread ended the process, or failed an assumption.
    fn has_ended_all(&self, thread: ThreadId) -> bool {
        let header = &self.thread(thread).header;
        let by_action = header.status == Status::Stopped && [AFTER_EXIT, AFTER_ASSUMPTION].contains(&header.value);
        by_action || self.state.process.ended.is_some_and(|(_, ender)| ender == thread)
    }

    pub(super) fn alive(&self) -> Vec<ThreadId> {
        self.living().collect()
    }

    /// The threads that have neither ended nor stopped.
    pub(crate) fn living(&self) -> impl Iterator<Item = ThreadId> {
        let threads = (0..self.state.process.threads).map(ThreadId);
        threads.filter(|t| self.thread(*t).header.status == Status::Alive)
    }

    /// Whether threads may wait for one another in a circle, or one for a thread that has ended. That is asked of each
    /// state that is visited, and mostly no thread waits.
    pub(crate) fn may_wait_in_a_circle(&self) -> bool {
        self.living().any(|thread| {
            let mut last = thread;
            for _ in 0..self.state.process.threads {
                match self.awaited(last) {
                    Holders::Nobody => return false,
                    Holders::One(next) if self.thread(next).header.status != Status::Exited => last = next,
                    Holders::One(_) | Holders::Readers(_) => return true,
                }
            }
            true
        })
    }

    /// The thread among these that shows the cause: one that waits for a lock or a signal does, one that waits for the
    /// end of others rather not.
    fn cause(&self, threads: &[ThreadId]) -> Option<ThreadId> {
        threads.iter().copied().find(|t| !self.joins(*t)).or(threads.first().copied())
    }

    /// Whether the thread waits for the end of another one.
    fn joins(&self, thread: ThreadId) -> bool {
        let pending = self.thread(thread).header.pending;
        pending.is_some_and(|pending| matches!(pending.operation, Operation::Join { .. }))
    }

    /// The first circle of threads that wait for one another.
    fn circle(&self, threads: &[ThreadId]) -> Option<Vec<ThreadId>> {
        threads.iter().map(|thread| self.circle_from(*thread)).find(|circle| !circle.is_empty())
    }

    /// Whether it counts as a fault that threads go on for ever. It does not if the process has ended, if a thread
    /// stopped that might have helped, or if the execution is none of the program.
    pub(crate) fn is_countable(&self) -> bool {
        self.state.process.ended.is_none() && self.state.process.stopped == 0 && !self.is_impossible()
    }

    /// The threads that wait for one another in a circle that leads back to this one, or this one alone if it waits for
    /// a thread that has ended with the lock; empty if neither.
    fn circle_from(&self, thread: ThreadId) -> Vec<ThreadId> {
        if self.waits_for_threads(thread).iter().any(|t| self.thread(*t).header.status == Status::Exited) {
            return vec![thread];
        }
        let mut circle = vec![thread];
        let mut seen = circle.clone();
        if self.leads_to(thread, &mut circle, &mut seen) { circle } else { Vec::new() }
    }

    /// Extends the path of threads, each of which waits for the next, until it leads to this thread. Returns whether
    /// that is possible.
    fn leads_to(&self, thread: ThreadId, path: &mut Vec<ThreadId>, seen: &mut Vec<ThreadId>) -> bool {
        let last = path[path.len() - 1];
        for next in self.waits_for_threads(last) {
            if next == thread {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                path.push(next);
                if self.leads_to(thread, path, seen) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    /// The threads that must all do something before a blocked thread can go on; empty if other threads could make it
    /// go on instead.
    pub fn waits_for_threads(&self, thread: ThreadId) -> Vec<ThreadId> {
        self.awaited(thread).iter().collect()
    }

    fn awaited(&self, thread: ThreadId) -> Holders {
        let header = &self.thread(thread).header;
        let Some(pending) = header.pending.as_ref().filter(|_| header.status == Status::Alive) else {
            return Holders::Nobody;
        };
        let lock = match pending.operation {
            Operation::MutexLock { patience: Patience::Forever, .. }
            | Operation::SpinLock { patience: Patience::Forever, .. }
            | Operation::ReadLock { patience: Patience::Forever, .. }
            | Operation::WriteLock { patience: Patience::Forever, .. }
            | Operation::OnceBegin { .. }
            // (It stands before the lock still.)
            | Operation::InVain { .. } => pending.objects[0],
            Operation::CondReacquire { .. } => {
                let own = crate::sync::footprint::lane(thread);
                match self.sync_state(pending.objects[0]) {
                    SyncState::Condition { waiting, .. } if waiting & own != 0 => return Holders::Nobody,
                    _ => pending.objects[1],
                }
            }
            Operation::Join { handle, .. } => {
                let target = self.thread_of_handle(handle);
                let target = target.filter(|t| self.thread(*t).header.status == Status::Alive);
                return target.map_or(Holders::Nobody, Holders::One);
            }
            _ => return Holders::Nobody,
        };
        let holders = self.holders_of(lock);
        let only_read = matches!(pending.operation, Operation::ReadLock { .. })
            && matches!(self.sync_state(lock), SyncState::ReadWrite { word } if word & WRITER == 0);
        if only_read || holders.iter().any(|holder| holder == thread) { Holders::Nobody } else { holders }
    }

    /// The threads that hold a lock, or run what is to happen once.
    pub(crate) fn holders(&self, lock: ObjectId) -> Vec<ThreadId> {
        self.holders_of(lock).iter().collect()
    }

    fn holders_of(&self, lock: ObjectId) -> Holders {
        match self.sync_state(lock) {
            SyncState::Mutex { held: Some((owner, _)), .. } => Holders::One(owner),
            SyncState::Spin { held: Some(owner) } => Holders::One(owner),
            SyncState::ReadWrite { word } => Holders::Readers(word),
            SyncState::Once(Once::Running(runner)) => Holders::One(runner),
            _ => Holders::Nobody,
        }
    }

    /// A fault of threads of which each `says` something of itself, seen after all that they and the threads that they
    /// wait for have done.
    pub(super) fn fault_of_waiting(
        &self,
        kind: Kind,
        first: ThreadId,
        threads: &[ThreadId],
        says: impl Fn(ThreadId) -> String,
    ) -> Fault {
        let sentence = |thread: ThreadId| format!("{} {}", self.thread_name(thread), says(thread));
        let sentences: Vec<String> = threads.iter().map(|t| sentence(*t)).collect();
        let related = threads.iter().zip(&sentences).map(|(t, sentence)| Related {
            message: sentence.clone(),
            thread: Some(*t),
            event: None,
            stack: self.stack(*t),
        });
        Fault {
            kind,
            message: sentences.join("; "),
            thread: first,
            stack: self.stack(first),
            related: related.collect(),
            others: self.other_stacks(first),
            involved: Vec::new(),
            raced: None,
            rule: None,
            after_end: false,
            at_end: None,
            inputs: None,
            looks: Vec::new(),
            merges_ends: self.merges_ends(),
            in_vain: self.polled_in_vain(),
            given_out: self.given_out(),
        }
    }

    /// What a blocked thread waits for, and which thread has it: "waits for mutex `m`, held by thread 1 (`worker`)".
    pub(super) fn waits_for(&self, thread: ThreadId) -> String {
        if self.spins(thread) {
            return SPINS.to_owned();
        }
        let Some(pending) = self.thread(thread).header.pending else { return "is stuck".to_owned() };
        let held = |index| self.held_by(pending.objects[index]);
        match pending.operation {
            Operation::MutexLock { mutex, .. } | Operation::InVain { mutex } => {
                format!("waits for mutex {}{}", self.name_of(mutex), held(0))
            }
            Operation::SpinLock { lock, .. } => format!("waits for spin lock {}{}", self.name_of(lock), held(0)),
            Operation::ReadLock { lock, .. } => {
                format!("waits to read under read-write lock {}{}", self.name_of(lock), held(0))
            }
            Operation::WriteLock { lock, .. } => {
                format!("waits to write under read-write lock {}{}", self.name_of(lock), held(0))
            }
            Operation::SemaphoreWait { semaphore, .. } => {
                format!("waits for semaphore {}, whose value is 0", self.name_of(semaphore))
            }
            Operation::FutexAwait { address, .. } => format!("waits to be woken on futex {}", self.name_of(address)),
            Operation::BarrierLeave { barrier, count, .. } => {
                format!("waits at barrier {}, which is for {count} threads", self.name_of(barrier))
            }
            Operation::QueuePut { queue, kind, .. } | Operation::QueueTake { queue, kind, .. } => {
                let what = self.what_it_waits_for(&pending.operation);
                format!("waits for {what} in {}", self.queue_name(queue, kind))
            }
            Operation::OnceBegin { control, .. } => {
                let name = self.name_of(control);
                let runs =
                    self.holders(pending.objects[0]).first().map(|t| format!(", which {} runs", self.thread_name(*t)));
                format!("waits for the end of the routine of once control {name}{}", runs.unwrap_or_default())
            }
            Operation::CondReacquire { condition, mutex, .. } => {
                let word = self.sync_state(pending.objects[0]);
                let own = crate::sync::footprint::lane(thread);
                match word {
                    SyncState::Condition { waiting, .. } if waiting & own != 0 => {
                        format!("waits to be woken on condition variable {}", self.name_of(condition))
                    }
                    _ => {
                        let (mutex, held) = (self.name_of(mutex), held(1));
                        let condition = self.name_of(condition);
                        format!("was woken on condition variable {condition} and waits for mutex {mutex}{held}")
                    }
                }
            }
            Operation::Join { handle, .. } => match self.thread_of_handle(handle) {
                Some(target) => format!("waits for the end of {}", self.thread_name(target)),
                None => "waits for the end of an unknown thread".to_owned(),
            },
            _ => "waits for the end of an atomic block".to_owned(),
        }
    }

    fn held_by(&self, lock: ObjectId) -> String {
        let holder = |owner: &ThreadId| {
            let ended = match self.thread(*owner).header.status {
                Status::Alive => "",
                _ => ", which has ended",
            };
            format!("{}{ended}", self.thread_name(*owner))
        };
        let holders: Vec<String> = self.holders(lock).iter().map(holder).collect();
        if holders.is_empty() { String::new() } else { format!(", held by {}", holders.join(" and by ")) }
    }

    /// A name for a thread: "thread 1 (`worker`)".
    pub fn thread_name(&self, thread: ThreadId) -> String {
        match self.thread_routine(thread) {
            Some(function) => {
                format!("thread {} (`{}`)", thread.0, self.program.module.functions[function.index()].name)
            }
            None => format!("thread {}", thread.0),
        }
    }

    /// The function that a thread was started with.
    pub fn thread_routine(&self, thread: ThreadId) -> Option<frontend::ir::FuncId> {
        self.state.threads.get(thread.index()).and_then(|t| t.rare.routine)
    }

    /// A name for what lies at an address.
    pub(crate) fn name_of(&self, address: u64) -> String {
        self.state.memory.name_at(&self.program.module, address)
    }
}
