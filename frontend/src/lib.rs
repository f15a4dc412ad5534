//! From C source or LLVM IR to our own register code ([`ir`]). No LLVM type crosses this crate's border, but for
//! [`lower`], which tests use.
pub mod cc;
pub mod ir;
pub mod load;
pub mod lower;

mod embedded;
mod error;
mod pass;

pub use error::Error;
pub use load::{Options, Program, Reader, Stub, Volatile, load};
