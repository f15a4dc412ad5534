//! Which inputs of a program may be anything besides those that it asks for: as typed, and what it means.
use crate::request::UsageError;
use clap::Args;
use interp::{External, Externals, Open, OpenArguments};

/// The most that there may be: arguments, bytes of each, bytes of standard input.
const MOST_ARGUMENTS: u32 = 100;
const MOST_LENGTH: u32 = 4_096;
const MOST_STDIN: i64 = 65_536;

/// Bytes of an argument, if nothing is said.
const USUAL_LENGTH: u32 = 8;

/// The options.
#[derive(Args, Debug)]
pub(crate) struct OpenInputs {
    /// Give main up to MAX arguments of up to LEN bytes each (8 if not said), with any content, behind those that
    /// follow `--`.
    #[arg(long, value_name = "[MIN-]MAX[xLEN]", value_parser = arguments, allow_hyphen_values = true, help_heading = "What the program finds")]
    pub symbolic_args: Option<OpenArguments>,

    /// Let standard input be up to N bytes, with any content.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_STDIN), allow_hyphen_values = true, conflicts_with = "stdin", help_heading = "What the program finds")]
    pub symbolic_stdin: Option<u32>,

    /// What functions do that nothing defines, besides returning: NAME=any (the result is any integer), NAME=zero or
    /// NAME=noop (it has none); `*` stands for all but those of the C library. A call of another one makes the verdict
    /// unknown.
    #[arg(long, visible_alias = "extern", value_name = "NAME=WHAT", value_delimiter = ',', value_parser = external, help_heading = "What the program finds")]
    pub externals: Vec<ExternalWord>,
}

/// A word of `--externals`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ExternalWord {
    /// Nothing is said.
    Unknown,
    /// What all do of which nothing else is said.
    Others(External),
    /// What that one does.
    Named(String, External),
}

impl OpenInputs {
    /// What is open; `symbolic`: inputs may be anything.
    pub(crate) fn meaning(self, symbolic: bool) -> Result<Open, UsageError> {
        let mut externals = Externals::default();
        for word in self.externals {
            match word {
                ExternalWord::Unknown => externals = Externals::default(),
                ExternalWord::Others(external) => externals.others = Some(external),
                ExternalWord::Named(name, external) => {
                    externals.named.retain(|(known, _)| *known != name);
                    externals.named.push((name, external));
                }
            }
        }
        let asked = [
            (self.symbolic_args.is_some(), "--symbolic-args"),
            (self.symbolic_stdin.is_some(), "--symbolic-stdin"),
            (externals.has_any(), "--externals"),
        ];
        if let Some((_, name)) = asked.iter().find(|(asked, _)| *asked && !symbolic) {
            return Err(UsageError {
                message: format!("{name} needs symbolic data, and --symbolic off or --nondet says that there is none"),
                hint: format!("leave out {name}, or the other one"),
            });
        }
        Ok(Open { arguments: self.symbolic_args, stdin: self.symbolic_stdin, externals })
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

/// `unknown`, `symbolic` (which is `*=any`), `NAME` (which is `NAME=any`), `NAME=WHAT`.
fn external(text: &str) -> Result<ExternalWord, String> {
    let (name, what) = match text {
        "unknown" => return Ok(ExternalWord::Unknown),
        "symbolic" => return Ok(ExternalWord::Others(External::Any)),
        _ => text.split_once('=').unwrap_or((text, "any")),
    };
    let external = match what {
        "any" => External::Any,
        "zero" => External::Zero,
        "noop" => External::Nothing,
        _ => return Err(format!("`{what}` is nothing that a function does; expected `any`, `zero` or `noop`")),
    };
    let mut bytes = name.bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match begins && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte)) {
        _ if name == "*" => Ok(ExternalWord::Others(external)),
        true => Ok(ExternalWord::Named(name.to_owned(), external)),
        false => Err(format!("`{name}` is no name of a function; expected NAME=any, NAME=zero or NAME=noop")),
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
        let named = |name: &str, external| Ok(ExternalWord::Named(name.to_owned(), external));
        assert_eq!(external("symbolic"), Ok(ExternalWord::Others(External::Any)));
        assert_eq!(external("*=zero"), Ok(ExternalWord::Others(External::Zero)));
        assert_eq!(external("unknown"), Ok(ExternalWord::Unknown));
        assert_eq!(external("f"), named("f", External::Any));
        assert_eq!(external("_g2=noop"), named("_g2", External::Nothing));
        for wrong in ["", "2f", "f g", " g", "f=", "f=one", "=zero", "*f=any"] {
            assert!(external(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_said_last_counts() {
        let words = |text: &str| text.split(',').map(|word| external(word).unwrap()).collect();
        let meaning = |text| {
            let open = OpenInputs { symbolic_args: None, symbolic_stdin: None, externals: words(text) };
            open.meaning(false).map(|open| open.externals)
        };
        let named = |name: &str, external| (name.to_owned(), external);
        let two = Externals { named: vec![named("g", External::Nothing), named("f", External::Zero)], others: None };
        assert_eq!(meaning("f=noop,g=noop,f=zero"), Ok(two));
        assert_eq!(meaning("*=zero,unknown"), Ok(Externals::default()));
        assert!(meaning("f=zero,g=any").is_err(), "without symbolic data nothing is any value");
    }
}
