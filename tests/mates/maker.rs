//! The generator of the suite of proved mates: draws positions, proves mates, and keeps the wanted ones.

use crate::mates::prover::Prover;
use crate::mates::sources::Source;
use hematite::chess::{Key, Move, MoveKind, Position};
use hematite::notation::{Epd, Operation};
use hematite::rng::Rng;
use std::collections::HashSet;
use std::num::NonZeroU16;

/// The maximum length of a mate, in moves.
pub(crate) const LONGEST: usize = 5;
/// The wanted numbers of mates by length, the shortest first.
const WANTED: [(Source, [usize; LONGEST]); 3] = [
    (Source::Endgame, [40, 150, 240, 300, 90]),
    (Source::Composition, [80, 175, 180, 100, 55]),
    (Source::Game, [80, 175, 180, 100, 55]),
];
/// The number of compositions for each rare kind of move in which such a move is the only solution. They are part of
/// the wanted ones.
pub(crate) const RARE: usize = 25;
/// The maximum length of mates with rare moves: at this length thousands of positions are proved per second.
const LONGEST_RARE: usize = 2;
/// The maximum length of mates with many pieces, unless a series of checks leads to the mate.
const LONGEST_BY_ANY_MOVE: usize = 3;
/// The maximum length up to which records state whether the solution is unique: beyond that, the proof takes too long.
const LONGEST_UNIQUE: usize = 3;
/// The seed of the suite. Any number is possible.
const SEED: u64 = 2000;
/// The maximum number of positions of a proof, which takes some seconds.
pub(crate) const BUDGET: u64 = 20_000_000;
/// The maximum number of positions of a proof for an endgame: there are many, so only those with a short proof are
/// used.
const ENDGAME_BUDGET: u64 = 200_000;
/// The maximum number of positions of a search for a series of checks.
const CHECKS_BUDGET: u64 = 100_000;

/// Rare kinds of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rarity {
    Castling,
    EnPassant,
    Underpromotion,
}

impl Rarity {
    pub(crate) const ALL: [Self; 3] = [Self::Castling, Self::EnPassant, Self::Underpromotion];

    pub(crate) const fn of(mv: Move) -> Option<Self> {
        match mv.kind() {
            MoveKind::Castle => Some(Self::Castling),
            MoveKind::EnPassant => Some(Self::EnPassant),
            MoveKind::PromoteKnight | MoveKind::PromoteBishop | MoveKind::PromoteRook => {
                Some(Self::Underpromotion)
            }
            MoveKind::Normal | MoveKind::PromoteQueen => None,
        }
    }

    /// Whether a move of this kind is legal.
    fn is_possible(self, position: &Position) -> bool {
        position.legal_moves().into_iter().any(|mv| Self::of(mv) == Some(self))
    }
}

/// The suite, the shortest mates first.
pub(crate) fn make() -> Vec<Epd> {
    let mut maker = Maker {
        rng: Rng::new(SEED),
        prover: Prover::new(BUDGET),
        endgame_prover: Prover::new(ENDGAME_BUDGET),
        scout: Prover::new(CHECKS_BUDGET),
        seen: HashSet::new(),
        shelves: [const { Vec::new() }; LONGEST],
    };
    // The shelves are filled in parts, source by source, the rare ones as the first of the compositions.
    for (source, wanted) in WANTED {
        let mut missing = wanted;
        if source == Source::Composition {
            for rarity in Rarity::ALL {
                maker.add_rare(rarity, &mut missing);
            }
        }
        maker.add(source, missing);
    }
    let Maker { mut rng, mut shelves, .. } = maker;
    for (shelf, moves) in shelves.iter_mut().zip(1..) {
        // So that a part of the suite has something of everything.
        rng.shuffle(shelf);
        for (epd, number) in shelf.iter_mut().zip(1..) {
            epd.set(Operation::Id(format!("mate in {moves}.{number:03}")));
        }
    }
    shelves.into_iter().flatten().collect()
}

/// The state of the generation.
struct Maker {
    rng: Rng,
    prover: Prover,
    endgame_prover: Prover,
    /// The prover that searches for a series of checks.
    scout: Prover,
    seen: HashSet<Key>,
    /// Records by the length of the mate.
    shelves: [Vec<Epd>; LONGEST],
}

impl Maker {
    /// Adds mates whose only solution starts with a move of this kind.
    fn add_rare(&mut self, rarity: Rarity, missing: &mut [usize; LONGEST]) {
        let mut count = 0;
        while count < RARE {
            for position in Source::Composition.draw(&mut self.rng) {
                if !rarity.is_possible(&position) {
                    continue;
                }
                let Ok(Some(moves)) = self.prover.distance(&position, LONGEST_RARE) else { continue };
                let epd = self.record(&position, moves);
                if epd.best_moves().iter().any(|&mv| Rarity::of(mv) == Some(rarity)) {
                    count += self.keep(epd, moves, missing);
                }
            }
        }
    }

    /// Adds mates from this source until the wanted numbers are reached.
    fn add(&mut self, source: Source, mut missing: [usize; LONGEST]) {
        while missing != [0; LONGEST] {
            for position in source.draw(&mut self.rng) {
                if let Some(moves) = self.distance(source, &position, &missing)
                    && missing[moves - 1] > 0
                {
                    let epd = self.record(&position, moves);
                    self.keep(epd, moves, &mut missing);
                }
            }
        }
    }

    /// The length of the shortest mate, if it can be one of the missing lengths.
    fn distance(&mut self, source: Source, position: &Position, missing: &[usize; LONGEST]) -> Option<usize> {
        let longest = missing.iter().rposition(|&count| count > 0)? + 1;
        if source == Source::Endgame {
            return self.endgame_prover.distance(position, longest).ok()?;
        }
        let is_short_wanted = missing.iter().take(LONGEST_BY_ANY_MOVE).any(|&count| count > 0);
        if is_short_wanted
            && let Some(moves) = self.prover.distance(position, longest.min(LONGEST_BY_ANY_MOVE)).ok()?
        {
            return Some(moves);
        }
        let most = self.scout.distance_by_checks(position, longest).ok()??;
        if missing[..most].iter().all(|&count| count == 0) {
            return None;
        }
        self.prover.distance(position, most).ok()?
    }

    /// The EPD record of a mate.
    fn record(&mut self, position: &Position, moves: usize) -> Epd {
        let mut epd = Epd::new(*position);
        if let Some(length) = NonZeroU16::new(moves as u16) {
            epd.set(Operation::DirectMate(length));
        }
        if moves <= LONGEST_UNIQUE
            && let Ok(solutions) = self.prover.solutions(position, moves)
            && let [_] = solutions[..]
        {
            epd.set(Operation::BestMoves(solutions));
        }
        epd
    }

    /// Keeps a record whose length is missing, unless it is a duplicate; returns the number of records kept, 1 or 0.
    fn keep(&mut self, epd: Epd, moves: usize, missing: &mut [usize; LONGEST]) -> usize {
        if missing[moves - 1] == 0 || !self.seen.insert(epd.position().key()) {
            return 0;
        }
        missing[moves - 1] -= 1;
        self.shelves[moves - 1].push(epd);
        println!("still missing {missing:?}");
        1
    }
}
