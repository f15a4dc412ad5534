//! Nets explored like programs.
use crate::generate;
use por::nets::{Marking, Net, NetFault, NetSystem, family};
use por::{Alternatives, Ending, Engine, Flow, Listener, Move, Options, Order, Outcome, Reduction, Statistics};
use std::collections::BTreeSet;

/// The markings at which nothing can fire, and whether a place got two tokens.
#[derive(Default, PartialEq, Eq, Debug)]
struct Ends {
    deadlocks: BTreeSet<Marking>,
    is_unsafe: bool,
}

impl Listener<NetSystem<'_>> for Ends {
    fn execution(&mut self, system: &NetSystem<'_>, ending: Ending, _: &[Move]) -> Flow {
        if ending == Ending::Complete {
            self.deadlocks.insert(system.marking().clone());
        }
        Flow::Continue
    }

    fn violation(&mut self, fault: NetFault, _: Vec<Move>) -> Flow {
        self.is_unsafe |= matches!(fault, NetFault::Unsafe(_));
        Flow::Continue
    }
}

fn explore(net: &Net, options: &Options) -> (Ends, Statistics) {
    let mut ends = Ends::default();
    let mut system = NetSystem::new(net).expect("a small net");
    let (outcome, statistics) = por::explore(&mut system, options, &mut ends);
    assert_eq!(outcome, Outcome::Complete);
    (ends, statistics)
}

/// With cutoffs each net comes to an end, and all deadlocks are seen.
#[test]
fn the_engine_of_programs_finds_the_deadlocks_of_nets() {
    let mut deadlocks = 0;
    for seed in 0..600 {
        let net = generate::net(seed);
        let reachable = net.reachable(5000).unwrap().unwrap();
        let dead = reachable.deadlocks.iter().map(|&index| reachable.markings[index].clone()).collect();
        let expected = Ends { deadlocks: dead, is_unsafe: false };
        deadlocks += expected.deadlocks.len();
        for order in [Order::Size, Order::Erv] {
            let options = Options { cutoffs: Some(order), ..Options::default() };
            assert_eq!(explore(&net, &options).0, expected, "seed {seed} by {order:?}");
        }
    }
    assert!(deadlocks > 300, "{deadlocks}");
}

/// Each set of readers before the consumer is a Mazurkiewicz trace: 2ⁿ, where contextual unfolding has 2ⁿ histories of
/// one event.
#[test]
fn readers_are_explored_once_for_each_set() {
    for n in 1..=6 {
        let net = family("readers", n).unwrap();
        for engine in [Engine::Unfolding, Engine::Dpor(Reduction::Optimal)] {
            let options = Options { engine, alternatives: Alternatives::Optimal, ..Options::default() };
            let (ends, statistics) = explore(&net, &options);
            assert_eq!((statistics.executions, statistics.blocked), (1 << n, 0));
            assert_eq!(ends.deadlocks.len(), 1 << n);
        }
    }
}
