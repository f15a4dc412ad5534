//! Random programs: two workers and `main`, which share two mutexes, a condition variable, two atomics, two plain
//! variables and a cell on the heap. Statements do not depend on each other, so that any of them can be left out.
use crate::random::Random;
use std::fmt::Write;

/// What all programs of a file share. Every run begins with fresh globals, so they can.
const PREAMBLE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; // protects x and cell
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER; // protects y
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int a, b;
static int x, y;
static int *cell;
";

/// One program, as statements.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// What repeats it.
    pub seed: u64,
    /// The statements of the two workers, of `main` while they run, and of `main` behind the joins.
    pub parts: [Vec<String>; 4],
    /// Which workers are joined.
    pub joined: [bool; 2],
}

impl Program {
    /// The program of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let joined = if random.once_in(8) { [true, random.once_in(2)] } else { [true, true] };
        let careless = random.once_in(4);
        let mut part = |least, bound| {
            let length = least + random.below(bound);
            (0..length).map(|_| Writer { random: &mut random, careless }.statement()).collect()
        };
        Program { seed, parts: [part(2, 2), part(1, 3), part(0, 2), part(0, 2)], joined }
    }

    /// The functions of the program, with `number` in their names.
    fn write(&self, number: usize, out: &mut String) {
        let [first, second, meanwhile, end] = self
            .parts
            .each_ref()
            .map(|statements| statements.iter().fold(String::new(), |text, statement| text + "  " + statement + "\n"));
        for (worker, statements) in [first, second].iter().enumerate() {
            let _ = write!(
                out,
                "\nstatic void *worker_{number}_{worker}(void *arg) {{\n  int r = 0;\n{statements}  return (void *)(long)r;\n}}\n",
            );
        }
        let [join_first, join_second] =
            [0, 1].map(|w| if self.joined[w] { format!("  pthread_join(t{w}, 0);\n") } else { String::new() });
        let _ = write!(
            out,
            "
static int program_{number}(void) {{
  int r = 0;
  pthread_t t0, t1;
  cell = malloc(sizeof *cell);
  *cell = 0;
  pthread_create(&t0, 0, worker_{number}_0, 0);
  pthread_create(&t1, 0, worker_{number}_1, 0);
{meanwhile}{join_first}{join_second}{end}  return r;
}}
"
        );
    }
}

/// A translation unit that runs the program whose number is that of the arguments (without the name).
pub(crate) fn unit(programs: &[Program]) -> String {
    let mut text = PREAMBLE.to_owned();
    let mut cases = String::new();
    for (number, program) in programs.iter().enumerate() {
        program.write(number, &mut text);
        let _ = writeln!(cases, "  case {}: return program_{number}();", number + 1);
    }
    text + "\nint main(int argc, char **argv) {\n  switch (argc) {\n" + &cases + "  }\n  return 0;\n}\n"
}

/// Makes up statements.
struct Writer<'a> {
    random: &'a mut Random,
    /// Plain accesses need no lock.
    careless: bool,
}

impl Writer<'_> {
    /// A statement outside of any critical section.
    fn statement(&mut self) -> String {
        if self.careless && self.random.once_in(3) {
            return self.plain();
        }
        match self.random.below(16) {
            0..=2 => self.section(),
            3 => {
                let (mutex, body) = self.protected();
                format!("if (!pthread_mutex_trylock(&{mutex})) {{ {body} pthread_mutex_unlock(&{mutex}); }}")
            }
            4 => {
                let until = self.random.pick(&["if", "while"]);
                let body = self.protected_by_m();
                format!(
                    "pthread_mutex_lock(&m); {until} (!x) pthread_cond_wait(&c, &m); {body} pthread_mutex_unlock(&m);"
                )
            }
            5 => {
                let wake = self.wake();
                format!("pthread_mutex_lock(&m); x = 1; {wake} pthread_mutex_unlock(&m);")
            }
            6 => self.wake(),
            7 => self.nested(),
            8 => {
                let condition = self.condition();
                let (then, otherwise) = (self.atomic(), self.section());
                format!("if ({condition}) {{ {then} }} else {{ {otherwise} }}")
            }
            9 => self.rare(),
            _ => self.atomic(),
        }
    }

    fn section(&mut self) -> String {
        let (mutex, body) = self.protected();
        format!("pthread_mutex_lock(&{mutex}); {body} pthread_mutex_unlock(&{mutex});")
    }

    /// Both mutexes, in either order.
    fn nested(&mut self) -> String {
        let (outer, inner) = self.random.pick(&[("m", "n"), ("n", "m")]);
        let body = self.random.pick(&["x = y;", "y = x + 1;", "r = x + y;"]);
        format!(
            "pthread_mutex_lock(&{outer}); pthread_mutex_lock(&{inner}); {body} pthread_mutex_unlock(&{inner}); pthread_mutex_unlock(&{outer});"
        )
    }

    fn wake(&mut self) -> String {
        self.random
            .pick(&["pthread_cond_signal(&c);", "pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);"])
            .into()
    }

    /// What ends a thread or the process, and what should not be done.
    fn rare(&mut self) -> String {
        let condition = self.condition();
        let action = self.random.pick(&[
            "assert(0);",
            "exit(3);",
            "pthread_exit(0);",
            "abort();",
            "return 0;",
            "pthread_mutex_lock(&n);",
            "pthread_mutex_unlock(&m);",
        ]);
        format!("if ({condition}) {action}")
    }

    fn condition(&mut self) -> String {
        let value = self.random.below(3);
        let operator = self.random.pick(&["==", "!=", ">"]);
        format!("r {operator} {value}")
    }

    /// A mutex and something that it allows.
    fn protected(&mut self) -> (&'static str, String) {
        if self.random.once_in(2) { ("m", self.protected_by_m()) } else { ("n", self.protected_by_n()) }
    }

    fn protected_by_m(&mut self) -> String {
        if self.random.once_in(6) {
            return self.atomic();
        }
        let value = self.random.below(3);
        match self.random.below(9) {
            0 | 1 => "x++;".to_owned(),
            2 => format!("x = {value};"),
            3 => "r = x;".to_owned(),
            4 => "if (cell) *cell = r + 1;".to_owned(),
            5 => "if (cell) r = *cell;".to_owned(),
            6 => "free(cell); cell = 0;".to_owned(),
            7 if self.random.once_in(2) => self.random.pick(&["free(cell);", "r = *cell;"]).to_owned(),
            7 => format!("assert(x != {value});"),
            _ => "x += r;".to_owned(),
        }
    }

    fn protected_by_n(&mut self) -> String {
        let value = self.random.below(3);
        match self.random.below(5) {
            0 => "y++;".to_owned(),
            1 => format!("y = {value};"),
            2 => "y += r;".to_owned(),
            3 if self.random.once_in(3) => format!("assert(y != {value});"),
            _ => "r = y;".to_owned(),
        }
    }

    fn plain(&mut self) -> String {
        self.protected().1
    }

    fn atomic(&mut self) -> String {
        let object = self.random.pick(&["a", "b"]);
        let value = self.random.below(3);
        let order = |random: &mut Random, weak| random.pick(&["seq_cst", "relaxed", weak]);
        match self.random.below(8) {
            0 | 1 => {
                let order = order(self.random, "acquire");
                format!("r = atomic_load_explicit(&{object}, memory_order_{order});")
            }
            2 | 3 => {
                let order = order(self.random, "release");
                format!("atomic_store_explicit(&{object}, {value}, memory_order_{order});")
            }
            4 | 5 => {
                let order = order(self.random, "acq_rel");
                format!("r += atomic_fetch_add_explicit(&{object}, {value}, memory_order_{order});")
            }
            6 => {
                let order = order(self.random, "acq_rel");
                let strength = self.random.pick(&["strong", "strong", "weak"]);
                format!(
                    "{{ int e = {value}; if (!atomic_compare_exchange_{strength}_explicit(&{object}, &e, e + 1, memory_order_{order}, memory_order_relaxed)) r = e; }}"
                )
            }
            // A message passed along: what is plain is ordered by what is not.
            _ => {
                let body = self.protected_by_n();
                format!(
                    "if (atomic_exchange(&{object}, 1) == 0) {{ pthread_mutex_lock(&n); {body} pthread_mutex_unlock(&n); }}"
                )
            }
        }
    }
}
