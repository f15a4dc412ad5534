//! Mathematics. Results are those of the mathematical library that this program itself runs with.
use crate::args::{Done, double, float, int, return_double, return_float, return_int, return_long, return_word, word};
use crate::errno::{self, EDOM, ERANGE};
use crate::table::Family;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::of("mathematics");
const HOST: &str = "as computed by the host's mathematical library";

/// The `double` and the `float` form of a function of one argument.
macro_rules! one {
    ($(($name:literal, $note:expr, $method:ident)),* $(,)?) => {
        &[$(
            FAMILY.noted($name, $note, |c| double_of_one(c, f64::$method)),
            FAMILY.noted(concat!($name, "f"), $note, |c| float_of_one(c, f32::$method)),
        )*]
    };
}

/// The same for two arguments.
macro_rules! two {
    ($(($name:literal, $note:expr, $double:expr, $float:expr)),* $(,)?) => {
        &[$(
            FAMILY.noted($name, $note, |c| double_of_two(c, $double)),
            FAMILY.noted(concat!($name, "f"), $note, |c| float_of_two(c, $float)),
        )*]
    };
}

/// Functions of one argument.
pub(crate) const OF_ONE: &[Registered] = one![
    ("sqrt", "", sqrt),
    ("fabs", "", abs),
    ("floor", "", floor),
    ("ceil", "", ceil),
    ("trunc", "", trunc),
    ("round", "", round),
    ("rint", "", round_ties_even),
    ("nearbyint", "", round_ties_even),
    ("roundeven", "", round_ties_even),
    ("cbrt", HOST, cbrt),
    ("sin", HOST, sin),
    ("cos", HOST, cos),
    ("tan", HOST, tan),
    ("asin", HOST, asin),
    ("acos", HOST, acos),
    ("atan", HOST, atan),
    ("sinh", HOST, sinh),
    ("cosh", HOST, cosh),
    ("tanh", HOST, tanh),
    ("exp", HOST, exp),
    ("exp2", HOST, exp2),
    ("expm1", HOST, exp_m1),
    ("log", HOST, ln),
    ("log2", HOST, log2),
    ("log10", HOST, log10),
    ("log1p", HOST, ln_1p),
];

/// Functions of two arguments.
pub(crate) const OF_TWO: &[Registered] = two![
    ("fmod", "", |a, b| a % b, |a, b| a % b),
    ("fmin", "", f64::min, f32::min),
    ("fmax", "", f64::max, f32::max),
    ("fdim", "", |a, b| if a <= b { 0.0 } else { a - b }, |a, b| if a <= b { 0.0 } else { a - b }),
    ("copysign", "", f64::copysign, f32::copysign),
    ("pow", HOST, f64::powf, f32::powf),
    ("atan2", HOST, f64::atan2, f32::atan2),
    ("hypot", HOST, f64::hypot, f32::hypot),
];

/// Everything else.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("fma", |c| return_double(double(c, 0)?.mul_add(double(c, 1)?, double(c, 2)?))),
    FAMILY.plain("fmaf", |c| return_float(float(c, 0)?.mul_add(float(c, 1)?, float(c, 2)?))),
    FAMILY.plain("ldexp", ldexp),
    FAMILY.plain("ldexpf", ldexpf),
    FAMILY.plain("scalbn", ldexp),
    FAMILY.plain("scalbnf", ldexpf),
    FAMILY.plain("frexp", frexp),
    FAMILY.plain("frexpf", frexpf),
    FAMILY.plain("ilogb", |c| ilogb(c, double)),
    FAMILY.plain("ilogbf", |c| ilogb(c, widened)),
    FAMILY.plain("logb", |c| return_double(logb(c, double)?)),
    FAMILY.plain("logbf", |c| return_float(logb(c, widened)? as f32)),
    FAMILY.plain("modf", modf),
    FAMILY.plain("modff", modff),
    FAMILY.plain("lround", |c| to_long(c, double, f64::round)),
    FAMILY.plain("lroundf", |c| to_long(c, widened, f64::round)),
    FAMILY.plain("lrint", |c| to_long(c, double, f64::round_ties_even)),
    FAMILY.plain("lrintf", |c| to_long(c, widened, f64::round_ties_even)),
    FAMILY.plain("llround", |c| to_long_long(c, double, f64::round)),
    FAMILY.plain("llroundf", |c| to_long_long(c, widened, f64::round)),
    FAMILY.plain("llrint", |c| to_long_long(c, double, f64::round_ties_even)),
    FAMILY.plain("llrintf", |c| to_long_long(c, widened, f64::round_ties_even)),
    FAMILY.plain("isnan", |c| return_int(i32::from(double(c, 0)?.is_nan()))),
    FAMILY.plain("__isnan", |c| return_int(i32::from(double(c, 0)?.is_nan()))),
    FAMILY.plain("__isnanf", |c| return_int(i32::from(float(c, 0)?.is_nan()))),
    FAMILY.plain("isinf", |c| return_int(infinite(double(c, 0)?))),
    FAMILY.plain("__isinf", |c| return_int(infinite(double(c, 0)?))),
    FAMILY.plain("__isinff", |c| return_int(infinite(f64::from(float(c, 0)?)))),
    FAMILY.plain("finite", |c| return_int(i32::from(double(c, 0)?.is_finite()))),
    FAMILY.plain("__finite", |c| return_int(i32::from(double(c, 0)?.is_finite()))),
    FAMILY.plain("__finitef", |c| return_int(i32::from(float(c, 0)?.is_finite()))),
    FAMILY.plain("__signbit", |c| return_int(i32::from(double(c, 0)?.is_sign_negative()))),
    FAMILY.plain("__signbitf", |c| return_int(i32::from(float(c, 0)?.is_sign_negative()))),
    FAMILY.plain("__fpclassify", |c| return_int(classify(double(c, 0)?.classify()))),
    FAMILY.plain("__fpclassifyf", |c| return_int(classify(float(c, 0)?.classify()))),
];

/// Sets `errno` as glibc does it: a NaN out of numbers is a domain error, an infinity or a vanishing result out of
/// finite numbers a range error.
fn report(call: &mut dyn Call, arguments: &[f64], result: f64) -> Result<(), ModelError> {
    let finite = arguments.iter().all(|a| a.is_finite());
    if result.is_nan() && !arguments.iter().any(|a| a.is_nan()) {
        errno::set(call, EDOM)
    } else if finite && (result.is_infinite() || result == 0.0 && vanishes(call.name())) {
        errno::set(call, ERANGE)
    } else {
        Ok(())
    }
}

/// Whether a result of 0 can only come from numbers too small to represent (for the arguments that give exactly 0,
/// `pow(0, …)`, see [`double_of_two`]).
fn vanishes(name: &str) -> bool {
    matches!(name, "exp" | "expf" | "exp2" | "exp2f" | "pow" | "powf")
}

fn double_of_one(call: &mut dyn Call, function: fn(f64) -> f64) -> Done {
    let argument = double(call, 0)?;
    let result = function(argument);
    report(call, &[argument], result)?;
    return_double(result)
}

fn float_of_one(call: &mut dyn Call, function: fn(f32) -> f32) -> Done {
    let argument = float(call, 0)?;
    let result = function(argument);
    report(call, &[f64::from(argument)], f64::from(result))?;
    return_float(result)
}

fn double_of_two(call: &mut dyn Call, function: fn(f64, f64) -> f64) -> Done {
    let (a, b) = (double(call, 0)?, double(call, 1)?);
    let result = function(a, b);
    if result != 0.0 || a != 0.0 {
        report(call, &[a, b], result)?;
    }
    return_double(result)
}

fn float_of_two(call: &mut dyn Call, function: fn(f32, f32) -> f32) -> Done {
    let (a, b) = (float(call, 0)?, float(call, 1)?);
    let result = function(a, b);
    if result != 0.0 || a != 0.0 {
        report(call, &[f64::from(a), f64::from(b)], f64::from(result))?;
    }
    return_float(result)
}

/// x·2^n, rounded once.
fn scale(mut x: f64, n: i32) -> f64 {
    let mut n = n.clamp(-4000, 4000);
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    while n > 1023 {
        x *= power(1023);
        n -= 1023;
    }
    // Steps down keep 53 bits of room, so that only the last one can round.
    while n < -1022 {
        x *= power(-1022 + 53);
        n += 1022 - 53;
    }
    x * power(n)
}

fn ldexp(call: &mut dyn Call) -> Done {
    let (x, n) = (double(call, 0)?, int(call, 1)?);
    let result = scale(x, n);
    if x.is_finite() && x != 0.0 && (result.is_infinite() || result == 0.0) {
        errno::set(call, ERANGE)?;
    }
    return_double(result)
}

/// (A `double` has room for all that a `float` can become before it is rounded.)
fn ldexpf(call: &mut dyn Call) -> Done {
    let (x, n) = (float(call, 0)?, int(call, 1)?);
    let result = scale(f64::from(x), n) as f32;
    if x.is_finite() && x != 0.0 && (result.is_infinite() || result == 0.0) {
        errno::set(call, ERANGE)?;
    }
    return_float(result)
}

/// An argument that is a `float`.
fn widened(call: &mut dyn Call, index: usize) -> Result<f64, ModelError> {
    Ok(f64::from(float(call, index)?))
}

/// A fraction in [1/2, 1) and an exponent.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * 2_f64.powi(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - shift)
}

fn frexp(call: &mut dyn Call) -> Done {
    let (x, result) = (double(call, 0)?, word(call, 1)?);
    let (fraction, exponent) = split(x);
    call.store(result, 4, u64::from(exponent as u32))?;
    return_double(fraction)
}

fn frexpf(call: &mut dyn Call) -> Done {
    let (x, result) = (float(call, 0)?, word(call, 1)?);
    let (fraction, exponent) = split(f64::from(x));
    call.store(result, 4, u64::from(exponent as u32))?;
    return_float(fraction as f32)
}

/// The exponent as the number is written with one digit before the point. What has none is told apart by glibc on x86
/// in this way.
fn ilogb(call: &mut dyn Call, argument: Argument) -> Done {
    let x = argument(call, 0)?;
    if x == 0.0 || !x.is_finite() {
        errno::set(call, EDOM)?;
        return return_int(if x.is_infinite() { i32::MAX } else { i32::MIN });
    }
    return_int(split(x).1 - 1)
}

/// The same as a number. (That 0 has none sets no `errno` in glibc.)
fn logb(call: &mut dyn Call, argument: Argument) -> Result<f64, ModelError> {
    let x = argument(call, 0)?;
    if x == 0.0 {
        return Ok(f64::NEG_INFINITY);
    }
    // (The square of a NaN is that NaN, and that of an infinity the positive one.)
    Ok(if x.is_finite() { f64::from(split(x).1 - 1) } else { x * x })
}

fn modf(call: &mut dyn Call) -> Done {
    let (x, result) = (double(call, 0)?, word(call, 1)?);
    call.store(result, 8, x.trunc().to_bits())?;
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    return_double(fraction.copysign(x))
}

fn modff(call: &mut dyn Call) -> Done {
    let (x, result) = (float(call, 0)?, word(call, 1)?);
    call.store(result, 4, u64::from(x.trunc().to_bits()))?;
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    return_float(fraction.copysign(x))
}

/// Reads an argument of a function that has a form for `double` and one for `float`.
type Argument = fn(&mut dyn Call, usize) -> Result<f64, ModelError>;

fn to_long(call: &mut dyn Call, argument: Argument, round: fn(f64) -> f64) -> Done {
    let bits = 8 * call.pointer_bytes() as i32;
    let value = rounded(call, argument, round, bits)?;
    return_long(call, value)
}

fn to_long_long(call: &mut dyn Call, argument: Argument, round: fn(f64) -> f64) -> Done {
    let value = rounded(call, argument, round, 64)?;
    return_word(value as u64)
}

fn rounded(call: &mut dyn Call, argument: Argument, round: fn(f64) -> f64, bits: i32) -> Result<i64, ModelError> {
    let value = round(argument(call, 0)?);
    let limit = 2_f64.powi(bits - 1);
    if (-limit..limit).contains(&value) {
        return Ok(value as i64);
    }
    Err(ModelError::Unknown(format!("{} of a number that does not fit", call.name())))
}

/// glibc's functions tell the infinities apart.
fn infinite(x: f64) -> i32 {
    match x {
        f64::INFINITY => 1,
        f64::NEG_INFINITY => -1,
        _ => 0,
    }
}

fn classify(class: std::num::FpCategory) -> i32 {
    match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scale(1.0, -1074), f64::from_bits(1));
        assert_eq!(scale(1.5, -1074), f64::from_bits(2));
        assert_eq!(scale(1.0, -1075), 0.0);
        assert_eq!(scale(f64::from_bits(1), 1074), 1.0);
        assert_eq!(scale(1.0, 1024), f64::INFINITY);
        assert_eq!(scale(f64::from_bits(1), 2097), 2_f64.powi(1023));
        // 0x1.8000000000001p-1074·…: a tie must not be rounded twice.
        assert_eq!(scale(f64::from_bits(0x3ff8_0000_0000_0001), -1074), f64::from_bits(2));
        assert_eq!(scale(f64::from_bits(0x3ff0_0000_0000_0001), -1075), f64::from_bits(1));
    }

    #[test]
    fn splitting() {
        assert_eq!(split(8.0), (0.5, 4));
        assert_eq!(split(-0.75), (-0.75, 0));
        assert_eq!(split(f64::from_bits(1)), (0.5, -1073));
        assert_eq!(split(0.0), (0.0, 0));
    }
}
