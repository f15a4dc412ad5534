//! The file that `--save-trace` writes: violations with the schedules that lead to them, and all that it takes to go
//! there again.
//!
//! It is JSON, for people too. What it says of a program is a hash of its code, places in the source included; the
//! hashes of files only serve to say what has changed.
use crate::driver::Recording;
use crate::report::Violation;
use crate::request::Request;
use frontend::ir::{FuncId, GlobalId, LocId, Module};
use interp::fault::StackFrame;
use interp::memory::{ObjectKind, Quarantine, SizeClass};
use interp::{BlockFootprints, InputValue, PromotedPlace, QueueUsage};
use por::{Move, ThreadId};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Number of the format; grows when older files can no longer be read.
const FORMAT: u32 = 1;

/// The most threads that a file may number: what is beyond that was not written by us.
const MOST_THREADS: usize = 10_000;

/// Everything in the file.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trace {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of verify.
    pub version: String,
    /// Its command line, without its own name.
    pub command_line: Vec<String>,
    /// Where that was given.
    pub directory: PathBuf,
    /// The hash of the program.
    pub program: String,
    /// Files that the program was made of, or finds.
    pub files: Vec<HashedFile>,
    /// What is wrong with it.
    pub violations: Vec<Saved>,
}

/// A file and what was in it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct HashedFile {
    /// Its path, seen from the directory.
    pub path: PathBuf,
    /// Of its content.
    pub hash: String,
}

/// A violation and its schedule.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    /// The name of the kind.
    pub kind: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, if known.
    pub place: Option<String>,
    /// The thread that stands there.
    pub thread: u32,
    /// How threads 1, 2, … are numbered: the parent of each, and which of its children it is.
    pub threads: Vec<(u32, u32)>,
    /// Memory whose plain accesses are moves.
    pub promoted: Vec<Promoted>,
    /// Words in which threads count and at which nobody looks, if there are any, and whether as signed numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<(Promoted, bool)>,
    /// What atomic blocks touch, if there are any.
    #[serde(default, skip_serializing_if = "BlockFootprints::is_empty")]
    pub blocks: BlockFootprints,
    /// How queues of messages are kept, if there are any.
    #[serde(default, skip_serializing_if = "is_default")]
    pub queues: QueueUsage,
    /// Size classes of blocks whose addresses are chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reused: Vec<SizeClass>,
    /// How soon addresses are used again; files that do not say so mean: as the chosen engine has it.
    #[serde(default)]
    pub quarantine: Option<Quarantine>,
    /// No number of a thread is used again.
    #[serde(default, skip_serializing_if = "is_default")]
    pub numbers_once: bool,
    /// The number of the layout of memory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub layout: u32,
    /// In which order address space was given out to threads, if it is another one than that of the schedule: which
    /// part of memory, how many the part had before, and length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_out: Vec<(u32, u32, u64)>,
    /// What was never written counts as a value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub uses_unwritten: bool,
    /// Barriers may tell threads that do not look.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tells_unasked: bool,
    /// Waits on a condition variable depend on one another.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orders_waits: bool,
    /// The values of inputs, if these may be anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<InputValue>>,
    /// The schedule.
    pub moves: Vec<SavedMove>,
}

/// A move; what it does is for readers only.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedMove {
    /// The thread that moves.
    pub thread: u32,
    /// Which possibility, if there are several: the thread that a signal wakes, the value that is chosen.
    pub label: u32,
    /// What the move does. `None` for moves after the violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Where, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Bytes whose plain accesses are moves.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Promoted {
    /// Whose they are.
    object: Object,
    /// The first and the last of them.
    bytes: (u64, u64),
}

/// An object, or all that are allocated at one place.
#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Object {
    /// A global variable, by its name.
    Global(String),
    /// The copies of a thread-local one.
    #[serde(rename = "thread-local")]
    ThreadLocal(String),
    /// Copies of an argument of this function.
    Argument(String),
    /// What this function got beyond its parameters.
    Variadic(String),
    /// A local variable: the function, and which of its variables.
    Local(String, u32),
    /// Heap blocks: the call stack, innermost first, by functions and numbers of places in the code.
    Heap(Vec<(String, u32)>),
}

/// Why a file is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TraceError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is something else, or damaged.
    #[error("is no trace of verify: {0}")]
    NoTrace(#[from] serde_json::Error),
    /// An older or newer verify made it.
    #[error("has format {0}, and this is verify {version}, which knows format {FORMAT}", version = env!("CARGO_PKG_VERSION"))]
    Format(u32),
    /// It names what the program does not have.
    #[error("names {0}, which the program does not have")]
    Unfit(String),
    /// What it says cannot be.
    #[error("is no trace of verify: {0}")]
    Impossible(&'static str),
}

impl Trace {
    /// A trace of violations that were found in a program.
    pub(crate) fn new<'a>(
        request: &Request,
        module: &Module,
        found: impl Iterator<Item = (&'a Violation, &'a Recording)>,
    ) -> Self {
        Trace {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command_line: request.save_trace.as_ref().map(|save| save.command_line.clone()).unwrap_or_default(),
            directory: std::env::current_dir().unwrap_or_default(),
            program: program_hash(request, module),
            files: files(request, module),
            violations: found.map(|(violation, recording)| Saved::new(module, violation, recording)).collect(),
        }
    }

    /// Writes it.
    pub(crate) fn save(&self, file: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self).expect("plain data can be written as JSON");
        std::fs::write(file, text + "\n")
    }

    /// Reads one.
    pub(crate) fn load(file: &Path) -> Result<Self, TraceError> {
        /// What every format has.
        #[derive(Deserialize)]
        struct Header {
            format: u32,
        }
        let text = std::fs::read(file)?;
        let header: Header = serde_json::from_slice(&text)?;
        if header.format != FORMAT {
            return Err(TraceError::Format(header.format));
        }
        Ok(serde_json::from_slice(&text)?)
    }

    /// The files that are no longer what they were.
    pub(crate) fn changed_files(&self) -> Vec<&Path> {
        let changed = |file: &&HashedFile| hash_of(&file.path).as_ref() != Some(&file.hash);
        self.files.iter().filter(changed).map(|file| file.path.as_path()).collect()
    }
}

impl Saved {
    fn new(module: &Module, violation: &Violation, recording: &Recording) -> Self {
        let mut steps = violation.trace.iter();
        let moves = recording.moves.iter().map(|step| {
            let described = steps.next();
            SavedMove {
                thread: step.thread.0,
                label: step.label,
                action: described.map(|step| step.action.clone()),
                place: described.and_then(|step| step.place.as_ref()).map(ToString::to_string),
            }
        });
        Saved {
            kind: violation.kind.name().to_owned(),
            message: violation.message.clone(),
            place: violation.place.as_ref().map(ToString::to_string),
            thread: violation.thread.number,
            threads: recording.threads.iter().map(|(parent, place)| (parent.0, *place)).collect(),
            promoted: recording.promoted.iter().filter_map(|place| Promoted::new(module, place)).collect(),
            counted: recording
                .counted
                .iter()
                .filter_map(|(word, signed)| Some((Promoted::new(module, word)?, *signed)))
                .collect(),
            blocks: recording.blocks.clone(),
            queues: recording.queues,
            reused: recording.reused.clone(),
            quarantine: recording.quarantine,
            numbers_once: recording.numbers_once,
            given_out: recording.given_out.clone(),
            layout: recording.layout,
            uses_unwritten: recording.uses_unwritten,
            tells_unasked: recording.tells_unasked,
            orders_waits: recording.orders_waits,
            inputs: recording.inputs.clone(),
            moves: moves.collect(),
        }
    }

    /// What the machine needs of it.
    pub(crate) fn recording(&self, module: &Module) -> Result<Recording, TraceError> {
        if self.threads.len() > MOST_THREADS {
            return Err(TraceError::Impossible("so many threads cannot be"));
        }
        if self.threads.iter().zip(1..).any(|((parent, _), number)| *parent >= number) {
            return Err(TraceError::Impossible("a thread is older than the one that created it"));
        }
        Ok(Recording {
            moves: self.moves.iter().map(|step| Move { thread: ThreadId(step.thread), label: step.label }).collect(),
            threads: self.threads.iter().map(|(parent, place)| (ThreadId(*parent), *place)).collect(),
            promoted: self.promoted.iter().map(|place| place.find(module)).collect::<Result<_, _>>()?,
            counted: self
                .counted
                .iter()
                .map(|(word, signed)| word.find(module).map(|word| (word, *signed)))
                .collect::<Result<_, _>>()?,
            blocks: self.blocks.clone(),
            queues: self.queues,
            reused: self.reused.clone(),
            quarantine: self.quarantine,
            numbers_once: self.numbers_once,
            given_out: self.given_out.clone(),
            layout: self.layout,
            uses_unwritten: self.uses_unwritten,
            tells_unasked: self.tells_unasked,
            orders_waits: self.orders_waits,
            inputs: self.inputs.clone(),
        })
    }

    /// Whether that is this violation.
    pub(crate) fn is(&self, violation: &Violation) -> bool {
        self.kind == violation.kind.name()
            && self.message == violation.message
            && self.thread == violation.thread.number
            && self.place == violation.place.as_ref().map(ToString::to_string)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Promoted {
    fn new(module: &Module, place: &PromotedPlace) -> Option<Self> {
        let name = |function: FuncId| module.functions[function.index()].name.clone();
        let variable = |id: GlobalId| module.globals[id.index()].name.clone();
        let object = match place.kind {
            ObjectKind::Global(id) => Object::Global(variable(id)),
            ObjectKind::ThreadLocal(id) => Object::ThreadLocal(variable(id)),
            ObjectKind::Argument(function) => Object::Argument(name(function)),
            ObjectKind::Variadic(function) => Object::Variadic(name(function)),
            ObjectKind::Stack(function, variable) => Object::Local(name(function), variable),
            ObjectKind::Heap => {
                Object::Heap(place.allocated.iter().map(|frame| (name(frame.function), frame.location.0)).collect())
            }
            // The program's threads do not share what is the library's own.
            ObjectKind::Internal(_) => return None,
        };
        Some(Promoted { object, bytes: (place.first, place.last) })
    }

    fn find(&self, module: &Module) -> Result<PromotedPlace, TraceError> {
        let function =
            |name: &str| module.function(name).ok_or_else(|| TraceError::Unfit(format!("the function `{name}`")));
        // (These are no bytes, but the end of the object's life.)
        if self.bytes.0 > self.bytes.1 && self.bytes != (u64::MAX, 0) {
            return Err(TraceError::Impossible("the last byte of a place comes before the first"));
        }
        let variable = |name: &str| {
            let place = module.globals.iter().position(|global| global.name == name);
            let unfit = || TraceError::Unfit(format!("the variable `{name}`"));
            place.map(|place| GlobalId(place as u32)).ok_or_else(unfit)
        };
        let (kind, allocated) = match &self.object {
            Object::Global(name) => (ObjectKind::Global(variable(name)?), Vec::new()),
            Object::ThreadLocal(name) => (ObjectKind::ThreadLocal(variable(name)?), Vec::new()),
            Object::Argument(name) => (ObjectKind::Argument(function(name)?), Vec::new()),
            Object::Variadic(name) => (ObjectKind::Variadic(function(name)?), Vec::new()),
            Object::Local(name, variable) => (ObjectKind::Stack(function(name)?, *variable), Vec::new()),
            Object::Heap(stack) => {
                let frame = |(name, place): &(String, u32)| match (*place as usize) < module.locations.len() {
                    true => Ok(StackFrame { function: function(name)?, location: LocId(*place) }),
                    false => Err(TraceError::Unfit(format!("place number {place}"))),
                };
                (ObjectKind::Heap, stack.iter().map(frame).collect::<Result<_, _>>()?)
            }
        };
        Ok(PromotedPlace { kind, allocated, first: self.bytes.0, last: self.bytes.1 })
    }
}

/// The hash of a program: its code with all places, and the files that it finds.
pub(crate) fn program_hash(request: &Request, module: &Module) -> String {
    /// Text that is hashed as it comes.
    struct Hashed(Xxh3);
    impl std::fmt::Write for Hashed {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut hashed = Hashed(Xxh3::new());
    std::fmt::Write::write_fmt(&mut hashed, format_args!("{module}")).expect("hashing never fails");
    for (name, content) in &request.machine.files {
        hashed.0.update(name.as_bytes());
        hashed.0.update(&(content.len() as u64).to_le_bytes());
        hashed.0.update(content);
    }
    format!("{:032x}", hashed.0.digest128())
}

/// The sources and inputs that can be read now, each once.
fn files(request: &Request, module: &Module) -> Vec<HashedFile> {
    let mut paths: Vec<PathBuf> = request.inputs.clone();
    paths.extend(module.files.iter().map(PathBuf::from));
    paths.sort();
    paths.dedup();
    paths.into_iter().filter_map(|path| hash_of(&path).map(|hash| HashedFile { path, hash })).collect()
}

fn hash_of(path: &Path) -> Option<String> {
    let regular = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let content = regular.then(|| std::fs::read(path).ok()).flatten()?;
    Some(format!("{:032x}", xxh3_128(&content)))
}
