//! The functions that a program may call and does not define, with what a call of each does: for those who want to know
//! before.
use crate::library::hooks::Registry;
use crate::machine::{Callee, Machine, Program};
use frontend::ir::reach::reached;
use std::sync::Arc;

/// A function that may be called and has no code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// Its linkage name.
    pub name: String,
    /// Where it is first named: the file and the line, if they are known.
    pub place: Option<(String, u32)>,
    /// What a call of it does.
    pub call: UndefinedCall,
}

/// What a call of a function without code does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedCall {
    /// What its model does.
    Modelled,
    /// What was said of it, see [`crate::Externals`].
    External,
    /// It makes the verdict unknown.
    Unknown,
}

/// A program, to be asked for its functions.
#[derive(Clone)]
pub struct Callees(Arc<Program>);

impl Machine {
    /// The program, to be asked for its functions while the machine is elsewhere.
    pub fn program_callees(&self) -> Callees {
        Callees(Arc::clone(&self.program))
    }
}

impl Callees {
    /// The functions without code that may be called, in the order in which they are found.
    pub fn undefined(&self, registry: &Registry) -> Vec<Undefined> {
        let Callees(program) = self;
        let module = &program.module;
        let mut all = Vec::new();
        for found in reached(module, program.main) {
            let function = &module.functions[found.function.index()];
            let call = match program.callees[found.function.index()] {
                Callee::Model(_) | Callee::Point(..) if registry.get(&function.name).is_some_and(|m| m.refused) => {
                    UndefinedCall::Unknown
                }
                Callee::Model(_) | Callee::Point(..) => UndefinedCall::Modelled,
                Callee::External(..) => UndefinedCall::External,
                Callee::Unmodelled => UndefinedCall::Unknown,
                Callee::Defined | Callee::Block => continue,
            };
            let place = module.locations.get(found.place.index()).filter(|place| place.line > 0);
            let place = place.and_then(|place| Some((module.files.get(place.file as usize)?.clone(), place.line)));
            all.push(Undefined { name: function.name.clone(), place, call });
        }
        all
    }
}
