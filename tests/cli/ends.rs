//! Ends of threads and joins as parts of other actions: `--merge-ends`.
use crate::run::Files;

/// Threads are created and joined again and again, for ever. Before they end they stand at different places.
const ROUNDS: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg) {
  if (arg)
    atomic_store(&x, 1);
  else
    atomic_fetch_add(&x, 1);
  return 0;
}
int main(void) {
  for (long turn = 0;; turn = (turn + 1) % 3) {
    pthread_t one, two;
    atomic_store(&x, 0);
    pthread_create(&one, 0, worker, (void *)turn);
    pthread_create(&two, 0, worker, (void *)1L);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int last = atomic_load(&x);
    assert(LAST);
  }
}
";

#[test]
fn rounds_without_end_are_proved() {
    let files = Files::new(&[("a.c", ROUNDS)]);
    for ends in ["on", "off"] {
        let run = |last: &str| files.run(&format!("a.c --engine unfolding --merge-ends {ends} -DLAST={last}"));
        let safe = run("last==1||last==2");
        assert!(safe.out.starts_with("safe"), "{safe:?}");
        // (A store comes before the update only in some order.)
        let bug = run("last==1");
        assert!(bug.out.contains("assertion `LAST`"), "{bug:?}");
    }
}

#[test]
fn schedules_have_all_ends_and_joins() {
    let files = Files::new(&[("a.c", ROUNDS)]);
    let done = files.run("a.c --format json --hunt off --merge-ends on -DLAST=last==1");
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("it is JSON");
    let trace = report["violations"][0]["trace"].as_array().expect("there is a schedule");
    let count = |what: &str| {
        trace.iter().filter(|step| step["action"].as_str().is_some_and(|action| action.starts_with(what))).count()
    };
    assert_eq!((count("creates"), count("ends"), count("joins")), (2, 2, 2), "{done:?}");
}
