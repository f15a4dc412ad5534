//! Schedules, executed again.
use crate::spinning::Unclear;
use crate::system::{Accesses, Decisions, Livelocks, Move, Rest, System};

/// What a replay came to.
#[derive(Debug)]
pub enum Replayed<F> {
    /// The whole schedule was executed; these faults occurred on the way, each with the number of moves made by then.
    Finished(Vec<(usize, F)>),
    /// Move number `at` is not possible: the schedule is not one of this system.
    Impossible {
        /// Index of the move.
        at: usize,
    },
}

/// Executes a schedule on a system in its initial state. `before` is called before every move, `after` behind it, for
/// reports. What is wrong at its end is part of it.
pub fn replay<S: Livelocks>(
    system: &mut S,
    schedule: &[Move],
    mut before: impl FnMut(&S, Move),
    mut after: impl FnMut(&S, Move),
) -> Replayed<S::Fault> {
    let mut faults = Vec::new();
    faults.extend(system.start().fault.map(|f| (0, *f)));
    let mut variants = Vec::new();
    for (at, &step) in schedule.iter().enumerate() {
        variants.clear();
        feasible_variants(system, step.thread, &mut variants);
        if !variants.iter().any(|v| v.label == step.label) {
            return Replayed::Impossible { at };
        }
        before(system, step);
        let result = system.execute(step.thread, step.label);
        faults.extend(result.fault.map(|f| (at + 1, *f)));
        after(system, step);
    }
    let stuck = (0..system.threads()).all(|t| {
        variants.clear();
        feasible_variants(system, crate::ThreadId(t), &mut variants);
        variants.is_empty()
    });
    if stuck {
        faults.extend(system.ending().1.faults.into_iter().map(|f| (schedule.len(), f)));
    } else {
        let mut spinning = Ok(None);
        if system.looks_for_livelocks() {
            spinning = crate::spinning::spinning(system);
            // (What it has learned concerns explorations, and it does not learn that again.)
            if matches!(spinning, Err(Unclear::Restart)) {
                spinning = crate::spinning::spinning(system);
            }
        }
        let spinning = spinning.ok().flatten().unwrap_or_default();
        let stuck = system.stuck(Rest::Settled(&spinning));
        faults.extend(stuck.faults.into_iter().map(|f| (schedule.len(), f)));
    }
    Replayed::Finished(faults)
}

/// The variants of a thread's pending operation in the current state, appended to `out`. Returns the operation's
/// footprint, nothing if the thread has none.
pub fn current_variants<S: System>(system: &S, thread: crate::ThreadId, out: &mut Vec<crate::Variant>) -> Accesses {
    let Some(operation) = system.operation(thread) else {
        return Accesses::none();
    };
    let footprint = system.footprint(thread, operation);
    let mut words = [0; Accesses::CAPACITY];
    for (word, access) in words.iter_mut().zip(footprint.iter()) {
        *word = system.word(access.object);
    }
    system.variants(thread, operation, &footprint, &words[..footprint.len()], out);
    footprint
}

/// As [`current_variants`], without those variants of a decision that do not exist.
pub(crate) fn feasible_variants<S: Decisions>(
    system: &mut S,
    thread: crate::ThreadId,
    out: &mut Vec<crate::Variant>,
) -> Accesses {
    let from = out.len();
    let footprint = current_variants(system, thread, out);
    if system.operation(thread).is_some_and(|operation| system.is_decision(operation)) {
        let mut index = 0;
        out.retain(|variant| {
            index += 1;
            index <= from || system.is_feasible(thread, variant.label)
        });
    }
    footprint
}
