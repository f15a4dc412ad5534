//! States to which E has come before: what can happen there, and where that leads.
//!
//! Many sequences lead to the same states (n writes of one cell in n! orders to n·2^(n-1) of them). A system says of
//! two states that they are the same ([`Fingerprints::state`]). So once an action was executed in a state, it is known
//! where it leads, and the system need not go there again: E grows by the action, and the system stays behind until
//! somebody wants to see it, or something happens that is not known yet. Then it catches up.
//!
//! This leaves nothing out: races, claims and plans are found in E, as always, and what is explored is the same. What
//! is saved is executing. Why it is right: the engine asks a system for nothing but which threads there are, what they
//! stand before, words of objects, what they have joined, and what came of an action. All of that is a function of the
//! state and is kept with it. What was wrong with an action is not: who violates something, restarts or gives up does
//! so each time.
//!
//! *Nothing is asked of small explorations*: the first executions are all executed, so that a system may learn from
//! them. Where states seldom come again, they are looked for no longer, as each costs a little, and once more much
//! later.
//!
//! **Invariant.** The system has executed the first `taken` actions of E, and is behind only if the state of E is
//! known.
mod states;

pub(super) use states::Possible;

use super::action::{Action, Table};
use crate::system::{
    Accesses, Commuting, Decisions, Effect, Ending, Findings, Fingerprints, Move, ObjectId, Step, ThreadId, Variant,
};
use crate::{Options, Outcome, feasible_variants};
use states::{Standing, State, States};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// A system that the engine explores in sequences. See [`super`].
pub(crate) trait Sequential: Commuting + Decisions + Fingerprints {}

impl<S: Commuting + Decisions + Fingerprints> Sequential for S {}

/// Why the answer is unknown where an action does something else than in a state that was taken for the same.
pub(super) const NOT_THE_SAME: &str = "two states were taken for one (please report this)";

/// How many states are kept.
const MOST: usize = 1 << 16;

/// After how many actions it is looked at whether states come again.
const PERIOD: u32 = 1 << 10;

/// How many of 256 actions must be known, so that it is worthwhile.
const WORTHWHILE: u32 = 160;

/// Where it is not, it is tried again after that many times as many executions.
const LATER: u64 = 8;

/// A system, and the states that are known of it.
pub(super) struct Known<'a, S: Sequential> {
    system: &'a mut S,
    /// E: each action with the state behind it, if that is known.
    path: Vec<(Move, Option<u32>)>,
    /// The state before all of them.
    root: Option<u32>,
    /// The state of E, if it is known.
    here: Option<u32>,
    /// How many actions of E the system has executed.
    taken: usize,
    /// States are looked for.
    is_on: bool,
    states: States<S::Operation>,
    /// From that many executions on; never, if none is given.
    from: Option<u64>,
    /// The system has done something else than before.
    pub(super) is_broken: bool,
    /// Whether what is known is compared with what the system does, for debugging.
    checks: bool,
    /// A buffer.
    variants: Vec<Variant>,
}

impl<'a, S: Sequential> Known<'a, S> {
    /// Nothing is known of the system, which was not started; nor will it be, unless that is `wanted`.
    pub(super) fn new(system: &'a mut S, options: &Options, wanted: bool) -> Self {
        Known {
            system,
            path: Vec::new(),
            root: None,
            here: None,
            taken: 0,
            is_on: false,
            states: States::new(),
            from: options.known_from.filter(|_| wanted),
            is_broken: false,
            checks: options.verify_states.is_some(),
            variants: Vec::new(),
        }
    }

    /// So many executions were explored: from some number on, states are looked for that come again. To be called
    /// between executions.
    pub(super) fn after(&mut self, executions: u64) -> Result<(), Outcome> {
        if self.from.is_some_and(|from| from <= executions) {
            self.from = None;
            self.begin()?;
        }
        let states = &mut self.states;
        if !self.is_on || states.actions < PERIOD {
            return Ok(());
        }
        let is_worthwhile = states.known >= states.actions / 256 * WORTHWHILE;
        (states.actions, states.known) = (0, 0);
        if is_worthwhile || self.checks {
            return Ok(());
        }
        self.from = Some(executions.max(1).saturating_mul(LATER));
        self.end()
    }

    /// From now on states are looked for.
    fn begin(&mut self) -> Result<(), Outcome> {
        while self.taken > 0 {
            self.system.undo();
            self.taken -= 1;
        }
        let path = std::mem::take(&mut self.path);
        self.is_on = self.system.follow_from_here();
        self.root = self.look(None);
        self.here = self.root;
        for (Move { thread, label }, _) in path {
            // (What is wrong with it was said before.)
            if self.execute(thread, label)?.restart {
                return Err(Outcome::Restart);
            }
        }
        Ok(())
    }

    /// From now on they are not.
    fn end(&mut self) -> Result<(), Outcome> {
        self.catch_up()?;
        self.forget();
        (self.is_on, self.states) = (false, States::new());
        self.system.follow_no_more();
        Ok(())
    }

    /// The words of what the operation of the thread may access are kept from now on, where the system stands. True:
    /// some were not, and so all was forgotten.
    fn adds_what_is_accessed_by(&mut self, thread: ThreadId) -> bool {
        let Some(operation) = self.system.operation(thread).filter(|_| self.is_on) else { return false };
        let footprint = self.system.footprint(thread, operation);
        let adds = self.states.adds(footprint.iter().map(|access| access.object));
        if adds {
            self.states.forget();
            self.forget();
        }
        adds
    }

    fn forget(&mut self) {
        self.path.iter_mut().for_each(|(_, state)| *state = None);
        (self.root, self.here) = (None, None);
    }

    /// The system executes the next action of E that it has not executed.
    fn take_next(&mut self) -> Result<Option<ThreadId>, Outcome> {
        let (Move { thread, label }, _) = self.path[self.taken];
        self.system.mark();
        let step = self.system.execute(thread, label);
        self.taken += 1;
        self.is_broken |= step.fault.is_some() || step.unknown.is_some();
        if step.restart { Err(Outcome::Restart) } else { Ok(step.created) }
    }

    /// The system executes what it has not executed of E.
    pub(super) fn catch_up(&mut self) -> Result<(), Outcome> {
        while self.taken < self.path.len() {
            self.take_next()?;
        }
        Ok(())
    }

    /// The system, which stands at E.
    pub(super) fn stand(&mut self) -> Result<&mut S, Outcome> {
        self.catch_up()?;
        Ok(self.system)
    }

    /// The system, wherever it stands.
    pub(super) fn system(&mut self) -> &mut S {
        self.system
    }

    /// The same, to be asked what does not depend on that.
    #[inline]
    pub(super) fn pure(&self) -> &S {
        self.system
    }

    /// The state of E.
    #[inline]
    fn state(&self) -> Option<&State<S::Operation>> {
        Some(&self.states.all[self.here? as usize])
    }

    #[inline]
    fn standing(&self, thread: ThreadId) -> Option<Option<&Standing<S::Operation>>> {
        let state = self.state()?;
        Some(state.standing.get(thread.index()).and_then(Option::as_deref))
    }

    /// The number of the state in which the system stands, which has executed all of E. `before` is one whose threads
    /// mostly stand where they do here.
    fn look(&mut self, before: Option<u32>) -> Option<u32> {
        debug_assert_eq!(self.taken, self.path.len());
        if !self.is_on {
            return None;
        }
        let fingerprint = self.system.state()?;
        let states = &mut self.states;
        let threads = self.system.threads();
        let mut standing = Vec::with_capacity(threads as usize);
        let mut hasher = DefaultHasher::new();
        // (What comes again may have been without a thread that has left nothing behind.)
        threads.hash(&mut hasher);
        for thread in (0..threads).map(ThreadId) {
            let here = Standing::of(self.system, thread);
            if let Some(here) = &here {
                here.hash(thread, &mut hasher);
            }
            standing.push(here);
        }
        let mixed = u128::from(hasher.finish()).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let key = fingerprint ^ mixed;
        if let Some(number) = states.numbers.get(&key) {
            return Some(*number);
        }
        let footprints = standing.iter().flatten().map(|standing| &standing.footprint);
        let objects = footprints.flat_map(|footprint| footprint.iter()).map(|access| access.object);
        if states.adds(objects) && !states.all.is_empty() {
            // (Of the others its word is not known.)
            states.forget();
            self.forget();
            return self.look(None);
        }
        if states.all.len() >= MOST {
            return None;
        }
        let before = before.map(|before| &states.all[before as usize].standing);
        let can_any = standing.iter().any(Option::is_some);
        let standing = standing.into_iter().enumerate().map(|(thread, here)| {
            let same =
                before.and_then(|before| before.get(thread)?.as_ref()).filter(|before| here.as_ref() == Some(before));
            same.map(Rc::clone).or_else(|| here.map(Rc::new))
        });
        let standing = standing.collect();
        let words = states.objects.iter().map(|object| self.system.word(*object)).collect();
        let number = states.all.len() as u32;
        states.all.push(State { threads, can_any, standing, words, ways: Vec::new(), ending: None });
        states.numbers.insert(key, number);
        Some(number)
    }

    /// See [`crate::System::start`].
    pub(super) fn start(&mut self) -> Step<S::Fault> {
        self.system.start()
    }

    pub(super) fn threads(&self) -> u32 {
        self.state().map_or_else(|| self.system.threads(), |state| state.threads)
    }

    #[inline]
    pub(super) fn operation(&self, thread: ThreadId) -> Option<&S::Operation> {
        match self.standing(thread) {
            Some(standing) => standing.map(|standing| &*standing.operation),
            None => self.system.operation(thread),
        }
    }

    /// The same, for as long as somebody has it.
    #[inline]
    pub(super) fn operation_to_keep(&self, thread: ThreadId) -> Option<Rc<S::Operation>> {
        match self.standing(thread) {
            Some(standing) => standing.map(|standing| Rc::clone(&standing.operation)),
            None => self.system.operation(thread).cloned().map(Rc::new),
        }
    }

    /// Whether it is known that no thread stands before an operation.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.state().is_some_and(|state| !state.can_any)
    }

    pub(super) fn joined(&self, thread: ThreadId) -> Vec<ThreadId> {
        match self.standing(thread) {
            Some(standing) => standing.map_or(Vec::new(), |standing| standing.joined.clone()),
            None => self.system.joined(thread),
        }
    }

    /// The footprint of the operation before which a thread stands.
    pub(super) fn footprint(&self, thread: ThreadId) -> Accesses {
        match self.standing(thread) {
            Some(standing) => standing.map_or(Accesses::none(), |standing| standing.footprint),
            None => {
                let operation = self.system.operation(thread);
                operation.map_or(Accesses::none(), |operation| self.system.footprint(thread, operation))
            }
        }
    }

    #[inline]
    pub(super) fn word(&self, object: ObjectId) -> u64 {
        let Some(state) = self.state() else { return self.system.word(object) };
        state.words[self.states.places[object.index()] as usize]
    }

    /// Puts into a list what the thread can do. (What is `wanted` may be among it, and is mostly.)
    #[inline]
    pub(super) fn actions(
        &mut self,
        thread: ThreadId,
        wanted: Option<Action>,
        table: &mut Table,
        out: &mut Vec<Possible>,
    ) {
        out.clear();
        match self.standing(thread) {
            Some(Some(standing)) => {
                out.extend_from_slice(standing.actions.get_or_init(|| standing.possible(thread, table)));
            }
            Some(None) => {}
            None => {
                self.variants.clear();
                let footprint = feasible_variants(self.system, thread, &mut self.variants);
                let operation = self.system.operation(thread);
                let effect = operation.map_or(Effect::Ordered, |operation| self.system.effect(operation));
                let several = self.variants.len() > 1;
                out.extend(self.variants.iter().map(|variant| {
                    let wanted = wanted.filter(|wanted| table.is_variant(*wanted, variant));
                    let action =
                        wanted.unwrap_or_else(|| table.action(thread, variant.label, &variant.accesses, effect));
                    (action, several || variant.accesses != footprint)
                }));
            }
        }
    }

    /// Executes an action, with a mark before it.
    pub(super) fn execute(&mut self, thread: ThreadId, label: u32) -> Result<Step<S::Fault>, Outcome> {
        let step = Move { thread, label };
        let before = self.here;
        // (What can be no state, or is one too many, costs as well.)
        self.states.actions += u32::from(self.is_on);
        if let Some(before) = before {
            let states = &mut self.states;
            if let Some(&(_, created, to)) = states.all[before as usize].ways.iter().find(|(way, ..)| *way == step) {
                states.known += 1;
                self.path.push((step, Some(to)));
                self.here = Some(to);
                if self.checks {
                    self.check(created)?;
                }
                return Ok(Step { created, ..Step::default() });
            }
            self.catch_up()?;
        }
        let before = if self.adds_what_is_accessed_by(thread) { None } else { before };
        self.system.mark();
        let done = self.system.execute(thread, label);
        self.taken += 1;
        self.path.push((step, None));
        self.here = None;
        if done.fault.is_some() || done.unknown.is_some() || done.restart {
            return Ok(done);
        }
        let forgotten = self.states.forgotten;
        self.here = self.look(before);
        self.path[self.taken - 1].1 = self.here;
        if let (Some(before), Some(here)) = (before, self.here)
            && forgotten == self.states.forgotten
        {
            self.states.all[before as usize].ways.push((step, done.created, here));
        }
        Ok(done)
    }

    /// Takes the last action of E back.
    pub(super) fn undo(&mut self) {
        self.path.pop();
        if self.taken > self.path.len() {
            self.system.undo();
            self.taken -= 1;
        }
        self.here = self.path.last().map_or(self.root, |(_, state)| *state);
    }

    /// See [`crate::System::ending`].
    pub(super) fn ending(&mut self) -> Result<(Ending, Findings<S::Fault>), Outcome> {
        if let Some(ending) = self.state().and_then(|state| state.ending) {
            return Ok((ending, Findings::default()));
        }
        self.catch_up()?;
        let (ending, findings) = self.system.ending();
        let is_fine = findings.faults.is_empty() && findings.unknown.is_none() && !findings.restart;
        // (Why threads do not go on may follow from how they came there.)
        if let Some(here) = self.here.filter(|_| is_fine && self.is_over()) {
            self.states.all[here as usize].ending = Some(ending);
        }
        Ok((ending, findings))
    }

    /// For debugging: the system stands in the state that is known, and can do the same there.
    fn check(&mut self, created: Option<ThreadId>) -> Result<(), Outcome> {
        let mut last = created;
        while self.taken < self.path.len() {
            last = self.take_next()?;
        }
        assert_eq!(created, last, "the same thread was created");
        let known = self.here;
        let Some(state) = self.state() else { return Ok(()) };
        let threads = state.standing.to_vec();
        assert_eq!(state.threads, self.system.threads(), "as many threads");
        for (thread, known) in (0..).map(ThreadId).zip(&threads) {
            let here = Standing::of(self.system, thread);
            assert!(known.as_deref() == here.as_ref(), "{thread:?} stands where it is known to stand");
        }
        for (object, word) in self.states.objects.iter().zip(&self.state().expect("it is known").words) {
            assert_eq!(*word, self.system.word(*object), "the word of {object:?}");
        }
        let here = self.look(None);
        assert!(here == known || self.system.state().is_none(), "the same fingerprint");
        Ok(())
    }
}
