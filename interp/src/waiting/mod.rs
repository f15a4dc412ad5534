//! Spin loops as waits.
//!
//! A thread may read a place and, if it does not find the value that it looks for, come back to the same read in the
//! same state. Such a thread waits for another value. With [`Awaits::Wait`] it is blocked until then: the turns of its
//! loop are not explored, because each of them leaves everything as it was. These effects of a turn remain to be
//! considered:
//!
//! * Its access may race. So the thread makes it once, for the race detector only, when it comes to stand there:
//!   nothing of the thread is ordered before another's action after that, and so every race of a later turn shows here.
//!   But more may race here than does, for this access learns nothing from the thread that wrote the value. So a
//!   variable that races here is no longer waited for, and the exploration starts again.
//! * It learns what the writer of that value had done before. Knowing less, it can only race more often, and it does
//!   not act on that knowledge before it reads another value.
//! * An exchange or an update writes what was there. No thread sees more by that than the first write had to show.
//! * It finds memory that was never given a value, which is a fault. Where that is seen, no loop counts as waiting any
//!   more and the exploration starts again. An action that gives such memory a value may come before the read or behind
//!   it, unless it happens before the thread comes to stand there. So an object is not waited for where that is not so,
//!   nor one from which an action takes its value away. (Which it is need not be a part of the state: where it is not
//!   so, the thread can come to stand there before that action, and in the state behind that memory has no value. What
//!   is known of one of the two states is known of the other one. An attempt to lock something reads no values, and a
//!   plain read races with such an action.)
//! * It compares addresses, of which it is noted whether the answer depends on the layout of memory, or on whether the
//!   address of a dead object is given out again. So such a turn is one that does something of note.
//!
//! Variables of the program are there as long as it runs, so that no turn finds them gone. A block, or a variable of a
//! function, may come to its end while a thread waits for it, and the next turn would be a fault. That end writes every
//! byte, and nothing orders it after the thread's read, so that the two race: as above, the object is no longer waited
//! for, and the exploration starts again. Where that end is an action of its own, or races are not looked for, such an
//! object is not waited for at all.
//!
//! **A turn may read several places.** Then the thread takes its reads one by one, and is blocked at the one from which
//! the way leads back to an earlier one, with all as it was there (or to itself). Of any execution of the program,
//! leave out all turns that lead back: what remains is one as well, for these turns have changed nothing, and it is one
//! in which no thread goes on where it is blocked. So all that threads can do is explored. What is new are executions
//! that end where a thread waits in the middle of a turn, having read an earlier place before it was changed for the
//! last time. There it could begin the turn again. If it would only come back, it spins for ever. If not, that
//! execution does not count ([`Machine::has_read_too_early`]): the change depends on the read, so the order in which it
//! comes first is explored, too. Its reads race as those of later turns would: nothing of the thread is ordered before
//! what others do after the first of them, and what other places a later turn may read, the turn reads that begins
//! later.
//!
//! **A turn may change what nobody looks at**, such as the number of turns: it leads back as well if the thread does
//! the same from there as from where the turn began ([`alike`]).
//!
//! **A turn may read plain memory** besides, that nobody changes while the thread waits ([`plain`]).
//!
//! **A turn may write variables** in memory that are gone at its accesses ([`own`]), or that are not read any more
//! before they are written again ([`scratch`]).
//!
//! **A turn may print** what it likes, and read variables that nobody writes ([`faint`], [`unwritten`]).
//!
//! **A turn may count** in variables of the program, if nobody looks at them ([`tally`]).
//!
//! **A turn may pause** for any number of turns of a loop of its own ([`delay`]).
//!
//! **A turn may call functions** of the program. It is known by the frames from that of the loop up to the one on top.
//!
//! **A turn may try to take something**, a lock or a semaphore, and fail because others have it ([`attempt`]).
//!
//! **A turn may lock a mutex**, read, and unlock it ([`polling`]), or have several actions of these kinds ([`rounds`]).
//!
//! A thread that reads a place and fails an assumption because of what it finds there could as well never have read:
//! all that others do then they can do before. With [`Awaits::Assume`] it waits for another value, in the same way. If
//! it still waits at the end of an execution, the execution does not count, as if the assumption had failed.
//!
//! With observers, the order of two writes matters to a thread that the last one blocks. So a variable that a thread
//! waits for is never written blindly: [`Machine::is_awaited`].
mod alike;
mod attempt;
mod calls;
pub(crate) mod circle;
mod code;
mod compute;
mod confined;
mod decide_circle;
mod delay;
mod explain;
pub(crate) mod faint;
mod open;
mod own;
mod plain;
mod polling;
mod proofs;
mod read;
mod rounds;
mod scratch;
mod tally;
mod turn;
mod unwritten;
mod variables;
mod walker;

use crate::machine::Machine;
use crate::memory::{Mode, ObjectInfo, ObjectKind};
use crate::operation::Operation;
use crate::options::Awaits;
use crate::race::RaceLocation;
use crate::step::Halt;
use crate::sync::footprint::{accessed, whole_access};
use crate::thread::{After, NO_OBJECT, Pending, Resume};
use crate::undefined::SYMBOLIC;
use attempt::{attempted, fails};
use code::Through;
pub(crate) use confined::Confined;
pub(crate) use delay::Delays;
pub use explain::Loop;
use por::ThreadId;
use read::unchanged;
pub(crate) use rounds::{InLoops, Round};
pub(crate) use scratch::Scratch;
use tally::Passable;
pub(crate) use tally::{Count, Tallied, Tallies};
use turn::Place;
pub(crate) use turn::{Met, Turn, TurnId, Turns};
pub(crate) use unwritten::Unwritten;
pub(crate) use variables::Variables;
use walker::{Stop, Value, Walker};

/// Accesses of a turn, at most.
const MOST: usize = 8;

/// Frames of a turn where it begins, at most.
const DEEPEST: usize = 4;

/// Accesses after which a thread that reads everything again has found its way out.
const PATIENCE: usize = 1 << 12;

/// Why a thread goes no further with the value that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// The thread only comes back to where it stands.
    Spins,
    /// The thread fails an assumption.
    Fails,
}

impl Machine {
    /// The turn that begins with an operation before which the current thread comes to stand.
    pub(crate) fn turn(&mut self, pending: &Pending) -> Result<TurnId, Halt> {
        // (What an atomic block has changed no word says.)
        if self.program.block_object.is_some() || self.learned.waits_for_nothing {
            return Ok(TurnId::NONE);
        }
        if let Some(attempted) = attempted(&pending.operation) {
            return self.turn_of_attempt(pending, attempted);
        }
        let may_wait = match pending.operation {
            Operation::AtomicLoad { .. } => true,
            // (That an address was compared is noted by the action itself.)
            Operation::CompareExchange { undefined, expected: [expected, _], .. } => {
                undefined == [[0; 2]; 2] && !self.state.memory.is_address(expected)
            }
            Operation::AtomicRmw { unused, undefined, .. } => !unused && undefined == [0; 2],
            Operation::Load { .. } => matches!(pending.resume, Resume::Access),
            _ => false,
        };
        let Some((address, size)) = accessed(&pending.operation).filter(|&(_, size)| may_wait && size <= 8) else {
            return Ok(TurnId::NONE);
        };
        // (What is not a part of the action has no word that says what was there at other times.)
        if pending.bytes != whole_access(address, size) {
            return Ok(TurnId::NONE);
        }
        let object = self.state.memory.object_at(address).filter(|object| object.live);
        let Some(object) = object.filter(|object| address - object.base + u64::from(size) <= object.size) else {
            return Ok(TurnId::NONE);
        };
        let awaited = (object.kind, object.allocated.stack);
        if !self.may_await(&object, pending) || self.learned.racing.contains(&awaited) {
            return Ok(TurnId::NONE);
        }
        let Some(frames) = self.places_of_turn(Through::Reads) else { return Ok(TurnId::NONE) };

        if self.learned.awaited.insert(awaited) {
            self.segment.restart |= self.exploration.effects;
        }
        let mode = if matches!(pending.operation, Operation::Load { .. }) { Mode::Visible } else { Mode::Atomic };
        let origin = self.origin(mode);
        let there = self.state.memory.load(&origin, address, size.into())?;
        if there.unwritten != 0 {
            self.wait_for_nothing();
            return Ok(TurnId::NONE);
        }
        if !self.state.memory.knows_first_values(address) {
            // The read may come before that, and find memory without a value.
            self.segment.restart |= self.learned.racing.insert(awaited);
            return Ok(TurnId::NONE);
        }
        if matches!(pending.operation, Operation::AtomicRmw { .. }) {
            // It writes what was there.
            self.state.memory.store(&origin, address, size.into(), there.value)?;
        }
        let mut turn = Turn::new(frames);
        if let Some((before, read)) = self.segment.came_from
            && self.comes_to(before, read, &turn)
        {
            turn.since = before;
        }
        self.read_on_the_way(&mut turn)?;
        Ok(self.number_of_turn(turn))
    }

    /// The number of a turn. Where there are too many of them, and other machines have met others, none counts as
    /// waiting from now on.
    fn number_of_turn(&mut self, turn: Turn) -> TurnId {
        let number = self.lifelong.turns.number(turn);
        if number == TurnId::NONE && self.exploration.company {
            self.wait_for_nothing();
        }
        number
    }

    /// Whether the operation may wait for something in the object.
    fn may_await(&self, object: &ObjectInfo, pending: &Pending) -> bool {
        match object.kind {
            ObjectKind::Global(_) => true,
            // (Its end is seen to race with the read, but not if it is an action.)
            ObjectKind::Heap | ObjectKind::Stack(..) => pending.life == NO_OBJECT && self.looks_for_races(),
            _ => false,
        }
    }

    /// The frame of the loop in which the current thread stands before an access, the outermost that is known from the
    /// code: nothing of note is done on some way from there back to it. If it stores on that way what leads to confined
    /// variables of the frame below, it is that one.
    fn first_of_turn(&mut self, through: Through) -> Option<usize> {
        let mut found = None;
        let frames = self.thread(self.segment.current).frames.len();
        for index in (frames.saturating_sub(DEEPEST)..frames).rev() {
            let frame = self.thread(self.segment.current).frames[index];
            let depth = self.depth(frame.function, frame.pc, through);
            let thread = self.thread(self.segment.current);
            // (What it stores by its parameters has to be where a confined variable of its caller lies.)
            let stores = (depth.comes_back_storing || depth.returns_storing)
                && index.checked_sub(1).is_some_and(|below| {
                    let below = thread.frames[below];
                    self.program.confined(below.function).hands(below.pc, false)
                });
            let is_plain = matches!(frame.after, After::Call) && thread.allocas.len() == frame.allocas as usize;
            let may_end = is_plain && !frame.block && frame.variadic == 0;
            if depth.comes_back {
                found = Some(index);
            } else if stores && depth.comes_back_storing && may_end && through == Through::Reads {
                found = Some(index - 1);
            } else if depth.comes_back_counting {
                found = Some(index);
            }
            if !may_end || !(depth.returns || depth.returns_storing && stores || depth.returns_counting) {
                break;
            }
        }
        found
    }

    /// The frames of the current thread from that of the loop on, with the values on which all depends; `None` if there
    /// is no loop, or one of these is not there.
    fn places_of_turn(&mut self, through: Through) -> Option<Box<[Place]>> {
        let first = self.first_of_turn(through)?;
        let mut places = Vec::new();
        for index in first..self.thread(self.segment.current).frames.len() {
            let frame = self.thread(self.segment.current).frames[index];
            let live = self.live_below(frame.function, frame.pc, through);
            let thread = self.thread(self.segment.current);
            let at = |slot: u32| (frame.base + slot) as usize;
            // (The other slots do not count. Terms are not followed.)
            let shadow = |slot| if thread.tracks() { thread.shadows[at(slot)] } else { 0 };
            if live.iter().any(|&slot| shadow(slot) == SYMBOLIC) {
                return None;
            }
            let (live, undefined): (Vec<u32>, Vec<u32>) = live.iter().partition(|&&slot| shadow(slot) == 0);
            let live = live.into_iter().map(|slot| (slot, thread.regs[at(slot)])).collect();
            let undefined = undefined.into_iter().map(|slot| (slot, shadow(slot) == u64::MAX)).collect();
            places.push(Place { function: frame.function, pc: frame.pc, live, confined: 0, undefined });
        }
        self.add_confined(first, &mut places);
        Some(places.into())
    }

    /// The access that the current thread has just taken, if nothing of note lies between that one and the next: where
    /// the turn begins is a part of the thread's state then.
    pub(crate) fn turn_so_far(&self) -> Option<TurnId> {
        let (before, read) = self.segment.came_from.filter(|_| self.exploration.awaits != Awaits::Run)?;
        let (turns, trial) = (&self.lifelong.turns, (self.exploration.awaits, before, read));
        let known = turns.tried().comes_on(trial);
        debug_assert!(known.is_none_or(|known| known == self.comes_on(before, read).0), "a trial says the same again");
        let comes_on = known.unwrap_or_else(|| {
            let (comes_on, looks_at_memory) = self.comes_on(before, read);
            if !looks_at_memory {
                turns.tried().note_coming_on(trial, comes_on);
            }
            comes_on
        });
        comes_on.then_some(before)
    }

    /// Whether nothing of note lies between that access, which has read this, and the next; and whether that depends on
    /// which objects are alive now.
    fn comes_on(&self, before: TurnId, read: u64) -> (bool, bool) {
        let Some(turn) = self.lifelong.turns.get(before) else { return (false, false) };
        let mut walker = Walker::behind(self, turn);
        let comes = walker.finish_access(Value::Known(read)).is_some() && walker.go_on() == Stop::Access;
        (comes && !walker.has_own(), walker.looks_at_memory)
    }

    /// Whether nothing of note lies between that access, which has read this, and the turn.
    fn comes_to(&self, before: TurnId, read: u64, turn: &Turn) -> bool {
        let turns = &self.lifelong.turns;
        let Some(from) = turns.get(before) else { return false };
        let mut walker = Walker::behind(self, from);
        // (Where it comes to a place again that it has left in another state, it goes round another loop.)
        let is_new = |earlier: &Turn| {
            let here = |place: &Place| (place.function, place.pc);
            !earlier.frames.iter().map(here).eq(turn.frames.iter().map(here))
        };
        // (Terms are not read by a walker.)
        !self.has_terms()
            && turns.since(before).all(is_new)
            && turns.since(before).count() < MOST
            && walker.finish_access(Value::Known(read)).is_some()
            && walker.go_on() == Stop::Access
            && walker.is_at(turn)
    }

    /// Notes what the action reads that the thread is about to take, if it is one of a loop that may wait and changes
    /// nothing.
    pub(crate) fn note_turn(&mut self, pending: &Pending) {
        self.segment.came_from = None;
        if self.exploration.awaits != Awaits::Run {
            self.note_first_value(pending);
        }
        if pending.turn == TurnId::NONE {
            return;
        }
        let thread = self.segment.current;
        let footprint = self.footprint_of(thread, pending);
        let words: Vec<u64> = footprint.iter().map(|access| self.word_of(access.object)).collect();
        self.segment.came_from = unchanged(pending, &words).map(|read| (pending.turn, read));
    }

    /// Memory that was never given a value has been met where loops look: from now on none of them counts as waiting.
    pub(crate) fn wait_for_nothing(&mut self) {
        if self.exploration.awaits != Awaits::Run && !self.learned.waits_for_nothing {
            self.learned.waits_for_nothing = true;
            self.segment.restart = true;
        }
    }

    /// Threads wait in loops that only read. The machine was not started yet.
    pub fn let_threads_wait(&mut self) {
        self.exploration.awaits = Awaits::Wait;
    }

    /// No thread waits in a loop: each goes round it, whatever it reads. The machine was not started yet.
    pub fn run_all_threads(&mut self) {
        self.exploration.awaits = Awaits::Run;
        self.exploration.polls = false;
    }

    /// An object is not waited for if an action takes a value away from it; or gives it its first one, unless that
    /// happens before the thread comes to where it would wait.
    fn note_first_value(&mut self, pending: &Pending) {
        let takes_away = match pending.operation {
            Operation::AtomicLoad { .. } | Operation::Load { .. } | Operation::CopyRead { .. } => return,
            Operation::AtomicStore { undefined, .. }
            | Operation::AtomicRmw { undefined, .. }
            | Operation::Store { undefined, .. }
            | Operation::CompareExchange { undefined: [_, undefined], .. } => undefined != [0; 2],
            Operation::CopyWrite { undefined, .. } => undefined != 0,
            Operation::Fill { undefined, .. } => undefined != 0,
            _ => false,
        };
        let Some((address, size)) = accessed(&pending.operation) else { return };
        let Some(object) = self.state.memory.object_at(address).filter(|object| object.live) else { return };
        let object = (object.kind, object.allocated.stack);
        let is_first = !matches!(object.0, ObjectKind::Global(_)) && self.state.memory.has_gaps(address, size.into());
        if is_first && !takes_away && self.looks_for_races() {
            self.state.memory.record_first_value(self.segment.current, address);
        } else if is_first || takes_away {
            let is_new = self.learned.racing.insert(object);
            // (Another machine that explores the same may be waiting for it.)
            self.segment.restart |= is_new && (self.exploration.company || self.learned.awaited.contains(&object));
        }
    }

    /// Something races. Returns whether that is an object that a thread waits for: none does from now on, and the
    /// exploration starts again.
    pub(crate) fn stop_waiting_for(&mut self, place: &RaceLocation) -> bool {
        let object = (place.kind, place.allocated);
        let doubtful = self.learned.awaited.contains(&object) && self.learned.racing.insert(object);
        self.segment.restart |= doubtful;
        doubtful
    }

    /// Whether a thread may wait for the object at the address.
    pub(crate) fn is_awaited(&self, address: u64) -> bool {
        let object = self.state.memory.object_at(address).filter(|_| !self.learned.awaited.is_empty());
        object.is_some_and(|object| self.learned.awaited.contains(&(object.kind, object.allocated.stack)))
    }

    /// Why the thread goes no further if what it accesses has these words; `None` if it does.
    pub(crate) fn waits(&self, thread: ThreadId, pending: &Pending, words: &[u64]) -> Option<Wait> {
        let turn = self.lifelong.turns.get(pending.turn)?;
        let read = match attempted(&pending.operation) {
            None => unchanged(pending, words)?,
            Some(_) if fails(thread, pending, words) => self.result_of_failure(turn)?,
            Some(_) => return None,
        };
        self.leads_nowhere(pending.turn, turn, read)
    }

    /// Why a thread that can move otherwise stays where it is; `None` if it does not.
    pub(crate) fn why_it_waits(&self, thread: ThreadId) -> Option<Wait> {
        if self.has_polled_in_vain(thread) {
            return Some(Wait::Fails);
        }
        let pending = self.thread(thread).header.pending.as_ref().filter(|pending| pending.turn != TurnId::NONE)?;
        let footprint = self.footprint_of(thread, pending);
        let words: Vec<u64> = footprint.iter().map(|access| self.word_of(access.object)).collect();
        self.waits(thread, pending, &words)
    }

    /// Whether the turn leads back to where it begins, or to an access since which nothing of note was done, and
    /// everything is as it was then; or to an assumption that fails, if this value is read.
    fn leads_nowhere(&self, id: TurnId, turn: &Turn, read: u64) -> Option<Wait> {
        let (turns, trial) = (&self.lifelong.turns, (self.exploration.awaits, id, read));
        let known = turns.tried().waits(trial);
        debug_assert!(
            known.is_none_or(|known| known == self.try_turn(id, turn, read).0),
            "a trial says the same again"
        );
        known.unwrap_or_else(|| {
            let (wait, looks_at_memory) = self.try_turn(id, turn, read);
            if !looks_at_memory {
                turns.tried().note_wait(trial, wait);
            }
            wait
        })
    }

    /// The same, tried anew; and whether that depends on which objects are alive now.
    fn try_turn(&self, id: TurnId, turn: &Turn, read: u64) -> (Option<Wait>, bool) {
        let mut walker = Walker::new(self, turn);
        if walker.finish_access(Value::Known(read)).is_none() {
            return (None, false);
        }
        let wait = match walker.go_on() {
            Stop::Access => {
                self.lifelong.turns.since(id).any(|turn| self.is_back(&walker, turn)).then_some(Wait::Spins)
            }
            Stop::Fails => Some(Wait::Fails),
            Stop::Leaves => None,
        };
        let tallied = || self.lifelong.turns.since(id).flat_map(|turn| turn.tallied.iter().flatten());
        if wait.is_some() && tallied().any(|tallied| tallied.is_signed()) {
            self.note_counts_turns();
        }
        // (Words on which that relies lie in objects that are alive now.)
        (wait, walker.looks_at_memory || walker.relies.get())
    }

    /// Whether the walker stands where the turn begins, or where the thread does the same as from there.
    fn is_back(&self, walker: &Walker<'_>, turn: &Turn) -> bool {
        walker.is_at(turn) || self.alike(turn, walker)
    }

    /// Whether a thread that waits in the middle of a turn would find its way out if it read again what it read before
    /// that, with what is in memory now.
    pub(crate) fn has_read_too_early(&self, thread: ThreadId) -> bool {
        let Some(pending) = self.thread(thread).header.pending.as_ref() else { return false };
        let turn = self.lifelong.turns.get(pending.turn).filter(|turn| turn.since != TurnId::NONE);
        let Some(turn) = turn.filter(|_| self.why_it_waits(thread) == Some(Wait::Spins)) else { return false };
        let mut walker = Walker::new(self, turn);
        walker.passes = Passable::All;
        let mut met = walker.clone();
        // Nothing else goes on meanwhile: a state that comes again, or one from which the thread does the same, does so
        // for ever (after Brent).
        for count in 0..PATIENCE {
            // (What lives where others may act, and changes, is no mere spinning. Plain reads are no such places.)
            let goes_round = walker.read_now().and_then(|read| walker.finish_access(Value::Known(read))).is_some()
                && walker.go_on() == Stop::Access
                && (!walker.has_own()
                    || walker.plain_load().is_some_and(|(address, size)| self.is_quiet(address, size)));
            if !goes_round {
                return true;
            }
            if walker.is_as(&met) || self.walks_alike(&walker, &met) {
                return false;
            }
            if count.is_power_of_two() {
                met = walker.clone();
            }
        }
        true
    }
}
