//! The journal of a game as text: a line of JSON with the initial position and the rules, and a line for each event.

use super::event::Event;
use super::game::{Game, ReplayError};
use super::rules::Rules;
use crate::chess::Position;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format, which is stated in the first line.
const VERSION: u32 = 1;

/// The data from which a game is replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    /// The initial position, in the notation of the caller.
    pub start: String,
    /// The rules of the game.
    pub rules: Rules,
    /// The events of the game.
    pub events: Vec<Event>,
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    zone: u32,
    start: String,
    rules: Rules,
}

/// The error of a text that is not a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The first line is not the head of a journal.
    #[error("line 1: expected {{\"zone\":{VERSION},\"start\":...,\"rules\":...}}: {0}")]
    Head(#[source] serde_json::Error),
    /// The journal has another version of the format.
    #[error("line 1: version {0}, expected {VERSION}")]
    Version(u32),
    /// A complete line is not an event.
    #[error("line {line}: expected an event: {source}")]
    Event {
        /// The number of the line, counted from 1.
        line: usize,
        /// The error of the line.
        source: serde_json::Error,
    },
}

impl Journal {
    /// The journal of a game whose initial position this text describes.
    pub fn of(game: &Game, start: impl Into<String>) -> Self {
        Self { start: start.into(), rules: game.rules().clone(), events: game.journal().to_vec() }
    }

    /// Parses a journal. A last line without a line end is dropped, since the event was not acknowledged; the returned
    /// flag is set if there was one.
    ///
    /// # Errors
    /// [`JournalError`] if the text is not a journal or a complete line is invalid.
    pub fn read(text: &str) -> Result<(Self, bool), JournalError> {
        let mut lines = text.split_inclusive('\n').zip(1..);
        let first = lines.next().map_or("", |(line, _)| line);
        let Head { zone, start, rules } = serde_json::from_str(first).map_err(JournalError::Head)?;
        if zone != VERSION {
            return Err(JournalError::Version(zone));
        }
        let mut events = Vec::new();
        let mut is_cut = false;
        for (text, line) in lines {
            let is_whole = text.ends_with('\n');
            match serde_json::from_str(text) {
                Ok(event) if is_whole => events.push(event),
                Err(source) if is_whole => return Err(JournalError::Event { line, source }),
                _ => is_cut = true,
            }
        }
        Ok((Self { start, rules, events }, is_cut))
    }

    /// Serializes the journal.
    ///
    /// # Errors
    /// None are known: all parts of a journal can be serialized.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        let head = Head { zone: VERSION, start: self.start.clone(), rules: self.rules.clone() };
        let mut text = serde_json::to_string(&head)? + "\n";
        for event in &self.events {
            text.push_str(&serde_json::to_string(event)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Replays the game from this position.
    ///
    /// # Errors
    /// [`ReplayError`] if an event is not possible.
    pub fn replay(&self, start: Position) -> Result<Game, ReplayError> {
        Game::replay(start, self.rules.clone(), &self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zone::{Act, Actor, Moment};

    fn journal() -> String {
        let mut game = Game::new(Position::start(), Rules::default());
        for (at, by, act) in [
            (0, Actor::White, Act::Sit { name: "Ann".to_owned() }),
            (5, Actor::Black, Act::Sit { name: "Bob \"B\"\u{e9}".to_owned() }),
            (900, Actor::White, Act::Move { mv: "e2e4".parse().expect("a move") }),
            (1200, Actor::Black, Act::Resign),
        ] {
            let answer = game.submit(Event { at: Moment::from_millis(at), by, act });
            assert_eq!(answer.refusal, None);
        }
        Journal::of(&game, "startpos").write().expect("it can be written")
    }

    #[test]
    fn a_journal_is_written_and_read() {
        let text = journal();
        let (read, is_cut) = Journal::read(&text).expect("it is a journal");
        assert!(!is_cut && read.start == "startpos" && read.events.len() == 4);
        assert_eq!(read.write().expect("it can be written"), text);
        let game = read.replay(Position::start()).expect("it has happened");
        assert_eq!(game.ending().map(|ending| ending.result()), Some("1-0"));
    }

    #[test]
    fn a_cut_tail_is_left_out_and_a_broken_line_is_told() {
        let text = journal();
        for length in text.find('\n').expect("lines") + 1..text.len() {
            let Some(part) = text.get(..length) else { continue };
            let (read, is_cut) = Journal::read(part).expect("only the tail is missing");
            assert_eq!(is_cut, !part.ends_with('\n'));
            assert_eq!(read.events.len() + 1, part.matches('\n').count());
            assert!(read.replay(Position::start()).is_ok());
        }
        let told = |text: &str| Journal::read(text).expect_err("it is broken").to_string();
        assert!(told(&text.replacen("\"resign\"", "\"fly\"", 1)).starts_with("line 5: "));
        assert!(told("").starts_with("line 1: "));
        assert!(told(&text.replacen("\"zone\":1", "\"zone\":9", 1)).starts_with("line 1: version 9"));
        let (mut read, _) = Journal::read(&text).expect("it is a journal");
        read.events.swap(2, 3);
        let error = read.replay(Position::start()).expect_err("nobody moves after the end");
        assert_eq!(error.number, 4);
    }
}
