//! Log files whose callers do not wait for the disk.

use super::open::{make_folder_of, refuse_packed_extension};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A file to which lines are appended, each with a time stamp.
///
/// A separate thread writes the file, so that callers do not wait for the disk. Lines that arrive faster than the disk
/// can write them are dropped, and the file states their number. Dropping a transcript waits until all lines are
/// written, but at most for a limited time.
#[derive(Debug)]
pub struct Transcript {
    /// The channel to the writing thread; `None` when the transcript is dropped.
    lines: Option<Sender<String>>,
    /// The result of the writing thread when it ends.
    outcome: Receiver<io::Result<()>>,
    clock: Clock,
    /// The number of lines dropped since the last one that was kept.
    dropped: AtomicU64,
}

/// The time stamp at the start of each line.
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

/// The maximum number of lines that wait for the disk.
const QUEUE: usize = 100_000;
/// The maximum time to wait for the disk when the transcript is dropped.
const TIMEOUT: Duration = Duration::from_secs(1);

impl Transcript {
    /// Appends to this file, which is created with its folder if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be opened, its name is that of a packed file, or the system cannot start a thread.
    pub fn open(path: &Path, stamp: Stamp) -> io::Result<Self> {
        let file = append_lines(path)?;
        let (lines, queue) = bounded(QUEUE);
        let (end, outcome) = bounded(1);
        thread::Builder::new().name("log".to_owned()).spawn(move || {
            let _ = end.send(write(BufWriter::new(file), &queue)); // the transcript may have been dropped
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

    /// The error that ended the writing; only the first call returns it.
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
        let _ = self.outcome.recv_timeout(TIMEOUT);
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

/// Opens a file to append lines, and creates it if it does not exist. If the last line has no line end, one is added.
///
/// # Errors
/// If the file cannot be opened or written.
pub fn append_lines(path: &Path) -> io::Result<File> {
    refuse_packed_extension(path)?;
    make_folder_of(path)?;
    let mut file = File::options().create(true).append(true).open(path)?;
    if line_ends_before(path, file.metadata()?.len())? == 0 {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// The number of consecutive line ends before `place`, a byte offset in a file, at most 2: 0 if a line is incomplete, 1
/// after a line, 2 after an empty line. Also 2 at the start of a file, and anywhere in a pipe, a device or a file that
/// may not be read.
///
/// # Errors
/// If the file cannot be read.
pub fn line_ends_before(path: &Path, place: u64) -> io::Result<usize> {
    /// The length of two line ends of two bytes each.
    const MOST_BYTES: u64 = 4;
    const MOST: usize = 2;
    if place == 0 || !fs::metadata(path)?.is_file() {
        return Ok(MOST);
    }
    let mut file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(MOST),
        opened => opened?,
    };
    let count = place.min(MOST_BYTES);
    file.seek(SeekFrom::Start(place - count))?;
    let mut end = Vec::new();
    file.take(count).read_to_end(&mut end)?;
    end.retain(|&byte| byte != b'\r');
    Ok(end.iter().rev().take_while(|&&byte| byte == b'\n').count().min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted() {
        let path = std::env::temp_dir().join(format!("hematite-line-ends-{}", std::process::id()));
        let cases =
            [("", 2), ("x", 0), ("x\n", 1), ("x\r\n", 1), ("x\n\n", 2), ("x\r\n\r\n", 2), ("\n\n\n\n\n", 2)];
        for (text, expected) in cases {
            fs::write(&path, text).expect("it can be written");
            assert_eq!(line_ends_before(&path, text.len() as u64).ok(), Some(expected), "{text:?}");
            drop(append_lines(&path).expect("it can be opened"));
            let completed = if expected == 0 { format!("{text}\n") } else { text.to_owned() };
            assert_eq!(fs::read_to_string(&path).expect("it is there"), completed);
        }
        fs::remove_file(&path).expect("it is there");
    }

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
