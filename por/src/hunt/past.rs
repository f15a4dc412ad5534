//! The events of a sample: which of them a fault needs, and which races they show.
use super::directed::Reversal;
use crate::order::LaneTable;
use crate::system::{Access, Accesses, Move, ObjectId, System, ThreadId};
use rustc_hash::FxHashMap;

/// An event of a sample.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: Move,
    pub(super) accesses: Accesses,
    pub(super) created: Option<ThreadId>,
}

/// The moves without which these events would not have happened, `tops` included, in their order.
pub(super) fn past(events: &[Event], tops: impl IntoIterator<Item = usize>) -> Vec<Move> {
    let mut needed = vec![false; events.len()];
    tops.into_iter().for_each(|top| needed[top] = true);
    let mut lanes = LaneTable::default();
    let mut last: FxHashMap<ThreadId, usize> = FxHashMap::default();
    let mut causes = Vec::with_capacity(events.len());
    for (at, event) in events.iter().enumerate() {
        let mut own = lanes.conflicts(&event.accesses);
        own.extend(last.insert(event.step.thread, at));
        causes.push(own);
        lanes.add(at, &event.accesses);
        if let Some(created) = event.created {
            last.insert(created, at);
        }
    }
    for at in (0..events.len()).rev().filter(|at| needed[*at]).collect::<Vec<_>>() {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            for &cause in &causes[at] {
                if !std::mem::replace(&mut needed[cause], true) {
                    open.push(cause);
                }
            }
        }
    }
    let kept = events.iter().zip(needed).filter(|(_, needed)| *needed);
    kept.map(|(event, _)| event.step).collect()
}

/// The index of a thread's event of that number, from 1; of the one that created it for 0.
pub(super) fn numbered(events: &[Event], thread: ThreadId, number: u32) -> Option<usize> {
    match number.checked_sub(1) {
        Some(before) => {
            let own = events.iter().enumerate().filter(|(_, event)| event.step.thread == thread);
            own.map(|(at, _)| at).nth(before as usize)
        }
        None => events.iter().position(|event| event.created == Some(thread)),
    }
}

/// How far back races are looked for, in accesses of one object.
const BACK: usize = 32;

/// What touched each object so far, for races.
#[derive(Default, Debug)]
pub(super) struct Races {
    accesses: FxHashMap<ObjectId, Vec<Touch>>,
    /// Those that were met in this sample.
    pub(super) met: Vec<Race>,
    words: Vec<u64>,
}

/// A race that was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    /// How it is reversed.
    pub(super) reversal: Reversal,
    /// What comes second only reads.
    pub(super) reads: bool,
}

#[derive(Debug)]
struct Touch {
    thread: ThreadId,
    place: u64,
    access: Access,
    /// The word of the object before.
    before: u64,
}

impl Races {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.accesses.clear();
        self.met.clear();
    }

    /// A thread is about to execute what it stands before, which will touch this. `tell` hears of objects that race.
    ///
    /// It races with the last action of another thread on which it depends by an object, before which it would have
    /// been possible as well. (That something else may order the two is not looked at: such a race is only tried to no
    /// end.)
    pub(super) fn executes<S: System>(
        &mut self,
        system: &S,
        (thread, place): (ThreadId, u64),
        footprint: &Accesses,
        accesses: &Accesses,
        mut tell: impl FnMut(ObjectId),
    ) {
        let operation = system.operation(thread).expect("it can move");
        let current = |access: &Access| system.word(access.object);
        for access in accesses.iter() {
            let touches = self.accesses.entry(access.object).or_default();
            let others = touches.iter().rev().take(BACK).take_while(|touch| touch.thread != thread);
            for touch in others.filter(|touch| touch.access.depends(access)) {
                self.words.clear();
                self.words.extend(footprint.iter().map(|own| match own.object == access.object {
                    true => touch.before,
                    false => current(own),
                }));
                let mut variants = Vec::new();
                system.variants(thread, operation, footprint, &self.words, &mut variants);
                if !variants.is_empty() {
                    tell(access.object);
                    let reversal = Reversal { first: touch.place, second: place };
                    self.met.push(Race { reversal, reads: access.writes == 0 });
                    break;
                }
            }
            touches.push(Touch { thread, place, access: *access, before: current(access) });
        }
    }
}
