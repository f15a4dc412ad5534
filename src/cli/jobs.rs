//! How many processors are used.
use crate::request::{Patience, Workers};
use clap::Args;
use std::num::NonZeroUsize;

/// The options about that.
#[derive(Args, Clone, Debug)]
pub(crate) struct JobsArguments {
    /// How many processors to use, with the engines that can, if it takes longer than a moment; `auto` has two engines
    /// side by side.
    #[arg(short, long, value_name = "N", help_heading = "How to explore")]
    pub jobs: Option<NonZeroUsize>,

    /// Do not wait whether it takes longer: for finding mistakes of ours.
    #[arg(long, hide = true, requires = "jobs")]
    pub debug_jobs: bool,
}

impl JobsArguments {
    /// What they mean.
    pub(super) fn meaning(&self) -> Workers {
        match self.jobs {
            Some(jobs) if self.debug_jobs => Workers::Asked(jobs.get(), Patience::None),
            Some(jobs) => Workers::Asked(jobs.get(), Patience::Usual),
            None => Workers::One,
        }
    }
}
