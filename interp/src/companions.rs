//! Several machines that explore one program together, each by a worker of its own.
//!
//! What is numbered in the order in which it is met, and is told by one worker to another, has the same number for all:
//! threads, objects, and through them where the memory of each thread lies and what stands for addresses that have left
//! their object. All else that a machine numbers (call stacks, kinds of dead objects, turns of loops) stays in it:
//! where fingerprints tell such things apart, they do so by content.
//!
//! What all read while they execute is not shared, as far as there is a count in it of those that have it: processors
//! that take such a count from one another wait for it. (That was a tenth of the user time of two workers.)
//!
//! What a machine learns it learns for itself. Where that changes what actions are, the exploration starts again, for
//! all of them, with what that one has learned. A machine that is alone does not start again for a fact that has not
//! mattered yet: that no thread is to wait for an object for which none has waited, or that one polls and reads several
//! words. When others come, they are told such facts; from then on, each new one lets the exploration start again.
use crate::machine::{Lifelong, Machine, Program};
use por::Companions;
use std::sync::Arc;

impl Machine {
    /// A clone for another processor.
    pub fn for_another_processor(&self) -> Machine {
        let mut other = self.clone();
        other.program = Arc::new(Program::clone(&self.program));
        other
    }

    /// Others explore other parts of the same, from the start: what decides where threads wait is to be the same for
    /// all. (What one of them has learned without a restart the others are not told.)
    pub fn explore_with_others(&mut self) {
        self.exploration.company = true;
    }

    /// Whether there can be several. The error says why not.
    pub fn may_have_companions(&self) -> Result<(), String> {
        if self.program.block_object.is_some() {
            return Err(
                "the program has atomic blocks (__VERIFIER_atomic_), which are numbered as they are met".to_owned()
            );
        }
        if self.learned.reads_inputs {
            return Err("the program reads inputs that may be anything".to_owned());
        }
        Ok(())
    }
}

impl Companions for Machine {
    fn share_numbers(&mut self, other: &mut Machine) -> Result<(), String> {
        self.may_have_companions()?;
        if self.lifelong.turns.are_too_many() {
            return Err("its threads go round their loops in too many ways".to_owned());
        }
        self.exploration.company = true;
        other.exploration.company = true;
        // (What this one has learned without a restart: for which objects no thread waits, whether threads poll that
        // read several words, and whether they may. Objects are known by stacks.)
        other.learned.polls_widely = self.learned.polls_widely;
        other.learned.unordered = self.learned.unordered;
        other.learned.racing.clone_from(&self.learned.racing);
        other.learned.awaited.clone_from(&self.learned.awaited);
        other.state.memory.stacks.clone_from(&self.state.memory.stacks);
        other.program = Arc::new(Program::clone(&self.program));
        // (Clones have the numbers of threads in common.)
        self.state.memory.share_numbers(&mut other.state.memory);
        Ok(())
    }

    fn compare(&mut self, other: &Machine) -> bool {
        // (All else is learned by the machine that executes what it is learned from.)
        self.state.memory.race.note_sharing_of(&other.state.memory.race);
        self.note_shared();
        std::mem::take(&mut self.segment.restart)
    }

    fn absorb(&mut self, other: &Machine) {
        let Lifelong {
            // These are the same.
            paths: _,
            // Of no use any more: they help to execute.
            sync_in_memory: _,
            turns: _,
            live: _,
            way: _,
            // These decide what is learned, which that machine has done for itself.
            commuted: _,
            has_set: _,
            stores: _,
            sections: _,
            // There are no inputs.
            symbols: _,
            unwritten_reads: _,
            instructions,
            weaker_atomics,
            assumptions,
        } = &other.lifelong;
        self.lifelong.count(self.lifelong.instructions + instructions);
        self.lifelong.weaker_atomics |= weaker_atomics;
        self.lifelong.assumptions.extend(assumptions.iter().copied());
        self.state.memory.absorb(&other.state.memory);
    }
}
