//! `hematite pgn export`: games in export format.

use super::each_game::read_found;
use super::{Findings, Inputs, QueryArg, Selection, TEXT_BYTES, room_after, verdict};
use crate::cli::streams::OutputArg;
use crate::cli::values::byte_size;
use crate::cli::{CliError, ExitStatus, signals};
use crate::database::{
    GameRows, MergedRecords, ParquetTables, Sorter, line_ends, line_to, position_records, records_of,
};
use crate::notation::eco::label;
use crate::notation::pgn::{Collated, CollatingKey, Export, Exporter, Game, MoveStyle, PgnError};
use crate::notation::{Epd, Fen, pluralize};
use std::borrow::Cow;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  hematite pgn export games.pgn -o clean.pgn
  hematite pgn export --reduced --sort archive/ > sorted.pgn
  hematite pgn export --strip comments,nags --uci - < games.pgn
  hematite pgn export --lines repertoire.pgn -o lines.pgn
  hematite pgn export --epd --eco games.pgn -o games.epd
  hematite pgn export --epd --merge --eco games.hdb -o library.epd
  hematite pgn export --parquet tables games.pgn

Errors in games are printed on standard error, and everything that can be read of them is
exported. Behind a move that cannot be played, the rest of the line is kept in a comment
`{[%unread ...]}`; games of variants with other rules keep their moves as they are.
--epd writes an EPD record for each position of the main lines: comments (c0 to c9), the evaluation that a comment states with
%eval, for the side to move (ce, acd), and the line of an analysis (pv): a variation whose first move has an evaluation. The
first record of a game has the names of its opening (eco, v0 to v2). `hematite epd games` makes games of them. With --merge
each position has one record, with what all games say of it, as `hematite epd merge` does it; with --eco it has the opening of the
position.
--parquet writes tables of the games and of all their positions for DuckDB, Spark and others;
docs/data-tools.md has their columns.
Exit code 1 if a game has moves that cannot be read, or with --strict if there is any error; 2 if a file cannot be read to its end.";

/// Write games in the export format of the PGN standard.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: OutputArg,

    /// Only the seven tags of the roster and the moves.
    #[arg(long)]
    reduced: bool,

    /// Leave out these parts.
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    strip: Vec<Stripped>,

    #[command(flatten)]
    style: Style,

    /// Write ASCII only: every other letter becomes a question mark, as in programs that cannot show it.
    #[arg(long, conflicts_with = "fan")]
    ascii: bool,

    /// Sort by date, event, site, round, players, result and moves, in the collating order of
    /// the standard.
    #[arg(long)]
    sort: bool,

    /// With --sort, hold this much in memory, and the rest in temporary files (in the folder that TMPDIR names):
    /// bytes, or 64M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = byte_size, requires = "sort")]
    memory: u64,

    /// Take variations apart: write a game for each line, from the start to its end. Those of variations have the
    /// result `*`.
    #[arg(long)]
    lines: bool,

    /// Name the opening: set the tags ECO, Opening, Variation and SubVariation by the last
    /// position of the main line that has a name.
    #[arg(long)]
    eco: bool,

    /// Write an EPD record for each position instead, with what is said of it.
    #[arg(long, conflicts_with_all = ["reduced", "strip", "Style", "parquet"])]
    epd: bool,

    /// With --epd: merge the records of equal positions. All are held in memory.
    #[arg(long, requires = "epd", conflicts_with = "sort")]
    merge: bool,

    /// Write two tables into this folder instead, `games` and `positions`, as files in the format Parquet of a million
    /// games each.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "reduced", "strip", "Style", "ascii", "sort", "lines", "eco"])]
    parquet: Option<PathBuf>,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

/// The notation of moves.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct Style {
    /// Moves in standard algebraic notation, as required by the standard [the default].
    #[arg(long)]
    san: bool,
    /// Moves as in the UCI protocol.
    #[arg(long)]
    uci: bool,
    /// Moves in long algebraic notation.
    #[arg(long)]
    lan: bool,
    /// Moves with figurines.
    #[arg(long)]
    fan: bool,
}

/// Parts of games that can be left out.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Stripped {
    /// Comments and escape lines.
    Comments,
    /// Variations with everything in them.
    Variations,
    /// Numeric annotation glyphs, and the suffixes for them.
    Nags,
}

/// The results of a thread for some games.
enum Exported {
    Texts(Texts),
    Records(Vec<Epd>),
    Findings(Findings),
}

/// The texts of games, one after the other; if they are to be sorted, each after its key, and their lengths.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    lengths: Vec<Collated>,
}

impl Texts {
    /// The texts so far if there are enough to pass them on.
    fn take_if_full(&mut self) -> Option<Self> {
        let length = self.bytes.len();
        let bytes = || Vec::with_capacity(room_after(length));
        let next = || Self { bytes: bytes(), lengths: Vec::with_capacity(room_after(self.lengths.len())) };
        (length >= TEXT_BYTES).then(next).map(|next| std::mem::replace(self, next))
    }
}

/// The rows of some games, or the findings in one.
enum Tabled {
    Rows(Box<GameRows>),
    Findings(Findings),
}

impl Arguments {
    fn format(&self) -> Export {
        let style = match &self.style {
            Style { uci: true, .. } => MoveStyle::Uci,
            Style { lan: true, .. } => MoveStyle::Lan,
            Style { fan: true, .. } => MoveStyle::Fan,
            _ => MoveStyle::San,
        };
        let format = if self.reduced { Export::new().reduced() } else { Export::new() };
        let format = if self.eco { format.with_opening() } else { format };
        self.strip.iter().fold(format.with_style(style), |format, part| match part {
            Stripped::Comments => format.without_comments(),
            Stripped::Variations => format.without_variations(),
            Stripped::Nags => format.without_nags(),
        })
    }

    pub(in crate::cli) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if let Some(folder) = &self.parquet {
            return self.write_tables(folder);
        }
        let query = self.query.read(self.inputs.files())?;
        let format = self.format();
        let shares_terminal = self.target.is_standard();
        let mut output = self.target.open_as(if self.epd { "epd" } else { "pgn" }, out)?;
        let mut sorter = Sorter::new(usize::try_from(self.memory).unwrap_or(usize::MAX));
        let mut merged = Merged::new(self.selection.quiet);
        let mut has_broken = false;
        let end = self.inputs.read(
            shares_terminal,
            |part, emit| {
                let exporter = Exporter::new(format, self.inputs.builder());
                let builds = self.eco || self.lines || self.epd || query.is_some();
                let mut exporter = if builds { exporter.building() } else { exporter };
                let mut texts = Texts::default();
                part.reader.require_found(query.as_ref())?;
                while read_found(part, query.as_ref(), &mut exporter)? {
                    let (is_taken, findings) = self.take(exporter.errors());
                    if let Some(findings) = findings {
                        emit(Exported::Findings(findings))?;
                    }
                    if !is_taken {
                        continue;
                    }
                    if self.eco {
                        label(exporter.game_mut());
                    }
                    // A game that cannot be read completely has no lines.
                    if self.lines && exporter.game_mut().unread().is_empty() {
                        let game = exporter.game_mut();
                        for end in line_ends(game) {
                            let line = line_to(game, end).map_err(io::Error::other)?;
                            if self.merge {
                                emit(Exported::Records(position_records(&line, self.eco)))?;
                                continue;
                            }
                            self.write_built(format, &line, &mut texts);
                            texts.take_if_full().map_or(Ok(()), |texts| emit(Exported::Texts(texts)))?;
                        }
                        continue;
                    }
                    if self.merge {
                        let game = exporter.game_mut();
                        if game.unread().is_empty() {
                            emit(Exported::Records(position_records(game, self.eco)))?;
                        }
                        continue;
                    }
                    if self.epd {
                        self.write_built(format, exporter.game_mut(), &mut texts);
                    } else if self.sort {
                        texts.lengths.push(exporter.write_collated(&mut texts.bytes));
                    } else {
                        exporter.write(&mut texts.bytes);
                    }
                    texts.take_if_full().map_or(Ok(()), |texts| emit(Exported::Texts(texts)))?;
                }
                emit(Exported::Texts(texts))
            },
            |source, bar, exported| match exported {
                Exported::Records(records) => {
                    merged.add(records);
                    Ok(())
                }
                Exported::Texts(Texts { bytes, lengths }) if self.sort => {
                    sorter.push_batch(bytes, &lengths).map_err(temporary_error)
                }
                Exported::Texts(Texts { bytes, .. }) => Ok(output.write_all(&self.shown(&bytes))?),
                Exported::Findings(findings) => {
                    has_broken |= findings.has_broken;
                    self.selection.print(&findings.found, source, bar);
                    Ok(())
                }
            },
        )?;
        end.check_target(&self.target)?;
        sorter.finish(&mut |_, text| output.write_all(&self.shown(text)))?;
        if self.merge {
            for record in merged.records.records() {
                output.write_all(&self.shown(format!("{record}\n").as_bytes()))?;
            }
            merged.tell();
        }
        output.finish()?;
        Ok(verdict(has_broken).max(end.status()?))
    }

    /// Appends a built game, or a line of one: as PGN or as EPD, and after its key if it is to be sorted.
    fn write_built(&self, format: Export, game: &Game, Texts { bytes, lengths }: &mut Texts) {
        match (self.epd, self.sort) {
            (false, false) => bytes.extend(format.game(game).bytes()),
            (false, true) => lengths.push(format.write_collated(game, bytes)),
            (true, false) => write_records(game, bytes),
            (true, true) => {
                let key = CollatingKey::new(game).into_bytes();
                let text = bytes.len() + key.len();
                bytes.extend_from_slice(&key);
                write_records(game, bytes);
                lengths.push(Collated { key: key.len(), tags: bytes.len() - text, movetext: 0 });
            }
        }
    }

    /// The text, with question marks in place of letters that are not ASCII if `--ascii` requests it.
    fn shown<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.ascii || text.is_ascii() {
            return text.into();
        }
        let text = String::from_utf8_lossy(text);
        text.chars().map(|letter| u8::try_from(letter).ok().filter(u8::is_ascii).unwrap_or(b'?')).collect()
    }

    /// Whether a game with these errors is selected, and the findings in it.
    fn take(&self, errors: &[PgnError]) -> (bool, Option<Findings>) {
        if errors.is_empty() && self.selection.takes(false) {
            return (true, None);
        }
        let mut findings = Findings::default();
        let is_taken = findings.add_game(errors, self.selection);
        (is_taken, (!findings.found.is_empty()).then_some(findings))
    }

    fn write_tables(&self, folder: &Path) -> Result<ExitStatus, CliError> {
        signals::install_handlers()?;
        let query = self.query.read(self.inputs.files())?;
        let mut tables =
            ParquetTables::create(folder).map_err(|error| CliError::Failed(error.to_string()))?;
        let mut has_broken = false;
        let end = self.inputs.read(
            false,
            |part, emit| {
                let mut builder = self.inputs.builder();
                let mut rows = Box::<GameRows>::default();
                let file = part.source.name();
                part.reader.require_found(query.as_ref())?;
                loop {
                    if query.is_some() {
                        part.reader.skip(query.as_ref())?;
                    }
                    // Games keep the names of the files from which they were added to the collection.
                    let origin = part.reader.origin_name()?.map(str::to_owned);
                    if !part.reader.read_game(&mut builder)? {
                        break;
                    }
                    if query
                        .as_ref()
                        .is_some_and(|query| !query.is_true(builder.game(), builder.last_position()))
                    {
                        continue;
                    }
                    let (is_taken, findings) = self.take(builder.errors());
                    if let Some(findings) = findings {
                        emit(Tabled::Findings(findings))?;
                    }
                    if is_taken {
                        let has_moves = builder.last_position().is_some();
                        rows.add(builder.game(), has_moves, origin.as_ref().unwrap_or(&file));
                        if rows.is_full() {
                            emit(Tabled::Rows(std::mem::take(&mut rows)))?;
                        }
                    }
                }
                emit(Tabled::Rows(rows))
            },
            |source, bar, tabled| match tabled {
                Tabled::Rows(rows) => Ok(tables.add(*rows)?),
                Tabled::Findings(findings) => {
                    has_broken |= findings.has_broken;
                    self.selection.print(&findings.found, source, bar);
                    Ok(())
                }
            },
        )?;
        let status = end.status()?;
        tables.finish()?;
        Ok(verdict(has_broken).max(status))
    }
}

/// Appends an EPD record for each position of a game. A game that cannot be read completely has no records.
fn write_records(game: &Game, out: &mut Vec<u8>) {
    if game.unread().is_empty() {
        for record in records_of(game) {
            // Writing to memory cannot fail.
            let _ = writeln!(out, "{record}");
        }
    }
}

/// The EPD records of all games, merged by position.
struct Merged {
    records: MergedRecords,
    added: u64,
    conflicts: u64,
    is_quiet: bool,
}

impl Merged {
    fn new(is_quiet: bool) -> Self {
        Self { records: MergedRecords::default(), added: 0, conflicts: 0, is_quiet }
    }

    /// Adds records, and prints conflicts between them.
    fn add(&mut self, records: Vec<Epd>) {
        for record in records {
            self.added += 1;
            let position = *record.position();
            for conflict in self.records.add(record) {
                self.conflicts += 1;
                if !self.is_quiet {
                    // A closed standard error does not matter, here and below.
                    let _ = writeln!(io::stderr(), "{}: {conflict}", Fen::new(&position).without_counters());
                }
            }
        }
    }

    fn tell(&self) {
        if !self.is_quiet {
            let positions = pluralize(self.records.len() as u64, "position");
            let records = pluralize(self.added, "record");
            let conflicts = pluralize(self.conflicts, "conflict");
            let _ = writeln!(io::stderr(), "{positions} of {records}, {conflicts}");
        }
    }
}

/// The error for a temporary file that cannot be written or read.
pub(super) fn temporary_error(error: io::Error) -> CliError {
    CliError::Failed(format!("cannot write a temporary file in {}: {error}", env::temp_dir().display()))
}
