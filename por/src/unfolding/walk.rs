//! The walk over the call tree: Explore(C, D, A) of Alg. 1, without recursion.
use super::checkpoint::Corrupt;
use super::configuration::{Changes, Configuration, Frontier};
use super::cutoff::{Cutoffs, Measure};
use super::deepening::Deepening;
use super::estimate::{Estimate, Visit};
use super::event::{Event, EventId, Name, Print, Unfolding};
use super::past::Told;
use super::prefix::Recording;
use super::states::States;
use crate::explore::{Flow, Observer, Options, Outcome, Phase, Statistics};
use crate::spinning::{Unclear, spinning};
use crate::system::{Accesses, Ending, Findings, Move, Step, System, ThreadId, Variant};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// How many events of the first thread alone are not looked at for cutoffs: more than that is likely to be a loop that never
/// ends.
const LONGEST_ALONE: u32 = 1 << 16;

/// How often the observer is asked whether to go on, in executed events.
const POLL_INTERVAL: u64 = 1024;

/// How many events in a row a thread gets while others are enabled.
const LONG_TURN: usize = 1000;

/// Explores with the unfolding engine, from the start or from a checkpoint.
pub(crate) fn explore<S: System>(
    system: &mut S,
    options: &Options,
    observer: &mut impl Observer<S>,
    from: Option<&[u8]>,
) -> Result<(Outcome, Statistics), Corrupt> {
    let states = options.verify_states.filter(|_| options.cutoffs.is_some()).map(|most| States::new(system, most));
    let mut walk = Walk {
        system,
        options,
        observer,
        unfolding: Unfolding::new(),
        configuration: Configuration::new(),
        disabled: Vec::new(),
        guide: Vec::new(),
        guide_base: 0,
        guided: false,
        nodes: Vec::new(),
        alone: 0,
        partial: FxHashMap::default(),
        cutoffs: options.cutoffs.map(Cutoffs::new),
        states,
        recording: options.prefix.map(Recording::new),
        statistics: Statistics::default(),
        collect_at: options.cache,
        purge_at: options.memory.unwrap_or(usize::MAX),
        scratch: Scratch::default(),
        told: Told::default(),
        deepening: Deepening::new(options),
        estimate: Estimate::default(),
    };
    let outcome = walk.run(from)?.unwrap_or_else(|outcome| outcome);
    walk.note_work();
    if let Some(states) = walk.states.take() {
        states.conclude(outcome);
    }
    if let Some(recording) = walk.recording.take() {
        walk.observer.prefix(recording.finish());
    }
    Ok((outcome, walk.statistics))
}

/// A node of the call tree on the way to the current one: the event chosen there.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) event: EventId,
    /// Length of D at the node.
    disabled: u32,
    pub(super) mark: Mark,
    visit: Visit,
}

/// How the system goes back to before an event.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Mark {
    /// It has a mark.
    Own,
    /// It has one for an earlier event, and executes again what lies between. For events that seldom have alternatives.
    Shared,
    /// It never has to: see [`Walk::is_solitary`].
    None,
}

/// An event of D.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Disabled {
    pub(super) event: EventId,
    /// An event in conflict with it, if one was met: while that is in C, this one cannot be added.
    pub(super) obstacle: Option<EventId>,
}

/// Buffers that live as long as the walk, so that no step allocates.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) frontier: Frontier,
    pub(super) variants: Vec<Variant>,
    /// Footprint of the operation of the event chosen last.
    pub(super) footprint: Accesses,
    pub(super) pending: Vec<EventId>,
    /// Candidates of the searches for alternatives, a stack of lists.
    pub(super) candidates: Vec<EventId>,
    pub(super) dropped: Vec<EventId>,
    pub(super) changes: Changes,
    pub(super) measure: Measure,
    schedule: Vec<Move>,
}

/// The state of the exploration. Fields carry the paper's letters in their comments.
pub(super) struct Walk<'a, S: System, O> {
    pub(super) system: &'a mut S,
    pub(super) options: &'a Options,
    pub(super) observer: &'a mut O,
    /// U.
    pub(super) unfolding: Unfolding,
    /// C.
    pub(super) configuration: Configuration,
    /// D.
    pub(super) disabled: Vec<Disabled>,
    /// A, in an order in which it can be executed, the next event last.
    pub(super) guide: Vec<EventId>,
    /// Number of nodes where the guide begins.
    pub(super) guide_base: usize,
    /// The event chosen last was the guide's.
    guided: bool,
    pub(super) nodes: Vec<Node>,
    /// With cutoffs: how many of the nodes are of events that nothing can ever replace, the first ones. These are in every
    /// configuration, so they do not count for its size.
    pub(super) alone: u32,
    /// Operations of the known events that touch less than their operation's footprint.
    pub(super) partial: FxHashMap<EventId, S::Operation>,
    /// `None` if nothing is cut off.
    pub(super) cutoffs: Option<Cutoffs>,
    /// Whole states, if fingerprints are checked.
    pub(super) states: Option<States<S>>,
    /// What is explored, if it is asked for.
    pub(super) recording: Option<Recording>,
    pub(super) statistics: Statistics,
    pub(super) collect_at: usize,
    /// Bytes of the tables at which more is forgotten.
    pub(super) purge_at: usize,
    pub(super) scratch: Scratch,
    pub(super) told: Told,
    pub(super) deepening: Deepening,
    pub(super) estimate: Estimate,
}

/// What the walk can do at a node.
enum Choice {
    /// Execute this event.
    Event(EventId),
    /// Something is enabled, but all of it is in D (or a cutoff).
    Blocked,
    /// Whatever is enabled is a cutoff.
    Cutoff,
    /// The same, or it is beyond what this pass looks at.
    Beyond,
    /// C is maximal.
    Maximal,
}

/// What is enabled besides the event that was asked for.
#[derive(Default)]
struct Enabled {
    disabled: bool,
    cutoff: bool,
    beyond: bool,
}

impl<S: System, O: Observer<S>> Walk<'_, S, O> {
    /// Runs from the start, or from a checkpoint, to the end; an early end is an `Err`.
    fn run(&mut self, from: Option<&[u8]>) -> Result<Result<Outcome, Outcome>, Corrupt> {
        self.system.follow_changes(self.cutoffs.is_some());
        let step = self.system.start();
        if let Some(bytes) = from {
            self.restore(bytes)?;
            self.observer.restored(self.system);
            return Ok(self.walk());
        }
        Ok(self.begin(step).and_then(|()| self.walk()))
    }

    fn begin(&mut self, step: Step<S::Fault>) -> Result<(), Outcome> {
        if step.restart {
            return Err(Outcome::Restart);
        }
        if let Some(states) = &mut self.states {
            states.note(&step);
        }
        self.report(step, None)
    }

    fn walk(&mut self) -> Result<Outcome, Outcome> {
        loop {
            let goes_on = match self.descend()? {
                Some(choice) => {
                    self.leaf(&choice)?;
                    self.backtrack()
                }
                None => false,
            };
            if !goes_on && !self.deepen() {
                return Ok(Outcome::Complete);
            }
            self.deepen_if_worthwhile();
            self.collect_if_due();
            self.save_if_wanted()?;
        }
    }

    /// Adds events until nothing is enabled any more, and says why. `None` at the end of the exploration.
    fn descend(&mut self) -> Result<Option<Choice>, Outcome> {
        loop {
            self.look_at_length()?;
            match self.choose() {
                Choice::Event(event) => {
                    let mark = self.mark_for(event);
                    let visit = self.estimate.visit(self.nodes.len(), self.statistics.pass_ends());
                    self.nodes.push(Node { event, disabled: self.disabled.len() as u32, mark, visit });
                    match mark {
                        Mark::Own => self.system.mark(),
                        Mark::None if self.cutoffs.is_some() => self.alone += 1,
                        Mark::Shared | Mark::None => {}
                    }
                    self.add(event)?;
                    let Event { cutoff, kept, .. } = *self.unfolding.event(event);
                    if cutoff && !kept && !self.cut() {
                        return Ok(None);
                    }
                }
                end => return Ok(Some(end)),
            }
        }
    }

    /// Does some work of another kind.
    pub(super) fn during<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        self.observer.phase(phase);
        let result = work(self);
        self.observer.phase(Phase::Walk);
        result
    }

    /// Brings the statistics up to date where they are not counted all the time.
    pub(super) fn note_work(&mut self) {
        let bytes = self.bytes() as u64;
        let work = &mut self.statistics.work;
        work.most_bytes = work.most_bytes.max(bytes);
        self.unfolding.note_work(work);
        if let Some(cutoffs) = &self.cutoffs {
            (work.states, work.late) = (cutoffs.states() as u64, cutoffs.late());
        }
    }

    /// Goes up until a node has an alternative, which becomes the guide. False at the end of the exploration.
    fn backtrack(&mut self) -> bool {
        // The system has gone on since, and has no mark there.
        let mut ahead;
        // (The next pass begins where the first thread is not alone any more.)
        while self.nodes.len() > self.alone as usize
            && let Some(node) = self.nodes.pop()
        {
            self.configuration.pop(&mut self.unfolding);
            match node.mark {
                Mark::Own => {
                    self.during(Phase::System, |walk| walk.system.undo());
                    ahead = false;
                }
                Mark::Shared => ahead = true,
                Mark::None => continue,
            }
            for disabled in self.disabled.drain(node.disabled as usize..) {
                self.unfolding.event_mut(disabled.event).disabled = false;
            }
            self.disabled.push(Disabled { event: node.event, obstacle: None });
            self.unfolding.event_mut(node.event).disabled = true;
            let found = self.find_alternative();
            self.estimate.given_up(self.nodes.len(), node.visit, found);
            if found {
                if ahead {
                    self.during(Phase::System, Self::go_back);
                }
                return true;
            }
        }
        for disabled in self.disabled.drain(..) {
            self.unfolding.event_mut(disabled.event).disabled = false;
        }
        false
    }

    /// Takes the system from a later state, since whose mark nothing was undone, to state(C).
    fn go_back(&mut self) {
        self.system.undo();
        let marked = self.nodes.iter().rposition(|node| node.mark == Mark::Own).expect("a shared mark is somebody's");
        self.system.mark();
        for node in &self.nodes[marked..] {
            let event = self.unfolding.event(node.event);
            self.system.execute(event.thread, event.label);
        }
    }

    fn mark_for(&self, event: EventId) -> Mark {
        let last = self.nodes.last().map_or(Mark::None, |node| node.mark);
        if self.is_solitary(event, last) {
            return Mark::None;
        }
        // (What changes since a mark is what one event changes, where that is followed.)
        let thread = self.unfolding.event(event).thread;
        let may_share = last != Mark::None && self.cutoffs.is_none() && !self.unfolding.event(event).choice;
        match self.system.operation(thread) {
            Some(operation) if may_share && self.system.is_rarely_replaced(operation) => Mark::Shared,
            _ => Mark::Own,
        }
    }

    /// Line 5–8: an enabled event, from A if that is not empty, never one of D.
    fn choose(&mut self) -> Choice {
        self.guided = !self.guide.is_empty();
        if let Some(event) = self.guide.pop() {
            if self.guided_is_possible(event) {
                return Choice::Event(event);
            }
            self.guide.clear();
            self.guided = false;
            self.out_of_step();
        }
        let mut enabled = Enabled::default();
        // The thread that moved last goes on, so that executions have few switches; then the oldest, so that a thread
        // that joins others does so early and need not do it again in every execution. A thread that has moved very
        // often without a break, as one that spins does, lets those behind it go first.
        let threads = self.system.threads();
        let current = self.configuration.trail().last().map_or(0, |&e| self.unfolding.event(e).thread.0);
        let long_turn = self.has_long_turn(current);
        for i in 0..threads {
            let thread = match i {
                _ if long_turn => (current + 1 + i) % threads,
                0 => current,
                _ => i - u32::from(i <= current),
            };
            if let Some(event) = self.enabled_event(ThreadId(thread), &mut enabled) {
                return Choice::Event(event);
            }
        }
        match enabled {
            Enabled { disabled: true, .. } => Choice::Blocked,
            Enabled { beyond: true, .. } => Choice::Beyond,
            Enabled { cutoff: true, .. } => Choice::Cutoff,
            _ => Choice::Maximal,
        }
    }

    /// Whether the last [`LONG_TURN`] events are all of this thread.
    fn has_long_turn(&self, thread: u32) -> bool {
        let trail = self.configuration.trail();
        let Some(earlier) = trail.len().checked_sub(LONG_TURN) else { return false };
        let (first, last) = (self.unfolding.event(trail[earlier]), self.unfolding.event(trail[trail.len() - 1]));
        first.thread.0 == thread && last.depth - first.depth == LONG_TURN as u32 - 1
    }

    /// Whether nothing can ever replace the event, which is enabled at C: there is no other thread yet, so every later
    /// event of another thread has it in its history, and it is not one of several variants.
    fn is_solitary(&self, event: EventId, last: Mark) -> bool {
        // (Behind a choice, what the others change has to be known for cutoffs.)
        let first = self.cutoffs.is_none() || last == Mark::None && self.alone < LONGEST_ALONE;
        first && self.system.threads() == 1 && !self.unfolding.event(event).choice
    }

    /// The first event of `thread` that is enabled at C, not in D and not a cutoff. Notes what else is enabled.
    fn enabled_event(&mut self, thread: ThreadId, enabled: &mut Enabled) -> Option<EventId> {
        self.system.operation(thread)?;
        let mut variants = std::mem::take(&mut self.scratch.variants);
        variants.clear();
        let footprint = crate::explore::current_variants(self.system, thread, &mut variants);
        let mut found = None;
        for variant in &variants {
            let choice = is_choice(&footprint, &variants, variant);
            let event = self.event_at_configuration(thread, variant, choice);
            if self.cutoffs.is_some() && self.unfolding.is_behind_cutoff(event) {
                self.unfolding.event_mut(event).cutoff = true;
            }
            let known = self.unfolding.event(event);
            if !known.disabled && (!known.cutoff || known.kept) {
                self.scratch.footprint = footprint;
                found = Some(event);
                break;
            }
            enabled.disabled |= known.disabled;
            enabled.cutoff |= known.cutoff;
            enabled.beyond |= known.beyond;
        }
        self.scratch.variants = variants;
        found
    }

    /// The event of a variant that is possible at state(C).
    pub(super) fn event_at_configuration(&mut self, thread: ThreadId, variant: &Variant, choice: bool) -> EventId {
        let before = self.configuration.last(thread).expect("a thread that can move exists");
        self.event_behind(before, thread, variant, choice, |_, _| true)
    }

    /// The event of a variant that is possible, for a thread that stands behind `before`, at the state of the causally
    /// closed part of C for which `keep` holds.
    pub(super) fn event_behind(
        &mut self,
        before: EventId,
        thread: ThreadId,
        variant: &Variant,
        choice: bool,
        keep: impl Fn(&Unfolding, EventId) -> bool,
    ) -> EventId {
        let frontier = &mut self.scratch.frontier;
        let unfolding = &self.unfolding;
        self.configuration.frontier(unfolding, before, &variant.accesses, |id| keep(unfolding, id), frontier);
        self.unfolding.insert(&Name {
            thread,
            label: variant.label,
            choice,
            before,
            predecessors: &frontier.predecessors,
            accesses: &variant.accesses,
            parents: &frontier.parents,
        })
    }

    /// Whether the next event of A is what its thread would do now. It always is, unless the words of the system do not
    /// tell the truth about it (plain and atomic accesses to the same memory).
    fn guided_is_possible(&mut self, event: EventId) -> bool {
        let (thread, label) = (self.unfolding.event(event).thread, self.unfolding.event(event).label);
        let mut variants = std::mem::take(&mut self.scratch.variants);
        variants.clear();
        self.scratch.footprint = crate::explore::current_variants(self.system, thread, &mut variants);
        let same = |v: &Variant| v.label == label && self.unfolding.has_accesses(event, &v.accesses);
        let possible =
            self.configuration.last(thread) == Some(self.unfolding.event(event).before) && variants.iter().any(same);
        self.scratch.variants = variants;
        possible
    }

    fn out_of_step(&mut self) {
        let reason = "memory is accessed both atomically and otherwise (plainly, or in an atomic block) in a way that the \
                      exploration cannot follow";
        let _ = self.observer.unknown(reason.to_owned());
    }

    /// Goes down by one event: finds what conflicts with it, then executes it.
    fn add(&mut self, id: EventId) -> Result<(), Outcome> {
        let thread = self.unfolding.event(id).thread;
        if !self.unfolding.event(id).reversed {
            self.during(Phase::Extension, |walk| walk.extend(id));
        }
        let first = !self.unfolding.event(id).executed;
        if first {
            for access in self.unfolding.access_ids(id) {
                let object = self.unfolding.access(access).access.object;
                self.unfolding.access_mut(access).word_before = self.system.word(object);
            }
        }
        let label = self.unfolding.event(id).label;
        let step = self.during(Phase::System, |walk| walk.system.execute(thread, label));
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.configuration.push(&mut self.unfolding, id);
        if first {
            if self.cutoffs.is_some()
                && let Some(journal) = self.system.keep_journal()
            {
                self.unfolding.set_print(id, Print { journal: journal + 1, ..Print::default() });
            }
            if self.nodes.len() > self.alone as usize
                && let Some(change) = step.change
            {
                self.during(Phase::Cutoffs, |walk| walk.fingerprint(id, &change));
            }
            if let Some(child) = step.created {
                self.configuration.created(&mut self.unfolding, id, child);
            }
            self.unfolding.event_mut(id).executed = true;
            if let Some(recording) = &mut self.recording {
                recording.add(id, &self.unfolding);
            }
            self.statistics.events += 1;
        }
        self.statistics.steps += 1;
        self.statistics.depth = self.statistics.depth.max(self.configuration.trail().len() as u64);
        self.statistics.threads = self.statistics.threads.max(self.system.threads());
        if let Some(states) = &mut self.states {
            states.note(&step);
        }
        self.report(step, Some(id))?;
        if self.statistics.steps.is_multiple_of(POLL_INTERVAL) {
            let path = self.nodes.iter().map(|node| node.visit);
            self.statistics.expected = match self.deepening.is_in_depth() {
                true => self.estimate.total(path, self.statistics.pass_ends()),
                false => 0.0,
            };
            tracing::trace!(ends = self.statistics.pass_ends(), expected = self.statistics.expected, "estimate");
            if self.observer.poll(self.system, &self.statistics) == Flow::Stop {
                return Err(Outcome::Stopped);
            }
        }
        Ok(())
    }

    /// The event added last is a cutoff: it is taken back. If it was to lead the way of an alternative, that is none, and
    /// another one is looked for. False at the end of the exploration.
    fn cut(&mut self) -> bool {
        let height = if self.guided { self.guide_base } else { self.nodes.len() - 1 };
        let visit = self.nodes[height].visit;
        while self.nodes.len() > height {
            self.nodes.pop();
            self.configuration.pop(&mut self.unfolding);
            self.during(Phase::System, |walk| walk.system.undo());
        }
        if self.guided && self.find_alternative() {
            self.estimate.goes_on(height, visit);
            return true;
        }
        !self.guided || self.backtrack()
    }

    /// The end of an execution.
    fn leaf(&mut self, choice: &Choice) -> Result<(), Outcome> {
        self.during(Phase::Extension, Self::extend_leaf);
        match choice {
            Choice::Blocked => self.statistics.blocked += 1,
            _ => {
                let (mut ending, mut findings) = self.system.ending();
                match ending {
                    Ending::Pruned => self.statistics.pruned += 1,
                    Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
                }
                if let Choice::Cutoff | Choice::Beyond = choice {
                    (ending, findings) = (Ending::Cutoff, Findings::default());
                }
                if let Choice::Cutoff = choice {
                    self.look_for_stuck_threads()?;
                }
                let mut schedule = std::mem::take(&mut self.scratch.schedule);
                schedule.clear();
                schedule.extend(self.schedule(|_| true));
                self.report_at_end(findings)?;
                flow(self.observer.execution(self.system, ending, &schedule))?;
                self.scratch.schedule = schedule;
            }
        }
        if Some(self.statistics.ends()) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }

    /// At a state in which everything was seen that can still happen: is some of it that nothing does any more?
    fn look_for_stuck_threads(&mut self) -> Result<(), Outcome> {
        let looks = self.system.looks_for_livelocks();
        let spinning = self.during(Phase::Livelocks, |walk| if looks { spinning(walk.system) } else { Ok(Vec::new()) });
        let spinning = match spinning {
            Ok(spinning) => spinning,
            Err(Unclear::Restart) => return Err(Outcome::Restart),
            Err(Unclear::TooMany) => {
                let reason = "whether threads that spin will ever do anything else was not found out";
                flow(self.observer.unknown(reason.to_owned()))?;
                Vec::new()
            }
        };
        let findings = self.system.stuck(&spinning);
        self.report_at_end(findings)
    }

    /// Tells the observer about what is wrong with C: it comes after all of C, or after the past of what it involves.
    fn report_at_end(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        self.report(Step { unknown: findings.unknown, ..Step::default() }, None)?;
        for fault in findings.faults {
            if S::involved(&fault).is_empty() {
                let schedule = self.schedule(|_| true).collect();
                flow(self.observer.violation(fault, schedule))?;
            } else {
                self.report(Step { fault: Some(fault), ..Step::default() }, None)?;
            }
        }
        Ok(())
    }

    /// Tells the observer about what a step found.
    fn report(&mut self, step: Step<S::Fault>, event: Option<EventId>) -> Result<(), Outcome> {
        if let Some(reason) = step.unknown {
            flow(self.observer.unknown(reason))?;
        }
        let Some(fault) = step.fault else {
            return Ok(());
        };
        // The causal past of the event and of every event that the fault involves.
        let mut tops: Vec<EventId> = event.into_iter().collect();
        for (thread, count) in S::involved(&fault) {
            let mut last = self.configuration.last(thread);
            while let Some(id) = last
                && self.unfolding.event(id).thread == thread
                && self.unfolding.event(id).depth > count
            {
                last = Some(self.unfolding.event(id).before);
            }
            tops.extend(last);
        }
        let schedule = self.schedule(|id| tops.iter().any(|&top| self.unfolding.includes(top, id))).collect();
        flow(self.observer.violation(fault, schedule))
    }

    /// The moves of the events of C for which `keep` holds.
    fn schedule(&self, keep: impl Fn(EventId) -> bool) -> impl Iterator<Item = Move> {
        self.configuration.trail().iter().filter(move |&&id| keep(id)).map(|&id| {
            let event = self.unfolding.event(id);
            Move { thread: event.thread, label: event.label }
        })
    }

    /// Words of the operation's footprint at the part of C for which `keep` holds.
    pub(super) fn words_at(&self, footprint: &Accesses, keep: impl Fn(EventId) -> bool) -> [u64; Accesses::CAPACITY] {
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(footprint.iter()) {
            let current = self.system.word(access.object);
            *word = self.configuration.word_at(&self.unfolding, access, current, &keep);
        }
        words
    }
}

fn flow(flow: Flow) -> Result<(), Outcome> {
    match flow {
        Flow::Continue => Ok(()),
        Flow::Stop => Err(Outcome::Stopped),
    }
}

/// Whether the variant is a choice in the sense of [`Name::choice`].
pub(super) fn is_choice(footprint: &Accesses, variants: &[Variant], variant: &Variant) -> bool {
    variants.len() > 1 || variant.accesses != *footprint
}
