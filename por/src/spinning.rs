//! Livelocks: states from which whoever can move only spins, for ever.
//!
//! An action is *idle* if it changes nothing but how its thread goes on, which locks that holds, and variables that
//! nobody else has to do with: it reads, waits until it gets a lock, or gives one back
//! ([`Change::lock`](crate::Change::lock)). A thread *spins* if it can always move, as far as others let it have locks,
//! and none of the actions that it can take, and none that it can take after those, is anything but idle. So does one
//! that comes to where it waits for what it would otherwise look for again and again. If every thread that can move
//! spins, or does as little until it is blocked, then what they read never changes. So each of them can be looked at by
//! itself, and none will ever do anything else.
//!
//! Some variables in memory are as good as registers ([`Change::confined`](crate::Change::confined)): what they hold is
//! a part of how the thread goes on.
//!
//! **Other variables of its own** may change a few times, until they stay as they are: a turn that was left out of
//! account may be the first one that writes to them. A thread that changes them for ever does not spin.
//!
//! **Locks.** To wait for a lock comes to the same whoever had it. A thread is looked at in a state in which nobody
//! else holds what is given back later. So all that it can do is seen, whatever the others do: it may be more, for they
//! may never be able to give all of it back. What is given back is known from what was seen of those that hold it, so
//! that threads are looked at again until nothing more is. (Threads may take locks in orders in which they block one
//! another for ever. That is a deadlock as well, and is found where it has happened.)
//!
//! **What is known from before.** A thread that does anything but idle actions from one state does so wherever it goes
//! on like that, and the same is shared, the same threads have operations, and the same was given back for it: that is
//! all that it can notice. So a long loop in which it takes a lock again and again is gone through once ([`Busy`]).
//! (Faults are not remembered, for they may depend on what was ordered before.)
use crate::feasible_variants;
use crate::system::{Change, Livelocks, ObjectId, ThreadId, Variant};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_128;

/// Actions that one thread may take before we give up.
const MOST: usize = 1_000_000;

/// Actions in a row that may change variables of the thread's own, until they stay as they are.
const MOST_OWN: u32 = 16;

/// How threads go on, by themselves, to do something that is not idle, with what is shared then.
#[derive(Default, Debug)]
pub(crate) struct Busy(FxHashSet<u128>);

impl Busy {
    /// So many are kept. (Then all are forgotten.)
    const KEPT: usize = 2_000_000;

    fn add(&mut self, all: impl Iterator<Item = u128>) {
        if self.0.len() > Busy::KEPT {
            self.0.clear();
        }
        self.0.extend(all);
    }
}

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
    spinning_with(system, None)
}

/// The same, with what is known from before, if it is known what is shared: see
/// [`Livelocks::shared`](crate::Livelocks::shared).
pub(crate) fn spinning_with<S: Livelocks>(
    system: &mut S,
    known: Option<(u128, &mut Busy)>,
) -> Result<Option<Vec<ThreadId>>, Unclear> {
    system.mark();
    system.look_at_each_alone(true);
    let (shared, busy) = known.unzip();
    let mut alone = Alone { system, shared, busy };
    let found = alone.all_that_spin();
    let system = alone.system;
    system.look_at_each_alone(false);
    system.undo();
    found
}

/// What threads do by themselves.
struct Alone<'a, S> {
    system: &'a mut S,
    /// What is shared in the state that we are asked about.
    shared: Option<u128>,
    busy: Option<&'a mut Busy>,
}

/// A state on the way of a thread.
struct State {
    /// What is still to be tried there.
    open: Vec<Variant>,
    /// What has changed of locks, and of variables of its own; and how many actions have changed these.
    locks: u128,
    own: u32,
    key: Option<u128>,
}

impl<S: Livelocks> Alone<'_, S> {
    fn all_that_spin(&mut self) -> Result<Option<Vec<ThreadId>>, Unclear> {
        let threads = || (0..self.system.threads()).map(ThreadId);
        let held: Vec<Vec<ObjectId>> = threads().map(|thread| self.system.holds(thread)).collect();
        let has_operation: Vec<bool> = threads().map(|thread| self.system.operation(thread).is_some()).collect();
        let mut given_back: Vec<(ThreadId, ObjectId)> = Vec::new();
        loop {
            let known = given_back.len();
            let mut all = Vec::new();
            for thread in (0..self.system.threads()).map(ThreadId) {
                self.system.mark();
                let others: Vec<_> = given_back.iter().filter(|(other, _)| *other != thread).collect();
                others.iter().for_each(|&&(other, lock)| self.system.give_back(other, lock));
                let around =
                    self.shared.map(|shared| hash(&format!("{shared} {thread:?} {has_operation:?} {others:?}")));
                let mut gives_back = Vec::new();
                let spins = self.spins(thread, around, |now| {
                    let gone = held[thread.index()].iter().filter(|lock| !now.contains(lock));
                    gives_back.extend(gone.map(|lock| (thread, *lock)));
                });
                self.system.undo();
                gives_back.retain(|entry| !given_back.contains(entry));
                given_back.extend(gives_back);
                given_back.sort_unstable();
                given_back.dedup();
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

    /// Whether the thread spins (it may be or become unable to move instead); `None` if it does anything that is not
    /// idle. Tells which locks it holds where that has changed.
    fn spins(
        &mut self,
        thread: ThreadId,
        around: Option<u128>,
        mut holds: impl FnMut(&[ObjectId]),
    ) -> Result<Option<bool>, Unclear> {
        // Each with how many actions had changed variables of the thread's own.
        let mut known: FxHashMap<(u128, u128), u32> = FxHashMap::default();
        let mut path = vec![State { open: variants(self.system, thread), locks: 0, own: 0, key: None }];
        let mut always_moves = !path[0].open.is_empty() || self.system.waits_by_spinning(thread);
        while let Some(State { open, locks, own, .. }) = path.last_mut() {
            let Some(variant) = open.pop() else {
                path.pop();
                if !path.is_empty() {
                    self.system.undo();
                }
                continue;
            };
            if open.is_empty() {
                *open = Vec::new();
            }
            let (locks, own) = (*locks, *own);
            self.system.mark();
            let step = self.system.execute(thread, variant.label);
            let fails = step.restart || step.fault.is_some() || step.unknown.is_some();
            let ends = fails || self.system.operation(thread).is_none();
            // (What a critical section that is one action stores to such variables is a part of the action.)
            let change = step.change.filter(|change| match change.confined.wrapping_add(change.own) {
                0 => (change.action, change.local) == (change.lock, 0),
                own => change.action.wrapping_add(change.local) == change.lock.wrapping_add(own),
            });
            let idle = |change: Change| change.lock.wrapping_add(change.confined).wrapping_add(change.own);
            let locks = change.map_or(locks, |change| locks.wrapping_add(idle(change)));
            let own = own + u32::from(change.is_some_and(|change| change.own != 0));
            // What has come back to where it was with such changes makes them again and again.
            let goes_on = change.is_some_and(|change| {
                own > MOST_OWN || known.get(&(change.control, locks)).is_some_and(|before| *before != own)
            });
            let idle = change.filter(|_| !ends && !goes_on);
            let mut is_busy = idle.is_none() && !fails && !goes_on;
            if let Some(change) = idle {
                if change.lock != 0 {
                    holds(&self.system.holds(thread));
                }
                let key = around.map(|around| hash(&[around, change.control, locks].map(u128::to_le_bytes).concat()));
                is_busy = self.busy.as_ref().zip(key).is_some_and(|(busy, key)| busy.0.contains(&key));
                let is_new = !is_busy && known.len() <= MOST && known.insert((change.control, locks), own).is_none();
                let open = if is_new { variants(self.system, thread) } else { Vec::new() };
                // (Such a thread finds its way out where it goes round again.)
                is_busy |= is_new && open.is_empty() && self.system.has_read_too_early(thread);
                if !is_busy && known.len() <= MOST {
                    always_moves &= !is_new || !open.is_empty() || self.system.waits_by_spinning(thread);
                    path.push(State { open, locks, own, key });
                    continue;
                }
            }
            (0..path.len()).for_each(|_| self.system.undo());
            if let Some(busy) = self.busy.as_mut().filter(|_| is_busy) {
                busy.add(path.iter().filter_map(|state| state.key));
            }
            return match idle {
                _ if step.restart => Err(Unclear::Restart),
                Some(_) if !is_busy => Err(Unclear::TooMany),
                _ => Ok(None),
            };
        }
        Ok(Some(always_moves))
    }
}

fn hash(data: &(impl AsRef<[u8]> + ?Sized)) -> u128 {
    xxh3_128(data.as_ref())
}

fn variants<S: Livelocks>(system: &mut S, thread: ThreadId) -> Vec<Variant> {
    let mut variants = Vec::new();
    feasible_variants(system, thread, &mut variants);
    variants
}
