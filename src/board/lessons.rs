//! The exercises of a study session, from a text or a file.

use super::app::App;
use super::failure::Failure;
use super::file_routes::failure;
use super::files::{GameFile, Unwanted};
use crate::chess::Color;
use crate::notation::pgn::{Game, GameFull, NodeId, Tags, games};
use crate::notation::{Excerpt, parse_epd};
use crate::study::{
    Accepts, Exercise, Item, Kind, Learner, Progress, Repertoire, Timestamp, mistakes_of, problem_of_epd,
    problem_of_game,
};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;

/// The maximum number of exercises of a text, and of games of a file, in one session.
const MAX_EXERCISES: usize = 1000;
/// The default number of new positions of a repertoire in one session.
const NEW_POSITIONS: usize = 20;

/// The options of a study session.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
pub(super) struct Open {
    /// Games in PGN, or records in EPD.
    text: Option<String>,
    /// The number of a file in `/api/about`.
    file: Option<usize>,
    /// The query that selects games of the file.
    query: String,
    /// The side whose moves are guessed, or whose mistakes are corrected.
    side: Side,
    /// Whether better moves than the annotated mistakes are asked for.
    mistakes: bool,
    /// Whether the games are lines of a repertoire for this side.
    repertoire: bool,
    /// The maximum number of new positions of a repertoire.
    new: Option<usize>,
    /// Whether exercises that are not due are included.
    all: bool,
    /// The move of the game after which the exercise starts, as a path in the format of the addresses of the analysis
    /// page.
    from: Option<String>,
    /// The number of the game or record with which the session starts, counted from 1 in the text or the file. A
    /// repertoire ignores it: its positions come from all games.
    first: Option<u64>,
    /// Whether a search evaluates wrong guesses.
    pub(super) judge: bool,
    /// The maximum loss in centipawns with which a guess is accepted instead of the right move.
    pub(super) accept_equal_cp: Option<u32>,
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
enum Side {
    #[default]
    White,
    Black,
    /// The moves of both sides are asked for.
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

/// An exercise of a session.
pub(super) struct Lesson {
    pub(super) exercise: Exercise,
    /// The number of its game or record in the text or the file, counted from 1; `None` for a repertoire.
    pub(super) game: Option<u64>,
}

/// The exercises that remain in a session.
pub(super) struct Lessons {
    ready: VecDeque<Lesson>,
    /// The numbers of the games that have not been read yet, with their file.
    file: Option<(Arc<GameFile>, VecDeque<u64>)>,
    learner: Learner,
    mistakes: bool,
    all: bool,
    from: Option<String>,
    /// The number of the first game or record that is asked.
    first: u64,
    /// The repertoire while its lines are read.
    repertoire: Option<Repertoire>,
    /// The number of exercises that were skipped because they are not due.
    pub(super) later: usize,
    /// The number of new positions of a repertoire that remain for other sessions.
    pub(super) left: usize,
}

impl Lessons {
    /// Prepares the exercises.
    ///
    /// # Errors
    /// [`Failure`] if there are no exercises, or the text or the file cannot be read.
    pub(super) fn open(
        app: &App,
        open: &Open,
        progress: Option<&Progress>,
        now: Timestamp,
        unwanted: &Unwanted,
    ) -> Result<Self, Failure> {
        let learner = Learner::from(open.side);
        let repertoire = match learner {
            _ if !open.repertoire => None,
            Learner::Side(side) => Some(Repertoire::new(side)),
            Learner::Both => {
                return Err(Failure::bad(
                    "bad_lessons",
                    "a repertoire is that of one side, expected white or black",
                ));
            }
        };
        let mut lessons = Self {
            ready: VecDeque::new(),
            file: None,
            learner,
            mistakes: open.mistakes,
            all: open.all,
            from: open.from.clone(),
            first: open.first.filter(|_| !open.repertoire).unwrap_or(1),
            repertoire,
            later: 0,
            left: 0,
        };
        match (&open.text, open.file) {
            (Some(text), None) => lessons.read(text)?,
            (None, Some(number)) => {
                let file =
                    app.files.get(number).ok_or_else(|| Failure::not_found("there is no such file"))?;
                let numbers = file.numbers(&open.query, MAX_EXERCISES, unwanted);
                let mut numbers = numbers.map_err(failure)?;
                numbers.retain(|&number| number >= lessons.first);
                lessons.file = Some((Arc::clone(file), numbers.into()));
            }
            _ => return Err(Failure::bad("bad_lessons", "expected either a text or a file")),
        }
        if open.repertoire {
            lessons.train(open.new.unwrap_or(NEW_POSITIONS), progress, now, unwanted)?;
        }
        Ok(lessons)
    }

    /// The next exercise that is new or due; `None` at the end.
    ///
    /// # Errors
    /// [`Failure`] if a game or the progress cannot be read.
    pub(super) fn next(
        &mut self,
        progress: Option<&Progress>,
        now: Timestamp,
        unwanted: &Unwanted,
    ) -> Result<Option<Lesson>, Failure> {
        loop {
            if let Some(lesson) = self.ready.pop_front() {
                if self.all || is_due(&lesson.exercise, progress, now)? {
                    return Ok(Some(lesson));
                }
                self.later += 1;
                continue;
            }
            let Some((file, numbers)) = &mut self.file else { return Ok(None) };
            let Some(number) = numbers.pop_front() else { return Ok(None) };
            let game = file.game(number, unwanted).map_err(failure)?;
            self.add(game, number)?;
        }
    }

    /// Queues positions of the repertoire: those that are due, longest overdue first, and then at most `most_new` new
    /// ones.
    fn train(
        &mut self,
        most_new: usize,
        progress: Option<&Progress>,
        now: Timestamp,
        unwanted: &Unwanted,
    ) -> Result<(), Failure> {
        let Some(mut repertoire) = self.repertoire.take() else { return Ok(()) };
        if let Some((file, numbers)) = self.file.take() {
            for number in numbers {
                let game = file.game(number, unwanted).map_err(failure)?;
                let _is_of_initial_position = repertoire.add(&game);
            }
        }
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for exercise in repertoire.exercises().map_err(too_long)? {
            let item = Item::new(exercise.kind, &exercise.game.position(exercise.start));
            let card = progress.map(|progress| progress.card(&item)).transpose();
            match card.map_err(|error| Failure::not_saved(error.to_string()))?.flatten() {
                Some(card) if card.due > now && !self.all => self.later += 1,
                Some(card) => known.push((card.due, exercise)),
                None => new.push(exercise),
            }
        }
        if known.is_empty() && new.is_empty() && self.later == 0 {
            let text = "there is no repertoire in it: expected lines from the initial position, with moves of this side";
            return Err(Failure::bad("no_lessons", text));
        }
        known.sort_by_key(|&(due, _)| due);
        self.left = if self.all { 0 } else { new.len().saturating_sub(most_new) };
        new.truncate(new.len() - self.left);
        let chosen = known.into_iter().map(|(_, exercise)| exercise).chain(new);
        self.ready = chosen.map(|exercise| Lesson { exercise, game: None }).collect();
        // The queue contains only exercises that were selected above, so none is skipped again.
        self.all = true;
        Ok(())
    }

    fn read(&mut self, text: &str) -> Result<(), Failure> {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let records: Result<Vec<_>, _> = lines().take(MAX_EXERCISES).map(parse_epd).collect();
        if let (Ok(records), true, None) = (records, lines().next().is_some(), &self.repertoire) {
            for (index, record) in records.iter().enumerate() {
                let number = index as u64 + 1;
                let title = record.id().map_or_else(|| format!("Problem {number}"), str::to_owned);
                self.queue(problem_of_epd(record, title).map_err(too_long)?, number);
            }
        } else {
            for (game, number) in games(text.as_bytes()).zip(1..) {
                let (game, _) = game.map_err(|error| Failure::bad("bad_text", error.to_string()))?;
                self.add(game, number)?;
                if self.ready.len() >= MAX_EXERCISES {
                    break;
                }
            }
        }
        if self.ready.is_empty() && self.repertoire.is_none() && self.first == 1 {
            let text = "there is nothing to study: expected games in PGN, or records in EPD with bm or pv";
            return Err(Failure::bad("no_lessons", text));
        }
        Ok(())
    }

    /// Queues the exercises of a game or record, unless it comes before the first that is asked.
    fn queue(&mut self, exercises: impl IntoIterator<Item = Exercise>, number: u64) {
        if number >= self.first {
            self.ready.extend(exercises.into_iter().map(|exercise| Lesson { exercise, game: Some(number) }));
        }
    }

    fn add(&mut self, game: Game, number: u64) -> Result<(), Failure> {
        if let Some(repertoire) = &mut self.repertoire {
            let _is_of_initial_position = repertoire.add(&game);
            return Ok(());
        }
        let title = title(&game.tags);
        let side = match self.learner {
            Learner::Side(side) => Some(side),
            Learner::Both => None,
        };
        let problem = if self.from.is_none() { problem_of_game(&game, title.clone()) } else { None };
        if self.mistakes {
            self.queue(mistakes_of(&game, side, 1, &title).map_err(too_long)?.0, number);
        } else if let Some(problem) = problem {
            self.queue(Some(problem), number);
        } else {
            let start = self.from.as_deref().map_or(Ok(NodeId::ROOT), |path| beginning(&game, path))?;
            let exercise = Exercise {
                kind: Kind::Game,
                title,
                game,
                start,
                learner: self.learner,
                accepts: Accepts::MainMove,
                instead_of: None,
                mate_in: None,
            };
            self.queue(Some(exercise).filter(|exercise| exercise.moves_to_find() > 0), number);
        }
        Ok(())
    }
}

/// Whether an exercise is due. Games always are; other exercises if they are new or one of their cards is due.
fn is_due(exercise: &Exercise, progress: Option<&Progress>, now: Timestamp) -> Result<bool, Failure> {
    let Some(progress) = progress else { return Ok(true) };
    let due = progress.due(exercise).map_err(|error| Failure::not_saved(error.to_string()))?;
    Ok(due.is_none_or(|due| due <= now))
}

fn title(tags: &Tags) -> String {
    let name = |name| tags.get(name).filter(|value| !matches!(*value, "" | "?"));
    match (name("White"), name("Black")) {
        (None, None) => name("Event").unwrap_or_default().to_owned(),
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

fn too_long(_: GameFull) -> Failure {
    Failure::bad("too_many_moves", "a game has too many moves")
}

/// The node after which the study of a game starts.
fn beginning(game: &Game, path: &str) -> Result<NodeId, Failure> {
    let step = |node: NodeId, text: &str| game.children(node).nth(text.parse().ok()?);
    let node = path.split('.').filter(|text| !text.is_empty()).try_fold(NodeId::ROOT, step);
    node.ok_or_else(|| {
        let text = format!("found the path {}, expected that of a move of the game", Excerpt::new(path));
        Failure::bad("bad_lessons", text)
    })
}
