//! The C library against what the manual says.
use crate::testing::{Fake, Value};
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult};
use interp::operation::{Operation, Ordering};

#[test]
fn allocation() {
    let mut fake = Fake::lp64();
    let block = fake.result("malloc", &[10]);
    assert_eq!(fake.assumed, ["allocation-succeeds"]);
    assert_eq!(fake.violation("strlen", &[block]), Kind::Uninitialised);
    fake.write(block, b"0123456789");
    let larger = fake.result("realloc", &[block, 20]);
    assert_eq!(fake.load_bytes(larger, 10).unwrap(), b"0123456789");
    assert!(fake.load(larger + 10, 1).is_err());
    assert_eq!(fake.violation("free", &[block]), Kind::Memory);
    assert_eq!(fake.violation("realloc", &[larger + 1, 5]), Kind::Memory);
    assert_eq!(fake.result("malloc_usable_size", &[larger]), 20);
    let smaller = fake.result("realloc", &[larger, 3]);
    assert_eq!(fake.load_bytes(smaller, 3).unwrap(), b"012");
    assert_eq!(fake.result("realloc", &[smaller, 0]), 0);
    assert_eq!(fake.violation("free", &[smaller]), Kind::Memory);
    fake.result("free", &[0]);
    let zeros = fake.result("calloc", &[3, 4]);
    assert_eq!(fake.load_bytes(zeros, 12).unwrap(), [0; 12]);
    assert_ne!(fake.result("malloc", &[0]), fake.result("malloc", &[0]));
}

#[test]
fn allocation_of_too_much() {
    for (mut fake, too_much) in [(Fake::lp64(), 1 << 63), (Fake::ilp32(), 1 << 31)] {
        assert_eq!(fake.result("malloc", &[too_much]), 0);
        assert_eq!(fake.errno(), 12);
        assert_eq!(fake.result("calloc", &[u64::MAX, 2]), 0);
        let block = fake.result("malloc", &[8]);
        assert_eq!(fake.result("reallocarray", &[block, u64::MAX, u64::MAX]), 0);
        fake.result("free", &[block]);
    }
}

#[test]
fn alignment() {
    let mut fake = Fake::lp64();
    let result = fake.object(8);
    assert_eq!(fake.int("posix_memalign", &[result, 3, 8]), 22);
    assert_eq!(fake.int("posix_memalign", &[result, 4, 8]), 22);
    assert_eq!(fake.int("posix_memalign", &[result, 64, 8]), 0);
    let block = fake.load(result, 8).unwrap();
    fake.result("free", &[block]);
    assert_eq!(fake.result("aligned_alloc", &[24, 8]), 0);
    assert_ne!(fake.result("aligned_alloc", &[32, 8]), 0);
}

#[test]
fn bytes() {
    let mut fake = Fake::lp64();
    let (a, b) = (fake.bytes(b"abcdef"), fake.bytes(b"abcxef"));
    assert_eq!(fake.int("memcmp", &[a, b, 3]), 0);
    assert_eq!(fake.int("memcmp", &[a, b, 6]), i32::from(b'd') - i32::from(b'x'));
    assert_eq!(fake.result("memchr", &[a, u64::from(b'c'), 100]), a + 2);
    assert_eq!(fake.result("memchr", &[a, u64::from(b'z'), 6]), 0);
    assert_eq!(fake.violation("memchr", &[a, u64::from(b'z'), 7]), Kind::Memory);
    assert_eq!(fake.result("memrchr", &[b, u64::from(b'e'), 6]), b + 4);
    assert_eq!(fake.result("mempcpy", &[a, b, 4]), a + 4);
    assert_eq!(fake.load_bytes(a, 6).unwrap(), b"abcxef");
    assert_eq!(fake.violation("memcpy", &[a + 1, a, 3]), Kind::Memory);
    assert_eq!(fake.violation("memcpy", &[a, a + 2, 3]), Kind::Memory);
    assert_eq!(fake.result("memcpy", &[a, a + 3, 3]), a);
    assert_eq!(fake.result("memmove", &[a + 1, a, 3]), a + 1);
    assert_eq!(fake.load_bytes(a, 6).unwrap(), b"xxefef");
    assert_eq!(fake.violation("memset", &[a, 0, 7]), Kind::Memory);
    assert_eq!(fake.result("memset", &[a, 0x141, 6]), a);
    assert_eq!(fake.load_bytes(a, 6).unwrap(), b"AAAAAA");
    assert_eq!(fake.violation("__memcpy_chk", &[a, b, 6, 5]), Kind::Memory);
    assert_eq!(fake.result("__memcpy_chk", &[a, b, 6, 6]), a);
    let end = fake.result("memccpy", &[a, b, u64::from(b'x'), 6]);
    assert_eq!(end, a + 4);
}

#[test]
fn copying_strings() {
    let mut fake = Fake::lp64();
    let (room, text) = (fake.object(8), fake.string("abc"));
    assert_eq!(fake.result("strcpy", &[room, text]), room);
    assert_eq!(fake.result("strcat", &[room, text]), room);
    assert_eq!(fake.text(room), "abcabc");
    assert_eq!(fake.violation("strcat", &[room, text]), Kind::Memory);
    assert_eq!(fake.violation("strcpy", &[room, room + 1]), Kind::Memory);
    assert_eq!(fake.result("stpcpy", &[room, text]), room + 3);
    assert_eq!(fake.result("strncpy", &[room, text, 2]), room);
    assert_eq!(fake.text(room), "abc");
    assert_eq!(fake.result("strncpy", &[room, text, 8]), room);
    assert_eq!(fake.load_bytes(room, 8).unwrap(), b"abc\0\0\0\0\0");
    assert_eq!(fake.violation("strncpy", &[room, text, 9]), Kind::Memory);
    assert_eq!(fake.result("strncat", &[room, text, 2]), room);
    assert_eq!(fake.text(room), "abcab");
    assert_eq!(fake.result("strlcpy", &[room, text, 3]), 3);
    assert_eq!(fake.text(room), "ab");
    assert_eq!(fake.result("strlcat", &[room, text, 8]), 5);
    assert_eq!(fake.text(room), "ababc");
    assert_eq!(fake.violation("__strcpy_chk", &[room, text, 3]), Kind::Memory);
    assert_eq!(fake.violation("__strcat_chk", &[room, text, 8]), Kind::Memory);
    let copy = fake.result("strdup", &[text]);
    assert_eq!(fake.text(copy), "abc");
    let copy = fake.result("strndup", &[text, 2]);
    assert_eq!(fake.text(copy), "ab");
}

#[test]
fn comparing_and_measuring_strings() {
    let mut fake = Fake::lp64();
    let (a, b, open) = (fake.string("abc"), fake.string("abD"), fake.bytes(b"abx"));
    assert_eq!(fake.int("strcmp", &[a, a]), 0);
    assert!(fake.int("strcmp", &[a, b]) > 0);
    assert!(fake.int("strcasecmp", &[a, b]) < 0);
    assert_eq!(fake.int("strncmp", &[a, b, 2]), 0);
    assert_eq!(fake.int("strncmp", &[a, open, 2]), 0);
    assert!(fake.int("strcmp", &[a, open]) < 0);
    let (low, high) = (fake.string("a"), fake.bytes(&[0xff, 0]));
    assert!(fake.int("strcmp", &[low, high]) < 0);
    assert_eq!(fake.result("strlen", &[a]), 3);
    assert_eq!(fake.result("strnlen", &[open, 3]), 3);
    assert_eq!(fake.violation("strlen", &[open]), Kind::Memory);
}

#[test]
fn searching_strings() {
    let mut fake = Fake::lp64();
    let (text, find, set) = (fake.string("hello"), fake.string("ll"), fake.string("leh"));
    let byte = |c: char| u64::from(u32::from(c));
    assert_eq!(fake.result("strchr", &[text, byte('l')]), text + 2);
    assert_eq!(fake.result("strrchr", &[text, byte('l')]), text + 3);
    assert_eq!(fake.result("strchr", &[text, 0]), text + 5);
    assert_eq!(fake.result("strrchr", &[text, 0]), text + 5);
    assert_eq!(fake.result("strchr", &[text, byte('x')]), 0);
    assert_eq!(fake.result("strchrnul", &[text, byte('x')]), text + 5);
    assert_eq!(fake.result("strstr", &[text, find]), text + 2);
    assert_eq!(fake.result("strstr", &[find, text]), 0);
    assert_eq!(fake.result("strspn", &[text, set]), 4);
    assert_eq!(fake.result("strcspn", &[text, find]), 2);
    assert_eq!(fake.result("strpbrk", &[text, find]), text + 2);
}

#[test]
fn tokens() {
    let mut fake = Fake::lp64();
    let (text, delimiters, state) = (fake.string(",a,,bc,"), fake.string(","), fake.object(8));
    let first = fake.result("strtok_r", &[text, delimiters, state]);
    assert_eq!(fake.text(first), "a");
    let second = fake.result("strtok_r", &[0, delimiters, state]);
    assert_eq!(fake.text(second), "bc");
    assert_eq!(fake.result("strtok_r", &[0, delimiters, state]), 0);
    assert_eq!(fake.result("strtok_r", &[0, delimiters, state]), 0);
    let text = fake.string("x y");
    let delimiters = fake.string(" ");
    let first = fake.result("strtok", &[text, delimiters]);
    assert_eq!(fake.text(first), "x");
    let second = fake.result("strtok", &[0, delimiters]);
    assert_eq!(fake.text(second), "y");
    assert_eq!(fake.result("strtok", &[0, delimiters]), 0);
    let text = fake.string("p  q");
    fake.store(state, 8, text).unwrap();
    let parts: Vec<String> = (0..3)
        .map(|_| {
            let part = fake.result("strsep", &[state, delimiters]);
            fake.text(part)
        })
        .collect();
    assert_eq!(parts, ["p", "", "q"]);
    assert_eq!(fake.result("strsep", &[state, delimiters]), 0);
}

#[test]
fn characters() {
    let mut fake = Fake::lp64();
    let byte = |c: char| u64::from(u32::from(c));
    assert_ne!(fake.int("isalpha", &[byte('x')]), 0);
    assert_eq!(fake.int("isalpha", &[byte('1')]), 0);
    assert_ne!(fake.int("isspace", &[11]), 0);
    assert_eq!(fake.int("isspace", &[u64::from(u32::MAX)]), 0);
    assert_eq!(fake.int("toupper", &[byte('x')]), 'X' as i32);
    assert_eq!(fake.int("tolower", &[0xe9]), 0xe9);
    let (table, lower) = (fake.result("__ctype_b_loc", &[]), fake.result("__ctype_tolower_loc", &[]));
    let (table, lower) = (fake.load(table, 8).unwrap(), fake.load(lower, 8).unwrap());
    // As printed by a native program.
    assert_eq!(fake.load(table + 2 * byte('a'), 2), Ok(54792));
    assert_eq!(fake.load(table - 2 * 100, 2), Ok(0));
    assert_eq!(fake.load(lower - 4 * 100, 4), Ok(156));
    assert_eq!(fake.load(lower - 4, 4), Ok(u64::from(u32::MAX)));
    assert_eq!(fake.load(lower + 4 * byte('Q'), 4), Ok(byte('q')));
}

#[test]
fn numbers_from_text() {
    let mut fake = Fake::ilp32();
    let (text, end) = (fake.string(" 99999999999x"), fake.object(4));
    assert_eq!(fake.int("strtol", &[text, end, 10]), i32::MAX);
    assert_eq!(fake.errno(), 34);
    assert_eq!(fake.load(end, 4), Ok(text + 12));
    assert_eq!(fake.result("strtoll", &[text, 0, 10]), 99_999_999_999);
    assert_eq!(fake.int("strtol", &[text, 0, 1]), 0);
    assert_eq!(fake.errno(), 22);
    let text = fake.string("-17");
    assert_eq!(fake.int("atoi", &[text]), -17);
    assert_eq!(fake.result("atol", &[text]), u64::from((-17_i32) as u32));
    assert_eq!(fake.result("atoll", &[text]), (-17_i64) as u64);
    let text = fake.string("-1.25e2z");
    assert_eq!(f64::from_bits(fake.result("strtod", &[text, end])), -125.0);
    assert_eq!(fake.load(end, 4), Ok(text + 7));
    assert_eq!(f32::from_bits(fake.result("strtof", &[text, 0]) as u32), -125.0);
    let huge = fake.string("1e999");
    assert_eq!(f64::from_bits(fake.result("atof", &[huge])), f64::INFINITY);
    assert_eq!(fake.errno(), 34);
}

#[test]
fn integers() {
    let mut fake = Fake::ilp32();
    let minus = |n: i32| u64::from(n as u32);
    assert_eq!(fake.int("abs", &[minus(-5)]), 5);
    assert_eq!(fake.violation("abs", &[minus(i32::MIN)]), Kind::Overflow);
    assert_eq!(fake.int("labs", &[minus(-5)]), 5);
    assert_eq!(fake.violation("labs", &[minus(i32::MIN)]), Kind::Overflow);
    assert_eq!(fake.int("ffs", &[8]), 4);
    assert_eq!(fake.result("htons", &[0x1234]), 0x3412);
}

#[test]
fn mathematics() {
    let mut fake = Fake::lp64();
    let mut real = |name: &str, a: f64, b: f64| {
        let values = [Value::from(a), Value::from(b)];
        match fake.call(name, &values) {
            Ok(ModelResult::Return([bits, 0])) => (f64::from_bits(bits), fake.errno()),
            other => panic!("{name}: {other:?}"),
        }
    };
    assert_eq!(real("sqrt", 2.25, 0.0), (1.5, 0));
    assert_eq!(real("fmod", -7.5, 2.0), (-1.5, 0));
    assert_eq!(real("rint", 2.5, 0.0), (2.0, 0));
    assert_eq!(real("round", 2.5, 0.0), (3.0, 0));
    assert_eq!(real("pow", 0.0, 2.0), (0.0, 0));
    assert_eq!(real("pow", 2.0, 10.0), (1024.0, 0));
    assert_eq!(real("pow", 10.0, 400.0), (f64::INFINITY, 34));
    assert!(real("sqrt", -1.0, 0.0).0.is_nan());
    assert_eq!(fake.errno(), 33);
    let place = fake.object(8);
    match fake.call("modf", &[(-2.75).into(), place.into()]) {
        Ok(ModelResult::Return([bits, 0])) => assert_eq!(f64::from_bits(bits), -0.75),
        other => panic!("{other:?}"),
    }
    assert_eq!(fake.load(place, 8), Ok((-2.0_f64).to_bits()));
}

#[test]
fn output() {
    let mut fake = Fake::lp64();
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| {
        let place = fake.global(name).unwrap();
        fake.load(place, 8).unwrap()
    });
    let (text, format) = (fake.string("text"), fake.string("<%d>"));
    fake.result("puts", &[text]);
    assert_eq!(fake.int("fprintf", &[stdout, format, 7]), 3);
    fake.result("fputs", &[text, stderr]);
    fake.result("fputc", &[u64::from(b'!'), stderr]);
    assert_eq!(fake.result("fwrite", &[text, 2, 2, stdout]), 2);
    assert_eq!(fake.result("write", &[2, text, 4]), 4);
    fake.result("perror", &[text]);
    assert_eq!(fake.printed[1], "text\n<7>text");
    assert_eq!(fake.printed[2], "text!texttext: Success\n");
    assert_eq!(fake.int("fflush", &[0]), 0);
    assert_eq!(fake.violation("fputs", &[text, 0]), Kind::Memory);
    assert!(matches!(fake.call("write", &[5.into(), text.into(), 1.into()]), Err(ModelError::Unknown(_))));
}

#[test]
fn output_to_memory() {
    let mut fake = Fake::lp64();
    let (buffer, format) = (fake.object(4), fake.string("%d"));
    assert_eq!(fake.int("snprintf", &[buffer, 4, format, 12345]), 5);
    assert_eq!(fake.text(buffer), "123");
    assert_eq!(fake.int("snprintf", &[0, 0, format, 12345]), 5);
    assert_eq!(fake.violation("sprintf", &[buffer, format, 12345]), Kind::Memory);
    assert_eq!(fake.violation("__sprintf_chk", &[buffer, 0, 3, format, 123]), Kind::Memory);
    assert_eq!(fake.violation("__snprintf_chk", &[buffer, 5, 0, 4, format, 1]), Kind::Memory);
    assert_eq!(fake.int("__snprintf_chk", &[buffer, 4, 0, 4, format, 1]), 1);
    let place = fake.object(8);
    assert_eq!(fake.int("asprintf", &[place, format, 12345]), 5);
    let text = fake.load(place, 8).unwrap();
    assert_eq!(fake.text(text), "12345");
    fake.result("free", &[text]);
}

#[test]
fn error_messages() {
    let mut fake = Fake::lp64();
    let text = fake.result("strerror", &[22]);
    assert_eq!(fake.text(text), "Invalid argument");
    assert!(matches!(fake.call("strerror", &[9999.into()]), Err(ModelError::Unknown(_))));
}

#[test]
fn random_numbers() {
    let mut fake = Fake::lp64();
    let state = fake.global("state of rand").unwrap();
    let stored = fake.operation("srand", &[42]);
    let (ordering, value, undefined) = (Ordering::Relaxed, [42, 0], [0; 2]);
    assert_eq!(stored, Operation::AtomicStore { address: state, size: 8, ordering, value, undefined });
    assert_eq!(fake.finish("rand", &[], [42, 0], true)[0], 71_876_166);
    assert_eq!(fake.finish("rand", &[], [42 | 1 << 32, 0], true)[0], 708_592_740);
    assert_eq!(fake.load(state, 8), Ok(1));
}

#[test]
fn clocks_and_environment() {
    let mut fake = Fake::ilp32();
    let place = fake.object(8);
    assert_eq!(fake.result("time", &[place]), 1);
    assert_eq!(fake.int("clock_gettime", &[0, place]), 0);
    assert_eq!((fake.int_at(place), fake.int_at(place + 4)), (3, 0));
    assert_eq!(fake.int("gettimeofday", &[place, 0]), 0);
    assert_eq!((fake.int_at(place), fake.int_at(place + 4)), (4, 500_000));
    assert!(fake.assumed.iter().all(|a| *a == "fixed-clock"));
    assert_eq!(fake.int("nanosleep", &[place, 0]), 0);
    fake.store(place + 4, 4, 1_000_000_000).unwrap();
    assert_eq!(fake.int("nanosleep", &[place, 0]), -1);
    assert_eq!(fake.errno(), 22);
    assert_eq!(fake.int("sysconf", &[84]), 4);
    let (name, prefix) = (fake.string("NAME"), fake.string("NAM"));
    let value = fake.result("getenv", &[name]);
    assert_eq!(fake.text(value), "value");
    assert_eq!(fake.result("getenv", &[prefix]), 0);
    assert_eq!(fake.assumed.last(), Some(&"fixed-environment"));
}
