//! A turn that is tried, on copies of the thread's frames.
use crate::library::hooks::Passing;
use crate::machine::{Callee, Machine};
use crate::operation::atomic;
use crate::value;
use crate::waiting::turn::Turn;
use frontend::ir::{Bin, FuncId, Function, Inst, Operand, OverflowOp, Slot, WideOp, flags};

/// Instructions between two accesses, at most.
const LONGEST: usize = 1000;

/// Frames, at most.
const MOST_FRAMES: usize = 8;

/// Where a turn comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// It stands before an access.
    Access,
    /// An assumption fails.
    Fails,
    /// It does something of note, or goes on for long.
    Leaves,
}

/// The frames that a turn is tried in.
#[derive(Clone)]
pub(super) struct Walker<'a> {
    machine: &'a Machine,
    frames: Vec<Frame>,
}

#[derive(Clone, PartialEq)]
struct Frame {
    function: FuncId,
    pc: u32,
    slots: Vec<u64>,
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

impl<'a> Walker<'a> {
    /// Where the turn begins. Slots that are not read again are 0.
    pub(super) fn new(machine: &'a Machine, turn: &Turn) -> Self {
        let frames = turn.frames.iter().map(|place| {
            let mut slots = vec![0; machine.program.module.functions[place.function.index()].frame_slots as usize];
            place.live.iter().for_each(|&(slot, value)| slots[slot as usize] = value);
            Frame { function: place.function, pc: place.pc, slots }
        });
        Walker { machine, frames: frames.collect() }
    }

    /// Whether it stands where that turn begins, and everything is as it is there.
    pub(super) fn is_at(&self, turn: &Turn) -> bool {
        self.frames.len() == turn.frames.len()
            && self.frames.iter().zip(&turn.frames).all(|(frame, place)| {
                (frame.function, frame.pc) == (place.function, place.pc)
                    && place.live.iter().all(|&(slot, value)| frame.slots[slot as usize] == value)
            })
    }

    /// Whether all its frames are the same.
    pub(super) fn is_as(&self, other: &Walker<'_>) -> bool {
        self.frames == other.frames
    }

    /// Goes on to the next access.
    pub(super) fn go_on(&mut self) -> Stop {
        for _ in 0..LONGEST {
            match self.function().code.get(self.pc() as usize) {
                Some(&inst) if reads(inst) || self.machine.tries(inst) => return Stop::Access,
                _ if self.assumed() == Some(0) => return Stop::Fails,
                _ if self.step().is_none() => return Stop::Leaves,
                _ => {}
            }
        }
        Stop::Leaves
    }

    /// Goes through the access before which it stands, which reads this and changes nothing, or through a call that
    /// returns it. `None`: it cannot.
    pub(super) fn finish_access(&mut self, read: u64) -> Option<()> {
        match self.function().code[self.pc() as usize] {
            Inst::AtomicLoad { dst, .. } | Inst::AtomicRmw { dst, .. } => self.set(dst, read),
            Inst::CompareExchange { dst, .. } => {
                self.set(dst, read);
                self.set(Slot(dst.0 + 1), 0);
            }
            Inst::Load8 { dst, .. }
            | Inst::Load16 { dst, .. }
            | Inst::Load32 { dst, .. }
            | Inst::Load64 { dst, .. }
            | Inst::LoadIndexed { dst, .. } => self.set(dst, read),
            Inst::LoadBits { bits, dst, .. } => self.set(dst, value::truncate(bits, read)),
            Inst::Call { site, .. } => {
                if let Some(dst) = self.function().calls[site as usize].dst {
                    self.set(dst, read);
                }
            }
            _ => return None,
        }
        self.top_mut().pc += 1;
        Some(())
    }

    /// What the access would read now; `None` if it would change something, or is larger than a word.
    pub(super) fn read_now(&self) -> Option<u64> {
        let plus = |address: Operand, offset: i32| self.get(address).wrapping_add_signed(i64::from(offset));
        let (address, size) = match self.function().code[self.pc() as usize] {
            Inst::AtomicLoad { size, address, .. }
            | Inst::AtomicRmw { size, address, .. }
            | Inst::CompareExchange { size, address, .. } => (self.get(address), size),
            Inst::Load8 { address, offset, .. } => (plus(address, offset), 1),
            Inst::Load16 { address, offset, .. } => (plus(address, offset), 2),
            Inst::Load32 { address, offset, .. } => (plus(address, offset), 4),
            Inst::Load64 { address, offset, .. } => (plus(address, offset), 8),
            Inst::LoadBits { bits, address, offset, .. } => (plus(address, offset), bits.div_ceil(8)),
            Inst::LoadIndexed { size, scale, base, index, offset, .. } => {
                let scaled = self.get(index).wrapping_mul(u64::from(scale));
                (plus(base, offset).wrapping_add(scaled), size)
            }
            _ => return None,
        };
        let address = address & self.machine.program.pointer_mask;
        let memory = &self.machine.state.memory;
        let object = memory.object_at(address).filter(|object| object.live && size <= 8)?;
        if address - object.base + u64::from(size) > object.size {
            return None;
        }
        let read = memory.peek(address, size.into());
        let changes = match self.function().code[self.pc() as usize] {
            Inst::AtomicRmw { op, size, value, .. } => {
                atomic::update(op, size, read.into(), self.get(value).into()) != Some(read.into())
            }
            Inst::CompareExchange { size, expected, .. } => value::truncate(size * 8, self.get(expected)) == read,
            _ => false,
        };
        (!changes).then_some(read)
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("there is a frame")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is a frame")
    }

    fn function(&self) -> &'a Function {
        &self.machine.program.module.functions[self.top().function.index()]
    }

    fn pc(&self) -> u32 {
        self.top().pc
    }

    fn get(&self, operand: Operand) -> u64 {
        match operand.as_slot() {
            Some(slot) => self.top().slots[slot.index()],
            None => {
                self.machine.program.constants
                    [operand.as_constant().expect("an operand is a slot or a constant") as usize]
            }
        }
    }

    fn set(&mut self, slot: Slot, value: u64) {
        self.top_mut().slots[slot.index()] = value;
    }

    /// Calls a function of the program with words for all its parameters.
    fn enter(&mut self, site: u32, callee: FuncId) -> Option<u32> {
        let function = &self.machine.program.module.functions[callee.index()];
        let is_defined = matches!(self.machine.program.callees[callee.index()], Callee::Defined);
        let args = &self.function().calls[site as usize].args;
        let fit = args.len() == function.params.len()
            && args.iter().zip(&function.params).all(|(arg, param)| arg.byval.is_none() && arg.slots == param.slots);
        if !is_defined || function.variadic || !fit || self.frames.len() >= MOST_FRAMES {
            return None;
        }
        let mut slots = Vec::with_capacity(function.frame_slots as usize);
        for (arg, param) in args.iter().zip(&function.params) {
            slots.extend((0..param.slots).map(|i| self.get(arg.value.offset(i)) & param.masks[i as usize]));
        }
        slots.resize(function.frame_slots as usize, 0);
        self.frames.push(Frame { function: callee, pc: 0, slots });
        Some(0)
    }

    /// Returns to a call that expects as many words.
    fn leave(&mut self, n: u32, value: Operand) -> Option<u32> {
        let results: Vec<u64> = (0..n).map(|i| self.get(value.offset(i))).collect();
        if self.frames.len() < 2 {
            return None;
        }
        self.frames.pop();
        let (function, pc) = (self.function(), self.pc());
        let site = &function.calls[function.code[pc as usize].call_site()? as usize];
        if let Some(dst) = site.dst {
            if n < site.result_slots {
                return None;
            }
            for (i, mask) in (0..site.result_slots).zip(&site.result_masks) {
                self.set(Slot(dst.0 + i), results[i as usize] & mask);
            }
        }
        Some(pc + 1)
    }

    /// Executes an instruction; `None` if it does more than compute.
    fn step(&mut self) -> Option<()> {
        let pc = self.pc();
        let next = self.next_after(pc)?;
        self.top_mut().pc = next;
        Some(())
    }

    /// Executes an instruction and says where control goes on in the frame on top.
    fn next_after(&mut self, pc: u32) -> Option<u32> {
        let machine = self.machine;
        let wide = |op, b: Bin, x, y| value::wide(op, b.width, x, y).ok().map(|result| result as u64);
        let (dst, result) = match *self.function().code.get(pc as usize)? {
            Inst::Add(b) => (b.dst, wide(WideOp::Add, b, self.left(b), self.exact(b, OverflowOp::SAdd)?)?),
            Inst::Sub(b) => (b.dst, wide(WideOp::Sub, b, self.left(b), self.exact(b, OverflowOp::SSub)?)?),
            Inst::Mul(b) => (b.dst, wide(WideOp::Mul, b, self.left(b), self.exact(b, OverflowOp::SMul)?)?),
            Inst::And(b) => (b.dst, wide(WideOp::And, b, self.left(b), self.right(b))?),
            Inst::Or(b) => (b.dst, wide(WideOp::Or, b, self.left(b), self.right(b))?),
            Inst::Xor(b) => (b.dst, wide(WideOp::Xor, b, self.left(b), self.right(b))?),
            Inst::UDiv(b) => (b.dst, wide(WideOp::UDiv, b, self.left(b), self.right(b))?),
            Inst::SDiv(b) => (b.dst, wide(WideOp::SDiv, b, self.left(b), self.right(b))?),
            Inst::URem(b) => (b.dst, wide(WideOp::URem, b, self.left(b), self.right(b))?),
            Inst::SRem(b) => (b.dst, wide(WideOp::SRem, b, self.left(b), self.right(b))?),
            Inst::Shl(b) => (b.dst, wide(WideOp::Shl, b, self.left(b), self.count(b)?)?),
            Inst::LShr(b) => (b.dst, wide(WideOp::LShr, b, self.left(b), self.count(b)?)?),
            Inst::AShr(b) => (b.dst, wide(WideOp::AShr, b, self.left(b), self.count(b)?)?),
            Inst::ICmp { predicate, width, dst, a, b } => {
                (dst, u64::from(value::compare(predicate, width, self.get(a), self.get(b))))
            }
            Inst::Trunc { width, dst, a } => (dst, value::truncate(width, self.get(a))),
            Inst::Sext { from, to, dst, a } => (dst, value::truncate(to, value::sign_extend(from, self.get(a)) as u64)),
            Inst::Copy { dst, a } => (dst, self.get(a)),
            Inst::Select { dst, c, a, b } => (dst, self.get(if self.get(c) & 1 != 0 { a } else { b })),
            Inst::Address { dst, base, index, scale, offset } => {
                let (base, scaled) = (self.get(base), self.get(index).wrapping_mul(u64::from(scale)));
                let address = base.wrapping_add(scaled).wrapping_add_signed(i64::from(offset));
                (dst, machine.state.memory.derived(base, address & machine.program.pointer_mask)?)
            }
            Inst::AddressOffset { dst, base, offset } => {
                let base = self.get(base);
                let address = base.wrapping_add_signed(offset) & machine.program.pointer_mask;
                (dst, machine.state.memory.derived(base, address)?)
            }
            // (A fence only lets the thread know more, or others know more of what it does later.)
            Inst::Nop | Inst::Fence { .. } => return Some(pc + 1),
            // (What a use of addresses tells is noted when it happens.)
            Inst::UseAddress { what, a, b } => {
                let matters = machine.state.memory.may_matter(what, self.get(a), self.get(b));
                return (!matters).then_some(pc + 1);
            }
            Inst::Call { site, callee } => match machine.passing(callee) {
                Some(Passing::Idles) => {
                    let site = &self.function().calls[site as usize];
                    if let Some(dst) = site.dst {
                        (0..site.result_slots).for_each(|i| self.set(Slot(dst.0 + i), 0));
                    }
                    return Some(pc + 1);
                }
                Some(Passing::Assumes) if self.assumed().is_some() => return Some(pc + 1),
                _ => return self.enter(site, callee),
            },
            Inst::Return { n, value } => return self.leave(n, value),
            Inst::Jump { target } => return Some(target.0),
            Inst::Branch { condition, then, otherwise } => {
                return Some(if self.get(condition) & 1 != 0 { then.0 } else { otherwise.0 });
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                let holds = value::compare(predicate, width, self.get(a), self.get(b));
                return Some(if holds { then.0 } else { otherwise.0 });
            }
            Inst::Switch { table, value, .. } => {
                let (table, value) = (&self.function().switches[table as usize], self.get(value));
                let case = table.cases.iter().find(|(case, _)| *case == value);
                return Some(case.map_or(table.default, |(_, target)| *target).0);
            }
            _ => return None,
        };
        self.set(dst, result);
        Some(pc + 1)
    }

    /// The value that is assumed not to be 0 there.
    fn assumed(&self) -> Option<u64> {
        let Inst::Call { site, callee } = *self.function().code.get(self.pc() as usize)? else { return None };
        let site = &self.function().calls[site as usize];
        let argument = site.args.first().filter(|argument| argument.slots > 0 && argument.byval.is_none())?;
        let assumes = self.machine.passing(callee) == Some(Passing::Assumes) && site.dst.is_none();
        assumes.then(|| self.get(argument.value))
    }

    fn left(&self, b: Bin) -> u128 {
        self.get(b.a).into()
    }

    fn right(&self, b: Bin) -> u128 {
        self.get(b.b).into()
    }

    /// The count of a shift; `None` if that is too much, or bits may get lost that must not.
    fn count(&self, b: Bin) -> Option<u128> {
        (b.flags == 0 && self.get(b.b) < b.width.into()).then(|| self.right(b))
    }

    /// The operand on the right; `None` if the result overflows where it must not.
    fn exact(&self, b: Bin, op: OverflowOp) -> Option<u128> {
        let over = || value::overflow_wide(op, b.width, self.left(b), self.right(b)).1;
        let must_not = b.flags & flags::NSW != 0;
        (!(must_not && over())).then(|| self.right(b))
    }
}
