//! Byte-accurate memory.
mod code;
mod error;
mod ids;
mod stacks;

pub use code::CodeAddress;
pub use error::{AccessError, Attempt, MemoryError, Problem, Site};
pub use ids::{ObjectIds, ObjectKey, Role};
pub use stacks::{StackId, Stacks};

use crate::fault::Related;
use crate::hooks::Content;
use crate::race::{Detector, RaceModel};
use frontend::ir::{FuncId, GlobalId, Module, Pc};
use por::ThreadId;

/// Who accesses memory, and where. Built only on slow paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The thread.
    pub thread: ThreadId,
    /// How many events of the thread must have happened for this access to happen.
    pub event: u32,
    /// Where.
    pub stack: StackId,
    /// As what the race detector shall see it.
    pub mode: Mode,
}

/// As what the race detector sees an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// An ordinary access.
    Plain,
    /// An atomic access, or one by an operation on a synchronisation object.
    Atomic,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A thread's copy of a thread-local variable.
    ThreadLocal(GlobalId),
    /// A stack variable: which of [`frontend::ir::Function::allocas`].
    Stack(FuncId, u32),
    /// A copy of an argument passed by value (byval).
    Argument(FuncId),
    /// The variable arguments of a call.
    Variadic(FuncId),
    /// A heap block.
    Heap,
    /// Something of the library or the machine.
    Internal(Internal),
}

/// Memory of the library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Internal {
    /// A thread's `errno`.
    Errno,
    /// What stands behind `stdin`, `stdout`, `stderr`.
    Stream,
    /// The arguments of `main`, or the environment.
    Arguments,
    /// Tables of `<ctype.h>` and the like.
    Table,
}

/// What is to be allocated.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What for.
    pub kind: ObjectKind,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two (0 and 1: any; at least 16 is given).
    pub align: u64,
    /// Initial content.
    pub content: Content,
}

/// A loaded value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// The bytes, little-endian, zero-extended; those never written are 0.
    pub value: u64,
    /// Bit `i` is set if byte `i` was never written. A copy of a struct with padding through a register has some: hand
    /// the mask to [`Memory::store_partial`], and complain only when such a byte is *used*.
    pub unwritten: u8,
}

/// What is known of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub kind: ObjectKind,
    /// Its first address.
    pub base: u64,
    /// Its bytes.
    pub size: u64,
    /// How many objects began at this address before.
    pub generation: u32,
    /// Whether it may be accessed.
    pub live: bool,
    /// Where it was allocated.
    pub allocated: Site,
    /// Where it was freed, if it was.
    pub freed: Option<Site>,
}

/// The memory of the program under test, its call stacks, object numbers and race detector.
///
/// `mark` and `undo` nest; between two marks nothing accumulates, however long a thread runs.
pub struct Memory {
    /// Call stacks.
    pub stacks: Stacks,
    /// Numbers of the objects that the explorer sees.
    pub ids: ObjectIds,
    /// The race detector. Its state is marked and undone with the memory.
    pub race: Detector,
    code: code::CodeLayout,
}

impl Memory {
    /// Empty memory for this program.
    pub fn new(module: &Module, model: RaceModel) -> Self {
        Memory {
            stacks: Stacks::default(),
            ids: ObjectIds::default(),
            race: Detector::new(model),
            code: code::CodeLayout::new(module),
        }
    }

    /// Remembers the state.
    pub fn mark(&mut self) {
        unreachable!()
    }
    /// Goes back to the last mark and forgets it.
    pub fn undo(&mut self) {
        unreachable!()
    }

    // --- fast paths: `None`/`false` means "use the complete form", never an error by itself ---

    /// Reads `SIZE` (1, 2, 4, 8) bytes if all is plain sailing.
    #[inline]
    pub fn fast_load<const SIZE: usize>(&mut self, address: u64) -> Option<u64> {
        let _ = address;
        unreachable!()
    }
    /// Writes `SIZE` (1, 2, 4, 8) bytes if all is plain sailing.
    #[inline]
    pub fn fast_store<const SIZE: usize>(&mut self, address: u64, value: u64) -> bool {
        let _ = (address, value);
        unreachable!()
    }

    // --- complete forms ---

    /// Reads 1…8 bytes.
    pub fn load(
        &mut self,
        origin: &Origin,
        address: u64,
        size: u64,
    ) -> Result<Loaded, AccessError> {
        let _ = (origin, address, size);
        unreachable!()
    }
    /// Writes 1…8 bytes.
    pub fn store(
        &mut self,
        origin: &Origin,
        address: u64,
        size: u64,
        value: u64,
    ) -> Result<(), AccessError> {
        self.store_partial(
            origin,
            address,
            size,
            Loaded {
                value,
                unwritten: 0,
            },
        )
    }
    /// Writes 1…8 bytes, some of which stay (become) unwritten.
    pub fn store_partial(
        &mut self,
        origin: &Origin,
        address: u64,
        size: u64,
        value: Loaded,
    ) -> Result<(), AccessError> {
        let _ = (origin, address, size, value);
        unreachable!()
    }
    /// Appends `len` bytes to `out`; says which is the first that was never written, if any.
    pub fn load_bytes(
        &mut self,
        origin: &Origin,
        address: u64,
        len: u64,
        out: &mut Vec<u8>,
    ) -> Result<Option<u64>, AccessError> {
        let _ = (origin, address, len, out);
        unreachable!()
    }
    /// Appends the bytes of a C string, without its end, to `out`; as [`Memory::load_bytes`].
    pub fn load_string(
        &mut self,
        origin: &Origin,
        address: u64,
        out: &mut Vec<u8>,
    ) -> Result<Option<u64>, AccessError> {
        let _ = (origin, address, out);
        unreachable!()
    }
    /// Writes bytes.
    pub fn store_bytes(
        &mut self,
        origin: &Origin,
        address: u64,
        bytes: &[u8],
    ) -> Result<(), AccessError> {
        let _ = (origin, address, bytes);
        unreachable!()
    }
    /// memmove: unwritten bytes stay unwritten.
    pub fn copy(
        &mut self,
        origin: &Origin,
        to: u64,
        from: u64,
        len: u64,
    ) -> Result<(), AccessError> {
        let _ = (origin, to, from, len);
        unreachable!()
    }
    /// memset.
    pub fn fill(
        &mut self,
        origin: &Origin,
        to: u64,
        byte: u8,
        len: u64,
    ) -> Result<(), AccessError> {
        let _ = (origin, to, byte, len);
        unreachable!()
    }
    /// Makes bytes unwritten (a store of an undefined value).
    pub fn store_unwritten(
        &mut self,
        origin: &Origin,
        to: u64,
        len: u64,
    ) -> Result<(), AccessError> {
        let _ = (origin, to, len);
        unreachable!()
    }
    /// Only the checks (also the race detector's) of an access: an operation on a synchronisation object is an
    /// [`Mode::Atomic`] `Attempt::Synchronise` (a read), its initialisation a plain `Attempt::Write`.
    pub fn touch(
        &mut self,
        origin: &Origin,
        attempt: Attempt,
        address: u64,
        len: u64,
    ) -> Result<(), AccessError> {
        let _ = (origin, attempt, address, len);
        unreachable!()
    }

    // --- without any check or race detection ---

    /// The eight bytes at a multiple of eight, 0 where there is nothing: the word of a granule.
    pub fn granule(&self, address: u64) -> u64 {
        let _ = address;
        unreachable!()
    }
    /// Writes bytes that must lie in a live object, constant or not: initialisation.
    pub fn poke(&mut self, address: u64, bytes: &[u8]) {
        let _ = (address, bytes);
        unreachable!()
    }

    // --- objects ---

    /// A new object. Globals belong to no thread's pool; everything else goes to the pool of `origin.thread`.
    pub fn allocate(&mut self, origin: &Origin, request: Request) -> Result<u64, AccessError> {
        let _ = (origin, request);
        unreachable!()
    }
    /// `free` of a heap block; the address must be its start. Counts as a plain write of every byte.
    pub fn free(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let _ = (origin, address);
        unreachable!()
    }
    /// The end of a stack, thread-local, argument or variadic object: the same, for objects that the machine made.
    pub fn end(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let _ = (origin, address);
        unreachable!()
    }
    /// The stack object's life begins (again): its content is unwritten.
    pub fn lifetime_start(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let _ = (origin, address);
        unreachable!()
    }
    /// The stack object's life ends, but its address stays its own until [`Memory::end`].
    pub fn lifetime_end(&mut self, origin: &Origin, address: u64) -> Result<(), AccessError> {
        let _ = (origin, address);
        unreachable!()
    }
    /// Size of the live heap block that starts here.
    pub fn heap_size(&self, address: u64) -> Result<u64, AccessError> {
        let _ = address;
        unreachable!()
    }
    /// Makes an object read-only from now on (constants, once initialised).
    pub fn protect(&mut self, address: u64) {
        let _ = address;
        unreachable!()
    }
    /// The object, live or not, whose address range (with what follows it up to the next object) holds the address.
    pub fn object_at(&self, address: u64) -> Option<ObjectInfo> {
        let _ = address;
        unreachable!()
    }
    /// The live object that starts at or contains the address, and the offset in it, as the explorer names it.
    pub fn key_at(&self, role: Role, address: u64) -> Option<ObjectKey> {
        let _ = (role, address);
        unreachable!()
    }
    /// All live objects of the heap, by address.
    pub fn heap_blocks(&self) -> Vec<ObjectInfo> {
        unreachable!()
    }

    // --- code ---

    /// The address of a function.
    pub fn function_address(&self, function: FuncId) -> u64 {
        self.code.function(function)
    }
    /// The address of a label.
    pub fn label_address(&self, function: FuncId, pc: Pc) -> u64 {
        self.code.label(function, pc)
    }
    /// What a code address names.
    pub fn code_at(&self, address: u64) -> Option<CodeAddress> {
        self.code.decode(address)
    }

    // --- reports ---

    /// The sentence and the related places (allocation, free) of a memory error.
    pub fn explain(&self, module: &Module, error: &MemoryError) -> (String, Vec<Related>) {
        let _ = (module, error);
        unreachable!()
    }
    /// The sentence and the other access of a data race; `involved` is in the race itself.
    pub fn explain_race(
        &self,
        module: &Module,
        race: &crate::race::Race,
    ) -> (String, Vec<Related>) {
        let _ = (module, race);
        unreachable!()
    }
    /// A name for what is at an address: "`x`", "`p.next` in heap block …": for messages about mutexes and the like.
    pub fn name_at(&self, module: &Module, address: u64) -> String {
        let _ = (module, address);
        unreachable!()
    }

    /// A digest of all live objects: kinds, bases, sizes, bytes and which of them were written.
    pub fn digest(&self) -> u128 {
        unreachable!()
    }
}
