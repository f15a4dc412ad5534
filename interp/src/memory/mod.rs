//! Byte-accurate memory.
//!
//! Every access is checked: the address resolves to its object in two table look-ups, the object says whether it is
//! alive and how large it is, each 64-byte chunk which of its bytes were ever written, and the race detector which
//! accesses of other threads are not ordered with this one. The fast paths ([`Memory::fast_load`],
//! [`Memory::fast_store`]) do all of that with a handful of comparisons and decline whenever one of them fails; the
//! complete forms then say what is wrong, or do what is rare.
//!
//! **Going back.** `mark` and `undo` nest. The first change of a chunk, of an object's header or of a queue since
//! the last mark puts the old one into a log; further changes cost nothing. So going back costs what was changed
//! since, and a thread that writes, allocates and frees in a loop between two marks makes no log grow.
//!
//! **An address belongs to an object.** One that is computed from another one and leaves the object never meets a
//! second object (see the module `stray`).
//!
//! **What is not detected**: a stale pointer used after its address was given out again, which takes at least as many
//! frees as the quarantine is long.
mod access;
mod bulk;
mod change;
mod code;
mod counted;
mod digest;
mod error;
mod explain;
mod gathered;
mod ids;
mod life;
mod mapping;
mod name;
mod number;
mod object;
mod pages;
mod pool;
mod promoted;
mod reach;
mod space;
mod stacks;
mod stray;
#[cfg(test)]
pub(crate) mod tests;
mod undo;
mod watch;
mod whole;

pub(crate) use change::Ignored;
pub use code::CodeAddress;
pub use error::{AccessError, Attempt, MemoryError, Problem, Site};
pub(crate) use gathered::Gathered;
pub use ids::{ObjectIds, ObjectKey, Role};
pub use pool::{Quarantine, SizeClass};
use serde::{Deserialize, Serialize};
pub use stacks::{StackId, Stacks};
pub(crate) use stray::Reach;
pub(crate) use watch::Touch;

use crate::library::hooks::Content;
use crate::race::{Detector, RaceModel};
use counted::Counted;
use frontend::ir::{FuncId, GlobalId, Module, Pc};
pub(crate) use object::CHUNK;
use object::{Chunk, Object};
use pages::Pages;
use pool::Pool;
use por::{Numbers, ThreadId};
use promoted::Promoted;
use rustc_hash::FxHashMap;
use space::Space;
use std::collections::BTreeSet;
use stray::Strays;

/// The thread that accesses memory, and the place. Built only on slow paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The thread.
    pub thread: ThreadId,
    /// How many events of the thread must have happened for this access to happen.
    pub event: u32,
    /// The call stack at the access.
    pub stack: StackId,
    /// The kind of access that the race detector sees.
    pub mode: Mode,
}

/// The kind of access that the race detector sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// An ordinary access.
    Plain,
    /// An atomic access: no race with another one.
    Atomic,
    /// An access by an operation on a synchronisation object: no race with another such access. (Operations on one
    /// object depend on one another, but not on atomic accesses to its bytes. So an operation and an atomic access are
    /// a race: a thread may not look into such an object.)
    Synchronising,
    /// Part of an action that says of all promoted bytes that it accesses them; an ordinary access to the others.
    Visible,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A thread's copy of a thread-local variable.
    ThreadLocal(GlobalId),
    /// A stack variable, by its index in [`frontend::ir::Function::allocas`].
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Internal {
    /// A thread's `errno`.
    Errno,
    /// A thread's values for keys.
    Specific,
    /// The objects that `stdin`, `stdout` and `stderr` point to.
    Stream,
    /// The arguments of `main`, or the environment.
    Arguments,
    /// Tables of `<ctype.h>` and the like.
    Table,
}

/// What is to be allocated.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The kind of object that it is for.
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
#[derive(Clone, Debug)]
pub struct Memory {
    /// Call stacks.
    pub stacks: Stacks,
    /// Numbers of the objects that the explorer sees.
    pub ids: ObjectIds,
    /// The race detector. Its state is marked and undone with the memory.
    pub race: Detector,
    code: code::CodeLayout,
    space: Space,
    /// What stands for addresses that left their object. Never undone.
    strays: Strays,
    /// All objects, dead or alive; entry 0 stands for "none".
    objects: Vec<Object>,
    /// What the larger ones hold.
    pages: Pages,
    /// Pool 0 is for globals, pool `t + 1` for thread `t`.
    pools: Vec<Pool>,
    /// How many blocks must die after one before its address is used again.
    quarantine: Quarantine,
    /// Whether an address was used again sooner than a long quarantine would allow. Never undone.
    pub(crate) reused_early: bool,
    /// The same for objects with promoted bytes.
    long_quarantine: Quarantine,
    /// Whether the behaviour of the program depends on where objects lie. Never undone.
    pub(crate) layout_matters: bool,
    /// Whether any thread but main ever had objects of its own besides variables on its stack. Never undone.
    pub(crate) is_divided: bool,
    /// A number for each kind of dead objects.
    queue_numbers: Numbers<pool::Kin>,
    promoted: Promoted,
    /// Where threads count.
    counted: Counted,
    /// Of blocks that are mappings: what may be done with their pages.
    mappings: FxHashMap<u32, mapping::Mapping>,
    /// Classes of which the explorer chooses the addresses of new blocks.
    reused: BTreeSet<SizeClass>,
    /// Addresses of freed blocks that the current action has compared with others.
    dead_compared: BTreeSet<u64>,
    /// What the current atomic block touches. Of one action.
    watch: watch::Watch,
    /// Where something that stands in [`object::Chunk::blind`] was read or overwritten, by what is no action. Never
    /// undone.
    accessed_blind: Option<u64>,
    /// What of variables of the program is no part of the state.
    ignored: change::Ignored,
    log: undo::Log,
    /// Contents of dead objects of one chunk, to be used again.
    spare: Vec<Box<[Chunk]>>,
    /// Room for copies.
    scratch: Vec<u8>,
}

impl Memory {
    /// Empty memory for this program, in the layout of that number.
    pub fn new(module: &Module, model: RaceModel, quarantine: Quarantine, layout: u32) -> Self {
        let space = Space::new(module.data_model, layout);
        let mut memory = Memory {
            stacks: Stacks::default(),
            ids: ObjectIds::default(),
            race: Detector::new(model),
            code: code::CodeLayout::new(module),
            strays: Strays::new(module.data_model, space.slot_bits),
            space,
            objects: Vec::new(),
            pages: Pages::default(),
            pools: Vec::new(),
            quarantine,
            long_quarantine: match quarantine {
                Quarantine::ENDLESS => quarantine,
                _ => Quarantine::long(module.data_model),
            },
            queue_numbers: Numbers::default(),
            reused_early: false,
            layout_matters: false,
            is_divided: false,
            promoted: Promoted::default(),
            counted: Counted::default(),
            mappings: FxHashMap::default(),
            reused: BTreeSet::new(),
            dead_compared: BTreeSet::new(),
            accessed_blind: None,
            watch: watch::Watch::default(),
            ignored: change::Ignored::default(),
            log: undo::Log::default(),
            spare: Vec::new(),
            scratch: Vec::new(),
        };
        memory.objects.push(life::nothing());
        memory
    }

    /// How soon addresses are used again.
    pub(crate) fn quarantine(&self) -> Quarantine {
        self.quarantine
    }

    /// Addresses are used again that soon. Nothing has been freed yet.
    pub(crate) fn set_quarantine(&mut self, quarantine: Quarantine) {
        self.quarantine = quarantine;
        if quarantine == Quarantine::ENDLESS {
            self.long_quarantine = quarantine;
        }
    }

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

    /// The object, live or not, whose address range (with what surrounds it up to the next objects) holds the address.
    pub fn object_at(&self, address: u64) -> Option<ObjectInfo> {
        match self.space.object(address) {
            0 => None,
            object => Some(self.objects[object as usize].header.info()),
        }
    }

    /// Where the constant at an address begins and its bytes, if all of them are known and there are at most `most`.
    pub(crate) fn constant_at(&self, address: u64, most: u64) -> Option<(u64, Vec<u8>)> {
        let object = match self.space.object(address) {
            0 => return None,
            object => &self.objects[object as usize],
        };
        let (base, size) = (object.header.base, object.header.size);
        if !object.header.is_constant() || size > most {
            return None;
        }
        let fresh = Chunk::new(object.contents.fresh(), 0);
        let chunks = (0..size.div_ceil(CHUNK as u64) as usize)
            .map(|index| self.pages.chunk(&object.contents, index).unwrap_or(&fresh));
        let bytes = chunks.flat_map(|chunk| {
            let known = |index: usize| (chunk.written >> index & 1 != 0).then_some(chunk.data[index]);
            (0..CHUNK).map(known)
        });
        Some((base, bytes.take(size as usize).collect::<Option<Vec<u8>>>()?))
    }

    /// A thing in the live object that holds the address, as the explorer names it. A granule begins at a multiple of
    /// 8.
    pub fn key_at(&self, role: Role, address: u64) -> Option<ObjectKey> {
        let object = self.object_at(address).filter(|object| object.live && address >= object.base)?;
        let offset = match role {
            Role::Granule => (address - object.base) & !7,
            _ => address - object.base,
        };
        Some(ObjectKey::InMemory { role, base: object.base, generation: object.generation, offset })
    }

    /// All live objects of the heap, by address.
    pub fn heap_blocks(&self) -> Vec<ObjectInfo> {
        let blocks = self.objects.iter().map(|object| object.header.info());
        let mut blocks: Vec<_> = blocks.filter(|block| block.live && block.kind == ObjectKind::Heap).collect();
        blocks.sort_by_key(|block| block.base);
        blocks
    }
}
