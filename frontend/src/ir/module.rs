//! Modules, functions, globals and where they come from.
use super::{FuncId, GlobalId, Inst, LocId, Names, Operand, Pc, Slot};
use serde::{Deserialize, Serialize};

/// The sizes that depend on the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DataModel {
    /// 64-bit pointers and `long`.
    Lp64,
    /// 32-bit pointers and `long`.
    Ilp32,
}

impl DataModel {
    /// Bytes of a pointer.
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }
}

/// An entry of the constant pool: 64 bits, or something that only the machine knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// A number.
    Bits(u64),
    /// Address of a global (not a thread-local one) plus an offset.
    Global(GlobalId, i64),
    /// Address of a function plus an offset (0 for anything that may be called).
    Function(FuncId, i64),
    /// A label (blockaddress).
    Block(FuncId, Pc),
    /// `minuend - subtrahend + offset`, where both are earlier entries of the pool that hold addresses (tables of
    /// relative offsets, distances of labels).
    Difference {
        /// Index into the pool.
        minuend: u32,
        /// Index into the pool.
        subtrahend: u32,
        /// Added to the distance.
        offset: i64,
    },
}

/// A whole linked program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Module {
    /// Sizes of the target.
    pub data_model: DataModel,
    /// The constant pool. Values of several slots take consecutive entries.
    pub constants: Vec<Constant>,
    /// All functions, defined and declared.
    pub functions: Vec<Function>,
    /// All global variables.
    pub globals: Vec<Global>,
    /// Functions to call before `main`, in order (llvm.global_ctors by priority).
    pub constructors: Vec<FuncId>,
    /// Functions to call after `main` or `exit`, in order.
    pub destructors: Vec<FuncId>,
    /// Source files: paths as the compiler recorded them.
    pub files: Vec<String>,
    /// Places in the source; entry 0 is unknown.
    pub locations: Vec<Location>,
    /// Volatile accesses of it were made relaxed atomic ones ([`crate::Volatile::Atomic`]).
    pub volatile_is_atomic: bool,
    /// What a release sequence is in the language of the program.
    pub release_sequences: ReleaseSequences,
    /// What the source calls parts of variables and of blocks.
    pub names: Names,
}

/// Which stores carry on the release sequence that a release heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ReleaseSequences {
    /// Read-modify-writes (C++20, [intro.races]).
    #[default]
    Updates,
    /// Besides, all stores by the thread of the release (C11 and C17, 5.1.2.4, paragraph 10; C++11 to C++17,
    /// [intro.races]).
    OwnStores,
}

impl Module {
    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(|i| FuncId(i as u32))
    }
}

/// Whether a source file is a header of the C++ library, as systems lay them out.
pub fn is_library_header(file: &str) -> bool {
    file.split_once("/include/").is_some_and(|(_, rest)| rest.contains("c++/"))
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Location {
    /// Index into [`Module::files`]; `u32::MAX` if unknown.
    pub file: u32,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
    /// The source function (differs from the enclosing function where code was inlined).
    pub function: String,
    /// Where that function was inlined, if it was.
    pub inlined_at: Option<LocId>,
    /// What is there is a plain access that counts as an atomic one where volatile accesses do
    /// ([`crate::Volatile::Atomic`]).
    pub volatile: bool,
}

/// A function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its linkage name.
    pub name: String,
    /// Slots that each parameter takes, in order; parameter slots are the first of the frame.
    pub params: Vec<Param>,
    /// Slots of the result (0: void).
    pub result_slots: u32,
    /// Whether the function takes further arguments. The machine puts them into one memory object of the frame, as the
    /// ABI says: those that come in registers on LP64 where a function saves these, the others one after another, each
    /// rounded up to the ABI's argument slot (8 bytes on LP64, 4 on ILP32) and aligned as its type needs. VaStart makes
    /// the ABI's va_list point there.
    pub variadic: bool,
    /// Slots of a frame, parameters included.
    pub frame_slots: u32,
    /// The code; empty for a declaration.
    pub code: Vec<Inst>,
    /// For each instruction its place in the source.
    pub locations: Vec<LocId>,
    /// Operands of calls.
    pub calls: Vec<CallSite>,
    /// Tables of switches.
    pub switches: Vec<SwitchTable>,
    /// Stack objects.
    pub allocas: Vec<AllocaInfo>,
    /// Why unsupported instructions are unsupported.
    pub unsupported: Vec<String>,
    /// First instruction of each basic block, ascending (for the text form and for branch checks). A block that does
    /// not end in a branch or the like runs into the next one.
    pub blocks: Vec<Pc>,
    /// What the function returns.
    pub result: ResultType,
    /// Whether the function is declared `noreturn`.
    pub noreturn: bool,
    /// Declared `weak` and nowhere defined: if no library has it, its address is null.
    pub weak: bool,
    /// Whether all variables of the function that may hold pointers are stack objects. Then no register holds a pointer
    /// that is not read again and still counts as a variable's value.
    pub pointers_in_memory: bool,
    /// Where it is defined (or unknown).
    pub location: LocId,
}

/// What a function returns, as far as that matters if it is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ResultType {
    /// Nothing.
    Nothing,
    /// An integer.
    Integer {
        /// How many.
        bits: u32,
        /// It is not known to be unsigned.
        signed: bool,
    },
    /// Something else, perhaps by writing it to memory.
    Other,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Slots it takes in the frame.
    pub slots: u32,
    /// The bits that a value of its type has in each of them. (A caller may have another type in mind.)
    pub masks: Vec<u64>,
    /// The source's name, if known.
    pub name: String,
}

/// The operands of one call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    /// The arguments, in order, the variadic ones included.
    pub args: Vec<Arg>,
    /// Where the result goes, if anywhere.
    pub dst: Option<Slot>,
    /// Slots of the result that the caller expects.
    pub result_slots: u32,
    /// The bits that a value of the type that the caller expects has in each of them.
    pub result_masks: Vec<u64>,
    /// How many of the arguments are named parameters in the call's function type.
    pub fixed_args: u32,
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Arg {
    /// First slot or constant.
    pub value: Operand,
    /// How many slots. A vector or aggregate that is passed through memory comes as 64-bit words.
    pub slots: u32,
    /// Bytes it takes when passed through memory to a variadic function (the size of its type).
    pub bytes: u32,
    /// `Some((size, alignment))`: `value` is the address of an object to copy; the callee gets the copy's address.
    pub byval: Option<(u64, u64)>,
    /// The alignment that it needs in memory, if that is more than the ABI's argument slot has.
    pub align: u32,
    /// The registers that it takes if there are as many left.
    pub registers: Registers,
}

/// Registers in which the System V ABI of x86-64 passes arguments; without any, the argument is passed through memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Registers {
    /// Those for integers and pointers.
    pub general: u8,
    /// Those for floating-point numbers and vectors.
    pub vector: u8,
}

/// A switch: the case values, zero-extended, with their targets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SwitchTable {
    /// Sorted by value.
    pub cases: Vec<(u64, Pc)>,
    /// The target for all other values.
    pub default: Pc,
}

/// A stack object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AllocaInfo {
    /// Bytes of one element.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The source variable's name, if known.
    pub name: String,
    /// Where it is declared.
    pub location: LocId,
}

/// The most initial bytes that a global variable is given.
pub const MOST_INITIAL_BYTES: u64 = 1 << 30;

/// A global variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its linkage name.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its initial bytes; `None` if it is only declared, or has more than [`MOST_INITIAL_BYTES`] (reaching it is
    /// "unknown").
    pub initial: Option<Initial>,
    /// Whether the global is constant: then writing to it is a fault.
    pub constant: bool,
    /// Whether the global is thread-local: then every thread has its own.
    pub thread_local: bool,
    /// Declared `weak` and nowhere defined: if no library has it, its address is null.
    pub weak: bool,
    /// Where it is declared.
    pub location: LocId,
}

/// Initial content of a global.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Initial {
    /// The first bytes; undefined ones, and those that follow, are 0.
    pub bytes: Vec<u8>,
    /// Pointers to put in: (offset, bytes to write, what).
    pub relocations: Vec<(u64, u32, Constant)>,
}

impl Initial {
    /// Puts in bytes.
    pub fn put(&mut self, offset: usize, bytes: &[u8]) {
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let end = if used == 0 { self.bytes.len().min(offset + bytes.len()) } else { offset + bytes.len() };
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if offset < end {
            self.bytes[offset..end].copy_from_slice(&bytes[..end - offset]);
        }
    }
}
