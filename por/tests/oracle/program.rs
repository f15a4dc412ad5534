//! Tiny abstract programs as data.
use por::Lanes;

/// A statement. Threads have four registers; cells are byte ranges of 8-byte granules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    Lock(u8),
    Unlock(u8),
    /// Register 0 gets 1 on success; the body runs then, followed by an unlock.
    TryLock(u8, Vec<Statement>),
    /// Waits on a condition variable; the mutex is held.
    Wait(u8, u8),
    Signal(u8),
    Broadcast(u8),
    Load(Cell, u8),
    Store(Cell, u8),
    /// Stores a register plus one.
    StoreRegister(Cell, u8),
    /// Flips bits of every byte.
    Xor(Cell, u8),
    /// If every byte has the first value, it gets the second; the register gets 1 then, else 0.
    CompareExchange(Cell, u8, u8, u8),
    /// Loads a cell into the register as soon as it does not have this value.
    Await(Cell, u8, u8),
    /// As soon as every byte has the first value, it gets the second.
    Take(Cell, u8, u8),
    /// Register gets one of 0..n.
    Choose(u8, u8),
    /// Register gets 1 if the input, a number below 8 that is the same for all, is in this set of bits, else 0.
    Decide(u8, u8),
    If(u8, u8, Vec<Statement>),
    /// Loads a cell into the register, again and again, with the body in between, as long as it has this value.
    While(Cell, u8, u8, Vec<Statement>),
    /// Repeats the body for ever.
    Forever(Vec<Statement>),
    /// Fails if the register has this value.
    Assert(u8, u8),
    /// Ends the execution unless the register has this value.
    Assume(u8, u8),
    /// The main thread only.
    Create(u32),
    Join(u32),
    /// The process ends.
    Exit,
}

/// Bytes `start..start+len` of a granule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Cell {
    pub granule: u8,
    pub start: u8,
    pub len: u8,
}

impl Cell {
    pub fn mask(self) -> u64 {
        ((1 << self.len) - 1) << self.start
    }
    /// Whether they have a byte in common.
    pub fn meets(self, other: Cell) -> bool {
        self.granule == other.granule && self.mask() & other.mask() != 0
    }
    /// The value of the first byte.
    pub fn read(self, word: u64) -> u8 {
        (word >> (8 * self.start)) as u8
    }
    pub fn bits(self) -> u64 {
        Lanes::Bytes.bits(self.mask())
    }
    /// Every byte gets the value, so that overlapping cells see one another.
    pub fn write(self, word: u64, value: u8) -> u64 {
        word & !self.bits() | spread(value) & self.bits()
    }
    /// Whether every byte has the value.
    pub fn holds(self, word: u64, value: u8) -> bool {
        self.write(word, value) == word
    }
}

/// A program: thread 0 is main.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub threads: Vec<Vec<Statement>>,
}

/// Eight bytes of that value.
pub fn spread(value: u8) -> u64 {
    u64::from(value) * 0x0101_0101_0101_0101
}
