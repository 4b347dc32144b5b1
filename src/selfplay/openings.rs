//! The openings of a run, random moves before a game, and the test whether a position is level.

use crate::chess::{KeyHistory, Position};
use crate::rng::Rng;
use crate::search::{Job, Limits, Searcher};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The identification of the openings of a run in its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsId {
    /// The file from which the openings were read.
    #[serde(alias = "file")]
    pub name: PathBuf,
    /// The number of openings.
    #[serde(alias = "count", rename = "openings")]
    pub count: usize,
    /// The checksum of the positions: CRC-64/XZ of their keys; earlier versions of the tuner wrote XXH3.
    pub checksum: String,
}

impl fmt::Display for OpeningsId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a book of {} with checksum {}", self.count, self.checksum)
    }
}

/// The start positions of games, at least one.
#[derive(Clone, Debug)]
pub struct Openings {
    id: OpeningsId,
    positions: Vec<Position>,
}

impl Openings {
    /// Openings with this name; `None` if there are no positions.
    pub fn new(name: &Path, positions: Vec<Position>) -> Option<Self> {
        let mut checksum = crc64fast::Digest::new();
        for position in &positions {
            checksum.write(&position.key().bits().to_le_bytes());
        }
        let checksum = format!("{:016x}", checksum.sum64());
        let id = OpeningsId { name: name.to_owned(), count: positions.len(), checksum };
        (!positions.is_empty()).then_some(Self { id, positions })
    }

    /// The name, the number and the checksum of the openings.
    pub const fn id(&self) -> &OpeningsId {
        &self.id
    }

    /// Whether these are the openings with the stored identification. The name may differ.
    pub fn matches(&self, noted: &OpeningsId) -> bool {
        let has_former_checksum = || {
            let mut checksum = Xxh3::new();
            for position in &self.positions {
                checksum.update(&position.key().bits().to_le_bytes());
            }
            noted.checksum == format!("{:016x}", checksum.digest())
        };
        noted.count == self.id.count && (noted.checksum == self.id.checksum || has_former_checksum())
    }

    /// The openings in a random order determined by the seed.
    pub fn shuffled(mut self, seed: u64) -> Self {
        Rng::new(seed).shuffle(&mut self.positions);
        self
    }

    /// The opening with this number, counted from 0; the numbers wrap around.
    pub fn opening(&self, number: u64) -> &Position {
        &self.positions[(number % self.positions.len() as u64) as usize]
    }

    /// A random opening.
    pub fn choose(&self, rng: &mut Rng) -> Option<&Position> {
        rng.choose(&self.positions)
    }
}

/// The position after this many random moves; `None` if the game ends before.
pub fn random_walk(start: Position, plies: u64, rng: &mut Rng) -> Option<Position> {
    (0..plies).try_fold(start, |position, _| {
        let &mv = rng.choose(&position.legal_moves())?;
        Some(position.after(mv).0)
    })
}

/// Whether a game from this position is useful: it is not over, and the score of a search within `limits` is at most
/// `max_score` search units from zero.
pub fn is_level(position: &Position, searcher: &mut Searcher, limits: Limits, max_score: i32) -> bool {
    let key_history = KeyHistory::new(position);
    if position.outcome(&key_history).is_some() {
        return false;
    }
    let result = searcher.search_silently(Job { position: *position, key_history, limits, multi_pv: 1 });
    result.score.units().abs() <= max_score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings() -> Openings {
        let positions: Vec<Position> =
            Position::start().legal_moves().into_iter().map(|mv| Position::start().after(mv).0).collect();
        Openings::new(Path::new("moves.epd"), positions).expect("there are moves")
    }

    #[test]
    fn openings_are_told_apart_by_their_positions() {
        let openings = openings();
        assert_eq!(openings.id().count, 20);
        let other_name = OpeningsId { name: "other.epd".into(), ..openings.id().clone() };
        assert!(openings.matches(openings.id()) && openings.matches(&other_name));
        let shuffled = openings.clone().shuffled(1);
        let other = Openings::new(Path::new("moves.epd"), shuffled.positions).expect("there are moves");
        assert!(!openings.matches(other.id()), "another order");
        assert!(Openings::new(Path::new("empty.epd"), Vec::new()).is_none());
    }

    #[test]
    fn after_the_last_opening_comes_the_first() {
        let openings = openings();
        assert_eq!(openings.opening(0), openings.opening(20));
        assert_eq!(openings.opening(19), openings.opening(39));
    }

    #[test]
    fn ids_of_earlier_versions_are_read() {
        let expected = OpeningsId { name: "a.epd".into(), count: 2, checksum: "0f".into() };
        for text in [
            r#"{"name":"a.epd","openings":2,"checksum":"0f"}"#,
            r#"{"file":"a.epd","count":2,"checksum":"0f"}"#,
        ] {
            assert_eq!(serde_json::from_str::<OpeningsId>(text).ok().as_ref(), Some(&expected), "{text}");
        }
        let text = serde_json::to_string(&expected).expect("it is plain data");
        assert_eq!(text, r#"{"name":"a.epd","openings":2,"checksum":"0f"}"#);
    }
}
