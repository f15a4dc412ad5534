//! The names that options take as values.
use clap::ValueEnum;

/// Names for `--engine`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineName {
    /// The best for the job; today `unfolding`.
    Auto,
    /// Partial order reduction by unfolding.
    Unfolding,
    /// Dynamic partial order reduction with wakeup trees: no two executions are equivalent.
    Optimal,
    /// The same, and writes are ordered only where somebody reads them.
    Observers,
    /// Dynamic partial order reduction with source sets.
    Source,
    /// Every state once: for programs that have few of them, and for such as never end.
    States,
    /// Every interleaving, for comparison.
    Naive,
}

/// Names for `--cutoff-order`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OrderName {
    /// By size, then by what happens, then by the order in which it does: total.
    Erv,
    /// By size alone: takes less memory, and cuts less.
    Size,
}

/// Names for `--interference`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InterferenceName {
    /// Synchronisation and atomics, and what races, unless the race is the bug that is looked for.
    Auto,
    /// Synchronisation and atomics only; a race on anything else is a bug or makes the verdict unknown.
    Sync,
    /// Every access to memory that several threads can reach, for comparison.
    All,
}

/// Names for `--leaks`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeaksName {
    /// Those that nothing leads to any more.
    Lost,
    /// Every block that was not freed.
    All,
}

/// Names for `--race-model`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RaceModelName {
    /// Happens-before of the program's language: C11 to C17, C++11 to C++17, or C++20; a relaxed atomic orders nothing.
    C11,
    /// Happens-before of C++20: no store carries on a release sequence.
    C20,
    /// Every atomic access synchronises.
    Sc,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

/// Numbers for `--state-bits`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateBitsName {
    /// All: no two states are taken for one, but with odds of 1 to 10^20.
    #[value(name = "128")]
    All,
    /// Three fifths of the memory.
    #[value(name = "64")]
    Half,
    /// Two fifths of the memory.
    #[value(name = "32")]
    Quarter,
}

/// Names for `--symbolic`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymbolicName {
    /// Any value, unless --nondet gives a range.
    Auto,
    /// What --nondet says; without it the verdict is unknown where one is called.
    Off,
}

/// Names for `--uninitialised`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UninitialisedName {
    /// A bug where something depends on it.
    Error,
    /// Any value.
    Any,
    /// Zero; "safe" then names the assumption.
    Zero,
}

/// Names for `--volatile`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VolatileName {
    /// A plain access, as C says.
    Plain,
    /// A relaxed atomic access.
    Atomic,
}

/// Names for `--reuse`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReuseName {
    /// Explored where a compare-exchange compares the address of a freed block.
    Auto,
    /// Explored where the program compares such an address in any way.
    All,
    /// Not explored.
    Off,
}

/// Names for `--awaits`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AwaitsName {
    /// Threads that spin.
    On,
    /// Nobody.
    Off,
    /// Threads that spin, and those that fail an assumption on what they read.
    Assumptions,
}

/// Names for `--fail-on`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailOnName {
    /// A bug.
    Violation,
    /// No answer.
    Unknown,
    /// Neither.
    None,
}

/// Names for `--color`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
