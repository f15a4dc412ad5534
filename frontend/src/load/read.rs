//! Reading one file of bitcode or textual IR, and saying what is wrong with it.
use super::llvm::{self, Target};
use crate::Error;
use crate::ir::DataModel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::path::Path;

/// Why LLVM does not take a file: the stage that failed and LLVM's words. It crosses the border between the child that
/// reads and its parent, and becomes an [`Error`] there.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Rejection {
    /// The operating system does not give the file.
    File(String),
    /// The file is no bitcode or no textual IR.
    Parse(String),
    /// The module breaks LLVM's rules for modules.
    Verify(String),
}

/// Reads and verifies `path` in this process. LLVM may crash on a corrupt file.
pub(super) fn module<'ctx>(context: &'ctx Context, path: &Path) -> Result<Module<'ctx>, Rejection> {
    let bytes = std::fs::read(path).map_err(|error| Rejection::File(error.to_string()))?;
    let buffer = MemoryBuffer::create_from_memory_range_copy(&bytes, &path.to_string_lossy());
    let module = context.create_module_from_ir(buffer).map_err(|error| Rejection::Parse(error.to_string()))?;
    module.verify().map_err(|error| Rejection::Verify(error.to_string()))?;
    Ok(module)
}

/// The error that a user should see.
pub(super) fn explain(path: &Path, rejection: Rejection, textual: bool) -> Error {
    let path = path.to_path_buf();
    match rejection {
        Rejection::File(reason) => Error::Unreadable { path, source: std::io::Error::other(reason) },
        Rejection::Verify(reason) => Error::Invalid { path, reason: first_line(&reason) },
        Rejection::Parse(reason) if textual => Error::Syntax { path, reason: syntax(&reason) },
        Rejection::Parse(reason) => {
            let line = first_line(&reason);
            // Some messages begin with the name of the file, some do not.
            let reason = line.split_once("error: ").map_or(line.as_str(), |(_, text)| text);
            Error::Malformed { path, reason: reason.into() }
        }
    }
}

/// Checks that the module was made for a machine that we model, fills in the target of IR written by hand that names
/// none, and returns its sizes.
pub(super) fn data_model(path: &Path, module: &Module<'_>) -> Result<DataModel, Error> {
    let target = Target::of(module);
    let wrong = |target: String| Err(Error::Target { path: path.to_path_buf(), target });
    let model = match architecture(&target.triple) {
        Some(model) => model,
        None if !target.triple.is_empty() => return wrong(target.triple),
        None if target.pointer_bits == 32 => DataModel::Ilp32,
        None => DataModel::Lp64,
    };
    if target.layout.is_empty() {
        match model {
            DataModel::Lp64 => llvm::set_target(module, c"x86_64-unknown-linux-gnu", X86_64),
            DataModel::Ilp32 => llvm::set_target(module, c"i386-unknown-linux-gnu", I386),
        }
        return Ok(model);
    }
    if !target.little_endian {
        return wrong(format!("{} (big endian)", target.layout));
    }
    if target.pointer_bits != 8 * model.pointer_bytes() {
        return wrong(format!("{} with {}-bit pointers", target.triple, target.pointer_bits));
    }
    Ok(model)
}

/// What clang puts into modules for x86-64 Linux.
const X86_64: &std::ffi::CStr = c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
/// What clang puts into modules for i386 Linux.
const I386: &std::ffi::CStr = c"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";

/// The sizes of a target triple of x86 Linux (or of x86 without an operating system).
fn architecture(triple: &str) -> Option<DataModel> {
    let (architecture, rest) = triple.split_once('-')?;
    let model = match architecture {
        "x86_64" | "amd64" => DataModel::Lp64,
        "i386" | "i486" | "i586" | "i686" => DataModel::Ilp32,
        _ => return None,
    };
    rest.split('-').any(|part| part.starts_with("linux") || part == "none" || part == "elf").then_some(model)
}

/// `8:3: expected type` from LLVM's `a.ll:8:3: error: expected type` and the excerpt that follows it.
fn syntax(message: &str) -> String {
    let line = first_line(message);
    match line.split_once(": error: ") {
        Some((place, text)) => {
            let mut numbers = place.rsplit(':');
            match (numbers.next(), numbers.next()) {
                (Some(column), Some(row)) => format!("line {row}, column {column}: {text}"),
                _ => text.to_string(),
            }
        }
        None => line,
    }
}

/// Messages of ours are one line; bytes that do not print (they may come from a corrupt file) are replaced.
pub(super) fn first_line(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
    line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_textual_ir() {
        assert_eq!(syntax("d/a.ll:8:3: error: expected type\n  foo\n  ^"), "line 8, column 3: expected type");
        assert_eq!(syntax("odd"), "odd");
    }

    #[test]
    fn x86_linux_only() {
        assert_eq!(architecture("x86_64-pc-linux-gnu"), Some(DataModel::Lp64));
        assert_eq!(architecture("i686-unknown-linux-gnu"), Some(DataModel::Ilp32));
        for other in ["aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "powerpc64-unknown-linux-gnu", ""] {
            assert_eq!(architecture(other), None, "{other}");
        }
    }
}
