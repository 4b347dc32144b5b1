//! Conversion of games on the board to PGN.

use super::engines::Engines;
use super::hosted::HostedGame;
use super::saved::{OfTournament, SeatKind};
use crate::chess::{Color, Position};
use crate::notation::eco;
use crate::notation::pgn::{Command, Export, Game, GameResult, NodeId};
use crate::zone::{Phase, TimeControl};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The `Event` tag of games outside tournaments.
const EVENT: &str = "Game on the board of Hematite";
/// The `Site` tag of games that are played over a network (PGN standard, 15).
const SITE_NET: &str = "NET";
/// The `Mode` tag of games that are played through a server (PGN standard, 9.8.2).
const MODE: &str = "ICS";

/// The comment on a move of an engine's book, as in matches between engines.
const BOOK_MOVE: &str = "book";

/// The game with all its tags and times as PGN.
pub(super) fn pgn(hosted: &HostedGame, engines: &Engines) -> String {
    let mut game = Game::new(hosted.start);
    let ending = hosted.game.ending();
    let result = ending.and_then(|ending| GameResult::from_marker(ending.result().as_bytes()));
    game.result = result.unwrap_or(GameResult::Unknown);
    set_tags(&mut game, hosted);
    let plies = hosted.game.plies();
    // Moves of the game are legal, so adding them cannot fail.
    let nodes = game.add_line(NodeId::ROOT, plies.iter().map(|ply| ply.mv)).unwrap_or_default();
    let mut position = hosted.start;
    for (&node, ply) in nodes.iter().zip(plies) {
        let clock = ply.left[position.turn() as usize].map(Command::Clock);
        let times = [clock, Some(Command::Elapsed(ply.spent))].into_iter().flatten();
        let book = has_book_move(hosted, &position, engines).then(|| BOOK_MOVE.to_owned());
        let texts: Vec<String> = times.map(|time| time.to_string()).chain(book).collect();
        // Fails only for games far longer than any that is played here.
        let _ = game.add_comment(node, &texts.join(" "));
        position = position.after(ply.mv).0;
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

/// Whether the side to move is an engine whose book has a move here, which it then plays.
fn has_book_move(hosted: &HostedGame, position: &Position, engines: &Engines) -> bool {
    let SeatKind::Engine(opponent) = &hosted.head.seats[position.turn() as usize] else { return false };
    let book = engines.book_of(opponent);
    book.is_some_and(|book| book.moves(position).iter().any(|found| found.weight > 0))
}

/// A pairing of a tournament that was decided without a game.
#[derive(Debug)]
pub(super) struct Unplayed<'a> {
    /// The round and board.
    pub(super) place: &'a OfTournament,
    /// The names and kinds of White and Black.
    pub(super) players: [(&'a str, &'a SeatKind); Color::COUNT],
    /// The time control that the game would have had.
    pub(super) time_control: &'a TimeControl,
    /// The result, which may be `0-0`.
    pub(super) result: &'static str,
}

impl Unplayed<'_> {
    /// A game without moves. PGN has no termination for a forfeit: if one player forfeits, it is `rules infraction`
    /// (9.8.1), and a draw is an `adjudication`. PGN also has no result marker for a loss of both players.
    pub(super) fn pgn(&self) -> String {
        let mut game = Game::default();
        game.result = GameResult::from_marker(self.result.as_bytes()).unwrap_or_default();
        let (termination, text) = match game.result {
            GameResult::WhiteWins => ("rules infraction", "White wins without a game."),
            GameResult::BlackWins => ("rules infraction", "Black wins without a game."),
            GameResult::Draw => ("adjudication", "A draw without a game."),
            GameResult::Unknown => ("rules infraction", "Both lose without a game."),
        };
        set_place(&mut game, Some(self.place));
        for (color, (name, kind)) in Color::ALL.into_iter().zip(self.players) {
            set_player(&mut game, color, name, kind);
        }
        set_time_control(&mut game, self.time_control);
        game.tags.set("PlyCount", "0");
        game.tags.set("Termination", termination);
        let _ = game.add_comment(NodeId::ROOT, text); // one short comment always fits
        Export::new().game(&game)
    }
}

/// A query that finds the game by the time of its creation.
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
    set_place(game, hosted.head.tournament.as_ref());
    let mut set = |name: &str, value: &str| game.tags.set(name, value);
    set("Date", &local.strftime("%Y.%m.%d").to_string());
    set("Time", &local.strftime("%H:%M:%S").to_string());
    set("UTCDate", &utc.strftime("%Y.%m.%d").to_string());
    set("UTCTime", &utc.strftime("%H:%M:%S").to_string());
    for color in Color::ALL {
        let name = hosted.game.seat(color).player.as_deref().unwrap_or("?");
        set_player(game, color, name, &hosted.head.seats[color as usize]);
    }
    if hosted.head.is_chess960 {
        game.tags.set("Variant", "Chess960");
    }
    set_time_control(game, &hosted.game.rules().time_control);
    let mut set = |name: &str, value: &str| game.tags.set(name, value);
    set("PlyCount", &hosted.plies.len().to_string());
    match hosted.game.phase() {
        Phase::Over(ending) => set("Termination", ending.reason.tag()),
        _ => set("Termination", "unterminated"),
    }
}

/// Sets the tags of the event, site, round and mode.
fn set_place(game: &mut Game, tournament: Option<&OfTournament>) {
    game.tags.set("Event", tournament.map_or(EVENT, |tournament| &tournament.name));
    game.tags.set("Site", SITE_NET);
    let round = tournament.and_then(OfTournament::round_tag);
    game.tags.set("Round", round.as_deref().unwrap_or("-"));
    game.tags.set("Mode", MODE);
}

fn set_player(game: &mut Game, color: Color, name: &str, kind: &SeatKind) {
    let (kind_tag, elo_tag) = match color {
        Color::White => ("WhiteType", "WhiteElo"),
        Color::Black => ("BlackType", "BlackElo"),
    };
    game.tags.set(color.name(), name);
    match kind {
        SeatKind::Person => game.tags.set(kind_tag, "human"),
        SeatKind::Engine(opponent) => {
            game.tags.set(kind_tag, "program");
            if let Some(limit) = opponent.elo {
                game.tags.set(elo_tag, limit.to_string());
            }
        }
    }
}

fn set_time_control(game: &mut Game, control: &TimeControl) {
    let control = if *control == TimeControl::Unknown { "?".to_owned() } else { control.to_string() };
    game.tags.set("TimeControl", &control);
}
