//! Variables of the program that nobody writes: `static int limit = 100;`, or `stderr`.
//!
//! The code has to show that all that is done with the address of such a variable is to load from it. So what it holds
//! is what it held at first, in all states and for all threads, and a load of it is as good as a constant: no access of
//! it races with another.
use crate::machine::Program;
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{Constant, GlobalId, Inst, Module, Operand};
use rustc_hash::FxHashSet;

/// Variables of the library that no function of it changes.
const FIXED: [&str; 2] = ["stdout", "stderr"];

/// Those variables of a program.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unwritten(FxHashSet<GlobalId>);

impl Unwritten {
    pub(crate) fn new(program: &Program) -> Unwritten {
        let module = &program.module;
        let is_candidate = |id: GlobalId| {
            let global = &module.globals[id.index()];
            let stays = !program.of_library.contains(&id) || FIXED.contains(&&*global.name);
            stays && global.initial.is_some() && !global.thread_local && !global.weak
        };
        let all = (0..module.globals.len() as u32).map(GlobalId);
        let mut unwritten = Unwritten(all.filter(|&id| is_candidate(id)).collect());
        let initial = module.globals.iter().filter_map(|global| global.initial.as_ref());
        for (_, _, constant) in initial.flat_map(|initial| &initial.relocations) {
            unwritten.lose(module, *constant);
        }
        for constant in module.constants.iter().filter(|constant| matches!(constant, Constant::Difference { .. })) {
            unwritten.lose(module, *constant);
        }
        for function in &module.functions {
            for pc in 0..function.code.len() {
                let mut loaded = load(function.code[pc]).map(|(address, ..)| address);
                function.reads(pc, |operand, n| {
                    for operand in (0..n).map(|i| operand.offset(i)) {
                        let Some(constant) = operand.as_constant() else { continue };
                        if loaded.take_if(|address| *address == operand).is_none() {
                            unwritten.lose(module, module.constants[constant as usize]);
                        }
                    }
                });
            }
        }
        unwritten
    }

    /// Something else is made of that address.
    fn lose(&mut self, module: &Module, constant: Constant) {
        match constant {
            Constant::Global(global, _) => _ = self.0.remove(&global),
            Constant::Difference { minuend, subtrahend, .. } => {
                for part in [minuend, subtrahend] {
                    self.lose(module, module.constants[part as usize]);
                }
            }
            Constant::Bits(_) | Constant::Function(..) | Constant::Block(..) => {}
        }
    }
}

impl Walker<'_> {
    /// Goes through a load of a variable that nobody writes; `None` if it is another instruction.
    pub(super) fn go_through_unwritten(&mut self, inst: Inst) -> Option<()> {
        let (address, offset, size) = load(inst)?;
        let program = &self.machine.program;
        let constant = address.as_constant()? as usize;
        let Constant::Global(global, begin) = program.module.constants[constant] else { return None };
        let place = begin.checked_add(offset.into()).and_then(|place| u64::try_from(place).ok())?;
        let fits = place.checked_add(size).is_some_and(|end| end <= program.module.globals[global.index()].size);
        if !fits || !program.unwritten().0.contains(&global) {
            return None;
        }
        let address = program.globals[global.index()] + place;
        self.finish_access(Value::Known(self.machine.state.memory.peek(address, size)))
    }
}

/// The address of a plain load of up to eight bytes, what is added to it, and how many bytes it is.
fn load(inst: Inst) -> Option<(Operand, i32, u64)> {
    Some(match inst {
        Inst::Load8 { address, offset, .. } => (address, offset, 1),
        Inst::Load16 { address, offset, .. } => (address, offset, 2),
        Inst::Load32 { address, offset, .. } => (address, offset, 4),
        Inst::Load64 { address, offset, .. } => (address, offset, 8),
        Inst::LoadBits { bits: bits @ ..=64, address, offset, .. } => (address, offset, u64::from(bits.div_ceil(8))),
        _ => return None,
    })
}
