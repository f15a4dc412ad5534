//! Integers in decimal, octal and hexadecimal.
use super::spec::Spec;

/// `%d`, `%i`.
pub(super) fn signed(spec: &Spec, value: i64, out: &mut Vec<u8>) {
    let digits = digits(spec, value.unsigned_abs(), value.unsigned_abs().to_string());
    spec.pad_number(spec.sign(value < 0).as_bytes(), digits.as_bytes(), zeros(spec), out);
}

/// `%u`, `%o`, `%x`, `%X`.
pub(super) fn unsigned(spec: &Spec, value: u64, out: &mut Vec<u8>) {
    let (text, prefix) = match spec.conversion {
        b'o' => (format!("{value:o}"), ""),
        b'x' => (format!("{value:x}"), "0x"),
        b'X' => (format!("{value:X}"), "0X"),
        _ => (value.to_string(), ""),
    };
    let mut digits = digits(spec, value, text);
    if spec.alternate && spec.conversion == b'o' && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = if spec.alternate && value != 0 { prefix } else { "" };
    spec.pad_number(prefix.as_bytes(), digits.as_bytes(), zeros(spec), out);
}

/// At least as many digits as the precision says; none for a zero with precision 0.
fn digits(spec: &Spec, value: u64, text: String) -> String {
    match spec.digits {
        Some(0) if value == 0 => String::new(),
        Some(least) if least > text.len() => "0".repeat(least - text.len()) + &text,
        _ => text,
    }
}

/// A precision switches the padding with zeros off.
fn zeros(spec: &Spec) -> bool {
    spec.zero && spec.digits.is_none()
}
