//! The machine on hand-built modules.
mod build;
mod concurrent;
mod promotion;
mod sequential;
mod undo;

pub(crate) use build::{Builder, c, s};

use crate::verdict::fault::{Fault, Kind};
use crate::{Checks, Machine, Options};
use por::{Engine, Flow, Listener, System};

/// A machine for the module, with everything checked.
pub(crate) fn machine(builder: Builder) -> Machine {
    machine_with(builder, Options::default())
}

/// A machine with settings.
pub(crate) fn machine_with(builder: Builder, options: Options) -> Machine {
    let registry = build::registry();
    Machine::new(std::sync::Arc::new(builder.module), &registry, options).expect("the module can be run")
}

/// Runs a program of one thread (or several, always the one with the lowest number that can) to its end.
pub(crate) fn run(builder: Builder) -> Result<u64, Outcome> {
    run_machine(&mut machine(builder))
}

/// How a run ended that did not end well.
#[derive(Debug)]
pub(crate) enum Outcome {
    Fault(Box<Fault>),
    Unknown(String),
    Stuck,
}

impl Outcome {
    /// Kind and message of the fault.
    pub(crate) fn fault(self) -> (Kind, String) {
        match self {
            Outcome::Fault(fault) => (fault.kind, fault.message),
            other => panic!("not a fault: {other:?}"),
        }
    }
}

pub(crate) fn run_machine(machine: &mut Machine) -> Result<u64, Outcome> {
    let mut step = machine.start();
    loop {
        if let Some(fault) = step.fault {
            return Err(Outcome::Fault(fault));
        }
        if let Some(reason) = step.unknown {
            return Err(Outcome::Unknown(reason));
        }
        let mut variants = Vec::new();
        let next = (0..machine.threads()).map(por::ThreadId).find(|t| {
            variants.clear();
            por::current_variants(machine, *t, &mut variants);
            !variants.is_empty()
        });
        match next {
            Some(thread) => step = machine.execute(thread, variants[0].label),
            None => {
                return match (machine.ending().1.faults.pop(), machine.exit_status()) {
                    (Some(fault), _) => Err(Outcome::Fault(Box::new(fault))),
                    (None, Some(status)) => Ok(status),
                    (None, None) => Err(Outcome::Stuck),
                };
            }
        }
    }
}

/// Everything that an exploration finds.
#[derive(Default, Debug)]
pub(crate) struct Found {
    pub(crate) faults: Vec<(Kind, String)>,
    pub(crate) unknown: Vec<String>,
    pub(crate) finals: Vec<u128>,
    pub(crate) executions: u64,
}

impl<S: System<Fault = Fault>> Listener<S> for Found {
    fn execution(&mut self, system: &S, _: por::Ending, _: &[por::Move]) -> Flow {
        self.finals.push(system.digest());
        Flow::Continue
    }
    fn violation(&mut self, fault: Fault, _: Vec<por::Move>) -> Flow {
        self.faults.push((fault.kind, fault.message));
        Flow::Continue
    }
    fn unknown(&mut self, reason: String) -> Flow {
        self.unknown.push(reason);
        Flow::Continue
    }
}

/// Explores all schedules.
pub(crate) fn explore(builder: Builder, engine: Engine) -> Found {
    // (What blocks touch would be learned by a restart.)
    let options = Options { checks: Checks::supported(), footprints: false, ..Options::default() };
    let mut machine = machine_with(builder, options);
    let mut found = Found::default();
    let options = por::Options { engine, alternatives: por::Alternatives::Optimal, ..por::Options::default() };
    let (_, statistics) = crate::engines::explore(&mut machine, &options, &mut found);
    found.executions = statistics.executions;
    found.finals.sort_unstable();
    found.finals.dedup();
    found.faults.sort();
    found.faults.dedup();
    found
}
