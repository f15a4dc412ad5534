//! Contextual nets and their complete prefixes.
//!
//! [`read`](read()) and [`mod@write`] are files, [`encoded`] gives nets without read arcs, [`family`] nets that grow,
//! [`unfold`](unfold()) builds prefixes, and [`NetSystem`] lets the engines of programs explore a net.
//!
//! **What is shared with those engines** is the seam ([`System`](crate::System)) and the names of the orders
//! ([`Order`](crate::Order)). An event of a program has one history, and its configurations are kept as the last event
//! of each thread; here an event has many, and a history is a clock over places. Their order compares what *threads* do
//! level by level, in lines that share beginnings; a transition is no thread, and a line for each would cost as much as
//! the clock, for a comparison that is made on ties alone. So events, configurations and tables of states are each
//! side's own.
mod clock;
mod csr;
mod encoding;
mod families;
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
