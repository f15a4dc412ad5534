//! Instructions that only count, wherever their addresses lead.
//!
//! `me->spins++` loads a word, computes with it, and stores the result there. What was loaded goes nowhere else. That
//! is a matter of one block of the code. Whose word that is shows when the thread stands there.
use super::finder::{SMALL, STEP, bin, computes};
use crate::machine::Program;
use crate::value;
use frontend::ir::{Constant, FuncId, Function, Inst, Liveness, Operand, RmwOp, Slot, flags};
use rustc_hash::FxHashMap;

/// An access that only counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counting {
    pub(super) place: Address,
    pub(super) size: u8,
    /// Where what was there goes.
    pub(super) result: Option<Slot>,
    /// What it stores, or adds to what is there.
    pub(super) value: Option<Operand>,
    /// The overflow of what is computed with what was there is an error.
    pub(super) is_signed: bool,
    pub(super) is_atomic: bool,
}

/// How an address is computed: `base + index·scale + offset`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) base: Operand,
    pub(super) index: Option<(Operand, u16)>,
    pub(super) offset: i32,
}

/// A load, and what is made of what it loaded, within a block.
#[derive(Debug)]
struct Group {
    pc: u32,
    dst: Slot,
    place: Address,
    size: u8,
    /// The slots of the address still hold what they held.
    stands: bool,
    /// What was loaded goes elsewhere.
    leaks: bool,
    is_signed: bool,
    /// It was computed with in a way that is another one than counting up or down.
    mixes: bool,
    stores: Vec<(u32, Operand)>,
}

/// All that count in a program.
pub(super) fn find(program: &Program) -> FxHashMap<(FuncId, u32), Counting> {
    let mut all = FxHashMap::default();
    for (number, function) in program.module.functions.iter().enumerate() {
        let id = FuncId(number as u32);
        for (block, begin) in function.blocks.iter().enumerate() {
            let end = function.blocks.get(block + 1).map_or(function.code.len(), |next| next.index());
            look_at_block(program, id, function, begin.index()..end, &mut all);
        }
    }
    all
}

fn look_at_block(
    program: &Program,
    id: FuncId,
    function: &Function,
    block: std::ops::Range<usize>,
    all: &mut FxHashMap<(FuncId, u32), Counting>,
) {
    let end = block.end;
    let mut groups: Vec<Group> = Vec::new();
    // The slots with what was made of what a group loaded.
    let mut made: FxHashMap<Slot, usize> = FxHashMap::default();
    for pc in block {
        let inst = function.code[pc];
        if let Some(counting) = update(inst) {
            all.insert((id, pc as u32), counting);
        }
        let (loads, stores) = (load(inst), store(inst));
        if groups.is_empty() && loads.is_none() {
            continue;
        }
        let mut from: Vec<usize> = Vec::new();
        let mut others: Vec<Operand> = Vec::new();
        function.reads(pc, |operand, n| {
            for operand in (0..n).map(|i| operand.offset(i)) {
                match operand.as_slot().and_then(|slot| made.get(&slot)) {
                    Some(&group) if !from.contains(&group) => from.push(group),
                    Some(_) => {}
                    None => others.push(operand),
                }
            }
        });
        let mut result = None;
        match (from.as_slice(), computes(inst), stores) {
            ([], ..) => {}
            (&[group], Some(dst), _) if groups[group].computes(program, inst, &others) => result = Some((dst, group)),
            (&[group], _, Some((place, size, value)))
                if groups[group].is_at(place, size)
                    && value.as_slot().and_then(|slot| made.get(&slot)) == Some(&group) =>
            {
                groups[group].stores.push((pc as u32, value));
            }
            (from, ..) => {
                from.iter().for_each(|&group| groups[group].leaks = true);
                made.retain(|_, group| !groups[*group].leaks);
            }
        }
        function.writes(pc, |slot, n| {
            for slot in (slot.0..slot.0 + n).map(Slot) {
                made.remove(&slot);
                groups.iter_mut().filter(|group| group.place.is_of(slot)).for_each(|group| group.stands = false);
            }
        });
        if let Some((dst, place, size)) = loads {
            let stands = !place.is_of(dst);
            result = Some((dst, groups.len()));
            let (leaks, is_signed, mixes, stores) = (false, false, false, Vec::new());
            groups.push(Group { pc: pc as u32, dst, place, size, stands, leaks, is_signed, mixes, stores });
        }
        if let Some((dst, group)) = result {
            made.insert(dst, group);
        }
    }
    for (group, it) in groups.iter_mut().enumerate() {
        let goes_elsewhere = it.leaks || it.stores.is_empty() || it.is_signed && it.mixes;
        let mut slots = made.iter().filter(|(_, of)| **of == group).map(|(slot, _)| *slot);
        it.leaks = goes_elsewhere || slots.any(|slot| is_read_behind(function, program.heeded(id), end - 1, slot));
    }
    groups.retain(|group| !group.leaks);
    for Group { pc, dst, place, size, is_signed, stores, .. } in groups {
        let counting = Counting { place, size, result: None, value: None, is_signed, is_atomic: false };
        all.insert((id, pc), Counting { result: Some(dst), ..counting });
        for (pc, value) in stores {
            all.insert((id, pc), Counting { value: Some(value), ..counting });
        }
    }
}

impl Address {
    /// Whether the slot holds a part of it.
    fn is_of(self, slot: Slot) -> bool {
        let index = self.index.map(|(index, _)| index);
        [Some(self.base), index].into_iter().flatten().any(|operand| operand.as_slot() == Some(slot))
    }
}

impl Group {
    /// Whether that is where the group has loaded what it did.
    fn is_at(&self, place: Address, size: u8) -> bool {
        self.stands && (place, size) == (self.place, self.size)
    }

    /// Whether the instruction does nothing but compute with what was loaded and with these others, which is no error
    /// but where it overflows. Takes note of that.
    fn computes(&mut self, program: &Program, inst: Inst, others: &[Operand]) -> bool {
        let Some(b) = bin(inst) else {
            self.mixes |= !matches!(inst, Inst::Copy { .. });
            return true;
        };
        let number = |operand: Operand| match program.module.constants[operand.as_constant()? as usize] {
            Constant::Bits(bits) => Some(value::sign_extend(b.width, bits)),
            _ => None,
        };
        let &[other] = others else { return false };
        let Some(number) = number(other) else {
            let wraps = b.flags & !(flags::NSW & !program.checked_flags) == 0;
            self.mixes = true;
            return wraps && matches!(inst, Inst::Add(_) | Inst::Sub(_) | Inst::Or(_) | Inst::Xor(_));
        };
        if b.flags & !flags::NSW != 0 || matches!(inst, Inst::URem(_) | Inst::SRem(_)) && (b.b != other || number < 2) {
            return false;
        }
        let is_signed = b.flags & flags::NSW & program.checked_flags != 0;
        let counts = matches!(inst, Inst::Add(_) | Inst::Sub(_)) && b.width >= 32 && number.unsigned_abs() <= STEP;
        // (What is left of a division, or of some bits, is small.)
        let leaves_less =
            matches!(inst, Inst::And(_) | Inst::URem(_) | Inst::SRem(_)) && (0..SMALL as i64).contains(&number);
        self.is_signed |= is_signed;
        self.mixes |= !(leaves_less || is_signed && counts && b.b == other);
        true
    }
}

/// Whether what the slot holds matters behind the last instruction of a block.
fn is_read_behind(function: &Function, heeded: &Liveness, last: usize, slot: Slot) -> bool {
    behind(function, last).any(|pc| heeded.before(function, pc).contains(slot.index()))
}

/// The instructions to which control may go from the last one of a block.
pub(super) fn behind(function: &Function, last: usize) -> impl Iterator<Item = u32> {
    let next: Vec<u32> = match function.code[last] {
        Inst::IndirectJump { .. } => function.blocks.iter().map(|block| block.0).collect(),
        inst if inst.is_terminator() => function.targets(last, &[]).iter().map(|target| target.0).collect(),
        _ => vec![last as u32 + 1],
    };
    let len = function.code.len();
    next.into_iter().filter(move |&pc| (pc as usize) < len)
}

/// Where a plain load of one word puts it, and where that is.
fn load(inst: Inst) -> Option<(Slot, Address, u8)> {
    let at = |base, offset| Address { base, index: None, offset };
    Some(match inst {
        Inst::Load8 { dst, address, offset } => (dst, at(address, offset), 1),
        Inst::Load16 { dst, address, offset } => (dst, at(address, offset), 2),
        Inst::Load32 { dst, address, offset } => (dst, at(address, offset), 4),
        Inst::Load64 { dst, address, offset } => (dst, at(address, offset), 8),
        Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
            (dst, Address { base, index: Some((index, scale)), offset }, size)
        }
        _ => return None,
    })
}

/// Where a plain store of one word puts what.
fn store(inst: Inst) -> Option<(Address, u8, Operand)> {
    let at = |base, offset| Address { base, index: None, offset };
    Some(match inst {
        Inst::Store8 { address, offset, value } => (at(address, offset), 1, value),
        Inst::Store16 { address, offset, value } => (at(address, offset), 2, value),
        Inst::Store32 { address, offset, value } => (at(address, offset), 4, value),
        Inst::Store64 { address, offset, value } => (at(address, offset), 8, value),
        Inst::StoreIndexed { size, scale, base, index, offset, value } => {
            (Address { base, index: Some((index, scale)), offset }, size, value)
        }
        _ => return None,
    })
}

/// An atomic update that is asked for nothing. (Numbers wrap around there.)
fn update(inst: Inst) -> Option<Counting> {
    let Inst::AtomicRmw { op, size: size @ ..=8, unused: true, address, value, .. } = inst else { return None };
    let computes = matches!(
        op,
        RmwOp::Add
            | RmwOp::Sub
            | RmwOp::And
            | RmwOp::Or
            | RmwOp::Xor
            | RmwOp::SMax
            | RmwOp::SMin
            | RmwOp::UMax
            | RmwOp::UMin
    );
    let place = Address { base: address, index: None, offset: 0 };
    let counting = Counting { place, size, result: None, value: Some(value), is_signed: false, is_atomic: true };
    computes.then_some(counting)
}
