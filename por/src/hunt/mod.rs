//! Samples of schedules: bugs first, where there are too many schedules to explore.
//!
//! A hunt takes executions at random, by several [samplers](Sampler) in turn, on the same seam as the engines. It finds
//! bugs and proves nothing: it never says [`Outcome::Complete`]. A seed gives the same samples every time.
//!
//! **Where samples begin.** As long as a single thread can move in a single way nothing is drawn. That prologue is
//! executed once; each sample begins behind it and goes back there at its end, by undo. No sample begins further down,
//! at a node of an earlier one: priorities, weights and held threads are drawn for a whole execution, and what is said
//! of a sampler (the odds of a bug, uniformity) holds for executions that are drawn independently of one another.
//!
//! **Samplers.** The first [`FIRST`] samples reverse races one by one ([`directed`]), because most bugs need no more
//! than that; so preemptions come in order of their number, as in MQ07. After these the samplers take turns
//! ([`TURNS`]), so that every schedule is possible and the bounds of each hold for its own share of the samples.
//!
//! **Classes.** Samples that are the same but for the order of independent actions have one number ([`class`]). How
//! many classes were met once only says how much is still unseen: by Good and Turing (Good53), the next sample is of a
//! class that was not met before with odds of about (classes met once) / (samples). That holds for samples that are
//! drawn alike; so those of [`directed`] and [`bounded`] do not count there.
//!
//! **What learns.** Weights, lengths and races come from earlier samples. Where the system has learned something
//! ([`Step::restart`](crate::Step::restart)), as that a plain access races, the exploration starts again and the hunt
//! with it: counts of samples go on, what was known of objects does not.
mod board;
mod bounded;
mod class;
mod directed;
mod known;
mod past;
mod pct;
mod pos;
mod random;
mod sampler;
mod surw;

pub use sampler::Sampler;

use crate::explore::Outcome;
use crate::system::{Accesses, Decisions, Findings, Move, Places, Step, ThreadId};
use crate::{Listener, Statistics};
use board::Board;
use bounded::Bounded;
use class::Class;
use directed::Directed;
use known::Known;
use past::{Event, Races, numbered, past};
use random::Random;
use rustc_hash::FxHashMap;
use sampler::{Choice, Pick, fresh};

/// How many samples only reverse races.
pub const FIRST: u64 = 16;

/// The samplers of later samples, in turn.
pub const TURNS: [Sampler; 8] = [
    Sampler::Bounded,
    Sampler::Directed,
    Sampler::Surw,
    Sampler::Pos,
    Sampler::Bounded,
    Sampler::Directed,
    Sampler::Pct,
    Sampler::Walk,
];

/// How often the listener is asked whether to go on, in executed actions.
const POLL_INTERVAL: u64 = 1024;

/// What to sample with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HuntOptions {
    /// What the random numbers begin with.
    pub seed: u64,
    /// The longest sample, in actions; a longer one is given up, and says nothing.
    pub max_depth: u64,
    /// Until all schedules with so many preemptions were taken, most samples go by these.
    pub preemptions: Option<u32>,
    /// Only this sampler, instead of all in turn.
    pub only: Option<Sampler>,
}

impl Default for HuntOptions {
    fn default() -> Self {
        HuntOptions { seed: 0, max_depth: 10_000, preemptions: None, only: None }
    }
}

/// How long to go on: until either is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Samples.
    pub samples: u64,
    /// Actions of samples.
    pub steps: u64,
}

/// What samples have shown.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Samples {
    /// Samples begun, those included that were given up.
    pub samples: u64,
    /// Those that were given up because they got too long.
    pub too_long: u64,
    /// Actions executed.
    pub steps: u64,
    /// Different classes, of samples that came to an end since the exploration last started again.
    pub classes: u64,
    /// Samples that came to an end, but for those that reverse races or go by preemptions; and classes of which there
    /// was one only.
    pub drawn: u64,
    /// See [`Samples::drawn`].
    pub met_once: u64,
    /// All schedules with at most so many preemptions were taken, but for the order of independent actions.
    pub preemptions: Option<u32>,
    /// All schedules at all were; nothing more is sampled then.
    pub is_exhausted: bool,
    /// The sampler of the current sample, or of the last one.
    pub sampler: Option<Sampler>,
}

impl Samples {
    /// The odds that one more sample is of a class that was not met: Good and Turing's estimate. `None` if there are
    /// too few samples to say.
    pub fn unseen(&self) -> Option<f64> {
        (self.drawn > 0).then(|| self.met_once as f64 / self.drawn as f64)
    }
}

/// A hunt, which goes on where it was left.
#[derive(Debug)]
pub struct Hunt {
    options: HuntOptions,
    samples: Samples,
    random: Random,
    directed: Directed,
    bounded: Bounded,
    known: Known,
    /// How often each class was drawn; 0: it was met, but not by samples that are drawn alike.
    classes: FxHashMap<u128, u32>,
    /// The prologue, once it was executed; the system stands behind it.
    prologue: Option<Prologue>,
    board: Board,
    class: Class,
    events: Vec<Event>,
    races: Races,
    /// A sample has met something that is not modelled.
    has_met_unknown: bool,
}

/// How a sample ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Nothing can move.
    Maximal,
    /// What follows was seen already.
    Known,
    /// It was given up.
    TooLong,
}

/// What happens before anything is drawn.
#[derive(Debug)]
struct Prologue {
    class: Class,
    events: usize,
}

impl Hunt {
    /// Nothing was sampled yet.
    pub fn new(options: HuntOptions) -> Self {
        let seed = options.seed;
        Hunt {
            options,
            samples: Samples::default(),
            random: Random::new(seed),
            directed: Directed::new(seed ^ 0x6a09_e667_f3bc_c908),
            bounded: Bounded::default(),
            known: Known::default(),
            classes: FxHashMap::default(),
            prologue: None,
            board: Board::default(),
            class: Class::default(),
            events: Vec::new(),
            races: Races::default(),
            has_met_unknown: false,
        }
    }

    /// What samples have shown so far.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Samples a system that stands in its initial state, or was left by this hunt and by nobody else since.
    /// [`Outcome::ExecutionLimit`]: the budget is used up, or nothing is drawn in this system, or not before a sample is
    /// too long. After [`Outcome::Restart`], and
    /// after [`Outcome::Stopped`] if the system is to learn something, the hunt goes on with another one that stands in
    /// its initial state.
    pub fn go_on<S: Decisions + Places>(
        &mut self,
        system: &mut S,
        budget: Budget,
        listener: &mut impl Listener<S>,
    ) -> Outcome {
        let end = Budget {
            samples: self.samples.samples.saturating_add(budget.samples),
            steps: self.samples.steps.saturating_add(budget.steps),
        };
        let outcome = self.run(system, end, listener).err().unwrap_or(Outcome::ExecutionLimit);
        if outcome == Outcome::Restart {
            self.forget();
        }
        outcome
    }

    /// The system that comes next stands in its initial state, and knows more than the last one.
    pub fn forget(&mut self) {
        self.prologue = None;
        self.known = Known::default();
        self.directed = Directed::new(self.random.number());
        self.bounded = Bounded::default();
        (self.samples.preemptions, self.samples.is_exhausted) = (None, false);
        self.classes.clear();
        self.count_classes();
    }

    fn run<S: Decisions + Places>(
        &mut self,
        system: &mut S,
        end: Budget,
        listener: &mut impl Listener<S>,
    ) -> Result<(), Outcome> {
        if self.prologue.is_none() {
            self.begin(system, listener)?;
        }
        if self.prologue.as_ref().is_some_and(|prologue| prologue.events as u64 >= self.options.max_depth) {
            // (Nothing would be executed, for ever.)
            return Ok(());
        }
        while !self.samples.is_exhausted && self.samples.samples < end.samples && self.samples.steps < end.steps {
            // (If a sample is left in the middle, so is the system.)
            let prologue = self.prologue.take().expect("the prologue is over");
            self.class.clone_from(&prologue.class);
            self.events.truncate(prologue.events);
            self.board.clear();
            self.races.clear();
            system.mark();
            let draws = self.sample(system, listener)?;
            system.undo();
            self.prologue = Some(prologue);
            if !draws {
                self.samples.is_exhausted = !self.bounded.has_given_up();
                break;
            }
        }
        Ok(())
    }

    /// Executes the prologue.
    fn begin<S: Decisions + Places>(&mut self, system: &mut S, listener: &mut impl Listener<S>) -> Result<(), Outcome> {
        self.class.clear();
        self.events.clear();
        self.board = Board::default();
        self.races.clear();
        let step = system.start();
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.report::<S>(step, listener)?;
        loop {
            self.board.update(system);
            match *self.board.enabled() {
                [only]
                    if self.board.variants(only).len() == 1 && (self.events.len() as u64) < self.options.max_depth =>
                {
                    self.execute(system, listener, only, 0, &mut None)?;
                }
                _ => break,
            }
        }
        self.prologue = Some(Prologue { class: self.class.clone(), events: self.events.len() });
        Ok(())
    }

    /// Takes one sample; whether anything is drawn in it.
    fn sample<S: Decisions + Places>(
        &mut self,
        system: &mut S,
        listener: &mut impl Listener<S>,
    ) -> Result<bool, Outcome> {
        let Some(sampler) = self.next_sampler() else { return Ok(false) };
        self.samples.samples += 1;
        self.samples.sampler = Some(sampler);
        let mut random = Random::new(self.random.number());
        let mut bounded = None;
        let mut picker: Box<dyn Pick> = match (fresh(sampler, &self.known, &mut random), sampler) {
            (Some(picker), _) => picker,
            (None, Sampler::Bounded) => {
                bounded = Some(std::mem::take(&mut self.bounded));
                Box::new(sampler::Walk)
            }
            (None, _) => {
                let (held, numbers) = self.directed.next();
                random = numbers;
                Box::new(held)
            }
        };
        let picker = bounded.as_mut().map_or(&mut *picker, |bounded| bounded as &mut dyn Pick);
        for event in &self.events {
            event.created.iter().for_each(|&child| picker.created(event.step.thread, child, &mut random));
        }
        let first = self.events.len();
        let result = self.take(system, listener, picker, &mut random);
        if let Some(bounded) = bounded {
            self.bounded = bounded;
        }
        let end = result?;
        self.over(sampler, first, end);
        if end == End::Maximal {
            self.count(sampler);
        }
        Ok(end != End::Maximal || self.events.len() > first)
    }

    /// The sampler whose turn it is; `None` if all schedules were taken, as far as it can know.
    fn next_sampler(&mut self) -> Option<Sampler> {
        let number = self.samples.samples;
        let turn = |number: u64| TURNS[(number % TURNS.len() as u64) as usize];
        let wanted = self.options.only.unwrap_or_else(|| number.checked_sub(FIRST).map_or(Sampler::Directed, turn));
        let is_asked_for = |most| self.samples.preemptions.is_none_or(|taken| taken < most);
        let favours = self.options.preemptions.is_some_and(is_asked_for) && !self.bounded.has_given_up();
        let wanted = if favours && number >= FIRST && !number.is_multiple_of(8) { Sampler::Bounded } else { wanted };
        if wanted != Sampler::Bounded {
            return Some(wanted);
        }
        let begun = self.bounded.begin();
        self.samples.preemptions = self.bounded.complete();
        match begun {
            true => Some(Sampler::Bounded),
            // More than can be kept is left: that says nothing about the other samplers.
            false if !self.bounded.is_exhausted() && self.options.only.is_none() => Some(Sampler::Surw),
            false => None,
        }
    }

    /// Takes one sample to its end.
    fn take<S: Decisions + Places>(
        &mut self,
        system: &mut S,
        listener: &mut impl Listener<S>,
        picker: &mut dyn Pick,
        random: &mut Random,
    ) -> Result<End, Outcome> {
        loop {
            self.board.update(system);
            if self.board.enabled().is_empty() {
                break;
            }
            if self.events.len() as u64 >= self.options.max_depth {
                return Ok(End::TooLong);
            }
            let (thread, variant) = match picker.pick(&self.board, self.class.number(), random) {
                Choice::Thread(thread) => (thread, random.below(self.board.variants(thread).len() as u64) as usize),
                Choice::Variant(thread, variant) => (thread, variant),
                Choice::Leave => return Ok(End::Known),
            };
            let accesses = self.board.variants(thread)[variant].accesses;
            picker.executes(thread, &self.board, &accesses, random);
            self.execute(system, listener, thread, variant, &mut Some((picker, random)))?;
        }
        let (ending, findings) = system.ending();
        self.report_at_end(findings, listener)?;
        let schedule: Vec<Move> = self.events.iter().map(|event| event.step).collect();
        listener.execution(system, ending, &schedule).go_on()?;
        Ok(End::Maximal)
    }

    /// Counts a sample that came to its end.
    fn count(&mut self, sampler: Sampler) {
        let count = self.classes.entry(self.class.number()).or_default();
        if !matches!(sampler, Sampler::Directed | Sampler::Bounded) {
            self.samples.drawn += 1;
            *count += 1;
            match *count {
                1 => self.samples.met_once += 1,
                2 => self.samples.met_once -= 1,
                _ => {}
            }
        }
        self.samples.classes = self.classes.len() as u64;
    }

    /// What the sample has shown is known from now on.
    fn over(&mut self, sampler: Sampler, first: usize, end: End) {
        self.samples.too_long += u64::from(end == End::TooLong);
        if sampler == Sampler::Bounded && (end == End::TooLong || self.has_met_unknown) {
            self.bounded.give_up();
        }
        let events = &self.events[first..];
        let touched = |event: &Event| {
            let thread = event.step.thread;
            event.accesses.iter().map(|access| (thread, access.object)).collect::<Vec<_>>()
        };
        self.known.sampled(events.len() as u64, events.iter().flat_map(touched));
        if sampler == Sampler::Directed {
            let races = std::mem::take(&mut self.races.met);
            self.directed.shows(races);
        }
    }

    fn count_classes(&mut self) {
        self.samples.classes = self.classes.len() as u64;
        (self.samples.drawn, self.samples.met_once) = (0, 0);
    }

    /// Executes a variant of what the thread stands before.
    fn execute<S: Decisions + Places>(
        &mut self,
        system: &mut S,
        listener: &mut impl Listener<S>,
        thread: ThreadId,
        variant: usize,
        pick: &mut Option<(&mut (dyn Pick + '_), &mut Random)>,
    ) -> Result<(), Outcome> {
        let variant = &self.board.variants(thread)[variant];
        let (label, accesses): (u32, Accesses) = (variant.label, variant.accesses);
        let stands = (thread, self.board.place(thread));
        let known = &mut self.known;
        self.races.executes(system, stands, self.board.footprint(thread), &accesses, |object| known.races(object));
        let step = system.execute(thread, label);
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.board.executed(thread, &accesses);
        self.class.add(thread, label, &accesses, step.created);
        self.events.push(Event { step: Move { thread, label }, accesses, created: step.created });
        if let Some(child) = step.created {
            self.known.creates(thread, child);
            if let Some((pick, random)) = pick {
                pick.created(thread, child, random);
            }
        }
        self.samples.steps += 1;
        self.report::<S>(step, listener)?;
        if self.samples.steps.is_multiple_of(POLL_INTERVAL) {
            let statistics = Statistics { steps: self.samples.steps, ..Statistics::default() };
            listener.poll(system, &statistics).go_on()?;
        }
        Ok(())
    }

    /// Tells the listener what the last event has found.
    fn report<S: Decisions + Places>(
        &mut self,
        step: Step<S::Fault>,
        listener: &mut impl Listener<S>,
    ) -> Result<(), Outcome> {
        if let Some(reason) = step.unknown {
            self.has_met_unknown = true;
            listener.unknown(reason).go_on()?;
        }
        let Some(fault) = step.fault else { return Ok(()) };
        self.tell::<S>(*fault, self.events.len().checked_sub(1), listener)
    }

    fn tell<S: Decisions + Places>(
        &self,
        fault: S::Fault,
        event: Option<usize>,
        listener: &mut impl Listener<S>,
    ) -> Result<(), Outcome> {
        let involved = S::involved(&fault);
        let involved = involved.iter().filter_map(|&(thread, count)| numbered(&self.events, thread, count));
        let schedule = past(&self.events, event.into_iter().chain(involved));
        listener.violation(fault, schedule).go_on()
    }

    /// The same at the end: what is wrong then comes after all events, or after the past of what it involves.
    fn report_at_end<S: Decisions + Places>(
        &mut self,
        findings: Findings<S::Fault>,
        listener: &mut impl Listener<S>,
    ) -> Result<(), Outcome> {
        if let Some(reason) = findings.unknown {
            self.has_met_unknown = true;
            listener.unknown(reason).go_on()?;
        }
        for fault in findings.faults {
            if S::involved(&fault).is_empty() {
                let schedule = self.events.iter().map(|event| event.step).collect();
                listener.violation(fault, schedule).go_on()?;
            } else {
                self.tell::<S>(fault, None, listener)?;
            }
        }
        Ok(())
    }
}
