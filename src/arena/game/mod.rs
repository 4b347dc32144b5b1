//! A game between two engines, move by move: clocks, rules and adjudication.

mod adjudication;
mod clock;
mod record;

pub use adjudication::{Adjudication, DrawRule, ResignRule, TablebaseRule, TablebaseScope};
pub use clock::{Clock, ClockTextError, Limits, parse_period, parse_seconds};
pub use record::{PlayedMove, Record, Termination};

use crate::arena::opening::Opening;
use crate::book::{self, Book};
use crate::chess::{Color, KeyHistory, Move, Position, Winnability};
use crate::client::{Engine, EngineError, SearchReply};
use crate::notation::{CastlingStyle, Excerpt, Fen, UciMove, parse_uci_move};
use crate::rng::Rng;
use crate::tablebase::Tablebase;
use crate::uci::{GoTokens, InfoScore, PositionTokens, StartPosition};
use adjudication::Adjudicator;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};
use thiserror::Error;

/// A side of a game.
pub struct MatchEngine<'a> {
    /// The engine that plays.
    pub engine: &'a mut Engine,
    /// The limits of its searches.
    pub limits: Limits,
    /// Whether the engine ponders.
    pub ponders: bool,
    /// Whether the engine always states scores from White's point of view.
    pub scores_for_white: bool,
    /// The book for the engine's first moves.
    pub book: Option<&'a Book>,
    /// The number of full moves of the game during which the engine uses its book; `None` for all.
    pub book_depth: Option<usize>,
    /// The maximum time of a search without a time limit.
    pub timeout: Duration,
}

/// The conditions of a game.
pub struct Game<'a> {
    /// The start position and the first moves.
    pub opening: &'a Opening,
    /// Whether castling is sent to engines as in Chess960.
    pub is_chess960: bool,
    /// The rules that end the game before the rules of chess do.
    pub adjudication: Adjudication,
    /// The endgame tablebases for adjudication.
    pub tables: Option<&'a Tablebase>,
    /// The seed for the choice of book moves.
    pub seed: u64,
    /// Becomes true if the game must be abandoned.
    pub is_interrupted: &'a AtomicBool,
    /// Called at the start of the game, after each move and at the end, on the thread that plays the game.
    pub watch: Option<&'a (dyn Fn(&View<'_>) + Sync)>,
}

/// The current state of a game.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The start position.
    pub start: &'a Position,
    /// The current position.
    pub position: &'a Position,
    /// The moves so far, those of the opening first.
    pub moves: &'a [PlayedMove],
    /// The remaining times of White and Black; `None` without a clock.
    pub clocks: [Option<Duration>; 2],
    /// The termination; `None` while the game is being played.
    pub termination: Option<&'a Termination>,
    /// Whether castling is written as in Chess960.
    pub is_chess960: bool,
}

/// The game was abandoned because the match is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the game was interrupted")]
pub struct Interrupted;

/// A game that is being played.
struct Playing<'a, 'b> {
    game: &'b Game<'b>,
    /// The two sides, White first.
    sides: [MatchEngine<'a>; 2],
    clocks: [Clock; 2],
    position: Position,
    key_history: KeyHistory,
    /// The tokens of the `position` command.
    tokens: PositionTokens,
    moves: Vec<PlayedMove>,
    adjudicator: Adjudicator,
    rng: Rng,
    /// The reply on which each side is pondering.
    expected: [Option<Move>; 2],
}

impl Game<'_> {
    /// Plays the game.
    ///
    /// # Errors
    /// [`Interrupted`] if the match is interrupted. A failure of an engine is not an error, but ends the game with a
    /// termination.
    pub fn play(&self, white: MatchEngine<'_>, black: MatchEngine<'_>) -> Result<Record, Interrupted> {
        let started = SystemTime::now();
        let begin = Instant::now();
        let start = *self.opening.start();
        let base = if start == Position::start() {
            StartPosition::Startpos
        } else {
            StartPosition::Fen(Fen::new(&start).to_string())
        };
        let mut playing = Playing {
            game: self,
            clocks: [Clock::new(&white.limits), Clock::new(&black.limits)],
            sides: [white, black],
            position: start,
            key_history: KeyHistory::new(&start),
            tokens: PositionTokens { base, moves: Vec::new() },
            moves: Vec::new(),
            adjudicator: Adjudicator::new(self.adjudication),
            rng: Rng::new(self.seed),
            expected: [None; 2],
        };
        let termination = playing.run()?;
        playing.show(Some(&termination));
        Ok(Record {
            start,
            end: playing.position,
            moves: playing.moves,
            termination,
            started,
            duration: begin.elapsed(),
        })
    }

    const fn style(&self) -> CastlingStyle {
        if self.is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }
}

impl Playing<'_, '_> {
    fn run(&mut self) -> Result<Termination, Interrupted> {
        for &mv in self.game.opening.moves() {
            self.push(mv, None, None);
        }
        for color in Color::ALL {
            if let Err(error) = self.sides[color].engine.begin_game() {
                return Ok(failure(color, &error));
            }
        }
        self.show(None);
        loop {
            if self.game.is_interrupted.load(Ordering::Relaxed) {
                return Err(Interrupted);
            }
            if let Some(outcome) = self.position.outcome(&self.key_history) {
                return Ok(self.end(Termination::Rules(outcome)));
            }
            if let Some(termination) = self.play_move() {
                if self.game.is_interrupted.load(Ordering::Relaxed) {
                    return Err(Interrupted);
                }
                return Ok(self.end(termination));
            }
            self.show(None);
        }
    }

    /// Passes the state of the game to `watch`, if it is set.
    fn show(&self, termination: Option<&Termination>) {
        let Some(watch) = self.game.watch else { return };
        watch(&View {
            start: self.game.opening.start(),
            position: &self.position,
            moves: &self.moves,
            clocks: [self.clocks[Color::White].left(), self.clocks[Color::Black].left()],
            termination,
            is_chess960: self.game.is_chess960,
        });
    }

    /// Stops both engines. An engine that does not react fails at the start of the next game.
    fn end(&mut self, termination: Termination) -> Termination {
        for side in &mut self.sides {
            let _ = side.engine.stop_pondering();
        }
        termination
    }

    fn play_move(&mut self) -> Option<Termination> {
        let color = self.position.turn();
        if let Some(mv) = self.book_move(color) {
            if let Err(error) = self.play_book_move(color, mv) {
                return Some(failure(color, &error));
            }
            return self.adjudicated(color, None);
        }
        let mut reply = match self.search(color) {
            Ok(reply) => reply,
            Err(error) => return Some(failure(color, &error)),
        };
        if self.sides[color].scores_for_white && color == Color::Black {
            reply.score = reply.score.map(InfoScore::reversed);
        }
        if !self.clocks[color].spend(reply.elapsed) {
            return Some(match self.position.can_checkmate(!color) {
                Winnability::Unwinnable => Termination::DrawnTimeForfeit { late: color },
                Winnability::Winnable(_) | Winnability::Undetermined => {
                    Termination::TimeForfeit { loser: color }
                }
            });
        }
        if !self.sides[color].limits.is_timed() && reply.elapsed > self.sides[color].timeout {
            let reason = format!("no move in {:.1} s", self.sides[color].timeout.as_secs_f64());
            return Some(Termination::Stall { loser: color, reason });
        }
        let Some(mv) = reply.best.as_deref().and_then(|text| parse_uci_move(text, &self.position).ok())
        else {
            let found = reply.best.as_deref().map(Excerpt::new);
            return Some(Termination::IllegalMove { loser: color, found });
        };
        let (score, ponder) = (reply.score, reply.ponder.clone());
        self.push(mv, Some(reply), self.clocks[color].left());
        let verdict = self.adjudicated(color, score);
        if verdict.is_none() && self.position.outcome(&self.key_history).is_none() {
            self.ponder(color, ponder.as_deref());
        }
        verdict
    }

    /// The termination by the rules of adjudication after a move of this side with this score; a move from a book has
    /// none.
    fn adjudicated(&mut self, color: Color, score: Option<InfoScore>) -> Option<Termination> {
        if self.position.outcome(&self.key_history).is_some() {
            // Mate takes precedence over an adjudication by earlier scores.
            return None;
        }
        if let (Some(rule), Some(tables)) = (&self.game.adjudication.tablebase, self.game.tables)
            && let Some(termination) = rule.judge(tables, &self.position)
        {
            return Some(termination);
        }
        self.adjudicator.judge(color, score, &self.position)
    }

    /// A random move of a side's book, with a probability proportional to its weight.
    fn book_move(&mut self, color: Color) -> Option<Move> {
        let MatchEngine { book, book_depth, .. } = &self.sides[color];
        let book = (*book)?;
        if book_depth.is_some_and(|depth| self.moves.len() / 2 >= depth) {
            return None;
        }
        book::draw(&book.moves(&self.position), &mut self.rng)
    }

    /// Plays a move of a book, which takes no time.
    fn play_book_move(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        if self.expected[color].take().is_some() {
            self.sides[color].engine.stop_pondering()?;
        }
        let _is_in_time = self.clocks[color].spend(Duration::ZERO);
        self.push(mv, None, self.clocks[color].left());
        Ok(())
    }

    fn search(&mut self, color: Color) -> Result<SearchReply, EngineError> {
        let go = self.go(color);
        let side = &mut self.sides[color];
        let timeout = self.clocks[color].allowance().unwrap_or(side.timeout);
        let played = self.moves.last().map(|played| played.mv);
        match self.expected[color].take() {
            Some(expected) if Some(expected) == played => {
                return side.engine.ponder_hit(timeout, self.game.is_interrupted);
            }
            Some(_) => side.engine.stop_pondering()?,
            None => {}
        }
        side.engine.search(&self.tokens, &go, timeout, self.game.is_interrupted)
    }

    /// Starts pondering on the reply that a side expects after its move.
    fn ponder(&mut self, color: Color, reply: Option<&str>) {
        if !self.sides[color].ponders {
            return;
        }
        let legal = reply.and_then(|text| parse_uci_move(text, &self.position).ok());
        let Some(reply) = legal else { return };
        let after = self.position.after(reply).0;
        if !after.has_legal_moves() {
            return;
        }
        let go = self.go(color);
        self.tokens.moves.push(UciMove::new(reply, self.game.style()).to_string());
        self.sides[color].engine.ponder(&self.tokens, &go);
        self.tokens.moves.pop();
        self.expected[color] = Some(reply);
    }

    /// The `go` command for the next move of a side.
    fn go(&self, color: Color) -> GoTokens {
        let limits = &self.sides[color].limits;
        let mut go = GoTokens {
            move_time: limits.move_time,
            nodes: limits.nodes,
            depth: limits.depth,
            ..GoTokens::default()
        };
        // Some engines interpret a remaining time of zero as no clock.
        let shown = |color: Color| self.clocks[color].left().map(|left| left.max(Duration::from_millis(1)));
        let increment = |color: Color| {
            let clock = self.sides[color].limits.clock;
            clock.map(|clock| clock.increment()).filter(|increment| !increment.is_zero())
        };
        if limits.clock.is_some() {
            go.white_time = shown(Color::White);
            go.black_time = shown(Color::Black);
            go.white_increment = increment(Color::White);
            go.black_increment = increment(Color::Black);
            go.moves_to_go = self.clocks[color].moves_to_go();
        }
        go
    }

    fn push(&mut self, mv: Move, reply: Option<SearchReply>, left: Option<Duration>) {
        self.tokens.moves.push(UciMove::new(mv, self.game.style()).to_string());
        self.position = self.position.after(mv).0;
        self.key_history.push(&self.position);
        self.moves.push(PlayedMove { mv, reply, left });
    }
}

/// The termination of a game in which an engine fails.
fn failure(loser: Color, error: &EngineError) -> Termination {
    let reason = error.to_string();
    match error {
        EngineError::Stalled { .. } => Termination::Stall { loser, reason },
        _ => Termination::Disconnect { loser, reason },
    }
}
