//! What a program is given from outside in one execution, where that may be anything.
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Arguments, standard input, results of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Given {
    /// The arguments of `main` behind the program's name, if some are open.
    pub args: Option<Vec<Vec<u8>>>,
    /// Standard input as far as it was read, if it is open.
    pub stdin: Option<Vec<u8>>,
    /// What functions return that are not defined, in the order of their calls.
    pub externals: Vec<Returned>,
}

/// What a function returns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Returned {
    /// Its name.
    pub function: String,
    /// As its type has it.
    pub value: i128,
}

impl Given {
    /// In words, a line for each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let args = self.args.iter().flatten().zip(1..);
        let mut lines: Vec<String> = args.map(|(arg, index)| format!("argv[{index}] = {}", literal(arg))).collect();
        if self.args.as_ref().is_some_and(Vec::is_empty) {
            lines.push("no arguments".to_owned());
        }
        lines.extend(self.stdin.iter().map(|bytes| format!("stdin = {}", literal(bytes))));
        let returned = |returned: &Returned| format!("{} returns {}", returned.function, returned.value);
        lines.extend(self.externals.iter().map(returned));
        lines
    }

    /// What a shell is told to give a program these arguments and that input: nothing if there are none.
    pub(crate) fn command(&self) -> Option<String> {
        if self.args.is_none() && self.stdin.is_none() {
            return None;
        }
        let mut line = match self.stdin.as_deref() {
            Some([]) | None => String::new(),
            Some(bytes) => format!("printf {} | ", printf(bytes)),
        };
        line += "./program";
        for arg in self.args.iter().flatten() {
            line.push(' ');
            line += &word(arg);
        }
        if self.stdin.as_ref().is_some_and(Vec::is_empty) {
            line += " </dev/null";
        }
        Some(line)
    }
}

/// As a string of C. (A digit behind an escape would belong to it; octal ones have three digits.)
fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte.into());
            }
            b' '..=b'~' => text.push(byte.into()),
            _ => write!(text, "\\{byte:03o}").expect("a string takes everything"),
        }
    }
    text + "\""
}

/// As the format of `printf`.
fn printf(bytes: &[u8]) -> String {
    let mut text = String::from("'");
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'%' => text += "%%",
            b'\\' => text += "\\\\",
            b'\'' => text += "\\047",
            b'-' if text.len() == 1 => text += "\\055",
            b' '..=b'~' => text.push(byte.into()),
            _ => write!(text, "\\{byte:03o}").expect("a string takes everything"),
        }
    }
    text + "'"
}

/// As a word of bash.
fn word(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let is_shown = |byte: &u8| (b' '..=b'~').contains(byte);
    if bytes.iter().all(|byte| is_shown(byte) && *byte != b'\'') {
        return format!("'{}'", String::from_utf8_lossy(bytes));
    }
    let mut text = String::from("$'");
    for byte in bytes {
        match byte {
            b'\'' | b'\\' => {
                text.push('\\');
                text.push((*byte).into());
            }
            _ if is_shown(byte) => text.push((*byte).into()),
            _ => write!(text, "\\{byte:03o}").expect("a string takes everything"),
        }
    }
    text + "'"
}

/// As text in which each character is a byte: U+0000 to U+00FF.
pub(super) fn characters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn given(args: &[&[u8]], stdin: &[u8]) -> Given {
        let args = Some(args.iter().map(|arg| arg.to_vec()).collect());
        Given { args, stdin: Some(stdin.to_vec()), externals: Vec::new() }
    }

    #[test]
    fn in_words() {
        let mut some = given(&[b"-x", b"\x01" as &[u8], b""], b"a\"\n");
        some.externals.push(Returned { function: "f".to_owned(), value: -3 });
        let lines = ["argv[1] = \"-x\"", r#"argv[2] = "\001""#, "argv[3] = \"\"", r#"stdin = "a\"\n""#, "f returns -3"];
        assert_eq!(some.lines(), lines);
        assert_eq!(given(&[], b"").lines(), ["no arguments", "stdin = \"\""]);
        assert_eq!(Given::default().lines(), [""; 0]);
        assert_eq!(Given::default().command(), None);
    }

    /// A shell hands over what was meant, whatever the bytes are.
    #[test]
    fn a_shell_understands_it() {
        let all: Vec<u8> = (1..=255).collect();
        let with_zero: Vec<u8> = (0..=255).collect();
        let cases = [
            given(&[b"-x", b"", b"a b", b"it's", b"$HOME", b"\\'", &all], &with_zero),
            given(&[b"\xff1"], b"-n\\%s'7"),
            given(&[], b""),
        ];
        for case in cases {
            let line = case.command().expect("there is one");
            let script = r#"./program() { for a; do printf '%s\0' "$a"; done; printf '=\0'; cat; }; "#;
            let run = Command::new("bash").arg("-c").arg(format!("{script}{line}")).output();
            let mut expected: Vec<u8> =
                case.args.iter().flatten().flat_map(|arg| arg.iter().copied().chain([0])).collect();
            expected.extend(b"=\0");
            expected.extend(case.stdin.iter().flatten());
            assert_eq!(run.expect("there is a shell").stdout, expected, "{line}");
        }
    }
}
