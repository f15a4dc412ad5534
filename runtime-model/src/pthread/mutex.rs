//! Mutexes.
use super::{mutex_attributes, timeout};
use crate::args::{Done, return_int, word};
use crate::errno::EBUSY;
use crate::table::Family;
use interp::hooks::{Call, Failure, ModelResult, MutexKind, Registered, Robustness};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("mutexes");
const BUSY: Failure = Failure::Returns(EBUSY);

/// `pthread_mutex_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_mutex_init", init),
    FAMILY.plain("pthread_mutex_destroy", |c| operate(c, |mutex| Operation::MutexDestroy { mutex })),
    FAMILY
        .plain("pthread_mutex_lock", |c| {
            operate(c, |mutex| Operation::MutexLock { mutex, patience: Patience::Forever })
        })
        .locking(),
    FAMILY
        .plain("pthread_mutex_trylock", |c| {
            operate(c, |mutex| Operation::MutexLock { mutex, patience: Patience::Never })
        })
        .trying(BUSY),
    FAMILY.plain("pthread_mutex_consistent", consistent),
    FAMILY.plain("pthread_mutex_consistent_np", consistent),
    FAMILY.noted("pthread_mutex_timedlock", timeout::NOTE, lock_in_time),
    FAMILY.noted("pthread_mutex_clocklock", timeout::NOTE, lock_in_time),
    FAMILY.plain("pthread_mutex_unlock", |c| operate(c, |mutex| Operation::MutexUnlock { mutex })).unlocking(),
];

fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let mutex = word(call, 0)?;
    Ok(ModelResult::Operate(operation(mutex)))
}

fn lock_in_time(call: &mut dyn Call) -> Done {
    let mutex = word(call, 0)?;
    let operation = Operation::MutexLock { mutex, patience: Patience::ForATime };
    Ok(ModelResult::Then { operation, finish: timeout::result })
}

fn init(call: &mut dyn Call) -> Done {
    let (mutex, attribute) = (word(call, 0)?, word(call, 1)?);
    let (kind, robustness) = match attribute {
        0 => (MutexKind::Normal, Robustness::Stalled),
        _ => mutex_attributes::kind(call, attribute)?,
    };
    call.mutex_init(mutex, kind, robustness)?;
    return_int(0)
}

fn consistent(call: &mut dyn Call) -> Done {
    let mutex = word(call, 0)?;
    let error = call.mutex_consistent(mutex)?;
    return_int(error as i32)
}
