//! Inline assembly that programs with threads use: barriers, pauses and locked instructions. Everything else is
//! unsupported when reached.
mod operands;

use super::function::{Body, Leaf};
use super::llvm::{LLVMOpcode, Value};
use super::types::Scalar;
use super::{Refusal, Res};
use crate::ir::{Inst, IntPredicate, Operand, Ordering, RmwOp, slots_of_bits};
use operands::{Operands, Place};

/// The text as single instructions: `lock` stands before the instruction that it belongs to.
fn statements(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let mut prefix = "";
    for line in text.split(['\n', ';']) {
        let code = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["lock"] => prefix = "lock ",
            ["rep"] => prefix = "rep ",
            [first, rest @ ..] => {
                // One blank after the mnemonic, none between operands.
                let (lock, first, rest) = match (*first, rest) {
                    ("lock", [second, rest @ ..]) => ("lock ", *second, rest),
                    ("rep", [second, rest @ ..]) => ("rep ", *second, rest),
                    (first, rest) => (prefix, first, rest),
                };
                let operands = rest.concat();
                list.push(format!("{lock}{first} {operands}").trim_end().to_lowercase());
                prefix = "";
            }
        }
    }
    list
}

/// A locked instruction on the top of the stack with a neutral operand is a full barrier.
fn is_stack_barrier(statement: &str) -> bool {
    let Some(rest) = statement.strip_prefix("lock ") else {
        return false;
    };
    let Some((mnemonic, operands)) = rest.split_once(' ') else {
        return false;
    };
    let neutral = ["addl", "addq", "add", "orl", "orq", "or", "subl", "subq"].contains(&mnemonic);
    let Some((value, place)) = operands.split_once(',') else {
        return false;
    };
    let on_stack = place.ends_with("(%rsp)")
        || place.ends_with("(%esp)")
        || place.ends_with("(%%rsp)")
        || place.ends_with("(%%esp)");
    neutral && on_stack && matches!(value, "$$0" | "$$0x0" | "$$0x00")
}

impl Body<'_> {
    /// A call of inline assembly.
    pub(super) fn inline_asm(&mut self, inst: Value, asm: Value) -> Res<()> {
        let (text, constraints, att) = asm.inline_asm();
        let refuse = || Refusal(format!("the inline assembly \"{}\"", text.replace('\n', "; ").replace('\t', " ")));
        if !att {
            return Err(refuse());
        }
        let operands = Operands::parse(&constraints, &inst.arguments()).ok_or_else(refuse)?;
        let statements = statements(&text);
        let mut results = Results::default();
        let mut rest = statements.as_slice();
        while let [statement, after @ ..] = rest {
            rest = after;
            if self.barrier(statement) {
                continue;
            }
            // At most one access, perhaps with a look at the flags after it.
            if results.done {
                return Err(refuse());
            }
            let flag = match after {
                [set] => set.strip_prefix("sete ").or_else(|| set.strip_prefix("setz ")),
                _ => None,
            };
            if flag.is_some() {
                rest = &[];
            }
            let flag = flag.and_then(operands::reference);
            self.locked(statement, &operands, flag, &mut results).ok_or_else(refuse)??;
        }
        self.outputs(inst, &operands, &results)
    }

    fn barrier(&mut self, statement: &str) -> bool {
        let ordering = match statement {
            "pause" | "nop" | "rep nop" => {
                self.emit(Inst::Nop);
                return true;
            }
            "ud2" | "int3" | "int $$3" | "int $$0x3" => {
                self.emit(Inst::Trap);
                return true;
            }
            "mfence" => Ordering::SeqCst,
            "lfence" => Ordering::Acquire,
            "sfence" => Ordering::Release,
            _ if is_stack_barrier(statement) => Ordering::SeqCst,
            _ => return false,
        };
        self.emit(Inst::Fence { ordering, compiler_only: false });
        true
    }

    /// A locked instruction; `None` if it is not one of those that we know.
    fn locked(
        &mut self,
        statement: &str,
        operands: &Operands,
        flag: Option<usize>,
        results: &mut Results,
    ) -> Option<Res<()>> {
        let (lock, rest) = match statement.strip_prefix("lock ") {
            Some(rest) => (true, rest),
            None => (false, statement),
        };
        let (mnemonic, text) = rest.split_once(' ')?;
        let (name, suffix) = split_mnemonic(mnemonic)?;
        // Only an exchange locks by itself.
        if !lock && name != "xchg" {
            return None;
        }
        let (source, target) = match text.split_once(',') {
            Some((source, target)) => (Some(source), target),
            None => (None, text),
        };
        let (mut source, mut target) = (source, operands.place(target)?);
        if name == "xchg" && !matches!(target, Place::Memory(_)) {
            // The operands of an exchange may come in either order.
            let memory = operands.place(source?)?;
            source = text.split_once(',').map(|(_, register)| register);
            target = memory;
        }
        let Place::Memory(pointer) = target else {
            return None;
        };
        let source = match source {
            Some(text) => Some(operands.place(text)?),
            None => None,
        };
        let wants_flag = flag.or(operands.zero_flag());
        Some(self.access(name, suffix, pointer, source, wants_flag, operands, results))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn access(
        &mut self,
        name: &str,
        suffix: Option<u32>,
        pointer: Value,
        source: Option<Place>,
        flag: Option<usize>,
        operands: &Operands,
        results: &mut Results,
    ) -> Res<()> {
        let unknown = || Refusal(format!("the locked instruction {name}"));
        let typed = match &source {
            Some(Place::Register { input: Some(value), .. }) => Some(self.bits(*value)?),
            _ => None,
        };
        let bits = suffix.or(typed).ok_or_else(unknown)?;
        let value = match &source {
            Some(Place::Number(number)) => self.number(super::constant::mask(number.cast_unsigned(), bits)),
            Some(Place::Register { input: Some(value), .. }) => {
                let a = self.operand(*value)?;
                self.resized(a, typed.unwrap_or(bits), bits)
            }
            None => self.number(1),
            _ => return Err(unknown()),
        };
        let register = match source {
            Some(Place::Register { output, .. }) => output,
            _ => None,
        };
        let address = self.pointer(pointer)?;
        results.done = true;
        if name == "cmpxchg" {
            let (output, expected) = operands.accumulator().ok_or_else(unknown)?;
            let expected = self.operand(expected)?;
            let (old, success) = self.seq_cst_exchange(bits, address, expected, value);
            results.set(output, old, bits);
            results.set(flag, success, 1);
            return Ok(());
        }
        let (op, opcode) = match name {
            "xchg" => (RmwOp::Xchg, None),
            "xadd" | "add" | "inc" => (RmwOp::Add, Some(LLVMOpcode::LLVMAdd)),
            "sub" | "dec" => (RmwOp::Sub, Some(LLVMOpcode::LLVMSub)),
            "and" => (RmwOp::And, Some(LLVMOpcode::LLVMAnd)),
            "or" => (RmwOp::Or, Some(LLVMOpcode::LLVMOr)),
            "xor" => (RmwOp::Xor, Some(LLVMOpcode::LLVMXor)),
            _ => return Err(unknown()),
        };
        let returns_old = matches!(name, "xchg" | "xadd");
        let unused = !returns_old && flag.is_none();
        let old = self.seq_cst_rmw(op, bits, address, value, unused);
        if returns_old {
            results.set(register, old, bits);
        }
        if let (Some(_), Some(opcode)) = (flag, opcode) {
            let dst = self.unit(slots_of_bits(bits));
            self.arithmetic(opcode, bits, 0, dst, old, value)?;
            let zero = self.number(0);
            let is_zero = self.fresh_compare(IntPredicate::Eq, bits, Operand::slot(dst), zero);
            results.set(flag, is_zero, 1);
        }
        Ok(())
    }

    /// An operand of another width: cut, or extended with zeros.
    fn resized(&mut self, a: Operand, from: u32, to: u32) -> Operand {
        if from <= to {
            return a;
        }
        let dst = self.unit(1);
        self.emit(Inst::Trunc { width: to as u8, dst, a });
        Operand::slot(dst)
    }

    /// The result of the call: what the outputs got or, where nothing was written, what they came with.
    fn outputs(&mut self, inst: Value, operands: &Operands, results: &Results) -> Res<()> {
        // Only a flag goes to a place in memory other than the one accessed.
        for (output, pointer) in operands.memory_outputs() {
            if let Some((flag, _)) = results.get(output) {
                let address = self.address(pointer)?;
                self.store_scalar(Scalar::Int(8), Leaf::At(flag), address);
            }
        }
        let shape = self.shape(inst)?;
        let mut leaves = Vec::with_capacity(shape.leaves.len());
        for (output, input) in operands.outputs() {
            let part = leaves.len();
            let ty = *shape.leaves.get(part).ok_or_else(|| Refusal(format!("the inline assembly {}", inst.text())))?;
            match (results.get(output), input) {
                (Some((operand, bits)), _) => {
                    let operand = self.resized(operand, bits, self.context.types.bits(ty.scalar).min(64));
                    leaves.push(Leaf::At(operand));
                }
                (None, Some(value)) => leaves.extend_from_slice(&self.leaves(value)?),
                (None, None) => leaves.push(Leaf::Undef),
            }
        }
        if leaves.len() != shape.leaves.len() {
            return Err(Refusal(format!("the inline assembly {}", inst.text())));
        }
        self.alias(inst, leaves.into());
        Ok(())
    }
}

/// The values that the outputs got.
#[derive(Default)]
struct Results {
    /// Output, what it got, and how many bits that has.
    written: Vec<(usize, Operand, u32)>,
    /// Whether there was an access.
    done: bool,
}

impl Results {
    fn set(&mut self, output: Option<usize>, operand: Operand, bits: u32) {
        self.written.extend(output.map(|output| (output, operand, bits)));
    }

    fn get(&self, output: usize) -> Option<(Operand, u32)> {
        self.written.iter().find(|(number, ..)| *number == output).map(|(_, operand, bits)| (*operand, *bits))
    }
}

/// A mnemonic and the width that its last letter says.
fn split_mnemonic(mnemonic: &str) -> Option<(&'static str, Option<u32>)> {
    let names = ["cmpxchg", "xchg", "xadd", "add", "sub", "inc", "dec", "and", "or", "xor"];
    for name in names {
        match mnemonic.strip_prefix(name) {
            Some("") => return Some((name, None)),
            Some("b") => return Some((name, Some(8))),
            Some("w") => return Some((name, Some(16))),
            Some("l") => return Some((name, Some(32))),
            Some("q") => return Some((name, Some(64))),
            _ => {}
        }
    }
    None
}
