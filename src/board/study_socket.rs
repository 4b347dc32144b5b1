//! `/api/study`: a study session over a WebSocket. The page sends guesses; it does not know the answers.

use super::access::Peer;
use super::app::App;
use super::body::parse;
use super::clock::unix_ms;
use super::failure::Failure;
use super::files::Unwanted;
use super::lessons::{Lesson, Lessons, Open};
use super::places::Urgency;
use super::sockets::{Empty, End, MAX_MESSAGE, Problem, exchange, serve, start_worker};
use super::state::LegalMove;
use super::words::side;
use crate::analysis::{Budget, Evaluator, EvaluatorOptions, average, numbered};
use crate::chess::{Move, Position};
use crate::notation::pgn::without_commands;
use crate::notation::{Fen, San, UciMove};
use crate::search::Signals;
use crate::study::{
    Answer, Attempt, Comparison, Exercise, Hint, Kind, Learner, Mark, Progress, ProgressError, Timestamp,
    loss_in_points,
};
use crate::uci::castling_style;
use crate::zone::EnteredMove;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::Response;
use crossbeam_channel::{Receiver, unbounded};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;

/// The maximum number of messages that wait for a slow page; the session waits when there are more.
const MAX_WAITING: usize = 16;
/// The maximum number of simultaneous learners.
pub(super) const MAX_LEARNERS: usize = 16;
/// The number of nodes for the evaluation of a guess, and the size of the hash table in MiB.
const JUDGE_NODES: u64 = 100_000;
const JUDGE_HASH_MIB: usize = 16;
/// The maximum length of a message, in bytes; it can contain games.
const MAX_TEXT: usize = 16 * MAX_MESSAGE;

/// A message of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ClientMessage {
    /// Starts a session.
    Open(Box<Open>),
    /// Guesses the next move.
    Guess(EnteredMove),
    /// Requests a hint.
    Hint(Empty),
    /// Requests the right move.
    Show(Empty),
    /// Requests the next exercise.
    Next(Empty),
}

/// A message to the page.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ServerMessage {
    Task(Box<Task>),
    Hint(String),
    Done(Totals),
    Error(Problem),
}

/// The state of an exercise.
#[derive(Serialize)]
struct Task {
    title: String,
    /// The number of the game or record in the text or the file, counted from 1; `null` for a repertoire.
    game: Option<u64>,
    kind: &'static str,
    /// The side whose moves must be found.
    side: &'static str,
    /// Whether the moves of both sides must be found.
    asks_both: bool,
    /// The mistake of the game, which must be improved.
    instead_of: Option<String>,
    /// The result of the last message.
    verdict: Option<GuessResult>,
    start: String,
    /// The moves since the previous message.
    steps: Vec<Step>,
    fen: String,
    check: Option<String>,
    /// The legal moves, if a move is asked for.
    legal: Vec<LegalMove>,
    is_over: bool,
    marks: Vec<ShownMark>,
    points: u32,
    most: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum GuessResult {
    Right {
        points: u32,
        also: Vec<String>,
    },
    /// A guess that is as good as the move of the game, and that move.
    Equal {
        guess: String,
        san: String,
    },
    Wrong {
        guess: String,
        /// The loss of winning chances in percentage points; `null` if it is not known.
        lost: Option<f64>,
        /// The judgement of the guess, in lower case; `null` if it loses less than an inaccuracy, or is not known.
        judgement: Option<String>,
    },
    Shown {
        san: String,
    },
}

#[derive(Serialize)]
struct Step {
    uci: String,
    san: String,
    fen: String,
    comments: Vec<String>,
}

#[derive(Serialize)]
struct ShownMark {
    san: String,
    points: u32,
    is_shown: bool,
}

/// The totals of the session.
#[derive(Serialize, Clone, Copy, Default)]
struct Totals {
    exercises: u32,
    moves: u32,
    clean: u32,
    points: u32,
    most: u32,
    /// The number of first guesses that are not the right move and whose loss of winning chances is known.
    judged: usize,
    /// The average loss of these guesses in percentage points, rounded; `null` if there are none.
    lost: Option<f64>,
    /// The number of exercises that are not due yet.
    later: usize,
    /// The number of new positions of a repertoire that remain.
    left: usize,
}

/// Answers `GET /api/study`.
///
/// # Errors
/// [`Failure`] if the request comes from another machine, or there are too many sessions.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    peer.require_local("study is available only on the server's computer, which keeps the progress")?;
    let busy = || Failure::busy(format!("too many study sessions: at most {MAX_LEARNERS}"));
    let place = app.learners.try_take().ok_or_else(busy)?;
    Ok(serve(upgrade, MAX_TEXT, place, move |socket| {
        Box::pin(async move { talk(socket, &app, &peer).await })
    }))
}

async fn talk(socket: &mut WebSocket, app: &Arc<App>, peer: &Peer) -> End {
    let (incoming, waiting) = unbounded();
    let (sender, mut outgoing) = mpsc::channel(MAX_WAITING);
    let unwanted = Unwanted::new(AtomicBool::new(false));
    let signals = Arc::<Signals>::default();
    let session = Session {
        app: Arc::clone(app),
        waiting,
        sender,
        progress: None,
        unsaved: Vec::new(),
        totals: Totals::default(),
        losses: Vec::new(),
        judge: None,
        accept_equal_cp: None,
        signals: Arc::clone(&signals),
        unwanted: Arc::clone(&unwanted),
    };
    if let Err(end) = start_worker("study", move || session.work()) {
        return end;
    }
    let hear = |text: &str| {
        let message = parse(text.as_bytes()).map_err(End::Broken)?;
        incoming.send(message).map_err(|_| End::ServerEnds)
    };
    let end = exchange(socket, app, peer, hear, &mut outgoing).await;
    unwanted.store(true, Ordering::Relaxed);
    signals.stop();
    end
}

/// The worker of a study session.
struct Session {
    app: Arc<App>,
    /// The messages of the page. The session ends when the sender is dropped.
    waiting: Receiver<ClientMessage>,
    sender: mpsc::Sender<ServerMessage>,
    progress: Option<Progress>,
    /// Answers that have not been written to the file of progress yet.
    unsaved: Vec<UnsavedAnswer>,
    totals: Totals,
    /// The known losses of winning chances of first guesses that are not the right move.
    losses: Vec<f64>,
    /// Evaluates wrong guesses; `None` if this is off.
    judge: Option<Box<dyn Evaluator + Send>>,
    /// The maximum loss in centipawns with which a guess is accepted.
    accept_equal_cp: Option<u32>,
    /// Stops the judge.
    signals: Arc<Signals>,
    unwanted: Unwanted,
}

/// An answer that has not been written yet.
struct UnsavedAnswer {
    exercise: Exercise,
    mark: Mark,
    at: Timestamp,
}

/// The reason why an exercise ends.
enum After {
    Next,
    Other(Box<Open>),
    Gone,
}

impl Session {
    fn work(mut self) {
        let mut opened = None;
        loop {
            let open = match opened.take() {
                Some(open) => open,
                None => match self.waiting.recv() {
                    Ok(ClientMessage::Open(open)) => open,
                    Ok(_) => {
                        self.fail(&Failure::conflict("nothing_open", "there is nothing to study yet"));
                        continue;
                    }
                    Err(_) => break,
                },
            };
            self.totals = Totals::default();
            self.losses.clear();
            match self.study(&open) {
                Ok(After::Other(open)) => opened = Some(open),
                Ok(After::Gone) => break,
                Ok(After::Next) => self.send(ServerMessage::Done(self.totals)),
                Err(failure) => self.fail(&failure),
            }
        }
        let _ = self.write_answers(); // the page is gone, so errors cannot be reported
    }

    fn send(&self, message: ServerMessage) {
        let _ = self.sender.blocking_send(message); // fails only if the page is gone
    }

    fn fail(&self, failure: &Failure) {
        self.send(ServerMessage::Error(failure.into()));
    }

    fn study(&mut self, open: &Open) -> Result<After, Failure> {
        self.write_answers()?;
        let mut lessons = Lessons::open(&self.app, open, self.progress.as_ref(), now(), &self.unwanted)?;
        let is_judged = open.judge || open.accept_equal_cp.is_some();
        self.judge = if is_judged { Some(self.new_judge()?) } else { None };
        self.accept_equal_cp = open.accept_equal_cp;
        loop {
            // The due exercises depend on the written answers. If writing fails, the next message of the page triggers
            // another attempt.
            if let Err(failure) = self.write_answers() {
                self.fail(&failure);
                match self.waiting.recv() {
                    Err(_) => return Ok(After::Gone),
                    Ok(ClientMessage::Open(open)) => return Ok(After::Other(open)),
                    Ok(_) => continue,
                }
            }
            let next = lessons.next(self.progress.as_ref(), now(), &self.unwanted)?;
            let Some(lesson) = next else { break };
            self.totals.exercises += 1;
            match self.ask(&lesson)? {
                After::Next => {}
                other => return Ok(other),
            }
        }
        (self.totals.later, self.totals.left) = (lessons.later, lessons.left);
        Ok(After::Next)
    }

    /// Creates the evaluator of guesses.
    fn new_judge(&self) -> Result<Box<dyn Evaluator + Send>, Failure> {
        let options = EvaluatorOptions {
            budget: Budget { nodes: Some(JUDGE_NODES), ..Budget::default() },
            multi_pv: 1,
            hash_mib: JUDGE_HASH_MIB,
            signals: Arc::clone(&self.signals),
        };
        self.app.engines.evaluator(&options).map_err(|error| Failure::busy(error.to_string()))
    }

    /// Compares a guess with the right move: by the evaluations of the game, or else by a search, if guesses are
    /// evaluated.
    fn compare(
        &mut self,
        attempt: &mut Attempt<'_>,
        before: &Position,
        guess: Move,
        expected: Option<Move>,
    ) -> Result<Option<Comparison>, Failure> {
        if let Some(known) = attempt.comparison(guess) {
            return Ok(Some(known));
        }
        let (Some(judge), Some(expected)) = (&mut self.judge, expected) else { return Ok(None) };
        let (engines, unwanted) = (&self.app.engines, &self.unwanted);
        let is_wanted = || !unwanted.load(Ordering::Relaxed) && !engines.is_ending();
        let Some(_place) = engines.analyses.take_by(Urgency::Short, is_wanted) else { return Ok(None) };
        let compared = Comparison::new(judge, before, guess, expected)
            .map_err(|error| Failure::busy(error.to_string()))?;
        if let Some(comparison) = compared {
            attempt.set_comparison(guess, comparison);
        }
        Ok(compared)
    }

    /// Runs one exercise, to its end or until the page requests something else.
    fn ask(&mut self, lesson: &Lesson) -> Result<After, Failure> {
        let exercise = &lesson.exercise;
        let mut attempt = Attempt::new(exercise);
        let mut steps = Vec::new();
        let mut verdict = None;
        loop {
            reply(exercise, &mut attempt, &mut steps);
            self.send(ServerMessage::Task(Box::new(task(
                lesson,
                &attempt,
                verdict.take(),
                std::mem::take(&mut steps),
            ))));
            verdict = loop {
                let before = *attempt.position();
                match self.waiting.recv() {
                    Err(_) => return Ok(After::Gone),
                    Ok(ClientMessage::Open(open)) => return Ok(After::Other(open)),
                    Ok(ClientMessage::Next(Empty {})) => return Ok(After::Next),
                    Ok(_) if !attempt.is_asked() => {
                        self.fail(&Failure::conflict("over", "this exercise is over: go on to the next one"));
                    }
                    Ok(ClientMessage::Hint(Empty {})) => {
                        let hint = match attempt.hint() {
                            Some(Hint::Piece(role)) => format!("A {} moves.", role.name()),
                            Some(Hint::From(square)) => format!("It moves from {square}."),
                            None => continue,
                        };
                        self.send(ServerMessage::Hint(hint));
                    }
                    Ok(ClientMessage::Show(Empty {})) => {
                        let Some(mv) = attempt.show() else { continue };
                        steps.push(step(exercise, &attempt, &before, mv));
                        self.keep(exercise, &attempt);
                        break Some(GuessResult::Shown { san: San::new(&before, mv).to_string() });
                    }
                    Ok(ClientMessage::Guess(guess)) => match guess.resolve(&before, false) {
                        Err(problem) => self.fail(&Failure::conflict("illegal_move", problem.to_string())),
                        Ok(mv) => {
                            let expected = attempt.answers().next();
                            let others: Vec<Move> = attempt.answers().filter(|&other| other != mv).collect();
                            match attempt.guess(mv) {
                                Answer::Wrong => {
                                    let compared = self.compare(&mut attempt, &before, mv, expected)?;
                                    let guess = San::new(&before, mv).to_string();
                                    let most = self.accept_equal_cp.map(f64::from);
                                    let is_equal = compared
                                        .zip(most)
                                        .is_some_and(|(compared, most)| compared.is_within(most));
                                    if let Some(mv) = is_equal.then(|| attempt.accept()).flatten() {
                                        steps.push(step(exercise, &attempt, &before, mv));
                                        self.keep(exercise, &attempt);
                                        let san = San::new(&before, mv).to_string();
                                        break Some(GuessResult::Equal { guess, san });
                                    }
                                    let lost = compared.map(|compared| compared.lost_points());
                                    let judgement = compared
                                        .and_then(|compared| compared.judgement)
                                        .map(|judgement| judgement.to_string().to_lowercase());
                                    break Some(GuessResult::Wrong { guess, lost, judgement });
                                }
                                Answer::Right(points) => {
                                    steps.push(step(exercise, &attempt, &before, mv));
                                    self.keep(exercise, &attempt);
                                    let also = others.iter().map(|&mv| San::new(&before, mv).to_string());
                                    break Some(GuessResult::Right { points, also: also.collect() });
                                }
                            }
                        }
                    },
                }
            };
        }
    }

    /// Adds the last move to the totals, and writes it. If writing fails, the move is kept for the next attempt.
    fn keep(&mut self, exercise: &Exercise, attempt: &Attempt<'_>) {
        let Some(mark) = attempt.marks().last() else { return };
        self.totals.moves += 1;
        self.totals.clean += u32::from(mark.is_clean());
        self.totals.points += mark.points;
        self.totals.most += crate::study::MAX_POINTS;
        self.losses.extend(mark.loss);
        self.totals.judged = self.losses.len();
        self.totals.lost = average(self.losses.iter().copied()).map(|loss| loss_in_points(loss).round());
        self.unsaved.push(UnsavedAnswer { exercise: exercise.clone(), mark: mark.clone(), at: now() });
        if let Err(failure) = self.write_answers() {
            self.fail(&failure);
        }
    }

    /// Writes the unsaved answers, oldest first.
    fn write_answers(&mut self) -> Result<(), Failure> {
        let Some(path) = &self.app.progress else {
            self.unsaved.clear();
            return Ok(());
        };
        let not_kept = |error: ProgressError| {
            let text = format!("your answers cannot be saved at the moment and will be later: {error}");
            Failure::not_saved(text)
        };
        let mut progress = match self.progress.take() {
            Some(progress) => progress,
            None => Progress::open(path).map_err(not_kept)?,
        };
        while let Some(UnsavedAnswer { exercise, mark, at }) = self.unsaved.first() {
            // After a failure the file is opened again, since it may have been replaced.
            progress.record(exercise, mark, *at).map_err(not_kept)?;
            self.unsaved.remove(0);
        }
        self.progress = Some(progress);
        Ok(())
    }
}

fn now() -> Timestamp {
    Timestamp::try_from(unix_ms()).unwrap_or(Timestamp::MAX)
}

/// Plays the moves of the other side.
fn reply(exercise: &Exercise, attempt: &mut Attempt<'_>, steps: &mut Vec<Step>) {
    loop {
        let before = *attempt.position();
        let Some(mv) = attempt.reply() else { break };
        steps.push(step(exercise, attempt, &before, mv));
    }
}

/// The step for a move that has just been made.
fn step(exercise: &Exercise, attempt: &Attempt<'_>, before: &Position, mv: Move) -> Step {
    let comments =
        exercise.game.comments(attempt.node()).map(|text| without_commands(text).trim().to_owned());
    // Comments of a repertoire may reveal the next move.
    let is_told = exercise.kind != Kind::Repertoire;
    Step {
        uci: UciMove::new(mv, castling_style(before)).to_string(),
        san: San::new(before, mv).to_string(),
        fen: Fen::new(attempt.position()).to_string(),
        comments: comments.filter(|text| is_told && !text.is_empty()).collect(),
    }
}

fn task(lesson: &Lesson, attempt: &Attempt<'_>, verdict: Option<GuessResult>, steps: Vec<Step>) -> Task {
    let Lesson { exercise, game } = lesson;
    let position = attempt.position();
    let start = exercise.game.position(exercise.start);
    let style = castling_style(position);
    let legal = if attempt.is_asked() { position.legal_moves() } else { Default::default() };
    let (points, most) = attempt.points();
    Task {
        title: exercise.title.clone(),
        game: *game,
        kind: exercise.kind.name(),
        side: side(attempt.side()),
        asks_both: exercise.learner == Learner::Both,
        instead_of: exercise.instead_of.map(|mv| numbered(&start, mv)),
        verdict,
        start: Fen::new(&start).to_string(),
        steps,
        fen: Fen::new(position).to_string(),
        check: position.is_check().then(|| position.king(position.turn()).to_string()),
        legal: LegalMove::all(position, legal, style),
        is_over: attempt.is_over(),
        marks: attempt
            .marks()
            .iter()
            .map(|mark| ShownMark {
                san: San::new(&mark.position, mark.mv).to_string(),
                points: mark.points,
                is_shown: mark.is_shown,
            })
            .collect(),
        points,
        most,
    }
}
