//! An engine as a player: it moves, answers offers and resigns. Its acts are checked like those of people.

use super::clock::unix_ms;
use super::engines::Engines;
use super::failure::Failure;
use super::hosted::HostedGame;
use super::places::Place;
use super::room::{Caller, Room};
use super::saved::{Opponent, SeatKind};
use crate::book;
use crate::chess::Color;
use crate::client::{Engine, EngineError, SearchReply, SearchTimeout};
use crate::rng::Rng;
use crate::uci::{GoTokens, InfoValue, PositionTokens, StartPosition};
use crate::zone::{Act, Cause, Clocks, EnteredMove, Moment, Phase, RuleSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// The time per move in games without a clock, with limited and with full strength.
const LIMITED_THINKING: Duration = Duration::from_millis(300);
const FULL_THINKING: Duration = Duration::from_millis(1500);
/// The most that a move of the book takes, as a part of the time on the clock.
const BOOK_SHARE: u32 = 50;
/// The time after its limit at which the search is stopped.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time after which the engine ends, and gives up its place, if it is the turn of a person who is away.
const LEFT_AFTER: Duration = Duration::from_secs(20);
/// The pause before an act that could not be saved is repeated.
const RETRY: Duration = Duration::from_millis(500);
/// The maximum number of starts of the engine for one move, after which it forfeits.
const MAX_ATTEMPTS: usize = 3;
/// The minimum Elo of an engine that resigns: against weaker ones, people prefer to give mate.
const MIN_RESIGNING_ELO: u32 = 2000;
/// The engine resigns if its evaluation is at most this, in centipawns, for this number of its moves in a row.
const RESIGN_CP: i32 = -1000;
const RESIGN_MOVES: u32 = 4;
/// The engine accepts a draw after this number of plies if its evaluation is at most this, in centipawns.
const DRAW_PLIES: usize = 40;
const DRAW_CP: i32 = 0;
/// The value of a mate in centipawns, above any evaluation.
const MATE_CP: i32 = 100_000;

/// Seats an engine: starts its thread, which ends with the game, with its room or with the server. If the thread cannot
/// be started, the game continues and the clock of the engine runs. Without a place the engine waits for one before it
/// moves.
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
        rng: Rng::new(seed()),
        place,
    };
    let _ = thread::Builder::new().name("opponent".to_owned()).spawn(move || player.play());
}

/// A number that differs between opponents.
fn seed() -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    // Without random numbers of the system the time is good enough for the choice of book moves.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_ne_bytes(bytes),
        Err(_) => unix_ms(),
    }
}

struct Player {
    room: Arc<Room>,
    games: watch::Receiver<Arc<HostedGame>>,
    color: Color,
    opponent: Opponent,
    engines: Engines,
    runtime: Handle,
    engine: Option<Engine>,
    /// The evaluation of its last move, in centipawns.
    evaluation: Option<i32>,
    /// The number of its latest moves in a row with a lost evaluation.
    lost_moves: u32,
    /// Chooses the moves of its book.
    rng: Rng,
    /// The place of the engine among those that play.
    place: Option<Place>,
}

/// The outcome of a search.
enum SearchOutcome {
    Reply(Box<SearchReply>),
    /// The position on the board has changed.
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
            if !self.waits() {
                break;
            }
        }
        self.rest();
    }

    /// Waits for the next change of the game; false if there will be none.
    fn waits(&mut self) -> bool {
        let mut closing = self.room.closing();
        let has_person = !self.games.borrow().is_engine(!self.color);
        loop {
            let may_rest = has_person && (self.place.is_some() || self.engine.is_some());
            let changed = self.runtime.block_on(async {
                tokio::select! {
                    // At shutdown the server drops the sender.
                    changed = self.games.changed() => Some(changed.is_ok()),
                    _ = closing.wait_for(|closing| *closing) => Some(false),
                    () = tokio::time::sleep(LEFT_AFTER), if may_rest => None,
                }
            });
            match changed {
                Some(goes_on) => return goes_on,
                None if self.games.borrow().game.seat(!self.color).away_since.is_some() => self.rest(),
                None => {}
            }
        }
    }

    /// Ends the engine, and gives up its place.
    fn rest(&mut self) {
        match self.engine.take() {
            Some(engine) if !self.engines.is_ending() => engine.quit(),
            _ => {} // dropping it kills the process
        }
        self.place = None;
    }

    /// Waits for a place, if the engine has none; returns whether it has one, and its move is still wanted.
    fn takes_place(&mut self, game: &HostedGame) -> bool {
        if self.place.is_none() {
            let is_wanted =
                || !self.engines.is_ending() && is_wanted(&self.room.game_unused(), game, self.color);
            self.place = self.engines.games.take(is_wanted);
        }
        self.place.is_some()
    }

    /// Submits an act; returns whether it was accepted.
    fn act(&self, act: Act) -> bool {
        self.act_as(Caller::Engine(self.color), act)
    }

    /// Submits an act as this caller. If it cannot be saved, it is repeated until it can be, or until the game has
    /// changed.
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
            // The next move of the engine declines the offer.
            false => false,
        }
    }

    /// Plays a move of the book, or searches for one.
    fn make_move(&mut self, game: &HostedGame) {
        if !self.takes_place(game) {
            // The loop in `play` must handle the changed game.
            self.games.mark_changed();
            return;
        }
        let Some(mv) = self.book_move(game) else { return self.make_own_move(game) };
        if !self.pauses(game) {
            // The loop in `play` must handle the changed game.
            self.games.mark_changed();
            return;
        }
        self.evaluation = None;
        self.lost_moves = 0;
        if !self.act(Act::Move { mv }) && is_same(&self.room.game_unused(), game) && !self.engines.is_ending()
        {
            self.make_own_move(game);
        }
    }

    /// A random move of its book, with a probability proportional to its weight. `None` without a book, or where the
    /// book has no move.
    fn book_move(&mut self, game: &HostedGame) -> Option<EnteredMove> {
        let book = self.engines.book_of(&self.opponent)?;
        book::draw(&book.moves(game.game.position()), &mut self.rng).map(EnteredMove::from)
    }

    /// Waits for as long as a move of the book takes; returns whether the move is still wanted.
    fn pauses(&self, game: &HostedGame) -> bool {
        let left = game.game.clocks().left(self.color, game.moment(self.room.now_ms()));
        let time = left.map_or(self.thinking(), |left| self.thinking().min(left / BOOK_SHARE));
        let mut games = self.games.clone();
        let is_unwanted = |now: &Arc<HostedGame>| !is_wanted(now, game, self.color);
        let wait = async { tokio::time::timeout(time, games.wait_for(is_unwanted)).await.is_err() };
        self.runtime.block_on(wait) && !self.engines.is_ending()
    }

    /// The time for a move in games without a clock.
    const fn thinking(&self) -> Duration {
        if self.opponent.elo.is_some() { LIMITED_THINKING } else { FULL_THINKING }
    }

    /// Plays the result of a search.
    fn make_own_move(&mut self, game: &HostedGame) {
        let mut failures = 0;
        let reply = loop {
            match self.think(game) {
                SearchOutcome::Reply(reply) => break reply,
                SearchOutcome::Obsolete => {
                    // The loop in `play` must handle the changed game.
                    self.games.mark_changed();
                    return;
                }
                SearchOutcome::Failed => {
                    // Dropping an engine kills its process.
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
        // If the position is unchanged, the move was illegal, and the engine forfeits.
        if !is_made && is_same(&self.games.borrow(), game) && !self.engines.is_ending() {
            self.forfeit(Cause::RulesInfraction);
        }
    }

    /// Ends the game as a win of the opponent.
    fn forfeit(&self, cause: Cause) {
        let act = Act::Adjudicate { winner: Some(!self.color), cause };
        self.act_as(Caller::Arbiter, act); // refused if the game is already over
    }

    /// Plays the move. Over the board, claims a draw with it if the evaluation is negative and the claim is correct.
    fn claim_or_move(&self, game: &HostedGame, mv: EnteredMove) -> bool {
        let wants_draw = self.evaluation.is_some_and(|value| value < DRAW_CP);
        if game.game.rules().set == RuleSet::Otb && wants_draw {
            // A wrong claim would cost time, so it is tried on a copy first.
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
        let is_wanted = || is_wanted(&games.borrow(), game, color) && !engines.is_ending();
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
            return GoTokens { move_time: Some(self.thinking()), ..GoTokens::default() };
        }
        clock_limits(clocks, self.color, game.moment(self.room.now_ms()))
    }

    fn patience(&self, game: &HostedGame) -> SearchTimeout {
        let left = game.game.clocks().left(self.color, game.moment(self.room.now_ms()));
        SearchTimeout::Total(left.unwrap_or(FULL_THINKING).saturating_add(PATIENCE))
    }
}

/// The limits of a search by the clocks, for the side to move.
fn clock_limits(clocks: &Clocks, turn: Color, at: Moment) -> GoTokens {
    GoTokens {
        white_time: clocks.left(Color::White, at),
        black_time: clocks.left(Color::Black, at),
        white_increment: clocks.increment(Color::White),
        black_increment: clocks.increment(Color::Black),
        moves_to_go: clocks.moves_to_go(turn).filter(|&moves| moves > 0),
        ..GoTokens::default()
    }
}

fn is_to_move(game: &HostedGame, color: Color) -> bool {
    game.game.phase() == Phase::Playing && game.game.position().turn() == color
}

/// Whether a move of this side, thought out for an earlier state, can still be played.
fn is_wanted(now: &HostedGame, before: &HostedGame, color: Color) -> bool {
    is_same(now, before) && now.game.takeback_offer() != Some(!color)
}

/// Whether phase and position are unchanged.
fn is_same(now: &HostedGame, before: &HostedGame) -> bool {
    now.game.phase() == before.game.phase()
        && now.plies.len() == before.plies.len()
        && now.game.position() == before.game.position()
}

fn tokens(game: &HostedGame) -> PositionTokens {
    let moves = game.plies.iter().map(|ply| ply.uci.clone()).collect();
    PositionTokens { base: StartPosition::Fen(game.start_fen()), moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::zone::{Actor, Event, Game, Rules};

    #[test]
    fn an_engine_gets_the_increment_of_the_period_of_each_side() {
        let control = "2/60+30:30+5:10".parse().expect("a time control");
        let mut game = Game::new(Position::start(), Rules { time_control: control, ..Rules::default() });
        let mut act = |by, act| {
            let answer = game.submit(Event { at: Moment::START, by, act });
            assert_eq!(answer.refusal, None);
            let [white, black] = [Color::White, Color::Black].map(|color| {
                let limits = clock_limits(game.clocks(), color, Moment::START);
                let increments = [limits.white_increment, limits.black_increment];
                (limits.moves_to_go, increments.map(|time| time.map(|time| time.as_secs())))
            });
            (white, black)
        };
        let sit = |name: &str| Act::Sit { name: name.to_owned() };
        act(Actor::White, sit("Ann"));
        let mv = |text: &str| Act::Move { mv: text.parse().expect("a move") };
        let first = [Some(30), Some(30)];
        assert_eq!(act(Actor::Black, sit("Bob")), ((Some(2), first), (Some(2), first)));
        act(Actor::White, mv("e2e4"));
        act(Actor::Black, mv("e7e5"));
        let mixed = [Some(5), Some(30)];
        assert_eq!(act(Actor::White, mv("g1f3")), ((None, mixed), (Some(1), mixed)));
        let second = [Some(5), Some(5)];
        assert_eq!(act(Actor::Black, mv("b8c6")), ((None, second), (None, second)));
    }
}
