//! Functions that are neither defined nor modelled: what is said of them, and what can be said.
use crate::run::Files;

const PROGRAM: &str = r"#include <sys/random.h>
#include <unistd.h>
extern int mystery(int);
extern void *place(void);
extern void quiet(void);
static int (*address)(int) = mystery;
int main(void) {
  char bytes[4];
  quiet();
  if (getrandom(bytes, 4, 0) != 4) return 1;
  if (fork() >= 0) return 2;
  return place() != 0 || address(3) != 0;
}
";

#[test]
fn they_are_listed_with_places_and_models_apart() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    let done = files.run("a.c --list-undefined --extern quiet=noop");
    let expected = "\
neither defined nor modelled: a call makes the verdict unknown:
  getrandom  a.c:10
  fork       a.c:11
  place      a.c:12
  mystery    a.c:6

they do what --externals says:
  quiet  a.c:9
";
    assert_eq!((done.code, done.out.as_str()), (Some(0), expected), "{done:?}");
    let none = Files::new(&[("a.c", "int main(void) { return 0; }\n")]).run("a.c --list-undefined");
    assert_eq!(none.out, "every function that may be called is defined\n");
    let modelled = Files::new(&[("a.c", "#include <stdlib.h>\nint main(void) { abort(); }\n")]);
    assert_eq!(modelled.run("a.c --list-undefined").out, "modelled (docs/library.md says how):\n  abort  a.c:2\n");
}

#[test]
fn unknown_says_what_to_type() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    let done = files.run("a.c --extern quiet=noop");
    assert_eq!(done.code, Some(3), "{done:?}");
    let text = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("unknown: `getrandom` is not modelled: random bytes from the system"), "{text}");
    assert!(text.contains("hint: --stub random gives it a body that comes with the tool"), "{text}");
    assert!(text.contains("hint: --extern getrandom=zero, =any or =noop"), "{text}");
    assert!(text.contains("without a model: `fork` at a.c:11, `place` at a.c:12, `mystery` at a.c:6"), "{text}");
    // A bug, or a limit, is no matter of that.
    let limited = Files::new(&[("a.c", crate::run::LOCKED)]).run("a.c --max-executions 1");
    assert!(!limited.out.contains("--extern"), "{limited:?}");
}

#[test]
fn stubs_stand_in_for_what_is_missing() {
    let own = "int mystery(int x) { return x - 3; }\nint getrandom(void *p, long n, int f) { return n; }\n";
    let files = Files::new(&[("a.c", PROGRAM), ("own.c", own)]);
    let options = "--extern quiet=noop,place=zero --stub own.c --stub processes";
    let done = files.run(&format!("a.c {options}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("stub: own.c") && done.out.contains("stub: processes"), "{done:?}");
    // What the program defines itself stays, also where a stub has it, too.
    files.write(
        "b.c",
        "#include <assert.h>\nint f(void) { return 1; }\nint g(void);\nint main(void) { assert(f() + g() == 3); }\n",
    );
    files.write(
        "stub.c",
        "int f(void) { return 7; }\nstatic int h(void) { return f(); }\nint g(void) { return h() - 5; }\n",
    );
    assert_eq!(files.run("b.c --stub stub.c").code, Some(0));
    // From a file with settings, relative to it.
    files.write(
        "verify.toml",
        "[defaults]\nstub = [\"own.c\", \"processes\"]\nexternals = [\"quiet=noop\", \"place=zero\"]\n",
    );
    assert_eq!(files.run("a.c").code, Some(0));
    let wrong = files.run("a.c --no-config --stub none.c");
    assert!(wrong.code == Some(2) && wrong.err.contains("processes (no other process can be made)"), "{wrong:?}");
}

#[test]
fn every_stub_compiles_and_can_be_called() {
    let program = r#"#include <assert.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  struct rusage usage;
  struct addrinfo *found;
  unsigned char bytes[8], more[8];
  assert(!dlopen("x.so", 0) && dlerror());
  assert(socket(AF_INET, SOCK_STREAM, 0) == -1 && getaddrinfo("a", "b", 0, &found) != 0);
  assert(fork() == -1 && system("true") == -1 && wait(0) == -1);
  assert(getrandom(bytes, 8, 0) == 8 && getentropy(more, 8) == 0 && bytes[0] != more[0]);
  assert(alarm(3) == 0 && getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss == 0);
}
"#;
    let all = "--stub loading --stub network --stub processes --stub random --stub timers --stub usage";
    let files = Files::new(&[("a.c", program)]);
    let done = files.run(&format!("a.c {all}"));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(files.run(&format!("a.c {all} -m32")).code == Some(0), "with short pointers");
}

#[test]
fn what_is_said_of_functions_must_fit() {
    let files = Files::new(&[("a.c", PROGRAM)]);
    let says = |options: &str, code: i32, words: &str| {
        let done = files.run(&format!("a.c {options}"));
        assert!(done.code == Some(code) && (done.out.clone() + &done.err).contains(words), "{options}: {done:?}");
    };
    says("--extern mystery=noop", 2, "it returns something");
    says("--extern mystery=seven", 2, "expected `any`, `zero` or `noop`");
    says("--extern nobody=zero", 2, "does not call it");
    says("--extern quiet=zero,getrandom=any --symbolic off", 2, "needs symbolic data");
    says("--extern quiet=zero --symbolic off --stub random", 3, "`fork` is not modelled");
    // Any number of random bytes, or an error.
    says("--extern quiet,getrandom,fork,mystery,place=zero --check -uninitialised", 0, "external-functions");
}
