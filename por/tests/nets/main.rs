//! Contextual nets: their files, their encodings, and families of them.
#![allow(missing_docs, unreachable_pub, reason = "a test")]
mod encodings;
mod families;
mod formats;
mod generate;
mod malformed;
