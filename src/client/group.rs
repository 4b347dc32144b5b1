//! A process and all that it starts.

use super::guard::{Guard, kill};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A process that leads a group. The whole group is killed when this is dropped.
pub(super) struct Group {
    leader: Child,
    guard: Option<Arc<Guard>>,
    /// Has the leader been waited for, and the group been killed?
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

    /// How the leader has ended, `None` if it has not within this time. What it leaves behind is
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
    /// Kills the group. Its number is ours as long as nobody has waited for the leader.
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
