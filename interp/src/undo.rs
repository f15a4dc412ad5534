//! Going back: a log of what threads, synchronisation objects and the process were.
//!
//! Everything is saved at most once between two marks (each carries the number of the mark since which it is saved), so
//! the log grows with what marks separate, not with how long a thread runs. Memory keeps a log of its own.
use crate::machine::Process;
use crate::sync::SyncState;
use crate::thread::{Frame, Header, Pending, Rare, Resume, Status, Thread};
use frontend::ir::Module;
use por::{ObjectId, ThreadId};

/// What an entry of the log is; what was saved is on top of the list that belongs to its kind.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Thread,
    Frame,
    Rare,
    Sync,
    Process,
}

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
    stamp: u64,
    pending: SavedPending,
}

/// What a thread stood before. An atomic access follows from the instruction and the registers, so that only its
/// objects are kept: long runs of atomic accesses are where the log gets large.
#[derive(Clone, Copy, Debug)]
enum SavedPending {
    Nothing,
    Instruction {
        objects: [ObjectId; 3],
        in_block: bool,
    },
    /// The last of `pendings`.
    Whole,
}

/// A frame as it was. Its slots, shadows (if any) and stack objects are the last of `words`.
#[derive(Clone, Copy, Debug)]
struct SavedFrame {
    thread: ThreadId,
    index: u32,
    frame: Frame,
    shadows: u32,
    allocas: u32,
}

/// Where the log stood at a mark.
#[derive(Clone, Copy, Debug)]
struct Mark {
    entries: usize,
    stamp: u64,
}

/// The log.
#[derive(Clone, Default, Debug)]
pub(crate) struct UndoLog {
    entries: Vec<Entry>,
    threads: Vec<SavedThread>,
    pendings: Vec<Pending>,
    frames: Vec<SavedFrame>,
    words: Vec<u64>,
    rares: Vec<(ThreadId, u64, Rare)>,
    syncs: Vec<(ObjectId, SyncState)>,
    processes: Vec<Process>,
    marks: Vec<Mark>,
    /// Number of marks ever made; each is known by its number, from 1.
    made: u64,
}

impl UndoLog {
    /// The innermost mark; 0 if there is none, and then nothing needs to be saved.
    pub(crate) fn stamp(&self) -> u64 {
        self.marks.last().map_or(0, |m| m.stamp)
    }

    /// Begins a section that [`UndoLog::undo`] takes back.
    pub(crate) fn mark(&mut self) {
        self.made += 1;
        self.marks.push(Mark { entries: self.entries.len(), stamp: self.made });
    }

    /// Saves the hot part of a thread and its frame on top, if that has not been done since the mark.
    pub(crate) fn save_thread(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        if thread.stamp == stamp {
            return;
        }
        let header = &thread.header;
        let pending = match header.pending {
            None => SavedPending::Nothing,
            Some(pending) if matches!(pending.resume, Resume::Instruction) => {
                SavedPending::Instruction { objects: pending.objects, in_block: pending.in_block }
            }
            Some(pending) => {
                self.pendings.push(pending);
                SavedPending::Whole
            }
        };
        self.threads.push(SavedThread {
            thread: id,
            status: header.status,
            events: header.events,
            frames: thread.frames.len() as u32,
            allocas: thread.allocas.len() as u32,
            undefined: header.undefined,
            block: header.block,
            stamp: thread.stamp,
            pending,
        });
        self.entries.push(Entry::Thread);
        thread.stamp = stamp;
        if !thread.frames.is_empty() {
            self.save_top(id, thread);
        }
    }

    /// Saves the frame on top, if that has not been done since the mark.
    pub(crate) fn save_top(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        let index = thread.frames.len() - 1;
        let frame = thread.frames[index];
        if frame.stamp == stamp {
            return;
        }
        let end = thread.slots_end();
        let slots = &thread.regs[frame.base as usize..end];
        self.words.extend_from_slice(slots);
        let shadows = if thread.header.undefined == 0 {
            0
        } else {
            self.words.extend_from_slice(&thread.shadows[frame.base as usize..end]);
            slots.len() as u32
        };
        let allocas = &thread.allocas[frame.allocas as usize..];
        self.words.extend_from_slice(allocas);
        let allocas = allocas.len() as u32;
        self.frames.push(SavedFrame { thread: id, index: index as u32, frame, shadows, allocas });
        self.entries.push(Entry::Frame);
        thread.frames[index].stamp = stamp;
    }

    /// Saves the rare part of a thread before it changes.
    pub(crate) fn save_rare(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        if thread.rare_stamp != stamp {
            self.rares.push((id, thread.rare_stamp, thread.rare.clone()));
            self.entries.push(Entry::Rare);
            thread.rare_stamp = stamp;
        }
    }

    /// Notes what a synchronisation object was before it changes.
    pub(crate) fn save_sync(&mut self, object: ObjectId, state: SyncState) {
        if !self.marks.is_empty() {
            self.syncs.push((object, state));
            self.entries.push(Entry::Sync);
        }
    }

    /// Saves the process before it changes.
    pub(crate) fn save_process(&mut self, process: &mut Process) {
        let stamp = self.stamp();
        if process.stamp != stamp {
            self.processes.push(process.clone());
            self.entries.push(Entry::Process);
            process.stamp = stamp;
        }
    }

    /// Goes back to the last mark and forgets it.
    ///
    /// # Panics
    /// When there is no mark.
    pub(crate) fn undo(
        &mut self,
        module: &Module,
        threads: &mut [Thread],
        sync: &mut [SyncState],
        process: &mut Process,
    ) {
        let mark = self.marks.pop().expect("every undo has its mark");
        while self.entries.len() > mark.entries {
            match self.entries.pop().expect("the log is longer than the mark") {
                Entry::Thread => self.undo_thread(module, threads),
                Entry::Frame => self.undo_frame(threads),
                Entry::Rare => {
                    let (thread, stamp, rare) = self.rares.pop().expect("each entry has what it saved");
                    let thread = &mut threads[thread.index()];
                    thread.rare = rare;
                    thread.rare_stamp = stamp;
                }
                Entry::Sync => {
                    let (object, state) = self.syncs.pop().expect("each entry has what it saved");
                    sync[object.index()] = state;
                }
                Entry::Process => *process = self.processes.pop().expect("each entry has what it saved"),
            }
        }
    }

    fn undo_frame(&mut self, threads: &mut [Thread]) {
        let saved = self.frames.pop().expect("each entry has what it saved");
        let (slots, shadows) = (saved.frame.slots as usize, saved.shadows as usize);
        let start = self.words.len() - (slots + shadows + saved.allocas as usize);
        let thread = &mut threads[saved.thread.index()];
        thread.restore(saved.index as usize, saved.frame, &self.words[start..], slots, shadows);
        self.words.truncate(start);
    }

    fn undo_thread(&mut self, module: &Module, threads: &mut [Thread]) {
        let saved = self.threads.pop().expect("each entry has what it saved");
        let thread = &mut threads[saved.thread.index()];
        thread.frames.truncate(saved.frames as usize);
        thread.allocas.truncate(saved.allocas as usize);
        thread.stamp = saved.stamp;
        let pending = match saved.pending {
            SavedPending::Nothing => None,
            SavedPending::Whole => self.pendings.pop(),
            SavedPending::Instruction { objects, in_block } => {
                let operation = thread.atomic_operation(module).expect("it stood before an atomic instruction");
                Some(Pending { operation, objects, in_block, resume: Resume::Instruction })
            }
        };
        thread.header = Header {
            status: saved.status,
            events: saved.events,
            undefined: saved.undefined,
            block: saved.block,
            pending,
        };
    }
}

impl Thread {
    /// One past the last slot of the frame on top.
    fn slots_end(&self) -> usize {
        let top = self.top();
        (top.base + top.slots) as usize
    }

    /// Puts a frame back with its slots, shadows and stack objects.
    fn restore(&mut self, index: usize, frame: Frame, words: &[u64], slots: usize, shadows: usize) {
        if self.frames.len() <= index {
            self.frames.resize(index + 1, frame);
        }
        self.frames[index] = frame;
        let base = frame.base as usize;
        self.regs[base..base + slots].copy_from_slice(&words[..slots]);
        if !self.shadows.is_empty() {
            let target = &mut self.shadows[base..base + slots];
            if shadows == 0 {
                target.fill(0);
            } else {
                target.copy_from_slice(&words[slots..2 * slots]);
            }
        }
        let allocas = &words[slots + shadows..];
        let first = frame.allocas as usize;
        self.allocas.truncate(first);
        self.allocas.resize(first, 0);
        self.allocas.extend_from_slice(allocas);
    }
}
