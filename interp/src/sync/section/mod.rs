//! Critical sections of one mutex that have nothing to do with one another are not ordered.
//!
//! A *quiet section* begins where a thread locks a mutex and ends where that thread unlocks it, with nothing but local
//! steps between. It is one action. (A lock moves behind whatever others do before the section's first step, an unlock
//! before whatever others do after its last one: Lip75.) It happens only if the mutex is free. Two quiet sections
//! of one mutex depend on one another if one writes bytes that the other one touches. With everything else that is done
//! to the mutex a quiet section is in order. A section in which anything else happens (another lock, a signal, an
//! atomic access) is no quiet one: its lock and its unlock are actions, as ever. So nothing changes for what needs two
//! locks at a time, or waits in a section.
//!
//! **What a section touches is learned**, as for atomic blocks ([`super::block::data`]), for each *site*: the thread,
//! its call stack, and the mutex. While sections are in order, early executions note what the sections at each site
//! touch. If some two sections of different threads turn out to be quiet and to have nothing to do with one another,
//! the exploration starts again, with quiet sections at the sites that are known. If a section then touches more than
//! is known of its site, or something else happens in it, or its thread stops in it, that is learned, and the
//! exploration starts again. The proof is that of atomic blocks: let S be the system in which a section that does
//! anything unknown stops there for good. What S says of dependency is right, so all of S is explored; if no section
//! stops there, S is the program.
//!
//! **What others could see of a section in its middle**: that the mutex is held. Where a thread tries to lock a mutex,
//! or gives up waiting for it after a time, or destroys or initialises it although a section need not happen before,
//! all sections of that mutex are in order.
//!
//! **Happens-before** has edges between sections only if these depend on one another. Such sections have *lanes* in
//! common: bytes that the same sites read and the same sites write are one. A lane has two clocks, of those that have
//! written it and those that have read it. The mutex has one of all its quiet sections besides, for whatever else is
//! done to it. A race that is seen because there is no edge is one if all actions that depend on one another are
//! ordered by happens-before: then the two accesses are next to each other in some order of actions that differs by the
//! order of independent ones, and no section lies between them. A relaxed load of what another thread has stored is not
//! ordered with that, and may keep two sections in one order. So each race is confirmed with all sections in order;
//! what cannot be confirmed makes the exploration start again, with all sections in order.
mod data;
mod schedule;

pub(crate) use data::{SectionData, Sections};
pub(crate) use schedule::WHOLE_SECTION;
pub use schedule::{schedules_in_order, with_sections_in_order};

use crate::machine::Machine;
use crate::memory::{ObjectKey, Role, Touch};
use crate::operation::{Operation, Patience};
use crate::step::{Flow, Halt};
use crate::sync::SyncState;
use crate::sync::block::data::NO_BLOCK;
use crate::sync::block::lanes::{LaneSet, lanes_in};
use crate::thread::{NO_OBJECT, Pending, Resume};
use data::{SectionNumber, SectionSite};
use por::ObjectId;
use std::sync::Arc;

/// After how many executions nothing is noted any more.
const NOTED_EXECUTIONS: u32 = 1 << 10;

/// What early executions have seen of sections while these are in order.
#[derive(Clone, Default, Debug)]
pub(crate) struct NotedSections {
    data: SectionData,
    executions: u32,
}

/// A section that has begun in the current action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    site: SectionSite,
    /// It is one action; else it is only noted what it does.
    number: Option<SectionNumber>,
    /// The state of the mutex before. (Whether it was ever used decides nothing but whether it may be initialised.)
    before: SyncState,
}

impl Machine {
    /// Whether sections may be quiet.
    fn sections_may_commute(&self) -> bool {
        let options = &self.program.options;
        // (What the clock says, and which addresses are given out again, depends on what happens before what.)
        let is_fixed = self.learned.clock || self.learned.handed_over || self.program.block_object.is_some();
        options.sections && self.exploration.commutes_sections && self.looks_for_races() && !is_fixed
    }

    /// From now on sections are as quiet as was learned. The machine was not started yet.
    pub(crate) fn settle_sections(&mut self) {
        let may = self.sections_may_commute();
        let sections = if may { Sections::new(&self.learned.sections) } else { Sections::default() };
        self.exploration.sections = Arc::new(sections);
    }

    /// The machine takes schedules in which all sections are in order, ends and joins are actions, and threads begin in
    /// any order. It was not started yet.
    pub fn take_all_actions(&mut self) {
        self.exploration.takes_any_order = true;
        self.settle_symmetry();
        self.exploration.polls = false;
        self.exploration.commutes_sections = false;
        self.settle_sections();
        self.exploration.asks_for_joined = false;
        self.settle_ends();
    }

    /// Learns that critical sections are to be in order, and ends and joins are to be actions.
    pub fn learn_to_take_all_actions(&mut self) {
        self.learned.sections.give_up();
        self.learned.ends_matter = true;
    }

    /// Whether its schedules lack something of what [`Machine::take_all_actions`] has one take.
    pub fn leaves_out_actions(&self) -> bool {
        self.has_quiet_sections() || self.merges_ends()
    }

    /// Whether there are quiet sections.
    pub fn has_quiet_sections(&self) -> bool {
        !self.exploration.sections.mutexes.is_empty()
    }

    fn section_site(&mut self, mutex: u64) -> SectionSite {
        let me = self.segment.current;
        let stack = self.stack_id(me);
        SectionSite { thread: me.0, stack, mutex }
    }

    /// The number of the quiet section that begins where the current thread stands before this lock.
    pub(super) fn section_here(&mut self, operation: &Operation, object: ObjectId) -> SectionNumber {
        let Operation::MutexLock { mutex, patience: Patience::Forever } = *operation else {
            return NO_BLOCK;
        };
        if object == NO_OBJECT || !self.exploration.sections.mutexes.contains(&mutex) {
            return NO_BLOCK;
        }
        // (One's own mutex may be locked again, inside of another section.)
        let me = self.segment.current;
        if matches!(self.sync_state(object), SyncState::Mutex { held: Some((owner, _)), .. } if owner == me) {
            return NO_BLOCK;
        }
        let site = self.section_site(mutex);
        self.exploration.sections.numbers.get(&site).copied().unwrap_or(NO_BLOCK)
    }

    /// What quiet sections of a mutex have in common as an object.
    fn object_of_sections(&mut self, mutex: ObjectId, part: u64) -> ObjectId {
        let ObjectKey::InMemory { base, generation, offset, .. } = self.state.memory.ids.key(mutex) else {
            unreachable!("a mutex is in memory")
        };
        let offset = offset | part << 48;
        self.state.memory.ids.intern(ObjectKey::InMemory { role: Role::Section, base, generation, offset })
    }

    /// The object whose lanes the quiet sections of a mutex touch.
    pub(super) fn lanes_of_sections(&mut self, mutex: ObjectId) -> ObjectId {
        self.object_of_sections(mutex, 0)
    }

    /// A thread locks a mutex, in this variant; its section begins.
    pub(super) fn lock_section(&mut self, pending: &Pending, mutex: u64, label: u32) -> Result<u64, Halt> {
        let object = pending.objects[0];
        let number = (label == WHOLE_SECTION && pending.block != NO_BLOCK).then_some(pending.block);
        if number.is_none() && !self.notes_sections() {
            return self.lock(mutex, object);
        }
        let before = self.sync_state(object);
        let site = self.section_site(mutex);
        if number.is_none() && self.lifelong.sections.data.knows_other(&site) {
            return self.lock(mutex, object);
        }
        self.segment.section = Some(Begun { site, number, before });
        let result = self.lock(mutex, object)?;
        self.state.memory.watch(true);
        self.segment.changed_process = false;
        let is_other = result != 0
            || !matches!(self.sync_state(object), SyncState::Mutex { held: Some((_, 1)), .. })
            || self.mutex(mutex, object)?.is_robust();
        if is_other {
            self.leave_section();
        }
        Ok(result)
    }

    /// Whether what sections do is noted.
    fn notes_sections(&self) -> bool {
        let NotedSections { data, executions } = &self.lifelong.sections;
        *executions < NOTED_EXECUTIONS && !data.is_full() && self.sections_may_commute() && self.others_alive()
    }

    /// The current thread, in a section, comes to an operation. If it is one action and ends there, the thread has
    /// executed it, and goes on like that.
    pub(super) fn come_to_operation_in_section(
        &mut self,
        operation: &Operation,
        resume: Resume,
    ) -> Result<Option<Flow>, Halt> {
        let Some(Begun { site, number, before }) = self.segment.section else { return Ok(None) };
        // (What the process has is no memory: routines that are called at its end, for example.)
        let is_end = matches!(operation, Operation::MutexUnlock { mutex } if *mutex == site.mutex);
        if !is_end || self.segment.changed_process {
            self.leave_section();
            return Ok(None);
        }
        self.note_touched(site, number);
        if number.is_none() {
            self.segment.section = None;
            return Ok(None);
        }
        let pending = self.resolve(*operation, resume, false);
        let flow = self.carry_out(&pending, 0)?;
        self.segment.section = None;
        self.set_sync_state(pending.objects[0], before);
        // What follows may not rely on checks made before it.
        self.state.memory.race.enter(self.segment.current);
        Ok(Some(flow))
    }

    /// The section at this site is over, and nothing but local steps were done in it.
    fn note_touched(&mut self, site: SectionSite, number: Option<SectionNumber>) {
        let touched = self.state.memory.take_touched();
        self.state.memory.watch(false);
        let Some(number) = number else { return self.lifelong.sections.data.add(site, &touched) };
        let sections = Arc::clone(&self.exploration.sections);
        let unknown: Vec<Touch> = touched.into_iter().filter(|touch| !sections.allows(number, touch)).collect();
        if !unknown.is_empty() {
            self.learned.sections.add(site, &unknown);
            self.learn_of_sections();
        }
    }

    /// Something races in the quiet section that is the current action. It may be ordered, if what it touches was not
    /// known: from now on it is, and the exploration starts again. (Else it does so without that section.)
    pub(crate) fn race_in_quiet_section(&mut self) {
        let Some(Begun { site, number, .. }) = self.segment.section else { return };
        self.note_touched(site, number);
        if self.segment.restart {
            self.segment.section = None;
        }
    }

    /// The current thread unlocks the mutex that it has locked in the same action, having polled in vain.
    pub(super) fn end_section_in_vain(&mut self, mutex: u64, object: ObjectId) -> Result<(), Halt> {
        let begun = self.segment.section;
        if let Some(Begun { site, number, .. }) = begun {
            self.note_touched(site, number);
        }
        self.unlock(mutex, object)?;
        self.segment.section = None;
        if let Some(Begun { number: Some(_), before, .. }) = begun {
            self.set_sync_state(object, before);
        }
        Ok(())
    }

    /// The section that has begun in the current action is no quiet one.
    #[cold]
    fn leave_section(&mut self) {
        let Some(Begun { site, number, .. }) = self.segment.section.take() else { return };
        self.state.memory.take_touched();
        self.state.memory.watch(false);
        match number {
            Some(_) => {
                self.learned.sections.add_other(site);
                self.learn_of_sections();
            }
            None => self.lifelong.sections.data.add_other(site),
        }
    }

    /// The action is over. A thread that stops in the middle of a section goes on no more.
    pub(crate) fn end_action_in_section(&mut self) {
        if self.segment.section.is_some() {
            self.leave_section();
        }
    }

    /// Whether the current action is a quiet section, which has not come to its end.
    pub(crate) fn is_in_quiet_section(&self) -> bool {
        self.segment.section.is_some_and(|begun| begun.number.is_some())
    }

    fn learn_of_sections(&mut self) {
        self.learned.sections.note_lesson();
        (self.segment.restart, self.segment.left_footprint) = (true, true);
    }

    /// The current thread locks a mutex: what it learns of quiet sections.
    pub(super) fn acquire_sections(&mut self, object: ObjectId) {
        if self.exploration.sections.mutexes.is_empty() {
            return;
        }
        let me = self.segment.current;
        match self.segment.section.and_then(|begun| begun.number) {
            None => {
                let all = self.object_of_sections(object, 1);
                self.state.memory.race.acquire(me, all);
            }
            Some(number) => {
                let LaneSet { reads, writes } = self.exploration.sections.lanes(number);
                for lane in lanes_in(reads | writes) {
                    let written = self.object_of_sections(object, 2 + 2 * u64::from(lane));
                    self.state.memory.race.acquire(me, written);
                    if writes >> lane & 1 != 0 {
                        let read = self.object_of_sections(object, 3 + 2 * u64::from(lane));
                        self.state.memory.race.acquire(me, read);
                    }
                }
            }
        }
    }

    /// The current thread unlocks a mutex: who learns of it.
    pub(super) fn release_section(&mut self, object: ObjectId) {
        let me = self.segment.current;
        let Some(number) = self.segment.section.and_then(|begun| begun.number) else {
            self.state.memory.race.release(me, object);
            return;
        };
        let LaneSet { reads, writes } = self.exploration.sections.lanes(number);
        let written: Vec<_> =
            lanes_in(writes).map(|lane| self.object_of_sections(object, 2 + 2 * u64::from(lane))).collect();
        let mut read: Vec<_> =
            lanes_in(reads).map(|lane| self.object_of_sections(object, 3 + 2 * u64::from(lane))).collect();
        read.push(self.object_of_sections(object, 1));
        self.state.memory.race.release_all(me, written.into_iter(), read.into_iter());
    }

    /// The current thread does something to a mutex that could show whether it is held.
    pub(super) fn observe_mutex(&mut self, mutex: u64) {
        if self.exploration.sections.mutexes.contains(&mutex) {
            if self.learned.sections.observed.insert(mutex) {
                self.learn_of_sections();
            }
        } else if self.notes_sections() {
            self.lifelong.sections.data.observed.insert(mutex);
        }
    }

    /// The current thread destroys a mutex, or initialises it: sections that need not happen before are in order.
    pub(super) fn observe_unordered(&mut self, mutex: u64, object: ObjectId, is_new: bool) {
        if !self.exploration.sections.mutexes.contains(&mutex) {
            return;
        }
        let all = self.object_of_sections(object, 1);
        let me = self.segment.current;
        let race = &mut self.state.memory.race;
        let is_seen = if is_new { race.is_released(all) } else { !race.has_learned(me, all) };
        if is_seen {
            self.observe_mutex(mutex);
        }
    }

    /// At the end of an execution: whether it is worthwhile to start again, with quiet sections.
    pub(crate) fn learn_sections(&mut self) {
        let noted = &mut self.lifelong.sections;
        noted.executions = noted.executions.saturating_add(1);
        if noted.executions > NOTED_EXECUTIONS || !noted.executions.is_power_of_two() || !self.sections_may_commute() {
            return;
        }
        let mut data = self.learned.sections.clone();
        data.join(&self.lifelong.sections.data);
        if data.independent() > self.learned.sections.independent() {
            self.learned.sections = data;
            self.segment.restart = true;
        }
    }
}
