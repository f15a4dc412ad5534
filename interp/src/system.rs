//! The machine as the explorer sees it.
use crate::machine::Machine;
use crate::operation::Operation;
use crate::operation::effect;
use crate::step::{Flow, Halt};
use crate::symbolic::no_values;
use crate::sync::footprint::EXITED;
use crate::thread::{Pending, Status};
use crate::verdict::fault::{Fault, Kind};
use por::{
    Access, Accesses, Change, Commuting, Constraint, Decisions, Effect, Ending, Findings, Fingerprints, Livelocks,
    LocalSteps, Needs, ObjectId, Past, Places, Rest, Step, System, ThreadId, Twins, Variant,
};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// How many calls of a thread its place consists of.
const INNERMOST: usize = 4;

impl System for Machine {
    type Operation = Pending;
    type Fault = Fault;

    fn prepare(&mut self, needs: Needs) {
        self.settle_exploration(needs);
    }

    fn start(&mut self) -> Step<Fault> {
        let main = self.bring_up(None);
        self.rare_mut(main).routine = Some(self.program.main);
        self.begin_action(main);
        let result = self.next_constructor(0).and_then(|flow| self.go_on(flow));
        self.settle(result);
        self.outcome(None)
    }

    fn threads(&self) -> u32 {
        self.state.process.threads
    }

    fn operation(&self, thread: ThreadId) -> Option<&Pending> {
        let header = &self.state.threads.get(thread.index())?.header;
        if header.status == Status::Alive { header.pending.as_ref() } else { None }
    }

    fn footprint(&self, thread: ThreadId, operation: &Pending) -> Accesses {
        self.footprint_of(thread, operation)
    }

    fn word(&self, object: ObjectId) -> u64 {
        self.word_of(object)
    }

    fn variants(
        &self,
        thread: ThreadId,
        operation: &Pending,
        footprint: &Accesses,
        words: &[u64],
        out: &mut Vec<Variant>,
    ) {
        match operation.place {
            None => self.variants_of(thread, operation, footprint, words, out),
            Some(place) => self.variants_of_first(place, thread, operation, (footprint, words), out),
        }
    }

    fn joined(&self, thread: ThreadId) -> Vec<ThreadId> {
        // (Mostly there are none.)
        if self.thread(thread).joined.is_empty() {
            return Vec::new();
        }
        // Where there are many, the list does not grow step by step.
        let mut joined = Vec::with_capacity(self.joined_by(thread).count());
        joined.extend(self.joined_by(thread).map(|joined| joined.thread));
        joined
    }

    fn is_rarely_replaced(&self, operation: &Pending) -> bool {
        use Operation::{Create, Join, MutexUnlock, ThreadExit};
        matches!(operation.operation, Create { .. } | Join { .. } | MutexUnlock { .. } | ThreadExit { .. })
    }

    fn picks(&self, operation: &Pending) -> bool {
        use Operation::{CondSignal, FutexWake};
        let is_one = matches!(operation.operation, CondSignal { .. } | FutexWake { count: 1, .. });
        is_one && operation.place.is_none()
    }

    fn awaits(&self, operation: &Pending, access: &Access) -> bool {
        let ends = matches!(operation.operation, Operation::Join { .. })
            && access.object == operation.objects[0]
            && access.writes == EXITED;
        ends || operation.place.is_some_and(|place| place.waits_for(access))
    }

    fn execute(&mut self, thread: ThreadId, label: u32) -> Step<Fault> {
        let pending = self.begin_event(thread);
        self.note_stored(&pending);
        self.begin_change(&pending);
        let (result, middle) = match self.carry_out(&pending, label) {
            Ok(flow) => {
                self.note_blind_store(&pending);
                let middle = self.middle_of_change(Some(&flow));
                (self.count_behind_section().and_then(|()| self.go_on(flow)), middle)
            }
            Err(halt) => (Err(halt), None),
        };
        self.settle(result);
        self.end_action_in_section();
        self.end_in_round(&pending);
        let mut change = self.end_change(middle);
        if self.merges_ends() {
            let by_joins = self.change_by_joins(thread);
            change.iter_mut().for_each(|change| change.action = change.action.wrapping_add(by_joins));
            self.go_on_to_ends(change.as_ref());
        }
        self.note_mixed();
        self.note_shared();
        self.note_handed_over();
        self.follow_state();
        self.outcome(change)
    }

    fn mark(&mut self) {
        self.lifelong.mark();
        self.log.mark(&mut self.state);
    }

    fn undo(&mut self) {
        self.lifelong.undo();
        self.log.undo(&self.program.module, &mut self.state);
    }

    fn ending(&mut self) -> (Ending, Findings<Fault>) {
        self.learn_sets();
        self.learn_sections();
        let restart = self.joins_could_differ();
        let ending = if self.is_pruned() { Ending::Pruned } else { Ending::Complete };
        let stuck = self.stuck_at_end();
        let findings = self.with_leaks(stuck.faults.into_iter().next());
        let findings = self.all_with_values(findings);
        let unknown = stuck.unknown.or(findings.unknown);
        (ending, Findings { restart: restart || stuck.restart, unknown, ..findings })
    }

    fn involved(fault: &Fault) -> Vec<(ThreadId, u32)> {
        fault.involved.clone()
    }

    fn digest(&self) -> u128 {
        self.digest_of_state()
    }
}

impl Commuting for Machine {
    fn effect(&self, operation: &Pending) -> Effect {
        self.effect_of(operation)
    }

    fn word_after_update(&self, operation: &Pending, word: u64) -> u64 {
        effect::updated(&operation.operation, word)
    }

    fn retract_same_value(&mut self, object: ObjectId) {
        self.stop_setting_in(object);
    }
}

impl Decisions for Machine {
    fn is_decision(&self, operation: &Pending) -> bool {
        matches!(operation.operation, Operation::Decide { .. })
    }

    fn is_feasible(&mut self, thread: ThreadId, label: u32) -> bool {
        self.is_feasible_label(thread, label)
    }

    fn constraint(&mut self, thread: ThreadId, label: u32) -> Option<Constraint> {
        self.constraint_of_label(thread, label)
    }

    fn can_hold(&mut self, others: &[Constraint], constraint: Constraint) -> bool {
        self.constraint_can_hold(others, constraint)
    }
}

impl Fingerprints for Machine {
    fn follow_changes(&mut self, on: bool) {
        let knows_inputs = !self.has_terms() || self.exploration.states;
        // (A thread that is looked at by itself is seen to look at the clock. Whole states are followed all the time,
        // or not at all.)
        let alone = self.exploration.usually.is_some() && !self.exploration.states;
        let knows_time = !self.learned.clock || alone;
        self.exploration.follows = on && knows_time && knows_inputs;
        if self.exploration.follows {
            self.leave_tallies_out();
        }
        self.exploration.relied_on |= self.exploration.follows;
        let unordered = match self.exploration.states {
            true => self.orders_states(),
            false => self.learned.unordered && self.looks_for_races(),
        };
        // (Who knows of frees by other threads decides addresses, whether races are looked for or not.)
        let on = unordered || self.learned.handed_over;
        self.state.memory.race.keep_journal(self.exploration.follows && on, unordered);
        self.state.memory.race.look_for_mixing(self.exploration.follows);
    }

    fn keep_journal(&mut self) -> Option<u32> {
        self.state.memory.race.keep_page()
    }

    fn order_after(&mut self, thread: ThreadId, keep: usize, new: &[Past]) -> u128 {
        let ids = &self.state.memory.ids;
        self.state.memory.race.order_after(thread, keep, new, |object| ids.key(object))
    }

    fn retain_journals(&mut self, journals: &[u32]) {
        self.state.memory.race.retain_pages(journals);
    }

    fn journal_bytes(&self) -> usize {
        self.state.memory.race.journal_bytes()
    }

    fn follow_states(&mut self) {
        self.begin_states();
        self.follow_changes(true);
    }

    fn follow_from_here(&mut self) -> bool {
        self.follow_exact_states()
    }

    fn follow_no_more(&mut self) {
        self.follow_no_more();
    }

    fn state(&mut self) -> Option<u128> {
        self.fingerprint_of_state()
    }

    fn say_changes(&mut self, on: bool) {
        self.exploration.silent = !on && self.exploration.states;
    }

    fn state_from_scratch(&mut self) -> Option<u128> {
        self.fingerprint_from_scratch()
    }

    fn changed_more_than_its_thread(&self) -> bool {
        self.last_action_changed_the_sum()
    }

    fn name(&self, object: ObjectId) -> u64 {
        self.name_of_object(object)
    }

    fn ends_all(&self, operation: &Pending) -> bool {
        matches!(operation.operation, Operation::ProcessExit { .. } | Operation::AssumeFailed)
    }

    fn is_over(&self) -> bool {
        self.state.process.ended.is_some() || self.state.process.pruned
    }

    fn place(&self, thread: ThreadId) -> Option<u64> {
        // (What a thread does at one place with other data is seen there.)
        let mut hasher = FxHasher::default();
        for frame in &self.thread(thread).frames {
            (frame.function, frame.pc).hash(&mut hasher);
        }
        Some(hasher.finish())
    }
}

impl Livelocks for Machine {
    fn stuck(&mut self, rest: Rest<'_>) -> Findings<Fault> {
        // (That is asked of each state that is visited, and mostly nothing is wrong.)
        let waits = self.may_wait_in_a_circle() || self.may_wait_at_what_is_gone();
        if rest.spinning().is_empty() && !waits && !self.may_have_leaked() {
            return Findings::default();
        }
        let (stuck, unknown) = self.stuck_threads(rest);
        let mut findings = self.with_leaks(stuck);
        findings.unknown = findings.unknown.or(unknown);
        self.all_with_values(findings)
    }

    fn may_be_released(&self) -> bool {
        self.waits_to_be_cut()
    }

    fn look_at_each_alone(&mut self, on: bool) {
        self.look_at_each_alone(on);
    }

    fn has_read_too_early(&self, thread: ThreadId) -> bool {
        self.has_read_too_early(thread)
    }

    fn waits_by_spinning(&self, thread: ThreadId) -> bool {
        self.spins(thread)
    }

    fn shared(&self) -> Option<u128> {
        self.shared_state()
    }

    fn holds(&self, thread: ThreadId) -> Vec<ObjectId> {
        self.locks_of(thread)
    }

    fn give_back(&mut self, thread: ThreadId, lock: ObjectId) {
        self.give_back(thread, lock);
    }

    fn looks_for_livelocks(&self) -> bool {
        // (Threads that only spin cancel no thread that waits. Without cutoffs a thread that can spin for ever is
        // explored for ever.)
        let checks = self.program.options.checks;
        let matters = checks.contains(Kind::Livelock) || self.program.cancels && checks.contains(Kind::Deadlock);
        matters && self.is_countable() && (!self.has_terms() || self.exploration.states)
    }
}

impl Twins for Machine {
    fn twin(&self) -> Option<Machine> {
        Some(self.clone())
    }

    fn execute_partly(&mut self, thread: ThreadId, label: u32, steps: LocalSteps) -> Step<Fault> {
        self.execute_steps(thread, label, steps)
    }

    fn whole_state(&mut self) -> Vec<String> {
        self.state_as_text()
    }
}

impl Places for Machine {
    /// The calls of the thread, the innermost ones first, as far as they tell the routines of a program apart.
    fn place(&self, thread: ThreadId) -> u64 {
        let frames = self.thread(thread).frames.iter().rev().take(INNERMOST);
        let mut hash = rustc_hash::FxHasher::default();
        frames.for_each(|frame| (frame.function.0, frame.pc).hash(&mut hash));
        hash.finish()
    }
}

impl Machine {
    fn begin_action(&mut self, thread: ThreadId) {
        self.segment.created = None;
        self.segment.fault = None;
        self.segment.unknown = None;
        self.segment.left_footprint = false;
        self.segment.lone.clear();
        self.enter_segment(thread);
    }

    /// A thread executes the operation before which it stands.
    #[inline]
    pub(crate) fn begin_event(&mut self, thread: ThreadId) -> Pending {
        let index = thread.index();
        self.begin_in_round(thread);
        self.log.save_thread(thread, &mut self.state.threads[index]);
        self.begin_action(thread);
        let header = &mut self.state.threads[index].header;
        header.events += 1;
        let pending = header.pending.take().expect("only a thread that stands before an operation moves");
        if self.exploration.symmetry {
            self.note_step_of_line(thread, &pending);
        }
        self.note_turn(&pending);
        pending
    }

    /// From now on this thread runs.
    pub(crate) fn enter_segment(&mut self, thread: ThreadId) {
        self.segment.current = thread;
        self.state.memory.race.enter(thread);
        self.state.memory.watch(self.thread(thread).header.block > 0);
        self.begin_steps();
    }

    /// Local steps are counted anew from here on: that many without an operation are too many.
    pub(crate) fn begin_steps(&mut self) {
        self.segment.spin.reset();
        self.segment.step_limit = self.lifelong.instructions + self.program.options.max_steps;
    }

    /// Runs the current thread on to its next operation.
    pub(crate) fn go_on(&mut self, flow: Flow) -> Result<(), Halt> {
        // (By far the commonest, and the others are large.)
        if matches!(flow, Flow::Next) || self.goes_on(flow)? { self.run() } else { Ok(()) }
    }

    /// The action is over, in that way.
    pub(crate) fn settle(&mut self, result: Result<(), Halt>) {
        if let Err(halt) = result {
            self.halted(halt);
        }
    }

    /// What came of the action.
    pub(crate) fn outcome(&mut self, change: Option<Change>) -> Step<Fault> {
        if self.exploration.symmetry && self.was_told_apart() {
            return Step { created: self.segment.created, restart: true, fault: None, unknown: None, change };
        }
        if self.state.memory.race.has_collected() {
            let mut places = self.state.memory.race.take_collected();
            places.retain(|place| !self.stop_waiting_for(place));
            if !self.segment.left_footprint && !self.order_commuting() {
                self.learned.promoted.extend(places);
            }
            self.segment.restart = true;
        }
        self.note_blind_accesses();
        if self.state.memory.has_read_counts() {
            self.note_read_counts(None);
        }
        if self.state.memory.has_written_counts() {
            self.note_written_counts();
        }
        self.count_where_wanted();
        self.note_dead_compared();
        let (created, restart) = (self.segment.created, std::mem::take(&mut self.segment.restart));
        // Mostly there is neither.
        if self.segment.fault.is_none() && self.segment.unknown.is_none() {
            return Step { created, restart, fault: None, unknown: None, change };
        }
        let fault = self.segment.fault.take().and_then(|fault| {
            let message = fault.message.clone();
            let noted = self.with_values(fault);
            noted.map_err(|reason| self.note_unknown(no_values(&message, &reason))).ok().map(Box::new)
        });
        Step { created, restart, fault, unknown: self.segment.unknown.take(), change }
    }
}
