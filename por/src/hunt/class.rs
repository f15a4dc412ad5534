//! The class of a schedule: all schedules with the same actions, of which those that depend on one another come in the
//! same order, have one number; those of other classes have another one, but for odds of n² to 2¹²⁹ among n classes.
//!
//! Each event has a name: a hash of its thread and variant, of the name of the event before it in its thread (or of the
//! creation of that), and of the names of the last events on which it depends, object by object. So a name says all of
//! the event's past. The number of the class is the sum of the names.
use crate::system::{Accesses, ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

/// The class of the events so far.
#[derive(Clone, Default, Debug)]
pub(super) struct Class {
    sum: u128,
    /// By thread: the name of its last event, or of its creation.
    threads: Vec<u128>,
    objects: FxHashMap<ObjectId, Touched>,
    /// A buffer.
    past: Vec<u8>,
}

/// The last events that touched an object, each with the lanes for which it is one of the last.
#[derive(Clone, Default, Debug)]
struct Touched {
    writes: Vec<(u64, u128)>,
    /// Since the last writes.
    reads: Vec<(u64, u128)>,
}

impl Class {
    /// The number of the class.
    pub(super) fn number(&self) -> u128 {
        self.sum
    }

    /// Forgets all events.
    pub(super) fn clear(&mut self) {
        self.sum = 0;
        self.threads.clear();
        self.objects.clear();
    }

    /// Adds an event.
    pub(super) fn add(&mut self, thread: ThreadId, label: u32, accesses: &Accesses, created: Option<ThreadId>) {
        let last = self.last(thread);
        let past = &mut self.past;
        past.clear();
        past.extend(thread.0.to_le_bytes());
        past.extend(label.to_le_bytes());
        past.extend(last.to_le_bytes());
        // The order of accesses is that of the operation, so that events of one name have the same. (An object that was
        // touched, but not in these lanes, is as good as one that was not.)
        for access in accesses.iter() {
            let touched = self.objects.get(&access.object);
            let met = |list: Option<&Vec<(u64, u128)>>, lanes: u64| {
                let met = list.into_iter().flatten().filter(move |(mask, _)| mask & lanes != 0);
                met.fold(0_u128, |sum, (_, name)| sum.wrapping_add(*name))
            };
            past.extend(met(touched.map(|touched| &touched.writes), access.touched()).to_le_bytes());
            past.extend(met(touched.map(|touched| &touched.reads), access.writes).to_le_bytes());
        }
        let name = xxh3_128(past);
        for access in accesses.iter() {
            let touched = self.objects.entry(access.object).or_default();
            let reads = access.reads & !access.writes;
            let overwrite = |list: &mut Vec<(u64, u128)>| {
                list.retain_mut(|(mask, _)| {
                    *mask &= !access.writes;
                    *mask != 0
                });
            };
            if access.writes != 0 {
                overwrite(&mut touched.writes);
                overwrite(&mut touched.reads);
                touched.writes.push((access.writes, name));
            }
            if reads != 0 {
                touched.reads.push((reads, name));
            }
        }
        self.set(thread, name);
        if let Some(created) = created {
            self.set(created, name);
        }
        self.sum = self.sum.wrapping_add(name);
    }

    fn last(&self, thread: ThreadId) -> u128 {
        self.threads.get(thread.index()).copied().unwrap_or(0)
    }

    fn set(&mut self, thread: ThreadId, name: u128) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, 0);
        }
        self.threads[thread.index()] = name;
    }
}
