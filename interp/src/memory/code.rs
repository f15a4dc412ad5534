//! Addresses of functions and labels.
//!
//! They lie in a range that is never readable memory. A function takes one address for itself, the next ones for the
//! indices of its code, and starts at a multiple of 16; so any address inside says at once what it is.
use frontend::ir::{DataModel, FuncId, Module, Pc};

/// What an address in the code range names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeAddress {
    /// The function itself: what a function pointer holds.
    Function(FuncId),
    /// A place in its code: what a label's address holds.
    Label(FuncId, Pc),
}

/// Where each function lies.
#[derive(Clone, Debug)]
pub(super) struct CodeLayout {
    base: u64,
    /// First address of each function, minus `base`.
    starts: Vec<u64>,
    /// The function of each 16 bytes.
    owners: Vec<FuncId>,
    /// Addresses that each function takes.
    sizes: Vec<u64>,
}

const UNIT: u64 = 16;

impl CodeLayout {
    /// The first address of the code range.
    pub(super) const fn base(model: DataModel) -> u64 {
        match model {
            DataModel::Lp64 => 0x7f00_0000_0000,
            DataModel::Ilp32 => 0xf000_0000,
        }
    }

    pub(super) fn new(module: &Module) -> Self {
        let mut layout = CodeLayout {
            base: Self::base(module.data_model),
            starts: Vec::with_capacity(module.functions.len()),
            owners: Vec::new(),
            sizes: Vec::with_capacity(module.functions.len()),
        };
        for (index, function) in module.functions.iter().enumerate() {
            let size = 1 + function.code.len() as u64;
            let id = FuncId(u32::try_from(index).expect("fewer than 2^32 functions"));
            layout.starts.push(layout.owners.len() as u64 * UNIT);
            layout.sizes.push(size);
            layout.owners.extend(std::iter::repeat_n(id, usize::try_from(size.div_ceil(UNIT)).expect("code fits")));
        }
        layout
    }

    pub(super) fn function(&self, function: FuncId) -> u64 {
        self.base + self.starts[function.index()]
    }

    pub(super) fn label(&self, function: FuncId, pc: Pc) -> u64 {
        self.function(function) + 1 + u64::from(pc.0)
    }

    pub(super) fn decode(&self, address: u64) -> Option<CodeAddress> {
        let offset = address.checked_sub(self.base)?;
        let owner = *self.owners.get(usize::try_from(offset / UNIT).ok()?)?;
        let inside = offset - self.starts[owner.index()];
        match inside {
            0 => Some(CodeAddress::Function(owner)),
            n if n < self.sizes[owner.index()] => Some(CodeAddress::Label(owner, Pc(n as u32 - 1))),
            _ => None,
        }
    }

    /// Whether the address is in the code range.
    pub(super) fn contains(&self, address: u64) -> bool {
        address.checked_sub(self.base).is_some_and(|offset| offset / UNIT < self.owners.len() as u64)
    }
}
