//! `hematite puzzles new`: a puzzle written by hand.

use super::check::Judgement;
use super::work::{Format, Original, PuzzleWriter};
use crate::analysis::puzzles::{Checker, Claim, Prover, Puzzle, Rules, problem_of_game};
use crate::cli::streams::{OutputArg, open_to_append};
use crate::cli::values::{positive, syzygy_tables};
use crate::cli::{CliError, ExitStatus};
use crate::notation::pgn::{Element, Game, GameResult, PgnError, PgnProblem};
use crate::notation::{Fen, repair_fen};
use serde_json::Map;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  hematite puzzles new '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1' --moves 'Ra8#'
  hematite puzzles new 'k7/8/2K5/8/8/8/8/7R w - - 0 1' --moves '1. Kb6 Kb8 2. Rh8#' --tag White='A. Composer' \\
      --tag Date=1924.??.?? -o problems.pgn --append
  hematite puzzles new 'k7/8/2K5/8/8/8/8/7R w - - 0 1' --moves 'c6b6 a8b8 h1h8' --check

The moves are those of PGN or of UCI, with numbers, comments and variations, if there are any: variations on moves of the
solver are other solutions. PGN keeps all of that; EPD and JSON keep the moves and the other solutions, and a warning
names the rest. With --check the problem is written only if it is true, by the rules of `hematite puzzles
check`; exit code 1 if it is not.";

/// The default number of nodes of each search of a check.
const NODES: u64 = 1_000_000;

/// Write down a problem: a position and the moves that solve it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The position, in one argument or several.
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,

    /// The moves that solve it, the solver's first.
    #[arg(long, value_name = "MOVES", default_value = "", allow_hyphen_values = true)]
    moves: String,

    /// Set a tag, such as White='A. Composer'; may be given several times.
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = tag)]
    tags: Vec<(String, String)>,

    #[command(flatten)]
    target: OutputArg,

    /// Add the problem at the end of the file.
    #[arg(long, requires = "output")]
    append: bool,

    /// Write this format [default: by the name of the output, or pgn].
    #[arg(long, value_name = "FORMAT")]
    format: Option<ProblemFormat>,

    /// Check it first.
    #[arg(long)]
    check: bool,

    /// Nodes of each search of the check.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = positive, requires = "check")]
    nodes: u64,

    /// Folders of endgame tables (Syzygy) for the check, which know the results of endings.
    #[arg(long, value_name = "PATH", requires = "check")]
    syzygy: Option<String>,
}

/// The format of a problem. A row of a table starts with the move before the puzzle, and a problem has none.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ProblemFormat {
    /// A game from the position to be solved.
    Pgn,
    /// One record on a line.
    Epd,
    /// One JSON object.
    Json,
}

impl From<ProblemFormat> for Format {
    fn from(format: ProblemFormat) -> Self {
        match format {
            ProblemFormat::Pgn => Self::Pgn,
            ProblemFormat::Epd => Self::Epd,
            ProblemFormat::Json => Self::Json,
        }
    }
}

fn tag(text: &str) -> Result<(String, String), String> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE such as White=Tal".to_owned()),
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        let format = Format::of_output(self.format.map(Into::into), &self.target);
        if self.append && matches!(format, Format::Csv | Format::Json) {
            return Err(CliError::usage("--append is for PGN and EPD"));
        }
        if format == Format::Csv {
            let problem = "found a name of a table for the output, expected .pgn, .epd or .json: a table starts with \
                           the move before the puzzle, and a problem has none";
            return Err(CliError::usage(problem));
        }
        let (game, puzzle) = self.problem()?;
        if self.check {
            let tables = self.syzygy.as_deref().map(syzygy_tables).transpose()?;
            let prover = Prover::new(self.nodes, tables)?;
            let verdict =
                Checker::new(prover, Rules::default()).check(&Claim::Line(Box::new(puzzle.clone())));
            let judgement = Judgement::of(&verdict);
            if !judgement.is_true {
                let _ = writeln!(io::stderr(), "{}", judgement.text);
                return Ok(ExitStatus::No);
            }
        }
        let (output, lock) = match self.target.path().filter(|_| self.append) {
            Some(path) => {
                let (output, lock) = open_to_append(path)?;
                (output, Some(lock))
            }
            None => (self.target.open(out)?, None),
        };
        let mut writer = PuzzleWriter::new(output, format)?;
        if format == Format::Pgn {
            writer.write_original(&Original::Game(Box::new(game)))?;
        } else {
            let lost = lost(&game, &puzzle, format);
            if !lost.is_empty() {
                // A failure to write the warning is ignored.
                let _ = writeln!(io::stderr(), "warning: only PGN keeps {}", lost.join(", "));
            }
            writer.write(&puzzle)?;
        }
        writer.finish(Map::new())?;
        drop(lock);
        Ok(ExitStatus::Yes)
    }

    /// The problem that the arguments describe: the game with all that was typed, and the puzzle.
    fn problem(&self) -> Result<(Game, Puzzle), CliError> {
        let fen = self.position.join(" ");
        let failed = |problem: String| CliError::Input { name: "FEN".to_owned(), problem };
        let repaired = repair_fen(&fen).map_err(|error| failed(error.to_string()))?;
        if let Some(note) = repaired.note() {
            let _ = writeln!(io::stderr(), "warning: {note}");
        }
        let start = repaired.position;
        if start == crate::chess::Position::start() {
            return Err(failed(
                "found the initial position, expected another: a problem is set up".to_owned(),
            ));
        }
        let text = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n{} *\n", Fen::new(&start), self.moves);
        let read = Game::read(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
        let wrong = |problem: String| CliError::Input { name: "--moves".to_owned(), problem };
        let (mut game, errors) = read.ok_or_else(|| wrong("found no moves".to_owned()))?;
        let is_grave = |error: &&PgnError| error.problem.is_unread();
        if let Some(error) = errors.iter().find(is_grave) {
            return Err(wrong(error.problem.to_string()));
        }
        let unread: Vec<String> = errors
            .iter()
            .filter_map(|error| match &error.problem {
                PgnProblem::Word(found) | PgnProblem::Stray(found) | PgnProblem::Glyph(found) => {
                    Some(found.to_string())
                }
                _ => None,
            })
            .collect();
        if !unread.is_empty() {
            return Err(wrong(format!("found {}, expected moves of PGN or UCI", unread.join(", "))));
        }
        let puzzle = problem_of_game(&game).ok_or_else(|| wrong("found no problem".to_owned()))?;
        let mut puzzle = Puzzle { id: String::new(), ..puzzle };
        puzzle.origin.tags = self.tags.clone();
        for (name, value) in &self.tags {
            game.tags.set(name.clone(), value.clone());
        }
        if game.result == GameResult::Unknown && puzzle.mate_in().is_some() {
            game.result = GameResult::win(start.turn());
        }
        Ok((game, puzzle))
    }
}

/// The names of the parts of a game that this format of its puzzle does not keep.
fn lost(game: &Game, puzzle: &Puzzle, format: Format) -> Vec<&'static str> {
    let has = |is_wanted: fn(&Element<'_>) -> bool| game.walk().any(|element| is_wanted(&element));
    [
        (has(|element| matches!(element, Element::Comment(_) | Element::Escape(_))), "comments"),
        (has(|element| matches!(element, Element::Nag(_))), "glyphs"),
        (game.len() > puzzle.moves.len() + puzzle.alternatives.len(), "further moves of variations"),
        (format == Format::Epd && !puzzle.origin.tags.is_empty(), "tags"),
    ]
    .into_iter()
    .filter_map(|(is_lost, name)| is_lost.then_some(name))
    .collect()
}
