//! Where the values of a format come from: the arguments of the call, or a va_list in the program's memory.
use crate::args::{two_words, word, zero_extend};
use interp::hooks::{Call, ModelError};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// 4 or 8 bytes.
    Integer(u64),
    Pointer,
    Double,
    LongDouble,
}

/// A sequence of values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The next argument of the call.
    Arguments { next: usize },
    /// On x86-64 the address of the va_list, which is kept up to date; on i386 its value.
    List { place: u64 },
}

/// Fields of the va_list of x86-64, and the ends of its register areas.
const GP_OFFSET: u64 = 0;
const FP_OFFSET: u64 = 4;
const OVERFLOW: u64 = 8;
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
        Source::List { place }
    }

    /// The next value.
    pub(super) fn next(&mut self, call: &mut dyn Call, want: Want) -> Result<[u64; 2], ModelError> {
        let value = match self {
            Source::Arguments { next } => {
                let index = *next;
                *next += 1;
                match want {
                    Want::LongDouble => return two_words(call, index),
                    _ => [word(call, index)?, 0],
                }
            }
            Source::List { place } => {
                let address = match call.pointer_bytes() {
                    8 => advance_structure(call, *place, want)?,
                    _ => advance_pointer(place, want),
                };
                match want {
                    Want::LongDouble => [call.load(address, 8)?, call.load(address + 8, 2)?],
                    _ => [call.load(address, size(want, call.pointer_bytes()))?, 0],
                }
            }
        };
        Ok([zero_extend(value[0], size(want, call.pointer_bytes()).min(8)), value[1]])
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
fn advance_structure(call: &mut dyn Call, list: u64, want: Want) -> Result<u64, ModelError> {
    let (field, end, step) = match want {
        Want::Double => (FP_OFFSET, FP_END, 16),
        _ => (GP_OFFSET, GP_END, 8),
    };
    if want != Want::LongDouble {
        let offset = call.load(list + field, 4)?;
        if offset + step <= end {
            call.store(list + field, 4, offset + step)?;
            return Ok(call.load(list + REGISTERS, 8)? + offset);
        }
    }
    let area = call.load(list + OVERFLOW, 8)?;
    let (address, step) = if want == Want::LongDouble { (area.next_multiple_of(16), 16) } else { (area, 8) };
    call.store(list + OVERFLOW, 8, address + step)?;
    Ok(address)
}
