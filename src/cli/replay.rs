//! `verify replay` as it was typed.
use super::low::{ColorChoice, report_file};
use crate::report::Format;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Shown below the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  verify prog.c --save-trace bug.trace      if there is a bug, its schedule is saved
  verify replay bug.trace                   the same report, without the search
  verify replay --format json bug.trace
  verify replay --native bug.trace          the real program, made to take that schedule
  verify replay --native --gdb bug.trace    the same in a debugger

Exit codes: 1 the bug shows again, 2 usage or input error (such as a program that has changed), 3 the real program
cannot be made to show it. docs/replay.md has more.";

/// Everything that `verify replay` takes.
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// What --save-trace wrote.
    #[arg(value_name = "FILE")]
    pub trace: PathBuf,

    /// Only this violation of those in the file (with --native: the first one by default).
    #[arg(long, value_name = "N")]
    pub violation: Option<NonZeroUsize>,

    /// Try it even if the program or verify has changed.
    #[arg(long)]
    pub force: bool,

    /// Let the file have clang do whatever it says there.
    #[arg(long)]
    pub trust: bool,

    /// Where the paths of the saved command line begin; by default where it was given, if that is still there.
    #[arg(short = 'C', long, value_name = "DIR")]
    pub directory: Option<PathBuf>,

    /// Run the real program, compiled by clang, under a scheduler that enforces the schedule.
    #[arg(long, conflicts_with_all = ["format", "reports"], help_heading = "The real program")]
    pub native: bool,

    /// Run it in gdb.
    #[arg(long, requires = "native", help_heading = "The real program")]
    pub gdb: bool,

    /// Keep the executable, and what its scheduler reads, in this directory.
    #[arg(long, value_name = "DIR", requires = "native", help_heading = "The real program")]
    pub keep: Option<PathBuf>,

    /// How the result is written.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,

    /// Write the result to a file as well, in any of these formats; may be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report_file::<Format>, help_heading = "Output")]
    pub reports: Vec<(Format, PathBuf)>,

    /// When to use colours.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,

    /// Say more: the stack of every thread.
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,

    /// Say less: one line for each violation.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}
