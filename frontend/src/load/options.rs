//! The options for loading.
use super::{Cache, LibraryUnit};
use crate::ir::DataModel;
use std::path::PathBuf;

/// How the inputs are compiled and read. The default is what the command line does without options, except that
/// foreign files are read in this process (see [`Reader`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The compiler, by name or path; by default clang-19 or an older one on the `PATH`.
    pub clang: Option<String>,
    /// Macros, as after `-D`.
    pub defines: Vec<String>,
    /// Directories of headers, as after `-I`.
    pub includes: Vec<PathBuf>,
    /// The language standard, as after `-std=`.
    pub standard: Option<String>,
    /// Sizes of the target: `-m64` or `-m32`. By default what clang takes, and whatever compiled inputs were made for.
    pub model: Option<DataModel>,
    /// Level of optimisation, as after `-O`. By default 0, and anything else weakens the answer, see
    /// [`Program::warnings`](super::Program::warnings).
    pub optimise: Option<String>,
    /// Further options for clang, handed through after all others.
    pub cflags: Vec<String>,
    /// Whether places are those of the sources themselves, also where line markers (`# 12 "file.h"`) name others.
    pub own_lines: bool,
    /// Whether a local variable that is not written yet is read from memory that is never written, once for each life.
    /// (By default its value is undefined wherever it is used.)
    pub unwritten_in_memory: bool,
    /// Files of a build, compiled as it does: they come after the inputs.
    pub commands: Vec<CompileCommand>,
    /// Function to start with; by default `main`. Another one has no parameters, or those of `main`.
    pub entry: Option<String>,
    /// Library functions that are code. The functions that the program needs are linked into it.
    pub library: Vec<LibraryUnit>,
    /// Functions of the library that are linked although they are not called.
    pub needs: Vec<&'static str>,
    /// Where large programs are kept, to be loaded again; by default nowhere.
    pub cache: Option<Cache>,
    /// The process that reads files that were not just written by our own clang.
    pub reader: Reader,
    /// What a volatile access is.
    pub volatile: Volatile,
    /// Functions for what the program calls and does not define: of each only what is needed is taken, and what the
    /// program defines itself stays.
    pub stubs: Vec<Stub>,
}

/// A C file with functions for what the program does not define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stub {
    /// A file of the user.
    File(PathBuf),
    /// One that comes with the tool.
    Own {
        /// Its name.
        name: &'static str,
        /// Its text.
        text: &'static str,
    },
}

impl Stub {
    /// What the user calls it.
    pub fn name(&self) -> String {
        match self {
            Stub::File(path) => path.display().to_string(),
            Stub::Own { name, .. } => (*name).to_owned(),
        }
    }
}

/// What a volatile access is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Volatile {
    /// A plain access, as C says: it orders nothing, and takes part in data races.
    #[default]
    Plain,
    /// A relaxed atomic access, if it is one of a machine word at most, and aligned: what code means that is older than
    /// C11.
    Atomic,
}

/// How a build compiles a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// The directory in which the build compiles the file.
    pub directory: PathBuf,
    /// The file, seen from there.
    pub file: PathBuf,
    /// The arguments of the compiler, without its name.
    pub arguments: Vec<String>,
}

/// The process that reads foreign `.ll`, `.bc` and `.o` files. LLVM does not survive every corrupt file: some make it
/// crash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reader {
    /// This process, which may then end with it. For inputs that can be trusted, such as those of tests.
    #[default]
    InProcess,
    /// A child process: this executable is started with hidden arguments, and its `main` must hand them to
    /// [`child_main`](super::child_main).
    Isolated {
        /// Usually `std::env::current_exe()`.
        executable: PathBuf,
    },
}
