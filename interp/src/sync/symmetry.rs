//! Threads that nothing tells apart begin in one order.
//!
//! A *line* is a row of threads that one thread creates, one creation after the other, with the same function and the
//! same argument, or any number and any address of a global variable if the function does not look at it. If nothing
//! tells them apart, two executions are the same but for their names if one becomes the other by exchanging threads of
//! a line. Of these executions one is enough. It is chosen by the first actions: a thread of a line executes its first
//! action only after the one before it in the line has done so. That is all that changes. The program S' with these
//! waits is a program like any other, so each reduction holds of it as of the program S itself. Its executions are some
//! of those of S: what is wrong in them is wrong.
//!
//! **Nothing is lost**, for let E be an execution of S. Rename the threads of each line in the order of their first
//! actions (those without any come last). What results is an execution of S', if no thread ever does anything that
//! depends on which name it or another one has. To rename threads also renames the addresses of their objects, and
//! changes for which of its threads the creator waits first. So the following must not happen in S'. Where it does,
//! that is learned, and the exploration starts again with each thread on its own (*told apart*). As S' is explored
//! whole, it happens nowhere in S then.
//!
//! - *Names.* A thread other than main asks for its own number, or creates threads. Any thread asks whether a number is
//!   one of a thread, or names a thread that it has not created, or detaches one of a line.
//! - *Addresses.* A thread other than main has objects of its own (blocks, thread-local variables, `errno`),
//!   or calls a function that does anything with the address of a variable of its own but to load and to store there.
//!   So no address of which another thread has its own ever gets into a value.
//! - *What differs at the beginning.* The creator executes no action between the creations. What it accesses between
//!   them must have nothing to do with threads of the line: each thread begins with what the first one knew of the
//!   creator, so that such accesses race. Any race tells threads apart; whether it is one is seen then.
//! - *Waiting for them.* The creator waits for all of them or for none, and executes nothing but joins (of whatever
//!   threads) before it has waited for the last one. It comes to know what they have done only then, so that what it
//!   accesses before has nothing to do with them either, or races. All that it does between the first join and the last
//!   one follows from what it knew before. No execution ends while it is at that, for whatever reason: else it matters
//!   for which thread it waits. It may come to stand before an action, for example, that it could still execute if it
//!   had waited for another one; a circle of threads that wait for one another may lead through that join, or not; and
//!   what a thread has returned counts as in use until it is joined. If no execution of S' ends so, none of S does:
//!   without these joins an execution E of S is, but for names, one of S'. That goes on to one in which all threads of
//!   the line have ended and were joined, and, as E has come to its end, nobody but the creator does anything
//!   meanwhile. So they have ended in E, too, and the creator has come to the last join. (An execution that does not
//!   count because a thread has begun a turn too early may end like that. If the creator does something in the middle
//!   of joins there, it does so, too, in the execution in which that turn begins later. An engine that looks for states
//!   that come again does not see all ends. Lines are not for such engines.)
//! - *Results.* The creator asks for the result of a thread of the line, and a thread of the line, not necessarily that
//!   one, returns something but 0. It need not be joined: because of another result, it may never come to that.
//!
//! (Each of these is said of a line as a whole. A condition on one of its threads might be true of no execution of S',
//! and of one of S that has other names.)
//!
//! A first action that needs no order with others like it (see [`por::Effect`]) has no place in a line: there would be
//! nothing to gain.
use crate::machine::Machine;
use crate::memory::ObjectKey;
use crate::operation::Operation;
use crate::thread::{Pending, Status};
use frontend::ir::{FuncId, Function, Inst, Operand};
use por::{Access, Accesses, Effect, Lanes, ObjectId, ThreadId, Variant};
use serde::{Deserialize, Serialize};

/// How many threads a line has at most.
const LONGEST: u32 = 32;

/// No object has an address below.
const FIRST_PAGE: u64 = 4096;

/// A thread's line. Lengths count in the line of the first thread only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Its first thread.
    first: ThreadId,
    /// How many come before the thread.
    number: u32,
    /// How many threads it has.
    length: u32,
    /// How many of them were joined.
    joined: u32,
    /// A join has asked for the result of one of them.
    is_asked: bool,
    /// One of them has returned something but 0, whether it was joined or not.
    tells: bool,
    /// What they return is an `int`.
    c11: bool,
}

impl Line {
    /// A line of one thread.
    fn of(first: ThreadId, c11: bool) -> Self {
        Line { first, number: 0, length: 1, joined: 0, is_asked: false, tells: false, c11 }
    }
}

/// A place in a line, as the first action of a thread knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PlaceInLine {
    /// The line. A thread that has executed an action has a lane there, in the order of their places.
    object: ObjectId,
    /// How many come before.
    number: u32,
}

impl PlaceInLine {
    /// What the first action of the thread touches besides.
    pub(crate) fn access(self) -> Access {
        Access { object: self.object, lanes: Lanes::Bits, reads: self.before(), writes: self.own() }
    }

    /// Whether the access is the one without which the first action cannot be.
    pub(crate) fn waits_for(self, access: &Access) -> bool {
        self.number > 0 && access.object == self.object && access.writes == self.before()
    }

    fn own(self) -> u64 {
        1 << self.number
    }

    /// The lane of the thread before, if there is one.
    fn before(self) -> u64 {
        if self.number == 0 { 0 } else { self.own() >> 1 }
    }
}

impl Machine {
    /// From now on there are lines, or not, as the engine allows it and as was learned. The machine was not started
    /// yet.
    pub(crate) fn settle_symmetry(&mut self) {
        let is_off = self.learned.told_apart
            || self.learned.clock
            || self.learned.handed_over
            || self.exploration.compares_states
            || self.exploration.takes_any_order
            || self.program.block_object.is_some()
            || self.program.cancels
            || self.has_terms()
            || !self.looks_for_races();
        self.exploration.symmetry = self.program.options.symmetry && !is_off;
    }

    /// Something may tell threads apart.
    pub(crate) fn tell_apart(&mut self) {
        self.learned.told_apart |= self.exploration.symmetry;
    }

    /// The current thread makes use of its number.
    pub(crate) fn note_own_number(&mut self) {
        if self.segment.current != ThreadId(0) {
            self.tell_apart();
        }
    }

    /// Two accesses race, or a thread has objects of its own.
    pub(crate) fn note_difference(&mut self) {
        if self.exploration.symmetry && self.state.threads.iter().any(|thread| thread.rare.line.is_some()) {
            self.tell_apart();
        }
    }

    /// The current thread comes to stand before an operation on another one.
    pub(crate) fn note_handle_named(&mut self, target: ThreadId, joins: bool) {
        let creator = self.thread(target).rare.creator.map(|(creator, _)| creator);
        let in_line = self.thread(target).rare.line.is_some();
        if creator != Some(self.segment.current) || !joins && in_line {
            self.tell_apart();
        }
    }

    /// Whether something tells threads apart, after an action. Nothing that it found counts then. (What is unknown may
    /// be so because threads of a line know as little as the first one.)
    pub(crate) fn was_told_apart(&mut self) -> bool {
        let is_unknown = self.segment.unknown.is_some();
        if is_unknown || self.state.memory.is_divided || self.state.memory.race.has_collected() {
            self.note_difference();
        }
        if self.learned.told_apart {
            self.state.memory.race.take_collected();
            self.segment.fault = None;
            self.segment.unknown = None;
            self.segment.restart = false;
        }
        self.learned.told_apart
    }

    /// The thread executes an action.
    pub(crate) fn note_step_of_line(&mut self, thread: ThreadId, pending: &Pending) {
        if let Some(PlaceInLine { number, .. }) = pending.place
            && let Some(Line { first, .. }) = self.thread(thread).rare.line
        {
            let claim = &mut self.state.threads[first.index()].claim;
            self.log.save_claim(first, *claim);
            claim.started |= 1 << number;
        }
        let joins = matches!(pending.operation, Operation::Join { .. });
        let creates = matches!(pending.operation, Operation::Create { .. }) && thread != ThreadId(0);
        if creates || self.thread(thread).rare.owes > 0 && !joins {
            self.tell_apart();
        }
    }

    /// The current thread calls a function.
    pub(crate) fn note_call(&mut self, callee: FuncId) {
        if self.segment.current != ThreadId(0) && self.program.telling(callee).takes_addresses {
            self.tell_apart();
        }
    }

    /// What a thread is known by that starts with this function and argument: 0 where the function does not look at it,
    /// and it is a small number or the address of a global variable. (One of a block, or of what may be a block later,
    /// may be all that keeps the block from being lost.)
    pub(crate) fn argument_that_tells(&self, function: FuncId, argument: u64) -> u64 {
        let matters = !self.exploration.symmetry
            || self.program.telling(function).looks_at_argument
            || argument >= FIRST_PAGE && !self.state.memory.is_in_global(argument);
        if matters { argument } else { 0 }
    }

    /// The thread before a new one in its line, if there is one.
    fn before_in_line(&self, new: ThreadId, c11: bool) -> Option<ThreadId> {
        let rare = &self.thread(new).rare;
        let (creator, event) = rare.creator?;
        let place = rare.place.checked_sub(1).filter(|_| !rare.comes_again)?;
        let other = self.lifelong.paths.child(creator, place);
        let thread = self.state.threads.get(other.index())?;
        let line = thread.rare.line?;
        // (Whether that one is over is a matter of what has happened meanwhile.)
        let alike = thread.rare.creator.is_some_and(|known| known == (creator, event.wrapping_sub(1)))
            && thread.rare.routine == rare.routine
            && thread.rare.argument == rare.argument
            && line.c11 == c11
            && !thread.claim.claimed
            && !thread.rare.comes_again;
        (alike && line.number + 1 < LONGEST).then_some(other)
    }

    /// A new thread takes its place, before it runs. (A detached one has none.)
    pub(crate) fn line_up(&mut self, new: ThreadId, c11: bool) {
        if !self.exploration.symmetry || self.thread(new).claim.claimed || self.thread(new).rare.comes_again {
            return;
        }
        let Some(before) = self.before_in_line(new, c11) else {
            self.rare_mut(new).line = Some(Line::of(new, c11));
            return;
        };
        let Line { first, number, .. } = self.thread(before).rare.line.expect("it is in a line");
        self.rare_mut(new).line = Some(Line { number: number + 1, length: 0, ..Line::of(first, c11) });
        self.rare_mut(first).line.as_mut().expect("it is in a line").length += 1;
        self.state.memory.race.know_as_little_as(new, first);
    }

    /// A new thread has come to its first operation.
    pub(crate) fn give_place(&mut self, new: ThreadId) {
        let Some(Line { first, number, .. }) = self.thread(new).rare.line else { return };
        let pending = self.thread(new).header.pending.filter(|_| self.thread(new).header.status == Status::Alive);
        let fits = |pending: &Pending| {
            !pending.in_block
                && self.accesses_of(new, pending).len() < Accesses::CAPACITY
                && self.effect_of(pending) == Effect::Ordered
        };
        if pending.is_some_and(|pending| fits(&pending)) {
            let object = self.state.memory.ids.intern(ObjectKey::Line(first.0));
            let pending = self.state.threads[new.index()].header.pending.as_mut().expect("it has one");
            pending.place = Some(PlaceInLine { object, number });
        } else if number > 0 {
            // (Those before it may wait for nothing, but they do not know less than it does.)
            self.tell_apart();
        } else {
            self.rare_mut(new).line = None;
        }
    }

    /// Appends the variants of the first action of a thread that has a place in a line.
    pub(crate) fn variants_of_first(
        &self,
        place: PlaceInLine,
        thread: ThreadId,
        pending: &Pending,
        (all, words): (&Accesses, &[u64]),
        out: &mut Vec<Variant>,
    ) {
        let own = place.access();
        let at = all.iter().position(|access| *access == own).expect("it is among them");
        if words[at] & own.reads != own.reads {
            return;
        }
        let mut others = Accesses::none();
        all.iter().filter(|access| **access != own).for_each(|access| others.push(*access));
        let others_words: Vec<u64> =
            words.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, word)| *word).collect();
        let known = out.len();
        self.variants_of(thread, pending, &others, &others_words, out);
        out[known..].iter_mut().for_each(|variant| variant.accesses.push(own));
    }

    /// The current thread joins another one, and asks for its result or not. Whether it comes to know only later, or
    /// just has, what that one has done.
    pub(crate) fn join_in_line(&mut self, target: ThreadId, is_asked: bool) -> bool {
        let Some(Line { first, .. }) = self.thread(target).rare.line else { return false };
        let Some(Line { length, joined, .. }) = self.thread(first).rare.line.filter(|line| line.length > 1) else {
            return false;
        };
        let me = self.segment.current;
        if self.thread(target).rare.creator.is_none_or(|(creator, _)| creator != me) {
            self.tell_apart();
        }
        let line = self.rare_mut(first).line.as_mut().expect("it is in a line");
        line.joined += 1;
        line.is_asked |= is_asked;
        if line.is_asked && line.tells {
            self.tell_apart();
        }
        let owes = self.thread(me).rare.owes;
        self.rare_mut(me).owes = if joined == 0 { owes + length - 1 } else { owes.saturating_sub(1) };
        if joined + 1 == length {
            let all = (0..self.state.process.threads).map(ThreadId);
            let is_of_line = |thread: &ThreadId| self.thread(*thread).rare.line.is_some_and(|line| line.first == first);
            let all: Vec<ThreadId> = all.filter(is_of_line).collect();
            all.into_iter().for_each(|thread| self.state.memory.race.join(me, thread));
        }
        true
    }

    /// The current thread ends, and returns that. (Its creator may never come to join it, because of what another one
    /// of the line has returned.)
    pub(crate) fn note_end_in_line(&mut self, value: u64) {
        let (owes, line) = (self.thread(self.segment.current).rare.owes, self.thread(self.segment.current).rare.line);
        if owes > 0 {
            self.tell_apart();
        }
        let Some(Line { first, .. }) = line.filter(|_| value != 0) else { return };
        let line = self.rare_mut(first).line.as_mut().expect("it is in a line");
        line.tells = true;
        if line.is_asked {
            self.tell_apart();
        }
    }

    /// At the end of an execution: whether a creator has begun to wait for a line, and has not come to the end of that.
    /// It matters then which thread it waits for. So the exploration starts again.
    pub(crate) fn joins_could_differ(&mut self) -> bool {
        if !self.exploration.symmetry {
            return false;
        }
        // Such an execution does not count; but where threads poll for ever, none does.
        let polls = self.living().any(|thread| self.has_polled_in_vain(thread));
        if polls && !self.only_poll_on() || self.living().any(|thread| self.has_read_too_early(thread)) {
            return false;
        }
        let threads = &self.state.threads[..self.state.process.threads as usize];
        let differ = threads.iter().any(|first| self.is_being_joined(first));
        if differ {
            self.tell_apart();
        }
        differ
    }

    /// Whether this is the first thread of a line of several for which its creator waits, or was about to go on waiting
    /// when it was stopped.
    fn is_being_joined(&self, first: &crate::thread::Thread) -> bool {
        let line = first.rare.line.filter(|line| line.number == 0 && line.length > 1);
        let (Some(line), Some((creator, _))) = (line, first.rare.creator) else { return false };
        let pending = self.thread(creator).header.pending.as_ref().map(|pending| pending.operation);
        let waits = pending.is_some_and(|operation| {
            let Operation::Join { handle, .. } = operation else { return false };
            let target = self.thread_of_handle(handle).and_then(|target| self.thread(target).rare.line);
            target.is_some_and(|of| of.first == line.first)
        });
        waits || (1..line.length).contains(&line.joined)
    }
}

/// What of a function could tell apart the threads that run it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Telling {
    /// It does anything with the address of a variable of its own but to load and to store there.
    takes_addresses: bool,
    /// What it is given matters.
    looks_at_argument: bool,
}

impl Telling {
    /// What is found in its code.
    pub(crate) fn new(function: &Function) -> Self {
        // (What has no code here is done by a model, which may do anything with it.)
        let looks_at_argument = function.code.is_empty() || function.reads_parameters();
        Telling { takes_addresses: takes_addresses(function), looks_at_argument }
    }
}

/// See [`Telling`]. (Slots are taken as a whole, whatever they hold at different times.)
fn takes_addresses(function: &Function) -> bool {
    let made = function.code.iter().filter_map(|inst| match inst {
        Inst::Alloca { dst, .. } => Some(dst.0),
        _ => None,
    });
    let made: Vec<u32> = made.collect();
    let is_address =
        |operand: Operand, slots: u32| made.iter().any(|slot| (operand.0..operand.0 + slots).contains(slot));
    let takes = |(index, inst): (usize, &Inst)| match *inst {
        Inst::Load8 { .. }
        | Inst::Load16 { .. }
        | Inst::Load32 { .. }
        | Inst::Load64 { .. }
        | Inst::LoadBits { .. }
        | Inst::AtomicLoad { .. }
        | Inst::LifetimeStart { .. }
        | Inst::LifetimeEnd { .. } => false,
        Inst::LoadIndexed { index, .. } => is_address(index, 1),
        Inst::Store8 { value, .. }
        | Inst::Store16 { value, .. }
        | Inst::Store32 { value, .. }
        | Inst::Store64 { value, .. }
        | Inst::StoreBits { value, .. }
        | Inst::AtomicStore { value, .. }
        | Inst::AtomicRmw { value, .. } => is_address(value, 2),
        Inst::StoreIndexed { index, value, .. } => is_address(index, 1) || is_address(value, 2),
        Inst::CompareExchange { expected, new, .. } => is_address(expected, 2) || is_address(new, 2),
        Inst::StackSave { .. } | Inst::FrameAddress { .. } => true,
        _ => {
            let mut found = false;
            function.reads(index, |operand, slots| found |= is_address(operand, slots));
            found
        }
    };
    function.variadic || function.code.iter().enumerate().any(takes)
}
