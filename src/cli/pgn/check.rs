//! `hematite pgn check`: errors in games.

use super::{Finding, Inputs};
use crate::chess::Color;
use crate::cli::streams::{IgnoreBrokenPipe, write_json};
use crate::cli::values::pluralize;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::{
    GameResult, PgnError, PgnProblem, Place, RawText, SEVEN_TAG_ROSTER, Skip, Tracker, Visitor,
};
use serde::Serialize;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite pgn check games.pgn
  hematite pgn check --threads 4 archive/ more.pgn.zst
  zcat games.pgn.gz | hematite pgn check --json -

Every finding is a line `FILE:LINE:COLUMN: MESSAGE`. Exit code 1 if there is any.";

/// The number of findings of a file that are passed on at a time.
const MAX_FINDINGS: usize = 1000;

/// Find errors in games: illegal moves, syntax, tags, results.
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

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The findings in some games.
#[derive(Default)]
struct Report {
    games: u64,
    plies: u64,
    broken: u64,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Summary {
    games: u64,
    /// Plies of main lines and variations.
    plies: u64,
    /// Games with at least one finding.
    games_with_findings: u64,
    findings: u64,
    files: Vec<FileFindings>,
}

#[derive(Serialize)]
struct FileFindings {
    file: String,
    findings: Vec<Finding>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        // The exit code also states whether there are findings.
        let out = &mut IgnoreBrokenPipe::new(out);
        let mut sum = Summary { games: 0, plies: 0, games_with_findings: 0, findings: 0, files: Vec::new() };
        let checks_tags = !self.no_tags;
        self.inputs.read(
            false,
            |part, emit| {
                let mut checker =
                    Checker { checks_tags, tracker: self.inputs.tracker(), ..Checker::default() };
                while let Some(place) = part.reader.next_place()? {
                    checker.place = Some(place);
                    part.reader.read_game(&mut checker)?;
                    if checker.report.findings.len() >= MAX_FINDINGS {
                        emit(std::mem::take(&mut checker.report))?;
                    }
                }
                emit(checker.report)
            },
            |source, bar, report: Report| {
                sum.games += report.games;
                sum.plies += report.plies;
                sum.games_with_findings += report.broken;
                sum.findings += report.findings.len() as u64;
                if self.quiet || report.findings.is_empty() {
                    return Ok(());
                }
                let file = source.name();
                if self.json {
                    match sum.files.last_mut().filter(|last| last.file == file) {
                        Some(last) => last.findings.extend(report.findings),
                        None => sum.files.push(FileFindings { file, findings: report.findings }),
                    }
                    return Ok(());
                }
                let mut text = String::new();
                for finding in &report.findings {
                    text.push_str(&finding.show(&file));
                    text.push('\n');
                }
                Ok(bar.suspend(|| out.write_all(text.as_bytes()))?)
            },
        )?;
        if self.json {
            write_json(out, &sum)?;
        } else {
            let Summary { games, plies, games_with_findings, findings, .. } = &sum;
            writeln!(
                out,
                "{}, {plies} plies: {} in {}",
                pluralize(*games, "game"),
                pluralize(*findings, "finding"),
                pluralize(*games_with_findings, "game")
            )?;
        }
        Ok(if sum.findings == 0 { ExitStatus::Yes } else { ExitStatus::No })
    }
}

#[derive(Default)]
struct Checker {
    checks_tags: bool,
    place: Option<Place>,
    report: Report,
    tracker: Tracker,
    tags: TagCheck,
    /// Moves of the main line.
    plies: usize,
    result: Option<GameResult>,
    /// Whether all moves have been read.
    is_whole: bool,
    findings_before: usize,
}

impl Checker {
    /// A finding about the game as a whole.
    fn find(&mut self, message: String) {
        if let Some(place) = self.place {
            self.report.findings.push(Finding::new(place, message));
        }
    }

    /// Checks that the result is that of the tag and that of the board.
    fn check_result(&mut self) {
        let Some(marker) = self.result else { return };
        if let Some(tag) = self.tags.result.filter(|&tag| tag != marker) {
            self.find(format!("the tag Result is {tag}, but the game ends with {marker}"));
        }
        if !self.is_whole || self.plies == 0 {
            return;
        }
        let position = *self.tracker.position();
        if !position.legal_moves().is_empty() {
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
        if let Err(problem) = self.tracker.play(text) {
            self.is_whole &= !is_main;
            return Err(problem);
        }
        self.report.plies += 1;
        self.plies += usize::from(is_main);
        Ok(())
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        self.report.findings.push(Finding::from(&error));
    }

    fn end_game(&mut self) {
        self.report.games += 1;
        self.check_result();
        if self.checks_tags && self.is_whole {
            self.tags.end_game(self.plies);
        }
        for message in std::mem::take(&mut self.tags.odd) {
            self.find(message);
        }
        // By place, in the order of the file.
        self.report.findings[self.findings_before..].sort_by_key(|finding| finding.offset);
        self.report.broken += u64::from(self.report.findings.len() > self.findings_before);
    }
}

/// Watches the tags of one game after another.
#[derive(Default)]
struct TagCheck {
    /// The tags of the Seven Tag Roster that are present.
    roster: [bool; SEVEN_TAG_ROSTER.len()],
    /// Names of all tags, to find repeated ones; few enough to be searched.
    names: Vec<u8>,
    name_ends: Vec<usize>,
    pub result: Option<GameResult>,
    set_up: Option<bool>,
    has_fen: bool,
    ply_count: Option<usize>,
    pub odd: Vec<String>,
}

/// The maximum number of tags that are searched for repeated ones; no real game has more.
const MAX_NAMES: usize = 256;

impl TagCheck {
    fn begin_game(&mut self) {
        self.roster = Default::default();
        self.names.clear();
        self.name_ends.clear();
        self.result = None;
        self.set_up = None;
        self.has_fen = false;
        self.ply_count = None;
        self.odd.clear();
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) {
        if self.name_ends.len() < MAX_NAMES {
            let mut start = 0;
            let is_double = self.name_ends.iter().any(|&end| {
                let found = &self.names[start..end] == name;
                start = end;
                found
            });
            if is_double {
                self.report(name, "is there twice");
                return;
            }
            self.names.extend(name);
            self.name_ends.push(self.names.len());
        }
        if let Some(index) = SEVEN_TAG_ROSTER.iter().position(|roster| roster.0.as_bytes() == name) {
            self.roster[index] = true;
        }
        if !name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.report(name, "has a name of more than letters, digits and underscores");
        }
        let text = value.bytes();
        match name {
            b"Date" | b"EventDate" | b"UTCDate" if !is_date(text) => {
                self.odd_value(name, value, "a date such as 1992.11.04 or 1992.??.??");
            }
            b"Result" => {
                self.result = GameResult::ALL.into_iter().find(|result| result.as_str().as_bytes() == text);
                if self.result.is_none() {
                    self.odd_value(name, value, "1-0, 0-1, 1/2-1/2 or *");
                }
            }
            b"SetUp" => match text {
                b"0" | b"1" => self.set_up = Some(text == b"1"),
                _ => self.odd_value(name, value, "0 or 1"),
            },
            b"FEN" => self.has_fen = true,
            b"WhiteElo" | b"BlackElo" if !matches!(text, b"-" | b"?" | b"") && number(text).is_none() => {
                self.odd_value(name, value, "a number or -");
            }
            b"PlyCount" => match number(text) {
                Some(count) => self.ply_count = Some(count),
                None => self.odd_value(name, value, "a number"),
            },
            _ => {}
        }
    }

    /// The tags have been read.
    fn end_tags(&mut self) {
        let missing: Vec<&str> = SEVEN_TAG_ROSTER
            .iter()
            .zip(self.roster)
            .filter(|(_, is_there)| !is_there)
            .map(|(roster, _)| roster.0)
            .collect();
        if !missing.is_empty() {
            self.odd.push(format!("tags missing: {}", missing.join(", ")));
        }
        match (self.set_up, self.has_fen) {
            (Some(true), false) => self.odd.push("the tag SetUp is 1, but there is no FEN".to_owned()),
            (Some(false), true) => self.odd.push("the tag SetUp is 0, but there is a FEN".to_owned()),
            (None, true) => self.odd.push("there is a FEN, but no tag SetUp".to_owned()),
            _ => {}
        }
    }

    /// The game has ended after this number of moves, all of which have been read.
    fn end_game(&mut self, plies: usize) {
        if let Some(count) = self.ply_count.filter(|&count| count != plies) {
            self.odd.push(format!("the tag PlyCount is {count}, but there are {plies} plies"));
        }
    }

    fn report(&mut self, name: &[u8], what: &str) {
        self.odd.push(format!("the tag {} {what}", String::from_utf8_lossy(name)));
    }

    fn odd_value(&mut self, name: &[u8], value: RawText<'_>, expected: &str) {
        let found = crate::notation::Excerpt::new(&value.decode());
        self.report(name, &format!("is {found}, expected {expected}"));
    }
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Whether it is of the form 1992.11.04, with question marks for unknown digits.
fn is_date(text: &[u8]) -> bool {
    const FORM: &[u8] = b"0000.00.00";
    text.len() == FORM.len()
        && text.iter().zip(FORM).all(|(&found, &form)| match form {
            b'.' => found == b'.',
            _ => found.is_ascii_digit() || found == b'?',
        })
}
