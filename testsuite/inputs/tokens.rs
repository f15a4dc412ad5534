//! Mutations of any text: tokens are deleted, doubled, exchanged, or replaced by others from anywhere.

use random::Random;

/// Numbers at the borders of types.
pub(crate) const BORDERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "63",
    "64",
    "127",
    "255",
    "65535",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
];

/// The text in pieces: words with what belongs to names of IR, spaces, and single characters.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || "_.%@!#$".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = kind(c);
        if at > start && (kind == 2 || last != Some(kind)) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(kind);
    }
    tokens.push(&text[start..]);
    tokens
}

/// Changes one token of a text; `other` is where tokens may come from.
pub(crate) fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    let solid: Vec<usize> = (0..tokens.len()).filter(|i| !tokens[*i].trim().is_empty()).collect();
    if solid.is_empty() {
        return text.to_owned();
    }
    let (at, elsewhere) = (random.pick(&solid), random.pick(&solid));
    match random.below(7) {
        0 => tokens[at] = "",
        1 => tokens.insert(at, tokens[at]),
        2 => tokens.swap(at, elsewhere),
        3 => tokens[at] = tokens[elsewhere],
        4 => {
            let others = self::tokens(other);
            tokens[at] = random.pick(&others);
        }
        5 => {
            let numbers: Vec<usize> =
                solid.into_iter().filter(|i| tokens[*i].starts_with(|c: char| c.is_ascii_digit())).collect();
            if !numbers.is_empty() {
                tokens[random.pick(&numbers)] = random.pick(&BORDERS);
            }
        }
        _ => {
            // The same kind of thing: a name for a name, a word for a word.
            let first = |token: &str| token.chars().next().filter(|c| !c.is_alphanumeric());
            let alike: Vec<&str> = solid.iter().map(|i| tokens[*i]).filter(|t| first(t) == first(tokens[at])).collect();
            tokens[at] = random.pick(&alike);
        }
    }
    tokens.concat()
}

/// Changes some bytes: single bits, whole bytes, pieces that are cut out or repeated.
pub(crate) fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u64) as usize;
        let end = (at + 1 + random.below(16) as usize).min(bytes.len());
        match random.below(6) {
            0..3 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = random.number() as u8,
            4 => drop(bytes.drain(at..end)),
            _ => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}
