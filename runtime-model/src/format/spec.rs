//! Directives of a format: position, flags, width, precision, length and conversion.
use super::source::Want;
use interp::hooks::Text;

/// A width or a precision as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    None,
    Number(i32),
    /// `*`
    Argument,
    /// `*2$`
    Position(usize),
}

/// The size of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    /// `l`, `z`, `t`.
    Long,
    /// `ll`, `q`, `j`.
    LongLong,
    /// `L`: a long double, or a long long.
    LongDouble,
}

impl Length {
    /// Bytes of an integer.
    pub(super) fn bytes(self, pointer_bytes: u64) -> u64 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => pointer_bytes,
            Length::LongLong | Length::LongDouble => 8,
        }
    }
}

/// A directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spec {
    /// `2$`: which argument it is for, counted from 1; otherwise it is for the next one.
    pub(super) position: Option<usize>,
    /// `-`
    pub(super) left: bool,
    /// `+`
    pub(super) plus: bool,
    /// A space.
    pub(super) space: bool,
    /// `#`
    pub(super) alternate: bool,
    /// `0`
    pub(super) zero: bool,
    /// As written.
    pub(super) width: Amount,
    /// As written.
    pub(super) precision: Amount,
    /// The width, once `*` is known.
    pub(super) columns: usize,
    /// The precision, once `*` is known.
    pub(super) digits: Option<usize>,
    /// The size of the argument.
    pub(super) length: Length,
    /// The letter.
    pub(super) conversion: u8,
}

/// Why a directive cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// It exists, but not here.
    Unsupported,
    /// It does not exist.
    Invalid,
}

impl Spec {
    /// Reads a directive behind its `%`; the second component is its length.
    pub(super) fn parse(text: &[u8]) -> Result<(Spec, usize), Problem> {
        let mut at = 0;
        let mut spec = Spec {
            position: position(text, &mut at)?,
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: Amount::None,
            precision: Amount::None,
            columns: 0,
            digits: None,
            length: Length::Int,
            conversion: 0,
        };
        while let Some(flag) = text.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                // Digits are not grouped in the C locale.
                b'\'' => {}
                _ => break,
            }
            at += 1;
        }
        spec.width = amount(text, &mut at)?;
        if text.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = match amount(text, &mut at)? {
                Amount::None => Amount::Number(0),
                given => given,
            };
        }
        spec.length = length(text, &mut at);
        spec.conversion = *text.get(at).ok_or(Problem::Invalid)?;
        match (spec.conversion, spec.length) {
            (b'b' | b'B', _) => Err(Problem::Unsupported),
            (b'C' | b'S', _) => {
                spec.conversion = spec.conversion.to_ascii_lowercase();
                spec.length = Length::Long;
                Ok((spec, at + 1))
            }
            (
                b'%' | b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' | b'c' | b's' | b'm' | b'n' | b'f' | b'F' | b'e'
                | b'E' | b'g' | b'G' | b'a' | b'A',
                _,
            ) => Ok((spec, at + 1)),
            _ => Err(Problem::Invalid),
        }
    }

    /// The type of the value that it is for, if it is for one.
    pub(super) fn want(&self, pointer_bytes: u64) -> Option<Want> {
        Some(match self.conversion {
            b'%' | b'm' => return None,
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => Want::Integer(self.length.bytes(pointer_bytes).max(4)),
            b'c' => Want::Integer(4),
            b'p' | b's' | b'n' => Want::Pointer,
            _ if self.length == Length::LongDouble => Want::LongDouble,
            _ => Want::Double,
        })
    }

    /// Appends a text in a field of the wanted width, padded with spaces.
    pub(super) fn pad_text(&self, text: &Text, out: &mut Text) {
        let blanks = Text::Known(vec![b' '; self.columns.saturating_sub(text.len())]);
        if !self.left {
            out.append(&blanks);
        }
        out.append(text);
        if self.left {
            out.append(&blanks);
        }
    }

    /// Appends a number: sign or prefix, zeros up to the width if they are wanted, digits.
    pub(super) fn pad_number(&self, prefix: &[u8], digits: &Text, zeros: bool, out: &mut Text) {
        let mut all = Text::Known(prefix.to_vec());
        if zeros && !self.left {
            let missing = self.columns.saturating_sub(prefix.len() + digits.len());
            all.append(&Text::Known(vec![b'0'; missing]));
        }
        all.append(digits);
        self.pad_text(&all, out);
    }

    /// What stands for the sign of a signed number.
    pub(super) fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }
}

/// Digits or a star.
fn amount(text: &[u8], at: &mut usize) -> Result<Amount, Problem> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        if text.get(*at).is_some_and(u8::is_ascii_digit) {
            return position(text, at)?.map(Amount::Position).ok_or(Problem::Invalid);
        }
        return Ok(Amount::Argument);
    }
    Ok(number(text, at).map_or(Amount::None, Amount::Number))
}

/// `2$`, if that is what comes next.
fn position(text: &[u8], at: &mut usize) -> Result<Option<usize>, Problem> {
    let mut behind = *at;
    match number(text, &mut behind) {
        Some(number) if text.get(behind) == Some(&b'$') => {
            *at = behind + 1;
            usize::try_from(number).ok().filter(|number| *number > 0).map(Some).ok_or(Problem::Invalid)
        }
        _ => Ok(None),
    }
}

/// Digits.
fn number(text: &[u8], at: &mut usize) -> Option<i32> {
    let mut number = None;
    while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
        number = Some(number.unwrap_or(0_i32).saturating_mul(10).saturating_add(i32::from(digit - b'0')));
        *at += 1;
    }
    number
}

fn length(text: &[u8], at: &mut usize) -> Length {
    let (length, len) = match (text.get(*at), text.get(*at + 1)) {
        (Some(b'h'), Some(b'h')) => (Length::Char, 2),
        (Some(b'h'), _) => (Length::Short, 1),
        (Some(b'l'), Some(b'l')) => (Length::LongLong, 2),
        (Some(b'l' | b'z' | b't'), _) => (Length::Long, 1),
        (Some(b'j' | b'q'), _) => (Length::LongLong, 1),
        (Some(b'L'), _) => (Length::LongDouble, 1),
        _ => (Length::Int, 0),
    };
    *at += len;
    length
}
