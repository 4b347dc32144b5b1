//! Move picker: returns each legal move of a position once, the most promising first
//! (<https://www.chessprogramming.org/Move_Ordering>). Moves are generated in stages, when the moves of the
//! earlier stages are used up.

use super::checks::Checks;
use super::history::{Histories, HistoryContext, KILLERS, Killers};
use super::params::{PLY, Params};
use super::see;
use crate::chess::{MAX_MOVES, Move, MoveList, Piece, Position, Role};
use arrayvec::ArrayVec;

/// The denominator of percentages.
const HUNDREDTHS: i32 = 100;

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Hash,
    GenerateNoisy,
    Noisy,
    Killer(usize),
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The moves of one position in stages: the hash move; captures and promotions that lose no more than their
/// history allows; killers; quiet moves by history; the other captures and promotions.
pub(super) struct Picker {
    stage: Stage,
    hash: Option<Move>,
    killers: Killers,
    /// Bad noisy moves before index `bad`, and the moves not returned yet from index `next` on.
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad: usize,
    next: usize,
    wants_quiets: bool,
    wants_bad: bool,
    /// Computed on first use.
    checks: Option<Checks>,
}

impl Picker {
    /// All legal moves. `hash` and `killers` need not be legal.
    pub(super) fn all(hash: Option<Move>, killers: Killers) -> Self {
        Self {
            stage: Stage::Hash,
            hash,
            killers,
            moves: ArrayVec::new(),
            bad: 0,
            next: 0,
            wants_quiets: true,
            wants_bad: true,
            checks: None,
        }
    }

    /// Only captures and promotions that lose no more than a small margin.
    pub(super) fn good_noisy(position: &Position, hash: Option<Move>) -> Self {
        let hash = hash.filter(|&mv| position.is_legal(mv) && position.is_noisy(mv));
        Self { wants_quiets: false, wants_bad: false, ..Self::all(hash, Killers::default()) }
    }

    /// Whether this legal move gives check, as in [`Checks::contains`].
    pub(super) fn gives_check(&mut self, position: &Position, mv: Move) -> bool {
        self.checks(position).contains(position, mv)
    }

    fn checks(&mut self, position: &Position) -> &Checks {
        self.checks.get_or_insert_with(|| Checks::of(position))
    }

    /// Whether the last move comes from the sorted quiet moves.
    pub(super) fn is_sorted(&self) -> bool {
        self.stage == Stage::Quiet
    }

    /// Skips the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.wants_quiets = false;
    }

    /// After a sorted quiet move: skips those after it that give no check.
    pub(super) fn skip_quiets_without_check(&mut self, position: &Position) {
        if !self.is_sorted() {
            return;
        }
        let checks = *self.checks(position);
        let mut end = self.next;
        for index in self.next..self.moves.len() {
            if checks.contains(position, self.moves[index].mv) {
                self.moves.swap(end, index);
                end += 1;
            }
        }
        self.moves.truncate(end);
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        params: &Params,
        position: &Position,
        histories: &Histories,
        context: &HistoryContext,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateNoisy;
                    self.hash = self.hash.filter(|&mv| position.is_legal(mv));
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(params, position, histories);
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.best() {
                    Some(Scored { mv, .. }) if self.is_good(params, position, histories, mv) => {
                        return Some(mv);
                    }
                    Some(bad) => {
                        self.moves[self.bad] = bad;
                        self.bad += 1;
                    }
                    None => self.stage = Stage::Killer(0),
                },
                Stage::Killer(KILLERS) => self.stage = Stage::GenerateQuiet,
                Stage::Killer(index) => {
                    self.stage = Stage::Killer(index + 1);
                    if let Some(mv) = self.killer(index, position) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiet => {
                    self.moves.truncate(self.bad);
                    self.next = self.bad;
                    if self.wants_quiets {
                        self.generate_quiet(params, position, histories, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(Scored { mv, .. }) if self.wants_quiets => return Some(mv),
                    _ => {
                        self.stage = Stage::BadNoisy;
                        self.next = 0;
                    }
                },
                Stage::BadNoisy => {
                    if self.wants_bad && self.next < self.bad {
                        self.next += 1;
                        return Some(self.moves[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Removes the best of the moves from index `next` on.
    fn best(&mut self) -> Option<Scored> {
        let rest = &mut self.moves[self.next..];
        let mut best = rest.first()?.score;
        let mut place = 0;
        for (index, scored) in rest.iter().enumerate() {
            if scored.score > best {
                (best, place) = (scored.score, index);
            }
        }
        rest.swap(0, place);
        self.next += 1;
        rest.first().copied()
    }

    /// Whether a noisy move comes before the quiet moves.
    fn is_good(&self, params: &Params, position: &Position, histories: &Histories, mv: Move) -> bool {
        let loss = if self.wants_bad {
            let history = position
                .captured_role(mv)
                .map_or(0, |captured| histories.capture(mover(position, mv), mv.to(), captured));
            params.good_noisy_loss() + history * params.good_noisy_history() / PLY
        } else {
            params.qs_see_margin()
        };
        !matches!(mv.promotion(), Some(Role::Knight | Role::Bishop | Role::Rook))
            && see::see_ge(position, mv, -loss)
    }

    #[inline(never)]
    fn killer(&self, index: usize, position: &Position) -> Option<Move> {
        let mv = self.killers.nth(index)?;
        let is_new = Some(mv) != self.hash && (index == 0 || self.killers.nth(0) != Some(mv));
        (self.wants_quiets && is_new && position.is_legal(mv) && !position.is_noisy(mv)).then_some(mv)
    }

    /// Generates noisy moves, ordered by victim, capture history and attacker
    /// (<https://www.chessprogramming.org/MVV-LVA>).
    // Not inlined, because it runs once for many calls of `next`.
    #[inline(never)]
    fn generate_noisy(&mut self, params: &Params, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.add_noisy_moves(&mut list);
        for &mv in &list {
            if Some(mv) == self.hash {
                continue;
            }
            let mover = mover(position, mv);
            let mut score = mv.promotion().map_or(0, |role| params.victim_weight() * see::value(role));
            if let Some(captured) = position.captured_role(mv) {
                score += params.victim_weight() * see::value(captured) - see::value(mover.role())
                    + histories.capture(mover, mv.to(), captured);
            }
            self.moves.push(Scored { mv, score });
        }
    }

    /// Generates quiet moves, ordered by history. Checks, moves that evade an attack by a lesser piece
    /// and moves that attack a greater piece come earlier, moves to squares attacked by a lesser piece later.
    #[inline(never)]
    fn generate_quiet(
        &mut self,
        params: &Params,
        position: &Position,
        histories: &Histories,
        context: &HistoryContext,
    ) {
        let mut list = MoveList::new();
        position.add_quiet_moves(&mut list);
        let history = histories.quiets(params, context);
        let checks = *self.checks(position);
        let lesser = context.threats.by_lesser();
        let offense = position.attacks_on_greater(position.turn());
        for &mv in &list {
            if Some(mv) != self.hash && !self.killers.contains(mv) {
                let mover = mover(position, mv);
                let mut score = history.of(mover, mv);
                // A check that loses little comes before nearly all other moves.
                if checks.from(mover.role()).contains(mv.to())
                    && see::see_ge(position, mv, -params.check_loss())
                {
                    score += params.check_bonus();
                }
                // A piece attacked by a lesser piece may be lost for it.
                let attacked = lesser[mover.role()];
                let share = |hundredths: i32| hundredths * see::value(mover.role()) / HUNDREDTHS;
                if attacked.contains(mv.from()) {
                    score += share(params.threat_escape());
                }
                if attacked.contains(mv.to()) {
                    score -= share(params.threat_enter());
                } else if offense[mover.role()].contains(mv.to()) {
                    score += params.offense_bonus();
                }
                self.moves.push(Scored { mv, score });
            }
        }
    }
}

/// The piece moved by a legal move.
#[inline]
pub(super) fn mover(position: &Position, mv: Move) -> Piece {
    // A legal move starts from a piece, so the default is never used.
    Piece::new(position.turn(), position.role_at(mv.from()).unwrap_or(Role::Pawn))
}

#[cfg(test)]
mod tests {
    use super::super::history::CONTINUATION_PLIES;
    use super::super::samples::{mv, position, walk};
    use super::*;
    use crate::chess::attacks::AttackMap;
    use crate::chess::{Color, Key, PlacedPiece, Square};
    use crate::rng::Rng;

    /// A context without prior moves.
    fn context(turn: Color) -> HistoryContext {
        HistoryContext {
            turn,
            prior_moves: [None; CONTINUATION_PLIES.len()],
            threats: AttackMap::default(),
            pawns: Key::default(),
        }
    }

    fn drain(mut picker: Picker, position: &Position, histories: &Histories) -> Vec<Move> {
        let knight = PlacedPiece { piece: Piece::WhiteKnight, square: Square::C3 };
        let mut context = context(position.turn());
        context.prior_moves[1] = Some(knight);
        context.threats = position.attack_map(!position.turn());
        std::iter::from_fn(|| picker.next(&Params::default(), position, histories, &context)).collect()
    }

    /// Histories with random values.
    fn noisy_histories(rng: &mut Rng) -> Histories {
        let mut histories = Histories::new();
        for turn in Color::ALL {
            for from in Square::ALL {
                for to in Square::ALL.into_iter().filter(|&to| to != from) {
                    let context = context(turn);
                    let mv = Move::new(from, to, crate::chess::MoveKind::Normal);
                    let bonus = rng.below(3000) as i32 - 1500;
                    histories.update_quiet(&context, Piece::WhitePawn, mv, bonus);
                }
            }
        }
        histories
    }

    #[test]
    fn every_legal_move_once_whatever_hash_and_killers_hold() {
        let mut rng = Rng::new(7);
        let histories = noisy_histories(&mut rng);
        for seed in 0..60 {
            walk(seed, 100, |_, position, _| {
                let mut expected: Vec<Move> = position.legal_moves().into_iter().collect();
                expected.sort();
                let mut any = || {
                    let legal = expected.get(rng.below(64) as usize).copied();
                    legal.or_else(|| Move::from_bits(rng.next_u64() as u16))
                };
                let hash = any();
                let mut killers = Killers::default();
                for mv in [any(), any()].into_iter().flatten() {
                    killers.add(mv);
                }
                let mut picked = drain(Picker::all(hash, killers), position, &histories);
                if let Some(hash) = hash.filter(|&mv| position.is_legal(mv)) {
                    assert_eq!(picked.first(), Some(&hash));
                }
                picked.sort();
                assert_eq!(picked, expected, "{position:?} {hash:?} {killers:?}");

                let quiet = drain(Picker::good_noisy(position, hash), position, &histories);
                for (index, &mv) in quiet.iter().enumerate() {
                    assert!(position.is_legal(mv) && position.is_noisy(mv), "{position:?} {mv:?}");
                    assert!(!quiet[..index].contains(&mv), "{position:?} {mv:?} twice");
                }
            });
        }
    }

    #[test]
    fn good_captures_come_first_and_bad_ones_last() {
        let position = position("4k3/3p4/2p1q3/5n2/4P3/8/4R3/4K3 w - - 0 1");
        let picked = drain(Picker::all(None, Killers::default()), &position, &Histories::new());
        let names: Vec<String> = picked.iter().map(|mv| format!("{mv:?}")).collect();
        assert_eq!(names[0], "e4f5");
        assert!(names.len() > 10);
    }

    #[test]
    fn pieces_keep_away_from_lesser_ones() {
        // A pawn attacks the queen; another pawn and the knight attack some of her squares.
        let position = position("4k3/8/1p3n2/4p3/3Q4/8/8/4K3 w - - 0 1");
        let picked = drain(Picker::all(None, Killers::default()), &position, &Histories::new());
        let place = |text| picked.iter().position(|&other| other == mv(text)).expect("it is legal");
        assert!(place("d4d2") < place("e1f2"), "she escapes");
        assert!(place("e1f2") < place("d4c5").min(place("d4e4")), "she stays in danger");
    }

    #[test]
    fn quiets_can_be_skipped_at_any_time() {
        let position = position("r3k3/p4pb1/bn2pnp1/3PN3/1p2N3/5Q1p/PPPB1PPP/R3KB1R w KQq - 0 1");
        let total = position.legal_moves().len();
        let context = context(Color::White);
        let histories = noisy_histories(&mut Rng::new(11));
        let picked = |skip_after, skip: fn(&mut Picker, &Position)| {
            let mut picker = Picker::all(None, Killers::default());
            let mut picked = Vec::new();
            while let Some(mv) = picker.next(&Params::default(), &position, &histories, &context) {
                picked.push(mv);
                if picked.len() == skip_after {
                    skip(&mut picker, &position);
                }
            }
            picked
        };
        let all = picked(0, |_, _| {});
        assert_eq!(all.len(), total);
        let checks = Checks::of(&position);
        let is_quiet = |mv: Move| !position.is_noisy(mv);
        let is_quiet_check = |mv: Move| is_quiet(mv) && checks.contains(&position, mv);
        let first_quiet = all.iter().position(|&mv| is_quiet(mv)).expect("there are quiet moves");
        assert!(all[first_quiet + 1..].iter().any(|&mv| is_quiet_check(mv)), "a check that is not first");
        for skip_after in 1..total {
            let expected = |is_left_out: &dyn Fn(Move) -> bool| {
                let rest = all[skip_after..].iter().filter(|&&mv| !is_left_out(mv));
                all[..skip_after].iter().chain(rest).copied().collect::<Vec<_>>()
            };
            let none = picked(skip_after, |picker, _| picker.skip_quiets());
            assert_eq!(none, expected(&is_quiet), "after {skip_after}");
            // Before the first quiet move nothing is sorted.
            let is_sorted = skip_after > first_quiet && is_quiet(all[skip_after - 1]);
            let checks = picked(skip_after, Picker::skip_quiets_without_check);
            let is_left_out = |mv| is_sorted && is_quiet(mv) && !is_quiet_check(mv);
            assert_eq!(checks, expected(&is_left_out), "after {skip_after}");
        }
    }
}
