//! A room: the task that owns a game. Whatever happens in it is written before anybody is told.

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

/// The most requests that wait for a room. Whoever comes then waits to be let in.
const MAX_WAITING: usize = 256;
/// When to try again to write what could not be written.
const RETRY: Duration = Duration::from_secs(1);
/// How long a new number of spectators may wait to be told: many may come at once.
const COUNT_PAUSE_MS: u64 = 1000;

/// As whom somebody acts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    /// Whoever has this token; without one, a spectator.
    Token(Option<Fingerprint>),
    /// The server itself, for an engine.
    Engine(Color),
    /// The server itself, as an arbiter.
    Arbiter,
}

/// What has come of a request.
#[derive(Clone, Debug)]
pub(super) struct Done {
    /// The game after it.
    pub(super) game: Arc<HostedGame>,
    /// A token that it has brought about.
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
    /// A page of a player is open, or is closed.
    Presence {
        color: Color,
        is_there: bool,
    },
    /// Somebody begins or ceases to watch.
    Watch {
        is_there: bool,
    },
}

#[derive(Debug)]
struct Request {
    caller: Caller,
    command: Command,
    /// The count of the server's clock when it came.
    at_ms: u64,
    reply: Option<oneshot::Sender<Outcome>>,
}

/// A door to a room.
#[derive(Debug)]
pub(super) struct Room {
    requests: mpsc::Sender<Request>,
    games: watch::Receiver<Arc<HostedGame>>,
    clock: ServerClock,
    /// The count of the server's clock at the last use.
    used_ms: AtomicU64,
}

impl Room {
    /// Opens a room for a game of which so many events are on the disk. The others are written with what comes next.
    pub(super) fn open(game: HostedGame, store: Store, clock: ServerClock, written: usize) -> Arc<Self> {
        let (requests, waiting) = mpsc::channel(MAX_WAITING);
        let (sender, games) = watch::channel(Arc::new(game));
        let task = RoomTask {
            written,
            games: sender,
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
        Arc::new(Self { requests, games, clock, used_ms })
    }

    /// The count of the server's clock.
    pub(super) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// The game now.
    pub(super) fn game(&self) -> Arc<HostedGame> {
        self.used_ms.store(self.clock.now_ms(), Ordering::Relaxed);
        Arc::clone(&self.games.borrow())
    }

    /// The game now, for somebody who does not use it.
    pub(super) fn game_unused(&self) -> Arc<HostedGame> {
        Arc::clone(&self.games.borrow())
    }

    /// The game, now and whenever it changes.
    pub(super) fn watch(&self) -> watch::Receiver<Arc<HostedGame>> {
        self.games.clone()
    }

    /// How long nobody has asked for it, in milliseconds.
    pub(super) fn idle_ms(&self) -> u64 {
        self.clock.now_ms().saturating_sub(self.used_ms.load(Ordering::Relaxed))
    }

    /// Does something in the game, unless it has changed since a version that is stated.
    ///
    /// # Errors
    /// [`Failure`] if it is refused, or cannot be written: then nothing has changed.
    pub(super) async fn act(&self, caller: Caller, act: Act, version: Option<usize>) -> Outcome {
        self.ask(caller, Command::Act { act, version }).await
    }

    /// Asks for another game with colors swapped, or agrees to it.
    ///
    /// # Errors
    /// As [`Room::act`].
    pub(super) async fn rematch(&self, caller: Caller) -> Outcome {
        self.ask(caller, Command::Rematch).await
    }

    /// Says that a page of a player has been opened or closed.
    pub(super) async fn tell_presence(&self, color: Color, is_there: bool) {
        self.tell(Command::Presence { color, is_there }).await;
    }

    /// Says that somebody begins or ceases to watch.
    pub(super) async fn tell_watching(&self, is_there: bool) {
        self.tell(Command::Watch { is_there }).await;
    }

    async fn tell(&self, command: Command) {
        let request =
            Request { caller: Caller::Token(None), command, at_ms: self.clock.now_ms(), reply: None };
        let _ = self.requests.send(request).await; // the server may be ending
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

/// Keeps the game of a room.
struct RoomTask {
    /// The events that are on the disk.
    written: usize,
    games: watch::Sender<Arc<HostedGame>>,
    store: Store,
    clock: ServerClock,
    /// How many pages of each player are open.
    present: [usize; Color::COUNT],
    /// Whether that has changed and could not be written.
    is_presence_unsaved: [bool; Color::COUNT],
    /// How many watch.
    spectators: usize,
    /// The count of the server's clock until which rights that come by time have been told.
    told_ms: u64,
    /// The count of the server's clock when the number of spectators was last told.
    counted_ms: u64,
}

/// What a batch of requests brings about, before it is written.
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

    /// The count of the server's clock when something is to be done or told without a request.
    fn deadline_ms(&self) -> Option<u64> {
        let game = self.games.borrow();
        let is_counted = game.spectators == self.spectators;
        let count_ms = (!is_counted).then(|| self.counted_ms.saturating_add(COUNT_PAUSE_MS));
        [game.deadline_ms(), game.right_ms(self.told_ms), count_ms].into_iter().flatten().min()
    }

    /// Has everybody look at the game again, if a right has come by time, or others watch.
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

    /// Does what is asked for and what is due, writes it, tells it. Returns whether it could be written.
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
            let _ = reply.send(done); // whoever asked may have gone
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
            (Command::Act { act, .. }, _) => act_in(draft, standing, act, at),
        }
    }

    /// Tells the game whether a player is there.
    fn note_presence(&self, draft: &mut Draft, color: Color, at: Moment) {
        let is_alone = self.present[color as usize] == 0;
        let is_away = draft.game.game.seat(color).away_since.is_some();
        if is_alone != is_away {
            let act = if is_alone { Act::Disconnect } else { Act::Connect };
            // Refused if nobody sits there, or the game is over.
            let _ = draft.game.submit(Event { at, by: Actor::player(color), act });
        }
    }
}

fn act_in(draft: &mut Draft, standing: Standing, act: Act, at: Moment) -> Result<Option<Token>, Failure> {
    let by = match standing {
        Standing::Actor(actor) => actor,
        Standing::Invited(_) => return Err(Failure::forbidden("not_seated", "sit down first")),
        Standing::TooLate => {
            return Err(Failure::forbidden("seat_taken", "somebody else has sat down with this link"));
        }
    };
    if matches!(act, Act::Connect | Act::Disconnect) {
        return Err(Failure::forbidden("not_yours", "who is there is seen by the connections"));
    }
    if act == Act::Abort && draft.game.head.tournament.is_some() {
        return Err(Failure::conflict("in_tournament", "a game of a tournament is not broken off"));
    }
    let color = words::side_of(by).filter(|&color| by == Actor::player(color));
    if let Some(color) = color
        && draft.game.game.seat(color).away_since.is_some()
    {
        // Who acts is there, with or without a page.
        let _ = draft.game.submit(Event { at, by, act: Act::Connect });
    }
    let assisted = if let Act::AllowAssistant { side, .. } = act { Some(side) } else { None };
    if let Some(refusal) = draft.game.submit(Event { at, by, act }) {
        return Err(refused(refusal));
    }
    let Some(side) = assisted else { return Ok(None) };
    let token = Token::random().map_err(|error| Failure::busy(error.to_string()))?;
    let role = super::saved::KeyRole::Actor(Actor::assistant(side));
    // Whoever was the assistant before is not any more.
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

/// Waits until then; for ever without a time.
async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
