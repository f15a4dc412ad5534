//! Contextual nets and their complete prefixes.
mod clock;
mod encoding;
mod families;
mod lists;
mod net;
mod prefix;
mod read;
mod system;
mod unfold;
pub mod write;

pub use encoding::*;
pub use families::{FAMILIES, family};
pub use net::*;
pub use prefix::*;
pub use read::{ReadError, read};
pub use system::{NetFault, NetOperation, NetSystem};
pub use unfold::{NotSafe, Steps, UnfoldEnd, UnfoldOptions, UnfoldStatistics, unfold};
