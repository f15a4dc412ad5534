//! Memory accesses of vectors whose lanes are switched on and off by a mask.
use super::address::Address;
use super::function::{Body, Leaf};
use super::llvm::Value;
use super::{Refusal, Res};
use crate::ir::{Inst, Operand, Slot};

/// Where the lanes are.
enum Lanes {
    /// At consecutive places behind one address.
    Row(Address),
    /// Each at its own address.
    Scattered(Vec<Operand>),
    /// The lanes that are on, packed, from the address in this slot, which moves on.
    Packed(Slot),
}

impl Body<'_> {
    /// Lowers the intrinsic if it is a masked access.
    pub(super) fn masked_intrinsic(&mut self, inst: Value, name: &str) -> Option<Res<()>> {
        Some(match name {
            "masked.load" => self.masked_load(inst),
            "masked.store" => self.masked_store(inst),
            "masked.gather" => self.gather_lanes(inst),
            "masked.scatter" => self.scatter_lanes(inst),
            "masked.expandload" => self.expand_load(inst),
            "masked.compressstore" => self.compress_store(inst),
            _ => return None,
        })
    }

    fn masked_load(&mut self, inst: Value) -> Res<()> {
        let lanes = Lanes::Row(Address::at(self.operand(inst.operand(0))?));
        self.load_lanes(inst, lanes, inst.operand(2), inst.operand(3))
    }

    fn masked_store(&mut self, inst: Value) -> Res<()> {
        let lanes = Lanes::Row(Address::at(self.operand(inst.operand(1))?));
        self.store_lanes(inst.operand(0), lanes, inst.operand(3))
    }

    fn gather_lanes(&mut self, inst: Value) -> Res<()> {
        let lanes = Lanes::Scattered(self.elements(inst.operand(0))?);
        self.load_lanes(inst, lanes, inst.operand(2), inst.operand(3))
    }

    fn scatter_lanes(&mut self, inst: Value) -> Res<()> {
        let lanes = Lanes::Scattered(self.elements(inst.operand(1))?);
        self.store_lanes(inst.operand(0), lanes, inst.operand(3))
    }

    fn expand_load(&mut self, inst: Value) -> Res<()> {
        let lanes = self.packed_lanes(inst.operand(0))?;
        self.load_lanes(inst, lanes, inst.operand(1), inst.operand(2))
    }

    fn compress_store(&mut self, inst: Value) -> Res<()> {
        let lanes = self.packed_lanes(inst.operand(1))?;
        self.store_lanes(inst.operand(0), lanes, inst.operand(2))
    }

    fn packed_lanes(&mut self, pointer: Value) -> Res<Lanes> {
        let a = self.operand(pointer)?;
        let dst = self.unit(1);
        self.emit(Inst::Copy { dst, a });
        Ok(Lanes::Packed(dst))
    }

    fn load_lanes(&mut self, inst: Value, lanes: Lanes, mask: Value, otherwise: Value) -> Res<()> {
        let shape = self.shape(inst)?;
        refuse_packed(shape.packed, inst)?;
        let mask = self.leaves(mask)?;
        let otherwise = self.leaves(otherwise)?;
        let dst = self.define(inst)?;
        for (i, dst) in dst.into_iter().enumerate() {
            let ty = shape.leaves[i];
            let slots = self.context.types.slots(ty.scalar);
            self.copy(dst, otherwise[i], slots);
            let size = u64::from(self.context.types.bits(ty.scalar) / 8);
            self.if_on(mask[i], |body| {
                let address = lanes.address(i, ty.offset);
                body.load_scalar(ty.scalar, dst, address);
                body.advance(&lanes, size);
            });
        }
        Ok(())
    }

    fn store_lanes(&mut self, value: Value, lanes: Lanes, mask: Value) -> Res<()> {
        let shape = self.shape(value)?;
        refuse_packed(shape.packed, value)?;
        let mask = self.leaves(mask)?;
        let leaves = self.leaves(value)?;
        for (i, leaf) in leaves.iter().enumerate() {
            let ty = shape.leaves[i];
            let size = u64::from(self.context.types.bits(ty.scalar) / 8);
            self.if_on(mask[i], |body| {
                let address = lanes.address(i, ty.offset);
                body.store_scalar(ty.scalar, *leaf, address);
                body.advance(&lanes, size);
            });
        }
        Ok(())
    }

    fn if_on(&mut self, on: Leaf, access: impl FnOnce(&mut Self)) {
        let condition = self.read(on, 1);
        match self.context.pool_number(condition) {
            Some(0) => {}
            Some(_) => access(self),
            None => {
                let (inside, behind) = (self.label(), self.label());
                self.branch_on(condition, inside, behind);
                self.bind(inside);
                access(self);
                self.emit(Inst::Jump { target: behind.pc() });
                self.bind(behind);
            }
        }
    }

    fn advance(&mut self, lanes: &Lanes, size: u64) {
        if let Lanes::Packed(dst) = *lanes {
            self.emit(Inst::AddressOffset { dst, base: Operand::slot(dst), offset: size.cast_signed() });
        }
    }
}

impl Lanes {
    fn address(&self, lane: usize, offset: u64) -> Address {
        match self {
            Lanes::Row(address) => address.plus(offset),
            Lanes::Scattered(addresses) => Address::at(addresses[lane]),
            Lanes::Packed(slot) => Address::at(Operand::slot(*slot)),
        }
    }
}

fn refuse_packed(packed: Option<u32>, v: Value) -> Res<()> {
    match packed {
        Some(_) => Err(Refusal(format!("a masked access of type {}", v.ty().text()))),
        None => Ok(()),
    }
}
