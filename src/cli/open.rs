//! Which inputs of a program may be anything besides those that it asks for: as typed, and what it means.
use crate::request::UsageError;
use clap::Args;
use interp::{Externals, Open, OpenArguments};

/// The most that there may be: arguments, bytes of each, bytes of standard input.
const MOST_ARGUMENTS: u32 = 100;
const MOST_LENGTH: u32 = 4_096;
const MOST_STDIN: i64 = 65_536;

/// Bytes of an argument, if nothing is said.
const USUAL_LENGTH: u32 = 8;

/// The options.
#[derive(Args, Debug)]
pub(crate) struct OpenInputs {
    /// Give main up to MAX arguments of up to LEN bytes each (8 if not said), with any content, behind those that follow `--`.
    #[arg(long, value_name = "[MIN-]MAX[xLEN]", value_parser = arguments, allow_hyphen_values = true, help_heading = "What the program finds")]
    pub symbolic_args: Option<OpenArguments>,

    /// Let standard input be up to N bytes, with any content.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_STDIN), allow_hyphen_values = true, conflicts_with = "stdin", help_heading = "What the program finds")]
    pub symbolic_stdin: Option<u32>,

    /// Functions that nobody defines: a call makes the verdict `unknown`, or is `symbolic`, so that it returns any integer and does
    /// nothing else; or NAME,NAME,…, which do so.
    #[arg(long, value_name = "WHICH", value_parser = externals, default_value = "unknown", help_heading = "What the program finds")]
    pub externals: Externals,
}

impl OpenInputs {
    /// What is open; `symbolic`: inputs may be anything.
    pub(crate) fn meaning(self, symbolic: bool) -> Result<Open, UsageError> {
        let asked = [
            (self.symbolic_args.is_some(), "--symbolic-args"),
            (self.symbolic_stdin.is_some(), "--symbolic-stdin"),
            (self.externals != Externals::Unknown, "--externals"),
        ];
        if let Some((_, name)) = asked.iter().find(|(asked, _)| *asked && !symbolic) {
            return Err(UsageError {
                message: format!("{name} needs symbolic data, and --symbolic off or --nondet says that there is none"),
                hint: format!("leave out {name}, or the other one"),
            });
        }
        Ok(Open { arguments: self.symbolic_args, stdin: self.symbolic_stdin, externals: self.externals })
    }
}

/// `2`, `2x4`, `1-2x4`.
fn arguments(text: &str) -> Result<OpenArguments, String> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let wrong = || "expected how many, and how long: `2`, `2x4` or `1-2x4`".to_owned();
        // (More digits than a number has are too large.)
        if digits { Ok(text.parse().unwrap_or(u32::MAX)) } else { Err(wrong()) }
    };
    let (count, length) = match text.split_once('x') {
        Some((count, length)) => (count, number(length)?),
        None => (text, USUAL_LENGTH),
    };
    let (least, most) = match count.split_once('-') {
        Some((least, most)) => (number(least)?, number(most)?),
        None => (0, number(count)?),
    };
    match (least, most, length) {
        (_, 0, _) => Err("no argument is open: leave the option out".to_owned()),
        _ if most > MOST_ARGUMENTS => Err(format!("there can be {MOST_ARGUMENTS} at most")),
        _ if length > MOST_LENGTH => Err(format!("each can have {MOST_LENGTH} bytes at most")),
        _ if least > most => Err(format!("{least} is more than {most}")),
        _ => Ok(OpenArguments { least, most, length }),
    }
}

fn externals(text: &str) -> Result<Externals, String> {
    match text {
        "unknown" => Ok(Externals::Unknown),
        "symbolic" => Ok(Externals::Symbolic),
        _ => {
            let names: Vec<String> = text.split(',').map(str::to_owned).collect();
            let is_name = |name: &String| {
                let mut bytes = name.bytes();
                let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
                begins && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte))
            };
            match names.iter().find(|name| !is_name(name)) {
                None => Ok(Externals::Named(names)),
                Some(wrong) => {
                    Err(format!("`{wrong}` is no name of a function; expected `unknown`, `symbolic` or NAME,NAME,…"))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_and_how_long() {
        let open = |least, most, length| Ok(OpenArguments { least, most, length });
        assert_eq!(arguments("2"), open(0, 2, 8));
        assert_eq!(arguments("2x4"), open(0, 2, 4));
        assert_eq!(arguments("1-2x4"), open(1, 2, 4));
        assert_eq!(arguments("3-3x0"), open(3, 3, 0));
        assert_eq!(arguments("100x4096"), open(0, 100, 4096));
        for wrong in ["", "x", "-1", "-", "2x", "x3", "2x-1", "1x2x3", "1-", "two", "2-1", "0", "101", "1x4097", "+1"] {
            assert!(arguments(wrong).is_err(), "{wrong}");
        }
        assert!(arguments("99999999999999999999").is_err_and(|why| why.contains("at most")));
    }

    #[test]
    fn names_of_functions() {
        assert_eq!(externals("symbolic"), Ok(Externals::Symbolic));
        assert_eq!(externals("unknown"), Ok(Externals::Unknown));
        assert_eq!(externals("f,_g2"), Ok(Externals::Named(vec!["f".to_owned(), "_g2".to_owned()])));
        for wrong in ["", "f,", "2f", "f g", "f, g"] {
            assert!(externals(wrong).is_err(), "{wrong}");
        }
    }
}
