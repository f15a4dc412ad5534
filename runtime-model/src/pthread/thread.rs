//! Creating, joining and naming threads.
use super::attributes;
use crate::args::{Done, int, return_int, return_word, succeeds, word};
use crate::errno::{EINVAL, ERANGE};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelResult, Registered};
use interp::operation::Operation;

const FAMILY: Family = Family::of("threads");

/// `pthread_create` and what belongs to it.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("pthread_create", "assumes that the creation succeeds (creation-succeeds)", create).on_data(),
    FAMILY.plain("pthread_join", join),
    FAMILY.plain("pthread_detach", detach),
    FAMILY.plain("pthread_exit", exit),
    FAMILY.plain("pthread_self", itself),
    FAMILY.plain("pthread_equal", equal),
    FAMILY.noted("pthread_atfork", "no effect: fork is not modelled", succeeds),
    FAMILY.noted("__register_atfork", "no effect: fork is not modelled", succeeds),
    FAMILY.noted("pthread_setname_np", "the name is not kept", set_name),
    FAMILY.noted("pthread_setconcurrency", "no effect", set_concurrency),
    FAMILY.noted("pthread_getconcurrency", "always 0", succeeds),
    FAMILY.noted("pthread_setschedparam", "no effect: every schedule is explored", succeeds),
    FAMILY.noted("pthread_setschedprio", "no effect: every schedule is explored", succeeds),
    FAMILY.noted("pthread_setaffinity_np", "no effect: every schedule is explored", succeeds),
    FAMILY.noted("pthread_yield", "no effect: every schedule is explored", succeeds).idling(),
    FAMILY.noted("sched_yield", "no effect: every schedule is explored", succeeds).idling(),
];

fn create(call: &mut dyn Call) -> Done {
    let (handle, attribute) = (word(call, 0)?, word(call, 1)?);
    let routine = word(call, 2)?;
    let (argument, mark) = call.argument_data(3, 8 * call.pointer_bytes() as u8)?.marked();
    let detached = attribute != 0 && attributes::is_detached(call, attribute)?;
    call.assume(Assumption::CreationSucceeds);
    let handle_bytes = call.pointer_bytes() as u8;
    Ok(ModelResult::Operate(Operation::Create { handle, handle_bytes, routine, argument, mark, detached, c11: false }))
}

fn join(call: &mut dyn Call) -> Done {
    let (handle, result) = (word(call, 0)?, word(call, 1)?);
    Ok(ModelResult::Operate(Operation::Join { handle, result, c11: false }))
}

fn detach(call: &mut dyn Call) -> Done {
    let handle = word(call, 0)?;
    Ok(ModelResult::Operate(Operation::Detach { handle }))
}

fn exit(call: &mut dyn Call) -> Done {
    let value = word(call, 0)?;
    Ok(ModelResult::Operate(Operation::ThreadExit { value }))
}

fn itself(call: &mut dyn Call) -> Done {
    return_word(call.self_handle())
}

fn equal(call: &mut dyn Call) -> Done {
    let (a, b) = (word(call, 0)?, word(call, 1)?);
    return_int(i32::from(a == b))
}

fn set_name(call: &mut dyn Call) -> Done {
    let name = word(call, 1)?;
    // Linux keeps 15 characters and refuses more.
    let too_long = call.c_string(name)?.len() > 15;
    return_int(if too_long { ERANGE } else { 0 })
}

fn set_concurrency(call: &mut dyn Call) -> Done {
    let level = int(call, 0)?;
    return_int(if level < 0 { EINVAL } else { 0 })
}
