//! Threads, mutexes and condition variables of `<threads.h>`. They are those of pthreads with other names and results.
use crate::args::{Done, int, return_int, return_word, void, word};
use crate::pthread::{once, timeout};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, Failure, ModelResult, MutexKind, Outcome, Registered, Robustness};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("C11 threads");

/// `thrd_…`, `mtx_…` and `cnd_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("thrd_create", "assumes that the creation succeeds (creation-succeeds)", create).on_data(),
    FAMILY.plain("thrd_join", join),
    FAMILY.plain("thrd_detach", |c| operate(c, |handle| Operation::Detach { handle })),
    FAMILY.plain("thrd_exit", exit),
    FAMILY.plain("thrd_current", |c| return_word(c.self_handle())),
    FAMILY.plain("thrd_equal", equal),
    FAMILY.noted("thrd_yield", "no effect: every schedule is explored", |_| void()).idling(),
    FAMILY.noted("thrd_sleep", "the clock goes on: every schedule is explored", sleep).sleeping(0),
    FAMILY.plain("mtx_init", mutex_init),
    FAMILY
        .plain("mtx_lock", |c| operate(c, |mutex| Operation::MutexLock { mutex, patience: Patience::Forever }))
        .locking(),
    FAMILY
        .plain("mtx_trylock", |c| operate(c, |mutex| Operation::MutexLock { mutex, patience: Patience::Never }))
        .trying(Failure::Returns(BUSY)),
    FAMILY.noted("mtx_timedlock", timeout::NOTE, |c| {
        operate(c, |mutex| Operation::MutexLock { mutex, patience: Patience::ForATime })
    }),
    FAMILY.plain("mtx_unlock", |c| operate(c, |mutex| Operation::MutexUnlock { mutex })).unlocking(),
    FAMILY.plain("mtx_destroy", |c| operate(c, |mutex| Operation::MutexDestroy { mutex })),
    FAMILY.plain("cnd_init", condition_init),
    FAMILY.noted("cnd_wait", "never wakes up spuriously", |c| condition_wait(c, Patience::Forever)),
    FAMILY.noted("cnd_timedwait", timeout::NOTE, |c| condition_wait(c, Patience::ForATime)),
    FAMILY.noted("cnd_signal", "every waiting thread is tried", |c| {
        operate(c, |condition| Operation::CondSignal { condition })
    }),
    FAMILY.plain("cnd_broadcast", |c| operate(c, |condition| Operation::CondBroadcast { condition })),
    FAMILY.plain("cnd_destroy", |c| operate(c, |condition| Operation::CondDestroy { condition })),
    FAMILY.plain("call_once", once::once),
];

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;
const EBUSY: u64 = 16;
const ETIMEDOUT: u64 = 110;

/// What the error numbers of pthreads are here.
fn translate(call: &mut dyn Call, outcome: Outcome) -> Done {
    timeout::pass(call, outcome.value[0] as i32);
    return_int(match outcome.value[0] {
        0 => SUCCESS,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    })
}

/// An operation on the object in argument 0.
fn operate(call: &mut dyn Call, operation: fn(u64) -> Operation) -> Done {
    let object = word(call, 0)?;
    Ok(ModelResult::Then { operation: operation(object), finish: translate })
}

fn create(call: &mut dyn Call) -> Done {
    let (handle, routine) = (word(call, 0)?, word(call, 1)?);
    let (argument, mark) = call.argument_data(2, 8 * call.pointer_bytes() as u8)?.marked();
    call.assume(Assumption::CreationSucceeds);
    let handle_bytes = call.pointer_bytes() as u8;
    let operation = Operation::Create { handle, handle_bytes, routine, argument, mark, detached: false, c11: true };
    Ok(ModelResult::Then { operation, finish: translate })
}

/// Less than -1 says that it is no time.
fn sleep(call: &mut dyn Call) -> Done {
    let time = timeout::time(call, 0)?;
    time.into_iter().for_each(|time| call.pass_time(time));
    return_int(if time.is_some() { 0 } else { -2 })
}

fn join(call: &mut dyn Call) -> Done {
    let (handle, result) = (word(call, 0)?, word(call, 1)?);
    Ok(ModelResult::Then { operation: Operation::Join { handle, result, c11: true }, finish: translate })
}

fn exit(call: &mut dyn Call) -> Done {
    let value = u64::from(int(call, 0)? as u32);
    Ok(ModelResult::Operate(Operation::ThreadExit { value }))
}

fn equal(call: &mut dyn Call) -> Done {
    let (a, b) = (word(call, 0)?, word(call, 1)?);
    return_int(i32::from(a == b))
}

/// The type is a set of flags: recursive is 1, timed is 2.
fn mutex_init(call: &mut dyn Call) -> Done {
    let (mutex, flags) = (word(call, 0)?, int(call, 1)?);
    let kind = match flags {
        0 | 2 => MutexKind::Normal,
        1 | 3 => MutexKind::Recursive,
        _ => return return_int(ERROR),
    };
    call.mutex_init(mutex, kind, Robustness::Stalled)?;
    return_int(SUCCESS)
}

fn condition_init(call: &mut dyn Call) -> Done {
    let condition = word(call, 0)?;
    call.cond_init(condition)?;
    return_int(SUCCESS)
}

fn condition_wait(call: &mut dyn Call, patience: Patience) -> Done {
    let (condition, mutex) = (word(call, 0)?, word(call, 1)?);
    if patience == Patience::ForATime && !timeout::is_time(call, 2)? {
        return return_int(ERROR);
    }
    Ok(ModelResult::Then { operation: Operation::CondWait { condition, mutex, patience }, finish: translate })
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::operation::{Operation, Patience};

    #[test]
    fn the_operations_of_pthreads() {
        let mut fake = Fake::lp64();
        let (handle, routine, argument) = (8, 0x100, 7);
        let created =
            Operation::Create { handle, handle_bytes: 8, routine, argument, mark: 0, detached: false, c11: true };
        assert_eq!(fake.operation("thrd_create", &[8, 0x100, 7]), created);
        assert_eq!(fake.operation("thrd_join", &[3, 16]), Operation::Join { handle: 3, result: 16, c11: true });
        let waits = Operation::CondWait { condition: 128, mutex: 64, patience: Patience::Forever };
        assert_eq!(fake.operation("cnd_wait", &[128, 64]), waits);
        let tries = Operation::MutexLock { mutex: 64, patience: Patience::Never };
        assert_eq!(fake.operation("mtx_trylock", &[64]), tries);
        assert_eq!(fake.operation("call_once", &[4, 8]), Operation::OnceBegin { control: 4, routine: 8 });
    }

    #[test]
    fn results_of_their_own() {
        let mut fake = Fake::lp64();
        for (pthreads, c11) in [(0, 0), (16, 1), (22, 2), (110, 4)] {
            assert_eq!(fake.finish("mtx_trylock", &[64], [pthreads, 0], true), [c11, 0]);
        }
        assert_eq!(fake.int("mtx_init", &[64, 1]), 0);
        assert_eq!(fake.int("mtx_init", &[64, 4]), 2);
        assert_eq!(fake.log, ["mutex 0x40 Recursive"]);
    }
}
