//! The memory of the machine: its size, huge pages for large tables, and prefetching.

use std::fs;
use std::mem::MaybeUninit;

/// A resource the system refused. The searcher keeps its previous configuration.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// No memory for a hash table of this many MiB.
    #[error("no memory for a hash table of {0} MiB")]
    Hash(usize),
    /// The system refused to start this many threads.
    #[error("the system cannot start {0} threads")]
    Threads(usize),
}

const BYTES_PER_KIB: u64 = 1024;

/// The memory of the machine, or of the container that the program runs in, in bytes. `None` if unknown.
///
/// On systems that overcommit memory a large allocation succeeds, and the program is killed when it touches
/// the memory. The size is checked first for this reason.
pub fn physical() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    let container =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(container).min()
}

/// Whether there is memory for this many more threads, each of which uses `used` bytes and reserves
/// `reserved` bytes. Other programs may take the memory before the threads do.
pub(super) fn has_room_for(threads: usize, used: usize, reserved: usize) -> bool {
    let is_there = physical().is_none_or(|there_is| threads.saturating_mul(used) as u64 <= there_is);
    let reserve = |_| {
        let mut room = Vec::<u8>::new();
        room.try_reserve_exact(used + reserved).map(|()| room)
    };
    is_there && (0..threads).map(reserve).collect::<Result<Vec<_>, _>>().is_ok()
}

/// Reads the line `MemTotal:  24576000 kB`.
fn total(meminfo: &str) -> Option<u64> {
    let rest = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = rest.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(BYTES_PER_KIB)
}

/// Requests huge pages for memory that has not been touched yet
/// (<https://www.chessprogramming.org/Transposition_Table#Huge_Pages>): random access to a large table with
/// pages of 4 KiB misses the processor's TLB most of the time. Has no effect if the system refuses.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(super) fn advise_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let bytes = memory.as_mut_ptr_range();
    let skipped = bytes.start.cast::<u8>().align_offset(page);
    let length = size_of_val(memory).saturating_sub(skipped) / page * page;
    if length > 0 {
        // SAFETY: the advice does not change the content of the memory, and the range, whole pages from
        // `skipped` on, is inside a slice that is borrowed mutably. An error has no consequence.
        let _ =
            unsafe { madvise(bytes.start.cast::<u8>().add(skipped).cast(), length, Advice::LinuxHugepage) };
    }
}

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn advise_huge_pages<T>(_memory: &mut [MaybeUninit<T>]) {}

/// Prefetches the cache line on which a value starts.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch is a hint that reads nothing, and every x86-64 processor supports it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

/// Does nothing on this processor.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn prefetch<T>(_value: &T) {}

#[cfg(test)]
mod tests {
    use super::*;

    // Memory size

    #[test]
    fn meminfo_is_read() {
        let cases = [
            ("usual", "MemTotal:       24576000 kB\nMemFree: 1 kB\n", Some(24_576_000 * 1024)),
            ("empty", "", None),
            ("no number", "MemTotal: much kB", None),
            ("too much", "MemTotal: 18446744073709551615 kB", None),
        ];
        for (name, text, expected) in cases {
            assert_eq!(total(text), expected, "{name}");
        }
    }

    // Huge pages

    #[test]
    fn memory_of_any_size_can_be_asked_for() {
        for length in [0, 1, 4095, 4096, 100_000, 8 << 20] {
            let mut memory: Vec<u8> = Vec::with_capacity(length);
            advise_huge_pages(memory.spare_capacity_mut());
            memory.resize(length, 1);
            assert!(memory.iter().all(|&byte| byte == 1), "{length}");
        }
    }
}
