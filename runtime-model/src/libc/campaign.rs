//! Random calls of the models of strings, bytes and characters: on values, on terms that have these values, and of the
//! library that this test runs with must come to the same, in results, memory, ends and errors. `MODEL_CALLS` says how
//! many rounds.
#![allow(unsafe_code, reason = "calls of the system's library")]
use crate::testing::Fake;
use std::ffi::{c_char, c_int, c_long, c_longlong, c_ulong, c_ulonglong, c_void};

type Str = *mut c_char;
type Bytes = *mut c_void;

unsafe extern "C" {
    fn strlen(a: Str) -> usize;
    fn strnlen(a: Str, n: usize) -> usize;
    fn strcmp(a: Str, b: Str) -> c_int;
    fn strncmp(a: Str, b: Str, n: usize) -> c_int;
    fn strcasecmp(a: Str, b: Str) -> c_int;
    fn strncasecmp(a: Str, b: Str, n: usize) -> c_int;
    fn strcpy(a: Str, b: Str) -> Str;
    fn stpcpy(a: Str, b: Str) -> Str;
    fn strncpy(a: Str, b: Str, n: usize) -> Str;
    fn stpncpy(a: Str, b: Str, n: usize) -> Str;
    fn strcat(a: Str, b: Str) -> Str;
    fn strncat(a: Str, b: Str, n: usize) -> Str;
    fn strchr(a: Str, c: c_int) -> Str;
    fn strrchr(a: Str, c: c_int) -> Str;
    fn strchrnul(a: Str, c: c_int) -> Str;
    fn strstr(a: Str, b: Str) -> Str;
    fn strcasestr(a: Str, b: Str) -> Str;
    fn strspn(a: Str, b: Str) -> usize;
    fn strcspn(a: Str, b: Str) -> usize;
    fn strpbrk(a: Str, b: Str) -> Str;
    fn memcmp(a: Bytes, b: Bytes, n: usize) -> c_int;
    fn memchr(a: Bytes, c: c_int, n: usize) -> Bytes;
    fn memrchr(a: Bytes, c: c_int, n: usize) -> Bytes;
    fn rawmemchr(a: Bytes, c: c_int) -> Bytes;
    fn memmem(a: Bytes, n: usize, b: Bytes, m: usize) -> Bytes;
    fn memset(a: Bytes, c: c_int, n: usize) -> Bytes;
    fn memccpy(a: Bytes, b: Bytes, c: c_int, n: usize) -> Bytes;
    fn isalpha(c: c_int) -> c_int;
    fn isdigit(c: c_int) -> c_int;
    fn isalnum(c: c_int) -> c_int;
    fn isspace(c: c_int) -> c_int;
    fn isupper(c: c_int) -> c_int;
    fn islower(c: c_int) -> c_int;
    fn isxdigit(c: c_int) -> c_int;
    fn ispunct(c: c_int) -> c_int;
    fn isprint(c: c_int) -> c_int;
    fn isgraph(c: c_int) -> c_int;
    fn iscntrl(c: c_int) -> c_int;
    fn isblank(c: c_int) -> c_int;
    fn isascii(c: c_int) -> c_int;
    fn toascii(c: c_int) -> c_int;
    fn tolower(c: c_int) -> c_int;
    fn toupper(c: c_int) -> c_int;
    fn abs(c: c_int) -> c_int;
    fn ffs(c: c_int) -> c_int;
    fn htonl(c: u32) -> u32;
    fn htons(c: u16) -> u16;
    fn atoi(a: Str) -> c_int;
    fn atol(a: Str) -> c_long;
    fn strtol(a: Str, end: *mut Str, base: c_int) -> c_long;
    fn strtoul(a: Str, end: *mut Str, base: c_int) -> c_ulong;
    fn strtoll(a: Str, end: *mut Str, base: c_int) -> c_longlong;
    fn strtoull(a: Str, end: *mut Str, base: c_int) -> c_ulonglong;
    fn strtok_r(a: Str, b: Str, state: *mut Str) -> Str;
    fn strsep(a: *mut Str, b: Str) -> Str;
    fn __errno_location() -> *mut c_int;
}

/// Bytes of the first buffer; the second is a string in as many.
const ROOM: usize = 40;

/// What a call is made of.
#[derive(Clone)]
struct Given {
    a: [u8; ROOM],
    b: [u8; ROOM],
    c: i32,
    n: usize,
}

/// An argument.
#[derive(Clone, Copy, PartialEq)]
enum Arg {
    A,
    B,
    C,
    N,
    /// A number below 37, mostly with a meaning as a base.
    Base,
    /// Where an end is stored.
    End,
}
use Arg::{A, B, Base, C, End, N};

/// What counts of a result.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    Sign,
    Truth,
    /// A pointer into one of the buffers, or null.
    Place,
    /// As many bits.
    Bits(u8),
}
use Counts::{Bits, Place, Sign, Truth};

/// What came of a call: the result, both buffers, the end, and `errno`.
#[derive(PartialEq, Debug)]
struct Came {
    result: i128,
    a: Vec<u8>,
    b: Vec<u8>,
    end: i128,
    errno: i32,
}

/// The library's function on two buffers and a place for an end; the word that it returns.
type Host = fn(Str, Str, i32, usize, *mut Str) -> u64;

struct Function {
    name: &'static str,
    args: &'static [Arg],
    counts: Counts,
    host: Host,
}

macro_rules! function {
    ($name:ident, $args:expr, $counts:expr, |$a:ident, $b:ident, $c:ident, $n:ident, $end:ident| $call:expr) => {
        Function {
            name: stringify!($name),
            args: &$args,
            counts: $counts,
            // SAFETY: the buffers hold strings with room behind them, and sizes stay inside of them.
            host: |$a, $b, $c, $n, $end| {
                let _ = ($a, $b, $c, $n, $end);
                unsafe { $call as u64 }
            },
        }
    };
}

macro_rules! characters {
    ($counts:expr, $($name:ident)*) => {
        [$(function!($name, [C], $counts, |a, b, c, n, end| $name(c))),*]
    };
}

fn functions() -> Vec<Function> {
    let mut all = vec![
        function!(strlen, [A], Bits(64), |a, b, c, n, end| strlen(a)),
        function!(strnlen, [A, N], Bits(64), |a, b, c, n, end| strnlen(a, n)),
        function!(strcmp, [A, B], Sign, |a, b, c, n, end| strcmp(a, b)),
        function!(strncmp, [A, B, N], Sign, |a, b, c, n, end| strncmp(a, b, n)),
        function!(strcasecmp, [A, B], Sign, |a, b, c, n, end| strcasecmp(a, b)),
        function!(strncasecmp, [A, B, N], Sign, |a, b, c, n, end| strncasecmp(a, b, n)),
        function!(strcpy, [A, B], Place, |a, b, c, n, end| strcpy(a, b)),
        function!(stpcpy, [A, B], Place, |a, b, c, n, end| stpcpy(a, b)),
        function!(strncpy, [A, B, N], Place, |a, b, c, n, end| strncpy(a, b, n)),
        function!(stpncpy, [A, B, N], Place, |a, b, c, n, end| stpncpy(a, b, n)),
        function!(strcat, [A, B], Place, |a, b, c, n, end| strcat(a, b)),
        function!(strncat, [A, B, N], Place, |a, b, c, n, end| strncat(a, b, n)),
        function!(strchr, [A, C], Place, |a, b, c, n, end| strchr(a, c)),
        function!(strrchr, [A, C], Place, |a, b, c, n, end| strrchr(a, c)),
        function!(strchrnul, [A, C], Place, |a, b, c, n, end| strchrnul(a, c)),
        function!(strstr, [A, B], Place, |a, b, c, n, end| strstr(a, b)),
        function!(strcasestr, [A, B], Place, |a, b, c, n, end| strcasestr(a, b)),
        function!(strspn, [A, B], Bits(64), |a, b, c, n, end| strspn(a, b)),
        function!(strcspn, [A, B], Bits(64), |a, b, c, n, end| strcspn(a, b)),
        function!(strpbrk, [A, B], Place, |a, b, c, n, end| strpbrk(a, b)),
        function!(memcmp, [A, B, N], Sign, |a, b, c, n, end| memcmp(a.cast(), b.cast(), n)),
        function!(memchr, [A, C, N], Place, |a, b, c, n, end| memchr(a.cast(), c, n)),
        function!(memrchr, [A, C, N], Place, |a, b, c, n, end| memrchr(a.cast(), c, n)),
        function!(memmem, [A, N, B, N], Place, |a, b, c, n, end| memmem(a.cast(), n, b.cast(), n)),
        function!(memset, [A, C, N], Place, |a, b, c, n, end| memset(a.cast(), c, n)),
        function!(memccpy, [A, B, C, N], Place, |a, b, c, n, end| memccpy(a.cast(), b.cast(), c, n)),
        function!(htonl, [C], Bits(32), |a, b, c, n, end| htonl(c as u32)),
        function!(htons, [C], Bits(16), |a, b, c, n, end| htons(c as u16)),
        function!(atoi, [A], Bits(32), |a, b, c, n, end| atoi(a)),
        function!(atol, [A], Bits(64), |a, b, c, n, end| atol(a)),
        function!(strtol, [A, End, Base], Bits(64), |a, b, c, n, end| strtol(a, end, n as i32)),
        function!(strtoul, [A, End, Base], Bits(64), |a, b, c, n, end| strtoul(a, end, n as i32)),
        function!(strtoll, [A, End, Base], Bits(64), |a, b, c, n, end| strtoll(a, end, n as i32)),
        function!(strtoull, [A, End, Base], Bits(64), |a, b, c, n, end| strtoull(a, end, n as i32)),
        function!(strtok_r, [A, B, End], Place, |a, b, c, n, end| strtok_r(a, b, end)),
        function!(strsep, [End, B], Place, |a, b, c, n, end| strsep(end, b)),
        // (In the buffer there is a byte that ends it.)
        function!(rawmemchr, [A, C], Place, |a, b, c, n, end| rawmemchr(a.cast(), c)),
    ];
    all.extend(
        characters!(Truth, isalpha isdigit isalnum isspace isupper islower isxdigit ispunct isprint isgraph iscntrl
        isblank isascii),
    );
    all.extend(characters!(Bits(32), toascii tolower toupper abs ffs));
    all
}

/// A small fast generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }

    fn string(&mut self, alphabet: &[u8], most: u64) -> [u8; ROOM] {
        let mut bytes = [0; ROOM];
        for byte in &mut bytes[..self.below(most) as usize] {
            *byte = alphabet[self.below(alphabet.len() as u64) as usize];
        }
        bytes
    }

    fn given(&mut self, function: &Function) -> Given {
        let alphabets: [&[u8]; 6] = [b"ab", b"aAbB", b"abc ,;", b"\x01\x7f\x80\xffa", b"0123456789 +-", b"0x1bF 9-z"];
        let alphabet = alphabets[self.below(6) as usize];
        let most = if matches!(function.args, [A, ..]) && self.below(4) == 0 { 24 } else { 8 };
        let (mut a, b) = (self.string(alphabet, most), self.string(alphabet, 4));
        let mut c = if self.below(2) == 0 {
            i32::from(alphabet[self.below(alphabet.len() as u64) as usize])
        } else {
            self.below(257) as i32 - 1
        };
        if matches!(function.name, "htonl" | "htons" | "abs" | "ffs" | "toascii") {
            c = (self.below(1 << 32) as u32 as i32).max(-i32::MAX) >> self.below(32);
        }
        if function.name == "rawmemchr" {
            a[ROOM - 1] = c as u8;
        }
        // What the classes are asked for characters of which nothing is said is left out.
        let n = if function.args.contains(&Base) { self.below(38) as usize } else { self.below(12) as usize };
        Given { a, b, c, n }
    }
}

/// The result as far as it counts; `places` are where the buffers begin.
fn counted(counts: Counts, word: u64, places: [u64; 2]) -> i128 {
    match counts {
        Sign => i128::from((word as u32 as i32).signum()),
        Truth => i128::from(word as u32 != 0),
        Bits(bits) => i128::from(word & (u64::MAX >> (64 - bits))),
        Place => places.iter().zip([1000, 2000]).fold(i128::from(word), |found, (place, number)| {
            let offset = word.wrapping_sub(*place);
            if word != 0 && offset <= ROOM as u64 { number + i128::from(offset) } else { found }
        }),
    }
}

fn on_host(function: &Function, given: &Given) -> Came {
    let (mut a, mut b) = (given.a, given.b);
    let (first, second): (Str, Str) = (a.as_mut_ptr().cast(), b.as_mut_ptr().cast());
    let mut end: Str = first;
    // SAFETY: it is the calling thread's.
    unsafe { *__errno_location() = 0 };
    let word = (function.host)(first, second, given.c, given.n, &mut end);
    // SAFETY: as above.
    let errno = unsafe { *__errno_location() };
    let places = [first as u64, second as u64];
    let result = counted(function.counts, word, places);
    Came { result, a: a.to_vec(), b: b.to_vec(), end: counted(Place, end as u64, places), errno }
}

fn on_model(mut fake: Fake, function: &Function, given: &Given) -> Came {
    let (a, b) = (fake.bytes(&given.a), fake.bytes(&given.b));
    let end = fake.bytes(&a.to_le_bytes());
    let word = |arg: &Arg| match arg {
        A => a,
        B => b,
        C => u64::from(given.c as u32),
        N | Base => given.n as u64,
        End => end,
    };
    let arguments: Vec<u64> = function.args.iter().map(word).collect();
    let result = fake.result(function.name, &arguments);
    let result = counted(function.counts, result, [a, b]);
    let mut read = |address| interp::hooks::Call::load_bytes(&mut fake, address, ROOM as u64).expect("it is there");
    let (first, second) = (read(a), read(b));
    let end = interp::hooks::Call::load(&mut fake, end, 8).expect("it is there");
    Came { result, a: first, b: second, end: counted(Place, end, [a, b]), errno: fake.errno() }
}

#[test]
fn models_agree_with_the_library_and_with_themselves_on_terms() {
    let rounds: u64 = std::env::var("MODEL_CALLS").map_or(40, |rounds| rounds.parse().expect("a number"));
    let mut random = Random(rounds);
    let mut calls = 0;
    for function in functions() {
        for _ in 0..rounds {
            let given = random.given(&function);
            let wanted = on_host(&function, &given);
            for (found, how) in [
                (on_model(Fake::lp64(), &function, &given), "on values"),
                (on_model(Fake::lp64().on_terms(), &function, &given), "on terms"),
            ] {
                let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..12]).into_owned();
                let (a, b) = (text(&given.a), text(&given.b));
                let name = function.name;
                assert_eq!(found, wanted, "{name}({a:?}, {b:?}, c = {}, n = {}) {how}", given.c, given.n);
            }
            calls += 1;
        }
    }
    println!("{calls} calls compared");
}
