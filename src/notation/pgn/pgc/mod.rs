//! PGC, the binary form of PGN (PGN standard, section 20).
//!
//! A move is one byte: its number among the legal moves of the position, in ASCII order of their SAN. Text is Latin-1.
//! The standard has no records for comments and null moves; they are stored in escape-string records (0x0a), which the
//! standard reserves for private use: `{text}` for a comment, `--` for a null move. An escape line of PGN that looks
//! like one of these is read back as such.

mod read;
mod write;

pub use read::PgcReader;
pub use write::{PgcLimit, PgcWriter, write_pgc};

use crate::chess::{
    Bitboard, File, MAX_MOVES, Move, MoveKind, MoveSet, Position, Rank, Role, Square, attacks,
};
use crate::notation::SanMove;
use crate::notation::pgn::MAX_DEPTH;
use crate::notation::san::read_canonical;
use arrayvec::ArrayVec;

/// The start of an escape string that contains a comment.
const COMMENT_OPEN: u8 = b'{';
/// The end of an escape string that contains a comment.
const COMMENT_CLOSE: u8 = b'}';
/// The escape string of a null move.
const NULL_MOVE: &[u8] = SanMove::NULL.as_bytes();

/// The marker codes of section 20.4.
mod marker {
    pub(super) const NOOP: u8 = 0x00;
    pub(super) const REDUCED_GAME: u8 = 0x01;
    pub(super) const TAG_PAIR: u8 = 0x02;
    pub(super) const SHORT_MOVES: u8 = 0x03;
    pub(super) const LONG_MOVES: u8 = 0x04;
    pub(super) const GAME_BEGIN: u8 = 0x05;
    pub(super) const GAME_END: u8 = 0x06;
    pub(super) const NAG: u8 = 0x07;
    pub(super) const VARIATION_BEGIN: u8 = 0x08;
    pub(super) const VARIATION_END: u8 = 0x09;
    pub(super) const ESCAPE: u8 = 0x0a;
}

// Moves are sorted by their text, but the signs of check and mate do not affect the order: where two texts differ
// otherwise, either the difference comes first, or one of them continues with a letter, a digit or a hyphen, which sort
// after both signs. So no move has to be made, and nearly all numbers are counted on boards, without any text.

/// All letters with which the text of a move can start, in ASCII order.
const LETTERS: [u8; 14] = *b"BKNOQRabcdefgh";
/// The index of castling in [`LETTERS`], and that of the pawns of the a-file.
const CASTLING: usize = 3;
const PAWNS: usize = 6;

/// The legal moves whose text starts with the same letter.
#[derive(Clone, Copy, Default)]
struct Group {
    /// The targets of moves that are not captures. Their texts come first: an `x` sorts after files and ranks.
    quiet: Bitboard,
    captures: Bitboard,
    /// The targets that several pieces reach, which are in neither set: the texts of these moves state the origin.
    shared: Bitboard,
    count: usize,
    /// Whether the group has promotions or castling.
    is_special: bool,
}

/// The squares whose names come before that of this square, on a board with files and ranks exchanged: there the
/// squares are in the order of their names.
fn named_before(square: Square) -> Bitboard {
    let place = square.file().index() * Rank::COUNT + square.rank().index();
    Bitboard::from_bits((1 << place) - 1)
}

impl Group {
    /// The number of moves before the one to this square, without regard to shared targets. It must be no shared one.
    fn place_of(&self, to: Square) -> usize {
        let count_before = |targets: Bitboard| (targets.transposed() & named_before(to)).count();
        let count = if self.quiet.contains(to) {
            count_before(self.quiet)
        } else {
            self.quiet.count() + count_before(self.captures)
        };
        count as usize
    }

    /// The number of moves before one to a shared target with this text, without regard to the others of that kind.
    fn count_before(&self, text: u64) -> usize {
        let [_, second, third, ..] = text.to_be_bytes().map(char::from);
        let before = match (File::from_letter(second), Rank::from_digit(third)) {
            (Some(file), Some(rank)) => named_before(Square::new(file, rank)),
            // A letter follows, which sorts after the digits of all targets on this file.
            (Some(file), None) => {
                Bitboard::from_bits(u64::MAX >> ((File::COUNT - 1 - file.index()) * Rank::COUNT))
            }
            // The text starts with a digit after the letter of the piece, which sorts before all others.
            (None, _) => Bitboard::EMPTY,
        };
        (self.quiet.transposed() & before).count() as usize
    }

    /// The target of the move with this number of moves before it, without regard to shared targets.
    fn target_at(&self, place: usize) -> Option<Square> {
        let quiet = self.quiet.count() as usize;
        let (set, place) = if place < quiet { (self.quiet, place) } else { (self.captures, place - quiet) };
        let square = attacks::nth(set.transposed(), place)?;
        let names = (File::from_index(square.rank().index())?, Rank::from_index(square.file().index())?);
        Some(Square::new(names.0, names.1))
    }
}

/// The role whose moves start with this letter; `None` for castling.
const fn role_of(letter: usize) -> Option<Role> {
    match letter {
        0 => Some(Role::Bishop),
        1 => Some(Role::King),
        2 => Some(Role::Knight),
        CASTLING => None,
        4 => Some(Role::Queen),
        5 => Some(Role::Rook),
        _ => Some(Role::Pawn),
    }
}

/// The index in [`LETTERS`] of the first letter of a move of a piece.
const fn letter_of(role: Role, from: Square) -> usize {
    match role {
        Role::Bishop => 0,
        Role::King => 1,
        Role::Knight => 2,
        Role::Queen => 4,
        Role::Rook => 5,
        Role::Pawn => PAWNS + from.file() as usize,
    }
}

/// The targets of moves of pawns.
#[derive(Clone, Copy, Default)]
struct PawnTargets {
    pushes: Bitboard,
    /// Captures toward the a-file.
    left: Bitboard,
    /// Captures toward the h-file.
    right: Bitboard,
}

impl PawnTargets {
    fn add(&mut self, files: i8, targets: Bitboard) {
        match files {
            0 => self.pushes |= targets,
            ..0 => self.left |= targets,
            1.. => self.right |= targets,
        }
    }

    /// The targets of pushes and of captures of the pawns of a file.
    fn of(&self, file: File) -> (Bitboard, Bitboard) {
        let own = file.squares();
        (self.pushes & own, self.left & own.west() | self.right & own.east())
    }
}

/// The targets of all pawns.
#[derive(Clone, Copy, Default)]
struct Pawns {
    moves: PawnTargets,
    promotions: PawnTargets,
}

impl Pawns {
    fn of(position: &Position) -> Self {
        let mut pawns = Self::default();
        position.visit_moves_of(Role::Pawn, |set| match set {
            MoveSet::Pawns { offset: (files, _), targets, promotes } => {
                let all = if promotes { &mut pawns.promotions } else { &mut pawns.moves };
                all.add(files, targets);
            }
            MoveSet::EnPassant { from, to } => {
                pawns.moves.add(if to.file() < from.file() { -1 } else { 1 }, to.bitboard());
            }
            MoveSet::Piece { .. } | MoveSet::Castle { .. } => {}
        });
        pawns
    }
}

/// The legal moves of a position by the first letter of their texts. They are found letter by letter, so that those
/// after the wanted letter cost nothing.
struct Groups<'a> {
    position: &'a Position,
    /// The targets of the pawns, once they have been found.
    pawns: Option<Pawns>,
}

impl<'a> Groups<'a> {
    const fn new(position: &'a Position) -> Self {
        Self { position, pawns: None }
    }

    /// The moves whose text starts with this letter.
    #[inline]
    fn group(&mut self, letter: usize) -> Group {
        match (role_of(letter), File::from_index(letter.wrapping_sub(PAWNS))) {
            (None, _) => self.castling(),
            (Some(Role::Pawn), Some(file)) => self.pawns_of(file),
            (Some(role), _) => self.pieces(role),
        }
    }

    fn castling(&self) -> Group {
        let mut group = Group { is_special: true, ..Group::default() };
        self.position.visit_castling(|_| group.count += 1);
        group
    }

    #[inline]
    fn pieces(&self, role: Role) -> Group {
        let (mut reached, mut shared, mut count) = (Bitboard::EMPTY, Bitboard::EMPTY, 0);
        self.position.visit_moves_of(role, |set| {
            let MoveSet::Piece { targets, .. } = set else { return };
            shared |= reached & targets;
            reached |= targets;
            count += targets.count() as usize;
        });
        let (single, prey) = (reached - shared, self.position.color(!self.position.turn()));
        Group { quiet: single - prey, captures: single & prey, shared, count, is_special: false }
    }

    /// The number of moves whose text starts with this letter.
    #[inline]
    fn size(&mut self, letter: usize) -> usize {
        match role_of(letter) {
            Some(role) if role != Role::Pawn => {
                let mut count = 0;
                self.position.visit_moves_of(role, |set| {
                    if let MoveSet::Piece { targets, .. } = set {
                        count += targets.count() as usize;
                    }
                });
                count
            }
            _ => self.group(letter).count,
        }
    }

    fn pawns_of(&mut self, file: File) -> Group {
        let position = self.position;
        let Pawns { moves, promotions } = self.pawns.get_or_insert_with(|| Pawns::of(position));
        let (quiet, captures) = moves.of(file);
        let (pushes, takes) = promotions.of(file);
        let promotions = (pushes.count() + takes.count()) as usize;
        Group {
            quiet: quiet | pushes,
            captures: captures | takes,
            // The texts of captures state the origin in any case.
            shared: Bitboard::EMPTY,
            count: (quiet.count() + captures.count()) as usize + Role::PROMOTIONS.len() * promotions,
            is_special: promotions > 0,
        }
    }

    fn letter(&self, mv: Move) -> usize {
        match self.position.role_at(mv.from()) {
            Some(_) if mv.is_castle() => CASTLING,
            role => letter_of(role.unwrap_or(Role::Pawn), mv.from()),
        }
    }

    fn ordinal(&mut self, mv: Move) -> usize {
        let letter = self.letter(mv);
        let group = self.group(letter);
        let within = if group.is_special {
            self.texts_before(sort_key(self.position, mv), letter, Bitboard::ALL)
        } else if group.shared.is_empty() {
            group.place_of(mv.to())
        } else {
            let text = sort_key(self.position, mv);
            let is_shared = group.shared.contains(mv.to());
            let others = if is_shared { group.count_before(text) } else { group.place_of(mv.to()) };
            others + self.texts_before(text, letter, group.shared)
        };
        (0..letter).map(|letter| self.size(letter)).sum::<usize>() + within
    }

    /// The number of moves of a group to these targets whose texts come before this one.
    fn texts_before(&self, text: u64, letter: usize, targets: Bitboard) -> usize {
        let mut count = 0;
        self.visit(letter, targets, |other, _| count += usize::from(other < text));
        count
    }

    fn move_at(&mut self, ordinal: usize) -> Option<Move> {
        let mut place = ordinal;
        let letter = (0..LETTERS.len()).find(|&letter| {
            let size = self.size(letter);
            let is_within = place < size;
            place -= if is_within { 0 } else { size };
            is_within
        })?;
        let group = self.group(letter);
        if group.is_special {
            let mut moves = ArrayVec::<_, MAX_MOVES>::new();
            self.visit(letter, Bitboard::ALL, |text, mv| moves.push((text, mv)));
            let (_, &mut (_, mv), _) = moves.select_nth_unstable(place);
            return Some(mv);
        }
        if !group.shared.is_empty() {
            let mut moves = ArrayVec::<_, MAX_MOVES>::new();
            self.visit(letter, group.shared, |text, mv| moves.push((text, mv)));
            moves.sort_unstable();
            let places =
                moves.iter().enumerate().map(|(index, &(text, mv))| (group.count_before(text) + index, mv));
            match places.clone().find(|&(other, _)| other >= place) {
                Some((found, mv)) if found == place => return Some(mv),
                _ => place -= places.filter(|&(other, _)| other < place).count(),
            }
        }
        let to = group.target_at(place)?;
        match role_of(letter) {
            Some(Role::Pawn) => {
                let [file, rank] = [to.file().letter() as u8, to.rank().digit() as u8];
                let pawn = LETTERS[letter];
                let text = [pawn, b'x', file, rank];
                read_canonical(if pawn == file { &text[2..] } else { &text }, self.position)
            }
            // Only one piece can move to the square.
            role => {
                let from = self.position.origins(role?, to).first()?;
                Some(Move::new(from, to, MoveKind::Normal))
            }
        }
    }

    /// Visits the moves of a group to these targets, each with its sort key. Castling has its rook's square as the
    /// target.
    fn visit(&self, letter: usize, wanted: Bitboard, mut take: impl FnMut(u64, Move)) {
        let mut add = |from, to, kind| {
            let mv = Move::new(from, to, kind);
            take(sort_key(self.position, mv), mv);
        };
        let visit = |set| match set {
            MoveSet::Piece { from, targets, .. } => {
                (targets & wanted).into_iter().for_each(|to| add(from, to, MoveKind::Normal));
            }
            MoveSet::Pawns { offset: (files, ranks), targets, promotes } => {
                let kinds = if promotes { &MoveKind::PROMOTIONS[..] } else { &[MoveKind::Normal] };
                for to in targets & wanted {
                    let from = to.offset(-files, -ranks);
                    let from = from.filter(|&from| letter_of(Role::Pawn, from) == letter);
                    from.into_iter().for_each(|from| kinds.iter().for_each(|&kind| add(from, to, kind)));
                }
            }
            MoveSet::EnPassant { from, to } if letter_of(Role::Pawn, from) == letter => {
                add(from, to, MoveKind::EnPassant);
            }
            MoveSet::EnPassant { .. } => {}
            MoveSet::Castle { king, rook } => add(king, rook, MoveKind::Castle),
        };
        match role_of(letter) {
            Some(role) => self.position.visit_moves_of(role, visit),
            None => self.position.visit_castling(visit),
        }
    }

    /// The number of legal moves.
    fn count(&mut self) -> usize {
        (0..LETTERS.len()).map(|letter| self.size(letter)).sum()
    }
}

/// The text of a move without a sign of check, the first character in the highest byte.
fn sort_key(position: &Position, mv: Move) -> u64 {
    let (from, to) = (mv.from(), mv.to());
    let mut text = ArrayVec::<u8, { size_of::<u64>() }>::new();
    let captures = position.captured_role(mv).is_some();
    if mv.is_castle() {
        text.extend(if to > from { *b"O-O\0\0" } else { *b"O-O-O" });
    } else if let Some(role) = position.role_at(from).filter(|&role| role != Role::Pawn) {
        text.push(role.letter().to_ascii_uppercase() as u8);
        let is_only = !position.pieces(position.turn(), role).is_many();
        let rivals = if is_only { Bitboard::EMPTY } else { position.origins(role, to) - from };
        let shares_file = rivals.intersects(from.file().squares());
        let shares_rank = rivals.intersects(from.rank().squares());
        if !rivals.is_empty() && (!shares_file || shares_rank) {
            text.push(from.file().letter() as u8);
        }
        if shares_file {
            text.push(from.rank().digit() as u8);
        }
        if captures {
            text.push(b'x');
        }
        text.extend([to.file().letter() as u8, to.rank().digit() as u8]);
    } else {
        if captures {
            text.extend([from.file().letter() as u8, b'x']);
        }
        text.extend([to.file().letter() as u8, to.rank().digit() as u8]);
        if let Some(role) = mv.promotion() {
            text.extend([b'=', role.letter().to_ascii_uppercase() as u8]);
        }
    }
    let mut bytes = [0; size_of::<u64>()];
    bytes[..text.len()].copy_from_slice(&text);
    u64::from_be_bytes(bytes)
}

/// The number of a legal move in the order of the standard.
fn ordinal(position: &Position, mv: Move) -> usize {
    Groups::new(position).ordinal(mv)
}

/// The legal move with this number; if the number is too large, the error is the number of legal moves.
fn move_with_ordinal(position: &Position, ordinal: usize) -> Result<Move, usize> {
    let mut groups = Groups::new(position);
    groups.move_at(ordinal).ok_or_else(|| groups.count())
}

/// An error in a PGC file, after which it cannot be read any further.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct PgcError {
    /// The number of bytes before the error.
    pub offset: u64,
    /// The problem.
    #[source]
    pub problem: PgcProblem,
}

/// A problem in a PGC file.
#[derive(Debug, thiserror::Error)]
pub enum PgcProblem {
    /// The data end within a record or a game.
    #[error("the data end here, expected the rest of a game")]
    UnexpectedEnd,
    /// No record starts with this byte.
    #[error("found the byte 0x{0:02x}, expected a record marker 0x00 to 0x0a")]
    UnknownMarker(u8),
    /// A record of this type is not allowed here.
    #[error("a record 0x{0:02x} does not belong here")]
    Misplaced(u8),
    /// A move number is not below the number of legal moves.
    #[error("found the move number {found}, but there are {moves} legal moves")]
    Ordinal {
        /// The number of the move, counted from 0.
        found: u8,
        /// The number of legal moves.
        moves: usize,
    },
    /// A null move in check.
    #[error("a null move in check")]
    NullMove,
    /// Variations are nested deeper than the limit.
    #[error("more than {MAX_DEPTH} variations within one another")]
    TooDeep,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{San, position_from_fen};

    /// Checks the order of the standard: by the whole text, including its signs.
    fn check(position: &Position) {
        let mut moves: Vec<_> =
            position.legal_moves().into_iter().map(|mv| (San::new(position, mv).text(), mv)).collect();
        moves.sort_unstable();
        for (expected, &(text, mv)) in moves.iter().enumerate() {
            assert_eq!(ordinal(position, mv), expected, "{text}");
            let found = move_with_ordinal(position, expected);
            assert_eq!(found, Ok(mv), "{text}");
        }
        assert_eq!(move_with_ordinal(position, moves.len()), Err(moves.len()));
    }

    #[test]
    fn ordinals_are_places_in_the_sorted_texts() {
        let fens = [
            // Castling on both sides, once with check, besides king moves.
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            // Many queens and knights that can move to the same squares, with checks.
            "7k/8/2Q1Q3/8/2Q1Q3/8/1N3N2/3N1K2 w - - 0 1",
            "4k3/8/N7/2N1N3/8/1N3N2/8/4K3 w - - 0 1",
            // Promotions with and without captures, and an en passant capture with check.
            "1n1n4/2P1P1k1/8/8/8/8/2p1p3/1N1NK3 w - - 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        ];
        for fen in fens {
            check(&position_from_fen(fen).expect(fen));
        }
        for game in 0..40 {
            let mut position = Position::start();
            for _ in 0..120 {
                check(&position);
                // The key serves as a random number.
                let moves = position.legal_moves();
                let number = position.key().bits().rotate_left(game);
                let Some(index) = number.checked_rem(moves.len() as u64) else { break };
                let mv = moves[usize::try_from(index).expect("below the number of moves")];
                position = position.after(mv).0;
            }
        }
    }
}
