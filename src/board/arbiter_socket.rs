//! `/api/arbiter`: all running games of an arbiter at once, over a WebSocket. The client names games and tournaments
//! with its tokens; the server sends each game initially and after each change. Acts go to the games themselves.

use super::access::Peer;
use super::app::{App, Bearer};
use super::boards::ShownBoard;
use super::clock::millis;
use super::failure::Failure;
use super::game_socket::first_message;
use super::hosted::{HostedGame, News, Standing};
use super::room::{Lags, Room};
use super::saved::OfTournament;
use super::sockets::{End, Heartbeat, MAX_MESSAGE, close, expect_no_text, has_ended, limited, send_text};
use super::state::{Seen, ShownSeats, possible_acts};
use super::token::{Fingerprint, GameId};
use super::tournament::{Phase as Stage, Role};
use super::tournament_routes::any_changed;
use super::tournaments::LiveTournament;
use super::words::{self, side};
use crate::chess::Color;
use crate::zone::{Act, Actor, Ending, Event, Game, Moment, Phase};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The maximum number of games that are sent.
const MAX_SHOWN: usize = 100;
/// The maximum numbers of games and of tournaments that a client may name.
const MAX_GAMES: usize = 250;
const MAX_TOURNAMENTS: usize = 50;
/// The number of named games that cost as much as one request.
const GAMES_PER_COST: usize = 8;
/// The interval at which new games are looked for.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum time between two messages, so that quick moves share one.
const PAUSE: Duration = Duration::from_millis(100);

/// The first message of a client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Greeting {
    hello: Hello,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    /// Games, each with the token of its arbiter.
    #[serde(default)]
    games: BTreeMap<String, String>,
    /// Tournaments, each with the token of its host.
    #[serde(default)]
    tournaments: BTreeMap<String, String>,
    /// Whether to watch the other running games of this machine as well, as a spectator.
    #[serde(default)]
    all: bool,
}

/// A message to the client.
#[derive(Serialize)]
struct Told<'a> {
    /// The games that have changed.
    games: Vec<ShownGame<'a>>,
    tournaments: Vec<ShownTournament<'a>>,
    /// The named games and tournaments that are over, or do not accept the token.
    closed: Vec<&'a str>,
    /// The number of running games that are not sent.
    left_out: usize,
}

#[derive(Serialize)]
struct ShownTournament<'a> {
    id: &'a str,
    name: &'a str,
}

/// A game with everything that an arbiter must see at a glance.
#[derive(Serialize)]
struct ShownGame<'a> {
    #[serde(flatten)]
    board: ShownBoard,
    version: usize,
    role: &'static str,
    created: u64,
    tournament: Option<&'a OfTournament>,
    time_control: String,
    /// The time of each player before the first move.
    start_ms: Option<u64>,
    countdown_ms: Option<u64>,
    last_san: Option<&'a str>,
    fullmove: u16,
    seats: ShownSeats<'a>,
    white_lag_ms: Option<u64>,
    black_lag_ms: Option<u64>,
    /// The time of each turn that is not charged because of the network.
    white_compensation_ms: u64,
    black_compensation_ms: u64,
    draw_offer: Option<&'static str>,
    takeback_offer: Option<&'static str>,
    claims: Vec<Claim>,
    can: Vec<&'static str>,
    ending: Option<Ending>,
}

/// A claim that would be granted now.
#[derive(Serialize)]
struct Claim {
    side: &'static str,
    claim: &'static str,
}

/// A game that is sent.
struct Watched {
    id: GameId,
    room: Arc<Room>,
    games: watch::Receiver<Arc<HostedGame>>,
    standing: Standing,
    /// The part of the state that was sent last.
    told: Option<(News, Lags)>,
}

/// Answers `GET /api/arbiter`.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Response {
    limited(upgrade, MAX_MESSAGE).on_upgrade(async move |mut socket| {
        let end = match talk(&mut socket, app, &peer).await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        close(&mut socket, end).await;
    })
}

async fn talk(socket: &mut WebSocket, app: Arc<App>, peer: &Peer) -> Result<Infallible, End> {
    let Greeting { hello } = first_message(socket, peer).await?;
    let mut overview = Overview::new(app, peer, hello).await.map_err(End::Broken)?;
    let mut ending = overview.app.ending.clone();
    let mut heartbeat = Heartbeat::new();
    let mut scans = interval(SCAN_INTERVAL);
    scans.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_first = true;
    loop {
        overview.scan().await;
        overview.tell(socket, is_first).await?;
        is_first = false;
        let games: Vec<_> = overview.watched.iter().map(|watched| watched.games.clone()).collect();
        let mut changes = std::pin::pin!(any_changed(games));
        loop {
            tokio::select! {
                received = socket.recv() => {
                    heartbeat.heard();
                    expect_no_text(received, peer)?;
                }
                () = &mut changes => {
                    sleep(PAUSE).await;
                    break;
                }
                _ = scans.tick() => break,
                () = heartbeat.is_due() => heartbeat.beat(socket).await?,
                () = has_ended(&mut ending) => return Err(End::ServerEnds),
            }
        }
    }
}

/// The games of a client.
struct Overview {
    app: Arc<App>,
    /// The named games, each with the token of its arbiter.
    named: Vec<(GameId, Fingerprint)>,
    /// The tournaments, each with the token of its host.
    tournaments: Vec<(Arc<LiveTournament>, Fingerprint)>,
    /// Whether the client also sees all other games.
    sees_all: bool,
    watched: Vec<Watched>,
    /// Games that are not looked at again, since they are over or cannot be read.
    done: HashSet<GameId>,
    /// The named games and tournaments that have been closed and not yet reported.
    closed: Vec<String>,
    /// The number of running games beyond the limit.
    left_out: usize,
}

impl Overview {
    /// The games of a client that may see at least one, or all.
    ///
    /// # Errors
    /// [`Failure`] if the client names too much, or has no valid token.
    async fn new(app: Arc<App>, peer: &Peer, hello: Hello) -> Result<Self, Failure> {
        for (what, count, most) in [
            ("games", hello.games.len(), MAX_GAMES),
            ("tournaments", hello.tournaments.len(), MAX_TOURNAMENTS),
        ] {
            if count > most {
                return Err(Failure::bad(
                    "too_many_games",
                    format!("{what}: found {count}, expected at most {most}"),
                ));
            }
        }
        let cost = hello.games.len().div_ceil(GAMES_PER_COST) + hello.tournaments.len();
        if !peer.connection.charge(u32::try_from(cost).unwrap_or(u32::MAX)) {
            return Err(Failure::bad("too_many_requests", "too many requests"));
        }
        let mut overview = Self {
            named: Vec::new(),
            tournaments: Vec::new(),
            sees_all: hello.all && peer.is_local,
            watched: Vec::new(),
            done: HashSet::new(),
            closed: Vec::new(),
            left_out: 0,
            app,
        };
        for (id, token) in hello.games {
            match overview.arbiter_of(&id, &token).await {
                Some(named) => overview.named.push(named),
                None => overview.closed.push(id),
            }
        }
        for (id, token) in hello.tournaments {
            match overview.host_of(&id, &token).await {
                Some(hosted) => overview.tournaments.push(hosted),
                None => overview.closed.push(id),
            }
        }
        if overview.named.is_empty() && overview.tournaments.is_empty() && !overview.sees_all {
            let text = "expected the token of the arbiter of a game or of the host of a tournament";
            return Err(Failure::forbidden("not_yours", text));
        }
        Ok(overview)
    }

    /// A game of which the holder of the token is the arbiter.
    async fn arbiter_of(&self, id: &str, token: &str) -> Option<(GameId, Fingerprint)> {
        let fingerprint = Bearer::read(Some(token)).ok()?.fingerprint?;
        let id = GameId::read(id)?;
        let game = self.app.lobby.room(&id).await.ok()?.game();
        let standing = game.standing(Some(fingerprint)).ok()?;
        (standing == Standing::Actor(Actor::Arbiter)).then_some((id, fingerprint))
    }

    /// A tournament of which the holder of the token is the host.
    async fn host_of(&self, id: &str, token: &str) -> Option<(Arc<LiveTournament>, Fingerprint)> {
        let fingerprint = Bearer::read(Some(token)).ok()?.fingerprint?;
        let live = self.app.tournaments.live(id).await.ok()?;
        let tournament = live.tournament();
        let is_host = tournament.role(Some(fingerprint)).ok()? == Role::Host;
        (is_host && tournament.phase != Stage::Over).then_some((live, fingerprint))
    }

    /// Looks for new games, and forgets those whose end has been sent.
    async fn scan(&mut self) {
        let done = &mut self.done;
        let closed = &mut self.closed;
        let named = &self.named;
        self.watched.retain(|watched| {
            let game = watched.room.game();
            let is_done = game.game.ending().is_some()
                && watched.told.is_some_and(|(news, _)| news == game.news(watched.standing));
            if is_done {
                done.insert(watched.id.clone());
                if named.iter().any(|(id, _)| *id == watched.id) {
                    closed.push(watched.id.as_str().to_owned());
                }
            }
            !is_done
        });
        let mut wanted: Vec<(GameId, Option<Fingerprint>)> = Vec::new();
        for (live, host) in &self.tournaments {
            wanted.extend(live.tournament().played().into_iter().map(|(_, _, id)| (id, Some(*host))));
        }
        wanted.extend(self.named.iter().map(|(id, token)| (id.clone(), Some(*token))));
        if self.sees_all {
            wanted.extend(self.app.lobby.running().into_iter().map(|id| (id, None)));
        }
        let mut seen: HashSet<GameId> = self.watched.iter().map(|watched| watched.id.clone()).collect();
        self.left_out = 0;
        for (id, token) in wanted {
            if self.done.contains(&id) || !seen.insert(id.clone()) {
                continue;
            }
            if self.watched.len() >= MAX_SHOWN {
                self.left_out += 1;
            } else {
                self.admit(id, token).await;
            }
        }
    }

    /// Adds a game if it is running.
    async fn admit(&mut self, id: GameId, token: Option<Fingerprint>) {
        let room = self.app.lobby.room(&id).await;
        let admitted = room.ok().and_then(|room| {
            let game = room.game();
            let standing = game.standing(token).ok()?;
            game.game.ending().is_none().then_some((room, standing))
        });
        match admitted {
            Some((room, standing)) => {
                self.watched.push(Watched { id, games: room.watch(), room, standing, told: None });
            }
            None => {
                if self.named.iter().any(|(named, _)| *named == id) {
                    self.closed.push(id.as_str().to_owned());
                }
                self.done.insert(id);
            }
        }
    }

    /// Sends the games that have changed, if there are any, or if `is_first`.
    async fn tell(&mut self, socket: &mut WebSocket, is_first: bool) -> Result<(), End> {
        let mut changed = Vec::new();
        for watched in &mut self.watched {
            let game = Arc::clone(&watched.games.borrow_and_update());
            let lags = *watched.room.lags().borrow();
            let news = Some((game.news(watched.standing), lags));
            if watched.told != news {
                watched.told = news;
                changed.push((game, watched.standing, lags));
            }
        }
        let closed = std::mem::take(&mut self.closed);
        if changed.is_empty() && closed.is_empty() && !is_first {
            return Ok(());
        }
        let now_ms = self.app.clock.now_ms();
        let seen: Vec<_> = changed
            .iter()
            .map(|(game, standing, lags)| (Seen::new(game, *standing), *standing, *lags))
            .collect();
        let tournaments: Vec<_> =
            self.tournaments.iter().map(|(live, _)| (live.id.as_str(), live.tournament())).collect();
        let told = Told {
            games: seen
                .iter()
                .map(|(seen, standing, lags)| ShownGame::new(seen, *standing, *lags, now_ms))
                .collect(),
            tournaments: tournaments
                .iter()
                .map(|(id, tournament)| ShownTournament { id, name: &tournament.conditions.name })
                .collect(),
            closed: closed.iter().map(String::as_str).collect(),
            left_out: self.left_out,
        };
        send_text(socket, &told).await
    }
}

impl<'a> ShownGame<'a> {
    /// A game as its arbiter sees it at `now_ms` of the server's clock, or as a spectator sees it.
    fn new(seen: &Seen<'a>, standing: Standing, lags: Lags, now_ms: u64) -> Self {
        let (hosted, then_ms) = (seen.game(), seen.now_ms(now_ms));
        let (game, at) = (&hosted.game, hosted.moment(then_ms));
        let is_arbiter = standing == Standing::Actor(Actor::Arbiter);
        let [white_lag_ms, black_lag_ms] = if is_arbiter { lags } else { Lags::default() };
        let mover = game.plies().last().map_or(game.position(), |ply| &ply.before);
        Self {
            board: ShownBoard::new(seen, now_ms),
            version: seen.version(),
            role: words::role(standing.actor()),
            created: hosted.created_unix_ms,
            tournament: hosted.head.tournament.as_ref(),
            time_control: game.rules().time_control.to_string(),
            start_ms: game.clocks().at_start().map(millis),
            countdown_ms: match game.phase() {
                Phase::Countdown(start) => Some(millis(start.since(at))),
                _ => None,
            },
            last_san: hosted.plies.last().map(|ply| ply.san.as_str()),
            fullmove: mover.fullmove_number(),
            seats: ShownSeats::new(hosted, then_ms),
            white_lag_ms,
            black_lag_ms,
            white_compensation_ms: millis(game.clocks().lag(Color::White)),
            black_compensation_ms: millis(game.clocks().lag(Color::Black)),
            draw_offer: game.draw_offer().map(side),
            takeback_offer: game.takeback_offer().map(side),
            claims: if is_arbiter { claims(game, at) } else { Vec::new() },
            can: possible_acts(hosted, standing, then_ms),
            ending: game.ending(),
        }
    }
}

/// The claims that would be granted at this moment. They are found by trying each, so that no rule is implemented
/// twice.
fn claims(game: &Game, at: Moment) -> Vec<Claim> {
    let mut granted = Vec::new();
    if game.ending().is_some() {
        return granted;
    }
    for color in Color::ALL {
        for (claim, act) in
            [("draw", Act::ClaimDraw { mv: None }), ("abandoned", Act::ClaimAbandoned { draw: false })]
        {
            let mut trial = game.trial();
            let answer = trial.submit(Event { at, by: Actor::player(color), act });
            if answer.refusal.is_none() && trial.ending().is_some() {
                granted.push(Claim { side: side(color), claim });
            }
        }
    }
    granted
}
