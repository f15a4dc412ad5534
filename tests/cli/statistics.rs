//! `--stats`: because of which objects there are so many executions.
use crate::run::Files;

/// Two threads take a lock and add to a counter, each in two orders, which have nothing to do with one another: four
/// executions. So three times at least something else is planned: the other order of adding with both orders of the
/// lock, and the other order of the lock.
const PROGRAM: &str = r"#include <pthread.h>
#include <stdatomic.h>
static struct { int jobs; pthread_mutex_t lock; } pool = { 0, PTHREAD_MUTEX_INITIALIZER };
static atomic_int counter;
static void *work(void *arg) {
  pthread_mutex_lock(&pool.lock);
  pool.jobs++;
  pthread_mutex_unlock(&pool.lock);
  atomic_fetch_add(&counter, 1);
  return arg;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return atomic_load(&counter);
}
";

#[test]
fn orders_are_told_by_object() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    for engine in ["unfolding --cutoffs off", "optimal"] {
        let done = files.run(&format!("a.c --stats --format json --engine {engine}"));
        let report: serde_json::Value = serde_json::from_str(&done.out).expect("it is JSON");
        assert_eq!(report["stats"]["executions"], 4, "{done:?}");
        let orders = report["stats"]["orders"].as_array().expect("it is a list");
        let counts: Vec<_> = orders.iter().map(|order| order["count"].as_u64()).collect();
        let names: Vec<_> = orders.iter().map(|order| order["object"].as_str().unwrap_or_default()).collect();
        // (Something may be planned twice, or turn out to be impossible later.)
        assert!(counts.len() == 2 && counts.iter().zip([2, 1]).all(|(count, least)| *count >= Some(least)), "{done:?}");
        let planned = report["stats"]["engine"]["alternatives_found"].as_u64();
        assert_eq!(counts.iter().copied().sum::<Option<u64>>(), planned, "{done:?}");
        assert!(names[0].contains("counter") && names[1].contains("pool"), "{names:?}");
    }
    let done = files.run("a.c --stats --engine optimal");
    assert!(done.out.contains("\nWhose actions were put into another order, and how often:\n"), "{done:?}");
    assert!(done.out.contains("           2  50 %  `counter`\n"), "{done:?}");
}
