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
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;
use std::io;

/// The minimum number of games of a counted position.
const LEAST_GAMES: usize = 8;
/// The approximate number of positions of a part, which is read as a whole.
const PART_NODES: usize = 256;
/// The maximum number of parts.
const MAX_PARTS: usize = 1 << 16;
/// The number of leading bits of keys by which positions are grouped for counting.
const RUN_BITS: u32 = 8;
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
        positions.filter_map(|steps| node(steps, facts)).collect()
    };
    let nodes: Vec<Vec<(u64, Node)>> = (0..1 << RUN_BITS).into_par_iter().map(nodes).collect();
    let nodes = nodes.concat();
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

/// The steps of these lists ordered by key; the order of steps with the same key is kept. Since many steps share a key,
/// this takes fewer passes than sorting.
fn by_key<'s>(lists: impl Iterator<Item = &'s [Step]> + Clone) -> Vec<Step> {
    let count: usize = lists.clone().map(<[Step]>::len).sum();
    // Keys are random numbers, but the leading bits of all these are similar.
    let hash = |key: u64| key.rotate_left(u64::BITS / 2) ^ key;
    let mut numbers = HashTable::with_capacity(count);
    // The keys, each with the number of its steps; and for each step, the index of its key.
    let mut keys: Vec<(u64, usize)> = Vec::new();
    let mut places = Vec::with_capacity(count);
    for step in lists.clone().flatten() {
        let is_key = |&place: &usize| keys[place].0 == step.key;
        let place = match numbers.entry(hash(step.key), is_key, |&place| hash(keys[place].0)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(keys.len()).get(),
        };
        if place == keys.len() {
            keys.push((step.key, 0));
        }
        keys[place].1 += 1;
        places.push(place);
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_unstable_by_key(|&place| keys[place].0);
    let mut start = 0;
    for place in order {
        let steps = std::mem::replace(&mut keys[place].1, start);
        start += steps;
    }
    let Some(&any) = lists.clone().flatten().next() else { return Vec::new() };
    let mut sorted = vec![any; count];
    for (&step, &place) in lists.flatten().zip(&places) {
        let start = &mut keys[place].1;
        sorted[*start] = step;
        *start += 1;
    }
    sorted
}

/// The node of all steps from a position; `None` if they belong to few games.
fn node(steps: &[Step], facts: &[Option<GameFacts>]) -> Option<(u64, Node)> {
    let games = steps.chunk_by(|one, other| one.game == other.game);
    let first = steps.first()?;
    if steps.len() < LEAST_GAMES || games.clone().count() < LEAST_GAMES {
        return None;
    }
    let mut node = Counting::default();
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
    Some((first.key, node.finish()))
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

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = find(&bytes, 0);
            let key = bytes.get(1..9).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
            let _ = key.map(|key| find(&bytes, key));
        }
    }
}
