//! The schedule of repetitions: the FSRS algorithm (<https://github.com/open-spaced-repetition>), by the crate
//! `rs-fsrs`.

use super::attempt::Mark;
use chrono::{DateTime, Utc};
use rs_fsrs::{FSRS, Rating, State};

/// Milliseconds since 1970 in UTC.
pub type Timestamp = i64;

/// The grade of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grade {
    /// The first guess was wrong, or the move was shown.
    Again,
    /// The move was found with hints.
    Hard,
    /// The move was found without hints.
    Good,
}

impl Grade {
    /// The grade of a move that was found or shown.
    pub fn of(mark: &Mark) -> Self {
        if mark.is_shown || !mark.wrong.is_empty() {
            Self::Again
        } else if mark.hints > 0 {
            Self::Hard
        } else {
            Self::Good
        }
    }
}

/// The state of the memory of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    /// The time at which the position is due.
    pub due: Timestamp,
    /// The time at which the position was asked for last.
    pub asked: Timestamp,
    /// The number of days after which the position is remembered with a probability of 90 %.
    pub stability: f64,
    /// The difficulty, from 1 to 10.
    pub difficulty: f64,
    /// The stage of learning: 1 learning, 2 review, 3 learning again.
    pub stage: u8,
    /// The number of times the position was asked for.
    pub asked_times: u32,
    /// The number of times the position was forgotten.
    pub forgotten_times: u32,
    /// The number of days from the last repetition to the time at which it is due.
    pub interval_days: u32,
}

/// The card after a grade at this time. `card` is `None` for a new position.
pub fn review(card: Option<&Card>, grade: Grade, now: Timestamp) -> Card {
    let time = |milliseconds| DateTime::<Utc>::from_timestamp_millis(milliseconds).unwrap_or_default();
    let before = card.map_or_else(
        || rs_fsrs::Card { due: time(now), last_review: time(now), ..rs_fsrs::Card::default() },
        |card| rs_fsrs::Card {
            due: time(card.due),
            last_review: time(card.asked.min(now)),
            stability: card.stability,
            difficulty: card.difficulty,
            elapsed_days: 0,
            scheduled_days: card.interval_days.into(),
            reps: i32::try_from(card.asked_times).unwrap_or(i32::MAX),
            lapses: i32::try_from(card.forgotten_times).unwrap_or(i32::MAX),
            state: match card.stage {
                0 => State::New,
                1 => State::Learning,
                2 => State::Review,
                _ => State::Relearning,
            },
        },
    );
    let rating = match grade {
        Grade::Again => Rating::Again,
        Grade::Hard => Rating::Hard,
        Grade::Good => Rating::Good,
    };
    let after = FSRS::default().next(before, time(now), rating).card;
    Card {
        due: after.due.timestamp_millis(),
        asked: now,
        stability: after.stability,
        difficulty: after.difficulty,
        stage: after.state as u8,
        asked_times: u32::try_from(after.reps).unwrap_or_default(),
        forgotten_times: u32::try_from(after.lapses).unwrap_or_default(),
        interval_days: u32::try_from(after.scheduled_days).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1000;
    const NOW: Timestamp = 1_764_028_800_000;

    #[test]
    fn intervals_grow_with_success_and_fall_with_failure() {
        let mut card = review(None, Grade::Good, NOW);
        assert!(card.due > NOW && card.asked == NOW, "{card:?}");
        let mut intervals = Vec::new();
        for _ in 0..6 {
            card = review(Some(&card), Grade::Good, card.due);
            intervals.push(card.due - card.asked);
        }
        assert!(intervals.windows(2).all(|pair| pair[0] <= pair[1]), "{intervals:?}");
        assert!(*intervals.last().expect("there are six") > 30 * DAY, "{intervals:?}");
        let forgotten = review(Some(&card), Grade::Again, card.due);
        assert!(forgotten.due - forgotten.asked < DAY, "{forgotten:?}");
        assert_eq!(forgotten.forgotten_times, card.forgotten_times + 1);
        assert!(forgotten.stability < card.stability);
    }

    #[test]
    fn odd_times_are_no_trouble() {
        let card = review(None, Grade::Hard, NOW);
        // The clock was set back by ten days.
        let back = review(Some(&card), Grade::Good, NOW - 10 * DAY);
        assert_eq!(back.asked, NOW - 10 * DAY);
        for odd in [i64::MIN, i64::MAX, 0] {
            review(Some(&Card { due: odd, asked: odd, ..card.clone() }), Grade::Again, odd);
        }
    }
}
