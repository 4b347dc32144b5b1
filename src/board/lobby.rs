//! The lobby: all open rooms. A room is opened at the first request for its game, and closed after some time without
//! use.

use super::clock::ServerClock;
use super::engines::{Computer, Engines};
use super::failure::Failure;
use super::hosted::HostedGame;
use super::new_game::{Made, NewGame};
use super::opponent;
use super::places::Place;
use super::record;
use super::room::Room;
use super::saved::Summary;
use super::state_file::StoreError;
use super::store::Store;
use super::token::GameId;
use crate::chess::Color;
use crate::zone::Phase;
use parking_lot::Mutex;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The interval at which the time of the server is written while a clock runs. If the server is killed, up to this much
/// time is not charged to any player.
const BEAT: Duration = Duration::from_millis(500);
/// The number of beats between two searches for unused rooms.
const BEATS_BETWEEN_SWEEPS: u32 = 60;
/// The time after its last use at which a room may be closed, in milliseconds.
const IDLE_MS: u64 = 10 * 60 * 1000;
/// The maximum number of games in memory.
const MAX_ROOMS: usize = 20_000;

/// The open rooms, with everything that they need.
pub(super) struct Lobby {
    rooms: Mutex<HashMap<GameId, Arc<Room>>>,
    /// Held while a game is read, so that it is read only once.
    reading: tokio::sync::Mutex<()>,
    store: Store,
    clock: ServerClock,
    /// The engines that play.
    engines: Engines,
}

impl Lobby {
    /// Opens the rooms of all unfinished games, which continue.
    ///
    /// # Errors
    /// [`StoreError`] if the games cannot be read.
    pub(super) async fn open(
        store: Store,
        clock: ServerClock,
        engines: Engines,
    ) -> Result<Arc<Self>, StoreError> {
        let unfinished = store.unfinished().await?;
        let lobby = Arc::new(Self {
            rooms: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            store,
            clock,
            engines,
        });
        for id in unfinished {
            // Damaged games are reported when they are requested.
            let _ = lobby.room(&id).await;
        }
        Ok(lobby)
    }

    /// The engine that plays.
    pub(super) fn computer(&self) -> Computer<'_> {
        self.engines.computer()
    }

    /// Creates a game.
    ///
    /// # Errors
    /// [`Failure`] if the request is invalid, or the game cannot be written.
    pub(super) async fn create(&self, request: NewGame) -> Result<(Made, Arc<Room>), Failure> {
        let places = self.places(request.engines())?;
        let made = request.make(&self.engines, self.clock.now_ms())?;
        let saved = self.store.create(made.saved.clone()).await;
        saved.map_err(|error| Failure::not_saved(error.to_string()))?;
        let room = self.admit(made.hosted.clone(), places).await;
        Ok((made, room))
    }

    /// Takes places for the engines of a new game.
    ///
    /// # Errors
    /// [`Failure`] if the limit on games or on engines has been reached.
    pub(super) fn places(&self, engines: usize) -> Result<Vec<Place>, Failure> {
        if self.rooms.lock().len() >= MAX_ROOMS {
            return Err(Failure::busy("too many games are played"));
        }
        let places: Vec<Place> =
            std::iter::repeat_with(|| self.engines.games.try_take()).take(engines).flatten().collect();
        if places.len() < engines {
            return Err(Failure::busy("too many games with engines are played"));
        }
        Ok(places)
    }

    /// Opens the room of a game that has just been written, unless a request has opened it meanwhile.
    pub(super) async fn admit(&self, hosted: HostedGame, places: Vec<Place>) -> Arc<Room> {
        // A request that is reading the game may add events to it.
        let _reading = self.reading.lock().await;
        let written = hosted.game.journal().len();
        self.enter(hosted, written, places)
    }

    /// The room of a game, opened if necessary.
    ///
    /// # Errors
    /// [`Failure`] if there is no such game, or it cannot be read.
    pub(super) async fn room(&self, id: &GameId) -> Result<Arc<Room>, Failure> {
        self.room_with(id, Vec::new()).await
    }

    /// As [`Lobby::room`], with places for the engines of the game if the room is opened. Engines without a place wait
    /// for one before they move.
    ///
    /// # Errors
    /// As [`Lobby::room`].
    pub(super) async fn room_with(&self, id: &GameId, places: Vec<Place>) -> Result<Arc<Room>, Failure> {
        if let Some(room) = self.open_room(id) {
            return Ok(room);
        }
        let _reading = self.reading.lock().await;
        if let Some(room) = self.open_room(id) {
            return Ok(room);
        }
        let saved = self.store.load(id.clone()).await;
        let saved = saved.map_err(|error| Failure::not_saved(error.to_string()))?;
        let saved = saved.ok_or_else(|| Failure::not_found("there is no such game"))?;
        let mut hosted = HostedGame::restore(&saved)?;
        let known = hosted.game.journal().len();
        // Before the game is published: no page of it is open, so all persons are away.
        let now_ms = self.clock.now_ms();
        hosted.leave_all(hosted.moment(now_ms));
        let record = hosted.record(known, now_ms);
        let is_written = record.events.is_empty() || self.store.append(id.clone(), record).await.is_ok();
        let written = if is_written { hosted.game.journal().len() } else { known };
        Ok(self.enter(hosted, written, places))
    }

    /// The identifiers of the games in memory that are not over, newest first.
    pub(super) fn running(&self) -> Vec<GameId> {
        let rooms = self.rooms.lock();
        let games = rooms.values().map(|room| room.game_unused());
        let mut running: Vec<_> = games
            .filter(|game| game.game.ending().is_none())
            .map(|game| (Reverse(game.created_unix_ms), game.id.clone()))
            .collect();
        drop(rooms);
        running.sort_by(|one, other| (one.0, one.1.as_str()).cmp(&(other.0, other.1.as_str())));
        running.into_iter().map(|(_, id)| id).collect()
    }

    fn open_room(&self, id: &GameId) -> Option<Arc<Room>> {
        self.rooms.lock().get(id).cloned()
    }

    /// Opens the room of a game; a game that has a room keeps it.
    fn enter(&self, hosted: HostedGame, written: usize, places: Vec<Place>) -> Arc<Room> {
        let mut rooms = self.rooms.lock();
        if let Some(room) = rooms.get(&hosted.id) {
            return Arc::clone(room);
        }
        let id = hosted.id.clone();
        let is_over = hosted.game.ending().is_some();
        let engines: Vec<Color> = Color::ALL.into_iter().filter(|&color| hosted.is_engine(color)).collect();
        let room = Room::open(hosted, self.store.clone(), self.clock, written);
        rooms.insert(id, Arc::clone(&room));
        drop(rooms);
        let mut places = places.into_iter();
        for color in engines.into_iter().filter(|_| !is_over) {
            opponent::seat(&room, color, &self.engines, places.next());
        }
        room
    }

    /// Summaries of games, newest first.
    ///
    /// # Errors
    /// [`Failure`] if the games cannot be read.
    pub(super) async fn list(&self, skip: u32, limit: u32) -> Result<Vec<Summary>, Failure> {
        let list = self.store.list(skip, limit).await;
        list.map_err(|error| Failure::not_saved(error.to_string()))
    }

    /// The store.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// All games with moves as PGN, oldest first, without damaged ones.
    ///
    /// # Errors
    /// [`Failure`] if the games cannot be read.
    pub(super) async fn pgn_of_all(&self) -> Result<String, Failure> {
        /// The number of games per request to the store.
        const PART: u32 = 1000;
        let mut ids = Vec::new();
        loop {
            let part = self.list(u32::try_from(ids.len()).unwrap_or(u32::MAX), PART).await?;
            let is_last = part.len() < PART as usize;
            ids.extend(part.into_iter().filter_map(|game| GameId::read(&game.id)));
            if is_last {
                break;
            }
        }
        let mut pgn = String::new();
        for id in ids.into_iter().rev() {
            let saved = self.store.load(id).await;
            let saved = saved.map_err(|error| Failure::not_saved(error.to_string()))?;
            if let Some(hosted) = saved.and_then(|saved| HostedGame::restore(&saved).ok())
                && !hosted.plies.is_empty()
            {
                pgn += &record::pgn(&hosted, &self.engines);
            }
        }
        Ok(pgn)
    }

    /// Whether a clock runs in any game.
    pub(super) fn has_running_clock(&self) -> bool {
        self.rooms.lock().values().any(|room| room.game_unused().deadline_ms().is_some())
    }

    /// Writes the time of the server while clocks run, and closes unused rooms, until the task is aborted.
    pub(super) async fn keep(self: Arc<Self>) {
        let mut beats = tokio::time::interval(BEAT);
        let mut until_sweep = BEATS_BETWEEN_SWEEPS;
        loop {
            beats.tick().await;
            if self.has_running_clock() {
                // Errors are ignored: acts of players report them.
                let _ = self.store.write_clock(self.clock.now_ms()).await;
            }
            until_sweep -= 1;
            if until_sweep == 0 {
                until_sweep = BEATS_BETWEEN_SWEEPS;
                self.rooms.lock().retain(|_, room| {
                    let is_needed = is_needed(room);
                    if !is_needed {
                        room.close();
                    }
                    is_needed
                });
            }
        }
    }
}

/// Whether a room must stay open. The caller holds the lock on the rooms, so that no request takes a reference.
fn is_needed(room: &Arc<Room>) -> bool {
    let game = room.game_unused();
    let is_over = game.game.ending().is_some();
    let is_played = game.deadline_ms().is_some();
    let is_thinking = game.game.phase() == Phase::Playing && game.is_engine(game.game.position().turn());
    // The thread of each engine also holds a reference to its room.
    let engines = Color::ALL.into_iter().filter(|&color| !is_over && game.is_engine(color)).count();
    let is_used = Arc::strong_count(room) > 1 + engines;
    is_played || is_thinking || is_used || room.idle_ms() < IDLE_MS
}

#[cfg(test)]
mod tests {
    use super::super::engines::EngineSettings;
    use super::*;
    use crate::client::{EngineConfig, Launcher};

    #[test]
    fn a_game_has_one_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("state.sqlite")).expect("it can be made");
        let engines = Engines::new(EngineSettings {
            name: "none".to_owned(),
            config: EngineConfig::default(),
            launcher: Launcher::default(),
            is_own: false,
            second: None,
            tables: None,
            books: Vec::new(),
            searches: 1,
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let clock = ServerClock::from(0);
            let lobby = Lobby::open(store.clone(), clock, engines.clone()).await.expect("it is empty");
            let request = serde_json::from_str(r#"{"white": {"person": "Ann"}, "black": {"person": "Bob"}}"#);
            let request: NewGame = request.expect("a game");
            let made = request.make(&engines, clock.now_ms()).expect("it is possible");
            store.create(made.saved.clone()).await.expect("it can be written");
            // A request finds the game before it is admitted.
            let found = lobby.room(&made.hosted.id).await.expect("it is written");
            let admitted = lobby.admit(made.hosted.clone(), Vec::new()).await;
            let later = lobby.room(&made.hosted.id).await.expect("it is open");
            assert!(Arc::ptr_eq(&found, &admitted) && Arc::ptr_eq(&found, &later));
        });
        store.close();
    }
}
