//! Every interleaving of a machine, told apart up to swapping independent neighbours.
//!
//! An interleaving's class is a hash of its events, an event's hash that of its thread, its choice and of all earlier
//! events that it depends on. Executions of one class must end in one state: the machine promises that.

use crate::engine::{Bug, Found, entangles, entangles_reason};
use interp::Machine;
use interp::fault::Fault;
use por::{Accesses, Lanes, Livelocks, ObjectId, System, ThreadId, Variant, current_variants};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to find.
#[derive(Default)]
pub(crate) struct Everything {
    /// The final state of each class.
    pub(crate) classes: FxHashMap<u64, u128>,
    /// All violations that happen before the end of the process.
    pub(crate) bugs: BTreeSet<Bug>,
    /// Why the verdict is not known.
    pub(crate) unknown: BTreeSet<String>,
    /// An interleaving shows that the exploration would have to start again.
    pub(crate) restarts: bool,
    /// See [`Found::entangled`].
    pub(crate) entangled: bool,
    /// Number of interleavings.
    pub(crate) interleavings: u64,
    /// An action that changed the word of an object where it does not say that it writes.
    pub(crate) sly: Option<String>,
}

impl Everything {
    /// In the form in which engines are compared.
    pub(crate) fn found(&self) -> Found {
        Found {
            states: self.classes.values().copied().collect(),
            bugs: self.bugs.clone(),
            unknown: self.unknown.clone(),
            entangled: self.entangled,
            ..Found::default()
        }
    }
}

/// Why brute force gave no answer.
pub(crate) enum Failure {
    /// There are too many interleavings.
    TooMany,
    /// Two interleavings of one class end differently.
    Ambiguous,
}

/// Explores a machine that was not started yet.
pub(crate) fn explore(machine: &mut Machine, limit: u64) -> Result<Everything, Failure> {
    let mut walk = Walk { machine, objects: BTreeMap::new(), limit, trail: Vec::new(), found: Everything::default() };
    let first = walk.machine.start();
    walk.note(first.fault.map(|fault| *fault), first.unknown);
    walk.visit()?;
    Ok(walk.found)
}

/// An executed action.
struct Executed {
    thread: ThreadId,
    accesses: Accesses,
    hash: u64,
}

struct Walk<'a> {
    machine: &'a mut Machine,
    /// The objects that anybody has accessed, but for memory, of which local steps change words as well.
    objects: BTreeMap<ObjectId, Lanes>,
    limit: u64,
    trail: Vec<Executed>,
    found: Everything,
}

impl Walk<'_> {
    fn visit(&mut self) -> Result<(), Failure> {
        let mut moved = false;
        for thread in (0..self.machine.threads()).map(ThreadId) {
            let mut variants = Vec::new();
            current_variants(self.machine, thread, &mut variants);
            for variant in variants {
                moved = true;
                self.machine.mark();
                self.execute(thread, &variant);
                self.visit()?;
                self.trail.pop();
                self.machine.undo();
            }
        }
        if moved {
            // Threads may be stuck although others go on.
            let stuck = self.machine.stuck(por::Rest::ToBeSeen);
            self.note(stuck.faults, stuck.unknown);
            Ok(())
        } else {
            self.leaf()
        }
    }

    fn execute(&mut self, thread: ThreadId, variant: &Variant) {
        let depends = |earlier: &&Executed| {
            earlier.thread == thread
                || earlier.accesses.iter().any(|one| variant.accesses.iter().any(|other| one.depends(other)))
        };
        let past = self.trail.iter().filter(depends).fold(0, |sum: u64, e| sum.wrapping_add(mix(e.hash)));
        let hash = mix(past ^ u64::from(thread.0) << 32 ^ u64::from(variant.label) << 48);
        self.trail.push(Executed { thread, accesses: variant.accesses, hash });
        let objects = variant.accesses.iter().filter(|access| access.lanes != Lanes::Bytes);
        self.objects.extend(objects.map(|access| (access.object, access.lanes)));
        let before: Vec<u64> = self.objects.keys().map(|object| self.machine.word(*object)).collect();
        let step = self.machine.execute(thread, variant.label);
        for ((object, lanes), before) in self.objects.iter().zip(before) {
            let written =
                variant.accesses.iter().find(|access| access.object == *object).map_or(0, |access| access.writes);
            if (before ^ self.machine.word(*object)) & !lanes.bits(written) != 0 {
                self.found.sly = Some(format!("{thread:?} changed {object:?} by {variant:?}"));
            }
        }
        self.found.restarts |= step.restart;
        self.note(step.fault.map(|fault| *fault), step.unknown);
    }

    fn leaf(&mut self) -> Result<(), Failure> {
        let ending = self.machine.ending().1;
        self.found.restarts |= ending.restart;
        self.note(ending.faults, ending.unknown);
        let class = self.trail.iter().fold(0, |sum: u64, e| sum.wrapping_add(mix(e.hash)));
        let state = self.machine.digest();
        if *self.found.classes.entry(class).or_insert(state) != state && !self.found.entangled {
            return Err(Failure::Ambiguous);
        }
        self.found.interleavings += 1;
        if self.found.interleavings > self.limit { Err(Failure::TooMany) } else { Ok(()) }
    }

    fn note(&mut self, faults: impl IntoIterator<Item = Fault>, unknown: Option<String>) {
        for fault in faults {
            self.found.entangled |= entangles(&fault);
            // Another interleaving shows it before the end if there is one.
            if !fault.after_end {
                self.found.bugs.insert(Bug::new(self.machine, &fault));
            }
        }
        self.found.entangled |= unknown.as_ref().is_some_and(|reason| entangles_reason(reason));
        self.found.unknown.extend(unknown);
    }
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
