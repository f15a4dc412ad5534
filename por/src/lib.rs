//! Partial order reduction for any concurrent system.
//!
//! The crate knows nothing of LLVM, C or bytes: it explores whatever implements [`System`].
pub mod system;
pub use system::*;
