//! From text to a setup.

use super::{FenError, FenField, PositionError};
use crate::chess::{CastlingRight, Color, File, Piece, Position, Rank, Setup, Square, Wing};
use crate::notation::Excerpt;

/// Each side may castle on each wing.
const MAX_RIGHTS: usize = 4;
/// What a field says that has nothing to say.
const NONE: &str = "-";

/// Reads a FEN of four, five or six fields with any white space between them, without asking
/// whether it is a chess position.
///
/// | field | read |
/// |---|---|
/// | piece placement | eight ranks of piece letters and numbers of empty squares |
/// | side to move | `w`, `b` |
/// | castling rights | `-`, or in any order `KQkq` (the outermost rook of that wing) and file letters |
/// | en passant square | `-`, or the square that a pawn has just passed |
/// | half-move clock | 0 to 65535; may be missing together with the next: 0 |
/// | full-move number | 0 to 65535; may be missing: 1 |
///
/// # Errors
/// [`FenError`] for the first field that is not so.
pub fn parse_fen(text: &str) -> Result<Setup, FenError> {
    let mut fields = text.split_whitespace();
    let mut next = |field| fields.next().ok_or(FenError::MissingField(field));
    let setup = Setup {
        pieces: parse_pieces(next(FenField::PiecePlacement)?)?,
        turn: parse_turn(next(FenField::SideToMove)?)?,
        castling: parse_castling(next(FenField::CastlingRights)?)?,
        en_passant: parse_en_passant(next(FenField::EnPassantSquare)?)?,
        halfmove_clock: parse_counter(FenField::HalfmoveClock, fields.next().unwrap_or("0"))?,
        fullmove_number: parse_counter(FenField::FullmoveNumber, fields.next().unwrap_or("1"))?,
    };
    match fields.next() {
        None => Ok(setup),
        Some(found) => Err(FenError::TrailingText(Excerpt::new(found))),
    }
}

/// Reads the FEN of a chess position.
///
/// # Errors
/// [`PositionError`] if the text is no FEN, or with all that keeps the setup from being a
/// chess position.
pub fn position_from_fen(text: &str) -> Result<Position, PositionError> {
    Ok(Position::try_from(parse_fen(text)?)?)
}

/// Reads the ranks, the eighth first.
fn parse_pieces(field: &str) -> Result<[Option<Piece>; Square::COUNT], FenError> {
    let count = field.split('/').count();
    if count != Rank::COUNT {
        return Err(FenError::RankCount(count));
    }
    let mut pieces = [None; Square::COUNT];
    for (rank, text) in Rank::ALL.into_iter().rev().zip(field.split('/')) {
        parse_rank(rank, text, &mut pieces)?;
    }
    Ok(pieces)
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
        'k' => Some(CastlingRight::Outermost(color, Wing::King)),
        'q' => Some(CastlingRight::Outermost(color, Wing::Queen)),
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
    // The standard library would read a plus sign too.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error());
    }
    text.parse().map_err(|_| error())
}
