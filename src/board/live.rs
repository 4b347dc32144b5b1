//! The state of a running engine match for spectators. The match only stores its latest state here; spectators fetch it
//! at their own pace, so they never delay the match.

use super::clock::millis;
use super::words::side;
use crate::arena::game::View;
use crate::arena::statistics::Sprt;
use crate::arena::tournament::{Event, FinishedGame, Progress, WatchedGame};
use crate::chess::{Color, Position};
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use crate::uci::{InfoScore, InfoValue};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

/// The maximum number of finished games in the list.
const MAX_RECENT: usize = 40;
/// The maximum number of points in the curve of a test; above it, every second point is dropped.
const MAX_POINTS: usize = 400;

/// A running match. Clones share the state.
#[derive(Clone)]
pub struct LiveMatch(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Increases with every change.
    version: watch::Sender<u64>,
}

struct State {
    version: u64,
    boards: Vec<Option<PlayedBoard>>,
    standing: Arc<Standing>,
    sprt: Option<Sprt>,
    /// The number of pairings between two points of the curve.
    stride: usize,
    pairings: usize,
}

/// A board, with the position up to which it has been converted.
struct PlayedBoard {
    shown: Arc<LiveBoard>,
    position: Position,
    plies: usize,
}

/// The game on a board.
#[derive(Clone, Serialize)]
pub(super) struct LiveBoard {
    place: usize,
    round: String,
    white: String,
    black: String,
    fen: String,
    /// The FEN of the start of the game.
    start: String,
    turn: &'static str,
    /// The last move in UCI notation.
    uci: Option<String>,
    /// All moves in SAN, separated by spaces.
    moves: String,
    /// The evaluation of each move from White's point of view; `null` for moves of the opening.
    scores: Vec<Option<LiveScore>>,
    depth: Option<u32>,
    nps: Option<u64>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    result: Option<&'static str>,
    reason: Option<String>,
    #[serde(skip)]
    version: u64,
    /// The time at which the clock of the side to move started.
    #[serde(skip)]
    since: Option<Instant>,
    /// The time since then, in milliseconds.
    running_ms: u64,
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum LiveScore {
    Centipawns(i32),
    Mate { mate: i32 },
}

/// The standing of the match.
#[derive(Clone, Default, Serialize)]
pub(super) struct Standing {
    names: Vec<String>,
    conditions: String,
    games: usize,
    total: usize,
    seconds: f64,
    /// The players, best first.
    table: Vec<Row>,
    sprt: Option<LiveTest>,
    /// The latest finished games, newest first.
    recent: VecDeque<Recent>,
    /// The reason why the match has ended.
    ended: Option<String>,
    #[serde(skip)]
    version: u64,
}

#[derive(Clone, Serialize)]
struct Row {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// The Elo difference; `null` if it is infinite or unknown.
    elo: Option<f64>,
    error: Option<f64>,
    /// Wins, draws and losses against each player in the order of the table; `null` against itself.
    against: Vec<Option<[u64; 3]>>,
}

/// The state of a sequential probability ratio test.
#[derive(Clone, Serialize)]
struct LiveTest {
    llr: f64,
    lower: f64,
    upper: f64,
    elo0: f64,
    elo1: f64,
    /// Pairs of the number of games and the log-likelihood ratio.
    curve: Vec<(usize, f64)>,
}

#[derive(Clone, Serialize)]
struct Recent {
    round: String,
    white: String,
    black: String,
    result: &'static str,
    reason: String,
    plies: usize,
}

/// The changes since a version.
#[derive(Serialize)]
pub(super) struct LiveUpdate {
    boards: Vec<LiveBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Standing>,
}

impl LiveMatch {
    /// A match that has not started; `conditions` is a description for people.
    pub fn new(conditions: String, sprt: Option<Sprt>) -> Self {
        let standing = Arc::new(Standing { conditions, ..Standing::default() });
        let state = State { version: 0, boards: Vec::new(), standing, sprt, stride: 1, pairings: 0 };
        Self(Arc::new(Shared { state: Mutex::new(state), version: watch::Sender::new(0) }))
    }

    /// Updates the standing when the match starts or is resumed.
    pub fn begin(&self, progress: &Progress) {
        self.change(|state| state.count(progress));
    }

    /// Updates the state after an event of the match.
    pub fn on_event(&self, event: &Event<'_>) {
        match event {
            Event::Remark(_) => {}
            Event::Game(report) => self.change(|state| state.add_recent(report)),
            Event::Pairing(progress) => self.change(|state| state.count(progress)),
        }
    }

    /// Marks the match as ended, for this reason.
    pub fn end(&self, how: String) {
        self.change(|state| {
            let standing = Arc::make_mut(&mut state.standing);
            (standing.ended, standing.version) = (Some(how), state.version);
        });
    }

    /// Updates the board of a running game.
    pub fn see(&self, game: &WatchedGame<'_>) {
        self.change(|state| state.see(game));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.0.state.lock();
        state.version += 1;
        change(&mut state);
        let version = state.version;
        drop(state);
        self.0.version.send_replace(version);
    }

    /// A receiver of the version after each change.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.0.version.subscribe()
    }

    /// The changes since this version, or everything for `None`, and the current version.
    pub(super) fn update(&self, since: Option<u64>) -> (LiveUpdate, u64) {
        let state = self.0.state.lock();
        let is_new = |version: u64| since.is_none_or(|since| version > since);
        let boards = state.boards.iter().flatten().map(|board| &board.shown);
        let boards: Vec<Arc<LiveBoard>> = boards.filter(|board| is_new(board.version)).cloned().collect();
        let standing = Some(&state.standing).filter(|standing| is_new(standing.version)).cloned();
        let version = state.version;
        // The conversion below runs without the lock, so that it does not delay the match.
        drop(state);
        let boards = boards.into_iter().map(Arc::unwrap_or_clone).map(|board| LiveBoard {
            running_ms: board.since.map_or(0, |since| millis(since.elapsed())),
            ..board
        });
        (LiveUpdate { boards: boards.collect(), standing: standing.map(Arc::unwrap_or_clone) }, version)
    }
}

impl State {
    fn see(&mut self, game: &WatchedGame<'_>) {
        let WatchedGame { place, round, names: [white, black], view } = *game;
        if self.boards.len() <= place {
            self.boards.resize_with(place + 1, || None);
        }
        let version = self.version;
        let known = self.boards[place].take().filter(|board| board.shown.round == round);
        let mut board = known.unwrap_or_else(|| PlayedBoard::new(place, round, [white, black], &view));
        board.show(&view, version);
        self.boards[place] = Some(board);
    }

    fn add_recent(&mut self, report: &FinishedGame<'_>) {
        let standing = Arc::make_mut(&mut self.standing);
        let [white, black] = report.names.map(str::to_owned);
        standing.recent.push_front(Recent {
            round: report.round.clone(),
            white,
            black,
            result: report.termination.result().as_str(),
            reason: report.termination.to_string(),
            plies: report.plies,
        });
        standing.recent.truncate(MAX_RECENT);
        standing.version = self.version;
    }

    fn count(&mut self, progress: &Progress) {
        self.pairings += 1;
        let standing = Arc::make_mut(&mut self.standing);
        standing.names.clone_from(&progress.names);
        standing.games = progress.games;
        standing.total = progress.total_games;
        standing.seconds = progress.seconds;
        standing.table = rows(progress);
        standing.version = self.version;
        let Some(sprt) = &self.sprt else { return };
        let llr = sprt.llr(&progress.tally());
        let test = standing.sprt.get_or_insert_with(|| LiveTest {
            llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            curve: Vec::new(),
        });
        test.llr = llr;
        // The last point is always the current one; the others are spaced by `stride`.
        if test.curve.len() > 1 && !self.pairings.is_multiple_of(self.stride) {
            test.curve.pop();
        }
        test.curve.push((progress.games, llr));
        if test.curve.len() > MAX_POINTS {
            let mut index = 0;
            test.curve.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }
}

fn rows(progress: &Progress) -> Vec<Row> {
    let table = progress.crosstable();
    let ranking = table.ranking();
    let row = |&player: &usize| {
        let total = table.total(player);
        let (results, elo) = (total.results, total.estimate().elo());
        let against = ranking.iter().map(|&opponent| {
            let results = table.tally(player, opponent).results;
            (opponent != player).then_some([results.wins, results.draws, results.losses])
        });
        let known = |value: f64| Some(value).filter(|value| value.is_finite());
        Row {
            name: progress.names[player].clone(),
            games: results.games(),
            wins: results.wins,
            draws: results.draws,
            losses: results.losses,
            points: results.points(),
            elo: known(elo.value),
            error: known(elo.error),
            against: against.collect(),
        }
    };
    ranking.iter().map(row).collect()
}

impl PlayedBoard {
    fn new(place: usize, round: &str, names: [&str; 2], view: &View<'_>) -> Self {
        let [white, black] = names.map(str::to_owned);
        let shown = LiveBoard {
            place,
            round: round.to_owned(),
            white,
            black,
            fen: String::new(),
            start: Fen::new(view.start).to_string(),
            turn: side(view.start.turn()),
            uci: None,
            moves: String::new(),
            scores: Vec::new(),
            depth: None,
            nps: None,
            white_ms: None,
            black_ms: None,
            result: None,
            reason: None,
            version: 0,
            since: None,
            running_ms: 0,
        };
        Self { shown: Arc::new(shown), position: *view.start, plies: 0 }
    }

    fn show(&mut self, view: &View<'_>, version: u64) {
        let style = if view.is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        let shown = Arc::make_mut(&mut self.shown);
        for played in view.moves.iter().skip(self.plies) {
            let mover = self.position.turn();
            let (san, after) = San::new(&self.position, played.mv).played();
            let gap = if shown.moves.is_empty() { "" } else { " " };
            let _ = write!(shown.moves, "{gap}{san}"); // writing to a string cannot fail
            let reply = played.reply.as_ref();
            shown.scores.push(reply.and_then(|reply| reply.score).map(|score| seen_from_white(score, mover)));
            (shown.depth, shown.nps) = reply.map_or((None, None), |reply| (reply.depth, reply.nps));
            shown.uci = Some(UciMove::new(played.mv, style).to_string());
            self.position = after;
        }
        self.plies = view.moves.len();
        shown.fen = Fen::new(view.position).to_string();
        shown.turn = side(view.position.turn());
        [shown.white_ms, shown.black_ms] = view.clocks.map(|left| left.map(millis));
        shown.result = view.termination.map(|termination| termination.result().as_str());
        shown.reason = view.termination.map(ToString::to_string);
        shown.since = view.termination.is_none().then(Instant::now);
        shown.version = version;
    }
}

fn seen_from_white(score: InfoScore, mover: Color) -> LiveScore {
    let score = if mover == Color::White { score } else { score.reversed() };
    match score.value {
        InfoValue::Centipawns(value) => LiveScore::Centipawns(value),
        InfoValue::Mate(mate) => LiveScore::Mate { mate },
    }
}
