//! Instructions that read a term.
use super::address::{Place, accessed};
use super::arithmetic::Done;
use super::decide::Settled;
use crate::machine::Machine;
use crate::step::{Flow, Halt};
use crate::term::Op;
use crate::thread::After;
use crate::undefined::SYMBOLIC;
use frontend::ir::{AddressUse, Inst, Operand, Pc, Slot, Visitor};

/// The slots that an instruction reads.
fn operands(mut inst: Inst) -> Vec<Operand> {
    struct Reads(Vec<Operand>);
    impl Visitor for Reads {
        fn read(&mut self, operand: &mut Operand, slots: u32) {
            self.0.extend((0..slots).map(|i| operand.offset(i)));
        }
        fn write(&mut self, _: &mut Slot, _: u32) {}
    }
    let mut reads = Reads(Vec::new());
    inst.visit(&mut reads);
    reads.0
}

impl Machine {
    /// Executes an instruction that reads a term, as far as that is done on terms. `None`: it is to be executed as
    /// ever; what it needs to be concrete is so now.
    pub(crate) fn step_on_terms(&mut self, inst: Inst) -> Result<Option<Flow>, Halt> {
        match inst {
            Inst::Copy { dst, a } | Inst::Freeze { dst, a } => {
                self.move_slot(dst, a);
                return Ok(self.done());
            }
            Inst::CopyN { n, dst, a } => {
                (0..n).for_each(|i| self.move_slot(Slot(dst.0 + i), a.offset(i)));
                return Ok(self.done());
            }
            Inst::Select { dst, c, a, b } => return self.select(dst, c, a, b),
            Inst::Poison { dst, a, c } => {
                let c = self.term(c, 1)?;
                match self.truth(c)? {
                    Settled::Not(flow) => return Ok(Some(flow)),
                    Settled::Is(false) => self.move_slot(dst, a),
                    Settled::Is(true) => {
                        self.set(dst, 0);
                        self.mark_undefined(dst, u64::MAX);
                    }
                }
                return Ok(self.done());
            }
            Inst::Branch { condition, then, otherwise } => {
                let bit = self.term(condition, 1)?;
                return self.branch(bit, then, otherwise);
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                let (a, b) = (self.term(a, width)?, self.term(b, width)?);
                let bit = self.compare_terms(predicate, a, b);
                return self.branch(bit, then, otherwise);
            }
            Inst::Switch { table, width, value } => return self.switch(table, width, value),
            // (Where the bytes lie depends on inputs: they are not looked at.)
            Inst::UseAddress { what: AddressUse::Bytes, .. } => return Ok(self.done()),
            Inst::UseAddress { a, b, .. } => {
                self.use_terms(a, b);
                return Ok(self.done());
            }
            Inst::Address { dst, base, index, scale, offset } => {
                let place = Place { base, index: Some((index, scale.into())), offset: offset.into() };
                return self.address(dst, place);
            }
            Inst::AddressOffset { dst, base, offset } => {
                return self.address(dst, Place { base, index: None, offset });
            }
            // What an atomic operation does with terms, it says itself; a return hands them on.
            Inst::Return { value, .. } => return self.return_term(value),
            _ => {}
        }
        if let Some((place, len)) = accessed(inst) {
            let address = [Some(place.base), place.index.map(|(index, _)| index)];
            let symbolic = address.into_iter().flatten().any(|operand| self.term_in(operand).is_some());
            if !symbolic {
                return Ok(None);
            }
            let loaded = self.load_from_table(inst, place, len)?;
            return if loaded.is_some() { Ok(loaded) } else { self.settle_access(place, len) };
        }
        match self.compute_terms(inst)? {
            Done::Yes => return Ok(self.done()),
            Done::Before(flow) => return Ok(Some(flow)),
            Done::No => {}
        }
        match self.settle_ranges(inst)? {
            Settled::Is(true) => return Ok(self.done()),
            Settled::Is(false) => {}
            Settled::Not(flow) => return Ok(Some(flow)),
        }
        for operand in operands(inst) {
            if let Settled::Not(flow) = self.concretise(operand, "an operand of an instruction")? {
                return Ok(Some(flow));
            }
        }
        Ok(None)
    }

    fn done(&mut self) -> Option<Flow> {
        self.advance();
        Some(Flow::Next)
    }

    /// Copies a slot, whatever it holds.
    fn move_slot(&mut self, dst: Slot, a: Operand) {
        let (value, mark) = (self.get(a), self.shadow(a));
        self.set(dst, value);
        self.mark_undefined(dst, mark);
    }

    fn select(&mut self, dst: Slot, c: Operand, a: Operand, b: Operand) -> Result<Option<Flow>, Halt> {
        let bit = self.term(c, 1)?;
        let is_plain = |operand| match self.shadow(operand) {
            SYMBOLIC => true,
            0 => self.state.memory.object_at(self.get(operand)).is_none(),
            _ => false,
        };
        // Of two pointers to objects, and of a value that may be undefined, one is chosen.
        let both_plain = is_plain(a) && is_plain(b);
        if both_plain && self.terms().constant_value(bit).is_none() {
            let (a, b) = (self.term(a, 64)?, self.term(b, 64)?);
            let result = self.terms().ite(bit, a, b);
            self.put(dst, result);
            return Ok(self.done());
        }
        match self.truth(bit)? {
            Settled::Is(chosen) => self.move_slot(dst, if chosen { a } else { b }),
            Settled::Not(flow) => return Ok(Some(flow)),
        }
        Ok(self.done())
    }

    fn branch(&mut self, bit: crate::term::Term, then: Pc, otherwise: Pc) -> Result<Option<Flow>, Halt> {
        match self.truth(bit)? {
            Settled::Is(truth) => {
                self.go_to(if truth { then } else { otherwise });
                Ok(Some(Flow::Next))
            }
            Settled::Not(flow) => Ok(Some(flow)),
        }
    }

    /// Decides where it leads: cases that lead to one place are one outcome. The places are numbered from 1 on, 0 is
    /// the default.
    fn switch(&mut self, table: u32, width: u8, value: Operand) -> Result<Option<Flow>, Halt> {
        let function = self.thread(self.segment.current).top().function;
        let program = std::sync::Arc::clone(&self.program);
        let table = &program.module.functions[function.index()].switches[table as usize];
        let value = self.term(value, width)?;
        let mut targets = vec![table.default];
        // What has to hold for each of them. No two cases are the same, so nothing has to be said of the others.
        let mut conditions = vec![self.terms().truth(true)];
        let mut number = self.terms().constant(0, 32);
        for (case, target) in &table.cases {
            let case = self.terms().constant((*case).into(), width);
            let is_case = self.operation_on(Op::Eq, value, case);
            let index = targets.iter().position(|known| known == target).unwrap_or_else(|| {
                targets.push(*target);
                conditions.push(self.lifelong.symbols.terms.truth(false));
                targets.len() - 1
            });
            if index == 0 {
                continue;
            }
            let (index_term, is_not) = (self.terms().constant(index as u128, 32), self.terms().not(is_case));
            number = self.terms().ite(is_case, index_term, number);
            conditions[index] = self.operation_on(Op::Or, conditions[index], is_case);
            conditions[0] = self.operation_on(Op::And, conditions[0], is_not);
        }
        let numbers: Vec<u128> = (0..targets.len() as u128).collect();
        let list = self.lifelong.symbols.list(&numbers);
        self.lifelong.symbols.outcomes.entry(number).or_insert_with(|| conditions.into());
        match self.settle_value(number, list) {
            Settled::Is(number) => {
                self.go_to(targets[number as usize]);
                Ok(Some(Flow::Next))
            }
            Settled::Not(flow) => Ok(Some(flow)),
        }
    }

    fn address(&mut self, dst: Slot, place: Place) -> Result<Option<Flow>, Halt> {
        Ok(match self.compute_address(dst, place)? {
            Settled::Is(true) => self.done(),
            Settled::Is(false) => None,
            Settled::Not(flow) => Some(flow),
        })
    }

    /// A function returns a term: that is passed on to a call; others need a value.
    fn return_term(&mut self, value: Operand) -> Result<Option<Flow>, Halt> {
        match self.thread(self.segment.current).top().after {
            After::Call => Ok(None),
            // The status of the process is no part of the verdict.
            After::Main => {
                self.make_concrete(value, 0);
                Ok(None)
            }
            _ => match self.concretise(value, "what a thread returns")? {
                Settled::Is(()) => Ok(None),
                Settled::Not(flow) => Ok(Some(flow)),
            },
        }
    }
}
