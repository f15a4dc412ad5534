//! What the program and the options decide, once and for all.
use crate::coverage::Coverage;
use crate::library::hooks::{BlockSize, CancellationPoint, Model, Passing, Prints, Registry};
use crate::machine::layout;
use crate::memory::{Memory, Quarantine};
use crate::options::{Error, External, Externals, Interference, Options};
use crate::race::RaceModel;
use crate::symbolic::TermUse;
use crate::sync::symmetry::Telling;
use crate::verdict::fault::Kind;
use crate::waiting::faint::{self, Calls};
use crate::waiting::{Confined, Delays, InLoops, Scratch, Tallies, Unwritten, Variables};
use frontend::ir::{Constant, FuncId, GlobalId, Liveness, Module, ReleaseSequences, ResultType};
use por::{ObjectId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// What calling a function means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    /// The program defines it.
    Defined,
    /// The program defines it, and its name says that it is one atomic block.
    Block,
    /// The library model does it.
    Model(Model),
    /// The same, and it is a cancellation point, at least if the thread likes.
    Point(Model, CancellationPoint),
    /// It is not known; it is taken to do that, with a result of that type, and nothing else.
    External(External, ResultType),
    /// It is not known.
    Unmodelled,
}

/// A program with the options for it, made ready to be executed. A machine cannot change it.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) module: Arc<Module>,
    pub(crate) options: Options,
    /// Per function.
    pub(crate) callees: Arc<[Callee]>,
    /// What to start instead of a function that a model does.
    pub(crate) thunks: Arc<FxHashMap<FuncId, FuncId>>,
    /// The code of each function for the fast loop.
    pub(crate) quick: Arc<[Box<[crate::quick::Op]>]>,
    /// Which instructions were executed, if that is noted.
    pub(crate) coverage: Option<Arc<Coverage>>,
    /// The constant pool with all addresses put in.
    pub(crate) constants: Arc<[u64]>,
    /// Address of each global; 0 for those that are thread-local or only declared.
    pub(crate) globals: Arc<[u64]>,
    /// Globals by name.
    pub(crate) global_names: Arc<FxHashMap<String, u64>>,
    /// The function that is started.
    pub(crate) main: FuncId,
    /// What makes the array of its arguments, if some may be anything.
    pub(crate) opens_arguments: Option<FuncId>,
    /// Its arguments.
    pub(crate) main_arguments: [u64; 3],
    pub(crate) pointer_bytes: u64,
    /// The bits that an address has.
    pub(crate) pointer_mask: u64,
    /// The flags of arithmetic instructions that are checked.
    pub(crate) checked_flags: u8,
    /// The program uses atomic blocks; its visible operations then touch this object too.
    pub(crate) block_object: Option<ObjectId>,
    /// The program knows of cancellation.
    pub(crate) cancels: bool,
    /// The program knows of the clock.
    pub(crate) looks_at_clock: bool,
    /// The program knows of ways to lock a mutex that give up.
    pub(crate) tries_mutexes: bool,
    /// The program knows of ways to lock something that give up.
    pub(crate) tries_locks: bool,
    /// The address of a weak symbol that nothing defines is among the constants of the program.
    pub(crate) asks_for_weak: bool,
    /// The program may make blocks on the heap.
    pub(crate) allocates: bool,
    /// By function: how large the block is that a call of it makes, if it makes one.
    pub(crate) blocks: Arc<[Option<BlockSize>]>,
    /// By function: what a call of it is to a thread that may wait.
    pub(crate) passing: Arc<[Option<Passing>]>,
    /// By function: what a call of it prints, if it does nothing else.
    pub(crate) prints: Arc<[Option<Prints>]>,
    /// By function: what its model takes terms for.
    pub(crate) takes: Arc<[TermUse]>,
    /// By function: what the code shows of its variables, as soon as somebody asks for that.
    variables: Arc<[OnceLock<Variables>]>,
    /// By function: which of them are scratch variables, in the same way.
    scratch: Arc<[OnceLock<Scratch>]>,
    /// By function: which of them are confined, in the same way.
    confined: Arc<[OnceLock<Confined>]>,
    /// By function: its delays, in the same way.
    delays: Arc<[OnceLock<Delays>]>,
    /// By function: what is read again and decides something, in the same way.
    heeded: Arc<[OnceLock<Arc<Liveness>>]>,
    /// The same, where all that it gives to functions of the program does so.
    heeded_alone: Arc<[OnceLock<Liveness>]>,
    /// The variables that nobody writes, in the same way.
    unwritten: OnceLock<Arc<Unwritten>>,
    /// The tallies, in the same way.
    tallies: OnceLock<Arc<Tallies>>,
    /// Variables that the library has, or shares with the program.
    pub(crate) of_library: Arc<FxHashSet<GlobalId>>,
    /// By function: what of it lies in loops, in the same way.
    in_loops: Arc<[OnceLock<InLoops>]>,
    /// By function: what of it could tell apart the threads that run it, in the same way.
    telling: Arc<[OnceLock<Telling>]>,
}

/// The function of library code that makes open arguments.
pub const OPENS_ARGUMENTS: &str = "__verify_open_arguments";

impl Program {
    /// The program, and memory with its variables.
    pub(super) fn new(mut module: Arc<Module>, registry: &Registry, options: Options) -> Result<(Self, Memory), Error> {
        registry.provide_globals(Arc::make_mut(&mut module));
        let main = module.function(&options.entry).filter(|f| !module.functions[f.index()].code.is_empty());
        let main = main.ok_or_else(|| Error::NoEntry(options.entry.clone()))?;
        let opens = |_| module.function(OPENS_ARGUMENTS).expect("it is linked where arguments are open");
        let opens_arguments = options.open.arguments.map(opens);
        find_weak(Arc::make_mut(&mut module), registry);
        let thunks = crate::library::thunk::provide(Arc::make_mut(&mut module), registry);

        let Ground { memory, layout, block_object, quick } = Ground::new(&module, &options)?;
        let mut callees = callees(&module, registry, &options.open.externals)?;
        thunks.values().for_each(|thunk| callees[thunk.index()] = Callee::Defined);
        let pointer_bytes = module.data_model.pointer_bytes();
        let program = Program {
            callees: callees.into(),
            thunks: Arc::new(thunks),
            quick,
            coverage: options.coverage.then(|| Arc::new(Coverage::new(&module))),
            constants: layout.constants.into(),
            globals: layout.globals.into(),
            global_names: Arc::new(layout.names),
            main,
            opens_arguments,
            main_arguments: layout.main_arguments,
            pointer_bytes,
            pointer_mask: u64::MAX >> (64 - 8 * pointer_bytes),
            checked_flags: checked_flags(&options),
            block_object,
            cancels: cancels(&module),
            looks_at_clock: module.functions.iter().any(|f| CLOCKS.contains(&&*f.name)),
            tries_mutexes: tries(&module, &["pthread_mutex_", "mtx_"]),
            tries_locks: tries(&module, &["pthread_mutex_", "mtx_", "pthread_rwlock_", "pthread_spin_"]),
            asks_for_weak: asks_for_weak(&module),
            allocates: allocates(&module, registry),
            blocks: module.functions.iter().map(|f| registry.get(&f.name)?.block).collect(),
            passing: module.functions.iter().map(|f| registry.get(&f.name)?.passing).collect(),
            prints: module.functions.iter().map(|f| registry.get(&f.name)?.prints).collect(),
            takes: module
                .functions
                .iter()
                .map(|f| registry.get(&f.name).map_or(TermUse::Nothing, |m| m.takes))
                .collect(),
            variables: module.functions.iter().map(|_| OnceLock::new()).collect(),
            scratch: module.functions.iter().map(|_| OnceLock::new()).collect(),
            confined: module.functions.iter().map(|_| OnceLock::new()).collect(),
            delays: module.functions.iter().map(|_| OnceLock::new()).collect(),
            heeded: module.functions.iter().map(|_| OnceLock::new()).collect(),
            heeded_alone: module.functions.iter().map(|_| OnceLock::new()).collect(),
            unwritten: OnceLock::new(),
            tallies: OnceLock::new(),
            of_library: Arc::new(of_library(&module, registry)),
            in_loops: module.functions.iter().map(|_| OnceLock::new()).collect(),
            telling: module.functions.iter().map(|_| OnceLock::new()).collect(),
            module,
            options,
        };
        Ok((program, memory))
    }

    /// What the code of the function shows of its variables that lie in memory.
    pub(crate) fn variables(&self, function: FuncId) -> &Variables {
        let function = function.index();
        self.variables[function].get_or_init(|| Variables::new(&self.module.functions[function]))
    }

    /// The scratch variables of the function.
    pub(crate) fn scratch(&self, function: FuncId) -> &Scratch {
        self.scratch[function.index()].get_or_init(|| Scratch::new(self, function))
    }

    /// The confined variables of the function.
    pub(crate) fn confined(&self, function: FuncId) -> &Confined {
        self.confined[function.index()].get_or_init(|| Confined::new(self, function))
    }

    /// The delays of the function.
    pub(crate) fn delays(&self, function: FuncId) -> &Delays {
        self.delays[function.index()].get_or_init(|| Delays::new(self, function))
    }

    /// Which variables of the function are read again, those left out that are faint.
    pub(crate) fn heeded(&self, function: FuncId) -> &Arc<Liveness> {
        self.heeded[function.index()].get_or_init(|| Arc::new(faint::heeded(self, function, Calls::Entered)))
    }

    /// The same, where no function that it calls is looked at.
    pub(crate) fn heeded_alone(&self, function: FuncId) -> &Liveness {
        self.heeded_alone[function.index()].get_or_init(|| faint::heeded(self, function, Calls::Opaque))
    }

    /// The variables of the program that nobody writes.
    pub(crate) fn unwritten(&self) -> &Unwritten {
        self.unwritten.get_or_init(|| Arc::new(Unwritten::new(self)))
    }

    /// The tallies of the program.
    pub(crate) fn tallies(&self) -> &Tallies {
        self.tallies.get_or_init(|| Arc::new(Tallies::new(self)))
    }

    /// Which instructions of the function lie in loops.
    pub(crate) fn in_loops(&self, function: FuncId) -> &InLoops {
        let function = function.index();
        self.in_loops[function].get_or_init(|| InLoops::new(&self.module.functions[function]))
    }

    /// What of the function could tell apart the threads that run it.
    pub(crate) fn telling(&self, function: FuncId) -> Telling {
        let function = function.index();
        *self.telling[function].get_or_init(|| Telling::new(&self.module.functions[function]))
    }

    /// The same program with other options. (Only those may differ that what is checked does not depend on.)
    pub(super) fn with_options(&self, options: Options) -> Result<(Self, Memory), Error> {
        let Ground { memory, layout, block_object, quick } = Ground::new(&self.module, &options)?;
        let program = Program {
            quick,
            constants: layout.constants.into(),
            globals: layout.globals.into(),
            global_names: Arc::new(layout.names),
            main_arguments: layout.main_arguments,
            block_object,
            options,
            ..self.clone()
        };
        Ok((program, memory))
    }
}

/// What depends on where everything lies before the program starts.
struct Ground {
    memory: Memory,
    layout: layout::Layout,
    block_object: Option<ObjectId>,
    quick: Arc<[Box<[crate::quick::Op]>]>,
}

impl Ground {
    fn new(module: &Module, options: &Options) -> Result<Self, Error> {
        let promotes = promotes(options);
        // Which accesses have to be visible is a matter of causality, to which every atomic access contributes.
        let model = match options.race_model {
            _ if promotes => RaceModel::Sc,
            RaceModel::C11 if module.release_sequences == ReleaseSequences::Updates => RaceModel::C20,
            model => model,
        };
        let mut memory = Memory::new(module, model, Quarantine::long(module.data_model), options.layout);
        memory.race.start(ThreadId(0));
        if promotes {
            memory.race.collect();
        }
        memory.promote(&BTreeSet::new(), options.interference == Interference::All);
        let layout = layout::lay_out(module, &mut memory, options)?;
        let block_object = uses_blocks(module).then(|| memory.ids.intern(crate::memory::ObjectKey::Process(0)));
        let reach = memory.reach();
        let prepare = |function| {
            let ops = crate::quick::prepare(function, &layout.constants, checked_flags(options), reach);
            if options.coverage { crate::quick::one_by_one(ops) } else { ops }
        };
        let quick = module.functions.iter().map(prepare).collect();
        Ok(Ground { memory, layout, block_object, quick })
    }
}

/// What is declared `weak` and what the library has is there. (If it is not modelled, it has an address, and reaching
/// it is unknown.)
fn find_weak(module: &mut Module, registry: &Registry) {
    for function in &mut module.functions {
        function.weak &= !registry.has(&function.name);
    }
    for global in &mut module.globals {
        global.weak &= global.initial.is_none() && !registry.has(&global.name);
    }
}

fn asks_for_weak(module: &Module) -> bool {
    let contents = module.globals.iter().filter_map(|global| global.initial.as_ref());
    let relocated = contents.flat_map(|initial| initial.relocations.iter().map(|(_, _, constant)| constant));
    module.constants.iter().chain(relocated).any(|constant| match constant {
        Constant::Function(function, _) => module.functions[function.index()].weak,
        Constant::Global(global, _) => module.globals[global.index()].weak,
        _ => false,
    })
}

/// The flags of arithmetic that are checked.
fn checked_flags(options: &Options) -> u8 {
    if options.checks.contains(Kind::Overflow) { frontend::ir::flags::NSW } else { 0 }
}

/// Whether races are no bugs, but make places whose accesses are visible.
pub(crate) fn promotes(options: &Options) -> bool {
    options.interference != Interference::Synchronisation && !options.checks.contains(Kind::DataRace)
}

fn callees(module: &Module, registry: &Registry, externals: &Externals) -> Result<Vec<Callee>, Error> {
    for (name, external) in &externals.named {
        let function = module.function(name).map(|id| &module.functions[id.index()]);
        let why = match function {
            None => "the program does not call it",
            Some(_) if registry.get(name).is_some_and(|model| !model.refused) => "it is modelled",
            Some(function) if !function.code.is_empty() => "it is defined",
            Some(function) if *external == External::Nothing && function.result != ResultType::Nothing => {
                "it returns something: `any` or `zero`, not `noop`"
            }
            Some(_) => continue,
        };
        return Err(Error::NotExternal { name: name.clone(), why });
    }
    let external = |name: &String| {
        let named = externals.named.iter().find(|(named, _)| named == name).map(|(_, external)| *external);
        named.or(externals.others.filter(|_| !registry.has(name)))
    };
    let cancels = cancels(module);
    let callee = |function: &frontend::ir::Function| {
        let is_external = external(&function.name).is_some();
        let model = registry.get(&function.name).filter(|model| !model.refused || !is_external);
        match (function.code.is_empty(), model) {
            (_, Some(model)) if model.overrides_definition => Callee::Model(model.model),
            (true, Some(model)) => match registry.cancellation_point(&function.name).filter(|_| cancels) {
                Some(point) => Callee::Point(model.model, point),
                None => Callee::Model(model.model),
            },
            (true, None) => match external(&function.name).filter(|_| !function.noreturn) {
                Some(external) => Callee::External(external, function.result),
                None => Callee::Unmodelled,
            },
            (false, _) if function.name.starts_with("__VERIFIER_atomic_") => Callee::Block,
            (false, _) => Callee::Defined,
        }
    };
    Ok(module.functions.iter().map(callee).collect())
}

/// Whether threads may be asked to end.
fn cancels(module: &Module) -> bool {
    module.functions.iter().any(|f| f.name == "pthread_cancel")
}

/// The functions by which a program looks at the clock.
const CLOCKS: [&str; 6] = ["__verify_cycles", "clock", "clock_gettime", "gettimeofday", "time", "timespec_get"];

/// Whether locks of these kinds may be locked by calls that give up, at once or after a time.
fn tries(module: &Module, kinds: &[&str]) -> bool {
    let gives_up = |way: &str| ["try", "timed", "clock"].iter().any(|name| way.starts_with(name));
    let is_one = |name: &str| kinds.iter().find_map(|kind| name.strip_prefix(kind)).is_some_and(gives_up);
    module.functions.iter().any(|f| is_one(&f.name))
}

/// The variables that the library knows by their names.
fn of_library(module: &Module, registry: &Registry) -> FxHashSet<GlobalId> {
    let globals = module.globals.iter().enumerate().filter(|(_, global)| registry.has_global(&global.name));
    globals.map(|(number, _)| GlobalId(number as u32)).collect()
}

/// Whether there may be blocks on the heap.
fn allocates(module: &Module, registry: &Registry) -> bool {
    module.functions.iter().any(|f| registry.get(&f.name).is_some_and(|model| model.allocates))
}

/// Whether the program has atomic blocks.
fn uses_blocks(module: &Module) -> bool {
    module.functions.iter().any(|f| f.name.starts_with("__VERIFIER_atomic_"))
}
