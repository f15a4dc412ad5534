//! Laying out memory before the program starts: globals, the constant pool, the arguments of `main`.
use crate::library::hooks::Content;
use crate::memory::{AccessError, Internal, Memory, Mode, ObjectKind, Origin, Request, StackId};
use crate::options::{Error, Options};
use frontend::ir::{Constant, GlobalId, Module};
use por::ThreadId;
use rustc_hash::FxHashMap;

/// Where everything is.
pub(crate) struct Layout {
    pub(crate) constants: Vec<u64>,
    pub(crate) globals: Vec<u64>,
    pub(crate) names: FxHashMap<String, u64>,
    /// argc, argv, envp.
    pub(crate) main_arguments: [u64; 3],
}

/// Allocates and initialises everything that exists before `main`.
pub(crate) fn lay_out(module: &Module, memory: &mut Memory, options: &Options) -> Result<Layout, Error> {
    let origin = Origin { thread: ThreadId(0), event: 0, stack: StackId::EMPTY, mode: Mode::Plain };
    let globals = allocate_globals(module, memory, &origin)?;
    let constants = module.constants.iter().map(|c| value(module, memory, &globals, *c)).collect();
    for (index, global) in module.globals.iter().enumerate() {
        let (address, Some(initial)) = (globals[index], &global.initial) else { continue };
        if address == 0 {
            continue;
        }
        let image = image(module, memory, &globals, initial);
        memory.poke(address, &image);
        if global.constant {
            memory.protect(address);
        }
    }
    let argv = strings(module, memory, &origin, &options.arguments)?;
    let envp = strings(module, memory, &origin, &options.environment)?;
    let names = module.globals.iter().zip(&globals).map(|(g, a)| (g.name.clone(), *a)).collect();
    Ok(Layout { constants, globals, names, main_arguments: [options.arguments.len() as u64, argv, envp] })
}

/// The bytes of a global, with the addresses put in.
pub(crate) fn image(module: &Module, memory: &mut Memory, globals: &[u64], initial: &frontend::ir::Initial) -> Vec<u8> {
    let mut bytes = initial.bytes.clone();
    for &(offset, size, constant) in &initial.relocations {
        let value = value(module, memory, globals, constant).to_le_bytes();
        let (offset, size) = (offset as usize, size as usize);
        bytes.resize(bytes.len().max(offset + size), 0);
        for (target, byte) in bytes[offset..offset + size].iter_mut().zip(value) {
            *target = byte;
        }
    }
    bytes
}

/// The value of a constant. An address that leaves its object is no address of what lies there.
fn value(module: &Module, memory: &mut Memory, globals: &[u64], constant: Constant) -> u64 {
    let number = number(module, memory, globals, constant);
    match constant {
        Constant::Global(global, _) => memory.derive(globals[global.index()], number),
        _ => number,
    }
}

fn number(module: &Module, memory: &Memory, globals: &[u64], constant: Constant) -> u64 {
    let mask = u64::MAX >> (64 - 8 * module.data_model.pointer_bytes());
    match constant {
        Constant::Bits(bits) => bits,
        Constant::Global(global, offset) => globals[global.index()].wrapping_add_signed(offset) & mask,
        Constant::Function(function, offset) if module.functions[function.index()].weak => offset as u64 & mask,
        Constant::Function(function, offset) => memory.function_address(function).wrapping_add_signed(offset) & mask,
        Constant::Block(function, pc) => memory.label_address(function, pc),
        Constant::Difference { minuend, subtrahend, offset } => {
            let address = |index: u32| number(module, memory, globals, module.constants[index as usize]);
            address(minuend).wrapping_sub(address(subtrahend)).wrapping_add_signed(offset)
        }
    }
}

/// Declared globals without content get an address too: only reaching them is unknown, comparing addresses is not. Weak
/// ones, which are not defined, have none.
fn allocate_globals(module: &Module, memory: &mut Memory, origin: &Origin) -> Result<Vec<u64>, Error> {
    let mut addresses = Vec::with_capacity(module.globals.len());
    for (index, global) in module.globals.iter().enumerate() {
        if global.thread_local || global.weak {
            addresses.push(0);
            continue;
        }
        let request = Request {
            kind: ObjectKind::Global(GlobalId(index as u32)),
            size: if global.initial.is_some() { global.size } else { 0 },
            align: global.align,
            content: Content::Zero,
        };
        addresses.push(memory.allocate(origin, request).map_err(layout_error)?);
    }
    Ok(addresses)
}

/// A null-terminated array of pointers to these strings.
fn strings(module: &Module, memory: &mut Memory, origin: &Origin, texts: &[String]) -> Result<u64, Error> {
    let allocate = |memory: &mut Memory, size: u64| {
        let request =
            Request { kind: ObjectKind::Internal(Internal::Arguments), size, align: 16, content: Content::Zero };
        memory.allocate(origin, request).map_err(layout_error)
    };
    let width = module.data_model.pointer_bytes();
    let array = allocate(memory, (texts.len() as u64 + 1) * width)?;
    for (index, text) in texts.iter().enumerate() {
        let address = allocate(memory, text.len() as u64 + 1)?;
        memory.poke(address, text.as_bytes());
        memory.poke(array + index as u64 * width, &address.to_le_bytes()[..width as usize]);
    }
    Ok(array)
}

fn layout_error(error: AccessError) -> Error {
    match error {
        AccessError::Unknown(reason) => Error::Layout(reason),
        other => Error::Layout(format!("{other:?}")),
    }
}
