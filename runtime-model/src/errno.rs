//! Error numbers, which are those of Linux, and `errno`.
use crate::args::{Done, return_word};
use crate::table::Family;
use interp::hooks::{Call, ModelError, Registered};

pub(crate) const EBADF: i32 = 9;
pub(crate) const ENOMEM: i32 = 12;
pub(crate) const EBUSY: i32 = 16;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const ENOTTY: i32 = 25;
pub(crate) const EDOM: i32 = 33;
pub(crate) const ERANGE: i32 = 34;
pub(crate) const ENOSYS: i32 = 38;
pub(crate) const ENOTSUP: i32 = 95;
pub(crate) const ETIMEDOUT: i32 = 110;

const FAMILY: Family = Family::of("errors");

/// Where `errno` lives.
pub(crate) const MODELS: &[Registered] = &[FAMILY.plain("__errno_location", location)];

fn location(call: &mut dyn Call) -> Done {
    let address = call.errno_address()?;
    return_word(address)
}

/// Stores an error number in the calling thread's `errno`.
pub(crate) fn set(call: &mut dyn Call, error: i32) -> Result<(), ModelError> {
    call.set_errno(error as u32)
}

/// The calling thread's `errno`.
pub(crate) fn get(call: &mut dyn Call) -> Result<i32, ModelError> {
    let address = call.errno_address()?;
    Ok(call.load(address, 4)? as u32 as i32)
}
