//! What the moves of a schedule do, in words: told while they are executed.
use super::demangle::demangled;
use super::describe;
use super::given::Supplied;
use crate::report::{Access, Effect, Step, Thread};
use interp::operation::Operation;
use interp::{Action, HeldLocks, Machine};
use por::{Move, System};

/// The error numbers of who could not have a lock or a semaphore: EAGAIN, EBUSY, ETIMEDOUT.
const REFUSED: [u64; 3] = [11, 16, 110];

/// The steps told so far.
#[derive(Debug, Default)]
pub(crate) struct Narration {
    /// In the order in which they happened. What each depends on is for others to say.
    pub steps: Vec<Step>,
    /// What was read from outside.
    pub supplied: Vec<Supplied>,
    /// The last one may be in vain.
    tries: bool,
    /// Which locks are held.
    locks: HeldLocks,
}

impl Narration {
    /// To be called before every move: knows what is about to happen.
    pub(crate) fn before(&mut self, machine: &Machine, step: Move) {
        let pending = machine.operation(step.thread).expect("a replayed thread stands before an operation");
        let described = machine.describe_operation(step.thread, pending, step.label);
        let woken = machine.woken_by(pending, step.label);
        let frames = describe::frames(machine.module(), &described.stack);
        let chosen = pending.operation.chosen(step.label).unwrap_or_default();
        self.tries = pending.operation.may_give_up();
        self.locks.before(machine, step.thread);
        self.supplied.extend(Supplied::by(&pending.operation, step, self.steps.len()));
        self.steps.push(Step {
            thread: describe::thread(machine, step.thread),
            action: demangled(&described.text),
            library: describe::library(&frames),
            place: describe::innermost(&frames),
            value: None,
            access: machine.variable_of(pending).map(|name| Access {
                variable: demangled(&name),
                read: None,
                written: match pending.operation {
                    Operation::Store { value: [low, _], .. } => Some(low.into()),
                    _ => None,
                },
            }),
            effect: match pending.operation {
                Operation::ThreadExit { .. } => Effect::Ends,
                Operation::CondWait { .. } => Effect::Waits,
                Operation::Given { matters, .. } => Effect::Chooses { value: chosen, matters: Some(matters) },
                Operation::Choose { .. } => Effect::Chooses { value: chosen, matters: None },
                Operation::CondSignal { .. }
                | Operation::CondBroadcast { .. }
                | Operation::FutexWake { .. }
                | Operation::FutexRequeue { .. } => {
                    Effect::Wakes(woken.into_iter().map(|id| describe::thread(machine, id)).collect())
                }
                _ => Effect::None,
            },
            holds: Vec::new(),
            after: None,
        });
    }

    /// To be called behind it: knows what came of it.
    pub(crate) fn behind(&mut self, machine: &Machine, step: Move) {
        let action = machine.last_action().filter(|action| action.thread == step.thread);
        let Some(last) = self.steps.last_mut() else { return };
        last.value = match machine.last_created() {
            Some(created) => {
                last.effect = Effect::Creates(describe::thread(machine, created));
                Some(format!("as thread {}", created.0))
            }
            None => match &last.effect {
                Effect::Wakes(woken) => Some(wakes(woken)),
                _ if self.tries && action.is_some_and(|action| REFUSED.contains(&action.result)) => {
                    Some("in vain".to_owned())
                }
                _ => action.and_then(|action| value(&action)),
            },
        };
        if let (Some(access), Some(action)) = (&mut last.access, action) {
            access.read = action.read;
            access.written = action.written.or(access.written);
        }
        last.holds = self.locks.behind(machine, step.thread).iter().map(|lock| demangled(lock)).collect();
    }
}

fn wakes(woken: &[Thread]) -> String {
    let names: Vec<&str> = woken.iter().map(|thread| thread.name.as_str()).collect();
    if names.is_empty() { "wakes nobody".to_owned() } else { format!("wakes {}", names.join(" and ")) }
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
