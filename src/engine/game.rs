//! The current game.

use crate::chess::{KeyHistory, Move, Position};
use crate::notation::{PositionError, SanError, UciMoveError, parse_san, parse_uci_move, repair_fen};
use crate::uci::{PositionTokens, StartPosition};

/// A position and the game that led to it.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The position of the next search.
    pub position: Position,
    /// All positions since the one that was set up, including that one.
    pub key_history: KeyHistory,
}

/// The reason why a `position` command was not executed completely.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GameError {
    /// The FEN is malformed, or its position is illegal.
    #[error("{0}")]
    Fen(#[source] PositionError),
    /// The command states no position.
    #[error("nothing follows, expected `startpos` or `fen`")]
    Missing,
    /// A move cannot be played; the moves before it have been played.
    #[error("position stops before move {number} of {count}: {error}")]
    Move {
        /// The number of the move, counted from 1.
        number: usize,
        /// The number of moves.
        count: usize,
        /// The reason.
        #[source]
        error: UciMoveError,
    },
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl Game {
    /// A game that starts with this position.
    pub(super) fn new(position: Position) -> Self {
        Self { position, key_history: KeyHistory::new(&position) }
    }

    /// Executes a `position` command, up to its first illegal move. If the FEN was repaired, a message is added to
    /// `notes`.
    ///
    /// # Errors
    /// [`GameError::Move`] after setting up the new game up to the illegal move; any other error leaves the game
    /// unchanged.
    pub(super) fn set(&mut self, tokens: &PositionTokens, notes: &mut Vec<String>) -> Result<(), GameError> {
        *self = Self::new(match &tokens.base {
            StartPosition::Startpos => Position::start(),
            StartPosition::Fen(fen) => {
                let read = repair_fen(fen).map_err(GameError::Fen)?;
                notes.extend(read.note());
                read.position
            }
            StartPosition::Missing => return Err(GameError::Missing),
        });
        for (index, text) in tokens.moves.iter().enumerate() {
            let mv = parse_uci_move(text, &self.position).map_err(|error| GameError::Move {
                number: index + 1,
                count: tokens.moves.len(),
                error,
            })?;
            self.play(mv);
        }
        Ok(())
    }

    /// Plays a move typed by a user in UCI or algebraic notation.
    ///
    /// # Errors
    /// [`SanError`] if it is not a legal move; the game is then unchanged.
    pub(super) fn play_text(&mut self, text: &str) -> Result<(), SanError> {
        let mv = match parse_uci_move(text, &self.position) {
            Ok(mv) => Some(mv),
            Err(_) => parse_san(text, &self.position)?.mv(),
        };
        // A null move does not change the game.
        if let Some(mv) = mv {
            self.play(mv);
        }
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        self.position = self.position.after(mv).0;
        self.key_history.push(&self.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Command;

    fn set(game: &mut Game, line: &str) -> Option<String> {
        match Command::parse(line.as_bytes()).command {
            Some(Command::Position(tokens)) => {
                game.set(&tokens, &mut Vec::new()).err().map(|error| error.to_string())
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_position_counts_for_repetitions() {
        let mut game = Game::default();
        let to_and_fro = "g1f3 g8f6 f3g1 f6g8";
        let line = format!("position startpos moves {to_and_fro} {to_and_fro} e2e4");
        assert_eq!(set(&mut game, line.strip_suffix(" e2e4").expect("it ends so")), None);
        assert_eq!((game.key_history.len(), game.key_history.repetitions(&game.position)), (9, 2));
        assert_eq!(set(&mut game, &line), None);
        assert_eq!((game.key_history.len(), game.key_history.repetitions(&game.position)), (10, 0));
    }

    #[test]
    fn an_illegal_position_leaves_the_game_alone() {
        let mut game = Game::default();
        assert_eq!(set(&mut game, "position startpos moves e2e4"), None);
        let before = game.position;
        assert!(set(&mut game, "position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4").is_some());
        assert_eq!((game.position, game.key_history.len()), (before, 2));
    }

    #[test]
    fn an_illegal_move_ends_the_game_before_it() {
        let mut game = Game::default();
        let error = set(&mut game, "position startpos moves e2e4 e2e4 e7e5");
        assert!(error.is_some_and(|error| error.starts_with("position stops before move 2 of 3: ")));
        assert_eq!(game.key_history.len(), 2);
    }
}
