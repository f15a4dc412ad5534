//! The machine: threads, memory and synchronisation objects of a program in our own register code.
//!
//! It runs one thread from visible action to visible action and implements [`por::System`]; it knows neither LLVM nor
//! the order in which schedules are explored.
pub mod fault;
pub mod hooks;
mod library_global;
pub mod memory;
pub mod operation;
pub mod race;
#[cfg(test)]
mod random;
pub mod value;
