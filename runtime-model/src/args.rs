//! Reading arguments and making results, with the sign and the width that C gives them.
use interp::fault::Kind;
use interp::hooks::{Call, Data, ModelError, ModelResult};

/// What every model returns.
pub(crate) type Done = Result<ModelResult, ModelError>;

/// An argument as it was passed: a pointer, a `size_t`, or an integer of up to 64 bits, zero-extended.
pub(crate) fn word(call: &mut dyn Call, index: usize) -> Result<u64, ModelError> {
    if index >= call.arguments() {
        let message = format!("`{}` is called with {} arguments only", call.name(), call.arguments());
        return Err(call.fault(Kind::Misuse, message));
    }
    call.initialised_argument(index)
}

/// Both words of an argument: `long double` and `__int128`.
pub(crate) fn two_words(call: &mut dyn Call, index: usize) -> Result<[u64; 2], ModelError> {
    Ok([word(call, index)?, call.argument_word(index, 1)])
}

/// An `int`.
pub(crate) fn int(call: &mut dyn Call, index: usize) -> Result<i32, ModelError> {
    Ok(word(call, index)? as u32 as i32)
}

/// A `long`.
pub(crate) fn long(call: &mut dyn Call, index: usize) -> Result<i64, ModelError> {
    let value = word(call, index)?;
    Ok(sign_extend(value, call.pointer_bytes()))
}

/// An argument of so many bits, which may depend on inputs.
pub(crate) fn data(call: &mut dyn Call, index: usize, bits: u8) -> Result<Data, ModelError> {
    if index >= call.arguments() {
        return word(call, index).map(|value| Data::known(value.into(), bits));
    }
    call.argument_data(index, bits)
}

/// An argument that is the length of ranges at these addresses, all of which will be accessed.
pub(crate) fn length(call: &mut dyn Call, index: usize, places: &[u64]) -> Result<u64, ModelError> {
    if index >= call.arguments() {
        return word(call, index);
    }
    call.length_of_ranges(index, places)
}

/// A result that may depend on inputs.
pub(crate) fn return_data(data: Data) -> Done {
    Ok(match data {
        Data::Known(value, _) => ModelResult::value(value as u64),
        Data::Term(..) => ModelResult::Data(data),
    })
}

/// A `double`.
pub(crate) fn double(call: &mut dyn Call, index: usize) -> Result<f64, ModelError> {
    word(call, index).map(f64::from_bits)
}

/// A `float`.
pub(crate) fn float(call: &mut dyn Call, index: usize) -> Result<f32, ModelError> {
    Ok(f32::from_bits(word(call, index)? as u32))
}

/// The signed number in the low `bytes` of `value`.
pub(crate) fn sign_extend(value: u64, bytes: u64) -> i64 {
    let unused = 64 - 8 * bytes as u32;
    ((value << unused) as i64) >> unused
}

/// The low `bytes` of `value`.
pub(crate) fn zero_extend(value: u64, bytes: u64) -> u64 {
    let unused = 64 - 8 * bytes as u32;
    (value << unused) >> unused
}

/// No result.
pub(crate) fn void() -> Done {
    Ok(ModelResult::value(0))
}

/// A result of type `int`.
pub(crate) fn return_int(value: i32) -> Done {
    Ok(ModelResult::value(u64::from(value as u32)))
}

/// A pointer, a `size_t`, or bits that already have the width of the result.
pub(crate) fn return_word(value: u64) -> Done {
    Ok(ModelResult::value(value))
}

/// A result of type `long`.
pub(crate) fn return_long(call: &dyn Call, value: i64) -> Done {
    Ok(ModelResult::value(zero_extend(value as u64, call.pointer_bytes())))
}

/// A result of type `double`.
pub(crate) fn return_double(value: f64) -> Done {
    Ok(ModelResult::value(value.to_bits()))
}

/// A result of type `float`.
pub(crate) fn return_float(value: f32) -> Done {
    Ok(ModelResult::value(u64::from(value.to_bits())))
}

/// A model of functions that have no effect here and return 0.
pub(crate) fn succeeds(_call: &mut dyn Call) -> Done {
    return_int(0)
}
