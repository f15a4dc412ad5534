//! Atomic blocks: from their beginning to their end, no other thread does anything that touches what the block touches.
//!
//! Inside, visible operations happen at once if there is exactly one way in which they can. Where there are several
//! (choices, signals), for what concerns whole threads (new ones, ends, joins), and for locks and semaphores, the
//! thread stands before the operation in the middle of the block; other threads' operations on what the block touches
//! are then impossible. If an operation cannot happen at all inside a block, this tool does not model it.
//!
//! **Locks.** What others do to a lock says which thread can go on, so each change of one has to be in an action that
//! says so: it is never part of the action of the block. The lock is among what the block touches. So no other thread
//! changes it while the block lasts; and whoever holds it when the block begins is met there, which is not modelled.
//!
//! What a block touches is learned: [`data`]. What depends on it is said in [`lanes`].
pub(crate) mod data;
pub(crate) mod lanes;

use crate::machine::Machine;
use crate::memory::{ObjectKey, Role, Touch};
use crate::operation::Operation;
use crate::options::Awaits;
use crate::step::{Flow, Halt};
use crate::sync::footprint::used_objects;
use crate::thread::{Header, NO_OBJECT, Pending, Resume};
use data::{BlockNumber, BlockSite, NO_BLOCK};
use frontend::ir::Ordering;
use lanes::{BlockLanes, EVERYTHING, LaneSet, lanes_in};
use por::Accesses;
use std::sync::Arc;

impl Machine {
    /// The current thread came to an operation: it stands before it from now on (`None`), or, inside of an atomic
    /// block, has executed it and goes on like that.
    pub(crate) fn await_operation(&mut self, mut operation: Operation, resume: Resume) -> Result<Option<Flow>, Halt> {
        if let Operation::ThreadExit { value } = operation
            && let Some(address) = self.ends_with_thread()
        {
            operation = Operation::EndThreadVariable { address, value };
        }
        if matches!(operation, Operation::ThreadExit { .. }) && self.is_in_once() {
            let reason = format!("a thread ends in the middle of a routine of pthread_once{}", self.at());
            return Err(Halt::unknown(reason));
        }
        if let Operation::ThreadExit { value } = operation {
            if let Some(flow) = self.next_cleanup(value)? {
                return Ok(Some(flow));
            }
            if let Some(flow) = self.next_destructor(value)? {
                return Ok(Some(flow));
            }
        }
        if self.segment.section.is_some()
            && let Some(flow) = self.come_to_operation_in_section(&operation, resume)?
        {
            return Ok(self.end_section_action(flow));
        }
        self.announce(&mut operation)?;
        let in_block = self.thread(self.segment.current).header.block > 0;
        let mut pending = self.resolve(operation, resume, in_block);
        if in_block {
            self.note_in_block(&pending);
        } else if self.program.block_object.is_some() {
            self.note_outside_of_blocks(&pending);
        }
        if let [Some(condition), Some(mutex)] = used_objects(&pending.operation)
            && self.state.memory.lives_apart(condition, mutex)
        {
            let reason = "a condition variable and its mutex in different objects, which may end while they are used";
            return Err(Halt::unknown(format!("limit: {reason}{}", self.at())));
        }
        if self.program.block_object.is_some() && pending.life != NO_OBJECT && pending.objects[2] != NO_OBJECT {
            let reason = "an access of three words to racy memory, in a program with atomic blocks";
            return Err(Halt::unknown(format!("limit: {reason}{}", self.at())));
        }
        if in_block && !self.stands(&pending)? {
            if pending.objects[0] != NO_OBJECT && !is_memory(&pending.operation) {
                let what = "a synchronisation object is changed inside of an atomic block";
                return Err(Halt::unknown(format!("limit: {what}{}", self.at())));
            }
            let flow = self.carry_out(&pending, 0)?;
            // What follows may not rely on checks made before it.
            self.state.memory.race.enter(self.segment.current);
            return Ok(Some(flow));
        }
        if in_block {
            self.stop_in_block(ends_block(&pending.operation));
        }
        self.release_block_stores();
        if self.exploration.awaits != Awaits::Run && !in_block {
            pending.turn = self.turn(&pending)?;
        }
        if let Some(flow) = self.operate_alone(&pending)? {
            return Ok(Some(flow));
        }
        self.thread_mut(self.segment.current).header.pending = Some(pending);
        Ok(None)
    }

    /// Whether the thread must stand before this operation even inside of a block.
    fn stands(&self, pending: &Pending) -> Result<bool, Halt> {
        if matches!(
            pending.operation,
            Operation::Create { .. }
                | Operation::Choose { .. }
                | Operation::Given { .. }
                | Operation::Input { .. }
                | Operation::CondSignal { .. }
                | Operation::ThreadExit { .. }
                | Operation::Join { .. }
                | Operation::Detach { .. }
                | Operation::Cancel { .. }
                | Operation::ProcessExit { .. }
                | Operation::AssumeFailed
        ) {
            return Ok(true);
        }
        let footprint = self.footprint_of(self.segment.current, pending);
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(footprint.iter()) {
            *word = self.word_of(access.object);
        }
        let mut variants = Vec::new();
        self.variants_of(self.segment.current, pending, &footprint, &words[..footprint.len()], &mut variants);
        if variants.is_empty() {
            let reason = format!("a thread blocks inside of an atomic block{}", self.at());
            return Err(Halt::unknown(reason));
        }
        Ok(concerns_a_lock(&pending.operation) || variants.iter().any(|variant| variant.label != 0))
    }

    /// The number of the block that begins where the current thread stands, or in which it is.
    pub(super) fn block_here(&mut self) -> BlockNumber {
        let me = self.segment.current;
        let Header { block, block_number, .. } = self.thread(me).header;
        if block > 0 {
            return block_number;
        }
        let stack = self.stack_id(me);
        self.learned.blocks.number(BlockSite { thread: me.0, stack })
    }

    /// That block begins, or one inside of one.
    pub(crate) fn begin_block(&mut self, number: BlockNumber) {
        let me = self.segment.current;
        let header = &mut self.thread_mut(me).header;
        header.block += 1;
        if header.block > 1 {
            return;
        }
        header.block_number = number;
        let lanes = Arc::clone(&self.exploration.blocks);
        let LaneSet { reads, writes } = lanes.of_block(number);
        let race = &mut self.state.memory.race;
        for lane in lanes_in(reads | writes) {
            let [written, read] = lanes.clocks(lane);
            race.acquire(me, written);
            if writes >> lane & 1 != 0 {
                race.acquire(me, read);
            }
        }
        self.state.memory.watch(true);
    }

    /// What a block has stored to promoted memory is seen only after the block, with all that it has done.
    fn release_block_stores(&mut self) {
        if self.segment.block_stores.is_empty() {
            return;
        }
        for (object, bytes) in self.segment.block_stores.drain(..) {
            self.state.memory.race.atomic_store(self.segment.current, object, bytes, Ordering::SeqCst);
        }
    }

    /// The current thread ends in the middle of a block, which ends with it.
    pub(crate) fn leave_blocks(&mut self) {
        if self.thread(self.segment.current).header.block > 0 {
            self.thread_mut(self.segment.current).header.block = 1;
            self.end_block();
        }
    }

    /// The innermost block of the current thread ends.
    pub(crate) fn end_block(&mut self) {
        let me = self.segment.current;
        let header = &mut self.thread_mut(me).header;
        header.block -= 1;
        if header.block > 0 {
            return;
        }
        let number = std::mem::replace(&mut header.block_number, NO_BLOCK);
        self.compare_with_footprint(number);
        self.state.memory.watch(false);
        self.release_block_stores();
        let lanes = Arc::clone(&self.exploration.blocks);
        let LaneSet { reads, writes } = lanes.of_block(number);
        if self.state.process.closed & writes != 0 {
            self.process_mut().closed &= !writes;
        }
        if reads | writes != 0 {
            let clock = |kind: usize| move |lane| lanes.clocks(lane)[kind];
            let written = lanes_in(writes).map(clock.clone()(0));
            let read = lanes_in(reads).map(clock(1));
            self.state.memory.race.release_all(me, written, read);
        }
        self.state.memory.race.enter(me);
    }

    /// The current thread stops in the middle of its block, and goes on with it unless its next operation ends it.
    fn stop_in_block(&mut self, ends: bool) {
        let number = self.thread(self.segment.current).header.block_number;
        self.compare_with_footprint(number);
        if !ends && !self.exploration.blocks.stops(number) {
            let block = &mut self.learned.blocks.blocks[number as usize];
            if !std::mem::replace(&mut block.stops, true) {
                self.grow_footprint();
            }
        }
        self.close_block();
    }

    /// No thread sees the middle of the current thread's block, where that stands from now on.
    pub(crate) fn close_block(&mut self) {
        let writes = self.exploration.blocks.of_block(self.thread(self.segment.current).header.block_number).writes;
        if writes & !self.state.process.closed != 0 {
            self.process_mut().closed |= writes;
        }
    }

    /// The current thread is over in the middle of its block.
    pub(crate) fn halt_in_block(&mut self) {
        let header = &self.thread(self.segment.current).header;
        if header.block > 0 {
            self.compare_with_footprint(header.block_number);
            self.close_block();
        }
    }

    /// What the block has touched since this was asked last is in its footprint, or the footprint grows.
    fn compare_with_footprint(&mut self, number: BlockNumber) {
        let touched = self.state.memory.take_touched();
        let lanes = Arc::clone(&self.exploration.blocks);
        for touch in touched.iter().filter(|touch| !lanes.allows(number, touch)) {
            self.add_to_footprint(number, touch);
        }
    }

    fn add_to_footprint(&mut self, number: BlockNumber, touch: &Touch) {
        if !self.exploration.blocks.touches_everything(number) {
            self.learned.blocks.add(number, touch);
            self.grow_footprint();
        }
    }

    /// What was explored before did not know something of a block.
    fn grow_footprint(&mut self) {
        if !self.segment.restart {
            self.learned.blocks.note_growth();
        }
        (self.segment.restart, self.segment.left_footprint) = (true, true);
    }

    /// The current thread, in a block, comes to an operation: what that touches besides memory.
    fn note_in_block(&mut self, pending: &Pending) {
        let number = pending.block;
        if self.exploration.blocks.touches_everything(number) {
            return;
        }
        let mut everything = concerns_more_than_memory(&pending.operation);
        for object in pending.objects.into_iter().chain([pending.life]).filter(|object| *object != NO_OBJECT) {
            match self.state.memory.ids.key(object) {
                // These are seen when they are accessed.
                ObjectKey::InMemory { role: Role::Granule, .. } => {}
                ObjectKey::InMemory { role: Role::Queue, .. } => everything = true,
                ObjectKey::InMemory { role: Role::Life, base, .. } => {
                    if !self.learned.blocks.whole.contains(&base) {
                        self.learned.blocks.make_whole(base);
                        self.grow_footprint();
                    }
                    self.touch_in_block(number, Touch { base, chunk: base, bytes: 1, write: true });
                }
                ObjectKey::InMemory { base, offset, .. } => {
                    let (chunk, within) = (base.wrapping_add(offset & !63), offset & 56);
                    self.touch_in_block(number, Touch { base, chunk, bytes: 0xff << within, write: true });
                }
                ObjectKey::Thread(_) | ObjectKey::Line(_) | ObjectKey::Process(_) | ObjectKey::Freed { .. } => {
                    everything = true
                }
            }
        }
        if everything {
            let block = &mut self.learned.blocks.blocks[number as usize];
            if !std::mem::replace(&mut block.everything, true) {
                self.grow_footprint();
            }
        }
    }

    fn touch_in_block(&mut self, number: BlockNumber, touch: Touch) {
        if !self.exploration.blocks.allows(number, &touch) {
            self.add_to_footprint(number, &touch);
        }
    }

    /// The current thread, in no block, comes to an operation: what that touches is not put together with other things
    /// that blocks touch, for then it would depend on more than it does.
    fn note_outside_of_blocks(&mut self, pending: &Pending) {
        let lanes = Arc::clone(&self.exploration.blocks);
        if lanes.is_empty() {
            return;
        }
        let all = self.accesses_of(self.segment.current, pending);
        for access in all.iter() {
            let key = self.state.memory.ids.key(access.object);
            let LaneSet { reads, writes } = lanes.of_access(key, access);
            if let ObjectKey::InMemory { role: Role::Granule, base, offset, .. } = key
                && lanes.are_wide(reads | writes)
                && !self.learned.blocks.whole.contains(&base)
                && self.learned.blocks.apart.insert(base.wrapping_add(offset) & !7)
            {
                self.grow_footprint();
            }
        }
    }

    /// The lanes of an operation that accesses these.
    #[inline]
    pub(super) fn block_lanes_of(&self, pending: &Pending, all: &Accesses) -> LaneSet {
        let blocks = &self.exploration.blocks;
        if pending.in_block || pending.operation == Operation::AtomicBegin {
            let LaneSet { reads, writes } = blocks.of_block(pending.block);
            // (What ends the block reads nothing any more.)
            let reads = if pending.in_block && ends_block(&pending.operation) { 0 } else { reads };
            return LaneSet { reads, writes };
        }
        let mut lanes = LaneSet::default();
        if !blocks.is_empty() {
            for access in all.iter() {
                let LaneSet { reads, writes } = blocks.of_access(self.state.memory.ids.key(access.object), access);
                lanes.reads |= reads;
                lanes.writes |= writes;
            }
        }
        // The end of a thread, and waiting for it, never happens in the middle of a block that is one action.
        let concerned = !matches!(
            pending.operation,
            Operation::ThreadExit { .. } | Operation::Join { .. } | Operation::Detach { .. }
        );
        if blocks.is_universal() && concerned && !all.is_empty() {
            lanes.reads |= EVERYTHING;
        }
        lanes
    }

    /// From now on blocks have the footprints that were learned. The machine was not started yet.
    pub(crate) fn settle_blocks(&mut self) {
        if self.program.block_object.is_some() {
            let (data, all) = (&self.learned.blocks, !self.program.options.footprints);
            self.exploration.blocks = Arc::new(BlockLanes::new(data, all, &mut self.state.memory.ids));
        }
    }
}

/// Whether the thread is over after the operation, or no other thread sees what it goes on with.
fn ends_block(operation: &Operation) -> bool {
    matches!(operation, Operation::ProcessExit { .. } | Operation::AssumeFailed)
}

/// Whether the operation concerns whole threads, or threads that wait.
fn concerns_more_than_memory(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Create { .. }
            | Operation::CondSignal { .. }
            | Operation::FutexWake { .. }
            | Operation::FutexRequeue { .. }
            | Operation::ThreadExit { .. }
            | Operation::Join { .. }
            | Operation::Detach { .. }
            | Operation::Cancel { .. }
            | Operation::TestCancel { .. }
    )
}

/// Whether the operation is one on a lock or a semaphore: it happens in one action, or not at all.
fn concerns_a_lock(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::MutexLock { .. }
            | Operation::MutexUnlock { .. }
            | Operation::MutexDestroy { .. }
            | Operation::ReadLock { .. }
            | Operation::WriteLock { .. }
            | Operation::ReadWriteUnlock { .. }
            | Operation::ReadWriteDestroy { .. }
            | Operation::SpinLock { .. }
            | Operation::SpinUnlock { .. }
            | Operation::SpinDestroy { .. }
            | Operation::SemaphoreInit { .. }
            | Operation::SemaphoreWait { .. }
            | Operation::SemaphorePost { .. }
            | Operation::SemaphoreValue { .. }
            | Operation::SemaphoreDestroy { .. }
    )
}

/// Whether the operation only accesses memory. What others do to an object says which thread can go on, and no action
/// says that a block has changed it, so no thread would be tried before the block that cannot go on after it.
fn is_memory(operation: &Operation) -> bool {
    use Operation::{AtomicBegin, BeginVariable, EndThreadVariable, EndVariable, TestCancel};
    use Operation::{
        AtomicLoad, AtomicRmw, AtomicStore, CompareExchange, CopyRead, CopyWrite, Fill, Free, Load, Store,
    };
    matches!(
        operation,
        AtomicLoad { .. }
            | AtomicStore { .. }
            | AtomicRmw { .. }
            | CompareExchange { .. }
            | Load { .. }
            | Store { .. }
            | CopyRead { .. }
            | CopyWrite { .. }
            | Fill { .. }
            | Free { .. }
            | EndVariable { .. }
            | EndThreadVariable { .. }
            | BeginVariable { .. }
            | TestCancel { .. }
            | AtomicBegin
    )
}
