//! Searching in strings.
use super::memory::{last, position};
use crate::args::{Done, data, return_word, word};
use crate::data::{byte, equal, known, lower, member, not, or};
use crate::table::Family;
use interp::hooks::{Call, ModelError, Registered, Text};

const FAMILY: Family = Family::on_data("strings");

/// `strchr` and its relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("strchr", strchr),
    FAMILY.plain("index", strchr),
    FAMILY.plain("strchrnul", strchrnul),
    FAMILY.plain("strrchr", strrchr),
    FAMILY.plain("rindex", strrchr),
    FAMILY.plain("strstr", strstr),
    FAMILY.noted("strcasestr", "in the C locale", strcasestr),
    FAMILY.plain("strspn", strspn),
    FAMILY.plain("strcspn", strcspn),
    FAMILY.plain("strpbrk", strpbrk),
];

/// The place of the first byte that is argument 1 (true), or of the end (false).
fn first(call: &mut dyn Call) -> Result<(u64, bool), ModelError> {
    let (mut place, wanted) = (word(call, 0)?, data(call, 1, 8)?);
    loop {
        let found = byte(call, place)?;
        let (same, end) = (equal(call, found, wanted), equal(call, found, known(0)));
        let stop = or(call, same, end);
        if call.decide(stop)? {
            return Ok((place, call.decide(same)?));
        }
        place = place.wrapping_add(1);
    }
}

fn strchr(call: &mut dyn Call) -> Done {
    let (place, found) = first(call)?;
    return_word(if found { place } else { 0 })
}

fn strchrnul(call: &mut dyn Call) -> Done {
    let (place, _) = first(call)?;
    return_word(place)
}

fn strrchr(call: &mut dyn Call) -> Done {
    let (start, wanted) = (word(call, 0)?, data(call, 1, 8)?);
    let mut text = call.text(start)?;
    text.push(known(0));
    let place = last(call, &text, wanted)?;
    return_word(place.map_or(0, |offset| start + offset as u64))
}

fn strstr(call: &mut dyn Call) -> Done {
    let (start, other) = (word(call, 0)?, word(call, 1)?);
    let (hay, needle) = (call.text(start)?, call.text(other)?);
    let place = position(call, &hay, &needle)?;
    return_word(place.map_or(0, |offset| start + offset as u64))
}

fn strcasestr(call: &mut dyn Call) -> Done {
    let (start, other) = (word(call, 0)?, word(call, 1)?);
    let (hay, needle) = (call.text(start)?, call.text(other)?);
    let (hay, needle) = (lowered(call, hay), lowered(call, needle));
    let place = position(call, &hay, &needle)?;
    return_word(place.map_or(0, |offset| start + offset as u64))
}

fn lowered(call: &mut dyn Call, text: Text) -> Text {
    match text {
        Text::Known(mut bytes) => {
            bytes.make_ascii_lowercase();
            Text::Known(bytes)
        }
        Text::Data(bytes) => Text::Data(bytes.into_iter().map(|byte| lower(call, byte)).collect()),
    }
}

/// Which bytes a span is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    /// Those of the set.
    Members,
    /// All others, but for the end of the string.
    Others,
}

/// How many bytes from `start` on belong to the span; reads no further than the one behind.
pub(crate) fn span(call: &mut dyn Call, start: u64, set: &Text, of: Span) -> Result<u64, ModelError> {
    for len in 0.. {
        let next = byte(call, start.wrapping_add(len))?;
        let (found, end) = (member(call, next, set), equal(call, next, known(0)));
        let outside = if of == Span::Members { not(call, found) } else { found };
        let over = or(call, outside, end);
        if call.decide(over)? {
            return Ok(len);
        }
    }
    unreachable!("memory has an end")
}

/// The span at the start of the string in argument 0, of the bytes in argument 1.
fn first_span(call: &mut dyn Call, of: Span) -> Result<(u64, u64), ModelError> {
    let (start, set) = (word(call, 0)?, word(call, 1)?);
    let set = call.text(set)?;
    Ok((start, span(call, start, &set, of)?))
}

fn strspn(call: &mut dyn Call) -> Done {
    let (_, len) = first_span(call, Span::Members)?;
    return_word(len)
}

fn strcspn(call: &mut dyn Call) -> Done {
    let (_, len) = first_span(call, Span::Others)?;
    return_word(len)
}

fn strpbrk(call: &mut dyn Call) -> Done {
    let (start, len) = first_span(call, Span::Others)?;
    let ends = is_end(call, start + len)?;
    return_word(if ends { 0 } else { start + len })
}

/// Whether a string ends there.
pub(crate) fn is_end(call: &mut dyn Call, place: u64) -> Result<bool, ModelError> {
    let byte = byte(call, place)?;
    let end = equal(call, byte, known(0));
    call.decide(end)
}
