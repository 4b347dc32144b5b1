//! Log files that nothing waits for.

use super::open::{make_folder_of, refuse_packed_extension};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A file to which lines are appended, each with a time.
///
/// A thread of its own writes the file, so that no caller waits for the disk. Lines that come faster than the disk
/// takes them are dropped, and the file states their number. The end of a transcript waits until all lines are written,
/// but not forever.
#[derive(Debug)]
pub struct Transcript {
    /// `None` at the end.
    lines: Option<Sender<String>>,
    /// The result of the writing thread, when it ends.
    outcome: Receiver<io::Result<()>>,
    clock: Clock,
    /// Lines dropped since the last one that was kept.
    dropped: AtomicU64,
}

/// The time at the start of each line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamp {
    /// Seconds and milliseconds since 1970.
    UnixTime,
    /// Seconds and microseconds since the transcript was opened.
    SinceOpened,
}

#[derive(Debug)]
enum Clock {
    UnixTime,
    Since(Instant),
}

/// The number of lines that may wait for the disk.
const QUEUE: usize = 100_000;
/// The time to wait for the disk at the end.
const PATIENCE: Duration = Duration::from_secs(1);

impl Transcript {
    /// Appends to this file, which is created with its folder if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be opened, its name is that of a packed file, or the system cannot start a thread.
    pub fn open(path: &Path, stamp: Stamp) -> io::Result<Self> {
        refuse_packed_extension(path)?;
        make_folder_of(path)?;
        let file = File::options().create(true).append(true).open(path)?;
        let (lines, queue) = bounded(QUEUE);
        let (end, outcome) = bounded(1);
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            let _ = end.send(write(BufWriter::new(file), &queue)); // the transcript may be gone
        })?;
        let clock = match stamp {
            Stamp::UnixTime => Clock::UnixTime,
            Stamp::SinceOpened => Clock::Since(Instant::now()),
        };
        Ok(Self { lines: Some(lines), outcome, clock, dropped: AtomicU64::new(0) })
    }

    /// Appends a line.
    pub fn record(&self, text: impl Display) {
        let Some(lines) = &self.lines else { return };
        let mut line = self.stamped(text);
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            line = self.stamped(format_args!("# {dropped} lines are missing here")) + &line;
        }
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = lines.try_send(line) {
            self.dropped.fetch_add(dropped + 1, Ordering::Relaxed);
        }
    }

    /// The error that has ended the writing, the first time it is asked for.
    pub fn failure(&self) -> Option<io::Error> {
        self.outcome.try_recv().ok()?.err()
    }

    fn stamped(&self, text: impl Display) -> String {
        match self.clock {
            Clock::UnixTime => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                format!("{}.{:03} {text}\n", now.as_secs(), now.subsec_millis())
            }
            Clock::Since(start) => format!("{:.6} {text}\n", start.elapsed().as_secs_f64()),
        }
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        self.lines = None;
        let _ = self.outcome.recv_timeout(PATIENCE);
    }
}

/// Writes lines until the channel closes, and flushes whenever it is empty.
fn write(mut file: BufWriter<File>, lines: &Receiver<String>) -> io::Result<()> {
    while let Ok(line) = lines.recv() {
        file.write_all(line.as_bytes())?;
        if lines.is_empty() {
            file.flush()?;
        }
    }
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_are_stamped_and_appended_in_order() {
        let path = std::env::temp_dir().join(format!("hematite-transcript-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        for stamp in [Stamp::UnixTime, Stamp::SinceOpened] {
            let transcript = Transcript::open(&path, stamp).expect("it can be written");
            ["one", "two"].into_iter().for_each(|line| transcript.record(line));
            assert!(transcript.failure().is_none());
        }
        let text = fs::read_to_string(&path).expect("it was written");
        let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
        assert!(lines.iter().all(|(time, _)| time.parse::<f64>().is_ok()), "{text}");
        assert!(lines.iter().map(|(_, line)| *line).eq(["one", "two", "one", "two"]), "{text}");
        fs::remove_file(&path).expect("it is there");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_once() {
        let transcript = Transcript::open(Path::new("/dev/full"), Stamp::UnixTime).expect("it can be opened");
        transcript.record("lost");
        let error = (0..1000).find_map(|_| {
            thread::sleep(Duration::from_millis(5));
            transcript.failure()
        });
        assert_eq!(error.map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
        transcript.record("lost too");
        assert!(transcript.failure().is_none());
    }
}
