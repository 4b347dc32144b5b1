//! A helpmate in which one man of the winner does everything: he goes to where he mates, and meanwhile the loser makes
//! moves that change nothing (<https://en.wikipedia.org/wiki/Seriesmover>).
//!
//! Where there are many men, such a mate is often two or three moves away. It is found without making a move: only squares
//! from which the man attacks all that nobody else does are of use. What is found is then played, which proves it.

use super::geometry::Attacked;
use crate::chess::attacks::{AttackMap, BUILT_IN, attacks, between, king, pawn};
use crate::chess::generate::{All, PawnStep, Sink};
use crate::chess::piece::{Black, Side, White};
use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Square};
use arrayvec::ArrayVec;

/// The moves of a pawn until it promotes, and those of a piece, at most.
const MAX_PUSHES: usize = 6;
const MAX_STEPS: usize = 3;
/// The moves of the man that mates, and those with the moves of the other side between them.
const MAX_MOVES: usize = MAX_PUSHES + MAX_STEPS;
const MAX_PLIES: usize = 2 * MAX_MOVES - 1;
/// The ways that are tried in a position.
const TRIES: usize = 3;

/// The squares that the man enters, the one that he mates from last.
type Way = ArrayVec<Square, MAX_MOVES>;
/// The moves of both sides.
type Line = ArrayVec<Move, MAX_PLIES>;

/// Looks for such a mate by `winner`, who is to move and not in check.
#[inline(never)]
pub(super) fn search(position: &Position, winner: Color, attacked: Attacked) -> Option<Line> {
    /// Those that cover most come first.
    const ROLES: [Role; 4] = [Role::Queen, Role::Knight, Role::Bishop, Role::Rook];
    let mut search = Search::new(position, winner, attacked);
    for role in ROLES {
        for from in position.pieces(winner, role) - position.pinned() {
            let covered = attacks(role, winner, from, search.seen_through);
            let found = search.mate_by(role, from, covered, Way::new());
            if found.is_some() || search.tries >= TRIES {
                return found;
            }
        }
    }
    for from in position.pieces(winner, Role::Pawn) - position.pinned() {
        let Some(run) = search.run(from) else { continue };
        let found = search.mate_by(Role::Queen, from, pawn(winner, from), run);
        if found.is_some() || search.tries >= TRIES {
            return found;
        }
    }
    None
}

struct Search<'a> {
    position: &'a Position,
    winner: Color,
    attacked: Attacked,
    /// The king that is to be mated.
    target: Square,
    /// The squares beside him on which there is none of his own men.
    flights: Bitboard,
    /// All men but him.
    seen_through: Bitboard,
    /// The squares that his men attack, once they have been looked for.
    guarded: Option<Bitboard>,
    tries: usize,
}

impl<'a> Search<'a> {
    fn new(position: &'a Position, winner: Color, attacked: Attacked) -> Self {
        let target = position.king(!winner);
        let others = position.color(!winner) - target;
        Self {
            position,
            winner,
            attacked,
            target,
            flights: king(target) - others,
            seen_through: position.occupied() - target,
            guarded: None,
            tries: 0,
        }
    }

    /// The squares that a pawn enters until it promotes, if nothing is in its way.
    fn run(&self, from: Square) -> Option<Way> {
        let mut way = Way::new();
        let mut at = self.winner.forward(from.bitboard());
        while let Some(square) = at.first() {
            if self.position.occupied().contains(square) {
                return None;
            }
            way.push(square);
            at = self.winner.forward(at);
        }
        Some(way)
    }

    /// A mate by the man on `from`, who attacks these squares from there and has this role after he has made a run.
    fn mate_by(&mut self, role: Role, from: Square, covered: Bitboard, run: Way) -> Option<Line> {
        let (position, winner, target) = (self.position, self.winner, self.target);
        let rest = self.attacked.once - (covered - self.attacked.twice);
        let through = self.seen_through - from;
        // He attacks what nobody else does, and is attacked himself by none but a king who cannot take him.
        let mut posts = !(position.color(winner) | (king(target) - rest));
        for square in (self.flights - rest) | target {
            posts &= attacks(role, winner, square, through);
            if posts.is_empty() {
                return None;
            }
        }
        let guarded = *self.guarded.get_or_insert_with(|| guarded_by(position, !winner));
        // The shortest ways first.
        let near = run.last().map_or(covered, |end| end.bitboard());
        let posts = posts - guarded;
        for post in (posts & near).into_iter().chain(posts - near) {
            let line = between(post, target);
            if line.intersects(guarded) {
                continue;
            }
            let man = Man { role, winner, from, start: run.last().copied().unwrap_or(from), post, target };
            for is_long in [false, true] {
                let Some(way) = man.way(position.occupied(), is_long) else { break };
                let way = run.iter().copied().chain(way).collect();
                if let Some(line) = man.play(position, &way) {
                    return Some(line);
                }
                self.tries += 1;
                if self.tries >= TRIES {
                    return None;
                }
            }
        }
        None
    }
}

/// The squares that the men of a side attack, but the king.
fn guarded_by(position: &Position, color: Color) -> Bitboard {
    let others = |role| position.pieces(color, role).only_if(role != Role::King);
    AttackMap::new(color, others, position.occupied()).by_any
}

/// The man that mates.
struct Man {
    role: Role,
    winner: Color,
    from: Square,
    /// Where he is when he has that role.
    start: Square,
    /// Where he mates from.
    post: Square,
    /// The king that he mates.
    target: Square,
}

impl Man {
    /// A way to the post over empty squares from which he gives no check: the shortest, or one that takes a move more than
    /// need be.
    fn way(&self, occupied: Bitboard, is_long: bool) -> Option<ArrayVec<Square, MAX_STEPS>> {
        let occupied = occupied - self.from;
        let attacks = |from| attacks(self.role, self.winner, from, occupied);
        if self.start == self.post {
            return (!is_long).then(ArrayVec::new);
        }
        let calm = !(occupied | attacks(self.target));
        if self.start != self.from && !calm.contains(self.start) {
            return None;
        }
        let (first, last) = (attacks(self.start), attacks(self.post) & calm);
        let is_near = first.contains(self.post);
        if is_near && !is_long {
            return Some(ArrayVec::from_iter([self.post]));
        }
        let second = (first & last).first();
        if let Some(second) = second.filter(|_| is_near || !is_long) {
            return Some(ArrayVec::from_iter([second, self.post]));
        }
        (first & calm).into_iter().find_map(|one| {
            let two = (attacks(one) & last).first()?;
            Some(ArrayVec::from_iter([one, two, self.post]))
        })
    }

    /// Plays this, with moves of the other side that keep out of the way; `None` if it does not mate.
    fn play(&self, position: &Position, way: &Way) -> Option<Line> {
        let mut line = Line::new();
        let mut position = *position;
        let kept = between(self.post, self.target) | self.post;
        let mut path = kept;
        let mut from = self.from;
        for &to in way {
            path |= between(from, to) | to;
            from = to;
        }
        from = self.from;
        for (index, &to) in way.iter().enumerate() {
            if index > 0 {
                let waiting = match position.turn() {
                    Color::White => self.waiting_move::<White>(&position, path, kept),
                    Color::Black => self.waiting_move::<Black>(&position, path, kept),
                };
                let waiting = waiting.or_else(|| self.king_move(&position, path, way.len() - index))?;
                line.push(waiting);
                position = position.after(waiting).0;
                if position.is_check() || position.pinned().contains(from) {
                    return None;
                }
            }
            let occupied = position.occupied();
            let is_pawn = position.role(Role::Pawn).contains(from);
            let can_go = if is_pawn {
                !occupied.contains(to)
            } else {
                attacks(self.role, self.winner, from, occupied).contains(to)
            };
            if !can_go {
                return None;
            }
            let is_promotion = is_pawn && to == self.start;
            let mv =
                Move::new(from, to, if is_promotion { MoveKind::PromoteQueen } else { MoveKind::Normal });
            line.push(mv);
            position = position.after(mv).0;
            from = to;
        }
        position.is_checkmate().then_some(line)
    }

    /// A move of the king, who must be back where he is mated before so many moves.
    fn king_move(&self, position: &Position, path: Bitboard, left: usize) -> Option<Move> {
        let from = position.king(!self.winner);
        let safe = king(from) - position.occupied() - Attacked::by(position, self.winner).once;
        let wanted =
            if from == self.target { (safe - path).only_if(left > 1) } else { safe & self.target.bitboard() };
        wanted.first().map(|to| Move::new(from, to, MoveKind::Normal))
    }

    /// A move of another man that changes nothing.
    #[inline(never)]
    fn waiting_move<S: Side>(&self, position: &Position, path: Bitboard, kept: Bitboard) -> Option<Move> {
        if position.king(S::COLOR) != self.target || position.is_check() {
            return None;
        }
        let zone = king(self.target);
        let wanted = !(zone | path | position.occupied());
        let mut waiting = Waiting { position, wanted, zone, kept, found: None };
        position.generate_others::<S, All, _>(BUILT_IN, wanted, &mut waiting);
        waiting.found
    }
}

/// Looks for a move of a man that is not beside his king, to a square that is wanted, from which he attacks none that is kept.
struct Waiting<'a> {
    position: &'a Position,
    wanted: Bitboard,
    zone: Bitboard,
    kept: Bitboard,
    found: Option<Move>,
}

impl Waiting<'_> {
    #[inline(always)]
    fn add(&mut self, role: Role, color: Color, from: Square, targets: Bitboard) {
        if self.found.is_some() || self.zone.contains(from) {
            return;
        }
        let occupied = self.position.occupied() - from;
        let is_calm = |to: &Square| !attacks(role, color, *to, occupied).intersects(self.kept);
        let to = (targets & self.wanted).into_iter().find(is_calm);
        self.found = to.map(|to| Move::new(from, to, MoveKind::Normal));
    }
}

impl<S: Side> Sink<S> for Waiting<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.add(role, S::COLOR, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets & self.wanted {
            self.add(Role::Pawn, S::COLOR, step.origin::<S>(to), to.bitboard());
        }
    }

    fn promotions(&mut self, _step: PawnStep, _targets: Bitboard) {}

    fn en_passant(&mut self, _from: Square, _target: Square) {}

    fn castle(&mut self, _king: Square, _rook: Square) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples;

    /// Plays a line, each move of which must be legal, and says whether it mates.
    fn mates(position: &Position, line: &Line) -> bool {
        let end = line.iter().fold(*position, |position, &mv| position.play(mv).expect("a legal move"));
        end.is_checkmate()
    }

    fn found(fen: &str) -> Option<Line> {
        let position = samples::position(fen);
        let winner = position.turn();
        let line = search(&position, winner, Attacked::by(&position, winner));
        line.inspect(|line| assert!(mates(&position, line), "{fen}: {line:?}"))
    }

    #[test]
    fn one_man_mates_alone() {
        let cases = [
            ("a queen next to her king", "7k/8/6K1/8/8/8/p7/1Q6 w - - 0 1", true),
            ("a pawn that promotes", "k7/8/K6P/8/8/p7/8/8 w - - 0 1", true),
            ("a rook on the last rank", "6k1/5ppp/8/8/p7/8/8/K6R w - - 0 1", true),
            ("a king alone", "7k/8/6K1/8/8/8/8/8 w - - 0 1", false),
        ];
        for (name, fen, is_found) in cases {
            assert_eq!(found(fen).is_some(), is_found, "{name}");
        }
    }

    #[test]
    fn what_is_found_is_legal_and_mates() {
        let mut count = 0;
        samples::walk(200, |position, _| {
            let winner = position.turn();
            if !position.is_check()
                && let Some(line) = search(position, winner, Attacked::by(position, winner))
            {
                assert!(mates(position, &line), "{position:?}: {line:?}");
                count += 1;
            }
        });
        assert!(count > 1000, "{count}");
    }
}
