//! Where the values of a format come from: the arguments of the call, or a va_list in the program's memory.
use crate::args::{data, two_words, word};
use interp::hooks::{Call, Data, ModelError, Sign};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// 4 or 8 bytes.
    Integer(u64),
    Pointer,
    Double,
    LongDouble,
}

/// A value. Integers have 64 bits, and may depend on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Integer(Data),
    Words([u64; 2]),
}

impl Value {
    /// Of what cannot depend on inputs.
    pub(super) fn words(self) -> [u64; 2] {
        match self {
            Value::Integer(Data::Known(value, _)) => [value as u64, 0],
            Value::Integer(Data::Term(..)) => unreachable!("an integer is none"),
            Value::Words(words) => words,
        }
    }
}

/// A sequence of values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The next argument of the call.
    Arguments { next: usize },
    /// On x86-64 the address of the va_list, with those of its three offsets and addresses that were used, as they are
    /// by now; on i386 its value.
    List { place: u64, fields: [Option<u64>; 3] },
}

/// Fields of the va_list of x86-64, their sizes, and the ends of its register areas.
const FIELDS: [(u64, u64); 3] = [(0, 4), (4, 4), (8, 8)];
const GENERAL: usize = 0;
const FLOATING: usize = 1;
const OVERFLOW: usize = 2;
const REGISTERS: u64 = 16;
const GP_END: u64 = 48;
const FP_END: u64 = 176;

impl Source {
    /// The arguments from index `first` on.
    pub(crate) fn arguments(first: usize) -> Source {
        Source::Arguments { next: first }
    }

    /// The va_list that was passed as `place`.
    pub(crate) fn list(place: u64) -> Source {
        Source::List { place, fields: [None; 3] }
    }

    /// The next value.
    pub(super) fn next(&mut self, call: &mut dyn Call, want: Want) -> Result<Value, ModelError> {
        let bits = 8 * size(want, call.pointer_bytes()) as u8;
        match self {
            Source::Arguments { next } => {
                let index = *next;
                *next += 1;
                Ok(match want {
                    Want::LongDouble => Value::Words(two_words(call, index)?),
                    Want::Integer(_) => {
                        let value = data(call, index, bits)?;
                        Value::Integer(call.resize(value, 64, Sign::Unsigned))
                    }
                    _ => Value::Words([word(call, index)? & (u64::MAX >> (64 - bits)), 0]),
                })
            }
            Source::List { place, fields } => {
                let address = match call.pointer_bytes() {
                    8 => advance_structure(call, *place, fields, want)?,
                    _ => advance_pointer(place, want),
                };
                Ok(match want {
                    Want::LongDouble => Value::Words([call.load(address, 8)?, call.load(address + 8, 2)?]),
                    Want::Integer(bytes) => {
                        let value = call.load_data(address, bytes)?;
                        Value::Integer(call.resize(value, 64, Sign::Unsigned))
                    }
                    _ => Value::Words([call.load(address, u64::from(bits / 8))?, 0]),
                })
            }
        }
    }

    /// Keeps the va_list up to date. This changes memory, so it comes behind all decisions.
    pub(crate) fn finish(self, call: &mut dyn Call) -> Result<(), ModelError> {
        let Source::List { place, fields } = self else { return Ok(()) };
        for ((offset, size), value) in FIELDS.into_iter().zip(fields) {
            if let Some(value) = value {
                call.store(place + offset, size, value)?;
            }
        }
        Ok(())
    }
}

/// Bytes of a value.
fn size(want: Want, pointer_bytes: u64) -> u64 {
    match want {
        Want::Integer(bytes) => bytes,
        Want::Pointer => pointer_bytes,
        Want::Double => 8,
        Want::LongDouble => 16,
    }
}

/// Moves an i386 va_list on; the address of the value.
fn advance_pointer(place: &mut u64, want: Want) -> u64 {
    let address = *place;
    *place += if want == Want::LongDouble { 12 } else { size(want, 4) };
    address
}

/// Moves an x86-64 va_list on; the address of the value.
fn advance_structure(
    call: &mut dyn Call,
    list: u64,
    fields: &mut [Option<u64>; 3],
    want: Want,
) -> Result<u64, ModelError> {
    let now = |call: &mut dyn Call, field: usize, fields: &[Option<u64>; 3]| match fields[field] {
        Some(value) => Ok(value),
        None => call.load(list + FIELDS[field].0, FIELDS[field].1),
    };
    let (field, end, step) = match want {
        Want::Double => (FLOATING, FP_END, 16),
        _ => (GENERAL, GP_END, 8),
    };
    if want != Want::LongDouble {
        let offset = now(call, field, fields)?;
        if offset + step <= end {
            fields[field] = Some(offset + step);
            return Ok(call.load(list + REGISTERS, 8)? + offset);
        }
    }
    let area = now(call, OVERFLOW, fields)?;
    let (address, step) = if want == Want::LongDouble { (area.next_multiple_of(16), 16) } else { (area, 8) };
    fields[OVERFLOW] = Some(address + step);
    Ok(address)
}
