//! `malloc` and its relatives.
use crate::args::{Done, return_int, return_word, word};
use crate::errno::{self, EINVAL, ENOMEM};
use crate::table::Family;
use interp::Assumption;
use interp::fault::Kind;
use interp::hooks::{Call, Content, ModelError, Registered};

const FAMILY: Family = Family::of("memory allocation");
const SUCCEEDS: &str =
    "assumes that it succeeds (allocation-succeeds), unless the size is beyond half the address space";

/// Allocation and release.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("malloc", SUCCEEDS, malloc).making(|call| call.argument(0)),
    FAMILY.noted("calloc", SUCCEEDS, calloc).making(|call| call.argument(0).saturating_mul(call.argument(1))),
    FAMILY.noted("realloc", SUCCEEDS, realloc).allocating(),
    FAMILY.noted("reallocarray", SUCCEEDS, reallocarray).allocating(),
    FAMILY.noted("aligned_alloc", SUCCEEDS, aligned).allocating(),
    FAMILY.noted("memalign", SUCCEEDS, aligned).allocating(),
    FAMILY.noted("posix_memalign", SUCCEEDS, posix_memalign).allocating(),
    FAMILY.noted("valloc", SUCCEEDS, valloc).allocating(),
    FAMILY.plain("free", free),
    FAMILY.plain("cfree", free),
    FAMILY.noted("malloc_usable_size", "exactly what was asked for", usable_size),
];

/// What malloc promises on every x86.
const ALIGNMENT: u64 = 16;

/// A new object; 0 (and `errno`) if no object can be that large.
pub(crate) fn allocate(call: &mut dyn Call, size: u64, align: u64, content: Content) -> Result<u64, ModelError> {
    let largest = u64::MAX >> (64 - 8 * call.pointer_bytes() + 1);
    if size > largest {
        errno::set(call, ENOMEM)?;
        return Ok(0);
    }
    call.assume(Assumption::AllocationSucceeds);
    call.allocate(size, align.max(ALIGNMENT), content)
}

fn malloc(call: &mut dyn Call) -> Done {
    let size = word(call, 0)?;
    let object = allocate(call, size, ALIGNMENT, Content::Unwritten)?;
    return_word(object)
}

/// `u64::MAX`, which cannot be allocated, if the product overflows.
fn product(call: &mut dyn Call, first: usize) -> Result<u64, ModelError> {
    let (count, size) = (word(call, first)?, word(call, first + 1)?);
    Ok(count.saturating_mul(size))
}

fn calloc(call: &mut dyn Call) -> Done {
    let size = product(call, 0)?;
    let object = allocate(call, size, ALIGNMENT, Content::Zero)?;
    return_word(object)
}

fn realloc(call: &mut dyn Call) -> Done {
    let (old, size) = (word(call, 0)?, word(call, 1)?);
    resize(call, old, size)
}

fn reallocarray(call: &mut dyn Call) -> Done {
    let (old, size) = (word(call, 0)?, product(call, 1)?);
    resize(call, old, size)
}

fn resize(call: &mut dyn Call, old: u64, size: u64) -> Done {
    if old == 0 {
        let object = allocate(call, size, ALIGNMENT, Content::Unwritten)?;
        return return_word(object);
    }
    of_malloc(call, old)?;
    let old_size = call.allocation_size(old)?;
    if size == 0 {
        // As glibc does it.
        return call.free_at_last(old);
    }
    let new = allocate(call, size, ALIGNMENT, Content::Unwritten)?;
    if new != 0 {
        call.copy(new, old, old_size.min(size))?;
        call.free(old)?;
    }
    return_word(new)
}

fn aligned(call: &mut dyn Call) -> Done {
    let (align, size) = (word(call, 0)?, word(call, 1)?);
    if !align.is_power_of_two() {
        errno::set(call, EINVAL)?;
        return return_word(0);
    }
    let object = allocate(call, size, align, Content::Unwritten)?;
    return_word(object)
}

fn posix_memalign(call: &mut dyn Call) -> Done {
    let (result, align, size) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let bytes = call.pointer_bytes();
    if !align.is_power_of_two() || align < bytes {
        return return_int(EINVAL);
    }
    let object = allocate(call, size, align, Content::Unwritten)?;
    if object == 0 {
        return return_int(ENOMEM);
    }
    call.store(result, bytes, object)?;
    return_int(0)
}

fn valloc(call: &mut dyn Call) -> Done {
    let size = word(call, 0)?;
    let object = allocate(call, size, 4096, Content::Unwritten)?;
    return_word(object)
}

fn free(call: &mut dyn Call) -> Done {
    let object = word(call, 0)?;
    of_malloc(call, object)?;
    call.free_at_last(object)
}

/// What mmap gave is no block of malloc's.
fn of_malloc(call: &mut dyn Call, object: u64) -> Result<(), ModelError> {
    match call.mapping_at(object) {
        Some(_) => Err(call.fault(Kind::Memory, format!("{} of memory that mmap gave", call.name()))),
        None => Ok(()),
    }
}

fn usable_size(call: &mut dyn Call) -> Done {
    let size = match word(call, 0)? {
        0 => 0,
        object => call.allocation_size(object)?,
    };
    return_word(size)
}
