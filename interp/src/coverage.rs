//! Which instructions were executed, for reports of what was never reached.
//!
//! All clones of a machine share what is noted here, replays and samples included: it is about the program and not
//! about a state, so it is never undone. Where it is wanted, the fast loop has no operations of its own for
//! instructions, and notes each.
use frontend::ir::{FuncId, Module};
use std::sync::atomic::{AtomicBool, Ordering};

/// By function and instruction: whether it was executed.
#[derive(Debug)]
pub struct Coverage(Box<[Box<[AtomicBool]>]>);

impl Coverage {
    pub(crate) fn new(module: &Module) -> Self {
        let of = |function: &frontend::ir::Function| function.code.iter().map(|_| AtomicBool::new(false)).collect();
        Coverage(module.functions.iter().map(of).collect())
    }

    /// The instruction is executed.
    pub(crate) fn note(&self, function: FuncId, pc: usize) {
        self.0[function.index()][pc].store(true, Ordering::Relaxed);
    }

    /// By instruction of the function: whether it was executed.
    pub fn of(&self, function: FuncId) -> impl Iterator<Item = bool> {
        self.0[function.index()].iter().map(|done| done.load(Ordering::Relaxed))
    }
}
