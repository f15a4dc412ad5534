//! Faint variables: what they hold is computed with, and shown to the user, and decides nothing.
//!
//! `unsigned long turns = 0; while (!done) turns++; printf("%lu turns\n", turns);`: nothing but the text depends on
//! how many turns there were, and no text is part of what is checked. So a thread does the same from two places on that
//! differ in such a variable alone.
//!
//! **A variable is faint** in front of an instruction if each way on from there writes it before it is read, or reads
//! it only where that decides nothing (GMW81): where something is computed that is faint itself, by an instruction that
//! can be no error; where a function of the program gets it as a parameter that is faint there; or where a function of
//! the library prints its digits and nobody asks how long the text is. That a value was never given matters even there,
//! and so does a number that is an address: both are left to [`alike`](super::alike).
use crate::library::hooks::{Prints, Shown};
use crate::machine::{Callee, Machine, Program};
use crate::waiting::open::is_of_words;
use crate::waiting::walker::{Value, Walker};
use frontend::ir::{
    Arg, Bin, CallSite, CastKind, Constant, FuncId, Function, Heeds, Inst, Liveness, Operand, Param, Slot, flags,
};

/// How far it is followed what becomes of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// Into functions of the program, not into those that they call.
    Entered,
    /// Into no function of the program: all arguments matter.
    Opaque,
}

/// Which variables of a function are read again, those left out that are faint.
pub(crate) fn heeded(program: &Program, id: FuncId, calls: Calls) -> Liveness {
    let function = &program.module.functions[id.index()];
    let heeds: Heeds = function.code.iter().map(|&inst| heeds(program, function, inst, calls)).collect();
    Liveness::heeding(function, heeds)
}

/// The same of variables with numbers that are no addresses.
pub(super) fn heeded_number(program: &Program, id: FuncId) -> Liveness {
    let function = &program.module.functions[id.index()];
    let heeds: Heeds = function
        .code
        .iter()
        .map(|&inst| match inst {
            Inst::UseAddress { .. } => Some(Box::default()),
            inst => heeds(program, function, inst, Calls::Entered),
        })
        .collect();
    Liveness::heeding(function, heeds)
}

/// The slots that the instruction reads for more than its result; `None` is all that it reads.
fn heeds(program: &Program, function: &Function, inst: Inst, calls: Calls) -> Option<Box<[Slot]>> {
    if only_computes(program, inst) {
        return Some(Box::default());
    }
    let Inst::Call { site, callee } = inst else { return None };
    let shown = match program.callees[callee.index()] {
        Callee::Defined if calls == Calls::Entered => faint_arguments(program, &function.calls[site as usize], callee),
        _ => shown(program, function, inst),
    };
    let args = function.calls[site as usize].args.iter().enumerate();
    let slots = |arg: &Arg| -> Vec<Slot> { (0..arg.slots).filter_map(|i| arg.value.offset(i).as_slot()).collect() };
    let heeded = args.filter(|(index, _)| !shown.contains(index)).flat_map(|(_, arg)| slots(arg));
    (!shown.is_empty()).then(|| heeded.collect())
}

/// The arguments that are faint in the function of the program that gets them.
fn faint_arguments(program: &Program, site: &CallSite, callee: FuncId) -> Vec<usize> {
    let function = &program.module.functions[callee.index()];
    let fits = |(arg, param): (&Arg, &Param)| arg.slots == param.slots && arg.byval.is_none();
    if function.variadic
        || site.args.len() != function.params.len()
        || !site.args.iter().zip(&function.params).all(fits)
    {
        return Vec::new();
    }
    let heeded = program.heeded_alone(callee).before(function, 0);
    let mut slot = 0;
    let mut faint = Vec::new();
    for (index, param) in function.params.iter().enumerate() {
        let slots = slot..slot + param.slots as usize;
        slot = slots.end;
        faint.extend((!slots.clone().any(|slot| heeded.contains(slot))).then_some(index));
    }
    faint
}

/// The arguments of a call of which the library only shows the digits.
pub(super) fn shown(program: &Program, function: &Function, inst: Inst) -> Vec<usize> {
    let Some((prints, args)) = prints(program, function, inst) else { return Vec::new() };
    let values = prints.format.and_then(|format| Some((format + 1, text(program, args.get(format)?.value)?)));
    let Some((first, format)) = values else { return Vec::new() };
    let shown = (prints.shown)(format);
    let is_shown = |&index: &usize| {
        let arg = &args[index];
        arg.slots == 1 && arg.byval.is_none() && shown.values.get(index - first) == Some(&true)
    };
    (first..args.len()).filter(is_shown).collect()
}

/// What a call is that prints, with its arguments.
fn prints<'a>(program: &Program, function: &'a Function, inst: Inst) -> Option<(Prints, &'a [Arg])> {
    let Inst::Call { site, callee } = inst else { return None };
    let is_model = matches!(program.callees[callee.index()], Callee::Model(_));
    let prints = program.prints[callee.index()].filter(|_| is_model)?;
    Some((prints, &function.calls[site as usize].args))
}

/// A call that does nothing but print, whatever the values are that it shows, if they were given.
pub(super) struct Print {
    /// The stream, and whether that may be null.
    pub(super) stream: Option<(Operand, bool)>,
    pub(super) shown: Vec<Operand>,
}

/// The call, if it is such a one.
pub(super) fn print(program: &Program, function: &Function, inst: Inst) -> Option<Print> {
    let (prints, args) = prints(program, function, inst)?;
    let shown = shown(program, function, inst);
    let is_text = |index| Some(index) == prints.format && text(program, args[index].value).is_some();
    let is_known = |index| shown.contains(&index) || Some(index) == prints.stream || is_text(index);
    let values = match prints.format {
        Some(format) => (prints.shown)(text(program, args.get(format)?.value)?),
        None => Shown { values: Vec::new(), complete: true },
    };
    // (All values are there. What the format does not ask for does not matter.)
    if !(0..args.len()).all(is_known)
        || !values.complete
        || shown.len() < values.values.len()
        || args.iter().any(|arg| arg.slots != 1)
    {
        return None;
    }
    let stream = match prints.stream {
        Some(stream) => Some((args.get(stream)?.value, prints.format.is_none())),
        None => None,
    };
    Some(Print { stream, shown: shown.into_iter().map(|index| args[index].value).collect() })
}

/// The text to which a constant leads, if that never changes.
fn text(program: &Program, address: Operand) -> Option<&[u8]> {
    let Constant::Global(global, offset) = program.module.constants[address.as_constant()? as usize] else {
        return None;
    };
    let global = program.module.globals.get(global.index()).filter(|global| global.constant && !global.weak)?;
    let initial = global.initial.as_ref().filter(|initial| initial.relocations.is_empty())?;
    // (Bytes at the end that are 0 are left out.)
    let text = initial.bytes.get(usize::try_from(offset).ok()?..)?.split(|byte| *byte == 0).next()?;
    (offset as u64 + (text.len() as u64) < global.size).then_some(text)
}

/// Whether the instruction does nothing but to compute something, which is no error whatever its operands are.
fn only_computes(program: &Program, inst: Inst) -> bool {
    let wraps = |b: Bin| b.flags & !(flags::NSW & !program.checked_flags) == 0;
    let by = |b: Bin, fits: &dyn Fn(u64) -> bool| {
        let constant = b.b.as_constant().map(|constant| program.module.constants[constant as usize]);
        b.flags == 0 && matches!(constant, Some(Constant::Bits(bits)) if fits(bits))
    };
    match inst {
        Inst::Add(b) | Inst::Sub(b) | Inst::Mul(b) | Inst::Xor(b) => wraps(b),
        // (Of two that are no constants, one decides which bits of the other one have to be given.)
        Inst::And(b) | Inst::Or(b) => wraps(b) && [b.a, b.b].iter().any(|operand| operand.as_constant().is_some()),
        Inst::Shl(b) | Inst::LShr(b) | Inst::AShr(b) => by(b, &|count| count < b.width.into()),
        Inst::UDiv(b) | Inst::URem(b) => by(b, &|divisor| divisor != 0),
        Inst::Cast { kind: CastKind::SignedToFloat | CastKind::UnsignedToFloat | CastKind::FloatToFloat, .. } => true,
        Inst::Trunc { .. } | Inst::Sext { .. } | Inst::Copy { .. } => true,
        Inst::Float { .. } => is_of_words(inst),
        _ => false,
    }
}

impl Walker<'_> {
    /// Goes through a call that only prints; `None` if it is another one, or if it matters what it returns.
    pub(super) fn go_through_print(&mut self) -> Option<()> {
        let (machine, pc) = (self.machine, self.pc());
        let function = self.function();
        let inst = *function.code.get(pc as usize)?;
        let Print { stream, shown } = print(&machine.program, function, inst)?;
        if machine.program.heeded(self.top().function).is_for_something(function, pc as usize) {
            return None;
        }
        let mut unknown = Vec::new();
        if let Some((stream, may_be_null)) = stream {
            match self.get(stream) {
                Value::Known(0) if may_be_null => {}
                Value::Known(stream) if stream != 0 && machine.is_for_output(stream) => {}
                value @ Value::Unknown(_) => unknown.push(value),
                _ => return None,
            }
        }
        for value in shown.into_iter().map(|operand| self.get(operand)) {
            match (value, self.open) {
                (Value::Known(_), _) => {}
                (Value::Unknown(name), Some(open)) if open.borrow().is_given(name) => {}
                (Value::Unknown(_), _) => unknown.push(value),
                (Value::Own(..), _) => return None,
            }
        }
        // (What may be an error is one for two walkers that print the same. One that knows what it reads has nothing
        // unknown but what was never given.)
        for value in unknown {
            let Inst::Call { callee, .. } = inst else { return None };
            let operands = [value, Value::Known(0), Value::Known(0)];
            self.depends.push(self.open?.borrow_mut().name(Inst::Call { site: 0, callee }, operands));
        }
        let mut written = Vec::new();
        function.writes(pc as usize, |dst, n| written.extend((dst.0..dst.0 + n).map(Slot)));
        written.into_iter().for_each(|slot| self.set(slot, Value::Known(0)));
        self.pass();
        Some(())
    }
}

impl Machine {
    /// Whether that is the address of one of the standard streams for output.
    fn is_for_output(&self, stream: u64) -> bool {
        ["FILE of stdout", "FILE of stderr"].iter().any(|&file| self.program.global_names.get(file) == Some(&stream))
    }
}
