//! How the statements of a random program are written in C.

use crate::program::{Guard, Statement};
use crate::spins::SPINS;

pub(crate) fn render_function(body: &[Statement], p: &str, name: &str, line: &mut dyn FnMut(String)) {
    line(format!("static void *{p}{name}(void *arg) {{"));
    line("  int r = 0;".into());
    render_body(body, p, 1, line);
    line("  return (void *)(long)r;".into());
    line("}".into());
}

pub(crate) fn render_body(body: &[Statement], p: &str, depth: usize, line: &mut dyn FnMut(String)) {
    let indent = "  ".repeat(depth);
    for statement in body {
        match statement {
            Statement::Section { mutex, body } => {
                line(format!("{indent}pthread_mutex_lock(&{p}m{mutex});"));
                render_body(body, p, depth, line);
                line(format!("{indent}pthread_mutex_unlock(&{p}m{mutex});"));
            }
            Statement::TrySection { mutex, body } => {
                line(format!("{indent}r = pthread_mutex_trylock(&{p}m{mutex}) == 0;"));
                line(format!("{indent}if (r) {{"));
                render_body(body, p, depth + 1, line);
                line(format!("{indent}  pthread_mutex_unlock(&{p}m{mutex});"));
                line(format!("{indent}}}"));
            }
            Statement::Guarded { guard: Guard { acquire, release, attempt }, body } => {
                let (acquire, release) = (acquire.replace('@', p), release.replace('@', p));
                let (before, after) = if *attempt { ("r = ", " == 0; if (r) {") } else { ("", "; {") };
                line(format!("{indent}{before}{acquire}{after}"));
                render_body(body, p, depth + 1, line);
                line(format!("{indent}  {release};"));
                line(format!("{indent}}}"));
            }
            Statement::Cleanup { body } => {
                line(format!("{indent}pthread_cleanup_push({p}end, &{p}a0);"));
                render_body(body, p, depth, line);
                line(format!("{indent}pthread_cleanup_pop(r);"));
            }
            Statement::If { value, then, otherwise } => {
                line(format!("{indent}if (r == {value}) {{"));
                render_body(then, p, depth + 1, line);
                line(format!("{indent}}} else {{"));
                render_body(otherwise, p, depth + 1, line);
                line(format!("{indent}}}"));
            }
            Statement::Behind { cell, value, body } => {
                line(format!("{indent}if (atomic_load(&{p}a{cell}) == {value}) {{"));
                render_body(body, p, depth + 1, line);
                line(format!("{indent}}}"));
            }
            Statement::Block { body } => {
                line(format!("{indent}__VERIFIER_atomic_begin();"));
                render_body(body, p, depth, line);
                line(format!("{indent}__VERIFIER_atomic_end();"));
            }
            Statement::Permuted { body, block } => {
                let (begin, end) = match block {
                    true => ("__VERIFIER_atomic_begin(); ", " __VERIFIER_atomic_end();"),
                    false => ("", ""),
                };
                line(format!("{indent}if (__VERIFIER_nondet_bool()) {{ (void)atomic_load(&{p}a1); r = 0; {begin}"));
                render_body(body, p, depth + 1, line);
                line(format!("{indent}}} else {{ r = 0; {begin}"));
                let turned: Vec<Statement> = body.iter().rev().cloned().collect();
                render_body(&turned, p, depth + 1, line);
                line(format!("{indent}}} r = 0;{end}"));
            }
            Statement::Repeat { body, cell, until, ordering } => {
                line(format!("{indent}for (int n = 0;;) {{"));
                line(format!("{indent}  ROUND(n);"));
                render_body(body, p, depth + 1, line);
                line(format!("{indent}  r = atomic_load_explicit(&{p}a{cell}, memory_order_{ordering});"));
                line(format!("{indent}  if (r == {until}) break;"));
                line(format!("{indent}}}"));
            }
            simple => line(format!("{indent}{}", render_simple(simple, p))),
        }
    }
}

fn render_simple(statement: &Statement, p: &str) -> String {
    match statement {
        Statement::Section { .. }
        | Statement::TrySection { .. }
        | Statement::Guarded { .. }
        | Statement::Cleanup { .. }
        | Statement::If { .. }
        | Statement::Repeat { .. }
        | Statement::Permuted { .. }
        | Statement::Behind { .. }
        | Statement::Block { .. } => unreachable!("has a body"),
        Statement::Line(text) => text.replace('@', p),
        Statement::Lock { mutex } => format!("pthread_mutex_lock(&{p}m{mutex});"),
        Statement::Unlock { mutex } => format!("pthread_mutex_unlock(&{p}m{mutex});"),
        Statement::Wait { condition, mutex, again, until, timed } => {
            let word = if *again { "while" } else { "if" };
            let wait = match timed {
                true => {
                    format!("r = pthread_cond_timedwait(&{p}c{condition}, &{p}m{mutex}, &soon) != 0; if (r) break;")
                }
                false => format!("pthread_cond_wait(&{p}c{condition}, &{p}m{mutex});"),
            };
            format!("do {word} ({p}g{mutex} != {until}) {{ {wait} }} while (0);")
        }
        Statement::Signal { condition } => format!("pthread_cond_signal(&{p}c{condition});"),
        Statement::Broadcast { condition } => format!("pthread_cond_broadcast(&{p}c{condition});"),
        Statement::Spin { cell, until, ordering, shape } => {
            let [load, other] = [*cell, 1 - cell].map(|cell| format!("load_{ordering}(&{p}a{cell})"));
            let [load_here, until] =
                [format!("atomic_load_explicit(&{p}a{cell}, memory_order_{ordering})"), until.to_string()];
            let shape = SPINS[*shape as usize].replace("LOAD", &load_here).replace("CALL", &load);
            shape
                .replace("OTHER", &other)
                .replace("UNTIL", &until)
                .replace("CELL", &format!("{p}a{cell}"))
                .replace("MUTEX", &format!("{p}m0"))
                .replace("RWLOCK", &format!("{p}w"))
                .replace("SEMAPHORE", &format!("{p}u"))
                .replace("PLAIN", &format!("{p}g0"))
                .replace("NOTED", &format!("{p}noted"))
                .replace("WAYS", &format!("{p}ways"))
                .replace("EACH", &format!("{p}each"))
                .replace("OWNED", &format!("{p}owned"))
                .replace("ADDED", &format!("{p}added"))
                .replace("FIELDS", &format!("{p}fields"))
        }
        Statement::Children { times } => {
            let thread = format!("pthread_t c; pthread_create(&c, 0, {p}child, 0); pthread_join(c, 0);");
            format!("for (int i = 0; i < {times}; i++) {{ {thread} }}")
        }
        Statement::Relay => {
            let create = |to: &str, routine: &str, arg: &str| format!("pthread_create(&{to}, 0, {p}{routine}, {arg});");
            let (first, second) = (create("c", "child", "0"), create("d", "relay", "&c"));
            format!("{{ pthread_t c, d; void *v; {first} {second} pthread_join(d, &v); r = (int)(long)v; }}")
        }
        Statement::Leaves { all } => {
            let some = format!("pthread_t c[2]; int n = 1 + (atomic_load(&{p}a0) > 0);");
            let create = format!("for (int i = 0; i < n; i++) pthread_create(&c[i], 0, {p}leaf, 0);");
            let first = u8::from(!all);
            format!("{{ {some} {create} for (int i = {first}; i < n; i++) pthread_join(c[i], 0); }}")
        }
        Statement::Adopt => format!("{{ void *v; pthread_join({p}first, &v); r = (int)(long)v; }}"),
        Statement::HandOver => {
            // With cutoffs the handle of the first thread comes again.
            let create = |to: &str, routine: &str| format!("pthread_create({to}, 0, {p}{routine}, 0);");
            let known = format!("pthread_t c, *to; {} pthread_join(c, 0);", create("&c", "nothing"));
            let longer = format!("(void)atomic_load(&{p}a1); {p}k1 = c; to = &{p}k0;");
            let choice = format!("if (__VERIFIER_nondet_bool()) {{ {longer} }} else {{ {p}k0 = c; to = &{p}k1; }}");
            let join = format!("pthread_join({p}k0 == c ? {p}k1 : {p}k0, 0);");
            format!("{{ {known} {choice} {} to = 0; {join} }}", create("to", "child"))
        }
        Statement::Peek => format!("r = {p}k0 != 0;"),
        Statement::Publish { ordering } => {
            let store = format!("atomic_store_explicit(&{p}p, n, memory_order_{ordering});");
            format!("{{ int *n = malloc({p}SIZE); *n = r; {store} }}")
        }
        Statement::Follow { ordering } => {
            format!("{{ int *n = atomic_load_explicit(&{p}p, memory_order_{ordering}); if (n) r = *n; }}")
        }
        Statement::Take { ordering } => {
            let exchange = format!("atomic_exchange_explicit(&{p}p, 0, memory_order_{ordering})");
            format!("{{ int *n = {exchange}; if (n) {{ r = *n; free(n); }} }}")
        }
        Statement::Store { cell, value, ordering } => {
            format!("atomic_store_explicit(&{p}a{cell}, {value}, memory_order_{ordering});")
        }
        Statement::Load { cell, ordering } => {
            format!("r = atomic_load_explicit(&{p}a{cell}, memory_order_{ordering});")
        }
        Statement::Modify { cell, operation, value, ordering } => {
            format!("r = atomic_{operation}_explicit(&{p}a{cell}, {value}, memory_order_{ordering});")
        }
        Statement::Update { cell, operation, value, ordering } => {
            format!("atomic_{operation}_explicit(&{p}a{cell}, {value}, memory_order_{ordering});")
        }
        Statement::CompareExchange { cell, expected, new, orderings: (success, failure) } => {
            let orders = format!("memory_order_{success}, memory_order_{failure}");
            format!("r = atomic_compare_exchange_strong_explicit(&{p}a{cell}, &(int){{{expected}}}, {new}, {orders});")
        }
        Statement::StoreByte { byte, value } => {
            format!("__atomic_store_n((char *)&{p}a0 + {byte}, {value}, __ATOMIC_SEQ_CST);")
        }
        Statement::Fence { ordering } => format!("atomic_thread_fence(memory_order_{ordering});"),
        Statement::Write { variable, plus } => format!("{p}g{variable} = r + {plus};"),
        Statement::Read { variable } => format!("r = {p}g{variable};"),
        Statement::Assert { not } => format!("assert(r != {not});"),
        Statement::Assume { not } => format!("__VERIFIER_assume(r != {not});"),
        Statement::Choose => "r = __VERIFIER_nondet_bool();".into(),
        Statement::Use => format!("*{p}h = r;"),
        Statement::Free => format!("free({p}h);"),
        Statement::Look => format!("r = *{p}h;"),
        Statement::WriteByte { byte, value } => format!("((char *)&{p}g0)[{byte}] = {value};"),
        Statement::WriteCell { cell, plus } => format!("*(int *)&{p}a{cell} = r + {plus};"),
        Statement::ReadCell { cell } => format!("r = *(int *)&{p}a{cell};"),
        Statement::CopyCells => format!("{{ int c[2]; memcpy(c, &{p}a, sizeof c); r = c[0] + 3 * c[1]; }}"),
        Statement::WriteMember { member } => format!("{p}s0.m{member} = r;"),
        Statement::ReadMember { member } => format!("r = {p}s1.m{member};"),
        Statement::CopyStructure => format!("{p}s1 = {p}s0;"),
        Statement::ClearStructure => format!("memset(&{p}s0, 0, sizeof {p}s0);"),
        Statement::Lend => format!("{p}q = &r;"),
        Statement::Borrow => format!("if ({p}q) *{p}q = 2;"),
        Statement::Return => "if (r >= 0) return (void *)7L;".into(),
        Statement::Exit => "if (r >= 0) exit(0);".into(),
    }
}
