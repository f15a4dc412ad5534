//! The objects and lanes that an operation touches.
use crate::machine::Machine;
use crate::memory::{ObjectKey, Role};
use crate::operation::{Operation, Patience, Wait};
use crate::sync::barrier;
use crate::sync::block::data::NO_BLOCK;
use crate::sync::block::lanes::LaneSet;
use crate::sync::cancel::CANCELLED;
use crate::sync::mutex::ROBUST_AT_END;
use crate::sync::queue;
use crate::sync::read_write::WRITER;
use crate::thread::{NO_OBJECT, Pending, Resume, Status};
use crate::waiting::TurnId;
use por::{Access, Accesses, Lanes, ObjectId, ThreadId};

/// Lane of a thread: it has ended.
pub(crate) const EXITED: u64 = 1;
/// Lane of a thread: a thread has joined or detached it.
pub(crate) const CLAIMED: u64 = 2;

/// The address and size of an access to memory.
pub(crate) fn accessed(operation: &Operation) -> Option<(u64, u8)> {
    match *operation {
        Operation::AtomicLoad { address, size, .. }
        | Operation::AtomicStore { address, size, .. }
        | Operation::AtomicRmw { address, size, .. }
        | Operation::CompareExchange { address, size, .. }
        | Operation::Load { address, size }
        | Operation::Store { address, size, .. }
        | Operation::CopyRead { from: address, size, .. }
        | Operation::CopyWrite { to: address, size, .. }
        | Operation::Fill { to: address, size, .. } => Some((address, size)),
        Operation::Create { handle, handle_bytes, .. } if handle != 0 => Some((handle, handle_bytes)),
        _ => None,
    }
}

/// Whether the operation is a plain access.
pub(crate) fn is_plain(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::CopyRead { .. }
            | Operation::CopyWrite { .. }
            | Operation::Fill { .. }
            | Operation::Create { .. }
    )
}

/// The object whose life begins or ends.
pub(crate) fn lifetime(operation: &Operation) -> Option<u64> {
    match *operation {
        Operation::Free { address }
        | Operation::EndVariable { address }
        | Operation::EndThreadVariable { address, .. }
        | Operation::BeginVariable { address } => Some(address),
        _ => None,
    }
}

/// Where the synchronisation objects are that an operation uses, which must be alive. (What queues are made of is the
/// library's, and nobody frees it.)
pub(crate) fn used_objects(operation: &Operation) -> [Option<u64>; 2] {
    match *operation {
        Operation::MutexLock { mutex, .. } | Operation::MutexUnlock { mutex } | Operation::MutexDestroy { mutex } => {
            [Some(mutex), None]
        }
        Operation::CondWait { condition, mutex, .. } | Operation::CondReacquire { condition, mutex, .. } => {
            [Some(condition), Some(mutex)]
        }
        Operation::CondSignal { condition }
        | Operation::CondBroadcast { condition }
        | Operation::CondDestroy { condition } => [Some(condition), None],
        Operation::ReadLock { lock, .. }
        | Operation::WriteLock { lock, .. }
        | Operation::ReadWriteUnlock { lock }
        | Operation::ReadWriteDestroy { lock }
        | Operation::SpinLock { lock, .. }
        | Operation::SpinUnlock { lock }
        | Operation::SpinDestroy { lock } => [Some(lock), None],
        Operation::SemaphoreInit { semaphore, .. }
        | Operation::SemaphoreWait { semaphore, .. }
        | Operation::SemaphorePost { semaphore }
        | Operation::SemaphoreValue { semaphore }
        | Operation::SemaphoreDestroy { semaphore } => [Some(semaphore), None],
        Operation::BarrierInit { barrier, .. }
        | Operation::BarrierArrive { barrier, .. }
        | Operation::BarrierLeave { barrier, .. }
        | Operation::BarrierDestroy { barrier } => [Some(barrier), None],
        Operation::OnceBegin { control, .. } | Operation::OnceEnd { control } => [Some(control), None],
        _ => [None, None],
    }
}

/// The lanes in the `index`-th granule of an access with that mask of bytes, see [`Pending::bytes`].
pub(crate) fn granule_lanes(bytes: u32, index: usize) -> u64 {
    u64::from(bytes >> (8 * index) & 0xff)
}

/// The mask of all bytes of an access.
pub(crate) fn whole_access(address: u64, size: u8) -> u32 {
    ((1 << size) - 1) << (address % 8)
}

impl Machine {
    /// Completes an operation by the objects that it touches.
    pub(crate) fn resolve(&mut self, mut operation: Operation, resume: Resume, in_block: bool) -> Pending {
        let mut objects = [NO_OBJECT; 3];
        let (mut life, mut accessed_bytes) = (NO_OBJECT, 0);
        match operation {
            Operation::MutexLock { mutex, .. }
            | Operation::MutexUnlock { mutex }
            | Operation::MutexDestroy { mutex }
            | Operation::InVain { mutex } => objects[0] = self.object(Role::Mutex, mutex),
            Operation::CondWait { condition, mutex, .. } | Operation::CondReacquire { condition, mutex, .. } => {
                objects[0] = self.object(Role::Condition, condition);
                objects[1] = self.object(Role::Mutex, mutex);
            }
            Operation::CondSignal { condition }
            | Operation::CondBroadcast { condition }
            | Operation::CondDestroy { condition } => objects[0] = self.object(Role::Condition, condition),
            Operation::ReadLock { lock, .. }
            | Operation::WriteLock { lock, .. }
            | Operation::ReadWriteUnlock { lock }
            | Operation::ReadWriteDestroy { lock }
            | Operation::SpinLock { lock, .. }
            | Operation::SpinUnlock { lock }
            | Operation::SpinDestroy { lock } => objects[0] = self.object(Role::Other, lock),
            Operation::SemaphoreInit { semaphore, .. }
            | Operation::SemaphoreWait { semaphore, .. }
            | Operation::SemaphorePost { semaphore }
            | Operation::SemaphoreValue { semaphore }
            | Operation::SemaphoreDestroy { semaphore } => objects[0] = self.object(Role::Other, semaphore),
            Operation::FutexWait { address, .. } => {
                objects = [self.object(Role::Futex, address), self.object(Role::Granule, address & !7), NO_OBJECT];
                if self.state.memory.is_promoted_mortal(address) {
                    life = self.life(address);
                }
            }
            Operation::FutexAwait { address, .. } | Operation::FutexWake { address, .. } => {
                objects[0] = self.object(Role::Futex, address);
            }
            Operation::FutexRequeue { address, to, expected, .. } => {
                objects[0] = self.object(Role::Futex, address);
                objects[1] = self.object(Role::Futex, to);
                if expected.is_some() {
                    objects[2] = self.object(Role::Granule, address & !7);
                }
                // There is nothing to be moved to.
                if objects[1] == NO_OBJECT {
                    objects[0] = NO_OBJECT;
                }
            }
            Operation::QueuePut { .. }
            | Operation::QueueTake { .. }
            | Operation::QueueLook { .. }
            | Operation::QueueClose { .. } => objects = self.queue_objects(&operation),
            Operation::Allocate { class } => objects[0] = self.class_object(class),
            Operation::OnceBegin { control, .. } | Operation::OnceEnd { control } => {
                objects[0] = self.object(Role::Other, control);
            }
            Operation::BarrierInit { barrier, .. }
            | Operation::BarrierLeave { barrier, .. }
            | Operation::BarrierDestroy { barrier } => objects = self.barrier_objects(barrier),
            Operation::BarrierArrive { barrier, ref mut used, ref mut arrival } => {
                *used |= self.learned.told_unasked;
                objects = self.barrier_objects(barrier);
                *arrival = self.next_arrival(objects);
            }
            Operation::Join { handle, .. } | Operation::Detach { handle } | Operation::Cancel { handle } => {
                if let Some(thread) = self.thread_of_handle(handle) {
                    self.note_handle_named(thread, matches!(operation, Operation::Join { .. }));
                    objects[0] = self.state.memory.ids.intern(ObjectKey::Thread(thread.0));
                }
            }
            Operation::TestCancel { .. } => {
                objects[0] = self.state.memory.ids.intern(ObjectKey::Thread(self.segment.current.0));
            }
            Operation::ThreadExit { .. } => {
                objects[0] = self.state.memory.ids.intern(ObjectKey::Thread(self.segment.current.0));
                let left = self.thread(self.segment.current).rare.robust.iter().take(ROBUST_AT_END);
                for (place, mutex) in objects[1..].iter_mut().zip(left) {
                    *place = *mutex;
                }
            }
            _ => {
                if let Some((address, size)) = accessed(&operation) {
                    accessed_bytes = whole_access(address, size);
                    if is_plain(&operation) {
                        let visible = self.state.memory.visible_bytes(address, u64::from(size)) as u32;
                        accessed_bytes &= visible << (address % 8);
                    }
                    let granules = (address % 8 + u64::from(size)).div_ceil(8) as usize;
                    for (index, object) in objects.iter_mut().enumerate().take(granules) {
                        if granule_lanes(accessed_bytes, index) != 0 {
                            *object = self.object(Role::Granule, (address & !7).wrapping_add(8 * index as u64));
                        }
                    }
                    if self.state.memory.is_promoted_mortal(address) {
                        life = self.life(address);
                    }
                } else if let Some(address) = lifetime(&operation) {
                    life = self.life(address);
                    if let Some(class) = self.freed_class(&operation) {
                        objects[0] = self.class_object(class);
                    }
                }
            }
        }
        for address in used_objects(&operation).into_iter().flatten() {
            if self.state.memory.is_promoted_mortal(address) {
                life = self.life(address);
            }
        }
        if self.can_be_cancelled() {
            let place = match operation {
                Operation::SemaphoreWait { patience: Patience::Never, .. } => None,
                Operation::Join { .. } | Operation::SemaphoreWait { .. } => Some(1),
                Operation::CondReacquire { wait: Wait::ForSignal | Wait::ForATime, .. } => Some(2),
                _ => None,
            };
            let own = self.state.memory.ids.intern(ObjectKey::Thread(self.segment.current.0));
            if let Some(place) = place.filter(|_| objects[0] != own && objects[0] != NO_OBJECT) {
                objects[place] = own;
            }
        }
        let is_of_block = in_block || operation == Operation::AtomicBegin;
        let block = if is_of_block { self.block_here() } else { self.section_here(&operation, objects[0]) };
        if block != NO_BLOCK && !is_of_block {
            objects[1] = self.lanes_of_sections(objects[0]);
        }
        Pending {
            operation,
            objects,
            life,
            bytes: accessed_bytes,
            in_block,
            block,
            in_vain: false,
            turn: TurnId::NONE,
            place: None,
            resume,
        }
    }

    fn barrier_objects(&mut self, barrier: u64) -> [ObjectId; 3] {
        [0, 1, 2].map(|word| self.object(Role::Other, barrier.wrapping_add(word)))
    }

    /// The life of the object that holds the address, dead or alive.
    fn life(&mut self, address: u64) -> ObjectId {
        let base = self.state.memory.object_at(address).map_or(address, |object| object.base);
        self.object(Role::Life, base)
    }

    /// The number of a thing in memory, alive or dead; none where there never was anything.
    fn object(&mut self, role: Role, address: u64) -> ObjectId {
        match self.state.memory.object_at(address) {
            Some(object) => self.state.memory.ids.intern(ObjectKey::InMemory {
                role,
                base: object.base,
                generation: object.generation,
                offset: address.wrapping_sub(object.base),
            }),
            None => NO_OBJECT,
        }
    }

    /// Everything that any variant of a pending operation may touch.
    pub(crate) fn footprint_of(&self, thread: ThreadId, pending: &Pending) -> Accesses {
        if pending.in_vain || matches!(pending.operation, Operation::InVain { .. }) {
            return Accesses::default();
        }
        let mut all = self.accesses_of(thread, pending);
        if let Some(place) = pending.place {
            all.push(place.access());
        }
        if let Some(object) = self.program.block_object {
            let LaneSet { reads, writes } = self.block_lanes_of(pending, &all);
            if reads | writes != 0 {
                all.push(Access { object, lanes: Lanes::Bits, reads, writes });
            }
        }
        all
    }

    /// The same without what it touches of atomic blocks.
    #[inline(always)]
    pub(super) fn accesses_of(&self, thread: ThreadId, pending: &Pending) -> Accesses {
        let mut all = Accesses::none();
        let mut push = |object: ObjectId, lanes, reads, writes| {
            // The same granule twice cannot be; the same mutex twice neither. Two roles of one address are two objects.
            if object != NO_OBJECT {
                all.push(Access { object, lanes, reads, writes });
            }
        };
        let [first, second, third] = pending.objects;
        let own = lane(thread);
        match pending.operation {
            Operation::MutexLock { .. } if second != NO_OBJECT => {
                push(first, Lanes::Whole, 1, 0);
                let LaneSet { reads, writes } = self.exploration.sections.lanes(pending.block);
                if reads | writes != 0 {
                    push(second, Lanes::Bits, reads, writes);
                }
            }
            Operation::MutexLock { .. }
            | Operation::MutexUnlock { .. }
            | Operation::MutexDestroy { .. }
            | Operation::SpinLock { .. }
            | Operation::SpinUnlock { .. }
            | Operation::SpinDestroy { .. }
            | Operation::SemaphoreInit { .. }
            | Operation::SemaphorePost { .. }
            | Operation::SemaphoreDestroy { .. }
            | Operation::OnceBegin { .. }
            | Operation::OnceEnd { .. } => push(first, Lanes::Whole, 1, 1),
            Operation::SemaphoreValue { .. } => push(first, Lanes::Whole, 1, 0),
            Operation::ReadLock { .. } => push(first, Lanes::Bits, WRITER | own, own),
            Operation::WriteLock { .. } => push(first, Lanes::Bits, u64::MAX, WRITER | own),
            Operation::ReadWriteUnlock { .. } => push(first, Lanes::Bits, own, WRITER | own),
            Operation::ReadWriteDestroy { .. } => push(first, Lanes::Bits, u64::MAX, u64::MAX),
            Operation::BarrierInit { .. }
            | Operation::BarrierArrive { .. }
            | Operation::BarrierLeave { .. }
            | Operation::BarrierDestroy { .. } => {
                let lanes = barrier::lanes(thread, &pending.operation);
                for (object, (reads, writes)) in pending.objects.into_iter().zip(lanes) {
                    if reads | writes != 0 {
                        push(object, Lanes::Bits, reads, writes);
                    }
                }
            }
            Operation::QueuePut { .. }
            | Operation::QueueTake { .. }
            | Operation::QueueLook { .. }
            | Operation::QueueClose { .. } => {
                let (reads, writes) = queue::all_lanes(&pending.operation);
                push(first, Lanes::Bits, reads, writes);
                push(second, Lanes::Bits, queue::WHETHER_IT_EXISTS, 0);
                push(third, Lanes::Bits, CANCELLED, 0);
            }
            Operation::FutexWait { address, .. } => {
                push(first, Lanes::Bits, 0, own);
                push(second, Lanes::Bytes, granule_lanes(whole_access(address, 4), 0), 0);
                push(pending.life, Lanes::Whole, 1, 0);
            }
            Operation::FutexAwait { .. } => push(first, Lanes::Bits, own, 0),
            Operation::FutexWake { .. } => push(first, Lanes::Bits, u64::MAX, u64::MAX),
            Operation::FutexRequeue { address, .. } => {
                push(first, Lanes::Bits, u64::MAX, u64::MAX);
                push(second, Lanes::Bits, 0, u64::MAX);
                push(third, Lanes::Bytes, granule_lanes(whole_access(address, 4), 0), 0);
            }
            Operation::CondWait { .. } => {
                let reads = if self.learned.mutexes_differ { u64::MAX } else { 0 };
                push(first, Lanes::Bits, reads, own);
                push(second, Lanes::Whole, 1, 1);
            }
            Operation::CondReacquire { .. } => {
                push(first, Lanes::Bits, own, 0);
                push(second, Lanes::Whole, 1, 1);
                push(third, Lanes::Bits, CANCELLED, 0);
            }
            Operation::SemaphoreWait { .. } => {
                push(first, Lanes::Whole, 1, 1);
                push(second, Lanes::Bits, CANCELLED, 0);
            }
            Operation::Cancel { .. } => push(first, Lanes::Bits, EXITED | CLAIMED | CANCELLED, CANCELLED),
            Operation::TestCancel { .. } => push(first, Lanes::Bits, CANCELLED, 0),
            Operation::CondSignal { .. } | Operation::CondBroadcast { .. } | Operation::CondDestroy { .. } => {
                push(first, Lanes::Bits, u64::MAX, u64::MAX);
            }
            Operation::ThreadExit { .. } => {
                push(first, Lanes::Bits, 0, EXITED);
                push(second, Lanes::Whole, 1, 1);
                push(third, Lanes::Whole, 1, 1);
            }
            Operation::Join { .. } => {
                push(first, Lanes::Bits, EXITED | CLAIMED, CLAIMED | CANCELLED);
                push(second, Lanes::Bits, CANCELLED, 0);
            }
            Operation::Detach { .. } => push(first, Lanes::Bits, CLAIMED, CLAIMED),
            Operation::Allocate { .. } => push(first, Lanes::Bits, u64::MAX, u64::MAX),
            Operation::Free { .. } => {
                push(first, Lanes::Bits, own, own);
                push(pending.life, Lanes::Whole, 1, 1);
            }
            operation => {
                if accessed(&operation).is_some() {
                    let (reads, writes) = directions(&operation);
                    for (index, object) in pending.objects.into_iter().enumerate() {
                        let lanes = granule_lanes(pending.bytes, index);
                        push(object, Lanes::Bytes, if reads { lanes } else { 0 }, if writes { lanes } else { 0 });
                    }
                }
                push(pending.life, Lanes::Whole, 1, u64::from(lifetime(&operation).is_some()));
            }
        }
        if pending.life != NO_OBJECT && used_objects(&pending.operation)[0].is_some() {
            all.push(Access { object: pending.life, lanes: Lanes::Whole, reads: 1, writes: 0 });
        }
        all
    }

    /// The current word of an object.
    pub(crate) fn word_of(&self, object: ObjectId) -> u64 {
        match self.state.memory.ids.key(object) {
            ObjectKey::InMemory { role: Role::Granule, base, generation: _, offset } => {
                let address = base.wrapping_add(offset) & !7;
                self.state.memory.granule(address) | self.partly_known(address, 8)
            }
            ObjectKey::InMemory { .. } | ObjectKey::Freed { .. } => self.sync_state(object).word(),
            ObjectKey::Thread(thread) => match self.state.threads.get(thread as usize) {
                Some(thread) => {
                    let exited = matches!(thread.header.status, Status::Exited);
                    let lanes =
                        [(exited, EXITED), (thread.claim.claimed, CLAIMED), (thread.claim.cancelled, CANCELLED)];
                    lanes.into_iter().filter(|(is_so, _)| *is_so).fold(0, |word, (_, lane)| word | lane)
                }
                None => 0,
            },
            ObjectKey::Line(first) => {
                self.state.threads.get(first as usize).map_or(0, |first| u64::from(first.claim.started))
            }
            // (The others are clocks.)
            ObjectKey::Process(_) => self.state.process.closed,
        }
    }
}

/// Whether an access to memory may read, and whether it may write.
pub(crate) fn directions(operation: &Operation) -> (bool, bool) {
    match operation {
        Operation::AtomicLoad { .. } | Operation::Load { .. } | Operation::CopyRead { .. } => (true, false),
        Operation::AtomicRmw { .. } | Operation::CompareExchange { .. } => (true, true),
        _ => (false, true),
    }
}

/// The lane of a thread in a condition variable. Threads of higher numbers are refused when they wait.
pub(crate) fn lane(thread: ThreadId) -> u64 {
    1u64.checked_shl(thread.0).unwrap_or(0)
}
