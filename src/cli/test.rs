//! `verify test` as it was typed.
use super::hunt::accepted;
use super::low::{ColorChoice, ConfigArguments, FailOnName, report_file};
use crate::report::Format;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Shown below the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  verify test                              the harnesses of verify.toml
  verify test tests/ -- --keep-going       every program of a directory; after `--` options for each check
  verify test --jobs 4 --filter queue
  verify test --format junit > verify.xml
  verify test --report sarif=verify.sarif --fail-on violation

Exit codes: 0 all is as expected, 1 a bug or a verdict that is not the expected one, 2 a check could not be done,
3 unknown. docs/ci.md describes verify.toml and how to run this in CI.";

/// Everything that `verify test` takes.
#[derive(Args, Debug)]
pub(crate) struct TestArguments {
    /// Programs, directories with programs, or lists of programs, one on each line; by default the harnesses of
    /// verify.toml.
    #[arg(value_name = "DIR|LIST|FILE")]
    pub inputs: Vec<PathBuf>,

    /// Options for each check.
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<String>,

    /// How many checks at once; by default as many as there are processors.
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Only those whose names contain this; may be repeated.
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,

    /// Print the names, and check nothing.
    #[arg(long)]
    pub list: bool,

    /// How the result of all is written: text, json, junit, github or sarif.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,

    /// Write the result to a file as well, in any of these formats; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report_file::<Format>, help_heading = "Output")]
    pub reports: Vec<(Format, PathBuf)>,

    /// Take an "unknown" that is due to limits for passed where a proof is expected, if all schedules with at most so
    /// many preemptions were taken: `preemptions=3`.
    #[arg(long, value_name = "preemptions=N", value_parser = accepted)]
    pub accept: Option<u32>,

    /// Which outcomes make the exit code another one than 0, separated by commas.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "violation,unknown",
        value_name = "VERDICTS",
        help_heading = "Output"
    )]
    pub fail_on: Vec<FailOnName>,

    /// When to use colours.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,

    /// Say nothing of what is as expected.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten)]
    pub config: ConfigArguments,
}
