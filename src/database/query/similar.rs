//! Positions that are like a given one: by their pawns, their material and the wings of their kings.

use super::change::Change;
use super::headers::{BadValue, Range};
use super::positions::{Target, split_operator};
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::database::men::{Arrangement, Played};
use crate::database::store::Seen;

/// The greatest difference of a similar position, unless the term states another.
const MOST: i64 = 4;
/// The difference of two positions with a king on another wing, in pawns: it changes plans more than one pawn does.
const WING: u32 = 2;
/// The pieces that are counted, wherever they are.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A third of the board from side to side, on which a king is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wing {
    /// The files a to c.
    Queen,
    /// The files d and e.
    Center,
    /// The files f to h.
    King,
}

impl Wing {
    fn of(square: Square) -> Self {
        match square.file().index() {
            0..=2 => Self::Queen,
            3..=4 => Self::Center,
            _ => Self::King,
        }
    }

    const fn mirrored(self) -> Self {
        match self {
            Self::Queen => Self::King,
            Self::Center => Self::Center,
            Self::King => Self::Queen,
        }
    }
}

/// The compared properties of the men of one color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Side {
    pawns: Bitboard,
    /// The number of each of [`PIECES`].
    pieces: [u32; PIECES.len()],
    wing: Option<Wing>,
}

impl Side {
    fn of(position: &impl Arrangement, color: Color) -> Self {
        Self {
            pawns: position.pieces(color, Role::Pawn),
            pieces: PIECES.map(|role| position.pieces(color, role).count()),
            wing: position.king(color).map(Wing::of),
        }
    }

    /// The number of men.
    fn men(&self) -> u32 {
        self.pawns.count() + self.pieces.iter().sum::<u32>() + u32::from(self.wing.is_some())
    }

    /// The side with its pawns moved by a change that keeps all of them on the board.
    fn changed(self, change: Change) -> Self {
        let pawns = self.pawns.into_iter().filter_map(|square| change.square(square));
        let wing = self.wing.map(|wing| if change == Change::Mirror { wing.mirrored() } else { wing });
        Self { pawns: pawns.fold(Bitboard::EMPTY, |all, square| all | square), wing, ..self }
    }
}

/// The number of things that must be moved, added or removed if so many are missing and so many are too many: something
/// that is elsewhere is both, and counts once.
const fn differing(missing: u32, extra: u32) -> u32 {
    if missing > extra { missing } else { extra }
}

/// The positions that differ from a given one by so much.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Similar {
    /// The sides of the given position, by color.
    sides: [Side; Color::COUNT],
    range: Range,
}

impl Similar {
    /// Reads a FEN, and behind it a limit such as `<=2`.
    pub(super) fn read(text: &str) -> Result<Self, BadValue> {
        let end = text.find(['=', '<', '>']).unwrap_or(text.len());
        let range = match split_operator(&text[end..]) {
            Some((operator, value)) => {
                let offset = text.len() - value.trim_start().len();
                Range::read(operator, value.trim())
                    .map_err(|error| BadValue { at: offset + error.at, ..error })?
            }
            None => Range::at_most(MOST),
        };
        let Target(position) = Target::read_fen(text[..end].trim_end())?;
        Ok(Self { sides: Color::ALL.map(|color| Side::of(position.board(), color)), range })
    }

    /// The term on a changed board; `None` if it has no meaning there.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        let [white, black] = self.sides.map(|side| side.changed(change));
        let sides = match change {
            Change::Exchange => [black, white],
            Change::Mirror => [white, black],
            Change::Shift { .. } => return None,
        };
        Some(Self { sides, range: self.range })
    }

    /// Whether a position differs by so much. The pawns come first: they rule out most positions.
    #[inline]
    pub(super) fn holds(&self, position: &impl Arrangement) -> bool {
        let mut difference = 0;
        for (color, side) in Color::ALL.into_iter().zip(&self.sides) {
            let pawns = position.pieces(color, Role::Pawn);
            difference += differing((side.pawns - pawns).count(), (pawns - side.pawns).count());
        }
        if !self.allows_at_least(difference) {
            return false;
        }
        for (color, side) in Color::ALL.into_iter().zip(&self.sides) {
            let here = Side::of(position, color);
            let (mut missing, mut extra) = (0, 0);
            for (wanted, found) in side.pieces.iter().zip(here.pieces) {
                missing += wanted.saturating_sub(found);
                extra += found.saturating_sub(*wanted);
            }
            difference += differing(missing, extra);
            if here.wing != side.wing {
                difference += WING;
            }
        }
        self.range.contains(difference.into())
    }

    /// Whether the term cannot have begun to hold by this move: pieces may move and castling rights may go.
    #[inline]
    pub(super) fn is_kept_by(&self, played: &Played) -> bool {
        played.captured.is_none() && !matches!(played.role, Role::Pawn | Role::King)
    }

    /// Whether the term may hold somewhere between two positions of a game, by the numbers of men and pawns.
    pub(super) fn may_hold(&self, first: &Position, last: &Position) -> bool {
        let least = Color::ALL.into_iter().zip(&self.sides).map(|(color, side)| {
            let beyond = |wanted: u32, count: &dyn Fn(&Position) -> u32| {
                wanted.saturating_sub(count(first)).max(count(last).saturating_sub(wanted))
            };
            let men = beyond(side.men(), &|position| position.color(color).count());
            men.max(beyond(side.pawns.count(), &|position| position.pieces(color, Role::Pawn).count()))
        });
        self.allows_at_least(least.sum())
    }

    /// Whether the term may hold in a game with this summary.
    pub(super) fn may_hold_in(&self, seen: &Seen) -> bool {
        let least = Color::ALL.into_iter().zip(&self.sides).map(|(color, side)| {
            let never_there = (side.pawns - seen.pawns[color]).count();
            never_there.max(u32::from(seen.men[color]).saturating_sub(side.men()))
        });
        self.allows_at_least(least.sum())
    }

    /// Whether a difference of so much or more is within the limit.
    fn allows_at_least(&self, difference: u32) -> bool {
        self.range.meets(difference.into(), i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position_from_fen;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// An isolated queen's pawn.
    const ISOLATED: &str = "r1bq1rk1/pp2bppp/2n1pn2/8/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";

    fn position(fen: &str) -> Position {
        position_from_fen(fen).expect(fen)
    }

    fn holds(value: &str, fen: &str) -> bool {
        Similar::read(value).expect(value).holds(position(fen).board())
    }

    /// The difference of two positions.
    fn difference(one: &str, other: &str) -> i64 {
        let exact = (0..100).find(|limit| holds(&format!("{one} ={limit}"), other));
        let difference = exact.expect("positions differ by some number");
        assert_eq!(holds(one, other), difference <= MOST, "{one} {other}");
        assert!(holds(&format!("{other}<={difference}"), one), "the other way round: {one} {other}");
        difference
    }

    #[test]
    fn differences_are_counted() {
        let cases = [
            (START, START, 0),
            // A pawn that has moved counts once, the side to move and castling rights do not.
            (START, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1", 1),
            (START, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 2),
            // A pawn that is missing.
            (START, "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
            // Pieces may be anywhere, a king on its wing, too.
            (ISOLATED, "2rq1r1k/pp2bppp/2n1pn2/8/3P2b1/P1N2N2/1P1B1PPP/RB1Q1RK1 w - - 0 10", 1),
            // A bishop in place of a knight counts once, and so does a rook that is missing.
            (ISOLATED, "r1bq1rk1/pp2bppp/2b1pn2/8/3P4/2NB1N2/PP3PPP/R1BQ2K1 w - - 0 10", 2),
            // Kings on other wings.
            (ISOLATED, "r1bq1rk1/pp2bppp/2n1pn2/8/3P4/2NB1N2/PP3PPP/2KRBQ1R w - - 0 10", 2),
            (ISOLATED, "r1bqkr2/pp2bppp/2n1pn2/8/3P4/2NB1N2/PP3PPP/2KRBQ1R w - - 0 10", 4),
            (ISOLATED, START, 10),
        ];
        for (one, other, expected) in cases {
            assert_eq!(difference(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn boards_are_changed() {
        let similar = Similar::read(&format!("{ISOLATED} <=0")).expect("a term");
        let exchanged = position("r1bq1rk1/pp3ppp/2nb1n2/3p4/8/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 10");
        let mirrored = position("1kr1qb1r/pppb2pp/2np1n2/8/4P3/2N1BN2/PPP3PP/1KR1QB1R w - - 0 10");
        let changed = |change| similar.changed(change);
        assert!(!similar.holds(exchanged.board()));
        assert!(changed(Change::Exchange).is_some_and(|similar| similar.holds(exchanged.board())));
        assert!(!similar.holds(mirrored.board()));
        assert!(changed(Change::Mirror).is_some_and(|similar| similar.holds(mirrored.board())));
        assert_eq!(changed(Change::Shift { files: 1, ranks: 0 }), None);
    }

    #[test]
    fn what_cannot_come_is_ruled_out() {
        let ending = "8/5k2/2p5/3p4/3P1r2/4P3/6K1/5R2 w - - 0 40";
        let (first, last) = (position(START), position(ending));
        let may_hold = |value: &str| Similar::read(value).expect(value).may_hold(&first, &last);
        assert!(may_hold(START) && may_hold(ISOLATED) && may_hold(ending));
        let lone = "8/5k2/8/8/8/8/6K1/8 w - - 0 60";
        assert!(!may_hold(lone) && may_hold(&format!("{lone} <=6")) && !may_hold(&format!("{lone} <=5")));
        let mut seen = Seen::default();
        for color in Color::ALL {
            seen.pawns[color] = last.pieces(color, Role::Pawn);
            seen.men[color] = last.color(color).count() as u8;
        }
        let may_hold_in = |value: &str| Similar::read(value).expect(value).may_hold_in(&seen);
        assert!(may_hold_in(ending) && !may_hold_in(START) && !may_hold_in(lone));
    }

    #[test]
    fn wrong_values_have_a_place() {
        for (text, at, expected) in [
            ("x".to_owned(), 0, "the FEN of a position"),
            (String::new(), 0, "the FEN of a position"),
            ("8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), 0, "the FEN of a position"),
            (format!("{START} <="), START.len() + 3, "a number"),
            (format!("{START} <= many"), START.len() + 4, "a number"),
        ] {
            let error = Similar::read(&text).expect_err(&text);
            assert_eq!(error.at, at, "{text}");
            assert!(error.expected.starts_with(expected), "{text}: {}", error.expected);
        }
    }
}
