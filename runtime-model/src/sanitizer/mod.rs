//! What clang's `-fsanitize=…` calls where it finds undefined behaviour (`--cflags -fsanitize=shift,alignment`). So
//! whatever clang can check in the source is a violation here too, although the code without the check would not show
//! it.
mod arithmetic;

pub(crate) use arithmetic::{Finding, MODELS as ARITHMETIC, finding};

use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult, Registered};

const FAMILY: Family = Family::of("sanitizer");

/// The other checks, `__ubsan_handle_…`, in the forms that return and that do not.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("__ubsan_handle_float_cast_overflow", conversion),
    FAMILY.plain("__ubsan_handle_float_cast_overflow_abort", conversion),
    FAMILY.plain("__ubsan_handle_implicit_conversion", conversion),
    FAMILY.plain("__ubsan_handle_implicit_conversion_abort", conversion),
    FAMILY.plain("__ubsan_handle_out_of_bounds", index),
    FAMILY.plain("__ubsan_handle_out_of_bounds_abort", index),
    FAMILY.plain("__ubsan_handle_pointer_overflow", pointer),
    FAMILY.plain("__ubsan_handle_pointer_overflow_abort", pointer),
    FAMILY.plain("__ubsan_handle_type_mismatch_v1", access),
    FAMILY.plain("__ubsan_handle_type_mismatch_v1_abort", access),
    FAMILY.plain("__ubsan_handle_alignment_assumption", access),
    FAMILY.plain("__ubsan_handle_alignment_assumption_abort", access),
    FAMILY.plain("__ubsan_handle_vla_bound_not_positive", array),
    FAMILY.plain("__ubsan_handle_vla_bound_not_positive_abort", array),
    FAMILY.plain("__ubsan_handle_nonnull_arg", null),
    FAMILY.plain("__ubsan_handle_nonnull_arg_abort", null),
    FAMILY.plain("__ubsan_handle_nonnull_return_v1", null),
    FAMILY.plain("__ubsan_handle_nonnull_return_v1_abort", null),
    FAMILY.plain("__ubsan_handle_load_invalid_value", value),
    FAMILY.plain("__ubsan_handle_load_invalid_value_abort", value),
    FAMILY.plain("__ubsan_handle_invalid_builtin", builtin),
    FAMILY.plain("__ubsan_handle_invalid_builtin_abort", builtin),
    FAMILY.plain("__ubsan_handle_builtin_unreachable", unreachable),
    FAMILY.plain("__ubsan_handle_missing_return", unreachable),
];

type Found = Result<ModelResult, ModelError>;

fn found(call: &dyn Call, kind: Kind, what: &str) -> Found {
    Err(call.fault(kind, format!("{what}, says clang's check")))
}

fn conversion(call: &mut dyn Call) -> Found {
    found(call, Kind::Overflow, "a converted value does not fit into the new type")
}

fn index(call: &mut dyn Call) -> Found {
    found(call, Kind::Memory, "an index is outside of its array")
}

fn pointer(call: &mut dyn Call) -> Found {
    found(call, Kind::Memory, "computing with a pointer leaves the address space, or begins at null")
}

/// The pointer is argument 1.
fn access(call: &mut dyn Call) -> Found {
    match call.argument(1) {
        0 => found(call, Kind::Memory, "a null pointer is used"),
        address => {
            let what = format!("address {address:#x} is misaligned for its type, or there is too little room");
            found(call, Kind::Memory, &what)
        }
    }
}

fn array(call: &mut dyn Call) -> Found {
    found(call, Kind::Memory, "the size of an array is not positive")
}

fn null(call: &mut dyn Call) -> Found {
    found(call, Kind::Misuse, "null is passed or returned where it is declared that it never is")
}

fn value(call: &mut dyn Call) -> Found {
    found(call, Kind::Misuse, "a loaded value is none of its type")
}

fn builtin(call: &mut dyn Call) -> Found {
    found(call, Kind::Misuse, "a builtin function is called with 0, for which it is not defined")
}

fn unreachable(call: &mut dyn Call) -> Found {
    found(call, Kind::Abort, "control reaches a place that the program declares unreachable")
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::fault::Kind;

    #[test]
    fn each_check_has_its_kind() {
        for (name, kind) in [
            ("__ubsan_handle_type_mismatch_v1_abort", Kind::Memory),
            ("__ubsan_handle_nonnull_arg", Kind::Misuse),
            ("__ubsan_handle_builtin_unreachable", Kind::Abort),
        ] {
            assert_eq!(Fake::lp64().violation(name, &[8, 0, 0]), kind, "{name}");
        }
    }
}
