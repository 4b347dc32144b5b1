//! The grammar of the Universal Chess Interface, April 2006
//! (<https://www.wbec-ridderkerk.nl/html/UCIProtocol.html>), in both directions: a GUI
//! sends a [`Command`], an engine a [`Message`]. Both are parsed from text and written as text, for
//! the engine and for the match runner.
//!
//! Parsing never fails as a whole: a word that cannot be understood becomes a [`ParseWarning`], and the
//! others are used.

mod command;
mod extensions;
mod go;
mod info;
mod message;
mod option;
mod position;
mod tokens;
mod warning;

pub use command::{Command, Parsed};
pub use extensions::{BenchTokens, GenFensTokens, SpeedtestTokens};
pub use go::{GoTokens, LONGEST_TIME};
pub use info::{Info, InfoBound, InfoScore, InfoValue, WinDrawLoss};
pub use message::Message;
pub use option::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};
pub use position::{PositionTokens, Shorthand, StartPosition};
pub use warning::{ParseWarning, nearest};
