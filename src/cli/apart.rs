//! `verify coordinate` and `verify work` as they were typed.
use super::low::CheckArguments;
use crate::units;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Shown below the help of `coordinate`.
pub(crate) const COORDINATE: &str = "\
Examples:
  verify coordinate --dir jobs prog.c       jobs appear in jobs/jobs, results are expected in jobs/results
  verify coordinate --dir jobs --resume prog.c
  scripts/cluster/any.sh 4 jobs prog.c      both sides, with four workers on this machine

It does none of the jobs. `verify work` does one; what runs that, and where, is up to you: docs/cluster.md has examples
for Dask, HyperQueue, and any other scheduler. Exit codes: 0 safe, 1 a bug was found, 2 usage or input error, 3 unknown.";

/// Shown below the help of `work`.
pub(crate) const WORK: &str = "\
Examples:
  verify work --program jobs/program --job jobs/jobs/7.job --out jobs/results/7.out

A job may be done twice, here or on another machine: the first result counts. Exit codes: 0 the result was written, 2 the
job is refused (it is of another version of verify, or of another program), 3 a limit or a signal ended it, and it is to be
done again. docs/cluster.md has more.";

/// Everything that `verify coordinate` takes.
#[derive(Args, Debug)]
pub(crate) struct CoordinateArguments {
    /// Where jobs and results are: an empty directory, or one that does not exist yet.
    #[arg(long, value_name = "DIR", help_heading = "The jobs")]
    pub dir: PathBuf,

    /// How long a job takes, if there is more to do.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration, help_heading = "The jobs")]
    pub budget: Duration,

    /// How many jobs there are at a time, at most; by default twice as many as this machine has processors.
    #[arg(long, value_name = "N", help_heading = "The jobs")]
    pub tasks: Option<NonZeroUsize>,

    /// The program, and what is asked about it.
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Everything that `verify work` takes.
#[derive(Args, Debug)]
pub(crate) struct WorkArguments {
    /// The program: the file `program` in the directory of the jobs.
    #[arg(long, value_name = "FILE")]
    pub program: PathBuf,

    /// The job.
    #[arg(long, value_name = "FILE")]
    pub job: PathBuf,

    /// Where to write what came of it.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// End without a result after this time: 30s, 5m, 1h30m.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time_limit: Option<Duration>,

    /// End without a result rather than use more memory than this: 200M, 4G.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory_limit: Option<u64>,
}
