//! A compiler to build programs with (`verify cc`): native files as they were asked for, with bitcode inside.
//!
//! Clang does what the command says, so that checks of configuration and programs that the build runs work. Besides,
//! each source is compiled to bitcode as [`mod@crate::load`] would do it, without optimisation, and goes into a section
//! of the object (`embedded.rs`); or, where sources are compiled and linked by one command, into an object that is
//! linked as well. Files beside the objects would be lost where a build moves, archives or installs these.
pub(crate) mod arguments;

use crate::Error;
use crate::embedded::{Record, SECTION};
use crate::load::{self, Clang};
use arguments::{Invocation, Language, Product, Source};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The compiler that is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// `cc`.
    C,
    /// `c++`.
    Cxx,
}

/// Settings that are not on the command line, because that is the compiler's own.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The clang to use, a name or a path; by default the one that loading takes.
    pub clang: Option<String>,
    /// Further options for the bitcode, the last ones.
    pub cflags: Vec<String>,
}

/// Does what the arguments ask for, and returns how the native compiler ended. `warn` is called for each source that
/// has no bitcode.
pub fn run(
    driver: Driver,
    arguments: &[OsString],
    settings: &Settings,
    warn: impl Fn(&str),
) -> Result<ExitStatus, Error> {
    let clang = Clang::find(settings.clang.as_deref())?;
    let invocation = Invocation::new(&expanded(arguments), driver);
    let mut native = clang.command();
    native.args((driver == Driver::Cxx).then_some("--driver-mode=g++"));
    // With -flto objects would be bitcode that was optimised, and have no sections.
    native.args(arguments.iter().filter(|argument| !argument.to_string_lossy().starts_with("-flto")));
    let scratch = tempfile::Builder::new().prefix("verify-cc-").tempdir();
    let scratch =
        scratch.map_err(|source| Error::System { what: "cannot make a temporary directory".into(), source })?;
    let compile = |source: &Source| compile(&clang, source, &invocation, settings, scratch.path());

    let status = if invocation.product == Product::Linked && !invocation.sources.is_empty() {
        let made = invocation.sources.iter().map(&compile).collect::<Result<Vec<_>, _>>()?;
        let object = carrier(&clang, &invocation, &made, scratch.path())?;
        let status = finish(native.arg("-xnone").arg(object))?;
        warn_of(&made, status, &warn);
        status
    } else {
        finish(&mut native)?
    };
    if invocation.product == Product::Objects && status.success() {
        for source in &invocation.sources {
            let object = invocation.object(&source.path);
            // Checks of configuration compile to /dev/null.
            if object.is_file() {
                let made = compile(source)?;
                attach(&object, &made.record, scratch.path())?;
                warn_of(&[made], status, &warn);
            }
        }
    }
    Ok(status)
}

/// A source's record, and why there is no bitcode in it.
struct Made {
    record: Record,
    failure: Option<String>,
}

fn warn_of(made: &[Made], status: ExitStatus, warn: impl Fn(&str)) {
    for Made { record, failure } in made {
        if let (Some(reason), true) = (failure, status.success()) {
            warn(&format!("{}: no bitcode: {reason}", record.source.display()));
        }
    }
}

fn compile(
    clang: &Clang,
    source: &Source,
    invocation: &Invocation,
    settings: &Settings,
    scratch: &Path,
) -> Result<Made, Error> {
    let name = std::path::absolute(&source.path).unwrap_or_else(|_| source.path.clone());
    let to = scratch.join("source.bc");
    let made = match bitcode(clang, source, invocation, &settings.cflags, &to) {
        Some(command) => run_quietly(command, &to)?,
        None => Err("it is assembly".to_owned()),
    };
    let failure = made.as_ref().err().cloned();
    let untouched = load::level(None, &settings.cflags) == "0";
    Ok(Made { record: Record { source: name, bitcode: made.unwrap_or_default(), untouched }, failure })
}

/// The command that compiles a source of an invocation to bitcode; there is none for assembly.
pub(crate) fn bitcode(
    clang: &Clang,
    source: &Source,
    invocation: &Invocation,
    cflags: &[String],
    to: &Path,
) -> Option<Command> {
    let (language, is_cxx) = match source.language {
        Language::C(name) => (name, false),
        Language::Cxx(name) => (name, true),
        Language::Assembly => return None,
    };
    let mut command = clang.command();
    command.arg("-w").args(Clang::bitcode_flags(is_cxx)).args(&invocation.options);
    if load::level(None, cflags) == "0" {
        command.args(Clang::UNTOUCHED);
    }
    command.args(cflags).arg("-x").arg(language).arg("-o").arg(to).arg(&source.path);
    Some(command)
}

/// Runs a compiler that has nothing to say to the user: what it wrote, or else why it did not.
fn run_quietly(mut command: Command, to: &Path) -> Result<Result<Vec<u8>, String>, Error> {
    let _ = std::fs::remove_file(to);
    let output = command.output().map_err(|source| Error::System { what: "cannot start clang".into(), source })?;
    let text = String::from_utf8_lossy(&output.stderr);
    tracing::debug!(?command, %text, "compiled to bitcode");
    let reason = || text.lines().find(|line| line.contains("error: ")).unwrap_or("clang failed").to_owned();
    if output.status.success() { Ok(std::fs::read(to).map_err(|_| reason())) } else { Ok(Err(reason())) }
}

fn finish(command: &mut Command) -> Result<ExitStatus, Error> {
    command.status().map_err(|source| Error::System { what: "cannot start clang".into(), source })
}

/// Puts a record into an object.
fn attach(object: &Path, record: &Record, scratch: &Path) -> Result<(), Error> {
    let file = written(std::slice::from_ref(record), scratch)?;
    let mut command = Command::new("objcopy");
    let mut section = OsString::from(format!("{SECTION}="));
    section.push(file);
    command.arg("--add-section").arg(section).arg(object);
    let done = command.status();
    let failed = |source| Error::System { what: "objcopy (Debian: apt-get install binutils) fails".into(), source };
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(std::io::Error::other(format!("{}: {status}", object.display())))),
        Err(error) => Err(failed(error)),
    }
}

/// An object that has nothing but records.
fn carrier(clang: &Clang, invocation: &Invocation, made: &[Made], scratch: &Path) -> Result<PathBuf, Error> {
    let records: Vec<Record> = made.iter().map(|made| made.record.clone()).collect();
    let file = written(&records, scratch)?;
    let (text, object) = (scratch.join("verify.s"), scratch.join("verify.o"));
    // Linkers that drop what is not used keep a section with R; without the note, stacks would be executable.
    let assembly = format!(
        ".section {SECTION},\"R\",@progbits\n.incbin \"{}\"\n.section .note.GNU-stack,\"\",@progbits\n",
        file.display()
    );
    std::fs::write(&text, assembly).map_err(cannot_write)?;
    let mut command = clang.command();
    let target =
        |option: &&OsString| ["-m32", "-m64", "--target="].iter().any(|t| option.to_string_lossy().starts_with(t));
    command.args(invocation.options.iter().filter(target)).arg("-c").arg(text).arg("-o").arg(&object);
    finish(&mut command)?;
    Ok(object)
}

fn written(records: &[Record], scratch: &Path) -> Result<PathBuf, Error> {
    let file = scratch.join("records");
    let bytes: Vec<u8> = records.iter().flat_map(Record::encode).collect();
    std::fs::write(&file, bytes).map_err(cannot_write)?;
    Ok(file)
}

fn cannot_write(source: std::io::Error) -> Error {
    Error::System { what: "cannot write a temporary file".into(), source }
}

/// The arguments with those that stand in files (`@FILE`) put in.
fn expanded(arguments: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::new();
    for argument in arguments {
        let file = argument.to_str().and_then(|text| text.strip_prefix('@'));
        match file.and_then(|file| std::fs::read_to_string(file).ok()).and_then(|text| shlex::split(&text)) {
            Some(words) => out.extend(words.into_iter().map(OsString::from)),
            None => out.push(argument.clone()),
        }
    }
    out
}
