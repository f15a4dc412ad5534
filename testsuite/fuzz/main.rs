//! Random C programs through the whole tool: all engines and options must find what every interleaving shows.
//!
//! Many programs are compiled together, for starting clang takes longer than exploring. `VERIFY_PROGRAMS` and
//! `VERIFY_SEED` choose how many programs and which; `scripts/fuzz-c` runs more of them. A failure prints the seed and
//! the shrunken program.

mod brute;
mod compare;
mod engine;
mod generate;
mod program;

use compare::{Compared, Promoted, compare, compare_promotion};
use interp::fault::Kind;
use interp::memory::Quarantine;
use interp::{Checks, Interference, Machine, Options};
use program::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Programs that clang compiles at once.
const BATCH: u64 = 50;
/// Interleavings beyond which the engines are only compared with each other.
const LIMIT: u64 = 3_000;

#[test]
fn engines_agree_on_random_programs() {
    let programs = number("VERIFY_PROGRAMS", 2_000);
    let results = on_all(programs, |seeds| run_batch(seeds, generate::program, check));
    let count = |what: fn(&Compared) -> bool| results.iter().filter(|result| what(result)).count();
    let (all, whole) = (results.len(), count(|result| result.whole));
    let (races, bugs) = (count(|result| result.race), count(|result| result.bug));
    println!("{all} programs: {whole} with every interleaving; {races} have a data race, {bugs} another bug");
    // A few hundred programs at least, or the shares mean nothing.
    if programs >= 200 {
        assert!(2 * whole >= all, "too few programs are small enough for every interleaving");
        assert!(10 * bugs >= all, "too few programs have a bug");
        assert!(50 * races >= all, "too few programs have a data race");
    }
}

#[test]
fn promotion_agrees_with_every_access_visible() {
    let programs = number("VERIFY_PROGRAMS", 1_000);
    let results = on_all(programs, |seeds| run_batch(seeds, generate::racy, check_promotion));
    let compared: Vec<Promoted> = results.iter().flatten().copied().collect();
    let count = |what: fn(&Promoted) -> bool| compared.iter().filter(|result| what(result)).count();
    let (all, promoted, whole) = (compared.len(), count(|result| result.places > 0), count(|result| result.whole));
    let bugs = count(|result| result.bug);
    println!(
        "{all} of {} programs: {promoted} with promotion, {whole} with every interleaving, {bugs} have a bug",
        results.len()
    );
    if programs >= 200 {
        assert!(2 * all >= results.len(), "too few programs are small enough");
        assert!(3 * promoted >= all, "too few programs race");
    }
}

/// Does something with all seeds, a batch at a time, on all processors.
fn on_all<T: Send>(programs: u64, batch: impl Fn(std::ops::Range<u64>) -> Vec<T> + Sync) -> Vec<T> {
    let first = number("VERIFY_SEED", 0);
    let next = AtomicU64::new(0);
    let run = || {
        let mut results = Vec::new();
        loop {
            let begin = next.fetch_add(BATCH, Ordering::Relaxed);
            if begin >= programs {
                return results;
            }
            let end = programs.min(begin + BATCH);
            results.extend(batch(first.wrapping_add(begin)..first.wrapping_add(end)));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(run)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the engines agree")).collect()
    })
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => otherwise,
    }
}

/// Compares the programs of these seeds.
fn run_batch<T>(seeds: std::ops::Range<u64>, program: fn(u64) -> Program, check: Check<T>) -> Vec<T> {
    let programs: Vec<Program> = seeds.clone().map(program).collect();
    let results = check(&programs);
    let each = seeds.zip(programs).zip(results);
    each.map(|((seed, program), result)| result.unwrap_or_else(|difference| fail(seed, program, check, &difference)))
        .collect()
}

/// Compares something on each program.
type Check<T> = fn(&[Program]) -> Vec<Result<T, String>>;

/// Compares the engines on each program.
fn check(programs: &[Program]) -> Vec<Result<Compared, String>> {
    on_each(programs, |machine| compare(&machine(Options::default())?, LIMIT))
}

/// Compares promotion with all accesses visible on each program.
fn check_promotion(programs: &[Program]) -> Vec<Result<Option<Promoted>, String>> {
    on_each(programs, |machine| {
        let checks = Checks::supported().without(Kind::DataRace);
        let auto = Options { checks, ..Options::default() };
        let all = Options { interference: Interference::All, ..auto.clone() };
        let cut = Options { quarantine: Some(Quarantine::SHORT), ..auto.clone() };
        compare_promotion(&mut [machine(auto)?, machine(all)?, machine(cut)?], 10 * LIMIT)
    })
}

/// Compiles the programs and does something with each, given machines with options.
fn on_each<T>(
    programs: &[Program],
    compare: impl Fn(&dyn Fn(Options) -> Result<Machine, String>) -> Result<T, String>,
) -> Vec<Result<T, String>> {
    let text = program::unit(programs);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, &text).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend::Options::default());
    let module = Arc::new(loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).module);
    let registry = runtime_model::registry();
    let checked = |number: usize| {
        let machine = |options: Options| {
            let arguments = vec!["program".to_owned(); number + 1];
            Machine::new(Arc::clone(&module), &registry, Options { arguments, ..options }).map_err(|e| e.to_string())
        };
        // A panic is a difference like any other.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(&machine)));
        result.unwrap_or_else(|_| Err("a panic".into()))
    };
    (0..programs.len()).map(checked).collect()
}

/// Makes the program smaller as long as the engines still differ, and shows what remains.
fn fail<T>(seed: u64, program: Program, check: Check<T>, difference: &str) -> ! {
    let (mut smallest, mut last) = (program, difference.to_owned());
    loop {
        let smaller = generate::smaller(&smallest);
        let results = check(&smaller);
        let Some((found, error)) = smaller.into_iter().zip(results).find_map(|(p, r)| Some((p, r.err()?))) else {
            break;
        };
        (smallest, last) = (found, error);
    }
    let text = program::unit(std::slice::from_ref(&smallest));
    panic!("VERIFY_SEED={seed} VERIFY_PROGRAMS=1: {difference}\nThe smallest that differs: {last}\n{text}");
}
