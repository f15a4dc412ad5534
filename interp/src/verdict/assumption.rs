//! What a "safe" rests on. docs/semantics.md explains each to users.

/// Something that is taken for granted, although it may be different in reality. It is named only if the program
/// exercised it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Assumption {
    /// The program does not use the address of a dead object, or the handle of a joined thread, that has been given out
    /// again.
    AddressReuse,
    /// Memory is never short.
    AllocationSucceeds,
    /// There are no more and no longer arguments of `main` than were asked for.
    BoundedArguments,
    /// Standard input has no more bytes than were asked for.
    BoundedStdin,
    /// Threads can always be created.
    CreationSucceeds,
    /// Padding that was never written is 0 where a compare-exchange compares it.
    EqualPadding,
    /// Functions that are not defined return some value, and do nothing else.
    ExternalFunctions,
    /// Objects lie in memory in one of a few ways that were all explored: what the program does depends on their
    /// addresses.
    FewLayouts,
    /// A thread that waits in a loop does not go round so often that a signed number which counts that overflows.
    FewTurns,
    /// `main` gets the arguments that it got here, although it may be called with any.
    FixedArguments,
    /// Time passes in one way only.
    FixedClock,
    /// Environment, files and settings are those of one system.
    FixedEnvironment,
    /// Pseudo-random numbers are those of one seed.
    FixedRandom,
    /// A new object does not have the address of one that has died and is still compared with others.
    FreshAddresses,
    /// No signal arrives.
    NoSignals,
    /// A thread that waits on a condition variable wakes up only if another thread wakes it.
    NoSpuriousWakeUps,
    /// Values of `__VERIFIER_nondet_` functions were left out.
    NondetRange,
    /// Objects lie in memory as they do here: what the program does depends on the numbers of their addresses.
    OneLayout,
    /// Weak atomic accesses, and accesses that race, behave as if they were sequentially consistent.
    SequentialConsistency,
    /// Volatile accesses are relaxed atomic ones.
    VolatileIsAtomic,
    /// A weak symbol that the program and the models do not define is defined nowhere.
    WeakIsNull,
    /// Memory that was never written holds zeros.
    ZeroUninitialised,
}

impl Assumption {
    /// All, in the order of their names.
    pub const ALL: [Assumption; 22] = [
        Assumption::AddressReuse,
        Assumption::AllocationSucceeds,
        Assumption::BoundedArguments,
        Assumption::BoundedStdin,
        Assumption::CreationSucceeds,
        Assumption::EqualPadding,
        Assumption::ExternalFunctions,
        Assumption::FewLayouts,
        Assumption::FewTurns,
        Assumption::FixedArguments,
        Assumption::FixedClock,
        Assumption::FixedEnvironment,
        Assumption::FixedRandom,
        Assumption::FreshAddresses,
        Assumption::NoSignals,
        Assumption::NoSpuriousWakeUps,
        Assumption::NondetRange,
        Assumption::OneLayout,
        Assumption::SequentialConsistency,
        Assumption::VolatileIsAtomic,
        Assumption::WeakIsNull,
        Assumption::ZeroUninitialised,
    ];

    /// The name used everywhere.
    pub const fn name(self) -> &'static str {
        match self {
            Assumption::AddressReuse => "address-reuse",
            Assumption::AllocationSucceeds => "allocation-succeeds",
            Assumption::BoundedArguments => "bounded-arguments",
            Assumption::BoundedStdin => "bounded-stdin",
            Assumption::CreationSucceeds => "creation-succeeds",
            Assumption::EqualPadding => "equal-padding",
            Assumption::ExternalFunctions => "external-functions",
            Assumption::FewLayouts => "few-layouts",
            Assumption::FewTurns => "few-turns",
            Assumption::FixedArguments => "fixed-arguments",
            Assumption::FixedClock => "fixed-clock",
            Assumption::FixedEnvironment => "fixed-environment",
            Assumption::FixedRandom => "fixed-random",
            Assumption::FreshAddresses => "fresh-addresses",
            Assumption::NoSignals => "no-signals",
            Assumption::NoSpuriousWakeUps => "no-spurious-wake-ups",
            Assumption::NondetRange => "nondet-range",
            Assumption::OneLayout => "one-layout",
            Assumption::SequentialConsistency => "sequential-consistency",
            Assumption::VolatileIsAtomic => "volatile-is-atomic",
            Assumption::WeakIsNull => "weak-is-null",
            Assumption::ZeroUninitialised => "zero-uninitialised",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_by_name() {
        assert!(Assumption::ALL.is_sorted());
        assert!(Assumption::ALL.is_sorted_by_key(|assumption| assumption.name()));
    }
}
