//! Spin locks.
use crate::args::{Done, return_int, word};
use crate::errno::EBUSY;
use crate::table::Family;
use interp::hooks::{Call, Failure, ModelResult, Registered};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("spin locks");
const BUSY: Failure = Failure::Returns(EBUSY);

/// `pthread_spin_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("pthread_spin_init", "whether it is shared makes no difference: there is one process", init),
    FAMILY.plain("pthread_spin_destroy", |c| operate(c, |lock| Operation::SpinDestroy { lock })),
    FAMILY.plain("pthread_spin_lock", |c| operate(c, |lock| Operation::SpinLock { lock, patience: Patience::Forever })),
    FAMILY
        .plain("pthread_spin_trylock", |c| operate(c, |lock| Operation::SpinLock { lock, patience: Patience::Never }))
        .trying(BUSY),
    FAMILY.plain("pthread_spin_unlock", |c| operate(c, |lock| Operation::SpinUnlock { lock })),
];

fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let lock = word(call, 0)?;
    Ok(ModelResult::Operate(operation(lock)))
}

fn init(call: &mut dyn Call) -> Done {
    let (lock, _shared) = (word(call, 0)?, word(call, 1)?);
    call.spin_init(lock)?;
    return_int(0)
}
