//! How many processors are used.
use crate::report::Format;
use crate::request::{Patience, Workers};
use clap::Args;
use std::num::NonZeroUsize;

/// The options about that.
#[derive(Args, Clone, Debug)]
pub(crate) struct JobsArguments {
    /// How many processors to use, with the engines that can: by default all of them, if it takes longer than a moment.
    #[arg(short, long, value_name = "N", help_heading = "How to explore")]
    pub jobs: Option<NonZeroUsize>,

    /// Do not wait whether it takes longer: for finding mistakes of ours.
    #[arg(long, hide = true, requires = "jobs")]
    pub debug_jobs: bool,
}

impl JobsArguments {
    /// What they mean where reports are written in that format.
    pub(super) fn meaning(&self, format: Format) -> Workers {
        match self.jobs {
            Some(jobs) if self.debug_jobs => Workers::Asked(jobs.get(), Patience::None),
            Some(jobs) => Workers::Asked(jobs.get(), Patience::Usual),
            // (What started this process as one of many has other work for the processors.)
            None if format == Format::Transfer => Workers::One,
            None => Workers::Usual,
        }
    }
}
