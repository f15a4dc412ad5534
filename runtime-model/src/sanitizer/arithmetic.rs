//! What clang calls where it was told to check arithmetic itself (`-fsanitize=signed-integer-overflow`, `shift`).
//!
//! The code of the program tells signed shifts from unsigned ones no longer, and has constant expressions folded;
//! checks that clang inserted see both. Each handler gets a record of the place (a file name and two words) followed by
//! the descriptor of the operands' type: two half-words, of which the second holds the sign in its lowest bit and the
//! logarithm of the width above.
use crate::args::{Done, word};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::of("checked arithmetic");
const ABOUT: &str =
    "called by code compiled with `-fsanitize=signed-integer-overflow`, `shift` or `integer-divide-by-zero`";

/// The handlers, for code that would go on and for code that would not.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("__ubsan_handle_add_overflow", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_add_overflow_abort", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_sub_overflow", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_sub_overflow_abort", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_mul_overflow", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_mul_overflow_abort", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_divrem_overflow", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_divrem_overflow_abort", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_negate_overflow", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_negate_overflow_abort", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_shift_out_of_bounds", ABOUT, handler),
    FAMILY.noted("__ubsan_handle_shift_out_of_bounds_abort", ABOUT, handler),
];

/// What a check has found.
pub(crate) enum Finding {
    /// The result does not fit into its signed type.
    SignedOverflow(String),
    /// An operation without any meaning.
    Other(String),
}

fn handler(call: &mut dyn Call) -> Done {
    let (Finding::SignedOverflow(message) | Finding::Other(message)) = finding(call)?;
    Err(call.fault(Kind::Overflow, message))
}

/// What the handler that is called is told.
pub(crate) fn finding(call: &mut dyn Call) -> Result<Finding, ModelError> {
    let kind = descriptor(call, 0)?;
    let a = number(call, 1, kind)?;
    let name = call.name().trim_start_matches("__ubsan_handle_").trim_end_matches("_abort").to_owned();
    let sign = match name.as_str() {
        "negate_overflow" => return Ok(overflow(format!("-({a})"), kind)),
        "shift_out_of_bounds" => return shift(call, kind, a),
        "add_overflow" => '+',
        "sub_overflow" => '-',
        "mul_overflow" => '*',
        _ => '/',
    };
    match number(call, 2, kind)? {
        0 if sign == '/' => Ok(Finding::Other("division by zero".to_owned())),
        b => Ok(overflow(format!("{a} {sign} {b}"), kind)),
    }
}

fn shift(call: &mut dyn Call, kind: Integer, a: i128) -> Result<Finding, ModelError> {
    let of_count = descriptor(call, 1)?;
    let count = number(call, 2, of_count)?;
    Ok(match (0..i128::from(kind.bits)).contains(&count) {
        false => Finding::Other(format!("a value of {} bits is shifted by {count}", kind.bits)),
        true if a < 0 => Finding::Other(format!("the negative number {a} is shifted to the left")),
        true => overflow(format!("{a} << {count}"), kind),
    })
}

fn overflow(operation: String, kind: Integer) -> Finding {
    Finding::SignedOverflow(format!("signed overflow: {operation} does not fit into {} bits", kind.bits))
}

/// An integer type.
#[derive(Clone, Copy)]
struct Integer {
    signed: bool,
    bits: u32,
}

/// The type with that number (0: of the left operand) in the record of the place.
fn descriptor(call: &mut dyn Call, index: u64) -> Result<Integer, ModelError> {
    let record = word(call, 0)?;
    let pointer = call.pointer_bytes();
    let place = pointer + 8;
    let descriptor = call.load(record + place + index * pointer, pointer)?;
    let about = call.load(descriptor + 2, 2)?;
    Ok(Integer { signed: about & 1 != 0, bits: 1 << (about >> 1).min(16) })
}

/// An operand: wide ones are passed by their address.
fn number(call: &mut dyn Call, index: usize, kind: Integer) -> Result<i128, ModelError> {
    let passed = word(call, index)?;
    let bytes = u64::from(kind.bits.div_ceil(8));
    let value = match bytes {
        _ if bytes <= call.pointer_bytes() => u128::from(passed),
        8 => u128::from(call.load(passed, 8)?),
        16 => u128::from(call.load(passed, 8)?) | u128::from(call.load(passed + 8, 8)?) << 64,
        _ => return Err(ModelError::Unknown(format!("`{}` of {} bits is not modelled", call.name(), kind.bits))),
    };
    let unused = 128 - kind.bits;
    Ok(if kind.signed { ((value << unused) as i128) >> unused } else { ((value << unused) >> unused) as i128 })
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelError;

    /// What a handler says of operands of an `int`.
    fn message(name: &str, operands: &[i32]) -> String {
        let mut fake = Fake::lp64();
        // The kind 0 (an integer), and 5 (2⁵ bits) with a sign; then a file, line and column, and the type twice.
        let int = fake.bytes(&[0, 0, 11, 0]);
        let mut record = vec![0; 16];
        record.extend(int.to_le_bytes().repeat(2));
        let record = fake.bytes(&record);
        let operands = operands.iter().map(|operand| u64::from(*operand as u32).into());
        let arguments: Vec<_> = std::iter::once(record.into()).chain(operands).collect();
        match fake.call(name, &arguments) {
            Err(ModelError::Fault { message, .. }) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_was_found() {
        for (name, operands, expected) in [
            ("add_overflow", &[i32::MAX, 1][..], "signed overflow: 2147483647 + 1 does not fit into 32 bits"),
            ("sub_overflow_abort", &[i32::MIN, 1], "signed overflow: -2147483648 - 1 does not fit into 32 bits"),
            ("divrem_overflow", &[1, 0], "division by zero"),
            ("negate_overflow", &[i32::MIN], "signed overflow: -(-2147483648) does not fit into 32 bits"),
            ("shift_out_of_bounds", &[1, 31], "signed overflow: 1 << 31 does not fit into 32 bits"),
            ("shift_out_of_bounds", &[-1, 1], "the negative number -1 is shifted to the left"),
            ("shift_out_of_bounds", &[1, 32], "a value of 32 bits is shifted by 32"),
        ] {
            assert_eq!(message(&format!("__ubsan_handle_{name}"), operands), expected);
        }
    }
}
