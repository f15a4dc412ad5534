//! Classes of characters in the C locale.
use crate::args::{Done, data, return_data, return_int, return_word};
use crate::data::{among, extended, intervals, less};
use crate::table::Family;
use interp::hooks::{Call, Data, LibraryContent, LibraryGlobal, Op, Registered};

const FAMILY: Family = Family::on_data("characters");

/// `isalpha` and its relatives, and the tables that glibc's macros use.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("isalpha", "C locale", |c| class(c, |b| b.is_ascii_alphabetic(), ALPHA)),
    FAMILY.noted("isdigit", "C locale", |c| class(c, |b| b.is_ascii_digit(), DIGIT)),
    FAMILY.noted("isalnum", "C locale", |c| class(c, |b| b.is_ascii_alphanumeric(), ALNUM)),
    FAMILY.noted("isspace", "C locale", |c| class(c, is_space, SPACE)),
    FAMILY.noted("isupper", "C locale", |c| class(c, |b| b.is_ascii_uppercase(), UPPER)),
    FAMILY.noted("islower", "C locale", |c| class(c, |b| b.is_ascii_lowercase(), LOWER)),
    FAMILY.noted("isxdigit", "C locale", |c| class(c, |b| b.is_ascii_hexdigit(), XDIGIT)),
    FAMILY.noted("ispunct", "C locale", |c| class(c, |b| b.is_ascii_punctuation(), PUNCT)),
    FAMILY.noted("isprint", "C locale", |c| class(c, is_print, PRINT)),
    FAMILY.noted("isgraph", "C locale", |c| class(c, |b| b.is_ascii_graphic(), GRAPH)),
    FAMILY.noted("iscntrl", "C locale", |c| class(c, |b| b.is_ascii_control(), CNTRL)),
    FAMILY.noted("isblank", "C locale", |c| class(c, is_blank, BLANK)),
    FAMILY.plain("isascii", is_ascii),
    FAMILY.plain("toascii", to_ascii),
    FAMILY.noted("tolower", "C locale", |c| map(c, |b| b.to_ascii_lowercase())),
    FAMILY.noted("toupper", "C locale", |c| map(c, |b| b.to_ascii_uppercase())),
    FAMILY.noted("__ctype_b_loc", "C locale", |c| table(c, "pointer to ctype classes")),
    FAMILY.noted("__ctype_tolower_loc", "C locale", |c| table(c, "pointer to ctype tolower")),
    FAMILY.noted("__ctype_toupper_loc", "C locale", |c| table(c, "pointer to ctype toupper")),
];

/// Bits of glibc's table on little-endian machines.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1 << 0;
const CNTRL: u16 = 1 << 1;
const PUNCT: u16 = 1 << 2;
const ALNUM: u16 = 1 << 3;

/// White space of the C locale (unlike Rust's, with the vertical tab).
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_print(byte: u8) -> bool {
    (32..127).contains(&byte)
}

fn bits(byte: u8) -> u16 {
    let classes: [(bool, u16); 12] = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), XDIGIT),
        (is_space(byte), SPACE),
        (is_print(byte), PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (is_blank(byte), BLANK),
        (byte.is_ascii_control(), CNTRL),
        (byte.is_ascii_punctuation(), PUNCT),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    classes.iter().filter(|(holds, _)| *holds).map(|(_, bit)| bit).sum()
}

/// The tables, which are indexed from -128 to 255.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let constant = |name, content| LibraryGlobal { name, content, constant: true };
    let indices = || (0..384).map(|i| i - 128);
    let byte = |i: i32| u8::try_from(i).ok();
    let classes = indices().flat_map(|i| byte(i).map_or(0, bits).to_le_bytes()).collect();
    let mapped = |to: fn(u8) -> u8| {
        // Negative values other than EOF are signed characters.
        let entry = |i: i32| if i == -1 { i } else { i32::from(to(i as u8)) };
        indices().flat_map(|i| entry(i).to_le_bytes()).collect::<Vec<u8>>()
    };
    vec![
        constant("ctype classes", LibraryContent::Bytes(classes)),
        constant("ctype tolower", LibraryContent::Bytes(mapped(|b| b.to_ascii_lowercase()))),
        constant("ctype toupper", LibraryContent::Bytes(mapped(|b| b.to_ascii_uppercase()))),
        constant("pointer to ctype classes", LibraryContent::PointerTo("ctype classes", 256)),
        constant("pointer to ctype tolower", LibraryContent::PointerTo("ctype tolower", 512)),
        constant("pointer to ctype toupper", LibraryContent::PointerTo("ctype toupper", 512)),
    ]
}

fn table(call: &mut dyn Call, name: &'static str) -> Done {
    return_word(call.global(name).expect("the machine defines the library's variables"))
}

/// The result is what glibc's is: the bit of the table. (No decision, on terms: the result is one.)
fn class(call: &mut dyn Call, holds: fn(u8) -> bool, bit: u16) -> Done {
    let (bit, zero) = (Data::Known(bit.into(), 32), Data::Known(0, 32));
    let character = data(call, 0, 32)?;
    if let Some(value) = character.value() {
        return return_data(if u8::try_from(value).is_ok_and(holds) { bit } else { zero });
    }
    let holds = among(call, character, &intervals(holds));
    let result = call.choose(holds, bit, zero);
    return_data(result)
}

fn map(call: &mut dyn Call, to: fn(u8) -> u8) -> Done {
    let character = data(call, 0, 32)?;
    if let Some(value) = character.value() {
        return return_int(u8::try_from(value).map_or(value as u32 as i32, |byte| to(byte).into()));
    }
    // Letters differ in one bit.
    let changes = among(call, character, &intervals(|byte| to(byte) != byte));
    let other = call.compute(Op::Xor, character, Data::Known(0x20, 32));
    let result = call.choose(changes, other, character);
    return_data(result)
}

fn is_ascii(call: &mut dyn Call) -> Done {
    let character = data(call, 0, 32)?;
    let result = less(call, character, Data::Known(128, 32));
    let result = extended(call, result, 32);
    return_data(result)
}

fn to_ascii(call: &mut dyn Call) -> Done {
    let character = data(call, 0, 32)?;
    let result = call.compute(Op::And, character, Data::Known(127, 32));
    return_data(result)
}
