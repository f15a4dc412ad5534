//! Integers in decimal, octal and hexadecimal.
//!
//! Of one that depends on inputs it is decided whether it is negative and how many digits it has; which digits are
//! terms.
use super::spec::Spec;
use crate::data::{decide, equal, extended, known, less};
use interp::hooks::{Call, Data, ModelError, Op, Text};

/// `%d`, `%i`: of a value that has as many bits as it is wide.
pub(super) fn signed(call: &mut dyn Call, spec: &Spec, value: Data, out: &mut Text) -> Result<(), ModelError> {
    let zero = Data::Known(0, value.bits());
    let negative = call.compute(Op::Slt, value, zero);
    let negative = decide(call, negative)?;
    let magnitude = if negative { call.compute(Op::Sub, zero, value) } else { value };
    let digits = digits(call, spec, magnitude)?;
    spec.pad_number(spec.sign(negative).as_bytes(), &digits, zeros(spec), out);
    Ok(())
}

/// `%u`, `%o`, `%x`, `%X`.
pub(super) fn unsigned(call: &mut dyn Call, spec: &Spec, value: Data, out: &mut Text) -> Result<(), ModelError> {
    let mut digits = digits(call, spec, value)?;
    let mut prefix = "";
    if spec.alternate && spec.conversion == b'o' {
        let starts_with_zero = !digits.is_empty() && {
            let zero = equal(call, digits.at(0), known(b'0'));
            decide(call, zero)?
        };
        if !starts_with_zero {
            let mut more = Text::Known(vec![b'0']);
            more.append(&digits);
            digits = more;
        }
    } else if spec.alternate && spec.conversion != b'u' {
        let zero = equal(call, value, Data::Known(0, value.bits()));
        if !decide(call, zero)? {
            prefix = if spec.conversion == b'X' { "0X" } else { "0x" };
        }
    }
    spec.pad_number(prefix.as_bytes(), &digits, zeros(spec), out);
    Ok(())
}

/// At least as many digits as the precision says; none for a zero with precision 0.
fn digits(call: &mut dyn Call, spec: &Spec, value: Data) -> Result<Text, ModelError> {
    let text = match value.value() {
        Some(value) => Text::Known(match spec.conversion {
            b'o' => format!("{value:o}").into(),
            b'x' => format!("{value:x}").into(),
            b'X' => format!("{value:X}").into(),
            _ => value.to_string().into(),
        }),
        None => digits_of_term(call, spec.conversion, value)?,
    };
    Ok(match spec.digits {
        Some(0) if text.len() == 1 => {
            let zero = equal(call, value, Data::Known(0, value.bits()));
            if decide(call, zero)? { Text::Known(Vec::new()) } else { text }
        }
        Some(least) if least > text.len() => {
            let mut all = Text::Known(vec![b'0'; least - text.len()]);
            all.append(&text);
            all
        }
        _ => text,
    })
}

fn digits_of_term(call: &mut dyn Call, conversion: u8, value: Data) -> Result<Text, ModelError> {
    let base: u128 = match conversion {
        b'o' => 8,
        b'x' | b'X' => 16,
        _ => 10,
    };
    let bits = value.bits();
    // The power of the base with one more digit than there are.
    let mut beyond = base;
    while beyond >> bits == 0 {
        let enough = less(call, value, Data::Known(beyond, bits));
        if decide(call, enough)? {
            break;
        }
        beyond *= base;
    }
    let mut text = Text::Known(Vec::new());
    while beyond > 1 {
        beyond /= base;
        let rest = call.compute(Op::UDiv, value, Data::Known(beyond, bits));
        let digit = call.compute(Op::URem, rest, Data::Known(base, bits));
        let digit = extended(call, digit, 8);
        let number = call.compute(Op::Add, digit, known(b'0'));
        let letter = if conversion == b'X' { b'A' } else { b'a' };
        let letter = call.compute(Op::Add, digit, known(letter - 10));
        let is_number = less(call, digit, known(10));
        text.push(call.choose(is_number, number, letter));
    }
    Ok(text)
}

/// A precision switches the padding with zeros off.
fn zeros(spec: &Spec) -> bool {
    spec.zero && spec.digits.is_none()
}
