//! Deciding whether a thread runs in circles; see [`crate::waiting::circle`].
use crate::machine::{Machine, promotes};
use crate::memory::ObjectKind;
use crate::race::RaceLocation;
use crate::step::Halt;
use crate::verdict::fault::Kind;
use crate::waiting::circle::{Checkpoint, Local};
use por::ThreadId;

impl Machine {
    /// Compares the current thread's state with the one written down, or writes it down.
    #[cold]
    pub(crate) fn look_for_spinning(&mut self) -> Result<(), Halt> {
        let Some(mut checkpoint) = self.segment.spin.checkpoint.take() else {
            self.write_checkpoint(64);
            return Ok(());
        };
        if self.is_local(&checkpoint.local) {
            let memory = self.state.memory.digest();
            if checkpoint.memory == Some(memory) {
                match self.segment.spin.reads.take() {
                    Some(reads) => return Err(self.circles(reads)),
                    None => self.segment.spin.reads = Some(Vec::new()),
                }
                self.segment.spin.look_after(1);
                self.segment.spin.checkpoint = Some(checkpoint);
                return Ok(());
            }
            // If it is memory that does not repeat: digests are too dear to go on comparing now.
            checkpoint.left = if checkpoint.memory.is_none() { checkpoint.span } else { 1 };
            checkpoint.memory = Some(memory);
        }
        checkpoint.left -= 1;
        if checkpoint.left > 0 {
            self.segment.spin.look_after(1);
            self.segment.spin.checkpoint = Some(checkpoint);
        } else if checkpoint.resting {
            self.write_checkpoint(checkpoint.span.saturating_mul(2));
        } else {
            // Rest for 32 times as long as was spent comparing, so that long loops stay fast.
            self.segment.spin.reads = None;
            let rest = checkpoint.span.saturating_mul(32);
            self.segment.spin.look_after(rest);
            checkpoint.resting = true;
            checkpoint.left = 1;
            checkpoint.local = Local::default();
            self.segment.spin.checkpoint = Some(checkpoint);
        }
        Ok(())
    }

    fn write_checkpoint(&mut self, span: u32) {
        let checkpoint = Checkpoint { local: self.local(), memory: None, span, left: span, resting: false };
        self.segment.spin.checkpoint = Some(checkpoint);
        self.segment.spin.look_after(1);
    }

    fn local(&self) -> Local {
        let thread = self.thread(self.segment.current);
        let top = thread.top();
        let range = self.program.constants.len()..(top.base + top.slots) as usize;
        Local {
            frames: thread.frames.iter().map(|f| (f.function, f.pc, f.base)).collect(),
            slots: thread.regs[range.clone()].to_vec(),
            shadows: if thread.tracks() { thread.shadows[range].to_vec() } else { Vec::new() },
            partial: self.state.partial.known(),
            looks: self.state.memory.race.looks(self.segment.current),
            contexts: thread.rare.contexts.clone(),
        }
    }

    fn is_local(&self, other: &Local) -> bool {
        let thread = self.thread(self.segment.current);
        let top = thread.top();
        let range = self.program.constants.len()..(top.base + top.slots) as usize;
        let frame = other.frames.last();
        frame == Some(&(top.function, top.pc, top.base))
            && thread.regs[range] == other.slots[..]
            && self.local() == *other
    }

    /// The thread has come back to a state that it was in, having read these addresses on the way.
    fn circles(&mut self, mut reads: Vec<(u64, u64)>) -> Halt {
        reads.retain(|(address, size)| *size > 0 && self.may_change(*address));
        let changeable = reads.first().map(|(address, _)| *address);
        if let Some(address) = changeable.filter(|_| self.others_alive()) {
            if self.promote_read(&reads) {
                return Halt::Silent;
            }
            let thread = self.thread_name(self.segment.current);
            let name = self.name_of(address);
            return Halt::unknown(format!(
                "{thread} spins on {name}, which is plain memory that other threads may change{}",
                self.at()
            ));
        }
        if !self.program.options.checks.contains(Kind::EndlessLoop) {
            return Halt::Silent;
        }
        if changeable.is_some() && self.state.process.stopped > 0 {
            // One that stopped might have changed it; that it stopped has been told.
            return Halt::Silent;
        }
        if changeable.is_some() {
            // It is one because the others are over, which nothing need have told this thread.
            let others = (0..self.state.process.threads).map(ThreadId).filter(|t| *t != self.segment.current);
            self.segment.involved = others.map(|t| self.event_of(t, self.thread(t).header.events)).collect();
        }
        Halt::fault(Kind::EndlessLoop, "the thread runs in a loop for ever: its state repeats exactly")
    }

    /// Makes the exploration start again with an action for the first of these reads that is not promoted yet, if there
    /// is one, so that the loop has an action in it. The thread's own variables come last. One is enough: if another
    /// thread writes what else is read, that races with the loop's later turns.
    fn promote_read(&mut self, reads: &[(u64, u64)]) -> bool {
        if !promotes(&self.program.options) {
            return false;
        }
        let mut places = Vec::new();
        for (address, size) in reads {
            let Some(object) = self.state.memory.object_at(*address).filter(|object| object.live) else { continue };
            let first = address - object.base;
            let last = first + (size - 1).min(object.size - 1 - first);
            let place = RaceLocation { kind: object.kind, allocated: object.allocated.stack, first, last };
            let own = matches!(object.kind, ObjectKind::Stack(..)) && object.allocated.thread == self.segment.current;
            places.push((own, place));
        }
        places.sort_by_key(|(own, _)| *own);
        let more = places.into_iter().any(|(_, place)| self.learned.promoted.insert(place));
        self.segment.restart |= more;
        more
    }

    /// Whether another thread could write to what lies at an address.
    fn may_change(&self, address: u64) -> bool {
        match self.state.memory.object_at(address).map(|o| o.kind) {
            Some(ObjectKind::Global(global)) => !self.program.module.globals[global.index()].constant,
            _ => true,
        }
    }
}
