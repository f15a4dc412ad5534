//! Variables of a function that lie in memory and are written anew in each turn: `struct timespec pause;` above a loop
//! that fills it in and sleeps.
//!
//! **A scratch variable** is one of which the code of its function shows all that is done with it. Its address is only
//! used to load and store there, to fill it, to sleep for the time in it, and to begin and end its life. It is used
//! nowhere behind its end, unless it begins to live again before. What is stored there are numbers that are no
//! addresses, nor parts of addresses where leaks are looked for in a program that allocates. So nobody but its function
//! has to do with it, it is alive wherever that uses it, and no block on the heap is there only because it leads there.
//!
//! **A byte of it is dead** at a place of the code if it is written on each way on before it is read, or never read. So
//! what is there at that place decides nothing that the thread does from there on, nor what anybody else does. Two
//! states that differ in dead bytes alone go on in the same way.
//!
//! So dead bytes are no part of where a thread stands. A walker that comes to a store to a scratch variable keeps what
//! it stores there; what it has not stored it does not know, and cannot read. When it comes to an access, it forgets
//! the variable if all that it has stored there is dead (see [`own`](super::own)). A turn that leads back to where it
//! began has changed nothing but dead bytes then, and what is true of turns that change nothing is true of it.
//!
//! **Why such turns may be left out.** Let one lead from A to B, where the thread does the same as from A. All that it
//! has stored in scratch variables is dead at B. (If it has several accesses: what it has stored before one of them is
//! dead there, and so it is at the next one, if it is not stored again.) Without the turn, the thread at A finds there
//! what was there before. That it does the same from A and B is proved by two copies that know nothing of what lies
//! there. What they have not stored themselves they load as from any other place, and are taken to read the same. So
//! they do: the copy that goes on from B may read such a byte before it was written, so that it is not dead at B, and
//! the turn has not changed it. Nor has it changed a byte that is not dead where both leave the loop, and that they
//! have not stored.
//!
//! Both copies must store the same there, though nobody reads it. For a thread that leaves something else in memory in
//! each turn, for ever, does not count as one that only spins where turns are explored, and it is not to be a livelock
//! here either.
//!
//! What lies in registers is found by following all ways through the code: to which variable each slot leads in any
//! case, to which ones it may lead, and whether it holds a number. Functions in which control may go on elsewhere than
//! the code shows (`setjmp`, labels with addresses) have no scratch variables.
use crate::library::hooks::Passing;
use crate::machine::{Callee, Program};
use crate::verdict::fault::Kind;
use crate::waiting::variables::{address_from, end_of_block, leads_to, next_after};
use frontend::ir::{FuncId, Function, Inst, Operand, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of such a variable, at most, and how many variables a function may have.
pub(super) const MOST: u64 = 64;

/// The scratch variables of one function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scratch {
    /// By variable and instruction: which bytes are not dead before it.
    live: FxHashMap<u32, Vec<u64>>,
    /// By instruction that stores to one: which one, and how far behind its beginning the address leads.
    stores: FxHashMap<u32, (u32, u64)>,
}

/// What is known of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Fact {
    /// To which variables it may lead.
    pub(super) may: u64,
    /// To which one it does, and how far behind its beginning if that is known.
    pub(super) leads: Option<(u32, Option<u64>)>,
    /// It holds no address.
    pub(super) number: bool,
}

/// What is known of slots. Of others nothing is, and they lead to no variable.
pub(super) type Facts = FxHashMap<u32, Fact>;

/// What an instruction does with a variable.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Use {
    /// Bytes that it may read.
    pub(super) reads: u64,
    /// Bytes that it writes in any case.
    pub(super) writes: u64,
    /// If it stores there: how far behind the beginning its address leads, if that is known.
    pub(super) stores: Option<u64>,
    pub(super) marks: Option<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Begins,
    Ends,
}

impl Scratch {
    /// Finds the scratch variables of a function.
    pub(crate) fn new(program: &Program, id: FuncId) -> Scratch {
        let function = &program.module.functions[id.index()];
        let mut finder = Finder { program, function, others: 0, uses: FxHashMap::default() };
        if function.allocas.is_empty() || function.allocas.len() as u64 > MOST || goes_elsewhere(program, function) {
            return Scratch::default();
        }
        finder.look();
        let all = 0..function.allocas.len() as u32;
        let live = all.filter(|&variable| finder.is_scratch(variable));
        let live_bytes = |variable: u32| {
            let size = function.allocas[variable as usize].size;
            live_bytes(function, size, |pc| finder.use_at(pc, variable))
        };
        let live: FxHashMap<_, _> = live.map(|variable| (variable, live_bytes(variable))).collect();
        let stores = finder.uses.iter().filter(|((_, variable), _)| live.contains_key(variable));
        let stores = stores.filter_map(|(&(pc, variable), what)| Some((pc, (variable, what.stores?)))).collect();
        Scratch { live, stores }
    }

    /// Whether the variable is one.
    pub(crate) fn has(&self, variable: u32) -> bool {
        self.live.contains_key(&variable)
    }

    /// To which scratch variable the instruction stores, and how far behind its beginning the address leads.
    pub(super) fn stored(&self, pc: u32) -> Option<(u32, u64)> {
        self.stores.get(&pc).copied()
    }

    /// Which bytes of a scratch variable are not dead before the instruction.
    pub(super) fn live(&self, variable: u32, pc: u32) -> u64 {
        self.live.get(&variable).and_then(|live| live.get(pc as usize)).copied().unwrap_or(u64::MAX)
    }
}

/// Looks for the scratch variables of a function.
struct Finder<'a> {
    program: &'a Program,
    function: &'a Function,
    /// The variables that are something else.
    others: u64,
    /// What instructions do with variables.
    uses: FxHashMap<(u32, u32), Use>,
}

impl Finder<'_> {
    /// Follows all ways through the code, and notes what is done with variables.
    fn look(&mut self) {
        let (program, function) = (self.program, self.function);
        let step = |pc: usize, facts: &mut Facts| step(function, pc, facts, |inst, facts| number(program, inst, facts));
        for (begin, mut facts) in follow(function, Facts::default(), step) {
            for pc in begin..=end_of_block(function, begin) {
                self.note(pc, begin == 0, &facts);
                step(pc, &mut facts);
            }
        }
    }

    /// Notes what the instruction does with variables.
    fn note(&mut self, pc: usize, is_first_block: bool, facts: &Facts) {
        let function = self.function;
        let inst = function.code[pc];
        if let Inst::Alloca { info, count, .. } = inst {
            if !is_first_block || self.constant(count) != Some(1) || function.allocas[info as usize].size > MOST {
                self.others |= 1 << info;
            }
            return;
        }
        let mut operands = Vec::new();
        function.reads(pc, |operand, n| operands.push((operand, n)));
        let address = leads_to(inst);
        let leads = address.and_then(|address| fact(facts, address).leads);
        if let Some((variable, offset)) = leads {
            let first = operands.iter().position(|&(operand, _)| Some(operand) == address);
            operands.remove(first.expect("an address is read"));
            let what = self.use_of(inst, variable, offset, facts);
            self.uses.insert((pc as u32, variable), what);
        }
        if let Some(from) = address_from(inst).map(|(_, from)| from) {
            let first = operands.iter().position(|&(operand, _)| operand == from);
            operands.remove(first.expect("an address is read"));
        }
        let sleeps = matches!(inst, Inst::Call { callee, .. } if self.sleeps(callee));
        for (operand, n) in operands {
            let Some(slot) = operand.as_slot() else { continue };
            let may = (slot.0..slot.0 + n).fold(0, |all, slot| all | facts.get(&slot).map_or(0, |fact| fact.may));
            match fact(facts, operand).leads {
                Some((variable, _)) if sleeps && n == 1 => {
                    self.uses.insert((pc as u32, variable), Use { reads: u64::MAX, ..Use::default() });
                }
                _ => self.others |= may,
            }
        }
    }

    /// The operand if it is a constant.
    fn constant(&self, operand: Operand) -> Option<u64> {
        operand.as_constant().map(|constant| self.program.constants[constant as usize])
    }

    /// Whether the callee reads the time to which an argument leads, and does nothing with what the others lead to.
    fn sleeps(&self, callee: FuncId) -> bool {
        let is_model = matches!(self.program.callees[callee.index()], Callee::Model(_));
        is_model && matches!(self.program.passing[callee.index()], Some(Passing::Sleeps(_)))
    }

    /// What the instruction does with the variable to which it leads.
    fn use_of(&mut self, inst: Inst, variable: u32, offset: Option<u64>, facts: &Facts) -> Use {
        let size = self.function.allocas[variable as usize].size;
        let bytes = |by: i32, len: u64| {
            let first = offset.map(|offset| offset.wrapping_add_signed(by.into()));
            let first = first.filter(|&first| len <= MOST && first <= size && size - first >= len);
            first.filter(|_| len > 0 && size <= MOST).map(|first| mask(len) << first)
        };
        let reads = |by, len| Use { reads: bytes(by, len).unwrap_or(u64::MAX), ..Use::default() };
        let writes = |by, len| Use { writes: bytes(by, len).unwrap_or(0), stores: offset, ..Use::default() };
        let stored = match inst {
            Inst::Store8 { value, .. }
            | Inst::Store16 { value, .. }
            | Inst::Store32 { value, .. }
            | Inst::Store64 { value, .. }
            | Inst::StoreBits { value, .. }
            | Inst::StoreIndexed { value, .. } => Some(value),
            _ => None,
        };
        let is_copied = matches!(inst, Inst::MemCopy { .. } | Inst::MemMove { .. });
        let is_wide = matches!(inst, Inst::StoreBits { bits, .. } if bits > 64);
        if is_copied || is_wide || stored.is_some_and(|value| !fact(facts, value).number) {
            self.others |= 1 << variable;
        }
        match inst {
            Inst::Load8 { offset, .. } => reads(offset, 1),
            Inst::Load16 { offset, .. } => reads(offset, 2),
            Inst::Load32 { offset, .. } => reads(offset, 4),
            Inst::Load64 { offset, .. } => reads(offset, 8),
            Inst::LoadBits { bits, offset, .. } => reads(offset, u64::from(bits).div_ceil(8)),
            Inst::LoadIndexed { .. } => Use { reads: u64::MAX, ..Use::default() },
            Inst::Store8 { offset, .. } => writes(offset, 1),
            Inst::Store16 { offset, .. } => writes(offset, 2),
            Inst::Store32 { offset, .. } => writes(offset, 4),
            Inst::Store64 { offset, .. } => writes(offset, 8),
            Inst::StoreBits { bits, offset, .. } if bits % 8 == 0 => writes(offset, u64::from(bits) / 8),
            Inst::MemSet { len, .. } => writes(0, self.constant(len).unwrap_or(0)),
            Inst::StoreBits { .. } | Inst::StoreIndexed { .. } => Use { stores: offset, ..Use::default() },
            Inst::LifetimeStart { .. } => Use { writes: u64::MAX, marks: Some(Mark::Begins), ..Use::default() },
            Inst::LifetimeEnd { .. } => Use { writes: u64::MAX, marks: Some(Mark::Ends), ..Use::default() },
            _ => Use::default(),
        }
    }

    /// Whether the variable is a scratch variable.
    fn is_scratch(&self, variable: u32) -> bool {
        let size = self.function.allocas[variable as usize].size;
        self.others >> variable & 1 == 0 && size <= MOST && !self.is_used_behind_end(variable)
    }

    fn use_at(&self, pc: usize, variable: u32) -> Use {
        self.uses.get(&(pc as u32, variable)).copied().unwrap_or_default()
    }

    /// Whether a way leads from the end of the variable's life to a use of it, and not through the beginning of one.
    fn is_used_behind_end(&self, variable: u32) -> bool {
        let function = self.function;
        let marks = |pc: usize| self.use_at(pc, variable).marks;
        let ends = (0..function.code.len()).filter(|&pc| marks(pc) == Some(Mark::Ends));
        let mut open: Vec<usize> = ends.flat_map(|pc| next_after(function, pc)).collect();
        let mut seen = FxHashSet::default();
        while let Some(pc) = open.pop() {
            if pc >= function.code.len() || marks(pc) == Some(Mark::Begins) || !seen.insert(pc) {
                continue;
            }
            if self.uses.contains_key(&(pc as u32, variable)) {
                return true;
            }
            open.extend(next_after(function, pc));
        }
        false
    }
}

/// Whether control may go on elsewhere than the code shows, or variables may end where it does not say so.
pub(super) fn goes_elsewhere(program: &Program, function: &Function) -> bool {
    let comes_again = |callee: FuncId| program.module.functions[callee.index()].name.contains("setjmp");
    // (Variables would begin anew.)
    let is_first = |pc: usize| !function.allocas.is_empty() && next_after(function, pc).contains(&0);
    (0..function.code.len()).any(|pc| match function.code[pc] {
        Inst::IndirectJump { .. } | Inst::StackSave { .. } | Inst::StackRestore { .. } => true,
        Inst::Call { callee, .. } => comes_again(callee),
        inst => inst.is_terminator() && is_first(pc),
    })
}

/// By instruction: which bytes of a variable of that size are not dead before it. `use_at`: what each does with it.
pub(super) fn live_bytes(function: &Function, size: u64, use_at: impl Fn(usize) -> Use) -> Vec<u64> {
    let all = mask(size);
    let mut live = vec![0; function.code.len()];
    loop {
        let mut has_changed = false;
        for pc in (0..live.len()).rev() {
            let behind = next_after(function, pc).into_iter();
            let behind = behind.fold(0, |bytes, next| bytes | live.get(next).copied().unwrap_or(0));
            let Use { reads, writes, .. } = use_at(pc);
            let before = (behind & !writes | reads) & all;
            has_changed |= live[pc] != before;
            live[pc] = before;
        }
        if !has_changed {
            return live;
        }
    }
}

/// Follows all ways through the code. What is known where each block begins, if that is known where the first one does;
/// nothing of those to which no way leads.
pub(super) fn follow(function: &Function, first: Facts, step: impl Fn(usize, &mut Facts)) -> FxHashMap<usize, Facts> {
    let mut known: FxHashMap<usize, Facts> = FxHashMap::default();
    known.insert(0, first);
    let mut open = vec![0];
    while let Some(begin) = open.pop() {
        let mut facts = known[&begin].clone();
        let end = end_of_block(function, begin);
        (begin..=end).for_each(|pc| step(pc, &mut facts));
        for next in next_after(function, end).into_iter().filter(|&next| next < function.code.len()) {
            let has_changed = match known.get_mut(&next) {
                None => {
                    known.insert(next, facts.clone());
                    true
                }
                Some(before) => join(before, &facts),
            };
            if has_changed {
                open.push(next);
            }
        }
    }
    known
}

/// What is known behind the instruction, if that is known before it. `number`: where its result goes if it is a number
/// that is no address.
pub(super) fn step(function: &Function, pc: usize, facts: &mut Facts, number: impl Fn(Inst, &Facts) -> Option<Slot>) {
    let inst = function.code[pc];
    let new = match inst {
        Inst::Alloca { info, dst, .. } => {
            Some((dst, Fact { may: 1 << info, leads: Some((info, Some(0))), number: false }))
        }
        Inst::Copy { dst, a } => Some((dst, fact(facts, a))),
        _ => match address_from(inst) {
            Some((dst, base)) => {
                let Fact { may, leads, .. } = fact(facts, base);
                let by = match inst {
                    Inst::AddressOffset { offset, .. } => Some(offset as u64),
                    _ => None,
                };
                let moved = |offset: Option<u64>| Some(offset?.wrapping_add(by?));
                let leads = leads.map(|(variable, offset)| (variable, moved(offset)));
                Some((dst, Fact { may, leads, number: false }))
            }
            None => number(inst, facts).map(|dst| (dst, Fact { number: true, ..Fact::default() })),
        },
    };
    function.writes(pc, |slot, n| (slot.0..slot.0 + n).for_each(|slot| _ = facts.remove(&slot)));
    facts.extend(new.filter(|(_, fact)| *fact != Fact::default()).map(|(slot, fact)| (slot.0, fact)));
}

/// Where the result of the instruction goes, if that is a number which is no address, nor a part of one where the
/// search for leaks might find it put together again.
pub(super) fn number(program: &Program, inst: Inst, facts: &Facts) -> Option<Slot> {
    let whole = !program.allocates || !program.options.checks.contains(Kind::Leak);
    let is_less = |bits: u64| whole && bits < 8 * program.pointer_bytes;
    let is_number = |operand: Operand| fact(facts, operand).number;
    match inst {
        Inst::Mul(b) | Inst::UDiv(b) | Inst::SDiv(b) | Inst::URem(b) | Inst::SRem(b) => {
            (whole || is_number(b.a) && is_number(b.b)).then_some(b.dst)
        }
        Inst::Add(b)
        | Inst::Sub(b)
        | Inst::And(b)
        | Inst::Or(b)
        | Inst::Xor(b)
        | Inst::Shl(b)
        | Inst::LShr(b)
        | Inst::AShr(b) => (is_less(b.width.into()) || is_number(b.a) && is_number(b.b)).then_some(b.dst),
        Inst::Select { dst, a, b, .. } => (is_number(a) && is_number(b)).then_some(dst),
        Inst::ICmp { dst, .. } => Some(dst),
        Inst::Sext { from: bits, dst, a, .. } | Inst::Trunc { width: bits, dst, a, .. } => {
            (is_less(bits.into()) || is_number(a)).then_some(dst)
        }
        Inst::Load8 { dst, .. } => whole.then_some(dst),
        Inst::Load16 { dst, .. } => whole.then_some(dst),
        Inst::Load32 { dst, .. } => is_less(32).then_some(dst),
        Inst::LoadBits { bits, dst, .. } => is_less(bits.into()).then_some(dst),
        Inst::AtomicLoad { size, dst, .. } | Inst::AtomicRmw { size, dst, .. } => {
            is_less(8 * u64::from(size)).then_some(dst)
        }
        _ => None,
    }
}

impl Fact {
    /// What is still known if it is that one or this one.
    fn join(&mut self, other: Fact) {
        let leads = match (self.leads, other.leads) {
            (Some((one, offset)), Some((two, other))) if one == two => Some((one, offset.filter(|_| offset == other))),
            _ => None,
        };
        *self = Fact { may: self.may | other.may, leads, number: self.number && other.number };
    }
}

/// Leaves what is known on both ways. Whether that is less than before.
fn join(before: &mut Facts, other: &Facts) -> bool {
    let old = before.clone();
    for (slot, fact) in before.iter_mut() {
        fact.join(other.get(slot).copied().unwrap_or_default());
    }
    for (slot, fact) in other.iter().filter(|(slot, _)| !old.contains_key(slot)) {
        before.insert(*slot, Fact { may: fact.may, ..Fact::default() });
    }
    before.retain(|_, fact| *fact != Fact::default());
    *before != old
}

/// What is known of the operand.
pub(super) fn fact(facts: &Facts, operand: Operand) -> Fact {
    match operand.as_slot() {
        Some(slot) => facts.get(&slot.0).copied().unwrap_or_default(),
        None => Fact { number: true, ..Fact::default() },
    }
}

/// So many bytes from the first one on.
pub(super) fn mask(len: u64) -> u64 {
    if len >= MOST { u64::MAX } else { (1 << len) - 1 }
}
