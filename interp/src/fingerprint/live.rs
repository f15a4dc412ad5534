//! Which slots of a frame are read again.
use frontend::ir::{FuncId, Liveness, Module, Slot};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Answers given so far, by function, instruction, and whether that is a call that has not returned.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveSlots {
    functions: FxHashMap<FuncId, Arc<Liveness>>,
    /// By function; then two for each instruction, the second one for a call.
    places: Vec<Vec<Option<Arc<[Slot]>>>>,
}

impl LiveSlots {
    /// The slots that matter in a frame that stands in front of the instruction `pc`, or (`called`) waits there for the
    /// return of a call.
    pub(crate) fn at(&mut self, module: &Module, function: FuncId, pc: u32, called: bool) -> &[Slot] {
        let code = &module.functions[function.index()];
        self.at_by(module, function, pc, called, || Arc::new(Liveness::new(code)))
    }

    /// The same by what that says of the function, each time.
    pub(crate) fn at_by(
        &mut self,
        module: &Module,
        function: FuncId,
        pc: u32,
        called: bool,
        liveness: impl FnOnce() -> Arc<Liveness>,
    ) -> &[Slot] {
        let LiveSlots { functions, places } = self;
        if places.len() <= function.index() {
            places.resize(module.functions.len(), Vec::new());
        }
        let places = &mut places[function.index()];
        let code = &module.functions[function.index()];
        let place = 2 * pc as usize + usize::from(called);
        if places.len() <= place {
            places.resize(2 * code.code.len() + 2, None);
        }
        places[place].get_or_insert_with(|| {
            let liveness = functions.entry(function).or_insert_with(liveness);
            let live = match called {
                true => liveness.before(code, pc + 1).without_results(code, pc),
                false => liveness.before(code, pc),
            };
            live.iter().map(|slot| Slot(slot as u32)).collect()
        })
    }
}
