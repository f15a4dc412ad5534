//! Violations that are shown again: what to keep of one, and how to come there without a search.
use super::confirm::{Confirmed, again};
use super::{Error, STACK_BYTES, machine, monitor, panics};
use crate::replay::trace::Saved;
use crate::report::{Report, Statistics, Verdict, Violation};
use crate::request::Request;
use interp::fault::Fault;
use interp::memory::{Quarantine, SizeClass};
use interp::{BlockFootprints, InputValue, Machine, PromotedPlace, QueueUsage};
use por::{Move, ThreadId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// What it takes to come to a violation again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Recording {
    /// The schedule.
    pub moves: Vec<Move>,
    /// Parent and place of threads 1, 2, …
    pub threads: Vec<(ThreadId, u32)>,
    /// Memory whose plain accesses are moves.
    pub promoted: Vec<PromotedPlace>,
    /// Words in which threads count, and whether as signed numbers.
    #[serde(default)]
    pub counted: Vec<(PromotedPlace, bool)>,
    /// What atomic blocks touch.
    #[serde(default)]
    pub blocks: BlockFootprints,
    /// How queues of messages are kept.
    pub queues: QueueUsage,
    /// Size classes of blocks whose addresses are chosen.
    pub reused: Vec<SizeClass>,
    /// How soon addresses are used again, if that is known.
    #[serde(default)]
    pub quarantine: Option<Quarantine>,
    /// No number of a thread is used again.
    #[serde(default)]
    pub numbers_once: bool,
    /// The number of the layout of memory.
    pub layout: u32,
    /// In which order address space was given out to threads, if it is another one than that of the schedule.
    #[serde(default)]
    pub given_out: Vec<(u32, u32, u64)>,
    /// What was never written counts as a value.
    #[serde(default)]
    pub uses_unwritten: bool,
    /// Barriers may tell threads that do not look.
    #[serde(default)]
    pub tells_unasked: bool,
    /// Waits on a condition variable depend on one another.
    #[serde(default)]
    pub orders_waits: bool,
    /// The values of inputs, if these may be anything.
    #[serde(default)]
    pub inputs: Option<Vec<InputValue>>,
}

impl Recording {
    /// The schedule of a fault that clones of a machine have, which was not started.
    pub(super) fn new(pristine: &Machine, fault: &Fault, moves: Vec<Move>) -> Self {
        let inputs = fault.inputs.clone();
        let mut machine = inputs.as_ref().map_or_else(|| pristine.clone(), |inputs| pristine.with_inputs(inputs));
        machine.take_all_actions();
        machine.run_all_threads();
        por::replay(&mut machine, &moves, |_, _| {}, |_, _| {});
        Recording {
            moves,
            threads: machine.thread_numbers(),
            promoted: pristine.promoted_places(),
            counted: pristine.counted_places(),
            blocks: pristine.block_footprints(),
            queues: pristine.queue_usage(),
            reused: pristine.reused(),
            quarantine: Some(pristine.quarantine()),
            numbers_once: pristine.numbers_once(),
            layout: pristine.layout(),
            // (Mostly the schedule alone has address space given out in the same order.)
            given_out: match fault.given_out.starts_with(&machine.given_out()) {
                true => Vec::new(),
                false => fault.given_out.clone(),
            },
            uses_unwritten: pristine.uses_unwritten(),
            tells_unasked: pristine.tells_unasked(),
            orders_waits: pristine.orders_waits(),
            inputs,
        }
    }

    /// A machine that stands where the schedule begins.
    pub(crate) fn prepare(&self, pristine: &Machine) -> Result<Machine, String> {
        let mut machine = match pristine.layout() == self.layout {
            true => pristine.clone(),
            false => pristine.in_layout(self.layout).map_err(|error| error.to_string())?,
        };
        if let Some(inputs) = &self.inputs {
            machine = machine.with_inputs(inputs);
        }
        machine.take_all_actions();
        machine.number_threads(&self.threads);
        machine.promote_places(&self.promoted);
        machine.count_in_places(&self.counted);
        machine.set_block_footprints(&self.blocks);
        machine.keep_queues(self.queues);
        machine.reuse(&self.reused);
        if let Some(quarantine) = self.quarantine {
            machine.set_quarantine(quarantine);
        }
        if self.numbers_once {
            machine.number_once();
        }
        machine.give_out(&self.given_out)?;
        if self.uses_unwritten {
            machine.use_unwritten();
        }
        if self.tells_unasked {
            machine.tell_unasked();
        }
        if self.orders_waits {
            machine.order_waits();
        }
        Ok(machine)
    }
}

/// Which violations are the expected ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Likeness {
    /// Those that are the same in every respect.
    Same,
    /// Those of the same kind.
    Kind,
}

/// A machine that is about to start the program of a request. `warn` is told what weakens the answer.
pub(crate) fn prepare(request: &Request, warn: impl Fn(&str)) -> Result<Machine, Error> {
    panics::keep_quiet();
    let program = panics::caught(|| frontend::load(&request.inputs, &request.loading)).map_err(Error::Internal)??;
    program.warnings.iter().for_each(|warning| warn(warning));
    machine(request, Arc::new(program.module))
}

/// Takes the schedules of these violations on a machine that was not started yet; an error says which of them does not
/// show it.
pub(crate) fn replay(
    request: &Request,
    pristine: &Machine,
    saved: &[(&Saved, Recording)],
    likeness: Likeness,
    started: Instant,
) -> Result<Report, String> {
    let mut violations = Vec::new();
    let mut statistics = Statistics { executions: saved.len() as u64, ..Statistics::default() };
    for (saved, recording) in saved {
        let machine = recording.prepare(pristine)?;
        let wanted = |machine: &Machine, found: &Fault| match likeness {
            Likeness::Same => saved.is(&super::describe::violation(machine, found)),
            Likeness::Kind => saved.kind == found.kind.name(),
        };
        statistics.events += recording.moves.len() as u64;
        statistics.threads = statistics.threads.max(recording.threads.len() as u32 + 1);
        let (violation, instructions) =
            on_large_stack(|| match again(&machine, wanted, &saved.message, &recording.moves) {
                Confirmed::Violation { violation, instructions, .. } => Ok((*violation, instructions)),
                Confirmed::AfterEnd => Err(format!("`{}` comes after the end of the process", saved.message)),
                Confirmed::Mismatch(what) => Err(what),
            })?;
        statistics.instructions += instructions;
        violations.push(violation);
    }
    if !request.output.program_output {
        violations.iter_mut().for_each(|violation: &mut Violation| violation.output = None);
    }
    statistics.seconds = started.elapsed().as_secs_f64();
    statistics.peak_memory_bytes = monitor::peak_memory();
    Ok(Report {
        verdict: Verdict::Unsafe,
        reasons: Vec::new(),
        stopped_early: false,
        checkpoint: None,
        advice: Vec::new(),
        assumptions: Vec::new(),
        narrowed: None,
        violations,
        suppressed: Vec::new(),
        sampling: None,
        code: None,
        is_accepted: false,
        statistics,
        profile: None,
        answered: None,
        certificate: None,
        unfolding: None,
    })
}

/// As exploration does it: the machine may recurse deeply.
fn on_large_stack<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, || panics::caught(work));
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        thread.join().unwrap_or_else(|_| Err("the replay ended early".to_owned()))?
    })
}
