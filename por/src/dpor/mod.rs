//! Dynamic partial order reduction on sequences: source sets and optimal (AAJS17), and optimal with observers (AJLS18).
//!
//! The second family of engines. It keeps one execution sequence E, the one that the machine stands at the end of, and for
//! each of its prefixes what is still to be explored from there. At the end of every execution its *races* are looked for,
//! and for each a sequence that reverses it is planned at the prefix before the race. Parts:
//!
//! * [`action`]: what a thread does, and which actions depend on one another.
//! * [`trace`]: E, and what happens before what in it.
//! * [`same_value`]: what remains of E without some of it, where several actions do the same for those who come later.
//! * [`race`]: the races of E and the sequences that reverse them.
//! * [`weak_initial`]: weak initials (AJLS18, Definition 2), one action at a time: what makes a sequence redundant
//!   (Definition 3).
//! * [`wakeup`]: wakeup trees (Definition 4).
//! * [`walk`]: Algorithm 1.
//!
//! What AJLS18 leaves open. (1) *Blocking and choice*: an operation that is blocked in the end may have been possible
//! earlier, and one that happened in one of several variants, or touched less than it could, may happen in others. Both are
//! treated as in the unfolding engine, as operations that are pending behind a part of E: see [`race`]. (2) *Weak initials
//! with observers* ask whether some continuation exists in which two writes go unobserved. That is taken to be so unless
//! the sequence itself observes them; whoever observes them later finds that race then.
mod action;
mod race;
mod same_value;
mod trace;
mod wakeup;
mod walk;
mod weak_initial;

pub(crate) use walk::explore;

/// Which algorithm of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Source sets with sleep sets: plans the first step of a reversal only, so that executions may end blocked.
    Source,
    /// Wakeup trees: no two executions are equivalent, and none is blocked.
    Optimal,
    /// The same, where two writes are ordered only if somebody reads what one of them wrote.
    Observers,
}
