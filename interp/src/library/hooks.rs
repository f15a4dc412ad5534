//! How library models plug into the machine.
//!
//! A call of a function without a body is resolved by name, in this order: a model of the [`Registry`], else "unknown
//! (call of an unmodelled function)" when the call is reached. A model for a function that the program defines
//! itself is used only if [`Registered::overrides_definition`] says so (`reach_error`, `__VERIFIER_…`).
//!
//! One file: most of it is one trait, `Call`, with a method for all that a model may do.
pub use crate::library::data::{Data, Text};
use crate::library::global;
pub use crate::library::global::{LibraryContent, LibraryGlobal};
pub use crate::library::pages::{PageChange, PagesChanged, Rights, Shows};
pub use crate::library::passing::{Failure, Passing, Prints, Shown};
use crate::operation::{Operation, Source};
use crate::options::Open;
pub use crate::symbolic::TermUse;
pub use crate::term::Op;
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use frontend::ir::Module;
pub use por::ThreadId;
use std::sync::Arc;

/// What a model did.
#[derive(Clone, Debug)]
pub enum ModelResult {
    /// Done; the result (low word, high word), ignored for void functions.
    Return([u64; 2]),
    /// The same, of a result of up to 64 bits that may depend on inputs.
    Data(Data),
    /// The thread must stop before this visible operation, whose result becomes the call's result.
    Operate(Operation),
    /// The same, but the call is not over when the operation has happened: `finish` sees the call again (with the same
    /// arguments) and what came of the operation, and says how to go on. What it does are local steps behind the
    /// operation, such as storing a result through a pointer.
    Then {
        /// The visible operation.
        operation: Operation,
        /// What to do behind it.
        finish: Finish,
    },
    /// Call this function of the program with these one-slot arguments; its result becomes the call's result.
    Tail {
        /// Its address.
        function: u64,
        /// One slot each.
        arguments: Vec<u64>,
    },
    /// `setjmp`: returns 0 now, and again whenever the thread comes back by [`ModelResult::RestoreContext`].
    SaveContext {
        /// Address of the buffer, of which two words of the size of a pointer are used.
        buffer: u64,
    },
    /// `longjmp`: the call that saved the context returns again. Misuse if its function has returned, or if it is
    /// another thread's.
    RestoreContext {
        /// Address of the buffer.
        buffer: u64,
        /// What it returns.
        value: u64,
    },
    /// `exit`: the calling thread runs the functions registered by [`Call::at_exit`] and the module's destructors, then
    /// stands before [`Operation::ProcessExit`]. (`_exit` raises that operation itself.)
    Exit {
        /// The status, an `int`.
        status: u64,
    },
    /// The call does not return and the thread is over (used after the model raised nothing else).
    Never,
}

impl ModelResult {
    /// A result of one word.
    pub fn value(value: u64) -> ModelResult {
        ModelResult::Return([value, 0])
    }
}

/// The second half of a model, see [`ModelResult::Then`].
pub type Finish = fn(&mut dyn Call, Outcome) -> Result<ModelResult, ModelError>;

/// What came of a visible operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Its result (low word, high word): the old value of an atomic access, an error number, …
    pub value: [u64; 2],
    /// The bits of it that were never given a value. Only atomic accesses leave any.
    pub undefined: [u64; 2],
    /// For a compare-exchange: whether it took place. True for everything else.
    pub success: bool,
}

/// Why a call could not be carried out. Made by the methods of [`Call`]; models pass it on with `?`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelError {
    /// A violation by the program; the machine adds the place and the stacks.
    Fault {
        /// What is wrong.
        kind: Kind,
        /// One sentence.
        message: String,
        /// Further places: (message, address of the object whose allocation or free site is meant) is resolved by the
        /// machine already; plain text here.
        related: Vec<crate::verdict::fault::Related>,
    },
    /// Not modelled, or a limit: the verdict becomes unknown for this reason.
    Unknown(String),
    /// Something that depends on inputs is decided first; then the call begins anew. See [`Call::decide`].
    Undecided,
}

/// A model: decodes the arguments and does the work, or names the visible operation.
pub type Model = fn(&mut dyn Call) -> Result<ModelResult, ModelError>;

/// How the bits of an input are shown as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It may be negative.
    Signed,
    /// It may not.
    Unsigned,
}

/// An entry of the registry.
#[derive(Clone, Copy)]
pub struct Registered {
    /// The C name.
    pub name: &'static str,
    /// The group that it is documented in: "threads", "mutexes", "strings", …
    pub family: &'static str,
    /// What a user should know beyond the manual page, in one line: what is assumed, what is left out. May be empty.
    pub note: &'static str,
    /// What it does.
    pub model: Model,
    /// Used even where the program has a definition of its own.
    pub overrides_definition: bool,
    /// It may make blocks on the heap.
    pub allocates: bool,
    /// It makes one block of as many bytes, and does nothing before that.
    pub block: Option<BlockSize>,
    /// What it is to a thread that may wait, unless it does something.
    pub passing: Option<Passing>,
    /// It only prints.
    pub prints: Option<Prints>,
    /// What it takes values for that depend on inputs.
    pub takes: TermUse,
    /// It is known and not modelled: it only says why.
    pub refused: bool,
}

/// How large the block is that a call makes.
pub type BlockSize = fn(&dyn Call) -> u64;

impl Registered {
    /// The same, but it makes one block of as many bytes on the heap, and does nothing before that.
    pub const fn making(self, block: BlockSize) -> Registered {
        Registered { allocates: true, block: Some(block), ..self }
    }

    /// The same, but it may make blocks on the heap.
    pub const fn allocating(self) -> Registered {
        Registered { allocates: true, ..self }
    }

    /// The same, but it does nothing, and returns 0 if anything.
    pub const fn idling(self) -> Registered {
        Registered { passing: Some(Passing::Idles), ..self }
    }

    /// The same, but it takes something, or fails like this and does nothing else.
    pub const fn trying(self, failure: Failure) -> Registered {
        Registered { passing: Some(Passing::Tries(failure)), ..self }
    }

    /// The same, but it locks the mutex to which its argument leads and does nothing else.
    pub const fn locking(self) -> Registered {
        Registered { passing: Some(Passing::Locks), ..self }
    }

    /// The same, but it unlocks the mutex to which its argument leads.
    pub const fn unlocking(self) -> Registered {
        Registered { passing: Some(Passing::Unlocks), ..self }
    }

    /// The same, but it reads the time to which the argument with that index leads, and does nothing and returns 0 if
    /// it is one.
    pub const fn sleeping(self, argument: usize) -> Registered {
        Registered { passing: Some(Passing::Sleeps(argument)), ..self }
    }

    /// The same, but it only prints.
    pub const fn printing(self, what: Prints) -> Registered {
        Registered { prints: Some(what), ..self }
    }

    /// The same, but it only says why it is not modelled.
    pub const fn refusing(self) -> Registered {
        Registered { refused: true, ..self }
    }

    /// The same, but of its first argument it only asks whether that is 0.
    pub const fn asking(self) -> Registered {
        Registered { takes: TermUse::Truth, ..self }
    }

    /// The same, but what it reads as [`Data`] may depend on inputs. It decides before it changes anything.
    pub const fn on_data(self) -> Registered {
        Registered { takes: TermUse::Data, ..self }
    }

    /// The same, but it only ends the execution if its argument is 0.
    pub const fn assuming(self) -> Registered {
        Registered { passing: Some(Passing::Assumes), takes: TermUse::Truth, ..self }
    }
}

/// All models, by name.
#[derive(Clone, Default)]
pub struct Registry {
    /// Sorted by name.
    entries: Vec<Registered>,
    /// Variables that the library defines.
    globals: Vec<LibraryGlobal>,
    /// Functions at which a thread that is asked to end does so, by name.
    points: &'static [(CancellationPoint, &'static [&'static str])],
    /// What else the library has, which is not modelled, sorted.
    others: Vec<&'static str>,
    /// A function of the program by a name that only the user knows, with what it does instead.
    replaced: Option<(String, Registered)>,
}

/// Whether a call is a cancellation point. (Those that wait are so by what they do.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CancellationPoint {
    /// By the rules.
    Always,
    /// The rules allow it.
    Perhaps,
}

impl Registry {
    /// A registry of these models.
    ///
    /// # Panics
    /// When a name occurs twice.
    pub fn new(mut entries: Vec<Registered>) -> Self {
        entries.sort_by_key(|e| e.name);
        for pair in entries.windows(2) {
            assert!(pair[0].name != pair[1].name, "two models for {}", pair[0].name);
        }
        Registry { entries, ..Registry::default() }
    }

    /// The same with names of functions and variables that the library has and that are not modelled.
    pub fn with_others(self, names: impl Iterator<Item = &'static str>) -> Self {
        let mut others: Vec<_> = names.collect();
        others.sort_unstable();
        Registry { others, ..self }
    }

    /// Whether the library has a function or variable of that name, be it modelled or not.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some() || self.others.binary_search(&name).is_ok()
    }

    /// Whether the library has a variable of that name, or knows one.
    pub fn has_global(&self, name: &str) -> bool {
        self.has(name) || self.globals.iter().any(|global| global.name == name)
    }

    /// The same with these cancellation points.
    pub fn with_cancellation_points(self, points: &'static [(CancellationPoint, &'static [&'static str])]) -> Self {
        Registry { points, ..self }
    }

    /// Whether the function of that name is a cancellation point.
    pub fn cancellation_point(&self, name: &str) -> Option<CancellationPoint> {
        self.points.iter().find(|(_, names)| names.contains(&name)).map(|(point, _)| *point)
    }

    /// The same with these variables of the library.
    pub fn with_globals(self, globals: Vec<LibraryGlobal>) -> Self {
        Registry { globals, ..self }
    }

    /// The same, but the function of that name does this (whatever the model itself is called).
    pub fn with_replacement(self, name: String, model: Registered) -> Self {
        Registry { replaced: Some((name, model)), ..self }
    }

    /// The model for a name.
    pub fn get(&self, name: &str) -> Option<&Registered> {
        if let Some((_, model)) = self.replaced.as_ref().filter(|(replaced, _)| replaced == name) {
            return Some(model);
        }
        self.entries.binary_search_by(|e| e.name.cmp(name)).ok().map(|i| &self.entries[i])
    }

    /// All entries, by name.
    pub fn entries(&self) -> &[Registered] {
        &self.entries
    }

    /// Defines the library's variables in a module. To be called once, before the machine lays out memory: variables
    /// that the program declares get their content, the hidden ones of the models (asked for with [`Call::global`]) are
    /// added.
    pub fn provide_globals(&self, module: &mut Module) {
        global::provide(&self.globals, module);
    }
}

/// What a model sees of the machine during a call. All memory accesses are checked, take part in race detection as
/// plain accesses by the calling thread, and are undone when the exploration goes back.
pub trait Call {
    /// The function's name.
    fn name(&self) -> &str;
    /// The calling thread.
    fn thread(&self) -> ThreadId;
    /// Number of arguments, the variadic ones included.
    fn arguments(&self) -> usize;
    /// First word of argument `index` (0 if there is none). Integers are zero-extended from their width.
    fn argument(&self, index: usize) -> u64;
    /// Word `word` (0 or 1) of argument `index`.
    fn argument_word(&self, index: usize, word: usize) -> u64;
    /// First word of argument `index`; `None` if there is none, or it depends on inputs, or has no value.
    fn known_argument(&self, index: usize) -> Option<u64>;
    /// Size of argument `index` in bytes, as passed.
    fn argument_bytes(&self, index: usize) -> u32;
    /// Faults with kind `uninitialised` if the argument's value was never written.
    fn require_initialised(&mut self, index: usize) -> Result<(), ModelError>;
    /// First word of argument `index`, with the same fault.
    fn initialised_argument(&mut self, index: usize) -> Result<u64, ModelError>;
    /// 8 or 4.
    fn pointer_bytes(&self) -> u64;
    /// Whether the program uses the call's result.
    fn result_is_used(&self) -> bool;

    /// What 1, 2, 4 or 8 bytes hold now, which is no access; `None` if they are not there, have no value, or may depend
    /// on inputs.
    fn peek(&self, address: u64, size: u64) -> Option<u64>;
    /// Reads 1, 2, 4 or 8 bytes; unwritten bytes are a fault (`uninitialised`).
    fn load(&mut self, address: u64, size: u64) -> Result<u64, ModelError>;
    /// Writes 1, 2, 4 or 8 bytes.
    fn store(&mut self, address: u64, size: u64, value: u64) -> Result<(), ModelError>;
    /// Reads 1, 2, 4 or 8 bytes: the value, and the bits of it that were never given one, which are 0 in it.
    fn load_partly(&mut self, address: u64, size: u64) -> Result<(u64, u64), ModelError>;
    /// Writes 1, 2, 4 or 8 bytes, of which these bits have no value.
    fn store_partly(&mut self, address: u64, size: u64, value: u64, undefined: u64) -> Result<(), ModelError>;
    /// Reads `len` bytes; unwritten bytes are a fault.
    fn load_bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, ModelError>;
    /// Writes bytes.
    fn store_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), ModelError>;
    /// The bytes of a C string, without its end.
    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, ModelError>;
    /// memmove: unwritten bytes stay unwritten.
    fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<(), ModelError>;
    /// memset.
    fn fill(&mut self, to: u64, byte: u8, len: u64) -> Result<(), ModelError>;

    /// Argument `index` in that many bits.
    fn argument_data(&mut self, index: usize, bits: u8) -> Result<Data, ModelError>;
    /// Argument `index`, which is the length of ranges at these addresses, all of which will be accessed.
    fn length_of_ranges(&mut self, index: usize, places: &[u64]) -> Result<u64, ModelError>;
    /// Reads 1, 2, 4 or 8 bytes; unwritten bytes are a fault.
    fn load_data(&mut self, address: u64, size: u64) -> Result<Data, ModelError>;
    /// Writes data of 1, 2, 4 or 8 bytes.
    fn store_data(&mut self, address: u64, data: Data) -> Result<(), ModelError>;
    /// Reads `len` bytes; unwritten bytes are a fault.
    fn bytes(&mut self, address: u64, len: u64) -> Result<Text, ModelError>;
    /// The bytes of a C string, without its end. Decides where that is.
    fn text(&mut self, address: u64) -> Result<Text, ModelError>;
    /// An operation on data of the same width.
    fn compute(&mut self, op: Op, a: Data, b: Data) -> Data;
    /// The second if the first, a single bit, is 1; else the third.
    fn choose(&mut self, condition: Data, a: Data, b: Data) -> Data;
    /// The lowest bits, or zeros (or copies of the sign) in front.
    fn resize(&mut self, data: Data, bits: u8, sign: Sign) -> Data;
    /// Whether a single bit is 1. Where that depends on inputs, the thread has to choose: the call is given up with
    /// [`ModelError::Undecided`], and made again when that is done. So nothing may have been changed before.
    fn decide(&mut self, condition: Data) -> Result<bool, ModelError>;

    /// A new heap object. Content unwritten, or zero bytes.
    fn allocate(&mut self, size: u64, align: u64, content: Content) -> Result<u64, ModelError>;
    /// Frees a heap object; anything but the start of a live heap object (or null: nothing) is a fault.
    fn free(&mut self, address: u64) -> Result<(), ModelError>;
    /// The same as the last thing that a call does, whose result is then 0: a visible operation if it has to be one.
    fn free_at_last(&mut self, address: u64) -> Result<ModelResult, ModelError> {
        self.free(address)?;
        Ok(ModelResult::value(0))
    }
    /// Size of the live heap object that starts here; a fault as in `free`.
    fn allocation_size(&mut self, address: u64) -> Result<u64, ModelError>;

    /// A new block of whole pages with these rights, filled with zeros.
    fn map_pages(&mut self, size: u64, rights: Rights, shows: Shows) -> Result<u64, ModelError>;
    /// Changes whole pages of such a block: from a multiple of the size of pages on, so many bytes, which are not 0.
    fn change_pages(&mut self, address: u64, length: u64, change: PageChange) -> Result<PagesChanged, ModelError>;
    /// First address and size of the block with pages, if the address is in one.
    fn mapping_at(&self, address: u64) -> Option<(u64, u64)>;
    /// What it shows.
    fn mapping_shows(&mut self, address: u64) -> Shows;
    /// Whether something is alive at the address.
    fn is_alive(&self, address: u64) -> bool;

    /// Prepares a mutex of that kind; a plain write of its bytes as far as races go. Initialising a live one is misuse.
    fn mutex_init(&mut self, mutex: u64, kind: MutexKind, robustness: Robustness) -> Result<(), ModelError>;
    /// The calling thread, which holds a robust mutex whose holder had ended, has made things consistent; else EINVAL.
    fn mutex_consistent(&mut self, mutex: u64) -> Result<u64, ModelError>;
    /// Prepares a condition variable.
    fn cond_init(&mut self, condition: u64) -> Result<(), ModelError>;
    /// Prepares a reader-writer lock.
    fn read_write_init(&mut self, lock: u64) -> Result<(), ModelError>;
    /// Prepares a spin lock.
    fn spin_init(&mut self, lock: u64) -> Result<(), ModelError>;
    /// The calling thread's handle (pthread_t).
    fn self_handle(&mut self) -> u64;
    /// Whether the handle names a thread that exists or existed.
    fn is_thread(&mut self, handle: u64) -> bool;
    /// Whether no second thread was ever created.
    fn is_alone(&self) -> bool;
    /// Address of a global variable (not a thread-local one) of the program or of the library, by its linkage name.
    fn global(&self, name: &str) -> Option<u64>;
    /// Address of the process's environment: pointers to `NAME=value` strings, the last one null.
    fn environment(&self) -> u64;
    /// Address of the calling thread's values for keys, one pointer each; 0 if it has none and none are to be made.
    fn specific_values(&mut self, make: bool) -> Result<u64, ModelError>;
    /// Address of `argv`.
    fn main_arguments(&self) -> u64;
    /// The content of a file that the program may find, by its name.
    fn file(&self, name: &[u8]) -> Option<Arc<[u8]>>;
    /// The name of such a file, by its number.
    fn file_name(&self, number: usize) -> Option<&str>;
    /// Address of the calling thread's errno, for whoever may look at it.
    fn errno_address(&mut self) -> Result<u64, ModelError>;
    /// Stores an error number in the calling thread's errno.
    fn set_errno(&mut self, error: u32) -> Result<(), ModelError>;

    /// Appends to the program's output (1: stdout, 2: stderr).
    fn output(&mut self, stream: u8, bytes: &[u8]);
    /// How many values `nondet` may enumerate (`--nondet N`); 0 if the option was not given.
    fn nondet_values(&self) -> u32;
    /// Reads an input of so many bits as the last thing that the call does, if inputs may be anything.
    fn input(&mut self, bits: u8, sign: Sign, source: Source) -> Option<Result<ModelResult, ModelError>>;
    /// What may be anything besides such inputs.
    fn open(&self) -> &Open;
    /// A new object for an argument of `main`, or for the array of these: zeros, which nobody can free.
    fn argument_room(&mut self, size: u64) -> Result<u64, ModelError>;
    /// Notes that a "safe" would rest on this assumption.
    fn assume(&mut self, assumption: Assumption);
    /// Two words were compared and differ: whether they would if one of them is an address that comes again.
    fn note_unequal(&mut self, one: u64, other: u64);
    /// A fault of this kind at this call.
    fn fault(&self, kind: Kind, message: String) -> ModelError {
        ModelError::Fault { kind, message, related: Vec::new() }
    }
    /// Switches cancellation of the calling thread on or off; whether it was on.
    fn enable_cancellation(&mut self, on: bool) -> bool;
    /// A cleanup handler comes: the context to go back to when the thread ends.
    fn push_cleanup(&mut self, buffer: u64);
    /// The last one, which that must be, is taken away.
    fn pop_cleanup(&mut self, buffer: u64) -> Result<(), ModelError>;
    /// The value with which the thread ends, while its cleanup handlers run.
    fn ends_with(&self) -> u64;
    /// The innermost atomic block ends.
    fn atomic_end(&mut self) -> Result<(), ModelError>;
    /// Registers a function of the program to call when the process exits (atexit), with an argument if it takes one.
    fn at_exit(&mut self, function: u64, argument: u64) -> Result<(), ModelError>;
    /// Command-line arguments and other settings do not belong here: main's arguments are set up by the machine.
    /// The deterministic clock, in nanoseconds: it grows with each look at it and along happens-before, and depends on
    /// nothing else that other threads do, so that threads that only look at it stay independent.
    fn look_at_clock(&mut self) -> u64;
    /// Whether the program may look at it.
    fn may_look_at_clock(&self) -> bool;
    /// So many nanoseconds pass for the thread.
    fn pass_time(&mut self, nanoseconds: u64);
    /// Time passes for the thread until then, in nanoseconds, if that is not over yet.
    fn pass_time_until(&mut self, time: u64);
}

/// Where the library keeps the keys of thread-specific values: a variable of this name, which begins with the number of
/// keys made so far (8 bytes). Then each has 8 bytes that are not 0 while it may be used, and 8 with its destructor,
/// which threads that end look at.
#[derive(Clone, Copy, Debug)]
pub struct Keys;

impl Keys {
    /// Name of the variable.
    pub const TABLE: &str = "keys of thread-specific values";
    /// So many there may be.
    pub const MOST: u64 = 128;
    /// Bytes of the variable.
    pub const BYTES: u64 = 8 + 16 * Self::MOST;

    /// Offset of what there is on a key.
    pub fn entry(key: u64) -> u64 {
        8 + 16 * key
    }
}

/// Content of fresh memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Never written.
    Unwritten,
    /// Zero bytes.
    Zero,
}

/// POSIX mutex types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MutexKind {
    /// Locking again deadlocks; unlocking a stranger's is misuse.
    Normal,
    /// Counts.
    Recursive,
    /// Errors are returned.
    ErrorCheck,
}

/// What becomes of a mutex if the thread that holds it ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Robustness {
    /// It stays locked.
    Stalled,
    /// Whoever locks it next is told.
    Robust,
}
