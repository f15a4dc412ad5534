//! Inline assembly for x86 that programs with threads use, as C11 has it (docs/semantics.md has the table). Everything
//! else is unsupported when reached.
//!
//! The instructions are lowered one after the other; registers are names for values. A load is an acquire load, and a
//! store a release store, for that is what x86 promises; what has a lock prefix is sequentially consistent, and so is
//! `xchg`. An instruction without the prefix that reads, changes and writes memory is a load and a store, between which
//! others may come.
mod instruction;
mod operands;
mod registers;

use super::function::{Body, Leaf};
use super::llvm::Value;
use super::{Refusal, Res};
use crate::ir::{CallSite, Inst, Operand};
use operands::Operands;
use registers::State;

/// A single instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Statement {
    lock: bool,
    mnemonic: String,
    operands: Vec<String>,
}

/// The text as single instructions: `lock` stands before the instruction that it belongs to.
fn statements(text: &str) -> Vec<Statement> {
    let mut list = Vec::new();
    let mut lock = false;
    for line in text.split(['\n', ';']) {
        let code = line.split('#').next().unwrap_or_default().to_lowercase();
        let mut words = code.split_whitespace().peekable();
        while let Some(prefix) = words.next_if(|word| ["lock", "rep"].contains(word)) {
            lock |= prefix == "lock";
        }
        let Some(mnemonic) = words.next() else { continue };
        let operands = split_operands(&words.collect::<String>());
        list.push(Statement { lock, mnemonic: mnemonic.to_owned(), operands });
        lock = false;
    }
    list
}

/// Splits at commas outside of parentheses.
fn split_operands(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A locked instruction on the top of the stack with a neutral operand is a full barrier.
fn is_stack_barrier(statement: &Statement) -> bool {
    let neutral = ["addl", "addq", "add", "orl", "orq", "or", "subl", "subq"].contains(&statement.mnemonic.as_str());
    let [value, place] = &statement.operands[..] else { return false };
    let on_stack = place.ends_with("(%rsp)") || place.ends_with("(%esp)");
    statement.lock && neutral && on_stack && ["$$0", "$$0x0", "$$0x00"].contains(&value.as_str())
}

/// What Valgrind looks for: rotations that come to nothing, and an exchange of a register with itself. Without
/// Valgrind, the result is what it came with.
fn is_valgrind_request(statements: &[Statement]) -> bool {
    const ROTATIONS: [[&str; 4]; 2] = [["3", "13", "61", "51"], ["3", "13", "29", "19"]];
    let [rotations @ .., exchange] = statements else { return false };
    let rotates = |statement: &Statement, by: &str| {
        ["rolq", "roll"].contains(&statement.mnemonic.as_str())
            && statement.operands.first().is_some_and(|number| number.trim_start_matches('$') == by)
    };
    let all = |numbers: &[&str; 4]| rotations.len() == 4 && rotations.iter().zip(numbers).all(|(s, by)| rotates(s, by));
    exchange.mnemonic.starts_with("xchg")
        && exchange.operands.first() == exchange.operands.get(1)
        && ROTATIONS.iter().any(all)
}

impl Body<'_> {
    /// A call of inline assembly.
    pub(super) fn inline_asm(&mut self, inst: Value, asm: Value) -> Res<()> {
        let (text, constraints, att) = asm.inline_asm();
        let refuse = || Refusal(format!("the inline assembly \"{}\"", text.replace('\n', "; ").replace('\t', " ")));
        if !att || !self.context.x86 {
            return Err(refuse());
        }
        let operands = Operands::parse(&constraints, &inst.arguments()).ok_or_else(refuse)?;
        let mut state = State::new(self, &operands);
        let results = operands.0.iter().enumerate().filter(|(_, item)| item.is_output && !item.in_memory);
        for ((index, _), leaf) in results.zip(&self.shape(inst)?.leaves) {
            state.declare(operands.register(index), self.context.types.bits(leaf.scalar));
        }
        let statements = statements(&text);
        let looks =
            |statement: &Statement| statement.mnemonic.starts_with("set") || statement.mnemonic.starts_with("sbb");
        state.wants_flags = statements.iter().any(looks) || operands.0.iter().any(|item| item.condition.is_some());
        if !is_valgrind_request(&statements) {
            for statement in &statements {
                self.assembly(statement, &operands, &mut state).ok_or_else(refuse)??;
            }
        }
        self.outputs(inst, &operands, &state).ok_or_else(refuse)?
    }

    /// The result of the call: what the registers of the outputs hold or, where nothing was written, what they came
    /// with.
    fn outputs(&mut self, inst: Value, operands: &Operands, state: &State) -> Option<Res<()>> {
        let shape = match self.shape(inst) {
            Ok(shape) => shape,
            Err(refusal) => return Some(Err(refusal)),
        };
        let mut leaves = Vec::with_capacity(shape.leaves.len());
        for (index, item) in operands.0.iter().enumerate().filter(|(_, item)| item.is_output && !item.in_memory) {
            let ty = *shape.leaves.get(leaves.len())?;
            let register = operands.register(index);
            let wanted = self.context.types.bits(ty.scalar);
            if let Some(condition) = item.condition {
                leaves.push(Leaf::At(state.holds(self, condition)?));
            } else if let Some((value, bits)) = state.result(register) {
                let value = if bits > wanted { self.bits_of(value, bits, 0, wanted) } else { value };
                leaves.push(Leaf::At(value));
            } else {
                let tied =
                    |(at, input): &(usize, &operands::Item)| !input.is_output && operands.register(*at) == register;
                let input = operands.0.iter().enumerate().find(tied).and_then(|(_, input)| input.argument);
                match input.map(|input| self.leaves(input)) {
                    Some(Ok(values)) => leaves.extend_from_slice(&values),
                    Some(Err(refusal)) => return Some(Err(refusal)),
                    None => leaves.push(Leaf::Undef),
                }
            }
        }
        if leaves.len() != shape.leaves.len() {
            return None;
        }
        self.alias(inst, leaves.into());
        Some(Ok(()))
    }

    /// What a model without arguments returns: a word.
    pub(super) fn model_call(&mut self, name: &'static str) -> Operand {
        let callee = self.context.model(name);
        let dst = self.unit(1);
        let site =
            CallSite { args: Vec::new(), dst: Some(dst), result_slots: 1, result_masks: vec![u64::MAX], fixed_args: 0 };
        self.calls.push(site);
        self.emit(Inst::Call { site: self.calls.len() as u32 - 1, callee });
        Operand::slot(dst)
    }

    /// The address by which the C library knows the current thread: the same number as pthread_self.
    pub(super) fn thread_pointer(&mut self) -> Operand {
        self.model_call("pthread_self")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_as_statements() {
        let text = "lock; xaddl $0, 8($1)\n\tsete  $2 # done\n rep; nop";
        let expected = [(true, "xaddl", vec!["$0", "8($1)"]), (false, "sete", vec!["$2"]), (false, "nop", vec![])];
        let expected = expected.map(|(lock, mnemonic, operands)| Statement {
            lock,
            mnemonic: mnemonic.to_owned(),
            operands: operands.into_iter().map(str::to_owned).collect(),
        });
        assert_eq!(statements(text), expected);
        assert_eq!(split_operands("(%rax,%rbx,2),$1"), ["(%rax,%rbx,2)", "$1"]);
    }

    #[test]
    fn requests_to_valgrind() {
        let request = "rolq $$3,  %rdi ; rolq $$13, %rdi\n\trolq $$61, %rdi ; rolq $$51, %rdi\n\txchgq %rbx,%rbx";
        assert!(is_valgrind_request(&statements(request)));
        assert!(!is_valgrind_request(&statements("rolq $$3, %rdi; xchgq %rbx,%rbx")));
    }
}
