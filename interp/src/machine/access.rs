//! The machine's way to memory: which thread accesses, from which place; and call stacks.
use crate::machine::{Machine, State};
use crate::memory::{Loaded, Mode, Origin, StackId, Stacks};
use crate::step::Halt;
use crate::thread::Frame;
use crate::verdict::fault::StackFrame;
use frontend::ir::{LocId, Module};
use por::ThreadId;

impl Machine {
    /// The thread that accesses memory right now.
    pub(crate) fn origin(&mut self, mode: Mode) -> Origin {
        let id = self.segment.current;
        let thread = &self.state.threads[id.index()];
        let event = thread.header.events;
        let stack = match thread.frames.last() {
            Some(top) if top.here.0 == top.pc => top.here.1,
            _ => self.stack_id(id),
        };
        Origin { thread: id, event, stack, mode }
    }

    /// The call stack of a thread, as a number.
    pub(crate) fn stack_id(&mut self, id: ThreadId) -> StackId {
        let State { threads, memory, .. } = &mut self.state;
        let module = &self.program.module;
        let frames = &mut threads[id.index()].frames[..];
        let Some(top) = frames.last_mut() else { return StackId::EMPTY };
        if let Some(stack) = known_stack(top, &mut memory.stacks, module) {
            return stack;
        }
        // Frames further down mostly know theirs already.
        let known = frames.iter().rposition(|f| f.callers.is_some());
        let mut callers = known.map_or(StackId::EMPTY, |i| frames[i].callers.expect("just found"));
        for frame in &mut frames[known.unwrap_or(0)..] {
            frame.callers = Some(callers);
            callers = memory.stacks.push_at(callers, frame.function, frame.pc, || stack_frame(module, frame));
        }
        let top = frames.last_mut().expect("just seen");
        top.here = (top.pc, callers);
        callers
    }

    /// The call stack of a thread, innermost first.
    pub fn stack(&self, id: ThreadId) -> Vec<StackFrame> {
        match self.state.threads.get(id.index()) {
            Some(thread) => thread.frames.iter().rev().map(|f| stack_frame(&self.program.module, f)).collect(),
            None => Vec::new(),
        }
    }

    /// Where the current thread stands, as " at file:line" for reasons: the innermost place that is known, since
    /// library code has none.
    pub(crate) fn at(&self) -> String {
        let frames = self.thread(self.segment.current).frames.iter().rev();
        let mut places = frames.map(|frame| self.place(stack_frame(&self.program.module, frame).location));
        places.find(|place| !place.is_empty()).unwrap_or_default()
    }

    /// A place in the source, as " at file:line"; nothing if it is unknown.
    pub(crate) fn place(&self, location: LocId) -> String {
        let Some(location) = self.program.module.locations.get(location.index()) else { return String::new() };
        match self.program.module.files.get(location.file as usize) {
            Some(file) if location.line > 0 => format!(" at {file}:{}", location.line),
            _ => String::new(),
        }
    }

    /// Reads 1…8 bytes as the current thread: the value, and which of its bits are undefined.
    #[inline]
    pub(crate) fn load(&mut self, address: u64, size: u64) -> Result<(u64, u64), Halt> {
        self.load_as(Mode::Plain, address, size)
    }

    /// The same as part of an action, or not.
    pub(crate) fn load_as(&mut self, mode: Mode, address: u64, size: u64) -> Result<(u64, u64), Halt> {
        self.note_read(address, size);
        let origin = self.origin(mode);
        // (What was read before, by a call of the library say, is another read.)
        if self.state.memory.has_read_counts() {
            self.note_read_counts(None);
        }
        let mut loaded = self.state.memory.load(&origin, address, size)?;
        if self.state.memory.has_read_counts() {
            self.note_read_counts(Some((address, size)));
        }
        if loaded.unwritten == 0 {
            return Ok((loaded.value, 0));
        }
        if let Some(term) = self.load_term(mode, address, size, loaded.value, loaded.unwritten)? {
            return Ok(term);
        }
        let shadow = self.complete_load(address, &mut loaded.value, loaded.unwritten);
        match mode {
            Mode::Atomic => Ok((loaded.value, crate::undefined::plain(shadow))),
            _ => Ok(self.load_unwritten(size, loaded.value, shadow)),
        }
    }

    /// Writes 1…8 bytes as the current thread; bits that are undefined stay (become) so.
    pub(crate) fn store(&mut self, address: u64, size: u64, value: u64, shadow: u64) -> Result<(), Halt> {
        self.store_as(Mode::Plain, address, size, value, shadow)
    }

    /// The same as part of an action, or not.
    pub(crate) fn store_as(
        &mut self,
        mode: Mode,
        address: u64,
        size: u64,
        value: u64,
        shadow: u64,
    ) -> Result<(), Halt> {
        let origin = self.origin(mode);
        let unwritten = crate::undefined::unwritten_bytes(shadow);
        self.state.memory.store_partial(&origin, address, size, Loaded { value, unwritten })?;
        self.complete_store(address, size, value, shadow);
        Ok(())
    }

    /// Notes what a loop reads that is suspected of having no end.
    pub(crate) fn note_read(&mut self, address: u64, size: u64) {
        if let Some(reads) = &mut self.segment.spin.reads {
            reads.push((address, size));
        }
    }
}

/// The call stack with that frame on top, if it is known what called it.
#[inline]
pub(crate) fn known_stack(top: &mut Frame, stacks: &mut Stacks, module: &Module) -> Option<StackId> {
    if top.here.0 == top.pc {
        return Some(top.here.1);
    }
    let stack = stacks.push_at(top.callers?, top.function, top.pc, || stack_frame(module, top));
    top.here = (top.pc, stack);
    Some(stack)
}

/// A frame as reports show it.
pub(crate) fn stack_frame(module: &Module, frame: &Frame) -> StackFrame {
    let function = &module.functions[frame.function.index()];
    let location = function.locations.get(frame.pc as usize).copied().unwrap_or(LocId(0));
    StackFrame { function: frame.function, location }
}
