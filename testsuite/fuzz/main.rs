//! Random C programs through the whole tool: all engines and options must find what every interleaving shows.
//!
//! Many programs are compiled together, for starting clang takes longer than exploring. `VERIFY_PROGRAMS` and
//! `VERIFY_SEED` choose how many programs and which; `scripts/fuzz` runs more of them. A failure prints the seed and
//! the shrunken program.

mod around;
mod brute;
#[path = "../../por/tests/oracle/campaign.rs"]
#[allow(unreachable_pub, reason = "it is shared with another test")]
mod campaign;
mod compare;
mod engine;
mod generate;
mod open;
mod program;
mod recompute;
mod render;
mod shrink;
mod spins;
mod symbolic;
mod texts;

use campaign::{programs, setting};
use compare::{
    Compared, Promoted, Sections, Symmetry, compare, compare_endless, compare_footprints, compare_promotion,
    compare_queues, compare_refined, compare_sections, compare_symmetry,
};
use frontend::ir::{DataModel, Inst, Pc};
use interp::fault::Kind;

use interp::memory::Quarantine;
use interp::{Awaits, Checks, Interference, Machine, Options};
use program::{Program, Rounds};
use std::sync::{Arc, Mutex};

/// Programs that clang compiles at once, unless `VERIFY_BATCH` is another number. The objects of all of them are in the
/// state of each, and comparing whole states takes most of the time: with 50 at once twice as long as with ten.
fn at_once() -> u64 {
    setting("VERIFY_BATCH", 10)
}

/// Interleavings beyond which the engines are only compared with each other, unless `VERIFY_LIMIT` is another number. A
/// small one is for campaigns with a great many programs.
fn limit() -> u64 {
    setting("VERIFY_LIMIT", 3_000)
}

/// Executions beyond which loops without a bound are not explored.
const ENDLESS: u64 = 300;

#[test]
fn engines_agree_on_random_programs() {
    let programs = programs("VERIFY_PROGRAMS", [60, 350]);
    let results = on_all("C programs", programs, |seeds| run_batch(seeds, generate::program, check));
    tell(&results, programs >= 200);
    let count = |what: fn(&Compared) -> bool| results.iter().filter(|result| what(result)).count();
    let (loops, endless) = (count(|result| result.loops), results.iter().map(|result| result.endless).sum::<u32>());
    println!("{loops} have loops, compared without a bound {endless} times");
    if programs >= 200 {
        assert!(endless as usize >= loops, "too few endless programs can be compared");
        assert!(50 * count(|result| result.race) >= results.len(), "too few programs have a data race");
    }
}

#[test]
fn engines_agree_on_ends_of_threads() {
    let programs = programs("VERIFY_PROGRAMS", [25, 130]);
    let results = on_all("C programs that end threads", programs, |seeds| run_batch(seeds, generate::ending, check));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_threads_that_join() {
    let programs = programs("VERIFY_PROGRAMS", [6, 300]);
    let results = on_all("C programs that join", programs, |seeds| run_batch(seeds, generate::joining, check));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_what_is_stored_and_read_plainly() {
    let programs = programs("VERIFY_PROGRAMS", [60, 150]);
    let results = on_all("C programs that store", programs, |seeds| run_batch(seeds, generate::stores, check));
    tell(&results, programs >= 150);
    let races = results.iter().filter(|result| result.race).count();
    assert!(programs < 150 || 4 * races <= 3 * results.len(), "too few programs have no data race");
}

#[test]
fn engines_agree_on_messages() {
    let programs = programs("VERIFY_PROGRAMS", [20, 150]);
    let results = on_all("C programs with messages", programs, |seeds| {
        run_batch(seeds, generate::messages, |programs| {
            on_each(programs, |_, machine| compare_queues(&mut machine(Rounds::Two, fixed())?, limit()))
        })
    });
    tell(&results.into_iter().flatten().collect::<Vec<_>>(), programs >= 200);
}

#[test]
fn engines_agree_on_futexes() {
    let programs = programs("VERIFY_PROGRAMS", [20, 150]);
    let results = on_all("C programs with futexes", programs, |seeds| run_batch(seeds, generate::futexes, check));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_atomic_blocks() {
    let programs = programs("VERIFY_PROGRAMS", [20, 150]);
    let results = on_all("C programs with atomic blocks", programs, |seeds| run_batch(seeds, generate::blocks, check));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_descriptors() {
    let programs = programs("VERIFY_PROGRAMS", [20, 200]);
    let results =
        on_all("C programs with descriptors", programs, |seeds| run_batch(seeds, generate::descriptors, check_calls));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_signals() {
    let programs = programs("VERIFY_PROGRAMS", [20, 150]);
    let results = on_all("C programs with signals", programs, |seeds| run_batch(seeds, generate::signals, check_calls));
    tell(&results, programs >= 200);
}

#[test]
fn engines_agree_on_mappings() {
    let programs = programs("VERIFY_PROGRAMS", [20, 150]);
    let results = on_all("C programs with mappings", programs, |seeds| run_batch(seeds, generate::mappings, check));
    tell(&results, programs >= 200);
}

#[test]
fn undo_and_fingerprints_equal_what_is_found_anew() {
    let programs = programs("VERIFY_RECOMPUTED", [50, 1_000]);
    let results = on_all("C programs found anew", programs, |seeds| {
        run_batch(seeds, generate::any, |programs| on_each(programs, recompute::check))
    });
    let (states, again) = results.iter().fold((0, 0), |sums, found| (sums.0 + found.states, sums.1 + found.again));
    println!("{states} states, {again} of them come again");
    assert!(states >= 20 * programs && again >= programs, "too few states");
}

#[test]
fn engines_agree_on_threads_that_spin() {
    let programs = programs("VERIFY_PROGRAMS", [30, 300]);
    let results =
        on_all("C programs that spin", programs, |seeds| run_batch(seeds, generate::spinning, check_spinning));
    let compared = results.iter().filter(|&&compared| compared > 0).count();
    println!("{compared} of {} programs compared", results.len());
    assert!(2 * compared >= results.len(), "too few programs are small enough");
}

#[test]
fn engines_agree_on_threads_that_poll() {
    let programs = programs("VERIFY_PROGRAMS", [20, 300]);
    let results =
        on_all("C programs that poll", programs, |seeds| run_batch(seeds, generate::looking::polling, check_spinning));
    let compared = results.iter().filter(|&&compared| compared > 0).count();
    println!("{compared} of {} programs compared", results.len());
    assert!(2 * compared >= results.len(), "too few programs are small enough");
}

#[test]
fn engines_agree_on_threads_that_go_round() {
    let programs = programs("VERIFY_PROGRAMS", [20, 300]);
    let results = on_all("C programs that go round", programs, |seeds| {
        run_batch(seeds, generate::looking::going_round, check_spinning)
    });
    let compared = results.iter().filter(|&&compared| compared > 0).count();
    println!("{compared} of {} programs compared", results.len());
    assert!(2 * compared >= results.len(), "too few programs are small enough");
}

#[test]
fn engines_agree_on_critical_sections() {
    let programs = programs("VERIFY_PROGRAMS", [10, 200]);
    let results = on_all("C programs with critical sections", programs, |seeds| {
        run_batch(seeds, generate::sections, |programs| {
            on_each(programs, |_, machine| {
                let usual = fixed();
                let mut compared = Vec::new();
                for checks in [usual.checks, usual.checks.without(Kind::DataRace)] {
                    let ordered = Options { checks, ..usual.clone() };
                    let quiet = Options { sections: true, ..ordered.clone() };
                    let mut machines = [machine(Rounds::Two, ordered)?, machine(Rounds::Two, quiet)?];
                    compared.push(compare_sections(&mut machines, limit())?);
                }
                Ok(compared)
            })
        })
    });
    let results: Vec<_> = results.into_iter().flatten().flatten().collect();
    let count = |what: fn(&Sections) -> bool| results.iter().filter(|result| what(result)).count();
    let (whole, fewer) = (count(|result| result.whole), count(|result| result.fewer));
    println!(
        "{} comparisons, {whole} with every interleaving; {fewer} times there are fewer executions",
        results.len()
    );
    if programs >= 100 && limit() >= 3_000 {
        assert!(3 * whole >= results.len(), "too few programs are small enough");
        assert!(5 * fewer >= results.len(), "too few sections have nothing to do with one another");
    }
}

#[test]
fn engines_agree_on_threads_that_are_alike() {
    let programs = programs("VERIFY_PROGRAMS", [20, 200]);
    let results = on_all("C programs with threads that are alike", programs, |seeds| {
        run_batch(seeds, generate::alike, |programs| {
            on_each(programs, |program, machine| {
                let mut compared = Vec::new();
                for checks in
                    [fixed().checks, fixed().checks.without(Kind::DataRace), fixed().checks.without(Kind::Deadlock)]
                {
                    let apart = Options { checks, ..fixed() };
                    let alike = Options { symmetry: true, ..apart.clone() };
                    let usual = Options {
                        awaits: None,
                        commuting_updates: true,
                        same_values: true,
                        sections: true,
                        ..alike.clone()
                    };
                    let mut machines =
                        [machine(Rounds::Two, apart)?, machine(Rounds::Two, alike)?, machine(Rounds::Two, usual)?];
                    compared.push(compare_symmetry(&mut machines, limit(), !program.publishes_addresses())?);
                }
                Ok(compared)
            })
        })
    });
    let results: Vec<_> = results.into_iter().flatten().flatten().collect();
    let count = |what: fn(&Symmetry) -> bool| results.iter().filter(|result| what(result)).count();
    let (whole, fewer, bugs) = (count(|result| result.whole), count(|result| result.fewer), count(|result| result.bug));
    println!(
        "{} comparisons, {whole} with every interleaving, {bugs} with a bug; {fewer} times there are fewer executions",
        results.len()
    );
    if programs >= 100 && limit() >= 3_000 {
        assert!(3 * whole >= results.len(), "too few programs are small enough");
        assert!(5 * fewer >= results.len(), "too few threads are alike");
    }
}

#[test]
fn promotion_agrees_with_every_access_visible() {
    let programs = programs("VERIFY_PROGRAMS", [30, 250]);
    let results = on_all("C programs that race", programs, |seeds| run_batch(seeds, generate::racy, check_promotion));
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
        assert!(4 * promoted >= all, "too few programs race");
    }
}

/// Says of what kinds the programs were. `many`: there are a few hundred, and enough of them must be of each kind.
/// (Shares of fewer mean nothing.)
fn tell(results: &[Compared], many: bool) {
    let count = |what: fn(&Compared) -> bool| results.iter().filter(|result| what(result)).count();
    let (all, whole) = (results.len(), count(|result| result.whole));
    let (races, bugs) = (count(|result| result.race), count(|result| result.bug));
    println!("{all} programs: {whole} with every interleaving; {races} have a data race, {bugs} another bug");
    if many {
        assert!(5 * whole >= 2 * all, "too few programs are small enough for every interleaving");
        assert!(10 * bugs >= all, "too few programs have a bug");
    }
}

/// Does something with all seeds, a batch at a time.
fn on_all<T: Send>(what: &str, programs: u64, batch: impl Fn(std::ops::Range<u64>) -> Vec<T> + Sync) -> Vec<T> {
    let first = setting("VERIFY_SEED", 0);
    let results = Mutex::new(Vec::new());
    campaign::run(what, first, programs, |number| {
        let begin = programs.min(number * at_once());
        let end = programs.min(begin + at_once());
        let found = batch(first.wrapping_add(begin)..first.wrapping_add(end));
        results.lock().expect("nobody fails with the lock").extend(found);
        end - begin
    });
    results.into_inner().expect("nobody fails with the lock")
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

/// Nothing is left to what an engine needs: all of them see the same actions.
fn fixed() -> Options {
    let quarantine = Some(Quarantine::long(DataModel::Lp64));
    Options { awaits: Some(Awaits::Run), quarantine, merge_ends: true, ..Options::default() }
}

/// Compares the engines on each program, and its loops without a bound with those that have one.
fn check(programs: &[Program]) -> Vec<Result<Compared, String>> {
    check_within(programs, limit())
}

/// The same for programs that call library code, of which each call is many actions.
fn check_calls(programs: &[Program]) -> Vec<Result<Compared, String>> {
    check_within(programs, limit() / 3)
}

fn check_within(programs: &[Program], limit: u64) -> Vec<Result<Compared, String>> {
    on_each(programs, |program, machine| {
        let compared = compare(&machine(Rounds::Two, fixed())?, limit)?;
        let usual = fixed();
        let whole = Options { footprints: false, ..fixed() };
        compare_footprints(&mut [machine(Rounds::Two, fixed())?, machine(Rounds::Two, whole)?], limit)?;
        for checks in [usual.checks, usual.checks.without(Kind::DataRace)] {
            let all = Options { checks, ..usual.clone() };
            let refined =
                Options { awaits: Some(Awaits::Assume), commuting_updates: true, same_values: true, ..all.clone() };
            compare_refined(&mut [machine(Rounds::Two, all)?, machine(Rounds::Two, refined)?], 3 * limit)?;
        }
        match program.loops() {
            true => Ok(Compared { loops: true, endless: check_endless(machine)?, ..compared }),
            false => Ok(compared),
        }
    })
}

/// Compares the loops of a program without a bound with those that have one, in two ways. Returns how often that could
/// be done.
fn check_endless(machine: Make<'_>) -> Result<u32, String> {
    let cut = Options { quarantine: Some(Quarantine::SHORT), ..fixed() };
    let without_races = Options { checks: cut.checks.without(Kind::DataRace), ..cut.clone() };
    let mut endless = 0;
    for options in [cut, without_races] {
        // What is awaited is never written blindly, with every engine here.
        let waiting =
            Options { awaits: Some(Awaits::Assume), commuting_updates: true, same_values: true, ..options.clone() };
        let mut machines =
            [machine(Rounds::Two, options.clone())?, machine(Rounds::Any, options)?, machine(Rounds::Any, waiting)?];
        endless += u32::from(compare_endless(&mut machines, ENDLESS)?);
    }
    Ok(endless)
}

/// Does so on each program whose threads spin. (A smaller one may have no loop any more.)
fn check_spinning(programs: &[Program]) -> Vec<Result<u32, String>> {
    on_each(programs, |program, machine| match program.loops() {
        true => check_endless(machine),
        false => Ok(0),
    })
}

/// Compares promotion with all accesses visible on each program.
fn check_promotion(programs: &[Program]) -> Vec<Result<Option<Promoted>, String>> {
    on_each(programs, |_, machine| {
        let checks = Checks::supported().without(Kind::DataRace);
        let auto = Options { checks, ..fixed() };
        let all = Options { interference: Interference::All, ..auto.clone() };
        let cut = Options { quarantine: Some(Quarantine::SHORT), ..auto.clone() };
        let machine = |options| machine(Rounds::Two, options);
        compare_promotion(&mut [machine(auto)?, machine(all)?, machine(cut)?], 10 * limit())
    })
}

/// Makes a machine for a program with that many rounds and options.
type Make<'a> = &'a dyn Fn(Rounds, Options) -> Result<Machine, String>;

/// Compiles the programs and does something with each.
fn on_each<T>(
    programs: &[Program],
    compare: impl Fn(&Program, Make<'_>) -> Result<T, String>,
) -> Vec<Result<T, String>> {
    let bounded = module(programs, Rounds::Two);
    let endless = programs.iter().any(Program::loops).then(|| module(programs, Rounds::Any));
    let registry = runtime_model::registry();
    let checked = |(number, program)| {
        let arguments = vec!["program".to_owned(); number + 1];
        let bounded = alone(&bounded, number);
        let endless = endless.as_ref().map(|endless| alone(endless, number));
        let machine = |rounds, options: Options| {
            let module = match rounds {
                Rounds::Two => &bounded,
                Rounds::Any => endless.as_ref().expect("only programs with loops are endless"),
            };
            let options = Options { arguments: arguments.clone(), ..options };
            Machine::new(Arc::clone(module), registry, options).map_err(|e| e.to_string())
        };
        // A panic is a difference like any other.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(program, &machine)));
        result.unwrap_or_else(|_| Err("a panic".into()))
    };
    programs.iter().enumerate().map(checked).collect()
}

fn module(programs: &[Program], rounds: Rounds) -> frontend::ir::Module {
    let text = program::unit(programs, rounds);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, &text).expect("it can be written");
    let library = programs.iter().any(|program| program.around.needs_library());
    let options = match library {
        true => frontend::Options { needs: Vec::new(), ..symbolic::frontend_options() },
        false => frontend::Options::default(),
    };
    let loaded = frontend::load(&[path], &options);
    loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).module
}

/// The module of which only the program of that number is left: comparing states, looking for leaks and analysing code
/// cost no more than for one program.
fn alone(module: &frontend::ir::Module, number: usize) -> Arc<frontend::ir::Module> {
    let of_another = |name: &str| {
        let digits = name.strip_prefix('p').map(|rest| rest.split('_').next().expect("there is a first part"));
        digits.and_then(|digits| digits.parse::<usize>().ok()).is_some_and(|other| other != number)
    };
    let mut module = module.clone();
    for global in module.globals.iter_mut().filter(|global| of_another(&global.name)) {
        // (It has no address then.)
        (global.weak, global.initial) = (true, None);
    }
    for function in module.functions.iter_mut().filter(|function| of_another(&function.name)) {
        function.code = vec![Inst::Unreachable];
        function.locations = vec![function.location];
        function.blocks = vec![Pc(0)];
        function.calls.clear();
        function.switches.clear();
        function.unsupported.clear();
        function.allocas.clear();
    }
    Arc::new(module)
}

/// Makes the program smaller as long as the engines still differ, and shows what remains.
fn fail<T>(seed: u64, program: Program, check: Check<T>, difference: &str) -> ! {
    let failing = |programs: Vec<Program>| {
        let results = check(&programs);
        programs.into_iter().zip(results).find_map(|(program, result)| Some((program, result.err()?)))
    };
    let (smallest, last) = shrink::shrink(program, difference, failing);
    let text = program::unit(std::slice::from_ref(&smallest), Rounds::Any);
    panic!("VERIFY_SEED={seed} VERIFY_PROGRAMS=1: {difference}\nThe smallest that differs: {last}\n{text}");
}
