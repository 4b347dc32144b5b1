//! The input and output of a command: files, standard input and standard output.

use super::outcome::{CliError, ExitStatus};
use super::signals;
use super::values::byte_size;
use crate::database::{Content, Source, head_to_edit};
use crate::files::{
    Limited, LockFile, OutputFile, PathExcerpt, Unpacked, refuse_packed_extension, without_packed_extension,
};
use crate::notation::{Epd, EpdError, EpdProblem, EpdReader};
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An input, with its name for messages.
pub(super) struct Input {
    /// The name of the file, or "standard input".
    pub name: String,
    /// The content of the input.
    pub reader: Box<dyn BufRead>,
}

/// The argument for standard input.
pub(super) const STDIN: &str = "-";

/// The maximum size of a text that is read as a whole, in bytes: configurations have a few hundred lines.
const MAX_TEXT: u64 = 64 << 20;

impl Input {
    /// Opens a text file, or standard input for `-`. Compressed data is decompressed, and warnings are printed.
    ///
    /// # Errors
    /// [`CliError::Input`] if the file cannot be opened, or its first bytes cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        Self::open_as(Content::Text, path)
    }

    /// Opens a file that is not text, otherwise as [`Input::open`].
    ///
    /// # Errors
    /// As [`Input::open`].
    pub(super) fn open_binary(path: &Path) -> Result<Self, CliError> {
        Self::open_as(Content::Binary, path)
    }

    fn open_as(content: Content, path: &Path) -> Result<Self, CliError> {
        let is_stdin = path.as_os_str() == STDIN;
        let source = if is_stdin { Source::Stdin } else { Source::File(path.to_owned()) };
        let name = source.name();
        let file = name.clone();
        match source.open(content, &Arc::default(), move |text| warn(&file, text)) {
            Ok(Unpacked { reader, .. }) => Ok(Self { name, reader: Box::new(BufReader::new(reader)) }),
            Err(error) => Err(CliError::Input { name, problem: error.to_string() }),
        }
    }

    /// Limits the input to this number of bytes; reading more of them fails.
    pub(super) fn limited(self, max: u64) -> Self {
        Self { reader: Box::new(BufReader::new(Limited::new(self.reader, max))), ..self }
    }

    /// Reads a whole text of at most [`MAX_TEXT`] bytes; returns the name and the text.
    ///
    /// # Errors
    /// [`CliError::Input`] if the text cannot be read, is too long, or is not UTF-8.
    pub(super) fn read_text(self) -> Result<(String, String), CliError> {
        let Self { name, mut reader } = self.limited(MAX_TEXT);
        let mut text = String::new();
        match reader.read_to_string(&mut text) {
            Ok(_) => Ok((name, text)),
            Err(error) => {
                let problem = match error.kind() {
                    io::ErrorKind::InvalidData if error.get_ref().is_none() => {
                        "found bytes that are not UTF-8, expected text".to_owned()
                    }
                    _ => error.to_string(),
                };
                Err(CliError::Input { name, problem })
            }
        }
    }
}

/// Prints a warning about an input that can be read nevertheless.
fn warn(name: &str, text: &str) {
    // A failure to write the warning does not matter.
    let _ = writeln!(io::stderr(), "warning: {name}: {text}");
}

/// Reads the records of an EPD file. Records that cannot be read are skipped with a warning.
///
/// # Errors
/// An error of the file, and those of `take`.
pub(super) fn read_epd(
    path: &Path,
    take: &mut dyn FnMut(Epd) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let Input { name, reader } = Input::open(path)?;
    let warn = |line, problem: &EpdProblem| warn(&format!("{name}:{line}"), &problem.to_string());
    for line in EpdReader::new(reader) {
        match line {
            Ok(line) => {
                for error in &line.problems {
                    warn(error.line, &error.problem);
                }
                take(line.epd)?;
            }
            Err(EpdError { problem: EpdProblem::Io(problem), .. }) => {
                return Err(CliError::Input { name, problem: problem.to_string() });
            }
            Err(error) => warn(error.line, &error.problem),
        }
    }
    Ok(())
}

/// The number of inputs that can be read. An unreadable input does not affect the others.
#[derive(Default)]
pub(super) struct InputStatus {
    read: usize,
    failed: usize,
    /// The files that cannot be read to their end.
    torn: Vec<PathBuf>,
}

impl InputStatus {
    /// Takes the result of reading an input, or prints its error at once.
    ///
    /// # Errors
    /// Any error that is not a [`CliError::Input`].
    pub(super) fn take<T>(&mut self, result: Result<T, CliError>) -> Result<Option<T>, CliError> {
        match result {
            Ok(value) => {
                self.read += 1;
                Ok(Some(value))
            }
            Err(error @ CliError::Input { .. }) => {
                self.fail(&error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes a result as [`InputStatus::take`] does; the path of an unreadable file is recorded, `None` for standard
    /// input.
    ///
    /// # Errors
    /// As [`InputStatus::take`].
    pub(super) fn take_file<T>(
        &mut self,
        path: Option<&Path>,
        result: Result<T, CliError>,
    ) -> Result<Option<T>, CliError> {
        let taken = self.take(result)?;
        if taken.is_none() {
            self.torn.extend(path.map(Path::to_owned));
        }
        Ok(taken)
    }

    /// Reports an error as [`InputStatus::fail`] does, and records the path of the file, `None` for standard input.
    pub(super) fn fail_file(&mut self, path: Option<&Path>, error: &CliError) {
        self.fail(error);
        self.torn.extend(path.map(Path::to_owned));
    }

    /// Prevents the replacement of an input that could not be read completely by its readable part.
    ///
    /// # Errors
    /// [`CliError::Usage`] if the output would replace such an input; `None` is standard output.
    pub(super) fn check_target(&self, target: Option<&Path>) -> Result<(), CliError> {
        let Some((target, place)) = target.and_then(|path| Some((path, path.canonicalize().ok()?))) else {
            return Ok(());
        };
        if self.torn.iter().any(|path| path.canonicalize().is_ok_and(|path| path == place)) {
            let problem = format!("{}: not replaced, since it cannot be read to its end", target.display());
            return Err(CliError::Usage(problem));
        }
        Ok(())
    }

    /// Counts an input that cannot be read, and prints the error.
    pub(super) fn fail(&mut self, error: &CliError) {
        self.failed += 1;
        error.print();
    }

    /// Counts an input that could be read, at least its start.
    pub(super) fn add(&mut self) {
        self.read += 1;
    }

    /// Whether all inputs could be read.
    ///
    /// # Errors
    /// [`CliError::Inputs`] if no input could be read.
    pub(super) fn status(&self) -> Result<ExitStatus, CliError> {
        match self {
            Self { failed: 0, .. } => Ok(ExitStatus::Yes),
            Self { read: 0, .. } => Err(CliError::Inputs),
            _ => Ok(ExitStatus::Incomplete),
        }
    }
}

/// The option for what may be unpacked into memory.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct MaxUnpacked {
    /// Refuse files that are larger than this, unpacked: they are held in memory. Bytes, or 64M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = byte_size)]
    pub max_unpacked: u64,
}

/// The number of bytes written to standard output at a time.
const BUFFER: usize = 1 << 18;
/// The argument for standard output.
pub(super) const STDOUT: &str = "-";

/// The text for one line of a terminal: without control characters, which tags of files may contain.
pub(super) fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The text, cut to at most `width` characters with a mark at its end if it is longer.
pub(super) fn shortened(text: String, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

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

/// The output of long work whose result matters more than its messages, such as a game, a file or a count. The first
/// failure ends the output, not the work.
pub(super) struct Lasting<'a> {
    out: &'a mut dyn Write,
    is_over: bool,
    /// The first failure, except a closed pipe.
    failure: Option<io::Error>,
}

impl<'a> Lasting<'a> {
    pub(super) const fn new(out: &'a mut dyn Write) -> Self {
        Self { out, is_over: false, failure: None }
    }

    /// Writes a line, and flushes the output.
    pub(super) fn line(&mut self, text: &str) {
        // A failure is kept and reported at the end.
        let _ = writeln!(self, "{text}").and_then(|()| self.flush());
    }

    /// Reports whether everything could be written. A closed pipe counts as success.
    ///
    /// # Errors
    /// [`CliError::Output`] for the first failure.
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
    File(Box<OutputFile>),
}

impl Output<'_> {
    /// Flushes the output; a file gets its final name.
    ///
    /// # Errors
    /// An error if the last data cannot be written, or the file cannot be renamed.
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

/// Creates a file that appears only when it is complete, compressed if its extension states so. If the program is
/// interrupted, an old file remains unchanged.
///
/// # Errors
/// [`CliError::Output`] with the file's name if the file cannot be created.
pub(super) fn new_file(path: &Path) -> Result<OutputFile, CliError> {
    signals::install_handlers()?;
    Ok(OutputFile::create(path)?)
}

/// Opens a file as [`new_file`] does, or standard output for `-`.
///
/// # Errors
/// As [`new_file`].
pub(super) fn open<'a>(path: &Path, out: &'a mut dyn Write) -> Result<Output<'a>, CliError> {
    if path.as_os_str() == STDOUT {
        return Ok(Output::Standard(BufWriter::with_capacity(BUFFER, out)));
    }
    Ok(Output::File(Box::new(new_file(path)?)))
}

/// Opens a file of games to append others, and locks it against other processes that do so. The file changes only when
/// the output is finished.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read, written or locked, or is compressed or in UTF-16.
pub(super) fn open_to_append<'a>(path: &Path) -> Result<(Output<'a>, LockFile), CliError> {
    let failed =
        |problem: &dyn fmt::Display| CliError::Failed(format!("{}: {problem}", PathExcerpt::new(path)));
    refuse_packed_extension(path).map_err(|error| failed(&error))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let Some(lock) = LockFile::take(&path.with_file_name(name)).map_err(|error| failed(&error))? else {
        return Err(failed(&"another process adds games to this file"));
    };
    if path.is_file() {
        head_to_edit(path).map_err(|error| CliError::Failed(error.to_string()))?;
    }
    let mut file = new_file(path)?;
    copy_games(path, &mut file).map_err(|error| failed(&error))?;
    Ok((Output::File(Box::new(file)), lock))
}

/// Copies a file of games, if it exists, and adds line ends so that another game may follow.
fn copy_games(path: &Path, out: &mut dyn Write) -> io::Result<()> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    /// The number of bytes copied at a time.
    const BUFFER: usize = 1 << 16;
    let mut buffer = vec![0; BUFFER];
    // The number of line ends at the end so far; none are needed at the start.
    let mut line_ends = 2;
    loop {
        let count = match file.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            count => count?,
        };
        if count == 0 {
            break;
        }
        out.write_all(&buffer[..count])?;
        for byte in &buffer[..count] {
            match byte {
                b'\n' => line_ends += 1,
                b'\r' => {}
                _ => line_ends = 0,
            }
        }
    }
    for _ in line_ends..2 {
        writeln!(out)?;
    }
    Ok(())
}

/// The absolute path without links. The file need not exist, unlike its folder.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path,
        }
    })
}

/// The option for the output of a command.
#[derive(clap::Args, Default, Debug)]
pub(super) struct OutputArg {
    /// Write to this file, which is created or replaced when the output is complete, and compressed if its name ends in
    /// .zst, .gz, .bz2 or .xz [default: standard output].
    #[arg(short, long, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArg {
    /// The output that an option with another name states.
    pub(super) const fn of(path: PathBuf) -> Self {
        Self { output: Some(path) }
    }

    /// Whether the output is this file.
    pub(super) fn names(&self, path: &Path) -> bool {
        self.output.as_deref().is_some_and(|output| resolved(output) == resolved(path))
    }

    /// Whether the output is standard output.
    pub(super) fn is_standard(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path.as_os_str() == STDOUT)
    }

    /// Whether an output is stated, including standard output.
    pub(super) fn is_given(&self) -> bool {
        self.output.is_some()
    }

    /// The path of the file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|_| !self.is_standard())
    }

    /// Opens the output for files that usually have this extension, and warns of another one.
    ///
    /// # Errors
    /// As [`new_file`].
    pub(super) fn open_as<'a>(
        &self,
        extension: &str,
        out: &'a mut dyn Write,
    ) -> Result<Output<'a>, CliError> {
        let output = self.open(out)?;
        // Existing paths that are not regular files, such as pipes, may have any name.
        if let Some(path) = self.path().filter(|path| path.is_file() || !path.exists())
            && !without_packed_extension(path)
                .extension()
                .is_some_and(|found| found.eq_ignore_ascii_case(extension))
        {
            warn(
                &path.display().to_string(),
                &format!("expected a name that ends in .{extension}, as files of this kind have it"),
            );
        }
        Ok(output)
    }

    /// Opens the output.
    ///
    /// # Errors
    /// As [`new_file`].
    pub(super) fn open<'a>(&self, out: &'a mut dyn Write) -> Result<Output<'a>, CliError> {
        open(self.output.as_deref().unwrap_or(Path::new(STDOUT)), out)
    }
}
