//! `/api/analysis/engine`: the engine analysis of a position, over a WebSocket.

use super::access::Peer;
use super::app::App;
use super::body::{Parameters, parse};
use super::engines::Engines;
use super::failure::Failure;
use super::places::{Place, Places, Urgency, WaitingNotice};
use super::positions::Line;
use super::sockets::{Empty, End, MAX_MESSAGE, Problem, exchange, serve, start_worker};
use crate::chess::{Color, Position};
use crate::client::{Engine, SearchTimeout};
use crate::notation::{CastlingStyle, San, UciMove};
use crate::uci::{
    GoTokens, Info, InfoBound, InfoScore, InfoValue, PositionTokens, castling_style, legal_line,
};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::Response;
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The maximum number of lines (MultiPV).
const MAX_LINES: usize = 5;
/// The maximum length of a line, in plies.
const MAX_PLIES: usize = 30;
/// The minimum time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// The time of a short search.
const SHORT: Duration = Duration::from_millis(1500);
/// The maximum time for one position.
const LONGEST: Duration = Duration::from_secs(600);
/// The time for which the engine waits for the next position before it ends.
const REST: Duration = Duration::from_secs(5);
/// The maximum number of reports that wait for a slow page; further reports are merged into the next one.
const MAX_WAITING: usize = 2;

/// The choice of the engine.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EngineChoice {
    /// Whether the second engine analyzes.
    second: bool,
}

/// A message of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ClientMessage {
    Search(Search),
    Stop(Empty),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default = "one")]
    multipv: usize,
    /// Whether the question is answered within moments, such as a hint. It goes before others, and its search is short.
    #[serde(default)]
    short: bool,
}

const fn one() -> usize {
    1
}

/// A position to analyze.
struct Question {
    position: Position,
    tokens: PositionTokens,
    lines: usize,
    style: CastlingStyle,
    urgency: Urgency,
}

/// A message to the page.
#[derive(Clone, Serialize)]
#[serde(rename_all = "snake_case")]
enum ServerMessage {
    Info(Report),
    /// Other searches come first.
    Waiting(Empty),
    Done(Empty),
    Error(Problem),
}

#[derive(Clone, Default, Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    nps: u64,
    lines: Vec<Option<ShownLine>>,
}

/// A line with its score from White's point of view.
#[derive(Clone, Serialize)]
struct ShownLine {
    cp: Option<i32>,
    mate: Option<i32>,
    wdl: Option<[u32; 3]>,
    uci: Vec<String>,
    san: Vec<String>,
}

/// Answers `GET /api/analysis/engine`.
///
/// # Errors
/// [`Failure`] if there is no second engine.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Parameters(EngineChoice { second }): Parameters<EngineChoice>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    if second && app.engines.second_name().is_none() {
        return Err(Failure::bad("no_second_engine", "there is no second engine; see --second-engine"));
    }
    Ok(serve(upgrade, MAX_MESSAGE, (), move |socket| {
        Box::pin(async move { talk(socket, &app, &peer, second).await })
    }))
}

async fn talk(socket: &mut WebSocket, app: &App, peer: &Peer, is_second: bool) -> End {
    let (questions, waiting) = unbounded();
    let (reports, mut outgoing) = mpsc::channel(MAX_WAITING);
    let analyst =
        Analyst { engines: app.engines.clone(), is_second, waiting, reports, place: None, engine: None };
    if let Err(end) = start_worker("analyst", move || analyst.work()) {
        return end;
    }
    let hear = |text: &str| {
        let question = read(text).map_err(End::Broken)?;
        questions.send(question).map_err(|_| End::ServerEnds)
    };
    exchange(socket, app, peer, hear, &mut outgoing).await
}

/// Parses a message to the position to analyze; `None` to stop.
fn read(text: &str) -> Result<Option<Question>, Failure> {
    let Search { fen, moves, multipv, short } = match parse(text.as_bytes())? {
        ClientMessage::Search(search) => search,
        ClientMessage::Stop(Empty {}) => return Ok(None),
    };
    if !(1..=MAX_LINES).contains(&multipv) {
        return Err(Failure::bad("bad_multipv", format!("expected 1 to {MAX_LINES} lines")));
    }
    let played = Line { fen, moves }.play()?;
    let style = castling_style(&played.start);
    let moves = played.moves.iter().map(|&mv| UciMove::new(mv, style).to_string()).collect();
    let tokens = PositionTokens { moves, ..PositionTokens::of(&played.start, style) };
    let urgency = if short { Urgency::Short } else { Urgency::Usual };
    Ok(Some(Question { position: played.position, tokens, lines: multipv, style, urgency }))
}

/// The worker that analyzes one position after the other.
struct Analyst {
    engines: Engines,
    is_second: bool,
    /// The positions, of which only the newest counts. The worker ends when the sender is dropped.
    waiting: Receiver<Option<Question>>,
    reports: mpsc::Sender<ServerMessage>,
    /// The place of the engine, which is taken only while positions are to be analyzed.
    place: Option<Place>,
    engine: Option<Engine>,
}

impl Analyst {
    fn work(mut self) {
        loop {
            let first = match self.waiting.recv_timeout(REST) {
                Ok(first) => first,
                Err(RecvTimeoutError::Timeout) => {
                    self.rest();
                    let Ok(first) = self.waiting.recv() else { break };
                    first
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let Some(question) = self.waiting.try_iter().last().unwrap_or(first) else { continue };
            let message = match self.look(&question) {
                Ok(()) => ServerMessage::Done(Empty {}),
                Err(text) => {
                    // Dropping an engine kills its process.
                    self.engine = None;
                    ServerMessage::Error(Problem { text: text.into(), code: "engine" })
                }
            };
            if self.reports.blocking_send(message).is_err() {
                break;
            }
        }
    }

    /// Ends the engine, and gives up its place.
    fn rest(&mut self) {
        // Dropping an engine kills its process.
        if let Some(engine) = self.engine.take()
            && !self.engines.is_ending()
        {
            engine.quit();
        }
        self.place = None;
    }

    fn is_wanted(&self) -> bool {
        self.waiting.is_empty() && !self.reports.is_closed() && !self.engines.is_ending()
    }

    fn look(&mut self, question: &Question) -> Result<(), String> {
        let count = question.lines.min(question.position.count_legal_moves());
        if count == 0 {
            return Ok(());
        }
        let engines = &self.engines;
        let places = if self.is_second { &engines.second_analyses } else { &engines.analyses }.clone();
        let mut report = Report { lines: vec![None; count], ..Report::default() };
        // The search leaves its places to short questions, and goes on after them.
        loop {
            if self.place.is_none() {
                self.place = self.place(&self.engines.questioners, question.urgency);
            }
            if self.place.is_none() {
                return Ok(());
            }
            let Some(_place) = self.place(&places, question.urgency) else { return Ok(()) };
            if self.search(&places, question, &mut report)? {
                return Ok(());
            }
            if self.engines.questioners.is_awaited() {
                self.rest();
            }
        }
    }

    /// Waits for a place, and reports it if that takes long; `None` if the question is not wanted any more.
    fn place(&self, places: &Places, urgency: Urgency) -> Option<Place> {
        let mut notice = WaitingNotice::default();
        places.take_by(urgency, || {
            if notice.is_due() {
                // If the queue is full, the page has other news.
                let _ = self.reports.try_send(ServerMessage::Waiting(Empty {}));
            }
            self.is_wanted()
        })
    }

    /// Searches a position, and reports what is found; returns false if a short question ended the search.
    fn search(&mut self, places: &Places, question: &Question, report: &mut Report) -> Result<bool, String> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.engines.analyst(self.is_second).map_err(|error| error.to_string())?,
        };
        engine.set_option("UCI_Chess960", &(question.style == CastlingStyle::Chess960).to_string());
        engine.set_option("MultiPV", &report.lines.len().to_string());
        engine.ping().map_err(|error| error.to_string())?;
        let is_short = question.urgency == Urgency::Short;
        let go =
            GoTokens { infinite: !is_short, move_time: is_short.then_some(SHORT), ..GoTokens::default() };
        let leaves = || !is_short && (places.is_awaited() || self.engines.questioners.is_awaited());
        let (mut has_news, mut reported) = (false, None::<Instant>);
        // A search that goes on reports what is new only.
        let known_depth = report.depth;
        let on_info = &mut |info: Option<&Info>| {
            if let Some(info) = info.filter(|info| info.depth.is_none_or(|depth| depth >= known_depth)) {
                has_news |= report.add(info, question);
            }
            let is_time = reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL);
            if has_news && is_time && self.reports.try_send(ServerMessage::Info(report.clone())).is_ok() {
                (has_news, reported) = (false, Some(Instant::now()));
            }
            if self.is_wanted() && !leaves() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let reply = engine.search_with_info(&question.tokens, &go, SearchTimeout::Total(LONGEST), on_info);
        reply.map_err(|error| error.to_string())?;
        if has_news && self.is_wanted() {
            let _ = self.reports.blocking_send(ServerMessage::Info(report.clone())); // the client may be gone
        }
        self.engine = Some(engine);
        Ok(!self.is_wanted() || !leaves())
    }
}

impl Report {
    /// Adds an info line of the engine; returns whether the report has changed.
    fn add(&mut self, info: &Info, question: &Question) -> bool {
        self.nodes = info.nodes.unwrap_or(self.nodes);
        self.nps = info.nodes_per_second.unwrap_or(self.nps);
        let Some(score @ InfoScore { bound: InfoBound::Exact, .. }) = info.score else { return false };
        let rank = info.multi_pv.map_or(0, |number| number.saturating_sub(1) as usize);
        let Some(place) = self.lines.get_mut(rank) else { return false };
        let moves = legal_line(&question.position, &info.pv);
        if moves.is_empty() {
            return false;
        }
        let turn = question.position.turn();
        let score = if turn == Color::White { score } else { score.reversed() };
        let (cp, mate) = match score.value {
            InfoValue::Centipawns(value) => (Some(value), None),
            InfoValue::Mate(moves) => (None, Some(moves)),
        };
        let mut line = ShownLine {
            cp,
            mate,
            wdl: score.wdl.map(|chances| [chances.win, chances.draw, chances.loss]),
            uci: Vec::new(),
            san: Vec::new(),
        };
        let mut position = question.position;
        for mv in moves.into_iter().take(MAX_PLIES) {
            let (san, after) = San::new(&position, mv).played();
            line.uci.push(UciMove::new(mv, question.style).to_string());
            line.san.push(san.to_string());
            position = after;
        }
        *place = Some(line);
        if rank == 0 {
            self.depth = info.depth.unwrap_or(self.depth);
        }
        true
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.rest();
    }
}
