//! The prefix that is handed out: its maximal configurations are the executions.
use crate::program::{Cell, Program, Statement as S};
use crate::toy::{Fault, Toy};
use crate::{generate, judge};
use por::{Alternatives, Flow, Listener, Move, Options, Outcome, Prefix, Statistics};
use rustc_hash::FxHashSet;

const X: Cell = Cell { granule: 0, start: 0, len: 1 };

#[derive(Default)]
struct Keep(Option<Option<Prefix>>);

impl Listener<Toy> for Keep {
    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        Flow::Continue
    }

    fn prefix(&mut self, prefix: Option<Prefix>) {
        self.0 = Some(prefix);
    }
}

fn explored(program: &Program, options: &Options) -> (Option<Option<Prefix>>, Outcome, Statistics) {
    let mut keep = Keep::default();
    let (outcome, statistics) = por::explore(&mut Toy::new(program), options, &mut keep);
    (keep.0, outcome, statistics)
}

fn asked(most: usize) -> Options {
    Options { prefix: Some(most), alternatives: Alternatives::Optimal, ..Options::default() }
}

/// Two writers: either may come first.
fn writers() -> Program {
    Program { threads: vec![vec![S::Create(1), S::Create(2)], vec![S::Store(X, 1)], vec![S::Store(X, 2)]] }
}

#[test]
fn two_writers() {
    let (prefix, _, statistics) = explored(&writers(), &asked(100));
    let prefix = prefix.unwrap().unwrap();
    // Main's creations and end; each store as the first and as the second one, and behind it the end.
    assert_eq!((prefix.events.len(), statistics.events), (11, 11), "{prefix:?}");
    let stores = |thread| {
        let is_store =
            |&at: &usize| prefix.events[at].action.thread.0 == thread && !prefix.events[at].accesses.is_empty();
        let first = (0..11).filter(is_store).find(|at| prefix.local_configuration(*at).len() <= 3);
        first.expect("a store behind nothing but creations")
    };
    let (first, second) = (stores(1), stores(2));
    assert_eq!(prefix.immediate_conflicts(), [(first.min(second), first.max(second))]);
}

#[test]
fn it_is_there_if_asked_for_and_not_too_large() {
    assert_eq!(explored(&writers(), &Options::default()).0, None);
    assert_eq!(explored(&writers(), &asked(10)).0, Some(None));
    assert!(explored(&writers(), &asked(11)).0.unwrap().is_some());
}

#[test]
fn maximal_configurations_are_executions() {
    let mut compared = 0;
    for seed in 0..2000 {
        let check = |program: &Program| {
            // A cache of 0 events forgets after every execution, so that events are made several times.
            let both =
                [1 << 16, 0].map(|cache| explored(program, &Options { cache, max_executions: Some(200), ..asked(64) }));
            let [(Some(Some(prefix)), Outcome::Complete, statistics), (Some(Some(again)), Outcome::Complete, _)] = both
            else {
                return None;
            };
            // (One that a failed assumption ends may be a part of others.)
            (statistics.pruned == 0).then(|| agree(&prefix, &again, &statistics))
        };
        compared += u32::from(judge(seed, generate::program(seed), check).is_some());
    }
    assert!(compared > 300, "only {compared} programs were small enough");
}

fn agree(prefix: &Prefix, again: &Prefix, statistics: &Statistics) -> Result<(), String> {
    if prefix.events.len() as u64 != statistics.events || again.events.len() != prefix.events.len() {
        let (one, other, events) = (prefix.events.len(), again.events.len(), statistics.events);
        return Err(format!("{one} events, {other} where they are forgotten, {events} counted"));
    }
    match maximal_configurations(prefix) {
        count if count == statistics.executions => Ok(()),
        count => Err(format!("{count} maximal configurations, {} executions", statistics.executions)),
    }
}

/// Counts by adding events one by one in all ways.
fn maximal_configurations(prefix: &Prefix) -> u64 {
    let bits = |events: &mut dyn Iterator<Item = usize>| events.fold(0u64, |bits, event| bits | 1 << event);
    let conflicts = prefix.immediate_conflicts();
    let excluded = |event| {
        let others = conflicts.iter().filter(|(a, b)| *a == event || *b == event);
        bits(&mut others.map(|(a, b)| a + b - event))
    };
    let events: Vec<(u64, u64)> = (prefix.events.iter().enumerate())
        .map(|(at, event)| (bits(&mut event.causes.iter().copied()), excluded(at)))
        .collect();
    let (mut seen, mut pending, mut maximal) = (FxHashSet::default(), vec![0u64], 0);
    while let Some(configuration) = pending.pop() {
        let can_follow = |(at, (causes, excluded)): (usize, &(u64, u64))| {
            let possible =
                configuration >> at & 1 == 0 && causes & !configuration == 0 && excluded & configuration == 0;
            possible.then_some(configuration | 1 << at)
        };
        let next: Vec<u64> = events.iter().enumerate().filter_map(can_follow).collect();
        maximal += u64::from(next.is_empty());
        pending.extend(next.into_iter().filter(|next| seen.insert(*next)));
    }
    maximal
}
