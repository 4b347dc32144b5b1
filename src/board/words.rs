//! Names and sentences for the events of a game.

use crate::chess::Color;
use crate::zone::{Actor, Bonus, Effect, Period, Refusal, TimeControl};
use std::time::Duration;

/// `white` or `black`.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The name of a role for programs.
pub(super) const fn role(actor: Actor) -> &'static str {
    match actor {
        Actor::White => "white",
        Actor::Black => "black",
        Actor::WhiteAssistant => "white_assistant",
        Actor::BlackAssistant => "black_assistant",
        Actor::Arbiter => "arbiter",
        Actor::Spectator => "spectator",
        Actor::Zone => "zone",
    }
}

/// The color whose pieces a role may move.
pub(super) const fn side_of(actor: Actor) -> Option<Color> {
    match actor {
        Actor::White | Actor::WhiteAssistant => Some(Color::White),
        Actor::Black | Actor::BlackAssistant => Some(Color::Black),
        Actor::Arbiter | Actor::Spectator | Actor::Zone => None,
    }
}

/// The name of a refusal for programs.
pub(super) const fn refusal_code(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Over => "over",
        Refusal::NotBegun => "not_begun",
        Refusal::Paused => "paused",
        Refusal::NotPaused => "not_paused",
        Refusal::NotYours => "not_yours",
        Refusal::NotYourTurn => "not_your_turn",
        Refusal::YourTurn => "your_turn",
        Refusal::TooManyPremoves => "too_many_premoves",
        Refusal::IllegalMove(_) => "illegal_move",
        Refusal::SeatTaken => "seat_taken",
        Refusal::Name => "name",
        Refusal::NothingOffered => "nothing_offered",
        Refusal::AlreadyOffered => "already_offered",
        Refusal::NotInRules => "not_in_rules",
        Refusal::TooEarly => "too_early",
        Refusal::TooLate => "too_late",
        Refusal::TooOften => "too_often",
    }
}

/// An event as a sentence; `None` for events that are shown elsewhere. A move needs its notation, `san`.
pub(super) fn sentence(effect: &Effect, san: Option<&str>) -> Option<String> {
    Some(match effect {
        Effect::Seated { side } => format!("{} is taken.", side.name()),
        Effect::Began => "The game begins.".to_owned(),
        Effect::Moved { side, premove, .. } => {
            let premove = if *premove { ", as entered before" } else { "" };
            format!("{} plays {}{premove}.", side.name(), san?)
        }
        Effect::Berserk { side } => format!("{} halves the clock and gets no increment.", side.name()),
        // Connections are measured often, and the page shows the time beside the name.
        Effect::Noted { .. } | Effect::LagCompensated { .. } => return None,
        Effect::PremoveDropped { .. } => {
            "A premove is not legal in this position; all premoves are dropped.".to_owned()
        }
        Effect::DrawOffered { side } => format!("{} offers a draw.", side.name()),
        Effect::DrawOfferEnded { side } => format!("{}'s offer of a draw no longer stands.", side.name()),
        Effect::ClaimRejected { side } => format!("{}'s claim of a draw is not correct.", side.name()),
        Effect::TakebackOffered { side } => format!("{} asks to take a move back.", side.name()),
        Effect::TakebackEnded { side } => format!("{} does not take a move back.", side.name()),
        Effect::TakenBack { plies: 1 } => "A move is taken back.".to_owned(),
        Effect::TakenBack { plies } => format!("{plies} moves are taken back."),
        Effect::Away { side } => format!("{} has gone away.", side.name()),
        Effect::Back { side } => format!("{} is back.", side.name()),
        Effect::Paused => "The clocks are stopped.".to_owned(),
        Effect::Resumed => "The game is resumed.".to_owned(),
        Effect::TimeAdded { side, time } => format!("{} gets {} more.", side.name(), duration(*time)),
        Effect::AssistantAllowed { side } => format!("An assistant may move the pieces for {}.", side.name()),
        Effect::Ended { ending } => format!("{ending}."),
    })
}

/// A time control as English text.
pub(super) fn time_control(control: &TimeControl) -> String {
    match control {
        TimeControl::Unknown => "the time is not known".to_owned(),
        TimeControl::Untimed => "no limit of time".to_owned(),
        TimeControl::Periods(periods) => periods.iter().map(period).collect::<Vec<_>>().join(", then "),
    }
}

fn period(period: &Period) -> String {
    let mut text = match period.bonus {
        Bonus::Hourglass => format!("an hourglass of {}", duration(period.time)),
        _ if period.time.is_zero() => String::new(),
        _ => duration(period.time),
    };
    if let Some(moves) = period.moves {
        text = format!("{text} for {}", counted(u64::from(moves.get()), "move"));
    }
    let and = if text.is_empty() { "" } else { " and " };
    let extra = match period.bonus {
        Bonus::Increment(time) => format!("{and}{} a move", duration(time)),
        Bonus::Delay(time) => format!("{and}{} of delay a move", duration(time)),
        Bonus::Bronstein(time) => format!("{and}up to {} back a move", duration(time)),
        Bonus::None | Bonus::Hourglass => String::new(),
    };
    text + &extra
}

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;

/// A duration as English text in hours, minutes and seconds.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if time.subsec_millis() > 0 {
        return format!("{} seconds", time.as_secs_f64());
    }
    let mut parts = Vec::new();
    for (count, unit) in
        [(seconds / HOUR_S, "hour"), (seconds % HOUR_S / MINUTE_S, "minute"), (seconds % MINUTE_S, "second")]
    {
        if count > 0 {
            parts.push(counted(count, unit));
        }
    }
    if parts.is_empty() { counted(0, "second") } else { parts.join(" ") }
}

fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_said_in_words() {
        for (text, expected) in [
            ("-", "no limit of time"),
            ("300+3", "5 minutes and 3 seconds a move"),
            ("60", "1 minute"),
            ("0+1", "1 second a move"),
            ("8+0.08", "8 seconds and 0.08 seconds a move"),
            ("40/5400:1800+30", "1 hour 30 minutes for 40 moves, then 30 minutes and 30 seconds a move"),
            ("*180", "an hourglass of 3 minutes"),
            ("300d5", "5 minutes and 5 seconds of delay a move"),
            ("300b5", "5 minutes and up to 5 seconds back a move"),
        ] {
            assert_eq!(time_control(&text.parse().expect("a time control")), expected, "{text}");
        }
    }
}
