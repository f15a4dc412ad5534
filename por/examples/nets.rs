//! How fast nets are unfolded, and what comes of it.
//!
//! `cargo run --release -p por --example nets -- [--words] FILE|FOLDER…` unfolds nets, each in a process of its own, so
//! that the memory is this net's. A folder may hold a table `reference.csv` of counts, seconds and megabytes of another
//! tool; then each net is compared with its line there, and folders in sum. `--words` takes steps as that tool does,
//! for the sake of its counts.
//!
//! `… --families [SECONDS]` unfolds each family from small to the largest net that takes no longer (default 60).
//!
//! `… --engines [FILE…]` compares the prefix with what the unfolding engine of programs does, with cutoffs by the same
//! order, on small nets of the families, and on files.
use por::nets::{FAMILIES, Net, NetFault, NetSystem, Steps, UnfoldOptions, UnfoldStatistics, family, read, unfold};
use por::{Flow, Listener, Move, Options, Order};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// What one net gave: events, histories, conditions, cutoffs, seconds, peak memory in bytes.
#[derive(Clone, Copy, Debug)]
struct Row {
    counts: [u64; 4],
    seconds: f64,
    bytes: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--one", seconds, ref which @ ..] => {
            let Some(net) = named(which) else { return ExitCode::from(2) };
            one(&net, which[0], Duration::from_secs(seconds.parse().expect("seconds")));
        }
        ["--explored", ref which @ ..] => explored(&named(which).expect("it was unfolded")),
        ["--engines", ref files @ ..] => engines(files),
        ["--families"] => families(60),
        ["--families", seconds] => families(seconds.parse().expect("seconds")),
        [] => {
            eprintln!("nets: name files or folders of nets, or --families");
            return ExitCode::from(2);
        }
        ["--words", ref inputs @ ..] => files(inputs, "words"),
        ref inputs => files(inputs, "length-first"),
    }
    ExitCode::SUCCESS
}

/// `family NAME N`, or how steps are taken and a file.
fn named(which: &[&str]) -> Option<Net> {
    match *which {
        ["family", name, n] => family(name, n.parse().expect("a number")),
        [_, file] => Some(open(Path::new(file))),
        _ => None,
    }
}

fn open(file: &Path) -> Net {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    read(&file.to_string_lossy(), &bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Unfolds one net and prints its row.
fn one(net: &Net, steps: &str, most: Duration) {
    let steps = if steps == "words" { Steps::Words } else { Steps::LengthFirst };
    let options = UnfoldOptions { steps, ..UnfoldOptions::default() };
    let start = Instant::now();
    let mut go_on = |_: &UnfoldStatistics| start.elapsed() < most;
    let (prefix, end) = unfold(net, options, &mut go_on).unwrap_or_else(|error| panic!("{error}: {error:?}"));
    let seconds = start.elapsed().as_secs_f64();
    let (histories, kept) = (prefix.histories().len() as u64, prefix.kept().len() as u64);
    let events = prefix.events().len() as u64;
    print!("{} {} {} {}", events - 1, histories - 1, prefix.conditions(), histories - kept);
    println!(" {seconds} {} {end:?}", peak());
}

/// The most memory that this process has had.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}

/// Has one net unfolded by a process of its own; whether it was finished.
fn run(arguments: &[&str]) -> Option<(Row, bool)> {
    let output =
        Command::new(std::env::current_exe().expect("this program")).args(arguments).output().expect("it runs");
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let [events, histories, conditions, cutoffs, seconds, bytes, end] = words[..] else { return None };
    let number = |word: &str| word.parse().expect("a number");
    let counts = [events, histories, conditions, cutoffs].map(number);
    Some((Row { counts, seconds: seconds.parse().ok()?, bytes: number(bytes) }, end == "Complete"))
}

fn files(inputs: &[&str], steps: &str) {
    println!(
        "{:<28} {:>9} {:>9} {:>10} {:>9} {:>8} {:>7}",
        "net", "events", "histories", "conditions", "cutoffs", "seconds", "MB"
    );
    let mut totals: Vec<(String, f64, f64, f64, f64)> = Vec::new();
    for input in inputs {
        let reference = std::fs::read_to_string(Path::new(input).join("reference.csv")).unwrap_or_default();
        let nets = nets(Path::new(input));
        for file in nets {
            let name = file.strip_prefix(input).ok().filter(|name| name.components().next().is_some()).unwrap_or(&file);
            let name = name.to_string_lossy().into_owned();
            let Some((row, _)) = run(&["--one", "1000000", steps, &file.to_string_lossy()]) else {
                println!("{name:<28} failed");
                continue;
            };
            let [events, histories, conditions, cutoffs] = row.counts;
            let megabytes = row.bytes as f64 / 1e6;
            print!(
                "{name:<28} {events:>9} {histories:>9} {conditions:>10} {cutoffs:>9} {:>8.3} {megabytes:>7.1}",
                row.seconds
            );
            let line = reference.lines().map(|line| line.split(',').collect::<Vec<_>>()).find(|line| line[0] == name);
            if let Some(line) = line {
                let counts: Vec<u64> = line[4..8].iter().map(|word| word.parse().expect("a count")).collect();
                let (seconds, memory): (f64, f64) = (line[10].parse().unwrap(), line[11].parse().unwrap());
                let same = if counts == row.counts { "same counts".into() } else { format!("not {counts:?}") };
                print!("  {same}, {:.0} times as fast, {:.2} of the memory", seconds / row.seconds, megabytes / memory);
                let group = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                if totals.last().is_none_or(|(last, ..)| last != group) {
                    totals.push((group.into(), 0.0, 0.0, 0.0, 0.0));
                }
                let (_, ours, theirs, our_memory, their_memory) = totals.last_mut().unwrap();
                *ours += row.seconds;
                *theirs += seconds;
                *our_memory += megabytes;
                *their_memory += memory;
            }
            println!();
        }
    }
    for (group, ours, theirs, our_memory, their_memory) in totals {
        println!("{group}: {ours:.2} s against {theirs:.2} s, {:.0} times as fast", theirs / ours);
        println!("{group}: {our_memory:.0} MB against {their_memory:.0} MB, {:.2} of it", our_memory / their_memory);
    }
}

/// The nets in a folder and the folders in it, sorted.
fn nets(input: &Path) -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(input) else { return vec![input.to_owned()] };
    let mut entries: Vec<PathBuf> = folder.map(|entry| entry.expect("a readable folder").path()).collect();
    entries.sort();
    let is_net = |file: &PathBuf| file.extension().is_some_and(|end| end == "ll_net" || end == "pnml");
    entries
        .iter()
        .flat_map(|entry| if entry.is_dir() { nets(entry) } else { vec![entry.clone()] })
        .filter(is_net)
        .collect()
}

/// Each family, with numbers that grow by a half, and in the end by one.
fn families(seconds: u64) {
    println!("| family | n | events | histories | conditions | cutoffs | seconds | MB | µs for a history |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for &(name, _) in FAMILIES {
        let mut n = 2;
        let mut step = 2;
        while let Some((row, complete)) = run(&["--one", &seconds.to_string(), "family", name, &n.to_string()]) {
            if !complete || row.seconds > seconds as f64 {
                break;
            }
            let [events, histories, conditions, cutoffs] = row.counts;
            print!("| {name} | {n} | {events} | {histories} | {conditions} | {cutoffs} | {:.3} ", row.seconds);
            println!("| {:.0} | {:.1} |", row.bytes as f64 / 1e6, row.seconds * 1e6 / histories as f64);
            // (What takes long already grows carefully.)
            step = if row.seconds * 4.0 > seconds as f64 { 1 } else { (step * 3 / 2).max(step + 1) };
            n += if row.seconds * 30.0 > seconds as f64 { (n / 5).max(1) } else { step };
        }
    }
}

/// Looks at everything.
struct All;

impl Listener<NetSystem<'_>> for All {
    fn violation(&mut self, _: NetFault, _: Vec<Move>) -> Flow {
        Flow::Continue
    }
}

/// Has the engine of programs explore a net, and prints events, executions, cutoffs and seconds.
fn explored(net: &Net) {
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(20));
        std::process::exit(1);
    });
    let Some(mut system) = NetSystem::new(net) else { return };
    let options = Options { cutoffs: Some(Order::Erv), ..Options::default() };
    let start = Instant::now();
    let (_, done) = por::explore(&mut system, &options, &mut All);
    println!("{} {} {} {:.3}", done.events, done.executions, done.cutoffs, start.elapsed().as_secs_f64());
}

fn engines(files: &[&str]) {
    println!("| net | histories | seconds | events | executions | cutoffs | seconds |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let both = |name: &str, arguments: &[&str]| {
        let Some((row, _)) = run(&[&["--one", "20"], arguments].concat()) else { return };
        let this = std::env::current_exe().expect("this program");
        let output = Command::new(this).arg("--explored").args(arguments).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).trim().replace(' ', " | ");
        let text = if text.is_empty() { "- | - | - | more than 20" } else { &text };
        println!("| {name} | {} | {:.3} | {text} |", row.counts[1], row.seconds);
    };
    for &(name, _) in FAMILIES {
        for n in [2, 4, 6, 8, 10] {
            both(&format!("{name} {n}"), &["family", name, &n.to_string()]);
        }
    }
    for file in files {
        both(file, &["length-first", file]);
    }
}
