//! Samples of schedules, before the proof and beside it: bugs first, where there are too many schedules to explore.
//!
//! The proof has a machine of its own and hears nothing of the hunt, so that its counts are those that it would have
//! without. Samples are taken while it is asked whether to go on: for the first time after so much work that few
//! programs get there, and whenever that has doubled. They may do a small share of the work that the proof has done by
//! then. Work is actions and instructions, so that the same run takes the same samples on every machine.
//!
//! What a sample finds is confirmed as anything else is, on a machine that has learned what the one of the hunt has.
//! Places that race are promoted there too; then the hunt starts again. Threads that spin wait, which engines like
//! `unfolding` do not need but samples do: they would be all about who goes round how often.
//!
//! A sample proves nothing. That it meets something that is not modelled is told only if there is no proof: a proof
//! that is complete meets it as well.
use super::findings::Shared;
use super::recorder::Recorder;
use crate::report::{Reason, Sampling};
use crate::request::{self, Hunting};
use interp::Machine;
use interp::fault::Fault;
use por::hunt::{Budget, HuntOptions};
use por::{Errand, Flow, Listener, Move, Needs, Outcome, System as _};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Work after which samples are taken for the first time.
const FIRST: u64 = 60_000;

/// Work up to which the proof is quick.
const QUICK: u64 = 1_000_000;

/// Instructions that take as long as an action.
const INSTRUCTIONS: u64 = 500;

/// Work of samples between two times that the recorder hears of them, while others explore.
const MOMENT: u64 = 20_000;

/// Faults that are kept of one sample.
const MOST: usize = 100;

/// A hunt.
pub(super) struct Hunter {
    hunting: Hunting,
    samples: Option<u64>,
    /// So many preemptions are asked for: until then the hunt does as much as the proof.
    preemptions: Option<u32>,
    needs: Needs,
    /// Once it has begun: a machine that was never started, and one that has learned the same and stands behind the
    /// prologue.
    machines: Option<(Machine, Machine)>,
    hunt: por::hunt::Hunt,
    /// Work of machines that were used before.
    spent: u64,
    /// Work of the proof after which samples are taken next.
    due: u64,
    /// The bug that was found.
    found: Option<u64>,
}

impl Hunter {
    /// For a proof that needs this of the machine; `None` if there is to be no hunt.
    pub(super) fn new(asked: request::Hunt, needs: Needs) -> Option<Self> {
        let request::Hunt { hunting, samples, seed, preemptions } = asked;
        if hunting == Hunting::Off {
            return None;
        }
        let hunt = por::hunt::Hunt::new(HuntOptions { seed, preemptions, ..HuntOptions::default() });
        // (Whether blocks come again is part of what a schedule means.)
        let needs = Needs { waits: true, states: needs.states, ..Needs::default() };
        Some(Hunter { hunting, samples, preemptions, needs, machines: None, hunt, spent: 0, due: FIRST, found: None })
    }

    /// What samples have shown, for reports.
    pub(super) fn sampling(&self) -> Sampling {
        let samples = self.hunt.samples();
        Sampling {
            samples: samples.samples,
            classes: samples.classes,
            unseen: samples.unseen().filter(|_| samples.drawn >= ENOUGH),
            too_long: samples.too_long,
            preemptions: samples.preemptions,
            is_exhausted: samples.is_exhausted,
            found_by: self
                .found
                .map(|number| (number, samples.sampler.map_or("", |sampler| sampler.name()).to_owned())),
        }
    }
}

/// A hunt on its way. It knows nothing of the recorder, so others can tell that something meanwhile.
struct Outing {
    hunter: Hunter,
    /// Never started; it has learned what the other one has.
    pristine: Machine,
    /// It stands behind the prologue.
    machine: Machine,
    shared: Arc<Shared>,
}

/// What samples have shown.
struct Taken {
    outcome: Outcome,
    /// None was taken.
    nothing: bool,
    heard: Heard,
}

impl Outing {
    /// Work that was done, also on machines before this one.
    fn work(&self) -> u64 {
        self.hunter.spent + self.hunter.hunt.samples().steps + self.machine.instructions() / INSTRUCTIONS
    }

    fn samples(&self) -> u64 {
        self.hunter.hunt.samples().samples
    }

    fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Takes a sample.
    fn sample(&mut self) -> Taken {
        let before = self.samples();
        let one = Budget { samples: 1, steps: u64::MAX };
        let tells = self.hunter.hunting == Hunting::Only;
        let mut heard = Heard { shared: Arc::clone(&self.shared), tells, faults: Vec::new(), unknown: Vec::new() };
        let outcome = self.hunter.hunt.go_on(&mut self.machine, one, &mut heard);
        Taken { outcome, nothing: self.samples() == before, heard }
    }

    /// Takes samples until so much work is done in all, or for a moment, or until there is something to tell.
    fn sample_for_a_moment(&mut self, share: u64) -> Taken {
        let end = share.min(self.work() + MOMENT);
        loop {
            let taken = self.sample();
            if taken.says_something() || self.work() >= end || self.is_stopped() {
                return taken;
            }
        }
    }

    /// Samples of a moment, of as many as make so much work in all.
    fn errand(mut self, share: u64) -> Errand {
        Errand::new(move || {
            let taken = self.sample_for_a_moment(share);
            Back { outing: self, taken, share }
        })
    }
}

/// What came of an outing that was an errand.
struct Back {
    outing: Outing,
    taken: Taken,
    share: u64,
}

impl Taken {
    /// Whether anything else follows from it than that the next one can be taken.
    fn says_something(&self) -> bool {
        let Heard { faults, unknown, .. } = &self.heard;
        self.nothing || self.outcome != Outcome::ExecutionLimit || !faults.is_empty() || !unknown.is_empty()
    }
}

/// Fewer samples say nothing about what is unseen.
const ENOUGH: u64 = 20;

/// Whether a proof is to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// It is.
    Wanted,
    /// Samples are all that was asked for.
    None,
}

impl Recorder {
    /// The samples that come before the proof, or instead of it.
    pub(super) fn hunt_first(&mut self) -> Proof {
        let Some(Hunter { hunting, samples, .. }) = &self.hunter else { return Proof::Wanted };
        let (hunting, samples, started) = (*hunting, *samples, Instant::now());
        let enough = |outing: &Outing| samples.is_some_and(|most| outing.samples() >= most);
        match hunting {
            Hunting::First(time) => self.hunt_while(|outing| started.elapsed() < time && !enough(outing)),
            _ if samples.is_some() => self.hunt_while(|outing| !enough(outing)),
            _ => {}
        }
        if hunting != Hunting::Only {
            return Proof::Wanted;
        }
        let hunter = self.hunter.take();
        if let Some((_, machine)) = hunter.as_ref().and_then(|hunter| hunter.machines.as_ref()) {
            self.publish(machine, &por::Statistics::default());
        }
        if !self.is_shortening() {
            self.note(Reason::OnlySampled(hunter.map_or(0, |hunter| hunter.hunt.samples().samples)));
        }
        Proof::None
    }

    /// Called while the proof goes on, which has done so much on this machine: the samples that are due.
    pub(super) fn hunt_beside(&mut self, machine: &Machine, counters: &por::Statistics) {
        if let Some(share) = self.due(machine, counters) {
            self.hunt_while(|outing| outing.work() < share);
        }
    }

    /// The same, of a worker that is to take them while others explore.
    pub(super) fn hunt_apart(&mut self, machine: &Machine, counters: &por::Statistics) -> Option<Errand> {
        let share = self.due(machine, counters)?;
        let outing = self.sets_out()?;
        if outing.work() < share {
            return Some(outing.errand(share));
        }
        self.comes_back(outing);
        None
    }

    /// The work that samples may have done by now, if some are due.
    fn due(&mut self, machine: &Machine, counters: &por::Statistics) -> Option<u64> {
        if self.is_shortening() {
            return None;
        }
        let hunter = self.hunter.as_mut()?;
        let work = counters.steps + (self.instructions + machine.instructions()) / INSTRUCTIONS;
        if work < hunter.due {
            return None;
        }
        hunter.due = 2 * work;
        Some(match hunter.preemptions {
            Some(wanted) if hunter.hunt.samples().preemptions.is_none_or(|taken| taken < wanted) => work,
            _ => work.min(QUICK) / 20 + work.saturating_sub(QUICK) / 5,
        })
    }

    fn hunt_while(&mut self, more: impl Fn(&Outing) -> bool) {
        let Some(mut outing) = self.sets_out() else { return };
        while more(&outing) && !outing.is_stopped() {
            let taken = outing.sample();
            if !self.hears_of(&mut outing, taken) {
                break;
            }
        }
        self.comes_back(outing);
    }

    fn sets_out(&mut self) -> Option<Outing> {
        let mut hunter = self.hunter.take()?;
        let (pristine, machine) = hunter.machines.take().unwrap_or_else(|| {
            let mut pristine = self.pristine.clone();
            pristine.prepare(hunter.needs);
            pristine.take_all_actions();
            (pristine.clone(), pristine)
        });
        Some(Outing { hunter, pristine, machine, shared: Arc::clone(&self.shared) })
    }

    fn comes_back(&mut self, outing: Outing) {
        let Outing { mut hunter, pristine, machine, .. } = outing;
        hunter.machines = Some((pristine, machine));
        self.shared.change(|findings| findings.sampling = Some(hunter.sampling()));
        self.hunter = Some(hunter);
    }

    /// What came of samples that were taken while others explored, which goes on or not.
    pub(super) fn hears_of_errand(&mut self, report: Box<dyn Any>, flow: Flow) -> Flow {
        let report = report.downcast().expect("samples are all that is left to workers");
        let Back { mut outing, taken, share } = *report;
        let goes_on = self.hears_of(&mut outing, taken);
        if goes_on && outing.work() < share {
            // (The worker looks after the others first.)
            outing.hunter.due = 0;
        }
        self.comes_back(outing);
        if flow == Flow::Continue { self.go_on() } else { flow }
    }

    /// Confirms what was found, on the machine of the hunt. False: no further sample is to be taken now.
    fn hears_of(&mut self, outing: &mut Outing, taken: Taken) -> bool {
        // (Others may have found a bug meanwhile, or what is to be promoted.)
        if self.is_shortening() {
            return false;
        }
        let Taken { outcome, nothing, heard: Heard { faults, unknown, .. } } = taken;
        let of_the_proof = std::mem::take(&mut self.raced);
        std::mem::swap(&mut self.pristine, &mut outing.pristine);
        for reason in unknown {
            let _ = self.unknown(reason);
        }
        for (fault, schedule) in faults {
            if self.violation(fault, schedule) == Flow::Stop || self.is_shortening() {
                break;
            }
        }
        let raced = std::mem::replace(&mut self.raced, of_the_proof);
        let goes_on = if self.is_shortening() {
            outing.hunter.found = Some(outing.samples());
            false
        } else if outcome == Outcome::Restart || !raced.is_empty() {
            outing.hunter.spent += outing.machine.instructions() / INSTRUCTIONS;
            outing.machine.learn_promoted(raced);
            self.pristine.learn_from(&outing.machine);
            outing.machine = self.pristine.clone();
            outing.hunter.hunt.forget();
            true
        } else {
            outcome == Outcome::ExecutionLimit && !nothing
        };
        std::mem::swap(&mut self.pristine, &mut outing.pristine);
        goes_on
    }
}

/// Hears of a sample. What a proof counts is not counted.
struct Heard {
    shared: Arc<Shared>,
    /// What is not modelled is told.
    tells: bool,
    faults: Vec<(Fault, Vec<Move>)>,
    unknown: Vec<String>,
}

impl Listener<Machine> for Heard {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        if self.faults.len() < MOST {
            self.faults.push((fault, schedule));
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        if self.tells && !self.unknown.contains(&reason) {
            self.unknown.push(reason);
        }
        Flow::Continue
    }

    fn poll(&mut self, _: &Machine, _: &por::Statistics) -> Flow {
        if self.shared.stop.load(Ordering::Relaxed) { Flow::Stop } else { Flow::Continue }
    }
}
