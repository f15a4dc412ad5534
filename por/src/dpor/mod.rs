//! Dynamic partial order reduction on sequences: source sets and optimal (AAJS17), and optimal with observers (AJLS18).
//!
//! The second family of engines. It keeps one execution sequence E; the machine stands at its end. For each prefix of E
//! it keeps what is still to be explored from there. At the end of every execution it looks for the *races* of E. For
//! each race it plans a sequence that reverses the race, at the prefix before it. Parts:
//!
//! * [`action`]: what a thread does, and which actions depend on one another.
//! * [`trace`]: E, and what happens before what in it.
//! * [`same_value`]: what remains of E without some of it, where several actions do the same for later actions.
//! * [`race`]: the races of E and the sequences that reverse them.
//! * [`reversal`]: the same for operations that are blocked, or choices.
//! * [`weak_initial`]: weak initials (AJLS18, Definition 2), one action at a time: what makes a sequence redundant
//!   (Definition 3).
//! * [`wakeup`]: wakeup trees (Definition 4).
//! * [`node`]: prefixes of E, and what is planned and was begun there.
//! * [`job`]: a part of the exploration for another worker, see [`crate::jobs`].
//! * [`known`]: states to which E has come before, in which nothing need be executed again.
//! * [`walk`]: Algorithm 1.
//!
//! What AJLS18 leaves open. (1) *Blocking and choice*: an operation that is blocked in the end may have been possible
//! earlier, and one that happened in one of several variants, or touched less than it could, may happen in others. Both
//! are treated as in the unfolding engine: as operations that are pending after a part of E: see [`race`]. (2) *Weak
//! initials with observers* ask whether some continuation exists in which two writes go unobserved. That is taken to be
//! so unless the sequence itself observes them; an event that observes them later finds that race then.
//!
//! **Decisions** ([`System::is_decision`](crate::System::is_decision)) settle data that was left open. They touch
//! nothing, so they race with nothing. But one decision may leave another one with fewer variants. One rule makes up
//! for that: *wherever a decision is executed, its other variants that exist there are planned as well, right there,
//! unless they are asleep*. If a decision was planned and does not exist where its turn comes, it is dropped. Why
//! nothing is lost:
//!
//! Let m settle all data at once, and consider the executions whose decisions agree with m. With m given, each decision
//! has one variant, and what happens is a function of the order of actions; so this is a system without decisions. The
//! exploration is a tree; call the part of it that belongs to this system the m-part. It is to be shown that the m-part
//! is an exploration of that system by the same algorithm, which may explore more than it must. (1) Each node of the
//! m-part at which anything is explored has a child: if what was executed first is a decision that does not agree with
//! m, the variant that does exists, for m shows that, and is planned there by the rule, or is asleep. (2) Races of an
//! execution that agrees with m are races of the m-part, and the sequences that reverse them consist of decisions of
//! that execution, so that they agree with m. (3) Such a sequence v is not planned if what begins with an action d was
//! explored, where d is a weak initial of v. If d does not agree with m, it is a decision whose thread does not occur
//! in v (else it would occur with the variant of m, which refutes the claim), so that the variant d' that agrees with m
//! is a weak initial of v as well: nothing depends on either. By the rule d' is explored from the same prefix, or is
//! asleep there, and the same argument holds for the prefix where it was explored. (4) v may be put after a branch r of
//! the wakeup tree, for the same reason: if r does not agree with m, then v is lost there, but by the rule r' is
//! explored from the same prefix, and r' is a weak initial of v. (5) Executing more than was planned (the prefix of a
//! sequence that was planned for another m) only makes the m-part larger.
//!
//! With wakeup trees that costs a little: a sequence that was planned for one m is begun for another one, which may end
//! in an execution that is blocked by what is asleep.
mod action;
mod coordinator;
mod job;
mod known;
mod node;
mod race;
mod report;
mod reversal;
mod same_value;
mod task;
mod trace;
mod wakeup;
mod walk;
mod weak_initial;

pub use coordinator::Coordinator;
pub(crate) use job::{Job, Start};
pub use task::{Done, Task};
pub(crate) use walk::{Walk, explore};

use serde::{Deserialize, Serialize};

/// Which algorithm of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reduction {
    /// Source sets with sleep sets: plans the first step of a reversal only, so that executions may end blocked.
    Source,
    /// Wakeup trees: no two executions are equivalent, and none is blocked.
    Optimal,
    /// The same, where two writes are ordered only if another event reads what one of them wrote.
    Observers,
}
