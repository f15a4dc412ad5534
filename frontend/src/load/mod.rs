//! From files to one linked module of LLVM's, and on to our own code.
//!
//! C sources are compiled by clang, compiled inputs are read as they are, everything is linked by LLVM's linker, and
//! `pass` and [`crate::lower`] do the rest. Foreign bitcode is untrusted: [`Reader`].
mod child;
mod clang;
mod input;
mod library;
mod link;
mod llvm;
mod markers;
mod options;
mod producer;
mod read;

pub use child::child_main;
pub use library::LibraryUnit;
pub use options::{Options, Reader};

use crate::Error;
use crate::{ir, lower, pass};
use inkwell::context::Context;
use input::Kind;
use std::path::{Path, PathBuf};

/// The version of LLVM that the frontend is written for: its C API and its IR change with every major version.
pub const LLVM_MAJOR: u32 = 19;

/// A program that was loaded.
#[derive(Debug)]
pub struct Program {
    /// Its code, complete and linked.
    pub module: ir::Module,
    /// What clang and LLVM warned of, and what weakens the answer: one entry each, in the order of the inputs.
    pub warnings: Vec<String>,
}

/// Loads the program made of all `inputs`: `.c`, `.i`, `.ll`, `.bc`, and `.o` that hold bitcode.
pub fn load(inputs: &[PathBuf], options: &Options) -> Result<Program, Error> {
    if producer::major(&llvm_version()) != Some(LLVM_MAJOR) {
        return Err(Error::WrongLlvm { found: llvm_version() });
    }
    if inputs.is_empty() {
        return Err(Error::NoInput);
    }
    let scratch = tempfile::Builder::new().prefix("verify-").tempdir();
    let scratch =
        scratch.map_err(|source| Error::System { what: "cannot make a temporary directory".into(), source })?;
    let mut warnings = Vec::new();
    let units = units(inputs, options, scratch.path(), &mut warnings)?;

    let context = Context::create();
    let module = link::link(&context, &units, options, &mut warnings)?;
    let optimised = pass::run(&module)?;
    if optimised > 0 {
        warnings.push(format!(
            "signed overflow is not checked in {optimised} optimised function{}; compile with -O0 to have it checked",
            if optimised == 1 { "" } else { "s" }
        ));
    }
    llvm::use_debug_calls(&module);
    let module = lower::lower(&module)?;
    Ok(Program { module, warnings })
}

/// The version of the LLVM in this process.
fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// A file to link.
struct Unit {
    /// The input as the user knows it.
    input: PathBuf,
    /// What to read: the input itself, or bitcode that was made from it.
    file: PathBuf,
    /// `file` is textual IR.
    textual: bool,
}

/// Compiles the sources, and has foreign files read by a child if that is asked for.
fn units(
    inputs: &[PathBuf],
    options: &Options,
    scratch: &Path,
    warnings: &mut Vec<String>,
) -> Result<Vec<Unit>, Error> {
    let kinds = inputs.iter().map(|input| input::inspect(input)).collect::<Result<Vec<_>, _>>()?;
    let compiler =
        if kinds.contains(&Kind::Source) { Some(clang::Clang::find(options.clang.as_deref())?) } else { None };
    let mut units = Vec::new();
    let mut foreign = Vec::new();
    for (index, (input, kind)) in inputs.iter().zip(kinds).enumerate() {
        let bitcode = scratch.join(format!("{index}.bc"));
        let textual = kind == Kind::Text;
        let file = match (kind, &compiler, &options.reader) {
            (Kind::Source, Some(compiler), _) => {
                warnings.extend(compiler.compile(input, &bitcode, options)?);
                bitcode
            }
            (_, _, Reader::InProcess) => input.clone(),
            (_, _, Reader::Isolated { .. }) => {
                foreign.push(child::Job { from: input.clone(), to: bitcode.clone(), textual });
                bitcode
            }
        };
        units.push(Unit { textual: textual && file == *input, input: input.clone(), file });
    }
    if let (Reader::Isolated { executable }, false) = (&options.reader, foreign.is_empty()) {
        child::run(executable, &foreign, scratch)?;
    }
    let level = clang::level(options);
    if compiler.is_some() && level != "0" {
        warnings.push(format!(
            "-O{level}: clang may have removed, merged or moved plain accesses of shared memory, such as the load in a plain \
             spin loop; the answer holds for what it left. Use -O0 to check the source as written"
        ));
    }
    Ok(units)
}
