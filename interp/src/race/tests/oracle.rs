//! Happens-before by its definition: the oracle of random traces.
use super::Op::{self, *};
use super::*;

/// Happens-before by its definition, from a list of everything that ever happened.
#[derive(Clone)]
pub(super) struct Oracle {
    model: RaceModel,
    pub(super) steps: Vec<Node>,
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    thread: u32,
    op: Op,
    /// What happens before it, as a set of step numbers.
    before: u128,
}

impl Oracle {
    pub(super) fn new(model: RaceModel) -> Self {
        Oracle { model, steps: Vec::new() }
    }

    /// Whether the step would race with an earlier one.
    pub(super) fn races(&self, thread: u32, op: Op) -> bool {
        let before = self.before(thread, op);
        let Some((bytes, write, plain)) = access(op) else {
            return false;
        };
        self.steps.iter().enumerate().any(|(i, old)| {
            access(old.op).is_some_and(|(old_bytes, old_write, old_plain)| {
                let overlap = bytes.start < old_bytes.end && old_bytes.start < bytes.end;
                overlap && (write || old_write) && (plain || old_plain) && old.thread != thread && before >> i & 1 == 0
            })
        })
    }

    pub(super) fn add(&mut self, thread: u32, op: Op) {
        let before = self.before(thread, op);
        self.steps.push(Node { thread, op, before });
        assert!(self.steps.len() <= 128, "a set of steps is 128 bits");
    }

    /// What would happen before a step taken now.
    fn before(&self, thread: u32, op: Op) -> u128 {
        let mut before = 0;
        let mut follow = |i: usize| before |= self.steps[i].before | 1 << i;
        for (i, node) in self.steps.iter().enumerate() {
            let created = node.op == Fork(thread);
            // A thread that did nothing yet still comes after its creation.
            let joined = op == Join(node.thread) || matches!(node.op, Fork(child) if op == Join(child));
            if node.thread == thread || created || joined {
                follow(i);
            }
        }
        match op {
            Lock(k) => self.releases(k).into_iter().for_each(&mut follow),
            Load(..) | Rmw(..) if self.acquires(op) => {
                self.sources(self.steps.len(), op).into_iter().for_each(&mut follow)
            }
            Fence(_) if self.acquires(op) => {
                for (i, node) in self.steps.iter().enumerate() {
                    if node.thread == thread && matches!(node.op, Load(..) | Rmw(..)) {
                        self.sources(i, node.op).into_iter().for_each(&mut follow);
                    }
                }
            }
            _ => {}
        }
        before
    }

    /// The releases that an acquire of the object now learns of: the last one that replaces, and those after it.
    fn releases(&self, k: u32) -> Vec<usize> {
        let mut found = Vec::new();
        for (i, node) in self.steps.iter().enumerate().rev() {
            if node.op == Post(k) || node.op == Unlock(k) {
                found.push(i);
            }
            if node.op == Unlock(k) {
                break;
            }
        }
        found
    }

    /// The stores and fences that synchronise with an atomic read at position `at`, or with a fence after it.
    fn sources(&self, at: usize, op: Op) -> Vec<usize> {
        let (bytes, _, _) = access(op).expect("an atomic access");
        let mut found = Vec::new();
        for byte in bytes {
            let writes = |node: &Node| {
                matches!(node.op, Store(..) | Rmw(..))
                    && access(node.op).is_some_and(|(written, _, _)| written.contains(&byte))
            };
            let modifications: Vec<usize> = (0..at).filter(|&i| writes(&self.steps[i])).collect();
            for (index, &head) in modifications.iter().enumerate() {
                // The read reads from the last modification: whether that is part of the release sequence that this one
                // heads, or would if it were a release.
                if !modifications[index + 1..].iter().all(|&next| self.carries_on(head, next)) {
                    continue;
                }
                let Node { thread, op, .. } = self.steps[head];
                if self.releasing(op) {
                    found.push(head);
                }
                let is_fence = |f: &Node| f.thread == thread && matches!(f.op, Fence(_)) && self.releasing(f.op);
                found.extend(self.steps[..head].iter().rposition(is_fence));
            }
        }
        found
    }

    /// Whether a modification may be part of a release sequence with that head.
    fn carries_on(&self, head: usize, next: usize) -> bool {
        let [head, next] = [head, next].map(|step| self.steps[step]);
        matches!(next.op, Rmw(..)) || self.model == RaceModel::C11 && next.thread == head.thread
    }

    fn ordering(&self, op: Op) -> Option<Ordering> {
        match op {
            Load(_, _, _) | Store(_, _, _) | Rmw(_, _, _) if self.model == RaceModel::Sc => Some(SeqCst),
            Load(_, _, ordering) | Store(_, _, ordering) | Rmw(_, _, ordering) | Fence(ordering) => Some(ordering),
            _ => None,
        }
    }

    fn acquires(&self, op: Op) -> bool {
        matches!(self.ordering(op), Some(Acquire | AcqRel | SeqCst))
    }

    fn releasing(&self, op: Op) -> bool {
        matches!(self.ordering(op), Some(Release | AcqRel | SeqCst))
    }
}

/// Bytes, whether it writes, whether it is plain.
fn access(op: Op) -> Option<(std::ops::Range<u64>, bool, bool)> {
    match op {
        Write(offset, size) => Some((offset..offset + size, true, true)),
        Read(offset, size) => Some((offset..offset + size, false, true)),
        Load(offset, size, _) => Some((offset..offset + size, false, false)),
        Store(offset, size, _) | Rmw(offset, size, _) => Some((offset..offset + size, true, false)),
        Free => Some((0..200, true, true)),
        _ => None,
    }
}
