//! `memcpy` and the other functions on ranges of bytes.
use crate::args::{Done, data, length, return_data, return_int, return_word, void, word};
use crate::data::{and, byte, decide, equal, less, truth};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, Data, ModelError, Op, Registered, Sign, Text};

const FAMILY: Family = Family::on_data("bytes");
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
    let (to, from) = (word(call, 0)?, word(call, 1)?);
    let len = length(call, 2, &[to, from])?;
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
    let (to, from) = (word(call, 0)?, word(call, 1)?);
    let len = length(call, 2, &[to, from])?;
    call.copy(to, from, len)?;
    return_word(to)
}

fn bcopy(call: &mut dyn Call) -> Done {
    let (from, to) = (word(call, 0)?, word(call, 1)?);
    let len = length(call, 2, &[to, from])?;
    call.copy(to, from, len)?;
    void()
}

pub(crate) fn memset(call: &mut dyn Call) -> Done {
    let to = word(call, 0)?;
    let len = length(call, 2, &[to])?;
    match data(call, 1, 8)? {
        Data::Known(byte, _) => call.fill(to, byte as u8, len)?,
        byte => {
            // (Whether all of it is there is looked at before anything is written, as ever.)
            call.fill(to, 0, len)?;
            for offset in 0..len {
                call.store_data(to + offset, byte)?;
            }
        }
    }
    return_word(to)
}

fn bzero(call: &mut dyn Call) -> Done {
    let to = word(call, 0)?;
    let len = length(call, 1, &[to])?;
    call.fill(to, 0, len)?;
    void()
}

/// The difference of the first bytes that differ, as glibc's implementations have it. On terms it is one term, without
/// a decision: all bytes are read anyway.
fn memcmp(call: &mut dyn Call) -> Done {
    let (start, b) = (word(call, 0)?, word(call, 1)?);
    let len = length(call, 2, &[start, b])?;
    let (a, b) = (call.bytes(start, len)?, call.bytes(b, len)?);
    note_words(call, start, &a, &b);
    if let (Text::Known(a), Text::Known(b)) = (&a, &b) {
        let differ = a.iter().zip(b).find(|(a, b)| a != b);
        return return_int(differ.map_or(0, |(a, b)| i32::from(*a) - i32::from(*b)));
    }
    let mut result = Data::Known(0, 32);
    for place in (0..a.len()).rev() {
        let (x, y) = (a.at(place), b.at(place));
        let same = equal(call, x, y);
        let differ = difference(call, x, y);
        result = call.choose(same, result, differ);
    }
    return_data(result)
}

/// The difference of two bytes, as an `int`.
pub(crate) fn difference(call: &mut dyn Call, x: Data, y: Data) -> Data {
    let (x, y) = (call.resize(x, 32, Sign::Unsigned), call.resize(y, 32, Sign::Unsigned));
    call.compute(Op::Sub, x, y)
}

/// The word that decides may be an address: the first one that differs, or, where that depends on inputs, each up to
/// it.
fn note_words(call: &mut dyn Call, start: u64, a: &Text, b: &Text) {
    let size = call.pointer_bytes() as usize;
    let known = |text: &Text, place: usize| text.at(place).value();
    let equal = |place: usize| known(a, place).is_some() && known(a, place) == known(b, place);
    let mut place = 0;
    if let (Text::Known(a), Text::Known(b)) = (a, b) {
        place = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len());
    }
    while let Some(found) = (place..a.len()).find(|place| !equal(*place)) {
        let begin = found.wrapping_sub((start as usize).wrapping_add(found) % size);
        let end = begin.wrapping_add(size);
        let number = |text: &Text| {
            let bytes = begin..end;
            bytes.rev().try_fold(0, |number, place| Some(number << 8 | known(text, place)? as u64))
        };
        if begin < end
            && end <= a.len()
            && let (Some(one), Some(other)) = (number(a), number(b))
        {
            call.note_unequal(one, other);
        }
        if known(a, found).is_some() && known(b, found).is_some() {
            break;
        }
        place = found + 1;
    }
}

/// The place of the first `wanted` in at most `len` bytes; reads no further than that.
pub(crate) fn find(call: &mut dyn Call, start: u64, wanted: Data, len: Data) -> Result<Option<u64>, ModelError> {
    for offset in 0.. {
        let more = less(call, Data::Known(offset.into(), 64), len);
        if !decide(call, more)? {
            break;
        }
        let found = byte(call, start.wrapping_add(offset))?;
        let same = equal(call, found, wanted);
        if decide(call, same)? {
            return Ok(Some(start + offset));
        }
    }
    Ok(None)
}

fn memchr(call: &mut dyn Call) -> Done {
    let (start, wanted, len) = (word(call, 0)?, data(call, 1, 8)?, data(call, 2, 64)?);
    let place = find(call, start, wanted, len)?;
    return_word(place.unwrap_or(0))
}

fn rawmemchr(call: &mut dyn Call) -> Done {
    let (start, wanted) = (word(call, 0)?, data(call, 1, 8)?);
    let place = find(call, start, wanted, Data::Known(u64::MAX.into(), 64))?;
    return_word(place.unwrap_or(0))
}

fn memrchr(call: &mut dyn Call) -> Done {
    let (start, wanted) = (word(call, 0)?, data(call, 1, 8)?);
    let len = length(call, 2, &[start])?;
    let bytes = call.bytes(start, len)?;
    let place = last(call, &bytes, wanted)?;
    return_word(place.map_or(0, |offset| start + offset as u64))
}

/// Where a byte occurs last.
pub(crate) fn last(call: &mut dyn Call, bytes: &Text, wanted: Data) -> Result<Option<usize>, ModelError> {
    for place in (0..bytes.len()).rev() {
        let same = equal(call, bytes.at(place), wanted);
        if decide(call, same)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

fn memmem(call: &mut dyn Call) -> Done {
    let (start, needle) = (word(call, 0)?, word(call, 2)?);
    let (len, needle_len) = (length(call, 1, &[start])?, length(call, 3, &[needle])?);
    let (hay, needle) = (call.bytes(start, len)?, call.bytes(needle, needle_len)?);
    let place = position(call, &hay, &needle)?;
    return_word(place.map_or(0, |offset| start + offset as u64))
}

/// Where `needle` first occurs in `hay`: a decision for each place, not for each byte.
pub(crate) fn position(call: &mut dyn Call, hay: &Text, needle: &Text) -> Result<Option<usize>, ModelError> {
    if let (Text::Known(hay), Text::Known(needle)) = (hay, needle) {
        let found = if needle.is_empty() { Some(0) } else { hay.windows(needle.len()).position(|w| w == needle) };
        return Ok(found);
    }
    for place in (0..=hay.len()).take_while(|place| place + needle.len() <= hay.len()) {
        let mut all = truth(true);
        for index in 0..needle.len() {
            let same = equal(call, hay.at(place + index), needle.at(index));
            all = and(call, all, same);
        }
        if decide(call, all)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

fn memccpy(call: &mut dyn Call) -> Done {
    let (to, from) = (word(call, 0)?, word(call, 1)?);
    let (wanted, len) = (data(call, 2, 8)?, word(call, 3)?);
    let end = find(call, from, wanted, Data::Known(len.into(), 64))?.map(|place| place + 1 - from);
    let copied = end.unwrap_or(len);
    require_apart(call, (to, copied), (from, copied))?;
    call.copy(to, from, copied)?;
    return_word(end.map_or(0, |n| to + n))
}
