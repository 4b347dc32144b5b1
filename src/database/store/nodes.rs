//! The moves of the positions that many games of a segment have, counted when it is written: so a tree of the first
//! moves of millions of games needs none of them.
//!
//! Positions of few games are not counted: the index names those, and a look at each is fast enough.

use super::code::{Bytes, damage, put, put_bytes};
use super::radix::sort_by_bits;
use crate::chess::{Color, Move};
use crate::database::tally::{Branch, Counted, GameFacts, Tally};
use rayon::prelude::*;
use std::io;

/// The least games of a position that is counted.
const LEAST_GAMES: usize = 8;
/// About the positions of a part, which is read as a whole.
const PART_NODES: usize = 256;
/// The most parts.
const MAX_PARTS: usize = 1 << 16;
/// The bits of a key by which positions are counted that may have many games.
const SKETCH_BITS: u32 = 22;

/// A position of a game, and what was played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub key: u64,
    pub game: u16,
    /// `None` for a pass, and at the end.
    pub mv: Option<Move>,
    pub side: Color,
}

/// The moves of a position, counted.
pub(super) type Node = Counted;

/// The part in which a key is to be found, of so many.
pub(super) fn part_of(key: u64, parts: usize) -> Option<usize> {
    let bits = parts.trailing_zeros();
    if !parts.is_power_of_two() || parts > MAX_PARTS {
        return None;
    }
    Some(key.checked_shr(u64::BITS - bits).unwrap_or(0) as usize)
}

/// Counts the moves of the positions that many games have. The steps of a game come in their order, and games that are not
/// counted have no facts.
pub(super) fn build(steps: &[Step], facts: &[Option<GameFacts>]) -> Vec<Vec<u8>> {
    let slot = |step: &Step| (step.key >> (u64::BITS - SKETCH_BITS)) as usize;
    let is_counted = |step: &Step| facts.get(usize::from(step.game)).is_some_and(Option::is_some);
    let mut sketch = vec![0_u8; 1 << SKETCH_BITS];
    for step in steps {
        let count = &mut sketch[slot(step)];
        *count = count.saturating_add(1);
    }
    let may_be_many = |step: &&Step| usize::from(sketch[slot(step)]) >= LEAST_GAMES && is_counted(step);
    let frequent: Vec<Step> = steps.iter().filter(may_be_many).copied().collect();
    // The games of a position stay in their order.
    let mut frequent = sort_by_bits(frequent, SKETCH_BITS, slot);
    frequent
        .chunk_by_mut(|one, other| slot(one) == slot(other))
        .for_each(|steps| steps.sort_by_key(|step| step.key));
    let positions: Vec<&[Step]> = frequent.chunk_by(|one, other| one.key == other.key).collect();
    let nodes: Vec<(u64, Node)> = positions.into_par_iter().filter_map(|steps| node(steps, facts)).collect();
    let parts = nodes.len().div_ceil(PART_NODES).next_power_of_two().min(MAX_PARTS);
    let mut rest = &nodes[..];
    let mut written = Vec::new();
    for part in 0..parts {
        let count = rest.partition_point(|&(key, _)| part_of(key, parts) == Some(part));
        let (here, behind) = rest.split_at(count);
        rest = behind;
        written.push(write(here));
    }
    written
}

/// The node of all steps from a position; `None` if they are of few games.
fn node(steps: &[Step], facts: &[Option<GameFacts>]) -> Option<(u64, Node)> {
    let games = steps.chunk_by(|one, other| one.game == other.game);
    let first = steps.first()?;
    if steps.len() < LEAST_GAMES || games.clone().count() < LEAST_GAMES {
        return None;
    }
    let mut node = Node::default();
    let mut moves = Vec::new();
    for steps in games {
        let game = usize::from(steps.first()?.game);
        moves.clear();
        for mv in steps.iter().filter_map(|step| step.mv) {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        node.add(facts.get(game)?.as_ref()?, first.side, &moves, game as u64 + 1);
    }
    Some((first.key, node))
}

fn write(nodes: &[(u64, Node)]) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, nodes.len() as u64);
    nodes.iter().for_each(|(key, _)| out.extend(key.to_le_bytes()));
    let mut bytes = Vec::new();
    for (_, node) in nodes {
        bytes.clear();
        put_tally(&mut bytes, &node.total);
        for (mv, branch) in &node.moves {
            put(&mut bytes, mv.bits().into());
            put_tally(&mut bytes, &branch.tally);
            put(&mut bytes, branch.first.0);
            put(&mut bytes, branch.first.1 as u64);
        }
        put_bytes(&mut out, &bytes);
    }
    out
}

fn put_tally(out: &mut Vec<u8>, tally: &Tally) {
    tally.numbers().iter().for_each(|&number| put(out, number));
}

fn read_tally(bytes: &mut Bytes<'_>) -> io::Result<Tally> {
    let mut numbers = [0; Tally::NUMBERS];
    for number in &mut numbers {
        *number = bytes.number()?;
    }
    Tally::from_numbers(numbers).ok_or_else(|| damage("a tally is wrong"))
}

/// The node of a key in its part; `None` if there is none.
pub(super) fn find(part: &[u8], key: u64) -> io::Result<Option<Node>> {
    let mut bytes = Bytes(part);
    let count = bytes.count()?;
    let keys = bytes.take(count.saturating_mul(size_of::<u64>()))?;
    let place = keys.chunks_exact(size_of::<u64>()).position(|bytes| bytes == key.to_le_bytes());
    let Some(place) = place else { return Ok(None) };
    for _ in 0..place {
        bytes.bytes()?;
    }
    let mut bytes = Bytes(bytes.bytes()?);
    let mut node = Node { total: read_tally(&mut bytes)?, moves: Vec::new() };
    while !bytes.is_empty() {
        let bits = u16::try_from(bytes.number()?).ok().and_then(Move::from_bits);
        let mv = bits.ok_or_else(|| damage("a node has an unknown move"))?;
        let tally = read_tally(&mut bytes)?;
        node.moves.push((mv, Branch { tally, first: (bytes.number()?, bytes.length()?) }));
    }
    Ok(Some(node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};
    use crate::notation::pgn::GameResult;
    use proptest::prelude::*;

    #[test]
    fn positions_of_many_games_are_counted() {
        let [a, b] = [Square::E4, Square::E3].map(|to| Move::new(Square::E2, to, MoveKind::Normal));
        let facts = GameFacts { result: GameResult::Draw, ratings: [Some(2000), None], year: Some(1999) };
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut steps = Vec::new();
        for game in 0..100_u16 {
            // Position 0 is in all games, in some of them twice, and position n in those whose numbers are multiples of n.
            let mv = if game % 4 == 0 { a } else { b };
            steps.push(Step { key: key(0), game, mv: Some(mv), side: Color::White });
            if game % 8 == 0 {
                steps.push(Step { key: key(0), game, mv: Some(a), side: Color::White });
                steps.push(Step { key: key(0), game, mv: Some(b), side: Color::White });
            }
            for number in (1..100).filter(|number| u64::from(game) % number == 0) {
                steps.push(Step { key: key(number), game, mv: None, side: Color::Black });
            }
        }
        let mut all = vec![Some(facts); 100];
        all[1] = None;
        let parts = build(&steps, &all);
        let node = |number: u64| {
            let part = part_of(key(number), parts.len()).expect("a power of two");
            find(&parts[part], key(number)).expect("it was written")
        };
        let start = node(0).expect("all games have it");
        assert_eq!((start.total.games, start.total.draws), (99, 99));
        assert_eq!(start.moves.len(), 2);
        let [(first, one), (second, other)] = start.moves[..] else { unreachable!() };
        assert_eq!((first, one.tally.games, one.first), (a, 25, (1, 0)));
        // In the first game it is the second move.
        assert_eq!((second, other.tally.games, other.first), (b, 74 + 13, (1, 1)));
        for number in 1..100 {
            let games = (0..100).filter(|game| game % number == 0 && *game != 1).count() as u64;
            let counted = (games >= LEAST_GAMES as u64).then_some(games);
            assert_eq!(node(number).map(|node| node.total.games), counted, "{number}");
        }
        assert_eq!(build(&[], &[]).len(), 1);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = find(&bytes, 0);
            let key = bytes.get(1..9).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
            let _ = key.map(|key| find(&bytes, key));
        }
    }
}
