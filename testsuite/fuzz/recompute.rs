//! States as they are kept, beside the same found anew.
//!
//! A walk through a program goes forth and back at random. Wherever it stands, these must hold:
//! - The fingerprint is the same if the terms of threads are found anew.
//! - Another machine that was never anywhere else, and has executed the same actions, has the same fingerprint.
//! - States with one fingerprint are the same as texts, which are made by looking at all of a state.
//! - Where it has come back to, the state is what it was, as fingerprint and as text.

use crate::engine::{Mode, learn};
use crate::program::{Program, Rounds};
use crate::{Make, fixed};
use interp::memory::Quarantine;
use interp::{Awaits, Machine, Options};
use por::{Companions, Fingerprints, Move, Needs, System, ThreadId, Twins, current_variants};
use random::Random;
use rustc_hash::FxHashMap;

/// Actions of one program.
const ACTIONS: u32 = 40;
/// Executions after which what a machine has to learn is taken to be learned.
const LEARNING: u64 = 50;

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Recomputed {
    /// How often.
    pub(crate) states: u64,
    /// How many had a fingerprint that was known from another way.
    pub(crate) again: u64,
}

/// Walks through a program; if it has loops, also where threads that spin wait.
pub(crate) fn check(program: &Program, machine: Make<'_>) -> Result<Recomputed, String> {
    let options = Options { quarantine: Some(Quarantine::SHORT), ..fixed() };
    let mut found = walk(machine(Rounds::Two, options.clone())?)?;
    if program.loops() {
        let waiting = walk(machine(Rounds::Any, Options { awaits: Some(Awaits::Assume), ..options })?)?;
        found.states += waiting.states;
        found.again += waiting.again;
    }
    Ok(found)
}

fn walk(mut pristine: Machine) -> Result<Recomputed, String> {
    learn(&mut pristine, Mode::STATES, LEARNING)?;
    loop {
        let (mut machine, mut other) = (pristine.clone(), pristine.clone());
        // (With atomic blocks there are none.)
        let companion = machine.share_numbers(&mut other).ok().map(|()| other);
        start(&mut machine);
        let mut walk = Walk {
            machine,
            companion,
            random: Random::new(7),
            left: ACTIONS,
            way: Vec::new(),
            known: FxHashMap::default(),
            found: Recomputed::default(),
        };
        match walk.visit() {
            Ok(()) => return Ok(walk.found),
            Err(Stop::Differs(difference)) => return Err(difference),
            Err(Stop::Learned) => pristine.learn_from(&walk.machine),
        }
    }
}

/// Why a walk ends early.
enum Stop {
    Differs(String),
    /// From the start on something is known now.
    Learned,
}

fn start(machine: &mut Machine) {
    machine.prepare(Needs { states: true, ..Needs::default() });
    machine.follow_states();
    machine.start();
}

/// A fingerprint, and all of the state.
#[derive(Clone, PartialEq, Eq)]
struct State(Option<u128>, Vec<String>);

struct Walk {
    machine: Machine,
    /// One that was not started.
    companion: Option<Machine>,
    random: Random,
    left: u32,
    way: Vec<Move>,
    known: FxHashMap<u128, Vec<String>>,
    found: Recomputed,
}

impl Walk {
    /// Goes on from here, in two ways as a rule.
    fn visit(&mut self) -> Result<(), Stop> {
        let here = self.look().and_then(|here| self.look_elsewhere(here)).map_err(Stop::Differs)?;
        if let State(Some(fingerprint), text) = &here {
            let known = self.known.entry(*fingerprint).or_default();
            if known.is_empty() {
                known.clone_from(text);
            } else {
                self.found.again += 1;
            }
            if known != text {
                return Err(Stop::Differs(format!("one fingerprint: {}", difference(known, text))));
            }
        }
        // (Who ends a process that has ended counts no more.)
        if self.machine.is_over() {
            return Ok(());
        }
        for _ in 0..2 {
            let mut moves = Vec::new();
            for thread in (0..self.machine.threads()).map(ThreadId) {
                let mut variants = Vec::new();
                current_variants(&self.machine, thread, &mut variants);
                moves.extend(variants.into_iter().map(|variant| Move { thread, label: variant.label }));
            }
            if moves.is_empty() || self.left == 0 {
                break;
            }
            self.left -= 1;
            let next = self.random.pick(&moves);
            self.machine.mark();
            let step = self.machine.execute(next.thread, next.label);
            if step.restart {
                return Err(Stop::Learned);
            }
            self.way.push(next);
            self.visit()?;
            self.machine.undo();
            self.way.pop();
            let again = self.look().map_err(Stop::Differs)?;
            if again != here {
                let what = difference(&here.1, &again.1);
                return Err(Stop::Differs(format!("back from {next:?} after {:?}: {what}", self.way)));
            }
        }
        Ok(())
    }

    /// The current state.
    fn look(&mut self) -> Result<State, String> {
        let (fingerprint, anew) = (self.machine.state(), self.machine.state_from_scratch());
        if fingerprint != anew {
            return Err(format!("fingerprint {fingerprint:x?} and anew {anew:x?} after {:?}", self.way));
        }
        self.found.states += 1;
        let mut text = self.machine.whole_state();
        text.sort_unstable();
        Ok(State(fingerprint, text))
    }

    /// Whether another machine has the same fingerprint here.
    fn look_elsewhere(&self, here: State) -> Result<State, String> {
        let Some(companion) = &self.companion else { return Ok(here) };
        let mut other = companion.clone();
        start(&mut other);
        for next in &self.way {
            other.mark();
            other.execute(next.thread, next.label);
        }
        let (fingerprint, others) = (here.0, other.state());
        match fingerprint == others {
            true => Ok(here),
            false => Err(format!("fingerprint {fingerprint:x?} and elsewhere {others:x?} after {:?}", self.way)),
        }
    }
}

/// The first lines that only one of the two states has.
fn difference(one: &[String], other: &[String]) -> String {
    let only = |these: &[String], those: &[String]| {
        these.iter().find(|line| !those.contains(line)).cloned().unwrap_or_default()
    };
    format!("`{}` and `{}`", only(one, other), only(other, one))
}
