//! Absolute times to which operations wait.
//!
//! A time may be over at any moment, whatever it is: what the clock says is nobody's choice. So before that only
//! whether it is a time at all is looked at. When it is over, the clock says so.
use crate::args::{Done, return_int, sign_extend, word};
use crate::errno::{EINVAL, ETIMEDOUT};
use interp::hooks::{Call, ModelError, Outcome};

/// What a user should know of operations that wait for a time.
pub(crate) const NOTE: &str = "the time may be over at any moment; then the clock says so";

/// Nanoseconds.
const SECOND: u64 = 1_000_000_000;

/// The time in nanoseconds, 0 if it is before the first, in the `struct timespec` to which the argument leads; `None`
/// if its number of nanoseconds cannot be.
pub(crate) fn time(call: &mut dyn Call, argument: usize) -> Result<Option<u64>, ModelError> {
    let time = word(call, argument)?;
    let bytes = call.pointer_bytes();
    let seconds = sign_extend(call.load(time, bytes)?, bytes);
    let nanoseconds = sign_extend(call.load(time + bytes, bytes)?, bytes) as u64;
    let time = u64::try_from(seconds).unwrap_or(0).saturating_mul(SECOND).saturating_add(nanoseconds);
    Ok((nanoseconds < SECOND).then_some(time))
}

/// Whether the argument is a `struct timespec` with a number of nanoseconds that can be.
pub(crate) fn is_time(call: &mut dyn Call, argument: usize) -> Result<bool, ModelError> {
    Ok(time(call, argument)?.is_some())
}

/// Whether the last argument is one. (POSIX leaves open when that is looked at. Here it is when glibc does.)
pub(crate) fn last_is_time(call: &mut dyn Call) -> Result<bool, ModelError> {
    let last = call.arguments().saturating_sub(1);
    is_time(call, last)
}

/// The time to which the argument leads, in nanoseconds, after an operation that has waited for that. (To look at it
/// here is no access: the program has handed it over before.)
pub(crate) fn peek(call: &dyn Call, argument: usize) -> Option<u64> {
    let (time, bytes) = (call.known_argument(argument)?, call.pointer_bytes());
    let [seconds, nanoseconds] = [time, time + bytes].map(|part| call.peek(part, bytes));
    let seconds = u64::try_from(sign_extend(seconds?, bytes)).unwrap_or(0);
    Some(seconds.saturating_mul(SECOND).saturating_add(nanoseconds?))
}

/// If an operation has ended with this error because the time is over to which the last argument leads, the clock says
/// so.
pub(crate) fn pass(call: &mut dyn Call, error: i32) {
    let last = call.arguments().saturating_sub(1);
    if let Some(time) = peek(call, last).filter(|_| error == ETIMEDOUT) {
        call.pass_time_until(time);
    }
}

/// The result of an operation that waits until the time in the last argument.
pub(crate) fn finish(call: &mut dyn Call, outcome: Outcome) -> Done {
    let error = outcome.value[0] as i32;
    pass(call, error);
    return_int(error)
}

/// The result of an operation that waits until the time in the last argument, which is looked at only if there is
/// something to wait for.
pub(crate) fn result(call: &mut dyn Call, outcome: Outcome) -> Done {
    let error = outcome.value[0] as i32;
    if error == ETIMEDOUT {
        let last = call.arguments().saturating_sub(1);
        let Some(time) = time(call, last)? else { return return_int(EINVAL) };
        call.pass_time_until(time);
    }
    return_int(error)
}
