//! The signals that the tests send to the programs they start.

/// Makes the programs that are started after this call react to signals, even if the tests themselves ignore them.
///
/// `nohup` and shells that start the tests in the background make them ignore some signals. Ignored signals remain
/// ignored in child processes, but signals with a handler do not.
#[cfg(target_os = "linux")]
pub(crate) fn heed() {
    use once_cell::sync::OnceCell;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::flag::register;
    use std::sync::Arc;

    static DONE: OnceCell<()> = OnceCell::new();
    DONE.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = ignored(&status);
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            if ignored >> (signal - 1) & 1 == 1 {
                // A flag at which no one looks: the signal still has no effect here.
                register(signal, Arc::default()).expect("it can be handled");
            }
        }
    });
}

/// Does nothing: there is no simple way to determine which signals are ignored.
#[cfg(not(target_os = "linux"))]
pub(crate) fn heed() {}

/// The signals that a process ignores, from its `/proc/self/status`: bit 0 is signal 1.
#[cfg(target_os = "linux")]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(target_os = "linux")]
#[test]
fn ignored_signals_are_read() {
    let status =
        "Name:\tcat\nSigBlk:\t00000000000000ff\nSigIgn:\t0000000000001007\nSigCgt:\t0000000000000000\n";
    assert_eq!(ignored(status), 0x1007);
    assert_eq!(ignored(""), 0);
}

/// A child of a shell that ignores all signals reacts to them again.
#[cfg(target_os = "linux")]
#[test]
fn programs_heed_signals_though_the_tests_do_not() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    const AGAIN: &str = "HEMATITE_TEST_HEED";
    if std::env::var_os(AGAIN).is_some() {
        heed();
        let status = Command::new("sh").args(["-c", "kill -INT $$"]).status().expect("there is a shell");
        assert_eq!(status.signal(), Some(signal_hook::consts::SIGINT), "{status}");
        return;
    }
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    let test = std::env::current_exe().expect("a test program");
    let status = Command::new("sh")
        .args(["-c", "trap '' INT HUP QUIT; exec \"$0\" --exact \"$1\""])
        .arg(test)
        .arg(format!("{module}::programs_heed_signals_though_the_tests_do_not"))
        .env(AGAIN, "1")
        .status();
    assert!(status.is_ok_and(|status| status.success()));
}
