//! How many processors are used.
use crate::request::{Patience, Workers};
use clap::Args;
use std::num::NonZeroUsize;

/// The options about that.
#[derive(Args, Clone, Debug)]
pub(crate) struct JobsArguments {
    /// How many processors to use, if it takes longer than a moment: engines divide the work, or explore side by side;
    /// `auto` (the default) uses all, if it takes longer than two seconds.
    #[arg(short, long, value_name = "N", value_parser = number, help_heading = "How to explore")]
    pub jobs: Option<Number>,

    /// Do not wait whether it takes longer: for finding mistakes of ours.
    #[arg(long, hide = true, requires = "jobs")]
    pub debug_jobs: bool,
}

/// A number of processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    /// All that there are.
    Auto,
    /// So many.
    Of(NonZeroUsize),
}

fn number(text: &str) -> Result<Number, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(Number::Auto),
        (_, Ok(number)) => Ok(Number::Of(number)),
        (_, Err(_)) => Err("it is neither `auto` nor a number from 1 on".to_owned()),
    }
}

impl JobsArguments {
    /// What they mean.
    pub(super) fn meaning(&self) -> Workers {
        let (most, patience) = match self.jobs {
            Some(Number::Of(jobs)) => (jobs.get(), Patience::Moment),
            Some(Number::Auto) | None => {
                (std::thread::available_parallelism().map_or(1, NonZeroUsize::get), Patience::Long)
            }
        };
        let is_asked = patience == Patience::Moment;
        Workers { most, patience: if self.debug_jobs { Patience::None } else { patience }, is_asked }
    }
}
