//! From C source or LLVM IR to our own register code ([`ir`]). No LLVM type crosses this crate's border.
pub mod ir;
pub mod lower;
