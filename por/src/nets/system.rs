//! A net as a [`System`], for the engines that explore programs.
//!
//! A transition is a thread that fires again and again; thread 0 creates these, one after the other, and ends. Places
//! are lanes, 64 to an object, whose word says which are marked. What a transition consumes or produces it writes, and
//! what is in its context it reads: so transitions that read a place commute, as in RSSK15, Example 7.
use super::{Marking, Net, PlaceId, TransitionId};
use crate::{
    Access, Accesses, Change, Commuting, Decisions, Ending, Findings, Fingerprints, Lanes, Livelocks, ObjectId, Step,
    System, ThreadId, Twins, Variant,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// What a thread is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NetOperation {
    /// Thread 0 creates the one of a transition.
    Create(u32),
    /// A transition fires.
    Fire,
}

/// What can be wrong with a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetFault {
    /// Nothing can fire.
    Deadlock,
    /// A place would get a second token.
    Unsafe(PlaceId),
}

/// A net in some state. See the module's description.
pub struct NetSystem<'n> {
    net: &'n Net,
    /// Of each transition: what it reads and what it writes.
    footprints: Vec<Accesses>,
    marking: Marking,
    created: u32,
    operations: [Option<NetOperation>; 2],
    /// The markings, and how many threads there were, before each step since the first mark.
    log: Vec<(Marking, u32)>,
    marks: Vec<usize>,
    follows: bool,
}

impl<'n> NetSystem<'n> {
    /// The net in its initial marking; `None` if a transition has to do with places of too many objects.
    pub fn new(net: &'n Net) -> Option<Self> {
        let footprint = |transition: TransitionId| {
            let transition = net.transition(transition);
            let written = || transition.preset.iter().chain(&transition.postset);
            let mut objects: Vec<u32> = written().chain(&transition.context).map(|place| place.0 / 64).collect();
            objects.sort_unstable();
            objects.dedup();
            let lanes = |places: &mut dyn Iterator<Item = &PlaceId>, object: u32| {
                places.filter(|place| place.0 / 64 == object).fold(0, |lanes, place| lanes | 1 << (place.0 % 64))
            };
            let access = |&object: &u32| Access {
                object: ObjectId(object),
                lanes: Lanes::Bits,
                reads: lanes(&mut transition.context.iter(), object),
                writes: lanes(&mut written(), object),
            };
            let mut footprint = Accesses::none();
            (objects.len() <= Accesses::CAPACITY).then(|| {
                objects.iter().map(access).for_each(|access| footprint.push(access));
                footprint
            })
        };
        Some(NetSystem {
            net,
            footprints: net.transition_ids().map(footprint).collect::<Option<_>>()?,
            marking: net.initial(),
            created: 0,
            operations: [None, Some(NetOperation::Fire)],
            log: Vec::new(),
            marks: Vec::new(),
            follows: false,
        })
    }

    /// The marking in which the net is.
    pub fn marking(&self) -> &Marking {
        &self.marking
    }

    /// The transition of a thread; none for the one that creates the others.
    pub fn transition(thread: ThreadId) -> Option<TransitionId> {
        thread.0.checked_sub(1).map(TransitionId)
    }

    fn tokens(&self) -> u128 {
        self.marking.places().fold(0, |sum, place| sum.wrapping_add(term(0, place.0)))
    }
}

/// The term of a thing in the sum that is the state.
fn term(kind: u32, number: u32) -> u128 {
    xxh3_128(&(u64::from(kind) << 32 | u64::from(number)).to_le_bytes())
}

impl System for NetSystem<'_> {
    type Operation = NetOperation;
    type Fault = NetFault;

    fn start(&mut self) -> Step<NetFault> {
        self.operations[0] = (!self.footprints.is_empty()).then_some(NetOperation::Create(1));
        Step {
            change: self.follows.then(|| Change { action: self.tokens(), control: term(1, 0), ..Change::default() }),
            ..Step::default()
        }
    }

    fn threads(&self) -> u32 {
        self.created + 1
    }

    fn operation(&self, thread: ThreadId) -> Option<&NetOperation> {
        self.operations[usize::from(thread.0 > 0)].as_ref().filter(|_| thread.0 <= self.created)
    }

    fn footprint(&self, thread: ThreadId, operation: &NetOperation) -> Accesses {
        match operation {
            NetOperation::Create(_) => Accesses::none(),
            NetOperation::Fire => self.footprints[thread.index() - 1],
        }
    }

    fn word(&self, object: ObjectId) -> u64 {
        self.marking.word(object.index())
    }

    fn variants(
        &self,
        thread: ThreadId,
        operation: &NetOperation,
        footprint: &Accesses,
        words: &[u64],
        out: &mut Vec<Variant>,
    ) {
        let marked = |place: PlaceId| {
            let at = footprint.iter().position(|access| access.object.0 == place.0 / 64).expect("it is touched");
            words[at] >> (place.0 % 64) & 1 == 1
        };
        let possible = match operation {
            NetOperation::Create(_) => true,
            NetOperation::Fire => self.net.transitions()[thread.index() - 1].inputs().all(marked),
        };
        if possible {
            out.push(Variant { label: 0, accesses: *footprint });
        }
    }

    fn execute(&mut self, thread: ThreadId, _: u32) -> Step<NetFault> {
        self.log.push((self.marking.clone(), self.created));
        let mut step = Step::default();
        let before = if self.follows { self.tokens() } else { 0 };
        let Some(transition) = Self::transition(thread) else {
            self.created += 1;
            let more = self.created < self.footprints.len() as u32;
            self.operations[0] = more.then_some(NetOperation::Create(self.created + 1));
            step.created = Some(ThreadId(self.created));
            let (control, child) = (term(1, self.created), term(2, self.created));
            step.change = self.follows.then(|| Change { action: child, control, child, ..Change::default() });
            return step;
        };
        match self.net.fire(&self.marking, transition) {
            Ok(next) => self.marking = next,
            Err(fault) => step.fault = Some(Box::new(NetFault::Unsafe(fault.place))),
        }
        step.change = self.follows.then(|| Change {
            action: self.tokens().wrapping_sub(before),
            control: term(2, thread.0),
            ..Change::default()
        });
        step
    }

    fn mark(&mut self) {
        self.marks.push(self.log.len());
    }

    fn undo(&mut self) {
        let mark = self.marks.pop().expect("there is a mark");
        if let Some((marking, created)) = self.log.drain(mark..).next() {
            (self.marking, self.created) = (marking, created);
            let more = created < self.footprints.len() as u32;
            self.operations[0] = more.then_some(NetOperation::Create(created + 1));
        }
    }

    fn ending(&mut self) -> (Ending, Findings<NetFault>) {
        (Ending::Complete, Findings::from_iter([NetFault::Deadlock]))
    }

    fn involved(_: &NetFault) -> Vec<(ThreadId, u32)> {
        Vec::new()
    }

    fn digest(&self) -> u128 {
        self.tokens().wrapping_add(term(1, self.created))
    }
}

impl Fingerprints for NetSystem<'_> {
    fn follow_changes(&mut self, on: bool) {
        self.follows = on;
    }
}

impl Commuting for NetSystem<'_> {}
impl Livelocks for NetSystem<'_> {}
impl Twins for NetSystem<'_> {}

impl Decisions for NetSystem<'_> {}
