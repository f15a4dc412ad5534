//! Unfolds a net in a thread of its own, while this one keeps an eye on limits and signals and shows progress.
use super::questions::{Answer, Question};
use crate::driver::{self, Progress, Signals};
use crate::report::Reason;
use crate::request::Limits;
use crate::units::{show_bytes, show_count};
use por::nets::{EnrichedPrefix, Net, NotSafe, UnfoldEnd, UnfoldOptions, UnfoldStatistics, unfold as unfold_net};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is to be done, and what it may take.
pub(super) struct Task {
    pub(super) options: UnfoldOptions,
    /// What is asked about the prefix.
    pub(super) questions: Vec<Question>,
    /// Events without ⊥.
    pub(super) max_events: Option<u64>,
    pub(super) limits: Limits,
    /// Show no progress.
    pub(super) quiet: bool,
}

/// What was done.
pub(super) struct Worked {
    /// None if the unfolder did not answer in time, or broke.
    pub(super) prefix: Option<EnrichedPrefix<'static>>,
    pub(super) end: Ended,
    pub(super) statistics: UnfoldStatistics,
    /// One for each question.
    pub(super) answers: Vec<Answer>,
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// The prefix is complete.
    Complete,
    /// The last history of the prefix, without the cutoffs, is one of the transition that was looked for.
    Reached,
    /// There are more events than were wanted.
    Events(u64),
    /// A limit that is measured from outside, a signal, or a fault of ours.
    Stopped(Reason),
    /// The prefix is complete, but not all questions were answered before such a thing.
    Unanswered(Reason),
}

/// What both threads know.
#[derive(Default)]
struct Shared {
    statistics: Mutex<UnfoldStatistics>,
    stop: AtomicBool,
}

impl Shared {
    fn statistics(&self) -> UnfoldStatistics {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, statistics: &UnfoldStatistics) {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner) = *statistics;
    }
}

/// Unfolds a net; or says that it is not 1-safe.
pub(super) fn unfold(
    net: &'static Net,
    task: &Task,
    started: Instant,
    signals: &Signals,
) -> std::io::Result<Result<Worked, NotSafe>> {
    let shared = Arc::new(Shared::default());
    driver::keep_quiet();
    let (theirs, options, max_events) = (Arc::clone(&shared), task.options, task.max_events);
    let questions = task.questions.clone();
    let receiver = driver::start(move || {
        let (prefix, end) = unfold_net(net, options, &mut |statistics| {
            theirs.set(statistics);
            // What has nothing left to do is complete, whatever limit it has met.
            statistics.waiting == 0 || !(theirs.stop.load(Ordering::Relaxed) || too_many(statistics, max_events))
        })?;
        let stop = || theirs.stop.load(Ordering::Relaxed);
        let answer = |question: &Question| match stop() {
            true => Answer::Unknown,
            false => question.answer(&prefix, end == UnfoldEnd::Complete, &stop),
        };
        let answers: Vec<Answer> = questions.iter().map(answer).collect();
        Ok((prefix, end, answers))
    })?;
    let mut progress = Progress::new(task.quiet);
    let ended = driver::wait(
        &task.limits,
        started,
        signals,
        &receiver,
        &shared.stop,
        |_| false,
        || {
            progress.show(|elapsed| line(&shared.statistics(), elapsed));
        },
    );
    progress.finish();
    let statistics = shared.statistics();
    let stopped = || match (ended.reason.clone(), task.max_events) {
        (Some(reason), _) => Ended::Stopped(reason),
        (None, Some(most)) => Ended::Events(most),
        (None, None) => Ended::Stopped(Reason::Internal("the unfolding ended without a reason".to_owned())),
    };
    Ok(match ended.result {
        Some(Err(not_safe)) => Err(not_safe),
        Some(Ok((prefix, end, answers))) => {
            let end = match end {
                UnfoldEnd::Complete => match ended.reason.clone() {
                    Some(reason) if answers.contains(&Answer::Unknown) => Ended::Unanswered(reason),
                    _ => Ended::Complete,
                },
                UnfoldEnd::Reached => Ended::Reached,
                UnfoldEnd::Interrupted => stopped(),
            };
            Ok(Worked { prefix: Some(prefix), end, statistics, answers })
        }
        None => {
            let answers = vec![Answer::Unknown; task.questions.len()];
            Ok(Worked { prefix: None, end: stopped(), statistics, answers })
        }
    })
}

/// Whether there are more events than were wanted.
fn too_many(statistics: &UnfoldStatistics, most: Option<u64>) -> bool {
    most.is_some_and(|most| statistics.events.saturating_sub(1) > most)
}

/// Where the unfolding is.
fn line(statistics: &UnfoldStatistics, elapsed: Duration) -> String {
    format!(
        "{} events, {} histories, {} cutoffs, {} waiting, depth {}, {} s, {}",
        show_count(statistics.events.saturating_sub(1)),
        show_count(statistics.histories.saturating_sub(1)),
        show_count(statistics.cutoffs),
        show_count(statistics.waiting),
        show_count(statistics.depth),
        elapsed.as_secs(),
        show_bytes(statistics.bytes),
    )
}
