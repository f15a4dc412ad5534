//! Variables in memory whose life lies between two accesses of a turn: `struct timespec pause = { 0, 1000 };` in the
//! body of a loop, the volatile counter of a delay, the arrays of functions that are called.
//!
//! No access of the turn finds such a variable alive, so nothing of it is part of where a thread stands. A walker
//! brings it to life, keeps what is stored there, and lets it go. Nobody else can have to do with it: another thread
//! that accesses it while it lives races with the thread, which does nothing in that time that could be in order with
//! the access, and it finds the variable dead if the turn is left out, which is an error as well. For the same reason
//! its accesses need not be shown to the race detector: whoever accessed an earlier variable at that place without an
//! error did so before that one's life ended.
//!
//! A variable that the code marks as alive only in the body of the loop lives from its function's call on for the
//! machine, until it ends its life for the first time. That makes no difference to a function that uses it nowhere
//! before its life begins ([`Variables::is_scoped`](super::variables::Variables::is_scoped)), and nobody else has its
//! address before that.
//!
//! **Scratch variables** ([`scratch`](super::scratch)) live longer than the turn. One counts as such a variable from
//! the first store of the turn to it on, until the walker comes to an access where what was stored is dead. Elsewhere
//! in the turn it may neither begin nor end its life.
use crate::library::hooks::Passing;
use crate::memory::ObjectKind;
use crate::waiting::read::is_time;
use crate::waiting::variables::leads_to;
use crate::waiting::walker::{UNDEFINED, Value, Walker};
use frontend::ir::{Inst, Operand};

/// Bytes of such a variable, at most.
const LARGEST: u64 = 256;

/// A variable that a walker has brought to life.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Own {
    base: Base,
    /// Which variable of its function it is.
    info: u32,
    /// Bytes.
    size: u64,
    /// The frame in which it lies, as an index.
    frame: usize,
    /// What it holds; `None` before its life begins, and after its end.
    bytes: Option<Vec<Byte>>,
    /// Whether it lives longer than the turn: it is a scratch variable.
    stays: bool,
}

/// Where such a variable lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// In a frame of the thread.
    At(u64),
    /// In that of a function that the walker has called. It is known by a number.
    Made(u32),
}

/// What is in a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Unwritten,
    /// The byte with that index of so many that were stored together.
    Part {
        of: Value,
        index: u8,
        size: u8,
    },
}

impl Walker<'_> {
    /// Goes through an instruction that has to do with such variables alone; `None` if it is another one. `Some(None)`:
    /// it cannot.
    pub(super) fn go_through_own(&mut self, inst: Inst) -> Option<Option<()>> {
        self.take_up(inst);
        match inst {
            Inst::Alloca { info, dst, count } => Some(self.make(info, count).map(|made| self.finish(dst, made))),
            Inst::LifetimeStart { address } => Some(self.begin_own(address).map(|()| self.pass())),
            Inst::LifetimeEnd { address } if self.may_end(address) => Some(self.end_own(address).map(|()| self.pass())),
            _ if self.own.is_empty() => None,
            Inst::Address { dst, base, index, scale, offset } => {
                let index = self.known(index)?.wrapping_mul(u64::from(scale));
                let moved = self.moved(base, index.wrapping_add_signed(i64::from(offset)))?;
                Some(moved.map(|moved| self.finish(dst, moved)))
            }
            Inst::AddressOffset { dst, base, offset } => {
                let moved = self.moved(base, offset as u64)?;
                Some(moved.map(|moved| self.finish(dst, moved)))
            }
            Inst::MemCopy { to, from, len } => {
                let copied = |walker: &mut Self| {
                    if walker.overlap(to, from, len) { None } else { walker.copy_to_own(to, from, len) }
                };
                self.is_own(to).then(|| copied(self).map(|()| self.pass()))
            }
            Inst::MemMove { to, from, len } => {
                self.is_own(to).then(|| self.copy_to_own(to, from, len).map(|()| self.pass()))
            }
            Inst::MemSet { to, value, len } => {
                self.is_own(to).then(|| self.fill_own(to, value, len).map(|()| self.pass()))
            }
            Inst::Call { site, callee } => match self.machine.passing(callee)? {
                Passing::Sleeps(argument) => {
                    let argument = self.function().calls[site as usize].args.get(argument)?.value;
                    self.is_own(argument).then(|| self.sleep_for_own(argument))
                }
                _ => None,
            },
            inst => {
                let to = leads_to(inst)?;
                self.is_own(to).then(|| self.access_own(inst))
            }
        }
    }

    /// Whether the walker has brought variables to life that are still there, or ended the life of others.
    pub(super) fn has_own(&self) -> bool {
        let ended = self.polls.as_ref().map_or(&[][..], |polls| &polls.ended);
        let is_back = |own: &Own| match own.base {
            Base::At(base) => {
                let is_unwritten = own.bytes.iter().flatten().all(|byte| *byte == Byte::Unwritten);
                ended.contains(&base) && !own.stays && own.bytes.is_some() && is_unwritten
            }
            Base::Made(_) => false,
        };
        self.own.len() != ended.len() || !self.own.iter().all(is_back)
    }

    /// Whether the life of a variable may end there: the walker has brought one to life, or it polls and that one has
    /// no value. (Such a variable is as it was if its life begins again in the turn.)
    fn may_end(&self, address: Operand) -> bool {
        !self.own.is_empty() || self.ends_unwritten(address).is_some()
    }

    /// Where the variable lies whose life ends there, if the walker polls and it lives only in the loop and has no
    /// value.
    fn ends_unwritten(&self, address: Operand) -> Option<u64> {
        let polls = self.polls.as_ref().filter(|_| self.open.is_none())?;
        let variables = self.machine.program.variables(self.top().function);
        let info = variables.accessed(self.pc()).filter(|&info| variables.is_scoped(self.function(), info))?;
        let base = self.known(address).filter(|base| !polls.ended.contains(base))?;
        let memory = &self.machine.state.memory;
        let object = memory.object_at(base).filter(|object| object.live && object.base == base)?;
        let is_it = object.kind == ObjectKind::Stack(self.top().function, info) && self.may_be_own(info, object.size);
        (is_it && memory.has_no_value(base, object.size)).then_some(base)
    }

    /// The function on top has returned.
    pub(super) fn forget_own(&mut self) {
        let frames = self.frames.len();
        self.own.retain(|own| own.frame < frames);
    }

    /// A new variable of the frame on top, and its address.
    fn make(&mut self, info: u32, count: Operand) -> Option<Value> {
        let size = self.machine.program.module.functions[self.top().function.index()].allocas[info as usize].size;
        if self.known(count) != Some(1) || !self.may_be_own(info, size) {
            return None;
        }
        let number = self.made;
        self.made += 1;
        let bytes = Some(vec![Byte::Unwritten; size as usize]);
        self.own.push(Own { base: Base::Made(number), info, size, frame: self.frames.len() - 1, bytes, stays: false });
        Some(Value::Own(number, 0))
    }

    /// Whether no access of that variable of the function on top is an action.
    fn may_be_own(&self, info: u32, size: u64) -> bool {
        let kind = ObjectKind::Stack(self.top().function, info);
        size <= LARGEST && self.machine.looks_for_races() && !self.machine.state.memory.may_have_visible(kind)
    }

    /// Takes up a scratch variable if the instruction is the first one that stores there. (It is alive wherever it is
    /// used. What it holds so far is not known.)
    fn take_up(&mut self, inst: Inst) {
        let (program, function) = (&self.machine.program, self.top().function);
        let is_store = stores(inst) && !program.module.functions[function.index()].allocas.is_empty();
        let Some(to) = leads_to(inst).filter(|_| is_store).map(|to| self.get(to)) else { return };
        let Value::Known(address) = to else { return };
        if !matches!(inst, Inst::MemSet { .. }) && self.is_confined(address) {
            return;
        }
        let Some((info, offset)) = program.scratch(function).stored(self.pc()) else { return };
        let size = program.module.functions[function.index()].allocas[info as usize].size;
        if self.place(to).is_none() && self.may_be_own(info, size) {
            let base = Base::At(address.wrapping_sub(offset) & program.pointer_mask);
            let bytes = Some(vec![Byte::Unwritten; size as usize]);
            self.own.push(Own { base, info, size, frame: self.frames.len() - 1, bytes, stays: true });
        }
    }

    /// Forgets the scratch variables of which all that was stored there is dead where the walker stands, before an
    /// access.
    pub(super) fn forget_dead_scratch(&mut self) {
        let (machine, frames) = (self.machine, &self.frames);
        let dead = self.own.extract_if(.., |own| {
            let frame = &frames[own.frame];
            // (The functions that were called come back behind the call.)
            let pc = frame.pc + u32::from(own.frame + 1 < frames.len());
            let live = machine.program.scratch(frame.function).live(own.info, pc);
            let stored = own.bytes.iter().flatten().enumerate().filter(|(_, byte)| **byte != Byte::Unwritten);
            own.stays && stored.fold(0, |all, (index, _)| all | 1 << index) & live == 0
        });
        self.left.extend(dead);
    }

    /// The life of a variable begins, or begins again.
    fn begin_own(&mut self, address: Operand) -> Option<()> {
        let address = self.get(address);
        if let Some(own) = self.own.iter_mut().find(|own| own.address() == address) {
            if own.stays {
                return None;
            }
            own.bytes = Some(vec![Byte::Unwritten; own.size as usize]);
            return Some(());
        }
        // (The variable is there as long as the frame is.)
        let variables = self.machine.program.variables(self.top().function);
        let info = variables.accessed(self.pc()).filter(|&info| variables.is_scoped(self.function(), info))?;
        let Value::Known(base) = address else { return None };
        let object = self.machine.state.memory.object_at(base)?;
        let is_it = object.base == base && object.kind == ObjectKind::Stack(self.top().function, info);
        if !is_it || !self.may_be_own(info, object.size) {
            return None;
        }
        let bytes = Some(vec![Byte::Unwritten; object.size as usize]);
        let (size, frame) = (object.size, self.frames.len() - 1);
        self.own.push(Own { base: Base::At(base), info, size, frame, bytes, stays: false });
        Some(())
    }

    /// The life of a variable ends. One of a frame of the thread is now as it was before the turn.
    fn end_own(&mut self, address: Operand) -> Option<()> {
        let ends = self.ends_unwritten(address);
        let address = self.get(address);
        let Some(index) = self.own.iter().position(|own| own.address() == address && !own.stays) else {
            self.polls.as_mut()?.ended.push(ends?);
            return Some(());
        };
        match self.own[index].base {
            Base::At(_) => _ = self.own.remove(index),
            Base::Made(_) => self.own[index].bytes = None,
        }
        Some(())
    }

    /// The variable that holds the address, and where in it that is.
    fn place(&self, address: Value) -> Option<(usize, u64)> {
        let offset = |own: &Own| match (own.base, address) {
            (Base::At(base), Value::Known(address)) => address.checked_sub(base).filter(|&offset| offset < own.size),
            (Base::Made(made), Value::Own(number, offset)) if made == number => Some(offset),
            _ => None,
        };
        self.own.iter().enumerate().find_map(|(index, own)| Some((index, offset(own)?)))
    }

    /// Whether the operand leads to such a variable, or to one that is no more.
    fn is_own(&self, address: Operand) -> bool {
        let address = self.get(address);
        matches!(address, Value::Own(..)) || self.place(address).is_some()
    }

    /// The address so many bytes on. `None`: that is none in such a variable. `Some(None)`: it leads out of one.
    fn moved(&self, base: Operand, by: u64) -> Option<Option<Value>> {
        let base = self.get(base);
        let found = self.place(base);
        if found.is_none() && !matches!(base, Value::Own(..)) {
            return None;
        }
        let moved = found.and_then(|(index, offset)| {
            let own = &self.own[index];
            let offset = offset.wrapping_add(by) & self.machine.program.pointer_mask;
            (offset < own.size).then(|| own.address_of(offset))
        });
        Some(moved)
    }

    /// As many bytes from there on; `None` if they are not all in a variable that is alive.
    fn bytes(&mut self, address: Value, len: u64) -> Option<&mut [Byte]> {
        let (index, offset) = self.place(address)?;
        let bytes = self.own[index].bytes.as_mut()?;
        bytes.get_mut(offset as usize..offset.checked_add(len)? as usize)
    }

    /// Goes through a load or a store.
    fn access_own(&mut self, inst: Inst) -> Option<()> {
        let (address, size) = self.accessed_own(inst)?;
        let value = match inst {
            Inst::Store8 { value, .. }
            | Inst::Store16 { value, .. }
            | Inst::Store32 { value, .. }
            | Inst::Store64 { value, .. }
            | Inst::StoreBits { value, .. }
            | Inst::StoreIndexed { value, .. } => self.get(value),
            _ => {
                let read = self.loaded_own(address, size)?;
                return self.finish_access(read);
            }
        };
        let bytes = self.bytes(address, size.into()).filter(|_| value != UNDEFINED)?;
        bytes.iter_mut().zip(0..).for_each(|(byte, index)| *byte = Byte::Part { of: value, index, size });
        self.pass();
        Some(())
    }

    /// What is in as many bytes, at most eight.
    fn loaded_own(&mut self, address: Value, size: u8) -> Option<Value> {
        let bytes = self.bytes(address, size.into())?;
        let Byte::Part { of: whole, .. } = *bytes.first()? else { return None };
        let is_whole = |(byte, index): (&Byte, u8)| *byte == Byte::Part { of: whole, index, size };
        if bytes.iter().zip(0..).all(is_whole) && !matches!(whole, Value::Known(_)) {
            return Some(whole);
        }
        let mut number = 0;
        for (byte, at) in bytes.iter().zip(0..) {
            let Byte::Part { of: Value::Known(value), index, .. } = *byte else { return None };
            number |= (value >> (8 * index) & 0xff) << (8 * at);
        }
        Some(Value::Known(number))
    }

    /// Where a load or a store, of at most eight bytes, leads, and of how many.
    fn accessed_own(&self, inst: Inst) -> Option<(Value, u8)> {
        let (base, by, size) = match inst {
            Inst::Load8 { address, offset, .. } | Inst::Store8 { address, offset, .. } => (address, offset, 1),
            Inst::Load16 { address, offset, .. } | Inst::Store16 { address, offset, .. } => (address, offset, 2),
            Inst::Load32 { address, offset, .. } | Inst::Store32 { address, offset, .. } => (address, offset, 4),
            Inst::Load64 { address, offset, .. } | Inst::Store64 { address, offset, .. } => (address, offset, 8),
            Inst::LoadBits { bits, address, offset, .. } | Inst::StoreBits { bits, address, offset, .. }
                if bits <= 64 && bits % 8 == 0 =>
            {
                (address, offset, bits / 8)
            }
            Inst::LoadIndexed { size, scale, base, index, offset, .. }
            | Inst::StoreIndexed { size, scale, base, index, offset, .. } => {
                let scaled = self.known(index)?.wrapping_mul(u64::from(scale));
                let address = self.moved(base, scaled.wrapping_add_signed(i64::from(offset)))??;
                return Some((address, size));
            }
            _ => return None,
        };
        Some((self.moved(base, i64::from(by) as u64)??, size))
    }

    /// Whether so many bytes from both on have some in common, and are not the same.
    fn overlap(&self, to: Operand, from: Operand, len: Operand) -> bool {
        let [to, from] = [to, from].map(|operand| self.place(self.get(operand)));
        let (Some((one, first)), Some((other, second)), Some(len)) = (to, from, self.known(len)) else { return false };
        one == other && first != second && first.abs_diff(second) < len
    }

    /// Copies so many bytes from such a variable, or from a constant.
    fn copy_to_own(&mut self, to: Operand, from: Operand, len: Operand) -> Option<()> {
        let (to, from, len) = (self.get(to), self.get(from), self.known(len)?);
        let copied = match from {
            Value::Known(address) if self.place(from).is_none() => {
                let (base, constant) = self.machine.state.memory.constant_at(address, LARGEST)?;
                let begin = (address - base) as usize;
                let byte = |byte: &u8| Byte::Part { of: Value::Known(u64::from(*byte)), index: 0, size: 1 };
                constant.get(begin..begin.checked_add(len as usize)?)?.iter().map(byte).collect()
            }
            _ => self.bytes(from, len)?.to_vec(),
        };
        self.bytes(to, len)?.copy_from_slice(&copied);
        Some(())
    }

    /// Fills so many bytes.
    fn fill_own(&mut self, to: Operand, value: Operand, len: Operand) -> Option<()> {
        let (to, value, len) = (self.get(to), self.known(value)?, self.known(len)?);
        self.bytes(to, len)?.fill(Byte::Part { of: Value::Known(value & 0xff), index: 0, size: 1 });
        Some(())
    }

    /// Goes through a call that sleeps for the time in such a variable.
    fn sleep_for_own(&mut self, argument: Operand) -> Option<()> {
        let word = self.machine.program.pointer_bytes as u8;
        let seconds = self.loaded_own(self.get(argument), word)?;
        let nanoseconds = self.loaded_own(self.moved(argument, word.into())??, word)?;
        let is_it = match (seconds, nanoseconds) {
            (Value::Known(seconds), Value::Known(nanoseconds)) => is_time(word, [seconds, nanoseconds]),
            _ => return None,
        };
        if is_it { self.finish_access(Value::Known(0)) } else { None }
    }
}

/// Whether the instruction stores or fills.
fn stores(inst: Inst) -> bool {
    matches!(
        inst,
        Inst::Store8 { .. }
            | Inst::Store16 { .. }
            | Inst::Store32 { .. }
            | Inst::Store64 { .. }
            | Inst::StoreBits { .. }
            | Inst::StoreIndexed { .. }
            | Inst::MemSet { .. }
    )
}

impl Own {
    /// Where it lies.
    fn address(&self) -> Value {
        self.address_of(0)
    }

    fn address_of(&self, offset: u64) -> Value {
        match self.base {
            Base::At(base) => Value::Known(base + offset),
            Base::Made(number) => Value::Own(number, offset),
        }
    }
}
