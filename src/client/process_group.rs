//! Process groups, and the guard that kills the engines of a match runner that was killed.

use parking_lot::Mutex;
#[cfg(unix)]
use rustix::process::Pid;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The leading process of a group. The whole group is killed on drop.
pub struct Group {
    leader: Child,
    guard: Option<Arc<Guard>>,
    /// Whether the exit status of the leader has been read and the group has been killed.
    is_over: bool,
}

impl Group {
    /// Starts a process as the leader of a separate group, which a Ctrl-C for this program does not reach.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        Self::start_guarded(command, None)
    }

    /// As [`Group::start`], with a guard that kills the group if this program is killed.
    pub(super) fn start_guarded(command: &mut Command, guard: Option<Arc<Guard>>) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let leader = command.spawn()?;
        if let Some(guard) = &guard {
            guard.watch(leader.id());
        }
        Ok(Self { leader, guard, is_over: false })
    }

    /// The leading process.
    pub(super) const fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// The process ID of the leader, which is also the ID of the group.
    pub(super) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// The exit status of the leader; `None` if it has not ended within this time. Other processes of the group are
    /// killed.
    pub fn exit_status(&mut self, timeout: Duration) -> Option<ExitStatus> {
        const STEP: Duration = Duration::from_millis(2);
        let deadline = Instant::now() + timeout;
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

    /// Kills the group. Its ID is not reused before the exit status of the leader is read.
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

/// A process that knows the process groups of a match runner and kills them when its input ends, which happens however
/// the match runner ends.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    /// The pipe to the guard; `None` when it is dropped.
    input: Option<Mutex<ChildStdin>>,
}

/// The prefix of the ID of a group to be watched.
const WATCH: char = '+';
/// The prefix of the ID of a group that has ended.
const FORGET: char = '-';

impl Guard {
    /// Starts the program that calls [`stand_guard`].
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A Ctrl-C for the match runner must not reach the guard.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let input = process.stdin.take().map(Mutex::new);
        Ok(Self { process, input })
    }

    /// Adds a process group.
    pub(super) fn watch(&self, group: u32) {
        self.send(WATCH, group);
    }

    /// Removes a group that has ended: its ID may soon be reused by another group.
    pub(super) fn forget(&self, group: u32) {
        self.send(FORGET, group);
    }

    fn send(&self, sign: char, group: u32) {
        if let Some(input) = &self.input {
            // The match can continue without its guard.
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

/// Reads process groups from the input, and kills those that are left at the end of the input.
pub fn stand_guard(input: impl BufRead) {
    for group in left(input) {
        kill(group);
    }
}

/// The groups that are watched at the end of the input. A line without a line end is ignored, since it may be
/// incomplete.
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

/// Kills a process group.
pub(super) fn kill(group: u32) {
    // The group with this ID would be all processes of the user.
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
