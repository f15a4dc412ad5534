//! The first access of a stretch to some bytes, which the race detector has to see.
use super::plain::Rules;
use super::registers::Registers;
use super::tracked::{Place, place};
use crate::memory::{AccessError, Loaded, Memory, Origin};
use frontend::ir::Inst;

/// Executes a load or store of a thread that has no undefined bits, with all checks; false, with nothing done that
/// counts, if it is none or brings undefined bits.
///
/// # Errors
/// A violation of the rules of memory, or a race.
pub(super) fn first_access(
    r: &mut Registers<'_>,
    memory: &mut Memory,
    rules: Rules,
    inst: Inst,
    origin: impl FnOnce(&mut Memory) -> Option<Origin>,
) -> Result<bool, AccessError> {
    let Some((size, address, place)) = place(r, memory, rules, inst) else { return Ok(false) };
    // What is promoted is for the complete form, which makes an action of the access; and so is what threads count in,
    // of which it notes who looks at it.
    if memory.has_visible() || memory.is_counted_in(address) {
        return Ok(false);
    }
    let Some(origin) = origin(memory) else { return Ok(false) };
    match place {
        Place::Load(dst) => {
            let loaded = memory.load(&origin, address, u64::from(size))?;
            // The complete form finds the bytes checked.
            if loaded.unwritten != 0 {
                return Ok(false);
            }
            r.set(dst, loaded.value);
        }
        Place::Store(value) => {
            let value = Loaded { value: r.get(value), unwritten: 0 };
            memory.store_partial(&origin, address, u64::from(size), value)?;
        }
    }
    Ok(true)
}
