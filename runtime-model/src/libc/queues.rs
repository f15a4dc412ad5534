//! Queues of messages, as the library code in C sees them: it makes messages, which are blocks of memory, and knows
//! which queues there are; sending and receiving are visible actions of the machine.
use crate::args::{Done, int, long, word};
use crate::table::Family;
use interp::hooks::{Call, ModelError, ModelResult, Outcome, Registered};
use interp::operation::{End, Operation, Patience, QueueKind};

const FAMILY: Family = Family::of("library code");

/// The first argument is the address of the queue, the second says what rules it has.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("__verify_queue_put", put),
    FAMILY.plain("__verify_queue_take", take),
    FAMILY.plain("__verify_queue_look", look),
    FAMILY.plain("__verify_queue_close", close),
];

/// One of the values of an enumeration in `code/queues.h`, in their order. (A program that has these functions' names
/// from somewhere else may give anything.)
fn one_of<T: Copy>(call: &mut dyn Call, index: usize, values: [T; 3]) -> Result<T, ModelError> {
    let value = word(call, index)?;
    let known = usize::try_from(value).ok().and_then(|value| values.get(value));
    known.copied().ok_or_else(|| ModelError::Unknown(format!("`{}` is for the library's own code", call.name())))
}

fn kind(call: &mut dyn Call) -> Result<QueueKind, ModelError> {
    one_of(call, 1, [QueueKind::SystemV, QueueKind::Priority, QueueKind::Stream])
}

fn patience(call: &mut dyn Call, index: usize) -> Result<Patience, ModelError> {
    one_of(call, index, [Patience::Forever, Patience::ForATime, Patience::Never])
}

/// (queue, kind, message, type or priority, bytes, how many messages it takes, patience)
fn put(call: &mut dyn Call) -> Done {
    Ok(ModelResult::Operate(Operation::QueuePut {
        queue: word(call, 0)?,
        kind: kind(call)?,
        message: word(call, 2)?,
        tag: word(call, 3)?,
        size: word(call, 4)?,
        room: word(call, 5)? as u32,
        patience: patience(call, 6)?,
    }))
}

/// (queue, kind, which, flags, bytes, buffer, how many messages it takes, patience)
fn take(call: &mut dyn Call) -> Done {
    let flags = int(call, 3)?;
    Ok(ModelResult::Operate(Operation::QueueTake {
        queue: word(call, 0)?,
        kind: kind(call)?,
        choice: long(call, 2)?,
        except: flags & 1 != 0,
        truncate: flags & 2 != 0,
        size: word(call, 4)?,
        buffer: word(call, 5)?,
        room: word(call, 6)? as u32,
        patience: patience(call, 7)?,
    }))
}

/// (queue, kind, two longs: messages and bytes)
fn look(call: &mut dyn Call) -> Done {
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let (to, size) = (word(call, 2)?, call.pointer_bytes());
        call.store(to, size, outcome.value[0])?;
        call.store(to + size, size, outcome.value[1])?;
        crate::args::void()
    };
    let operation = Operation::QueueLook { queue: word(call, 0)?, kind: kind(call)? };
    Ok(ModelResult::Then { operation, finish })
}

/// (queue, kind, end)
fn close(call: &mut dyn Call) -> Done {
    let end = one_of(call, 2, [End::Reading, End::Writing, End::Both])?;
    Ok(ModelResult::Operate(Operation::QueueClose { queue: word(call, 0)?, kind: kind(call)?, end }))
}
