//! Random abstract programs as C programs: the whole tool must find in them what brute force finds in the abstract
//! ones.
//!
//! The abstract programs of `por`'s oracle are printed in C when they fail. That shows the same failure only if the C
//! program has the same executions. So these are counted here, together with what they end in. The abstract program is
//! explored by brute force, the C program by the unfolding engine: everything between them is tested as well.
#![allow(missing_docs, unreachable_pub, dead_code, reason = "a test; the oracle uses the rest of what is shared")]

#[path = "../../por/tests/oracle/c.rs"]
mod c;
#[path = "../../por/tests/oracle/campaign.rs"]
mod campaign;
#[path = "../../por/tests/oracle/class.rs"]
mod class;
#[path = "../../por/tests/oracle/code.rs"]
mod code;
#[path = "../../por/tests/oracle/generate.rs"]
mod generate;
#[path = "../../por/tests/oracle/program.rs"]
mod program;
#[path = "../../por/tests/oracle/search.rs"]
mod search;
#[path = "../../por/tests/oracle/shrink.rs"]
mod shrink;
#[path = "../../por/tests/oracle/toy/mod.rs"]
mod toy;

mod abstractly;
mod concretely;

use campaign::{programs, setting};
use interp::Awaits;
use program::{Program, Statement};
use std::collections::BTreeSet;

/// Programs that clang compiles at once.
const BATCH: u64 = 50;

/// What both explorations are compared by.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// How many assertions can fail.
    pub assertions: usize,
    /// Number of different sets of threads and places that wait for one another.
    pub deadlocks: usize,
    /// Of those with loops at most one counts.
    pub livelocks: usize,
    /// Number of Mazurkiewicz classes, and of different final states, unless there are loops.
    pub classes: u64,
    pub ends: usize,
}

#[test]
fn c_programs_have_the_same_executions() {
    let with = Concretely { awaits: Awaits::Wait, explore: concretely::classes };
    compare("abstract programs in C", 0, generate::program, abstractly::classes, with);
}

#[test]
fn c_programs_with_observers_have_the_same_bugs() {
    let with = Concretely { awaits: Awaits::Assume, explore: concretely::observed };
    compare("abstract programs in C, observers", 2 << 32, generate::program, abstractly::bugs, with);
}

#[test]
fn c_programs_with_loops_have_the_same_bugs() {
    for awaits in [Awaits::Run, Awaits::Wait, Awaits::Assume] {
        let with = Concretely { awaits, explore: concretely::states };
        let what = format!("abstract programs with loops in C, {awaits:?}");
        compare(&what, 1 << 32, generate::looping, abstractly::states, with);
    }
}

/// How the C program is explored.
struct Concretely {
    awaits: Awaits,
    explore: fn(&interp::Machine) -> Result<Summary, String>,
}

/// Compares what is found in each program that is small enough.
fn compare(
    what: &str,
    first: u64,
    generate: fn(u64) -> Program,
    abstractly: fn(&Program) -> Option<Summary>,
    concretely: Concretely,
) {
    let first = (setting("VERIFY_SEED", 0)) + first;
    campaign::run(what, first, programs("TRANSLATED", [60, 500]), |number| {
        let seeds = first + number * BATCH..first + (number + 1) * BATCH;
        let programs = seeds.map(|seed| (seed, generate(seed))).filter(|(_, program)| !relocks(program));
        let expected = programs.filter_map(|(seed, program)| Some((seed, abstractly(&program)?, program)));
        let all: Vec<(u64, Summary, Program)> = expected.collect();
        let text: Vec<&Program> = all.iter().map(|(.., program)| program).collect();
        let Concretely { awaits, explore } = concretely;
        let machines = concretely::machines(&text, awaits);
        for ((seed, expected, program), machine) in all.iter().zip(machines) {
            let found = explore(&machine);
            // Of threads that wait in a circle while others spin, the former are named in C, and all in the abstract
            // program.
            let one = |summary: &Summary| Summary { deadlocks: summary.deadlocks.min(1), ..*summary };
            let differs = match (&found, spins(program)) {
                (Ok(found), true) => one(found) != one(expected),
                _ => found.as_ref() != Ok(expected),
            };
            if differs {
                panic!("seed {seed}: {found:?} instead of {expected:?}\n{program:?}\n{}", c::file(program));
            }
        }
        all.len() as u64
    });
}

/// Whether a thread waits for what is in a cell.
fn spins(program: &Program) -> bool {
    fn within(body: &[Statement]) -> bool {
        body.iter().any(|statement| match statement {
            Statement::Await(..) | Statement::Take(..) => true,
            Statement::If(_, _, inner) | Statement::While(.., inner) | Statement::Forever(inner) => within(inner),
            Statement::TryLock(_, inner) => within(inner),
            _ => false,
        })
    }
    program.threads.iter().any(|body| within(body))
}

/// Whether a thread may lock a mutex that it holds: in C it fails at once then, here it waits.
fn relocks(program: &Program) -> bool {
    fn within(body: &[Statement], held: &mut BTreeSet<u8>) -> bool {
        body.iter().any(|statement| match statement {
            Statement::Lock(m) => !held.insert(*m),
            Statement::Unlock(m) => !held.remove(m),
            Statement::TryLock(m, inner) => {
                let mut inside = held.clone();
                inside.insert(*m);
                within(inner, &mut inside)
            }
            Statement::If(_, _, inner) | Statement::While(.., inner) | Statement::Forever(inner) => {
                within(inner, &mut held.clone())
            }
            _ => false,
        })
    }
    program.threads.iter().any(|body| within(body, &mut BTreeSet::new()))
}
