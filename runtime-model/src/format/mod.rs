//! The engine behind the printf family: a format and its values become bytes, exactly as glibc has it in the C locale.
//! (With one exception: where `%#g` rounds up to the next power of ten, some glibc drops zeros that the standard wants.)
//!
//! Wide characters and positional arguments (`%2$d`) are unknown.
mod decimal;
mod float;
mod integer;
mod source;
mod spec;

pub(crate) use source::Source;

use crate::errno;
use crate::libc::messages;
use float::Real;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError};
use source::Want;
use spec::{Amount, Length, Spec};

/// Formats the values of `source` by the format at address `pattern`.
pub(crate) fn format(call: &mut dyn Call, pattern: u64, source: &mut Source) -> Result<Vec<u8>, ModelError> {
    let pattern = call.c_string(pattern)?;
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
        convert(call, spec, source, &mut out)?;
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
fn amount(call: &mut dyn Call, amount: Amount, source: &mut Source) -> Result<Option<i32>, ModelError> {
    let value = match amount {
        Amount::None => return Ok(None),
        Amount::Number(number) => number,
        Amount::Argument => source.next(call, Want::Integer(4))?[0] as u32 as i32,
    };
    if value.unsigned_abs() as usize > WIDEST {
        return Err(ModelError::Unknown(format!("a printed field of {value} characters")));
    }
    Ok(Some(value))
}

fn convert(call: &mut dyn Call, mut spec: Spec, source: &mut Source, out: &mut Vec<u8>) -> Result<(), ModelError> {
    if let Some(width) = amount(call, spec.width, source)? {
        spec.left |= width < 0;
        spec.columns = width.unsigned_abs() as usize;
    }
    // A negative precision is none.
    let precision = amount(call, spec.precision, source)?;
    spec.digits = precision.and_then(|p| usize::try_from(p).ok());
    match spec.conversion {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = integer(call, &spec, source)?;
            let signed = crate::args::sign_extend(value, spec.length.bytes(call.pointer_bytes()));
            integer::signed(&spec, signed, out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = integer(call, &spec, source)?;
            integer::unsigned(&spec, value, out);
        }
        b'p' => {
            let value = source.next(call, Want::Pointer)?[0];
            match value {
                0 => spec.pad_text(b"(nil)", out),
                _ => integer::unsigned(&Spec { conversion: b'x', alternate: true, ..spec }, value, out),
            }
        }
        b'c' => {
            let value = source.next(call, Want::Integer(4))?[0];
            spec.pad_text(&[value as u8], out);
        }
        b's' => {
            let address = source.next(call, Want::Pointer)?[0];
            let text = match spec.digits {
                None => call.c_string(address)?,
                Some(limit) => crate::libc::strings::bounded(call, address, limit as u64)?,
            };
            spec.pad_text(&text, out);
        }
        b'm' => {
            let text = messages::text(errno::get(call)?);
            let shown = spec.digits.unwrap_or(usize::MAX).min(text.len());
            spec.pad_text(&text.as_bytes()[..shown], out);
        }
        b'n' => {
            let address = source.next(call, Want::Pointer)?[0];
            call.store(address, spec.length.bytes(call.pointer_bytes()), out.len() as u64)?;
        }
        _ => {
            let value = match spec.length {
                Length::LongDouble => Real::from_x87(source.next(call, Want::LongDouble)?),
                _ => Real::from_double(f64::from_bits(source.next(call, Want::Double)?[0])),
            };
            float::format(&spec, &value, out);
        }
    }
    Ok(())
}

/// An integer argument, cut to the size that the directive names.
fn integer(call: &mut dyn Call, spec: &Spec, source: &mut Source) -> Result<u64, ModelError> {
    let bytes = spec.length.bytes(call.pointer_bytes());
    // Smaller ones are passed as int.
    let value = source.next(call, Want::Integer(bytes.max(4)))?[0];
    Ok(crate::args::zero_extend(value, bytes))
}

#[cfg(test)]
mod tests;
