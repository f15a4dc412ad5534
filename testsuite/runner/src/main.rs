//! Runs every test of the workspace: all executables share the processors, and the longest work begins first.
//!
//! Cargo builds the executables and says where they are. Their tests are dealt out in pieces of some seconds
//! ([`plan`]), a piece is one process that runs some tests one after the other ([`piece`]), and there are as many at a
//! time as there are processors. What a piece prints is shown when it ends. How long each test took is kept for the
//! next time ([`times`]).
//!
//! The last line counts the tests; the exit code is 0 if none failed.
mod executable;
mod piece;
mod plan;
mod times;

use piece::{Outcome, Piece};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use times::Times;

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let executables = executable::build()?;
    let mut times = Times::load();
    let pieces = plan::plan(&executables, &times);
    let outcomes = run_all(pieces);
    let mut slowest: Vec<(Duration, String)> = Vec::new();
    for outcome in &outcomes {
        for (test, duration) in &outcome.durations {
            times.note(&outcome.executable, test, *duration);
            slowest.push((*duration, format!("{} {test}", outcome.executable)));
        }
    }
    times.save();
    slowest.sort_by_key(|(duration, _)| std::cmp::Reverse(*duration));
    println!("\nThe slowest tests:");
    slowest.iter().take(SLOWEST).for_each(|(duration, name)| println!("{:7.1} s  {name}", duration.as_secs_f64()));
    let broken: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.is_success()).collect();
    if !broken.is_empty() {
        println!("\nWhat failed:");
        broken.iter().for_each(|outcome| print!("{}", outcome.failure()));
    }
    let count = |what: fn(&Outcome) -> usize| outcomes.iter().map(what).sum::<usize>();
    println!("\n{} passed, {} failed", count(|outcome| outcome.passed), count(Outcome::failed));
    Ok(if broken.is_empty() && count(|outcome| outcome.passed) > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the pieces in their order, as many at a time as there are processors, and shows what each prints.
fn run_all(pieces: Vec<Piece<'_>>) -> Vec<Outcome> {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let all = pieces.len();
    let waiting = Mutex::new(pieces.into_iter());
    let begin = Instant::now();
    let (sender, ended) = channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, waiting) = (sender.clone(), &waiting);
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().expect("nothing panics with it").next();
                    let Some(piece) = next else { return };
                    // The receiver is there until all have ended.
                    let _ = sender.send(piece.run());
                }
            });
        }
        drop(sender);
        let mut outcomes: Vec<Outcome> = Vec::new();
        for outcome in ended {
            let (seconds, taken) = (begin.elapsed().as_secs(), outcome.seconds);
            let at = outcomes.len() + 1;
            println!("\n-- {at} of {all}, after {seconds}s: {}, {taken:.1}s", outcome.executable);
            print!("{}", outcome.output);
            outcomes.push(outcome);
        }
        outcomes
    })
}
