//! The engines against brute force, on closed forms and on random programs.
//!
//! `POR_PROGRAMS=1000000 POR_SEED=7 cargo test --release -p por --test oracle random` runs a longer campaign from
//! another seed (and `POR_LIMIT=4000` with larger programs). A failure prints the seed and the shrunken program.
#![allow(missing_docs, unreachable_pub, reason = "a test")]
mod compare;
mod families;
mod generate;
mod limits;
mod loops;
mod toy;

use std::sync::atomic::{AtomicU64, Ordering};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().expect("a number"))
}

#[test]
fn random_programs_agree_with_brute_force() {
    let programs = setting("POR_PROGRAMS", 100_000);
    let seed = setting("POR_SEED", 1) << 32;
    // Interleavings beyond which a program is skipped: brute force would take too long.
    let limit = setting("POR_LIMIT", 1000);
    let (next, compared) = (AtomicU64::new(0), AtomicU64::new(0));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                // Programs that are too large for brute force are replaced by further ones.
                while compared.load(Ordering::Relaxed) < programs {
                    let seed = seed + next.fetch_add(1, Ordering::Relaxed);
                    let program = generate::program(seed);
                    match compare::check(&program, limit) {
                        None => {}
                        Some(Ok(())) => {
                            compared.fetch_add(1, Ordering::Relaxed);
                        }
                        Some(Err(error)) => {
                            let fails = |p: &toy::Program| matches!(compare::check(p, limit), Some(Err(_)));
                            let small = generate::shrink(program, fails);
                            let error = compare::check(&small, limit).map_or(error, |r| r.unwrap_err());
                            panic!("seed {seed}: {error}\n{small:?}");
                        }
                    }
                }
            });
        }
    });
}
