//! Copying, joining, measuring and comparing strings.
use super::allocation;
use super::memory::require_apart;
use crate::args::{Done, return_int, return_word, word};
use crate::table::Family;
use interp::hooks::{Call, Content, ModelError, Registered};

const FAMILY: Family = Family("strings");
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
pub(crate) fn bounded(call: &mut dyn Call, start: u64, limit: u64) -> Result<Vec<u8>, ModelError> {
    let mut out = Vec::new();
    while (out.len() as u64) < limit {
        match call.load(start.wrapping_add(out.len() as u64), 1)? as u8 {
            0 => break,
            byte => out.push(byte),
        }
    }
    Ok(out)
}

/// Length of the string in argument `index`.
pub(crate) fn length(call: &mut dyn Call, index: usize) -> Result<u64, ModelError> {
    let start = word(call, index)?;
    Ok(call.c_string(start)?.len() as u64)
}

fn strlen(call: &mut dyn Call) -> Done {
    let len = length(call, 0)?;
    return_word(len)
}

fn strnlen(call: &mut dyn Call) -> Done {
    let (start, limit) = (word(call, 0)?, word(call, 1)?);
    let len = bounded(call, start, limit)?.len();
    return_word(len as u64)
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
    let len = bounded(call, from, size)?.len() as u64;
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
    let (to, from, limit) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let end = to + length(call, 0)?;
    let len = bounded(call, from, limit)?.len() as u64;
    copy_ended(call, end, from, len)?;
    return_word(to)
}

fn strlcat(call: &mut dyn Call) -> Done {
    let (to, from, size) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let (old, len) = (bounded(call, to, size)?.len() as u64, length(call, 1)?);
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
    let (from, limit) = (word(call, 0)?, word(call, 1)?);
    let len = bounded(call, from, limit)?.len() as u64;
    duplicate(call, from, len)
}

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

/// The difference of the first characters that differ. `limit` is the argument with the largest number of bytes to
/// look at.
fn compare(call: &mut dyn Call, limit: Option<usize>, key: fn(u8) -> u8) -> Done {
    let (a, b) = (word(call, 0)?, word(call, 1)?);
    let limit = limit.map_or(Ok(u64::MAX), |index| word(call, index))?;
    for offset in 0..limit {
        let x = key(call.load(a.wrapping_add(offset), 1)? as u8);
        let y = key(call.load(b.wrapping_add(offset), 1)? as u8);
        if x != y || x == 0 {
            return return_int(i32::from(x) - i32::from(y));
        }
    }
    return_int(0)
}
