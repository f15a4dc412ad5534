//! What an atomic block touches, noted while it runs.
//!
//! The race detector looks at the first access to each byte in each stretch of a thread's run, and a block begins a
//! stretch. So the notes say all that a block accesses, and for most of its accesses there is nothing to do.
use super::Memory;

/// Bytes that were accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touch {
    /// Where the object begins.
    pub(crate) base: u64,
    /// The address of 64 bytes of it; 0: all of it.
    pub(crate) chunk: u64,
    /// Which of these.
    pub(crate) bytes: u64,
    /// They were written.
    pub(crate) write: bool,
}

/// The notes.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Whether they are taken.
    on: bool,
    touched: Vec<Touch>,
}

impl Watch {
    /// Bytes of a chunk are accessed.
    #[inline]
    pub(super) fn note(&mut self, base: u64, chunk: u64, bytes: u64, write: bool) {
        if self.on {
            let touch = Touch { base, chunk, bytes, write };
            if self.touched.last() != Some(&touch) {
                self.touched.push(touch);
            }
        }
    }
}

impl Memory {
    /// From now on it is noted what is accessed, or no longer.
    #[inline]
    pub(crate) fn watch(&mut self, on: bool) {
        self.watch.on = on;
        if on {
            self.race.look_again();
        }
    }

    /// What was noted since this was asked last.
    pub(crate) fn take_touched(&mut self) -> Vec<Touch> {
        std::mem::take(&mut self.watch.touched)
    }
}
