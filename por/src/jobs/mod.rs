//! One exploration by several workers, each with a system of its own.
//!
//! A worker explores as if it were alone ([`crate::dpor`]): one execution after the other, depth first. When another
//! one is idle, it gives a *job* away: at the shortest prefix of its execution where anything is planned, the first
//! branch of the wakeup tree, to be explored with all that it leads to. Nothing is given away that nobody asks for, so
//! jobs are as large as they can be, and a worker that is alone does nothing more than it did before.
//!
//! **What is shared.** The prefixes of a job belong to all workers below them ([`crate::dpor`], `node`): what was
//! *begun* there, in that order, and what is planned. A race whose reversal belongs at such a prefix is planned there
//! by the worker that finds it, under a lock. To take a branch of the tree and to add it to what was begun is one step
//! under the same lock, and always the first branch is taken. All else belongs to one worker.
//!
//! **What was begun is still a part of the wakeup tree.** A worker that is alone has explored p with all that it leads
//! to when it begins with the next branch q. Here p may still be explored, by another worker; what reverses races of
//! executions that begin with p then comes late. It must not be dropped because it can begin with q: p is asleep where
//! q is explored, so q's subtree leaves out what begins with p there, and relies on being told what reverses races of
//! that. So a sequence v from an execution that goes on with p is
//!
//! * redundant if something asleep at the prefix, or what was begun up to p, is a weak initial of it,
//! * else inserted as into the wakeup tree: the branches that were begun after p come first, in their order, then those
//!   that are planned. The first one that is a weak initial of v takes the rest of it: into its own branches, begun or
//!   not, and so on, up to a leaf, where nothing is to be done. (Nothing is asleep after a leaf: all is found there.)
//!   Where no branch takes it, it becomes the last one.
//!
//! That is what a worker does that is alone, for then nothing is begun after p. For the sake of that, a branch that is
//! begun at a shared prefix shares the prefixes after it up to its leaf. A plan may come to a prefix that all workers
//! have left: then it is a job at once (`adopt` there). A worker leaves a prefix under its lock, and only
//! if nothing is planned there.
//!
//! **Nothing is lost.** What is planned at a prefix is explored: by a worker below it, which comes back before it
//! leaves, by one to which it is given, or as a job. So when all workers are idle, and no job waits, all trees are
//! empty.
//!
//! **With wakeup trees, the executions are as many as one worker has**: each class once, and none is blocked, for any
//! number of workers and any order of what they do.
//!
//! 1. *No two executions are equivalent.* At a prefix let p be begun before q. Then p is asleep where q is explored: no
//!    execution of q's subtree has p as a weak initial, and each of p's has. That takes the list of what was begun
//!    before q. It is complete when q is begun, and never changes.
//! 2. *No execution is blocked.* A sequence becomes a branch only if nothing asleep there and nothing that stands
//!    before it, begun or not, is a weak initial of it; and it is made so long that its actions show that. Branches are
//!    begun in their order, and new ones come last. So what is asleep where a branch is begun is what was asked then.
//! 3. *Every class is explored.* Order what was begun at each prefix by when it was begun. The proof for one worker
//!    (AAJS17) shows by induction over this order, and from longer prefixes to shorter ones, that each subtree has all
//!    classes but those that begin with what is asleep. Of other subtrees it uses what they have explored, and where
//!    what reverses their races was inserted, when all is over; not when that happened. Where it is inserted is a
//!    matter of the order of branches alone: an earlier branch takes it if it can. Only that new branches come last may
//!    make the order of one of them another one than a single worker has; any order will do.
//!
//! Which execution stands for a class may be another one; their number is that of the classes. With source sets there
//! are no trees, and the first action of a sequence is planned unless something is begun or planned that can come first
//! in it, by whichever worker; the same number of executions is not blocked, how many are depends on the order. All of
//! that is compared with brute force, with workers whose turns are drawn by lot (`por/tests/oracle/jobs.rs`).
//!
//! **Settled races** ([`crate::dpor`], `trace`) stay settled: what is planned at a prefix is begun some day, in the
//! same place of the order, and what was begun stays.
//!
//! **Names.** Workers tell one another of actions, so threads, objects and lists of accesses have the same numbers for
//! all: [`crate::Companions`], [`crate::Numbers`]. A prefix is executed again by the worker that takes the job; an
//! action that is not possible there, though it was for the one that gave it away, makes the answer "unknown".
//!
//! **Without memory in common** ([`Coordinator`], [`work`]) a worker has copies of the prefixes above its task. A copy
//! says all that makes a sequence redundant, for what was begun before the task does not change; and if a leaf of the
//! copy takes a sequence, the same leaf of the original does, which has had nothing but new branches since, and these
//! come last. All other sequences for these prefixes are told to the coordinator, who plans them as a worker would
//! have done: that they come later is what happens to every sequence of another worker. A task may be given to several
//! workers, or again to another one: only what comes of it first counts, with all that it has counted and found.
//!
//! **The end.** What ends an exploration (the listener, a limit, a system that has learned something) ends it for all
//! workers; what they would say after that is not heard. The system that is left is the one that ended it.
mod apart;
mod pool;
mod simulate;
mod voice;

pub use crate::dpor::{Coordinator, Done, Task};
pub use apart::work;
pub use simulate::simulate;

use crate::explore::{Outcome, explore};
use crate::listener::Listener;
use crate::options::{Engine, Options};
use crate::statistics::Statistics;
use crate::system::{Companions, Explorable};
use std::time::Duration;

/// How the work is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jobs {
    /// How many workers there are, at most.
    pub workers: usize,
    /// How long the first one is alone: what is over soon is not worth the others.
    pub patience: Duration,
    /// Bytes for the stack of each of the others.
    pub stack: usize,
}

/// What came of an exploration by several workers.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    /// How it ended.
    pub outcome: Outcome,
    /// What all workers have counted, together. [`Statistics::steps`] has the actions that were executed again, too.
    pub statistics: Statistics,
    /// How many workers there were.
    pub workers: usize,
    /// Why there was only one, if there could be no more.
    pub alone: Option<String>,
}

/// Whether the engine can have several workers.
pub fn divides(engine: Engine) -> bool {
    matches!(engine, Engine::Dpor(_))
}

/// As [`explore`], with several workers if the engine and the system can have them.
pub fn explore_with<S: Explorable + Companions + Send>(
    system: &mut S,
    options: &Options,
    listener: &mut (dyn Listener<S> + Send),
    jobs: Jobs,
) -> Explored {
    match options.engine {
        Engine::Dpor(reduction) if jobs.workers > 1 => {
            system.prepare(options.needs());
            pool::explore(system, options, reduction, listener, jobs)
        }
        engine => {
            let alone = (!divides(engine)).then(|| "the engine has one worker only".to_owned());
            let (outcome, statistics) = explore(system, options, listener);
            Explored { outcome, statistics, workers: 1, alone }
        }
    }
}
