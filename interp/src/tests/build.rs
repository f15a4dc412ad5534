//! Modules by hand.
use crate::library::hooks::{
    Call, Content, Model, ModelError, ModelResult, MutexKind, Registered, Registry, Robustness, TermUse,
};
use crate::operation::{Operation, Patience, Source};
use crate::verdict::fault::Kind;
use frontend::ir::ResultType;
use frontend::ir::{
    AllocaInfo, Arg, CallSite, Constant, DataModel, FuncId, Function, Global, GlobalId, Initial, Inst, LocId, Module,
    Operand, Param, Pc, Registers, Slot, SwitchTable,
};

/// A slot as an operand.
pub(crate) fn s(slot: u32) -> Operand {
    Operand::slot(Slot(slot))
}

/// An entry of the constant pool.
pub(crate) fn c(index: u32) -> Operand {
    Operand::constant(index)
}

/// Builds a module. Constants 0…15 are the numbers 0…15.
pub(crate) struct Builder {
    pub(crate) module: Module,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Builder::of(DataModel::Lp64)
    }

    pub(crate) fn of(data_model: DataModel) -> Self {
        Builder {
            module: Module {
                data_model,
                constants: (0..16).map(Constant::Bits).collect(),
                functions: Vec::new(),
                globals: Vec::new(),
                constructors: Vec::new(),
                destructors: Vec::new(),
                files: Vec::new(),
                locations: Vec::new(),
                volatile_is_atomic: false,
                release_sequences: Default::default(),
                names: Default::default(),
            },
        }
    }

    pub(crate) fn constant(&mut self, constant: Constant) -> Operand {
        self.module.constants.push(constant);
        c(self.module.constants.len() as u32 - 1)
    }

    /// A global of zero bytes, and its address.
    pub(crate) fn global(&mut self, name: &str, size: u64) -> Operand {
        self.module.globals.push(Global {
            name: name.to_owned(),
            size,
            align: 8,
            initial: Some(Initial { bytes: vec![0; size as usize], relocations: Vec::new() }),
            constant: false,
            thread_local: false,
            weak: false,
            location: LocId(0),
        });
        let id = GlobalId(self.module.globals.len() as u32 - 1);
        self.constant(Constant::Global(id, 0))
    }

    /// A function without a body, known to the library.
    pub(crate) fn declare(&mut self, name: &str) -> FuncId {
        if let Some(function) = self.module.function(name) {
            return function;
        }
        self.function(name, 0, 0, Vec::new(), Vec::new())
    }

    /// A function of `params` one-slot parameters.
    pub(crate) fn function(
        &mut self,
        name: &str,
        params: u32,
        frame_slots: u32,
        code: Vec<Inst>,
        calls: Vec<CallSite>,
    ) -> FuncId {
        let locations = vec![LocId(0); code.len()];
        self.module.functions.push(Function {
            name: name.to_owned(),
            params: (0..params).map(|i| Param { slots: 1, masks: vec![u64::MAX], name: format!("p{i}") }).collect(),
            result_slots: 1,
            variadic: false,
            frame_slots,
            code,
            locations,
            calls,
            switches: Vec::<SwitchTable>::new(),
            allocas: vec![AllocaInfo { size: 8, align: 8, name: "local".to_owned(), location: LocId(0) }],
            unsupported: Vec::new(),
            blocks: vec![Pc(0)],
            result: ResultType::Other,
            noreturn: false,
            weak: false,
            pointers_in_memory: false,
            location: LocId(0),
        });
        FuncId(self.module.functions.len() as u32 - 1)
    }
}

/// A call with one-slot arguments.
pub(crate) fn site(args: &[Operand], dst: Option<u32>) -> CallSite {
    let registers = Registers { general: 1, vector: 0 };
    CallSite {
        args: args.iter().map(|a| Arg { value: *a, slots: 1, bytes: 8, byval: None, align: 1, registers }).collect(),
        dst: dst.map(Slot),
        result_slots: u32::from(dst.is_some()),
        result_masks: vec![u64::MAX; usize::from(dst.is_some())],
        fixed_args: args.len() as u32,
    }
}

/// A handful of models.
pub(crate) fn registry() -> Registry {
    let entry = |name, model: Model| Registered {
        name,
        family: "test",
        note: "",
        model,
        overrides_definition: false,
        allocates: true,
        block: None,
        passing: None,
        prints: None,
        takes: TermUse::Nothing,
        refused: false,
    };
    Registry::new(vec![
        entry("create", create),
        entry("join", |call| {
            Ok(ModelResult::Operate(Operation::Join { handle: call.argument(0), result: call.argument(1), c11: false }))
        }),
        entry("exit_thread", |call| Ok(ModelResult::Operate(Operation::ThreadExit { value: call.argument(0) }))),
        entry("lock", |call| {
            let (mutex, patience) = (call.argument(0), Patience::Forever);
            Ok(ModelResult::Operate(Operation::MutexLock { mutex, patience }))
        }),
        entry("try_lock", |call| {
            let (mutex, patience) = (call.argument(0), Patience::Never);
            Ok(ModelResult::Operate(Operation::MutexLock { mutex, patience }))
        }),
        entry("unlock", |call| Ok(ModelResult::Operate(Operation::MutexUnlock { mutex: call.argument(0) }))),
        entry("destroy", |call| Ok(ModelResult::Operate(Operation::MutexDestroy { mutex: call.argument(0) }))),
        entry("recursive", |call| {
            call.mutex_init(call.argument(0), MutexKind::Recursive, Robustness::Stalled)?;
            Ok(ModelResult::value(0))
        }),
        entry("wait", |call| {
            let (condition, mutex) = (call.argument(0), call.argument(1));
            Ok(ModelResult::Operate(Operation::CondWait { condition, mutex, patience: Patience::Forever }))
        }),
        entry("signal", |call| Ok(ModelResult::Operate(Operation::CondSignal { condition: call.argument(0) }))),
        entry("broadcast", |call| Ok(ModelResult::Operate(Operation::CondBroadcast { condition: call.argument(0) }))),
        entry("choose", |call| {
            Ok(ModelResult::Operate(Operation::Choose {
                base: 0,
                count: call.argument(0) as u32,
                bits: 32,
                source: Source::Call,
            }))
        }),
        entry("assert", |call| {
            call.require_initialised(0)?;
            if call.argument(0) == 0 {
                return Err(call.fault(Kind::Assertion, "assertion failed".to_owned()));
            }
            Ok(ModelResult::value(0))
        }),
        entry("allocate", |call| Ok(ModelResult::value(call.allocate(call.argument(0), 16, Content::Unwritten)?))),
        entry("free", |call| {
            call.free(call.argument(0))?;
            Ok(ModelResult::value(0))
        }),
        entry("exit", |call| Ok(ModelResult::Exit { status: call.argument(0) })),
        entry("at_exit", |call| {
            call.at_exit(call.argument(0), 0)?;
            Ok(ModelResult::value(0))
        }),
        entry("__VERIFIER_atomic_begin", |_| Ok(ModelResult::Operate(Operation::AtomicBegin))),
        entry("__VERIFIER_atomic_end", |call| {
            call.atomic_end()?;
            Ok(ModelResult::value(0))
        }),
    ])
}

/// `create(routine, argument, &handle)`.
fn create(call: &mut dyn Call) -> Result<ModelResult, ModelError> {
    let (routine, argument, handle) = (call.argument(0), call.argument(1), call.argument(2));
    let handle_bytes = call.pointer_bytes() as u8;
    Ok(ModelResult::Operate(Operation::Create {
        handle,
        handle_bytes,
        routine,
        argument,
        mark: 0,
        detached: false,
        c11: false,
    }))
}
