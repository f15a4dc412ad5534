//! Computing with what may depend on inputs.
use interp::hooks::{Call, Data, ModelError, Op, Sign, Text};

/// A byte of memory.
pub(crate) fn byte(call: &mut dyn Call, address: u64) -> Result<Data, ModelError> {
    call.load_data(address, 1)
}

/// A known byte.
pub(crate) const fn known(byte: u8) -> Data {
    Data::Known(byte as u128, 8)
}

/// Whether they are the same.
pub(crate) fn equal(call: &mut dyn Call, a: Data, b: Data) -> Data {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => truth(x == y),
        _ => call.compute(Op::Eq, a, b),
    }
}

/// Whether the first is less, as unsigned numbers.
pub(crate) fn less(call: &mut dyn Call, a: Data, b: Data) -> Data {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => truth(x < y),
        _ => call.compute(Op::Ult, a, b),
    }
}

/// One of the two.
pub(crate) fn or(call: &mut dyn Call, a: Data, b: Data) -> Data {
    match (a.value(), b.value()) {
        (Some(1), _) | (_, Some(0)) => a,
        (Some(0), _) | (_, Some(1)) => b,
        _ => call.compute(Op::Or, a, b),
    }
}

/// Both.
pub(crate) fn and(call: &mut dyn Call, a: Data, b: Data) -> Data {
    match (a.value(), b.value()) {
        (Some(0), _) | (_, Some(1)) => a,
        (Some(1), _) | (_, Some(0)) => b,
        _ => call.compute(Op::And, a, b),
    }
}

/// The opposite.
pub(crate) fn not(call: &mut dyn Call, a: Data) -> Data {
    match a.value() {
        Some(value) => truth(value == 0),
        None => call.compute(Op::Xor, a, truth(true)),
    }
}

/// A bit.
pub(crate) const fn truth(value: bool) -> Data {
    Data::Known(value as u128, 1)
}

/// Zeros in front.
pub(crate) fn extended(call: &mut dyn Call, a: Data, bits: u8) -> Data {
    call.resize(a, bits, Sign::Unsigned)
}

/// Whether it lies in one of these intervals, ends included: without a decision.
pub(crate) fn among(call: &mut dyn Call, a: Data, intervals: &[(u8, u8)]) -> Data {
    let mut found = truth(false);
    for (low, high) in intervals {
        let (low, count) = (Data::Known((*low).into(), a.bits()), Data::Known(u128::from(high - low) + 1, a.bits()));
        let distance = call.compute(Op::Sub, a, low);
        let inside = less(call, distance, count);
        found = or(call, found, inside);
    }
    found
}

/// The intervals of the bytes that have something.
pub(crate) fn intervals(has: impl Fn(u8) -> bool) -> Vec<(u8, u8)> {
    let mut all: Vec<(u8, u8)> = Vec::new();
    for byte in (0..=u8::MAX).filter(|byte| has(*byte)) {
        match all.last_mut() {
            Some((_, high)) if *high + 1 == byte => *high = byte,
            _ => all.push((byte, byte)),
        }
    }
    all
}

/// Whether a byte is one of these: without a decision.
pub(crate) fn member(call: &mut dyn Call, byte: Data, set: &Text) -> Data {
    if let (Some(value), Text::Known(set)) = (byte.value(), set) {
        return truth(set.contains(&(value as u8)));
    }
    let mut found = truth(false);
    for index in 0..set.len() {
        let same = equal(call, byte, set.at(index));
        found = or(call, found, same);
    }
    found
}

/// The small letter instead of a capital one.
pub(crate) fn lower(call: &mut dyn Call, byte: Data) -> Data {
    if let Some(value) = byte.value() {
        return known((value as u8).to_ascii_lowercase());
    }
    let capital = among(call, byte, &[(b'A', b'Z')]);
    let small = call.compute(Op::Or, byte, known(0x20));
    call.choose(capital, small, byte)
}
