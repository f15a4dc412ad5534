//! Absolute times to which operations wait.
//!
//! A time may be over at any moment, whatever it is: what the clock says is nobody's choice. So only whether it is a
//! time at all is looked at.
use crate::args::{Done, return_int, sign_extend, word};
use crate::errno::{EINVAL, ETIMEDOUT};
use interp::hooks::{Call, ModelError, Outcome};

/// What a user should know of operations that wait for a time.
pub(crate) const NOTE: &str = "the time may be over at any moment";

/// Whether the argument is a `struct timespec` with a number of nanoseconds that can be.
pub(crate) fn is_time(call: &mut dyn Call, argument: usize) -> Result<bool, ModelError> {
    let time = word(call, argument)?;
    let bytes = call.pointer_bytes();
    call.load(time, bytes)?;
    let nanoseconds = sign_extend(call.load(time + bytes, bytes)?, bytes);
    Ok((0..1_000_000_000).contains(&nanoseconds))
}

/// Whether the last argument is one. (POSIX leaves open when that is looked at. Here it is when glibc does.)
pub(crate) fn last_is_time(call: &mut dyn Call) -> Result<bool, ModelError> {
    let last = call.arguments().saturating_sub(1);
    is_time(call, last)
}

/// The result of an operation that waits until the time in the last argument, which is looked at only if there is
/// something to wait for.
pub(crate) fn result(call: &mut dyn Call, outcome: Outcome) -> Done {
    let error = outcome.value[0] as i32;
    return_int(if error == ETIMEDOUT && !last_is_time(call)? { EINVAL } else { error })
}
