//! `/api/analysis/game`: the analysis of a whole game over a WebSocket, like `hematite analyse`, with its progress.

use super::access::Peer;
use super::app::App;
use super::body::parse;
use super::document::Document;
use super::engines::Engines;
use super::failure::Failure;
use super::places::{Places, Urgency, WaitingNotice};
use super::sockets::{Empty, End, Problem, exchange, serve, start_worker};
use crate::analysis::{
    Budget, EvaluatorError, EvaluatorOptions, GameStudy, Inquiry, Scope, Sources, Style, VARIATION_PLIES,
    annotate, coached, is_annotated, own_annotator, without_own,
};
use crate::search::Signals;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::Response;
use crossbeam_channel::{Receiver, unbounded};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The maximum length of a message, in bytes; it contains a game.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// The maximum number of reports that wait for a slow page; further progress reports are dropped.
const MAX_WAITING: usize = 4;
/// The default number of nodes per position, and its range.
const NODES: u64 = 100_000;
const NODE_RANGE: RangeInclusive<u64> = 1_000..=10_000_000;
/// The number of nodes per position for each MiB of the hash table. A larger table would only take longer to clear.
const NODES_PER_MIB: u64 = 25_000;
/// The maximum size of the hash table, in MiB.
const MAX_HASH_MIB: u64 = 64;

/// A message of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ClientMessage {
    Analyse(Box<Wanted>),
    Stop(Empty),
}

/// A game to analyze.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    game: Document,
    /// The number of nodes per position.
    #[serde(default = "usual_nodes")]
    nodes: u64,
    /// Whether only the last move is told about, to a player whose game goes on.
    #[serde(default)]
    coach: bool,
}

const fn usual_nodes() -> u64 {
    NODES
}

/// A message to the page.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ServerMessage {
    /// The number of positions that are done, out of those known so far.
    Progress {
        done: usize,
        total: usize,
    },
    /// Other searches come first.
    Waiting(Empty),
    /// The annotated game.
    Game(Box<Document>),
    /// The coach's text about the last move.
    Coach(Coached),
    /// The analysis has been stopped.
    Stopped(Empty),
    Error(Problem),
}

/// A move, and what a coach says about it.
#[derive(Serialize)]
struct Coached {
    /// Its sign, such as `$4`, if it was not good.
    nag: Option<String>,
    text: String,
}

/// Answers `GET /api/analysis/game`.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Response {
    serve(upgrade, MAX_MESSAGE, (), move |socket| Box::pin(async move { talk(socket, &app, &peer).await }))
}

async fn talk(socket: &mut WebSocket, app: &App, peer: &Peer) -> End {
    let (incoming, waiting) = unbounded();
    let (sender, mut outgoing) = mpsc::channel(MAX_WAITING);
    let running = Running::default();
    let annotator = Annotator { engines: app.engines.clone(), waiting, sender, running: running.clone() };
    if let Err(end) = start_worker("analysis", move || annotator.work()) {
        return end;
    }
    let hear = |text: &str| {
        // Every message stops the running analysis.
        running.stop();
        match parse(text.as_bytes()).map_err(End::Broken)? {
            ClientMessage::Stop(Empty {}) => Ok(()),
            ClientMessage::Analyse(wanted) => incoming.send(*wanted).map_err(|_| End::ServerEnds),
        }
    };
    let end = exchange(socket, app, peer, hear, &mut outgoing).await;
    running.stop();
    end
}

/// Stops the running analysis.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Option<Arc<Signals>>>>);

impl Running {
    fn start(&self) -> Arc<Signals> {
        let signals = Arc::<Signals>::default();
        *self.0.lock() = Some(Arc::clone(&signals));
        signals
    }

    fn stop(&self) {
        if let Some(signals) = self.0.lock().take() {
            signals.stop();
        }
    }
}

/// The worker that analyzes one game after the other.
struct Annotator {
    engines: Engines,
    /// The games to analyze, of which only the newest counts. The worker ends when the sender is dropped.
    waiting: Receiver<Wanted>,
    sender: mpsc::Sender<ServerMessage>,
    running: Running,
}

impl Annotator {
    fn work(self) {
        while let Ok(first) = self.waiting.recv() {
            let wanted = self.waiting.try_iter().last().unwrap_or(first);
            let message = match self.analyse(&wanted) {
                Ok(Some(message)) => message,
                Ok(None) => ServerMessage::Stopped(Empty {}),
                Err(failure) => ServerMessage::Error((&failure).into()),
            };
            if self.sender.blocking_send(message).is_err() {
                break;
            }
        }
    }

    /// The annotated game, or the text of the coach; `None` if the analysis has been stopped.
    fn analyse(&self, wanted: &Wanted) -> Result<Option<ServerMessage>, Failure> {
        if !NODE_RANGE.contains(&wanted.nodes) {
            let (least, most) = (NODE_RANGE.start(), NODE_RANGE.end());
            return Err(Failure::bad("bad_nodes", format!("expected {least} to {most} nodes")));
        }
        let signals = self.running.start();
        let is_wanted = || {
            !signals.is_stopped()
                && !self.sender.is_closed()
                && self.waiting.is_empty()
                && !self.engines.is_ending()
        };
        let game = wanted.game.game()?;
        if game.mainline().next().is_none() {
            return Err(Failure::bad("no_moves", "there are no moves to analyze"));
        }
        let game = if is_annotated(&game.tags) { without_own(&game).unwrap_or(game) } else { game };
        let budget = Budget { nodes: Some(wanted.nodes), ..Budget::default() };
        let options = EvaluatorOptions {
            budget: budget.clone(),
            multi_pv: 1,
            hash_mib: wanted.nodes.div_ceil(NODES_PER_MIB).clamp(1, MAX_HASH_MIB) as usize,
            signals: Arc::clone(&signals),
        };
        let urgency = if wanted.coach { Urgency::Short } else { Urgency::Usual };
        // The place of this analysis, and that of each of its positions.
        let place = |places: &Places| {
            let mut notice = WaitingNotice::default();
            places.take_by(urgency, || {
                if notice.is_due() {
                    // If the queue is full, this report is dropped.
                    let _ = self.sender.try_send(ServerMessage::Waiting(Empty {}));
                }
                is_wanted()
            })
        };
        let Some(_place) = place(&self.engines.questioners) else { return Ok(None) };
        let failed = |error: EvaluatorError| Failure::busy(error.to_string());
        let mut evaluator = None;
        let scope = Scope { from_move: 1, side: None, takes_evaluations: false };
        let mut study = GameStudy::new(game, scope, ());
        let (mut done, mut total) = (0, 0);
        loop {
            let questions = study.questions();
            total += questions.len();
            if questions.is_empty() {
                break;
            }
            for (index, question) in questions.iter().enumerate() {
                // If the queue is full, this progress report is dropped.
                let _ = self.sender.try_send(ServerMessage::Progress { done, total });
                // A place for one position at a time, so that other analyses proceed meanwhile.
                let Some(_place) = place(&self.engines.analyses) else { return Ok(None) };
                let evaluator = match &mut evaluator {
                    Some(evaluator) => evaluator,
                    None => evaluator.insert(self.engines.evaluator(&options).map_err(failed)?),
                };
                if !is_wanted() {
                    return Ok(None);
                }
                let Some(assessment) = evaluator.assess(question).map_err(failed)? else { return Ok(None) };
                study.answer(index, assessment);
                done += 1;
            }
        }
        let report = study.report();
        let tables = self.engines.tables().map(|tables| &**tables);
        if let Some(last) = report.moves.last().filter(|_| wanted.coach) {
            let nag = last.judgement.map(|judgement| format!("${}", judgement.nag().0));
            return Ok(Some(ServerMessage::Coach(Coached { nag, text: coached(last, tables) })));
        }
        let by = if self.engines.is_own() { String::new() } else { format!(" with {}", self.engines.name()) };
        let style = Style {
            analysis: format!("{}{by}, {budget}", own_annotator()),
            names_annotator: true,
            lines: 1,
            max_plies: VARIATION_PLIES,
        };
        let mut game = study.game;
        let sources = Sources { tables, novelty: None };
        let full = |_| Failure::bad("too_many_moves", "the game has too many moves to write into it");
        annotate(&mut game, &report, &style, sources).map_err(full)?;
        Ok(Some(ServerMessage::Game(Box::new(Document::of(&game)))))
    }
}
