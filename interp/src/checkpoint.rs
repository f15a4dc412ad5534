//! What a machine has gathered in an exploration that is not undone when it goes back, as bytes, and back.
//!
//! A machine that was not started takes it over; with the actions of an execution executed again it then stands where
//! the other one stood. So everything that is *never undone* and decides anything has to be here: numbers and addresses
//! that were given out, what explorations have shown, what the fingerprints of states refer to. If an address were not,
//! objects would swap places, and what was explored before would be taken for something else.
//!
//! Memory and the race detector have parts of their own.
use crate::machine::{Learned, Lifelong, Machine, State};
use crate::memory;
use crate::verdict::assumption::Assumption;
use crate::waiting::Met;
use por::{ObjectId, ThreadId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// All of it.
#[derive(Serialize, Deserialize)]
struct Gathered {
    memory: memory::Gathered,
    /// Parents and places of threads 1, 2, …
    threads: Vec<(ThreadId, u32)>,
    /// Sorted.
    sync_in_memory: Vec<((u64, u32), Vec<ObjectId>)>,
    learned: Learned,
    turns: Met,
    weaker_atomics: bool,
    assumptions: BTreeSet<Assumption>,
    instructions: u64,
}

impl Machine {
    /// What it has gathered.
    pub fn gathered(&self) -> Vec<u8> {
        // All fields are named, so that none can be forgotten.
        let Machine {
            state,
            learned,
            lifelong,
            // The program and the options decide this.
            program: _,
            // The explorer settles it anew.
            exploration: _,
            log: _,
            segment: _,
        } = self;
        // The state is undone, but for what memory gathers.
        let State { memory, partial: _, threads: _, sync: _, process: _, path: _, sum: _, output: _ } = state;
        let Lifelong {
            paths,
            sync_in_memory,
            instructions,
            weaker_atomics,
            assumptions,
            turns,
            // Follows from the code.
            live: _,
            // Only engines that have no checkpoints do that.
            commuted: _,
            has_set: _,
            stores: _,
            // What was noted is noted again.
            sections: _,
            symbols: _,
            way: _,
            unwritten_reads: _,
        } = lifelong;
        let mut sync_in_memory: Vec<_> =
            sync_in_memory.iter().map(|(life, objects)| (*life, objects.clone())).collect();
        sync_in_memory.sort_unstable();
        let gathered = Gathered {
            memory: memory.gathered(),
            threads: paths.first(paths.len()),
            sync_in_memory,
            learned: learned.clone(),
            turns: turns.met(),
            weaker_atomics: *weaker_atomics,
            assumptions: assumptions.clone(),
            instructions: *instructions,
        };
        postcard::to_stdvec(&gathered).expect("plain data can be written")
    }

    /// The numbers and addresses that it has given to what explorers and programs see, and that it never takes back:
    /// machines that explore one program together must agree on these.
    pub fn numbering(&self) -> Vec<u8> {
        let paths = &self.lifelong.paths;
        let all = (self.state.memory.numbering(), paths.first(paths.len()));
        postcard::to_stdvec(&all).expect("plain data can be written")
    }

    /// Takes over what another machine for the same program with the same options has gathered. This one was not
    /// started. An error says why that cannot be.
    pub fn take_over(&mut self, gathered: &[u8]) -> Result<(), String> {
        let gathered: Gathered = postcard::from_bytes(gathered).map_err(|error| error.to_string())?;
        let Gathered { memory, threads, sync_in_memory, learned, turns, weaker_atomics, assumptions, instructions } =
            gathered;
        self.state.memory.take_over(memory)?;
        self.lifelong.paths.set(&threads);
        self.lifelong.sync_in_memory = sync_in_memory.into_iter().collect();
        self.learned = learned;
        self.lifelong.turns.take_over(turns);
        self.exploration.queues = self.learned.queues;
        self.settle_memory();
        self.state.memory.choose_addresses(&self.learned.reused);
        self.settle_blocks();
        self.settle_sections();
        self.settle_ends();
        self.lifelong.weaker_atomics = weaker_atomics;
        self.lifelong.assumptions = assumptions;
        self.lifelong.count(instructions);
        Ok(())
    }

    /// Sets the number of instructions executed, after some were executed again that had been counted before.
    pub fn count_instructions(&mut self, instructions: u64) {
        self.lifelong.count(instructions);
    }
}
