//! The checked forms that `_FORTIFY_SOURCE` makes of copies: they take the size of the destination as well.
use super::{memory, strings};
use crate::args::{Done, length, word};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::on_data("checked forms");

/// `__memcpy_chk` and its relatives. (Those of printf are with printf.)
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("__memcpy_chk", |c| sized(c, memory::memcpy)),
    FAMILY.plain("__mempcpy_chk", |c| sized(c, memory::mempcpy)),
    FAMILY.plain("__memmove_chk", |c| sized(c, memory::memmove)),
    FAMILY.plain("__memset_chk", |c| sized(c, memory::memset)),
    FAMILY.plain("__strncpy_chk", |c| sized(c, strings::strncpy)),
    FAMILY.plain("__stpncpy_chk", |c| sized(c, strings::stpncpy)),
    FAMILY.plain("__strcpy_chk", |c| copied(c, strings::strcpy)),
    FAMILY.plain("__stpcpy_chk", |c| copied(c, strings::stpcpy)),
    FAMILY.plain("__strcat_chk", strcat),
    FAMILY.plain("__strncat_chk", strncat),
];

/// A violation if more than `room` bytes would be written.
pub(crate) fn require_room(call: &dyn Call, written: u64, room: u64) -> Result<(), ModelError> {
    if written <= room {
        return Ok(());
    }
    let message = format!("`{}` writes {written} bytes to an object of {room}", call.name());
    Err(call.fault(Kind::Memory, message))
}

/// The number of bytes is argument 2, the room argument 3.
fn sized(call: &mut dyn Call, model: fn(&mut dyn Call) -> Done) -> Done {
    let to = word(call, 0)?;
    let (written, room) = (length(call, 2, &[to])?, word(call, 3)?);
    require_room(call, written, room)?;
    model(call)
}

/// The string in argument 1 is copied, the room is argument 2.
fn copied(call: &mut dyn Call, model: fn(&mut dyn Call) -> Done) -> Done {
    let (len, room) = (strings::length(call, 1)?, word(call, 2)?);
    require_room(call, len + 1, room)?;
    model(call)
}

fn strcat(call: &mut dyn Call) -> Done {
    let (old, len, room) = (strings::length(call, 0)?, strings::length(call, 1)?, word(call, 2)?);
    require_room(call, old + len + 1, room)?;
    strings::strcat(call)
}

fn strncat(call: &mut dyn Call) -> Done {
    let room = word(call, 3)?;
    let (old, len) = (strings::length(call, 0)?, strings::bounded_length(call, 1, 2)?);
    require_room(call, old + len + 1, room)?;
    strings::strncat(call)
}
