//! The scores of games, each coded as the distance from the negated previous one.

use super::Mode;
use super::mixing::Mixer;
use super::range_coder::BitCoder;
use crate::search::Score;
use crate::selfplay::{GameResult, Termination};

/// A score as coded: an integer that is larger for better scores and is negated for the other side.
type Level = i32;

/// The steps of coarse scores near zero and beyond, in search units, and the score at which the wider ones start.
const FINE_STEP: i32 = 4;
const WIDE_STEP: i32 = 16;
const WIDE_FROM: i32 = 400;
/// The level at which the wider steps start.
const WIDE_LEVEL: Level = WIDE_FROM / FINE_STEP;
/// The maximum level of an evaluation: levels beyond are those of mates and tablebase scores, which are exact.
const LAST_LEVEL: Level = WIDE_LEVEL + (LAST_EVALUATION - WIDE_FROM) / WIDE_STEP;
const LAST_EVALUATION: i32 = 29_999;

/// The level of a score.
fn level(mode: Mode, score: Score) -> Level {
    let units = score.units();
    let distance = units.abs();
    let level = match mode {
        Mode::Lossless => distance,
        Mode::Coarse if distance < WIDE_FROM => (distance + FINE_STEP / 2) / FINE_STEP,
        Mode::Coarse if distance <= LAST_EVALUATION => {
            (WIDE_LEVEL + (distance - WIDE_FROM + WIDE_STEP / 2) / WIDE_STEP).min(LAST_LEVEL)
        }
        Mode::Coarse => LAST_LEVEL + distance - LAST_EVALUATION,
    };
    level * units.signum()
}

/// The score of a level; `None` if there is no such score.
fn score(mode: Mode, level: Level) -> Option<Score> {
    let distance = level.abs();
    let units = match mode {
        Mode::Lossless => distance,
        Mode::Coarse if distance <= WIDE_LEVEL => distance * FINE_STEP,
        Mode::Coarse if distance <= LAST_LEVEL => WIDE_FROM + (distance - WIDE_LEVEL) * WIDE_STEP,
        Mode::Coarse => LAST_EVALUATION + distance - LAST_LEVEL,
    };
    Score::new(units * level.signum())
}

/// The known facts about a position before its score is coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    pub(super) result: GameResult,
    pub(super) termination: Termination,
    /// The number of remaining plies of the game.
    pub(super) left: usize,
    /// The number of pieces on the board.
    pub(super) pieces: u32,
    /// Whether White is to move.
    pub(super) is_white: bool,
    pub(super) is_check: bool,
    /// Whether the move is a capture or promotion.
    pub(super) is_noisy: bool,
    /// The rank of the move in the order.
    pub(super) rank: usize,
}

/// The number of decisions from which a distance is coded: whether it is zero, its sign, the number of its bits, and
/// the bits.
const NODES: usize = BITS_AT + MAX_BITS * 8;
const SIGN: usize = 1;
const LENGTH_AT: usize = 2;
const BITS_AT: usize = LENGTH_AT + MAX_BITS;
/// The maximum number of bits of the distance of two levels.
const MAX_BITS: usize = 17;

const CONTEXTS: usize = 8;
const INPUTS: usize = CONTEXTS + 1;
/// The number of values of each context.
const VALUES: usize = 512;
/// The number of sizes of changes that are distinguished.
const SIZES: usize = 12;

/// Learns and codes the scores of games.
#[derive(Debug)]
pub(super) struct ScoreModel {
    mode: Mode,
    mixer: Mixer<CONTEXTS, INPUTS>,
    /// The last levels of the game from White's point of view, the latest first, and whether White was to move.
    last: [Level; 4],
    was_white: bool,
    was_noisy: bool,
    /// The mean size of the changes, in sixteenths.
    mean: i32,
    scored: usize,
}

impl ScoreModel {
    pub(super) fn new(mode: Mode) -> Self {
        Self {
            mode,
            mixer: Mixer::new(CONTEXTS * NODES * VALUES, [NODES, SIZES * LENGTH_AT + SIZES], 250),
            last: [0; 4],
            was_white: true,
            was_noisy: false,
            mean: 0,
            scored: 0,
        }
    }

    pub(super) fn start_game(&mut self) {
        (self.last, self.was_white, self.was_noisy, self.mean, self.scored) =
            ([0; 4], true, false, 16 * 16, 0);
    }

    /// Codes the score of a position from the point of view of the side to move, which an encoder must be given. `None`
    /// if the decoded number is not a score.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        known: &Circumstances,
        exact: Option<Score>,
    ) -> Option<Score> {
        let sign = if known.is_white { 1 } else { -1 };
        let [first, second, third, _] = self.last.map(|level| level * sign);
        let wanted = exact.map_or(0, |exact| level(self.mode, exact) - first);
        let (change, change_before) = (first - second, second - third);
        let half_points = known.result as usize;
        let points = if known.is_white { half_points } else { 2 - half_points };
        let size = size(self.mean / 4);
        let is_turned = self.was_white != known.is_white;
        let flags =
            usize::from(known.is_check) | usize::from(known.is_noisy) << 1 | usize::from(self.was_noisy) << 2;
        let rank = (usize::BITS - known.rank.leading_zeros()).min(4) as usize;
        let near = |level: Level| (level.clamp(-7, 7) + 7) as usize;
        let step = |level: Level| (signed_size(level) + SIZES as i32) as usize;
        let contexts = [
            size * 2 + usize::from(is_turned),
            step(change),
            (step(change) / 2) * 16 + step(change_before) / 2,
            step(first) * 3 + points,
            (flags * 5 + rank) * 4 + change.signum().unsigned_abs() as usize * (1 + usize::from(change > 0)),
            known.termination as usize * 32 + known.left.min(31),
            near(first) * 16 + near(change),
            (self.scored.min(3) * 8 + (known.pieces / 4).min(7) as usize) * SIZES + size,
        ];
        let distance = self.code_distance(coder, wanted, contexts, size);
        let level = first + distance;
        let scored = score(self.mode, level)?;
        self.last = [level * sign, self.last[0], self.last[1], self.last[2]];
        self.mean += distance.abs().min(1 << 12) * 2 - self.mean / 8;
        (self.was_white, self.was_noisy) = (known.is_white, known.is_noisy);
        self.scored += 1;
        Some(scored)
    }

    /// Codes an integer by its sign, the number of its bits and the bits.
    fn code_distance(
        &mut self,
        coder: &mut impl BitCoder,
        wanted: i32,
        contexts: [usize; CONTEXTS],
        size: usize,
    ) -> i32 {
        let mut ask = |node: usize, decision: bool| {
            let shares =
                std::array::from_fn(|context| (context * NODES + node) * VALUES + contexts[context] % VALUES);
            self.mixer.code(coder, decision, shares, &[], [node, node.min(LENGTH_AT) * SIZES + size])
        };
        if ask(0, wanted == 0) {
            return 0;
        }
        let is_below = ask(SIGN, wanted < 0);
        let wanted = wanted.unsigned_abs() as usize;
        let wanted_bits = wanted.checked_ilog2().unwrap_or(0) as usize;
        let mut bits = 0;
        while bits + 1 < MAX_BITS && ask(LENGTH_AT + bits, wanted_bits > bits) {
            bits += 1;
        }
        let mut number = 1;
        for bit in (0..bits).rev() {
            // The first bits have a tree of contexts, the others only one for each position.
            let known = bits - 1 - bit;
            let node = BITS_AT + bits * 8 + if known < 2 { number } else { 4 + known.min(5) - 2 };
            number = number << 1 | usize::from(ask(node, wanted >> bit & 1 == 1));
        }
        let number = number as i32;
        if is_below { -number } else { number }
    }
}

/// The size of a number on a scale of half powers of two, below [`SIZES`].
fn size(number: i32) -> usize {
    let number = number.unsigned_abs();
    match number.checked_ilog2() {
        None => 0,
        Some(bits) => (bits as usize + 1).min(SIZES - 1),
    }
}

/// The signed size of a number, with the sign of the number.
fn signed_size(number: i32) -> i32 {
    size(number) as i32 * number.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(mode: Mode, exact: Score) -> Score {
        score(mode, level(mode, exact)).expect("a level of a score is one of a score")
    }

    #[test]
    fn coarse_scores_are_near_the_exact_ones_and_stay() {
        for units in -32_000..=32_000 {
            let exact = Score::new(units).expect("in the range of scores");
            assert_eq!(rounded(Mode::Lossless, exact), exact);
            let coarse = rounded(Mode::Coarse, exact);
            let allowed = match units.abs() {
                ..WIDE_FROM => FINE_STEP / 2,
                WIDE_FROM..=LAST_EVALUATION => WIDE_STEP,
                _ => 0,
            };
            assert!((coarse - exact).abs() <= allowed, "{units} became {}", coarse.units());
            assert_eq!(rounded(Mode::Coarse, coarse), coarse, "{units}");
            assert_eq!(coarse.is_mate(), exact.is_mate(), "{units}");
        }
    }
}
