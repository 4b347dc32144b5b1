//! Moves on an electronic board, which recognizes its pieces and reports where they stand.

use crate::chess::{Move, Piece, Position, Square};
use crate::notation::parse_fen;
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;
use thiserror::Error;

/// The pieces on an electronic board. While a piece is moved, they are those of no position.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct BoardPieces([Option<Piece>; Square::COUNT]);

/// The error of a text that does not state the pieces on a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardPiecesError {
    /// The text has more than one field.
    #[error("expected only the pieces, the first field of FEN, found {0} fields")]
    Fields(usize),
    /// The field is not a piece placement.
    #[error("{0}")]
    Placement(String),
}

/// A square on which an electronic board differs from the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SquareDifference {
    /// The square.
    #[serde(serialize_with = "as_text")]
    pub square: Square,
    /// The piece on the electronic board.
    #[serde(serialize_with = "as_letter")]
    pub found: Option<Piece>,
    /// The piece in the game.
    #[serde(serialize_with = "as_letter")]
    pub expected: Option<Piece>,
}

fn as_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

fn as_letter<S: Serializer>(piece: &Option<Piece>, serializer: S) -> Result<S::Ok, S::Error> {
    piece.map(Piece::letter).serialize(serializer)
}

impl FromStr for BoardPieces {
    type Err = BoardPiecesError;

    /// Parses the piece placement of FEN, such as `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR`. The pieces need
    /// not be those of a legal position.
    fn from_str(text: &str) -> Result<Self, BoardPiecesError> {
        let fields = text.split_whitespace().count();
        if fields != 1 {
            return Err(BoardPiecesError::Fields(fields));
        }
        let setup = parse_fen(&format!("{} w - - 0 1", text.trim()));
        let text_of = |errors: Vec<_>| errors.first().map(ToString::to_string).unwrap_or_default();
        setup.map(|setup| Self(setup.pieces)).map_err(|errors| BoardPiecesError::Placement(text_of(errors)))
    }
}

impl TryFrom<String> for BoardPieces {
    type Error = BoardPiecesError;

    fn try_from(text: String) -> Result<Self, BoardPiecesError> {
        text.parse()
    }
}

impl BoardPieces {
    /// The legal move after which the pieces stand like this; `None` if there is none, since a move is in progress, or
    /// is illegal.
    pub fn move_from(&self, position: &Position) -> Option<Move> {
        let leads_here = |mv: &Move| self.is_of(&position.after(*mv).0);
        position.legal_moves().into_iter().find(leads_here)
    }

    /// The squares on which the board differs from a position.
    pub fn differences(&self, position: &Position) -> Vec<SquareDifference> {
        let difference = |square: Square| {
            let (found, expected) = (self.0[square], position.piece_at(square));
            (found != expected).then_some(SquareDifference { square, found, expected })
        };
        Square::ALL.into_iter().filter_map(difference).collect()
    }

    fn is_of(&self, position: &Position) -> bool {
        Square::ALL.into_iter().all(|square| self.0[square] == position.piece_at(square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{San, position_from_fen};
    use proptest::prelude::*;

    fn pieces(text: &str) -> BoardPieces {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn moves_are_recognized_by_the_pieces_after_them() {
        for (fen, after, expected) in [
            ("7k/8/8/8/8/8/4P3/K7 w - - 0 1", "7k/8/8/8/4P3/8/8/K7", Some("e4")),
            ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "7k/8/3P4/8/8/8/8/K7", Some("exd6")),
            ("r3k3/8/8/8/8/8/8/1K6 b q - 0 1", "2kr4/8/8/8/8/8/8/1K6", Some("O-O-O")),
            ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "4N3/7k/8/8/8/8/8/K7", Some("e8=N")),
            // A pawn that has been lifted, one that is not yet promoted, and a king that is not yet beside its rook.
            ("7k/8/8/8/8/8/4P3/K7 w - - 0 1", "7k/8/8/8/8/8/8/K7", None),
            ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "4P3/7k/8/8/8/8/8/K7", None),
            ("r3k3/8/8/8/8/8/8/1K6 b q - 0 1", "r1k5/8/8/8/8/8/8/1K6", None),
        ] {
            let position = position_from_fen(fen).expect("a position");
            let found = pieces(after).move_from(&position);
            let san = found.map(|mv| San::new(&position, mv).to_string());
            assert_eq!(san.as_deref(), expected, "{fen} {after}");
        }
    }

    #[test]
    fn differences_name_what_stands_and_what_should_stand() {
        let position = Position::start();
        let found = pieces("rnbqkbnr/pppppppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR").differences(&position);
        let json = serde_json::to_string(&found).expect("it can be written");
        assert_eq!(
            json,
            r#"[{"square":"e2","found":null,"expected":"P"},{"square":"e4","found":"p","expected":null}]"#
        );
    }

    #[test]
    fn texts_that_state_no_pieces_are_refused() {
        for (text, expected) in [
            ("", "expected only the pieces, the first field of FEN, found 0 fields"),
            ("8/8/8/8/8/8/8/8 w", "expected only the pieces, the first field of FEN, found 2 fields"),
            ("8/8/8", "piece placement: 3 ranks"),
        ] {
            let error = text.parse::<BoardPieces>().expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_move_of_a_random_game_is_recognized(choices in proptest::collection::vec(any::<u16>(), 1..60)) {
            let mut position = Position::start();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let after = position.after(mv).0;
                    let board = BoardPieces(Square::ALL.map(|square| after.piece_at(square)));
                    prop_assert_eq!(board.move_from(&position), Some(mv));
                    prop_assert_eq!(board.differences(&after), []);
                }
                position = position.after(moves[usize::from(choice) % moves.len()]).0;
            }
        }
    }
}
