//! States in depth: from a state that is new on to those behind it, then back.
use super::future::Futures;
use super::run::{Met, Run};
use super::sleep::Threads;
use super::table::{Known, Table};
use crate::system::{Accesses, Decisions, Livelocks, ThreadId, Variant};
use crate::{Listener, Outcome, feasible_variants};

/// How much longer ways may get in the next pass.
const GROWTH: u64 = 64;

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions, O: Listener<S>>(run: &mut Run<'_, S, O>) -> Result<(), Outcome> {
    run.start()?;
    let bound = run.options.short_ways;
    let futures = Futures::new(!run.options.persistent_sets);
    let mut depth = Depth { run, path: Vec::new(), open: Vec::new(), bound, left_out: false, futures };
    depth.look_ahead()?;
    loop {
        depth.futures.settle();
        depth.futures.start(depth.run.system);
        let ended = depth.pass();
        depth.note_bytes();
        ended?;
        if depth.futures.grown {
            depth.begin_pass();
        } else if depth.left_out {
            depth.lengthen();
            depth.begin_pass();
        } else {
            return Ok(());
        }
    }
}

/// How many executions show at first how threads go on, and how long they are at most.
const EXAMPLES: (u32, u32) = (5, 600);

/// A visit to a state on the way.
struct Visit {
    /// Its fingerprint, if it has one.
    state: Option<u128>,
    /// It is the first one to that state.
    first: bool,
    /// The threads that are still to be taken here are `next` and those behind it, before `end`, but for those in
    /// `left_out`.
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
    /// Whether the last action that was taken here did.
    last_changed: bool,
    /// Whether any did, here or in a state that this one leads to and that was left.
    leads_out: bool,
    /// A circle was closed here of actions that did not.
    circle: bool,
    /// Threads of which all was taken at this visit.
    done: Threads,
    /// Only some of the threads are taken, unless all that is taken leads to states on the way.
    persistent: bool,
    /// Something was taken that does not.
    progressed: bool,
    /// Something was taken after which what others do counts no more.
    is_end: bool,
    /// Where threads stood before the next action, see [`Futures::mark`].
    stood: usize,
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
    /// What threads may still touch.
    futures: Futures,
}

impl<S: Livelocks + Decisions, O: Listener<S>> Depth<'_, '_, S, O> {
    /// Lets ways get longer.
    fn lengthen(&mut self) {
        let longer = self.bound.saturating_mul(GROWTH);
        // (The last one meets the limit itself.)
        self.bound = if longer < self.run.options.max_depth { longer } else { u64::MAX };
    }

    fn begin_pass(&mut self) {
        self.left_out = false;
        self.run.known = Table::new(self.run.options.state_bits);
        let statistics = &mut self.run.statistics;
        tracing::debug!(states = statistics.states, actions = statistics.steps, bound = self.bound, "another pass");
        statistics.work.earlier = statistics.ends();
        (statistics.executions, statistics.pruned, statistics.cutoffs, statistics.blocked) = (0, 0, 0, 0);
        (statistics.states, statistics.events) = (0, 0);
        statistics.work.passes += 1;
    }

    fn note_bytes(&mut self) {
        let path = self.path.capacity() * size_of::<Visit>() + self.open.capacity() * size_of::<Variant>();
        self.run.note_bytes(path);
    }

    /// Executes some executions at random, to learn how threads go on.
    fn look_ahead(&mut self) -> Result<(), Outcome> {
        let (examples, most) = EXAMPLES;
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..examples {
            self.futures.start(self.run.system);
            let mut length = 0;
            while length < most && !self.futures.is_off() {
                let threads = self.run.system.threads();
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let first = (random >> 33) as u32 % threads;
                let mut variants = Vec::new();
                let next = (0..threads).map(|turn| ThreadId((first + turn) % threads)).find(|thread| {
                    feasible_variants(self.run.system, *thread, &mut variants);
                    !variants.is_empty()
                });
                let Some(thread) = next else { break };
                let variant = &variants[(random >> 48) as usize % variants.len()];
                let created = self.run.try_out(thread, variant.label);
                length += 1;
                match created {
                    Ok(created) => self.futures.step(self.run.system, thread, created),
                    Err(outcome) => return Err(outcome),
                }
            }
            (0..length).for_each(|_| self.run.take_back());
        }
        Ok(())
    }

    /// Visits every state that ways of this pass lead to; or comes to the start again, since futures have grown.
    fn pass(&mut self) -> Result<(), Outcome> {
        let state = self.run.state();
        self.arrive(state, Threads::default(), Threads::default(), &Accesses::none())?;
        while !self.path.is_empty() {
            if self.futures.grown {
                (1..self.path.len()).for_each(|_| self.run.go_back());
                self.path.clear();
                self.open.clear();
                return Ok(());
            }
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
            if visit.begin_next(self.run.system, &mut self.open).is_none() {
                // (See `future`: the proviso.)
                if !visit.persistent || visit.progressed && !visit.is_end {
                    return None;
                }
                visit.take_all();
            }
        }
        Some((visit.taken?, self.open.pop()?))
    }

    /// Goes back from a state of which all was taken that had to be.
    fn leave(&mut self) -> Result<(), Outcome> {
        let visit = self.path.last().expect("only a state on the way is left");
        // (See `sleep`, cases 1 and 3.)
        let leads_out = visit.leads_out || !visit.busy.is_empty();
        if (visit.circle || !visit.first) && !leads_out {
            self.run.look_for_livelocks()?;
        }
        let visit = self.path.pop().expect("it was there");
        if let Some(state) = visit.state.filter(|_| visit.first) {
            self.run.known.leave(state, leads_out);
        }
        if let Some(before) = self.path.last_mut() {
            before.leads_out |= leads_out;
            // (It may be the next one that is left.)
            self.run.fetch(before.state);
            self.run.go_back();
            self.futures.go_back(before.stood);
        }
        Ok(())
    }

    fn take(&mut self, thread: ThreadId, variant: &Variant) -> Result<(), Outcome> {
        let was_over = self.run.system.is_over();
        let created = self.run.take(thread, variant.label)?;
        // (As early as can be: it is fetched from memory meanwhile.)
        let state = self.run.state();
        let is_end = !was_over && self.run.system.is_over();
        let visit = self.path.last_mut().expect("an action is taken in a state");
        visit.last_changed = self.run.system.changed_more_than_its_thread();
        visit.is_busy &= visit.last_changed;
        visit.leads_out |= visit.last_changed;
        visit.stood = self.futures.mark();
        visit.is_end |= is_end;
        let (asleep, busy, stood) = (visit.asleep.without(thread), visit.busy, visit.stood);
        self.futures.step(self.run.system, thread, created);
        let at = self.path.len() - 1;
        let (goes_on, circle) = self.arrive(state, asleep, busy, &variant.accesses)?;
        self.path[at].progressed |= !circle;
        if !goes_on {
            self.run.go_back();
            self.futures.go_back(stood);
        }
        Ok(())
    }

    /// Comes to the current state, which is that one, by that action, with these asleep before it. False: nothing is to
    /// be taken there, and the way ends here. The second flag says whether the state was on the way before.
    fn arrive(
        &mut self,
        state: Option<u128>,
        asleep: Threads,
        busy: Threads,
        action: &Accesses,
    ) -> Result<(bool, bool), Outcome> {
        let asleep = self.run.still_asleep(asleep, action);
        let busy = busy.and(asleep);
        let too_long = self.run.schedule.len() as u64 >= self.bound;
        let (met, known) = self.run.meet(state, asleep, true);
        let circle = known.on_the_way;
        if circle {
            self.note_circle(state);
        }
        if let Some(before) = self.path.last_mut() {
            before.leads_out |= known.leads_out;
        }
        match met {
            Met::New => {}
            Met::Woken { asleep, woken } if !too_long => {
                self.run.wake(state, Known { asleep, ..known });
                self.path.push(Visit::again(state, asleep, woken, busy, self.open.len()));
                return Ok((true, circle));
            }
            Met::Woken { .. } | Met::Known => {
                self.left_out |= matches!(met, Met::Woken { .. });
                self.run.cut_off()?;
                return Ok((false, circle));
            }
        }
        self.run.count(state)?;
        let mut visit = Visit::new(state, asleep, busy, self.open.len(), self.run.system.threads());
        self.choose(&mut visit);
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
            (visit.next, visit.taken, visit.persistent) = (visit.end, None, false);
        }
        self.path.push(visit);
        Ok((true, circle))
    }

    /// The last action has led to a state on the way. Was it a circle of actions none of which changes more than where
    /// its thread stands?
    fn note_circle(&mut self, state: Option<u128>) {
        let idle = self.path.iter_mut().rev().take_while(|visit| !visit.last_changed);
        if let Some(first) = idle.into_iter().find(|visit| visit.state == state) {
            first.circle = true;
        }
    }

    /// Chooses which threads are taken from a new state: as few as possible.
    fn choose(&mut self, visit: &mut Visit) {
        if self.futures.is_off() {
            return;
        }
        let threads = visit.end;
        let (run, futures) = (&mut self.run, &mut self.futures);
        let open = &mut self.open;
        let awake = (0..threads).map(ThreadId).filter(|thread| !visit.asleep.contains(*thread));
        // (Whether a thread can move is asked only of those that are needed for that.)
        let mut left: Vec<ThreadId> = awake.collect();
        while let Some((set, first)) = futures.smallest(threads, left.iter().copied()) {
            let ends_all = |thread| run.system.operation(thread).is_some_and(|it| run.system.ends_all(it));
            if set.count() < threads && !set.iter().any(ends_all) {
                feasible_variants(run.system, first, open);
                let can_move = open.len() > visit.open;
                open.truncate(visit.open);
                if can_move {
                    visit.left_out = Threads::all().minus(set).or(visit.asleep);
                    visit.persistent = true;
                    return;
                }
            }
            left.retain(|thread| *thread != first);
        }
    }
}

impl Visit {
    /// The first one.
    fn new(state: Option<u128>, asleep: Threads, busy: Threads, open: usize, threads: u32) -> Self {
        let left_out = asleep;
        Visit {
            state,
            first: true,
            next: 0,
            end: threads,
            left_out,
            taken: None,
            open,
            asleep,
            busy,
            is_busy: true,
            last_changed: false,
            leads_out: false,
            circle: false,
            done: Threads::default(),
            persistent: false,
            progressed: false,
            is_end: false,
            stood: 0,
        }
    }

    /// All threads are taken now that are awake, if they were not yet.
    fn take_all(&mut self) {
        self.persistent = false;
        self.next = 0;
        self.left_out = self.asleep.or(self.done);
    }

    /// One more, at which these threads are taken.
    fn again(state: Option<u128>, asleep: Threads, woken: Threads, busy: Threads, open: usize) -> Self {
        let (left_out, end) = (Threads::all().minus(woken), Threads::MOST);
        let visit = Visit::new(state, asleep, busy, open, end);
        Visit { first: false, left_out, ..visit }
    }

    /// All that the thread can do was taken.
    fn all_taken(&mut self, sleeps: bool) {
        let Some(thread) = self.taken.take() else { return };
        self.done.insert(thread);
        if !sleeps {
            return;
        }
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
