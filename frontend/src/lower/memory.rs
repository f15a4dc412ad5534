//! Loads, stores and stack objects.
use super::address::Address;
use super::constant::mask;
use super::function::{Body, Leaf};
use super::llvm::{Kind, LLVMAtomicOrdering, LLVMOpcode, Value};
use super::types::{Scalar, Shape};
use super::{Refusal, Res};
use crate::ir::{AllocaInfo, Inst, Operand, Slot, slots_of_bits};
use crate::load::Volatile;

impl Body<'_> {
    /// load, plain or atomic.
    pub(super) fn load(&mut self, inst: Value) -> Res<()> {
        self.ordinary(inst.operand(0))?;
        if inst.ordering() != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic && !inst.is_single_thread() {
            return self.atomic_load(inst);
        }
        if self.volatile_is_atomic(inst, inst) {
            return self.atomic_load(inst);
        }
        let shape = self.shape(inst)?;
        let address = self.address(inst.operand(0))?;
        let address = self.shared(address, &shape);
        if let Some(bits) = shape.packed {
            let loaded = self.load_packed(bits, shape.leaves.len() as u32, address)?;
            self.alias(inst, loaded.into());
            return Ok(());
        }
        let dst = self.define(inst)?;
        for (leaf, dst) in shape.leaves.iter().zip(dst) {
            self.load_scalar(leaf.scalar, dst, address.plus(leaf.offset));
        }
        Ok(())
    }

    /// store, plain or atomic.
    pub(super) fn store(&mut self, inst: Value) -> Res<()> {
        self.ordinary(inst.operand(1))?;
        if inst.ordering() != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic && !inst.is_single_thread() {
            return self.atomic_store(inst);
        }
        let value = inst.operand(0);
        if self.volatile_is_atomic(inst, value) {
            return self.atomic_store(inst);
        }
        let address = self.address(inst.operand(1))?;
        self.store_value(value, address)
    }

    /// Whether a load or store of that value is to be atomic because it is volatile. What could be, but is not to be,
    /// is marked.
    fn volatile_is_atomic(&mut self, inst: Value, value: Value) -> bool {
        if !inst.is_volatile() || !self.is_word(inst, value) || is_private(inst.operand(inst.operands() - 1)) {
            return false;
        }
        match self.context.volatile {
            Volatile::Atomic => self.context.made_atomic = true,
            Volatile::Plain => self.at_volatile(),
        }
        self.context.volatile == Volatile::Atomic
    }

    /// Whether processors load or store that value in one go: an aligned number of at most the size of a pointer.
    fn is_word(&self, inst: Value, value: Value) -> bool {
        let types = &self.context.types;
        let Some(scalar) = types.scalar(value.ty()).ok().filter(|_| !value.ty().is_vector()) else { return false };
        let bits = types.bits(scalar);
        matches!(bits, 8 | 16 | 32 | 64)
            && bits <= 8 * types.layout.pointer_bytes()
            && u64::from(bits) <= 8 * inst.alignment()
    }

    /// Stores all parts of a value.
    pub(super) fn store_value(&mut self, value: Value, address: Address) -> Res<()> {
        let shape = self.shape(value)?;
        let address = self.shared(address, &shape);
        let leaves = self.leaves(value)?;
        if let Some(bits) = shape.packed {
            return self.store_packed(bits, &leaves, address);
        }
        for (ty, leaf) in shape.leaves.iter().zip(leaves.iter()) {
            self.store_scalar(ty.scalar, *leaf, address.plus(ty.offset));
        }
        Ok(())
    }

    /// An address that several accesses use is computed once.
    fn shared(&mut self, address: Address, shape: &Shape) -> Address {
        if address.index.is_some() && shape.leaves.len() > 1 {
            return Address::at(self.materialise(address));
        }
        address
    }

    /// Base and offset, without an index, of an address.
    fn direct(&mut self, address: Address) -> (Operand, i32) {
        if address.index.is_none()
            && let Ok(offset) = i32::try_from(address.offset)
        {
            return (address.base, offset);
        }
        (self.materialise(address), 0)
    }

    /// Base, index, scale and offset, if an instruction can take them.
    fn indexed(address: Address, bits: u32) -> Option<(Operand, Operand, u16, i32)> {
        let (index, scale) = address.index?;
        let fits = matches!(bits, 8 | 16 | 32 | 64);
        let (scale, offset) = (u16::try_from(scale).ok()?, i32::try_from(address.offset).ok()?);
        fits.then_some((address.base, index, scale, offset))
    }

    /// Loads one scalar.
    pub(super) fn load_scalar(&mut self, scalar: Scalar, dst: Slot, address: Address) {
        let bits = self.context.types.bits(scalar);
        if let Some((base, index, scale, offset)) = Self::indexed(address, bits) {
            self.emit(Inst::LoadIndexed { size: (bits / 8) as u8, scale, dst, base, index, offset });
            return;
        }
        let (address, offset) = self.direct(address);
        self.emit(match bits {
            8 => Inst::Load8 { dst, address, offset },
            16 => Inst::Load16 { dst, address, offset },
            32 => Inst::Load32 { dst, address, offset },
            64 => Inst::Load64 { dst, address, offset },
            _ => Inst::LoadBits { bits: bits as u8, dst, address, offset },
        });
    }

    /// Stores one scalar.
    pub(super) fn store_scalar(&mut self, scalar: Scalar, leaf: Leaf, address: Address) {
        let bits = self.context.types.bits(scalar);
        let value = self.read(leaf, slots_of_bits(bits));
        if let Some((base, index, scale, offset)) = Self::indexed(address, bits) {
            self.emit(Inst::StoreIndexed { size: (bits / 8) as u8, scale, base, index, offset, value });
            return;
        }
        let (address, offset) = self.direct(address);
        self.emit(match bits {
            8 => Inst::Store8 { address, offset, value },
            16 => Inst::Store16 { address, offset, value },
            32 => Inst::Store32 { address, offset, value },
            64 => Inst::Store64 { address, offset, value },
            _ => Inst::StoreBits { bits: bits as u8, address, offset, value },
        });
    }

    /// Loads `n` elements of `bits` bits that lie bit after bit.
    fn load_packed(&mut self, bits: u32, n: u32, address: Address) -> Res<Vec<Leaf>> {
        let per_word = elements_per_word(bits)?;
        let mut leaves = Vec::with_capacity(n as usize);
        for first in (0..n).step_by(per_word as usize) {
            let here = (n - first).min(per_word);
            let word = self.unit(1);
            self.load_scalar(Scalar::Int(here * bits), word, address.plus(u64::from(first * bits / 8)));
            for i in 0..here {
                leaves.push(Leaf::At(self.bits_of(Operand::slot(word), here * bits, i * bits, bits)));
            }
        }
        Ok(leaves)
    }

    fn store_packed(&mut self, bits: u32, leaves: &[Leaf], address: Address) -> Res<()> {
        let per_word = elements_per_word(bits)?;
        for (number, group) in leaves.chunks(per_word as usize).enumerate() {
            let mut word = self.number(0);
            for (i, leaf) in group.iter().enumerate() {
                let a = self.read(*leaf, 1);
                word = self.or_shifted(word, a, i as u32 * bits);
            }
            let offset = number as u64 * u64::from(per_word * bits / 8);
            self.store_scalar(Scalar::Int(group.len() as u32 * bits), Leaf::At(word), address.plus(offset));
        }
        Ok(())
    }

    /// alloca.
    pub(super) fn alloca(&mut self, inst: Value) -> Res<()> {
        self.ordinary(inst)?;
        let ty = inst.allocated_type();
        if !ty.is_sized() {
            return Err(Refusal(format!("a stack object of type {}", ty.text())));
        }
        let count = inst.operand(0);
        let bits = self.bits(count)?;
        let count = match count.as_u64() {
            Some(n) => self.number(mask(n, bits)),
            None => self.operand(count)?,
        };
        let place = self.context.places.instruction(inst);
        let (name, location) = match self.variables.get(&inst) {
            Some(variable) => (variable.name.clone(), variable.location),
            None => (inst.name(), place),
        };
        let layout = self.context.types.layout;
        let info = AllocaInfo { size: layout.size(ty), align: inst.alignment().max(1), name, location };
        self.allocas.push(info);
        if let Some(ty) = self.variables.get(&inst).and_then(|variable| variable.ty) {
            self.context.names.stack_object(self.id, self.allocas.len() as u32 - 1, ty);
        }
        let dst = self.define_one(inst)?;
        self.emit(Inst::Alloca { info: self.allocas.len() as u32 - 1, dst, count });
        Ok(())
    }
}

/// Whether an address is that of a variable which is only loaded and stored by name.
fn is_private(address: Value) -> bool {
    let is_access = |user: Value| match user.opcode() {
        LLVMOpcode::LLVMLoad => true,
        LLVMOpcode::LLVMStore => user.operand(0) != address,
        LLVMOpcode::LLVMCall => user.callee().intrinsic().is_some_and(|name| name.starts_with("llvm.lifetime.")),
        _ => false,
    };
    let is_variable = address.kind() == Kind::Instruction && address.opcode() == LLVMOpcode::LLVMAlloca;
    is_variable && address.users().all(|user| user.kind() == Kind::Instruction && is_access(user))
}

fn elements_per_word(bits: u32) -> Res<u32> {
    if 64 % bits == 0 {
        return Ok(64 / bits);
    }
    Err(Refusal(format!("a vector of {bits}-bit elements in memory")))
}
