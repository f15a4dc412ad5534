//! What the output looks like.
use crate::run::{DEADLOCK, ENDLESS, Files, LOCKED, RACE, command, done};

/// Keys in the order in which they stand in the text, nested ones with their parent's.
fn keys(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let after = &rest[start + 1..];
        let mut end = 0;
        while !after[end..].starts_with('"') {
            end += if after[end..].starts_with('\\') { 2 } else { after[end..].chars().next().unwrap().len_utf8() };
        }
        if after[end + 1..].starts_with(':') {
            keys.push(after[..end].to_owned());
        }
        rest = &after[end + 1..];
    }
    keys
}

const STATS: [&str; 13] = [
    "engine",
    "stats",
    "executions",
    "blocked",
    "pruned",
    "events",
    "cutoffs",
    "promoted",
    "restarts",
    "threads",
    "instructions",
    "seconds",
    "peak_memory_bytes",
];

#[test]
fn json_of_a_proof() {
    let files = Files::new(&[("a.c", LOCKED)]);
    let done = files.run("--format json a.c");
    assert_eq!(done.err, "");
    assert_eq!(done.out.matches('\n').count(), 1, "one line: {}", done.out);
    let head = ["schema", "verdict", "reason", "assumptions", "violations"];
    assert_eq!(keys(&done.out), [&head[..], &STATS[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["verdict"], "safe");
    assert!(report["reason"].is_null());
    assert_eq!(report["violations"], serde_json::json!([]));
    assert_eq!(report["stats"]["executions"], 2);
    assert_eq!(report["stats"]["threads"], 2);
    assert!(report["stats"]["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["stats"]["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
}

#[test]
fn locks_held_for_reading_are_said_to_be() {
    // Two readers write, and the lock does not keep them apart; that one of them holds a mutex does not help either.
    let program = r"#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c;
void *add(void *p) {
  pthread_rwlock_rdlock(&l);
  c++;
  pthread_rwlock_unlock(&l);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  pthread_mutex_lock(&m);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  add(0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
";
    let files = Files::new(&[("a.c", program)]);
    let report: serde_json::Value = serde_json::from_str(&files.run("--format json a.c").out).unwrap();
    let trace = report["violations"][0]["trace"].as_array().unwrap();
    let held = |action: &str| {
        let step = trace.iter().rfind(|step| step["action"].as_str().unwrap().contains(action));
        step.map(|step| (step["thread"].clone(), step["holds"].clone())).unwrap_or_else(|| panic!("{report:#}"))
    };
    assert_eq!(held("for writing").1, serde_json::json!(["`l`", "`m`"]));
    let (thread, reader) = held("for reading");
    let both = serde_json::json!(["`l` (for reading)", "`m`"]);
    assert_eq!(reader, if thread == 0 { both } else { serde_json::json!(["`l` (for reading)"]) });
    let text = files.run("a.c").out;
    assert!(text.contains("holds `l` (for reading)"), "{text}");
}

#[test]
fn json_of_a_bug() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    let done = files.run("--format json a.c");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["verdict"], "unsafe");
    let violation = &report["violations"][0];
    assert_eq!(violation["kind"], "deadlock");
    assert_eq!(violation["location"]["file"], "a.c");
    assert_eq!(violation["location"]["line"], 14);
    assert_eq!(violation["location"]["column"], 3);
    assert_eq!(violation["location"]["function"], "main");
    let trace = violation["trace"].as_array().unwrap();
    assert_eq!(trace.len(), 3, "{done:?}");
    assert_eq!(trace[0]["thread"], 0);
    let location = ["location", "file", "line", "column", "function"];
    let step = [&["thread", "action"][..], &location[..], &["value", "library", "holds", "after"][..]].concat();
    let violation = [&["violations", "kind", "message"][..], &location[..], &["trace"][..]].concat();
    let head = ["schema", "verdict", "reason", "assumptions"];
    assert_eq!(keys(&done.out), [&head[..], &violation[..], &step[..], &step[..], &step[..], &STATS[..]].concat());
}

#[test]
fn two_runs_print_the_same() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    let run = || {
        let mut report: serde_json::Value = serde_json::from_str(&files.run("-k --format json a.c").out).unwrap();
        report["stats"]["seconds"] = 0.into();
        report["stats"]["peak_memory_bytes"] = 0.into();
        report
    };
    assert_eq!(run(), run());
}

#[test]
fn statistics() {
    let files = Files::new(&[("a.c", LOCKED)]);
    let done = files.run("--stats --format json a.c");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let engine = &report["stats"]["engine"];
    // The thread that comes second might have been first, in both executions; the second one is found from the first.
    assert_eq!((&engine["races_reversed"], &engine["alternatives_found"]), (&2.into(), &1.into()), "{done:?}");
    assert!(engine["events_made"].as_u64() >= report["stats"]["events"].as_u64(), "{done:?}");
    assert!(report["stats"]["time"]["loading"].as_f64().unwrap() > 0.0, "{done:?}");
    // What else is said is the same with and without.
    assert_eq!(keys(&done.out)[..18], keys(&files.run("--format json a.c").out)[..]);
    let text = files.run("--stats a.c").out;
    assert!(text.starts_with("safe: ") && text.contains("\nWhere the time went:\n"), "{text}");
    let manual = include_str!("../../docs/cli.md");
    for key in &keys(&done.out)[18..] {
        assert!(manual.contains(&format!("`{key}`")), "{key} is not in docs/cli.md");
    }
}

#[test]
fn text_of_a_race() {
    let files = Files::new(&[("race.c", RACE)]);
    let done = files.run("race.c");
    let (report, statistics) = done.out.rsplit_once("\n\n").expect("statistics follow");
    insta::assert_snapshot!(report);
    assert!(statistics.contains("hint: "), "{done:?}");
}

#[test]
fn text_of_a_deadlock() {
    let files = Files::new(&[("deadlock.c", DEADLOCK)]);
    let done = files.run("deadlock.c");
    let report = done.out.rsplit_once("\n\n").expect("statistics follow").0;
    insta::assert_snapshot!(report);
}

#[test]
fn narrow_terminals() {
    for program in [RACE, DEADLOCK] {
        let files = Files::new(&[("a.c", program)]);
        let output = files.command("-v a.c").env("COLUMNS", "60").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }
}

#[test]
fn without_the_source_the_place_is_still_named() {
    let files = Files::new(&[("a.c", RACE)]);
    let clang = std::process::Command::new("clang-19")
        .args(["-g", "-c", "-emit-llvm", "-o"])
        .args([files.path("a.bc"), files.path("a.c")])
        .status();
    assert!(clang.unwrap().success());
    std::fs::remove_file(files.path("a.c")).unwrap();
    let done = files.run("a.bc");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("a.c:4:4"), "{done:?}");
}

#[test]
fn colours() {
    let files = Files::new(&[("a.c", RACE)]);
    assert!(!files.run("a.c").out.contains('\x1b'), "none in a pipe");
    assert!(files.run("--color always a.c").out.contains('\x1b'));
    assert!(!files.run("--color never a.c").out.contains('\x1b'));
}

#[test]
fn quiet_and_verbose() {
    let files = Files::new(&[("a.c", RACE)]);
    let quiet = files.run("-q a.c").out;
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
    assert!(quiet.starts_with("a.c:4:4: bug: data race on `c`"), "{quiet}");
    assert!(files.run("-v a.c").out.len() >= files.run("a.c").out.len());
}

#[test]
fn code_as_text() {
    let files = Files::new(&[("a.c", LOCKED)]);
    let done = files.run("--print-ir a.c");
    assert_eq!(done.code, Some(0));
    assert!(done.out.contains("add") && done.out.contains("pthread_mutex_lock"), "{done:?}");
}

#[test]
fn help_and_version() {
    let files = Files::new(&[]);
    for arguments in ["--help", "-h", "check --help"] {
        let done = files.run(arguments);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.out.contains("Examples:") && done.out.contains("--alternatives"), "{done:?}");
    }
    let done = files.run("--version");
    assert_eq!(done.out, format!("verify {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn pictures() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    let done = files.run("--format dot --report svg=a.svg --report unfolding=a.dot a.c");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.starts_with("digraph execution {") && done.out.contains("n3 -> n4 [color=red"), "{done:?}");
    let svg = std::fs::read_to_string(files.path("a.svg")).unwrap();
    assert_eq!(svg.matches("class='number'").count(), 5, "three steps and two that wait: {svg}");
    let unfolding = std::fs::read_to_string(files.path("a.dot")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&files.run("--format json --merge-ends off a.c").out).unwrap();
    assert_eq!(unfolding.matches("[label=\"thread ").count() as u64, report["stats"]["events"].as_u64().unwrap());
}

#[test]
fn a_file_that_is_not_below_here_is_found() {
    let files = Files::new(&[]);
    files.write("there/a.c", RACE);
    files.write("here/nothing", "");
    let found = done(command(&files.path("here")).arg(files.path("there/a.c")).output().expect("verify starts"));
    let place = format!("--> {}:", files.path("there/a.c").display());
    assert!(found.out.contains(&place) && found.out.contains("|   c++;"), "{found:?}");
}

#[test]
fn what_was_explored_is_shown_if_it_can_be() {
    let files = Files::new(&[("a.c", LOCKED), ("many.c", ENDLESS)]);
    let many = files.run("--max-executions 1000 --cutoffs off --format unfolding many.c");
    assert_eq!(many.code, Some(3), "{many:?}");
    assert!(many.out.contains("the unfolding is not shown: it has "), "{many:?}");
    for engine in ["naive", "source", "optimal", "observers", "states"] {
        let refused = files.run(&format!("--engine {engine} --format unfolding a.c"));
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{refused:?}");
        assert!(refused.err.contains("there is no unfolding with this engine"), "{refused:?}");
        let page = files.run(&format!("--engine {engine} --format html a.c"));
        assert!(page.out.contains("this engine explores sequences or states, which have no unfolding"), "{page:?}");
    }
}

#[test]
fn what_a_program_says_is_only_shown() {
    let program = r#"#include <stdio.h>
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
  printf("::stop-commands::abc\nsafe: all\x1b[2J\n");
  __assert_fail("x\nsafe: all 1 executions were explored\x1b[2J", "a.c", 1, "f");
}
"#;
    let files = Files::new(&[("a.c", program)]);
    for arguments in
        ["", "-q", "--show-output", "-v --show-output", "--format jsonl", "--format github", "--format dot"]
    {
        let done = files.run(&format!("a.c {arguments} --color never"));
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(!done.out.contains('\x1b'), "{arguments}: {done:?}");
        let obeyed = done.out.lines().find(|line| line.starts_with("::stop") || line.starts_with("safe"));
        assert_eq!(obeyed, None, "{arguments}");
    }
    let shown = files.run("a.c --show-output").out;
    assert!(shown.contains("\n| ::stop-commands::abc\n| safe: all\\x1b[2J\n"), "{shown}");
    assert!(shown.contains("`x\\nsafe: all 1 executions were explored\\x1b[2J`"), "{shown}");
}
