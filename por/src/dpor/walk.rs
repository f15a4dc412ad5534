//! AJLS18, Algorithm 1, without recursion.
use super::Reduction;
use super::action::Action;
use super::job::Job;
use super::known::{Known, NOT_THE_SAME, Possible, Sequential};
use super::node::{Begun, Node, Owner, Plans, Way};
use super::task::Above;
use super::trace::Trace;
use super::wakeup::{Branch, Rest};
use super::weak_initial::{Verdict, WeakInitial};
use crate::explore::OUT_OF_STEP;
use crate::system::{Ending, Move, Step, ThreadId, Variant};
use crate::turns;
use crate::{Listener, Options, Outcome, Phase, Statistics};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Explores with an engine of this family.
pub(crate) fn explore<S: Sequential>(
    system: &mut S,
    options: &Options,
    reduction: Reduction,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let mut walk = Walk::new(system, options, reduction, listener);
    let outcome = walk.run().unwrap_or_else(|outcome| outcome);
    (outcome, walk.statistics)
}

/// An action that E goes on with.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) action: Action,
    /// Whether its thread has a choice, which is no decision.
    is_choice: bool,
}

/// What can happen at a prefix.
enum Choice {
    Action(Chosen),
    /// Some actions are possible, but all of them are asleep.
    Blocked,
    /// No action is possible.
    Maximal,
}

/// The state of the exploration.
pub(crate) struct Walk<'a, S: Sequential, O> {
    pub(super) system: Known<'a, S>,
    pub(super) options: &'a Options,
    pub(super) reduction: Reduction,
    pub(super) listener: &'a mut O,
    /// E.
    pub(super) trace: Trace<S::Operation>,
    /// For every prefix of E, the whole of it included where that has been looked at.
    pub(super) nodes: Vec<Node>,
    pub(super) claims: Vec<WeakInitial>,
    /// What E goes on with, and the plans that the next node starts with.
    pub(super) next: Option<Chosen>,
    pub(super) guide: Owner,
    /// What was planned where no worker is any more.
    pub(super) orphans: Vec<Job>,
    /// So many prefixes are not this worker's, but copies: see [`super::task`].
    pub(super) frozen: usize,
    /// What is to be planned there, and how many actions that has in all.
    pub(super) above: FxHashSet<Above>,
    pub(super) told: usize,
    pub(crate) statistics: Statistics,
    /// Executions of all kinds of all workers, if there are others and these are limited.
    pub(super) ends: Option<Arc<AtomicU64>>,
    /// Buffers.
    pub(super) sequence: Vec<Action>,
    pub(super) others: Vec<Action>,
    rooms: Vec<Vec<Begun>>,
    rest: Rest,
    /// The sets of events that were already dropped while one race was reversed.
    pub(super) tried: FxHashSet<Vec<u32>>,
    pub(super) variants: Vec<Variant>,
    actions: Vec<Possible>,
    schedule: Vec<Move>,
    /// An action that was planned could not happen. (It would be planned again and again.)
    out_of_step: bool,
}

impl<'a, S: Sequential, O: Listener<S>> Walk<'a, S, O> {
    pub(crate) fn new(system: &'a mut S, options: &'a Options, reduction: Reduction, listener: &'a mut O) -> Self {
        Walk {
            // (Phases are told of what is executed.)
            system: Known::new(system, options, !listener.wants_phases()),
            options,
            reduction,
            listener,
            trace: Trace::new(reduction == Reduction::Observers),
            nodes: Vec::new(),
            claims: Vec::new(),
            next: None,
            guide: Owner::default(),
            orphans: Vec::new(),
            frozen: 0,
            above: FxHashSet::default(),
            told: 0,
            statistics: Statistics::default(),
            ends: None,
            sequence: Vec::new(),
            others: Vec::new(),
            rooms: Vec::new(),
            rest: Rest::default(),
            tried: FxHashSet::default(),
            variants: Vec::new(),
            actions: Vec::new(),
            schedule: Vec::new(),
            out_of_step: false,
        }
    }

    fn run(&mut self) -> Result<Outcome, Outcome> {
        self.begin()?;
        while self.explore_one()? {}
        Ok(Outcome::Complete)
    }

    /// Starts the system.
    pub(crate) fn begin(&mut self) -> Result<(), Outcome> {
        let step = self.system.start();
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.report(step, None)
    }

    /// Explores one execution, plans what reverses its races, and goes up to where something is planned. False if
    /// nothing is.
    pub(crate) fn explore_one(&mut self) -> Result<bool, Outcome> {
        self.system.after(self.statistics.ends())?;
        let end = self.descend()?;
        self.leaf(&end)?;
        self.during(Phase::Alternatives, Self::reverse_races)?;
        Ok(self.backtrack())
    }

    fn during<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        self.listener.phase(phase);
        let result = work(self);
        self.listener.phase(Phase::Walk);
        result
    }

    /// Goes on until nothing is possible any more, and says why.
    fn descend(&mut self) -> Result<Choice, Outcome> {
        loop {
            let at = self.trace.len();
            if self.nodes.len() == at {
                let plans = std::mem::take(&mut self.guide);
                let claims = self.claims_behind();
                self.nodes.push(Node::new(plans, 0, claims).with_room(self.rooms.pop()));
            }
            let chosen = match self.next.take().or_else(|| self.begin_planned()) {
                Some(chosen) => chosen,
                None => match self.choose() {
                    Choice::Action(chosen) => chosen,
                    end => return Ok(end),
                },
            };
            if at as u64 >= self.options.max_depth {
                return Err(Outcome::DepthLimit);
            }
            self.execute(chosen)?;
        }
    }

    /// Line 20: begins with the first branch of the tree. (Others must not see that it is gone before they see that it
    /// was begun with: so their turn comes behind both.)
    fn begin_planned(&mut self) -> Option<Chosen> {
        loop {
            let (mut plans, rank) = self.nodes.last_mut().expect("there is a node").hold();
            if plans.tree.is_empty() {
                return None;
            }
            let branch = plans.tree.remove(0);
            let action = branch.action;
            let table = &mut self.trace.table;
            table.catch_up();
            self.system.actions(action.thread, Some(action), table, &mut self.actions);
            if let Some(&(_, is_choice)) = self.actions.iter().find(|(possible, _)| possible.does_the_same(action)) {
                let (begun, guide) = plans.begin(branch);
                *rank = begun;
                drop(plans);
                self.guide = guide;
                self.plan_other_decisions(action);
                return Some(self.chosen(action, is_choice));
            }
            drop(plans);
            // (Else the action was planned where other decisions had been taken.)
            if !self.decides(action.thread) {
                self.fall_out_of_step();
            }
        }
    }

    /// An action that was begun with by somebody else, if it is possible.
    pub(super) fn possible(&mut self, action: Action) -> Option<Chosen> {
        self.system.actions(action.thread, Some(action), &mut self.trace.table, &mut self.actions);
        let found = self.actions.iter().find(|(possible, _)| possible.does_the_same(action));
        found.map(|&(_, is_choice)| self.chosen(action, is_choice))
    }

    /// An action that was planned cannot happen.
    pub(super) fn fall_out_of_step(&mut self) {
        self.out_of_step = true;
        let _ = self.listener.unknown(OUT_OF_STEP.to_owned());
    }

    fn chosen(&self, action: Action, is_choice: bool) -> Chosen {
        Chosen { action, is_choice: is_choice && !self.decides(action.thread) }
    }

    /// Whether what the thread stands before is a decision.
    fn decides(&self, thread: ThreadId) -> bool {
        self.system.operation(thread).is_some_and(|operation| self.system.pure().is_decision(operation))
    }

    /// Before a decision is executed, one of what its thread can do: plans its other variants right here, unless they
    /// are asleep. See the module [`super`].
    fn plan_other_decisions(&mut self, action: Action) {
        if self.actions.len() < 2 || !self.decides(action.thread) {
            return;
        }
        for index in 0..self.actions.len() {
            let (other, _) = self.actions[index];
            let is_asleep = self.is_asleep(other);
            let mut plans = self.nodes.last_mut().expect("there is a node").plans();
            let is_known = other == action
                || plans.begun.iter().any(|begun| begun.action == other)
                || plans.tree.iter().any(|branch| branch.action == other)
                || is_asleep;
            if !is_known {
                plans.tree.push(Branch { action: other, children: Vec::new() });
                self.statistics.work.alternatives += 1;
                self.listener.another_order(self.system.pure(), None);
            }
        }
    }

    /// Line 17: any enabled action. With source sets none that is asleep.
    fn choose(&mut self) -> Choice {
        if self.system.is_over() {
            return Choice::Maximal;
        }
        let threads = self.system.threads();
        let last = self.trace.len().checked_sub(1);
        let current = last.map_or(ThreadId(0), |last| self.trace.event(last as u32).action.thread);
        let mut blocked = false;
        let mut choice = None;
        for thread in turns::order(threads, current, self.has_long_turn(current)) {
            // (Mostly those that are over are many.)
            if self.system.operation(thread).is_none() {
                continue;
            }
            self.system.actions(thread, None, &mut self.trace.table, &mut self.actions);
            for &(action, is_choice) in &self.actions {
                if self.is_asleep(action) {
                    blocked = true;
                } else {
                    choice = Some(self.chosen(action, is_choice));
                    break;
                }
            }
            if let Some(Chosen { action, .. }) = choice {
                let (mut plans, rank) = self.nodes.last_mut().expect("there is a node").hold();
                (*rank, _) = plans.begin(Branch { action, children: Vec::new() });
                drop(plans);
                self.plan_other_decisions(action);
                break;
            }
        }
        choice.map_or(if blocked { Choice::Blocked } else { Choice::Maximal }, Choice::Action)
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
    pub(super) fn claims_behind(&mut self) -> usize {
        let begin = self.claims.len();
        let Some(at) = self.trace.len().checked_sub(1) else { return begin };
        let action = self.trace.event(at as u32).action;
        let node = &mut self.nodes[at];
        let first = node.claims;
        let (plans, rank) = node.hold();
        let old = begin - first;
        for index in 0..old + *rank {
            let mut claim = match index.checked_sub(old) {
                None => self.claims[first + index],
                Some(index) => WeakInitial::new(plans.begun[index].action, at as u32),
            };
            let at = claim.at;
            let was_set = |place| self.trace.is_set(place, at);
            if claim.step(&self.trace.table, action, was_set) != Verdict::Refuted {
                self.claims.push(claim);
            }
        }
        begin
    }

    /// Executes an action that was begun with.
    fn execute(&mut self, chosen: Chosen) -> Result<(), Outcome> {
        let step = self.append(chosen)?;
        self.statistics.events += 1;
        self.report(step, Some(self.trace.len() as u32 - 1))?;
        if self.statistics.is_poll_due() { self.poll() } else { Ok(()) }
    }

    /// Executes an action, and appends it to E.
    pub(super) fn append(&mut self, Chosen { action, is_choice }: Chosen) -> Result<Step<S::Fault>, Outcome> {
        self.listener.phase(Phase::System);
        let system = &mut self.system;
        let operation = system.operation_to_keep(action.thread).expect("it can move");
        let made = (operation, is_choice, &*system.joined(action.thread));
        if let Some(object) = self.trace.push(action, made, |object| system.word(object)) {
            system.system().retract_same_value(object);
            return Err(Outcome::Restart);
        }
        let step = system.execute(action.thread, action.label)?;
        self.trace.executed(step.created, |object| system.word(object));
        self.listener.phase(Phase::Walk);
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.statistics.steps += 1;
        self.statistics.depth = self.statistics.depth.max(self.trace.len() as u64);
        self.statistics.threads = self.statistics.threads.max(self.system.threads());
        Ok(step)
    }

    /// Asks the listener whether to go on.
    pub(super) fn poll(&mut self) -> Result<(), Outcome> {
        let system = self.system.stand()?;
        self.listener.poll(system, &self.statistics).go_on()
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
        let end = self.nodes.get(start as usize + 1).map_or(self.claims.len(), |next| next.claims);
        let node = &mut self.nodes[start as usize];
        let old = self.claims[node.claims..end].iter().copied();
        let (mut plans, rank) = node.hold();
        let later = *rank + 1;
        self.trace.table.catch_up();
        let (trace, table) = (&self.trace, &self.trace.table);
        let claim = |action| WeakInitial::new(action, start);
        let refuted_by = |claim: WeakInitial| claim.refuted_by(table, sequence, |place| trace.is_set(place, claim.at));
        if self.reduction == Reduction::Source {
            // What sleeps may be independent of the sequence and not of what comes after it; what is explored from
            // there is explored with the sequence as well then.
            let happens = |claim: &WeakInitial| sequence.iter().any(|next| next.thread == claim.action.thread);
            let Plans { tree, begun, .. } = &mut *plans;
            let new = begun.iter().map(|begun| claim(begun.action));
            let planned = tree.iter().map(|branch| claim(branch.action));
            let shown = old.filter(happens).chain(new).chain(planned).find_map(|claim| refuted_by(claim).ok());
            if shown.is_none() && (start as usize) < self.frozen {
                drop(plans);
                return self.plan_above(start, sequence, 0, shared);
            }
            if shown.is_none() {
                tree.push(Branch { action: sequence[0], children: Vec::new() });
                self.statistics.work.alternatives += 1;
                self.listener.another_order(self.system.pure(), trace.reversed(start, sequence));
            }
            return shown.unwrap_or(1) <= shared;
        }
        let mut shortest = 0;
        let begun = plans.begun[..later].iter().map(|begun| claim(begun.action));
        let shown = old.chain(begun).find_map(|claim| match refuted_by(claim) {
            Ok(shown) => Some(shown),
            Err(count) => {
                shortest = shortest.max(count);
                None
            }
        });
        if let Some(shown) = shown {
            return shown <= shared;
        }
        self.statistics.work.alternatives += 1;
        if self.listener.wants_phases() {
            self.listener.another_order(self.system.pure(), trace.reversed(start, sequence));
        }
        if (start as usize) < self.frozen {
            drop(plans);
            return self.plan_above(start, sequence, shortest as u32, shared);
        }
        let mut way = Way::new();
        let was_set = |place| trace.is_set(place, start);
        self.rest.begin(sequence);
        let decided = plans.insert(later, table, &mut self.rest, shortest as u32, &was_set, &mut way);
        drop(plans);
        self.adopt(start, &way);
        decided as usize <= shared
    }

    /// Goes up until something is planned, and begins with that. False if nothing is: what others plan there later is
    /// theirs to explore.
    fn backtrack(&mut self) -> bool {
        // (The node of the end itself has nothing.)
        while self.trace.len() > self.frozen {
            self.go_up();
            // (As long as anything is planned, this worker does not leave.)
            while self.next.is_none() && !self.has_left() {
                self.next = self.begin_planned();
            }
            if self.next.is_some() {
                return true;
            }
        }
        false
    }

    /// Leaves the last node, unless anything is planned there.
    fn has_left(&mut self) -> bool {
        let plans = self.nodes.last_mut().expect("there is a node").plans();
        let is_done = plans.tree.is_empty();
        if is_done {
            plans.leave();
        }
        is_done
    }

    /// Takes the last action of E back.
    pub(super) fn go_up(&mut self) {
        let node = self.nodes.pop().expect("every prefix has a node");
        self.claims.truncate(node.claims);
        self.rooms.extend(node.into_room());
        self.trace.pop();
        self.during(Phase::System, |walk| walk.system.undo());
    }

    /// The end of an execution.
    fn leaf(&mut self, end: &Choice) -> Result<(), Outcome> {
        let number = self.ends.as_ref().map(|ends| ends.fetch_add(1, Ordering::Relaxed) + 1);
        if number.is_some_and(|number| Some(number) > self.options.max_executions) {
            return Err(Outcome::ExecutionLimit);
        }
        if let Choice::Blocked = end {
            self.statistics.blocked += 1;
        } else {
            let (ending, findings) = self.system.ending()?;
            match ending {
                Ending::Pruned => self.statistics.pruned += 1,
                Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
            }
            self.report_at_end(findings)?;
            let mut schedule = std::mem::take(&mut self.schedule);
            schedule.clear();
            if self.listener.looks_at_states() {
                self.system.catch_up()?;
                schedule.extend(self.moves(|_| true));
            }
            if std::mem::take(&mut self.system.is_broken) {
                self.listener.unknown(NOT_THE_SAME.to_owned()).go_on()?;
            }
            self.listener.execution(self.system.pure(), ending, &schedule).go_on()?;
            self.schedule = schedule;
        }
        let ends = number.unwrap_or(self.statistics.ends());
        if Some(ends) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }
}
