//! Semaphores. Their functions return -1 and set `errno`.
use super::timeout;
use crate::args::{Done, int, return_int, word};
use crate::errno::{self, EINVAL};
use crate::table::Family;
use interp::hooks::{Call, Failure, ModelResult, Outcome, Registered};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("semaphores");

/// `sem_…`, for those without a name.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("sem_init", "whether it is shared makes no difference: there is one process", init),
    FAMILY.plain("sem_destroy", |c| operate(c, |semaphore| Operation::SemaphoreDestroy { semaphore })),
    FAMILY.noted("sem_wait", "no signal interrupts it", |c| wait(c, Patience::Forever)),
    FAMILY.plain("sem_trywait", |c| wait(c, Patience::Never)).trying(Failure::SetsErrno),
    FAMILY.noted("sem_timedwait", timeout::NOTE, |c| wait(c, Patience::ForATime)),
    FAMILY.noted("sem_clockwait", timeout::NOTE, |c| wait(c, Patience::ForATime)),
    FAMILY.plain("sem_post", |c| operate(c, |semaphore| Operation::SemaphorePost { semaphore })),
    FAMILY.plain("sem_getvalue", value),
];

/// The result of an operation that has come to that error, or to none.
fn result(call: &mut dyn Call, error: i32) -> Done {
    if error == 0 {
        return return_int(0);
    }
    errno::set(call, error)?;
    return_int(-1)
}

fn finish(call: &mut dyn Call, outcome: Outcome) -> Done {
    let error = outcome.value[0] as i32;
    timeout::pass(call, error);
    result(call, error)
}

fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let semaphore = word(call, 0)?;
    Ok(ModelResult::Then { operation: operation(semaphore), finish })
}

fn init(call: &mut dyn Call) -> Done {
    let (semaphore, _shared, value) = (word(call, 0)?, int(call, 1)?, word(call, 2)? as u32);
    Ok(ModelResult::Then { operation: Operation::SemaphoreInit { semaphore, value }, finish })
}

fn wait(call: &mut dyn Call, patience: Patience) -> Done {
    let semaphore = word(call, 0)?;
    if patience == Patience::ForATime && !timeout::last_is_time(call)? {
        return result(call, EINVAL);
    }
    Ok(ModelResult::Then { operation: Operation::SemaphoreWait { semaphore, patience }, finish })
}

fn value(call: &mut dyn Call) -> Done {
    let semaphore = word(call, 0)?;
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let place = word(call, 1)?;
        call.store(place, 4, outcome.value[0])?;
        return_int(0)
    };
    Ok(ModelResult::Then { operation: Operation::SemaphoreValue { semaphore }, finish })
}
