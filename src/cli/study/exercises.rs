//! Exercises of a session: read from files, and selected by the time when they are due.

use super::{Arguments, now};
use crate::analysis::numbered;
use crate::analysis::puzzles::Prover;
use crate::chess::{Color, Position};
use crate::cli::puzzles::{FoundGame, read_games};
use crate::cli::streams::{InputStatus, plain, read_epd};
use crate::cli::{CliError, ExitStatus};
use crate::database::{Query, Source, find_sources};
use crate::files::{PathExcerpt, without_packed_extension};
use crate::notation::pgn::{Game, GameFull, NodeId, Tags};
use crate::notation::{Epd, Operation, pluralize};
use crate::search::MateProof;
use crate::study::{
    Accepts, Exercise, Gap, Kind, Learner, Progress, ProgressError, Repertoire, mistakes_of, problem_of_epd,
    problem_of_game,
};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The content of the files.
pub(super) enum Found {
    /// The exercises to ask.
    Exercises(Vec<Exercise>),
    /// The positions for which the repertoire has no answer.
    Gaps(Vec<Gap>),
}

/// Reads the exercises of the files.
///
/// # Errors
/// [`CliError`] if no file can be read.
pub(super) fn read(
    arguments: &Arguments,
    progress: Option<&Progress>,
) -> Result<(Found, ExitStatus), CliError> {
    if arguments.files.iter().any(|path| path.as_os_str() == "-") {
        let problem = "found `-`, expected files: the guesses come from standard input";
        return Err(CliError::usage(problem));
    }
    let files: Vec<PathBuf> = arguments.files.iter().chain(&arguments.gaps).cloned().collect();
    let mut reader =
        Reader { arguments, query: arguments.query.read(&files)?, status: InputStatus::default(), read: 0 };
    let found = if let Some(side) = arguments.repertoire {
        reader.repertoire(side.into(), progress)?
    } else {
        let all = match &arguments.mistakes {
            Some(name) => reader.mistakes(name)?,
            None => reader.games_and_problems()?,
        };
        Found::Exercises(due(all, arguments, progress)?)
    };
    Ok((found, reader.status.status()?))
}

/// Exercises that are due, the longest overdue first, followed by new ones in their order. Games are always included.
fn due(
    exercises: Vec<Exercise>,
    arguments: &Arguments,
    progress: Option<&Progress>,
) -> Result<Vec<Exercise>, CliError> {
    let Some(progress) = progress.filter(|_| !arguments.all) else { return Ok(exercises) };
    let now = now();
    let (mut known, mut new, mut later) = (Vec::new(), Vec::new(), 0_u64);
    for exercise in exercises {
        match progress.due(&exercise).map_err(failed)? {
            Some(due) if due > now => later += 1,
            Some(due) => known.push((due, exercise)),
            None => new.push(exercise),
        }
    }
    known.sort_by_key(|&(due, _)| due);
    if later > 0 {
        note(&format!("{} not due yet (--all asks all)", pluralize(later, "exercise")));
    }
    if arguments.repertoire.is_some() && new.len() > arguments.new {
        note(&format!("{} of {} new positions (--new N asks more)", arguments.new, new.len()));
        new.truncate(arguments.new);
    }
    Ok(known.into_iter().map(|(_, exercise)| exercise).chain(new).collect())
}

fn failed(error: ProgressError) -> CliError {
    CliError::Failed(error.to_string())
}

fn full(_: GameFull) -> CliError {
    CliError::failed("a game has too many moves")
}

/// Prints a note that is not part of the dialog.
fn note(text: &str) {
    // A failure to write the note is ignored.
    let _ = writeln!(io::stderr(), "note: {text}");
}

/// The title of a game: its players.
fn title(tags: &Tags) -> String {
    let name = |name| tags.get(name).filter(|value| !matches!(*value, "" | "?"));
    let players = match (name("White"), name("Black")) {
        (None, None) => name("Event").unwrap_or("a game").to_owned(),
        (white, black) => format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    let date = name("Date").filter(|date| !date.starts_with('?')).map(|date| format!(", {date}"));
    plain(&(players + &date.unwrap_or_default()))
}

struct Reader<'a> {
    arguments: &'a Arguments,
    query: Option<Query>,
    status: InputStatus,
    /// The number of games read so far.
    read: u64,
}

impl Reader<'_> {
    fn sources(&mut self, paths: &[PathBuf]) -> Vec<Source> {
        let status = &mut self.status;
        find_sources(paths, "pgn", &mut |path, error| {
            let name = PathExcerpt::new(path).to_string();
            status.fail(&CliError::Input { name, problem: error.to_string() });
        })
    }

    /// Reads the games of some files, of which `--game` and this query select some.
    fn games(
        &mut self,
        paths: &[PathBuf],
        query: Option<&Query>,
        take: &mut dyn FnMut(Game) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        for source in self.sources(paths) {
            let mut last = None;
            // All games are counted, so that the number of a game refers to all files.
            let result = read_games(&source, None, &mut |found: FoundGame| {
                last = Some(found.number);
                let number = self.read + found.number;
                if self.arguments.game.is_none_or(|wanted| wanted == number)
                    && query.is_none_or(|query| query.is_true(&found.game, None))
                {
                    take(found.game)?;
                }
                Ok(ControlFlow::Continue(()))
            });
            self.read += last.unwrap_or_default();
            self.status.take(result)?;
        }
        Ok(())
    }

    fn games_and_problems(&mut self) -> Result<Vec<Exercise>, CliError> {
        let arguments = self.arguments;
        let query = self.query.take();
        let mut exercises = Vec::new();
        for path in &arguments.files {
            let is_epd = without_packed_extension(path)
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("epd"));
            if is_epd {
                let result = if arguments.game.is_some() || query.is_some() {
                    skip_records(path)
                } else {
                    records(path, arguments.nodes, &mut exercises)
                };
                self.status.take(result)?;
                continue;
            }
            self.games(std::slice::from_ref(path), query.as_ref(), &mut |game| {
                let title = title(&game.tags);
                let Some(start) = beginning(&game, arguments.from_move) else { return Ok(()) };
                let exercise = match problem_of_game(&game, title.clone()) {
                    Some(problem) if arguments.side.is_none() => Exercise { start, ..problem },
                    _ => guesses(game, start, title, arguments),
                };
                if exercise.moves_to_find() > 0 {
                    exercises.push(exercise);
                }
                Ok(())
            })?;
        }
        Ok(exercises)
    }

    fn mistakes(&mut self, name: &str) -> Result<Vec<Exercise>, CliError> {
        if name.contains(['"', '\\']) {
            let problem = format!("--mistakes: found `{}`, expected a name without quotes", plain(name));
            return Err(CliError::Usage(problem));
        }
        let side = |side: &str| {
            let query = format!("{side}:\"{name}\"").parse::<Query>();
            query.map_err(|error| CliError::Input {
                name: "--mistakes".to_owned(),
                problem: error.to_string(),
            })
        };
        let sides = [(Color::White, side("white")?), (Color::Black, side("black")?)];
        let paths = self.arguments.files.clone();
        let (mut exercises, mut without) = (Vec::new(), 0);
        let (query, from_move) = (self.query.take(), self.arguments.from_move);
        self.games(&paths, query.as_ref(), &mut |game| {
            for (color, query) in &sides {
                if query.by_header(&game) == Some(true) {
                    let (found, others) =
                        mistakes_of(&game, Some(*color), from_move, &title(&game.tags)).map_err(full)?;
                    exercises.extend(found);
                    without += others;
                }
            }
            Ok(())
        })?;
        if without > 0 {
            let has = if without == 1 { "has" } else { "have" };
            note(&format!(
                "{} {has} no better variation (hematite analyse writes them)",
                pluralize(without as u64, "mistake")
            ));
        }
        Ok(exercises)
    }

    fn repertoire(&mut self, side: Color, progress: Option<&Progress>) -> Result<Found, CliError> {
        let paths = self.arguments.files.clone();
        let mut repertoire = Repertoire::new(side);
        let mut others = 0;
        let query = self.query.take();
        // A query for gaps selects among the games of others, not among the lines of the repertoire.
        let own_query = query.as_ref().filter(|_| self.arguments.gaps.is_empty());
        self.games(&paths, own_query, &mut |game| {
            others += u64::from(!repertoire.add(&game));
            Ok(())
        })?;
        if others > 0 {
            note(&format!("{} from another initial position left out", pluralize(others, "game")));
        }
        if !self.arguments.gaps.is_empty() {
            let paths = self.arguments.gaps.clone();
            self.games(&paths, query.as_ref(), &mut |game| {
                repertoire.count(&game);
                Ok(())
            })?;
            return Ok(Found::Gaps(repertoire.gaps()));
        }
        let exercises = repertoire.exercises().map_err(full)?;
        Ok(Found::Exercises(due(exercises, self.arguments, progress)?))
    }
}

/// The node after which the requested move of the main line is played; `None` if there is a pass before it.
fn beginning(game: &Game, from_move: u16) -> Option<NodeId> {
    let mut start = NodeId::ROOT;
    let mut position: Position = *game.start();
    for node in game.mainline() {
        if position.fullmove_number() >= from_move {
            break;
        }
        position = position.after(game.mv(node)?).0;
        start = node;
    }
    Some(start)
}

/// The exercise of guessing the moves of a game after a node.
fn guesses(game: Game, start: NodeId, title: String, arguments: &Arguments) -> Exercise {
    let learner = arguments.side.map_or(Learner::Side(Color::White), Learner::from);
    Exercise {
        kind: Kind::Game,
        title,
        game,
        start,
        learner,
        accepts: Accepts::MainMove,
        instead_of: None,
        mate_in: None,
    }
}

/// Leaves out the records of an EPD file, since games are selected.
fn skip_records(path: &Path) -> Result<(), CliError> {
    let mut count = 0;
    read_epd(path, &mut |_| {
        count += 1;
        Ok(())
    })?;
    let (name, records) = (path.display(), pluralize(count, "record"));
    note(&format!("{name}: {records} left out, since --game and --query select games"));
    Ok(())
}

/// The problems of an EPD file. A mate of which only the length is stated is solved with at most `nodes` nodes.
fn records(path: &Path, nodes: u64, exercises: &mut Vec<Exercise>) -> Result<(), CliError> {
    let (mut number, mut without, mut unsolved) = (0_u64, 0_u64, 0_u64);
    let mut prover: Option<Prover> = None;
    read_epd(path, &mut |mut epd| {
        number += 1;
        if let Some(moves) = epd.direct_mate()
            && epd.best_moves().is_empty()
            && epd.predicted_variation().is_empty()
        {
            let prover = match &mut prover {
                Some(prover) => prover,
                None => prover.insert(Prover::new(nodes, None)?),
            };
            if !solve_mate(&mut epd, moves.into(), prover) {
                unsolved += 1;
                return Ok(());
            }
        }
        let title = epd.id().map_or_else(|| format!("record {number}"), plain);
        match problem_of_epd(&epd, title).map_err(full)? {
            Some(problem) => exercises.push(problem),
            None => without += 1,
        }
        Ok(())
    })?;
    for (count, what) in
        [(without, "without bm, pv and dm"), (unsolved, "whose mate (dm) is not found with --nodes")]
    {
        if count > 0 {
            let (name, records) = (path.display(), pluralize(count, "record"));
            note(&format!("{name}: {records} {what} left out"));
        }
    }
    Ok(())
}

/// Adds to a record the moves that mate in time, and the line of one of them. Returns whether there are any.
fn solve_mate(epd: &mut Epd, moves: usize, prover: &mut Prover) -> bool {
    let position = *epd.position();
    let MateProof::Mate(line) = prover.prove_mate(&position, &[], moves) else { return false };
    let Some(&first) = line.first() else { return false };
    let mut best = vec![first];
    while let MateProof::Mate(other) = prover.prove_other_mate(&position, &best, moves) {
        match other.first() {
            Some(mv) if !best.contains(mv) => best.push(*mv),
            _ => break,
        }
    }
    epd.set(Operation::BestMoves(best));
    epd.set(Operation::PredictedVariation(line));
    true
}

/// Prints the positions without an answer in the repertoire; the answer is no if there are none.
pub(super) fn print_gaps(gaps: &[Gap], out: &mut dyn Write) -> Result<ExitStatus, CliError> {
    writeln!(out, "{:>7}  line", "games")?;
    for gap in gaps {
        writeln!(out, "{:>7}  {}", gap.games, gap.line)?;
    }
    Ok(if gaps.is_empty() { ExitStatus::No } else { ExitStatus::Yes })
}

/// The move that was played in the game, with its number.
pub(super) fn played_instead(exercise: &Exercise) -> Option<String> {
    Some(numbered(&exercise.game.position(exercise.start), exercise.instead_of?))
}
