//! What the code shows of the words of variables.
use super::counting::behind;
use super::{Tallies, Tally, Word};
use crate::machine::Program;
use crate::memory::CHUNK;
use crate::value;
use crate::verdict::fault::Kind;
use crate::waiting::open::operands;
use frontend::ir::{Bin, Constant, FuncId, Function, Global, GlobalId, Inst, Liveness, Operand, Slot, flags};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a signed tally begins with is less than that, and what is added to it at most that.
pub(super) const SMALL: u64 = 1 << 29;
pub(super) const STEP: u64 = 256;

/// A word: its variable, how far behind the beginning it lies, and its bytes.
type Place = (GlobalId, u64, u8);

/// Looks for tallies in all of a program.
struct Finder<'a> {
    program: &'a Program,
    /// Numbers that are smaller than an address are no addresses.
    less_is_number: bool,
    /// By constant of the pool: the variable in which its address lies, and how far behind the beginning.
    leads: Vec<Option<(GlobalId, i64)>>,
    /// Variables of whose addresses something else is made.
    others: FxHashSet<GlobalId>,
    /// Words at which somebody looks, or in which something else is stored.
    looked_at: FxHashSet<Place>,
    /// Words that may be printed, where it matters whether they were given; and those in which something may be stored
    /// that was not.
    printed: FxHashSet<Place>,
    perhaps_never_given: FxHashSet<Place>,
    /// The words that are accessed.
    words: FxHashMap<Place, How>,
    /// Their accesses, and the instructions that make the addresses of thread-local variables.
    accesses: Vec<(FuncId, u32, Place, Access)>,
    addresses: Vec<(FuncId, u32, Slot, GlobalId)>,
}

/// How a word is accessed.
#[derive(Clone, Copy, Default, Debug)]
struct How {
    atomically: bool,
    /// By arithmetic of which the overflow is an error, and by other arithmetic.
    signed: bool,
    unsigned: bool,
    /// What is stored may be larger than what was there.
    grows: bool,
}

/// An access of one word.
#[derive(Clone, Copy, Debug)]
struct Access {
    address: Operand,
    offset: i32,
    size: u8,
    /// What it stores, if it does.
    value: Option<Operand>,
    /// Where what was there goes, if that matters.
    loaded: Option<Slot>,
    is_atomic: bool,
}

/// What is known of slots within a block.
#[derive(Clone, Default, Debug)]
struct Slots {
    /// Those with the address of a thread-local variable.
    addresses: FxHashMap<u32, GlobalId>,
    /// Those with what was made of a word.
    made: FxHashMap<u32, Place>,
    /// Of these, those with what is left of a division, or of some bits.
    rests: FxHashSet<u32>,
}

/// By instruction of a block, as soon as somebody asks for that: whether anything that it writes matters.
struct Matters {
    block: usize,
    begin: usize,
    of_block: Option<Vec<bool>>,
}

impl Matters {
    fn at(&mut self, heeded: &Liveness, function: &Function, pc: usize) -> bool {
        let of_block = self.of_block.get_or_insert_with(|| heeded.matters_in_block(function, self.block));
        of_block[pc - self.begin]
    }
}

impl Slots {
    fn are_empty(&self) -> bool {
        self.addresses.is_empty() && self.made.is_empty()
    }
}

/// Finds the tallies of a program of which the code shows that they are some.
pub(super) fn find(program: &Program) -> Tallies {
    let module = &program.module;
    let leads = module.constants.iter().map(|constant| match *constant {
        Constant::Global(global, offset) => Some((global, offset)),
        _ => None,
    });
    let mut finder = Finder {
        program,
        less_is_number: !program.allocates || !program.options.checks.contains(Kind::Leak),
        leads: leads.collect(),
        others: FxHashSet::default(),
        looked_at: FxHashSet::default(),
        printed: FxHashSet::default(),
        perhaps_never_given: FxHashSet::default(),
        words: FxHashMap::default(),
        accesses: Vec::new(),
        addresses: Vec::new(),
    };
    finder.look_at_data();
    // (Most variables are none of which that is true, and are not followed then.)
    module.functions.iter().for_each(|function| finder.look_at_addresses(function));
    for (number, function) in module.functions.iter().enumerate() {
        finder.look_at_code(FuncId(number as u32), function);
    }
    finder.found()
}

impl Finder<'_> {
    /// Addresses that stand in variables, or are parts of other constants, lead anywhere. And some variables are no
    /// tallies in any case.
    fn look_at_data(&mut self) {
        let module = &self.program.module;
        let is_other = |(number, global): (usize, &Global)| {
            let id = GlobalId(number as u32);
            let has_tally =
                global.initial.is_some() && !global.constant && !global.weak && !self.program.of_library.contains(&id);
            (!has_tally).then_some(id)
        };
        self.others.extend(module.globals.iter().enumerate().filter_map(is_other));
        let initial = module.globals.iter().filter_map(|global| global.initial.as_ref());
        for (_, _, constant) in initial.flat_map(|initial| &initial.relocations) {
            self.lose(*constant);
        }
        for constant in module.constants.iter().filter(|constant| matches!(constant, Constant::Difference { .. })) {
            self.lose(*constant);
        }
    }

    /// Something is made of that address.
    fn lose(&mut self, constant: Constant) {
        match constant {
            Constant::Global(global, _) => _ = self.others.insert(global),
            Constant::Difference { minuend, subtrahend, .. } => {
                for part in [minuend, subtrahend] {
                    self.lose(self.program.module.constants[part as usize]);
                }
            }
            Constant::Bits(_) | Constant::Function(..) | Constant::Block(..) => {}
        }
    }

    /// Notes variables of whose addresses a function makes something else than accesses.
    fn look_at_addresses(&mut self, function: &Function) {
        for pc in 0..function.code.len() {
            let mut address = access(function.code[pc]).map(|access| access.address);
            let (leads, others) = (&self.leads, &mut self.others);
            function.reads(pc, |operand, n| {
                for operand in (0..n).map(|i| operand.offset(i)) {
                    let constant = operand.as_constant().and_then(|constant| leads[constant as usize]);
                    if let Some((global, _)) = constant
                        && address.take_if(|address| *address == operand).is_none()
                    {
                        others.insert(global);
                    }
                }
            });
        }
    }

    fn look_at_code(&mut self, id: FuncId, function: &Function) {
        let program = self.program;
        let mut live = None;
        for (block, begin) in function.blocks.iter().enumerate() {
            let end = function.blocks.get(block + 1).map_or(function.code.len(), |next| next.index());
            let mut slots = Slots::default();
            let mut matters = Matters { block, begin: begin.index(), of_block: None };
            for pc in begin.index()..end {
                self.step(id, function, pc, &mut slots, &mut matters);
            }
            if !slots.are_empty() {
                let live = live.get_or_insert_with(|| Liveness::new(function));
                self.leave_block(function, end - 1, &slots, [live, program.heeded(id)]);
            }
        }
    }

    /// What is still in use behind a block is not followed. (What is only printed there is noted.)
    fn leave_block(&mut self, function: &Function, last: usize, slots: &Slots, [live, heeded]: [&Liveness; 2]) {
        for pc in behind(function, last) {
            let (live, heeded) = (live.before(function, pc), heeded.before(function, pc));
            let is_live = |slot: &u32| heeded.contains(*slot as usize);
            let made = slots.made.iter().filter(|(slot, _)| live.contains(**slot as usize));
            self.printed.extend(made.map(|(_, place)| *place));
            self.others.extend(slots.addresses.iter().filter(|(slot, _)| is_live(slot)).map(|(_, global)| *global));
            self.looked_at.extend(slots.made.iter().filter(|(slot, _)| is_live(slot)).map(|(_, place)| *place));
        }
    }

    /// Takes note of what an instruction does with variables.
    fn step(&mut self, id: FuncId, function: &Function, pc: usize, slots: &mut Slots, matters: &mut Matters) {
        let inst = function.code[pc];
        let place = access(inst).and_then(|access| Some((self.place(access, slots)?, access)));
        if place.is_none() && slots.are_empty() && !matches!(inst, Inst::ThreadLocal { .. }) {
            return;
        }
        let heeded = self.program.heeded(id);
        let matters = matters.at(heeded, function, pc);
        let mut read = Vec::new();
        heeded.reads(function, pc, matters, |operand, n| read.extend((0..n).map(|i| operand.offset(i))));
        function.reads(pc, |operand, n| {
            let unheeded = (0..n).map(|i| operand.offset(i)).filter(|operand| !read.contains(operand));
            let made = unheeded.filter_map(|operand| slots.made.get(&operand.as_slot()?.0).copied());
            self.printed.extend(made);
        });
        if let Some((_, access)) = place {
            let first = read.iter().position(|&operand| operand == access.address);
            read.remove(first.expect("an address is read"));
        }
        let may_hold = place.map(|(place, _)| place);
        let computed = place.is_none().then(|| computes(inst)).flatten();
        let mut made_of = Vec::new();
        for operand in read {
            let Some(slot) = operand.as_slot() else { continue };
            self.others.extend(slots.addresses.get(&slot.0));
            made_of.extend(slots.made.get(&slot.0).copied());
        }
        // (What is made of two words is of neither.)
        let from = made_of.first().copied();
        let is_one = made_of.iter().all(|&place| Some(place) == from);
        if !(is_one && (computed.is_some() || may_hold == from)) {
            self.looked_at.extend(made_of);
        }
        if let Some((place, access)) = place {
            self.note(place, access, slots);
            self.accesses.push((id, pc as u32, place, access));
        }
        let place_of_result = from.filter(|_| computed.is_some());
        let is_rest = place_of_result.is_some_and(|place| self.note_arithmetic(place, inst, slots));
        function.writes(pc, |slot, n| {
            for slot in slot.0..slot.0 + n {
                slots.addresses.remove(&slot);
                slots.made.remove(&slot);
                slots.rests.remove(&slot);
            }
        });
        match inst {
            Inst::ThreadLocal { dst, global } if !self.others.contains(&global) => {
                slots.addresses.insert(dst.0, global);
                self.addresses.push((id, pc as u32, dst, global));
            }
            _ => {
                let loaded = place.and_then(|(place, access)| Some((access.loaded?, place)));
                if !matters {
                    self.printed.extend(loaded.map(|(_, place)| place));
                }
                let loaded = loaded.filter(|_| matters);
                let made = loaded.or_else(|| Some((computed?, from?)));
                let made = made.filter(|(_, place)| !self.looked_at.contains(place));
                slots.made.extend(made.map(|(dst, place)| (dst.0, place)));
                slots.rests.extend(computed.filter(|_| is_rest).map(|dst| dst.0));
            }
        }
    }

    /// The variable to which a constant leads.
    fn leads_to(&self, operand: Operand) -> Option<(GlobalId, i64)> {
        operand.as_constant().and_then(|constant| self.leads[constant as usize])
    }

    /// The word of a variable that is accessed.
    fn place(&self, access: Access, slots: &Slots) -> Option<Place> {
        let in_slot = |slot: Slot| Some((*slots.addresses.get(&slot.0)?, 0));
        let leads = self.leads_to(access.address).or_else(|| in_slot(access.address.as_slot()?));
        let (global, offset) = leads.filter(|(global, _)| !self.others.contains(global))?;
        let offset = (offset + i64::from(access.offset)) as u64;
        Some((global, offset, access.size))
    }

    /// Takes note of an access.
    fn note(&mut self, place: Place, access: Access, slots: &Slots) {
        // (What is no constant may be any number.)
        let is_made = |value: Operand| value.as_slot().is_some_and(|slot| slots.made.get(&slot.0) == Some(&place));
        let is_any = access.value.is_some_and(|value| value.as_slot().is_some() && !is_made(value));
        if is_any {
            self.perhaps_never_given.insert(place);
        }
        let how = self.words.entry(place).or_default();
        how.atomically |= access.is_atomic;
        how.unsigned |= is_any;
        how.grows |=
            access.value.is_some_and(|value| value.as_slot().is_some_and(|slot| !slots.rests.contains(&slot.0)));
        if access.value.is_some_and(|value| !self.may_be_stored(place, value, slots)) {
            self.looked_at.insert(place);
        }
    }

    /// Whether the value may be stored in a tally: it was made of what that held, or is no address.
    fn may_be_stored(&self, place: Place, value: Operand, slots: &Slots) -> bool {
        match value.as_slot() {
            Some(slot) => slots.made.get(&slot.0) == Some(&place) || self.is_less(place.2),
            None => self.number(value).is_some(),
        }
    }

    /// Whether so many bytes hold no address, nor a part of one where blocks are looked for that are lost.
    fn is_less(&self, bytes: u8) -> bool {
        self.less_is_number && u64::from(bytes) < self.program.pointer_bytes
    }

    /// The operand, if it is a constant number.
    fn number(&self, operand: Operand) -> Option<u64> {
        match self.program.module.constants[operand.as_constant()? as usize] {
            Constant::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// Takes note of arithmetic on what a word held. Whether the result is what is left of a division, or of some bits.
    fn note_arithmetic(&mut self, place: Place, inst: Inst, slots: &Slots) -> bool {
        let is_made = |operand: Operand| operand.as_slot().is_some_and(|slot| slots.made.get(&slot.0) == Some(&place));
        let others = operands(inst).into_iter().flatten().filter(|&operand| !is_made(operand));
        let others: Vec<Operand> = others.collect();
        if !others.iter().all(|&other| self.number(other).is_some()) {
            self.perhaps_never_given.insert(place);
        }
        if !others.iter().all(|&other| self.number(other).is_some() || self.is_less(place.2)) {
            self.looked_at.insert(place);
        }
        let is_rest = |operand: Operand| operand.as_slot().is_some_and(|slot| slots.rests.contains(&slot.0));
        let Some(Bin { width, flags, .. }) = bin(inst) else {
            return matches!(inst, Inst::Copy { a, .. } | Inst::Trunc { a, .. } if is_rest(a));
        };
        let is_signed = flags & flags::NSW & self.program.checked_flags != 0;
        // (What is left of a number is small.)
        let small = |number: u64| (2..=SMALL).contains(&number);
        let leaves_less = match inst {
            Inst::And(_) => others.iter().any(|&other| self.number(other).is_some_and(|number| number <= SMALL)),
            Inst::URem(b) | Inst::SRem(b) => is_made(b.a) && self.number(b.b).is_some_and(small),
            _ => false,
        };
        if leaves_less {
            return true;
        }
        if matches!(inst, Inst::URem(_) | Inst::SRem(_)) {
            self.looked_at.insert(place);
        }
        if is_signed {
            let is_small = |number: u64| value::sign_extend(width, number).unsigned_abs() <= STEP;
            let counts = matches!(inst, Inst::Add(_) | Inst::Sub(_)) && width >= 32;
            let steps = others.len() == 1 && self.number(others[0]).is_some_and(is_small);
            if !counts || !steps {
                self.looked_at.insert(place);
            }
        }
        let how = self.words.entry(place).or_default();
        how.signed |= is_signed;
        how.unsigned |= !is_signed;
        false
    }

    /// The tallies among all that was looked at.
    fn found(mut self) -> Tallies {
        let mut all: Vec<Place> = self.words.keys().copied().collect();
        all.sort_unstable_by_key(|&(global, offset, size)| (global.0, offset, size));
        for pair in all.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            if one.0 == other.0 && other.1 < one.1.saturating_add(one.2.into()) {
                // (Three of them may overlap.)
                self.others.insert(one.0);
            }
        }
        let small = self.small();
        let is_tally = |place: &Place| {
            let size = self.program.module.globals[place.0.index()].size;
            let how = self.words[place];
            let fits = place.1.checked_add(place.2.into()).is_some_and(|end| end <= size);
            let may_fail = self.printed.contains(place) && self.perhaps_never_given.contains(place);
            let is_seen = self.others.contains(&place.0) || self.looked_at.contains(place) || may_fail;
            let is_small = !how.signed || !how.unsigned && small.contains(place);
            let is_told = !(how.signed && how.grows && self.is_thread_local(place.0));
            fits && is_small && is_told && !is_seen && !how.atomically
        };
        let mut tallies = Tallies::default();
        let [mut unsigned, mut words]: [FxHashSet<(GlobalId, u64)>; 2] = Default::default();
        for &(function, pc, place, access) in self.accesses.iter().filter(|(_, _, place, _)| is_tally(place)) {
            let (global, offset, size) = place;
            let how = self.words[&place];
            let is_signed = how.signed && how.grows;
            let word = Word { global, offset, size, writes: access.value.is_some(), is_signed };
            let tally = Tally {
                result: access.loaded.map(|dst| (dst, false)),
                value: access.value,
                shared: (!self.is_thread_local(global)).then_some(word),
            };
            tallies.all.insert((function, pc), tally);
            let bytes = (offset..offset + u64::from(size)).map(|byte| (global, byte));
            words.extend(bytes.clone());
            unsigned.extend(bytes.filter(|_| !is_signed));
        }
        let by_chunk = |bytes: FxHashSet<(GlobalId, u64)>| {
            let mut chunks: FxHashMap<(GlobalId, usize), u64> = FxHashMap::default();
            for (global, byte) in bytes {
                *chunks.entry((global, byte as usize / CHUNK)).or_default() |= 1 << (byte as usize % CHUNK);
            }
            Arc::new(chunks)
        };
        (tallies.unsigned, tallies.words) = (by_chunk(unsigned), by_chunk(words));
        for &(function, pc, dst, _) in self.addresses.iter().filter(|(.., global)| !self.others.contains(global)) {
            let tally = Tally { result: Some((dst, true)), value: None, shared: None };
            tallies.all.insert((function, pc), tally);
        }
        tallies
    }

    fn is_thread_local(&self, global: GlobalId) -> bool {
        self.program.module.globals[global.index()].thread_local
    }

    /// The words in which nothing but small numbers are stored, besides what was made of what they held.
    fn small(&self) -> FxHashSet<Place> {
        let is_small = |&(_, _, size): &Place, number: u64| {
            value::sign_extend(8 * size, number).unsigned_abs() <= SMALL >> (32 - (8 * size).min(32))
        };
        let mut small: FxHashSet<Place> = self.words.keys().copied().collect();
        small.retain(|place| self.initially(place).is_some_and(|number| is_small(place, number)));
        for (_, _, place, access) in &self.accesses {
            let is_large =
                access.value.and_then(|value| self.number(value)).is_some_and(|number| !is_small(place, number));
            if is_large {
                small.remove(place);
            }
        }
        small
    }

    /// What the word holds at first.
    fn initially(&self, &(global, offset, size): &Place) -> Option<u64> {
        let initial = self.program.module.globals[global.index()].initial.as_ref()?;
        let byte = |index: u64| u64::from(initial.bytes.get((offset + index) as usize).copied().unwrap_or(0));
        Some((0..u64::from(size)).fold(0, |word, index| word | byte(index) << (8 * index)))
    }
}

/// The access of an instruction that accesses one word.
fn access(inst: Inst) -> Option<Access> {
    let plain = |address, offset, size| Access { address, offset, size, value: None, loaded: None, is_atomic: false };
    let load = |dst, address, offset, size| Access { loaded: Some(dst), ..plain(address, offset, size) };
    let store = |value, address, offset, size| Access { value: Some(value), ..plain(address, offset, size) };
    let bytes = |bits: u8| (bits <= 64 && bits.is_multiple_of(8)).then_some(bits / 8);
    Some(match inst {
        Inst::Load8 { dst, address, offset } => load(dst, address, offset, 1),
        Inst::Load16 { dst, address, offset } => load(dst, address, offset, 2),
        Inst::Load32 { dst, address, offset } => load(dst, address, offset, 4),
        Inst::Load64 { dst, address, offset } => load(dst, address, offset, 8),
        Inst::LoadBits { bits, dst, address, offset } => load(dst, address, offset, bytes(bits)?),
        Inst::Store8 { address, offset, value } => store(value, address, offset, 1),
        Inst::Store16 { address, offset, value } => store(value, address, offset, 2),
        Inst::Store32 { address, offset, value } => store(value, address, offset, 4),
        Inst::Store64 { address, offset, value } => store(value, address, offset, 8),
        Inst::StoreBits { bits, address, offset, value } => store(value, address, offset, bytes(bits)?),
        Inst::AtomicLoad { size: size @ ..=8, dst, address, .. } => {
            Access { is_atomic: true, ..load(dst, address, 0, size) }
        }
        Inst::AtomicStore { size: size @ ..=8, address, value, .. } => {
            Access { is_atomic: true, ..store(value, address, 0, size) }
        }
        Inst::AtomicRmw { size: size @ ..=8, dst, address, value, .. } => {
            Access { is_atomic: true, loaded: Some(dst), ..store(value, address, 0, size) }
        }
        _ => return None,
    })
}

/// Where the result of arithmetic goes that may be an error for no value but where it overflows.
pub(super) fn computes(inst: Inst) -> Option<Slot> {
    match inst {
        Inst::Trunc { dst, .. } | Inst::Sext { dst, .. } | Inst::Copy { dst, .. } => Some(dst),
        _ => bin(inst).map(|bin| bin.dst),
    }
}

pub(super) fn bin(inst: Inst) -> Option<Bin> {
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) | Inst::And(b) | Inst::Or(b) | Inst::Xor(b) => Some(b),
        // (Divisions by what is no small constant are not among those that may be done.)
        Inst::URem(b) | Inst::SRem(b) => Some(b),
        _ => None,
    }
}
