//! Groups of processes, and the guard that ends what a killed match runner leaves behind.

use parking_lot::Mutex;
#[cfg(unix)]
use rustix::process::Pid;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process that leads a group. The whole group is killed when this is dropped.
pub(super) struct Group {
    leader: Child,
    guard: Option<Arc<Guard>>,
    /// Whether the leader has been waited for and the group has been killed.
    is_over: bool,
}

impl Group {
    /// Takes over a process that has just been started as the leader of a group of its own.
    pub(super) fn new(leader: Child, guard: Option<Arc<Guard>>) -> Self {
        if let Some(guard) = &guard {
            guard.watch(leader.id());
        }
        Self { leader, guard, is_over: false }
    }

    /// The process that leads it.
    pub(super) const fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// The number of the leader, which is that of the group.
    pub(super) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// The exit status of the leader, `None` if it has not ended within this time. What it leaves behind is
    /// killed.
    pub(super) fn exit_status(&mut self, patience: Duration) -> Option<ExitStatus> {
        const STEP: Duration = Duration::from_millis(2);
        let deadline = Instant::now() + patience;
        loop {
            match self.leader.try_wait() {
                Ok(Some(status)) => {
                    self.kill();
                    self.is_over = true;
                    return Some(status);
                }
                _ if Instant::now() >= deadline => return None,
                _ => sleep(STEP),
            }
        }
    }
    /// Kills the group. Its number is ours until the leader has been waited for.
    fn kill(&self) {
        kill(self.id());
        if let Some(guard) = &self.guard {
            guard.forget(self.id());
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            self.kill();
            let _ = self.leader.kill();
            let _ = self.leader.wait();
        }
    }
}

/// A process that knows our process groups and kills them when its input ends: a runner cannot fail to leave
/// that end, regardless of how it ends.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    /// `None` when it is dropped.
    input: Option<Mutex<ChildStdin>>,
}

/// The sign before the number of a group to be watched.
const WATCH: char = '+';
/// The sign before the number of a group that is over.
const FORGET: char = '-';

impl Guard {
    /// Starts the program that calls [`stand_guard`].
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A Ctrl-C for the runner must not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let input = process.stdin.take().map(Mutex::new);
        Ok(Self { process, input })
    }

    /// Adds a group of ours.
    pub(super) fn watch(&self, group: u32) {
        self.send(WATCH, group);
    }

    /// Removes a group that is over: its number may soon be that of another group.
    pub(super) fn forget(&self, group: u32) {
        self.send(FORGET, group);
    }

    fn send(&self, sign: char, group: u32) {
        if let Some(input) = &self.input {
            // Without its guard the match can continue.
            let _ = input.lock().write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.wait();
    }
}

/// Reads the process groups from the input, and kills those that are left at the end of the
/// input.
pub fn stand_guard(input: impl BufRead) {
    for group in left(input) {
        kill(group);
    }
}

/// The groups that are watched at the end of the input. A line without an end may be torn.
fn left(mut input: impl BufRead) -> BTreeSet<u32> {
    let mut groups = BTreeSet::new();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok() && line.ends_with('\n') {
        let group = |sign| line.trim_end().strip_prefix(sign).and_then(|number| number.parse().ok());
        if let Some(group) = group(WATCH) {
            groups.insert(group);
        } else if let Some(group) = group(FORGET) {
            groups.remove(&group);
        }
        line.clear();
    }
    groups
}

/// Kills a group of processes.
pub(super) fn kill(group: u32) {
    // The group of this number would be all processes there are.
    const ALL: i32 = 1;
    #[cfg(unix)]
    if let Some(group) = i32::try_from(group).ok().filter(|&group| group > ALL).and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = (group, ALL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_over_is_left() {
        let cases: [(&str, &str, &[u32]); 5] = [
            ("nothing", "", &[]),
            ("all over", "+12\n+13\n-12\n-13\n", &[]),
            ("two left", "+14\n+12\n+13\n-13\n", &[12, 14]),
            ("torn", "+12\n+1", &[12]),
            ("rubbish", "12\n+x\n\n+-1\n+4294967296\n+5\n-6\n", &[5]),
        ];
        for (name, text, expected) in cases {
            assert!(left(text.as_bytes()).into_iter().eq(expected.iter().copied()), "{name}");
        }
    }
}
