//! POSIX threads.
mod attributes;
mod barrier;
pub(crate) mod cancel;
mod condition;
mod mutex;
mod mutex_attributes;
pub(crate) mod once;
mod read_write;
mod semaphore;
pub(crate) mod specific;
mod spin;
mod thread;
pub(crate) mod timeout;

#[cfg(test)]
mod tests;

use interp::hooks::Registered;

/// The models of this family of headers.
pub(crate) const MODELS: &[&[Registered]] = &[
    thread::MODELS,
    attributes::MODELS,
    mutex::MODELS,
    mutex_attributes::MODELS,
    condition::MODELS,
    read_write::MODELS,
    spin::MODELS,
    semaphore::MODELS,
    barrier::MODELS,
    once::MODELS,
    specific::MODELS,
    cancel::MODELS,
];
