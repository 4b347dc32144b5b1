//! `hematite pgn check`: what is wrong with games?

use super::finding::Finding;
use super::inputs::Inputs;
use super::tag_check::TagCheck;
use crate::chess::Color;
use crate::cli::counted::counted;
use crate::cli::output::{Heedless, write_json};
use crate::cli::{CliError, Verdict};
use crate::notation::pgn::{GameResult, PgnError, PgnProblem, Place, RawText, Skip, Tracker, Visitor};
use serde::Serialize;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  hematite pgn check games.pgn
  hematite pgn check --threads 4 archive/ more.pgn.zst
  zcat games.pgn.gz | hematite pgn check --json -

Every finding is a line `FILE:LINE:COLUMN: MESSAGE`. Exit code 1 if there is any.";

/// So many findings of a file are handed over at a time.
const MAX_FINDINGS: usize = 1000;

/// Find what is wrong with games: illegal moves, syntax, tags, results.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    /// Check moves and syntax only, not whether tags are missing or odd.
    #[arg(long)]
    no_tags: bool,

    /// Only the sum, not each finding.
    #[arg(long, short)]
    quiet: bool,

    /// Write one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What has been found in some games.
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
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Verdict, CliError> {
        // Whether all is well is told by the exit code as well.
        let out = &mut Heedless::new(out);
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
                counted(*games, "game"),
                counted(*findings, "finding"),
                counted(*games_with_findings, "game")
            )?;
        }
        Ok(if sum.findings == 0 { Verdict::Yes } else { Verdict::No })
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
    /// Have all moves been read?
    is_whole: bool,
    findings_before: usize,
}

impl Checker {
    /// Something about the game as a whole.
    fn find(&mut self, message: String) {
        if let Some(place) = self.place {
            self.report.findings.push(Finding::new(place, message));
        }
    }

    /// Says the result what the tag says, and what is on the board?
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
        // By place, so that a reader of the file finds them in order.
        self.report.findings[self.findings_before..].sort_by_key(|finding| finding.offset);
        self.report.broken += u64::from(self.report.findings.len() > self.findings_before);
    }
}
