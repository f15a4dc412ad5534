//! From files to one linked module of LLVM's, and on to our own code.
//!
//! C sources are compiled by clang, compiled inputs are read as they are, everything is linked by LLVM's linker, and
//! `pass` and [`crate::lower`] do the rest. Foreign bitcode is untrusted: [`Reader`].
mod cache;
mod child;
mod clang;
mod gnu;
mod input;
mod library;
mod link;
mod llvm;
mod markers;
mod native;
mod options;
mod producer;
mod read;
mod standard;
mod start;

pub use cache::Cache;
pub use child::child_main;
pub use clang::native_command;
pub(crate) use clang::{Clang, level};
pub use library::LibraryUnit;
pub(crate) use library::MARK as LIBRARY;
pub use options::{CompileCommand, Options, Reader, Stub, Volatile};

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

/// Loads the program made of all `inputs`: `.c`, `.i`, `.ll`, `.bc`, `.o` that hold bitcode, what [`crate::cc`] made;
/// and of the files of a build that the options name.
pub fn load(inputs: &[PathBuf], options: &Options) -> Result<Program, Error> {
    if producer::major(&llvm_version()) != Some(LLVM_MAJOR) {
        return Err(Error::WrongLlvm { found: llvm_version() });
    }
    if inputs.is_empty() && options.commands.is_empty() {
        return Err(Error::NoInput);
    }
    let place = cache::Place::of(inputs, options);
    if let Some(program) = place.as_ref().and_then(cache::Place::get) {
        return Ok(program);
    }
    let program = load_anew(inputs, options)?;
    if let Some(place) = place {
        place.put(&program);
    }
    Ok(program)
}

/// Loads a program from its inputs.
fn load_anew(inputs: &[PathBuf], options: &Options) -> Result<Program, Error> {
    let scratch = tempfile::Builder::new().prefix("verify-").tempdir();
    let scratch =
        scratch.map_err(|source| Error::System { what: "cannot make a temporary directory".into(), source })?;
    let mut warnings = Vec::new();
    let units = units(inputs, options, scratch.path(), &mut warnings)?;

    let stubs = stubs(options, scratch.path(), &mut warnings)?;

    let context = Context::create();
    let module = link::link(&context, &units, &stubs, options, &mut warnings)?;
    let optimised = pass::run(&module, options.unwritten_in_memory)?;
    if optimised > 0 {
        warnings.push(format!(
            "signed overflow is not checked in {optimised} optimised function{}; compile with -O0 to have it checked",
            if optimised == 1 { "" } else { "s" }
        ));
    }
    llvm::use_debug_calls(&module);
    let mut module = lower::lower(&module, options.volatile)?;
    module.release_sequences = standard::common(units.iter().map(|unit| unit.release_sequences));
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
    /// Whether `file` is textual IR.
    textual: bool,
    /// The origin of the code that is to be read.
    maker: Maker,
    /// Whether no pass of LLVM has changed the code.
    untouched: bool,
    /// What a release sequence is in its language.
    release_sequences: ir::ReleaseSequences,
    /// The member of an archive that it belongs to: taken only if something in it is needed.
    member: Option<usize>,
}

/// The origin of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Maker {
    /// Our own clang, just now.
    Ourselves,
    /// Another compiler, or an unknown one.
    Foreign,
}

/// Compiles the sources, and has foreign files read by a child if that is asked for.
fn units(
    inputs: &[PathBuf],
    options: &Options,
    scratch: &Path,
    warnings: &mut Vec<String>,
) -> Result<Vec<Unit>, Error> {
    let kinds = inputs.iter().map(|input| input::inspect(input)).collect::<Result<Vec<_>, _>>()?;
    let compiles = kinds.contains(&Kind::Source) || !options.commands.is_empty();
    let compiler = compiles.then(|| Clang::find(options.clang.as_deref())).transpose()?;
    let mut units = Vec::new();
    for (input, kind) in inputs.iter().zip(kinds) {
        let bitcode = scratch.join(format!("{}.bc", units.len()));
        let unit = Unit {
            input: input.clone(),
            file: input.clone(),
            textual: kind == Kind::Text,
            maker: Maker::Foreign,
            untouched: false,
            release_sequences: ir::ReleaseSequences::default(),
            member: None,
        };
        match (kind, &compiler) {
            (Kind::Source, Some(compiler)) => {
                warnings.extend(compiler.compile(input, &bitcode, options)?);
                let untouched = clang::level(options.optimise.as_deref(), &options.cflags) == "0";
                let given = options.standard.iter().map(|standard| format!("-std={standard}"));
                let given: Vec<String> = given.chain(options.cflags.iter().cloned()).collect();
                let release_sequences = standard::release_sequences(&given);
                units.push(Unit { file: bitcode, maker: Maker::Ourselves, untouched, release_sequences, ..unit });
            }
            (Kind::Native | Kind::Archive, _) => native::take_apart(input, kind, &mut units, scratch, warnings)?,
            _ => units.push(unit),
        }
    }
    for (built, compiler) in options.commands.iter().zip(compiler.iter().cycle()) {
        let file = scratch.join(format!("{}.bc", units.len()));
        compiler.compile_as(built, &file, options)?;
        let untouched = clang::level(None, &options.cflags) == "0";
        let input = built.directory.join(&built.file);
        let release_sequences = standard::release_sequences(built.arguments.iter().chain(&options.cflags));
        let maker = Maker::Ourselves;
        units.push(Unit { input, file, textual: false, maker, untouched, release_sequences, member: None });
    }
    if let Reader::Isolated { executable } = &options.reader {
        read_elsewhere(executable, &mut units, scratch)?;
    }
    let level = clang::level(options.optimise.as_deref(), &options.cflags);
    if compiler.is_some() && level != "0" {
        warnings.push(format!(
            "-O{level}: clang may have removed, merged or moved plain accesses of shared memory, such as the load in a plain \
             spin loop; the answer holds for what it left. Use -O0 to check the source as written"
        ));
    }
    Ok(units)
}

/// Compiles the stubs.
fn stubs(options: &Options, scratch: &Path, warnings: &mut Vec<String>) -> Result<Vec<Unit>, Error> {
    let mut units = Vec::new();
    for (number, stub) in options.stubs.iter().enumerate() {
        let compiler = Clang::find(options.clang.as_deref())?;
        let input = match stub {
            Stub::File(path) => path.clone(),
            Stub::Own { name, text } => {
                let path = scratch.join(format!("{name}.c"));
                let written = std::fs::write(&path, text);
                written.map_err(|source| Error::System { what: format!("cannot write {}", path.display()), source })?;
                path
            }
        };
        let file = scratch.join(format!("stub-{number}.bc"));
        warnings.extend(compiler.compile(&input, &file, options)?);
        let untouched = clang::level(options.optimise.as_deref(), &options.cflags) == "0";
        let release_sequences = standard::release_sequences(&options.cflags);
        let maker = Maker::Ourselves;
        units.push(Unit { input, file, textual: false, maker, untouched, release_sequences, member: None });
    }
    Ok(units)
}

/// Has a child process read foreign files, and takes the bitcode that the child writes instead.
fn read_elsewhere(executable: &Path, units: &mut [Unit], scratch: &Path) -> Result<(), Error> {
    let mut jobs = Vec::new();
    for (index, unit) in units.iter_mut().enumerate().filter(|(_, unit)| unit.maker == Maker::Foreign) {
        let to = scratch.join(format!("{index}.read.bc"));
        let from = std::mem::replace(&mut unit.file, to.clone());
        jobs.push(child::Job { name: unit.input.clone(), from, to, textual: std::mem::take(&mut unit.textual) });
    }
    if jobs.is_empty() { Ok(()) } else { child::run(executable, &jobs, scratch) }
}
