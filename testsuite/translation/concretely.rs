//! The whole tool on the C program.
use crate::program::Program;
use crate::{Summary, c};
use interp::fault::{Fault, Kind};
use interp::memory::Quarantine;
use interp::{Awaits, Checks, Machine, Options};
use por::{Alternatives, Ending, Engine, Flow, Listener, Move, Order, Outcome, Reduction, System, ThreadId};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// A machine for each program.
pub fn machines(programs: &[&Program], awaits: Awaits) -> Vec<Machine> {
    let mut text = c::PRELUDE.to_owned();
    let mut main = "\nint main(int argc, char **argv) {\n".to_owned();
    for (number, program) in programs.iter().enumerate() {
        text += &c::functions(program, &format!("p{number}_"), &format!("static void p{number}(void)"));
        writeln!(main, "  if (argc == {}) p{number}();", number + 1).expect("strings can be written");
    }
    text += &(main + "}\n");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, &text).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend::Options::default());
    let module = Arc::new(loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).module);
    let registry = runtime_model::registry();
    let machine = |number: usize| {
        let arguments = vec!["program".to_owned(); number + 1];
        // There is no plain memory that could race, and where races are looked for, little is cut off.
        let checks = Checks::supported().without(Kind::DataRace);
        let quarantine = Some(Quarantine::SHORT);
        let options = Options { arguments, checks, quarantine, awaits: Some(awaits), ..Options::default() };
        Machine::new(Arc::clone(&module), registry, options).expect("it can be run")
    };
    (0..programs.len()).map(machine).collect()
}

/// Each class once: by the unfolding without cutoffs, and by sequences. What somebody waits for is a livelock if it
/// never comes, and a deadlock in the abstract program.
pub fn classes(machine: &Machine) -> Result<Summary, String> {
    let [unfolding, dpor] = [Engine::Unfolding, Engine::Dpor(Reduction::Optimal)].map(|engine| {
        let (seen, statistics) = explore(machine, engine, None)?;
        let Summary { deadlocks, livelocks, .. } = seen.summary();
        let classes = statistics.executions + statistics.pruned;
        let deadlocks = deadlocks + livelocks;
        Ok(Summary { classes, ends: seen.ends.len(), deadlocks, livelocks: 0, ..seen.summary() })
    });
    if unfolding == dpor { unfolding } else { Err(format!("{unfolding:?} by the unfolding, {dpor:?} by sequences")) }
}

/// By sequences with observers.
pub fn observed(machine: &Machine) -> Result<Summary, String> {
    let (seen, _) = explore(machine, Engine::Dpor(Reduction::Observers), None)?;
    let Summary { deadlocks, livelocks, .. } = seen.summary();
    Ok(Summary { deadlocks: deadlocks + livelocks, livelocks: 0, ..seen.summary() })
}

/// With cutoffs.
pub fn states(machine: &Machine) -> Result<Summary, String> {
    let summary = explore(machine, Engine::Unfolding, Some(Order::Erv))?.0.summary();
    Ok(Summary { livelocks: summary.livelocks.min(1), ..summary })
}

fn explore(machine: &Machine, engine: Engine, cutoffs: Option<Order>) -> Result<(Seen, por::Statistics), String> {
    let mut machine = machine.clone();
    loop {
        let mut seen = Seen::default();
        let mut running = machine.clone();
        // Limits make an exploration that would never end a mismatch.
        let (alternatives, max_executions, max_depth) = (Alternatives::Optimal, Some(100_000), 10_000);
        let options =
            por::Options { engine, alternatives, cutoffs, max_executions, max_depth, ..por::Options::default() };
        match interp::engines::explore(&mut running, &options, &mut seen) {
            (Outcome::Restart, _) => machine.learn_from(&running),
            (Outcome::Complete, statistics) if seen.unknown.is_empty() => return Ok((seen, statistics)),
            (outcome, _) => return Err(format!("{outcome:?}, {:?}", seen.unknown)),
        }
    }
}

#[derive(Default)]
struct Seen {
    /// By kind and the places of all threads that are part of it.
    bugs: BTreeSet<(Kind, Vec<(u32, u32)>)>,
    ends: BTreeSet<u128>,
    unknown: BTreeSet<String>,
}

impl Seen {
    fn summary(&self) -> Summary {
        let count = |kind| self.bugs.iter().filter(|bug| bug.0 == kind).count();
        Summary {
            assertions: count(Kind::Assertion),
            deadlocks: count(Kind::Deadlock),
            livelocks: count(Kind::Livelock),
            ..Summary::default()
        }
    }
}

impl Listener<Machine> for Seen {
    fn execution(&mut self, machine: &Machine, _: Ending, _: &[Move]) -> Flow {
        self.ends.insert(machine.digest());
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, _: Vec<Move>) -> Flow {
        // The innermost frame is the one that asserts, or waits.
        let place = |thread: ThreadId, stack: &[interp::fault::StackFrame]| {
            (thread.0, stack.first().map_or(0, |frame| frame.location.index() as u32))
        };
        let related = fault.related.iter().filter_map(|related| Some(place(related.thread?, &related.stack)));
        let mut places: Vec<(u32, u32)> = related.chain([place(fault.thread, &fault.stack)]).collect();
        places.sort_unstable();
        places.dedup();
        self.bugs.insert((fault.kind, places));
        if !matches!(fault.kind, Kind::Assertion | Kind::Deadlock | Kind::Livelock) {
            self.unknown.insert(fault.message);
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.unknown.insert(reason);
        Flow::Continue
    }
}
