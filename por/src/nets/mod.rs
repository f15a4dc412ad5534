//! Contextual nets and their complete prefixes.
mod encoding;
mod families;
mod net;
mod read;
pub mod write;

pub use encoding::*;
pub use families::{FAMILIES, family};
pub use net::*;
pub use read::{ReadError, read};
