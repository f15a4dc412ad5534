//! Exact decimal expansions of binary fractions, and their rounding.

/// A number that is not negative: `0.d₁d₂d₃… · 10^point`, without leading zeros; no digits at all for 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    /// Values 0…9.
    pub(super) digits: Vec<u8>,
    /// How many of the digits stand before the decimal point.
    pub(super) point: i32,
}

/// The big number is kept in limbs of nine decimal digits, low first.
const LIMB: u64 = 1_000_000_000;

impl Decimal {
    /// `mantissa · 2^exponent`, exactly.
    pub(super) fn exact(mantissa: u64, exponent: i32) -> Decimal {
        if mantissa == 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        // Without trailing zero bits fewer factors are needed.
        let shift = mantissa.trailing_zeros();
        let (mantissa, exponent) = (mantissa >> shift, exponent + shift as i32);
        let mut limbs = vec![mantissa % LIMB, mantissa / LIMB % LIMB, mantissa / LIMB / LIMB];
        // m·2^-k is m·5^k·10^-k.
        let (base, step) = if exponent >= 0 { (2_u64, 29) } else { (5, 13) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(step);
            multiply(&mut limbs, base.pow(now));
            left -= now;
        }
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        let digits: Vec<u8> = text.trim_start_matches('0').bytes().map(|b| b - b'0').collect();
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point }
    }

    /// Keeps the first `kept` digits, rounding to nearest, ties to even. (A negative count is possible: the number is
    /// then far below the place that counts.)
    pub(super) fn round(&mut self, kept: i32) {
        let Ok(kept) = usize::try_from(kept) else {
            self.digits.clear();
            return;
        };
        let Some((&first, others)) = self.digits.get(kept..).and_then(<[u8]>::split_first) else { return };
        let tie = first == 5 && others.iter().all(|d| *d == 0);
        let odd = kept > 0 && self.digits[kept - 1] % 2 == 1;
        let up = first > 5 || first == 5 && (!tie || odd);
        self.digits.truncate(kept);
        if up {
            self.increment();
        }
    }

    /// Adds one in the last place that is kept.
    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        // All nines (or no digit at all): one more digit.
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// Digit `index` as a character; zeros follow the last one.
    pub(super) fn digit(&self, index: i32) -> u8 {
        usize::try_from(index).ok().and_then(|i| self.digits.get(i)).map_or(b'0', |d| b'0' + d)
    }
}

fn multiply(limbs: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = *limb * factor + carry;
        *limb = product % LIMB;
        carry = product / LIMB;
    }
    while carry > 0 {
        limbs.push(carry % LIMB);
        carry /= LIMB;
    }
}
