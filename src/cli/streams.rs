//! Input and output of a command: files, standard input and standard output.

use super::outcome::CliError;
use super::signals;
use crate::files::{AtomicFile, decompressed};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// An input, with its name for errors.
pub(super) struct Input {
    /// The name of the file, or "standard input".
    pub name: String,
    /// Its content.
    pub reader: Box<dyn BufRead>,
}

/// The argument for standard input.
pub(super) const STDIN: &str = "-";

impl Input {
    /// Opens a file, or standard input for `-`. Compressed data are decompressed.
    ///
    /// # Errors
    /// [`CliError::Input`] if the file cannot be opened, or its first bytes cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        let (name, content) = if path.as_os_str() == STDIN {
            ("standard input".to_owned(), decompressed(io::stdin()))
        } else {
            (path.display().to_string(), File::open(path).and_then(decompressed))
        };
        match content {
            Ok(content) => Ok(Self { name, reader: Box::new(BufReader::new(content)) }),
            Err(error) => Err(CliError::Input { name, problem: error.to_string() }),
        }
    }

    /// Reads all of a small text; returns the name and the text.
    ///
    /// # Errors
    /// [`CliError::Input`] if it cannot be read, or is not UTF-8.
    pub(super) fn read_text(mut self) -> Result<(String, String), CliError> {
        let mut text = String::new();
        match self.reader.read_to_string(&mut text) {
            Ok(_) => Ok((self.name, text)),
            Err(error) => Err(CliError::Input { name: self.name, problem: error.to_string() }),
        }
    }
}

/// The number of bytes written to standard output at a time.
const BUFFER: usize = 1 << 18;
/// The argument for standard output.
pub(super) const STDOUT: &str = "-";

/// A writer that ignores a closed pipe, for commands whose exit code matters even if the output is closed.
pub(super) struct IgnoreBrokenPipe<'a>(&'a mut dyn Write);

impl<'a> IgnoreBrokenPipe<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self(out)
    }

    /// The result of a write, or `done` if the pipe is closed.
    fn unless_closed<T>(result: io::Result<T>, done: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(done),
            _ => result,
        }
    }
}

impl Write for IgnoreBrokenPipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::unless_closed(self.0.flush(), ())
    }
}

/// The output of long work that must not depend on it: a game, a file or a count is worth more than a line about it. The
/// first failure ends the output, not the work.
pub(super) struct Lasting<'a> {
    out: &'a mut dyn Write,
    is_over: bool,
    /// The failure, unless it is that the reader has read enough.
    failure: Option<io::Error>,
}

impl<'a> Lasting<'a> {
    pub(super) const fn new(out: &'a mut dyn Write) -> Self {
        Self { out, is_over: false, failure: None }
    }

    /// Writes a line that is seen at once.
    pub(super) fn line(&mut self, text: &str) {
        // A failure is kept for the end.
        let _ = writeln!(self, "{text}").and_then(|()| self.flush());
    }

    /// Whether everything could be written, or nobody wants it.
    ///
    /// # Errors
    /// [`CliError::Output`] if not.
    pub(super) fn finish(self) -> Result<(), CliError> {
        self.failure.map_or(Ok(()), |error| Err(CliError::Output(error)))
    }

    fn unless_over<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
        done: T,
    ) -> io::Result<T> {
        if self.is_over {
            return Ok(done);
        }
        match write(self.out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.is_over = true;
                self.failure = Some(error).filter(|error| error.kind() != ErrorKind::BrokenPipe);
                Ok(done)
            }
            written => written,
        }
    }
}

impl Write for Lasting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_over(|out| out.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_over(|out| out.flush(), ())
    }
}

/// Standard output, or a file that appears only when it is complete.
pub(super) enum Output<'a> {
    Standard(BufWriter<&'a mut dyn Write>),
    File(AtomicFile),
}

impl Output<'_> {
    /// Flushes the output; gives a file its name.
    ///
    /// # Errors
    /// If the last data cannot be written, or the file cannot be renamed.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Standard(mut writer) => writer.flush(),
            Self::File(file) => file.commit(),
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(writer) => writer.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(writer) => writer.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// Writes a JSON value on one line.
///
/// # Errors
/// [`CliError::Output`] if it cannot be written.
pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}

/// Creates a file that appears only when it is complete. If the program is interrupted, an old file remains
/// unchanged.
///
/// # Errors
/// [`CliError::Usage`] with the file's name if it cannot be written.
pub(super) fn new_file(path: &Path) -> Result<AtomicFile, CliError> {
    signals::install_handlers()?;
    AtomicFile::create(path).map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// Opens a file as [`new_file`] does, or standard output for `-`.
///
/// # Errors
/// As [`new_file`].
pub(super) fn open<'a>(path: &Path, out: &'a mut dyn Write) -> Result<Output<'a>, CliError> {
    if path.as_os_str() == STDOUT {
        return Ok(Output::Standard(BufWriter::with_capacity(BUFFER, out)));
    }
    Ok(Output::File(new_file(path)?))
}

/// The option for the output of a command.
#[derive(clap::Args, Debug)]
pub(super) struct OutputArg {
    /// Write to this file, which is created or replaced when the output is complete [default:
    /// standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArg {
    /// Whether it is standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path.as_os_str() == STDOUT)
    }

    /// Opens the output.
    ///
    /// # Errors
    /// As [`new_file`].
    pub(super) fn open<'a>(&self, out: &'a mut dyn Write) -> Result<Output<'a>, CliError> {
        open(self.output.as_deref().unwrap_or(Path::new(STDOUT)), out)
    }
}
