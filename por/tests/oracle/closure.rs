//! Classes with sets are what swaps of neighbours lead to.
use crate::campaign::programs;
use crate::class::{Run, can_swap, observed_class};
use crate::generate::{self, Random};
use crate::program::Program;
use crate::toy::Toy;
use por::{Ending, Engine, Flow, Listener, Move, Options, Outcome};
use std::collections::BTreeMap;

struct OneRun {
    /// If nothing but sets counts.
    class: u64,
    /// The names of its actions.
    names: Vec<u64>,
    /// Which of them can be swapped with the next.
    swaps: Vec<usize>,
    /// Which are the first ones of their threads.
    firsts: Vec<usize>,
}

#[derive(Default)]
struct Runs(Vec<OneRun>);

impl Listener<Toy> for Runs {
    fn execution(&mut self, system: &Toy, _: Ending, _: &[Move]) -> Flow {
        let log = system.log();
        let swaps = (1..log.len()).map(|next| next - 1).filter(|&at| can_swap(log, at)).collect();
        let is_first = |at: &usize| log[..*at].iter().all(|earlier| earlier.thread != log[*at].thread);
        let firsts = (0..log.len()).filter(is_first).collect();
        let run = Run::new(log);
        let class = observed_class(&run, [false, false, true]);
        self.0.push(OneRun { class, names: run.names, swaps, firsts });
        Flow::Continue
    }
}

/// How many classes there are; `None` if there are too many runs.
fn check(program: &Program) -> Option<usize> {
    let mut runs = Runs::default();
    let options = Options { engine: Engine::Naive, max_executions: Some(300), ..Options::default() };
    if por::explore(&mut Toy::new(program), &options, &mut runs).0 != Outcome::Complete {
        return None;
    }
    let Runs(runs) = runs;
    let numbers: BTreeMap<&[u64], usize> = runs.iter().enumerate().map(|(n, run)| (&run.names[..], n)).collect();
    let mut parents: Vec<usize> = (0..runs.len()).collect();
    let root = |parents: &[usize], mut n: usize| {
        while parents[n] != n {
            n = parents[n];
        }
        n
    };
    for (n, OneRun { class, names, swaps, firsts }) in runs.iter().enumerate() {
        for &at in swaps {
            let mut swapped = names.clone();
            swapped.swap(at, at + 1);
            // (A thread cannot move before it is created.)
            let Some(&other) = numbers.get(&swapped[..]) else {
                assert!(firsts.contains(&(at + 1)), "a swap leads to no run: {program:?}");
                continue;
            };
            assert_eq!(*class, runs[other].class, "a swap leads to another class: {program:?}");
            let (a, b) = (root(&parents, n), root(&parents, other));
            parents[a] = b;
        }
    }
    // Never more than these, so no fewer than these means that each is connected.
    let classes = runs.iter().map(|run| run.class).collect::<std::collections::BTreeSet<_>>().len();
    let connected = (0..runs.len()).filter(|&n| parents[n] == n).count();
    assert_eq!(connected, classes, "{program:?}");
    Some(classes)
}

#[test]
fn classes_are_what_swaps_lead_to() {
    let seeds = programs("POR_CLASSES", [1_200, 8_000]);
    let checked = (0..seeds).filter_map(|seed| check(&generate::flags(&mut Random::new(seed), [4, 3, 2]))).count();
    assert!(checked as u64 > seeds / 4, "only {checked} programs are small enough");
}
