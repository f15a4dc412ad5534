//! Livelocks: states from which whoever can move only spins, for ever.
//!
//! A thread spins if it can always move, and none of the actions that it can take, and none that it can take after
//! those, ever changes anything but how it goes on itself. If every thread that can move spins, or does as little until
//! it is blocked, then what they read never changes either. So each of them can be looked at by itself, and none will
//! ever do anything else.
use crate::feasible_variants;
use crate::system::{Livelocks, ThreadId, Variant};
use rustc_hash::FxHashSet;

/// Actions that one thread may take before we give up.
const MOST: usize = 100_000;

/// Why it was not found out who spins.
#[derive(Debug)]
pub(crate) enum Unclear {
    /// More than [`MOST`] actions were looked at.
    TooMany,
    /// The system has learned something because of which the exploration has to start again.
    Restart,
}

impl Unclear {
    /// What is said of [`Unclear::TooMany`].
    pub(crate) const REASON: &str = "whether threads that spin will ever do anything else was not found out";
}

/// The threads that spin, if no other does anything but change how it goes on until it is blocked; none otherwise. The
/// state is left as it was.
pub(crate) fn spinning<S: Livelocks>(system: &mut S) -> Result<Vec<ThreadId>, Unclear> {
    let mut all = Vec::new();
    system.follow_changes(true);
    for thread in (0..system.threads()).map(ThreadId) {
        match spins(system, thread)? {
            Some(true) => all.push(thread),
            Some(false) => {}
            None => return Ok(Vec::new()),
        }
    }
    Ok(all)
}

/// Whether the thread spins (it may be or become unable to move instead); `None` if it changes anything else.
fn spins<S: Livelocks>(system: &mut S, thread: ThreadId) -> Result<Option<bool>, Unclear> {
    let mut known = FxHashSet::default();
    // What is still to be tried in each state on the way to the current one.
    let mut path = vec![variants(system, thread)];
    let mut always_moves = !path[0].is_empty();
    while let Some(open) = path.last_mut() {
        let Some(variant) = open.pop() else {
            path.pop();
            if !path.is_empty() {
                system.undo();
            }
            continue;
        };
        system.mark();
        let step = system.execute(thread, variant.label);
        let ends = step.restart || step.fault.is_some() || step.unknown.is_some() || system.operation(thread).is_none();
        let control = step.change.filter(|change| !ends && (change.action, change.local) == (0, 0)).map(|c| c.control);
        match control {
            Some(control) if known.len() <= MOST => {
                let next = if known.insert(control) {
                    let next = variants(system, thread);
                    always_moves &= !next.is_empty();
                    next
                } else {
                    Vec::new()
                };
                path.push(next);
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
