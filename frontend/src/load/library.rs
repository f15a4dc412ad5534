//! Library functions that are written in C: linked into a program that calls them and does not define them.
//!
//! A unit is taken as a linker takes a member of an archive. Only the parts of it that the program uses are linked,
//! because its definitions are made discardable first. Functions that the program defines itself stay as they are, and
//! the unit goes on using its own functions: a program that has a `qsort_r` of its own does not change what `qsort`
//! does.
use super::link::merge;
use super::llvm::{self, Diagnostics};
use crate::Error;
use crate::ir::DataModel;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::path::Path;

/// The attribute of functions of such units.
pub(crate) const MARK: &str = "verify-library";

/// A unit of library code. It comes with the tool, so its bitcode is trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryUnit {
    /// Its name, for diagnostics.
    pub name: &'static str,
    /// The functions and variables that call for it. The unit may define more functions; these then replace the models.
    pub provides: Vec<&'static str>,
    /// The code for 64-bit programs.
    pub lp64: &'static [u8],
    /// The code for 32-bit programs.
    pub ilp32: &'static [u8],
}

/// Declares functions, as if the program called them. (A function of that name that the program defines itself stays.)
pub(super) fn need<'ctx>(context: &'ctx Context, program: &Module<'ctx>, names: &[&'static str]) {
    for name in names.iter().filter(|name| program.get_function(name).is_none()) {
        program.add_function(name, context.void_type().fn_type(&[], true), None);
    }
}

/// Links what `program` needs of `units` into it.
pub(super) fn provide<'ctx>(
    context: &'ctx Context,
    program: &Module<'ctx>,
    model: DataModel,
    units: &[LibraryUnit],
    diagnostics: &Diagnostics<'_>,
) -> Result<(), Error> {
    let mut left: Vec<&LibraryUnit> = units.iter().collect();
    // A unit may need others, which come later in the list.
    while let Some(next) = left.iter().position(|unit| unit.provides.iter().any(|name| llvm::lacks(program, name))) {
        let unit = left.remove(next);
        let bitcode = match model {
            DataModel::Lp64 => unit.lp64,
            DataModel::Ilp32 => unit.ilp32,
        };
        let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, unit.name);
        let module = context.create_module_from_ir(buffer).expect("library code is bitcode of our own");
        let mark = context.create_string_attribute(MARK, "");
        for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
            function.add_attribute(AttributeLoc::Function, mark);
        }
        llvm::take_target(&module, program);
        llvm::make_discardable(&module, |name| llvm::defines(program, name));
        merge(program, module, Path::new(unit.name), diagnostics)?;
    }
    Ok(())
}
