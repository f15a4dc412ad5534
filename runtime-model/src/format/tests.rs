//! The engine against what glibc's printf printed natively, and its two kinds of sources.
use super::shown;
use crate::testing::{Fake, Value};
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult, Shown};

/// Lines `type|format|argument|output`. Types: `i` int, `l` 64-bit integer, `d` double, `L` long double as mantissa and
/// exponent (all as hexadecimal bits), `s` string. Written by a native program with random directives.
const TABLE: &str = include_str!("table.txt");

fn value(fake: &mut Fake, kind: &str, text: &str) -> Value {
    let bits = |text: &str| u64::from_str_radix(text, 16).unwrap();
    match kind {
        "s" => fake.string(text).into(),
        "L" => {
            let (mantissa, exponent) = text.split_once(':').unwrap();
            Value::Words([bits(mantissa), bits(exponent)])
        }
        _ => bits(text).into(),
    }
}

/// What `sprintf` writes.
fn sprintf(fake: &mut Fake, format: &str, values: &[Value]) -> String {
    let (buffer, format) = (fake.object(8000), fake.known_string(format));
    let mut arguments: Vec<Value> = vec![buffer.into(), format.into()];
    arguments.extend_from_slice(values);
    let result = fake.call("sprintf", &arguments);
    let text = fake.text(buffer);
    assert!(matches!(result, Ok(ModelResult::Return([len, 0])) if len == text.len() as u64), "{result:?}");
    text
}

#[test]
fn native_results() {
    let mut lines = 0;
    for line in TABLE.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [kind, format, argument, expected] = parts[..] else { panic!("bad line {line}") };
        // (On terms numbers and texts have the same values.)
        for mut fake in [Fake::lp64(), Fake::lp64().on_terms()] {
            let argument = value(&mut fake, kind, argument);
            assert_eq!(sprintf(&mut fake, format, &[argument]), expected, "{line}");
        }
        lines += 1;
    }
    assert!(lines > 400);
}

#[test]
fn text_stars_and_characters() {
    let mut fake = Fake::lp64();
    assert_eq!(sprintf(&mut fake, "100%% [%c]", &[u64::from(b'x').into()]), "100% [x]");
    let minus = |n: i32| Value::from(u64::from(n as u32));
    assert_eq!(sprintf(&mut fake, "[%*d]", &[minus(-5), 42.into()]), "[42   ]");
    assert_eq!(sprintf(&mut fake, "[%.*d]", &[minus(-5), 0.into()]), "[0]");
    assert_eq!(sprintf(&mut fake, "[%.*d]", &[0.into(), 0.into()]), "[]");
    assert_eq!(sprintf(&mut fake, "[%8p] [%p]", &[0.into(), 0xab.into()]), "[   (nil)] [0xab]");
    assert_eq!(sprintf(&mut fake, "[%5c]", &[u64::from(b'x').into()]), "[    x]");
    assert_eq!(sprintf(&mut fake, "%g %F", &[f64::NAN.into(), (-f64::NAN).into()]), "nan -NAN");
    assert_eq!(sprintf(&mut fake, "%m", &[]), "Success");
}

#[test]
fn counting() {
    let mut fake = Fake::lp64();
    let (count, small) = (fake.object(4), fake.object(1));
    assert_eq!(sprintf(&mut fake, "abc%nd%hhn", &[count.into(), small.into()]), "abcd");
    assert_eq!(fake.int_at(count), 3);
    assert_eq!(fake.load(small, 1), Ok(4));
}

/// A string without an end is fine if the precision says how long it is.
#[test]
fn strings_without_an_end() {
    let mut fake = Fake::lp64();
    let text = fake.bytes(b"abc");
    assert_eq!(sprintf(&mut fake, "%.3s|%.2s", &[text.into(), text.into()]), "abc|ab");
    let format = fake.string("%s");
    assert_eq!(fake.violation("printf", &[format, text]), Kind::Memory);
    assert_eq!(fake.violation("printf", &[format, 0]), Kind::Memory);
}

#[test]
fn mistakes_of_the_program() {
    let mut fake = Fake::lp64();
    let (one, bad, cut) = (fake.string("%d"), fake.string("%y"), fake.string("50%"));
    assert_eq!(fake.violation("printf", &[one]), Kind::Misuse);
    assert_eq!(fake.violation("printf", &[bad, 1]), Kind::Misuse);
    assert_eq!(fake.violation("printf", &[cut]), Kind::Misuse);
    let undefined = fake.call("printf", &[one.into(), Value::Undefined]);
    assert!(matches!(undefined, Err(ModelError::Fault { kind: Kind::Uninitialised, .. })));
}

#[test]
fn what_is_not_modelled() {
    let mut fake = Fake::lp64();
    for format in ["%2$d", "%1$d%d", "%1$d%1$s", "%lc", "%b", "%2000000000d"] {
        let place = fake.string(format);
        let result = fake.call("printf", &[place.into(), 233.into(), 1.into()]);
        assert!(matches!(result, Err(ModelError::Unknown(_))), "{format}: {result:?}");
    }
}

/// As the machine lays out variable arguments: everything in the overflow area.
#[test]
fn lists_on_64_bits() {
    let mut fake = Fake::lp64();
    let area = fake.object(64);
    let text = fake.string("abc");
    fake.write(area, &(-7_i32).to_le_bytes());
    fake.write(area + 8, &2.5_f64.to_le_bytes());
    fake.write(area + 16, &text.to_le_bytes());
    // The long double 1 is 16-aligned.
    fake.write(area + 32, &(1_u64 << 63).to_le_bytes());
    fake.write(area + 40, &16383_u16.to_le_bytes());
    fake.write(area + 48, &u64::MAX.to_le_bytes());
    let list = fake.object(24);
    fake.write(list, &48_u32.to_le_bytes());
    fake.write(list + 4, &176_u32.to_le_bytes());
    fake.write(list + 8, &area.to_le_bytes());
    fake.write(list + 16, &0_u64.to_le_bytes());
    let format = fake.string("%d %g %s %Lg %lu");
    assert_eq!(fake.int("vprintf", &[format, list]), 33);
    assert_eq!(fake.printed[1], "-7 2.5 abc 1 18446744073709551615");
    assert_eq!(fake.load(list + 8, 8), Ok(area + 56));
}

/// As compiled code leaves it: the first arguments in saved registers.
#[test]
fn lists_in_saved_registers() {
    let mut fake = Fake::lp64();
    let (saved, area, list) = (fake.object(176), fake.object(16), fake.object(24));
    fake.write(saved + 40, &1_u64.to_le_bytes());
    fake.write(saved + 160, &0.5_f64.to_le_bytes());
    fake.write(area, &2_u64.to_le_bytes());
    fake.write(area + 8, &1.5_f64.to_le_bytes());
    fake.write(list, &40_u32.to_le_bytes());
    fake.write(list + 4, &160_u32.to_le_bytes());
    fake.write(list + 8, &area.to_le_bytes());
    fake.write(list + 16, &saved.to_le_bytes());
    let format = fake.string("%d %g %d %g");
    fake.result("vprintf", &[format, list]);
    assert_eq!(fake.printed[1], "1 0.5 2 1.5");
}

#[test]
fn lists_on_32_bits() {
    let mut fake = Fake::ilp32();
    let area = fake.object(32);
    let text = fake.string("abc");
    fake.write(area, &(-7_i32).to_le_bytes());
    fake.write(area + 4, &2.5_f64.to_le_bytes());
    fake.write(area + 12, &(text as u32).to_le_bytes());
    fake.write(area + 16, &u64::MAX.to_le_bytes());
    fake.write(area + 24, &u32::MAX.to_le_bytes());
    let format = fake.string("%d %g %s %llu %ld");
    fake.result("vprintf", &[format, area]);
    assert_eq!(fake.printed[1], "-7 2.5 abc 18446744073709551615 -1");
}

#[test]
fn what_is_only_shown() {
    let asks =
        |format: &[u8], values: &[bool], complete| assert_eq!(shown(format), Shown { values: values.into(), complete });
    asks(b"%d of %5.2f, %c %% %x", &[true; 4], true);
    // A text, an address, how wide something is, and how long all is.
    asks(b"%s %lu %p %*u", &[false, true, false, false, true], true);
    asks(b"%u%n", &[], false);
    asks(b"%2$d %1$d", &[], false);
    // Behind what is no directive nothing is known.
    asks(b"%d %y %d", &[true], false);
    asks(b"%d %", &[true], false);
    // What `errno` says, and more than can be laid out.
    asks(b"%m", &[], false);
    asks(b"%99999999999d", &[true], false);
}
