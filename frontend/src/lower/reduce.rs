//! Reductions of vectors to one scalar.
use super::function::{Body, Leaf};
use super::llvm::{LLVMOpcode, Value};
use super::{Refusal, Res};
use crate::ir::{FloatOp, Inst, IntOp, Operand, slots_of_bits};

enum Operation {
    Arithmetic(LLVMOpcode),
    Int(IntOp),
    Float(FloatOp),
    /// Begins with the first operand; in order.
    FloatFrom(FloatOp),
}

impl Body<'_> {
    /// llvm.vector.reduce.`name`.
    pub(super) fn reduce(&mut self, inst: Value, name: &str) -> Res<()> {
        let operation = match name {
            "add" => Operation::Arithmetic(LLVMOpcode::LLVMAdd),
            "mul" => Operation::Arithmetic(LLVMOpcode::LLVMMul),
            "and" => Operation::Arithmetic(LLVMOpcode::LLVMAnd),
            "or" => Operation::Arithmetic(LLVMOpcode::LLVMOr),
            "xor" => Operation::Arithmetic(LLVMOpcode::LLVMXor),
            "smin" => Operation::Int(IntOp::SMin),
            "smax" => Operation::Int(IntOp::SMax),
            "umin" => Operation::Int(IntOp::UMin),
            "umax" => Operation::Int(IntOp::UMax),
            "fmin" => Operation::Float(FloatOp::MinNum),
            "fmax" => Operation::Float(FloatOp::MaxNum),
            "fminimum" => Operation::Float(FloatOp::Minimum),
            "fmaximum" => Operation::Float(FloatOp::Maximum),
            "fadd" => Operation::FloatFrom(FloatOp::Add),
            "fmul" => Operation::FloatFrom(FloatOp::Mul),
            _ => return Err(Refusal(format!("the intrinsic llvm.vector.reduce.{name}"))),
        };
        let starts = matches!(operation, Operation::FloatFrom(_));
        let vector = inst.operand(u32::from(starts));
        let mut elements = self.elements(vector)?;
        if starts {
            elements.insert(0, self.operand(inst.operand(0))?);
        }
        let bits = self.bits(inst)?;
        let mut sum = elements[0];
        for element in &elements[1..] {
            let dst = self.unit(slots_of_bits(bits));
            match operation {
                Operation::Arithmetic(opcode) => self.arithmetic(opcode, bits, 0, dst, sum, *element)?,
                Operation::Int(op) => self.int_scalar(op, bits, dst, sum, *element)?,
                Operation::Float(op) | Operation::FloatFrom(op) => {
                    let format = self.format(inst)?;
                    self.emit(Inst::Float { op, format, dst, a: sum, b: *element });
                }
            }
            sum = Operand::slot(dst);
        }
        self.alias(inst, [Leaf::At(sum)].into());
        Ok(())
    }
}
