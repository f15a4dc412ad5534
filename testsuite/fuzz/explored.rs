//! What one engine finds in one program.
use interp::Machine;
use interp::fault::{Fault, Kind};
use por::{Alternatives, Ending, Engine, Flow, Move, Observer, Outcome, Replayed, Statistics, System};
use std::collections::BTreeSet;

/// The most executions that the naive engine may need, and the most of the others.
const MOST: [u64; 2] = [3_000, 20_000];

/// A way to explore.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// For messages.
    pub name: &'static str,
    engine: Engine,
    alternatives: Alternatives,
}

/// Every interleaving.
pub(crate) const NAIVE: Mode = Mode { name: "naive", engine: Engine::Naive, alternatives: Alternatives::Optimal };
/// Every way to reduce.
pub(crate) const REDUCED: [Mode; 3] = [
    Mode { name: "optimal", engine: Engine::Unfolding, alternatives: Alternatives::Optimal },
    Mode { name: "K = 1", engine: Engine::Unfolding, alternatives: Alternatives::Partial(1) },
    Mode { name: "K = 2", engine: Engine::Unfolding, alternatives: Alternatives::Partial(2) },
];

/// The kind, where it happened, and the other places that it names.
pub(crate) type Bug = (Kind, u32, Vec<u32>);

/// Everything in which engines can be compared.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// Nothing was left out.
    pub complete: bool,
    /// The bugs, each with the causal past that shows it.
    pub bugs: BTreeSet<Bug>,
    /// The final states.
    pub states: BTreeSet<u128>,
    /// Reasons for "unknown".
    pub unknown: BTreeSet<String>,
    /// Violations whose schedule does not show them again.
    pub unconfirmed: Vec<String>,
    /// The counters.
    pub statistics: Statistics,
}

impl Explored {
    /// Whether a data race is among the bugs.
    pub(crate) fn races(&self) -> bool {
        self.bugs.iter().any(|bug| bug.0 == Kind::DataRace)
    }
}

/// Explores a machine that was not started.
pub(crate) fn explore(pristine: &Machine, mode: Mode) -> Explored {
    let options = por::Options {
        engine: mode.engine,
        alternatives: mode.alternatives,
        max_executions: Some(MOST[usize::from(mode.engine == Engine::Unfolding)]),
        max_depth: 10_000,
        ..por::Options::default()
    };
    let mut collector = Collector { pristine, engine: mode.engine, found: Explored::default() };
    let (outcome, statistics) = por::explore(&mut pristine.clone(), &options, &mut collector);
    Explored { complete: outcome == Outcome::Complete, statistics, ..collector.found }
}

struct Collector<'a> {
    pristine: &'a Machine,
    engine: Engine,
    found: Explored,
}

impl Observer<Machine> for Collector<'_> {
    fn execution(&mut self, machine: &Machine, ending: Ending, _: &[Move]) -> Flow {
        if ending == Ending::Complete {
            self.found.states.insert(machine.digest());
        }
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        let bug = identity(&fault);
        if self.found.bugs.contains(&bug) {
            return Flow::Continue;
        }
        // What happens behind the end of the process does not happen, but the naive engine also tries it before the
        // end, and the schedule of a reduction holds the end only if it must.
        match self.engine {
            Engine::Naive if fault.after_end => {}
            Engine::Naive => {
                self.found.bugs.insert(bug);
            }
            Engine::Unfolding => match replayed(self.pristine.clone(), &fault, &schedule) {
                Some(again) if again.after_end => {}
                Some(_) => {
                    self.found.bugs.insert(bug);
                }
                None => self.found.unconfirmed.push(format!("{fault:?} by {schedule:?}")),
            },
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.found.unknown.insert(reason);
        Flow::Continue
    }
}

fn identity(fault: &Fault) -> Bug {
    let place = |stack: &[interp::fault::StackFrame]| stack.first().map_or(u32::MAX, |frame| frame.location.0);
    let mut related: Vec<u32> = fault.related.iter().map(|related| place(&related.stack)).collect();
    related.sort_unstable();
    match fault.kind {
        // All who wait are among the related.
        Kind::Deadlock => (fault.kind, 0, related),
        kind => (kind, place(&fault.stack), related),
    }
}

/// The fault as it occurs when its schedule is repeated.
fn replayed(mut machine: Machine, fault: &Fault, schedule: &[Move]) -> Option<Fault> {
    let same = |found: &Fault| found.kind == fault.kind && found.thread == fault.thread && found.stack == fault.stack;
    match por::replay(&mut machine, schedule, |_, _| {}, |_, _| {}) {
        Replayed::Finished(faults) => faults.into_iter().map(|(_, found)| found).find(same),
        Replayed::Impossible { .. } => None,
    }
}
