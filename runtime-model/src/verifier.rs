//! The functions by which programs talk to verifiers.
use crate::args::{Done, void, word};
use crate::table::Family;
use interp::Assumption;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult, Registered, Sign};
use interp::operation::{Operation, Source};

const FAMILY: Family = Family::of("verifiers");
const RANGE: &str = "all values, as symbolic data; with --nondet N the values 0…N-1, with the assumption nondet-range if there are more";

/// `reach_error` and `__VERIFIER_…`.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.overriding("reach_error", "a failed assertion", error),
    FAMILY.overriding("__VERIFIER_error", "a failed assertion", error),
    FAMILY.overriding("__VERIFIER_assume", "ends the execution silently if the condition is 0", assume).assuming(),
    FAMILY.noted("__VERIFIER_assert", "only where the program does not define it", assert).asking(),
    FAMILY.overriding("klee_assume", "ends the execution silently if the condition is 0", assume).assuming(),
    FAMILY.overriding("__VERIFIER_atomic_begin", "", atomic_begin),
    FAMILY.overriding("__VERIFIER_atomic_end", "", atomic_end),
    FAMILY.noted("__VERIFIER_nondet_bool", "both values", nondet_bool),
    FAMILY.noted("__VERIFIER_nondet__Bool", "both values", nondet_bool),
    FAMILY.noted("__VERIFIER_nondet_char", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_schar", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_uchar", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_unsigned_char", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_short", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_ushort", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_int", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_uint", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_unsigned", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_unsigned_int", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_long", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_ulong", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_longlong", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_ulonglong", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_int128", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_uint128", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_size_t", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_loff_t", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_sector_t", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_u8", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_u16", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_u32", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_u64", RANGE, nondet),
    FAMILY.noted("__VERIFIER_nondet_pointer", "unknown", nondet_other),
    FAMILY.noted("__VERIFIER_nondet_pchar", "unknown", nondet_other),
    FAMILY.noted("__VERIFIER_nondet_float", "unknown", nondet_other),
    FAMILY.noted("__VERIFIER_nondet_double", "unknown", nondet_other),
    // For library code: what the system may do in either way, and a number that it may choose.
    Family::of("library code").plain("__verify_either", nondet_bool),
    Family::of("library code").plain("__verify_any_number", nondet),
];

fn error(call: &mut dyn Call) -> Done {
    let message = format!("`{}` is reached", call.name());
    Err(call.fault(Kind::Assertion, message))
}

fn assume(call: &mut dyn Call) -> Done {
    match word(call, 0)? {
        0 => Ok(ModelResult::Operate(Operation::AssumeFailed)),
        _ => void(),
    }
}

fn assert(call: &mut dyn Call) -> Done {
    match word(call, 0)? {
        0 => Err(call.fault(Kind::Assertion, "the condition of `__VERIFIER_assert` is 0".into())),
        _ => void(),
    }
}

fn atomic_begin(_call: &mut dyn Call) -> Done {
    Ok(ModelResult::Operate(Operation::AtomicBegin))
}

fn atomic_end(call: &mut dyn Call) -> Done {
    call.atomic_end()?;
    void()
}

fn nondet_bool(_call: &mut dyn Call) -> Done {
    Ok(ModelResult::Operate(Operation::Choose { base: 0, count: 2, bits: 1, source: Source::Call }))
}

/// An integer: 0, 1, … as many as `--nondet` says, for signed types as well.
fn nondet(call: &mut dyn Call) -> Done {
    let bits = bits_of(call);
    let name = call.name().trim_start_matches("__VERIFIER_nondet_");
    let sign =
        if name.starts_with(['u', 's']) && name != "short" && name != "schar" { Sign::Unsigned } else { Sign::Signed };
    if let Some(effect) = call.input(bits, sign, Source::Call) {
        return effect;
    }
    let wanted = call.nondet_values();
    if wanted == 0 {
        let reason = format!("{} needs --nondet N, or symbolic data (--symbolic auto)", call.name());
        return Err(ModelError::Unknown(reason));
    }
    // Narrow types have no more than 2^bits values; then nothing is left out.
    let all = 1_u64.checked_shl(u32::from(bits)).unwrap_or(u64::MAX);
    let count = u64::from(wanted).min(all) as u32;
    if u64::from(count) < all {
        call.assume(Assumption::NondetRange);
    }
    Ok(ModelResult::Operate(Operation::Choose { base: 0, count, bits, source: Source::Call }))
}

/// The width of the type that the function's name ends in.
fn bits_of(call: &dyn Call) -> u8 {
    let long = 8 * call.pointer_bytes() as u8;
    match call.name().trim_start_matches("__VERIFIER_nondet_") {
        "char" | "schar" | "uchar" | "unsigned_char" | "u8" => 8,
        "short" | "ushort" | "u16" => 16,
        "int" | "uint" | "unsigned" | "unsigned_int" | "u32" => 32,
        "long" | "ulong" | "size_t" | "sector_t" => long,
        "int128" | "uint128" => 128,
        _ => 64,
    }
}

fn nondet_other(call: &mut dyn Call) -> Done {
    Err(ModelError::Unknown(format!("{} is not modelled yet", call.name())))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::fault::Kind;
    use interp::hooks::{ModelError, ModelResult};
    use interp::operation::{Operation, Source};

    #[test]
    fn errors_and_assumptions() {
        let mut fake = Fake::lp64();
        assert_eq!(fake.violation("reach_error", &[]), Kind::Assertion);
        assert_eq!(fake.violation("__VERIFIER_assert", &[0]), Kind::Assertion);
        assert_eq!(fake.result("__VERIFIER_assert", &[1]), 0);
        assert_eq!(fake.operation("__VERIFIER_assume", &[0]), Operation::AssumeFailed);
        assert_eq!(fake.result("__VERIFIER_assume", &[2]), 0);
        assert_eq!(fake.operation("__VERIFIER_atomic_begin", &[]), Operation::AtomicBegin);
        assert!(matches!(fake.call("__VERIFIER_atomic_end", &[]), Ok(ModelResult::Return(_))));
        assert_eq!(fake.log, ["atomic end"]);
    }

    #[test]
    fn choices() {
        let mut fake = Fake::ilp32();
        let choice = |count, bits| Operation::Choose { base: 0, count, bits, source: Source::Call };
        assert_eq!(fake.operation("__VERIFIER_nondet_bool", &[]), choice(2, 1));
        assert!(matches!(fake.call("__VERIFIER_nondet_int", &[]), Err(ModelError::Unknown(_))));
        assert!(matches!(fake.call("__VERIFIER_nondet_double", &[]), Err(ModelError::Unknown(_))));
        fake.nondet = 300;
        assert_eq!(fake.operation("__VERIFIER_nondet_uchar", &[]), choice(256, 8));
        assert!(fake.assumed.is_empty());
        assert_eq!(fake.operation("__VERIFIER_nondet_int", &[]), choice(300, 32));
        assert_eq!(fake.assumed, ["nondet-range"]);
        assert_eq!(fake.operation("__VERIFIER_nondet_long", &[]), choice(300, 32));
        assert_eq!(fake.operation("__VERIFIER_nondet_ulonglong", &[]), choice(300, 64));
    }
}
