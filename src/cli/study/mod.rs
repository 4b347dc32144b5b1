//! `hematite study`: exercises on the terminal from games, problems, a repertoire, or the player's own mistakes.

mod exercises;
mod records;
mod session;

use super::pgn::QueryArg;
use super::streams::{IgnoreBrokenPipe, OutputArg};
use super::values::{SideName, integer_in, non_negative, positive};
use super::{CliError, ExitStatus};
use crate::analysis::{Budget, EvaluatorOptions, OwnEvaluator};
use crate::chess::Color;
use crate::search::Signals;
use crate::study::{Learner, Progress, Timestamp};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

const EXAMPLES: &str = "\
Examples:
  hematite study games.pgn --game 3 --side black
  hematite study games.pgn --query 'player:tal' --from-move 10 --accept-equal 20
  hematite study problems.pgn suite.epd --limit 20
  hematite study --repertoire white openings.pgn
  hematite study --repertoire white openings.pgn --gaps archive.hdb
  hematite study --mistakes 'Doe, J' annotated.pgn
  hematite study --stats
  hematite study --export answers.csv

The later moves of a game are hidden. A move is typed as in PGN (Nf3) or UCI (g1f3); `h` gives a hint, first the kind of
the piece, then its square; `s` shows the move, `b` the board, `q` leaves. A move found at once is 3 points; each wrong
guess and each hint costs one, and a guess that is known to be a mistake costs two, a blunder three. Games from a set-up
position and EPD records with bm or pv are problems, whose variations are solutions too; --game and --query select games
and leave out records. Positions of a repertoire, problems and own mistakes come back when they are about to be
forgotten (FSRS). Mistakes are moves with $2, $4 or $6, or whose evaluations show it, and with a variation that is
better: hematite analyse writes all of that. Exit code 1 if there is nothing to study.";

/// The default number of nodes for the judgement of a guess.
const NODES: u64 = 100_000;
/// The size of the hash table of the judging search, in MiB.
const HASH_MIB: usize = 16;
/// The default number of new repertoire positions in a session.
const NEW_CARDS: usize = 20;
/// The maximum move number that can be requested.
const MAX_MOVE: u16 = 9999;

/// Guess moves of games, solve problems, train a repertoire, mend mistakes.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Games (PGN, or a collection) and records (.epd), folders (all .pgn files and collections in and below them);
    /// .zst, .gz, .bz2, .xz and .zip are unpacked.
    #[arg(required_unless_present_any = ["stats", "export"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Take only the game of this number.
    #[arg(long, value_name = "N", value_parser = positive)]
    game: Option<u64>,

    #[command(flatten)]
    query: QueryArg,

    /// Begin with this move of each game and of each problem in PGN; ask only for mistakes from this move on.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u16>(1..=MAX_MOVE))]
    from_move: u16,

    /// The side whose moves are guessed; the other side's are played [default: of games White, of problems the side to
    /// move].
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,

    /// Train the repertoire of this side: the files are its lines, with variations.
    #[arg(long, value_name = "SIDE", conflicts_with_all = ["mistakes", "game", "side", "from_move"])]
    repertoire: Option<SideName>,

    /// Print what is played in these games and the repertoire has no answer to, instead of asking. --query selects
    /// among these games.
    #[arg(long, value_name = "FILE", requires = "repertoire")]
    gaps: Vec<PathBuf>,

    /// Ask for better moves than the mistakes of this player; the name as in a query.
    #[arg(long, value_name = "NAME", conflicts_with = "side")]
    mistakes: Option<String>,

    /// Also ask what is not due yet.
    #[arg(long)]
    all: bool,

    /// Ask at most this many positions of a repertoire that are new.
    #[arg(long, value_name = "N", default_value_t = NEW_CARDS)]
    new: usize,

    /// Stop after this many games, problems or positions.
    #[arg(long, value_name = "N", value_parser = integer_in::<usize>(1..=usize::MAX))]
    limit: Option<usize>,

    /// Judge each wrong guess with a search: by how much it lowers the winning chances. Evaluations of the game take
    /// precedence.
    #[arg(long)]
    judge: bool,

    /// Accept a guess that the search finds at most this much worse than the right move, in centipawns.
    #[arg(long, value_name = "CP", value_parser = non_negative)]
    accept_equal: Option<f64>,

    /// Nodes of such a search; k and M are allowed.
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = positive)]
    nodes: u64,

    /// Hide names and comments, too.
    #[arg(long)]
    hide: bool,

    /// Draw the board with the chess figures of Unicode.
    #[arg(long)]
    figures: bool,

    /// The file of your progress [default: progress.sqlite in the user's data folder].
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,

    /// Keep no progress.
    #[arg(long, conflicts_with_all = ["progress", "stats", "export", "repertoire"])]
    no_progress: bool,

    /// Print a summary of your progress.
    #[arg(long, conflicts_with_all = ["files", "export"])]
    stats: bool,

    /// Print the summary as one JSON object.
    #[arg(long, requires = "stats", conflicts_with = "files")]
    json: bool,

    /// Write all of your answers as CSV to this file, `-` for standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    export: Option<PathBuf>,
}

/// The side whose moves are guessed.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
    Both,
}

impl From<Side> for Learner {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::Side(Color::White),
            Side::Black => Self::Side(Color::Black),
            Side::Both => Self::Both,
        }
    }
}

impl Arguments {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitStatus, CliError> {
        if self.stats {
            return records::print_statistics(&self.open_progress()?, self.json, out);
        }
        if let Some(path) = &self.export {
            return records::export(&self.open_progress()?, &OutputArg::of(path.clone()), out);
        }
        let progress =
            if self.no_progress || !self.gaps.is_empty() { None } else { Some(self.open_progress()?) };
        let (exercises, status) = exercises::read(&self, progress.as_ref())?;
        let exercises = match exercises {
            exercises::Found::Gaps(gaps) => {
                let answer = exercises::print_gaps(&gaps, &mut IgnoreBrokenPipe::new(out))?;
                return Ok(answer.max(status));
            }
            exercises::Found::Exercises(exercises) => exercises,
        };
        let judge = if self.judge || self.accept_equal.is_some() { Some(self.judge()?) } else { None };
        let mut session = session::Session {
            // A dialog ends when its output is closed; the answers so far are kept.
            out,
            input: &mut io::stdin().lock(),
            progress,
            judge,
            accept_equal_cp: self.accept_equal,
            is_hidden: self.hide,
            has_figures: self.figures,
            totals: session::Totals::default(),
        };
        for exercise in exercises.iter().take(self.limit.unwrap_or(usize::MAX)) {
            if session.ask(exercise)?.is_break() {
                break;
            }
        }
        let answer = session.finish()?;
        Ok(answer.max(status))
    }

    /// The evaluator that judges guesses.
    fn judge(&self) -> Result<OwnEvaluator, CliError> {
        let options = EvaluatorOptions {
            budget: Budget { nodes: Some(self.nodes), ..Budget::default() },
            multi_pv: 1,
            hash_mib: HASH_MIB,
            signals: Arc::new(Signals::default()),
        };
        OwnEvaluator::new(options, None).map_err(|error| CliError::Failed(error.to_string()))
    }

    /// Opens the learner's file, which is created if it does not exist.
    fn open_progress(&self) -> Result<Progress, CliError> {
        let path = match &self.progress {
            Some(path) => path.clone(),
            None => progress_file()?,
        };
        Progress::open(&path).map_err(|error| CliError::Failed(error.to_string()))
    }
}

/// The default file of a learner's progress; its folder is created.
///
/// # Errors
/// [`CliError`] if the system has no folder for application data.
pub(super) fn progress_file() -> Result<PathBuf, CliError> {
    let folders = directories::ProjectDirs::from("", "", super::NAME).ok_or_else(|| {
        let problem = "the user's data folder is not known, expected --progress FILE or --no-progress";
        CliError::usage(problem)
    })?;
    let folder = folders.data_dir();
    std::fs::create_dir_all(folder).map_err(|error| CliError::Input {
        name: folder.display().to_string(),
        problem: error.to_string(),
    })?;
    Ok(folder.join("progress.sqlite"))
}

/// The current time of the system clock.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::try_from(since.as_millis()).unwrap_or(Timestamp::MAX)
}
