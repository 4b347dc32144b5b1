//! `hematite datagen pack` and `unpack`: chunks compressed to archives of about a third of their size.

use super::counted_chunks;
use crate::cli::progress::bar;
use crate::cli::values::{JsonAtEndArg, integer_in, thread_count};
use crate::cli::{CliError, ExitStatus, signals};
use crate::notation::pluralize;
use crate::search::MAX_THREADS;
use crate::train::archive::{Archive, ArchiveError, Mode, Packing, Progress, Unpacking};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

const PACK_EXAMPLES: &str = "\
Examples:
  hematite datagen pack --output gen0.pack data/gen0
  hematite datagen pack --coarse --output gen0-coarse.pack data/gen0

Any number of threads gives the same archive. `hematite datagen unpack` gives back the chunks
byte for byte; the manifest of a folder is not packed. With --coarse only the scores of positions
that training takes by default are kept, rounded: those from the 16th half-move on, not in check,
with a move that neither captures nor promotes. Each other score becomes the last one before it
that was kept. `train` reads such scores with --td-lambda, --max-change and a lower --min-ply, which
thus give other networks than with the chunks that were packed.";

const UNPACK_EXAMPLES: &str = "\
Examples:
  hematite datagen unpack --output data/gen0 gen0.pack
  hematite datagen unpack --check gen0.pack

The checksums of the archive and of each chunk must be right. No chunk is replaced.";

/// Pack chunks into an archive of about a third of their size.
#[derive(clap::Args, Debug)]
#[command(after_help = PACK_EXAMPLES)]
pub(super) struct PackArguments {
    /// Chunks, and folders of chunks.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The new archive.
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,

    /// Lossy: keep only the scores of quiet positions from the 16th half-move on, rounded to 4 units
    /// below 400 and to 16 above.
    #[arg(long)]
    coarse: bool,

    /// Threads that pack [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    #[command(flatten)]
    json: JsonAtEndArg,
}

/// Unpack the chunks of an archive.
#[derive(clap::Args, Debug)]
#[command(after_help = UNPACK_EXAMPLES)]
pub(super) struct UnpackArguments {
    /// The archive.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The folder for the chunks.
    #[arg(short, long = "output", alias = "out", value_name = "DIR", required_unless_present = "check")]
    out: Option<PathBuf>,

    /// Write no chunks, only check that the archive gives them back.
    #[arg(long, conflicts_with = "out")]
    check: bool,

    /// Threads that unpack [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = integer_in::<u16>(1..=MAX_THREADS as u16))]
    threads: Option<u16>,

    #[command(flatten)]
    json: JsonAtEndArg,
}

impl PackArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let (files, games) = counted_chunks(&self.files)?;
        let mode = if self.coarse { Mode::Coarse } else { Mode::Lossless };
        let packing = Packing { files, out: self.out.clone(), mode, threads: thread_count(self.threads) };
        let progress = with_bar(games, |on_progress| packing.run(on_progress))?;
        if progress.is_interrupted {
            return Err(CliError::interrupted("interrupted; no archive was made"));
        }
        write(out, &self.out.display().to_string(), mode, &progress, self.json.is_given())?;
        Ok(ExitStatus::Yes)
    }
}

impl UnpackArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let archive = Archive::open(&self.file)?;
        let (mode, games) = (archive.mode(), archive.totals().games);
        let name = self.out.as_ref().unwrap_or(&self.file).display().to_string();
        let unpacking = Unpacking { archive, out: self.out, threads: thread_count(self.threads) };
        let progress = with_bar(games, |on_progress| unpacking.run(on_progress))?;
        if progress.is_interrupted {
            return Err(CliError::Interrupted(format!("interrupted after {} chunks", progress.chunks)));
        }
        write(out, &name, mode, &progress, self.json.is_given())?;
        Ok(ExitStatus::Yes)
    }
}

/// Packs or unpacks this number of games with a progress bar, until a signal interrupts the work.
fn with_bar(
    games: u64,
    run: impl FnOnce(&mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Result<Progress, ArchiveError>,
) -> Result<Progress, CliError> {
    let is_interrupted = signals::interrupted_flag()?;
    let bar = bar(games, "{wide_bar} {pos}/{len} games (still {eta})");
    let progress = run(&mut |progress| {
        bar.set_position(progress.games);
        signals::flow(is_interrupted)
    });
    bar.finish_and_clear();
    Ok(progress?)
}

/// Writes a summary of the files that were packed or unpacked.
fn write(
    out: &mut dyn Write,
    name: &str,
    mode: Mode,
    progress: &Progress,
    json: bool,
) -> Result<(), CliError> {
    let &Progress { chunks, games, positions, chunk_bytes, archive_bytes, parts, .. } = progress;
    if json {
        let object = serde_json::json!({
            "mode": mode.name(),
            "chunks": chunks,
            "games": games,
            "positions": positions,
            "chunk_bytes": chunk_bytes,
            "archive_bytes": archive_bytes,
            "start_bytes": parts.starts,
            "move_bytes": parts.moves,
            "score_bytes": parts.scores,
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    let each = |bytes: u64| bytes as f64 / positions.max(1) as f64;
    writeln!(
        out,
        "{name}: {}, {}, {}; {}, {chunk_bytes} bytes as chunks and {archive_bytes} packed",
        pluralize(chunks, "chunk"),
        pluralize(games, "game"),
        pluralize(positions, "position"),
        mode.name(),
    )?;
    writeln!(
        out,
        "bytes per position: {:.3}, of which moves {:.3}, scores {:.3}, the rest of games {:.3}",
        each(archive_bytes),
        each(parts.moves),
        each(parts.scores),
        each(parts.starts)
    )?;
    Ok(())
}

impl From<ArchiveError> for CliError {
    fn from(error: ArchiveError) -> Self {
        Self::Usage(error.to_string())
    }
}
