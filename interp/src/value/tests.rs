use super::*;
use frontend::ir::{
    BitOp, CastKind, Float, FloatOp, FloatPredicate, FloatUnary, IntOp, IntPredicate, OverflowOp, WideOp,
};
use random::Random;
use std::cmp::Ordering;

const ROUNDS: usize = 20_000;

/// A number with interesting bits: often small, large, or near a power of two.
fn integer(random: &mut Random) -> u128 {
    let value = u128::from(random.number()) << 64 | u128::from(random.number());
    match random.below(5) {
        0 => value,
        1 => value >> random.below(128),
        2 => !(value >> random.below(128)),
        3 => 1u128.wrapping_shl(random.below(128) as u32).wrapping_add(u128::from(random.below(3))).wrapping_sub(1),
        _ => u128::from(random.below(20)),
    }
}

fn f64_bits(random: &mut Random) -> u64 {
    match random.below(6) {
        0 => random.number(),
        1 => (random.number() as i32 as f64).to_bits(),
        2 => (random.number() as i64 as f64 / 1024.0).to_bits(),
        3 => random
            .pick(&[
                0.0,
                -0.0,
                1.0,
                -1.5,
                2.5,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                f64::MIN_POSITIVE,
                f64::MAX,
                5e-324,
            ])
            .to_bits(),
        4 => (1000 + random.below(46)) << 52 | random.number() >> 12,
        _ => random.number() >> random.below(64),
    }
}

fn f32_bits(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.number() as u32,
        1 => (random.number() as i32 as f32 / 64.0).to_bits(),
        2 => random
            .pick(&[0.0, -0.0, 1.0, -1.5, 2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX])
            .to_bits(),
        _ => random.number() as u32 >> random.below(32),
    }
}

#[test]
fn small_integers_exhaustively() {
    // Widths that Rust does not have, against plain arithmetic on wide numbers.
    for width in [1u8, 3, 5] {
        let (low, high) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
        let all = 1u64 << width;
        for a in 0..all {
            for b in 0..all {
                let (x, y) = (sign_extend(width, a), sign_extend(width, b));
                assert!((low..=high).contains(&x));
                assert_eq!(truncate(width, x as u64), a);
                assert_eq!(compare(IntPredicate::Slt, width, a, b), x < y);
                assert_eq!(compare(IntPredicate::Uge, width, a, b), a >= b);
                let bits = |value: i64| value as u64 & (all - 1);
                assert_eq!(int_op(IntOp::SAddSat, width, a, b), Some(bits((x + y).clamp(low, high))));
                assert_eq!(int_op(IntOp::SSubSat, width, a, b), Some(bits((x - y).clamp(low, high))));
                assert_eq!(int_op(IntOp::UAddSat, width, a, b), Some((a + b).min(all - 1)));
                assert_eq!(int_op(IntOp::USubSat, width, a, b), Some(a.saturating_sub(b)));
                assert_eq!(int_op(IntOp::SMin, width, a, b), Some(bits(x.min(y))));
                assert_eq!(int_op(IntOp::UMax, width, a, b), Some(a.max(b)));
                for (op, exact) in [(OverflowOp::SAdd, x + y), (OverflowOp::SSub, x - y), (OverflowOp::SMul, x * y)] {
                    let expected = (bits(exact), !(low..=high).contains(&exact));
                    assert_eq!(overflow(op, width, a, b), expected, "{op:?} i{width} {x} {y}");
                    assert_eq!(overflow_wide(op, width, a.into(), b.into()), (expected.0.into(), expected.1));
                }
                let (p, q) = (a as i64, b as i64);
                for (op, exact) in [(OverflowOp::UAdd, p + q), (OverflowOp::USub, p - q), (OverflowOp::UMul, p * q)] {
                    let expected = (bits(exact), !(0..all as i64).contains(&exact));
                    assert_eq!(overflow(op, width, a, b), expected, "{op:?} i{width} {p} {q}");
                    assert_eq!(overflow_wide(op, width, a.into(), b.into()), (expected.0.into(), expected.1));
                }
                for count in 0..2 * u64::from(width) {
                    let n = count % u64::from(width);
                    let both = a << width | b;
                    assert_eq!(funnel_shift(true, width, a, b, count), (both << n) >> width & (all - 1));
                    assert_eq!(funnel_shift(false, width, a, b, count), both >> n & (all - 1));
                }
            }
        }
    }
}

#[test]
fn integers_against_rust() {
    let mut random = Random(1);
    for _ in 0..ROUNDS {
        let (a, b) = (integer(&mut random), integer(&mut random));
        let (p, q) = (a as u64, b as u64);
        let (x, y) = (p as i64, q as i64);
        let of = |(value, over): (i64, bool)| (value as u64, over);
        assert_eq!(overflow(OverflowOp::SMul, 64, p, q), of(x.overflowing_mul(y)));
        assert_eq!(overflow(OverflowOp::SAdd, 64, p, q), of(x.overflowing_add(y)));
        assert_eq!(overflow(OverflowOp::USub, 64, p, q), p.overflowing_sub(q));
        assert_eq!(overflow(OverflowOp::UMul, 64, p, q), p.overflowing_mul(q));
        assert_eq!(int_op(IntOp::SAddSat, 64, p, q), Some(x.saturating_add(y) as u64));
        assert_eq!(int_op(IntOp::SSubSat, 64, p, q), Some(x.saturating_sub(y) as u64));
        assert_eq!(int_op(IntOp::UAddSat, 64, p, q), Some(p.saturating_add(q)));
        let n = random.below(32);
        let exact = i64::from(x as i32) << n;
        let expected = exact.clamp(i32::MIN.into(), i32::MAX.into()) as u32;
        assert_eq!(int_op(IntOp::SShlSat, 32, p as u32 as u64, n), Some(expected.into()));
        assert_eq!(int_op(IntOp::UShlSat, 32, 1, 32), None);

        let wide_overflow = |(value, over): (i128, bool)| (value as u128, over);
        let (s, t) = (a as i128, b as i128);
        assert_eq!(overflow_wide(OverflowOp::SMul, 128, a, b), wide_overflow(s.overflowing_mul(t)));
        assert_eq!(overflow_wide(OverflowOp::SSub, 128, a, b), wide_overflow(s.overflowing_sub(t)));
        assert_eq!(overflow_wide(OverflowOp::UMul, 128, a, b), a.overflowing_mul(b));
        assert_eq!(wide(WideOp::Mul, 128, a, b), Ok(a.wrapping_mul(b)));
        assert_eq!(wide(WideOp::UDiv, 128, a, b), a.checked_div(b).ok_or(DivisionError::Zero));
        assert_eq!(wide(WideOp::URem, 128, a, b), a.checked_rem(b).ok_or(DivisionError::Zero));
        let signed = |result: Option<i128>| {
            let problem = if b == 0 { DivisionError::Zero } else { DivisionError::Overflow };
            result.map(|value| value as u128).ok_or(problem)
        };
        assert_eq!(wide(WideOp::SDiv, 128, a, b), signed(s.checked_div(t)));
        assert_eq!(wide(WideOp::SRem, 128, a, b), signed(s.checked_rem(t)));
        let n = random.below(128);
        assert_eq!(wide(WideOp::Shl, 128, a, n.into()), Ok(a << n));
        assert_eq!(wide(WideOp::LShr, 128, a, n.into()), Ok(a >> n));
        assert_eq!(wide(WideOp::AShr, 128, a, n.into()), Ok((s >> n) as u128));
        assert_eq!(compare_wide(IntPredicate::Sgt, 128, a, b), s > t);
        assert_eq!(compare_wide(IntPredicate::Ule, 128, a, b), a <= b);

        // 100 bits: an odd width, by shifting to the top of 128.
        let (c, d) = (mask(100, a), mask(100, b));
        let (e, f) = (sign_extend_wide(100, c), sign_extend_wide(100, d));
        assert_eq!(e, ((c << 28) as i128) >> 28);
        let (product, over) = ((c << 28) as i128).overflowing_mul(f);
        assert_eq!(overflow_wide(OverflowOp::SMul, 100, c, d), ((product as u128) >> 28, over));
        assert_eq!(wide(WideOp::AShr, 100, c, 200), Ok(mask(100, if e < 0 { u128::MAX } else { 0 })));
        assert_eq!(wide(WideOp::Shl, 100, c, 100), Ok(0));
        let smallest = 1 << 99;
        assert_eq!(wide(WideOp::SDiv, 100, smallest, mask(100, u128::MAX)), Err(DivisionError::Overflow));

        for (op, expected) in [
            (BitOp::PopCount, p.count_ones().into()),
            (BitOp::LeadingZeros, p.leading_zeros().into()),
            (BitOp::TrailingZeros, p.trailing_zeros().into()),
            (BitOp::ByteSwap, p.swap_bytes()),
            (BitOp::BitReverse, p.reverse_bits()),
            (BitOp::Abs, x.wrapping_abs() as u64),
        ] {
            assert_eq!(bits(op, 64, p), expected, "{op:?} {p:#x}");
        }
        assert_eq!(bits(BitOp::LeadingZeros, 16, p & 0xffff), (p as u16).leading_zeros().into());
        assert_eq!(bits(BitOp::TrailingZeros, 16, p & 0xffff), (p as u16).trailing_zeros().into());
        assert_eq!(bits(BitOp::ByteSwap, 32, p & 0xffff_ffff), (p as u32).swap_bytes().into());
        assert_eq!(bits(BitOp::BitReverse, 8, p & 0xff), (p as u8).reverse_bits().into());
        assert_eq!(bits(BitOp::Abs, 8, p & 0xff), (p as i8).wrapping_abs() as u8 as u64);
        assert_eq!(bits_wide(BitOp::Abs, 128, a), s.wrapping_abs() as u128);
        let n = random.below(200);
        let rotated = p.rotate_left((n % 64) as u32);
        assert_eq!(funnel_shift(true, 64, p, p, n), rotated);
        assert_eq!(funnel_shift(false, 64, p, p, n), p.rotate_right((n % 64) as u32));
    }
}

/// Equal bits, except that Rust does not promise which NaN it makes.
fn same64(ours: u128, rust: f64) -> bool {
    if rust.is_nan() { f64::from_bits(ours as u64).is_nan() } else { ours == rust.to_bits().into() }
}

fn same32(ours: u128, rust: f32) -> bool {
    if rust.is_nan() { f32::from_bits(ours as u32).is_nan() } else { ours == rust.to_bits().into() }
}

#[test]
fn floats_against_rust() {
    let mut random = Random(2);
    for _ in 0..ROUNDS {
        let (a, b) = (f64_bits(&mut random), f64_bits(&mut random));
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        for (op, expected) in [
            (FloatOp::Add, x + y),
            (FloatOp::Sub, x - y),
            (FloatOp::Mul, x * y),
            (FloatOp::Div, x / y),
            (FloatOp::Rem, x % y),
            (FloatOp::CopySign, x.copysign(y)),
            (FloatOp::Pow, x.powf(y)),
        ] {
            let ours = float(op, Float::F64, a.into(), b.into()).expect("we can do it");
            assert!(same64(ours, expected), "{op:?} {x} {y}: {ours:#x} {expected}");
        }
        let least = float(FloatOp::MinNum, Float::F64, a.into(), b.into()).expect("we can do it");
        assert!(same64(least, x.min(y)) || x == 0.0 && y == 0.0, "min {x} {y}");
        let strict = float(FloatOp::Maximum, Float::F64, a.into(), b.into()).expect("we can do it");
        let expected = if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) };
        assert!(same64(strict, expected) || x == 0.0 && y == 0.0, "maximum {x} {y}");
        for (op, expected) in [
            (FloatUnary::Neg, -x),
            (FloatUnary::Abs, x.abs()),
            (FloatUnary::Sqrt, x.sqrt()),
            (FloatUnary::Floor, x.floor()),
            (FloatUnary::Round, x.round()),
            (FloatUnary::Rint, x.round_ties_even()),
            (FloatUnary::Sin, x.sin()),
        ] {
            assert!(same64(float_unary(op, Float::F64, a.into()).expect("we can do it"), expected), "{op:?} {x}");
        }
        for (predicate, expected) in [
            (FloatPredicate::Oeq, x == y),
            (FloatPredicate::Une, x != y),
            (FloatPredicate::Olt, x < y),
            (FloatPredicate::Uge, x.partial_cmp(&y).is_none_or(Ordering::is_ge)),
            (FloatPredicate::Uno, x.is_nan() || y.is_nan()),
            (FloatPredicate::One, x.partial_cmp(&y).is_some_and(Ordering::is_ne)),
        ] {
            assert_eq!(compare_float(predicate, Float::F64, a.into(), b.into()), expected, "{predicate:?} {x} {y}");
        }
        let (c, d) = (f32_bits(&mut random), f32_bits(&mut random));
        let (z, w) = (f32::from_bits(c), f32::from_bits(d));
        let ours = float(FloatOp::Mul, Float::F32, c.into(), d.into()).expect("we can do it");
        assert!(same32(ours, z * w));
        let ours = fused_multiply_add(Float::F32, c.into(), d.into(), c.into());
        assert!(same32(ours, z.mul_add(w, z)));
        assert!(same32(float_unary(FloatUnary::Sqrt, Float::F32, c.into()).expect("we can do it"), z.sqrt()));
    }
}

#[test]
fn nans_are_those_of_the_processor() {
    let zero = 0f64.to_bits().into();
    assert_eq!(float(FloatOp::Div, Float::F64, zero, zero), Some(0xfff8_0000_0000_0000));
    assert_eq!(float(FloatOp::Add, Float::F64, 0x7ff0_0000_0000_0123, zero), Some(0x7ff8_0000_0000_0123));
    assert_eq!(float(FloatOp::Add, Float::F32, 0, 0xffc0_0007), Some(0xffc0_0007));
    assert_eq!(cast(CastKind::FloatToFloat, 32, 64, 0x7fa0_0001), Some(0x7ffc_0000_2000_0000));
    assert_eq!(cast(CastKind::FloatToFloat, 64, 80, 0xfff8_0000_0000_0001), Some(0xffff_c000_0000_0000_0800));
    assert_eq!(
        float(FloatOp::Minimum, Float::F64, 1f64.to_bits().into(), 0x7ff8_0000_0000_0005),
        Some(0x7ff8_0000_0000_0005)
    );
}

#[test]
fn casts_against_rust() {
    let mut random = Random(3);
    for _ in 0..ROUNDS {
        let bits = f64_bits(&mut random);
        let x = f64::from_bits(bits);
        let sat = |kind, to| cast(kind, 64, to, bits.into()).expect("saturating casts always succeed");
        assert_eq!(sat(CastKind::FloatToSignedSat, 32), (x as i32 as u32).into());
        assert_eq!(sat(CastKind::FloatToSignedSat, 64), (x as i64 as u64).into());
        assert_eq!(sat(CastKind::FloatToUnsignedSat, 64), (x as u64).into());
        assert_eq!(sat(CastKind::FloatToUnsignedSat, 8), (x as u8).into());
        assert_eq!(sat(CastKind::FloatToSignedSat, 128), x as i128 as u128);
        assert_eq!(sat(CastKind::FloatToUnsignedSat, 128), x as u128);
        let plain = cast(CastKind::FloatToSigned, 64, 32, bits.into());
        let fits = x.trunc() >= f64::from(i32::MIN) && x.trunc() <= f64::from(i32::MAX);
        assert_eq!(plain, fits.then_some((x as i32 as u32).into()), "{x}");
        let plain = cast(CastKind::FloatToUnsigned, 64, 16, bits.into());
        assert_eq!(plain, (x > -1.0 && x < 65536.0).then_some((x as u16).into()), "{x}");
        let narrow = cast(CastKind::FloatToFloat, 64, 32, bits.into()).expect("always possible");
        assert!(same32(narrow, x as f32));
        let single = f32_bits(&mut random);
        let wide = cast(CastKind::FloatToFloat, 32, 64, single.into()).expect("always possible");
        assert!(same64(wide, f64::from(f32::from_bits(single))));

        let n = integer(&mut random);
        let to = |kind, from, to| cast(kind, from, to, mask(from, n)).expect("always possible");
        assert_eq!(to(CastKind::SignedToFloat, 128, 64), (n as i128 as f64).to_bits().into());
        assert_eq!(to(CastKind::UnsignedToFloat, 128, 32), (n as f32).to_bits().into());
        assert_eq!(to(CastKind::SignedToFloat, 32, 32), (n as i32 as f32).to_bits().into());
        assert_eq!(to(CastKind::UnsignedToFloat, 64, 64), (n as u64 as f64).to_bits().into());
        assert_eq!(to(CastKind::WideSext, 64, 128), n as i64 as i128 as u128);
        assert_eq!(to(CastKind::WideZext, 8, 128), (n as u8).into());
        assert_eq!(to(CastKind::WideTrunc, 128, 16), (n as u16).into());
    }
}

#[test]
fn long_doubles() {
    let mut random = Random(4);
    for _ in 0..ROUNDS {
        let (a, b) = (f64_bits(&mut random), f64_bits(&mut random));
        let widen = |bits: u64| cast(CastKind::FloatToFloat, 64, 80, bits.into()).expect("always possible");
        let narrow = |bits| cast(CastKind::FloatToFloat, 80, 64, bits).expect("always possible");
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        assert!(same64(narrow(widen(a)), x), "widening is exact");
        assert_eq!(compare_float(FloatPredicate::Olt, Float::F80, widen(a), widen(b)), x < y);
        assert_eq!(
            compare_float(FloatPredicate::Ueq, Float::F80, widen(a), widen(b)),
            x.partial_cmp(&y).is_none_or(Ordering::is_eq)
        );
        let remainder = float(FloatOp::Rem, Float::F80, widen(a), widen(b)).expect("we can do it");
        assert!(same64(narrow(remainder), x % y), "{x} % {y}");
        let floor = float_unary(FloatUnary::Floor, Float::F80, widen(a)).expect("we can do it");
        assert!(same64(narrow(floor), x.floor()));
        // Products of singles are exact in both formats; so are sums of small integers.
        let (c, d) = (x as f32, y as f32);
        let product = float(FloatOp::Mul, Float::F80, widen(f64::from(c).to_bits()), widen(f64::from(d).to_bits()));
        assert!(same64(narrow(product.expect("we can do it")), f64::from(c) * f64::from(d)), "{c} * {d}");
        let (i, j) = (random.number() as i64, random.number() as i64 >> 1);
        let of = |n: i64| cast(CastKind::SignedToFloat, 64, 80, n as u64 as u128).expect("always possible");
        let back = |bits| cast(CastKind::FloatToSigned, 80, 64, bits);
        assert_eq!(back(of(i)), Some((i as u64).into()), "64 bits of fraction hold every i64");
        if let Some(sum) = i.checked_add(j) {
            assert_eq!(float(FloatOp::Add, Float::F80, of(i), of(j)), Some(of(sum)));
        }
        let quotient = float(FloatOp::Div, Float::F80, of(i), of(j)).expect("we can do it");
        if j != 0 && i % j == 0 {
            assert_eq!(quotient, of(i / j));
        }

        // Squares of 32-bit numbers have exact roots; other roots are next to the exact one.
        let n = random.number() >> 32;
        let square = cast(CastKind::UnsignedToFloat, 64, 80, (n * n).into()).expect("always possible");
        let root = float_unary(FloatUnary::Sqrt, Float::F80, square).expect("we can do it");
        assert_eq!(Some(root), cast(CastKind::UnsignedToFloat, 64, 80, n.into()));
        if x >= 0.0 && x.is_finite() {
            let root = float_unary(FloatUnary::Sqrt, Float::F80, widen(a)).expect("we can do it");
            assert_nearest_root(root, widen(a));
            assert!((narrow(root) as u64).abs_diff(x.sqrt().to_bits()) <= 1);
        }
    }
    let one_third = float(FloatOp::Div, Float::F80, 0x3fff_8000_0000_0000_0000, 0x4000_c000_0000_0000_0000);
    assert_eq!(one_third, Some(0x3ffd_aaaa_aaaa_aaaa_aaab));
    let two = 0x4000_8000_0000_0000_0000;
    assert_eq!(float_unary(FloatUnary::Sqrt, Float::F80, two), Some(0x3fff_b504_f333_f9de_6484));
    assert_eq!(float_unary(FloatUnary::Sqrt, Float::F80, 1 << 79), Some(1 << 79), "the root of -0 is -0");
    assert_eq!(float(FloatOp::Pow, Float::F80, two, two), None);
    assert_eq!(float_unary(FloatUnary::Sin, Float::F80, two), None);
}

/// A root's neighbours, one unit away, are on either side of the exact root: x lies between their squares.
fn assert_nearest_root(root: u128, x: u128) {
    if x & ((1 << 79) - 1) == 0 {
        assert_eq!(root, x, "the root of a zero is that zero");
        return;
    }
    let square_minus_x = |r: u128| {
        let minus_x = x ^ 1 << 79;
        fused_multiply_add(Float::F80, r, r, minus_x)
    };
    let negative = |bits: u128| bits >> 79 != 0 && bits & ((1 << 79) - 1) != 0;
    // The numbers next to it; the leading bit of the fraction is stored.
    let before = if root as u64 == 1 << 63 { (root - (1 << 64)) | u128::from(u64::MAX) } else { root - 1 };
    let after = if root as u64 == u64::MAX { ((root >> 64) + 1) << 64 | 1 << 63 } else { root + 1 };
    assert!(negative(square_minus_x(before)), "{root:#x} is too large for {x:#x}");
    assert!(!negative(square_minus_x(after)), "{root:#x} is too small for {x:#x}");
}
