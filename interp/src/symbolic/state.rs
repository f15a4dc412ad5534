//! What of a state depends on inputs, up to the names of inputs.
//!
//! A state with terms stands for a set of concrete ones: those that it is for all values of the inputs for which the
//! constraints of its path hold. What is said of it here is
//! - each *place* that has a term (a slot that is read again, a byte, an argument of what a thread stands before), and
//!   the term;
//! - the *constraints* that share inputs with such a term, directly or by way of others.
//!
//! Inputs are numbered in the order in which they are met. So if the same is said of two states, which agree in
//! everything else, then some renaming of inputs takes the terms of the one into those of the other, and also the
//! constraints on these inputs. Constraints on other inputs are left out: they can hold, as all of a path can, and no
//! term depends on them. So both stand for the same set of concrete states, and what can happen from there on is the
//! same: an input that is read later is a new one in both. (Two states of which different things are said may stand for
//! the same set all the same. That costs work, no more.)
//!
//! Where there are very many terms, nothing is said: what grows with each turn of a loop is never the same, and would
//! take longer in each.
//!
//! What is left out: how many inputs were read before, and which decisions a thread remembers. A decision that it does
//! not remember is made again, with one outcome. (But a thread that has just decided about a compare-exchange goes on
//! with that, and not from where it was: that is said.) A list of candidates is one for all states of the set,
//! whichever constraints it was found with, if it has a value for each of them.
use super::Symbols;
use crate::fingerprint::{self, words};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::term::{Input, Node, Term};
use crate::thread::{After, Pending, Status};
use crate::undefined::SYMBOLIC;
use por::ThreadId;
use rustc_hash::FxHashMap;

/// Terms and parts of terms of which something is said.
const MOST: usize = 4_096;

/// Terms, told without their numbers and those of inputs.
struct Names<'a> {
    symbols: &'a Symbols,
    /// In the order in which they were met.
    inputs: FxHashMap<Input, u32>,
    known: FxHashMap<Term, u128>,
}

impl Names<'_> {
    /// What a term is, as a hash; `None`: there are too many of them.
    fn name(&mut self, term: Term) -> Option<u128> {
        // Terms may be deep, so this does not call itself.
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known.len() + open.len() > MOST {
                return None;
            }
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let node = self.symbols.terms.node(next);
            let before = open.len();
            open.extend(node.parts().filter(|part| !self.known.contains_key(part)));
            if open.len() == before {
                let name = self.name_of_node(node, next);
                self.known.insert(next, name);
                open.pop();
            }
        }
        self.known.get(&term).copied()
    }

    /// What a term is whose parts are known.
    fn name_of_node(&mut self, node: Node, term: Term) -> u128 {
        let width = self.symbols.terms.width(term);
        // The object to which an address belongs goes with it.
        let home = self.symbols.homes.get(&term);
        let name = |term: Term| self.known[&term];
        let parts: [u128; 3] = match node {
            Node::Constant(value) => [value, 0, 0],
            Node::Input(input) => {
                let next = self.inputs.len() as u32;
                let number = *self.inputs.entry(input).or_insert(next);
                // Bytes without a value are no input.
                [u128::from(number), u128::from(self.symbols.lacks_value(term)), 0]
            }
            Node::Binary(op, a, b) => [name(a), name(b), op as u128],
            Node::Zext(a) | Node::Sext(a) => [name(a), 0, 0],
            Node::Extract { low, of } => [name(of), u128::from(low), 0],
            Node::Concat(a, b) => [name(a), name(b), 0],
            Node::Ite(c, a, b) => [name(c), name(a), name(b)],
        };
        let kind = std::mem::discriminant(&node);
        words(fingerprint::Term::Symbolic, |words| words.add((kind, width, parts, home)))
    }

    fn knows_inputs_of(&self, term: Term) -> bool {
        self.symbols.terms.inputs(term).iter().all(|input| self.inputs.contains_key(input))
    }
}

impl Machine {
    /// The term of all that depends on inputs in the current state; `None`: there is too much of it.
    pub(crate) fn what_depends_on_inputs(&mut self) -> Option<u128> {
        let mut live = std::mem::take(&mut self.lifelong.live);
        let mut places = Vec::new();
        for id in (0..self.state.process.threads).map(ThreadId) {
            self.terms_of_thread(id, &mut live, &mut places);
        }
        self.lifelong.live = live;
        let bytes = self.state.partial.terms(&self.state.memory);
        places.extend(bytes.map(|(address, term, byte)| ((u64::MAX, address, u64::from(byte)), term)));

        let symbols = &self.lifelong.symbols;
        let mut names = Names { symbols, inputs: FxHashMap::default(), known: FxHashMap::default() };
        let places = places.into_iter().map(|(place, term)| Some((place, names.name(term)?)));
        let places: Vec<_> = places.collect::<Option<_>>()?;
        // Those that were about inputs met by now do not depend on the order in which they are named.
        let constraints = self.state.path.about(names.inputs.keys().copied());
        let (first, rest): (Vec<Term>, Vec<Term>) =
            constraints.into_iter().partition(|term| names.knows_inputs_of(*term));
        let mut terms = first.into_iter().chain(rest);
        let sum = terms.try_fold(0, |sum: u128, term| Some(sum.wrapping_add(names.name(term)?)))?;
        Some(words(fingerprint::Term::Inputs, |words| words.add((&places, sum))))
    }

    /// The places of a thread that have terms, with these.
    fn terms_of_thread(
        &self,
        id: ThreadId,
        live: &mut crate::fingerprint::LiveSlots,
        places: &mut Vec<((u64, u64, u64), Term)>,
    ) {
        let thread = self.thread(id);
        if !matches!(thread.header.status, Status::Alive | Status::Stopped) {
            return;
        }
        let place = |what: u64, which: u64| (u64::from(id.0), what, which);
        if let Some(pending) = thread.header.pending {
            let terms = pending.operation.terms().into_iter();
            places.extend(terms.zip(0..).map(|(term, index)| (place(0, index), term)));
            if let Operation::Decide { list, .. } = pending.operation {
                let values = self.lifelong.symbols.values(list);
                let values = words(fingerprint::Term::Symbolic, |words| words.add(values));
                // (No term, but said with the decision.)
                places.extend(pending.operation.terms().into_iter().map(|term| (place(1, values as u64), term)));
            }
        }
        if let Some(Pending { operation: Operation::CompareExchange { .. }, .. }) = thread.header.pending
            && let Some((term, value)) = self.state.path.decided_by(id, thread.header.events)
        {
            // It has looked and decided. Else it would never come further.
            places.push((place(2, value as u64), term));
        }
        if thread.header.undefined == 0 && thread.rare.contexts.is_empty() {
            return;
        }
        for (index, frame) in thread.frames.iter().enumerate() {
            let called = thread.frames.get(index + 1).is_some_and(|above| above.after == After::Call);
            for slot in live.at(&self.program.module, frame.function, frame.pc, called).iter() {
                let at = (frame.base + slot.0) as usize;
                if thread.shadows.get(at) == Some(&SYMBOLIC) {
                    places.push((place(3 + index as u64, slot.0.into()), Term(thread.regs[at] as u32)));
                }
            }
        }
        let saved = thread.rare.contexts.iter().flat_map(|context| &context.slots);
        let saved = saved.filter(|(_, _, undefined)| *undefined == SYMBOLIC);
        places.extend(saved.zip(0..).map(|((_, value, _), index)| (place(u64::MAX, index), Term(*value as u32))));
    }
}
