//! The engines against brute force, on closed forms and on random programs.
//!
//! `scripts/fuzz` runs longer campaigns, by `POR_PROGRAMS`, `POR_DECISIONS`, `POR_FLAGS`, `POR_LOOPS`, `POR_LOCKING`,
//! `POR_JOBS` and `POR_SEED` (and `POR_LIMIT` and `POR_STATES` for larger programs). A failure prints the seed and the
//! shrunken program, also in C.
#![allow(missing_docs, unreachable_pub, reason = "a test")]
mod c;
mod campaign;
mod class;
mod closure;
mod code;
mod compare;
mod families;
mod generate;
mod hunt;
mod jobs;
mod limits;
mod loops;
mod prefix;
mod program;
mod resume;
mod search;
mod shrink;
mod toy;

use campaign::{programs, setting};
use por::{Engine, Reduction};
use program::Program;

#[test]
fn random_programs_agree_with_brute_force() {
    let seed = setting("POR_SEED", 1) << 32;
    // Interleavings beyond which a program is skipped: brute force would take too long.
    let limit = setting("POR_LIMIT", 1000);
    campaign::run("abstract programs", seed, programs("POR_PROGRAMS", [400, 20_000]), |number| {
        let seed = seed + number;
        // The first ones are no random programs: they were wrong once, and those with so few interleavings seldom show
        // why.
        let (program, limit) = match number {
            0 => (generate::failed_exchange(), 100 * limit),
            1 => (generate::observer_decides(), limit),
            _ => (generate::program(seed), limit),
        };
        judge(seed, program, |p| compare::check(p, limit)).is_some().into()
    });
}

#[test]
fn samples_are_among_every_execution() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    campaign::run("samples", seed, programs("POR_SAMPLES", [120, 4_000]), |number| {
        let seed = seed + number;
        let program = match number % 4 {
            0 => generate::deciding(seed, false),
            _ => generate::program(seed),
        };
        judge(seed, program, |p| hunt::check(p, limit)).is_some().into()
    });
}

#[test]
fn schedules_come_in_the_order_of_their_preemptions() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    campaign::run("preemptions", seed, programs("POR_PREEMPTIONS", [60, 4_000]), |number| {
        let seed = seed + number;
        let program = match number % 4 {
            0 => generate::deciding(seed, false),
            _ => generate::program(seed),
        };
        judge(seed, program, |p| hunt::check_preemptions(p, limit)).is_some().into()
    });
}

/// What takes brute force too long: sequences and events know nothing of one another.
#[test]
fn larger_programs_agree_with_each_other() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    let optimal = Engine::Dpor(Reduction::Optimal);
    campaign::run("larger programs", seed, programs("POR_LARGER", [40, 1_000]), |number| {
        let program = match number % 4 {
            // (That one was wrong once.)
            _ if number == 0 => generate::sleeping_signal(),
            0 => generate::blind_writes(&mut generate::Random::new(seed + number), [5, 3, 2]),
            _ => generate::larger(seed + number),
        };
        judge(seed + number, program, |p| compare::check_against(p, limit, optimal)).is_some().into()
    });
}

#[test]
fn decisions_agree_with_brute_force() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    campaign::run("decisions", seed, programs("POR_DECISIONS", [50, 1_000]), |number| {
        let program = generate::deciding(seed + number, false);
        judge(seed + number, program, |p| compare::check_decisions(p, limit)).is_some().into()
    });
}

#[test]
fn flags_agree_with_brute_force() {
    observed("flags", programs("POR_FLAGS", [350, 2_500]), generate::flags, [[4, 3, 2], [6, 4, 3]]);
}

#[test]
fn blind_writes_agree_with_brute_force() {
    observed("blind writes", programs("POR_WRITES", [120, 2_500]), generate::blind_writes, [[3, 2, 1], [5, 3, 2]]);
}

/// Compares observers on programs of two sizes.
fn observed(
    what: &str,
    count: u64,
    generate: impl Fn(&mut generate::Random, [u32; 3]) -> Program + Sync,
    sizes: [[u32; 3]; 2],
) {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    campaign::run(what, seed, count, |number| {
        let random = &mut generate::Random::new(seed + number);
        // What takes several threads with several statements each has too many interleavings. But an engine that is
        // itself compared with all of them finds one of each class that is finer.
        let (size, engine) = match number % 4 {
            0 => (sizes[0], Engine::Naive),
            _ => (sizes[1], Engine::Dpor(Reduction::Optimal)),
        };
        judge(seed + number, generate(random, size), |p| compare::check_observed(p, limit, engine)).is_some().into()
    });
}

/// Says what a check says, `None` if the program is too large for it. If it fails, so does the test, with the smallest
/// program for which it does.
fn judge<T>(seed: u64, program: Program, check: impl Fn(&Program) -> Option<Result<T, String>>) -> Option<T> {
    match check(&program)? {
        Ok(result) => Some(result),
        Err(error) => {
            let small = shrink::shrink(program, |p| matches!(check(p), Some(Err(_))));
            let error = check(&small).and_then(Result::err).unwrap_or(error);
            panic!("seed {seed}: {error}\n{small:?}\nAs a C program:\n{}", c::file(&small));
        }
    }
}
