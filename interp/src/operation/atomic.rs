//! Atomic instructions: the operations that they stand for, and the values of read-modify-writes.
use crate::operation::Operation;
use crate::step::Halt;
use crate::thread::Thread;
use crate::undefined::{SYMBOLIC, plain};
use crate::value::{self, mask, sign_extend_wide};
use crate::verdict::fault::Kind;
use frontend::ir::{Float, FloatOp, Inst, Module, Operand, RmwOp};

impl Thread {
    /// The operation that the atomic instruction stands for at which the frame on top stands. A function of the
    /// instruction and of registers that do not change while the thread stands there.
    pub(crate) fn atomic_operation(&self, module: &Module) -> Option<Operation> {
        let frame = self.top();
        let get = |operand: Operand| match operand.as_slot() {
            Some(slot) => self.regs[(frame.base + slot.0) as usize],
            None => self.regs[operand.as_constant().expect("an operand is a slot or a constant") as usize],
        };
        let shadow = |operand: Operand| match operand.as_slot() {
            Some(slot) if self.tracks() => self.shadows[(frame.base + slot.0) as usize],
            _ => 0,
        };
        // The words of a value, and their undefined bits.
        let words = |operand: Operand, size: u8| {
            let parts = [Some(operand), (size > 8).then(|| operand.offset(1))];
            let bits = value::truncate(8 * size.min(8), u64::MAX);
            let (value, marks) = (parts.map(|part| part.map_or(0, get)), parts.map(|part| part.map_or(0, shadow)));
            // (A term is handed on as it is.)
            let undefined = marks.map(|mark| if mark == SYMBOLIC { mark } else { plain(mark & bits) });
            let known = |i: usize| if marks[i] == SYMBOLIC { value[i] } else { value[i] & !undefined[i] };
            ([known(0), known(1)], undefined)
        };
        Some(match module.functions[frame.function.index()].code[frame.pc as usize] {
            Inst::AtomicLoad { size, ordering, dst: _, address } => {
                Operation::AtomicLoad { address: get(address), size, ordering }
            }
            Inst::AtomicStore { size, ordering, address, value } => {
                let (value, undefined) = words(value, size);
                Operation::AtomicStore { address: get(address), size, ordering, value, undefined }
            }
            Inst::AtomicRmw { op, size, ordering, unused, dst: _, address, value } => {
                let (address, (value, undefined)) = (get(address), words(value, size));
                Operation::AtomicRmw { op, address, size, ordering, unused, value, undefined }
            }
            Inst::CompareExchange { size, success, failure, dst: _, address, expected, new } => {
                let ((expected, first), (new, second)) = (words(expected, size), words(new, size));
                let (address, undefined) = (get(address), [first, second]);
                Operation::CompareExchange { address, size, success, failure, expected, new, undefined }
            }
            _ => return None,
        })
    }
}

/// The new value of a location of `size` bytes. `None`: we have no exact model of the operation.
pub(crate) fn update(op: RmwOp, size: u8, old: u128, operand: u128) -> Option<u128> {
    let bits = 8 * size;
    let (x, y) = (sign_extend_wide(bits, old), sign_extend_wide(bits, operand));
    let pick = |first: bool| if first { old } else { operand };
    let float = |op| {
        let format = match size {
            4 => Float::F32,
            8 => Float::F64,
            _ => return None,
        };
        value::float(op, format, old, operand)
    };
    let new = match op {
        RmwOp::Xchg => operand,
        RmwOp::Add | RmwOp::PointerAdd => old.wrapping_add(operand),
        RmwOp::Sub | RmwOp::PointerSub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::SMax => pick(x >= y),
        RmwOp::SMin => pick(x <= y),
        RmwOp::UMax => pick(old >= operand),
        RmwOp::UMin => pick(old <= operand),
        RmwOp::FAdd => float(FloatOp::Add)?,
        RmwOp::FSub => float(FloatOp::Sub)?,
        RmwOp::FMax => float(FloatOp::MaxNum)?,
        RmwOp::FMin => float(FloatOp::MinNum)?,
        RmwOp::UIncWrap if old >= operand => 0,
        RmwOp::UIncWrap => old + 1,
        RmwOp::UDecWrap if old == 0 || old > operand => operand,
        RmwOp::UDecWrap => old - 1,
    };
    Some(mask(bits, new))
}

/// An atomic operation computes with bytes that were never written.
pub(crate) fn uninitialised() -> Halt {
    Halt::fault(Kind::Uninitialised, "an atomic operation depends on memory that was never written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_wrap_to_their_size() {
        assert_eq!(update(RmwOp::Add, 1, 0xff, 2), Some(1));
        assert_eq!(update(RmwOp::Sub, 4, 0, 1), Some(0xffff_ffff));
        assert_eq!(update(RmwOp::Nand, 2, 0xf0f0, 0xff00), Some(0x0fff));
        assert_eq!(update(RmwOp::SMax, 1, 0xff, 1), Some(1));
        assert_eq!(update(RmwOp::UMax, 1, 0xff, 1), Some(0xff));
        assert_eq!(update(RmwOp::SMin, 1, 0xff, 1), Some(0xff));
        assert_eq!(update(RmwOp::UMin, 1, 0xff, 1), Some(1));
        assert_eq!(update(RmwOp::UIncWrap, 4, 7, 7), Some(0));
        assert_eq!(update(RmwOp::UIncWrap, 4, 6, 7), Some(7));
        assert_eq!(update(RmwOp::UDecWrap, 4, 0, 7), Some(7));
        assert_eq!(update(RmwOp::UDecWrap, 4, 5, 7), Some(4));
        assert_eq!(update(RmwOp::Add, 16, u128::MAX, 2), Some(1));
    }
}
