//! The process that goes through inputs: it reads them itself, which the tool would never do, and may die of that.

use crate::input::Maker;
use crate::seeds::Form;
use interp::fault::Fault;
use interp::{Machine, Options};
use por::{Flow, Listener, Move, Order, Outcome, Statistics, System};
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stack of the thread that explores: that of the tool.
const STACK_BYTES: usize = 256 << 20;
/// Instructions without a visible action.
const STEPS: u64 = 20_000;
/// Executions of one program.
const EXECUTIONS: u64 = 20;
/// Actions of one execution.
const DEPTH: u64 = 2_000;
/// Time for one program, as far as the exploration asks.
const PATIENCE: Duration = Duration::from_secs(1);

/// Goes through the inputs `first`, `first + step`, … below `end`. Each line on the standard output says what comes
/// next: `at N`, then perhaps `panic N WHY` or `whole N`, for those that the whole tool has to be given to.
pub(crate) fn work(maker: &mut Maker, [first, end, step]: [u64; 3], scratch: &Path) {
    std::panic::set_hook(Box::new(|_| {}));
    let whole = |number: u64| number.is_multiple_of(500);
    for number in (first..end).step_by(step as usize) {
        say(&format!("at {number}"));
        let input = maker.make(number);
        if input.form == Form::Source || whole(number) {
            say(&format!("whole {number}"));
            continue;
        }
        let path = scratch.join(format!("{first}.{}", input.form.extension()));
        std::fs::write(&path, &input.bytes).expect("the input can be written");
        let reached = std::panic::catch_unwind(AssertUnwindSafe(|| through(&path)));
        match reached {
            Ok(stage) => say(&format!("{stage} {number}")),
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
                say(&format!("panic {number} {}", message.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
    }
}

/// One line, at once, for the process may die of what comes next.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody reads this");
}

/// Takes an input as far as it gets.
fn through(path: &Path) -> &'static str {
    let unit = |code: &runtime_model::Code| {
        let provides = code.provides().collect();
        frontend::load::LibraryUnit { name: code.name, provides, lp64: code.lp64, ilp32: code.ilp32 }
    };
    let library = runtime_model::CODE.iter().map(unit).collect();
    let options = frontend::Options { library, ..frontend::Options::default() };
    let Ok(program) = frontend::load(&[path.to_path_buf()], &options) else { return "rejected" };
    let options = Options { max_steps: STEPS, ..Options::default() };
    let Ok(machine) = Machine::new(Arc::new(program.module), runtime_model::registry(), options) else {
        return "rejected";
    };
    let explorer = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || explore(machine));
    match explorer.expect("a thread can be started").join() {
        Ok(()) => "explored",
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn explore(mut pristine: Machine) {
    let options = por::Options {
        cutoffs: Some(Order::Erv),
        max_executions: Some(EXECUTIONS),
        max_depth: DEPTH,
        memory: Some(200 << 20),
        ..por::Options::default()
    };
    let begin = Instant::now();
    loop {
        // (A schedule is replayed as it was found: numbers of threads are used again, or not.)
        pristine.prepare(options.needs());
        let mut machine = pristine.clone();
        let mut witness = Witness { pristine: &pristine, begin };
        let (outcome, _) = interp::engines::explore(&mut machine, &options, &mut witness);
        if outcome != Outcome::Restart || begin.elapsed() > PATIENCE {
            return;
        }
        pristine.learn_from(&machine);
    }
}

struct Witness<'a> {
    pristine: &'a Machine,
    begin: Instant,
}

impl Listener<Machine> for Witness<'_> {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        // Like the tool, which says what every step does.
        let replayed = por::replay(&mut self.pristine.clone(), &schedule, |_, _| {}, |_, _| {});
        let same = |found: &Fault| (found.kind, found.thread, &found.stack) == (fault.kind, fault.thread, &fault.stack);
        match replayed {
            por::Replayed::Finished(faults) if faults.iter().any(|(_, found)| same(found)) => Flow::Stop,
            _ => panic!("a bug cannot be replayed: {}", fault.message),
        }
    }

    fn poll(&mut self, _: &Machine, _: &Statistics) -> Flow {
        if self.begin.elapsed() > PATIENCE { Flow::Stop } else { Flow::Continue }
    }
}
