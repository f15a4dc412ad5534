//! What a machine has gathered in an exploration that is not undone when it goes back, as bytes, and back.
//!
//! A machine that was not started takes it over; with the actions of an execution executed again it then stands where the other
//! one stood. So everything that is *never undone* and decides anything has to be here: numbers that were handed out, what
//! explorations have shown, what the fingerprints of states refer to.
use crate::assumption::Assumption;
use crate::fault::StackFrame;
use crate::machine::{Learned, Machine};
use crate::memory::{Kin, ObjectKey, StackId};
use crate::options::Interference;
use crate::race::{Mixed, Page};
use por::ThreadId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::PoisonError;

/// All of it.
#[derive(Serialize, Deserialize)]
struct Gathered {
    objects: Vec<ObjectKey>,
    stacks: Vec<(StackId, StackFrame)>,
    threads: Vec<((ThreadId, u32), ThreadId)>,
    queues: Vec<Kin>,
    learned: Learned,
    mixed: Mixed,
    pages: (Vec<Page>, Vec<u32>),
    weaker_atomics: bool,
    reused_early: bool,
    assumptions: BTreeSet<Assumption>,
    instructions: u64,
}

impl Machine {
    /// What it has gathered.
    pub fn gathered(&self) -> Vec<u8> {
        let numbers = self.paths.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut threads: Vec<_> = numbers.iter().map(|(path, number)| (*path, *number)).collect();
        threads.sort_unstable_by_key(|(_, number)| *number);
        let (pages, free) = self.memory.race.pages();
        let gathered = Gathered {
            objects: self.memory.ids.all().to_vec(),
            stacks: self.memory.stacks.all().to_vec(),
            threads,
            queues: self.memory.queues(),
            learned: self.learned.clone(),
            mixed: self.memory.race.mixing().clone(),
            pages: (pages.to_vec(), free.to_vec()),
            weaker_atomics: self.weaker_atomics,
            reused_early: self.memory.reused_early,
            assumptions: self.assumptions.clone(),
            instructions: self.instructions,
        };
        postcard::to_stdvec(&gathered).expect("plain data can be written")
    }

    /// Takes over what another machine for the same program with the same options has gathered. This one was not started. An
    /// error says why that cannot be.
    pub fn take_over(&mut self, gathered: &[u8]) -> Result<(), String> {
        let gathered: Gathered = postcard::from_bytes(gathered).map_err(|error| error.to_string())?;
        for (number, key) in gathered.objects.into_iter().enumerate() {
            if self.memory.ids.intern(key).index() != number {
                return Err("objects have other numbers".to_owned());
            }
        }
        for (number, (caller, frame)) in (1..).zip(gathered.stacks) {
            if self.memory.stacks.push(caller, frame) != StackId(number) {
                return Err("call stacks have other numbers".to_owned());
            }
        }
        *self.paths.0.lock().unwrap_or_else(PoisonError::into_inner) = gathered.threads.into_iter().collect();
        self.memory.set_queues(gathered.queues);
        self.learned = gathered.learned;
        self.memory.race.set_mixing(gathered.mixed);
        self.memory.promote(&self.learned.promoted, self.options.interference == Interference::All);
        self.memory.race.set_pages(gathered.pages.0, gathered.pages.1);
        self.weaker_atomics = gathered.weaker_atomics;
        self.memory.reused_early = gathered.reused_early;
        self.assumptions = gathered.assumptions;
        self.instructions = gathered.instructions;
        Ok(())
    }

    /// Sets the number of instructions executed, after some were executed again that had been counted before.
    pub fn count_instructions(&mut self, instructions: u64) {
        self.instructions = instructions;
    }
}
