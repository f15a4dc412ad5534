//! Deadlocks: at the end of an execution, threads are left that wait for one another.
use crate::fault::{Fault, Kind, Related};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::sync::SyncState;
use crate::sync::perform::{AFTER_ASSUMPTION, AFTER_EXIT};
use crate::thread::{Pending, Status};
use por::ThreadId;

impl Machine {
    /// What is wrong if no thread can move any more. If the process has ended, or a thread has stopped that might have
    /// helped, only threads that wait for one another are.
    pub(crate) fn deadlock(&self) -> Option<Fault> {
        if !self.counts_as_stuck() {
            return self.circle_of_all();
        }
        if !self.options.checks.contains(Kind::Deadlock) {
            return None;
        }
        let waiting = self.alive();
        let circle = self.circle(&waiting);
        let first = self.cause(circle.as_deref().unwrap_or(&waiting))?;
        Some(self.fault_of_waiting(Kind::Deadlock, first, &waiting, |thread| self.waits_for(thread)))
    }

    /// What is wrong although some threads go on: they all spin, as far as they are not blocked, or others wait for one
    /// another.
    pub(crate) fn stuck_threads(&self, spinning: &[ThreadId]) -> Option<Fault> {
        if let Some(first) = spinning.first()
            && self.counts_as_stuck()
            && self.options.checks.contains(Kind::Livelock)
        {
            let alive = self.alive();
            let says = |thread: ThreadId| match spinning.contains(&thread) {
                true => "spins for ever, since nobody is left to change what it reads".to_owned(),
                false => self.waits_for(thread),
            };
            return Some(self.fault_of_waiting(Kind::Livelock, *first, &alive, says));
        }
        self.circle_of_all()
    }

    /// Threads that wait for one another, whatever the others do. If some of these have ended the process or failed an
    /// assumption since, it has happened in time if it does without that: nothing else depends on it.
    fn circle_of_all(&self) -> Option<Fault> {
        if !self.options.checks.contains(Kind::Deadlock) {
            return None;
        }
        let circle = self.circle(&self.alive())?;
        let first = self.cause(&circle)?;
        let mut fault = self.fault_of_waiting(Kind::Deadlock, first, &circle, |thread| self.waits_for(thread));
        if self.process.ended.is_some() || self.process.pruned {
            let threads = (0..self.process.threads).map(ThreadId);
            let before = |t: ThreadId| self.thread(t).header.events.saturating_sub(u32::from(self.has_ended_all(t)));
            fault.involved = threads.map(|t| (t, before(t))).collect();
            fault.after_end = true;
        }
        Some(fault)
    }

    /// Whether the last action of the thread ended the process, or failed an assumption.
    fn has_ended_all(&self, thread: ThreadId) -> bool {
        let header = &self.thread(thread).header;
        let by_action = header.status == Status::Stopped && [AFTER_EXIT, AFTER_ASSUMPTION].contains(&header.value);
        by_action || self.process.ended.is_some_and(|(_, ender)| ender == thread)
    }

    fn alive(&self) -> Vec<ThreadId> {
        let threads = (0..self.process.threads).map(ThreadId);
        threads.filter(|t| self.thread(*t).header.status == Status::Alive).collect()
    }

    /// The thread among these that shows the cause: one that waits for a lock or a signal does, one that waits for the end
    /// of others rather not.
    fn cause(&self, threads: &[ThreadId]) -> Option<ThreadId> {
        let joins = |thread: ThreadId| {
            let pending = self.thread(thread).header.pending;
            pending.is_some_and(|pending| matches!(pending.operation, Operation::Join { .. }))
        };
        threads.iter().copied().find(|t| !joins(*t)).or(threads.first().copied())
    }

    /// The first circle of threads that wait for one another.
    fn circle(&self, threads: &[ThreadId]) -> Option<Vec<ThreadId>> {
        threads.iter().map(|thread| self.circle_from(*thread)).find(|circle| !circle.is_empty())
    }

    /// Whether it means anything that threads go on for ever: not if the process has ended, or if one stopped that might have
    /// helped, or if the execution is none of the program's.
    pub(crate) fn counts_as_stuck(&self) -> bool {
        self.process.ended.is_none() && self.process.stopped == 0 && !self.process.pruned
    }

    /// The threads that wait for one another in a circle that leads back to this one, or this one alone if it waits for a
    /// thread that has ended with the lock; empty if neither.
    fn circle_from(&self, thread: ThreadId) -> Vec<ThreadId> {
        let mut circle = vec![thread];
        loop {
            match self.waits_for_thread(circle[circle.len() - 1]) {
                Some(next) if next == thread => return circle,
                Some(next) if circle.len() == 1 && self.thread(next).header.status == Status::Exited => return circle,
                Some(next) if !circle.contains(&next) => circle.push(next),
                _ => return Vec::new(),
            }
        }
    }

    /// The only thread that could let a blocked thread go on.
    fn waits_for_thread(&self, thread: ThreadId) -> Option<ThreadId> {
        let pending =
            self.thread(thread).header.pending.filter(|_| self.thread(thread).header.status == Status::Alive)?;
        let lock = match pending.operation {
            Operation::MutexLock { .. } => pending.objects[0],
            Operation::CondReacquire { .. } => {
                let own = crate::sync::footprint::lane(thread);
                match self.sync_state(pending.objects[0]) {
                    SyncState::Condition { waiting, .. } if waiting & own != 0 => return None,
                    _ => pending.objects[1],
                }
            }
            Operation::Join { handle, .. } => {
                let target = self.thread_of_handle(handle)?;
                return (self.thread(target).header.status == Status::Alive).then_some(target);
            }
            _ => return None,
        };
        match self.sync_state(lock) {
            SyncState::Mutex { held: Some((owner, _)), .. } if owner != thread => Some(owner),
            _ => None,
        }
    }

    /// A fault of threads of which each `says` something of itself, seen behind all that they and whoever they wait for
    /// have done.
    fn fault_of_waiting(
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
            after_end: false,
        }
    }

    /// What a blocked thread waits for, and who has it: "waits for mutex `m`, held by thread 1 (`worker`)".
    fn waits_for(&self, thread: ThreadId) -> String {
        let Some(pending) = self.thread(thread).header.pending else { return "is stuck".to_owned() };
        match pending.operation {
            Operation::MutexLock { mutex } => {
                format!("waits for mutex {}{}", self.name_of(mutex), self.held_by(&pending, 0))
            }
            Operation::CondReacquire { condition, mutex } => {
                let word = self.sync_state(pending.objects[0]);
                let own = crate::sync::footprint::lane(thread);
                match word {
                    SyncState::Condition { waiting, .. } if waiting & own != 0 => {
                        format!("waits to be woken on condition variable {}", self.name_of(condition))
                    }
                    _ => {
                        let (mutex, held) = (self.name_of(mutex), self.held_by(&pending, 1));
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

    fn held_by(&self, pending: &Pending, index: usize) -> String {
        match self.sync_state(pending.objects[index]) {
            SyncState::Mutex { held: Some((owner, _)), .. } => {
                let ended = match self.thread(owner).header.status {
                    Status::Alive => "",
                    _ => ", which has ended",
                };
                format!(", held by {}{ended}", self.thread_name(owner))
            }
            _ => String::new(),
        }
    }

    /// A name for a thread: "thread 1 (`worker`)".
    pub fn thread_name(&self, thread: ThreadId) -> String {
        let routine = self.threads.get(thread.index()).and_then(|t| t.rare.routine);
        match routine {
            Some(function) => format!("thread {} (`{}`)", thread.0, self.module.functions[function.index()].name),
            None => format!("thread {}", thread.0),
        }
    }

    /// A name for what lies at an address.
    pub(crate) fn name_of(&self, address: u64) -> String {
        self.memory.name_at(&self.module, address)
    }
}
