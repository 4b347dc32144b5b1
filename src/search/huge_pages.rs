//! Pages of megabytes for memory that is read here and there
//! (<https://www.chessprogramming.org/Transposition_Table#Huge_Pages>): the processor remembers
//! where a few thousand pages lie, which for pages of 4 KiB is less than any hash table.

use std::mem::MaybeUninit;

/// Asks for huge pages for memory that has not been touched yet. A wish: where the system does not
/// grant it, nothing is different.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn wish_for<T>(memory: &mut [MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let bytes = memory.as_mut_ptr_range();
    let skipped = bytes.start.cast::<u8>().align_offset(page);
    let length = size_of_val(memory).saturating_sub(skipped) / page * page;
    if length > 0 {
        // SAFETY: the advice changes nothing in what the memory holds, and the range, whole pages from `skipped` on,
        // lies within a slice that is ours alone. That the system refuses is no harm.
        let _ =
            unsafe { madvise(bytes.start.cast::<u8>().add(skipped).cast(), length, Advice::LinuxHugepage) };
    }
}

/// This system is not asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn wish_for<T>(_memory: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_size_can_be_asked_for() {
        for length in [0, 1, 4095, 4096, 100_000, 8 << 20] {
            let mut memory: Vec<u8> = Vec::with_capacity(length);
            wish_for(memory.spare_capacity_mut());
            memory.resize(length, 1);
            assert!(memory.iter().all(|&byte| byte == 1), "{length}");
        }
    }
}
