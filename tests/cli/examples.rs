//! The examples do what README.md says, word for word.
use crate::run::{Done, command, done};
use std::path::Path;

fn run(arguments: &str) -> Done {
    let mut command = command(Path::new(env!("CARGO_MANIFEST_DIR")));
    command.env("COLUMNS", "100").args(arguments.split_whitespace());
    done(command.output().expect("verify starts"))
}

#[test]
fn verdicts() {
    for (arguments, code, kind) in [
        ("examples/lost_update.c", 1, "bug: assertion"),
        ("examples/lost_update_fixed.c", 0, "safe: "),
        ("examples/bank.c", 1, "bug: assertion"),
        ("examples/bank_fixed.c", 0, "safe: all 2 executions"),
        ("examples/philosophers.c", 1, "bug: deadlock"),
        // Each of the N forks is taken by one of its two neighbours first, but not all by the left or all by the right.
        ("examples/philosophers.c --cutoffs off --alternatives optimal -DPOLITE", 0, "safe: all 6 executions"),
        ("examples/philosophers.c --cutoffs off --alternatives optimal -DPOLITE -DN=5", 0, "safe: all 30 executions"),
        ("examples/philosophers.c -DPOLITE", 0, "safe: "),
        ("examples/peterson.c", 0, "safe: "),
        ("examples/peterson.c -DSWAPPED", 1, "bug: "),
        ("examples/queue.c", 0, "safe: "),
        ("examples/queue.c -DBROKEN", 1, "bug: assertion"),
    ] {
        let done = run(arguments);
        assert_eq!(done.code, Some(code), "{arguments}: {done:?}");
        assert!(done.out.starts_with(kind), "{arguments}: {done:?}");
    }
}

#[test]
fn the_readme_shows_real_output() {
    let readme = include_str!("../../README.md");
    let program = include_str!("../../examples/lost_update.c");
    assert!(readme.contains(program));
    for example in ["examples/lost_update.c", "examples/lost_update_fixed.c"] {
        let out = run(example).out;
        // The line of statistics holds measurements; the lines before and after it are always the same.
        let lines: Vec<&str> = out.lines().collect();
        let measured = lines.iter().position(|line| line.contains(" instructions, ")).expect("statistics");
        assert!(readme.contains(&lines[..measured].join("\n")), "{out}");
        assert!(readme.contains(&lines[measured + 1..].join("\n")), "{out}");
    }
}

#[test]
fn every_option_is_documented() {
    let manual = include_str!("../../docs/cli.md");
    let help = run("--help").out;
    let options: Vec<&str> = help
        .split("Examples:")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|word| word.split('=').next().unwrap_or_default())
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-'))
        .filter(|word| word.starts_with('-') && word.len() > 1 && *word != "--")
        .collect();
    assert!(options.len() > 30, "{help}");
    for option in options {
        assert!(manual.contains(option), "{option} is not in docs/cli.md");
    }
}

#[test]
fn every_kind_of_bug_is_documented() {
    let manual = include_str!("../../docs/cli.md");
    for kind in interp::fault::Kind::ALL {
        assert!(manual.contains(&format!("| `{}` |", kind.name())), "{}", kind.name());
    }
}
