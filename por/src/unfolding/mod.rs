//! Unfolding-based partial order reduction: RSSK15, Algorithm 1, with the k-partial alternatives of NRSCP18.
//!
//! One depth-first walk over the binary call tree of the algorithm. The machine is always at state(C): a step down
//! executes an event, a step up undoes it. Parts:
//!
//! * [`event`]: the events known (U), found by canonical name.
//! * [`configuration`]: C, with what came last per thread and per object.
//! * [`extension`]: conflicting extensions of C. A write after n reads has 2ⁿ histories; they are never enumerated from
//!   one configuration. Instead every *race* of C (an event and one of its direct, dependent predecessors in another
//!   thread) is reversed once, as in DPOR, and the configurations that this opens show the other histories.
//! * [`alternative`]: what can replace the events of D.
//! * [`past`]: the events of a local configuration, and what its state holds beyond sums.
//! * [`cutoff`]: which events lead to a state that is known, with [`foata`] to say which of two configurations is
//!   smaller; [`fingerprint`](mod@fingerprint): what they say of states; [`check_states`]: whether that is enough.
//! * [`deepening`]: in which order configurations are looked at where it matters.
//! * [`estimate`]: how much there is left to do.
//! * [`collect`]: U kept to what alternatives need, the set Q of RSSK15, by mark and compact.
//! * [`checkpoint`]: all of that as bytes.
//! * [`prefix`]: what was explored, for users who want to look at it.
//! * [`walk`]: the algorithm itself; [`choice`]: which event comes next; [`leaf`]: the end of an execution.
//!
//! Deviations from RSSK15. (1) Only *known* extensions are in U: an enabled event enters U when the walk considers
//! it, not when it becomes possible. This loses nothing: at a maximal configuration every enabled event has been
//! executed or is in D, and one that was preempted by a dependent event is found by reversing that race. (2) Of the
//! conflicting extensions, those at distance one (one race reversed) are inserted; see [`extension`]. (3) Conflict is
//! never stored: an event can be added to C iff its thread stands behind its predecessor and its dependent
//! predecessors at C are those in its name.
//!
//! **Decisions** ([`Decisions`](crate::Decisions)) settle data that was left open, and leave other decisions with fewer
//! variants, though nothing orders the two. So in this unfolding conflict is no matter of pairs only: a set of events
//! without a conflict is a configuration if, besides, what they settle can hold together (SBRLW20 has such a condition
//! on paths). All variants of a decision are known events as soon as one of them is, whether or not they are possible
//! at C. An event is enabled at C, and a candidate of an alternative can be added, only if what it settles can hold
//! together with what C settles. Nothing else changes. In particular every event d of D still has a partner that is in
//! conflict with it as a pair, in every maximal configuration that d can be left out of: if d is a decision whose
//! thread stands before it, then another variant of it, because at least one is possible in every state; and if d is
//! none, the event that it always was.
//!
//! Why nothing is lost: let m settle all data at once, and consider the events that agree with m. With m given, each
//! decision has one variant, and these events form an unfolding without decisions, whose maximal configurations are
//! those of this one that agree with m. Of the call tree, consider the nodes (C, D) at which C agrees with m. Events of
//! D that do not agree with m are left out by every configuration that does, and are replaced by the variant that does,
//! which is known. For the others it is Algorithm 1 on the unfolding for m. That an alternative may contain decisions
//! that do not agree with m does not matter: it leads to other nodes, and after these the search goes on with what they
//! leave. Each maximal configuration agrees with some m.
//!
//! Cutoffs are not for such systems: what the data still may be is no sum over events.
mod alternative;
mod check_states;
mod checkpoint;
mod choice;
mod collect;
mod configuration;
mod cutoff;
mod deepening;
mod estimate;
mod event;
mod extension;
mod fingerprint;
mod foata;
mod leaf;
mod past;
mod prefix;
mod walk;
mod worth;

pub use checkpoint::Corrupt;
pub use cutoff::Order;
pub use prefix::{Prefix, PrefixEvent};
pub(crate) use walk::explore;
pub(crate) use worth::PERIOD;
