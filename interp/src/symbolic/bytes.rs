//! Terms in memory: each byte knows of which term it is, and which byte of that.
use crate::machine::Machine;
use crate::memory::Mode;
use crate::step::Halt;
use crate::term::{Op, Term};
use crate::undefined::SYMBOLIC;
use crate::undefined::unwritten::AnyBits;
use frontend::ir::RmwOp;

impl Machine {
    /// What `size` bytes at an address are, of which `unwritten` says which memory does not know: if some are of terms, a
    /// term with its mark.
    pub(crate) fn load_term(
        &mut self,
        mode: Mode,
        address: u64,
        size: u64,
        value: u64,
        unwritten: u8,
    ) -> Result<Option<(u64, u64)>, Halt> {
        let Some(parts) = self.terms_in_memory(address, size, unwritten) else { return Ok(None) };
        let no_value = self.lifelong.symbols.no_value;
        let (mut known, mut any) = (value, None);
        let shadow = self.complete_load(address, &mut known, unwritten);
        let lacks = |i: u64| unwritten >> i & 1 != 0 && parts[i as usize].is_none();
        if mode != Mode::Atomic && (0..size).any(lacks) {
            any = self.any_bits(size);
        }
        let mut whole: Option<Term> = None;
        // What it is if no byte depends on inputs.
        let (mut plain, mut undefined, mut depends) = (0, 0, false);
        for (i, part) in (0..).zip(parts).take(size as usize) {
            let byte = match part {
                Some((term, byte)) => {
                    let width = self.terms().width(term);
                    let term = self.fit(term, width.max(8 * (byte + 1)));
                    self.terms().extract(term, 8 * byte, 8)
                }
                None if let (Some(AnyBits::Input(input)), true) = (&any, lacks(i)) => {
                    let (input, mask) = (*input, shadow >> (8 * i) & 0xff);
                    let (mask, rest) = (self.terms().constant(mask.into(), 8), known >> (8 * i) & !mask & 0xff);
                    let rest = self.terms().constant(rest.into(), 8);
                    let some = self.terms().extract(input, 8 * i as u8, 8);
                    let some = self.operation_on(Op::And, some, mask);
                    self.operation_on(Op::Or, some, rest)
                }
                None if unwritten >> i & 1 == 0 => self.terms().constant((value >> (8 * i) & 0xff).into(), 8),
                None if self.is_partly_known(address + i) => return Err(self.mixed()),
                None => no_value,
            };
            match self.terms().constant_value(byte) {
                Some(value) => plain |= (value as u64) << (8 * i),
                None if byte == no_value => undefined |= 0xff << (8 * i),
                None => depends = true,
            }
            whole = Some(match whole {
                None => byte,
                Some(below) => self.terms().concat(byte, below),
            });
        }
        let whole = whole.expect("an access has bytes");
        Ok(Some(if depends { (whole.0.into(), SYMBOLIC) } else { (plain, crate::undefined::plain(undefined)) }))
    }

    /// The new value of an atomic location of up to 8 bytes, and the old one, one of which is a term.
    pub(crate) fn update_terms(
        &mut self,
        op: RmwOp,
        size: u8,
        old: (u64, u64),
        given: (u64, u64),
    ) -> Result<(u64, u64), Halt> {
        let bits = 8 * size;
        let (x, y) = (self.marked(old, bits)?, self.marked(given, bits)?);
        let binary = |machine: &mut Machine, op| machine.operation_on(op, x, y);
        let pick = |machine: &mut Machine, less, first: bool| {
            let smaller = machine.operation_on(less, x, y);
            let (a, b) = if first { (x, y) } else { (y, x) };
            machine.terms().ite(smaller, a, b)
        };
        let new = match op {
            RmwOp::Xchg => y,
            RmwOp::Add | RmwOp::PointerAdd => binary(self, Op::Add),
            RmwOp::Sub | RmwOp::PointerSub => binary(self, Op::Sub),
            RmwOp::And => binary(self, Op::And),
            RmwOp::Or => binary(self, Op::Or),
            RmwOp::Xor => binary(self, Op::Xor),
            RmwOp::SMin => pick(self, Op::Slt, true),
            RmwOp::SMax => pick(self, Op::Slt, false),
            RmwOp::UMin => pick(self, Op::Ult, true),
            RmwOp::UMax => pick(self, Op::Ult, false),
            _ => return Err(self.symbolic("an atomic operation")),
        };
        Ok(match self.terms().constant_value(new) {
            Some(value) => (value as u64, 0),
            None => (new.0.into(), SYMBOLIC),
        })
    }

    /// A word with its mark as a term.
    fn marked(&mut self, (word, mark): (u64, u64), bits: u8) -> Result<Term, Halt> {
        match mark {
            SYMBOLIC if self.lifelong.symbols.lacks_value(Term(word as u32)) => Err(self.mixed()),
            SYMBOLIC => Ok(self.fit(Term(word as u32), bits)),
            0 => Ok(self.terms().constant(word.into(), bits)),
            _ => Err(self.mixed()),
        }
    }
}
