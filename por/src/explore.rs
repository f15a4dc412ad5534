//! Running an engine: what to explore with, whom to tell, what came out.
use crate::listener::{Listener, Told};
use crate::options::{Engine, Options};
use crate::statistics::Statistics;
use crate::system::Explorable;
use crate::unfolding::Corrupt;
use crate::{dpor, naive, states, unfolding};

/// Why the answer is unknown where the words of the system do not tell the truth about it.
pub(crate) const OUT_OF_STEP: &str = "memory is accessed both atomically and otherwise (plainly, or in an atomic block) in a \
                                      way that the exploration cannot follow";

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was explored.
    Complete,
    /// The listener said stop.
    Stopped,
    /// The system said that the exploration has to start again.
    Restart,
    /// `max_executions` was reached.
    ExecutionLimit,
    /// An execution reached `max_depth`.
    DepthLimit,
    /// `max_states` was reached.
    StateLimit,
}

/// Explores a system that stands in its initial state ([`System::start`] has not been called yet).
pub fn explore<S: Explorable>(
    system: &mut S,
    options: &Options,
    listener: &mut dyn Listener<S>,
) -> (Outcome, Statistics) {
    system.prepare(options.needs());
    let listener = &mut Told::new(listener);
    match options.engine {
        Engine::Unfolding => {
            let explored = unfolding::explore(system, options, listener, None);
            explored.unwrap_or_else(|_| unreachable!("there is no checkpoint that could be corrupt"))
        }
        Engine::Dpor(reduction) => dpor::explore(system, options, reduction, listener),
        Engine::States => states::explore(system, options, listener),
        Engine::Naive => naive::explore(system, options, listener),
    }
}

/// Goes on from a checkpoint that an exploration of the same system (in its initial state, but for what it has learned
/// by then) with the same options gave to its listener. The engine is [`Engine::Unfolding`].
pub fn resume<S: Explorable>(
    system: &mut S,
    options: &Options,
    listener: &mut dyn Listener<S>,
    exploration: &[u8],
) -> Result<(Outcome, Statistics), Corrupt> {
    system.prepare(options.needs());
    unfolding::explore(system, options, &mut Told::new(listener), Some(exploration))
}
