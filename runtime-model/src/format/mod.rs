//! The engine behind the printf family: a format and its values become bytes, exactly as glibc has it in the C locale.
//! (With one exception: where `%#g` rounds up to the next power of ten, some glibc drops zeros that the standard
//! wants.)
//!
//! Wide characters are those of ASCII; what becomes of others is unknown.
//!
//! Integers, characters and strings may depend on inputs. Where a string ends is decided. How many digits an integer
//! has is decided only if it makes a difference: not if the text is only shown, and nobody asks how long it is.
mod decimal;
mod float;
mod integer;
mod positions;
mod source;
mod spec;

pub(crate) use source::Source;

use crate::errno;
use crate::libc::messages;
use float::Real;
use interp::fault::Kind;
use interp::hooks::{Call, Data, ModelError, Shown, Sign, Text};
use positions::Values;
use source::{Value, Want};
use spec::{Amount, Length, Spec};

/// What becomes of a format and its values.
pub(crate) struct Formatted {
    pub(crate) text: Text,
    /// What `%n` stores: where, in how many bytes, and what.
    pub(crate) counts: Vec<(u64, u64, u64)>,
}

/// What a text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It is looked at, or how long it is.
    Read,
    /// It is only shown to the user.
    Shown,
}

/// Formats the values of `source` by the format at address `pattern`. This changes nothing.
pub(crate) fn format(
    call: &mut dyn Call,
    pattern: u64,
    source: &mut Source,
    mut usage: Use,
) -> Result<Formatted, ModelError> {
    let pattern = match call.text(pattern)? {
        Text::Known(pattern) => pattern,
        Text::Data(_) => return Err(ModelError::Unknown("a format that depends on inputs".to_owned())),
    };
    if has_count(&pattern) {
        usage = Use::Read;
    }
    let mut values = Values::new(call, &pattern, source)?;
    let mut out = Formatted { text: Text::Known(Vec::with_capacity(pattern.len())), counts: Vec::new() };
    let mut rest = pattern.as_slice();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte != b'%' {
            out.text.push(crate::data::known(byte));
            rest = tail;
            continue;
        }
        let (spec, len) = Spec::parse(tail).map_err(|problem| explain(call, tail, problem))?;
        rest = &tail[len..];
        convert(call, spec, &mut values, usage, &mut out)?;
    }
    Ok(out)
}

/// What a format asks for. (An address is no number that is only shown, nor is one that says how wide something is.)
pub(crate) fn shown(pattern: &[u8]) -> Shown {
    let mut shown = Shown { values: Vec::new(), complete: true };
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let Ok((spec, len)) = Spec::parse(&rest[at + 1..]) else { return Shown { complete: false, ..shown } };
        let amounts = [spec.width, spec.precision];
        let in_order = spec.position.is_none() && !amounts.iter().any(|amount| matches!(amount, Amount::Position(_)));
        // (`%n` says how long all of the text is.)
        if !in_order || spec.conversion == b'n' {
            return Shown::default();
        }
        let is_moderate = |amount: &Amount| match *amount {
            Amount::Number(number) => number.unsigned_abs() <= MODERATE,
            _ => true,
        };
        // (`%m` says what errno is.)
        shown.complete &= amounts.iter().all(is_moderate) && spec.conversion != b'm';
        shown.values.extend(amounts.iter().filter(|amount| **amount == Amount::Argument).map(|_| false));
        let is_wide = spec.conversion == b'c' && spec.length == Length::Long;
        match spec.conversion {
            b'%' | b'm' => {}
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' => shown.values.push(!is_wide),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                shown.values.push(spec.length != Length::LongDouble);
            }
            _ => shown.values.push(false),
        }
        rest = &rest[at + 1 + len..];
    }
    shown
}

/// The widest field of which nobody asks whether it is modelled.
const MODERATE: u32 = 1 << 10;

/// Whether there is a `%n`.
fn has_count(pattern: &[u8]) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let Ok((spec, len)) = Spec::parse(&rest[at + 1..]) else { return false };
        if spec.conversion == b'n' {
            return true;
        }
        rest = &rest[at + 1 + len..];
    }
    false
}

fn explain(call: &dyn Call, directive: &[u8], problem: spec::Problem) -> ModelError {
    // Up to the first letter that is no length.
    let letter = directive.iter().position(|b| b.is_ascii_alphabetic() && !b"hlLqjzt".contains(b));
    let shown = letter.map_or(directive.len(), |at| at + 1).min(16);
    let text = String::from_utf8_lossy(&directive[..shown]).into_owned();
    match problem {
        spec::Problem::Unsupported => ModelError::Unknown(format!("the format directive `%{text}` is not modelled")),
        spec::Problem::Invalid => call.fault(Kind::Misuse, format!("`%{text}` is not a format directive")),
    }
}

/// Longest field that is laid out.
const WIDEST: usize = 1 << 24;

/// Replaces `*` by its argument.
fn amount(call: &mut dyn Call, amount: Amount, values: &mut Values<'_>) -> Result<Option<i32>, ModelError> {
    let position = match amount {
        Amount::None => return Ok(None),
        Amount::Position(position) => Some(position),
        Amount::Number(_) | Amount::Argument => None,
    };
    let value = match amount {
        Amount::Number(number) => number,
        _ => match values.take(call, position, Want::Integer(4))? {
            Value::Integer(Data::Term(..)) => {
                return Err(ModelError::Unknown("a width or precision that depends on inputs".to_owned()));
            }
            value => value.words()[0] as u32 as i32,
        },
    };
    if value.unsigned_abs() as usize > WIDEST {
        return Err(ModelError::Unknown(format!("a printed field of {value} characters")));
    }
    Ok(Some(value))
}

fn convert(
    call: &mut dyn Call,
    mut spec: Spec,
    values: &mut Values<'_>,
    usage: Use,
    out: &mut Formatted,
) -> Result<(), ModelError> {
    if let Some(width) = amount(call, spec.width, values)? {
        spec.left |= width < 0;
        spec.columns = width.unsigned_abs() as usize;
    }
    // A negative precision is none.
    let precision = amount(call, spec.precision, values)?;
    spec.digits = precision.and_then(|p| usize::try_from(p).ok());
    let value = match spec.want(call.pointer_bytes()) {
        Some(want) => values.take(call, spec.position, want)?,
        None => Value::Words([0, 0]),
    };
    let bytes = spec.length.bytes(call.pointer_bytes());
    if let Value::Integer(value) = value {
        return convert_integer(call, &spec, value, usage, &mut out.text);
    }
    let [value, exponent] = value.words();
    let text = &mut out.text;
    match spec.conversion {
        b'%' => text.push(crate::data::known(b'%')),
        b'p' => match value {
            0 => spec.pad_text(&Text::Known(b"(nil)".to_vec()), text),
            _ => {
                let spec = Spec { conversion: b'x', alternate: true, ..spec };
                integer::unsigned(call, &spec, Data::Known(value.into(), 64), text)?;
            }
        },
        b's' => {
            let string = match spec.digits {
                limit if spec.length == Length::Long => Text::Known(wide_text(call, value, limit)?),
                None => call.text(value)?,
                Some(limit) => crate::libc::strings::bounded(call, value, Data::Known(limit as u128, 64))?,
            };
            spec.pad_text(&string, text);
        }
        b'm' => {
            let message = messages::text(errno::get(call)?);
            let shown = spec.digits.unwrap_or(usize::MAX).min(message.len());
            spec.pad_text(&Text::Known(message.as_bytes()[..shown].to_vec()), text);
        }
        b'n' => out.counts.push((value, bytes, text.len() as u64)),
        _ => {
            let value = match spec.length {
                Length::LongDouble => Real::from_x87([value, exponent]),
                _ => Real::from_double(f64::from_bits(value)),
            };
            float::format(&spec, &value, text);
        }
    }
    Ok(())
}

/// `%d` and its like, `%c`.
fn convert_integer(
    call: &mut dyn Call,
    spec: &Spec,
    value: Data,
    usage: Use,
    out: &mut Text,
) -> Result<(), ModelError> {
    let bits = 8 * spec.length.bytes(call.pointer_bytes()) as u8;
    // Smaller integers are passed as int.
    let narrow = call.resize(value, bits, Sign::Unsigned);
    match (spec.conversion, value) {
        (b'c', _) if spec.length == Length::Long => match value.value() {
            // C writes nothing, and glibc a byte.
            Some(0) => return Err(ModelError::Unknown("printing the wide character 0 is not modelled".to_string())),
            Some(character) => spec.pad_text(&Text::Known(vec![narrow_character(character as u64)?]), out),
            None => return Err(ModelError::Unknown("printing a wide character that depends on inputs".to_string())),
        },
        (b'c', _) => {
            let mut text = Text::Known(Vec::new());
            text.push(call.resize(value, 8, Sign::Unsigned));
            spec.pad_text(&text, out);
        }
        (_, Data::Term(..)) if usage == Use::Shown => out.push(crate::data::known(b'?')),
        (b'd' | b'i', _) => integer::signed(call, spec, narrow, out)?,
        _ => integer::unsigned(call, spec, narrow, out)?,
    }
    Ok(())
}

/// A wide character as a byte.
fn narrow_character(character: u64) -> Result<u8, ModelError> {
    let byte = u8::try_from(character).ok().filter(u8::is_ascii);
    byte.ok_or_else(|| ModelError::Unknown(format!("printing the wide character {character} is not modelled")))
}

/// A string of wide characters, or as much of it as fits into so many bytes.
fn wide_text(call: &mut dyn Call, start: u64, limit: Option<usize>) -> Result<Vec<u8>, ModelError> {
    let mut text = Vec::new();
    while limit.is_none_or(|limit| text.len() < limit) {
        match call.load(start.wrapping_add(4 * text.len() as u64), 4)? {
            0 => break,
            character => text.push(narrow_character(character)?),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
