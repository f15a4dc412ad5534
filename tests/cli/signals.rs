//! Processes that are signalled once they do what they are to be interrupted in.
use crate::run::{Done, done};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Processor time, in hundredths of a second, by which a thread that explores has met something.
const WARM: u64 = 10;

/// No process takes longer to begin.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the program until it explores, or a process that it has started does; then sends it a signal and waits for its
/// end.
pub(crate) fn interrupted(command: Command, signal: &str) -> Done {
    interrupted_by(command, &[signal])
}

/// The same with several signals, one right after the other.
pub(crate) fn interrupted_by(mut command: Command, signals: &[&str]) -> Done {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("verify starts");
    wait_until_it_explores(&child);
    let kill = |signal: &&str| format!("kill -{signal} {}", child.id());
    let all = signals.iter().map(kill).collect::<Vec<_>>().join("; ");
    assert!(Command::new("sh").args(["-c", &all]).status().expect("a shell runs").success());
    done(child.wait_with_output().expect("verify ends"))
}

/// What explores is a thread with that name, which works.
fn wait_until_it_explores(child: &Child) {
    let begin = Instant::now();
    while !family(child.id()).into_iter().any(explores) {
        assert!(begin.elapsed() < PATIENCE, "nothing is explored");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process and its children.
fn family(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is /proc").filter_map(|entry| {
        let process = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        (field(&stat, 4)? == u64::from(parent)).then_some(process)
    });
    std::iter::once(parent).chain(processes).collect()
}

fn explores(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    threads.flatten().any(|thread| works(&thread.path()) == Some(true))
}

fn works(thread: &Path) -> Option<bool> {
    let name = std::fs::read_to_string(thread.join("comm")).ok()?;
    let stat = std::fs::read_to_string(thread.join("stat")).ok()?;
    Some(name == "explorer\n" && field(&stat, 14)? + field(&stat, 15)? >= WARM)
}

/// A field of the system's table, by its number in proc(5). The second is the name, in parentheses, which may contain
/// anything.
fn field(stat: &str, number: usize) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(number - 3)?.parse().ok()
}
