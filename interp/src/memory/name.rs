//! Objects and their parts in words.
//!
//! A block is called as the pointer to it was called first, where it was allocated, whoever uses it later and whatever
//! they call it: so an object has one name in a report. Blocks that were allocated at the same place have numbers, from
//! the second one on.
use super::{CodeAddress, Internal, Memory, ObjectInfo, ObjectKind, StackId};
use crate::verdict::fault::StackFrame;
use frontend::ir::{Form, FuncId, Location, Module, Part, Pointer, is_library_header};
use rustc_hash::FxHashMap;

/// What is known of a block from where it was allocated.
struct Birth<'m> {
    /// The frame of the stack that says most: the innermost one that gives the pointer a name, or that has a place.
    frame: StackFrame,
    pointer: Option<&'m Pointer>,
}

impl Memory {
    /// A name for what is at an address, for messages: "`x`", "`table.slots[3]`", "`x` + 8", "`pool->lock` (`main` in
    /// pool.c:15)", "a heap block of 16 bytes, offset 8".
    pub fn name_at(&self, module: &Module, address: u64) -> String {
        let Some(object) = self.object_at(address) else { return self.name_of_object(module, address) };
        let Some(part) = self.part_at(module, &object, address) else { return self.name_of_object(module, address) };
        let birth = self.birth(module, object.allocated.stack).filter(|_| object.kind == ObjectKind::Heap);
        match birth {
            Some(birth) => format!("{part} ({})", self.made_at(module, &object, &birth)),
            None => part,
        }
    }

    /// The part of an object that is at an address, if it has a name: "`table.slots[3]`", "`pool->lock`".
    pub(super) fn part_at(&self, module: &Module, object: &ObjectInfo, address: u64) -> Option<String> {
        let offset = address.checked_sub(object.base)?;
        let names = &module.names;
        let ty = match object.kind {
            ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => names.global(id)?,
            ObjectKind::Stack(function, variable) => names.variable(function, variable)?,
            ObjectKind::Heap => {
                let pointer = self.birth(module, object.allocated.stack)?.pointer?;
                let (name, rest) = names.target(pointer, object.size, offset)?;
                return Some(plus(&name, rest));
            }
            _ => return None,
        };
        let Part { text, rest, .. } = names.part_of_variable(ty, object.size, offset)?;
        Some(plus(&format!("{}{text}", source_name(module, object.kind)?), rest))
    }

    /// A name for the object at an address, and how far into it that is: "`x`", "`x` + 8", "a heap block of 16 bytes,
    /// offset 8".
    pub fn name_of_object(&self, module: &Module, address: u64) -> String {
        let Some(object) = self.object_at(address) else {
            return if self.code.contains(address) { self.code_name(module, address) } else { format!("{address:#x}") };
        };
        let offset = address.wrapping_sub(object.base) as i64;
        match source_name(module, object.kind) {
            Some(name) if offset < 0 => format!("`{name}` - {}", offset.unsigned_abs()),
            Some(name) => plus(name, offset.unsigned_abs()),
            None if offset == 0 => self.sized(module, &object),
            None => format!("{}, offset {offset}", self.sized(module, &object)),
        }
    }

    /// "variable `x` of `f` (4 bytes)".
    pub(super) fn sized(&self, module: &Module, object: &ObjectInfo) -> String {
        let size = bytes(object.size);
        match object.kind {
            ObjectKind::Global(id) => format!("global `{}` ({size})", module.globals[id.index()].name),
            ObjectKind::ThreadLocal(id) => format!("thread-local `{}` ({size})", module.globals[id.index()].name),
            ObjectKind::Stack(id, _) => match source_name(module, object.kind) {
                Some(name) => format!("variable `{name}` of `{}` ({size})", function(module, id)),
                None => format!("a stack object of `{}` ({size})", function(module, id)),
            },
            ObjectKind::Argument(id) => format!("an argument of `{}` ({size})", function(module, id)),
            ObjectKind::Variadic(id) => format!("the variable arguments of `{}` ({size})", function(module, id)),
            ObjectKind::Heap => {
                let birth = self.birth(module, object.allocated.stack);
                let called = birth.as_ref().and_then(|birth| birth.pointer);
                let called = called.map(|pointer| format!("`{}` of ", pointer.name)).unwrap_or_default();
                let made = birth.map(|birth| format!(" ({called}{})", self.made_at(module, object, &birth)));
                format!("a heap block of {size}{}", made.unwrap_or_default())
            }
            ObjectKind::Internal(what) => format!("{} ({size})", internal(what)),
        }
    }

    /// Where a block was allocated, and which of those that were allocated there it is: "`pool_create` in pool.c:12,
    /// block 2".
    fn made_at(&self, module: &Module, object: &ObjectInfo, Birth { frame, .. }: &Birth<'_>) -> String {
        let Some((place, file)) = place(module, frame) else { return String::new() };
        let file = file.rsplit('/').next().unwrap_or(file);
        let mut text = format!("`{}` in {file}:{}", place.function, place.line);
        // Blocks are made one after the other. An address is used again only for what is allocated by the same calls,
        // so the ones before this one do not change.
        let mut known: FxHashMap<StackId, bool> = FxHashMap::default();
        let before = self.objects.iter().map(|other| &other.header).take_while(|other| other.base != object.base);
        let twins = before.filter(|other| other.kind == ObjectKind::Heap).filter(|other| {
            let stack = other.allocated.stack;
            *known.entry(stack).or_insert_with(|| self.birth(module, stack).is_some_and(|it| it.frame == *frame))
        });
        let number = 1 + twins.count();
        if number > 1 {
            text.push_str(&format!(", block {number}"));
        }
        if object.generation > 0 {
            text.push_str(&format!(", life {}", object.generation + 1));
        }
        text
    }

    fn birth<'m>(&self, module: &'m Module, stack: StackId) -> Option<Birth<'m>> {
        let frames = self.stacks.frames(stack);
        let mut plain = None;
        for frame in &frames {
            let Some(result) = module.names.result(frame.function, frame.location) else { break };
            if let Some(pointer) = &result.known
                && place(module, frame).is_some()
            {
                let birth = Birth { frame: *frame, pointer: Some(pointer) };
                // Bytes are what allocators deal in; who they were allocated for knows better.
                let form = &module.names.types[pointer.target.0 as usize].form;
                if !matches!(form, Form::Whole) || !result.passed_on {
                    return Some(birth);
                }
                plain.get_or_insert(birth);
            }
            if !result.passed_on {
                break;
            }
        }
        plain.or_else(|| {
            let known = || frames.iter().filter_map(|frame| Some((frame, place(module, frame)?.1)));
            // (A place in the program says more than one in a header of the C++ library.)
            let own = known().find(|(_, file)| !is_library_header(file));
            let (frame, _) = own.or_else(|| known().next())?;
            Some(Birth { frame: *frame, pointer: None })
        })
    }

    pub(super) fn code_name(&self, module: &Module, address: u64) -> String {
        match self.code_at(address) {
            Some(CodeAddress::Function(id)) => {
                format!("the function `{}`", function(module, id))
            }
            Some(CodeAddress::Label(id, _)) => {
                format!("code of the function `{}`", function(module, id))
            }
            None => "code".to_string(),
        }
    }
}

/// The place in the source where a frame stands, and its file.
fn place<'m>(module: &'m Module, frame: &StackFrame) -> Option<(&'m Location, &'m str)> {
    let place = module.locations.get(frame.location.index()).filter(|place| place.line > 0)?;
    Some((place, module.files.get(place.file as usize)?))
}

/// "`x`", "`x` + 8".
fn plus(name: &str, offset: u64) -> String {
    if offset == 0 { format!("`{name}`") } else { format!("`{name}` + {offset}") }
}

pub(super) fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

fn source_name(module: &Module, kind: ObjectKind) -> Option<&str> {
    let name = match kind {
        ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => &module.globals[id.index()].name,
        ObjectKind::Stack(function, variable) => {
            &module.functions[function.index()].allocas.get(variable as usize)?.name
        }
        ObjectKind::Internal(what) => return Some(internal(what)),
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

fn internal(what: Internal) -> &'static str {
    match what {
        Internal::Errno => "errno",
        Internal::Specific => "thread-specific values",
        Internal::Stream => "a standard stream",
        Internal::Arguments => "the program's arguments",
        Internal::Table => "a table of the C library",
    }
}

fn function(module: &Module, id: FuncId) -> &str {
    &module.functions[id.index()].name
}
