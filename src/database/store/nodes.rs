//! The moves of positions that occur in many games of a segment, counted when the segment is written: a tree of the
//! first moves of millions of games then needs none of the games.
//!
//! Positions that occur in few games are not counted: the index lists these games, and examining each is fast enough.

use super::code::{Bytes, damage, put, put_bytes};
use super::index::{CROWD, Index};
use super::partition::Partition;
use super::positions::{Positions, Step};
use crate::chess::Move;
use crate::database::tally::{Branch, Counted, Counting, GameFacts, Tally};
use rayon::prelude::*;
use std::io;

/// The minimum number of games of a counted position.
pub(super) const LEAST_GAMES: usize = 8;
/// The approximate number of positions of a part, which is read as a whole.
const PART_NODES: usize = 256;
/// The maximum number of parts.
const MAX_PARTS: usize = 1 << 16;
/// The number of leading bits of keys by which positions are grouped for counting.
const RUN_BITS: u32 = 8;
/// The average number of steps of a group that is sorted separately.
const GROUP: usize = 4;
const _: () = assert!(LEAST_GAMES >= CROWD as usize, "no position of as many games is overlooked");

/// The counted moves of a position.
pub(super) type Node = Counted;

/// The part that contains a key, given the number of parts.
pub(super) fn part_of(key: u64, parts: usize) -> Option<usize> {
    let bits = parts.trailing_zeros();
    if !parts.is_power_of_two() || parts > MAX_PARTS {
        return None;
    }
    Some(key.checked_shr(u64::BITS - bits).unwrap_or(0) as usize)
}

/// Counts the moves of the positions that occur in many games. Positions are in the order of their games, as for their
/// index, which has left out one key; games that are not counted have no facts.
pub(super) fn build(
    positions: &[Positions],
    index: &Index,
    left_out: u64,
    facts: &[Option<GameFacts>],
) -> Vec<Vec<u8>> {
    let is_counted = |game| facts.get(usize::from(game)).is_some_and(Option::is_some);
    let may_be_many = |key| key == left_out || index.is_crowded(key);
    let sort = |list: &Positions| {
        let steps = list.steps(is_counted, may_be_many);
        let run = |step: &Step| (step.key >> (u64::BITS - RUN_BITS)) as usize;
        Partition::new(1 << RUN_BITS, steps.iter().map(|step| (run(step), *step)))
    };
    let steps: Vec<Partition<Step>> = positions.par_iter().map(sort).collect();
    let nodes = |run| {
        let steps = by_key(steps.iter().map(|steps| steps.part(run)));
        let positions = steps.chunk_by(|one, other| one.key == other.key);
        let mut nodes = EncodedNodes::default();
        positions.for_each(|steps| nodes.add(steps, facts));
        nodes
    };
    let nodes: Vec<EncodedNodes> = (0..1 << RUN_BITS).into_par_iter().map(nodes).collect();
    let nodes: Vec<(u64, &[u8])> = nodes.iter().flat_map(EncodedNodes::iter).collect();
    let parts = nodes.len().div_ceil(PART_NODES).next_power_of_two().min(MAX_PARTS);
    let mut rest = &nodes[..];
    let part = |part| {
        let count = rest.partition_point(|&(key, _)| part_of(key, parts) == Some(part));
        let here;
        (here, rest) = rest.split_at(count);
        here
    };
    let parts: Vec<&[(u64, &[u8])]> = (0..parts).map(part).collect();
    parts.into_par_iter().map(write).collect()
}

/// The steps of these lists, which share the leading bits of their keys, ordered by key; the order of steps with the
/// same key is kept. They are grouped by the next bits, and since many steps share a key, most groups have only one key
/// and need no sorting.
fn by_key<'s>(lists: impl Iterator<Item = &'s [Step]> + Clone) -> Vec<Step> {
    let count: usize = lists.clone().map(<[Step]>::len).sum();
    let bits = (count / GROUP).max(2).next_power_of_two().trailing_zeros();
    let group = |step: &Step| (step.key << RUN_BITS >> (u64::BITS - bits)) as usize;
    let mut groups = Partition::new(1 << bits, lists.flatten().map(|step| (group(step), *step)));
    for number in 0..1 << bits {
        let group = groups.part_mut(number);
        if group.windows(2).any(|pair| pair[0].key != pair[1].key) {
            group.sort_by_key(|step| step.key);
        }
    }
    groups.into_items()
}

/// Counted moves of positions in their stored form.
#[derive(Default)]
struct EncodedNodes {
    /// The key of each position, and the end of its counts in `bytes`.
    keys: Vec<(u64, usize)>,
    bytes: Vec<u8>,
    /// Buffers for the next position.
    counting: Counting,
    moves: Vec<Move>,
}

impl EncodedNodes {
    /// Counts all steps from a position, unless they belong to few games.
    fn add(&mut self, steps: &[Step], facts: &[Option<GameFacts>]) {
        let games = steps.chunk_by(|one, other| one.game == other.game);
        let Some(&Step { key, side, .. }) = steps.first() else { return };
        if steps.len() < LEAST_GAMES || games.clone().count() < LEAST_GAMES {
            return;
        }
        for steps in games {
            let game = usize::from(steps[0].game);
            let Some(Some(facts)) = facts.get(game) else { continue };
            self.moves.clear();
            for mv in steps.iter().filter_map(|step| step.mv) {
                if !self.moves.contains(&mv) {
                    self.moves.push(mv);
                }
            }
            self.counting.add(facts, side, &self.moves, game as u64 + 1);
        }
        let Node { total, moves } = self.counting.counted();
        let bytes = &mut self.bytes;
        put_tally(bytes, total);
        for (mv, branch) in moves {
            put(bytes, mv.bits().into());
            put_tally(bytes, &branch.tally);
            put(bytes, branch.first.0);
            put(bytes, branch.first.1 as u64);
        }
        self.keys.push((key, self.bytes.len()));
        self.counting.clear();
    }

    /// The keys with the stored forms of their counts.
    fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let starts = [0].into_iter().chain(self.keys.iter().map(|&(_, end)| end));
        starts.zip(&self.keys).map(|(start, &(key, end))| (key, &self.bytes[start..end]))
    }
}

fn write(nodes: &[(u64, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, nodes.len() as u64);
    nodes.iter().for_each(|(key, _)| out.extend(key.to_le_bytes()));
    nodes.iter().for_each(|(_, bytes)| put_bytes(&mut out, bytes));
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

/// The node of a key in its part; `None` if it is not counted.
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
    use crate::chess::{Color, MoveKind, Square};
    use crate::database::store::index;
    use crate::notation::pgn::GameResult;
    use crate::rng::Rng;
    use proptest::prelude::*;

    #[test]
    fn positions_of_many_games_are_counted() {
        let [a, b] = [Square::E4, Square::E3].map(|to| Move::new(Square::E2, to, MoveKind::Normal));
        let facts = GameFacts { result: GameResult::Draw, ratings: [Some(2000), None], year: Some(1999) };
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut positions = Vec::new();
        for game in 0..100_u16 {
            // Position 0 is in all games, in some of them twice, and position n in those whose numbers are multiples of
            // n.
            let mv = if game % 4 == 0 { a } else { b };
            let mut steps = vec![(key(0), Some(mv))];
            if game % 8 == 0 {
                steps.extend([(key(0), Some(a)), (key(0), Some(b))]);
            }
            steps.extend(
                (1..100).filter(|number| u64::from(game) % number == 0).map(|number| (key(number), None)),
            );
            positions.push(Positions::of_game(game, Color::White, &steps));
        }
        let mut all = vec![Some(facts); 100];
        all[1] = None;
        let counted = |positions: &[Positions], left_out| {
            build(positions, &index::build(positions, left_out), left_out, &all)
        };
        let parts = counted(&positions, key(1000));
        assert_eq!(counted(&positions, key(0)), parts, "what the index leaves out is counted, too");
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
        assert_eq!(counted(&[], key(0)).len(), 1);
    }

    #[test]
    fn steps_are_ordered_by_key_and_then_stay_in_their_order() {
        let mut rng = Rng::new(7);
        for (count, keys) in [(0, 1), (1, 1), (7, 3), (300, 1), (300, 20), (3000, 100), (3000, 3000)] {
            // All keys start with the same bits, and every second one with so many that they share a group.
            let keys: Vec<u64> = (0..keys).map(|key| rng.next_u64() >> RUN_BITS >> (key % 2 * 40)).collect();
            let step = |number| Step {
                key: keys[rng.below(keys.len() as u64) as usize],
                game: number,
                mv: None,
                side: Color::White,
            };
            let steps: Vec<Step> = (0..count).map(step).collect();
            let mut expected = steps.clone();
            expected.sort_by_key(|step| step.key);
            assert_eq!(by_key(steps.chunks(100)), expected, "{count} steps");
        }
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
