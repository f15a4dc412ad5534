//! Arguments, standard input and functions that may be anything: what reports say of them, replays, and mistakes.
use crate::run::Files;
use serde_json::{Value, json};

/// Fails for one argument, one input, and one result.
const PROGRAM: &str = r#"#include <assert.h>
#include <stdio.h>
extern short measure(void);
extern void tell(int);
int main(int argc, char **argv) {
  if (argc != 3 || argv[2][0] != '\'' || argv[2][1] != (char)0xff)
    return 0;
  if (getchar() != '\n' || getchar() != EOF)
    return 0;
  tell(1);
  assert(measure() != -5);
}
"#;

const OPEN: &str = "--symbolic-args 1x2 --symbolic-stdin 2 --externals symbolic";

fn given(text: &str) -> Value {
    let report: Value = serde_json::from_str(text).expect("JSON");
    report["violations"][0]["given"].clone()
}

#[test]
fn what_a_bug_is_given() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    let text = files.run(&format!("{OPEN} a.c --save-trace bug.trace --report html=a.html -- one"));
    assert_eq!(text.code, Some(1), "{text:?}");
    let lines = [
        "What the program is given:",
        r#"  argv[1] = "one""#,
        r#"  argv[2] = "'\377""#,
        r#"  stdin = "\n""#,
        "  measure returns -5",
        r"  in a shell: printf '\n' | ./program one $'\'\377'",
    ];
    assert!(text.out.contains(&lines.join("\n")), "{}", text.out);
    let page = std::fs::read_to_string(files.path("a.html")).unwrap();
    assert!(page.contains("measure returns -5"));

    let expected =
        json!({"args": ["one", "'\u{ff}"], "stdin": "\n", "externals": [{"function": "measure", "value": -5}]});
    let searched = files.run(&format!("{OPEN} --format json a.c -- one"));
    assert_eq!(given(&searched.out), expected);
    let replayed = files.run("replay --format json bug.trace");
    assert_eq!((replayed.code, given(&replayed.out)), (Some(1), expected), "{replayed:?}");
    let native = files.run("replay --native bug.trace");
    assert!(native.code == Some(1) && native.out.contains("native: it happens"), "{native:?}");
}

#[test]
fn nothing_is_given_where_nothing_is_open() {
    let files = Files::new(&[("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")]);
    let report = files.run("a.c --format json");
    assert!(report.code == Some(1) && !report.out.contains("given"), "{report:?}");
}

/// Each engine finds the bug, and none where the function is another.
#[test]
fn all_engines() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    for engine in ["auto", "optimal", "observers", "source", "states", "naive", "unfolding"] {
        let bug = files.run(&format!("{OPEN} --engine {engine} --format json a.c -- one"));
        assert!(bug.code == Some(1) && given(&bug.out)["stdin"] == "\n", "{engine}: {bug:?}");
        let safe = files.run(&format!("{OPEN} --engine {engine} a.c"));
        assert_eq!(safe.code, Some(0), "{engine}: {safe:?}");
        assert!(safe.out.contains("assuming: bounded-arguments\n"), "{engine}: {safe:?}");
    }
    let cutoffs = files.run(&format!("{OPEN} --cutoffs off a.c -- one"));
    assert_eq!(cutoffs.code, Some(1), "{cutoffs:?}");
}

/// What nobody looks for is not assumed: the end of the input is, where it is one because there may be no more.
#[test]
fn what_safe_assumes() {
    let reads = "#include <stdio.h>\nint main(void) { for (int i = 0; i < N; i++) if (getchar() == EOF) return 1; return 0; }\n";
    let files = Files::new(&[("a.c", reads)]);
    for (count, bounded) in [(2, false), (3, true)] {
        let safe = files.run(&format!("--symbolic-stdin 2 -DN={count} a.c"));
        assert_eq!((safe.code, safe.out.contains("bounded-stdin")), (Some(0), bounded), "{safe:?}");
        assert!(!safe.out.contains("bounded-arguments"), "{safe:?}");
    }
}

#[test]
fn mistakes() {
    let files = Files::new(&[
        ("a.c", PROGRAM),
        ("in", ""),
        ("none.ll", "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n"),
    ]);
    for (arguments, words) in [
        ("--symbolic-args -1 a.c", &["--symbolic-args", "`2x4`"][..]),
        ("--symbolic-args 101 a.c", &["--symbolic-args", "100 at most"]),
        ("--symbolic-args 1x5000 a.c", &["--symbolic-args", "4096 bytes at most"]),
        ("--symbolic-args 3-2 a.c", &["3 is more than 2"]),
        ("--symbolic-args 0 a.c", &["leave the option out"]),
        ("--symbolic-stdin -1 a.c", &["--symbolic-stdin"]),
        ("--symbolic-stdin 0 a.c", &["--symbolic-stdin"]),
        ("--symbolic-stdin 65537 a.c", &["--symbolic-stdin", "65536"]),
        ("--symbolic-stdin 2 --stdin in a.c", &["--symbolic-stdin", "--stdin"]),
        ("--symbolic-args 1 --symbolic off a.c", &["--symbolic-args needs symbolic data"]),
        ("--symbolic-stdin 1 --nondet 3 a.c", &["--symbolic-stdin needs symbolic data"]),
        ("--externals symbolic --symbolic off a.c", &["--externals needs symbolic data"]),
        ("--externals 1x a.c", &["--externals", "no name of a function"]),
        ("--externals nobody a.c", &["`nobody` is no external function", "does not call it"]),
        ("--externals main a.c", &["`main` is no external function", "is defined"]),
        ("--externals getchar a.c", &["`getchar` is no external function"]),
        ("--symbolic-args 1 none.ll", &["main"]),
    ] {
        let done = files.run(arguments);
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {done:?}");
        let line = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.iter().all(|word| line.contains(word)), "{arguments}: {line}");
    }
}
