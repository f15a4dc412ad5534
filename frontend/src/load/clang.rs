//! Finding clang and running it.
use super::options::CompileCommand;
use super::{LLVM_MAJOR, Options, gnu, markers};
use crate::Error;
use crate::cc::arguments::{Invocation, Source};
use crate::cc::{self, Driver};
use crate::ir::DataModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler that was found and tried.
pub(crate) struct Clang {
    path: PathBuf,
    /// As the user knows it.
    name: String,
}

impl Clang {
    /// The one asked for, or else the best one on the `PATH`: bitcode of a newer clang than our LLVM cannot be read, so
    /// clang-19 comes first, then older ones, and a plain `clang` only if it says that its version fits.
    pub(crate) fn find(asked: Option<&str>) -> Result<Clang, Error> {
        Clang::find_in(std::env::var_os("PATH").unwrap_or_default(), asked)
    }

    fn find_in(search: OsString, asked: Option<&str>) -> Result<Clang, Error> {
        let here = std::env::current_dir().unwrap_or_default();
        let which = |name: &str| which::which_in(name, Some(&search), &here).ok();
        if let Some(name) = asked {
            let path = which(name).ok_or_else(|| Error::ClangNotFound { clang: name.into() })?;
            return Clang { path, name: name.into() }.fitting();
        }
        let versioned = (OLDEST..=LLVM_MAJOR).rev().map(|major| format!("clang-{major}"));
        for name in versioned {
            if let Some(path) = which(&name) {
                return Ok(Clang { path, name });
            }
        }
        let path = which("clang").ok_or(Error::ClangMissing)?;
        Clang { path, name: "clang".into() }.fitting()
    }

    fn fitting(self) -> Result<Clang, Error> {
        let output = Command::new(&self.path).arg("--version").output();
        let output = output.map_err(|source| Error::System { what: format!("cannot start {}", self.name), source })?;
        let text = String::from_utf8_lossy(&output.stdout);
        match version(&text) {
            Some(major) if (OLDEST..=LLVM_MAJOR).contains(&major) => Ok(self),
            Some(major) => Err(Error::ClangUnfit { clang: self.name, found: format!("clang {major}") }),
            None => Err(Error::ClangUnfit { clang: self.name, found: "no clang".into() }),
        }
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What it makes of a source before it compiles it; nothing if it complains.
    pub(super) fn preprocess(&self, source: &Path, options: &Options) -> Option<Vec<u8>> {
        let mut command = Command::new(&self.path);
        command.args(Clang::bitcode_flags(is_cxx(source))).args(Clang::source_flags(options));
        command.args(options.optimise.iter().map(|level| format!("-O{level}"))).args(&options.cflags).arg("-E");
        command.args(gnu::flags(source, &std::fs::read(source).ok()?)).arg(no_option(source));
        let output = command.output().ok()?;
        output.status.success().then_some(output.stdout)
    }

    /// A command that starts it.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// What makes clang write bitcode as the source has it. Without optimisation clang does not say where the block of
    /// a variable begins and ends, unless it believes that a sanitizer wants to know; this option instruments nothing.
    pub(crate) fn bitcode_flags(is_cxx: bool) -> impl Iterator<Item = &'static str> {
        let flags = ["-c", "-emit-llvm", "-g", "-O0", "-fno-discard-value-names"].into_iter();
        let flags = flags.chain(["-Xclang", "-fsanitize-address-use-after-scope"]);
        // With its assertions libstdc++ leaves the code of strings to the program, which has it then.
        flags.chain(is_cxx.then_some("-D_GLIBCXX_ASSERTIONS"))
    }

    /// What says how sources are to be read.
    fn source_flags(options: &Options) -> Vec<OsString> {
        let model = options.model.map(|model| match model {
            DataModel::Lp64 => "-m64".into(),
            DataModel::Ilp32 => "-m32".into(),
        });
        let standard = options.standard.iter().map(|standard| format!("-std={standard}").into());
        let defines = options.defines.iter().map(|define| format!("-D{define}").into());
        let includes = options.includes.iter().flat_map(|include| ["-I".into(), include.clone().into_os_string()]);
        model.into_iter().chain(standard).chain(defines).chain(includes).collect()
    }

    /// For bitcode without optimisation: else functions that are always inlined are, and calls of those with a meaning
    /// by their name are gone.
    pub(crate) const UNTOUCHED: [&str; 2] = ["-Xclang", "-disable-llvm-passes"];

    /// Compiles one file of a build as the build does, but to bitcode in `to`. Its warnings are the build's business.
    pub(super) fn compile_as(&self, built: &CompileCommand, to: &Path, options: &Options) -> Result<(), Error> {
        let path = built.directory.join(&built.file);
        let arguments: Vec<OsString> = built.arguments.iter().map(OsString::from).collect();
        let invocation = Invocation::new(&arguments, Driver::C);
        let named = |source: &&Source| built.directory.join(&source.path) == path;
        let source = invocation.sources.iter().find(named).or(invocation.sources.first());
        let command = source.and_then(|source| cc::bitcode(self, source, &invocation, &options.cflags, to));
        let Some(mut command) = command else { return Err(Error::NoSource { path }) };
        command.current_dir(&built.directory);
        tracing::debug!(?command, "compiling");
        let output = command.output();
        let output = output.map_err(|source| Error::System { what: format!("cannot start {}", self.name), source })?;
        match output.status.success() {
            true => Ok(()),
            false => Err(Error::ClangFailed {
                path,
                clang: self.name.clone(),
                hint: None,
                stderr: String::from_utf8_lossy(&output.stderr).trim_end().to_owned(),
            }),
        }
    }

    /// Compiles `source` to bitcode in `to` and returns clang's warnings as it printed them.
    ///
    /// At -O0 clang marks every function as not to be optimised, which [`crate::pass`] makes use of. Names of values
    /// are kept for reports.
    pub(super) fn compile(&self, source: &Path, to: &Path, options: &Options) -> Result<Option<String>, Error> {
        let mut command = Command::new(&self.path);
        command.args(Clang::bitcode_flags(is_cxx(source)));
        command.args(Clang::source_flags(options));
        command.args(options.optimise.iter().map(|level| format!("-O{level}")));
        if level(options.optimise.as_deref(), &options.cflags) == "0" {
            command.args(Clang::UNTOUCHED);
        }
        let text = std::fs::read(source);
        let text = text.map_err(|error| Error::Unreadable { path: source.to_path_buf(), source: error })?;
        let copy = if options.own_lines { without_markers(source, &text, to)? } else { None };
        if let Some(copy) = &copy {
            // The copy goes by the name of the source, and finds what is next to that.
            let mut mapping = OsString::from("-ffile-prefix-map=");
            mapping.push(copy);
            mapping.push("=");
            mapping.push(source);
            command.arg(mapping);
            let directory = source.parent().filter(|directory| !directory.as_os_str().is_empty());
            command.arg("-iquote").arg(directory.unwrap_or(Path::new(".")));
        }
        let input = copy.as_deref().unwrap_or(source);
        // With `-fsanitize=undefined`, a call through a pointer would read what clang puts in front of the function's
        // code.
        command.args(&options.cflags).arg("-fno-sanitize=function").arg("-o").arg(to);
        command.args(gnu::flags(source, &text)).arg(no_option(input));
        tracing::debug!(?command, "compiling");
        let output = command.output();
        let output = output.map_err(|source| Error::System { what: format!("cannot start {}", self.name), source })?;
        let mut stderr = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
        if let Some(copy) = &copy {
            stderr = stderr.replace(&copy.display().to_string(), &source.display().to_string());
        }
        if output.status.success() && to.exists() {
            return Ok((!stderr.is_empty()).then_some(stderr));
        }
        let missing_32_bit_headers = stderr.contains("gnu/stubs-32.h") || stderr.contains("bits/libc-header-start.h");
        let missing_cxx_headers = stderr.contains("'bits/c++config.h' file not found");
        Err(Error::ClangFailed {
            path: source.to_path_buf(),
            clang: self.name.clone(),
            hint: (missing_32_bit_headers.then_some("32-bit headers: apt-get install gcc-multilib"))
                .or(missing_cxx_headers.then_some("headers of C++: apt-get install g++, for -m32 g++-multilib")),
            stderr: if stderr.is_empty() { format!("it wrote no bitcode ({})", output.status) } else { stderr },
        })
    }
}

/// A command that compiles or links for this machine as the options say, but for what, whereto, and the level of
/// optimisation.
pub fn native_command(options: &Options) -> Result<Command, Error> {
    let mut command = Clang::find(options.clang.as_deref())?.command();
    command.args(Clang::source_flags(options)).args(&options.cflags);
    Ok(command)
}

/// A copy of the source without line markers, next to the bitcode to be made; nothing if it has none.
fn without_markers(source: &Path, text: &[u8], bitcode: &Path) -> Result<Option<PathBuf>, Error> {
    let Some(blanked) = markers::blanked(text) else { return Ok(None) };
    let copy = bitcode.with_extension(source.extension().unwrap_or_default());
    match std::fs::write(&copy, blanked) {
        Ok(()) => Ok(Some(copy)),
        Err(source) => Err(Error::System { what: "cannot write a temporary file".into(), source }),
    }
}

/// Bitcode of older compilers is read as well, but they do not know all the options that we pass.
const OLDEST: u32 = 13;

/// Whether clang takes a file for C++ by its name.
fn is_cxx(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension != "c" && extension != "i")
}

/// The same file by a name that clang does not take for an option, or for a file with options.
fn no_option(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    if matches!(first, Some(b'-' | b'@')) { Path::new(".").join(path) } else { path.into() }
}

/// The major version in the output of `clang --version`.
fn version(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("clang version ")?;
    rest.split(['.', ' ', '-', '\n']).next()?.parse().ok()
}

/// The level of optimisation in force for C sources: the last `-O` counts, as it does for clang.
pub(crate) fn level<'a>(optimise: Option<&'a str>, cflags: &'a [String]) -> &'a str {
    let last = cflags.iter().rev().find_map(|flag| flag.strip_prefix("-O"));
    match last.or(optimise) {
        Some("") => "1",
        Some(level) => level,
        None => "0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// What is found on a path of compilers with these names, each linked to a script that says a version; or the
    /// message that says why none is found.
    fn found(compilers: &[(&str, &str)]) -> String {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/compilers");
        let directory = tempfile::tempdir().expect("makes a directory");
        for (name, script) in compilers {
            std::os::unix::fs::symlink(scripts.join(script), directory.path().join(name)).expect("links");
        }
        match Clang::find_in(directory.path().into(), None) {
            Ok(clang) => clang.name,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_newest_clang_that_fits_is_taken() {
        let all = [("clang", "clang-22"), ("clang-17", "clang-17"), ("clang-19", "clang-19"), ("clang-22", "clang-22")];
        assert_eq!(found(&all), "clang-19");
        assert_eq!(found(&all[..2]), "clang-17");
        assert_eq!(found(&[("clang", "clang-19")]), "clang");
    }

    #[test]
    fn no_clang_that_fits() {
        let missing = found(&[("gcc", "gcc"), ("clang-22", "clang-22")]);
        assert!(missing.starts_with("no clang of version 19 or older found; install clang-19"), "{missing}");
        let newer = found(&[("clang", "clang-22")]);
        assert!(newer.contains("clang: is clang 22") && newer.contains("install clang-19"), "{newer}");
    }

    #[test]
    fn versions_of_several_vendors() {
        assert_eq!(version("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x"), Some(19));
        assert_eq!(version("Ubuntu clang version 18.1.3 (1ubuntu1)"), Some(18));
        assert_eq!(version("clang version 22.0.0git (https://example.org)"), Some(22));
        assert_eq!(version("gcc (Debian 12.2.0-14) 12.2.0"), None);
    }

    #[test]
    fn files_are_no_options() {
        assert_eq!(no_option(Path::new("-O3.c")), Path::new("./-O3.c"));
        assert_eq!(no_option(Path::new("@a.c")), Path::new("./@a.c"));
        assert_eq!(no_option(Path::new("a/-b.c")).as_os_str(), "a/-b.c");
    }

    #[test]
    fn the_last_level_counts() {
        let flags = |flags: &[&str]| -> Vec<String> { flags.iter().map(|flag| flag.to_string()).collect() };
        assert_eq!(level(None, &[]), "0");
        assert_eq!(level(Some("2"), &[]), "2");
        assert_eq!(level(Some("2"), &flags(&["-O", "-Wall"])), "1");
        assert_eq!(level(Some("2"), &flags(&["-O3", "-O0"])), "0");
    }
}
