//! The command line: [`low`], [`apart`], [`certificate`], [`init`], [`pages`], [`replay`], [`svcomp`], [`mod@test`] and
//! [`unfold`] are what was typed, [`names`] its words, [`mod@open`] which inputs may be anything, [`options`] where
//! else it may come from, [`high`] what it means, [`compdb`] how a build compiles.
pub(crate) mod apart;
pub(crate) mod certificate;
pub(crate) mod compdb;
pub(crate) mod high;
pub(crate) mod hunt;
pub(crate) mod init;
pub(crate) mod instead;
mod jobs;
pub(crate) mod low;
pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod options;
pub(crate) mod pages;
pub(crate) mod replay;
mod states;
pub(crate) mod svcomp;
pub(crate) mod test;
pub(crate) mod unfold;

use std::ffi::OsString;

/// Rewrites the spellings that compilers use into ones that the option parser knows: `-std=c11`, `-m32`, a bare `-O`.
///
/// `--cflags` takes everything up to `--`, and the program's arguments follow a `--` too; where both could be meant by
/// one `--`, it is doubled, so that it ends the one and starts the other.
pub(crate) fn compiler_spellings(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut arguments = arguments.into_iter();
    let mut in_cflags = false;
    for argument in arguments.by_ref() {
        if argument == "--" {
            if in_cflags {
                out.push("--".into());
            }
            out.push(argument);
            break;
        }
        if in_cflags {
            out.push(argument);
            continue;
        }
        in_cflags = argument == "--cflags";
        out.push(match argument.to_str() {
            Some("-O") => "-O1".into(),
            Some("-m32") => "--m32".into(),
            Some("-m64") => "--m64".into(),
            Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
            _ => argument,
        });
    }
    out.extend(arguments);
    out
}

#[cfg(test)]
mod tests {
    use super::low::{Arguments, CheckArguments, Command};
    use clap::{CommandFactory, Parser};

    fn parse(line: &str) -> Result<CheckArguments, clap::Error> {
        let words = std::iter::once("verify").chain(line.split_whitespace()).map(Into::into);
        match Arguments::try_parse_from(super::compiler_spellings(words))?.into_command() {
            Command::Check(check) => Ok(*check),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn compilers_spellings() {
        let check = parse("a.c -std=gnu11 -m32 -O -DN=2 -D X -Iinc -I inc2 b.c").unwrap();
        assert_eq!(check.standard.as_deref(), Some("gnu11"));
        assert!(check.m32 && !check.m64);
        assert_eq!(check.optimise.as_deref(), Some("1"));
        assert_eq!(check.defines, ["N=2", "X"]);
        assert_eq!(check.includes, [std::path::Path::new("inc"), std::path::Path::new("inc2")]);
        assert_eq!(check.inputs.len(), 2);
        assert_eq!(parse("a.c -O2").unwrap().optimise.as_deref(), Some("2"));
    }

    #[test]
    fn where_the_program_arguments_begin() {
        for (line, cflags, arguments) in [
            ("a.c", vec![], vec![]),
            ("a.c -- -x 1", vec![], vec!["-x", "1"]),
            ("a.c --cflags -Wall -O2 -std=c99", vec!["-Wall", "-O2", "-std=c99"], vec![]),
            ("a.c --cflags -Wall -- -m32 -- 2", vec!["-Wall"], vec!["-m32", "--", "2"]),
            ("a.c --cflags -- 1", vec![], vec!["1"]),
            ("check a.c --cflags -Wall -- 1", vec!["-Wall"], vec!["1"]),
        ] {
            let check = parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(check.cflags, cflags, "{line}");
            assert_eq!(check.program_arguments, arguments, "{line}");
            assert_eq!(check.inputs, [std::path::Path::new("a.c")], "{line}");
        }
    }

    #[test]
    fn mistakes() {
        for line in [
            "",
            "check",
            "a.c --check race",
            "a.c --alternatives 0",
            "a.c --alternatives many",
            "a.c -m32 -m64",
            "a.c -q -v",
            "a.c --time-limit soon",
            "a.c --memory-limit 3Q",
            "a.c --max-executions 0",
            "a.c --nondet 0",
            "a.c --engine fast",
            "a.c --nonsense",
            "a.c --report json",
            "a.c --report json=",
            "a.c --report paper=out",
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
