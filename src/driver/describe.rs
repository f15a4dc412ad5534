//! From the machine's ids to names and places.
use super::demangle::demangled;
use crate::report::printable::printable;
use crate::report::{Frame, Place, Related, Stack, Thread, Violation};
use frontend::ir::{LocId, Module, is_library_header};
use interp::Machine;
use interp::fault::{Fault, Kind, StackFrame};
use por::ThreadId;

/// A place, if the debug information has it.
pub(crate) fn place(module: &Module, id: LocId) -> Option<Place> {
    let location = &module.locations[id.index()];
    let file = module.files.get(location.file as usize)?;
    let known = location.line != 0;
    known.then(|| Place {
        file: printable(file),
        line: location.line,
        column: location.column,
        function: demangled(&location.function),
    })
}

/// A thread by its number and function.
pub(crate) fn thread(machine: &Machine, id: ThreadId) -> Thread {
    Thread {
        number: id.0,
        name: demangled(&machine.thread_name(id)),
        routine: machine.thread_routine(id).map(|id| printable(&machine.module().functions[id.index()].name)),
    }
}

/// A call stack with the calls that the compiler inlined.
pub(crate) fn frames(module: &Module, stack: &[StackFrame]) -> Vec<Frame> {
    let mut frames = Vec::new();
    for frame in stack {
        let mut at = Some(frame.location);
        while let Some(id) = at {
            let location = &module.locations[id.index()];
            at = location.inlined_at;
            // The outermost level is the function itself, whatever the debug information calls it.
            let function = match at {
                Some(_) => &location.function,
                None => &module.functions[frame.function.index()].name,
            };
            frames.push(Frame { function: demangled(function), place: place(module, id) });
        }
    }
    frames
}

/// The innermost place that is known; one in the program, if there is any, rather than in a header of the C++ library.
pub(crate) fn innermost(frames: &[Frame]) -> Option<Place> {
    let known = || frames.iter().filter_map(|frame| frame.place.as_ref());
    known().find(|place| !is_library_header(&place.file)).or_else(|| known().next()).cloned()
}

/// The library function that the program called, if the innermost frame belongs to the library's own code, which alone
/// has no places.
pub(crate) fn library(frames: &[Frame]) -> Option<String> {
    let program = frames.iter().position(|frame| frame.place.is_some())?;
    frames[..program].last().map(|frame| frame.function.clone())
}

/// How many reads of what was never written a report tells of: the last ones.
const UNWRITTEN_READS: usize = 10;

/// What was read where nothing was written, the same once. (No thread belongs to it: where one is named, its part of
/// the fault is told.)
fn unwritten(machine: &Machine) -> Vec<Related> {
    let mut all: Vec<Related> = Vec::new();
    for read in machine.unwritten_reads().iter().rev() {
        let frames = frames(machine.module(), &read.stack);
        let message = format!("{} reads {} where nothing was written", thread(machine, read.thread).name, read.value);
        if all.iter().any(|other| other.message == message && other.frames == frames) {
            continue;
        }
        if all.len() == UNWRITTEN_READS {
            break;
        }
        let place = innermost(&frames);
        all.push(Related { message, thread: None, steps: None, place, frames, waits_for: Vec::new() });
    }
    all.reverse();
    all
}

/// A fault in words, without the schedule.
pub(crate) fn violation(machine: &Machine, fault: &Fault) -> Violation {
    let module = machine.module();
    let own = frames(module, &fault.stack);
    // The machine stands at the end of the schedule, so threads that are blocked for ever are blocked in it.
    let awaited = |id| match fault.kind {
        Kind::Deadlock | Kind::Livelock => {
            machine.waits_for_threads(id).iter().map(|id| thread(machine, *id)).collect()
        }
        _ => Vec::new(),
    };
    let related = fault.related.iter().map(|related| {
        let frames = frames(module, &related.stack);
        Related {
            message: demangled(&related.message),
            thread: related.thread.map(|id| thread(machine, id)),
            steps: related.event,
            place: innermost(&frames),
            frames,
            waits_for: related.thread.map(awaited).unwrap_or_default(),
        }
    });
    let unwritten = unwritten(machine);
    let others = fault.others.iter().map(|(id, stack)| (*id, frames(module, stack)));
    let stacks = std::iter::once((fault.thread, own.clone())).chain(others);
    Violation {
        kind: fault.kind,
        rule: fault.rule,
        rests_on_unwritten: machine.rests_on_unwritten(),
        message: demangled(&fault.message),
        place: innermost(&own),
        thread: thread(machine, fault.thread),
        related: related.chain(unwritten).collect(),
        stacks: stacks.map(|(id, frames)| Stack { thread: thread(machine, id), frames }).collect(),
        trace: Vec::new(),
        given: None,
        output: None,
        replay: None,
    }
}
