//! Global variables, their initial bytes, constructors and destructors.
use super::constant::Linear;
use super::llvm::{Kind, LLVMOpcode, Program, Type, TypeKind, Value};
use super::{Context, Refusal, Res};
use crate::ir;

/// Globals that speak to the linker, not to the program.
pub(super) fn is_special(global: Value) -> bool {
    let name = global.name();
    matches!(name.as_str(), "llvm.global_ctors" | "llvm.global_dtors" | "llvm.used" | "llvm.compiler.used")
}

/// A global variable. One whose initial value we cannot represent counts as only declared, so that reaching it is
/// "unknown".
pub(super) fn lower(context: &mut Context, global: Value) -> ir::Global {
    let ty = global.value_type();
    let layout = context.types.layout;
    let sized = ty.is_sized();
    let size = if sized { layout.size(ty) } else { 0 };
    let align = global.alignment().max(if sized { layout.align(ty) } else { 1 });
    let initial = global.initializer().filter(|_| sized).and_then(|value| {
        let mut initial = ir::Initial { bytes: Vec::new(), relocations: Vec::new() };
        match write(context, &mut initial, value, 0) {
            Ok(()) => Some(initial),
            Err(Refusal(reason)) => {
                tracing::debug!(global = global.name(), reason, "initial value not representable");
                None
            }
        }
    });
    let id = context.globals[&global];
    context.names.global(id, global);
    ir::Global {
        name: global.name(),
        size,
        align,
        initial,
        constant: global.is_global_constant(),
        thread_local: global.is_thread_local(),
        weak: global.is_extern_weak(),
        location: context.places.global(global),
    }
}

/// Writes the bytes of a constant at `offset`.
fn write(context: &mut Context, initial: &mut ir::Initial, value: Value, offset: u64) -> Res<()> {
    let ty = value.ty();
    match value.kind() {
        Kind::Undef | Kind::Zero | Kind::Null => Ok(()),
        Kind::Int | Kind::Float => {
            let layout = context.types.layout;
            let len = layout.bits(ty).div_ceil(8) as usize;
            let words = value.words(layout);
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take(len).collect();
            put(initial, offset, &bytes)
        }
        Kind::Aggregate if ty.is_vector() && !context.types.layout.bits(ty.element()).is_multiple_of(8) => {
            write_packed(context, initial, value, offset)
        }
        Kind::Aggregate => {
            for index in 0..ty.len() as u32 {
                let element = value.element(index).ok_or_else(|| Refusal(format!("constant {}", value.text())))?;
                write(context, initial, element, offset + element_offset(context, ty, index))?;
            }
            Ok(())
        }
        _ => write_address(context, initial, value, offset),
    }
}

fn element_offset(context: &Context, ty: Type, index: u32) -> u64 {
    let layout = context.types.layout;
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => layout.field_offset(ty, index),
        TypeKind::LLVMVectorTypeKind => layout.bits(ty.element()) / 8 * u64::from(index),
        _ => layout.size(ty.element()) * u64::from(index),
    }
}

/// Vectors of elements that are no whole bytes lie bit after bit.
fn write_packed(context: &mut Context, initial: &mut ir::Initial, value: Value, offset: u64) -> Res<()> {
    let bits = context.types.layout.bits(value.ty().element());
    let mut bytes = vec![0; (value.ty().len() * bits).div_ceil(8) as usize];
    for index in 0..value.ty().len() {
        let element = value.element(index as u32).and_then(Value::as_u64).unwrap_or(0);
        for bit in 0..bits {
            let place = index * bits + bit;
            bytes[(place / 8) as usize] |= ((element >> bit & 1) as u8) << (place % 8);
        }
    }
    put(initial, offset, &bytes)
}

fn write_address(context: &mut Context, initial: &mut ir::Initial, value: Value, offset: u64) -> Res<()> {
    let bits = context.types.bits(context.types.scalar(value.ty())?);
    let size = u64::from(bits.div_ceil(8));
    // A table of relative offsets keeps the low half of a distance.
    let mut inner = value;
    while inner.kind() == Kind::Expression && inner.opcode() == LLVMOpcode::LLVMTrunc {
        inner = inner.operand(0);
    }
    let linear: Linear = context.linear(inner)?;
    if inner != value && linear.plus.is_some() != linear.minus.is_some() {
        return Err(Refusal(format!("constant {}", value.text())));
    }
    let constant = context.linear_constant(linear, bits)?;
    if let ir::Constant::Bits(number) = constant {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.resize(size as usize, 0);
        return put(initial, offset, &bytes);
    }
    initial.relocations.push((offset, size as u32, constant));
    Ok(())
}

/// Puts in bytes that lie at an offset.
fn put(initial: &mut ir::Initial, offset: u64, bytes: &[u8]) -> Res<()> {
    let end = offset + bytes.len() as u64;
    if end > ir::MOST_INITIAL_BYTES && bytes.iter().any(|byte| *byte != 0) {
        return Err(Refusal(format!("an initial value of more than {} bytes", ir::MOST_INITIAL_BYTES)));
    }
    initial.put(offset as usize, bytes);
    Ok(())
}

/// What runs before `main`, by ascending priority, and after it, by descending one.
pub(super) fn constructors(context: &mut Context, program: Program) -> (Vec<ir::FuncId>, Vec<ir::FuncId>) {
    let mut constructors = entries(context, program, "llvm.global_ctors");
    constructors.sort_by_key(|(priority, _)| *priority);
    let mut destructors = entries(context, program, "llvm.global_dtors");
    destructors.sort_by_key(|(priority, _)| *priority);
    destructors.reverse();
    let functions = |list: Vec<(u64, ir::FuncId)>| list.into_iter().map(|(_, f)| f).collect();
    (functions(constructors), functions(destructors))
}

fn entries(context: &mut Context, program: Program, name: &str) -> Vec<(u64, ir::FuncId)> {
    let Some(list) = program.globals().find(|g| g.name() == name).and_then(Value::initializer) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    for index in 0..list.ty().len() as u32 {
        let Some(entry) = list.element(index) else {
            continue;
        };
        let (Some(priority), Some(function)) = (entry.element(0).and_then(Value::as_u64), entry.element(1)) else {
            continue;
        };
        if let Ok(Linear { plus: Some(super::constant::Symbol::Function(id)), minus: None, offset: 0 }) =
            context.linear(function)
        {
            entries.push((priority, id));
        }
    }
    entries
}
