//! The arithmetic types of C, and what operators make of them.

/// An arithmetic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    I128,
    U128,
    Float,
    Double,
    LDouble,
}

use Type::*;

/// Types that every target has.
pub(crate) const COMMON: [Type; 15] =
    [Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, Float, Double, LDouble];
/// The integers among them, without `_Bool`.
pub(crate) const INTEGERS: [Type; 11] = [Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong];

impl Type {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned",
            Long => "long",
            ULong => "unsigned long",
            LLong => "long long",
            ULLong => "unsigned long long",
            I128 => "__int128",
            U128 => "unsigned __int128",
            Float => "float",
            Double => "double",
            LDouble => "long double",
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Float | Double | LDouble)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Char | SChar | Short | Int | Long | LLong | I128)
    }

    /// Bits of an integer; `long_bits` are those of `long`.
    pub(crate) fn bits(self, long_bits: u32) -> u32 {
        match self {
            Bool => 1,
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt | Float => 32,
            Long | ULong => long_bits,
            LLong | ULLong | Double => 64,
            I128 | U128 => 128,
            LDouble => 80,
        }
    }

    /// The type after the integer promotions.
    pub(crate) fn promoted(self) -> Type {
        match self {
            Bool | Char | SChar | UChar | Short | UShort => Int,
            other => other,
        }
    }

    /// The unsigned type of the same size.
    pub(crate) fn unsigned(self) -> Type {
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LLong => ULLong,
            I128 => U128,
            other => other,
        }
    }

    /// The type of an operator's result: the usual arithmetic conversions.
    pub(crate) fn common(self, other: Type, long_bits: u32) -> Type {
        let (one, two) = (self.promoted(), other.promoted());
        if one.is_float() || two.is_float() {
            return [LDouble, Double, Float].into_iter().find(|t| *t == one || *t == two).expect("one of them");
        }
        // By rank, the greater first.
        let rank = |t: Type| [Int, Long, LLong, I128].iter().position(|s| s.unsigned() == t.unsigned());
        let (high, low) = if rank(one) >= rank(two) { (one, two) } else { (two, one) };
        let holds = high.bits(long_bits) > low.bits(long_bits);
        if high.is_signed() && !low.is_signed() && !holds { high.unsigned() } else { high }
    }
}

#[test]
fn conversions_are_those_of_the_standard() {
    assert_eq!(Char.common(UShort, 64), Int);
    assert_eq!(Int.common(UInt, 64), UInt);
    assert_eq!(Long.common(UInt, 64), Long);
    assert_eq!(Long.common(UInt, 32), ULong);
    assert_eq!(LLong.common(ULong, 64), ULLong);
    assert_eq!(LLong.common(ULong, 32), LLong);
    assert_eq!(ULLong.common(I128, 64), I128);
    assert_eq!(Float.common(U128, 64), Float);
    assert_eq!(Bool.common(LDouble, 64), LDouble);
}
