//! A check of fingerprints, for debugging: [`Options::verify_states`](crate::Options::verify_states).
//!
//! Fingerprints are added up from how each event changed the state. Here every state is made another way: a *twin* of
//! the system, which never does anything else, executes the events of `[e]` alone, and is looked at as a whole. As in
//! the fingerprint, each thread stands right behind its last visible action, so the last event of each thread comes
//! without the local steps after it. Equal fingerprints must mean equal states, or something that decides how the
//! system goes on is missing from them (or two sums of terms are equal by chance). And the other way round, or sums
//! were made wrongly, or have what decides nothing, and states are not known again.
//!
//! Of each state a digest and how to get there are kept; both states are made again for the message.
//!
//! **When a difference means nothing.** State and fingerprint are functions of `[e]` as long as local steps of
//! different threads do not meet: if they do, what one does depends on events outside of `[e]`. That is a race, which
//! the system reports, as a fault that involves other events, or as a gap. So a difference counts only when the
//! exploration has come to its end and has found nothing of that kind.
use super::configuration::Configuration;
use super::event::{EventId, Unfolding};
use super::past::local_configuration;
use crate::system::{LocalSteps, Move, Step, System, ThreadId, Unfoldable};
use crate::{Outcome, current_variants};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

/// How many lines of a difference are shown.
const SHOWN: usize = 40;

/// The states met so far.
pub(super) struct States<S> {
    /// A system that was started. It is back at its start whenever it is not in use.
    twin: S,
    /// How many events are still to be looked at.
    left: u64,
    /// By fingerprint.
    known: FxHashMap<u128, Known>,
    /// Of each state, as its digest, the fingerprint.
    fingerprints: FxHashMap<u128, u128>,
    /// The first fingerprint that two states have, or state that two fingerprints have.
    difference: Option<String>,
    /// Local steps of different threads may have met.
    interference: bool,
}

/// A state.
struct Known {
    digest: u128,
    schedule: Vec<(Move, LocalSteps)>,
}

impl<S: Unfoldable> States<S> {
    /// For a system that was not started.
    ///
    /// # Panics
    /// When it has no twin.
    pub(super) fn new(system: &S, most: u64) -> Self {
        let mut twin = system.twin().expect("fingerprints can be checked of systems that have a twin");
        twin.start();
        States {
            twin,
            left: most,
            known: FxHashMap::default(),
            fingerprints: FxHashMap::default(),
            difference: None,
            interference: false,
        }
    }

    /// Hears what came of an action.
    pub(super) fn note(&mut self, step: &Step<S::Fault>) {
        self.interference |= step.unknown.is_some();
        self.interference |= step.fault.as_ref().is_some_and(|fault| !S::involved(fault).is_empty());
    }

    /// The state of an event's local configuration, which is the last one of C, has this fingerprint.
    pub(super) fn check(
        &mut self,
        fingerprint: u128,
        event: EventId,
        unfolding: &Unfolding,
        configuration: &Configuration,
    ) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        let schedule = schedule(event, unfolding, configuration);
        let digest = xxh3_128(self.state(&schedule).join("\n").as_bytes());
        let other = *self.fingerprints.entry(digest).or_insert(fingerprint);
        if other != fingerprint && self.difference.is_none() {
            let other = self.known.get(&other).map(|known| show(&known.schedule)).unwrap_or_default();
            let message =
                format!("two fingerprints stand for one state\n  after {other}\n  after {}\n", show(&schedule));
            self.difference = Some(message + &lines_without(&self.state(&schedule), &[]));
        }
        let Some(known) = self.known.get(&fingerprint) else {
            self.known.insert(fingerprint, Known { digest, schedule });
            return;
        };
        if known.digest != digest && self.difference.is_none() {
            let other = known.schedule.clone();
            let (first, second) = (self.state(&other), self.state(&schedule));
            let mut message = format!("the fingerprint {fingerprint:032x} stands for two states\n");
            message += &format!("  after {}\n{}", show(&other), lines_without(&first, &second));
            message += &format!("  after {}\n{}", show(&schedule), lines_without(&second, &first));
            self.difference = Some(message);
        }
    }

    /// The state to which these moves lead.
    fn state(&mut self, schedule: &[(Move, LocalSteps)]) -> Vec<String> {
        self.twin.mark();
        for &(Move { thread, label }, steps) in schedule {
            // (Of two threads that race the second one has stopped, and here that may be the other one.)
            if self.interference && !is_possible(&self.twin, thread, label) {
                break;
            }
            let step = self.twin.execute_partly(thread, label, steps);
            self.note(&step);
        }
        let mut state = self.twin.whole_state();
        self.twin.undo();
        state.sort_unstable();
        state
    }

    /// The exploration is over.
    ///
    /// # Panics
    /// When it is complete, and fingerprints do not tell apart what states do, or more.
    pub(super) fn conclude(self, outcome: Outcome) {
        if outcome == Outcome::Complete && !self.interference {
            assert!(self.difference.is_none(), "{}", self.difference.unwrap_or_default());
        }
    }
}

fn is_possible(system: &impl System, thread: ThreadId, label: u32) -> bool {
    let mut variants = Vec::new();
    current_variants(system, thread, &mut variants);
    variants.iter().any(|variant| variant.label == label)
}

/// The moves of `[event]`.
fn schedule(event: EventId, unfolding: &Unfolding, configuration: &Configuration) -> Vec<(Move, LocalSteps)> {
    let events = local_configuration(event, unfolding, configuration).into_iter();
    let step = |id| Move { thread: unfolding.event(id).thread, label: unfolding.event(id).label };
    events.map(|(id, steps)| (step(id), steps)).collect()
}

/// The moves, each as thread and label.
fn show(schedule: &[(Move, LocalSteps)]) -> String {
    let moves: Vec<String> = schedule.iter().map(|(step, _)| format!("{}:{}", step.thread.0, step.label)).collect();
    moves.join(" ")
}

/// The lines that one state has more often than the other.
fn lines_without(state: &[String], other: &[String]) -> String {
    let mut left: Vec<&String> = other.iter().collect();
    let missing = state.iter().filter(|line| match left.iter().position(|known| known == line) {
        Some(index) => {
            left.swap_remove(index);
            false
        }
        None => true,
    });
    missing.take(SHOWN).map(|line| format!("    {line}\n")).collect()
}
