//! What is settled about an exploration when it begins.
use crate::symbolic::InputValue;
use crate::sync::queue::QueueUsage;
use std::sync::Arc;

/// How the machine is explored: what the engine has asked for, and what was known at the start. It is neither undone nor kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exploration {
    /// The engine wants to know how each action changes the state.
    pub(crate) follows: bool,
    /// An engine ever did, and relies on changes having told all that matters.
    pub(crate) relied_on: bool,
    /// Stores that nobody reads are not ordered, see [`crate::Options::observers`].
    pub(crate) observers: bool,
    /// The values of all inputs, if these are fixed.
    pub(crate) inputs: Option<Arc<[InputValue]>>,
    /// How queues of messages are kept, after what earlier explorations have learned.
    pub(crate) queues: QueueUsage,
}
