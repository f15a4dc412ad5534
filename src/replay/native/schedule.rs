//! A schedule as the runtime of native replays reads it: one line for each move that threads make by a call or an
//! access that can be seen from outside.
use crate::driver::Recording;
use crate::report::Violation;
use frontend::ir::{LocId, Module};
use interp::Machine;
use interp::fault::{Kind, StackFrame};
use interp::operation::{Operation, Source, Wait};
use por::{Move, System, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::Write;

/// A place in the source: file, line and column.
pub(super) type Spot = (String, u32, u32);

/// The moves, and what is to happen after them.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    moves: Vec<Step>,
    /// What is to happen, and to which thread.
    goal: Option<(Kind, u32)>,
    /// The threads that are to be blocked.
    stuck: Vec<u32>,
    /// The two accesses of a race: thread and place.
    ends: Vec<(u32, usize)>,
    /// Where accesses matter, or calls; places are numbers of these.
    pub(super) spots: Vec<Spot>,
    /// The place of the failure, if it is one of a single thread.
    pub(super) fault: Option<usize>,
}

/// A move of the runtime's.
#[derive(Debug)]
struct Step {
    thread: u32,
    kind: &'static str,
    result: i64,
    other: u32,
    spot: Option<usize>,
    /// The global variable, and how far into it.
    variable: Option<(String, u64)>,
}

impl Schedule {
    /// The schedule of a violation; an error says why it cannot be enforced.
    pub(super) fn new(pristine: &Machine, recording: &Recording, violation: &Violation) -> Result<Self, String> {
        let mut schedule = Schedule { goal: Some((violation.kind, violation.thread.number)), ..Schedule::default() };
        let mut machine = recording.prepare(pristine)?;
        let moves = &recording.moves[..violation.trace.len().min(recording.moves.len())];
        let building = RefCell::new(Building {
            schedule: &mut schedule,
            waiting: FxHashMap::default(),
            made: None,
            refused: None,
        });
        let before = |machine: &Machine, step: Move| building.borrow_mut().before(machine, step);
        let after = |machine: &Machine, step: Move| building.borrow_mut().after(machine, step);
        por::replay(&mut machine, moves, before, after);
        if let Some(refused) = building.into_inner().refused {
            return Err(refused);
        }
        match violation.kind {
            Kind::Deadlock => {
                let waiting = violation.related.iter().filter_map(|related| related.thread.as_ref());
                schedule.stuck =
                    std::iter::once(&violation.thread).chain(waiting).map(|thread| thread.number).collect();
                schedule.stuck.sort_unstable();
                schedule.stuck.dedup();
                // A thread that waits for itself comes to its last operation, and stays in it.
                if machine.operation(ThreadId(violation.thread.number)).is_none() {
                    schedule.moves.pop_if(|last| last.thread == violation.thread.number);
                }
            }
            Kind::DataRace => schedule.meet(violation)?,
            _ => {
                let own = violation.stacks.first().and_then(|stack| stack.frames.first());
                let place = own.and_then(|frame| frame.place.as_ref());
                schedule.fault = place.map(|place| schedule.spot((place.file.clone(), place.line, place.column)));
            }
        }
        Ok(schedule)
    }

    /// How many moves are enforced.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The file that the runtime reads. `address` finds variables; `ranges` are instructions and the spots that they
    /// belong to.
    pub(super) fn text(&self, address: impl Fn(&str) -> Option<u64>, ranges: &[(u64, u64, usize)]) -> String {
        let mut text = String::new();
        for step in &self.moves {
            let base = step.variable.as_ref().and_then(|(name, offset)| Some(address(name)? + offset));
            let spot = step.spot.map_or(-1, |spot| spot as i64);
            let Step { thread, kind, result, other, .. } = step;
            let _ = writeln!(text, "move {thread} {kind} {result} {other} {spot} {:x}", base.unwrap_or(0));
        }
        for (low, high, spot) in ranges {
            let _ = writeln!(text, "range {low:x} {high:x} {spot}");
        }
        if let Some((kind, thread)) = &self.goal {
            let _ = writeln!(text, "goal {} {thread}", kind.name());
        }
        for thread in &self.stuck {
            let _ = writeln!(text, "stuck {thread}");
        }
        for (thread, spot) in &self.ends {
            let _ = writeln!(text, "end {thread} {spot}");
        }
        text
    }

    fn spot(&mut self, spot: Spot) -> usize {
        let known = self.spots.iter().position(|known| *known == spot);
        known.unwrap_or_else(|| {
            self.spots.push(spot);
            self.spots.len() - 1
        })
    }

    /// The two accesses of a race are not made, but come to at the same time.
    fn meet(&mut self, violation: &Violation) -> Result<(), String> {
        let unknown = || "it is not known where the accesses of the race are".to_owned();
        let other = violation.related.iter().find(|related| related.thread.is_some()).ok_or_else(unknown)?;
        let other_thread = other.thread.as_ref().map(|thread| thread.number).ok_or_else(unknown)?;
        let own = violation.stacks.first().map(|stack| stack.frames.as_slice()).unwrap_or_default();
        for (thread, frames) in [(other_thread, other.frames.as_slice()), (violation.thread.number, own)] {
            let place = frames.first().and_then(|frame| frame.place.as_ref()).ok_or_else(unknown)?;
            let spot = self.spot((place.file.clone(), place.line, place.column));
            self.ends.push((thread, spot));
            // One that is an action itself is not taken any more.
            let last = self.moves.iter().rposition(|step| step.thread == thread);
            if let Some(last) = last.filter(|last| self.moves[*last].spot == Some(spot)) {
                self.moves.remove(last);
            }
        }
        Ok(())
    }
}

/// A schedule in the making.
struct Building<'a> {
    schedule: &'a mut Schedule,
    /// The move with which a thread began to wait on a condition variable.
    waiting: FxHashMap<ThreadId, usize>,
    /// The move that the machine makes, if it is one that is enforced.
    made: Option<usize>,
    refused: Option<String>,
}

impl Building<'_> {
    fn before(&mut self, machine: &Machine, step: Move) {
        self.made = None;
        let pending = machine.operation(step.thread).expect("a replayed thread stands before an operation");
        for woken in machine.woken_by(pending, step.label) {
            if let Some(wait) = self.waiting.get(&woken) {
                self.schedule.moves[*wait].other = 1;
            }
        }
        let described = machine.describe_operation(step.thread, pending, step.label);
        // What it is given in another way, and what the C library does in its own.
        let is_given = |source: Source| !matches!(source, Source::Call | Source::External(_));
        if pending.operation.source().is_some_and(is_given) || is_inside_streams(machine.module(), &described.stack) {
            return;
        }
        let kind = match kind(&pending.operation, &described.text) {
            Ok(Some(kind)) => kind,
            Ok(None) => return,
            Err(why) => {
                self.refused.get_or_insert(why);
                return;
            }
        };
        if kind == "wait" {
            self.waiting.insert(step.thread, self.schedule.moves.len());
        }
        let accessed = match pending.operation {
            Operation::Load { address, .. } | Operation::Store { address, .. } => machine.global_at(address),
            _ => None,
        };
        // (Its bits, also of those that are not signed.)
        let result = pending.operation.chosen(step.label).unwrap_or(0) as i64;
        let spot = spot_of(machine.module(), described.location).map(|spot| self.schedule.spot(spot));
        self.made = Some(self.schedule.moves.len());
        self.schedule.moves.push(Step {
            thread: step.thread.0,
            kind,
            result,
            other: 0,
            spot: spot.filter(|_| matches!(kind, "access" | "atomic")),
            variable: accessed.map(|(name, offset)| (name.to_owned(), offset)),
        });
    }

    fn after(&mut self, machine: &Machine, step: Move) {
        let Some(last) = self.made.map(|made| &mut self.schedule.moves[made]) else { return };
        if let Some(created) = machine.last_created() {
            last.other = created.0;
        }
        let done = machine.last_action().filter(|action| action.thread == step.thread);
        if let Some(action) = done.filter(|_| last.kind != "choose") {
            // What C code gets is an int.
            last.result = i64::from(action.result as i32);
        }
    }
}

/// What the runtime calls an operation: nothing if there is nothing to see of it, an error if it cannot hold it back.
fn kind(operation: &Operation, text: &str) -> Result<Option<&'static str>, String> {
    let refused = |why: &str| Err(format!("{why} (a thread {text})"));
    Ok(Some(match operation {
        Operation::AtomicLoad { .. }
        | Operation::AtomicStore { .. }
        | Operation::AtomicRmw { .. }
        | Operation::CompareExchange { .. } => "atomic",
        Operation::Load { .. } | Operation::Store { .. } => "access",
        Operation::CopyRead { .. } | Operation::CopyWrite { .. } | Operation::Fill { .. } => {
            return refused("a copy of shared memory takes several actions");
        }
        Operation::Free { .. } | Operation::Allocate { .. } => {
            return refused("a free or an allocation matters to others, and the C library cannot be held back there");
        }
        Operation::Create { c11: true, .. } | Operation::Join { c11: true, .. } => {
            return refused("threads of <threads.h> are not supported");
        }
        Operation::Cancel { .. } | Operation::TestCancel { .. } => return refused("cancellation is not supported"),
        Operation::Create { .. } => "create",
        Operation::Join { .. } => "join",
        Operation::MutexLock { .. }
        | Operation::ReadLock { .. }
        | Operation::WriteLock { .. }
        | Operation::SpinLock { .. } => "lock",
        Operation::MutexUnlock { .. } | Operation::ReadWriteUnlock { .. } | Operation::SpinUnlock { .. } => "unlock",
        Operation::MutexDestroy { .. }
        | Operation::CondDestroy { .. }
        | Operation::ReadWriteDestroy { .. }
        | Operation::SpinDestroy { .. }
        | Operation::SemaphoreDestroy { .. }
        | Operation::BarrierDestroy { .. } => "destroy",
        Operation::CondWait { .. } => "wait",
        Operation::CondReacquire { wait: Wait::Cancelled, .. } => return refused("cancellation is not supported"),
        Operation::CondReacquire { .. } if text.starts_with("waits no longer") => "give-up",
        Operation::CondReacquire { .. } => "reacquire",
        Operation::CondSignal { .. } | Operation::CondBroadcast { .. } => "wake",
        Operation::SemaphoreInit { .. } | Operation::BarrierInit { .. } => "init",
        Operation::SemaphoreWait { .. } => "take",
        Operation::SemaphorePost { .. } => "post",
        Operation::SemaphoreValue { .. } => "look",
        Operation::BarrierArrive { .. } => "arrive",
        Operation::BarrierLeave { .. } => "leave",
        Operation::QueuePut { .. }
        | Operation::QueueTake { .. }
        | Operation::QueueLook { .. }
        | Operation::QueueClose { .. } => return refused("messages and pipes are not supported"),
        Operation::FutexWait { .. }
        | Operation::FutexAwait { .. }
        | Operation::FutexWake { .. }
        | Operation::FutexRequeue { .. } => return refused("futexes are not supported"),
        Operation::OnceBegin { .. } => "once",
        Operation::OnceEnd { .. } => "once-end",
        Operation::Choose { .. } | Operation::Given { .. } => "choose",
        Operation::Input { .. } | Operation::Decide { .. } => return refused("inputs have no values"),
        Operation::AtomicBegin => "block",
        Operation::ProcessExit { .. } => "exit",
        // Only a thread that joins waits for these, and the C library sees to that.
        Operation::ThreadExit { .. }
        | Operation::Detach { .. }
        | Operation::BeginVariable { .. }
        | Operation::EndVariable { .. }
        | Operation::EndThreadVariable { .. }
        | Operation::AssumeFailed
        | Operation::InVain { .. } => return Ok(None),
    }))
}

/// Whether code of ours does this in a call for which the C library has its own, as it does for files and streams: with
/// locks of which nobody hears.
fn is_inside_streams(module: &Module, stack: &[StackFrame]) -> bool {
    let is_ours = |frame: &&StackFrame| spot_of(module, frame.location).is_none();
    let called = stack.iter().take_while(is_ours).last();
    let name = |frame: &StackFrame| module.functions[frame.function.index()].name.as_str();
    let mut units = runtime_model::CODE.iter().filter(|unit| ["scan", "streams", "files"].contains(&unit.name));
    called.is_some_and(|frame| units.any(|unit| unit.provides().any(|provided| provided == name(frame))))
}

fn spot_of(module: &Module, id: LocId) -> Option<Spot> {
    let location = module.locations.get(id.index())?;
    let file = module.files.get(location.file as usize)?;
    (location.line != 0).then(|| (file.clone(), location.line, location.column))
}
