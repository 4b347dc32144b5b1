//! `hematite pgn pgc` and `unpgc`: PGC, the binary format of the PGN standard.

use super::{Finding, Findings, InputEnd, Inputs, QueryArg, Selection, sources, warn};
use crate::cli::streams::OutputArg;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Content, Source};
use crate::notation::pgn::pgc::{PgcError, PgcReader, PgcWriter};
use crate::notation::pgn::{Export, Exporter, GameBuilder};
use crate::notation::pluralize;
use rayon::prelude::*;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

const WRITE_EXAMPLES: &str = "\
Examples:
  hematite pgn pgc games.pgn -o games.pgc
  hematite pgn pgc --query 'player:tal' games.pgn -o tal.pgc
  hematite pgn export --reduced games.pgn | hematite pgn pgc - > games.pgc

PGC has Latin-1 only: other characters become question marks, which is reported on standard
error. Errors in games are printed there as well. Exit code 1 if a game could not be written or has moves
that cannot be read, or with --strict if there is any error.";

const READ_EXAMPLES: &str = "\
Examples:
  hematite pgn unpgc games.pgc -o games.pgn
  hematite pgn unpgc - < games.pgc";

/// The number of bytes that are passed on at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// The number of PGC chunks per thread that are read before any of them is decoded.
const CHUNKS_PER_THREAD: usize = 4;

/// Write games in PGC, the binary form of the PGN standard.
#[derive(clap::Args, Debug)]
#[command(after_help = WRITE_EXAMPLES)]
pub(in crate::cli) struct WriteArguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: OutputArg,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

/// Write games from PGC as PGN.
#[derive(clap::Args, Debug)]
#[command(after_help = READ_EXAMPLES)]
pub(in crate::cli) struct ReadArguments {
    /// Files of PGC, folders (all .pgc files in and below them), `-` for standard input; .zst, .gz, .bz2, .xz and .zip
    /// are unpacked. A zip archive of several files is like a folder.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    target: OutputArg,
}

enum Written {
    Data(Vec<u8>),
    Findings(Findings),
    Replaced(Finding),
    /// The problem of a game that could not be written.
    Refused(Finding),
}

impl WriteArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.target.is_standard() && io::stdout().is_terminal() {
            return Err(CliError::usage("PGC is not text for a terminal, name a file with -o"));
        }
        let query = self.query.read(self.inputs.files())?;
        let query = query.as_ref();
        let mut output = self.target.open_as("pgc", out)?;
        let mut verdict = ExitStatus::Yes;
        let end = self.inputs.read(
            false,
            |part, emit| {
                let mut writer = PgcWriter::new(self.inputs.builder());
                let mut data = Vec::new();
                part.reader.require_found(query)?;
                loop {
                    if query.is_some() {
                        part.reader.skip(query)?;
                    }
                    let Some(place) = part.reader.next_place()? else { break };
                    part.reader.read_game(&mut writer)?;
                    let last = writer.last_position().copied();
                    if query.is_some_and(|query| !query.is_true(writer.game_mut(), last.as_ref())) {
                        continue;
                    }
                    let mut findings = Findings::default();
                    let is_taken = findings.add_game(writer.errors(), self.selection);
                    if !findings.found.is_empty() {
                        emit(Written::Findings(findings))?;
                    }
                    if !is_taken {
                        continue;
                    }
                    match writer.write(&mut data) {
                        Ok(0) => {}
                        Ok(count) => emit(Written::Replaced(Finding::new(
                            place,
                            format!(
                                "{} not in Latin-1, written as `?`",
                                pluralize(count as u64, "character")
                            ),
                        )))?,
                        Err(limit) => {
                            emit(Written::Refused(Finding::new(place, format!("left out: {limit}"))))?;
                        }
                    }
                    if data.len() >= CHUNK_BYTES {
                        emit(Written::Data(std::mem::take(&mut data)))?;
                    }
                }
                emit(Written::Data(data))
            },
            |source, bar, written| {
                let finding = match written {
                    Written::Data(data) => return Ok(output.write_all(&data)?),
                    Written::Findings(findings) => {
                        if findings.has_broken {
                            verdict = ExitStatus::No;
                        }
                        self.selection.print(&findings.found, source, bar);
                        return Ok(());
                    }
                    Written::Replaced(finding) => finding,
                    Written::Refused(finding) => {
                        verdict = ExitStatus::No;
                        finding
                    }
                };
                self.selection.print(&[finding], source, bar);
                Ok(())
            },
        )?;
        end.check_target(&self.target)?;
        output.finish()?;
        Ok(verdict.max(end.status()?))
    }
}

/// Complete games of a file.
struct PgcChunk {
    /// The number of bytes before the chunk in the file.
    offset: u64,
    games: Vec<u8>,
}

impl PgcChunk {
    /// The games as PGN, and the error after them, if there is one.
    fn decode(&self) -> (Vec<u8>, Option<PgcError>) {
        let mut reader = PgcReader::within(&self.games, self.offset);
        let mut exporter = Exporter::new(Export::new(), GameBuilder::new());
        let mut text = Vec::new();
        loop {
            match reader.read_game(&mut exporter) {
                Ok(true) => exporter.write(&mut text),
                Ok(false) => return (text, None),
                Err(error) => return (text, Some(error)),
            }
        }
    }
}

impl ReadArguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let mut output = self.target.open_as("pgn", out)?;
        let mut end = InputEnd::default();
        for source in sources(&self.files, "pgc", &mut end) {
            match unpack(&source, &mut output)? {
                Ok(()) => end.status.add(),
                Err(error) => end.fail(&source, &error),
            }
        }
        let status = end.status()?;
        end.check_target(&self.target)?;
        output.finish()?;
        Ok(status)
    }
}

/// Writes the games of a source as PGN, up to the first error. Chunks are read while earlier ones are decoded.
///
/// # Errors
/// [`CliError::Output`] if the games cannot be written.
fn unpack(source: &Source, output: &mut dyn Write) -> Result<io::Result<()>, CliError> {
    let mut chunks = match Chunks::open(source) {
        Ok(chunks) => chunks,
        Err(error) => return Ok(Err(error)),
    };
    let mut batch = chunks.next_batch();
    loop {
        let decode = || batch.chunks.par_iter().map(PgcChunk::decode).collect::<Vec<_>>();
        let is_last = batch.end.is_some();
        let (decoded, next) = rayon::join(decode, || (!is_last).then(|| chunks.next_batch()));
        for (text, error) in decoded {
            output.write_all(&text)?;
            if let Some(error) = error {
                return Ok(Err(io::Error::other(error.to_string())));
            }
        }
        match next {
            Some(next) => batch = next,
            None => return Ok(batch.end.unwrap_or(Ok(()))),
        }
    }
}

/// Chunks that are decoded in parallel.
struct Batch {
    chunks: Vec<PgcChunk>,
    /// The end of the source, if it follows the chunks.
    end: Option<io::Result<()>>,
}

/// The games of a source, in chunks of whole games.
struct Chunks {
    source: Box<dyn Read + Send>,
    /// The data after the latest chunk that have been read.
    rest: Vec<u8>,
    /// The offset of these data in the source.
    offset: u64,
}

impl Chunks {
    fn open(source: &Source) -> io::Result<Self> {
        let named = source.clone();
        let file = source.open(Content::Binary, &Arc::default(), move |text| warn(&named, text))?;
        Ok(Self { source: file.reader, rest: Vec::new(), offset: 0 })
    }

    fn next_batch(&mut self) -> Batch {
        let mut batch = Batch { chunks: Vec::new(), end: None };
        while batch.end.is_none() && batch.chunks.len() < CHUNKS_PER_THREAD * rayon::current_num_threads() {
            let mut games = std::mem::take(&mut self.rest);
            let mut whole = 0;
            while whole == 0 && batch.end.is_none() {
                // At least as much again, so that a very long game is not searched for its end many times.
                let wanted = CHUNK_BYTES.max(games.len());
                match self.source.by_ref().take(wanted as u64).read_to_end(&mut games) {
                    Ok(0) => batch.end = Some(Ok(())),
                    Ok(_) => {}
                    Err(error) => batch.end = Some(Err(error)),
                }
                whole = whole_games(&games);
            }
            match batch.end {
                None => self.rest = games.split_off(whole),
                // A game that is cut off is an error of the decoder.
                Some(Ok(())) => {}
                Some(Err(_)) => games.truncate(whole),
            }
            let offset = self.offset;
            self.offset += games.len() as u64;
            batch.chunks.push(PgcChunk { offset, games });
        }
        batch
    }
}

/// The length of the whole games at the start of the data; that of all data if something other than a game follows
/// them, which is an error of the decoder.
fn whole_games(data: &[u8]) -> usize {
    let mut reader = PgcReader::new(data);
    let mut length = 0;
    loop {
        match reader.skip_game() {
            Ok(true) => length = reader.offset() as usize,
            Ok(false) => return data.len(),
            Err(_) => return length,
        }
    }
}
