//! Every schedule is replayed on a fresh machine before it is believed, and must fail there in the same way.
use super::demangle::demangled;
use super::describe;
use crate::report::{Effect, Step, Violation};
use interp::fault::Fault;
use interp::operation::Operation;
use interp::{Action, Machine};
use por::{Move, Replayed, System};
use std::cell::RefCell;

/// What became of a fault.
#[derive(Debug)]
pub(crate) enum Confirmed {
    /// The schedule, in this order, fails as it should; this is how, and how many instructions it takes.
    Violation { violation: Box<Violation>, moves: Vec<Move>, instructions: u64 },
    /// It fails only after the end of the process, in a thread that no longer exists then.
    AfterEnd,
    /// It does not: a fault of ours, described here.
    Mismatch(String),
}

/// The longest schedule of which it is worked out what depends on what.
const LONGEST: usize = 20_000;

/// Replays a schedule on a machine that was not started yet, in the order in which threads take turns least often.
pub(crate) fn confirm(machine: &Machine, fault: &Fault, schedule: &[Move]) -> Confirmed {
    let known = (schedule.len() <= LONGEST).then(|| por::dependencies(&mut machine.clone(), schedule)).flatten();
    let name = format!("{fault:?}");
    let wanted = |_: &Machine, found: &Fault| same(found, fault);
    let Some(dependencies) = known else { return repeat(machine.clone(), wanted, &name, schedule, &[]) };
    let order = por::with_few_switches(schedule, &dependencies);
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, at)| places[*at] = place);
    let ordered: Vec<Move> = order.iter().map(|at| schedule[*at]).collect();
    let after = |at: &usize| dependencies[*at].iter().map(|before| places[*before]).collect();
    let after: Vec<Vec<usize>> = order.iter().map(after).collect();
    match repeat(machine.clone(), wanted, &name, &ordered, &after) {
        // The order of local steps may matter to the fault: a race has two ends.
        Confirmed::Mismatch(_) => repeat(machine.clone(), wanted, &name, schedule, &dependencies),
        confirmed => confirmed,
    }
}

/// Replays a schedule that was confirmed before, in its own order, until there is the `wanted` fault, which is called `name`.
pub(super) fn again(
    machine: &Machine,
    wanted: impl Fn(&Machine, &Fault) -> bool,
    name: &str,
    schedule: &[Move],
) -> Confirmed {
    let known = (schedule.len() <= LONGEST).then(|| por::dependencies(&mut machine.clone(), schedule)).flatten();
    repeat(machine.clone(), wanted, name, schedule, &known.unwrap_or_default())
}

/// Replays a schedule as it is. `after`: for each move those that it depends on, if that is known.
fn repeat(
    mut machine: Machine,
    wanted: impl Fn(&Machine, &Fault) -> bool,
    name: &str,
    schedule: &[Move],
    after: &[Vec<usize>],
) -> Confirmed {
    // Both callbacks add to the trace: the one knows what is about to happen, the other what came of it.
    let trace = RefCell::new(Vec::new());
    let before = |machine: &Machine, step: Move| {
        let pending = machine.operation(step.thread).expect("a replayed thread stands before an operation");
        let described = machine.describe_operation(step.thread, pending, step.label);
        let mut trace = trace.borrow_mut();
        let woken = machine.woken_by(pending, step.label);
        let number = trace.len();
        trace.push(Step {
            thread: describe::thread(machine, step.thread),
            action: demangled(&described.text),
            place: describe::innermost(&describe::frames(machine.module(), &described.stack)),
            value: None,
            effect: match pending.operation {
                Operation::ThreadExit { .. } => Effect::Ends,
                Operation::Choose { base, .. } => Effect::Chooses(base + i64::from(step.label)),
                _ if !woken.is_empty() => {
                    Effect::Wakes(woken.into_iter().map(|id| describe::thread(machine, id)).collect())
                }
                _ => Effect::None,
            },
            holds: Vec::new(),
            after: after.get(number).cloned().unwrap_or_default(),
        });
    };
    let behind = |machine: &Machine, step: Move| {
        let action = machine.last_action().filter(|action| action.thread == step.thread);
        if let Some(last) = trace.borrow_mut().last_mut() {
            last.value = match machine.last_created() {
                Some(created) => {
                    last.effect = Effect::Creates(describe::thread(machine, created));
                    Some(format!("as thread {}", created.0))
                }
                None => action.and_then(|action| value(&action)),
            };
            last.holds = machine.locks_of(step.thread);
        }
    };
    let faults = match por::replay(&mut machine, schedule, before, behind) {
        Replayed::Finished(faults) => faults,
        Replayed::Impossible { at } => {
            return Confirmed::Mismatch(format!("step {} of the schedule of {name} cannot be repeated", at + 1));
        }
    };
    match faults.iter().find(|(_, found)| wanted(&machine, found)) {
        Some((_, found)) if found.after_end => Confirmed::AfterEnd,
        Some((moves, found)) => {
            let mut violation = describe::violation(&machine, found);
            violation.trace = trace.into_inner();
            violation.trace.truncate(*moves);
            violation.output = Some(output(&machine));
            Confirmed::Violation {
                violation: Box::new(violation),
                moves: schedule.to_vec(),
                instructions: machine.instructions(),
            }
        }
        None => Confirmed::Mismatch(format!("a replay does not show {name} again")),
    }
}

/// The same kind, in the same thread, at the same place.
fn same(found: &Fault, expected: &Fault) -> bool {
    found.kind == expected.kind && found.thread == expected.thread && found.stack == expected.stack
}

/// What an action read and wrote.
fn value(action: &Action) -> Option<String> {
    match (action.read, action.written) {
        (Some(read), Some(written)) => Some(format!("reads {read}, writes {written}")),
        (Some(read), None) => Some(format!("reads {read}")),
        // What is written stands in the action already.
        (None, _) => None,
    }
}

fn output(machine: &Machine) -> String {
    let bytes: Vec<u8> = machine.output().iter().flat_map(|(_, _, bytes)| bytes.iter().copied()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
