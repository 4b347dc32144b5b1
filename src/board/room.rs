//! Rooms. A room is the task that owns a game, and writes every event to disk before it is published.

use super::clock::ServerClock;
use super::failure::Failure;
use super::hosted::{HostedGame, Standing, refused};
use super::rematch;
use super::saved::{Record, SavedKey, SavedRematch};
use super::store::Store;
use super::token::{Fingerprint, Token};
use super::words;
use crate::chess::Color;
use crate::zone::{Act, Actor, Event, Moment};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// The maximum number of requests that wait for a room; further senders wait.
const MAX_WAITING: usize = 256;
/// The pause before another attempt to write.
const RETRY: Duration = Duration::from_secs(1);
/// The minimum time between two updates of the number of spectators, in milliseconds, since many spectators can arrive
/// together.
const COUNT_PAUSE_MS: u64 = 1000;

/// The unit of the compensation for lag in milliseconds, so that it does not change with every measurement.
const LAG_STEP_MS: u64 = 10;

/// The round-trip times of the connections of White and Black in milliseconds, rounded up; `None` while a player has no
/// open page. Clocks depend on them only in games with compensation for lag.
pub(super) type Lags = [Option<u64>; Color::COUNT];

/// The originator of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    /// The holder of this token; a spectator if there is none.
    Token(Option<Fingerprint>),
    /// The server, for an engine.
    Engine(Color),
    /// The server, as the arbiter.
    Arbiter,
}

/// The result of a request.
#[derive(Clone, Debug)]
pub(super) struct Done {
    /// The game after the request.
    pub(super) game: Arc<HostedGame>,
    /// A token that was issued by the request.
    pub(super) token: Option<Token>,
}

/// The answer to a request.
pub(super) type Outcome = Result<Done, Failure>;

#[derive(Debug)]
enum Command {
    Act {
        act: Act,
        version: Option<usize>,
    },
    Rematch,
    /// A page of a player has been opened or closed.
    Presence {
        color: Color,
        is_there: bool,
    },
    /// A spectator has arrived or left.
    Watch {
        is_there: bool,
    },
}

#[derive(Debug)]
struct Request {
    caller: Caller,
    command: Command,
    /// The time of the server's clock at which the request arrived, in milliseconds.
    at_ms: u64,
    reply: Option<oneshot::Sender<Outcome>>,
}

/// A handle to a room.
#[derive(Debug)]
pub(super) struct Room {
    requests: mpsc::Sender<Request>,
    games: watch::Receiver<Arc<HostedGame>>,
    lags: watch::Sender<Lags>,
    clock: ServerClock,
    /// The time of the server's clock at the last use, in milliseconds.
    used_ms: AtomicU64,
    /// Becomes true when the room is closed.
    closing: watch::Sender<bool>,
}

impl Room {
    /// Opens a room for a game whose first `written` events are on the disk. The other events are written with the next
    /// change.
    pub(super) fn open(game: HostedGame, store: Store, clock: ServerClock, written: usize) -> Arc<Self> {
        let (requests, waiting) = mpsc::channel(MAX_WAITING);
        let (sender, games) = watch::channel(Arc::new(game));
        let (lags, measured) = watch::channel(Lags::default());
        let task = RoomTask {
            written,
            games: sender,
            lags: measured,
            store,
            clock,
            present: [0; Color::COUNT],
            is_presence_unsaved: [false; 2],
            spectators: 0,
            told_ms: clock.now_ms(),
            counted_ms: 0,
        };
        tokio::spawn(task.run(waiting));
        let used_ms = AtomicU64::new(clock.now_ms());
        Arc::new(Self { requests, games, lags, clock, used_ms, closing: watch::Sender::new(false) })
    }

    /// The time of the server's clock, in milliseconds.
    pub(super) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// The current game. Counts as a use of the room.
    pub(super) fn game(&self) -> Arc<HostedGame> {
        self.used_ms.store(self.clock.now_ms(), Ordering::Relaxed);
        Arc::clone(&self.games.borrow())
    }

    /// The current game, without counting as a use of the room.
    pub(super) fn game_unused(&self) -> Arc<HostedGame> {
        Arc::clone(&self.games.borrow())
    }

    /// A receiver of the current game and of each change.
    pub(super) fn watch(&self) -> watch::Receiver<Arc<HostedGame>> {
        self.games.clone()
    }

    /// The time since the last use, in milliseconds.
    pub(super) fn idle_ms(&self) -> u64 {
        self.clock.now_ms().saturating_sub(self.used_ms.load(Ordering::Relaxed))
    }

    /// Submits an act. If `version` is given, it fails if the game has changed since.
    ///
    /// # Errors
    /// [`Failure`] if the act is refused, or cannot be written; the game then remains unchanged.
    pub(super) async fn act(&self, caller: Caller, act: Act, version: Option<usize>) -> Outcome {
        self.ask(caller, Command::Act { act, version }).await
    }

    /// Offers a rematch, or accepts the offer of the opponent.
    ///
    /// # Errors
    /// As [`Room::act`].
    pub(super) async fn rematch(&self, caller: Caller) -> Outcome {
        self.ask(caller, Command::Rematch).await
    }

    /// Reports that a page of a player has been opened or closed.
    pub(super) async fn tell_presence(&self, color: Color, is_there: bool) {
        self.tell(Command::Presence { color, is_there }).await;
    }

    /// Tells the engines of the game that the room is closed.
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// A receiver that becomes true when the room is closed.
    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Reports that a spectator has arrived or left.
    pub(super) async fn tell_watching(&self, is_there: bool) {
        self.tell(Command::Watch { is_there }).await;
    }

    /// A receiver of the round-trip times of the players' connections.
    pub(super) fn lags(&self) -> watch::Receiver<Lags> {
        self.lags.subscribe()
    }

    /// Reports the round-trip time of a player's connection; `None` if it has been closed. If a player has several
    /// pages, the time is that of the one measured last.
    pub(super) fn tell_lag(&self, color: Color, lag_ms: Option<u64>) {
        self.lags.send_if_modified(|lags| std::mem::replace(&mut lags[color as usize], lag_ms) != lag_ms);
    }

    async fn tell(&self, command: Command) {
        let request =
            Request { caller: Caller::Token(None), command, at_ms: self.clock.now_ms(), reply: None };
        let _ = self.requests.send(request).await; // fails only while the server shuts down
    }

    async fn ask(&self, caller: Caller, command: Command) -> Outcome {
        let (reply, answer) = oneshot::channel();
        let at_ms = self.clock.now_ms();
        self.used_ms.store(at_ms, Ordering::Relaxed);
        let ends = || Failure::busy("the server ends");
        let request = Request { caller, command, at_ms, reply: Some(reply) };
        self.requests.send(request).await.map_err(|_| ends())?;
        answer.await.map_err(|_| ends())?
    }
}

/// The task of a room.
struct RoomTask {
    /// The number of events on the disk.
    written: usize,
    games: watch::Sender<Arc<HostedGame>>,
    lags: watch::Receiver<Lags>,
    store: Store,
    clock: ServerClock,
    /// The number of open pages of each player.
    present: [usize; Color::COUNT],
    /// Whether the presence of a player has changed and could not be written yet.
    is_presence_unsaved: [bool; Color::COUNT],
    /// The number of spectators.
    spectators: usize,
    /// The time of the server's clock up to which newly available acts have been announced, in milliseconds.
    told_ms: u64,
    /// The time of the server's clock at which the number of spectators was last announced, in milliseconds.
    counted_ms: u64,
}

/// The changes of a batch of requests, before they are written.
struct Draft {
    game: HostedGame,
    keys: Vec<SavedKey>,
    rematch: Option<SavedRematch>,
    next: Option<Box<super::saved::SavedGame>>,
}

impl RoomTask {
    async fn run(mut self, mut waiting: mpsc::Receiver<Request>) {
        let mut retry = None;
        loop {
            let deadline = self.deadline_ms().map(|ms| Instant::from_std(self.clock.instant_of(ms)));
            let deadline = deadline.map(|deadline| retry.map_or(deadline, |retry| deadline.max(retry)));
            let deadline = if self.is_presence_unsaved.contains(&true) { retry } else { deadline };
            let mut batch = Vec::new();
            tokio::select! {
                count = waiting.recv_many(&mut batch, MAX_WAITING) => {
                    if count == 0 {
                        return;
                    }
                }
                () = until(deadline) => {}
            }
            let is_written = self.serve(batch).await;
            retry = (!is_written).then(|| Instant::now() + RETRY);
        }
    }

    /// The time of the server's clock at which the room must act without a request, in milliseconds.
    fn deadline_ms(&self) -> Option<u64> {
        let game = self.games.borrow();
        let is_counted = game.spectators == self.spectators;
        let count_ms = (!is_counted).then(|| self.counted_ms.saturating_add(COUNT_PAUSE_MS));
        [game.deadline_ms(), game.right_ms(self.told_ms), count_ms].into_iter().flatten().min()
    }

    /// Prepares a notice to all clients if time has made an act available, or if the number of spectators has changed.
    fn notice(&mut self, game: &mut HostedGame, now_ms: u64) -> bool {
        let has_right = game.right_ms(self.told_ms).is_some_and(|ms| ms <= now_ms);
        let is_counted =
            game.spectators == self.spectators || now_ms < self.counted_ms.saturating_add(COUNT_PAUSE_MS);
        self.told_ms = now_ms;
        if !is_counted {
            game.spectators = self.spectators;
            self.counted_ms = now_ms;
        }
        let is_new = has_right || !is_counted;
        game.notices += u64::from(is_new);
        is_new
    }

    /// Executes requests and what is due, writes the changes, and publishes them. Returns whether they could be
    /// written.
    async fn serve(&mut self, batch: Vec<Request>) -> bool {
        let before = Arc::clone(&self.games.borrow());
        let mut draft =
            Draft { game: HostedGame::clone(&before), keys: Vec::new(), rematch: None, next: None };
        let mut replies = Vec::new();
        let at = draft.game.moment(self.clock.now_ms());
        for color in Color::ALL.into_iter().filter(|&color| self.is_presence_unsaved[color as usize]) {
            self.note_presence(&mut draft, color, at);
        }
        for Request { caller, command, at_ms, reply } in batch {
            let outcome = self.execute(&mut draft, caller, command, at_ms);
            replies.extend(reply.map(|reply| (reply, outcome)));
        }
        let now_ms = self.clock.now_ms();
        draft.game.advance(draft.game.moment(now_ms));
        let Draft { mut game, keys, rematch, next } = draft;
        let told = (self.told_ms, self.counted_ms);
        let is_noticed = self.notice(&mut game, now_ms);
        if game.is_as_written(&before) && keys.is_empty() {
            self.is_presence_unsaved = [false; 2];
            for (reply, outcome) in replies {
                let _ = reply.send(outcome.map(|token| Done { game: Arc::clone(&before), token }));
            }
            if is_noticed {
                self.games.send_replace(Arc::new(game));
            }
            return true;
        }
        let record = Record { keys, rematch, next, ..game.record(self.written, now_ms) };
        let written = game.game.journal().len();
        let result = self.store.append(game.id.clone(), record).await;
        let is_written = result.is_ok();
        let answer = match result {
            Ok(()) => {
                self.written = written;
                self.is_presence_unsaved = [false; 2];
                let game = Arc::new(game);
                self.games.send_replace(Arc::clone(&game));
                Ok(game)
            }
            Err(error) => {
                (self.told_ms, self.counted_ms) = told;
                Err(Failure::not_saved(error.to_string()))
            }
        };
        for (reply, outcome) in replies {
            let done = outcome.and_then(|token| answer.clone().map(|game| Done { game, token }));
            let _ = reply.send(done); // the requester may be gone
        }
        is_written
    }

    fn execute(
        &mut self,
        draft: &mut Draft,
        caller: Caller,
        command: Command,
        at_ms: u64,
    ) -> Result<Option<Token>, Failure> {
        let at = draft.game.moment(at_ms);
        let standing = match caller {
            Caller::Engine(color) => Standing::Actor(Actor::player(color)),
            Caller::Arbiter => Standing::Actor(Actor::Arbiter),
            Caller::Token(token) => draft.game.standing(token)?,
        };
        match (command, caller) {
            (Command::Presence { color, is_there }, _) => {
                let count = &mut self.present[color as usize];
                *count = if is_there { *count + 1 } else { count.saturating_sub(1) };
                self.is_presence_unsaved[color as usize] = true;
                self.note_presence(draft, color, at);
                Ok(None)
            }
            (Command::Watch { is_there }, _) => {
                let count = self.spectators;
                self.spectators = if is_there { count + 1 } else { count.saturating_sub(1) };
                Ok(None)
            }
            (Command::Rematch, _) => {
                let next = rematch::ask(&mut draft.game, standing, at_ms)?;
                draft.rematch.clone_from(&draft.game.rematch);
                draft.next = next.map(Box::new).or(draft.next.take());
                Ok(None)
            }
            (Command::Act { version: Some(version), .. }, _) if version != draft.game.version() => {
                Err(Failure::conflict("stale", "the game has changed in the meantime"))
            }
            (Command::Act { act: Act::Sit { name }, .. }, Caller::Token(Some(token))) => match standing {
                Standing::Invited(color) => {
                    let (token, keys) = draft.game.sit(token, color, name, at)?;
                    draft.keys.extend(keys);
                    Ok(Some(token))
                }
                _ => Err(refused(crate::zone::Refusal::SeatTaken)),
            },
            (Command::Act { act, .. }, _) => {
                let is_move = matches!(act, Act::Move { .. });
                let done = act_in(draft, standing, act, at);
                if is_move && done.is_ok() {
                    self.compensate(draft, at);
                }
                done
            }
        }
    }

    /// Submits the round-trip times as the compensation for lag of the next turns, if the game has one. A player
    /// without an open page needs none.
    ///
    /// It is called after a move, when the next turn has not lasted any time yet. The version of the game has then
    /// changed anyway: it must not change while an act that states it is on its way.
    fn compensate(&self, draft: &mut Draft, at: Moment) {
        let game = &draft.game.game;
        let limit = game.rules().lag_compensation;
        if limit.is_zero() || game.ending().is_some() || !game.clocks().is_timed() {
            return;
        }
        for (side, lag_ms) in Color::ALL.into_iter().zip(*self.lags.borrow()) {
            let lag_ms = lag_ms.unwrap_or(0) / LAG_STEP_MS * LAG_STEP_MS;
            let time = Duration::from_millis(lag_ms).min(limit);
            if draft.game.game.clocks().lag(side) != time {
                let act = Act::CompensateLag { side, time };
                // Refused only if a flag has fallen at the same moment.
                let _ = draft.game.submit(Event { at, by: Actor::Arbiter, act });
            }
        }
    }

    /// Submits that a player is present or away, if this has changed.
    fn note_presence(&self, draft: &mut Draft, color: Color, at: Moment) {
        let is_alone = self.present[color as usize] == 0;
        let is_away = draft.game.game.seat(color).away_since.is_some();
        if is_alone != is_away {
            let act = if is_alone { Act::Disconnect } else { Act::Connect };
            // Refused if the seat is empty, or the game is over.
            let _ = draft.game.submit(Event { at, by: Actor::player(color), act });
        }
    }
}

fn act_in(draft: &mut Draft, standing: Standing, act: Act, at: Moment) -> Result<Option<Token>, Failure> {
    let by = match standing {
        Standing::Actor(actor) => actor,
        Standing::Invited(_) => {
            return Err(Failure::forbidden(
                "not_seated",
                "enter your name and sit down before you act in the game",
            ));
        }
        Standing::TooLate => {
            return Err(Failure::forbidden(
                "seat_taken",
                "someone has already taken the seat with this link",
            ));
        }
    };
    if matches!(act, Act::Connect | Act::Disconnect | Act::CompensateLag { .. }) {
        return Err(Failure::forbidden(
            "not_yours",
            "the server itself reports who is connected, and how fast",
        ));
    }
    if act == Act::Abort && draft.game.head.tournament.is_some() {
        return Err(Failure::conflict("in_tournament", "games of a tournament cannot be aborted"));
    }
    let color = words::side_of(by).filter(|&color| by == Actor::player(color));
    if let Some(color) = color
        && draft.game.game.seat(color).away_since.is_some()
    {
        // A player who acts counts as present, with or without an open page.
        let _ = draft.game.submit(Event { at, by, act: Act::Connect });
    }
    let assisted = if let Act::AllowAssistant { side, .. } = act { Some(side) } else { None };
    if let Some(refusal) = draft.game.submit(Event { at, by, act }) {
        return Err(refused(refusal));
    }
    let Some(side) = assisted else { return Ok(None) };
    let token = Token::random().map_err(|error| Failure::busy(error.to_string()))?;
    let role = super::saved::KeyRole::Actor(Actor::assistant(side));
    // The token of the previous assistant becomes invalid.
    let former = draft.game.keys.iter_mut().filter(|key| key.role == role);
    for key in former {
        key.role = super::saved::KeyRole::UsedInvitation;
        draft.keys.push(*key);
    }
    let key = SavedKey { fingerprint: token.fingerprint(), role };
    draft.game.keys.push(key);
    draft.keys.push(key);
    Ok(Some(token))
}

/// Waits until the deadline; forever if there is none.
async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
