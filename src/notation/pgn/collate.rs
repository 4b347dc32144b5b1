//! The order of games within a file (PGN standard, 12).

use super::tags::parse_date;
use super::{Export, Game, GameResult, SEVEN_TAG_ROSTER};
use std::cmp::Ordering;

/// The sort key of a game: date, event, site, round, white, black, result and moves. It is computed
/// once and compared many times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CollatingKey {
    /// An invalid date sorts first, like an unknown one.
    date: (u16, u8, u8),
    event: String,
    site: String,
    round: Round,
    white: String,
    black: String,
    result: GameResultText,
    movetext: String,
}

/// A round: a question mark sorts before a hyphen, both before numbers, and any other text last.
/// Rounds of several numbers are ordered number by number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Round {
    Unknown,
    Inappropriate,
    Numbers(Vec<u64>),
    Text(String),
}

/// Results are also in ASCII order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GameResultText(GameResult);

impl Ord for GameResultText {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.as_str().cmp(other.0.as_str())
    }
}

impl PartialOrd for GameResultText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Round {
    fn new(text: &str) -> Self {
        match text {
            "?" | "" => Self::Unknown,
            "-" => Self::Inappropriate,
            _ => text
                .split('.')
                .map(|number| number.parse().ok())
                .collect::<Option<_>>()
                .map_or_else(|| Self::Text(text.to_owned()), Self::Numbers),
        }
    }
}

impl CollatingKey {
    /// The key of a game.
    pub fn new(game: &Game) -> Self {
        let tag = |name: &str| {
            let unknown =
                SEVEN_TAG_ROSTER.iter().find(|roster| roster.0 == name).map_or("", |roster| roster.1);
            game.tags.get(name).unwrap_or(unknown).to_owned()
        };
        let mut movetext = String::new();
        Export::new().write_movetext(game, &mut movetext);
        Self {
            date: parse_date(&tag("Date")).unwrap_or_default(),
            event: tag("Event"),
            site: tag("Site"),
            round: Round::new(&tag("Round")),
            white: tag("White"),
            black: tag("Black"),
            result: GameResultText(game.result),
            movetext,
        }
    }
}

/// Compares two games by the collating order of the standard.
pub fn collate(a: &Game, b: &Game) -> Ordering {
    CollatingKey::new(a).cmp(&CollatingKey::new(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with these tags and moves.
    fn game(text: &str) -> Game {
        let (game, errors) = Game::read(text.as_bytes()).expect("memory is readable").expect(text);
        assert_eq!(errors, [], "{text}");
        game
    }

    #[test]
    fn each_key_counts_where_those_before_are_equal() {
        let ascending = [
            "[Date \"????.??.??\"] 1. a3 *",
            "[Date \"1992.??.??\"] 1. a3 *",
            "[Date \"1992.01.??\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"A\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"A\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"?\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"-\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"2\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"2.10\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"10\"] 1. a3 *",
            "[Date \"1992.02.01\"] [Event \"B\"] [Site \"B\"] [Round \"final\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"A\"] [Black \"B\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"A\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 *",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 0-1",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 1-0",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a3 1/2-1/2",
            "[Date \"1992.02.02\"] [White \"B\"] [Black \"B\"] 1. a4 1/2-1/2",
        ];
        let keys: Vec<CollatingKey> = ascending.iter().map(|text| CollatingKey::new(&game(text))).collect();
        for (index, pair) in keys.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{} before {}", ascending[index], ascending[index + 1]);
        }
        assert_eq!(collate(&game(ascending[4]), &game(ascending[4])), Ordering::Equal);
        assert_eq!(collate(&game(ascending[4]), &game(ascending[3])), Ordering::Greater);
    }
}
