//! Correspondence chess: acts of a player as EPD records, and back (PGN standard, 16.2.5).
//!
//! A record contains the position in which its player is to move. `sm` is the move; `draw_offer` and `draw_claim`
//! require one, `draw_accept`, `draw_reject` and `resign` exclude one. `rc`, `hmvc` and `fmvn` state the rest of the
//! position's state, so that both sides notice if their games differ.

use super::event::{Act, Actor};
use super::game::Game;
use super::input::EnteredMove;
use crate::chess::{Color, Key, Move, Position};
use crate::notation::{Correspondent, Epd, Fen, Operation};
use std::num::{NonZeroU16, NonZeroU32};
use thiserror::Error;

/// The content of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The acts of the player, in this order.
    pub acts: Vec<Act>,
    /// The number of the game between the two players (`tcgs`).
    pub game: Option<NonZeroU32>,
    /// The sender (`tcsi`).
    pub sender: Option<Correspondent>,
    /// The receiver (`tcri`).
    pub receiver: Option<Correspondent>,
}

/// An error of a record that does not fit the game, or of an act that cannot be a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MessageError {
    /// The record has another position than the game.
    #[error("the record is about another position; expected {0}")]
    OtherPosition(String),
    /// The record has another move counter or repetition count than the game.
    #[error("the record has {opcode} {found}, but the game has {expected}")]
    OtherCount {
        /// The opcode.
        opcode: &'static str,
        /// The value in the record.
        found: u32,
        /// The value in the game.
        expected: u32,
    },
    /// The record offers or claims a draw without a move.
    #[error("{0} needs a move in the same record (sm)")]
    NeedsMove(&'static str),
    /// Operations contradict each other.
    #[error("{0} and {1} exclude each other")]
    Contradiction(&'static str, &'static str),
    /// The record contains no act.
    #[error("the record has neither a move (sm) nor anything else to do in a game")]
    Empty,
    /// The player of the act is not to move.
    #[error("only the side to move can send that in a record")]
    NotToMove,
    /// No act that can be a record has been done yet.
    #[error("nothing has been done yet that a record can have")]
    NothingDone,
}

impl Message {
    /// Reads the acts of a record for a game. Whether the rules allow them is only known when they are submitted.
    ///
    /// # Errors
    /// [`MessageError`] if the record does not fit the game, or its operations contradict each other.
    pub fn read(game: &Game, epd: &Epd) -> Result<Self, MessageError> {
        let position = game.position();
        if epd.position().key() != position.key() {
            return Err(MessageError::OtherPosition(Fen::new(position).to_string()));
        }
        let mut message = Self { acts: Vec::new(), game: None, sender: None, receiver: None };
        let (mut mv, mut acts) = (None, Vec::new());
        let same = |opcode, found: u32, expected: u32| match found == expected {
            true => Ok(()),
            false => Err(MessageError::OtherCount { opcode, found, expected }),
        };
        for operation in epd.operations() {
            match operation {
                Operation::SuppliedMove(supplied) => mv = Some(EnteredMove::from(*supplied)),
                Operation::HalfmoveClock(clock) => {
                    same("hmvc", (*clock).into(), position.halfmove_clock().into())?;
                }
                Operation::FullmoveNumber(number) => {
                    same("fmvn", number.get().into(), position.fullmove_number().into())?;
                }
                Operation::RepetitionCount(count) => same("rc", count.get(), occurrences(game))?,
                Operation::GameSelector(number) => message.game = Some(*number),
                Operation::Sender(sender) => message.sender = Some(sender.clone()),
                Operation::Receiver(receiver) => message.receiver = Some(receiver.clone()),
                Operation::DrawAccept => acts.push("draw_accept"),
                Operation::DrawClaim => acts.push("draw_claim"),
                Operation::DrawOffer => acts.push("draw_offer"),
                Operation::DrawReject => acts.push("draw_reject"),
                Operation::Resign => acts.push("resign"),
                _ => {}
            }
        }
        message.acts = acts_of(mv, &acts)?;
        Ok(message)
    }
}

fn acts_of(mv: Option<EnteredMove>, opcodes: &[&'static str]) -> Result<Vec<Act>, MessageError> {
    if let [one, other, ..] = *opcodes {
        return Err(MessageError::Contradiction(one, other));
    }
    match (opcodes.first().copied(), mv) {
        (None, None) => Err(MessageError::Empty),
        (None, Some(mv)) => Ok(vec![Act::Move { mv }]),
        (Some("draw_offer"), Some(mv)) => Ok(vec![Act::Move { mv }, Act::OfferDraw]),
        (Some("draw_claim"), Some(mv)) => Ok(vec![Act::ClaimDraw { mv: Some(mv) }]),
        // A move itself rejects an offer (Online 5.3).
        (Some("draw_reject"), Some(mv)) => Ok(vec![Act::Move { mv }]),
        (Some(opcode @ ("draw_offer" | "draw_claim")), None) => Err(MessageError::NeedsMove(opcode)),
        (Some(opcode), Some(_)) => Err(MessageError::Contradiction(opcode, "sm")),
        (Some("draw_accept"), None) => Ok(vec![Act::AcceptDraw]),
        (Some("draw_reject"), None) => Ok(vec![Act::DeclineDraw]),
        (Some(_), None) => Ok(vec![Act::Resign]),
    }
}

/// The record of the latest act of a player, to be sent to the opponent.
///
/// # Errors
/// [`MessageError`] if there is no such act, or it cannot be a record.
pub fn last_record(game: &Game) -> Result<Epd, MessageError> {
    let told = game
        .journal()
        .iter()
        .rev()
        .find_map(|event| Some((player_of(event.by)?, &event.act, is_told(&event.act)?)));
    let (side, act, ()) = told.ok_or(MessageError::NothingDone)?;
    let has_move = game.position().turn() == side;
    let operation = match act {
        // An offer belongs to the player's previous move.
        Act::OfferDraw if has_move => return Err(MessageError::NeedsMove("draw_offer")),
        Act::ClaimDraw { mv: None } => return Err(MessageError::NeedsMove("draw_claim")),
        Act::ClaimDraw { mv: Some(mv) } => return claim(game, side, *mv),
        Act::AcceptDraw => Operation::DrawAccept,
        Act::DeclineDraw => Operation::DrawReject,
        Act::Resign => Operation::Resign,
        _ => return last_move(game),
    };
    if !has_move {
        return Err(MessageError::NotToMove);
    }
    let mut epd = record(*game.position(), occurrences(game));
    epd.set(operation);
    Ok(epd)
}

/// The record of the latest move, with the draw offer made together with it.
fn last_move(game: &Game) -> Result<Epd, MessageError> {
    let last = game.plies().last().ok_or(MessageError::NothingDone)?;
    let mut epd = moved(game, last.mv, last.before);
    if game.draw_offer() == Some(last.before.turn()) {
        epd.set(Operation::DrawOffer);
    }
    Ok(epd)
}

/// The record of a claim with an intended move, which has been made if the claim was wrong.
fn claim(game: &Game, side: Color, intended: EnteredMove) -> Result<Epd, MessageError> {
    let position = *game.position();
    let mut epd = if position.turn() == side {
        let mv = intended.resolve(&position, false).map_err(|_| MessageError::NothingDone)?;
        let mut epd = record(position, occurrences(game));
        epd.set(Operation::SuppliedMove(mv));
        epd
    } else {
        last_move(game)?
    };
    // A claim includes an offer.
    epd.remove("draw_offer");
    epd.set(Operation::DrawClaim);
    Ok(epd)
}

fn moved(game: &Game, mv: Move, before: Position) -> Epd {
    let count = count(game, before.key(), game.plies().len());
    let mut epd = record(before, count);
    epd.set(Operation::SuppliedMove(mv));
    epd
}

/// A record of a position with its move counters and its repetition count.
fn record(position: Position, occurrences: u32) -> Epd {
    let mut epd = Epd::new(position);
    epd.set(Operation::HalfmoveClock(position.halfmove_clock()));
    if let Some(number) = NonZeroU16::new(position.fullmove_number()) {
        epd.set(Operation::FullmoveNumber(number));
    }
    if let Some(count) = NonZeroU32::new(occurrences) {
        epd.set(Operation::RepetitionCount(count));
    }
    epd
}

/// The number of occurrences of the position on the board, including the current one.
fn occurrences(game: &Game) -> u32 {
    let key = game.position().key();
    count(game, key, game.plies().len()) + 1
}

/// The number of positions with this key before the first `plies` moves of the game.
fn count(game: &Game, key: Key, plies: usize) -> u32 {
    game.plies()[..plies].iter().filter(|ply| ply.before.key() == key).count() as u32
}

fn player_of(actor: Actor) -> Option<Color> {
    match actor {
        Actor::White | Actor::WhiteAssistant => Some(Color::White),
        Actor::Black | Actor::BlackAssistant => Some(Color::Black),
        Actor::Arbiter | Actor::Spectator | Actor::Zone => None,
    }
}

/// `Some` if the act can be a record.
fn is_told(act: &Act) -> Option<()> {
    let is_told = matches!(
        act,
        Act::Move { .. }
            | Act::OfferDraw
            | Act::AcceptDraw
            | Act::DeclineDraw
            | Act::ClaimDraw { .. }
            | Act::Resign
    );
    is_told.then_some(())
}
