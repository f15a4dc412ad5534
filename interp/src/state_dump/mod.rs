//! Whole states, for checking fingerprints: everything that may decide how the machine goes on, as text.
//!
//! This is found by looking at all of the machine, where a fingerprint is added up from what has changed; the two share
//! no code. What is left out decides nothing, or is the same in all executions:
//! - of [`Machine`]: program, options and what was made of them; numbers that are given out once and for all (of
//!   threads, objects, stacks, queues, address ranges); logs; what only the current action knows; what only a report
//!   says (output, assumptions, the status with which the process ended);
//! - of a thread: how many events it has executed, which thread created it at what place (its number says), the stack
//!   that was last asked for, its output; of one that was joined, everything;
//! - of memory: what tallies hold (see `waiting::tally`), where objects were allocated that are no heap blocks, where
//!   and when they were freed, how often their address was used; of dead ones everything but where they wait to be used
//!   again, and whether accesses to them are actions;
//! - clocks of the race detector: what they say of races does not depend on the state alone (docs/semantics.md,
//!   "Cutoffs"). But a thread's blocks that others have freed, and that it knows of, decide the addresses of its next
//!   ones. (Later, it also matters which other threads know, and can tell it. Like the order of accesses that may race,
//!   that is in fingerprints and not here.)
mod live;

use crate::library::SecondHalf;
use crate::machine::{Machine, Process, State};
use crate::memory::{ObjectKey, Role};
use crate::step::{Flow, Rest};
use crate::sync::SyncState;
use crate::thread::{After, Claim, Frame, Header, Rare, Resume, Status, Thread};
use crate::verdict::fault::Kind;
use crate::waiting::{Turn, TurnId};
use frontend::ir::FuncId;
use live::Live;
use por::{LocalSteps, ObjectId, Step, ThreadId};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// What a machine remembers that is asked for whole states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twin {
    /// The thread that the current action creates does not begin.
    child_waits: bool,
    /// The local steps after the current action are left out.
    own_waits: bool,
    /// How the threads go on whose local steps were left out.
    flows: FxHashMap<ThreadId, Flow>,
    /// The accesses in turns of loops that these have just taken.
    taken: FxHashMap<ThreadId, TurnId>,
    live: FxHashMap<FuncId, Live>,
}

impl Twin {
    /// Whether the first local steps of a new thread are left out.
    pub(crate) fn child_waits(&self) -> bool {
        self.child_waits
    }

    /// Whether the local steps after the current action are left out. If so, the thread goes on like that later.
    pub(crate) fn own_waits(&mut self, thread: ThreadId, flow: Flow) -> bool {
        if self.own_waits {
            self.flows.insert(thread, flow);
        }
        self.own_waits
    }
}

impl Machine {
    /// See [`por::System::execute_partly`].
    pub(crate) fn execute_steps(
        &mut self,
        thread: ThreadId,
        label: u32,
        steps: LocalSteps,
    ) -> Step<crate::verdict::fault::Fault> {
        (self.segment.twin.own_waits, self.segment.twin.child_waits) = (!steps.own, !steps.child);
        let pending = self.begin_event(thread);
        let result = self.carry_out(&pending, label).and_then(|flow| {
            // (Only the race detector is shown that.)
            self.segment.counted.clear();
            // An atomic block is one action.
            let is_over = self.thread(thread).header.block == 0 && !self.is_in_quiet_section();
            if is_over && self.segment.twin.own_waits(thread, flow) {
                let taken = self.turn_so_far().unwrap_or(TurnId::NONE);
                self.segment.twin.taken.insert(thread, taken);
                return Ok(());
            }
            self.go_on(flow)
        });
        self.settle(result);
        self.end_action_in_section();
        (self.segment.twin.own_waits, self.segment.twin.child_waits) = (false, false);
        self.outcome(None)
    }

    /// See [`por::System::whole_state`].
    pub(crate) fn state_as_text(&mut self) -> Vec<String> {
        // All fields are named, so that none can be forgotten.
        // (States are not compared where decisions are made.)
        let State { memory: _, partial: _, threads: _, sync: _, process, path: _, sum: _, output: _ } = &self.state;
        let Process {
            threads,
            ended,
            pruned,
            stopped,
            closed,
            at_exit,
            // How much there is, as long as it decides nothing.
            sent: _,
            output: _,
            // Of the log.
            stamp: _,
        } = process;
        let ended = ended.map(|(_, by)| by);
        let mut lines = vec![format!(
            "process: ended by {ended:?}, pruned {pruned}, stopped {stopped}, closed lanes {closed:x}, at exit {at_exit:x?}"
        )];
        let threads: Vec<ThreadId> = (0..*threads).map(ThreadId).collect();
        let flows = std::mem::take(&mut self.segment.twin.flows);
        for &id in &threads {
            self.write_thread(id, flows.get(&id), &mut lines);
        }
        self.segment.twin.taken.clear();
        let alive: Vec<ThreadId> =
            threads.into_iter().filter(|id| self.thread(*id).header.status == Status::Alive).collect();
        self.state.memory.leave_out(self.program.tallies().unsigned());
        self.state.memory.whole_state(&alive, &mut lines);
        lines.extend(self.state.partial.whole_state(&self.state.memory));
        for (index, state) in self.state.sync.iter().enumerate() {
            lines.extend(self.sync_as_text(ObjectId(index as u32), *state));
        }
        lines
    }

    fn write_thread(&mut self, id: ThreadId, flow: Option<&Flow>, lines: &mut Vec<String>) {
        // All fields are named, so that none can be forgotten.
        let Thread {
            header,
            rare,
            claim,
            free_places,
            // Written with the frames.
            frames: _,
            regs: _,
            shadows: _,
            allocas: _,
            // How actions count.
            joined: _,
            // They are looked for where states are not compared.
            rounds: _,
            // Of the log.
            stamp: _,
            rare_stamp: _,
        } = self.thread(id);
        let Header {
            status,
            block,
            block_number,
            children,
            holds,
            value,
            pending,
            // How often it has acted; and how many slots are undefined, which are written themselves.
            events: _,
            undefined: _,
        } = header;
        // (Which thread joined it only a report says.)
        let Claim { claimed, cancelled, joiner: _, started: _ } = claim;
        let name = format!("thread {}", id.0);
        match status {
            Status::Absent => return,
            Status::Exited if *claimed && !*cancelled => return,
            Status::Exited if *claimed => return lines.push(format!("{name}: exited, cancelled")),
            Status::Exited => {
                let all_joined = self.thread(id).has_joined_all_children();
                let undefined = self.thread(id).rare.undefined_result;
                return lines.push(format!(
                    "{name}: exited with {value:#x} ({undefined:#x} undefined), cancelled {cancelled}, holds {holds}, all children joined {all_joined}"
                ));
            }
            Status::Stopped => {
                lines.push(format!("{name}: stopped, {value}"));
                if self.program.options.checks.contains(Kind::Leak) {
                    self.write_frames(id, lines);
                }
                return;
            }
            Status::Alive => {}
        }
        let Rare {
            errno,
            locals,
            cancellation_disabled,
            cleanups,
            ends_with,
            undefined_result,
            specific,
            farewell,
            read_locks,
            destructors,
            exiting,
            contexts,
            // States are not compared where inputs are read.
            inputs: _,
            // The thread's number says these, or only a report does.
            creator: _,
            place: _,
            comes_again: _,
            routine: _,
            argument: _,
            // States are not compared where threads begin in one order.
            line: _,
            owes: _,
            // The mutexes say which threads hold them.
            robust: _,
            // Only a report says it.
            output: _,
            // The action that chooses an address allocates there too.
            left: _,
            chosen_address: _,
        } = rare;
        lines.push(format!(
            "{name}: detached {claimed}, cancelled {cancelled}, blocks {block} of {block_number}, children {children}, holds {holds}, \
             free places {free_places:?}"
        ));
        lines.push(format!(
            "{name}: errno {errno:#x}, thread-local {locals:x?}, destructors {destructors}, exiting {exiting:?}, \
             saved {contexts:x?}, read locks {read_locks:?}, specific {specific:#x} {farewell:?}"
        ));
        lines.push(format!(
            "{name}: cancellation disabled {cancellation_disabled}, cleanup handlers {cleanups:x?}, ends with {ends_with:#x} ({undefined_result:#x} undefined)"
        ));
        let next = match flow {
            Some(Flow::Before(operation, resume)) => format!("{operation:x?}, then {}", show_resume(*resume)),
            Some(Flow::Rest(Rest::Finish(finish, outcome))) => {
                format!("{}, with {outcome:x?}", show_resume(Resume::Finish(*finish)))
            }
            Some(Flow::Rest(rest)) => format!("{rest:x?}"),
            Some(Flow::Next | Flow::BlockOver | Flow::Over) => "its next instruction".to_owned(),
            None => match pending {
                Some(it) => {
                    // (Where it began the turn of a loop decides what it waits for.)
                    let mut turns = self.lifelong.turns.since(it.turn);
                    let plain = turns.next().map(Turn::plain_reads);
                    let turns: Vec<_> = turns.map(Turn::places).collect();
                    let then = show_resume(it.resume);
                    let (operation, block) = (it.operation, it.in_block);
                    format!("{operation:x?} in block {block}, then {then}, beside {plain:x?}, since {turns:x?}")
                }
                None => "its next instruction".to_owned(),
            },
        };
        let taken = self.segment.twin.taken.get(&id).filter(|_| flow.is_some()).copied().unwrap_or(TurnId::NONE);
        let taken: Vec<_> = self.lifelong.turns.since(taken).map(Turn::places).collect();
        lines.push(format!("{name}: stands before {next}, having taken {taken:x?}"));
        self.write_frames(id, lines);
    }

    fn write_frames(&mut self, id: ThreadId, lines: &mut Vec<String>) {
        for index in 0..self.thread(id).frames.len() {
            let frame = self.frame_as_text(id, index);
            lines.push(format!("thread {}: frame {index}: {frame}", id.0));
        }
    }

    fn frame_as_text(&mut self, id: ThreadId, index: usize) -> String {
        let thread = &self.state.threads[id.index()];
        let frame = &thread.frames[index];
        let Frame {
            function,
            pc,
            after,
            block,
            variadic,
            // Where its slots and stack objects lie, which are written themselves.
            base,
            slots: _,
            allocas: _,
            // Call stacks that were asked for.
            callers: _,
            here: _,
            // Of the log.
            born: _,
            stamp: _,
        } = *frame;
        let code = &self.program.module.functions[function.index()];
        let above = thread.frames.get(index + 1);
        let end = above.map_or(thread.allocas.len(), |above| above.allocas as usize);
        let allocas = &thread.allocas[frame.allocas as usize..end];
        let mut text = format!(
            "{} @{}, returns to {:?}, block {}, variadic {:#x}, objects {allocas:x?}, slots",
            code.name, pc, after, block, variadic
        );
        let called = above.is_some_and(|above| above.after == After::Call);
        let live = self.segment.twin.live.entry(function).or_insert_with(|| Live::new(code));
        for slot in live.at(code, pc, called) {
            let place = (base + slot) as usize;
            let _ = write!(text, " r{slot}={:x}", thread.regs[place]);
            match thread.shadows.get(place) {
                Some(&undefined) if undefined != 0 => {
                    let _ = write!(text, "?{undefined:x}");
                }
                _ => {}
            }
        }
        text
    }

    /// The state of a synchronisation object; nothing if it is as good as unused, or if its memory is dead and no
    /// thread waits.
    fn sync_as_text(&self, object: ObjectId, state: SyncState) -> Option<String> {
        let (role, base, generation, offset) = match self.state.memory.ids.key(object) {
            ObjectKey::InMemory { role, base, generation, offset } => (role, base, generation, offset),
            ObjectKey::Freed { class, part } if state != SyncState::Unused => {
                return Some(format!("freed blocks of {class:?}, {part:#x}: {state:x?}"));
            }
            _ => return None,
        };
        let address = base.wrapping_add(offset);
        let place = if role == Role::Queue { base } else { address };
        let alive =
            self.state.memory.object_at(place).is_some_and(|object| object.live && object.generation == generation);
        match state {
            SyncState::Mutex { kind, held, health } if alive && role == Role::Mutex => {
                Some(format!("mutex {address:#x}: {kind:?}, held {held:?}, {health:?}"))
            }
            SyncState::Condition { waiting, mutex } if waiting != 0 => {
                let ObjectKey::InMemory { base, offset, .. } = self.state.memory.ids.key(mutex) else { return None };
                let mutex = base.wrapping_add(offset);
                Some(format!("condition {address:#x}: {waiting:#b} wait with {mutex:#x}, in live memory: {alive}"))
            }
            SyncState::Futex { .. } | SyncState::Requeued { .. } => {
                Some(format!("futex {base:#x}, {offset:#x}: {state:x?}"))
            }
            SyncState::Queue { word: 1.. } | SyncState::Message(_) if alive => {
                Some(format!("queue {base:#x}, {offset:#x}: {state:x?}"))
            }
            SyncState::Spin { .. }
            | SyncState::Semaphore { .. }
            | SyncState::Once(_)
            | SyncState::ReadWrite { word: 1.. }
            | SyncState::Barrier { .. }
                if alive =>
            {
                Some(format!("object {address:#x}: {state:x?}"))
            }
            _ => None,
        }
    }
}

fn show_resume(resume: Resume) -> String {
    match resume {
        // What is behind it, not how often it was compiled: the address is that of the code.
        Resume::Finish(SecondHalf(finish)) => format!("finishes at {:p}", finish as *const ()),
        other => format!("{other:?}"),
    }
}
