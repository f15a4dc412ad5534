//! Random C programs whose arguments or standard input are open: explored once for all values, and once for each.
//!
//! Of a byte the programs ask only for its last two bits and whether it is there, so four values stand for all. What is
//! compared are violations by kind and line. At the end of each program, what is left in its variables decides which of
//! eight assertions fails, so that final states are compared, too. Some look behind the end of a string, or for an
//! argument that is not there.
use crate::campaign::{programs, setting};
use crate::engine::Bug;
use crate::symbolic::{explore, frontend_options};
use interp::solver::Settings;
use interp::{Machine, Open, OpenArguments, Options};
use por::{Engine, Reduction};
use random::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Up to two arguments of up to one byte.
    Arguments,
    /// Up to two bytes, read by one or two threads.
    Stdin,
}

struct Writer {
    random: Random,
    text: String,
    what: What,
    number: u64,
}

impl Writer {
    /// A number from 0 to 6 that is read from outside.
    fn input(&mut self) -> String {
        match self.what {
            What::Stdin => format!("next({})", self.random.below(4)),
            What::Arguments => match self.random.below(8) {
                0 => "(unsigned)argc".to_owned(),
                1 => "(argv[2][0] == 0)".to_owned(),
                2 => "(argc > 1 ? argv[1][1] == 0 : 4)".to_owned(),
                _ => format!("byte(argc, argv, {})", 1 + self.random.below(2)),
            },
        }
    }

    fn statements(&mut self, depth: usize, count: u64) {
        for _ in 0..count {
            let (r, other) = (self.random.below(2), self.random.below(2));
            let constant = self.random.below(7);
            let indent = "  ".repeat(depth);
            let line = match self.random.below(10) {
                0 => format!("r{r} = r{r} * {constant}u + r{other};"),
                1 => format!("r{r} ^= r{other} + {constant}u;"),
                2 if depth == 1 => format!("assert(r{r} != {constant}u);"),
                3..=5 if depth < 3 => {
                    let _ = writeln!(self.text, "{indent}if (r{r} == {constant}u) {{");
                    self.statements(depth + 1, 2);
                    let _ = writeln!(self.text, "{indent}}} else {{");
                    self.statements(depth + 1, 1);
                    "}".to_owned()
                }
                6 if self.what == What::Arguments => {
                    format!("if (argc > 1 && argv[1][0]) argv[1][0] = {};", 1 + constant)
                }
                _ => format!("r{r} = {};", self.input()),
            };
            let _ = writeln!(self.text, "{indent}{line}");
        }
    }

    fn ending(&mut self) {
        let (a, b) = (1 + self.random.below(7), 1 + self.random.below(7));
        let _ = writeln!(self.text, "  switch ((r0 * {a}u + r1 * {b}u) % 8u) {{");
        for case in 0..8 {
            let _ = writeln!(self.text, "  case {case}: assert(argc == -{case});\n    break;");
        }
        self.text += "  }\n  return 0;\n}\n";
    }

    fn program(mut self) -> String {
        let number = self.number;
        let threads = self.what == What::Stdin && self.random.once_in(2);
        let count = 2 + self.random.below(3);
        if threads {
            let _ = writeln!(self.text, "static void *run{number}(void *unused) {{\n  unsigned r0 = 0, r1 = 0;");
            self.statements(1, count);
            self.text += "  pthread_mutex_lock(&lock);\n  shared = shared * 3 + r0 + r1;\n";
            self.text += "  pthread_mutex_unlock(&lock);\n  return unused;\n}\n";
        }
        let _ = writeln!(
            self.text,
            "int p{number}_main(int argc, char **argv) {{\n  unsigned r0 = 0, r1 = 1;\n  (void)argv;"
        );
        if threads {
            let _ = writeln!(self.text, "  pthread_t thread;\n  pthread_create(&thread, 0, run{number}, 0);");
        }
        self.statements(1, count + 1);
        if threads {
            self.text += "  pthread_mutex_lock(&lock);\n  shared = shared * 2 + r0;\n  pthread_mutex_unlock(&lock);\n";
            self.text += "  pthread_join(thread, 0);\n  r1 = r1 + shared;\n";
        }
        self.ending();
        self.text
    }
}

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned shared;
static unsigned byte(int argc, char **argv, int index) {
  return index >= argc ? 6 : argv[index][0] ? argv[index][0] & 3u : 5;
}
static unsigned next(int way) {
  unsigned char c = 0;
  int known = 1;
  switch (way) {
  case 0: {
    int value = getchar();
    known = value != EOF;
    c = (unsigned char)value;
    break;
  }
  case 1: known = read(0, &c, 1) == 1; break;
  case 2: known = fread(&c, 1, 1, stdin) == 1; break;
  default: {
    char two[3] = {0};
    if (!fgets(two, 3, stdin))
      return 6;
    return two[1] ? 4 : two[0] & 3u;
  }
  }
  return known ? c & 3u : 5;
}
int main(void) { return 0; }
";

/// All settings of an ordinary machine that stand for what is open. (A newline, 10, is the second of its four.)
fn each(what: What, options: &Options) -> Vec<Options> {
    let values: &[u8] = match what {
        What::Arguments => &[1, 2, 3, 4],
        What::Stdin => &[0, 1, 2, 3, 10],
    };
    let strings = |most: usize| {
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..most {
            let longer =
                |text: &Vec<u8>| values.iter().map(|value| [&text[..], &[*value]].concat()).collect::<Vec<_>>();
            last = last.iter().flat_map(longer).collect();
            all.extend(last.clone());
        }
        all
    };
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("small bytes are characters");
    match what {
        What::Stdin => strings(2)
            .into_iter()
            .map(|bytes| Options { files: vec![("/dev/stdin".to_owned(), bytes.into())], ..options.clone() })
            .collect(),
        What::Arguments => {
            let arguments = |rest: Vec<String>| {
                let arguments = std::iter::once("program".to_owned()).chain(rest).collect();
                Options { arguments, ..options.clone() }
            };
            let words: Vec<String> = strings(1).iter().map(text).collect();
            let mut all = vec![arguments(Vec::new())];
            all.extend(words.iter().map(|word| arguments(vec![word.clone()])));
            let two = |one: &String| {
                words.iter().map(|other| arguments(vec![one.clone(), other.clone()])).collect::<Vec<_>>()
            };
            all.extend(words.iter().flat_map(two));
            all
        }
    }
}

/// How many bugs a program has; `None` if it is too large, or fails twice in one step.
fn compare(machine: impl Fn(Options) -> Machine, what: What, entry: &str) -> Result<Option<usize>, String> {
    let options = Options { entry: entry.to_owned(), ..Options::default() };
    let mut wanted: BTreeSet<Bug> = BTreeSet::new();
    for concrete in each(what, &options) {
        let Some((bugs, unknown)) = explore(&machine(concrete), Engine::Unfolding)? else { return Ok(None) };
        if unknown.iter().any(|reason| reason.starts_with("a second fault in one step")) {
            return Ok(None);
        }
        if !unknown.is_empty() {
            return Err(format!("unknown without open inputs: {unknown:?}"));
        }
        wanted.extend(bugs);
    }
    let arguments = OpenArguments { least: 0, most: 2, length: 1 };
    let open = Open {
        arguments: (what == What::Arguments).then_some(arguments),
        stdin: (what == What::Stdin).then_some(2),
        ..Open::default()
    };
    let symbolic = machine(Options { open, symbolic: Some(Settings::default()), ..options });
    let dpor = [Reduction::Optimal, Reduction::Source, Reduction::Observers].map(Engine::Dpor);
    for engine in dpor.into_iter().chain([Engine::Unfolding, Engine::States]) {
        let Some((bugs, unknown)) = explore(&symbolic, engine)? else { return Ok(None) };
        if bugs != wanted || !unknown.is_empty() {
            return Err(format!("{engine:?}: {bugs:?} instead of {wanted:?}, unknown {unknown:?}"));
        }
    }
    Ok(Some(wanted.len()))
}

#[test]
fn open_inputs_agree_with_all_values() {
    let (first, count) = (setting("VERIFY_SEED", 0), programs("VERIFY_OPEN", [20, 100]));
    let what = |seed: u64| if seed.is_multiple_of(2) { What::Arguments } else { What::Stdin };
    let seeds = || first..first + count;
    let texts: Vec<String> = seeds()
        .map(|seed| Writer { random: Random(seed), text: String::new(), what: what(seed), number: seed }.program())
        .collect();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, HEAD.to_owned() + &texts.concat()).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend_options()).unwrap_or_else(|error| panic!("{error}"));
    let (module, registry) = (Arc::new(loaded.module), runtime_model::registry());
    let machine = |options| Machine::new(Arc::clone(&module), registry, options).expect("it can be started");
    let (mut compared, mut bugs) = (0, [0; 2]);
    for (seed, text) in seeds().zip(&texts) {
        let found = compare(machine, what(seed), &format!("p{seed}_main"));
        let found = found.unwrap_or_else(|error| panic!("VERIFY_SEED={seed} VERIFY_OPEN=1: {error}\n{HEAD}{text}"));
        compared += u64::from(found.is_some());
        bugs[usize::from(what(seed) == What::Stdin)] += found.unwrap_or_default();
    }
    println!("{compared} of {count} programs compared, {bugs:?} violations with open arguments and with open input");
    assert!(2 * compared >= count, "too many programs are too large");
    assert!(count < 20 || bugs.iter().all(|found| *found as u64 >= count / 2), "too few programs fail");
}
