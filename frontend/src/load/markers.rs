//! Line markers: what a preprocessor leaves behind to say where a line came from (`# 12 "file.c"`, `#line 12`).
//!
//! Compilers report places in the files that the markers name. If the places of the file itself are wanted, there is a
//! copy in which each marker is an empty line, so that no line moves.

/// The source without its markers; nothing if it has none.
pub(super) fn blanked(source: &[u8]) -> Option<Vec<u8>> {
    let mut found = false;
    let mut copy = Vec::with_capacity(source.len());
    let mut continued = false;
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        // What continues the line before is part of a string or of a macro.
        if !continued && is_marker(text) {
            found = true;
            copy.extend_from_slice(&line[text.len()..]);
        } else {
            copy.extend_from_slice(line);
        }
        continued = text.ends_with(b"\\");
    }
    found.then_some(copy)
}

fn is_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_where_they_are() {
        let source = b"# 1 \"a.c\"\nint x;\n  #line 7\r\n#pragma pack(1)\n#define A \\\n# 3\n# 1 \"b.c\" 3 4";
        let copy = b"\nint x;\n\r\n#pragma pack(1)\n#define A \\\n# 3\n";
        assert_eq!(blanked(source).as_deref(), Some(&copy[..]));
        assert_eq!(blanked(b"#ifdef linear\n# define X 1\n#endif"), None);
    }
}
