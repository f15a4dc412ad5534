//! What to explore with.
pub use crate::dpor::Reduction;
use crate::states::PART_BITS;
use crate::system::Needs;
use crate::unfolding::{Order, PERIOD};

/// Which algorithm picks the schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Unfolding-based partial order reduction (RSSK15, Algorithm 1).
    #[default]
    Unfolding,
    /// Dynamic partial order reduction on sequences.
    Dpor(Reduction),
    /// Every state once.
    States,
    /// Every interleaving; the oracle.
    Naive,
}

/// How hard the unfolding engine looks for alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternatives {
    /// K-partial (NRSCP18): an alternative must avoid only the K most recently disabled events that are still possible.
    /// Complete for every K ≥ 1; a small K may start executions that end blocked.
    Partial(u32),
    /// Full alternatives (RSSK15, Def. 8): no execution is ever blocked.
    Optimal,
    /// Those as far as a search comes that looks at so many candidates, and then `Partial(1)`. Complete for every
    /// number; executions may end blocked where searches are long.
    Within(u32),
}

impl Default for Alternatives {
    fn default() -> Self {
        Alternatives::Within(1_000)
    }
}

/// How much of the fingerprint of a known state the engine [`Engine::States`] keeps (hash compaction, WL93).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StateBits {
    /// All 128 bits.
    #[default]
    All,
    /// 64 bits of them.
    Half,
    /// 32 bits of them.
    Quarter,
}

impl StateBits {
    /// Bits that are kept of a state in the table.
    pub fn bits(self) -> u32 {
        match self {
            StateBits::All => 128,
            StateBits::Half => 64,
            StateBits::Quarter => 32,
        }
    }

    /// The odds that two of so many states are taken for one are at most this: the fingerprints are taken to be random
    /// numbers. (The part of the table that a state is in tells some bits more.)
    pub fn odds(self, states: u64) -> f64 {
        let told_apart = if self == StateBits::All { 128 } else { self.bits() + PART_BITS };
        ((states as f64).powi(2) * (-f64::from(told_apart) - 1.0).exp2()).min(1.0)
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
    /// How often states must be reached by fewer events than before, so that it is worthwhile to look at small
    /// configurations first. With the largest number that is not even tried.
    pub late: u64,
    /// With cutoffs: after how many actions it is looked at whether they save more than they cost. If they do not,
    /// states are not looked up for a while. With the largest number they always are.
    pub period: u64,
    /// For debugging: look at whole states wherever fingerprints are compared, and panic in the end if these do not
    /// tell the same ones apart. Of so many events at most, the first ones.
    pub verify_states: Option<u64>,
    /// After how many executions the engines that explore sequences look for states that come again, in which they need
    /// not execute the same again; never, if no number is given. (Nobody gives one but tests, see docs/engines.md.)
    pub known_from: Option<u64>,
    /// Stop after this many executions (blocked and pruned ones included).
    pub max_executions: Option<u64>,
    /// Keep the events that the unfolding engine executes, if there are no more than so many, for [`Listener::prefix`].
    pub prefix: Option<usize>,
    /// The engine [`Engine::States`] ends where it meets so many states.
    pub max_states: Option<u64>,
    /// Whether that engine lets threads sleep: all states are visited, with fewer actions between them.
    pub sleep_sets: bool,
    /// Whether that engine leaves out states where it is enough to take some of the threads.
    pub persistent_sets: bool,
    /// Whether that engine visits states in breadth, so that the schedules that it finds are the shortest.
    pub shortest: bool,
    /// What that engine keeps of each state. With less than all, states may be taken for known ones that are not.
    pub state_bits: StateBits,
    /// How long ways to states get, in actions, before that engine leaves longer ones for another pass.
    pub short_ways: u64,
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
            period: PERIOD,
            verify_states: None,
            known_from: None,
            max_executions: None,
            max_states: None,
            sleep_sets: true,
            persistent_sets: true,
            shortest: false,
            state_bits: StateBits::All,
            short_ways: 1_000,
            prefix: None,
            max_depth: 4_000_000,
            cache: 1 << 12,
            memory: None,
        }
    }
}

impl Options {
    /// What the engine needs of the system.
    pub fn needs(&self) -> Needs {
        match self.engine {
            Engine::Unfolding => Needs {
                states: self.cutoffs.is_some(),
                waits: true,
                joined: self.prefix.is_none() && self.verify_states.is_none(),
                ..Needs::default()
            },
            Engine::Dpor(reduction) => {
                let effects = reduction == Reduction::Observers;
                Needs { effects, waits: true, joined: true, marks: true, ..Needs::default() }
            }
            Engine::States => Needs { states: true, ..Needs::default() },
            Engine::Naive => Needs::default(),
        }
    }
}
