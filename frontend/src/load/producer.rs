//! Which version of LLVM wrote a file of bitcode.
//!
//! LLVM reads bitcode of older versions, not of newer ones: it may reject them, with or without naming the versions, or
//! read them wrongly. So the version is looked up first. It stands in the very first block, as a string of six bits for
//! each character, which may start at any bit and follows its length.

/// The version in the head of a file, such as `22.1.8`, if it is there in the usual form.
pub(super) fn version(head: &[u8]) -> Option<String> {
    let bits = |at: usize| -> Option<u8> {
        let byte = |index: usize| head.get(index).map(|byte| u16::from(*byte));
        let pair = byte(at / 8)? | byte(at / 8 + 1)? << 8;
        Some((pair >> (at % 8)) as u8 & 63)
    };
    let character = |at: usize| bits(at).map(|code| char::from(CHARACTERS[usize::from(code)]));
    let start = (6..8 * head.len()).find(|&at| {
        let expected = "LLVM".chars().enumerate();
        expected.into_iter().all(|(index, expected)| character(at + 6 * index) == Some(expected))
    })?;
    let length = usize::from(bits(start - 6)?);
    (4..length).map(|index| character(start + 6 * index)).collect()
}

/// The characters of bitcode's six-bit strings, in the order of their codes.
const CHARACTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// The major version in a version or in what follows it.
pub(super) fn major(version: &str) -> Option<u32> {
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_at_any_bit() {
        let mut string = vec![10u8];
        for wanted in b"LLVM22.1.8" {
            string.extend(CHARACTERS.iter().position(|character| character == wanted).map(|code| code as u8));
        }
        for shift in 0..9 {
            let mut head = vec![0u8; 24];
            for (index, code) in string.iter().enumerate() {
                for bit in 0..6 {
                    let at = 32 + shift + 6 * index + bit;
                    head[at / 8] |= (code >> bit & 1) << (at % 8);
                }
            }
            assert_eq!(version(&head).as_deref(), Some("22.1.8"), "{shift}");
        }
    }

    #[test]
    fn absent_or_cut_off() {
        assert_eq!(version(b"BC\xc0\xde"), None);
        assert_eq!(version(&[0; 200]), None);
        assert_eq!(version(b""), None);
    }

    #[test]
    fn major_versions() {
        assert_eq!(major("22.1.8"), Some(22));
        assert_eq!(major("19git"), Some(19));
        assert_eq!(major("git"), None);
    }
}
