//! A turn that is tried, on copies of the thread's frames.
use crate::library::hooks::Passing;
use crate::machine::Machine;
use crate::memory::{CodeAddress, ObjectKind};
use crate::value;
use crate::waiting::open::{Open, may_fail, operands, without_operands, written};
use crate::waiting::own::Own;
use crate::waiting::polling::{Polls, Section};
use crate::waiting::read::reads;
use crate::waiting::tally::{Passable, Tallied};
use crate::waiting::turn::{PlainRead, Turn};
use frontend::ir::{AddressUse, Bin, FuncId, Function, Inst, IntPredicate, Operand, Slot, flags};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};

/// Instructions between two accesses, at most: threads pause for longer and longer in loops of their own.
const LONGEST: usize = 1 << 13;

/// Where the addresses of objects, and of what stands for them, begin at the earliest.
const FIRST_PAGE: u64 = 1 << 12;

/// Frames, at most.
pub(super) const MOST_FRAMES: usize = 8;

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

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Value {
    Known(u64),
    /// Any number. The same one has the same name; see [`Open`].
    Unknown(u32),
    /// An address in a variable of a function that a walker has called: which one, and how far from its beginning. (No
    /// access finds one: see [`super::own`].) Or what is no address, and no number either.
    Own(u32, u64),
}

/// An address in a variable that is no more.
pub(super) const NOWHERE: Value = Value::Own(u32::MAX, 0);

/// A value that is undefined. It may be copied, no more.
pub(super) const UNDEFINED: Value = Value::Own(u32::MAX - 1, 0);

/// The frames that a turn is tried in.
#[derive(Clone)]
pub(super) struct Walker<'a> {
    pub(super) machine: &'a Machine,
    pub(super) frames: Vec<Frame>,
    /// What is read on the way without an action.
    pub(super) plain: &'a [PlainRead],
    /// What is known of unknown values, if there may be any.
    pub(super) open: Option<&'a RefCell<Open>>,
    /// Whether the thread goes on now, so that memory is as it is. Otherwise, when it comes to that.
    now: bool,
    /// What was computed on the way that may be an error, or of note, for some values: names of unknown ones.
    pub(super) risks: Vec<Value>,
    /// Values that it has decided by, or printed, which may never have been given.
    pub(super) depends: Vec<Value>,
    /// Whether what came of it depends on which objects are alive now.
    pub(super) looks_at_memory: bool,
    /// What is known of the mutex under which it polls, if it does.
    pub(super) polls: Option<Polls>,
    /// The variables that it has brought to life, and how many of functions that it has called there were.
    pub(super) own: Vec<Own>,
    pub(super) made: u32,
    /// Those that it has forgotten because what it has stored there is dead.
    pub(super) left: Vec<Own>,
    /// Which plain accesses of tallies it goes through, and those that it has gone through.
    pub(super) passes: Passable<'a>,
    pub(super) tallied: Vec<Tallied>,
    /// What it has made of what words hold in which it counts, where places are compared.
    pub(super) made_of_counts: Vec<(Tallied, Value)>,
    /// Whether what came of it depends on words at which nobody looks.
    pub(super) relies: Cell<bool>,
    /// What it has added to signed ones.
    pub(super) added: u64,
}

#[derive(Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) function: FuncId,
    pub(super) pc: u32,
    pub(super) slots: Vec<Value>,
}

/// What a slot of that frame holds that has bits without a value where the turn begins: it may be copied, no more.
fn undefined(frame: usize, (slot, all): (u32, bool)) -> Value {
    if all {
        return UNDEFINED;
    }
    Value::Unknown(u32::MAX - (slot * MOST_FRAMES as u32 + frame as u32))
}

/// Whether what the instruction does with addresses depends on the objects that there are.
fn is_of_addresses(inst: Inst) -> bool {
    matches!(inst, Inst::Address { .. } | Inst::AddressOffset { .. } | Inst::UseAddress { .. })
}

impl<'a> Walker<'a> {
    /// Where the turn begins. Slots that are not read again are 0.
    pub(super) fn new(machine: &'a Machine, turn: &'a Turn) -> Self {
        let frames = turn.frames.iter().enumerate().map(|(index, place)| {
            let slots = machine.program.module.functions[place.function.index()].frame_slots;
            let mut slots = vec![Value::Known(0); (slots + place.confined) as usize];
            place.live.iter().for_each(|&(slot, value)| slots[slot as usize] = Value::Known(value));
            place.undefined.iter().for_each(|&slot| slots[slot.0 as usize] = undefined(index, slot));
            Frame { function: place.function, pc: place.pc, slots }
        });
        let passes = Passable::Shown(&turn.tallied[0]);
        Walker { passes, ..Walker::at(machine, frames.collect(), &turn.plain) }
    }

    /// With these frames, where everything is known.
    fn at(machine: &'a Machine, frames: Vec<Frame>, plain: &'a [PlainRead]) -> Self {
        Walker {
            machine,
            frames,
            plain,
            open: None,
            now: true,
            risks: Vec::new(),
            depends: Vec::new(),
            looks_at_memory: false,
            polls: None,
            own: Vec::new(),
            made: 0,
            left: Vec::new(),
            passes: Passable::All,
            tallied: Vec::new(),
            made_of_counts: Vec::new(),
            relies: Cell::new(false),
            added: 0,
        }
    }

    /// The same for a turn that the thread has taken: it goes on to the access behind it.
    pub(super) fn behind(machine: &'a Machine, turn: &'a Turn) -> Self {
        Walker { plain: &turn.passed, passes: Passable::Shown(&turn.tallied[1]), ..Walker::new(machine, turn) }
    }

    /// One with these frames, of whose values some are unknown.
    pub(super) fn with_unknowns(machine: &'a Machine, frames: Vec<Frame>, open: &'a RefCell<Open>) -> Self {
        Walker { open: Some(open), now: false, ..Walker::at(machine, frames, &[]) }
    }

    /// One that stands where the turn begins, and goes on whatever it reads.
    pub(super) fn reading_anything(machine: &'a Machine, turn: &'a Turn, open: &'a RefCell<Open>) -> Self {
        Walker { plain: &[], open: Some(open), passes: Passable::Quiet, ..Walker::new(machine, turn) }
    }

    /// Whether it stands where that turn begins, and everything is as it is there.
    pub(super) fn is_at(&self, turn: &Turn) -> bool {
        !self.has_own()
            && self.frames.len() == turn.frames.len()
            && self.frames.iter().zip(&turn.frames).enumerate().all(|(index, (frame, place))| {
                (frame.function, frame.pc) == (place.function, place.pc)
                    && place
                        .live
                        .iter()
                        .all(|&(slot, value)| frame.slots.get(slot as usize) == Some(&Value::Known(value)))
                    && place.undefined.iter().all(|&slot| frame.slots[slot.0 as usize] == undefined(index, slot))
            })
    }

    /// Whether all its frames are the same, and its own variables.
    pub(super) fn is_as(&self, other: &Walker<'_>) -> bool {
        self.frames == other.frames && self.own == other.own
    }

    /// Goes on to the next access.
    pub(super) fn go_on(&mut self) -> Stop {
        for _ in 0..LONGEST {
            if self.open.is_some_and(|open| open.borrow_mut().is_spent()) {
                break;
            }
            if self.go_through_delay().is_some() {
                continue;
            }
            let next = self.function().code.get(self.pc() as usize);
            let about_variables = |&inst: &Inst| {
                let done = self.go_through_own(inst).or_else(|| self.go_through_confined(inst));
                done.or_else(|| self.go_through_tally().map(Some))
            };
            if let Some(done) = next.and_then(about_variables) {
                match done {
                    Some(()) => continue,
                    None => return Stop::Leaves,
                }
            }
            match next.and_then(|&inst| self.go_through_section(inst)) {
                Some(Section::Passed) => continue,
                Some(Section::Comes) => return self.come_to_access(),
                Some(Section::Leaves) => return Stop::Leaves,
                None => {}
            }
            if next.is_some_and(|&inst| self.go_through_unwritten(inst).is_some()) {
                continue;
            }
            match next {
                Some(&inst) if reads(inst) => match self.read_before() {
                    Some(read) => {
                        self.finish_access(Value::Known(read)).expect("a load ends with what it reads");
                    }
                    None => return self.come_to_access(),
                },
                Some(&inst) if self.machine.tries(inst) => return self.come_to_access(),
                Some(_) if self.slept().is_some_and(|words| !self.knows(words)) => return self.come_to_access(),
                _ if self.assumed() == Some(Value::Known(0)) => return Stop::Fails,
                _ if self.step().is_none() => return Stop::Leaves,
                _ => {}
            }
        }
        Stop::Leaves
    }

    /// It stands before an access. (Addresses in variables that are no more are all the same, and lead nowhere.)
    fn come_to_access(&mut self) -> Stop {
        self.forget_dead_scratch();
        if self.made > 0 && !self.has_own() {
            let slots = self.frames.iter_mut().flat_map(|frame| &mut frame.slots);
            let is_own = |slot: &&mut Value| matches!(slot, Value::Own(..)) && **slot != UNDEFINED;
            slots.filter(is_own).for_each(|slot| *slot = NOWHERE);
            self.made = 0;
        }
        Stop::Access
    }

    /// Goes through the access before which it stands, which reads this and changes nothing, or through a call that
    /// returns it. `None`: it cannot.
    pub(super) fn finish_access(&mut self, read: Value) -> Option<()> {
        match self.function().code[self.pc() as usize] {
            Inst::AtomicLoad { dst, .. } | Inst::AtomicRmw { dst, .. } => self.set(dst, read),
            Inst::CompareExchange { dst, .. } => {
                self.set(dst, read);
                self.set(Slot(dst.0 + 1), Value::Known(0));
            }
            Inst::Load8 { dst, .. }
            | Inst::Load16 { dst, .. }
            | Inst::Load32 { dst, .. }
            | Inst::Load64 { dst, .. }
            | Inst::LoadIndexed { dst, .. } => self.set(dst, read),
            Inst::LoadBits { bits, dst, .. } => match read {
                Value::Known(read) => self.set(dst, Value::Known(value::truncate(bits, read))),
                Value::Unknown(_) | Value::Own(..) => self.set(dst, read),
            },
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

    /// Goes through an exchange that succeeds.
    pub(super) fn finish_exchange(&mut self) -> Option<()> {
        let Inst::CompareExchange { dst, expected, .. } = self.function().code[self.pc() as usize] else { return None };
        self.set(dst, self.get(expected));
        self.set(Slot(dst.0 + 1), Value::Known(1));
        self.top_mut().pc += 1;
        Some(())
    }

    pub(super) fn top(&self) -> &Frame {
        self.frames.last().expect("there is a frame")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is a frame")
    }

    pub(super) fn function(&self) -> &'a Function {
        &self.machine.program.module.functions[self.top().function.index()]
    }

    pub(super) fn pc(&self) -> u32 {
        self.top().pc
    }

    pub(super) fn get(&self, operand: Operand) -> Value {
        match operand.as_slot() {
            Some(slot) => self.top().slots[slot.index()],
            None => {
                let constant = operand.as_constant().expect("an operand is a slot or a constant");
                Value::Known(self.machine.program.constants[constant as usize])
            }
        }
    }

    /// The same if it is known.
    pub(super) fn known(&self, operand: Operand) -> Option<u64> {
        match self.get(operand) {
            Value::Known(value) => Some(value),
            Value::Unknown(_) | Value::Own(..) => None,
        }
    }

    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        self.top_mut().slots[slot.index()] = value;
    }

    /// Goes through an instruction that comes to this.
    pub(super) fn finish(&mut self, dst: Slot, value: Value) {
        self.set(dst, value);
        self.pass();
    }

    /// Control goes on there, in the function on top.
    pub(super) fn go_to(&mut self, pc: u32) {
        self.top_mut().pc = pc;
    }

    /// Goes through an instruction that computes nothing.
    pub(super) fn pass(&mut self) {
        self.top_mut().pc += 1;
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
        let inst = *self.function().code.get(pc as usize)?;
        let (dst, result) = match inst {
            Inst::Nop => return Some(pc + 1),
            // (A fence only lets the thread know more, or others know more of what it does later. But what does so in
            // one turn has to do so in another one that is to be alike.)
            Inst::Fence { compiler_only, .. } => {
                if let Some(open) = self.open.filter(|_| !compiler_only) {
                    self.risks.push(open.borrow_mut().name(inst, [Value::Known(0); 3]));
                }
                return Some(pc + 1);
            }
            // (What a use of addresses tells is noted when it happens.)
            Inst::UseAddress { .. } if self.is_open(inst) => {
                let risk = self.name(inst)?;
                self.risks.push(risk);
                return Some(pc + 1);
            }
            Inst::UseAddress { what, a, b } => {
                self.look_at_objects(inst);
                let matters = machine.state.memory.may_matter(what, self.known(a)?, self.known(b)?);
                return (!matters).then_some(pc + 1);
            }
            Inst::Call { site, callee } => match machine.passing(callee) {
                Some(passing @ (Passing::Idles | Passing::Sleeps(_))) => {
                    if passing != Passing::Idles && !self.slept().is_some_and(|words| self.knows(words)) {
                        return None;
                    }
                    let site = &self.function().calls[site as usize];
                    if let Some(dst) = site.dst {
                        (0..site.result_slots).for_each(|i| self.set(Slot(dst.0 + i), Value::Known(0)));
                    }
                    return Some(pc + 1);
                }
                Some(Passing::Assumes) if matches!(self.assumed(), Some(Value::Known(_))) => return Some(pc + 1),
                None if self.go_through_print().is_some() => return Some(pc + 1),
                _ => return self.enter(site, callee),
            },
            Inst::CallIndirect { site, callee } => match machine.state.memory.code_at(self.known(callee)?)? {
                CodeAddress::Function(callee) => return self.enter(site, callee),
                CodeAddress::Label(..) => return None,
            },
            Inst::Return { n, value } => return self.leave(n, value),
            Inst::Jump { target } => return Some(target.0),
            Inst::Branch { condition, then, otherwise } => {
                return Some(if self.decide(self.get(condition))? { then.0 } else { otherwise.0 });
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                let condition = self.result(Inst::ICmp { predicate, width, dst: Slot(0), a, b })?;
                return Some(if self.decide(condition)? { then.0 } else { otherwise.0 });
            }
            Inst::Switch { table, value, .. } => {
                let (table, value) = (&self.function().switches[table as usize], self.get(value));
                for &(case, target) in &table.cases {
                    if self.is_case(value, case)? {
                        return Some(target.0);
                    }
                }
                return Some(table.default.0);
            }
            Inst::Copy { dst, a } => (dst, self.get(a)),
            Inst::Undef { dst } => (dst, UNDEFINED),
            Inst::Select { dst, c, a, b } => {
                let chosen = if self.decide(self.get(c))? { a } else { b };
                (dst, self.get(chosen))
            }
            _ => (written(inst)?, self.result(inst)?),
        };
        self.set(dst, result);
        Some(pc + 1)
    }

    /// What an instruction that computes something comes to.
    fn result(&mut self, inst: Inst) -> Option<Value> {
        if !self.is_open(inst) {
            self.look_at_objects(inst);
            return self.computed(inst).map(Value::Known);
        }
        let (name, values) = (self.name(inst)?, self.values(inst));
        let counts = || self.open.is_some_and(|open| open.borrow_mut().counts(without_operands(inst), values, name));
        if is_of_addresses(inst) || may_fail(self.checked(inst), values) && !counts() {
            self.risks.push(name);
        }
        Some(name)
    }

    /// Notes whether what the instruction, of which all operands are known, comes to is another matter when other
    /// objects are alive. (Global variables always are, and nothing ever lies in the first page.)
    fn look_at_objects(&mut self, inst: Inst) {
        if !is_of_addresses(inst) || self.looks_at_memory || self.is_certain(inst) {
            return;
        }
        let objects = &self.machine.state.memory;
        let is_global = |address| {
            objects.object_at(address).is_some_and(|object| matches!(object.kind, ObjectKind::Global(_)) && object.live)
        };
        let stays = |address| address < FIRST_PAGE || is_global(address);
        let addresses = match inst {
            Inst::Address { base, .. } | Inst::AddressOffset { base, .. } => [Some(base), None, None],
            inst => operands(inst),
        };
        let mut known = addresses.into_iter().flatten().filter_map(|operand| self.known(operand));
        let reads = matches!(inst, Inst::UseAddress { what: AddressUse::Bytes, .. });
        self.looks_at_memory = reads || !known.all(stays);
    }

    /// Whether it is not known what the instruction comes to. (Where an address leads is a matter of what is alive
    /// then.)
    fn is_open(&self, inst: Inst) -> bool {
        let is_later = !self.now && is_of_addresses(inst) && !self.is_certain(inst);
        let is_known = |operand| self.known(operand).is_some();
        self.open.is_some() && (is_later || !operands(inst).into_iter().flatten().all(is_known))
    }

    /// Whether a switch goes on with that case; `None` if it is to be asked for first.
    fn is_case(&mut self, value: Value, case: u64) -> Option<bool> {
        match value {
            Value::Known(value) => return Some(value == case),
            Value::Own(..) => return None,
            Value::Unknown(_) => {}
        }
        let nothing = Operand(0);
        let compares = Inst::ICmp { predicate: IntPredicate::Eq, width: 64, dst: Slot(0), a: nothing, b: nothing };
        let name = self.open?.borrow_mut().name(compares, [value, Value::Known(case), Value::Known(0)]);
        self.decide(name)
    }

    /// The instruction without what it says of overflows, if these are not looked for.
    fn checked(&self, inst: Inst) -> Inst {
        let without = |b: Bin| Bin { flags: b.flags & !(flags::NSW & !self.machine.program.checked_flags), ..b };
        match inst {
            Inst::Add(b) => Inst::Add(without(b)),
            Inst::Sub(b) => Inst::Sub(without(b)),
            Inst::Mul(b) => Inst::Mul(without(b)),
            inst => inst,
        }
    }

    /// The name of what an instruction makes of its operands. (Addresses in variables that functions have in a turn are
    /// others in another turn, so that there is none of what is made of one.)
    fn name(&self, inst: Inst) -> Option<Value> {
        let values = self.values(inst);
        let is_own = |value: &Value| matches!(value, Value::Own(..));
        if values.iter().any(is_own) {
            None
        } else {
            Some(self.open?.borrow_mut().name(without_operands(inst), values))
        }
    }

    /// The operands of an instruction that computes something, or accesses memory.
    pub(super) fn values(&self, inst: Inst) -> [Value; 3] {
        operands(inst).map(|operand| operand.map_or(Value::Known(0), |operand| self.get(operand)))
    }
}
