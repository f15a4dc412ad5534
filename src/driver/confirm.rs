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
    /// The schedule fails as it should; this is how.
    Violation(Box<Violation>),
    /// It fails only after the end of the process, in a thread that no longer exists then.
    AfterEnd,
    /// It does not: a fault of ours, described here.
    Mismatch(String),
}

/// Replays a schedule on a machine that was not started yet.
pub(crate) fn confirm(mut machine: Machine, fault: &Fault, schedule: &[Move]) -> Confirmed {
    // Both callbacks add to the trace: the one knows what is about to happen, the other what came of it.
    let trace = RefCell::new(Vec::new());
    let before = |machine: &Machine, step: Move| {
        let pending = machine.operation(step.thread).expect("a replayed thread stands before an operation");
        let described = machine.describe_operation(step.thread, pending, step.label);
        trace.borrow_mut().push(Step {
            thread: describe::thread(machine, step.thread),
            action: demangled(&described.text),
            place: describe::innermost(&describe::frames(machine.module(), &described.stack)),
            value: None,
            effect: match pending.operation {
                Operation::ThreadExit { .. } => Effect::Ends,
                Operation::Choose { base, .. } => Effect::Chooses(base + i64::from(step.label)),
                _ => Effect::None,
            },
        });
    };
    let after = |machine: &Machine, step: Move| {
        let action = machine.last_action().filter(|action| action.thread == step.thread);
        if let Some(last) = trace.borrow_mut().last_mut() {
            last.value = match machine.last_created() {
                Some(created) => {
                    last.effect = Effect::Creates(describe::thread(machine, created));
                    Some(format!("as thread {}", created.0))
                }
                None => action.and_then(|action| value(&action)),
            };
        }
    };
    let faults = match por::replay(&mut machine, schedule, before, after) {
        Replayed::Finished(faults) => faults,
        Replayed::Impossible { at } => {
            return Confirmed::Mismatch(format!("step {} of the schedule of {fault:?} cannot be repeated", at + 1));
        }
    };
    match faults.iter().find(|(_, found)| same(found, fault)) {
        Some((_, found)) if found.after_end => Confirmed::AfterEnd,
        Some((moves, found)) => {
            let mut violation = describe::violation(&machine, found);
            violation.trace = trace.into_inner();
            violation.trace.truncate(*moves);
            violation.output = Some(output(&machine));
            Confirmed::Violation(Box::new(violation))
        }
        None => Confirmed::Mismatch(format!("a replay does not show {fault:?} again")),
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
