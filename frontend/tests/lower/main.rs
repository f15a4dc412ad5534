//! Lowering of small programs: what code comes out, and that nothing clang emits for C is left out.
mod coverage;
mod snapshots;

use frontend::ir::{self, DataModel};
use frontend::{Options, load};
use std::path::PathBuf;

/// How a program is compiled.
struct How<'a> {
    model: DataModel,
    flags: &'a [&'a str],
}

/// Loads a program of `inputs/`, and checks the result.
fn lower(input: &str, how: &How<'_>) -> ir::Module {
    let path = PathBuf::from("tests/lower/inputs").join(input);
    let options = Options {
        model: Some(how.model),
        cflags: how.flags.iter().map(|flag| flag.to_string()).collect(),
        ..Options::default()
    };
    let program = load(&[path], &options).unwrap_or_else(|error| panic!("{input}: {error}"));
    if let Err(faults) = ir::check(&program.module) {
        panic!("{input} {:?}: {}", how.flags, faults.join("\n"));
    }
    program.module
}
