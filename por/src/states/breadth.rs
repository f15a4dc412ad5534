//! States in breadth: all that a number of actions lead to, then all that one more leads to. So the first schedule that
//! shows a fault is one of the shortest, in actions.
//!
//! The system stands in one state at a time. A state that is still to be expanded is known by how it was reached: a
//! tree of moves, [`Node`]s of twelve bytes, in which each has the one before it. Those of one length are expanded in
//! the order in which they were met, so that two that follow one another have most of their way in common. The system
//! goes back to where their ways part, and takes the rest again. Where ways branch at all, that is a few actions for
//! each state.
//!
//! **Sleep sets.** [`super::sleep`] says why all is still found, in any order. And it is found with as few actions: in
//! the proof, `k` is no later visit than that at which `w` is awake, so no longer a way leads there.
//!
//! **Livelocks** are looked for in every new state that has no busy thread among those that sleep.
use super::run::{Met, Run};
use super::sleep::Threads;
use super::table::Known;
use crate::system::{Accesses, Decisions, Livelocks, Move, ThreadId, Variant};
use crate::{Listener, Outcome, feasible_variants};

/// How a state was reached.
#[derive(Clone, Copy)]
struct Node {
    /// The one before it. The first is before itself.
    before: u32,
    thread: u32,
    label: u32,
}

/// A state that is to be expanded.
struct Open {
    node: u32,
    /// What sleeps there, and of that what is known to change more than where it stands.
    asleep: Threads,
    busy: Threads,
    /// What is not taken: what sleeps; or, if something was taken from there before, all but what has woken.
    left_out: Threads,
    first: bool,
}

struct Breadth<'r, 'a, S: Livelocks + Decisions, O> {
    run: &'r mut Run<'a, S, O>,
    nodes: Vec<Node>,
    /// Those of the way to the current state, but for the first.
    path: Vec<u32>,
    /// The states of the next length.
    next: Vec<Open>,
    /// Scratch.
    way: Vec<u32>,
    variants: Vec<Variant>,
}

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions, O: Listener<S>>(run: &mut Run<'_, S, O>) -> Result<(), Outcome> {
    run.start()?;
    let (path, next, way, variants) = Default::default();
    let nodes = vec![Node { before: 0, thread: 0, label: 0 }];
    let mut breadth = Breadth { run, nodes, path, next, way, variants };
    breadth.arrive(0, Threads::default(), Threads::default(), &Accesses::none())?;
    while !breadth.next.is_empty() {
        for open in std::mem::take(&mut breadth.next) {
            breadth.expand(&open)?;
        }
        let bytes = breadth.nodes.capacity() * size_of::<Node>() + breadth.next.capacity() * size_of::<Open>();
        breadth.run.note_bytes(bytes);
    }
    Ok(())
}

impl<S: Livelocks + Decisions, O: Listener<S>> Breadth<'_, '_, S, O> {
    /// Takes all that is to be taken from a state.
    fn expand(&mut self, open: &Open) -> Result<(), Outcome> {
        self.go_to(open.node)?;
        let (mut asleep, mut busy) = (open.asleep, open.busy);
        let end = if open.first { self.run.system.threads() } else { Threads::MOST };
        let threads = (0..end).map(ThreadId).filter(|thread| !open.left_out.contains(*thread));
        for thread in threads {
            let mut variants = std::mem::take(&mut self.variants);
            variants.clear();
            feasible_variants(self.run.system, thread, &mut variants);
            let mut is_busy = true;
            for variant in &variants {
                self.run.take(thread, variant.label)?;
                is_busy &= self.run.system.changed_more_than_its_thread();
                self.arrive_by(open.node, thread, variant, asleep, busy)?;
                self.run.go_back();
            }
            if !variants.is_empty() && self.run.options.sleep_sets {
                asleep.insert(thread);
                if is_busy {
                    busy.insert(thread);
                }
            }
            self.variants = variants;
        }
        Ok(())
    }

    fn arrive_by(
        &mut self,
        before: u32,
        thread: ThreadId,
        variant: &Variant,
        asleep: Threads,
        busy: Threads,
    ) -> Result<(), Outcome> {
        let node = u32::try_from(self.nodes.len()).map_err(|_| Outcome::StateLimit)?;
        self.nodes.push(Node { before, thread: thread.0, label: variant.label });
        if !self.arrive(node, asleep.without(thread), busy, &variant.accesses)? {
            self.nodes.pop();
        }
        Ok(())
    }

    /// Comes to the current state, that of the node, by that action, with these asleep before it. False: nothing is to
    /// be taken there.
    fn arrive(&mut self, node: u32, asleep: Threads, busy: Threads, action: &Accesses) -> Result<bool, Outcome> {
        let state = self.run.state();
        let asleep = self.run.still_asleep(asleep, action);
        let busy = busy.and(asleep);
        let (met, known) = self.run.meet(state, asleep, false);
        match met {
            Met::New => {}
            Met::Known => {
                self.run.cut_off()?;
                return Ok(false);
            }
            Met::Woken { asleep, woken } => {
                self.run.wake(state, Known { asleep, ..known });
                let left_out = Threads::all().minus(woken);
                self.next.push(Open { node, asleep, busy: busy.and(asleep), left_out, first: false });
                return Ok(true);
            }
        }
        self.run.count(state)?;
        let awake = (0..self.run.system.threads()).map(ThreadId).filter(|thread| !asleep.contains(*thread));
        let mut variants = Vec::new();
        for thread in awake {
            feasible_variants(self.run.system, thread, &mut variants);
            if !variants.is_empty() {
                break;
            }
        }
        if variants.is_empty() && asleep.is_empty() {
            self.run.visit_end()?;
            return Ok(false);
        }
        self.run.visit()?;
        if busy.is_empty() {
            self.run.look_for_livelocks()?;
        }
        if variants.is_empty() {
            self.run.all_asleep()?;
            return Ok(false);
        }
        self.next.push(Open { node, asleep, busy, left_out: asleep, first: true });
        Ok(true)
    }

    /// Goes to the state of a node.
    fn go_to(&mut self, node: u32) -> Result<(), Outcome> {
        let mut way = std::mem::take(&mut self.way);
        way.clear();
        let mut at = node;
        // (The way back to where it meets that of the current state: a node has a place on every way that it is on.)
        while at != 0 && !self.is_on_the_path(at) {
            way.push(at);
            at = self.nodes[at as usize].before;
        }
        while self.path.last().copied().unwrap_or(0) != at {
            self.path.pop();
            self.run.go_back();
        }
        for &next in way.iter().rev() {
            let Node { thread, label, .. } = self.nodes[next as usize];
            self.run.take_again(Move { thread: ThreadId(thread), label })?;
            self.path.push(next);
        }
        self.way = way;
        Ok(())
    }

    /// Whether a node is one of those on the way to the current state. (Their numbers get larger.)
    fn is_on_the_path(&self, node: u32) -> bool {
        self.path.binary_search(&node).is_ok()
    }
}
