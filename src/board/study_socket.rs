//! A session of study over a WebSocket: the page sends guesses, and only the server knows the answers.

use super::access::Peer;
use super::app::App;
use super::body::parse;
use super::clock::unix_ms;
use super::failure::Failure;
use super::files::Unwanted;
use super::lessons::{Lessons, Open};
use super::sockets::{Empty, End, MAX_MESSAGE, Problem, exchange, serve, start_worker};
use super::state::LegalMove;
use super::words::side;
use crate::analysis::{Budget, Evaluator, EvaluatorOptions, numbered};
use crate::chess::{Move, Position};
use crate::notation::pgn::without_commands;
use crate::notation::{Fen, San, UciMove};
use crate::search::Signals;
use crate::study::{
    Answer, Attempt, Comparison, Exercise, Hint, Kind, Learner, Mark, Progress, ProgressError, Timestamp,
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

/// The answers that wait for a slow page; the session waits with them.
const MAX_WAITING: usize = 16;
/// Nodes for the judgement of a guess, and the memory of the search in MiB.
const JUDGE_NODES: u64 = 100_000;
const JUDGE_HASH_MIB: usize = 16;
/// The longest text with games in it.
const MAX_TEXT: usize = 16 * MAX_MESSAGE;

/// What the page wants.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ClientMessage {
    /// To study something.
    Open(Box<Open>),
    /// To guess the move that is asked.
    Guess(EnteredMove),
    /// Help.
    Hint(Empty),
    /// To be shown the move.
    Show(Empty),
    /// The next exercise.
    Next(Empty),
}

/// What the page is told.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ServerMessage {
    Task(Box<Task>),
    Hint(String),
    Done(Totals),
    Error(Problem),
}

/// An exercise as far as it has been done.
#[derive(Serialize)]
struct Task {
    title: String,
    kind: &'static str,
    /// Whose moves are to be found.
    side: &'static str,
    /// Whether the moves of both sides are asked.
    asks_both: bool,
    /// The mistake that was played instead.
    instead_of: Option<String>,
    /// What came of the last wish.
    verdict: Option<Verdict>,
    start: String,
    /// The moves that have been made since what was told before.
    steps: Vec<Step>,
    fen: String,
    check: Option<String>,
    /// Those of the side to move, while a move is asked.
    legal: Vec<LegalMove>,
    is_over: bool,
    marks: Vec<ShownMark>,
    points: u32,
    most: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Right {
        points: u32,
        also: Vec<String>,
    },
    /// Another move that is as good, and that of the game.
    Equal {
        guess: String,
        san: String,
    },
    Wrong {
        guess: String,
        /// By how many points of 100 it lowers the winning chances; `null` if it is not judged.
        lost: Option<f64>,
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

/// What has been done in the session.
#[derive(Serialize, Clone, Copy, Default)]
struct Totals {
    exercises: u32,
    moves: u32,
    clean: u32,
    points: u32,
    most: u32,
    /// Exercises that are not due yet.
    later: usize,
    /// New positions of a repertoire that are left.
    left: usize,
}

/// Answers `GET /api/study`.
///
/// # Errors
/// [`Failure`] if too many study.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    if !app.is_local {
        return Err(Failure::forbidden(
            "not_here",
            "only who sits at this machine studies: the progress is kept here",
        ));
    }
    let place = app.learners.try_take().ok_or_else(|| Failure::busy("too many study at once"))?;
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

/// Asks a learner.
struct Session {
    app: Arc<App>,
    /// The end of it is the end of the session.
    waiting: Receiver<ClientMessage>,
    sender: mpsc::Sender<ServerMessage>,
    progress: Option<Progress>,
    /// Answers that could not be written yet.
    unsaved: Vec<UnsavedAnswer>,
    totals: Totals,
    /// Judges wrong guesses, if that is wished.
    judge: Option<Box<dyn Evaluator + Send>>,
    /// How much worse a guess may be to be accepted, in centipawns.
    accept_equal_cp: Option<u32>,
    /// Stops the judge.
    signals: Arc<Signals>,
    unwanted: Unwanted,
}

/// An answer that is to be written.
struct UnsavedAnswer {
    exercise: Exercise,
    mark: Mark,
    loss: Option<f64>,
    at: Timestamp,
}

/// What comes after an exercise.
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
            match self.study(&open) {
                Ok(After::Other(open)) => opened = Some(open),
                Ok(After::Gone) => break,
                Ok(After::Next) => self.send(ServerMessage::Done(self.totals)),
                Err(failure) => self.fail(&failure),
            }
        }
        let _ = self.write_answers(); // nobody is there to be told
    }

    fn send(&self, message: ServerMessage) {
        let _ = self.sender.blocking_send(message); // then nothing is waited for any more, either
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
            // What is due is seen by what has been answered. Whatever the learner wants next tries again.
            if let Err(failure) = self.write_answers() {
                self.fail(&failure);
                match self.waiting.recv() {
                    Err(_) => return Ok(After::Gone),
                    Ok(ClientMessage::Open(open)) => return Ok(After::Other(open)),
                    Ok(_) => continue,
                }
            }
            let next = lessons.next(self.progress.as_ref(), now(), &self.unwanted)?;
            let Some(exercise) = next else { break };
            self.totals.exercises += 1;
            match self.ask(&exercise)? {
                After::Next => {}
                other => return Ok(other),
            }
        }
        (self.totals.later, self.totals.left) = (lessons.later, lessons.left);
        Ok(After::Next)
    }

    /// What judges guesses.
    fn new_judge(&self) -> Result<Box<dyn Evaluator + Send>, Failure> {
        let options = EvaluatorOptions {
            budget: Budget { nodes: Some(JUDGE_NODES), ..Budget::default() },
            multi_pv: 1,
            hash_mib: JUDGE_HASH_MIB,
            signals: Arc::clone(&self.signals),
        };
        self.app.engines.evaluator(&options).map_err(|error| Failure::busy(error.to_string()))
    }

    /// How a guess compares with the right move; `None` if guesses are not judged.
    fn compare(
        &mut self,
        before: &Position,
        guess: Move,
        expected: Option<Move>,
    ) -> Result<Option<Comparison>, Failure> {
        let (Some(judge), Some(expected)) = (&mut self.judge, expected) else { return Ok(None) };
        let (engines, unwanted) = (&self.app.engines, &self.unwanted);
        let is_wanted = || !unwanted.load(Ordering::Relaxed) && !engines.is_ending();
        let Some(_place) = engines.analyses.take(is_wanted) else { return Ok(None) };
        let compared = Comparison::new(judge, before, guess, expected);
        compared.map_err(|error| Failure::busy(error.to_string()))
    }

    /// Asks one exercise, to its end or until the learner wants something else.
    fn ask(&mut self, exercise: &Exercise) -> Result<After, Failure> {
        let mut attempt = Attempt::new(exercise);
        let mut steps = Vec::new();
        let mut verdict = None;
        let mut loss = None;
        loop {
            reply(exercise, &mut attempt, &mut steps);
            self.send(ServerMessage::Task(Box::new(task(
                exercise,
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
                        self.fail(&Failure::conflict("over", "nothing is asked here any more"));
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
                        self.keep(exercise, &attempt, loss.take());
                        break Some(Verdict::Shown { san: San::new(&before, mv).to_string() });
                    }
                    Ok(ClientMessage::Guess(guess)) => match guess.resolve(&before, false) {
                        Err(problem) => self.fail(&Failure::conflict("illegal_move", problem.to_string())),
                        Ok(mv) => {
                            let expected = attempt.answers().next();
                            let others: Vec<Move> = attempt.answers().filter(|&other| other != mv).collect();
                            match attempt.guess(mv) {
                                Answer::Wrong => {
                                    let compared = self.compare(&before, mv, expected)?;
                                    if let Some(compared) = compared {
                                        loss.get_or_insert(compared.loss.max(0.0));
                                    }
                                    let guess = San::new(&before, mv).to_string();
                                    let most = self.accept_equal_cp.map(f64::from);
                                    let is_equal = compared
                                        .zip(most)
                                        .is_some_and(|(compared, most)| compared.is_within(most));
                                    if let Some(mv) = is_equal.then(|| attempt.accept()).flatten() {
                                        steps.push(step(exercise, &attempt, &before, mv));
                                        self.keep(exercise, &attempt, loss.take());
                                        let san = San::new(&before, mv).to_string();
                                        break Some(Verdict::Equal { guess, san });
                                    }
                                    let lost = compared.map(|compared| compared.lost_points());
                                    break Some(Verdict::Wrong { guess, lost });
                                }
                                Answer::Right(points) => {
                                    steps.push(step(exercise, &attempt, &before, mv));
                                    self.keep(exercise, &attempt, loss.take());
                                    let also = others.iter().map(|&mv| San::new(&before, mv).to_string());
                                    break Some(Verdict::Right { points, also: also.collect() });
                                }
                            }
                        }
                    },
                }
            };
        }
    }

    /// Counts the last move, and keeps it: as soon as it can be written.
    fn keep(&mut self, exercise: &Exercise, attempt: &Attempt<'_>, loss: Option<f64>) {
        let Some(mark) = attempt.marks().last() else { return };
        self.totals.moves += 1;
        self.totals.clean += u32::from(mark.is_clean());
        self.totals.points += mark.points;
        self.totals.most += crate::study::MAX_POINTS;
        self.unsaved.push(UnsavedAnswer { exercise: exercise.clone(), mark: mark.clone(), loss, at: now() });
        if let Err(failure) = self.write_answers() {
            self.fail(&failure);
        }
    }

    /// Writes the answers that are not written yet, the oldest first.
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
        while let Some(UnsavedAnswer { exercise, mark, loss, at }) = self.unsaved.first() {
            // After a failure the file is opened again: it may be another one.
            progress.record(exercise, mark, *loss, *at).map_err(not_kept)?;
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

/// A move that has just been made.
fn step(exercise: &Exercise, attempt: &Attempt<'_>, before: &Position, mv: Move) -> Step {
    let comments =
        exercise.game.comments(attempt.node()).map(|text| without_commands(text).trim().to_owned());
    // What is written at a line of a repertoire may tell what comes next.
    let is_told = exercise.kind != Kind::Repertoire;
    Step {
        uci: UciMove::new(mv, castling_style(before)).to_string(),
        san: San::new(before, mv).to_string(),
        fen: Fen::new(attempt.position()).to_string(),
        comments: comments.filter(|text| is_told && !text.is_empty()).collect(),
    }
}

fn task(exercise: &Exercise, attempt: &Attempt<'_>, verdict: Option<Verdict>, steps: Vec<Step>) -> Task {
    let position = attempt.position();
    let start = exercise.game.position(exercise.start);
    let style = castling_style(position);
    let legal = if attempt.is_asked() { position.legal_moves() } else { Default::default() };
    let (points, most) = attempt.points();
    Task {
        title: exercise.title.clone(),
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
