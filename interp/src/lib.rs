//! The machine: threads, memory and synchronisation objects of a program in our own register code.
//!
//! It runs one thread from visible action to visible action and implements [`por::System`]; it knows neither LLVM nor
//! the order in which schedules are explored.
mod checkpoint;
mod companions;
mod coverage;
mod digest;
pub mod engines;
mod fingerprint;
mod library;
mod machine;
pub mod memory;
pub mod operation;
mod options;
mod quick;
pub mod race;
mod replay_context;
pub mod solver;
mod state_dump;
mod step;
mod symbolic;
mod sync;
mod system;
pub mod term;
#[cfg(test)]
mod tests;
mod thread;
mod undefined;
mod undo;
pub mod value;
mod verdict;
mod waiting;

pub use coverage::Coverage;
pub use library::hooks;
pub use machine::{Callees, Machine, OPENS_ARGUMENTS, Undefined, UndefinedCall};
pub use options::{
    Awaits, Checks, Error, External, Externals, Interference, Leaks, Open, OpenArguments, Options, Output, Reuse,
    Uninitialised,
};
pub use replay_context::{BlockFootprints, PromotedPlace};
pub use symbolic::{InputValue, is_decision};
pub use sync::queue::QueueUsage;
pub use sync::section::{schedules_in_order, with_sections_in_order};
pub use thread::Pending;
pub use verdict::assumption::Assumption;
pub use verdict::describe::{Action, OperationDescription};
pub use verdict::fault;
pub use verdict::held_locks::HeldLocks;
pub use waiting::Loop;
