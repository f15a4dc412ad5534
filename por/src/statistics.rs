//! What an exploration counts.
use serde::{Deserialize, Serialize};

/// Counters of an exploration, as documented for `--format json`. Those up to `events` are of its last pass, if it
/// goes in passes.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Maximal configurations explored, deadlocked ones included.
    pub executions: u64,
    /// Executions stopped because everything enabled was disabled.
    pub blocked: u64,
    /// Executions ended by a failed assume.
    pub pruned: u64,
    /// Events that led to a known state.
    pub cutoffs: u64,
    /// Different states visited (engine `states`); else 0.
    pub states: u64,
    /// Different events executed (unfolding engine), or actions executed (naive engine). One that was forgotten counts
    /// again when it is made anew.
    pub events: u64,
    /// Actions executed, repetitions included.
    pub steps: u64,
    /// Longest execution, in actions.
    pub depth: u64,
    /// Largest number of threads that existed in one execution.
    pub threads: u32,
    /// Every event was looked at, as far as cutoffs leave it, before which no more than so many others must have
    /// happened (besides those of the first thread alone). 0 if the exploration does not go in passes; all events if it
    /// is complete.
    pub explored: u32,
    /// How many executions of all kinds the current pass is expected to have in all: a guess; 0 where there is none.
    pub expected: f64,
    /// What the unfolding engine did for that.
    pub work: Work,
}

impl Statistics {
    /// Whether the listener is asked now, after an action, whether to go on: often at first, so that a short
    /// exploration can be answered by another one.
    pub(crate) fn is_poll_due(&self) -> bool {
        self.steps.is_multiple_of(1024) || (self.steps.is_power_of_two() && self.steps >= 64)
    }

    /// What several workers have counted together in one exploration of sequences.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Statistics>) -> Statistics {
        let mut sum = Statistics::default();
        for one in all {
            sum.executions += one.executions;
            sum.blocked += one.blocked;
            sum.pruned += one.pruned;
            sum.events += one.events;
            sum.steps += one.steps;
            sum.depth = sum.depth.max(one.depth);
            sum.threads = sum.threads.max(one.threads);
            sum.work.races += one.work.races;
            sum.work.looked_at += one.work.looked_at;
            sum.work.alternatives += one.work.alternatives;
        }
        sum
    }

    /// Executions of all kinds, in all passes.
    pub fn ends(&self) -> u64 {
        self.work.earlier + self.pass_ends()
    }

    /// Executions of all kinds in the current pass.
    pub fn pass_ends(&self) -> u64 {
        self.executions + self.blocked + self.pruned
    }
}

/// How often the unfolding engine did what. None of it is a result: any change of the engine may change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Work {
    /// Events made, executed or not; those that had been forgotten count again.
    pub events_made: u64,
    /// Times that an event was looked for and known already.
    pub events_found_again: u64,
    /// Events forgotten.
    pub events_forgotten: u64,
    /// Most events known at a time.
    pub most_events: u64,
    /// Times that events were forgotten.
    pub collections: u64,
    /// Times that more was forgotten for want of memory.
    pub purges: u64,
    /// Races reversed.
    pub races: u64,
    /// Events that were looked at to find races and to reverse them, about (engines that explore sequences).
    #[serde(default)]
    pub looked_at: u64,
    /// Searches for an alternative.
    pub searches: u64,
    /// How many of them found one.
    pub alternatives: u64,
    /// Events that were looked at in these searches because they might be in conflict with one that was given up.
    #[serde(default)]
    pub conflicts: u64,
    /// Times that the exploration started again with larger configurations, or small ones first.
    pub passes: u64,
    /// Executions of all kinds in passes before the last one.
    pub earlier: u64,
    /// States known for cutoffs at the end.
    pub states: u64,
    /// Events whose states were not looked up, because cutoffs cost more than they saved.
    #[serde(default)]
    pub not_looked_up: u64,
    /// Times that a state was reached by a configuration of fewer events than before.
    pub late: u64,
    /// Times that more was taken from a state that was known (engine `states`).
    #[serde(default)]
    pub visits_again: u64,
    /// Bytes of the tables when they were largest, as far as that was looked at.
    pub most_bytes: u64,
}

/// What an engine is at, for who measures where the time goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Anything else: which event comes next, bookkeeping.
    #[default]
    Walk,
    /// The system executes, or goes back.
    System,
    /// Finds what conflicts with an event.
    Extension,
    /// Looks for alternatives.
    Alternatives,
    /// Fingerprints of states, and what is known of these.
    Cutoffs,
    /// Finds out who spins.
    Livelocks,
    /// Forgets what is not needed any more.
    Collection,
}

impl Phase {
    /// All of them, each at the index that is its number.
    pub const ALL: [Phase; 7] = [
        Phase::Walk,
        Phase::System,
        Phase::Extension,
        Phase::Alternatives,
        Phase::Cutoffs,
        Phase::Livelocks,
        Phase::Collection,
    ];
}
