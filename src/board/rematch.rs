//! Rematches: another game between the same players, with colors swapped.

use super::clock::unix_ms;
use super::failure::Failure;
use super::hosted::{HostedGame, Standing, refused};
use super::saved::{Head, KeyRole, Record, SavedGame, SavedKey, SavedRematch};
use super::token::GameId;
use crate::chess::Color;
use crate::zone::{Act, Actor, Event, Moment};

/// Offers a rematch, or accepts the offer of the opponent, which creates the game. Engines accept immediately. The
/// tokens of the old game are valid for the new one, each for the other color.
///
/// # Errors
/// [`Failure`] if the game is not over, the rematch already exists, or the caller is not a player.
pub(super) fn ask(
    game: &mut HostedGame,
    standing: Standing,
    now_ms: u64,
) -> Result<Option<SavedGame>, Failure> {
    let color = match standing {
        Standing::Actor(Actor::White) => Color::White,
        Standing::Actor(Actor::Black) => Color::Black,
        _ => {
            return Err(Failure::forbidden(
                "not_yours",
                "only the players of the game can ask for a rematch",
            ));
        }
    };
    if game.head.tournament.is_some() {
        return Err(Failure::conflict("in_tournament", "games of a tournament have no rematch"));
    }
    if game.game.ending().is_none() {
        return Err(Failure::conflict("too_early", "the game is not over"));
    }
    if Color::ALL.into_iter().any(|color| game.game.seat(color).player.is_none()) {
        return Err(Failure::conflict("too_early", "there is no opponent"));
    }
    let (own, other) = match color {
        Color::White => (SavedRematch::WhiteOffers, SavedRematch::BlackOffers),
        Color::Black => (SavedRematch::BlackOffers, SavedRematch::WhiteOffers),
    };
    let is_agreed = match &game.rematch {
        Some(SavedRematch::Made(_)) => {
            return Err(Failure::conflict("already_made", "the game has been made"));
        }
        Some(offer) if *offer == own => {
            return Err(Failure::conflict("already_offered", "it is offered already"));
        }
        Some(offer) => *offer == other,
        None => game.is_engine(!color),
    };
    if !is_agreed {
        game.rematch = Some(own);
        return Ok(None);
    }
    let next = swapped(game, now_ms)?;
    game.rematch = Some(SavedRematch::Made(next.id.as_str().to_owned()));
    Ok(Some(next))
}

/// Creates the new game, with both players seated.
fn swapped(game: &HostedGame, now_ms: u64) -> Result<SavedGame, Failure> {
    let id = GameId::random().map_err(|error| Failure::busy(error.to_string()))?;
    let [white, black] = game.head.seats.clone();
    let head = Head { seats: [black, white], ..Head::clone(&game.head) };
    let keys = game.keys.iter().filter_map(|key| {
        let role = match key.role {
            KeyRole::Actor(Actor::White) => Actor::Black,
            KeyRole::Actor(Actor::Black) => Actor::White,
            KeyRole::Actor(Actor::Arbiter) => Actor::Arbiter,
            _ => return None,
        };
        Some(SavedKey { role: KeyRole::Actor(role), ..*key })
    });
    let saved = SavedGame {
        id,
        created_ms: now_ms,
        created_unix_ms: unix_ms(),
        head,
        keys: keys.collect(),
        rematch: None,
        record: Record::default(),
    };
    let mut next = HostedGame::new(&saved)?;
    for color in Color::ALL {
        let name = game.game.seat(!color).player.clone().unwrap_or_default();
        let by = Actor::player(color);
        if let Some(refusal) = next.submit(Event { at: Moment::START, by, act: Act::Sit { name } }) {
            return Err(refused(refusal));
        }
    }
    // No page of the game is open yet.
    next.leave_all(Moment::START);
    Ok(SavedGame { record: next.record(0, now_ms), ..saved })
}
