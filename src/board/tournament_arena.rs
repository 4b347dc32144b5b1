//! The parts of a tournament that are specific to arenas: free players, the end, and changes by time.

use super::arena::{self, Free};
use super::conditions::Format;
use super::failure::Failure;
use super::pairing::Paired;
use super::token::Fingerprint;
use super::tournament::{Phase, Role, Tournament, not_yours};
use super::tournament_parts::{Outcome, Pairing};

/// The maximum number of games in an arena.
const MAX_ARENA_GAMES: usize = 2000;

impl Tournament {
    /// Whether the tournament is an arena.
    pub(super) const fn is_arena(&self) -> bool {
        matches!(self.conditions.format, Format::Arena { .. })
    }

    /// The start of the waiting time of a player who joins now; `None` before the start.
    pub(super) fn free_from(&self, now_ms: u64) -> Option<u64> {
        (self.phase == Phase::Playing).then_some(now_ms)
    }

    /// Whether the time of an arena is up.
    pub(super) fn is_time_up(&self, now_ms: u64) -> bool {
        self.ends_unix_ms.is_some_and(|end| now_ms >= end)
    }

    /// Marks a player of an arena as free to be paired.
    pub(super) fn set_free(&mut self, player: usize, now_ms: u64) -> Result<(), Failure> {
        if !self.may_be_paired(player) {
            return Err(Failure::conflict("no_game", "no game of yours is to start now"));
        }
        let entrant = &mut self.players[player];
        entrant.is_paused = false;
        entrant.free_since_ms = entrant.free_since_ms.or(Some(now_ms));
        Ok(())
    }

    /// Whether the holder of a token is a player of a running arena who is free to be paired.
    pub(super) fn is_free(&self, token: Fingerprint) -> bool {
        let role = self.role(Some(token));
        self.is_arena()
            && self.phase == Phase::Playing
            && matches!(role, Ok(Role::Player(player)) if self.players[player].free_since_ms.is_some())
    }

    /// The holder of a token leaves: in a running arena, a player is not paired until the next
    /// [`TournamentAct::Ready`](super::tournament::TournamentAct::Ready).
    pub(super) fn leave(&mut self, token: Fingerprint) {
        if self.is_free(token)
            && let Ok(Role::Player(player)) = self.role(Some(token))
        {
            self.players[player].free_since_ms = None;
        }
    }

    /// Whether a player of a running arena has no game and has not withdrawn.
    pub(super) fn may_be_paired(&self, player: usize) -> bool {
        let plays = |pairing: &Pairing| pairing.outcome.is_none() && pairing.has(player);
        self.phase == Phase::Playing
            && !self.players[player].has_withdrawn
            && !self.rounds.iter().flatten().any(plays)
    }

    pub(super) fn pause(&mut self, role: Role) -> Result<(), Failure> {
        let Role::Player(player) = role else { return Err(not_yours("only players of the arena can pause")) };
        if !self.is_arena() || self.phase != Phase::Playing {
            return Err(Failure::conflict("no_arena", "pausing is possible only in an arena in progress"));
        }
        self.players[player].is_paused = true;
        self.players[player].free_since_ms = None;
        Ok(())
    }

    /// Whether the time alone changes an arena now.
    pub(super) fn is_moved_by_time(&self, now_ms: u64) -> bool {
        if !self.is_arena() || self.phase != Phase::Playing {
            return false;
        }
        if self.is_time_up(now_ms) { self.played().is_empty() } else { !self.arena_pairs(now_ms).is_empty() }
    }

    pub(super) fn advance_arena(&mut self, now_ms: u64) {
        if self.phase != Phase::Playing {
            return;
        }
        if !self.is_time_up(now_ms) {
            for paired in self.arena_pairs(now_ms) {
                let pairing = self.pairing(paired);
                for player in [Some(pairing.white), pairing.black].into_iter().flatten() {
                    self.players[player].free_since_ms = None;
                }
                self.rounds.last_mut().into_iter().for_each(|round| round.push(pairing.clone()));
            }
            return;
        }
        let waiting = |pairing: &&mut Pairing| pairing.game.is_none() && pairing.outcome.is_none();
        for pairing in self.rounds.iter_mut().flatten().filter(waiting) {
            pairing.outcome = Some(Outcome::NONE);
        }
        if self.is_round_over() {
            self.phase = Phase::Over;
        }
    }

    fn arena_pairs(&self, now_ms: u64) -> Vec<Paired> {
        if self.rounds.iter().map(Vec::len).sum::<usize>() >= MAX_ARENA_GAMES {
            return Vec::new();
        }
        let points = self.standings();
        let free = self.entries().into_iter().filter_map(|mut entry| {
            let since_ms = self.players[entry.player].free_since_ms?;
            entry.half_points = points.iter().find(|row| row.player == entry.player)?.half_points;
            Some(Free { entry, since_ms })
        });
        let games = self.rounds.iter().flatten().filter(|pairing| pairing.outcome.is_none()).count();
        arena::pair(&free.collect::<Vec<_>>(), games, now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::super::conditions::{Begin, NewTournament};
    use super::super::engines::Computer;
    use super::super::token::{GameId, Token};
    use super::super::tournament::TournamentAct;
    use super::*;

    const MINUTE_MS: u64 = 60_000;

    /// An arena that started at time 0, with the tokens of its host and its players.
    struct Hall {
        arena: Tournament,
        host: Token,
        players: Vec<Token>,
    }

    const COMPUTER: Computer<'_> = Computer { name: "Engine", books: &[] };

    impl Hall {
        fn new(names: &[&str]) -> Self {
            let request = NewTournament {
                name: "Arena".to_owned(),
                format: Format::Arena { minutes: 10 },
                begin: Begin::AtOnce,
                game: serde_json::from_str(r#"{"time_control": "180+2"}"#).expect("a game"),
            };
            let (arena, host) = Tournament::new(request, 0).expect("an arena");
            let mut hall = Self { arena, host, players: Vec::new() };
            for name in names {
                hall.join(name, 0).expect("there is a place");
            }
            let host = hall.host.fingerprint();
            hall.arena.act(Some(host), TournamentAct::Start, COMPUTER, 0).expect("it starts");
            hall
        }

        fn act(&mut self, token: &Token, act: TournamentAct, now_ms: u64) -> Result<Option<Token>, Failure> {
            let given = self.arena.act(Some(token.fingerprint()), act, COMPUTER, now_ms)?;
            self.arena.advance(now_ms);
            Ok(given)
        }

        fn join(&mut self, name: &str, now_ms: u64) -> Result<(), Failure> {
            let host = self.host.fingerprint();
            let invitation = TournamentAct::Invite { players: 1 };
            let link = self.arena.act(Some(host), invitation, COMPUTER, now_ms)?.expect("a link");
            let joins = TournamentAct::Join { name: name.to_owned() };
            let token = self.act(&link, joins, now_ms)?;
            self.players.extend(token);
            Ok(())
        }

        fn player(&mut self, index: usize, act: TournamentAct, now_ms: u64) -> Result<(), Failure> {
            let token = self.players[index].fingerprint();
            self.arena.act(Some(token), act, COMPUTER, now_ms)?;
            self.arena.advance(now_ms);
            Ok(())
        }

        /// Pairs players, and starts the games.
        fn pass(&mut self, now_ms: u64) {
            self.arena.advance(now_ms);
            for (round, board) in self.arena.due() {
                let id = GameId::random().expect("random bytes");
                self.arena.rounds[round][board].game = Some(id.as_str().to_owned());
            }
        }

        fn pairing(&self, board: usize) -> (usize, usize) {
            let pairing = &self.arena.rounds[0][board];
            (pairing.white, pairing.black.expect("nobody has a bye"))
        }
    }

    fn code(result: Result<(), Failure>) -> &'static str {
        result.expect_err("it is refused").code
    }

    #[test]
    fn who_is_free_is_paired_until_the_time_is_up() {
        let mut hall = Hall::new(&["Ann", "Bob"]);
        assert!(!hall.arena.is_moved_by_time(1000), "they have just come");
        assert!(hall.arena.is_moved_by_time(4000));
        hall.pass(4000);
        assert_eq!(hall.arena.rounds[0].len(), 1);
        let (white, black) = hall.pairing(0);
        assert_eq!(code(hall.player(white, TournamentAct::Ready, 5000)), "no_game", "the game is played");
        hall.arena.enter(0, 0, "1-0", [false; 2], MINUTE_MS);
        assert!(!hall.arena.is_moved_by_time(2 * MINUTE_MS), "people say when they are back");
        hall.player(white, TournamentAct::Ready, 2 * MINUTE_MS).expect("there is none to play");
        hall.player(black, TournamentAct::Ready, 2 * MINUTE_MS).expect("there is none to play");
        hall.pass(2 * MINUTE_MS + 3000);
        assert_eq!(hall.pairing(1), (black, white), "nobody else is there, and colors change");
        // A game that is running at the end still counts; the arena is over after it.
        assert!(!hall.arena.is_moved_by_time(10 * MINUTE_MS));
        hall.pass(10 * MINUTE_MS);
        assert_eq!(hall.arena.phase, Phase::Playing);
        hall.arena.enter(0, 1, "1/2-1/2", [false; 2], 11 * MINUTE_MS);
        assert!(hall.arena.is_moved_by_time(11 * MINUTE_MS));
        hall.pass(11 * MINUTE_MS);
        assert_eq!(hall.arena.phase, Phase::Over);
        let points: Vec<_> =
            hall.arena.standings().iter().map(|row| (row.player, row.half_points / 2)).collect();
        assert_eq!(points, [(white, 3), (black, 1)]);
    }

    #[test]
    fn players_come_later_and_pause() {
        let mut hall = Hall::new(&["Ann", "Bob"]);
        hall.pass(4000);
        hall.join("Cid", MINUTE_MS).expect("it is played");
        hall.player(2, TournamentAct::Pause, MINUTE_MS).expect("he may");
        hall.arena.enter(0, 0, "0-1", [false; 2], MINUTE_MS);
        for player in [0, 1] {
            hall.player(player, TournamentAct::Ready, MINUTE_MS).expect("there is none to play");
        }
        hall.pass(2 * MINUTE_MS);
        assert_eq!(hall.arena.rounds[0].len(), 2, "the same two again");
        assert!(hall.pairing(1).0 < 2 && hall.pairing(1).1 < 2);
        hall.player(2, TournamentAct::Ready, 3 * MINUTE_MS).expect("he goes on");
        hall.player(0, TournamentAct::Pause, 3 * MINUTE_MS).expect("also while the game is played");
        hall.arena.enter(0, 1, "1-0", [false; 2], 3 * MINUTE_MS);
        hall.player(1, TournamentAct::Ready, 3 * MINUTE_MS).expect("there is none to play");
        hall.pass(3 * MINUTE_MS + 20_000);
        let pair = hall.pairing(2);
        assert_eq!((pair.0.min(pair.1), pair.0.max(pair.1)), (1, 2));
        assert_eq!(code(hall.join("Dan", 10 * MINUTE_MS)), "too_late");
    }

    #[test]
    fn who_leaves_is_not_paired() {
        let mut hall = Hall::new(&["Ann", "Bob"]);
        let [ann, bob] = [0, 1].map(|player| hall.players[player].fingerprint());
        assert!(hall.arena.is_free(ann) && hall.arena.is_free(bob));
        hall.arena.leave(ann);
        assert!(!hall.arena.is_free(ann) && hall.arena.is_free(bob));
        assert!(!hall.arena.is_moved_by_time(MINUTE_MS), "there is nobody to pair Bob with");
        hall.player(0, TournamentAct::Ready, MINUTE_MS).expect("she is back");
        assert!(hall.arena.is_moved_by_time(MINUTE_MS + 20_000));
    }

    #[test]
    fn only_games_count() {
        let mut hall = Hall::new(&["Ann", "Bob"]);
        hall.arena.advance(4000);
        // Their game has not started yet.
        hall.player(0, TournamentAct::Withdraw { player: None }, 4000).expect("she may");
        assert!(hall.arena.due().is_empty());
        assert!(hall.arena.standings().iter().all(|row| row.half_points == 0));
        let decides = TournamentAct::Decide { round: 1, board: 1, result: "1-0".to_owned() };
        let host = hall.host.fingerprint();
        let refused = hall.arena.act(Some(host), decides, COMPUTER, 4000).map(drop);
        assert_eq!(code(refused), "in_arena");
        assert_eq!(code(hall.player(0, TournamentAct::Ready, 5000)), "no_game");
        hall.pass(10 * MINUTE_MS);
        assert_eq!(hall.arena.phase, Phase::Over);
    }
}
