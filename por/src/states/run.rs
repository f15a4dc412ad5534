//! What both orders of visiting states have in common: acting, meeting states, telling what is wrong.
use super::sleep::{Threads, depend, sleeps_on};
use super::table::{Known, Table};
use crate::spinning::{Busy, Unclear, spinning_with};
use crate::system::{Accesses, Decisions, Ending, Findings, Livelocks, Move, Rest, Step, ThreadId, Variant};
use crate::{Listener, Options, Outcome, Phase, Statistics, feasible_variants};

/// An exploration.
pub(crate) struct Run<'a, S: Livelocks + Decisions, O> {
    pub(crate) system: &'a mut S,
    pub(crate) options: &'a Options,
    pub(crate) listener: &'a mut O,
    pub(crate) known: Table,
    /// The way to the current state.
    pub(crate) schedule: Vec<Move>,
    pub(crate) statistics: Statistics,
    /// What threads do that do not spin.
    busy: Busy,
    /// Scratch.
    variants: Vec<Variant>,
}

/// What a state is that a way has led to.
pub(crate) enum Met {
    /// It is new.
    New,
    /// It was known, and there is nothing more to be taken.
    Known,
    /// It was known, and not all that was never taken from there sleeps now.
    Woken {
        /// What still does.
        asleep: Threads,
        /// What does not.
        woken: Threads,
    },
}

impl<'a, S: Livelocks + Decisions, O: Listener<S>> Run<'a, S, O> {
    pub(crate) fn new(system: &'a mut S, options: &'a Options, listener: &'a mut O) -> Self {
        let (known, schedule, statistics, variants) =
            (Table::new(options.state_bits), Vec::new(), Statistics::default(), Vec::new());
        Run { system, options, listener, known, schedule, statistics, busy: Busy::default(), variants }
    }

    /// The counts.
    pub(crate) fn finish(mut self) -> Statistics {
        self.statistics.work.states = self.statistics.states;
        self.note_bytes(0);
        self.statistics
    }

    /// Notes how large the tables are, besides that many bytes.
    pub(crate) fn note_bytes(&mut self, more: usize) {
        let bytes = (self.known.bytes() + more) as u64;
        self.statistics.work.most_bytes = self.statistics.work.most_bytes.max(bytes);
    }

    pub(crate) fn start(&mut self) -> Result<(), Outcome> {
        self.system.follow_states();
        let first = self.system.start();
        if first.restart {
            return Err(Outcome::Restart);
        }
        self.report(first)
    }

    /// Takes an action. Returns the thread that it has created.
    pub(crate) fn take(&mut self, thread: ThreadId, label: u32) -> Result<Option<ThreadId>, Outcome> {
        if self.schedule.len() as u64 >= self.options.max_depth {
            return Err(Outcome::DepthLimit);
        }
        let step = self.act(Move { thread, label });
        let statistics = &mut self.statistics;
        statistics.events += 1;
        statistics.depth = statistics.depth.max(self.schedule.len() as u64);
        statistics.threads = statistics.threads.max(self.system.threads());
        if step.restart {
            return Err(Outcome::Restart);
        }
        let created = step.created;
        self.report(step)?;
        self.poll()?;
        Ok(created)
    }

    /// Takes an action to see how its thread goes on. What is wrong with it is told where the search takes it.
    pub(crate) fn try_out(&mut self, thread: ThreadId, label: u32) -> Result<Option<ThreadId>, Outcome> {
        self.system.mark();
        let step = self.system.execute(thread, label);
        if step.restart { Err(Outcome::Restart) } else { Ok(step.created) }
    }

    /// Goes back to before that.
    pub(crate) fn take_back(&mut self) {
        self.system.undo();
    }

    fn act(&mut self, next: Move) -> Step<S::Fault> {
        self.listener.phase(Phase::System);
        self.system.mark();
        let step = self.system.execute(next.thread, next.label);
        self.listener.phase(Phase::Walk);
        self.schedule.push(next);
        self.statistics.steps += 1;
        step
    }

    fn poll(&mut self) -> Result<(), Outcome> {
        if self.statistics.is_poll_due() {
            self.listener.poll(self.system, &self.statistics).go_on()?;
        }
        Ok(())
    }

    /// Takes an action that was taken before from this state.
    pub(crate) fn take_again(&mut self, next: Move) -> Result<(), Outcome> {
        self.act(next);
        self.poll()
    }

    pub(crate) fn go_back(&mut self) {
        self.listener.phase(Phase::System);
        self.system.undo();
        self.schedule.pop();
        self.listener.phase(Phase::Walk);
    }

    /// The fingerprint of the current state.
    pub(crate) fn state(&mut self) -> Option<u128> {
        self.listener.phase(Phase::Cutoffs);
        let state = self.system.state();
        if self.options.verify_states.is_some_and(|most| self.statistics.steps < most) {
            let whole = self.system.state_from_scratch();
            assert!(state == whole, "the fingerprint of a state is not what its parts add up to");
        }
        self.listener.phase(Phase::Walk);
        self.fetch(state);
        state
    }

    /// It will be asked soon what is known of that state.
    #[inline]
    pub(crate) fn fetch(&self, state: Option<u128>) {
        if let Some(state) = state {
            self.known.fetch(state);
        }
    }

    /// Whether the current state is known. From now on it is: with these asleep, and on the way or not. Beside that,
    /// what was known of it.
    pub(crate) fn meet(&mut self, state: Option<u128>, asleep: Threads, on_the_way: bool) -> (Met, Known) {
        let new = Known { on_the_way, leads_out: false, asleep };
        let known = state.and_then(|state| self.known.meet(state, new));
        let Some(known) = known else { return (Met::New, Known { on_the_way: false, ..new }) };
        let (asleep, woken) = (known.asleep.and(asleep), known.asleep.minus(asleep));
        (if woken.is_empty() { Met::Known } else { Met::Woken { asleep, woken } }, known)
    }

    /// This is known now of the state that was met.
    pub(crate) fn wake(&mut self, state: Option<u128>, known: Known) {
        self.statistics.work.visits_again += 1;
        self.known.change(state.expect("a known state has a fingerprint"), known);
    }

    /// Counts a new state.
    pub(crate) fn count(&mut self, state: Option<u128>) -> Result<(), Outcome> {
        self.statistics.states += 1;
        let is_last = |most| state.is_none() || self.statistics.states >= most;
        if self.options.max_states.is_some_and(is_last) { Err(Outcome::StateLimit) } else { Ok(()) }
    }

    /// Looks at a new state in which nobody can move.
    pub(crate) fn visit_end(&mut self) -> Result<(), Outcome> {
        let (ending, findings) = self.system.ending();
        self.end(ending, findings)
    }

    /// Looks at a new state in which somebody can move. (At the end nobody can tell any more whether threads were stuck
    /// before the process ended.)
    pub(crate) fn visit(&mut self) -> Result<(), Outcome> {
        let stuck = self.system.stuck(Rest::ToBeSeen);
        self.report_all(stuck)?;
        if self.system.may_be_released() { self.look_for_release() } else { Ok(()) }
    }

    /// Is any of the threads that wait for one another in the current state ever released?
    fn look_for_release(&mut self) -> Result<(), Outcome> {
        self.listener.phase(Phase::Livelocks);
        let comes = super::release::may_come(self.system);
        self.listener.phase(Phase::Walk);
        match comes {
            Ok(true) => Ok(()),
            Err(Unclear::Restart) => Err(Outcome::Restart),
            Ok(false) | Err(Unclear::TooMany) => {
                let stuck = self.system.stuck(Rest::Seen(&[]));
                self.report_all(stuck)
            }
        }
    }

    /// The way has led to a known state from which nothing more is to be taken.
    pub(crate) fn cut_off(&mut self) -> Result<(), Outcome> {
        self.statistics.cutoffs += 1;
        self.end(Ending::Cutoff, Findings::default())
    }

    /// Those of these threads that the action did not wake.
    pub(crate) fn still_asleep(&mut self, asleep: Threads, action: &Accesses) -> Threads {
        let mut still = asleep;
        for thread in asleep.iter() {
            // (Mostly nothing that it could do depends on the action. What it can do is the same then.)
            let operation = self.system.operation(thread).filter(|operation| !self.system.is_decision(operation));
            if operation.is_some_and(|it| !depend(&self.system.footprint(thread, it), action)) {
                continue;
            }
            self.variants.clear();
            feasible_variants(self.system, thread, &mut self.variants);
            if !sleeps_on(&self.variants, action) {
                still = still.without(thread);
            }
        }
        still
    }

    /// Does nothing ever happen behind the current state but that threads spin?
    pub(crate) fn look_for_livelocks(&mut self) -> Result<(), Outcome> {
        if !self.system.looks_for_livelocks() {
            return Ok(());
        }
        self.listener.phase(Phase::Livelocks);
        self.system.say_changes(true);
        let shared = self.system.shared();
        let spinning = spinning_with(self.system, shared.map(|shared| (shared, &mut self.busy)));
        self.system.say_changes(false);
        self.listener.phase(Phase::Walk);
        let spinning = match spinning {
            Ok(spinning) => spinning.unwrap_or_default(),
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
    pub(crate) fn all_asleep(&mut self) -> Result<(), Outcome> {
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
        findings.go_on()?;
        // (Mostly there are none.)
        if findings.unknown.is_none() && findings.faults.is_empty() {
            return Ok(());
        }
        if let Some(reason) = findings.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        findings.faults.into_iter().try_for_each(|fault| self.listener.violation(fault, self.schedule.clone()).go_on())
    }

    fn report(&mut self, step: Step<S::Fault>) -> Result<(), Outcome> {
        if step.unknown.is_none() && step.fault.is_none() {
            return Ok(());
        }
        self.report_all(Findings {
            faults: step.fault.into_iter().map(|fault| *fault).collect(),
            unknown: step.unknown,
            ..Findings::default()
        })
    }
}
