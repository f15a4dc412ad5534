//! How a program is explored for a property, by the rules of the competition.
use super::inline;
use super::property::{MemoryFormula, Property};
use crate::cli::high::budget;
use crate::cli::low::CheckArguments;
use crate::request::{AfterBug, Limits, Request, Rules, UsageError, Workers};
use frontend::ir::DataModel;
use interp::fault::Kind;
use interp::memory::Quarantine;
use interp::{Checks, Leaks, Uninitialised};
use runtime_model::Forbidden;
use std::path::PathBuf;

/// The question, apart from the property.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The files of the program.
    pub inputs: Vec<PathBuf>,
    /// Sizes of the target.
    pub model: DataModel,
    /// How many values of integers are tried, see `--nondet`; `None`: all, as symbolic data.
    pub nondet: Option<u32>,
    /// When to give up.
    pub limits: Limits,
    /// The compiler.
    pub clang: Option<String>,
}

/// Warnings of clang are of no use here; and what older C allowed is no error, for the programs were made with
/// compilers that take it.
const CFLAGS: [&str; 6] = [
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-type",
];

/// Has clang check what the code no longer shows: constant expressions, and whether a shift is one of signed numbers.
const OVERFLOW: [&str; 1] = ["-fsanitize=signed-integer-overflow,shift-base"];

/// The exploration that answers the question. Nothing if there is no way to.
pub(crate) fn request(property: &Property, question: &Question) -> Result<Option<Request>, UsageError> {
    let (forbidden, kinds): (Forbidden, &[Kind]) = match property {
        Property::UnreachCall(name) => (Forbidden::Call(name.clone()), &[Kind::Assertion]),
        Property::NoOverflow => (Forbidden::SignedOverflow, &[Kind::Assertion]),
        Property::NoDataRace => (Forbidden::Nothing, &[Kind::DataRace]),
        // A leak in a program that is wrong before its end is none of the property's, so both are looked for.
        Property::Memory(asked) if asked.iter().any(|formula| formula.is_about_leaks()) => {
            (Forbidden::Nothing, &[Kind::Memory, Kind::Leak])
        }
        Property::Memory(_) => (Forbidden::Nothing, &[Kind::Memory]),
        Property::Termination => return Ok(None),
    };
    let usual = Request::new(CheckArguments::of(question.inputs.clone()))?;
    let flags: &[&str] = if *property == Property::NoOverflow { &OVERFLOW } else { &[] };
    Ok(Some(Request {
        machine: interp::Options {
            checks: kinds.iter().copied().collect::<Checks>(),
            leaks: match property {
                Property::Memory(asked) if asked.contains(&MemoryFormula::Memcleanup) => Leaks::All,
                _ => Leaks::Untracked,
            },
            nondet: question.nondet.unwrap_or(0),
            // What was never written may be anything. (What the program asks for is one of a few values, see `nondet`.)
            uninitialised: Uninitialised::Any,
            // The rules take condition variables as POSIX has them.
            spurious_wakeups: true,
            ..usual.machine
        },
        loading: frontend::Options {
            clang: question.clang.clone(),
            model: Some(question.model),
            own_lines: true,
            // Standard input may be anything, too.
            library: {
                let scan = crate::cli::high::unit(&runtime_model::SCAN_ANYTHING);
                std::iter::once(scan).chain(usual.loading.library.iter().cloned()).collect()
            },
            unwritten_in_memory: true,
            cflags: {
                let all = CFLAGS.iter().chain(flags).copied().chain(inline::flag(&question.inputs));
                all.map(str::to_owned).collect()
            },
            ..usual.loading
        },
        exploration: por::Options {
            memory: question.limits.memory.map(|limit| budget(limit, usual.others_beside)),
            ..usual.exploration
        },
        limits: question.limits,
        after_bug: AfterBug::Stop,
        // (What counts is the time of all processors together.)
        workers: Workers::ONE,
        rules: Rules::Competition(forbidden),
        ..usual
    }))
}

/// The same with addresses that are never given out again.
pub(crate) fn with_fresh_addresses(request: &Request) -> Request {
    Request {
        machine: interp::Options { quarantine: Some(Quarantine::ENDLESS), ..request.machine.clone() },
        ..request.clone()
    }
}
