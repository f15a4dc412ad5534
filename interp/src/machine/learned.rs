//! What an exploration shows about the program and the next one, from the start again, is told.
use crate::memory::{ObjectKind, SizeClass, StackId};
use crate::race::RaceLocation;
use crate::sync::block::data::BlockData;
use crate::sync::queue::QueueUsage;
use crate::sync::section::SectionData;
use crate::waiting::Count;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What explorations have shown about the program that decides how it is to be explored.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Learned {
    /// There are actions that depend on one another without being ordered: a load without acquire, a store without
    /// release, a trylock that finds the mutex locked, a signal by a thread that does not hold the mutex of the threads
    /// that it wakes.
    pub(crate) unordered: bool,
    /// A thread frees a block of another one, whose address may be used again: which threads know of that is part of a
    /// state.
    pub(crate) handed_over: bool,
    /// The clock is read, which goes on with every action: no state ever comes again.
    pub(crate) clock: bool,
    /// The mutex with which a thread waited for each condition variable for the first time, by their addresses.
    pub(crate) waited_with: BTreeMap<u64, u64>,
    /// Some condition variable is waited for with different mutexes, which is wrong at the same time: whether threads
    /// wait at the same time matters, so that each wait depends on the others, and on their ends. (Two waits that could
    /// be at the same time are in one execution, in whatever order. So the machine that takes it learns of both, also
    /// where several machines explore together.)
    pub(crate) mutexes_differ: bool,
    /// In some round of a barrier one thread looks at the result of waiting and another one does not. Any of them may
    /// be the one that is told something else.
    pub(crate) told_unasked: bool,
    /// Inputs are read that may be anything: there are decisions, and states are not compared.
    pub(crate) reads_inputs: bool,
    /// A compare-exchange compares what depends on inputs: no word says whether one writes.
    pub(crate) exchanges_terms: bool,
    /// Something depends on a value that was never written: it counts as the options say. Until then it has none.
    pub(crate) uses_unwritten: bool,
    /// Objects that one thread accesses plainly and another one atomically: what they are, and where they are
    /// allocated. A race of two such accesses is lost if the atomic one is not seen because it leads to a known state.
    pub(crate) mixed: BTreeSet<(ObjectKind, StackId)>,
    /// Addresses of 64 bytes each that threads access in ways that conflict: what orders these accesses is part of a
    /// state. (Only engines that visit states ask for that.)
    pub(crate) shared: BTreeSet<u64>,
    /// Places whose plain accesses are visible actions.
    pub(crate) promoted: BTreeSet<RaceLocation>,
    /// Objects that threads wait for: what they are, and where they are allocated.
    pub(crate) awaited: BTreeSet<(ObjectKind, StackId)>,
    /// Objects that no thread waits for, but that one reads again and again: they race, or would if they were waited
    /// for.
    pub(crate) racing: BTreeSet<(ObjectKind, StackId)>,
    /// Words in which threads count, and whether somebody looks at them.
    pub(crate) counted: BTreeMap<RaceLocation, Count>,
    /// Memory without a value is met where threads spin: no loop counts as waiting.
    pub(crate) waits_for_nothing: bool,
    /// A thread polls in vain and reads several words at that, which is right as long as nothing is `unordered`.
    pub(crate) polls_widely: bool,
    /// The program looks at `errno`, and has calls that set it when they fail: no loop waits that makes one.
    pub(crate) looks_at_errno: bool,
    /// Something races if updates order nothing: they are ordered.
    pub(crate) ordered_updates: bool,
    /// Variables to which every thread stores the same, by address: what, and how many bytes.
    pub(crate) sets: BTreeMap<u64, (u64, u8)>,
    /// Addresses of which that is not so.
    pub(crate) unlike: BTreeSet<u64>,
    /// Something races if nothing is acquired from those stores: they are ordered.
    pub(crate) ordered_sets: bool,
    /// What is read by what is no action, by address: eight bytes each. Stores there are in order.
    pub(crate) read_plainly: BTreeSet<u64>,
    /// So is something that is no variable: all stores are in order.
    pub(crate) ordered_stores: bool,
    /// Size classes of blocks whose addresses are compared with others after they were freed.
    pub(crate) reused: BTreeSet<SizeClass>,
    /// What atomic blocks touch.
    pub(crate) blocks: BlockData,
    /// Somebody takes notice of ends of threads but by joining them: these are actions.
    pub(crate) ends_matter: bool,
    /// A thread has taken notice of another one whose number is used again, and which it has not created: it may mean
    /// the one before, and could have done so before there was the new one. No number is used again then.
    pub(crate) numbers_once: bool,
    /// Something may tell threads apart that were taken for alike.
    pub(crate) told_apart: bool,
    /// What critical sections touch.
    pub(crate) sections: SectionData,
    /// How queues of messages are used.
    pub(crate) queues: QueueUsage,
}
