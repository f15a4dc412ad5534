//! `verify init` as it was typed.
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  verify init queue.c queue.h              verify.toml, verify/harness.c and .github/workflows/verify.yml
  verify init --ci gitlab src/*.c          the same with .gitlab-ci.yml
  verify init                              for a library that is linked otherwise: see docs/ci.md

Files that are there already stay as they are.";

/// The arguments of `verify init`.
#[derive(Args, Clone, Debug)]
pub(crate) struct InitArguments {
    /// Sources and headers of the library, as seen from its directory.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The directory of the library.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,

    /// For which CI a job is written.
    #[arg(long, value_enum, default_value = "github", value_name = "CI")]
    pub ci: CiName,
}

/// Names for `--ci`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CiName {
    /// GitHub's actions.
    Github,
    /// GitLab's pipelines.
    Gitlab,
    /// No job.
    None,
}
