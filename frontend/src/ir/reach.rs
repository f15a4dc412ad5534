//! Which functions a program may call, from where it starts: those that are called by name, and those whose addresses
//! are used.
//!
//! That is more than what is ever called: a branch may never be taken, and an address never be called.
use super::{Constant, FuncId, Inst, LocId, Module};

/// A function that may be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The function.
    pub function: FuncId,
    /// Where it is first named, as far as that has a place in the source.
    pub place: LocId,
}

/// The functions that may be called if the program starts with this one, in the order in which they are found.
pub fn reached(module: &Module, entry: FuncId) -> Vec<Reached> {
    let mut search = Search {
        module,
        found: Vec::new(),
        functions: vec![false; module.functions.len()],
        globals: vec![false; module.globals.len()],
    };
    let roots = module.constructors.iter().chain(&module.destructors).copied().chain([entry]);
    roots.for_each(|function| search.function(function, LocId(0)));
    let mut next = 0;
    while let Some(reached) = search.found.get(next).copied() {
        next += 1;
        search.body(reached.function);
    }
    search.found
}

struct Search<'m> {
    module: &'m Module,
    found: Vec<Reached>,
    functions: Vec<bool>,
    globals: Vec<bool>,
}

impl Search<'_> {
    fn function(&mut self, function: FuncId, place: LocId) {
        if !std::mem::replace(&mut self.functions[function.index()], true) {
            self.found.push(Reached { function, place });
        }
    }

    fn body(&mut self, function: FuncId) {
        let function = &self.module.functions[function.index()];
        for (index, inst) in function.code.iter().enumerate() {
            let place = function.locations.get(index).copied().unwrap_or(LocId(0));
            if let Inst::Call { callee, .. } = inst {
                self.function(*callee, place);
            }
            let mut constants = Vec::new();
            function.reads(index, |operand, slots| {
                constants.extend((0..slots).filter_map(|slot| operand.offset(slot).as_constant()));
            });
            for constant in constants {
                self.constant(self.module.constants[constant as usize], place);
            }
        }
    }

    fn constant(&mut self, constant: Constant, place: LocId) {
        match constant {
            Constant::Bits(_) => {}
            Constant::Function(function, _) | Constant::Block(function, _) => self.function(function, place),
            Constant::Difference { minuend, subtrahend, .. } => {
                self.constant(self.module.constants[minuend as usize], place);
                self.constant(self.module.constants[subtrahend as usize], place);
            }
            Constant::Global(global, _) => {
                if std::mem::replace(&mut self.globals[global.index()], true) {
                    return;
                }
                let initial = self.module.globals[global.index()].initial.iter();
                let place = self.module.globals[global.index()].location;
                let pointers: Vec<Constant> =
                    initial.flat_map(|i| i.relocations.iter().map(|(_, _, to)| *to)).collect();
                pointers.into_iter().for_each(|to| self.constant(to, place));
            }
        }
    }
}
