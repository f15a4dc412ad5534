//! AJLS18, Algorithm 1, without recursion.
use super::Reduction;
use super::action::Action;
use super::trace::{NOWHERE, Trace};
use super::wakeup::{Branch, insert};
use super::weak_initial::{Verdict, WeakInitial};
use crate::explore::OUT_OF_STEP;
use crate::system::{Accesses, Commuting, Decisions, Ending, Findings, Move, Step, ThreadId, Variant};
use crate::turns;
use crate::{Listener, Options, Outcome, Phase, Statistics, feasible_variants};
use rustc_hash::FxHashSet;

/// How often the listener is asked whether to go on, in executed actions.
const POLL_INTERVAL: u64 = 1024;

/// Explores with an engine of this family.
pub(crate) fn explore<S: Commuting + Decisions>(
    system: &mut S,
    options: &Options,
    reduction: Reduction,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let observers = reduction == Reduction::Observers;
    let mut walk = Walk {
        system,
        options,
        reduction,
        listener,
        trace: Trace::new(observers),
        nodes: Vec::new(),
        claims: Vec::new(),
        guide: Vec::new(),
        statistics: Statistics::default(),
        sequence: Vec::new(),
        tried: FxHashSet::default(),
        variants: Vec::new(),
        schedule: Vec::new(),
        out_of_step: false,
    };
    let outcome = walk.run().unwrap_or_else(|outcome| outcome);
    (outcome, walk.statistics)
}

/// A prefix of E: what was explored from there, and what is still to be explored.
#[derive(Default)]
struct Node {
    /// wut(E): the wakeup tree, that is, what is planned from here.
    tree: Vec<Branch>,
    /// done(E): the actions that were explored from here.
    done: Vec<Action>,
    /// Where the claims of this node begin in the list of all. They come from done(E') of shorter prefixes E', and hold
    /// for the sequence from E' to here. They end where those of the next node begin.
    claims: usize,
}

/// What can happen at a prefix.
enum Choice<Op> {
    Action(Action, Op, bool),
    /// Some actions are possible, but all of them are asleep.
    Blocked,
    /// No action is possible.
    Maximal,
}

/// The state of the exploration.
pub(super) struct Walk<'a, S: Commuting + Decisions, O> {
    pub(super) system: &'a mut S,
    options: &'a Options,
    pub(super) reduction: Reduction,
    listener: &'a mut O,
    /// E.
    pub(super) trace: Trace<S::Operation>,
    /// For every prefix of E, the whole of it included where that has been looked at.
    nodes: Vec<Node>,
    claims: Vec<WeakInitial>,
    /// The tree that the next node starts with.
    guide: Vec<Branch>,
    pub(super) statistics: Statistics,
    /// Buffers.
    pub(super) sequence: Vec<Action>,
    /// The sets of events that were already dropped while one race was reversed.
    pub(super) tried: FxHashSet<Vec<u32>>,
    pub(super) variants: Vec<Variant>,
    schedule: Vec<Move>,
    /// An action that was planned could not happen. (It would be planned again and again.)
    out_of_step: bool,
}

impl<S: Commuting + Decisions, O: Listener<S>> Walk<'_, S, O> {
    fn run(&mut self) -> Result<Outcome, Outcome> {
        let step = self.system.start();
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.report(step, None)?;
        loop {
            let end = self.descend()?;
            self.leaf(&end)?;
            self.during(Phase::Alternatives, Self::reverse_races)?;
            if !self.backtrack() {
                return Ok(Outcome::Complete);
            }
        }
    }

    fn during<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        self.listener.phase(phase);
        let result = work(self);
        self.listener.phase(Phase::Walk);
        result
    }

    /// Goes on until nothing is possible any more, and says why.
    fn descend(&mut self) -> Result<Choice<S::Operation>, Outcome> {
        loop {
            let at = self.trace.len();
            if self.nodes.len() == at {
                let tree = std::mem::take(&mut self.guide);
                let claims = self.claims_behind();
                self.nodes.push(Node { tree, done: Vec::new(), claims });
            }
            let choice = match self.next_planned() {
                Some(choice) => choice,
                None => self.choose(),
            };
            let Choice::Action(action, operation, is_choice) = choice else {
                return Ok(choice);
            };
            if at as u64 >= self.options.max_depth {
                return Err(Outcome::DepthLimit);
            }
            self.execute(action, operation, is_choice)?;
        }
    }

    /// Line 20: the first branch of the tree.
    fn next_planned(&mut self) -> Option<Choice<S::Operation>> {
        let node = self.nodes.last_mut().expect("there is a node");
        if node.tree.is_empty() {
            return None;
        }
        let Branch { action, children } = node.tree.remove(0);
        self.guide = children;
        let mut variants = std::mem::take(&mut self.variants);
        variants.clear();
        let footprint = feasible_variants(self.system, action.thread, &mut variants);
        let found = variants.iter().find(|variant| self.trace.table.is_variant(action, variant));
        let choice = found.map(|variant| self.chosen(action, variant, &footprint, variants.len()));
        if choice.is_some() {
            self.plan_other_decisions(action, &variants);
        }
        self.variants = variants;
        if choice.is_none() {
            self.guide.clear();
            // The action was planned where other decisions had been taken.
            if self.decides(action.thread) {
                return self.next_planned();
            }
            self.out_of_step = true;
            let _ = self.listener.unknown(OUT_OF_STEP.to_owned());
            return self.next_planned();
        }
        choice
    }

    fn chosen(&self, action: Action, variant: &Variant, footprint: &Accesses, variants: usize) -> Choice<S::Operation> {
        let operation = self.system.operation(action.thread).expect("it can move").clone();
        let is_choice = variants > 1 || variant.accesses != *footprint;
        Choice::Action(action, operation, is_choice && !self.decides(action.thread))
    }

    /// Whether what the thread stands before is a decision.
    fn decides(&self, thread: ThreadId) -> bool {
        self.system.operation(thread).is_some_and(|operation| self.system.is_decision(operation))
    }

    /// Before a decision is executed: plans its other variants right here, unless they are asleep. See the module
    /// [`super`].
    fn plan_other_decisions(&mut self, action: Action, variants: &[Variant]) {
        if variants.len() < 2 || !self.decides(action.thread) {
            return;
        }
        let effect = self.system.effect(self.system.operation(action.thread).expect("it can move"));
        for variant in variants {
            let other = self.trace.table.action(action.thread, variant.label, &variant.accesses, effect);
            let node = self.nodes.last().expect("there is a node");
            let is_known = other == action
                || node.done.contains(&other)
                || node.tree.iter().any(|branch| branch.action == other)
                || self.is_asleep(other);
            if !is_known {
                let node = self.nodes.last_mut().expect("there is a node");
                node.tree.push(Branch { action: other, children: Vec::new() });
                self.statistics.work.alternatives += 1;
            }
        }
    }

    /// Drops decisions that come next in the tree of the last node and are no events there, because they were planned
    /// where other decisions had been taken.
    fn drop_infeasible(&mut self) {
        while let Some(action) = self.nodes.last().and_then(|node| node.tree.first()).map(|branch| branch.action) {
            if !self.decides(action.thread) || self.system.is_feasible(action.thread, action.label) {
                return;
            }
            self.nodes.last_mut().expect("there is a node").tree.remove(0);
        }
    }

    /// Line 17: any enabled action. With source sets none that is asleep.
    fn choose(&mut self) -> Choice<S::Operation> {
        let threads = self.system.threads();
        let last = self.trace.len().checked_sub(1);
        let current = last.map_or(ThreadId(0), |last| self.trace.event(last as u32).action.thread);
        let mut blocked = false;
        let mut variants = std::mem::take(&mut self.variants);
        let mut choice = None;
        for thread in turns::order(threads, current, self.has_long_turn(current)) {
            variants.clear();
            let footprint = feasible_variants(self.system, thread, &mut variants);
            for variant in &variants {
                let effect = self.system.effect(self.system.operation(thread).expect("it can move"));
                let action = self.trace.table.action(thread, variant.label, &variant.accesses, effect);
                if self.is_asleep(action) {
                    blocked = true;
                } else {
                    choice = Some((action, self.chosen(action, variant, &footprint, variants.len())));
                    break;
                }
            }
            if let Some((action, _)) = choice {
                self.plan_other_decisions(action, &variants);
                break;
            }
        }
        self.variants = variants;
        choice.map_or(if blocked { Choice::Blocked } else { Choice::Maximal }, |(_, choice)| choice)
    }

    /// Whether the last [`turns::LONG`] events are all of this thread.
    fn has_long_turn(&self, thread: ThreadId) -> bool {
        let len = self.trace.len() as u32;
        let Some(earlier) = len.checked_sub(turns::LONG) else { return false };
        let (first, last) = (self.trace.event(earlier), self.trace.event(len - 1));
        first.action.thread == thread && last.number - first.number == turns::LONG - 1
    }

    /// Whether what can begin with the action has been explored, with source sets. (With wakeup trees nothing is asleep
    /// after a leaf: Lemma 4.)
    fn is_asleep(&self, action: Action) -> bool {
        let node = self.nodes.last().expect("there is a node");
        self.claims[node.claims..].iter().any(|claim| claim.is_ahead_of(action))
    }

    /// Adds the claims that hold at the end of E to the list, and says where they begin.
    fn claims_behind(&mut self) -> usize {
        let begin = self.claims.len();
        let Some(at) = self.trace.len().checked_sub(1) else { return begin };
        let action = self.trace.event(at as u32).action;
        let node = &self.nodes[at];
        let old = begin - node.claims;
        for index in 0..old + node.done.len() {
            let mut claim = match index.checked_sub(old) {
                None => self.claims[node.claims + index],
                Some(index) => WeakInitial::new(node.done[index], at as u32),
            };
            let at = claim.at;
            let was_set = |place| self.trace.is_set(place, at);
            if claim.step(&self.trace.table, action, was_set) != Verdict::Refuted {
                self.claims.push(claim);
            }
        }
        begin
    }

    fn execute(&mut self, action: Action, operation: S::Operation, choice: bool) -> Result<(), Outcome> {
        self.listener.phase(Phase::System);
        let system = &mut *self.system;
        if let Some(object) = self.trace.push(action, operation, choice, |object| system.word(object)) {
            system.retract_same_value(object);
            return Err(Outcome::Restart);
        }
        system.mark();
        let step = system.execute(action.thread, action.label);
        self.trace.executed(step.created, |object| system.word(object));
        self.listener.phase(Phase::Walk);
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.statistics.events += 1;
        self.statistics.steps += 1;
        self.statistics.depth = self.statistics.depth.max(self.trace.len() as u64);
        self.statistics.threads = self.statistics.threads.max(self.system.threads());
        self.report(step, Some(self.trace.len() as u32 - 1))?;
        if self.statistics.steps.is_multiple_of(POLL_INTERVAL) { self.poll() } else { Ok(()) }
    }

    /// Asks the listener whether to go on.
    pub(super) fn poll(&mut self) -> Result<(), Outcome> {
        self.listener.poll(self.system, &self.statistics).go_on()
    }

    /// Line 11–12 at the prefix of that length: plans a sequence unless what can begin with it was explored or is
    /// planned.
    ///
    /// Returns whether no sequence that begins with so many actions of it, `shared`, need be planned there any more, as
    /// long as E begins with that prefix and the action after it: the same would be found for the same reasons.
    pub(super) fn plan(&mut self, start: u32, sequence: &[Action], shared: usize) -> bool {
        if self.out_of_step {
            return false;
        }
        let (trace, table) = (&self.trace, &self.trace.table);
        let current = self.trace.event(start).action;
        let end = self.nodes.get(start as usize + 1).map_or(self.claims.len(), |next| next.claims);
        let node = &mut self.nodes[start as usize];
        let old = self.claims[node.claims..end].iter().copied();
        let new = node.done.iter().chain([&current]).map(|&done| WeakInitial::new(done, start));
        let refuted_by = |claim: WeakInitial| claim.refuted_by(table, sequence, |place| trace.is_set(place, claim.at));
        if self.reduction == Reduction::Source {
            // What sleeps may be independent of the sequence and not of what comes after it; what is explored from
            // there is explored with the sequence as well then.
            let happens = |claim: &WeakInitial| sequence.iter().any(|next| next.thread == claim.action.thread);
            let planned = node.tree.iter().map(|branch| WeakInitial::new(branch.action, start));
            let shown = old.filter(happens).chain(new).chain(planned).find_map(|claim| refuted_by(claim).ok());
            if shown.is_none() {
                node.tree.push(Branch { action: sequence[0], children: Vec::new() });
                self.statistics.work.alternatives += 1;
            }
            return shown.unwrap_or(1) <= shared;
        }
        let mut shortest = 0;
        for claim in old.chain(new) {
            match refuted_by(claim) {
                Ok(shown) => return shown <= shared,
                Err(count) => shortest = shortest.max(count),
            }
        }
        self.statistics.work.alternatives += 1;
        insert(&mut node.tree, table, sequence, shortest, |place| trace.is_set(place, start)) as usize <= shared
    }

    /// Goes up until something is planned. False at the end of the exploration.
    fn backtrack(&mut self) -> bool {
        // (The node of the end itself has nothing.)
        while self.trace.len() > 0 {
            let node = self.nodes.pop().expect("every prefix has a node");
            self.claims.truncate(node.claims);
            let action = self.trace.pop();
            self.during(Phase::System, |walk| walk.system.undo());
            let node = self.nodes.last_mut().expect("every prefix has a node");
            node.done.push(action);
            self.drop_infeasible();
            if self.nodes.last().is_some_and(|node| !node.tree.is_empty()) {
                return true;
            }
        }
        false
    }

    /// The end of an execution.
    fn leaf(&mut self, end: &Choice<S::Operation>) -> Result<(), Outcome> {
        if let Choice::Blocked = end {
            self.statistics.blocked += 1;
        } else {
            let (ending, findings) = self.system.ending();
            match ending {
                Ending::Pruned => self.statistics.pruned += 1,
                Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
            }
            self.report_at_end(findings)?;
            let mut schedule = std::mem::take(&mut self.schedule);
            schedule.clear();
            schedule.extend(self.moves(|_| true));
            self.listener.execution(self.system, ending, &schedule).go_on()?;
            self.schedule = schedule;
        }
        if Some(self.statistics.ends()) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }

    /// Tells the listener about what is wrong with E: it comes after all of it, or after the past of what it involves.
    fn report_at_end(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        self.report(Step { unknown: findings.unknown, ..Step::default() }, None)?;
        for fault in findings.faults {
            if S::involved(&fault).is_empty() {
                let schedule = self.moves(|_| true).collect();
                self.listener.violation(fault, schedule).go_on()?;
            } else {
                self.report(Step { fault: Some(fault), ..Step::default() }, None)?;
            }
        }
        Ok(())
    }

    /// Tells the listener about what a step found.
    fn report(&mut self, step: Step<S::Fault>, event: Option<u32>) -> Result<(), Outcome> {
        if let Some(reason) = step.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        let Some(fault) = step.fault else {
            return Ok(());
        };
        // The past of the event and of every event that the fault involves.
        self.trace.order();
        let involved = S::involved(&fault);
        let involved = involved.iter().map(|&(thread, count)| self.trace.numbered(thread, count));
        let tops: Vec<u32> = event.into_iter().chain(involved).filter(|&top| top != NOWHERE).collect();
        // (What each of several things needs alone may not be enough for all of them together, see
        // [`super::same_value`].)
        let is_needed =
            |at| tops.iter().any(|&top| if self.trace.is_loose() { at <= top } else { self.trace.includes(top, at) });
        let schedule = self.moves(is_needed).collect();
        self.listener.violation(fault, schedule).go_on()
    }

    /// The moves of the events for which `keep` holds.
    fn moves(&self, keep: impl Fn(u32) -> bool) -> impl Iterator<Item = Move> {
        let kept = (0..).zip(self.trace.actions()).filter(move |&(at, _)| keep(at));
        kept.map(|(_, Action { thread, label, .. })| Move { thread, label })
    }
}
