//! What a machine has gathered in an exploration that is not undone when it goes back, as bytes, and back.
//!
//! A machine that was not started takes it over; with the actions of an execution executed again it then stands where the other
//! one stood. So everything that is *never undone* and decides anything has to be here: numbers and addresses that were
//! given out, what explorations have shown, what the fingerprints of states refer to. If an address were not, objects would
//! swap places, and what was explored before would be taken for something else.
//!
//! Memory and the race detector have parts of their own.
use crate::assumption::Assumption;
use crate::machine::{Learned, Machine};
use crate::memory;
use crate::options::Interference;
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
    weaker_atomics: bool,
    assumptions: BTreeSet<Assumption>,
    instructions: u64,
}

impl Machine {
    /// What it has gathered.
    pub fn gathered(&self) -> Vec<u8> {
        // All fields are named, so that none can be forgotten.
        let Machine {
            memory,
            paths,
            sync_in_memory,
            learned,
            // What was learned before the exploration began, which it would have ended otherwise.
            queues: _,
            weaker_atomics,
            assumptions,
            instructions,
            // The program and the options decide these.
            module: _,
            options: _,
            callees: _,
            thunks: _,
            quick: _,
            constants: _,
            globals: _,
            global_names: _,
            main: _,
            main_arguments: _,
            pointer_bytes: _,
            pointer_mask: _,
            checked_flags: _,
            block_object: _,
            cancels: _,
            allocates: _,
            blocks: _,
            passing: _,
            // Made anew where a thread comes to stand before what it waits for.
            turns: _,
            // Only engines that have no checkpoints do that.
            commuted: _,
            has_set: _,
            stores: _,
            // These are undone.
            partial: _,
            threads: _,
            sync: _,
            process: _,
            log: _,
            output: _,
            // These are of the current action alone.
            block_stores: _,
            restart: _,
            current: _,
            step_limit: _,
            spin: _,
            involved: _,
            raced: _,
            rule: _,
            fault: _,
            unknown: _,
            last_action: _,
            created: _,
            // The explorer says what is to be followed, and whoever compares whole states cannot be interrupted.
            following: _,
            twin: _,
        } = self;
        let mut sync_in_memory: Vec<_> =
            sync_in_memory.iter().map(|(life, objects)| (*life, objects.clone())).collect();
        sync_in_memory.sort_unstable();
        let gathered = Gathered {
            memory: memory.gathered(),
            threads: paths.first(paths.len()),
            sync_in_memory,
            learned: learned.clone(),
            weaker_atomics: *weaker_atomics,
            assumptions: assumptions.clone(),
            instructions: *instructions,
        };
        postcard::to_stdvec(&gathered).expect("plain data can be written")
    }

    /// Takes over what another machine for the same program with the same options has gathered. This one was not started. An
    /// error says why that cannot be.
    pub fn take_over(&mut self, gathered: &[u8]) -> Result<(), String> {
        let gathered: Gathered = postcard::from_bytes(gathered).map_err(|error| error.to_string())?;
        let Gathered { memory, threads, sync_in_memory, learned, weaker_atomics, assumptions, instructions } = gathered;
        self.memory.take_over(memory)?;
        self.paths.set(&threads);
        self.sync_in_memory = sync_in_memory.into_iter().collect();
        self.learned = learned;
        self.queues = self.learned.queues;
        self.memory.promote(&self.learned.promoted, self.options.interference == Interference::All);
        self.memory.choose_addresses(&self.learned.reused);
        self.weaker_atomics = weaker_atomics;
        self.assumptions = assumptions;
        self.instructions = instructions;
        Ok(())
    }

    /// Sets the number of instructions executed, after some were executed again that had been counted before.
    pub fn count_instructions(&mut self, instructions: u64) {
        self.instructions = instructions;
    }
}
