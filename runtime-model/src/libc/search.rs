//! Searching in strings.
use super::memory::position;
use crate::args::{Done, int, return_word, word};
use crate::table::Family;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family("strings");

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

/// The place of the first `byte` (true), or of the end (false).
fn first(call: &mut dyn Call) -> Result<(u64, bool), ModelError> {
    let (mut place, byte) = (word(call, 0)?, int(call, 1)? as u8);
    loop {
        let found = call.load(place, 1)? as u8;
        if found == byte || found == 0 {
            return Ok((place, found == byte));
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
    let (start, byte) = (word(call, 0)?, int(call, 1)? as u8);
    let mut text = call.c_string(start)?;
    text.push(0);
    let offset = text.iter().rposition(|b| *b == byte);
    return_word(offset.map_or(0, |o| start + o as u64))
}

fn texts(call: &mut dyn Call) -> Result<(u64, Vec<u8>, Vec<u8>), ModelError> {
    let (start, other) = (word(call, 0)?, word(call, 1)?);
    Ok((start, call.c_string(start)?, call.c_string(other)?))
}

fn strstr(call: &mut dyn Call) -> Done {
    let (start, hay, needle) = texts(call)?;
    return_word(position(&hay, &needle).map_or(0, |o| start + o as u64))
}

fn strcasestr(call: &mut dyn Call) -> Done {
    let (start, mut hay, mut needle) = texts(call)?;
    hay.make_ascii_lowercase();
    needle.make_ascii_lowercase();
    return_word(position(&hay, &needle).map_or(0, |o| start + o as u64))
}

fn strspn(call: &mut dyn Call) -> Done {
    let (_, text, set) = texts(call)?;
    return_word(text.iter().take_while(|b| set.contains(b)).count() as u64)
}

fn strcspn(call: &mut dyn Call) -> Done {
    let (_, text, set) = texts(call)?;
    return_word(text.iter().take_while(|b| !set.contains(b)).count() as u64)
}

fn strpbrk(call: &mut dyn Call) -> Done {
    let (start, text, set) = texts(call)?;
    return_word(text.iter().position(|b| set.contains(b)).map_or(0, |o| start + o as u64))
}
