//! What a machine gathers and never takes back.
use crate::fingerprint::LiveSlots;
use crate::operation::effect::Stores;
use crate::symbolic::Symbols;
use crate::sync::section::NotedSections;
use crate::undefined::unwritten::UnwrittenRead;
use crate::verdict::assumption::Assumption;
use crate::waiting::Turns;
use por::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What is never undone: numbers that are given out once and for all, what a report says in the end, and caches.
///
/// Checkpoints take this apart field by field, without a rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifelong {
    /// Numbers of threads; shared by clones, so that a schedule means the same to all of them.
    pub(crate) paths: Arc<ThreadNumbers>,
    /// The synchronisation objects in the memory object that begins at that address in that generation; only grows.
    pub(crate) sync_in_memory: FxHashMap<(u64, u32), Vec<ObjectId>>,
    /// Numbers of what threads do over and over again while they wait.
    pub(crate) turns: Turns,
    /// The slots that are read again, by function and instruction.
    pub(crate) live: LiveSlots,
    /// Updates have been executed as if they ordered nothing.
    pub(crate) commuted: bool,
    /// Something was stored from which nothing is acquired.
    pub(crate) has_set: bool,
    /// What was stored where.
    pub(crate) stores: Stores,
    /// What critical sections were seen to do.
    pub(crate) sections: NotedSections,
    /// Instructions executed since the machine was made.
    pub(crate) instructions: u64,
    /// How many of them lead to the current state.
    pub(crate) way: Way,
    /// An atomic access weaker than sequentially consistent was met, or one that races and is taken to be sequentially
    /// consistent.
    pub(crate) weaker_atomics: bool,
    /// Terms, and what is known of them.
    pub(crate) symbols: Symbols,
    /// What a "safe" would rest on; only grows.
    pub(crate) assumptions: BTreeSet<Assumption>,
    /// What was read, with fixed inputs, where nothing was written, as far as that matters.
    pub(crate) unwritten_reads: Vec<UnwrittenRead>,
}

/// How many instructions lead from the start to the current state.
#[derive(Clone, Default, Debug)]
pub(crate) struct Way {
    /// To the states that are marked.
    marks: Vec<u64>,
    /// Instructions that are no part of it.
    others: u64,
}

impl Lifelong {
    /// How many instructions lead to the current state.
    pub(crate) fn way(&self) -> u64 {
        self.instructions.saturating_sub(self.way.others)
    }

    /// See [`por::System::mark`].
    pub(crate) fn mark(&mut self) {
        self.way.marks.push(self.way());
    }

    /// See [`por::System::undo`].
    pub(crate) fn undo(&mut self) {
        let way = self.way.marks.pop().expect("every undo has its mark");
        self.way.others = self.instructions.saturating_sub(way);
    }

    /// Says how many instructions were executed, the way staying as long as it is.
    pub(crate) fn count(&mut self, instructions: u64) {
        let way = self.way();
        self.instructions = instructions;
        self.way.others = instructions.saturating_sub(way);
    }
}

/// Numbers of threads by parent and position among its children, handed out in the order in which they are met.
#[derive(Debug, Default)]
pub(crate) struct ThreadNumbers(pub(crate) Mutex<FxHashMap<(ThreadId, u32), ThreadId>>);

impl ThreadNumbers {
    /// Threads 1, 2, … have these parents and places.
    pub(crate) fn new(numbers: &[(ThreadId, u32)]) -> Self {
        let new = ThreadNumbers::default();
        new.set(numbers);
        new
    }

    /// Sets these numbers, for all machines that share them.
    pub(crate) fn set(&self, numbers: &[(ThreadId, u32)]) {
        let numbered = numbers.iter().zip(1..).map(|(path, number)| (*path, ThreadId(number)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = numbered.collect();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Parents and places of the first threads, by number.
    pub(crate) fn first(&self, count: usize) -> Vec<(ThreadId, u32)> {
        let numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<_> = numbers.iter().map(|(path, number)| (*number, *path)).collect();
        paths.sort_unstable();
        paths.into_iter().map(|(_, path)| path).take(count).collect()
    }

    /// The number of the `nth` child of a thread.
    pub(crate) fn child(&self, parent: ThreadId, nth: u32) -> ThreadId {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = ThreadId(numbers.len() as u32 + 1);
        *numbers.entry((parent, nth)).or_insert(next)
    }
}
