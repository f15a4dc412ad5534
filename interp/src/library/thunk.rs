//! Library functions that the library itself starts: `free` as the destructor of a key, as a thread's routine or at the
//! end of the process.
//!
//! What starts has a frame with code, and a model has none; all that it needs to know it reads at the call that it is
//! asked to carry out. So for every such function there is a thunk, a function of the same name whose code is that
//! call.
use crate::library::hooks::Registry;
use frontend::ir::{Arg, CallSite, Constant, FuncId, Function, Inst, LocId, Module, Operand, Pc, Registers, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Adds a thunk to the module for each function that a model does and whose address is taken; by the function.
pub(crate) fn provide(module: &mut Module, registry: &Registry) -> FxHashMap<FuncId, FuncId> {
    let mut taken: Vec<FuncId> = addresses(module).into_iter().collect();
    taken.sort_unstable();
    let mut thunks = FxHashMap::default();
    for callee in taken {
        let function = &module.functions[callee.index()];
        if function.code.is_empty() && registry.get(&function.name).is_some() {
            let thunk = thunk(callee, function);
            thunks.insert(callee, FuncId(module.functions.len() as u32));
            module.functions.push(thunk);
        }
    }
    thunks
}

/// The functions whose address is a constant of the program.
fn addresses(module: &Module) -> FxHashSet<FuncId> {
    let contents = module.globals.iter().filter_map(|global| global.initial.as_ref());
    let relocated = contents.flat_map(|initial| initial.relocations.iter().map(|(_, _, constant)| constant));
    let function = |constant: &Constant| match constant {
        Constant::Function(function, _) => Some(*function),
        _ => None,
    };
    module.constants.iter().chain(relocated).filter_map(function).collect()
}

/// A function that hands its parameters to another one, and that one's result back.
fn thunk(callee: FuncId, function: &Function) -> Function {
    let mut args = Vec::new();
    let mut next = 0;
    for param in &function.params {
        let value = Operand::slot(Slot(next));
        let registers = Registers { general: u8::try_from(param.slots).unwrap_or(u8::MAX), vector: 0 };
        args.push(Arg { value, slots: param.slots, bytes: 8 * param.slots, byval: None, align: 1, registers });
        next += param.slots;
    }
    let dst = Slot(next);
    let result_slots = function.result_slots;
    let fixed_args = args.len() as u32;
    Function {
        variadic: false,
        frame_slots: next + result_slots,
        code: vec![Inst::Call { site: 0, callee }, Inst::Return { n: result_slots, value: Operand::slot(dst) }],
        locations: vec![LocId(0); 2],
        calls: vec![CallSite {
            args,
            dst: (result_slots > 0).then_some(dst),
            result_slots,
            result_masks: vec![u64::MAX; result_slots as usize],
            fixed_args,
        }],
        blocks: vec![Pc(0)],
        result: function.result,
        noreturn: false,
        ..function.clone()
    }
}
