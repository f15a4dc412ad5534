//! Reading all files and linking them into one module.
use super::llvm::Diagnostics;
use super::read::{self, first_line};
use super::{Options, Unit, library, llvm};
use crate::Error;
use crate::ir::DataModel;
use inkwell::context::Context;
use inkwell::module::Module;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Reads and links `units`, checks that they fit together and that there is a function to start with.
pub(super) fn link<'ctx>(
    context: &'ctx Context,
    units: &[Unit],
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Module<'ctx>, Error> {
    let diagnostics = Diagnostics::collect(context);
    let mut program: Option<(Module<'ctx>, &Unit, DataModel)> = None;
    let mut definers: FxHashMap<String, &Path> = FxHashMap::default();
    for unit in units {
        let module = read::module(context, &unit.file);
        let module = module.map_err(|rejection| read::explain(&unit.input, rejection, unit.textual))?;
        let model = read::data_model(&unit.input, &module)?;
        let definitions = if units.len() > 1 { llvm::strong_definitions(&module) } else { Vec::new() };
        match &program {
            None => {
                asked(unit, model, options)?;
                program = Some((module, unit, model));
            }
            Some((into, first, first_model)) => {
                same_model((first, *first_model), (unit, model))?;
                if let Some((symbol, first)) =
                    definitions.iter().find_map(|symbol| definers.get(symbol).map(|first| (symbol, *first)))
                {
                    let (first, second) = (first.to_path_buf(), unit.input.clone());
                    return Err(Error::DuplicateSymbol { symbol: symbol.clone(), first, second });
                }
                merge(into, module, &unit.input, &diagnostics)?;
            }
        }
        definers.extend(definitions.into_iter().map(|symbol| (symbol, unit.input.as_path())));
        let found = diagnostics.take_warnings();
        warnings.extend(found.iter().map(|text| format!("{}: {}", unit.input.display(), first_line(text))));
    }
    let (module, _, model) = program.ok_or(Error::NoInput)?;
    let entry = options.entry.as_deref().unwrap_or("main");
    if !llvm::defines(&module, entry) {
        return Err(Error::NoEntry { entry: entry.into() });
    }
    library::provide(context, &module, model, &options.library, &diagnostics)?;
    Ok(module)
}

/// Moves everything from one module into another one; `path` is where it comes from.
pub(super) fn merge<'ctx>(
    into: &Module<'ctx>,
    from: Module<'ctx>,
    path: &Path,
    diagnostics: &Diagnostics<'_>,
) -> Result<(), Error> {
    if llvm::link(into, from) {
        return Ok(());
    }
    let reason = diagnostics.take_errors().join("\n");
    Err(Error::Link { path: path.to_path_buf(), reason: first_line(&reason) })
}

fn asked(unit: &Unit, model: DataModel, options: &Options) -> Result<(), Error> {
    match options.model {
        Some(asked) if asked != model => Err(Error::ModelNotAsked {
            path: unit.input.clone(),
            found_bits: 8 * model.pointer_bytes(),
            asked_bits: 8 * asked.pointer_bytes(),
        }),
        _ => Ok(()),
    }
}

fn same_model(first: (&Unit, DataModel), second: (&Unit, DataModel)) -> Result<(), Error> {
    let describe =
        |(unit, model): (&Unit, DataModel)| -> (PathBuf, u64) { (unit.input.clone(), 8 * model.pointer_bytes()) };
    let ((first, first_bits), (second, second_bits)) = (describe(first), describe(second));
    if first_bits != second_bits {
        return Err(Error::MixedModels { first, first_bits, second, second_bits });
    }
    Ok(())
}
