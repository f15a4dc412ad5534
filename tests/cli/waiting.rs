//! Threads that spin and threads that wait: the answer is the same, also where a turn of the loop would have done more
//! than read.
//!
//! Each program was once answered otherwise.
use crate::run::Files;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";

/// The answer says so, whichever way it was found.
#[track_caller]
fn check(program: &str, arguments: &str, code: i32, says: &str) {
    let files = Files::new(&[("a.c", &format!("{HEAD}{program}"))]);
    for mode in ["", "--awaits on", "--awaits on --cutoffs off", "--engine optimal", "--engine observers"] {
        let done = files.run(&format!("{arguments} {mode} a.c --cflags -w"));
        assert_eq!(done.code, Some(code), "{mode}: {done:?}");
        assert!(done.out.contains(says), "{mode}: {done:?}");
    }
}

#[test]
fn a_turn_that_writes_what_was_there_races() {
    for update in ["atomic_exchange(&u.flag, 1) == 1", "atomic_fetch_or(&u.flag, 1) & 1"] {
        let program = format!(
            "static union {{ atomic_int flag; int plain; }} u; static int seen;
             static void *spin(void *a) {{ while ({update}); return 0; }}
             static void *look(void *a) {{ seen = u.plain; return 0; }}
             int main(void) {{
               pthread_t t, r;
               u.plain = 1;
               pthread_create(&t, 0, spin, 0); pthread_create(&r, 0, look, 0); pthread_join(r, 0);
               atomic_store(&u.flag, 0);
               pthread_join(t, 0);
             }}"
        );
        check(&program, "", 1, "bug: data race on `u`");
    }
}

#[test]
fn a_turn_that_writes_a_constant_is_a_bug() {
    let program = "static const atomic_int c = 1;
        static void *spin(void *a) { while (atomic_exchange((atomic_int *)&c, 1) == 1); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); exit(0); }";
    check(program, "", 1, "write of 4 bytes to global `c` (4 bytes), which is constant");
}

/// A loop that reads what may be anything is gone round. With the inputs that were found nothing is left open, and the
/// thread would wait there: the schedule goes round the loop, and is taken all the same.
#[test]
fn a_race_behind_a_loop_with_inputs_is_shown() {
    let program = "extern int __VERIFIER_nondet_int(void);
        static atomic_int go, over; static int data;
        static void *worker(void *a) {
          while (!atomic_load(&go));
          data = 1;
          atomic_store_explicit(&over, 1, memory_order_relaxed);
          return a;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          int input = __VERIFIER_nondet_int();
          if (input > 5) atomic_store(&go, input); else atomic_store(&go, 1);
          while (!atomic_load_explicit(&over, memory_order_relaxed));
          int other = __VERIFIER_nondet_int();
          int seen = other == input ? data : 0;
          pthread_join(t, 0);
          return seen;
        }";
    check(program, "--hunt off", 1, "bug: data race on `data`");
}

/// Of what the loop reads only some bytes are accessed visibly: what the others held at other times is not known.
#[test]
fn what_is_read_in_part_is_not_waited_for() {
    let checks = "--check assertion,deadlock,livelock";
    let low = "static union { long long x; int h[2]; } s;
        static atomic_int go;
        static void *spin(void *p) { long long v; go = 1; while ((v = s.x) != 1 && v != 2); assert(v != 1); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, spin, 0); s.h[0] = 1; s.h[0] = 2; pthread_join(t, 0); s.h[1] = 1;
        }";
    check(low, checks, 1, "bug: assertion `v != 1` fails");
    let high = "struct __attribute__((packed)) S { int a; long long x; int z; } __attribute__((aligned(8)));
        static struct S s; static atomic_int go;
        static void *spin(void *p) { go = 1; while (s.x == 0); assert(0); return 0; }
        int main(void) {
          pthread_t t;
          s.z = 0;
          pthread_create(&t, 0, spin, 0); ((volatile int *)&s.x)[1] = 1; pthread_join(t, 0);
        }";
    check(high, checks, 1, "bug: assertion `0` fails");
}

/// That the flag was set is known from another one, which orders nothing; the read that ends the loop does.
#[test]
fn what_is_read_once_learns_from_the_writer() {
    let program = "static union { atomic_int flag; int plain; } u; static atomic_int g;
        static void *w(void *p) {
          u.plain = 5; atomic_store(&u.flag, 1); atomic_store_explicit(&g, 1, memory_order_relaxed);
          return 0;
        }
        static void *r(void *p) {
          if (atomic_load_explicit(&g, memory_order_relaxed)) while (atomic_load(&u.flag) != 1);
          return 0;
        }
        int main(void) {
          pthread_t t, v;
          pthread_create(&t, 0, w, 0); pthread_create(&v, 0, r, 0); pthread_join(t, 0); pthread_join(v, 0);
        }";
    check(program, "", 0, "safe: ");
}

const HELD_AND_SPINNING: &str = "static atomic_int f; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static void *hold(void *p) { pthread_mutex_lock(&m); return 0; }
    static void *spin(void *p) { while (!f); return 0; }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, hold, 0); pthread_create(&u, 0, spin, 0); pthread_join(t, 0);
      pthread_mutex_lock(&m);
      f = 1;
      pthread_join(u, 0);
    }";

#[test]
fn who_spins_beside_a_deadlock_does_so_for_ever() {
    check(HELD_AND_SPINNING, "--check livelock", 1, "thread 2 (`spin`) spins for ever");
    check(HELD_AND_SPINNING, "--check deadlock", 1, "bug: deadlock");
}

#[test]
fn a_deadlock_beside_a_spinner_can_be_replayed() {
    let files = Files::new(&[("a.c", &format!("{HEAD}{HELD_AND_SPINNING}"))]);
    for mode in ["--awaits on", "--engine optimal", "--engine observers"] {
        let found = files.run(&format!("{mode} --save-trace bug.trace a.c --cflags -w"));
        assert_eq!(found.code, Some(1), "{found:?}");
        let again = files.run("replay bug.trace");
        assert_eq!(again.code, Some(1), "{mode}: {again:?}");
    }
}

/// The read that ends the loop comes after the plain store, which the reads before it race with.
#[test]
fn what_is_read_meanwhile_races() {
    let program = "static union { atomic_int flag; int plain; } u;
        static void *spin(void *a) { while (!atomic_load(&u.flag)); return 0; }
        static void *store(void *a) { u.plain = 0; return 0; }
        int main(void) {
          pthread_t t, w;
          pthread_create(&t, 0, spin, 0); pthread_create(&w, 0, store, 0); pthread_join(w, 0);
          atomic_store(&u.flag, 1);
          pthread_join(t, 0);
        }";
    check(program, "", 1, "bug: data race on `u`");
}

/// One worker takes t of j jobs, and each only after it has come: there are p(j, t) ways. Their sum for t = 0…j is the
/// Catalan number of j + 1; with two workers, each way counts 2^t times, in each order in which they say what they have
/// done. In vain a worker looks when all t jobs that have come are taken, in as many ways as there are until then: the
/// sum of the Catalan numbers of 0…j.
#[test]
fn rounds_in_vain_are_done_once() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/waiting/rounds.c");
    let files = Files::new(&[]);
    let one = [("-DJOBS=1", 2, 2), ("-DJOBS=2", 5, 4), ("-DJOBS=3", 14, 9)];
    let kinds = ["-DSPIN", "-DSHARED", "-DCALLED"].map(|kind| (kind, 2, 2));
    for (macros, executions, pruned) in one.into_iter().chain(kinds) {
        for engine in ["source", "optimal", "observers"] {
            let jobs = if macros.contains("JOBS") { "" } else { "-DJOBS=1" };
            let done = files.run(&format!("--engine {engine} --format json {program} {macros} {jobs}"));
            assert_eq!(done.code, Some(0), "{macros}, {engine}: {done:?}");
            let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
            let stats = &report["stats"];
            let counts = ["executions", "pruned", "blocked"].map(|name| stats[name].as_u64());
            assert_eq!(counts, [Some(executions), Some(pruned), Some(0)], "{macros}, {engine}: {done:?}");
        }
    }
    for (jobs, executions) in [(1, 3), (2, 1 + 2 * 2 + 2 * 4), (3, 1 + 3 * 2 + 5 * 4 + 5 * 8)] {
        let done =
            files.run(&format!("--engine optimal --symmetry off --format json {program} -DJOBS={jobs} -DWORKERS=2"));
        let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
        let stats = &report["stats"];
        assert_eq!(stats["executions"].as_u64(), Some(2 * executions), "{jobs}: {done:?}");
    }
}

/// Whether a thread goes on is the same in all sequences of an execution.
#[test]
fn rounds_under_a_shared_lock_are_a_matter_of_their_own_thread() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/testsuite/waiting/rounds_shared.c");
    for engine in ["source", "optimal", "observers"] {
        let done = Files::new(&[]).run(&format!("--engine {engine} --hunt off --format json {program}"));
        let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
        let counts = ["executions", "blocked"].map(|name| report["stats"][name].as_u64());
        assert_eq!((done.code, counts), (Some(0), [Some(1), Some(0)]), "{engine}: {done:?}");
    }
}

/// With sequences, where the tests of the programs take what is found first.
#[test]
fn rounds_and_turns_in_vain_hide_nothing() {
    let rounds = ["MISSES", "COUNTS", "WRITES", "HANDS_OVER", "SILENT"].map(|name| ("rounds", name, "assertion"));
    let memory = ["GONE", "RETURNED", "HELD"].map(|name| ("polls_for_ever", name, "memory"));
    let others = [("LINE", "assertion"), ("CIRCLE", "deadlock"), ("FIRST", "assertion")];
    let others = others.map(|(name, kind)| ("polls_for_ever", name, kind));
    let files = Files::new(&[]);
    for (program, name, kind) in rounds.into_iter().chain(memory).chain(others) {
        for engine in ["source", "optimal", "observers"] {
            let path = format!("{}/testsuite/waiting/{program}.c -DJOBS=1 -D{name}", env!("CARGO_MANIFEST_DIR"));
            let done = files
                .run(&format!("--engine {engine} --symmetry on --hunt off --check -livelock --format json {path}"));
            let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
            assert_eq!(report["violations"][0]["kind"], kind, "{program} {name}, {engine}: {done:?}");
        }
    }
}

/// A thread that does much before it does what others wait for: whether they spin for ever is asked again and again
/// meanwhile, and each time it does not take all of that to find out.
#[test]
fn what_is_done_before_it_ends_is_gone_through_once() {
    let program = "#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static int done;
static void *looks(void *arg) {
#ifdef LOOKS
  for (int found = 0; !found;) pthread_mutex_lock(&m), found = done, pthread_mutex_unlock(&m);
#endif
  while (!stop)
    ;
  return arg;
}
int main(void) {
  pthread_t thread;
  if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);
  pthread_create(&thread, 0, looks, 0);
  int sum = 0;
  for (int i = 0; i < N; i++) pthread_mutex_lock(&m), sum += done, pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m), done = 1, pthread_mutex_unlock(&m);
  stop = 1;
  pthread_join(thread, 0);
}
";
    let files = Files::new(&[("p.c", program)]);
    for engine in ["unfolding -DLOOKS", "states"] {
        let instructions = [50, 100].map(|turns| {
            let done = files.run(&format!("p.c -DN={turns} --hunt off --format json --engine {engine}"));
            let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
            assert_eq!(report["verdict"], "safe", "{engine}: {done:?}");
            report["stats"]["instructions"].as_u64().expect("a number")
        });
        assert!(instructions[1] < 3 * instructions[0], "{engine}: {instructions:?}");
    }
}

/// A thread that looks under a lock for ever in a program that reads the clock: it spins, unless it is the one that
/// looks at the clock, for that one may give up later.
#[test]
fn who_looks_at_the_clock_does_not_spin() {
    let program = "#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *looks(void *arg) {
  for (int found = 0; !found;) {
    pthread_mutex_lock(&m), found = done, pthread_mutex_unlock(&m);
#ifdef ENDS
    if (time(0) > *(time_t *)arg) break;
#endif
  }
  return 0;
}
int main(void) {
  time_t end = time(0) + 2;
  pthread_t thread;
  pthread_create(&thread, 0, looks, &end);
  pthread_join(thread, 0);
}
";
    let files = Files::new(&[("p.c", program)]);
    for engine in ["auto", "optimal", "unfolding"] {
        let run =
            |more: &str| files.run(&format!("p.c {more} --engine {engine} --hunt off --time-limit 5s --format json"));
        let report: serde_json::Value = serde_json::from_str(&run("").out).expect("a report");
        assert_eq!(report["violations"][0]["kind"], "livelock", "{engine}: {report}");
        let done = run("-DENDS");
        assert_eq!(done.code, Some(0), "{engine}: {done:?}");
    }
}
