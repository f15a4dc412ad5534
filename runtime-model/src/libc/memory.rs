//! `memcpy` and the other functions on ranges of bytes.
use crate::args::{Done, int, return_int, return_word, void, word};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family("bytes");
const OVERLAP: &str = "overlapping ranges are a violation";

/// Functions on ranges of bytes.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("memcpy", OVERLAP, memcpy),
    FAMILY.noted("mempcpy", OVERLAP, mempcpy),
    FAMILY.plain("memmove", memmove),
    FAMILY.plain("bcopy", bcopy),
    FAMILY.plain("memset", memset),
    FAMILY.plain("bzero", bzero),
    FAMILY.plain("explicit_bzero", bzero),
    FAMILY.plain("memcmp", memcmp),
    FAMILY.plain("bcmp", memcmp),
    FAMILY.plain("memchr", memchr),
    FAMILY.plain("rawmemchr", rawmemchr),
    FAMILY.plain("memrchr", memrchr),
    FAMILY.plain("memmem", memmem),
    FAMILY.noted("memccpy", OVERLAP, memccpy),
];

/// A violation if two ranges have a byte in common. Equal ranges are let through where the compiler itself makes such
/// copies (assignments of structs).
pub(crate) fn require_apart(call: &dyn Call, a: (u64, u64), b: (u64, u64)) -> Result<(), ModelError> {
    let apart = |low: (u64, u64), high: (u64, u64)| low.0.saturating_add(low.1) <= high.0;
    if a.1 == 0 || b.1 == 0 || apart(a, b) || apart(b, a) {
        return Ok(());
    }
    Err(call.fault(Kind::Memory, format!("`{}` between overlapping ranges", call.name())))
}

fn copy_apart(call: &mut dyn Call) -> Result<(u64, u64), ModelError> {
    let (to, from, len) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    if to != from {
        require_apart(call, (to, len), (from, len))?;
    }
    call.copy(to, from, len)?;
    Ok((to, len))
}

pub(crate) fn memcpy(call: &mut dyn Call) -> Done {
    let (to, _) = copy_apart(call)?;
    return_word(to)
}

pub(crate) fn mempcpy(call: &mut dyn Call) -> Done {
    let (to, len) = copy_apart(call)?;
    return_word(to + len)
}

pub(crate) fn memmove(call: &mut dyn Call) -> Done {
    let (to, from, len) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    call.copy(to, from, len)?;
    return_word(to)
}

fn bcopy(call: &mut dyn Call) -> Done {
    let (from, to, len) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    call.copy(to, from, len)?;
    void()
}

pub(crate) fn memset(call: &mut dyn Call) -> Done {
    let (to, byte, len) = (word(call, 0)?, int(call, 1)?, word(call, 2)?);
    call.fill(to, byte as u8, len)?;
    return_word(to)
}

fn bzero(call: &mut dyn Call) -> Done {
    let (to, len) = (word(call, 0)?, word(call, 1)?);
    call.fill(to, 0, len)?;
    void()
}

/// The difference of the first bytes that differ, as glibc's implementations have it.
fn memcmp(call: &mut dyn Call) -> Done {
    let (a, b, len) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let (a, b) = (call.load_bytes(a, len)?, call.load_bytes(b, len)?);
    let differ = a.iter().zip(&b).find(|(a, b)| a != b);
    return_int(differ.map_or(0, |(a, b)| i32::from(*a) - i32::from(*b)))
}

/// The place of the first `byte` in at most `len` bytes; reads no further than that.
pub(crate) fn find(call: &mut dyn Call, start: u64, byte: u8, len: u64) -> Result<Option<u64>, ModelError> {
    for offset in 0..len {
        if call.load(start.wrapping_add(offset), 1)? as u8 == byte {
            return Ok(Some(start + offset));
        }
    }
    Ok(None)
}

fn memchr(call: &mut dyn Call) -> Done {
    let (start, byte, len) = (word(call, 0)?, int(call, 1)?, word(call, 2)?);
    let place = find(call, start, byte as u8, len)?;
    return_word(place.unwrap_or(0))
}

fn rawmemchr(call: &mut dyn Call) -> Done {
    let (start, byte) = (word(call, 0)?, int(call, 1)?);
    let place = find(call, start, byte as u8, u64::MAX)?;
    return_word(place.unwrap_or(0))
}

fn memrchr(call: &mut dyn Call) -> Done {
    let (start, byte, len) = (word(call, 0)?, int(call, 1)? as u8, word(call, 2)?);
    let bytes = call.load_bytes(start, len)?;
    let offset = bytes.iter().rposition(|b| *b == byte);
    return_word(offset.map_or(0, |o| start + o as u64))
}

fn memmem(call: &mut dyn Call) -> Done {
    let (start, len) = (word(call, 0)?, word(call, 1)?);
    let (needle, needle_len) = (word(call, 2)?, word(call, 3)?);
    let (hay, needle) = (call.load_bytes(start, len)?, call.load_bytes(needle, needle_len)?);
    return_word(position(&hay, &needle).map_or(0, |o| start + o as u64))
}

/// Where `needle` first occurs in `hay`.
pub(crate) fn position(hay: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    hay.windows(needle.len()).position(|w| w == needle)
}

fn memccpy(call: &mut dyn Call) -> Done {
    let (to, from) = (word(call, 0)?, word(call, 1)?);
    let (byte, len) = (int(call, 2)? as u8, word(call, 3)?);
    let end = find(call, from, byte, len)?.map(|place| place + 1 - from);
    let copied = end.unwrap_or(len);
    require_apart(call, (to, copied), (from, copied))?;
    call.copy(to, from, copied)?;
    return_word(end.map_or(0, |n| to + n))
}
