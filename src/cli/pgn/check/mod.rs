//! `hematite pgn check`: errors in games, and deviations from the PGN standard.

mod tags;

use super::query_filter::{Counts, QueryFilter};
use super::{BrokenGames, Finding, Inputs, MAX_FINDINGS, QueryArg};
use crate::chess::{Color, Move, Position, Winnability};
use crate::cli::streams::IgnoreBrokenPipe;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::{
    GameResult, PgnError, PgnProblem, Place, RawText, Skip, Tracker, UNREAD, Visitor,
};
use crate::notation::pluralize;
use crate::notation::{Excerpt, PieceLetters, San, SanError, SanMove};
use std::io::{self, Write};
use tags::TagCheck;

const EXAMPLES: &str = "\
Examples:
  hematite pgn check games.pgn
  hematite pgn check --threads 4 archive/ more.pgn.zst
  zcat games.pgn.gz | hematite pgn check --json -
  hematite pgn check --strict --broken drop games.pgn
  hematite pgn check --query 'source:twic' games.hdb

Every finding is a line `FILE:LINE:COLUMN: MESSAGE`. Exit code 1 if there is any, 2 if a file cannot
be read to its end; the others are checked.";

/// The maximum length of a line by the PGN standard (4.3), in characters without the line end.
const MAX_LINE_CHARS: usize = 254;

/// Find errors in games: illegal moves, syntax, tags, move numbers, results.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Check moves and syntax only, not tags.
    #[arg(long)]
    no_tags: bool,

    /// Print only the summary, not each finding.
    #[arg(long, short)]
    quiet: bool,

    /// Write one JSON object instead of text. It is written while the games are read.
    #[arg(long)]
    json: bool,

    /// Also report moves that are not in the standard's notation, lines of more than 255 characters, and names, sites
    /// and events that `pgn retag` spells otherwise.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    broken: BrokenGames,

    #[command(flatten)]
    query: QueryArg,
}

/// The findings of some games, and counts.
#[derive(Default)]
struct Report {
    games: u64,
    plies: u64,
    /// The number of games with at least one finding.
    games_with_findings: u64,
    findings: Vec<Finding>,
}

#[derive(Default)]
struct Summary {
    games: u64,
    /// The number of plies of main lines and variations.
    plies: u64,
    games_with_findings: u64,
    findings: u64,
}

/// Writes the JSON object while games are checked: `{"files":[{"file":...,"findings":[...]}],...}`.
struct JsonWriter {
    /// The file whose findings are being written.
    file: Option<String>,
}

impl JsonWriter {
    fn begin(out: &mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"files\":[")?;
        Ok(Self { file: None })
    }

    fn write(&mut self, file: String, findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
        let mut is_first = self.file.as_ref() != Some(&file);
        if is_first {
            out.write_all(if self.file.is_some() { b"]}," } else { b"" })?;
            out.write_all(b"{\"file\":")?;
            serde_json::to_writer(&mut *out, &file)?;
            out.write_all(b",\"findings\":[")?;
            self.file = Some(file);
        }
        for finding in findings {
            out.write_all(if is_first { b"" } else { b"," })?;
            is_first = false;
            serde_json::to_writer(&mut *out, finding)?;
        }
        Ok(())
    }

    fn end(self, sum: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.file.is_some() { b"]}]" } else { b"]" })?;
        let Summary { games, plies, games_with_findings, findings } = sum;
        writeln!(
            out,
            ",\"games\":{games},\"plies\":{plies},\"games_with_findings\":{games_with_findings},\"findings\":{findings}}}"
        )
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also reports whether there are findings.
        let out = &mut IgnoreBrokenPipe::new(out);
        let query = self.query.read(self.inputs.files())?;
        let mut sum = Summary::default();
        let mut json = if self.json { Some(JsonWriter::begin(out)?) } else { None };
        let checks_tags = !self.no_tags;
        let read = self.inputs.read(
            false,
            |part, emit| {
                let checker = Checker {
                    checks_tags,
                    strict: self.strict.then_some(self.inputs.language),
                    broken: self.broken,
                    tags: TagCheck::new(self.strict),
                    tracker: self.inputs.tracker(),
                    ..Checker::default()
                };
                if self.strict {
                    part.reader.limit_lines(MAX_LINE_CHARS);
                }
                let mut filter = QueryFilter::new(checker, query.as_ref(), self.inputs.builder());
                filter.begin(part)?;
                loop {
                    filter.skip(part)?;
                    let Some(place) = part.reader.next_place()? else { break };
                    filter.counts.place = Some(place);
                    filter.read(part)?;
                    let report = &mut filter.counts.report;
                    if report.findings.len() >= MAX_FINDINGS {
                        emit(std::mem::take(report))?;
                    }
                }
                emit(filter.counts.report)
            },
            |source, bar, report: Report| {
                sum.games += report.games;
                sum.plies += report.plies;
                sum.games_with_findings += report.games_with_findings;
                sum.findings += report.findings.len() as u64;
                if self.quiet || report.findings.is_empty() {
                    return Ok(());
                }
                let file = source.name();
                if let Some(json) = &mut json {
                    return Ok(bar.suspend(|| json.write(file, &report.findings, out))?);
                }
                let mut text = String::new();
                for finding in &report.findings {
                    text.push_str(&finding.show(&file));
                    text.push('\n');
                }
                Ok(bar.suspend(|| out.write_all(text.as_bytes()))?)
            },
        );
        let end;
        if let Some(json) = json {
            // The JSON object is completed even if no file can be read.
            json.end(&sum, out)?;
            end = read?;
        } else {
            end = read?;
            let Summary { games, plies, games_with_findings, findings } = &sum;
            writeln!(
                out,
                "{}, {}: {} in {}",
                pluralize(*games, "game"),
                pluralize(*plies, "ply"),
                pluralize(*findings, "finding"),
                pluralize(*games_with_findings, "game")
            )?;
        }
        let answer = if sum.findings == 0 { ExitStatus::Yes } else { ExitStatus::No };
        Ok(answer.max(end.status()?))
    }
}

#[derive(Default)]
struct Checker {
    checks_tags: bool,
    /// The required language of the moves; `None` if any is accepted.
    strict: Option<PieceLetters>,
    broken: BrokenGames,
    place: Option<Place>,
    report: Report,
    tracker: Tracker,
    tags: TagCheck,
    /// The number of plies of the main line.
    plies: usize,
    result: Option<GameResult>,
    /// Whether all moves could be read.
    is_whole: bool,
    is_broken: bool,
    is_left_out: bool,
    /// The number of plies and of findings before the current game.
    plies_before: u64,
    findings_before: usize,
    /// The difference between the move numbers in the text and those of the positions.
    number_offset: u32,
}

impl Counts for Checker {
    fn leave_out(&mut self) {
        self.is_left_out = true;
    }
}

impl Checker {
    /// Records a finding about the whole game.
    fn find(&mut self, message: String) {
        if let Some(place) = self.place {
            self.report.findings.push(Finding::new(place, message));
        }
    }

    /// Checks that the result agrees with the final position.
    fn check_result(&mut self) {
        let Some(marker) = self.result else { return };
        if !self.is_whole || self.plies == 0 || self.tracker.has_other_goal() {
            return;
        }
        let position = *self.tracker.position();
        if position.has_legal_moves() {
            let winner = Color::ALL.into_iter().find(|&side| GameResult::win(side) == marker);
            if let Some(winner) = winner.filter(|&side| !can_mate(&position, side)) {
                self.find(format!(
                    "the result is {marker}, but {} cannot mate by any series of legal moves",
                    winner.name()
                ));
            }
            return;
        }
        let (what, expected) = if position.is_check() {
            let winner: Color = !position.turn();
            (format!("{} mates", winner.name()), GameResult::win(winner))
        } else {
            ("the game ends in stalemate".to_owned(), GameResult::Draw)
        };
        if marker != expected {
            self.find(format!("{what}, but the result is {marker}, expected {expected}"));
        }
    }
}

/// The maximum number of pieces, or of legal moves, in positions where forced moves are likely to decide whether a side
/// can checkmate.
const FEW_MEN: u32 = 5;
const FEW_MOVES: usize = 2;

/// Whether a side can checkmate, with the help of the opponent, as far as this is found in little time. Forced moves
/// are examined only where they are likely.
fn can_mate(position: &Position, side: Color) -> bool {
    let is_tight = position.occupied().count() <= FEW_MEN || position.count_legal_moves() <= FEW_MOVES;
    position.may_checkmate(side) && !(is_tight && position.can_checkmate(side) == Winnability::Unwinnable)
}

impl Checker {
    /// Checks the text of a move that has been played.
    #[inline]
    fn check_text(&self, text: &[u8], mv: SanMove) -> Result<(), Box<PgnProblem>> {
        let tracker = &self.tracker;
        match text {
            _ if self.strict.is_some() => self.check_notation(text, mv),
            [.., b'+'] if !tracker.is_check() => self.check_sign(text, mv, false),
            [.., b'#'] if !tracker.is_check() || tracker.position().has_legal_moves() => {
                self.check_sign(text, mv, true)
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn check_sign(&self, text: &[u8], mv: SanMove, is_mate: bool) -> Result<(), Box<PgnProblem>> {
        let Some(expected) =
            mv.mv().and_then(|mv| self.tracker.before().map(|before| San::new(before, mv).text()))
        else {
            return Ok(());
        };
        let found = Excerpt::new(&String::from_utf8_lossy(text));
        Err(Box::new(PgnProblem::FalseSign { found, is_mate, expected }))
    }

    #[cold]
    fn check_notation(&self, text: &[u8], mv: SanMove) -> Result<(), Box<PgnProblem>> {
        let (Some(letters), Some(mv), Some(before)) = (self.strict, mv.mv(), self.tracker.before()) else {
            return Ok(());
        };
        let expected = San::new(before, mv).letters(letters).text();
        if expected.as_bytes() == text {
            return Ok(());
        }
        let found = Excerpt::new(&String::from_utf8_lossy(text));
        Err(Box::new(PgnProblem::Move(SanError::NotCanonical { found, expected })))
    }

    #[cold]
    fn unread_comment(&mut self, text: RawText<'_>) -> Box<PgnProblem> {
        self.is_whole = false;
        Box::new(PgnProblem::Unread(Excerpt::new(&text.decode())))
    }

    #[cold]
    fn check_number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
        let text = std::str::from_utf8(digits).unwrap_or_default();
        let found: u32 = text.parse().unwrap_or(u32::MAX);
        let number = self.tracker.number().number();
        let expected = number.wrapping_add(self.number_offset);
        if found == expected {
            return Ok(());
        }
        // Later numbers are compared with this one, so that one error is reported once.
        self.number_offset = found.wrapping_sub(number);
        // Programs that play from a list of opening positions often count from 1.
        if found == 1 && self.plies == 0 && self.tracker.depth() == 0 {
            return Ok(());
        }
        Err(Box::new(PgnProblem::Number { found, expected }))
    }
}

impl Visitor for Checker {
    fn tracker(&mut self) -> Option<&mut Tracker> {
        Some(&mut self.tracker)
    }

    fn begin_game(&mut self) {
        self.findings_before = self.report.findings.len();
        self.tracker.begin_game();
        self.tags.begin_game();
        self.plies = 0;
        self.result = None;
        self.is_whole = true;
        self.is_broken = false;
        self.is_left_out = false;
        self.plies_before = self.report.plies;
        self.number_offset = 0;
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        if self.checks_tags {
            self.tags.tag(name, value);
        }
        self.tracker.tag(name, value)
    }

    fn end_tags(&mut self) -> Skip {
        if self.checks_tags {
            self.tags.end_tags();
        }
        let skip = self.tracker.end_tags();
        self.is_whole = skip == Skip::No;
        skip
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        let is_main = self.tracker.depth() == 0;
        let mv = self.tracker.play(text)?;
        self.report.plies += 1;
        self.plies += usize::from(is_main);
        self.check_text(text, mv)
    }

    /// Moves of a collection are stored without their text and were written in standard notation, so they need no
    /// check.
    fn known_move(&mut self, _: &Position, _: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.plies += usize::from(self.tracker.depth() == 0);
        self.tracker.advance_to(after);
        self.report.plies += 1;
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, digits: &[u8]) -> Result<(), Box<PgnProblem>> {
        let found = match *digits {
            [ones] => u32::from(ones - b'0'),
            [tens, ones] => u32::from(tens - b'0') * 10 + u32::from(ones - b'0'),
            _ => return self.check_number(digits),
        };
        let number = self.tracker.number().number();
        if found == number.wrapping_add(self.number_offset) { Ok(()) } else { self.check_number(digits) }
    }

    #[inline(always)]
    fn comment(&mut self, text: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        // Most comments start with other commands, so the first bytes are compared first, which is fast.
        if matches!(text.bytes(), [b'[', b'%', b'u', b'n', ..]) && text.bytes().starts_with(UNREAD.as_bytes())
        {
            return Err(self.unread_comment(text));
        }
        Ok(())
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        if matches!(error.problem, PgnProblem::Result { .. }) && !self.checks_tags {
            return;
        }
        let is_unread = error.problem.is_unread();
        self.is_broken |= is_unread || self.strict.is_some();
        self.is_whole &= !is_unread || self.tracker.depth() > 0;
        self.report.findings.push(Finding::from(&error));
    }

    fn end_game(&mut self) {
        if self.is_left_out || !self.broken.takes(self.is_broken) {
            self.report.findings.truncate(self.findings_before);
            self.report.plies = self.plies_before;
            self.tags.odd.clear();
            return;
        }
        self.report.games += 1;
        self.check_result();
        if self.checks_tags && self.is_whole {
            self.tags.end_game(self.plies);
        }
        for message in std::mem::take(&mut self.tags.odd) {
            self.find(message);
        }
        // Findings are sorted in the order of the file.
        self.report.findings[self.findings_before..].sort_by_key(|finding| finding.offset);
        self.report.games_with_findings += u64::from(self.report.findings.len() > self.findings_before);
    }
}
