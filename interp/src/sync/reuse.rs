//! Which address an allocation gives: a fresh one, or that of a block that was freed.
//!
//! Mostly that makes no difference, and then every block has an address of its own. It does make a difference if the
//! program compares the address of a freed block with another address: the two are equal if a new block was given the
//! old address. That is the ABA problem. When such a comparison is met ([`Reuse`] says which ones count), exploration
//! starts again with this as a choice wherever a block of that size class is allocated. The choices are a fresh
//! address, and for each thread the last block of that class that it has freed. That covers allocators that keep blocks
//! per thread, or for all threads, and give out the last one first.
//!
//! A size class is an object of the exploration with a lane for each thread: it has blocks that this thread has freed.
//! To free writes the lane, to take a block reads and writes it, a fresh address touches nothing. The blocks of a lane
//! form a list. What happened before a block was freed happens before it is given out again (C11 7.22.3), and nothing
//! else does.
//!
//! Not explored: allocations and frees within atomic blocks, and by functions that do something before that they could
//! not do again (`realloc`). They use fresh addresses, and "safe" assumes that (`fresh-addresses`).
use super::SyncState;
use super::footprint::lane;
use crate::machine::Machine;
use crate::memory::{ObjectKey, ObjectKind, SizeClass};
use crate::operation::Operation;
use crate::options::Reuse;
use crate::verdict::assumption::Assumption;
use frontend::ir::FuncId;
use por::{ObjectId, ThreadId};

impl Machine {
    /// Whether the address of a block of that size class is a choice for the current thread.
    pub(crate) fn explores_reuse_of(&self, class: SizeClass) -> bool {
        self.learned.reused.contains(&class) && self.thread(self.segment.current).header.block == 0
    }

    /// The action that comes before the call of an allocation function, if the address is a choice.
    pub(crate) fn choice_of_address(&mut self, callee: FuncId) -> Option<Operation> {
        if self.learned.reused.is_empty() {
            return None;
        }
        let size = self.program.blocks[callee.index()]?;
        let size = size(&self.library_call(callee));
        let class = self.state.memory.size_class(size);
        self.explores_reuse_of(class).then_some(Operation::Allocate { class })
    }

    /// The address that was chosen for the block that the current thread allocates; 0 for a fresh one.
    pub(crate) fn chosen_address(&mut self, size: u64) -> u64 {
        if self.learned.reused.is_empty() {
            return 0;
        }
        match self.thread(self.segment.current).rare.chosen_address {
            Some(address) => {
                self.rare_mut(self.segment.current).chosen_address = None;
                address
            }
            None => {
                if self.learned.reused.contains(&self.state.memory.size_class(size)) {
                    self.lifelong.assumptions.insert(Assumption::FreshAddresses);
                }
                0
            }
        }
    }

    /// The size class of the block that an operation frees, if its address may be given out again.
    pub(super) fn freed_class(&self, operation: &Operation) -> Option<SizeClass> {
        let Operation::Free { address } = *operation else { return None };
        let class = self.state.memory.size_class(self.state.memory.heap_size(address).ok()?);
        self.explores_reuse_of(class).then_some(class)
    }

    /// Whether to free a block is an action because its address may be given out again.
    pub(crate) fn may_be_given_out_again(&self, block: u64) -> bool {
        !self.learned.reused.is_empty() && self.freed_class(&Operation::Free { address: block }).is_some()
    }

    /// The object that a size class is to the explorer.
    pub(crate) fn class_object(&mut self, class: SizeClass) -> ObjectId {
        self.state.memory.ids.intern(ObjectKey::Freed { class, part: 0 })
    }

    /// The object that says which block of the class a thread has freed last.
    fn top_object(&mut self, class: SizeClass, thread: ThreadId) -> ObjectId {
        self.state.memory.ids.intern(ObjectKey::Freed { class, part: u64::from(thread.0) + 1 })
    }

    /// The block below another one. (No block begins where the number of a thread is.)
    fn below_object(&mut self, class: SizeClass, block: u64) -> ObjectId {
        self.state.memory.ids.intern(ObjectKey::Freed { class, part: block })
    }

    fn set_freed(&mut self, object: ObjectId, block: u64) {
        self.set_sync_state(object, if block == 0 { SyncState::Unused } else { SyncState::FreedBlock { block } });
    }

    /// The threads that have freed blocks of the class: a lane for each thread.
    fn change_lanes(&mut self, class: SizeClass, change: impl Fn(u64) -> u64) {
        let object = self.class_object(class);
        let lanes = change(self.sync_state(object).word());
        self.set_sync_state(object, if lanes == 0 { SyncState::Unused } else { SyncState::Freed { lanes } });
    }

    /// The current thread has freed the block that began there.
    pub(super) fn push_freed(&mut self, class: SizeClass, block: u64) {
        let me = self.segment.current;
        let own = lane(me);
        if own == 0 {
            self.lifelong.assumptions.insert(Assumption::FreshAddresses);
            return;
        }
        self.note_unordered();
        let (top, below) = (self.top_object(class, me), self.below_object(class, block));
        self.set_freed(below, self.sync_state(top).word());
        self.set_freed(top, block);
        self.change_lanes(class, |lanes| lanes | own);
        self.state.memory.race.release(me, below);
    }

    /// The current thread takes the last block that the thread `from` has freed. Returns where the block begins.
    pub(super) fn take_freed(&mut self, class: SizeClass, from: ThreadId) -> u64 {
        self.note_unordered();
        let top = self.top_object(class, from);
        let block = self.sync_state(top).word();
        let below = self.below_object(class, block);
        let next = self.sync_state(below).word();
        self.state.memory.race.acquire(self.segment.current, below);
        self.set_freed(below, 0);
        self.set_freed(top, next);
        if next == 0 {
            self.change_lanes(class, |lanes| lanes & !lane(from));
        }
        block
    }

    /// Two values are compared, and differ. They would be equal if the address of a freed block had been given out
    /// again.
    pub(crate) fn note_compared(&mut self, values: [u128; 2]) {
        let bits = 8 * self.program.pointer_bytes as u32;
        for value in values {
            for place in 0..128 / bits {
                self.note_compared_word((value >> (place * bits)) as u64 & self.program.pointer_mask);
            }
        }
    }

    /// Addresses of objects that have died and that the current action has compared by itself. With a choice for them,
    /// programs that free in an endless loop would come to no state again. So if that was not asked for, it is assumed
    /// that they differ, unless there is such a choice anyway.
    pub(crate) fn note_dead_compared(&mut self) {
        if self.state.memory.has_compared_dead() {
            for address in self.state.memory.take_dead_compared() {
                self.note_compared_address(address, Reuse::Compared);
            }
        }
    }

    /// The same for a value that may be an address, or have one in its lower 48 bits.
    fn note_compared_word(&mut self, word: u64) {
        let address = word & u64::MAX >> 16;
        let Some(object) = self.state.memory.object_at(address).filter(|object| !object.live) else { return };
        if address < object.base || address > object.base + object.size {
            return;
        }
        self.note_compared_address(address, Reuse::Exchanged);
    }

    /// An address of an object that has died is compared. Whether new blocks may have it is a choice if the setting
    /// includes that kind of comparison.
    fn note_compared_address(&mut self, address: u64, how: Reuse) {
        let object = self.state.memory.object_at(address).filter(|object| object.kind == ObjectKind::Heap);
        let class = object.map(|object| self.state.memory.size_class(object.size));
        let setting = self.program.options.reuse;
        let explored = match how {
            Reuse::Exchanged => setting != Reuse::Never,
            Reuse::Never | Reuse::Compared => setting == Reuse::Compared,
        };
        match class {
            Some(class) if explored => self.segment.restart |= self.learned.reused.insert(class),
            Some(class) if self.learned.reused.contains(&class) => {}
            _ => _ = self.lifelong.assumptions.insert(Assumption::FreshAddresses),
        }
    }
}
