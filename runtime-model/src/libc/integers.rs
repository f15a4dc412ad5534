//! Arithmetic on integers.
use crate::args::{Done, data, return_data};
use crate::data::equal;
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, Data, Op, Registered, Sign};

const FAMILY: Family = Family::on_data("integers");
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

/// The absolute value of a number of so many bits.
fn absolute(call: &mut dyn Call, bits: u8) -> Done {
    let value = data(call, 0, bits)?;
    let smallest = equal(call, value, Data::Known(1 << (bits - 1), bits));
    if call.decide(smallest)? {
        return Err(call.fault(Kind::Overflow, format!("`{}` of the smallest number", call.name())));
    }
    let zero = Data::Known(0, bits);
    let (negative, minus) = (call.compute(Op::Slt, value, zero), call.compute(Op::Sub, zero, value));
    let result = call.choose(negative, minus, value);
    return_data(result)
}

fn abs(call: &mut dyn Call) -> Done {
    absolute(call, 32)
}

fn labs(call: &mut dyn Call) -> Done {
    let bits = 8 * call.pointer_bytes() as u8;
    absolute(call, bits)
}

fn llabs(call: &mut dyn Call) -> Done {
    absolute(call, 64)
}

/// The number of the lowest bit that is set, from 1 on.
fn find_first(call: &mut dyn Call, bytes: u64) -> Done {
    let value = data(call, 0, 8 * bytes as u8)?;
    let mut result = Data::Known(0, 32);
    for bit in (0..value.bits()).rev() {
        let shifted = call.compute(Op::LShr, value, Data::Known(bit.into(), value.bits()));
        let set = call.resize(shifted, 1, Sign::Unsigned);
        result = call.choose(set, Data::Known(u128::from(bit) + 1, 32), result);
    }
    return_data(result)
}

fn swap(call: &mut dyn Call, bits: u8) -> Done {
    let value = data(call, 0, bits)?;
    let mut result = Data::Known(0, bits);
    for shift in (0..bits).step_by(8) {
        let byte = call.compute(Op::LShr, value, Data::Known(shift.into(), bits));
        let byte = call.compute(Op::And, byte, Data::Known(0xff, bits));
        let byte = call.compute(Op::Shl, byte, Data::Known((bits - 8 - shift).into(), bits));
        result = call.compute(Op::Or, result, byte);
    }
    return_data(result)
}

fn swap32(call: &mut dyn Call) -> Done {
    swap(call, 32)
}

fn swap16(call: &mut dyn Call) -> Done {
    swap(call, 16)
}
