//! Many seeds on several threads, with progress.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often a long campaign says how far it is.
const PROGRESS: Duration = Duration::from_secs(10);

/// A number from the environment.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| match text.parse() {
        Ok(number) => number,
        Err(_) => panic!("{name} is not a number: {text}"),
    })
}

/// How many programs a test takes: as many as the variable of that name says. By default it is the first of these
/// numbers, and the second where there is time: `scripts/test full` sets `VERIFY_TESTS=full`.
pub fn programs(name: &str, [ordinary, full]: [u64; 2]) -> u64 {
    let is_full = std::env::var_os("VERIFY_TESTS").is_some_and(|tests| tests == "full");
    setting(name, if is_full { full } else { ordinary })
}

/// Threads to work with: `FUZZ_JOBS`, or one for each processor.
fn jobs() -> u64 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    setting("FUZZ_JOBS", processors as u64).max(1)
}

/// Calls `check` with the numbers 0, 1, … until what it returns adds up to `wanted`. A panic in it ends the campaign.
/// What it does with a number depends on `seed` too, which is only printed here.
pub fn run(what: &str, seed: u64, wanted: u64, check: impl Fn(u64) -> u64 + Sync) {
    let first = setting("POR_FIRST", 0);
    let (next, done, failed) = (AtomicU64::new(first), AtomicU64::new(0), AtomicBool::new(false));
    let begin = Instant::now();
    let work = || {
        let alarm = Alarm { failed: &failed, what, done: &done, begin };
        while done.load(Ordering::Relaxed) < wanted && !failed.load(Ordering::Relaxed) {
            done.fetch_add(check(next.fetch_add(1, Ordering::Relaxed)), Ordering::Relaxed);
        }
        std::mem::forget(alarm);
    };
    std::thread::scope(|scope| {
        let (finished, wait) = channel::<()>();
        for _ in 0..jobs() {
            let finished = finished.clone();
            scope.spawn(move || {
                let _finished = finished;
                work();
            });
        }
        drop(finished);
        while wait.recv_timeout(PROGRESS) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{what}: {} of {wanted} after {}s", done.load(Ordering::Relaxed), begin.elapsed().as_secs());
        }
    });
    let (done, seeds) = (done.into_inner(), next.into_inner());
    println!("{what}: {done} compared, from {seeds} seeds from {seed} on, in {:.1}s", begin.elapsed().as_secs_f64());
}

/// Dropped only by a panic.
struct Alarm<'a> {
    failed: &'a AtomicBool,
    what: &'a str,
    done: &'a AtomicU64,
    begin: Instant,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            let (done, seconds) = (self.done.load(Ordering::Relaxed), self.begin.elapsed().as_secs_f64());
            // In one piece, whatever else is printed meanwhile.
            let line = format!("\n{}: a mismatch after {done} programs and {seconds:.1}s\n", self.what);
            eprint!("{line}");
        }
    }
}
