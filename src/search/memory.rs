//! How much memory the machine has.

use std::fs;

const BYTES_PER_KIB: u64 = 1024;

/// The memory of the machine, or of the container that the program runs in, in bytes; `None`
/// where there is no telling.
///
/// Systems that promise more memory than they have would let a program start that they kill
/// as soon as it uses what it was promised, so a promise alone is not enough.
pub fn physical() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    let container =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(container).min()
}

/// Is there room for so many threads more, each of which uses `used` bytes and reserves `reserved` more? Others may
/// take it before they do.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
