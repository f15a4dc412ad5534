//! From text to numbers.
use super::characters::is_space;
use crate::args::{Done, int, return_double, return_float, return_int, return_word, word, zero_extend};
use crate::errno::{self, EINVAL, ERANGE};
use crate::table::Family;
use interp::hooks::{Call, Registered, Stop};

const FAMILY: Family = Family("conversions");

/// `atoi`, `strtol`, `strtod` and their relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("atoi", atoi),
    FAMILY.plain("atol", |c| whole(c, Type::LONG)),
    FAMILY.plain("atoll", |c| whole(c, Type::LONG_LONG)),
    FAMILY.plain("strtol", |c| in_base(c, Type::LONG)),
    FAMILY.plain("strtoll", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("strtoimax", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("strtoul", |c| in_base(c, Type::UNSIGNED_LONG)),
    FAMILY.plain("strtoull", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("strtoumax", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("__isoc23_strtol", |c| in_base(c, Type::LONG)),
    FAMILY.plain("__isoc23_strtoll", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("__isoc23_strtoimax", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("__isoc23_strtoul", |c| in_base(c, Type::UNSIGNED_LONG)),
    FAMILY.plain("__isoc23_strtoull", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("__isoc23_strtoumax", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.noted("atof", "hexadecimal numbers are unknown", atof),
    FAMILY.noted("strtod", "hexadecimal numbers are unknown", strtod),
    FAMILY.noted("strtof", "hexadecimal numbers are unknown", strtof),
];

/// The type of a result.
#[derive(Clone, Copy)]
struct Type {
    signed: bool,
    /// As wide as a pointer, else 64 bits.
    long: bool,
}

impl Type {
    const LONG: Type = Type { signed: true, long: true };
    const LONG_LONG: Type = Type { signed: true, long: false };
    const UNSIGNED_LONG: Type = Type { signed: false, long: true };
    const UNSIGNED_LONG_LONG: Type = Type { signed: false, long: false };

    fn bytes(self, call: &dyn Call) -> u64 {
        if self.long { call.pointer_bytes() } else { 8 }
    }
}

/// A number found at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Found {
    negative: bool,
    /// Saturated far beyond 64 bits.
    magnitude: u128,
    /// Bytes of the text that it takes; 0 if there is no number.
    len: usize,
}

/// Reads white space, a sign, a prefix and digits. `binary`: the prefix `0b` counts (C23).
fn parse(text: &[u8], base: u32, binary: bool) -> Found {
    let mut at = text.iter().take_while(|b| is_space(**b)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let digit = |i: usize, base: u32| text.get(i).and_then(|b| char::from(*b).to_digit(base));
    let prefix = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|b| b.to_ascii_lowercase() == letter)
            && digit(at + 2, base).is_some()
    };
    let (base, skip) = match base {
        0 | 16 if prefix(b'x', 16) => (16, 2),
        0 | 2 if binary && prefix(b'b', 2) => (2, 2),
        0 if text.get(at) == Some(&b'0') => (8, 0),
        0 => (10, 0),
        given => (given, 0),
    };
    at += skip;
    let mut found = Found { negative, ..Found::default() };
    while let Some(value) = digit(at, base) {
        found.magnitude = (found.magnitude * u128::from(base) + u128::from(value)).min(1 << 100);
        at += 1;
        found.len = at;
    }
    found
}

/// The value in the result type, and whether it had to be cut off.
fn clamp(found: Found, signed: bool, bytes: u64) -> (u64, bool) {
    let bits = 8 * bytes as u32;
    let limit = match (signed, found.negative) {
        (false, _) => (1_u128 << bits) - 1,
        (true, false) => (1_u128 << (bits - 1)) - 1,
        (true, true) => 1_u128 << (bits - 1),
    };
    let cut = found.magnitude > limit;
    let magnitude = found.magnitude.min(limit) as u64;
    // An unsigned result that is out of range is the largest value whatever the sign.
    let negate = found.negative && (signed || !cut);
    (zero_extend(if negate { magnitude.wrapping_neg() } else { magnitude }, bytes), cut)
}

/// Converts and sets `errno`.
fn convert(call: &mut dyn Call, found: Found, kind: Type) -> Result<u64, Stop> {
    let (value, cut) = clamp(found, kind.signed, kind.bytes(call));
    if cut {
        errno::set(call, ERANGE)?;
    }
    Ok(value)
}

fn whole(call: &mut dyn Call, kind: Type) -> Done {
    let text = word(call, 0)?;
    let text = call.c_string(text)?;
    let value = convert(call, parse(&text, 10, false), kind)?;
    return_word(value)
}

fn atoi(call: &mut dyn Call) -> Done {
    let text = word(call, 0)?;
    let text = call.c_string(text)?;
    let value = convert(call, parse(&text, 10, false), Type::LONG)?;
    return_int(value as u32 as i32)
}

fn in_base(call: &mut dyn Call, kind: Type) -> Done {
    let (start, end, base) = (word(call, 0)?, word(call, 1)?, int(call, 2)?);
    let text = call.c_string(start)?;
    if base != 0 && !(2..=36).contains(&base) {
        errno::set(call, EINVAL)?;
        return return_word(0);
    }
    let found = parse(&text, base as u32, call.name().starts_with("__isoc23"));
    store_end(call, end, start, found.len)?;
    let value = convert(call, found, kind)?;
    return_word(value)
}

fn store_end(call: &mut dyn Call, end: u64, start: u64, len: usize) -> Result<(), Stop> {
    match end {
        0 => Ok(()),
        _ => call.store(end, call.pointer_bytes(), start + len as u64),
    }
}

/// The longest start of a text that is a floating-point number: (number as Rust spells it, bytes taken).
fn float_text(text: &[u8]) -> Result<(String, usize), Stop> {
    let blanks = text.iter().take_while(|b| is_space(**b)).count();
    let mut at = blanks;
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let rest = text[at..].to_ascii_lowercase();
    let hex_digit = |i: usize| rest.get(i).is_some_and(u8::is_ascii_hexdigit);
    if rest.starts_with(b"0x") && (hex_digit(2) || rest.get(2) == Some(&b'.') && hex_digit(3)) {
        return Err(Stop::Unknown("conversion of a hexadecimal floating-point number".into()));
    }
    let word = [b"infinity".as_slice(), b"inf", b"nan"].into_iter().find(|w| rest.starts_with(w));
    if let Some(word) = word {
        if word == b"nan" && rest.get(3) == Some(&b'(') {
            return Err(Stop::Unknown("conversion of a NaN with a payload".into()));
        }
        at += word.len();
    } else {
        let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let integer = digits(0);
        let mut len = integer;
        if rest.get(len) == Some(&b'.') {
            let fraction = digits(len + 1);
            if integer + fraction == 0 {
                return Ok((String::new(), 0));
            }
            len += 1 + fraction;
        } else if integer == 0 {
            return Ok((String::new(), 0));
        }
        if rest.get(len) == Some(&b'e') {
            let sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits((len + 1 + sign).min(rest.len()));
            if exponent > 0 {
                len += 1 + sign + exponent;
            }
        }
        at += len;
    }
    Ok((String::from_utf8_lossy(&text[blanks..at]).into_owned(), at))
}

/// Reads the number in argument 0, stores its end where argument `end` says, and sets `errno`.
fn read_float<T>(call: &mut dyn Call, end: Option<usize>, out_of_range: fn(&T) -> bool) -> Result<T, Stop>
where
    T: std::str::FromStr + Default,
{
    let start = word(call, 0)?;
    let text = call.c_string(start)?;
    let (number, len) = float_text(&text)?;
    if let Some(end) = end {
        let end = word(call, end)?;
        store_end(call, end, start, len)?;
    }
    if len == 0 {
        return Ok(T::default());
    }
    let value = number.parse::<T>().map_err(|_| Stop::Unknown(format!("conversion of `{number}`")))?;
    let digit = number.bytes().take_while(|b| !b.eq_ignore_ascii_case(&b'e')).any(|b| (b'1'..=b'9').contains(&b));
    if digit && out_of_range(&value) {
        errno::set(call, ERANGE)?;
    }
    Ok(value)
}

fn out_of_range(value: &f64) -> bool {
    value.is_infinite() || value.abs() < f64::MIN_POSITIVE
}

fn atof(call: &mut dyn Call) -> Done {
    return_double(read_float(call, None, out_of_range)?)
}

fn strtod(call: &mut dyn Call) -> Done {
    return_double(read_float(call, Some(1), out_of_range)?)
}

fn strtof(call: &mut dyn Call) -> Done {
    return_float(read_float(call, Some(1), |v: &f32| v.is_infinite() || v.abs() < f32::MIN_POSITIVE)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, base: u32) -> (i128, usize) {
        let found = parse(text.as_bytes(), base, false);
        (if found.negative { -(found.magnitude as i128) } else { found.magnitude as i128 }, found.len)
    }

    #[test]
    fn integers() {
        assert_eq!(number(" \t-12x", 10), (-12, 5));
        assert_eq!(number("0x1F", 0), (31, 4));
        assert_eq!(number("0xg", 0), (0, 1));
        assert_eq!(number("0x1F", 16), (31, 4));
        assert_eq!(number("0778", 0), (63, 3));
        assert_eq!(number("zZ", 36), (35 * 36 + 35, 2));
        assert_eq!(number("+", 10), (0, 0));
        assert_eq!(number("", 0), (0, 0));
        assert_eq!(number("0b101", 0), (0, 1));
        assert_eq!(parse(b"0b101", 0, true).magnitude, 5);
    }

    #[test]
    fn cut_off() {
        let value = |text: &str, signed, bytes| clamp(parse(text.as_bytes(), 10, false), signed, bytes);
        assert_eq!(value("2147483648", true, 4), (0x7fff_ffff, true));
        assert_eq!(value("-2147483648", true, 4), (0x8000_0000, false));
        assert_eq!(value("-2147483649", true, 4), (0x8000_0000, true));
        assert_eq!(value("-1", false, 8), (u64::MAX, false));
        assert_eq!(value("99999999999999999999999999999999999999999999", true, 8), (i64::MAX as u64, true));
        assert_eq!(value("-99999999999999999999", false, 8), (u64::MAX, true));
    }

    #[test]
    fn floats() {
        let take = |text: &str| float_text(text.as_bytes()).unwrap();
        assert_eq!(take(" -1.5e3x"), ("-1.5e3".into(), 7));
        assert_eq!(take("1e+"), ("1".into(), 1));
        assert_eq!(take(".5."), (".5".into(), 2));
        assert_eq!(take("7."), ("7.".into(), 2));
        assert_eq!(take("."), (String::new(), 0));
        assert_eq!(take("-INFx"), ("-INF".into(), 4));
        assert_eq!(take("infinity"), ("infinity".into(), 8));
        assert!(float_text(b"0x1p3").is_err());
        assert_eq!(take("0x"), ("0".into(), 1));
    }
}
