//! The speed of games, by their time controls.

use super::text::MISSING;
use crate::zone::{Bonus, TimeControl};
use std::time::Duration;

/// The number of moves by which time controls are compared, which is about the length of a game.
const MOVES: u32 = 40;
/// The upper bounds of the times for these moves in bullet, blitz and rapid, as on lichess.
const BULLET: Duration = Duration::from_secs(180);
const BLITZ: Duration = Duration::from_secs(480);
const RAPID: Duration = Duration::from_secs(1500);
/// The time for these moves from which a game is correspondence chess.
const DAY: Duration = Duration::from_secs(86_400);

/// A class of time controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
    /// The time control is unknown.
    None,
}

impl Speed {
    pub(super) const NAMES: [(&str, Self); 6] = [
        ("bullet", Self::Bullet),
        ("blitz", Self::Blitz),
        ("rapid", Self::Rapid),
        ("classical", Self::Classical),
        ("correspondence", Self::Correspondence),
        (MISSING, Self::None),
    ];

    /// The class of a value of the tag `TimeControl`.
    fn of(value: &str) -> Self {
        Self::of_control(value).unwrap_or(Self::None)
    }

    /// `None` if the value does not state a time.
    fn of_control(value: &str) -> Option<Self> {
        let control: TimeControl = value.trim().parse().ok()?;
        if control.periods().is_empty() {
            return None;
        }
        let (mut time, mut left) = (Duration::ZERO, MOVES);
        for number in 0.. {
            let period = control.period(number)?;
            let moves = period.moves.map_or(left, |moves| moves.get().min(left));
            let each = match period.bonus {
                Bonus::Increment(bonus) | Bonus::Delay(bonus) | Bonus::Bronstein(bonus) => bonus,
                Bonus::None | Bonus::Hourglass => Duration::ZERO,
            };
            time = time.saturating_add(period.time).saturating_add(each.saturating_mul(moves));
            left -= moves;
            if left == 0 {
                break;
            }
        }
        Some(match time {
            time if time < BULLET => Self::Bullet,
            time if time < BLITZ => Self::Blitz,
            time if time < RAPID => Self::Rapid,
            time if time < DAY => Self::Classical,
            _ => Self::Correspondence,
        })
    }

    /// Whether a value of the tag is in this class.
    pub(super) fn matches(self, value: Option<&str>) -> bool {
        value.map_or(Self::None, Self::of) == self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_have_a_speed() {
        let cases = [
            ("60+0", Speed::Bullet),
            ("120+1", Speed::Bullet),
            ("180", Speed::Blitz),
            ("300+3", Speed::Blitz),
            ("180+10", Speed::Rapid),
            ("600", Speed::Rapid),
            ("900+15", Speed::Classical),
            ("40/7200:3600", Speed::Classical),
            ("10/60", Speed::Blitz),
            ("1/86400", Speed::Correspondence),
            ("*180", Speed::Blitz),
            ("-", Speed::None),
            ("?", Speed::None),
            ("", Speed::None),
            ("fast", Speed::None),
        ];
        for (value, expected) in cases {
            assert_eq!(Speed::of(value), expected, "{value}");
        }
        assert!(Speed::None.matches(None) && !Speed::Blitz.matches(None));
    }
}
