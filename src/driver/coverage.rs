//! From executed instructions to lines and functions of the source.
use super::demangle::demangled;
use crate::report::coverage::Code;
use frontend::ir::{FuncId, Module};
use interp::Coverage;

/// Which lines and functions were reached, as far as there is debug information. (Code of the library's own has none.)
pub(super) fn describe(module: &Module, coverage: &Coverage) -> Code {
    let mut code = Code::default();
    for (id, function) in (0..).map(FuncId).zip(&module.functions) {
        let known = |id: frontend::ir::LocId| {
            let location = &module.locations[id.index()];
            let file = module.files.get(location.file as usize)?;
            (location.line != 0).then_some((file, location.line))
        };
        let mut called = false;
        for (place, reached) in function.locations.iter().zip(coverage.of(id)) {
            called |= reached;
            let Some((file, line)) = known(*place) else { continue };
            *code.files.entry(file.clone()).or_default().lines.entry(line).or_default() |= reached;
        }
        if let Some((file, line)) = known(function.location).filter(|_| !function.code.is_empty()) {
            let file = code.files.entry(file.clone()).or_default();
            file.functions.insert(demangled(&function.name), (line, called));
        }
    }
    code
}
