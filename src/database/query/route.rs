//! The route of one man: the squares to which it moves in order, with any other moves between.

use super::change::Change;
use super::content::{Content, Designator};
use super::headers::BadValue;
use crate::chess::{CastlingSide, Color, Move, Piece, Role, Square};
use crate::database::men::Arrangement;

/// The maximum number of legs of a route.
const MAX_LEGS: usize = 24;

/// The square or squares of a route that a leg leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leg {
    squares: Designator,
    /// Whether the man captures there.
    captures: bool,
    /// Whether the man may make any moves before.
    is_far: bool,
}

/// The squares to which one man moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Route {
    color: Color,
    role: Role,
    legs: Vec<Leg>,
}

const A_ROUTE: &str = "a route such as Nb1-d2-f1-g3, N-*-*-e5 or R...h4xh7";
const ANYWHERE: &str = "...";

impl Route {
    /// A memory for each square: the legs that the man on it has completed, as bits.
    pub(super) const MEMORIES: usize = Square::COUNT;

    /// Reads `Nb1-d2-f1-g3`: `*` is any square, `...` any number of moves, `x` a capture.
    pub(super) fn read(text: &str) -> Result<Self, BadValue> {
        let wrong = |at: usize| BadValue::new(at, A_ROUTE);
        let piece = text.chars().next().and_then(Piece::from_letter).ok_or_else(|| wrong(0))?;
        let mut rest = &text[1..];
        let mut legs = Vec::new();
        let (mut captures, mut is_far) = (false, false);
        loop {
            let at = text.len() - rest.len();
            let end = rest.find(['x', '.']).unwrap_or(rest.len());
            // A dash separates legs; it cannot be part of a range of files or ranks, which a route does not have.
            let end = rest[..end].find('-').unwrap_or(end);
            let name = &rest[..end];
            let squares = match name {
                "*" => Designator::new(Content::ANYTHING),
                // The first square may be any.
                "" if legs.is_empty() => Designator::new(Content::ANYTHING),
                "" => return Err(wrong(at)),
                _ => Designator::read_squares(name).map_err(|_| wrong(at))?,
            };
            legs.push(Leg { squares, captures, is_far });
            rest = &rest[end..];
            if rest.is_empty() {
                break;
            }
            (captures, is_far) = (false, false);
            if let Some(behind) = rest.strip_prefix(ANYWHERE) {
                is_far = true;
                rest = behind.strip_prefix('-').unwrap_or(behind);
                if let Some(behind) = rest.strip_prefix('x') {
                    (captures, rest) = (true, behind);
                }
            } else if let Some(behind) = rest.strip_prefix('x') {
                (captures, rest) = (true, behind);
            } else if let Some(behind) = rest.strip_prefix('-') {
                rest = behind;
                if let Some(behind) = rest.strip_prefix(ANYWHERE) {
                    is_far = true;
                    rest = behind.strip_prefix('-').unwrap_or(behind);
                }
            } else {
                return Err(wrong(text.len() - rest.len()));
            }
        }
        if legs.len() < 2 || legs.len() > MAX_LEGS {
            return Err(wrong(text.len()));
        }
        Ok(Self { color: piece.color(), role: piece.role(), legs })
    }

    /// The route on a changed board; `None` if a square would leave it.
    pub(super) fn changed(&self, change: Change) -> Option<Self> {
        let leg = |leg: &Leg| Some(Leg { squares: leg.squares.changed(change)?, ..*leg });
        let legs = self.legs.iter().map(leg).collect::<Option<_>>()?;
        Some(Self { color: change.color(self.color), role: self.role, legs })
    }

    /// The initial memory of a man on this square: 1 if the route can start there, otherwise 0.
    fn starts_on(&self, square: Square) -> u32 {
        u32::from(self.legs[0].squares.squares().contains(square))
    }

    /// Starts with the first position of a game.
    pub(super) fn begin(&self, board: &impl Arrangement, memories: &mut [Option<u32>]) {
        memories.fill(None);
        for square in board.pieces(self.color, self.role) {
            memories[square.index()] = Some(self.starts_on(square));
        }
    }

    /// Advances by a move of a man with this color. Returns whether it completes the route.
    pub(super) fn advance(
        &self,
        mv: Move,
        color: Color,
        captures: bool,
        memories: &mut [Option<u32>],
    ) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let [king_to, rook_to] = CastlingSide::of(from, to).castled(color.back_rank());
            let (king, rook) = (memories[from.index()].take(), memories[to.index()].take());
            let king_ends = self.arrive(king, king_to, false, memories);
            let rook_ends = self.arrive(rook, rook_to, false, memories);
            return king_ends || rook_ends;
        }
        let man = memories[from.index()].take();
        self.arrive(man, to, captures, memories)
    }

    fn arrive(&self, man: Option<u32>, to: Square, captures: bool, memories: &mut [Option<u32>]) -> bool {
        // The captured man is replaced by one that is not followed.
        let Some(behind) = man else {
            memories[to.index()] = None;
            return false;
        };
        let mut next = self.starts_on(to);
        for (index, leg) in self.legs.iter().enumerate().skip(1) {
            if behind >> (index - 1) & 1 == 0 {
                continue;
            }
            if leg.squares.squares().contains(to) && (captures || !leg.captures) {
                next |= 1 << index;
            }
            if leg.is_far {
                next |= 1 << (index - 1);
            }
        }
        let end = 1 << (self.legs.len() - 1);
        memories[to.index()] = Some(next);
        next & end != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::notation::parse_san;

    fn ends_after(route: &str, moves: &str) -> Vec<usize> {
        let route = Route::read(route).expect(route);
        let mut memories = [None; Route::MEMORIES];
        let mut now = Position::start();
        route.begin(now.board(), &mut memories);
        let mut ends = Vec::new();
        for (ply, text) in moves.split(' ').enumerate() {
            let mv = parse_san(text, &now).expect(text).mv().expect("no pass");
            if route.advance(mv, now.turn(), now.captured_role(mv).is_some(), &mut memories) {
                ends.push(ply + 1);
            }
            now = now.after(mv).0;
        }
        ends
    }

    #[test]
    fn routes_are_those_of_one_man() {
        let game = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 \
                    Bf8 Ng3 g6 dxe5 dxe5 Nxe5 Nxe5";
        let cases: [(&str, &[usize]); 15] = [
            ("Nb1-d2-f1-g3", &[27]),
            ("Nb1-d2-g3", &[]),
            ("Nb1-*-*-g3", &[27]),
            ("Nb1...g3", &[27]),
            ("N-...-g3", &[27]),
            ("nb8-c6-b8-d7", &[20]),
            ("Nb8-c6-b8-d7", &[]),
            ("Bf1-b5-a4-b3-c2", &[23]),
            ("Bb5-b3", &[]),
            ("Rh1-f1-e1", &[11]),
            ("Ke1-g1", &[9]),
            ("Nf3xe5", &[31]),
            ("nb8...xe5", &[32]),
            ("ng8...e5", &[]),
            ("N-d-f", &[25]),
        ];
        for (route, expected) in cases {
            assert_eq!(ends_after(route, game), expected, "{route}");
        }
    }

    #[test]
    fn what_is_no_route_is_refused() {
        for wrong in ["", "N", "Nb1", "Xb1-c3", "Nb1-", "Nb1--c3", "Nb9-c3", "Nb1 c3", "Nb1..c3"] {
            assert!(Route::read(wrong).is_err(), "{wrong}");
        }
        assert!(Route::read(&("N".to_owned() + &"-e4".repeat(30))).is_err());
    }
}
