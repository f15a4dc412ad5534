//! Errors in words.
use super::name::bytes;
use super::{Attempt, Memory, MemoryError, Mode, ObjectKind, Problem, Site, StackId};
use crate::library::hooks::Rights;
use crate::race::{Cause, Race, RaceAccess};
use crate::verdict::fault::Related;
use frontend::ir::Module;

impl Memory {
    /// The sentence and the related places (allocation, free) of a memory error.
    pub fn explain(&self, module: &Module, error: &MemoryError) -> (String, Vec<Related>) {
        let object = error.object.map_or_else(String::new, |object| self.sized(module, &object));
        let offset = error.object.map_or(0, |object| error.address.wrapping_sub(object.base) as i64);
        let attempt = attempt(error);
        // An offset says little where the part has a name.
        let part = error.object.and_then(|object| self.part_at(module, &object, error.address));
        let part = part.map(|part| format!(" ({part})")).unwrap_or_default();
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
                format!("use after free: {attempt} at offset {offset}{part} of {object}")
            }
            Problem::AfterReturn | Problem::AfterScope if free => {
                format!("invalid free of {object}, whose life has ended")
            }
            Problem::AfterReturn => {
                format!("use after return: {attempt} at offset {offset}{part} of {object}, whose life has ended")
            }
            Problem::AfterScope => {
                format!("use after scope: {attempt} at offset {offset}{part} of {object}, whose block has ended")
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

    fn relate(&self, message: &str, site: Site, related: &mut Vec<Related>) {
        if site.stack != StackId::EMPTY {
            let stack = self.stacks.frames(site.stack);
            let (thread, event) = (Some(site.thread), Some(site.event));
            related.push(Related { message: message.to_string(), thread, event, stack });
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
