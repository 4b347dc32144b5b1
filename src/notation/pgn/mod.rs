//! PGN, the text of chess games (<https://www.chessprogramming.org/Portable_Game_Notation>,
//! standard of 1994.03.12).
//!
//! A [`Reader`] takes a file apart and tells a [`Visitor`], in constant memory. [`Game`] is a
//! game with its variations, which a [`GameBuilder`] makes from what it hears; [`Export`]
//! writes it back. [`pgc`] is the binary form of the standard.
//!
//! # What is read beyond the standard
//!
//! Real files differ from the standard, and are read nevertheless:
//!
//! * empty lines between tags, and games that have no moves or no result (an error is reported,
//!   and the game kept);
//! * quotes in tag values without a backslash, and a backslash before the last quote;
//! * more text, longer lines and other letters than the standard allows, in UTF-8, Latin-1 or
//!   Windows-1252;
//! * results as `1:0` or `½-½`, results within variations, words behind a result;
//! * suffixes apart from their move, `e.p.`, assessments in signs such as `+-`, null moves.
//!
//! A tag `[Event "` behind an empty line begins a game wherever it stands, even in a comment
//! that is not closed. So a file can be cut there without being read from its beginning.

mod buffer;
mod builder;
mod collate;
mod command;
mod encoding;
mod error;
mod export;
mod game;
mod lines;
mod nag;
pub mod pgc;
mod place;
mod read_moves;
mod read_tags;
mod reader;
mod result;
mod start;
mod tags;
mod text;
mod tracker;
mod visitor;
mod walk;

pub use builder::{GameBuilder, games};
pub use collate::{CollatingKey, collate};
pub use command::{Command, Evaluation, EvaluationScore, MarkColor, commands, without_commands};
pub(in crate::notation) use encoding::BYTE_ORDER_MARK;
pub use encoding::Encoding;
pub use error::{PgnError, PgnProblem};
pub use export::{Export, MoveStyle};
pub use game::{Game, GameFull, MAX_GAME_MOVES, MAX_GAME_NOTES, MAX_GAME_TAGS, MAX_GAME_TEXT, NodeId};
pub use nag::Nag;
pub use place::Place;
pub(crate) use reader::FIRST_TAG;
pub use reader::{MAX_TEXT_BYTES, Reader};
pub use result::GameResult;
pub use tags::{SEVEN_TAG_ROSTER, Tags};
pub use text::RawText;
pub use tracker::Tracker;
pub use visitor::{Skip, Visitor};
pub use walk::{Element, Walk};

/// How deep variations may be nested. Deeper ones are skipped: nobody has written so many, and
/// a file must not be able to eat up the memory.
pub const MAX_DEPTH: u32 = 256;
