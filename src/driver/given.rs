//! What a program was given from outside in an execution: put together from the moves that read it.
use super::demangle::demangled;
use crate::report::given::{Given, Returned};
use interp::Machine;
use interp::operation::{Operation, Source};
use por::Move;

/// A value that was read from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Supplied {
    /// The place of the move in the schedule.
    step: usize,
    source: Source,
    value: i128,
}

impl Supplied {
    /// The value that a move reads, if it is one.
    pub(super) fn by(operation: &Operation, step: Move, at: usize) -> Option<Supplied> {
        let source = operation.source().filter(|source| *source != Source::Call)?;
        Some(Supplied { step: at, source, value: operation.chosen(step.label)? })
    }
}

/// What was read in that many moves. Nothing if nothing is open.
pub(super) fn given(machine: &Machine, supplied: &[Supplied], moves: usize) -> Option<Given> {
    let options = machine.options();
    let (open, concrete) = (&options.open, options.arguments.get(1..).unwrap_or_default());
    let mut given = Given {
        args: open.arguments.map(|_| concrete.iter().map(|arg| arg.clone().into_bytes()).collect()),
        stdin: open.stdin.map(|_| Vec::new()),
        externals: Vec::new(),
    };
    for Supplied { source, value, .. } in supplied.iter().filter(|supplied| supplied.step < moves) {
        match *source {
            Source::Call | Source::MoreStdin(_) => {}
            Source::ArgumentCount => args(&mut given).extend((0..*value).map(|_| Vec::new())),
            // (As long as they were not read, because something else happened before, they could be any.)
            Source::ArgumentLength(argument) => {
                args(&mut given)[argument as usize - 1] = vec![b'a'; *value as usize];
            }
            Source::ArgumentByte { argument, at } => {
                args(&mut given)[argument as usize - 1][at as usize] = *value as u8;
            }
            Source::StdinByte(at) => {
                let stdin = given.stdin.get_or_insert_default();
                stdin.resize(stdin.len().max(at as usize + 1), 0);
                stdin[at as usize] = *value as u8;
            }
            Source::External(function) => given.externals.push(Returned {
                function: demangled(&machine.module().functions[function as usize].name),
                value: *value,
            }),
        }
    }
    let is_open = open.arguments.is_some() || open.stdin.is_some() || open.externals.has_any();
    is_open.then_some(given)
}

fn args(given: &mut Given) -> &mut Vec<Vec<u8>> {
    given.args.as_mut().expect("arguments are open where they are read")
}
