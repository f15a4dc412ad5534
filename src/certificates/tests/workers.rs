//! Several workers check certificates as one does.
use super::Program;

/// Several workers come to the same states as one, who goes to them in another order: where each thread has blocks and
/// variables of its own, allocated by ways that nobody else takes first, and hands blocks over to others.
#[test]
fn several_workers_agree_with_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, BLOCKS).expect("it can be written");
    let name = file.to_str().expect("a plain name");
    for (words, states) in [
        (format!("{name} -DTURNS=3 --check assertion,memory"), 1_000),
        (format!("{name} -DTURNS=3"), 1_000),
        ("testsuite/scaling/readers.c -DN=4".to_owned(), 2_000),
        ("testsuite/scaling/chosen_writer.c -DM=2 -DN=3".to_owned(), 1_000),
    ] {
        let program = Program::new(&words);
        let certificate = program.certificate();
        assert!(certificate.states.len() > states, "{words}: {}", certificate.states.len());
        for portion in [1, 7, 100] {
            assert_eq!(program.several_refuse(&certificate, portion), None, "{words}, {portion}");
        }
    }
}

/// A machine that has been nowhere else comes to each state of a list, too, along the way that the list names: what a
/// state is does not depend on what was met before.
#[test]
fn a_state_is_the_same_for_whoever_comes_there_alone() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.c");
    for (text, states) in [(BLOCKS, 300), (CHILDREN, 50)] {
        std::fs::write(&file, text).expect("it can be written");
        let program = Program::new(&format!("{} -DTURNS=2", file.to_str().expect("a plain name")));
        let certificate = program.certificate();
        assert!(certificate.states.len() > states, "{}", certificate.states.len());
        assert_eq!(program.several_refuse(&certificate, 1), None, "{text}");
        // (It compares each state with the one in the list.)
        assert!(super::actions(&program, &certificate).len() > certificate.states.len());
    }
}

/// Two threads create one more each. Which of the two is there first gets address space first.
const CHILDREN: &str = "
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int turn;
void *child(void *p) { free(malloc(turn++ ? 4 : 400)); return p; }
void *work(void *p) {
  pthread_t t;
  turn++;
  pthread_create(&t, 0, child, 0);
  pthread_join(t, 0);
  return p;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}";

/// Which thread allocates first, by which calls, and which blocks it frees, depends on who comes first.
const BLOCKS: &str = "
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int turn;
_Atomic(int *) last;
static int *make(int value) {
  volatile int copy = value;
  int *block = malloc(sizeof *block);
  *block = copy;
  return block;
}
static int *other(int value) { return make(value + 10); }
void *work(void *p) {
  for (int i = 0; i < TURNS; i++) {
    int *block = turn++ % 2 ? make(i) : other(i);
    block = atomic_exchange(&last, block);
    free(block);
  }
  return p;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  free(last);
}";
