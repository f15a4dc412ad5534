//! Runs every C program of `testsuite/` through the tool and compares with what its header says.
//!
//! One test per program and revision. A further argument selects by name, as usual: `cargo test --test testsuite
//! deadlock`. The header's keys are listed in `header.rs`.

mod check;
mod header;
mod header_tests;
mod named;
mod run;
mod session;
mod undefined_rows;

use header::Case;
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite");
    let mut programs = Vec::new();
    collect(&root, &mut programs);
    programs.sort();
    let mut trials: Vec<Trial> = Vec::new();
    for &(name, test) in header_tests::TESTS.iter().chain(undefined_rows::TESTS) {
        trials.push(Trial::test(format!("harness::{name}"), move || {
            test();
            Ok(())
        }));
    }
    for path in programs {
        trials.extend(program(&root, &path));
    }
    let done = named::run(trials);
    match session::Session::end_all() {
        Ok(()) => done,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}

/// Programs that are only measured (`scripts/bench`), those that come with task definitions (`tests/svcomp`), and what
/// other tests are made of.
const NO_TESTS: [&str; 4] = ["testsuite/bench", "testsuite/svcomp", "testsuite/native", "testsuite/sequential"];

/// All C files below a directory, but for those in [`NO_TESTS`].
fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the test suite is readable");
    for entry in entries {
        let path = entry.expect("the test suite is readable").path();
        if NO_TESTS.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            found.push(path);
        }
    }
}

/// The tests of one file. A broken header is a test that fails.
fn program(root: &Path, path: &Path) -> Vec<Trial> {
    let name = path.strip_prefix(root).expect("was found there").with_extension("").display().to_string();
    let text = std::fs::read_to_string(path).expect("the test suite is readable");
    match header::parse(path, &text) {
        Ok(cases) => cases.into_iter().map(|case| trial(&name, case)).collect(),
        Err(error) => vec![Trial::test(name, move || Err(Failed::from(error)))],
    }
}

fn trial(name: &str, case: Case) -> Trial {
    let name = match case.revision.as_str() {
        "" => name.to_string(),
        revision => format!("{name}@{revision}"),
    };
    Trial::test(name, move || check::check(&case).map_err(Failed::from))
}
