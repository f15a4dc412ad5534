//! The states that are known, and where threads stand in them.
use super::Sequential;
use crate::dpor::action::{Action, Table};
use crate::feasible_variants;
use crate::system::{Accesses, Effect, Ending, Move, ObjectId, ThreadId, Variant};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash};
use std::rc::Rc;

/// What is known.
pub(super) struct States<Op> {
    pub(super) numbers: FxHashMap<u128, u32>,
    pub(super) all: Vec<State<Op>>,
    /// The objects whose words are kept, each with its place in [`State::words`].
    pub(super) objects: Vec<ObjectId>,
    pub(super) places: Vec<u32>,
    /// How often everything was forgotten.
    pub(super) forgotten: u32,
    /// Actions since it was looked at whether states come again, and how many of them were known.
    pub(super) actions: u32,
    pub(super) known: u32,
}

pub(super) struct State<Op> {
    pub(super) threads: u32,
    /// Whether any of them stands before an operation.
    pub(super) can_any: bool,
    /// By thread.
    pub(super) standing: Box<[Option<Rc<Standing<Op>>>]>,
    pub(super) words: Box<[u64]>,
    /// Thread, label, the thread that was created, and the state behind that.
    pub(super) ways: Vec<(Move, Option<ThreadId>, u32)>,
    /// How an execution ends here, if nothing is wrong then.
    pub(super) ending: Option<Ending>,
}

/// A thread that stands before an operation.
pub(super) struct Standing<Op> {
    pub(super) operation: Rc<Op>,
    pub(super) footprint: Accesses,
    pub(super) variants: Vec<Variant>,
    pub(super) effect: Effect,
    pub(super) joined: Vec<ThreadId>,
    /// What the thread can do, once that was asked.
    pub(super) actions: OnceCell<Box<[Possible]>>,
}

/// An action that is possible, and whether its thread has a choice.
pub(in crate::dpor) type Possible = (Action, bool);

impl<Op> States<Op> {
    pub(super) fn new() -> Self {
        States {
            numbers: FxHashMap::default(),
            all: Vec::new(),
            objects: Vec::new(),
            places: Vec::new(),
            forgotten: 0,
            actions: 0,
            known: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.numbers.clear();
        self.all.clear();
        self.forgotten += 1;
    }

    /// The words of these objects are kept from now on. Whether any is new.
    pub(super) fn adds(&mut self, objects: impl Iterator<Item = ObjectId>) -> bool {
        let known = self.objects.len();
        for object in objects {
            if self.places.len() <= object.index() {
                self.places.resize(object.index() + 1, u32::MAX);
            }
            let place = &mut self.places[object.index()];
            if *place == u32::MAX {
                *place = self.objects.len() as u32;
                self.objects.push(object);
            }
        }
        self.objects.len() > known
    }
}

impl<Op: Clone + PartialEq> Standing<Op> {
    /// Where the thread stands in the current state of the system.
    pub(super) fn of<S: Sequential<Operation = Op>>(system: &mut S, thread: ThreadId) -> Option<Self> {
        let operation = Rc::new(system.operation(thread)?.clone());
        let effect = system.effect(&operation);
        let mut variants = Vec::new();
        let footprint = feasible_variants(system, thread, &mut variants);
        Some(Standing {
            operation,
            footprint,
            variants,
            effect,
            joined: system.joined(thread),
            actions: OnceCell::new(),
        })
    }

    pub(super) fn hash(&self, thread: ThreadId, hasher: &mut DefaultHasher) {
        let Standing { operation: _, footprint, variants, effect, joined, actions: _ } = self;
        (thread, footprint, effect, joined, variants.len()).hash(hasher);
        variants.iter().for_each(|variant| (variant.label, variant.accesses).hash(hasher));
    }
}

impl<Op: PartialEq> PartialEq for Standing<Op> {
    fn eq(&self, other: &Self) -> bool {
        let Standing { operation, footprint, variants, effect, joined, actions: _ } = self;
        (operation, footprint, variants, effect, joined)
            == (&other.operation, &other.footprint, &other.variants, &other.effect, &other.joined)
    }
}

impl<Op> Standing<Op> {
    pub(super) fn possible(&self, thread: ThreadId, table: &mut Table) -> Box<[Possible]> {
        let Standing { footprint, variants, effect, .. } = self;
        let possible = |variant: &Variant| {
            let action = table.action(thread, variant.label, &variant.accesses, *effect);
            (action, variants.len() > 1 || variant.accesses != *footprint)
        };
        variants.iter().map(possible).collect()
    }
}
