//! Loads from constant tables at an index that depends on inputs: what is loaded is a term of the index, without any
//! decision.
//!
//! Nobody writes to a constant, so it makes no difference to other threads which of its bytes are read. The entries
//! that an index may lead to are cut into *runs*: of equal values, or of values that grow by one from entry to entry
//! (as in the tables of `toupper`). The term is a binary choice between the runs. That is how `isalpha` and its
//! relatives are read, which glibc makes of tables.
use super::decide::Settled;
use crate::machine::Machine;
use crate::step::{Flow, Halt};
use crate::symbolic::address::Place;
use crate::term::{Op, Term};
use crate::verdict::fault::Kind;
use frontend::ir::{Inst, Slot};

/// Bytes of the largest table.
const LARGEST: u64 = 4096;

/// Runs beyond which the index is decided.
const MOST_RUNS: usize = 256;

/// Entries from a number on: `first`, growing by `step`, which is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    from: u64,
    first: u64,
    step: u64,
}

/// Cuts entries into runs, each as long as it can be.
fn runs(entries: &[u64], mask: u64) -> Vec<Run> {
    let mut all = Vec::new();
    let mut rest = entries;
    while let [first, ..] = rest {
        let grows = |step: u64| {
            let expected = (0..).map(|i: u64| first.wrapping_add(step.wrapping_mul(i)) & mask);
            rest.iter().zip(expected).take_while(|(entry, expected)| *entry == expected).count()
        };
        let (same, growing) = (grows(0), grows(1));
        let (step, len) = if growing > same { (1, growing) } else { (0, same) };
        all.push(Run { from: (entries.len() - rest.len()) as u64, first: *first, step });
        rest = &rest[len..];
    }
    all
}

impl Machine {
    /// Executes a load from a constant at an address that is a term. `None`: it is no such load, or too large for that.
    pub(super) fn load_from_table(&mut self, inst: Inst, place: Place, len: u64) -> Result<Option<Flow>, Halt> {
        let Some(dst) = loaded(inst) else { return Ok(None) };
        let Some(home) = self.home(place.base) else { return Ok(None) };
        let Some((base, bytes)) = self.state.memory.constant_at(home, LARGEST) else { return Ok(None) };
        let address = self.address_term(place)?;
        let Some(inside) = self.inside(home, address, len) else { return Ok(None) };
        match self.truth(inside)? {
            Settled::Is(true) => {}
            Settled::Is(false) => {
                return Err(Halt::fault(Kind::Memory, "an access at an address that depends on inputs"));
            }
            Settled::Not(flow) => return Ok(Some(flow)),
        }
        let bits = self.terms().width(address);
        let start = self.terms().constant(base.into(), bits);
        let distance = self.operation_on(Op::Sub, address, start);
        let facts = self.terms().facts(distance);
        let shift = facts.trailing_zeros().min(12);
        let low = u64::try_from(facts.low).unwrap_or(0) >> shift << shift;
        let high = u64::try_from(facts.high).unwrap_or(u64::MAX).min(bytes.len() as u64 - len);
        let entries: Vec<u64> = (low..=high).step_by(1 << shift).map(|at| entry(&bytes, at, len)).collect();
        if entries.is_empty() {
            return Ok(None);
        }
        // An address goes with its object.
        let pointers = len == self.program.pointer_bytes;
        if pointers && entries.iter().any(|entry| self.state.memory.object_at(*entry).is_some()) {
            return Ok(None);
        }
        let mut runs = runs(&entries, u64::MAX >> (64 - 8 * len));
        runs.iter_mut().for_each(|run| run.from += low >> shift);
        if runs.len() > MOST_RUNS {
            return Ok(None);
        }
        let index = self.terms().extract(distance, shift as u8, bits - shift as u8);
        let value = self.choice(&runs, index, 8 * len as u8);
        self.put_narrow(dst, value);
        self.advance();
        Ok(Some(Flow::Next))
    }

    /// The entry of that index, which is in one of these runs.
    fn choice(&mut self, runs: &[Run], index: Term, width: u8) -> Term {
        let bits = self.terms().width(index);
        if let [run] = runs {
            if run.step == 0 {
                return self.terms().constant(run.first.into(), width);
            }
            let first = self.terms().constant(run.first.wrapping_sub(run.from).into(), width);
            let index = self.fit(index, width);
            return self.operation_on(Op::Add, index, first);
        }
        let (front, back) = runs.split_at(runs.len() / 2);
        let middle = self.terms().constant(back[0].from.into(), bits);
        let before = self.operation_on(Op::Ult, index, middle);
        let (front, back) = (self.choice(front, index, width), self.choice(back, index, width));
        self.terms().ite(before, front, back)
    }
}

fn entry(bytes: &[u8], at: u64, len: u64) -> u64 {
    let bytes = &bytes[at as usize..(at + len) as usize];
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Where a plain load puts what it reads.
fn loaded(inst: Inst) -> Option<Slot> {
    match inst {
        Inst::Load8 { dst, .. }
        | Inst::Load16 { dst, .. }
        | Inst::Load32 { dst, .. }
        | Inst::Load64 { dst, .. }
        | Inst::LoadIndexed { dst, .. } => Some(dst),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_growing_runs() {
        let run = |from, first, step| Run { from, first, step };
        assert_eq!(runs(&[7, 7, 7, 3, 4, 5, 9], 0xff), [run(0, 7, 0), run(3, 3, 1), run(6, 9, 0)]);
        assert_eq!(runs(&[254, 255, 0, 1], 0xff), [run(0, 254, 1)]);
        assert_eq!(runs(&[], 0xff), []);
    }
}
