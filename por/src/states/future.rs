//! Persistent sets (Gode96, chapter 4): in a state only some threads are taken, if no other one will ever touch what
//! these are about to do.
//!
//! **What a thread may still touch** is a matter of where it stands. [`Futures`] is a graph of *places*: places of one
//! thread follow one another if it was seen to go from one to the next, and a place of creation is followed by the
//! first place of the thread that is created. A place touches what the operations touch that were seen there, and its
//! *future* is what it touches and all places behind it do. Threads have places of their own.
//!
//! **The set.** It begins with a thread that is awake and can move. A thread is added if its future touches anything
//! that an operation of the set depends on, until there is none. Let `t` be in the set at the state `s`, and let others
//! act behind `s`, which are not in it. Nothing that they do depends on the operation of `t`, so that is possible as
//! before, in the same variants, and comes to the same before and behind what they did. That includes threads that they
//! create. So the set is persistent, also if some of its threads cannot move.
//!
//! **Futures are learned.** At first some executions at random show how threads go on. Where the search then sees a
//! step, or an operation, that the graph lacks, the graph grows, and the search begins again. Why the last search is
//! right: let S be the system in which a thread stops, for good, at a step that the graph lacks. In S futures are true,
//! and the search of S is complete, so that it takes such a step if there is one (it is what a fault of an action is:
//! seen when the action is taken). It takes none, so S is the system. With more than [`MOST`] places, or if the graph
//! grows again and again, all threads are taken.
//!
//! **Why nothing is lost.** The claim is that of [`super::sleep`]: let the sequence `w` be awake at a visit to `s`;
//! then actions are taken, one by one, that are some sequence which begins with `w`, up to exchanges of independent
//! neighbours. All faults are found if that is so: those of an action need it and what comes before, races among them;
//! what is wrong with a state (threads that wait for one another, a livelock, a process that has ended and left
//! something) is wrong with all states behind it.
//!
//! Let `F`, `k` and `f` be as there, so that at visit `k` nothing of `F` sleeps. If `k` is not the first visit,
//! something of `F` is taken there as before, in the set or not. At the first visit, let `T` be the set.
//! - If `w` has an action of a thread of `T`, the first such depends on none before it. So it is in `F`, and some of
//!   `F` is taken. The proof goes on as there.
//! - Otherwise all of `T` is independent of `w`. Something of `T` is taken, for the set begins with what is awake.
//!   Behind it `w` is awake still: what sleeps there and can be moved to its front would be in `F`, and nothing of `F`
//!   sleeps at this visit or is taken. But `w` is no shorter.
//!
//! The second case must come to an end. So where every action that is taken from a state leads to one that is on the
//! way, *all* threads are taken (the proviso; "ignoring" is what happens without it). In a sequence of states of the
//! second case choose actions that did not lead to the way. It ends, or comes to a circle, for there are finitely many
//! states. Of the states of the circle let one be left first. The action chosen there led to a state that was on the
//! way, or that was left before, or that was new and so left before: none can be.
//!
//! **The end of the process** makes what others do later count for nothing, though they do the same. So where an action
//! ended it, or failed an assumption, all threads are taken, too; and no set is begun with a thread that is about to do
//! so. (What leads to a fault that counts has no such action. The proof takes none either: in the second case another
//! one can be chosen, or all threads are taken, and it is the first case.)
//!
//! **Livelocks** are looked for in the same places as without. The proof there needs that from a state of a livelock
//! something is taken if anything is awake; the states behind are livelocks whatever is taken. (A sequence that leads
//! to a livelock is the beginning of one that is taken, and the state behind it is one, too.)
//!
//! The shortest way to a fault may not be taken any more, so `--shortest` takes all threads.
use super::sleep::Threads;
use crate::system::{Accesses, Fingerprints, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many places there may be, and how many things a future may touch.
const MOST: usize = 2_000;

/// How often the graph may grow in a search.
const MOST_SEARCHES: u32 = 60;

/// The number of a place.
type Place = u32;

/// That of no place: the thread does not exist, or is over.
const NOWHERE: Place = u32::MAX;

/// Something that is touched: the name of an object, what of it is read, what is written.
type Touch = (u64, u64, u64);

/// Places, what follows them, and what is touched there.
#[derive(Default)]
pub(super) struct Futures {
    numbers: FxHashMap<(ThreadId, u64), Place>,
    edges: FxHashSet<(Place, Place)>,
    follow: Vec<Vec<Place>>,
    /// By place, sorted: what operations touch there, and what is touched there and behind it.
    here: Vec<Vec<Touch>>,
    future: Vec<Vec<Touch>>,
    /// Whether the operations of the first place depend on the future of the second.
    depend: FxHashMap<(Place, Place), bool>,
    /// By thread: where it stands.
    stand: Vec<Place>,
    /// Where threads stood before, one behind the other.
    trail: Vec<(ThreadId, Place)>,
    /// The graph has grown since the futures were found.
    pub(super) grown: bool,
    searches: u32,
    /// Nothing is known, and all threads are taken.
    off: bool,
}

impl Futures {
    /// No place is known. Nothing ever will be, if all threads are taken.
    pub(super) fn new(off: bool) -> Self {
        Futures { off, ..Futures::default() }
    }

    pub(super) fn is_off(&self) -> bool {
        self.off
    }

    /// How many steps there are to go back to where threads stand now.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Threads stand where they stood at that mark.
    pub(super) fn go_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (thread, place) = self.trail.pop().expect("it is not empty");
            self.stand[thread.index()] = place;
        }
    }

    /// The system stands at its start.
    pub(super) fn start<S: Fingerprints>(&mut self, system: &S) {
        if !self.off {
            self.stand.clear();
            self.trail.clear();
            (0..system.threads()).for_each(|thread| {
                self.arrive(system, ThreadId(thread));
            });
        }
    }

    /// A thread has acted, and has created that one.
    pub(super) fn step<S: Fingerprints>(&mut self, system: &S, thread: ThreadId, created: Option<ThreadId>) {
        if self.off {
            return;
        }
        let before = self.place_of(thread);
        for to in [Some(thread), created].into_iter().flatten() {
            let place = self.arrive(system, to);
            if place != NOWHERE && before != NOWHERE && self.edges.insert((before, place)) {
                self.follow[before as usize].push(place);
                self.grown = true;
            }
        }
    }

    fn place_of(&self, thread: ThreadId) -> Place {
        self.stand.get(thread.index()).copied().unwrap_or(NOWHERE)
    }

    /// The thread has come to where it stands now.
    fn arrive<S: Fingerprints>(&mut self, system: &S, thread: ThreadId) -> Place {
        let place = match system.operation(thread).and_then(|_| system.place(thread)) {
            Some(place) => self.number(thread, place),
            None => NOWHERE,
        };
        if let Some(operation) = system.operation(thread) {
            if place == NOWHERE {
                (self.off, self.grown) = (true, true);
            } else {
                let footprint = system.footprint(thread, operation);
                self.note(system, place, &footprint);
            }
        }
        if self.stand.len() <= thread.index() {
            self.stand.resize(thread.index() + 1, NOWHERE);
        }
        let old = std::mem::replace(&mut self.stand[thread.index()], place);
        self.trail.push((thread, old));
        place
    }

    fn number(&mut self, thread: ThreadId, place: u64) -> Place {
        let next = self.here.len() as Place;
        let number = *self.numbers.entry((thread, place)).or_insert(next);
        if number == next {
            self.here.push(Vec::new());
            self.future.push(Vec::new());
            self.follow.push(Vec::new());
            self.grown = true;
            self.off |= self.here.len() > MOST;
        }
        number
    }

    /// An operation there touches this.
    fn note<S: Fingerprints>(&mut self, system: &S, place: Place, footprint: &Accesses) {
        for access in footprint.iter() {
            let touch = (system.name(access.object), access.reads, access.writes);
            self.grown |= add(&mut self.here[place as usize], touch);
        }
        self.off |= self.here[place as usize].len() > MOST;
    }

    /// Finds the futures anew, for another search.
    pub(super) fn settle(&mut self) {
        if !std::mem::take(&mut self.grown) || self.off {
            return;
        }
        self.searches += 1;
        self.off = self.searches > MOST_SEARCHES;
        self.depend.clear();
        self.future.clone_from(&self.here);
        loop {
            let mut changed = false;
            for place in (0..self.follow.len()).rev() {
                for index in 0..self.follow[place].len() {
                    let next = self.follow[place][index] as usize;
                    if next != place {
                        let more = std::mem::take(&mut self.future[next]);
                        for touch in &more {
                            changed |= add(&mut self.future[place], *touch);
                        }
                        self.future[next] = more;
                    }
                }
                self.off |= self.future[place].len() > MOST;
            }
            if !changed || self.off {
                return;
            }
        }
    }

    /// The threads of the smallest set that begins with one of these, as [`Threads`], with that one. `None` if all
    /// threads are taken.
    pub(super) fn smallest(
        &mut self,
        threads: u32,
        from: impl Iterator<Item = ThreadId>,
    ) -> Option<(Threads, ThreadId)> {
        if self.off || threads > Threads::MOST {
            return None;
        }
        let mut best: Option<(Threads, ThreadId)> = None;
        for first in from {
            let set = self.set(threads, first);
            if best.is_none_or(|(least, _)| set.count() < least.count()) {
                best = Some((set, first));
            }
        }
        best
    }

    /// The set that begins with a thread.
    fn set(&mut self, threads: u32, first: ThreadId) -> Threads {
        let mut set = Threads::default();
        let mut open = Threads::default();
        open.insert(first);
        while let Some(thread) = open.iter().next() {
            open = open.without(thread);
            set.insert(thread);
            let place = self.place_of(thread);
            for other in (0..threads).map(ThreadId) {
                if !set.contains(other) && !open.contains(other) && self.depends(place, self.place_of(other)) {
                    open.insert(other);
                }
            }
        }
        set
    }

    /// Whether operations of the first place depend on the future of the second.
    fn depends(&mut self, place: Place, other: Place) -> bool {
        if place == NOWHERE || other == NOWHERE {
            return false;
        }
        let Futures { depend, here, future, .. } = self;
        *depend.entry((place, other)).or_insert_with(|| {
            let future = &future[other as usize];
            here[place as usize].iter().any(|(name, reads, writes)| {
                let known = future.binary_search_by_key(name, |touch| touch.0);
                known.is_ok_and(|at| {
                    let (_, also_reads, also_writes) = future[at];
                    writes & (also_reads | also_writes) | reads & also_writes != 0
                })
            })
        })
    }
}

/// Adds something to what is touched. Whether it was not there yet.
fn add(touched: &mut Vec<Touch>, (name, reads, writes): Touch) -> bool {
    match touched.binary_search_by_key(&name, |touch| touch.0) {
        Ok(at) => {
            let (_, known_reads, known_writes) = &mut touched[at];
            let is_new = reads & !*known_reads | writes & !*known_writes != 0;
            *known_reads |= reads;
            *known_writes |= writes;
            is_new
        }
        Err(at) => {
            touched.insert(at, (name, reads, writes));
            true
        }
    }
}
