//! FEN, the one-line description of a position (PGN standard, section 16.1), with the castling
//! fields of X-FEN and Shredder-FEN (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).
//!
//! [`parse_fen`] reads the fields, [`position_from_fen`] also checks that they are a chess position, [`repair_fen`]
//! repairs errors that do not affect the moves, and [`Fen`] writes them.

mod error;
mod writer;

pub use error::{FenError, FenField, PositionError};
pub use writer::{Described, Fen, FenText, FenWriter};

use crate::chess::{
    CastlingRight, CastlingSide, Color, File, Piece, Position, Problem, Rank, Role, Setup, Square,
};
use crate::notation::Excerpt;
use std::fmt;

/// Reads the FEN of a chess position.
///
/// # Errors
/// [`PositionError`] with all errors in the text, and all reasons why its content is not a chess position, without
/// regard to fields that cannot be read.
pub fn position_from_fen(text: &str) -> Result<Position, PositionError> {
    let Reading { setup, errors } = Reading::of(text);
    if errors.is_empty() {
        return Ok(Position::try_from(setup)?);
    }
    let wrong: Vec<FenField> = errors.iter().filter_map(FenError::field).collect();
    let repeated = repeated_rights(&setup.castling);
    let mut problems = Position::try_from(setup).err().unwrap_or_default();
    problems.retain(|problem| is_certain(problem, &wrong));
    if wrong.contains(&FenField::PiecePlacement) {
        problems.extend(repeated);
    }
    Err(PositionError { errors, problems })
}

/// A position whose FEN may have had errors that do not affect the moves.
///
/// The position is displayed as the message about these errors, which is empty if there were none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairedPosition {
    /// The position without the errors.
    pub position: Position,
    /// The errors that were repaired; empty in most cases.
    pub repairs: Vec<Problem>,
}

impl RepairedPosition {
    /// The message about the repairs, if there are any.
    pub fn note(&self) -> Option<String> {
        (!self.repairs.is_empty()).then(|| self.to_string())
    }
}

impl fmt::Display for RepairedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.repairs.iter().enumerate() {
            write!(f, "{}{problem}", if index == 0 { "the FEN is repaired: " } else { "; " })?;
        }
        Ok(())
    }
}

/// Reads the FEN of a chess position, and repairs common errors that do not affect the moves: a castling right without
/// its king or rook is dropped, an en passant square without the double step that created it is dropped, and full-move
/// number 0 becomes 1.
///
/// ```
/// use hematite_core::notation::{Fen, repair_fen};
/// let repaired = repair_fen("4k3/8/8/8/8/8/8/4K2R w KQ e6 0 0").unwrap();
/// assert_eq!(Fen::new(&repaired.position).to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(repaired.repairs.len(), 3);
/// ```
///
/// # Errors
/// [`PositionError`] with everything that is wrong if there are any other errors.
pub fn repair_fen(text: &str) -> Result<RepairedPosition, PositionError> {
    let error = match position_from_fen(text) {
        Ok(position) => return Ok(RepairedPosition { position, repairs: Vec::new() }),
        Err(error) => error,
    };
    let repaired = parse_fen(text).ok().and_then(|setup| repaired(setup, &error.problems));
    match repaired {
        Some(position) => Ok(RepairedPosition { position, repairs: error.problems }),
        None => Err(error),
    }
}

/// The position without the problems that do not affect the moves; `None` if there are others.
fn repaired(mut setup: Setup, problems: &[Problem]) -> Option<Position> {
    for problem in problems {
        match *problem {
            Problem::CastlingKing(right) | Problem::CastlingRook(right) => {
                setup.castling.retain(|&other| other != right);
            }
            Problem::CastlingTwice(right) => {
                // Of two rights on a side the first one is kept.
                if let Some(second) = setup.castling.iter().rposition(|&other| other == right) {
                    setup.castling.remove(second);
                }
            }
            Problem::EnPassantRank(_)
            | Problem::EnPassantPawn { .. }
            | Problem::EnPassantBlocked { .. }
            | Problem::EnPassantCheck(_) => setup.en_passant = None,
            Problem::FullmoveNumber => setup.fullmove_number = 1,
            _ => return None,
        }
    }
    Position::try_from(setup).ok()
}

/// Whether the problem exists regardless of the content of these fields, which cannot be read.
fn is_certain(problem: &Problem, wrong: &[FenField]) -> bool {
    let is_right = |field| !wrong.contains(&field);
    match problem {
        Problem::FullmoveNumber => true,
        Problem::EnPassantRank(_) => is_right(FenField::SideToMove),
        Problem::Kings { .. }
        | Problem::PawnOnBackRank(_)
        | Problem::TooManyPieces { .. }
        | Problem::TooManyPawns { .. }
        | Problem::CastlingKing(_)
        | Problem::CastlingRook(_)
        | Problem::CastlingTwice(_) => is_right(FenField::PiecePlacement),
        Problem::OpponentInCheck { .. }
        | Problem::TooManyCheckers { .. }
        | Problem::EnPassantPawn { .. }
        | Problem::EnPassantBlocked { .. }
        | Problem::EnPassantCheck(_) => is_right(FenField::PiecePlacement) && is_right(FenField::SideToMove),
    }
}

/// The castling rights that are stated twice, without regard to kings and rooks.
fn repeated_rights(rights: &[CastlingRight]) -> Vec<Problem> {
    let is_repeated = |&(index, right): &(usize, &CastlingRight)| rights[..index].contains(right);
    rights.iter().enumerate().filter(is_repeated).map(|(_, &right)| Problem::CastlingTwice(right)).collect()
}

/// The maximum number of castling rights: both sides of each color.
const MAX_RIGHTS: usize = 4;
/// The content of an empty field.
const NONE: &str = "-";

/// Reads a FEN of four, five or six fields separated by any white space, without a check that it is a chess position.
///
/// | field | read |
/// |---|---|
/// | piece placement | eight ranks of piece letters and numbers of empty squares |
/// | side to move | `w`, `b` |
/// | castling rights | `-`, or in any order `KQkq` (the outermost rook of that side) and file letters |
/// | en passant square | `-`, or the square that a pawn has just passed |
/// | half-move clock | 0 to 65535; default 0, if it and the next field are missing |
/// | full-move number | 0 to 65535; default 1 if missing |
///
/// # Errors
/// All [`FenError`]s, in the order of the fields: at most one for each rank and for each other field.
pub fn parse_fen(text: &str) -> Result<Setup, Vec<FenError>> {
    let Reading { setup, errors } = Reading::of(text);
    if errors.is_empty() { Ok(setup) } else { Err(errors) }
}

/// The content of a FEN as far as it can be read.
struct Reading {
    /// The fields that could be read; the others have default values.
    setup: Setup,
    /// All errors, in the order of the fields.
    errors: Vec<FenError>,
}

impl Reading {
    fn of(text: &str) -> Self {
        let mut fields = text.split_whitespace();
        let mut next = |field| fields.next().ok_or(FenError::MissingField(field));
        let pieces = next(FenField::PiecePlacement).map_err(|error| vec![error]).and_then(parse_pieces);
        let turn = next(FenField::SideToMove).and_then(parse_turn);
        let castling = next(FenField::CastlingRights).and_then(parse_castling);
        let en_passant = next(FenField::EnPassantSquare).and_then(parse_en_passant);
        let clock = parse_counter(FenField::HalfmoveClock, fields.next().unwrap_or("0"));
        let number = parse_counter(FenField::FullmoveNumber, fields.next().unwrap_or("1"));
        let end = fields.next().map_or(Ok(()), |found| Err(FenError::TrailingText(Excerpt::new(found))));

        let mut errors = Vec::new();
        let setup = Setup {
            pieces: pieces.unwrap_or_else(|found| {
                errors.extend(found);
                bare_kings()
            }),
            turn: kept(turn, &mut errors).unwrap_or(Color::White),
            castling: kept(castling, &mut errors).unwrap_or_default(),
            en_passant: kept(en_passant, &mut errors).flatten(),
            halfmove_clock: kept(clock, &mut errors).unwrap_or(0),
            fullmove_number: kept(number, &mut errors).unwrap_or(1),
        };
        let _ = kept(end, &mut errors);
        // If one field is missing, so are all fields after it.
        let missing = errors.iter().position(|error| matches!(error, FenError::MissingField(_)));
        errors.truncate(missing.map_or(errors.len(), |first| first + 1));
        Self { setup, errors }
    }
}

/// The value, or `None` after adding the error to the others.
fn kept<T>(result: Result<T, FenError>, errors: &mut Vec<FenError>) -> Option<T> {
    result.map_err(|error| errors.push(error)).ok()
}

/// The pieces used if those of the FEN cannot be read: the kings.
fn bare_kings() -> [Option<Piece>; Square::COUNT] {
    let mut pieces = [None; Square::COUNT];
    pieces[Square::E1] = Some(Piece::new(Color::White, Role::King));
    pieces[Square::E8] = Some(Piece::new(Color::Black, Role::King));
    pieces
}

/// Reads the ranks, starting with the eighth.
fn parse_pieces(field: &str) -> Result<[Option<Piece>; Square::COUNT], Vec<FenError>> {
    let count = field.split('/').count();
    if count != Rank::COUNT {
        return Err(vec![FenError::RankCount(count)]);
    }
    let mut pieces = [None; Square::COUNT];
    let ranks = Rank::ALL.into_iter().rev().zip(field.split('/'));
    let errors: Vec<_> = ranks.filter_map(|(rank, text)| parse_rank(rank, text, &mut pieces).err()).collect();
    if errors.is_empty() { Ok(pieces) } else { Err(errors) }
}

fn parse_rank(rank: Rank, text: &str, pieces: &mut [Option<Piece>; Square::COUNT]) -> Result<(), FenError> {
    let mut squares = 0;
    let mut after_number = false;
    for found in text.chars() {
        let empty = found.to_digit(10).filter(|digit| (1..=8).contains(digit));
        if let Some(empty) = empty {
            if after_number {
                return Err(FenError::AdjacentNumbers(rank));
            }
            squares += empty as usize;
        } else {
            let piece = Piece::from_letter(found).ok_or(FenError::UnknownPiece { rank, found })?;
            if let Some(file) = File::from_index(squares) {
                pieces[Square::new(file, rank)] = Some(piece);
            }
            squares += 1;
        }
        after_number = empty.is_some();
    }
    if squares == File::COUNT { Ok(()) } else { Err(FenError::RankLength { rank, squares }) }
}

fn parse_turn(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(Excerpt::new(field))),
    }
}

fn parse_castling(field: &str) -> Result<Vec<CastlingRight>, FenError> {
    if field == NONE {
        return Ok(Vec::new());
    }
    let rights: Vec<CastlingRight> = field
        .chars()
        .take(MAX_RIGHTS)
        .map(|letter| {
            castling_right(letter)
                .ok_or_else(|| FenError::UnknownRight { letter, found: Excerpt::new(field) })
        })
        .collect::<Result<_, _>>()?;
    match field.chars().nth(MAX_RIGHTS) {
        None => Ok(rights),
        Some(_) => Err(FenError::TooManyRights(Excerpt::new(field))),
    }
}

fn castling_right(letter: char) -> Option<CastlingRight> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    match letter.to_ascii_lowercase() {
        'k' => Some(CastlingRight::Outermost(color, CastlingSide::King)),
        'q' => Some(CastlingRight::Outermost(color, CastlingSide::Queen)),
        letter => File::from_letter(letter).map(|file| CastlingRight::WithRookOn(color, file)),
    }
}

fn parse_en_passant(field: &str) -> Result<Option<Square>, FenError> {
    match field {
        NONE => Ok(None),
        _ => field.parse().map(Some).map_err(|_| FenError::EnPassantSquare(Excerpt::new(field))),
    }
}

fn parse_counter(field: FenField, text: &str) -> Result<u16, FenError> {
    let error = || FenError::Counter { field, found: Excerpt::new(text) };
    // The standard library would also accept a plus sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error());
    }
    text.parse().map_err(|_| error())
}
