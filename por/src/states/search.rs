//! The search in depth.
use super::sleep::{Threads, sleeps_on};
use crate::spinning::{Unclear, spinning};
use crate::system::{Accesses, Decisions, Ending, Findings, Livelocks, Move, Rest, Step, ThreadId, Variant};
use crate::{Listener, Options, Outcome, Phase, Statistics, feasible_variants};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// How often the listener is asked whether to go on, in executed actions.
const POLL_INTERVAL: u64 = 1024;

/// How much longer ways may get in the next pass.
const GROWTH: u64 = 8;

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions>(
    system: &mut S,
    options: &Options,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let mut search = Search {
        system,
        options,
        listener,
        known: FxHashMap::default(),
        path: Vec::new(),
        open: Vec::new(),
        variants: Vec::new(),
        schedule: Vec::new(),
        bound: options.short_ways,
        left_out: false,
        statistics: Statistics::default(),
    };
    let outcome = search.run().err().unwrap_or(Outcome::Complete);
    search.statistics.work.states = search.statistics.states;
    (outcome, search.statistics)
}

/// What is known of a state.
struct Known {
    /// It is on the way to the current one. Else everything behind it was seen.
    on_the_way: bool,
    /// The threads that were never taken from there.
    asleep: Threads,
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
    /// Where in [`Search::open`] those of its variants begin that are still to be taken.
    open: usize,
    /// What sleeps behind the next action, unless that wakes it: what sleeps here, and those that were taken.
    asleep: Threads,
    /// Of these, those of which each action changes more than where the thread stands.
    busy: Threads,
    /// Whether each action of `taken` has done so.
    is_busy: bool,
}

struct Search<'a, S: Livelocks + Decisions, O> {
    system: &'a mut S,
    options: &'a Options,
    listener: &'a mut O,
    known: FxHashMap<u128, Known>,
    path: Vec<Visit>,
    /// For the visits on the way, one behind the other, the variants of one thread, the next one last.
    open: Vec<Variant>,
    /// Scratch.
    variants: Vec<Variant>,
    schedule: Vec<Move>,
    /// How long ways may get in this pass.
    bound: u64,
    /// Whether a way was ended for that.
    left_out: bool,
    statistics: Statistics,
}

impl<S: Livelocks + Decisions, O: Listener<S>> Search<'_, S, O> {
    fn run(&mut self) -> Result<(), Outcome> {
        self.system.follow_states();
        let first = self.system.start();
        if first.restart {
            return Err(Outcome::Restart);
        }
        self.report(first)?;
        loop {
            self.pass()?;
            if !self.left_out {
                return Ok(());
            }
            self.begin_pass();
        }
    }

    fn begin_pass(&mut self) {
        let longer = self.bound.saturating_mul(GROWTH);
        // (The last one meets the limit itself.)
        self.bound = if longer < self.options.max_depth { longer } else { u64::MAX };
        self.left_out = false;
        self.known.clear();
        let statistics = &mut self.statistics;
        tracing::debug!(states = statistics.states, bound = self.bound, "another pass");
        statistics.work.earlier = statistics.ends();
        (statistics.executions, statistics.pruned, statistics.cutoffs, statistics.blocked) = (0, 0, 0, 0);
        (statistics.states, statistics.events) = (0, 0);
        statistics.work.passes += 1;
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
            visit.all_taken(self.options.sleep_sets);
            let thread = visit.next_thread()?;
            feasible_variants(self.system, thread, &mut self.open);
            self.open[visit.open..].reverse();
            visit.taken = (self.open.len() > visit.open).then_some(thread);
        }
        Some((visit.taken?, self.open.pop()?))
    }

    /// Goes back from a state of which all was taken that had to be.
    fn leave(&mut self) -> Result<(), Outcome> {
        let visit = self.path.last().expect("only a state on the way is left");
        // (See `sleep`, case 3.)
        if !visit.first && visit.busy.is_empty() {
            self.look_for_livelocks()?;
        }
        let visit = self.path.pop().expect("it was there");
        if let Some(known) = visit.state.filter(|_| visit.first).and_then(|state| self.known.get_mut(&state)) {
            known.on_the_way = false;
        }
        if !self.path.is_empty() {
            self.go_back();
        }
        Ok(())
    }

    fn go_back(&mut self) {
        self.listener.phase(Phase::System);
        self.system.undo();
        self.schedule.pop();
        self.listener.phase(Phase::Walk);
    }

    fn take(&mut self, thread: ThreadId, variant: &Variant) -> Result<(), Outcome> {
        if self.schedule.len() as u64 >= self.options.max_depth {
            return Err(Outcome::DepthLimit);
        }
        self.listener.phase(Phase::System);
        self.system.mark();
        let step = self.system.execute(thread, variant.label);
        self.listener.phase(Phase::Walk);
        self.schedule.push(Move { thread, label: variant.label });
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        statistics.events += 1;
        statistics.depth = statistics.depth.max(self.schedule.len() as u64);
        statistics.threads = statistics.threads.max(self.system.threads());
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.report(step)?;
        if self.statistics.steps.is_multiple_of(POLL_INTERVAL) {
            self.listener.poll(self.system, &self.statistics).go_on()?;
        }
        let visit = self.path.last_mut().expect("an action is taken in a state");
        visit.is_busy &= self.system.changed_more_than_its_thread();
        let (asleep, busy) = (visit.asleep.without(thread), visit.busy);
        if !self.arrive(asleep, busy, &variant.accesses)? {
            self.go_back();
        }
        Ok(())
    }

    /// Comes to the current state by that action, with these asleep before it. False: nothing is to be taken there, and the
    /// way ends here.
    fn arrive(&mut self, asleep: Threads, busy: Threads, action: &Accesses) -> Result<bool, Outcome> {
        self.listener.phase(Phase::Cutoffs);
        let state = self.system.state();
        self.listener.phase(Phase::Walk);
        let asleep = self.still_asleep(asleep, action);
        let busy = busy.and(asleep);
        let too_long = self.schedule.len() as u64 >= self.bound;
        if let Some(state) = state {
            match self.known.entry(state) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    let woken = known.asleep.minus(asleep);
                    let circle = known.on_the_way;
                    if !woken.is_empty() && too_long {
                        self.left_out = true;
                    } else if !woken.is_empty() {
                        known.asleep = known.asleep.and(asleep);
                        let visit = Visit::again(state, known.asleep, woken, busy, self.open.len());
                        self.statistics.work.visits_again += 1;
                        self.path.push(visit);
                    }
                    if circle {
                        self.look_for_livelocks()?;
                    }
                    if !woken.is_empty() && !too_long {
                        return Ok(true);
                    }
                    self.statistics.cutoffs += 1;
                    self.end(Ending::Cutoff, Findings::default())?;
                    return Ok(false);
                }
                Entry::Vacant(place) => place.insert(Known { on_the_way: true, asleep }),
            };
        }
        self.statistics.states += 1;
        if self.options.max_states.is_some_and(|most| state.is_none() || self.statistics.states >= most) {
            return Err(Outcome::StateLimit);
        }
        let threads = self.system.threads();
        let mut visit = Visit::new(state, asleep, busy, self.open.len(), threads);
        // (What can move is needed once more when it is taken: only the first is kept.)
        while self.open.len() == visit.open
            && let Some(thread) = visit.next_thread()
        {
            feasible_variants(self.system, thread, &mut self.open);
            visit.taken = (self.open.len() > visit.open).then_some(thread);
        }
        self.open[visit.open..].reverse();
        let none_awake = self.open.len() == visit.open;
        if none_awake && asleep.is_empty() {
            let (ending, findings) = self.system.ending();
            self.end(ending, findings)?;
        } else {
            // (At the end nobody can tell any more whether threads were stuck before the process ended.)
            let stuck = self.system.stuck(Rest::ToBeSeen);
            self.report_all(stuck)?;
            if none_awake {
                if busy.is_empty() {
                    self.look_for_livelocks()?;
                }
                self.all_asleep()?;
            } else if too_long {
                self.left_out = true;
                self.open.truncate(visit.open);
                (visit.next, visit.taken) = (visit.end, None);
            }
        }
        self.path.push(visit);
        Ok(true)
    }

    /// Those of these threads that the action did not wake.
    fn still_asleep(&mut self, asleep: Threads, action: &Accesses) -> Threads {
        let mut still = asleep;
        for thread in asleep.iter() {
            self.variants.clear();
            feasible_variants(self.system, thread, &mut self.variants);
            if !sleeps_on(&self.variants, action) {
                still = still.without(thread);
            }
        }
        still
    }

    /// In a state that comes again: does nothing ever happen behind it but that threads spin?
    fn look_for_livelocks(&mut self) -> Result<(), Outcome> {
        if !self.system.looks_for_livelocks() {
            return Ok(());
        }
        self.listener.phase(Phase::Livelocks);
        let spinning = spinning(self.system);
        self.listener.phase(Phase::Walk);
        let spinning = match spinning {
            Ok(spinning) => spinning,
            Err(Unclear::Restart) => return Err(Outcome::Restart),
            Err(Unclear::TooMany) => return self.listener.unknown(Unclear::REASON.to_owned()).go_on(),
        };
        if spinning.is_empty() {
            return Ok(());
        }
        let findings = self.system.stuck(Rest::Seen(&spinning));
        self.report_all(findings)
    }

    /// All that can move is asleep.
    fn all_asleep(&mut self) -> Result<(), Outcome> {
        self.statistics.blocked += 1;
        self.within_limit()
    }

    /// An execution has come to its end, or to a known state.
    fn end(&mut self, ending: Ending, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        match ending {
            Ending::Pruned => self.statistics.pruned += 1,
            Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
        }
        self.report_all(findings)?;
        self.listener.execution(self.system, ending, &self.schedule).go_on()?;
        self.within_limit()
    }

    fn within_limit(&self) -> Result<(), Outcome> {
        if Some(self.statistics.ends()) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }

    fn report_all(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        if let Some(reason) = findings.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        findings.faults.into_iter().try_for_each(|fault| self.listener.violation(fault, self.schedule.clone()).go_on())
    }

    fn report(&mut self, step: Step<S::Fault>) -> Result<(), Outcome> {
        self.report_all(Findings { faults: step.fault.into_iter().collect(), unknown: step.unknown })
    }
}

impl Visit {
    /// The first one.
    fn new(state: Option<u128>, asleep: Threads, busy: Threads, open: usize, threads: u32) -> Self {
        let left_out = asleep;
        Visit { state, first: true, next: 0, end: threads, left_out, taken: None, open, asleep, busy, is_busy: true }
    }

    /// One more, at which these threads are taken.
    fn again(state: u128, asleep: Threads, woken: Threads, busy: Threads, open: usize) -> Self {
        let (left_out, end) = (Threads::all().minus(woken), Threads::MOST);
        let visit = Visit::new(Some(state), asleep, busy, open, end);
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

    /// The next thread to be taken, if it can move.
    fn next_thread(&mut self) -> Option<ThreadId> {
        while self.next < self.end {
            let thread = ThreadId(self.next);
            self.next += 1;
            if !self.left_out.contains(thread) {
                self.is_busy = true;
                return Some(thread);
            }
        }
        None
    }
}
