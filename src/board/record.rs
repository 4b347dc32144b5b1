//! A game that has been played, as PGN.

use super::hosted::HostedGame;
use super::saved::{OfTournament, SeatKind};
use crate::chess::Color;
use crate::notation::eco;
use crate::notation::pgn::{Command, Export, Game, GameResult, NodeId};
use crate::zone::{Phase, TimeControl};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The name of games that are played here.
const EVENT: &str = "Game on the board of Hematite";
/// The site of games that are played over a network (PGN standard, 15).
const SITE_NET: &str = "NET";
/// How games are played by way of a server (PGN standard, 9.8.2).
const MODE: &str = "ICS";

/// The game with everything that is known of it.
pub(super) fn pgn(hosted: &HostedGame) -> String {
    let mut game = Game::new(hosted.start);
    let ending = hosted.game.ending();
    let result = ending.and_then(|ending| GameResult::from_marker(ending.result().as_bytes()));
    game.result = result.unwrap_or(GameResult::Unknown);
    set_tags(&mut game, hosted);
    let plies = hosted.game.plies();
    // Moves that have been made are legal.
    let nodes = game.add_line(NodeId::ROOT, plies.iter().map(|ply| ply.mv)).unwrap_or_default();
    let mut color = hosted.start.turn();
    for (&node, ply) in nodes.iter().zip(plies) {
        let clock = ply.left[color as usize].map(Command::Clock);
        let times = [clock, Some(Command::Elapsed(ply.spent))];
        let times: Vec<String> = times.into_iter().flatten().map(|time| time.to_string()).collect();
        // A game of a person is never too large.
        let _ = game.add_comment(node, &times.join(" "));
        color = !color;
    }
    if let Some(ending) = ending {
        let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        let _ = game.add_comment(last, &format!("{ending}."));
    }
    if !hosted.head.is_chess960 {
        eco::label(&mut game);
    }
    Export::new().game(&game)
}

/// A query that finds the game among others by when it was made.
pub(super) fn query(hosted: &HostedGame) -> String {
    let utc = made_at(hosted).to_zoned_datetime(TimeZone::UTC);
    format!("tag.UTCDate=\"{}\" tag.UTCTime=\"{}\"", utc.strftime("%Y.%m.%d"), utc.strftime("%H:%M:%S"))
}

fn made_at(hosted: &HostedGame) -> Timestamp {
    let moment = i64::try_from(hosted.created_unix_ms).ok();
    moment.and_then(|ms| Timestamp::from_millisecond(ms).ok()).unwrap_or_default()
}

fn set_tags(game: &mut Game, hosted: &HostedGame) {
    let moment = made_at(hosted);
    let (utc, local) =
        (moment.to_zoned_datetime(TimeZone::UTC), moment.to_zoned_datetime(TimeZone::system()));
    let mut set = |name: &str, value: &str| game.tags.set(name, value);
    let tournament = hosted.head.tournament.as_ref();
    set("Event", tournament.map_or(EVENT, |tournament| &tournament.name));
    set("Site", SITE_NET);
    set("Date", &local.strftime("%Y.%m.%d").to_string());
    set("Time", &local.strftime("%H:%M:%S").to_string());
    set("UTCDate", &utc.strftime("%Y.%m.%d").to_string());
    set("UTCTime", &utc.strftime("%H:%M:%S").to_string());
    let round = tournament.map(|OfTournament { round, board, .. }| format!("{round}.{board}"));
    set("Round", round.as_deref().unwrap_or("-"));
    set("Mode", MODE);
    for (color, kind, elo) in
        [(Color::White, "WhiteType", "WhiteElo"), (Color::Black, "BlackType", "BlackElo")]
    {
        set(color.name(), hosted.game.seat(color).player.as_deref().unwrap_or("?"));
        match &hosted.head.seats[color as usize] {
            SeatKind::Person => set(kind, "human"),
            SeatKind::Engine(opponent) => {
                set(kind, "program");
                if let Some(limit) = opponent.elo {
                    set(elo, &limit.to_string());
                }
            }
        }
    }
    if hosted.head.is_chess960 {
        set("Variant", "Chess960");
    }
    let control = &hosted.game.rules().time_control;
    let control = if *control == TimeControl::Unknown { "?".to_owned() } else { control.to_string() };
    set("TimeControl", &control);
    set("PlyCount", &hosted.plies.len().to_string());
    match hosted.game.phase() {
        Phase::Over(ending) => set("Termination", ending.reason.tag()),
        _ => set("Termination", "unterminated"),
    }
}
