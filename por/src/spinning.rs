//! Livelocks: states from which whoever can move only spins, for ever.
//!
//! An action is *idle* if it changes nothing but how its thread goes on, and which locks that holds: it reads, waits
//! until it gets a lock, or gives one back ([`Change::lock`](crate::Change::lock)). A thread *spins* if it can always
//! move, as far as others let it have locks, and none of the actions that it can take, and none that it can take after
//! those, is anything but idle. If every thread that can move spins, or does as little until it is blocked, then what
//! they read never changes. So each of them can be looked at by itself, and none will ever do anything else.
//!
//! **Locks.** To wait for a lock comes to the same whoever had it. A thread is looked at in a state in which nobody
//! else holds what is given back later. So all that it can do is seen, whatever the others do: it may be more, for they
//! may never be able to give all of it back. What is given back is known from what was seen of those that hold it, so
//! that threads are looked at again until nothing more is. (Threads may take locks in orders in which they block one
//! another for ever. That is a deadlock as well, and is found where it has happened.)
use crate::feasible_variants;
use crate::system::{Livelocks, ObjectId, ThreadId, Variant};
use rustc_hash::FxHashSet;

/// Actions that one thread may take before we give up.
const MOST: usize = 100_000;

/// Why it was not found out who spins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// One thread can take more actions than are looked at.
    TooMany,
    /// The system has learned something because of which the exploration has to start again.
    Restart,
}

impl Unclear {
    /// What is said of [`Unclear::TooMany`].
    pub const REASON: &str = "whether threads that spin will ever do anything else was not found out";
}

/// The threads that spin, if no other does anything but idle actions until it is blocked; `None` otherwise. The state
/// is left as it was.
///
/// # Errors
/// It was not found out.
pub fn spinning<S: Livelocks>(system: &mut S) -> Result<Option<Vec<ThreadId>>, Unclear> {
    system.mark();
    system.look_at_each_alone(true);
    let found = all_that_spin(system);
    system.look_at_each_alone(false);
    system.undo();
    found
}

fn all_that_spin<S: Livelocks>(system: &mut S) -> Result<Option<Vec<ThreadId>>, Unclear> {
    let threads = || (0..system.threads()).map(ThreadId);
    let held: Vec<Vec<ObjectId>> = threads().map(|thread| system.holds(thread)).collect();
    let mut given_back = FxHashSet::default();
    loop {
        let known = given_back.len();
        let mut all = Vec::new();
        for thread in (0..system.threads()).map(ThreadId) {
            system.mark();
            for &(other, lock) in given_back.iter().filter(|(other, _)| *other != thread) {
                system.give_back(other, lock);
            }
            let spins = spins(system, thread, &held[thread.index()], |lock| {
                given_back.insert((thread, lock));
            });
            system.undo();
            match spins? {
                Some(true) => all.push(thread),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        if given_back.len() == known {
            return Ok(Some(all));
        }
    }
}

/// Whether the thread spins (it may be or become unable to move instead); `None` if it does anything that is not idle.
/// Tells which of the locks that it holds it gives back.
fn spins<S: Livelocks>(
    system: &mut S,
    thread: ThreadId,
    held: &[ObjectId],
    mut gives_back: impl FnMut(ObjectId),
) -> Result<Option<bool>, Unclear> {
    let mut known = FxHashSet::default();
    // What is still to be tried in each state on the way to the current one, and what of locks has changed there.
    let mut path = vec![(variants(system, thread), 0u128)];
    let mut always_moves = !path[0].0.is_empty();
    while let Some((open, locks)) = path.last_mut() {
        let Some(variant) = open.pop() else {
            path.pop();
            if !path.is_empty() {
                system.undo();
            }
            continue;
        };
        let locks = *locks;
        system.mark();
        let step = system.execute(thread, variant.label);
        let ends = step.restart || step.fault.is_some() || step.unknown.is_some() || system.operation(thread).is_none();
        let idle = step.change.filter(|change| !ends && (change.action, change.local) == (change.lock, 0));
        match idle {
            Some(change) if known.len() <= MOST => {
                if change.lock != 0 && !held.is_empty() {
                    let now = system.holds(thread);
                    held.iter().filter(|lock| !now.contains(lock)).for_each(|lock| gives_back(*lock));
                }
                let locks = locks.wrapping_add(change.lock);
                let mut next = Vec::new();
                if known.insert((change.control, locks)) {
                    next = variants(system, thread);
                    always_moves &= !next.is_empty();
                }
                path.push((next, locks));
            }
            other => {
                (0..path.len()).for_each(|_| system.undo());
                return match other {
                    _ if step.restart => Err(Unclear::Restart),
                    None => Ok(None),
                    Some(_) => Err(Unclear::TooMany),
                };
            }
        }
    }
    Ok(Some(always_moves))
}

fn variants<S: Livelocks>(system: &mut S, thread: ThreadId) -> Vec<Variant> {
    let mut variants = Vec::new();
    feasible_variants(system, thread, &mut variants);
    variants
}
