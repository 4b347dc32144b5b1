//! The effect of each act on a game.

use super::clock::Moment;
use super::ending::{Ending, Reason};
use super::event::{Act, Actor, Effect, Event, MAX_PREMOVES, Refusal};
use super::game::{Game, MAX_ABORT_PLIES, Phase, Ply};
use super::input::EnteredMove;
use super::rules::{GIVEN_TIME, RuleSet, WRONG_CLAIM_BONUS};
use crate::chess::{Color, FIFTY_MOVES, Move, THREEFOLD};

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 100;

type Taken = Result<Vec<Effect>, Refusal>;

impl Game {
    /// Applies an event.
    ///
    /// # Errors
    /// The reason why the event is refused; the game is unchanged.
    pub(super) fn take(&mut self, event: &Event) -> Taken {
        let Event { at, by, act } = event;
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        match by {
            Actor::White => self.by_player(Color::White, act, *at),
            Actor::Black => self.by_player(Color::Black, act, *at),
            Actor::WhiteAssistant => self.by_assistant(Color::White, act, *at),
            Actor::BlackAssistant => self.by_assistant(Color::Black, act, *at),
            Actor::Arbiter => self.by_arbiter(act, *at),
            Actor::Spectator => Err(Refusal::NotYours),
            Actor::Zone => self.by_itself(act, *at),
        }
    }

    /// Whether an event would be accepted and change nothing, such as options that are already chosen.
    pub fn is_without_effect(&self, event: &Event) -> bool {
        let (side, is_player) = match event.by {
            Actor::White => (Color::White, true),
            Actor::Black => (Color::Black, true),
            Actor::WhiteAssistant => (Color::White, false),
            Actor::BlackAssistant => (Color::Black, false),
            Actor::Arbiter | Actor::Spectator | Actor::Zone => return false,
        };
        let seat = &self.seats[side];
        if self.ending().is_some() || seat.player.is_none() || !is_player && seat.assistant.is_none() {
            return false;
        }
        let is_playing = self.phase == Phase::Playing;
        match &event.act {
            Act::Connect => is_player && seat.away_since.is_none(),
            Act::Disconnect => is_player && seat.away_since.is_some(),
            Act::Choose { options } => is_player && seat.options == *options,
            Act::CancelPremove => is_playing && seat.premoves.is_empty(),
            Act::Premove { mv, add: false } => {
                is_playing && self.position.turn() != side && seat.premoves == [*mv]
            }
            _ => false,
        }
    }

    fn by_itself(&mut self, act: &Act, at: Moment) -> Taken {
        match (act, self.phase) {
            (Act::Begin, Phase::Countdown(start)) if start <= at => Ok(self.begin(at)),
            (Act::Flag, Phase::Playing) if self.clocks.deadline().is_some_and(|deadline| deadline <= at) => {
                let loser = self.position.turn();
                let ending = self.lost_by(loser, Reason::TimeForfeit, Reason::DrawnTimeForfeit);
                Ok(vec![self.end(ending, at)])
            }
            (Act::Begin | Act::Flag, _) => Err(Refusal::TooEarly),
            _ => Err(Refusal::NotYours),
        }
    }

    fn by_assistant(&mut self, color: Color, act: &Act, at: Moment) -> Taken {
        match act {
            Act::Move { .. } | Act::Premove { .. } | Act::CancelPremove
                if self.seats[color].assistant.is_some() =>
            {
                self.by_player(color, act, at)
            }
            _ => Err(Refusal::NotYours),
        }
    }

    fn by_player(&mut self, side: Color, act: &Act, at: Moment) -> Taken {
        match act {
            Act::Sit { name } => return self.sit(side, name, at),
            _ if self.seats[side].player.is_none() => return Err(Refusal::NotYours),
            Act::Connect => {
                self.seats[side].away_since = None;
                return Ok(vec![Effect::Back { side }]);
            }
            Act::Disconnect => {
                self.seats[side].away_since.get_or_insert(at);
                return Ok(vec![Effect::Away { side }]);
            }
            Act::Choose { options } => {
                let seat = &mut self.seats[side];
                seat.options = *options;
                if !options.premove {
                    seat.premoves.clear();
                }
                return Ok(vec![Effect::Noted { side }]);
            }
            Act::Abort if self.plies.len() >= MAX_ABORT_PLIES => return Err(Refusal::TooLate),
            Act::Abort => return Ok(vec![self.end(Ending::draw(Reason::Aborted), at)]),
            _ => {}
        }
        match (self.phase, act) {
            (Phase::Countdown(_) | Phase::Playing, Act::Berserk) => self.play_berserk(side),
            (Phase::Waiting | Phase::Countdown(_), _) => Err(Refusal::NotBegun),
            (Phase::Playing | Phase::Paused, Act::Resign) => Ok(vec![self.resign(side, at)]),
            (Phase::Paused, _) => Err(Refusal::Paused),
            (Phase::Over(_), _) => Err(Refusal::Over),
            (Phase::Playing, act) => self.in_play(side, act, at),
        }
    }

    fn play_berserk(&mut self, side: Color) -> Taken {
        if !self.rules.berserk || !self.clocks.can_be_halved() {
            return Err(Refusal::NotInRules);
        }
        if self.clocks.is_berserk(side) || self.moves_of(side) > 0 {
            return Err(Refusal::TooLate);
        }
        self.clocks.halve(side);
        Ok(vec![Effect::Berserk { side }])
    }

    fn in_play(&mut self, side: Color, act: &Act, at: Moment) -> Taken {
        let has_move = self.position.turn() == side;
        match act {
            Act::Move { .. } | Act::ClaimDraw { .. } if !has_move => Err(Refusal::NotYourTurn),
            Act::Move { mv } => {
                let mv = mv.resolve(&self.position, self.seats[side].options.auto_queen)?;
                Ok(self.make_move(mv, at))
            }
            Act::Premove { .. } if !self.seats[side].options.premove => Err(Refusal::NotInRules),
            Act::Premove { .. } if has_move => Err(Refusal::YourTurn),
            Act::Premove { mv, add } => {
                let premoves = &mut self.seats[side].premoves;
                if *add && premoves.len() >= MAX_PREMOVES {
                    return Err(Refusal::TooManyPremoves);
                }
                if !add {
                    premoves.clear();
                }
                premoves.push(*mv);
                Ok(vec![Effect::Noted { side }])
            }
            Act::CancelPremove => {
                self.seats[side].premoves.clear();
                Ok(vec![Effect::Noted { side }])
            }
            Act::OfferDraw => self.offer_draw(side, at),
            Act::AcceptDraw if self.draw_offer == Some(!side) => self.agree(at),
            Act::DeclineDraw if !self.rules.decline => Err(Refusal::NotInRules),
            Act::DeclineDraw if self.draw_offer == Some(!side) => {
                self.draw_offer = None;
                Ok(vec![Effect::DrawOfferEnded { side: !side }])
            }
            Act::AcceptDraw | Act::DeclineDraw => Err(Refusal::NothingOffered),
            Act::ClaimDraw { mv } => self.claim(side, *mv, at),
            Act::ClaimAbandoned { draw } => self.claim_abandoned(side, *draw, at),
            Act::OfferTakeback | Act::AcceptTakeback | Act::DeclineTakeback | Act::GiveTime
                if !self.rules.casual =>
            {
                Err(Refusal::NotInRules)
            }
            Act::GiveTime if !self.clocks.is_timed() => Err(Refusal::NotInRules),
            Act::GiveTime => {
                self.clocks.give(!side, GIVEN_TIME);
                Ok(vec![Effect::TimeAdded { side: !side, time: GIVEN_TIME }])
            }
            Act::OfferTakeback => self.offer_takeback(side),
            Act::AcceptTakeback if self.takeback_offer == Some(!side) => Ok(self.take_back(!side, at)),
            Act::DeclineTakeback if self.takeback_offer == Some(!side) => {
                self.takeback_offer = None;
                Ok(vec![Effect::TakebackEnded { side: !side }])
            }
            Act::AcceptTakeback | Act::DeclineTakeback => Err(Refusal::NothingOffered),
            _ => Err(Refusal::NotYours),
        }
    }

    fn by_arbiter(&mut self, act: &Act, at: Moment) -> Taken {
        match act {
            Act::Pause if self.phase == Phase::Playing => {
                self.clocks.stop(at);
                self.phase = Phase::Paused;
                Ok(vec![Effect::Paused])
            }
            Act::Pause if self.phase == Phase::Paused => Err(Refusal::Paused),
            Act::Pause => Err(Refusal::NotBegun),
            Act::Resume if self.phase != Phase::Paused => Err(Refusal::NotPaused),
            Act::Resume => {
                self.phase = Phase::Playing;
                self.start_clock(at);
                Ok(vec![Effect::Resumed])
            }
            Act::AddTime { .. } if !self.clocks.is_timed() => Err(Refusal::NotInRules),
            Act::AddTime { side, time } => {
                self.clocks.give(*side, *time);
                Ok(vec![Effect::TimeAdded { side: *side, time: *time }])
            }
            Act::CompensateLag { time, .. }
                if !self.clocks.is_timed() || *time > self.rules.lag_compensation =>
            {
                Err(Refusal::NotInRules)
            }
            Act::CompensateLag { side, time } => {
                self.clocks.set_lag(*side, *time);
                Ok(vec![Effect::LagCompensated { side: *side }])
            }
            Act::Adjudicate { winner, cause } => {
                Ok(vec![self.end(Ending { winner: *winner, reason: Reason::Arbiter(*cause) }, at)])
            }
            Act::AllowAssistant { side, name } => {
                self.seats[*side].assistant = Some(checked_name(name)?);
                Ok(vec![Effect::AssistantAllowed { side: *side }])
            }
            Act::Abort => Ok(vec![self.end(Ending::draw(Reason::Aborted), at)]),
            _ => Err(Refusal::NotYours),
        }
    }

    fn sit(&mut self, side: Color, name: &str, at: Moment) -> Taken {
        let name = checked_name(name)?;
        if self.seats[side].player.is_some() {
            return Err(Refusal::SeatTaken);
        }
        self.seats[side].player = Some(name);
        let mut effects = vec![Effect::Seated { side }];
        if self.seats.iter().all(|seat| seat.player.is_some()) {
            self.phase = Phase::Countdown(at.after(self.rules.countdown));
            if self.rules.countdown.is_zero() {
                effects.extend(self.begin(at));
            }
        }
        Ok(effects)
    }

    /// Starts the game, or ends it immediately if the initial position is final.
    fn begin(&mut self, at: Moment) -> Vec<Effect> {
        self.phase = Phase::Playing;
        let mut effects = vec![Effect::Began];
        match self.judge() {
            Some(ending) => effects.push(self.end(ending, at)),
            None => self.start_clock(at),
        }
        effects
    }

    /// Starts the clock of the side to move, unless no time is charged for its move.
    fn start_clock(&mut self, at: Moment) {
        let is_free = self.rules.first_moves_free && self.plies.len() < Color::COUNT;
        if !is_free {
            self.clocks.start(self.position.turn(), at);
        }
    }

    /// Makes a legal move, followed by premoves as long as they are legal.
    fn make_move(&mut self, mv: Move, at: Moment) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut next = Some((mv, false));
        while let Some((mv, premove)) = next.take() {
            let side = self.position.turn();
            self.push(mv, at);
            effects.push(Effect::Moved { side, mv: mv.into(), premove });
            if self.draw_offer == Some(!side) {
                self.draw_offer = None;
                effects.push(Effect::DrawOfferEnded { side: !side });
            }
            if let Some(side) = self.takeback_offer.take() {
                effects.push(Effect::TakebackEnded { side });
            }
            if let Some(ending) = self.judge() {
                effects.push(self.end(ending, at));
                break;
            }
            self.start_clock(at);
            let seat = &mut self.seats[!side];
            if let Some(entered) = seat.premoves.first().copied() {
                match entered.resolve(&self.position, seat.options.auto_queen) {
                    Ok(mv) => {
                        seat.premoves.remove(0);
                        next = Some((mv, true));
                    }
                    Err(_) => {
                        // Later premoves were planned for the illegal one and are dropped with it.
                        seat.premoves.clear();
                        effects.push(Effect::PremoveDropped { side: !side });
                    }
                }
            }
        }
        effects
    }

    fn push(&mut self, mv: Move, at: Moment) {
        let (side, before, clocks) = (self.position.turn(), self.position, self.clocks.state());
        let spent = self.clocks.turn(side, at);
        self.clocks.end_turn(side, at);
        self.position = before.after(mv).0;
        self.history.push(&self.position);
        let left = Color::ALL.map(|color| self.clocks.left(color, at));
        self.plies.push(Ply { mv, before, at, spent, left, clocks });
    }

    fn resign(&mut self, side: Color, at: Moment) -> Effect {
        let ending = match self.rules.set {
            RuleSet::Online => Ending::win(!side, Reason::Resignation),
            RuleSet::Otb => self.lost_by(side, Reason::Resignation, Reason::DrawnResignation),
        };
        self.end(ending, at)
    }

    fn offer_draw(&mut self, side: Color, at: Moment) -> Taken {
        match self.draw_offer {
            Some(offerer) if offerer == side => Err(Refusal::AlreadyOffered),
            // An offer in reply to an offer accepts it.
            Some(_) => self.agree(at),
            None => {
                self.draw_offer = Some(side);
                Ok(vec![Effect::DrawOffered { side }])
            }
        }
    }

    fn agree(&mut self, at: Moment) -> Taken {
        if self.rules.set == RuleSet::Otb && self.plies.len() < Color::COUNT {
            return Err(Refusal::TooEarly);
        }
        Ok(vec![self.end(Ending::draw(Reason::Agreement), at)])
    }

    /// Claims a draw. A wrong claim counts as an offer (Laws 9.1.2.3), the opponent gets time, and the intended move is
    /// made (9.5.3).
    fn claim(&mut self, side: Color, mv: Option<EnteredMove>, at: Moment) -> Taken {
        if self.rules.set != RuleSet::Otb {
            return Err(Refusal::NotInRules);
        }
        let mv = mv.map(|mv| mv.resolve(&self.position, self.seats[side].options.auto_queen)).transpose()?;
        let position = mv.map_or(self.position, |mv| self.position.after(mv).0);
        let mut history = self.history.clone();
        if mv.is_some() {
            history.push(&position);
        }
        let drawn = if history.repetitions(&position) + 1 >= THREEFOLD {
            Some(Reason::ThreefoldRepetition)
        } else {
            (position.halfmove_clock() >= FIFTY_MOVES).then_some(Reason::FiftyMoves)
        };
        if let Some(reason) = drawn {
            return Ok(vec![self.end(Ending::draw(reason), at)]);
        }
        let mut effects = vec![Effect::ClaimRejected { side }];
        if self.clocks.is_timed() {
            self.clocks.give(!side, WRONG_CLAIM_BONUS);
            effects.push(Effect::TimeAdded { side: !side, time: WRONG_CLAIM_BONUS });
        }
        // It takes the place of an offer of the opponent, which the intended move would end.
        let before = self.draw_offer.replace(side);
        effects.extend(before.filter(|&other| other != side).map(|side| Effect::DrawOfferEnded { side }));
        if before != Some(side) {
            effects.push(Effect::DrawOffered { side });
        }
        if let Some(mv) = mv {
            effects.extend(self.make_move(mv, at));
        }
        Ok(effects)
    }

    fn claim_abandoned(&mut self, side: Color, is_draw: bool, at: Moment) -> Taken {
        let limit = self.rules.abandonment.ok_or(Refusal::NotInRules)?;
        let away = self.seats[!side].away_since.ok_or(Refusal::TooEarly)?;
        if at.since(away) < limit {
            return Err(Refusal::TooEarly);
        }
        let ending = Ending { winner: (!is_draw).then_some(side), reason: Reason::Abandonment };
        Ok(vec![self.end(ending, at)])
    }

    fn offer_takeback(&mut self, side: Color) -> Taken {
        match self.takeback_offer {
            Some(offerer) if offerer == side => Err(Refusal::AlreadyOffered),
            _ if self.plies.len() < self.plies_to_take_back(side) => Err(Refusal::TooEarly),
            _ => {
                self.takeback_offer = Some(side);
                Ok(vec![Effect::TakebackOffered { side }])
            }
        }
    }

    /// The number of plies to take back: the last move of this side, and the opponent's reply if there is one.
    fn plies_to_take_back(&self, side: Color) -> usize {
        if self.position.turn() == side { 2 } else { 1 }
    }

    /// Takes back the last move of this side, and the opponent's reply. The clocks are reset to their times before the
    /// move.
    fn take_back(&mut self, side: Color, at: Moment) -> Vec<Effect> {
        let plies = self.plies_to_take_back(side);
        for _ in 0..plies {
            let Some(ply) = self.plies.pop() else { break };
            self.position = ply.before;
            self.history.pop();
            self.clocks.put_back(ply.clocks, at);
        }
        self.takeback_offer = None;
        for seat in &mut self.seats {
            seat.premoves.clear();
        }
        self.start_clock(at);
        let mut effects = vec![Effect::TakenBack { plies }];
        // The offer was made in a position that is no longer on the board.
        effects.extend(self.draw_offer.take().map(|side| Effect::DrawOfferEnded { side }));
        effects
    }
}

/// The trimmed name; refused if it is empty, too long, or contains control characters.
fn checked_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let is_good = (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_good { Ok(name.to_owned()) } else { Err(Refusal::Name) }
}
