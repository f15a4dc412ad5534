//! What samples have shown of the program, by which later ones are drawn.
use crate::system::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;

/// What is known.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    /// The longest sample, in actions after the prologue.
    pub(super) length: u64,
    /// By object that races, in the order in which they were met: how often each thread touched it in the last sample.
    objects: Vec<(ObjectId, Vec<u64>)>,
    index: FxHashMap<ObjectId, usize>,
    /// By thread: the thread that created it.
    parents: Vec<Option<ThreadId>>,
}

impl Known {
    /// Two threads race on the object: they can access it in either order.
    pub(super) fn races(&mut self, object: ObjectId) {
        if !self.index.contains_key(&object) {
            self.index.insert(object, self.objects.len());
            self.objects.push((object, Vec::new()));
        }
    }

    /// One thread has created another one.
    pub(super) fn creates(&mut self, parent: ThreadId, child: ThreadId) {
        if self.parents.len() <= child.index() {
            self.parents.resize(child.index() + 1, None);
        }
        self.parents[child.index()] = Some(parent);
    }

    /// A sample has so many actions; `touched` are the accesses of objects in it, with the thread.
    pub(super) fn sampled(&mut self, length: u64, touched: impl Iterator<Item = (ThreadId, ObjectId)>) {
        self.length = self.length.max(length);
        self.objects.iter_mut().for_each(|(_, counts)| counts.fill(0));
        for (thread, object) in touched {
            if let Some(&index) = self.index.get(&object) {
                let counts = &mut self.objects[index].1;
                if counts.len() <= thread.index() {
                    counts.resize(thread.index() + 1, 0);
                }
                counts[thread.index()] += 1;
            }
        }
    }

    /// The objects on which threads race.
    pub(super) fn racing(&self) -> usize {
        self.objects.len()
    }

    /// Such an object.
    pub(super) fn object(&self, index: usize) -> ObjectId {
        self.objects[index].0
    }

    /// By thread: how often it, and the threads that it creates, with theirs, touch one of these objects.
    pub(super) fn weights(&self, objects: std::ops::Range<usize>) -> Vec<u64> {
        let mut weights = vec![0; self.parents.len().max(1)];
        for (_, counts) in &self.objects[objects] {
            if weights.len() < counts.len() {
                weights.resize(counts.len(), 0);
            }
            weights.iter_mut().zip(counts).for_each(|(weight, count)| *weight += count);
        }
        // (A thread has a larger number than the one that creates it.)
        for child in (0..weights.len()).rev() {
            if let Some(parent) = self.parents.get(child).copied().flatten() {
                weights[parent.index()] += weights[child];
            }
        }
        weights
    }
}
