//! Families of programs whose executions with observers have a closed form, for as many threads as the literature
//! counts them. Nothing is set for any of them but how many there are. (The programs say where the numbers come from,
//! and are counted with every engine for fewer threads by the test suite.)
use crate::run;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::Path;

type Count = fn(u32) -> u64;

/// Program in `testsuite/scaling`, what is set to n besides, for which n, and how many executions.
const FAMILIES: &[(&str, &str, RangeInclusive<u32>, Count)] = &[
    // Table 1 of "Optimal Dynamic Partial Order Reduction with Observers", 2018.
    ("last_write", "", 2..=9, |n| n.into()),
    ("floating_read", "", 1..=8, |n| u64::from(n) * (1 << (n - 1)) + 1),
    // (Its fib. The number of threads is the same in any case.)
    ("fibonacci", "-DLOOK", 2..=2, |_| 218_243),
    ("two_readers", "", 1..=7, |n| u64::from(n + 1).pow(2)),
    // Its table 2: messages that are received in any order, by type, and a lock that is a thread with a queue.
    ("../messages/closed_forms", "-DSCENE=1", 2..=6, factorial),
    ("../messages/closed_forms", "-DSCENE=2", 2..=8, |_| 1),
    ("../messages/closed_forms", "-DSCENE=3", 2..=6, factorial),
    // What no tool has all of.
    ("same_value", "", 2..=7, |_| 2),
    ("unused_add", "", 2..=7, |n| 1 << n),
    ("unused_add", "-DALONE", 2..=7, |_| 1),
    ("cas_lock", "", 2..=6, factorial),
    ("ticket_lock", "", 2..=6, factorial),
    ("await_flag", "", 2..=7, |_| 1),
    ("await_chain", "", 2..=7, |_| 1),
    ("await_count", "", 2..=7, |_| 1),
    ("barrier_by_hand", "", 2..=7, |_| 1),
    ("barrier", "", 2..=7, |_| 1),
    ("barrier", "-DSERIAL", 2..=7, |n| n.into()),
    ("unread", "", 2..=7, |_| 1),
];

fn factorial(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}

#[test]
fn observers_explore_as_many_executions_as_there_are() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite/scaling");
    for (program, set, range, count) in FAMILIES {
        let all = run::is_full();
        // (The ordinary tests take the smallest and the largest number, unless that takes seconds.)
        for n in range.clone().filter(|&n| all || (n == *range.start() || n == *range.end()) && count(n) < 200_000) {
            let mut command = run::command(&programs);
            command.args(["--engine", "observers", "--format", "json", &format!("{program}.c"), "--cflags"]);
            command.args([format!("-DN={n}"), format!("-DTHREADS={}", 2 * n)]).args(set.split_whitespace());
            let out = command.output().expect("verify starts").stdout;
            let answer: Value = serde_json::from_slice(&out).expect("it says something");
            let stats = ["executions", "pruned", "blocked"].map(|key| answer["stats"][key].as_u64());
            let expected = [count(n), 0, 0].map(Some);
            assert_eq!((answer["verdict"].as_str(), stats), (Some("safe"), expected), "{program} {set} {n}");
        }
    }
}
