//! Every schedule is replayed on a fresh machine before it is believed, and must fail there in the same way.
use super::describe;
use super::identity::Identity;
use super::narrate::Narration;
use crate::report::Violation;
use interp::fault::{Fault, Kind};
use interp::{Machine, schedules_in_order};
use por::{Move, Replayed};
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
///
/// Where the program reads inputs that may be anything, that is a machine with the inputs that the fault has found,
/// which has no decisions. Local steps behind a decision come earlier there, so that a race may be seen by its other
/// end, and an access that is an action may be yet to come. And loops that depended on inputs, so that their threads
/// did not count as waiting, may do so there: then all threads run.
///
/// Critical sections are in order there, each with its lock and its unlock; ends of threads and joins are actions.
pub(crate) fn confirm(pristine: &Machine, fault: &Fault, schedule: &[Move]) -> Confirmed {
    let mut machine = fault.inputs.as_ref().map_or_else(|| pristine.clone(), |inputs| pristine.with_inputs(inputs));
    machine.take_all_actions();
    if let Err(error) = machine.give_out(&fault.given_out) {
        return Confirmed::Mismatch(error);
    }
    let confirmed = confirm_on(&machine, fault, schedule);
    if !matches!(confirmed, Confirmed::Mismatch(_)) || fault.inputs.is_none() {
        return confirmed;
    }
    machine.run_all_threads();
    match confirm_on(&machine, fault, schedule) {
        Confirmed::Mismatch(_) => confirmed,
        other => other,
    }
}

/// The same on this machine, which was not started yet.
fn confirm_on(machine: &Machine, fault: &Fault, schedule: &[Move]) -> Confirmed {
    let decided = fault.inputs.as_ref().map(|_| fault.without_decisions(schedule));
    let in_order = schedules_in_order(fault, decided.as_deref().unwrap_or(schedule)).into_iter();
    let mut all = in_order.map(|schedule| if fault.merges_ends { machine.with_ends(&schedule) } else { schedule });
    let first = confirm_in_order(machine, fault, all.next().expect("there is the schedule itself"), same);
    if !matches!(first, Confirmed::Mismatch(_)) {
        return first;
    }
    // (There the other access may come second.)
    let mut others = all.map(|schedule| confirm_in_order(machine, fault, schedule, alike));
    others.find(|confirmed| !matches!(confirmed, Confirmed::Mismatch(_))).unwrap_or(first)
}

/// Whether what was found is the expected fault.
type Likeness = fn(&Machine, &Fault, &Fault) -> bool;

fn confirm_in_order(machine: &Machine, fault: &Fault, mut schedule: Vec<Move>, is_it: Likeness) -> Confirmed {
    match confirm_schedule(machine, fault, &schedule, is_it) {
        Confirmed::Mismatch(_) if fault.inputs.is_some() => {
            schedule.push(Move { thread: fault.thread, label: 0 });
            confirm_schedule(machine, fault, &schedule, is_it)
        }
        confirmed => confirmed,
    }
}

fn confirm_schedule(machine: &Machine, fault: &Fault, schedule: &[Move], is_it: Likeness) -> Confirmed {
    let known = (schedule.len() <= LONGEST).then(|| por::dependencies(&mut machine.clone(), schedule)).flatten();
    let name = format!("{fault:?}");
    let wanted = |machine: &Machine, found: &Fault| is_it(machine, found, fault);
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

/// Replays a schedule that was confirmed before, in its own order, until there is the `wanted` fault, which is called
/// `name`.
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
    // Both callbacks add to it: the one knows what is about to happen, the other what came of it.
    let narration = RefCell::new(Narration::default());
    let before = |machine: &Machine, step: Move| narration.borrow_mut().before(machine, step);
    let behind = |machine: &Machine, step: Move| narration.borrow_mut().behind(machine, step);
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
            let narration = narration.into_inner();
            violation.given = super::given::given(&machine, &narration.supplied, *moves);
            violation.trace = narration.steps;
            violation.trace.truncate(*moves);
            violation.trace.iter_mut().zip(after).for_each(|(step, after)| step.after = Some(after.clone()));
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

/// The schedule with the end of the process, if the fault shows there, as its last move.
pub(super) fn end_last(mut schedule: Vec<Move>, fault: &Fault) -> Vec<Move> {
    let end = fault.at_end.and_then(|ender| schedule.iter().rposition(|step| step.thread == ender));
    if let Some(end) = end {
        schedule[end..].rotate_left(1);
    }
    schedule
}

/// The same kind, at the same place; of a race, at the same two places.
fn alike(machine: &Machine, found: &Fault, expected: &Fault) -> bool {
    match expected.kind {
        Kind::DataRace => Identity::new(machine, found) == Identity::new(machine, expected),
        _ => same(machine, found, expected),
    }
}

/// The same kind, in the same thread, at the same place.
fn same(machine: &Machine, found: &Fault, expected: &Fault) -> bool {
    if expected.inputs.is_some() && expected.kind == Kind::DataRace {
        return alike(machine, found, expected);
    }
    found.kind == expected.kind && found.thread == expected.thread && found.stack == expected.stack
}

fn output(machine: &Machine) -> String {
    let bytes: Vec<u8> = machine.output().iter().flat_map(|(_, _, bytes)| bytes.iter().copied()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
