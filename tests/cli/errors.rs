//! Mistakes: one line that says what is wrong, exit code 2, and never a panic.
use crate::run::{Done, Files, RACE};

#[track_caller]
fn refused(done: &Done, words: &[&str]) {
    assert_eq!(done.code, Some(2), "{done:?}");
    assert_eq!(done.out, "", "{done:?}");
    assert!(done.err.starts_with("error: "), "{done:?}");
    assert!(!done.err.contains("panicked"), "{done:?}");
    let line = done.err.lines().next().unwrap_or_default();
    for word in words {
        assert!(line.contains(word), "`{word}` in {line}");
    }
}

#[test]
fn usage() {
    let files = Files::new(&[("a.c", RACE)]);
    for (arguments, words) in [
        ("", &["required", "not provided"][..]),
        ("--nonsense a.c", &["--nonsense"]),
        ("a.c --engine fast", &["fast"]),
        ("a.c --engine optimal --checkpoint c", &["--checkpoint", "`unfolding` only"]),
        ("a.c --debug-states --checkpoint c", &["--checkpoint", "without --debug-states"]),
        ("a.c --engine observers --format unfolding", &["no unfolding"]),
        ("a.c --cutoffs sometimes", &["--cutoffs"]),
        ("a.c --cutoff-order length", &["--cutoff-order"]),
        ("a.c --check nothing", &["nothing"]),
        ("a.c --uninitialised never", &["--uninitialised"]),
        ("a.c --uninitialised zero --check uninitialised,memory", &["--check uninitialised", "--uninitialised"]),
        ("a.c --alternatives 0", &["--alternatives"]),
        ("a.c --time-limit soon", &["--time-limit", "30s"]),
        ("a.c --memory-limit much", &["--memory-limit", "200M"]),
        ("a.c -m32 -m64", &["--m32", "--m64"]),
    ] {
        refused(&files.run(arguments), words);
    }
}

#[test]
fn inputs() {
    let files = Files::new(&[
        ("a.c", RACE),
        ("empty.c", ""),
        ("text.bc", "this is no bitcode, however long it may be\n"),
        ("nomain.c", "int f(void) { return 1; }"),
        ("wrong.c", "int main(void) { return x; }"),
        ("picture.png", "x"),
    ]);
    std::fs::create_dir(files.path("directory.c")).unwrap();
    for (arguments, words) in [
        ("missing.c", &["missing.c", "no such file"][..]),
        ("directory.c", &["directory.c", "directory"]),
        ("empty.c", &["empty.c", "empty"]),
        ("text.bc", &["text.bc", "not LLVM bitcode"]),
        ("nomain.c", &["main"]),
        ("picture.png", &["picture.png", "unknown kind"]),
        ("a.c --clang no-such-clang", &["no-such-clang"]),
        ("a.c a.c", &["defined"]),
    ] {
        let done = files.run(arguments);
        refused(&done, words);
        assert_eq!(done.err.lines().count(), 1, "{done:?}");
    }
}

#[test]
fn clangs_own_words_are_passed_on() {
    let files = Files::new(&[("wrong.c", "int main(void) { return x; }\n")]);
    let done = files.run("wrong.c");
    refused(&done, &["wrong.c"]);
    assert!(done.err.contains("wrong.c:1:25: error: use of undeclared identifier 'x'"), "{done:?}");
}

#[test]
fn no_clang_at_all() {
    let files = Files::new(&[("a.c", RACE)]);
    let output = files.command("a.c").env("PATH", files.path("")).output().unwrap();
    refused(&crate::run::done(output), &["clang-19"]);
}

#[test]
fn bitcode_that_is_cut_off() {
    let files = Files::new(&[("a.c", RACE)]);
    let clang = std::process::Command::new("clang-19")
        .args(["-g", "-c", "-emit-llvm", "-o"])
        .args([files.path("a.bc"), files.path("a.c")])
        .status();
    assert!(clang.unwrap().success());
    let whole = std::fs::read(files.path("a.bc")).unwrap();
    assert_eq!(files.run("a.bc").code, Some(1));
    for part in 1..8 {
        std::fs::write(files.path("cut.bc"), &whole[..whole.len() * part / 8]).unwrap();
        let done = files.run("cut.bc");
        refused(&done, &["cut.bc"]);
        assert_eq!(done.err.lines().count(), 1, "{done:?}");
    }
}

#[test]
fn files_of_the_program_that_are_missing() {
    let files = Files::new(&[("a.c", RACE)]);
    for arguments in ["a.c --stdin no-such-file", "a.c --file name=no-such-file"] {
        refused(&files.run(arguments), &["no-such-file", "cannot be read"]);
    }
}
