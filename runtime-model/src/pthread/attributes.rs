//! Attributes of threads. They live in the program's own `pthread_attr_t`, laid out as glibc does it; only the detach
//! state means something here.
use crate::args::{Done, int, return_int, succeeds, word};
use crate::errno::{EINVAL, ENOTSUP};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::of("thread attributes");

/// `pthread_attr_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_attr_init", init),
    FAMILY.plain("pthread_attr_destroy", destroy),
    FAMILY.plain("pthread_attr_setdetachstate", |c| set_flag(c, DETACHED)),
    FAMILY.plain("pthread_attr_getdetachstate", |c| get_flag(c, DETACHED)),
    FAMILY.noted("pthread_attr_setinheritsched", "kept, but scheduling has no priorities", |c| set_flag(c, EXPLICIT)),
    FAMILY.plain("pthread_attr_getinheritsched", |c| get_flag(c, EXPLICIT)),
    FAMILY.noted("pthread_attr_setscope", "the system scope only, as on Linux", set_scope),
    FAMILY.plain("pthread_attr_getscope", get_scope),
    FAMILY.noted("pthread_attr_setstacksize", "kept, but stacks have no limit here", set_stack_size),
    FAMILY.plain("pthread_attr_getstacksize", get_stack_size),
    FAMILY.noted("pthread_attr_setguardsize", "kept, but stacks have no guard here", set_guard_size),
    FAMILY.plain("pthread_attr_getguardsize", get_guard_size),
    FAMILY.noted("pthread_attr_setschedpolicy", "kept, but scheduling has no priorities", set_policy),
    FAMILY.plain("pthread_attr_getschedpolicy", get_policy),
    FAMILY.noted("pthread_attr_setschedparam", "kept, but scheduling has no priorities", set_parameter),
    FAMILY.plain("pthread_attr_getschedparam", get_parameter),
    FAMILY.noted("pthread_attr_setaffinity_np", "no effect", succeeds),
];

/// Bits of the word of flags.
const DETACHED: u64 = 1;
const EXPLICIT: u64 = 2;
/// Set by `pthread_attr_destroy`.
const DESTROYED: u64 = 1 << 30;

/// Linux refuses smaller stacks.
const STACK_MIN: u64 = 16384;
const STACK_DEFAULT: u64 = 8 << 20;

/// Offsets of the fields that follow two `int`s, for pointers of 8 and of 4 bytes.
struct Layout {
    size: u64,
    flags: u64,
    guard: u64,
    stack_size: u64,
}

fn layout(call: &dyn Call) -> Layout {
    match call.pointer_bytes() {
        8 => Layout { size: 56, flags: 8, guard: 16, stack_size: 32 },
        _ => Layout { size: 36, flags: 8, guard: 12, stack_size: 20 },
    }
}

/// Whether threads made with the attributes at this address are detached.
pub(crate) fn is_detached(call: &mut dyn Call, attribute: u64) -> Result<bool, ModelError> {
    Ok(flags(call, attribute)? & DETACHED != 0)
}

fn flags(call: &mut dyn Call, attribute: u64) -> Result<u64, ModelError> {
    let offset = layout(call).flags;
    let flags = call.load(attribute + offset, 4)?;
    if flags & DESTROYED != 0 {
        return Err(call.fault(Kind::Misuse, "thread attributes are used after their destruction".into()));
    }
    Ok(flags)
}

fn set_flags(call: &mut dyn Call, attribute: u64, flags: u64) -> Result<(), ModelError> {
    let offset = layout(call).flags;
    call.store(attribute + offset, 4, flags)
}

fn init(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    let Layout { size, guard, .. } = layout(call);
    call.fill(attribute, 0, size)?;
    call.store(attribute + guard, call.pointer_bytes(), 4096)?;
    return_int(0)
}

fn destroy(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    let old = flags(call, attribute)?;
    set_flags(call, attribute, old | DESTROYED)?;
    return_int(0)
}

fn set_flag(call: &mut dyn Call, flag: u64) -> Done {
    let (attribute, value) = (word(call, 0)?, int(call, 1)?);
    let old = flags(call, attribute)?;
    match value {
        0 => set_flags(call, attribute, old & !flag)?,
        1 => set_flags(call, attribute, old | flag)?,
        _ => return return_int(EINVAL),
    }
    return_int(0)
}

fn get_flag(call: &mut dyn Call, flag: u64) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    let value = u64::from(flags(call, attribute)? & flag != 0);
    call.store(result, 4, value)?;
    return_int(0)
}

fn set_scope(call: &mut dyn Call) -> Done {
    let (attribute, scope) = (word(call, 0)?, int(call, 1)?);
    flags(call, attribute)?;
    return_int(match scope {
        0 => 0,
        1 => ENOTSUP,
        _ => EINVAL,
    })
}

fn get_scope(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    call.store(result, 4, 0)?;
    return_int(0)
}

fn set_stack_size(call: &mut dyn Call) -> Done {
    let (attribute, size) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    if size < STACK_MIN {
        return return_int(EINVAL);
    }
    let offset = layout(call).stack_size;
    call.store(attribute + offset, call.pointer_bytes(), size)?;
    return_int(0)
}

fn get_stack_size(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let offset = layout(call).stack_size;
    let bytes = call.pointer_bytes();
    let size = call.load(attribute + offset, bytes)?;
    call.store(result, bytes, if size == 0 { STACK_DEFAULT } else { size })?;
    return_int(0)
}

fn set_guard_size(call: &mut dyn Call) -> Done {
    let (attribute, size) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let offset = layout(call).guard;
    call.store(attribute + offset, call.pointer_bytes(), size)?;
    return_int(0)
}

fn get_guard_size(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let offset = layout(call).guard;
    let bytes = call.pointer_bytes();
    let size = call.load(attribute + offset, bytes)?;
    call.store(result, bytes, size)?;
    return_int(0)
}

/// SCHED_OTHER, SCHED_FIFO and SCHED_RR are 0, 1 and 2; the field follows the priority.
fn set_policy(call: &mut dyn Call) -> Done {
    let (attribute, policy) = (word(call, 0)?, int(call, 1)?);
    flags(call, attribute)?;
    if !(0..=2).contains(&policy) {
        return return_int(EINVAL);
    }
    call.store(attribute + 4, 4, policy as u64)?;
    return_int(0)
}

fn get_policy(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let policy = call.load(attribute + 4, 4)?;
    call.store(result, 4, policy)?;
    return_int(0)
}

fn set_parameter(call: &mut dyn Call) -> Done {
    let (attribute, parameter) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let priority = call.load(parameter, 4)?;
    call.store(attribute, 4, priority)?;
    return_int(0)
}

fn get_parameter(call: &mut dyn Call) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    flags(call, attribute)?;
    let priority = call.load(attribute, 4)?;
    call.store(result, 4, priority)?;
    return_int(0)
}
