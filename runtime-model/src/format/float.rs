//! Floating-point numbers in the forms `f`, `e`, `g` and `a`.
use super::decimal::Decimal;
use super::spec::Spec;
use interp::hooks::Text;

/// A floating-point number, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Real {
    negative: bool,
    class: Class,
    /// How many bits of the mantissa stand behind the first hexadecimal digit.
    hex_bits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Nan,
    Infinite,
    /// `mantissa · 2^exponent`
    Finite {
        mantissa: u64,
        exponent: i32,
    },
}

impl Real {
    /// Of a `double`.
    pub(super) fn from_double(value: f64) -> Real {
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let class = match (bits >> 52 & 0x7ff) as i32 {
            0x7ff if fraction == 0 => Class::Infinite,
            0x7ff => Class::Nan,
            0 => Class::Finite { mantissa: fraction, exponent: -1074 },
            biased => Class::Finite { mantissa: fraction | 1 << 52, exponent: biased - 1075 },
        };
        Real { negative: value.is_sign_negative(), class, hex_bits: 52 }
    }

    /// Of an x87 long double: mantissa, then sign and exponent.
    pub(super) fn from_x87([mantissa, top]: [u64; 2]) -> Real {
        let class = match (top & 0x7fff) as i32 {
            0x7fff if mantissa << 1 == 0 => Class::Infinite,
            0x7fff => Class::Nan,
            biased => Class::Finite { mantissa, exponent: biased.max(1) - 16383 - 63 },
        };
        Real { negative: top >> 15 & 1 == 1, class, hex_bits: 60 }
    }
}

/// Appends the number as the directive wants it.
pub(super) fn format(spec: &Spec, value: &Real, out: &mut Text) {
    let upper = spec.conversion.is_ascii_uppercase();
    let mut prefix = spec.sign(value.negative).to_owned();
    let (mut body, zeros) = match value.class {
        Class::Nan => ("nan".to_owned(), false),
        Class::Infinite => ("inf".to_owned(), false),
        Class::Finite { mantissa, exponent } => {
            let decimal = || Decimal::exact(mantissa, exponent);
            let precision = spec.digits.unwrap_or(6);
            let body = match spec.conversion.to_ascii_lowercase() {
                b'f' => fixed(decimal(), precision, spec.alternate),
                b'e' => scientific(decimal(), precision, spec.alternate),
                b'g' => general(decimal(), precision, spec.alternate),
                _ => {
                    prefix.push_str("0x");
                    hexadecimal(mantissa, exponent, value.hex_bits, spec)
                }
            };
            (body, spec.zero)
        }
    };
    if upper {
        prefix.make_ascii_uppercase();
        body.make_ascii_uppercase();
    }
    spec.pad_number(prefix.as_bytes(), &Text::Known(body.into()), zeros, out);
}

/// `digits` of the number from `start` on.
fn push_digits(text: &mut String, number: &Decimal, start: i32, count: usize) {
    for index in start..start + count as i32 {
        text.push(char::from(number.digit(index)));
    }
}

fn fixed(mut number: Decimal, precision: usize, point: bool) -> String {
    number.round(number.point.saturating_add(precision as i32));
    let mut text = String::new();
    if number.point > 0 && !number.digits.is_empty() {
        push_digits(&mut text, &number, 0, number.point as usize);
    } else {
        text.push('0');
    }
    if precision > 0 || point {
        text.push('.');
    }
    if number.digits.is_empty() {
        text.extend(std::iter::repeat_n('0', precision));
    } else {
        push_digits(&mut text, &number, number.point, precision);
    }
    text
}

fn scientific(mut number: Decimal, precision: usize, point: bool) -> String {
    number.round(precision as i32 + 1);
    let exponent = if number.digits.is_empty() { 0 } else { number.point - 1 };
    let mut text = String::new();
    push_digits(&mut text, &number, 0, 1);
    if precision > 0 || point {
        text.push('.');
    }
    push_digits(&mut text, &number, 1, precision);
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn general(number: Decimal, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1) as i32;
    let mut rounded = number.clone();
    rounded.round(precision);
    let exponent = if rounded.digits.is_empty() { 0 } else { rounded.point - 1 };
    if exponent < -4 || exponent >= precision {
        let text = scientific(number, precision as usize - 1, alternate);
        if alternate {
            return text;
        }
        let (mantissa, exponent) = text.split_once('e').expect("the form has an exponent");
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let text = fixed(number, (precision - 1 - exponent) as usize, alternate);
    if alternate { text } else { without_zeros(&text).to_owned() }
}

fn without_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// glibc's choice of the first digit: 1 (or 0) for doubles, the first four bits for long doubles.
fn hexadecimal(mantissa: u64, exponent: i32, hex_bits: u32, spec: &Spec) -> String {
    let full = hex_bits as usize / 4;
    let mut exponent = if mantissa == 0 { 0 } else { exponent + hex_bits as i32 };
    let mut mantissa = u128::from(mantissa);
    let digits = spec.digits.unwrap_or(full);
    if digits < full {
        let dropped = hex_bits - 4 * digits as u32;
        let (half, tail) = (1_u128 << (dropped - 1), mantissa & ((1 << dropped) - 1));
        mantissa -= tail;
        let odd = mantissa >> dropped & 1 == 1;
        if tail > half || tail == half && odd {
            mantissa += 1 << dropped;
        }
    }
    let mut first = mantissa >> hex_bits;
    if first == 16 {
        first = 1;
        exponent += 4;
    }
    let fraction = format!("{:0full$x}", mantissa & ((1 << hex_bits) - 1));
    let fraction = match spec.digits {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(digits) if digits <= full => fraction[..digits].to_owned(),
        Some(digits) => fraction + &"0".repeat(digits - full),
    };
    let point = if fraction.is_empty() && !spec.alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first:x}{point}{fraction}p{sign}{}", exponent.unsigned_abs())
}
