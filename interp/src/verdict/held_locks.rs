//! The locks that threads hold, followed through the actions of an execution.
//!
//! A thread gets a lock by an operation that touches it, or in an atomic block. So only the locks that it held before
//! and the objects that its operation touches have to be looked at. After a block all locks have to be looked at, of
//! which there may be many.
use crate::machine::Machine;
use crate::memory::ObjectKey;
use crate::operation::Operation;
use crate::sync::SyncState;
use crate::sync::read_write::WRITER;
use por::{ObjectId, System, ThreadId};

/// The locks that a machine's threads hold. [`HeldLocks::before`] and [`HeldLocks::behind`] must be called around each
/// action.
#[derive(Debug, Default)]
pub struct HeldLocks {
    /// By thread, sorted: the locks that it held after its last action.
    held: Vec<Vec<ObjectId>>,
    /// The locks that the thread that acts may hold after its action; `None` if these may be any.
    candidates: Option<Vec<ObjectId>>,
}

impl HeldLocks {
    /// A thread is about to act.
    pub fn before(&mut self, machine: &Machine, thread: ThreadId) {
        let pending = machine
            .operation(thread)
            .filter(|pending| !pending.in_block && !matches!(pending.operation, Operation::AtomicBegin));
        self.candidates = pending.map(|pending| {
            let held = self.held.get(thread.index()).into_iter().flatten().copied();
            held.chain(pending.objects).collect()
        });
    }

    /// It has acted: the locks that it holds now, as reports name them.
    pub fn behind(&mut self, machine: &Machine, thread: ThreadId) -> Vec<String> {
        let all = || (0..machine.state.sync.len() as u32).map(ObjectId).collect();
        let mut held: Vec<ObjectId> = self.candidates.take().unwrap_or_else(all);
        held.retain(|lock| machine.holders(*lock).contains(&thread));
        held.sort_unstable();
        held.dedup();
        let names = held.iter().filter_map(|lock| machine.lock_name(*lock)).collect();
        if self.held.len() <= thread.index() {
            self.held.resize_with(thread.index() + 1, Vec::new);
        }
        self.held[thread.index()] = held;
        names
    }
}

impl Machine {
    /// What reports call a lock that is held, and how it is held if that is not obvious.
    fn lock_name(&self, lock: ObjectId) -> Option<String> {
        let ObjectKey::InMemory { base, offset, .. } = self.state.memory.ids.key(lock) else { return None };
        let name = self.name_of(base + offset);
        Some(match self.sync_state(lock) {
            SyncState::ReadWrite { word } if word & WRITER == 0 => format!("{name} (for reading)"),
            _ => name,
        })
    }
}
