//! The engine behind the printf family: a format and its values become bytes, exactly as glibc has it in the C locale.
//! (With one exception: where `%#g` rounds up to the next power of ten, some glibc drops zeros that the standard wants.)
//!
//! Wide characters are those of ASCII; what becomes of others is unknown.
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
use interp::hooks::{Call, ModelError};
use positions::Values;
use source::Want;
use spec::{Amount, Length, Spec};

/// Formats the values of `source` by the format at address `pattern`.
pub(crate) fn format(call: &mut dyn Call, pattern: u64, source: &mut Source) -> Result<Vec<u8>, ModelError> {
    let pattern = call.c_string(pattern)?;
    let mut values = Values::new(call, &pattern, source)?;
    let mut out = Vec::with_capacity(pattern.len());
    let mut rest = pattern.as_slice();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte != b'%' {
            out.push(byte);
            rest = tail;
            continue;
        }
        let (spec, len) = Spec::parse(tail).map_err(|problem| explain(call, tail, problem))?;
        rest = &tail[len..];
        convert(call, spec, &mut values, &mut out)?;
    }
    Ok(out)
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
        _ => values.take(call, position, Want::Integer(4))?[0] as u32 as i32,
    };
    if value.unsigned_abs() as usize > WIDEST {
        return Err(ModelError::Unknown(format!("a printed field of {value} characters")));
    }
    Ok(Some(value))
}

fn convert(call: &mut dyn Call, mut spec: Spec, values: &mut Values<'_>, out: &mut Vec<u8>) -> Result<(), ModelError> {
    if let Some(width) = amount(call, spec.width, values)? {
        spec.left |= width < 0;
        spec.columns = width.unsigned_abs() as usize;
    }
    // A negative precision is none.
    let precision = amount(call, spec.precision, values)?;
    spec.digits = precision.and_then(|p| usize::try_from(p).ok());
    let [value, exponent] = match spec.want(call.pointer_bytes()) {
        Some(want) => values.take(call, spec.position, want)?,
        None => [0, 0],
    };
    let bytes = spec.length.bytes(call.pointer_bytes());
    match spec.conversion {
        b'%' => out.push(b'%'),
        // Smaller integers are passed as int.
        b'd' | b'i' => integer::signed(&spec, crate::args::sign_extend(value, bytes), out),
        b'u' | b'o' | b'x' | b'X' => integer::unsigned(&spec, crate::args::zero_extend(value, bytes), out),
        b'p' => match value {
            0 => spec.pad_text(b"(nil)", out),
            _ => integer::unsigned(&Spec { conversion: b'x', alternate: true, ..spec }, value, out),
        },
        b'c' if spec.length == Length::Long => match value {
            // C writes nothing, and glibc a byte.
            0 => return Err(ModelError::Unknown("printing the wide character 0 is not modelled".to_string())),
            _ => spec.pad_text(&[narrow(value)?], out),
        },
        b'c' => spec.pad_text(&[value as u8], out),
        b's' => {
            let text = match spec.digits {
                limit if spec.length == Length::Long => wide_text(call, value, limit)?,
                None => call.c_string(value)?,
                Some(limit) => bounded(call, value, limit)?,
            };
            spec.pad_text(&text, out);
        }
        b'm' => {
            let text = messages::text(errno::get(call)?);
            let shown = spec.digits.unwrap_or(usize::MAX).min(text.len());
            spec.pad_text(&text.as_bytes()[..shown], out);
        }
        b'n' => call.store(value, bytes, out.len() as u64)?,
        _ => {
            let value = match spec.length {
                Length::LongDouble => Real::from_x87([value, exponent]),
                _ => Real::from_double(f64::from_bits(value)),
            };
            float::format(&spec, &value, out);
        }
    }
    Ok(())
}

/// A string, cut off.
fn bounded(call: &mut dyn Call, start: u64, limit: usize) -> Result<Vec<u8>, ModelError> {
    let mut text = Vec::new();
    while text.len() < limit {
        match call.load(start.wrapping_add(text.len() as u64), 1)? as u8 {
            0 => break,
            byte => text.push(byte),
        }
    }
    Ok(text)
}

/// A wide character as a byte.
fn narrow(character: u64) -> Result<u8, ModelError> {
    let byte = u8::try_from(character).ok().filter(u8::is_ascii);
    byte.ok_or_else(|| ModelError::Unknown(format!("printing the wide character {character} is not modelled")))
}

/// A string of wide characters, or as much of it as fits into so many bytes.
fn wide_text(call: &mut dyn Call, start: u64, limit: Option<usize>) -> Result<Vec<u8>, ModelError> {
    let mut text = Vec::new();
    while limit.is_none_or(|limit| text.len() < limit) {
        match call.load(start.wrapping_add(4 * text.len() as u64), 4)? {
            0 => break,
            character => text.push(narrow(character)?),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
