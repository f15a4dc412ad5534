//! Going back: a log of what threads, synchronisation objects and the process were.
//!
//! Everything is saved at most once between two marks, so that the log grows with what marks separate, not with how long
//! a thread runs. What can change carries the number of marks at which it was last saved or made; undoing a mark brings
//! that back too, so a number can be used again by the next mark. Memory keeps a log of its own.
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
    Popped,
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
    stamp: u32,
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

/// What changes in a frame, as it was. Its slots, shadows (if any) and stack objects are the last of `words`.
#[derive(Clone, Copy, Debug)]
struct SavedFrame {
    thread: ThreadId,
    index: u32,
    pc: u32,
    stamp: u32,
    allocas: u32,
    shadows: bool,
}

/// The log.
#[derive(Clone, Default, Debug)]
pub(crate) struct UndoLog {
    entries: Vec<Entry>,
    threads: Vec<SavedThread>,
    pendings: Vec<Pending>,
    frames: Vec<SavedFrame>,
    /// Frames that returned and had existed at the mark: whose, the number of frames below, what is not in `frames`.
    popped: Vec<(ThreadId, u32, Frame)>,
    words: Vec<u64>,
    rares: Vec<(ThreadId, u32, Rare)>,
    syncs: Vec<(ObjectId, SyncState)>,
    processes: Vec<Process>,
    /// Number of entries at each mark.
    marks: Vec<usize>,
}

impl UndoLog {
    /// The number of marks: the stamp of what is saved now. While it is 0, nothing needs to be.
    pub(crate) fn stamp(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Begins a section that [`UndoLog::undo`] takes back.
    pub(crate) fn mark(&mut self) {
        self.marks.push(self.entries.len());
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
        let shadows = thread.header.undefined != 0;
        if shadows {
            self.words.extend_from_slice(&thread.shadows[frame.base as usize..end]);
        }
        let allocas = &thread.allocas[frame.allocas as usize..];
        self.words.extend_from_slice(allocas);
        let allocas = allocas.len() as u32;
        let (index, pc, stamp) = (index as u32, frame.pc, frame.stamp);
        self.frames.push(SavedFrame { thread: id, index, pc, stamp, allocas, shadows });
        self.entries.push(Entry::Frame);
        let (index, stamp) = (index as usize, self.stamp());
        thread.frames[index].stamp = stamp;
    }

    /// Notes that a frame was taken away which had `below` others below it. It was saved when it came to be on top.
    pub(crate) fn save_popped(&mut self, id: ThreadId, below: usize, frame: Frame) {
        if frame.born != self.stamp() {
            self.popped.push((id, below as u32, frame));
            self.entries.push(Entry::Popped);
        }
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
        while self.entries.len() > mark {
            match self.entries.pop().expect("the log is longer than the mark") {
                Entry::Thread => self.undo_thread(module, threads),
                Entry::Frame => self.undo_frame(threads),
                Entry::Popped => {
                    let (thread, below, frame) = self.popped.pop().expect("each entry has what it saved");
                    let frames = &mut threads[thread.index()].frames;
                    frames.truncate(below as usize);
                    frames.push(frame);
                }
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
        let thread = &mut threads[saved.thread.index()];
        let slots = thread.frames[saved.index as usize].slots as usize;
        let start = self.words.len() - (slots + slots * usize::from(saved.shadows) + saved.allocas as usize);
        thread.restore(&saved, &self.words[start..]);
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

    /// Puts a frame back as it was, with its slots, shadows and stack objects.
    fn restore(&mut self, saved: &SavedFrame, words: &[u64]) {
        let frame = &mut self.frames[saved.index as usize];
        frame.pc = saved.pc;
        frame.stamp = saved.stamp;
        let (base, slots) = (frame.base as usize, frame.slots as usize);
        let (values, mut rest) = words.split_at(slots);
        self.regs[base..base + slots].copy_from_slice(values);
        if saved.shadows {
            let (shadows, allocas) = rest.split_at(slots);
            self.shadows[base..base + slots].copy_from_slice(shadows);
            rest = allocas;
        } else if !self.shadows.is_empty() {
            self.shadows[base..base + slots].fill(0);
        }
        self.allocas.truncate(frame.allocas as usize);
        self.allocas.extend_from_slice(rest);
    }
}
