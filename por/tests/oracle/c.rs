//! Abstract programs as C programs.
//!
//! Cells become bytes that are accessed atomically, by one or two at a time; everything else has a counterpart in C.
//! Main ends by `pthread_exit`, for its end is not that of the process.
use crate::program::{Cell, Program, Statement, spread};
use std::fmt::Write;

/// What a file begins with.
pub const PRELUDE: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n\
    #include <stdlib.h>\n\nextern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n";

/// A whole file for one program.
pub fn file(program: &Program) -> String {
    format!("{PRELUDE}{}", functions(program, "", "int main(void)"))
}

/// The program's variables and functions, whose names begin with `p`. `main` heads the one of thread 0.
pub fn functions(program: &Program, p: &str, main: &str) -> String {
    let mut lines = Lines { p: p.to_owned(), depth: 0, text: "\n".to_owned() };
    let body: Vec<&[Statement]> = program.threads.iter().map(Vec::as_slice).collect();
    for m in used(&body, |s| matches!(s, Used::Mutex)) {
        lines.put(&format!("static pthread_mutex_t {p}m{m} = PTHREAD_MUTEX_INITIALIZER;"));
    }
    for c in used(&body, |s| matches!(s, Used::Condition)) {
        lines.put(&format!("static pthread_cond_t {p}c{c} = PTHREAD_COND_INITIALIZER;"));
    }
    for x in used(&body, |s| matches!(s, Used::Granule)) {
        lines.put(&format!("static _Alignas(8) unsigned char {p}x{x}[8];"));
    }
    for (number, thread) in program.threads.iter().enumerate().skip(1) {
        lines.function(&format!("static void *{p}t{number}(void *arg)"), thread, "return arg;");
    }
    lines.function(main, &program.threads[0], "pthread_exit(0);");
    lines.text
}

/// What a number in a statement names.
enum Used {
    Mutex,
    Condition,
    Granule,
    Register,
    Thread,
}

/// The names of one sort in statements, without repetition.
fn used(bodies: &[&[Statement]], sort: impl Fn(&Used) -> bool + Copy) -> Vec<u8> {
    fn collect(body: &[Statement], sort: impl Fn(&Used) -> bool + Copy, out: &mut Vec<u8>) {
        use Statement as S;
        use Used::{Condition, Granule, Mutex, Register, Thread};
        for statement in body {
            let mut add = |what: Used, number: u8| out.extend(sort(&what).then_some(number));
            match statement {
                S::Lock(m) | S::Unlock(m) => add(Mutex, *m),
                S::TryLock(m, _) => [(Mutex, *m), (Register, 0)].into_iter().for_each(|(what, n)| add(what, n)),
                S::Wait(c, m) => [(Condition, *c), (Mutex, *m)].into_iter().for_each(|(what, n)| add(what, n)),
                S::Signal(c) | S::Broadcast(c) => add(Condition, *c),
                S::Store(x, _) | S::Xor(x, _) | S::Take(x, ..) => add(Granule, x.granule),
                S::Load(x, r)
                | S::StoreRegister(x, r)
                | S::CompareExchange(x, _, _, r)
                | S::While(x, r, ..)
                | S::Await(x, r, _) => {
                    add(Granule, x.granule);
                    add(Register, *r);
                }
                S::Choose(_, r) | S::Decide(_, r) | S::If(r, ..) | S::Assert(r, _) | S::Assume(r, _) => {
                    add(Register, *r)
                }
                S::Create(t) => add(Thread, *t as u8),
                S::Forever(_) | S::Join(_) | S::Exit => {}
            }
            if let S::TryLock(_, inner) | S::If(_, _, inner) | S::While(.., inner) | S::Forever(inner) = statement {
                collect(inner, sort, out);
            }
        }
    }
    let mut all = Vec::new();
    bodies.iter().for_each(|body| collect(body, sort, &mut all));
    all.sort_unstable();
    all.dedup();
    all
}

/// A text under construction.
struct Lines {
    /// What global names begin with.
    p: String,
    depth: usize,
    text: String,
}

impl Lines {
    fn put(&mut self, line: &str) {
        writeln!(self.text, "{:1$}{line}", "", 2 * self.depth).expect("strings can be written");
    }

    fn function(&mut self, head: &str, body: &[Statement], last: &str) {
        self.put(&format!("\n{head} {{"));
        self.depth += 1;
        for r in used(&[body], |s| matches!(s, Used::Register)) {
            self.put(&format!("int r{r} = 0;"));
        }
        for t in used(&[body], |s| matches!(s, Used::Thread)) {
            self.put(&format!("pthread_t id{t};"));
        }
        self.body(body);
        self.put(last);
        self.depth -= 1;
        self.put("}");
    }

    fn body(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn braces(&mut self, head: &str, body: &[Statement], last: &str) {
        self.put(&format!("{head} {{"));
        self.depth += 1;
        self.body(body);
        if !last.is_empty() {
            self.put(last);
        }
        self.depth -= 1;
        self.put("}");
    }

    fn statement(&mut self, statement: &Statement) {
        let p = self.p.clone();
        let line = match statement {
            Statement::Lock(m) => format!("pthread_mutex_lock(&{p}m{m});"),
            Statement::Unlock(m) => format!("pthread_mutex_unlock(&{p}m{m});"),
            Statement::TryLock(m, body) => {
                self.put(&format!("r0 = pthread_mutex_trylock(&{p}m{m}) == 0;"));
                return self.braces("if (r0 == 1)", body, &format!("pthread_mutex_unlock(&{p}m{m});"));
            }
            Statement::Wait(c, m) => format!("pthread_cond_wait(&{p}c{c}, &{p}m{m});"),
            Statement::Signal(c) => format!("pthread_cond_signal(&{p}c{c});"),
            Statement::Broadcast(c) => format!("pthread_cond_broadcast(&{p}c{c});"),
            Statement::Load(x, r) => format!("r{r} = {};", self.load(*x)),
            Statement::Store(x, v) => format!("atomic_store({}, {});", self.cell(*x), value(*x, *v)),
            Statement::StoreRegister(x, r) => {
                format!("atomic_store({}, (r{r} + 1) % 4 * {});", self.cell(*x), value(*x, 1))
            }
            Statement::Xor(x, k) => format!("atomic_fetch_xor({}, {});", self.cell(*x), value(*x, *k)),
            Statement::CompareExchange(x, expected, new, r) => {
                let (cell, expected, new) = (self.cell(*x), value(*x, *expected), value(*x, *new));
                format!("r{r} = atomic_compare_exchange_strong({cell}, &({}){{{expected}}}, {new});", kind(*x))
            }
            Statement::Await(x, r, v) => format!("while ((r{r} = {}) == {v});", self.load(*x)),
            Statement::Take(x, expected, new) => {
                let (cell, expected, new) = (self.cell(*x), value(*x, *expected), value(*x, *new));
                format!("while (!atomic_compare_exchange_strong({cell}, &({}){{{expected}}}, {new}));", kind(*x))
            }
            Statement::Choose(2, r) => format!("r{r} = __VERIFIER_nondet_bool();"),
            Statement::Choose(n, r) => {
                self.put(&format!("r{r} = 0;"));
                format!("while (r{r} < {} && __VERIFIER_nondet_bool()) r{r}++;", n - 1)
            }
            Statement::Decide(set, r) => format!("r{r} = {set:#x} >> input & 1;"),
            Statement::If(r, v, body) => return self.braces(&format!("if (r{r} == {v})"), body, ""),
            Statement::While(x, r, v, body) => {
                let head = format!("while ((r{r} = {}) == {v})", self.load(*x));
                return self.braces(&head, body, "");
            }
            Statement::Forever(body) => return self.braces("for (;;)", body, ""),
            Statement::Assert(r, v) => format!("assert(r{r} != {v});"),
            Statement::Assume(r, v) => format!("__VERIFIER_assume(r{r} == {v});"),
            Statement::Create(t) => format!("pthread_create(&id{t}, 0, {p}t{t}, 0);"),
            Statement::Join(t) => format!("pthread_join(id{t}, 0);"),
            Statement::Exit => "exit(0);".to_owned(),
        };
        self.put(&line);
    }

    fn cell(&self, x: Cell) -> String {
        format!("(_Atomic({}) *)({}x{} + {})", kind(x), self.p, x.granule, x.start)
    }

    fn load(&self, x: Cell) -> String {
        match x.len {
            1 => format!("atomic_load({})", self.cell(x)),
            _ => format!("atomic_load({}) % 256", self.cell(x)),
        }
    }
}

fn kind(x: Cell) -> &'static str {
    match x.len {
        1 => "uint8_t",
        2 => "uint16_t",
        len => panic!("no type has {len} bytes"),
    }
}

/// What is in a cell all of whose bytes have that value.
fn value(x: Cell, value: u8) -> String {
    format!("0x{:x}", spread(value) & x.bits() >> (8 * x.start))
}
