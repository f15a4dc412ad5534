//! Each rule, broken once.
use super::check;
use crate::ir::ResultType;
use crate::ir::{
    Bin, CallSite, Constant, DataModel, FuncId, Function, Global, GlobalId, Initial, Inst, IntPredicate, LocId,
    Location, Module, Operand, Param, Pc, ReleaseSequences, Slot, SwitchTable,
};

/// `int f(int a) { return a + 1; }` and a global.
fn module() -> Module {
    let add = Bin { width: 32, flags: 0, dst: Slot(1), a: Operand::slot(Slot(0)), b: Operand::constant(0) };
    let function = Function {
        name: "f".into(),
        params: vec![Param { slots: 1, masks: vec![0xffff_ffff], name: "a".into() }],
        result_slots: 1,
        variadic: false,
        frame_slots: 3,
        code: vec![Inst::Add(add), Inst::Jump { target: Pc(2) }, Inst::Return { n: 1, value: Operand::slot(Slot(1)) }],
        locations: vec![LocId(0); 3],
        calls: Vec::new(),
        switches: Vec::new(),
        allocas: Vec::new(),
        unsupported: Vec::new(),
        blocks: vec![Pc(0), Pc(2)],
        result: ResultType::Other,
        noreturn: false,
        weak: false,
        pointers_in_memory: false,
        location: LocId(0),
    };
    let global = Global {
        name: "g".into(),
        size: 8,
        align: 8,
        initial: Some(Initial { bytes: vec![0; 8], relocations: vec![(0, 8, Constant::Function(FuncId(0), 0))] }),
        constant: false,
        thread_local: false,
        weak: false,
        location: LocId(0),
    };
    Module {
        data_model: DataModel::Lp64,
        constants: vec![Constant::Bits(1), Constant::Global(GlobalId(0), 4)],
        functions: vec![function],
        globals: vec![global],
        constructors: Vec::new(),
        destructors: Vec::new(),
        files: Vec::new(),
        locations: vec![Location {
            file: u32::MAX,
            line: 0,
            column: 0,
            function: String::new(),
            inlined_at: None,
            volatile: false,
        }],
        volatile_is_atomic: false,
        release_sequences: ReleaseSequences::default(),
        names: Default::default(),
    }
}

/// The module, changed, breaks exactly the rule whose message contains `expected`.
fn broken(expected: &str, change: impl FnOnce(&mut Module)) {
    let mut module = module();
    assert_eq!(check(&module), Ok(()));
    change(&mut module);
    let faults = check(&module).expect_err(expected);
    assert!(faults.iter().any(|fault| fault.contains(expected)), "{expected}: {faults:?}");
}

/// The function, changed.
fn broken_function(expected: &str, change: impl FnOnce(&mut Function)) {
    broken(expected, |module| change(&mut module.functions[0]));
}

/// The first instruction, changed.
fn broken_inst(expected: &str, inst: Inst) {
    broken_function(expected, |f| f.code[0] = inst);
}

#[test]
fn constants() {
    broken("g7 out of range", |m| m.constants[1] = Constant::Global(GlobalId(7), 0));
    broken("f7 out of range", |m| m.constants[1] = Constant::Function(FuncId(7), 0));
    broken("is not the start of a block", |m| m.constants[1] = Constant::Block(FuncId(0), Pc(1)));
    let difference = |minuend, subtrahend| Constant::Difference { minuend, subtrahend, offset: 0 };
    broken("c0 is not an earlier address", |m| m.constants.push(difference(1, 0)));
    broken("c3 is not an earlier address", |m| m.constants.push(difference(3, 1)));
    broken("is thread-local", |m| m.globals[0].thread_local = true);
}

#[test]
fn globals() {
    broken("alignment 3", |m| m.globals[0].align = 3);
    broken("8 bytes for a size of 4", |m| m.globals[0].size = 4);
    let initial = |m: &mut Module, relocation| {
        m.globals[0].initial.as_mut().expect("it has one").relocations = vec![relocation];
    };
    broken("relocation at 4 is outside", |m| initial(m, (4, 8, Constant::Global(GlobalId(0), 0))));
    broken("relocation at 0: f3 out of range", |m| initial(m, (0, 8, Constant::Function(FuncId(3), 0))));
}

#[test]
fn tables_of_the_module() {
    broken("constructor f1 out of range", |m| m.constructors.push(FuncId(1)));
    broken("location l0: out of range", |m| m.locations[0].file = 0);
    broken("location l0: out of range", |m| m.locations[0].inlined_at = Some(LocId(9)));
}

#[test]
fn shape_of_functions() {
    broken_function("not one location per instruction", |f| f.locations.truncate(2));
    broken_function("the parameters do not fit", |f| f.frame_slots = 0);
    broken_function("the blocks are not in order", |f| f.blocks = vec![Pc(2), Pc(0)]);
    broken_function("the blocks are not in order", |f| f.blocks = vec![Pc(0), Pc(3)]);
    broken_function("control runs out of the function", |f| f.code[2] = Inst::Nop);
    broken_function("the location is out of range", |f| f.locations[1] = LocId(1));
}

#[test]
fn operands_and_targets() {
    let slot = |n| Operand::slot(Slot(n));
    broken_inst("operand r3 (of 1 slots)", Inst::Copy { dst: Slot(1), a: slot(3) });
    broken_inst("operand c2 (of 1 slots)", Inst::Copy { dst: Slot(1), a: Operand::constant(2) });
    broken_inst("destination r2 (of 2 slots)", Inst::CopyN { n: 2, dst: Slot(2), a: Operand::constant(0) });
    broken_inst("r2 is read before it is written", Inst::Copy { dst: Slot(1), a: slot(2) });
    broken_inst("the target is not the start of a block", Inst::Jump { target: Pc(1) });
    // Only one of two ways writes the result.
    broken_function("r1 is read before it is written", |f| {
        let (a, b) = (slot(0), Operand::constant(0));
        let (then, otherwise) = (Pc(1), Pc(2));
        f.code[0] = Inst::BranchICmp { predicate: IntPredicate::Eq, width: 32, a, b, then, otherwise };
        f.code[1] = Inst::Copy { dst: Slot(1), a: slot(0) };
        f.blocks = vec![Pc(0), Pc(1), Pc(2)];
    });
}

fn without_arguments(fixed_args: u32) -> CallSite {
    CallSite { args: Vec::new(), dst: Some(Slot(1)), result_slots: 1, result_masks: vec![u64::MAX], fixed_args }
}

#[test]
fn tables_of_functions() {
    let zero = Operand::constant(0);
    broken_inst("no such switch table", Inst::Switch { table: 0, width: 32, value: zero });
    broken_inst("no such stack object", Inst::Alloca { info: 0, dst: Slot(1), count: zero });
    broken_inst("no such reason", Inst::Unsupported { reason: 0 });
    broken_inst("not a thread-local global", Inst::ThreadLocal { dst: Slot(1), global: GlobalId(0) });
    broken_inst("not the declared number of slots", Inst::Return { n: 0, value: zero });
    broken_function("no such function", |f| {
        f.calls.push(without_arguments(0));
        f.code[0] = Inst::Call { site: 0, callee: FuncId(1) };
    });
    broken_function("fewer arguments", |f| {
        f.calls.push(without_arguments(1));
        f.code[0] = Inst::Call { site: 0, callee: FuncId(0) };
    });
    let switch = |f: &mut Function, cases, default| {
        f.switches.push(SwitchTable { cases, default });
        f.code[0] = Inst::Switch { table: 0, width: 32, value: zero };
    };
    broken_function("not in ascending order", |f| switch(f, vec![(5, Pc(2)), (5, Pc(2))], Pc(2)));
    broken_function("a target is not the start", |f| switch(f, vec![(5, Pc(1))], Pc(2)));
    broken_function("a target is not the start", |f| switch(f, Vec::new(), Pc(1)));
}

#[test]
fn widths() {
    let (dst, a, b) = (Slot(1), Operand::constant(0), Operand::constant(0));
    broken_inst("the width is out of range", Inst::Add(Bin { width: 65, flags: 0, dst, a, b }));
    broken_inst("the width is out of range", Inst::Trunc { width: 0, dst, a });
    broken_inst("the width is out of range", Inst::Sext { from: 32, to: 32, dst, a });
    broken_inst("the width is out of range", Inst::LoadBits { bits: 0, dst, address: a, offset: 0 });
    let ordering = crate::ir::Ordering::SeqCst;
    broken_inst("the width is out of range", Inst::AtomicLoad { size: 3, ordering, dst, address: a });
}
