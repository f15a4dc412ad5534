//! What is to be made of what an engine finds.
use crate::config::suppress::Suppression;
use crate::request::{AfterBug, Request};
use serde::{Deserialize, Serialize};

/// What a recorder has to know of what was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    /// What happens after a bug.
    pub after_bug: AfterBug,
    /// What the program prints belongs to a bug.
    pub keep_output: bool,
    /// Bugs that are not to be reported.
    pub suppressions: Vec<Suppression>,
    /// Schedules are to be saved.
    pub records: bool,
}

impl Wanted {
    /// What a request says of that.
    pub(crate) fn of(request: &Request) -> Self {
        Wanted {
            after_bug: request.after_bug,
            keep_output: request.output.program_output,
            suppressions: request.suppressions.to_vec(),
            records: request.save_trace.is_some(),
        }
    }
}
