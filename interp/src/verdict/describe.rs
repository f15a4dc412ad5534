//! Operations in words, for schedules.
use crate::machine::Machine;
use crate::memory::{ObjectKey, Role};
use crate::operation::{End, Operation, Patience, QueueKind, Source, Wait};
use crate::sync::SyncState;
use crate::sync::cancel::IS_CANCELLED;
use crate::sync::condition::{SPURIOUS, TIME_OVER};
use crate::thread::Pending;
use crate::verdict::fault::StackFrame;
use frontend::ir::{LocId, RmwOp};
use por::{ObjectId, ThreadId};

/// What a thread is about to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperationDescription {
    /// A verb and its object: "locks mutex `m`".
    pub text: String,
    /// Where the innermost frame stands.
    pub location: LocId,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
}

/// What the last action did, for the values shown in schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// The thread that did it.
    pub thread: ThreadId,
    /// The value that was read from memory, if it was an atomic access that reads.
    pub read: Option<u128>,
    /// The value that was written to memory, if it was an atomic access that writes.
    pub written: Option<u128>,
    /// The result, such as an error number or the value chosen.
    pub result: u64,
}

impl Machine {
    /// What a thread is about to do in the variant with that label, in words.
    pub fn describe_operation(&self, thread: ThreadId, pending: &Pending, label: u32) -> OperationDescription {
        let stack = self.stack(thread);
        let location = stack.first().map_or(LocId(0), |frame| frame.location);
        OperationDescription { text: self.text(&pending.operation, label), location, stack }
    }

    /// What the last executed action did.
    pub fn last_action(&self) -> Option<Action> {
        self.segment.last_action
    }

    /// The thread that the last executed action created.
    pub fn last_created(&self) -> Option<ThreadId> {
        self.segment.created
    }

    /// An object of the exploration, as reports name it. (Memory may have been freed since.)
    pub fn name_of_shared(&self, object: ObjectId) -> String {
        match self.state.memory.ids.key(object) {
            ObjectKey::InMemory { role: Role::Queue, .. } => "messages between threads".to_owned(),
            // (Above that is the number of a thread.)
            ObjectKey::InMemory { role: Role::Futex | Role::Section, base, offset, .. } => {
                self.name_of(base + (offset & ((1 << 48) - 1)))
            }
            ObjectKey::InMemory { base, offset, .. } => self.name_of(base.wrapping_add(offset)),
            ObjectKey::Thread(thread) => format!("the end of {}", self.thread_name(ThreadId(thread))),
            ObjectKey::Line(thread) => {
                format!("the first actions of {} and others like it", self.thread_name(ThreadId(thread)))
            }
            ObjectKey::Process(_) => "the whole process".to_owned(),
            ObjectKey::Freed { .. } => "addresses of freed blocks".to_owned(),
        }
    }

    /// The memory that an operation reads or writes, as reports name it.
    pub fn variable_of(&self, pending: &Pending) -> Option<String> {
        match pending.operation {
            Operation::AtomicLoad { address, .. }
            | Operation::AtomicStore { address, .. }
            | Operation::AtomicRmw { address, .. }
            | Operation::CompareExchange { address, .. }
            | Operation::Load { address, .. }
            | Operation::Store { address, .. } => Some(self.name_of(address)),
            _ => None,
        }
    }

    /// The threads that wait on a condition variable and go on when the operation happens in that variant.
    pub fn woken_by(&self, pending: &Pending, label: u32) -> Vec<ThreadId> {
        let waiting = match pending.operation {
            Operation::CondSignal { .. } if label > 0 => 1 << (label - 1),
            Operation::CondBroadcast { .. } => match self.sync_state(pending.objects[0]) {
                SyncState::Condition { waiting, .. } => waiting,
                _ => 0u64,
            },
            Operation::FutexWake { .. } | Operation::FutexRequeue { .. } => self.woken_at(pending, label),
            _ => 0,
        };
        (0..64).filter(|thread| waiting >> thread & 1 != 0).map(ThreadId).collect()
    }

    fn text(&self, operation: &Operation, label: u32) -> String {
        let name = |address| self.name_of(address);
        let object = |address| self.state.memory.name_of_object(&self.program.module, address);
        match *operation {
            Operation::AtomicLoad { address, .. } => format!("reads atomic {}", name(address)),
            Operation::AtomicStore { address, value, .. } => {
                format!("writes {} to atomic {}", value[0], name(address))
            }
            Operation::AtomicRmw { op, address, value, .. } => {
                let verb = match op {
                    RmwOp::Xchg => "exchanges".to_owned(),
                    RmwOp::Add | RmwOp::PointerAdd | RmwOp::FAdd => format!("adds {} to", value[0]),
                    RmwOp::Sub | RmwOp::PointerSub | RmwOp::FSub => format!("subtracts {} from", value[0]),
                    other => format!("updates ({other:?} {})", value[0]),
                };
                format!("{verb} atomic {}", name(address))
            }
            Operation::CompareExchange { address, expected, new, .. } => {
                format!("compares and exchanges atomic {} ({} to {})", name(address), expected[0], new[0])
            }
            Operation::Load { address, .. } | Operation::CopyRead { from: address, .. } => {
                format!("reads {}", name(address))
            }
            Operation::Store { address, value: [value, _], .. } | Operation::CopyWrite { to: address, value, .. } => {
                format!("writes {value} to {}", name(address))
            }
            Operation::Fill { to, value, .. } => format!("writes {value} to each byte of {}", object(to)),
            Operation::Free { address } => format!("frees {}", object(address)),
            Operation::Allocate { .. } if label == 0 => "allocates a block at a fresh address".to_owned(),
            Operation::Allocate { .. } => {
                format!("allocates a block where thread {} has freed its last one", label - 1)
            }
            Operation::EndVariable { address } | Operation::EndThreadVariable { address, .. } => {
                format!("ends the life of {}", object(address))
            }
            Operation::BeginVariable { address } => format!("begins the life of {}", object(address)),
            Operation::Create { routine, .. } => format!("creates a thread that runs {}", name(routine)),
            Operation::ThreadExit { .. } => "ends".to_owned(),
            Operation::SemaphoreWait { .. } | Operation::Join { .. } if label == IS_CANCELLED => {
                "waits no longer: it was asked to end".to_owned()
            }
            Operation::Join { handle, .. } => format!("joins {}", self.handle_name(handle)),
            Operation::Detach { handle } => format!("detaches {}", self.handle_name(handle)),
            Operation::MutexLock { mutex, patience } => format!("{} mutex {}", locks(patience), name(mutex)),
            Operation::MutexUnlock { mutex } => format!("unlocks mutex {}", name(mutex)),
            Operation::MutexDestroy { mutex } => format!("destroys mutex {}", name(mutex)),
            Operation::CondWait { condition, mutex, .. } => {
                let how = if label == SPURIOUS { "waits, until it wakes up by itself," } else { "waits" };
                format!("releases mutex {} and {how} on condition variable {}", name(mutex), name(condition))
            }
            Operation::FutexWait { address, expected, .. } => {
                format!("waits on futex {} if that is {expected}", name(address))
            }
            Operation::FutexAwait { address, .. } if label == TIME_OVER => {
                format!("waits no longer on futex {}: the time is over", name(address))
            }
            Operation::FutexAwait { address, .. } => format!("goes on after a wake-up on futex {}", name(address)),
            Operation::FutexWake { address, .. } => format!("wakes threads that wait on futex {}", name(address)),
            Operation::FutexRequeue { address, to, .. } => {
                format!("wakes threads that wait on futex {}, and moves others to futex {}", name(address), name(to))
            }
            Operation::Cancel { handle } => format!("asks {} to end", self.handle_name(handle)),
            Operation::TestCancel { .. } if label == IS_CANCELLED => "ends, as it was asked to".to_owned(),
            Operation::TestCancel { .. } => "looks whether it was asked to end".to_owned(),
            Operation::CondReacquire { condition, .. } if label == IS_CANCELLED => {
                let name = name(condition);
                format!("waits no longer on condition variable {name}: it was asked to end")
            }
            Operation::CondReacquire { condition, .. } if label == TIME_OVER => {
                format!("waits no longer on condition variable {}: the time is over", name(condition))
            }
            Operation::CondReacquire { condition, mutex, wait: Wait::TimedOut } => {
                format!("goes on behind condition variable {} and locks mutex {}", name(condition), name(mutex))
            }
            Operation::CondReacquire { condition, mutex, .. } => {
                format!("wakes up on condition variable {} and locks mutex {}", name(condition), name(mutex))
            }
            Operation::CondSignal { condition } => format!("signals condition variable {}", name(condition)),
            Operation::CondBroadcast { condition } => {
                format!("wakes all that wait on condition variable {}", name(condition))
            }
            Operation::CondDestroy { condition } => format!("destroys condition variable {}", name(condition)),
            Operation::ReadLock { lock, patience } => {
                format!("{} read-write lock {} for reading", locks(patience), name(lock))
            }
            Operation::WriteLock { lock, patience } => {
                format!("{} read-write lock {} for writing", locks(patience), name(lock))
            }
            Operation::ReadWriteUnlock { lock } => format!("unlocks read-write lock {}", name(lock)),
            Operation::ReadWriteDestroy { lock } => format!("destroys read-write lock {}", name(lock)),
            Operation::SpinLock { lock, patience } => format!("{} spin lock {}", locks(patience), name(lock)),
            Operation::SpinUnlock { lock } => format!("unlocks spin lock {}", name(lock)),
            Operation::SpinDestroy { lock } => format!("destroys spin lock {}", name(lock)),
            Operation::SemaphoreInit { semaphore, value } => {
                format!("initialises semaphore {} with {value}", name(semaphore))
            }
            Operation::SemaphoreWait { semaphore, patience } => {
                let how = match patience {
                    Patience::Forever => "waits for",
                    Patience::ForATime => "waits for a time for",
                    Patience::Never => "tries to wait for",
                };
                format!("{how} semaphore {}", name(semaphore))
            }
            Operation::SemaphorePost { semaphore } => format!("posts semaphore {}", name(semaphore)),
            Operation::SemaphoreValue { semaphore } => format!("looks at semaphore {}", name(semaphore)),
            Operation::SemaphoreDestroy { semaphore } => format!("destroys semaphore {}", name(semaphore)),
            Operation::BarrierInit { barrier, count } => {
                format!("initialises barrier {} for {count} threads", name(barrier))
            }
            Operation::BarrierArrive { barrier, .. } => format!("arrives at barrier {}", name(barrier)),
            Operation::BarrierLeave { barrier, .. } => format!("leaves barrier {}", name(barrier)),
            Operation::BarrierDestroy { barrier } => format!("destroys barrier {}", name(barrier)),
            Operation::QueuePut { .. } | Operation::QueueTake { .. } if label == IS_CANCELLED => {
                "waits no longer: it was asked to end".to_owned()
            }
            Operation::QueuePut { queue, kind: kind @ QueueKind::Stream, size, .. } => {
                format!("writes {size} bytes to {}", self.queue_name(queue, kind))
            }
            Operation::QueuePut { queue, kind, tag, .. } => {
                let what = if kind == QueueKind::SystemV { "type" } else { "priority" };
                format!("sends a message of {what} {tag} to {}", self.queue_name(queue, kind))
            }
            Operation::QueueTake { queue, kind: kind @ QueueKind::Stream, size, .. } => {
                format!("reads up to {size} bytes from {}", self.queue_name(queue, kind))
            }
            Operation::QueueTake { queue, kind, choice, except, .. } => {
                let which = match choice {
                    0 => String::new(),
                    1.. if except => format!(" of any type but {choice}"),
                    1.. => format!(" of type {choice}"),
                    _ => format!(" of type {} or less", choice.unsigned_abs()),
                };
                format!("receives a message{which} from {}", self.queue_name(queue, kind))
            }
            Operation::QueueLook { queue, kind } => format!("looks at {}", self.queue_name(queue, kind)),
            Operation::QueueClose { queue, kind, end: End::Both } => {
                format!("removes {}", self.queue_name(queue, kind))
            }
            Operation::QueueClose { queue, kind, end } => {
                let which = if end == End::Reading { "reading" } else { "writing" };
                format!("closes the {which} end of {}", self.queue_name(queue, kind))
            }
            Operation::OnceBegin { control, .. } => format!("comes to once control {}", name(control)),
            Operation::OnceEnd { control } => format!("ends the routine of once control {}", name(control)),
            Operation::Given { matters, .. } => {
                let value = operation.chosen(label).unwrap_or_default();
                let any = if matters { "" } else { ", as could be any other" };
                let told = match operation.source() {
                    Some(Source::External(function)) => {
                        let name = &self.program.module.functions[function as usize].name;
                        format!("is given the input {value} by `{name}`")
                    }
                    source => source
                        .and_then(|source| source.tell(value))
                        .unwrap_or_else(|| format!("reads the input {value}")),
                };
                format!("{told}{any}")
            }
            Operation::Choose { base, count, source, .. } => {
                let told = source.tell(operation.chosen(label).unwrap_or_default());
                told.unwrap_or_else(|| format!("chooses a value from {base} to {}", base + i64::from(count) - 1))
            }
            Operation::Input { bits, .. } => format!("reads an input of {bits} bits"),
            Operation::Decide { .. } => "decides about inputs".to_owned(),
            Operation::AtomicBegin => "executes an atomic block".to_owned(),
            Operation::ProcessExit { status } => format!("ends the process with status {}", status as i32),
            Operation::AssumeFailed => "fails an assumption".to_owned(),
            Operation::InVain { .. } => "has polled in vain".to_owned(),
        }
    }

    /// What reports call a queue: library code has written its number into it.
    pub(crate) fn queue_name(&self, queue: u64, kind: QueueKind) -> String {
        let noun = if kind == QueueKind::Stream { "stream" } else { "message queue" };
        format!("{noun} {}", self.state.memory.peek(queue, 4))
    }

    fn handle_name(&self, handle: u64) -> String {
        match self.thread_of_handle(handle) {
            Some(thread) => self.thread_name(thread),
            None => "something that is no thread".to_owned(),
        }
    }
}

fn locks(patience: Patience) -> &'static str {
    match patience {
        Patience::Forever => "locks",
        Patience::ForATime => "waits for a time to lock",
        Patience::Never => "tries to lock",
    }
}
