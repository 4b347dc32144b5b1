//! The names of openings and their codes in the Encyclopedia of Chess Openings, found by
//! position, so that transpositions are found too.
//!
//! The facts (code, name, moves) are those of the list of opening names of
//! <https://github.com/lichess-org/chess-openings>, which is in the public domain (CC0 1.0). An
//! [`OpeningList`] makes the embedded table from such a list.

mod code;
mod error;
mod label;
mod list;
mod opening;
mod openings;
mod table;

pub use code::{EcoCode, EcoCodeError};
pub use error::{OpeningError, OpeningProblem};
pub use label::label;
pub use list::OpeningList;
pub use opening::Opening;
pub use openings::{Openings, opening, openings};
