//! Spin loops as waits.
//!
//! A thread may read a place and, if it does not find the value that it looks for, come back to the same read in the
//! same state. Such a thread waits for another value. With [`Awaits::Wait`] it is blocked until then: the turns of its
//! loop are not explored, because each of them leaves everything as it was. These effects of a turn remain to be
//! considered:
//!
//! * Its access may race. So the thread makes it once, for the race detector only, when it comes to stand there:
//!   nothing of the thread is ordered before another's action after that, and so every race of a later turn shows here.
//!   But more may race here than does, for this access learns nothing from the thread that wrote the value. So a
//!   variable that races here is no longer waited for, and the exploration starts again.
//! * It learns what the writer of that value had done before. Knowing less, it can only race more often, and it does
//!   not act on that knowledge before it reads another value.
//! * An exchange or an update writes what was there. No thread sees more by that than the first write had to show.
//! * It finds memory that was never given a value, which is a fault. Where that is seen, no loop counts as waiting any
//!   more and the exploration starts again.
//!
//! Variables of the program are there as long as it runs, so that no turn finds them gone. A block, or a variable of a
//! function, may come to its end while a thread waits for it, and the next turn would be a fault. That end writes every
//! byte, and nothing orders it after the thread's read, so that the two race: as above, the object is no longer waited
//! for, and the exploration starts again. Where that end is an action of its own, or races are not looked for, such an
//! object is not waited for at all.
//!
//! A thread that reads a place and fails an assumption because of what it finds there could as well never have read:
//! all that others do then they can do before. With [`Awaits::Assume`] it waits for another value, in the same way. If
//! it still waits at the end of an execution, the execution does not count, as if the assumption had failed.
//!
//! With observers, the order of two writes matters to a thread that the last one blocks. So a variable that a thread
//! waits for is never written blindly: [`Machine::is_awaited`].
pub(crate) mod circle;
mod decide_circle;

use crate::library::hooks::Passing;
use crate::machine::{Callee, Machine};
use crate::memory::{Mode, ObjectKind};
use crate::operation::Operation;
use crate::operation::atomic;
use crate::options::Awaits;
use crate::race::RaceLocation;
use crate::step::Halt;
use crate::sync::footprint::{accessed, whole_access};
use crate::sync::variants::gather;
use crate::thread::{NO_OBJECT, Pending, Resume};
use crate::value;
use frontend::ir::{Bin, FuncId, Function, Inst, Liveness, Operand, OverflowOp, Slot, WideOp, flags};
use por::ThreadId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Instructions of a turn, at most.
const LONGEST: usize = 1000;

/// Index into [`Turns`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TurnId(u32);

impl TurnId {
    /// The access is not one of a loop that may wait.
    pub(crate) const NONE: TurnId = TurnId(u32::MAX);
}

/// Why a thread goes no further with the value that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// The thread only comes back to where it stands.
    Spins,
    /// The thread fails an assumption.
    Fails,
}

/// A thread before an access in a loop, or before an assumption: all that decides where that leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Turn {
    function: FuncId,
    pc: u32,
    /// The slots that are read again, with their values.
    live: Box<[(u32, u64)]>,
}

/// The turns met so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Turns {
    numbers: FxHashMap<Arc<Turn>, TurnId>,
    list: Vec<Arc<Turn>>,
    /// By access: the slots that are read again, if it lies in a loop that does nothing else of note, or if nothing
    /// else of note is done before an assumption.
    loops: FxHashMap<(FuncId, u32), Option<Arc<[u32]>>>,
}

impl Machine {
    /// The turn that begins with an operation before which the current thread comes to stand.
    pub(crate) fn turn(&mut self, pending: &Pending) -> Result<TurnId, Halt> {
        let may_wait = match pending.operation {
            Operation::AtomicLoad { .. } => true,
            Operation::CompareExchange { undefined, .. } => undefined == [[0; 2]; 2],
            Operation::AtomicRmw { unused, undefined, .. } => !unused && undefined == [0; 2],
            Operation::Load { .. } => matches!(pending.resume, Resume::Access),
            _ => false,
        };
        let Some((address, size)) = accessed(&pending.operation).filter(|&(_, size)| may_wait && size <= 8) else {
            return Ok(TurnId::NONE);
        };
        // (What is not a part of the action has no word that says what was there at other times.)
        let is_whole = pending.bytes == whole_access(address, size);
        // (What an atomic block has changed no word says either.)
        if !is_whole || self.program.block_object.is_some() || self.learned.waits_for_nothing {
            return Ok(TurnId::NONE);
        }
        let object = self.state.memory.object_at(address).filter(|object| object.live);
        let Some(object) = object.filter(|object| address - object.base + u64::from(size) <= object.size) else {
            return Ok(TurnId::NONE);
        };
        let waits = match object.kind {
            ObjectKind::Global(_) => true,
            // (Its end is seen to race with the read, but not if it is an action.)
            ObjectKind::Heap | ObjectKind::Stack(..) => pending.life == NO_OBJECT && self.looks_for_races(),
            _ => false,
        };
        let awaited = (object.kind, object.allocated.stack);
        if !waits || self.learned.racing.contains(&awaited) {
            return Ok(TurnId::NONE);
        }
        let top = self.thread(self.segment.current).top();
        let (function, pc, first) = (top.function, top.pc, top.base);
        let Some(live) = self.slots_of_turn(function, pc) else { return Ok(TurnId::NONE) };
        // (A turn is known by values, which these have to have. The other slots do not count.)
        let thread = self.thread(self.segment.current);
        if thread.tracks() && live.iter().any(|&slot| thread.shadows[(first + slot) as usize] != 0) {
            return Ok(TurnId::NONE);
        }

        if self.learned.awaited.insert(awaited) {
            self.segment.restart |= self.exploration.effects;
        }
        let mode = if matches!(pending.operation, Operation::Load { .. }) { Mode::Visible } else { Mode::Atomic };
        let origin = self.origin(mode);
        let there = self.state.memory.load(&origin, address, size.into())?;
        if there.unwritten != 0 {
            self.wait_for_nothing();
            return Ok(TurnId::NONE);
        }
        if matches!(pending.operation, Operation::AtomicRmw { .. }) {
            // It writes what was there.
            self.state.memory.store(&origin, address, size.into(), there.value)?;
        }
        let regs = &self.thread(self.segment.current).regs;
        let live = live.iter().map(|&slot| (slot, regs[(first + slot) as usize])).collect();
        Ok(self.lifelong.turns.number(Turn { function, pc, live }))
    }

    /// Memory that was never given a value has been met where loops look: from now on none of them counts as waiting.
    pub(crate) fn wait_for_nothing(&mut self) {
        if self.exploration.awaits != Awaits::Run && !self.learned.waits_for_nothing {
            self.learned.waits_for_nothing = true;
            self.segment.restart = true;
        }
    }

    /// Something races. Returns whether that is an object that a thread waits for: none does from now on, and the
    /// exploration starts again.
    pub(crate) fn stop_waiting_for(&mut self, place: &RaceLocation) -> bool {
        let object = (place.kind, place.allocated);
        let doubtful = self.learned.awaited.contains(&object) && self.learned.racing.insert(object);
        self.segment.restart |= doubtful;
        doubtful
    }

    /// Whether a thread may wait for the object at the address.
    pub(crate) fn is_awaited(&self, address: u64) -> bool {
        let object = self.state.memory.object_at(address).filter(|_| !self.learned.awaited.is_empty());
        object.is_some_and(|object| self.learned.awaited.contains(&(object.kind, object.allocated.stack)))
    }

    /// Why the thread goes no further if what it accesses has these words; `None` if it does.
    pub(crate) fn waits(&self, pending: &Pending, words: &[u64]) -> Option<Wait> {
        let turn = self.lifelong.turns.list.get(pending.turn.0 as usize)?;
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
        if changes { None } else { self.leads_nowhere(turn, value as u64) }
    }

    /// Why a thread that can move otherwise stays where it is; `None` if it does not.
    pub(crate) fn why_it_waits(&self, thread: ThreadId) -> Option<Wait> {
        let pending = self.thread(thread).header.pending.as_ref().filter(|pending| pending.turn != TurnId::NONE)?;
        let footprint = self.footprint_of(thread, pending);
        let words: Vec<u64> = footprint.iter().map(|access| self.word_of(access.object)).collect();
        self.waits(pending, &words)
    }

    /// Whether the turn leads back to where it begins, and everything is as it was then, or to an assumption that
    /// fails, if this value is read.
    fn leads_nowhere(&self, turn: &Turn, read: u64) -> Option<Wait> {
        let function = &self.program.module.functions[turn.function.index()];
        let mut slots = vec![0; function.frame_slots as usize];
        for &(slot, value) in &turn.live {
            slots[slot as usize] = value;
        }
        let mut registers = Registers { machine: self, function, slots };
        let mut pc = registers.finish_access(turn.pc, read);
        for _ in 0..LONGEST {
            let next = pc?;
            if next == turn.pc {
                let is_as_before = |&(slot, value): &(u32, u64)| registers.slots[slot as usize] == value;
                return turn.live.iter().all(is_as_before).then_some(Wait::Spins);
            }
            if registers.assumed(next) == Some(0) {
                return Some(Wait::Fails);
            }
            pc = registers.step(next);
        }
        None
    }

    /// The slots that are read again after the start of a turn that an access begins; `None` if it begins none.
    fn slots_of_turn(&mut self, function: FuncId, pc: u32) -> Option<Arc<[u32]>> {
        if let Some(known) = self.lifelong.turns.loops.get(&(function, pc)) {
            return known.clone();
        }
        let code = &self.program.module.functions[function.index()];
        let slots = self.is_turn(code, pc).then(|| {
            let live = Liveness::new(code).before(code, pc);
            live.iter().map(|slot| slot as u32).collect()
        });
        self.lifelong.turns.loops.insert((function, pc), slots.clone());
        slots
    }

    /// Whether some way leads from the access back to it, or to an assumption, by instructions that [`Registers::step`]
    /// knows.
    fn is_turn(&self, function: &Function, access: u32) -> bool {
        let mut seen = vec![false; function.code.len()];
        let mut open = vec![access + 1];
        while let Some(pc) = open.pop() {
            if pc == access {
                return true;
            }
            let Some(inst) = function.code.get(pc as usize) else { continue };
            if std::mem::replace(&mut seen[pc as usize], true) {
                continue;
            }
            match *inst {
                Inst::Jump { .. } | Inst::Branch { .. } | Inst::BranchICmp { .. } | Inst::Switch { .. } => {
                    open.extend(function.targets(pc as usize, &[]).iter().map(|target| target.0));
                }
                Inst::Call { callee, .. } => match self.passing(callee) {
                    Some(Passing::Assumes) => return true,
                    Some(Passing::Idles) => open.push(pc + 1),
                    None => {}
                },
                inst if only_computes(inst) => open.push(pc + 1),
                _ => {}
            }
        }
        false
    }

    /// How calls of the function are passed over; `None` if they do something.
    fn passing(&self, callee: FuncId) -> Option<Passing> {
        let is_model = matches!(self.program.callees[callee.index()], Callee::Model(_));
        self.program.passing[callee.index()]
            .filter(|&passing| is_model && (passing == Passing::Idles || self.exploration.awaits == Awaits::Assume))
    }
}

impl Turns {
    /// Those met so far, in the order of their numbers.
    pub(crate) fn met(&self) -> Vec<Turn> {
        self.list.iter().map(|turn| Turn::clone(turn)).collect()
    }

    /// Takes over what was met before.
    pub(crate) fn take_over(&mut self, met: Vec<Turn>) {
        for turn in met {
            self.number(turn);
        }
    }

    fn number(&mut self, turn: Turn) -> TurnId {
        if let Some(&known) = self.numbers.get(&turn) {
            return known;
        }
        let (number, turn) = (TurnId(self.list.len() as u32), Arc::new(turn));
        self.list.push(Arc::clone(&turn));
        self.numbers.insert(turn, number);
        number
    }
}

/// Whether the instruction only computes on registers. It may be an error for some values only.
fn only_computes(inst: Inst) -> bool {
    matches!(
        inst,
        Inst::Add(_)
            | Inst::Sub(_)
            | Inst::And(_)
            | Inst::Or(_)
            | Inst::Xor(_)
            | Inst::Mul(_)
            | Inst::UDiv(_)
            | Inst::SDiv(_)
            | Inst::URem(_)
            | Inst::SRem(_)
            | Inst::Shl(_)
            | Inst::LShr(_)
            | Inst::AShr(_)
            | Inst::ICmp { .. }
            | Inst::Trunc { .. }
            | Inst::Sext { .. }
            | Inst::Copy { .. }
            | Inst::Select { .. }
            | Inst::Address { .. }
            | Inst::AddressOffset { .. }
            | Inst::UseAddress { .. }
            | Inst::Nop
    )
}

/// A frame that a turn is tried in.
struct Registers<'a> {
    machine: &'a Machine,
    function: &'a Function,
    slots: Vec<u64>,
}

impl Registers<'_> {
    fn get(&self, operand: Operand) -> u64 {
        match operand.as_slot() {
            Some(slot) => self.slots[slot.index()],
            None => {
                self.machine.program.constants
                    [operand.as_constant().expect("an operand is a slot or a constant") as usize]
            }
        }
    }

    fn set(&mut self, slot: Slot, value: u64) {
        self.slots[slot.index()] = value;
    }

    /// Puts what the access reads, which changes nothing, and says where control goes on.
    fn finish_access(&mut self, pc: u32, read: u64) -> Option<u32> {
        match self.function.code[pc as usize] {
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
            _ => return None,
        }
        Some(pc + 1)
    }

    /// Executes an instruction and says where control goes on; `None` if it does more than compute.
    fn step(&mut self, pc: u32) -> Option<u32> {
        let machine = self.machine;
        let wide = |op, b: Bin, x, y| value::wide(op, b.width, x, y).ok().map(|result| result as u64);
        let (dst, result) = match *self.function.code.get(pc as usize)? {
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
            Inst::UseAddress { .. } | Inst::Nop => return Some(pc + 1),
            Inst::Call { site, callee } if machine.passing(callee) == Some(Passing::Idles) => {
                let site = &self.function.calls[site as usize];
                if let Some(dst) = site.dst {
                    (0..site.result_slots).for_each(|i| self.set(Slot(dst.0 + i), 0));
                }
                return Some(pc + 1);
            }
            Inst::Call { .. } if self.assumed(pc).is_some() => return Some(pc + 1),
            Inst::Jump { target } => return Some(target.0),
            Inst::Branch { condition, then, otherwise } => {
                return Some(if self.get(condition) & 1 != 0 { then.0 } else { otherwise.0 });
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                let holds = value::compare(predicate, width, self.get(a), self.get(b));
                return Some(if holds { then.0 } else { otherwise.0 });
            }
            Inst::Switch { table, value, .. } => {
                let (table, value) = (&self.function.switches[table as usize], self.get(value));
                let case = table.cases.iter().find(|(case, _)| *case == value);
                return Some(case.map_or(table.default, |(_, target)| *target).0);
            }
            _ => return None,
        };
        self.set(dst, result);
        Some(pc + 1)
    }

    /// The value that is assumed not to be 0 there.
    fn assumed(&self, pc: u32) -> Option<u64> {
        let Inst::Call { site, callee } = *self.function.code.get(pc as usize)? else { return None };
        let site = &self.function.calls[site as usize];
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
