//! Attributes of mutexes. They live in the program's own `pthread_mutexattr_t`, an `int`.
use crate::args::{Done, int, return_int, word};
use crate::errno::EINVAL;
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, MutexKind, Registered, Robustness};

const FAMILY: Family = Family::of("mutex attributes");

/// `pthread_mutexattr_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_mutexattr_init", init),
    FAMILY.plain("pthread_mutexattr_destroy", destroy),
    FAMILY.noted("pthread_mutexattr_settype", "an adaptive mutex is a normal one", |c| set(c, TYPE)),
    FAMILY.plain("pthread_mutexattr_gettype", |c| get(c, TYPE)),
    FAMILY.noted("pthread_mutexattr_setpshared", "kept; there is one process", |c| set(c, SHARED)),
    FAMILY.plain("pthread_mutexattr_getpshared", |c| get(c, SHARED)),
    FAMILY.noted("pthread_mutexattr_setprotocol", "kept, but scheduling has no priorities", |c| set(c, PROTOCOL)),
    FAMILY.plain("pthread_mutexattr_getprotocol", |c| get(c, PROTOCOL)),
    FAMILY.noted("pthread_mutexattr_setrobust", "a thread that ends may hold two robust mutexes", |c| set(c, ROBUST)),
    FAMILY.plain("pthread_mutexattr_getrobust", |c| get(c, ROBUST)),
    FAMILY.plain("pthread_mutexattr_setrobust_np", |c| set(c, ROBUST)),
    FAMILY.plain("pthread_mutexattr_getrobust_np", |c| get(c, ROBUST)),
];

/// A part of the word, with the largest value that it may have.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    bits: u32,
    largest: i32,
}

const TYPE: Field = Field { shift: 0, bits: 2, largest: 3 };
const PROTOCOL: Field = Field { shift: 28, bits: 2, largest: 2 };
const ROBUST: Field = Field { shift: 30, bits: 1, largest: 1 };
const SHARED: Field = Field { shift: 31, bits: 1, largest: 1 };

/// Set by `pthread_mutexattr_destroy`.
const DESTROYED: u64 = 1 << 11;

/// The kind of the mutexes that are made with the attributes at this address.
pub(crate) fn kind(call: &mut dyn Call, attribute: u64) -> Result<(MutexKind, Robustness), ModelError> {
    let attributes = read(call, attribute)?;
    let kind = match attributes & 3 {
        1 => MutexKind::Recursive,
        2 => MutexKind::ErrorCheck,
        _ => MutexKind::Normal,
    };
    let robust = attributes >> ROBUST.shift & 1 != 0;
    Ok((kind, if robust { Robustness::Robust } else { Robustness::Stalled }))
}

fn read(call: &mut dyn Call, attribute: u64) -> Result<u64, ModelError> {
    let value = call.load(attribute, 4)?;
    if value & DESTROYED != 0 {
        return Err(call.fault(Kind::Misuse, "mutex attributes are used after their destruction".into()));
    }
    Ok(value)
}

fn init(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    call.store(attribute, 4, 0)?;
    return_int(0)
}

fn destroy(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    let value = read(call, attribute)?;
    call.store(attribute, 4, value | DESTROYED)?;
    return_int(0)
}

fn set(call: &mut dyn Call, field: Field) -> Done {
    let (attribute, value) = (word(call, 0)?, int(call, 1)?);
    let old = read(call, attribute)?;
    if value < 0 || value > field.largest {
        return return_int(EINVAL);
    }
    let mask = ((1 << field.bits) - 1) << field.shift;
    call.store(attribute, 4, old & !mask | (value as u64) << field.shift)?;
    return_int(0)
}

fn get(call: &mut dyn Call, field: Field) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    let value = read(call, attribute)? >> field.shift & ((1 << field.bits) - 1);
    call.store(result, 4, value)?;
    return_int(0)
}
