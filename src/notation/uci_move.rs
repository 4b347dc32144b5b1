//! Moves in the notation of UCI: `e2e4`, `e7e8q`, castling as `e1g1` or `e1h1`.

use super::Excerpt;
use crate::chess::{CastlingSide, File, Move, MoveKind, Position, Rank, Role, Square};
use std::fmt;
use std::str::FromStr;

/// The notation of castling. Both styles are always accepted when reading.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CastlingStyle {
    /// A king from the e-file moves two squares: `e1g1`. From any other file, where this could be an ordinary king
    /// move, the king takes its own rook.
    #[default]
    Standard,
    /// The king takes its own rook: `e1h1`, with the option `UCI_Chess960`.
    Chess960,
}

/// A move as spelled, without reference to a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciMove {
    /// `0000`: the side to move passes.
    Null,
    /// From one square to another, optionally with a promotion.
    Squares {
        /// The origin.
        from: Square,
        /// The target; for castling, the king's target or the rook's square.
        to: Square,
        /// The role to which a pawn promotes.
        promotion: Option<Role>,
    },
}

impl UciMove {
    /// The notation of a move.
    pub const fn new(mv: Move, style: CastlingStyle) -> Self {
        let from = mv.from();
        let to = match style {
            CastlingStyle::Standard if from.file() as u8 == File::E as u8 => mv.landing(),
            _ => mv.to(),
        };
        Self::Squares { from, to, promotion: mv.promotion() }
    }

    /// The legal move with this notation.
    ///
    /// In Chess960 one text may mean two moves. It is castling if the king can take its own rook; otherwise it is a
    /// king move; only if neither is legal, the target is that of castling.
    ///
    /// # Errors
    /// [`UciMoveError::Illegal`] if there is no such move. A null move is not a legal move.
    pub fn to_move(self, position: &Position) -> Result<Move, UciMoveError> {
        let illegal = UciMoveError::Illegal(self);
        let Self::Squares { from, to, promotion } = self else { return Err(illegal) };
        let legal = |from: Square, to: Square, kind| {
            (from != to).then(|| Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv))
        };
        if let Some(role) = promotion {
            return MoveKind::promotion(role).and_then(|kind| legal(from, to, kind)).ok_or(illegal);
        }
        let castled = || {
            let rook = CastlingSide::ALL
                .into_iter()
                .filter(|&side| side.castled(from.rank())[0] == to)
                .find_map(|side| position.castling_rook(position.turn(), side))?;
            legal(from, rook, MoveKind::Castle)
        };
        [MoveKind::Castle, MoveKind::Normal, MoveKind::EnPassant]
            .into_iter()
            .find_map(|kind| legal(from, to, kind))
            .or_else(castled)
            .ok_or(illegal)
    }
}

/// Reads a move that is legal in this position.
///
/// # Errors
/// [`UciMoveError`] if the text is not a move, or the move is not legal in the position.
pub fn parse_uci_move(text: &str, position: &Position) -> Result<Move, UciMoveError> {
    text.parse::<UciMove>()?.to_move(position)
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("0000"),
            Self::Squares { from, to, promotion } => {
                write!(f, "{from}{to}")?;
                promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
            }
        }
    }
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    /// Reads `e2e4`, `e7e8q` or `e7e8Q`, `0000`.
    ///
    /// # Errors
    /// [`UciMoveError::NotAMove`] for any other text.
    fn from_str(text: &str) -> Result<Self, UciMoveError> {
        if text == "0000" {
            return Ok(Self::Null);
        }
        parse_squares(text).ok_or_else(|| UciMoveError::NotAMove(Excerpt::new(text)))
    }
}

fn parse_squares(text: &str) -> Option<UciMove> {
    let mut letters = text.chars();
    let from = parse_square(&mut letters)?;
    let to = parse_square(&mut letters)?;
    let promotion = match letters.next() {
        None => None,
        Some(letter) => Some(Role::from_letter(letter).filter(|role| Role::PROMOTIONS.contains(role))?),
    };
    letters.next().is_none().then_some(UciMove::Squares { from, to, promotion })
}

fn parse_square(letters: &mut std::str::Chars<'_>) -> Option<Square> {
    let file = letters.next().filter(char::is_ascii_lowercase).and_then(File::from_letter)?;
    Some(Square::new(file, Rank::from_digit(letters.next()?)?))
}

/// The reason why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciMoveError {
    /// The text is not a move.
    #[error("{0} is not a move, expected two squares such as e2e4 or e7e8q")]
    NotAMove(Excerpt),
    /// The text is a move that is not legal in the position.
    #[error("{0} is not a legal move here")]
    Illegal(UciMove),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;

    fn position(fen: &str) -> Position {
        position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn reads_what_is_legal() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let promoting = "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1";
        let beside_the_rook = "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1";
        let two_ways = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1";
        let three_ways = "4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1";
        let home = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
        let cases = [
            ("a push", "d5d6", kiwipete, "d5d6"),
            ("two squares to castle", "e1g1", kiwipete, "e1h1 castling"),
            ("king takes rook", "e1h1", kiwipete, "e1h1 castling"),
            ("two squares to the queen's wing", "e1c1", kiwipete, "e1a1 castling"),
            ("a promotion", "c7c8n", promoting, "c7c8n"),
            ("a promotion in upper case", "c7d8Q", promoting, "c7d8q"),
            ("en passant", "e5d6", "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6 e.p."),
            ("rook beside the king", "f1g1", beside_the_rook, "f1g1 castling"),
            ("a king's move before castling", "f1g1", two_ways, "f1g1"),
            ("the rook makes it castling", "f1h1", two_ways, "f1h1 castling"),
            ("castled square far away", "f1c1", two_ways, "f1a1 castling"),
            ("a king's move toward the c-file", "d1c1", three_ways, "d1c1"),
            ("to the g-file, where the rook is", "d1g1", three_ways, "d1g1 castling"),
            ("castling without a step", "g1h1", home, "g1h1 castling"),
            ("castling without a step, spelled as none", "g1g1", home, "g1h1 castling"),
        ];
        for (name, text, fen, expected) in cases {
            let got = parse_uci_move(text, &position(fen)).map(|mv| format!("{mv:?}"));
            assert_eq!(got, Ok(expected.to_owned()), "{name}");
        }
    }

    #[test]
    fn refuses_the_rest() {
        let start = Position::start();
        let promoting = position("3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
        for text in ["", "e2", "e2e", "e2e4 ", " e2e4", "e2e9", "i2e4", "E2E4", "e2-e4", "e2e4qq", "é2e4"] {
            let expected = UciMoveError::NotAMove(Excerpt::new(text));
            assert_eq!(parse_uci_move(text, &start), Err(expected), "{text}");
        }
        for (text, position) in [
            ("e2e5", &start),
            ("e7e5", &start),
            ("e2e4q", &start),
            ("e1g1", &start),
            ("e1h1", &start),
            ("e1e1", &start),
            ("0000", &start),
            ("c7c8", &promoting),
        ] {
            let error = parse_uci_move(text, position).expect_err(text);
            assert_eq!(error.to_string(), format!("{text} is not a legal move here"));
        }
        for text in ["c7c8k", "c7c8p", "c7c8x"] {
            let error = parse_uci_move(text, &promoting).expect_err(text);
            assert!(error.to_string().contains("is not a move"), "{text}: {error}");
        }
    }

    #[test]
    fn writes_both_styles() {
        let cases = [
            ("standard", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8", "e8g8"),
            ("rook on f", "k7/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "e1g1"),
            ("king not on e", "4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "f1h1"),
        ];
        for (name, fen, chess960, standard) in cases {
            let mv = parse_uci_move(chess960, &position(fen)).expect(name);
            assert!(mv.is_castle(), "{name}");
            assert_eq!(UciMove::new(mv, CastlingStyle::Chess960).to_string(), chess960, "{name}");
            assert_eq!(UciMove::new(mv, CastlingStyle::Standard).to_string(), standard, "{name}");
        }
        assert_eq!("0000".parse::<UciMove>().map(|mv| mv.to_string()), Ok("0000".to_owned()));
    }
}
