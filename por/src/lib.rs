//! Partial order reduction for any concurrent system.
//!
//! The crate knows nothing of LLVM, C or bytes: it explores whatever implements [`System`], with an engine chosen in
//! [`Options`], and tells an [`Observer`] what it finds.
mod dpor;
mod explore;
mod naive;
pub mod nets;
mod order;
mod spinning;
mod system;
mod turns;
mod unfolding;

pub use explore::*;
pub use order::{dependencies, with_few_switches};
pub use system::*;
pub use unfolding::{Corrupt, Order, Prefix, PrefixEvent};
