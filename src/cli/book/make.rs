//! `hematite book make`: an opening book from games.

use crate::book::{self, Builder, Scoring, Written};
use crate::chess::{Color, Move, Placement, Position};
use crate::cli::pgn::{
    Counts, Findings, InputEnd, Inputs, MAX_FINDINGS, QueryArg, QueryFilter, Selection, verdict,
};
use crate::cli::streams::{Output, OutputArg, STDOUT, new_file};
use crate::cli::values::integer_in;
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::{GameResult, PgnError, PgnProblem, RawText, Skip, Tracker, Visitor};
use crate::notation::pluralize;
use std::io::{self, BufWriter, Write};
use std::ops::AddAssign;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  hematite book make games.pgn --output book.bin
  hematite book make archive/ masters.pgn.zst --output book.bin --min-games 10 --max-ply 30
  hematite book make games.pgn --output white.bin --side white --scoring 3-1-0 --min-score 45
  hematite book make lines.pgn --output lines.bin --min-games 1 --uniform
  hematite book make archive.hdb --query 'elo>=2500 date>=2000 -speed:bullet' --output masters.bin
  hematite book make --broken drop games.pgn --output book.bin

The weight of a move is what its games count, as with Polyglot: 2 for a win of the side that plays
it, 1 for a draw. A move that counts nothing is left out. Games without a result are not counted,
and games with an illegal move up to it, unless --broken drops them. Errors are printed on standard
error. Exit code 1 if a main line has moves that cannot be read, or with --strict if there is any
error; and, without a book, if no move is left.";

/// The default maximum number of plies taken from a game.
const MAX_PLY: usize = 1024;

/// Make a book of the moves of games.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    inputs: Inputs,

    #[command(flatten)]
    query: QueryArg,

    /// The book to write, created or replaced when it is complete, and compressed if its name ends in .zst, .gz, .bz2
    /// or .xz; `-` for standard output.
    #[arg(short, long = "output", alias = "out", value_name = "FILE")]
    out: PathBuf,

    /// Leave out moves played in fewer games.
    #[arg(long, value_name = "N", default_value_t = book::Selection::default().min_games, value_parser = integer_in::<u64>(0..))]
    min_games: u64,

    /// Take no more than the first N plies of a game.
    #[arg(long, value_name = "N", default_value_t = MAX_PLY, value_parser = integer_in::<usize>(0..))]
    max_ply: usize,

    /// Leave out moves that scored less, in percent of the points.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    min_score: f64,

    /// The points of a win, a draw and a loss.
    #[arg(long, value_name = "WIN-DRAW-LOSS", default_value = "2-1-0", value_parser = scoring)]
    scoring: Scoring,

    /// Give all moves the same weight.
    #[arg(long)]
    uniform: bool,

    /// Take only the moves of one side.
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Color>,

    #[command(flatten)]
    broken: Selection,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=HUNDRED).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

/// All points, in percent.
const HUNDRED: f64 = 100.0;

fn scoring(text: &str) -> Result<Scoring, String> {
    let numbers = text.split('-').map(|number| number.trim().parse::<u32>());
    match numbers.collect::<Result<Vec<_>, _>>().as_deref() {
        Ok(&[win, draw, loss]) if win.max(draw).max(loss) > 0 => Ok(Scoring { win, draw, loss }),
        _ => Err("expected three whole numbers, one of them above 0, such as 2-1-0".to_owned()),
    }
}

fn side(text: &str) -> Result<Color, String> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err("expected `white` or `black`".to_owned()),
    }
}

/// The numbers of games read.
#[derive(Clone, Copy, Default, Debug)]
struct Games {
    counted: u64,
    /// Games without a result, which are not counted.
    uncounted: u64,
}

impl AddAssign for Games {
    fn add_assign(&mut self, other: Self) {
        self.counted += other.counted;
        self.uncounted += other.uncounted;
    }
}

/// The data that a thread has collected from some games of a source.
enum Collected {
    Moves(Builder, Games),
    Findings(Findings),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let is_standard = self.out.as_os_str() == STDOUT;
        let target = OutputArg::of(self.out.clone());
        if let Some(input) = self.inputs.files().iter().find(|input| !is_standard && target.names(input)) {
            let problem = format!("{}: it is one of the inputs, expected another file", input.display());
            return Err(CliError::Usage(problem));
        }
        let (builder, games, has_broken, end) = self.collect(is_standard)?;
        let selection = book::Selection {
            min_games: self.min_games,
            min_percent: self.min_score,
            is_uniform: self.uniform,
        };
        let mut output = if is_standard {
            Output::Standard(BufWriter::new(&mut *out))
        } else {
            Output::File(Box::new(new_file(&self.out)?))
        };
        let written = builder.write(&selection, &mut output)?;
        let summary = summary(games, written);
        if written.moves == 0 {
            // An unfinished file is removed when it is dropped.
            drop(output);
            let _ = writeln!(
                io::stderr(),
                "{summary}; no book, expected moves played in {} games that scored {} % or more",
                self.min_games,
                self.min_score
            );
            return Ok(ExitStatus::No.max(end.status()?));
        }
        end.check_target(&target)?;
        output.finish()?;
        if is_standard {
            let _ = writeln!(io::stderr(), "{summary}");
        } else {
            writeln!(out, "{summary}")?;
        }
        Ok(verdict(has_broken).max(end.status()?))
    }

    /// Collects the moves of all games, and whether some games cannot be read.
    fn collect(&self, shares_terminal: bool) -> Result<(Builder, Games, bool, InputEnd), CliError> {
        let query = self.query.read(self.inputs.files())?;
        let mut sum = (Builder::new(self.scoring), Games::default(), false);
        let end = self.inputs.read(
            shares_terminal,
            |part, emit| {
                let collector = Collector {
                    builder: Builder::new(self.scoring),
                    games: Games::default(),
                    tracker: self.inputs.tracker(),
                    max_ply: self.max_ply,
                    side: self.side,
                    moves: Vec::new(),
                    plies: 0,
                    result: None,
                    selection: self.broken,
                    findings: Findings::default(),
                    is_left_out: false,
                };
                let mut filter = QueryFilter::new(collector, query.as_ref(), self.inputs.builder());
                filter.begin(part)?;
                while filter.read_next(part)? {
                    let findings = &mut filter.counts.findings;
                    if findings.found.len() >= MAX_FINDINGS {
                        emit(Collected::Findings(std::mem::take(findings)))?;
                    }
                }
                let collector = filter.counts;
                emit(Collected::Findings(collector.findings))?;
                emit(Collected::Moves(collector.builder, collector.games))
            },
            |source, bar, collected| {
                match collected {
                    Collected::Moves(builder, games) => {
                        sum.0.merge(builder);
                        sum.1 += games;
                    }
                    Collected::Findings(findings) => {
                        sum.2 |= findings.has_broken;
                        self.broken.print(&findings.found, source, bar);
                    }
                }
                Ok(())
            },
        )?;
        let (builder, games, has_broken) = sum;
        Ok((builder, games, has_broken, end))
    }
}

fn summary(games: Games, written: Written) -> String {
    let mut text = format!(
        "{} in {} from {}, {} left out",
        pluralize(written.moves, "move"),
        pluralize(written.positions, "position"),
        pluralize(games.counted, "game"),
        pluralize(written.left_out, "move"),
    );
    if games.uncounted > 0 {
        text += &format!("; {} without a result", pluralize(games.uncounted, "game"));
    }
    text
}

/// Collects the moves of each game once its result is known.
struct Collector {
    builder: Builder,
    games: Games,
    tracker: Tracker,
    max_ply: usize,
    side: Option<Color>,
    moves: Vec<(Placement, Move)>,
    plies: usize,
    result: Option<GameResult>,
    selection: Selection,
    findings: Findings,
    is_left_out: bool,
}

impl Counts for Collector {
    fn leave_out(&mut self) {
        self.is_left_out = true;
    }
}

impl Collector {
    /// Adds a move; `None` is a null move.
    #[inline(always)]
    fn add(&mut self, mv: Option<Move>) {
        self.plies += 1;
        if self.plies > self.max_ply {
            return;
        }
        if let (Some(mv), Some(before)) = (mv, self.tracker.placement_before())
            && self.side.is_none_or(|side| side == before.turn())
        {
            self.moves.push((before, mv));
        }
    }
}

impl Visitor for Collector {
    fn tracker(&mut self) -> Option<&mut Tracker> {
        Some(&mut self.tracker)
    }

    fn begin_game(&mut self) {
        self.tracker.begin_game();
        self.findings.begin_game();
        self.moves.clear();
        self.plies = 0;
        self.result = None;
        self.is_left_out = false;
    }

    fn tag(&mut self, name: &[u8], value: RawText<'_>) -> Result<(), Box<PgnProblem>> {
        GameResult::take_tag(&mut self.result, name, value.bytes());
        self.tracker.tag(name, value)
    }

    fn mv(&mut self, text: &[u8]) -> Result<(), Box<PgnProblem>> {
        let played = self.tracker.play(text)?;
        self.add(played.mv());
        Ok(())
    }

    fn known_move(&mut self, _: &Position, mv: Move, after: &Position) -> Result<(), Box<PgnProblem>> {
        self.tracker.advance_to(after);
        self.add(Some(mv));
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Skip, Box<PgnProblem>> {
        Ok(Skip::Yes)
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        self.findings.add(&error, self.selection);
    }

    fn end_game(&mut self) {
        if self.is_left_out {
            return self.findings.drop_game();
        }
        if !self.findings.end_game(self.selection) {
            return;
        }
        let winner = match self.result.unwrap_or_default() {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unknown => {
                self.games.uncounted += 1;
                return;
            }
        };
        self.games.counted += 1;
        self.builder.add_game(&self.moves, winner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_three_numbers() {
        assert_eq!(scoring("2-1-0"), Ok(Scoring { win: 2, draw: 1, loss: 0 }));
        assert_eq!(scoring(" 3 - 1 - 1 "), Ok(Scoring { win: 3, draw: 1, loss: 1 }));
        for text in ["", "2", "2-1", "2-1-0-0", "0-0-0", "a-b-c", "2-1--1", "-1-1-1", "1.5-1-0"] {
            assert!(scoring(text).is_err(), "{text}");
        }
    }
}
