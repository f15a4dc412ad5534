//! Partial order reduction for any concurrent system.
//!
//! The crate knows nothing of LLVM, C or bytes: it explores whatever implements [`System`], with an engine chosen in
//! [`Options`], and tells an [`Listener`] what it finds.
mod dpor;
mod explore;
pub mod hunt;
pub mod jobs;
mod listener;
mod naive;
pub mod nets;
mod numbers;
mod options;
mod order;
mod replay;
mod spinning;
mod states;
mod statistics;
mod system;
mod turns;
mod unfolding;

pub use explore::{Outcome, explore, resume};
pub use listener::{Errand, Flow, Listener};
pub use numbers::Numbers;
pub use options::{Alternatives, Engine, Options, Reduction, StateBits};
pub use order::{dependencies, with_few_switches};
pub(crate) use replay::feasible_variants;
pub use replay::{Replayed, current_variants, replay};
pub use spinning::{Unclear, spinning};
pub use statistics::{Phase, Statistics, Work};
pub use system::*;
pub use unfolding::{Corrupt, Order, Prefix, PrefixEvent};
