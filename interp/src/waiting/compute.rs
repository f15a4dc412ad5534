//! What instructions come to whose operands a walker knows.
use crate::value;
use crate::waiting::open::is_of_words;
use crate::waiting::walker::{NOWHERE, Value, Walker};
use frontend::ir::{Bin, Inst, OverflowOp, WideOp, flags};
use std::collections::BTreeSet;

impl Walker<'_> {
    /// What an instruction comes to whose operands are all known.
    pub(super) fn computed(&self, inst: Inst) -> Option<u64> {
        let machine = self.machine;
        let wide = |op, b: Bin, x: u128, y: u128| value::wide(op, b.width, x, y).ok().map(|result| result as u64);
        Some(match inst {
            Inst::Add(b) => wide(WideOp::Add, b, self.left(b)?, self.exact(b, OverflowOp::SAdd)?)?,
            Inst::Sub(b) => wide(WideOp::Sub, b, self.left(b)?, self.exact(b, OverflowOp::SSub)?)?,
            Inst::Mul(b) => wide(WideOp::Mul, b, self.left(b)?, self.exact(b, OverflowOp::SMul)?)?,
            Inst::And(b) => wide(WideOp::And, b, self.left(b)?, self.right(b)?)?,
            Inst::Or(b) => wide(WideOp::Or, b, self.left(b)?, self.right(b)?)?,
            Inst::Xor(b) => wide(WideOp::Xor, b, self.left(b)?, self.right(b)?)?,
            Inst::UDiv(b) => wide(WideOp::UDiv, b, self.left(b)?, self.right(b)?)?,
            Inst::SDiv(b) => wide(WideOp::SDiv, b, self.left(b)?, self.right(b)?)?,
            Inst::URem(b) => wide(WideOp::URem, b, self.left(b)?, self.right(b)?)?,
            Inst::SRem(b) => wide(WideOp::SRem, b, self.left(b)?, self.right(b)?)?,
            Inst::Shl(b) => wide(WideOp::Shl, b, self.left(b)?, self.count(b)?)?,
            Inst::LShr(b) => wide(WideOp::LShr, b, self.left(b)?, self.count(b)?)?,
            Inst::AShr(b) => wide(WideOp::AShr, b, self.left(b)?, self.count(b)?)?,
            Inst::ICmp { predicate, width, a, b, .. } => {
                u64::from(value::compare(predicate, width, self.known(a)?, self.known(b)?))
            }
            Inst::Int { op, width, a, b, .. } => value::int_op(op, width, self.known(a)?, self.known(b)?)?,
            Inst::FunnelShift { left, width, a, b, c, .. } => {
                value::funnel_shift(left, width, self.known(a)?, self.known(b)?, self.known(c)?)
            }
            inst if !is_of_words(inst) => return None,
            Inst::Bits { op, width, a, .. } => value::bits_wide(op, width, self.known(a)?.into()) as u64,
            Inst::Float { op, format, a, b, .. } => {
                value::float(op, format, self.known(a)?.into(), self.known(b)?.into())? as u64
            }
            Inst::FloatUnary { op, format, a, .. } => value::float_unary(op, format, self.known(a)?.into())? as u64,
            Inst::FCmp { predicate, format, a, b, .. } => {
                let (a, b) = (self.known(a)?.into(), self.known(b)?.into());
                u64::from(value::compare_float(predicate, format, a, b))
            }
            Inst::Cast { kind, from, to, a, .. } => value::cast(kind, from, to, self.known(a)?.into())? as u64,
            Inst::Trunc { width, a, .. } => value::truncate(width, self.known(a)?),
            Inst::Sext { from, to, a, .. } => value::truncate(to, value::sign_extend(from, self.known(a)?) as u64),
            Inst::Address { base, index, scale, offset, .. } => {
                let (base, scaled) = (self.known(base)?, self.known(index)?.wrapping_mul(u64::from(scale)));
                let address = base.wrapping_add(scaled).wrapping_add_signed(i64::from(offset));
                machine.state.memory.derived(base, address & machine.program.pointer_mask)?
            }
            Inst::AddressOffset { base, offset, .. } => {
                let base = self.known(base)?;
                let address = base.wrapping_add_signed(offset) & machine.program.pointer_mask;
                machine.state.memory.derived(base, address)?
            }
            _ => return None,
        })
    }

    /// Whether an address that is computed is the same whatever is alive: it lies near the one that it is computed
    /// from.
    pub(super) fn is_certain(&self, inst: Inst) -> bool {
        let computed = match inst {
            Inst::Address { base, index, scale, offset, .. } => {
                let scaled = self.known(index).map(|index| index.wrapping_mul(scale.into()));
                (self.known(base), scaled.map(|scaled| scaled.wrapping_add_signed(offset.into())))
            }
            Inst::AddressOffset { base, offset, .. } => (self.known(base), Some(offset as u64)),
            _ => return false,
        };
        let (Some(base), Some(offset)) = computed else { return false };
        let address = base.wrapping_add(offset) & self.machine.program.pointer_mask;
        self.machine.state.memory.reach().stays(base, address)
    }

    fn left(&self, b: Bin) -> Option<u128> {
        self.known(b.a).map(u128::from)
    }

    fn right(&self, b: Bin) -> Option<u128> {
        self.known(b.b).map(u128::from)
    }

    /// The count of a shift; `None` if that is too much, or bits may get lost that must not.
    fn count(&self, b: Bin) -> Option<u128> {
        let count = self.known(b.b)?;
        (b.flags == 0 && count < b.width.into()).then_some(count.into())
    }

    /// The operand on the right; `None` if the result overflows where it must not.
    fn exact(&self, b: Bin, op: OverflowOp) -> Option<u128> {
        let (left, right) = (self.left(b)?, self.right(b)?);
        let must_not = b.flags & self.machine.program.checked_flags & flags::NSW != 0;
        (!(must_not && value::overflow_wide(op, b.width, left, right).1)).then_some(right)
    }

    /// What a value is of which a mask leaves some bits.
    pub(super) fn masked(&self, value: Value, mask: u64) -> Value {
        match (value, self.open) {
            (Value::Known(value), _) => Value::Known(value & mask),
            (Value::Own(..), _) if mask & self.machine.program.pointer_mask == self.machine.program.pointer_mask => {
                value
            }
            (Value::Own(..), _) => NOWHERE,
            (Value::Unknown(_), Some(open)) if mask != u64::MAX => {
                open.borrow_mut().name(Inst::Nop, [value, Value::Known(mask), Value::Known(0)])
            }
            (Value::Unknown(_), None) if mask != u64::MAX => NOWHERE,
            _ => value,
        }
    }

    /// Whether a condition holds, by which the thread decides; `None` if it is to be asked for first. (To decide by
    /// what was never given is an error.)
    pub(super) fn decide(&mut self, condition: Value) -> Option<bool> {
        let holds = self.holds(condition)?;
        if let (Value::Unknown(name), Some(open)) = (condition, self.open)
            && !open.borrow().is_given(name)
        {
            self.depends.push(condition);
        }
        Some(holds)
    }

    /// What has to have been given in full, each once.
    pub(super) fn depends(&self) -> BTreeSet<Value> {
        self.depends.iter().copied().collect()
    }

    fn holds(&self, condition: Value) -> Option<bool> {
        match condition {
            Value::Known(condition) => Some(condition & 1 != 0),
            Value::Unknown(name) => self.open?.borrow_mut().ask(name),
            Value::Own(..) => None,
        }
    }
}
