//! Leaks: heap blocks that are there when the process ends.
//!
//! The process ends when a thread returns from main or calls `exit`, and when its last thread ends. A block is *lost*
//! if nothing leads to it then: no variable that is alive, no register that a thread will still read, no result that
//! can still be fetched by a join, no block to which one of these leads. ([`crate::memory`] says what a pointer is.)
//! This is `valid-memtrack` of SV-COMP, and what LeakSanitizer reports; that no block at all remains is
//! `valid-memcleanup`.
//!
//! **Which execution is looked at.** In reality the process may end while other threads are anywhere between what its
//! end depends on and their own ends. Here they are run on as far as they come. For lost blocks that is right: what is
//! lost stays lost, whatever is done later, so the blocks lost at the end of the maximal configuration are those that
//! are lost at the end of *some* real execution with these events, and the one in which the process ends last shows all
//! of them. For blocks that something leads to it is not: another thread may free one after the process has ended. So
//! if all blocks count, and other threads need not have ended before the process does, the verdict is unknown.
//!
//! **Variables that are not read again** hold what they were given. Functions from which the end of the process may be
//! reached have them in memory ([`Function::pointers_in_memory`](frontend::ir::Function)). A thread that hangs may
//! stand in another one, where local variables are registers, which hold old values too. If only such a register leads
//! to a block, the block is not lost: in most cases the variable still holds it. By the rules of SV-COMP, where that
//! counts, the verdict is unknown then ([`Leaks::Untracked`]). (Once the function has returned, it holds nothing.)
//!
//! **What the library keeps** for itself (strings of `setenv`, names of semaphores, files) no program can free: it does
//! not count.
//!
//! **No end, no leak**: `abort`, a failed assumption, a deadlock. An execution that was cut off goes on elsewhere, but
//! if the process has ended in it what is lost is lost, and it is looked at too.
use crate::fingerprint::LiveSlots;
use crate::machine::Machine;
use crate::memory::{ObjectInfo, StackId};
use crate::options::Leaks;
use crate::sync::perform::AFTER_EXIT;
use crate::thread::{After, Frame, Status};
use crate::verdict::fault::{Fault, Kind};
use frontend::ir::Inst;
use por::{Findings, ThreadId};

/// How the names begin of the functions with which library code allocates blocks that the program cannot free.
const KEPT: &str = "__verify_keep";

impl Machine {
    /// What is wrong besides that, if the process has ended: the leaks, one fault for each place of allocation.
    pub(crate) fn with_leaks(&mut self, fault: Option<Fault>) -> Findings<Fault> {
        let mut findings = Findings::default();
        findings.faults.extend(fault);
        let Some(ender) = self.ender().filter(|_| self.may_have_leaked()) else { return findings };
        let threads: Vec<ThreadId> = (0..self.state.process.threads).map(ThreadId).collect();
        let mut live = std::mem::take(&mut self.lifelong.live);
        let values = threads.iter().flat_map(|thread| self.values_of(*thread, Some(&mut live))).collect();
        let mut remaining = self.state.memory.remaining_blocks(self.program.pointer_bytes, values);
        self.lifelong.live = live;
        remaining.lost.retain(|lost| !self.is_kept(&lost.block));
        remaining.reachable.retain(|block| !self.is_kept(block));

        if !remaining.lost.is_empty() {
            let old = threads.iter().flat_map(|thread| self.values_of(*thread, None)).collect();
            let sure = self.state.memory.remaining_blocks(self.program.pointer_bytes, old).lost;
            let lost = std::mem::take(&mut remaining.lost);
            let (lost, held): (Vec<_>, Vec<_>) =
                lost.into_iter().partition(|lost| sure.iter().any(|it| it.block == lost.block));
            remaining.lost = lost;
            if self.program.options.leaks == Leaks::Untracked {
                findings.unknown = held.first().map(|held| self.doubt(&held.block));
            }
        }
        let (later, first): (Vec<_>, Vec<_>) = remaining.lost.into_iter().partition(|lost| lost.follows);
        let lost = "lost: when the process ends, nothing leads there any more";
        self.add_leaks(ender, first.into_iter().map(|lost| lost.block).collect(), lost, &mut findings.faults);
        if self.program.options.leaks == Leaks::All {
            let rest = later.into_iter().map(|lost| lost.block).chain(remaining.reachable).collect();
            self.add_leaks(ender, rest, "not freed when the process ends", &mut findings.faults);
        }
        findings
    }

    /// If all blocks count: the current thread ends the process, and others may still be about to free some.
    pub(crate) fn note_early_end(&mut self) {
        let others = (0..self.state.process.threads).map(ThreadId).filter(|t| *t != self.segment.current);
        let mut joined = others.map(|t| self.thread(t)).map(|t| t.claim.claimed || t.header.status == Status::Absent);
        if !joined.all(|joined| joined) {
            self.note_unawaited();
        }
    }

    /// If all blocks count: there is a thread whose end is not awaited.
    pub(crate) fn note_unawaited(&mut self) {
        if self.program.options.leaks == Leaks::All && self.program.options.checks.contains(Kind::Leak) {
            let reason = "what is freed when the process ends depends on how far a thread has come that nobody joins";
            self.note_unknown(format!("{reason} (--leaks all)"));
        }
    }

    /// Whether there are blocks at the end of the process, which may be leaks.
    pub(crate) fn may_have_leaked(&self) -> bool {
        self.program.options.checks.contains(Kind::Leak) && self.state.memory.has_blocks() && self.ender().is_some()
    }

    /// The thread that has ended the process in the ordinary way; one of them, if that was the end of them all.
    fn ender(&self) -> Option<ThreadId> {
        let header = |thread: ThreadId| &self.thread(thread).header;
        if let Some((_, ender)) = self.state.process.ended {
            // (Otherwise it was an `abort` in an atomic block.)
            return (header(ender).status == Status::Stopped && header(ender).value == AFTER_EXIT).then_some(ender);
        }
        let ended = |thread| matches!(header(thread).status, Status::Absent | Status::Exited);
        (0..self.state.process.threads).map(ThreadId).all(ended).then_some(ThreadId(0))
    }

    /// The values that a thread may still use, or give to the thread that joins it; without `live`, also those that
    /// functions which have not returned have used before.
    fn values_of(&self, id: ThreadId, mut live: Option<&mut LiveSlots>) -> Vec<u64> {
        let thread = self.thread(id);
        match thread.header.status {
            Status::Absent => return Vec::new(),
            Status::Exited if thread.claim.claimed => return Vec::new(),
            Status::Exited => return vec![thread.header.value],
            Status::Alive | Status::Stopped => {}
        }
        // The result, while cleanup handlers run.
        let mut values = vec![thread.rare.ends_with];
        for (index, frame) in thread.frames.iter().enumerate() {
            let called = thread.frames.get(index + 1).is_some_and(|above| above.after == After::Call);
            if let After::Destructor { value } = frame.after {
                values.push(value);
            }
            let value = |slot: u32| thread.regs[(frame.base + slot) as usize];
            match &mut live {
                Some(live) => {
                    let slots = live.at(&self.program.module, frame.function, frame.pc, called);
                    values.extend(slots.iter().map(|slot| value(slot.0)));
                }
                None if self.has_returned(frame) => {}
                None if self.program.module.functions[frame.function.index()].pointers_in_memory => {}
                None => values.extend((0..frame.slots).map(value)),
            }
        }
        values
    }

    /// Whether the frame stays only to be shown: its function stands at its return, and its variables are gone.
    fn has_returned(&self, frame: &Frame) -> bool {
        frame.after != After::Call
            && matches!(
                self.program.module.functions[frame.function.index()].code[frame.pc as usize],
                Inst::Return { .. }
            )
    }

    /// Whether library code has allocated the block for itself.
    fn is_kept(&self, block: &ObjectInfo) -> bool {
        let allocated = self.state.memory.stacks.top(block.allocated.stack);
        allocated.is_some_and(|(frame, _)| self.program.module.functions[frame.function.index()].name.starts_with(KEPT))
    }

    fn doubt(&self, block: &ObjectInfo) -> String {
        format!(
            "whether a variable of a function that has not returned still leads to {}, when the process ends, cannot be \
             told (--check leak)",
            self.state.memory.name_of_object(&self.program.module, block.base)
        )
    }

    fn add_leaks(&self, ender: ThreadId, blocks: Vec<ObjectInfo>, what: &str, faults: &mut Vec<Fault>) {
        let mut places: Vec<StackId> = Vec::new();
        for block in &blocks {
            if !places.contains(&block.allocated.stack) {
                places.push(block.allocated.stack);
            }
        }
        for place in places {
            let mine: Vec<&ObjectInfo> = blocks.iter().filter(|block| block.allocated.stack == place).collect();
            let bytes: u64 = mine.iter().map(|block| block.size).sum();
            let size = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
            let message = match mine.len() {
                1 => format!("a heap block of {size} is {what}"),
                many => format!("{many} heap blocks of {size} in all are {what}"),
            };
            let thread = mine[0].allocated.thread;
            faults.push(Fault {
                kind: Kind::Leak,
                message,
                thread,
                stack: self.state.memory.stacks.frames(place),
                related: Vec::new(),
                others: self.other_stacks(thread),
                involved: self.events_before_end(Some(ender)),
                raced: None,
                rule: None,
                after_end: false,
                // (If all have ended, there is no such end, and one of these ends may have to come before another.)
                at_end: self.state.process.ended.map(|(_, ender)| ender),
                inputs: None,
                looks: Vec::new(),
                merges_ends: self.merges_ends(),
                in_vain: self.polled_in_vain(),
                given_out: self.given_out(),
            });
        }
    }
}
