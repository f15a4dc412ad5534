//! Random C programs through the whole tool: the reduced explorations must find what every interleaving shows.
//!
//! `VERIFY_PROGRAMS` and `VERIFY_SEED` choose how many programs and which; `scripts/fuzz-c` runs more of them.
mod compare;
mod explored;
mod program;
mod random;

use compare::{Compared, compare};
use interp::Machine;
use program::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Programs that clang compiles at once.
const BATCH: u64 = 50;

#[test]
fn engines_agree_on_random_programs() {
    let programs = number("VERIFY_PROGRAMS", 2_000);
    let first = number("VERIFY_SEED", 1);
    let next = AtomicU64::new(0);
    let run = || {
        let mut results = Vec::new();
        loop {
            let begin = next.fetch_add(BATCH, Ordering::Relaxed);
            if begin >= programs {
                return results;
            }
            let seeds = begin..programs.min(begin + BATCH);
            let batch: Vec<Program> = seeds.map(|seed| Program::new(first.wrapping_add(seed))).collect();
            for (program, result) in batch.iter().zip(check(&batch)) {
                results.push(result.unwrap_or_else(|difference| fail(program, &difference)));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<Compared> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(run)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the programs agree")).collect()
    });
    let count = |what: fn(&Compared) -> bool| results.iter().filter(|result| what(result)).count();
    let whole = count(|result| result.whole && !result.race);
    println!(
        "{} programs: {whole} compared in everything, {} have a data race, {} another bug; {} executions",
        results.len(),
        count(|result| result.race),
        count(|result| result.bug),
        results.iter().map(|result| result.executions).sum::<u64>(),
    );
    // A few hundred programs at least, or the shares mean nothing.
    if programs >= 200 {
        assert!(2 * whole >= results.len(), "too few programs are small enough to be compared");
        assert!(10 * count(|result| result.bug) >= results.len(), "too few programs have a bug");
        assert!(20 * count(|result| result.race) >= results.len(), "too few programs have a data race");
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => otherwise,
    }
}

/// Compares the engines on each program.
fn check(programs: &[Program]) -> Vec<Result<Compared, String>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, program::unit(programs)).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend::Options::default()).expect("the programs are correct C");
    let module = Arc::new(loaded.module);
    let registry = runtime_model::registry();
    let machine = |number: usize| {
        let arguments = vec!["program".to_owned(); number + 1];
        let options = interp::Options { arguments, ..interp::Options::default() };
        Machine::new(Arc::clone(&module), &registry, options).expect("the programs can be run")
    };
    (0..programs.len()).map(|number| compare(&machine(number))).collect()
}

/// Leaves out statements as long as the engines still differ, and shows what remains.
fn fail(program: &Program, difference: &str) -> ! {
    let mut smallest = program.clone();
    let mut difference = difference.to_owned();
    loop {
        let smaller: Vec<Program> = without_one(&smallest).collect();
        let results = check(&smaller);
        let Some((found, error)) = smaller.into_iter().zip(results).find_map(|(p, r)| Some((p, r.err()?))) else {
            break;
        };
        (smallest, difference) = (found, error);
    }
    panic!(
        "VERIFY_SEED={} VERIFY_PROGRAMS=1: {difference}\n{}",
        program.seed,
        program::unit(std::slice::from_ref(&smallest))
    );
}

/// The program without any one of its statements.
fn without_one(program: &Program) -> impl Iterator<Item = Program> {
    let places = (0..program.parts.len()).flat_map(|part| (0..program.parts[part].len()).map(move |at| (part, at)));
    places.map(|(part, at)| {
        let mut smaller = program.clone();
        smaller.parts[part].remove(at);
        smaller
    })
}
