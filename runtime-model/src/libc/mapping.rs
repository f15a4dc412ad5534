//! `mmap` and what is done to mappings: blocks of whole pages, each of which has rights, and can be given back for
//! itself. (Files are mapped by library code in C, see `code/mappings.c`.)
use crate::args::{Done, int, return_int, return_word, word};
use crate::errno::{self, EINVAL, ENOMEM};
use crate::table::Family;
use interp::Assumption;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, PageChange, PagesChanged, Registered, Rights, Shows};

const FAMILY: Family = Family::of("memory allocation");
const RIGHTS: &str = "of mappings; an access without the right to it is a violation (memory); accesses of other threads, which nothing orders \
     with the change and which do not have the right in every order, are unknown";

/// What is behind `mmap` and `munmap`; `mprotect`, and what makes no difference.
pub(crate) const MODELS: &[Registered] = &[
    Family::of("library code").plain("__verify_map", map).allocating(),
    Family::of("library code").plain("__verify_unmap", unmap),
    Family::of("library code").plain("__verify_mapping_kind", kind),
    FAMILY.noted("mprotect", RIGHTS, protect),
    FAMILY.noted("madvise", ADVICE, advise),
    FAMILY.noted("posix_madvise", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("mlock", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("munlock", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("mlockall", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("munlockall", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("malloc_trim", "no effect", crate::args::succeeds).idling(),
    FAMILY.noted("mallopt", "no effect", |_| return_int(1)),
];

const ADVICE: &str =
    "no effect; MADV_DONTNEED writes zeros, and MADV_FREE, MADV_REMOVE and those of special pages are unknown";

const PAGE: u64 = 4096;
const SHARED: i32 = 1;
const FIXED: i32 = 0x10;
const ANONYMOUS: i32 = 0x20;
/// MAP_GROWSDOWN, MAP_HUGETLB and MAP_FIXED_NOREPLACE.
const SPECIAL: i32 = 0x100 | 0x4_0000 | 0x10_0000;

/// What a protection allows: who may write may read, and who may execute may read, as on x86.
fn rights(protection: i32) -> Result<Rights, ModelError> {
    match protection {
        0 => Ok(Rights::None),
        1 | 4 | 5 => Ok(Rights::Read),
        2 | 3 | 6 | 7 => Ok(Rights::Write),
        _ => Err(ModelError::Unknown(format!("memory with the protection {protection:#x} is not modelled"))),
    }
}

/// (where, length, protection, flags, what it shows)
fn map(call: &mut dyn Call) -> Done {
    let (place, length, protection, flags) = (word(call, 0)?, word(call, 1)?, int(call, 2)?, int(call, 3)?);
    if length == 0 {
        errno::set(call, EINVAL)?;
        return return_word(u64::MAX >> (64 - 8 * call.pointer_bytes()));
    }
    if flags & ANONYMOUS == 0 || flags & (FIXED | SPECIAL) != 0 || (place != 0 && flags & SHARED != 0) {
        let what = "mmap at fixed places, or of special pages";
        return Err(ModelError::Unknown(format!("{what} is not modelled")));
    }
    let rights = rights(protection)?;
    let shows = match int(call, 4)? {
        0 => Shows::Nothing,
        1 => Shows::Copy,
        2 => Shows::ReadShared,
        _ => Shows::WrittenBack,
    };
    call.assume(Assumption::AllocationSucceeds);
    let Some(size) = length.checked_next_multiple_of(PAGE) else {
        return Err(ModelError::Unknown(format!("mmap of {length} bytes")));
    };
    let address = call.map_pages(size, rights, shows)?;
    return_word(address)
}

fn fails(call: &mut dyn Call, error: i32) -> Done {
    errno::set(call, error)?;
    return_int(-1)
}

/// The length of whole pages; `None` (and `errno`) if these are none.
fn whole_pages(call: &mut dyn Call, address: u64, length: u64) -> Result<Option<u64>, ModelError> {
    let length = length.checked_next_multiple_of(PAGE).filter(|_| address.is_multiple_of(PAGE));
    if length.is_none() {
        errno::set(call, EINVAL)?;
    }
    Ok(length)
}

fn beyond(name: &str) -> Done {
    Err(ModelError::Unknown(format!("{name} behind the end of a mapping is not modelled")))
}

/// (where): what the mapping there shows.
fn kind(call: &mut dyn Call) -> Done {
    let address = word(call, 0)?;
    return_word(call.mapping_shows(address) as u64)
}

fn unmap(call: &mut dyn Call) -> Done {
    let (address, length) = (word(call, 0)?, word(call, 1)?);
    let Some(length) = whole_pages(call, address, length)?.filter(|length| *length > 0) else {
        return fails(call, EINVAL);
    };
    match call.change_pages(address, length, PageChange::GiveBack)? {
        PagesChanged::Done => return_int(0),
        PagesChanged::All => {
            let (start, _) = call.mapping_at(address).expect("some of its pages are left");
            call.free_at_last(start)
        }
        PagesChanged::NotThere => {
            Err(call.fault(Kind::Memory, "munmap of pages that were given back before".to_owned()))
        }
        PagesChanged::Beyond => beyond("munmap"),
        PagesChanged::NoMapping if call.is_alive(address) => {
            Err(call.fault(Kind::Memory, format!("munmap of memory at {address:#x} that mmap did not give")))
        }
        // What was freed is freed again, and so on.
        PagesChanged::NoMapping => call.free_at_last(address),
    }
}

fn protect(call: &mut dyn Call) -> Done {
    let (address, length, protection) = (word(call, 0)?, word(call, 1)?, int(call, 2)?);
    let rights = rights(protection)?;
    let Some(length) = whole_pages(call, address, length)? else { return return_int(-1) };
    if length == 0 {
        return return_int(0);
    }
    match call.change_pages(address, length, PageChange::Protect(rights))? {
        PagesChanged::Done => return_int(0),
        PagesChanged::NotThere => fails(call, ENOMEM),
        PagesChanged::Beyond => beyond("mprotect"),
        PagesChanged::NoMapping | PagesChanged::All => {
            Err(ModelError::Unknown("mprotect of what is no mapping is not modelled".to_owned()))
        }
    }
}

/// Advice 0 to 3 is about the order of accesses, 4 gives the content up, so that zeros are read (of a mapping without a
/// file); those from 10 on are about child processes, merging and size of pages, and dumps.
fn advise(call: &mut dyn Call) -> Done {
    let (address, length) = (word(call, 0)?, word(call, 1)?);
    match int(call, 2)? {
        0..=3 | 10..=17 => return_int(0),
        4 => {
            let Some(length) = whole_pages(call, address, length)? else { return return_int(-1) };
            if length == 0 {
                return return_int(0);
            }
            match call.change_pages(address, length, PageChange::Discard)? {
                PagesChanged::Done => return_int(0),
                PagesChanged::NotThere => fails(call, ENOMEM),
                PagesChanged::Beyond => beyond("madvise"),
                PagesChanged::NoMapping | PagesChanged::All => {
                    call.fill(address, 0, length)?;
                    return_int(0)
                }
            }
        }
        other => Err(ModelError::Unknown(format!("madvise with advice {other} is not modelled"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::fault::Kind;
    use interp::hooks::ModelError;

    #[test]
    fn whole_pages() {
        let mut fake = Fake::lp64();
        let place = fake.result("__verify_map", &[0, 5000, 3, 0x22, 0]);
        assert_eq!(place % 4096, 0);
        assert_eq!(fake.int("__verify_unmap", &[place + 1, 4096]), -1);
        assert_eq!(fake.int("__verify_unmap", &[place, 0]), -1);
        assert_eq!(fake.int("mprotect", &[place, 1, 1]), 0);
        assert_eq!(fake.int("__verify_unmap", &[place + 4096, 1]), 0);
        assert_eq!(fake.result("__verify_unmap", &[place, 8192]), 0);
        assert_eq!(fake.result("__verify_map", &[0, 0, 3, 0x22, 0]), u64::MAX);
    }

    #[test]
    fn what_is_not_modelled() {
        let mut fake = Fake::lp64();
        let unknown = |fake: &mut Fake, name: &str, arguments: &[u64]| {
            let arguments: Vec<_> = arguments.iter().map(|a| (*a).into()).collect();
            matches!(fake.call(name, &arguments), Err(ModelError::Unknown(_)))
        };
        let place = fake.result("__verify_map", &[0, 4096, 0, 0x22, 0]);
        assert!(unknown(&mut fake, "__verify_unmap", &[place, 8192]));
        assert!(unknown(&mut fake, "mprotect", &[place, 8192, 1]));
        assert!(unknown(&mut fake, "mprotect", &[place, 4096, 0x100_0000]));
        assert!(unknown(&mut fake, "__verify_map", &[place, 1, 3, 0x32, 0]));
        let block = fake.result("aligned_alloc", &[4096, 4096]);
        assert!(unknown(&mut fake, "mprotect", &[block, 4096, 1]));
        assert_eq!(fake.violation("__verify_unmap", &[block, 4096]), Kind::Memory);
        assert_eq!(fake.violation("free", &[place]), Kind::Memory);
    }
}
