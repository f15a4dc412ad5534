//! Runs the tests that the command line names.
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Runs them. With `--exact` there may be several names, as in the standard library's harness; `libtest-mimic` takes
/// one.
pub(crate) fn run(mut trials: Vec<Trial>) -> ExitCode {
    let (names, words) = names(std::env::args());
    trials.retain(|trial| names.is_empty() || names.iter().any(|name| name == trial.name()));
    libtest_mimic::run(&Arguments::from_iter(words), trials).exit_code()
}

/// The names of the tests, and what else is on the command line, if that says `--exact`.
fn names(words: impl Iterator<Item = String>) -> (Vec<String>, Vec<String>) {
    let words: Vec<String> = words.collect();
    if !words.iter().any(|word| word == "--exact") {
        return (Vec::new(), words);
    }
    let mut all = words.into_iter();
    let program = all.next();
    let (options, names): (Vec<String>, Vec<String>) = all.partition(|word| word.starts_with('-'));
    (names, program.into_iter().chain(options).collect())
}
