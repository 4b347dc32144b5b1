//! Checks that a segment is intact, and that the data derived from its games agrees with the games.

use super::code::damage;
use super::index::{self, IndexPart};
use super::nodes;
use super::positions::Positions;
use super::record::{Flags, Recorder};
use super::segment::{Kind, Segment, key_check};
use crate::database::tally::GameFacts;
use crate::notation::PieceLetters;
use crate::notation::pgn::Tracker;
use rayon::prelude::*;
use std::io;

/// The data derived from the games of a block.
#[derive(Default)]
struct Recount {
    positions: Positions,
    /// The counted facts of regular games.
    facts: Vec<Option<GameFacts>>,
}

/// Reads every part and every game, and returns all problems.
pub(super) fn check_segment(segment: &Segment) -> Vec<String> {
    let named = |error: io::Error| segment.named(&error).to_string();
    let mut wrong: Vec<String> = segment.check_parts().iter().map(ToString::to_string).collect();
    if !wrong.is_empty() {
        return wrong;
    }
    let blocks = (0..segment.blocks()).into_par_iter();
    let recounts: Vec<io::Result<Recount>> = blocks.map(|index| recount(segment, index)).collect();
    let (mut positions, mut facts) = (Vec::new(), Vec::new());
    for recount in recounts {
        match recount {
            Ok(mut block) => {
                block.positions.add_to(&mut positions);
                facts.append(&mut block.facts);
            }
            Err(error) => wrong.push(named(error)),
        }
    }
    wrong.extend(segment.origins().err().map(|error| error.to_string()));
    if wrong.is_empty() && segment.has_index() {
        wrong.extend(check_index(segment, &positions, &facts).err().map(named));
    }
    wrong
}

/// Replays the games of a block.
fn recount(segment: &Segment, index: usize) -> io::Result<Recount> {
    let block = segment.block(index)?;
    let (mut tracker, mut recorder) = (Tracker::new(), Recorder::new(PieceLetters::default()));
    let mut all = Recount::default();
    let games = segment.games_of_blocks(index..index + 1);
    // The number of games fits into 16 bits.
    all.positions.first = games.start as u16;
    for game in games {
        let tags = segment.tags(game)?;
        let stored = segment.stored(&block, index, game)?;
        stored.replay(tags.into_iter(), None, &mut tracker, &mut recorder)?;
        let text = stored.text();
        let record = recorder.record(stored.place, text.as_ref());
        let differs = |what: &str| damage(format!("game {}: {what} is not what is kept of it", game + 1));
        if record.facts != segment.facts(&block, index, game)? {
            return Err(differs("its result, ratings or year"));
        }
        if segment.seen()?.get(game) != Some(&record.seen) {
            return Err(differs("where its pawns and how many its men are"));
        }
        all.positions.push(record.line);
        let is_regular = !stored.flags.has(Flags::ERRORS) && !stored.flags.has(Flags::TEXT);
        all.facts.push(is_regular.then_some(record.facts));
    }
    Ok(all)
}

/// Builds the index and the counted moves of positions again, and compares them.
fn check_index(segment: &Segment, positions: &[Positions], facts: &[Option<GameFacts>]) -> io::Result<()> {
    let start = key_check();
    let mut index = index::build(positions, start);
    let parts = std::mem::take(&mut index.parts).into_iter();
    let (counts, games): (Vec<_>, Vec<_>) = parts.map(|IndexPart { counts, games }| (counts, games)).unzip();
    if !segment.has_parts(Kind::IndexCounts, &counts)? || !segment.has_parts(Kind::IndexGames, &games)? {
        return Err(damage("the index is not that of its games"));
    }
    if !segment.has_parts(Kind::Nodes, &nodes::build(positions, &index, start, facts))? {
        return Err(damage("the moves of positions are not those of its games"));
    }
    Ok(())
}
