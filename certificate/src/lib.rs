//! Certificates of "safe": the set of all states of a program, and a small checker that explores them again.
//!
//! An engine says "safe" after an exploration that leaves out most schedules, for reasons that take books to explain.
//! Here is none of that. A [`Certificate`] lists states, each by its fingerprint, and [`check()`] sees that
//! - the start of the program is in the list;
//! - every action of every state in the list leads to a state in the list;
//! - no action and no state is wrong;
//! - each state in the list is the one that the list says it is: its action leads there from its predecessor.
//!
//! So the list has every state that can be reached, by induction over the number of actions, and none of them is wrong.
//! The checker takes *all* actions of *all* threads in each state: there is no reduction, no sleep set, no cutoff, no
//! pass and no order that would matter. What it has to believe is in docs/trust.md: the machine that executes an action
//! and says what is wrong with it, and that two states with the same fingerprint are the same.
//!
//! **What "wrong" is**, and where it is looked for:
//! - what an action does (an assertion that fails, a data race, an error in memory, misuse, a loop without an end):
//!   when it is taken;
//! - a deadlock, of all threads or of some: in each state;
//! - a leak: in each state in which the process is over;
//! - a livelock, and threads that wait for one another while others go on that might still cancel them: in the graph of
//!   states, see [`hopeless`];
//! - something that is not modelled, or a limit of the machine: when it is met, for then nothing is proved.
//!
//! [`collect()`] makes a certificate by the same walk, whatever engine has said "safe", up to a limit. [`walk`] is that
//! walk, [`file`](mod@file) the format.
//!
//! The crate knows systems ([`por::System`]) and no engine: of `por` it uses the seam alone.
mod check;
mod collect;
mod file;
mod hopeless;
mod list;
mod numbers;
mod walk;

pub use check::{Workers, check};
pub use collect::collect;
pub use file::{Certificate, Claim, Damaged, MAGIC};
pub use list::{Listed, States};
pub use walk::{Checked, Refused};
