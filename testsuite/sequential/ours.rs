//! The programs as this tool runs them.
use frontend::ir::Module;
use interp::fault::{Fault, Kind};
use interp::{Machine, Output};
use por::{Ending, Flow, Listener, Move, Outcome};
use std::sync::Arc;

/// What the tool says of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Safe, with this output and exit code.
    Safe { output: String, status: Option<u8> },
    /// A bug of this kind, with its message and the lines of the functions that were running.
    Bug { kind: Kind, message: String, lines: Vec<u32> },
    /// Neither, for this reason.
    Unknown(String),
}

/// Compiles a text and explores each of its programs.
pub(crate) fn run(text: &str, count: usize, wide: bool, cflags: &[&str]) -> Result<Vec<Verdict>, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, text).expect("it can be written");
    let model = if wide { frontend::ir::DataModel::Lp64 } else { frontend::ir::DataModel::Ilp32 };
    let cflags = ["-w", "-std=gnu17"].iter().chain(cflags).map(|flag| (*flag).to_owned()).collect();
    let unit = |code: &runtime_model::Code| {
        let provides = code.provides().collect();
        frontend::load::LibraryUnit { name: code.name, provides, lp64: code.lp64, ilp32: code.ilp32 }
    };
    let library = runtime_model::CODE.iter().map(unit).collect();
    let options = frontend::Options { model: Some(model), cflags, library, ..frontend::Options::default() };
    let module = Arc::new(frontend::load(&[path], &options).map_err(|error| error.to_string())?.module);
    let registry = runtime_model::registry();
    let explored = |number: usize| {
        let arguments = vec!["program".to_owned(), number.to_string()];
        let options = interp::Options { arguments, output: Output::Keep, ..interp::Options::default() };
        let machine = Machine::new(Arc::clone(&module), registry, options).map_err(|error| error.to_string());
        let verdict = machine.and_then(|mut machine| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| explore(&mut machine, &module)))
                .map_err(|_| "a panic".to_owned())
        });
        verdict.unwrap_or_else(|error| Verdict::Unknown(format!("internal error: {error}")))
    };
    Ok((0..count).map(explored).collect())
}

fn explore(machine: &mut Machine, module: &Module) -> Verdict {
    loop {
        let mut seen = Seen { module, found: None };
        let mut running = machine.clone();
        match interp::engines::explore(&mut running, &por::Options::default(), &mut seen).0 {
            Outcome::Restart => machine.learn_from(&running),
            outcome => return seen.found.unwrap_or_else(|| Verdict::Unknown(format!("{outcome:?}"))),
        }
    }
}

/// The first thing that was found.
struct Seen<'a> {
    module: &'a Module,
    found: Option<Verdict>,
}

impl Listener<Machine> for Seen<'_> {
    fn execution(&mut self, machine: &Machine, _: Ending, _: &[Move]) -> Flow {
        let bytes: Vec<u8> = machine.output().iter().flat_map(|(_, _, bytes)| bytes.iter().copied()).collect();
        let output = String::from_utf8_lossy(&bytes).into_owned();
        self.found.get_or_insert(Verdict::Safe { output, status: machine.exit_status().map(|status| status as u8) });
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, _: Vec<Move>) -> Flow {
        let lines = fault.stack.iter().map(|frame| self.module.locations[frame.location.index()].line).collect();
        self.found = Some(Verdict::Bug { kind: fault.kind, message: fault.message, lines });
        Flow::Stop
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.found = Some(Verdict::Unknown(reason));
        Flow::Stop
    }
}
