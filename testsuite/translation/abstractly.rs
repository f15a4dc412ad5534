//! Brute force on the abstract program.
use crate::Summary;
use crate::program::Program;
use crate::search::{Reached, search};
use crate::toy::{Fault, Toy};
use por::{Ending, Engine, Flow, Listener, Move, Options, Outcome};
use std::collections::BTreeSet;

#[derive(Default)]
struct Seen {
    classes: BTreeSet<u64>,
    ends: BTreeSet<u128>,
    faults: BTreeSet<Fault>,
}

impl Listener<Toy> for Seen {
    fn execution(&mut self, system: &Toy, _: Ending, _: &[Move]) -> Flow {
        self.classes.insert(system.class());
        self.ends.insert(system.remains());
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, _: Vec<Move>) -> Flow {
        self.faults.insert(fault);
        Flow::Continue
    }
}

/// By every interleaving; `None` if there are too many.
pub fn classes(program: &Program) -> Option<Summary> {
    let options = Options { engine: Engine::Naive, max_executions: Some(1000), ..Options::default() };
    let mut seen = Seen::default();
    let (outcome, _) = por::explore(&mut Toy::new(program), &options, &mut seen);
    let (classes, ends) = (seen.classes.len() as u64, seen.ends.len());
    (outcome == Outcome::Complete).then(|| Summary { classes, ends, ..summary(&seen.faults) })
}

/// The bugs, by every interleaving; `None` if there are too many.
pub fn bugs(program: &Program) -> Option<Summary> {
    Some(Summary { classes: 0, ends: 0, ..classes(program)? })
}

/// By every state; `None` if there are too many.
pub fn states(program: &Program) -> Option<Summary> {
    let Reached { faults, .. } = search(program, 300)?;
    Some(summary(&faults))
}

fn summary(faults: &BTreeSet<Fault>) -> Summary {
    let count = |what: fn(&Fault) -> bool| faults.iter().filter(|fault| what(fault)).count();
    Summary {
        assertions: count(|fault| matches!(fault, Fault::Assert { .. })),
        deadlocks: count(|fault| matches!(fault, Fault::Deadlock { .. })),
        livelocks: count(|fault| matches!(fault, Fault::Livelock { .. })).min(1),
        ..Summary::default()
    }
}
