//! Cutting strings into tokens.
use super::search::{Span, is_end, span};
use crate::args::{Done, return_word, word};
use crate::table::Family;
use interp::hooks::{Call, LibraryContent, LibraryGlobal, Registered};

const FAMILY: Family = Family::on_data("strings");

/// `strtok` and its relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("strtok", "its state is one plain variable: calls by two threads race", strtok),
    FAMILY.plain("strtok_r", strtok_r),
    FAMILY.plain("__strtok_r", strtok_r),
    FAMILY.plain("strsep", strsep),
];

/// Where `strtok` goes on.
const STATE: &str = "state of strtok";

/// The state of `strtok`.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    vec![LibraryGlobal { name: STATE, content: LibraryContent::Word(0), constant: false }]
}

fn strtok(call: &mut dyn Call) -> Done {
    let state = call.global(STATE).expect("the machine defines the library's variables");
    next(call, state)
}

fn strtok_r(call: &mut dyn Call) -> Done {
    let state = word(call, 2)?;
    next(call, state)
}

/// The next token of the string in argument 0, or of what `state` points to if that is null.
fn next(call: &mut dyn Call, state: u64) -> Done {
    let (text, delimiters) = (word(call, 0)?, word(call, 1)?);
    let delimiters = call.text(delimiters)?;
    let bytes = call.pointer_bytes();
    let start = if text == 0 { call.load(state, bytes)? } else { text };
    if start == 0 {
        return return_word(0);
    }
    let token = start + span(call, start, &delimiters, Span::Members)?;
    let end = token + span(call, token, &delimiters, Span::Others)?;
    let more = !is_end(call, end)?;
    if more {
        call.store(end, 1, 0)?;
    }
    call.store(state, bytes, if more { end + 1 } else { end })?;
    return_word(if end == token { 0 } else { token })
}

fn strsep(call: &mut dyn Call) -> Done {
    let (place, delimiters) = (word(call, 0)?, word(call, 1)?);
    let delimiters = call.text(delimiters)?;
    let bytes = call.pointer_bytes();
    let start = call.load(place, bytes)?;
    if start == 0 {
        return return_word(0);
    }
    let end = start + span(call, start, &delimiters, Span::Others)?;
    if is_end(call, end)? {
        call.store(place, bytes, 0)?;
    } else {
        call.store(end, 1, 0)?;
        call.store(place, bytes, end + 1)?;
    }
    return_word(start)
}
