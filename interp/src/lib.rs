//! The machine: threads, memory and synchronisation objects of a program in our own register code.
//!
//! It runs one thread from visible action to visible action and implements [`por::System`]; it knows neither LLVM nor
//! the order in which schedules are explored.
mod access;
mod assumption;
mod atomic;
mod checkpoint;
mod deadlock;
mod describe;
mod digest;
mod effect;
pub mod fault;
mod fingerprint;
mod halt;
mod held;
pub mod hooks;
mod jump;
mod layout;
mod leak;
mod library;
mod library_global;
mod machine;
pub mod memory;
pub mod operation;
mod options;
mod partial;
mod quick;
pub mod race;
#[cfg(test)]
mod random;
mod recall;
mod since;
pub mod solver;
mod specific;
mod spin;
mod spinning;
mod step;
mod symbolic;
mod sync;
mod system;
pub mod term;
#[cfg(test)]
mod tests;
mod thread;
mod thunk;
mod tracking;
mod undo;
pub mod value;
mod waiting;
mod whole;

pub use assumption::Assumption;
pub use describe::{Action, OperationDescription};
pub use held::HeldLocks;
pub use machine::Machine;
pub use options::{Awaits, Checks, Error, Interference, Leaks, Options, Output};
pub use recall::PromotedPlace;
pub use symbolic::{InputValue, is_decision};
pub use sync::queue::QueueUsage;
pub use thread::Pending;
