//! `verify svcomp` as it was typed.
use crate::units;
use clap::{Args, ValueEnum};
use frontend::ir::DataModel;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Shown below the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  verify svcomp --property unreach-call.prp --data-model ILP32 task.i
  verify svcomp task.yml                    every property of a task definition
  verify svcomp --jobs 2 --time-limit 60 --results today.jsonl tasks/

The last line is `SV-COMP result: ` and true, false(…) or unknown. Exit codes: 0 true, 1 false, 2 usage error, 3 unknown; for
task definitions 0 if no answer is wrong, else 1. docs/svcomp.md has the rules.";

/// Everything that `verify svcomp` takes.
#[derive(Args, Debug)]
pub(crate) struct SvcompArguments {
    /// The program's files, or task definitions (.yml) and directories with such.
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// The property file: what has to be shown (with task definitions: the only one to look at).
    #[arg(long, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of the target.
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL")]
    pub data_model: Option<DataModelName>,

    /// Let each __VERIFIER_nondet_ function for integers return every value from 0 to N-1, instead of any, as symbolic
    /// data. A violation found so is one; if there is none, and values were left out, the answer is unknown.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nondet: Option<u32>,

    /// Where to write the witnesses witness.graphml and witness.yml: by default here; for task definitions nowhere.
    #[arg(long, value_name = "DIR")]
    pub witness_dir: Option<PathBuf>,

    /// Write no witnesses.
    #[arg(long, conflicts_with = "witness_dir")]
    pub no_witness: bool,

    /// The clang to use, a name or a path.
    #[arg(long, value_name = "NAME")]
    pub clang: Option<String>,

    /// Stop after this time: 30s, 5m, 1h30m.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub time_limit: Option<Duration>,

    /// Stop after this much time of the processor.
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Limits")]
    pub cpu_limit: Option<Duration>,

    /// Use no more memory than this: 200M, 4G.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// How many runs at once.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Task definitions")]
    pub jobs: NonZeroUsize,

    /// Keep results in this file, and do not repeat those that are there already.
    #[arg(long, value_name = "FILE", help_heading = "Task definitions")]
    pub results: Option<PathBuf>,
}

/// Names for `--data-model`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DataModelName {
    /// `int`, `long` and pointers have 32 bits.
    #[value(name = "ILP32")]
    Ilp32,
    /// `long` and pointers have 64 bits.
    #[value(name = "LP64")]
    Lp64,
}

impl From<DataModelName> for DataModel {
    fn from(name: DataModelName) -> Self {
        match name {
            DataModelName::Ilp32 => DataModel::Ilp32,
            DataModelName::Lp64 => DataModel::Lp64,
        }
    }
}
