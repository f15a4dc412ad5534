//! Contextual nets and their complete prefixes.
mod encoding;
mod net;
mod read;
pub mod write;

pub use encoding::*;
pub use net::*;
pub use read::{ReadError, read};
