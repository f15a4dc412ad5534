//! Inputs that are broken in every way: whatever is given to it, the tool must end with one of its exit codes, within
//! its limits, and never by an error of its own.
//!
//! Programs of the test suite are mutated, as C, as textual IR and as bitcode. Worker processes load and explore them
//! with the tool's own crates, which takes milliseconds; what panics there, or kills its worker, or does not end, is
//! given to the tool itself, and so are all C sources and one in 500 others. (LLVM dies of some corrupt files, which
//! the tool survives, for it has them read by a child.) `VERIFY_INPUTS`, `VERIFY_SEED` and `FUZZ_JOBS` choose how many
//! inputs, which, and how many workers; `scripts/fuzz-inputs` runs many.

#[path = "../../por/tests/oracle/campaign.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with other tests")]
mod campaign;
mod code;
mod input;
#[path = "../harness/named.rs"]
mod named;
mod seeds;
mod tokens;
mod whole;
mod worker;

use campaign::setting;
use input::Maker;
use libtest_mimic::{Failed, Trial};
use seeds::Seeds;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Time for one input. Nothing takes that long that does not hang.
const PATIENCE: Duration = Duration::from_secs(20);
/// Address space of a worker, in kilobytes.
const SPACE: u64 = 6 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, hidden, kept, scratch, numbers @ ..] = arguments.as_slice()
        && hidden == "__worker"
    {
        let numbers: Vec<u64> = numbers.iter().map(|n| n.parse().expect("numbers follow")).collect();
        let [first, end, step, programs] = numbers[..] else { panic!("four numbers follow") };
        let mut maker = Maker::new(Seeds::new(Path::new(kept), programs as usize));
        worker::work(&mut maker, [first, end, step], Path::new(scratch));
        return ExitCode::SUCCESS;
    }
    let trials = vec![Trial::test("broken_inputs_end_as_they_should", inputs)];
    named::run(trials)
}

/// Where compiled programs are kept for other campaigns.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("inputs-seeds")
}

/// All inputs of a campaign.
fn inputs() -> Result<(), Failed> {
    let (inputs, seed, jobs) = (setting("VERIFY_INPUTS", 300), setting("VERIFY_SEED", 1), setting("FUZZ_JOBS", 2));
    let first = seed << 32;
    // A short campaign compiles few programs, for that takes most of its time.
    let programs = 20 + inputs as usize / 50;
    let scratch = tempfile::tempdir().expect("a temporary directory");
    std::fs::create_dir_all(kept()).expect("a directory can be made");
    let begin = Instant::now();
    let shares: Vec<Share> = std::thread::scope(|scope| {
        let job = |job| {
            let scratch = scratch.path();
            scope.spawn(move || Share::run([first + job, first + inputs, jobs], programs, scratch))
        };
        let running: Vec<_> = (0..jobs).map(job).collect();
        running.into_iter().map(|share| share.join().expect("a share does not panic")).collect()
    });
    let mut failures: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for share in shares {
        share.failures.into_iter().for_each(|(why, paths)| failures.entry(why).or_default().extend(paths));
        share.counts.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
    }
    let seconds = begin.elapsed().as_secs_f64();
    let counts: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    println!("{inputs} inputs from seed {seed} in {seconds:.1}s: {}", counts.join(", "));
    for (why, paths) in &failures {
        println!("FAILURE, {} times: {why}\n  {}", paths.len(), paths[0].display());
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("{} kinds of failures", failures.len()).into()) }
}

/// What one worker at a time goes through.
struct Share {
    /// Inputs by what is wrong.
    failures: BTreeMap<String, Vec<PathBuf>>,
    /// How far inputs came.
    counts: BTreeMap<&'static str, u64>,
    maker: Maker,
    scratch: PathBuf,
}

impl Share {
    fn run([mut first, end, step]: [u64; 3], programs: usize, scratch: &Path) -> Share {
        let maker = Maker::new(Seeds::new(&kept(), programs));
        let own = scratch.join(format!("job-{first}"));
        std::fs::create_dir_all(&own).expect("a directory can be made");
        let mut share = Share { failures: BTreeMap::new(), counts: BTreeMap::new(), maker, scratch: own };
        while first < end {
            first = share.worker([first, end, step], programs) + step;
        }
        share
    }

    /// Starts a worker and hears what it says until it ends; the last input that it came to.
    fn worker(&mut self, [first, end, step]: [u64; 3], programs: usize) -> u64 {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -c 0; ulimit -v {SPACE}; exec \"$0\" \"$@\"")]);
        command.arg(std::env::current_exe().expect("the executable is known")).arg("__worker").arg(kept());
        command.arg(&self.scratch).args([first, end, step, programs as u64].map(|number| number.to_string()));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A worker that LLVM kills does not tidy up.
        command.env("TMPDIR", &self.scratch);
        let mut child = command.spawn().expect("a worker can be started");
        let out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let (sender, lines) = channel();
        let reader = std::thread::spawn(move || {
            out.lines().map_while(Result::ok).take_while(|line| sender.send(line.clone()).is_ok()).count()
        });
        let mut at = None;
        while let Ok(line) = lines.recv_timeout(PATIENCE) {
            let mut words = line.splitn(3, ' ');
            let (what, number) = (words.next().unwrap_or(""), words.next().and_then(|n| n.parse::<u64>().ok()));
            match (what, number) {
                ("at", number) => at = number,
                ("whole", Some(number)) => self.whole(number, None),
                ("panic", Some(number)) => self.whole(number, words.next()),
                ("explored", _) => self.count("explored"),
                _ => self.count("rejected"),
            }
        }
        // It is stopped if it hangs; if it has ended, that does nothing.
        let _ = child.kill();
        let ended = child.wait().expect("it is our child").success();
        reader.join().expect("reading does not fail");
        let at = at.expect("a worker says where it begins");
        if ended {
            return end;
        }
        self.whole(at, None);
        at
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Gives an input to the tool itself. If a worker panicked with it, that is wrong in any case.
    fn whole(&mut self, number: u64, panic: Option<&str>) {
        self.count("given to the tool itself");
        let input = self.maker.make(number);
        let failure = whole::failure(&input, &self.scratch);
        let Some(why) = failure.clone().or(panic.map(str::to_owned)) else { return };
        // What was seen before is not made smaller again.
        let known = self.failures.contains_key(&digits_out(&why));
        let small = match failure {
            Some(why) if !known => whole::shrink(input, |input| {
                whole::failure(input, &self.scratch).is_some_and(|other| digits_out(&other) == digits_out(&why))
            }),
            _ => input,
        };
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inputs");
        std::fs::create_dir_all(&directory).expect("a directory can be made");
        let path = directory.join(format!("{number}.{}", small.form.extension()));
        std::fs::write(&path, &small.bytes).expect("the input can be kept");
        eprintln!("{}: {why}", path.display());
        self.failures.entry(digits_out(&why)).or_default().push(path);
    }
}

/// Messages that differ in numbers only are one.
fn digits_out(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}
