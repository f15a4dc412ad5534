//! The C library.
mod allocation;
mod characters;
mod convert;
mod environment;
mod fortify;
mod host;
mod integers;
mod jump;
mod mapping;
mod math;
mod memory;
pub(crate) mod messages;
mod open;
mod queues;
mod random;
mod refused;
mod search;
mod stdio;
pub(crate) mod strings;
mod syscall;
mod time;
mod tokens;

#[cfg(test)]
mod campaign;
#[cfg(test)]
mod tests;

use interp::hooks::{LibraryGlobal, Registered};

/// The models of the C library.
pub(crate) const MODELS: &[&[Registered]] = &[
    allocation::MODELS,
    characters::MODELS,
    convert::MODELS,
    environment::MODELS,
    fortify::MODELS,
    host::MODELS,
    integers::MODELS,
    jump::MODELS,
    mapping::MODELS,
    math::MODELS,
    math::OF_ONE,
    math::OF_TWO,
    memory::MODELS,
    messages::MODELS,
    open::MODELS,
    queues::MODELS,
    random::MODELS,
    refused::MODELS,
    search::MODELS,
    stdio::MODELS,
    strings::MODELS,
    syscall::MODELS,
    time::MODELS,
    tokens::MODELS,
];

/// The variables of the C library.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let mut all = stdio::globals();
    all.extend(characters::globals());
    all.extend(messages::globals());
    all.extend(random::globals());
    all.extend(tokens::globals());
    all
}
