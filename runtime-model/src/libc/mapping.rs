//! `mmap` of fresh memory: an allocation of whole pages.
use crate::args::{Done, int, return_int, return_word, word};
use crate::errno::{self, EINVAL};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, Content, ModelError, Registered};

const FAMILY: Family = Family::of("memory allocation");
const NOTE: &str = "fresh memory only, which munmap gives back as a whole (assumption allocation-succeeds)";

/// `mmap`, `munmap`, and what makes no difference.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("mmap", NOTE, map).allocating(),
    FAMILY.noted("mmap64", NOTE, map).allocating(),
    FAMILY.noted("munmap", NOTE, unmap),
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
const READ_AND_WRITE: i32 = 3;

/// (where, length, protection, flags, …)
fn map(call: &mut dyn Call) -> Done {
    let (place, length, protection, flags) = (word(call, 0)?, word(call, 1)?, int(call, 2)?, int(call, 3)?);
    if length == 0 {
        errno::set(call, EINVAL)?;
        return return_word(u64::MAX >> (64 - 8 * call.pointer_bytes()));
    }
    if flags & ANONYMOUS == 0
        || flags & FIXED != 0
        || protection != READ_AND_WRITE
        || (place != 0 && flags & SHARED != 0)
    {
        let what = "mmap of files, at fixed places, or of memory that is not both read and written";
        return Err(ModelError::Unknown(format!("{what} is not modelled")));
    }
    call.assume(Assumption::AllocationSucceeds);
    let Some(size) = length.checked_next_multiple_of(PAGE) else {
        return Err(ModelError::Unknown(format!("mmap of {length} bytes")));
    };
    let address = call.allocate(size, PAGE, Content::Zero)?;
    return_word(address)
}

fn unmap(call: &mut dyn Call) -> Done {
    let (address, length) = (word(call, 0)?, word(call, 1)?);
    if call.allocation_size(address)? != length.next_multiple_of(PAGE) {
        return Err(ModelError::Unknown("munmap of a part of a mapping is not modelled".to_owned()));
    }
    call.free_at_last(address)
}

/// Advice 0 to 3 is about the order of accesses, 4 gives the content up, so that zeros are read (of a private mapping
/// without a file, and there is no other); those from 10 on are about child processes, merging and size of pages, and
/// dumps.
fn advise(call: &mut dyn Call) -> Done {
    let (address, length) = (word(call, 0)?, word(call, 1)?);
    match int(call, 2)? {
        0..=3 | 10..=17 => return_int(0),
        4 if address % PAGE != 0 => {
            errno::set(call, EINVAL)?;
            return_int(-1)
        }
        4 => {
            if length > 0 {
                call.fill(address, 0, length.next_multiple_of(PAGE))?;
            }
            return_int(0)
        }
        other => Err(ModelError::Unknown(format!("madvise with advice {other} is not modelled"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelError;

    #[test]
    fn whole_pages() {
        let mut fake = Fake::lp64();
        let place = fake.result("mmap", &[0, 5000, 3, 0x22, u64::from(u32::MAX), 0]);
        assert_eq!(place % 4096, 0);
        assert!(matches!(fake.call("munmap", &[place.into(), 4096.into()]), Err(ModelError::Unknown(_))));
        assert_eq!(fake.result("munmap", &[place, 5000]), 0);
        assert_eq!(fake.result("mmap", &[0, 0, 3, 0x22, 0, 0]), u64::MAX);
        assert!(matches!(fake.call("mmap", &[0.into(), 1.into(), 1.into(), 0x22.into()]), Err(ModelError::Unknown(_))));
    }
}
