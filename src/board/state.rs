//! The state of a game as one viewer sees it.

use super::clock::millis;
use super::hosted::{HostedGame, Sentence, ShownPly, Standing};
use super::saved::{Head, OfTournament, SavedRematch, SeatKind};
use super::words::{self, side, side_of};
use crate::chess::{Color, Move, Position, Square};
use crate::notation::{CastlingStyle, Fen, San, UciMove};
use crate::zone::{Act, Actor, Cause, EnteredMove, Event, Options, Phase, RuleSet, Rules};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A viewer of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewer<'a> {
    /// The role of the viewer.
    pub(super) standing: Standing,
    /// The viewer's own token.
    pub(super) own_token: Option<&'a str>,
    /// A token that has just been issued to the viewer.
    pub(super) given_token: Option<&'a str>,
}

/// A game as a viewer may see it: for spectators, possibly delayed.
pub(super) struct Seen<'a> {
    game: &'a HostedGame,
    /// Whether `game` is an earlier state of the game.
    is_delayed: bool,
    /// The version of the current game, by which clients order messages.
    version: usize,
}

impl<'a> Seen<'a> {
    /// The part of a game that is visible with this standing.
    pub(super) fn new(game: &'a HostedGame, standing: Standing) -> Self {
        let version = game.version();
        let delayed = match standing {
            Standing::TooLate | Standing::Actor(Actor::Spectator) => game.delayed(),
            _ => None,
        };
        Self { game: delayed.unwrap_or(game), is_delayed: delayed.is_some(), version }
    }

    /// The version of the current game.
    pub(super) const fn version(&self) -> usize {
        self.version
    }

    /// The game.
    pub(super) const fn game(&self) -> &'a HostedGame {
        self.game
    }

    /// The time of the server's clock for which the clocks are shown: that of the last event in a delayed game.
    pub(super) fn now_ms(&self, now_ms: u64) -> u64 {
        if self.is_delayed { self.game.last_ms() } else { now_ms }
    }

    /// The state for this viewer at `now_ms` of the server's clock. A delayed game shows the clocks at the time of its
    /// last event.
    pub(super) fn state<'s>(&'s self, viewer: Viewer<'s>, now_ms: u64) -> State<'s> {
        State { version: self.version, ..State::new(self.game, viewer, self.now_ms(now_ms)) }
    }
}

/// The JSON body of the answer.
#[derive(Serialize)]
pub(super) struct State<'a> {
    id: &'a str,
    version: usize,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<&'static str>,
    created: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<&'a OfTournament>,
    rules: ShownRules,
    start: String,
    fen: String,
    phase: &'static str,
    countdown_ms: Option<u64>,
    turn: &'static str,
    plies: Vec<&'a ShownPly>,
    clocks: ShownClocks,
    legal: Vec<LegalMove>,
    check: Option<String>,
    last: Option<[String; 2]>,
    halfmoves: u16,
    seats: ShownSeats<'a>,
    spectators: usize,
    draw_offer: Option<&'static str>,
    takeback_offer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
    #[serde(skip_serializing_if = "<[EnteredMove]>::is_empty")]
    premoves: &'a [EnteredMove],
    can: Vec<&'static str>,
    ending: Option<crate::zone::Ending>,
    rematch: Option<ShownRematch<'a>>,
    events: Vec<&'a Sentence>,
}

#[derive(Serialize)]
struct ShownRules {
    set: RuleSet,
    time_control: String,
    text: String,
    countdown_s: u64,
    first_moves_free: bool,
    casual: bool,
    decline: bool,
    abandonment_s: Option<u64>,
    chess960: bool,
    spectator_delay: u16,
    lag_compensation_ms: u64,
}

#[derive(Serialize)]
struct ShownClocks {
    white_ms: Option<u64>,
    black_ms: Option<u64>,
    /// The time of each player before the first move.
    start_ms: Option<u64>,
    running: Option<&'static str>,
    /// The time until the running clock begins to lose time.
    delay_ms: Option<u64>,
    /// The time of each turn that is not charged because of the network.
    white_compensation_ms: u64,
    black_compensation_ms: u64,
    /// The number of moves until the next time control.
    white_moves_to_go: Option<u32>,
    black_moves_to_go: Option<u32>,
    /// The sides that have halved their clocks.
    berserk: Vec<&'static str>,
}

/// A legal move.
#[derive(Serialize)]
pub(super) struct LegalMove {
    /// The move in UCI notation.
    pub(super) uci: String,
    /// The move in SAN.
    pub(super) san: String,
}

impl LegalMove {
    /// Converts moves of a position.
    pub(super) fn all(
        position: &Position,
        moves: impl IntoIterator<Item = Move>,
        style: CastlingStyle,
    ) -> Vec<Self> {
        let shown =
            |mv| Self { uci: UciMove::new(mv, style).to_string(), san: San::new(position, mv).to_string() };
        moves.into_iter().map(shown).collect()
    }
}

/// The two seats.
#[derive(Serialize)]
pub(super) struct ShownSeats<'a> {
    white: ShownSeat<'a>,
    black: ShownSeat<'a>,
}

impl<'a> ShownSeats<'a> {
    /// The seats of a game at `now_ms` of the server's clock.
    pub(super) fn new(hosted: &'a HostedGame, now_ms: u64) -> Self {
        let at = hosted.moment(now_ms);
        let seat = |color: Color| {
            let book = match &hosted.head.seats[color as usize] {
                SeatKind::Engine(opponent) => opponent.book.as_deref(),
                SeatKind::Person => None,
            };
            let seat = hosted.game.seat(color);
            ShownSeat {
                player: seat.player.as_deref(),
                kind: if hosted.is_engine(color) { "engine" } else { "person" },
                away_ms: seat.away_since.map(|since| millis(at.since(since))),
                assistant: seat.assistant.as_deref(),
                book,
            }
        };
        Self { white: seat(Color::White), black: seat(Color::Black) }
    }
}

#[derive(Serialize)]
struct ShownSeat<'a> {
    player: Option<&'a str>,
    kind: &'static str,
    away_ms: Option<u64>,
    assistant: Option<&'a str>,
    /// The name of the opening book of an engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ShownRematch<'a> {
    Offered { offered_by: &'static str },
    Made { id: &'a str, token: Option<&'a str> },
}

impl<'a> State<'a> {
    /// The state of a game for this viewer at `now_ms` of the server's clock.
    pub(super) fn new(hosted: &'a HostedGame, viewer: Viewer<'a>, now_ms: u64) -> Self {
        let game = &hosted.game;
        let (actor, at) = (viewer.standing.actor(), hosted.moment(now_ms));
        let own = side_of(actor).filter(|&color| actor == Actor::player(color));
        let own_seat = own.map(|color| game.seat(color)).filter(|seat| seat.player.is_some());
        let position = game.position();
        let style = hosted.castling_style();
        let left = |color| game.clocks().left(color, at).map(millis);
        let legal = match game.phase() {
            Phase::Playing => LegalMove::all(position, position.legal_moves(), style),
            _ => Vec::new(),
        };
        let squares = |(from, to): (Square, Square)| [from.to_string(), to.to_string()];
        Self {
            id: hosted.id.as_str(),
            version: hosted.version(),
            role: words::role(actor),
            token: viewer.given_token,
            invitation: match viewer.standing {
                Standing::Actor(_) => None,
                Standing::Invited(_) => Some("open"),
                Standing::TooLate => Some("taken"),
            },
            created: hosted.created_unix_ms,
            tournament: hosted.head.tournament.as_ref(),
            rules: shown_rules(game.rules(), &hosted.head),
            start: Fen::new(&hosted.start).to_string(),
            fen: Fen::new(position).to_string(),
            phase: hosted.phase_name(),
            countdown_ms: match game.phase() {
                Phase::Countdown(start) => Some(millis(start.since(at))),
                _ => None,
            },
            turn: side(position.turn()),
            plies: hosted.plies.iter().map(Arc::as_ref).collect(),
            clocks: ShownClocks {
                white_ms: left(Color::White),
                black_ms: left(Color::Black),
                start_ms: game.clocks().at_start().map(millis),
                running: game.clocks().running().map(side),
                delay_ms: game.clocks().until_charged(at).map(millis),
                white_compensation_ms: millis(game.clocks().lag(Color::White)),
                black_compensation_ms: millis(game.clocks().lag(Color::Black)),
                white_moves_to_go: game.clocks().moves_to_go(Color::White),
                black_moves_to_go: game.clocks().moves_to_go(Color::Black),
                berserk: Color::ALL
                    .into_iter()
                    .filter(|&color| game.clocks().is_berserk(color))
                    .map(side)
                    .collect(),
            },
            legal,
            check: position.is_check().then(|| position.king(position.turn()).to_string()),
            last: game.plies().last().map(|ply| squares((ply.mv.from(), ply.mv.landing()))),
            halfmoves: position.halfmove_clock(),
            seats: ShownSeats::new(hosted, now_ms),
            spectators: hosted.spectators,
            draw_offer: game.draw_offer().map(side),
            takeback_offer: game.takeback_offer().map(side),
            options: own_seat.map(|seat| seat.options),
            premoves: own_seat.map_or(&[], |seat| &seat.premoves),
            can: possible_acts(hosted, viewer.standing, now_ms),
            ending: game.ending(),
            rematch: hosted.rematch.as_ref().map(|rematch| match rematch {
                SavedRematch::WhiteOffers => ShownRematch::Offered { offered_by: side(Color::White) },
                SavedRematch::BlackOffers => ShownRematch::Offered { offered_by: side(Color::Black) },
                SavedRematch::Made(id) => {
                    let has_part = own.is_some() || actor == Actor::Arbiter;
                    ShownRematch::Made { id, token: viewer.own_token.filter(|_| has_part) }
                }
            }),
            events: hosted
                .sentences
                .iter()
                .map(Arc::as_ref)
                .filter(|sentence| sentence.private_to.is_none_or(|color| own == Some(color)))
                .collect(),
        }
    }
}

fn shown_rules(rules: &Rules, head: &Head) -> ShownRules {
    ShownRules {
        set: rules.set,
        time_control: rules.time_control.to_string(),
        text: words::time_control(&rules.time_control),
        countdown_s: rules.countdown.as_secs(),
        first_moves_free: rules.first_moves_free,
        casual: rules.casual,
        decline: rules.decline,
        abandonment_s: rules.abandonment.map(|time| time.as_secs()),
        chess960: head.is_chess960,
        spectator_delay: head.spectator_delay,
        lag_compensation_ms: millis(rules.lag_compensation),
    }
}

/// The names of the acts that the zone would accept now. They are found by trying each, so that no rule is implemented
/// twice.
pub(super) fn possible_acts(hosted: &HostedGame, standing: Standing, now_ms: u64) -> Vec<&'static str> {
    let actor = match standing {
        Standing::Invited(color) if hosted.game.seat(color).player.is_none() => return vec!["sit"],
        Standing::Invited(_) | Standing::TooLate | Standing::Actor(Actor::Spectator) => return Vec::new(),
        Standing::Actor(actor) => actor,
    };
    if hosted.game.ending().is_some() {
        let is_made = matches!(hosted.rematch, Some(SavedRematch::Made(_)));
        let has_offered = match hosted.rematch {
            Some(SavedRematch::WhiteOffers) => actor == Actor::White,
            Some(SavedRematch::BlackOffers) => actor == Actor::Black,
            _ => false,
        };
        let is_single = hosted.head.tournament.is_none();
        let can_ask = matches!(actor, Actor::White | Actor::Black) && is_single && !is_made && !has_offered;
        return if can_ask { vec!["rematch"] } else { Vec::new() };
    }
    let game = &hosted.game;
    // Any legal move serves for the trials.
    let mv = game.position().legal_moves().first().map(|&mv| EnteredMove::from(mv));
    let Some(mv) = mv else { return Vec::new() };
    let name = String::from("?");
    let side = Color::White;
    let acts = [
        ("move", Act::Move { mv }),
        ("premove", Act::Premove { mv, add: false }),
        ("resign", Act::Resign),
        ("offer_draw", Act::OfferDraw),
        ("accept_draw", Act::AcceptDraw),
        ("decline_draw", Act::DeclineDraw),
        ("claim_draw", Act::ClaimDraw { mv: None }),
        ("abort", Act::Abort),
        ("claim_abandoned", Act::ClaimAbandoned { draw: false }),
        ("offer_takeback", Act::OfferTakeback),
        ("accept_takeback", Act::AcceptTakeback),
        ("decline_takeback", Act::DeclineTakeback),
        ("give_time", Act::GiveTime),
        ("berserk", Act::Berserk),
        ("pause", Act::Pause),
        ("resume", Act::Resume),
        ("add_time", Act::AddTime { side, time: Duration::ZERO }),
        ("adjudicate", Act::Adjudicate { winner: None, cause: Cause::Adjudication }),
        ("allow_assistant", Act::AllowAssistant { side, name }),
    ];
    let at = hosted.moment(now_ms);
    let mut trial = game.trial();
    let mut names = Vec::new();
    for (name, act) in acts {
        if trial.submit(Event { at, by: actor, act }).refusal.is_none() {
            names.push(name);
            trial = game.trial();
        }
    }
    if hosted.head.tournament.is_some() {
        names.retain(|&name| name != "abort");
    }
    // An offer in reply to an offer accepts it, so only one of them is listed.
    if names.contains(&"accept_draw") {
        names.retain(|&name| name != "offer_draw");
    }
    names
}
