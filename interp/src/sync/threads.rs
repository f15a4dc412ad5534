//! Creating, ending, joining and detaching threads.
use crate::machine::{AtExit, Machine};
use crate::memory::{Mode, Quarantine};
use crate::operation::Operation;
use crate::step::Halt;
use crate::thread::{After, Claim, Header, Rare, Status, Thread};
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use por::ThreadId;

impl Machine {
    /// The thread with this handle, whether or not it has ended.
    pub(crate) fn thread_of_handle(&self, handle: u64) -> Option<ThreadId> {
        let id = ThreadId(u32::try_from(handle).ok()?.checked_sub(1)?);
        let thread = self.state.threads.get(id.index())?;
        (thread.header.status != Status::Absent).then_some(id)
    }

    /// The place of the next thread among the children of its parent: the first one that is free.
    fn next_place(&self, parent: ThreadId) -> u32 {
        let thread = self.thread(parent);
        thread.free_places.last().copied().unwrap_or(thread.header.children)
    }

    /// The handle of the thread that the current one creates next: nothing that others do changes it.
    pub(crate) fn next_handle(&self) -> u64 {
        let parent = self.segment.current;
        u64::from(self.lifelong.paths.child(parent, self.next_place(parent)).0) + 1
    }

    /// The current thread stands before the creation of another one. Its handle is stored now: all that the new thread
    /// does comes after that, and another thread that reads the handle without knowing of the new one races. In memory
    /// where a race is no bug the store is a part of the action instead, so that no thread finds the handle of a thread
    /// that is not there yet.
    ///
    /// (As a part of the action it would not be a local step. Then a race with it would be cut off together with the
    /// action.)
    pub(super) fn announce(&mut self, creation: &mut Operation) -> Result<(), Halt> {
        if let Operation::Create { handle, handle_bytes, .. } = creation
            && *handle != 0
            && !self.state.memory.is_visible(*handle, u64::from(*handle_bytes))
        {
            self.store(*handle, u64::from(*handle_bytes), self.next_handle(), 0)?;
            *handle = 0;
        }
        Ok(())
    }

    /// Makes a thread exist. Its number depends on its parent and its place among the parent's children only.
    pub(crate) fn bring_up(&mut self, parent: Option<ThreadId>) -> ThreadId {
        let (mut place, mut comes_again) = (0, false);
        let id = match parent {
            None => ThreadId(0),
            Some(parent) => {
                place = self.next_place(parent);
                if self.thread(parent).free_places.is_empty() {
                    self.thread_mut(parent).header.children += 1;
                } else {
                    self.set_place(parent, place, false);
                    comes_again = true;
                    self.lifelong.assumptions.insert(Assumption::AddressReuse);
                }
                self.lifelong.paths.child(parent, place)
            }
        };
        self.follow_new_thread(id);
        // What a thread had joined that is over and had the number before: the new one has no children.
        while let Some(&free) = self.state.threads.get(id.index()).and_then(|thread| thread.free_places.last()) {
            self.set_place(id, free, false);
        }
        while self.state.threads.len() <= id.index() {
            let program = std::sync::Arc::clone(&self.program);
            self.state.threads.push(Thread::absent(&program.constants));
        }
        let thread = &mut self.state.threads[id.index()];
        self.log.save_thread(id, thread);
        self.log.save_rare(id, thread);
        // The frames of a thread that is over and had the number before.
        while let Some(frame) = thread.frames.pop() {
            self.log.save_popped(id, thread.frames.len(), frame);
            if !thread.frames.is_empty() {
                self.log.save_top(id, thread);
            }
        }
        thread.allocas.clear();
        // Events are counted over all lives.
        thread.header = Header { status: Status::Alive, events: thread.header.events, ..Header::ABSENT };
        thread.rare = Rare { place, comes_again, ..Rare::default() };
        if self.state.process.threads <= id.0 {
            self.process_mut().threads = id.0 + 1;
        }
        id
    }

    /// Creates a thread and runs it to its first operation.
    pub(crate) fn create(
        &mut self,
        routine: u64,
        (argument, mark): (u64, u64),
        detached: bool,
        c11: bool,
    ) -> Result<ThreadId, Halt> {
        let parent = self.segment.current;
        self.lifelong.assumptions.insert(Assumption::CreationSucceeds);
        let function = self.function_at(routine)?;
        let child = self.bring_up(Some(parent));
        let creator = Some((parent, self.thread(parent).header.events));
        let tells = self.argument_that_tells(function, argument);
        let rare = self.rare_mut(child);
        rare.creator = creator;
        rare.routine = Some(function);
        rare.argument = tells;
        self.claim(child, detached, None);
        if detached {
            self.note_unawaited();
            self.note_end_matters();
            self.follow_detach(child);
        }
        self.state.memory.race.fork(parent, child);
        if mark == 0 {
            self.line_up(child, c11);
        }
        self.segment.created = Some(child);

        self.enter_segment(child);
        let result = self.enter_root(function, &[argument], After::Thread { c11 });
        if result.is_ok() && mark != 0 {
            self.mark_first_argument(argument, mark);
        }
        self.follow_child(child, |machine| {
            if let Err(halt) = result.and_then(|()| machine.run()) {
                machine.halted(halt);
            }
            machine.give_place(child);
        });
        self.enter_segment(parent);
        Ok(child)
    }

    /// The current thread ends.
    pub(crate) fn exit_thread(&mut self, value: u64) -> Result<(), Halt> {
        let me = self.segment.current;
        self.note_end_in_line(value | self.thread(me).rare.undefined_result);
        self.leave_robust()?;
        // The log holds the frame on top only: the lists stay, what they name ends.
        let origin = self.origin(Mode::Plain);
        for index in (0..self.thread(me).allocas.len()).rev() {
            let address = self.thread(me).allocas[index];
            self.state.memory.end(&origin, address)?;
        }
        for index in 0..self.thread(me).rare.locals.len() {
            let address = self.thread(me).rare.locals[index];
            if address != 0 {
                self.state.memory.end(&origin, address)?;
            }
        }
        let Rare { errno, specific, .. } = self.thread(me).rare;
        for address in [errno, specific].into_iter().filter(|address| *address != 0) {
            self.state.memory.end(&origin, address)?;
        }
        let header = &mut self.thread_mut(me).header;
        header.value = value;
        header.status = Status::Exited;
        self.state.memory.race.end(me);
        if me == ThreadId(0) {
            self.note_end_matters();
            self.check_handlers();
        }
        Ok(())
    }

    /// A function is to run at the end of the process.
    pub(crate) fn register_at_exit(&mut self, address: u64, argument: u64) {
        let me = self.segment.current;
        let by = (me, self.thread(me).header.events);
        self.process_mut().at_exit.push(AtExit { address, argument, by });
        let mut others = (0..self.state.process.threads).map(ThreadId).filter(|other| *other != me);
        if others.any(|other| self.thread(other).rare.exiting.is_some()) {
            self.note_registered_meanwhile();
        }
        self.check_handlers();
    }

    /// The current thread ends the process: whether it does so in any order with functions being registered is not
    /// explored.
    pub(crate) fn check_registered(&mut self) {
        let me = self.segment.current;
        if !self.state.process.at_exit.iter().all(|function| self.is_known(me, function.by)) {
            self.note_registered_meanwhile();
        }
    }

    /// Whether the thread knows an event of another one because of creations and joins: it was created after that
    /// event, or a thread that joined the other one is known to it.
    fn is_known(&self, me: ThreadId, mut of: (ThreadId, u32)) -> bool {
        while of.0 != me && !self.is_behind(me, of.0, of.1) {
            let Some(joiner) = self.thread(of.0).claim.joiner else { return false };
            of = joiner;
        }
        true
    }

    /// Whether a thread was created after an event of another one, or by one that was.
    fn is_behind(&self, mut thread: ThreadId, ancestor: ThreadId, event: u32) -> bool {
        while let Some((creator, at)) = self.thread(thread).rare.creator {
            if creator == ancestor {
                return event <= at;
            }
            thread = creator;
        }
        false
    }

    fn note_registered_meanwhile(&mut self) {
        let reason = "a function is registered for the end of the process by one thread while another one ends it";
        self.note_unknown(reason.to_owned());
    }

    /// After main has ended by pthread_exit, the process ends with its last thread. The order of ends decides which
    /// thread that is, and this order is not explored. So functions that are to run at that end are not modelled.
    pub(crate) fn check_handlers(&mut self) {
        let main_is_gone = self.thread(ThreadId(0)).header.status == Status::Exited;
        if main_is_gone && !(self.state.process.at_exit.is_empty() && self.program.module.destructors.is_empty()) {
            self.note_unknown(
                "functions registered for the end of the process, which ends with its last thread".to_owned(),
            );
        }
    }

    /// Whether a thread has joined or detached the thread, and which one has joined it.
    fn claim(&mut self, id: ThreadId, claimed: bool, joiner: Option<(ThreadId, u32)>) {
        let claim = &mut self.state.threads[id.index()].claim;
        let new = Claim { claimed, joiner, ..*claim };
        if *claim != new {
            self.log.save_claim(id, *claim);
            *claim = new;
        }
    }

    /// A place among the children of a thread becomes free, or is taken.
    fn set_place(&mut self, parent: ThreadId, place: u32, free: bool) {
        self.log.note_place(parent, place, free);
        self.thread_mut(parent).set_place(place, free);
    }

    /// The current thread takes notice of another one by its handle. See `Learned::numbers_once`.
    pub(super) fn note_handle_used(&mut self, target: ThreadId) {
        let me = self.segment.current;
        let Rare { comes_again, creator, .. } = self.thread(target).rare;
        if comes_again && target != me && creator.is_none_or(|(creator, _)| creator != me) {
            self.segment.restart |= !self.learned.numbers_once;
            self.learned.numbers_once = true;
        }
    }

    /// Waits for a thread that has ended (or that cannot be waited for); returns its value, for which the program asks
    /// or not, and the bits of it that were never given one.
    pub(crate) fn join(&mut self, handle: u64, is_asked: bool) -> Result<(u64, u64), Halt> {
        let Some(target) = self.thread_of_handle(handle) else {
            return Err(Halt::fault(Kind::Misuse, "join of something that is no thread"));
        };
        if target == self.segment.current {
            return Err(Halt::fault(Kind::Deadlock, "the thread joins itself"));
        }
        self.note_handle_used(target);
        if self.thread(target).claim.claimed {
            self.note_end_matters();
            let message = format!("join of {}, which is detached or was joined already", self.thread_name(target));
            return Err(Halt::fault(Kind::Misuse, message));
        }
        let (value, undefined) = (self.thread(target).header.value, self.thread(target).rare.undefined_result);
        // (As a part of another action it belongs to the thread's next one.)
        let events = self.thread(self.segment.current).header.events + u32::from(self.merges_ends());
        self.claim(target, true, Some((self.segment.current, events)));
        self.forget_cancellation(target);
        self.follow_join(target);
        let creator = self.thread(target).rare.creator;
        // (The next thread under that number would be taken for the one that holds its locks; and its children would
        // get the numbers of those that this one has left behind.)
        if self.state.memory.quarantine() == Quarantine::SHORT
            && self.thread(target).header.holds == 0
            && self.thread(target).has_joined_all_children()
            && !self.learned.numbers_once
            && creator.is_some_and(|(creator, _)| creator == self.segment.current)
        {
            let place = self.thread(target).rare.place;
            self.set_place(self.segment.current, place, true);
        }
        if !self.join_in_line(target, is_asked) {
            self.state.memory.race.join(self.segment.current, target);
        }
        self.note_whether_alone();
        Ok((value, undefined))
    }

    /// Detaches a thread.
    pub(crate) fn detach(&mut self, handle: u64) -> Result<(), Halt> {
        let Some(target) = self.thread_of_handle(handle) else {
            return Err(Halt::fault(Kind::Misuse, "detach of something that is no thread"));
        };
        self.note_handle_used(target);
        if self.thread(target).claim.claimed {
            let message = format!("detach of {}, which is detached or was joined already", self.thread_name(target));
            return Err(Halt::fault(Kind::Misuse, message));
        }
        self.claim(target, true, None);
        self.note_unawaited();
        self.note_end_matters();
        self.follow_detach(target);
        Ok(())
    }
}
