//! States in depth: from a state that is new on to those behind it, then back.
use super::run::{Met, Run};
use super::sleep::Threads;
use super::table::Table;
use crate::system::{Accesses, Decisions, Livelocks, ThreadId, Variant};
use crate::{Listener, Outcome, feasible_variants};

/// How much longer ways may get in the next pass.
const GROWTH: u64 = 8;

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions, O: Listener<S>>(run: &mut Run<'_, S, O>) -> Result<(), Outcome> {
    run.start()?;
    let bound = run.options.short_ways;
    let mut depth = Depth { run, path: Vec::new(), open: Vec::new(), bound, left_out: false };
    loop {
        let ended = depth.pass();
        depth.note_bytes();
        ended?;
        if !depth.left_out {
            return Ok(());
        }
        depth.begin_pass();
    }
}

/// A visit to a state on the way.
struct Visit {
    /// Its fingerprint, if it has one.
    state: Option<u128>,
    /// It is the first one to that state.
    first: bool,
    /// The threads that are still to be taken here are `next` and those behind it, before `end`, but for those in `left_out`.
    next: u32,
    end: u32,
    left_out: Threads,
    /// The thread that is being taken.
    taken: Option<ThreadId>,
    /// Where in [`Depth::open`] those of its variants begin that are still to be taken.
    open: usize,
    /// What sleeps behind the next action, unless that wakes it: what sleeps here, and those that were taken.
    asleep: Threads,
    /// Of these, those of which each action changes more than where the thread stands.
    busy: Threads,
    /// Whether each action of `taken` has done so.
    is_busy: bool,
}

struct Depth<'r, 'a, S: Livelocks + Decisions, O> {
    run: &'r mut Run<'a, S, O>,
    path: Vec<Visit>,
    /// For the visits on the way, one behind the other, the variants of one thread, the next one last.
    open: Vec<Variant>,
    /// How long ways may get in this pass.
    bound: u64,
    /// Whether a way was ended for that.
    left_out: bool,
}

impl<S: Livelocks + Decisions, O: Listener<S>> Depth<'_, '_, S, O> {
    fn begin_pass(&mut self) {
        let longer = self.bound.saturating_mul(GROWTH);
        // (The last one meets the limit itself.)
        self.bound = if longer < self.run.options.max_depth { longer } else { u64::MAX };
        self.left_out = false;
        self.run.known = Table::new();
        let statistics = &mut self.run.statistics;
        tracing::debug!(states = statistics.states, bound = self.bound, "another pass");
        statistics.work.earlier = statistics.ends();
        (statistics.executions, statistics.pruned, statistics.cutoffs, statistics.blocked) = (0, 0, 0, 0);
        (statistics.states, statistics.events) = (0, 0);
        statistics.work.passes += 1;
    }

    fn note_bytes(&mut self) {
        let path = self.path.capacity() * size_of::<Visit>() + self.open.capacity() * size_of::<Variant>();
        self.run.note_bytes(path);
    }

    /// Visits every state that ways of this pass lead to.
    fn pass(&mut self) -> Result<(), Outcome> {
        self.arrive(Threads::default(), Threads::default(), &Accesses::none())?;
        while !self.path.is_empty() {
            match self.next() {
                Some((thread, variant)) => self.take(thread, &variant)?,
                None => self.leave()?,
            }
        }
        Ok(())
    }

    /// What is to be taken next in the current state.
    fn next(&mut self) -> Option<(ThreadId, Variant)> {
        let visit = self.path.last_mut()?;
        while self.open.len() == visit.open {
            visit.all_taken(self.run.options.sleep_sets);
            visit.begin_next(self.run.system, &mut self.open)?;
        }
        Some((visit.taken?, self.open.pop()?))
    }

    /// Goes back from a state of which all was taken that had to be.
    fn leave(&mut self) -> Result<(), Outcome> {
        let visit = self.path.last().expect("only a state on the way is left");
        // (See `sleep`, case 3.)
        if !visit.first && visit.busy.is_empty() {
            self.run.look_for_livelocks()?;
        }
        let visit = self.path.pop().expect("it was there");
        if let Some(state) = visit.state.filter(|_| visit.first) {
            self.run.known.leave(state);
        }
        if !self.path.is_empty() {
            self.run.go_back();
        }
        Ok(())
    }

    fn take(&mut self, thread: ThreadId, variant: &Variant) -> Result<(), Outcome> {
        self.run.take(thread, variant.label)?;
        let visit = self.path.last_mut().expect("an action is taken in a state");
        visit.is_busy &= self.run.system.changed_more_than_its_thread();
        let (asleep, busy) = (visit.asleep.without(thread), visit.busy);
        if !self.arrive(asleep, busy, &variant.accesses)? {
            self.run.go_back();
        }
        Ok(())
    }

    /// Comes to the current state by that action, with these asleep before it. False: nothing is to be taken there, and the
    /// way ends here.
    fn arrive(&mut self, asleep: Threads, busy: Threads, action: &Accesses) -> Result<bool, Outcome> {
        let state = self.run.state();
        let asleep = self.run.still_asleep(asleep, action);
        let busy = busy.and(asleep);
        let too_long = self.run.schedule.len() as u64 >= self.bound;
        let (met, circle) = self.run.meet(state, asleep, true);
        if circle {
            self.run.look_for_livelocks()?;
        }
        match met {
            Met::New => {}
            Met::Woken { asleep, woken } if !too_long => {
                self.run.wake(state, asleep, circle);
                self.path.push(Visit::again(state, asleep, woken, busy, self.open.len()));
                return Ok(true);
            }
            Met::Woken { .. } | Met::Known => {
                self.left_out |= matches!(met, Met::Woken { .. });
                self.run.cut_off()?;
                return Ok(false);
            }
        }
        self.run.count(state)?;
        let mut visit = Visit::new(state, asleep, busy, self.open.len(), self.run.system.threads());
        // (What can move is needed once more when it is taken: only the first is kept.)
        while self.open.len() == visit.open && visit.begin_next(self.run.system, &mut self.open).is_some() {}
        let none_awake = self.open.len() == visit.open;
        if none_awake && asleep.is_empty() {
            self.run.visit_end()?;
        } else {
            self.run.visit()?;
        }
        if none_awake && !asleep.is_empty() {
            // (See `sleep`, case 2.)
            if busy.is_empty() {
                self.run.look_for_livelocks()?;
            }
            self.run.all_asleep()?;
        } else if !none_awake && too_long {
            self.left_out = true;
            self.open.truncate(visit.open);
            (visit.next, visit.taken) = (visit.end, None);
        }
        self.path.push(visit);
        Ok(true)
    }
}

impl Visit {
    /// The first one.
    fn new(state: Option<u128>, asleep: Threads, busy: Threads, open: usize, threads: u32) -> Self {
        let left_out = asleep;
        Visit { state, first: true, next: 0, end: threads, left_out, taken: None, open, asleep, busy, is_busy: true }
    }

    /// One more, at which these threads are taken.
    fn again(state: Option<u128>, asleep: Threads, woken: Threads, busy: Threads, open: usize) -> Self {
        let (left_out, end) = (Threads::all().minus(woken), Threads::MOST);
        let visit = Visit::new(state, asleep, busy, open, end);
        Visit { first: false, left_out, ..visit }
    }

    /// All that the thread can do was taken.
    fn all_taken(&mut self, sleeps: bool) {
        let Some(thread) = self.taken.take().filter(|_| sleeps) else { return };
        self.asleep.insert(thread);
        if self.is_busy {
            self.busy.insert(thread);
        }
    }

    /// Begins with the next thread to be taken, which may be unable to move. `None` if there is none.
    fn begin_next<S: Decisions>(&mut self, system: &mut S, open: &mut Vec<Variant>) -> Option<()> {
        let thread = (self.next..self.end).map(ThreadId).find(|thread| !self.left_out.contains(*thread));
        self.next = thread.map_or(self.end, |thread| thread.0 + 1);
        feasible_variants(system, thread?, open);
        open[self.open..].reverse();
        self.taken = thread.filter(|_| open.len() > self.open);
        self.is_busy = true;
        Some(())
    }
}
