//! Engines beside the usual one, in turns with one processor, side by side with several.
//!
//! Which engine a program suits is seen by exploring it: one has few states and millions of executions, another one few
//! executions and millions of states, a third one so many events in conflict, or so many writes that nobody reads, that
//! sequences are the better way. So the usual engine begins, and soon others explore the program too, from its start.
//! The first certain answer counts.
//!
//! Each has a machine of its own, which knows what explorations have learned by then, and hears of nothing but its own
//! listener ([`guest`]). It ends with one of three results. *Everything was explored and nothing is wrong*: the program
//! is safe, for the reason for which it is with that engine alone. *Something is wrong*: that is confirmed as ever, and
//! the exploration starts again with that engine, for a shorter way to it. *Neither*: the usual engine goes on where it
//! was.
//!
//! **In turns.** A round begins when the usual engine has taken [`ROUND`] actions, and then whenever it has taken a
//! quarter more. In it each of the others goes on, from where it was, until it has taken as many; `states` takes part
//! after [`FIRST`] actions, and gets a quarter as long as it saves nothing. If cutoffs save the usual engine next to
//! nothing, it is the one that gets a quarter: `observers` goes on until it has taken four times as many; sixteen times
//! if there has been no cutoff at all, for then the usual engine explores all executions. Each has a thread of its own,
//! but one of them goes on at a time, and all is counted in actions: a run is the same every time. (What `observers`
//! does to find races counts as well.)
//!
//! Small programs are answered by who does with fewer executions. If the usual engine has explored everything, the
//! round is played to its end, and another engine answers that does with as many actions and fewer executions. If
//! another one says that a program is safe, with few actions, the usual one goes on to four times as many, or until it
//! has as many executions.
//!
//! **Side by side.** At the time of the first turn of `states`, or somewhat later ([`Patience`]), each has a processor
//! of its own, and goes on without waiting; `observers` gets all that are left, as it can divide its work. Where there
//! are too few processors, that with the fewest actions so far goes on until it has twice as many as it had. Which of
//! them answers is a matter of time then. The answer is not: each is certain.
//!
//! They take memory that the usual engine may need. So all end when it is short ([`Shared::is_crowded`]).
mod allowance;
mod companion;
mod guest;
#[cfg(test)]
mod tests;

use super::PATIENCE;
use super::findings::Shared;
use crate::request::{Patience, Request, Workers};
use companion::Companion;
use interp::Machine;
use interp::fault::Fault;
use por::jobs::divides;
use por::{Engine, Move, Options, Reduction};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Actions of the usual engine before the first round.
const ROUND: u64 = 64;

/// Actions of the usual engine before `states` explores beside it, or anything does on another processor.
const FIRST: u64 = 100_000;

/// Actions up to which a program is small.
const SMALL: u64 = 10_000;

/// How many times as many actions the usual engine may take of a small program to do with fewer executions.
const PATIENT: u64 = 4;

/// An engine that saves nothing so far gets one action while the others get so many.
const QUARTER: u64 = 4;

/// States that are kept without much ado.
pub(super) const MANY: u64 = 4_000_000;

/// About how many bytes a state takes, with the way to it.
const BYTES: u64 = 64;

/// Actions of one execution after which `observers` gives up beside the usual engine: it may have no end.
const LONG: u64 = 20_000;

/// What the usual engine has done so far.
#[derive(Clone, Copy)]
pub(super) struct Done {
    pub(super) actions: u64,
    /// Executions of all kinds.
    pub(super) executions: u64,
    pub(super) cutoffs: u64,
}

impl Done {
    /// How many times as many actions an engine without cutoffs gets, which may well do with as few executions if
    /// cutoffs end few of them.
    fn share_without_cutoffs(self) -> u64 {
        match self {
            Done { actions: ..SMALL, .. } => 1,
            Done { cutoffs: 0, .. } => QUARTER * QUARTER,
            Done { cutoffs, executions, .. } if cutoffs < executions / 8 => QUARTER,
            _ => 1,
        }
    }
}

impl From<&por::Statistics> for Done {
    fn from(counters: &por::Statistics) -> Self {
        Done { actions: counters.steps, executions: counters.pass_ends(), cutoffs: counters.cutoffs }
    }
}

/// What explores beside the usual engine.
pub(super) struct Beside {
    companions: Vec<Companion>,
    /// Actions of the usual engine before the next round.
    due: u64,
    /// How many processors there are for the companions, and from when on.
    processors: usize,
    patience: Patience,
    begin: Instant,
    /// Most of them that were in use at a time.
    used: usize,
    /// That a small program is safe, unless the usual engine does with fewer executions.
    so_far: Option<SoFar>,
    shared: Arc<Shared>,
}

/// An answer that waits for a better one.
struct SoFar {
    answer: Answer,
    /// How many executions of all kinds there were.
    executions: u64,
    /// Until the usual engine has taken so many actions.
    patience: u64,
}

/// An answer, and the engine that has it.
pub(super) struct Answer {
    /// The engine.
    pub engine: Engine,
    /// What it has found.
    pub found: Found,
}

/// What came of an exploration.
pub(super) enum Found {
    /// Everything was explored, and nothing is wrong. (The machine has done it.)
    Safe(Box<(Machine, por::Statistics)>),
    /// Something is: the machine that has met it, and the way to it.
    Bug(Box<(Machine, Fault, Vec<Move>)>),
}

impl Beside {
    /// For what is asked for, unless only one engine is to explore it. (What is suppressed must be told from what is
    /// not, which the recorder does.)
    pub(super) fn new(request: &Request, shared: Arc<Shared>) -> Option<Self> {
        if !request.others_beside || !request.suppressions.is_empty() {
            return None;
        }
        let asked = &request.exploration;
        let most = request.limits.memory.map_or(MANY, |memory| MANY.min(memory / 8 / BYTES));
        let observers = sequences(&Options { max_depth: LONG.min(asked.max_depth), ..asked.clone() }, OBSERVERS);
        let companions = vec![Companion::new(observers, ROUND), Companion::new(states(asked, most), FIRST)];
        Some(Self::of(companions, request.workers, shared))
    }

    /// These, if what is asked for may have so many processors in all.
    fn of(mut companions: Vec<Companion>, workers: Workers, shared: Arc<Shared>) -> Self {
        // (One that divides its work comes last, and gets what is left.)
        companions.sort_by_key(|companion| divides(companion.engine()));
        let Workers { most, patience, .. } = workers;
        let (processors, begin) = (most - 1, Instant::now());
        Beside { companions, due: ROUND, processors, patience, begin, used: 0, so_far: None, shared }
    }

    /// How many processors it has used at a time beside that of the usual engine.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Whether it may use any.
    pub(super) fn may_use_processors(&self) -> bool {
        self.processors > 0
    }

    /// The answer, if there is one after what the usual engine has done. The machine was not started.
    pub(super) fn answer(&mut self, pristine: &Machine, done: Done) -> Option<Answer> {
        let Done { actions, executions, .. } = done;
        if let Some(so_far) = &self.so_far {
            let is_best = executions >= so_far.executions || actions >= so_far.patience;
            return self.so_far.take_if(|_| is_best).map(|so_far| so_far.answer);
        }
        if self.shared.is_crowded.load(Ordering::Relaxed) {
            self.end();
        }
        if self.is_side_by_side(actions) {
            let found = self.companions.iter_mut().find_map(|one| Some((one.engine(), one.answer()?)));
            if found.is_none() {
                self.use_processors(pristine);
            }
            return self.ends_with(found);
        }
        if actions < self.due {
            return None;
        }
        self.due = actions + actions / 4;
        let answer = self.round(pristine, done, false)?;
        match &answer.found {
            Found::Safe(answered) if actions < SMALL && answered.1.pass_ends() > executions => {
                let executions = answered.1.pass_ends();
                self.so_far = Some(SoFar { answer, executions, patience: PATIENT * actions });
                None
            }
            _ => Some(answer),
        }
    }

    /// The answer, if there is one when the usual engine has explored everything with what it has done.
    pub(super) fn better_answer(&mut self, pristine: &Machine, done: Done) -> Option<Answer> {
        let Done { actions, executions, .. } = done;
        if let Some(so_far) = self.so_far.take() {
            return (so_far.executions < executions).then_some(so_far.answer);
        }
        if executions < 2 || self.is_side_by_side(actions) || self.shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.round(pristine, done, true).filter(|answer| match &answer.found {
            Found::Safe(answered) => answered.1.pass_ends() < executions,
            Found::Bug(_) => true,
        })
    }

    /// Lets each go on until it has taken its share of actions, one after the other; in the last round only who may do
    /// with fewer executions.
    fn round(&mut self, pristine: &Machine, done: Done, is_last: bool) -> Option<Answer> {
        let actions = done.actions;
        let mut found = None;
        for one in &mut self.companions {
            let takes_part = if is_last { divides(one.engine()) } else { one.first <= actions };
            if !takes_part || !one.may_answer() {
                continue;
            }
            let share = match divides(one.engine()) {
                true if !is_last => actions.saturating_mul(done.share_without_cutoffs()),
                _ if one.saves() => actions,
                _ => actions / QUARTER,
            };
            one.grant(Some(share), 1, pristine, &self.shared);
            found = one.wait().map(|found| (one.engine(), found));
            if found.is_some() {
                break;
            }
        }
        self.ends_with(found)
    }

    fn ends_with(&mut self, found: Option<(Engine, Found)>) -> Option<Answer> {
        let (engine, found) = found?;
        self.end();
        Some(Answer { engine, found })
    }

    /// Whether they have processors of their own, after so many actions of the usual engine.
    fn is_side_by_side(&self, actions: u64) -> bool {
        let is_due = || match self.patience {
            Patience::None => true,
            Patience::Moment => actions >= FIRST,
            Patience::Long => actions >= FIRST && self.begin.elapsed() >= PATIENCE,
        };
        self.processors > 0 && (self.used > 0 || is_due())
    }

    /// Lets those go on for which there are processors.
    fn use_processors(&mut self, pristine: &Machine) {
        loop {
            let in_use: usize = self.companions.iter().map(Companion::in_use).sum();
            let free = self.processors.saturating_sub(in_use);
            let idle = self.companions.iter().filter(|one| one.is_idle()).count();
            let next = self.companions.iter_mut().filter(|one| one.is_idle()).min_by_key(|one| one.granted);
            self.used = self.used.max(in_use);
            let Some(next) = next.filter(|_| free > 0) else { return };
            let processors = next.most_processors(pristine, free - (idle - 1).min(free - 1));
            let most = (free < idle).then(|| next.granted.max(FIRST).saturating_mul(2));
            next.grant(most, processors, pristine, &self.shared);
        }
    }

    /// No answer is needed any more: nobody waits until all have ended.
    pub(super) fn dismiss(&self) {
        self.companions.iter().for_each(Companion::dismiss);
    }

    /// No answer is needed any more.
    pub(super) fn end(&mut self) {
        self.dismiss();
        self.companions.iter_mut().for_each(Companion::end);
    }

    /// The usual engine begins with another layout of memory. What was explored so far says nothing of that.
    pub(super) fn begin_anew(&mut self) {
        self.dismiss();
        self.companions.iter_mut().for_each(Companion::begin_anew);
        (self.due, self.so_far) = (ROUND, None);
    }
}

const OBSERVERS: Engine = Engine::Dpor(Reduction::Observers);

/// An exploration of so many states at most.
pub(super) fn states(asked: &Options, most: u64) -> Options {
    Options { engine: Engine::States, max_states: Some(most), ..alone(asked) }
}

/// An exploration by an engine that explores sequences.
pub(super) fn sequences(asked: &Options, engine: Engine) -> Options {
    Options { engine, ..alone(asked) }
}

/// An exploration by `optimal`.
pub(super) fn optimal(asked: &Options) -> Options {
    sequences(asked, Engine::Dpor(Reduction::Optimal))
}

/// Without what only the unfolding has.
fn alone(asked: &Options) -> Options {
    Options { cutoffs: None, prefix: None, verify_states: None, ..asked.clone() }
}
