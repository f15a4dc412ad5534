//! Addresses that depend on inputs.
//!
//! A pointer that is computed from an object's address and from inputs stays a term as long as it stays in its object
//! (its end included): the thread decides that where the pointer is computed. So the term is the address that the
//! program gets in every case, as it would not be for one that has left its object (see `memory::stray`). If it may
//! leave, the pointer goes on with one value, and the verdict is at best unknown: enough to find a bug.
//!
//! An access decides whether it stays inside of the object, and is a fault if not. Then it decides on the address,
//! value by value. So what it touches is concrete, for dependencies, races and everything else.
use super::decide::Settled;
use crate::machine::Machine;
use crate::step::{Flow, Halt};
use crate::term::{Op, Term};
use crate::verdict::fault::Kind;
use frontend::ir::{Inst, Operand, Slot};

/// How an instruction computes an address.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) base: Operand,
    /// With its factor.
    pub(super) index: Option<(Operand, u64)>,
    pub(super) offset: i64,
}

impl Machine {
    fn address_bits(&self) -> u8 {
        8 * self.program.pointer_bytes as u8
    }

    /// The address as a term.
    pub(super) fn address_term(&mut self, place: Place) -> Result<Term, Halt> {
        let bits = self.address_bits();
        let base = self.term(place.base, bits)?;
        let offset = self.terms().constant(place.offset as u128, bits);
        let address = self.operation_on(Op::Add, base, offset);
        let Some((index, scale)) = place.index else { return Ok(address) };
        let (index, scale) = (self.term(index, bits)?, self.terms().constant(scale.into(), bits));
        let scaled = self.operation_on(Op::Mul, index, scale);
        Ok(self.operation_on(Op::Add, address, scaled))
    }

    /// An address of the object to which a pointer belongs, if that is known.
    pub(super) fn home(&self, base: Operand) -> Option<u64> {
        match self.term_in(base) {
            None => Some(self.get(base)),
            Some(term) => self.lifelong.symbols.homes.get(&term).copied(),
        }
    }

    /// Whether `len` bytes at a term lie in an object; `None` if there is no object.
    pub(super) fn inside(&mut self, home: u64, address: Term, len: u64) -> Option<Term> {
        let object = self.state.memory.object_at(home)?;
        let bits = self.address_bits();
        let Some(last) = object.size.checked_sub(len) else { return Some(self.terms().truth(false)) };
        let base = self.terms().constant(object.base.into(), bits);
        let distance = self.operation_on(Op::Sub, address, base);
        let last = self.terms().constant(last.into(), bits);
        let beyond = self.operation_on(Op::Ult, last, distance);
        Some(self.terms().not(beyond))
    }

    /// Makes the operands of an access concrete.
    pub(super) fn settle_access(&mut self, place: Place, len: u64) -> Result<Option<Flow>, Halt> {
        let operands = [Some(place.base), place.index.map(|(index, _)| index)];
        if let Some(home) = self.home(place.base) {
            let address = self.address_term(place)?;
            if let Some(inside) = self.inside(home, address, len) {
                match self.truth(inside)? {
                    Settled::Is(true) => {}
                    Settled::Is(false) => {
                        return Err(Halt::fault(Kind::Memory, "an access at an address that depends on inputs"));
                    }
                    Settled::Not(flow) => return Ok(Some(flow)),
                }
            }
        }
        for operand in operands.into_iter().flatten() {
            if let Settled::Not(flow) = self.concretise(operand, "an address")? {
                return Ok(Some(flow));
            }
        }
        Ok(None)
    }

    /// Computes a pointer. True: it is done; false: all that it is computed from is concrete now.
    pub(super) fn compute_address(&mut self, dst: Slot, place: Place) -> Result<Settled<bool>, Halt> {
        let operands = [Some(place.base), place.index.map(|(index, _)| index)];
        let home = self.home(place.base);
        let address = self.address_term(place)?;
        let inside = home.and_then(|home| Some((home, self.inside(home, address, 0)?)));
        let Some((home, inside)) = inside else {
            for operand in operands.into_iter().flatten() {
                if let Settled::Not(flow) = self.concretise(operand, "a pointer")? {
                    return Ok(Settled::Not(flow));
                }
            }
            return Ok(Settled::Is(false));
        };
        match self.truth(inside)? {
            Settled::Is(true) => {
                let known = *self.lifelong.symbols.homes.entry(address).or_insert(home);
                let object = |at| self.state.memory.object_at(at).map(|object| object.base);
                if object(known) != object(home) {
                    return Err(self.symbolic("a pointer that may belong to two objects"));
                }
                self.put(dst, address);
                Ok(Settled::Is(true))
            }
            Settled::Is(false) => {
                for operand in operands.into_iter().flatten() {
                    self.pin(operand, "a pointer that depends on inputs leaves its object")?;
                }
                Ok(Settled::Is(false))
            }
            Settled::Not(flow) => Ok(Settled::Not(flow)),
        }
    }

    /// Numbers are used in a way that may depend on where objects lie: it does, if they are computed from addresses.
    pub(super) fn use_terms(&mut self, a: Operand, b: Operand) {
        let led = [a, b].into_iter().any(|operand| match self.term_in(operand) {
            None => self.state.memory.object_at(self.get(operand)).is_some(),
            Some(term) => self.mentions_address(term),
        });
        self.state.memory.layout_matters |= led;
    }

    /// Whether an address is among the constants of a term.
    fn mentions_address(&self, term: Term) -> bool {
        let terms = &self.lifelong.symbols.terms;
        let (mut open, mut seen) = (vec![term], rustc_hash::FxHashSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let value = terms.constant_value(term).and_then(|value| u64::try_from(value).ok());
            if value.is_some_and(|value| self.state.memory.object_at(value).is_some()) {
                return true;
            }
            open.extend(terms.node(term).parts());
        }
        false
    }
}

/// How an access computes its address, and how many bytes it touches.
pub(super) fn accessed(inst: Inst) -> Option<(Place, u64)> {
    let near = |base, offset: i32| Place { base, index: None, offset: offset.into() };
    Some(match inst {
        Inst::Load8 { address, offset, .. } | Inst::Store8 { address, offset, .. } => (near(address, offset), 1),
        Inst::Load16 { address, offset, .. } | Inst::Store16 { address, offset, .. } => (near(address, offset), 2),
        Inst::Load32 { address, offset, .. } | Inst::Store32 { address, offset, .. } => (near(address, offset), 4),
        Inst::Load64 { address, offset, .. } | Inst::Store64 { address, offset, .. } => (near(address, offset), 8),
        Inst::LoadBits { bits, address, offset, .. } | Inst::StoreBits { bits, address, offset, .. } => {
            (near(address, offset), u64::from(bits).div_ceil(8))
        }
        Inst::LoadIndexed { size, scale, base, index, offset, .. }
        | Inst::StoreIndexed { size, scale, base, index, offset, .. } => {
            let index = Some((index, u64::from(scale)));
            (Place { base, index, offset: offset.into() }, size.into())
        }
        Inst::AtomicLoad { size, address, .. }
        | Inst::AtomicStore { size, address, .. }
        | Inst::AtomicRmw { size, address, .. }
        | Inst::CompareExchange { size, address, .. } => (near(address, 0), size.into()),
        _ => return None,
    })
}
