//! `verify coordinate` and `verify work`: an exploration by processes that share nothing but files.
use crate::run::{Done, Files, done};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Threads that add to one place without a lock between the steps: many executions, and an assertion that some of them
/// fail.
const ADDS: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
static void *add(void *unused) { int old = n; n = old + 1; return unused; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(n == N || !BUG);
}
";

/// A plain counter that races, which is a place to schedule at from then on.
const RACES: &str = "#include <pthread.h>
int n;
static void *add(void *unused) { n++; return unused; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
";

fn report(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// What must be the same for any number of workers.
fn essence(report: &Value) -> Value {
    let bugs = report["violations"].as_array().expect("a list");
    let mut bugs: Vec<String> = bugs
        .iter()
        .map(|bug| {
            let length = bug["trace"].as_array().expect("a list").len();
            format!("{} {} {length}", bug["message"], bug["location"]["line"])
        })
        .collect();
    bugs.sort();
    let counts = ["executions", "blocked", "pruned", "restarts", "promoted"].map(|name| &report["stats"][name]);
    let counts: Vec<&Value> = counts.to_vec();
    serde_json::json!({
        "verdict": report["verdict"], "assumptions": report["assumptions"], "bugs": bugs, "counts": counts,
    })
}

fn coordinator(files: &Files, line: &str) -> Child {
    let mut command = files.command(&format!("coordinate {line}"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started")
}

fn ended(child: Child) -> Done {
    done(child.wait_with_output().expect("it ends"))
}

/// The names of the jobs that are there.
fn jobs(files: &Files) -> Vec<String> {
    let directory = std::fs::read_dir(files.path("d/jobs")).into_iter().flatten();
    let names = directory.filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".job").map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort_by_key(|name| name.parse::<u64>().expect("a number"));
    names
}

/// Does the job of that name.
fn work(files: &Files, name: &str) -> Done {
    files.run(&format!("work --program d/program --job d/jobs/{name}.job --out d/results/{name}.out"))
}

/// Does jobs, the last one first, until so many were done or the coordinator has ended.
fn do_jobs(files: &Files, coordinator: &mut Child, most: usize) -> usize {
    let begin = Instant::now();
    let mut done = 0;
    while done < most && coordinator.try_wait().expect("it can be asked").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "it does not end");
        match jobs(files).into_iter().rev().find(|name| !files.path(&format!("d/results/{name}.out")).exists()) {
            Some(name) => {
                let worked = work(files, &name);
                // (The job may have gone meanwhile, because a bug was enough.)
                assert!(worked.code == Some(0) || !files.path(&format!("d/jobs/{name}.job")).exists(), "{worked:?}");
                done += 1;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
    done
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory).expect("it is there").next().is_none()
}

#[test]
fn jobs_come_to_what_one_process_does() {
    for (program, options) in [
        (ADDS, "-DN=3 -DBUG=0 --engine optimal"),
        (ADDS, "-DN=3 -DBUG=1 --engine observers --keep-going"),
        (ADDS, "-DN=3 -DBUG=1 --engine source --keep-going"),
        (RACES, "--keep-going"),
    ] {
        let files = Files::new(&[("a.c", program)]);
        let engine = if options.contains("--engine") { "" } else { "--engine optimal" };
        let alone = files.run(&format!("--hunt off --format json a.c {options} {engine}"));
        let line = format!("--dir d --budget 1ms --tasks 5 --format json a.c {options}");
        let mut coordinator = coordinator(&files, &line);
        let count = do_jobs(&files, &mut coordinator, usize::MAX);
        let done = ended(coordinator);
        assert_eq!(done.code, alone.code, "{done:?}");
        let (mut by_jobs, mut expected) = (essence(&report(&done)), essence(&report(&alone)));
        if options.contains("source") {
            // (How many are blocked depends on the order.)
            by_jobs["counts"][1] = 0.into();
            expected["counts"][1] = 0.into();
        }
        assert_eq!(by_jobs, expected, "{options}");
        assert!(count >= if program == RACES { 2 } else { 10 }, "{options}: {count} jobs");
        assert!(is_empty(&files.path("d/jobs")) && is_empty(&files.path("d/results")) && files.path("d/over").exists());
    }
}

#[test]
fn another_coordinator_goes_on() {
    let files = Files::new(&[("a.c", ADDS)]);
    let line = "--dir d --budget 1ms --tasks 3 --format json a.c -DN=3 -DBUG=0";
    let expected = files.run("--engine optimal --hunt off --format json a.c -DN=3 -DBUG=0");
    let mut first = coordinator(&files, line);
    do_jobs(&files, &mut first, 6);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    // A worker that hears of nothing goes on meanwhile, and does one of them twice.
    if let Some(name) = jobs(&files).first() {
        assert_eq!(work(&files, name).code, Some(0));
        assert_eq!(work(&files, name).code, Some(0));
    }
    let anew = ended(coordinator(&files, line));
    assert_eq!(anew.code, Some(2));
    assert!(anew.err.contains("there is an exploration in this directory; add --resume"), "{anew:?}");
    let other = ended(coordinator(&files, &format!("{line} --spurious-wakeups --resume")));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("of another program, with other options"), "{other:?}");
    let mut second = coordinator(&files, &format!("{line} --resume"));
    do_jobs(&files, &mut second, usize::MAX);
    let done = ended(second);
    assert_eq!(essence(&report(&done)), essence(&report(&expected)));
}

#[test]
fn what_does_not_fit_is_refused() {
    let files = Files::new(&[("a.c", ADDS), ("b.c", RACES)]);
    let mut one = coordinator(&files, "--dir d --tasks 1 a.c -DN=5 -DBUG=0");
    let mut other = coordinator(&files, "--dir e --tasks 1 b.c");
    let begin = Instant::now();
    while !files.path("d/jobs/1.job").exists() || !files.path("e/jobs/1.job").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "there is no job");
        std::thread::sleep(Duration::from_millis(5));
    }
    let foreign = files.run("work --program d/program --job e/jobs/1.job --out d/results/1.out");
    assert_eq!(foreign.code, Some(2));
    assert!(foreign.err.contains("e/jobs/1.job is refused: it belongs to another program"), "{foreign:?}");
    let mut job = std::fs::read(files.path("d/jobs/1.job")).expect("it is there");
    for (at, what) in
        [(None, "it is cut off, or was changed"), (Some(20), "another build of verify"), (Some(0), "no job")]
    {
        let mut changed = job.clone();
        match at {
            Some(at) => changed[at] ^= 1,
            None => changed.truncate(job.len() - 1),
        }
        std::fs::write(files.path("changed.job"), changed).expect("it can be written");
        let refused = files.run("work --program d/program --job changed.job --out d/results/1.out");
        assert_eq!(refused.code, Some(2), "{what}");
        assert!(refused.err.contains(what), "{refused:?}");
    }
    // A result that is damaged counts as none.
    job.rotate_left(7);
    std::fs::write(files.path("d/results/1.out"), job).expect("it can be written");
    while files.path("d/results/1.out").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it is left there");
        std::thread::sleep(Duration::from_millis(5));
    }
    let limited = files.run("work --program d/program --job d/jobs/1.job --out d/results/1.out --memory-limit 1M");
    assert_eq!(limited.code, Some(3), "{limited:?}");
    assert!(limited.err.contains("the job was not done: memory limit of 1 MB reached"), "{limited:?}");
    do_jobs(&files, &mut one, usize::MAX);
    let done = ended(one);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("the job is to be done again"), "{done:?}");
    other.kill().expect("it can be killed");
    other.wait().expect("it ends");
}

#[test]
fn what_cannot_be_divided_is_explored_alone() {
    let block = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int main(void) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); }";
    let input = "int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() == 7; }";
    for (program, reason) in [(block, "atomic blocks"), (input, "reads inputs that may be anything")] {
        let files = Files::new(&[("a.c", program)]);
        let mut coordinator = coordinator(&files, "--dir d a.c");
        do_jobs(&files, &mut coordinator, usize::MAX);
        let done = ended(coordinator);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.err.contains("goes on here alone") && done.err.contains(reason), "{done:?}");
    }
    let files = Files::new(&[("a.c", RACES)]);
    for options in ["--engine states", "--certify c", "--save-trace t", "--layouts 2", "--hunt only", "--jobs 2"] {
        let done = files.run(&format!("coordinate --dir d a.c {options}"));
        assert_eq!(done.code, Some(2), "{options}: {done:?}");
    }
    let done = files.run("a.c --resume");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("add --checkpoint FILE"), "{done:?}");
}
