//! Random sequential C programs: what this tool says of them is what happens when they are run.
//!
//! All other comparisons have the machine of this tool on both sides. Here one side is a compiler, a processor and the
//! C library, under sanitizers where they are there. The programs are free of undefined behaviour by construction; one
//! in five has one deliberate error, whose kind and line must be reported. `VERIFY_PROGRAMS` and `VERIFY_SEED` choose
//! how many programs and which; `KEEP_GOING=DIRECTORY` only lists what differs, and puts the programs there.
//! `SANITIZERS=1` (as `scripts/fuzz` sets it) needs those of clang, without it gcc's own are taken. A failure prints
//! the seed and the shrunken program.

mod aggregate;
#[path = "../../por/tests/oracle/campaign.rs"]
#[allow(unreachable_pub, reason = "it is shared with another test")]
mod campaign;
mod compare;
mod expression;
mod generate;
mod native;
mod ours;
mod plants;
mod program;
mod shrink;
mod snippets;
mod statement;
mod types;

use campaign::{programs, setting};
use compare::{Builds, Seen};
use program::Program;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Programs that compilers compile at once.
const BATCH: u64 = 64;

#[test]
fn what_is_said_happens() {
    let programs = programs("VERIFY_PROGRAMS", [64, 128]);
    let first = setting("VERIFY_SEED", 0);
    let all = Mutex::new(BTreeMap::<String, u64>::new());
    campaign::run("sequential C programs", first, programs, |number| {
        // A seed's batch has the same compilers, whichever seed is the first.
        let begin = (first / BATCH + number) * BATCH;
        let (begin, end) = (begin.max(first), (begin + BATCH).min(first + programs));
        let seeds = begin..end.max(begin);
        for seen in run_batch(seeds.clone()) {
            *all.lock().expect("nobody fails with the lock").entry(seen.to_string()).or_default() += 1;
        }
        seeds.end - seeds.start
    });
    let all = all.into_inner().expect("nobody fails with the lock");
    for (what, count) in &all {
        println!("  {count} {what}");
    }
    if programs >= 128 {
        let count = |begin: &str| all.iter().filter(|(what, _)| what.starts_with(begin)).map(|(_, n)| n).sum::<u64>();
        assert!(count("safe") * 2 >= programs, "too few programs are safe");
        assert!(count("bug") * 10 >= programs, "too few programs have an error");
        assert!(count("unknown") * 20 <= programs, "too many programs are unknown");
    }
}

/// Compares the programs of these seeds.
fn run_batch(seeds: std::ops::Range<u64>) -> Vec<Seen> {
    let builds = Builds::of(seeds.start / BATCH);
    let programs: Vec<Program> = seeds.clone().map(|seed| generate::program(seed, builds.wide)).collect();
    let compared = compare::compare(&programs.iter().collect::<Vec<_>>(), &builds);
    let results = compared.unwrap_or_else(|error| panic!("VERIFY_SEED={} cannot be compiled: {error}", seeds.start));
    let each = seeds.zip(programs).zip(results);
    each.map(|((seed, program), result)| {
        result.unwrap_or_else(|difference| match std::env::var("KEEP_GOING") {
            Err(_) => fail(seed, program, &builds, &difference),
            Ok(directory) => {
                println!("VERIFY_SEED={seed}, {builds:?}: {difference}");
                std::fs::create_dir_all(&directory).expect("the directory can be made");
                let path = std::path::Path::new(&directory).join(format!("{seed}.c"));
                std::fs::write(path, program::unit(&[&program])).expect("it can be written");
                Seen::Different(difference.sort)
            }
        })
    })
    .collect()
}

/// Makes the program smaller as long as it still differs in the same way, and shows what remains.
fn fail(seed: u64, program: Program, builds: &Builds, difference: &compare::Difference) -> ! {
    let (smallest, last) = shrink::shrink(program, difference, |some| compare::compare_what_compiles(some, builds));
    let text = program::unit(&[&smallest]);
    panic!("VERIFY_SEED={seed}, {builds:?}: {difference}\nThe smallest that differs: {last}\n{text}");
}
