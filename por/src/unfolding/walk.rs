//! The walk over the call tree: Explore(C, D, A) of Alg. 1, without recursion.
use super::check_states::States;
use super::checkpoint::Corrupt;
use super::choice::Choice;
use super::configuration::{Changes, Configuration, Frontier};
use super::cutoff::{Cutoffs, Measure};
use super::deepening::Deepening;
use super::estimate::{Estimate, Visit};
use super::event::{EntryId, Event, EventId, List, Print, Unfolding};
use super::extension::Tried;
use super::past::Told;
use super::prefix::Recording;
use super::worth::Worth;
use crate::spinning::Busy;
use crate::system::{Accesses, Constraint, Move, Step, Unfoldable, Variant};
use crate::{Flow, Listener, Options, Outcome, Phase, Statistics};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Explores with the unfolding engine, from the start or from a checkpoint.
pub(crate) fn explore<S: Unfoldable>(
    system: &mut S,
    options: &Options,
    listener: &mut impl Listener<S>,
    from: Option<&[u8]>,
) -> Result<(Outcome, Statistics), Corrupt> {
    let states = options.verify_states.filter(|_| options.cutoffs.is_some()).map(|most| States::new(system, most));
    let mut walk = Walk {
        system,
        options,
        listener,
        unfolding: Unfolding::new(),
        configuration: Configuration::new(),
        disabled: Vec::new(),
        guide: Vec::new(),
        guide_base: 0,
        guided: false,
        nodes: Vec::new(),
        alone: 0,
        partial: FxHashMap::default(),
        tried: FxHashSet::default(),
        cutoffs: options.cutoffs.map(Cutoffs::new),
        worth: Worth::new(options.period),
        states,
        busy: Busy::default(),
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
        walk.listener.prefix(recording.finish());
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
    /// How many actions there were before it was chosen.
    actions: u64,
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

/// An operation of which an event touches a part, with the last events of the threads that its thread had joined since
/// its last event.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Partial<Op> {
    pub(super) operation: Op,
    pub(super) joined: Vec<EventId>,
}

/// Buffers that live as long as the walk, so that no step allocates.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) frontier: Frontier,
    pub(super) variants: Vec<Variant>,
    /// Footprint of the operation of the event chosen last.
    pub(super) footprint: Accesses,
    pub(super) pending: Vec<EventId>,
    /// Those of them to which the last one leads.
    pub(super) path: Vec<EventId>,
    /// The lists that a search goes through, and what it has tried of those that it is at: stacks of lists.
    pub(super) lists: Vec<List>,
    pub(super) tried: Vec<EntryId>,
    /// A search is too long if more candidates have been looked at in all.
    pub(super) search_ends: u64,
    pub(super) dropped: Vec<EventId>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) changes: Changes,
    pub(super) measure: Measure,
    pub(super) schedule: Vec<Move>,
}

/// The state of the exploration. Fields carry the letters of RSSK15, Algorithm 1, in their comments.
pub(super) struct Walk<'a, S: Unfoldable, O> {
    pub(super) system: &'a mut S,
    pub(super) options: &'a Options,
    pub(super) listener: &'a mut O,
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
    pub(super) guided: bool,
    pub(super) nodes: Vec<Node>,
    /// With cutoffs: how many of the nodes are of events that nothing can ever replace, the first ones. These are in
    /// every configuration, so they do not count for its size.
    pub(super) alone: u32,
    /// Operations of the known events that touch less than their operation's footprint.
    pub(super) partial: FxHashMap<EventId, Partial<S::Operation>>,
    /// Where operations that may have other variants, or are blocked, were tried with all that can be left out of
    /// there.
    pub(super) tried: FxHashSet<Tried>,
    /// `None` if nothing is cut off.
    pub(super) cutoffs: Option<Cutoffs>,
    /// Whether states are looked up.
    pub(super) worth: Worth,
    /// Whole states, if fingerprints are checked.
    pub(super) states: Option<States<S>>,
    /// What threads do that do not spin.
    pub(super) busy: Busy,
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

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Runs from the start, or from a checkpoint, to the end; an early end is an `Err`.
    fn run(&mut self, from: Option<&[u8]>) -> Result<Result<Outcome, Outcome>, Corrupt> {
        self.system.follow_changes(self.cutoffs.is_some());
        let step = self.system.start();
        if let Some(bytes) = from {
            self.restore(bytes)?;
            self.listener.restored(self.system);
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
                    let (disabled, actions) = (self.disabled.len() as u32, self.statistics.steps);
                    self.nodes.push(Node { event, disabled, mark, visit, actions });
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
        self.listener.phase(phase);
        let result = work(self);
        self.listener.phase(Phase::Walk);
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
            if self.cutoffs.is_some() {
                self.worth.explored(self.nodes.len(), self.statistics.steps - node.actions);
            }
            self.configuration.pop(&mut self.unfolding);
            match node.mark {
                Mark::Own => {
                    self.during(Phase::System, |walk| walk.system.undo());
                    ahead = false;
                }
                Mark::Shared => ahead = true,
                Mark::None => continue,
            }
            self.enable(node.disabled as usize);
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
        self.enable(0);
        false
    }

    /// Takes out of D all but its first events.
    pub(super) fn enable(&mut self, first: usize) {
        for disabled in self.disabled.drain(first..) {
            self.unfolding.event_mut(disabled.event).disabled = false;
            self.unfolding.release(disabled.event);
        }
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
        if self.statistics.is_poll_due() {
            self.guess();
            if self.listener.poll(self.system, &self.statistics) == Flow::Stop {
                return Err(Outcome::Stopped);
            }
        }
        Ok(())
    }

    /// Guesses how many executions there will be, now and then.
    fn guess(&mut self) {
        if !self.deepening.is_in_depth() {
            self.statistics.expected = 0.0;
        } else if self.estimate.is_due(self.statistics.steps, self.nodes.len()) {
            // There never is anything else where the first thread is alone.
            let alone = self.alone as usize;
            let path = self.nodes.iter().enumerate().skip(alone).filter(|(_, node)| node.mark != Mark::None);
            let path = path.map(|(height, node)| (height, node.visit));
            let ends = self.statistics.pass_ends();
            self.statistics.expected = self.estimate.total(path, ends);
            tracing::trace!(ends, expected = self.statistics.expected, "estimate");
        }
    }

    /// The event added last is a cutoff: it is taken back. If it was to lead the way of an alternative, that is none,
    /// and another one is looked for. False at the end of the exploration.
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

    /// Words of the operation's footprint at the part of C for which `keep` holds.
    pub(super) fn words_at(
        &self,
        footprint: &Accesses,
        own: Option<EventId>,
        keep: impl Fn(EventId) -> bool,
    ) -> [u64; Accesses::CAPACITY] {
        let mut words = [0; Accesses::CAPACITY];
        for (word, access) in words.iter_mut().zip(footprint.iter()) {
            let current = self.system.word(access.object);
            *word = self.configuration.word_at(&self.unfolding, access, (current, own), &keep);
        }
        words
    }
}
