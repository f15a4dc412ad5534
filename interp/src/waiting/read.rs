//! What a walker reads where it stands, and what there is now; what an operation reads that changes nothing.
use crate::library::hooks::Passing;
use crate::operation::{Operation, atomic};
use crate::sync::footprint::accessed;
use crate::sync::variants::gather;
use crate::thread::Pending;
use crate::value;
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{Inst, Operand};

/// Whether these seconds and nanoseconds, of so many bytes, are a time.
pub(super) fn is_time(bytes: u8, time: [u64; 2]) -> bool {
    let [seconds, nanoseconds] = time.map(|word| value::sign_extend(8 * bytes, word));
    seconds >= 0 && (0..1_000_000_000).contains(&nanoseconds)
}

/// What the operation reads, if it changes nothing where these words are.
pub(super) fn unchanged(pending: &Pending, words: &[u64]) -> Option<u64> {
    let (address, size) = accessed(&pending.operation)?;
    let value = gather(words, address, size);
    let join = |words: [u64; 2]| u128::from(words[0]);
    let changes = match pending.operation {
        Operation::AtomicRmw { op, size, value: operand, .. } => {
            atomic::update(op, size, value, join(operand)) != Some(value)
        }
        Operation::CompareExchange { expected, .. } => join(expected) == value,
        _ => false,
    };
    (!changes).then_some(value as u64)
}

/// Whether the instruction reads memory, and may be an action.
pub(super) fn reads(inst: Inst) -> bool {
    matches!(
        inst,
        Inst::AtomicLoad { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CompareExchange { .. }
            | Inst::Load8 { .. }
            | Inst::Load16 { .. }
            | Inst::Load32 { .. }
            | Inst::Load64 { .. }
            | Inst::LoadIndexed { .. }
            | Inst::LoadBits { .. }
    )
}

/// Whether it does so by a load that is no action, unless its memory is promoted.
pub(super) fn reads_plainly(inst: Inst) -> bool {
    let is_atomic = matches!(inst, Inst::AtomicLoad { .. } | Inst::AtomicRmw { .. } | Inst::CompareExchange { .. });
    reads(inst) && !is_atomic
}

impl Walker<'_> {
    /// Where the time lies, in two words, for which the call sleeps before which it stands.
    pub(super) fn slept(&self) -> Option<[(u64, u8); 2]> {
        let Inst::Call { site, callee } = *self.function().code.get(self.pc() as usize)? else { return None };
        let Some(Passing::Sleeps(argument)) = self.machine.passing(callee) else { return None };
        let argument = self.function().calls[site as usize].args.get(argument)?;
        let address = self.known(argument.value).filter(|_| argument.byval.is_none() && argument.slots == 1)?;
        let word = self.machine.program.pointer_bytes;
        let at = |offset: u64| (address.wrapping_add(offset) & self.machine.program.pointer_mask, word as u8);
        Some([at(0), at(word)])
    }

    /// Whether these words were read when the thread came to stand where it does, and are a time.
    pub(super) fn knows(&self, words: [(u64, u8); 2]) -> bool {
        let read = |(address, size)| self.plain.iter().find(|read| (read.address, read.size) == (address, size));
        let [Some(seconds), Some(nanoseconds)] = words.map(read) else { return false };
        is_time(words[0].1, [seconds.value, nanoseconds.value])
    }

    /// What the plain load before which it stands has read when the thread came to stand where it does.
    pub(super) fn read_before(&self) -> Option<u64> {
        if self.plain.is_empty() {
            return None;
        }
        let (address, size) = self.plain_load()?;
        self.plain.iter().find(|read| (read.address, read.size) == (address, size)).map(|read| read.value)
    }

    /// Address and size of the plain load before which it stands.
    pub(super) fn plain_load(&self) -> Option<(u64, u8)> {
        self.accessed().filter(|_| reads_plainly(self.function().code[self.pc() as usize]))
    }

    /// Address and size of the access before which it stands.
    fn accessed(&self) -> Option<(u64, u8)> {
        let plus = |address: Operand, offset: i32| {
            self.known(address).map(|address| address.wrapping_add_signed(i64::from(offset)))
        };
        let (address, size) = match self.function().code[self.pc() as usize] {
            Inst::AtomicLoad { size, address, .. }
            | Inst::AtomicRmw { size, address, .. }
            | Inst::CompareExchange { size, address, .. } => (self.known(address)?, size),
            Inst::Load8 { address, offset, .. } => (plus(address, offset)?, 1),
            Inst::Load16 { address, offset, .. } => (plus(address, offset)?, 2),
            Inst::Load32 { address, offset, .. } => (plus(address, offset)?, 4),
            Inst::Load64 { address, offset, .. } => (plus(address, offset)?, 8),
            Inst::LoadBits { bits, address, offset, .. } => (plus(address, offset)?, bits.div_ceil(8)),
            Inst::LoadIndexed { size, scale, base, index, offset, .. } => {
                let scaled = self.known(index)?.wrapping_mul(u64::from(scale));
                (plus(base, offset)?.wrapping_add(scaled), size)
            }
            _ => return None,
        };
        Some((address & self.machine.program.pointer_mask, size))
    }

    /// What the access would read now; `None` if it would change something, or is larger than a word. (Of a call that
    /// sleeps, what it would return.)
    pub(super) fn read_now(&self) -> Option<u64> {
        if let Some(words) = self.slept() {
            let [Some(seconds), Some(nanoseconds)] = words.map(|word| self.peek(word)) else { return None };
            return is_time(words[0].1, [seconds, nanoseconds]).then_some(0);
        }
        let (address, size) = self.accessed()?;
        let read = self.peek((address, size))?;
        let changes = match self.function().code[self.pc() as usize] {
            Inst::AtomicRmw { op, size, value, .. } => {
                atomic::update(op, size, read.into(), self.known(value)?.into()) != Some(read.into())
            }
            Inst::CompareExchange { size, expected, .. } => value::truncate(size * 8, self.known(expected)?) == read,
            _ => false,
        };
        (!changes).then_some(read)
    }

    /// What is in memory there.
    pub(super) fn peek(&self, (address, size): (u64, u8)) -> Option<u64> {
        let memory = &self.machine.state.memory;
        let object = memory.object_at(address).filter(|object| object.live && size <= 8)?;
        let fits = address - object.base + u64::from(size) <= object.size;
        fits.then(|| memory.peek(address, size.into()))
    }

    /// The value that is assumed not to be 0 there.
    pub(super) fn assumed(&self) -> Option<Value> {
        let Inst::Call { site, callee } = *self.function().code.get(self.pc() as usize)? else { return None };
        let site = &self.function().calls[site as usize];
        let argument = site.args.first().filter(|argument| argument.slots > 0 && argument.byval.is_none())?;
        let assumes = self.machine.passing(callee) == Some(Passing::Assumes) && site.dst.is_none();
        assumes.then(|| self.get(argument.value))
    }
}
