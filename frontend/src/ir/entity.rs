//! Small numbers that name things.

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

entity!(
    /// A function, defined or only declared.
    FuncId,
    "f"
);
entity!(
    /// A global variable.
    GlobalId,
    "g"
);
entity!(
    /// A place in the source: index into [`super::Module::locations`]. 0 is "unknown".
    LocId,
    "l"
);
entity!(
    /// A slot of the frame.
    Slot,
    "r"
);
entity!(
    /// An index into a function's code.
    Pc,
    "@"
);

/// What an instruction reads: a slot of the frame, or (top bit set) an entry of the module's constant pool. The
/// machine keeps the pool at the bottom of each thread's register stack, so that both are one indexed load.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Operand(pub u32);

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    /// The operand that reads `slot`.
    pub fn slot(slot: Slot) -> Self {
        debug_assert!(slot.0 < Self::CONSTANT);
        Operand(slot.0)
    }

    /// The operand that reads entry `index` of the constant pool.
    pub fn constant(index: u32) -> Self {
        debug_assert!(index < Self::CONSTANT);
        Operand(index | Self::CONSTANT)
    }

    /// The slot, if it is one.
    pub fn as_slot(self) -> Option<Slot> {
        (self.0 & Self::CONSTANT == 0).then_some(Slot(self.0))
    }

    /// The index into the constant pool, if it is a constant.
    pub fn as_constant(self) -> Option<u32> {
        (self.0 & Self::CONSTANT != 0).then_some(self.0 & !Self::CONSTANT)
    }

    /// The operand `n` slots (or pool entries) further: the other words of a value that takes several.
    pub fn offset(self, n: u32) -> Self {
        Operand(self.0 + n)
    }
}

impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_constant() {
            Some(index) => write!(f, "c{index}"),
            None => write!(f, "r{}", self.0),
        }
    }
}
