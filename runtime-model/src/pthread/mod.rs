//! POSIX threads.
mod attributes;
mod condition;
mod mutex;
mod mutex_attributes;
mod thread;

#[cfg(test)]
mod tests;

use interp::hooks::Registered;

/// The models of this family of headers.
pub(crate) const MODELS: &[&[Registered]] =
    &[thread::MODELS, attributes::MODELS, mutex::MODELS, mutex_attributes::MODELS, condition::MODELS];
