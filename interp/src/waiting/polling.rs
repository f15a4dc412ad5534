//! Polling: a thread locks a mutex, reads, unlocks it, and does so again if it does not find what it looks for.
//!
//! Such a turn leads back to where it began and changes nothing, but while it lasts others see that the mutex is held.
//! So the thread does not wait before it locks the mutex. It does one such turn, as one action, and goes no further
//! in this execution ([`Operation::InVain`]), which does not count at its end.
//!
//! **Why nothing is lost.** Let S be the program in which a thread that has polled in vain stops for good. That is one
//! more local step of the thread, which follows from what it has read, so that all of S is explored. Take an execution
//! of the program, and leave out of it all turns in vain. What remains is one of S, and in its last state all is as it
//! was: nobody could see these turns but by the mutex being held. A thread that locks the mutex only comes to that
//! earlier. In programs that try to lock a mutex, or lock one for a time, nobody polls. (One that is destroyed
//! meanwhile is a fault in the order in which that comes first, too.)
//!
//! **Faults.** One that happens in such a turn, or that the turn is one end of, needs the turn. Take the execution up
//! to there, and leave out all other turns in vain. If nothing else of the thread lies between that turn and the fault,
//! it is one of S: the turn is the last that the thread does. (If it began where the thread does only the same as where
//! it begins now, it reads the same places, does the same that may be an error, and fails as well: see
//! [`super::alike`].) Otherwise what the turn reads races with an action of another thread that comes behind a later
//! action of this one.
//!
//! * If all actions that depend on one another are ordered by happens-before, that race is one of S as well. Either the
//!   other action does not depend on what the thread has done behind the turn, and can come before that. Or it does,
//!   and then it happens after the turn, and there is no race.
//! * Else (`learned.unordered`) a turn may only read one word in its section. A turn that is not in vain begins at the
//!   same place, or at one that is alike, reads that word first as well, and races there.
//!
//! **Counting.** A turn may count in words at which nobody looks ([`super::tally`]), in its section and behind it. Such
//! a turn leaves memory in another state, which is the same for everybody. It counts where it would: the race detector
//! is shown what is counted in the section there, and the rest as local steps, which come behind the unlock and are not
//! ordered by it. As with what is read besides, that is done only as long as nothing is `unordered`.
//!
//! That something races in such a turn is never told from there. Its reads are shown to the race detector. If one of
//! them races, then or later, nobody polls what lies there any more and the exploration starts again: all is told of
//! turns that were really done. Happens-before has edges from these turns, as from any section; leaving these out makes
//! no race go away, so that the schedule of a fault need not have them ([`Fault::in_vain`]).
//!
//! [`Fault::in_vain`]: crate::fault::Fault::in_vain
use crate::library::hooks::Passing;
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::Operation;
use crate::step::Halt;
use crate::sync::SyncState;
use crate::thread::{NO_OBJECT, Pending};
use crate::waiting::MOST;
use crate::waiting::code::Through;
use crate::waiting::open::without_operands;
use crate::waiting::read::reads_plainly;
use crate::waiting::tally::{Passable, Tallied};
use crate::waiting::turn::Turn;
use crate::waiting::walker::{Stop, Value, Walker};
use frontend::ir::{Inst, Slot};
use por::ThreadId;

/// What a walker knows of the mutex under which a thread polls.
#[derive(Clone, Debug)]
pub(super) struct Polls {
    mutex: u64,
    holds: bool,
    /// Addresses and sizes of what is read in the section.
    reads: Vec<(u64, u8)>,
    /// Where variables without a value lay whose lives have ended.
    pub(super) ended: Vec<u64>,
}

/// What a turn in vain does.
struct InVain {
    /// Addresses and sizes of what it reads in its section.
    reads: Vec<(u64, u8)>,
    /// What it counts there, and behind that.
    tallied: Vec<Tallied>,
}

/// What an instruction is to a walker that polls.
pub(super) enum Section {
    /// It has gone through it.
    Passed,
    /// It has come back to the lock, or to one at another place.
    Comes,
    /// Something else is done.
    Leaves,
}

impl Machine {
    /// Whether a thread has polled in vain, or gone round in vain, and goes no further.
    pub(crate) fn has_polled_in_vain(&self, thread: ThreadId) -> bool {
        self.thread(thread).header.pending.is_some_and(|pending| pending.in_vain || has_polled(&pending))
    }

    /// The actions that are turns in which threads poll in vain, by thread and number.
    pub(crate) fn polled_in_vain(&self) -> Vec<(ThreadId, u32)> {
        let header = |thread: ThreadId| (thread, &self.thread(thread).header);
        let polled = self.living().map(header).filter(|(_, header)| header.pending.as_ref().is_some_and(has_polled));
        polled.map(|(thread, header)| (thread, header.events)).collect()
    }

    /// Whether threads have polled in vain of which each would do so again: then nothing comes after the end of the
    /// execution.
    pub(crate) fn only_poll_on(&mut self) -> bool {
        let all: Vec<ThreadId> = self.living().filter(|&thread| self.has_polled_in_vain(thread)).collect();
        !all.is_empty() && all.into_iter().all(|thread| self.polls_on(thread))
    }

    /// Whether a thread that has polled in vain would do so again, if it could lock the mutex.
    fn polls_on(&mut self, thread: ThreadId) -> bool {
        let Some(&Pending { operation: Operation::InVain { mutex }, objects, .. }) =
            self.thread(thread).header.pending.as_ref()
        else {
            return self.goes_round_on(thread);
        };
        let is_held = matches!(self.sync_state(objects[0]), SyncState::Mutex { held: Some(_), .. });
        let current = std::mem::replace(&mut self.segment.current, thread);
        let in_vain = is_held
            || self.places_of_turn(Through::Section).is_some_and(|frames| {
                let turn = Turn::new(frames);
                self.reads_in_vain(&turn, mutex).is_some()
            });
        self.segment.current = current;
        in_vain
    }

    /// Whether the current thread, which has just locked a mutex and begun its section, only comes back to that lock
    /// from there. If so, it has read what it reads on the way, and counted in the section. (What it counts behind
    /// that is a matter of local steps: see [`Machine::count_behind_section`].)
    pub(crate) fn polls_in_vain(&mut self, pending: &Pending, mutex: u64) -> Result<bool, Halt> {
        let may = self.exploration.polls
            && !self.program.tries_mutexes
            && !self.program.cancels
            && self.program.block_object.is_none()
            && !self.learned.waits_for_nothing
            && self.looks_for_races()
            && !self.has_terms()
            && !pending.in_block
            && pending.life == NO_OBJECT
            && pending.objects[0] != NO_OBJECT;
        if !may || !self.stands_before_lock() {
            return Ok(false);
        }
        let Some(frames) = self.places_of_turn(Through::Section) else { return Ok(false) };
        let is_plain = matches!(self.sync_state(pending.objects[0]), SyncState::Mutex { held: Some((_, 1)), .. })
            && !self.mutex(mutex, pending.objects[0])?.is_robust();
        if !is_plain {
            return Ok(false);
        }
        let turn = Turn::new(frames);
        let Some(InVain { reads, tallied }) = self.reads_in_vain(&turn, mutex) else { return Ok(false) };
        if !self.may_count(&tallied) {
            return Ok(false);
        }
        if reads.len() > 1 || !tallied.is_empty() {
            if self.learned.unordered {
                return Ok(false);
            }
            self.note_polls_widely();
        }
        for (address, size) in reads {
            let object = self.state.memory.object_at(address).expect("it was looked at");
            let awaited = (object.kind, object.allocated.stack);
            if self.learned.awaited.insert(awaited) {
                self.segment.restart |= self.exploration.effects;
            }
            let origin = self.origin(Mode::Plain);
            if self.state.memory.load(&origin, address, size.into())?.unwritten != 0 {
                return Ok(false);
            }
        }
        if tallied.iter().any(|tallied| tallied.is_signed()) {
            self.note_counts_turns();
        }
        let (within, behind): (Vec<Tallied>, _) = tallied.into_iter().partition(|tallied| tallied.is_in_section());
        let in_vain = self.show_tallied(&within)?;
        if in_vain {
            self.segment.counted = behind;
        }
        Ok(in_vain)
    }

    /// The turn in which the current thread has polled in vain goes on behind its section.
    pub(crate) fn count_behind_section(&mut self) -> Result<(), Halt> {
        // (By far the commonest is that nothing is counted there.)
        if !self.segment.counted.is_empty() {
            let counted = std::mem::take(&mut self.segment.counted);
            let shown = self.show_tallied(&counted)?;
            debug_assert!(shown || self.segment.restart, "what may be counted may be counted a moment later");
        }
        Ok(())
    }

    /// A thread polls in vain in a way that is right only as long as nothing is `unordered`.
    pub(super) fn note_polls_widely(&mut self) {
        if !self.learned.polls_widely {
            self.learned.polls_widely = true;
            // (Others may have met what is not ordered.)
            self.segment.restart |= self.exploration.company;
        }
    }

    /// Whether the instruction at which the current thread stands is a call that locks a mutex.
    fn stands_before_lock(&self) -> bool {
        let top = self.thread(self.segment.current).top();
        let code = &self.program.module.functions[top.function.index()].code;
        matches!(code.get(top.pc as usize), Some(&Inst::Call { callee, .. }) if self.passing(callee) == Some(Passing::Locks))
    }

    /// What is read in the section that begins so, and what is counted in it and behind it, if the thread only comes
    /// back from there.
    fn reads_in_vain(&self, turn: &Turn, mutex: u64) -> Option<InVain> {
        let mut walker = Walker::new(self, turn);
        walker.passes = Passable::Quiet;
        walker.begin_section()?;
        let comes = walker.polls.as_ref()?.mutex == mutex && walker.go_on() == Stop::Access;
        let Polls { holds, reads, ended, .. } = walker.polls.clone()?;
        let is_back = walker.is_at(turn) || ended.is_empty() && self.alike(turn, &walker);
        (comes && !holds && is_back).then_some(InVain { reads, tallied: walker.tallied })
    }
}

/// Whether the thread that stands before this has polled in vain.
fn has_polled(pending: &Pending) -> bool {
    matches!(pending.operation, Operation::InVain { .. })
}

impl Walker<'_> {
    /// Goes through the call before which it stands if that locks a mutex, which it polls under from now on.
    pub(super) fn begin_section(&mut self) -> Option<()> {
        let Inst::Call { site, callee } = *self.function().code.get(self.pc() as usize)? else { return None };
        let argument = self.function().calls[site as usize].args.first().filter(|argument| argument.slots == 1)?;
        let mutex = self.known(argument.value).filter(|_| self.machine.passing(callee) == Some(Passing::Locks))?;
        self.polls = Some(Polls { mutex, holds: true, reads: Vec::new(), ended: Vec::new() });
        self.finish_access(Value::Known(0))
    }

    /// Whether it polls and holds the mutex.
    pub(super) fn holds_mutex(&self) -> bool {
        self.polls.as_ref().is_some_and(|polls| polls.holds)
    }

    /// Goes through an instruction if that has to do with the mutex under which it polls, or reads in its section.
    pub(super) fn go_through_section(&mut self, inst: Inst) -> Option<Section> {
        let holds = self.polls.as_ref()?.holds;
        if holds && reads_plainly(inst) {
            return Some(self.read_in_section().map_or(Section::Leaves, |()| Section::Passed));
        }
        let Inst::Call { site, callee } = inst else { return None };
        let passing = self.machine.passing(callee)?;
        if !matches!(passing, Passing::Locks | Passing::Unlocks) {
            return None;
        }
        let site = &self.function().calls[site as usize];
        let argument = site.args.first().filter(|argument| argument.slots == 1 && argument.byval.is_none());
        let mutex = argument.and_then(|argument| self.known(argument.value));
        let polls = self.polls.as_mut()?;
        if mutex.is_none_or(|mutex| mutex != polls.mutex) || holds != (passing == Passing::Unlocks) {
            return Some(Section::Leaves);
        }
        if !holds {
            return Some(Section::Comes);
        }
        polls.holds = false;
        if let Some(dst) = site.dst {
            (0..site.result_slots).for_each(|i| self.set(Slot(dst.0 + i), Value::Known(0)));
        }
        self.pass();
        Some(Section::Passed)
    }

    /// Goes through the plain load before which it stands, and notes it; `None` if it cannot.
    fn read_in_section(&mut self) -> Option<()> {
        let (address, size) = self.plain_load()?;
        if let Some(open) = self.open {
            // (What lies at one place is the same for both that go through the section. They read the same places.)
            let load = without_operands(self.function().code[self.pc() as usize]);
            let read = open.borrow_mut().name(load, [address, size.into(), 0].map(Value::Known));
            self.risks.push(read);
            return self.finish_access(read);
        }
        if !self.machine.is_quiet(address, size) {
            return None;
        }
        let value = self.peek((address, size))?;
        let reads = &mut self.polls.as_mut()?.reads;
        if !reads.contains(&(address, size)) {
            reads.push((address, size));
        }
        if reads.len() > MOST {
            return None;
        }
        self.finish_access(Value::Known(value))
    }
}
