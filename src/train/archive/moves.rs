//! The moves of games. The legal moves are sorted by the probabilities learned so far, and the rank of the move in this
//! order is coded.
//!
//! A weight is learned for each feature of a move. The sums of the weights are the logits of the moves' probabilities,
//! and after each move the weights follow their gradient (multinomial logistic regression). Starting with the first
//! move in the order, the coder codes for each move whether it is the one played. A mixer predicts this decision from
//! the move's probability and from earlier decisions about similar moves at similar ranks.

use super::features::{
    FEATURES, Features, GAME_FEATURES, KIND_PLACES, Kind, MATERIALS, MoveFeatures, Played,
};
use super::mixing::{LOGIT, Mixer, exponential, logit};
use super::range_coder::{BitCoder, CERTAIN, PROBABILITY_BITS};
use crate::chess::{MAX_MOVES, Move, Position};
use arrayvec::ArrayVec;

/// The number of additional fractional bits of weights, compared to logits.
const FINER: u32 = 8;
/// The right shift of the error of a probability, in fractions of 2¹⁶, by which a weight changes.
const SLOWNESS: u32 = 5;
/// The right shift for weights that are learned separately in each game.
const GAME_SLOWNESS: u32 = 3;

/// The number of contexts of a decision.
const CONTEXTS: usize = 5;
/// The number of inputs: the predictions of the contexts, the probability of the move, and a constant.
const INPUTS: usize = CONTEXTS + 2;

/// The number of ranks in the order that are distinguished.
const RANKS: usize = 32;
/// The number of ranks that are distinguished in combination with other properties.
const FEW_RANKS: usize = 4;
/// The number of steps of the distance from the best move's logit.
const GAPS: usize = 16;
/// The number of pairs of origin and target for both colors.
const GAME_MOVES: usize = 2 * 64 * 64;

const BY_RANK: usize = 0;
const BY_MATERIAL: usize = BY_RANK + RANKS * 2 * 4;
const BY_GAP: usize = BY_MATERIAL + MATERIALS * FEW_RANKS;
const BY_PLACE: usize = BY_GAP + RANKS * GAPS;
const BY_GAME: usize = BY_PLACE + KIND_PLACES;
const SHARES: usize = BY_GAME + GAME_MOVES;

/// Learns and codes moves.
#[derive(Debug)]
pub(super) struct MoveModel {
    weights: Vec<i32>,
    mixer: Mixer<CONTEXTS, INPUTS>,
    /// The last moves of the game, the latest first.
    last: [Option<Played>; 2],
}

/// A legal move with its features and probability.
struct Candidate {
    mv: Move,
    features: Features,
    kind: Kind,
    logit: i32,
    /// The probability in arbitrary units.
    mass: u32,
}

/// A move that was coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coded {
    pub(super) mv: Move,
    /// The rank of the move in the order, counted from 0.
    pub(super) rank: usize,
}

impl MoveModel {
    pub(super) fn new() -> Self {
        Self {
            weights: vec![0; FEATURES],
            mixer: Mixer::new(SHARES, [RANKS, 2 * GAPS], 250),
            last: [None; 2],
        }
    }

    /// Resets everything that is learned separately in each game.
    pub(super) fn start_game(&mut self) {
        self.weights[GAME_FEATURES..].fill(0);
        self.mixer.forget(BY_GAME..SHARES);
        self.last = [None; 2];
    }

    /// Codes the next move of the game, which an encoder must be given. `None` if there is no legal move or the given
    /// move is not legal.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        position: &Position,
        mv: Option<Move>,
    ) -> Option<Coded> {
        let mut candidates = self.candidates(position);
        let wanted = match mv {
            Some(mv) => Some(candidates.iter().position(|candidate| candidate.mv == mv)?),
            None => None,
        };
        let rank = self.code_rank(coder, position, &candidates, wanted)?;
        self.learn(&candidates, rank);
        let mv = candidates.swap_remove(rank).mv;
        self.last = [Some(Played::new(position, mv)), self.last[0]];
        Some(Coded { mv, rank })
    }

    /// The legal moves, the most probable first.
    fn candidates(&self, position: &Position) -> ArrayVec<Candidate, MAX_MOVES> {
        let move_features = MoveFeatures::new(position, self.last);
        let mut candidates = ArrayVec::new();
        for mv in position.legal_moves() {
            let (features, kind) = move_features.features(mv);
            let sum: i32 = features.iter().map(|&feature| self.weights[feature as usize]).sum();
            candidates.push(Candidate { mv, features, kind, logit: sum >> FINER, mass: 0 });
        }
        candidates.sort_unstable_by_key(|candidate: &Candidate| (-candidate.logit, candidate.mv.bits()));
        let best = candidates.first().map_or(0, |candidate: &Candidate| candidate.logit);
        for candidate in &mut candidates {
            candidate.mass = exponential(candidate.logit - best);
        }
        candidates
    }

    /// Codes a rank in the order; `None` without moves.
    fn code_rank(
        &mut self,
        coder: &mut impl BitCoder,
        position: &Position,
        candidates: &[Candidate],
        wanted: Option<usize>,
    ) -> Option<usize> {
        let last = candidates.len().checked_sub(1)?;
        let is_check = usize::from(position.is_check());
        let captures = candidates.iter().filter(|candidate| candidate.kind.is_capture).count().min(3);
        let mut left: u64 = candidates.iter().map(|candidate| u64::from(candidate.mass)).sum();
        for (rank, candidate) in candidates.iter().enumerate().take(last) {
            let probability = (u64::from(candidate.mass) << PROBABILITY_BITS) / left;
            left -= u64::from(candidate.mass);
            let shown = rank.min(RANKS - 1);
            let gap =
                ((candidates[0].logit - candidate.logit) / (LOGIT / 3)).clamp(0, GAPS as i32 - 1) as usize;
            let contexts = [
                BY_RANK + (shown * 2 + is_check) * 4 + captures,
                BY_MATERIAL + candidate.kind.material * FEW_RANKS + rank.min(FEW_RANKS - 1),
                BY_GAP + shown * GAPS + gap,
                BY_PLACE + candidate.kind.place,
                BY_GAME + candidate.features[super::features::GROUPS - 1] as usize - GAME_MOVE_FEATURES,
            ];
            let others = [logit(probability.min(u64::from(CERTAIN) - 1) as u32)];
            let is_it = self.mixer.code(
                coder,
                wanted == Some(rank),
                contexts,
                &others,
                [shown, is_check * GAPS + gap],
            );
            if is_it {
                return Some(rank);
            }
        }
        Some(last)
    }

    /// Moves the weights in the direction in which the move at this rank becomes more probable.
    fn learn(&mut self, candidates: &[Candidate], rank: usize) {
        let all: u64 = candidates.iter().map(|candidate| u64::from(candidate.mass)).sum();
        for (index, candidate) in candidates.iter().enumerate() {
            let expected = ((u64::from(candidate.mass) << PROBABILITY_BITS) / all) as i32;
            let error = if index == rank { CERTAIN as i32 - expected } else { -expected };
            for &feature in &candidate.features {
                let slowness = if feature as usize >= GAME_FEATURES { GAME_SLOWNESS } else { SLOWNESS };
                let weight = &mut self.weights[feature as usize];
                *weight = (*weight + (error >> slowness)).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}

/// The maximum magnitude of a weight, so that sums of weights do not overflow.
const MAX_WEIGHT: i32 = 1 << 24;
/// The first feature for the origin and target of moves in a game.
const GAME_MOVE_FEATURES: usize = FEATURES - GAME_MOVES;
