//! What the mutations begin with: the programs of the test suite, as C, as text and as bitcode.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

/// The forms of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    /// C source.
    Source,
    /// Textual IR.
    Text,
    /// Bitcode.
    Bitcode,
}

impl Form {
    /// The ending of a file's name.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Form::Source => "c",
            Form::Text => "ll",
            Form::Bitcode => "bc",
        }
    }
}

/// How programs are compiled: as the tool does it, for 32 bits, and optimised, which brings other instructions.
const FLAVOURS: [&[&str]; 4] =
    [&["-g", "-O0", "-Xclang", "-disable-llvm-passes"], &["-O0", "-m32"], &["-O2"], &["-O1", "-g"]];

/// Programs, compiled when they are asked for the first time.
pub(crate) struct Seeds {
    programs: Vec<PathBuf>,
    /// Where what clang makes is kept for other processes.
    kept: PathBuf,
    known: FxHashMap<(usize, Form), Option<Arc<[u8]>>>,
}

impl Seeds {
    /// The first `most` of the programs, evenly spread over the suite.
    pub(crate) fn new(kept: &Path, most: usize) -> Self {
        let mut all = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite"), &mut all);
        all.sort();
        let step = all.len().div_ceil(most).max(1);
        let programs = all.into_iter().step_by(step).collect();
        Seeds { programs, kept: kept.into(), known: FxHashMap::default() }
    }

    /// How many programs there are.
    pub(crate) fn programs(&self) -> u64 {
        self.programs.len() as u64
    }

    /// A program in a form; nothing if it cannot be compiled on its own.
    pub(crate) fn get(&mut self, program: u64, form: Form) -> Option<Arc<[u8]>> {
        let program = program as usize;
        let path = &self.programs[program];
        let bytes = || match form {
            Form::Source => std::fs::read(path).ok().map(Arc::from),
            // One flavour for each, for compiling takes most of the time of a short campaign.
            Form::Text | Form::Bitcode => compiled(path, FLAVOURS[program % FLAVOURS.len()], form, &self.kept),
        };
        self.known.entry((program, form)).or_insert_with(bytes).clone()
    }
}

fn collect(directory: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the suite can be read") {
        let path = entry.expect("the suite can be read").path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            into.push(path);
        }
    }
}

/// What clang makes of a file, with the options that the file's header names first.
fn compiled(path: &Path, flavour: &[&str], form: Form, kept: &Path) -> Option<Arc<[u8]>> {
    let source = std::fs::read_to_string(path).ok()?;
    let mut hasher = FxHasher::default();
    (path, &source, flavour).hash(&mut hasher);
    let kept = kept.join(format!("{:016x}.{}", hasher.finish(), form.extension()));
    if !kept.exists() {
        // Written elsewhere first, for another process may look for it at the same time.
        let fresh = kept.with_extension(std::process::id().to_string());
        let mut clang = Command::new("clang-19");
        clang.args(["-w", "-emit-llvm", "-fno-discard-value-names"]).args(flavour).args(options(&source));
        clang.arg(if form == Form::Text { "-S" } else { "-c" }).arg("-o").arg(&fresh).arg(path);
        clang.stderr(std::process::Stdio::null());
        let made = clang.status().expect("clang-19 can be run").success();
        // An empty file says that it cannot be done.
        let done = if made { std::fs::rename(&fresh, &kept) } else { std::fs::write(&kept, []) };
        done.expect("what clang makes can be kept");
    }
    std::fs::read(kept).ok().filter(|bytes| !bytes.is_empty()).map(Arc::from)
}

/// The options for the compiler of the first revision.
pub(crate) fn options(source: &str) -> impl Iterator<Item = &str> {
    let line = source.lines().find(|line| line.starts_with("//@") && line.contains("cflags:"));
    line.and_then(|line| line.split_once("cflags:")).map_or("", |(_, flags)| flags).split_whitespace()
}
