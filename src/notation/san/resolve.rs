//! The notations of moves in real files, the legal moves that they mean, and the reasons why a text means no legal
//! move.

use super::{Illegality, PieceLetters, SanMove};
use crate::chess::{
    Bitboard, CastlingSide, Color, File, Move, MoveKind, Position, Rank, Role, Square, attacks,
};
use crate::notation::UciMove;
use arrayvec::ArrayVec;

/// The maximum number of characters of a move without its trailing signs: `Ng1xf3=(Q)` has ten.
const MAX_CHARS: usize = 12;
/// The maximum number of meanings of a text: `bc4` is a pawn's or a bishop's move.
const MAX_MEANINGS: usize = 2;

type Letter = ArrayVec<char, MAX_CHARS>;
/// The possible meanings of a text, the most likely first.
pub(super) type Spellings = ArrayVec<Spelling, MAX_MEANINGS>;

/// A move as spelled, without reference to a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelling {
    /// The side to move passes.
    Null,
    /// King and rook castle.
    Castle(CastlingSide),
    /// A piece moves.
    Piece(Spelled),
}

/// The move of a piece as spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spelled {
    /// The role; `None` in a UCI move.
    pub role: Option<Role>,
    pub file: Option<File>,
    pub rank: Option<Rank>,
    pub to: Square,
    pub promotion: Option<Role>,
}

/// The reason why a spelling is not a legal move.
pub(super) enum Failure {
    Ambiguous(Vec<Move>),
    Illegal(Illegality),
}

/// Reads a text; the result is empty if it is not a move.
pub(super) fn spellings(text: &str, letters: PieceLetters) -> Spellings {
    let core = without_trailing_signs(text.trim());
    let mut spellings = Spellings::new();
    if matches!(core, "--" | "Z0" | "0000") {
        spellings.push(Spelling::Null);
    } else if let Some(wing) = castling(core) {
        spellings.push(Spelling::Castle(wing));
    } else if core.chars().count() <= MAX_CHARS {
        add_pieces(core.chars().collect(), letters, &mut spellings);
    }
    spellings
}

/// Removes signs that do not affect the move: checks, mates, annotations, draw offers, en passant.
fn without_trailing_signs(text: &str) -> &str {
    const SIGNS: [char; 10] = ['+', '#', '!', '?', '=', ':', '†', '‡', '⩲', ' '];
    const EN_PASSANT: [&str; 4] = ["e.p.", "e.p", "ep", "(ep)"];
    let mut core = text.trim_end_matches(SIGNS);
    for suffix in EN_PASSANT {
        if let Some(shorter) = core.strip_suffix(suffix) {
            core = shorter.trim_end_matches(SIGNS);
            break;
        }
    }
    core
}

fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2014}' | '\u{2212}')
}

/// Castling as `O-O` or `O-O-O`, with letters or zeros, with or without hyphens.
fn castling(core: &str) -> Option<CastlingSide> {
    let mut parts = 0;
    let mut after_dash = true;
    for letter in core.chars() {
        match letter {
            'O' | 'o' | '0' => {
                parts += 1;
                after_dash = false;
            }
            _ if is_dash(letter) && !after_dash => after_dash = true,
            _ => return None,
        }
    }
    match parts {
        2 if !after_dash => Some(CastlingSide::King),
        3 if !after_dash => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Reads the move of a piece from its end, where the target is.
fn add_pieces(mut core: Letter, letters: PieceLetters, spellings: &mut Spellings) -> Option<()> {
    let promotion = take_promotion(&mut core, letters)?;
    let rank = Rank::from_digit(core.pop()?)?;
    let to = Square::new(File::from_letter(core.pop()?)?, rank);
    let is_sign = |&letter: &char| is_dash(letter) || matches!(letter, 'x' | 'X' | '×' | ':');
    if core.last().is_some_and(is_sign) {
        core.pop();
    }
    let spelled = |role, file, rank| Spelled { role, file, rank, to, promotion };
    let mut add = |spelled| spellings.push(Spelling::Piece(spelled));
    let Some(&first) = core.first() else {
        add(spelled(Some(Role::Pawn), None, None));
        return Some(());
    };
    let of_piece = |role| origin(&core[1..]).map(|(file, rank)| spelled(Some(role), file, rank));
    let of_pawn = File::from_letter(first).and_then(|file| match core[1..] {
        [] => Some(spelled(Some(Role::Pawn), Some(file), None)),
        [rank] => Some(spelled(None, Some(file), Some(Rank::from_digit(rank)?))),
        _ => None,
    });
    if let Some(role) = letters.role(first) {
        of_piece(role).map(&mut add);
        // A capital that is not a piece letter may be a file, but a piece letter never means a pawn.
        return Some(());
    }
    of_pawn.map(&mut add);
    letters.role(first.to_ascii_uppercase()).and_then(of_piece).map(&mut add);
    Some(())
}

/// Removes `=Q`, `Q`, `(Q)` or `/Q`, in either case, from the end. `None` if it is not a role to which a pawn may
/// promote.
fn take_promotion(core: &mut Letter, letters: PieceLetters) -> Option<Option<Role>> {
    let has_bracket = core.last() == Some(&')');
    if has_bracket {
        core.pop();
    }
    let &last = core.last()?;
    if last.is_ascii_digit() {
        return (!has_bracket).then_some(None);
    }
    core.pop();
    let role = letters.role(last).or_else(|| letters.role(last.to_ascii_uppercase()))?;
    if has_bracket && core.pop() != Some('(') {
        return None;
    }
    if !has_bracket && core.last() == Some(&'/') || core.last() == Some(&'=') {
        core.pop();
    }
    Role::PROMOTIONS.contains(&role).then_some(Some(role))
}

/// Reads the origin of a piece as far as it is stated.
fn origin(letters: &[char]) -> Option<(Option<File>, Option<Rank>)> {
    match *letters {
        [] => Some((None, None)),
        [file, rank] => Some((Some(File::from_letter(file)?), Some(Rank::from_digit(rank)?))),
        [letter] => match File::from_letter(letter) {
            Some(file) => Some((Some(file), None)),
            None => Some((None, Some(Rank::from_digit(letter)?))),
        },
        _ => None,
    }
}

impl Spelling {
    /// The only legal move with this spelling.
    pub(super) fn resolve(self, position: &Position) -> Result<SanMove, Failure> {
        match self {
            Self::Null => match position.checkers().first() {
                None => Ok(SanMove::Null),
                Some(by) => Err(Failure::Illegal(Illegality::InCheck { by })),
            },
            Self::Castle(wing) => position
                .castling_rook(position.turn(), wing)
                .map(|rook| Move::new(position.king(position.turn()), rook, MoveKind::Castle))
                .filter(|&mv| position.is_legal(mv))
                .map(SanMove::Move)
                .ok_or_else(|| Failure::Illegal(explain_castling(position, wing))),
            Self::Piece(spelled) => spelled.resolve(position).map(SanMove::Move),
        }
    }
}

impl Spelled {
    fn resolve(self, position: &Position) -> Result<Move, Failure> {
        let mut moves = position.legal_moves();
        moves.retain(|mv| self.may_mean(*mv, position));
        if self.role == Some(Role::Pawn) && moves.iter().any(|&mv| is_push(mv)) {
            // Canonical SAN states the file of a capturing pawn, so captures are not meant.
            moves.retain(|mv| is_push(*mv));
        }
        match moves[..] {
            [mv] => Ok(mv),
            [] => self.castling(position).ok_or_else(|| Failure::Illegal(explain(position, self))),
            _ => Err(Failure::Ambiguous(moves.to_vec())),
        }
    }

    fn may_mean(self, mv: Move, position: &Position) -> bool {
        let from = mv.from();
        mv.to() == self.to
            && !mv.is_castle()
            && mv.promotion() == self.promotion
            && self.role.is_none_or(|role| position.role_at(from) == Some(role))
            && self.file.is_none_or(|file| from.file() == file)
            && self.rank.is_none_or(|rank| from.rank() == rank)
    }

    /// Castling spelled as a move of the king: `e1g1`, `Ke1-g1`, `e1h1`.
    fn castling(self, position: &Position) -> Option<Move> {
        let from = Square::new(self.file?, self.rank?);
        let spelled = UciMove::Squares { from, to: self.to, promotion: self.promotion };
        spelled.to_move(position).ok().filter(|mv| mv.is_castle())
    }
}

fn is_push(mv: Move) -> bool {
    mv.from().file() == mv.to().file()
}

/// The reason why no legal move has this spelling.
fn explain(position: &Position, spelled: Spelled) -> Illegality {
    let Spelled { role, file, rank, to, promotion } = spelled;
    let color = position.turn();
    let mut origins = position.color(color);
    if let Some(role) = role {
        origins &= position.role(role);
    }
    if let Some(file) = file {
        origins &= file;
    }
    if let Some(rank) = rank {
        origins &= rank;
    }
    if let (Some(file), Some(rank)) = (file, rank) {
        let from = Square::new(file, rank);
        if let Some(role) = position.role_at(from).filter(|_| position.color_at(from) == Some(!color)) {
            return Illegality::NotTheirPiece { color, role, from };
        }
    }
    let Some(first) = origins.first() else {
        return Illegality::NoSuchPiece { color, role, file, rank };
    };
    // A UCI move has no role, but only one possible origin.
    let role = role.or(position.role_at(first)).unwrap_or(Role::Pawn);
    if let Some(role) = position.role_at(to).filter(|_| position.color_at(to) == Some(color)) {
        return Illegality::OwnPiece { role, on: to };
    }
    let reaching: Bitboard = origins.into_iter().filter(|&from| reaches(position, role, from, to)).collect();
    if let Some(from) = reaching.first() {
        let promotes = role == Role::Pawn && to.rank() == color.relative(Rank::Eighth);
        return match (promotes, promotion) {
            (true, None) => Illegality::NoPromotion { to },
            (false, Some(_)) => Illegality::NotAPromotion,
            _ => explain_check(position, role, from, to),
        };
    }
    explain_reach(position, role, origins, to)
}

/// Whether the piece could move to the square without regard to checks and pins.
fn reaches(position: &Position, role: Role, from: Square, to: Square) -> bool {
    let (color, occupied) = (position.turn(), position.occupied());
    if role != Role::Pawn {
        return attacks::attacks(role, color, from, occupied).contains(to);
    }
    let is_prey = position.color(!color).contains(to) || position.double_push_square() == Some(to);
    if attacks::pawn(color, from).contains(to) {
        return is_prey;
    }
    pushes(color, from).contains(to)
        && !((attacks::between(from, to) | to) & occupied).intersects(Bitboard::ALL)
}

/// The squares to which a pawn could push on an empty board.
fn pushes(color: Color, from: Square) -> Bitboard {
    let forward = match color {
        Color::White => Bitboard::north,
        Color::Black => Bitboard::south,
    };
    let push = forward(from.bitboard());
    if from.rank() == color.relative(Rank::Second) { push | forward(push) } else { push }
}

/// The reason why none of these pieces reaches the target.
fn explain_reach(position: &Position, role: Role, origins: Bitboard, to: Square) -> Illegality {
    let color = position.turn();
    for from in origins {
        let sees = match role {
            Role::Pawn if attacks::pawn(color, from).contains(to) => {
                return Illegality::NothingToCapture { on: to };
            }
            Role::Pawn => pushes(color, from),
            _ => attacks::attacks(role, color, from, Bitboard::EMPTY),
        };
        if sees.contains(to) {
            let way = attacks::between(from, to) | to;
            let in_the_way = way & position.occupied();
            let nearest = if to > from { in_the_way.first() } else { in_the_way.last() };
            if let Some(by) = nearest {
                return Illegality::Blocked { role, from, by };
            }
        }
    }
    Illegality::OutOfReach { role, from: origins.single(), to }
}

/// The check that makes this move illegal.
fn explain_check(position: &Position, role: Role, from: Square, to: Square) -> Illegality {
    let color = position.turn();
    let mut captured = to.bitboard();
    if role == Role::Pawn && position.double_push_square() == Some(to) {
        captured |= Square::new(to.file(), from.rank());
    }
    let occupied = ((position.occupied() - captured) - from) | to;
    let king = if role == Role::King { to } else { position.king(color) };
    let enemies = position.color(!color) - captured;
    let attackers = position.attackers(king, occupied) & enemies;
    match (attackers & position.checkers()).first().or(attackers.first()) {
        Some(by) if role == Role::King => Illegality::IntoCheck { king, by },
        Some(by) if position.checkers().contains(by) => Illegality::StaysInCheck { by },
        Some(by) if position.pinned().contains(from) => Illegality::Pinned { role, from, by },
        Some(by) => Illegality::IntoCheck { king, by },
        // Unreachable: a move that reaches its target and leaves no attacker is legal.
        None => Illegality::OutOfReach { role, from: Some(from), to },
    }
}

/// The reason why the side to move may not castle on this wing.
fn explain_castling(position: &Position, wing: CastlingSide) -> Illegality {
    let color = position.turn();
    let Some(rook) = position.castling_rook(color, wing) else {
        return Illegality::NoCastlingRight { color, wing };
    };
    if let Some(by) = position.checkers().first() {
        return Illegality::InCheck { by };
    }
    let king = position.king(color);
    let [king_to, rook_to] = wing.castled(color.back_rank());
    let path = attacks::between(king, king_to) | king_to;
    let way = path | attacks::between(rook, rook_to) | rook_to;
    let others = position.occupied() - king - rook;
    if let Some(by) = (way & others).first() {
        return Illegality::CastlingBlocked { by };
    }
    let enemies = position.color(!color);
    for square in path {
        if let Some(by) = (position.attackers(square, others) & enemies).first() {
            return Illegality::CastlingThroughCheck { square, by };
        }
    }
    // Not reached: the king is not in check, so an attacker of its own square is one that the castling rook shields it
    // from, even if the king is on its target already.
    Illegality::NoCastlingRight { color, wing }
}
