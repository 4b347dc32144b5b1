//! A helpmate in which one man of the winner makes all moves to the mate, while the loser makes waiting moves that
//! change nothing (<https://en.wikipedia.org/wiki/Seriesmover>).
//!
//! In positions with many men such a mate is often two or three moves away. The search for it makes no moves: it only
//! considers squares from which the man attacks all required squares that no other man attacks. The line found is then
//! played, which proves it.

use super::geometry::Attacked;
use crate::chess::attacks::{AttackMap, BUILT_IN, attacks, between, king, pawn};
use crate::chess::generate::{All, PawnStep, Sink};
use crate::chess::piece::{Black, Side, White};
use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Square};
use arrayvec::ArrayVec;

/// The maximum number of moves of a pawn until promotion, and of a piece.
const MAX_PUSHES: usize = 6;
const MAX_STEPS: usize = 3;
/// The maximum number of moves of the mating man, and of plies with the replies between them.
const MAX_MOVES: usize = MAX_PUSHES + MAX_STEPS;
const MAX_PLIES: usize = 2 * MAX_MOVES - 1;
/// The maximum number of paths tried in a position.
const TRIES: usize = 3;

/// The squares that the man enters; it mates from the last one.
type Way = ArrayVec<Square, MAX_MOVES>;
/// The moves of both sides.
type Line = ArrayVec<Move, MAX_PLIES>;

/// Searches for such a mate by `winner`, which must be the side to move and not in check.
#[inline(never)]
pub(super) fn search(position: &Position, winner: Color, attacked: Attacked) -> Option<Line> {
    /// The roles in search order, roughly those that cover the most squares first.
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
    /// The king of the loser.
    target: Square,
    /// The squares next to the loser's king on which there is none of its own men.
    flights: Bitboard,
    /// All men except the loser's king.
    seen_through: Bitboard,
    /// The squares that the loser's men attack, computed on first use.
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

    /// The squares that a pawn enters until promotion; `None` if one of them is occupied.
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

    /// A mate by the man on `from`, which attacks the squares `covered` from there. `run` is its way to promotion, and
    /// `role` its role after that.
    fn mate_by(&mut self, role: Role, from: Square, covered: Bitboard, run: Way) -> Option<Line> {
        let (position, winner, target) = (self.position, self.winner, self.target);
        let rest = self.attacked.once - (covered - self.attacked.twice);
        let through = self.seen_through - from;
        // From its post the man attacks the required squares that no other man attacks; and if the king can reach the
        // post, the post is protected.
        let mut posts = !(position.color(winner) | (king(target) - rest));
        for square in (self.flights - rest) | target {
            posts &= attacks(role, winner, square, through);
            if posts.is_empty() {
                return None;
            }
        }
        let guarded = *self.guarded.get_or_insert_with(|| guarded_by(position, !winner));
        // Posts within one move first.
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

/// The squares that the men of a side other than the king attack.
fn guarded_by(position: &Position, color: Color) -> Bitboard {
    let others = |role| position.pieces(color, role).only_if(role != Role::King);
    AttackMap::new(color, others, position.occupied()).by_any
}

/// The mating man.
struct Man {
    role: Role,
    winner: Color,
    from: Square,
    /// The square on which the man gets its role: that of its promotion, or its origin.
    start: Square,
    /// The square from which the man mates.
    post: Square,
    /// The king of the loser.
    target: Square,
}

impl Man {
    /// A path to the post over empty squares from which the man does not give check: the shortest one, or with
    /// `is_long` one that takes an extra move.
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

    /// Plays this path, with moves of the loser that keep out of the way; `None` if the line does not mate.
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

    /// A move of the loser's king, which must return to `target` within the `left` remaining moves.
    fn king_move(&self, position: &Position, path: Bitboard, left: usize) -> Option<Move> {
        let from = position.king(!self.winner);
        let safe = king(from) - position.occupied() - Attacked::by(position, self.winner).once;
        let wanted =
            if from == self.target { (safe - path).only_if(left > 1) } else { safe & self.target.bitboard() };
        wanted.first().map(|to| Move::new(from, to, MoveKind::Normal))
    }

    /// A move of another man of the loser that changes nothing.
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

/// Finds a move of a man that is not next to its king, to a `wanted` square from which it attacks none of the squares
/// in `kept`.
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

    /// Plays a line, each move of which must be legal, and returns whether it mates.
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
