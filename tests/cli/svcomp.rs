//! `verify svcomp`: one question, its answer, its mistakes, its limits.
use crate::run::{Done, ENDLESS, Files, LOCKED, RACE};
use crate::signals::interrupted;

/// The property files of the tests.
const PROPERTIES: &[(&str, &str)] = &[
    ("call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ("other.prp", "CHECK( init(main()), LTL(G ! call(other())) )\n"),
    ("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n"),
    ("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n"),
    ("deref.prp", "CHECK( init(main()), LTL(G valid-deref) )\n"),
    ("free.prp", "CHECK( init(main()), LTL(G valid-free) )\n\nCHECK( init(main()), LTL(G valid-deref) )\n"),
    ("ends.prp", "CHECK( init(main()), LTL(F end) )\n"),
    ("wrong.prp", "CHECK( init(main()), LTL(G ! boredom) )\n"),
];

fn files(program: &str) -> Files {
    let mut all = PROPERTIES.to_vec();
    all.push(("a.c", program));
    Files::new(&all)
}

/// The last line of the output.
fn result(done: &Done) -> &str {
    done.out.lines().last().unwrap_or_default()
}

#[track_caller]
fn check(program: &str, options: &str, code: i32, answer: &str) {
    let done = files(program).run(&format!("svcomp --no-witness {options} a.c"));
    assert_eq!(result(&done), format!("SV-COMP result: {answer}"), "{done:?}");
    assert_eq!(done.code, Some(code), "{done:?}");
    assert_eq!(done.err, "", "{done:?}");
    assert!(done.out.lines().count() >= 2, "a reason comes first: {done:?}");
}

#[test]
fn one_property_each() {
    check(RACE, "--property race.prp", 1, "false(no-data-race)");
    check(LOCKED, "--property race.prp", 0, "true");
    // Races were not asked for.
    check(RACE, "--property call.prp", 0, "true");
    check(RACE, "--property ends.prp", 3, "unknown");
    let overflow = "int main(void) { int x = 2147483647; return x + 1 == 0; }";
    check(overflow, "--property overflow.prp", 1, "false(no-overflow)");
    check(overflow, "--property call.prp", 0, "true");
    let null = "int main(void) { int *p = 0; return *p; }";
    check(null, "--property deref.prp", 1, "false(valid-deref)");
    // Undefined behaviour that was not asked for: what comes after it is not known.
    check(null, "--property call.prp", 3, "unknown");
    let twice = "#include <stdlib.h>\nint main(void) { void *p = malloc(1); free(p); free(p); }";
    check(twice, "--property free.prp", 1, "false(valid-free)");
    // There is a violation, but not of this property.
    check(twice, "--property deref.prp", 3, "unknown");
}

/// What was never written is any value: a proof looks at all of them, and a violation that rests on one is not said to
/// be one.
#[test]
fn what_was_never_written() {
    let program = |wrong: &str| {
        format!(
            "void reach_error(void) {{}}\nint main(void) {{ int x, y; unsigned a[4]; y = x > 5 ? 1 : 2;\n\
             if (x > 7 && a[1] * 2u % 4 == 1) y = 3;\nif (x > 3) y++;\nif ({wrong}) reach_error(); }}"
        )
    };
    for model in ["ILP32", "LP64"] {
        let options = format!("--property call.prp --data-model {model}");
        check(&program("y < 2 || y > 3 && a[2] % 2 * 2 == 1"), &options, 0, "true");
        check(&program("y == 3"), &options, 3, "unknown");
        // (Before anything depends on it, or beside it.)
        check(
            "void reach_error(void) {}\nint main(void) { int x, z = 4; x = z; reach_error(); }",
            &options,
            1,
            "false(unreach-call)",
        );
    }
    let pointer = "int main(void) { int *p; *p = 3; }";
    check(pointer, "--property deref.prp", 3, "unknown");
}

/// The blocks have one address, unless stale pointers are looked for.
#[test]
fn addresses_that_are_used_again() {
    let program = |last: &str| {
        format!(
            "#include <stdlib.h>\nint main(void) {{ int *p, *first = malloc(4); free(first);\n\
             for (int i = 0; i < 9; i++) {{ p = malloc(4); *p = i; {last} }} }}"
        )
    };
    check(&program("free(p);"), "--property deref.prp", 0, "true");
    check(&program("*first = 1; free(p);"), "--property deref.prp", 1, "false(valid-deref)");
    check(&program("free(p);"), "--property race.prp", 0, "true");
}

#[test]
fn the_function_is_named_by_the_property() {
    let program = "#include <assert.h>\nvoid reach_error(void) {}\nvoid other(void) {}\n\
                   int main(int n, char **a) { reach_error(); assert(0); other(); }";
    check(program, "--property call.prp", 1, "false(unreach-call)");
    check(program, "--property other.prp", 0, "true");
    let declared = "void other(void);\nint main(void) { void (*f)(void) = other; f(); }";
    check(declared, "--property other.prp", 1, "false(unreach-call)");
    let inlined = "static inline __attribute__((always_inline)) void other(void) {}\nint main(void) { other(); }";
    check(inlined, "--property other.prp", 1, "false(unreach-call)");
}

#[test]
fn data_models() {
    let program = "void reach_error(void) {}\nint main(void) { if (sizeof(long) == 4) reach_error(); }";
    check(program, "--property call.prp --data-model ILP32", 1, "false(unreach-call)");
    check(program, "--property call.prp --data-model LP64", 0, "true");
    check(program, "--property call.prp", 0, "true");
}

#[test]
fn choices_of_integers() {
    let program = |bad: &str| {
        format!(
            "void reach_error(void) {{}}\nint __VERIFIER_nondet_int(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n\
             int main(void) {{ if ({bad}) reach_error(); }}"
        )
    };
    check(&program("__VERIFIER_nondet_int() == 2"), "--property call.prp", 1, "false(unreach-call)");
    check(&program("__VERIFIER_nondet_int() == -123456"), "--property call.prp", 1, "false(unreach-call)");
    check(&program("__VERIFIER_nondet_uchar() == 256"), "--property call.prp", 0, "true");
    check(&program("__VERIFIER_nondet_int() == 3"), "--property call.prp --nondet 3", 3, "unknown");
    check(&program("__VERIFIER_nondet_int() == 3"), "--property call.prp --nondet 4", 1, "false(unreach-call)");
    check(&program("__VERIFIER_nondet_uchar() == 256"), "--property call.prp --nondet 3", 3, "unknown");
    check(&program("__VERIFIER_nondet_uchar() == 256"), "--property call.prp --nondet 256", 0, "true");
}

/// Standard input may be anything, and may end anywhere.
#[test]
fn what_scanf_reads() {
    let program = |before: &str, bad: &str| {
        format!(
            "#include <stdio.h>\nvoid reach_error(void) {{}}\n\
             int main(void) {{ int x = 7, n; char c = 'c'; unsigned char b = 1; {before} if ({bad}) reach_error(); }}"
        )
    };
    for model in ["ILP32", "LP64"] {
        let options = format!("--property call.prp --data-model {model}");
        let wrong = [
            ("n = scanf(\"%d\", &x);", "x == -123456 && n == 1"),
            ("n = scanf(\"%d\", &x);", "x == 7 && n == EOF"),
            ("n = scanf(\"%*d,%d%c\", &x, &c);", "n == 1 && x == 3 && c == 'c'"),
            ("n = scanf(\"%hhu %c\", &b, &c);", "n == 2 && b == 200 && c == 'x'"),
        ];
        for (before, bad) in wrong {
            check(&program(before, bad), &options, 1, "false(unreach-call)");
        }
        let right = [
            ("n = scanf(\"%d\", &x);", "x != 7 && n != 1 || n > 1 || n < EOF"),
            ("n = scanf(\"%hhu\", &b);", "b > 255 || x != 7"),
            ("n = scanf(\"a%d %d\", &x, &x);", "n > 2 || n == 0 && x != 7"),
        ];
        for (before, bad) in right {
            check(&program(before, bad), &options, 0, "true");
        }
        check(&program("float f; n = scanf(\"%f\", &f);", "f > 1"), &options, 3, "unknown");
    }
}

/// What older C allows, and calls of what is declared nowhere.
#[test]
fn programs_that_compilers_grumble_at() {
    let program =
        "void reach_error() {}\nf(x) { return x; }\nint main() { char *p = 3; if (f(1)) reach_error(); g(p); }";
    check(program, "--property call.prp", 1, "false(unreach-call)");
    let done = files("int main(void) { return x; }").run("svcomp --property call.prp a.c");
    assert_eq!((done.code, result(&done)), (Some(3), "SV-COMP result: unknown"), "{done:?}");
    assert!(done.out.contains("a.c:1:25: error"), "{done:?}");
}

#[test]
fn mistakes() {
    let files = files(RACE);
    for (arguments, words) in [
        ("", &["required", "not provided"][..]),
        ("a.c", &["no property"]),
        ("--property missing.prp a.c", &["missing.prp", "cannot be read"]),
        ("--property wrong.prp a.c", &["wrong.prp", "G ! boredom", "no property that is known"]),
        ("--property race.prp b.c", &["b.c", "no such file"]),
        ("--property race.prp --data-model LLP64 a.c", &["LLP64"]),
        ("--property race.prp --nondet 0 a.c", &["--nondet"]),
        ("--property race.prp --jobs 0 a.c", &["--jobs"]),
        ("--property race.prp --no-witness --witness-dir w a.c", &["--no-witness"]),
        ("a.c t.yml", &["task definitions and program files together"]),
        ("t.yml", &["t.yml", "cannot be read"]),
        ("--property race.prp .", &["nothing to check"]),
    ] {
        let done = files.run(&format!("svcomp {arguments}"));
        assert_eq!(done.code, Some(2), "{arguments}: {done:?}");
        assert_eq!(done.out, "", "{done:?}");
        let line = done.err.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        for word in words {
            assert!(line.contains(word), "`{word}` in {line}");
        }
    }
}

#[test]
fn limits() {
    for (limit, reason) in [
        ("--time-limit 1s", "time limit of 1s reached"),
        ("--cpu-limit 1s", "limit of 1s of processor time reached"),
        ("--memory-limit 1M", "memory limit of 1 MB reached"),
    ] {
        let done = files(ENDLESS).run(&format!("svcomp --property race.prp {limit} a.c"));
        assert_eq!((done.code, result(&done)), (Some(3), "SV-COMP result: unknown"), "{done:?}");
        assert!(done.out.starts_with(reason), "{done:?}");
    }
}

#[test]
fn a_signal_is_answered() {
    let files = files(ENDLESS);
    let done = interrupted(files.command("svcomp --property race.prp a.c"), "TERM");
    assert_eq!(done.out, "interrupted\nSV-COMP result: unknown\n");
    assert_eq!(done.code, Some(3));
}

#[test]
fn a_table_is_printed_after_a_signal() {
    let definition = "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: race.prp}]\n";
    let files = files(ENDLESS);
    std::fs::write(files.path("t.yml"), definition).unwrap();
    let done = interrupted(files.command("svcomp --results r.jsonl t.yml"), "INT");
    assert!(done.out.contains("not run"), "{done:?}");
    // It will be asked again.
    assert_eq!(std::fs::read_to_string(files.path("r.jsonl")).unwrap(), "");
}
