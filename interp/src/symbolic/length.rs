//! How many bytes a range has, where that depends on inputs.
//!
//! One that leaves an object is a fault, whatever else is true of it: that is decided first. So a length that is left
//! is one of as many as the object has bytes, and it is found by halves: each path takes a few decisions, and no value
//! is asked for that cannot be.
use super::decide::Settled;
use crate::machine::Machine;
use crate::step::Halt;
use crate::term::{Op, Term};
use crate::undefined::SYMBOLIC;
use crate::verdict::fault::Kind;
use frontend::ir::{Inst, Operand};

/// Bytes up to which each length is tried.
const MOST_BYTES: u64 = 4096;

impl Machine {
    /// Makes the length of ranges that begin at these addresses concrete.
    pub(super) fn settle_length(&mut self, len: Operand, places: &[u64], what: &str) -> Result<Settled<()>, Halt> {
        let Some(term) = self.term_in(len) else { return Ok(Settled::Is(())) };
        let few = self.has_few_values(term)?;
        let room = places.iter().map(|place| {
            let object = self.state.memory.object_at(*place).filter(|object| object.live && *place >= object.base)?;
            (object.base + object.size).checked_sub(*place)
        });
        let room = room.min().flatten().filter(|room| *room <= MOST_BYTES);
        let (false, Some(room)) = (few, room) else { return self.concretise(len, what) };
        match self.at_most(term, room)? {
            Settled::Is(true) => {}
            Settled::Is(false) => {
                return Err(Halt::fault(Kind::Memory, "a range whose length depends on inputs leaves its object"));
            }
            Settled::Not(flow) => return Ok(Settled::Not(flow)),
        }
        let (mut low, mut high) = (0, room);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.at_most(term, middle)? {
                Settled::Is(true) => high = middle,
                Settled::Is(false) => low = middle + 1,
                Settled::Not(flow) => return Ok(Settled::Not(flow)),
            }
        }
        self.make_concrete(len, low.into());
        Ok(Settled::Is(()))
    }

    fn at_most(&mut self, term: Term, most: u64) -> Result<Settled<bool>, Halt> {
        let width = self.terms().width(term);
        if width < 64 && most >> width != 0 {
            return Ok(Settled::Is(true));
        }
        let most = self.terms().constant(most.into(), width);
        let more = self.operation_on(Op::Ult, most, term);
        Ok(match self.truth(more)? {
            Settled::Is(more) => Settled::Is(!more),
            Settled::Not(flow) => Settled::Not(flow),
        })
    }

    /// Prepares an instruction on ranges. True: it is done.
    pub(super) fn settle_ranges(&mut self, inst: Inst) -> Result<Settled<bool>, Halt> {
        let (to, from, len) = match inst {
            Inst::MemCopy { to, from, len } | Inst::MemMove { to, from, len } => (to, Some(from), len),
            Inst::MemSet { to, len, .. } => (to, None, len),
            _ => return Ok(Settled::Is(false)),
        };
        for address in [Some(to), from].into_iter().flatten() {
            if let Settled::Not(flow) = self.concretise(address, "an address")? {
                return Ok(Settled::Not(flow));
            }
        }
        let places: Vec<u64> = [Some(to), from].into_iter().flatten().map(|place| self.get(place)).collect();
        if let Settled::Not(flow) = self.settle_length(len, &places, "a length")? {
            return Ok(Settled::Not(flow));
        }
        let Inst::MemSet { to, value, len } = inst else { return Ok(Settled::Is(false)) };
        let (to, len) = (self.get(to), self.get(len));
        if self.shadow(value) != SYMBOLIC || self.state.memory.local_bytes(to, len) != len {
            return Ok(Settled::Is(false));
        }
        // (Whether all of it is there is looked at before anything is written, as ever.)
        self.fill(to, len, 0, 0)?;
        let byte = self.fit(Term(self.get(value) as u32), 8);
        for place in (to..).take(len as usize) {
            match self.terms().constant_value(byte) {
                Some(value) => self.store(place, 1, value as u64, 0)?,
                None => self.store(place, 1, byte.0.into(), SYMBOLIC)?,
            }
        }
        Ok(Settled::Is(true))
    }
}
