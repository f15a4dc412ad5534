//! What is wrong with a program, or not known of it: violations as data, and what states say of them.
pub(crate) mod assumption;
mod deadlock;
pub(crate) mod describe;
pub mod fault;
mod halt;
pub(crate) mod held_locks;
mod leak;
pub(crate) mod livelock;
