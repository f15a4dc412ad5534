//! Programs of one thread.
use super::build::site;
use super::{Builder, Outcome, c, machine_with, run, run_machine, s};
use crate::verdict::fault::Kind;
use crate::{Checks, Options};
use frontend::ir::{Bin, Constant, DataModel, Inst, IntPredicate, Pc, Slot, flags};

fn bin(dst: u32, a: frontend::ir::Operand, b: frontend::ir::Operand) -> Bin {
    Bin { width: 32, flags: flags::NSW, dst: Slot(dst), a, b }
}

fn ret(value: frontend::ir::Operand) -> Inst {
    Inst::Return { n: 1, value }
}

/// main with this code and these calls.
fn main_of(mut builder: Builder, slots: u32, code: Vec<Inst>, calls: Vec<frontend::ir::CallSite>) -> Builder {
    builder.function("main", 0, slots, code, calls);
    builder
}

#[test]
fn a_loop_sums_up() {
    // r0 = sum, r1 = i: for (i = 0; i < 10; i++) sum += i.
    let code = vec![
        Inst::Copy { dst: Slot(0), a: c(0) },
        Inst::Copy { dst: Slot(1), a: c(0) },
        Inst::BranchICmp { predicate: IntPredicate::Slt, width: 32, a: s(1), b: c(10), then: Pc(3), otherwise: Pc(6) },
        Inst::Add(bin(0, s(0), s(1))),
        Inst::Add(bin(1, s(1), c(1))),
        Inst::Jump { target: Pc(2) },
        ret(s(0)),
    ];
    assert_eq!(run(main_of(Builder::new(), 2, code, vec![])).expect("it ends"), 45);
}

#[test]
fn calls_recurse_and_return() {
    // f(n) = n < 2 ? n : f(n-1) + f(n-2).
    let mut builder = Builder::new();
    let fib = frontend::ir::FuncId(0);
    let code = vec![
        Inst::BranchICmp { predicate: IntPredicate::Slt, width: 32, a: s(0), b: c(2), then: Pc(7), otherwise: Pc(1) },
        Inst::Sub(bin(1, s(0), c(1))),
        Inst::Call { site: 0, callee: fib },
        Inst::Sub(bin(1, s(0), c(2))),
        Inst::Call { site: 1, callee: fib },
        Inst::Add(bin(2, s(2), s(3))),
        ret(s(2)),
        ret(s(0)),
    ];
    builder.function("fib", 1, 4, code, vec![site(&[s(1)], Some(2)), site(&[s(1)], Some(3))]);
    let code = vec![Inst::Call { site: 0, callee: fib }, ret(s(0))];
    assert_eq!(run(main_of(builder, 1, code, vec![site(&[c(11)], Some(0))])).expect("it ends"), 89);
}

#[test]
fn memory_and_stack_objects() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut builder = Builder::of(model);
        let global = builder.global("g", 8);
        let code = vec![
            Inst::Alloca { info: 0, dst: Slot(0), count: c(2) },
            Inst::Store32 { address: s(0), offset: 12, value: c(7) },
            Inst::Load32 { dst: Slot(1), address: s(0), offset: 12 },
            Inst::Store32 { address: global, offset: 4, value: s(1) },
            Inst::LoadIndexed { size: 4, scale: 4, dst: Slot(1), base: global, index: c(1), offset: 0 },
            ret(s(1)),
        ];
        assert_eq!(run(main_of(builder, 2, code, vec![])).expect("it ends"), 7);
    }
}

#[test]
fn accesses_out_of_bounds_are_found() {
    let code = vec![
        Inst::Alloca { info: 0, dst: Slot(0), count: c(1) },
        Inst::Store32 { address: s(0), offset: 8, value: c(7) },
        ret(c(0)),
    ];
    let (kind, message) = run(main_of(Builder::new(), 1, code, vec![])).expect_err("it fails").fault();
    assert_eq!(kind, Kind::Memory);
    assert!(message.contains("out of bounds"), "{message}");
}

#[test]
fn overflow_and_division() {
    let mut builder = Builder::new();
    let largest = builder.constant(Constant::Bits(0x7fff_ffff));
    let code = vec![Inst::Add(bin(0, largest, c(1))), ret(s(0))];
    let (kind, message) = run(main_of(builder, 1, code.clone(), vec![])).expect_err("it fails").fault();
    assert_eq!(kind, Kind::Overflow);
    assert!(message.contains("2147483647 + 1"), "{message}");

    let mut unchecked = Builder::new();
    unchecked.constant(Constant::Bits(0x7fff_ffff));
    let options = Options { checks: Checks::supported().without(Kind::Overflow), ..Options::default() };
    let mut machine = machine_with(main_of(unchecked, 1, code, vec![]), options);
    assert_eq!(run_machine(&mut machine).expect("it wraps"), 0x8000_0000);

    let code = vec![Inst::SDiv(bin(0, c(1), c(0))), ret(s(0))];
    let (kind, message) = run(main_of(Builder::new(), 1, code, vec![])).expect_err("it fails").fault();
    assert_eq!((kind, message.as_str()), (Kind::Overflow, "division by zero"));
}

#[test]
fn undefined_values_may_travel_but_not_decide() {
    // A local that was never written is copied about, through memory too; then a branch depends on it.
    let mut builder = Builder::new();
    let global = builder.global("g", 8);
    let travel = vec![
        Inst::Alloca { info: 0, dst: Slot(0), count: c(1) },
        Inst::Load32 { dst: Slot(1), address: s(0), offset: 0 },
        Inst::Add(bin(1, s(1), c(1))),
        Inst::Store32 { address: global, offset: 0, value: s(1) },
        Inst::Load32 { dst: Slot(2), address: global, offset: 0 },
    ];
    let mut decide = travel.clone();
    decide.push(Inst::BranchICmp {
        predicate: IntPredicate::Eq,
        width: 32,
        a: s(2),
        b: c(0),
        then: Pc(6),
        otherwise: Pc(6),
    });
    decide.push(ret(c(0)));
    let mut overwrite = travel;
    overwrite.push(Inst::Copy { dst: Slot(2), a: c(3) });
    overwrite.push(Inst::Store32 { address: global, offset: 0, value: s(2) });
    overwrite.push(Inst::Load32 { dst: Slot(2), address: global, offset: 0 });
    overwrite.push(Inst::Branch { condition: s(2), then: Pc(9), otherwise: Pc(9) });
    overwrite.push(ret(s(2)));

    let mut again = Builder::new();
    again.global("g", 8);
    assert_eq!(run(main_of(again, 3, overwrite, vec![])).expect("it ends"), 3);
    let (kind, _) = run(main_of(builder, 3, decide, vec![])).expect_err("it fails").fault();
    assert_eq!(kind, Kind::Uninitialised);
}

#[test]
fn loops_without_end_are_proved() {
    let code = vec![Inst::Jump { target: Pc(0) }];
    let (kind, _) = run(main_of(Builder::new(), 1, code, vec![])).expect_err("it fails").fault();
    assert_eq!(kind, Kind::EndlessLoop);

    // A long period: the loop counts to 5000 and starts again.
    let mut builder = Builder::new();
    let bound = builder.constant(Constant::Bits(5000));
    let code = vec![
        Inst::Copy { dst: Slot(0), a: c(0) },
        Inst::Add(bin(0, s(0), c(1))),
        Inst::BranchICmp { predicate: IntPredicate::Ult, width: 32, a: s(0), b: bound, then: Pc(1), otherwise: Pc(0) },
    ];
    let (kind, _) = run(main_of(builder, 1, code, vec![])).expect_err("it fails").fault();
    assert_eq!(kind, Kind::EndlessLoop);
}

#[test]
fn counting_loops_end_at_the_limit() {
    let code = vec![
        Inst::Copy { dst: Slot(0), a: c(0) },
        Inst::Add(Bin { width: 64, flags: 0, dst: Slot(0), a: s(0), b: c(1) }),
        Inst::Jump { target: Pc(1) },
    ];
    let options = Options { max_steps: 100_000, ..Options::default() };
    let mut machine = machine_with(main_of(Builder::new(), 1, code, vec![]), options);
    match run_machine(&mut machine) {
        Err(Outcome::Unknown(reason)) => assert!(reason.contains("100000 instructions"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_nobody_knows_is_unknown_when_reached() {
    let mut builder = Builder::new();
    let strange = builder.declare("strange");
    let code = vec![Inst::Call { site: 0, callee: strange }, ret(c(0))];
    match run(main_of(builder, 1, code, vec![site(&[], None)])) {
        Err(Outcome::Unknown(reason)) => assert!(reason.contains("`strange`"), "{reason}"),
        other => panic!("{other:?}"),
    }
    let mut builder = Builder::new();
    builder.declare("strange");
    assert_eq!(run(main_of(builder, 1, vec![ret(c(5))], vec![])).expect("not reached"), 5);
}

#[test]
fn functions_at_exit_run_backwards() {
    let mut builder = Builder::new();
    let global = builder.global("g", 8);
    let (at_exit, exit, assert) = (builder.declare("at_exit"), builder.declare("exit"), builder.declare("assert"));
    // first: g must be 2. second: g = 2.
    let first = vec![
        Inst::Load32 { dst: Slot(0), address: global, offset: 0 },
        Inst::ICmp { predicate: IntPredicate::Eq, width: 32, dst: Slot(0), a: s(0), b: c(2) },
        Inst::Call { site: 0, callee: assert },
        Inst::Return { n: 0, value: c(0) },
    ];
    let first = builder.function("first", 0, 1, first, vec![site(&[s(0)], None)]);
    let second = vec![Inst::Store32 { address: global, offset: 0, value: c(2) }, Inst::Return { n: 0, value: c(0) }];
    let second = builder.function("second", 0, 1, second, vec![]);
    let (first, second) =
        (builder.constant(Constant::Function(first, 0)), builder.constant(Constant::Function(second, 0)));
    let code = vec![
        Inst::Call { site: 0, callee: at_exit },
        Inst::Call { site: 1, callee: at_exit },
        Inst::Call { site: 2, callee: exit },
        Inst::Unreachable,
    ];
    let calls = vec![site(&[first], None), site(&[second], None), site(&[c(9)], None)];
    assert_eq!(run(main_of(builder, 1, code, calls)).expect("it exits"), 9);
}

/// Writes `low` bits of the first byte of a stack object, copies the object to a global, and decides on the bits in
/// `mask` of the copy.
fn bit_field(low: u64, mask: u64) -> Result<u64, Outcome> {
    let mut builder = Builder::new();
    let global = builder.global("g", 8);
    let (keep, take) = (builder.constant(Constant::Bits(!low & 0xff)), builder.constant(Constant::Bits(mask)));
    let byte = |dst, a, b| Bin { width: 8, flags: 0, dst: Slot(dst), a, b };
    let code = vec![
        Inst::Alloca { info: 0, dst: Slot(0), count: c(1) },
        Inst::Load8 { dst: Slot(1), address: s(0), offset: 0 },
        Inst::And(byte(1, s(1), keep)),
        Inst::Or(byte(1, s(1), c(5))),
        Inst::Store8 { address: s(0), offset: 0, value: s(1) },
        Inst::MemCopy { to: global, from: s(0), len: c(8) },
        Inst::Load32 { dst: Slot(1), address: global, offset: 0 },
        Inst::And(Bin { width: 32, flags: 0, dst: Slot(1), a: s(1), b: take }),
        Inst::Branch { condition: s(1), then: Pc(9), otherwise: Pc(9) },
        ret(s(1)),
    ];
    run(main_of(builder, 2, code, vec![]))
}

#[test]
fn bit_fields_are_defined_bit_by_bit() {
    assert_eq!(bit_field(7, 7).expect("the bits were written"), 5);
    assert_eq!(bit_field(7, 9).expect_err("bit 3 was not").fault().0, Kind::Uninitialised);
    assert_eq!(bit_field(0xff, 0xff).expect("all were"), 5);
    assert_eq!(bit_field(0xff, 0x1ff).expect_err("the next byte was not").fault().0, Kind::Uninitialised);
}
