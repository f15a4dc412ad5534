//! Loops without end: what is remembered in order to notice that a thread runs in circles.
//!
//! After a number of turns (backward jumps) within one segment the thread's local state is written down and compared
//! with at the following turns; then it rests. The number of turns doubles each time (Brent), so that every period is
//! found in the end. The first time that the registers agree, a digest of the whole memory is written down too, and
//! compared with when they agree again. If that agrees too, the thread repeats itself unless another thread changes
//! what it reads: one more period is run, instruction by instruction, to see what that is.
use crate::thread::jump::Context;
use crate::undefined::partial_bytes::KnownByte;
use frontend::ir::FuncId;

/// Turns before anything is done at all.
const FIRST: u32 = 1000;

/// A thread's local state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Local {
    /// Function, instruction and first slot of each frame.
    pub(crate) frames: Vec<(FuncId, u32, u32)>,
    /// The slots of all frames.
    pub(crate) slots: Vec<u64>,
    /// The undefined bits of the slots.
    pub(crate) shadows: Vec<u64>,
    /// Bytes of memory that are defined in part.
    pub(crate) partial: Vec<KnownByte>,
    /// How often the thread has looked at the clock.
    pub(crate) looks: u32,
    /// The contexts that the thread can jump back to.
    pub(crate) contexts: Vec<Context>,
}

/// Looks out for loops without end in the current segment.
#[derive(Clone, Default, Debug)]
pub(crate) struct SpinWatch {
    /// Backward jumps before the next look.
    left: u32,
    /// The state written down.
    pub(crate) checkpoint: Option<Checkpoint>,
    /// While a period is observed: what was read, as addresses and sizes.
    pub(crate) reads: Option<Vec<(u64, u64)>>,
}

/// A state to compare with.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// The thread's registers.
    pub(crate) local: Local,
    /// Digest of the memory, made when the registers were the same for the first time: for most checkpoints never.
    pub(crate) memory: Option<u128>,
    /// For how many turns states are compared with this one.
    pub(crate) span: u32,
    /// How many turns of the span are left.
    pub(crate) left: u32,
    /// Whether no states are compared now, and the next look writes a new state down.
    pub(crate) resting: bool,
}

impl SpinWatch {
    /// A new segment begins.
    pub(crate) fn reset(&mut self) {
        self.left = FIRST;
        if self.checkpoint.is_some() || self.reads.is_some() {
            self.checkpoint = None;
            self.reads = None;
        }
    }

    /// Whether it is time to look.
    pub(crate) fn due(&self) -> bool {
        self.left == 0
    }

    /// Whether reads are to be noted.
    pub(crate) fn observing(&self) -> bool {
        self.reads.is_some()
    }

    /// Whether a thread that has just jumped back to `pc`, with these slots in the frame on top, is certainly not in
    /// the state written down. That turn is then over; otherwise a closer look is due.
    #[cold]
    #[inline(never)]
    pub(crate) fn passes(&mut self, pc: u32, slots: &[u64]) -> bool {
        let Some(checkpoint) = self.checkpoint.as_mut().filter(|checkpoint| !checkpoint.resting) else {
            return false;
        };
        let here = checkpoint.local.frames.last().is_some_and(|top| top.1 == pc);
        // One by one, because the first few tell.
        let same = || checkpoint.local.slots.iter().rev().zip(slots.iter().rev()).all(|(a, b)| a == b);
        if checkpoint.left <= 1 || here && same() {
            return false;
        }
        checkpoint.left -= 1;
        true
    }

    /// Backward jumps before the next look, at least one.
    pub(crate) fn turns_left(&self) -> u32 {
        self.left.max(1)
    }

    /// One turn more, by a jump that the fast loops do not see.
    pub(crate) fn turn(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// That many are left.
    pub(crate) fn turned(&mut self, left: u32) {
        self.left = left;
    }

    /// The next look is at the next turn, or after that many.
    pub(crate) fn look_after(&mut self, turns: u32) {
        self.left = turns;
    }
}
