//! The state of a tournament as one role sees it.

use super::arena::Streak;
use super::conditions::{Begin, Format};
use super::saved::SeatKind;
use super::standings::Row;
use super::token::GameId;
use super::tournament::{Phase, Role, Tournament};
use super::tournament_parts::{Entrant, Pairing};
use super::words;
use crate::chess::Color;
use serde::Serialize;

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct TournamentState<'a> {
    id: &'a str,
    version: u64,
    role: &'static str,
    /// The number of the requesting player.
    player: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    name: &'a str,
    created: u64,
    phase: Phase,
    format: Format,
    begin: Begin,
    time_control: String,
    time_text: String,
    can: Vec<&'static str>,
    /// The remaining time of a started arena, in milliseconds.
    left_ms: Option<u64>,
    players: Vec<ShownPlayer<'a>>,
    round_count: usize,
    rounds: Vec<Vec<ShownPairing<'a>>>,
    tie_breaks: Vec<&'static str>,
    standings: Vec<ShownRow>,
}

#[derive(Serialize)]
struct ShownPlayer<'a> {
    number: usize,
    name: &'a str,
    kind: &'static str,
    elo: Option<u32>,
    /// The name of the opening book of an engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<&'a str>,
    withdrawn: bool,
    /// In an arena, whether the player waits for an opponent.
    free: bool,
    paused: bool,
}

#[derive(Serialize)]
struct ShownPairing<'a> {
    white: usize,
    /// The number of the player of Black; `null` for a bye.
    black: Option<usize>,
    white_ready: bool,
    black_ready: bool,
    game: Option<&'a str>,
    result: Option<&'static str>,
    forfeit: bool,
}

#[derive(Serialize)]
struct ShownRow {
    place: usize,
    player: usize,
    points: f64,
    /// The values in the order of `tie_breaks` of the state.
    tie_breaks: Vec<Option<f64>>,
    /// In an arena, whether the next game counts double.
    streak: bool,
    games: Vec<ShownGame>,
}

/// A game of a player in the cross table.
#[derive(Serialize)]
struct ShownGame {
    round: usize,
    /// The rank of the opponent in the list of standings, counted from 1; `null` for a bye.
    opponent: Option<usize>,
    color: Option<&'static str>,
    points: Option<f64>,
    /// In an arena, whether the game counts double.
    double: bool,
    /// Whether the player has played berserk, in an arena.
    berserk: bool,
    forfeit: bool,
}

/// A summary of a tournament.
#[derive(Serialize)]
pub(super) struct TournamentSummary {
    id: String,
    name: String,
    created: u64,
    phase: Phase,
    format: Format,
    players: usize,
    rounds: usize,
    round_count: usize,
    time_control: String,
}

impl TournamentSummary {
    /// The summary of a tournament.
    pub(super) fn new(id: &GameId, tournament: &Tournament) -> Self {
        Self {
            id: id.as_str().to_owned(),
            name: tournament.conditions.name.clone(),
            created: tournament.created_unix_ms,
            phase: tournament.phase,
            format: tournament.conditions.format,
            players: tournament.players.len(),
            rounds: tournament.rounds.len(),
            round_count: tournament.round_count(),
            time_control: tournament.conditions.game.time_control().to_string(),
        }
    }
}

impl<'a> TournamentState<'a> {
    /// The state for this role at `now_ms`, with a token if one has just been issued.
    pub(super) fn new(
        id: &'a GameId,
        tournament: &'a Tournament,
        role: Role,
        token: Option<&'a str>,
        now_ms: u64,
    ) -> Self {
        let conditions = &tournament.conditions;
        let time_control = conditions.game.time_control();
        let standings = tournament.standings();
        Self {
            id: id.as_str(),
            version: tournament.version,
            role: match role {
                Role::Host => "host",
                Role::Player(_) => "player",
                Role::Invited => "invited",
                Role::Spectator => "spectator",
            },
            player: if let Role::Player(index) = role { Some(index + 1) } else { None },
            token,
            name: &conditions.name,
            created: tournament.created_unix_ms,
            phase: tournament.phase,
            format: conditions.format,
            begin: conditions.begin,
            time_control: time_control.to_string(),
            time_text: words::time_control(time_control),
            can: possible_acts(tournament, role, now_ms),
            left_ms: tournament.ends_unix_ms.map(|end| end.saturating_sub(now_ms)),
            players: tournament.players.iter().enumerate().map(shown_player).collect(),
            round_count: tournament.round_count(),
            rounds: tournament.rounds.iter().map(|round| round.iter().map(shown_pairing).collect()).collect(),
            tie_breaks: conditions.format.tie_breaks().iter().map(|tie_break| tie_break.name()).collect(),
            standings: standings.iter().map(|row| shown_row(tournament, &standings, row)).collect(),
        }
    }
}

/// The names of the acts that are possible now.
fn possible_acts(tournament: &Tournament, role: Role, now_ms: u64) -> Vec<&'static str> {
    if tournament.is_arena() && tournament.phase == Phase::Playing {
        return possible_acts_in_arena(tournament, role, now_ms);
    }
    match (role, tournament.phase) {
        (Role::Host, Phase::Open) => vec!["invite", "add_engine", "remove", "start"],
        (Role::Host, Phase::Playing) => vec!["decide", "withdraw"],
        (Role::Invited, Phase::Open) => vec!["join"],
        (Role::Player(_), Phase::Open) => vec!["withdraw"],
        (Role::Player(index), Phase::Playing) if !tournament.players[index].has_withdrawn => {
            let is_due = tournament.can_be_ready(index);
            is_due.then_some("ready").into_iter().chain(["withdraw"]).collect()
        }
        _ => Vec::new(),
    }
}

/// The names of the acts that are possible now in a running arena.
fn possible_acts_in_arena(tournament: &Tournament, role: Role, now_ms: u64) -> Vec<&'static str> {
    if tournament.is_time_up(now_ms) {
        return Vec::new();
    }
    match role {
        Role::Host => vec!["invite", "add_engine", "withdraw"],
        Role::Invited => vec!["join"],
        Role::Player(index) if !tournament.players[index].has_withdrawn => {
            let player = &tournament.players[index];
            let is_away = player.free_since_ms.is_none() && tournament.may_be_paired(index);
            let pauses = (!player.is_paused).then_some("pause");
            is_away.then_some("ready").into_iter().chain(pauses).chain(["withdraw"]).collect()
        }
        Role::Player(_) | Role::Spectator => Vec::new(),
    }
}

fn shown_player((index, player): (usize, &Entrant)) -> ShownPlayer<'_> {
    let (kind, elo, book) = match &player.kind {
        SeatKind::Person => ("person", None, None),
        SeatKind::Engine(opponent) => ("engine", opponent.elo, opponent.book.as_deref()),
    };
    ShownPlayer {
        number: index + 1,
        name: &player.name,
        kind,
        elo,
        book,
        withdrawn: player.has_withdrawn,
        free: player.free_since_ms.is_some(),
        paused: player.is_paused,
    }
}

fn shown_pairing(pairing: &Pairing) -> ShownPairing<'_> {
    ShownPairing {
        white: pairing.white + 1,
        black: pairing.black.map(|black| black + 1),
        white_ready: pairing.is_ready[Color::White as usize],
        black_ready: pairing.is_ready[Color::Black as usize],
        game: pairing.game.as_deref(),
        result: pairing.outcome.map(|outcome| outcome.result()),
        forfeit: pairing.outcome.is_some_and(|outcome| outcome.is_forfeit),
    }
}

fn points(half_points: u32) -> f64 {
    f64::from(half_points) / 2.0
}

fn shown_row(tournament: &Tournament, standings: &[Row], row: &Row) -> ShownRow {
    let rank_of =
        |player: usize| standings.iter().position(|row| row.player == player).map(|index| index + 1);
    let mut games = Vec::new();
    let mut streak = Streak::default();
    for (round, pairings) in tournament.rounds.iter().enumerate() {
        for pairing in pairings {
            let (side, opponent) = if pairing.white == row.player {
                (Color::White, pairing.black)
            } else if pairing.black == Some(row.player) {
                (Color::Black, Some(pairing.white))
            } else {
                continue;
            };
            let (mut worth, mut is_double) =
                (pairing.outcome.map(|outcome| points(outcome.half_points[side as usize])), false);
            if tournament.is_arena() {
                is_double = streak.doubles();
                let counted = pairing.outcome.filter(|_| pairing.counts_in_arena());
                let counted = counted.map(|outcome| {
                    streak.count(outcome.half_points[side as usize], pairing.berserk[side as usize])
                });
                worth = counted.map(|worth| f64::from(worth.points));
                if worth.is_none() && pairing.outcome.is_some() {
                    continue; // it was never played
                }
            }
            games.push(ShownGame {
                round: round + 1,
                opponent: opponent.and_then(rank_of),
                color: opponent.map(|_| words::side(side)),
                points: worth,
                double: is_double,
                berserk: pairing.berserk[side as usize],
                forfeit: pairing.outcome.is_some_and(|outcome| outcome.is_forfeit),
            });
        }
    }
    ShownRow {
        place: row.place,
        player: row.player + 1,
        points: points(row.half_points),
        tie_breaks: tournament
            .conditions
            .format
            .tie_breaks()
            .iter()
            .map(|tie_break| tie_break.value(row))
            .collect(),
        streak: tournament.is_arena() && streak.doubles(),
        games,
    }
}
