//! Corrupt files: each is an error of one line, and never ends the process that asked for it.
//!
//! This executable is its own reader, as the `verify` binary is: hence no harness of the standard library.
#[path = "../../testsuite/harness/named.rs"]
mod named;
#[path = "support/project.rs"]
mod project;

use frontend::{Error, Options, Reader};
use libtest_mimic::{Failed, Trial};
use project::{Project, defined};
use random::Random;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = frontend::load::child_main(std::env::args_os()) {
        return code;
    }
    let trials = vec![
        Trial::test("intact_files", intact_files),
        Trial::test("truncated_anywhere", truncated_anywhere),
        Trial::test("flipped_bits", flipped_bits),
        Trial::test("textual_ir_that_ends_llvm", textual_ir_that_ends_llvm),
        Trial::test("debug_information_of_another_kind", debug_information_of_another_kind),
        Trial::test("rejections_keep_their_kind", rejections_keep_their_kind),
        Trial::test("the_first_bad_file_is_named", the_first_bad_file_is_named),
        Trial::test("a_reader_that_crashes", a_reader_that_crashes),
        Trial::test("a_reader_that_does_not_read", a_reader_that_does_not_read),
    ];
    named::run(trials)
}

const SOURCE: &str = "#include <stdio.h>\n#include <stdatomic.h>\nstruct pair { char a; long b[3]; } pairs[4] = {{1, {2, 3}}};\n\
    static _Atomic int turn;\nstatic int step(struct pair *p, int n) {\n  switch (n) { case 1: return p->a; case 7: turn++; break; default: break; }\n\
    for (int i = 0; i < n; i++) p[i % 4].b[i % 3] += i;\n  return turn;\n}\n\
    int main(void) { int (*f)(struct pair *, int) = step; printf(\"%d %f\\n\", f(pairs, 9), 2.5); return 0; }\n";

fn isolated() -> Options {
    Options {
        reader: Reader::Isolated { executable: std::env::current_exe().expect("is known") },
        ..Options::default()
    }
}

fn bitcode(project: &Project, flags: &[&str]) -> Vec<u8> {
    let flags: Vec<&str> = ["-emit-llvm"].iter().chain(flags).copied().collect();
    std::fs::read(project.clang(&flags, "intact.c", SOURCE, "intact.bc")).expect("was written")
}

/// The error that loading gives, after checking that it is one line and names the file.
fn rejected(project: &Project, input: &PathBuf) -> Result<Error, Failed> {
    let Err(error) = project.load_with(&[input], &isolated()) else { return Err("was accepted".into()) };
    let text = error.to_string();
    let name = input.file_name().expect("has a name").to_string_lossy();
    if text.lines().count() != 1 || !text.contains(&*name) {
        return Err(format!("not one line that names {name}: {text}").into());
    }
    Ok(error)
}

fn intact_files() -> Result<(), Failed> {
    let project = Project::new();
    let files = [
        project.clang(&["-emit-llvm", "-g"], "a.c", SOURCE, "a.bc"),
        project.clang(&["-flto", "-O2"], "a.c", SOURCE, "a.o"),
        project.clang(&["-emit-llvm", "-S", "-g"], "a.c", SOURCE, "a.ll"),
    ];
    for file in &files {
        let program = project.load_with(&[file], &isolated())?;
        assert!(defined(&program).contains(&"main"), "{}", file.display());
    }
    Ok(())
}

fn truncated_anywhere() -> Result<(), Failed> {
    let project = Project::new();
    for flags in [&["-O0", "-g"][..], &["-O2"]] {
        let intact = bitcode(&project, flags);
        for place in 0..50 {
            // Bitcode is made of words of four bytes; cut between them, and within them as well.
            let length = intact.len() * (place + 1) / 51;
            let input = project.bytes("cut.bc", &intact[..length]);
            let error = rejected(&project, &input).map_err(|failed| with(failed, format!("cut at {length}")))?;
            let fits = matches!(error, Error::Malformed { .. } | Error::NotBitcode { .. } | Error::Corrupt { .. });
            assert!(fits, "cut at {length}: {error}");
        }
    }
    Ok(())
}

/// Most flips are noticed, some leave a program that is different but valid, a few make LLVM crash.
fn flipped_bits() -> Result<(), Failed> {
    let project = Project::new();
    let intact = bitcode(&project, &["-O1", "-g"]);
    let (mut refused, mut crashed) = (0, 0);
    for seed in 0..100u64 {
        let mut bytes = intact.clone();
        let mut random = Random(seed);
        for _ in 0..3 {
            // The magic number stays: another one is no bitcode at all.
            let at = 4 + random.below(bytes.len() as u64 - 4) as usize;
            bytes[at] ^= 1 << random.below(8);
        }
        let input = project.bytes("flipped.bc", &bytes);
        let Err(error) = project.load_with(&[&input], &isolated()) else { continue };
        assert_eq!(error.to_string().lines().count(), 1, "seed {seed}: {error}");
        refused += 1;
        crashed += u32::from(matches!(error, Error::Corrupt { .. }));
    }
    assert!(refused >= 50, "only {refused} of 100 refused: are the bits flipped?");
    assert!(crashed >= 1, "none made LLVM crash: isolation was not tested");
    Ok(())
}

/// LLVM's reader of text ends the process when a module with debug information breaks the rules.
fn textual_ir_that_ends_llvm() -> Result<(), Failed> {
    let project = Project::new();
    let text = "define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n\
                !llvm.module.flags = !{!0}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
    let error = rejected(&project, &project.file("a.ll", text))?;
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    assert!(error.to_string().contains("does not dominate"), "{error}");
    Ok(())
}

/// LLVM's verifier lets pass that a declaration has a location where its DISubprogram should be.
fn debug_information_of_another_kind() -> Result<(), Failed> {
    let project = Project::new();
    let file = project.clang(&["-emit-llvm", "-S", "-g"], "a.c", SOURCE, "a.ll");
    let text = std::fs::read_to_string(&file)?;
    let location = text.lines().find(|line| line.contains(" = !DILocation(")).expect("there are locations");
    let (location, _) = location.split_once(' ').expect("it has a number");
    let broken: Vec<String> = text
        .lines()
        .map(|line| match line.split_once("@printf(ptr noundef, ...)") {
            Some((declare, rest)) if declare.starts_with("declare") => {
                format!("declare !dbg {location} i32 @printf(ptr noundef, ...){rest}")
            }
            _ => line.to_owned(),
        })
        .collect();
    assert_ne!(broken.join("\n") + "\n", text, "printf is declared");
    let file = project.bytes("broken.ll", broken.join("\n").as_bytes());
    let program = project.load_with(&[&file], &isolated())?;
    assert!(defined(&program).contains(&"main"));
    Ok(())
}

fn rejections_keep_their_kind() -> Result<(), Failed> {
    let project = Project::new();
    let error = rejected(&project, &project.file("a.ll", "define i32 @main() {\n  nonsense\n}\n"))?;
    assert!(matches!(error, Error::Syntax { .. }), "{error}");
    assert!(error.to_string().contains("line 2, column 3"), "{error}");

    let dominance = "define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
    let error = rejected(&project, &project.file("b.ll", dominance))?;
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    Ok(())
}

fn the_first_bad_file_is_named() -> Result<(), Failed> {
    let project = Project::new();
    let good = project.bytes("good.bc", &bitcode(&project, &[]));
    let bad = project.file("bad.ll", "nonsense\n");
    let worse = project.file("worse.ll", "more nonsense\n");
    let error = project.load_with(&[&good, &bad, &worse], &isolated()).expect_err("bad is bad");
    assert!(error.to_string().contains("bad.ll"), "{error}");
    Ok(())
}

fn a_reader_that_crashes() -> Result<(), Failed> {
    let project = Project::new();
    let good = project.bytes("good.bc", &bitcode(&project, &[]));
    for (executable, word) in [("crashes", "signal: 11"), ("gives-up", "out of luck")] {
        let options = Options { reader: reader(executable), ..Options::default() };
        let error = project.load_with(&[&good], &options).expect_err("its reader crashes");
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
    Ok(())
}

fn a_reader_that_does_not_read() -> Result<(), Failed> {
    let project = Project::new();
    let good = project.bytes("good.bc", &bitcode(&project, &[]));
    for executable in ["does-nothing", "is-not-there"] {
        let options = Options { reader: reader(executable), ..Options::default() };
        let error = project.load_with(&[&good], &options).expect_err("nobody reads it");
        assert!(matches!(error, Error::System { .. }), "{error}");
    }
    Ok(())
}

fn reader(script: &str) -> Reader {
    Reader::Isolated { executable: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/readers").join(script) }
}

fn with(failed: Failed, place: String) -> Failed {
    format!("{place}: {}", failed.message().unwrap_or("failed")).into()
}
