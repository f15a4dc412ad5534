//! Call stacks, each kept once.
//!
//! Allocations and the race detector remember where things happened. A stack is a path in a trie, so that remembering
//! one costs four bytes, and a deeper stack shares the shallower one. The table only grows: a stack is a fact about the
//! program's text, not about the state, so going back need not forget it.
//!
//! Their numbers depend on the order in which they were met. What is in a fingerprint is their content.
use crate::fingerprint::{Term, words};
use crate::verdict::fault::StackFrame;
use frontend::ir::{FuncId, LocId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A call stack in [`Stacks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StackId(pub u32);

impl StackId {
    /// The empty stack.
    pub const EMPTY: StackId = StackId(0);
}

/// The table of call stacks.
#[derive(Clone, Debug)]
pub struct Stacks {
    /// For each stack its caller's stack and its innermost frame. Entry 0 is the empty stack.
    nodes: Vec<(StackId, StackFrame)>,
    /// For each stack a hash of its frames.
    contents: Vec<u128>,
    ids: FxHashMap<(StackId, FuncId, LocId), StackId>,
    /// Answers given before, each in the place that its question gives it: callers, function, instruction.
    known: Box<[(StackId, FuncId, u32, StackId)]>,
}

/// How many answers are kept, a power of two.
const KNOWN: usize = 1 << 8;

impl Default for Stacks {
    fn default() -> Self {
        let nothing = StackFrame { function: FuncId(u32::MAX), location: LocId(0) };
        let nobody = (StackId::EMPTY, FuncId(u32::MAX), 0, StackId::EMPTY);
        let (nodes, contents) = (vec![(StackId::EMPTY, nothing)], vec![0]);
        Stacks { nodes, contents, ids: FxHashMap::default(), known: vec![nobody; KNOWN].into() }
    }
}

impl Stacks {
    /// The stack that has `frame` on top of (called from) `caller`.
    ///
    /// # Panics
    /// After 2^32 different stacks.
    pub fn push(&mut self, caller: StackId, frame: StackFrame) -> StackId {
        let next = self.nodes.len();
        let id = *self
            .ids
            .entry((caller, frame.function, frame.location))
            .or_insert_with(|| StackId(u32::try_from(next).expect("fewer than 2^32 different call stacks")));
        if id.0 as usize == next {
            self.nodes.push((caller, frame));
            let below = self.contents[caller.0 as usize];
            let content = words(Term::Stack, |words| words.add((below, frame.function.0, frame.location.0)));
            self.contents.push(content);
        }
        id
    }

    /// The same for the function at that instruction, whose place in the source is looked up if the answer is not
    /// known.
    #[inline]
    pub(crate) fn push_at(
        &mut self,
        caller: StackId,
        function: FuncId,
        pc: u32,
        frame: impl FnOnce() -> StackFrame,
    ) -> StackId {
        let place =
            caller.0.wrapping_mul(31).wrapping_add(function.0).wrapping_mul(31).wrapping_add(pc) as usize % KNOWN;
        let known = self.known[place];
        if (known.0, known.1, known.2) == (caller, function, pc) {
            return known.3;
        }
        let id = self.push(caller, frame());
        self.known[place] = (caller, function, pc, id);
        id
    }

    /// What tells a stack from all others, whenever it was met.
    pub(crate) fn content(&self, stack: StackId) -> u128 {
        self.contents[stack.0 as usize]
    }

    /// All stacks but the empty one by number: the stack below, and the innermost frame.
    pub(crate) fn all(&self) -> &[(StackId, StackFrame)] {
        &self.nodes[1..]
    }

    /// The innermost frame and the stack below it; `None` for the empty stack.
    pub fn top(&self, stack: StackId) -> Option<(StackFrame, StackId)> {
        let (caller, frame) = self.nodes[stack.0 as usize];
        (stack != StackId::EMPTY).then_some((frame, caller))
    }

    /// The frames, innermost first.
    pub fn frames(&self, mut stack: StackId) -> Vec<StackFrame> {
        let mut frames = Vec::new();
        while let Some((frame, caller)) = self.top(stack) {
            frames.push(frame);
            stack = caller;
        }
        frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one() {
        let frame = |function, location| StackFrame { function: FuncId(function), location: LocId(location) };
        let mut stacks = Stacks::default();
        let main = stacks.push(StackId::EMPTY, frame(0, 5));
        let callee = stacks.push(main, frame(1, 7));
        assert_eq!(stacks.push(main, frame(1, 7)), callee);
        assert_ne!(stacks.push(main, frame(1, 8)), callee);
        assert_eq!(stacks.frames(callee), vec![frame(1, 7), frame(0, 5)]);
        assert!(stacks.frames(StackId::EMPTY).is_empty());
    }

    #[test]
    fn contents_do_not_depend_on_the_order() {
        let frame = |function, location| StackFrame { function: FuncId(function), location: LocId(location) };
        let all =
            [vec![frame(0, 5)], vec![frame(0, 5), frame(1, 7)], vec![frame(1, 7)], vec![frame(1, 7), frame(0, 5)]];
        let contents = |order: [usize; 4]| {
            let mut stacks = Stacks::default();
            let mut contents = [0; 4];
            for index in order {
                let id = all[index].iter().fold(StackId::EMPTY, |caller, frame| stacks.push(caller, *frame));
                contents[index] = stacks.content(id);
            }
            contents
        };
        let first = contents([0, 1, 2, 3]);
        assert_eq!(first, contents([3, 1, 2, 0]));
        assert!((0..4).all(|i| first[i] != 0 && !first[..i].contains(&first[i])), "{first:x?}");
    }
}
