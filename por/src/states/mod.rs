//! The states, each visited once.
//!
//! Depth-first, or breadth-first for the shortest way to a fault, over the enabled variants of all threads, as
//! [`crate::naive`]; but where the way leads to a state that is known, it ends. So the work is that of the states and
//! the actions between them, however many executions lead through them, and executions without end are no obstacle.
//!
//! **Why that is complete.** A state is known by [`Fingerprints::state`](crate::Fingerprints::state): equal
//! fingerprints mean that the same can happen from there on, with the same faults. Every state that can be reached is
//! arrived at, by induction over its shortest way: the state before it was visited, and there each action was taken, or
//! need not be ([`sleep`]). What is wrong with an action is told when it is taken, what is wrong with a state when it
//! is visited.
//!
//! A state without a fingerprint is visited as often as a way leads there.
//!
//! **Livelocks.** The states that can be reached from a livelock are livelocks, finitely many, and something can move
//! in each. So the search closes a circle among them: it comes back to one that is on its way. There threads that spin
//! are looked for, unless an action from there, or of the circle, changes more than where its thread stands. (With
//! sleep sets there need not be such a circle; [`sleep`] says where they are looked for then.)
//!
//! **Threads that another one may yet release** ([`release`]) are looked at where they wait.
//!
//! **Passes.** A search in depth may go on for ever, or for very long, beside a bug that lies near the start. So where
//! a way gets long it ends, and there is another pass behind this one, for ways that are longer. The last pass, in
//! which no way was ended so, is the proof.
//!
//! **Data that is not settled** ([`Decisions`](crate::Decisions)). A state stands for all data that its past leaves
//! open, and only the variants that exist for some of it are taken. A fingerprint says of the data what can still
//! matter.
//!
//! **Fewer states.** Not all states need be visited to find all that is wrong: [`future`].
//!
//! [`depth`] and [`breadth`] are the two orders in which states are visited, [`run`] is what they have in common,
//! [`table`] knows the states.
mod breadth;
mod depth;
mod future;
mod prefetch;
mod release;
mod run;
mod sleep;
mod table;

pub(crate) use table::PART_BITS;

use crate::system::{Decisions, Livelocks};
use crate::{Listener, Options, Outcome, Statistics};

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions>(
    system: &mut S,
    options: &Options,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let mut run = run::Run::new(system, options, listener);
    let outcome = if options.shortest { breadth::explore(&mut run) } else { depth::explore(&mut run) };
    (outcome.err().unwrap_or(Outcome::Complete), run.finish())
}
