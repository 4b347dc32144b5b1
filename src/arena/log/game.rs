//! From a record to text.

use super::Details;
use super::date::{Date, clock};
use crate::arena::game::{Limits, Record};
use crate::notation::pgn::{Export, Game, NodeId};
use crate::notation::{Epd, Level, Operation, eco};
use std::num::NonZeroU16;

/// What a game's tags tell beyond the game itself.
#[derive(Clone, Debug)]
pub struct GameLabels<'a> {
    /// The match.
    pub event: &'a str,
    /// Where it is played.
    pub site: &'a str,
    /// The number of the encounter and of the game in it: `12.1`.
    pub round: String,
    /// White's and Black's name.
    pub names: [&'a str; 2],
    /// What White and Black may use.
    pub limits: [Limits; 2],
    /// Is it Chess960, double or not?
    pub is_chess960: bool,
}

/// A game in the export format of PGN.
pub fn pgn(record: &Record, labels: &GameLabels<'_>, details: &Details) -> String {
    let mut game = Game::new(record.start);
    game.result = record.termination.result();
    set_tags(&mut game, record, labels);
    // Moves that have been played are legal.
    let nodes = game.add_line(NodeId::ROOT, record.moves.iter().map(|played| played.mv)).unwrap_or_default();
    let last = record.moves.len().checked_sub(1);
    for (index, (&node, played)) in nodes.iter().zip(&record.moves).enumerate() {
        let comment = match &played.thought {
            Some(thought) => details.comment(thought, played.left),
            None => "book".to_owned(),
        };
        let comment =
            if Some(index) == last { format!("{comment}, {}", record.termination) } else { comment };
        let _ = game.add_comment(node, &plain(&comment));
    }
    // The names are those of standard chess.
    if !labels.is_chess960 {
        eco::label(&mut game);
    }
    if last.is_none() {
        let _ = game.add_comment(NodeId::ROOT, &plain(&record.termination.to_string()));
    }
    Export::new().game(&game)
}

/// What engines have said must not end a comment.
fn plain(text: &str) -> String {
    text.replace(['{', '}'], "'")
}

fn set_tags(game: &mut Game, record: &Record, labels: &GameLabels<'_>) {
    let date = Date::new(record.started);
    let control = |limits: &Limits| limits.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string());
    let mut set = |name: &str, value: &str| game.tags.set(name, value);
    set("Event", labels.event);
    set("Site", labels.site);
    set("Date", &date.date());
    set("Round", &labels.round);
    set("White", labels.names[0]);
    set("Black", labels.names[1]);
    set("UTCTime", &date.time());
    set("GameDuration", &clock(record.duration.as_secs()));
    set("PlyCount", &record.moves.len().to_string());
    set("Termination", record.termination.tag());
    let [white, black] = labels.limits;
    if white == black {
        set("TimeControl", &control(&white));
    } else {
        set("WhiteTimeControl", &control(&white));
        set("BlackTimeControl", &control(&black));
    }
    if labels.is_chess960 {
        set("Variant", "Chess960");
    }
}

/// The position in which a game ended, a line of EPD: `c0` is the result, `c1` how it came about.
pub fn final_position(record: &Record, labels: &GameLabels<'_>) -> String {
    let mut epd = Epd::new(record.end);
    epd.set(Operation::HalfmoveClock(record.end.halfmove_clock()));
    if let Some(number) = NonZeroU16::new(record.end.fullmove_number()) {
        epd.set(Operation::FullmoveNumber(number));
    }
    epd.set(Operation::Id(labels.round.clone()));
    let comments = [record.termination.result().to_string(), record.termination.to_string()];
    for (level, comment) in (0..).map_while(Level::new).zip(comments) {
        epd.set(Operation::Comment(level, Some(comment)));
    }
    format!("{epd}\n")
}
