//! Limits, signals, pipes.
use super::make;
use crate::run::{Done, Files, done};
use crate::signals::interrupted;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The last bit of this counter is not reached in a lifetime.
const BITS: u32 = 40;

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn events() {
    // Seven bits give 127 events, one after the other.
    let files = Files::new(&[("a.ll_net", &make::counter(7))]);
    for (most, code, events) in [(1, 3, 2), (125, 3, 126), (126, 0, 127), (127, 0, 127), (1_000_000, 0, 127)] {
        let done = files.run(&format!("unfold a.ll_net --format json --max-events {most}"));
        assert_eq!(done.code, Some(code), "{most}: {done:?}");
        assert_eq!(json(&done)["stats"]["events"], events, "{most}: {done:?}");
    }
    let done = files.run("unfold a.ll_net --max-events 1");
    assert!(done.out.starts_with("stopped: limit of 1 event exceeded; the prefix is not complete\n"), "{done:?}");
    assert!(done.out.ends_with("hint: raise --max-events, or leave it out\n"), "{done:?}");
}

#[test]
fn time_and_memory() {
    let files = Files::new(&[("a.ll_net", &make::counter(BITS))]);
    for (arguments, reason) in [
        ("--time-limit 1s", "stopped: time limit of 1s reached; "),
        ("--memory-limit 1M", "stopped: memory limit of 1 MB reached; "),
    ] {
        let done = files.run(&format!("unfold a.ll_net {arguments}"));
        assert_eq!((done.code, done.err.as_str()), (Some(3), ""), "{done:?}");
        assert!(done.out.starts_with(reason), "{done:?}");
        assert!(done.out.contains(&format!("hint: raise {}", &arguments[..12])), "{done:?}");
    }
}

#[test]
fn ctrl_c_and_termination() {
    for name in ["INT", "TERM"] {
        let files = Files::new(&[("a.ll_net", &make::counter(BITS))]);
        let line = "unfold --format json --report dot=a.dot --max-events 100000000 a.ll_net";
        let done = interrupted(files.command(line), name);
        assert_eq!((done.code, done.err.as_str()), (Some(3), ""));
        let report = json(&done);
        assert_eq!((&report["end"], &report["reason"]), (&"stopped".into(), &"interrupted".into()), "{report}");
        let events = report["stats"]["events"].as_u64().expect("a number");
        assert!(events > 100, "{report}");
        let dot = std::fs::read_to_string(files.path("a.dot")).expect("what there is was written");
        assert_eq!(dot.matches("shape=box").count() as u64, events);
    }
}

/// One step takes for ever. It is not waited for; what is known without it is said.
#[test]
fn time_in_the_middle_of_a_step() {
    let files = Files::new(&[("a.ll_net", &make::pigeons(14))]);
    let begin = Instant::now();
    let done = files.run("unfold --time-limit 1s --format json --report text=text --report prefix=prefix -q a.ll_net");
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(done.code, Some(3), "{done:?}");
    assert_eq!(done.err, "warning: the prefix is not written, for the unfolding was in the middle of a long step\n");
    let report = json(&done);
    assert_eq!(report["reason"], "time limit of 1s reached");
    assert!(report["stats"]["conditions"].is_null() && report["stats"]["events"].as_u64() > Some(10), "{report}");
    let schema = crate::machines::closed_schema(include_str!("../../../docs/schema/unfold-1.schema.json"));
    crate::machines::conforms(&schema, &report);
    assert!(std::fs::read_to_string(files.path("text")).unwrap().starts_with("stopped: time limit"));
    assert!(!files.path("prefix").exists());
}

#[test]
fn a_closed_pipe() {
    let files = Files::new(&[("a.ll_net", &make::counter(12))]);
    for format in ["text", "dot", "prefix"] {
        let mut command = files.command(&format!("unfold a.ll_net --stop-at carry11 --format {format}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("verify starts");
        drop(child.stdout.take());
        let done = done(child.wait_with_output().expect("verify ends"));
        assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{format}");
    }
}

#[test]
fn a_net_from_a_pipe() {
    use std::io::Write;
    let mut command = Files::new(&[]).command("unfold -q /dev/stdin");
    let mut child =
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("verify starts");
    child.stdin.take().expect("it is piped").write_all(make::round().as_bytes()).expect("verify reads");
    let done = done(child.wait_with_output().expect("verify ends"));
    assert_eq!(done.out, "complete: the prefix represents every reachable marking\n");
}
