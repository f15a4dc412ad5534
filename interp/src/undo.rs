//! Going back: a log of what threads, synchronisation objects and the process were.
//!
//! Everything is saved at most once between two marks (each carries the number of the mark since which it is saved), so
//! the log grows with what marks separate, not with how long a thread runs. Memory keeps a log of its own.
use crate::machine::Process;
use crate::sync::SyncState;
use crate::thread::{Frame, Header, Rare, Thread};
use por::{ObjectId, ThreadId};

/// One thing as it was.
#[derive(Clone, Debug)]
enum Entry {
    /// The hot part of a thread; the header is the last of `headers`.
    Header { thread: ThreadId, stamp: u64 },
    /// A frame; its slots, shadows (if any) and stack objects are the last of `words`.
    Frame { thread: ThreadId, index: u32, frame: Frame, slots: u32, shadows: u32, allocas: u32 },
    /// The rare part of a thread.
    Rare { thread: ThreadId, stamp: u64, rare: Box<Rare> },
    /// A synchronisation object.
    Sync { object: ObjectId, state: SyncState },
    /// What the process as a whole has.
    Process { process: Box<Process> },
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
    headers: Vec<Header>,
    words: Vec<u64>,
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
        let mut header = thread.header;
        header.frames = thread.frames.len() as u32;
        header.allocas = thread.allocas.len() as u32;
        self.headers.push(header);
        self.entries.push(Entry::Header { thread: id, stamp: thread.stamp });
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
        self.entries.push(Entry::Frame {
            thread: id,
            index: index as u32,
            frame,
            slots: slots.len() as u32,
            shadows,
            allocas: allocas.len() as u32,
        });
        thread.frames[index].stamp = stamp;
    }

    /// Saves the rare part of a thread before it changes.
    pub(crate) fn save_rare(&mut self, id: ThreadId, thread: &mut Thread) {
        let stamp = self.stamp();
        if thread.rare_stamp != stamp {
            let rare = Box::new(thread.rare.clone());
            self.entries.push(Entry::Rare { thread: id, stamp: thread.rare_stamp, rare });
            thread.rare_stamp = stamp;
        }
    }

    /// Notes what a synchronisation object was before it changes.
    pub(crate) fn save_sync(&mut self, object: ObjectId, state: SyncState) {
        if !self.marks.is_empty() {
            self.entries.push(Entry::Sync { object, state });
        }
    }

    /// Saves the process before it changes.
    pub(crate) fn save_process(&mut self, process: &mut Process) {
        let stamp = self.stamp();
        if process.stamp != stamp {
            self.entries.push(Entry::Process { process: Box::new(process.clone()) });
            process.stamp = stamp;
        }
    }

    /// Goes back to the last mark and forgets it.
    ///
    /// # Panics
    /// When there is no mark.
    pub(crate) fn undo(&mut self, threads: &mut [Thread], sync: &mut [SyncState], process: &mut Process) {
        let mark = self.marks.pop().expect("every undo has its mark");
        while self.entries.len() > mark.entries {
            match self.entries.pop().expect("the log is longer than the mark") {
                Entry::Header { thread, stamp } => {
                    let thread = &mut threads[thread.index()];
                    thread.header = self.headers.pop().expect("each header entry has its header");
                    thread.frames.truncate(thread.header.frames as usize);
                    thread.allocas.truncate(thread.header.allocas as usize);
                    thread.stamp = stamp;
                }
                Entry::Frame { thread, index, frame, slots, shadows, allocas } => {
                    let thread = &mut threads[thread.index()];
                    let start = self.words.len() - (slots + shadows + allocas) as usize;
                    let words = &self.words[start..];
                    thread.restore(index as usize, frame, words, slots as usize, shadows as usize);
                    self.words.truncate(start);
                }
                Entry::Rare { thread, stamp, rare } => {
                    let thread = &mut threads[thread.index()];
                    thread.rare = *rare;
                    thread.rare_stamp = stamp;
                }
                Entry::Sync { object, state } => sync[object.index()] = state,
                Entry::Process { process: old } => *process = *old,
            }
        }
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
