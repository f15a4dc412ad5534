//! Checking a list, by one worker or by several.
//!
//! The states of a list are a tree, and a walk along the tree comes to each state once, in the same order for whoever
//! walks. Several workers divide the states by that order: each takes the next portion of states in a row that nobody
//! has taken, walks on to these, and looks at them as a single worker does; all actions of each are taken, and all
//! results looked up in the one list. So each state is looked at by exactly one worker, which comes to it by actions
//! that the list names, and sees that it is the one that the list says it is. States in between are gone through. No
//! worker goes back for a portion, so none takes more actions than a single one would.
//!
//! Each worker has a system of its own, and these have their numbers in common ([`Companions`]): two states have the
//! same fingerprint for two workers only if they have it for one. What only both together have seen is compared in the
//! end. If two systems number something differently all the same, a right list is refused, and a single worker tells.
use crate::list::States;
use crate::numbers::{Children, Numbers, Spans};
use crate::walk::{Arrival, Checked, List, Refused, Walk};
use por::{Companions, Livelocks, Move};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Who checks a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workers {
    /// How many there are, at most.
    pub most: usize,
    /// How many states each has at least, and how many in a row.
    pub portion: u32,
    /// Bytes for the stack of each but the first.
    pub stack: usize,
}

impl Workers {
    /// One.
    pub const ONE: Workers = Workers { most: 1, portion: u32::MAX, stack: 0 };
}

/// Into how many portions the states are divided for each worker: those that have finished early take another one.
const PORTIONS: u32 = 16;

/// Checks a list of states. The system has not been started yet. `counts` says whether a fault is one, and `go_on` is
/// asked now and then, with the number of states.
///
/// # Errors
/// The list proves nothing.
pub fn check<S>(
    system: &mut S,
    states: &States,
    counts: impl Fn(&S::Fault) -> bool + Sync,
    go_on: impl Fn(u64) -> bool + Sync,
    workers: Workers,
) -> Result<Checked, Refused<S::Fault>>
where
    S: Livelocks + Companions + Send,
    S::Fault: Send,
{
    states.is_tree().map_err(Refused::Senseless)?;
    let twice = |(state, other)| format!("state {state} is in the list already, as state {other}");
    let numbers = Numbers::new(states).map_err(|same| Refused::Senseless(twice(same)))?;
    let children = Children::new(states);
    let mut others = companions(system, states.len(), workers);
    let division = Division::new(&children, 1 + others.len(), workers.portion);
    let table = Table { states, numbers, children, division };
    let mut first = table.worker(system, &counts, &go_on);
    let (ended, rest) = std::thread::scope(|scope| {
        let table = &table;
        let begin = |other| {
            let mut walk = table.worker(other, &counts, &go_on);
            let work = move || (table.finish(&mut walk), walk.checked, walk.graph);
            std::thread::Builder::new().stack_size(workers.stack).spawn_scoped(scope, work)
        };
        // (What those would have looked at that cannot begin, the others look at.)
        let handles: Vec<_> = others.iter_mut().map_while(|other| begin(other).ok()).collect();
        let ended = table.finish(&mut first);
        let rest = handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (ended, rest.collect::<Vec<_>>())
    });
    let mut ends = vec![ended];
    for (ended, checked, graph) in rest {
        ends.push(ended);
        first.checked.add(&checked);
        first.graph.add_all(graph);
    }
    // (Whoever was stopped because another one refuses has nothing to say.)
    let refuses = |end: &Result<(), Refused<_>>| matches!(end, Err(refused) if !matches!(refused, Refused::Stopped));
    let decisive = ends.iter().position(refuses).or_else(|| ends.iter().position(Result::is_err));
    if let Some(worker) = decisive {
        if let Some(other) = worker.checked_sub(1) {
            std::mem::swap(first.system, &mut others[other]);
        }
        return Err(ends.swap_remove(worker).expect_err("it refuses"));
    }
    for other in &others {
        first.system.absorb(other);
        if first.system.compare(other) {
            return Err(Refused::Restart);
        }
    }
    first.look_for_ever()?;
    match table.division.entered.iter().position(|entered| !entered.load(Ordering::Relaxed)) {
        Some(number) => Err(Refused::NotReached(number as u32)),
        None => Ok(first.checked),
    }
}

/// Systems for other workers, which have their numbers in common with this one; none if there cannot be any.
fn companions<S: Companions>(system: &mut S, states: usize, workers: Workers) -> Vec<S> {
    let most = workers.most.min(states / workers.portion.max(1) as usize);
    let companion = |_| {
        let mut other = system.clone();
        system.share_numbers(&mut other).ok().map(|()| other)
    };
    (1..most).map_while(companion).collect()
}

/// What all workers look at.
struct Table<'a> {
    states: &'a States,
    numbers: Numbers,
    children: Children,
    division: Division,
}

impl<'a> Table<'a> {
    /// A walk of one of the workers, which has not begun.
    fn worker<'s, S, C, G>(
        &'a self,
        system: &'s mut S,
        counts: &'a C,
        go_on: &'a G,
    ) -> Walk<'s, S, Given<'a>, &'a C, impl FnMut(u64) -> bool>
    where
        S: Livelocks,
        C: Fn(&S::Fault) -> bool,
        G: Fn(u64) -> bool,
    {
        let (division, mut told) = (&self.division, 0);
        let go_on = move |states| {
            let new = states - std::mem::replace(&mut told, states);
            let all = division.looked_at.fetch_add(new, Ordering::Relaxed) + new;
            !division.over.load(Ordering::Relaxed) && go_on(all)
        };
        Walk::new(system, Given { table: self, portion: 0..0 }, counts, go_on)
    }

    /// Does the work of one of them. If it refuses, or breaks, the others stop.
    fn finish<S, C, G>(&self, walk: &mut Walk<'_, S, Given<'_>, C, G>) -> Result<(), Refused<S::Fault>>
    where
        S: Livelocks,
        C: Fn(&S::Fault) -> bool,
        G: FnMut(u64) -> bool,
    {
        let alarm = Alarm(&self.division.over);
        walk.go()?;
        std::mem::forget(alarm);
        Ok(())
    }
}

/// Stops all workers when it is dropped.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How the states are divided: by their places in the order of the walk.
struct Division {
    /// Of each state its place, and behind it that of the first one that does not lie behind it along the tree. `None`:
    /// there is one worker.
    spans: Option<Spans>,
    /// The first place that nobody has taken.
    next: AtomicU32,
    /// How many are taken together.
    portion: u32,
    /// Which states were looked at, by number.
    entered: Vec<AtomicBool>,
    /// How many of them, about.
    looked_at: AtomicU64,
    /// Somebody refuses.
    over: AtomicBool,
}

impl Division {
    fn new(children: &Children, workers: usize, least: u32) -> Self {
        let states = children.states();
        let entered = (0..states).map(|_| AtomicBool::new(false)).collect();
        let (spans, portion) = match workers {
            1 => (None, states),
            _ => (Some(Spans::new(children)), (states / (workers as u32 * PORTIONS)).max(least)),
        };
        let (next, looked_at, over) = (AtomicU32::new(0), AtomicU64::new(0), AtomicBool::new(false));
        Division { spans, next, portion, entered, looked_at, over }
    }

    /// The next portion. There may be none left: then it lies behind all states.
    fn take(&self) -> Range<u32> {
        let states = self.entered.len() as u32;
        let take = |next: u32| (next < states).then(|| next + self.portion.min(states - next));
        match self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(start) => start..start + self.portion.min(states - start),
            Err(_) => u32::MAX..u32::MAX,
        }
    }
}

/// The list that is to be checked, as one of the workers has it.
struct Given<'a> {
    table: &'a Table<'a>,
    /// The places of the states that it looks at now. What lies before them is behind it.
    portion: Range<u32>,
}

impl List for Given<'_> {
    fn children(&self, state: u32) -> impl Iterator<Item = (u32, Move)> {
        self.table.children.of(self.table.states, state)
    }

    fn arrive(&mut self, fingerprint: u128, way: Option<(u32, Move)>, expected: Option<u32>) -> Arrival {
        match if way.is_none() { Some(0) } else { expected } {
            Some(number) if self.table.states.fingerprint(number) == fingerprint => Arrival::New(number),
            Some(number) => Arrival::Another(number),
            None => Arrival::Elsewhere,
        }
    }

    fn number(&self, fingerprint: u128) -> Option<u32> {
        self.table.numbers.get(self.table.states, fingerprint)
    }

    fn leads_on(&mut self, state: u32) -> bool {
        let Some(spans) = &self.table.division.spans else { return true };
        let span = spans.of(state);
        while self.portion.end <= span.start {
            self.portion = self.table.division.take();
        }
        self.portion.start < span.end
    }

    fn enter(&mut self, state: u32) -> bool {
        let Division { spans, entered, .. } = &self.table.division;
        let mine = spans.as_ref().is_none_or(|spans| self.portion.contains(&spans.of(state).start));
        if mine {
            entered[state as usize].store(true, Ordering::Relaxed);
        }
        mine
    }

    fn fetch(&self, fingerprints: impl Iterator<Item = u128>) {
        self.table.numbers.fetch(fingerprints);
    }

    fn states(&self) -> &States {
        self.table.states
    }
}
