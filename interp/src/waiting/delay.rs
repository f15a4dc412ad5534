//! Loops in which nothing is done but to let time pass: `for (int i = 0; i < pause; i++) cpu_relax();`.
//!
//! **A delay** is a loop of the code that counts up or down by one until a number is reached, and does nothing else but
//! what lets others run. It comes to an end, whatever the numbers are: it goes on only as long as the counter is less
//! (or more) than a number that stays as it is, or is another one than that. So a walker that comes to where it is
//! decided whether the loop goes on takes all turns that are left in one step, also where it does not know how many
//! that are, as with random delays. What the counter is behind them follows from what it was before, and from the
//! number.
//!
//! Nothing in it may fail. A signed counter does not overflow, for it is less (or more) than another number whenever it
//! counts on.
use crate::library::hooks::Passing;
use crate::machine::{Callee, Program};
use crate::value;
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{Bin, FuncId, Function, Inst, IntPredicate, Liveness, Operand, Slot, flags};
use rustc_hash::FxHashMap;

/// The delays of one function, by the instructions that decide whether they go on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Delays(FxHashMap<u32, Delay>);

#[derive(Clone, Copy, Debug)]
struct Delay {
    /// It goes on as long as the counter is that to the number.
    goes_on: IntPredicate,
    width: u8,
    counter: Slot,
    number: Operand,
    /// Where control goes behind it.
    exit: u32,
}

impl Delays {
    /// Finds the delays of a function.
    pub(crate) fn new(program: &Program, id: FuncId) -> Delays {
        let function = &program.module.functions[id.index()];
        // (Where labels have addresses, it is not known here from where a loop is entered.)
        if function.code.iter().any(|inst| matches!(inst, Inst::IndirectJump { .. })) {
            return Delays::default();
        }
        let mut all = FxHashMap::default();
        let mut live = None;
        for (last, _) in function.code.iter().enumerate().filter(|(_, inst)| inst.is_terminator()) {
            for first in function.targets(last, &[]).iter().map(|target| target.index()).filter(|&first| first <= last)
            {
                let turn = Turn::new(function, first, last);
                let found =
                    turn.and_then(|turn| Some((turn.decides as u32, turn.delay(program, function, &mut live)?)));
                all.extend(found);
            }
        }
        Delays(all)
    }
}

/// One turn of a loop in which control goes one way.
struct Turn {
    /// The instruction that decides whether it goes on, and where control goes otherwise.
    decides: usize,
    exit: usize,
    /// The instructions of the turn in front of that one, the first of which is the only one at which control comes
    /// in; and those behind it.
    before: Vec<usize>,
    behind: Vec<usize>,
}

/// What a slot holds in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    /// What that slot held where it was decided that the loop goes on, and what was added to it.
    Moved(Slot, i64),
    /// The same in each turn.
    Fixed,
    Other,
}

impl Turn {
    /// The turn of the loop that lies between these instructions, of which the last one jumps back to the first one.
    fn new(function: &Function, first: usize, last: usize) -> Option<Turn> {
        let is_inside = |pc: usize| (first..=last).contains(&pc);
        let targets = |pc: usize| function.targets(pc, &[]).into_iter().map(|target| target.index());
        let terminators = (0..function.code.len()).filter(|&pc| function.code[pc].is_terminator());
        let mut from_outside = terminators.filter(|&pc| !is_inside(pc)).flat_map(targets);
        if from_outside.any(|pc| is_inside(pc) && pc != first) {
            return None;
        }
        let (mut before, mut behind, mut decides) = (Vec::new(), Vec::new(), None);
        let mut pc = first;
        // (Control goes one way, so it comes back to the first instruction or leaves.)
        for _ in first..=last {
            let next = match function.code[pc] {
                Inst::BranchICmp { then, otherwise, .. } if decides.is_none() => {
                    let [then, otherwise] = [then, otherwise].map(|target| target.index());
                    let (stays, leaves) = if is_inside(then) { (then, otherwise) } else { (otherwise, then) };
                    decides = Some((pc, leaves));
                    (is_inside(stays) && !is_inside(leaves)).then_some(stays)?
                }
                Inst::Jump { target } => target.index(),
                inst if inst.is_terminator() => return None,
                _ => {
                    if decides.is_some() { &mut behind } else { &mut before }.push(pc);
                    pc + 1
                }
            };
            if next == first {
                let (decides, exit) = decides?;
                return Some(Turn { decides, exit, before, behind });
            }
            pc = next;
            if !is_inside(pc) {
                return None;
            }
        }
        None
    }

    /// What the loop is, if it is a delay.
    fn delay(&self, program: &Program, function: &Function, live: &mut Option<Liveness>) -> Option<Delay> {
        let Inst::BranchICmp { predicate, width, a, b, then, .. } = function.code[self.decides] else { return None };
        let predicate = if then.index() == self.exit { negated(predicate)? } else { predicate };
        let holds = self.holds(program, function)?;
        let counts = |operand: Operand| {
            let slot = operand.as_slot()?;
            match holds.get(&slot.0) {
                Some(&Holds::Moved(of, by)) if of == slot => Some((slot, by)),
                _ => None,
            }
        };
        // (What is the same in each turn has to be so in the first one as well.)
        let stays = |slot: Slot, held: Holds| held == Holds::Fixed && !self.writes(function, slot);
        let is_fixed = |operand: Operand| match operand.as_slot() {
            Some(slot) => holds.get(&slot.0).is_none_or(|&held| stays(slot, held)),
            None => true,
        };
        let (goes_on, (counter, step), number) = match (counts(a), counts(b)) {
            (Some(counter), None) if is_fixed(b) => (predicate, counter, b),
            (None, Some(counter)) if is_fixed(a) => (swapped(predicate), counter, a),
            _ => return None,
        };
        let (comes_to_an_end, is_signed) = match goes_on {
            IntPredicate::Slt | IntPredicate::Sgt => (step == if goes_on == IntPredicate::Slt { 1 } else { -1 }, true),
            IntPredicate::Ult => (step == 1, false),
            IntPredicate::Ugt => (step == -1, false),
            IntPredicate::Ne => (step.abs() == 1, false),
            _ => (false, false),
        };
        // (What may overflow has to be the counter, which has room where it was decided that it counts on.)
        let all = || self.behind.iter().chain(&self.before).map(|&pc| function.code[pc]);
        let counts = |inst: &Inst| matches!(inst, Inst::Add(bin) | Inst::Sub(bin) if bin.dst == counter);
        let counts_safely = all().filter(counts).count() == 1
            && all().all(|inst| match inst {
                Inst::Add(bin) | Inst::Sub(bin) => {
                    bin.width == width
                        && (!is_checked(program, bin)
                            || is_signed && bin.dst == counter && bin.a.as_slot() == Some(counter))
                }
                _ => true,
            });
        let live = live.get_or_insert_with(|| Liveness::new(function)).before(function, self.exit as u32);
        let changes = holds.iter().filter(|&(&slot, &held)| slot != counter.0 && !stays(Slot(slot), held));
        let is_read = changes.into_iter().any(|(&slot, _)| live.contains(slot as usize));
        let exit = self.exit as u32;
        (comes_to_an_end && counts_safely && !is_read).then_some(Delay { goes_on, width, counter, number, exit })
    }

    /// Whether the slot is written behind the decision.
    fn writes(&self, function: &Function, slot: Slot) -> bool {
        let mut writes = false;
        for &pc in &self.behind {
            function.writes(pc, |first, n| writes |= (first.0..first.0 + n).contains(&slot.0));
        }
        writes
    }

    /// What the slots that are written in a turn hold at its end, where it is decided again; `None` if something else
    /// is done in it.
    fn holds(&self, program: &Program, function: &Function) -> Option<FxHashMap<u32, Holds>> {
        let turn = || self.behind.iter().chain(&self.before);
        let mut written = Vec::new();
        for &pc in turn() {
            function.writes(pc, |slot, n| written.extend(slot.0..slot.0 + n));
        }
        let mut holds: FxHashMap<u32, Holds> = FxHashMap::default();
        for &pc in turn() {
            let inst = function.code[pc];
            // (What is written behind the decision is not yet there in the first turn.)
            let is_early = self.before.contains(&pc);
            let what = |operand: Operand| match operand.as_slot() {
                Some(slot) if written.contains(&slot.0) => {
                    let held = holds.get(&slot.0).copied().unwrap_or(Holds::Moved(slot, 0));
                    let is_new = is_early && held == Holds::Fixed && self.writes(function, slot);
                    if is_new { Holds::Other } else { held }
                }
                _ => Holds::Fixed,
            };
            let (dst, held) = match inst {
                Inst::Copy { dst, a } => (dst, what(a)),
                Inst::Add(bin) | Inst::Sub(bin) => {
                    let step = constant(program, bin.b).map(|step| value::sign_extend(bin.width, step));
                    let step = if matches!(inst, Inst::Sub(_)) { step.and_then(i64::checked_neg) } else { step };
                    let held = match (what(bin.a), step) {
                        (Holds::Moved(slot, by), Some(step)) => Holds::Moved(slot, by.checked_add(step)?),
                        (Holds::Fixed, _) if what(bin.b) == Holds::Fixed => Holds::Fixed,
                        _ => Holds::Other,
                    };
                    (bin.dst, held)
                }
                Inst::And(bin) | Inst::Or(bin) | Inst::Xor(bin) => {
                    let is_fixed = what(bin.a) == Holds::Fixed && what(bin.b) == Holds::Fixed;
                    (bin.dst, if is_fixed { Holds::Fixed } else { Holds::Other })
                }
                Inst::UDiv(bin) | Inst::URem(bin) => {
                    let is_safe = constant(program, bin.b).is_some_and(|number| number != 0);
                    (bin.dst, if is_safe { what(bin.a).if_fixed() } else { return None })
                }
                Inst::LShr(bin) | Inst::Shl(bin) => {
                    let is_safe =
                        constant(program, bin.b).is_some_and(|count| count < bin.width.into()) && bin.flags == 0;
                    (bin.dst, if is_safe { what(bin.a).if_fixed() } else { return None })
                }
                Inst::Trunc { dst, a, .. } | Inst::Sext { dst, a, .. } => (dst, what(a).if_fixed()),
                Inst::Call { site, callee } if is_idle(program, callee, DEEPEST) => {
                    let site = &function.calls[site as usize];
                    let results = site.dst.iter().flat_map(|dst| dst.0..dst.0 + site.result_slots);
                    holds.extend(results.map(|slot| (slot, Holds::Other)));
                    continue;
                }
                Inst::Nop | Inst::Fence { compiler_only: true, .. } => continue,
                _ => return None,
            };
            holds.insert(dst.0, held);
        }
        Some(holds)
    }
}

impl Holds {
    /// What is made of it is the same in each turn if it is.
    fn if_fixed(self) -> Holds {
        if self == Holds::Fixed { self } else { Holds::Other }
    }
}

impl Walker<'_> {
    /// Goes through what is left of a delay, if it stands where it is decided whether that goes on; `None` if it does
    /// not.
    pub(super) fn go_through_delay(&mut self) -> Option<()> {
        let program = &self.machine.program;
        let &Delay { goes_on: predicate, width, counter, number, exit } =
            program.delays(self.top().function).0.get(&self.pc())?;
        let behind = match (self.get(Operand::slot(counter)), self.get(number)) {
            (Value::Known(counter), Value::Known(number)) => {
                Value::Known(if value::compare(predicate, width, counter, number) { number } else { counter })
            }
            (Value::Own(..), _) | (_, Value::Own(..)) => return None,
            // (What a comparison of these comes to has another name.)
            (counter, number) => {
                let inst = Inst::ICmp { predicate, width, dst: Slot(0), a: Operand(0), b: Operand(0) };
                self.open?.borrow_mut().name(inst, [counter, number, Value::Known(1)])
            }
        };
        self.set(counter, behind);
        self.go_to(exit);
        Some(())
    }
}

/// Whether overflow of the result would be an error.
fn is_checked(program: &Program, bin: Bin) -> bool {
    bin.flags & flags::NSW & program.checked_flags != 0
}

/// How many calls deep a function may be that only lets time pass.
const DEEPEST: u32 = 3;

/// Whether a call of the function only lets time pass.
fn is_idle(program: &Program, callee: FuncId, depth: u32) -> bool {
    match program.callees[callee.index()] {
        Callee::Model(_) => program.passing[callee.index()] == Some(Passing::Idles),
        Callee::Defined => {
            let function = &program.module.functions[callee.index()];
            let idles = |inst: &Inst| match *inst {
                Inst::Call { callee, .. } => depth > 0 && is_idle(program, callee, depth - 1),
                Inst::Nop | Inst::Fence { compiler_only: true, .. } | Inst::Return { .. } => true,
                _ => false,
            };
            !function.code.is_empty() && function.code.iter().all(idles)
        }
        _ => false,
    }
}

fn constant(program: &Program, operand: Operand) -> Option<u64> {
    operand.as_constant().map(|constant| program.constants[constant as usize])
}

/// What holds if the comparison does not, as far as delays have it.
fn negated(predicate: IntPredicate) -> Option<IntPredicate> {
    Some(match predicate {
        IntPredicate::Eq => IntPredicate::Ne,
        IntPredicate::Sge => IntPredicate::Slt,
        IntPredicate::Uge => IntPredicate::Ult,
        IntPredicate::Sle => IntPredicate::Sgt,
        IntPredicate::Ule => IntPredicate::Ugt,
        _ => return None,
    })
}

/// The same comparison with its operands in the other order.
fn swapped(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Slt => IntPredicate::Sgt,
        IntPredicate::Sgt => IntPredicate::Slt,
        IntPredicate::Sle => IntPredicate::Sge,
        IntPredicate::Sge => IntPredicate::Sle,
        IntPredicate::Ult => IntPredicate::Ugt,
        IntPredicate::Ugt => IntPredicate::Ult,
        IntPredicate::Ule => IntPredicate::Uge,
        IntPredicate::Uge => IntPredicate::Ule,
        IntPredicate::Eq | IntPredicate::Ne => predicate,
    }
}
