//! The examples: what is found in each, and in how many executions.
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
        // Each of N - 1 forks is taken by one of its two neighbours first. Nobody takes another fork while holding the
        // last one, and what is done with that has nothing to do with what others do.
        ("examples/philosophers.c --cutoffs off --alternatives optimal -DPOLITE", 0, "safe: all 4 executions"),
        ("examples/philosophers.c --cutoffs off --alternatives optimal -DPOLITE -DN=5", 0, "safe: all 16 executions"),
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
