//! From text to numbers.
//!
//! One file: integers and floating-point numbers share where a number begins and ends, and a tenth are tests.
use super::characters::is_space;
use crate::args::{Done, int, return_data, return_double, return_float, return_word, word};
use crate::data::{among, byte, decide, extended, intervals, known, less, truth};
use crate::errno::{self, EINVAL, ERANGE};
use crate::table::Family;
use interp::hooks::{Call, Data, ModelError, Op, Registered, Sign};

const FAMILY: Family = Family::on_data("conversions");

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
    FAMILY.plain("atof", atof),
    FAMILY.plain("strtod", strtod),
    FAMILY.plain("strtof", strtof),
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    negative: bool,
    /// In 128 bits, saturated far beyond 64.
    magnitude: Data,
    /// No magnitude is larger, whatever the inputs are.
    most: u128,
    /// Bytes of the text that it takes; 0 if there is no number.
    len: u64,
}

/// Far beyond 64 bits, and far from 128.
const FAR: u128 = 1 << 100;

/// Where a text is read.
struct Reader<'a> {
    call: &'a mut dyn Call,
    start: u64,
}

impl Reader<'_> {
    fn at(&mut self, place: u64) -> Result<Data, ModelError> {
        byte(self.call, self.start.wrapping_add(place))
    }

    /// Whether the byte there is one of these.
    fn is_one_of(&mut self, place: u64, set: &[(u8, u8)]) -> Result<bool, ModelError> {
        let next = self.at(place)?;
        let found = match next.value() {
            Some(value) => truth(set.iter().any(|(low, high)| (u128::from(*low)..=u128::from(*high)).contains(&value))),
            None => among(self.call, next, set),
        };
        decide(self.call, found)
    }

    /// The value of the digit there, if it is one. Which one is not decided.
    fn digit(&mut self, place: u64, base: u8) -> Result<Option<Data>, ModelError> {
        let next = self.at(place)?;
        if let Some(value) = next.value() {
            let digit = char::from(value as u8).to_digit(base.into());
            return Ok(digit.map(|digit| Data::Known(digit.into(), 128)));
        }
        let is_number = among(self.call, next, &[(b'0', b'9')]);
        let mut value = self.call.compute(Op::Sub, next, known(b'0'));
        if base > 10 {
            let small = self.call.compute(Op::Or, next, known(0x20));
            let is_letter = among(self.call, small, &[(b'a', b'z')]);
            let letter = self.call.compute(Op::Sub, small, known(b'a' - 10));
            let other = self.call.choose(is_letter, letter, known(u8::MAX));
            value = self.call.choose(is_number, value, other);
        }
        let is_digit = less(self.call, value, known(base));
        Ok(if decide(self.call, is_digit)? { Some(extended(self.call, value, 128)) } else { None })
    }

    fn prefix(&mut self, place: u64, letter: u8, base: u8) -> Result<bool, ModelError> {
        let capital = letter.to_ascii_uppercase();
        Ok(self.is_one_of(place, &[(b'0', b'0')])?
            && self.is_one_of(place + 1, &[(letter, letter), (capital, capital)])?
            && self.digit(place + 2, base)?.is_some())
    }
}

/// Reads white space, a sign, a prefix and digits, and no further than the byte behind. `binary`: the prefix `0b`
/// counts (C23).
fn parse(call: &mut dyn Call, start: u64, base: u8, binary: bool) -> Result<Found, ModelError> {
    let mut reader = Reader { call, start };
    let mut at = 0;
    let space = intervals(is_space);
    while reader.is_one_of(at, &space)? {
        at += 1;
    }
    let negative = reader.is_one_of(at, &[(b'-', b'-')])?;
    if negative || reader.is_one_of(at, &[(b'+', b'+')])? {
        at += 1;
    }
    let (base, skip) = match base {
        0 | 16 if reader.prefix(at, b'x', 16)? => (16, 2),
        0 | 2 if binary && reader.prefix(at, b'b', 2)? => (2, 2),
        0 if reader.is_one_of(at, &[(b'0', b'0')])? => (8, 0),
        0 => (10, 0),
        given => (given, 0),
    };
    at += skip;
    let mut found = Found { negative, magnitude: Data::Known(0, 128), most: 0, len: 0 };
    while let Some(digit) = reader.digit(at, base)? {
        found = found.followed_by(reader.call, digit, base.into());
        at += 1;
        found.len = at;
    }
    Ok(found)
}

impl Found {
    fn followed_by(self, call: &mut dyn Call, digit: Data, base: u128) -> Found {
        let shifted = call.compute(Op::Mul, self.magnitude, Data::Known(base, 128));
        let mut magnitude = call.compute(Op::Add, shifted, digit);
        let most = self.most * base + digit.value().unwrap_or(base - 1);
        if most > FAR {
            let (far, near) = (Data::Known(FAR, 128), less(call, magnitude, Data::Known(FAR, 128)));
            magnitude = call.choose(near, magnitude, far);
        }
        Found { magnitude, most: most.min(FAR), ..self }
    }

    /// The value in the result type, and whether it had to be cut off, which is decided.
    fn clamped(self, call: &mut dyn Call, signed: bool, bytes: u64) -> Result<(Data, bool), ModelError> {
        let bits = 8 * bytes as u8;
        let limit = match (signed, self.negative) {
            (false, _) => (1_u128 << bits) - 1,
            (true, false) => (1_u128 << (bits - 1)) - 1,
            (true, true) => 1_u128 << (bits - 1),
        };
        let mut cut = false;
        if self.most > limit {
            let beyond = less(call, Data::Known(limit, 128), self.magnitude);
            cut = decide(call, beyond)?;
        }
        let magnitude = if cut { Data::Known(limit, 128) } else { self.magnitude };
        let magnitude = call.resize(magnitude, bits, Sign::Unsigned);
        // An unsigned result that is out of range is the largest value whatever the sign.
        let negate = self.negative && (signed || !cut);
        let value = if negate { call.compute(Op::Sub, Data::Known(0, bits), magnitude) } else { magnitude };
        Ok((value, cut))
    }
}

fn whole(call: &mut dyn Call, kind: Type) -> Done {
    let text = word(call, 0)?;
    let bytes = kind.bytes(call);
    let (value, cut) = parse(call, text, 10, false)?.clamped(call, kind.signed, bytes)?;
    if cut {
        errno::set(call, ERANGE)?;
    }
    return_data(value)
}

fn atoi(call: &mut dyn Call) -> Done {
    let text = word(call, 0)?;
    let bytes = call.pointer_bytes();
    let (value, cut) = parse(call, text, 10, false)?.clamped(call, true, bytes)?;
    if cut {
        errno::set(call, ERANGE)?;
    }
    let value = call.resize(value, 32, Sign::Unsigned);
    return_data(value)
}

fn in_base(call: &mut dyn Call, kind: Type) -> Done {
    let (start, end, base) = (word(call, 0)?, word(call, 1)?, int(call, 2)?);
    if base != 0 && !(2..=36).contains(&base) {
        errno::set(call, EINVAL)?;
        return return_word(0);
    }
    let binary = call.name().starts_with("__isoc23");
    let found = parse(call, start, base as u8, binary)?;
    let bytes = kind.bytes(call);
    let (value, cut) = found.clamped(call, kind.signed, bytes)?;
    store_end(call, end, start, found.len)?;
    if cut {
        errno::set(call, ERANGE)?;
    }
    return_data(value)
}

fn store_end(call: &mut dyn Call, end: u64, start: u64, len: u64) -> Result<(), ModelError> {
    match end {
        0 => Ok(()),
        _ => call.store(end, call.pointer_bytes(), start + len),
    }
}

/// A floating-point number at the start of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Number {
    None,
    /// A decimal number, or an infinity, as Rust spells it.
    Decimal(String),
    /// `mantissa · 2^exponent`; the lowest bit of the mantissa stands for all that follow, too.
    Binary {
        negative: bool,
        mantissa: u64,
        exponent: i64,
    },
    /// No number, with what was in parentheses after it.
    Nan {
        negative: bool,
        payload: u64,
    },
}

/// The longest start of a text that is a floating-point number, and the bytes that it takes.
fn float_text(text: &[u8]) -> (Number, usize) {
    let blanks = text.iter().take_while(|b| is_space(**b)).count();
    let mut at = blanks;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let rest = text[at..].to_ascii_lowercase();
    let hex_digit = |i: usize| rest.get(i).is_some_and(u8::is_ascii_hexdigit);
    if rest.starts_with(b"0x") && (hex_digit(2) || rest.get(2) == Some(&b'.') && hex_digit(3)) {
        let (mantissa, exponent, len) = hexadecimal(&rest);
        return (Number::Binary { negative, mantissa, exponent }, at + len);
    }
    if rest.starts_with(b"nan") {
        let (payload, len) = payload(&rest[3..]);
        return (Number::Nan { negative, payload }, at + 3 + len);
    }
    let len = match [b"infinity".as_slice(), b"inf"].into_iter().find(|word| rest.starts_with(word)) {
        Some(word) => word.len(),
        None => decimal_len(&rest),
    };
    match len {
        0 => (Number::None, 0),
        _ => (Number::Decimal(String::from_utf8_lossy(&text[blanks..at + len]).into_owned()), at + len),
    }
}

/// How long the decimal number at the start is.
fn decimal_len(rest: &[u8]) -> usize {
    let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let integer = digits(0);
    let mut len = integer;
    let mut fraction = 0;
    if rest.get(len) == Some(&b'.') {
        fraction = digits(len + 1);
        len += 1 + fraction;
    }
    if integer + fraction == 0 {
        return 0;
    }
    len + exponent(&rest[len..], b'e').1
}

/// The exponent after that letter, and its length with the letter; (0, 0) if there is none.
fn exponent(rest: &[u8], letter: u8) -> (i64, usize) {
    let signed = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
    let digits = rest.iter().skip(1 + signed).take_while(|b| b.is_ascii_digit());
    let (mut value, mut len) = (0_i64, 0);
    for digit in digits {
        value = (10 * value + i64::from(digit - b'0')).min(1 << 40);
        len += 1;
    }
    if rest.first() != Some(&letter) || len == 0 {
        return (0, 0);
    }
    (if rest[1] == b'-' { -value } else { value }, 1 + signed + len)
}

/// Mantissa, exponent and length of the hexadecimal number at the start.
fn hexadecimal(rest: &[u8]) -> (u64, i64, usize) {
    let (mut mantissa, mut power, mut point, mut len) = (0_u64, 0_i64, false, 2);
    for byte in &rest[2..] {
        match char::from(*byte).to_digit(16) {
            Some(digit) if mantissa >> 58 == 0 => {
                mantissa = mantissa << 4 | u64::from(digit);
                power -= if point { 4 } else { 0 };
            }
            Some(digit) => {
                mantissa |= u64::from(digit != 0);
                power += if point { 0 } else { 4 };
            }
            None if *byte == b'.' && !point => point = true,
            None => break,
        }
        len += 1;
    }
    let (exponent, more) = exponent(&rest[len..], b'p');
    (mantissa, power + exponent, len + more)
}

/// What is in the parentheses after `nan`, as a number (else 0), and their length (0 if they are not complete).
fn payload(rest: &[u8]) -> (u64, usize) {
    let inside = rest.iter().skip(1).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    if rest.first() != Some(&b'(') || rest.get(1 + inside) != Some(&b')') {
        return (0, 0);
    }
    (number(&rest[1..=inside]).unwrap_or(0), inside + 2)
}

/// The number that a text is as a whole, cut off, in a base that it says itself.
fn number(text: &[u8]) -> Option<u64> {
    let (digits, base) = match text {
        [b'0', b'x' | b'X', rest @ ..] if !rest.is_empty() => (rest, 16),
        [b'0', ..] => (text, 8),
        _ => (text, 10),
    };
    digits.iter().try_fold(0_u64, |number, byte| {
        let digit = char::from(*byte).to_digit(base)?;
        Some(number.saturating_mul(base.into()).saturating_add(digit.into()))
    })
}

/// A format of floating-point numbers.
trait Format: std::str::FromStr + Default {
    /// Bits of the mantissa, with the first.
    const PRECISION: i64;
    /// The exponent of the smallest number above 0.
    const LOWEST: i64;
    /// Infinite, or so small that precision is lost.
    fn is_out_of_range(&self) -> bool;
    /// Of a number that has this format.
    fn of(value: f64) -> Self;
    /// No number.
    fn nan(negative: bool, payload: u64) -> Self;
}

impl Format for f64 {
    const PRECISION: i64 = 53;
    const LOWEST: i64 = -1074;
    fn is_out_of_range(&self) -> bool {
        self.is_infinite() || self.abs() < f64::MIN_POSITIVE
    }
    fn of(value: f64) -> f64 {
        value
    }
    fn nan(negative: bool, payload: u64) -> f64 {
        f64::from_bits(u64::from(negative) << 63 | 0xfff << 51 | payload & ((1 << 51) - 1))
    }
}

impl Format for f32 {
    const PRECISION: i64 = 24;
    const LOWEST: i64 = -149;
    fn is_out_of_range(&self) -> bool {
        self.is_infinite() || self.abs() < f32::MIN_POSITIVE
    }
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn nan(negative: bool, payload: u64) -> f32 {
        f32::from_bits(u32::from(negative) << 31 | 0x1ff << 22 | payload as u32 & ((1 << 22) - 1))
    }
}

/// Rounds `mantissa · 2^exponent` to nearest, ties to even; the second component says whether that changed the number.
fn round<T: Format>(mantissa: u64, exponent: i64) -> (f64, bool) {
    if mantissa == 0 {
        return (0.0, false);
    }
    let bits = 64 - i64::from(mantissa.leading_zeros());
    // Bits that the format has no place for: below its precision, or below its smallest number.
    let dropped = (bits - T::PRECISION).max(T::LOWEST - exponent).max(0);
    if dropped > bits {
        return (0.0, true);
    }
    let (wide, unit) = (u128::from(mantissa), 1_u128 << dropped);
    let (kept, rest) = (wide / unit, wide % unit);
    let up = 2 * rest > unit || 2 * rest == unit && kept % 2 == 1;
    let kept = (kept + u128::from(up)) as f64;
    // Exact in steps: the result is a number of the format, or too large for an f64 (or, below, for the format).
    let mut value = kept;
    let mut left = (exponent + dropped).clamp(-5000, 5000);
    while left != 0 && value.is_finite() {
        let step = left.clamp(-500, 500);
        value *= f64::from_bits(((1023 + step) as u64) << 52);
        left -= step;
    }
    (value, rest != 0)
}

/// Reads the number in argument 0, stores its end where argument `end` says, and sets `errno`.
fn read_float<T: Format>(call: &mut dyn Call, end: Option<usize>) -> Result<T, ModelError> {
    let start = word(call, 0)?;
    let text = call.c_string(start)?;
    let (number, len) = float_text(&text);
    if let Some(end) = end {
        let end = word(call, end)?;
        store_end(call, end, start, len as u64)?;
    }
    let (value, cut) = match number {
        Number::None => return Ok(T::default()),
        Number::Nan { negative, payload } => return Ok(T::nan(negative, payload)),
        Number::Binary { negative, mantissa, exponent } => {
            let (value, inexact) = round::<T>(mantissa, exponent);
            let result = T::of(if negative { -value } else { value });
            let cut = T::of(value).is_out_of_range() && (inexact || value.is_infinite() || value > 1.0);
            (result, cut)
        }
        Number::Decimal(number) => {
            let value = number.parse::<T>().map_err(|_| ModelError::Unknown(format!("conversion of `{number}`")))?;
            let digits = number.bytes().take_while(|b| !b.eq_ignore_ascii_case(&b'e'));
            let cut = value.is_out_of_range() && digits.into_iter().any(|b| (b'1'..=b'9').contains(&b));
            (value, cut)
        }
    };
    if cut {
        errno::set(call, ERANGE)?;
    }
    Ok(value)
}

fn atof(call: &mut dyn Call) -> Done {
    return_double(read_float(call, None)?)
}

fn strtod(call: &mut dyn Call) -> Done {
    return_double(read_float(call, Some(1))?)
}

fn strtof(call: &mut dyn Call) -> Done {
    return_float(read_float(call, Some(1))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    fn parsed(text: &str, base: u8, binary: bool) -> Found {
        let mut fake = Fake::lp64();
        let start = fake.string(text);
        parse(&mut fake, start, base, binary).unwrap()
    }

    fn number(text: &str, base: u8) -> (i128, u64) {
        let found = parsed(text, base, false);
        let magnitude = found.magnitude.value().unwrap() as i128;
        (if found.negative { -magnitude } else { magnitude }, found.len)
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
        assert_eq!(parsed("0b101", 0, true).magnitude, Data::Known(5, 128));
    }

    #[test]
    fn cut_off() {
        let value = |text: &str, signed, bytes| {
            let (value, cut) = parsed(text, 10, false).clamped(&mut Fake::lp64(), signed, bytes).unwrap();
            (value.value().unwrap() as u64, cut)
        };
        assert_eq!(value("2147483648", true, 4), (0x7fff_ffff, true));
        assert_eq!(value("-2147483648", true, 4), (0x8000_0000, false));
        assert_eq!(value("-2147483649", true, 4), (0x8000_0000, true));
        assert_eq!(value("-1", false, 8), (u64::MAX, false));
        assert_eq!(value("99999999999999999999999999999999999999999999", true, 8), (i64::MAX as u64, true));
        assert_eq!(value("-99999999999999999999", false, 8), (u64::MAX, true));
    }

    #[test]
    fn floats() {
        let decimal = |text: &str, len| (Number::Decimal(text.into()), len);
        let take = |text: &str| float_text(text.as_bytes());
        assert_eq!(take(" -1.5e3x"), decimal("-1.5e3", 7));
        assert_eq!(take("1e+"), decimal("1", 1));
        assert_eq!(take(".5."), decimal(".5", 2));
        assert_eq!(take("7."), decimal("7.", 2));
        assert_eq!(take("."), (Number::None, 0));
        assert_eq!(take("-INFx"), decimal("-INF", 4));
        assert_eq!(take("infinity"), decimal("infinity", 8));
        assert_eq!(take("0x"), decimal("0", 1));
        assert_eq!(take("0x1.8p3"), (Number::Binary { negative: false, mantissa: 0x18, exponent: -1 }, 7));
        assert_eq!(take("-0x.8p"), (Number::Binary { negative: true, mantissa: 8, exponent: -4 }, 5));
        assert_eq!(take("nan(0x12)!"), (Number::Nan { negative: false, payload: 18 }, 9));
        assert_eq!(take("-nan(1"), (Number::Nan { negative: true, payload: 0 }, 4));
    }

    #[test]
    fn binary_numbers_are_rounded_once() {
        assert_eq!(round::<f64>(0x18, -1), (12.0, false));
        assert_eq!(round::<f64>((1 << 53) + 1, 0), (9_007_199_254_740_992.0, true));
        assert_eq!(round::<f64>((1 << 53) + 3, 0), (9_007_199_254_740_996.0, true));
        assert_eq!(round::<f64>(3, -1075), (f64::from_bits(2), true));
        assert_eq!(round::<f64>(1, -1075), (0.0, true));
        assert_eq!(round::<f64>(1, -1074), (f64::from_bits(1), false));
        assert_eq!(round::<f64>(1, 1024), (f64::INFINITY, false));
        assert_eq!(round::<f32>((1 << 24) + 1, 0), (16_777_216.0, true));
        assert_eq!(round::<f32>(3, -150), (f64::from(f32::from_bits(2)), true));
    }
}
