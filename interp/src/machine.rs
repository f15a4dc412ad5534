//! The machine: its state, and how it comes to be.
use crate::assumption::Assumption;
use crate::effect::Stores;
use crate::fault::Kind;
use crate::fingerprint::Following;
use crate::hooks::{BlockSize, CancellationPoint, Model, Passing, Registry};
use crate::layout;
use crate::memory::{Memory, ObjectKind, Quarantine, SizeClass, StackId};
use crate::options::{Error, Interference, Options};
use crate::partial::PartialBytes;
use crate::race::{RaceLocation, RaceModel};
use crate::spin::SpinWatch;
use crate::sync::SyncState;
use crate::sync::queue::QueueUsage;
use crate::thread::{Status, Thread};
use crate::undo::UndoLog;
use crate::waiting::Turns;
use crate::whole::Twin;
use frontend::ir::{FuncId, Module, ReleaseSequences};
use por::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Nobody knows it.
    Unmodelled,
}

/// Numbers of threads by parent and position among its children, handed out in the order in which they are met.
#[derive(Debug, Default)]
pub(crate) struct ThreadNumbers(pub(crate) Mutex<FxHashMap<(ThreadId, u32), ThreadId>>);

impl ThreadNumbers {
    /// Threads 1, 2, … have these parents and places.
    pub(crate) fn new(numbers: &[(ThreadId, u32)]) -> Self {
        let new = ThreadNumbers::default();
        new.set(numbers);
        new
    }

    /// The same for all who share the numbers.
    pub(crate) fn set(&self, numbers: &[(ThreadId, u32)]) {
        let numbered = numbers.iter().zip(1..).map(|(path, number)| (*path, ThreadId(number)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = numbered.collect();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Parents and places of the first threads, by number.
    pub(crate) fn first(&self, count: usize) -> Vec<(ThreadId, u32)> {
        let numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<_> = numbers.iter().map(|(path, number)| (*number, *path)).collect();
        paths.sort_unstable();
        paths.into_iter().map(|(_, path)| path).take(count).collect()
    }

    /// The number of the `nth` child of a thread.
    pub(crate) fn child(&self, parent: ThreadId, nth: u32) -> ThreadId {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = ThreadId(numbers.len() as u32 + 1);
        *numbers.entry((parent, nth)).or_insert(next)
    }
}

/// A function to call at exit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AtExit {
    pub(crate) address: u64,
    pub(crate) argument: u64,
    /// Who registered it, and the number of that event among that thread's.
    pub(crate) by: (ThreadId, u32),
}

/// The state that belongs to no thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Process {
    /// One more than the largest thread number that exists.
    pub(crate) threads: u32,
    /// The status with which the process ended, and which thread ended it.
    pub(crate) ended: Option<(u64, ThreadId)>,
    /// An assumption failed.
    pub(crate) pruned: bool,
    /// Threads that a fault, a limit or an endless loop stopped: without them, that others wait proves nothing.
    pub(crate) stopped: u32,
    /// The thread that stands in the middle of an atomic block.
    pub(crate) block_owner: Option<ThreadId>,
    /// Functions to call at exit, the last one first.
    pub(crate) at_exit: Vec<AtExit>,
    /// How much was sent to System V queues, and to streams, as long as they are taken to be never full.
    pub(crate) sent: [u64; 2],
    /// How much output there is.
    pub(crate) output: usize,
    /// The number of marks when this was last saved.
    pub(crate) stamp: u32,
}

/// What explorations have shown about the program that decides how it is to be explored.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Learned {
    /// There are actions that depend on one another without being ordered: a load without acquire, a store without release,
    /// a trylock that finds the mutex locked, a signal by a thread that does not hold the mutex of those whom it wakes.
    pub(crate) unordered: bool,
    /// The clock is read, which goes on with every action: no state ever comes again.
    pub(crate) clock: bool,
    /// Objects that one thread accesses plainly and another one atomically: what they are, and where they are allocated.
    /// A race of two such accesses is lost if the atomic one is not seen because it leads to a known state.
    pub(crate) mixed: BTreeSet<(ObjectKind, StackId)>,
    /// Places whose plain accesses are visible actions.
    pub(crate) promoted: BTreeSet<RaceLocation>,
    /// Addresses of variables that somebody waits for.
    pub(crate) awaited: BTreeSet<u64>,
    /// Of those for which nobody waits, but reads again and again: they race, or would if they were waited for.
    pub(crate) racing: BTreeSet<u64>,
    /// Memory without a value is met where threads spin: no loop counts as waiting.
    pub(crate) waits_for_nothing: bool,
    /// Something races if updates order nothing: they are ordered.
    pub(crate) ordered_updates: bool,
    /// Variables to which everybody stores the same, by address: what, and how many bytes.
    pub(crate) sets: BTreeMap<u64, (u64, u8)>,
    /// Addresses of which that is not so.
    pub(crate) unlike: BTreeSet<u64>,
    /// Something races if nothing is acquired from those stores: they are ordered.
    pub(crate) ordered_sets: bool,
    /// What is read by what is no action, by address: eight bytes each. Stores there are in order.
    pub(crate) read_plainly: BTreeSet<u64>,
    /// So is something that is no variable: all stores are in order.
    pub(crate) ordered_stores: bool,
    /// Size classes of blocks whose addresses are compared with others after they were freed.
    pub(crate) reused: BTreeSet<SizeClass>,
    /// How queues of messages are used.
    pub(crate) queues: QueueUsage,
}

/// A running program. It always stands between two visible actions; see [`por::System`].
///
/// A clone made before the start is a fresh machine for the same schedules: it gives threads the same numbers.
#[derive(Clone)]
pub struct Machine {
    pub(crate) module: Arc<Module>,
    pub(crate) options: Options,
    /// Per function.
    pub(crate) callees: Vec<Callee>,
    /// What to start instead of a function that a model does.
    pub(crate) thunks: Arc<FxHashMap<FuncId, FuncId>>,
    /// The code of each function for the fast loop.
    pub(crate) quick: Arc<[Box<[crate::quick::Op]>]>,
    /// The constant pool with all addresses put in.
    pub(crate) constants: Arc<[u64]>,
    /// Address of each global; 0 for those that are thread-local or only declared.
    pub(crate) globals: Arc<[u64]>,
    /// Globals by name.
    pub(crate) global_names: Arc<FxHashMap<String, u64>>,
    pub(crate) main: FuncId,
    /// Arguments of main.
    pub(crate) main_arguments: [u64; 3],
    pub(crate) pointer_bytes: u64,
    /// The bits that an address has.
    pub(crate) pointer_mask: u64,
    /// The flags of arithmetic instructions that are checked.
    pub(crate) checked_flags: u8,
    /// The program uses atomic blocks; its visible operations then touch this object too.
    pub(crate) block_object: Option<ObjectId>,
    /// Granules and bytes of promoted memory that the current atomic block has stored to, to be released at its end.
    pub(crate) block_stores: Vec<(ObjectId, u8)>,

    /// The program knows of cancellation.
    pub(crate) cancels: bool,

    /// The program may make blocks on the heap.
    pub(crate) allocates: bool,

    /// By function: how large the block is that a call of it makes, if it makes one.
    pub(crate) blocks: Arc<[Option<BlockSize>]>,
    /// By function: what a call of it is to a thread that may wait.
    pub(crate) passing: Arc<[Option<Passing>]>,

    pub(crate) turns: Turns,

    /// Updates have been executed as if they ordered nothing.
    pub(crate) commuted: bool,
    /// Something was stored from which nothing is acquired.
    pub(crate) has_set: bool,
    /// What was stored where.
    pub(crate) stores: Stores,

    pub(crate) memory: Memory,
    /// Bytes that are defined in part.
    pub(crate) partial: PartialBytes,
    pub(crate) threads: Vec<Thread>,
    /// State of synchronisation objects by number.
    pub(crate) sync: Vec<SyncState>,
    /// Which of them are in the memory object that begins at that address in that generation; only grows.
    pub(crate) sync_in_memory: FxHashMap<(u64, u32), Vec<ObjectId>>,
    /// How queues of messages are kept: by what earlier explorations have shown.
    pub(crate) queues: QueueUsage,
    pub(crate) process: Process,
    pub(crate) log: UndoLog,
    /// How the current action changes the state.
    pub(crate) following: Following,
    /// For whole states.
    pub(crate) twin: Twin,
    /// What exploration has shown about the program.
    pub(crate) learned: Learned,
    /// Something was learned because of which the exploration has to start again.
    pub(crate) restart: bool,
    /// Numbers of threads; never undone, and shared by clones, so that a schedule means the same to all of them.
    pub(crate) paths: Arc<ThreadNumbers>,

    /// The thread whose segment runs.
    pub(crate) current: ThreadId,
    /// Instructions executed since the machine was made.
    pub(crate) instructions: u64,
    /// Instructions after which the current segment has gone on for too long.
    pub(crate) step_limit: u64,
    /// Looks out for loops without end in the current segment.
    pub(crate) spin: SpinWatch,
    /// The other events that the fault just raised needs, see [`crate::fault::Fault::involved`].
    pub(crate) involved: Vec<(ThreadId, u32)>,
    /// See [`crate::fault::Fault::raced`].
    pub(crate) raced: Option<RaceLocation>,
    /// See [`crate::fault::Fault::rule`].
    pub(crate) rule: Option<crate::fault::MemoryRule>,
    /// What the current action violated.
    pub(crate) fault: Option<crate::fault::Fault>,
    /// Why the current action makes the verdict unknown.
    pub(crate) unknown: Option<String>,
    /// What the last action did.
    pub(crate) last_action: Option<crate::describe::Action>,
    /// The thread that the current action created.
    pub(crate) created: Option<ThreadId>,
    /// Output, if it is kept: (thread, stream, bytes).
    pub(crate) output: Vec<(ThreadId, u8, Vec<u8>)>,
    /// An atomic access weaker than sequentially consistent was met, or one that races and is taken to be sequentially
    /// consistent.
    pub(crate) weaker_atomics: bool,
    /// What a "safe" would rest on; only grows.
    pub(crate) assumptions: BTreeSet<Assumption>,
}

impl Machine {
    /// A machine that is about to start this program.
    pub fn new(module: Arc<Module>, registry: &Registry, options: Options) -> Result<Self, Error> {
        let mut module = module;
        registry.provide_globals(Arc::make_mut(&mut module));
        let main = module.function(&options.entry).filter(|f| !module.functions[f.index()].code.is_empty());
        let main = main.ok_or_else(|| Error::NoEntry(options.entry.clone()))?;
        let thunks = crate::thunk::provide(Arc::make_mut(&mut module), registry);

        let Ground { memory, layout, block_object, quick } = Ground::new(&module, &options)?;
        let mut callees = callees(&module, registry);
        thunks.values().for_each(|thunk| callees[thunk.index()] = Callee::Defined);
        let pointer_bytes = module.data_model.pointer_bytes();
        Ok(Machine {
            callees,
            thunks: Arc::new(thunks),
            quick,
            constants: layout.constants.into(),
            globals: layout.globals.into(),
            global_names: Arc::new(layout.names),
            main,
            main_arguments: layout.main_arguments,
            pointer_bytes,
            pointer_mask: u64::MAX >> (64 - 8 * pointer_bytes),
            checked_flags: checked_flags(&options),
            block_object,
            block_stores: Vec::new(),
            cancels: cancels(&module),
            allocates: allocates(&module, registry),
            blocks: module.functions.iter().map(|f| registry.get(&f.name)?.block).collect(),
            passing: module.functions.iter().map(|f| registry.get(&f.name)?.passing).collect(),
            turns: Turns::default(),
            commuted: false,
            has_set: false,
            stores: Stores::default(),
            memory,
            partial: PartialBytes::default(),
            threads: Vec::new(),
            sync: Vec::new(),
            sync_in_memory: FxHashMap::default(),
            queues: QueueUsage::default(),
            process: Process::default(),
            log: UndoLog::default(),
            following: Following::default(),
            twin: Twin::default(),
            learned: Learned::default(),
            restart: false,
            paths: Arc::default(),
            current: ThreadId(0),
            instructions: 0,
            step_limit: 0,
            spin: SpinWatch::default(),
            involved: Vec::new(),
            raced: None,
            rule: None,
            fault: None,
            last_action: None,
            unknown: None,
            created: None,
            output: Vec::new(),
            weaker_atomics: false,
            assumptions: BTreeSet::new(),
            module,
            options,
        })
    }

    /// A machine that was not started, for the same program in the layout of memory of that number. It has learned nothing.
    ///
    /// # Errors
    /// The program does not fit into memory in that way.
    pub fn in_layout(&self, layout: u32) -> Result<Self, Error> {
        let options = Options { layout, ..self.options.clone() };
        let Ground { memory, layout, block_object, quick } = Ground::new(&self.module, &options)?;
        Ok(Machine {
            memory,
            quick,
            constants: layout.constants.into(),
            globals: layout.globals.into(),
            global_names: Arc::new(layout.names),
            main_arguments: layout.main_arguments,
            block_object,
            queues: QueueUsage::default(),
            learned: Learned::default(),
            paths: Arc::default(),
            options,
            ..self.clone()
        })
    }

    /// The number of the layout of memory.
    pub fn layout(&self) -> u32 {
        self.options.layout
    }

    /// Whether what the program does depends on the layout of memory, as far as it has run.
    pub fn depends_on_layout(&self) -> bool {
        self.memory.layout_matters
    }

    /// A machine that was not started, for the same program as another one whose exploration has to start again: takes
    /// over what that one has learned.
    pub fn learn_from(&mut self, other: &Machine) {
        self.learned = other.learned.clone();
        self.queues = self.learned.queues;
        // What was learned names stacks.
        self.memory.stacks = other.memory.stacks.clone();
        self.memory.race.set_mixed(self.learned.mixed.clone());
        self.memory.promote(&self.learned.promoted, self.options.interference == Interference::All);
        self.memory.choose_addresses(&self.learned.reused);
    }

    /// Learns that plain accesses to these places are to be visible.
    pub fn learn_promoted(&mut self, places: impl IntoIterator<Item = RaceLocation>) {
        self.learned.promoted.extend(places);
    }

    /// How many places are promoted.
    pub fn promoted(&self) -> u64 {
        self.learned.promoted.len() as u64
    }

    /// The program.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Instructions executed since the machine was made, repetitions included.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// What a "safe" would rest on, as far as the program has exercised it.
    pub fn assumptions(&self) -> impl Iterator<Item = Assumption> {
        let reuse = self.memory.reused_early.then_some(Assumption::AddressReuse);
        let layout = self.memory.layout_matters.then_some(Assumption::OneLayout);
        let all: BTreeSet<Assumption> = self.assumptions.iter().copied().chain(reuse).chain(layout).collect();
        all.into_iter()
    }

    /// The output so far, in the order in which it was written: (thread, 1 or 2, bytes). Empty unless it is kept.
    pub fn output(&self) -> &[(ThreadId, u8, Vec<u8>)] {
        &self.output
    }

    /// The status with which the process ended, if it did.
    pub fn exit_status(&self) -> Option<u64> {
        self.process.ended.map(|(status, _)| status)
    }

    pub(crate) fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    pub(crate) fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        &mut self.threads[id.index()]
    }

    /// The rare part of a thread, to be changed.
    pub(crate) fn rare_mut(&mut self, id: ThreadId) -> &mut crate::thread::Rare {
        let thread = &mut self.threads[id.index()];
        self.log.save_rare(id, thread);
        &mut thread.rare
    }

    /// The process, to be changed.
    pub(crate) fn process_mut(&mut self) -> &mut Process {
        self.log.save_process(&mut self.process);
        &mut self.process
    }

    /// Whether what local steps of different threads do to the same memory matters: it is a bug, or makes their accesses
    /// visible.
    pub(crate) fn looks_for_races(&self) -> bool {
        self.options.checks.contains(Kind::DataRace) || promotes(&self.options)
    }

    /// Whether another thread may still do something.
    pub(crate) fn others_alive(&self) -> bool {
        let me = self.current;
        (0..self.process.threads).any(|t| t != me.0 && self.threads[t as usize].header.status == Status::Alive)
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
        let quarantine = options.quarantine.unwrap_or(Quarantine::long(module.data_model));
        let mut memory = Memory::new(module, model, quarantine, options.layout);
        memory.race.start(ThreadId(0));
        if promotes {
            memory.race.collect();
        }
        memory.promote(&BTreeSet::new(), options.interference == Interference::All);
        let layout = layout::lay_out(module, &mut memory, options)?;
        let block_object = uses_blocks(module).then(|| memory.ids.intern(crate::memory::ObjectKey::Process(0)));
        let reach = memory.reach();
        let prepare = |function| crate::quick::prepare(function, &layout.constants, checked_flags(options), reach);
        let quick = module.functions.iter().map(prepare).collect();
        Ok(Ground { memory, layout, block_object, quick })
    }
}

/// The flags of arithmetic that are checked.
fn checked_flags(options: &Options) -> u8 {
    if options.checks.contains(Kind::Overflow) { frontend::ir::flags::NSW } else { 0 }
}

/// Whether races are no bugs, but make places whose accesses are visible.
pub(crate) fn promotes(options: &Options) -> bool {
    options.interference != Interference::Synchronisation && !options.checks.contains(Kind::DataRace)
}

fn callees(module: &Module, registry: &Registry) -> Vec<Callee> {
    let cancels = cancels(module);
    let callee = |function: &frontend::ir::Function| {
        let model = registry.get(&function.name);
        match (function.code.is_empty(), model) {
            (_, Some(model)) if model.overrides_definition => Callee::Model(model.model),
            (true, Some(model)) => match registry.cancellation_point(&function.name).filter(|_| cancels) {
                Some(point) => Callee::Point(model.model, point),
                None => Callee::Model(model.model),
            },
            (true, None) => Callee::Unmodelled,
            (false, _) if function.name.starts_with("__VERIFIER_atomic_") => Callee::Block,
            (false, _) => Callee::Defined,
        }
    };
    module.functions.iter().map(callee).collect()
}

/// Whether threads may be asked to end.
fn cancels(module: &Module) -> bool {
    module.functions.iter().any(|f| f.name == "pthread_cancel")
}

/// Whether there may be blocks on the heap.
fn allocates(module: &Module, registry: &Registry) -> bool {
    module.functions.iter().any(|f| registry.get(&f.name).is_some_and(|model| model.allocates))
}

/// Whether the program has atomic blocks.
fn uses_blocks(module: &Module) -> bool {
    module.functions.iter().any(|f| f.name.starts_with("__VERIFIER_atomic_"))
}
