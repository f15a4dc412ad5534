//! Random programs as data, and how they are written in C.

use crate::around::{Around, PRELUDE, QUEUES};
use crate::render::{render_body, render_function};
use crate::spins::SPINS;
use std::fmt::Write;

/// A program: a body per thread. The variables that all share are listed in [`Program::render`].
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// What each thread does.
    pub(crate) threads: Vec<Vec<Statement>>,
    /// What threads do that other threads create on the way.
    pub(crate) child: Vec<Statement>,
    /// Whether main waits for the threads; otherwise the process ends beside them.
    pub(crate) joins: bool,
    /// If it does: what an expression must not be in the end, with `@` for the prefix of names. So the order of what
    /// was done before shows.
    pub(crate) last: Option<(&'static str, i32)>,
    /// Whether plain variables and blocks lie in much memory that is not used.
    pub(crate) large: bool,
    /// What its lines need.
    pub(crate) around: &'static Around,
    /// Threads with the same body are the same function.
    pub(crate) alike: Option<Alike>,
}

/// What main does between the creations of threads that are the same function, and between the joins, with `@` for the
/// prefix of names; and the arguments of threads, which do not look at them, with `#` for the number of the thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alike {
    pub(crate) at_creations: &'static str,
    pub(crate) at_joins: &'static str,
    pub(crate) arguments: &'static str,
}

/// A memory order of C11, as the suffix of its name.
pub(crate) type Ordering = &'static str;

/// Everything works on the thread's only register `r`.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A critical section.
    Section { mutex: u8, body: Vec<Statement> },
    /// A critical section if the mutex is free; `r` tells.
    TrySection { mutex: u8, body: Vec<Statement> },
    /// Something between an acquisition and a release of another kind than a mutex; if it is an attempt, `r` tells.
    Guarded { guard: &'static Guard, body: Vec<Statement> },
    /// A cleanup handler counts in an atomic cell what of this is left by an end, or not.
    Cleanup { body: Vec<Statement> },
    /// One line, in which `@` stands for the prefix of the program's names.
    Line(&'static str),
    /// A lock without an unlock.
    Lock { mutex: u8 },
    /// An unlock without a lock.
    Unlock { mutex: u8 },
    /// `if` or `while` the plain variable of the mutex has not yet this value, waits. Stands in a section of the mutex.
    /// `timed`: not for ever; `r` tells.
    Wait { condition: u8, mutex: u8, again: bool, until: i32, timed: bool },
    /// Wakes one.
    Signal { condition: u8 },
    /// Wakes all.
    Broadcast { condition: u8 },
    /// Atomic cell = value.
    Store { cell: u8, value: i32, ordering: Ordering },
    /// `r` = atomic cell.
    Load { cell: u8, ordering: Ordering },
    /// `r` = the old value; the operation is a part of a function's name.
    Modify { cell: u8, operation: &'static str, value: i32, ordering: Ordering },
    /// The same, and nobody uses the old value.
    Update { cell: u8, operation: &'static str, value: i32, ordering: Ordering },
    /// `r` = whether it succeeded. The orderings are those of success and failure.
    CompareExchange { cell: u8, expected: i32, new: i32, orderings: (Ordering, Ordering) },
    /// Only this byte of cell 0.
    StoreByte { byte: u8, value: u8 },
    /// A fence.
    Fence { ordering: Ordering },
    /// Plain variable = `r` + value.
    Write { variable: u8, plus: i32 },
    /// `r` = plain variable.
    Read { variable: u8 },
    /// A branch on `r`.
    If { value: i32, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// Fails when `r` has this value.
    Assert { not: i32 },
    /// Goes on only if `r` has another value.
    Assume { not: i32 },
    /// `r` = 0 or 1.
    Choose,
    /// Writes to the heap block.
    Use,
    /// Frees the heap block.
    Free,
    /// `r` = the heap block.
    Look,
    /// Only this byte of plain variable 0.
    WriteByte { byte: u8, value: u8 },
    /// Atomic cell = `r` + value, plainly.
    WriteCell { cell: u8, plus: i32 },
    /// `r` = atomic cell, plainly.
    ReadCell { cell: u8 },
    /// Copies both atomic cells, which then lie side by side; `r` tells of both.
    CopyCells,
    /// A branch on an atomic cell.
    Behind { cell: u8, value: i32, body: Vec<Statement> },
    /// A member of structure 0 = `r`.
    WriteMember { member: u8 },
    /// `r` = a member of structure 1.
    ReadMember { member: u8 },
    /// Structure 1 = structure 0.
    CopyStructure,
    /// Both members of structure 0 become 0.
    ClearStructure,
    /// Hands out the address of `r`.
    Lend,
    /// Changes what an address leads to that was handed out.
    Borrow,
    /// Repeats the body until the atomic cell, which is then loaded into `r`, has this value.
    Repeat { body: Vec<Statement>, cell: u8, until: i32, ordering: Ordering },
    /// Loads an atomic cell until it has this value, or several of them, in one of [`SPINS`].
    Spin { cell: u8, until: i32, ordering: Ordering, shape: u8 },
    /// Creates and joins a thread, once or several times.
    Children { times: u8 },
    /// Creates a thread, and another one that joins that and does the same, and joins the latter; `r` = its value.
    Relay,
    /// Joins the first thread, which main then does not; `r` = its value.
    Adopt,
    /// Creates a thread or two, as an atomic cell says, and joins all or all but the first.
    Leaves { all: bool },
    /// The atomic pointer leads to a new block, which holds `r`.
    Publish { ordering: Ordering },
    /// `r` = what the atomic pointer leads to, if it does.
    Follow { ordering: Ordering },
    /// The same, and takes the pointer away and frees the block.
    Take { ordering: Ordering },
    /// An atomic block.
    Block { body: Vec<Statement> },
    /// The body in one order or the other, in an atomic block or not; in one case behind something else that changes
    /// nothing. So different histories lead to the same state.
    Permuted { body: Vec<Statement>, block: bool },
    /// Creates and joins a thread; the handle goes to one of two shared variables, which hold the same in the end in
    /// any case.
    HandOver,
    /// `r` = whether the shared handle is set.
    Peek,
    /// The end of the thread.
    Return,
    /// The end of the process.
    Exit,
}

/// Calls that belong together, with `@` for the prefix of names.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Guard {
    pub(crate) acquire: &'static str,
    pub(crate) release: &'static str,
    /// Whether it may fail.
    pub(crate) attempt: bool,
}

/// How long loops go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounds {
    /// Executions end in which a loop goes on for more than two rounds.
    Two,
    /// Perhaps for ever.
    Any,
}

/// A whole file: the number of command-line arguments says which program runs. What the lines hold does not depend on
/// the rounds.
pub(crate) fn unit(programs: &[Program], rounds: Rounds) -> String {
    let mut text = PRELUDE.to_string();
    text.push_str(programs.first().map_or("", |program| program.around.include));
    if programs.iter().any(|program| program.has(|s| matches!(s, Statement::Line(line) if line.contains("&@x")))) {
        text.push_str(QUEUES);
    }
    if programs.iter().any(|program| program.has(|s| matches!(s, Statement::Spin { .. }))) {
        text.push_str("#include <errno.h>\n#include <stdio.h>\nstatic int limit = 3;\n");
        text.push_str("static void says(unsigned a, unsigned b) { printf(\"%u\", a + 1); if (b) puts(\"odd\"); }\n");
        for ordering in ["relaxed", "acquire", "seq_cst"] {
            let load = format!("atomic_load_explicit(cell, memory_order_{ordering})");
            writeln!(text, "static int load_{ordering}(atomic_int *cell) {{ return {load}; }}").expect("a text grows");
        }
        text.push_str("static int (*const loads[2])(atomic_int *) = {load_relaxed, load_seq_cst};\n");
        text.push_str(
            "struct tally { int n, k; };\n\
             static void step(struct tally *t) { if (t->k < 2) t->k++; }\n\
             static int flip(int *a, int *b) { *a ^= 1; return *b; }\n\
             static int often(atomic_int *cell, int until) {\n  \
             for (int i = 0; i < 2; i++) if (atomic_load(cell) == until) return i + 1;\n  return 0;\n}\n\
             static int finds(int *plain, atomic_int *cell, int until, int *v) {\n  \
             int k = *plain;\n  if (atomic_load(cell) != until + k) return 0;\n  *v = k;\n  return 1;\n}\n\
             static int moves(int *plain, atomic_int *cell, int until, int *v) {\n  \
             int k = *plain;\n  if (atomic_load(cell) != until + k) return 0;\n  *v = k;\n  *plain = until;\n  \
             return 1;\n}\n\
             static int tries(atomic_int *cell, int until, struct tally *t) {\n\
             if (load_acquire(cell) == until) return 1; t->k ^= 1; return 0; }\n",
        );
        text.push_str(
            "static int next_of(int k) { int nexts[4] = {3, 1, 0, 2}, *next = &nexts[k & 3]; return *next; }\n",
        );
    }
    text.push_str(match rounds {
        Rounds::Two => "#define ROUND(n) __VERIFIER_assume(n++ < 2)\n",
        Rounds::Any => "#define ROUND(n) (void)n\n",
    });
    if programs.iter().any(|program| program.has(|s| matches!(s, Statement::Spin { .. }))) {
        text.push_str(
            "static void counts(atomic_int *cell, int until, struct tally *t) {\n\
             for (int n = 0; atomic_load(cell) != until;) { step(t); t->n = 2 * t->k; ROUND(n); } }\n",
        );
    }
    for (number, program) in programs.iter().enumerate() {
        program.render(number, &mut text);
    }
    text.push_str("int main(int argc, char **argv) {\n");
    for number in 0..programs.len() {
        writeln!(text, "  if (argc == {}) p{number}();", number + 1).expect("strings can be written");
    }
    text.push_str("  return 0;\n}\n");
    text
}

impl Program {
    /// Whether a statement of this sort is in it, at any depth.
    pub(crate) fn has(&self, sort: impl Fn(&Statement) -> bool + Copy) -> bool {
        fn within(body: &[Statement], sort: impl Fn(&Statement) -> bool + Copy) -> bool {
            body.iter().any(|statement| {
                let inner: [&[Statement]; 2] = match statement {
                    Statement::If { then, otherwise, .. } => [then, otherwise],
                    Statement::Section { body, .. }
                    | Statement::TrySection { body, .. }
                    | Statement::Guarded { body, .. }
                    | Statement::Cleanup { body }
                    | Statement::Repeat { body, .. }
                    | Statement::Permuted { body, .. }
                    | Statement::Behind { body, .. }
                    | Statement::Block { body } => [body, &[]],
                    _ => [&[], &[]],
                };
                sort(statement) || inner.iter().any(|body| within(body, sort))
            })
        }
        self.threads.iter().chain([&self.child]).any(|body| within(body, sort))
    }

    /// Whether shared variables may hold addresses of blocks or numbers of threads.
    pub(crate) fn publishes_addresses(&self) -> bool {
        let text = format!("{:?}{:?}{:?}", self.threads, self.child, self.alike);
        ["malloc", "@t[", "Publish", "Allocate", "HandOver", "Take", "Children"].iter().any(|word| text.contains(word))
    }

    /// Whether it may go on for ever.
    pub(crate) fn loops(&self) -> bool {
        let is_loop = |s: &Statement| match s {
            Statement::Repeat { .. } | Statement::Spin { .. } => true,
            Statement::Line(line) => line.contains("ROUND("),
            _ => false,
        };
        self.has(is_loop)
    }

    /// Appends the program as function `p{number}`, with variables of its own.
    fn render(&self, number: usize, text: &mut String) {
        let p = format!("p{number}_");
        let mut line = |content: String| {
            text.push_str(&content);
            text.push('\n');
        };
        line(format!("static pthread_mutex_t {p}m0 = PTHREAD_MUTEX_INITIALIZER, {p}m1 = PTHREAD_MUTEX_INITIALIZER;"));
        line(format!("static pthread_cond_t {p}c0 = PTHREAD_COND_INITIALIZER, {p}c1 = PTHREAD_COND_INITIALIZER;"));
        if self.has(|s| matches!(s, Statement::CopyCells)) {
            line(format!("static struct {{ atomic_int a0, a1; }} {p}a;\n#define {p}a0 {p}a.a0\n#define {p}a1 {p}a.a1"));
        } else {
            line(format!("static atomic_int {p}a0, {p}a1;"));
        }
        line(format!("static _Atomic(int *) {p}p;"));
        line(format!("enum {{ {p}SIZE = {} }};", if self.large { 1 << 20 } else { 4 }));
        if self.large {
            line(format!("static int {p}g[1 << 20], *{p}h, *{p}q;"));
            line(format!("#define {p}g0 {p}g[1025]\n#define {p}g1 {p}g[(1 << 20) - 1]"));
        } else {
            line(format!("static int {p}g0, {p}g1, *{p}h, *{p}q;"));
        }
        line(format!("static pthread_t {p}k0, {p}k1;"));
        line(format!("static struct {{ int m0; short m1; int m2; }} {p}s0, {p}s1;"));
        let has_lines =
            self.alike.is_some() || self.has(|s| matches!(s, Statement::Line(_) | Statement::Cleanup { .. }));
        let needs_others = |s: &Statement| match s {
            Statement::Guarded { .. } => true,
            Statement::Spin { shape, .. } => ["RWLOCK", "SEMAPHORE"].iter().any(|w| SPINS[*shape as usize].contains(w)),
            _ => false,
        };
        if self.has(|s| matches!(s, Statement::Spin { .. })) {
            line(format!("static int {p}noted; static _Thread_local int {p}owned; static atomic_int {p}added;"));
            line(format!("static struct tally {p}fields, {p}each[2], *{p}ways[2] = {{&{p}each[0], &{p}each[1]}};"));
        }
        let others = has_lines || self.has(needs_others);
        if others {
            line(format!("static pthread_rwlock_t {p}w = PTHREAD_RWLOCK_INITIALIZER; static pthread_spinlock_t {p}i;"));
            line(format!("static sem_t {p}u, {p}v; static pthread_barrier_t {p}b;"));
            line(format!("static pthread_once_t {p}o = PTHREAD_ONCE_INIT;"));
            line(format!("static void {p}once(void) {{ {p}g1 = 1; }}"));
        }
        if has_lines {
            line(format!("static long {p}x;"));
            line(self.around.globals.replace('@', &p));
            line(format!("static pthread_t {p}t[{}]; static pthread_key_t {p}y;", self.threads.len()));
            line(format!("static void {p}end(void *cell) {{ atomic_fetch_add((atomic_int *)cell, 1); }}"));
        }
        if self.has(|s| matches!(s, Statement::HandOver)) {
            render_function(&[], &p, "nothing", &mut line);
        }
        if self.has(|s| matches!(s, Statement::Leaves { .. })) {
            let adds = Statement::Update { cell: 1, operation: "fetch_add", value: 1, ordering: "seq_cst" };
            render_function(&[adds], &p, "leaf", &mut line);
        }
        if self.has(|s| matches!(s, Statement::Children { .. } | Statement::HandOver | Statement::Relay)) {
            render_function(&self.child, &p, "child", &mut line);
        }
        if self.has(|s| matches!(s, Statement::Relay)) {
            line(format!("static void *{p}relay(void *arg) {{"));
            line("  void *value; pthread_join(*(pthread_t *)arg, &value);".into());
            line("  int r = (int)(long)value;".into());
            render_body(&self.child, &p, 1, &mut line);
            line("  return (void *)(long)r;".into());
            line("}".into());
        }
        let adopted = self.has(|s| matches!(s, Statement::Adopt));
        if adopted {
            line(format!("static pthread_t {p}first;"));
        }
        for (thread, body) in self.threads.iter().enumerate() {
            render_function(body, &p, &format!("t{thread}"), &mut line);
        }
        line(format!("static void p{number}(void) {{"));
        let t = if has_lines {
            line(format!("  pthread_key_create(&{p}y, {p}end);"));
            format!("{p}t")
        } else {
            line(format!("  pthread_t t[{}];", self.threads.len()));
            "t".into()
        };
        line(format!("  {p}h = calloc(1, {p}SIZE);"));
        if others {
            line(format!("  sem_init(&{p}u, 0, 1); sem_init(&{p}v, 0, 0); pthread_spin_init(&{p}i, 0);"));
            line(format!("  pthread_barrier_init(&{p}b, 0, {});", self.threads.len()));
        }
        if has_lines {
            line(format!("  {}", self.around.setup.replace('@', &p)));
        }
        let texts: Vec<String> = self.threads.iter().map(|body| format!("{body:?}")).collect();
        for thread in 0..self.threads.len() {
            let like = |other: &usize| self.alike.is_some() && texts[*other] == texts[thread];
            let routine = (0..thread).find(like).unwrap_or(thread);
            if let Some(Alike { at_creations, .. }) = self.alike.filter(|_| thread == 1) {
                line(format!("  {}", at_creations.replace('@', &p)));
            }
            let argument = self.alike.map_or("0", |alike| alike.arguments);
            let argument = argument.replace('@', &p).replace('#', &thread.to_string());
            line(format!("  pthread_create(&{t}[{thread}], 0, {p}t{routine}, {argument});"));
            if adopted && thread == 0 {
                line(format!("  {p}first = {t}[0];"));
            }
        }
        if self.joins {
            for thread in usize::from(adopted)..self.threads.len() {
                if let Some(Alike { at_joins, .. }) = self.alike.filter(|_| thread == 1) {
                    line(format!("  {}", at_joins.replace('@', &p)));
                }
                line(format!("  pthread_join({t}[{thread}], 0);"));
            }
            if let Some((last, not)) = self.last {
                line(format!("  assert({} != {not});", last.replace('@', &p)));
            }
        }
        line("}".into());
    }
}
