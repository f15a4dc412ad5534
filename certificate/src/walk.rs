//! The walk through all states: in depth, along the tree in the list, so that each action is taken once.
//!
//! In each state all actions are taken. Where the list says that one leads to a state for the first time, it must lead
//! there, and the walk goes on there; else it must lead to some state of the list, and the walk goes back. Each state
//! of the list has one way, so it is entered once at most. Where actions of the second sort lead to is looked up for
//! many of them together: then the processor fetches what is far apart in memory at once.
//!
//! One walk may look at some of the states only, others at the rest: see [`crate::check()`]. On the way to those that
//! it looks at it goes through others, and takes no other actions there.
use crate::hopeless::{Graph, Property};
use crate::list::States;
use por::{Livelocks, Move, Needs, Rest, Step, ThreadId, Variant, current_variants};

/// How often it is asked whether to go on, in actions.
const POLL_INTERVAL: u64 = 1024;

/// How many results of actions are looked up together.
const TOGETHER: usize = 256;

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// States.
    pub states: u64,
    /// Actions: all that can be taken in these states.
    pub actions: u64,
    /// States in which nothing can move.
    pub ends: u64,
    /// Actions of the longest way in the tree.
    pub depth: u64,
    /// Most threads in one state.
    pub threads: u32,
}

impl Checked {
    /// Adds what was looked at elsewhere.
    pub(crate) fn add(&mut self, other: &Checked) {
        let Checked { states, actions, ends, depth, threads } = *other;
        (self.states, self.actions, self.ends) = (self.states + states, self.actions + actions, self.ends + ends);
        (self.depth, self.threads) = (self.depth.max(depth), self.threads.max(threads));
    }
}

/// Why the list proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused<F> {
    /// It is no list of states.
    #[error("the list of states makes no sense: {0}")]
    Senseless(String),
    /// The program does not start in state 0.
    #[error("the program does not start in the first state of the list")]
    Start,
    /// The list is not closed.
    #[error("action {action} of thread {} in state {state} leads to a state that is not in the list", .thread.0)]
    LeadsOut {
        /// From where.
        state: u32,
        /// What moves there.
        thread: ThreadId,
        /// Which of its possibilities.
        action: u32,
    },
    /// A state is not what the list says.
    #[error("state {0} is not reached as the list says")]
    NotReached(u32),
    /// Something is wrong.
    #[error("the program is wrong")]
    Wrong {
        /// What.
        fault: F,
        /// How it is reached.
        schedule: Vec<Move>,
    },
    /// Something is not modelled, or a limit of the system.
    #[error("{0}")]
    Unknown(String),
    /// A state has no fingerprint.
    #[error("a state cannot be told apart from others")]
    NoFingerprint,
    /// The system has learned something that changes what an action is: the walk has to start again with that.
    #[error("something has been learned that the certificate does not say")]
    Restart,
    /// There are more states than the limit.
    #[error("there are more than {0} states")]
    TooMany(u64),
    /// It was asked to stop.
    #[error("it was stopped")]
    Stopped,
}

/// A list in which the walk looks states up.
pub(crate) trait List {
    /// The states to which the list says that actions of this one lead for the first time, with these.
    fn children(&self, state: u32) -> impl Iterator<Item = (u32, Move)>;

    /// The walk has come to a state by that way, or starts there. `expected` is the state to which the list says that
    /// it leads for the first time, if it does.
    fn arrive(&mut self, fingerprint: u128, way: Option<(u32, Move)>, expected: Option<u32>) -> Arrival;

    /// The number of a state.
    fn number(&self, fingerprint: u128) -> Option<u32>;

    /// Whether there is anything to be looked at in this state or behind it along the tree. It is asked in the order in
    /// which the walk goes along the tree.
    fn leads_on(&mut self, _: u32) -> bool {
        true
    }

    /// Whether this state is to be looked at. The walk enters it now.
    fn enter(&mut self, _: u32) -> bool {
        true
    }

    /// These will be looked up.
    fn fetch(&self, _: impl Iterator<Item = u128>) {}

    /// The list.
    fn states(&self) -> &States;
}

/// What is known of a state.
pub(crate) enum Arrival {
    /// It is entered for the first time, and has that number.
    New(u32),
    /// It is in the list, and is entered another time or was.
    Known(u32),
    /// It is not entered here. Whether it is in the list is to be seen.
    Elsewhere,
    /// It is not the one that it should be.
    Another(u32),
    /// It would be one too many.
    TooMany(u64),
}

/// An action that is still to be taken.
struct Open {
    action: Move,
    /// The state to which the list says that it leads for the first time.
    expected: Option<u32>,
}

/// Where an action has led to.
struct Successor {
    action: Move,
    /// Its number, if it is known.
    number: Option<u32>,
    fingerprint: u128,
}

/// A state on the way to the current one.
struct Level {
    state: u32,
    /// It is looked at: all its actions are taken. Of another one those that lead on.
    looked_at: bool,
    /// Where in [`Walk::open`] its actions begin that are still to be taken, and where in [`Walk::successors`] what
    /// those lead to that were.
    open: usize,
    successors: usize,
    idle: bool,
    held: bool,
}

pub(crate) struct Walk<'a, S: Livelocks, L, C, G> {
    pub(crate) system: &'a mut S,
    pub(crate) list: L,
    counts: C,
    go_on: G,
    pub(crate) checked: Checked,
    /// Actions that were taken, those on the way through states that are not looked at as well.
    taken: u64,
    path: Vec<Level>,
    /// For the states on the way, one after the other, the actions that are still to be taken, the next one last.
    open: Vec<Open>,
    /// For the same, where the others have led to.
    successors: Vec<Successor>,
    /// Actions of states that were left, of which it is still to be seen whether they lead to a state of the list.
    unseen: Vec<(u32, Move, u128)>,
    pub(crate) graph: Graph,
    variants: Vec<Variant>,
}

impl<'a, S, L, C, G> Walk<'a, S, L, C, G>
where
    S: Livelocks,
    L: List,
    C: Fn(&S::Fault) -> bool,
    G: FnMut(u64) -> bool,
{
    /// Before the start of a system.
    pub(crate) fn new(system: &'a mut S, list: L, counts: C, go_on: G) -> Self {
        let (checked, taken, path, open, successors, unseen, graph, variants) = Default::default();
        Walk { system, list, counts, go_on, checked, taken, path, open, successors, unseen, graph, variants }
    }

    /// Goes to all states that are to be looked at, and back to the start.
    pub(crate) fn go(&mut self) -> Result<(), Refused<S::Fault>> {
        self.system.prepare(Needs { states: true, ..Needs::default() });
        self.system.follow_states();
        let step = self.system.start();
        self.look_at(step)?;
        let fingerprint = self.system.state().ok_or(Refused::NoFingerprint)?;
        match self.list.arrive(fingerprint, None, None) {
            Arrival::New(0) => {
                self.list.leads_on(0);
                self.enter(0)?;
            }
            Arrival::TooMany(limit) => return Err(Refused::TooMany(limit)),
            _ => return Err(Refused::Start),
        }
        let walked = self.go_everywhere();
        // (What was put off comes before what the walk has ended with.)
        self.look_up()?;
        walked
    }

    fn go_everywhere(&mut self) -> Result<(), Refused<S::Fault>> {
        while let Some(level) = self.path.last() {
            match self.open.len() == level.open {
                true => self.leave()?,
                false => self.take_next()?,
            }
        }
        Ok(())
    }

    /// Takes an action that is still to be taken in the current state.
    fn take_next(&mut self) -> Result<(), Refused<S::Fault>> {
        let Open { action, expected } = self.open.pop().expect("there is one");
        let leads_on = expected.is_none_or(|state| self.list.leads_on(state));
        let looked_at = self.path.last().is_some_and(|level| level.looked_at);
        if !looked_at && !leads_on {
            return Ok(());
        }
        self.system.mark();
        let step = self.system.execute(action.thread, action.label);
        let changed = self.system.changed_more_than_its_thread();
        let level = self.path.last_mut().expect("an action is taken in a state");
        level.idle &= !changed;
        let state = level.state;
        self.checked.actions += u64::from(looked_at);
        self.taken += 1;
        if self.taken.is_multiple_of(POLL_INTERVAL) && !(self.go_on)(self.checked.states) {
            return Err(Refused::Stopped);
        }
        self.look_at(step).map_err(|refused| self.after(action, refused))?;
        let fingerprint = self.system.state().ok_or(Refused::NoFingerprint)?;
        let number = match self.list.arrive(fingerprint, Some((state, action)), expected) {
            Arrival::New(number) if leads_on => {
                self.successors.push(Successor { action, number: Some(number), fingerprint });
                return self.enter(number);
            }
            Arrival::New(number) | Arrival::Known(number) => Some(number),
            Arrival::Elsewhere => None,
            Arrival::Another(number) => return Err(Refused::NotReached(number)),
            Arrival::TooMany(limit) => return Err(Refused::TooMany(limit)),
        };
        self.successors.push(Successor { action, number, fingerprint });
        self.system.undo();
        Ok(())
    }

    /// Comes to the current state, which is that one, for the first time, and looks at it if it is to be looked at.
    fn enter(&mut self, state: u32) -> Result<(), Refused<S::Fault>> {
        let (open, successors) = (self.open.len(), self.successors.len());
        self.add_moves();
        self.open[open..].reverse();
        for (number, action) in self.list.children(state) {
            // (If there is no such action, the state is not reached.)
            if let Some(open) = self.open[open..].iter_mut().find(|open| open.action == action) {
                open.expected = Some(number);
            }
        }
        // (Along the tree in its order.)
        if !self.open[open..].iter().rev().filter_map(|open| open.expected).is_sorted() {
            self.open[open..].sort_by_key(|open| std::cmp::Reverse(open.expected));
        }
        if !self.list.enter(state) {
            let mut rest = self.open.split_off(open);
            rest.retain(|open| open.expected.is_some());
            self.open.append(&mut rest);
            self.path.push(Level { state, looked_at: false, open, successors, idle: false, held: false });
            return Ok(());
        }
        let moves = self.open.len() > open;
        self.checked.states += 1;
        self.checked.ends += u64::from(!moves);
        self.checked.threads = self.checked.threads.max(self.system.threads());
        let (idle, mut held) = (moves, false);
        if moves {
            let stuck = self.system.stuck(Rest::ToBeSeen);
            self.look_at_all(state, stuck)?;
            held = self.system.may_be_released();
        } else {
            let (_, findings) = self.system.ending();
            self.look_at_all(state, findings)?;
        }
        self.path.push(Level { state, looked_at: true, open, successors, idle, held });
        self.checked.depth = self.checked.depth.max(self.path.len() as u64 - 1);
        Ok(())
    }

    /// All actions of the current state were taken.
    fn leave(&mut self) -> Result<(), Refused<S::Fault>> {
        let Level { state, looked_at, successors, idle, held, .. } = self.path.pop().expect("it was there");
        // (Whether a thread spins is asked only where that would be wrong: the system stands there still.)
        let idle = looked_at && idle && self.system.looks_for_livelocks();
        if !self.path.is_empty() {
            self.system.undo();
        }
        if !looked_at {
            self.successors.truncate(successors);
            return Ok(());
        }
        let unknown = self.successors[successors..].iter().filter(|successor| successor.number.is_none());
        self.unseen.extend(unknown.map(|Successor { action, fingerprint, .. }| (state, *action, *fingerprint)));
        if self.unseen.len() >= TOGETHER {
            self.look_up()?;
        }
        let has = |property| match property {
            Property::Idle => idle,
            Property::Held => held,
        };
        let (list, successors) = (&self.list, self.successors.drain(successors..));
        let number = |successor: Successor| successor.number.or_else(|| list.number(successor.fingerprint));
        self.graph.add(state, has, successors.filter_map(number));
        Ok(())
    }

    /// Looks up where actions have led to.
    fn look_up(&mut self) -> Result<(), Refused<S::Fault>> {
        self.list.fetch(self.unseen.iter().map(|(.., fingerprint)| *fingerprint));
        match self.unseen.drain(..).find(|(.., fingerprint)| self.list.number(*fingerprint).is_none()) {
            Some((state, Move { thread, label }, _)) => Err(Refused::LeadsOut { state, thread, action: label }),
            None => Ok(()),
        }
    }

    /// Adds all that can be done in the current state.
    fn add_moves(&mut self) {
        for thread in (0..self.system.threads()).map(ThreadId) {
            self.variants.clear();
            current_variants(self.system, thread, &mut self.variants);
            let decides = self.system.operation(thread).is_some_and(|operation| self.system.is_decision(operation));
            for label in self.variants.iter().map(|variant| variant.label) {
                if !decides || self.system.is_feasible(thread, label) {
                    self.open.push(Open { action: Move { thread, label }, expected: None });
                }
            }
        }
    }

    /// Looks at what came of an action, or of the start.
    fn look_at(&mut self, step: Step<S::Fault>) -> Result<(), Refused<S::Fault>> {
        if step.restart {
            return Err(Refused::Restart);
        }
        match (step.unknown, step.fault.filter(|fault| (self.counts)(fault))) {
            (Some(reason), _) => Err(Refused::Unknown(reason)),
            (None, Some(fault)) => Err(Refused::Wrong { fault: *fault, schedule: self.schedule() }),
            (None, None) => Ok(()),
        }
    }

    /// Looks at what was found in a state.
    fn look_at_all(&self, state: u32, findings: por::Findings<S::Fault>) -> Result<(), Refused<S::Fault>> {
        if let Some(reason) = findings.unknown {
            return Err(Refused::Unknown(reason));
        }
        match findings.faults.into_iter().find(|fault| (self.counts)(fault)) {
            Some(fault) => Err(Refused::Wrong { fault, schedule: self.way_to(state) }),
            None => Ok(()),
        }
    }

    /// Looks for states in which something goes on for ever and nothing comes of it. The system stands at its start.
    pub(crate) fn look_for_ever(&mut self) -> Result<(), Refused<S::Fault>> {
        for state in self.graph.for_ever(Property::Idle) {
            let findings = self.within(state, |walk| {
                walk.open.clear();
                walk.add_moves();
                let mut spinning: Vec<ThreadId> = walk.open.drain(..).map(|open| open.action.thread).collect();
                spinning.dedup();
                walk.system.stuck(Rest::Seen(&spinning))
            });
            self.look_at_all(state, findings)?;
        }
        for state in self.graph.for_ever(Property::Held) {
            let findings = self.within(state, |walk| walk.system.stuck(Rest::Seen(&[])));
            self.look_at_all(state, findings)?;
        }
        Ok(())
    }

    /// Does something in a state, starting at the start, and goes back there.
    fn within<T>(&mut self, state: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let way = self.way_to(state);
        for action in &way {
            self.system.mark();
            self.system.execute(action.thread, action.label);
        }
        let result = work(self);
        way.iter().for_each(|_| self.system.undo());
        result
    }

    /// The actions that lead to the last state on the path.
    fn schedule(&self) -> Vec<Move> {
        self.path.last().map_or_else(Vec::new, |level| self.way_to(level.state))
    }

    fn way_to(&self, state: u32) -> Vec<Move> {
        let mut way: Vec<Move> = self.list.states().way_back(state).collect();
        way.reverse();
        way
    }

    /// What is refused because of an action in the last state on the path is reached by that, too.
    fn after(&self, action: Move, refused: Refused<S::Fault>) -> Refused<S::Fault> {
        match refused {
            Refused::Wrong { fault, mut schedule } => {
                schedule.push(action);
                Refused::Wrong { fault, schedule }
            }
            other => other,
        }
    }
}
