//! The text of a program's file, as far as witnesses refer to it.
use crate::report::Place;
use sha2::{Digest, Sha256};
use std::io::Error;
use std::path::{Path, PathBuf};

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    /// As it was named.
    pub name: String,
    /// The only path of the file without detours.
    path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub hash: String,
    /// Its content.
    pub text: String,
}

impl Source {
    /// Reads a file.
    pub(super) fn read(input: &Path) -> Result<Source, Error> {
        let bytes = std::fs::read(input)?;
        Ok(Source {
            name: input.display().to_string(),
            path: std::fs::canonicalize(input)?,
            hash: Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    /// Whether a compiler means this file by that name.
    pub(super) fn is(&self, file: &str) -> bool {
        self.name == file || std::fs::canonicalize(file).is_ok_and(|path| path == self.path)
    }

    /// The name that begins at the place.
    pub(super) fn name_at(&self, place: &Place) -> Option<&str> {
        let line = self.text.lines().nth(place.line.checked_sub(1)? as usize)?;
        let rest = line.get(place.column.checked_sub(1)? as usize..)?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        Some(&rest[..end]).filter(|name| name.starts_with(|c: char| !c.is_ascii_digit()))
    }

    /// Whether a statement is seen to begin at the place: behind another one, a brace, or a line that ends in a
    /// condition. Only text on earlier lines and in this line before the place is looked at.
    pub(super) fn begins_statement(&self, place: &Place) -> bool {
        let (Some(lines), Some(column)) = (place.line.checked_sub(1), place.column.checked_sub(1)) else {
            return false;
        };
        let line = self.text.split_inclusive('\n').map(str::len).take(lines as usize).sum::<usize>();
        let Some(text) = self.text.get(..line + column as usize) else { return false };
        let code = code(text);
        let before = code.trim_end();
        // (The head of a loop has semicolons too.)
        let open = before.rsplit(['{', '}']).next().unwrap_or(before);
        let is_first = code[line..].trim().is_empty();
        open.matches('(').count() == open.matches(')').count()
            && (before.ends_with([';', '{', '}']) || is_first && before.ends_with(')'))
    }

    /// The column at which the statement of a place begins, if that is seen in its line.
    pub(super) fn statement_column(&self, place: &Place) -> Option<u32> {
        let line = self.text.lines().nth(place.line.checked_sub(1)? as usize)?;
        let before = line.get(..place.column.checked_sub(1)? as usize)?;
        let from = before.rfind([';', '{', '}']).map_or(0, |last| last + 1);
        let begin = from + line[from..].len() - line[from..].trim_start().len();
        let column = (begin as u32 + 1).min(place.column);
        let first = Place { column, ..place.clone() };
        self.begins_statement(&first).then_some(column)
    }

    /// If a call of a function begins at the place: the column of the parenthesis that ends its arguments, and its
    /// line.
    pub(super) fn end_of_call(&self, place: &Place) -> Option<(u32, u32)> {
        let lines = self.text.lines().skip(place.line.checked_sub(1)? as usize);
        let mut depth = 0_u32;
        let mut quote = None;
        let mut name = false;
        for (line, number) in lines.zip(place.line..) {
            let from = if number == place.line { place.column.checked_sub(1)? as usize } else { 0 };
            let mut escaped = false;
            for (at, byte) in line.bytes().enumerate().skip(from) {
                match (quote, byte) {
                    (Some(_), _) if escaped => escaped = false,
                    (Some(_), b'\\') => escaped = true,
                    (Some(open), _) if open == byte => quote = None,
                    (Some(_), _) => {}
                    (None, b'"' | b'\'') if depth > 0 => quote = Some(byte),
                    (None, b'(') if name => depth += 1,
                    (None, b')') if depth == 1 => return Some((number, at as u32 + 1)),
                    (None, b')') => depth = depth.checked_sub(1)?,
                    (None, _) if depth > 0 => {}
                    (None, b'_' | b'a'..=b'z' | b'A'..=b'Z') => name = true,
                    (None, b'0'..=b'9') if name => {}
                    (None, b' ' | b'\t') if name => {}
                    // Something else than a name and an opening parenthesis.
                    (None, _) => return None,
                }
            }
        }
        None
    }
}

/// The text with spaces for what is in comments and literals, byte for byte.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            quote @ (b'"' | b'\'') => literal(&bytes[at..], quote),
            _ => {
                // The next character, whose bytes belong together.
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
        };
        code[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += length;
    }
    String::from_utf8(code).unwrap_or_else(|_| text.to_owned())
}

/// The number of bytes of the literal that the bytes begin with. It ends with its line at the latest.
fn literal(bytes: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            b'\n' if !escaped => return at,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_calls_end() {
        let text = "int main() {\n  f(1, g(\")\", ')'),\n    2);\n  x = f(3);\n  h ();\n  (*p)();\n  k(";
        let source =
            Source { name: "a.c".to_owned(), path: PathBuf::new(), hash: String::new(), text: text.to_owned() };
        let end = |line, column| {
            let place = Place { file: "a.c".to_owned(), line, column, function: "main".to_owned() };
            source.end_of_call(&place)
        };
        assert_eq!(end(2, 3), Some((3, 6)));
        assert_eq!(end(2, 8), Some((2, 18)));
        assert_eq!(end(4, 3), None, "an assignment");
        assert_eq!(end(4, 7), Some((4, 10)));
        assert_eq!(end(5, 3), Some((5, 6)));
        assert_eq!(end(6, 3), None, "no name");
        assert_eq!(end(7, 3), None, "cut off");
        assert_eq!(end(9, 1), None);
        assert_eq!(end(2, 0), None);
        let begins = |line, column| {
            let place = Place { file: "a.c".to_owned(), line, column, function: "main".to_owned() };
            source.begins_statement(&place)
        };
        assert!(begins(2, 3));
        let column = |line, column| {
            let place = Place { file: "a.c".to_owned(), line, column, function: "main".to_owned() };
            source.statement_column(&place)
        };
        assert_eq!([column(2, 3), column(4, 7), column(4, 3)], [Some(3); 3]);
        assert_eq!(column(3, 5), None, "in the middle of a call");
        assert!(!begins(2, 8) && !begins(3, 5) && !begins(4, 7) && !begins(0, 1) && !begins(2, 0));
        let comments = "/* ( */ f(\"\\\"(\", '('); // (\n  g(é); /* ; */";
        let source = Source { text: comments.to_owned(), ..source.clone() };
        let place = |line, column| Place { file: "a.c".to_owned(), line, column, function: "main".to_owned() };
        assert!(source.begins_statement(&place(2, 3)), "parentheses in literals and comments are none");
        assert_eq!(source.statement_column(&place(1, 9)), None);
        assert_eq!(code(comments).len(), comments.len());
        let source = Source { text: text.to_owned(), ..source };
        let name = |line, column| {
            let place = Place { file: "a.c".to_owned(), line, column, function: "main".to_owned() };
            source.name_at(&place)
        };
        assert_eq!((name(2, 8), name(1, 5), name(2, 5), name(6, 3)), (Some("g"), Some("main"), None, None));
    }
}
