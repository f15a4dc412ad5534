//! Terms in memory: each byte knows of which term it is, and which byte of that.
use crate::machine::Machine;
use crate::memory::Mode;
use crate::step::Halt;
use crate::term::{Op, Term};
use crate::undefined::SYMBOLIC;
use crate::undefined::unwritten::AnyBits;
use frontend::ir::RmwOp;

impl Machine {
    /// What `size` bytes at an address are, of which `unwritten` says which memory does not know: if some are of terms,
    /// a term with its mark.
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

    /// The new value of an atomic location with its marks, where the old one or the operand depends on inputs.
    pub(crate) fn update_terms(
        &mut self,
        op: RmwOp,
        size: u8,
        old: ([u64; 2], [u64; 2]),
        given: ([u64; 2], [u64; 2]),
    ) -> Result<([u64; 2], [u64; 2]), Halt> {
        let bits = 8 * size;
        let (x, y) = (self.both_marked(old, size)?, self.both_marked(given, size)?);
        let binary = |machine: &mut Machine, op| machine.operation_on(op, x, y);
        let pick = |machine: &mut Machine, less, first: bool| {
            let smaller = machine.operation_on(less, x, y);
            let (a, b) = if first { (x, y) } else { (y, x) };
            machine.terms().ite(smaller, a, b)
        };
        let new = match op {
            RmwOp::Xchg => y,
            RmwOp::Add => binary(self, Op::Add),
            RmwOp::Sub => binary(self, Op::Sub),
            RmwOp::And => binary(self, Op::And),
            RmwOp::Or => binary(self, Op::Or),
            RmwOp::Xor => binary(self, Op::Xor),
            RmwOp::SMin => pick(self, Op::Slt, true),
            RmwOp::SMax => pick(self, Op::Slt, false),
            RmwOp::UMin => pick(self, Op::Ult, true),
            RmwOp::UMax => pick(self, Op::Ult, false),
            RmwOp::Nand => {
                let (both, ones) = (binary(self, Op::And), self.terms().constant(u128::MAX, bits));
                self.operation_on(Op::Xor, both, ones)
            }
            RmwOp::UIncWrap => {
                let (zero, one) = (self.terms().constant(0, bits), self.terms().constant(1, bits));
                let (less, more) = (self.operation_on(Op::Ult, x, y), self.operation_on(Op::Add, x, one));
                self.terms().ite(less, more, zero)
            }
            RmwOp::UDecWrap => {
                let (zero, one) = (self.terms().constant(0, bits), self.terms().constant(1, bits));
                let (is_zero, beyond) = (self.operation_on(Op::Eq, x, zero), self.operation_on(Op::Ult, y, x));
                let (wraps, less) = (self.operation_on(Op::Or, is_zero, beyond), self.operation_on(Op::Sub, x, one));
                self.terms().ite(wraps, y, less)
            }
            // (A term does not say to which object such an address belongs.)
            RmwOp::PointerAdd | RmwOp::PointerSub => {
                return Err(self.symbolic("how far an atomic operation moves a pointer"));
            }
            RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => {
                return Err(self.symbolic("an atomic operation on floating-point numbers"));
            }
        };
        let low = self.fit(new, bits.min(64));
        let high = (size > 8).then(|| self.terms().extract(new, 64, bits - 64));
        let word = |machine: &mut Machine, term: Term| match machine.terms().constant_value(term) {
            Some(value) => (value as u64, 0),
            None => (term.0.into(), SYMBOLIC),
        };
        let (low, high) = (word(self, low), high.map_or((0, 0), |high| word(self, high)));
        Ok(([low.0, high.0], [low.1, high.1]))
    }

    /// One or two words with their marks as a term.
    fn both_marked(&mut self, (words, marks): ([u64; 2], [u64; 2]), size: u8) -> Result<Term, Halt> {
        let low = self.marked((words[0], marks[0]), 8 * size.min(8))?;
        if size <= 8 {
            return Ok(low);
        }
        let high = self.marked((words[1], marks[1]), 8 * (size - 8))?;
        Ok(self.terms().concat(high, low))
    }

    /// A word with its mark as a term.
    pub(super) fn marked(&mut self, (word, mark): (u64, u64), bits: u8) -> Result<Term, Halt> {
        match mark {
            SYMBOLIC if self.lifelong.symbols.lacks_value(Term(word as u32)) => Err(self.mixed()),
            SYMBOLIC => Ok(self.fit(Term(word as u32), bits)),
            0 => Ok(self.terms().constant(word.into(), bits)),
            _ => Err(self.mixed()),
        }
    }
}
