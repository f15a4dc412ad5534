//! Compiles the program with hooks at its accesses, and the runtime that decides there which thread goes on.
//!
//! Clang's instrumentation for ThreadSanitizer calls functions at every access to memory that others may see, and
//! instead of atomic operations. Here these functions are the runtime's; ThreadSanitizer itself is not linked.
use super::schedule::Spot;
use addr2line::Loader;
use frontend::ir::ResultType;
use interp::External;
use interp::fault::Kind;
use object::{Object, ObjectSymbol};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtime: its parts, in C.
const RUNTIME: [(&str, &str); 6] = [
    ("scheduler.h", include_str!("runtime/scheduler.h")),
    ("scheduler.c", include_str!("runtime/scheduler.c")),
    ("accesses.c", include_str!("runtime/accesses.c")),
    ("heap.c", include_str!("runtime/heap.c")),
    ("synchronisation.c", include_str!("runtime/synchronisation.c")),
    ("process.c", include_str!("runtime/process.c")),
];

/// Has clang trap where arithmetic goes wrong.
const OVERFLOW: [&str; 2] = [
    "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,float-cast-overflow",
    "-fsanitize-trap=signed-integer-overflow,integer-divide-by-zero,shift,float-cast-overflow",
];

/// The same where the program says that it never comes to.
const UNREACHABLE: [&str; 2] = ["-fsanitize=unreachable", "-fsanitize-trap=unreachable"];

/// A program with hooks.
#[derive(Debug)]
pub(super) struct Executable {
    /// The file.
    pub(super) path: PathBuf,
    /// Addresses of variables by name.
    variables: FxHashMap<String, u64>,
}

impl Executable {
    /// Builds it in a directory, where it will look for `schedule` and write `outcome`. It gives up after `patience`
    /// milliseconds without a move. The runtime looks for violations of this `kind`. The `externals` return what the
    /// schedule says.
    pub(super) fn build(
        inputs: &[PathBuf],
        options: &frontend::Options,
        directory: &Path,
        patience: u32,
        kind: Kind,
        externals: &[(&str, External, ResultType)],
    ) -> Result<Self, String> {
        let command = || frontend::load::native_command(options).map_err(|error| error.to_string());
        let is_cxx = |input: &Path| input.extension().is_some_and(|extension| extension != "c" && extension != "i");
        let mut objects = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let object = directory.join(format!("{number}.o"));
            let mut clang = command()?;
            clang.args(["-g", "-O0", "-fno-pie", "-w", "-fsanitize=thread"]);
            // Every access has a hook of its own, and nothing else has one.
            for flag in ["-tsan-instrument-read-before-write=1", "-tsan-instrument-func-entry-exit=0"] {
                clang.args(["-mllvm", flag]);
            }
            // What is an assertion to the model is one here too.
            clang.args(is_cxx(input).then_some("-D_GLIBCXX_ASSERTIONS"));
            match kind {
                Kind::Overflow => clang.args(OVERFLOW),
                Kind::Abort => clang.args(UNREACHABLE),
                _ => &mut clang,
            };
            run(clang.arg("-c").arg(input).arg("-o").arg(&object))?;
            objects.push(object);
        }
        let quoted = |name: &str| format!("\"{}\"", directory.join(name).display());
        let external = |&(name, external, result): &(&str, External, ResultType)| match (external, result) {
            (_, ResultType::Nothing) => format!("void {name}(void) {{}}\n"),
            (External::Zero | External::Nothing, _) => format!("long {name}(void) {{ return 0; }}\n"),
            // Whatever integer it is: the caller looks at as much as it knows of.
            _ => format!("long {name}(void) {{ return __verify_chosen(); }}\n"),
        };
        let externals = externals.iter().map(external).collect::<String>();
        let externals = format!("long __verify_chosen(void);\n{externals}");
        for (name, text) in RUNTIME.into_iter().chain([("externals.c", externals.as_str())]) {
            let file = directory.join(name);
            std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
            if !name.ends_with(".c") {
                continue;
            }
            let object = file.with_extension("o");
            let mut clang = frontend::load::native_command(&plain(options)).map_err(|error| error.to_string())?;
            clang.args(["-g", "-O1", "-fno-pie", "-w"]);
            clang.arg(format!("-DSCHEDULE={}", quoted("schedule"))).arg(format!("-DOUTCOME={}", quoted("outcome")));
            clang.arg(format!("-DPATIENCE={patience}"));
            if kind == Kind::Memory {
                clang.arg("-DWATCH_HEAP");
            }
            run(clang.arg("-c").arg(&file).arg("-o").arg(&object))?;
            objects.push(object);
        }
        let path = directory.join("program");
        let mut clang = command()?;
        clang.args(inputs.iter().any(|input| is_cxx(input)).then_some("--driver-mode=g++"));
        clang.args(["-no-pie", "-rdynamic", "-pthread", "-w", "-Wl,--wrap=main"]).args(&objects);
        run(clang.args(["-o"]).arg(&path).args(["-lm", "-latomic"]))?;
        let variables = variables(&path)?;
        Ok(Executable { path, variables })
    }

    /// Where a variable is.
    pub(super) fn address(&self, variable: &str) -> Option<u64> {
        self.variables.get(variable).copied()
    }

    /// The instructions of these spots: from, up to, and which spot; sorted.
    pub(super) fn ranges(&self, spots: &[Spot]) -> Result<Vec<(u64, u64, usize)>, String> {
        if spots.is_empty() {
            return Ok(Vec::new());
        }
        let canonical = |path: &str| std::fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        let wanted: FxHashMap<(PathBuf, u32, u32), usize> = (spots.iter().enumerate())
            .map(|(number, (file, line, column))| ((canonical(file), *line, *column), number))
            .collect();
        let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let loader = Loader::new(&self.path).map_err(|error| unreadable(&error))?;
        let lines = loader.find_location_range(0, u64::MAX).map_err(|error| unreadable(&error))?;
        let mut files = FxHashMap::default();
        let mut ranges: Vec<(u64, u64, usize)> = lines
            .filter_map(|(low, length, location)| {
                let file = location.file?;
                let file = files.entry(file.to_owned()).or_insert_with(|| canonical(file)).clone();
                let spot = wanted.get(&(file, location.line?, location.column.unwrap_or(0)))?;
                Some((low, low + length, *spot))
            })
            .collect();
        ranges.sort_unstable();
        Ok(ranges)
    }
}

/// The options for the runtime: the sizes of the target, and the compiler.
fn plain(options: &frontend::Options) -> frontend::Options {
    frontend::Options { clang: options.clang.clone(), model: options.model, ..frontend::Options::default() }
}

fn run(command: &mut Command) -> Result<(), String> {
    tracing::debug!(?command, "compiling");
    let output = command.output().map_err(|error| format!("clang cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
            Err(format!("the program cannot be built here: {}", line.unwrap_or_else(|| text.trim())))
        }
    }
}

/// The addresses of all symbols; a name that several files have for themselves has none.
fn variables(path: &Path) -> Result<FxHashMap<String, u64>, String> {
    let data = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = object::File::parse(&*data).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut addresses: FxHashMap<String, Option<u64>> = FxHashMap::default();
    for symbol in file.symbols() {
        if let Ok(name) = symbol.name() {
            let address = Some(symbol.address());
            addresses.entry(name.to_owned()).and_modify(|known| *known = None).or_insert(address);
        }
    }
    Ok(addresses.into_iter().filter_map(|(name, address)| Some((name, address?))).collect())
}
