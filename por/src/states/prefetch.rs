//! A hint to the processor: this will be needed soon.
#![allow(unsafe_code, reason = "the processor's instruction has no safe form")]

/// Has it brought near, which takes no time and changes nothing.
#[inline]
pub(super) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads and writes nothing, and the address is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
    }
}
