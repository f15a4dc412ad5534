//! `--explain-loops`: which loops wait, and why others do not.
use crate::run::Files;

const PROGRAM: &str = r"#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, go, turns;
static pthread_mutex_t lock;
static int is_set(atomic_int *flag) {
  return atomic_load(flag);
}
int main(void) {
  while (!(ready && go))
    ;
  while (!is_set(&ready))
    ;
  while (pthread_mutex_trylock(&lock))
    ;
  while (!atomic_load(&go)) {
    atomic_store(&turns, 1);
  }
  return 0;
}
";

#[test]
fn they_are_listed_with_what_is_in_the_way() {
    let done = Files::new(&[("a.c", PROGRAM)]).run("a.c --explain-loops");
    let waits = "in `main`: a thread waits here if a turn leaves its variables as they were";
    let expected = format!(
        "\
a.c:9: {waits}
a.c:11: {waits}
a.c:13: {waits}
a.c:15: in `main`: each turn is explored, because in all of them:
  a.c:16: an atomic variable is stored to

Plain variables count as soon as they are known to race.
"
    );
    assert_eq!((done.code, done.out.as_str()), (Some(0), expected.as_str()), "{done:?}");
    let none = Files::new(&[("a.c", "int main(void) { return 0; }\n")]).run("a.c --explain-loops");
    assert_eq!(none.out, "no loop reads atomic variables or tries to lock something\n");
}
