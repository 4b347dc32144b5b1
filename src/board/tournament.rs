//! A tournament: players, rounds, and the acts that change them.

use super::arena;
use super::conditions::{Begin, Format, NewTournament, checked_name};
use super::engines::Computer;
use super::failure::Failure;
use super::new_game::EngineSeat;
use super::pairing::{Entry, Paired, round_robin, rounds_of_all, swiss};
use super::saved::{Opponent, SeatKind};
use super::standings::{Played, Row, standings};
use super::token::{Fingerprint, GameId, Token};
use super::tournament_parts::{Entrant, Outcome, Pairing};
use crate::chess::Color;
use crate::notation::Excerpt;
use serde::{Deserialize, Serialize};

/// The maximum number of players.
pub(super) const MAX_PLAYERS: usize = 64;
/// The maximum number of invitations that are not used up.
const MAX_INVITATIONS: usize = 2 * MAX_PLAYERS;
/// The phase of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// Players can join.
    Open,
    /// Rounds are being played.
    Playing,
    /// All rounds are over.
    Over,
}

/// An invitation link for players.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Invitation {
    key: Fingerprint,
    /// The number of players who can still join with it.
    players: usize,
}

/// A tournament in the form in which it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tournament {
    /// A number that increases with every change.
    pub(super) version: u64,
    /// The time of its creation, in milliseconds since 1970.
    pub(super) created_unix_ms: u64,
    /// The conditions that are fixed at its creation.
    pub(super) conditions: NewTournament,
    /// The fingerprint of the host's token.
    pub(super) host: Fingerprint,
    invitations: Vec<Invitation>,
    /// The players, in the order in which they joined.
    pub(super) players: Vec<Entrant>,
    /// The phase of the tournament.
    pub(super) phase: Phase,
    /// The rounds that have been paired; an arena has a single round, which grows.
    pub(super) rounds: Vec<Vec<Pairing>>,
    /// The end of a started arena, in milliseconds since 1970.
    #[serde(default)]
    pub(super) ends_unix_ms: Option<u64>,
}

/// The role of a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// The creator of the tournament.
    Host,
    /// The player with this index.
    Player(usize),
    /// The holder of an invitation that is still valid.
    Invited,
    /// Any other caller.
    Spectator,
}

/// An act in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum TournamentAct {
    /// The host creates an invitation link for this number of players.
    Invite {
        #[serde(default = "one")]
        players: usize,
    },
    /// The host adds an engine.
    AddEngine(EngineSeat),
    /// The host removes a player before the first round.
    Remove { player: usize },
    /// The host starts the tournament.
    Start,
    /// The host decides the result of a game that has not started.
    Decide { round: usize, board: usize, result: String },
    /// The holder of an invitation joins.
    Join { name: String },
    /// A player is ready for the next game; in an arena, free to be paired.
    Ready,
    /// A player of an arena pauses: there is no pairing until the next [`TournamentAct::Ready`].
    Pause,
    /// A player withdraws, or is withdrawn by the host, who must give the number.
    Withdraw {
        #[serde(default)]
        player: Option<usize>,
    },
}

const fn one() -> usize {
    1
}

pub(super) fn not_yours(text: &'static str) -> Failure {
    Failure::forbidden("not_yours", text)
}

fn random_token() -> Result<Token, Failure> {
    Token::random().map_err(|error| Failure::busy(error.to_string()))
}

impl Tournament {
    /// Creates a tournament without players; returns it with the token of its host.
    ///
    /// # Errors
    /// [`Failure`] if the request is invalid, or the system provides no random numbers.
    pub(super) fn new(request: NewTournament, created_unix_ms: u64) -> Result<(Self, Token), Failure> {
        let conditions = request.checked()?;
        let host = random_token()?;
        let tournament = Self {
            version: 1,
            created_unix_ms,
            conditions,
            host: host.fingerprint(),
            invitations: Vec::new(),
            players: Vec::new(),
            phase: Phase::Open,
            rounds: Vec::new(),
            ends_unix_ms: None,
        };
        Ok((tournament, host))
    }

    /// The role of the holder of a token.
    ///
    /// # Errors
    /// [`Failure`] if the token does not belong to this tournament.
    pub(super) fn role(&self, token: Option<Fingerprint>) -> Result<Role, Failure> {
        let Some(token) = token else { return Ok(Role::Spectator) };
        // All tokens are compared, so that the time reveals nothing.
        let mut found = self.host.is_that_of(&token).then_some(Role::Host);
        for (index, player) in self.players.iter().enumerate() {
            if player.key.is_some_and(|key| key.is_that_of(&token)) {
                found = Some(Role::Player(index));
            }
        }
        for invitation in &self.invitations {
            if invitation.key.is_that_of(&token) {
                let is_open = invitation.players > 0 && self.takes_players();
                found = Some(if is_open { Role::Invited } else { Role::Spectator });
            }
        }
        found.ok_or_else(|| Failure::unauthorized("this is not a token of this tournament"))
    }

    /// Whether players may join: before the start, and in a running arena.
    const fn takes_players(&self) -> bool {
        match self.phase {
            Phase::Open => true,
            Phase::Playing => self.is_arena(),
            Phase::Over => false,
        }
    }

    /// The number of rounds. In a round robin it depends on the current number of players.
    pub(super) fn round_count(&self) -> usize {
        match self.conditions.format {
            Format::RoundRobin { double } => rounds_of_all(self.players.len()) * if double { 2 } else { 1 },
            Format::Swiss { rounds } => rounds.into(),
            Format::Arena { .. } => 1,
        }
    }

    /// Whether all pairings of the current round are decided.
    pub(super) fn is_round_over(&self) -> bool {
        self.rounds.last().is_none_or(|round| round.iter().all(|pairing| pairing.outcome.is_some()))
    }

    /// Whether a round, counted from 1, is complete: all pairings are decided, and no more will be added.
    pub(super) fn is_decided(&self, round: usize) -> bool {
        let pairings = round.checked_sub(1).and_then(|round| self.rounds.get(round));
        let may_grow = self.is_arena() && self.phase != Phase::Over;
        !may_grow && pairings.is_some_and(|pairings| pairings.iter().all(|pairing| pairing.outcome.is_some()))
    }

    /// The standings.
    pub(super) fn standings(&self) -> Vec<Row> {
        let played: Vec<Played> = self
            .rounds
            .iter()
            .flatten()
            .filter(|pairing| !self.is_arena() || pairing.counts_in_arena())
            .filter_map(|pairing| {
                let half_points = pairing.outcome?.half_points;
                let &Pairing { white, black, berserk, .. } = pairing;
                Some(Played { white, black, half_points, berserk })
            })
            .collect();
        if self.is_arena() {
            return arena::standings(self.players.len(), &played);
        }
        standings(self.players.len(), &played, self.conditions.format.tie_breaks())
    }

    /// The indices of round and board of the games that must start now.
    pub(super) fn due(&self) -> Vec<(usize, usize)> {
        let Some((round, pairings)) = self.rounds.iter().enumerate().next_back() else { return Vec::new() };
        let begin = self.conditions.begin;
        let is_there = |pairing: &Pairing, color: Color, player: usize| {
            begin == Begin::AtOnce
                || pairing.is_ready[color as usize]
                || self.players[player].kind != SeatKind::Person
        };
        let is_due = |pairing: &Pairing| {
            pairing.game.is_none()
                && pairing.outcome.is_none()
                && is_there(pairing, Color::White, pairing.white)
                && pairing.black.is_some_and(|black| is_there(pairing, Color::Black, black))
        };
        let due = pairings.iter().enumerate().filter(|(_, pairing)| is_due(pairing));
        due.map(|(board, _)| (round, board)).collect()
    }

    /// The indices of round and board of the running games, with their identifiers.
    pub(super) fn played(&self) -> Vec<(usize, usize, GameId)> {
        let mut found = Vec::new();
        for (round, pairings) in self.rounds.iter().enumerate() {
            for (board, pairing) in
                pairings.iter().enumerate().filter(|(_, pairing)| pairing.outcome.is_none())
            {
                let id = pairing.game.as_deref().and_then(GameId::read);
                found.extend(id.map(|id| (round, board, id)));
            }
        }
        found
    }

    /// Executes an act; returns a token if the act creates one.
    ///
    /// # Errors
    /// [`Failure`] if the act is refused.
    pub(super) fn act(
        &mut self,
        caller: Option<Fingerprint>,
        act: TournamentAct,
        computer: Computer<'_>,
        now_ms: u64,
    ) -> Result<Option<Token>, Failure> {
        let role = self.role(caller)?;
        match act {
            TournamentAct::Join { name } => {
                let token = self.join(role, &name, now_ms)?;
                self.use_invitation(caller);
                return Ok(Some(token));
            }
            TournamentAct::Ready => self.set_ready(role, now_ms)?,
            TournamentAct::Pause => self.pause(role)?,
            TournamentAct::Withdraw { player } => {
                let player = match (role, player) {
                    (Role::Player(own), None) => own,
                    (Role::Host, Some(number)) => self.index_of(number)?,
                    (Role::Host, None) => {
                        return Err(Failure::bad("bad_player", "expected the number of a player"));
                    }
                    _ => return Err(not_yours("only the player or the host may do that")),
                };
                self.withdraw(player)?;
            }
            _ if role != Role::Host => return Err(not_yours("only the host may do that")),
            TournamentAct::Invite { players } => return self.invite(players, now_ms).map(Some),
            TournamentAct::AddEngine(wanted) => self.add_engine(&wanted, computer, now_ms)?,
            TournamentAct::Remove { player } => {
                self.expect_open()?;
                let index = self.index_of(player)?;
                self.players.remove(index);
            }
            TournamentAct::Start => self.start(now_ms)?,
            TournamentAct::Decide { round, board, result } => self.decide(round, board, &result)?,
        }
        Ok(None)
    }

    fn expect_open(&self) -> Result<(), Failure> {
        match self.phase {
            Phase::Open => Ok(()),
            Phase::Playing | Phase::Over => Err(Failure::conflict("too_late", "the tournament has begun")),
        }
    }

    /// Fails if no players may join.
    fn expect_entry(&self, now_ms: u64) -> Result<(), Failure> {
        if !self.takes_players() {
            return self.expect_open();
        }
        if self.is_time_up(now_ms) {
            return Err(Failure::conflict("too_late", "the time of the arena is up"));
        }
        Ok(())
    }

    /// The index of a player, given the number that is shown.
    fn index_of(&self, number: usize) -> Result<usize, Failure> {
        let index = number.checked_sub(1).filter(|&index| index < self.players.len());
        index.ok_or_else(|| {
            let count = self.players.len();
            Failure::bad(
                "bad_player",
                format!("expected the number of a player, 1 to {count}, found {number}"),
            )
        })
    }

    fn invite(&mut self, players: usize, now_ms: u64) -> Result<Token, Failure> {
        self.expect_entry(now_ms)?;
        self.invitations.retain(|invitation| invitation.players > 0);
        if !(1..=MAX_PLAYERS).contains(&players) {
            let text = format!("an invitation for {players} players, expected 1 to {MAX_PLAYERS}");
            return Err(Failure::bad("bad_invitation", text));
        }
        if self.invitations.len() >= MAX_INVITATIONS {
            let text =
                format!("{MAX_INVITATIONS} invitations are not used up, expected fewer; use one of them");
            return Err(Failure::bad("bad_invitation", text));
        }
        let token = random_token()?;
        self.invitations.push(Invitation { key: token.fingerprint(), players });
        Ok(token)
    }

    fn expect_place(&self, now_ms: u64) -> Result<(), Failure> {
        self.expect_entry(now_ms)?;
        if self.players.len() < MAX_PLAYERS {
            return Ok(());
        }
        Err(Failure::conflict("full", format!("{MAX_PLAYERS} players are there already")))
    }

    fn has_name(&self, name: &str) -> bool {
        self.players.iter().any(|player| player.name.to_lowercase() == name.to_lowercase())
    }

    fn join(&mut self, role: Role, name: &str, now_ms: u64) -> Result<Token, Failure> {
        match role {
            Role::Invited => {}
            Role::Player(_) => return Err(Failure::conflict("already_there", "you take part already")),
            Role::Host | Role::Spectator => {
                return Err(Failure::forbidden(
                    "seat_taken",
                    "this link does not let you join, expected an invitation that is not used up",
                ));
            }
        }
        self.expect_place(now_ms)?;
        let name = checked_name(name)?;
        if self.has_name(&name) {
            return Err(Failure::conflict("name_taken", "somebody else has this name already"));
        }
        let token = random_token()?;
        self.players.push(Entrant::new(
            name,
            SeatKind::Person,
            Some(token.fingerprint()),
            self.free_from(now_ms),
        ));
        Ok(token)
    }

    /// Reduces the number of players who can still join with this invitation.
    fn use_invitation(&mut self, token: Option<Fingerprint>) {
        let is_this =
            |invitation: &&mut Invitation| token.is_some_and(|token| invitation.key.is_that_of(&token));
        let found = self.invitations.iter_mut().find(is_this);
        if let Some(invitation) = found {
            invitation.players = invitation.players.saturating_sub(1);
        }
    }

    fn add_engine(
        &mut self,
        wanted: &EngineSeat,
        computer: Computer<'_>,
        now_ms: u64,
    ) -> Result<(), Failure> {
        self.expect_place(now_ms)?;
        let opponent = wanted.opponent(computer)?;
        let mut unique = opponent.name.clone();
        let mut number = 1;
        while self.has_name(&unique) {
            number += 1;
            unique = format!("{} #{number}", opponent.name);
        }
        let kind = SeatKind::Engine(Opponent { name: unique.clone(), ..opponent });
        self.players.push(Entrant::new(unique, kind, None, self.free_from(now_ms)));
        Ok(())
    }

    fn start(&mut self, now_ms: u64) -> Result<(), Failure> {
        self.expect_open()?;
        if self.players.len() < 2 {
            return Err(Failure::conflict("too_few_players", "expected at least 2 players"));
        }
        if let Format::Swiss { rounds } = self.conditions.format {
            let most = rounds_of_all(self.players.len());
            if usize::from(rounds) > most {
                let count = self.players.len();
                let text =
                    format!("{rounds} rounds are too many for {count} players, expected at most {most}");
                return Err(Failure::conflict("too_few_players", text));
            }
        }
        if let Format::Arena { minutes } = self.conditions.format {
            self.ends_unix_ms = Some(now_ms + 60_000 * u64::from(minutes));
            self.players.iter_mut().for_each(|player| player.free_since_ms = Some(now_ms));
            self.rounds.push(Vec::new());
        }
        self.phase = Phase::Playing;
        Ok(())
    }

    fn set_ready(&mut self, role: Role, now_ms: u64) -> Result<(), Failure> {
        let Role::Player(player) = role else {
            return Err(not_yours("only players say that they are there"));
        };
        if self.is_arena() {
            return self.set_free(player, now_ms);
        }
        let Some(pairing) = self.open_pairing(player) else {
            return Err(Failure::conflict("no_game", "no game of yours is to start now"));
        };
        let color = if pairing.white == player { Color::White } else { Color::Black };
        pairing.is_ready[color as usize] = true;
        Ok(())
    }

    /// The pairing of a player whose game has not started.
    fn open_pairing(&mut self, player: usize) -> Option<&mut Pairing> {
        let is_open = |pairing: &&mut Pairing| {
            pairing.has(player) && pairing.game.is_none() && pairing.outcome.is_none()
        };
        self.rounds.last_mut()?.iter_mut().find(is_open)
    }

    /// Whether a game of this player waits for the player to be ready.
    pub(super) fn can_be_ready(&self, player: usize) -> bool {
        let is_unready = |pairing: &Pairing| {
            let side = if pairing.white == player {
                Color::White
            } else if pairing.black == Some(player) {
                Color::Black
            } else {
                return false;
            };
            pairing.game.is_none() && pairing.outcome.is_none() && !pairing.is_ready[side as usize]
        };
        self.conditions.begin == Begin::WhenReady
            && self.rounds.last().is_some_and(|round| round.iter().any(is_unready))
    }

    fn withdraw(&mut self, player: usize) -> Result<(), Failure> {
        if self.phase == Phase::Over {
            return Err(Failure::conflict("too_late", "the tournament is over"));
        }
        if self.phase == Phase::Open {
            self.players.remove(player);
            return Ok(());
        }
        if self.players[player].has_withdrawn {
            return Err(Failure::conflict("already_withdrawn", "this player has withdrawn already"));
        }
        self.players[player].has_withdrawn = true;
        self.players[player].free_since_ms = None;
        // A running game continues; its clock decides.
        let is_arena = self.is_arena();
        if let Some(pairing) = self.open_pairing(player) {
            if is_arena {
                pairing.outcome = Some(Outcome::NONE);
                return Ok(());
            }
            let is_white = pairing.white == player;
            let half_points = if is_white { [0, 2] } else { [2, 0] };
            pairing.outcome = Some(Outcome { half_points, is_forfeit: true });
        }
        Ok(())
    }

    fn decide(&mut self, round: usize, board: usize, result: &str) -> Result<(), Failure> {
        if self.is_arena() {
            return Err(Failure::conflict(
                "in_arena",
                "results cannot be entered in an arena: only its games count",
            ));
        }
        let outcome = Outcome::read(result, true);
        let outcome = outcome.ok_or_else(|| {
            let found = Excerpt::new(result);
            Failure::bad("bad_result", format!("the result {found}, expected 1-0, 0-1, 1/2-1/2 or 0-0"))
        })?;
        let pairings = round.checked_sub(1).and_then(|round| self.rounds.get_mut(round));
        let pairing = pairings.and_then(|pairings| pairings.get_mut(board.checked_sub(1)?));
        let pairing = pairing.ok_or_else(|| {
            let text =
                format!("there is no board {board} in round {round}, expected a pairing of the tournament");
            Failure::bad("bad_board", text)
        })?;
        if pairing.outcome.is_some() {
            return Err(Failure::conflict("over", "this pairing already has a result"));
        }
        if pairing.game.is_some() {
            return Err(Failure::conflict(
                "is_played",
                "the game has been created; its arbiter can decide it",
            ));
        }
        pairing.outcome = Some(outcome);
        Ok(())
    }

    /// Enters the result of a game, and whether White and Black have played berserk in it.
    pub(super) fn enter(
        &mut self,
        round: usize,
        board: usize,
        result: &str,
        berserk: [bool; Color::COUNT],
        now_ms: u64,
    ) {
        let is_arena = self.is_arena();
        let pairing = self.rounds.get_mut(round).and_then(|pairings| pairings.get_mut(board));
        let Some(pairing) = pairing.filter(|pairing| pairing.outcome.is_none()) else { return };
        // A game without a result, such as an aborted one, counts for neither player.
        pairing.outcome = Outcome::read(result, false).or(Some(Outcome::NONE));
        pairing.berserk = berserk;
        // Engines are free immediately; a person is free again when the page sends `Ready`.
        for player in [Some(pairing.white), pairing.black].into_iter().flatten() {
            let entrant = &mut self.players[player];
            if is_arena && entrant.kind != SeatKind::Person && !entrant.has_withdrawn {
                entrant.free_since_ms = Some(now_ms);
            }
        }
    }

    /// Pairs rounds, until a round has games to be played or the tournament is over.
    pub(super) fn advance(&mut self, now_ms: u64) {
        if self.is_arena() {
            return self.advance_arena(now_ms);
        }
        while self.phase == Phase::Playing && self.is_round_over() {
            let round = self.rounds.len();
            let paired = if round >= self.round_count() { Vec::new() } else { self.pair(round) };
            if paired.is_empty() {
                self.phase = Phase::Over;
                break;
            }
            let pairings = paired.into_iter().map(|paired| self.pairing(paired)).collect();
            self.rounds.push(pairings);
        }
    }

    fn pair(&self, round: usize) -> Vec<Paired> {
        match self.conditions.format {
            Format::RoundRobin { .. } => {
                let is_active = |player: usize| !self.players[player].has_withdrawn;
                let count = (0..self.players.len()).filter(|&player| is_active(player)).count();
                // With fewer than two active players the tournament ends.
                if count < 2 { Vec::new() } else { round_robin(self.players.len(), round) }
            }
            Format::Swiss { .. } => {
                let entries = self.entries();
                if entries.len() < 2 { Vec::new() } else { swiss(&entries) }
            }
            Format::Arena { .. } => Vec::new(),
        }
    }

    /// A new pairing, decided immediately if it is a bye or a player has withdrawn.
    pub(super) fn pairing(&self, Paired { white, black }: Paired) -> Pairing {
        let outcome = match black {
            None => Some(Outcome { half_points: [2, 0], is_forfeit: false }),
            Some(black) => {
                let points = |own: usize, other: usize| {
                    let has_won = !self.players[own].has_withdrawn && self.players[other].has_withdrawn;
                    2 * u32::from(has_won)
                };
                let has_gone = self.players[white].has_withdrawn || self.players[black].has_withdrawn;
                let half_points = [points(white, black), points(black, white)];
                has_gone.then_some(Outcome { half_points, is_forfeit: true })
            }
        };
        Pairing { white, black, is_ready: [false; Color::COUNT], game: None, outcome, berserk: [false; 2] }
    }

    /// The active players with their previous results, for pairing.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> =
            (0..self.players.len()).map(|player| Entry { player, ..Entry::default() }).collect();
        for pairing in self.rounds.iter().flatten() {
            let Some(outcome) = pairing.outcome else { continue };
            entries[pairing.white].half_points += outcome.half_points[0];
            let Some(black) = pairing.black else {
                entries[pairing.white].has_bye = true;
                continue;
            };
            entries[black].half_points += outcome.half_points[1];
            for (own, other, color) in
                [(pairing.white, black, Color::White), (black, pairing.white, Color::Black)]
            {
                entries[own].opponents.push(other);
                // Only games that were played count for colors.
                if pairing.game.is_some() {
                    entries[own].colors.push(color);
                }
            }
        }
        entries.retain(|entry| !self.players[entry.player].has_withdrawn);
        entries
    }
}
