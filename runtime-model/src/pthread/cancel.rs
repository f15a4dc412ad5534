//! Cancellation and cleanup handlers.
//!
//! glibc's `pthread_cleanup_push` saves a context, to which the thread goes back when it ends early, and registers it.
use crate::args::{Done, int, return_int, void, word};
use crate::errno::EINVAL;
use crate::table::Family;
use interp::hooks::CancellationPoint::{self, Always, Perhaps};
use interp::hooks::{Call, ModelError, ModelResult, Registered};
use interp::operation::Operation;

const FAMILY: Family = Family::of("cancellation");

/// `pthread_cancel` and what belongs to it.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("pthread_cancel", cancel),
    FAMILY.plain("pthread_testcancel", |_| void()),
    FAMILY.plain("__verify_may_be_cancelled", |_| void()),
    FAMILY.plain("pthread_setcancelstate", set_state),
    FAMILY.noted("pthread_setcanceltype", "asynchronous cancellation is unknown", set_type),
    FAMILY.noted("__pthread_register_cancel", "pthread_cleanup_push of glibc", push),
    FAMILY.noted("__pthread_unregister_cancel", "pthread_cleanup_pop of glibc", pop),
    FAMILY.noted("__pthread_unwind_next", "the end of a cleanup handler of glibc", unwind),
];

/// Where a thread that is asked to end does so, besides waiting for signals and threads. (With glibc, who finds a
/// thread over, or is woken at once, goes on although it was asked before; who finds a semaphore that it can have does
/// not.) What is written in C calls one of the first two itself.
pub(crate) const POINTS: &[(CancellationPoint, &[&str])] = &[
    (
        Always,
        &[
            "pthread_testcancel",
            "clock_nanosleep",
            "nanosleep",
            "pause",
            "sem_clockwait",
            "sem_timedwait",
            "sem_wait",
            "sleep",
            "usleep",
            "write",
        ],
    ),
    (
        Perhaps,
        &[
            "__verify_may_be_cancelled",
            "__fprintf_chk",
            "__printf_chk",
            "__vfprintf_chk",
            "__vprintf_chk",
            "dprintf",
            "fflush",
            "fprintf",
            "fputc",
            "fputs",
            "fwrite",
            "perror",
            "printf",
            "putc",
            "putchar",
            "puts",
            "thrd_sleep",
            "vdprintf",
            "vfprintf",
            "vprintf",
        ],
    ),
];

fn cancel(call: &mut dyn Call) -> Done {
    let handle = word(call, 0)?;
    Ok(ModelResult::Operate(Operation::Cancel { handle }))
}

/// Enabled is 0, disabled 1.
fn set_state(call: &mut dyn Call) -> Done {
    let (state, old) = (int(call, 0)?, word(call, 1)?);
    if !(0..=1).contains(&state) {
        return return_int(EINVAL);
    }
    let was_enabled = call.enable_cancellation(state == 0);
    if old != 0 {
        call.store(old, 4, u64::from(!was_enabled))?;
    }
    return_int(0)
}

/// Deferred is 0, asynchronous 1.
fn set_type(call: &mut dyn Call) -> Done {
    let (kind, old) = (int(call, 0)?, word(call, 1)?);
    match kind {
        0 => {}
        1 => return Err(ModelError::Unknown("asynchronous cancellation is not modelled".into())),
        _ => return return_int(EINVAL),
    }
    if old != 0 {
        call.store(old, 4, 0)?;
    }
    return_int(0)
}

fn push(call: &mut dyn Call) -> Done {
    let buffer = word(call, 0)?;
    call.push_cleanup(buffer);
    void()
}

fn pop(call: &mut dyn Call) -> Done {
    let buffer = word(call, 0)?;
    call.pop_cleanup(buffer)?;
    void()
}

fn unwind(call: &mut dyn Call) -> Done {
    let value = call.ends_with();
    Ok(ModelResult::Operate(Operation::ThreadExit { value }))
}
