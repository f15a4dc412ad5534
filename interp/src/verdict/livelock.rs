//! Livelocks: threads that only spin, for ever. See [`por::spinning`].
use super::deadlock::SPINS;
use crate::machine::Machine;
use crate::operation::{Operation, Patience};
use crate::sync::SyncState;
use crate::verdict::fault::{Fault, Kind};
use crate::waiting::Wait;
use por::{Findings, Fingerprints, ObjectId, System, ThreadId, Unclear};

/// What is settled about an exploration while threads are looked at by themselves, as it was before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usually {
    follows: bool,
    relied_on: bool,
    polls: bool,
    /// Whole states are followed for an engine that explores sequences.
    states: bool,
}

/// What messages say of a thread that does a little more.
const GOES_ON: &str = "goes on until it waits for one of the others, and changes nothing";

impl Machine {
    /// See [`por::Livelocks::look_at_each_alone`].
    pub(crate) fn look_at_each_alone(&mut self, on: bool) {
        let exploration = &mut self.exploration;
        if on {
            let (follows, relied_on, polls) = (exploration.follows, exploration.relied_on, exploration.polls);
            let states = exploration.states && exploration.exact;
            exploration.usually = Some(Usually { follows, relied_on, polls, states });
            exploration.polls = false;
            if states {
                (exploration.states, exploration.silent) = (false, false);
            }
            // (A thread that counts where nobody looks changes nothing.)
            self.state.memory.leave_counts_out(true);
            self.follow_changes(true);
            self.state.memory.leave_out(self.program.tallies().words());
            self.let_go_on();
        } else if let Some(Usually { follows, relied_on, polls, states }) = self.exploration.usually.take() {
            if states {
                (self.exploration.states, self.exploration.silent) = (true, true);
            }
            self.state.memory.leave_counts_out(false);
            self.leave_tallies_out();
            self.follow_changes(follows);
            (self.exploration.relied_on, self.exploration.polls) = (relied_on, polls);
        }
    }

    /// Threads that have polled or gone round in vain stand where they would do so again.
    fn let_go_on(&mut self) {
        let all: Vec<ThreadId> = self.living().filter(|&thread| self.has_polled_in_vain(thread)).collect();
        for thread in all {
            self.log.save_thread(thread, &mut self.state.threads[thread.index()]);
            let pending = self.thread_mut(thread).header.pending.as_mut().expect("it stands before an operation");
            pending.in_vain = false;
            if let Operation::InVain { mutex } = pending.operation {
                pending.operation = Operation::MutexLock { mutex, patience: Patience::Forever };
            }
        }
    }

    /// The locks that the thread holds.
    pub(crate) fn locks_of(&self, thread: ThreadId) -> Vec<ObjectId> {
        // (Mostly there are none.)
        if self.thread(thread).header.holds == 0 {
            return Vec::new();
        }
        let all = (0..self.state.sync.len() as u32).map(ObjectId);
        let is_once = |object| matches!(self.sync_state(object), SyncState::Once(_));
        all.filter(|&object| !is_once(object) && self.holders(object).contains(&thread)).collect()
    }

    /// See [`por::Livelocks::give_back`].
    pub(crate) fn give_back(&mut self, thread: ThreadId, lock: ObjectId) {
        self.log.save_thread(thread, &mut self.state.threads[thread.index()]);
        let current = std::mem::replace(&mut self.segment.current, thread);
        // (Who gets it then comes after what the thread has done.)
        match self.sync_state(lock) {
            SyncState::Mutex { kind, health, .. } => {
                self.set_sync_state(lock, SyncState::Mutex { kind, held: None, health });
                self.state.memory.race.release(thread, lock);
            }
            SyncState::Spin { .. } => self.release_spin_lock(lock),
            SyncState::ReadWrite { word } => self.release_read_write(lock, word),
            _ => {}
        }
        self.segment.current = current;
    }

    /// What is wrong at the end of an execution in which nobody can move any more, but for leaks. (Threads that have
    /// polled or gone round in vain could move, and do what they do. If all would go on like that, they spin. If all
    /// would be blocked at that, they are so in the execution in which they begin that turn later, too.)
    pub(crate) fn stuck_at_end(&mut self) -> Findings<Fault> {
        let may_spin = self.is_countable() && self.is_pruned() && self.only_poll_on() && self.is_at_end();
        let spinning = if may_spin { por::spinning(self) } else { Ok(None) };
        let mut findings = Findings::default();
        match spinning {
            Ok(spinning) => {
                let spinning = spinning.filter(|spinning| !spinning.is_empty());
                findings.faults.extend(self.deadlock_beside(spinning));
            }
            Err(Unclear::Restart) => findings.restart = true,
            Err(Unclear::TooMany) => {
                findings.unknown = Some(Unclear::REASON.to_owned());
                findings.faults.extend(self.deadlock(None));
            }
        }
        findings
    }

    /// The fault at the end of an execution; these spin, if any do. It is put into words where threads stand that have
    /// looked in vain, as a replay finds them.
    fn deadlock_beside(&mut self, spinning: Option<Vec<ThreadId>>) -> Option<Fault> {
        let Some(spinning) = spinning else { return self.deadlock(None) };
        let in_vain = self.polled_in_vain();
        self.mark();
        self.let_go_on();
        let fault = self.deadlock(Some(&spinning));
        self.undo();
        fault.map(|fault| Fault { in_vain, ..fault })
    }

    /// Whether nobody can move. (An execution that ends with a cutoff is at no end.)
    fn is_at_end(&self) -> bool {
        !self.living().any(|thread| self.can_move(thread))
    }

    fn can_move(&self, thread: ThreadId) -> bool {
        let mut variants = Vec::new();
        por::current_variants(self, thread, &mut variants);
        !variants.is_empty()
    }

    /// The fault of these threads, which spin, and of those that are blocked because they spin.
    pub(super) fn livelock(&self, spinning: &[ThreadId]) -> Option<Fault> {
        if !self.program.options.checks.contains(Kind::Livelock) {
            return None;
        }
        let alive = self.alive();
        let spins = |thread: &ThreadId| spinning.contains(thread) || self.spins(*thread);
        let first = alive.iter().copied().find(spins)?;
        let says = |thread| match thread {
            thread if spins(&thread) => SPINS.to_owned(),
            thread if self.can_move(thread) => GOES_ON.to_owned(),
            thread => self.waits_for(thread),
        };
        Some(self.fault_of_waiting(Kind::Livelock, first, &alive, says))
    }

    /// Whether the thread is blocked because it only spins.
    pub(crate) fn spins(&self, thread: ThreadId) -> bool {
        self.why_it_waits(thread) == Some(Wait::Spins)
    }
}
