//! An engine with a seat: it moves, answers offers and resigns, and all it does is checked as what people do.

use super::engines::Engines;
use super::failure::Failure;
use super::hosted::HostedGame;
use super::places::Place;
use super::room::{Caller, Room};
use super::saved::{Opponent, SeatKind};
use crate::chess::Color;
use crate::client::{Engine, EngineError, SearchReply, SearchTimeout};
use crate::uci::{GoTokens, InfoValue, PositionTokens, StartPosition};
use crate::zone::{Act, Cause, EnteredMove, Phase, RuleSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// How long it thinks where there is no clock: with limited strength, and with all of it.
const LIMITED_THINKING: Duration = Duration::from_millis(300);
const FULL_THINKING: Duration = Duration::from_millis(1500);
/// How much longer than allowed it may take until it is stopped.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before what could not be saved is tried again.
const RETRY: Duration = Duration::from_millis(500);
/// How often it is started again for one move before it gives up.
const MAX_ATTEMPTS: usize = 3;
/// The weakest that resigns: against weaker ones people like to give mate.
const MIN_RESIGNING_ELO: u32 = 2000;
/// It resigns if so many of its moves in a row are worth no more than this, in centipawns.
const RESIGN_CP: i32 = -1000;
const RESIGN_MOVES: u32 = 4;
/// It accepts a draw after so many moves of both sides if it is not better than this, in centipawns.
const DRAW_PLIES: usize = 40;
const DRAW_CP: i32 = 0;
/// The value of a mate, in centipawns: more than any evaluation.
const MATE_CP: i32 = 100_000;

/// Gives an engine its seat: a thread that ends with the game or with the server. The game goes on without it if there
/// is no thread; its clock runs.
pub(super) fn seat(room: &Arc<Room>, color: Color, engines: &Engines, place: Option<Place>) {
    let game = room.game_unused();
    let SeatKind::Engine(opponent) = &game.head.seats[color as usize] else { return };
    let games = room.watch();
    let player = Player {
        room: Arc::clone(room),
        games,
        color,
        opponent: opponent.clone(),
        engines: engines.clone(),
        runtime: Handle::current(),
        engine: None,
        evaluation: None,
        lost_moves: 0,
        _place: place,
    };
    let _ = thread::Builder::new().name("opponent".to_owned()).spawn(move || player.play());
}

struct Player {
    room: Arc<Room>,
    games: watch::Receiver<Arc<HostedGame>>,
    color: Color,
    opponent: Opponent,
    engines: Engines,
    runtime: Handle,
    engine: Option<Engine>,
    /// What it thought of its last move, in centipawns.
    evaluation: Option<i32>,
    /// Its latest moves in a row that were lost.
    lost_moves: u32,
    _place: Option<Place>,
}

/// What has come of thinking.
enum SearchOutcome {
    Reply(Box<SearchReply>),
    /// The position is not that on the board any more.
    Obsolete,
    Failed,
}

impl Player {
    fn play(mut self) {
        loop {
            let game = Arc::clone(&self.games.borrow_and_update());
            if game.game.ending().is_some() || self.engines.is_ending() {
                break;
            }
            let has_answered = self.answer_offers(&game);
            if !has_answered && is_to_move(&game, self.color) {
                self.make_move(&game);
            }
            // The server drops the sender when it ends.
            if self.runtime.block_on(self.games.changed()).is_err() {
                break;
            }
        }
        match self.engine.take() {
            Some(engine) if !self.engines.is_ending() => engine.quit(),
            _ => {} // dropped, and so killed
        }
    }

    /// Does something; returns whether it was accepted.
    fn act(&self, act: Act) -> bool {
        self.act_as(Caller::Engine(self.color), act)
    }

    /// The same as somebody else. What cannot be saved is tried again, until it can be or the game has changed.
    fn act_as(&self, caller: Caller, act: Act) -> bool {
        let before = self.room.game_unused();
        loop {
            let done = self.runtime.block_on(self.room.act(caller, act.clone(), None));
            let is_unsaved = done.as_ref().is_err_and(Failure::is_unsaved);
            let is_over = self.engines.is_ending() || !is_same(&self.room.game_unused(), &before);
            if !is_unsaved || is_over {
                return done.is_ok();
            }
            thread::sleep(RETRY);
        }
    }

    fn answer_offers(&self, game: &HostedGame) -> bool {
        if game.game.phase() != Phase::Playing {
            return false;
        }
        if game.game.takeback_offer() == Some(!self.color) {
            return self.act(Act::AcceptTakeback);
        }
        if game.game.draw_offer() != Some(!self.color) {
            return false;
        }
        let is_enough =
            game.plies.len() >= DRAW_PLIES && self.evaluation.is_some_and(|value| value <= DRAW_CP);
        match is_enough {
            true => self.act(Act::AcceptDraw),
            false if game.game.rules().decline => self.act(Act::DeclineDraw),
            // Its next move declines it.
            false => false,
        }
    }

    fn make_move(&mut self, game: &HostedGame) {
        let mut failures = 0;
        let reply = loop {
            match self.think(game) {
                SearchOutcome::Reply(reply) => break reply,
                SearchOutcome::Obsolete => {
                    // Whatever has changed is looked at.
                    self.games.mark_changed();
                    return;
                }
                SearchOutcome::Failed => {
                    // Dropping it kills it.
                    self.engine = None;
                    failures += 1;
                }
            }
            if failures == MAX_ATTEMPTS {
                self.forfeit(Cause::Abandoned);
                return;
            }
        };
        self.evaluation = reply.score.map(|score| match score.value {
            InfoValue::Centipawns(value) => value,
            InfoValue::Mate(moves) if moves > 0 => MATE_CP,
            InfoValue::Mate(_) => -MATE_CP,
        });
        let is_lost = self.evaluation.is_some_and(|value| value <= RESIGN_CP);
        self.lost_moves = if is_lost { self.lost_moves + 1 } else { 0 };
        let is_strong = self.opponent.elo.is_none_or(|elo| elo >= MIN_RESIGNING_ELO);
        if is_strong && self.lost_moves >= RESIGN_MOVES {
            self.act(Act::Resign);
            return;
        }
        let mv = reply.best.and_then(|best| best.parse::<EnteredMove>().ok());
        let is_made = match mv {
            Some(mv) => self.claim_or_move(game, mv),
            None => false,
        };
        // Refused because the position has changed, or because it is illegal: then the engine forfeits.
        if !is_made && is_same(&self.games.borrow(), game) && !self.engines.is_ending() {
            self.forfeit(Cause::RulesInfraction);
        }
    }

    /// The opponent wins: it plays on no more, or not by the rules.
    fn forfeit(&self, cause: Cause) {
        let act = Act::Adjudicate { winner: Some(!self.color), cause };
        self.act_as(Caller::Arbiter, act); // it may be over
    }

    /// Over the board, a draw is claimed by whoever is not better.
    fn claim_or_move(&self, game: &HostedGame, mv: EnteredMove) -> bool {
        let wants_draw = self.evaluation.is_some_and(|value| value < DRAW_CP);
        if game.game.rules().set == RuleSet::Otb && wants_draw {
            // A wrong claim would cost time, so it is tried on a copy.
            let mut trial = HostedGame::clone(game);
            let at = trial.moment(self.room.now_ms());
            let by = crate::zone::Actor::player(self.color);
            let act = Act::ClaimDraw { mv: Some(mv) };
            trial.submit(crate::zone::Event { at, by, act: act.clone() });
            if trial.game.ending().is_some() {
                return self.act(act);
            }
        }
        self.act(Act::Move { mv })
    }

    fn think(&mut self, game: &HostedGame) -> SearchOutcome {
        let games = self.games.clone();
        let engines = self.engines.clone();
        let color = self.color;
        let is_wanted = || {
            let now = games.borrow();
            is_same(&now, game) && now.game.takeback_offer() != Some(!color) && !engines.is_ending()
        };
        let Some(_place) = self.engines.moves.take(is_wanted) else { return SearchOutcome::Obsolete };
        let (position, go, patience) = (tokens(game), self.limits(game), self.patience(game));
        let engine = match self.engine() {
            Ok(engine) => engine,
            Err(_) => return SearchOutcome::Failed,
        };
        let mut on_info = |_: Option<&_>| {
            if is_wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match engine.search_with_info(&position, &go, patience, &mut on_info) {
            _ if !is_wanted() => SearchOutcome::Obsolete,
            Ok(reply) => SearchOutcome::Reply(Box::new(reply)),
            Err(_) => SearchOutcome::Failed,
        }
    }

    fn engine(&mut self) -> Result<&mut Engine, EngineError> {
        let is_chess960 = self.room.game_unused().head.is_chess960;
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let mut engine = self.engines.opponent(self.opponent.elo, is_chess960)?;
                engine.begin_game()?;
                engine
            }
        };
        Ok(self.engine.insert(engine))
    }

    fn limits(&self, game: &HostedGame) -> GoTokens {
        let clocks = game.game.clocks();
        if !clocks.is_timed() {
            let time = if self.opponent.elo.is_some() { LIMITED_THINKING } else { FULL_THINKING };
            return GoTokens { move_time: Some(time), ..GoTokens::default() };
        }
        let at = game.moment(self.room.now_ms());
        let control = &game.game.rules().time_control;
        let increment = control.period(0).map(|period| period.increment());
        GoTokens {
            white_time: clocks.left(Color::White, at),
            black_time: clocks.left(Color::Black, at),
            white_increment: increment,
            black_increment: increment,
            moves_to_go: clocks.moves_to_go(self.color).filter(|&moves| moves > 0),
            ..GoTokens::default()
        }
    }

    fn patience(&self, game: &HostedGame) -> SearchTimeout {
        let left = game.game.clocks().left(self.color, game.moment(self.room.now_ms()));
        SearchTimeout::Total(left.unwrap_or(FULL_THINKING).saturating_add(PATIENCE))
    }
}

fn is_to_move(game: &HostedGame, color: Color) -> bool {
    game.game.phase() == Phase::Playing && game.game.position().turn() == color
}

/// Whether the position and the right to move are still the same.
fn is_same(now: &HostedGame, before: &HostedGame) -> bool {
    now.game.phase() == before.game.phase()
        && now.plies.len() == before.plies.len()
        && now.game.position() == before.game.position()
}

fn tokens(game: &HostedGame) -> PositionTokens {
    let moves = game.plies.iter().map(|ply| ply.uci.clone()).collect();
    PositionTokens { base: StartPosition::Fen(game.start_fen()), moves }
}
