//! From an LLVM 19 module to our own code.
//!
//! Every value is a list of scalar leaves, and a leaf is an operand: instructions that only rearrange values (zext,
//! bitcast, extractvalue, insertvalue, shufflevector, …) make no code at all, they rename. That is right because a slot
//! is written by one definition only, so that wherever SSA allows a use, the slot still holds the value; the copies at
//! the ends of edges, which stand for phis, all read before they write.
//!
//! Addresses are kept as base + index·scale + offset until a load or store takes them in. Blocks are emitted in
//! reverse post-order, so that definitions come before uses, except uses by phis.
//!
//! What has no counterpart in our code becomes an instruction that says so ([`Inst::Unsupported`]); it matters only
//! when it is reached.
//!
//! [`Inst::Unsupported`]: crate::ir::Inst::Unsupported
mod address;
mod asm;
mod atomic;
mod bits;
mod block;
mod call;
mod coalesce;
mod constant;
mod control;
mod debug;
mod float;
mod frame;
mod function;
mod global;
mod huge;
mod inst;
mod integer;
mod intrinsic;
mod llvm;
mod masked;
mod memory;
mod names;
mod number;
mod phi;
mod poison;
mod reduce;
mod reliance;
mod tidy;
mod types;
mod vector;

use crate::ir;
use crate::load::Volatile;
use constant::Pool;
use debug::Places;
use llvm::{Kind, Program, Value};
use number::Numbers;
use rustc_hash::FxHashMap;
use types::Types;

/// Why a module cannot be lowered at all.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum LowerError {
    /// Neither LP64 nor ILP32, or big-endian.
    #[error("the program is compiled for {triple}, which is not supported: compile for x86-64 or (with -m32) i386")]
    Target {
        /// LLVM's name of the target.
        triple: String,
    },
}

/// Why something has no counterpart in our code.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Refusal(String);

type Res<T> = Result<T, Refusal>;

/// What is known about the whole module while its functions are lowered.
struct Context {
    types: Types,
    pool: Pool,
    places: Places,
    names: names::Table,
    functions: FxHashMap<Value, ir::FuncId>,
    globals: FxHashMap<Value, ir::GlobalId>,
    /// Where the blocks are whose addresses may be taken: (function, number of the block).
    blocks: FxHashMap<(ir::FuncId, u32), ir::Pc>,
    /// Which layout of va_list the target has is known.
    x86: bool,
    numbers: Numbers,
    volatile: Volatile,
    /// Some volatile access was made an atomic one.
    made_atomic: bool,
    /// Functions of the library's models that are called without being declared in the module; they come after all that
    /// are.
    models: Vec<(&'static str, ir::FuncId)>,
}

/// Lowers a module.
///
/// # Errors
/// When the module is for a machine whose sizes we do not know.
pub fn lower(module: &inkwell::module::Module<'_>, volatile: Volatile) -> Result<ir::Module, LowerError> {
    let program = Program::new(module);
    let layout = program.layout();
    let triple = program.triple();
    let data_model = match layout.pointer_bytes() {
        8 => ir::DataModel::Lp64,
        4 if !triple.starts_with("x86_64") => ir::DataModel::Ilp32,
        _ => return Err(LowerError::Target { triple }),
    };
    if !layout.is_little_endian() {
        return Err(LowerError::Target { triple });
    }
    let x86 =
        triple.is_empty() || ["x86_64", "i386", "i486", "i586", "i686"].iter().any(|arch| triple.starts_with(arch));
    let mut context = Context {
        types: Types::new(layout),
        pool: Pool::default(),
        places: Places::default(),
        names: names::Table::default(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        blocks: FxHashMap::default(),
        x86,
        numbers: Numbers::new(program, 8 * layout.pointer_bytes()),
        volatile,
        made_atomic: false,
        models: Vec::new(),
    };

    let functions: Vec<Value> =
        program.functions().filter(|f| f.intrinsic().is_none()).chain(program.ifuncs()).collect();
    for (i, function) in functions.iter().enumerate() {
        context.functions.insert(*function, ir::FuncId(i as u32));
    }
    let globals: Vec<Value> = program.globals().filter(|g| !global::is_special(*g)).collect();
    for (i, global) in globals.iter().enumerate() {
        context.globals.insert(*global, ir::GlobalId(i as u32));
    }

    let globals = globals.into_iter().map(|g| global::lower(&mut context, g)).collect();
    let (constructors, destructors) = global::constructors(&mut context, program);
    let mut functions: Vec<ir::Function> = functions
        .into_iter()
        .map(|f| match f.kind() {
            Kind::IFunc => function::ifunc(f),
            _ => function::lower(&mut context, f),
        })
        .collect();
    let declared = |(name, id): &(&str, ir::FuncId)| (id.index() >= functions.len()).then(|| function::model(name));
    let models: Vec<ir::Function> = context.models.iter().filter_map(declared).collect();
    functions.extend(models);
    let mut module = ir::Module {
        data_model,
        constants: Vec::new(),
        functions,
        globals,
        constructors,
        destructors,
        files: Vec::new(),
        locations: Vec::new(),
        volatile_is_atomic: context.made_atomic,
        release_sequences: ir::ReleaseSequences::default(),
        names: ir::Names::default(),
    };
    context.finish(&mut module);
    debug_assert_eq!(ir::check(&module), Ok(()));
    Ok(module)
}

impl Context {
    /// The function of the library's models of that name, whether the program declares it or not.
    fn model(&mut self, name: &'static str) -> ir::FuncId {
        if let Some((_, known)) = self.models.iter().find(|(known, _)| *known == name) {
            return *known;
        }
        let declared = self.functions.iter().find(|(function, _)| function.name() == name).map(|(_, id)| *id);
        let added = self.models.iter().filter(|(_, id)| id.index() >= self.functions.len()).count();
        let id = declared.unwrap_or(ir::FuncId((self.functions.len() + added) as u32));
        self.models.push((name, id));
        id
    }

    /// Fills in what is complete only now that all code exists.
    fn finish(self, module: &mut ir::Module) {
        let Context { pool, places, names, blocks, .. } = self;
        (module.files, module.locations) = places.into_tables();
        module.names = names.finish();
        module.constants = pool.into_entries();
        let relocations = module
            .globals
            .iter_mut()
            .filter_map(|g| g.initial.as_mut())
            .flat_map(|initial| initial.relocations.iter_mut().map(|(_, _, constant)| constant));
        for constant in module.constants.iter_mut().chain(relocations) {
            if let ir::Constant::Block(function, place) = constant {
                // Every block of a function whose code we have is in the table; another function's label can only
                // be compared, never reached.
                *place = blocks.get(&(*function, place.0)).copied().unwrap_or(ir::Pc(0));
            }
        }
    }
}
