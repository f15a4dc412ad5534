//! Barriers.
use crate::args::{Done, int, return_int, word};
use crate::errno::EINVAL;
use crate::table::Family;
use interp::hooks::{Call, ModelResult, Registered};
use interp::operation::{Arrival, Operation};

const FAMILY: Family = Family::of("barriers");

/// `pthread_barrier_…` and `pthread_barrierattr_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_barrier_init", init),
    FAMILY.plain("pthread_barrier_destroy", destroy),
    FAMILY.noted(
        "pthread_barrier_wait",
        "each thread is tried as the one that is told so; more threads than the barrier is for are unknown",
        wait,
    ),
    FAMILY.plain("pthread_barrierattr_init", attribute_init),
    FAMILY.plain("pthread_barrierattr_destroy", attribute_destroy),
    FAMILY.noted("pthread_barrierattr_setpshared", "kept; there is one process", attribute_set),
    FAMILY.plain("pthread_barrierattr_getpshared", attribute_get),
];

fn init(call: &mut dyn Call) -> Done {
    let (barrier, attribute, count) = (word(call, 0)?, word(call, 1)?, word(call, 2)? as u32);
    if attribute != 0 {
        call.load(attribute, 4)?;
    }
    Ok(ModelResult::Operate(Operation::BarrierInit { barrier, count }))
}

fn destroy(call: &mut dyn Call) -> Done {
    let barrier = word(call, 0)?;
    Ok(ModelResult::Operate(Operation::BarrierDestroy { barrier }))
}

fn wait(call: &mut dyn Call) -> Done {
    let barrier = word(call, 0)?;
    let used = call.result_is_used();
    Ok(ModelResult::Operate(Operation::BarrierArrive { barrier, used, arrival: Arrival::default() }))
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

fn attribute_set(call: &mut dyn Call) -> Done {
    let (attribute, value) = (word(call, 0)?, int(call, 1)?);
    call.load(attribute, 4)?;
    if !(0..=1).contains(&value) {
        return return_int(EINVAL);
    }
    call.store(attribute, 4, value as u64)?;
    return_int(0)
}

fn attribute_get(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    let value = call.load(attribute, 4)?;
    call.store(result, 4, value)?;
    return_int(0)
}
