//! Workers that have no memory in common.
use crate::dpor::{Done, Reduction, Task, Walk};
use crate::listener::Told;
use crate::options::Options;
use crate::statistics::Statistics;
use crate::system::Explorable;
use crate::{Listener, Outcome};

/// How many actions the sequences may have together that a task has others plan: more are not told at once.
const MOST_TOLD: usize = 20_000;

/// Explores a task, or a part of it: `go_on` is asked after each execution. The system was not started, and gives the
/// numbers to threads and objects that the task's maker knows. Without a [`Done`], the outcome says why, and the task
/// was not done.
pub fn work<S: Explorable>(
    system: &mut S,
    options: &Options,
    reduction: Reduction,
    task: &Task,
    listener: &mut dyn Listener<S>,
    go_on: &mut dyn FnMut(&Statistics) -> bool,
) -> (Outcome, Statistics, Option<Done>) {
    system.prepare(options.needs());
    let mut listener = Told::new(listener);
    let mut walk = Walk::new(system, options, reduction, &mut listener);
    let explored = walk.take_apart(task).and_then(|found| {
        let mut more = found;
        while more {
            more = walk.explore_one()?;
            if walk.told() >= MOST_TOLD || !go_on(&walk.statistics) {
                break;
            }
        }
        Ok(walk.leave_apart(task))
    });
    match explored {
        Ok(done) => (Outcome::Complete, walk.statistics, Some(done)),
        Err(outcome) => (outcome, walk.statistics, None),
    }
}
