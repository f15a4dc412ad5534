//! Programs that a build made: `verify cc`, compilation databases, other starts than `main`, the environment.
use crate::run::{Done, Files, done};
use std::process::Command;

/// Adds to a counter under a lock that is elsewhere.
const QUEUE: &str = r"#include <pthread.h>
extern int c;
extern pthread_mutex_t m;
void *add(void *p) {
  pthread_mutex_lock(&m);
  c++;
  pthread_mutex_unlock(&m);
  return p;
}
";
const GLOBALS: &str = "#include <pthread.h>\nint c;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
const MAIN: &str = r"#include <pthread.h>
#include <assert.h>
void *add(void *p);
extern int c;
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(c == GOAL);
}
";

fn sources() -> Files {
    Files::new(&[("queue.c", QUEUE), ("globals.c", GLOBALS), ("main.c", MAIN)])
}

/// Two threads that each take the lock once: two orders.
#[track_caller]
fn safe(done: &Done) {
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("safe: all 2 executions were explored"), "{done:?}");
}

#[track_caller]
fn built(files: &Files, arguments: &str) {
    let done = files.run(arguments);
    assert_eq!(done.code, Some(0), "{arguments}: {done:?}");
    assert_eq!(done.err, "", "{arguments}: {done:?}");
}

fn tool(files: &Files, name: &str, arguments: &str) -> Done {
    let mut command = Command::new(name);
    command.current_dir(files.path("")).args(arguments.split_whitespace());
    done(command.output().expect("it starts"))
}

#[test]
fn a_program_of_objects_and_an_archive() {
    let files = sources();
    built(&files, "cc -O2 -Wall -DGOAL=2 -MD -MF main.d -c main.c -o main.o");
    built(&files, "cc -c -fPIC queue.c globals.c");
    assert!(std::fs::read_to_string(files.path("main.d")).unwrap().starts_with("main.o: main.c"));
    tool(&files, "ar", "rcs libqueue.a queue.o globals.o");
    tool(&files, "ar", "rcsT thin.a queue.o globals.o");
    built(&files, "cc main.o -L. -lqueue -o prog");
    assert_eq!(tool(&files, "./prog", "").code, Some(0));
    for inputs in ["prog", "main.o queue.o globals.o", "main.o libqueue.a", "main.o thin.a", "libqueue.a main.o"] {
        safe(&files.run(inputs));
    }
    tool(&files, "strip", "prog");
    safe(&files.run("prog"));
}

#[test]
fn compiled_and_linked_at_once() {
    let files = sources();
    built(&files, "cc -DGOAL=2 main.c queue.c globals.c -flto -Wl,--gc-sections -s -o prog");
    safe(&files.run("prog"));
    built(&files, "cc -DGOAL=3 main.c queue.c globals.c -o wrong");
    let done = files.run("wrong");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("assertion `c == GOAL` fails") && done.out.contains("main.c:10:3"), "{done:?}");
}

#[test]
fn a_shared_library_is_named_as_well() {
    let files = sources();
    built(&files, "cc -shared -fPIC queue.c globals.c -o libqueue.so");
    built(&files, "cc -DGOAL=2 main.c -L. -lqueue -o prog");
    safe(&files.run("prog libqueue.so"));
    // Without it nothing is known of what it defines.
    assert_eq!(files.run("prog").code, Some(3));
}

#[test]
fn of_archives_only_what_is_needed() {
    let files = sources();
    std::fs::write(files.path("other.c"), "int main(void) { return 1; }\nint other;\n").unwrap();
    built(&files, "cc -DGOAL=2 -c main.c queue.c globals.c other.c");
    tool(&files, "ar", "rcs lib.a other.o queue.o globals.o");
    safe(&files.run("main.o lib.a"));
}

#[test]
fn what_has_no_code_is_left_to_clang() {
    let files = sources();
    let text = files.run("cc -DGOAL=7 -E main.c");
    assert_eq!((text.code, text.out.contains("c == 7")), (Some(0), true), "{text:?}");
    assert!(files.run("cc --version").out.contains("clang version"));
    built(&files, "cc -c queue.c -o /dev/null");
    assert_eq!(files.run("cc -c missing.c").code, Some(1));
    std::fs::write(files.path("wrong.c"), "int f(void) { return x; }\n").unwrap();
    let done = files.run("cc -c wrong.c");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(done.err.matches("undeclared identifier").count(), 1, "{done:?}");
}

#[test]
fn what_the_build_forgives_is_no_error() {
    let files = Files::new(&[("a.c", "int main(void) { return later(); }\nint later(void) { return 0; }\n")]);
    assert_eq!(files.run("cc a.c -o prog").code, Some(1));
    built(&files, "cc -Werror -Wno-implicit-function-declaration a.c -o prog");
    assert_eq!(files.run("prog").code, Some(0));
}

#[test]
fn arguments_in_a_file() {
    let files = sources();
    std::fs::write(files.path("arguments"), "-DGOAL=2 'main.c' queue.c\nglobals.c -o \"a program\"").unwrap();
    built(&files, "cc @arguments");
    let mut command = files.command("");
    safe(&done(command.arg("a program").output().unwrap()));
}

#[test]
fn assembly_has_no_bitcode() {
    let files = sources();
    let assembly = ".globl add\nadd:\n ret\n.section .note.GNU-stack,\"\",@progbits\n";
    std::fs::write(files.path("add.s"), assembly).unwrap();
    let done = files.run("cc -DGOAL=0 main.c add.s globals.c -o prog");
    assert!(done.err.contains("add.s: no bitcode: it is assembly"), "{done:?}");
    let done = files.run("prog");
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.err.contains("has no bitcode of") && done.err.contains("add.s"), "{done:?}");
}

#[test]
fn files_without_bitcode_are_refused() {
    let files = sources();
    tool(&files, "clang-19", "-c queue.c -o native.o");
    tool(&files, "ar", "rcs native.a native.o");
    std::fs::write(files.path("broken.a"), "!<arch>\nthis is no header of a member").unwrap();
    std::fs::write(files.path("broken"), "\x7fELF but no more").unwrap();
    for (input, words) in [
        ("native.o", "verify cc"),
        ("native.a", "verify cc"),
        ("broken.a", "cannot be taken apart"),
        ("broken", "cannot be taken apart"),
    ] {
        let done = files.run(input);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(&format!("error: {input}")) && done.err.contains(words), "{done:?}");
    }
}

/// A database for the three files, in both of its forms.
fn database(files: &Files) {
    let directory = files.path("").display().to_string();
    let directory = directory.trim_end_matches('/');
    let text = format!(
        r#"[{{"directory": "{directory}", "file": "main.c", "command": "cc -DGOAL=\"(1 + 1)\" -O2 -c main.c -o m.o"}},
            {{"directory": "{directory}", "file": "queue.c", "arguments": ["cc", "-c", "queue.c"]}},
            {{"directory": "{directory}", "file": "queue.c", "arguments": ["cc", "-fPIC", "-c", "queue.c"]}},
            {{"directory": "{directory}", "file": "globals.c", "arguments": ["cc", "-c", "globals.c"]}}]"#
    );
    std::fs::create_dir(files.path("build")).unwrap();
    std::fs::write(files.path("build/compile_commands.json"), text.replace(r#"\"(1 + 1)\""#, r#"\"1+1\""#)).unwrap();
}

#[test]
fn a_compilation_database() {
    let files = sources();
    database(&files);
    safe(&files.run("--compdb build/compile_commands.json"));
    safe(&files.run("--compdb build/compile_commands.json --unit */queue.c --unit globals.c main.c -DGOAL=2"));
    let without = files.run("--compdb build/compile_commands.json --unit main.c --unit globals.c");
    assert_eq!(without.code, Some(3), "{without:?}");
    for (arguments, words) in [
        ("--compdb build/compile_commands.json --unit nothing.c", "no file that is asked for"),
        ("--compdb main.c", "no compilation database"),
        ("--compdb missing.json", "cannot be read"),
        ("--unit main.c main.c", "--compdb"),
    ] {
        let done = files.run(arguments);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(words), "{done:?}");
    }
}

#[test]
fn another_start_than_main() {
    let files = sources();
    let harness = "#include <assert.h>
void *add(void *p);
extern int c;
void once(void) { add(0); assert(c == 1); }
int counted(int n, char **names) { assert(n == 3 && names[2][0] == 'y' && !names[3]); return 0; }
int impossible(double x) { return x > 1; }
";
    std::fs::write(files.path("harness.c"), harness).unwrap();
    for arguments in ["--entry once", "--entry counted"] {
        let done = files.run(&format!("harness.c queue.c globals.c {arguments} -- x y"));
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    for (entry, words) in [("impossible", "takes parameters other than"), ("nothing", "no input defines `nothing`")] {
        let done = files.run(&format!("harness.c --entry {entry}"));
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(words), "{done:?}");
    }
    // An archive gives what the start needs, and the start itself.
    built(&files, "cc -c harness.c queue.c globals.c");
    tool(&files, "ar", "rcs lib.a queue.o harness.o globals.o");
    assert_eq!(files.run("lib.a --entry once").code, Some(0));
}

#[test]
fn variables_of_the_environment() {
    let program = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  assert(!getenv(\"MISSING\"));
  assert(getenv(\"A\") && !strcmp(getenv(\"A\"), \"1=2\"));
  assert(getenv(\"B\") && !*getenv(\"B\"));
}
";
    let files = Files::new(&[("a.c", program)]);
    assert_eq!(files.run("a.c --env A=1=2 --env B=").code, Some(0));
    assert_eq!(files.run("a.c --env A=1=2").code, Some(1));
    assert_eq!(files.run("a.c --env A").code, Some(2));
}
