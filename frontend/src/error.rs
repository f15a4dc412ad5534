//! Everything that can be wrong with the input or the environment: one line each that says what to do.
use crate::load::LLVM_MAJOR;
use std::path::PathBuf;

/// Why a program could not be loaded.
///
/// Messages are one line; only [`Error::ClangFailed`] goes on with clang's own words.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The list of inputs is empty.
    #[error("no input: name at least one .c, .i, .cpp, .ll, .bc or .o file, or a program made with `verify cc`")]
    NoInput,
    /// There is no such file.
    #[error("{path}: no such file")]
    Missing {
        /// The input.
        path: PathBuf,
    },
    /// A directory instead of a file.
    #[error("{path}: is a directory; name the files in it")]
    Directory {
        /// The input.
        path: PathBuf,
    },
    /// The file exists, but cannot be read.
    #[error("{path}: cannot be read: {source}")]
    Unreadable {
        /// The input.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file has no content.
    #[error("{path}: is empty")]
    Empty {
        /// The input.
        path: PathBuf,
    },
    /// The kind of the file is not known.
    #[error(
        "{path}: unknown kind of file; verify reads C (.c, .i), C++ (.cpp, .cc, .cxx, .ii), LLVM IR (.ll, .bc), objects made with -flto (.o), and what is built with `verify cc`"
    )]
    UnknownKind {
        /// The input.
        path: PathBuf,
    },
    /// Machine code.
    #[error(
        "{path}: holds machine code only; build it again with CC=\"verify cc\", or compile it with `clang-19 -flto -g -c`"
    )]
    NativeObject {
        /// The input.
        path: PathBuf,
    },
    /// A native file or an archive that is broken.
    #[error("{path}: cannot be taken apart, build it again ({reason})")]
    BrokenNative {
        /// The input.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A compile command without a source in C or C++.
    #[error("{path}: the build's command for it compiles no C or C++; leave it out with --unit")]
    NoSource {
        /// The file.
        path: PathBuf,
    },
    /// The name says bitcode, the content does not.
    #[error("{path}: is not LLVM bitcode; textual IR is named .ll, C source .c")]
    NotBitcode {
        /// The input.
        path: PathBuf,
    },
    /// LLVM rejects the bitcode.
    #[error("{path}: truncated or corrupt bitcode, make it again (LLVM says: {reason})")]
    Malformed {
        /// The input.
        path: PathBuf,
        /// LLVM's message.
        reason: String,
    },
    /// LLVM rejects the text.
    #[error("{path}: not textual IR of LLVM 19 or older (LLVM says: {reason})")]
    Syntax {
        /// The input.
        path: PathBuf,
        /// LLVM's message, with line and column.
        reason: String,
    },
    /// LLVM itself crashed or hung while it read the file.
    #[error("{path}: file is corrupt ({reason}); make it again")]
    Corrupt {
        /// The input.
        path: PathBuf,
        /// How the reader ended.
        reason: String,
    },
    /// Made by an LLVM that writes what ours cannot read.
    #[error("{path}: bitcode of LLVM {producer}, which LLVM {reader} cannot read; compile it with clang-19 or older")]
    NewerLlvm {
        /// The input.
        path: PathBuf,
        /// Version that wrote the file.
        producer: String,
        /// Version that reads it here.
        reader: String,
    },
    /// The module breaks LLVM's rules.
    #[error("{path}: invalid module, its producer is at fault (LLVM says: {reason})")]
    Invalid {
        /// The input.
        path: PathBuf,
        /// LLVM's first complaint.
        reason: String,
    },
    /// Made for a machine that is not modelled.
    #[error(
        "{path}: made for `{target}`; verify knows x86 Linux only, compile with -m64 or -m32 there or with --target=x86_64-linux-gnu"
    )]
    Target {
        /// The input.
        path: PathBuf,
        /// Its target triple, or what is wrong with its data layout.
        target: String,
    },
    /// Two inputs with different sizes of pointers.
    #[error(
        "{first} has {first_bits}-bit pointers and {second} has {second_bits}-bit pointers; compile all with -m32 or all with -m64"
    )]
    MixedModels {
        /// The earlier input.
        first: PathBuf,
        /// Its pointer size.
        first_bits: u64,
        /// The later input.
        second: PathBuf,
        /// Its pointer size.
        second_bits: u64,
    },
    /// The sizes asked for are not those of an input.
    #[error(
        "{path}: has {found_bits}-bit pointers, but -m{asked_bits} was asked for; drop the option or compile the file anew"
    )]
    ModelNotAsked {
        /// The input.
        path: PathBuf,
        /// Its pointer size.
        found_bits: u64,
        /// The pointer size asked for.
        asked_bits: u64,
    },
    /// Two inputs define the same name.
    #[error("`{symbol}` is defined in {first} and again in {second}; leave one of them out or make one `static`")]
    DuplicateSymbol {
        /// The name.
        symbol: String,
        /// The earlier input.
        first: PathBuf,
        /// The later input.
        second: PathBuf,
    },
    /// Inputs that do not fit together in another way.
    #[error("{path}: does not link with the inputs before it (LLVM says: {reason})")]
    Link {
        /// The input that was being added.
        path: PathBuf,
        /// LLVM's message.
        reason: String,
    },
    /// There is no function to start with.
    #[error("no input defines `{entry}`; add the file that does, or name another function to start with")]
    NoEntry {
        /// The function asked for, `main` by default.
        entry: String,
    },
    /// A start with parameters that cannot be provided.
    #[error(
        "`{entry}` cannot be started: it takes parameters other than none, or (int, char **); name a function that calls it"
    )]
    EntryParameters {
        /// The function asked for.
        entry: String,
    },
    /// No clang on the `PATH`.
    #[error(
        "no clang of version {LLVM_MAJOR} or older found; install clang-19 (Debian, Ubuntu: apt-get install clang-19) or name one"
    )]
    ClangMissing,
    /// The clang that was asked for does not start.
    #[error("{clang}: no such compiler; install it (Debian, Ubuntu: apt-get install clang-19) or name another")]
    ClangNotFound {
        /// The name or path that was given.
        clang: String,
    },
    /// The compiler found or asked for is not a clang that fits.
    #[error(
        "{clang}: is {found}, and its bitcode cannot be read here; install clang-19 (apt-get install clang-19) or name a clang of version {LLVM_MAJOR} or older"
    )]
    ClangUnfit {
        /// The compiler.
        clang: String,
        /// What the compiler says about itself.
        found: String,
    },
    /// Clang rejected the source: its words follow.
    #[error("{path}: {clang} failed{}\n{stderr}", .hint.map(|hint| format!(" ({hint})")).unwrap_or_default())]
    ClangFailed {
        /// The source file.
        path: PathBuf,
        /// The compiler.
        clang: String,
        /// What to do, where that is known.
        hint: Option<&'static str>,
        /// Clang's own words, untouched but for the last newline.
        stderr: String,
    },
    /// A temporary file or a child process could not be made.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// This build was linked with another LLVM than the one that it was written for.
    #[error("verify is running with LLVM {found}, but needs LLVM {LLVM_MAJOR}; install llvm-19-dev and build it anew")]
    WrongLlvm {
        /// Version of the library in use.
        found: String,
    },
    /// LLVM's own passes failed.
    #[error("LLVM's passes failed: {reason}")]
    Pass {
        /// LLVM's message.
        reason: String,
    },
    /// The module cannot be turned into our code at all.
    #[error(transparent)]
    Lower(#[from] crate::lower::LowerError),
}
