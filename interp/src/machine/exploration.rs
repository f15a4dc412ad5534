//! What is settled about an exploration before it begins.
use super::Machine;
use crate::memory::Quarantine;
use crate::options::Awaits;
use crate::symbolic::InputValue;
use crate::sync::block::lanes::BlockLanes;
use crate::sync::queue::QueueUsage;
use crate::sync::section::Sections;
use crate::verdict::livelock::Usually;
use por::Needs;
use std::sync::Arc;

/// How the machine is explored: what the engine has asked for, and what was known at the start. It is neither undone
/// nor kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exploration {
    /// The engine wants to know how each action changes the state.
    pub(crate) follows: bool,
    /// An engine ever did, and relies on changes having told all that matters.
    pub(crate) relied_on: bool,
    /// The engine wants to know fingerprints of whole states.
    pub(crate) states: bool,
    /// It takes states that have the same fingerprint for one, with the numbers of all that is in them.
    pub(crate) exact: bool,
    /// It wants to know fingerprints, and at the moment not how each action changes the state.
    pub(crate) silent: bool,
    /// What operations do to what they write is said truly; what that rests on is looked at while executing.
    pub(crate) effects: bool,
    /// What becomes of threads that spin until they read something else.
    pub(crate) awaits: Awaits,
    /// Threads that poll or go round in vain go no further.
    pub(crate) polls: bool,
    /// There is a mark before each action.
    pub(crate) marks: bool,
    /// Somebody looks at `errno`, after what earlier explorations have learned.
    pub(crate) errno_matters: bool,
    /// The values of all inputs, if these are fixed.
    pub(crate) inputs: Option<Arc<[InputValue]>>,
    /// What atomic blocks touch, after what earlier explorations have learned.
    pub(crate) blocks: Arc<BlockLanes>,
    /// The engine tells actions apart by what they depend on: critical sections may be quiet.
    pub(crate) commutes_sections: bool,
    /// What quiet sections touch, after what earlier explorations have learned.
    pub(crate) sections: Arc<Sections>,
    /// The engine asks which threads were joined.
    pub(crate) asks_for_joined: bool,
    /// The engine looks for states that come again.
    pub(crate) compares_states: bool,
    /// Ends of threads and joins are parts of other actions.
    pub(crate) merges_ends: bool,
    /// Threads begin in any order.
    pub(crate) takes_any_order: bool,
    /// Threads that nothing tells apart begin in one order.
    pub(crate) symmetry: bool,
    /// Threads are looked at by themselves, and this was settled before.
    pub(crate) usually: Option<Usually>,
    /// Other machines explore other parts of the same.
    pub(crate) company: bool,
    /// How queues of messages are kept, after what earlier explorations have learned.
    pub(crate) queues: QueueUsage,
}

impl Machine {
    /// Does what the engine needs, unless the options say something else. The machine was not started yet.
    pub(crate) fn settle_exploration(&mut self, needs: Needs) {
        let options = &self.program.options;
        self.exploration.effects = needs.effects;
        self.exploration.commutes_sections = needs.waits;
        self.exploration.asks_for_joined = needs.joined;
        self.exploration.compares_states = needs.states;
        // (Where the order of writes is given by what reads them, what waits for a write orders it.)
        self.exploration.awaits = options.awaits.unwrap_or(match needs.waits {
            true if needs.effects => Awaits::Wait,
            true => Awaits::Assume,
            false => Awaits::Run,
        });
        self.exploration.polls = self.exploration.awaits != Awaits::Run;
        self.exploration.marks = needs.marks;
        // Addresses that come back soon let states come again.
        let usual = if needs.states { Quarantine::SHORT } else { Quarantine::long(self.program.module.data_model) };
        self.state.memory.set_quarantine(options.quarantine.unwrap_or(usual));
        self.settle_sections();
        self.settle_ends();
        self.settle_symmetry();
    }
}
