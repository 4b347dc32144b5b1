//! Games as PGN, with a comment after each move, and final positions as EPD.

use crate::arena::game::{Limits, Record};
use crate::arena::scalar;
use crate::chess::Color;
use crate::client::SearchReply;
use crate::notation::pgn::{Export, Game, NodeId};
use crate::notation::{CommentIndex, Epd, Operation, eco};
use crate::uci::InfoValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::num::NonZeroU16;
use std::ops::Not;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The content of a game's tags that is not part of the record.
#[derive(Clone, Debug)]
pub struct GameLabels<'a> {
    /// The name of the match.
    pub event: &'a str,
    /// The site of the match.
    pub site: &'a str,
    /// The number of the pairing and of the game within it: `12.1`.
    pub round: String,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// The limits of White and Black.
    pub limits: [Limits; 2],
    /// Whether the game is Chess960, double or not.
    pub is_chess960: bool,
}

/// A game in the export format of PGN.
pub fn pgn(record: &Record, labels: &GameLabels<'_>, options: &PgnOptions) -> String {
    let mut game = Game::new(record.start);
    game.result = record.termination.result();
    set_tags(&mut game, record, labels, options.min);
    // Moves that have been played are legal.
    let nodes = game.add_line(NodeId::ROOT, record.moves.iter().map(|played| played.mv)).unwrap_or_default();
    let last = record.moves.len().checked_sub(1).filter(|_| !options.min);
    let mut mover = record.start.turn();
    let commented = if options.min { 0 } else { nodes.len() };
    for (index, (&node, played)) in nodes.iter().zip(&record.moves).take(commented).enumerate() {
        let color = mover;
        mover = !mover;
        let comment = match &played.reply {
            Some(reply) => options.comment(reply, color, played.left),
            None => "book".to_owned(),
        };
        let comment =
            if Some(index) == last { format!("{comment}, {}", record.termination) } else { comment };
        let _ = game.add_comment(node, &plain(&comment));
    }
    // The names of openings are those of standard chess.
    if !labels.is_chess960 && !options.min {
        eco::label(&mut game);
    }
    if last.is_none() && !options.min {
        let _ = game.add_comment(NodeId::ROOT, &plain(&record.termination.to_string()));
    }
    Export::new().game(&game)
}

/// A text of an engine that cannot end a comment.
fn plain(text: &str) -> String {
    text.replace(['{', '}'], "'")
}

fn set_tags(game: &mut Game, record: &Record, labels: &GameLabels<'_>, is_minimal: bool) {
    let started = timestamp(record.started);
    let control = |limits: &Limits| limits.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string());
    let mut set = |name: &str, value: &str| game.tags.set(name, value);
    set("Event", labels.event);
    set("Site", labels.site);
    set("Date", &started.strftime("%Y.%m.%d").to_string());
    set("Round", &labels.round);
    set("White", labels.names[0]);
    set("Black", labels.names[1]);
    if labels.is_chess960 {
        set("Variant", "Chess960");
    }
    if is_minimal {
        return;
    }
    set("UTCTime", &started.strftime("%H:%M:%S").to_string());
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
}

/// The final position of a game as a line of EPD: `c0` is the result, `c1` the termination.
pub fn final_position(record: &Record, labels: &GameLabels<'_>) -> String {
    let mut epd = Epd::new(record.end);
    epd.set(Operation::HalfmoveClock(record.end.halfmove_clock()));
    if let Some(number) = NonZeroU16::new(record.end.fullmove_number()) {
        epd.set(Operation::FullmoveNumber(number));
    }
    epd.set(Operation::Id(labels.round.clone()));
    let comments = [record.termination.result().to_string(), record.termination.to_string()];
    for (level, comment) in CommentIndex::all().zip(comments) {
        epd.set(Operation::Comment(level, Some(comment)));
    }
    format!("{epd}\n")
}

/// The PGN file, and the content of the comment after each move besides score, depth and time.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnOptions {
    /// The file.
    #[serde(deserialize_with = "scalar::path")]
    pub file: PathBuf,
    /// `n=`: nodes.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub nodes: bool,
    /// `sd=`: selective depth.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub seldepth: bool,
    /// `nps=`: nodes per second.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub nps: bool,
    /// `hashfull=`: the fill level of the hash table, in permille.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub hashfull: bool,
    /// `tl=`: the clock after the move.
    #[serde(
        rename = "timeleft",
        default,
        deserialize_with = "scalar::flag",
        skip_serializing_if = "Not::not"
    )]
    pub time_left: bool,
    /// `latency=`: the difference between the measured time and the engine's time.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub latency: bool,
    /// `tbhits=`: the number of tablebase hits.
    #[serde(rename = "tbhits", default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub tb_hits: bool,
    /// Whether scores are from White's point of view, instead of that of the side that moves.
    #[serde(
        rename = "whitepov",
        default,
        deserialize_with = "scalar::flag",
        skip_serializing_if = "Not::not"
    )]
    pub scores_for_white: bool,
    /// Whether comments, and all tags except the required ones, are omitted.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub min: bool,
    /// `pv=`: the principal variation, as written by the engine.
    #[serde(default, deserialize_with = "scalar::flag", skip_serializing_if = "Not::not")]
    pub pv: bool,
}

fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

impl PgnOptions {
    /// The comment `+0.19/10 0.281s`, with the requested additions that are known.
    pub(super) fn comment(&self, reply: &SearchReply, mover: Color, left: Option<Duration>) -> String {
        let is_reversed = self.scores_for_white && mover == Color::Black;
        let score = reply.score.map(|score| if is_reversed { score.reversed() } else { score });
        // A mate in 0 moves has the sign of the side that moves.
        let mut text = match score.map(|score| score.value) {
            Some(InfoValue::Mate(0)) if is_reversed => "+M0".to_owned(),
            Some(InfoValue::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
            Some(InfoValue::Mate(moves)) if moves > 0 => format!("+M{moves}"),
            Some(InfoValue::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
            None => "0.00".to_owned(),
        };
        let mut add = |part: std::fmt::Arguments<'_>| {
            let _ = text.write_fmt(part); // writing to a string cannot fail
        };
        add(format_args!("/{} {}", reply.depth.unwrap_or(0), seconds(reply.elapsed)));
        let known = |is_wanted: bool, value: Option<u64>| value.filter(|_| is_wanted);
        let numbers = [
            ("n", known(self.nodes, reply.nodes)),
            ("sd", known(self.seldepth, reply.seldepth.map(u64::from))),
            ("nps", known(self.nps, reply.nps)),
            ("hashfull", known(self.hashfull, reply.hashfull.map(u64::from))),
            ("tbhits", known(self.tb_hits, reply.tb_hits)),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                add(format_args!(", {name}={value}"));
            }
        }
        let times =
            [("tl", left.filter(|_| self.time_left)), ("latency", reply.latency().filter(|_| self.latency))];
        for (name, time) in times {
            if let Some(time) = time {
                add(format_args!(", {name}={}", seconds(time)));
            }
        }
        if self.pv && !reply.pv.is_empty() {
            add(format_args!(", pv=\"{}\"", reply.pv.join(" ")));
        }
        text
    }
}

/// The time in UTC. Times before 1970 become the start of 1970.
fn timestamp(time: SystemTime) -> Timestamp {
    Timestamp::try_from(time.max(UNIX_EPOCH)).unwrap_or_default()
}

/// A number of seconds as hours, minutes and seconds.
pub(super) fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::InfoScore;

    // Comments

    #[test]
    fn comments_contain_the_options_that_are_set() {
        let mut reply = SearchReply {
            score: Some(InfoScore::exact(InfoValue::Centipawns(19))),
            depth: Some(10),
            elapsed: Duration::from_millis(281),
            nodes: Some(12_345),
            tb_hits: Some(3),
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..SearchReply::default()
        };
        let all = PgnOptions {
            file: PathBuf::new(),
            nodes: true,
            seldepth: true,
            nps: true,
            hashfull: true,
            time_left: true,
            latency: true,
            tb_hits: true,
            scores_for_white: true,
            min: false,
            pv: true,
        };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(PgnOptions::default().comment(&reply, white, None), "+0.19/10 0.281s");
        assert_eq!(
            all.comment(&reply, black, Some(Duration::from_millis(7500))),
            "-0.19/10 0.281s, n=12345, tbhits=3, tl=7.500s, pv=\"e2e4 e7e5\""
        );
        reply.score = Some(InfoScore::exact(InfoValue::Mate(-3)));
        assert_eq!(PgnOptions::default().comment(&reply, white, None), "-M3/10 0.281s");
        reply.score = Some(InfoScore::exact(InfoValue::Mate(5)));
        assert_eq!(PgnOptions::default().comment(&reply, white, None), "+M5/10 0.281s");
        assert_eq!(PgnOptions::default().comment(&SearchReply::default(), white, None), "0.00/0 0.000s");
    }

    // Dates

    #[test]
    fn days_of_the_calendar() {
        let cases = [
            (0, "1970.01.01 00:00:00"),
            (951_782_400, "2000.02.29 00:00:00"),
            (951_868_800, "2000.03.01 00:00:00"),
            (1_709_251_199, "2024.02.29 23:59:59"),
            (1_767_225_599, "2025.12.31 23:59:59"),
            (4_107_542_400, "2100.03.01 00:00:00"),
        ];
        for (seconds, expected) in cases {
            let time = timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(time.strftime("%Y.%m.%d %H:%M:%S").to_string(), expected);
        }
    }
}
