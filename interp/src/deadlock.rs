//! Deadlocks: at the end of an execution, threads are left that wait for one another.
use crate::fault::{Fault, Kind, Related};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::sync::SyncState;
use crate::thread::{Pending, Status};
use por::ThreadId;

impl Machine {
    /// What is wrong if no thread can move any more. Nothing is if the process has ended, or if a thread that stopped
    /// for another reason might have helped.
    pub(crate) fn deadlock(&self) -> Option<Fault> {
        if self.process.ended.is_some() || self.process.stopped > 0 || !self.options.checks.contains(Kind::Deadlock) {
            return None;
        }
        let threads = (0..self.process.threads).map(ThreadId);
        let waiting: Vec<ThreadId> = threads.filter(|t| self.thread(*t).header.status == Status::Alive).collect();
        // A thread that waits for a lock or a signal shows the cause; main, waiting for the end of the others, does not.
        let joins = |t: &&ThreadId| matches!(self.thread(**t).header.pending, Some(p) if matches!(p.operation, Operation::Join { .. }));
        let &first = waiting.iter().find(|t| !joins(t)).or(waiting.first())?;
        let reasons: Vec<String> = waiting.iter().map(|t| self.waits_for(*t)).collect();
        let sentences: Vec<String> =
            waiting.iter().zip(&reasons).map(|(t, reason)| format!("{} {reason}", self.thread_name(*t))).collect();
        let related = waiting.iter().zip(&sentences).map(|(t, sentence)| Related {
            message: sentence.clone(),
            thread: Some(*t),
            stack: self.stack(*t),
        });
        Some(Fault {
            kind: Kind::Deadlock,
            message: sentences.join("; "),
            thread: first,
            stack: self.stack(first),
            related: related.collect(),
            others: self.other_stacks(first),
            involved: Vec::new(),
            raced: None,
            after_end: false,
        })
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
