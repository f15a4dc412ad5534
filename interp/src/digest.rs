//! Digests of final states, for oracles that compare engines.
//!
//! What counts is what an observer of the program can see when it is over: which threads there are and how they ended,
//! what they returned and wrote, and the content of the global variables. The heap counts only as far as addresses in
//! globals name it; they are stable, being functions of the allocating thread's history.
use crate::machine::Machine;
use crate::thread::Status;
#[cfg(test)]
use crate::thread::Thread;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Two differently seeded 64-bit digests.
struct Digest(FxHasher, FxHasher);

impl Digest {
    fn new() -> Self {
        let mut second = FxHasher::default();
        second.write_u64(0x9e37_79b9_7f4a_7c15);
        Digest(FxHasher::default(), second)
    }

    fn add(&mut self, item: &impl Hash) {
        item.hash(&mut self.0);
        item.hash(&mut self.1);
    }

    fn finish(&self) -> u128 {
        u128::from(self.0.finish()) << 64 | u128::from(self.1.finish())
    }
}

impl Machine {
    pub(crate) fn digest_of_state(&self) -> u128 {
        self.digest_of(self.outcomes())
    }

    /// The same for all states that differ only in which thread is which.
    pub fn digest_up_to_exchange(&self) -> u128 {
        let mut outcomes = self.outcomes();
        outcomes.sort_unstable_by_key(|(status, value, output)| (*status as u8, *value, *output));
        self.digest_of(outcomes)
    }

    /// How each thread has ended, what it has returned, and what it wrote.
    fn outcomes(&self) -> Vec<(Status, u64, u64)> {
        let threads = &self.state.threads[..self.state.process.threads as usize];
        threads.iter().map(|thread| (thread.header.status, thread.header.value, thread.rare.output)).collect()
    }

    fn digest_of(&self, outcomes: Vec<(Status, u64, u64)>) -> u128 {
        let mut digest = Digest::new();
        digest.add(&self.state.process.ended.map(|(status, _)| status));
        digest.add(&self.state.process.pruned);
        outcomes.iter().for_each(|outcome| digest.add(outcome));
        for (global, address) in self.program.module.globals.iter().zip(self.program.globals.iter()) {
            if *address != 0 && !global.constant && global.initial.is_some() {
                for place in self.state.memory.words(*address) {
                    digest.add(&place);
                }
            }
        }
        digest.finish()
    }

    /// Notes output of the current thread.
    pub(crate) fn write_output(&mut self, stream: u8, bytes: &[u8]) {
        let me = self.segment.current;
        let rare = self.rare_mut(me);
        let mut hasher = FxHasher::default();
        (rare.output, stream, bytes).hash(&mut hasher);
        rare.output = hasher.finish();
        if self.program.options.output == crate::options::Output::Keep {
            self.state.output.push((me, stream, bytes.to_vec()));
            let length = self.state.output.len();
            self.process_mut().output = length;
        }
    }
}

/// Everything about a thread that decides how it goes on, for the exactness of undo.
#[cfg(test)]
pub(crate) fn fingerprint(thread: &Thread) -> String {
    let slots: Vec<&[u64]> =
        thread.frames.iter().map(|f| &thread.regs[f.base as usize..(f.base + f.slots) as usize]).collect();
    let frames: Vec<_> =
        thread.frames.iter().map(|f| (f.function, f.pc, f.base, f.after, f.stamp, f.born, f.variadic)).collect();
    let shadows: Vec<&[u64]> = match thread.header.undefined {
        0 => Vec::new(),
        _ => thread.frames.iter().map(|f| &thread.shadows[f.base as usize..(f.base + f.slots) as usize]).collect(),
    };
    format!("{:?} {frames:?} {slots:?} {shadows:?} {:?} {:?}", thread.header, thread.allocas, thread.rare)
}
