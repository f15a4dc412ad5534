//! The machine: a program with its state.
//!
//! What it is made of is sorted by how long it lasts, and a field is in exactly one of these:
//!
//! | type | lasts | gone over by |
//! | --- | --- | --- |
//! | [`Program`] | for ever; nothing changes it | nobody |
//! | [`State`] | until the explorer goes back | undo, fingerprints, whole states, checkpoints |
//! | [`Learned`] | over starts: the next machine is told | [`Machine::learn_from`], checkpoints |
//! | [`Exploration`] | from one start to the next | the explorer settles it anew |
//! | [`Segment`] | for one action | it begins anew with each action |
//! | [`Lifelong`] | as long as the machine; never undone | checkpoints |
//!
//! Memory, with its race detector, is a part of the state that has parts of its own which are never undone; its
//! checkpoint names all of its fields.
pub(crate) mod access;
mod exploration;
pub(crate) mod layout;
mod learned;
mod lifelong;
mod program;
mod reached;
mod segment;
mod state;

pub(crate) use exploration::Exploration;
pub(crate) use learned::Learned;
pub(crate) use lifelong::{Lifelong, ThreadNumbers};
pub use program::OPENS_ARGUMENTS;
pub(crate) use program::{Callee, Program, promotes};
pub use reached::{Callees, Undefined, UndefinedCall};
pub(crate) use segment::Segment;
pub(crate) use state::{AtExit, Process, State};

use crate::coverage::Coverage;
use crate::library::hooks::Registry;
use crate::options::{Awaits, Error, External, Interference, Options};
use crate::race::RaceLocation;
use crate::symbolic::Symbols;
use crate::sync::queue::QueueUsage;
use crate::thread::{Rare, Status, Thread};
use crate::undo::UndoLog;
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use frontend::ir::{Module, ResultType};
use por::{Needs, ThreadId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A running program. It always stands between two visible actions; see [`por::System`].
///
/// A clone made before the start is a fresh machine for the same schedules: it gives threads the same numbers.
#[derive(Clone)]
pub struct Machine {
    pub(crate) program: Arc<Program>,
    pub(crate) state: State,
    /// What the state was, as far as memory does not know that itself.
    pub(crate) log: UndoLog,
    pub(crate) learned: Learned,
    pub(crate) exploration: Exploration,
    pub(crate) segment: Segment,
    pub(crate) lifelong: Lifelong,
}

impl Machine {
    /// A machine that is about to start this program.
    ///
    /// # Errors
    /// The program has no such entry, or does not fit into memory.
    pub fn new(module: Arc<Module>, registry: &Registry, options: Options) -> Result<Self, Error> {
        let (program, memory) = Program::new(module, registry, options)?;
        Ok(Machine::of(program, State::new(memory)))
    }

    /// A machine that was not started, for the same program in the layout of memory of that number. It has learned
    /// nothing.
    ///
    /// # Errors
    /// The program does not fit into memory in that way.
    pub fn in_layout(&self, layout: u32) -> Result<Self, Error> {
        self.with_options(|options| options.layout = layout)
    }

    /// A machine as [`Machine::new`] makes it, for the same program and options: it was not started, it has learned
    /// nothing, and no engine has asked anything of it. But all its threads run, and all actions are in order, whatever
    /// the options ask of engines.
    ///
    /// # Errors
    /// The program does not fit into memory.
    pub fn anew(&self) -> Result<Self, Error> {
        let options = self.program.options.clone();
        let options = Options { awaits: Some(Awaits::Run), commuting_updates: false, same_values: false, ..options };
        let (program, memory) = self.program.with_options(options)?;
        Ok(Machine::of(program, State::new(memory)))
    }

    /// A machine that was not started, for the same program with other options. It has learned nothing.
    pub(crate) fn with_options(&self, change: impl FnOnce(&mut Options)) -> Result<Self, Error> {
        let mut options = self.program.options.clone();
        change(&mut options);
        let (program, memory) = self.program.with_options(options)?;
        let mut machine = Machine::of(program, State::new(memory));
        let (queues, blocks) = (QueueUsage::default(), Arc::clone(&machine.exploration.blocks));
        let sections = Arc::default();
        machine.exploration = Exploration { queues, blocks, sections, ..self.exploration.clone() };
        machine.state.memory.set_quarantine(self.state.memory.quarantine());
        Ok(machine)
    }

    fn of(program: Program, state: State) -> Self {
        let symbols = program.options.symbolic.clone().map_or_else(Symbols::default, Symbols::new);
        let mut machine = Machine {
            program: Arc::new(program),
            state,
            log: UndoLog::default(),
            learned: Learned::default(),
            exploration: Exploration::default(),
            segment: Segment::default(),
            lifelong: Lifelong { symbols, ..Lifelong::default() },
        };
        machine.settle_exploration(Needs::default());
        machine.settle_blocks();
        machine
    }

    /// The number of the layout of memory.
    pub fn layout(&self) -> u32 {
        self.program.options.layout
    }

    /// Whether what the program does depends on the layout of memory, as far as it has run.
    pub fn depends_on_layout(&self) -> bool {
        self.state.memory.layout_matters
    }

    /// A machine that was not started, for the same program as another one whose exploration has to start again: takes
    /// over what that one has learned.
    pub fn learn_from(&mut self, other: &Machine) {
        self.learned = other.learned.clone();
        // What was learned names stacks.
        self.state.memory.stacks = other.state.memory.stacks.clone();
        self.apply_what_is_learned();
    }

    /// Settles what follows from what was learned. The machine was not started yet.
    pub(crate) fn apply_what_is_learned(&mut self) {
        self.exploration.queues = self.learned.queues;
        self.exploration.errno_matters = self.learned.looks_at_errno;
        self.state.memory.race.set_mixed(self.learned.mixed.clone());
        self.settle_memory();
        self.state.memory.choose_addresses(&self.learned.reused);
        self.settle_blocks();
        self.settle_sections();
        self.settle_ends();
        self.settle_symmetry();
    }

    /// Settles what follows for memory: which plain accesses are actions, and where threads count.
    pub(crate) fn settle_memory(&mut self) {
        let everything = self.program.options.interference == Interference::All;
        self.state.memory.promote(&self.learned.promoted, everything);
        let counted = self.learned.counted.iter().filter(|(_, count)| !count.is_looked_at);
        self.state.memory.count_in(counted.map(|(word, _)| *word));
    }

    /// Learns that plain accesses to these places are to be visible.
    pub fn learn_promoted(&mut self, places: impl IntoIterator<Item = RaceLocation>) {
        self.learned.promoted.extend(places);
    }

    /// How many places are promoted.
    pub fn promoted(&self) -> u64 {
        self.learned.promoted.len() as u64
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.program.options
    }

    /// The functions that are not defined and of which it is said what they do, see [`crate::Externals`], and what they
    /// return.
    pub fn externals(&self) -> impl Iterator<Item = (&str, External, ResultType)> {
        let functions = self.program.module.functions.iter().zip(self.program.callees.iter());
        functions.filter_map(|(function, callee)| match callee {
            Callee::External(external, result) => Some((function.name.as_str(), *external, *result)),
            _ => None,
        })
    }

    /// The program that it executes.
    pub fn module(&self) -> &Module {
        &self.program.module
    }

    /// Which instructions were executed, by this machine, by those that it was cloned from and by their clones; `None`
    /// if that is not noted.
    pub fn coverage(&self) -> Option<Arc<Coverage>> {
        self.program.coverage.clone()
    }

    /// Instructions executed since the machine was made, repetitions included.
    pub fn instructions(&self) -> u64 {
        self.lifelong.instructions
    }

    /// Instructions from the start to the current state.
    pub fn instructions_since_start(&self) -> u64 {
        self.lifelong.way()
    }

    /// What a "safe" would rest on, as far as the program has exercised it.
    pub fn assumptions(&self) -> impl Iterator<Item = Assumption> {
        let reuse = self.state.memory.reused_early.then_some(Assumption::AddressReuse);
        let layout = self.state.memory.layout_matters.then_some(Assumption::OneLayout);
        let weak = self.program.asks_for_weak.then_some(Assumption::WeakIsNull);
        let turns = self.counts_turns().then_some(Assumption::FewTurns);
        let conditional = reuse.into_iter().chain(layout).chain(turns).chain(weak).chain(self.zero_assumed());
        let all: BTreeSet<Assumption> = self.lifelong.assumptions.iter().copied().chain(conditional).collect();
        all.into_iter()
    }

    /// The output so far, in the order in which it was written: (thread, 1 or 2, bytes). Empty unless it is kept.
    pub fn output(&self) -> &[(ThreadId, u8, Vec<u8>)] {
        &self.state.output
    }

    /// The status with which the process ended, if it did.
    pub fn exit_status(&self) -> Option<u64> {
        self.state.process.ended.map(|(status, _)| status)
    }

    pub(crate) fn thread(&self, id: ThreadId) -> &Thread {
        &self.state.threads[id.index()]
    }

    pub(crate) fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        &mut self.state.threads[id.index()]
    }

    /// The rare part of a thread, to be changed.
    pub(crate) fn rare_mut(&mut self, id: ThreadId) -> &mut Rare {
        let thread = &mut self.state.threads[id.index()];
        self.log.save_rare(id, thread);
        &mut thread.rare
    }

    /// The process, to be changed.
    pub(crate) fn process_mut(&mut self) -> &mut Process {
        self.segment.changed_process = true;
        self.log.save_process(&mut self.state.process);
        &mut self.state.process
    }

    /// Whether what local steps of different threads do to the same memory matters: it is a bug, or makes their
    /// accesses visible.
    pub(crate) fn looks_for_races(&self) -> bool {
        self.program.options.checks.contains(Kind::DataRace) || promotes(&self.program.options)
    }

    /// Whether another thread may still do something.
    pub(crate) fn others_alive(&self) -> bool {
        let me = self.segment.current;
        (0..self.state.process.threads)
            .any(|t| t != me.0 && self.state.threads[t as usize].header.status == Status::Alive)
    }
}
