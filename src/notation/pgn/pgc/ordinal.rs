//! The numbers of the legal moves of a position, in ASCII order of their SAN.
//!
//! The signs of check and mate do not affect the order: where two texts differ otherwise, either the difference comes
//! first, or one of them continues with a letter, a digit or a hyphen, which sort after both signs. So no move has to
//! be made, and nearly all numbers are counted on boards, without any text.

use crate::chess::{
    Bitboard, File, MAX_MOVES, Move, MoveKind, MoveSet, Position, Rank, Role, Square, attacks,
};
use crate::notation::San;
use arrayvec::ArrayVec;

/// The index of castling among the letters with which the text of a move can start, in ASCII order, `BKNOQRabcdefgh`,
/// and that of the pawns of the a-file.
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
    /// Whether the group has promotions or castling.
    is_special: bool,
}

/// For each square, the squares whose names come before its own: those on earlier files, and those below it.
static NAMED_BEFORE: [Bitboard; Square::COUNT] = {
    let mut sets = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut other = 0;
        while other < Square::COUNT {
            let [file, rank] = [index % File::COUNT, index / File::COUNT];
            let [other_file, other_rank] = [other % File::COUNT, other / File::COUNT];
            if other_file < file || other_file == file && other_rank < rank {
                sets[index] = sets[index].with(Square::ALL[other]);
            }
            other += 1;
        }
        index += 1;
    }
    sets
};

impl Group {
    /// The number of moves before the one to this square, without regard to shared targets. It must be no shared one.
    fn place_of(&self, to: Square) -> usize {
        place_among(self.quiet, self.captures, to)
    }

    /// The number of moves before one to a shared target with this text, without regard to the others of that kind.
    fn count_before(&self, text: u64) -> usize {
        let [_, second, third, ..] = text.to_be_bytes().map(char::from);
        let before = match (File::from_letter(second), Rank::from_digit(third)) {
            (Some(file), Some(rank)) => NAMED_BEFORE[Square::new(file, rank)],
            // A letter follows, which sorts after the digits of all targets on this file.
            (Some(file), None) => files_before(file.index() + 1),
            // The text starts with a digit after the letter of the piece, which sorts before all others.
            (None, _) => Bitboard::EMPTY,
        };
        (self.quiet & before).count() as usize
    }

    /// The number of moves of the group before one, if the two pieces on these squares are the only ones of their role:
    /// both reach every shared target, and the texts of these moves state the file, or the rank if the pieces are on
    /// one file.
    fn place_of_two(&self, prey: Bitboard, pieces: [Square; 2], from: Square, to: Square) -> usize {
        let rival = if pieces[0] == from { pieces[1] } else { pieces[0] };
        let shared = self.shared.count() as usize;
        let states_file = from.file() != rival.file();
        if self.shared.contains(to) {
            let own = place_among(self.shared - prey, self.shared & prey, to);
            if states_file {
                // A letter follows, which sorts after the digits of all targets on the file.
                let single = (self.quiet & files_before(from.file().index() + 1)).count() as usize;
                return single + own + if rival.file() < from.file() { shared } else { 0 };
            }
            return own + if rival.rank() < from.rank() { shared } else { 0 };
        }
        let is_before = |piece: Square| !states_file || prey.contains(to) || piece.file() < to.file();
        let pieces = pieces.into_iter().filter(|&piece| is_before(piece)).count();
        self.place_of(to) + pieces * shared
    }

    /// The target of the move with this number of moves before it, without regard to shared targets.
    fn target_at(&self, place: usize) -> Option<Square> {
        target_among(self.quiet, self.captures, place)
    }

    /// The move with this number of moves of the group before it, if the two pieces on these squares are the only ones
    /// of their role: the inverse of [`Group::place_of_two`].
    fn shared_at(&self, pieces: [Square; 2], prey: Bitboard, place: usize) -> Option<SharedPlace> {
        let [first, second] = pieces;
        let shared = self.shared.count() as usize;
        // The places at which the moves of each piece to shared targets start.
        let (pieces, starts) = if first.file() == second.file() {
            let pieces = if first.rank() < second.rank() { [first, second] } else { [second, first] };
            (pieces, [0, shared])
        } else {
            let pieces = if first.file() < second.file() { [first, second] } else { [second, first] };
            let singles =
                |piece: Square| (self.quiet & files_before(piece.file().index() + 1)).count() as usize;
            (pieces, [singles(pieces[0]), singles(pieces[1]) + shared])
        };
        let mut others = place;
        for (piece, start) in pieces.into_iter().zip(starts) {
            if (start..start + shared).contains(&place) {
                let to = target_among(self.shared - prey, self.shared & prey, place - start)?;
                return Some(SharedPlace::Of(piece, to));
            }
            others -= if place < start { 0 } else { shared };
        }
        Some(SharedPlace::Other(others))
    }
}

/// The move at a place of a group with two pieces.
enum SharedPlace {
    /// A move to a target that both pieces reach.
    Of(Square, Square),
    /// Another move, with this number of moves of that kind before it.
    Other(usize),
}

/// The target with this number of targets before it; captures come last.
fn target_among(quiet: Bitboard, captures: Bitboard, place: usize) -> Option<Square> {
    let count = quiet.count() as usize;
    let (set, place) = if place < count { (quiet, place) } else { (captures, place - count) };
    // On a board with files and ranks exchanged the squares are in the order of their names.
    let square = attacks::nth(set.transposed(), place)?;
    let names = (File::from_index(square.rank().index())?, Rank::from_index(square.file().index())?);
    Some(Square::new(names.0, names.1))
}

/// The number of moves before the one to this square among moves to these targets: captures come last.
fn place_among(quiet: Bitboard, captures: Bitboard, to: Square) -> usize {
    let before = NAMED_BEFORE[to];
    let count = if quiet.contains(to) {
        (quiet & before).count()
    } else {
        quiet.count() + (captures & before).count()
    };
    count as usize
}

/// The files before the one with this index, which may be the number of files.
fn files_before(index: usize) -> Bitboard {
    const BEFORE: [Bitboard; File::COUNT + 1] = {
        let mut sets = [Bitboard::EMPTY; File::COUNT + 1];
        let mut index = 0;
        while index < File::COUNT {
            sets[index + 1] = Bitboard::from_bits(sets[index].bits() | File::ALL[index].squares().bits());
            index += 1;
        }
        sets
    };
    BEFORE[index]
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

/// The role other than a pawn whose moves start with this letter.
fn piece_of(letter: usize) -> Option<Role> {
    role_of(letter).filter(|&role| role != Role::Pawn)
}

/// The index of the first letter of a move of a piece.
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

    /// The number of moves of the pawns on these files.
    fn count_on(&self, files: Bitboard) -> usize {
        let counts = [self.pushes, self.left.east(), self.right.west()].map(|moves| (moves & files).count());
        counts.iter().sum::<u32>() as usize
    }
}

/// The targets of all pawns.
#[derive(Clone, Copy, Default)]
struct Pawns {
    moves: PawnTargets,
    promotions: PawnTargets,
    /// Whether there are promotions.
    promotes: bool,
}

impl Pawns {
    fn of(position: &Position) -> Self {
        let mut pawns = Self::default();
        position.visit_pawn_moves(|set| match set {
            MoveSet::Pawns { offset: (files, _), targets, promotes } => {
                if promotes {
                    pawns.promotions.add(files, targets);
                    pawns.promotes |= !targets.is_empty();
                } else {
                    pawns.moves.add(files, targets);
                }
            }
            MoveSet::EnPassant { from, to } => {
                pawns.moves.add(if to.file() < from.file() { -1 } else { 1 }, to.bitboard());
            }
            MoveSet::Piece { .. } | MoveSet::Castle { .. } => {}
        });
        pawns
    }

    /// The number of moves of the pawns on these files.
    fn count_on(&self, files: Bitboard) -> usize {
        let moves = self.moves.count_on(files);
        if self.promotes { moves + Role::PROMOTIONS.len() * self.promotions.count_on(files) } else { moves }
    }
}

/// The targets of all pieces of a role.
#[derive(Clone, Copy, Default)]
struct Reached {
    all: Bitboard,
    /// The targets that several pieces reach.
    shared: Bitboard,
    /// The number of moves.
    count: usize,
}

impl Reached {
    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.shared |= self.all & targets;
        self.all |= targets;
        self.count += targets.count() as usize;
    }
}

/// The maximum number of pieces of one role and color: all but the king.
const MAX_PIECES: usize = 15;

/// The pieces of a role.
#[derive(Default)]
struct Pieces {
    /// The square and the targets of each piece.
    each: ArrayVec<(Square, Bitboard), MAX_PIECES>,
    reached: Reached,
}

impl Pieces {
    /// Changes to the pieces of this role, which is not that of pawns. What there was is overwritten: to return the
    /// pieces would be to copy them.
    #[inline(always)]
    fn set(&mut self, position: &Position, role: Role) {
        self.each.clear();
        let mut reached = Reached::default();
        position.visit_pieces(role, |from, targets| {
            reached.add(targets);
            self.each.push((from, targets));
        });
        self.reached = reached;
    }

    /// The square of a piece with this target.
    #[inline(always)]
    fn origin(&self, to: Square) -> Option<Square> {
        // All pieces are tested, because the place of the right one cannot be predicted.
        let either =
            |found, &(from, targets): &(_, Bitboard)| if targets.contains(to) { Some(from) } else { found };
        self.each.iter().fold(None, either)
    }
}

/// The legal moves of a position by the first letter of their texts.
struct Groups<'a> {
    position: &'a Position,
    /// The targets of the pawns, once they have been found.
    pawns: Option<Pawns>,
}

impl<'a> Groups<'a> {
    const fn new(position: &'a Position) -> Self {
        Self { position, pawns: None }
    }

    /// The moves of the pieces of a role, given their targets.
    #[inline]
    fn group_of(&self, Reached { all, shared, .. }: Reached) -> Group {
        let (single, prey) = (all - shared, self.position.color(!self.position.turn()));
        Group { quiet: single - prey, captures: single & prey, shared, is_special: false }
    }

    /// The moves of the pawns of a file, or castling.
    #[inline]
    fn pawns_or_castling(&mut self, letter: usize) -> Group {
        match File::from_index(letter.wrapping_sub(PAWNS)) {
            Some(file) => self.pawns_of(file),
            None => Group { is_special: true, ..Group::default() },
        }
    }

    #[inline]
    fn castling_moves(&self) -> usize {
        if self.position.castling_rooks(self.position.turn()).is_empty() {
            return 0;
        }
        let mut count = 0;
        self.position.visit_castling(|_| count += 1);
        count
    }

    fn pawns(&mut self) -> &Pawns {
        self.pawns.get_or_insert_with(|| Pawns::of(self.position))
    }

    fn pawns_of(&mut self, file: File) -> Group {
        let Pawns { moves, promotions, .. } = self.pawns();
        let (quiet, captures) = moves.of(file);
        let (pushes, takes) = promotions.of(file);
        Group {
            quiet: quiet | pushes,
            captures: captures | takes,
            // The texts of captures state the origin in any case.
            shared: Bitboard::EMPTY,
            is_special: !(pushes | takes).is_empty(),
        }
    }

    /// The number of a legal move.
    #[inline]
    fn ordinal(&mut self, mv: Move) -> usize {
        let letter = match self.position.role_at(mv.from()) {
            Some(_) if mv.is_castle() => CASTLING,
            role => letter_of(role.unwrap_or(Role::Pawn), mv.from()),
        };
        let (reached, earlier) = self.reached_and_earlier(letter);
        let group = match piece_of(letter) {
            Some(_) => self.group_of(reached),
            None => self.pawns_or_castling(letter),
        };
        earlier + self.place_in(&group, letter, mv)
    }

    /// The number of moves of a group before this one.
    #[inline]
    fn place_in(&self, group: &Group, letter: usize, mv: Move) -> usize {
        let position = self.position;
        if group.is_special {
            return self.texts_before(sort_key(position, mv), letter, Bitboard::ALL);
        }
        if group.shared.is_empty() {
            return group.place_of(mv.to());
        }
        if let Some(pieces) = self.two_pieces(letter) {
            return group.place_of_two(position.color(!position.turn()), pieces, mv.from(), mv.to());
        }
        let text = sort_key(position, mv);
        let is_shared = group.shared.contains(mv.to());
        let others = if is_shared { group.count_before(text) } else { group.place_of(mv.to()) };
        others + self.texts_before(text, letter, group.shared)
    }

    /// The targets of the pieces with this letter, and the number of moves whose text starts with an earlier letter,
    /// both in one pass. Earlier moves are only counted, which takes less time than finding the targets of each role.
    #[inline]
    fn reached_and_earlier(&mut self, letter: usize) -> (Reached, usize) {
        let own = piece_of(letter);
        let earlier = (0..letter).filter_map(piece_of);
        let roles =
            earlier.chain(own).fold(Bitboard::EMPTY, |squares, role| squares | self.position.role(role));
        let mut reached = Reached::default();
        let mut count = 0;
        self.position.visit_moves_from(roles, |set| {
            if let MoveSet::Piece { role, targets, .. } = set {
                if Some(role) == own {
                    reached.add(targets);
                } else {
                    count += targets.count() as usize;
                }
            }
        });
        if letter > CASTLING {
            count += self.castling_moves();
        }
        if letter > PAWNS {
            count += self.pawns().count_on(files_before(letter - PAWNS));
        }
        (reached, count)
    }

    /// The pieces with this letter, if there are two.
    #[inline]
    fn two_pieces(&self, letter: usize) -> Option<[Square; 2]> {
        let pieces = self.position.pieces(self.position.turn(), piece_of(letter)?);
        let first = pieces.first()?;
        let others = pieces - first;
        if others.is_many() { None } else { Some([first, others.first()?]) }
    }

    /// The number of moves of a group to these targets whose texts come before this one.
    fn texts_before(&self, text: u64, letter: usize, targets: Bitboard) -> usize {
        let mut count = 0;
        self.visit(letter, targets, |other, _| count += usize::from(other < text));
        count
    }

    /// Sets the pieces to those of a role, and returns whether they have a move at this place among the moves that
    /// start with their letter or a later one. Otherwise their moves are subtracted from the place.
    #[inline(always)]
    fn find_among(&self, role: Role, pieces: &mut Pieces, place: &mut usize) -> bool {
        pieces.set(self.position, role);
        let size = pieces.reached.count;
        let is_found = *place < size;
        *place -= if is_found { 0 } else { size };
        is_found
    }

    /// The move with this number. Roles that come later are not examined.
    fn move_at(&mut self, ordinal: usize) -> Option<Move> {
        let mut place = ordinal;
        let mut pieces = Pieces::default();
        if self.find_among(Role::Bishop, &mut pieces, &mut place)
            || self.find_among(Role::King, &mut pieces, &mut place)
            || self.find_among(Role::Knight, &mut pieces, &mut place)
        {
            return self.piece_move_at(&pieces, place);
        }
        let castling = self.castling_moves();
        if place < castling {
            return self.special_move_at(CASTLING, place);
        }
        place -= castling;
        if self.find_among(Role::Queen, &mut pieces, &mut place)
            || self.find_among(Role::Rook, &mut pieces, &mut place)
        {
            return self.piece_move_at(&pieces, place);
        }
        self.pawn_move_at(place)
    }

    /// The move of one of these pieces with this number of their moves before it.
    fn piece_move_at(&self, pieces: &Pieces, mut place: usize) -> Option<Move> {
        let group = self.group_of(pieces.reached);
        if !group.shared.is_empty() {
            let found = match pieces.each[..] {
                [(first, _), (second, _)] => {
                    group.shared_at([first, second], self.position.color(!self.position.turn()), place)?
                }
                _ => self.shared_among_many(pieces, &group, place)?,
            };
            match found {
                SharedPlace::Of(from, to) => return Some(Move::new(from, to, MoveKind::Normal)),
                SharedPlace::Other(other) => place = other,
            }
        }
        let to = group.target_at(place)?;
        // Only one piece can move to the square.
        Some(Move::new(pieces.origin(to)?, to, MoveKind::Normal))
    }

    /// The move at a place of a group with any number of pieces.
    #[cold]
    fn shared_among_many(&self, pieces: &Pieces, group: &Group, place: usize) -> Option<SharedPlace> {
        let &(from, _) = pieces.each.first()?;
        let letter = letter_of(self.position.role_at(from)?, from);
        let mut moves = ArrayVec::<_, MAX_MOVES>::new();
        self.visit(letter, group.shared, |text, mv| moves.push((text, mv)));
        moves.sort_unstable();
        let places =
            moves.iter().enumerate().map(|(index, &(text, mv))| (group.count_before(text) + index, mv));
        Some(match places.clone().find(|&(other, _)| other >= place) {
            Some((found, mv)) if found == place => SharedPlace::Of(mv.from(), mv.to()),
            _ => SharedPlace::Other(place - places.filter(|&(other, _)| other < place).count()),
        })
    }

    /// The move of a group with promotions or castling at a place.
    fn special_move_at(&self, letter: usize, place: usize) -> Option<Move> {
        let mut moves = ArrayVec::<_, MAX_MOVES>::new();
        self.visit(letter, Bitboard::ALL, |text, mv| moves.push((text, mv)));
        let (_, &mut (_, mv), _) = moves.select_nth_unstable(place);
        Some(mv)
    }

    /// The move of a pawn with this number of such moves before it.
    fn pawn_move_at(&mut self, mut place: usize) -> Option<Move> {
        let pawns = self.pawns();
        for file in File::ALL {
            let size = pawns.count_on(file.squares());
            if place < size {
                let group = self.pawns_of(file);
                if group.is_special {
                    return self.special_move_at(PAWNS + file.index(), place);
                }
                return self.pawn_move(file, group.target_at(place)?);
            }
            place -= size;
        }
        None
    }

    /// The legal move of the pawn on this file to this square, without a promotion.
    fn pawn_move(&self, file: File, to: Square) -> Option<Move> {
        let position = self.position;
        let turn = position.turn();
        let behind = (!turn).forward(to.bitboard());
        if file == to.file() {
            let pushed =
                if position.occupied().intersects(behind) { behind } else { (!turn).forward(behind) };
            return Some(Move::new(pushed.first()?, to, MoveKind::Normal));
        }
        let from = ((behind.east() | behind.west()) & file).first()?;
        let kind = if position.en_passant() == Some(to) { MoveKind::EnPassant } else { MoveKind::Normal };
        Some(Move::new(from, to, kind))
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
            Some(role) => self.position.visit_moves_from(self.position.role(role), visit),
            None => self.position.visit_castling(visit),
        }
    }
}

/// The text of a move without a sign of check, the first character in the highest byte.
fn sort_key(position: &Position, mv: Move) -> u64 {
    u64::from_be_bytes(San::new(position, mv).word_without_sign().padded())
}

/// The number of a legal move in the order of the standard.
pub(super) fn ordinal(position: &Position, mv: Move) -> usize {
    Groups::new(position).ordinal(mv)
}

/// The legal move with this number; if the number is too large, the error is the number of legal moves.
pub(super) fn move_with_ordinal(position: &Position, ordinal: usize) -> Result<Move, usize> {
    Groups::new(position).move_at(ordinal).ok_or_else(|| position.count_legal_moves())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;

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
            // Two pieces on different files, on one file and on one rank, which reach the same squares and captures;
            // some are pinned.
            "k7/8/p1p5/8/2N1N3/p1p1p3/8/4K3 w - - 0 1",
            "4k3/3p4/8/3R4/3p4/3R4/8/4K3 w - - 0 1",
            "4k3/p2p3p/8/R6R/3p4/8/3n4/4K3 w - - 0 1",
            "4k3/4r3/p3p3/8/4R3/R2p4/8/4K3 w - - 0 1",
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
