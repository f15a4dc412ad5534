//! Random expressions: without effects, and defined whatever the values of variables are.
use crate::types::Type::{self, *};
use crate::types::{COMMON, INTEGERS};
use random::Random;

/// Something that can be read and written. In `text`, `[#N]` stands for an index below N.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) of: Type,
    /// Bits of a bit-field.
    pub(crate) field: Option<u32>,
    /// Its address may be taken, as that of a variable of its type.
    pub(crate) addressable: bool,
    /// It may be written.
    pub(crate) writable: bool,
    /// Its bytes are also those of something else, so no number that is none may be put there.
    pub(crate) shared: bool,
}

impl Place {
    pub(crate) fn new(text: impl Into<String>, of: Type) -> Self {
        Place { text: text.into(), of, field: None, addressable: true, writable: true, shared: false }
    }
}

/// Makes the parts of one program.
pub(crate) struct Maker {
    pub(crate) random: Random,
    /// 64 bits, not 32.
    pub(crate) wide: bool,
    /// Numbers names.
    pub(crate) names: u32,
}

impl Maker {
    /// A fresh name.
    pub(crate) fn name(&mut self, begin: &str) -> String {
        self.names += 1;
        format!("{begin}{}", self.names)
    }

    pub(crate) fn long_bits(&self) -> u32 {
        if self.wide { 64 } else { 32 }
    }

    /// Any arithmetic type.
    pub(crate) fn arithmetic(&mut self) -> Type {
        match self.random.below(12) {
            0 if self.wide => self.random.pick(&[I128, U128]),
            _ => self.random.pick(&COMMON),
        }
    }

    /// An integer type.
    pub(crate) fn integer(&mut self) -> Type {
        match self.random.below(12) {
            0 if self.wide => self.random.pick(&[I128, U128]),
            _ => self.random.pick(&INTEGERS),
        }
    }

    /// A constant, those at the borders of its type most of all.
    pub(crate) fn constant(&mut self, of: Type) -> String {
        if of.is_float() {
            let text = self.random.pick(&FLOATS);
            return format!("({})({text})", of.name());
        }
        let bits = of.bits(self.long_bits());
        let random = self.random.number();
        let near = self.random.below(3);
        let value = match self.random.below(8) {
            0 | 1 => self.random.below(4),
            2 => (1u64 << (bits.min(64) - 1)).wrapping_sub(near),
            3 => u64::MAX - near,
            4 => 1u64 << self.random.below(bits.min(64).into()),
            5 => random >> self.random.below(64),
            _ => random % 200,
        };
        if bits == 128 {
            let high = if self.random.once_in(2) { self.random.number() } else { u64::MAX - near };
            return format!("({})((unsigned __int128){high:#x}u << 64 | {value:#x}u)", of.name());
        }
        format!("({}){value:#x}ull", of.name())
    }

    /// The place as text, with indices.
    pub(crate) fn indexed(&mut self, place: &Place, scope: &[Place], depth: u32) -> String {
        let mut text = String::new();
        let mut parts = place.text.split("[#");
        text += parts.next().expect("a first part");
        for part in parts {
            let (length, rest) = part.split_once(']').expect("an end of the index");
            let index = match self.random.below(3) {
                0 if depth > 0 => {
                    let inner = self.converted(UInt, scope, depth - 1);
                    format!("{inner} % {length}")
                }
                _ => self.random.below(length.parse().expect("a length")).to_string(),
            };
            text += &format!("[{index}]{rest}");
        }
        text
    }

    /// What reading the place gives, and its type.
    fn read(&mut self, place: &Place, scope: &[Place], depth: u32) -> (String, Type) {
        let text = self.indexed(place, scope, depth);
        match place.field {
            // Which type wide bit-fields have, compilers do not agree upon.
            Some(bits) if bits > 32 => (format!("({}){text}", place.of.name()), place.of),
            Some(32) => (text, if place.of.is_signed() { Int } else { UInt }),
            Some(_) => (text, Int),
            None => (text, place.of),
        }
    }

    /// An expression of any arithmetic type.
    pub(crate) fn expression(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let choice = self.random.below(if depth == 0 { 4 } else { 20 });
        match choice {
            0..=2 if !scope.is_empty() => {
                let place = &scope[self.random.below(scope.len() as u64) as usize];
                self.read(place, scope, depth.min(1))
            }
            0..=3 => {
                let of = self.arithmetic();
                (format!("({})", self.constant(of)), of)
            }
            4..=8 => self.sum(scope, depth - 1),
            9 | 10 => self.quotient(scope, depth - 1),
            11 => self.bitwise(scope, depth - 1),
            12 => self.shift(scope, depth - 1),
            13 | 14 => self.comparison(scope, depth - 1),
            15 => {
                let condition = self.expression(scope, depth - 1).0;
                let ((a, one), (b, two)) = self.pair(scope, depth - 1);
                (format!("({condition} ? {a} : {b})"), one.common(two, self.long_bits()))
            }
            16 => {
                let (operand, of) = self.expression(scope, depth - 1);
                match self.random.below(3) {
                    0 => (format!("(!{operand})"), Int),
                    _ if of.is_float() => (format!("(-{operand})"), of),
                    1 => (format!("(~{operand})"), of.promoted()),
                    _ => {
                        let of = of.promoted();
                        (format!("(({})-({}){operand})", of.name(), of.unsigned().name()), of)
                    }
                }
            }
            17 => self.builtin(scope, depth - 1),
            _ => {
                let of = self.arithmetic();
                (self.converted(of, scope, depth), of)
            }
        }
    }

    /// Two operands whose common type every value of both can be converted to.
    fn pair(&mut self, scope: &[Place], depth: u32) -> ((String, Type), (String, Type)) {
        let mut pair = (self.expression(scope, depth), self.expression(scope, depth));
        // The largest numbers of 128 bits are beyond those of `float`.
        for (one, two) in [(0, 1), (1, 0)] {
            let types = [pair.0.1, pair.1.1];
            if types[one] == U128 && types[two] == Float {
                let operand = if one == 0 { &mut pair.0 } else { &mut pair.1 };
                *operand = (format!("((double){})", operand.0), Double);
            }
        }
        pair
    }

    fn sum(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let ((a, one), (b, two)) = self.pair(scope, depth);
        let common = one.common(two, self.long_bits());
        let operator = self.random.pick(&["+", "-", "*"]);
        if common.is_float() && self.random.once_in(3) {
            return (format!("({a} / {b})"), common);
        }
        let small = |t: Type| !t.is_float() && t.bits(64) <= 16 && (t != UShort || operator != "*");
        if common.is_float() || !common.is_signed() || small(one) && small(two) {
            return (format!("({a} {operator} {b})"), common);
        }
        let (of, unsigned) = (common.name(), common.unsigned().name());
        if self.random.once_in(2) {
            // Small enough for any of the operators.
            return (format!("((({of}){a} & 0x7fff) {operator} (({of}){b} % 1000))"), common);
        }
        (format!("({of})(({unsigned}){a} {operator} ({unsigned}){b})"), common)
    }

    fn quotient(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let of = self.integer();
        let a = self.converted(of, scope, depth);
        if self.random.once_in(2) {
            let by = self.random.pick(&["3", "7", "-5", "10", "16", "-1000", "127", "2"]);
            let operator = self.random.pick(&["/", "%"]);
            return (format!("({a} {operator} {by})"), of.common(Int, self.long_bits()));
        }
        let b = self.converted(of, scope, depth);
        (format!("{}({}, {a}, {b})", self.random.pick(&["DIV", "REM"]), of.name()), of)
    }

    fn bitwise(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let (one, two) = (self.integer(), self.integer());
        let (a, b) = (self.converted(one, scope, depth), self.converted(two, scope, depth));
        (format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])), one.common(two, self.long_bits()))
    }

    fn shift(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let of = self.integer();
        let a = self.converted(of, scope, depth);
        let by = self.converted(UInt, scope, depth.min(1));
        let promoted = of.promoted();
        let last = promoted.bits(self.long_bits()) - 1;
        if self.random.once_in(2) {
            return (format!("({a} >> ({by} & {last}))"), promoted);
        }
        (format!("(({}){a} << ({by} & {last}))", promoted.unsigned().name()), promoted.unsigned())
    }

    fn comparison(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let ((a, _), (b, _)) = self.pair(scope, depth);
        (format!("({a} {} {b})", self.random.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"])), Int)
    }

    fn builtin(&mut self, scope: &[Place], depth: u32) -> (String, Type) {
        let (text, parameter, of) = self.random.pick(&BUILTINS);
        let a = self.converted(parameter, scope, depth);
        if !text.contains('$') {
            return (text.replace('?', &a), of);
        }
        let b = self.converted(parameter, scope, depth);
        (text.replace('?', &a).replace('$', &b), of)
    }

    /// An expression of this type.
    pub(crate) fn converted(&mut self, of: Type, scope: &[Place], depth: u32) -> String {
        let (text, from) = self.expression(scope, depth);
        if !from.is_float() || of.is_float() || of == Bool {
            return match from == U128 && of == Float {
                true => format!("((float)(double){text})"),
                false => format!("(({}){text})", of.name()),
            };
        }
        let bits = of.bits(self.long_bits());
        let (low, high) = match of.is_signed() || of == Char {
            true => (format!("-0x1p{}", bits - 1), bits - 1),
            false => ("0".into(), bits),
        };
        // (The largest `float` is below the largest number of 128 bits.)
        format!("CUT({}, {low}, 0x1p{high}L, {text})", of.name())
    }

    /// A condition or the like: a small number.
    pub(crate) fn int(&mut self, scope: &[Place]) -> String {
        self.converted(Int, scope, 2)
    }
}

/// Floating-point numbers of all sorts.
const FLOATS: [&str; 20] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "3.0e10",
    "-7.25e-3",
    "0x1p31",
    "-0x1p31",
    "0x1p63",
    "0x1.fffffep127",
    "1e-45",
    "0x1p-149",
    "1e300",
    "-2.5",
    "0.5",
    "65535.75",
    "__builtin_inf()",
    "16777217.0",
    "9007199254740993.0L",
];

/// Functions whose results are exact: `?` and `$` are arguments of the first type, the result is of the second.
const BUILTINS: [(&str, Type, Type); 44] = [
    ("__builtin_popcount(?)", UInt, Int),
    ("__builtin_popcountll(?)", ULLong, Int),
    ("__builtin_clz(? | 1)", UInt, Int),
    ("__builtin_clzll(? | 1)", ULLong, Int),
    ("__builtin_ctz(? | 0x80000000u)", UInt, Int),
    ("__builtin_ctzll(? | 0x8000000000000000ull)", ULLong, Int),
    ("__builtin_ffs(?)", Int, Int),
    ("__builtin_ffsll(?)", LLong, Int),
    ("__builtin_parity(?)", UInt, Int),
    ("__builtin_clrsb(?)", Int, Int),
    ("__builtin_bswap16(?)", UShort, UShort),
    ("__builtin_bswap32(?)", UInt, UInt),
    ("__builtin_bswap64(?)", ULLong, ULLong),
    ("abs(? | 1)", Short, Int),
    ("toupper(?)", UChar, Int),
    ("tolower(?)", UChar, Int),
    ("!isalpha(?)", UChar, Int),
    ("!isspace(?)", UChar, Int),
    ("!isxdigit(?)", UChar, Int),
    ("fabs(?)", Double, Double),
    ("floor(?)", Double, Double),
    ("ceilf(?)", Float, Float),
    ("trunc(?)", Double, Double),
    ("round(?)", Double, Double),
    ("rintf(?)", Float, Float),
    ("nearbyint(?)", Double, Double),
    ("root(?)", Double, Double),
    ("rootf(?)", Float, Float),
    ("fmod(?, $)", Double, Double),
    ("fmodf(?, $)", Float, Float),
    ("fma(?, $, ?)", Double, Double),
    ("fdim(?, $)", Double, Double),
    ("fabsl(?)", LDouble, LDouble),
    ("__builtin_isinf_sign(?)", Double, Int),
    ("!isnan(?)", Double, Int),
    ("!isfinite(?)", Float, Int),
    ("isless(?, $)", Double, Int),
    ("isgreaterequal(?, $)", LDouble, Int),
    ("isunordered(?, $)", Float, Int),
    ("__builtin_expect(?, 1)", Long, Long),
    ("__builtin_signbit(1.0 / (? + 1))", UChar, Int),
    ("fmaxf(?, 3)", Short, Float),
    ("ldexp(?, 3)", Double, Double),
    ("scalbn(?, -20)", Float, Double),
];
