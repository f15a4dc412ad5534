//! Condition variables.
use super::timeout;
use crate::args::{Done, int, return_int, word};
use crate::errno::EINVAL;
use crate::table::Family;
use interp::hooks::{Call, ModelResult, Registered};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("condition variables");

/// `pthread_cond_…` and `pthread_condattr_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_cond_init", init),
    FAMILY.plain("pthread_cond_destroy", |c| operate(c, |condition| Operation::CondDestroy { condition })),
    FAMILY.noted("pthread_cond_wait", "never wakes up spuriously", wait),
    FAMILY.noted("pthread_cond_timedwait", timeout::NOTE, wait_in_time),
    FAMILY.noted("pthread_cond_clockwait", timeout::NOTE, wait_in_time),
    FAMILY.noted("pthread_cond_signal", "every waiting thread is tried", |c| {
        operate(c, |condition| Operation::CondSignal { condition })
    }),
    FAMILY.plain("pthread_cond_broadcast", |c| operate(c, |condition| Operation::CondBroadcast { condition })),
    FAMILY.plain("pthread_condattr_init", attribute_init),
    FAMILY.plain("pthread_condattr_destroy", attribute_destroy),
    FAMILY.noted("pthread_condattr_setpshared", "kept; there is one process", |c| attribute_set(c, 0)),
    FAMILY.plain("pthread_condattr_getpshared", |c| attribute_get(c, 0)),
    FAMILY.noted("pthread_condattr_setclock", "kept", |c| attribute_set(c, 1)),
    FAMILY.plain("pthread_condattr_getclock", |c| attribute_get(c, 1)),
];

fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let condition = word(call, 0)?;
    Ok(ModelResult::Operate(operation(condition)))
}

fn init(call: &mut dyn Call) -> Done {
    let (condition, attribute) = (word(call, 0)?, word(call, 1)?);
    if attribute != 0 {
        // Nothing in it changes what happens here, but it must have been initialised.
        call.load(attribute, 4)?;
    }
    call.cond_init(condition)?;
    return_int(0)
}

fn wait(call: &mut dyn Call) -> Done {
    let (condition, mutex) = (word(call, 0)?, word(call, 1)?);
    Ok(ModelResult::Operate(Operation::CondWait { condition, mutex, patience: Patience::Forever }))
}

fn wait_in_time(call: &mut dyn Call) -> Done {
    let (condition, mutex) = (word(call, 0)?, word(call, 1)?);
    if !timeout::last_is_time(call)? {
        return return_int(EINVAL);
    }
    let operation = Operation::CondWait { condition, mutex, patience: Patience::ForATime };
    Ok(ModelResult::Then { operation, finish: timeout::finish })
}

fn attribute_init(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    call.store(attribute, 4, 0)?;
    return_int(0)
}

fn attribute_destroy(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    call.load(attribute, 4)?;
    return_int(0)
}

/// Bit `bit` of the attributes; the clocks that a condition variable may use are 0 and 1 as well.
fn attribute_set(call: &mut dyn Call, bit: u32) -> Done {
    let (attribute, value) = (word(call, 0)?, int(call, 1)?);
    let old = call.load(attribute, 4)?;
    if !(0..=1).contains(&value) {
        return return_int(EINVAL);
    }
    call.store(attribute, 4, old & !(1 << bit) | (value as u64) << bit)?;
    return_int(0)
}

fn attribute_get(call: &mut dyn Call, bit: u32) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    let value = call.load(attribute, 4)? >> bit & 1;
    call.store(result, 4, value)?;
    return_int(0)
}
