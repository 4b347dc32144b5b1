//! `hematite puzzles`: positions with one winning line, found in games, checked, and written by hand.

mod check;
mod new;
mod work;

use super::pgn::QueryArg;
use super::streams::{InputStatus, OutputArg};
use super::values::{chances_in, integer_in, positive};
use super::{CliError, ExitStatus};
use crate::analysis::puzzles::{Found, MATE_NODES_RATIO, Maker, Puzzle, Settings, Theme};
use crate::database::{Query, Source, find_sources};
use crate::notation::pgn::Game;
use crate::notation::pluralize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use work::{Effort, Format, JobProgress, PuzzleWriter, count_games, in_order};

pub(super) use work::{FoundGame, read_games};

const EXAMPLES: &str = "\
Examples:
  hematite puzzles games.pgn -o puzzles.pgn
  hematite puzzles archive.hdb --query 'player:tal' --nodes 1M --syzygy tables/ -o tal.csv
  hematite puzzles games.pgn --theme fork --theme pin -o motifs.epd
  hematite puzzles check puzzles.pgn
  hematite puzzles new '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1' --moves Ra8# -o problem.pgn

A puzzle starts after a move by which the winning chances of the side to move rise by --jump, and has one winning line:
at each move of the solver a search of two lines with --nodes finds that the best move wins and that the next one has
--gap less winning chances, on lichess's scale from -1 to 1. The opponent answers with its best move, and the line ends
where a second move wins as well. Each of these moves must be found again with --confirm-nodes. Mates are proved by trying
everything, endings by --syzygy. Evaluations in the games ([%eval]) are used to find where to look. The same position is
never written twice. Exit code 1 if there is no puzzle.";

/// The default number of nodes of each search.
const NODES: u64 = 200_000;
/// The default number of nodes of a confirming search, for each node of the search that it confirms.
const CONFIRM_RATIO: u64 = 4;
/// The default number of nodes for each position of a game without evaluations.
const SCAN_NODES: u64 = 10_000;
/// The maximum length of a line that can be requested.
const MAX_LENGTH: usize = 50;

/// Make puzzles of games; check them; write down problems.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    make: MakeArguments,
}

#[derive(clap::Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    Check(check::Arguments),
    New(new::Arguments),
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        match self.command {
            Some(Command::Check(arguments)) => arguments.run(out),
            Some(Command::New(arguments)) => arguments.run(out),
            None => self.make.run(out),
        }
    }
}

#[derive(clap::Args, Debug)]
struct MakeArguments {
    /// Files, folders (all .pgn files and collections in and below them), collections (.hdb), `-` for standard input;
    /// .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    target: OutputArg,

    /// Write this format [default: by the name of the output, or pgn].
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write one JSON object: as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,

    #[command(flatten)]
    query: QueryArg,

    /// Nodes of each search, `k` and `M` are allowed. The mate solver may make eight moves for each of them.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = positive)]
    nodes: u64,

    /// Nodes of each search that confirms an only move, since a second winning move is often seen late; a number up to
    /// --nodes confirms nothing [default: four times --nodes].
    #[arg(long, value_name = "N", value_parser = positive)]
    confirm_nodes: Option<u64>,

    /// Nodes for each position of a game without evaluations, to find where to look.
    #[arg(long, value_name = "N", default_value_t = SCAN_NODES, value_parser = positive)]
    scan_nodes: u64,

    /// Search every position, even if the game has evaluations.
    #[arg(long)]
    ignore_evals: bool,

    /// The least rise of the winning chances, which are from -1 to 1, by the opponent's move.
    #[arg(long, value_name = "CHANCES", default_value = "0.3", value_parser = chances_in(0.0..=2.0))]
    jump: f64,

    /// The least winning chances of the solver, from -1 (lost) to 1 (won).
    #[arg(long, value_name = "CHANCES", default_value = "0.5", allow_hyphen_values = true, value_parser = chances_in(-1.0..=1.0))]
    win: f64,

    /// The least distance in winning chances from the solver's move to the next best.
    #[arg(long, value_name = "CHANCES", default_value = "0.5", value_parser = chances_in(0.0..=2.0))]
    gap: f64,

    /// Leave out shorter lines, unless they mate; counted in moves of the solver.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<usize>(1..=MAX_LENGTH))]
    min_moves: usize,

    /// End the line after this many moves of the solver.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = integer_in::<usize>(1..=MAX_LENGTH))]
    max_moves: usize,

    /// Take only puzzles with this theme, by its name in lichess's puzzle file; may be given several times, one is
    /// enough.
    #[arg(long = "theme", value_name = "NAME", value_parser = theme)]
    themes: Vec<Theme>,

    /// Do not measure the difficulty, which takes up to twice the time.
    #[arg(long)]
    no_rating: bool,

    #[command(flatten)]
    effort: Effort,
}

fn theme(name: &str) -> Result<Theme, String> {
    Theme::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// A game and its place in the input.
struct Job {
    game: Game,
    file: String,
    number: u64,
}

/// The counts of the run.
#[derive(Default)]
struct Tally {
    games: u64,
    candidates: u64,
    duplicates: u64,
    unproved: u64,
    unconfirmed: u64,
    without_lead: u64,
}

impl MakeArguments {
    fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let settings = Settings {
            scan_nodes: self.scan_nodes,
            confirm_nodes: self.confirm_nodes(),
            uses_evaluations: !self.ignore_evals,
            jump: self.jump,
            win: self.win,
            gap: self.gap,
            min_moves: self.min_moves,
            max_moves: self.max_moves,
            rates: !self.no_rating,
        };
        let query = self.query.read(&self.files)?;
        let mut status = InputStatus::default();
        let sources = find_sources(&self.files, "pgn", &mut |path, error| {
            let name = path.display().to_string();
            status.fail_file(Some(path), &CliError::Input { name, problem: error.to_string() });
        });
        let format = if self.json { Format::Json } else { Format::of_output(self.format, &self.target) };
        let progress = JobProgress::new("game", self.target.is_standard(), || count_games(&sources));
        let provers = self.effort.provers(self.nodes)?;
        let mut writer = PuzzleWriter::new(self.target.open(out)?, format)?;
        let mut tally = Tally::default();
        let mut seen = HashSet::new();
        let make = |prover| {
            let mut maker = Maker::new(prover, settings);
            move |job: Job| (maker.puzzles_of(&job.game), job.file, job.number)
        };
        let workers: Vec<_> = provers.into_iter().map(make).collect();
        in_order(workers, &progress, |queue| {
            let mut take = |(found, file, number): (Found, String, u64)| {
                tally.games += 1;
                tally.candidates += found.candidates;
                tally.unproved += found.unproved;
                tally.unconfirmed += found.unconfirmed;
                for mut puzzle in found.puzzles {
                    let is_wanted =
                        self.themes.is_empty() || self.themes.iter().any(|&theme| puzzle.has(theme));
                    if !is_wanted {
                        continue;
                    }
                    if !seen.insert(position_of(&puzzle)) {
                        tally.duplicates += 1;
                        continue;
                    }
                    puzzle.origin.file = Some(file.clone());
                    puzzle.origin.game = Some(number);
                    tally.without_lead += u64::from(!writer.write(&puzzle)?);
                }
                Ok(())
            };
            for source in &sources {
                let result = self.put_games(source, query.as_ref(), &mut |job| queue.put(job, &mut take));
                status.take_file(source.path(), result)?;
            }
            queue.finish(&mut take)
        })?;
        progress.bar.finish_and_clear();
        status.check_target(self.target.path())?;
        let written = writer.written();
        writer.finish(self.summary(&tally))?;
        if format != Format::Json {
            // A failure to write the counts is ignored: the puzzles are written.
            let _ = writeln!(io::stderr(), "{}", tally.text(written));
        }
        let answer = if written == 0 { ExitStatus::No } else { ExitStatus::Yes };
        Ok(answer.max(status.status()?))
    }

    /// Passes the games of a source that match the query to the workers.
    fn put_games(
        &self,
        source: &Source,
        query: Option<&Query>,
        put: &mut dyn FnMut(Job) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let path = source.path().and_then(|path| path.file_name());
        let file = path.map_or_else(|| source.name(), |name| name.display().to_string());
        read_games(source, query, &mut |FoundGame { game, number, .. }| {
            put(Job { game, file: file.clone(), number }).map(ControlFlow::Continue)
        })
    }

    /// The number of nodes that confirm an only move.
    fn confirm_nodes(&self) -> u64 {
        self.confirm_nodes.unwrap_or_else(|| self.nodes.saturating_mul(CONFIRM_RATIO))
    }

    /// The members of the JSON object apart from the puzzles.
    fn summary(&self, tally: &Tally) -> Map<String, Value> {
        let members = json!({
            "games": tally.games,
            "candidates": tally.candidates,
            "duplicates": tally.duplicates,
            "unproved": tally.unproved,
            "unconfirmed": tally.unconfirmed,
            "nodes": self.nodes,
            "confirm_nodes": self.confirm_nodes(),
            "mate_nodes": self.nodes.saturating_mul(MATE_NODES_RATIO),
            "gap": self.gap,
            "win": self.win,
        });
        match members {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

/// The position without its move counters; puzzles with the same position are duplicates.
fn position_of(puzzle: &Puzzle) -> String {
    crate::notation::Fen::new(&puzzle.start).without_counters().to_string()
}

impl Tally {
    fn text(&self, written: u64) -> String {
        let mut text = format!(
            "{} of {}, {} examined",
            pluralize(written, "puzzle"),
            pluralize(self.games, "game"),
            pluralize(self.candidates, "position")
        );
        for (count, what) in [
            (self.duplicates, "found before"),
            (self.unproved, "with a mate that is too long to be proved"),
            (self.unconfirmed, "whose only move a longer search does not confirm"),
            (self.without_lead, "without the move before, which a table needs"),
        ] {
            if count > 0 {
                text.push_str(&format!("; {count} left out {what}"));
            }
        }
        text
    }
}
