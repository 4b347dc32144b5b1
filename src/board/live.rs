//! A match between engines as it is played. Those who play it only leave here what has happened; those who watch take
//! it when they can, each the newest, so that nobody waits for them.

use super::clock::millis;
use super::words::side;
use crate::arena::game::View;
use crate::arena::statistics::Sprt;
use crate::arena::tournament::{Event, GameReport, Progress, WatchedGame};
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

/// The games that are over and still shown in the list.
const MAX_RECENT: usize = 40;
/// The points of the curve of a test; of more every second one is dropped.
const MAX_POINTS: usize = 400;

/// The match, for everybody. Clones are the same.
#[derive(Clone)]
pub struct LiveMatch(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Grows with every change.
    version: watch::Sender<u64>,
}

struct State {
    version: u64,
    boards: Vec<Option<PlayedBoard>>,
    standing: Arc<Standing>,
    sprt: Option<Sprt>,
    /// How many pairings there are between two points of the curve.
    stride: usize,
    pairings: usize,
}

/// A board, and what is needed to bring it up to date.
struct PlayedBoard {
    shown: Arc<LiveBoard>,
    position: Position,
    plies: usize,
}

/// A game on its board.
#[derive(Clone, Serialize)]
pub(super) struct LiveBoard {
    place: usize,
    round: String,
    white: String,
    black: String,
    fen: String,
    turn: &'static str,
    /// The last move.
    uci: Option<String>,
    /// All moves in SAN, with spaces between them.
    moves: String,
    /// An evaluation for each move, from White's view; `null` for a move of the opening.
    scores: Vec<Option<LiveScore>>,
    depth: Option<u32>,
    nps: Option<u64>,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    result: Option<&'static str>,
    reason: Option<String>,
    #[serde(skip)]
    version: u64,
    /// When the clock of the side to move has begun to run.
    #[serde(skip)]
    since: Option<Instant>,
    /// For how long it has been running.
    running_ms: u64,
}

/// An evaluation from White's view.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum LiveScore {
    Centipawns(i32),
    Mate { mate: i32 },
}

/// How the match stands.
#[derive(Clone, Default, Serialize)]
pub(super) struct Standing {
    names: Vec<String>,
    conditions: String,
    games: usize,
    total: usize,
    seconds: f64,
    /// The best first.
    table: Vec<Row>,
    sprt: Option<LiveTest>,
    /// The games that were over last, the newest first.
    recent: VecDeque<Recent>,
    /// How the match has ended.
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
    /// `null` where all points went one way.
    elo: Option<f64>,
    error: Option<f64>,
    /// Wins, draws and losses against each of the others, in the order of the table; `null` against itself.
    against: Vec<Option<[u64; 3]>>,
}

/// A sequential probability ratio test as it goes.
#[derive(Clone, Serialize)]
struct LiveTest {
    llr: f64,
    lower: f64,
    upper: f64,
    elo0: f64,
    elo1: f64,
    /// Games and the ratio after them.
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

/// What is news to somebody who watches.
#[derive(Serialize)]
pub(super) struct LiveUpdate {
    boards: Vec<LiveBoard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<Standing>,
}

impl LiveMatch {
    /// A match under these conditions, of which nothing has been played yet.
    pub fn new(conditions: String, sprt: Option<Sprt>) -> Self {
        let standing = Arc::new(Standing { conditions, ..Standing::default() });
        let state = State { version: 0, boards: Vec::new(), standing, sprt, stride: 1, pairings: 0 };
        Self(Arc::new(Shared { state: Mutex::new(state), version: watch::Sender::new(0) }))
    }

    /// The match begins, or goes on.
    pub fn begin(&self, progress: &Progress) {
        self.change(|state| state.count(progress));
    }

    /// Something has happened.
    pub fn on_event(&self, event: &Event<'_>) {
        match event {
            Event::Remark(_) => {}
            Event::Game(report) => self.change(|state| state.add_recent(report)),
            Event::Pairing(progress) => self.change(|state| state.count(progress)),
        }
    }

    /// The match is over.
    pub fn end(&self, how: String) {
        self.change(|state| {
            let standing = Arc::make_mut(&mut state.standing);
            (standing.ended, standing.version) = (Some(how), state.version);
        });
    }

    /// A game has changed.
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

    /// Is told of each change.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.0.version.subscribe()
    }

    /// What is new since this version, and the version that it is now.
    pub(super) fn update(&self, since: Option<u64>) -> (LiveUpdate, u64) {
        let state = self.0.state.lock();
        let is_new = |version: u64| since.is_none_or(|since| version > since);
        let boards = state.boards.iter().flatten().map(|board| &board.shown);
        let boards: Vec<Arc<LiveBoard>> = boards.filter(|board| is_new(board.version)).cloned().collect();
        let standing = Some(&state.standing).filter(|standing| is_new(standing.version)).cloned();
        let version = state.version;
        // What follows takes time that nobody else has to wait.
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

    fn add_recent(&mut self, report: &GameReport<'_>) {
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
        // The last point is that of now; the others are as far apart as there is room for.
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
            let _ = write!(shown.moves, "{gap}{san}"); // a string takes everything
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
