//! The calls of libatomic, which clang makes for atomics that it does not turn into instructions.
use crate::args::{Done, int, return_int, return_word, two_words, void, word, zero_extend};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult, Outcome, Registered};
use interp::operation::{Operation, Ordering, RmwOp};

const FAMILY: Family = Family::of("atomics");
const SIZES: &str = "sizes 1, 2, 4, 8 and 16; others are unknown";

/// One entry for each of the five sizes, and the names of the functions.
macro_rules! sized {
    ($($prefix:literal => $model:expr),* $(,)?) => {
        &[
            $(
                FAMILY.plain(concat!($prefix, "_1"), |c| $model(c, 1)),
                FAMILY.plain(concat!($prefix, "_2"), |c| $model(c, 2)),
                FAMILY.plain(concat!($prefix, "_4"), |c| $model(c, 4)),
                FAMILY.plain(concat!($prefix, "_8"), |c| $model(c, 8)),
                FAMILY.plain(concat!($prefix, "_16"), |c| $model(c, 16)),
            )*
        ]
    };
}

/// The forms without a size in their name.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("__atomic_load", SIZES, load_generic),
    FAMILY.noted("__atomic_store", SIZES, store_generic),
    FAMILY.noted("__atomic_exchange", SIZES, exchange_generic),
    FAMILY.noted("__atomic_compare_exchange", SIZES, compare_exchange_generic),
    FAMILY.plain("__atomic_is_lock_free", is_lock_free),
    FAMILY.plain("__atomic_test_and_set", test_and_set),
    FAMILY.plain("__atomic_clear", clear),
    FAMILY.plain("atomic_flag_test_and_set", test_and_set),
    FAMILY.plain("atomic_flag_test_and_set_explicit", test_and_set),
    FAMILY.plain("atomic_flag_clear", clear),
    FAMILY.plain("atomic_flag_clear_explicit", clear),
];

/// The forms with a size in their name.
pub(crate) const SIZED: &[Registered] = sized![
    "__atomic_load" => load,
    "__atomic_store" => store,
    "__atomic_exchange" => |c, n| rmw(c, n, RmwOp::Xchg),
    "__atomic_compare_exchange" => compare_exchange,
    "__atomic_fetch_add" => |c, n| rmw(c, n, RmwOp::Add),
    "__atomic_fetch_sub" => |c, n| rmw(c, n, RmwOp::Sub),
    "__atomic_fetch_and" => |c, n| rmw(c, n, RmwOp::And),
    "__atomic_fetch_or" => |c, n| rmw(c, n, RmwOp::Or),
    "__atomic_fetch_xor" => |c, n| rmw(c, n, RmwOp::Xor),
    "__atomic_fetch_nand" => |c, n| rmw(c, n, RmwOp::Nand),
    "__atomic_add_fetch" => |c, n| then_new(rmw(c, n, RmwOp::Add)?, |c, o| new_value(c, o, u128::wrapping_add)),
    "__atomic_sub_fetch" => |c, n| then_new(rmw(c, n, RmwOp::Sub)?, |c, o| new_value(c, o, u128::wrapping_sub)),
    "__atomic_and_fetch" => |c, n| then_new(rmw(c, n, RmwOp::And)?, |c, o| new_value(c, o, |a, b| a & b)),
    "__atomic_or_fetch" => |c, n| then_new(rmw(c, n, RmwOp::Or)?, |c, o| new_value(c, o, |a, b| a | b)),
    "__atomic_xor_fetch" => |c, n| then_new(rmw(c, n, RmwOp::Xor)?, |c, o| new_value(c, o, |a, b| a ^ b)),
    "__atomic_nand_fetch" => |c, n| then_new(rmw(c, n, RmwOp::Nand)?, |c, o| new_value(c, o, |a, b| !(a & b))),
];

/// What an access may be asked to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Load,
    Store,
    Both,
}

/// The memory order in argument `index`; sequentially consistent if there is no such argument.
fn ordering(call: &mut dyn Call, index: usize, role: Role) -> Result<Ordering, ModelError> {
    if index >= call.arguments() {
        return Ok(Ordering::SeqCst);
    }
    // The upper bits are hints for lock elision.
    let number = int(call, index)? & 0xffff;
    let order = match number {
        0 => Ordering::Relaxed,
        1 | 2 => Ordering::Acquire,
        3 => Ordering::Release,
        4 => Ordering::AcqRel,
        5 => Ordering::SeqCst,
        _ => return Err(call.fault(Kind::Misuse, format!("{number} is not a memory order"))),
    };
    let wrong = match role {
        Role::Load => matches!(order, Ordering::Release | Ordering::AcqRel),
        Role::Store => matches!(order, Ordering::Acquire | Ordering::AcqRel),
        Role::Both => false,
    };
    if wrong {
        let name = call.name().to_owned();
        return Err(call.fault(Kind::Misuse, format!("memory order {number} is not allowed for `{name}`")));
    }
    Ok(order)
}

/// The size in the first argument of a generic call.
fn generic_size(call: &mut dyn Call) -> Result<u8, ModelError> {
    match word(call, 0)? {
        size @ (1 | 2 | 4 | 8 | 16) => Ok(size as u8),
        size => Err(ModelError::Unknown(format!("atomic access of {size} bytes through {}", call.name()))),
    }
}

/// The value of `size` bytes at an address, read as plain memory, and its undefined bits: padding has any.
fn read(call: &mut dyn Call, address: u64, size: u8) -> Result<([u64; 2], [u64; 2]), ModelError> {
    let low = call.load_partly(address, u64::from(size.min(8)))?;
    let high = if size == 16 { call.load_partly(address + 8, 8)? } else { (0, 0) };
    Ok(([low.0, high.0], [low.1, high.1]))
}

/// Writes what came out of an access of `size` bytes.
fn write(call: &mut dyn Call, address: u64, size: u8, outcome: Outcome) -> Result<(), ModelError> {
    let Outcome { value, undefined, .. } = outcome;
    call.store_partly(address, u64::from(size.min(8)), value[0], undefined[0])?;
    if size == 16 { call.store_partly(address + 8, 8, value[1], undefined[1]) } else { Ok(()) }
}

/// A value argument of `size` bytes.
fn value(call: &mut dyn Call, index: usize, size: u8) -> Result<[u64; 2], ModelError> {
    match size {
        16 => two_words(call, index),
        _ => Ok([zero_extend(word(call, index)?, u64::from(size)), 0]),
    }
}

/// load(address, order).
fn load(call: &mut dyn Call, size: u8) -> Done {
    let address = word(call, 0)?;
    let ordering = ordering(call, 1, Role::Load)?;
    Ok(ModelResult::Operate(Operation::AtomicLoad { address, size, ordering }))
}

/// load(size, address, result, order).
fn load_generic(call: &mut dyn Call) -> Done {
    let size = generic_size(call)?;
    let address = word(call, 1)?;
    let ordering = ordering(call, 3, Role::Load)?;
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let (size, result) = (generic_size(call)?, word(call, 2)?);
        write(call, result, size, outcome)?;
        void()
    };
    Ok(ModelResult::Then { operation: Operation::AtomicLoad { address, size, ordering }, finish })
}

/// store(address, value, order).
fn store(call: &mut dyn Call, size: u8) -> Done {
    let (address, value) = (word(call, 0)?, value(call, 1, size)?);
    let (ordering, undefined) = (ordering(call, 2, Role::Store)?, [0; 2]);
    Ok(ModelResult::Operate(Operation::AtomicStore { address, size, ordering, value, undefined }))
}

/// store(size, address, value's address, order).
fn store_generic(call: &mut dyn Call) -> Done {
    let size = generic_size(call)?;
    let (address, from) = (word(call, 1)?, word(call, 2)?);
    let ordering = ordering(call, 3, Role::Store)?;
    let (value, undefined) = read(call, from, size)?;
    Ok(ModelResult::Operate(Operation::AtomicStore { address, size, ordering, value, undefined }))
}

/// fetch_op(address, value, order): the old value.
fn rmw(call: &mut dyn Call, size: u8, op: RmwOp) -> Done {
    let (address, value) = (word(call, 0)?, value(call, 1, size)?);
    let (ordering, undefined) = (ordering(call, 2, Role::Both)?, [0; 2]);
    Ok(ModelResult::Operate(Operation::AtomicRmw { op, address, size, ordering, unused: false, value, undefined }))
}

/// op_fetch(address, value, order): the same with the new value.
fn then_new(effect: ModelResult, finish: interp::hooks::Finish) -> Done {
    match effect {
        ModelResult::Operate(operation) => Ok(ModelResult::Then { operation, finish }),
        other => Ok(other),
    }
}

fn new_value(call: &mut dyn Call, outcome: Outcome, op: fn(u128, u128) -> u128) -> Done {
    // The name ends in the size.
    let size = call.name().rsplit('_').next().and_then(|s| s.parse::<u8>().ok()).unwrap_or(16);
    let wide = |[low, high]: [u64; 2]| u128::from(high) << 64 | u128::from(low);
    let new = op(wide(outcome.value), wide(value(call, 1, size)?));
    let bytes = u64::from(size.min(8));
    let high = if size == 16 { (new >> 64) as u64 } else { 0 };
    Ok(ModelResult::Return([zero_extend(new as u64, bytes), high]))
}

/// exchange(size, address, value's address, result, order).
fn exchange_generic(call: &mut dyn Call) -> Done {
    let size = generic_size(call)?;
    let (address, from) = (word(call, 1)?, word(call, 2)?);
    let ordering = ordering(call, 4, Role::Both)?;
    let (value, undefined) = read(call, from, size)?;
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let (size, result) = (generic_size(call)?, word(call, 3)?);
        write(call, result, size, outcome)?;
        void()
    };
    let op = RmwOp::Xchg;
    let operation = Operation::AtomicRmw { op, address, size, ordering, unused: false, value, undefined };
    Ok(ModelResult::Then { operation, finish })
}

/// compare_exchange(address, expected's address, value, order, order): whether it took place.
fn compare_exchange(call: &mut dyn Call, size: u8) -> Done {
    let (address, expected) = (word(call, 0)?, word(call, 1)?);
    let new = value(call, 2, size)?;
    let (success, failure) = (ordering(call, 3, Role::Both)?, ordering(call, 4, Role::Load)?);
    let (expected, padding) = read(call, expected, size)?;
    let undefined = [padding, [0; 2]];
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let size = call.name().rsplit('_').next().and_then(|s| s.parse::<u8>().ok()).unwrap_or(16);
        report_exchange(call, 1, size, outcome)
    };
    Ok(ModelResult::Then {
        operation: Operation::CompareExchange { address, size, success, failure, expected, new, undefined },
        finish,
    })
}

/// compare_exchange(size, address, expected's address, value's address, order, order): whether it took place.
fn compare_exchange_generic(call: &mut dyn Call) -> Done {
    let size = generic_size(call)?;
    let (address, expected, new) = (word(call, 1)?, word(call, 2)?, word(call, 3)?);
    let (success, failure) = (ordering(call, 4, Role::Both)?, ordering(call, 5, Role::Load)?);
    let ((expected, first), (new, second)) = (read(call, expected, size)?, read(call, new, size)?);
    let undefined = [first, second];
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let size = generic_size(call)?;
        report_exchange(call, 2, size, outcome)
    };
    Ok(ModelResult::Then {
        operation: Operation::CompareExchange { address, size, success, failure, expected, new, undefined },
        finish,
    })
}

/// A failed exchange stores what it found where the expected value was.
fn report_exchange(call: &mut dyn Call, expected: usize, size: u8, outcome: Outcome) -> Done {
    if !outcome.success {
        let address = word(call, expected)?;
        write(call, address, size, outcome)?;
    }
    return_int(i32::from(outcome.success))
}

/// is_lock_free(size, address), as x86 has it.
fn is_lock_free(call: &mut dyn Call) -> Done {
    let size = word(call, 0)?;
    return_word(u64::from(matches!(size, 1 | 2 | 4 | 8)))
}

/// test_and_set(address, order): whether it was set.
fn test_and_set(call: &mut dyn Call) -> Done {
    let address = word(call, 0)?;
    let ordering = ordering(call, 1, Role::Both)?;
    let (op, undefined) = (RmwOp::Xchg, [0; 2]);
    let operation = Operation::AtomicRmw { op, address, size: 1, ordering, unused: false, value: [1, 0], undefined };
    let finish = |call: &mut dyn Call, outcome: Outcome| match outcome.undefined[0] {
        0 => return_word(u64::from(outcome.value[0] != 0)),
        _ => Err(call.fault(Kind::Uninitialised, "a flag is tested that was never written".into())),
    };
    Ok(ModelResult::Then { operation, finish })
}

/// clear(address, order).
fn clear(call: &mut dyn Call) -> Done {
    let address = word(call, 0)?;
    let ordering = ordering(call, 1, Role::Store)?;
    Ok(ModelResult::Operate(Operation::AtomicStore { address, size: 1, ordering, value: [0, 0], undefined: [0; 2] }))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::fault::Kind;
    use interp::hooks::{Call, ModelError};
    use interp::operation::{Operation, Ordering, RmwOp};

    #[test]
    fn sized_forms() {
        let mut fake = Fake::lp64();
        let load = Operation::AtomicLoad { address: 64, size: 4, ordering: Ordering::Acquire };
        assert_eq!(fake.operation("__atomic_load_4", &[64, 1]), load);
        assert_eq!(fake.operation("__atomic_load_4", &[64, 2]), load);
        let (ordering, value, undefined) = (Ordering::Release, [0xff, 0], [0; 2]);
        let store = Operation::AtomicStore { address: 64, size: 1, ordering, value, undefined };
        assert_eq!(fake.operation("__atomic_store_1", &[64, 0x1ff, 3]), store);
        for (function, argument) in [("__atomic_load_8", 3), ("__atomic_load_8", 4), ("__atomic_load_8", 6)] {
            assert_eq!(fake.violation(function, &[64, argument]), Kind::Misuse);
        }
        assert_eq!(fake.violation("__atomic_store_8", &[64, 0, 2]), Kind::Misuse);
    }

    #[test]
    fn arithmetic() {
        let mut fake = Fake::lp64();
        let (op, ordering, value, undefined) = (RmwOp::Sub, Ordering::SeqCst, [5, 0], [0; 2]);
        let sub = Operation::AtomicRmw { op, address: 64, size: 2, ordering, unused: false, value, undefined };
        assert_eq!(fake.operation("__atomic_fetch_sub_2", &[64, 5, 5]), sub);
        assert_eq!(fake.operation("__atomic_sub_fetch_2", &[64, 5, 5]), sub);
        assert_eq!(fake.finish("__atomic_sub_fetch_2", &[64, 5, 5], [3, 0], true), [0xfffe, 0]);
        assert_eq!(fake.finish("__atomic_nand_fetch_1", &[64, 6, 5], [3, 0], true), [0xfd, 0]);
        assert_eq!(fake.finish("__atomic_add_fetch_16", &[64, 1, 5], [u64::MAX, 0], true), [0, 1]);
        assert_eq!(fake.finish("__atomic_test_and_set", &[64, 5], [0, 0], true), [0, 0]);
        assert_eq!(fake.finish("__atomic_test_and_set", &[64, 5], [1, 0], true), [1, 0]);
    }

    #[test]
    fn generic_forms() {
        let mut fake = Fake::lp64();
        let (from, to) = (fake.bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0]), fake.object(16));
        let operation = fake.operation("__atomic_exchange", &[16, 64, from, to, 5]);
        let (op, ordering, value) = (RmwOp::Xchg, Ordering::SeqCst, [0x0807_0605_0403_0201, 9]);
        let undefined = [0; 2];
        let wanted = Operation::AtomicRmw { op, address: 64, size: 16, ordering, unused: false, value, undefined };
        assert_eq!(operation, wanted);
        fake.finish("__atomic_exchange", &[16, 64, from, to, 5], [7, 8], true);
        assert_eq!(fake.load(to, 8), Ok(7));
        assert_eq!(fake.load(to + 8, 8), Ok(8));
        fake.finish("__atomic_load", &[4, 64, to, 0], [0x55, 0], true);
        assert_eq!(fake.load(to, 8), Ok(0x55));
        let odd = fake.call("__atomic_load", &[3.into(), 64.into(), to.into(), 5.into()]);
        assert!(matches!(odd, Err(ModelError::Unknown(_))));
    }

    #[test]
    fn exchanges() {
        let mut fake = Fake::lp64();
        let place = fake.bytes(&[1, 0, 0, 0]);
        let arguments = [64, place, 2, 4, 0];
        let operation = fake.operation("__atomic_compare_exchange_4", &arguments);
        let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
        let (expected, new, undefined) = ([1, 0], [2, 0], [[0; 2]; 2]);
        let wanted = Operation::CompareExchange { address: 64, size: 4, success, failure, expected, new, undefined };
        assert_eq!(operation, wanted);
        assert_eq!(fake.finish("__atomic_compare_exchange_4", &arguments, [1, 0], true), [1, 0]);
        assert_eq!(fake.int_at(place), 1);
        assert_eq!(fake.finish("__atomic_compare_exchange_4", &arguments, [9, 0], false), [0, 0]);
        assert_eq!(fake.int_at(place), 9);
        let new = fake.bytes(&[3, 0, 0, 0]);
        let arguments = [4, 64, place, new, 5, 5];
        assert_eq!(fake.finish("__atomic_compare_exchange", &arguments, [11, 0], false), [0, 0]);
        assert_eq!(fake.int_at(place), 11);
    }
}
