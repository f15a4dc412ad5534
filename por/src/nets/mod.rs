//! Contextual nets and their complete prefixes.
mod net;
mod read;

pub use net::*;
pub use read::{ReadError, read};
