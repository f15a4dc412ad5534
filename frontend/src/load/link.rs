//! Reading all files and linking them into one module.
use super::llvm::Diagnostics;
use super::read::{self, first_line};
use super::{Options, Unit, library, llvm, start};
use crate::Error;
use crate::ir::DataModel;
use crate::pass;
use inkwell::context::Context;
use inkwell::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// Reads and links `units`, checks that they fit together and that there is a function to start with.
pub(super) fn link<'ctx>(
    context: &'ctx Context,
    units: &[Unit],
    stubs: &[Unit],
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Module<'ctx>, Error> {
    let diagnostics = Diagnostics::collect(context);
    let entry = options.entry.as_deref().unwrap_or("main");
    let mut linker =
        Linker { context, options, diagnostics, program: None, definers: FxHashMap::default(), warnings: Vec::new() };
    let (members, whole): (Vec<&Unit>, Vec<&Unit>) = units.iter().partition(|unit| unit.member.is_some());
    for unit in whole {
        let module = linker.read(unit)?;
        linker.add(unit, module)?;
    }
    linker.add_needed(&members, entry)?;
    for unit in stubs {
        let module = linker.read(unit)?;
        linker.add_stub(unit, module)?;
    }
    let Linker { program, diagnostics, warnings: found, .. } = linker;
    warnings.extend(found);
    let (module, _, model) = program.ok_or_else(|| Error::NoEntry { entry: entry.into() })?;
    start::check(&module, entry)?;
    library::need(context, &module, &options.needs);
    library::provide(context, &module, model, &options.library, &diagnostics)?;
    Ok(module)
}

/// A program that is being put together.
struct Linker<'ctx, 'u> {
    context: &'ctx Context,
    options: &'u Options,
    diagnostics: Diagnostics<'ctx>,
    /// The part of the program that is linked so far, with the first unit and its sizes.
    program: Option<(Module<'ctx>, &'u Unit, DataModel)>,
    /// The file that defined each name that must not be defined again.
    definers: FxHashMap<String, &'u Path>,
    warnings: Vec<String>,
}

impl<'ctx, 'u> Linker<'ctx, 'u> {
    fn read(&self, unit: &Unit) -> Result<Module<'ctx>, Error> {
        let module = read::module(self.context, &unit.file);
        let module = module.map_err(|rejection| read::explain(&unit.input, rejection, unit.textual))?;
        if unit.untouched {
            pass::mark_all(&module);
        }
        Ok(module)
    }

    fn add(&mut self, unit: &'u Unit, module: Module<'ctx>) -> Result<(), Error> {
        let model = read::data_model(&unit.input, &module)?;
        let definitions = llvm::strong_definitions(&module);
        match &self.program {
            None => {
                asked(unit, model, self.options)?;
                self.program = Some((module, unit, model));
            }
            Some((into, first, first_model)) => {
                same_model((first, *first_model), (unit, model))?;
                let twice = definitions.iter().find_map(|symbol| Some((symbol, *self.definers.get(symbol)?)));
                if let Some((symbol, first)) = twice {
                    let (first, second) = (first.to_path_buf(), unit.input.clone());
                    return Err(Error::DuplicateSymbol { symbol: symbol.clone(), first, second });
                }
                merge(into, module, &unit.input, &self.diagnostics)?;
            }
        }
        self.definers.extend(definitions.into_iter().map(|symbol| (symbol, unit.input.as_path())));
        let found = self.diagnostics.take_warnings();
        self.warnings.extend(found.iter().map(|text| format!("{}: {}", unit.input.display(), first_line(text))));
        Ok(())
    }

    /// Adds what the program needs of a file that only stands in for what is missing.
    fn add_stub(&mut self, unit: &'u Unit, module: Module<'ctx>) -> Result<(), Error> {
        let model = read::data_model(&unit.input, &module)?;
        let Some((program, first, first_model)) = &self.program else { return Ok(()) };
        same_model((first, *first_model), (unit, model))?;
        llvm::make_discardable(&module, |name| llvm::defines(program, name));
        merge(program, module, &unit.input, &self.diagnostics)
    }

    /// Adds the members of archives that define what the program lacks, and what these lack, as linkers do.
    fn add_needed(&mut self, members: &[&'u Unit], entry: &str) -> Result<(), Error> {
        let mut left = Vec::new();
        for unit in members {
            let module = self.read(unit)?;
            left.push((*unit, llvm::definitions(&module), module));
        }
        loop {
            let program = self.program.as_ref().map(|(program, ..)| program);
            let mut needs: FxHashSet<String> = program.into_iter().flat_map(llvm::needs).collect();
            if !program.is_some_and(|program| llvm::defines(program, entry)) {
                needs.insert(entry.to_owned());
            }
            let needed = left.iter().find(|(_, definitions, _)| definitions.iter().any(|name| needs.contains(name)));
            let Some(member) = needed.map(|(unit, ..)| unit.member) else { return Ok(()) };
            let (taken, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(|(unit, ..)| unit.member == member);
            left = rest;
            for (unit, _, module) in taken {
                self.add(unit, module)?;
            }
        }
    }
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
