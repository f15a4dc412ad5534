//! The engines of [`por`], compiled for this machine: once, and as fast as it is. (Generic code is compiled in the
//! crate that calls it, and a dozen executables explore programs.)
use crate::Machine;
use por::jobs::{Done, Explored, Jobs, Task};
use por::{Corrupt, Listener, Options, Outcome, Reduction, Statistics};

/// As [`por::explore`].
pub fn explore(
    machine: &mut Machine,
    options: &Options,
    listener: &mut dyn Listener<Machine>,
) -> (Outcome, Statistics) {
    por::explore(machine, options, listener)
}

/// As [`por::resume`].
///
/// # Errors
/// The checkpoint is not one, or one of something else.
pub fn resume(
    machine: &mut Machine,
    options: &Options,
    listener: &mut dyn Listener<Machine>,
    exploration: &[u8],
) -> Result<(Outcome, Statistics), Corrupt> {
    por::resume(machine, options, listener, exploration)
}

/// As [`por::jobs::explore_with`].
pub fn explore_with(
    machine: &mut Machine,
    options: &Options,
    listener: &mut (dyn Listener<Machine> + Send),
    jobs: Jobs,
) -> Explored {
    por::jobs::explore_with(machine, options, listener, jobs)
}

/// As [`por::jobs::work`].
pub fn work(
    machine: &mut Machine,
    options: &Options,
    reduction: Reduction,
    task: &Task,
    listener: &mut dyn Listener<Machine>,
    go_on: &mut dyn FnMut(&Statistics) -> bool,
) -> (Outcome, Statistics, Option<Done>) {
    por::jobs::work(machine, options, reduction, task, listener, go_on)
}
