//! Contextual nets: their files, their encodings, families of them, and the unfolder against definitions and brute
//! force.
#![allow(missing_docs, unreachable_pub, reason = "a test")]
#[path = "../oracle/campaign.rs"]
mod campaign;
mod definition;
mod encodings;
mod families;
mod formats;
mod generate;
mod malformed;
mod system;
mod unfolder;
