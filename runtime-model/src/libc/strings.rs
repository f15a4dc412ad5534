//! Copying, joining, measuring and comparing strings.
use super::allocation;
use super::memory::{difference, require_apart};
use crate::args::{Done, data, return_data, return_int, return_word, word};
use crate::data::{byte, equal, known, less, lower, not, or};
use crate::table::Family;
use interp::hooks::{Call, Content, Data, ModelError, Registered, Text};

const FAMILY: Family = Family::on_data("strings");
const OVERLAP: &str = "overlapping ranges are a violation";

/// Functions on strings.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("strlen", strlen),
    FAMILY.plain("strnlen", strnlen),
    FAMILY.noted("strcpy", OVERLAP, strcpy),
    FAMILY.noted("stpcpy", OVERLAP, stpcpy),
    FAMILY.noted("strncpy", OVERLAP, strncpy),
    FAMILY.noted("stpncpy", OVERLAP, stpncpy),
    FAMILY.noted("strlcpy", OVERLAP, strlcpy),
    FAMILY.noted("strcat", OVERLAP, strcat),
    FAMILY.noted("strncat", OVERLAP, strncat),
    FAMILY.noted("strlcat", OVERLAP, strlcat),
    FAMILY.noted("strdup", "assumes that the allocation succeeds (allocation-succeeds)", strdup).allocating(),
    FAMILY.noted("__strdup", "assumes that the allocation succeeds (allocation-succeeds)", strdup).allocating(),
    FAMILY.noted("strndup", "assumes that the allocation succeeds (allocation-succeeds)", strndup).allocating(),
    FAMILY.plain("strcmp", |c| compare(c, None, same)),
    FAMILY.noted("strcoll", "in the C locale", |c| compare(c, None, same)),
    FAMILY.plain("strncmp", |c| compare(c, Some(2), same)),
    FAMILY.noted("strcasecmp", "in the C locale", |c| compare(c, None, lower)),
    FAMILY.noted("strncasecmp", "in the C locale", |c| compare(c, Some(2), lower)),
];

/// The string at an address, cut off after `limit` bytes; reads no further than that.
pub(crate) fn bounded(call: &mut dyn Call, start: u64, limit: Data) -> Result<Text, ModelError> {
    let mut out = Text::Known(Vec::new());
    loop {
        let more = less(call, Data::Known(out.len() as u128, 64), limit);
        if !call.decide(more)? {
            return Ok(out);
        }
        let next = byte(call, start.wrapping_add(out.len() as u64))?;
        let ends = equal(call, next, known(0));
        if call.decide(ends)? {
            return Ok(out);
        }
        out.push(next);
    }
}

/// Length of the string in argument `index`.
pub(crate) fn length(call: &mut dyn Call, index: usize) -> Result<u64, ModelError> {
    let start = word(call, index)?;
    Ok(call.text(start)?.len() as u64)
}

/// The same, up to the bound in argument `limit`.
pub(crate) fn bounded_length(call: &mut dyn Call, index: usize, limit: usize) -> Result<u64, ModelError> {
    let (start, limit) = (word(call, index)?, data(call, limit, 64)?);
    Ok(bounded(call, start, limit)?.len() as u64)
}

fn strlen(call: &mut dyn Call) -> Done {
    let len = length(call, 0)?;
    return_word(len)
}

fn strnlen(call: &mut dyn Call) -> Done {
    let len = bounded_length(call, 0, 1)?;
    return_word(len)
}

/// Copies the string in argument 1, its end included, to `to`. Returns its length.
fn copy_string(call: &mut dyn Call, to: u64) -> Result<u64, ModelError> {
    let (from, len) = (word(call, 1)?, length(call, 1)?);
    require_apart(call, (to, len + 1), (from, len + 1))?;
    call.copy(to, from, len + 1)?;
    Ok(len)
}

pub(crate) fn strcpy(call: &mut dyn Call) -> Done {
    let to = word(call, 0)?;
    copy_string(call, to)?;
    return_word(to)
}

pub(crate) fn stpcpy(call: &mut dyn Call) -> Done {
    let to = word(call, 0)?;
    let len = copy_string(call, to)?;
    return_word(to + len)
}

/// Copies at most argument 2 bytes and fills the rest with zeros. Returns what was copied.
fn copy_padded(call: &mut dyn Call) -> Result<u64, ModelError> {
    let (to, from, size) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let len = bounded_length(call, 1, 2)?;
    require_apart(call, (to, size), (from, len))?;
    call.copy(to, from, len)?;
    call.fill(to + len, 0, size - len)?;
    Ok(len)
}

pub(crate) fn strncpy(call: &mut dyn Call) -> Done {
    copy_padded(call)?;
    let to = word(call, 0)?;
    return_word(to)
}

pub(crate) fn stpncpy(call: &mut dyn Call) -> Done {
    let len = copy_padded(call)?;
    let to = word(call, 0)?;
    return_word(to + len)
}

/// Copies `len` bytes and an end.
fn copy_ended(call: &mut dyn Call, to: u64, from: u64, len: u64) -> Result<(), ModelError> {
    require_apart(call, (to, len + 1), (from, len))?;
    call.copy(to, from, len)?;
    call.store(to + len, 1, 0)
}

fn strlcpy(call: &mut dyn Call) -> Done {
    let (to, from, size) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let len = length(call, 1)?;
    if size > 0 {
        copy_ended(call, to, from, len.min(size - 1))?;
    }
    return_word(len)
}

pub(crate) fn strcat(call: &mut dyn Call) -> Done {
    let to = word(call, 0)?;
    let end = to + length(call, 0)?;
    copy_string(call, end)?;
    return_word(to)
}

pub(crate) fn strncat(call: &mut dyn Call) -> Done {
    let (to, from) = (word(call, 0)?, word(call, 1)?);
    let end = to + length(call, 0)?;
    let len = bounded_length(call, 1, 2)?;
    copy_ended(call, end, from, len)?;
    return_word(to)
}

fn strlcat(call: &mut dyn Call) -> Done {
    let (to, from, size) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let (old, len) = (bounded_length(call, 0, 2)?, length(call, 1)?);
    if old < size {
        copy_ended(call, to + old, from, len.min(size - 1 - old))?;
    }
    return_word(old + len)
}

/// A new object with these bytes of the program and an end.
fn duplicate(call: &mut dyn Call, from: u64, len: u64) -> Done {
    let copy = allocation::allocate(call, len + 1, 1, Content::Unwritten)?;
    if copy != 0 {
        call.copy(copy, from, len)?;
        call.store(copy + len, 1, 0)?;
    }
    return_word(copy)
}

fn strdup(call: &mut dyn Call) -> Done {
    let (from, len) = (word(call, 0)?, length(call, 0)?);
    duplicate(call, from, len)
}

fn strndup(call: &mut dyn Call) -> Done {
    let (from, len) = (word(call, 0)?, bounded_length(call, 0, 1)?);
    duplicate(call, from, len)
}

fn same(_: &mut dyn Call, byte: Data) -> Data {
    byte
}

/// The difference of the first characters that differ. `limit` is the argument with the largest number of bytes to
/// look at. One thing is decided per character: whether it is the last one that matters. The difference is a term.
fn compare(call: &mut dyn Call, limit: Option<usize>, key: fn(&mut dyn Call, Data) -> Data) -> Done {
    let (a, b) = (word(call, 0)?, word(call, 1)?);
    let limit = limit.map_or(Ok(Data::Known(u64::MAX.into(), 64)), |index| data(call, index, 64))?;
    for offset in 0.. {
        let more = less(call, Data::Known(offset.into(), 64), limit);
        if !call.decide(more)? {
            break;
        }
        let (x, y) = (byte(call, a.wrapping_add(offset))?, byte(call, b.wrapping_add(offset))?);
        let (x, y) = (key(call, x), key(call, y));
        let same = equal(call, x, y);
        let (differ, end) = (not(call, same), equal(call, x, known(0)));
        let last = or(call, differ, end);
        if call.decide(last)? {
            let result = difference(call, x, y);
            return return_data(result);
        }
    }
    return_int(0)
}
