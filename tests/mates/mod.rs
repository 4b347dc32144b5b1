//! The suite of proved mates, and the mates that the engine announces.

mod claims;
mod collection;
mod hunts;
mod maker;
mod prover;
mod sources;

use hematite::chess::Position;
use hematite::notation::position_from_fen;

fn position(fen: &str) -> Position {
    position_from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}
