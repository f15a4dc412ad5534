//! Contextual nets and their complete prefixes.
mod net;

pub use net::*;
