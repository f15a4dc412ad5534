//! Atomic blocks: from their beginning to their end, no other thread does anything visible.
//!
//! Inside, visible operations happen at once if there is exactly one way in which they can. Where there are several
//! (choices, signals), and for what concerns whole threads (new ones, ends, joins), the thread stands before the
//! operation in the middle of the block; all other threads' operations are then impossible. If an operation cannot
//! happen at all inside a block, this tool does not model it.
use crate::machine::Machine;
use crate::operation::Operation;
use crate::options::Awaits;
use crate::step::{Flow, Halt};
use crate::thread::{NO_OBJECT, Pending, Resume};
use frontend::ir::Ordering;
use por::Accesses;

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
        self.announce(&mut operation)?;
        let in_block = self.thread(self.segment.current).header.block > 0;
        let mut pending = self.resolve(operation, resume, in_block);
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
        self.release_block_stores();
        if self.exploration.awaits != Awaits::Run && !in_block {
            pending.turn = self.turn(&pending)?;
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
        self.variants_of(self.segment.current, pending, footprint, &words[..footprint.len()], &mut variants);
        if variants.is_empty() {
            let reason = format!("a thread blocks inside of an atomic block{}", self.at());
            return Err(Halt::unknown(reason));
        }
        Ok(variants.iter().any(|variant| variant.label != 0))
    }

    /// A block begins, or one inside of one.
    pub(crate) fn begin_block(&mut self) {
        let me = self.segment.current;
        self.thread_mut(me).header.block += 1;
        if self.thread(me).header.block == 1 {
            self.process_mut().block_owner = Some(me);
            if let Some(object) = self.program.block_object {
                self.state.memory.race.acquire(me, object);
            }
        }
    }

    /// What a block has stored to promoted memory is seen only after the block, with all that it has done.
    fn release_block_stores(&mut self) {
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
        self.thread_mut(me).header.block -= 1;
        if self.thread(me).header.block == 0 {
            self.process_mut().block_owner = None;
            self.release_block_stores();
            if let Some(object) = self.program.block_object {
                self.state.memory.race.release(me, object);
                self.state.memory.race.enter(me);
            }
        }
    }
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
