//! All tournaments. Each change is written, together with the games that it starts, before it is published.

use super::arena::has_played_berserk;
use super::clock::{ServerClock, unix_ms};
use super::conditions::NewTournament;
use super::failure::Failure;
use super::hosted::HostedGame;
use super::lobby::Lobby;
use super::places::Place;
use super::room::Room;
use super::saved::{OfTournament, SavedGame, SeatKind};
use super::state_file::StoreError;
use super::store::TournamentRow;
use super::token::{Fingerprint, GameId, Token};
use super::tournament::{Phase, Tournament, TournamentAct};
use super::tournament_state::TournamentSummary;
use crate::chess::Color;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedMutexGuard, watch};

/// The pause before another attempt to write, and the interval of attempts to start waiting games.
const RETRY: Duration = Duration::from_secs(1);
/// The maximum number of tournaments in memory.
const MAX_LIVE: usize = 1000;

/// A tournament in memory.
#[derive(Debug)]
pub(super) struct LiveTournament {
    /// The identifier.
    pub(super) id: GameId,
    /// Held while the tournament is changed.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The number of open pages of each holder of a token, by the hash of the token.
    pages: Mutex<HashMap<[u8; 32], usize>>,
    shown: watch::Sender<Arc<Tournament>>,
}

impl LiveTournament {
    fn new(id: GameId, tournament: Tournament) -> Arc<Self> {
        Arc::new(Self {
            id,
            turn: Arc::default(),
            pages: Mutex::default(),
            shown: watch::Sender::new(Arc::new(tournament)),
        })
    }

    /// The current tournament.
    pub(super) fn tournament(&self) -> Arc<Tournament> {
        Arc::clone(&self.shown.borrow())
    }

    /// Counts a page of the holder of a token.
    pub(super) fn open_page(&self, token: Fingerprint) {
        *self.pages.lock().entry(token.0).or_default() += 1;
    }

    /// Counts a page of the holder of a token no more.
    pub(super) fn close_page(&self, token: Fingerprint) {
        let mut pages = self.pages.lock();
        let left = pages.get(&token.0).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            pages.remove(&token.0);
        } else {
            pages.insert(token.0, left);
        }
    }

    fn has_page(&self, token: Fingerprint) -> bool {
        self.pages.lock().contains_key(&token.0)
    }

    /// A receiver of the current tournament and of each change.
    pub(super) fn watch(&self) -> watch::Receiver<Arc<Tournament>> {
        self.shown.subscribe()
    }
}

/// A game that a tournament has started.
struct Started {
    round: usize,
    board: usize,
    game: HostedGame,
    places: Vec<Place>,
}

/// The tournaments in memory.
pub(super) struct Tournaments {
    live: Mutex<HashMap<GameId, Arc<LiveTournament>>>,
    /// Held while a tournament is read, so that it is read only once.
    reading: tokio::sync::Mutex<()>,
    lobby: Arc<Lobby>,
    clock: ServerClock,
}

impl Tournaments {
    /// Reads the stored tournaments; running ones continue.
    ///
    /// # Errors
    /// [`StoreError`] if the tournaments cannot be read.
    pub(super) async fn open(lobby: Arc<Lobby>, clock: ServerClock) -> Result<Arc<Self>, StoreError> {
        let unfinished = lobby.store().tournaments(None).await?;
        let all =
            Arc::new(Self { live: Mutex::default(), reading: tokio::sync::Mutex::default(), lobby, clock });
        for (id, text) in unfinished {
            // Damaged tournaments are reported when they are requested.
            let Ok(tournament) = serde_json::from_str::<Tournament>(&text) else { continue };
            if tournament.phase == Phase::Playing {
                all.enter(LiveTournament::new(id, tournament)).await;
            }
        }
        Ok(all)
    }

    /// Adds a tournament to those in memory, and follows its running games.
    async fn enter(self: &Arc<Self>, live: Arc<LiveTournament>) {
        self.live.lock().insert(live.id.clone(), Arc::clone(&live));
        for (round, board, id) in live.tournament().played() {
            // Damaged games are reported when they are requested.
            if let Ok(room) = self.lobby.room(&id).await {
                self.follow(&live, round, board, room);
            }
        }
    }

    /// Creates a tournament; returns it with the token of its host.
    ///
    /// # Errors
    /// [`Failure`] if the request is invalid, or the tournament cannot be written.
    pub(super) async fn create(
        &self,
        request: NewTournament,
    ) -> Result<(Arc<LiveTournament>, Token), Failure> {
        self.make_room()?;
        let (tournament, host) = Tournament::new(request, unix_ms())?;
        let id = GameId::random().map_err(|error| Failure::busy(error.to_string()))?;
        self.write(&id, &tournament, Vec::new()).await?;
        let live = LiveTournament::new(id.clone(), tournament);
        self.live.lock().insert(id, Arc::clone(&live));
        Ok((live, host))
    }

    /// Removes unused tournaments from memory if there are too many; they can be read again.
    fn make_room(&self) -> Result<(), Failure> {
        let mut live = self.live.lock();
        if live.len() >= MAX_LIVE {
            live.retain(|_, live| {
                let is_played = live.shown.borrow().phase == Phase::Playing;
                is_played || Arc::strong_count(live) > 1
            });
        }
        if live.len() < MAX_LIVE { Ok(()) } else { Err(Failure::busy("too many tournaments are played")) }
    }

    /// The tournament with this identifier.
    ///
    /// # Errors
    /// [`Failure`] if there is none, or it cannot be read.
    pub(super) async fn live(self: &Arc<Self>, id: &str) -> Result<Arc<LiveTournament>, Failure> {
        let nothing = || Failure::not_found("there is no such tournament");
        let id = GameId::read(id).ok_or_else(nothing)?;
        let known = |all: &Self| all.live.lock().get(&id).cloned();
        if let Some(live) = known(self) {
            return Ok(live);
        }
        let _reading = self.reading.lock().await;
        if let Some(live) = known(self) {
            return Ok(live);
        }
        let text = self.lobby.store().load_tournament(id.clone()).await;
        let text = text.map_err(|error| Failure::not_saved(error.to_string()))?.ok_or_else(nothing)?;
        let tournament = serde_json::from_str(&text);
        let tournament = tournament.map_err(|_| Failure::not_saved("the tournament is damaged"))?;
        self.make_room()?;
        let live = LiveTournament::new(id, tournament);
        self.enter(Arc::clone(&live)).await;
        Ok(live)
    }

    /// Summaries of the newest tournaments.
    ///
    /// # Errors
    /// [`Failure`] if the tournaments cannot be read.
    pub(super) async fn list(&self, limit: u32) -> Result<Vec<TournamentSummary>, Failure> {
        let list = self.lobby.store().tournaments(Some(limit)).await;
        let list = list.map_err(|error| Failure::not_saved(error.to_string()))?;
        let read = |(id, text): (GameId, String)| {
            let tournament: Tournament = serde_json::from_str(&text).ok()?;
            Some(TournamentSummary::new(&id, &tournament))
        };
        Ok(list.into_iter().filter_map(read).collect())
    }

    /// Executes an act. If `version` is given, it fails if the tournament has changed since.
    ///
    /// # Errors
    /// [`Failure`] if the act is refused, or cannot be written; the tournament then remains unchanged.
    pub(super) async fn act(
        self: &Arc<Self>,
        live: &Arc<LiveTournament>,
        caller: Option<Fingerprint>,
        act: TournamentAct,
        version: Option<u64>,
    ) -> Result<Option<Token>, Failure> {
        self.change(live, |draft| {
            if version.is_some_and(|version| version != draft.version) {
                return Err(Failure::conflict("stale", "the tournament has changed in the meantime"));
            }
            draft.act(caller, act, self.lobby.computer(), unix_ms())
        })
        .await
    }

    /// Keeps a player of an arena whose last page has been closed out of the pairing.
    pub(super) async fn leave(self: &Arc<Self>, live: &Arc<LiveTournament>, token: Fingerprint) {
        let is_free = live.tournament().is_free(token);
        if !is_free || live.has_page(token) {
            return;
        }
        let leaves = |draft: &mut Tournament| {
            // A page may have been opened meanwhile.
            if !live.has_page(token) {
                draft.leave(token);
            }
            Ok(())
        };
        // If it cannot be written, no players can be paired either.
        let _ = self.change(live, leaves).await;
    }

    /// Changes a tournament, pairs and starts the resulting games, writes everything, and publishes it.
    async fn change<T>(
        self: &Arc<Self>,
        live: &Arc<LiveTournament>,
        change: impl FnOnce(&mut Tournament) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let turn = Arc::clone(&live.turn).lock_owned().await;
        let mut draft = Tournament::clone(&live.shown.borrow());
        let result = change(&mut draft)?;
        draft.advance(unix_ms());
        let (games, started) = self.start_due(&live.id, &mut draft)?;
        draft.version += 1;
        // A task of its own: a client that disconnects must not separate what is written from what is published.
        let published = tokio::spawn(Arc::clone(self).publish(Arc::clone(live), draft, games, started, turn));
        published.await.map_err(|_| Failure::busy("the server ends"))??;
        Ok(result)
    }

    /// Writes a tournament with its new games, opens their rooms, and publishes it, while its turn is held.
    async fn publish(
        self: Arc<Self>,
        live: Arc<LiveTournament>,
        draft: Tournament,
        games: Vec<SavedGame>,
        started: Vec<Started>,
        _turn: OwnedMutexGuard<()>,
    ) -> Result<(), Failure> {
        self.write(&live.id, &draft, games).await?;
        // Before clients learn the identifiers of the games, so that no request opens a room of its own.
        for Started { round, board, game, places } in started {
            let room = self.lobby.admit(game, places).await;
            self.follow(&live, round, board, room);
        }
        live.shown.send_replace(Arc::new(draft));
        Ok(())
    }

    /// Creates the games that must start now. Games without a place for their engines start later.
    fn start_due(
        &self,
        id: &GameId,
        draft: &mut Tournament,
    ) -> Result<(Vec<SavedGame>, Vec<Started>), Failure> {
        let (mut games, mut started) = (Vec::new(), Vec::new());
        for (round, board) in draft.due() {
            let pairing = &draft.rounds[round][board];
            let Some(black) = pairing.black else { continue };
            let players = [pairing.white, black].map(|index| {
                let player = &draft.players[index];
                (player.name.clone(), player.kind.clone(), player.key)
            });
            let engines = players.iter().filter(|(_, kind, _)| *kind != SeatKind::Person).count();
            let Ok(places) = self.lobby.places(engines) else { continue };
            let conditions = &draft.conditions;
            let place = OfTournament {
                id: id.as_str().to_owned(),
                name: conditions.name.clone(),
                // An arena has no rounds.
                round: if draft.is_arena() { 0 } else { round + 1 },
                board: board + 1,
            };
            let now_ms = self.clock.now_ms();
            let (saved, game) =
                conditions.game.make_for(players, draft.host, place, draft.is_arena(), now_ms)?;
            draft.rounds[round][board].game = Some(saved.id.as_str().to_owned());
            games.push(saved);
            started.push(Started { round, board, game, places });
        }
        Ok((games, started))
    }

    async fn write(
        &self,
        id: &GameId,
        tournament: &Tournament,
        games: Vec<SavedGame>,
    ) -> Result<(), Failure> {
        let not_saved = |error: &dyn std::fmt::Display| Failure::not_saved(error.to_string());
        let row = TournamentRow {
            id: id.clone(),
            created_unix_ms: tournament.created_unix_ms,
            is_over: tournament.phase == Phase::Over,
            text: serde_json::to_string(tournament).map_err(|error| not_saved(&error))?,
        };
        self.lobby.store().write_tournament(row, games).await.map_err(|error| not_saved(&error))
    }

    /// Enters the result of a game when it is over.
    fn follow(self: &Arc<Self>, live: &Arc<LiveTournament>, round: usize, board: usize, room: Arc<Room>) {
        let (all, live) = (Arc::clone(self), Arc::clone(live));
        tokio::spawn(async move {
            let mut games = room.watch();
            let (result, berserk) = loop {
                let hosted = Arc::clone(&games.borrow_and_update());
                if let Some(ending) = hosted.game.ending() {
                    break (ending.result(), Color::ALL.map(|side| has_played_berserk(&hosted.game, side)));
                }
                if games.changed().await.is_err() {
                    return; // the server shuts down
                }
            };
            drop(room);
            let enter = |draft: &mut Tournament| {
                draft.enter(round, board, result, berserk, unix_ms());
                Ok(())
            };
            while all.change(&live, enter).await.is_err() {
                tokio::time::sleep(RETRY).await;
            }
        });
    }

    /// Starts waiting games, and pairs arenas, until the task is aborted.
    pub(super) async fn keep(self: Arc<Self>) {
        let mut beats = tokio::time::interval(RETRY);
        loop {
            beats.tick().await;
            let waiting: Vec<Arc<LiveTournament>> = self
                .live
                .lock()
                .values()
                .filter(|live| {
                    let tournament = live.shown.borrow();
                    !tournament.due().is_empty() || tournament.is_moved_by_time(unix_ms())
                })
                .cloned()
                .collect();
            for live in waiting {
                // Avoids writing the tournament if no game can start.
                let has_place = self.lobby.places(2).is_ok();
                let is_moved = live.tournament().is_moved_by_time(unix_ms());
                if has_place || is_moved {
                    let _ = self.change(&live, |_| Ok(())).await; // tried again at the next tick
                }
            }
        }
    }
}
