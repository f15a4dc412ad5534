//! What reports call the parts of variables and of heap blocks.
use crate::run::Files;

const HEAD: &str = r"#include <pthread.h>
#include <stdlib.h>
struct slot { int used; pthread_mutex_t lock; };
struct table { int kind; pthread_mutex_t lock; struct slot slots[3]; struct { int n; pthread_mutex_t inner; }; };
static void twice(pthread_mutex_t *m) { pthread_mutex_lock(m); pthread_mutex_lock(m); }
";

/// What a report calls the mutex that `twice` is given by a program with these declarations and this body of `main`.
fn name(declarations: &str, body: &str) -> String {
    name_in("a.c", &format!("{HEAD}{declarations}\nint main(void) {{\n{body}\n}}\n"))
}

fn name_in(file: &str, program: &str) -> String {
    let files = Files::new(&[(file, program)]);
    named(&files.run(&format!("--format json --check deadlock {file}")).out)
}

fn named(report: &str) -> String {
    let report: serde_json::Value = serde_json::from_str(report).expect("a report");
    let message = report["violations"][0]["message"].as_str().unwrap_or_else(|| panic!("no bug: {report}"));
    let name = message.strip_prefix("the thread locks mutex ").expect("it waits for itself");
    name.strip_suffix(", which it holds already, and waits for itself").expect("it waits for itself").to_owned()
}

#[test]
fn parts_of_variables() {
    assert_eq!(name("struct table table;", "twice(&table.slots[2].lock);"), "`table.slots[2].lock`");
    assert_eq!(name("struct table table;", "twice(&table.inner);"), "`table.inner`");
    assert_eq!(name("pthread_mutex_t forks[4];", "twice(&forks[3]);"), "`forks[3]`");
    assert_eq!(name("pthread_mutex_t plain;", "twice(&plain);"), "`plain`");
    assert_eq!(name("static _Thread_local struct table mine;", "twice(&mine.slots[1].lock);"), "`mine.slots[1].lock`");
    let locals = "struct slot row[2][3] = {0}; twice(&row[1][2].lock);";
    assert_eq!(name("", locals), "`row[1][2].lock`");
    // Its members are as good as one another.
    let shared = "union { struct slot one; struct { int a; pthread_mutex_t b; } other; } shared;";
    assert_eq!(name(shared, "twice(&shared.one.lock);"), "`shared` + 8");
}

#[test]
fn blocks_are_called_as_their_pointer_is_called_first() {
    let body = "struct table *t = calloc(1, sizeof *t);\nstruct table *other = t;\ntwice(&other->slots[1].lock);";
    assert_eq!(name("", body), "`t->slots[1].lock` (`main` in a.c:8)");
    let body = "the = calloc(1, sizeof *the);\ntwice(&the->inner);";
    assert_eq!(name("struct table *the;", body), "`the->inner` (`main` in a.c:8)");
    let list = "struct list { struct slot *first, *others[2]; } list;";
    let body = "list.first = calloc(1, sizeof *list.first);\ntwice(&list.first->lock);";
    assert_eq!(name(list, body), "`list.first->lock` (`main` in a.c:8)");
    let body = "struct list *l = &list;\nl->others[1] = calloc(1, sizeof *l->others[1]);\ntwice(&l->others[1]->lock);";
    assert_eq!(name(list, body), "`list.others[1]->lock` (`main` in a.c:9)");
    let body = "take(&list);\ntwice(&list.first->lock);";
    let take =
        format!("{list} void take(void *arg) {{ struct list *l = arg; l->first = calloc(1, sizeof *l->first); }}");
    assert_eq!(name(&take, body), "`l->first->lock` (`take` in a.c:6)");
    let one = "pthread_mutex_t *m = calloc(1, sizeof *m);\ntwice(m);";
    assert_eq!(name("", one), "`*m` (`main` in a.c:8)");
    let local = "struct slot *s = calloc(1, sizeof *s), **where = &s;\ntwice(&(*where)->lock);";
    assert_eq!(name("", local), "`s->lock` (`main` in a.c:8)");
}

#[test]
fn blocks_with_several_structures() {
    let body = "int n = 3; struct slot *s = calloc(n, sizeof *s);\ntwice(&s[2].lock);";
    assert_eq!(name("", body), "`s[2].lock` (`main` in a.c:8)");
    let body = "struct slot *s = malloc(3 * sizeof *s);\nfor (int i = 0; i < 3; i++) pthread_mutex_init(&s[i].lock, 0);\n\
                twice(&s[2].lock);";
    assert_eq!(name("", body), "`s[2].lock` (`main` in a.c:8)");
    let body = "all = malloc(3 * sizeof *all);\nfor (int i = 0; i < 3; i++) pthread_mutex_init(&all[i].lock, 0);\n\
                twice(&all[2].lock);";
    assert_eq!(name("struct slot *all;", body), "`all[2].lock` (`main` in a.c:8)");
    let open = "struct open { int n; struct slot slots[]; };";
    let body = "struct open *o = calloc(1, sizeof *o + 2 * sizeof(struct slot));\ntwice(&o->slots[1].lock);";
    assert_eq!(name(open, body), "`o->slots[1].lock` (`main` in a.c:8)");
}

#[test]
fn no_name_is_better_than_a_wrong_one() {
    // What is behind a header is no header.
    let block = |offset: u32| format!("a heap block of 144 bytes (`s` of `main` in a.c:8), offset {offset}");
    let body = "struct slot *s = calloc(1, 3 * sizeof *s);\nstruct slot *t = s + 1;\ntwice(&t->lock);";
    assert_eq!(name("", body), block(56));
    let body = "void *s = calloc(1, 144);\ntwice((pthread_mutex_t *)((char *)s + 8));";
    assert_eq!(name("", body), "a heap block of 144 bytes (`main` in a.c:8), offset 8");
    // What it is comes out later, and may come out otherwise.
    let other = "struct other { long a; pthread_mutex_t lock; };";
    let body = "int c = getenv(\"X\") != 0;\nvoid *raw = calloc(1, 48);\n\
                if (c) { struct other *o = raw; twice(&o->lock); } else { struct slot *s = raw; twice(&s->lock); }";
    assert_eq!(name(other, body), "a heap block of 48 bytes (`main` in a.c:9), offset 8");
    let body = "int c = getenv(\"X\") != 0;\nvoid *a = c ? calloc(1, 40) : calloc(2, 20); twice(a);";
    assert_eq!(name("", body), "a heap block of 40 bytes (`main` in a.c:9)");
}

#[test]
fn functions_that_allocate_for_others() {
    let xmalloc = "void *xmalloc(size_t n) { void *p = calloc(1, n); if (!p) abort(); return p; }";
    let body = "struct slot *mine = xmalloc(sizeof *mine);\ntwice(&mine->lock);";
    assert_eq!(name(xmalloc, body), "`mine->lock` (`main` in a.c:8)");
    let make = "struct slot *make(void) { struct slot *made = calloc(1, sizeof *made); return made; }";
    let body = "struct slot *mine = make();\ntwice(&mine->lock);";
    assert_eq!(name(make, body), "`made->lock` (`make` in a.c:6)");
    // One of two blocks goes to the caller; it does not say which.
    let either =
        "void *kept; void *get(int c) { void *p = calloc(1, 48), *q = calloc(1, 40); kept = q; return c ? p : q; }";
    let body = "struct slot *mine = get(1);\nmine->used = 1; twice((pthread_mutex_t *)kept);";
    assert_eq!(name(either, body), "a heap block of 40 bytes (`get` in a.c:6)");
    // It does not return what it allocates.
    let other = "struct slot one; void *kept; void *get(void) { kept = calloc(1, 48); return &one; }";
    let body = "struct slot *mine = get();\nmine->used = 1; twice((pthread_mutex_t *)kept);";
    assert_eq!(name(other, body), "a heap block of 48 bytes (`get` in a.c:6)");
}

#[test]
fn blocks_of_one_place_are_told_apart() {
    let make = "struct slot *make(void) { struct slot *made = calloc(1, sizeof *made); return made; }";
    let body = "struct slot *a = make(), *b = make(); a->used = 1;\ntwice(&b->lock);";
    assert_eq!(name(make, body), "`made->lock` (`make` in a.c:6, block 2)");
    let body = "struct slot *all[3];\nfor (int i = 0; i < 3; i++) all[i] = calloc(1, sizeof *all[i]);\n\
                twice(&all[2]->lock);";
    assert_eq!(name("", body), "`all[..]->lock` (`main` in a.c:9, block 3)");
}

#[test]
fn blocks_of_cpp() {
    let program = r"#include <mutex>
struct Base { int kind; };
struct Account : Base { std::mutex lock; int balance; };
struct Bank { Account *accounts; Bank(int n) { accounts = new Account[n](); } };
int main() {
  auto bank = new Bank(2);
  pthread_mutex_t *m = bank->accounts[1].lock.native_handle();
  pthread_mutex_lock(m);
  pthread_mutex_lock(m);
}
";
    assert_eq!(name_in("a.cpp", program), "`this->accounts[1].lock` (`Bank` in a.cpp:4)");
}

#[test]
fn without_debug_information_there_are_no_names() {
    let program = format!("{HEAD}int main(void) {{ struct slot *s = calloc(1, sizeof *s); twice(&s->lock); }}\n");
    let files = Files::new(&[("a.c", &program)]);
    let clang = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let made = std::process::Command::new(clang)
        .current_dir(files.path("."))
        .args(["-c", "-emit-llvm", "-o", "a.bc", "a.c"])
        .status();
    assert!(made.expect("clang").success());
    let done = files.run("--format json --check deadlock a.bc");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(named(&done.out), "a heap block of 48 bytes, offset 8");
}

/// Two threads that have names of their own for one pool.
const POOL: &str = r"#include <pthread.h>
#include <stdlib.h>
struct pool { int size; pthread_mutex_t lock, other; };
void *work(void *arg) {
  struct pool *pool = arg;
  pthread_mutex_lock(&pool->other);
  pthread_mutex_lock(&pool->lock);
  return 0;
}
int main(void) {
  struct pool *p = calloc(1, sizeof *p);
  pthread_t t;
  pthread_create(&t, 0, work, p);
  pthread_mutex_lock(&p->lock);
  pthread_mutex_lock(&p->other);
}
";

#[test]
fn an_object_has_one_name_in_all_formats() {
    let files = Files::new(&[("pool.c", POOL)]);
    for format in ["text", "json", "sarif", "html", "svg", "dot"] {
        let report = files.run(&format!("--format {format} pool.c")).out;
        let has = |text: &str| report.contains(text);
        // (Pictures have no room for backquotes, or write them in their own way.)
        assert!(has("p->lock") || has("p-&gt;lock") || has("p-\\u003elock"), "{format}: {report}");
        assert!(!has("offset "), "{format}: {report}");
        let in_source = ["html", "text"].contains(&format);
        assert!(in_source || !(has("pool->lock") || has("pool-&gt;lock")), "{format}: {report}");
    }
    files.run("--save-trace trace.json pool.c");
    let replayed = files.run("replay trace.json").out;
    assert!(replayed.contains("`p->lock` (`main` in pool.c:11)"), "{replayed}");
}

#[test]
fn uses_of_what_is_gone_name_the_part() {
    let program = format!(
        "{HEAD}int main(void) {{\n  struct table *t = calloc(1, sizeof *t);\n  free(t);\n  t->slots[1].used = 3;\n}}\n"
    );
    let files = Files::new(&[("a.c", &program)]);
    let report: serde_json::Value = serde_json::from_str(&files.run("--format json a.c").out).expect("a report");
    let expected = "use after free: write of 4 bytes at offset 96 (`t->slots[1].used`) of a heap block of 240 bytes \
                    (`t` of `main` in a.c:7)";
    assert_eq!(report["violations"][0]["message"], expected);
}

#[test]
fn what_the_library_of_cpp_allocates_has_a_place_in_the_program() {
    let program = r"#include <mutex>
#include <vector>
struct Slot { int used; std::mutex lock; };
int main() {
  std::vector<Slot> slots(3);
  pthread_mutex_t *m = slots[1].lock.native_handle();
  pthread_mutex_lock(m);
  pthread_mutex_lock(m);
}
";
    assert_eq!(name_in("a.cpp", program), "a heap block of 144 bytes (`main` in a.cpp:5), offset 56");
}
