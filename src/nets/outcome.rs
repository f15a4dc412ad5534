//! What came of unfolding a net: how it ended, and its counts, as every format tells them.
use super::ask::{Answered, Asked};
use super::questions::Answer;
use super::work::{Ended, Worked};
use super::{encoding, names};
use crate::cli::unfold::{NetOrderName, UnfoldArguments};
use crate::driver;
use crate::report::Reason;
use crate::units::show_count;
use por::nets::{Encoding, EnrichedPrefix, Net, TransitionId, UnfoldStatistics};
use std::time::Instant;

/// What came of it.
pub(super) struct Outcome {
    /// The net's file.
    pub(super) file: String,
    /// The net as it was unfolded.
    pub(super) net: &'static Net,
    pub(super) encoding: Encoding,
    pub(super) order: NetOrderName,
    /// The transition that was to be reached.
    pub(super) stop_at: Option<String>,
    pub(super) end: End,
    pub(super) statistics: Statistics,
    pub(super) answers: Vec<Answered>,
    /// None if the unfolding was stopped in the middle of a step.
    pub(super) prefix: Option<EnrichedPrefix<'static>>,
}

/// How it ended.
pub(super) enum End {
    /// The prefix is complete.
    Complete,
    /// This run ends with the transition that was to be reached.
    Reached(Vec<TransitionId>),
    /// It was stopped before.
    Stopped {
        /// Why, in a few words.
        reason: String,
        /// What to do about it.
        hint: Option<&'static str>,
        /// The prefix is complete; only questions were left.
        complete: bool,
    },
}

/// Counts as papers have them, without ⊥.
pub(super) struct Statistics {
    pub(super) events: u64,
    /// With the initial ones; unknown without a prefix.
    pub(super) conditions: Option<u64>,
    pub(super) histories: u64,
    pub(super) cutoffs: u64,
    /// Events of the largest history.
    pub(super) depth: u64,
    pub(super) concurrent_pairs: u64,
    pub(super) seconds: f64,
    pub(super) peak_memory_bytes: u64,
}

impl Outcome {
    pub(super) fn new(
        typed: &UnfoldArguments,
        net: &'static Net,
        worked: Worked,
        asked: Vec<Asked>,
        started: Instant,
    ) -> Self {
        let Worked { prefix, end, statistics, answers } = worked;
        let end = match end {
            Ended::Complete => End::Complete,
            Ended::Reached => {
                let last = prefix.as_ref().and_then(|prefix| Some(prefix.run([prefix.kept().last()?])));
                End::Reached(last.expect("the history that reaches it is the last one"))
            }
            Ended::Events(most) => {
                let events = if most == 1 { "event" } else { "events" };
                let reason = format!("limit of {} {events} exceeded", show_count(most));
                End::Stopped { reason, complete: false, hint: Some("raise --max-events, or leave it out") }
            }
            Ended::Stopped(reason) => End::Stopped { reason: reason.to_string(), hint: hint(&reason), complete: false },
            Ended::Unanswered(reason) => {
                End::Stopped { reason: reason.to_string(), hint: hint(&reason), complete: true }
            }
        };
        Outcome {
            file: typed.net.display().to_string(),
            net,
            encoding: encoding(typed.encoding),
            order: typed.order,
            stop_at: typed.stop_at.as_deref().map(names::shown),
            end,
            statistics: Statistics::new(&statistics, prefix.as_ref(), started),
            answers: asked.into_iter().zip(answers).collect(),
            prefix,
        }
    }

    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        let any = |found: fn(&Answer) -> bool| self.answers.iter().any(|(_, answer)| found(answer));
        match self.end {
            End::Reached(_) => 1,
            _ if any(|answer| matches!(answer, Answer::Yes(_))) => 1,
            End::Stopped { .. } => 3,
            End::Complete => 0,
        }
    }

    /// How it ended, in one word.
    pub(super) fn word(&self) -> &'static str {
        match self.end {
            End::Complete => "complete",
            End::Reached(_) => "reached",
            End::Stopped { .. } => "stopped",
        }
    }

    /// The order as the command line names it.
    pub(super) fn order_name(&self) -> &'static str {
        match self.order {
            NetOrderName::Erv => "erv",
            NetOrderName::Mcmillan => "mcmillan",
            NetOrderName::ErvWords => "erv-words",
        }
    }

    /// The encoding as the command line names it.
    pub(super) fn encoding_name(&self) -> &'static str {
        match self.encoding {
            Encoding::Contextual => "contextual",
            Encoding::Loops => "loops",
            Encoding::Replication => "replication",
        }
    }
}

impl Statistics {
    fn new(counted: &UnfoldStatistics, prefix: Option<&EnrichedPrefix<'_>>, started: Instant) -> Self {
        let depth = prefix.map(|prefix| prefix.histories().map(|history| prefix.size(history)).max().unwrap_or(0));
        Statistics {
            events: counted.events.saturating_sub(1),
            conditions: prefix.map(|prefix| prefix.conditions() as u64),
            histories: counted.histories.saturating_sub(1),
            cutoffs: counted.cutoffs,
            depth: depth.map_or(counted.depth, u64::from),
            concurrent_pairs: counted.concurrent,
            seconds: started.elapsed().as_secs_f64(),
            peak_memory_bytes: driver::peak_memory(),
        }
    }
}

fn hint(reason: &Reason) -> Option<&'static str> {
    match reason {
        Reason::TimeLimit(_) => Some("raise --time-limit, or leave it out"),
        Reason::MemoryLimit(_) => Some("raise --memory-limit, or leave it out"),
        Reason::Internal(_) => Some("this is a fault of verify, not of your net; please report it"),
        _ => None,
    }
}
