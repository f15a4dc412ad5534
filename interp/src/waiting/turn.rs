//! Where a thread stands in a loop: all that decides where that leads.
use crate::options::Awaits;
use crate::waiting::Wait;
use crate::waiting::code::{Depth, Stores, Through};
use crate::waiting::proofs::{Known, Proofs};
use crate::waiting::tally::Tallied;
use frontend::ir::FuncId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Turns that are told apart, and trials that are remembered, at most: where values never come again, there is no end
/// of them.
const MOST: usize = 1 << 16;

/// Index into [`Turns`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct TurnId(u32);

impl TurnId {
    /// The access is not one of a loop that may wait.
    pub(crate) const NONE: TurnId = TurnId(u32::MAX);
}

/// A thread before an access in a loop, or before an assumption.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// The frame of the loop, and those of the functions that it has called, up to the one on top.
    pub(super) frames: Box<[Place]>,
    /// What is read on the way back without an action, and was shown to the race detector.
    pub(super) plain: Box<[PlainRead]>,
    /// What is read so on the way back or to another access.
    pub(super) passed: Box<[PlainRead]>,
    /// The accesses of tallies on the way back, and on that to another access, that were shown to it besides.
    pub(super) tallied: [Box<[Tallied]>; 2],
    /// The access before this one, if nothing of note lies in between: the loop may come back to that as well.
    pub(super) since: TurnId,
}

impl Turn {
    /// One of which no more is known than where the thread stands.
    pub(super) fn new(frames: Box<[Place]>) -> Turn {
        Turn { frames, plain: Box::default(), passed: Box::default(), tallied: Default::default(), since: TurnId::NONE }
    }

    /// What decides where it leads but for the access before it, whose number is one of this machine.
    pub(crate) fn places(&self) -> (&[Place], PlainAccesses<'_>) {
        (&self.frames, self.plain_reads())
    }

    /// What of it does not follow from where the thread stands.
    pub(crate) fn plain_reads(&self) -> PlainAccesses<'_> {
        ([&self.plain, &self.passed], &self.tallied)
    }
}

/// What turns do without an action, on ways back and to other accesses.
pub(crate) type PlainAccesses<'a> = ([&'a [PlainRead]; 2], &'a [Box<[Tallied]>; 2]);

/// What a plain load, which is no action, has read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct PlainRead {
    pub(super) address: u64,
    pub(super) size: u8,
    pub(super) value: u64,
}

/// What a turn reads without an action before its next access.
#[derive(Clone, Default, Debug)]
pub(super) struct Ways {
    /// On ways that lead back.
    pub(super) back: Vec<PlainRead>,
    /// On ways that lead to an access.
    pub(super) passed: Vec<PlainRead>,
    /// On all ways: with other values there are other ways.
    pub(super) all: Vec<PlainRead>,
    /// Whether something is loaded plainly besides that is not to be waited for.
    pub(super) stops: bool,
    /// Plain accesses of tallies, on ways that lead back and on ways that lead to an access.
    pub(super) tallied: [Vec<Tallied>; 2],
}

/// What of a frame decides where it leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(super) function: FuncId,
    pub(super) pc: u32,
    /// The slots that are read again, with their values; and those of confined variables.
    pub(super) live: Box<[(u32, u64)]>,
    /// How many slots those of confined variables are.
    pub(super) confined: u32,
    /// Those that are copied on some way, and have bits without a value; and whether all are.
    pub(super) undefined: Box<[(u32, bool)]>,
}

/// What was met so far, as plain data.
#[derive(Serialize, Deserialize)]
pub(crate) struct Met {
    /// In the order of their numbers, which operations have.
    turns: Vec<Turn>,
    /// Whether a proof took too long depends on what was asked first: so the answers are kept.
    known: Known,
}

/// An access of a turn, and what it reads, if threads in loops do that.
pub(super) type Trial = (Awaits, TurnId, u64);

/// What came of trials that have looked at nothing but the turn.
#[derive(Clone, Default, Debug)]
pub(super) struct Tried {
    /// Why the thread goes no further.
    waits: FxHashMap<Trial, Option<Wait>>,
    /// Whether nothing of note lies between that access and the next.
    comes_on: FxHashMap<Trial, bool>,
}

impl Tried {
    pub(super) fn waits(&self, trial: Trial) -> Option<Option<Wait>> {
        self.waits.get(&trial).copied()
    }

    pub(super) fn note_wait(&mut self, trial: Trial, wait: Option<Wait>) {
        if self.waits.len() < MOST {
            self.waits.insert(trial, wait);
        }
    }

    pub(super) fn comes_on(&self, trial: Trial) -> Option<bool> {
        self.comes_on.get(&trial).copied()
    }

    pub(super) fn note_coming_on(&mut self, trial: Trial, comes_on: bool) {
        if self.comes_on.len() < MOST {
            self.comes_on.insert(trial, comes_on);
        }
    }
}

/// What one machine has tried. (Its turns have numbers of their own.)
#[derive(Default, Debug)]
struct Trials(Mutex<Tried>);

impl Trials {
    fn lock(&self) -> MutexGuard<'_, Tried> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Trials {
    fn clone(&self) -> Self {
        Trials(Mutex::new(self.lock().clone()))
    }
}

/// The turns met so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Turns {
    numbers: FxHashMap<Arc<Turn>, TurnId>,
    list: Vec<Arc<Turn>>,
    /// By access, and by call in whose function it lies: what is known from the code.
    pub(super) depths: FxHashMap<(FuncId, u32, Through), Depth>,
    /// Whether some way leads through a function without anything of note but what it may do by its parameters.
    pub(super) passable: FxHashMap<(FuncId, Through, Stores), bool>,
    /// What turns read without an action, by turns of which that is not known yet.
    pub(super) ways: FxHashMap<Turn, Arc<Ways>>,
    /// Whether loads tell nobody what they read, where threads count.
    pub(super) tell_nobody: FxHashMap<(FuncId, u32), bool>,
    /// What came of trials, most of which are repeated very often.
    trials: Trials,
    /// Which places are alike; shared by clones, for whom it is the same.
    pub(super) proofs: Arc<Mutex<Proofs>>,
    /// Whether there is something in these that somebody has to find out.
    pub(super) has_wanted: Arc<AtomicBool>,
}

impl Turns {
    /// Those met so far, in the order of their numbers, and which places are alike.
    pub(crate) fn met(&self) -> Met {
        let proofs = self.proofs.lock().unwrap_or_else(PoisonError::into_inner);
        Met { turns: self.list.iter().map(|turn| Turn::clone(turn)).collect(), known: proofs.all() }
    }

    /// Takes over what was met before.
    pub(crate) fn take_over(&mut self, Met { turns, known }: Met) {
        for turn in turns {
            self.number(turn);
        }
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner).take_over(known);
    }

    /// What came of trials so far.
    pub(super) fn tried(&self) -> MutexGuard<'_, Tried> {
        self.trials.lock()
    }

    /// The turn with that number; `None` for [`TurnId::NONE`].
    pub(crate) fn get(&self, id: TurnId) -> Option<&Turn> {
        self.list.get(id.0 as usize).map(|turn| &**turn)
    }

    /// Whether something may be loaded plainly on a way back in the turn.
    pub(super) fn reads_plainly(&self, turn: &Turn) -> bool {
        let depth = |place: &Place| self.depths.get(&(place.function, place.pc, Through::Reads));
        let mut inner = turn.frames.iter().skip(1).filter_map(depth);
        inner.any(|depth| depth.reads_on_way_back || depth.reads_before_end || depth.reads_before_it)
            || turn.frames.first().and_then(depth).is_some_and(|depth| depth.reads_on_way_back)
    }

    /// The turn, and those since which the thread has done nothing of note, the last one first.
    pub(crate) fn since(&self, id: TurnId) -> impl Iterator<Item = &Turn> {
        std::iter::successors(self.get(id), |turn| self.get(turn.since))
    }

    /// Whether some may have been met that have no number.
    pub(crate) fn are_too_many(&self) -> bool {
        self.list.len() >= MOST
    }

    /// The number of a turn. There is none for those that are met for the first time after too many others: no thread
    /// waits in them.
    pub(super) fn number(&mut self, turn: Turn) -> TurnId {
        if let Some(&known) = self.numbers.get(&turn) {
            return known;
        }
        if self.are_too_many() {
            return TurnId::NONE;
        }
        let (number, turn) = (TurnId(self.list.len() as u32), Arc::new(turn));
        self.list.push(Arc::clone(&turn));
        self.numbers.insert(turn, number);
        number
    }
}
