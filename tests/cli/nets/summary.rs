//! What is said of an unfolding, to people and to machines.
use super::make;
use crate::machines::{closed_schema, conforms};
use crate::run::{Done, Files, command, done};
use serde_json::Value;
use std::path::Path;

/// Without the line that is measured.
fn unmeasured(done: &Done) -> String {
    let measured = |line: &&str| line.ends_with('B') && line.contains(" s, ");
    assert_eq!(done.out.lines().filter(measured).count(), 1, "{done:?}");
    done.out.lines().filter(|line| !measured(line)).map(|line| format!("{line}\n")).collect()
}

/// In an example's directory.
fn example(arguments: &str) -> Done {
    let mut command = command(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/nets"));
    done(command.arg("unfold").args(arguments.split_whitespace()).output().expect("verify starts"))
}

/// By hand: `write` has a history for each set of readers before it, and each reader one. With loops, readers take the
/// token from each other: four sequences of them, one of which ends at a marking that the other order leads to, and
/// `write` behind each set. With a copy for each reader, `write` takes the old or the new one of each.
#[test]
fn readers_and_a_writer() {
    for (arguments, net, prefix) in [
        (
            "",
            "8 places, 3 transitions, 2 read arcs",
            "3 events, 8 conditions, 6 histories of up to 3 events, 0 cutoffs",
        ),
        (
            "--encoding loops",
            "8 places, 3 transitions, 0 read arcs",
            "8 events, 20 conditions, 8 histories of up to 3 events, 1 cutoff",
        ),
        (
            "--encoding replication",
            "9 places, 3 transitions, 0 read arcs",
            "6 events, 17 conditions, 6 histories of up to 3 events, 0 cutoffs",
        ),
    ] {
        let done = example(&format!("readers.ll_net {arguments}"));
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
        let expected =
            format!("complete: the prefix represents every reachable marking\nnet: {net}\nprefix: {prefix}\n");
        assert_eq!(unmeasured(&done), expected, "{arguments}");
    }
}

/// By hand: each philosopher takes two forks, which gives two markings, and puts them back, which leads to the first
/// one.
#[test]
fn philosophers() {
    for order in ["erv", "mcmillan"] {
        let done = example(&format!("philosophers.ll_net --order {order}"));
        assert_eq!(
            unmeasured(&done),
            "complete: the prefix represents every reachable marking\n\
             net: 12 places, 9 transitions, 0 read arcs\n\
             prefix: 9 events, 21 conditions, 9 histories of up to 3 events, 3 cutoffs\n",
        );
    }
    let done = example("philosophers.ll_net -q");
    assert_eq!(done.out, "complete: the prefix represents every reachable marking\n");
}

/// By hand: t1, t1 t2 and t1 t2 t3 lead to new markings, t1 t3, t1 t2 t4 and t1 t2 t3 t1 to known ones.
#[test]
fn two_that_look_at_each_other() {
    let files = Files::new(&[("round.ll_net", &make::round())]);
    let done = files.run("unfold round.ll_net");
    let prefix = "prefix: 5 events, 7 conditions, 6 histories of up to 4 events, 3 cutoffs\n";
    assert!(unmeasured(&done).ends_with(prefix), "{done:?}");
    files.write("round.pnml", make::ROUND_PNML);
    assert_eq!(unmeasured(&files.run("unfold round.pnml")), unmeasured(&done));
    let loops = files.run("unfold round.ll_net --encoding loops --format json");
    assert_eq!(json(&loops)["net"]["read_arcs"], 0);
}

#[test]
fn loops_become_read_arcs() {
    let looping = make::ll_net("p1 p2", &["t1: p2 () p3", "t2: p1 p3 () p4 p3", "t3: p3 () p2", "t4: p4 () p1"]);
    let files = Files::new(&[("loops.ll_net", &looping), ("round.ll_net", &make::round())]);
    let [loops, reads] = ["loops.ll_net --contexts-from-loops", "round.ll_net"]
        .map(|arguments| unmeasured(&files.run(&format!("unfold {arguments}"))));
    assert_eq!(loops, reads);
    assert!(unmeasured(&files.run("unfold loops.ll_net")).contains("0 read arcs"));
}

#[test]
fn a_transition_that_is_reached() {
    let done = example("philosophers.ll_net --stop-at leave2");
    assert_eq!(done.code, Some(1), "{done:?}");
    let text = unmeasured(&done);
    assert!(text.starts_with("reached: leave2 can fire\nrun: left2 right2 leave2\nnet: "), "{text}");
    assert_eq!(example("philosophers.ll_net -q --stop-at leave2").out, "reached: leave2 can fire\n");
    // A name that is no word, and a transition that never fires.
    let net = make::ll_net("p", &["first step: p () q", "never: p q () r"]);
    let files = Files::new(&[("a.ll_net", &net)]);
    let run = |name: &str| done_of(files.command("unfold a.ll_net --stop-at").arg(name));
    assert!(run("first step").out.starts_with("reached: \"first step\" can fire\nrun: \"first step\"\n"));
    let never = run("never");
    assert_eq!(never.code, Some(0), "{never:?}");
    assert!(never.out.starts_with("complete: never never fires\n"), "{never:?}");
}

fn done_of(command: &mut std::process::Command) -> Done {
    done(command.output().expect("verify starts"))
}

fn json(done: &Done) -> Value {
    assert_eq!(done.out.matches('\n').count(), 1, "one line: {done:?}");
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn json_for_each_end() {
    let schema = closed_schema(include_str!("../../../docs/schema/unfold-1.schema.json"));
    let complete = json(&example("readers.ll_net --format json --order mcmillan"));
    conforms(&schema, &complete);
    let file = "readers.ll_net";
    assert_eq!(complete["net"], serde_json::json!({"file": file, "places": 8, "transitions": 3, "read_arcs": 2}));
    for (key, value) in [("schema", Value::from(1)), ("order", "mcmillan".into()), ("encoding", "contextual".into())] {
        assert_eq!(complete[key], value, "{key}");
    }
    assert_eq!(
        (&complete["end"], &complete["reason"], &complete["run"]),
        (&"complete".into(), &Value::Null, &Value::Null)
    );
    let stats = &complete["stats"];
    for (key, count) in [("events", 3), ("conditions", 8), ("histories", 6), ("cutoffs", 0), ("depth", 3)] {
        assert_eq!(stats[key], count, "{key}");
    }
    assert!(stats["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);

    let reached = json(&example("philosophers.ll_net --format json --stop-at right3"));
    conforms(&schema, &reached);
    assert_eq!(reached["end"], "reached");
    assert_eq!(reached["run"], serde_json::json!(["left3", "right3"]));

    let stopped = json(&example("philosophers.ll_net --format json --max-events 6 --encoding loops"));
    conforms(&schema, &stopped);
    assert_eq!((&stopped["end"], &stopped["encoding"]), (&"stopped".into(), &"loops".into()));
    assert_eq!(stopped["reason"], "limit of 6 events exceeded");

    let broken = |report: &Value, change: fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        !schema.is_valid(&report)
    };
    assert!(broken(&complete, |report| report["end"] = "reached".into()), "without a run");
    assert!(broken(&complete, |report| report["end"] = "stopped".into()), "without a reason");
    assert!(broken(&stopped, |report| report["end"] = "complete".into()), "with a reason");
    assert!(broken(&reached, |report| report["end"] = "complete".into()), "with a run");
    assert!(broken(&complete, |report| report["stats"]["events"] = (-1).into()));
    assert!(broken(&complete, |report| drop(report.as_object_mut().unwrap().remove("stats"))));
    assert!(broken(&complete, |report| report["net"]["new"] = 1.into()));
}

/// By hand: the three that take a left fork are beside each other, and each that takes a right one is beside the one
/// whose forks it leaves alone; that makes six pairs. What a left one generates, the right one behind it consumes.
#[test]
fn the_same_counts_in_every_run() {
    let run = || {
        let mut report = json(&example("philosophers.ll_net --format json"));
        let stats = report["stats"].as_object_mut().unwrap();
        stats.retain(|key, _| !["seconds", "peak_memory_bytes"].contains(&key.as_str()));
        report
    };
    let report = run();
    assert_eq!(report["stats"]["concurrent_pairs"], 12, "each is an entry of both");
    assert_eq!(report, run());
}

#[test]
fn every_option_is_documented() {
    let manual = include_str!("../../../docs/nets.md");
    let help = example("--help").out;
    let words = help.split("Examples:").next().unwrap_or_default().split(|c: char| c.is_whitespace() || c == '=');
    let options: Vec<&str> = words.filter(|word| word.starts_with("--") && word.len() > 2).collect();
    assert!(options.len() > 10, "{help}");
    for option in options {
        assert!(manual.contains(&format!("`{option}")), "{option} is not in docs/nets.md");
    }
}
