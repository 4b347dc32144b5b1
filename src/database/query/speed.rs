//! How fast games are played, by their time controls.

use crate::zone::{Bonus, TimeControl};
use std::time::Duration;

/// The moves by which time controls are compared: games have about as many.
const MOVES: u32 = 40;
/// The times for so many moves below which a game is bullet, blitz and rapid, as on lichess.
const BULLET: Duration = Duration::from_secs(180);
const BLITZ: Duration = Duration::from_secs(480);
const RAPID: Duration = Duration::from_secs(1500);
/// With a day it is correspondence chess.
const DAY: Duration = Duration::from_secs(86_400);

/// A class of time controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

impl Speed {
    pub(super) const NAMES: [(&str, Self); 5] = [
        ("bullet", Self::Bullet),
        ("blitz", Self::Blitz),
        ("rapid", Self::Rapid),
        ("classical", Self::Classical),
        ("correspondence", Self::Correspondence),
    ];

    /// That of a value of the tag `TimeControl`; `None` if it states no time.
    fn of(value: &str) -> Option<Self> {
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

    /// Whether a value of the tag is of this class.
    pub(super) fn matches(self, value: Option<&str>) -> bool {
        value.and_then(Self::of) == Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_have_a_speed() {
        let cases = [
            ("60+0", Some(Speed::Bullet)),
            ("120+1", Some(Speed::Bullet)),
            ("180", Some(Speed::Blitz)),
            ("300+3", Some(Speed::Blitz)),
            ("180+10", Some(Speed::Rapid)),
            ("600", Some(Speed::Rapid)),
            ("900+15", Some(Speed::Classical)),
            ("40/7200:3600", Some(Speed::Classical)),
            ("10/60", Some(Speed::Blitz)),
            ("1/86400", Some(Speed::Correspondence)),
            ("*180", Some(Speed::Blitz)),
            ("-", None),
            ("?", None),
            ("", None),
            ("fast", None),
        ];
        for (value, expected) in cases {
            assert_eq!(Speed::of(value), expected, "{value}");
        }
    }
}
