//! The parts of a compiler's command line that matter for bitcode.
//!
//! Options that change what the code means (macros, directories of headers, the standard, the target) are kept. Those
//! that say where things go, how much is optimised, instrumented or warned of, and what the linker does, are not.
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Product {
    /// A program or a shared library.
    Linked,
    /// An object for each source.
    Objects,
    /// Nothing that holds code: preprocessed text, assembly, answers about the compiler.
    Other,
}

/// A source among the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    /// The path of the source.
    pub(crate) path: PathBuf,
    /// The language of the source.
    pub(crate) language: Language,
}

/// Languages of sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// C, as `-x` calls it: preprocessed or not.
    C(&'static str),
    /// C++, as `-x` calls it: preprocessed or not.
    Cxx(&'static str),
    /// Assembly, which has no bitcode.
    Assembly,
}

/// A command line that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invocation {
    /// What is made.
    pub(crate) product: Product,
    /// The sources; objects and libraries are not among them.
    pub(crate) sources: Vec<Source>,
    /// The output file, if one was named.
    pub(crate) output: Option<PathBuf>,
    /// The options that change what the code means.
    pub(crate) options: Vec<OsString>,
}

impl Invocation {
    /// Understands the arguments of a C compiler, or of a C++ compiler, which takes `.c` for C++ as well.
    pub(crate) fn new(arguments: &[OsString], driver: super::Driver) -> Invocation {
        let mut out = Invocation { product: Product::Linked, sources: Vec::new(), output: None, options: Vec::new() };
        // What `-x` said of the inputs that follow.
        let mut forced: Option<String> = None;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if !text.starts_with('-') {
                let language = match &forced {
                    Some(name) => named(name),
                    None => by_extension(Path::new(argument), driver),
                };
                out.sources.extend(language.map(|language| Source { path: argument.into(), language }));
            } else if let Some(name) = text.strip_prefix("-x") {
                let name = if name.is_empty() { arguments.next().map(lossy).unwrap_or_default() } else { name.into() };
                forced = (name != "none").then_some(name);
            } else if let Some(path) = text.strip_prefix("-o").filter(|path| !path.starts_with("bjc")) {
                out.output = if path.is_empty() { arguments.next().map(PathBuf::from) } else { Some(path.into()) };
            } else if OTHER.contains(&&*text) || OTHER_PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
                out.product = Product::Other;
            } else if text == "-c" {
                if out.product == Product::Linked {
                    out.product = Product::Objects;
                }
            } else if DROPPED_WITH_VALUE.contains(&&*text) {
                arguments.next();
            } else if KEPT_WITH_VALUE.contains(&&*text) {
                out.options.push(argument.clone());
                out.options.extend(arguments.next().cloned());
            } else if !is_dropped(&text) {
                out.options.push(argument.clone());
            }
        }
        out
    }

    /// Where the object of a source goes.
    pub(crate) fn object(&self, source: &Path) -> PathBuf {
        let named = || Path::new(source.file_name().unwrap_or_default()).with_extension("o");
        self.output.clone().unwrap_or_else(named)
    }
}

fn lossy(text: &OsString) -> String {
    text.to_string_lossy().into_owned()
}

fn named(language: &str) -> Option<Language> {
    match language {
        "c" => Some(Language::C("c")),
        "cpp-output" => Some(Language::C("cpp-output")),
        "c++" => Some(Language::Cxx("c++")),
        "c++-cpp-output" => Some(Language::Cxx("c++-cpp-output")),
        "assembler" | "assembler-with-cpp" => Some(Language::Assembly),
        _ => None,
    }
}

fn by_extension(path: &Path, driver: super::Driver) -> Option<Language> {
    match path.extension()?.to_str()? {
        "c" if driver == super::Driver::Cxx => Some(Language::Cxx("c++")),
        "c" => Some(Language::C("c")),
        "i" => Some(Language::C("cpp-output")),
        "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" => Some(Language::Cxx("c++")),
        "ii" => Some(Language::Cxx("c++-cpp-output")),
        "s" | "S" | "sx" | "asm" => Some(Language::Assembly),
        _ => None,
    }
}

/// Options with which nothing is compiled to machine code.
const OTHER: &[&str] =
    &["-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "-emit-ast", "--version", "-###", "--help"];
const OTHER_PREFIXES: &[&str] = &["-print-", "--print-", "-dump", "--analyze", "--precompile"];

/// Options whose value is the next argument, and which matter.
const KEPT_WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-target",
    "-arch",
    "-Xclang",
    "-Xpreprocessor",
    "--param",
    "-mllvm",
];

/// Options whose value is the next argument, and which do not matter.
const DROPPED_WITH_VALUE: &[&str] =
    &["-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-T", "-u", "-z", "-e", "-Xlinker", "-Xassembler", "-rpath", "-soname"];

/// Whether an option says nothing about what the code means. (Warnings are off for bitcode: the native compiler warns.
/// What takes a warning back may also be about an error.)
fn is_dropped(text: &str) -> bool {
    const EXACTLY: &[&str] = &["-s", "-r", "-p", "-pg", "-pie", "-no-pie", "-rdynamic", "-pipe", "-v", "--coverage"];
    const BEGINNINGS: &[&str] = &[
        "-O",
        "-g",
        "-M",
        "-l",
        "-L",
        "-flto",
        "-fno-lto",
        "-fsanitize",
        "-fno-sanitize",
        "-fprofile",
        "-fcoverage",
        "-ftest-coverage",
        "-fembed-bitcode",
        "-fuse-ld",
        "-save-temps",
        "--save-temps",
        "-shared",
        "-static",
    ];
    let preprocessor = text.starts_with("-Wp,") && !text.contains(",-M");
    EXACTLY.contains(&text)
        || BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
        || (text.starts_with("-W") && !preprocessor && !text.starts_with("-Wno-"))
}

#[cfg(test)]
mod tests {
    use super::super::Driver;
    use super::*;

    fn invocation(line: &str) -> Invocation {
        let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
        Invocation::new(&words, Driver::C)
    }

    fn kept(line: &str) -> String {
        let options = invocation(line).options;
        options.iter().map(lossy).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn products() {
        for (line, product) in [
            ("a.c -o a", Product::Linked),
            ("-shared -fPIC a.c -o a.so", Product::Linked),
            ("-c a.c", Product::Objects),
            ("-c -MD -MF a.d a.c", Product::Objects),
            ("-E a.c", Product::Other),
            ("-c -S a.c", Product::Other),
            ("-S -c a.c", Product::Other),
            ("-M a.c", Product::Other),
            ("-print-prog-name=ld", Product::Other),
        ] {
            assert_eq!(invocation(line).product, product, "{line}");
        }
    }

    #[test]
    fn inputs_and_outputs() {
        let found = invocation("-I inc -MF d.c -o x/a.o -c src/a.c");
        assert_eq!(found.sources, [Source { path: "src/a.c".into(), language: Language::C("c") }]);
        assert_eq!(found.object(Path::new("src/a.c")), Path::new("x/a.o"));
        let found = invocation("-c src/a.c b.S lib.a c.o");
        assert_eq!(found.sources.len(), 2);
        assert_eq!(found.sources[1].language, Language::Assembly);
        assert_eq!(found.object(Path::new("src/a.c")), Path::new("a.o"));
        let found = invocation("-x c text -x none lib.o -ofile");
        assert_eq!(found.sources, [Source { path: "text".into(), language: Language::C("c") }]);
        assert_eq!(found.output.as_deref(), Some(Path::new("file")));
    }

    #[test]
    fn options_that_matter() {
        assert_eq!(
            kept("-Wall -Wno-implicit-function-declaration -Werror=x a.c"),
            "-Wno-implicit-function-declaration"
        );
        assert_eq!(kept("-O2 -g -Wall -Werror -DN=1 -D M -c a.c -MD -MT t -o a.o"), "-DN=1 -D M");
        assert_eq!(
            kept("-std=gnu99 -m32 -pthread -fPIC -shared a.c -lm -Wl,-z,now -L."),
            "-std=gnu99 -m32 -pthread -fPIC"
        );
        assert_eq!(kept("-Wp,-DX -Wp,-MMD,a.d -fsanitize=thread -flto=thin -include x.h"), "-Wp,-DX -include x.h");
    }
}
