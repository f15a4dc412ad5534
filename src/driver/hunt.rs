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
use super::recorder::Recorder;
use crate::report::{Reason, Sampling};
use crate::request::{self, Hunting};
use interp::Machine;
use interp::fault::Fault;
use por::hunt::{Budget, HuntOptions};
use por::{Flow, Listener, Move, Needs, Outcome, System as _};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Work after which samples are taken for the first time.
const FIRST: u64 = 60_000;

/// Work up to which the proof is quick.
const QUICK: u64 = 1_000_000;

/// Instructions that take as long as an action.
const INSTRUCTIONS: u64 = 500;

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

    /// Work that was done, also on machines before this one.
    fn work(&self, machine: &Machine) -> u64 {
        self.spent + self.hunt.samples().steps + machine.instructions() / INSTRUCTIONS
    }

    /// Takes samples as long as `more` says, or until something is found. The recorder confirms with the machine that
    /// is here for that, `machine` stands where the last sample has left it.
    fn run(&mut self, recorder: &mut Recorder, machine: &mut Machine, more: impl Fn(&Hunter, &Machine) -> bool) {
        while more(self, machine) && !recorder.shared.stop.load(Ordering::Relaxed) {
            let before = self.hunt.samples().samples;
            let one = Budget { samples: 1, steps: u64::MAX };
            let tells = self.hunting == Hunting::Only;
            let outcome = self.hunt.go_on(machine, one, &mut Sampled { recorder, tells });
            let raced = std::mem::take(&mut recorder.raced);
            if recorder.is_shortening() {
                self.found = Some(self.hunt.samples().samples);
                return;
            }
            if outcome == Outcome::Restart || !raced.is_empty() {
                self.spent += machine.instructions() / INSTRUCTIONS;
                machine.learn_promoted(raced);
                recorder.pristine.learn_from(machine);
                *machine = recorder.pristine.clone();
                self.hunt.forget();
            } else if outcome != Outcome::ExecutionLimit || self.hunt.samples().samples == before {
                return;
            }
        }
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
        let enough = |hunter: &Hunter| samples.is_some_and(|most| hunter.hunt.samples().samples >= most);
        match hunting {
            Hunting::First(time) => self.hunt_while(|hunter, _| started.elapsed() < time && !enough(hunter)),
            _ if samples.is_some() => self.hunt_while(|hunter, _| !enough(hunter)),
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
        if self.is_shortening() {
            return;
        }
        let Some(hunter) = &mut self.hunter else { return };
        let work = counters.steps + (self.instructions + machine.instructions()) / INSTRUCTIONS;
        if work < hunter.due {
            return;
        }
        hunter.due = 2 * work;
        let share = match hunter.preemptions {
            Some(wanted) if hunter.hunt.samples().preemptions.is_none_or(|taken| taken < wanted) => work,
            _ => work.min(QUICK) / 20 + work.saturating_sub(QUICK) / 5,
        };
        self.hunt_while(|hunter, machine| hunter.work(machine) < share);
    }

    fn hunt_while(&mut self, more: impl Fn(&Hunter, &Machine) -> bool) {
        let Some(mut hunter) = self.hunter.take() else { return };
        let (pristine, mut machine) = hunter.machines.take().unwrap_or_else(|| {
            let mut pristine = self.pristine.clone();
            pristine.prepare(hunter.needs);
            (pristine.clone(), pristine)
        });
        let of_the_proof = std::mem::replace(&mut self.pristine, pristine);
        hunter.run(self, &mut machine, more);
        let pristine = std::mem::replace(&mut self.pristine, of_the_proof);
        hunter.machines = Some((pristine, machine));
        self.shared.change(|findings| findings.sampling = Some(hunter.sampling()));
        self.hunter = Some(hunter);
    }
}

/// Hears of samples. What a proof counts is not counted.
struct Sampled<'a> {
    recorder: &'a mut Recorder,
    /// What is not modelled is told.
    tells: bool,
}

impl Listener<Machine> for Sampled<'_> {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        match self.recorder.violation(fault, schedule) {
            Flow::Continue if self.recorder.is_shortening() => Flow::Stop,
            flow => flow,
        }
    }

    fn unknown(&mut self, reason: String) -> Flow {
        if self.tells { self.recorder.unknown(reason) } else { Flow::Continue }
    }

    fn poll(&mut self, _: &Machine, _: &por::Statistics) -> Flow {
        if self.recorder.shared.stop.load(Ordering::Relaxed) { Flow::Stop } else { Flow::Continue }
    }
}
