//! Random C programs that read inputs: explored once for all values, and once for each.
//!
//! Inputs are masked to a few bits, so that every value can be tried: on an ordinary machine that is given the values.
//! What is compared are violations by kind and line. At the end of each program, what is left in its variables decides
//! which of eight assertions fails, so that final states are compared, too. Each violation that is found on symbolic
//! data must be shown by an ordinary machine with the inputs that come along.
//!
//! One file: the programs, both ways to explore them, and the comparison share what an input is.
use crate::campaign::programs;
use crate::engine::Bug;
use crate::on_all;
use interp::fault::Fault;
use interp::solver::Settings;
use interp::{InputValue, Machine, Options};
use por::{Engine, Flow, Listener, Move, Order, Outcome, Reduction, Replayed, ThreadId};
use random::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Executions beyond which a program is too large.
const MOST: u64 = 4_000;

/// A program as text, and the number of values that each input may have, by thread and number.
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) inputs: Vec<(u32, u32, u64)>,
}

struct Writer {
    random: Random,
    text: String,
    depth: usize,
    number: u64,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.depth);
    }

    fn name(&self, name: &str) -> String {
        format!("p{}_{name}", self.number)
    }

    /// An expression of type `unsigned`.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.once_in(4) {
            let variable = self.random.pick(&["r0", "r1", "in0", "in1", "in0", "in1"]);
            return match self.random.below(3) {
                0 => format!("{}u", self.random.below(5)),
                _ if variable.starts_with("in") => self.name(variable),
                _ => variable.to_owned(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(17) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} & {b})"),
            5 => format!("({a} | {b})"),
            6 => format!("({a} ^ {b})"),
            7 => format!("({a} << ({b} & 3))"),
            8 => format!("({a} >> ({b} & 3))"),
            9 => format!("(unsigned)(signed char)({a} * 67u)"),
            10 => format!("(unsigned)(unsigned short)({a} - {b})"),
            11 => format!("({a} < {b} ? {a} : {b})"),
            12 => format!("({a} % ({b} | 1u))"),
            13 => format!("(unsigned)__builtin_popcount({a})"),
            14 => format!("__builtin_elementwise_sub_sat({a}, {b})"),
            15 => format!("(unsigned)__builtin_elementwise_add_sat((int)({a} << 29), (int)({b} << 28))"),
            _ => format!("(unsigned)((int){a} - 2 < (int){b} - 1)"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(2), self.expression(1));
        let operator = self.random.pick(&["==", "!=", "<", "<=", ">"]);
        match self.random.below(3) {
            0 => format!("(int)({a}) {operator} (int)({b}) - 1"),
            _ => format!("{a} {operator} {b}"),
        }
    }

    fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let (g, h, a) = (self.name("g"), self.name("h"), self.name("a"));
        let register = self.random.pick(&["r0", "r1"]);
        let value = self.expression(2);
        match self.random.below(18) {
            0 => self.line(&format!("{register} = {value};")),
            16 => {
                let (new, expected) = (self.expression(1), format!("e{}", self.text.len()));
                self.line(&format!("unsigned {expected} = {value};"));
                let exchange = format!("atomic_compare_exchange_strong(&{g}, &{expected}, {new})");
                self.line(&format!("if ({exchange}) {register}++; else {register} = {expected};"));
            }
            1 => self.line(&format!("atomic_store(&{g}, {value});")),
            2 => self.line(&format!("{register} = atomic_load(&{g});")),
            3 => self.line(&format!("{register} = atomic_fetch_add(&{g}, {value});")),
            4 => self.line(&format!("atomic_fetch_xor(&{g}, {value});")),
            5 | 6 => {
                self.line(&format!("pthread_mutex_lock(&{});", self.name("m")));
                match self.random.below(3) {
                    0 => self.line(&format!("{h} = {h} + {value};")),
                    1 => self.line(&format!("{a}[{value} & 3] = (unsigned char){register};")),
                    _ => self.line(&format!("{register} = {a}[{value} & 3] + {h};")),
                }
                self.line(&format!("pthread_mutex_unlock(&{});", self.name("m")));
            }
            7 => self.line(&format!(
                "unsigned char b{0}[3] = {{1, 2, 3}}; {register} = b{0}[{value} % 4];",
                self.text.len()
            )),
            8 => self.line(&format!("{register} = 7u / ({value} & 3);")),
            9 if depth > 0 => {
                self.line(&format!("switch ({value} & 7) {{"));
                for case in 0..2 {
                    self.line(&format!("case {}:", 2 * case + self.random.0 % 2));
                    self.block(depth);
                    self.line("  break;");
                }
                self.line("}");
            }
            10 if depth > 0 => {
                let index = format!("i{}", self.text.len());
                self.line(&format!("for (unsigned {index} = 0; {index} < ({value} & 3); {index}++) {{"));
                self.block(0);
                self.line("}");
            }
            11 => {
                let condition = self.condition();
                self.line(&format!("assert({condition});"));
            }
            12 => {
                let size = self.text.len();
                self.line(&format!(
                    "struct {{ char c; short s; unsigned v; }} s{size} = {{1, (short)({value}), {register}}}, t{size};"
                ));
                self.line(&format!(
                    "memcpy(&t{size}, &s{size}, sizeof s{size}); {register} = t{size}.v + (unsigned)t{size}.s;"
                ));
            }
            _ if depth > 0 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.random.once_in(2) {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            _ => self.line(&format!("{register} = {value};")),
        }
    }

    fn block(&mut self, depth: u32) {
        self.depth += 1;
        let count = 1 + self.random.below(2);
        self.statements(count, depth);
        self.depth -= 1;
    }
}

/// The program of a seed.
fn program(seed: u64, number: u64) -> Program {
    let mut w = Writer { random: Random(seed), text: String::new(), depth: 0, number };
    let p = |name: &str| format!("p{number}_{name}");
    let (g, h, a, m) = (p("g"), p("h"), p("a"), p("m"));
    w.line(&format!("static atomic_uint {g}; static unsigned {h}, {}, {};", p("in0"), p("in1")));
    w.line(&format!("static unsigned char {a}[4]; static pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;"));
    let threads = 1 + w.random.below(2) as u32;
    let mut inputs = Vec::new();
    for thread in 1..=threads {
        w.line(&format!("static void *{}(void *arg) {{", p(&format!("t{thread}"))));
        w.depth = 1;
        w.line("unsigned r0 = 0, r1 = 1;");
        if w.random.once_in(4) {
            inputs.push((thread, 0, 2));
            w.line("r0 = __VERIFIER_nondet_uchar() & 1;");
        }
        let count = 1 + w.random.below(3);
        w.statements(count, 1);
        w.line(&format!("atomic_fetch_add(&{g}, r0 + r1);"));
        w.line("return arg;");
        w.depth = 0;
        w.line("}");
    }
    w.line(&format!("static void {}(void) {{", p("main")));
    w.depth = 1;
    w.line("unsigned r0 = 0, r1 = 1;");
    for (number, name) in ["in0", "in1"].iter().enumerate() {
        let (call, mask) = w.random.pick(&[("uint", 3), ("int", 1), ("ushort", 7), ("char", 3), ("ulong", 1)]);
        inputs.push((0, number as u32, mask + 1));
        w.line(&format!("{} = (unsigned)__VERIFIER_nondet_{call}() & {mask};", p(name)));
    }
    if w.random.once_in(3) {
        let condition = w.condition();
        w.line(&format!("__VERIFIER_assume({condition});"));
    }
    w.line("pthread_t t1, t2;");
    for thread in 1..=threads {
        w.line(&format!("pthread_create(&t{thread}, 0, {}, 0);", p(&format!("t{thread}"))));
    }
    let count = w.random.below(2);
    w.statements(count, 1);
    for thread in 1..=threads {
        w.line(&format!("pthread_join(t{thread}, 0);"));
    }
    w.line(&format!("unsigned left = ({g} + 3 * {h} + {a}[0] + 2 * {a}[1] + {a}[2] + {a}[3] + r0 + r1) & 7;"));
    for value in 0..8 {
        w.line(&format!("assert(left != {value});"));
    }
    w.depth = 0;
    w.line("}");
    Program { text: w.text, inputs }
}

/// The program of a seed that may go on for ever: a thread reads an input in each round, and what is kept has few
/// values.
fn endless(seed: u64, number: u64) -> Program {
    let mut w = Writer { random: Random(seed), text: String::new(), depth: 0, number };
    let p = |name: &str| format!("p{number}_{name}");
    let (g, h, a, m) = (p("g"), p("h"), p("a"), p("m"));
    w.line(&format!("static atomic_uint {g}; static unsigned {h}, {}, {};", p("in0"), p("in1")));
    w.line(&format!("static unsigned char {a}[4]; static pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;"));
    let reader = |w: &mut Writer| {
        w.line("for (;;) {");
        w.depth += 1;
        w.line(&format!("unsigned {} = __VERIFIER_nondet_uchar() & 3, {} = r0 ^ {0};", p("in0"), p("in1")));
        let count = 1 + w.random.below(3);
        w.statements(count, 1);
        if w.random.once_in(3) {
            let condition = w.condition();
            w.line(&format!("if ({condition}) break;"));
        }
        // What is kept is decided, or terms grow with each round; and something changes, so that no round is idle.
        w.line(&format!("r0 = settled(r0); r1 = settled(r1 & 1); pthread_mutex_lock(&{m}); {h} = settled({h});"));
        w.line(&format!("for (int i = 0; i < 4; i++) {a}[i] = settled({a}[i]); pthread_mutex_unlock(&{m});"));
        w.line(&format!("atomic_store(&{g}, 8 + settled(atomic_load(&{g}))); atomic_fetch_xor(&{g}, 8);"));
        w.depth -= 1;
        w.line("}");
    };
    let alone = w.random.once_in(2);
    if !alone {
        w.line(&format!("static void *{}(void *arg) {{", p("t1")));
        w.depth = 1;
        w.line("unsigned r0 = 0, r1 = 1;");
        match w.random.below(3) {
            0 => reader(&mut w),
            1 => {
                let value = w.random.below(4);
                w.line(&format!("while (atomic_load(&{g}) != {value});"));
                w.statements(1, 0);
            }
            _ => w.statements(2, 1),
        }
        w.line("return arg;");
        w.depth = 0;
        w.line("}");
    }
    w.line(&format!("static void {}(void) {{", p("main")));
    w.depth = 1;
    w.line("unsigned r0 = 0, r1 = 1;");
    if !alone {
        w.line(&format!("pthread_t t1; pthread_create(&t1, 0, {}, 0);", p("t1")));
    }
    if alone || w.random.once_in(2) {
        reader(&mut w);
    } else {
        w.statements(2, 0);
    }
    if !alone {
        w.line("pthread_join(t1, 0);");
    }
    w.line(&format!("unsigned left = ({g} + 3 * {h} + {a}[0] + 2 * {a}[1] + {a}[2] + {a}[3] + r0 + r1) & 7;"));
    for value in 0..8 {
        w.line(&format!("assert(left != {value});"));
    }
    w.depth = 0;
    w.line("}");
    Program { text: w.text, inputs: Vec::new() }
}

/// The machines of these programs.
pub(crate) fn machines(programs: &[Program], options: &Options) -> Vec<Machine> {
    let mut text = "#define _GNU_SOURCE\n".to_owned();
    for header in
        ["arpa/inet", "assert", "ctype", "errno", "pthread", "stdatomic", "stdio", "stdlib", "string", "strings"]
    {
        let _ = writeln!(text, "#include <{header}.h>");
    }
    // Where a pointer leads to in the texts `s` and `t` of a program.
    text += "static long place(char *p, char *s, char *t) {\n  for (int i = 0; i < 10; i++) {\n    \
             if (i < 6 && p == s + i) return i;\n    if (p == t + i) return 20 + i;\n  }\n  return p ? 50 : 99;\n}\n\
             #define PLACE(x) place((char *)(x), s, t)\n";
    text += "#define SIGN(x) (((x) > 0) - ((x) < 0))\n";
    for (result, name) in [("unsigned", "uint"), ("int", "int"), ("unsigned short", "ushort"), ("char", "char")] {
        let _ = writeln!(text, "extern {result} __VERIFIER_nondet_{name}(void);");
    }
    text += "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
             extern void __VERIFIER_assume(int);\n\
             static unsigned settled(unsigned x) {\n  switch (x & 3) {\n  case 1: return 1;\n  case 2: return 2;\n  \
             case 3: return 3;\n  default: return 0;\n  }\n}\n";
    programs.iter().for_each(|program| text += &program.text);
    text += "int main(int argc, char **argv) {\n  switch (argc) {\n";
    for number in 0..programs.len() {
        let _ = writeln!(text, "  case {}: p{number}_main(); break;", number + 1);
    }
    text += "  }\n  return 0;\n}\n";
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("programs.c");
    std::fs::write(&path, &text).expect("it can be written");
    let loaded = frontend::load(&[path], &frontend::Options::default());
    let module = Arc::new(loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).module);
    let registry = runtime_model::registry();
    let machine = |number| {
        let arguments = vec!["program".to_owned(); number + 1];
        let options = Options { arguments, ..options.clone() };
        Machine::new(Arc::clone(&module), registry, options).expect("it can be started")
    };
    (0..programs.len()).map(machine).collect()
}

/// With the library functions that are code, and those that open inputs need.
pub(crate) fn frontend_options() -> frontend::Options {
    let unit = |code: &runtime_model::Code| frontend::load::LibraryUnit {
        name: code.name,
        provides: code.provides().collect(),
        lp64: code.lp64,
        ilp32: code.ilp32,
    };
    let library = runtime_model::CODE.iter().map(unit).collect();
    frontend::Options { library, needs: vec![interp::OPENS_ARGUMENTS], ..frontend::Options::default() }
}

/// What an exploration finds.
struct Seen<'a> {
    pristine: &'a Machine,
    bugs: BTreeSet<Bug>,
    unknown: BTreeSet<String>,
    error: Option<String>,
}

impl Listener<Machine> for Seen<'_> {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        let bug = Bug::new(self.pristine, &fault);
        if self.bugs.contains(&bug) {
            return Flow::Continue;
        }
        if let Some(inputs) = &fault.inputs {
            let mut schedule = fault.without_decisions(&schedule);
            // (An access that is an action may be yet to come.)
            let shown = (0..2).any(|_| {
                let mut machine = self.pristine.with_inputs(inputs);
                let replayed = por::replay(&mut machine, &schedule, |_, _| {}, |_, _| {});
                schedule.push(Move { thread: fault.thread, label: 0 });
                let Replayed::Finished(faults) = replayed else { return false };
                faults.iter().any(|(_, found)| Bug::new(&machine, found) == bug)
            });
            if !shown {
                self.error = Some(format!("{bug:?} is not shown by an ordinary machine with {inputs:?}"));
                return Flow::Stop;
            }
        }
        self.bugs.insert(bug);
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.unknown.insert(reason);
        Flow::Continue
    }
}

/// The bugs that an exploration finds, and why the answer is unknown.
pub(crate) type Answers = (BTreeSet<Bug>, BTreeSet<String>);

/// Explores; `None` if there are too many executions.
pub(crate) fn explore(pristine: &Machine, engine: Engine) -> Result<Option<Answers>, String> {
    explore_with(pristine, &por::Options { engine, ..por::Options::default() })
}

fn explore_with(pristine: &Machine, options: &por::Options) -> Result<Option<Answers>, String> {
    let mut pristine = pristine.clone();
    loop {
        let limits = por::Options { max_executions: Some(MOST), max_states: Some(MOST), ..options.clone() };
        let options = por::Options { max_depth: 5_000, ..limits };
        let mut seen = Seen { pristine: &pristine, bugs: BTreeSet::new(), unknown: BTreeSet::new(), error: None };
        let mut machine = pristine.clone();
        let (outcome, _) = interp::engines::explore(&mut machine, &options, &mut seen);
        if let Some(error) = seen.error {
            return Err(error);
        }
        match outcome {
            Outcome::Restart => pristine.learn_from(&machine),
            Outcome::Complete => return Ok(Some((seen.bugs, seen.unknown))),
            _ => return Ok(None),
        }
    }
}

/// What came of a program: `None` if it is too large, or fails twice in one step.
#[derive(Clone, Copy)]
pub(crate) struct Compared {
    pub(crate) bugs: usize,
    pub(crate) unknown: bool,
}

pub(crate) fn compare(program: &Program, symbolic: &Machine) -> Result<Option<Compared>, String> {
    let values: u64 = program.inputs.iter().map(|(_, _, values)| values).product();
    let mut wanted = BTreeSet::new();
    for number in 0..values {
        let mut rest = number;
        let value = |&(thread, number, values): &(u32, u32, u64)| {
            let value = rest % values;
            rest /= values;
            InputValue { thread: ThreadId(thread), number, value }
        };
        let inputs: Vec<InputValue> = program.inputs.iter().map(value).collect();
        let Some((bugs, unknown)) = explore(&symbolic.with_inputs(&inputs), Engine::Unfolding)? else {
            return Ok(None);
        };
        // (On symbolic data a decision stands between the two, so that both are found.)
        if unknown.iter().any(|reason| reason.starts_with("a second fault in one step")) {
            return Ok(None);
        }
        if !unknown.is_empty() {
            return Err(format!("unknown without symbolic data: {unknown:?}"));
        }
        wanted.extend(bugs);
    }
    let mut is_unknown = false;
    for engine in [
        Engine::Unfolding,
        Engine::Dpor(Reduction::Optimal),
        Engine::Dpor(Reduction::Source),
        Engine::Dpor(Reduction::Observers),
        Engine::States,
    ] {
        let Some((bugs, unknown)) = explore(symbolic, engine)? else { return Ok(None) };
        is_unknown |= !unknown.is_empty();
        // A path that cannot be was taken for one that can, which the tool notices itself.
        if let Some(reason) = unknown.iter().find(|reason| reason.contains("contradicts itself")) {
            return Err(format!("{engine:?}: {reason}"));
        }
        if bugs != wanted && unknown.is_empty() || !bugs.is_subset(&wanted) {
            return Err(format!("{engine:?}: {bugs:?} instead of {wanted:?}, unknown {unknown:?}"));
        }
    }
    Ok(Some(Compared { bugs: wanted.len(), unknown: is_unknown }))
}

#[test]
fn symbolic_data_agrees_with_all_values() {
    let count = programs("VERIFY_SYMBOLIC", [20, 150]);
    let options = Options { symbolic: Some(Settings::default()), ..Options::default() };
    let results = on_all("C programs that read inputs", count, |seeds| {
        let programs: Vec<Program> = seeds.clone().zip(0..).map(|(seed, number)| program(seed, number)).collect();
        let machines = machines(&programs, &options);
        let each = seeds.zip(&programs).zip(machines).map(|((seed, program), machine)| {
            compare(program, &machine).unwrap_or_else(|error| {
                panic!("VERIFY_SEED={seed} VERIFY_SYMBOLIC=1: {error}\n{}", program.text);
            })
        });
        each.collect()
    });
    let compared: Vec<Compared> = results.into_iter().flatten().collect();
    let (all, unknown) = (compared.len() as u64, compared.iter().filter(|result| result.unknown).count() as u64);
    let bugs: usize = compared.iter().map(|result| result.bugs).sum();
    println!("{all} of {count} programs compared, {bugs} violations, {unknown} unknown");
    assert!(2 * all >= count, "too many programs are too large");
    assert!(10 * unknown <= all, "too many programs are unknown on symbolic data");
}

/// Programs without end: for all values by states, and with each of the few values as a choice by the unfolding with
/// cutoffs.
#[test]
fn endless_symbolic_data_agrees_with_choices() {
    let count = programs("VERIFY_ENDLESS", [20, 100]);
    let symbolic = Options { symbolic: Some(Settings::default()), ..Options::default() };
    let chosen = Options { nondet: 4, ..Options::default() };
    let results = on_all("endless programs that read inputs", count, |seeds| {
        let programs: Vec<Program> = seeds.clone().zip(0..).map(|(seed, number)| endless(seed, number)).collect();
        let each = machines(&programs, &symbolic).into_iter().zip(machines(&programs, &chosen));
        let each = seeds.zip(&programs).zip(each).map(|((seed, program), (symbolic, chosen))| {
            compare_endless(&symbolic, &chosen).unwrap_or_else(|error| {
                panic!("VERIFY_SEED={seed} VERIFY_ENDLESS=1: {error}\n{}", program.text);
            })
        });
        each.collect()
    });
    let compared: Vec<Compared> = results.into_iter().flatten().collect();
    let (all, unknown) = (compared.len() as u64, compared.iter().filter(|result| result.unknown).count() as u64);
    let bugs: usize = compared.iter().map(|result| result.bugs).sum();
    println!("{all} of {count} endless programs compared, {bugs} violations, {unknown} unknown");
    assert!(2 * all >= count, "too many programs are too large");
    assert!(5 * unknown <= all, "too many programs are unknown on symbolic data");
}

fn compare_endless(symbolic: &Machine, chosen: &Machine) -> Result<Option<Compared>, String> {
    let cutoffs = por::Options { cutoffs: Some(Order::Erv), ..por::Options::default() };
    let (wanted, found) = (explore_with(chosen, &cutoffs)?, explore(symbolic, Engine::States)?);
    let (Some((wanted, not_known)), Some((found, unknown))) = (wanted, found) else { return Ok(None) };
    if unknown.is_empty() && not_known.is_empty() && found != wanted
        || not_known.is_empty() && !found.is_subset(&wanted)
    {
        return Err(format!("{found:?} instead of {wanted:?}, unknown {unknown:?}"));
    }
    Ok(Some(Compared { bugs: wanted.len(), unknown: !unknown.is_empty() }))
}
