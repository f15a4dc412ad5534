//! What each kind of bug is, for formats that come with a list of rules.
use interp::fault::Kind;

/// A kind of bug as people look it up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// A few words.
    pub title: &'static str,
    /// One sentence.
    pub description: &'static str,
    /// What usually helps.
    pub help: &'static str,
    /// Number in the Common Weakness Enumeration.
    pub cwe: u32,
}

/// The rule that a kind of bug breaks.
pub(crate) fn rule(kind: Kind) -> Rule {
    let (title, description, help, cwe) = match kind {
        Kind::Assertion => (
            "Assertion fails",
            "In some schedule an assertion does not hold, or a place is reached that the program says is never reached.",
            "Follow the schedule to where the state is not what the assertion expects.",
            617,
        ),
        Kind::Abort => (
            "Program aborts",
            "In some schedule the program ends itself by `abort` or a trap.",
            "Follow the schedule to see what leads to the call.",
            617,
        ),
        Kind::DataRace => (
            "Data race",
            "Two threads access the same memory, at least one of them writes, and nothing orders the two accesses.",
            "Protect both accesses with the same mutex, or make both atomic.",
            362,
        ),
        Kind::Deadlock => (
            "Deadlock",
            "Threads wait for one another, or for something that can never come.",
            "Take locks in the same order everywhere, and check who sends what is waited for.",
            833,
        ),
        Kind::Livelock => (
            "Livelock",
            "Threads spin for ever on what nobody is left to change.",
            "Check which thread should have changed it, and why it did not.",
            835,
        ),
        Kind::EndlessLoop => (
            "Endless loop",
            "A thread repeats its state for ever and does nothing that others could see.",
            "Check how the loop is meant to end.",
            835,
        ),
        Kind::Memory => (
            "Invalid memory access",
            "Memory is accessed out of bounds, after its life, or through an invalid pointer; or what is freed must not be.",
            "Follow the schedule to where the memory was allocated and freed, and order that with the access.",
            119,
        ),
        Kind::Uninitialised => (
            "Uninitialised value is used",
            "A decision, an address or an argument depends on memory that was never written.",
            "Write it first; where another thread does, wait for that thread.",
            457,
        ),
        Kind::Leak => (
            "Memory leak",
            "When the process ends, nothing leads to a heap block any more.",
            "Free the block before the last pointer to it is gone.",
            401,
        ),
        Kind::Overflow => (
            "Undefined arithmetic",
            "Signed arithmetic overflows, a shift is too wide, or a division is by zero.",
            "Check the operands first, or compute in a type that is wide enough.",
            190,
        ),
        Kind::Misuse => (
            "Function is used against its rules",
            "A function is called in a way that its specification leaves undefined or forbids.",
            "See the manual of the function that the message names.",
            628,
        ),
    };
    Rule { title, description, help, cwe }
}
