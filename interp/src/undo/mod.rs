//! Going back: a log of what threads, synchronisation objects and the process were.
//!
//! Everything is saved at most once between two marks, so that the log grows with what marks separate, not with how
//! long a thread runs. What can change carries the number of marks at which it was last saved or made; undoing a mark
//! brings that back too, so a number can be used again by the next mark. Memory keeps a log of its own.
pub(crate) mod trail;

use crate::fingerprint::{Term, words};
use crate::machine::{Process, State};
use crate::sync::SyncState;
use crate::sync::block::data::{BlockNumber, NO_BLOCK};
use crate::sync::block::lanes::lanes_in;
use crate::sync::footprint::{accessed, whole_access};
use crate::thread::{Claim, Frame, Header, NO_OBJECT, Pending, Rare, Resume, Status, Thread};
use crate::undo::trail::{Seldom, Trail};
use crate::waiting::TurnId;
use frontend::ir::Module;
use por::{ObjectId, ThreadId};

/// The hot part of a thread as it was.
#[derive(Clone, Copy, Debug)]
struct SavedThread {
    thread: ThreadId,
    status: Status,
    events: u32,
    frames: u32,
    allocas: u32,
    undefined: u32,
    block: u32,
    block_number: BlockNumber,
    children: u32,
    holds: u32,
    value: u64,
    stamp: u32,
    pending: SavedPending,
    /// The frame on top, if there was one.
    top: Option<SavedFrame>,
}

/// What a thread stood before. An atomic access follows from the instruction and the registers, so that only its
/// objects are kept: long runs of atomic accesses are where the log gets large.
#[derive(Clone, Copy, Debug)]
enum SavedPending {
    Nothing,
    Instruction {
        objects: [ObjectId; 3],
        in_block: bool,
        turn: TurnId,
    },
    /// The last of `pendings`.
    Whole,
}

/// What changes in a frame, as it was.
#[derive(Clone, Copy, Debug)]
struct SavedFrame {
    index: u32,
    pc: u32,
    stamp: u32,
    /// Its slots, shadows (if any) and stack objects are the words from here on.
    words: u32,
    allocas: u32,
    shadows: bool,
}

/// The log: a list for everything of one kind that can change, and one for the words that vary in number.
#[derive(Clone, Default, Debug)]
pub(crate) struct UndoLog {
    /// The number of marks.
    marks: u32,
    /// When something was added to the lists from `frames` to `places`.
    seldom: Seldom,
    threads: Trail<SavedThread>,
    pendings: Trail<Pending>,
    words: Vec<u64>,
    syncs: Trail<(ObjectId, SyncState)>,
    /// Frames that came to be on top when those above them returned: whose, what they were.
    frames: Trail<(ThreadId, SavedFrame)>,
    /// Frames that returned and had existed at the mark: whose, the number of frames below, what is not in `frames`.
    popped: Trail<(ThreadId, u32, Frame)>,
    rares: Trail<(ThreadId, u32, Rare)>,
    processes: Trail<Process>,
    /// What other threads had done to threads.
    claims: Trail<(ThreadId, Claim)>,
    /// Places of children that became free (`true`) or were taken: whose children.
    places: Trail<(ThreadId, u32, bool)>,
    /// Threads that have joined another one as part of an action.
    joins: Trail<ThreadId>,
}

impl UndoLog {
    /// The number of marks: the stamp of what is saved now. While it is 0, nothing needs to be.
    pub(crate) fn stamp(&self) -> u32 {
        self.marks
    }

    /// Begins a section that [`UndoLog::undo`] takes back.
    pub(crate) fn mark(&mut self, state: &mut State) {
        self.marks += 1;
        // What changes of the others is saved before it does.
        let State { memory, partial, path, sum, threads: _, sync: _, process: _, output: _ } = state;
        memory.mark();
        partial.mark();
        path.mark();
        sum.mark();
    }

    /// The only thread that may have changed since the last mark, if there is one, and nothing else has that is in one
    /// of the lists from `frames` to `places`. (A thread that begins takes a place, or the process changes.)
    pub(crate) fn only_thread(&self) -> Option<ThreadId> {
        let mut threads = self.threads.since(self.marks);
        let only = threads.next().filter(|_| self.marks > 0 && !self.seldom.happened(self.marks))?;
        threads.next().is_none().then_some(only.thread)
    }

    /// Saves the hot part of a thread and its frame on top, if that has not been done since the mark.
    pub(crate) fn save_thread(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        if thread.stamp == stamp {
            return;
        }
        let pending = match &thread.header.pending {
            None => SavedPending::Nothing,
            Some(pending)
                if matches!(pending.resume, Resume::Instruction)
                    && pending.life == NO_OBJECT
                    && !pending.in_vain
                    && pending.place.is_none() =>
            {
                SavedPending::Instruction { objects: pending.objects, in_block: pending.in_block, turn: pending.turn }
            }
            Some(pending) => {
                self.pendings.push(stamp, *pending);
                SavedPending::Whole
            }
        };
        let top = self.save_frame(thread);
        let header = &thread.header;
        let saved = SavedThread {
            thread: id,
            status: header.status,
            events: header.events,
            frames: thread.frames.len() as u32,
            allocas: thread.allocas.len() as u32,
            undefined: header.undefined,
            block: header.block,
            block_number: header.block_number,
            children: header.children,
            holds: header.holds,
            value: header.value,
            stamp: thread.stamp,
            pending,
            top,
        };
        self.threads.push(stamp, saved);
        thread.stamp = stamp;
    }

    /// Saves the frame that has come to be on top, if that has not been done since the mark.
    pub(crate) fn save_top(&mut self, id: ThreadId, thread: &mut Thread) {
        if let Some(saved) = self.save_frame(thread) {
            self.seldom.note(self.marks);
            self.frames.push(self.marks, (id, saved));
        }
    }

    /// What the frame on top is; nothing if there is none, or if it was saved or made since the mark.
    fn save_frame(&mut self, thread: &mut Thread) -> Option<SavedFrame> {
        let stamp = self.stamp();
        let index = thread.frames.len().wrapping_sub(1);
        let frame = thread.frames.get_mut(index).filter(|frame| frame.stamp != stamp)?;
        let words = u32::try_from(self.words.len()).expect("fewer than 2^32 words in the log");
        let slots = frame.base as usize..(frame.base + frame.slots) as usize;
        self.words.extend_from_slice(&thread.regs[slots.clone()]);
        let shadows = thread.header.undefined != 0;
        if shadows {
            self.words.extend_from_slice(&thread.shadows[slots]);
        }
        let allocas = &thread.allocas[frame.allocas as usize..];
        if !allocas.is_empty() {
            self.words.extend_from_slice(allocas);
        }
        let allocas = allocas.len() as u32;
        let saved = SavedFrame { index: index as u32, pc: frame.pc, stamp: frame.stamp, words, allocas, shadows };
        frame.stamp = stamp;
        Some(saved)
    }

    /// Notes that a frame was taken away which had `below` others below it. It was saved when it came to be on top.
    pub(crate) fn save_popped(&mut self, id: ThreadId, below: usize, frame: Frame) {
        if frame.born != self.stamp() {
            self.seldom.note(self.marks);
            self.popped.push(self.marks, (id, below as u32, frame));
        }
    }

    /// Saves the rare part of a thread before it changes.
    pub(crate) fn save_rare(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        if thread.rare_stamp != stamp {
            self.seldom.note(self.marks);
            self.rares.push(stamp, (id, thread.rare_stamp, thread.rare.clone()));
            thread.rare_stamp = stamp;
        }
    }

    /// Notes what other threads have done to a thread, before that changes.
    pub(crate) fn save_claim(&mut self, id: ThreadId, claim: Claim) {
        if self.marks > 0 {
            self.seldom.note(self.marks);
            self.claims.push(self.marks, (id, claim));
        }
    }

    /// Notes that a place among the children of a thread becomes free, or is taken.
    pub(crate) fn note_place(&mut self, parent: ThreadId, place: u32, free: bool) {
        if self.marks > 0 {
            self.seldom.note(self.marks);
            self.places.push(self.marks, (parent, place, free));
        }
    }

    /// Notes that a thread joins another one as part of an action.
    pub(crate) fn note_join(&mut self, thread: ThreadId) {
        if self.marks > 0 {
            self.seldom.note(self.marks);
            self.joins.push(self.marks, thread);
        }
    }

    /// Notes what a synchronisation object was before it changes.
    pub(crate) fn save_sync(&mut self, object: ObjectId, state: SyncState) {
        if self.marks > 0 {
            self.syncs.push(self.marks, (object, state));
        }
    }

    /// Saves the process before it changes.
    pub(crate) fn save_process(&mut self, process: &mut Process) {
        let stamp = self.stamp();
        if process.stamp != stamp {
            self.seldom.note(self.marks);
            self.processes.push(stamp, process.clone());
            process.stamp = stamp;
        }
    }

    /// The synchronisation objects that have changed since the last mark, each with what it was and what it is.
    pub(crate) fn changed_syncs(&self, sync: &[SyncState]) -> impl Iterator<Item = (ObjectId, SyncState, SyncState)> {
        // Each change is in the list; what there was after one is what there was before the next.
        let changes = self.syncs.since(self.marks).enumerate();
        changes.map(move |(newer, (object, old))| {
            let next = self.syncs.since(self.marks).take(newer).filter(|(other, _)| other == object).last();
            (*object, *old, next.map_or(sync[object.index()], |(_, state)| *state))
        })
    }

    /// The difference between the terms of the process now and at the last mark. (That it has ended is in the term of
    /// the thread that ended it.)
    pub(crate) fn changed_process(&self, now: &Process, name_of_lane: impl Fn(u32) -> u64) -> u128 {
        let term = |process: &Process| {
            // All fields are named, so that none can be forgotten.
            let Process {
                closed,
                at_exit,
                // Terms of threads say these: which there are, which ended the process or stopped.
                threads: _,
                ended: _,
                pruned: _,
                stopped: _,
                // How much there is, as long as it decides nothing.
                sent: _,
                output: _,
                // Of the log.
                stamp: _,
            } = process;
            // (A term for each lane: threads may stand in different blocks.)
            let closed = lanes_in(*closed).map(|lane| words(Term::ClosedLane, |words| words.add(name_of_lane(lane))));
            closed.fold(words(Term::AtExit, |words| words.add(at_exit)), u128::wrapping_add)
        };
        self.processes.since(self.marks).last().map_or(0, |old| term(now).wrapping_sub(term(old)))
    }

    /// Goes back to the last mark and forgets it.
    ///
    /// # Panics
    /// When there is no mark.
    pub(crate) fn undo(&mut self, module: &Module, state: &mut State) {
        // All fields are named, so that none can be forgotten.
        let State { memory, partial, path, sum, threads, sync, process, output } = state;
        memory.undo();
        partial.undo();
        path.undo();
        sum.undo();
        let marks = self.marks;
        self.marks = marks.checked_sub(1).expect("every undo has its mark");
        let mut words = self.words.len();
        // The newest first. Frames that returned must exist again before what they were is put back; the frame on top
        // at the mark, which was saved before all others, comes last.
        if self.seldom.take_back(marks) {
            while let Some((thread, below, frame)) = self.popped.pop(marks) {
                let frames = &mut threads[thread.index()].frames;
                frames.truncate(below as usize);
                frames.push(frame);
            }
            self.frames.take_back(marks, |(thread, saved)| {
                threads[thread.index()].restore(saved, &self.words);
                words = words.min(saved.words as usize);
            });
            while let Some((thread, stamp, rare)) = self.rares.pop(marks) {
                let thread = &mut threads[thread.index()];
                thread.rare = rare;
                thread.rare_stamp = stamp;
            }
            self.claims.take_back(marks, |(thread, claim)| threads[thread.index()].claim = *claim);
            self.places.take_back(marks, |(parent, place, free)| threads[parent.index()].set_place(*place, !free));
            self.joins.take_back(marks, |thread| _ = threads[thread.index()].joined.pop());
            while let Some(old) = self.processes.pop(marks) {
                *process = old;
            }
        }
        self.threads.take_back(marks, |saved| {
            let thread = &mut threads[saved.thread.index()];
            if let Some(top) = &saved.top {
                thread.restore(top, &self.words);
                words = words.min(top.words as usize);
            }
            let Thread {
                header,
                frames,
                allocas,
                stamp,
                // Put back with the frames.
                regs: _,
                shadows: _,
                // Put back above, where they have changed.
                rare: _,
                rare_stamp: _,
                claim: _,
                free_places: _,
                joined: _,
                // What was undone is left out when it is looked at.
                rounds: _,
            } = thread;
            frames.truncate(saved.frames as usize);
            allocas.truncate(saved.allocas as usize);
            *stamp = saved.stamp;
            *header = Header {
                status: saved.status,
                events: saved.events,
                undefined: saved.undefined,
                block: saved.block,
                block_number: saved.block_number,
                value: saved.value,
                children: saved.children,
                holds: saved.holds,
                pending: None,
            };
            match saved.pending {
                SavedPending::Nothing => {}
                SavedPending::Whole => thread.header.pending = self.pendings.pop(marks),
                SavedPending::Instruction { objects, in_block, turn } => {
                    let operation = thread.atomic_operation(module).expect("it stood before an atomic instruction");
                    let resume = Resume::Instruction;
                    let bytes = accessed(&operation).map_or(0, |(address, size)| whole_access(address, size));
                    let block = if in_block { saved.block_number } else { NO_BLOCK };
                    let pending = Pending {
                        operation,
                        objects,
                        life: NO_OBJECT,
                        bytes,
                        in_block,
                        block,
                        in_vain: false,
                        turn,
                        place: None,
                        resume,
                    };
                    thread.header.pending = Some(pending);
                }
            }
        });
        self.syncs.take_back(marks, |(object, state)| sync[object.index()] = *state);
        self.words.truncate(words);
        output.truncate(process.output);
    }
}

impl Thread {
    /// Whether it has itself joined all threads that it has created, and their numbers may be used again.
    pub(crate) fn has_joined_all_children(&self) -> bool {
        self.free_places.len() == self.header.children as usize
    }

    /// Makes a place among its children free, or takes it.
    pub(crate) fn set_place(&mut self, place: u32, free: bool) {
        match (self.free_places.binary_search_by(|other| place.cmp(other)), free) {
            (Err(index), true) => self.free_places.insert(index, place),
            (Ok(index), false) => _ = self.free_places.remove(index),
            _ => {}
        }
    }

    /// Puts a frame back as it was, with its slots, shadows and stack objects.
    fn restore(&mut self, saved: &SavedFrame, words: &[u64]) {
        let Frame {
            pc,
            stamp,
            base,
            slots,
            allocas: first_alloca,
            // What a frame is from its beginning.
            function: _,
            after: _,
            variadic: _,
            block: _,
            born: _,
            // Call stacks that were asked for; they stay right.
            callers: _,
            here: _,
        } = &mut self.frames[saved.index as usize];
        *pc = saved.pc;
        *stamp = saved.stamp;
        let (base, count, first_alloca) = (*base as usize, *slots as usize, *first_alloca as usize);
        let (slots, rest) = words[saved.words as usize..].split_at(count);
        let place = base..base + count;
        self.regs[place.clone()].copy_from_slice(slots);
        let mut rest = rest;
        if saved.shadows {
            let (shadows, allocas) = rest.split_at(count);
            self.shadows[place].copy_from_slice(shadows);
            rest = allocas;
        } else if !self.shadows.is_empty() {
            self.shadows[place].fill(0);
        }
        self.allocas.truncate(first_alloca);
        if saved.allocas != 0 {
            self.allocas.extend_from_slice(&rest[..saved.allocas as usize]);
        }
    }
}
