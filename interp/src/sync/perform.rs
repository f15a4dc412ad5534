//! What each operation does.
use crate::library::hooks::Outcome;
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::atomic;
use crate::operation::{Operation, Patience, RmwOp, Wait};
use crate::race::RaceModel;
use crate::step::{Flow, Halt, Rest};
use crate::symbolic::is_symbolic;
use crate::sync::cancel::IS_CANCELLED;
use crate::sync::condition::TIME_OVER;
use crate::sync::footprint::{accessed, granule_lanes};
use crate::thread::{NO_OBJECT, Pending, Resume, Status};
use crate::undefined::SYMBOLIC;
use crate::value;
use crate::verdict::assumption::Assumption;
use crate::verdict::describe::Action;
use frontend::ir::Ordering;
use por::{Effect, ThreadId};

/// What came of an operation.
pub(super) enum Done {
    /// It has a result, of which these bits were never given a value.
    Result { words: [u64; 2], success: bool, undefined: [u64; 2] },
    /// A plain load has this value, of which these bits were never given one.
    Loaded { value: [u64; 2], undefined: [u64; 2] },
    /// The instruction is not finished with that.
    Rest(Rest),
    /// Next the thread stands before this operation.
    Before(Operation),
    /// It has not happened: the thread has to decide first.
    Undecided(Flow),
    /// The thread is over.
    Over,
}

impl Done {
    pub(super) fn value(value: u64) -> Done {
        Done::Result { words: [value, 0], success: true, undefined: [0; 2] }
    }
}

/// The values of threads that have stopped because of a failed assumption, and because they ended the process. (That of
/// one with a fault is 0.)
pub(crate) const AFTER_ASSUMPTION: u64 = 1;
pub(crate) const AFTER_EXIT: u64 = 2;

/// The kind of an atomic access, for the clocks.
pub(super) enum AtomicKind {
    Load,
    Store,
    Update,
}

impl Machine {
    /// Executes an operation of the current thread, and takes it to where it goes on.
    pub(crate) fn carry_out(&mut self, pending: &Pending, label: u32) -> Result<Flow, Halt> {
        match self.perform(pending, label)? {
            Done::Result { words, success, undefined } => self.resume(pending.resume, words, success, undefined),
            Done::Loaded { value, undefined } => {
                self.finish_load(value, undefined);
                Ok(Flow::Next)
            }
            Done::Rest(rest) => Ok(Flow::Rest(rest)),
            Done::Before(operation) => Ok(Flow::Before(operation, pending.resume)),
            Done::Undecided(decision) => Ok(decision),
            Done::Over => Ok(Flow::Over),
        }
    }

    /// Takes the current thread to where it goes on after an operation with that result.
    pub(super) fn resume(
        &mut self,
        resume: Resume,
        words: [u64; 2],
        success: bool,
        undefined: [u64; 2],
    ) -> Result<Flow, Halt> {
        match resume {
            Resume::Instruction | Resume::Result => {
                self.finish_instruction(words, undefined, success);
            }
            Resume::Finish(finish) => {
                return Ok(Flow::Rest(Rest::Finish(finish, Outcome { value: words, undefined, success })));
            }
            Resume::EnterBlock(callee) => self.enter_block(callee)?,
            Resume::Model => return Ok(Flow::Rest(Rest::Model)),
            Resume::Access => unreachable!("a plain load has a result of its own"),
            Resume::Behind => self.advance(),
            Resume::Again => {}
        }
        Ok(Flow::Next)
    }

    fn perform(&mut self, pending: &Pending, label: u32) -> Result<Done, Halt> {
        let [first, second, _] = pending.objects;
        let mut action = Action { thread: self.segment.current, read: None, written: None, result: 0 };
        self.segment.last_action = Some(action);
        if let Some(done) = self.perform_plain(pending)? {
            return Ok(done);
        }
        let done = match pending.operation {
            Operation::AtomicLoad { address, size, ordering } => {
                self.order(pending, AtomicKind::Load, ordering);
                let (value, undefined) = self.read_atomic(address, size)?;
                self.segment.last_action = Some(Action { read: Some(value), ..action });
                return Ok(Done::Result { words: split(value), success: true, undefined });
            }
            Operation::AtomicStore { address, size, ordering, value, undefined } => {
                self.write_atomic(address, size, value, undefined)?;
                self.order(pending, AtomicKind::Store, ordering);
                action.written = Some(join(value));
                0
            }
            Operation::AtomicRmw { op, address, size, ordering, unused: _, value, undefined: given } => {
                if matches!(self.effect_of(pending), Effect::Updates(_)) {
                    self.lifelong.commuted = true;
                } else {
                    self.order(pending, AtomicKind::Load, ordering);
                }
                let (old, undefined) = self.read_atomic(address, size)?;
                if is_symbolic(undefined) || is_symbolic(given) {
                    let new = self.update_terms(op, size, (split(old), undefined), (value, given))?;
                    self.write_atomic(address, size, new.0, new.1)?;
                    self.order(pending, AtomicKind::Update, ordering);
                    return Ok(Done::Result { words: split(old), success: true, undefined });
                }
                // An exchange only passes on what it is given, and what was there.
                if op != RmwOp::Xchg && (undefined, given) != ([0; 2], [0; 2]) {
                    return Err(atomic::uninitialised());
                }
                let new = atomic::update(op, size, old, join(value))
                    .ok_or_else(|| Halt::unknown(format!("an atomic operation without an exact model{}", self.at())))?;
                let new = match op {
                    RmwOp::PointerAdd | RmwOp::PointerSub => self.state.memory.derive(old as u64, new as u64).into(),
                    _ => new,
                };
                self.write_atomic(address, size, split(new), given)?;
                self.order(pending, AtomicKind::Update, ordering);
                self.segment.last_action = Some(Action { read: Some(old), written: Some(new), ..action });
                return Ok(Done::Result { words: split(old), success: true, undefined });
            }
            Operation::CompareExchange { address, size, success, failure, expected, new, undefined: given } => {
                let found = match self.finds_expected((address, size), expected, given[0])? {
                    Some(Err(decision)) => {
                        self.note_look(pending);
                        return Ok(Done::Undecided(decision));
                    }
                    found => found.and_then(Result::ok),
                };
                let current = self.peek_atomic(address, size);
                let equal = found.unwrap_or(current == join(expected));
                if found.is_none() && !equal {
                    self.note_compared([current, join(expected)]);
                }
                self.order(pending, AtomicKind::Load, if equal { success } else { failure });
                let (old, undefined) = self.read_atomic(address, size)?;
                if found.is_none() {
                    self.compare_undefined(size, old ^ join(expected), join(undefined) | join(given[0]))?;
                    let written = (equal && !is_symbolic(given[1])).then(|| join(new));
                    self.segment.last_action = Some(Action { read: Some(old), written, ..action });
                }
                if equal {
                    self.write_atomic(address, size, new, given[1])?;
                    self.order(pending, AtomicKind::Update, success);
                }
                return Ok(Done::Result { words: split(old), success: equal, undefined });
            }
            Operation::Create { handle, handle_bytes, routine, argument, mark, detached, c11 } => {
                if handle != 0 {
                    let value = self.next_handle();
                    self.store_as(Mode::Visible, handle, handle_bytes.into(), value, 0)?;
                    self.order_plain(pending, AtomicKind::Store);
                }
                self.create(routine, (argument, mark), detached, c11)?;
                0
            }
            Operation::ThreadExit { value } => {
                self.exit_thread(value)?;
                self.leave_blocks();
                return Ok(Done::Over);
            }
            Operation::SemaphoreWait { .. }
            | Operation::QueuePut { .. }
            | Operation::QueueTake { .. }
            | Operation::Join { .. }
            | Operation::TestCancel { .. }
                if label == IS_CANCELLED =>
            {
                return Ok(Done::Before(self.end_by_cancellation()));
            }
            Operation::Join { handle, result, c11 } => {
                match self.perform_join((handle, result), c11, pending.resume)? {
                    Some(rest) => return Ok(Done::Rest(rest)),
                    None => 0,
                }
            }
            Operation::Detach { handle } => {
                self.detach(handle)?;
                0
            }
            Operation::MutexLock { mutex, patience: Patience::Forever } => {
                let result = self.lock_section(pending, mutex, label)?;
                if result == 0 && self.polls_in_vain(pending, mutex)? {
                    self.end_section_in_vain(mutex, first)?;
                    return Ok(Done::Before(Operation::InVain { mutex }));
                }
                result
            }
            Operation::MutexLock { mutex, patience } => self.try_lock((mutex, first), patience)?,
            Operation::MutexUnlock { mutex } => self.unlock(mutex, first)?,
            Operation::MutexDestroy { mutex } => self.destroy_mutex(mutex, first)?,
            Operation::CondWait { condition, mutex, patience } => {
                self.wait((condition, first), (mutex, second), label)?;
                let wait = if patience == Patience::Forever { Wait::ForSignal } else { Wait::ForATime };
                return Ok(Done::Before(Operation::CondReacquire { condition, mutex, wait }));
            }
            Operation::CondReacquire { condition, mutex, wait: _ } if label == TIME_OVER => {
                self.stop_waiting(condition, first)?;
                return Ok(Done::Before(Operation::CondReacquire { condition, mutex, wait: Wait::TimedOut }));
            }
            Operation::CondReacquire { condition, mutex, wait: _ } if label == IS_CANCELLED => {
                self.stop_waiting(condition, first)?;
                return Ok(Done::Before(Operation::CondReacquire { condition, mutex, wait: Wait::Cancelled }));
            }
            Operation::CondReacquire { condition: _, mutex, wait: Wait::Cancelled } => {
                self.lock(mutex, second)?;
                return Ok(Done::Before(self.end_by_cancellation()));
            }
            Operation::CondReacquire { condition: _, mutex, wait } => self.reacquire((mutex, second), wait)?,
            Operation::TestCancel { always: _ } => 0,
            Operation::Cancel { handle } => {
                self.cancel(handle)?;
                0
            }
            Operation::CondSignal { condition } => {
                self.signal(condition, first, label)?;
                0
            }
            Operation::CondBroadcast { condition } => {
                self.broadcast(condition, first)?;
                0
            }
            Operation::CondDestroy { condition } => {
                self.destroy_condition(condition, first)?;
                0
            }
            Operation::FutexWait { .. } => return self.futex_wait(pending, label),
            Operation::FutexAwait { .. } => return Ok(self.futex_await(pending, label)),
            Operation::FutexWake { .. } => self.futex_wake(pending, label)?,
            Operation::FutexRequeue { .. } => return self.futex_requeue(pending, label),
            Operation::ReadLock { lock, patience } => self.read_lock((lock, first), patience)?,
            Operation::WriteLock { lock, patience } => self.write_lock((lock, first), patience)?,
            Operation::ReadWriteUnlock { lock } => self.read_write_unlock(lock, first)?,
            Operation::ReadWriteDestroy { lock } => self.destroy_read_write(lock, first)?,
            Operation::SpinLock { lock, patience } => self.spin_lock((lock, first), patience)?,
            Operation::SpinUnlock { lock } => self.spin_unlock(lock, first)?,
            Operation::SpinDestroy { lock } => self.destroy_spin_lock(lock, first)?,
            Operation::SemaphoreInit { semaphore, value } => self.semaphore_init(semaphore, first, value)?,
            Operation::SemaphoreWait { semaphore, patience } => self.semaphore_wait((semaphore, first), patience)?,
            Operation::SemaphorePost { semaphore } => self.semaphore_post(semaphore, first)?,
            Operation::SemaphoreValue { semaphore } => self.semaphore_value(semaphore, first)?,
            Operation::SemaphoreDestroy { semaphore } => self.destroy_semaphore(semaphore, first)?,
            Operation::BarrierInit { barrier, count } => self.barrier_init(barrier, pending.objects, count)?,
            Operation::BarrierArrive { barrier, used, arrival } => {
                return Ok(Done::Before(self.arrive(barrier, pending.objects, arrival, used)?));
            }
            Operation::BarrierLeave { .. } => self.leave_barrier(&pending.operation, pending.objects)?,
            Operation::BarrierDestroy { barrier } => self.destroy_barrier(barrier, pending.objects)?,
            Operation::QueuePut { .. }
            | Operation::QueueTake { .. }
            | Operation::QueueLook { .. }
            | Operation::QueueClose { .. } => {
                let words = self.use_queue(pending)?;
                self.segment.last_action = Some(Action { result: words[0], ..action });
                return Ok(Done::Result { words, success: true, undefined: [0; 2] });
            }
            Operation::OnceBegin { control, routine } => {
                if self.begin_once(control, first)? {
                    return Ok(Done::Rest(Rest::CallOnce { control, routine }));
                }
                0
            }
            Operation::OnceEnd { control } => {
                self.end_once(control, first)?;
                0
            }
            Operation::Allocate { class } => {
                let address = label.checked_sub(1).map_or(0, |from| self.take_freed(class, ThreadId(from)));
                self.rare_mut(self.segment.current).chosen_address = Some(address);
                address
            }
            Operation::Choose { base, bits, .. } => {
                let value = base.wrapping_add(i64::from(label)) as u64;
                crate::value::truncate(bits.clamp(1, 64), value)
            }
            Operation::Given { value, high, bits, .. } => {
                let words = [crate::value::truncate(bits.min(64), value), high];
                self.segment.last_action = Some(Action { result: words[0], ..action });
                return Ok(Done::Result { words, success: true, undefined: [0; 2] });
            }
            Operation::Input { bits, source } => {
                let words = self.perform_input(bits, source);
                let undefined = [SYMBOLIC, if bits > 64 { SYMBOLIC } else { 0 }];
                return Ok(Done::Result { words, success: true, undefined });
            }
            Operation::Decide { term, list, .. } => {
                self.perform_decision(term, list, label)?;
                0
            }
            Operation::AtomicBegin => {
                self.begin_block(pending.block);
                0
            }
            Operation::ProcessExit { status } => {
                let me = self.segment.current;
                if self.state.process.ended.is_none() {
                    self.process_mut().ended = Some((status, me));
                }
                self.note_early_end();
                self.note_unjoined();
                self.stop(AFTER_EXIT);
                return Ok(Done::Over);
            }
            Operation::AssumeFailed => {
                self.process_mut().pruned = true;
                self.stop(AFTER_ASSUMPTION);
                return Ok(Done::Over);
            }
            other => unreachable!("{other:?} concerns promoted memory"),
        };
        // A creation has run another thread in between, so the record is written again.
        self.segment.last_action = Some(Action { result: done, ..action });
        Ok(Done::value(done))
    }

    /// The current thread joins that one, and wants its result there, if at all; what is left to do then.
    pub(super) fn perform_join(
        &mut self,
        (handle, address): (u64, u64),
        c11: bool,
        resume: Resume,
    ) -> Result<Option<Rest>, Halt> {
        let (value, undefined) = self.join(handle, address != 0)?;
        let size = if c11 { 4 } else { self.program.pointer_bytes as u8 };
        Ok((address != 0).then_some(Rest::HandOver { address, size, value, undefined, resume }))
    }

    /// The current thread is over, and so is everything else.
    fn stop(&mut self, value: u64) {
        let header = &mut self.thread_mut(self.segment.current).header;
        header.status = Status::Stopped;
        // It is a matter of this thread: others may have ended the process, or failed an assumption, independently.
        header.value = value;
        self.leave_blocks();
    }

    /// The bytes of an atomic location, without any check: what the read will find if it is allowed.
    pub(crate) fn peek_atomic(&self, address: u64, size: u8) -> u128 {
        let word =
            |at: u64, size: u8| self.state.memory.peek(at, u64::from(size)) | self.partly_known(at, u64::from(size));
        let high = if size > 8 { word(address.wrapping_add(8), size - 8) } else { 0 };
        join([word(address, size.min(8)), high])
    }

    /// Reads an atomic location: its value, and the bits that were never given one, which are 0 in it.
    pub(super) fn read_atomic(&mut self, address: u64, size: u8) -> Result<(u128, [u64; 2]), Halt> {
        let low = self.load_as(Mode::Atomic, address, u64::from(size.min(8)))?;
        let high = if size > 8 { self.load_as(Mode::Atomic, address + 8, u64::from(size - 8))? } else { (0, 0) };
        Ok((join([low.0, high.0]), [low.1, high.1]))
    }

    /// Writes an atomic location; undefined bits of the value become undefined there.
    fn write_atomic(&mut self, address: u64, size: u8, value: [u64; 2], undefined: [u64; 2]) -> Result<(), Halt> {
        if undefined != [0; 2] {
            self.wait_for_nothing();
        }
        self.store_as(Mode::Atomic, address, u64::from(size.min(8)), value[0], undefined[0])?;
        if size > 8 {
            self.store_as(Mode::Atomic, address + 8, u64::from(size - 8), value[1], undefined[1])?;
        }
        Ok(())
    }

    /// A compare-exchange has compared values that differ in some bits, where some have no value in one of them. The
    /// bits without a value are padding, or unused by the structure's fields; C compares them, too, and lets the
    /// exchange fail for them. Here they are 0, which is one of their possible values. The assumption is named if it
    /// matters, that is, if all other bits are equal. If there are no other bits, the value is not padding.
    fn compare_undefined(&mut self, size: u8, different: u128, undefined: u128) -> Result<(), Halt> {
        let all = value::mask(8 * size, u128::MAX);
        if undefined == all {
            return Err(atomic::uninitialised());
        }
        if undefined != 0 && different & !undefined == 0 {
            self.lifelong.assumptions.insert(Assumption::EqualPadding);
        }
        Ok(())
    }

    /// An atomic access is weaker than sequentially consistent. (Data-race-free programs that have none behave as if
    /// all were so anyway.)
    pub(super) fn note_weak_atomic(&mut self) {
        if !self.lifelong.weaker_atomics {
            self.lifelong.weaker_atomics = true;
            self.lifelong.assumptions.insert(Assumption::SequentialConsistency);
        }
    }

    /// Tells the race detector what an atomic access orders: before a read, what it learns, after a write, what it
    /// tells.
    fn order(&mut self, pending: &Pending, kind: AtomicKind, ordering: Ordering) {
        debug_assert!(accessed(&pending.operation).is_some());
        if ordering != Ordering::SeqCst {
            self.note_weak_atomic();
        }
        let orders = match kind {
            AtomicKind::Load => matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst),
            AtomicKind::Store | AtomicKind::Update => {
                matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
            }
        };
        if !orders && self.state.memory.race.model() != RaceModel::Sc {
            self.note_unordered();
        }
        if !matches!(kind, AtomicKind::Load) {
            self.note_release_sequence(pending, orders);
        }
        if matches!(kind, AtomicKind::Store) && self.is_set(pending) {
            return;
        }
        let (race, me) = (&mut self.state.memory.race, self.segment.current);
        for (index, object) in pending.objects.into_iter().enumerate().filter(|(_, o)| *o != NO_OBJECT) {
            let bytes = granule_lanes(pending.bytes, index) as u8;
            match kind {
                AtomicKind::Load => race.atomic_load(me, object, bytes, ordering),
                AtomicKind::Store => race.atomic_store(me, object, bytes, ordering),
                AtomicKind::Update => race.atomic_rmw(me, object, bytes, ordering),
            }
        }
    }
}

fn split(value: u128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

fn join(words: [u64; 2]) -> u128 {
    u128::from(words[0]) | u128::from(words[1]) << 64
}
