//! Addresses that are computed where they are used.
use super::constant::{Linear, Step};
use super::function::{Body, Leaf};
use super::llvm::{Kind, LLVMAtomicOrdering, LLVMOpcode, Value};
use super::{Refusal, Res};
use crate::ir::{Bin, Constant, Inst, Operand, Slot};

/// `base + index·scale + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Operand,
    pub(super) index: Option<(Operand, u32)>,
    pub(super) offset: i64,
}

impl Address {
    /// The address that an operand holds.
    pub(super) fn at(base: Operand) -> Self {
        Address { base, index: None, offset: 0 }
    }

    /// `bytes` further.
    pub(super) fn plus(self, bytes: u64) -> Self {
        Address { offset: self.offset.wrapping_add(bytes.cast_signed()), ..self }
    }
}

impl Body<'_> {
    /// The address that a pointer is, for a load or store that can take in its parts.
    pub(super) fn address(&mut self, pointer: Value) -> Res<Address> {
        self.context.types.scalar(pointer.ty())?;
        if let Some(address) = self.addresses.get(&pointer) {
            return Ok(*address);
        }
        if pointer.is_constant()
            && let Ok(linear) = self.context.linear(pointer)
            && !linear.is_number()
        {
            let bits = self.context.types.pointer_bits;
            let constant = self.context.linear_constant(Linear { offset: 0, ..linear }, bits)?;
            return Ok(Address { base: self.context.pool.one(constant), index: None, offset: linear.offset });
        }
        Ok(Address::at(self.operand(pointer)?))
    }

    /// getelementptr.
    pub(super) fn gep(&mut self, gep: Value) -> Res<()> {
        if gep.ty().is_vector() {
            return self.vector_gep(gep);
        }
        let address = self.gep_address(gep)?;
        if gep.kind() == Kind::Instruction && gep.users().all(|user| takes_in(user, gep, address)) {
            self.addresses.insert(gep, address);
            return Ok(());
        }
        if let (None, 0) = (address.index, address.offset) {
            self.alias(gep, [Leaf::At(address.base)].into());
        } else {
            let dst = self.define_one(gep)?;
            self.write_address(dst, address);
        }
        Ok(())
    }

    fn gep_address(&mut self, gep: Value) -> Res<Address> {
        let mut address = self.address(gep.operand(0))?;
        for step in self.context.gep_steps(gep)? {
            match step {
                Step::Constant(bytes) => address.offset = address.offset.wrapping_add(bytes),
                Step::Variable { scale: 0, .. } => {}
                Step::Variable { index, scale } => {
                    let leaf = self.leaves(index)?[0];
                    let index = self.index(index, leaf)?;
                    address = self.add_index(address, index, scale)?;
                }
            }
        }
        Ok(address)
    }

    /// What an atomic addition to a pointer, or a subtraction from it, has left there: `atomicrmw` gives the old value,
    /// from which the new one is computed as a number.
    pub(super) fn moved_pointer(&mut self, sum: Value) -> Res<()> {
        let (base, mut by) = (self.operand(sum.operand(0))?, self.operand(sum.operand(1))?);
        if sum.opcode() == LLVMOpcode::LLVMSub {
            let (dst, a) = (self.unit(1), self.number(0));
            self.emit(Inst::Sub(Bin { width: self.context.types.pointer_bits as u8, flags: 0, dst, a, b: by }));
            by = Operand::slot(dst);
        }
        let dst = self.define_one(sum)?;
        self.write_address(dst, Address { base, index: Some((by, 1)), offset: 0 });
        Ok(())
    }

    fn vector_gep(&mut self, gep: Value) -> Res<()> {
        self.scalar(gep)?;
        let dst = self.define(gep)?;
        let base = gep.operand(0);
        for (lane, dst) in dst.into_iter().enumerate() {
            let leaves = self.leaves(base)?;
            let leaf = leaves[if base.ty().is_vector() { lane } else { 0 }];
            let mut address = Address::at(self.read(leaf, 1));
            for step in self.context.gep_steps(gep)? {
                match step {
                    Step::Constant(bytes) => address.offset = address.offset.wrapping_add(bytes),
                    Step::Variable { scale: 0, .. } => {}
                    Step::Variable { index, scale } => {
                        let leaves = self.leaves(index)?;
                        let leaf = leaves[if index.ty().is_vector() { lane } else { 0 }];
                        let index = self.index(index, leaf)?;
                        address = self.add_index(address, index, scale)?;
                    }
                }
            }
            self.write_address(dst, address);
        }
        Ok(())
    }

    /// An index in the width of a pointer.
    pub(super) fn index(&mut self, index: Value, leaf: Leaf) -> Res<Operand> {
        let bits = self.bits(index)?;
        let pointer_bits = self.context.types.pointer_bits;
        let a = self.read(leaf, crate::ir::slots_of_bits(bits));
        if bits == pointer_bits || (bits > 64 && pointer_bits == 64) {
            // The low word of a wider one is its first slot.
            return Ok(a);
        }
        if let (Some(number), true) = (self.context.pool_number(a), bits <= 64) {
            let shift = 64 - bits;
            let extended = (number << shift).cast_signed() >> shift;
            return Ok(self.number(super::constant::mask(extended.cast_unsigned(), pointer_bits)));
        }
        let dst = self.unit(1);
        self.emit(if bits < pointer_bits {
            Inst::Sext { from: bits as u8, to: pointer_bits as u8, dst, a }
        } else {
            Inst::Trunc { width: pointer_bits as u8, dst, a }
        });
        Ok(Operand::slot(dst))
    }

    fn add_index(&mut self, address: Address, index: Operand, scale: u64) -> Res<Address> {
        let address = match address.index {
            None => address,
            // A second index needs the sum so far.
            Some(_) => Address::at(self.materialise(address)),
        };
        let (index, scale) = match u32::try_from(scale) {
            Ok(scale) => (index, scale),
            Err(_) => {
                let dst = self.unit(1);
                let b = self.number(scale);
                self.emit(Inst::Mul(Bin { width: 64, flags: 0, dst, a: index, b }));
                (Operand::slot(dst), 1)
            }
        };
        if let Some(number) = self.context.pool_number(index) {
            let bytes = number.wrapping_mul(u64::from(scale));
            return Ok(address.plus(bytes));
        }
        Ok(Address { index: Some((index, scale)), ..address })
    }

    /// An operand that holds the address.
    pub(super) fn materialise(&mut self, address: Address) -> Operand {
        if address.index.is_none() {
            if address.offset == 0 {
                return address.base;
            }
            if let Some(folded) = self.context.fold_offset(address.base, address.offset) {
                return folded;
            }
        }
        let dst = self.unit(1);
        self.write_address(dst, address);
        Operand::slot(dst)
    }

    fn write_address(&mut self, dst: Slot, address: Address) {
        let Address { base, index, offset } = address;
        let (base, offset) = match (index, i32::try_from(offset)) {
            (None, _) => {
                return match self.context.fold_offset(base, offset) {
                    Some(a) => self.emit(Inst::Copy { dst, a }),
                    None => self.emit(Inst::AddressOffset { dst, base, offset }),
                };
            }
            (Some(_), Ok(offset)) => (base, offset),
            (Some(_), Err(_)) => {
                let far = self.unit(1);
                self.emit(Inst::AddressOffset { dst: far, base, offset });
                (Operand::slot(far), 0)
            }
        };
        let (index, scale) = index.expect("handled above");
        self.emit(Inst::Address { dst, base, index, scale, offset });
    }

    /// The address of a pointer as an operand.
    pub(super) fn pointer(&mut self, pointer: Value) -> Res<Operand> {
        let address = self.address(pointer)?;
        Ok(self.materialise(address))
    }

    /// Refused unless every pointer of this type is an ordinary one.
    pub(super) fn ordinary(&self, pointer: Value) -> Res<()> {
        let ty = pointer.ty();
        if ty.is_pointer() && ty.address_space() != 0 {
            return Err(Refusal(format!("access to address space {}", ty.address_space())));
        }
        Ok(())
    }
}

impl super::Context {
    /// The number that an operand is, if it is one.
    pub(super) fn pool_number(&self, operand: Operand) -> Option<u64> {
        operand.as_constant().and_then(|_| self.pool.number(operand))
    }

    /// A constant address further on, if the base is one.
    fn fold_offset(&mut self, base: Operand, offset: i64) -> Option<Operand> {
        let constant = match self.pool.get(base.as_constant()?) {
            Constant::Global(id, at) => Constant::Global(id, at.wrapping_add(offset)),
            Constant::Function(id, at) => Constant::Function(id, at.wrapping_add(offset)),
            Constant::Bits(bits) => {
                let bits = bits.wrapping_add_signed(offset);
                Constant::Bits(super::constant::mask(bits, self.types.pointer_bits))
            }
            Constant::Block(..) | Constant::Difference { .. } => return None,
        };
        Some(self.pool.one(constant))
    }
}

/// Whether `user` computes the address itself.
fn takes_in(user: Value, gep: Value, address: Address) -> bool {
    if user.kind() != Kind::Instruction {
        return false;
    }
    match user.opcode() {
        LLVMOpcode::LLVMLoad => user.ordering() == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic,
        LLVMOpcode::LLVMStore => {
            user.operand(0) != gep && user.ordering() == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
        }
        LLVMOpcode::LLVMGetElementPtr => {
            let constant = (1..user.operands()).all(|i| user.operand(i).is_constant());
            !user.ty().is_vector() && (constant || address.index.is_none())
        }
        _ => false,
    }
}
