//! What a machine in another process has to be told before it can follow a schedule of this one: the numbers of
//! threads, which are given in the order in which an exploration meets them, the places that it has promoted, in which
//! words threads count, what atomic blocks touch, how it keeps queues, which threads barriers may tell something, and
//! the addresses of which blocks it chooses.
use crate::machine::{Learned, Machine, ThreadNumbers};
use crate::memory::{ObjectKind, Quarantine, SizeClass, StackId};
use crate::race::RaceLocation;
use crate::sync::block::data::{BlockSite, Touched};
use crate::sync::queue::QueueUsage;
use crate::verdict::fault::StackFrame;
use crate::waiting::Count;
use por::ThreadId;
use std::sync::Arc;

/// Bytes whose plain accesses are visible actions, or in which threads count.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct PromotedPlace {
    /// What the object is.
    pub kind: ObjectKind,
    /// Where it was allocated, innermost first.
    pub allocated: Vec<StackFrame>,
    /// The first of its bytes.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// What atomic blocks touch: while one is stopped in its middle, no other thread acts on that.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct BlockFootprints {
    blocks: Vec<BlockFootprint>,
    whole: Vec<u64>,
    apart: Vec<u64>,
    everything: bool,
}

/// What one of them touches.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
struct BlockFootprint {
    thread: u32,
    /// Where it begins, innermost first.
    stack: Vec<StackFrame>,
    /// Address of an object and of 64 bytes in it, which of these are read, and which are written.
    bytes: Vec<[u64; 4]>,
    stops: bool,
    everything: bool,
}

impl BlockFootprints {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == BlockFootprints::default()
    }
}

impl Machine {
    /// What atomic blocks touch.
    pub fn block_footprints(&self) -> BlockFootprints {
        let data = &self.learned.blocks;
        let blocks = data.sites().into_iter().zip(&data.blocks).map(|(site, touched)| BlockFootprint {
            thread: site.thread,
            stack: self.state.memory.stacks.frames(site.stack),
            bytes: touched
                .bytes
                .iter()
                .map(|((base, chunk), (reads, writes))| [*base, *chunk, *reads, *writes])
                .collect(),
            stops: touched.stops,
            everything: touched.everything,
        });
        BlockFootprints {
            blocks: blocks.collect(),
            whole: data.whole.iter().copied().collect(),
            apart: data.apart.iter().copied().collect(),
            everything: data.everything,
        }
    }

    /// Blocks touch that. The machine was not started yet, and has learned nothing of blocks.
    pub fn set_block_footprints(&mut self, footprints: &BlockFootprints) {
        let BlockFootprints { blocks, whole, apart, everything } = footprints;
        for block in blocks {
            let stacks = &mut self.state.memory.stacks;
            let stack = block.stack.iter().rev().fold(StackId::EMPTY, |stack, frame| stacks.push(stack, *frame));
            let number = self.learned.blocks.number(BlockSite { thread: block.thread, stack });
            let bytes = block.bytes.iter().map(|[base, chunk, reads, writes]| ((*base, *chunk), (*reads, *writes)));
            let (bytes, stops, everything) = (bytes.collect(), block.stops, block.everything);
            self.learned.blocks.blocks[number as usize] = Touched { bytes, stops, everything };
        }
        self.learned.blocks.whole.extend(whole);
        self.learned.blocks.apart.extend(apart);
        self.learned.blocks.everything |= everything;
        self.settle_blocks();
    }

    /// Parent and place among its children of threads 1, 2, … that exist.
    pub fn thread_numbers(&self) -> Vec<(ThreadId, u32)> {
        self.lifelong.paths.first(self.state.process.threads.saturating_sub(1) as usize)
    }

    /// The same of all threads that have been met in any execution, also by clones made before the start.
    pub fn all_thread_numbers(&self) -> Vec<(ThreadId, u32)> {
        self.lifelong.paths.first(self.lifelong.paths.len())
    }

    /// Gives threads 1, 2, … these parents and places among their children. The machine was not started yet.
    pub fn number_threads(&mut self, numbers: &[(ThreadId, u32)]) {
        self.lifelong.paths = Arc::new(ThreadNumbers::new(numbers));
    }

    /// In which order address space was given out to threads: pool, how many the pool had before, and length.
    pub fn given_out(&self) -> Vec<(u32, u32, u64)> {
        self.state.memory.given_out()
    }

    /// Gives out address space in that order, before threads need it. The machine was not started yet. Another order
    /// than that of another machine is a hint that was wrong: the addresses are others then, and right all the same. An
    /// error says why it cannot be.
    pub fn give_out(&mut self, order: &[(u32, u32, u64)]) -> Result<(), String> {
        self.state.memory.give_out(order)
    }

    /// All that explorations have learned, for a machine that explores the same program in another process. Wrong facts
    /// are hints, too: what the machine would have to know and does not, it learns ([`por::Step::restart`]).
    pub fn facts(&self) -> Vec<u8> {
        let facts = (self.state.memory.stacks.all().to_vec(), &self.learned);
        postcard::to_stdvec(&facts).expect("plain data can be written")
    }

    /// Takes over what another machine has learned. This one was not started. An error says why that cannot be.
    pub fn learn_facts(&mut self, facts: &[u8]) -> Result<(), String> {
        let (stacks, learned): (Vec<(StackId, StackFrame)>, Learned) =
            postcard::from_bytes(facts).map_err(|error| error.to_string())?;
        for (number, (caller, frame)) in (1..).zip(stacks) {
            if self.state.memory.stacks.push(caller, frame) != StackId(number) {
                return Err("call stacks have other numbers".to_owned());
            }
        }
        self.learned = learned;
        self.apply_what_is_learned();
        Ok(())
    }

    /// The places that are promoted.
    pub fn promoted_places(&self) -> Vec<PromotedPlace> {
        self.learned.promoted.iter().map(|place| self.described(place)).collect()
    }

    fn described(&self, &RaceLocation { kind, allocated, first, last }: &RaceLocation) -> PromotedPlace {
        PromotedPlace { kind, allocated: self.state.memory.stacks.frames(allocated), first, last }
    }

    fn found(&mut self, &PromotedPlace { kind, ref allocated, first, last }: &PromotedPlace) -> RaceLocation {
        let stacks = &mut self.state.memory.stacks;
        let allocated = allocated.iter().rev().fold(StackId::EMPTY, |stack, frame| stacks.push(stack, *frame));
        RaceLocation { kind, allocated, first, last }
    }

    /// Promotes these places as well. The machine was not started yet.
    pub fn promote_places(&mut self, places: &[PromotedPlace]) {
        for place in places {
            let place = self.found(place);
            self.learned.promoted.insert(place);
        }
        self.settle_memory();
    }

    /// Words in which threads count and at which nobody looks, and whether as signed numbers.
    pub fn counted_places(&self) -> Vec<(PromotedPlace, bool)> {
        let words = self.learned.counted.iter().filter(|(_, count)| !count.is_looked_at);
        words.map(|(word, count)| (self.described(word), count.is_signed)).collect()
    }

    /// Threads count there as well. The machine was not started yet.
    pub fn count_in_places(&mut self, places: &[(PromotedPlace, bool)]) {
        for (place, is_signed) in places {
            let word = self.found(place);
            self.learned.counted.insert(word, Count { is_signed: *is_signed, is_looked_at: false });
        }
        self.settle_memory();
    }

    /// How queues of messages are kept, which decides what actions on them are.
    pub fn queue_usage(&self) -> QueueUsage {
        self.exploration.queues
    }

    /// Keeps them like that. The machine was not started yet.
    pub fn keep_queues(&mut self, usage: QueueUsage) {
        self.learned.queues = usage;
        self.exploration.queues = usage;
    }

    /// Whether barriers may tell threads that do not look that they are the one: see [`crate::sync::barrier`].
    pub fn tells_unasked(&self) -> bool {
        self.learned.told_unasked
    }

    /// They may. The machine was not started yet.
    pub fn tell_unasked(&mut self) {
        self.learned.told_unasked = true;
    }

    /// Whether waits on one condition variable depend on one another: it has been waited for with several mutexes.
    pub fn orders_waits(&self) -> bool {
        self.learned.mutexes_differ
    }

    /// They do. The machine was not started yet.
    pub fn order_waits(&mut self) {
        self.learned.mutexes_differ = true;
    }

    /// The size classes of which the addresses of new blocks are chosen.
    pub fn reused(&self) -> Vec<SizeClass> {
        self.learned.reused.iter().copied().collect()
    }

    /// Lets these be chosen as well. The machine was not started yet.
    pub fn reuse(&mut self, classes: &[SizeClass]) {
        self.learned.reused.extend(classes);
        self.state.memory.choose_addresses(&self.learned.reused);
    }

    /// How soon addresses are used again. The engine that explores decides that.
    pub fn quarantine(&self) -> Quarantine {
        self.state.memory.quarantine()
    }

    /// Uses them again that soon. The machine was not started yet.
    pub fn set_quarantine(&mut self, quarantine: Quarantine) {
        self.state.memory.set_quarantine(quarantine);
    }

    /// Whether no number of a thread is used again.
    pub fn numbers_once(&self) -> bool {
        self.learned.numbers_once
    }

    /// None is. The machine was not started yet.
    pub fn number_once(&mut self) {
        self.learned.numbers_once = true;
    }

    /// The global variable at an address, and how far into it that is.
    pub fn global_at(&self, address: u64) -> Option<(&str, u64)> {
        let globals = self.program.module.globals.iter().zip(self.program.globals.iter());
        let mut inside = globals.filter_map(|(global, &base)| {
            let offset = address.wrapping_sub(base);
            (base != 0 && offset < global.size).then_some((global.name.as_str(), offset))
        });
        inside.next()
    }
}
