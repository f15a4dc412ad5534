//! Contextual nets and their complete prefixes.
mod clock;
mod encoding;
mod lists;
mod net;
mod prefix;
mod read;
mod unfold;

pub use encoding::*;
pub use net::*;
pub use prefix::*;
pub use read::{ReadError, read};
pub use unfold::{NotSafe, UnfoldEnd, UnfoldOptions, UnfoldStatistics, unfold};
