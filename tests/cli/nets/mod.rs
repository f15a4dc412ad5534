//! `verify unfold`.
mod checker;
mod errors;
mod exports;
mod limits;
mod make;
mod prefixes;
mod questions;
mod summary;
