//! Workers that take turns in one thread, for tests: what happens can be repeated.
use super::Explored;
use super::voice::{Ear, Voice};
use crate::dpor::{Job, Walk};
use crate::listener::Told;
use crate::options::{Engine, Options};
use crate::statistics::Statistics;
use crate::system::{Companions, Explorable};
use crate::{Listener, Outcome};

/// Explores with so many workers, which take turns: `decide(n)` gives a number below `n`, and thus says whose turn it
/// is, when a job is given away or given up, and which one is taken. The engine is one that can have several workers.
///
/// # Panics
/// With another engine.
pub fn simulate<S, L>(
    system: &mut S,
    options: &Options,
    listener: &mut L,
    workers: usize,
    decide: impl FnMut(usize) -> usize,
) -> Explored
where
    S: Explorable + Companions,
    L: Listener<S>,
{
    let Engine::Dpor(reduction) = options.engine else { panic!("this engine has one worker only") };
    system.prepare(options.needs());
    let pristine = system.clone();
    let ear = Ear::new::<S>(listener);
    let mut voices: Vec<Voice<'_, '_, L>> = (0..workers).map(|worker| ear.voice(worker)).collect();
    let mut voices: Vec<Told<'_, S>> = voices.iter_mut().map(|voice| Told::new(voice)).collect();
    let (first_voice, other_voices) = voices.split_first_mut().expect("there is a worker");
    let mut first = Walk::new(system, options, reduction, first_voice);
    let starts: Result<Vec<_>, String> = (1..workers).map(|_| first.companion(pristine.clone())).collect();
    let (mut systems, rest, alone) = match starts {
        Ok(starts) => {
            let (systems, rest): (Vec<S>, Vec<_>) = starts
                .into_iter()
                .map(|start| {
                    let (system, table, ends) = start.split();
                    (system, (table, ends))
                })
                .unzip();
            (systems, rest, None)
        }
        Err(reason) => (Vec::new(), Vec::new(), Some(reason)),
    };
    let mut walks = vec![first];
    let others = systems.iter_mut().zip(other_voices);
    walks.extend(others.map(|(system, voice)| Walk::new(system, options, reduction, voice)));
    let begun = walks[0].begin();
    let begin_beside = |(walk, (table, ends)): (&mut Walk<'_, S, _>, _)| walk.begin_beside(table, ends);
    let begun = begun.and_then(|()| walks[1..].iter_mut().zip(rest).try_for_each(begin_beside));
    let outcome = match begun.and_then(|()| take_turns(&mut walks, decide)) {
        Ok(()) => Outcome::Complete,
        Err(outcome) => outcome,
    };
    let statistics = Statistics::sum(walks.iter().map(|walk| &walk.statistics));
    Explored { outcome, statistics, workers: walks.len(), alone }
}

fn take_turns<S: Explorable, O: Listener<S>>(
    walks: &mut [Walk<'_, S, O>],
    mut decide: impl FnMut(usize) -> usize,
) -> Result<(), Outcome> {
    let mut busy = vec![false; walks.len()];
    busy[0] = true;
    let mut jobs: Vec<Job> = Vec::new();
    while !jobs.is_empty() || busy.contains(&true) {
        let worker = decide(walks.len());
        let walk = &mut walks[worker];
        if !busy[worker] {
            if !jobs.is_empty() {
                busy[worker] = walk.take(jobs.swap_remove(decide(jobs.len())))?;
            }
            continue;
        }
        busy[worker] = walk.explore_one()?;
        jobs.extend(walk.orphans());
        match decide(8) {
            0 if busy[worker] => {
                jobs.extend(walk.give_up());
                busy[worker] = false;
            }
            1..4 if busy[worker] => jobs.extend(walk.give_away()),
            _ => {}
        }
    }
    Ok(())
}
