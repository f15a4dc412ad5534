//! Reader-writer locks.
use super::timeout;
use crate::args::{Done, int, return_int, word};
use crate::errno::{EBUSY, EINVAL};
use crate::table::Family;
use interp::hooks::{Call, Failure, ModelError, ModelResult, Registered};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("read-write locks");
const BUSY: Failure = Failure::Returns(EBUSY);
const READERS: &str = "readers do not wait for writers that wait, as in glibc";

/// `pthread_rwlock_…` and `pthread_rwlockattr_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_rwlock_init", init),
    FAMILY.plain("pthread_rwlock_destroy", |c| operate(c, |lock| Operation::ReadWriteDestroy { lock })),
    FAMILY.plain("pthread_rwlock_unlock", |c| operate(c, |lock| Operation::ReadWriteUnlock { lock })),
    FAMILY.noted("pthread_rwlock_rdlock", READERS, |c| operate(c, |lock| read(lock, Patience::Forever))),
    FAMILY.plain("pthread_rwlock_tryrdlock", |c| operate(c, |lock| read(lock, Patience::Never))).trying(BUSY),
    FAMILY.noted("pthread_rwlock_timedrdlock", timeout::NOTE, |c| in_time(c, read)),
    FAMILY.noted("pthread_rwlock_clockrdlock", timeout::NOTE, |c| in_time(c, read)),
    FAMILY.plain("pthread_rwlock_wrlock", |c| operate(c, |lock| write(lock, Patience::Forever))),
    FAMILY.plain("pthread_rwlock_trywrlock", |c| operate(c, |lock| write(lock, Patience::Never))).trying(BUSY),
    FAMILY.noted("pthread_rwlock_timedwrlock", timeout::NOTE, |c| in_time(c, write)),
    FAMILY.noted("pthread_rwlock_clockwrlock", timeout::NOTE, |c| in_time(c, write)),
    FAMILY.plain("pthread_rwlockattr_init", attribute_init),
    FAMILY.plain("pthread_rwlockattr_destroy", attribute_destroy),
    FAMILY.noted("pthread_rwlockattr_setpshared", "kept; there is one process", |c| attribute_set(c, SHARED)),
    FAMILY.plain("pthread_rwlockattr_getpshared", |c| attribute_get(c, SHARED)),
    FAMILY.noted("pthread_rwlockattr_setkind_np", "the kinds that prefer writers are unknown", set_kind),
    FAMILY.plain("pthread_rwlockattr_getkind_np", |c| attribute_get(c, KIND)),
];

fn read(lock: u64, patience: Patience) -> Operation {
    Operation::ReadLock { lock, patience }
}

fn write(lock: u64, patience: Patience) -> Operation {
    Operation::WriteLock { lock, patience }
}

fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let lock = word(call, 0)?;
    Ok(ModelResult::Operate(operation(lock)))
}

fn in_time(call: &mut dyn Call, operation: fn(u64, Patience) -> Operation) -> Done {
    let lock = word(call, 0)?;
    if !timeout::last_is_time(call)? {
        return return_int(EINVAL);
    }
    Ok(ModelResult::Then { operation: operation(lock, Patience::ForATime), finish: timeout::finish })
}

fn init(call: &mut dyn Call) -> Done {
    let (lock, attribute) = (word(call, 0)?, word(call, 1)?);
    if attribute != 0 {
        // Nothing in it changes what happens here, but it must have been initialised.
        call.load(attribute, 4)?;
    }
    call.read_write_init(lock)?;
    return_int(0)
}

/// A part of the attributes, which are two numbers of type `int`: its offset, and its greatest value.
#[derive(Clone, Copy)]
struct Field(u64, i32);

const KIND: Field = Field(0, 2);
const SHARED: Field = Field(4, 1);

fn attribute_init(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    call.fill(attribute, 0, 8)?;
    return_int(0)
}

fn attribute_destroy(call: &mut dyn Call) -> Done {
    let attribute = word(call, 0)?;
    call.load(attribute, 8)?;
    return_int(0)
}

fn attribute_set(call: &mut dyn Call, Field(offset, largest): Field) -> Done {
    let (attribute, value) = (word(call, 0)?, int(call, 1)?);
    call.load(attribute, 8)?;
    if !(0..=largest).contains(&value) {
        return return_int(EINVAL);
    }
    call.store(attribute + offset, 4, value as u64)?;
    return_int(0)
}

fn attribute_get(call: &mut dyn Call, Field(offset, _): Field) -> Done {
    let (attribute, result) = (word(call, 0)?, word(call, 1)?);
    let value = call.load(attribute + offset, 4)?;
    call.store(result, 4, value)?;
    return_int(0)
}

/// With glibc, only the third kind lets writers go first. (The second one says so, but does not.)
fn set_kind(call: &mut dyn Call) -> Done {
    if int(call, 1)? == 2 {
        let kind = "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP";
        return Err(ModelError::Unknown(format!("read-write locks of the kind {kind} are not modelled")));
    }
    attribute_set(call, KIND)
}
