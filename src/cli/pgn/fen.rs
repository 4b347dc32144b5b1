//! `hematite pgn fen`: the positions of games.

use super::each_game::read_found;
use super::query_filter::{Counts, QueryFilter};
use super::{Findings, Inputs, MAX_FINDINGS, QueryArg, Selection, TEXT_BYTES, room_after, verdict};
use crate::chess::{KeyHistory, Move, Position};
use crate::cli::streams::OutputArg;
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::database::{Part, Query, records_of};
use crate::notation::pgn::{PgnError, PgnProblem, Reached, Skip, Tracker, Visitor};
use crate::notation::{Fen, FenWriter, SanMove};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  hematite pgn fen games.pgn
  hematite pgn fen --ply 16 --epd games.pgn -o openings.epd
  hematite pgn fen --epd --comments games.pgn -o games.epd
  hematite pgn fen --last --query 'result:draw' games.pgn
  hematite pgn fen --last games.pgn | sort | uniq -c

A game is followed up to its first illegal move. Errors are printed on standard error; exit code 1 if a
main line has moves that cannot be read, or with --strict if there is any error.";

/// Write the positions of the main lines, one on a line.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    target: OutputArg,

    /// Write EPD: the first four fields, with the move number, the clock and, from the second time on, how often the
    /// position has been there as operations (`fmvn`, `hmvc`, `rc`).
    #[arg(long)]
    epd: bool,

    /// With --epd, all positions with the comments on them as `c0` to `c9`, the evaluations that these state as `ce`,
    /// the lines of an analysis as `pv`, and on the first one ECO, NIC and the names of the opening as `eco`, `nic` and
    /// `v0` to `v2`; `hematite epd games` makes games of them again.
    #[arg(long, requires = "epd", conflicts_with_all = ["last", "ply"])]
    comments: bool,

    /// Only the last position of each game.
    #[arg(long, conflicts_with = "ply")]
    last: bool,

    /// Only the position after N plies, of games with at least N plies.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(0..))]
    ply: Option<usize>,

    #[command(flatten)]
    query: QueryArg,

    #[command(flatten)]
    selection: Selection,
}

/// The positions of some games.
#[derive(Default)]
struct Listed {
    text: Vec<u8>,
    findings: Findings,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let query = self.query.read(self.inputs.files())?;
        let mut output = self.target.open_as(if self.epd { "epd" } else { "fen" }, out)?;
        let wanted = match self.ply {
            Some(ply) => Wanted::Ply(ply),
            None if self.last => Wanted::Last,
            None => Wanted::All,
        };
        let mut has_broken = false;
        let end = self.inputs.read(
            self.target.is_standard(),
            |part, emit| {
                if self.comments {
                    return self.list_comments(part, query.as_ref(), emit);
                }
                let lister = Lister::new(wanted, self.epd, self.inputs.tracker(), self.selection);
                let mut filter = QueryFilter::new(lister, query.as_ref(), self.inputs.builder());
                filter.begin(part)?;
                while filter.read_next(part)? {
                    let listed = &mut filter.counts.listed;
                    if listed.text.len() >= TEXT_BYTES || listed.findings.found.len() >= MAX_FINDINGS {
                        let text = Vec::with_capacity(room_after(listed.text.len()));
                        let next = Listed { text, findings: Findings::default() };
                        emit(std::mem::replace(listed, next))?;
                    }
                }
                emit(filter.counts.listed)
            },
            |source, bar, Listed { text, findings }| {
                has_broken |= findings.has_broken;
                self.selection.print(&findings.found, source, bar);
                Ok(output.write_all(&text)?)
            },
        )?;
        end.check_target(&self.target)?;
        output.finish()?;
        Ok(verdict(has_broken).max(end.status()?))
    }

    /// Lists the positions of games with the comments on them.
    fn list_comments(
        &self,
        part: &mut Part<'_>,
        query: Option<&Query>,
        emit: &mut dyn FnMut(Listed) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut builder = self.inputs.builder();
        let mut listed = Listed::default();
        part.reader.require_found(query)?;
        while read_found(part, query, &mut builder)? {
            let is_known = builder.last_position().is_some();
            if listed.findings.add_game(builder.errors(), self.selection) && is_known {
                for record in records_of(builder.game()) {
                    // Writing to memory cannot fail.
                    let _ = writeln!(listed.text, "{record}");
                }
            }
            if listed.text.len() >= TEXT_BYTES || listed.findings.found.len() >= MAX_FINDINGS {
                emit(std::mem::take(&mut listed))?;
            }
        }
        emit(listed)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Last,
    Ply(usize),
}

struct Lister {
    wanted: Wanted,
    is_epd: bool,
    tracker: Tracker,
    plies: usize,
    is_known: bool,
    selection: Selection,
    listed: Listed,
    /// The length of the text before the current game.
    before: usize,
    /// The positions of the current game, for the repetitions in EPD records.
    key_history: KeyHistory,
    writer: FenWriter,
    is_left_out: bool,
}

impl Counts for Lister {
    fn leave_out(&mut self) {
        self.is_left_out = true;
    }
}

impl Lister {
    fn new(wanted: Wanted, is_epd: bool, tracker: Tracker, selection: Selection) -> Self {
        let listed = Listed::default();
        let key_history = KeyHistory::new(tracker.position());
        Self {
            wanted,
            is_epd,
            tracker,
            plies: 0,
            is_known: false,
            selection,
            listed,
            before: 0,
            key_history,
            writer: FenWriter::default(),
            is_left_out: false,
        }
    }

    /// Writes the position if it is selected.
    fn list(&mut self) {
        if self.wanted == Wanted::All || self.wanted == Wanted::Ply(self.plies) {
            self.write();
        }
    }

    /// Adds a move, or a null move.
    fn add(&mut self, played: SanMove) {
        // Only EPD records state repetitions, for which keys are needed.
        if self.is_epd {
            let position = self.tracker.position();
            match played {
                SanMove::Move(_) => self.key_history.push(position),
                SanMove::Null => self.key_history.push_null(position),
            }
        }
        self.plies += 1;
        self.list();
    }

    fn write(&mut self) {
        if self.is_epd {
            let position = self.tracker.position();
            let repetition = match self.key_history.repetitions(position) {
                0 => String::new(),
                earlier => format!(" rc {};", earlier + 1),
            };
            self.writer.push(&Fen::new(position).without_counters(), &mut self.listed.text);
            // Writing to memory cannot fail.
            let _ = writeln!(
                self.listed.text,
                " fmvn {}; hmvc {};{repetition}",
                position.fullmove_number(),
                position.halfmove_clock()
            );
        } else {
            let text = &mut self.listed.text;
            match self.tracker.reached() {
                Reached::Placement(placement) => self.writer.push(&Fen::of(placement), text),
                Reached::Position(position) => self.writer.push(&Fen::new(position), text),
            }
            text.push(b'\n');
        }
    }
}

impl Visitor for Lister {
    fn tracker(&mut self) -> Option<&mut Tracker> {
        Some(&mut self.tracker)
    }

    fn begin_game(&mut self) {
        self.tracker.begin_game();
        self.plies = 0;
        self.is_left_out = false;
        self.before = self.listed.text.len();
        self.listed.findings.begin_game();
    }

    fn end_tags(&mut self) -> Skip {
        let skip = self.tracker.end_tags();
        self.is_known = skip == Skip::No;
        if let Some(start) = self.tracker.start() {
            self.key_history = KeyHistory::new(start);
            self.list();
        }
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        let played = self.tracker.play(text)?;
        self.add(played);
        Ok(())
    }

    fn known_move(&mut self, _: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.tracker.advance_to(after);
        self.add(SanMove::Move(mv));
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        Ok(Skip::Yes)
    }

    fn error(&mut self, error: PgnError) {
        self.listed.findings.add(&error, self.selection);
    }

    fn end_game(&mut self) {
        if self.is_left_out {
            self.listed.text.truncate(self.before);
            return self.listed.findings.drop_game();
        }
        if self.is_known && self.wanted == Wanted::Last {
            self.write();
        }
        if !self.listed.findings.end_game(self.selection) {
            self.listed.text.truncate(self.before);
        }
    }
}
