//! Arithmetic on integers.
use crate::args::{Done, int, long, return_int, return_long, return_word, word};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family("integers");
const SMALLEST: &str = "the smallest number is a violation (overflow)";

/// `abs`, `ffs`, byte orders.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("abs", SMALLEST, abs),
    FAMILY.noted("labs", SMALLEST, labs),
    FAMILY.noted("llabs", SMALLEST, llabs),
    FAMILY.noted("imaxabs", SMALLEST, llabs),
    FAMILY.plain("ffs", |c| find_first(c, 4)),
    FAMILY.plain("ffsl", |c| {
        let bytes = c.pointer_bytes();
        find_first(c, bytes)
    }),
    FAMILY.plain("ffsll", |c| find_first(c, 8)),
    FAMILY.plain("htonl", swap32),
    FAMILY.plain("ntohl", swap32),
    FAMILY.plain("htons", swap16),
    FAMILY.plain("ntohs", swap16),
];

fn overflow(call: &dyn Call) -> ModelError {
    call.fault(Kind::Overflow, format!("`{}` of the smallest number", call.name()))
}

fn abs(call: &mut dyn Call) -> Done {
    let value = int(call, 0)?.checked_abs().ok_or_else(|| overflow(call))?;
    return_int(value)
}

fn labs(call: &mut dyn Call) -> Done {
    let smallest = i64::MIN >> (64 - 8 * call.pointer_bytes());
    match long(call, 0)? {
        value if value == smallest => Err(overflow(call)),
        value => return_long(call, value.abs()),
    }
}

fn llabs(call: &mut dyn Call) -> Done {
    let value = (word(call, 0)? as i64).checked_abs().ok_or_else(|| overflow(call))?;
    return_word(value as u64)
}

fn find_first(call: &mut dyn Call, bytes: u64) -> Done {
    let value = crate::args::zero_extend(word(call, 0)?, bytes);
    return_int(if value == 0 { 0 } else { value.trailing_zeros() as i32 + 1 })
}

fn swap32(call: &mut dyn Call) -> Done {
    let value = word(call, 0)? as u32;
    return_word(u64::from(value.swap_bytes()))
}

fn swap16(call: &mut dyn Call) -> Done {
    let value = word(call, 0)? as u16;
    return_word(u64::from(value.swap_bytes()))
}
