//! Text of programs and files that goes to terminals and logs, which obey what is in it: the words of a failed
//! assertion could erase a line, begin one that reads like a verdict, or be a command of a CI system.
use std::fmt::Write;

/// The text with escapes for control characters, ends of lines included: one line.
pub(crate) fn printable(text: &str) -> String {
    escaped(text, |c| c.is_control())
}

/// The same, but lines and tabs stay.
pub(crate) fn printable_lines(text: &str) -> String {
    escaped(text, |c| c.is_control() && c != '\n' && c != '\t')
}

/// The text without what XML cannot hold.
pub(crate) fn for_xml(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if !is_escaped(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ => drop(write!(out, "\\x{:02x}", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_obeyed() {
        let text = "a\nsafe:\t\x1b[2J\r\u{9b}é\\";
        assert_eq!(printable(text), "a\\nsafe:\\t\\x1b[2J\\r\\x9bé\\");
        assert_eq!(printable_lines(text), "a\nsafe:\t\\x1b[2J\\r\\x9bé\\");
        assert_eq!(for_xml("a\u{ffff}b\u{fffe}"), "ab");
    }
}
