//! Running an engine: what to explore with, whom to tell, what came out.
pub use crate::dpor::Reduction;
use crate::system::{Accesses, Ending, Move, System};
use crate::unfolding::{Corrupt, Order, Prefix};
use crate::{dpor, naive, unfolding};
use serde::{Deserialize, Serialize};

/// Which algorithm picks the schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Unfolding-based partial order reduction (Alg. 1 of the 2015 paper).
    #[default]
    Unfolding,
    /// Dynamic partial order reduction on sequences.
    Dpor(Reduction),
    /// Every interleaving; the oracle.
    Naive,
}

/// How hard the unfolding engine looks for alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternatives {
    /// K-partial: an alternative must avoid only the K most recently disabled events that are still possible. Complete
    /// for every K ≥ 1; a small K may start executions that end blocked.
    Partial(u32),
    /// Full alternatives (Def. 8): no execution is ever blocked.
    Optimal,
}

impl Default for Alternatives {
    fn default() -> Self {
        Alternatives::Partial(1)
    }
}

/// Settings of an exploration.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub engine: Engine,
    /// For the unfolding engine.
    pub alternatives: Alternatives,
    /// Whether executions end at states that a smaller one leads to as well, for the unfolding engine.
    pub cutoffs: Option<Order>,
    /// How often states must be reached by fewer events than before, so that it is worthwhile to look at small configurations
    /// first. With the largest number that is not even tried.
    pub late: u64,
    /// For debugging: look at whole states wherever fingerprints are compared, and panic in the end if these do not tell the
    /// same ones apart. Of so many events at most, the first ones.
    pub verify_states: Option<u64>,
    /// Stop after this many executions (blocked and pruned ones included).
    pub max_executions: Option<u64>,
    /// Keep the events that the unfolding engine executes, if there are no more than so many, for [`Observer::prefix`].
    pub prefix: Option<usize>,
    /// Longest execution, in actions. Only an endless execution should ever be longer.
    pub max_depth: u64,
    /// How many events the unfolding engine may know before it forgets those that it does not need.
    pub cache: usize,
    /// Bytes for the tables of the unfolding engine. Above that it forgets whatever it can do without, also what saves
    /// time; only what it cannot do without may take more.
    pub memory: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::default(),
            alternatives: Alternatives::default(),
            cutoffs: None,
            late: 16,
            verify_states: None,
            max_executions: None,
            prefix: None,
            max_depth: 4_000_000,
            cache: 1 << 12,
            memory: None,
        }
    }
}

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
    /// Different events executed (unfolding engine), or actions executed (naive engine). One that was forgotten counts
    /// again when it is made anew.
    pub events: u64,
    /// Actions executed, repetitions included.
    pub steps: u64,
    /// Longest execution, in actions.
    pub depth: u64,
    /// Largest number of threads that existed in one execution.
    pub threads: u32,
    /// Every event was looked at, as far as cutoffs leave it, before which no more than so many others must have happened (besides
    /// those of the first thread alone). 0 if the exploration does not go in passes; all events if it is complete.
    pub explored: u32,
    /// How many executions of all kinds the current pass is expected to have in all: a guess; 0 where there is none.
    pub expected: f64,
    /// What the unfolding engine did for that.
    pub work: Work,
}

impl Statistics {
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
    /// Searches for an alternative.
    pub searches: u64,
    /// How many of them found one.
    pub alternatives: u64,
    /// Times that the exploration started again with larger configurations, or small ones first.
    pub passes: u64,
    /// Executions of all kinds in passes before the last one.
    pub earlier: u64,
    /// States known for cutoffs at the end.
    pub states: u64,
    /// Times that a state was reached by a configuration of fewer events than before.
    pub late: u64,
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

/// Why the answer is unknown where the words of the system do not tell the truth about it.
pub(crate) const OUT_OF_STEP: &str = "memory is accessed both atomically and otherwise (plainly, or in an atomic block) in a \
                                      way that the exploration cannot follow";

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the exploration here.
    Stop,
}

impl Flow {
    /// An error if it ends here, for `?`.
    pub(crate) fn go_on(self) -> Result<(), Outcome> {
        match self {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Outcome::Stopped),
        }
    }
}

/// Receives what the exploration finds. All methods have a default that goes on.
pub trait Observer<S: System> {
    /// A maximal configuration was reached; the system stands in its final state.
    fn execution(&mut self, system: &S, ending: Ending, schedule: &[Move]) -> Flow {
        let _ = (system, ending, schedule);
        Flow::Continue
    }

    /// A violation, with a schedule that leads to it: the causal past of the fault and of what it involves, in an order
    /// in which it can be executed.
    fn violation(&mut self, fault: S::Fault, schedule: Vec<Move>) -> Flow {
        let _ = (fault, schedule);
        Flow::Stop
    }

    /// Something was met that is not modelled, or a limit of the system; a "safe" is no longer possible.
    fn unknown(&mut self, reason: String) -> Flow {
        let _ = reason;
        Flow::Continue
    }

    /// Called now and then (every few thousand steps), for progress, time and memory limits and interrupts.
    fn poll(&mut self, system: &S, statistics: &Statistics) -> Flow {
        let _ = (system, statistics);
        Flow::Continue
    }

    /// Asked between executions: whether to be given a [`Observer::checkpoint`] now. (Engine `unfolding` only.)
    fn wants_checkpoint(&mut self) -> bool {
        false
    }

    /// What [`resume`] goes on from, with a system that knows what this one has learned. The system stands somewhere in the
    /// middle of an execution.
    fn checkpoint(&mut self, system: &S, exploration: Vec<u8>) -> Flow {
        let _ = (system, exploration);
        Flow::Continue
    }

    /// The exploration goes on from a checkpoint; the system has executed some actions again to get there.
    fn restored(&mut self, system: &mut S) {
        let _ = system;
    }

    /// At the end of an exploration with [`Options::prefix`], however it ended: the events executed, unless there are more. (One that
    /// went on from a checkpoint knows of those since then only.)
    fn prefix(&mut self, prefix: Option<Prefix>) {
        let _ = prefix;
    }

    /// The engine begins with something else. Called several times for each event: it must cost next to nothing, and where
    /// it is left out, it costs nothing at all.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }
}

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was explored.
    Complete,
    /// The observer said stop.
    Stopped,
    /// The system said that the exploration has to start again.
    Restart,
    /// `max_executions` was reached.
    ExecutionLimit,
    /// An execution reached `max_depth`.
    DepthLimit,
}

/// Explores a system that stands in its initial state ([`System::start`] has not been called yet).
pub fn explore<S: System>(system: &mut S, options: &Options, observer: &mut impl Observer<S>) -> (Outcome, Statistics) {
    match options.engine {
        Engine::Unfolding => {
            let explored = unfolding::explore(system, options, observer, None);
            explored.unwrap_or_else(|_| unreachable!("there is no checkpoint that could be corrupt"))
        }
        Engine::Dpor(reduction) => dpor::explore(system, options, reduction, observer),
        Engine::Naive => naive::explore(system, options, observer),
    }
}

/// Goes on from a checkpoint that an exploration of the same system (in its initial state, but for what it has learned by then)
/// with the same options gave to its observer. The engine is [`Engine::Unfolding`].
pub fn resume<S: System>(
    system: &mut S,
    options: &Options,
    observer: &mut impl Observer<S>,
    exploration: &[u8],
) -> Result<(Outcome, Statistics), Corrupt> {
    unfolding::explore(system, options, observer, Some(exploration))
}

/// What a replay came to.
#[derive(Debug)]
pub enum Replayed<F> {
    /// The whole schedule was executed; these faults occurred on the way, each with the number of moves made by then.
    Finished(Vec<(usize, F)>),
    /// Move number `at` is not possible: the schedule is not one of this system.
    Impossible {
        /// Index of the move.
        at: usize,
    },
}

/// Executes a schedule on a system in its initial state. `before` is called before every move, `after` behind it, for
/// reports. What is wrong at its end is part of it.
pub fn replay<S: System>(
    system: &mut S,
    schedule: &[Move],
    mut before: impl FnMut(&S, Move),
    mut after: impl FnMut(&S, Move),
) -> Replayed<S::Fault> {
    let mut faults = Vec::new();
    faults.extend(system.start().fault.map(|f| (0, f)));
    let mut variants = Vec::new();
    for (at, &step) in schedule.iter().enumerate() {
        variants.clear();
        feasible_variants(system, step.thread, &mut variants);
        if !variants.iter().any(|v| v.label == step.label) {
            return Replayed::Impossible { at };
        }
        before(system, step);
        let result = system.execute(step.thread, step.label);
        faults.extend(result.fault.map(|f| (at + 1, f)));
        after(system, step);
    }
    let stuck = (0..system.threads()).all(|t| {
        variants.clear();
        feasible_variants(system, crate::ThreadId(t), &mut variants);
        variants.is_empty()
    });
    if stuck {
        faults.extend(system.ending().1.faults.into_iter().map(|f| (schedule.len(), f)));
    } else {
        let spinning = if system.looks_for_livelocks() { crate::spinning::spinning(system) } else { Ok(Vec::new()) };
        let stuck = system.stuck(&spinning.unwrap_or_default());
        faults.extend(stuck.faults.into_iter().map(|f| (schedule.len(), f)));
    }
    Replayed::Finished(faults)
}

/// The same, without those variants of a decision that do not exist.
pub(crate) fn feasible_variants<S: System>(
    system: &mut S,
    thread: crate::ThreadId,
    out: &mut Vec<crate::Variant>,
) -> Accesses {
    let from = out.len();
    let footprint = current_variants(system, thread, out);
    if system.operation(thread).is_some_and(|operation| system.is_decision(operation)) {
        let mut index = 0;
        out.retain(|variant| {
            index += 1;
            index <= from || system.is_feasible(thread, variant.label)
        });
    }
    footprint
}

/// The variants of a thread's pending operation in the current state, appended to `out`. Returns the operation's
/// footprint, nothing if the thread has none.
pub fn current_variants<S: System>(system: &S, thread: crate::ThreadId, out: &mut Vec<crate::Variant>) -> Accesses {
    let Some(operation) = system.operation(thread) else {
        return Accesses::none();
    };
    let footprint = system.footprint(thread, operation);
    let mut words = [0; Accesses::CAPACITY];
    for (word, access) in words.iter_mut().zip(footprint.iter()) {
        *word = system.word(access.object);
    }
    system.variants(thread, operation, &footprint, &words[..footprint.len()], out);
    footprint
}
