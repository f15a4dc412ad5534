//! Contextual nets and their complete prefixes.
mod clock;
mod lists;
mod net;
mod prefix;
mod unfold;

pub use net::*;
pub use prefix::*;
pub use unfold::{NotSafe, UnfoldEnd, UnfoldOptions, UnfoldStatistics, unfold};
