//! Programs of random instructions do the same in the quick form and instruction by instruction.
use super::Op;
use crate::tests::{Builder, Outcome, machine_with, run_machine, s};
use crate::verdict::fault::Kind;
use crate::{Checks, Options};
use frontend::ir::{AddressUse, Bin, Constant, FloatOp, Inst, IntPredicate, Operand, Pc, Slot, flags};
use random::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

const SLOTS: u32 = 6;
const PREDICATES: [IntPredicate; 10] = [
    IntPredicate::Eq,
    IntPredicate::Ne,
    IntPredicate::Ult,
    IntPredicate::Ule,
    IntPredicate::Ugt,
    IntPredicate::Uge,
    IntPredicate::Slt,
    IntPredicate::Sle,
    IntPredicate::Sgt,
    IntPredicate::Sge,
];

/// A random program, and where its constants are.
struct Writer {
    random: Random,
    constants: Vec<Operand>,
    global: Operand,
    /// The first of the slots that it uses.
    first: u32,
    code: Vec<Inst>,
    /// First instruction of the body, and the one behind it.
    body: (u32, u32),
}

impl Writer {
    fn slot(&mut self) -> Slot {
        Slot(self.first + self.random.below(u64::from(SLOTS)) as u32)
    }

    fn operand(&mut self) -> Operand {
        if self.random.below(3) == 0 { self.random.pick(&self.constants) } else { Operand::slot(self.slot()) }
    }

    fn target(&mut self) -> Pc {
        Pc(self.body.0 + self.random.below(u64::from(self.body.1 - self.body.0)) as u32)
    }

    fn bin(&mut self) -> Bin {
        let dst = self.slot();
        let a = if self.random.below(2) == 0 { Operand::slot(dst) } else { self.operand() };
        let width = self.random.pick(&[8, 32, 32, 64, 64]);
        Bin { width, flags: self.random.pick(&[0, flags::NSW]), dst, a, b: self.operand() }
    }

    /// An access, indexed by that slot if there is a choice.
    fn access(&mut self, index: Slot) -> Inst {
        let (dst, value) = (self.slot(), self.operand());
        let (size, scale, offset) = (self.random.pick(&[1, 2, 4, 8]), self.random.pick(&[1, 4, 8]), 64);
        let (base, index) = (self.global, Operand::slot(index));
        match self.random.below(12) {
            0 => Inst::Load8 { dst, address: base, offset },
            1 => Inst::Load16 { dst, address: base, offset },
            2 => Inst::Load32 { dst, address: base, offset },
            3 => Inst::Load64 { dst, address: base, offset },
            4 => Inst::Store8 { address: base, offset, value },
            5 => Inst::Store16 { address: base, offset, value },
            6 => Inst::Store32 { address: base, offset, value },
            7 => Inst::Store64 { address: base, offset, value },
            8 => Inst::Address { dst, base, index, scale: 8, offset: 0 },
            9 | 10 => Inst::LoadIndexed { size, scale, dst, base, index, offset },
            _ => Inst::StoreIndexed { size, scale, base, index, offset, value },
        }
    }

    fn branch(&mut self, a: Operand, width: u8) -> Inst {
        let predicate = if self.random.below(2) == 0 { IntPredicate::Slt } else { self.random.pick(&PREDICATES) };
        let b = self.operand();
        Inst::BranchICmp { predicate, width, a, b, then: self.target(), otherwise: self.target() }
    }

    fn some(&mut self) {
        let (dst, a) = (self.slot(), self.slot());
        match self.random.below(20) {
            0 | 1 => {
                let bin = self.bin();
                self.code.push(self.random.pick(&[
                    Inst::Add(bin),
                    Inst::Sub(bin),
                    Inst::Mul(bin),
                    Inst::Xor(bin),
                    Inst::And(bin),
                    Inst::Or(bin),
                    Inst::Shl(bin),
                    Inst::LShr(bin),
                ]));
            }
            2 | 3 => {
                let access = self.access(a);
                self.code.push(access);
            }
            4..=6 => {
                self.code.push(Inst::Sext { from: 32, to: 64, dst, a: Operand::slot(a) });
                let next = if self.random.below(4) == 0 { Inst::Add(self.bin()) } else { self.access(dst) };
                self.code.push(next);
            }
            7 => {
                let (width, a) = (self.random.pick(&[8, 32, 64]), self.operand());
                let branch = self.branch(a, width);
                self.code.push(branch);
            }
            8 => {
                let (a, b) = (Operand::slot(a), Operand::slot(self.slot()));
                let op = self.random.pick(&[FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div]);
                self.code.push(Inst::Float { op, format: frontend::ir::Float::F64, dst, a, b });
            }
            9 => {
                let (then, otherwise) = (self.target(), self.target());
                self.code.push(Inst::Branch { condition: Operand::slot(a), then, otherwise });
            }
            10 if self.random.below(4) == 0 => {
                let target = self.target();
                self.code.push(Inst::Jump { target });
            }
            11 => {
                let (width, bin, a) = (self.random.pick(&[8, 16, 32]), self.bin(), self.operand());
                let (from, to) = self.random.pick(&[(8, 16), (8, 64), (1, 32), (16, 32)]);
                self.code.push(self.random.pick(&[
                    Inst::Trunc { width, dst, a },
                    Inst::Sext { from, to, dst, a },
                    Inst::Copy { dst, a },
                    Inst::Mul(Bin { width: 32, ..bin }),
                ]));
            }
            12 | 13 => {
                let (width, a, b) = (self.random.pick(&[8, 32, 32, 64]), self.operand(), self.operand());
                let predicate = self.random.pick(&PREDICATES);
                self.code.push(Inst::ICmp { predicate, width, dst, a, b });
                let (condition, then, otherwise) = (Operand::slot(dst), self.target(), self.target());
                if self.random.below(4) != 0 {
                    self.code.push(Inst::Branch { condition, then, otherwise });
                }
            }
            14 => {
                let (mul, add) = (self.bin(), self.bin());
                self.code.push(Inst::Mul(Bin { width: 32, ..mul }));
                self.code.push(Inst::Add(Bin { width: 32, ..add }));
            }
            15 | 16 => {
                self.code.push(Inst::Sext { from: 32, to: 64, dst, a: Operand::slot(a) });
                let then = self.access(dst);
                let add = Inst::Add(Bin { width: 64, ..self.bin() });
                let then = if self.random.below(3) == 0 { add } else { then };
                self.code.push(then);
                let width = self.random.pick(&[32, 64]);
                let branch = self.branch(Operand::slot(a), width);
                self.code.push(branch);
            }
            17 => {
                let (a, target) = (Operand::slot(dst), self.target());
                let b = self.random.pick(&self.constants);
                self.code.push(Inst::Add(Bin { width: 32, flags: flags::NSW, dst, a, b }));
                self.code.push(Inst::Jump { target });
            }
            18 => {
                let (row, second, column, result) = (self.slot(), self.slot(), self.slot(), self.slot());
                let (offset, size) = (self.random.pick(&[0, 16]), self.random.pick(&[4, 8]));
                let (base, index) = (self.global, Operand::slot(dst));
                self.code.push(Inst::Sext { from: 32, to: 64, dst, a: Operand::slot(a) });
                self.code.push(Inst::Address { dst: row, base, index, scale: 16, offset });
                self.code.push(Inst::Sext { from: 32, to: 64, dst: column, a: Operand::slot(second) });
                let (base, index) = (Operand::slot(row), Operand::slot(column));
                let scale = u16::from(size);
                self.code.push(Inst::LoadIndexed { size, scale, dst: result, base, index, offset: 0 });
            }
            10 if self.random.below(4) == 0 => {
                let (a, b) = (Operand::slot(a), Operand::slot(dst));
                self.code.push(Inst::UseAddress { what: AddressUse::Order, a, b });
            }
            10 => self.code.push(Inst::AddressOffset { dst, base: Operand::slot(a), offset: 1 }),
            _ => {
                let width = self.random.pick(&[32, 64]);
                let (flags, b) = (self.random.pick(&[0, flags::NSW]), self.random.pick(&self.constants));
                self.code.push(Inst::Add(Bin { width, flags, dst: a, a: Operand::slot(a), b }));
                let branch = self.branch(Operand::slot(a), width);
                self.code.push(branch);
            }
        }
    }
}

fn program(seed: u64) -> Builder {
    let mut builder = Builder::new();
    let global = builder.global("memory", 256);
    let odd = [u64::MAX, 0xffff_ffff, 0x7fff_fffe, 0x8000_0000, 1 << 63, 40, 100, 1.5f64.to_bits()];
    let mut constants: Vec<Operand> = (0..16).map(Operand::constant).collect();
    constants.extend(odd.map(|bits| builder.constant(Constant::Bits(bits))));
    // Jumps go to the body, whose length is settled beforehand.
    let body = (SLOTS, SLOTS + 24);
    // Slots at the beginning of the window, at its end, and beyond it.
    let first = if seed.is_multiple_of(8) { 249 + 50 * (seed / 8 % 2) as u32 } else { 0 };
    let mut writer = Writer { random: Random(seed), constants, global, first, code: Vec::new(), body };
    for slot in first..first + SLOTS {
        let a = writer.random.pick(&writer.constants);
        writer.code.push(Inst::Copy { dst: Slot(slot), a });
    }
    while writer.code.len() < body.1 as usize {
        writer.some();
    }
    for slot in first + 1..first + SLOTS {
        let sum = Bin { width: 64, flags: 0, dst: Slot(first), a: s(first), b: s(slot) };
        let product = Bin { width: 64, flags: 0, dst: Slot(first), a: s(first), b: writer.constants[13] };
        writer.code.extend([Inst::Mul(product), Inst::Xor(sum)]);
    }
    writer.code.push(Inst::Return { n: 1, value: s(first) });
    builder.function("main", 0, first + SLOTS, writer.code, Vec::new());
    builder
}

#[test]
fn quick_is_the_same_as_slow() {
    let (mut seen, mut ended) = (BTreeSet::new(), 0);
    for seed in 0..12000 {
        let all = Checks::supported();
        let checks = if seed % 2 == 0 { all } else { all.without(Kind::Overflow) };
        let options = Options { max_steps: 2000, checks, ..Options::default() };
        let mut quick = machine_with(program(seed), options.clone());
        for ops in &*quick.program.quick {
            seen.extend(ops.iter().map(name));
        }
        let first = run_machine(&mut quick);
        ended += u32::from(first.is_ok());
        for accesses in [Op::Plain, Op::Complete] {
            let mut slow = machine_with(program(seed), options.clone());
            let form = |inst: &Inst| if is_access(inst) { accesses } else { Op::Plain };
            let program = Arc::make_mut(&mut slow.program);
            program.quick = program.module.functions.iter().map(|f| f.code.iter().map(form).collect()).collect();
            let second = run_machine(&mut slow);
            assert_eq!(format!("{first:?}"), format!("{second:?}"), "program {seed}, {accesses:?}");
            // The limit of steps is only looked at where a loop turns or the fast loop stops.
            if !matches!(first, Err(Outcome::Unknown(_))) {
                assert_eq!(quick.instructions(), slow.instructions(), "program {seed}, {accesses:?}");
            }
        }
    }
    assert!(ended > 500, "only {ended} programs end well");
    assert_eq!(seen.len(), 82, "every form occurs: {seen:?}");
}

fn is_access(inst: &Inst) -> bool {
    let text = format!("{inst:?}");
    text.starts_with("Load") || text.starts_with("Store")
}

fn name(op: &Op) -> String {
    let text = format!("{op:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}
