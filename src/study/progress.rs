//! The progress of a learner, stored in an SQLite file: each answer is one transaction.

use super::attempt::Mark;
use super::exercise::{Exercise, Item, Kind};
use super::schedule::{Card, Grade, Timestamp, review};
use crate::notation::San;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The version of the tables.
const VERSION: i64 = 1;
/// The time to wait for another program that is writing.
const TIMEOUT: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE answers (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        item TEXT NOT NULL,
        title TEXT NOT NULL,
        move TEXT NOT NULL,
        wrong INTEGER NOT NULL,
        hints INTEGER NOT NULL,
        is_shown INTEGER NOT NULL,
        points INTEGER NOT NULL,
        loss REAL
    );
    CREATE TABLE cards (
        item TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        due_ms INTEGER NOT NULL,
        asked_ms INTEGER NOT NULL,
        stability REAL NOT NULL,
        difficulty REAL NOT NULL,
        stage INTEGER NOT NULL,
        asked_times INTEGER NOT NULL,
        forgotten_times INTEGER NOT NULL,
        interval_days INTEGER NOT NULL
    );
";

/// An error in the use of a file of progress.
#[derive(Debug, Error)]
pub enum ProgressError {
    /// The database cannot be read or written.
    #[error("{path}: {source}")]
    Database {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The file has the version of a later program, or is not a file of progress.
    #[error("{path}: found version {found} of the tables, expected {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: i64,
    },
}

/// A stored answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The time of the answer.
    pub at: Timestamp,
    /// The kind of the exercise.
    pub kind: String,
    /// The identifier of the position.
    pub item: String,
    /// The title of the exercise.
    pub title: String,
    /// The right move.
    pub mv: String,
    /// The number of wrong guesses before it.
    pub wrong: u32,
    /// The number of hints before it.
    pub hints: u32,
    /// Whether the move was shown instead of found.
    pub is_shown: bool,
    /// The points for the move.
    pub points: u32,
    /// The loss of winning chances of the first guess against the right move, from 0 to 2; `None` if the first guess is
    /// the right move, or the loss is not known.
    pub loss: Option<f64>,
}

/// A summary of one kind of exercise.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistics {
    /// The kind.
    pub kind: String,
    /// The number of moves asked for.
    pub asked: u64,
    /// The number of moves found with the first guess and without a hint.
    pub clean: u64,
    /// The sum of the points.
    pub points: u64,
    /// The number of first guesses that are not the right move and whose loss of winning chances is known.
    pub judged: u64,
    /// The average loss of winning chances of these guesses, from 0 to 2; `None` if there are none.
    pub average_loss: Option<f64>,
    /// The number of positions that are scheduled for repetition.
    pub cards: u64,
    /// The number of these positions that are due.
    pub due: u64,
}

/// The file of a learner's progress.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    connection: Connection,
}

impl Progress {
    /// Opens a file, or creates it. Answers that have been recorded survive a crash.
    ///
    /// # Errors
    /// [`ProgressError`] if the file cannot be opened, or is not a file of progress.
    pub fn open(path: &Path) -> Result<Self, ProgressError> {
        let failed = |source| ProgressError::Database { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(TIMEOUT).map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        let transaction =
            Transaction::new(&mut connection, rusqlite::TransactionBehavior::Immediate).map_err(failed)?;
        let found: i64 =
            transaction.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
        let tables: i64 = transaction
            .query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(failed)?;
        match found {
            // The tables are created in an empty file; a file with the tables of another program is refused.
            0 if tables == 0 => {
                transaction.execute_batch(TABLES).map_err(failed)?;
                transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
            }
            VERSION => {}
            found => return Err(ProgressError::Version { path: path.to_owned(), found }),
        }
        transaction.commit().map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    fn failed(&self) -> impl Fn(rusqlite::Error) -> ProgressError + use<> {
        let path = self.path.clone();
        move |source| ProgressError::Database { path: path.clone(), source }
    }

    /// Stores an answer. Positions of repertoires, problems and mistakes are scheduled for repetition, as far as they
    /// are on the main line of the exercise. Elsewhere, a move that is not found at once counts for the first position
    /// of the exercise, by which it is asked again.
    ///
    /// # Errors
    /// [`ProgressError`] if the answer cannot be written.
    pub fn record(&mut self, exercise: &Exercise, mark: &Mark, now: Timestamp) -> Result<(), ProgressError> {
        let failed = self.failed();
        let item = mark.item(exercise);
        let card = match scheduled(exercise, &item, Grade::of(mark)) {
            Some(scheduled) => {
                let card = review(self.card(&scheduled)?.as_ref(), Grade::of(mark), now);
                Some((scheduled, card))
            }
            None => None,
        };
        let transaction = self.connection.transaction().map_err(&failed)?;
        let kind = exercise.kind.name();
        let mv = San::new(&mark.position, mark.mv).text().to_string();
        transaction
            .execute(
                "INSERT INTO answers (at_ms, kind, item, title, move, wrong, hints, is_shown, points, loss)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    now,
                    kind,
                    item.text(),
                    exercise.title,
                    mv,
                    mark.wrong.len(),
                    mark.hints,
                    mark.is_shown,
                    mark.points,
                    mark.loss
                ],
            )
            .map_err(&failed)?;
        if let Some((scheduled, card)) = card {
            transaction
                .execute(
                    "INSERT OR REPLACE INTO cards (item, kind, due_ms, asked_ms, stability, difficulty, stage,
                        asked_times, forgotten_times, interval_days) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    params![
                        scheduled.text(),
                        kind,
                        card.due,
                        card.asked,
                        card.stability,
                        card.difficulty,
                        card.stage,
                        card.asked_times,
                        card.forgotten_times,
                        card.interval_days
                    ],
                )
                .map_err(&failed)?;
        }
        transaction.commit().map_err(&failed)
    }

    /// The time at which an exercise is due: the earliest of those of the positions along its main line. `None` if it
    /// is new, or a game, which is not scheduled.
    ///
    /// # Errors
    /// [`ProgressError`] if a card cannot be read.
    pub fn due(&self, exercise: &Exercise) -> Result<Option<Timestamp>, ProgressError> {
        if exercise.kind == Kind::Game {
            return Ok(None);
        }
        let mut earliest = None;
        for item in exercise.items() {
            let due = self.card(&item)?.map(|card| card.due);
            earliest = [earliest, due].into_iter().flatten().min();
        }
        Ok(earliest)
    }

    /// The card of a position; `None` if it was never asked for.
    ///
    /// # Errors
    /// [`ProgressError`] if the card cannot be read.
    pub fn card(&self, item: &Item) -> Result<Option<Card>, ProgressError> {
        self.connection
            .query_row(
                "SELECT due_ms, asked_ms, stability, difficulty, stage, asked_times, forgotten_times, interval_days
                 FROM cards WHERE item = ?",
                params![item.text()],
                |row| {
                    Ok(Card {
                        due: row.get(0)?,
                        asked: row.get(1)?,
                        stability: row.get(2)?,
                        difficulty: row.get(3)?,
                        stage: row.get(4)?,
                        asked_times: row.get(5)?,
                        forgotten_times: row.get(6)?,
                        interval_days: row.get(7)?,
                    })
                },
            )
            .optional()
            .map_err(self.failed())
    }

    /// Passes all answers to `take`, from the oldest to the newest.
    ///
    /// # Errors
    /// [`ProgressError`] if the answers cannot be read, and the errors of `take`.
    pub fn answers<E: From<ProgressError>>(
        &self,
        mut take: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = self.failed();
        let mut statement = self
            .connection
            .prepare(
                "SELECT at_ms, kind, item, title, move, wrong, hints, is_shown, points, loss FROM answers ORDER BY id",
            )
            .map_err(&failed)?;
        let rows = statement.query_map([], |row| {
            Ok(Record {
                at: row.get(0)?,
                kind: row.get(1)?,
                item: row.get(2)?,
                title: row.get(3)?,
                mv: row.get(4)?,
                wrong: row.get(5)?,
                hints: row.get(6)?,
                is_shown: row.get(7)?,
                points: row.get(8)?,
                loss: row.get(9)?,
            })
        });
        for record in rows.map_err(&failed)? {
            take(record.map_err(&failed)?)?;
        }
        Ok(())
    }

    /// A summary of each kind of exercise with answers.
    ///
    /// # Errors
    /// [`ProgressError`] if the answers cannot be read.
    pub fn statistics(&self, now: Timestamp) -> Result<Vec<Statistics>, ProgressError> {
        let failed = self.failed();
        let mut statement = self
            .connection
            .prepare(
                "SELECT kind, COUNT(*), SUM(NOT is_shown AND wrong = 0 AND hints = 0), SUM(points),
                     COUNT(loss), AVG(loss),
                     (SELECT COUNT(*) FROM cards WHERE cards.kind = answers.kind),
                     (SELECT COUNT(*) FROM cards WHERE cards.kind = answers.kind AND due_ms <= ?)
                 FROM answers GROUP BY kind ORDER BY kind",
            )
            .map_err(&failed)?;
        let rows = statement.query_map(params![now], |row| {
            Ok(Statistics {
                kind: row.get(0)?,
                asked: row.get(1)?,
                clean: row.get(2)?,
                points: row.get(3)?,
                judged: row.get(4)?,
                average_loss: row.get(5)?,
                cards: row.get(6)?,
                due: row.get(7)?,
            })
        });
        rows.map_err(&failed)?.collect::<Result<_, _>>().map_err(&failed)
    }
}

/// The item that is scheduled by an answer with this grade in the position `item`; `None` if there is none.
fn scheduled(exercise: &Exercise, item: &Item, grade: Grade) -> Option<Item> {
    if exercise.kind == Kind::Game {
        return None;
    }
    let items = exercise.items();
    if items.contains(item) {
        return Some(item.clone());
    }
    items.into_iter().next().filter(|_| grade != Grade::Good)
}

#[cfg(test)]
mod tests {
    use super::super::attempt::{Answer, Attempt, Mark};
    use super::super::problems::{problem_of_epd, problem_of_game};
    use super::*;
    use crate::notation::pgn::Game;
    use crate::notation::{parse_epd, parse_san};

    const NOW: Timestamp = 1_764_028_800_000;

    fn answer(progress: &mut Progress, guesses: &[&str], now: Timestamp) -> Item {
        let epd = parse_epd("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;").expect("it is well known");
        let exercise =
            problem_of_epd(&epd, "back rank".to_owned()).expect("it is short").expect("it has a move");
        let mut attempt = Attempt::new(&exercise);
        let last = guesses.iter().map(|text| {
            let mv = parse_san(text, attempt.position()).expect(text).mv().expect(text);
            attempt.guess(mv)
        });
        assert!(matches!(last.last(), Some(Answer::Right(_))));
        let mark = &attempt.marks()[0];
        progress.record(&exercise, mark, now).expect("it can be written");
        mark.item(&exercise)
    }

    #[test]
    fn answers_are_kept_and_asked_again() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("progress.sqlite");
        let mut progress = Progress::open(&path).expect("it can be created");
        let item = answer(&mut progress, &["Kf2", "Ra8#"], NOW);
        answer(&mut progress, &["Ra8#"], NOW + 1000);
        drop(progress);
        let progress = Progress::open(&path).expect("it is there");
        let card = progress.card(&item).expect("it can be read").expect("it was asked");
        assert_eq!((card.asked_times, card.asked), (2, NOW + 1000));
        let mut points = Vec::new();
        let read = progress.answers(|record| {
            points.push((record.wrong, record.points, record.mv));
            Ok::<(), ProgressError>(())
        });
        read.expect("they can be read");
        assert_eq!(points, [(1, 2, "Ra8#".to_owned()), (0, 3, "Ra8#".to_owned())]);
        let statistics = progress.statistics(card.due).expect("it can be read");
        let expected = Statistics {
            kind: "problem".to_owned(),
            asked: 2,
            clean: 1,
            points: 5,
            judged: 0,
            average_loss: None,
            cards: 1,
            due: 1,
        };
        assert_eq!(statistics, [expected]);
        assert_eq!(progress.statistics(card.due - 1).expect("it can be read")[0].due, 0);
    }

    /// A problem is due as early as the move that is known worst, and what is scheduled can be asked.
    #[test]
    fn a_problem_is_due_by_each_of_its_moves() {
        const DAY: Timestamp = 24 * 60 * 60 * 1000;
        let folder = tempfile::tempdir().expect("there is room");
        let mut progress = Progress::open(&folder.path().join("progress.sqlite")).expect("it can be created");
        let text = "[SetUp \"1\"]\n[FEN \"k7/8/2K5/8/8/8/8/7R w - - 0 1\"]\n\n\
                    1. Kb6 (1. Kc7 Ka7 2. Ra1#) Kb8 2. Rh8# *";
        let game = Game::read(text.as_bytes()).expect("memory can be read").expect("a game").0;
        let problem = problem_of_game(&game, String::new()).expect("it is set up");
        assert_eq!(progress.due(&problem).expect("it can be read"), None);
        let mut answer = |moves: [&str; 2], shows_second: bool, now: Timestamp| {
            let mut attempt = Attempt::new(&problem);
            for text in moves {
                attempt.reply();
                if shows_second && attempt.marks().len() == 1 {
                    attempt.show().expect("there is a move");
                } else {
                    let mv = parse_san(text, attempt.position()).expect(text).mv().expect(text);
                    assert!(matches!(attempt.guess(mv), Answer::Right(_)), "{text}");
                }
            }
            let marks: &[Mark] = attempt.marks();
            for mark in marks {
                progress.record(&problem, mark, now).expect("it can be written");
            }
            let due = progress.due(&problem).expect("it can be read").expect("it was asked");
            let statistics = progress.statistics(due).expect("it can be read");
            (due - now, statistics[0].cards, statistics[0].due)
        };
        let mut now = NOW;
        for _ in 0..4 {
            now += 100 * DAY;
            answer(["Kb6", "Rh8#"], false, now);
        }
        let (known, cards, due) = answer(["Kb6", "Rh8#"], false, now + DAY);
        assert!(known > 30 * DAY && (cards, due) == (2, 2), "{known} {cards} {due}");
        let (forgotten, cards, due) = answer(["Kb6", "Rh8#"], true, now + 2 * DAY);
        assert!(forgotten < DAY && (cards, due) == (2, 1), "{forgotten} {cards} {due}");
        // A move of a variation has no card of its own.
        answer(["Kb6", "Rh8#"], false, now + 300 * DAY);
        answer(["Kb6", "Rh8#"], false, now + 600 * DAY);
        let (forgotten, cards, due) = answer(["Kc7", "Ra1#"], true, now + 601 * DAY);
        assert!(forgotten < DAY && (cards, due) == (2, 1), "{forgotten} {cards} {due}");
    }

    #[test]
    fn what_is_no_progress_is_refused() {
        let folder = tempfile::tempdir().expect("there is room");
        let text = folder.path().join("games.pgn");
        std::fs::write(&text, "[Event \"?\"]\n\n1. e4 *\n".repeat(100)).expect("there is room");
        let error = Progress::open(&text).expect_err("it is text").to_string();
        assert!(error.contains("games.pgn") && error.contains("not a database"), "{error}");
        let other = folder.path().join("other.sqlite");
        let connection = Connection::open(&other).expect("it can be created");
        connection.execute_batch("CREATE TABLE addresses (name TEXT)").expect("it can be changed");
        drop(connection);
        let error = Progress::open(&other).expect_err("it is of another program").to_string();
        assert!(error.contains("found version 0 of the tables, expected 1"), "{error}");
        let later = folder.path().join("later.sqlite");
        drop(Progress::open(&later).expect("it can be created"));
        let connection = Connection::open(&later).expect("it is there");
        connection.pragma_update(None, "user_version", VERSION + 1).expect("it can be changed");
        drop(connection);
        let error = Progress::open(&later).expect_err("it is newer").to_string();
        assert!(error.contains("found version 2 of the tables, expected 1"), "{error}");
    }
}
