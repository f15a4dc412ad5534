//! Errors in words.
use super::{Attempt, Internal, Memory, MemoryError, Mode, ObjectInfo, ObjectKind, Problem, Site, StackId};
use crate::library::hooks::Rights;
use crate::race::{Cause, Race, RaceAccess};
use crate::verdict::fault::Related;
use frontend::ir::{FuncId, Module};

impl Memory {
    /// The sentence and the related places (allocation, free) of a memory error.
    pub fn explain(&self, module: &Module, error: &MemoryError) -> (String, Vec<Related>) {
        let object = error.object.map_or_else(String::new, |object| self.sized(module, &object));
        let offset = error.object.map_or(0, |object| error.address.wrapping_sub(object.base) as i64);
        let attempt = attempt(error);
        let address = error.address;
        let free = matches!(error.attempt, Attempt::Free | Attempt::SizeOf);
        let message = match error.problem {
            Problem::Null if free => {
                format!("invalid free of address {address:#x}, which is not a heap block")
            }
            Problem::Null => format!("null pointer: {attempt} at address {address:#x}"),
            Problem::Unmapped if free => {
                format!("invalid free of address {address:#x}, where there is no object")
            }
            Problem::Unmapped => {
                format!("invalid pointer: {attempt} at address {address:#x}, where there is no object")
            }
            Problem::Code => format!(
                "invalid pointer: {attempt} at address {address:#x}, which is {}",
                self.code_name(module, address)
            ),
            Problem::OutOfBounds { offset } => {
                let size = error.object.map_or(0, |object| object.size) as i64;
                let place = match offset {
                    before if before < 0 => {
                        format!("{} before its start", bytes(before.unsigned_abs()))
                    }
                    past if past >= size => format!("{} past its end", bytes((past - size) as u64)),
                    _ => "across its end".to_string(),
                };
                format!("out of bounds: {attempt} at offset {offset} of {object}, {place}")
            }
            Problem::AfterFree if free => format!("double free of {object}"),
            Problem::AfterFree => {
                format!("use after free: {attempt} at offset {offset} of {object}")
            }
            Problem::AfterReturn | Problem::AfterScope if free => {
                format!("invalid free of {object}, whose life has ended")
            }
            Problem::AfterReturn => {
                format!("use after return: {attempt} at offset {offset} of {object}, whose life has ended")
            }
            Problem::AfterScope => {
                format!("use after scope: {attempt} at offset {offset} of {object}, whose block has ended")
            }
            Problem::Constant => format!("{attempt} to {object}, which is constant"),
            Problem::Misaligned { align } => {
                format!("misaligned: {attempt} at address {address:#x}, not a multiple of {align}")
            }
            Problem::NotABlock { offset } => {
                format!("invalid free of an address at offset {offset} in {object}")
            }
            Problem::AfterUnmap { .. } => {
                format!("use after munmap: {attempt} at offset {offset} of {object}, a page that was given back")
            }
            Problem::Protected { rights } => {
                let may = if rights == Rights::None { "not be accessed" } else { "only be read" };
                format!("protected: {attempt} at offset {offset} of {object}, a page that may {may}")
            }
            Problem::NotOnHeap => format!("invalid free of {object}, which is not on the heap"),
        };
        let mut related = Vec::new();
        if let Some(object) = error.object {
            let (begin, end) = match object.kind {
                ObjectKind::Heap => ("allocated here", "freed here"),
                _ => ("its life began here", "its life ended here"),
            };
            self.relate(begin, object.allocated, &mut related);
            if let Some(freed) = object.freed {
                self.relate(end, freed, &mut related);
            }
            if let Problem::AfterUnmap { site } = error.problem {
                self.relate("given back here", site, &mut related);
            }
        }
        (message, related)
    }

    /// The sentence and the other access of a data race. (Whose events are involved is in the race itself.)
    pub fn explain_race(&self, module: &Module, race: &Race) -> (String, Vec<Related>) {
        let what = match race.cause {
            Cause::EndOfLife if race.location.kind == ObjectKind::Heap => "free".to_string(),
            Cause::EndOfLife => "the end of its life".to_string(),
            Cause::Synchronisation => "synchronisation".to_string(),
            Cause::Access => access(&race.second),
        };
        let (second, first) = (race.second.thread, race.first.thread);
        let message = format!(
            "data race on {}: {what} by thread {} and {} by thread {}, which nothing orders",
            self.name_at(module, race.address),
            second.0,
            access(&race.first),
            first.0,
        );
        let mut related = Vec::new();
        let site = Site { thread: first, event: race.first.event, stack: race.first.stack };
        self.relate(&format!("conflicting {} by thread {}", access(&race.first), first.0), site, &mut related);
        if let Some(object) = self.object_at(race.address)
            && object.kind == ObjectKind::Heap
        {
            self.relate("allocated here", object.allocated, &mut related);
        }
        if [race.first.stack, race.second.stack].into_iter().any(|stack| self.is_volatile(module, stack)) {
            let message =
                "a volatile access orders nothing in C; `--volatile atomic` counts it as a relaxed atomic one";
            related.push(Related { message: message.to_owned(), thread: None, event: None, stack: Vec::new() });
        }
        (message, related)
    }

    /// Whether a volatile access that counts as a plain one is where a stack ends.
    fn is_volatile(&self, module: &Module, stack: StackId) -> bool {
        let frames = self.stacks.frames(stack);
        frames
            .first()
            .and_then(|frame| module.locations.get(frame.location.index()))
            .is_some_and(|place| place.volatile)
    }

    /// A name for what is at an address, for messages: "`x`", "`x` + 8", "heap block of 16 bytes, offset 8".
    pub fn name_at(&self, module: &Module, address: u64) -> String {
        let Some(object) = self.object_at(address) else {
            return if self.code.contains(address) { self.code_name(module, address) } else { format!("{address:#x}") };
        };
        let offset = address.wrapping_sub(object.base) as i64;
        match source_name(module, object.kind) {
            Some(name) if offset == 0 => format!("`{name}`"),
            Some(name) if offset < 0 => format!("`{name}` - {}", offset.unsigned_abs()),
            Some(name) => format!("`{name}` + {offset}"),
            None => format!("{}, offset {offset}", self.sized(module, &object)),
        }
    }

    fn relate(&self, message: &str, site: Site, related: &mut Vec<Related>) {
        if site.stack != StackId::EMPTY {
            let stack = self.stacks.frames(site.stack);
            let (thread, event) = (Some(site.thread), Some(site.event));
            related.push(Related { message: message.to_string(), thread, event, stack });
        }
    }

    /// "variable `x` of `f` (4 bytes)".
    fn sized(&self, module: &Module, object: &ObjectInfo) -> String {
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
            ObjectKind::Heap => format!("a heap block of {size}{}", self.made_at(module, object)),
            ObjectKind::Internal(what) => format!("{} ({size})", internal(what)),
        }
    }

    /// Where a block was allocated, as far as that has a place in the source: " (`pool_create` in pool.c:12)".
    fn made_at(&self, module: &Module, object: &ObjectInfo) -> String {
        let frames = self.stacks.frames(object.allocated.stack);
        let known = frames.iter().find_map(|frame| {
            let place = module.locations.get(frame.location.index()).filter(|place| place.line > 0)?;
            let file = module.files.get(place.file as usize)?;
            Some(format!(" (`{}` in {}:{})", place.function, file.rsplit('/').next().unwrap_or(file), place.line))
        });
        known.unwrap_or_default()
    }

    fn code_name(&self, module: &Module, address: u64) -> String {
        match self.code_at(address) {
            Some(super::CodeAddress::Function(id)) => {
                format!("the function `{}`", function(module, id))
            }
            Some(super::CodeAddress::Label(id, _)) => {
                format!("code of the function `{}`", function(module, id))
            }
            None => "code".to_string(),
        }
    }
}

/// "read of 4 bytes".
fn attempt(error: &MemoryError) -> String {
    match error.attempt {
        Attempt::Read => format!("read of {}", bytes(error.size)),
        Attempt::Write => format!("write of {}", bytes(error.size)),
        Attempt::Free => "free".to_string(),
        Attempt::SizeOf => "size of a heap block".to_string(),
        Attempt::Synchronise => "operation on a synchronisation object".to_string(),
    }
}

/// "atomic write".
fn access(access: &RaceAccess) -> String {
    let what = if access.write { "write" } else { "read" };
    match access.mode {
        Mode::Plain | Mode::Visible => what.to_string(),
        Mode::Atomic => format!("atomic {what}"),
        Mode::Synchronising => "synchronisation".to_string(),
    }
}

fn bytes(n: u64) -> String {
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
